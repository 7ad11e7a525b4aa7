//! Goals that are terms, as the clauses of a module mean them.
//!
//! A goal in the body of a module's clause is compiled in the module's space. One that is handed on
//! as a term, as in `maplist(helper, L)`, is not: who calls it knows the user's space only.
//! So the module is put before it, as SWI-Prolog does with the arguments of meta-predicates:
//! `maplist(m:helper, L)`. The same is done to what is asserted. Of the user's own predicates those are meta-predicates that
//! `meta_predicate/1` says are, and only for callers outside of their module: within it a goal means the same
//! with its module and without.

use super::Machine;
use super::program::{Program, Space};
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
    ("findnsols", 4, &[(2, 0)]),
    ("findnsols", 5, &[(2, 0)]),
    ("foreach", 2, &[(0, 0), (1, 0)]),
    ("tnot", 1, &[(0, 0)]),
    ("current_table", 2, &[(0, 0)]),
    ("abolish_table_subgoals", 1, &[(0, 0)]),
    ("limit", 2, &[(1, 0)]),
    ("offset", 2, &[(1, 0)]),
    ("order_by", 2, &[(1, 0)]),
    ("distinct", 1, &[(0, 0)]),
    ("distinct", 2, &[(1, 0)]),
    ("call_nth", 2, &[(0, 0)]),
    ("reset", 3, &[(0, 0)]),
    ("engine_create", 3, &[(1, 0)]),
    ("catch_with_backtrace", 3, &[(0, 0), (2, 0)]),
    ("aggregate", 3, &[(1, 0)]),
    ("aggregate", 4, &[(2, 0)]),
    ("apply", 2, &[(0, 0)]),
    ("initialization", 1, &[(0, 0)]),
    ("initialization", 2, &[(0, 0)]),
    ("map_assoc", 2, &[(0, 1)]),
    ("map_assoc", 3, &[(0, 2)]),
    ("map_list_to_pairs", 3, &[(0, 2)]),
    ("bagof", 3, &[(1, 0)]),
    ("setof", 3, &[(1, 0)]),
    ("^", 2, &[(1, 0)]),
    ("aggregate_all", 3, &[(1, 0)]),
    ("aggregate_all", 4, &[(2, 0)]),
    ("catch", 3, &[(0, 0), (2, 0)]),
    ("$", 1, &[(0, 0)]),
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
    ("maplist", 7, &[(0, 6)]),
    ("foldl", 4, &[(0, 3)]),
    ("foldl", 5, &[(0, 4)]),
    ("foldl", 6, &[(0, 5)]),
    ("foldl", 7, &[(0, 6)]),
    ("include", 3, &[(0, 1)]),
    ("exclude", 3, &[(0, 1)]),
    ("partition", 4, &[(0, 1)]),
    ("convlist", 3, &[(0, 2)]),
    ("predsort", 3, &[(0, 3)]),
    ("phrase", 2, &[(0, 2)]),
    ("phrase", 3, &[(0, 2)]),
    ("at_halt", 1, &[(0, 0)]),
    ("checklist", 2, &[(0, 1)]),
    ("concurrent_and", 2, &[(0, 0), (1, 0)]),
    ("concurrent_and", 3, &[(0, 0), (1, 0)]),
    ("concurrent_forall", 2, &[(0, 0), (1, 0)]),
    ("concurrent_forall", 3, &[(0, 0), (1, 0)]),
    ("concurrent_maplist", 2, &[(0, 1)]),
    ("concurrent_maplist", 3, &[(0, 2)]),
    ("concurrent_maplist", 4, &[(0, 3)]),
    ("engine_create", 4, &[(1, 0)]),
    ("foldsubterms", 4, &[(0, 3)]),
    ("foldsubterms", 5, &[(0, 4)]),
    ("foreach", 4, &[(0, 0), (1, 2)]),
    ("foreach", 5, &[(0, 0), (1, 2), (2, 2)]),
    ("group_by", 4, &[(2, 0)]),
    ("mapargs", 3, &[(0, 2)]),
    ("mapsubterms", 3, &[(0, 2)]),
    ("mapsubterms_var", 3, &[(0, 2)]),
    ("max_member", 3, &[(0, 2)]),
    ("min_member", 3, &[(0, 2)]),
    ("on_exception", 3, &[(1, 0), (2, 0)]),
    ("optional", 4, &[(0, 2), (1, 2)]),
    ("partition", 5, &[(0, 2)]),
    ("phrase_from_file", 2, &[(0, 2)]),
    ("phrase_from_file", 3, &[(0, 2)]),
    ("phrase_from_stream", 2, &[(0, 2)]),
    ("profile", 1, &[(0, 0)]),
    ("profile", 2, &[(0, 0)]),
    ("rb_apply", 4, &[(2, 2)]),
    ("rb_fold", 4, &[(0, 3)]),
    ("rb_map", 2, &[(1, 1)]),
    ("rb_map", 3, &[(1, 2)]),
    ("rb_partial_map", 4, &[(2, 2)]),
    ("scanl", 4, &[(0, 3)]),
    ("scanl", 5, &[(0, 4)]),
    ("scanl", 6, &[(0, 5)]),
    ("scanl", 7, &[(0, 6)]),
    ("sequence", 4, &[(0, 3)]),
    ("sequence", 5, &[(0, 3), (1, 2)]),
    ("sequence", 7, &[(0, 2), (1, 3), (2, 2), (3, 2)]),
    ("setup_and_call_cleanup", 3, &[(0, 0), (1, 0), (2, 0)]),
    ("setup_call_catcher_cleanup", 4, &[(0, 0), (1, 0), (3, 0)]),
    ("sig_atomic", 1, &[(0, 0)]),
    ("sublist", 3, &[(0, 1)]),
    ("with_mutex", 2, &[(1, 0)]),
    ("with_output_to_chars", 2, &[(0, 0)]),
    ("with_output_to_chars", 3, &[(0, 0)]),
    ("with_output_to_chars", 4, &[(0, 0)]),
    ("with_output_to_codes", 2, &[(0, 0)]),
    ("with_output_to_codes", 3, &[(0, 0)]),
    ("with_output_to_codes", 4, &[(0, 0)]),
    ("indent_lines", 4, &[(0, 1)]),
];

