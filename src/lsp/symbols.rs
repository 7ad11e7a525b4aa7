//! The predicates of a text, of all texts, and what can be folded.

use crate::server::{Answer, Server};
use crate::workspace::View;
use ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Location, Range, SymbolInformation, SymbolKind, WorkspaceSymbolParams,
};
use rustc_hash::FxHashSet;
use zug_editing::outline::{Occurrence, Predicate};
use zug_syntax::TokenKind;
use zug_term::source::Span;
use zug_tools::manual::comments;

/// Symbols of all texts that are told.
const MOST: usize = 1_000;

/// The predicates of a text; those of a unit of tests within it.
pub fn of_document(
    server: &Server,
    params: DocumentSymbolParams,
) -> Answer<Option<DocumentSymbolResponse>> {
    let Some(view) = server.workspace.view(&params.text_document.uri) else { return Ok(None) };
    let mut symbols = predicates(server, &view, None);
    for (number, unit) in view.outline.units.iter().enumerate() {
        let range = view.range(unit.span);
        let inner = predicates(server, &view, Some(number));
        symbols.push(symbol(unit.name.clone(), None, SymbolKind::MODULE, range, range, inner));
    }
    symbols.sort_by_key(|symbol| (symbol.range.start.line, symbol.range.start.character));
    Ok(Some(DocumentSymbolResponse::Nested(symbols)))
}

/// Runs of clauses of one predicate, one behind the other, outside of units or in one of them.
fn predicates(server: &Server, view: &View, unit: Option<usize>) -> Vec<DocumentSymbol> {
    let mut symbols: Vec<DocumentSymbol> = Vec::new();
    let mut last: Option<(Predicate, usize)> = None;
    for head in view.outline.heads() {
        if view.outline.unit_of(head.clause) != unit {
            continue;
        }
        let range = view.range(view.outline.reading.clauses[head.clause].span);
        let follows = last.as_ref().is_some_and(|(predicate, clause)| {
            *predicate == head.predicate && clause + 1 == head.clause
        });
        last = Some((head.predicate.clone(), head.clause));
        if let (true, Some(symbol)) = (follows, symbols.last_mut()) {
            symbol.range.end = range.end;
            continue;
        }
        let contract = unit.is_none() && server.known.contract(&head.predicate).is_some();
        let kind = if contract { SymbolKind::EVENT } else { SymbolKind::FUNCTION };
        let detail = detail(view, head);
        let (name, selected) = (name_of(view, head, unit), view.range(head.span));
        symbols.push(symbol(name, detail, kind, range, selected, Vec::new()));
    }
    symbols
}

/// What a symbol is called: tests by their names.
fn name_of(view: &View, head: &Occurrence, unit: Option<usize>) -> String {
    let written = &view.text()[head.whole.start as usize..head.whole.end as usize];
    if unit.is_some() && &*head.predicate.name == "test" {
        return written.split('\n').next().unwrap_or(written).to_owned();
    }
    head.predicate.to_string()
}

/// The first sentence of the comment above.
fn detail(view: &View, head: &Occurrence) -> Option<String> {
    let start = view.outline.reading.clauses[head.clause].span.start as usize;
    let words = comments::above(view.text(), start);
    let sentence = zug_tools::manual::entries::sentence(&words);
    (!sentence.is_empty()).then_some(sentence)
}

#[expect(deprecated, reason = "the struct has a field that nobody uses any more")]
fn symbol(
    name: String,
    detail: Option<String>,
    kind: SymbolKind,
    range: Range,
    selection_range: Range,
    children: Vec<DocumentSymbol>,
) -> DocumentSymbol {
    let children = (!children.is_empty()).then_some(children);
    DocumentSymbol {
        name,
        detail,
        kind,
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children,
    }
}

/// Predicates of all texts whose name has the letters that are asked for, in order.
pub fn of_workspace(
    server: &Server,
    params: WorkspaceSymbolParams,
) -> Answer<Option<Vec<SymbolInformation>>> {
    let mut symbols = Vec::new();
    for view in server.workspace.all_files() {
        let mut seen: FxHashSet<&Predicate> = FxHashSet::default();
        for head in view.outline.heads() {
            if symbols.len() >= MOST {
                return Ok(Some(symbols));
            }
            let wanted = matches(&head.predicate.name, &params.query);
            if wanted && seen.insert(&head.predicate) {
                symbols.push(information(&view, head));
            }
        }
    }
    Ok(Some(symbols))
}

#[expect(deprecated, reason = "the struct has a field that nobody uses any more")]
fn information(view: &View, head: &Occurrence) -> SymbolInformation {
    SymbolInformation {
        name: head.predicate.to_string(),
        kind: SymbolKind::FUNCTION,
        tags: None,
        deprecated: None,
        location: Location { uri: view.uri.clone(), range: view.range(head.span) },
        container_name: None,
    }
}

/// Whether the letters of a query occur in a name, in their order.
fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|c| c == wanted))
}

/// Clauses and comments over several lines, runs of clauses of a predicate, units of tests.
pub fn foldings(server: &Server, params: FoldingRangeParams) -> Answer<Option<Vec<FoldingRange>>> {
    let Some(view) = server.workspace.view(&params.text_document.uri) else { return Ok(None) };
    let mut found = Vec::new();
    let mut fold = |span: Span, kind: Option<FoldingRangeKind>| {
        let range = view.range(span);
        if range.start.line < range.end.line {
            found.push(FoldingRange {
                start_line: range.start.line,
                end_line: range.end.line,
                kind,
                ..FoldingRange::default()
            });
        }
    };
    for clause in &view.outline.reading.clauses {
        if clause.roles.is_some() {
            fold(clause.span, None);
        }
    }
    for unit in &view.outline.units {
        fold(unit.span, Some(FoldingRangeKind::Region));
    }
    for span in comment_blocks(&view) {
        fold(span, Some(FoldingRangeKind::Comment));
    }
    Ok(Some(found))
}

/// Comments between clauses, those in lines one below the other in one.
fn comment_blocks(view: &View) -> Vec<Span> {
    let mut blocks: Vec<Span> = Vec::new();
    for comment in &view.outline.reading.comments {
        let line = comment.kind == TokenKind::LineComment;
        if let Some(last) = blocks.last_mut().filter(|_| line) {
            let between = &view.text()[last.end as usize..comment.start as usize];
            if between.trim().is_empty() && between.matches('\n').count() == 1 {
                last.end = comment.end;
                continue;
            }
        }
        blocks.push(comment.span());
    }
    blocks
}
