//! What a check says about a rule file beside its findings.

use super::code_use::part;
use super::model::ways;
use super::number::{counted, grouped};
use super::style::{Theme, paint};
use std::fmt::Write;
use zug_domain::DomainKind;
use zug_term::diagnostic::Severity;
use zug_term::source::word;
use zug_tools::check::fixes::Fixed;
use zug_tools::check::{FileCheck, ModelFindings, UtilityFindings};

/// Names shown of a list.
const NAMES: usize = 8;

/// The kind of domain, its parts, the engines that apply and what others miss.
pub fn text(file: &str, checked: &FileCheck, theme: &Theme) -> String {
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
        for (number, model) in checked.models.iter().enumerate() {
            text += &posted(model, number + 1 < checked.models.len());
        }
    }
    if !matches!(checked.kind, DomainKind::Program | DomainKind::Model) {
        let fit: Vec<String> = checked
            .engines
            .iter()
            .filter(|engine| engine.missing.is_empty())
            .map(|engine| engine.engine.to_owned())
            .collect();
        let none = "none".to_owned();
        let fit = if fit.is_empty() { none } else { fit.join(", ") };
        // What is missing may stand in a clause that can't be read.
        let fit = if checked.reads { fit } else { "fix the errors first".to_owned() };
        let _ = writeln!(text, "  {:<11} {fit}", "engines");
        if checked.reads {
            text += &missing(checked);
        }
        text += &code(checked);
    }
    if checked.tests.0 > 0 {
        let (units, tests) = checked.tests;
        let tests = counted(tests as u64, "test");
        let units = counted(units as u64, "unit");
        let _ = writeln!(
            text,
            "  {:<11} {tests} in {units}; zug test {} runs them",
            "tests",
            word(file)
        );
    }
    let _ = writeln!(text, "  {:<11} {}", "findings", tally(checked, theme));
    text
}

/// What a model posts; there are `more` behind it.
fn posted(model: &ModelFindings, more: bool) -> String {
    let mut text = String::new();
    let title = model.instance.as_deref().unwrap_or("model");
    let of = &model.posted;
    let variables = counted(of.variables, "variable");
    let constraints = counted(of.constraints, "constraint");
    if model.fails {
        let _ = writeln!(text, "  {title:<11} {}", model.why());
    } else {
        let _ = writeln!(text, "  {title:<11} {variables}, {constraints}");
    }
    if of.fixed > 0 {
        let _ = writeln!(text, "  {:<11} at once {}", "", list(&model.fixed));
    }
    if model.unbounded.is_empty() && of.fixed < of.variables {
        let ways = ways(of.log10_space);
        let whom = if of.fixed > 0 { "the others" } else { "them" };
        let _ = writeln!(text, "  {:<11} {ways} ways to give {whom} values", "");
    }
    if more {
        text.push('\n');
    }
    text
}

fn kind(checked: &FileCheck) -> String {
    let what = match checked.kind {
        DomainKind::Puzzle => "a puzzle",
        DomainKind::Game => "a game",
        DomainKind::Simultaneous => "a game in which all choose at once",
        DomainKind::Model => "a model",
        DomainKind::Program if !checked.reads => {
            return "fix the errors first".to_owned();
        }
        DomainKind::Program => {
            return "a program for queries; it defines no puzzle and no game".to_owned();
        }
    };
    format!("{what} ({})", checked.defines.join(", "))
}

/// What two players play for.
fn played_for(seen: &UtilityFindings) -> String {
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
fn missing(checked: &FileCheck) -> String {
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

/// What answered the questions about the first states, by predicate.
fn code(checked: &FileCheck) -> String {
    let Some(code) = &checked.code else { return String::new() };
    let mut text = String::new();
    for predicate in &code.predicates {
        let title = if text.is_empty() { "code" } else { "" };
        let all = grouped(predicate.all());
        let _ = writeln!(text, "  {title:<11} {} of {all}", part(predicate));
        for reason in code.reasons.iter().filter(|reason| reason.predicate == predicate.predicate) {
            let count = grouped(reason.questions);
            let _ = writeln!(text, "  {:<11}   {count} by the machine: {}", "", reason.reason);
            if let Some(change) = reason.change.filter(|_| predicate.is_much(reason.questions)) {
                let _ = writeln!(text, "  {:<11}   to change: {change}", "");
            }
        }
    }
    text
}

/// The changes that mend a text, as lines of a diff.
pub fn diff(fixed: &Fixed) -> String {
    let name = &fixed.source.name;
    let mut text = format!("--- {name}\n+++ {name}\n");
    let old = fixed.source.text.lines().enumerate();
    for ((number, before), after) in old.zip(fixed.text.lines()) {
        if before != after {
            let line = number + 1;
            let _ = writeln!(text, "@@ -{line} +{line} @@\n-{before}\n+{after}");
        }
    }
    text
}

fn tally(checked: &FileCheck, theme: &Theme) -> String {
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
