//! Rules that match, as terms: `Head => Body`, `Head, Guard => Body` and `?=>`.

use zug_machine::{Machine, Neck};
use zug_term::source::Span;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Heap};

/// The clause `Head :- Body` that a rule is kept as, if the term is one; see [`Neck`].
pub(super) fn as_clause(heap: &mut Heap, term: Cell) -> Option<(Neck, Cell)> {
    let term = heap.deref(term);
    let arrows = [(atoms::RULE, Neck::Commit), (atoms::CHOICE_RULE, Neck::Choice)];
    let (neck, [left, body]) = arrows
        .into_iter()
        .find_map(|(arrow, neck)| Some((neck, heap.match_struct::<2>(term, arrow)?)))?;
    let Some([head, guard]) = heap.match_struct::<2>(left, atoms::COMMA) else {
        return Some((neck, heap.new_struct(atoms::NECK, &[left, body])));
    };
    let (neck, rest) = match neck {
        Neck::Commit => {
            let cut = Cell::atom(atoms::CUT);
            (Neck::Guard, heap.new_struct(atoms::COMMA, &[cut, body]))
        }
        neck => (neck, body),
    };
    let body = heap.new_struct(atoms::COMMA, &[guard, rest]);
    Some((neck, heap.new_struct(atoms::NECK, &[head, body])))
}

/// The same for a clause with the spans of its parts, which new places get as well.
pub(super) fn as_placed_clause(
    heap: &mut Heap,
    term: Cell,
    spans: &mut Vec<(usize, Span)>,
) -> Option<(Neck, Cell)> {
    let old = heap.top();
    let found = as_clause(heap, term)?;
    let by_part: rustc_hash::FxHashMap<Cell, Span> =
        spans.iter().map(|&(addr, span)| (heap.deref(heap.at(addr)), span)).collect();
    let new = (old..heap.top()).filter(|&addr| !heap.at(addr).is_header());
    let placed = new.filter_map(|addr| Some((addr, *by_part.get(&heap.deref(heap.at(addr)))?)));
    spans.extend(placed.collect::<Vec<_>>());
    Some(found)
}

/// The same for a term on the machine's heap, with modules before it or its head.
pub(super) fn as_plain_clause(m: &mut Machine, term: Cell) -> (Neck, Cell) {
    let mut modules: Vec<Cell> = Vec::new();
    let mut inner = m.heap.deref(term);
    while let Some([module, rest]) = m.heap.match_struct::<2>(inner, atoms::COLON)
        && modules.len() < zug_machine::MODULES
    {
        modules.push(module);
        inner = m.heap.deref(rest);
    }
    let Some((neck, mut clause)) = as_clause(&mut m.heap, inner) else {
        return (Neck::Clause, term);
    };
    for module in modules.into_iter().rev() {
        clause = m.heap.new_struct(atoms::COLON, &[module, clause]);
    }
    (neck, clause)
}

/// The term that a clause was written as, by its head and body.
pub(super) fn as_written(heap: &mut Heap, neck: Neck, head: Cell, body: Cell) -> Cell {
    let arrow: Atom = match neck {
        Neck::Clause => atoms::NECK,
        Neck::Commit | Neck::Guard => atoms::RULE,
        Neck::Choice => atoms::CHOICE_RULE,
    };
    if neck == Neck::Guard
        && let Some([guard, rest]) = heap.match_struct::<2>(body, atoms::COMMA)
        && let Some([_, body]) = heap.match_struct::<2>(rest, atoms::COMMA)
    {
        let left = heap.new_struct(atoms::COMMA, &[head, guard]);
        return heap.new_struct(arrow, &[left, body]);
    }
    heap.new_struct(arrow, &[head, body])
}
