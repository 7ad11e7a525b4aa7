//! Engines: coroutines with stacks of their own, which give one answer at a time (SWI-Prolog's `engine_create/4`).
//!
//! An engine has a machine, which borrows the program and the atoms of its caller while it runs: all engines share the
//! clauses. Terms are copied between them. `engine_yield/1` is written in Prolog, by
//! delimited continuations.

use super::{Entry, OrFault, World, args};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use zug_machine::{Machine, Outcome, Run};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::session("$engine_create", 3, create),
    Entry::session("engine_next", 2, next),
    Entry::session("engine_destroy", 1, destroy),
    Entry::session("$engine_post", 2, post),
    Entry::session("$engine_fetch", 1, fetch),
    Entry::session("engine_self", 1, own),
    Entry::session("is_engine", 1, is_engine),
    Entry::session("$engines", 1, engines),
];

/// An engine at rest.
struct Engine {
    machine: Box<Machine>,
    /// `'$engine_answers'(Template, Goal, Answer)`, until it is asked for the first answer.
    goal: Option<Record>,
    run: Option<Run>,
}

/// The engines of a session.
#[derive(Default)]
struct Engines {
    all: BTreeMap<u64, Engine>,
    last: u64,
    /// Those that run, the innermost last.
    running: Vec<u64>,
    names: FxHashMap<Atom, u64>,
    /// Terms that were posted and not fetched yet.
    posted: FxHashMap<u64, Record>,
}

impl Engines {
    fn is_there(&self, number: u64) -> bool {
        self.all.contains_key(&number) || self.running.contains(&number)
    }

    /// Forgets an engine that is at rest.
    fn forget(&mut self, m: &mut Machine, number: u64) {
        if self.all.remove(&number).is_some() {
            m.program.engines -= 1;
        }
        self.posted.remove(&number);
        self.names.retain(|_, known| *known != number);
    }
}

/// The name of an engine, or `'$engine'(Number)`.
fn handle(m: &mut Machine, w: &mut World, number: u64) -> Cell {
    let engines = w.slots.get_mut::<Engines>();
    let name = engines.names.iter().find(|(_, known)| **known == number);
    match name {
        Some((&name, _)) => Cell::atom(name),
        None => args::compound(m, "$engine", &[Cell::small(number as i64)]),
    }
}

/// The number of an engine that is there.
fn resolve(m: &mut Machine, w: &mut World, cell: Cell) -> OrFault<u64> {
    let cell = m.heap.deref(cell);
    args::bound(m, cell)?;
    let functor = m.symbols.intern("$engine");
    let engines = w.slots.get_mut::<Engines>();
    let number = match (cell.as_atom(), m.heap.match_struct::<1>(cell, functor)) {
        (Some(name), _) => engines.names.get(&name).copied(),
        (None, Some([number])) => {
            m.heap.deref(number).as_int().and_then(|number| u64::try_from(number).ok())
        }
        (None, None) => return Err(m.type_error("engine", cell)),
    };
    number
        .filter(|&number| engines.is_there(number))
        .ok_or_else(|| m.existence_error("engine", cell))
}

/// `'$engine_create'(Goal, Alias, Engine)`: Goal is `'$engine_answers'(Template, Goal, Answer)`; Alias is `[]` for none.
fn create(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let goal = Record::new(&mut m.heap, a[0]);
    let name = m.heap.deref(a[1]).as_atom().filter(|&name| name != atoms::NIL);
    if let Some(name) = name
        && w.slots.get_mut::<Engines>().names.contains_key(&name)
    {
        return Err(m.permission_error("create", "engine", a[1]));
    }
    let machine = Box::new(m.for_engine());
    m.program.engines += 1;
    let engines = w.slots.get_mut::<Engines>();
    engines.last += 1;
    let number = engines.last;
    engines.all.insert(number, Engine { machine, goal: Some(goal), run: None });
    if let Some(name) = name {
        engines.names.insert(name, number);
    }
    let handle = handle(m, w, number);
    Ok(m.unify(a[2], handle))
}

