//! What a name is: hover and signature help.

use crate::known::{arguments, shown};
use crate::server::{Answer, Server};
use crate::workspace::View;
use ls_types::{
    Documentation, Hover, HoverContents, HoverParams, MarkupContent, MarkupKind,
    ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation,
    TextDocumentPositionParams,
};
use std::borrow::Cow;
use zug_editing::outline::Predicate;
use zug_syntax::TokenKind;
use zug_tools::manual::comments;

/// What is known of the name at a place.
pub fn hover(server: &Server, params: HoverParams) -> Answer<Option<Hover>> {
    let at = params.text_document_position_params;
    let Some(view) = server.workspace.view(&at.text_document.uri) else { return Ok(None) };
    let offset = view.offset(at.position);
    let Some(token) = view.outline.token_at(offset) else { return Ok(None) };
    let (text, span) = match view.outline.occurrence_at(offset) {
        Some(found) => (of_predicate(server, view.clone(), &found.predicate), found.span),
        None if token.kind.is_name() => {
            (of_name(server, &view, token.text(view.text())), token.span())
        }
        None => return Ok(None),
    };
    Ok(text.map(|value| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
        range: Some(view.range(span)),
    }))
}

/// What is known of a predicate: the comment of the user's own, else the manual; of the contract's both.
pub fn of_predicate(server: &Server, view: View, predicate: &Predicate) -> Option<String> {
    let views = server.workspace.loaded_by(view);
    let own = of_own(server, &views, predicate);
    let contract = server.known.contract(predicate).map(shown);
    let built_in = || server.known.built_in(predicate).map(shown);
    match (own, contract) {
        (Some(own), Some(contract)) => Some(format!("{own}\n\n---\n\n{contract}")),
        (Some(own), None) => Some(own),
        (None, contract) => built_in().or(contract),
    }
}

/// The predicate of the user's: its comment, how many clauses, where.
fn of_own(server: &Server, views: &[View], predicate: &Predicate) -> Option<String> {
    let heads = server.workspace.definitions(views, predicate);
    let (number, first) = heads.first()?;
    let view = &views[*number];
    let clause = view.outline.reading.clauses[first.clause].span;
    let head = view.text().get(first.whole.start as usize..first.whole.end as usize)?;
    let mut text = format!("```zug\n{head}\n```\n");
    let words = comments::above(view.text(), clause.start as usize);
    if !words.is_empty() {
        text += &paragraphs(&words);
        text.push('\n');
    }
    let count = heads.len();
    let clauses = if count == 1 { "1 clause".to_owned() } else { format!("{count} clauses") };
    let place = view.path.as_deref().and_then(|path| path.file_name());
    let place = place.map_or(String::new(), |name| format!(" in {}", name.to_string_lossy()));
    Some(text + &format!("\n`{predicate}`, {clauses}{place}"))
}

/// Lines of a comment; those that are indented as they are.
fn paragraphs(lines: &[String]) -> String {
    let mut text = String::new();
    let mut drawn = false;
    for line in lines {
        let indented = line.starts_with("  ");
        if indented != drawn {
            text += if indented { "\n```text\n" } else { "```\n\n" };
            drawn = indented;
        }
        text += line;
        text.push('\n');
    }
    text + if drawn { "```\n" } else { "" }
}

/// What the manual has of a name, whatever its arity: operators in terms, functions of arithmetic.
fn of_name(server: &Server, view: &View, written: &str) -> Option<String> {
    let name = plain(written);
    let defined = view.outline.predicates().any(|known| *known.name == *name);
    let heads = server.known.heads(&name);
    if defined || heads.is_empty() {
        return None;
    }
    let mut entries: Vec<String> = heads.iter().map(|(entry, _)| shown(entry)).collect();
    entries.dedup();
    entries.truncate(3);
    Some(entries.join("\n\n---\n\n"))
}

