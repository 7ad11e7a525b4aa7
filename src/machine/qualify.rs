//! Goals that are terms, as the clauses of a unit of tests mean them.
//!
//! A goal in the body of a unit's clause is compiled in the unit's space. One that is handed on
//! as a term, as in `maplist(helper, L)`, is not: its caller knows the user's space only.
//! So the module of the unit is put before it, as a module system does with the arguments of
//! meta-predicates: `maplist(plunit_u:helper, L)`. The same is done to what is asserted.

use super::Machine;
use super::program::Program;
use rustc_hash::FxHashMap;
use zug_term::symbol::{Atom, Symbols, atoms};
use zug_term::{Cell, Heap};

/// Numbers of arguments that are goals, each with how many arguments the goal gets besides.
pub type Positions = &'static [(usize, usize)];

/// Arguments that are goals: name, arity, and for each such argument its number and how many
/// arguments the goal gets in addition.
pub const META: &[(&str, usize, Positions)] = &[
    (",", 2, &[(0, 0), (1, 0)]),
    (";", 2, &[(0, 0), (1, 0)]),
    ("|", 2, &[(0, 0), (1, 0)]),
    ("->", 2, &[(0, 0), (1, 0)]),
    ("*->", 2, &[(0, 0), (1, 0)]),
    ("\\+", 1, &[(0, 0)]),
    ("not", 1, &[(0, 0)]),
    ("call", 1, &[(0, 0)]),
    ("call", 2, &[(0, 1)]),
    ("call", 3, &[(0, 2)]),
    ("call", 4, &[(0, 3)]),
    ("call", 5, &[(0, 4)]),
    ("call", 6, &[(0, 5)]),
    ("call", 7, &[(0, 6)]),
    ("call", 8, &[(0, 7)]),
    ("call", 9, &[(0, 8)]),
    ("call", 10, &[(0, 9)]),
    ("call", 11, &[(0, 10)]),
    ("call", 12, &[(0, 11)]),
    ("call", 13, &[(0, 12)]),
    ("call", 14, &[(0, 13)]),
    ("call", 15, &[(0, 14)]),
    ("call", 16, &[(0, 15)]),
    ("once", 1, &[(0, 0)]),
    ("ignore", 1, &[(0, 0)]),
    ("forall", 2, &[(0, 0), (1, 0)]),
    ("findall", 3, &[(1, 0)]),
    ("freeze", 2, &[(1, 0)]),
    ("when", 2, &[(1, 0)]),
    ("call_residue_vars", 2, &[(0, 0)]),
    ("findall", 4, &[(1, 0)]),
    ("bagof", 3, &[(1, 0)]),
    ("setof", 3, &[(1, 0)]),
    ("^", 2, &[(1, 0)]),
    ("aggregate_all", 3, &[(1, 0)]),
    ("aggregate_all", 4, &[(2, 0)]),
    ("catch", 3, &[(0, 0), (2, 0)]),
    ("call_cleanup", 2, &[(0, 0), (1, 0)]),
    ("setup_call_cleanup", 3, &[(0, 0), (1, 0), (2, 0)]),
    ("call_with_time_limit", 2, &[(1, 0)]),
    ("call_with_inference_limit", 3, &[(0, 0)]),
    ("call_with_depth_limit", 3, &[(0, 0)]),
    ("with_output_to", 2, &[(1, 0)]),
    ("assertion", 1, &[(0, 0)]),
    ("time", 1, &[(0, 0)]),
    ("why", 1, &[(0, 0)]),
    ("why_not", 1, &[(0, 0)]),
    ("maplist", 2, &[(0, 1)]),
    ("maplist", 3, &[(0, 2)]),
    ("maplist", 4, &[(0, 3)]),
    ("maplist", 5, &[(0, 4)]),
    ("maplist", 6, &[(0, 5)]),
    ("foldl", 4, &[(0, 3)]),
    ("foldl", 5, &[(0, 4)]),
    ("foldl", 6, &[(0, 5)]),
    ("include", 3, &[(0, 1)]),
    ("exclude", 3, &[(0, 1)]),
    ("partition", 4, &[(0, 1)]),
    ("partition", 6, &[(0, 2)]),
    ("convlist", 3, &[(0, 2)]),
    ("predsort", 3, &[(0, 3)]),
    ("phrase", 2, &[(0, 2)]),
    ("phrase", 3, &[(0, 2)]),
];

