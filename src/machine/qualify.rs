//! Goals that are terms, as the clauses of a module mean them.
//!
//! A goal in the body of a module's clause is compiled in the module's space. A goal passed on as a term, as in
//! `maplist(helper, L)`, is called by somebody who knows the user's space only. So it gets the module before it, as
//! in SWI-Prolog: `maplist(m:helper, L)`; so do asserted clauses. The user's own meta-predicates are those of
//! `meta_predicate/1`, and only for callers outside of their module: within it a goal means the same with its module
//! and without.

use super::clause::{Space, is_connective};
use super::meta::MetaTable;
use super::{Machine, Program};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap};

/// What becomes of a goal.
#[derive(Clone, Copy, PartialEq)]
enum GoalUse {
    /// It is compiled in the module's space: only what it hands on is changed.
    Compiled,
    /// It is called as a term.
    Called,
    /// It is called as a term with this many arguments more.
    Closure(usize),
    /// It is called in its space already, with this many arguments more: only its own arguments are changed.
    Inside(usize),
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
        qualifier.qualify(&mut self.heap, goal, GoalUse::Inside(extra)).0
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
        if is_connective(key.0) && key.1 == 2 {
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
            let extra = match way {
                GoalUse::Closure(more) | GoalUse::Inside(more) => more,
                _ => 0,
            };
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
            let bare = matches!(way, GoalUse::Compiled | GoalUse::Inside(_))
                || matches!((name, arity), (atoms::TRUE | atoms::CUT, 0));
            if !bare {
                let cell = heap.deref(heap.at(slot));
                let cell = named(heap, cell);
                heap.set(slot, cell);
            }
        }
        (heap.at(root), moved)
    }
}

/// What the compiler takes apart, so that its goals are compiled too.
fn is_in_place(key: (Atom, usize)) -> bool {
    is_connective(key.0) && key.1 == 2
        || matches!(
            key,
            (atoms::NOT_PROVABLE | atoms::NOT | atoms::ONCE | atoms::IGNORE, 1)
                | (atoms::FORALL, 2)
        )
}

/// Whether a closure is a lambda expression: 1 with the body as its second argument, 2 with another lambda.
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
