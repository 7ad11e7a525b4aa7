//! Watch points on states: engines report every expansion of such a state.

use super::super::{Entry, World};
use super::points::holds;
use super::print;
use zug_machine::{Machine, Outcome};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("$watch_state", 2, watch),
    Entry::session("nowatch_states", 0, |_, w, _| {
        w.tracer.watches.clear();
        Ok(true)
    }),
];

/// `'$watch_state'(Pattern, Condition)`.
fn watch(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let pair = m.heap.new_struct(atoms::MINUS, &[a[0], a[1]]);
    let watch = Record::new(&mut m.heap, pair);
    if !w.tracer.watches.contains(&watch) {
        w.tracer.watches.push(watch);
    }
    Ok(true)
}

/// Whether a state is watched: an instance of a pattern for which its condition holds.
pub fn is_watched(m: &mut Machine, w: &mut World, state: &Record) -> bool {
    m.ask(w, |ask| {
        let cell = state.instantiate(&mut ask.machine.heap);
        ask.add_root(cell);
        (0..ask.host.tracer.watches.len()).any(|at| {
            let watch = ask.host.tracer.watches[at].clone();
            let [cell] = ask.rooted();
            holds(ask.machine, ask.host, &watch, cell)
        })
    })
}

/// Says what is known of a watched state: `facts` is words behind the state.
pub fn tell(m: &mut Machine, w: &mut World, state: &Record, facts: &str) {
    let state = text(m, w, state);
    print::say(w, &format!("% watch: {state}: {facts}\n"));
}

/// A term of a search as the tracer writes terms.
pub fn text(m: &mut Machine, w: &World, term: &Record) -> String {
    m.scratch(|m| {
        let cell = term.instantiate(&mut m.heap);
        print::text(m, w, cell, false)
    })
}
