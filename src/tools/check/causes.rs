//! One finding a cause: what follows from another finding, or from a clause that can't be read,
//! is not told beside it.

use super::guesses::MISPLACED;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_term::diagnostic::{Diagnostic, Label};
use zug_term::source::Span;

/// Words of the clauses that can't be read, as errors of the load tell.
pub(super) fn unread_words(m: &Machine, w: &World, findings: &[Diagnostic]) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    let errors = findings.iter().filter(|finding| finding.is_error());
    let places: Vec<&Label> = errors.filter_map(|error| error.primary.as_ref()).collect();
    if places.is_empty() {
        return words;
    }
    let mut read: Vec<(u32, Span)> = w.loader.directives.clone();
    for (_, id) in super::user_clauses(m) {
        let place = m.program.clauses[id as usize].place.as_deref();
        read.extend(place.map(|place| (place.source, place.span)));
    }
    for label in places {
        let same = |source: u32| {
            let source = w.loader.sources.get(source as usize);
            source.is_some_and(|source| source.name == label.source.name)
        };
        let spans = || read.iter().filter(|(source, _)| same(*source)).map(|(_, span)| *span);
        let at = label.span.start;
        let begin = spans().map(|span| span.end).filter(|&end| end <= at).max().unwrap_or(0);
        let end = spans().map(|span| span.start).filter(|&start| start > at).min();
        let end = end.map_or(label.source.text.len(), |end| end as usize);
        let text = label.source.text.get(begin as usize..end).unwrap_or("");
        let text = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.extend(text.filter(|word| !word.is_empty()).map(str::to_owned));
    }
    words
}

/// Slips in the text that cause errors when they are run.
const SLIPS: [&str; 5] = ["W0511", "W0512", "W0526", "W0529", "W0530"];
/// Findings of which others come: a move, or what is needed for one, is not there.
const CAUSES: [&str; 6] = ["W0511", "W0512", "W0525", "W0526", "W0529", "W0533"];
/// What comes of them, and of constants that are never equal.
const EFFECTS: [&str; 4] = ["W0504", "W0505", "W0520", "N0605"];

/// Leaves out what another finding explains.
pub(super) fn once_each(findings: &mut Vec<Diagnostic>) {
    once_per_variable(findings);
    // Where arguments stand in another order, variables have no value for that.
    let misplaced = |f: &Diagnostic| f.hint.as_deref().is_some_and(|hint| hint.contains(MISPLACED));
    if findings.iter().any(|finding| finding.code == "W0505" && misplaced(finding)) {
        findings.retain(|finding| finding.code != "W0529");
    }
    explain_errors(findings);
    let places = |findings: &[Diagnostic], code: &str| -> Vec<_> {
        findings.iter().filter(|finding| finding.code == code).filter_map(place).collect()
    };
    let raised = places(findings, "E0501");
    findings
        .retain(|f| f.code != "W0529" || !place(f).is_some_and(|place| raised.contains(&place)));
    explain_missing(findings);
    let has = |code: &str| findings.iter().any(|finding| finding.code == code);
    let (stuck, mixed, several, shapes) = (has("W0505"), has("W0517"), has("W0532"), has("W0520"));
    let caused = CAUSES.iter().any(|code| has(code));
    let ends = |f: &Diagnostic| f.code == "W0507" && f.message.contains("`terminal(J, S)`");
    let guesses_end = findings.iter().any(ends);
    let (slow, guessed) = (places(findings, "W0506"), places(findings, "W0507"));
    findings.retain(|finding| match finding.code {
        "W0531" => !several,
        "N0607" => !shapes,
        "N0606" => !guesses_end,
        "N0602" => !place(finding).is_some_and(|place| guessed.contains(&place)),
        "W0513" => !place(finding).is_some_and(|place| slow.contains(&place)),
        "W0505" => !caused,
        "W0520" => !caused && !mixed && !stuck,
        code if EFFECTS.contains(&code) => !caused && !mixed,
        _ => true,
    });
    // The goal that fails belongs to what it explains.
    if !findings.iter().any(|finding| matches!(finding.code, "W0505" | "N0605")) {
        findings.retain(|finding| finding.code != "N0801");
    }
}

