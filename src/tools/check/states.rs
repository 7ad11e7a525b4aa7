//! What the states that a search meets first say about the rules.

use super::placed;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use zug_domain::short_text;
use zug_explain::is_number;
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::{World, list_end};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record, Tag};

/// States in the order in which they were met, each with the number of the one before it.
#[derive(Default)]
pub(super) struct StateSample {
    pub states: Vec<(Record, Option<usize>)>,
    /// There are no more.
    pub whole: bool,
    /// A goal, or an end of the game, is among them.
    pub ends: bool,
}

/// Where a state gets unevaluated arithmetic.
pub(super) struct Uncomputed {
    pub place: (Source, Span),
    /// Where the `=` stands, if it is one.
    pub equals: Option<(Source, Span)>,
}

/// The finding about a state with unevaluated arithmetic in it.
pub(super) fn uncomputed(
    m: &Machine,
    w: &World,
    seen: &StateSample,
    places: impl FnOnce(&GrownExpression) -> Option<Uncomputed>,
) -> Option<Diagnostic> {
    let (grown, state) = seen.states.iter().find_map(|(state, before)| {
        let before = &seen.states[(*before)?].0;
        Some((grown(m, before, state)?, state))
    })?;
    let message = format!(
        "a move leads to {}: the arithmetic in it was not computed",
        short_text(m, w, state)
    );
    let finding = Diagnostic::warning("W0516", message)
        .hint("`=` and arguments do not compute: write `M is N + 1`, and use M");
    // Pairs come of facts: what no clause builds is no arithmetic.
    let place = places(&grown)?;
    let finding = placed(finding, Some(place.place));
    Some(match &place.equals {
        Some((source, span)) => {
            let (before, after) = source.text.split_at(span.start as usize);
            let blank = |is_there: bool| if is_there { "" } else { " " };
            let before = blank(before.ends_with(char::is_whitespace));
            let after = blank(after[1..].starts_with(char::is_whitespace));
            finding.mend(source, *span, format!("{before}is{after}"))
        }
        None => finding,
    })
}

/// Walks through two terms as far as they are built alike, from the outside to the inside:
/// `see` says whether to go on inside of two parts that stand in the same place. Paths lead to
/// the parts: numbers of arguments from 0. What two terms share is walked through once.
fn in_step<T>(
    (a, from): (&Heap, Cell),
    (b, to): (&Heap, Cell),
    mut see: impl FnMut(Cell, Cell, &dyn Fn() -> Vec<usize>) -> ControlFlow<Option<T>, bool>,
) -> Option<T> {
    // The way to a part: the one around it, and the number of the argument.
    let mut ways: Vec<(usize, usize)> = Vec::new();
    let mut todo = vec![(from, to, usize::MAX)];
    let mut done = FxHashSet::default();
    while let Some((from, to, way)) = todo.pop() {
        let (from, to) = (a.deref(from), b.deref(to));
        let path = || {
            let mut path = Vec::new();
            let mut at = way;
            while let Some(&(around, argument)) = ways.get(at) {
                path.push(argument);
                at = around;
            }
            path.reverse();
            path
        };
        match see(from, to, &path) {
            ControlFlow::Break(found) => return found,
            ControlFlow::Continue(false) => continue,
            ControlFlow::Continue(true) => {}
        }
        let terms = a.name_arity(from).zip(b.name_arity(to));
        let Some(((name, arity, first), (other, count, second))) = terms else { continue };
        if (name, arity) != (other, count) || arity == 0 || !done.insert((first, second)) {
            continue;
        }
        for i in 0..arity {
            ways.push((way, i));
            todo.push((a.at(first + i), b.at(second + i), ways.len() - 1));
        }
    }
    None
}

/// What to say of a start that is a text, where no rule fits it.
pub(super) fn text_as_state(state: &Record) -> Option<String> {
    let (heap, root) = state.to_heap();
    let is_text = matches!(heap.value(root), zug_term::Value::Str(_));
    is_text.then(|| {
        "the state is a text in quotes, in which member/2, nth1/3 and the like find nothing: write a list, as `[e, e, x]`"
            .to_owned()
    })
}

/// Whether a number of a state has grown very much by the time that another one is reached.
pub(super) fn has_grown(from: &Record, to: &Record) -> bool {
    const FAR: i64 = 100;
    let ((old, root), (new, end)) = (from.to_heap(), to.to_heap());
    let far = |from: i64, to: i64| (to - from).abs() >= FAR && to.abs() > 2 * from.abs();
    let grown = in_step((&old, root), (&new, end), |from, to, _| {
        let numbers = from.as_int().zip(to.as_int());
        match numbers.is_some_and(|(from, to)| far(from, to)) {
            true => ControlFlow::Break(Some(())),
            false => ControlFlow::Continue(true),
        }
    });
    grown.is_some()
}

