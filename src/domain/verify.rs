//! Whether a result that rests on a heuristic holds without it.
//!
//! After a search under a heuristic that only the user vouches for, the rules are searched again
//! without it up to the cost found ([`check_claim`](zug_search::check_claim)), as far as a
//! budget goes that is made of counts: states, questions that the machine has to answer,
//! inferences. The result gets better by that or stays what it was; no limit and no error met on
//! the way changes it.

use super::PackedState;
use super::claim::{Overestimate, Result, Said, impurity};
use super::contract::Contract;
use super::error::RuleError;
use super::problem::RuleProblem;
use super::run::{by_cost_and_state, nested};
use crate::contract::indicator;
use std::time::{Duration, Instant};
use zug_machine::Machine;
use zug_prolog::builtins::{Verdict, World};
use zug_search::{
    Checked, Claimed, Guarantee, Limits, Outcome, StopReason, TooMuch, Truth, check_claim,
};
use zug_state::{Number, RuleCost};
use zug_term::{Record, heed};

/// How much may be looked at to find out whether a claim is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// States whose moves are looked at.
    pub states: u64,
    /// Questions that the machine answers, and inferences that it makes for them; `None`: as
    /// many as it takes.
    pub machine: Option<(u64, u64)>,
}

impl Effort {
    /// Nothing is looked at.
    pub const NONE: Effort = Effort { states: 0, machine: Some((0, 0)) };
    /// States that are looked at unless somebody asks for more or fewer.
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

/// A check that is to be made.
pub struct Question<'a> {
    /// Where the search began.
    pub start: &'a Record,
    /// What it found.
    pub result: Result<'a>,
    /// Its limits, of which the check has what is left.
    pub limits: &'a Limits,
    /// The time it took.
    pub elapsed: Duration,
    /// How much may be looked at.
    pub effort: Effort,
}

/// Whether there is something to be found out.
fn is_worth_it(
    m: &Machine,
    w: &mut World,
    contract: &Contract,
    asked: &Question<'_>,
    said: &Said,
) -> bool {
    let Result { engine, heuristic, outcome, .. } = asked.result;
    let claims = matches!(engine.info().guarantee, Guarantee::Cheapest | Guarantee::Factor);
    let open = match outcome {
        Outcome::Solved => claims && !matches!(said.verdict, Verdict::Proved(_) | Verdict::Refuted),
        Outcome::Exhausted => matches!(said.verdict, Verdict::If(_)),
        Outcome::Stopped(_) => false,
    };
    let watched = !w.tracer.watches.is_empty();
    open && heuristic.is_some() && asked.effort.states > 0 && !watched
        // What is found out about other rules than those that were searched says nothing.
        && impurity(m, w, contract, heuristic).is_none()
}

/// Finds out whether what is said of a result holds without its heuristic, and says so; the
/// outcome, which is another one if the heuristic hid all goals.
pub fn verify(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    asked: &Question<'_>,
    said: &mut Said,
) -> Outcome {
    let outcome = asked.result.outcome;
    if !is_worth_it(m, w, contract, asked, said) {
        return outcome;
    }
    let Some(found) = look(m, w, contract, asked) else { return outcome };
    if let Some(TooMuch { state, estimate, cost }) = found.too_much {
        // What misled a search says more than what was on its way.
        let new = Overestimate { state, step: None, estimate, cost };
        if said.overestimate.is_none() || matches!(found.truth, Truth::Cheaper(_)) {
            said.overestimate = Some(new);
        }
    }
    let states = found.states;
    let looked = match states {
        1 => "1 state".to_owned(),
        states => format!("{states} states"),
    };
    match (found.truth, outcome) {
        (Truth::AsClaimed, Outcome::Solved) => {
            let by = format!("a search without a heuristic up to this cost ({looked})");
            (said.verdict, said.given) = (Verdict::Proved(by), None);
        }
        (Truth::AsClaimed, _) => {
            let by = format!("a search without a heuristic ({looked})");
            (said.verdict, said.given) = (Verdict::Proved(by), None);
        }
        (Truth::Cheaper(cost), Outcome::Solved) => {
            (said.verdict, said.given) = (Verdict::Refuted, None);
            said.cheapest = Some(cost);
        }
        (Truth::Cheaper(cost), _) => {
            (said.verdict, said.given) = (Verdict::Refuted, None);
            said.cheapest = Some(cost);
            return Outcome::Stopped(StopReason::Heuristic);
        }
        // The condition is known not to hold.
        (Truth::Open, _) if said.overestimate.is_some() => {
            (said.verdict, said.given) = (Verdict::Open, None);
        }
        (Truth::Open, _) => {}
    }
    outcome
}

/// The check; `None` if an error or a limit in the rules ended it.
fn look(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    asked: &Question<'_>,
) -> Option<Checked<Record, Number>> {
    let _work = asked.effort.machine.map(|_| heed::Work::new(STEPS));
    let time = asked.limits.time.map(|time| time.saturating_sub(asked.elapsed).max(GRACE));
    let nodes = Some(asked.effort.states.min(asked.limits.nodes.unwrap_or(u64::MAX)));
    let limits = Limits { nodes, time, depth: None, ..asked.limits.clone() };
    let outer = m.deadline;
    m.deadline = outer.map(|deadline| deadline.max(Instant::now() + GRACE));
    let inferences = asked.effort.machine.map_or(u64::MAX, |(_, inferences)| inferences);
    let most = m.limit_inferences(inferences);
    // What rules write they have written in the search.
    let captures = w.streams.captures();
    w.streams.push_capture();
    let found = nested(
        m,
        w,
        &limits,
        |m, w, limits| by_cost_and_state!(asked.start, <C, S> look_as::<C, S>(m, w, contract, asked, limits)),
    );
    w.streams.pop_captures(captures);
    m.inference_limit = most;
    m.deadline = outer;
    found.ok()
}

fn look_as<C: RuleCost, S: PackedState>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    asked: &Question<'_>,
    limits: &Limits,
) -> std::result::Result<Checked<Record, Number>, Box<RuleError>> {
    let Result { heuristic, cost, goal, .. } = asked.result;
    let mut problem = RuleProblem::<C, S>::resumed(m, w, contract, heuristic, true)?;
    let start = problem.pack(asked.start)?;
    let goal = goal.map(|goal| problem.pack(goal)).transpose()?;
    let cost =
        cost.map(C::count).transpose().map_err(|no| RuleError::new(no.into(), indicator::RULE))?;
    problem.allow(asked.effort.machine.map(|(questions, _)| questions));
    let claimed = Claimed { cost, goal: goal.as_ref() };
    let found = check_claim(&mut problem, &start, claimed, true, limits);
    problem.allow(None);
    let Checked { truth, too_much, states, stopped } = found.map_err(|failed| failed.error)?;
    let truth = match truth {
        Truth::AsClaimed => Truth::AsClaimed,
        Truth::Cheaper(cost) if !cost.is_saturated() => Truth::Cheaper(cost.number()),
        _ => Truth::Open,
    };
    let too_much = too_much.map(|TooMuch { state, estimate, cost }| TooMuch {
        state: problem.unpack(state.bytes()),
        estimate: estimate.map(C::number),
        cost: cost.number(),
    });
    problem.keep();
    Ok(Checked { truth, too_much, states, stopped })
}
