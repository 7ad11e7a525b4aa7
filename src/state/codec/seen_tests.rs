//! What leaves were seen to be is what they may be.

use super::*;
use crate::word::Word;
use proptest::prelude::*;
use zug_term::symbol::{Symbols, atoms};

/// A state of two leaves.
fn pair(heap: &mut Heap, one: Cell, other: Cell) -> Cell {
    heap.new_struct(atoms::MINUS, &[one, other])
}

fn holds(may: &May, word: Word) -> bool {
    let in_range = |(low, high)| word.is_int() && (low..=high).contains(&word.int_value());
    match word.byte() {
        Some(byte) => may.bytes[usize::from(byte / 64)] >> (byte % 64) & 1 != 0,
        None => may.words.contains(&word) || may.range.is_some_and(in_range),
    }
}

proptest! {
    #[test]
    fn what_was_seen_may_be(
        values in prop::collection::vec((any::<bool>(), -(1_i64 << 60) + 1..1 << 60, 0..60_u32), 1..30),
    ) {
        let (mut codec, mut heap) = (Codec::new(), Heap::new());
        let values: Vec<i64> = values.iter().map(|&(_, value, by)| value >> by).collect();
        let mut packed = Vec::new();
        for &value in &values {
            let state = pair(&mut heap, Cell::small(value), Cell::small(5_000));
            packed.push(codec.encode(&mut heap, state).expect("finite"));
        }
        let shape = packed[0].bytes()[0];
        let may = codec.may(shape, 0).expect("no constants");
        for &value in &values {
            prop_assert!(holds(&may, Word::int(value).expect("it has a word")), "{value} {may:?}");
        }
        let constant = codec.may(shape, 1).expect("no constants");
        prop_assert_eq!(constant.words, vec![Word::int(5_000).expect("it has a word")]);
        prop_assert_eq!(constant.range, None);
    }
}

#[test]
fn a_leaf_that_grows_is_new_a_few_times_only() {
    let (mut codec, mut heap) = (Codec::new(), Heap::new());
    let mut versions = Vec::new();
    for value in 75..60_000 {
        let state = pair(&mut heap, Cell::small(value), Cell::NIL);
        let shape = codec.encode(&mut heap, state).expect("finite").bytes()[0];
        versions.push(codec.seen_version(shape));
    }
    versions.dedup();
    assert!(versions.len() < 10, "{versions:?}");
}

#[test]
fn constants_of_more_than_one_byte_are_told_apart() {
    let (mut codec, mut heap, mut symbols) = (Codec::new(), Heap::new(), Symbols::new());
    let mut shape = 0;
    for number in 0..200 {
        let name = symbols.intern(&format!("a{number}"));
        let state = pair(&mut heap, Cell::atom(name), Cell::NIL);
        shape = codec.encode(&mut heap, state).expect("finite").bytes()[0];
    }
    let may = codec.may(shape, 0).expect("few constants");
    assert!(may.words.len() > 60 && may.range.is_none(), "{may:?}");
    assert_eq!(
        codec.seen(shape, 1).map(|bytes| bytes.iter().map(|b| b.count_ones()).sum()),
        Some(1)
    );
    // A number joins them.
    let state = pair(&mut heap, Cell::small(1_000), Cell::NIL);
    codec.encode(&mut heap, state).expect("finite");
    let may = codec.may(shape, 0).expect("few constants");
    assert!(holds(&may, Word::int(1_000).expect("it has a word")));
}
