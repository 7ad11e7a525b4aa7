//! Bases, for people.

use super::number::{bytes, counted, grouped};
use super::style::{Theme, paint};
use std::fmt::Write;
use zug_base::{RecordCounts, Start};
use zug_usecases::base::{BaseReport, CheckedReport, RecordsReport, SavedReport};

/// Starts that are shown.
const STARTS: usize = 10;
/// Characters of a state that are shown.
const STATE: usize = 60;
/// Characters of what a heuristic says that are shown.
const ABOUT: usize = 100;

/// What is in a base.
pub fn info(report: &BaseReport, theme: &Theme) -> String {
    let mut text = String::new();
    let state = if report.complete {
        "complete".to_owned()
    } else {
        paint(theme.warning, "unfinished: --save again goes on with it")
    };
    let _ = writeln!(text, "{}: {state}", paint(theme.strong, &report.base));
    let _ = writeln!(text, "format:       {}, made by zug {}", report.format, report.zug);
    let _ = writeln!(text, "rules:        {}", report.rules);
    let _ = writeln!(text, "fingerprint:  {}", report.fingerprint);
    for (number, start) in report.starts.iter().take(STARTS).enumerate() {
        let label = if number == 0 { "from:" } else { "" };
        let _ = writeln!(text, "{label:<14}{}", from(start));
    }
    if report.starts.len() > STARTS {
        let more = report.starts.len() - STARTS;
        let _ = writeln!(text, "{:<14}… and {more} more", "");
    }
    if let Some(positions) = &report.positions {
        let _ = writeln!(text, "positions:    {}", tally(&positions.tally, ["won", "lost"]));
        if positions.symmetry {
            let _ = writeln!(text, "{:<14}each for all that are symmetrical to it", "");
        }
        sizes(&mut text, positions, "position", report.bytes);
    }
    if let Some(costs) = &report.costs {
        let _ = writeln!(text, "states:       {}", tally(&costs.tally, ["solvable", "unsolvable"]));
        sizes(&mut text, costs, "state", report.bytes);
    }
    for (number, kept) in report.heuristics.iter().enumerate() {
        let label = if number == 0 { "heuristics:" } else { "" };
        let size = bytes(kept.bytes as usize);
        let about: String = kept.about.chars().take(ABOUT).collect();
        let more = if about.len() < kept.about.len() { "…" } else { "" };
        let _ = writeln!(text, "{label:<14}{size}, {about}{more}");
    }
    for (number, policy) in report.policies.iter().enumerate() {
        let label = if number == 0 { "policies:" } else { "" };
        let size = bytes(policy.bytes as usize);
        let _ = writeln!(text, "{label:<14}{}, {size}", policy.name);
    }
    let size = report.bytes;
    let _ = writeln!(text, "file:         {} bytes ({})", grouped(size), bytes(size as usize));
    text
}

fn from(start: &Start) -> String {
    let mut text = String::new();
    if let Some(instance) = &start.instance {
        let _ = write!(text, "instance {instance}, ");
    }
    let state: String = start.state.chars().take(STATE).collect();
    let more = if state.len() < start.state.len() { "…" } else { "" };
    text += &state;
    text += more;
    if let Some(player) = &start.player {
        let _ = write!(text, ", {player} to move");
    }
    let _ = write!(text, ", by {}", start.by);
    if !start.complete {
        text += ", unfinished";
    }
    text
}

fn tally(tally: &RecordCounts, [won, lost]: [&str; 2]) -> String {
    let mut text = grouped(tally.all);
    let kinds = [
        (tally.won, won),
        (tally.drawn, "drawn"),
        (tally.lost, lost),
        (tally.chance, "where chance moves"),
    ];
    let kinds = kinds.into_iter().filter(|&(count, _)| count > 0);
    let kinds: Vec<String> =
        kinds.map(|(count, what)| format!("{} {what}", grouped(count))).collect();
    if !kinds.is_empty() {
        let _ = write!(text, ": {}", kinds.join(", "));
    }
    if let Some(distance) = tally.largest_distance {
        let moves = counted(u64::from(distance), "move");
        let _ = write!(text, "; at most {moves} to the end");
    }
    text
}

fn sizes(text: &mut String, records: &RecordsReport, what: &str, file: u64) {
    let own = grouped(records.bytes);
    let _ = writeln!(
        text,
        "{:<14}{own} bytes, {:.1} a {what}; {:.1} of the file",
        "", records.bytes_each, records.file_bytes_each
    );
    // Of a small base most of the file is the database itself.
    if records.bytes * 2 < file && file < 1 << 20 {
        let _ = writeln!(text, "{:<14}(an empty database takes some 28,000)", "");
    }
}

/// What a check of a base came to.
pub fn checked(report: &CheckedReport) -> String {
    let CheckedReport { base, blocks, records, complete } = report;
    let state = if *complete { "" } else { "; unfinished" };
    let (records, blocks) = (counted(*records, "record"), counted(*blocks, "block"));
    format!("{base}: whole, {records} in {blocks}{state}\n")
}

/// What was kept.
pub fn saved(report: &SavedReport, what: &str) -> String {
    let SavedReport { base, new, known, all, complete, bytes: size, .. } = report;
    let heuristics = match report.heuristics {
        0 => String::new(),
        1 => "a derived heuristic, ".to_owned(),
        many => format!("{} derived heuristics, ", grouped(many)),
    };
    if new + known == 0 && !heuristics.is_empty() {
        return format!("kept in {base}: {heuristics}{} bytes\n", grouped(*size));
    }
    let all = counted(*all, what);
    let there = match *known {
        0 => String::new(),
        1 => ", one was there".to_owned(),
        known => format!(", {} were there", grouped(known)),
    };
    let size = grouped(*size);
    let end = if *complete { "" } else { "; not all of it: the same command goes on" };
    format!("kept in {base}: {} new{there}; {all}, {heuristics}{size} bytes{end}\n", grouped(*new))
}
