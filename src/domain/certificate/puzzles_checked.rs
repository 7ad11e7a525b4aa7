//! Checking certificates of puzzles.

use super::records::{Fact, Facts};
use super::{Accepted, Checked, Origin, ProvedNumbers, Rejected, is_start, origin_words};
use crate::PackedState;
use crate::canonical_text::canonical_text;
use crate::contract::{Contract, Heuristic, indicator};
use crate::error::RuleError;
use crate::problem::RuleProblem;
use crate::run::{by_cost_and_state, nested};
use zug_certificate::{ClosedClaim, ClosedFault, Listed, check_closed};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{Limits, Problem};
use zug_state::{Number, RuleCost};
use zug_term::Record;

/// What a certificate says.
struct Stated {
    kind: String,
    line: u64,
    origin: Origin,
    start: Record,
    cost: Option<Number>,
    heuristic: Option<Heuristic>,
    steps: Vec<Fact>,
    closed: Vec<(u64, Number, Record)>,
    records: u64,
}

/// What is found out about rules: it is accepted or not, or the rules have an error.
type Found<T> = Result<Result<T, Rejected>, Box<RuleError>>;

/// Checks a certificate of a kind.
pub(super) fn check(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (kind, facts): (&str, Facts),
    (limits, place): (&Limits, &mut Option<u64>),
) -> Result<Checked, Box<RuleError>> {
    let stated = match stated(m, contract, kind, facts) {
        Ok(stated) => stated,
        Err(rejected) => return Ok(Err(rejected)),
    };
    if !is_start(m, w, contract, (&stated.origin, &stated.start))? {
        return Ok(Err(Rejected::at(stated.line, "the rules do not begin there")));
    }
    let checked = nested(m, w, limits, |m, w, _| {
        by_cost_and_state!(m, w, contract, &stated.start, <C, S> {
            check_as::<C, S>(m, w, contract, (&stated, place))
        })
    })?;
    Ok(checked.map(|()| Accepted {
        proves: words(m, w, &stated),
        proved: ProvedNumbers { cost: stated.cost.map(Into::into), ..ProvedNumbers::default() },
        kind: stated.kind,
        records: stated.records,
    }))
}

fn stated(
    m: &mut Machine,
    contract: &Contract,
    kind: &str,
    mut facts: Facts,
) -> Result<Stated, Rejected> {
    let records = facts.0.len() as u64;
    let (line, origin, start) = facts.start(m)?;
    let solved = kind != "unsolvable";
    let cost = if solved { Some(facts.take("cost", 1)?.number(m, 0)?) } else { None };
    let listed = kind != "plan";
    let given = if listed { facts.perhaps("given", 1)? } else { None };
    let heuristic = given.map(|given| heuristic(m, contract, &given)).transpose()?;
    let (mut steps, mut closed) = (Vec::new(), Vec::new());
    for fact in facts.0 {
        match (fact.name.as_str(), fact.arguments.len()) {
            ("step", 2) if solved => steps.push(fact),
            ("closed", 2) if listed => {
                let cost = fact.number(m, 0)?;
                let [_, state] = fact.arguments.try_into().expect("there are two");
                closed.push((fact.line, cost, state));
            }
            (name, arity) => {
                let why = format!("a certificate of kind `{kind}` has no record {name}/{arity}");
                return Err(Rejected::at(fact.line, why));
            }
        }
    }
    let kind = kind.to_owned();
    Ok(Stated { kind, line, origin, start, cost, heuristic, steps, closed, records })
}

/// The heuristic that is taken on trust.
fn heuristic(m: &Machine, contract: &Contract, given: &Fact) -> Result<Heuristic, Rejected> {
    let (heap, root) = given.arguments[0].to_heap();
    let read = || {
        let (name, arity, at) = heap.name_arity(heap.deref(root))?;
        let known = m.symbols.name(name) == "heuristic";
        match arity {
            0 => contract.heuristic.map(|_| Heuristic::Plain).filter(|_| known),
            1 => {
                let name = heap.deref(heap.at(at)).as_atom()?;
                let there = contract.named_heuristic.is_some() && contract.has_heuristic(name);
                (known && there).then_some(Heuristic::Named(name))
            }
            _ => None,
        }
    };
    read().ok_or_else(|| Rejected::at(given.line, "the rules have no such heuristic"))
}

