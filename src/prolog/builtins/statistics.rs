//! Time and memory as rules see them: `statistics/2`, `get_time/1`.

use super::{Entry, World, args};
use zug_machine::arithmetic::Clock;
use zug_machine::{Machine, Outcome};
use zug_term::Cell;

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::session("statistics", 2, statistics),
    Entry::session("get_time", 1, get_time),
    Entry::session("garbage_collect", 0, |_, _, _| Ok(true)),
    Entry::session("garbage_collect_atoms", 0, |_, _, _| Ok(true)),
    Entry::session("set_prolog_stack", 2, |_, _, _| Ok(true)),
    Entry::session("trim_stacks", 0, |_, _, _| Ok(true)),
];

/// Times of the last queries, in milliseconds: `statistics/2` reports the time since.
#[derive(Default)]
pub struct LastTimes {
    run: i64,
    wall: i64,
    real: i64,
}

/// A value of `statistics/2`.
enum Figure {
    Count(i64),
    Seconds(f64),
    /// A list: total, and since the last call or a second figure.
    Pair(i64, i64),
    List(Vec<i64>),
}

/// The time now, and since it was asked for last.
fn lap(last: &mut i64, now: i64) -> Figure {
    let since = now - *last;
    *last = now;
    Figure::Pair(now, since)
}

fn statistics(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let key = super::args::atom(m, a[0])?;
    let key = m.symbols.shared(key);
    let Some(figure) = figure(m, &mut world.laps, &key) else {
        return Err(m.domain_error("statistics_key", a[0]));
    };
    let values = match figure {
        Figure::Count(value) => {
            return Ok(args::unify_int(m, a[1], value));
        }
        Figure::Seconds(value) => {
            return Ok(args::unify_float(m, a[1], value));
        }
        Figure::Pair(total, since) => vec![total, since],
        Figure::List(values) => values,
    };
    // A shorter list takes as many values as it has elements.
    let wanted = m.heap.proper_list(a[1]).map_or(values.len(), |wanted| wanted.len());
    let value = list(m, &values[..wanted.min(values.len())]);
    Ok(m.unify(a[1], value))
}

fn list(m: &mut Machine, values: &[i64]) -> Cell {
    let items: Vec<Cell> = values.iter().map(|&value| m.heap.new_int(value)).collect();
    m.heap.list_from(&items, Cell::NIL)
}

fn figure(m: &Machine, laps: &mut LastTimes, key: &str) -> Option<Figure> {
    let clock = &m.arithmetic.clock;
    let cell = size_of::<Cell>() as i64;
    let heap = m.heap.top() as i64 * cell;
    let atoms = m.symbols.bytes() as i64;
    Some(match key {
        "runtime" | "process_runtime" => lap(&mut laps.run, (clock.cpu_seconds() * 1000.0) as i64),
        "walltime" => lap(&mut laps.wall, (clock.wall_seconds() * 1000.0) as i64),
        "real_time" => lap(&mut laps.real, Clock::unix_seconds() as i64),
        "system_time" => Figure::Pair(0, 0),
        "cputime" | "process_cputime" => Figure::Seconds(clock.cpu_seconds()),
        "epoch" => Figure::Seconds(Clock::unix_seconds() - clock.wall_seconds()),
        "inferences" => Figure::Count(m.inferences() as i64),
        "stack_limit" => Figure::Count(m.memory_limit as i64),
        "globalused" | "stack" | "global" => Figure::Count(heap),
        "localused" | "trailused" | "local" | "trail" | "engines" | "c_stack" => Figure::Count(0),
        "threads" => Figure::Count(1),
        "global_stack" | "local_stack" => Figure::Pair(heap, 0),
        "memory" | "core" | "program" => Figure::Pair(heap + atoms, 0),
        "heapused" => Figure::Count(atoms),
        "atoms" => Figure::Count(m.symbols.len() as i64),
        "atom_space" => Figure::Count(atoms),
        "predicates" | "functors" => Figure::Count(m.program.preds.len() as i64),
        "garbage_collection" => {
            let time = m.collection_time.as_millis() as i64;
            Figure::List(vec![m.collections as i64, m.collected as i64 * cell, time, 0])
        }
        "clauses" => Figure::Count(m.program.clauses.len() as i64),
        "codes" => Figure::Count(m.program.code.len() as i64),
        "errors" | "warnings" => Figure::Count(0),
        "collections" => Figure::Count(m.collections as i64),
        "collected" => Figure::Count(m.collected as i64 * cell),
        "gctime" => Figure::Seconds(m.collection_time.as_secs_f64()),
        _ => return None,
    })
}

/// `get_time(T)`: seconds since 1970, a float.
fn get_time(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    Ok(args::unify_float(m, a[0], Clock::unix_seconds()))
}

#[cfg(test)]
mod tests {
    use crate::builtins::testing::Bench;

    #[test]
    fn keys() {
        let mut bench = Bench::default();
        let keys = "runtime cputime walltime real_time inferences garbage_collection epoch";
        for key in keys.split(' ') {
            assert!(bench.run(&format!("statistics({key},X)")).starts_with("X="), "{key}");
        }
        assert!(bench.run("get_time(T)").starts_with("T="));
    }
}
