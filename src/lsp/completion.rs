//! What may be typed next: variables of the clause, predicates of the texts, of the system and of the
//! contract, libraries.

use crate::hover::{clause_start, of_predicate};
use crate::known::arguments;
use crate::server::{Answer, Server};
use crate::workspace::View;
use ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionList,
    CompletionParams, CompletionResponse, CompletionTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, TextEdit, Uri,
};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use zug_editing::outline::{Predicate, Use};
use zug_syntax::TokenKind;
use zug_term::source::Span;

/// Items of one answer.
const MOST: usize = 400;

/// What is kept with an item, to look its words up when it is shown.
#[derive(Serialize, Deserialize)]
struct Kept {
    uri: String,
    name: String,
    arity: usize,
}

/// What may stand at a place.
pub fn complete(server: &Server, params: CompletionParams) -> Answer<Option<CompletionResponse>> {
    let at = params.text_document_position;
    let Some(view) = server.workspace.view(&at.text_document.uri) else { return Ok(None) };
    let offset = view.offset(at.position);
    let place = Place::of(&view, offset);
    let range = view.range(place.word);
    let mut items = match place.kind {
        PlaceKind::Nothing => return Ok(None),
        PlaceKind::Library => libraries(),
        PlaceKind::Variable => variables(&view, offset, &place),
        PlaceKind::Name | PlaceKind::Head => predicates(server, view, &place),
    };
    for item in &mut items {
        let new_text = item.insert_text.take().unwrap_or_else(|| item.label.clone());
        item.text_edit = Some(CompletionTextEdit::Edit(TextEdit { range, new_text }));
    }
    let is_incomplete = items.len() >= MOST;
    Ok(Some(CompletionResponse::List(CompletionList { is_incomplete, items })))
}

/// The words about an item.
pub fn resolve(server: &Server, mut item: CompletionItem) -> Answer<CompletionItem> {
    let kept = item.data.clone().and_then(|data| serde_json::from_value::<Kept>(data).ok());
    let Some(kept) = kept else { return Ok(item) };
    let Ok(uri) = kept.uri.parse::<Uri>() else { return Ok(item) };
    let predicate = Predicate { name: kept.name.into(), arity: kept.arity };
    let view = server.workspace.view(&uri);
    item.documentation =
        view.and_then(|view| of_predicate(server, view, &predicate)).map(|value| {
            Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
        });
    Ok(item)
}

#[derive(PartialEq, Eq)]
enum PlaceKind {
    /// In a comment, a text, a number.
    Nothing,
    /// In `library(`.
    Library,
    /// A variable has been begun.
    Variable,
    /// A name may stand here.
    Name,
    /// The name of a clause's head.
    Head,
}

/// The place at which something is typed.
struct Place {
    kind: PlaceKind,
    /// What has been typed of it.
    word: Span,
    /// The same as text.
    prefix: String,
}

impl Place {
    fn of(view: &View, offset: u32) -> Place {
        let text = view.text();
        let begun = text[..offset as usize]
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let word = Span::new(begun, offset as usize);
        let prefix = text[begun..offset as usize].to_owned();
        let kind = Place::kind(view, text, begun, offset, &prefix);
        Place { kind, word, prefix }
    }

    fn kind(view: &View, text: &str, begun: usize, offset: u32, prefix: &str) -> PlaceKind {
        if in_comment(view, offset) {
            return PlaceKind::Nothing;
        }
        let start = clause_start(view, offset) as usize;
        let tokens = zug_syntax::tokenize(text.get(start..begun).unwrap_or_default());
        let last = tokens.last().map(|token| token.kind);
        let open = matches!(
            last,
            Some(TokenKind::OpenQuoted | TokenKind::OpenComment | TokenKind::BadEscape)
        );
        if open {
            return PlaceKind::Nothing;
        }
        if text[..begun].ends_with("library(") {
            return PlaceKind::Library;
        }
        match prefix.chars().next() {
            Some(first) if first.is_uppercase() || first == '_' => PlaceKind::Variable,
            Some(first) if first.is_numeric() => PlaceKind::Nothing,
            _ if matches!(last, None | Some(TokenKind::End | TokenKind::LineComment)) => {
                PlaceKind::Head
            }
            _ => PlaceKind::Name,
        }
    }
}

/// Whether an offset stands in a comment between clauses, or in one of a clause.
fn in_comment(view: &View, offset: u32) -> bool {
    let reading = &view.outline.reading;
    let inside = |token: &zug_syntax::Token| {
        let to_end = token.kind == TokenKind::LineComment;
        token.start < offset && (offset < token.end || to_end && offset == token.end)
    };
    let clause = view.outline.clause_at(offset).map(|clause| &reading.clauses[clause].tokens);
    let within = clause.into_iter().flatten().filter(|token| token.kind.is_comment());
    let at = reading.comments.partition_point(|token| token.end < offset);
    within.chain(reading.comments.get(at)).any(inside)
}

