//! A rule program as a [state space](zug_search::Space), run by the machine.
//!
//! States are packed. Code answers what it can, the machine what is left.

mod alike;
mod code;
mod derived;
mod diagrams;
mod fork;
mod moves;
mod no_plan;
#[cfg(test)]
mod no_plan_tests;
mod own;
mod plans;
mod queries;
mod represented;
mod resume;
mod stored_costs;
pub(crate) mod vocabulary;
mod watch_points;
mod whole;
#[cfg(test)]
mod whole_tests;

pub(crate) use derived::in_words;
pub(super) use moves::Moves;
pub(crate) use no_plan::Obstacle;
pub use own::OwnPuzzle;
pub use plans::{PuzzleMove, PuzzleState};
pub(super) use represented::represented;
pub(super) use resume::PuzzleMemory;
pub(super) use stored_costs::kept_if;
pub use stored_costs::{KEPT_IF, SPACE, save_costs, save_plan};

use super::adapter::{self, Adapter};
use super::ask::{self, Asker};
use super::contract::{Contract, Heuristic};
use super::error::{RuleError, Violation};
use super::{Packed, PackedState};
use crate::contract::indicator::{self, FINAL_STATE as GOAL, RULE};
use crate::representing::Represented;
use std::marker::PhantomData;
use std::sync::Arc;
use zug_code::{Arg, Counts, Examined, Layout, Specialise, Spent, Stage, Target, Units};
use zug_machine::{Kind, Machine, PredId};
use zug_prolog::builtins::World;
use zug_report::CodeUse;
use zug_search::{
    Batch, BoxedNumbers, Estimates, Failure, Lesson, Operation, Refined, Scope, Space, StateId,
    StateStore, Successors,
};
use zug_state::{Codec, Number, RuleCost};
use zug_term::{Cell, Record};

/// States that one call expands where a search asks for several. Rules ask in the same order as for one state after the
/// other; 16 get most of what there is to gain.
pub(crate) const BATCH: usize = 64;

/// The most moves of one state.
pub(super) const MOST_MOVES: usize = 1 << 22;

/// The contract predicates as the problem calls them.
#[derive(Clone, Debug)]
struct Predicates {
    goal: Option<PredId>,
    rule: PredId,
    heuristic: Option<PredId>,
    /// The name that `heuristic/3` gets.
    heuristic_name: Option<Cell>,
    /// No move costs less: known if every clause of rule/4 has a number for its cost.
    least_cost: Option<Number>,
}

/// The least of the costs in the heads of rule/4, if every clause has one there.
fn least_cost(m: &Machine, rule: PredId) -> Option<Number> {
    if m.program.preds[rule as usize].kind != Kind::Static {
        return None;
    }
    let costs = m.program.live_clauses(rule).into_iter().map(|id| {
        let clause = &m.program.clauses[id as usize];
        let cost = clause.record.cells[clause.head().addr() + 2];
        cost.as_int().filter(|&cost| cost >= 0)
    });
    let costs: Option<Vec<i64>> = costs.collect();
    costs?.into_iter().min().map(Number::Int)
}

/// A rule program under search, costs counted as `C`, states kept as `S`.
pub struct RuleProblem<'a, C, S = Packed> {
    machine: &'a mut Machine,
    world: &'a mut World,
    predicates: Predicates,
    codec: Codec,
    /// How states are represented is decided.
    is_decided: bool,
    /// The representation that it was decided for.
    representation: Option<Arc<Represented>>,
    moves: Moves,
    units: Units,
    code: Targets,
    /// What was seen of states, while some are watched.
    watching: Option<Box<watch_points::WatchedStates>>,
    /// The heuristics to choose from, if there are to be several: what is the rules' own, and whether
    /// it is derived as well.
    estimates: Vec<(Option<Estimate>, bool)>,
    /// Questions that the machine may still be asked, if they are counted.
    allowed: Option<u64>,
    /// Whether estimates are derived from the rules.
    deriving: derived::Deriving,
    derived: derived::Derived,
    proof: no_plan::Proof,
    /// A start, and walks from it that estimates can be derived by.
    walked: Option<(S, derived::Walks<S>)>,
    alike: alike::Alike,
    numbers: whole::Numbers,
    /// Copies for other threads.
    forks: Vec<RuleProblem<'a, C, S>>,
    /// It is one of them.
    is_copy: bool,
    /// There are several, so that states may come from others.
    has_team: bool,
    /// Costs that the type can't hold count as zero: no caller reads them.
    ignores_costs: bool,
    /// Estimates that moves told along with them, while code and machine are compared.
    told: Vec<(S, C)>,
    types: PhantomData<(C, S)>,
}

