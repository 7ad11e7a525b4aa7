//! Numbers as text: how they are written, and reading one from text that is
//! nothing else (`number_codes/2`, `atom_number/2`).

use super::Number;
use num_bigint::BigInt;

/// A float as it is written: the fewest digits that read back as the same float.
pub fn format_float(value: f64) -> String {
    if value.is_nan() {
        return "1.5NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "1.0Inf".into() } else { "-1.0Inf".into() };
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    // Where the point stands, counted from before the first digit.
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = digits.len() as i32;
    let tail = |digits: &str| if digits.is_empty() { "0".to_owned() } else { digits.to_owned() };
    if point <= -4 || (point > 15 && count <= point) {
        let exponent = point - 1;
        let plus = if exponent > 0 { "+" } else { "" };
        return format!("{sign}{}.{}e{plus}{exponent}", &digits[..1], tail(&digits[1..]));
    }
    if point <= 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(-point as usize));
    }
    if count > point {
        let (whole, fraction) = digits.split_at(point as usize);
        return format!("{sign}{whole}.{fraction}");
    }
    format!("{sign}{digits}{}.0", "0".repeat((point - count) as usize))
}

/// A number as it is written.
pub fn format_number(number: &Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Big(value) => value.to_string(),
        Number::Float(value) => format_float(*value),
    }
}

/// The number a text spells, whole, with an optional sign; no layout anywhere.
pub fn parse_number(text: &str) -> Option<Number> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let number = parse_unsigned(digits)?;
    Some(match number {
        Number::Int(value) if negative => Number::Int(-value),
        Number::Big(value) if negative => Number::from_big(-value),
        Number::Float(value) if negative => Number::Float(-value),
        number => number,
    })
}

fn parse_unsigned(text: &str) -> Option<Number> {
    let first = text.chars().next()?;
    if !first.is_ascii_digit() {
        return None;
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return integer(digits, radix);
        }
    }
    if let Some((radix, digits)) = text.split_once('\'') {
        return match radix.parse::<u32>().ok()? {
            0 => character(digits),
            radix @ 2..=36 => integer(digits, radix),
            _ => None,
        };
    }
    match text {
        "1.0Inf" => return Some(Number::Float(f64::INFINITY)),
        "1.5NaN" => return Some(Number::Float(f64::NAN)),
        _ => {}
    }
    if text.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return integer(text, 10);
    }
    float(text)
}

/// Digits in groups: `1_000`; a single `_` between digits.
fn integer(digits: &str, radix: u32) -> Option<Number> {
    let bytes = digits.as_bytes();
    let grouped = digits.contains('_');
    if grouped && (bytes.first() == Some(&b'_') || bytes.last() == Some(&b'_') || digits.contains("__")) {
        return None;
    }
    if digits.is_empty() || !digits.chars().all(|c| c == '_' || c.is_digit(radix)) {
        return None;
    }
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    match i64::from_str_radix(&plain, radix) {
        Ok(value) => Some(Number::Int(value)),
        Err(_) => BigInt::parse_bytes(plain.as_bytes(), radix).map(Number::from_big),
    }
}

/// `0'c`: the code of a character, a quote doubled, the usual escapes.
fn character(text: &str) -> Option<Number> {
    let mut chars = text.chars();
    let c = match (chars.next()?, chars.next()) {
        ('\'', Some('\'')) => '\'',
        ('\\', Some(escape)) => match escape {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            '0' => '\0',
            'e' => '\u{1b}',
            's' => ' ',
            '\\' | '\'' | '"' | '`' => escape,
            _ => return None,
        },
        ('\\' | '\'', None) => return None,
        (c, None) => c,
        _ => return None,
    };
    chars.next().is_none().then(|| Number::Int(i64::from(u32::from(c))))
}

/// `1.5`, `1.5e3`, `1e3`, `1.0Inf`.
fn float(text: &str) -> Option<Number> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let whole = match mantissa.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => exponent.is_some() && digits(mantissa),
    };
    let scaled = exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)));
    let value: f64 = if whole && scaled { text.parse().ok()? } else { return None };
    value.is_finite().then_some(Number::Float(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_with_the_fewest_digits() {
        let rows: &[(f64, &str)] = &[
            (1.0, "1.0"), (-0.0, "-0.0"), (0.1 + 0.2, "0.30000000000000004"), (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"), (1e22, "1.0e+22"), (1.5e300, "1.5e+300"), (1e-4, "0.0001"), (1e-5, "1.0e-5"),
            (5e-324, "5.0e-324"), (123_456_789.5, "123456789.5"), (9_007_199_254_740_993.0, "9.007199254740992e+15"),
            (f64::INFINITY, "1.0Inf"), (-1.25e-7, "-1.25e-7"), (1234567890123456.7, "1234567890123456.8"),
        ];
        for (value, text) in rows {
            assert_eq!(format_float(*value), *text);
            assert_eq!(parse_number(text), Some(Number::Float(*value)));
        }
    }

    #[test]
    fn numbers_are_read() {
        let int = |value| Some(Number::Int(value));
        let rows: &[(&str, Option<Number>)] = &[
            ("12", int(12)), ("-12", int(-12)), ("+12", int(12)), ("- 12", None), ("", None), ("-", None),
            ("0x1F", int(31)), ("0b101", int(5)), ("0o17", int(15)), ("0'a", int(97)), ("0'''", int(39)),
            ("0'\\n", int(10)), ("16'ff", int(255)), ("1_000", int(1000)), ("1__0", None), ("_1", None),
            ("1.5e3", Some(Number::Float(1500.0))), ("1e3", Some(Number::Float(1000.0))), ("1.", None),
            (".5", None), ("1.e3", None), ("1.0e", None), ("12abc", None), ("1.0Inf", Some(Number::Float(f64::INFINITY))),
            ("9223372036854775808", Some(Number::Big(BigInt::from(1u64 << 63)))), ("--1", None), ("1e999", None),
        ];
        for (text, expected) in rows {
            assert_eq!(parse_number(text), *expected, "{text}");
        }
    }
}