/// An expression in the place of a number.
pub(super) struct GrownExpression {
    pub operator: String,
    /// Where in the state: numbers of arguments from 0.
    pub path: Vec<usize>,
    /// It stands in a pair of numbers, or in what looks like one: `E-V`.
    pub in_pair: bool,
}

impl GrownExpression {
    /// The same, as if it stood in no pair.
    pub(super) fn outside(&self) -> GrownExpression {
        GrownExpression { operator: self.operator.clone(), path: self.path.clone(), in_pair: false }
    }
}

fn grown(m: &Machine, before: &Record, after: &Record) -> Option<GrownExpression> {
    let ((old, root), (new, to)) = (before.to_heap(), after.to_heap());
    in_step((&old, root), (&new, to), |from, to, path| {
        let Some(term) = new.name_arity(to) else { return ControlFlow::Continue(false) };
        if is_number(&old.cells, from) {
            // What was there before has moved.
            if !is_expression(m, &new, to, term) || contains((&old, root), (&new, to)) {
                return ControlFlow::Continue(false);
            }
            let operator = m.symbols.name(term.0).to_owned();
            let path = path();
            let in_pair = in_expression(m, &old, root, &path);
            return ControlFlow::Break(Some(GrownExpression { operator, path, in_pair }));
        }
        ControlFlow::Continue(true)
    })
}

/// Whether a term has an equal of another one in it.
fn contains((heap, root): (&Heap, Cell), (other, wanted): (&Heap, Cell)) -> bool {
    let mut todo = vec![root];
    let mut done = FxHashSet::default();
    while let Some(cell) = todo.pop() {
        let cell = heap.deref(cell);
        let Some((_, arity, args)) = heap.name_arity(cell).filter(|term| term.1 > 0) else {
            continue;
        };
        if !done.insert(args) {
            continue;
        }
        let differ = in_step((heap, cell), (other, wanted), |a, b, _| {
            let same = match (heap.name_arity(a), other.name_arity(b)) {
                (Some(a), Some(b)) => (a.0, a.1) == (b.0, b.1),
                (None, None) => a == b || a.as_int().is_none() && b.as_int().is_none(),
                _ => false,
            };
            if same { ControlFlow::Continue(true) } else { ControlFlow::Break(Some(())) }
        });
        if differ.is_none() {
            return true;
        }
        todo.extend((0..arity).map(|i| heap.at(args + i)));
    }
    false
}

/// Whether a path leads through an expression of numbers.
fn in_expression(m: &Machine, heap: &Heap, root: Cell, path: &[usize]) -> bool {
    let mut cell = heap.deref(root);
    path.iter().any(|&argument| {
        let Some(term) = heap.name_arity(cell) else { return false };
        let inside = is_expression(m, heap, cell, term);
        cell = heap.deref(heap.at(term.2 + argument));
        inside
    })
}

/// Whether a term is an operator of arithmetic over numbers alone.
fn is_expression(
    m: &Machine,
    heap: &Heap,
    cell: Cell,
    (name, arity, _): (zug_term::symbol::Atom, usize, usize),
) -> bool {
    let operator = |name| matches!(m.symbols.name(name), "+" | "-" | "*" | "/" | "//" | "mod");
    if arity != 2 || !operator(name) {
        return false;
    }
    let mut todo = vec![cell];
    let mut left = 1000;
    while let Some(cell) = todo.pop() {
        left -= 1;
        let cell = heap.deref(cell);
        match heap.name_arity(cell) {
            Some((name, 2, args)) if operator(name) && left > 0 => {
                todo.extend([heap.at(args), heap.at(args + 1)]);
            }
            _ if is_number(&heap.cells, cell) => {}
            _ => return false,
        }
    }
    true
}

