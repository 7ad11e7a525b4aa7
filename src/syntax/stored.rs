//! Tokens as bytes, for texts whose tokens are found when zug is built.
//!
//! For each token its kind, the bytes between it and the one before, and the bytes it takes; the
//! two numbers seven bits at a time, the low ones first, with the top bit set where more follow.

use super::token::{Token, TokenKind};

/// The bytes of tokens that are in order of place.
pub fn pack(tokens: &[Token]) -> Vec<u8> {
    fn push(mut number: u32, bytes: &mut Vec<u8>) {
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    let mut bytes = Vec::new();
    let mut before = 0;
    for token in tokens {
        bytes.push(token.kind as u8);
        push(token.start - before, &mut bytes);
        push(token.end - token.start, &mut bytes);
        before = token.end;
    }
    bytes
}

/// The tokens that bytes stand for; those before the first byte that stands for none.
pub fn unpack(bytes: &[u8]) -> Vec<Token> {
    let mut bytes = bytes.iter().copied();
    let mut tokens = Vec::with_capacity(bytes.len() / 3);
    let mut at = 0;
    while let Some(token) = unpack_one(&mut bytes, at) {
        at = token.end;
        tokens.push(token);
    }
    tokens
}

/// The next token, behind one that ends at `before`.
fn unpack_one(bytes: &mut impl Iterator<Item = u8>, before: u32) -> Option<Token> {
    let kind = *TokenKind::ALL.get(usize::from(bytes.next()?))?;
    let mut number = || {
        let mut number = 0;
        for shift in (0..u32::BITS).step_by(7) {
            let byte = bytes.next()?;
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some(number)
    };
    let start = before.checked_add(number()?)?;
    Some(Token { kind, start, end: start.checked_add(number()?)? })
}

#[cfg(test)]
mod tests {
    use super::super::token::tokenize;
    use super::*;

    #[test]
    fn all_kinds_come_back() {
        for (at, &kind) in TokenKind::ALL.iter().enumerate() {
            assert_eq!(kind as usize, at);
        }
        let long = format!("{} foo(X) :- \"{}\", 'a\\qb'. %", " ".repeat(200), "x".repeat(70_000));
        for text in ["", &long, include_str!("../library/lists.pl")] {
            let tokens = tokenize(text);
            assert_eq!(unpack(&pack(&tokens)), tokens);
        }
        // What is no token ends it.
        assert_eq!(unpack(&[0, 1, 1, 255]).len(), 1);
        assert_eq!(unpack(&[0, 0x80]), []);
    }
}
