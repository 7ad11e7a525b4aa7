//! Atoms against strings and numbers: `"w1"` where the program says `w1`, `Ch \= '#'` where Ch is
//! a string.
//!
//! Every argument of the user's predicates, every variable, and every argument of a term inside
//! them gets a class; what a clause makes equal, by a head, a call or `=`, falls into one class
//! (union by rank is not needed at these sizes). A class that has an atom and a string, or an
//! atom and a number, of the same text is a finding; so is one that holds what a built-in gives
//! as a string and is compared with an atom.

use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use zug_domain::PREDICATES;
use zug_domain::purity::goals::{self, Goal};
use zug_explain::{called_at, functor, head_args, head_place, is_number, resolve};
use zug_machine::{ClauseId, Machine, PredId};
use zug_prolog::builtins::World;
use zug_prolog::user_predicate;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Value};

/// Clauses of programs that are looked at.
const MOST_CLAUSES: usize = 20_000;
/// Depth of terms that are looked at.
const DEEPEST: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Atom,
    String,
    Number,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Atom => "an atom",
            Kind::String => "a string",
            Kind::Number => "a number",
        }
    }
}

/// A constant of the text.
#[derive(Clone)]
struct Literal {
    kind: Kind,
    text: String,
    clause: ClauseId,
    /// The goal that it stands in; the head's without one.
    goal: Option<(usize, Atom)>,
    /// It is compared with something, by `==` and the like.
    compared: bool,
}

/// Where an inner class is found from an outer one.
type Child = (usize, Atom, usize, usize);

#[derive(Default)]
struct Classes {
    parent: Vec<usize>,
    children: FxHashMap<Child, usize>,
    /// The children of each class, by its root.
    inner: Vec<Vec<(Atom, usize, usize)>>,
    literals: Vec<(usize, Literal)>,
    /// What built-ins give: class, kind and the name of the built-in.
    given: Vec<(usize, Kind, &'static str)>,
    arguments: FxHashMap<(PredId, usize), usize>,
}

impl Classes {
    fn new_class(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.inner.push(Vec::new());
        self.parent.len() - 1
    }

    fn root(&mut self, mut class: usize) -> usize {
        while self.parent[class] != class {
            self.parent[class] = self.parent[self.parent[class]];
            class = self.parent[class];
        }
        class
    }

    fn child(&mut self, class: usize, name: Atom, arity: usize, at: usize) -> usize {
        let root = self.root(class);
        if let Some(&known) = self.children.get(&(root, name, arity, at)) {
            return known;
        }
        let new = self.new_class();
        self.children.insert((root, name, arity, at), new);
        self.inner[root].push((name, arity, at));
        new
    }

    fn join(&mut self, a: usize, b: usize) {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                continue;
            }
            self.parent[b] = a;
            for (name, arity, at) in std::mem::take(&mut self.inner[b]) {
                let Some(child) = self.children.remove(&(b, name, arity, at)) else { continue };
                match self.children.get(&(a, name, arity, at)) {
                    Some(&other) => todo.push((other, child)),
                    None => {
                        self.children.insert((a, name, arity, at), child);
                        self.inner[a].push((name, arity, at));
                    }
                }
            }
        }
    }

    fn argument(&mut self, pred: PredId, at: usize) -> usize {
        if let Some(&known) = self.arguments.get(&(pred, at)) {
            return known;
        }
        let new = self.new_class();
        self.arguments.insert((pred, at), new);
        new
    }
}

struct ClauseWalk<'a> {
    m: &'a Machine,
    cells: &'a [Cell],
    /// The same as a heap, for the text of strings.
    heap: OnceCell<Heap>,
    variables: FxHashMap<usize, usize>,
}

