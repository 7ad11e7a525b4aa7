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

fn sees(mut codec: Codec, values: &[i64]) -> (Codec, u8) {
    let (mut heap, mut shape) = (Heap::new(), 0);
    for &value in values {
        let state = pair(&mut heap, Cell::small(value), Cell::NIL);
        shape = codec.encode(&mut heap, state).expect("finite").bytes()[0];
    }
    (codec, shape)
}

proptest! {
    #[test]
    fn what_others_saw_counts_as_seen(
        own in prop::collection::vec((-(1_i64 << 60) + 1..1 << 60, 0..60_u32), 1..20),
        more in prop::collection::vec((-(1_i64 << 60) + 1..1 << 60, 0..60_u32), 1..20),
    ) {
        let [own, more] = [own, more].map(|values| -> Vec<i64> {
            values.into_iter().map(|(value, by)| value >> by).collect()
        });
        let (one, shape) = sees(Codec::new(), &own);
        let (other, _) = sees(Codec::new(), &more);
        let (both, _) = sees(one.clone(), &more);
        // What was seen to be more is not taken for alike, and what is alike may be the same.
        let beyond = |of: &Codec, values: &[i64]| {
            let may = of.may(shape, 0).expect("no constants");
            values.iter().any(|&value| !holds(&may, Word::int(value).expect("it has a word")))
        };
        for (codec, values) in [(&one, &more), (&other, &own)] {
            if beyond(codec, values) {
                prop_assert!(!both.has_seen_alike(shape, codec));
            }
        }
        let mut joined = one.clone();
        joined.join_seen(&both);
        prop_assert!(joined.has_seen_alike(shape, &both));
        prop_assert_eq!(joined.may(shape, 0), both.may(shape, 0));
        let (before, version) = (joined.version(), joined.seen_version(shape));
        joined.join_seen(&both);
        joined.join_seen(&one);
        prop_assert_eq!((joined.version(), joined.seen_version(shape)), (before, version));
        let mut joined = other.clone();
        joined.join_seen(&one);
        prop_assert!(!beyond(&joined, &own) && !beyond(&joined, &more));
    }
}

#[test]
fn what_a_codec_has_packed_means_the_same_to_one_that_goes_on_from_it() {
    let mut symbols = Symbols::new();
    let [a, b] = ["a", "b"].map(|name| Cell::atom(symbols.intern(name)));
    let (mut heap, mut codec) = (Heap::new(), Codec::new());
    let state = pair(&mut heap, a, Cell::NIL);
    codec.encode(&mut heap, state).expect("finite");
    let mut on = codec.clone();
    let (state, other) = (pair(&mut heap, a, b), pair(&mut heap, b, state));
    on.encode(&mut heap, other).expect("finite");
    assert!(on.extends(&codec) && !codec.extends(&on));
    // The same constants, and the shapes the other way round.
    let (mut one, mut two) = (codec.clone(), codec.clone());
    let list = heap.list_from(&[a, b], Cell::NIL);
    for (codec, states) in [(&mut one, [other, list]), (&mut two, [list, other])] {
        codec.encode(&mut heap, state).expect("finite");
        for state in states {
            codec.encode(&mut heap, state).expect("finite");
        }
    }
    assert_eq!(one.counts(), two.counts());
    assert!(!one.extends(&two) && one.extends(&codec) && two.extends(&codec));
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
