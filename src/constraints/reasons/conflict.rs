//! `why_not/1`: a smallest set of constraints that can't hold together.

use super::Reasons;
use super::noting::{conflict_at_label, is_noting, noted_run, other_ways, seen, while_noting};
use super::trial::Verdict;
use super::words::Texts;
use zug_explain::{Explanation, Question, keep, why_not};
use zug_machine::{Fault, Machine, Outcome};
use zug_prolog::World;
use zug_term::Cell;
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_term::source::{Source, Span};

/// Ways through a goal that are looked at.
const WAYS: usize = 4;
/// Constraints that are told of which it was not found out whether they are needed.
const DOUBTS: usize = 3;
const POSSIBLE: &str = "the constraints can hold together; `why` tells which of them force values";

/// Whether reasons are asked for: who has no operators of library(clpfd) has no constraints.
pub(super) fn is_asked(m: &mut Machine, w: &World) -> bool {
    let operator = m.symbols.intern("#=");
    !is_noting(w) && w.operators.infix(operator).is_some()
}

/// `'$conflict'(Goal)`: if Goal has constraints, keeps the explanation of why they can't hold together, or else
/// what is known of them.
pub(crate) fn conflict(m: &mut Machine, w: &mut World, args: &[Cell]) -> Outcome {
    if !is_asked(m, w) {
        return Ok(false);
    }
    let root = m.roots.len();
    m.roots.push(args[0]);
    let found = explained(m, w, root);
    m.roots.truncate(root);
    let found = found?;
    let is_found = found.is_some();
    found.into_iter().for_each(|found| keep(w, found));
    Ok(is_found)
}

/// Explains why the goal at a root fails, if it has constraints.
fn explained(m: &mut Machine, w: &mut World, root: usize) -> Result<Option<Explanation>, Fault> {
    let Some((run, noted)) = noted_run(m, w, m.roots[root])? else {
        return unfinished(m, w, root);
    };
    if noted.is_empty() {
        m.abandon(run);
        return Ok(None);
    }
    let refused = seen(w).refused;
    let goal = m.roots[root];
    let (verdict, mut found) = Reasons::of(m, w, noted).conflict(goal);
    m.abandon(run);
    if verdict == Verdict::Fails {
        match further(m, w, root)? {
            Further { possible: true, .. } => {
                found = Explanation { title: POSSIBLE.to_owned(), ..Explanation::default() };
            }
            Further { lines, .. } => found.notes.extend(lines),
        }
        if refused > 0 {
            let times = if refused == 1 { "once" } else { "several times" };
            found.notes.push(format!(
                "before this, {times} a constraint was false for the values it had, and another clause or answer was tried"
            ));
        }
    }
    Ok(Some(found))
}

/// Explains a goal that does not end while its constraints are noted: it fails whatever they
/// are, or needs the values of its variables.
fn unfinished(m: &mut Machine, w: &mut World, root: usize) -> Result<Option<Explanation>, Fault> {
    let seen = seen(w);
    if seen.noted == 0 {
        return Ok(None);
    }
    if seen.labels > 0 {
        if let Some(found) = conflict_at_label(m, w, m.roots[root])? {
            return Ok(Some(found));
        }
        let title = "the constraints can hold together where values are asked for; the goals behind that refuse \
                     the values, or need them";
        return Ok(Some(Explanation { title: title.to_owned(), ..Explanation::default() }));
    }
    while_noting(m, w, |m, w| {
        let question = Question::new(m, w, m.roots[root]);
        why_not(m, w, &question).map(Some)
    })
}

/// What is told of the further ways through a goal.
#[derive(Default)]
struct Further {
    /// The constraints of one of them can hold together.
    possible: bool,
    lines: Vec<String>,
}

/// Looks at the further ways through a goal whose first one has constraints that can't hold together.
fn further(m: &mut Machine, w: &mut World, root: usize) -> Result<Further, Fault> {
    let mut found = Further::default();
    let mut ways = 1;
    other_ways(m, w, m.roots[root], |m, w, noted| {
        ways += 1;
        if ways > WAYS {
            return false;
        }
        let goal = m.roots[root];
        let mut reasons = Reasons::of(m, w, noted);
        match reasons.verdict(&reasons.all(), None) {
            Verdict::Holds => found.possible = true,
            Verdict::Open => found.lines.push(format!(
                "of way {ways} it was not found out whether its constraints can hold together"
            )),
            Verdict::Fails => {
                let least = reasons.least(None);
                let texts = reasons.texts(&least, &reasons.names(goal));
                found.lines.push(format!("way {ways} fails too: {}", texts.listed(&least)));
            }
        }
        !found.possible
    })?;
    let all = match ways {
        1 => return Ok(found),
        ways if ways > WAYS => format!("more than {WAYS}"),
        ways => ways.to_string(),
    };
    found.lines.insert(0, format!("this is the first of {all} ways through the goal"));
    Ok(found)
}

impl Reasons<'_> {
    /// Whether the constraints can hold together, and the explanation.
    pub(super) fn conflict(mut self, goal: Cell) -> (Verdict, Explanation) {
        let verdict = self.verdict(&self.all(), None);
        let title = match verdict {
            Verdict::Fails => return (verdict, self.explained(goal)),
            Verdict::Holds => POSSIBLE.to_owned(),
            Verdict::Open => self.open(goal),
        };
        (verdict, Explanation { title, ..Explanation::default() })
    }

    fn explained(mut self, goal: Cell) -> Explanation {
        let least = self.least(None);
        let names = self.names(goal);
        let texts = self.texts(&least, &names);
        let title = self.title(&least, &texts);
        let findings = finding(&least, &texts).into_iter().collect();
        let notes = self.steps(&least, &names, &texts);
        Explanation { title, findings, notes, ..Explanation::default() }
    }

    /// How many constraints can't hold together, and whether all of them are needed for that.
    fn title(&mut self, least: &[usize], texts: &Texts) -> String {
        let n = match least.len() {
            1 => return "one constraint can't hold".to_owned(),
            n => n,
        };
        let doubtful = self.doubtful(least);
        let of = match doubtful.len() {
            0 => String::new(),
            count if count == n => return format!("{n} constraints can't hold together"),
            count if count > DOUBTS => format!(" (of {count} of them that was not found out)"),
            _ => format!(" (of {} that was not found out)", texts.listed(&doubtful)),
        };
        format!("{n} constraints can't hold together; without any one of them, the others can{of}")
    }

    /// Why it was not found out whether the constraints can hold together.
    fn open(&mut self, goal: Cell) -> String {
        let names = self.names(goal);
        let trial = self.trial(&self.all(), None, false);
        let unbounded =
            trial.variables.iter().find(|(_, var)| trial.store.domain(*var).as_small().is_none());
        let why = match unbounded {
            Some(&(cell, _)) => format!("`{}` has no bounds", self.text(cell, &names)),
            None => "there are too many values to try them all".to_owned(),
        };
        format!("whether the constraints can hold together was not found out: {why}")
    }
}

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
