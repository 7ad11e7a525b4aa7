//! Characters as bytes, and the place a stream has reached.

/// How the characters of a stream are spelt in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8; a byte that fits no character is taken as Latin-1.
    Utf8,
    /// One byte a character, ISO 8859-1; also `octet`.
    Latin1,
    /// One byte a character, below 128.
    Ascii,
}

impl Encoding {
    /// The encoding of this name, as `open/4` takes it.
    pub fn named(name: &str) -> Option<Encoding> {
        match name {
            "utf8" | "UTF-8" | "text" | "wchar_t" => Some(Encoding::Utf8),
            "iso_latin_1" | "octet" => Some(Encoding::Latin1),
            "ascii" => Some(Encoding::Ascii),
            _ => None,
        }
    }

    /// The name `stream_property/2` shows.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf8",
            Encoding::Latin1 => "iso_latin_1",
            Encoding::Ascii => "ascii",
        }
    }
}

/// The position of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamPosition {
    /// Characters gone by.
    pub characters: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// Characters since the line began; a tab goes to the next multiple of 8.
    pub column: usize,
    /// Bytes gone by.
    pub bytes: usize,
}

impl StreamPosition {
    /// The start of a stream.
    pub fn start() -> StreamPosition {
        StreamPosition { characters: 0, line: 1, column: 0, bytes: 0 }
    }

    /// Advances it behind `text`, which took this many bytes.
    pub fn advance(&mut self, text: &str, bytes: usize) {
        self.bytes += bytes;
        for c in text.chars() {
            self.characters += 1;
            if c == '\n' {
                self.line += 1;
            }
            self.column = next_column(self.column, c);
        }
    }
}

/// The column behind a character that stands in `column`.
pub fn next_column(column: usize, c: char) -> usize {
    match c {
        '\n' | '\r' => 0,
        '\t' => (column | 7) + 1,
        '\u{8}' => column.saturating_sub(1),
        _ => column + 1,
    }
}

/// The first character of `bytes` and how many of them it takes. `None` when
/// there is none, or when only its beginning is there and more may come.
pub fn decode(bytes: &[u8], encoding: Encoding, complete: bool) -> Option<(char, usize)> {
    let &first = bytes.first()?;
    if encoding != Encoding::Utf8 || first < 0x80 {
        return Some((char::from(first), 1));
    }
    let length = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return Some((char::from(first), 1)),
    };
    if bytes.len() < length && !complete {
        return None;
    }
    let valid = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    match valid.and_then(|text| text.chars().next()) {
        Some(c) => Some((c, length)),
        None => Some((char::from(first), 1)),
    }
}

/// Appends text in an encoding; a character it lacks is written `\x41\`.
pub fn encode(text: &str, encoding: Encoding, out: &mut Vec<u8>) {
    let limit = match encoding {
        Encoding::Utf8 => return out.extend_from_slice(text.as_bytes()),
        Encoding::Latin1 => 0x100,
        Encoding::Ascii => 0x80,
    };
    for c in text.chars() {
        match u32::from(c) {
            code if code < limit => out.push(code as u8),
            code => out.extend_from_slice(format!("\\x{code:x}\\").as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_decoded_by_encoding() {
        let check = |bytes: &[u8], encoding, complete, expect: Option<(char, usize)>| {
            assert_eq!(decode(bytes, encoding, complete), expect, "{bytes:?}");
        };
        check(b"a", Encoding::Utf8, false, Some(('a', 1)));
        check("é".as_bytes(), Encoding::Utf8, false, Some(('é', 2)));
        check("é".as_bytes(), Encoding::Latin1, false, Some(('\u{c3}', 1)));
        check(&"é".as_bytes()[..1], Encoding::Utf8, false, None);
        check(&"é".as_bytes()[..1], Encoding::Utf8, true, Some(('\u{c3}', 1)));
        check(b"\xE9a", Encoding::Utf8, true, Some(('é', 1)));
        check(b"", Encoding::Utf8, true, None);
    }

    #[test]
    fn a_place_counts_lines_and_columns() {
        let check = |text: &str, line, column| {
            let mut place = StreamPosition::start();
            place.advance(text, text.len());
            assert_eq!((place.line, place.column), (line, column), "{text:?}");
        };
        check("abc", 1, 3);
        check("a\nbc", 2, 2);
        check("a\tb", 1, 9);
        check("é\u{8}", 1, 0);
    }

    #[test]
    fn characters_outside_an_encoding_are_escaped() {
        let mut out = Vec::new();
        encode("aé→", Encoding::Latin1, &mut out);
        assert_eq!(out, b"a\xE9\\x2192\\");
    }
}
