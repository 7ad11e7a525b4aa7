//! Colours by what a name is: semantic tokens.

use crate::dispatch::Answer;
use crate::server::Server;
use crate::workspace::View;
use ls_types::*;
use zug_editing::outline::{Occurrence, Use};
use zug_syntax::{Role, Token, TokenKind};
use zug_term::source::Span;

/// The kinds that are told, in the order of their numbers.
const KINDS: &[SemanticTokenType] = &[
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::ENUM_MEMBER,
];
const COMMENT: u32 = 0;
const STRING: u32 = 1;
const NUMBER: u32 = 2;
const VARIABLE: u32 = 3;
const OPERATOR: u32 = 4;
const FUNCTION: u32 = 5;
const KEYWORD: u32 = 6;
const ATOM: u32 = 7;

/// What is told beside the kind.
const MODIFIERS: &[SemanticTokenModifier] = &[
    SemanticTokenModifier::DEFINITION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
    SemanticTokenModifier::ABSTRACT,
];
const DEFINITION: u32 = 1;
const LIBRARY: u32 = 2;
/// A predicate that the engines ask.
const CONTRACT: u32 = 4;

/// The names of kinds and modifiers.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: KINDS.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

/// The tokens of a text.
pub fn full(server: &Server, params: SemanticTokensParams) -> Answer<Option<SemanticTokensResult>> {
    let Some(view) = server.workspace.view(&params.text_document.uri) else { return Ok(None) };
    let whole = Span::new(0, view.text().len());
    Ok(Some(SemanticTokensResult::Tokens(within(server, &view, whole))))
}

/// The tokens of a part of a text.
pub fn range(
    server: &Server,
    params: SemanticTokensRangeParams,
) -> Answer<Option<SemanticTokensRangeResult>> {
    let Some(view) = server.workspace.view(&params.text_document.uri) else { return Ok(None) };
    let (start, end) = (view.offset(params.range.start), view.offset(params.range.end));
    let tokens = within(server, &view, Span { start, end });
    Ok(Some(SemanticTokensRangeResult::Tokens(tokens)))
}

fn within(server: &Server, view: &View, part: Span) -> SemanticTokens {
    let mut encoder = Encoder::default();
    let reading = &view.outline.reading;
    let mut comments = reading.comments.iter().peekable();
    let told = |token: &Token| token.end > part.start && token.start < part.end;
    for (number, clause) in reading.clauses.iter().enumerate() {
        while let Some(comment) = comments.next_if(|comment| comment.start < clause.span.start) {
            if told(comment) {
                encoder.put(view, comment.span(), COMMENT, 0);
            }
        }
        if clause.span.end <= part.start || clause.span.start >= part.end {
            continue;
        }
        let mut found = view.outline.of_clause(number).peekable();
        let mut roles = clause.roles.iter().flatten().peekable();
        for token in &clause.tokens {
            while found.next_if(|found| found.span.start < token.start).is_some() {}
            while roles.next_if(|role| role.0 < token.start).is_some() {}
            let occurrence = found.peek().filter(|found| found.span.start == token.start).copied();
            let role = roles.peek().filter(|role| role.0 == token.start).map(|role| role.1);
            if let Some((kind, modifiers)) = kind(server, view, token, role, occurrence)
                && told(token)
            {
                encoder.put(view, token.span(), kind, modifiers);
            }
        }
    }
    for comment in comments.filter(|comment| told(comment)) {
        encoder.put(view, comment.span(), COMMENT, 0);
    }
    SemanticTokens { result_id: None, data: encoder.data }
}

/// Kind and modifiers of a token.
fn kind(
    server: &Server,
    view: &View,
    token: &Token,
    role: Option<Role>,
    occurrence: Option<&Occurrence>,
) -> Option<(u32, u32)> {
    match token.kind {
        kind if kind.is_comment() => return Some((COMMENT, 0)),
        kind if kind.is_number() => return Some((NUMBER, 0)),
        TokenKind::String | TokenKind::BackQuoted => return Some((STRING, 0)),
        TokenKind::Variable => return Some((VARIABLE, 0)),
        _ => {}
    }
    let shown = token.text(view.text());
    if matches!(shown, ":-" | "-->" | "=>" | "->" | "*->" | ";" | "!" | "\\+" | "|" | "?-")
        && role.is_some()
    {
        return Some((KEYWORD, 0));
    }
    if token.kind == TokenKind::Comma || token.kind == TokenKind::Bar {
        return None;
    }
    if let Some(found) = occurrence.filter(|_| token.kind != TokenKind::Symbol) {
        let own = view.outline.defines(&found.predicate);
        let mut modifiers = 0;
        if found.what == Use::Definition {
            modifiers |= DEFINITION;
            if server.known.contract(&found.predicate).is_some() {
                modifiers |= CONTRACT;
            }
        } else if !own && server.known.built_in(&found.predicate).is_some() {
            modifiers |= LIBRARY;
        }
        return Some((FUNCTION, modifiers));
    }
    match role? {
        Role::Prefix { .. } | Role::Infix { .. } | Role::Postfix => Some((OPERATOR, 0)),
        Role::Sign => Some((NUMBER, 0)),
        Role::Atom if token.kind.is_name() => Some((ATOM, 0)),
        _ => None,
    }
}

/// Tokens in the form of the protocol: each by its distance from the one before.
#[derive(Default)]
struct Encoder {
    data: Vec<SemanticToken>,
    line: u32,
    start: u32,
}

impl Encoder {
    /// Puts a token; one of several lines in pieces.
    fn put(&mut self, view: &View, span: Span, kind: u32, modifiers: u32) {
        let text = &view.text()[span.start as usize..span.end as usize];
        let mut start = span.start;
        for piece in text.split_inclusive('\n') {
            let shown = piece.trim_end_matches(['\n', '\r']);
            let place = view.range(Span { start, end: start }).start;
            start += piece.len() as u32;
            let length = view.width(shown);
            if length == 0 {
                continue;
            }
            let same = place.line == self.line;
            self.data.push(SemanticToken {
                delta_line: place.line - self.line,
                delta_start: if same { place.character - self.start } else { place.character },
                length,
                token_type: kind,
                token_modifiers_bitset: modifiers,
            });
            (self.line, self.start) = (place.line, place.character);
        }
    }
}
