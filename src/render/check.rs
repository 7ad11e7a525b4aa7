//! What a check says about a rule file beside its findings.

use super::number::{counted, grouped};
use super::style::{Theme, paint};
use crate::check::{Checked, UtilitiesSeen};
use crate::diagnostic::Severity;
use crate::domain::DomainKind;
use std::fmt::Write;

/// Names shown of a list.
const NAMES: usize = 8;
/// Obstacles shown of one predicate.
const OBSTACLES: usize = 3;

/// The kind of domain, its parts, the engines that apply and what others miss.
pub fn text(file: &str, checked: &Checked, theme: &Theme) -> String {
    let mut text = format!("{}: {}\n", paint(theme.strong, file), kind(checked));
    if checked.kind != DomainKind::Program {
        for (title, names) in
            [("instances", &checked.instances), ("heuristics", &checked.heuristics)]
        {
            if !names.is_empty() {
                let _ = writeln!(text, "  {title:<11} {}", list(names));
            }
        }
        if let Some(seen) = &checked.utilities {
            let _ = writeln!(text, "  {:<11} {}", "utilities", played_for(seen));
        }
        let fit: Vec<String> = checked
            .engines
            .iter()
            .filter(|engine| engine.missing.is_empty())
            .map(|engine| engine.engine.to_owned())
            .collect();
        let none = "none".to_owned();
        let fit = if fit.is_empty() { none } else { fit.join(", ") };
        let _ = writeln!(text, "  {:<11} {fit}", "engines");
        text += &missing(checked);
        text += &code(checked);
    }
    if checked.tests.0 > 0 {
        let (units, tests) = checked.tests;
        let tests = counted(tests as u64, "test");
        let units = counted(units as u64, "unit");
        let _ = writeln!(text, "  {:<11} {tests} in {units}; zug test {file} runs them", "tests");
    }
    let _ = writeln!(text, "  {:<11} {}", "findings", tally(checked, theme));
    text
}

fn kind(checked: &Checked) -> String {
    let what = match checked.kind {
        DomainKind::Puzzle => "a puzzle",
        DomainKind::Game => "a game",
        DomainKind::Simultaneous => "a game in which all choose at once",
        DomainKind::Program => {
            return "a program for queries; it defines no puzzle and no game".to_owned();
        }
    };
    format!("{what} ({})", checked.defines.join(", "))
}

/// What two players play for.
fn played_for(seen: &UtilitiesSeen) -> String {
    let at = match (seen.ends, seen.complete) {
        (0, _) => "as far as is known: no end was looked at".to_owned(),
        (1, true) => "at the only end".to_owned(),
        (ends, true) => format!("at all {} ends", grouped(ends)),
        (1, false) => "at the one end looked at".to_owned(),
        (ends, false) => format!("at the {} ends looked at", grouped(ends)),
    };
    let witnesses = seen.witnesses.as_deref().unwrap_or("ends that add up to different sums");
    match seen.utilities.kind {
        "general_sum" => format!("general-sum: {witnesses}"),
        "constant_sum" => {
            let sum = seen.utilities.sum.as_deref().unwrap_or("a constant");
            format!("those of both players add up to {sum}, {at}")
        }
        "player_to_move" => "of the player to move alone: what one wins the other loses".to_owned(),
        "heuristic" => "none: the heuristic at ends is read as zero-sum".to_owned(),
        "cannot_move_loses" => "none: who cannot move has lost".to_owned(),
        _ => format!("zero-sum, {at}"),
    }
}

fn list(names: &[String]) -> String {
    let mut text = names[..names.len().min(NAMES)].join(", ");
    if names.len() > NAMES {
        let _ = write!(text, " and {} more", names.len() - NAMES);
    }
    text
}

/// Engines that lack the same predicates, together.
fn missing(checked: &Checked) -> String {
    let mut groups: Vec<(&[&str], Vec<&str>)> = Vec::new();
    for engine in checked.engines.iter().filter(|engine| !engine.missing.is_empty()) {
        match groups.iter_mut().find(|(missing, _)| *missing == engine.missing) {
            Some((_, engines)) => engines.push(engine.engine),
            None => groups.push((&engine.missing, vec![engine.engine])),
        }
    }
    let mut text = String::new();
    for (missing, engines) in groups {
        let verb = if engines.len() == 1 { "needs" } else { "need" };
        let _ = writeln!(text, "  {:<11} {} {verb} {}", "", engines.join(", "), missing.join(", "));
    }
    text
}

/// The predicates that run as code, and what stands in the way of others.
fn code(checked: &Checked) -> String {
    let mut text = String::new();
    let with: Vec<&str> =
        checked.code.iter().filter(|fit| fit.code).map(|fit| fit.predicate).collect();
    let mut title = "code";
    if !with.is_empty() {
        let _ = writeln!(text, "  {title:<11} {}", with.join(", "));
        title = "";
    }
    for fit in &checked.code {
        for obstacle in fit.obstacles.iter().take(OBSTACLES) {
            let some = if fit.code { "in part " } else { "" };
            let (predicate, what) = (fit.predicate, &obstacle.text);
            let _ = writeln!(text, "  {title:<11} {some}not {predicate}: {what}");
            title = "";
            if let Some(hint) = obstacle.hint {
                let _ = writeln!(text, "  {:<11}   {hint}", "");
            }
        }
    }
    text
}

fn tally(checked: &Checked, theme: &Theme) -> String {
    let mut parts = Vec::new();
    for (severity, noun, style) in [
        (Severity::Error, "error", theme.error),
        (Severity::Warning, "warning", theme.warning),
        (Severity::Note, "note", theme.dim),
    ] {
        let count = checked.findings.iter().filter(|finding| finding.severity == severity).count();
        if count > 0 {
            parts.push(paint(style, &counted(count as u64, noun)));
        }
    }
    if parts.is_empty() { paint(theme.good, "none") } else { parts.join(", ") }
}