/// `engine_next(Engine, Term)`: the next answer; fails, and destroys the engine, if there is none.
fn next(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let number = resolve(m, w, a[0])?;
    let engines = w.slots.get_mut::<Engines>();
    let Some(mut engine) = engines.all.remove(&number) else {
        return Err(m.permission_error("resume", "engine", a[0]));
    };
    engines.running.push(number);
    let (names, roots) = (std::mem::take(&mut w.query_names), std::mem::take(&mut w.query_roots));
    let found = answer(m, w, &mut engine);
    (w.query_names, w.query_roots) = (names, roots);
    let engines = w.slots.get_mut::<Engines>();
    engines.running.pop();
    engines.all.insert(number, engine);
    match found {
        Ok(Some(term)) => {
            let term = term.instantiate(&mut m.heap);
            Ok(m.unify(a[1], term))
        }
        Ok(None) => {
            forget(m, w, number);
            Ok(false)
        }
        Err(fault) => {
            forget(m, w, number);
            Err(fault)
        }
    }
}

fn forget(m: &mut Machine, w: &mut World, number: u64) {
    let mut engines = std::mem::take(w.slots.get_mut::<Engines>());
    engines.forget(m, number);
    w.slots.put(engines);
}

/// Runs an engine up to its next answer.
fn answer(m: &mut Machine, w: &mut World, engine: &mut Engine) -> OrFault<Option<Record>> {
    let own = &mut *engine.machine;
    std::mem::swap(&mut m.program, &mut own.program);
    std::mem::swap(&mut m.symbols, &mut own.symbols);
    (own.deadline, own.interrupt) = (m.deadline, m.interrupt.clone());
    own.inference_limit =
        own.inferences().saturating_add(m.inference_limit.saturating_sub(m.inferences()));
    let outcome = match (engine.run, engine.goal.take()) {
        (Some(run), _) => own.redo(w, run),
        (None, Some(goal)) => {
            let goal = goal.instantiate(&mut own.heap);
            own.roots.push(goal);
            let (run, outcome) = own.solve(w, goal);
            engine.run = Some(run);
            outcome
        }
        (None, None) => Ok(false),
    };
    let found = outcome.map(|is_true| {
        let goal = own.roots.first().copied().filter(|_| is_true)?;
        let (_, _, arguments) = own.heap.name_arity(goal)?;
        let term = own.heap.at(arguments + 2);
        Some(Record::new(&mut own.heap, term))
    });
    std::mem::swap(&mut m.symbols, &mut own.symbols);
    std::mem::swap(&mut m.program, &mut own.program);
    m.count_also(own);
    found
}

fn destroy(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let number = resolve(m, w, a[0])?;
    if w.slots.get_mut::<Engines>().running.contains(&number) {
        return Err(m.permission_error("destroy", "engine", a[0]));
    }
    forget(m, w, number);
    Ok(true)
}

/// `'$engine_post'(Engine, Term)`.
fn post(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let number = resolve(m, w, a[0])?;
    if w.slots.get_mut::<Engines>().posted.contains_key(&number) {
        return Err(m.permission_error("post_to", "engine", a[0]));
    }
    let term = Record::new(&mut m.heap, a[1]);
    w.slots.get_mut::<Engines>().posted.insert(number, term);
    Ok(true)
}

/// `'$engine_fetch'(Term)`: what was posted to the engine that runs; fails if nothing was.
fn fetch(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let engines = w.slots.get_mut::<Engines>();
    let number = engines.running.last().copied();
    let Some(term) = number.and_then(|number| engines.posted.remove(&number)) else {
        return Ok(false);
    };
    let term = term.instantiate(&mut m.heap);
    Ok(m.unify(a[0], term))
}

fn own(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let Some(number) = w.slots.get_mut::<Engines>().running.last().copied() else {
        return Ok(false);
    };
    let handle = handle(m, w, number);
    Ok(m.unify(a[0], handle))
}

fn is_engine(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    args::bound(m, a[0])?;
    Ok(resolve(m, w, a[0]).is_ok())
}

/// `'$engines'(List)`: all engines.
fn engines(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let engines = w.slots.get_mut::<Engines>();
    let mut numbers: Vec<u64> = engines.all.keys().chain(&engines.running).copied().collect();
    numbers.sort_unstable();
    let handles: Vec<Cell> = numbers.into_iter().map(|number| handle(m, w, number)).collect();
    Ok(args::unify_list(m, a[0], &handles))
}
