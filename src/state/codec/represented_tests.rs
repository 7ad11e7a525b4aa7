//! Terms of representations come back as they were, whether they fit or not.

use crate::Codec;
use crate::representation::{Part, Universe};
use crate::sample::Sample;
use proptest::prelude::*;
use std::sync::Arc;
use zug_term::symbol::{Atom, Symbols, atoms};
use zug_term::{Cell, Heap, Record, is_variant};

const A: Cell = Cell::atom(atoms::TRUE);
const B: Cell = Cell::atom(atoms::MINUS);

fn pair(heap: &mut Heap, name: Atom, one: i64, other: i64) -> Cell {
    heap.new_struct(name, &[Cell::small(one), Cell::small(other)])
}

/// Pairs of small integers, in the standard order.
fn pairs() -> Universe {
    let mut heap = Heap::new();
    let all = (0..9).map(|n| pair(&mut heap, atoms::MINUS, n / 3, n % 3)).collect::<Vec<_>>();
    let all = all.into_iter().map(|cell| Record::new(&mut heap, cell)).collect();
    Universe::new(all).expect("small terms")
}

/// `s(Turn, Set, [Stack, Stack], Queue)`
fn whole(name: Atom) -> Part {
    let element =
        Part::Struct(Cell::functor(name, 2), [Part::Leaf(Cell::ZERO), Part::Leaf(A)].into());
    let stack = || Part::Padded(Box::new(Part::Leaf(Cell::small(1))), 3);
    let stacks = Part::Padded(Box::new(stack()), 2);
    let parts = [
        Part::Leaf(Cell::ZERO),
        Part::Set(pairs()),
        Part::List([stack(), stacks].into()),
        Part::Padded(Box::new(element), 2),
    ];
    Part::Struct(Cell::functor(name, 4), parts.into())
}

/// What a state is made of: numbers that say how each part is put together.
type Made = (u8, Vec<u8>, Vec<u8>, Vec<Vec<u8>>, Vec<(u8, u8)>);

fn made() -> impl Strategy<Value = Made> {
    let few = || prop::collection::vec(0..5_u8, 0..5);
    (
        0..6_u8,
        prop::collection::vec(0..11_u8, 0..5),
        few(),
        prop::collection::vec(few(), 0..4),
        prop::collection::vec((0..6_u8, 0..6_u8), 0..4),
    )
}

/// A term of that, not always one that fits: variables, elements in any order, other functors.
fn term(heap: &mut Heap, name: Atom, made: &Made, sorted: bool) -> Cell {
    let shared = heap.new_var();
    let scalar = |heap: &mut Heap, of: u8| match of {
        0 => A,
        1 => B,
        2 => heap.new_var(),
        3 => shared,
        4 => Cell::small(7),
        _ => Cell::NIL,
    };
    let (turn, set, stack, stacks, queue) = made;
    let turn = scalar(heap, *turn);
    let mut set = set.clone();
    if sorted {
        set.sort_unstable();
        set.dedup();
    }
    let set: Vec<Cell> =
        set.iter().map(|&n| pair(heap, atoms::MINUS, i64::from(n / 3), i64::from(n % 3))).collect();
    let list = |heap: &mut Heap, of: &[u8]| {
        let items: Vec<Cell> = of.iter().map(|&of| scalar(heap, of)).collect();
        heap.list_from(&items, Cell::NIL)
    };
    let stack = list(heap, stack);
    let stacks: Vec<Cell> = stacks.iter().map(|stack| list(heap, stack)).collect();
    let stacks = heap.list_from(&stacks, Cell::NIL);
    let queue: Vec<Cell> = queue
        .iter()
        .map(|&(one, other)| {
            let arguments = [scalar(heap, one), scalar(heap, other)];
            heap.new_struct(name, &arguments)
        })
        .collect();
    let arguments = [
        turn,
        heap.list_from(&set, Cell::NIL),
        heap.list_from(&[stack, stacks], Cell::NIL),
        heap.list_from(&queue, Cell::NIL),
    ];
    heap.new_struct(name, &arguments)
}

