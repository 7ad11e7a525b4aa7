//! A hash of everything in the rules that matters for solving them: [`fingerprint`].
//!
//! Two programs with one fingerprint have the same moves, ends and values in every state. It is
//! made of the clauses that the engines can come to from the predicates of the contract, so that
//! where the game begins, how it is drawn, what is estimated and what is expected of it do not
//! matter, nor comments, layout, names of variables, files, or the order of predicates.
//!
//! What can be come to is taken to be every predicate whose name stands anywhere in a clause that
//! can be come to. Where names may be made at run time, all clauses count.
//!
//! Where such clauses can look at what is kept outside of clauses (global variables, `flag/3`,
//! recorded terms, Prolog flags), that counts too, as it is now; and how predicates are tabled.

use crate::{canonical_cell_text, canonical_text};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use zug_machine::{Kind, Machine, PredId};
use zug_prolog::builtins::World;
use zug_prolog::user_predicate;
use zug_term::symbol::Atom;
use zug_term::{Cell, Heap};

/// The predicates that engines ask about moves, ends, values and goals.
const ROOTS: &[(&str, usize)] = &[
    ("move", 4),
    ("move", 3),
    ("terminal", 2),
    ("terminal", 1),
    ("utility", 3),
    ("utility", 2),
    ("opponent", 2),
    ("to_move", 2),
    ("symmetry", 2),
    ("probability", 3),
    ("rule", 4),
    ("final_state", 1),
];
/// Estimates, which are values where there are no others.
const ESTIMATES: &[(&str, usize)] = &[("heuristic", 3), ("heuristic", 2)];
/// Predicates that say nothing about moves, ends and values.
const ASIDE: &[(&str, usize)] = &[
    ("initial_state", 1),
    ("initial_state", 2),
    ("initial_player", 1),
    ("print_state", 1),
    ("draw_state", 2),
    ("click", 3),
    ("actions", 1),
    ("expect", 1),
    ("expect", 2),
    ("heuristic", 2),
    ("heuristic", 3),
];
/// Names of predicates that look at what is kept outside of clauses, and at what of it.
const READERS: &[(&str, Outside)] = &[
    ("nb_getval", Outside::Globals),
    ("b_getval", Outside::Globals),
    ("nb_current", Outside::Globals),
    ("flag", Outside::Counters),
    ("gensym", Outside::Counters),
    ("recorded", Outside::Records),
    ("current_key", Outside::Records),
    ("instance", Outside::Records),
    ("current_prolog_flag", Outside::Flags),
    ("prolog_flag", Outside::Flags),
];
/// Names that may make a goal out of something that stands nowhere.
const MAKERS: &[&str] = &[
    "=..",
    "atom_to_term",
    "term_to_atom",
    "term_string",
    "read_term",
    "read",
    "read_term_from_atom",
    "sformat",
    "atom_concat",
    "atomic_list_concat",
    "atom_chars",
    "atom_codes",
    "atom_string",
    "atom_number",
    "functor",
    "compound_name_arguments",
    "clause",
    "current_predicate",
    "predicate_property",
    "consult",
    "apply",
    "call",
];
/// Names of predicates that call an argument, and which.
const HIGHER: &[(&str, usize)] = &[
    ("maplist", 0),
    ("foldl", 0),
    ("foldr", 0),
    ("include", 0),
    ("exclude", 0),
    ("partition", 0),
    ("convlist", 0),
    ("predsort", 0),
    ("once", 0),
    ("ignore", 0),
    ("not", 0),
    ("\\+", 0),
    ("catch", 0),
    ("forall", 0),
    ("forall", 1),
    ("findall", 1),
    ("bagof", 1),
    ("setof", 1),
    ("aggregate_all", 1),
];

/// What programs keep outside of clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outside {
    /// Global variables.
    Globals,
    /// Values of `flag/3`.
    Counters,
    /// Recorded terms.
    Records,
    /// Prolog flags.
    Flags,
}

impl Outside {
    const ALL: [Outside; 4] =
        [Outside::Globals, Outside::Counters, Outside::Records, Outside::Flags];

    /// All of it, as text.
    fn text(self, m: &Machine, w: &World) -> Vec<String> {
        match self {
            Outside::Globals => {
                let mut all: BTreeMap<String, String> = BTreeMap::new();
                for (name, value) in w.store.globals() {
                    all.insert(m.symbols.name(name).to_owned(), canonical_text(m, w, value));
                }
                // What a variable holds now hides what it was set to for good.
                for (name, value) in m.globals() {
                    let value = canonical_cell_text(m, w, &m.heap, value);
                    all.insert(m.symbols.name(name).to_owned(), value);
                }
                all.into_iter().map(|(name, value)| format!("{name} = {value}")).collect()
            }
            Outside::Counters => {
                let counters = w.store.counters();
                let text = |(key, value)| {
                    format!("{} = {}", key_name(m, w, key), canonical_text(m, w, value))
                };
                let mut all: Vec<String> = counters.map(text).collect();
                all.sort();
                all
            }
            Outside::Records => {
                // Under a key their order counts.
                let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
                for (key, term) in w.store.records() {
                    all.entry(key_name(m, w, key)).or_default().push(canonical_text(m, w, term));
                }
                let lines = |(key, terms): (String, Vec<String>)| {
                    terms.into_iter().map(move |term| format!("{key} : {term}"))
                };
                all.into_iter().flat_map(lines).collect()
            }
            Outside::Flags => w.flags.changed(|term| canonical_text(m, w, term)),
        }
    }
}

