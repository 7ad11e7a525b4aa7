//! Checking certificates of puzzles.

use super::records::{Fact, Facts};
use super::starts::Start;
use super::{Accepted, Found, ProvedNumbers, Refusal, Rejected, split};
use crate::Packed;
use crate::canonical_text::canonical_text;
use crate::contract::{Contract, Heuristic};
use crate::problem::RuleProblem;
use crate::run::nested;
use crate::simultaneous::same;
use zug_certificate::{ClosedClaim, ClosedFault, Listed, check_closed, rounding};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_search::{Cost, Failure, Limits, Successors};
use zug_state::{AnyCost, Number, RuleCost};
use zug_term::Record;

/// What a certificate says.
struct Stated {
    kind: String,
    start: Start,
    /// The cost, with its line.
    cost: Option<(u64, Number)>,
    heuristic: Option<Heuristic>,
    steps: Vec<Fact>,
    closed: Vec<(u64, Number, Record)>,
    records: u64,
}

/// Checks a certificate of a kind.
pub(super) fn check(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (kind, facts): (&str, Facts),
    (limits, place): (&Limits, &mut Option<u64>),
) -> Found<Accepted> {
    let stated = stated(m, contract, kind, facts)?;
    let steps = stated.steps.iter().map(|step| &step.arguments[1]);
    let others = steps.chain(stated.closed.iter().map(|(.., state)| state));
    stated.start.check(m, w, contract, others)?;
    nested(m, w, limits, |m, w, _| split(check_all(m, w, contract, (&stated, place))))??;
    Ok(Accepted {
        proves: words(m, w, &stated),
        proved: ProvedNumbers {
            cost: stated.cost.map(|(_, cost)| cost.into()),
            ..ProvedNumbers::default()
        },
        kind: stated.kind,
        records: stated.records,
    })
}

