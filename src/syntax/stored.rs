//! Tokens as bytes, for texts whose tokens are found when zug is built.
//!
//! For each token its kind, the bytes between it and the one before, and the bytes it takes.

use super::token::{Token, TokenKind, tokenize};
use std::ffi::OsStr;
use std::path::Path;
use std::{fs, io};
use zug_term::varint;

/// The bytes of tokens that are in order of place.
pub fn pack(tokens: &[Token]) -> Vec<u8> {
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

/// What the build script of a crate with texts of the rule language in its folder `library` does:
/// finds their tokens, so that a session does not have to. They are in files `NAME.tokens` of
/// `OUT_DIR`, where `zug_prolog::library!` finds them.
#[expect(clippy::print_stdout, reason = "how a build script talks to cargo")]
pub fn pack_library() -> io::Result<()> {
    println!("cargo::rerun-if-changed=library");
    let folder = std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    pack_folder("library".as_ref(), folder.as_ref())
}

/// Writes the tokens of all `.pl` files of a folder, but for comments, to another one.
fn pack_folder(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        if let (Some("pl"), Some(stem)) =
            (path.extension().and_then(OsStr::to_str), path.file_stem())
        {
            let mut tokens = tokenize(&fs::read_to_string(&path)?);
            tokens.retain(|token| !token.kind.is_comment());
            fs::write(to.join(stem).with_extension("tokens"), pack(&tokens))?;
        }
    }
    Ok(())
}

/// The tokens that bytes stand for; those before the first byte that stands for none.
pub fn unpack(mut bytes: &[u8]) -> Vec<Token> {
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
        }
        // What is no token ends it.
        assert_eq!(unpack(&[0, 1, 1, 255]).len(), 1);
        assert_eq!(unpack(&[0, 0x80]), []);
    }
}
