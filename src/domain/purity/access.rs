//! What a goal reads or writes of what outlives a call: facts, global variables, flags, records.

use super::goals::{Goal, is_open};
use zug_explain::{functor, resolve};
use zug_machine::{ClauseId, Machine};
use zug_term::Cell;
use zug_term::symbol::{Atom, atoms};

/// A resource that outlives a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resource {
    /// The clauses of a predicate.
    Facts(Atom, usize),
    /// Those of a predicate that is known only when it happens.
    AnyFacts,
    /// A global variable, by its name if that is known.
    Global(Option<Cell>),
    /// A counter of `flag/3`.
    Counter(Option<Cell>),
    /// Records of `recorda/3`.
    Records(Option<Cell>),
    /// Flags and operators.
    Settings,
    /// The numbers of `gensym/2`.
    Names,
}

impl Resource {
    /// Whether a write of one may change what a read of the other gives.
    pub fn meets(self, other: Resource) -> bool {
        match (self, other) {
            (Resource::AnyFacts, Resource::Facts(..) | Resource::AnyFacts)
            | (Resource::Facts(..), Resource::AnyFacts) => true,
            (Resource::Global(a), Resource::Global(b))
            | (Resource::Counter(a), Resource::Counter(b))
            | (Resource::Records(a), Resource::Records(b)) => a.is_none() || b.is_none() || a == b,
            (a, b) => a == b,
        }
    }

    /// What it is, in words.
    pub fn text(self, m: &Machine) -> String {
        let named = |what: &str, key: Option<Cell>| match key.and_then(Cell::as_atom) {
            Some(name) => format!("{what} `{}`", m.symbols.name(name)),
            None => format!("a {}", what.trim_start_matches("the ")),
        };
        match self {
            Resource::Facts(name, arity) => format!("`{}/{arity}`", m.symbols.name(name)),
            Resource::AnyFacts => "the program".to_owned(),
            Resource::Global(key) => named("the global variable", key),
            Resource::Counter(key) => named("the counter", key),
            Resource::Records(key) => named("the records of", key),
            Resource::Settings => "a flag or an operator".to_owned(),
            Resource::Names => "the counter of gensym/2".to_owned(),
        }
    }
}

/// How a goal accesses a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// What it is done with.
    pub key: Resource,
    /// Its answer depends on it.
    pub reads: bool,
    /// It changes it.
    pub writes: bool,
    /// What was there before is gone.
    pub fresh: bool,
}

/// The names that [`access`] knows.
#[cfg(test)]
pub const KNOWN: &[&str] = &[
    "assert",
    "asserta",
    "assertz",
    "retract",
    "retractall",
    "abolish",
    "clause",
    "nb_setval",
    "b_setval",
    "nb_getval",
    "b_getval",
    "nb_current",
    "flag",
    "recorda",
    "recordz",
    "recorded",
    "erase",
    "set_prolog_flag",
    "create_prolog_flag",
    "op",
    "current_prolog_flag",
    "current_op",
    "gensym",
    "reset_gensym",
];

/// What a call of a system predicate does with what outlives it.
pub fn access(m: &Machine, id: ClauseId, goal: &Goal) -> Option<Access> {
    let cells = &m.program.clauses[id as usize].record.cells;
    let first = goal.arg(cells, 0);
    let access = |key, reads, writes, fresh| Some(Access { key, reads, writes, fresh });
    let constant = || first.filter(|cell| cell.is_atom() || cell.as_int().is_some());
    match (m.symbols.name(goal.name), goal.arity) {
        ("assert" | "asserta" | "assertz", 1 | 2) => {
            access(facts(cells, first), false, true, false)
        }
        ("retract", 1) => access(facts(cells, first), true, true, false),
        ("retractall", 1) => {
            let open = first.is_some_and(|head| is_open(cells, inside(cells, head)));
            access(facts(cells, first), false, true, open)
        }
        ("abolish", 1 | 2) => access(Resource::AnyFacts, false, true, false),
        ("clause", 2) => access(facts(cells, first), true, false, false),
        ("nb_setval", 2) => access(Resource::Global(constant()), false, true, true),
        // Undone when the call is over.
        ("b_setval", 2) => access(Resource::Global(constant()), false, false, true),
        ("nb_getval" | "b_getval" | "nb_current", 2) => {
            access(Resource::Global(constant()), true, false, false)
        }
        ("flag", 3) => access(Resource::Counter(constant()), true, true, false),
        ("recorda" | "recordz", 2 | 3) => access(Resource::Records(constant()), false, true, false),
        ("recorded", 2 | 3) => access(Resource::Records(constant()), true, false, false),
        ("erase", 1) => access(Resource::Records(None), false, true, false),
        ("set_prolog_flag" | "create_prolog_flag" | "op", _) => {
            access(Resource::Settings, false, true, false)
        }
        ("current_prolog_flag" | "current_op", _) => access(Resource::Settings, true, false, false),
        ("gensym", 2) => access(Resource::Names, true, true, false),
        ("reset_gensym", 0 | 1) => access(Resource::Names, false, true, true),
        _ => None,
    }
}

/// The head of a clause, without modules.
pub(super) fn inside(cells: &[Cell], mut term: Cell) -> Cell {
    loop {
        match functor(cells, term) {
            Some((atoms::COLON, 2, args)) => term = resolve(cells, cells[args + 1]),
            Some((atoms::NECK, 2, args)) => term = resolve(cells, cells[args]),
            _ => return term,
        }
    }
}

fn facts(cells: &[Cell], term: Option<Cell>) -> Resource {
    let head = term.map(|term| inside(cells, term));
    match head.and_then(|head| functor(cells, head)) {
        Some((name, arity, _)) => Resource::Facts(name, arity),
        None => Resource::AnyFacts,
    }
}
