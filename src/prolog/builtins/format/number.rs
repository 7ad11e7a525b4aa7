//! Numbers as `format/2` writes them: groups of digits, radix, fixed point and exponent.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::fmt::Write;
use zug_term::Rational;

/// The most digits behind a point that Rust's own formatting takes.
const MAX_PRECISION: usize = 1100;

/// A number to be shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Number {
    /// An integer of any size.
    Integer(BigInt),
    Float(f64),
    /// A rational number.
    Rational(Rational),
}

impl Number {
    fn as_f64(&self) -> f64 {
        match self {
            Number::Integer(value) => value.to_f64().unwrap_or(f64::INFINITY),
            Number::Float(value) => *value,
            Number::Rational(value) => {
                let number = zug_machine::arithmetic::Number::Rational(Box::new(value.clone()));
                number.to_float().unwrap_or(f64::INFINITY)
            }
        }
    }
}

/// `~ND` and `~Nd`: an integer, given by its digits, with its last N digits behind a point; `group`
/// puts a comma between every three digits before it.
pub(super) fn integer(signed: &str, decimals: usize, group: bool) -> String {
    let mut digits = signed.trim_start_matches('-').to_owned();
    if digits.len() <= decimals {
        digits.insert_str(0, &"0".repeat(decimals + 1 - digits.len()));
    }
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 3);
    if signed.starts_with('-') {
        text.push('-');
    }
    for (i, digit) in whole.chars().enumerate() {
        if group && i > 0 && (whole.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if decimals > 0 {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// `~Nf` of an integer, whose digits these are.
pub(super) fn fixed_integer(mut digits: String, decimals: usize) -> String {
    if decimals > 0 {
        digits.push('.');
    }
    digits.push_str(&"0".repeat(decimals));
    digits
}

/// `~Nf` of a rational number: the last digit is the nearest, halves go away from zero.
pub(super) fn fixed_rational(value: &Rational, decimals: usize) -> String {
    let scale = BigInt::from(10).pow(u32::try_from(decimals).unwrap_or(u32::MAX));
    let scaled = (value * Rational::from(scale)).round().into_raw().0;
    integer(&scaled.to_string(), decimals, false)
}

/// `~Nf`: exact for every digit of a float.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return special(value);
    }
    let mut text = format!("{value:.*}", decimals.min(MAX_PRECISION));
    text.push_str(&"0".repeat(decimals.saturating_sub(MAX_PRECISION)));
    text
}

/// `~NI`: digits in groups of N from the right; no groups for 0.
pub(super) fn grouped(signed: &str, size: usize) -> String {
    let digits = signed.trim_start_matches('-');
    let mut text = signed[..signed.len() - digits.len()].to_owned();
    for (i, digit) in digits.chars().enumerate() {
        if size > 0 && i > 0 && (digits.len() - i).is_multiple_of(size) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

/// `~Ne` of what floats can't hold: exact, the last digit is the nearest.
fn exact_exponent(value: &Rational, decimals: usize) -> String {
    let power = |by: i64| {
        let power = Rational::from(BigInt::from(10).pow(by.unsigned_abs() as u32));
        if by < 0 { power.recip() } else { power }
    };
    let (above, below) = (value.numer().magnitude(), value.denom().magnitude());
    let size = |bits: u64| (bits as f64 * std::f64::consts::LOG10_2) as i64;
    // Near enough: from there on it is looked for.
    let mut by = size(above.bits()) - size(below.bits()) + 1;
    let size = value.abs();
    while size < power(by) {
        by -= 1;
    }
    let mut digits = (&size * power(decimals as i64 - by)).round().into_raw().0.to_string();
    if digits.len() > decimals + 1 {
        digits.pop();
        by += 1;
    }
    let (first, rest) = digits.split_at(1);
    let sign = if value.is_negative() { "-" } else { "" };
    let point = if decimals > 0 { "." } else { "" };
    let direction = if by < 0 { '-' } else { '+' };
    format!("{sign}{first}{point}{rest}e{direction}{:0>2}", by.abs())
}

/// `~Ne`: one digit, a point, N digits and an exponent of at least two digits.
pub(super) fn exponent(value: &Number, decimals: usize) -> String {
    const EXACT: u64 = 53;
    match value {
        Number::Integer(whole) if whole.bits() > EXACT => {
            return exact_exponent(&whole.clone().into(), decimals);
        }
        Number::Rational(value) => return exact_exponent(value, decimals),
        _ => {}
    }
    let value = value.as_f64();
    if !value.is_finite() {
        return special(value);
    }
    let text = format!("{value:.*e}", decimals.min(MAX_PRECISION));
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
    let zeros = "0".repeat(decimals.saturating_sub(MAX_PRECISION));
    format!("{mantissa}{zeros}e{sign}{power:0>2}")
}

/// `~Ng`: as `%g` of C: N significant digits, the shorter of fixed and exponent.
pub(super) fn general(value: &Number, digits: usize) -> String {
    let number = value.as_f64();
    if matches!(value, Number::Float(_)) && !number.is_finite() {
        return special(number);
    }
    let digits = digits.clamp(1, MAX_PRECISION);
    let scientific = exponent(value, digits - 1);
    let (mantissa, power) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
    let power_value: i64 = power.parse().unwrap_or(0);
    if power_value < -4 || power_value >= digits as i64 {
        return format!("{}e{power}", trimmed(mantissa));
    }
    let decimals = usize::try_from(digits as i64 - 1 - power_value).unwrap_or(0);
    trimmed(&fixed(number, decimals)).to_owned()
}

/// Without zeros at the end of a fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Infinities and what is no number.
fn special(value: f64) -> String {
    let mut text = String::new();
    if value.is_nan() {
        text.push_str("nan");
    } else {
        let _ = write!(text, "{}inf", if value < 0.0 { "-" } else { "" });
    }
    text
}
