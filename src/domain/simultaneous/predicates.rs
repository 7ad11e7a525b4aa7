//! Equilibria and dominance as predicates. `simultaneous.pl` gives them the forms that users
//! call.

use super::nash::{Equilibrium, NashTask};
use super::options::{Asked, count, is_limit, options, word, wrong};
use super::{
    Found, Lesson, Table, Tried, exact, find_by_learning, find_nash, not_two, try_actions,
};
use crate::error::RuleError;
use crate::predicates::{limit, quantity, said_by};
use crate::{Contract, DomainKind};
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_matrix::{
    Decoupled, Elimination, Learner, Learning, LearningReport, MixedStrategy, Rational, Removal,
};
use zug_prolog::builtins::{Entry, World};
use zug_search::game::Sampling;
use zug_search::{Limits, StopReason};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The built-ins under the predicates; all run goals.
pub const TABLE: &[Entry] = &[
    ("$nash", 3, nash),
    ("$dominated", 3, dominated),
    ("$at_once", 0, at_once),
    ("$try_actions", 3, try_all),
];

/// Rounds of learning unless others are asked for.
const ROUNDS: u64 = 10_000;

/// What an options list of nash/3 says.
struct Wanted {
    task: NashTask,
    learn: Option<Learning>,
}

fn wanted(m: &mut Machine, list: Cell) -> Result<Wanted, Fault> {
    let mut task = NashTask::default();
    let (mut learner, mut rounds, mut seed) = (None, ROUNDS, None);
    for asked in options(m, list)? {
        match &*asked.name {
            "all" => task.all = asked.value == Cell::atom(atoms::TRUE),
            "eliminate" => task.eliminate = Some(elimination(m, &asked)?),
            "learn" => learner = Some(learner_of(m, &asked)?),
            "iterations" => rounds = count(m, &asked)?.max(1),
            "seed" => seed = Some(count(m, &asked)?),
            "state" | "gains" | "exploitability" => {}
            _ if is_limit(m, &asked, &mut task.limits)? => {}
            _ => return Err(wrong(m, asked.whole)),
        }
    }
    Ok(Wanted { task, learn: learner.map(|learner| Learning { learner, rounds, seed }) })
}

fn elimination(m: &mut Machine, asked: &Asked) -> Result<Elimination, Fault> {
    match &*word(m, asked)? {
        "strict" | "true" => Ok(Elimination { weak: false, mixed: true }),
        "weak" => Ok(Elimination { weak: true, mixed: true }),
        _ => Err(wrong(m, asked.whole)),
    }
}

fn learner_of(m: &mut Machine, asked: &Asked) -> Result<Learner, Fault> {
    match &*word(m, asked)? {
        "regret" => Ok(Learner::RegretMatchingPlus),
        "fictitious" => Ok(Learner::FictitiousPlay),
        _ => Err(wrong(m, asked.whole)),
    }
}

/// An error of the rules as an exception.
pub(super) fn raise(m: &mut Machine, w: &World, error: RuleError, name: &str, arity: i64) -> Fault {
    let fault = error.into_fault(m, w);
    said_by(m, fault, name, arity)
}

/// The state in a list of one, if there is one.
pub(super) fn state_of(m: &mut Machine, list: Cell) -> Option<Record> {
    let first = m.heap.proper_list(list)?.first().copied()?;
    Some(Record::new(&mut m.heap, first))
}

/// `'$nash'(State, Options, Equilibria)`: terms `equilibrium(Strategies, Values, Gains, E)`.
fn nash(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let wanted = wanted(m, a[1]).map_err(|fault| said_by(m, fault, "nash", 3))?;
    let state = state_of(m, a[0]);
    let base = m.roots.len();
    m.roots.push(a[2]);
    let found = match wanted.learn {
        None => find_nash(m, w, state.as_ref(), &wanted.task).map(|found| {
            let Found { table, nash, .. } = found;
            nash.map(|nash| {
                let table = table.as_ref();
                let equilibria = nash.equilibria.iter();
                table.map_or(Vec::new(), |table| {
                    equilibria.map(|found| exact_term(m, table, found)).collect()
                })
            })
        }),
        Some(how) => {
            let learned = find_by_learning(m, w, state.as_ref(), how, &wanted.task.limits);
            learned.and_then(|learned| match learned {
                Err(reason) => Ok(Err(reason)),
                Ok((_, lesson)) if lesson.stopped().is_some() => {
                    Ok(Err(lesson.stopped().unwrap_or(StopReason::Cancelled)))
                }
                Ok((table, Lesson::Two(learned))) => {
                    Ok(Ok(vec![learned_term(m, &table, &learned)]))
                }
                // What is played together is no strategy of each.
                Ok((table, Lesson::Together(_))) => {
                    Err(not_two("learn(How) is", table.players.len()))
                }
            })
        }
    };
    let result = m.roots[base];
    m.roots.truncate(base);
    unify_all(m, w, found, result, "nash", 3)
}

