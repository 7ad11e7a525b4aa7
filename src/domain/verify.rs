//! Whether a result that rests on a heuristic holds without it.
//!
//! After a search under a heuristic that only the user vouches for, the rules are searched again
//! without it up to the cost found ([`check_claim`](zug_search::check_claim)), as far as a
//! budget goes that is made of counts: states, questions that the machine has to answer,
//! inferences. The result gets better by that or stays what it was; no limit and no error met on
//! the way changes it.

use super::PackedState;
use super::claim::{heuristic_of, impurity};
use super::contract::{Contract, Heuristic};
use super::error::RuleError;
use super::problem::RuleProblem;
use super::run::{by_cost_and_state, nested};
use crate::contract::indicator;
use std::time::{Duration, Instant};
use zug_engines::HotRow;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{Outcome, Overestimate, Solution, StopReason, Verdict};
use zug_search::{
    ClaimCheck, ClaimOutcome, ClaimToCheck, Engine, Guarantee, InadmissibleState, Limits,
};
use zug_state::{Number, RuleCost};
use zug_term::{Record, watchdog};

/// The effort of checking a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// States to be expanded.
    pub states: u64,
    /// Questions that the machine answers, and inferences that it makes for them; `None`: as
    /// many as it takes.
    pub machine: Option<(u64, u64)>,
}

impl Effort {
    /// No check.
    pub const NONE: Effort = Effort { states: 0, machine: Some((0, 0)) };
    /// States that are expanded by default.
    pub const STATES: u64 = 200_000;

    /// So many states, whatever it takes.
    pub fn states(states: u64) -> Effort {
        Effort { states, machine: None }
    }
}

/// What takes some tenths of a second at most with rules of the usual kind.
impl Default for Effort {
    fn default() -> Effort {
        Effort { states: Self::STATES, machine: Some((20_000, 3_000_000)) }
    }
}

/// Time that there is for it although a time limit is nearly over: what is said of a result is
/// not to depend on the clock.
const GRACE: Duration = Duration::from_millis(300);

/// Steps after which a look that nobody has asked for ends in any case: a single question can take
/// long without many inferences. The other counts come first by far where rules are of the usual
/// kind.
const STEPS: u64 = 1 << 28;

/// Whether there is something to be found out.
fn is_worth_it(
    m: &Machine,
    w: &mut World,
    contract: &Contract,
    (heuristic, effort): (Option<Heuristic>, Effort),
    found: &Solution<Record>,
) -> bool {
    let guarantee = Engine::by_name(found.engine).map(|engine| engine.info().guarantee);
    let claims = matches!(guarantee, Some(Guarantee::Cheapest | Guarantee::Factor));
    let verdict = &found.ending.verdict;
    let open = match found.outcome() {
        Outcome::Solved => claims && !matches!(verdict, Verdict::Proved(_) | Verdict::Refuted),
        Outcome::Exhausted => matches!(verdict, Verdict::If(_)),
        Outcome::Stopped(_) => false,
    };
    let watched = !w.tracer.watches.is_empty();
    open && heuristic.is_some() && effort.states > 0 && !watched
        // What is found out about other rules than those that were searched says nothing.
        && impurity(m, w, contract, heuristic).is_none()
}

