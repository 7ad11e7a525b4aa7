//! The engines that make plays at random as predicates.

use super::predicates::{Asked, find_as_asked, unify_move, unify_value};
use super::task::GameTask;
use crate::predicates::{bad_option, each_option, quantity, said_by};
use std::time::Duration;
use zug_machine::{Fault, Machine, Outcome as Answer};
use zug_prolog::builtins::World;
use zug_report::{GameSolution, Tried};
use zug_search::game::GameEngine;
use zug_term::{Cell, Record};

/// `'$sample'(Engine, J, S, Options, Move, Value, Tried)`.
pub(super) fn sample(m: &mut Machine, w: &mut World, a: &[Cell]) -> Answer {
    let name = a[0].as_atom().map(|name| m.symbols.shared(name));
    let engine = name.and_then(|name| GameEngine::by_name(&name));
    let Some(engine) = engine.filter(|engine| engine.is_sampling()) else {
        return Err(m.domain_error("engine", a[0]));
    };
    let mut task = GameTask::of(engine);
    let read = read_options(m, &mut task, a[3]);
    read.map_err(|fault| said_by(m, fault, engine.info().name, 5))?;
    let asked = Asked::of(m, &a[1..]);
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

fn read_options(m: &mut Machine, task: &mut GameTask, list: Cell) -> Result<(), Fault> {
    each_option(m, list, |m, item, name, value| {
        let number = quantity(m, item, value)?;
        let sampling = &mut task.sampling;
        match name {
            "playouts" => sampling.playouts = Some(number as u64),
            "seed" => sampling.seed = number as u64,
            "exploration" => sampling.exploration = number,
            "rave" => sampling.rave = Some(number).filter(|equal| *equal > 0.0),
            "cutoff" => sampling.cutoff = Some(number as u32),
            "nodes" => task.limits.nodes = Some(number as u64),
            "time" => task.limits.time = Duration::try_from_secs_f64(number).ok(),
            _ => return Err(bad_option(m, item)),
        }
        Ok(())
    })
}
