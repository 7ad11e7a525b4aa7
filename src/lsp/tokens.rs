//! Colours by what a name is: semantic tokens.

use crate::server::{Answer, Server};
use crate::workspace::View;
use ls_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
    SemanticTokensParams, SemanticTokensRangeParams, SemanticTokensRangeResult,
    SemanticTokensResult,
};
use zug_editing::outline::{Occurrence, Use};
use zug_syntax::{Role, Token, TokenKind};
use zug_term::source::Span;

/// Makes a table of kinds, or of modifiers: each with its name, and its place as a number.
macro_rules! numbered {
    ($table:ident: $type:ident, $enum:ident { $($(#[$doc:meta])* $name:ident = $told:ident,)* }) => {
        #[derive(Clone, Copy)]
        enum $enum { $($(#[$doc])* $name,)* }

        const $table: &[$type] = &[$($type::$told,)*];
    };
}

numbered!(KINDS: SemanticTokenType, Kind {
    Comment = COMMENT,
    Text = STRING,
    Number = NUMBER,
    Variable = VARIABLE,
    Operator = OPERATOR,
    Predicate = FUNCTION,
    Control = KEYWORD,
    Atom = ENUM_MEMBER,
});

numbered!(MODIFIERS: SemanticTokenModifier, Modifier {
    Definition = DEFINITION,
    BuiltIn = DEFAULT_LIBRARY,
    /// A predicate that the engines ask.
    Contract = ABSTRACT,
});

impl Modifier {
    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The names of kinds and modifiers.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: KINDS.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

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
                encoder.put(view, comment.span(), Kind::Comment, 0);
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
        encoder.put(view, comment.span(), Kind::Comment, 0);
    }
    SemanticTokens { result_id: None, data: encoder.data }
}

fn kind(
    server: &Server,
    view: &View,
    token: &Token,
    role: Option<Role>,
    occurrence: Option<&Occurrence>,
) -> Option<(Kind, u32)> {
    let plain = |kind| Some((kind, 0));
    match token.kind {
        kind if kind.is_comment() => return plain(Kind::Comment),
        kind if kind.is_number() => return plain(Kind::Number),
        TokenKind::String | TokenKind::BackQuoted => return plain(Kind::Text),
        TokenKind::Variable => return plain(Kind::Variable),
        _ => {}
    }
    if role.is_some() && is_control(token.text(view.text())) {
        return plain(Kind::Control);
    }
    if token.kind == TokenKind::Comma || token.kind == TokenKind::Bar {
        return None;
    }
    if let Some(found) = occurrence.filter(|_| token.kind != TokenKind::Symbol) {
        return Some((Kind::Predicate, modifiers(server, view, found)));
    }
    match role? {
        Role::Prefix { .. } | Role::Infix { .. } | Role::Postfix => plain(Kind::Operator),
        Role::Sign => plain(Kind::Number),
        Role::Atom if token.kind.is_name() => plain(Kind::Atom),
        _ => None,
    }
}

fn is_control(shown: &str) -> bool {
    matches!(shown, ":-" | "-->" | "=>" | "->" | "*->" | ";" | "!" | "\\+" | "|" | "?-")
}

/// Modifiers of a predicate's name.
fn modifiers(server: &Server, view: &View, found: &Occurrence) -> u32 {
    if found.what == Use::Definition {
        let asked = server.known.contract(&found.predicate).is_some();
        let contract = if asked { Modifier::Contract.bit() } else { 0 };
        return Modifier::Definition.bit() | contract;
    }
    let own = view.outline.defines(&found.predicate);
    let built_in = !own && server.known.built_in(&found.predicate).is_some();
    if built_in { Modifier::BuiltIn.bit() } else { 0 }
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
    fn put(&mut self, view: &View, span: Span, kind: Kind, modifiers: u32) {
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
                token_type: kind as u32,
                token_modifiers_bitset: modifiers,
            });
            (self.line, self.start) = (place.line, place.character);
        }
    }
}
