//! What a library predicate does besides answering: an explanation runs goals again, so it
//! must know which of them change anything or write.

use rustc_hash::FxHashMap;
use zug_machine::{Kind, Machine, PredId, Space};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Tag};

/// The side effects of a system predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Nature {
    /// It answers, and nothing else.
    Pure,
    /// A search: it answers, but may take long.
    Search,
    /// It writes.
    Output,
    /// It calls goals that it is given: its clauses are followed.
    Meta,
    /// It changes or reads something outside, or is unknown.
    Effect,
}

/// What is known of system predicates; they don't change.
#[derive(Default)]
pub struct Natures(FxHashMap<PredId, Nature>);

impl Natures {
    /// The side effects of a system predicate.
    pub fn of(&mut self, m: &Machine, pred: PredId) -> Nature {
        if let Some(&known) = self.0.get(&pred) {
            return known;
        }
        let mut seen = vec![pred];
        let mut next = 0;
        let mut worst = Nature::Pure;
        while next < seen.len() {
            let at = seen[next];
            next += 1;
            let predicate = &m.program.preds[at as usize];
            let users = predicate.space.is_users();
            let named = || if users { None } else { by_name(m, at) };
            let known = self.0.get(&at).copied().or_else(named);
            if let Some(known) = known {
                worst = worst.max(known);
                continue;
            }
            if users && matches!(predicate.kind, Kind::Dynamic | Kind::Undefined) {
                continue;
            }
            if predicate.kind != Kind::Static {
                worst = Nature::Effect;
                break;
            }
            for &clause in &predicate.clauses {
                let clause = &m.program.clauses[clause as usize];
                if !called(m, &clause.record.cells, clause.body(), predicate.space, &mut seen) {
                    worst = worst.max(Nature::Meta);
                }
            }
        }
        self.0.insert(pred, worst);
        worst
    }
}

/// Whether a system predicate searches, writes, or changes something.
pub fn does_more(m: &Machine, pred: PredId) -> bool {
    matches!(Natures::default().of(m, pred), Nature::Search | Nature::Output | Nature::Effect)
}

/// Whether a system predicate without clauses answers, searches or writes, and does nothing else.
pub fn is_pure(m: &Machine, pred: PredId) -> bool {
    by_name(m, pred).is_some_and(|nature| nature < Nature::Meta)
}

/// Adds the predicates that a body in an image of a text calls; whether all are known.
fn called(m: &Machine, cells: &[Cell], body: Cell, space: Space, seen: &mut Vec<PredId>) -> bool {
    let mut all = true;
    let mut todo = vec![body];
    let resolve = |mut cell: Cell| {
        while cell.is_ref() && cells[cell.addr()] != cell {
            cell = cells[cell.addr()];
        }
        cell
    };
    while let Some(cell) = todo.pop() {
        let cell = resolve(cell);
        let (name, arity, args) = match cell.tag() {
            Tag::Atom => (cell.as_atom().unwrap_or(atoms::TRUE), 0, 0),
            Tag::Struct => {
                let header = cells[cell.addr()];
                (header.functor_name(), header.functor_arity(), cell.addr() + 1)
            }
            _ => {
                all = false;
                continue;
            }
        };
        match (name, arity) {
            (atoms::TRUE | atoms::CUT | atoms::FAIL | atoms::FALSE, 0) => {}
            (atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW, 2)
            | (atoms::FORALL, 2) => todo.extend([cells[args], cells[args + 1]]),
            (atoms::NOT_PROVABLE | atoms::NOT | atoms::ONCE | atoms::IGNORE, 1) => {
                todo.push(cells[args]);
            }
            (atoms::FINDALL, 3 | 4) => todo.push(cells[args + 1]),
            (atoms::CATCH, 3) => todo.extend([cells[args], cells[args + 2]]),
            (atoms::CALL, _) => all = false,
            _ => match callee(m, name, arity, space) {
                Some(pred) if !seen.contains(&pred) => seen.push(pred),
                Some(_) => {}
                None => all = false,
            },
        }
    }
    all
}

/// The predicate that a text calls by a name: the user's own go before the system's.
fn callee(m: &Machine, name: Atom, arity: usize, space: Space) -> Option<PredId> {
    let own = space.is_users().then(|| m.program.lookup(name, arity, space)).flatten();
    let pred = own.or_else(|| m.program.lookup(name, arity, Space::System))?;
    Some(m.program.resolve(pred))
}

