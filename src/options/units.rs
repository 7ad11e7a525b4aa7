//! Amounts as people type them: `10s`, `500ms`, `2m`, `1G`, `512M`, `1_000_000`.

use std::num::NonZeroUsize;
use std::time::Duration;

/// A whole number, as text that has no unit.
pub fn whole<T: std::str::FromStr<Err = std::num::ParseIntError>>(text: &str) -> Result<T, String> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow, Zero};
    text.parse().map_err(|error: std::num::ParseIntError| {
        match error.kind() {
            PosOverflow => "this number is too large",
            NegOverflow => "this number is too small",
            Zero => "write a whole number from 1 on",
            _ => "write a whole number, as `20`",
        }
        .to_owned()
    })
}

/// A number of things there is at least one of.
pub fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    whole(text)
}

/// A number, with a fraction or without.
pub fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "write a number, as `2` or `0.5`".to_owned())
}

/// Units of time: name and seconds.
const TIMES: &[(&str, f64)] =
    &[("ms", 0.001), ("s", 1.0), ("min", 60.0), ("m", 60.0), ("h", 3600.0)];

/// Units of memory, in powers of 1024.
const SIZES: &[(&str, u32)] = &[("", 0), ("k", 1), ("m", 2), ("g", 3), ("t", 4)];

/// The longest time one may ask for: a century.
const LONGEST: f64 = 100.0 * 365.25 * 86_400.0;

/// Splits `1.5GiB` into `1.5` and `GiB`; the number without its digit groups.
fn split(text: &str) -> Option<(f64, &str)> {
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_'))).unwrap_or(text.len());
    let number = text[..end].replace('_', "");
    Some((number.parse().ok()?, text[end..].trim_start()))
}

/// A time: `10s`, `500ms`, `2m`, `1h`; a bare number counts seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    const FORM: &str = "write a time as `10s`, `500ms`, `2m` or `1h`";
    let (number, unit) = split(text.trim()).ok_or(FORM)?;
    let unit = if unit.is_empty() { "s" } else { unit };
    let (_, seconds) = TIMES
        .iter()
        .find(|(name, _)| *name == unit)
        .ok_or_else(|| format!("`{unit}` is no unit of time; {FORM}"))?;
    let total = number * seconds;
    if total > LONGEST {
        return Err("this is longer than a century; leave the limit out".to_owned());
    }
    Ok(Duration::from_secs_f64(total))
}

/// An amount of memory: `1G`, `512M`, `1.5GiB`; a bare number counts bytes.
pub fn size(text: &str) -> Result<usize, String> {
    const FORM: &str = "write an amount of memory as `512M` or `1.5G`";
    let (number, unit) = split(text.trim()).ok_or(FORM)?;
    let short = unit.to_ascii_lowercase();
    let short = short.strip_suffix("ib").or(short.strip_suffix('b')).unwrap_or(&short);
    let (_, power) = SIZES
        .iter()
        .find(|(name, _)| *name == short)
        .ok_or_else(|| format!("`{unit}` is no unit of memory; {FORM}"))?;
    let bytes = number * 1024f64.powi(*power as i32);
    if bytes > usize::MAX as f64 / 2.0 {
        return Err("no machine has so much memory; leave the limit out".to_owned());
    }
    Ok(bytes as usize)
}

/// A count: `1000000`, `1_000_000`, `500k`, `20M`.
pub fn count(text: &str) -> Result<u64, String> {
    const FORM: &str = "write a number as `500000`, `500_000` or `500k`";
    let (number, unit) = split(text.trim()).ok_or(FORM)?;
    let factor = match unit {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return Err(format!("`{unit}` is no unit for a count; {FORM}")),
    };
    let total = number * factor;
    if total.fract() != 0.0 || total > 9e15 {
        return Err(FORM.to_owned());
    }
    Ok(total as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let check = |text, ms| assert_eq!(duration(text), Ok(Duration::from_millis(ms)), "{text}");
        check("10s", 10_000);
        check("500ms", 500);
        check("2m", 120_000);
        check("2min", 120_000);
        check("1h", 3_600_000);
        check("1.5 s", 1500);
        check("3", 3000);
        check("0", 0);
        for text in ["", "s", "1x", "-1s", "1s2", "1..2s", "99999999h", "soon"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        let check = |text, bytes| assert_eq!(size(text), Ok(bytes), "{text}");
        check("1G", 1 << 30);
        check("512M", 512 << 20);
        check("512mb", 512 << 20);
        check("1.5GiB", 3 << 29);
        check("100", 100);
        check("64 k", 64 << 10);
        for text in ["", "G", "1X", "-1G", "9999999T", "much"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts() {
        let check = |text, n| assert_eq!(count(text), Ok(n), "{text}");
        check("1000", 1000);
        check("1_000_000", 1_000_000);
        check("500k", 500_000);
        check("2.5M", 2_500_000);
        for text in ["", "-1", "1.5", "many", "1e99"] {
            assert!(count(text).is_err(), "{text}");
        }
    }
}
