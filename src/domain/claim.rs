//! Verdicts on results, and the conditions they rest on.
//!
//! An engine knows whether a heuristic went into what it claims
//! ([`Claim`](zug_search::Claim)); where that heuristic comes from, and whether the rules are
//! functions of the state at all, is known here. A [`Verdict`] says "proved" only where nothing
//! has to be taken on trust.

use super::contract::{Contract, DomainKind, Heuristic};
use super::game::{Role, Roles};
use super::memory::{Stamp, cache, impurity_notes, stamp};
use super::purity::{Category, ImpurePredicate, survey};
use super::simultaneous::Parts;
use zug_machine::{ImpurityNotes, Machine, PredId};
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
    let derived = informed.is_some_and(Heuristic::is_admissible);
    let relaxed = informed.filter(|heuristic| matches!(heuristic, Heuristic::Relaxed(_)));
    // An inadmissible relaxation bounds no costs.
    if relaxed.is_some() && !derived && found.outcome() != Outcome::Exhausted {
        (found.factor, found.lower_bound) = (None, None);
        if found.ending.claim == Claim::IfAdmissible {
            found.ending.claim = Claim::Nothing;
        }
    }
    let admissible = informed.filter(|_| !derived && relaxed.is_none()).map(|heuristic| {
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

/// Why answers of the rules may depend on more than the state, as a condition: those that a search of a program's
/// kind rests on, with this heuristic of a puzzle.
///
/// Predicates that only keep answers, and facts that nobody changes, are no reason.
pub fn impurity(
    m: &Machine,
    w: &mut World,
    contract: &Contract,
    heuristic: Option<Heuristic>,
) -> Option<String> {
    let kind = contract.kind();
    match (kind, &contract.game, &contract.together) {
        (DomainKind::Game, Some(roles), _) => impurity_of_game(m, w, roles),
        (DomainKind::Simultaneous, _, Some(parts)) => impurity_of_stages(m, w, parts),
        (DomainKind::Model, ..) => impurity_of_model(m, w, contract),
        _ => {
            let asked = match heuristic.and_then(Heuristic::own) {
                Some(Heuristic::Named(_)) => contract.named_heuristic,
                Some(_) => contract.heuristic,
                None => None,
            };
            let asked = [contract.rule, contract.goal, asked];
            impurity_among(m, w, DomainKind::Puzzle, &asked)
        }
    }
}

/// As [`impurity`], of values that are found from the ends of a game.
pub fn impurity_of_game(m: &Machine, w: &mut World, roles: &Roles) -> Option<String> {
    let role = |role: Option<Role>| role.map(|role| role.pred);
    let asked = [
        Some(roles.moves.pred),
        role(roles.terminal),
        // Without a utility the heuristic says what ends are worth.
        role(roles.utility.or(roles.heuristic)),
        roles.opponent,
        roles.to_move,
        roles.symmetry,
        roles.probability,
        roles.utility_bounds,
    ];
    impurity_among(m, w, DomainKind::Game, &asked)
}

/// As [`impurity`], of a simultaneous-move game.
pub fn impurity_of_stages(m: &Machine, w: &mut World, parts: &Parts) -> Option<String> {
    let terminal = parts.terminal.map(|role| role.pred);
    let asked =
        [parts.players, parts.action, parts.payoff, parts.joint_move, terminal, parts.utility];
    impurity_among(m, w, DomainKind::Simultaneous, &asked)
}

/// As [`impurity`], of the initial states of a program, and of who moves first in a game.
pub fn impurity_of_start(m: &Machine, w: &mut World, contract: &Contract) -> Option<String> {
    let first = contract.game.as_ref().and_then(|roles| roles.initial_player);
    let asked = [contract.initial, contract.named_initial, first];
    let known = known_conditions(m, w, contract.kind());
    let condition = known.conditions.iter().find(|(pred, _)| asked.contains(&Some(*pred)));
    let condition = condition.map(|(_, condition)| condition.clone());
    keep_conditions(m, w, contract.kind(), known);
    condition
}

/// As [`impurity`], of the model in a program.
pub fn impurity_of_model(m: &Machine, w: &mut World, contract: &Contract) -> Option<String> {
    let models = [contract.model, contract.named_model];
    let objectives = [contract.objective, contract.named_objective];
    impurity_among(m, w, DomainKind::Model, &[models, objectives].concat())
}

/// The condition on the first of these predicates that is no function of its arguments, by its clauses or by what goals
/// in searches did.
fn impurity_among(
    m: &Machine,
    w: &mut World,
    kind: DomainKind,
    asked: &[Option<PredId>],
) -> Option<String> {
    let known = known_conditions(m, w, kind);
    let mut by_name = known.conditions.iter();
    let by_name = by_name.find(|(pred, _)| asked.contains(&Some(*pred)));
    let condition = by_name.map(|(_, condition)| condition.clone()).or_else(|| {
        let ImpurityNotes { mut evaluated, called } = impurity_notes(m, w);
        if known.has_unknown {
            evaluated.join(called);
        }
        let source = evaluated.iter().map(Category::Impure).next()?.words();
        Some(format!(
            "the rules always give the same answers; a goal known only when it is called depends on {source}"
        ))
    });
    keep_conditions(m, w, kind, known);
    condition
}

/// What the clauses say about the purity of a program's contract predicates, from memory if the program is the same.
///
/// PERF: rules that call engines ask again and again; it goes back by [`keep_conditions`].
fn known_conditions(m: &Machine, w: &mut World, kind: DomainKind) -> Conditions {
    let now = stamp(m, w);
    let known = cache::<KnownConditions>(w).take_if(|(then, of, _)| (*then, *of) == (now, kind));
    known.map_or_else(|| conditions(m, w, kind), |(_, _, known)| known)
}

fn keep_conditions(m: &Machine, w: &mut World, kind: DomainKind, known: Conditions) {
    let now = stamp(m, w);
    *cache::<KnownConditions>(w) = Some((now, kind, known));
}

/// The conditions of the program and the kind of domain asked about last.
type KnownConditions = Option<(Stamp, DomainKind, Conditions)>;

/// The contract predicates that are no functions of the state.
#[derive(Default)]
struct Conditions {
    /// Each with what has to be so.
    conditions: Vec<(PredId, String)>,
    /// Some goals that they reach are known only when they are called.
    has_unknown: bool,
}

/// What the clauses of a program say about the purity of its contract predicates.
fn conditions(m: &Machine, w: &World, kind: DomainKind) -> Conditions {
    let found = survey(m, w, kind);
    let condition = |impurity: &ImpurePredicate| {
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
    Conditions {
        conditions: found.impurities.iter().filter_map(condition).collect(),
        has_unknown: found.has_unknown,
    }
}