impl ClauseWalk<'_> {
    /// Puts a term of the clause into a class.
    fn put(&mut self, all: &mut Classes, term: Cell, class: usize, at: &Literal) {
        let mut todo = vec![(term, class, 0)];
        while let Some((term, class, depth)) = todo.pop() {
            let term = resolve(self.cells, term);
            if term.is_var() {
                let own = *self.variables.entry(term.addr()).or_insert_with(|| all.new_class());
                all.join(class, own);
                continue;
            }
            if term.is_list() {
                // All elements of a list are alike.
                let element = all.child(class, atoms::DOT, 2, 0);
                todo.push((self.cells[term.addr()], element, depth));
                todo.push((self.cells[term.addr() + 1], class, depth));
                continue;
            }
            if let Some(literal) = self.literal(term, at) {
                all.literals.push((class, literal));
                continue;
            }
            let Some((name, arity, args)) = functor(self.cells, term) else { continue };
            if depth < DEEPEST {
                for i in 0..arity {
                    let child = all.child(class, name, arity, i);
                    todo.push((self.cells[args + i], child, depth + 1));
                }
            }
        }
    }

    fn literal(&self, term: Cell, at: &Literal) -> Option<Literal> {
        let (kind, text) = if let Some(atom) = term.as_atom() {
            (Kind::Atom, self.m.symbols.name(atom).to_owned())
        } else if let Some(number) = term.as_int() {
            (Kind::Number, number.to_string())
        } else if term.is_boxed() && !is_number(self.cells, term) {
            let heap = self.heap.get_or_init(|| Heap { cells: self.cells.to_vec() });
            match heap.value(term) {
                Value::Str(text) => (Kind::String, text.to_owned()),
                _ => return None,
            }
        } else {
            return None;
        };
        Some(Literal { kind, text, ..at.clone() })
    }
}

/// What built-ins give as a string, an atom or a number, or as a list of them: name, arity, argument, kind, whether it
/// is a list.
#[rustfmt::skip]
const GIVES: &[(&str, usize, usize, Kind, bool)] = &[
    ("sub_string", 5, 4, Kind::String, false), ("string_concat", 3, 2, Kind::String, false),
    ("number_string", 2, 1, Kind::String, false), ("term_string", 2, 1, Kind::String, false),
    ("string_lower", 2, 1, Kind::String, false), ("string_upper", 2, 1, Kind::String, false),
    ("read_line_to_string", 2, 1, Kind::String, false), ("split_string", 4, 3, Kind::String, true),
    ("sub_atom", 5, 4, Kind::Atom, false), ("atom_concat", 3, 2, Kind::Atom, false),
    ("upcase_atom", 2, 1, Kind::Atom, false), ("downcase_atom", 2, 1, Kind::Atom, false),
    ("term_to_atom", 2, 1, Kind::Atom, false), ("string_chars", 2, 1, Kind::Atom, true),
    ("atom_chars", 2, 1, Kind::Atom, true), ("number_chars", 2, 1, Kind::Atom, true),
    ("is", 2, 0, Kind::Number, false), ("length", 2, 1, Kind::Number, false),
    ("atom_length", 2, 1, Kind::Number, false), ("string_length", 2, 1, Kind::Number, false),
    ("between", 3, 2, Kind::Number, false), ("char_code", 2, 1, Kind::Number, false),
    ("string_code", 3, 2, Kind::Number, false), ("succ", 2, 1, Kind::Number, false),
    ("atom_codes", 2, 1, Kind::Number, true), ("string_codes", 2, 1, Kind::Number, true),
];

/// Arguments of built-ins that are lists of one kind of element, or such an element: name, arity,
/// argument, whether it is a list.
#[rustfmt::skip]
const ELEMENTS: &[(&str, usize, usize, bool)] = &[
    ("member", 2, 0, false), ("member", 2, 1, true),
    ("memberchk", 2, 0, false), ("memberchk", 2, 1, true),
    ("nth0", 3, 1, true), ("nth0", 3, 2, false), ("nth1", 3, 1, true), ("nth1", 3, 2, false),
    ("last", 2, 0, true), ("last", 2, 1, false),
    ("select", 3, 0, false), ("select", 3, 1, true), ("select", 3, 2, true),
    ("reverse", 2, 0, true), ("reverse", 2, 1, true),
    ("append", 3, 0, true), ("append", 3, 1, true), ("append", 3, 2, true),
];

/// The kinds of constants that meet and can't be equal.
pub(super) fn mixed(m: &Machine, w: &World) -> Vec<Diagnostic> {
    let mut all = Classes::default();
    for (pred, id) in super::user_clauses(m).take(MOST_CLAUSES) {
        clause(m, &mut all, pred, id);
    }
    states(m, &mut all);
    told(m, w, all)
}