/// Finds out whether a result holds without its heuristic, as far as an effort goes within what
/// the limits of its search left, and says so. The outcome is another one if the heuristic hid all
/// goals.
pub fn verify(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (limits, effort): (&Limits, Effort),
    found: &mut Solution<Record>,
) {
    let heuristic = heuristic_of(m, contract, found);
    if !is_worth_it(m, w, contract, (heuristic, effort), found) {
        return;
    }
    let Some(looked) = look(m, w, contract, (heuristic, limits, effort), found) else { return };
    let ending = &mut found.ending;
    if let Some(InadmissibleState { state, estimate, cost }) = looked.inadmissible {
        // What misled a search says more than what was on its way.
        if ending.overestimate.is_none() || matches!(looked.truth, ClaimOutcome::Cheaper(_)) {
            let estimate = estimate.map_or(zug_report::Number::INFINITE, Into::into);
            ending.overestimate =
                Some(Overestimate { state, step: None, estimate, cost: cost.into() });
        }
    }
    let states = match looked.states {
        1 => "1 state".to_owned(),
        states => format!("{states} states"),
    };
    match (looked.truth, ending.outcome) {
        (ClaimOutcome::AsClaimed, Outcome::Solved) => {
            let by = format!("a search without a heuristic up to this cost ({states})");
            (ending.verdict, ending.given) = (Verdict::Proved(by), None);
            (found.lower_bound, found.factor) = (found.cost.clone(), Some(1.0));
        }
        (ClaimOutcome::AsClaimed, _) => {
            let by = format!("a search without a heuristic ({states})");
            (ending.verdict, ending.given) = (Verdict::Proved(by), None);
        }
        (ClaimOutcome::Cheaper(cheapest), outcome) => {
            (ending.verdict, ending.given) = (Verdict::Refuted, None);
            if outcome != Outcome::Solved {
                ending.outcome = Outcome::Stopped(StopReason::Heuristic);
            }
            // How much dearer it is is known then.
            if let Some(cost) = &found.cost {
                let (cost, cheapest) = (cost.as_f64(), cheapest.as_f64());
                found.factor = (cheapest > 0.0).then(|| cost / cheapest);
            }
            ending.cheapest = Some(cheapest.into());
        }
        // The condition is known not to hold.
        (ClaimOutcome::Open, _) if ending.overestimate.is_some() => {
            (ending.verdict, ending.given) = (Verdict::Open, None);
        }
        (ClaimOutcome::Open, _) => {}
    }
}

/// The check; `None` if an error or a limit in the rules ended it.
fn look(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (heuristic, limits, effort): (Option<Heuristic>, &Limits, Effort),
    found: &Solution<Record>,
) -> Option<ClaimCheck<Record, Number>> {
    let _work = effort.machine.map(|_| watchdog::StepBudget::new(STEPS));
    let time = limits.time.map(|time| time.saturating_sub(found.stats.elapsed).max(GRACE));
    let nodes = Some(effort.states.min(limits.nodes.unwrap_or(u64::MAX)));
    let limits = Limits { nodes, time, depth: None, ..limits.clone() };
    let outer = m.deadline;
    m.deadline = outer.map(|deadline| deadline.max(Instant::now() + GRACE));
    let inferences = effort.machine.map_or(u64::MAX, |(_, inferences)| inferences);
    let most = m.limit_inferences(inferences);
    // What rules write they have written in the search.
    let captures = w.streams.captures();
    w.streams.push_capture();
    let checked = nested(m, w, &limits, |m, w, limits| {
        let asked = (heuristic, limits, effort);
        by_cost_and_state!(m, w, contract, &found.start, <C, S> look_as::<C, S>(m, w, contract, asked, found))
    });
    w.streams.pop_captures(captures);
    m.inference_limit = most;
    m.deadline = outer;
    checked.ok()
}

fn look_as<C: RuleCost, S: PackedState + HotRow<C>>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (heuristic, limits, effort): (Option<Heuristic>, &Limits, Effort),
    found: &Solution<Record>,
) -> Result<ClaimCheck<Record, Number>, Box<RuleError>> {
    let mut problem = RuleProblem::<C, S>::resumed(m, w, contract, heuristic, true, &found.start)?;
    let start = problem.pack(&found.start)?;
    let goal = found.states.last().map(|goal| problem.pack(goal)).transpose()?;
    let cost = found.cost.as_ref().map(|cost| C::count(Number::of(cost))).transpose();
    let cost = cost.map_err(|no| RuleError::new(no.into(), indicator::RULE))?;
    problem.allow(effort.machine.map(|(questions, _)| questions));
    let claimed = ClaimToCheck { cost, goal: goal.as_ref() };
    let checked = S::check_claim(&mut problem, &start, claimed, true, limits);
    problem.allow(None);
    let ClaimCheck { truth, inadmissible, states, stopped } = checked?;
    let truth = match truth {
        ClaimOutcome::AsClaimed => ClaimOutcome::AsClaimed,
        ClaimOutcome::Cheaper(cost) if !cost.is_saturated() => ClaimOutcome::Cheaper(cost.number()),
        _ => ClaimOutcome::Open,
    };
    let inadmissible =
        inadmissible.map(|InadmissibleState { state, estimate, cost }| InadmissibleState {
            state: problem.unpack(state.bytes()),
            estimate: estimate.map(C::number),
            cost: cost.number(),
        });
    problem.keep();
    Ok(ClaimCheck { truth, inadmissible, states, stopped })
}
