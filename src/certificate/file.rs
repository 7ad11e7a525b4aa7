//! The frame of a certificate: [`Writer`] and [`Lines`].
//!
//! Plain text, one record a line, each a clause of the rule language: `certificate(KIND, VERSION).` first, the
//! records, and `checksum(RECORDS, SUM).` last. The sum is Adler-32 (RFC 1950) of all bytes before its line.
//!
//! ```
//! use zug_certificate::{Lines, Writer};
//!
//! let mut text = Vec::new();
//! let mut writer = Writer::new(&mut text, "plan")?;
//! writer.record("cost(1)")?;
//! writer.finish()?;
//! let text = String::from_utf8(text).expect("text");
//! assert_eq!(Lines::of(&text).expect("whole").records().next(), Some((2, "cost(1)")));
//! assert!(Lines::of(&text.replace("cost(1)", "cost(0)")).is_err());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, ErrorKind, Write};
use std::str::FromStr;

/// The version of the format.
const VERSION: u32 = 1;
/// The greatest prime below 2^16.
const MODULUS: u32 = 65_521;
/// Letters, digits, underscores and blanks in a row: to read a number of very many digits takes long.
const LONGEST_WORD: usize = 1 << 14;
/// Bytes that can be added up before the sums have to be reduced.
const RUN: usize = 5552;

/// The running sums of Adler-32.
#[derive(Clone, Copy)]
struct Sum {
    bytes: u32,
    sums: u32,
}

impl Sum {
    const EMPTY: Sum = Sum { bytes: 1, sums: 0 };

    fn add(&mut self, text: &[u8]) {
        for run in text.chunks(RUN) {
            for &byte in run {
                self.bytes += u32::from(byte);
                self.sums += self.bytes;
            }
            self.bytes %= MODULUS;
            self.sums %= MODULUS;
        }
    }

    fn value(self) -> u32 {
        self.sums << 16 | self.bytes
    }
}

/// Adler-32 of a text.
pub fn adler(text: &[u8]) -> u32 {
    let mut sum = Sum::EMPTY;
    sum.add(text);
    sum.value()
}

/// Writes a certificate; it fails where the stream does.
pub struct Writer<W> {
    out: W,
    sum: Sum,
    records: u64,
    bytes: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a certificate of a kind.
    pub fn new(out: W, kind: &str) -> io::Result<Self> {
        let mut writer = Self { out, sum: Sum::EMPTY, records: 0, bytes: 0 };
        writer.line(&format!("certificate({kind},{VERSION})"))?;
        Ok(writer)
    }

    /// Writes a record: a term without its full stop.
    ///
    /// # Errors
    /// What the stream says; `InvalidData`, if it has a number or a name that is too long.
    pub fn record(&mut self, term: &str) -> io::Result<()> {
        if !has_short_words(term) {
            return Err(ErrorKind::InvalidData.into());
        }
        self.records += 1;
        self.line(term)
    }

    /// Writes the last line: the number of records, and of bytes in all.
    pub fn finish(mut self) -> io::Result<(u64, u64)> {
        let last = format!("checksum({},{})", self.records, self.sum.value());
        self.line(&last)?;
        self.out.flush()?;
        Ok((self.records, self.bytes))
    }

    fn line(&mut self, term: &str) -> io::Result<()> {
        for part in [term, ".\n"] {
            self.out.write_all(part.as_bytes())?;
            self.sum.add(part.as_bytes());
            self.bytes += part.len() as u64;
        }
        Ok(())
    }
}

/// Why a text is no whole certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It does not begin with `certificate(KIND, VERSION).`
    #[error("it is no certificate: its first line is not `certificate(KIND, VERSION).`")]
    Beginning,
    /// It begins with a byte order mark.
    #[error("it begins with a byte order mark, which is none of its records")]
    Mark,
    /// It is of another version.
    #[error("it is of version {0}, and only {VERSION} is known")]
    Version(String),
    /// A line, by number, does not end with a full stop.
    #[error("a record is a line that ends with its full stop: no comment, nothing left out")]
    Line(u64),
    /// A line, by number, has a number or a name that is too long.
    #[error("a number or a name has more than {LONGEST_WORD} digits or letters")]
    Word(u64),
    /// It does not end with `checksum(RECORDS, SUM).`
    #[error("its last line is not `checksum(RECORDS, SUM).`")]
    End,
    /// The last line is not ended.
    #[error("its last line has no end: it is cut off, or was changed")]
    Cut,
    /// The checksum is another one: the one given, and that of the text.
    #[error("it was changed: its checksum is {1}, not {0}")]
    Changed(u32, u32),
    /// The number of records is another one: the one given, and that of the text.
    #[error("it has {1} records, not {0}")]
    Records(u64, u64),
}

/// The records of a certificate that is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines<'t> {
    /// What it is a certificate of.
    pub kind: &'t str,
    body: &'t str,
}

fn has_short_words(text: &str) -> bool {
    let is_of_a_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b' ';
    let mut words = text.as_bytes().split(|&byte| !is_of_a_word(byte));
    text.len() <= LONGEST_WORD || words.all(|word| word.len() <= LONGEST_WORD)
}

/// The arguments of a clause `NAME(A,B).`, which are of letters, digits and underscores alone.
fn two<'t>(line: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let inner = line.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(").")?;
    let parts = inner.split_once(',')?;
    let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (is_plain(parts.0) && is_plain(parts.1)).then_some(parts)
}

/// A number as it is written: without zeros in front.
fn decimal<N: FromStr + ToString>(text: &str) -> Option<N> {
    text.parse::<N>().ok().filter(|number| number.to_string() == text)
}

impl<'t> Lines<'t> {
    /// Takes a text apart.
    ///
    /// # Errors
    /// It is no whole certificate.
    pub fn of(text: &'t str) -> Result<Self, Damage> {
        if text.starts_with('\u{feff}') {
            return Err(Damage::Mark);
        }
        let (first, rest) = text.split_once('\n').ok_or(Damage::Beginning)?;
        let (kind, version) = two(first, "certificate").ok_or(Damage::Beginning)?;
        if version != VERSION.to_string() {
            return Err(Damage::Version(version.to_owned()));
        }
        let whole = rest.strip_suffix('\n').ok_or(Damage::Cut)?;
        let begin = whole.rfind('\n').map_or(0, |at| at + 1);
        let (body, last) = (&rest[..begin], &whole[begin..]);
        let (records, sum) = two(last, "checksum").ok_or(Damage::End)?;
        let (Some(records), Some(sum)) = (decimal(records), decimal(sum)) else {
            return Err(Damage::End);
        };
        let found = adler(&text.as_bytes()[..text.len() - whole.len() - 1 + begin]);
        if found != sum {
            return Err(Damage::Changed(sum, found));
        }
        let lines = Self { kind, body };
        for (text, line) in body.split_terminator('\n').zip(2..) {
            if !text.ends_with('.') {
                return Err(Damage::Line(line));
            }
            if !has_short_words(text) {
                return Err(Damage::Word(line));
            }
        }
        match lines.records().count() as u64 {
            count if count == records => Ok(lines),
            count => Err(Damage::Records(records, count)),
        }
    }

    /// The records, each with the number of its line and without its full stop.
    pub fn records(self) -> impl Iterator<Item = (u64, &'t str)> {
        self.body
            .split_terminator('\n')
            .zip(2..)
            .map(|(text, line)| (line, text.strip_suffix('.').unwrap_or(text)))
    }
}