/// The numbers of the predicates that may have code.
#[derive(Clone, Copy)]
struct Targets {
    rule: usize,
    goal: Option<usize>,
    heuristic: Option<usize>,
}

/// A heuristic: predicate, name, number of the target that may have code.
type Estimate = (PredId, Option<Cell>, usize);

/// The rules' own part of a heuristic: predicate and name.
fn own_estimate(
    contract: &Contract,
    heuristic: Option<Heuristic>,
) -> Option<(PredId, Option<Cell>)> {
    match heuristic?.own()? {
        Heuristic::Named(name) => Some((contract.named_heuristic?, Some(Cell::atom(name)))),
        _ => Some((contract.heuristic?, None)),
    }
}

/// What code for a heuristic is made for.
fn estimate_target(pred: PredId, name: Option<Cell>) -> Target {
    let fixed = name.map(|name| Arg::Fixed(Record::atomic(name)));
    let args = fixed.into_iter().chain([Arg::State, Arg::Value]).collect();
    Target { pred, indicator: indicator_of(name.is_some()), args }
}

/// A heuristic, as name and arity; `named` ones get a name.
fn indicator_of(named: bool) -> &'static str {
    if named { indicator::HEURISTIC_3 } else { indicator::HEURISTIC_2 }
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
        let missing = |name, pattern| RuleError::new(Violation::Missing(pattern), name);
        let rule = contract.rule.ok_or_else(|| missing(RULE, "rule(Name, Cost, S1, S2)"))?;
        if needs_goal && contract.goal.is_none() {
            return Err(missing(GOAL, "final_state(S)"));
        }
        let (predicate, name) = own_estimate(contract, heuristic)
            .map_or((None, None), |(pred, name)| (Some(pred), name));
        let least_cost = least_cost(machine, rule);
        let mut units = Units::new(
            machine,
            Specialise::now(machine, world),
            Layout { before: 1, words: S::WORDS },
        );
        let code = Targets {
            rule: units.add(Target {
                pred: rule,
                indicator: RULE,
                args: vec![Arg::Name, Arg::Cost, Arg::State, Arg::To],
            }),
            goal: contract
                .goal
                .map(|pred| units.add(Target { pred, indicator: GOAL, args: vec![Arg::State] })),
            heuristic: predicate.map(|pred| units.add(estimate_target(pred, name))),
        };
        let deriving = derived::Deriving::of(heuristic, units.mode());
        // How moves change an estimate says nothing of how they change the greater of two.
        if let Some(heuristic) = code.heuristic
            && deriving == derived::Deriving::Never
        {
            units.follow(heuristic);
        }
        if deriving != derived::Deriving::Never {
            units.keep_shared();
        }
        let watching = (!world.tracer.watches.is_empty()).then(Box::default);
        Ok(RuleProblem {
            machine,
            world,
            predicates: Predicates {
                goal: contract.goal,
                rule,
                heuristic: predicate,
                heuristic_name: name,
                least_cost,
            },
            codec: Codec::new(),
            is_decided: false,
            representation: None,
            moves: Moves::default(),
            units,
            code,
            watching,
            estimates: Vec::new(),
            allowed: None,
            deriving,
            derived: derived::Derived::default(),
            proof: no_plan::Proof::None,
            walked: None,
            alike: alike::Alike::default(),
            numbers: whole::Numbers::default(),
            forks: Vec::new(),
            is_copy: false,
            has_team: false,
            ignores_costs: false,
            told: Vec::new(),
            types: PhantomData,
        })
    }

    /// The same problem with several heuristics to choose from, made with none.
    #[must_use]
    pub fn with_estimates(mut self, contract: &Contract, heuristics: &[Heuristic]) -> Self {
        for &heuristic in heuristics {
            let own = own_estimate(contract, Some(heuristic))
                .map(|(pred, name)| (pred, name, self.units.add(estimate_target(pred, name))));
            self.estimates.push((own, heuristic.derives_at_once()));
        }
        self
    }

    /// Has the machine asked no more than so many questions from here on.
    pub(super) fn allow(&mut self, questions: Option<u64>) {
        self.allowed = questions;
    }

    /// The same problem for a caller that looks at no costs.
    #[must_use]
    pub(super) fn without_costs(mut self) -> Self {
        self.ignores_costs = true;
        self
    }

    /// Packs a state.
    ///
    /// # Errors
    /// It is cyclic or too large.
    pub fn pack(&mut self, state: &Record) -> Result<S, Box<RuleError>> {
        if !self.is_decided {
            self.represent(state);
        }
        let packed = ask::pack(self.machine, &mut self.codec, state);
        let packed = packed.and_then(|bytes| S::from_bytes(bytes).ok_or(Violation::Room));
        packed.map_err(|violation| RuleError::new(violation, indicator::INITIAL_STATE))
    }

    /// A packed term as a record.
    pub fn unpack(&mut self, packed: &[u8]) -> Record {
        ask::unpack(self.machine, &self.codec, packed)
    }

    /// The term of a move.
    pub fn move_term(&mut self, mv: StateId) -> Record {
        let packed = self.moves.store.state(mv);
        self.unpack(packed.bytes())
    }

    /// The machine, for what is done between searches.
    pub(super) fn machine(&mut self) -> (&mut Machine, &mut World) {
        (self.machine, self.world)
    }

    /// Whether it was made with its goals.
    #[cfg(feature = "cluster")]
    pub(crate) fn has_goal(&self) -> bool {
        self.predicates.goal.is_some()
    }

    /// The codec of states and moves.
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// What there is of code for the rules.
    pub fn examine(&mut self, stage: Stage) -> Vec<Examined> {
        self.units.examine((self.machine, self.world, &mut self.codec), stage)
    }

    /// Steps of making code are paid for, as if a search had gone on for so long already.
    pub(crate) fn pay(&mut self, steps: u64) {
        self.units.spent(Spent { steps: 0, answered: steps });
    }

    /// Inferences of the machine so far.
    pub(crate) fn inferences(&self) -> u64 {
        self.machine.inferences()
    }

    /// What answered the questions so far.
    pub fn code_use(&self) -> Option<CodeUse> {
        self.units.report(self.machine, self.world, &Counts::default())
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
        self.machine.deadline = None;
        let (mut least, mut greatest) = (Number::Int(0), Number::Int(0));
        for (step, &mv) in path.iter().enumerate() {
            let (Some(from), Some(to)) = (states.get(step), states.get(step + 1)) else {
                return Err(broken(step));
            };
            let mut costs: Option<(Number, Number)> = None;
            self.each_successor(from, |name, cost, state| {
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
            Some(last) if self.goal_by_rules(last)? => Ok((least, greatest)),
            _ => Err(broken(path.len())),
        }
    }
}

impl<C: RuleCost, S: PackedState> Adapter for RuleProblem<'_, C, S> {
    type State = S;

    #[inline]
    fn asker(&mut self) -> Asker<'_> {
        (self.machine, self.world, &mut self.codec)
    }

    #[inline]
    fn engine_code(&self) -> Specialise {
        self.units.mode()
    }

    #[cold]
    fn about(
        &mut self,
        violation: Violation,
        predicate: &'static str,
        state: &S,
    ) -> Box<RuleError> {
        let mut error = RuleError::new(violation, predicate);
        error.state = Some(self.unpack(state.bytes()));
        error
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
        Ok(self.numbers(start, states).map(|numbers| -> BoxedNumbers<'_, S> { Box::new(numbers) }))
    }

    fn read(&mut self, bytes: &[u8]) -> Option<S> {
        self.codec.see_packed(bytes);
        S::from_bytes(bytes)
    }

    fn least_move_cost(&self) -> C {
        self.predicates.least_cost.and_then(C::of).unwrap_or(C::ZERO)
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
        crate::fork::scope(self.machine)
    }

    fn abandon(&mut self) {
        self.machine.is_abandoned = true;
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Sees what a state is made of that another copy may have found.
    #[inline]
    fn meet(&mut self, row: &S) {
        if self.has_team {
            self.codec.see_packed(row.bytes());
        }
    }

    /// Whether the state is a goal.
    ///
    /// # Errors
    /// An error in a rule.
    #[inline(always)]
    pub fn is_goal(&mut self, state: &S) -> Result<bool, Box<RuleError>> {
        let code = match self.code.goal {
            Some(goal) => self.units.matches(goal, state, self.machine, &self.codec),
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
        if self.watching.is_some() {
            let first = out.len();
            self.watched_successors(at, state, out)?;
            if let Some(before) = before {
                out.leave_out(first, before);
            }
        } else {
            let h = h.and_then(|&h| self.changing(h));
            if let Some(h) = h
                && !self.alike.is_on()
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
        let early = before.filter(|_| !self.alike.is_on() && !self.cross_checks());
        let known = self.code_successors(at, state, (h, early), out);
        if known && early.is_some() {
            return Ok(());
        }
        if self.cross_checks() {
            self.check_successors(at, state, known, first, out)?;
        } else if !known {
            self.successors_by_rules(at, state, out)?;
        }
        if self.alike.is_on() {
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
        if self.deriving == derived::Deriving::Never {
            return self.own_estimate(state);
        }
        let derived = self.derived_estimate(state)?;
        self.greater(derived, state)
    }

    /// An estimate as an integer, if moves tell by how much they change it.
    fn changing(&self, h: C) -> Option<i64> {
        let Number::Int(h) = h.number() else { return None };
        let follows = self.deriving == derived::Deriving::Never
            && self.code.heuristic.is_some()
            && self.units.is_current(self.machine);
        follows.then_some(h)
    }

    /// The estimate of the rules' own heuristic, 0 if there is none.
    fn own_estimate(&mut self, state: &S) -> Result<Option<C>, Box<RuleError>> {
        let Some(pred) = self.predicates.heuristic else { return Ok(Some(C::ZERO)) };
        let reply = self.code.heuristic.and_then(|target| self.ask_code(target, state));
        let number = adapter::number(reply).filter(|number| !number.is_negative());
        let code = number.and_then(C::of).map(Some);
        let indicator = self.heuristic_indicator();
        self.settled(code, indicator, state, |problem| problem.estimate_by_rules(pred, state))
    }

    /// The greater of a derived estimate and the rules' own, if there is one; none where one of them says that
    /// there is no plan.
    #[inline]
    fn greater(&mut self, derived: Option<C>, state: &S) -> Result<Option<C>, Box<RuleError>> {
        let Some(derived) = derived.filter(|_| self.predicates.heuristic.is_some()) else {
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
        self.estimates.len()
    }

    fn use_estimate(&mut self, number: usize) {
        let Some(&(estimate, derives)) = self.estimates.get(number) else { return };
        self.expect_several_starts();
        self.deriving = match derives {
            true => derived::Deriving::AtOnce,
            false => derived::Deriving::Never,
        };
        self.predicates.heuristic = estimate.map(|(pred, ..)| pred);
        self.predicates.heuristic_name = estimate.and_then(|(_, name, _)| name);
        self.code.heuristic = estimate.map(|(.., target)| target);
    }
}