/// A key of `flag/3` or of recorded terms: an atom, a number, or the functor of a compound.
fn key_name(m: &Machine, w: &World, key: Cell) -> String {
    match key.is_header() {
        true => format!("{}/{}", m.symbols.name(key.functor_name()), key.functor_arity()),
        false => canonical_cell_text(m, w, &m.heap, key),
    }
}

/// 128 bits of FNV-1a (Fowler, Noll and Vo), as 32 hexadecimal digits: the same on every platform.
struct Fnv(u128);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    }
}

/// The predicates of the user's program.
struct Program<'m> {
    m: &'m Machine,
    by_name: FxHashMap<Atom, Vec<PredId>>,
}

impl<'m> Program<'m> {
    fn of(m: &'m Machine) -> Program<'m> {
        let mut by_name: FxHashMap<Atom, Vec<PredId>> = FxHashMap::default();
        for pred in 0..m.program.preds.len() as PredId {
            let known = &m.program.preds[pred as usize];
            if m.program.modules.is_programs(known.space)
                && matches!(known.kind, Kind::Static | Kind::Dynamic)
            {
                by_name.entry(known.name).or_default().push(pred);
            }
        }
        Program { m, by_name }
    }

    fn own(&self, named: &[(&str, usize)]) -> Vec<PredId> {
        named.iter().filter_map(|&(name, arity)| user_predicate(self.m, name, arity)).collect()
    }

    /// The predicates that can be come to from some, whether goals may be made on the way, and
    /// what outside of clauses is looked at.
    fn reached(&self, roots: Vec<PredId>) -> (FxHashSet<PredId>, bool, BTreeSet<Outside>) {
        let mut reached: FxHashSet<PredId> = roots.iter().copied().collect();
        let (mut todo, mut makes) = (roots, false);
        let mut outside = BTreeSet::new();
        while let Some(pred) = todo.pop() {
            for id in self.m.program.live_clauses(pred) {
                let (heap, root) = self.m.program.clauses[id as usize].record.to_heap();
                each_name(&heap, root, |name, args| {
                    let text = self.m.symbols.name(name);
                    let looks = READERS.iter().filter(|(known, _)| *known == text);
                    outside.extend(looks.map(|&(_, what)| what));
                    let calls = HIGHER.iter().filter(|(known, _)| *known == text);
                    makes |= MAKERS.contains(&text)
                        || calls.into_iter().any(|&(_, at)| {
                            args.get(at).is_some_and(|&goal| heap.deref(goal).is_var())
                        });
                    for &other in self.by_name.get(&name).into_iter().flatten() {
                        if reached.insert(other) {
                            todo.push(other);
                        }
                    }
                });
                makes |= has_variable_goal(&heap, root, &self.m.symbols);
            }
        }
        (reached, makes, outside)
    }
}

/// Calls `each` with every name in a term, and the arguments behind it.
fn each_name(heap: &Heap, root: Cell, mut each: impl FnMut(Atom, &[Cell])) {
    let mut todo = vec![root];
    while let Some(cell) = todo.pop() {
        if let Some((name, arity, args)) = heap.name_arity(cell) {
            each(name, &heap.cells[args..args + arity]);
            todo.extend((0..arity).map(|i| heap.at(args + i)));
        }
    }
}

/// Whether a variable stands where a goal does.
fn has_variable_goal(heap: &Heap, root: Cell, symbols: &zug_term::symbol::Symbols) -> bool {
    let Some((_, 2, args)) = heap.name_arity(root) else { return false };
    let mut todo = vec![heap.at(args + 1)];
    while let Some(cell) = todo.pop() {
        let cell = heap.deref(cell);
        if cell.is_var() {
            return true;
        }
        if let Some((name, arity, args)) = heap.name_arity(cell)
            && matches!(symbols.name(name), "," | ";" | "->" | "*->" | "\\+")
        {
            todo.extend((0..arity).map(|i| heap.at(args + i)));
        }
    }
    false
}

/// The fingerprint of the rules that are loaded, 32 hexadecimal digits.
pub fn fingerprint(m: &Machine, w: &World) -> String {
    let program = Program::of(m);
    let mut roots = program.own(ROOTS);
    if program.own(&[("utility", 3), ("utility", 2)]).is_empty() {
        roots.extend(program.own(ESTIMATES));
    }
    let (mut preds, makes, mut outside) = program.reached(roots);
    if makes {
        outside.extend(Outside::ALL);
        let aside = program.own(ASIDE);
        let all = program.by_name.values().flatten().copied();
        preds.extend(all.filter(|pred| !aside.contains(pred)));
    }
    let name = |pred: PredId| m.program.indicator(pred, &m.symbols);
    let mut named: Vec<(String, PredId)> =
        preds.into_iter().map(|pred| (name(pred), pred)).collect();
    named.sort();
    let mut hash = Fnv::new();
    hash.add(&format!("{:?} {:?}", w.flags.unknown, w.flags.occurs_check));
    for (name, pred) in named {
        hash.add(&name);
        for id in m.program.live_clauses(pred) {
            hash.add(&canonical_text(m, w, &m.program.clauses[id as usize].record));
        }
        if let Some(joins) = m.program.table_joins(pred) {
            let modes = m.program.table_modes(pred).unwrap_or_default();
            hash.add(&format!("table {modes:?} {}", canonical_text(m, w, joins)));
        }
    }
    for what in outside {
        let text = what.text(m, w);
        if !text.is_empty() {
            hash.add(&format!("{what:?}"));
            text.iter().for_each(|line| hash.add(line));
        }
    }
    format!("{:032x}", hash.0)
}
