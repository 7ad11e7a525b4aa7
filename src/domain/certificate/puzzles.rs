//! Certificates of plans, of cheapest plans, and of puzzles without one.

use super::starts::start_in_doubt;
use super::texts::{Sorted, Texts};
use super::{
    Certified, Made, Open, Origin, Unmade, Written, made, not_made, not_pure, start_record,
};
use crate::PackedState;
use crate::canonical_text::canonical_text;
use crate::claim::{heuristic_of, impurity};
use crate::contract::{Contract, Heuristic};
use crate::error::RuleError;
use crate::problem::RuleProblem;
use crate::run::{by_cost_and_state, nested};
use crate::simultaneous::same;
use std::io::{self, ErrorKind, Write};
use zug_certificate::{CloseError, Closing, Writer, close};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{Outcome, Solution, Verdict};
use zug_search::{Limits, Successors};
use zug_state::{Large, Number, RuleCost};
use zug_term::Record;

/// What a certificate is to prove of a result.
struct Claim {
    kind: &'static str,
    /// States are listed: all paths below the cost of the plan, or all there are, are followed.
    listed: bool,
    /// The heuristic that is taken on trust.
    heuristic: Option<Heuristic>,
}

/// Writes a certificate of what a search found.
///
/// # Errors
/// An error in a rule.
pub fn certify_plan(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (found, origin): (&Solution<Record>, &Origin),
    limits: &Limits,
    open: Open<'_>,
) -> Made {
    let claim = match claim_of(m, w, contract, found) {
        Ok(claim) => claim,
        Err(why) => return Ok(Ok(Certified::Not(why))),
    };
    if let Some(why) = start_in_doubt(m, w, origin, Some(&found.start))? {
        return Ok(Ok(Certified::Not(why)));
    }
    let written = nested(m, w, limits, |m, w, limits| {
        let about = (&claim, found, origin);
        by_cost_and_state!(m, w, contract, &found.start, <C, S> {
            made(write_as::<C, S>(m, w, contract, about, limits, open))
        })
    });
    written.or_else(|error| not_made(m, w, error, limits.time.is_some()))
}

/// What there is to prove; why nothing is.
fn claim_of(
    m: &Machine,
    w: &mut World,
    contract: &Contract,
    found: &Solution<Record>,
) -> Result<Claim, String> {
    let heuristic = heuristic_of(m, contract, found).and_then(Heuristic::own);
    let solved = match found.outcome() {
        Outcome::Solved => true,
        Outcome::Exhausted => false,
        Outcome::Stopped(_) => {
            return Err("a limit ended the search: nothing is claimed".to_owned());
        }
    };
    let kind = if solved { "cheapest" } else { "unsolvable" };
    match &found.ending.verdict {
        Verdict::Proved(_) => Ok(Claim { kind, listed: true, heuristic: None }),
        Verdict::If(condition) => {
            if let Some(condition) = impurity(m, w, contract, heuristic) {
                return Err(not_pure(&condition));
            }
            match heuristic.is_some() && found.base_if.is_none() {
                true => Ok(Claim { kind, listed: true, heuristic }),
                false => Err(format!("it is so only if {}", condition.replace('`', ""))),
            }
        }
        _ if solved => Ok(Claim { kind: "plan", listed: false, heuristic: None }),
        _ => Err("nothing is proved".to_owned()),
    }
}

