//! Goals that are terms, as the clauses of a module mean them.
//!
//! A goal in the body of a module's clause is compiled in the module's space. A goal passed on as a term, as in
//! `maplist(helper, L)`, is called by somebody who knows the user's space only. So it gets the module before it, as
//! in SWI-Prolog: `maplist(m:helper, L)`; so do asserted clauses. The user's own meta-predicates are those of
//! `meta_predicate/1`, and only for callers outside of their module: within it a goal means the same with its module
//! and without.

use super::Machine;
use super::calls::is_connective;
use super::program::{Program, Space};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use zug_term::symbol::{Atom, Symbols, atoms};
use zug_term::{Cell, Heap};

/// Numbers of arguments that are goals, each with how many arguments the goal gets besides.
pub type Positions = &'static [(usize, usize)];

/// Predicates of the system that take goals, besides `call/N`, as `meta_predicate/1` declares them: a number stands for a
/// goal that gets so many arguments besides.
const MODES: &str = r"
    ,(0,0) ;(0,0) |(0,0) ->(0,0) *->(0,0) \+(0) not(0) once(0) ignore(0) forall(0,0) findall(?,0,?)
    freeze(?,0) when(?,0) call_residue_vars(0,?) findall(?,0,?,?) findnsols(?,?,0,?)
    findnsols(?,?,0,?,?) foreach(0,0) tnot(0) current_table(0,?) abolish_table_subgoals(0)
    limit(?,0) offset(?,0) order_by(?,0) distinct(0) distinct(?,0) call_nth(0,?) reset(0,?,?)
    engine_create(?,0,?) catch_with_backtrace(0,?,0) aggregate(?,0,?) aggregate(?,?,0,?) apply(0,?)
    initialization(0) initialization(0,?) map_assoc(1,?) map_assoc(2,?,?) map_list_to_pairs(2,?,?)
    bagof(?,0,?) setof(?,0,?) ^(?,0) aggregate_all(?,0,?) aggregate_all(?,?,0,?) catch(0,?,0) $(0)
    call_cleanup(0,0) setup_call_cleanup(0,0,0) call_with_time_limit(?,0)
    call_with_inference_limit(0,?,?) call_with_depth_limit(0,?,?) with_output_to(?,0) assertion(0)
    time(0) why(0) why_not(0) maplist(1,?) maplist(2,?,?) maplist(3,?,?,?) maplist(4,?,?,?,?)
    maplist(5,?,?,?,?,?) maplist(6,?,?,?,?,?,?) foldl(3,?,?,?) foldl(4,?,?,?,?) foldl(5,?,?,?,?,?)
    foldl(6,?,?,?,?,?,?) include(1,?,?) exclude(1,?,?) partition(1,?,?,?) convlist(2,?,?)
    predsort(3,?,?) phrase(2,?) phrase(2,?,?) at_halt(0) checklist(1,?) concurrent_and(0,0)
    concurrent_and(0,0,?) concurrent_forall(0,0) concurrent_forall(0,0,?) concurrent_maplist(1,?)
    concurrent_maplist(2,?,?) concurrent_maplist(3,?,?,?) engine_create(?,0,?,?)
    foldsubterms(3,?,?,?) foldsubterms(4,?,?,?,?) foreach(0,2,?,?) foreach(0,2,2,?,?)
    group_by(?,?,0,?) mapargs(2,?,?) mapsubterms(2,?,?) mapsubterms_var(2,?,?) max_member(2,?,?)
    min_member(2,?,?) on_exception(?,0,0) optional(2,2,?,?) partition(2,?,?,?,?)
    phrase_from_file(2,?) phrase_from_file(2,?,?) phrase_from_stream(2,?) profile(0) profile(0,?)
    rb_apply(?,?,2,?) rb_fold(3,?,?,?) rb_map(?,1) rb_map(?,2,?) rb_partial_map(?,?,2,?)
    scanl(3,?,?,?) scanl(4,?,?,?,?) scanl(5,?,?,?,?,?) scanl(6,?,?,?,?,?,?) sequence(3,?,?,?)
    sequence(3,2,?,?,?) sequence(2,3,2,2,?,?,?) setup_and_call_cleanup(0,0,0)
    setup_call_catcher_cleanup(0,0,?,0) sig_atomic(0) sublist(1,?,?) with_mutex(?,0)
    with_output_to_chars(0,?) with_output_to_chars(0,?,?) with_output_to_chars(0,?,?,?)
    with_output_to_codes(0,?) with_output_to_codes(0,?,?) with_output_to_codes(0,?,?,?)
    indent_lines(1,?,?,?)
";

/// Arguments that are goals: name, arity, and for each such argument its number and how many
/// arguments the goal gets in addition.
pub static META: LazyLock<Vec<(&str, usize, Positions)>> = LazyLock::new(|| {
    let calls = (0..16).map(|more| ("call", more + 1, vec![(0, more)]));
    let declared = MODES.split_whitespace().map(|declaration| {
        let (name, modes) = declaration.rsplit_once('(').expect("a declaration has modes");
        let modes: Vec<&str> = modes.trim_end_matches(')').split(',').collect();
        let goal = |(at, mode): (usize, &&str)| Some((at, mode.parse().ok()?));
        (name, modes.len(), modes.iter().enumerate().filter_map(goal).collect())
    });
    let all = calls.chain(declared);
    all.map(|(name, arity, goals)| (name, arity, &*goals.leak())).collect()
});

/// Predicates whose first argument is a clause, a head, a predicate's name and arity, or what is to be the name of the
/// module around the goal.
const CHANGES: &str = "
    assert/1 asserta/1 assertz/1 retract/1 retractall/1 abolish/1 dynamic/1 discontiguous/1
    multifile/1 det/1 clause/2 clause/3 listing/1 table/1 untable/1 public/1 volatile/1
    meta_predicate/1 module_transparent/1 strip_module/3 export/1 use_module/1 use_module/2
    reexport/1 reexport/2 consult/1 ensure_loaded/1 load_files/2 predicate_property/2
    current_predicate/1 context_module/1
";

/// The tables by atom.
#[derive(Clone, Debug, Default)]
pub struct MetaTable {
    goals: FxHashMap<(Atom, usize), Positions>,
    changes: rustc_hash::FxHashSet<(Atom, usize)>,
    lambda: Option<Atom>,
    free: Option<Atom>,
}

/// Which arguments of a predicate of the system are goals, and how many arguments each gets when it is called.
pub fn goal_arguments(name: &str, arity: usize) -> Option<&'static [(usize, usize)]> {
    META.iter().find(|&&(known, count, _)| known == name && count == arity).map(|&(_, _, at)| at)
}

impl MetaTable {
    /// The tables for these symbols.
    pub fn new(symbols: &mut Symbols) -> MetaTable {
        let indicators = CHANGES.split_whitespace().filter_map(|text| text.split_once('/'));
        let arity = |text: &str| text.parse().expect("an arity");
        MetaTable {
            goals: META.iter().map(|&(n, a, at)| ((symbols.intern(n), a), at)).collect(),
            changes: indicators.map(|(n, a)| (symbols.intern(n), arity(a))).collect(),
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