/// The states of the contract are one class.
fn states(m: &Machine, all: &mut Classes) {
    let known = PREDICATES.iter().flat_map(|predicate| {
        let pred = user_predicate(m, predicate.name, predicate.arity);
        pred.into_iter().flat_map(|pred| predicate.states().map(move |at| (pred, at)))
    });
    let known: Vec<(PredId, usize)> = known.collect();
    for pair in known.windows(2) {
        let (a, b) = (all.argument(pair[0].0, pair[0].1), all.argument(pair[1].0, pair[1].1));
        all.join(a, b);
    }
}

fn clause(m: &Machine, all: &mut Classes, pred: PredId, id: ClauseId) {
    let clause = &m.program.clauses[id as usize];
    let cells: &[Cell] = &clause.record.cells;
    let mut walk = ClauseWalk { m, cells, heap: OnceCell::new(), variables: FxHashMap::default() };
    let at = |goal: Option<&Goal>, compared| Literal {
        kind: Kind::Atom,
        text: String::new(),
        clause: id,
        goal: goal.map(|goal| (goal.slot, goal.name)),
        compared,
    };
    for (i, cell) in head_args(clause).into_iter().enumerate() {
        let class = all.argument(pred, i);
        walk.put(all, cell, class, &at(None, false));
    }
    for goal in goals::of_clause(m, id) {
        let callee = m.program.find(goal.name, goal.arity, goal.space);
        let own = m.program.is_users(goal.name, goal.arity, goal.space);
        if let Some(callee) = callee.filter(|_| own) {
            for i in 0..goal.written {
                let class = all.argument(callee, i);
                walk.put(all, cells[goal.args + i], class, &at(Some(&goal), false));
            }
            continue;
        }
        if goal.written != goal.arity {
            continue;
        }
        let compares = matches!(
            goal.name,
            atoms::UNIFY | atoms::NOT_UNIFY | atoms::IDENTICAL | atoms::NOT_IDENTICAL
        );
        if compares && goal.arity == 2 {
            let class = all.new_class();
            for i in 0..2 {
                walk.put(all, cells[goal.args + i], class, &at(Some(&goal), true));
            }
            continue;
        }
        system(m, all, &mut walk, &goal, &at(Some(&goal), false));
    }
}

/// What a call of a system predicate says of its arguments.
fn system(m: &Machine, all: &mut Classes, walk: &mut ClauseWalk<'_>, goal: &Goal, at: &Literal) {
    let name = m.symbols.name(goal.name);
    let related = ELEMENTS.iter().filter(|row| (row.0, row.1) == (name, goal.arity));
    let mut elements = None;
    for &(_, _, place, is_list) in related {
        let (list, element) = *elements.get_or_insert_with(|| {
            let list = all.new_class();
            (list, all.child(list, atoms::DOT, 2, 0))
        });
        let class = if is_list { list } else { element };
        walk.put(all, walk.cells[goal.args + place], class, at);
    }
    if elements.is_some() {
        return;
    }
    let row = GIVES.iter().find(|row| (row.0, row.1) == (name, goal.arity));
    let Some(&(name, _, place, kind, is_list)) = row else { return };
    let cell = resolve(walk.cells, walk.cells[goal.args + place]);
    if cell.is_var() {
        let class = all.new_class();
        walk.put(all, cell, class, at);
        let class = if is_list { all.child(class, atoms::DOT, 2, 0) } else { class };
        all.given.push((class, kind, name));
    }
}

fn told(m: &Machine, w: &World, mut all: Classes) -> Vec<Diagnostic> {
    let literals = std::mem::take(&mut all.literals);
    let mut classes: Vec<(usize, Literal)> =
        literals.into_iter().map(|(class, literal)| (all.root(class), literal)).collect();
    // In the order of the text within a class.
    classes.sort_by_key(|(class, _)| *class);
    let given = std::mem::take(&mut all.given);
    let given: Vec<(usize, Kind, &str)> =
        given.into_iter().map(|(class, kind, name)| (all.root(class), kind, name)).collect();
    let mut findings = Vec::new();
    for class in classes.chunk_by(|a, b| a.0 == b.0) {
        let literals: Vec<&Literal> = class.iter().map(|(_, literal)| literal).collect();
        let made = given.iter().find(|made| made.0 == class[0].0);
        let against = || made.and_then(|&(_, kind, name)| against(m, w, &literals, kind, name));
        findings.extend(same_text(m, w, &literals).or_else(against));
    }
    findings
}

