//! Relaxed reachability: the elements that sets may have beyond those that were met.
//!
//! Moves are asked for from a state whose sets have all elements at once that are known. What they lead to may be
//! new; so it goes on until nothing is. Where moves ask for what is there this finds all that can ever be, and more
//! (the delete relaxation; B. Bonet, H. Geffner, *Planning as Heuristic Search*, 2001). Rules that take the first
//! element that fits are asked with elements in several orders.

use super::{Moving, Walk};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_random::Random;
use zug_state::representation::{MOST_ELEMENTS, MOST_LEAVES, Part, Universe};
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap, Record, compare};

/// Rounds of moves from states with all elements,
const MOST_ROUNDS: usize = 64;
/// and those of them, one after the other, that show that nothing new is found.
const FRUITLESS: usize = 4;
/// Moves from one of them.
const MOST_MOVES: usize = 1 << 11;

/// Adds the elements of sets that can be reached to a representation, as many as there is room for.
pub(super) fn add_reachable(
    (m, w): (&mut Machine, &mut World),
    walk: &mut Walk,
    moving: &Moving,
    known: &mut Part,
) -> Option<()> {
    let seats: Vec<usize> = {
        let mut seats: Vec<usize> = walk.states.iter().map(|state| state.seat).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    };
    let first = walk.states.first()?.cell;
    let (mut random, mut fruitless) = (Random::new(1), 0);
    for round in 0..MOST_ROUNDS {
        let shuffled = (round > 0).then_some(&mut random);
        let cell = with_all(&mut walk.heap, first, known, &mut Order(shuffled))?;
        let from = Record::new(&mut walk.heap, cell);
        let mut new = vec![Vec::new(); sets(known)];
        for &seat in &seats {
            for (to, _) in walk.successors((m, w), moving, (&from, seat, MOST_MOVES)) {
                let (heap, root) = to.to_heap();
                note_new(&heap, root, known, &mut new.iter_mut());
            }
        }
        if new.iter().all(Vec::is_empty) {
            fruitless += 1;
            if fruitless == FRUITLESS || walk.ended {
                break;
            }
            continue;
        }
        fruitless = 0;
        let grown = with_more(&m.symbols, known, &mut new.into_iter())?;
        if grown.leaves() > MOST_LEAVES {
            return None;
        }
        *known = grown;
        if walk.ended {
            break;
        }
    }
    Some(())
}

/// How many sets there are, outside of lists of no fixed length.
fn sets(part: &Part) -> usize {
    match part {
        Part::Set(_) => 1,
        Part::List(parts) | Part::Struct(_, parts) => parts.iter().map(sets).sum(),
        Part::Leaf(_) | Part::Constant(_) | Part::Padded(..) | Part::Variables(_) => 0,
    }
}

/// The arguments of a structure or the items of a list.
fn parts_of(heap: &Heap, cell: Cell) -> Vec<Cell> {
    let cell = heap.deref(cell);
    match cell.is_struct() {
        true => {
            let arity = heap.at(cell.addr()).functor_arity();
            (1..=arity).map(|place| heap.at(cell.addr() + place)).collect()
        }
        false => heap.items(cell).collect(),
    }
}

/// The order of elements: the standard order, or one at random.
struct Order<'r>(Option<&'r mut Random>);

impl Order<'_> {
    fn apply(&mut self, items: &mut [Cell]) {
        if let Some(random) = &mut self.0 {
            for at in (1..items.len()).rev() {
                items.swap(at, random.below(at as u64 + 1) as usize);
            }
        }
    }
}

/// A term with all elements in each of its sets; `None` if it has another form.
fn with_all(heap: &mut Heap, cell: Cell, part: &Part, order: &mut Order<'_>) -> Option<Cell> {
    let parts = match part {
        Part::Leaf(_) | Part::Constant(_) | Part::Padded(..) | Part::Variables(_) => {
            return Some(cell);
        }
        Part::Set(universe) => {
            let elements = universe.elements().iter();
            let mut items: Vec<Cell> = elements.map(|element| element.instantiate(heap)).collect();
            order.apply(&mut items);
            return Some(heap.list_from(&items, Cell::NIL));
        }
        Part::List(parts) | Part::Struct(_, parts) => parts,
    };
    let items = parts_of(heap, cell);
    if items.len() != parts.len() {
        return None;
    }
    let items: Option<Vec<Cell>> = items
        .into_iter()
        .zip(parts)
        .map(|(item, part)| with_all(heap, item, part, order))
        .collect();
    match part {
        Part::Struct(header, _) => Some(heap.new_struct(header.functor_name(), &items?)),
        _ => Some(heap.list_from(&items?, Cell::NIL)),
    }
}

/// Notes the elements of a term's sets that are new.
fn note_new<'n>(
    heap: &Heap,
    cell: Cell,
    part: &Part,
    new: &mut impl Iterator<Item = &'n mut Vec<Record>>,
) {
    match part {
        Part::Leaf(_) | Part::Constant(_) | Part::Padded(..) | Part::Variables(_) => {}
        Part::Set(universe) => {
            let Some(new) = new.next() else { return };
            for item in heap.items(cell) {
                if universe.find(heap, item).is_none() && new.len() < MOST_ELEMENTS {
                    let mut heap = Heap { cells: heap.cells.clone() };
                    let element = Record::new(&mut heap, item);
                    if !new.contains(&element) {
                        new.push(element);
                    }
                }
            }
        }
        Part::List(parts) | Part::Struct(_, parts) => {
            let items = parts_of(heap, cell);
            // What has another form has nothing to say of the sets that come after it either.
            for (at, part) in parts.iter().enumerate() {
                match items.get(at) {
                    Some(&item) => note_new(heap, item, part, new),
                    None => new.take(sets(part)).for_each(|_| ()),
                }
            }
        }
    }
}

/// A representation with more elements in its sets; `None` if there are too many, or one can't be one.
fn with_more(
    symbols: &Symbols,
    part: &Part,
    new: &mut impl Iterator<Item = Vec<Record>>,
) -> Option<Part> {
    Some(match part {
        Part::Leaf(_) | Part::Constant(_) | Part::Padded(..) | Part::Variables(_) => part.clone(),
        Part::Set(universe) => {
            let more = new.next()?;
            let mut heap = Heap::new();
            let all = universe.elements().iter().chain(&more);
            let mut cells: Vec<Cell> = all.map(|element| element.instantiate(&mut heap)).collect();
            if cells.len() > MOST_ELEMENTS {
                return None;
            }
            cells.sort_by(|&one, &other| compare(&heap, symbols, one, other));
            let elements = cells.into_iter().map(|cell| Record::new(&mut heap, cell)).collect();
            Part::Set(Universe::new(elements)?)
        }
        Part::List(parts) => Part::List(all_with_more(symbols, parts, new)?),
        Part::Struct(header, parts) => Part::Struct(*header, all_with_more(symbols, parts, new)?),
    })
}

fn all_with_more(
    symbols: &Symbols,
    parts: &[Part],
    new: &mut impl Iterator<Item = Vec<Record>>,
) -> Option<Box<[Part]>> {
    let mut all = Vec::with_capacity(parts.len());
    for part in parts {
        all.push(with_more(symbols, part, new)?);
    }
    Some(all.into())
}