fn libraries() -> Vec<CompletionItem> {
    let added = zug_tools::language::EXTENSIONS.iter().flat_map(|extension| extension.libraries);
    let names = zug_prolog::builtins::libraries::names();
    let mut names: Vec<&str> = names.chain(added.map(|library| library.name)).collect();
    names.sort_unstable();
    names.into_iter().map(|name| word(name, CompletionItemKind::MODULE)).collect()
}

/// A word to be put in as it is.
fn word(name: &str, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem { label: name.to_owned(), kind: Some(kind), ..CompletionItem::default() }
}

/// The variables of the clause, by its tokens: it may not be readable.
fn variables(view: &View, offset: u32, place: &Place) -> Vec<CompletionItem> {
    let text = view.text();
    let start = clause_start(view, offset) as usize;
    let end = zug_syntax::clause_end(&text[start..]).map_or(text.len(), |end| start + end);
    let end = end.max(offset as usize);
    let mut seen = FxHashSet::default();
    let tokens = zug_syntax::tokenize(&text[start..end]).into_iter();
    let others = tokens.filter(|token| {
        token.kind == TokenKind::Variable
            && start + token.start as usize != place.word.start as usize
    });
    let names = others.map(|token| token.text(&text[start..end]));
    let names = names.filter(|name| *name != "_" && seen.insert(*name));
    let wanted = names.filter(|name| begins(name, &place.prefix));
    wanted.map(|name| word(name, CompletionItemKind::VARIABLE)).collect()
}

fn begins(name: &str, prefix: &str) -> bool {
    name.to_lowercase().starts_with(&prefix.to_lowercase())
}

/// Predicates, the user's own first.
fn predicates(server: &Server, view: View, place: &Place) -> Vec<CompletionItem> {
    let uri = view.uri.to_string();
    let mut seen: FxHashSet<Predicate> = FxHashSet::default();
    let mut items = Vec::new();
    let is_head = place.kind == PlaceKind::Head;
    let own_uri = view.uri.clone();
    for view in server.workspace.loaded_by(view) {
        let known = view.outline.occurrences.iter().filter(|found| found.what != Use::Call);
        for found in known.filter(|found| begins(&found.predicate.name, &place.prefix)) {
            let imported = view.uri == own_uri
                || view.outline.exports.as_ref().is_none_or(|all| all.contains(&found.predicate));
            // The word that is being typed is no predicate yet.
            let typed = view.uri == own_uri && found.span == place.word;
            if imported && !typed && seen.insert(found.predicate.clone()) {
                let head = view.text()[found.whole.start as usize..found.whole.end as usize].trim();
                let head = (found.what == Use::Definition).then_some(head);
                items.push(item(server, &uri, &found.predicate, head, 'a', is_head));
            }
        }
    }
    for (_, head, contract) in server.known.all() {
        let predicate = Predicate { name: head.name.as_str().into(), arity: head.arity };
        let wanted = begins(&head.name, &place.prefix) && (!is_head || contract);
        let plain = zug_syntax::is_plain_atom(&head.name)
            && head.name.starts_with(|c: char| c.is_alphabetic());
        if wanted && plain && items.len() < MOST && seen.insert(predicate.clone()) {
            let rank = if contract { 'b' } else { 'c' };
            items.push(item(server, &uri, &predicate, Some(&head.text), rank, is_head));
        }
    }
    items
}

fn item(
    server: &Server,
    uri: &str,
    predicate: &Predicate,
    head: Option<&str>,
    rank: char,
    is_head: bool,
) -> CompletionItem {
    let name = quoted(&predicate.name);
    let names = head.map(arguments).unwrap_or_default();
    let snippet = server.client.snippets && predicate.arity > 0 && !is_head;
    let insert_text = snippet.then(|| {
        let places = (0..predicate.arity).map(|at| {
            let name = names.get(at).map_or("_", |name| name.trim_start_matches(MODES));
            let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            format!("${{{}:{}}}", at + 1, if plain { name } else { "_" })
        });
        let places: Vec<String> = places.collect();
        format!("{name}({})", places.join(", "))
    });
    let kept =
        Kept { uri: uri.to_owned(), name: predicate.name.to_string(), arity: predicate.arity };
    CompletionItem {
        label: name.clone(),
        label_details: Some(CompletionItemLabelDetails {
            detail: Some(format!("/{}", predicate.arity)),
            description: None,
        }),
        detail: head.map(str::to_owned),
        kind: Some(CompletionItemKind::FUNCTION),
        sort_text: Some(format!("{rank}{name}{}", predicate.arity)),
        filter_text: Some(name),
        insert_text_format: snippet.then_some(InsertTextFormat::SNIPPET),
        insert_text,
        data: serde_json::to_value(kept).ok(),
        ..CompletionItem::default()
    }
}

/// Marks before arguments in the manual.
const MODES: [char; 5] = ['+', '-', '?', ':', '@'];

/// A name as an atom is written.
pub fn quoted(name: &str) -> String {
    if zug_syntax::is_plain_atom(name) {
        return name.to_owned();
    }
    let mut text = String::new();
    zug_syntax::push_quoted(&mut text, name, '\'');
    text
}
