//! One failure looked at: its goal with its values, and the clauses that nearly matched.

use super::failures::Failure;
use super::places::{clause_place, functor, goal_place, head_place, resolve, variables_in};
use super::terms::{Clash, Store, TermPrinter};
use std::sync::Arc;
use zug_machine::{ClauseId, Machine};
use zug_prolog::builtins::World;
use zug_term::source::{Source, Span};
use zug_term::spelling::{distance_within, max_distance};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap, Value};

/// Clauses compared with a goal.
const MOST_CLAUSES: usize = 2000;
/// Characters shown of a value.
const VALUE: usize = 40;
/// Values shown beside a goal.
const VALUES: usize = 4;

/// A failure on a heap of its own.
pub struct Case<'a> {
    pub m: &'a Machine,
    pub w: &'a World,
    pub store: Store,
    pub failure: &'a Failure,
    pub goal: Cell,
    /// The variables of the clause and their values.
    pub values: Vec<(Arc<str>, Cell)>,
    /// Whether the goal had been proved before, with other values.
    pub proved: bool,
}

/// A clause whose head does not match a goal.
#[derive(Clone, Debug)]
pub struct NearMiss {
    pub clause: ClauseId,
    /// Arguments that clash, from 1.
    pub arguments: Vec<u32>,
    /// What the clause has there.
    pub has: String,
    /// What the goal has there.
    pub wants: String,
    /// The same, if they are constants.
    pub constants: Option<(Constant, Constant)>,
    /// What the goal has there is a sum or the like where the clause has a number.
    pub is_expression: bool,
    /// All clashes in words.
    pub all: Vec<String>,
}

/// A constant, to be compared with another.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    Atom(String),
    Text(String),
    Integer(String),
    Float(String),
}

impl<'a> Case<'a> {
    pub fn new(m: &'a Machine, w: &'a World, failure: &'a Failure, proved: bool) -> Case<'a> {
        let mut store = Store::default();
        let root = failure.term.instantiate(&mut store.heap);
        let (arity, args) = store.heap.name_arity(root).map_or((0, 0), |(_, k, args)| (k, args));
        let part = |i: usize| store.heap.deref(store.heap.at(args + i));
        let goal = if arity > 0 { part(0) } else { Cell::NIL };
        let values = failure.names.iter().enumerate();
        let values = values.map(|(i, name)| (name.clone(), part(i + 1))).collect();
        Case { m, w, store, failure, goal, values, proved }
    }

    /// Terms in the words of the clause.
    pub fn words(&self) -> TermPrinter<'_> {
        let unbound = self.values.iter().filter(|(_, value)| value.is_var()).cloned();
        TermPrinter::new(&self.store.heap, self.m, self.w).named(unbound.collect())
    }

    pub fn text(&self, cell: Cell) -> String {
        self.words().term(cell)
    }

    /// An argument of the goal, from 0.
    pub fn argument(&self, i: usize) -> Option<Cell> {
        let (_, arity, args) = self.store.heap.name_arity(self.goal)?;
        (i < arity).then(|| self.store.heap.deref(self.store.heap.at(args + i)))
    }

    /// Name and arity of the goal.
    pub fn name(&self) -> (&str, usize) {
        let term = self.store.heap.name_arity(self.goal);
        term.map_or(("", 0), |(name, arity, _)| (self.m.symbols.name(name), arity))
    }

    /// Where the goal stands in the text.
    pub fn place(&self) -> Option<(Source, Span)> {
        goal_place(self.m, self.w, self.failure.site)
    }

    /// The nearest place in the text that led here.
    pub fn place_or_caller(&self) -> Option<(Source, Span)> {
        let mut callers = self.failure.callers.iter();
        self.place()
            .or_else(|| callers.find_map(|site| goal_place(self.m, self.w, *site)))
            .or_else(|| self.failure.site.0.and_then(|clause| clause_place(self.m, self.w, clause)))
    }

    /// The goal as its clause has it: the cells of the image, and the goal in them.
    pub fn written(&self) -> Option<(&[Cell], Cell)> {
        let clause = self.m.program.clauses.get(self.failure.site.0? as usize)?;
        let cells = &clause.record.cells;
        let cell = *cells.get(self.failure.site.1 as usize)?;
        Some((cells, resolve(cells, cell)))
    }

