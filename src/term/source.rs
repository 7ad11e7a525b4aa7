//! Source text and places in it.
//!
//! A [`Source`] is one file or one piece of typed text; a [`Span`] is a range of
//! bytes in it. Lines and columns are worked out only when an error is shown.

use std::sync::Arc;

/// How the standard input is called where a file is named.
pub const STDIN: &str = "<stdin>";

/// A file name as a word of a command line, as those who read it may type it.
pub fn word(file: &str) -> String {
    if file == STDIN {
        return "-".to_owned();
    }
    let plain = |c: char| c.is_alphanumeric() || "._-/~+=:@\\".contains(c);
    if !file.is_empty() && file.chars().all(plain) {
        return file.to_owned();
    }
    format!("'{}'", file.replace('\'', "'\\''"))
}

/// A range of bytes of one source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }
    /// The smallest range that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A named text. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages name it: a path as the user gave it, or `user`.
    pub name: Arc<str>,
    /// The text, valid UTF-8, without a byte-order mark.
    pub text: Arc<str>,
    /// Lines that come before the text, for typed input; normally 0.
    pub first_line: u32,
}

/// Line and column, both counted from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Source {
    /// A source from its name and text.
    pub fn new(name: &str, text: &str) -> Source {
        Source { name: name.into(), text: text.into(), first_line: 0 }
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.text.len());
        let before = &self.text.as_bytes()[..offset];
        let line = before.iter().filter(|&&b| b == b'\n').count() as u32;
        Position { line: self.first_line + line + 1, column: self.column(offset as u32) }
    }

    /// Column of a byte offset, which takes no look at the lines before.
    pub fn column(&self, offset: u32) -> u32 {
        let before = &self.text.as_bytes()[..(offset as usize).min(self.text.len())];
        let line = before.rsplit(|&b| b == b'\n').next().unwrap_or_default();
        1 + line.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u32
    }
}
