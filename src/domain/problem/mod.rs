//! A rule program as a [state space](zug_search::Space), run by the machine.
//!
//! States are packed. Code answers what it can, the machine what is left.

mod alike;
mod code;
mod core;
mod derived;
mod diagrams;
mod fork;
mod grounded;
mod moves;
mod no_plan;
#[cfg(test)]
mod no_plan_tests;
mod own;
mod plans;
mod queries;
#[cfg(test)]
mod relaxed_tests;
mod represented;
mod resume;
mod stored_costs;
pub(crate) mod vocabulary;
mod watch_points;
mod whole;
#[cfg(test)]
mod whole_tests;

pub use self::core::PuzzleCore;
pub(crate) use derived::in_words;
pub(super) use moves::Moves;
pub(crate) use no_plan::Obstacle;
pub use own::OwnPuzzle;
pub use plans::{PuzzleMove, PuzzleState};
pub(super) use represented::represented;
pub(super) use stored_costs::kept_if;
pub use stored_costs::{KEPT_IF, SPACE, save_costs, save_plan};

use super::contract::{Contract, Heuristic};
use super::error::{RuleError, Violation};
use super::replies;
use super::{Packed, PackedState};
use crate::contract::indicator::{self, FINAL_STATE as GOAL, RULE};
use std::ops::{Deref, DerefMut};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{
    Batch, BoxedNumbers, Estimates, Failure, Lesson, Operation, Refined, Scope, Space, StateId,
    Successors,
};
use zug_state::{Number, RuleCost};
use zug_term::Record;

/// States that one call expands where a search asks for several. Rules ask in the same order as for one state after the
/// other; 16 get most of what there is to gain.
pub(crate) const BATCH: usize = 64;

/// The most moves of one state.
pub(super) const MOST_MOVES: usize = 1 << 22;

/// A rule program under search, costs counted as `C`, states kept as `S`.
pub struct RuleProblem<'a, C, S = Packed> {
    core: PuzzleCore<'a>,
    /// Copies for other threads.
    forks: Vec<RuleProblem<'a, C, S>>,
    /// Estimates that moves told along with them, while code and machine are compared.
    told: Vec<(S, C)>,
}

/// What does not depend on how costs and states are kept.
impl<'a, C, S> Deref for RuleProblem<'a, C, S> {
    type Target = PuzzleCore<'a>;

    #[inline]
    fn deref(&self) -> &PuzzleCore<'a> {
        &self.core
    }
}

impl<C, S> DerefMut for RuleProblem<'_, C, S> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.core
    }
}

impl<'a, C: RuleCost, S: PackedState> RuleProblem<'a, C, S> {
    /// The problem that a program poses, with one of its heuristics. `needs_goal`: a goal will
    /// be tested.
    ///
    /// # Errors
    /// A predicate is missing.
    pub fn new(
        machine: &'a mut Machine,
        world: &'a mut World,
        contract: &Contract,
        heuristic: Option<Heuristic>,
        needs_goal: bool,
    ) -> Result<Self, Box<RuleError>> {
        let needed = (heuristic, needs_goal, S::WORDS);
        Ok(Self::of(PuzzleCore::new(machine, world, contract, needed)?))
    }

    /// The problem of a program with rows and costs.
    fn of(core: PuzzleCore<'a>) -> Self {
        RuleProblem { core, forks: Vec::new(), told: Vec::new() }
    }

    /// The same problem with several heuristics to choose from, made with none.
    #[must_use]
    pub fn with_estimates(mut self, contract: &Contract, heuristics: &[Heuristic]) -> Self {
        self.core.add_estimates(contract, heuristics);
        self
    }

    /// The same problem for a caller that looks at no costs.
    #[must_use]
    pub(super) fn without_costs(mut self) -> Self {
        self.core.ignores_costs = true;
        self
    }