/// Two constants of one text and of different kinds.
fn same_text(m: &Machine, w: &World, literals: &[&Literal]) -> Option<Diagnostic> {
    let mut first: FxHashMap<&str, &Literal> = FxHashMap::default();
    for literal in literals {
        let known = *first.entry(literal.text.as_str()).or_insert(literal);
        if known.kind == literal.kind || literal.text.is_empty() || literal.text == "[]" {
            continue;
        }
        // The kind that fewer constants have is the slip.
        let count = |kind| literals.iter().filter(|other| other.kind == kind).count();
        let (odd, other) = match count(literal.kind) <= count(known.kind) {
            true => (*literal, known),
            false => (known, *literal),
        };
        let [(one, its), (two, others)] = [odd, other].map(|it| (shown(it), it.kind.words()));
        let message =
            format!("{one} is {its}, and {two} elsewhere is {others}: they are never equal");
        let finding =
            Diagnostic::warning("W0517", message).hint("write it in the same way at all places");
        return Some(placed(m, w, finding, odd, other));
    }
    None
}

/// A constant compared with what a built-in gives, which is of another kind.
fn against(
    m: &Machine,
    w: &World,
    literals: &[&Literal],
    kind: Kind,
    name: &str,
) -> Option<Diagnostic> {
    // The empty list, and numbers against marks, are natural. What is given letter by letter is
    // never a text, nor a letter written otherwise, wherever it stands.
    let letters = matches!(name, "string_chars" | "atom_chars" | "string_codes" | "atom_codes");
    let odd = literals.iter().find(|literal| {
        let letter = literal.text.chars().count() == 1
            && (literal.kind == Kind::String || kind == Kind::Number && !is_numeral(&literal.text));
        literal.kind != kind
            && literal.text != "[]"
            && (literal.compared
                && (kind == Kind::String
                    || literal.kind == Kind::String
                    || is_numeral(&literal.text))
                || letters && letter)
    })?;
    let (text, own, given) = (shown(odd), odd.kind.words(), kind.words());
    let message = format!("{text} is {own}, and {name} gives {given}: they are never equal");
    let hint = match kind {
        Kind::String => format!("write \"{}\", or take the text apart with sub_atom/5", odd.text),
        Kind::Atom => format!("write '{}'", odd.text),
        Kind::Number if !is_numeral(&odd.text) => format!("write 0'{}", odd.text),
        Kind::Number => format!("write {}", odd.text),
    };
    let finding = Diagnostic::warning("W0517", message).hint(hint);
    Some(placed(m, w, finding, odd, odd))
}

fn is_numeral(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

fn shown(literal: &Literal) -> String {
    match literal.kind {
        Kind::String => format!("`\"{}\"`", literal.text),
        Kind::Number => format!("`{}`", literal.text),
        Kind::Atom => {
            let plain = literal.text.starts_with(|c: char| c.is_lowercase())
                && literal.text.chars().all(|c| c.is_alphanumeric() || c == '_');
            if plain { format!("`{}`", literal.text) } else { format!("`'{}'`", literal.text) }
        }
    }
}

fn placed(
    m: &Machine,
    w: &World,
    finding: Diagnostic,
    at: &Literal,
    other: &Literal,
) -> Diagnostic {
    let place = |literal: &Literal| -> Option<(Source, Span)> {
        match literal.goal {
            Some((slot, name)) => called_at(m, w, literal.clause, slot, name),
            None => head_place(m, w, literal.clause),
        }
    };
    let finding = match place(at) {
        Some((source, span)) => finding.at(&source, span, ""),
        None => return finding,
    };
    match place(other) {
        Some((source, span))
            if finding.primary.as_ref().is_some_and(|first| first.span != span) =>
        {
            finding.also(&source, span, format!("{} here", shown(other)))
        }
        _ => finding,
    }
}
