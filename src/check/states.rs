//! What the states that a search meets first say about the rules.

use super::slips::Uncomputed;
use crate::builtins::World;
use crate::diagnostic::Diagnostic;
use crate::domain::short_text;
use crate::explain::is_number;
use crate::machine::{Machine, PredId};
use crate::symbol::atoms;
use crate::term::{Cell, Heap, Record, Tag};

/// States in the order in which they were met, each with the number of the one before it.
#[derive(Default)]
pub(super) struct Seen {
    pub states: Vec<(Record, Option<usize>)>,
    /// There are no more.
    pub whole: bool,
    /// A goal, or an end of the game, is among them.
    pub ends: bool,
}

/// A state with arithmetic in it that nobody computed, and what is to be said about it.
pub(super) fn uncomputed(
    m: &Machine,
    w: &World,
    seen: &Seen,
    places: impl FnOnce() -> Vec<Uncomputed>,
) -> Option<Diagnostic> {
    let (operator, state) = seen.states.iter().find_map(|(state, before)| {
        let before = &seen.states[(*before)?].0;
        Some((grown(m, before, state)?, state))
    })?;
    let message = format!(
        "a move leads to {}: the arithmetic in it was not computed",
        short_text(m, w, state)
    );
    let finding = Diagnostic::warning("W0516", message)
        .hint("`=` and arguments do not compute: write `M is N + 1`, and use M");
    let places = places();
    // Pairs come of facts: what no clause builds is no arithmetic.
    let place = places.iter().find(|place| place.operator == operator)?;
    let (source, span) = &place.place;
    let finding = finding.at(source, *span, "");
    Some(match &place.equals {
        Some((source, span)) => {
            let text = &source.text;
            let spaced = |at: u32| text[..at as usize].ends_with(char::is_whitespace);
            let before = if spaced(span.start) { "" } else { " " };
            let after = match text[span.end as usize..].starts_with(char::is_whitespace) {
                true => "",
                false => " ",
            };
            finding.mend(source, *span, format!("{before}is{after}"))
        }
        None => finding,
    })
}

/// The operator of an expression that stands where there was a number before.
fn grown(m: &Machine, before: &Record, after: &Record) -> Option<String> {
    let ((old, from), (new, to)) = (before.to_heap(), after.to_heap());
    let mut todo = vec![(from, to)];
    let mut left = 100_000;
    while let Some((from, to)) = todo.pop() {
        left -= 1;
        if left == 0 {
            return None;
        }
        let (from, to) = (old.deref(from), new.deref(to));
        let known = old.name_arity(from);
        let Some((name, arity, args)) = new.name_arity(to) else { continue };
        if is_number(&old.cells, from)
            || known.is_some_and(|known| is_expression(m, &old, from, known))
        {
            if is_number(&old.cells, from) && is_expression(m, &new, to, (name, arity, args)) {
                return Some(m.symbols.name(name).to_owned());
            }
            continue;
        }
        if let Some((other, count, others)) = known
            && (other, count) == (name, arity)
        {
            todo.extend((0..arity).map(|i| (old.at(others + i), new.at(args + i))));
        }
    }
    None
}