/// Whether no state has the shape of a head of this predicate in the argument given, though there
/// are states enough to tell: either all there are, or none of the rules speaks of such a shape.
pub(super) fn never_fits(
    m: &Machine,
    seen: &StateSample,
    (goal, at): (PredId, usize),
    rules: &[PredId],
) -> bool {
    if seen.ends || seen.states.len() < 2 && !seen.whole {
        return false;
    }
    let heads = m.program.live_clauses(goal);
    !heads.is_empty()
        && heads.iter().all(|&id| {
            let clause = &m.program.clauses[id as usize];
            let heap = Heap { cells: clause.record.cells.to_vec() };
            let Some((_, _, args)) = heap.name_arity(clause.head()) else { return false };
            let pattern = heap.at(args + at);
            let mut lengths = FxHashSet::default();
            let never = seen.states.iter().all(|(state, _)| {
                let (other, root) = state.to_heap();
                clash(&heap, pattern, &other, root).is_some_and(|wanted| match wanted {
                    PatternPart::Length(length) => {
                        lengths.insert(length);
                        seen.whole || seen.states.len() >= ENOUGH_LISTS
                    }
                    wanted => seen.whole || !made(m, rules, wanted),
                })
            });
            // Where lengths differ, a list may still grow to the length of the pattern.
            never && lengths.len() <= 1
        })
}

/// Least number of sampled states with lists of one length from which that length counts as fixed.
const ENOUGH_LISTS: usize = 20;

/// What a pattern has where a term has something of another shape: it never fits. Lists fit
/// lists of their length, atoms fit atoms, numbers fit numbers.
fn clash(pattern: &Heap, from: Cell, heap: &Heap, to: Cell) -> Option<PatternPart> {
    let list = |heap: &Heap, cell: Cell| cell == Cell::NIL || heap.deref(cell).is_list();
    in_step((pattern, from), (heap, to), |from, to, _| {
        if from.is_var() || to.is_var() {
            return ControlFlow::Continue(false);
        }
        if list(pattern, from) && list(heap, to) {
            return match (length(pattern, from), length(heap, to)) {
                (Some(wanted), Some(there)) if wanted != there => {
                    ControlFlow::Break(Some(PatternPart::Length(there)))
                }
                _ => ControlFlow::Continue(true),
            };
        }
        match (kind(pattern, from), kind(heap, to)) {
            (a, b) if a == b => ControlFlow::Continue(true),
            (Kind::Compound(name, arity), _) => {
                ControlFlow::Break(Some(PatternPart::Functor(name, arity)))
            }
            _ => ControlFlow::Break(Some(PatternPart::Constant(from))),
        }
    })
}

/// What a pattern asks for.
#[derive(Clone, Copy)]
enum PatternPart {
    Functor(zug_term::symbol::Atom, usize),
    Constant(Cell),
    /// A list of another length than this.
    Length(usize),
}

fn length(heap: &Heap, list: Cell) -> Option<usize> {
    let (length, end) = list_end(heap, list);
    (end == Cell::NIL).then_some(length)
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Atom,
    Number,
    String,
    Compound(zug_term::symbol::Atom, usize),
}

fn kind(heap: &Heap, cell: Cell) -> Kind {
    match heap.name_arity(cell) {
        _ if cell.is_list() => Kind::Compound(atoms::DOT, 2),
        Some((name, arity, _)) if arity > 0 => Kind::Compound(name, arity),
        _ if cell.is_atom() => Kind::Atom,
        _ if is_number(&heap.cells, cell) => Kind::Number,
        _ => Kind::String,
    }
}

/// Whether clauses of the rules speak of a functor, of a constant, or of what may be anything.
fn made(m: &Machine, rules: &[PredId], wanted: PatternPart) -> bool {
    rules.iter().flat_map(|&pred| m.program.live_clauses(pred)).any(|id| {
        let clause = &m.program.clauses[id as usize];
        let cells = &clause.record.cells;
        cells.iter().any(|&cell| match wanted {
            PatternPart::Functor(atoms::DOT, 2) => cell.is_list(),
            PatternPart::Functor(name, arity) => {
                cell.tag() == Tag::Header
                    && (cell.functor_name(), cell.functor_arity()) == (name, arity)
            }
            PatternPart::Constant(constant)
                if constant.is_atom() || constant.as_int().is_some() =>
            {
                cell == constant
            }
            // A number, or a string, may be computed.
            PatternPart::Constant(_) => true,
            PatternPart::Length(_) => false,
        }) || zug_domain::purity::goals::of_clause(m, id).iter().any(|goal| {
            matches!(m.symbols.name(goal.name), "=.." | "functor" | "term_to_atom" | "copy_term")
                || match wanted {
                    PatternPart::Constant(constant) if constant.is_atom() => {
                        m.symbols.name(goal.name).contains("atom")
                    }
                    PatternPart::Constant(_) => {
                        matches!(m.symbols.name(goal.name), "is" | "succ" | "plus" | "between")
                    }
                    PatternPart::Functor(..) | PatternPart::Length(_) => false,
                }
        })
    })
}