    /// The list that `findall/3` collected.
    pub fn collected(&self) -> Option<String> {
        let (heap, root) = self.failure.witness.as_ref()?.goal.to_heap();
        Some(TermPrinter::new(&heap, self.m, self.w).term(root))
    }

    /// The goal inside a negation that was found to be true.
    pub fn witness(&self) -> Option<String> {
        let (heap, root) = self.failure.witness.as_ref()?.goal.to_heap();
        let (_, arity, args) = heap.name_arity(root)?;
        let words = TermPrinter::new(&heap, self.m, self.w);
        (arity == 1).then(|| words.term(heap.at(args)))
    }

    /// The values of the variables that stand in the goal: `X = 1, Y = a`.
    pub fn with_values(&self) -> String {
        let Some((cells, goal)) = self.written() else { return String::new() };
        let inside = variables_in(cells, goal);
        let clause = self.failure.site.0.map(|id| &self.m.program.clauses[id as usize]);
        let Some(place) = clause.and_then(|clause| clause.place.as_ref()) else {
            return String::new();
        };
        let mut parts = Vec::new();
        for ((name, addr), (_, value)) in place.variables.iter().zip(&self.values) {
            let root = resolve(cells, Cell::reference(*addr as usize));
            if inside.contains(&root) && !value.is_var() && !name.starts_with('_') {
                parts.push(format!("{name} = {}", self.words().limited(*value, VALUE)));
            }
        }
        parts.truncate(VALUES);
        parts.join(", ")
    }

    /// The clauses of the goal's predicate, nearest first, with what clashes.
    pub fn misses(&mut self) -> Vec<NearMiss> {
        let Some(pred) = self.failure.pred else { return Vec::new() };
        let clauses = self.m.program.live_clauses(pred);
        let mut found: Vec<((usize, bool, usize, usize), NearMiss)> = Vec::new();
        for id in clauses.into_iter().take(MOST_CLAUSES) {
            let mark = self.store.mark();
            let root = self.m.program.clauses[id as usize].record.instantiate(&mut self.store.heap);
            let head = self.store.heap.at(root.addr() + 1);
            let goal = self.goal;
            let clashes = self.store.clashes(goal, head);
            if let Some(miss) = self.miss(id, head, &clashes) {
                let alike = miss.constants.as_ref().is_some_and(|(a, b)| alike(a, b));
                let (_, arity, args) =
                    self.store.heap.name_arity(head).unwrap_or((atoms::NIL, 0, 0));
                let open = (0..arity)
                    .filter(|i| self.store.heap.deref(self.store.heap.at(args + i)).is_var());
                let rank = (miss.arguments.len(), !alike, clashes.len(), open.count());
                found.push((rank, miss));
            }
            self.store.undo(mark);
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, miss)| miss).collect()
    }

    fn miss(&self, clause: ClauseId, head: Cell, clashes: &[Clash]) -> Option<NearMiss> {
        let first = clashes.first()?;
        let words = self.words();
        let mut arguments: Vec<u32> =
            clashes.iter().filter_map(|clash| clash.path.first().copied()).collect();
        arguments.dedup();
        let describe = |clash: &Clash| {
            let place = path_words(&self.store.heap, head, &clash.path);
            let [has, wants] = [clash.right, clash.left].map(|cell| words.limited(cell, VALUE));
            format!("{place} is `{has}`, not `{wants}`")
        };
        Some(NearMiss {
            clause,
            arguments,
            has: words.limited(first.right, VALUE),
            wants: words.limited(first.left, VALUE),
            constants: self.constant(first.right).zip(self.constant(first.left)),
            is_expression: self.is_expression(first.left) && self.is_number(first.right),
            all: clashes.iter().map(describe).collect(),
        })
    }

    pub fn constant(&self, cell: Cell) -> Option<Constant> {
        let text = || self.words().term(cell);
        Some(match self.store.heap.value(cell) {
            Value::Atom(atom) => Constant::Atom(self.m.symbols.name(atom).to_owned()),
            Value::Str(text) => Constant::Text(text.to_owned()),
            Value::Int(_) | Value::Big(_) => Constant::Integer(text()),
            Value::Float(_) => Constant::Float(text()),
            _ => return None,
        })
    }

    pub fn is_number(&self, cell: Cell) -> bool {
        matches!(self.store.heap.value(cell), Value::Int(_) | Value::Big(_) | Value::Float(_))
    }

    /// Whether a term is an unevaluated expression over numbers.
    pub fn is_expression(&self, cell: Cell) -> bool {
        let heap = &self.store.heap;
        let mut todo = vec![cell];
        let mut seen = 0;
        let mut operators = 0;
        while let Some(cell) = todo.pop() {
            seen += 1;
            if seen > 1000 {
                break;
            }
            match heap.value(cell) {
                Value::Struct(name, arity, args)
                    if is_operator(self.m.symbols.name(name), arity) =>
                {
                    operators += 1;
                    todo.extend((0..arity).map(|i| heap.at(args + i)));
                }
                Value::Int(_) | Value::Big(_) | Value::Float(_) => {}
                _ => return false,
            }
        }
        operators > 0
    }

    pub fn head(&self, clause: ClauseId) -> Option<(Source, Span)> {
        head_place(self.m, self.w, clause)
    }
}

