//! The engines that make plays at random as predicates.

use super::predicates::{GameArguments, find_as_asked, unify_move, unify_value};
use super::task::GameTask;
use crate::options::OF_ENGINES;
use crate::predicates::said_by;
use zug_machine::{Machine, Outcome as Answer};
use zug_options::{Row, Table, Within};
use zug_prolog::builtins::{Entry, World};
use zug_report::{GameSolution, Tried};
use zug_search::Limits;
use zug_search::game::GameEngine;
use zug_search::options::{NODES, SAMPLING, THREADS, TIME};
use zug_term::{Cell, Record};

/// The built-in under the predicates; it runs goals.
pub const TABLE: &[Entry] = &[Entry::search("$sample", 7, sample)];

/// `'$sample'(Engine, J, S, Options, Move, Value, Tried)`.
fn sample(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let name = a[0].as_atom().map(|name| m.symbols.shared(name));
    let engine = name.and_then(|name| GameEngine::by_name(&name));
    let Some(engine) = engine.filter(|engine| engine.is_sampling()) else {
        return Err(m.domain_error("engine", a[0]));
    };
    let mut task = GameTask::of(engine);
    let read = OF_ENGINES.read(m, w, a[3], &OPTIONS, &mut task);
    read.map_err(|fault| said_by(m, fault, engine.info().name, 5))?;
    let asked = GameArguments::of(m, &a[1..]);
    let (found, [mv, value, tried]) = find_as_asked(m, w, &task, &asked, [a[4], a[5], a[6]])?;
    Ok(unify_move(m, found.best.as_ref(), mv)
        && unify_value(m, &found, value)
        && unify_tried(m, &found, tried))
}

/// `played(Move, Plays, Mean, Wins, Draws, Losses)` of each move, in move order.
fn unify_tried(m: &mut Machine, found: &GameSolution<Record>, cell: Cell) -> bool {
    let played = m.symbols.intern("played");
    let mut rows = Vec::with_capacity(found.tried.len());
    for Tried { mv, visits, mean, outcomes } in &found.tried {
        let mv = mv.instantiate(&mut m.heap);
        let mean = m.heap.new_float(*mean);
        let [plays, wins, draws, losses] = [*visits, outcomes[0], outcomes[1], outcomes[2]]
            .map(|count| Cell::small(i64::try_from(count).unwrap_or(i64::MAX)));
        rows.push(m.heap.new_struct(played, &[mv, plays, mean, wins, draws, losses]));
    }
    let list = m.heap.list_from(&rows, Cell::NIL);
    m.unify(cell, list)
}

static LIMITS: [Row<Limits>; 3] = [NODES, TIME, THREADS];

/// The options.
pub(crate) static OPTIONS: Table<GameTask, Cell> = Table(&[
    &Within(&SAMPLING, |task: &mut GameTask| &mut task.sampling),
    &Within(&LIMITS, |task: &mut GameTask| &mut task.limits),
]);
