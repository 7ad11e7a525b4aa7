//! Numbers as people read them: `1,234,567`, `1.5 MiB`, `2.31 s`.

use std::time::Duration;

/// An integer in groups of three digits.
pub fn grouped(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An integer and the noun it counts, in the plural where that is due.
pub fn counted(n: impl Into<u128>, noun: &str) -> String {
    let n = n.into();
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// An amount of memory.
pub fn bytes(n: usize) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A time, to three digits or so.
pub fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.009_995 => format!("{:.2} ms", s * 1e3),
        s if s < 0.999_5 => format!("{:.0} ms", s * 1e3),
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 119.95 => format!("{s:.1} s"),
        s => format!("{} min {:02.0} s", (s / 60.0).floor(), (s % 60.0).floor()),
    }
}

/// A rate or a factor: few digits, grouped when large.
pub fn rate(value: f64) -> String {
    if value >= 100.0 { grouped(value.round() as u64) } else { format!("{value:.1}") }
}

/// A float in few digits: the shortest way to write it if that is short, else four digits that
/// count, and four behind the point at most. Programs get all of them.
pub fn short(value: f64) -> String {
    let whole = format!("{value:?}");
    if whole.len() <= 8 || !value.is_finite() {
        return whole;
    }
    let size = value.abs();
    if !(1e-4..1e12).contains(&size) {
        return format!("{value:.3e}");
    }
    // Digits behind the point so that four count, as 0.001234, but no fewer than they are.
    let digits =
        if size >= 1.0 { 4 } else { (4 - size.log10().ceil() as i32).clamp(4, 8) as usize };
    let text = format!("{value:.digits$}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [0_u64, 999, 1000, 181_440, 1_000_000].map(grouped),
            ["0", "999", "1,000", "181,440", "1,000,000"]
        );
        assert_eq!([counted(1_u64, "move"), counted(2_u64, "move")], ["1 move", "2 moves"]);
        assert_eq!(
            [10, 1024, 1536, 1 << 20, (1 << 30) - 1].map(bytes),
            ["10 B", "1.0 KiB", "1.5 KiB", "1.0 MiB", "1.0 GiB"]
        );
        let times = [0.000_001, 0.000_25, 0.001_5, 0.25, 1.234, 45.06, 150.0]
            .map(|s| time(Duration::from_secs_f64(s)));
        assert_eq!(
            times,
            ["1 µs", "250 µs", "1.50 ms", "250 ms", "1.23 s", "45.1 s", "2 min 30 s"]
        );
    }

    #[test]
    fn floats_are_short() {
        for (value, text) in [
            (0.0, "0.0"),
            (1.0 / 3.0, "0.3333"),
            (0.1 + 0.2, "0.3"),
            (-2.0 / 3.0, "-0.6667"),
            (0.001_234_567_89, "0.001235"),
            (12_345.678_901_2, "12345.6789"),
            (1e-9 / 3.0, "3.333e-10"),
            (2.5, "2.5"),
            (0.999_999_999_9, "1.0"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
