//! The line under `false.`: the goal that came closest, found in a small budget.

use super::case::Case;
use super::failures::Failure;
use super::goals::{Budget, Effects, RunEnd};
use super::places::{goal_place, line};
use super::prover::Prover;
use super::question::Question;
use super::why_not::finding;
use std::time::{Duration, Instant};
use zug_machine::Machine;
use zug_prolog::builtins::World;

/// Steps that a hint may take, and time.
const STEPS: u64 = 20_000;
const TIME: Duration = Duration::from_millis(50);
/// Failures looked at.
const CLOSELY: usize = 6;

/// The goal that came closest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The goal with its values.
    pub goal: String,
    /// `file:line`.
    pub at: String,
}

/// The goal in the text that came closest when a query failed, if that is found at once and
/// without side effects.
pub fn hint(m: &mut Machine, w: &mut World, question: &Question) -> Option<Hint> {
    let deadline = Instant::now().checked_add(TIME);
    let budget = Budget { steps: STEPS, deadline, bytes: 16 << 20, depth: 5_000 };
    let mut prover = Prover::new(m, w, question, budget, Effects::Refuse).recording();
    let Ok(RunEnd::Failed) = prover.first() else { return None };
    let failures = prover.failures.take()?;
    drop(prover);
    let mut all: Vec<&Failure> = failures.all().iter().filter(|failure| !failure.soft).collect();
    all.sort_by_key(|failure| std::cmp::Reverse(failure.progress));
    all.truncate(CLOSELY);
    let rank = |failure: &&Failure| {
        let found = finding(m, w, failure, failures.was_proved(failure.site));
        (found.weight, found.progress)
    };
    // Of equals the first, which is the first tried.
    let best = all.iter().rev().copied().max_by_key(|failure| rank(failure))?;
    let place = goal_place(m, w, best.site)?;
    let case = Case::new(m, w, best, false);
    Some(Hint { goal: case.words().limited(case.goal, 48), at: line(&place) })
}