/// Predicates whose first argument is a clause, a head or a predicate's name and arity.
pub const CHANGES: &[(&str, usize)] = &[
    ("assert", 1),
    ("asserta", 1),
    ("assertz", 1),
    ("retract", 1),
    ("retractall", 1),
    ("abolish", 1),
    ("dynamic", 1),
    ("discontiguous", 1),
    ("multifile", 1),
    ("clause", 2),
    ("predicate_property", 2),
    ("current_predicate", 1),
];

/// The tables by atom.
#[derive(Clone, Debug, Default)]
pub struct MetaTable {
    goals: FxHashMap<(Atom, usize), Positions>,
    changes: rustc_hash::FxHashSet<(Atom, usize)>,
    lambda: Option<Atom>,
    free: Option<Atom>,
}

/// Which arguments of a predicate of the system are goals, and how many arguments are added to each
/// when it is called.
pub fn goal_arguments(name: &str, arity: usize) -> Option<&'static [(usize, usize)]> {
    META.iter().find(|&&(known, count, _)| known == name && count == arity).map(|&(_, _, at)| at)
}

impl MetaTable {
    /// The tables for these symbols.
    pub fn new(symbols: &mut Symbols) -> MetaTable {
        MetaTable {
            goals: META.iter().map(|&(n, a, at)| ((symbols.intern(n), a), at)).collect(),
            changes: CHANGES.iter().map(|&(n, a)| (symbols.intern(n), a)).collect(),
            lambda: Some(symbols.intern(">>")),
            free: Some(atoms::SLASH),
        }
    }
}

/// What becomes of a goal.
#[derive(Clone, Copy, PartialEq)]
enum GoalUse {
    /// It is compiled in the unit's space: only what it hands on is changed.
    Compiled,
    /// It is called as a term.
    Called,
    /// It is called as a term with this many arguments more.
    Closure(usize),
    /// It is asserted, or names what is.
    Clause,
}

/// Cells that moved: the address of an argument before and after.
pub type Moved = Vec<(usize, usize)>;

impl Program {
    /// A body of the unit of this module, with what it hands on under the module's name.
    pub fn qualified_body(&self, heap: &mut Heap, body: Cell, module: Atom) -> (Cell, Moved) {
        qualify(&self.meta, heap, body, module, GoalUse::Compiled)
    }
}

impl Machine {
    /// The arguments of a goal that is called in the space of a unit, as the unit means them:
    /// the goal, and the `extra` arguments in X from 1.
    pub(super) fn qualify_call(&mut self, goal: Cell, extra: usize, module: Atom) -> Cell {
        let table = &self.program.meta;
        let Some((name, arity, _)) = self.heap.name_arity(goal) else { return goal };
        let key = (name, arity + extra);
        let beyond: Vec<(usize, GoalUse)> = match table.goals.get(&key) {
            Some(positions) => positions
                .iter()
                .filter(|(at, _)| *at >= arity)
                .map(|&(at, more)| (at - arity + 1, GoalUse::Closure(more)))
                .collect(),
            None if table.changes.contains(&key) && arity == 0 => vec![(1, GoalUse::Clause)],
            None => Vec::new(),
        };
        for (register, way) in beyond {
            let cell = self.x[register];
            self.x[register] = qualify(&self.program.meta, &mut self.heap, cell, module, way).0;
        }
        let known = table_has(&self.program.meta, key);
        if !known || arity == 0 {
            return goal;
        }
        // The goal itself is called in the unit's space already.
        inside(&self.program.meta, &mut self.heap, goal, extra, module)
    }
}

fn table_has(table: &MetaTable, key: (Atom, usize)) -> bool {
    table.goals.contains_key(&key) || table.changes.contains(&key)
}

/// A goal whose arguments are put under a module; control constructs get it before each part.
fn inside(table: &MetaTable, heap: &mut Heap, goal: Cell, extra: usize, module: Atom) -> Cell {
    let Some((name, arity, args)) = heap.name_arity(goal) else { return goal };
    let copied: Vec<Cell> = (0..arity).map(|i| heap.deref(heap.at(args + i))).collect();
    let new = heap.new_struct(name, &copied);
    let mut todo = Vec::new();
    arguments(table, (name, arity + extra), arity, GoalUse::Called, |at, way| {
        todo.push((new.addr() + 1 + at, way));
    });
    for (slot, way) in todo {
        let cell = heap.at(slot);
        let changed = qualify(table, heap, cell, module, way).0;
        heap.set(slot, changed);
    }
    new
}