/// Keeps one finding about each variable that is unbound and occurs once: that it is mistyped, if it is nearly another one.
fn once_per_variable(findings: &mut Vec<Diagnostic>) {
    let name = |finding: &Diagnostic| finding.message.split('`').nth(1).map(str::to_owned);
    let same = |a: &Diagnostic, b: &Diagnostic| name(a) == name(b) && line(a) == line(b);
    let of = |code: &str| -> Vec<Diagnostic> {
        findings.iter().filter(|finding| finding.code == code).cloned().collect()
    };
    let (open, mistyped, ended) = (of("W0529"), of("W0409"), of("E0307"));
    // Goals behind a full stop that ends a clause too early have the variables of the clause.
    let is_torn = |finding: &Diagnostic| {
        let Some(at) = &finding.primary else { return false };
        ended.iter().filter(|end| !end.secondary.is_empty()).any(|end| {
            let (stop, rest) = (end.primary.as_ref(), &end.secondary[0]);
            stop.is_some_and(|stop| {
                let (from, to) = (at.span.start as usize, stop.span.start as usize);
                let before = from < to && {
                    let between = &stop.source.text[from..to];
                    !between.lines().any(|line| line.trim_end().ends_with('.'))
                };
                let behind = rest.span.start <= at.span.start && at.span.end <= rest.span.end;
                stop.source.name == at.source.name && (before || behind)
            })
        })
    };
    findings.retain(|finding| match finding.code {
        "W0401" | "W0409" if is_torn(finding) => false,
        "W0401" => !open.iter().any(|other| same(finding, other)),
        "W0529" => !mistyped.iter().any(|other| same(finding, other)),
        _ => true,
    });
}

fn place(finding: &Diagnostic) -> Option<(Arc<str>, Span)> {
    let label = finding.primary.as_ref()?;
    Some((label.source.name.clone(), label.span))
}

fn line(finding: &Diagnostic) -> Option<(Arc<str>, u32)> {
    let label = finding.primary.as_ref()?;
    Some((label.source.name.clone(), label.source.position(label.span.start).line))
}

/// Errors with what their text tells of them: a slip at the same place, or the only variable of
/// the line that occurs once where one has no value. What is told of it with them is taken away.
fn explain_errors(findings: &mut Vec<Diagnostic>) {
    let mut told = Vec::new();
    for at in 0..findings.len() {
        let error = &findings[at];
        let at_place = |code: &[&str]| {
            let same = |f: &Diagnostic| code.contains(&f.code) && place(f) == place(error);
            findings.iter().position(same)
        };
        let raised = error.code == "E0501" && error.primary.is_some();
        let slip = at_place(&SLIPS).filter(|_| raised);
        // The error says the same with the state in which it is raised.
        let undefined = at_place(&["W0501"]).filter(|_| raised);
        let without_value = error.is_error() && error.message.contains("no value")
            || error.code == "W0521" && error.message.contains("has a variable");
        let alone = || {
            let here = line(error)?;
            let lone = |f: &Diagnostic| matches!(f.code, "W0401" | "W0409");
            let mut all = (0..findings.len()).filter(|&other| {
                lone(&findings[other]) && line(&findings[other]).as_ref() == Some(&here)
            });
            all.next().filter(|_| all.next().is_none())
        };
        if let Some(known) = undefined {
            told.push(known);
        } else if let Some(known) = slip {
            let slip = findings[known].clone();
            let error = &mut findings[at];
            // That arguments stand in another order is the cause.
            if !error.hint.as_deref().is_some_and(|hint| hint.contains(MISPLACED)) {
                error.message = format!("{}: {}", slip.message, error.message);
                (error.hint, error.fix) = (slip.hint, slip.fix);
            }
            told.push(known);
        } else if let Some(known) = without_value.then(alone).flatten() {
            let advice = findings[known].hint.as_deref().unwrap_or_default();
            let hint = format!("{}: {advice}", findings[known].message);
            findings[at].hint = Some(hint);
            told.push(known);
        }
    }
    let mut numbers = 0..;
    findings.retain(|_| numbers.next().is_some_and(|number| !told.contains(&number)));
}

/// Takes away that a part of the contract is missing where it is there under another name or
/// with another number of arguments.
fn explain_missing(findings: &mut Vec<Diagnostic>) {
    let near = findings.iter().filter(|finding| matches!(finding.code, "W0502" | "W0509"));
    let known: Vec<String> = near.filter_map(|finding| finding.hint.clone()).collect();
    findings.retain(|finding| {
        let name = finding.message.split('`').nth(1).unwrap_or_default();
        let pattern = format!("`{name}(");
        finding.code != "W0503" || !known.iter().any(|hint| hint.contains(&pattern))
    });
}
