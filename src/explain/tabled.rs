//! Tabled predicates in an explanation. Their clauses may go round for ever, so the machine's
//! table says what is true; the outermost tabled call is then followed through its clauses,
//! with the tables' answers as leaves below it. An answer is no proof of itself, and since
//! tables are asked in the order in which answers were found, one found before comes first.

use super::effects::Nature;
use super::failures::FailureReason;
use super::goals::{
    Alternative, Continuation, Effects, Goal, Hypothesis, Justification, RunEnd, StepResult,
};
use super::prover::Prover;
use zug_machine::{Fault, PredId};
use zug_term::Cell;

impl Prover<'_> {
    /// Calls a tabled predicate of the user's.
    pub(super) fn tabled(
        &mut self,
        goal: Goal,
        pred: PredId,
        then: u32,
    ) -> Result<StepResult, Fault> {
        match (self.natures.of(self.m, pred), self.effects) {
            (Nature::Pure | Nature::Meta, _) => {}
            (Nature::Search, Effects::Perform | Effects::Skip) => {}
            (_, Effects::Perform) => {
                self.changed = true;
                self.lists.clear();
            }
            _ => return Ok(StepResult::Stop(RunEnd::Refused(pred))),
        }
        self.leaf(goal, pred, then)
    }

    /// The call of a tabled predicate that a goal is inside of, if any.
    fn tabled_above(&self, goal: &Goal) -> Option<Cell> {
        let mut calls = self.frames(goal.frame);
        calls.find(|call| self.m.program.is_tabled(call.pred)).map(|call| call.goal)
    }

    /// Whether it is told what fails, not what is true.
    fn looks_for_failures(&self) -> bool {
        self.failures.is_some() || !matches!(self.hypothesis, Hypothesis::Nothing)
    }

    /// A table has an answer, which the goal now is; `root` is that of the run that asks it.
    pub(super) fn tabled_answer(
        &mut self,
        goal: Goal,
        pred: PredId,
        then: u32,
        root: usize,
    ) -> Result<StepResult, Fault> {
        let above = self.tabled_above(&goal);
        if above.is_some_and(|above| self.store.is_variant(above, goal.cell)) {
            // The answers behind it were found later, perhaps by it.
            let last = self.choices.last().map(|choice| &choice.what);
            if matches!(last, Some(Alternative::Leaf { root: own, .. }) if *own == root) {
                self.cut_to(self.choices.len() - 1);
            }
            return Ok(StepResult::Fail);
        }
        let candidates = self.candidates(pred);
        if above.is_some() || self.looks_for_failures() || candidates.clauses.is_empty() {
            self.enter(&goal, pred, Justification::Tabled, 0, 0);
            return Ok(StepResult::On(then));
        }
        let height = self.choices.len();
        self.push_choice(Alternative::Table(goal, pred), then);
        let then = self.next(Continuation::CutTo(height), then);
        self.try_clauses(goal, &candidates, 0, then, false)
    }

    /// A table has no answer: where its clauses fail is told for the outermost call. A value
    /// that modes choose is not followed: clauses have others, which are not the best.
    pub(super) fn tabled_failure(
        &mut self,
        goal: Goal,
        pred: PredId,
        then: u32,
    ) -> Result<StepResult, Fault> {
        let plain = self.m.program.table_joins(pred).is_some_and(|joins| joins.root == Cell::NIL);
        if plain && self.looks_for_failures() && self.tabled_above(&goal).is_none() {
            let candidates = self.candidates(pred);
            return self.try_clauses(goal, &candidates, 0, then, false);
        }
        self.failed(&goal, Some(pred), FailureReason::Leaf);
        Ok(StepResult::Fail)
    }
}