/// Unifies the list of what was found.
fn unify_all(
    m: &mut Machine,
    w: &World,
    found: Result<Result<Vec<Cell>, zug_search::StopReason>, Box<RuleError>>,
    result: Cell,
    name: &str,
    arity: i64,
) -> Answer {
    match found {
        Ok(Ok(items)) => {
            let list = m.heap.list_from(&items, Cell::NIL);
            Ok(m.unify(result, list))
        }
        Ok(Err(reason)) => Err(limit(m, reason, name)),
        Err(error) => Err(raise(m, w, *error, name, arity)),
    }
}

fn exact_term(m: &mut Machine, table: &Table, found: &Equilibrium) -> Cell {
    let players = found.profile.iter().enumerate();
    let strategies: Vec<Cell> =
        players.map(|(player, own)| strategy_term(m, table, player, own)).collect();
    let values = exact_list(m, &found.certificate.payoffs);
    let gains = exact_list(m, &found.certificate.gains);
    equilibrium_term(m, &strategies, [values, gains, Cell::ZERO])
}

fn equilibrium_term(m: &mut Machine, strategies: &[Cell], rest: [Cell; 3]) -> Cell {
    let strategies = m.heap.list_from(strategies, Cell::NIL);
    let name = m.symbols.intern("equilibrium");
    let [values, gains, exploitability] = rest;
    m.heap.new_struct(name, &[strategies, values, gains, exploitability])
}

/// A strategy as a list of `Action-Probability`.
pub(super) fn strategy_term(
    m: &mut Machine,
    table: &Table,
    player: usize,
    own: &MixedStrategy,
) -> Cell {
    let shares: Vec<(usize, &Rational)> = own.support().collect();
    pairs(m, &table.actions[player], &shares)
}

/// Actions with their probabilities.
fn pairs(m: &mut Machine, actions: &[Record], shares: &[(usize, &Rational)]) -> Cell {
    let mut items = Vec::with_capacity(shares.len());
    for &(action, share) in shares {
        let action = actions[action].instantiate(&mut m.heap);
        let share = exact::write(&mut m.heap, share);
        items.push(m.heap.new_struct(atoms::MINUS, &[action, share]));
    }
    m.heap.list_from(&items, Cell::NIL)
}

fn exact_list(m: &mut Machine, values: &[Rational]) -> Cell {
    let items: Vec<Cell> = values.iter().map(|value| exact::write(&mut m.heap, value)).collect();
    m.heap.list_from(&items, Cell::NIL)
}

fn learned_term(m: &mut Machine, table: &Table, learned: &LearningReport) -> Cell {
    let floats = |m: &mut Machine, values: &[f64]| {
        let items: Vec<Cell> = values.iter().map(|&value| m.heap.new_float(value)).collect();
        m.heap.list_from(&items, Cell::NIL)
    };
    let mut strategies = Vec::with_capacity(2);
    for (own, actions) in learned.profile.iter().zip(&table.actions) {
        let mut items = Vec::new();
        for (&share, action) in own.iter().zip(actions).filter(|(share, _)| **share > 0.0) {
            let action = action.instantiate(&mut m.heap);
            let share = m.heap.new_float(share);
            items.push(m.heap.new_struct(atoms::MINUS, &[action, share]));
        }
        strategies.push(m.heap.list_from(&items, Cell::NIL));
    }
    let values = floats(m, &learned.payoffs);
    let gains = floats(m, &learned.gains);
    let exploitability = m.heap.new_float(learned.exploitability);
    equilibrium_term(m, &strategies, [values, gains, exploitability])
}