/// The arguments of the call around a place. How it was asked for makes no difference.
pub fn signature(server: &Server, at: TextDocumentPositionParams) -> Answer<Option<SignatureHelp>> {
    let Some(view) = server.workspace.view(&at.text_document.uri) else { return Ok(None) };
    let offset = view.offset(at.position);
    let Some((name, argument)) = call_around(&view, offset) else { return Ok(None) };
    let mut signatures: Vec<SignatureInformation> = Vec::new();
    let views = server.workspace.loaded_by(view);
    let mut own: Vec<(Predicate, String)> = Vec::new();
    for view in &views {
        for head in view.outline.heads().filter(|head| *head.predicate.name == *name) {
            if own.iter().all(|(known, _)| *known != head.predicate) {
                let written = &view.text()[head.whole.start as usize..head.whole.end as usize];
                own.push((head.predicate.clone(), written.to_owned()));
            }
        }
    }
    for (predicate, head) in own.iter().filter(|(known, _)| known.arity > argument) {
        let words = server.known.contract(predicate).map(|entry| entry.words.join("\n"));
        signatures.push(information(head, words, argument));
    }
    if own.is_empty() {
        let heads = server.known.heads(&name).into_iter();
        for (entry, head) in heads.filter(|(_, head)| head.open || head.arity > argument) {
            signatures.push(information(&head.text, Some(entry.words.join("\n")), argument));
        }
    }
    if signatures.is_empty() {
        return Ok(None);
    }
    let active = Some(argument as u32);
    Ok(Some(SignatureHelp { signatures, active_signature: Some(0), active_parameter: active }))
}

fn information(head: &str, words: Option<String>, argument: usize) -> SignatureInformation {
    let parameters = arguments(head).into_iter().map(|label| ParameterInformation {
        label: ParameterLabel::Simple(label.to_owned()),
        documentation: None,
    });
    SignatureInformation {
        label: head.to_owned(),
        documentation: words.map(|value| {
            Documentation::MarkupContent(MarkupContent { kind: MarkupKind::PlainText, value })
        }),
        parameters: Some(parameters.collect()),
        active_parameter: Some(argument as u32),
    }
}

/// The name of the call whose arguments an offset stands in, and which argument: by the tokens before
/// it, since a clause that is being written can't be read.
fn call_around(view: &View, offset: u32) -> Option<(String, usize)> {
    let start = clause_start(view, offset);
    let text = view.text().get(start as usize..offset as usize)?;
    let tokens = zug_syntax::tokenize(text);
    let (mut depth, mut commas) = (0usize, 0);
    for number in (0..tokens.len()).rev() {
        match tokens[number].kind {
            TokenKind::Close | TokenKind::CloseList | TokenKind::CloseCurly => depth += 1,
            TokenKind::OpenList | TokenKind::OpenCurly if depth == 0 => commas = 0,
            TokenKind::Open if depth == 0 => commas = 0,
            TokenKind::OpenCt if depth == 0 => {
                let name = number.checked_sub(1).map(|before| &tokens[before]);
                match name.filter(|name| name.kind.is_name()) {
                    Some(name) => {
                        return Some((plain(name.text(text)).into_owned(), commas));
                    }
                    None => commas = 0,
                }
            }
            TokenKind::Open | TokenKind::OpenCt | TokenKind::OpenList | TokenKind::OpenCurly => {
                depth -= 1;
            }
            TokenKind::Comma if depth == 0 => commas += 1,
            TokenKind::End => return None,
            _ => {}
        }
    }
    None
}

/// A name without its quotes.
fn plain(written: &str) -> Cow<'_, str> {
    zug_syntax::unquoted(written).unwrap_or(Cow::Borrowed(written))
}

/// Where the clause begins that an offset stands in, or the layout before it.
pub fn clause_start(view: &View, offset: u32) -> u32 {
    let clauses = &view.outline.reading.clauses;
    let at = clauses.partition_point(|clause| clause.span.start <= offset);
    at.checked_sub(1).map_or(0, |at| clauses[at].span.start)
}
