//! Lines and columns as the editor counts them, and offsets.

use ls_types::{Position, Range};
use zug_term::source::Span;

/// What columns are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Utf8,
    /// Words of 16 bits.
    Utf16,
}

#[derive(Clone, Debug)]
pub struct Lines {
    /// Offsets at which they begin.
    starts: Vec<u32>,
    pub encoding: Encoding,
}

impl Lines {
    /// The lines of a text. They end as the protocol has it: with a line feed, a carriage return, or both.
    pub fn new(text: &str, encoding: Encoding) -> Lines {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|&at| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|at| at as u32 + 1)).collect();
        Lines { starts, encoding }
    }

    /// The place of an offset.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = zug_syntax::floor_char_boundary(text, offset as usize);
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        let before = &text[self.starts[line] as usize..offset];
        let character = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position { line: line as u32, character: character as u32 }
    }

    pub fn range(&self, text: &str, span: Span) -> Range {
        Range { start: self.position(text, span.start), end: self.position(text, span.end) }
    }

    /// The offset of a place; of one beyond the end of its line, that of the end.
    pub fn offset(&self, text: &str, position: Position) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len() as u32;
        };
        let next = self.starts.get(position.line as usize + 1).copied();
        let end = next.map_or(text.len(), |next| next as usize);
        let line = text[start as usize..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, c) in line.char_indices() {
            if units >= position.character as usize {
                return start + at as u32;
            }
            units += match self.encoding {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
        }
        start + line.len() as u32
    }

    /// The span of a place.
    pub fn span(&self, text: &str, range: Range) -> Span {
        let (start, end) = (self.offset(text, range.start), self.offset(text, range.end));
        Span { start: start.min(end), end: start.max(end) }
    }

    /// The columns of a piece of text in one line.
    pub fn width(&self, text: &str) -> u32 {
        match self.encoding {
            Encoding::Utf8 => text.len() as u32,
            Encoding::Utf16 => text.chars().map(|c| c.len_utf16() as u32).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_are_inverse() {
        let text = "aé\n𝄞b\r\n\rc";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines::new(text, encoding);
            for (offset, c) in text.char_indices().filter(|(_, c)| !matches!(c, '\n' | '\r')) {
                let position = lines.position(text, offset as u32);
                assert_eq!(lines.offset(text, position), offset as u32, "{c} {encoding:?}");
            }
        }
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.position(text, 8), Position { line: 1, character: 2 });
        assert_eq!(lines.offset(text, Position { line: 1, character: 99 }), 9);
        assert_eq!(lines.offset(text, Position { line: 99, character: 0 }), text.len() as u32);
        assert_eq!(lines.position(text, text.len() as u32), Position { line: 3, character: 1 });
    }
}