/// `'$try_actions'(State, Options, Tried)`: terms `tried(J, Action, Value, Mixture)`.
fn try_all(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let wanted = sampling(m, a[1]).map_err(|fault| said_by(m, fault, "mcts", 5))?;
    let state = state_of(m, a[0]);
    let base = m.roots.len();
    m.roots.push(a[2]);
    let tried = try_actions(m, w, state.as_ref(), &wanted.0, &wanted.1);
    let result = m.roots[base];
    m.roots.truncate(base);
    let rows = tried.map(|tried| match tried {
        Ok(Tried { found: Decoupled { stopped: Some(reason), .. }, .. }) | Err(reason) => {
            Err(reason)
        }
        Ok(tried) => Ok((0..tried.players.len()).map(|at| tried_term(m, &tried, at)).collect()),
    });
    unify_all(m, w, rows, result, "mcts", 5)
}

/// What an options list of mcts/5 says.
fn sampling(m: &mut Machine, list: Cell) -> Result<(Sampling, Limits), Fault> {
    let (mut sampling, mut limits) = (Sampling::default(), Limits::none());
    for asked in options(m, list)? {
        match &*asked.name {
            "playouts" => sampling.playouts = Some(count(m, &asked)?.max(1)),
            "seed" => sampling.seed = count(m, &asked)?,
            "exploration" => sampling.exploration = quantity(m, asked.whole, asked.value)?,
            "mixture" => {}
            _ if is_limit(m, &asked, &mut limits)? => {}
            _ => return Err(wrong(m, asked.whole)),
        }
    }
    Ok((sampling, limits))
}

fn tried_term(m: &mut Machine, tried: &Tried, at: usize) -> Cell {
    let own = tried.actions.get(at).map_or(&[][..], Vec::as_slice);
    let mut items = Vec::with_capacity(own.len());
    for (action, share) in own.iter().zip(tried.found.mixture(at)).filter(|(_, s)| *s > 0.0) {
        let action = action.instantiate(&mut m.heap);
        let share = m.heap.new_float(share);
        items.push(m.heap.new_struct(atoms::MINUS, &[action, share]));
    }
    let mixture = m.heap.list_from(&items, Cell::NIL);
    let player = tried.players[at].instantiate(&mut m.heap);
    let best = match tried.found.best(at).and_then(|best| own.get(best)) {
        Some(action) => action.instantiate(&mut m.heap),
        None => Cell::atom(m.symbols.intern("none")),
    };
    let value = m.heap.new_float(tried.found.values[at]);
    let name = m.symbols.intern("tried");
    m.heap.new_struct(name, &[player, best, value, mixture])
}

/// `'$dominated'(State, Kind, Removed)`: terms `removed(J, A, By)`.
fn dominated(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let kind = Asked { name: "eliminate".into(), value: m.heap.deref(a[1]), whole: a[1] };
    let which = elimination(m, &kind).map_err(|fault| said_by(m, fault, "dominated", 4))?;
    let state = state_of(m, a[0]);
    let base = m.roots.len();
    m.roots.push(a[2]);
    let task = NashTask { eliminate: Some(which), ..NashTask::default() };
    let found = find_nash(m, w, state.as_ref(), &task);
    let result = m.roots[base];
    m.roots.truncate(base);
    let found = found.map(|Found { table, nash, .. }| {
        nash.map(|nash| {
            let table = table.as_ref();
            let removed = nash.removed.iter();
            table.map_or(Vec::new(), |table| {
                removed.map(|removal| removal_term(m, table, removal)).collect()
            })
        })
    });
    unify_all(m, w, found, result, "dominated", 4)
}

fn removal_term(m: &mut Machine, table: &Table, removal: &Removal) -> Cell {
    let actions = &table.actions[removal.player];
    let player = table.players[removal.player].instantiate(&mut m.heap);
    let action = actions[removal.action].instantiate(&mut m.heap);
    let by: Vec<(usize, &Rational)> =
        removal.by.iter().map(|(action, share)| (*action, share)).collect();
    let by = pairs(m, actions, &by);
    let name = m.symbols.intern("removed");
    m.heap.new_struct(name, &[player, action, by])
}

/// `'$at_once'`: the program is a game in which all choose at once.
fn at_once(m: &mut Machine, _: &mut World, _: &[Cell]) -> Answer {
    Ok(Contract::of(m).kind() == DomainKind::Simultaneous)
}
