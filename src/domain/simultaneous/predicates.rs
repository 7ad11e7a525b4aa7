//! Equilibria and dominance as predicates. `simultaneous.pl` gives them the forms that users
//! call.

use super::nash::{Equilibrium, NashTask};
use super::{
    LearningResult, NashResult, Parts, SampledActions, Table, exact, find_by_learning, find_nash,
    not_two, try_actions,
};
use crate::claim::impurity_of_stages;
use crate::error::RuleError;
use crate::journal::note_condition;
use crate::options::AT_ONCE;
use crate::predicates::{limit, said_by};
use crate::{Contract, DomainKind};
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_matrix::options::{EQUILIBRIA, EquilibriumOptions, LESSONS, LearningOptions};
use zug_matrix::{Decoupled, LearningReport, MixedStrategy, Rational, Removal};
use zug_options::{Row, Rows, Table as Options, Within};
use zug_prolog::builtins::{Entry, World};
use zug_search::game::Sampling;
use zug_search::options::{EXPLORATION, NODES, PLAYOUTS, SEED, TIME};
use zug_search::{Limits, StopReason};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The built-ins under the predicates; all run goals.
pub const TABLE: &[Entry] = &[
    Entry::search("$nash", 3, nash),
    Entry::search("$dominated", 3, dominated),
    Entry::pure("$at_once", 0, at_once),
    Entry::session("$try_actions", 3, try_all),
];

/// The options of `nash/3`.
#[derive(Default)]
pub(crate) struct NashOptions {
    wanted: EquilibriumOptions,
    lessons: LearningOptions,
    limits: Limits,
}

/// The limits of all predicates here.
static LIMITS: [Row<Limits>; 2] = [NODES, TIME];
/// The state to look at, and what is found out; the library sees to them.
static FOUND: [Row<NashOptions, Cell>; 3] = [
    Row::term("state", "S", "The state to look at", |_: &mut NashOptions, _| Ok(())),
    Row::term("gains", "Gs", "What players gain by other actions", |_: &mut NashOptions, _| Ok(())),
    Row::term("exploitability", "E", "What they gain at most", |_: &mut NashOptions, _| Ok(())),
];

/// The options of nash/3.
pub(crate) static NASH: Options<NashOptions, Cell> = Options(&[
    &Within(&EQUILIBRIA, |asked: &mut NashOptions| &mut asked.wanted),
    &Within(&LESSONS, |asked: &mut NashOptions| &mut asked.lessons),
    &Within(&LIMITS, |asked: &mut NashOptions| &mut asked.limits),
    &Rows(&FOUND),
]);

/// What plays at random may use.
#[derive(Default)]
pub(crate) struct Plays {
    sampling: Sampling,
    limits: Limits,
}

static PLAYED: [Row<Sampling>; 3] = [PLAYOUTS, SEED, EXPLORATION];
static MIXTURE: [Row<Plays, Cell>; 1] =
    [Row::term("mixture", "M", "How often each action was tried", |_: &mut Plays, _| Ok(()))];

/// The options of mcts/5 where all choose at once.
pub(crate) static PLAYS: Options<Plays, Cell> = Options(&[
    &Within(&PLAYED, |plays: &mut Plays| &mut plays.sampling),
    &Within(&LIMITS, |plays: &mut Plays| &mut plays.limits),
    &Rows(&MIXTURE),
]);

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
    let mut asked = NashOptions::default();
    let read = AT_ONCE.read(m, w, a[1], &NASH, &mut asked);
    read.map_err(|fault| said_by(m, fault, "nash", 3))?;
    let NashOptions { wanted: EquilibriumOptions { all, eliminate }, lessons, limits } = asked;
    let task = NashTask { all, eliminate, limits };
    let state = state_of(m, a[0]);
    let base = m.roots.len();
    m.roots.push(a[2]);
    let found = match lessons.learning() {
        None => find_nash(m, w, state.as_ref(), &task).map(|found| {
            let NashResult { table, nash, .. } = found;
            nash.map(|nash| {
                let table = table.as_ref();
                let equilibria = nash.equilibria.iter();
                table.map_or(Vec::new(), |table| {
                    equilibria.map(|found| exact_term(m, table, found)).collect()
                })
            })
        }),
        Some(how) => {
            let learned = find_by_learning(m, w, state.as_ref(), how, &task.limits);
            learned.and_then(|learned| match learned {
                Err(reason) => Ok(Err(reason)),
                Ok((_, lesson)) if lesson.stopped().is_some() => {
                    Ok(Err(lesson.stopped().unwrap_or(StopReason::Cancelled)))
                }
                Ok((table, LearningResult::Two(learned))) => {
                    Ok(Ok(vec![learned_term(m, &table, &learned)]))
                }
                // What is played together is no strategy of each.
                Ok((table, LearningResult::Together(_))) => {
                    Err(not_two("learn(How) is", table.players.len()))
                }
            })
        }
    };
    let result = m.roots[base];
    m.roots.truncate(base);
    note_impurity(m, w);
    unify_all(m, w, found, result, "nash", 3)
}

/// Notes on what exact answers rest, if the rules may answer otherwise when they are asked again.
fn note_impurity(m: &Machine, w: &mut World) {
    let condition = Parts::of(m).and_then(|parts| impurity_of_stages(m, w, &parts));
    if let Some(condition) = condition.filter(|_| !w.experiment) {
        note_condition(w, condition);
    }
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
    let mut plays = Plays::default();
    let read = AT_ONCE.read(m, w, a[1], &PLAYS, &mut plays);
    read.map_err(|fault| said_by(m, fault, "mcts", 5))?;
    let Plays { mut sampling, limits } = plays;
    sampling.playouts = sampling.playouts.map(|plays| plays.max(1));
    let state = state_of(m, a[0]);
    let base = m.roots.len();
    m.roots.push(a[2]);
    let tried = try_actions(m, w, state.as_ref(), &sampling, &limits);
    let result = m.roots[base];
    m.roots.truncate(base);
    let rows = tried.map(|tried| match tried {
        Ok(SampledActions { found: Decoupled { stopped: Some(reason), .. }, .. }) | Err(reason) => {
            Err(reason)
        }
        Ok(tried) => Ok((0..tried.players.len()).map(|at| tried_term(m, &tried, at)).collect()),
    });
    unify_all(m, w, rows, result, "mcts", 5)
}

fn tried_term(m: &mut Machine, tried: &SampledActions, at: usize) -> Cell {
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
    let name = m.symbols.intern("eliminate");
    let kind = m.heap.new_struct(name, &[a[1]]);
    let mut asked = NashOptions::default();
    let taken = AT_ONCE.take(m, w, kind, &NASH, &mut asked);
    let fault = taken.err().map(|_| m.domain_error("option", a[1]));
    if let Some(fault) = fault {
        return Err(said_by(m, fault, "dominated", 4));
    }
    let state = state_of(m, a[0]);
    let base = m.roots.len();
    m.roots.push(a[2]);
    let task = NashTask { eliminate: asked.wanted.eliminate, ..NashTask::default() };
    let found = find_nash(m, w, state.as_ref(), &task);
    let result = m.roots[base];
    m.roots.truncate(base);
    note_impurity(m, w);
    let found = found.map(|NashResult { table, nash, .. }| {
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
