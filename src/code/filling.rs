//! Packed terms with outputs of a call in the place of some of their leaves.
//!
//! What is packed is a shape and leaves, so the term that comes of two is known by their shapes: which
//! shape it has and which leaf comes from where is found out once, on a heap, and kept.

use super::code::Holes;
use rustc_hash::FxHashMap;
use zug_state::{Codec, Word};
use zug_symbolic::limits;
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// Leaves of a term, each with the number of its kind added to it.
const KIND: i64 = 1 << 32;

/// The answer of a call: name and state as packed terms, and which output is the state.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    pub name: &'a [u8],
    pub state: &'a [u8],
    pub outputs: u8,
    pub which: u8,
}

/// Which term comes of which shapes.
#[derive(PartialEq, Eq, Hash)]
struct Kind {
    outer: u8,
    name: u8,
    state: u8,
    which: u8,
    holes: Holes,
    /// The leaves of the name that are the empty list: at the end of a list they are none.
    empty: u64,
}

/// A term by shape, and its leaves by where they come from.
struct Plan {
    shape: u8,
    leaves: Box<[(Origin, usize)]>,
    counts: [usize; 3],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Outer,
    Name,
    State,
}

#[derive(Default)]
pub struct Filling {
    plans: FxHashMap<Kind, Option<Plan>>,
    words: [Vec<i64>; 3],
}

impl Filling {
    /// Appends a packed term with the outputs of an answer in its holes; `None` if it can't be.
    pub fn fill(
        &mut self,
        codec: &mut Codec,
        (outer, holes): (&[u8], &Holes),
        answer: Answer<'_>,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        if holes.is_empty() {
            out.extend_from_slice(outer);
            return Some(());
        }
        let kind = Kind {
            outer: Codec::shape_of(outer)?,
            name: Codec::shape_of(answer.name)?,
            state: Codec::shape_of(answer.state)?,
            which: answer.which,
            holes: holes.clone(),
            empty: empty_leaves(codec, answer.name, &mut self.words[0])?,
        };
        if self.plans.len() >= limits::TABLE_ROWS {
            self.plans.clear();
        }
        let outputs = usize::from(answer.outputs);
        let plan = self.plans.entry(kind);
        let plan = plan.or_insert_with_key(|kind| Plan::of(kind, outputs, codec)).as_ref()?;
        out.push(plan.shape);
        let parts = [outer, answer.name, answer.state].map(|part| &part[1..]);
        if parts.iter().zip(plan.counts).all(|(part, count)| part.len() == count) {
            let byte = |&(origin, at): &(Origin, usize)| parts[origin as usize][at];
            out.extend(plan.leaves.iter().map(byte));
            return Some(());
        }
        for (words, part) in self.words.iter_mut().zip(parts) {
            words.clear();
            codec.words(part, words).ok()?;
        }
        for &(origin, at) in &plan.leaves {
            Codec::push_word(Word(*self.words[origin as usize].get(at)?), out);
        }
        Some(())
    }
}

/// The leaves of a packed term that are the empty list, as bits; `None` if they can't be told.
fn empty_leaves(codec: &mut Codec, packed: &[u8], words: &mut Vec<i64>) -> Option<u64> {
    let empty = Word::constant(codec.atom_code(atoms::NIL)).0;
    words.clear();
    if packed.len() == 1 + codec.leaves_of(packed[0]) {
        words.extend(packed[1..].iter().map(|&byte| i64::from(byte)));
    } else {
        codec.words(&packed[1..], words).ok()?;
    }
    let leaves = words.iter().take(64).enumerate();
    Some(leaves.filter(|&(_, &word)| word == empty).fold(0, |all, (at, _)| all | 1 << at))
}