    /// Packs a state.
    ///
    /// # Errors
    /// It is cyclic or too large.
    pub fn pack(&mut self, state: &Record) -> Result<S, Box<RuleError>> {
        let packed = self.core.pack_bytes(state);
        let packed = packed.and_then(|bytes| S::from_bytes(bytes).ok_or(Violation::Room));
        packed.map_err(|violation| RuleError::new(violation, indicator::INITIAL_STATE))
    }

    /// What code said, unless it said nothing or is to be compared: then what the rules say.
    ///
    /// # Errors
    /// What the rules raise; code said something else.
    #[inline]
    fn settled<T: PartialEq>(
        &mut self,
        code: Option<T>,
        predicate: &'static str,
        state: &S,
        rules: impl FnOnce(&mut Self) -> Result<T, Box<RuleError>>,
    ) -> Result<T, Box<RuleError>> {
        match code {
            Some(found) if !self.core.cross_checks() => Ok(found),
            code => {
                let found = rules(self)?;
                let agree = code.is_none_or(|code| code == found);
                self.core.must_agree(agree, predicate, state.bytes())?;
                Ok(found)
            }
        }
    }

    /// Makes the moves of a plan again by the rules as they are written, one after the other,
    /// and tests the goal: the least cost and the greatest. They differ where a move has
    /// several answers that only their costs tell apart.
    ///
    /// # Errors
    /// A step that rule/4 does not allow, a last state that is no goal, or an error in a rule.
    pub fn replay(
        &mut self,
        path: &[StateId],
        states: &[S],
    ) -> Result<(Number, Number), Box<RuleError>> {
        let broken = |step| RuleError::new(Violation::Replay(step), RULE);
        // A plan found just in time is still to be shown.
        self.core.machine.deadline = None;
        let (mut least, mut greatest) = (Number::Int(0), Number::Int(0));
        for (step, &mv) in path.iter().enumerate() {
            let (Some(from), Some(to)) = (states.get(step), states.get(step + 1)) else {
                return Err(broken(step));
            };
            let mut costs: Option<(Number, Number)> = None;
            self.core.each_successor(from.bytes(), &mut |name, cost, state| {
                if name == mv && state == to.bytes() {
                    let (low, high) = costs.unwrap_or((cost, cost));
                    let low = if cost.as_f64() < low.as_f64() { cost } else { low };
                    let high = if cost.as_f64() > high.as_f64() { cost } else { high };
                    costs = Some((low, high));
                }
                Ok(())
            })?;
            let (low, high) = costs.ok_or_else(|| broken(step))?;
            (least, greatest) = (least.plus(low), greatest.plus(high));
        }
        match states.last() {
            Some(last) if self.core.goal_by_rules(last.bytes())? => Ok((least, greatest)),
            _ => Err(broken(path.len())),
        }
    }
}

/// A failed query about states.
fn failed(operation: Operation) -> impl Fn(Box<RuleError>) -> Failure {
    move |error| Failure::new(operation, error)
}

