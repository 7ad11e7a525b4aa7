//! What answered the questions of a search, for its report.

use super::examined::{called, place};
use super::plain_words::Plain;
use super::reason::Reason;
use super::tally::{Counts, Tally};
use super::target::CALLED;
use super::units::Units;
use crate::mode::Specialise;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{CodeObstacle, CodeReason, CodeUse, PredicateUse};
use zug_symbolic::limits;

/// Shapes of states beyond which the first states of each are worth a word.
const MANY_SHAPES: usize = 8;

impl Units {
    /// What answered the questions asked since the counts were these.
    pub fn report(&self, m: &Machine, w: &World, since: &Counts) -> Option<CodeUse> {
        if Specialise::now(m, w) == Specialise::Off {
            return None;
        }
        let counts = self.counts().since(since);
        let mut found = CodeUse { making: counts.making, ..CodeUse::default() };
        for (number, (target, tally)) in self.targets.iter().zip(&counts.tallies).enumerate() {
            let (by_code, by_machine) = (tally.by_code(), tally.by_machine());
            if by_code + by_machine == 0 || target.indicator == CALLED {
                continue;
            }
            let shapes =
                self.units.of(number).filter(|unit| unit.asked > 0 || unit.runs > 0).count();
            let predicate = target.indicator;
            let mut reasons = reasons(predicate, tally, shapes, (m, w));
            if self.changes > limits::CHANGES {
                let what = "the program changes while the rules run";
                let change = Some("keep what changes in the state");
                reasons.push(reason(predicate, CodeObstacle::Rules, (what, change), 0));
            }
            let many = reasons.iter().any(|why| why.kind == CodeObstacle::Shapes);
            let before_code = if many { tally.news } else { tally.first + tally.news };
            let own = PredicateUse { predicate, by_code, by_machine, before_code };
            found.take(own, reasons);
        }
        found.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.questions));
        Some(found)
    }
}

fn reason(
    predicate: &'static str,
    kind: CodeObstacle,
    (reason, change): (&str, Option<&'static str>),
    questions: u64,
) -> CodeReason {
    let reason = reason.to_owned();
    CodeReason { predicate, kind, reason, change, file: None, line: None, questions }
}

/// Why the machine answered questions about a predicate on states of N shapes.
fn reasons(
    predicate: &'static str,
    tally: &Tally,
    shapes: usize,
    (m, w): (&Machine, &World),
) -> Vec<CodeReason> {
    let all = tally.by_code() + tally.by_machine();
    let one_form = Some("give lists of the state one length, and terms one form");
    let forms = format!("states are of {shapes} forms, and code is made for each");
    let first = match shapes > MANY_SHAPES && tally.first * 10 > all {
        true => (CodeObstacle::Shapes, (&*forms, one_form), tally.first),
        false => {
            let what = "the first states: code is made when some were met";
            (CodeObstacle::FirstStates, (what, None), tally.first)
        }
    };
    let not_bought = "not yet bought: the search was too short to pay for making code";
    let news = "values came up that were not met before: code is made again with them, in time";
    let shapes = "states are of more than 240 forms, and code is made for each";
    let found = [
        (CodeObstacle::NotBought, (not_bought, None), tally.not_bought),
        (CodeObstacle::NewValues, (news, None), tally.news),
        (CodeObstacle::Shapes, (shapes, one_form), tally.shapes),
        first,
    ];
    let found = found.into_iter().map(|(kind, what, count)| reason(predicate, kind, what, count));
    let own = tally.reasons.iter().map(|(why, questions)| plain(predicate, why, *questions, m, w));
    found.chain(own).filter(|why| why.questions > 0).collect()
}

fn plain(of: &'static str, reason: &Reason, questions: u64, m: &Machine, w: &World) -> CodeReason {
    let &Plain { kind, what, change } = Plain::of(reason);
    let place = reason.clause.and_then(|id| place(m, w, id, &reason.goal));
    // What took too long is told of the clause where that was noticed, and not of the goal.
    let goal = if kind == CodeObstacle::TooLarge { "" } else { called(&reason.goal) };
    let at = place.as_ref().map(|(file, line)| format!("{file}:{line}"));
    let reason = match (goal, at) {
        ("", None) => what.to_owned(),
        ("", Some(at)) => format!("{at}: {what}"),
        (goal, None) => format!("{goal}: {what}"),
        (goal, Some(at)) => format!("{goal} at {at}: {what}"),
    };
    let (file, line) = place.unzip();
    CodeReason { predicate: of, kind, reason, change: Some(change), file, line, questions }
}
