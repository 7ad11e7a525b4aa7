//! Verdicts on results, and the conditions they rest on.
//!
//! An engine knows whether a heuristic went into what it claims
//! ([`Claim`](zug_search::Claim)); where that heuristic comes from, and whether the rules are
//! functions of the state at all, is known here. A [`Verdict`] says "proved" only where nothing
//! has to be taken on trust.

use super::contract::{Contract, Heuristic};
use super::memory::{memory, stamp};
use super::purity::{Category, Impurity, impurities};
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_report::{Claim, Ending, Outcome, Solution, Verdict};
use zug_search::Engine;
use zug_term::Record;

/// A heuristic in a sentence: its name, or that it is the only one without.
fn name_of(m: &Machine, heuristic: Heuristic) -> String {
    match heuristic.own().unwrap_or(heuristic) {
        Heuristic::Plain => "the heuristic".to_owned(),
        named => format!("`{}`", named.name(&m.symbols)),
    }
}

/// What is taken on trust where costs rest on a heuristic; nothing if it is derived from the rules.
pub(super) fn never_overestimates(m: &Machine, heuristic: Heuristic) -> Option<String> {
    heuristic.own().is_some().then(|| format!("{} never overestimates", name_of(m, heuristic)))
}

/// The heuristic of the user's rules that went into a result.
pub(super) fn heuristic_of(
    m: &Machine,
    contract: &Contract,
    found: &Solution<Record>,
) -> Option<Heuristic> {
    contract.heuristic_named(&m.symbols, found.heuristic.as_deref()?)
}

/// Adds the verdict to the result of an engine: what holds of it, and under which condition.
pub fn add_verdict(m: &Machine, w: &mut World, contract: &Contract, found: &mut Solution<Record>) {
    let heuristic = heuristic_of(m, contract, found);
    let solved = found.outcome() == Outcome::Solved;
    // Without a heuristic of the rules an engine that asks for one has estimates from a base.
    let informed = Engine::by_name(found.engine).is_some_and(|engine| engine.info().informed);
    let informed = heuristic.filter(|_| informed);
    let derived = informed == Some(Heuristic::Derived);
    let admissible = informed.filter(|_| !derived).map(|heuristic| {
        let name = name_of(m, heuristic);
        match found.outcome() {
            Outcome::Exhausted => {
                format!("{name} calls no state hopeless from which a goal can be reached")
            }
            _ => format!("{name} never overestimates"),
        }
    });
    let verdict = match (found.ending.claim, &admissible) {
        _ if found.no_plan.is_some() => Verdict::Proved(found.no_plan.clone().unwrap_or_default()),
        (Claim::Nothing, _) => Verdict::Open,
        (Claim::IfAdmissible, Some(condition)) => Verdict::If(condition.clone()),
        _ if found.from_base => {
            Verdict::Proved("read from the base, which keeps what is proved".to_owned())
        }
        _ if solved && derived => Verdict::Proved(
            "the heuristic was derived from the rules: it never overestimates".to_owned(),
        ),
        _ if !solved => Verdict::Proved("all states that can be reached were tried".to_owned()),
        _ if informed.is_some() => Verdict::Proved("it costs nothing".to_owned()),
        _ => Verdict::Proved("no heuristic was used".to_owned()),
    };
    found.ending.given = admissible.filter(|_| !matches!(verdict, Verdict::Proved(_)));
    found.ending.verdict = verdict;
    for more in [found.base_if.clone(), impurity(m, w, contract, heuristic)].into_iter().flatten() {
        on_condition(&mut found.ending, more);
    }
}

/// What is said where something more has to be taken on trust.
fn on_condition(ending: &mut Ending<Record>, more: String) {
    let and = |condition: String| match condition.contains(&more) {
        true => condition,
        false => format!("{condition} and {more}"),
    };
    ending.verdict = match std::mem::take(&mut ending.verdict) {
        Verdict::Proved(_) => Verdict::If(more.clone()),
        Verdict::If(condition) => Verdict::If(and(condition)),
        other => other,
    };
    ending.given = Some(ending.given.take().map_or(more.clone(), and));
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
    let asked = match heuristic.and_then(Heuristic::own) {
        Some(Heuristic::Named(_)) => contract.named_heuristic,
        Some(_) => contract.heuristic,
        None => None,
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
