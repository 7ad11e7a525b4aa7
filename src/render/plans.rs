//! All cheapest plans of an instance, for people.

use super::board::{beside, trimmed};
use super::code_use;
use super::number::{counted, grouped};
use super::solution::{counts, plan, stopped_in, why};
use super::style::{Theme, paint};
use num_bigint::BigUint;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use zug_prolog::session::Session;
use zug_search::{Outcome, StopReason};
use zug_usecases::solve::PlansReport;

/// Columns for a plan.
const COLUMNS: usize = 78;
/// Digits of a number of plans that is written out.
const DIGITS: usize = 60;

/// A number of plans: a very large one by its first digits and their number.
pub(super) fn many(count: &BigUint) -> String {
    if let Ok(small) = u64::try_from(count) {
        return grouped(small);
    }
    let text = count.to_string();
    if text.len() <= DIGITS {
        let mut spaced = String::new();
        for (at, digit) in text.chars().enumerate() {
            if at > 0 && (text.len() - at).is_multiple_of(3) {
                spaced.push(',');
            }
            spaced.push(digit);
        }
        return spaced;
    }
    format!("{}.{}e{} (a number of {} digits)", &text[..1], &text[1..4], text.len() - 1, text.len())
}

/// How many plans there are, in a sentence that goes on with a colon.
fn verdict(report: &PlansReport, theme: &Theme) -> String {
    let found = &report.first.found;
    let cost = found.cost.as_ref().map(ToString::to_string).unwrap_or_default();
    let stopped = match found.outcome() {
        Outcome::Exhausted => {
            return format!(
                "{}: no final state can be reached from here; all {} were tried.\n",
                paint(theme.error, "No solution"),
                counted(found.stats.expanded, "state"),
            );
        }
        Outcome::Stopped(reason) => Some(reason),
        Outcome::Solved => None,
    };
    match (&report.count, stopped) {
        (Some(count), None) if count.plans == 1u8.into() => {
            let unique = paint(theme.good, "unique");
            format!("The cheapest plan is {unique}, {}, cost {cost}:\n", moves(report))
        }
        (Some(count), None) => {
            let number = paint(theme.good, &many(&count.plans));
            let lines = match count.lines == count.plans {
                true => String::new(),
                false if count.lines == 1u8.into() => ", all through the same states".to_owned(),
                false => format!(", through {} sequences of states", many(&count.lines)),
            };
            format!("{number} cheapest plans of cost {cost}{lines}:\n")
        }
        (Some(count), Some(reason)) => format!(
            "{} {} cheapest plan{} of cost {cost}; {}, how many more there are is open:\n",
            paint(theme.warning, "At least"),
            many(&count.plans),
            if count.plans == 1u8.into() { "" } else { "s" },
            limit(reason),
        ),
        (None, Some(reason)) if found.cost.is_some() => format!(
            "{}: the least cost of a plan is {cost}; {}, how many there are is open.\n",
            paint(theme.warning, "Stopped"),
            limit(reason)
        ),
        (None, Some(reason)) => {
            format!("{}: {}.\n", paint(theme.warning, "Stopped"), why(reason))
        }
        (None, None) => String::new(),
    }
}

fn moves(report: &PlansReport) -> String {
    counted(report.first.found.moves().len() as u64, "move")
}

/// The moves of a plan behind its number, in lines that fit the page.
fn row(names: &[String], digits: usize) -> String {
    let indent = digits + 4;
    let (mut text, mut column) = (String::new(), indent);
    for (at, name) in names.iter().enumerate() {
        let comma = usize::from(at + 1 < names.len());
        if at > 0 && column + 1 + name.width() + comma > COLUMNS {
            let _ = write!(text, "\n{:indent$}", "");
            column = indent;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text += name;
        text.push_str(if comma == 1 { "," } else { "" });
        column += name.width() + comma;
    }
    text
}

/// Which limit struck, in a clause.
fn limit(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "the time is over",
        StopReason::Memory => "the limit of memory is reached",
        StopReason::Cancelled => "interrupted",
        _ => "the limit of nodes is reached",
    }
}

/// The report of an instance. `boards`: its start, and the goal of the first plan.
pub fn text(
    report: &PlansReport,
    session: &Session,
    boards: (Option<&str>, Option<&str>),
    theme: &Theme,
) -> String {
    let first = &report.first;
    let mut title = first.file.clone();
    if first.named {
        let _ = write!(title, ", {}", first.instance);
    }
    let mut text = paint(theme.strong, &format!("{title}: all cheapest plans")) + "\n";
    match boards {
        (Some(start), Some(end)) => {
            let _ = write!(text, "\n{}\n", beside(start, end));
        }
        (Some(start), None) => {
            let _ = write!(text, "\n{}\n\n", trimmed(start));
        }
        (None, _) => {}
    }
    text += &verdict(report, theme);
    let names = |path: &[zug_usecases::record::TermData]| -> Vec<String> {
        path.iter().map(|mv| mv.text.clone()).collect()
    };
    let single = report.count.as_ref().is_some_and(|count| count.plans == 1u8.into());
    match report.all.plans.as_slice() {
        [only] if single => text += &plan(&names(&only.path)),
        plans => {
            let digits = plans.len().to_string().len();
            for (number, shown) in (1..).zip(plans) {
                let names = names(&shown.path);
                let row =
                    if names.is_empty() { "(no move)".to_owned() } else { row(&names, digits) };
                let _ = writeln!(text, "  {number:>digits$}. {row}");
            }
        }
    }
    let shown = BigUint::from(report.all.plans.len());
    let more = report.count.as_ref();
    let more = more.filter(|count| count.plans > shown && count.stopped.is_none());
    if let Some(count) = more {
        let left = &count.plans - &shown;
        let _ = writeln!(text, "  … and {} more (--all-plans=N shows N of them)", many(&left));
    }
    if report.all.rounded {
        let note = paint(theme.warning, "note");
        let _ = writeln!(
            text,
            "{note}: costs are floats: plans are equally cheap that differ by rounding alone, one \
             part in a billion"
        );
    }
    if let Some(place) = &first.found.stopped_in {
        text += &stopped_in(place, session, theme);
    }
    let _ = writeln!(text, "{}", paint(theme.dim, &counts(&first.found.stats)));
    text + &code_use::text(first.found.code.as_ref(), theme)
}
