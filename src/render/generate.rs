//! New starts as clauses for a rule file, and what is said of them.

use super::code_use;
use super::number::{counted, grouped};
use super::plans::many;
use super::solution::counts;
use super::style::{Theme, paint};
use std::fmt::Write;
use zug_search::StopReason;
use zug_usecases::generate::{GenerateReport, NewStartData};

/// The clauses, each below a comment about it: text that can be put at the end of the file.
pub fn clauses(report: &GenerateReport) -> String {
    let mut text = String::new();
    for start in &report.starts {
        let _ = writeln!(text, "% {}\n{}", about(report, start), start.clause);
    }
    text
}

/// What is known of a start, and what was asked for.
fn about(report: &GenerateReport, start: &NewStartData) -> String {
    let mut text = format!("cost {}", start.cost);
    if start.path.len().to_string() != start.cost.to_string() {
        let _ = write!(text, ", {}", counted(start.path.len() as u64, "move"));
    }
    text += &match &start.plans {
        Some(plans) if plans.stopped.is_some() => {
            format!(", at least {} cheapest plans", many(&plans.plans))
        }
        Some(plans) if plans.plans == 1u8.into() => ", 1 cheapest plan".to_owned(),
        Some(plans) => format!(", {} cheapest plans", many(&plans.plans)),
        None => ", cheapest plans not counted".to_owned(),
    };
    text = text + "; asked for: " + &asked(report);
    for condition in &report.trusted {
        let _ = write!(text, "; on trust: {condition}");
    }
    text
}

/// What was asked for, in a few words.
fn asked(report: &GenerateReport) -> String {
    let mut text = match (&report.cost, report.whole) {
        (Some(cost), _) => format!("cost {cost}"),
        (None, true) => "the hardest".to_owned(),
        (None, false) => "the hardest found".to_owned(),
    };
    if report.unique {
        text += ", unique";
    }
    text
}

/// What the clauses rest on, in sentences.
pub fn summary(report: &GenerateReport, theme: &Theme) -> String {
    let mut text = format!("{}: {}", report.file, found(report)) + "\n";
    let from = match report.instances.as_slice() {
        [one] => format!("instance {one}"),
        all => counted(all.len() as u64, "instance"),
    };
    let _ = match report.whole {
        // It ended before anything was found out.
        false if report.states == 0 => Ok(()),
        true => writeln!(
            text,
            "{}: all {} that can be reached from {from} were looked at{}",
            match report.trusted.is_empty() {
                true => paint(theme.good, "proved"),
                false => paint(theme.warning, "not proved"),
            },
            counted(report.states, "state"),
            greatest(report)
        ),
        false => writeln!(
            text,
            "{}: {} tried, reached by walks at random from {}{}",
            paint(theme.warning, "not proved"),
            counted(report.states, "state"),
            if report.from_goals { "goals, each with a way back".to_owned() } else { from },
            greatest(report)
        ),
    };
    if report.unsolved > 0 {
        let _ = writeln!(
            text,
            "{} of them not solved within the limit of a search (--search-nodes)",
            grouped(report.unsolved)
        );
    }
    for condition in report.trusted.iter().filter(|_| report.whole || !report.starts.is_empty()) {
        let said = paint(theme.warning, "on trust");
        let _ = writeln!(text, "{said}: costs are the least if {condition}");
    }
    text += &stopped(report, theme);
    let _ = writeln!(text, "{}", paint(theme.dim, &counts(&report.stats)));
    text + &code_use::text(report.code.as_ref(), theme)
}

/// How many there are of those that were asked for.
fn found(report: &GenerateReport) -> String {
    let what = match report.cost {
        Some(cost) => format!(" of cost {cost}"),
        None => String::new(),
    };
    let plan = if report.unique { " with one cheapest plan" } else { "" };
    match report.starts.len() {
        0 if report.whole => format!("there is no new start{what}{plan}"),
        0 => format!("no new start{what}{plan} was found"),
        n if n < report.count && report.whole && report.limit.is_none() => {
            let all = if n == 1 { "it is the only one" } else { "these are all" };
            format!("{}{what}{plan}; {all}", counted(n as u64, "new start"))
        }
        n => format!("{}{what}{plan}", counted(n as u64, "new start")),
    }
}

/// The greatest cost that was met.
fn greatest(report: &GenerateReport) -> String {
    let Some(greatest) = &report.greatest else {
        return "; no goal was reached from any".to_owned();
    };
    let states = counted(report.at_greatest, "state");
    let verb = if report.at_greatest == 1 { "costs" } else { "cost" };
    format!("; {states} {verb} the most, {greatest}")
}

/// What ended it early.
fn stopped(report: &GenerateReport, theme: &Theme) -> String {
    match report.limit {
        None if report.starts.is_empty() && !report.whole => {
            "more may be found with more --samples, --steps, --search-nodes, or another --seed\n"
                .to_owned()
        }
        None => String::new(),
        Some(StopReason::Cancelled) => {
            format!("{}: there was more to do\n", paint(theme.warning, "interrupted"))
        }
        Some(reason) => format!(
            "{}: the limit of {reason} is reached, there was more to do\n",
            paint(theme.warning, "stopped")
        ),
    }
}