/// Whether a term is an operator of arithmetic over numbers alone.
fn is_expression(
    m: &Machine,
    heap: &Heap,
    cell: Cell,
    (name, arity, _): (crate::symbol::Atom, usize, usize),
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

/// Whether no state has the shape of a head of this predicate, though there are states enough to
/// tell: either all there are, or none of the rules speaks of such a shape.
pub(super) fn never_fits(m: &Machine, seen: &Seen, goal: PredId, rules: &[PredId]) -> bool {
    if seen.ends || seen.states.len() < 2 && !seen.whole {
        return false;
    }
    let heads = m.program.live_clauses(goal);
    !heads.is_empty()
        && heads.iter().all(|&id| {
            let clause = &m.program.clauses[id as usize];
            let heap = Heap { cells: clause.record.cells.to_vec() };
            let Some((_, _, args)) = heap.name_arity(clause.head()) else { return false };
            let pattern = heap.at(args);
            seen.states.iter().all(|(state, _)| {
                let (other, root) = state.to_heap();
                clash(&heap, pattern, &other, root)
                    .is_some_and(|wanted| seen.whole || !made(m, rules, wanted))
            })
        })
}

/// What a pattern has where a term has something of another shape: it never fits. Lists fit
/// lists of any length, atoms fit atoms, numbers fit numbers.
fn clash(pattern: &Heap, from: Cell, heap: &Heap, to: Cell) -> Option<Wanted> {
    let mut todo = vec![(from, to)];
    let mut left = 100_000;
    while let Some((from, to)) = todo.pop() {
        left -= 1;
        if left == 0 {
            return None;
        }
        let (from, to) = (pattern.deref(from), heap.deref(to));
        if from.is_ref() || to.is_ref() {
            continue;
        }
        let list = |heap: &Heap, cell: Cell| cell == Cell::NIL || heap.deref(cell).is_list();
        if list(pattern, from) && list(heap, to) {
            if from.is_list() && to.is_list() {
                let (a, b) = (from.addr(), to.addr());
                todo.push((pattern.at(a), heap.at(b)));
                todo.push((pattern.at(a + 1), heap.at(b + 1)));
            }
            continue;
        }
        let (a, b) = (kind(pattern, from), kind(heap, to));
        match (a, b) {
            (Kind::Compound(name, arity), Kind::Compound(other, count))
                if (name, arity) == (other, count) =>
            {
                let (Some((.., a)), Some((.., b))) =
                    (pattern.name_arity(from), heap.name_arity(to))
                else {
                    return None;
                };
                todo.extend((0..arity).map(|i| (pattern.at(a + i), heap.at(b + i))));
            }
            (Kind::Compound(name, arity), _) => return Some(Wanted::Functor(name, arity)),
            (a, b) if a == b => {}
            // An atom in the place of a number may be a mark; what is made of text is not.
            (Kind::Atom, Kind::String) | (Kind::String, _) | (Kind::Atom, Kind::Compound(..)) => {
                return Some(Wanted::Constant(from));
            }
            (Kind::Atom | Kind::Number, _) => return Some(Wanted::Constant(from)),
        }
    }
    None
}

/// What a pattern asks for.
#[derive(Clone, Copy)]
enum Wanted {
    Functor(crate::symbol::Atom, usize),
    Constant(Cell),
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Atom,
    Number,
    String,
    Compound(crate::symbol::Atom, usize),
}

fn kind(heap: &Heap, cell: Cell) -> Kind {
    if let Some((name, arity, _)) = heap.name_arity(cell)
        && arity > 0
    {
        return if cell.is_list() {
            Kind::Compound(atoms::DOT, 2)
        } else {
            Kind::Compound(name, arity)
        };
    }
    if cell.is_atom() {
        Kind::Atom
    } else if is_number(&heap.cells, cell) {
        Kind::Number
    } else {
        Kind::String
    }
}

/// Whether clauses of the rules speak of a functor, of a constant, or of what may be anything.
fn made(m: &Machine, rules: &[PredId], wanted: Wanted) -> bool {
    rules.iter().flat_map(|&pred| m.program.live_clauses(pred)).any(|id| {
        let clause = &m.program.clauses[id as usize];
        let cells = &clause.record.cells;
        cells.iter().any(|&cell| match wanted {
            Wanted::Functor(atoms::DOT, 2) => cell.is_list(),
            Wanted::Functor(name, arity) => {
                cell.tag() == Tag::Header
                    && (cell.functor_name(), cell.functor_arity()) == (name, arity)
            }
            Wanted::Constant(constant) if constant.is_atom() || constant.as_int().is_some() => {
                cell == constant
            }
            // A number, or a string, may be computed.
            Wanted::Constant(_) => true,
        }) || crate::domain::purity::goals::of_clause(m, id).iter().any(|goal| {
            matches!(m.symbols.name(goal.name), "=.." | "functor" | "term_to_atom" | "copy_term")
                || matches!(wanted, Wanted::Constant(_))
                    && matches!(m.symbols.name(goal.name), "is" | "succ" | "plus" | "atom_concat")
        })
    })
}