fn stated(
    m: &Machine,
    contract: &Contract,
    kind: &str,
    mut facts: Facts,
) -> Result<Stated, Rejected> {
    let records = facts.0.len() as u64;
    let start = Start::take(m, &mut facts)?;
    let solved = kind != "unsolvable";
    let cost = if solved { Some(facts.take("cost", 1)?) } else { None };
    let cost = cost.map(|cost| Ok((cost.line, cost.cost(0)?))).transpose()?;
    let listed = kind != "plan";
    let given = if listed { facts.perhaps("given", 1)? } else { None };
    let heuristic = given.map(|given| heuristic(m, contract, &given)).transpose()?;
    let (mut steps, mut closed) = (Vec::new(), Vec::new());
    for mut fact in facts.0 {
        match (fact.name.as_str(), fact.arguments.len()) {
            ("step", 2) if solved => steps.push(fact),
            ("closed", 2) if listed => {
                let cost = fact.cost(0)?;
                closed.push((fact.line, cost, fact.arguments.swap_remove(1)));
            }
            _ => return Err(fact.foreign(kind)),
        }
    }
    let kind = kind.to_owned();
    Ok(Stated { kind, start, cost, heuristic, steps, closed, records })
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

/// A problem whose costs are counted as they are: integers as long as they are that.
type Puzzle<'a> = RuleProblem<'a, AnyCost, Packed>;

fn check_all(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (stated, place): (&Stated, &mut Option<u64>),
) -> Found<()> {
    let mut problem = Puzzle::resumed(m, w, contract, stated.heuristic, true, &stated.start.state)?;
    let start = problem.pack(&stated.start.state)?;
    // Whether the rules count in floats.
    let mut floats = false;
    let mut observe = |cost: AnyCost| floats |= matches!(cost.number(), Number::Float(_));
    let mut sum = None;
    if stated.cost.is_some() {
        sum = Some(check_plan(&mut problem, &start, (stated, place), &mut observe)?);
    }
    if stated.kind != "plan" {
        let mut list = Vec::with_capacity(stated.closed.len());
        for (line, cost, state) in &stated.closed {
            *place = Some(*line);
            let state = problem.pack(state)?;
            list.push(Listed { line: *line, cost: counted(*cost), state });
        }
        let claim = ClosedClaim {
            cost: stated.cost.map(|(_, cost)| counted(cost)),
            informed: stated.heuristic.is_some(),
            // One more than there are records.
            rounding: rounding(stated.records as usize + 2),
        };
        let checked = check_closed(&mut problem, &start, claim, &list, &mut observe);
        checked.map_err(|fault| refuted(&mut problem, fault, place))?;
    }
    Ok(check_costs(stated, sum, floats)?)
}

/// A number as a cost.
fn counted(number: Number) -> AnyCost {
    AnyCost::of(number).unwrap_or(AnyCost::ZERO)
}

/// Whether the plan costs what is claimed, and costs are of the kind that the rules count in: integers, or floats where a
/// move or an estimate is one.
fn check_costs(stated: &Stated, sum: Option<AnyCost>, floats: bool) -> Result<(), Rejected> {
    if let (Some(sum), Some((line, cost))) = (sum, stated.cost) {
        let right = if floats { Number::Float(sum.as_f64()) } else { sum.number() };
        if right != cost {
            return Err(Rejected::at(line, format!("the plan costs {right}")));
        }
    }
    let is_other = |number: &Number| matches!(number, Number::Float(_)) != floats;
    match stated.closed.iter().find(|(_, cost, _)| is_other(cost)) {
        Some((line, ..)) => {
            Err(Rejected::at(*line, "its cost is of another kind than those of the rules"))
        }
        None => Ok(()),
    }
}

/// Makes the moves of the plan: what it costs.
fn check_plan(
    problem: &mut Puzzle<'_>,
    start: &Packed,
    (stated, place): (&Stated, &mut Option<u64>),
    observe: &mut impl FnMut(AnyCost),
) -> Found<AnyCost> {
    let (mut state, mut sum) = (start.clone(), AnyCost::ZERO);
    let mut out = Successors::default();
    for step in &stated.steps {
        *place = Some(step.line);
        let next = problem.pack(&step.arguments[1])?;
        problem.successors(&state, &mut out)?;
        let mut least = None;
        for (head, row) in out.drain() {
            observe(head.cost);
            if row == next && same(&problem.move_term(head.mv), &step.arguments[0]) {
                least = Some(least.map_or(head.cost, |least: AnyCost| {
                    if head.cost < least { head.cost } else { least }
                }));
            }
        }
        let Some(least) = least else {
            let (m, w) = problem.machine();
            let name = canonical_text(m, w, &step.arguments[0]);
            let why = format!("the rules have no move {name} that leads there");
            return Err(Rejected::at(step.line, why).into());
        };
        (state, sum) = (next, sum.plus(least));
    }
    if !problem.is_goal(&state)? {
        return Err(Rejected::new("the plan ends in no final state").into());
    }
    Ok(sum)
}

/// What is wrong with a closed list, in words.
fn refuted(
    problem: &mut Puzzle<'_>,
    fault: ClosedFault<Packed, AnyCost, Failure>,
    place: &mut Option<u64>,
) -> Refusal {
    let rejected = match fault {
        ClosedFault::Failed(line, error) => {
            *place = Some(line);
            return error.into();
        }
        ClosedFault::Start => Rejected::new("the start is not listed with cost 0"),
        ClosedFault::Twice(line) => Rejected::at(line, "the state is listed before"),
        ClosedFault::Unreached(line) => Rejected::at(line, "nothing leads there from the start"),
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
    };
    rejected.into()
}

/// What is proved, in words.
fn words(m: &Machine, w: &World, stated: &Stated) -> String {
    let from = stated.start.words(m, w);
    let cost = stated.cost.map(|(_, cost)| cost);
    let moves = match stated.steps.len() {
        1 => "1 move".to_owned(),
        steps => format!("{steps} moves"),
    };
    let what = match (stated.kind.as_str(), cost) {
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