/// The nature of predicates whose clauses, if any, are not looked at.
fn by_name(m: &Machine, pred: PredId) -> Option<Nature> {
    let predicate = &m.program.preds[pred as usize];
    let name = m.symbols.name(predicate.name);
    if SEARCHES.contains(&name) {
        return Some(Nature::Search);
    }
    if OUTPUT.contains(&name) {
        return Some(Nature::Output);
    }
    if INLINE.contains(&(name, predicate.arity)) {
        return Some(Nature::Pure);
    }
    if predicate.kind == Kind::Builtin {
        return Some(if PURE.contains(&name) { Nature::Pure } else { Nature::Effect });
    }
    None
}

/// Engines and questions about whole games.
const SEARCHES: &[&str] = &[
    "$engine",
    "$enumerate",
    "$game_engine",
    "$sample",
    "$solved",
    "$game_line",
    "$grundy",
    "$reach",
    "$strategy",
    "$count_states",
    "$count_plays",
    "$perft",
    "$nash",
    "$dominated",
    "$match",
    "$tournament",
    "$compare",
    "$heuristics",
];

/// What writes.
const OUTPUT: &[&str] = &[
    "write",
    "writeln",
    "print",
    "$print",
    "writeq",
    "write_canonical",
    "write_term",
    "nl",
    "tab",
    "$tab",
    "put_char",
    "put_code",
    "put_byte",
    "put",
    "format",
    "$format",
    "print_message",
    "print_message_lines",
    "portray_clause",
    "listing",
    "flush_output",
    "ttyflush",
];

/// Library predicates that are compiled in place.
const INLINE: &[(&str, usize)] = &[
    ("=", 2),
    ("\\==", 2),
    ("==", 2),
    ("@<", 2),
    ("@>", 2),
    ("@=<", 2),
    ("@>=", 2),
    ("is", 2),
    ("=:=", 2),
    ("=\\=", 2),
    ("<", 2),
    (">", 2),
    ("=<", 2),
    (">=", 2),
    ("var", 1),
    ("nonvar", 1),
    ("atom", 1),
    ("integer", 1),
    ("float", 1),
    ("number", 1),
    ("atomic", 1),
    ("compound", 1),
    ("callable", 1),
    ("otherwise", 0),
];

/// Built-ins that answer and do nothing else.
const PURE: &[&str] = &[
    "$length",
    "$must_be_partial_list",
    "$skip_list",
    "numlist",
    "sum_list",
    "sumlist",
    "$sum_list",
    "max_list",
    "min_list",
    "$max_list",
    "$min_list",
    "memberchk",
    "$reversed",
    "$nth0",
    "term_to_atom",
    "term_string",
    "msort",
    "sort",
    "keysort",
    "list_to_set",
    "$clause_refs",
    "$clause_unify",
    "$current_predicates",
    "$predicate_properties",
    "throw",
    "between",
    "atom_length",
    "atom_chars",
    "atom_codes",
    "char_code",
    "number_chars",
    "number_codes",
    "atom_number",
    "name",
    "upcase_atom",
    "downcase_atom",
    "atom_string",
    "atomic_list_concat",
    "atomics_to_string",
    "term_hash",
    "string_length",
    "string_chars",
    "string_codes",
    "string_to_atom",
    "number_string",
    "string_lower",
    "string_upper",
    "text_to_string",
    "string_number",
    "split_string",
    "$normalize_space",
    "string",
    "$sub_text",
    "$concat",
    "$char_type",
    "$flag",
    "$flags",
    "nb_getval",
    "b_getval",
    "$nb_keys",
    "$record_references",
    "$recorded",
    "$record_keys",
    "instance",
    "succ",
    "plus",
    "$evaluable",
    "functor",
    "$arg",
    "$arity",
    "=..",
    "compound_name_arity",
    "compound_name_arguments",
    "copy_term",
    "duplicate_term",
    "term_variables",
    "nonground",
    "ground",
    "acyclic_term",
    "cyclic_term",
    "compare",
    "=@=",
    "\\=@=",
    "?=",
    "same_term",
    "\\=",
    "unify_with_occurs_check",
    "subsumes_term",
    "unifiable",
    "numbervars",
    "term_size",
    "is_list",
    "rational",
    "is_dict",
    "blob",
    "attvar",
    "$contract",
    "$at_once",
    "$initial_player",
    "$dcg_body",
];