/// Tells of the arguments of a goal that are goals or clauses themselves.
fn arguments(
    table: &MetaTable,
    key: (Atom, usize),
    own: usize,
    way: GoalUse,
    mut tell: impl FnMut(usize, GoalUse),
) {
    if let Some(positions) = table.goals.get(&key) {
        for &(at, more) in positions.iter().filter(|(at, _)| *at < own) {
            let stays = way == GoalUse::Compiled && is_in_place(key);
            let how = match more {
                0 if stays => GoalUse::Compiled,
                0 => GoalUse::Called,
                more => GoalUse::Closure(more),
            };
            tell(at, how);
        }
    } else if table.changes.contains(&key) && own > 0 {
        tell(0, GoalUse::Clause);
    }
}

/// Control constructs.
fn is_control(key: (Atom, usize)) -> bool {
    matches!(
        key,
        (atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW, 2)
    )
}

/// What the compiler takes apart, so that its goals are compiled too.
fn is_in_place(key: (Atom, usize)) -> bool {
    is_control(key)
        || matches!(
            key,
            (atoms::NOT_PROVABLE | atoms::NOT | atoms::ONCE | atoms::IGNORE, 1)
                | (atoms::FORALL, 2)
        )
}

/// A goal, closure or clause as clauses of a module mean it. Nodes that change are copied.
fn qualify(
    table: &MetaTable,
    heap: &mut Heap,
    goal: Cell,
    module: Atom,
    way: GoalUse,
) -> (Cell, Moved) {
    let mut moved = Vec::new();
    let root = heap.push(heap.deref(goal));
    let mut todo = vec![(root, way)];
    while let Some((slot, way)) = todo.pop() {
        let cell = heap.deref(heap.at(slot));
        let named = |heap: &mut Heap, cell: Cell| {
            heap.new_struct(atoms::COLON, &[Cell::atom(module), cell])
        };
        if cell.is_var() {
            // A variable: whatever it stands for then.
            let cell = named(heap, cell);
            let cell = match way {
                GoalUse::Compiled => heap.new_struct(atoms::CALL, &[cell]),
                _ => cell,
            };
            heap.set(slot, cell);
            continue;
        }
        let Some((name, arity, args)) = heap.name_arity(cell) else { continue };
        if name == atoms::COLON && arity == 2 {
            continue;
        }
        if way == GoalUse::Clause {
            let cell = named(heap, cell);
            heap.set(slot, cell);
            continue;
        }
        let extra = if let GoalUse::Closure(more) = way { more } else { 0 };
        if matches!(way, GoalUse::Closure(_))
            && let Some(body) = lambda_body(table, (name, arity))
        {
            let new = copy(heap, name, arity, args, &mut moved);
            heap.set(slot, new);
            let inner = if body == 1 { GoalUse::Called } else { way };
            todo.push((new.addr() + 1 + 1, inner));
            continue;
        }
        let key = (name, arity + extra);
        if table_has(table, key) && arity > 0 {
            let new = copy(heap, name, arity, args, &mut moved);
            arguments(table, key, arity, way, |at, how| todo.push((new.addr() + 1 + at, how)));
            heap.set(slot, new);
            continue;
        }
        let bare =
            way == GoalUse::Compiled || matches!((name, arity), (atoms::TRUE | atoms::CUT, 0));
        if !bare {
            let cell = named(heap, cell);
            heap.set(slot, cell);
        }
    }
    (heap.at(root), moved)
}

/// Whether a closure is a lambda expression: 1 if its second argument is the body, 2 if that
/// is a lambda expression again.
fn lambda_body(table: &MetaTable, key: (Atom, usize)) -> Option<usize> {
    match key {
        (name, 2) if Some(name) == table.lambda => Some(1),
        (name, 2) if Some(name) == table.free => Some(2),
        _ => None,
    }
}

fn copy(heap: &mut Heap, name: Atom, arity: usize, args: usize, moved: &mut Moved) -> Cell {
    let cells: Vec<Cell> = (0..arity).map(|i| heap.deref(heap.at(args + i))).collect();
    let new = heap.new_struct(name, &cells);
    moved.extend((0..arity).map(|i| (args + i, new.addr() + 1 + i)));
    new
}