proptest! {
    #[test]
    fn what_is_packed_comes_back(
        all in prop::collection::vec((made(), any::<bool>()), 1..12),
        order in any::<bool>(),
    ) {
        let mut symbols = Symbols::new();
        let name = symbols.intern("s");
        let mut codec = Codec::new();
        let whole = Arc::new(whole(name));
        let shape = codec.represent(whole.clone()).expect("the first shape");
        let mut heap = Heap::new();
        let mut packed = Vec::new();
        for (made, sorted) in &all {
            let cell = term(&mut heap, name, made, *sorted ^ order);
            let bytes = codec.encode(&mut heap, cell).expect("finite").bytes().to_vec();
            let again = codec.encode(&mut heap, cell).expect("finite");
            prop_assert_eq!(again.bytes(), &bytes[..]);
            let back = codec.decode(&bytes, &mut heap);
            prop_assert!(is_variant(&heap, cell, back));
            let is_narrow = bytes[0] == shape && !bytes.contains(&0xF3);
            prop_assert!(!is_narrow || bytes.len() == 1 + whole.leaves());
            packed.push((cell, bytes));
        }
        for (one, bytes) in &packed {
            for (other, others) in &packed {
                prop_assert_eq!(bytes == others, is_variant(&heap, *one, *other));
            }
        }
    }
}

/// A list that has no form in a representation gets a skeleton of its own.
#[test]
fn what_does_not_fit_is_packed_without() {
    let mut symbols = Symbols::new();
    let name = symbols.intern("s");
    let mut codec = Codec::new();
    let shape = codec.represent(Arc::new(whole(name))).expect("the first shape");
    let mut heap = Heap::new();
    let mut fits = |made: Made, sorted| {
        let cell = term(&mut heap, name, &made, sorted);
        codec.encode(&mut heap, cell).expect("finite").bytes()[0] == shape
    };
    let empty = || (0, vec![], vec![], vec![], vec![]);
    assert!(fits(empty(), true));
    assert!(fits((0, vec![1, 8], vec![0, 1, 4], vec![vec![], vec![4]], vec![(0, 0)]), true));
    // Not ascending; of no element; too long; too many stacks.
    assert!(!fits((0, vec![8, 1], vec![], vec![], vec![]), false));
    assert!(!fits((0, vec![9], vec![], vec![], vec![]), true));
    assert!(!fits((0, vec![], vec![0; 4], vec![], vec![]), true));
    assert!(!fits((0, vec![], vec![], vec![vec![]; 3], vec![]), true));
}

/// Lists of elements as states, each from the one before it.
fn observed_terms(heap: &Heap, symbols: &Symbols, states: &[Cell]) -> Option<Part> {
    let from: Vec<Option<usize>> = (0..states.len()).map(|at| at.checked_sub(1)).collect();
    let sample = Sample { heap, symbols, states, from: &from, whole: false, tentative: false };
    sample.representation()
}

/// Lists of numbers as states, each from the one before it.
fn observed(lists: &[&[i64]]) -> Option<Part> {
    let (mut heap, symbols) = (Heap::new(), Symbols::new());
    let states: Vec<Cell> = lists.iter().map(|list| numbers(&mut heap, list)).collect();
    observed_terms(&heap, &symbols, &states)
}

fn numbers(heap: &mut Heap, list: &[i64]) -> Cell {
    let items: Vec<Cell> = list.iter().map(|&value| Cell::small(value)).collect();
    heap.list_from(&items, Cell::NIL)
}

#[test]
fn sets_and_stacks_are_told_apart() {
    let all: Vec<i64> = (1..=8).collect();
    let without = |gone: &[i64]| -> Vec<i64> {
        all.iter().copied().filter(|value| !gone.contains(value)).collect()
    };
    // The set has room for what lies between.
    let sets = [without(&[5]), without(&[3, 5]), without(&[3, 5, 8]), without(&[5, 8])];
    let sets: Vec<&[i64]> = sets.iter().map(Vec::as_slice).collect();
    let Some(Part::Set(universe)) = observed(&sets) else { panic!("they are sets") };
    assert_eq!(universe.elements().len(), 8);
    // In order, but only ever shorter and longer at the front.
    let stacks: Vec<&[i64]> = (0..5).map(|at| &all[at..]).collect();
    let Some(Part::Padded(_, capacity)) = observed(&stacks) else { panic!("they are stacks") };
    assert_eq!(capacity, 12);
    // Of one length and in any order.
    assert!(observed(&[&[1, 2, 3], &[2, 1, 3], &[2, 3, 1], &[3, 2, 1]]).is_none());
}

