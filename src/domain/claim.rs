//! What is said of a result, and on what it rests.
//!
//! An engine knows whether a heuristic went into what it claims
//! ([`Claim`](zug_search::Claim)); where that heuristic comes from, and whether the rules are
//! functions of the state at all, is known here. A [`Verdict`] says "proved" only where nothing
//! has to be taken on trust.

use super::contract::{Contract, Heuristic};
use super::memory::{memory, stamp};
use super::purity::{Category, Impurity, impurities};
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::{Verdict, World};
use zug_search::{Claim, Engine, Outcome};
use zug_state::Number;
use zug_term::Record;

/// A result of an engine, as far as what is said of it goes.
#[derive(Clone, Copy, Debug)]
pub struct Result<'a> {
    /// The engine.
    pub engine: Engine,
    /// The heuristic that the user's rules give.
    pub heuristic: Option<Heuristic>,
    /// How the search ended.
    pub outcome: Outcome,
    /// What the engine claims.
    pub claim: Claim,
    /// The cost of the plan.
    pub cost: Option<Number>,
    /// Where it ends.
    pub goal: Option<&'a Record>,
    /// It was read from a base.
    pub from_base: bool,
    /// What has to be so for what a base said, if one was asked.
    pub base_if: Option<&'a str>,
}

/// A state of which a heuristic says more than a plan from there costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Overestimate {
    /// The state.
    pub state: Record,
    /// The moves from the start to it, if it lies on the plan that was found.
    pub step: Option<usize>,
    /// What the heuristic says; `None` is infinite.
    pub estimate: Option<Number>,
    /// What a plan from there costs.
    pub cost: Number,
}

/// What is said of a result.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// That no plan is cheaper, or that there is none.
    pub verdict: Verdict,
    /// What has to be so for bounds and factors to hold that the engine gives.
    pub given: Option<String>,
    /// The cost of a cheapest plan, where another one was found.
    pub cheapest: Option<Number>,
    /// Where the heuristic says too much, if that was seen.
    pub overestimate: Option<Overestimate>,
}

/// A heuristic in a sentence: its name, or that it is the only one without.
fn name_of(m: &Machine, heuristic: Heuristic) -> String {
    match heuristic {
        Heuristic::Plain => "the heuristic".to_owned(),
        named => format!("`{}`", named.name(&m.symbols)),
    }
}

/// What is said of a result of an engine.
pub fn say(m: &Machine, w: &mut World, contract: &Contract, result: &Result<'_>) -> Said {
    let solved = result.outcome == Outcome::Solved;
    // Without a heuristic of the rules an engine that asks for one has estimates from a base.
    let informed = result.heuristic.filter(|_| result.engine.info().informed);
    let admissible = informed.map(|heuristic| {
        let name = name_of(m, heuristic);
        match result.outcome {
            Outcome::Exhausted => {
                format!("{name} calls no state hopeless from which a goal can be reached")
            }
            _ => format!("{name} never overestimates"),
        }
    });
    let verdict = match (result.claim, &admissible) {
        (Claim::Nothing, _) => Verdict::Open,
        (Claim::IfAdmissible, Some(condition)) => Verdict::If(condition.clone()),
        _ if result.from_base => {
            Verdict::Proved("read from the base, which keeps what is proved".to_owned())
        }
        _ if !solved => Verdict::Proved("all states that can be reached were tried".to_owned()),
        _ if informed.is_some() => Verdict::Proved("it costs nothing".to_owned()),
        _ => Verdict::Proved("no heuristic was used".to_owned()),
    };
    let given = admissible.filter(|_| !matches!(verdict, Verdict::Proved(_)));
    let said = Said { verdict, given, ..Said::default() };
    let said = on_condition(said, result.base_if.map(str::to_owned));
    on_condition(said, impurity(m, w, contract, result.heuristic))
}

/// What is said where something more has to be taken on trust.
fn on_condition(mut said: Said, more: Option<String>) -> Said {
    let Some(more) = more else { return said };
    let and = |condition: String| match condition.contains(&more) {
        true => condition,
        false => format!("{condition} and {more}"),
    };
    said.verdict = match said.verdict {
        Verdict::Proved(_) => Verdict::If(more.clone()),
        Verdict::If(condition) => Verdict::If(and(condition)),
        other => other,
    };
    said.given = Some(said.given.map_or(more.clone(), and));
    said
}

/// Why answers of the rules may depend on more than the state, as a condition.
///
/// Predicates that only keep answers, and facts that nobody changes, are no reason.
pub fn impurity(
    m: &Machine,
    w: &mut World,
    contract: &Contract,
    heuristic: Option<Heuristic>,
) -> Option<String> {
    let asked = match heuristic {
        None => None,
        Some(Heuristic::Plain) => contract.heuristic,
        Some(Heuristic::Named(_)) => contract.named_heuristic,
    };
    let asked = [contract.rule, contract.goal, asked];
    let now = stamp(m, w);
    let known = memory(w).impure.take().filter(|(then, _)| *then == now);
    // PERF: rules that call engines ask again and again.
    let (_, all) = known.unwrap_or_else(|| (now, conditions(m, w, contract)));
    let found = all.iter().find(|(pred, _)| asked.contains(&Some(*pred)));
    let found = found.map(|(_, condition)| condition.clone());
    memory(w).impure = Some((now, all));
    found
}

/// The contract predicates that are no functions of the state, with what has to be so.
fn conditions(m: &Machine, w: &World, contract: &Contract) -> Vec<(PredId, String)> {
    let found = impurities(m, w, contract.kind());
    let condition = |impurity: &Impurity| {
        let mut witnesses = impurity.witnesses.iter();
        let witness = witnesses.find(|witness| witness.category != Category::Cache)?;
        let place = witness.place.as_ref().map(|(source, span)| {
            let position = source.position(span.start);
            format!(" at {}:{}", source.name, position.line)
        });
        let said = format!(
            "`{}` always gives the same answers; it calls `{}`{}",
            impurity.predicate,
            witness.goal,
            place.unwrap_or_default()
        );
        Some((impurity.pred, said))
    };
    found.iter().filter_map(condition).collect()
}