/// Whether something of this name is arithmetic.
pub fn is_operator(name: &str, arity: usize) -> bool {
    match arity {
        2 => matches!(
            name,
            "+" | "-" | "*" | "/" | "//" | "mod" | "rem" | "div" | "**" | "^" | "min" | "max"
        ),
        1 => matches!(name, "-" | "+" | "abs" | "sqrt" | "sign"),
        _ => false,
    }
}

/// Whether a term in an image is an expression with an operator in front.
pub fn is_written_expression(m: &Machine, cells: &[Cell], cell: Cell) -> bool {
    let operator = |(name, arity, args): (Atom, usize, usize)| {
        let numeric = |i: usize| {
            let part = resolve(cells, cells[args + i]);
            part.is_var() || part.is_int() || functor(cells, part).is_some_and(|(_, k, _)| k > 0)
        };
        is_operator(m.symbols.name(name), arity) && (0..arity).all(numeric)
    };
    functor(cells, cell).is_some_and(operator)
}

/// Whether two names differ by a slip.
pub fn alike_names(a: &str, b: &str) -> bool {
    let length = a.chars().count().max(b.chars().count());
    if a == b || length < 3 {
        return false;
    }
    a.to_lowercase() == b.to_lowercase() || distance_within(a, b, max_distance(length)).is_some()
}

/// Whether two constants differ by a slip: of the fingers, or of the kind.
pub fn alike(a: &Constant, b: &Constant) -> bool {
    use Constant::{Atom, Float, Integer, Text};
    match (a, b) {
        (Atom(a), Atom(b)) => alike_names(a, b),
        (Atom(a), Text(b) | Integer(b)) | (Text(b) | Integer(b), Atom(a)) => a == b,
        (Text(a), Integer(b)) | (Integer(b), Text(a)) => a == b,
        (Integer(a), Float(b)) | (Float(b), Integer(a)) => b.strip_suffix(".0") == Some(a),
        (Text(a), Text(b)) => alike_names(a, b),
        _ => false,
    }
}

/// Argument numbers in words: `argument 1, item 2`.
fn path_words(heap: &Heap, root: Cell, path: &[u32]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut cell = heap.deref(root);
    let mut item: Option<u32> = None;
    let rest = |before: u32| format!("the rest from item {}", before + 1);
    for (level, &number) in path.iter().enumerate() {
        let Some((name, arity, args)) = heap.name_arity(cell) else { break };
        if name == atoms::DOT && arity == 2 {
            if number == 1 {
                parts.push(format!("item {}", item.unwrap_or(0) + 1));
                item = None;
            } else {
                item = Some(item.unwrap_or(0) + 1);
            }
        } else {
            parts.extend(item.take().map(rest));
            parts.push(format!("{} {number}", if level == 0 { "argument" } else { "part" }));
        }
        cell = heap.deref(heap.at(args + number as usize - 1));
    }
    parts.extend(item.map(rest));
    if parts.len() > 1 && heap.name_arity(root).is_some_and(|(_, arity, _)| arity == 1) {
        // The only argument needs no number.
        parts.remove(0);
    }
    parts.join(", ")
}
