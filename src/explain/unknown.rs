//! Calls of procedures that do not exist, in the texts of the program: a call in last place leaves no trace.

use super::places::functor;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap};

/// `Name/Arity` of the ball `error(existence_error(procedure, Name/Arity), _)`.
pub fn unknown_procedure(heap: &Heap, ball: Cell) -> Option<(Atom, usize)> {
    let [formal, _] = heap.match_struct::<2>(ball, atoms::ERROR)?;
    let [kind, what] = heap.match_struct::<2>(formal, atoms::EXISTENCE_ERROR)?;
    let [name, arity] = heap.match_struct::<2>(what, atoms::SLASH)?;
    heap.deref(kind).as_atom()?;
    let name = heap.deref(name).as_atom()?;
    Some((name, usize::try_from(heap.deref(arity).as_int()?).ok()?))
}

/// Where clauses call a procedure, in the order of the texts.
pub fn calls_of(m: &Machine, w: &World, name: Atom, arity: usize) -> Vec<(Source, Span)> {
    let mut calls: Vec<(Source, Span)> = Vec::new();
    for clause in &m.program.clauses {
        let Some(place) = clause.place.as_ref().filter(|_| clause.died == u64::MAX) else {
            continue;
        };
        let Some(source) = w.loader.sources.get(place.source as usize) else { continue };
        for &(slot, span) in &place.goals {
            let cells = &clause.record.cells;
            let goal = cells.get(slot as usize).and_then(|&goal| functor(cells, goal));
            if goal.is_some_and(|goal| (goal.0, goal.1) == (name, arity)) {
                calls.push((source.clone(), span));
            }
        }
    }
    calls.sort_by_key(|(source, span)| (source.name.clone(), span.start));
    calls.dedup_by_key(|(source, span)| (source.name.clone(), *span));
    calls
}
