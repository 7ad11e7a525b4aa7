//! All cheapest plans of a puzzle, and what can be done in one of its states.
//!
//! The search is blind, so that what it calls cheapest rests on no estimate; every move on a
//! cheapest plan is asked of the rules again before any plan is handed out.

use super::claim::add_verdict;
use super::contract::Contract;
use super::error::{RuleError, Violation};
use super::problem::{PuzzleState, RuleProblem};
use super::run::{StoppedSearch, asking, by_cost_and_state, nested, nothing, stopped};
use super::{Packed, PackedState};
use crate::contract::indicator;
use zug_engines::HotRow;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::Solution;
use zug_search::{
    Claim, Engine, Float, Limits, Observer, Outcome, PlanCount, PlanGraph, PlanWalk, StateId,
};
use zug_state::{Number, RuleCost};
use zug_term::Record;

/// What is wanted of cheapest plans.
#[derive(Clone, Copy, Debug)]
pub struct PlansWanted {
    /// Plans to hand out with their states.
    pub most: usize,
    /// Count them all.
    pub counted: bool,
}

/// A cheapest plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The names of the moves.
    pub path: Vec<Record>,
    /// The states along it, start and goal included.
    pub states: Vec<Record>,
}

/// The cheapest plans from a state.
#[derive(Clone, Debug)]
pub struct FoundPlans {
    /// The first of them, as a search finds it. Stopped, it may have a cost: then no plan is
    /// cheaper, and only how many there are is open.
    pub first: Solution<Record>,
    /// How many there are.
    pub count: Option<PlanCount>,
    /// Some of them, in the order of the moves.
    pub plans: Vec<Plan>,
    /// Costs are floats: plans are equally cheap that differ by no more than rounding does.
    pub rounded: bool,
    /// All of them, moves as places in `names`.
    pub graph: Option<PlanGraph<usize, (), ()>>,
    /// The names of moves.
    pub names: Vec<Record>,
}

impl FoundPlans {
    /// The next plan of a walk: the names of its moves.
    pub fn next(&self, walk: &mut PlanWalk) -> Option<Vec<Record>> {
        let graph = self.graph.as_ref()?;
        let plan = walk.next(graph)?;
        Some(plan.iter().map(|&mv| self.names[graph.numbered(mv).mv].clone()).collect())
    }
}

/// Finds all cheapest plans from a state.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract.
#[expect(clippy::needless_option_as_deref, reason = "the macro may attempt it several times")]
pub fn find_plans(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    wanted: PlansWanted,
    limits: &Limits,
    start: &Record,
    mut observer: Option<&mut Observer<'_>>,
) -> Result<FoundPlans, Box<RuleError>> {
    nested(m, w, limits, |m, w, limits| {
        by_cost_and_state!(m, w, contract, start, <C, S> {
            plans_as::<C, S>(m, w, contract, (wanted, limits), start, observer.as_deref_mut())
        })
    })
}

fn plans_as<C: RuleCost, S: PackedState + HotRow<C>>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (wanted, limits): (PlansWanted, &Limits),
    start: &Record,
    observer: Option<&mut Observer<'_>>,
) -> Result<FoundPlans, Box<RuleError>> {
    let first = nothing(m, (Engine::Ucs, None), start);
    let mut problem = RuleProblem::<C, S>::resumed(m, w, contract, None, true, start)?;
    let start = problem.pack(start)?;
    let searched = S::cheapest_plans(&mut problem, &start, wanted.counted, limits, observer);
    let mut found = FoundPlans {
        first,
        count: None,
        plans: Vec::new(),
        rounded: false,
        graph: None,
        names: Vec::new(),
    };
    found.first.code = problem.code_use();
    let searched = match searched {
        Ok(searched) => searched,
        Err(error) => {
            let StoppedSearch { reason, place, stats } =
                stopped((m, w), error, limits.time.is_some())?;
            found.first.ending.outcome = Outcome::Stopped(reason);
            found.first.stopped_in = place;
            found.first.stats = stats;
            return Ok(found);
        }
    };
    // Sums may have ended at the greatest cost of the type.
    if searched.cost.is_some_and(C::is_saturated) {
        return Err(RuleError::new(Violation::Beyond, indicator::RULE));
    }
    let cost = searched.cost.map(C::number);
    found.first.ending.outcome = searched.outcome;
    found.first.stats = searched.stats;
    let bound = searched.lower_bound.filter(|bound| !bound.is_saturated());
    found.first.lower_bound = bound.map(|bound| bound.number().into());
    found.first.cost = cost.map(Into::into);
    found.rounded = matches!(cost, Some(Number::Float(_)));
    found.count = searched.count;
    if let Some(graph) = searched.graph {
        // What was found just in time is still to be shown.
        problem.machine().0.deadline = None;
        problem.confirm(&graph)?;
        found.first.factor = Some(1.0);
        take(&mut problem, graph, wanted.most, &mut found);
    }
    problem.keep();
    if !matches!(found.first.outcome(), Outcome::Stopped(_)) {
        found.first.ending.claim = Claim::Proved;
    }
    add_verdict(m, w, contract, &mut found.first);
    Ok(found)
}

/// Turns what was found into terms.
fn take<C: RuleCost, S: PackedState>(
    problem: &mut RuleProblem<'_, C, S>,
    graph: PlanGraph<StateId, S, C>,
    most: usize,
    found: &mut FoundPlans,
) {
    let mut walk = PlanWalk::default();
    while found.plans.len() < most.max(1) {
        let Some(plan) = walk.next(&graph) else { break };
        let ends = plan.iter().map(|&mv| graph.numbered(mv).to);
        let states = std::iter::once(0).chain(ends);
        let states = states.map(|state| problem.unpack(graph.state(state).bytes())).collect();
        let path = plan.iter().map(|&mv| problem.move_term(graph.numbered(mv).mv)).collect();
        found.plans.push(Plan { path, states });
    }
    if let Some(Plan { path, states }) = found.plans.first().cloned() {
        (found.first.path, found.first.states) = (Some(path), states);
    }
    found.plans.truncate(most);
    let mut numbers = rustc_hash::FxHashMap::default();
    let names = &mut found.names;
    let graph = graph.map(
        |mv| {
            *numbers.entry(mv).or_insert_with(|| {
                names.push(problem.move_term(mv));
                names.len() - 1
            })
        },
        |_| (),
        |_| (),
    );
    found.graph = Some(graph);
}

/// A state of a puzzle with its moves, as the rules say.
///
/// # Errors
/// A predicate is missing, an error in a rule, or an answer that breaks the contract.
pub fn puzzle_state(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    state: &Record,
) -> Result<PuzzleState, Box<RuleError>> {
    asking(m, w, |m, w| {
        // Floats hold every cost there is, and what a move costs is given as the rule has it.
        let mut problem = RuleProblem::<Float, Packed>::resumed(m, w, contract, None, true, state)?;
        let state = problem.pack(state)?;
        let spot = problem.spot(state.bytes());
        problem.keep();
        spot
    })
}