/// Predicates whose first argument is a clause, a head, a predicate's name and arity, or what is to be the name of the
/// module around the goal.
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
    ("det", 1),
    ("clause", 2),
    ("clause", 3),
    ("listing", 1),
    ("table", 1),
    ("untable", 1),
    ("public", 1),
    ("volatile", 1),
    ("meta_predicate", 1),
    ("module_transparent", 1),
    ("strip_module", 3),
    ("export", 1),
    ("use_module", 1),
    ("use_module", 2),
    ("reexport", 1),
    ("reexport", 2),
    ("consult", 1),
    ("ensure_loaded", 1),
    ("load_files", 2),
    ("predicate_property", 2),
    ("current_predicate", 1),
    ("context_module", 1),
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
    /// It is compiled in the module's space: only what it hands on is changed.
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
    /// A body of a clause of this space, with what it hands on under the module's name.
    pub fn qualified_body(&self, heap: &mut Heap, body: Cell, space: Space) -> (Cell, Moved) {
        Qualifier::new(self, space).qualify(heap, body, GoalUse::Compiled)
    }

    /// A body whose goals are called in this space, wherever it stands.
    pub fn called_body(&self, heap: &mut Heap, body: Cell, space: Space) -> (Cell, Moved) {
        Qualifier::new(self, space).qualify(heap, body, GoalUse::Called)
    }

    /// Whether arguments of a goal of this space have to be qualified.
    pub(super) fn takes_goals(&self, name: Atom, arity: usize, space: Space) -> bool {
        Qualifier::new(self, space).what_it_takes((name, arity)).is_some()
    }

    /// Whether bodies of clauses of this space have to be qualified.
    pub fn qualifies(&self, space: Space) -> bool {
        match space {
            Space::System => false,
            Space::User => !self.declared.is_empty(),
            Space::Module(_) => true,
        }
    }
}

