//! Token files: the tokens of a text of the library, next to it in the sources, so that a session
//! need not find them.
//!
//! A file begins with the [`digest`] of its text. For each token it has its kind, the bytes between
//! it and the one before, and the bytes it takes.

use super::token::{Token, TokenKind, tokenize};
use zug_term::varint;

/// A number that changes with the text and with the grammar.
pub const fn digest(text: &[u8]) -> u64 {
    const GRAMMAR: u64 = mixed(0, include_bytes!("../../grammars/rules.pest"));
    mixed(GRAMMAR, text)
}

/// Eight bytes at a time, as the compiler computes it.
const fn mixed(mut state: u64, text: &[u8]) -> u64 {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let (words, rest) = text.as_chunks::<8>();
    let mut at = 0;
    while at < words.len() {
        state = (state.rotate_left(5) ^ u64::from_le_bytes(words[at])).wrapping_mul(FACTOR);
        at += 1;
    }
    at = 0;
    while at < rest.len() {
        state = (state.rotate_left(5) ^ rest[at] as u64).wrapping_mul(FACTOR);
        at += 1;
    }
    (state.rotate_left(5) ^ text.len() as u64).wrapping_mul(FACTOR)
}

/// The token file of a text: all tokens but comments.
pub fn file(text: &str) -> Vec<u8> {
    let mut tokens = tokenize(text);
    tokens.retain(|token| !token.kind.is_comment());
    [&digest(text.as_bytes()).to_le_bytes()[..], &pack(&tokens)].concat()
}

/// The tokens in a file; none if it is that of another text.
pub const fn tokens<'a>(text: &str, file: &'a [u8]) -> &'a [u8] {
    match file.split_first_chunk() {
        Some((head, tokens)) if u64::from_le_bytes(*head) == digest(text.as_bytes()) => tokens,
        _ => &[],
    }
}

/// The bytes of tokens that are in order of place.
fn pack(tokens: &[Token]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before = 0;
    for token in tokens {
        bytes.push(token.kind as u8);
        varint::push(u64::from(token.start - before), &mut bytes);
        varint::push(u64::from(token.end - token.start), &mut bytes);
        before = token.end;
    }
    bytes
}

/// The tokens that bytes stand for; those before the first byte that stands for none.
pub(super) fn unpack(mut bytes: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(bytes.len() / 3);
    let mut at = 0;
    while let Some(token) = unpack_one(&mut bytes, at) {
        at = token.end;
        tokens.push(token);
    }
    tokens
}

/// The next token, behind one that ends at `before`.
fn unpack_one(bytes: &mut &[u8], before: u32) -> Option<Token> {
    let (&kind, rest) = bytes.split_first()?;
    *bytes = rest;
    let kind = *TokenKind::ALL.get(usize::from(kind))?;
    let mut number = || u32::try_from(varint::take(bytes)?).ok();
    let start = before.checked_add(number()?)?;
    Some(Token { kind, start, end: start.checked_add(number()?)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_come_back() {
        for (at, &kind) in TokenKind::ALL.iter().enumerate() {
            assert_eq!(kind as usize, at);
        }
        let long = format!("{} foo(X) :- \"{}\", 'a\\qb'. %", " ".repeat(200), "x".repeat(70_000));
        for text in ["", &long, include_str!("../prolog/library/lists.pl")] {
            let tokens = tokenize(text);
            assert_eq!(unpack(&pack(&tokens)), tokens);
            assert_eq!(super::tokens("another", &file(text)), []);
        }
        // What is no token ends it.
        assert_eq!(unpack(&[0, 1, 1, 255]).len(), 1);
        assert_eq!(unpack(&[0, 0x80]), []);
    }
}