fn check_as<C: RuleCost, S: PackedState>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (stated, place): (&Stated, &mut Option<u64>),
) -> Found<()> {
    let mut problem =
        RuleProblem::<C, S>::resumed(m, w, contract, stated.heuristic, true, &stated.start)?;
    let start = problem.pack(&stated.start)?;
    let count = |number| C::count(number).map_err(|no| RuleError::new(no.into(), indicator::RULE));
    let cost = stated.cost.map(count).transpose()?;
    if let Some(cost) = cost
        && let Err(rejected) = check_plan(&mut problem, (&start, cost), stated, place)?
    {
        return Ok(Err(rejected));
    }
    if stated.kind == "plan" {
        return Ok(Ok(()));
    }
    let mut list = Vec::with_capacity(stated.closed.len());
    for (line, cost, state) in &stated.closed {
        *place = Some(*line);
        list.push(Listed { line: *line, cost: count(*cost)?, state: problem.pack(state)? });
    }
    let claim = ClosedClaim { cost, informed: stated.heuristic.is_some() };
    let checked = check_closed(&mut problem, &start, claim, &list);
    Ok(match checked {
        Ok(()) => Ok(()),
        Err(ClosedFault::Failed(line, error)) => {
            *place = Some(line);
            return Err(error);
        }
        Err(fault) => Err(refuted(&mut problem, fault)),
    })
}

/// Makes the moves of the plan.
fn check_plan<C: RuleCost, S: PackedState>(
    problem: &mut RuleProblem<'_, C, S>,
    (start, cost): (&S, C),
    stated: &Stated,
    place: &mut Option<u64>,
) -> Found<()> {
    let (mut state, mut sum) = (start.clone(), C::ZERO);
    let mut out = Vec::new();
    for step in &stated.steps {
        *place = Some(step.line);
        let next = problem.pack(&step.arguments[1])?;
        let (m, w) = problem.machine();
        let name = step.text(m, w, 0);
        problem.successors(&state, &mut out)?;
        let mut least = None;
        for successor in out.drain(..).filter(|successor| successor.state == next) {
            let mv = problem.move_term(successor.mv);
            let (m, w) = problem.machine();
            if canonical_text(m, w, &mv) == name {
                least = Some(least.map_or(successor.cost, |least: C| least.min(successor.cost)));
            }
        }
        let Some(least) = least else {
            let why = format!("the rules have no move {name} that leads there");
            return Ok(Err(Rejected::at(step.line, why)));
        };
        (state, sum) = (next, sum.plus(least));
    }
    if !problem.is_goal(&state)? {
        return Ok(Err(Rejected::new("the plan ends in no final state")));
    }
    if sum.exceeds(cost) || cost.exceeds(sum) {
        let why = format!("the plan costs {}, not {}", sum.number(), cost.number());
        return Ok(Err(Rejected::new(why)));
    }
    Ok(Ok(()))
}

/// What is wrong with a closed list, in words.
fn refuted<C: RuleCost, S: PackedState>(
    problem: &mut RuleProblem<'_, C, S>,
    fault: ClosedFault<S, C, Box<RuleError>>,
) -> Rejected {
    match fault {
        ClosedFault::Start => Rejected::new("the start is not listed with cost 0"),
        ClosedFault::Twice(line) => Rejected::at(line, "the state is listed before"),
        ClosedFault::Goal(line) => Rejected::at(line, "the state is final"),
        ClosedFault::LeftOut(line, state, cost) => {
            let state = problem.unpack(state.bytes());
            let (m, w) = problem.machine();
            let (state, cost) = (canonical_text(m, w, &state), cost.number());
            Rejected::at(
                line,
                format!("a move leads to {state} at cost {cost}, which is not listed"),
            )
        }
        ClosedFault::Dearer(line, other) => {
            let why =
                format!("a move leads to the state of line {other} for less than is said there");
            Rejected::at(line, why)
        }
        ClosedFault::Failed(line, error) => Rejected::at(line, error.predicate),
    }
}

/// What is proved, in words.
fn words(m: &Machine, w: &World, stated: &Stated) -> String {
    let from = origin_words(m, w, (&stated.origin, &stated.start));
    let moves = match stated.steps.len() {
        1 => "1 move".to_owned(),
        steps => format!("{steps} moves"),
    };
    let what = match (stated.kind.as_str(), stated.cost) {
        ("plan", Some(cost)) => format!("there is a plan of cost {cost} {from}, {moves}"),
        (_, Some(cost)) => format!("no plan {from} is cheaper than {cost}, and {moves} make one"),
        (_, None) => format!("there is no plan {from}"),
    };
    match stated.heuristic {
        None => what,
        Some(heuristic) => {
            let name = heuristic.name(&m.symbols);
            let condition = match stated.cost {
                Some(_) => "never overestimates",
                None => "calls no state hopeless from which a final one can be reached",
            };
            format!("{what}, if {name} {condition}")
        }
    }
}