impl Machine {
    /// A body of a clause of a module as it was written: without the module before what it hands on.
    pub fn unqualified_body(&mut self, body: Cell, space: Space) -> Cell {
        if !matches!(space, Space::Module(_)) {
            return body;
        }
        let module = Cell::atom(self.program.modules.name_of(space));
        let heap = &mut self.heap;
        let root = heap.push(body);
        let mut todo = vec![root];
        while let Some(slot) = todo.pop() {
            let mut cell = heap.deref(heap.at(slot));
            while let Some([named, inner]) = heap.match_struct::<2>(cell, atoms::COLON)
                && heap.deref(named) == module
            {
                cell = heap.deref(inner);
            }
            heap.set(slot, cell);
            let Some((_, arity, args)) = heap.name_arity(cell) else { continue };
            // The clause was instantiated for this: it may be changed in its place.
            todo.extend(args..args + arity);
        }
        heap.at(root)
    }

    /// A goal that is called in a space, with its arguments and the `extra` ones in X from 1 as that space means them.
    pub(super) fn qualify_call(&mut self, goal: Cell, extra: usize, space: Space) -> Cell {
        let qualifier = Qualifier::new(&self.program, space);
        let Some((name, arity, _)) = self.heap.name_arity(goal) else { return goal };
        let key = (name, arity + extra);
        let Some(found) = qualifier.what_it_takes(key) else { return goal };
        let beyond: Vec<(usize, GoalUse)> = match found {
            Takes::Goals(positions) => positions
                .iter()
                .filter(|(at, _)| *at >= arity)
                .map(|&(at, more)| (at - arity + 1, GoalUse::Closure(more)))
                .collect(),
            Takes::Clause if arity == 0 => vec![(1, GoalUse::Clause)],
            Takes::Clause => Vec::new(),
        };
        for (register, way) in beyond {
            let cell = self.x[register];
            self.x[register] = qualifier.qualify(&mut self.heap, cell, way).0;
        }
        if arity == 0 {
            return goal;
        }
        // The goal itself is called in its space already.
        qualifier.inside(&mut self.heap, goal, key)
    }
}

/// What a predicate takes that means something in a module.
enum Takes<'a> {
    Goals(&'a [(usize, usize)]),
    Clause,
}

/// What goals mean in a space.
struct Qualifier<'a> {
    program: &'a Program,
    space: Space,
    module: Atom,
}

impl<'a> Qualifier<'a> {
    fn new(program: &'a Program, space: Space) -> Qualifier<'a> {
        Qualifier { program, space, module: program.modules.name_of(space) }
    }

    /// What the predicate that a goal means takes.
    fn what_it_takes(&self, key: (Atom, usize)) -> Option<Takes<'a>> {
        let table = &self.program.meta;
        if is_control(key) {
            return table.goals.get(&key).map(|&listed| Takes::Goals(listed));
        }
        let pred = self.program.find(key.0, key.1, self.space);
        let users = pred.filter(|&id| self.program.preds[id as usize].space.is_users());
        if let Some(id) = users {
            // In its own module a goal means the same with it and without.
            let elsewhere = self.program.preds[id as usize].space != self.space;
            let declared = self.program.declared_meta(id).filter(|_| elsewhere)?;
            return Some(Takes::Goals(declared));
        }
        if self.space == Space::User && !is_in_place(key) {
            // What the system calls for somebody is the user's.
            return None;
        }
        if let Some(&listed) = table.goals.get(&key) {
            return Some(Takes::Goals(listed));
        }
        table.changes.contains(&key).then_some(Takes::Clause)
    }

