//! The values of tokens: escapes in quoted items, and numbers.
//!
//! ISO/IEC 13211-1, 6.4.2.1 (escape sequences) and 6.4.4, 6.4.5 (numbers).

use super::fault::FaultKind;
use super::token::{Token, TokenKind, Tokens};
use num_bigint::BigInt;
use std::borrow::Cow;
use zug_term::source::Span;
use zug_term::{Cell, Heap, Rational, numeral, watchdog};

/// What is wrong with a literal, and where in the source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LiteralFault {
    pub kind: FaultKind,
    pub span: Span,
}

/// The text that a quoted item stands for; `token` includes the quotes.
pub(crate) fn unquote<'s>(source: &'s str, token: Token) -> Result<Cow<'s, str>, LiteralFault> {
    let text = token.text(source);
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    let quote = text.as_bytes().first().copied().unwrap_or(b'\'');
    if !inner.bytes().any(|b| b == quote || b == b'\\' || b == b'\r') {
        return Ok(Cow::Borrowed(inner));
    }
    let quote = quote as char;
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            let offset = token.start as usize + 1 + inner.len() - rest.len();
            let (decoded, used) = escape(rest).map_err(|(kind, used)| LiteralFault {
                kind,
                span: Span::new(offset, offset + used),
            })?;
            out.extend(decoded);
            rest = &rest[used..];
        } else if c == quote {
            // Doubled: the grammar lets no other quote in.
            out.push(c);
            rest = rest.get(2..).unwrap_or("");
        } else if rest.starts_with("\r\n") {
            out.push('\n');
            rest = &rest[2..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    Ok(Cow::Owned(out))
}

/// The text of a quoted atom, if `text` is one and nothing else: the inverse of
/// [`push_quoted`](super::push_quoted).
pub fn unquoted(text: &str) -> Option<Cow<'_, str>> {
    match super::tokenize(text)[..] {
        [token] if token.kind == TokenKind::Quoted && token.text(text) == text => {
            unquote(text, token).ok()
        }
        _ => None,
    }
}

type Escaped = Result<(Option<char>, usize), (FaultKind, usize)>;

/// The escape sequence at the start of `text` (a backslash): the character it
/// stands for, if any, and its length in bytes.
fn escape(text: &str) -> Escaped {
    let Some(c) = text[1..].chars().next() else {
        return Err((FaultKind::UndefinedEscape('\\'), 1));
    };
    let simple = |c: char| Ok((Some(c), 2));
    match c {
        'a' => simple('\x07'),
        'b' => simple('\x08'),
        'e' => simple('\x1B'),
        'f' => simple('\x0C'),
        'n' => simple('\n'),
        'r' => simple('\r'),
        's' => simple(' '),
        't' => simple('\t'),
        'v' => simple('\x0B'),
        '\\' | '\'' | '"' | '`' => simple(c),
        '\n' => Ok((None, 2)),
        '\r' if text[2..].starts_with('\n') => Ok((None, 3)),
        'c' => {
            let blanks = text[2..].len() - text[2..].trim_start().len();
            Ok((None, 2 + blanks))
        }
        'x' => match text[2..].bytes().take_while(u8::is_ascii_hexdigit).count() {
            0 => Err((FaultKind::UndefinedEscape('x'), 2)),
            digits => code(text, 2, digits, 16, true),
        },
        '0'..='7' => {
            let digits = text[1..].bytes().take_while(|b| matches!(b, b'0'..=b'7')).count();
            code(text, 1, digits, 8, true)
        }
        'u' | 'U' => {
            let wanted = if c == 'u' { 4 } else { 8 };
            let found = text[2..].bytes().take(wanted).take_while(u8::is_ascii_hexdigit).count();
            if found < wanted {
                return Err((FaultKind::UndefinedEscape(c), 2 + found));
            }
            code(text, 2, wanted, 16, false)
        }
        other => Err((FaultKind::UndefinedEscape(other), 1 + other.len_utf8())),
    }
}

/// The character whose number stands in `text[at..at + digits]`; a backslash may
/// close the sequence.
fn code(text: &str, at: usize, digits: usize, radix: u32, closed: bool) -> Escaped {
    let end = at + digits;
    let used = end + usize::from(closed && text[end..].starts_with('\\'));
    match u32::from_str_radix(&text[at..end], radix).ok().and_then(char::from_u32) {
        Some(c) => Ok((Some(c), used)),
        None => Err((FaultKind::IllegalCode, used)),
    }
}