/// Lists of pairs whose first parts are always the same in each place.
#[test]
fn keys_are_constants() {
    let (mut heap, mut symbols) = (Heap::new(), Symbols::new());
    let names: Vec<Cell> = ["x", "y", "z"].map(|name| Cell::atom(symbols.intern(name))).into();
    let mut states = |keys: &dyn Fn(usize, usize) -> Cell| -> Vec<Cell> {
        let state = |heap: &mut Heap, row: usize| {
            let item = |heap: &mut Heap, place: usize| {
                let value = Cell::small((row * (place + 1) % 4) as i64);
                heap.new_struct(atoms::MINUS, &[keys(row, place), value])
            };
            let items: Vec<Cell> = (0..3).map(|place| item(heap, place)).collect();
            heap.list_from(&items, Cell::NIL)
        };
        (0..9).map(|row| state(&mut heap, row)).collect()
    };
    let named = states(&|_, place| names[place]);
    let moving = states(&|row, place| names[if row == 8 { 0 } else { place }]);
    let alike = states(&|_, _| names[0]);
    let numbered = states(&|_, place| Cell::small(place as i64 + 5));
    let part = observed_terms(&heap, &symbols, &named).expect("there are keys");
    assert!(part.leaves() == 3 && !part.has_lists());
    assert_eq!(part.constants(), [true, false].repeat(3));
    let numbered = observed_terms(&heap, &symbols, &numbered).expect("there are keys");
    assert_eq!(numbered.leaves(), 3);
    // In one state another name; the same name for all.
    assert!(observed_terms(&heap, &symbols, &moving).is_none());
    assert!(observed_terms(&heap, &symbols, &alike).is_none());

    // What has other keys does not fit, and comes back, too.
    let mut codec = Codec::new();
    let shape = codec.represent(Arc::new(part)).expect("the first shape");
    for (number, &state) in named.iter().chain(&alike).enumerate() {
        let bytes = codec.encode(&mut heap, state).expect("finite").bytes().to_vec();
        assert_eq!(bytes[0] == shape, number < named.len());
        let back = codec.decode(&bytes, &mut heap);
        assert!(is_variant(&heap, state, back));
    }
}

/// Of the pairs that a set of one list has, another list that is like it may have all.
#[test]
fn sets_that_are_alike_have_one_universe() {
    let (mut heap, symbols) = (Heap::new(), Symbols::new());
    let list = |heap: &mut Heap, all: &[(i64, i64)]| {
        let items: Vec<Cell> = all.iter().map(|&(x, y)| pair(heap, atoms::MINUS, x, y)).collect();
        heap.list_from(&items, Cell::NIL)
    };
    let white: [&[(i64, i64)]; 4] = [
        &[(1, 1), (2, 2), (3, 1), (4, 2)],
        &[(1, 2), (2, 1), (3, 2)],
        &[(1, 1), (1, 2), (2, 1), (4, 1)],
        &[(2, 1), (2, 2), (4, 1)],
    ];
    let mut states = Vec::new();
    for row in 0..32_usize {
        let mut one = white[row % 4].to_vec();
        // The first is not in order.
        if row == 0 {
            one.reverse();
        }
        let other: Vec<(i64, i64)> = white[row / 4 % 4].iter().map(|&(x, y)| (x, y + 2)).collect();
        let lists = [list(&mut heap, &one), list(&mut heap, &other)];
        states.push(heap.new_struct(atoms::MINUS, &lists));
    }
    let part = observed_terms(&heap, &symbols, &states).expect("they are sets");
    let Part::Struct(_, parts) = part else { panic!("it is a structure") };
    for part in &parts {
        let Part::Set(universe) = part else { panic!("it is a set") };
        assert_eq!(universe.elements().len(), 16);
    }
}

/// Lists that were as long as can be many times, and never longer, get no more room.
#[test]
fn lists_that_are_full_are_bounded() {
    let (mut heap, symbols) = (Heap::new(), Symbols::new());
    let mut states = |lengths: &dyn Fn(usize) -> usize| -> Vec<Cell> {
        let state = |heap: &mut Heap, row: usize| {
            let one = lengths(row);
            let lists = [one, 6 - one].map(|length| numbers(heap, &vec![3; length]));
            heap.list_from(&lists, Cell::NIL)
        };
        (0..40).map(|row| state(&mut heap, row)).collect()
    };
    let often = states(&|row| 2 + row % 3);
    let once = states(&|row| if row == 20 { 4 } else { 3 });
    let room = |states: &[Cell]| {
        let Some(Part::List(parts)) = observed_terms(&heap, &symbols, states) else {
            panic!("they are lists")
        };
        parts.iter().map(Part::leaves).collect::<Vec<_>>()
    };
    assert_eq!(room(&often), [5, 5]);
    assert_eq!(room(&once), [7, 7]);
}