impl Plan {
    fn of(kind: &Kind, outputs: usize, codec: &mut Codec) -> Option<Plan> {
        let shapes = [kind.outer, kind.name, kind.state];
        if shapes.iter().any(|&shape| codec.representation(shape).is_some()) {
            return None;
        }
        let counts = shapes.map(|shape| codec.leaves_of(shape));
        let mut heap = Heap::new();
        let mut part = |origin: Origin| {
            let leaf = |_: &mut Heap, at: usize| Cell::small(origin as i64 * KIND + at as i64);
            codec.skeleton(shapes[origin as usize], &mut heap, leaf)
        };
        let [outer, name, state] = [Origin::Outer, Origin::Name, Origin::State].map(&mut part);
        let mut others = match outputs {
            0..=2 => vec![name],
            _ => (1..outputs).map(|place| heap.at(name.addr() + place)).collect(),
        };
        if usize::from(kind.which) <= others.len() {
            others.insert(usize::from(kind.which), state);
        }
        let mut ends = Vec::new();
        leaves_in(&heap, outer, |leaf, is_tail| ends.push((leaf, is_tail)));
        let mut filled = FxHashMap::default();
        for &(leaf, output) in &kind.holes {
            let cell = heap.deref(*others.get(usize::from(output))?);
            let is_tail = ends.contains(&(i64::from(leaf), true));
            let is_empty = match cell.as_int() {
                Some(of) if is_tail && of >= Origin::State as i64 * KIND => return None,
                Some(of) if is_tail => kind.empty >> (of - KIND).min(63) & 1 != 0,
                _ => false,
            };
            filled.insert(usize::from(leaf), if is_empty { Cell::NIL } else { cell });
        }
        let leaf = |_: &mut Heap, at: usize| {
            filled.get(&at).copied().unwrap_or_else(|| Cell::small(at as i64))
        };
        let whole = codec.skeleton(kind.outer, &mut heap, leaf);
        let mut leaves = Vec::new();
        leaves_in(&heap, whole, |leaf, _| {
            let origin = match leaf / KIND {
                0 => Origin::Outer,
                1 => Origin::Name,
                _ => Origin::State,
            };
            leaves.push((origin, (leaf % KIND) as usize));
        });
        let shape = codec.shape_of_term(&mut heap, whole)?;
        let fits = codec.representation(shape).is_none() && codec.leaves_of(shape) == leaves.len();
        fits.then(|| Plan { shape, leaves: leaves.into(), counts })
    }
}

/// Calls `visit` with the leaves of a term, all integers, in preorder, and whether they end lists.
fn leaves_in(heap: &Heap, term: Cell, mut visit: impl FnMut(i64, bool)) {
    let mut waiting = vec![(term, false)];
    while let Some((cell, is_tail)) = waiting.pop() {
        let cell = heap.deref(cell);
        if cell.is_list() {
            waiting.push((heap.at(cell.addr() + 1), true));
            waiting.push((heap.at(cell.addr()), false));
        } else if cell.is_struct() {
            let arity = heap.at(cell.addr()).functor_arity();
            waiting.extend((1..=arity).rev().map(|at| (heap.at(cell.addr() + at), false)));
        } else if let Some(leaf) = cell.as_int() {
            visit(leaf, is_tail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A term of text-free parts: a list of integers with a tail.
    fn list(heap: &mut Heap, items: &[i64], tail: Cell) -> Cell {
        let items: Vec<Cell> = items.iter().map(|&item| Cell::small(item)).collect();
        heap.list_from(&items, tail)
    }

    #[test]
    fn outputs_stand_in_the_place_of_leaves_whatever_their_shape() {
        let mut codec = Codec::new();
        let mut heap = Heap::new();
        let mut packed = |codec: &mut Codec, make: &dyn Fn(&mut Heap) -> Cell| {
            let term = make(&mut heap);
            codec.encode_plain(&mut heap, term).expect("small").to_vec()
        };
        // [7|X], with X the list [8, 9], the empty list, or a wide integer.
        let outer = packed(&mut codec, &|heap| list(heap, &[7], Cell::small(0)));
        let state = packed(&mut codec, &|heap| list(heap, &[1, 2], Cell::NIL));
        let mut filling = Filling::default();
        let holes: Holes = [(1, 0)].into();
        let names: [&dyn Fn(&mut Heap) -> Cell; 3] =
            [&|heap| list(heap, &[8, 9], Cell::NIL), &|_| Cell::NIL, &|_| Cell::small(70_000)];
        let wholes: [&dyn Fn(&mut Heap) -> Cell; 3] = [
            &|heap| list(heap, &[7, 8, 9], Cell::NIL),
            &|heap| list(heap, &[7], Cell::NIL),
            &|heap| list(heap, &[7], Cell::small(70_000)),
        ];
        for (name, whole) in names.into_iter().zip(wholes) {
            let (name, whole) = (packed(&mut codec, name), packed(&mut codec, whole));
            let answer = Answer { name: &name, state: &state, outputs: 2, which: 1 };
            let mut out = Vec::new();
            filling.fill(&mut codec, (&outer, &holes), answer, &mut out).expect("it fits");
            assert_eq!(out, whole);
        }
    }
}
