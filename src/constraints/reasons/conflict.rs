//! `why_not/1`: a smallest set of constraints that can't hold together.

use super::Reasons;
use super::noting::{is_noting, noted_run};
use super::trial::Verdict;
use super::words::Texts;
use zug_explain::{Explanation, keep};
use zug_machine::{Machine, Outcome};
use zug_prolog::World;
use zug_term::Cell;
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::source::{Source, Span};

/// Whether reasons are asked for: who has no operators of library(clpfd) has no constraints.
pub(super) fn is_asked(m: &mut Machine, w: &World) -> bool {
    let operator = m.symbols.intern("#=");
    !is_noting(w) && w.operators.infix(operator).is_some()
}

/// `'$conflict'(Goal)`: if Goal fails because its constraints can't hold together, keeps the explanation.
pub(crate) fn conflict(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    if !is_asked(m, w) {
        return Ok(false);
    }
    m.roots.push(args[0]);
    let ran = noted_run(m, w, args[0]);
    let goal = m.roots.pop().unwrap_or(args[0]);
    // Where it has no way through but for its constraints, or an error, it is not our business.
    let Some((run, noted)) = ran? else { return Ok(false) };
    let found = if noted.is_empty() { None } else { Reasons::of(m, w, noted).conflict(goal) };
    m.abandon(run);
    let is_found = found.is_some();
    found.into_iter().for_each(|found| keep(w, found));
    Ok(is_found)
}

impl Reasons<'_> {
    /// The explanation, if the constraints can't hold together.
    fn conflict(mut self, goal: Cell) -> Option<Explanation> {
        if self.verdict(&self.all(), None) != Verdict::Fails {
            return None;
        }
        let least = self.least(None);
        let names = self.names(goal);
        let texts = self.texts(&least, &names);
        let title = match least.len() {
            1 => "one constraint can't hold".to_owned(),
            n if self.is_least(&least, None) => format!(
                "{n} constraints can't hold together; without any one of them, the others can"
            ),
            n => format!("{n} constraints can't hold together"),
        };
        let findings = finding(&least, &texts).into_iter().collect();
        let notes = self.steps(&least, &names, &texts);
        Some(Explanation { title, findings, notes, ..Explanation::default() })
    }
}

/// The constraints with their places.
fn finding(least: &[usize], Texts { texts, places }: &Texts) -> Option<Diagnostic> {
    let mut labelled: Vec<(&(Source, Span), Vec<&str>)> = Vec::new();
    for number in least {
        let (Some(place), Some(text)) = (places.get(number), texts.get(number)) else { continue };
        match labelled
            .iter_mut()
            .find(|(other, _)| other.1 == place.1 && other.0.name == place.0.name)
        {
            Some((_, all)) => all.push(text),
            None => labelled.push((place, vec![text])),
        }
    }
    let message = if least.len() == 1 {
        "this constraint can't hold"
    } else {
        "these constraints can't hold together"
    };
    let mut labels = labelled.into_iter();
    let (first, text) = labels.next()?;
    let mut diagnostic =
        Diagnostic::new(Severity::Note, "N0811", message).at(&first.0, first.1, text.join(", "));
    for (place, text) in labels {
        diagnostic = diagnostic.also(&place.0, place.1, text.join(", "));
    }
    Some(diagnostic)
}
