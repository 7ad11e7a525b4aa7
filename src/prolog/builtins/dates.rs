//! Dates: `stamp_date_time/3`, `date_time_stamp/2` and `format_time/3` over steps that do
//! one conversion. Times are UTC: there is no database of time zones here. The calendar
//! is Gregorian throughout (Hinnant, "chrono-compatible low-level date algorithms").

use super::{Entry, OrFault, World, args, text};
use zug_machine::{Machine, Outcome};
use zug_term::{Cell, Value};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::session("$date_parts", 2, date_parts),
    Entry::session("$date_stamp", 2, date_stamp),
    Entry::session("$format_time", 3, format),
];

const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: &str = "January February March April May June July August September October \
    November December";
/// Seconds of a day.
const DAY: i64 = 86_400;
/// Seconds since 1970 within which dates are told: about 3 million years.
const FARTHEST: f64 = 1e14;

/// A moment in the calendar.
struct Moment {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    fraction: f64,
    /// Days since 1970-01-01.
    days: i64,
}

fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn days_from(year: i64, month: i64, day: i64) -> i64 {
    // Months beyond the year count on.
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Moment {
    fn at(stamp: f64) -> Moment {
        let whole = stamp.floor() as i64;
        let (days, rest) = (whole.div_euclid(DAY), whole.rem_euclid(DAY));
        let (year, month, day) = civil(days);
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        Moment { year, month, day, hour, minute, second, fraction: stamp - stamp.floor(), days }
    }

    fn weekday(&self) -> usize {
        (self.days + 4).rem_euclid(7) as usize
    }

    fn days_after_monday(&self) -> i64 {
        (self.weekday() as i64 + 6) % 7
    }

    fn day_of_year(&self) -> i64 {
        self.days - days_from(self.year, 1, 1) + 1
    }

    /// The year and number of the week by ISO 8601.
    fn iso_week(&self) -> (i64, i64) {
        let thursday = self.days - self.days_after_monday() + 3;
        let year = civil(thursday).0;
        (year, (thursday - days_from(year, 1, 1)) / 7 + 1)
    }

    /// What a directive of `format_time/3` stands for.
    fn directive(&self, letter: char, stamp: f64) -> Option<String> {
        let weekday = DAYS[self.weekday()];
        let month = MONTHS.split(' ').nth((self.month - 1) as usize)?;
        let twelve = (self.hour + 11) % 12 + 1;
        let half = if self.hour < 12 { "AM" } else { "PM" };
        let composed = match letter {
            'c' | '+' => "a b e H:M:S Y",
            'D' | 'x' => "m/d/y",
            'F' => "Y-m-d",
            'r' => "I:M:S p",
            'R' => "H:M",
            'T' | 'X' => "H:M:S",
            _ => "",
        };
        if !composed.is_empty() {
            let part = |c: char| match c.is_alphabetic() {
                true => self.directive(c, stamp),
                false => Some(c.to_string()),
            };
            return composed.chars().map(part).collect();
        }
        let two = |value: i64| format!("{value:02}");
        Some(match letter {
            'a' => weekday[..3].to_owned(),
            'A' => weekday.to_owned(),
            'b' | 'h' => month[..3].to_owned(),
            'B' => month.to_owned(),
            'C' => two(self.year.div_euclid(100)),
            'd' => two(self.day),
            'e' => format!("{:2}", self.day),
            'f' => format!("{:06}", ((self.fraction * 1e6).round() as i64).min(999_999)),
            'g' => two(self.iso_week().0.rem_euclid(100)),
            'G' => self.iso_week().0.to_string(),
            'V' => two(self.iso_week().1),
            'H' => two(self.hour),
            'I' => format!("{twelve:02}"),
            'j' => format!("{:03}", self.day_of_year()),
            'k' => format!("{:2}", self.hour),
            'l' => format!("{twelve:2}"),
            'm' => two(self.month),
            'M' => two(self.minute),
            'n' => "\n".to_owned(),
            'p' => half.to_owned(),
            'P' => half.to_lowercase(),
            's' => format!("{}", stamp.floor() as i64),
            'S' => two(self.second),
            't' => "\t".to_owned(),
            'u' => (if self.weekday() == 0 { 7 } else { self.weekday() }).to_string(),
            'U' => format!("{:02}", (self.day_of_year() + 6 - self.weekday() as i64) / 7),
            'w' => self.weekday().to_string(),
            'W' => two((self.day_of_year() + 6 - self.days_after_monday()) / 7),
            'y' => two(self.year.rem_euclid(100)),
            'Y' => self.year.to_string(),
            'z' => "+0000".to_owned(),
            'Z' => "UTC".to_owned(),
            '%' => "%".to_owned(),
            _ => return None,
        })
    }
}

fn stamp(m: &mut Machine, cell: Cell) -> OrFault<f64> {
    let seconds = match m.heap.value(cell) {
        Value::Int(seconds) => seconds as f64,
        Value::Float(seconds) => seconds,
        _ => return Err(m.type_error("float", cell)),
    };
    if seconds.abs() < FARTHEST { Ok(seconds) } else { Err(m.domain_error("time_stamp", cell)) }
}

/// `'$date_parts'(Stamp, [Y,M,D,H,Mn,S])`, S a float.
fn date_parts(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let at = Moment::at(stamp(m, a[0])?);
    let second = m.heap.new_float(at.second as f64 + at.fraction);
    let whole = [at.year, at.month, at.day, at.hour, at.minute].map(Cell::small);
    let [year, month, day, hour, minute] = whole;
    Ok(args::unify_list(m, a[1], &[year, month, day, hour, minute, second]))
}

/// `'$date_stamp'([Y,M,D,H,Mn,S], Stamp)`, S a number.
fn date_stamp(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let items = m.heap.proper_list(a[0]).unwrap_or_default();
    let mut parts = [0.0; 6];
    for (part, item) in parts.iter_mut().zip(items) {
        let item = m.heap.deref(item);
        *part = stamp(m, item)?;
    }
    let [year, month, day, hour, minute, second] = parts;
    let days = days_from(year as i64, month as i64, day as i64);
    let stamp = days as f64 * DAY as f64 + hour * 3600.0 + minute * 60.0 + second;
    Ok(args::unify_float(m, a[1], stamp))
}

/// `'$format_time'(Format, Stamp, String)`.
fn format(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let format = text::any(m, a[0], "text")?.to_string();
    let seconds = stamp(m, a[1])?;
    let at = Moment::at(seconds);
    let mut out = String::new();
    let mut letters = format.chars().peekable();
    while let Some(c) = letters.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        // Modifiers that change nothing in this locale.
        while letters.next_if(|c| matches!(c, 'E' | 'O' | '_')).is_some() {}
        let digits = letters.next_if(char::is_ascii_digit);
        let Some(letter) = letters.next() else { break };
        if let (Some(digits), 'f') = (digits.and_then(|c| c.to_digit(10)), letter) {
            let parts = 10_i64.pow(digits);
            // The nearest, but no further second.
            let scaled = ((at.fraction * parts as f64).round() as i64).min(parts - 1);
            out += &format!("{scaled:0width$}", width = digits as usize);
            continue;
        }
        match at.directive(letter, seconds) {
            Some(text) => out += &text,
            None => {
                let culprit = args::atom_cell(m, &letter.to_string());
                return Err(m.existence_error("format_time_directive", culprit));
            }
        }
    }
    Ok(args::unify_string(m, a[2], &out))
}