impl<C: RuleCost, S: PackedState> Space<S, C> for RuleProblem<'_, C, S> {
    #[inline]
    fn is_goal(&mut self, row: &S) -> Result<bool, Failure> {
        self.meet(row);
        RuleProblem::is_goal(self, row).map_err(failed(Operation::Goal))
    }

    fn expand(
        &mut self,
        batch: Batch<'_, S, C>,
        out: &mut Successors<S, C>,
    ) -> Result<(), Failure> {
        for (at, row) in batch.rows.iter().enumerate() {
            self.meet(row);
            let found =
                self.expand_one(at, row, (batch.estimates.get(at), batch.before.get(at)), out);
            found.map_err(failed(Operation::Successors))?;
            out.expanded += 1;
        }
        Ok(())
    }

    fn estimate(&mut self, row: &S, after: Option<(&S, C)>) -> Result<Option<C>, Failure> {
        let estimate = match after {
            Some((before, h)) => self.estimate_after(before, h, row),
            None => {
                self.meet(row);
                self.heuristic(row)
            }
        };
        estimate.map_err(failed(Operation::Heuristic))
    }

    fn is_preferred(&mut self, successor: &S) -> bool {
        self.core.kit.derived.prefers(&self.core.kit.codec, successor.bytes())
    }

    fn second_estimate(&mut self, row: &S, before: Option<&S>) -> Option<C> {
        let (derived, codec) = (&mut self.core.kit.derived, &self.core.kit.codec);
        let left = derived.landmarks_left(codec, before.map(S::bytes), row.bytes())?;
        C::of(Number::Int(left.into()))
    }

    fn batch(&self) -> usize {
        BATCH
    }

    #[cold]
    fn refine(
        &mut self,
        expanded: u64,
        start: &S,
        store: Option<&S::Store>,
    ) -> Result<Refined, Failure> {
        self.refined(expanded, start, store).map_err(failed(Operation::Heuristic))
    }

    #[cold]
    fn numbered(
        &mut self,
        start: &S,
        states: usize,
    ) -> Result<Option<BoxedNumbers<'_, S>>, Failure> {
        // All is to be compared, state by state, first.
        if self.cross_checks() {
            return Ok(None);
        }
        Ok(self
            .core
            .numbers(start.bytes(), states)
            .map(|numbers| -> BoxedNumbers<'_, S> { Box::new(numbers) }))
    }

    fn read(&mut self, bytes: &[u8]) -> Option<S> {
        self.core.kit.codec.see_packed(bytes);
        S::from_bytes(bytes)
    }

    fn least_move_cost(&self) -> C {
        self.core.predicates.least_cost.and_then(C::of).unwrap_or(C::ZERO)
    }

    fn words(&self) -> u64 {
        self.word_count()
    }

    fn lesson(&mut self) -> Lesson {
        Box::new(self.known_words())
    }

    fn learn(&mut self, lesson: &Lesson, is_astray: bool) {
        if let Some(lesson) = lesson.downcast_ref::<fork::Words>() {
            self.learn_words(lesson, is_astray);
        }
    }

    fn scope(&mut self) -> Option<Scope> {
        crate::fork::scope(self.core.machine)
    }

    fn abandon(&mut self) {
        self.core.machine.is_abandoned = true;
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Sees what a state is made of that another copy may have found.
    #[inline]
    fn meet(&mut self, row: &S) {
        if self.core.has_team {
            self.core.kit.codec.see_packed(row.bytes());
        }
    }

    /// Whether the state is a goal.
    ///
    /// # Errors
    /// An error in a rule.
    #[inline(always)]
    pub fn is_goal(&mut self, state: &S) -> Result<bool, Box<RuleError>> {
        let code = match self.core.kit.code.goal {
            _ if self.core.kit.is_grounded() => self.is_grounded_goal(state),
            Some(goal) => {
                self.core.kit.units.matches(goal, state, self.core.machine, &self.core.kit.codec)
            }
            None => None,
        };
        match code {
            Some(found) if !self.cross_checks() => Ok(found),
            _ => self.is_goal_by_all(code, state),
        }
    }

    /// Appends the successors of a state.
    ///
    /// # Errors
    /// An error in a rule, or an answer that breaks the contract.
    #[inline]
    pub fn successors(
        &mut self,
        state: &S,
        out: &mut Successors<S, C>,
    ) -> Result<(), Box<RuleError>> {
        self.expand_one(0, state, (None, None), out)
    }

    /// Appends the successors of the state at a place of its batch, with their estimates where its own is given and
    /// they follow from it; without those that lead to the state before, if it is given.
    #[inline]
    fn expand_one(
        &mut self,
        at: usize,
        state: &S,
        (h, before): (Option<&C>, Option<&S>),
        out: &mut Successors<S, C>,
    ) -> Result<(), Box<RuleError>> {
        let at = at as u32;
        if self.core.watching.is_some() {
            let first = out.len();
            self.watched_successors(at, state, out)?;
            if let Some(before) = before {
                out.leave_out(first, before);
            }
        } else {
            let h = h.and_then(|&h| self.changing(h));
            if let Some(h) = h
                && !self.core.kit.alike.is_on()
                && !self.cross_checks()
                && self.code_known(at, state, (h, before), out)
            {
                return Ok(());
            }
            self.plain_successors(at, state, (h, before), out)?;
        }
        Ok(())
    }

    /// The successors without what watches them.
    #[inline(always)]
    fn plain_successors(
        &mut self,
        at: u32,
        state: &S,
        (h, before): (Option<i64>, Option<&S>),
        out: &mut Successors<S, C>,
    ) -> Result<(), Box<RuleError>> {
        let first = out.len();
        // What stands for others, or is to be compared, is left out later.
        let early = before.filter(|_| !self.core.kit.alike.is_on() && !self.cross_checks());
        let known = self.code_successors(at, state, (h, early), out);
        if known && early.is_some() {
            return Ok(());
        }
        if self.cross_checks() {
            self.check_successors(at, state, known, first, out)?;
        } else if !known {
            self.successors_by_rules(at, state, out)?;
        }
        if self.core.kit.alike.is_on() {
            self.stand_for(first, out);
        }
        if let Some(before) = before {
            out.leave_out(first, before);
        }
        Ok(())
    }

    /// What is known of plans and estimates after N expansions.
    fn refined(
        &mut self,
        expanded: u64,
        start: &S,
        store: Option<&S::Store>,
    ) -> Result<Refined, Box<RuleError>> {
        if self.has_no_plan(expanded, start, store)? {
            return Ok(Refined::NoPlan);
        }
        let more = self.derive_in_time(expanded, start, store)?;
        Ok(match more {
            // What the rules were read for first says whether there is a plan, too.
            _ if self.has_no_plan(expanded, start, store)? => Refined::NoPlan,
            true => Refined::More,
            false => Refined::Same,
        })
    }

    /// The estimate of a state.
    ///
    /// # Errors
    /// An error in a rule, or an answer that breaks the contract.
    pub fn heuristic(&mut self, state: &S) -> Result<Option<C>, Box<RuleError>> {
        if self.core.deriving == derived::Deriving::Never {
            return self.own_estimate(state);
        }
        let derived = self.derived_estimate(state)?;
        self.greater(derived, state)
    }

    /// An estimate as an integer, if moves tell by how much they change it.
    fn changing(&self, h: C) -> Option<i64> {
        let Number::Int(h) = h.number() else { return None };
        let follows = self.core.deriving == derived::Deriving::Never
            && self.core.kit.code.heuristic.is_some()
            && self.core.kit.units.is_current(self.core.machine);
        follows.then_some(h)
    }

    /// The estimate of the rules' own heuristic, 0 if there is none.
    fn own_estimate(&mut self, state: &S) -> Result<Option<C>, Box<RuleError>> {
        let Some(pred) = self.core.predicates.heuristic else { return Ok(Some(C::ZERO)) };
        let reply = self.core.kit.code.heuristic.and_then(|target| self.ask_code(target, state));
        let number = replies::number(reply).filter(|number| !number.is_negative());
        let code = number.and_then(C::of).map(Some);
        let indicator = self.heuristic_indicator();
        self.settled(code, indicator, state, |problem| problem.estimate_by_rules(pred, state))
    }

    /// The greater of a derived estimate and the rules' own, if there is one; none where one of them says that
    /// there is no plan.
    #[inline]
    fn greater(&mut self, derived: Option<C>, state: &S) -> Result<Option<C>, Box<RuleError>> {
        let Some(derived) = derived.filter(|_| self.core.predicates.heuristic.is_some()) else {
            return Ok(derived);
        };
        let own = self.own_estimate(state)?;
        Ok(own.map(|own| if own < derived { derived } else { own }))
    }
}

/// Moves say nothing of the estimate behind them here: code that notices it is made for one
/// heuristic.
impl<C: RuleCost, S: PackedState> Estimates<S, C> for RuleProblem<'_, C, S> {
    fn estimates(&self) -> usize {
        self.core.estimates.len()
    }

    fn use_estimate(&mut self, number: usize) {
        self.core.use_estimate(number);
    }
}