    /// A goal whose arguments are put under the module; control constructs get it before each part.
    fn inside(&self, heap: &mut Heap, goal: Cell, key: (Atom, usize)) -> Cell {
        let Some((name, arity, args)) = heap.name_arity(goal) else { return goal };
        let copied: Vec<Cell> = (0..arity).map(|i| heap.deref(heap.at(args + i))).collect();
        let new = heap.new_struct(name, &copied);
        let mut todo = Vec::new();
        self.arguments(key, arity, GoalUse::Called, |at, way| {
            todo.push((new.addr() + 1 + at, way));
        });
        for (slot, way) in todo {
            let cell = heap.at(slot);
            let changed = self.qualify(heap, cell, way).0;
            heap.set(slot, changed);
        }
        new
    }

    /// Tells of the arguments of a goal that are goals or clauses themselves; whether there may be any.
    fn arguments(
        &self,
        key: (Atom, usize),
        own: usize,
        way: GoalUse,
        mut tell: impl FnMut(usize, GoalUse),
    ) -> bool {
        match self.what_it_takes(key) {
            Some(Takes::Goals(positions)) => {
                for &(at, more) in positions.iter().filter(|(at, _)| *at < own) {
                    let stays = way == GoalUse::Compiled && is_in_place(key);
                    let how = match more {
                        0 if stays => GoalUse::Compiled,
                        0 => GoalUse::Called,
                        more => GoalUse::Closure(more),
                    };
                    tell(at, how);
                }
                true
            }
            Some(Takes::Clause) if own > 0 => {
                tell(0, GoalUse::Clause);
                true
            }
            Some(Takes::Clause) => true,
            None => false,
        }
    }

    /// A goal, closure or clause as clauses of the module mean it. Nodes that change are copied.
    fn qualify(&self, heap: &mut Heap, goal: Cell, way: GoalUse) -> (Cell, Moved) {
        let mut moved = Vec::new();
        let root = heap.push(heap.deref(goal));
        let mut todo = vec![(root, way)];
        let named = |heap: &mut Heap, cell: Cell| {
            heap.new_struct(atoms::COLON, &[Cell::atom(self.module), cell])
        };
        while let Some((slot, way)) = todo.pop() {
            let cell = heap.deref(heap.at(slot));
            if cell.is_var() {
                // A variable: whatever it stands for then.
                let cell = match way {
                    GoalUse::Compiled if self.space == Space::User => continue,
                    GoalUse::Compiled => {
                        let cell = named(heap, cell);
                        heap.new_struct(atoms::CALL, &[cell])
                    }
                    _ => named(heap, cell),
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
                && let Some(body) = lambda_body(&self.program.meta, (name, arity))
            {
                let new = copy(heap, name, arity, args, &mut moved);
                heap.set(slot, new);
                let inner = if body == 1 { GoalUse::Called } else { way };
                todo.push((new.addr() + 1 + 1, inner));
                continue;
            }
            let key = (name, arity + extra);
            let mut inner = Vec::new();
            if arity > 0 && self.arguments(key, arity, way, |at, how| inner.push((at, how))) {
                if !inner.is_empty() {
                    let new = copy(heap, name, arity, args, &mut moved);
                    todo.extend(inner.into_iter().map(|(at, how)| (new.addr() + 1 + at, how)));
                    heap.set(slot, new);
                }
                let users = self.program.is_users(key.0, key.1, self.space);
                if way == GoalUse::Compiled || !users {
                    continue;
                }
            }
            let bare =
                way == GoalUse::Compiled || matches!((name, arity), (atoms::TRUE | atoms::CUT, 0));
            if !bare {
                let cell = heap.deref(heap.at(slot));
                let cell = named(heap, cell);
                heap.set(slot, cell);
            }
        }
        (heap.at(root), moved)
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
