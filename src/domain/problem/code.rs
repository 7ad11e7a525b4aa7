//! What code made for the rules says of a puzzle's states.

use super::derived::Deriving;
use super::{GOAL, RuleProblem};
use crate::adapter::{Adapter, truth};
use crate::error::RuleError;
use zug_code::{Asked, Reply};
use zug_search::{Problem, Successor, SuccessorOf, VisitedSuccessors, Visitor};
use zug_state::{Number, PackedState, RuleCost};

/// By how much a move changes the estimate, if that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change(i32);

impl Change {
    pub(super) const UNKNOWN: Change = Change(i32::MIN);

    #[inline]
    pub(super) fn of(change: Option<i64>) -> Change {
        change.and_then(|change| change.try_into().ok()).map_or(Change::UNKNOWN, Change)
    }

    /// An estimate after the change; `None` if that is not known or is negative.
    #[inline]
    pub(super) fn applied(self, h: i64) -> Option<i64> {
        let after = h.checked_add(i64::from(self.0))?;
        (self != Change::UNKNOWN && after >= 0).then_some(after)
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Asks code a question that has one answer.
    pub(super) fn ask_code(&mut self, target: usize, state: &S) -> Option<Reply> {
        let machine = (&mut *self.machine, &mut *self.world, &mut self.codec);
        match self.units.ask(target, state, machine, |_| false) {
            Asked::Answered(ended) => Some(ended),
            Asked::Machine => None,
        }
    }

    /// Whether a state is a goal, asked of code that runs, and of the machine where needed.
    #[inline(never)]
    pub(super) fn is_goal_by_all(
        &mut self,
        told: Option<bool>,
        state: &S,
    ) -> Result<bool, Box<RuleError>> {
        let code = told.or_else(|| truth(self.ask_code(self.code.goal?, state)));
        self.settled(code, GOAL, state, |problem| problem.goal_by_rules(state))
    }

    /// The estimate of a successor, from that of the state before it where code can tell the
    /// difference.
    #[inline(never)]
    pub(super) fn estimate_after(
        &mut self,
        before: &S,
        h: C,
        state: &S,
        change: Change,
    ) -> Result<Option<C>, Box<RuleError>> {
        if self.deriving != Deriving::Never {
            let derived = self.derived_estimate_after(before, state)?;
            return self.greater(derived, state);
        }
        let (Some(target), Number::Int(h)) = (self.code.heuristic, h.number()) else {
            return self.heuristic(state);
        };
        let (machine, codec) = (&*self.machine, &self.codec);
        let told = match change.applied(h) {
            Some(h) if self.units.still_holds(target, machine) => Some(h),
            _ => self.units.value_after(target, (before, h), state, machine, codec),
        };
        let told = told.filter(|&h| h >= 0).and_then(|h| C::of(Number::Int(h)));
        let indicator = self.heuristic_indicator();
        self.settled(told.map(Some), indicator, state, |problem| problem.heuristic(state))
    }

    /// The successors with their estimates, as far as code tells both.
    #[inline(always)]
    pub(super) fn code_known(
        &mut self,
        state: &S,
        h: C,
        visitor: &mut impl Visitor<Self>,
    ) -> VisitedSuccessors {
        let Number::Int(h) = h.number() else { return VisitedSuccessors::First(0) };
        if self.deriving != Deriving::Never {
            return VisitedSuccessors::First(0);
        }
        let rule = self.code.rule;
        let plain = self.units.plain_moves(rule, state, self.machine, &self.codec, true);
        let Some(plain) = plain else { return VisitedSuccessors::First(0) };
        let (mut count, mut asked) = (0, 0);
        let all = plain.each_valued(S::WORDS, h, |found, after| {
            let (Some(cost), Some(after), Some(state)) =
                (C::of(found.cost), C::of(Number::Int(after)), S::from_words(found.state))
            else {
                return false;
            };
            count += 1;
            asked += u64::from(visitor.visit(found.name, cost, state, after));
            true
        });
        let known = if all { VisitedSuccessors::All } else { VisitedSuccessors::First(count) };
        self.units.told(self.code.heuristic, asked);
        // What is not all is asked again.
        if known != VisitedSuccessors::All {
            self.units.asked_again(rule);
        }
        known
    }

    /// Asks code for the successors; if it does not know, nothing is added.
    #[inline]
    pub(super) fn code_successors(&mut self, state: &S, out: &mut Vec<SuccessorOf<Self>>) -> bool {
        let before = out.len();
        let rule = self.code.rule;
        let plain = self.units.plain_moves(rule, state, self.machine, &self.codec, false);
        if let Some(mut plain) = plain {
            let all = loop {
                let Some(found) = plain.next(S::WORDS) else { break plain.is_done() };
                let (Some(cost), Some(state)) = (C::of(found.cost), S::from_words(found.state))
                else {
                    break false;
                };
                let hint = Change::of(found.change);
                out.push(Successor { mv: found.name, cost, state, hint });
            };
            if all {
                return true;
            }
            // It is asked again.
            self.units.asked_again(rule);
            out.truncate(before);
        }
        let moves = &mut self.moves;
        let machine = (&mut *self.machine, &mut *self.world, &mut self.codec);
        let asked = self.units.ask(self.code.rule, state, machine, |visit| {
            let name = visit.name(|name| Some(moves.store.intern_bytes(name).0));
            let (Some(cost), Some(mv)) = (visit.cost().and_then(C::of), name) else {
                return false;
            };
            let count = out.len();
            // PERF: what is made goes from there to where it stays.
            if let Some(state) = visit.made(state) {
                out.push(Successor { mv, cost, state, hint: Change::of(visit.change()) });
                return true;
            }
            let next = visit.next(state, None);
            out.extend(next.map(|state| Successor { mv, cost, state, hint: Change::UNKNOWN }));
            out.len() > count
        });
        let answered = matches!(asked, Asked::Answered(_));
        if !answered {
            out.truncate(before);
        }
        answered
    }
}
