//! What code made for the rules says of a puzzle's states.

use super::derived::Deriving;
use super::{GOAL, PuzzleCore, RuleProblem};
use crate::error::RuleError;
use crate::replies::truth;
use zug_code::{Asked, Reply};
use zug_search::{Head, Successors};
use zug_state::{Number, PackedState, RuleCost};

/// An estimate that is not negative, after a change of another one; `None` if the change is not known.
#[inline]
fn changed<C: RuleCost>(h: Option<i64>, change: Option<i64>) -> Option<C> {
    let after = h?.checked_add(change?).filter(|&after| after >= 0)?;
    C::of(Number::Int(after))
}

/// A cost as it is counted; zero in the place of one that can't be, if it `ignores` costs.
#[inline]
pub(super) fn counted<C: RuleCost>(cost: Number, ignores: bool) -> Option<C> {
    C::of(cost).or_else(|| ignores.then_some(C::ZERO))
}

impl PuzzleCore<'_> {
    /// Asks code a question that has one answer, about a state's bytes without and with the room behind them.
    fn ask_code(&mut self, target: usize, state: (&[u8], &[u8])) -> Option<Reply> {
        let machine = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        match self.kit.units.answer(target, state, machine) {
            Asked::Answered(ended) => Some(ended),
            Asked::Machine => None,
        }
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Asks code a question that has one answer.
    pub(super) fn ask_code(&mut self, target: usize, state: &S) -> Option<Reply> {
        self.core.ask_code(target, (state.bytes(), state.room()))
    }

    /// Whether a state is a goal, asked of code that runs, and of the machine where needed.
    #[inline(never)]
    pub(super) fn is_goal_by_all(
        &mut self,
        told: Option<bool>,
        state: &S,
    ) -> Result<bool, Box<RuleError>> {
        let code = told.or_else(|| truth(self.ask_code(self.core.kit.code.goal?, state)));
        self.settled(code, GOAL, state, |problem| problem.core.goal_by_rules(state.bytes()))
    }

    /// The estimate of a successor, from that of the state before it where code can tell the
    /// difference.
    #[inline(never)]
    pub(super) fn estimate_after(
        &mut self,
        before: &S,
        h: C,
        state: &S,
    ) -> Result<Option<C>, Box<RuleError>> {
        if self.core.deriving != Deriving::Never {
            let derived = self.derived_estimate_after(before, state)?;
            return self.greater(derived, state);
        }
        let (Some(target), Number::Int(h)) = (self.core.kit.code.heuristic, h.number()) else {
            return self.heuristic(state);
        };
        let told = self.core.kit.units.value_after(
            target,
            (before, h),
            state,
            &*self.core.machine,
            &self.core.kit.codec,
        );
        let told = told.filter(|&h| h >= 0).and_then(|h| C::of(Number::Int(h)));
        let along = self.told.iter().find(|(row, _)| row == state).map(|(_, told)| *told);
        let told = along.or(told);
        let indicator = self.heuristic_indicator();
        self.settled(told.map(Some), indicator, state, |problem| problem.heuristic(state))
    }

    /// Appends the successors with their estimates, if code tells both of all of them.
    // PERF: the path of nearly all expansions where estimates are sums that moves change.
    #[inline(always)]
    pub(super) fn code_known(
        &mut self,
        from: u32,
        state: &S,
        (h, before): (i64, Option<&S>),
        out: &mut Successors<S, C>,
    ) -> bool {
        let (rule, first, returning) = (self.core.kit.code.rule, out.len(), out.returning);
        let plain = self.core.kit.units.plain_moves(
            rule,
            state,
            self.core.machine,
            &self.core.kit.codec,
            true,
        );
        let Some(plain) = plain else { return false };
        let all = plain.each_valued(S::WORDS, h, |found, after| {
            let (Some(cost), Some(after), Some(row)) =
                (C::of(found.cost), C::of(Number::Int(after)), S::from_words(found.state))
            else {
                return false;
            };
            if before == Some(&row) {
                out.returning += 1;
            } else {
                out.push(Head { from, mv: found.name, cost, estimate: Some(after) }, row);
            }
            true
        });
        if all {
            self.core.kit.units.told(self.core.kit.code.heuristic, (out.len() - first) as u64);
        } else {
            // An incomplete answer is computed again.
            self.core.kit.units.asked_again(rule);
            out.truncate(first);
            out.returning = returning;
        }
        all
    }

    /// Asks code for the successors; if it does not know, nothing is added. `h`: the estimate of the state, if moves tell
    /// by how much they change it. Successors that lead to the state `before` may be left out.
    #[inline(always)]
    pub(super) fn code_successors(
        &mut self,
        from: u32,
        state: &S,
        (h, before): (Option<i64>, Option<&S>),
        out: &mut Successors<S, C>,
    ) -> bool {
        if self.core.kit.is_grounded() && self.grounded_successors(from, state, before, out) {
            return true;
        }
        let returning = out.returning;
        let (first, ignores) = (out.len(), self.core.ignores_costs);
        let rule = self.core.kit.code.rule;
        let plain = self.core.kit.units.plain_moves(
            rule,
            state,
            self.core.machine,
            &self.core.kit.codec,
            false,
        );
        if let Some(mut plain) = plain {
            let mut estimated = 0;
            let all = loop {
                let Some(found) = plain.next(S::WORDS) else { break plain.is_done() };
                let (Some(cost), Some(row)) =
                    (counted(found.cost, ignores), S::from_words(found.state))
                else {
                    break false;
                };
                if before == Some(&row) {
                    out.returning += 1;
                    continue;
                }
                let estimate = changed(h, found.change);
                estimated += u64::from(estimate.is_some());
                out.push(Head { from, mv: found.name, cost, estimate }, row);
            };
            if all {
                self.core.kit.units.told(self.core.kit.code.heuristic, estimated);
                return true;
            }
            // It is asked again.
            self.core.kit.units.asked_again(rule);
            out.truncate(first);
            out.returning = returning;
        }
        let (moves, mut estimated) = (&mut self.core.kit.moves, 0);
        let machine = (&mut *self.core.machine, &mut *self.core.world, &mut self.core.kit.codec);
        let asked = self.core.kit.units.ask(self.core.kit.code.rule, state, machine, |visit| {
            let name = visit.name(|name| Some(moves.store.intern_bytes(name).0));
            let (Some(cost), Some(mv)) =
                (visit.cost().and_then(|cost| counted(cost, ignores)), name)
            else {
                return false;
            };
            // PERF: what is made goes from there to where it stays.
            if let Some(row) = visit.made(state) {
                if before == Some(&row) {
                    out.returning += 1;
                    return true;
                }
                let estimate = changed(h, visit.change());
                estimated += u64::from(estimate.is_some());
                out.push(Head { from, mv, cost, estimate }, row);
                return true;
            }
            let next = visit.next(state, None);
            let found = next.is_some();
            next.into_iter().for_each(|row| out.push(Head { from, mv, cost, estimate: None }, row));
            found
        });
        let answered = matches!(asked, Asked::Answered(_));
        if answered {
            self.core.kit.units.told(self.core.kit.code.heuristic, estimated);
        } else {
            out.truncate(first);
            out.returning = returning;
        }
        answered
    }
}
