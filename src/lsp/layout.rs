//! Laying a text out.

use crate::server::{Answer, Server};
use crate::workspace::{Around, View};
use ls_types::{DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit};
use zug_term::source::Span;

/// The changes that lay a text out.
pub fn document(
    server: &Server,
    params: DocumentFormattingParams,
) -> Answer<Option<Vec<TextEdit>>> {
    let Some(view) = server.workspace.view(&params.text_document.uri) else { return Ok(None) };
    Ok(Some(edits(server, &view, None)))
}

/// The changes that lay those lines out that a range touches, as they are in the whole text laid out.
pub fn range(
    server: &Server,
    params: DocumentRangeFormattingParams,
) -> Answer<Option<Vec<TextEdit>>> {
    let Some(view) = server.workspace.view(&params.text_document.uri) else { return Ok(None) };
    let (start, end) = (view.offset(params.range.start), view.offset(params.range.end));
    Ok(Some(edits(server, &view, Some(Span { start, end }))))
}

/// What differs between the text and its layout, clause by clause: in gaps between the same tokens.
fn edits(server: &Server, view: &View, part: Option<Span>) -> Vec<TextEdit> {
    let files = Around::new(&server.workspace, view.path.as_deref());
    let new = zug_editing::format(&view.source, &files);
    let changes = zug_editing::changes(view.text(), &new);
    let clauses = &view.outline.reading.clauses;
    // Of a clause all changes are made, or none.
    let touched = part.map(|part| {
        let touch = clauses
            .iter()
            .filter(|clause| clause.span.start <= part.end && part.start <= clause.span.end);
        touch.fold(part, |whole, clause| whole.to(clause.span))
    });
    let wanted = changes.into_iter().filter(|(span, _)| {
        touched.is_none_or(|part| part.start <= span.start && span.end <= part.end)
    });
    wanted.map(|(span, new_text)| TextEdit { range: view.range(span), new_text }).collect()
}