/// What in a number or a quoted item the standard has not, though it is read by default: a float
/// without a fraction (6.4.5), a new line between quotes and an escape by number that nothing
/// closes (6.4.2).
pub(crate) fn beyond_the_standard(source: &str, token: Token) -> Option<LiteralFault> {
    let text = token.text(source);
    let is_other_number = match token.kind {
        TokenKind::Rational => true,
        TokenKind::Integer => text.contains(' '),
        TokenKind::Float => !text.contains('.'),
        TokenKind::Quoted | TokenKind::String | TokenKind::BackQuoted => false,
        _ => return None,
    };
    if is_other_number {
        return Some(LiteralFault { kind: FaultKind::IllegalNumber, span: token.span() });
    }
    if token.kind.is_number() {
        return None;
    }
    let mut at = 0;
    while at < text.len() {
        let (kind, end) = match text.as_bytes()[at] {
            b'\n' => (FaultKind::IllegalCharacter, at + 1),
            b'\\' => {
                let Ok((_, length)) = escape(&text[at..]) else { return None };
                let c = text.as_bytes()[at + 1];
                if !(c == b'x' || c.is_ascii_digit()) || text[..at + length].ends_with('\\') {
                    at += length;
                    continue;
                }
                (FaultKind::UndefinedEscape(char::from(c)), at + length)
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let span = Span { start: token.start + at as u32, end: token.start + end as u32 };
        return Some(LiteralFault { kind, span });
    }
    None
}

/// The number a token stands for, built in the heap.
pub(crate) fn number(
    heap: &mut Heap,
    source: &str,
    token: Token,
    negative: bool,
) -> Result<Cell, LiteralFault> {
    let text = token.text(source);
    let fault = |kind| LiteralFault { kind, span: token.span() };
    let found = match token.kind {
        TokenKind::Integer => integer(heap, text, 10, negative),
        TokenKind::Hexadecimal => integer(heap, &text[2..], 16, negative),
        TokenKind::Octal => integer(heap, &text[2..], 8, negative),
        TokenKind::Binary => integer(heap, &text[2..], 2, negative),
        TokenKind::Radix => {
            let (radix, digits) = text.split_once('\'').unwrap_or(("", ""));
            let radix = radix.parse().ok().filter(|radix| (2..=36).contains(radix));
            radix.and_then(|radix| integer(heap, digits, radix, negative))
        }
        TokenKind::CharacterCode => {
            let code = character_code(text, token.start as usize)? as i64;
            Some(heap.new_int(if negative { -code } else { code }))
        }
        TokenKind::Float => {
            let digits: Cow<str> =
                if text.contains('_') { text.replace('_', "").into() } else { text.into() };
            let value: Option<f64> = digits.parse().ok();
            if value.is_some_and(f64::is_infinite) {
                return Err(fault(FaultKind::FloatOverflow));
            }
            value.map(|value| heap.new_float(if negative { -value } else { value }))
        }
        TokenKind::SpecialFloat => {
            let value = if text.ends_with("Inf") { f64::INFINITY } else { f64::NAN };
            Some(heap.new_float(if negative { -value } else { value }))
        }
        TokenKind::Rational => rational(heap, text, negative),
        _ => None,
    };
    found.ok_or_else(|| fault(FaultKind::IllegalNumber))
}

/// A rational number from the digits of its parts.
fn rational(heap: &mut Heap, text: &str, negative: bool) -> Option<Cell> {
    let text = ungrouped(text);
    let (above, below) = text.split_once('r')?;
    let (above, below) = (whole(above, 10, negative)?, whole(below, 10, false)?);
    if below == BigInt::ZERO {
        return None;
    }
    Some(heap.new_rational(&Rational::new(above, below)))
}

/// Digits of the largest number that is read: more than any that can be computed has.
const MOST_DIGITS: usize = 1 << 25;

/// An integer from its digits, which may be grouped by `_`.
fn integer(heap: &mut Heap, digits: &str, radix: u32, negative: bool) -> Option<Cell> {
    let short = digits.len() <= 11 || (radix == 10 && digits.len() <= 18);
    if short && !digits.contains(['_', ' ']) {
        let value = i64::from_str_radix(digits, radix).ok()?;
        return Some(heap.new_int(if negative { -value } else { value }));
    }
    whole(digits, radix, negative).map(|value| heap.new_big(&value))
}

/// Digits without what stands between their groups: spaces, or `_` with layout behind it.
fn ungrouped(digits: &str) -> Cow<'_, str> {
    if !digits.contains(['_', ' ']) {
        return digits.into();
    }
    let mut plain = String::with_capacity(digits.len());
    let mut rest = digits;
    while let Some(c) = rest.chars().next() {
        let comment = match c {
            '%' => Some("\n"),
            '/' => Some("*/"),
            _ => None,
        };
        let length = match comment {
            Some(end) => rest.find(end).map_or(rest.len(), |at| at + end.len()),
            None => c.len_utf8(),
        };
        if c.is_ascii_alphanumeric() {
            plain.push(c);
        }
        rest = &rest[length..];
    }
    plain.into()
}

/// The value of digits, which may be grouped by `_` or spaces.
fn whole(digits: &str, radix: u32, negative: bool) -> Option<BigInt> {
    let digits = ungrouped(digits);
    if digits.len() > MOST_DIGITS {
        return None;
    }
    let mut look = || {
        watchdog::poll();
        Ok::<(), std::convert::Infallible>(())
    };
    let Ok(value) = numeral::parse(&digits, radix, &mut look);
    let value = BigInt::from(value?);
    Some(if negative { -value } else { value })
}

/// The code in `0'c`.
fn character_code(text: &str, start: usize) -> Result<u32, LiteralFault> {
    let body = &text[2..];
    if body.starts_with('\\') {
        let fault =
            |kind, used| LiteralFault { kind, span: Span::new(start + 2, start + 2 + used) };
        return match escape(body) {
            Ok((Some(c), _)) => Ok(c as u32),
            Ok((None, used)) => Err(fault(FaultKind::IllegalNumber, used)),
            Err((kind, used)) => Err(fault(kind, used)),
        };
    }
    // `''` stands for one quote, as inside a quoted item; so does a single one.
    Ok(body.chars().next().map_or(0, |c| c as u32))
}

/// Reads a whole text as a number, as `number_codes/2` and `atom_number/2` do:
/// layout and comments may stand before it, a `-` or `+` directly before the
/// digits, and nothing behind it.
///
/// The error is the fault's kind; [`FaultKind::iso`] is its name in a
/// `syntax_error(…)`.
pub fn parse_number(heap: &mut Heap, text: &str) -> Result<Cell, FaultKind> {
    let mut tokens = Tokens::new(0, false);
    let mut token = tokens.next(text);
    let mut negative = false;
    if token.kind == TokenKind::Symbol && matches!(token.text(text), "-" | "+") {
        negative = token.text(text) == "-";
        let next = tokens.next(text);
        if next.start != token.end {
            return Err(FaultKind::IllegalNumber);
        }
        token = next;
    }
    if token.kind == TokenKind::Eof && !negative {
        return Err(FaultKind::EndOfFile);
    }
    if !token.kind.is_number() || (token.end as usize) < text.len() {
        return Err(FaultKind::IllegalNumber);
    }
    number(heap, text, token, negative).map_err(|fault| fault.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_term::Value;

    fn check(text: &str, expect: Result<&str, FaultKind>) {
        let mut heap = Heap::new();
        let found = parse_number(&mut heap, text).map(|cell| match heap.value(cell) {
            Value::Int(value) => value.to_string(),
            Value::Big(value) => value.to_string(),
            Value::Float(value) => format!("{value:?}"),
            Value::Rational(value) => format!("{}r{}", value.numer(), value.denom()),
            other => format!("{other:?}"),
        });
        assert_eq!(found.as_deref().map_err(Clone::clone), expect, "number {text:?}");
    }

    #[test]
    fn numbers() {
        for row in include_str!("tests/numbers.txt").lines().skip(1) {
            let (text, expected) = row.split_once('|').expect("two columns");
            match expected {
                "IllegalNumber" => check(text, Err(FaultKind::IllegalNumber)),
                "FloatOverflow" => check(text, Err(FaultKind::FloatOverflow)),
                number => check(text, Ok(number)),
            }
        }
        check(" \n-12", Ok("-12"));
        check("", Err(FaultKind::EndOfFile));
    }

    #[test]
    fn escapes() {
        let check = |text: &str, expect: &str| {
            let token = Token { kind: TokenKind::Quoted, start: 0, end: text.len() as u32 };
            assert_eq!(unquote(text, token).as_deref(), Ok(expect), "quoted {text:?}");
        };
        check("'a''b'", "a'b");
        check("\"a\"\"b'\"", "a\"b'");
        check(r"'\n\t\\\'\e\s\0\\x41\\101\B'", "\n\t\\'\u{1B} \0AAB");
        check(r"'\x41b'", "\u{41B}");
        check(r"'\u00e9\U0001F600'", "é😀");
        check("'a\\\nb\\c  \n c'", "abc");
        check("'a\r\nb'", "a\nb");
    }
}