fn write_as<C: RuleCost, S: PackedState>(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    (claim, found, origin): (&Claim, &Solution<Record>, &Origin),
    limits: &Limits,
    open: Open<'_>,
) -> Result<Written, Unmade> {
    let mut problem =
        RuleProblem::<C, S>::resumed(m, w, contract, claim.heuristic, true, &found.start)?;
    let start = problem.pack(&found.start)?;
    let cost = match replayed(&mut problem, &start, found)? {
        Some(cost) => found.cost.as_ref().map(|_| cost),
        None => return Err(Unmade::because("the rules do not make the plan again")),
    };
    let mut writer = Writer::new(open()?, claim.kind)?;
    write_claim(&mut problem, claim, (found, origin, cost), &mut writer)?;
    if claim.listed {
        let closing = Closing { below: cost, informed: claim.heuristic.is_some(), limits };
        let mut layers = Layers { texts: Texts::default(), sorted: Sorted::new(limits) };
        let made = close(&mut problem, &start, closing, |problem, cost, states| {
            layers.write(problem, cost, &states, &mut writer)
        });
        match made {
            Ok(_) => {}
            Err(CloseError::Goal(cost)) => {
                let cost = cost.number();
                let why = format!("a plan costs {cost}, which is less than what was found");
                return Err(Unmade::Not(why));
            }
            Err(CloseError::Stopped(reason)) => return Err(Unmade::limit(reason)),
            Err(CloseError::Failed(error)) => return Err(error.into()),
            Err(CloseError::Unwritten(error)) => return Err(error.into()),
        }
    }
    problem.keep();
    let (records, bytes) = writer.finish()?;
    Ok(Written { kind: claim.kind, records, bytes })
}

/// What the moves of the plan add up to, one after the other; `None` if the rules do not make them.
fn replayed<C: RuleCost, S: PackedState>(
    problem: &mut RuleProblem<'_, C, S>,
    start: &S,
    found: &Solution<Record>,
) -> Result<Option<C>, Box<RuleError>> {
    let (mut state, mut sum, mut out) = (start.clone(), C::ZERO, Successors::default());
    for (mv, to) in found.moves().iter().zip(found.states.iter().skip(1)) {
        let next = problem.pack(to)?;
        problem.successors(&state, &mut out)?;
        let costs = out.drain().filter(|(_, row)| *row == next).map(|(head, _)| head);
        let costs = costs.filter(|head| same(&problem.move_term(head.mv), mv));
        let Some(least) = costs.map(|head| head.cost).min() else { return Ok(None) };
        (state, sum) = (next, sum.plus(least));
    }
    Ok(Some(sum))
}

/// Writes the start, the cost and the plan.
fn write_claim<C: RuleCost, S: PackedState>(
    problem: &mut RuleProblem<'_, C, S>,
    claim: &Claim,
    (found, origin, cost): (&Solution<Record>, &Origin, Option<C>),
    writer: &mut Writer<impl Write>,
) -> io::Result<()> {
    let (m, w) = problem.machine();
    writer.record(&start_record(m, w, origin, &found.start))?;
    if let Some(heuristic) = claim.heuristic {
        writer.record(&match heuristic {
            Heuristic::Named(name) => {
                let mut heap = zug_term::Heap::default();
                let name = Record::new(&mut heap, zug_term::Cell::atom(name));
                format!("given(heuristic({}))", canonical_text(m, w, &name))
            }
            _ => "given(heuristic)".to_owned(),
        })?;
    }
    if let Some(cost) = cost {
        writer.record(&format!("cost({})", figure(cost)?))?;
    }
    for (mv, state) in found.moves().iter().zip(found.states.iter().skip(1)) {
        let (mv, state) = (canonical_text(m, w, mv), canonical_text(m, w, state));
        writer.record(&format!("step({mv},{state})"))?;
    }
    Ok(())
}

/// A cost as a number; `InvalidData` where sums went beyond all numbers.
fn figure(cost: impl RuleCost) -> io::Result<Number> {
    match cost.number() {
        Number::Large(Large::GREATEST) => Err(ErrorKind::InvalidData.into()),
        Number::Float(float) if float.is_infinite() => Err(ErrorKind::InvalidData.into()),
        number => Ok(number),
    }
}

/// What writes the states of a list.
struct Layers {
    texts: Texts,
    sorted: Sorted,
}

impl Layers {
    /// Writes the states of one cost, in the order of their text.
    fn write<C: RuleCost, S: PackedState>(
        &mut self,
        problem: &mut RuleProblem<'_, C, S>,
        cost: C,
        states: &[S],
        writer: &mut Writer<impl Write>,
    ) -> io::Result<()> {
        let begin = format!("closed({},", figure(cost)?);
        let (m, w, codec) = problem.asker();
        for state in states {
            self.sorted.add(|out| {
                out.push_str(&begin);
                self.texts.push(m, w, codec, state.bytes(), out);
                out.push(')');
            })?;
        }
        self.sorted.write(writer)
    }
}
