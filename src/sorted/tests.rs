//! Runs are sorted sets.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Keys of a few lengths, whose bytes are few or many.
fn keys() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let narrow = prop::collection::vec(0u8..3, 9..12);
    let wide = prop::collection::vec(any::<u8>(), 0..5);
    let long = prop::collection::vec(0u8..6, 40);
    prop::collection::vec(prop_oneof![6 => narrow, 2 => wide, 1 => long], 1..700)
}

fn coding<const W: usize>(keys: &[Vec<u8>]) -> Coding<W> {
    let mut coding = Coding::new();
    keys.iter().for_each(|key| assert!(coding.learn(key)));
    coding
}

fn run<const W: usize>(coding: &Arc<Coding<W>>, keys: &[Vec<u8>]) -> Run<W> {
    let numbers: BTreeSet<_> =
        keys.iter().map(|key| coding.number(key).expect("learned")).collect();
    let mut writer = RunWriter::new(coding.clone());
    numbers.into_iter().for_each(|number| writer.push(number));
    writer.finish()
}

fn check<const W: usize>(keys: &[Vec<u8>], others: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let coding = Arc::new(coding::<W>(keys));
    let distinct: BTreeSet<&Vec<u8>> = keys.iter().collect();
    let run = run(&coding, keys);
    prop_assert_eq!(run.len(), distinct.len() as u64);
    let (mut key, mut found) = (Vec::new(), BTreeSet::new());
    let mut last = None;
    let mut finder = run.finder();
    for (rank, (number, _)) in run.numbers().enumerate() {
        prop_assert!(last < Some(number));
        last = Some(number);
        coding.key(number, &mut key);
        prop_assert_eq!(coding.number(&key), Some(number));
        let place = finder.find(number);
        prop_assert_eq!(place.map(|place| run.rank(place)), Some(rank as u64));
        found.insert(key.clone());
    }
    prop_assert_eq!(found.iter().collect::<BTreeSet<_>>(), distinct.clone());
    // Any order, and numbers that are not there.
    let mut finder = run.finder();
    for other in others.iter().chain(keys) {
        let place = coding.number(other).and_then(|number| finder.find(number));
        prop_assert_eq!(place.is_some(), distinct.contains(other));
    }
    prop_assert_eq!(Coding::<W>::of(&coding.seen()).map(|same| same.seen()), Some(coding.seen()));
    Ok(())
}

proptest! {
    #[test]
    fn a_run_has_what_was_put_into_it(keys in keys(), others in keys()) {
        check::<2>(&keys, &others)?;
        check::<4>(&keys, &others)?;
    }

    #[test]
    fn short_keys_are_numbers_of_one_word(
        keys in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..4), 1..500),
        others in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..4), 1..50),
    ) {
        check::<1>(&keys, &others)?;
    }

    #[test]
    fn merging_unites_whatever_the_codings(parts in prop::collection::vec(keys(), 1..6)) {
        let mut coding: Arc<Coding<2>> = Arc::new(Coding::new());
        let mut runs = Runs::new(true);
        let mut expected: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        for (mark, part) in (1..).zip(&parts) {
            part.iter().for_each(|key| assert!(Arc::make_mut(&mut coding).learn(key)));
            let mut writer = RunWriter::new(coding.clone());
            run(&coding, part).numbers().for_each(|(number, _)| writer.push_marked(number, 100 * mark));
            part.iter().for_each(|key| { expected.entry(key.clone()).or_insert(100 * mark); });
            runs.push(writer.finish(), &coding);
        }
        let all = runs.into_run(&coding);
        let mut key = Vec::new();
        let found: BTreeMap<Vec<u8>, u32> = all
            .numbers()
            .map(|(number, mark)| {
                coding.key(number, &mut key);
                (key.clone(), mark)
            })
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn gaps_of_any_size(gaps in prop::collection::vec((any::<u64>(), 0u32..64, 0u32..3), 1..600)) {
        let coding: Arc<Coding<4>> = Arc::new(Coding::new());
        let (mut writer, mut all) = (RunWriter::new(coding), Vec::new());
        let mut number = Number::<4>::ZERO;
        for &(gap, shift, words) in &gaps {
            let mut gap = Number::small(1 + (gap >> shift) / 2);
            for _ in 0..words {
                gap = gap.times(1 << 31).and_then(|gap| gap.times(1 << 31)).expect("it fits");
            }
            number = number.plus(&gap).expect("it fits");
            all.push(number);
            writer.push(number);
        }
        let run = writer.finish();
        prop_assert!(run.numbers().map(|(number, _)| number).eq(all.iter().copied()));
        let mut finder = run.finder();
        for (rank, &number) in all.iter().enumerate().step_by(7) {
            prop_assert_eq!(finder.find(number).map(|place| run.rank(place)), Some(rank as u64));
        }
    }

    #[test]
    fn marks_are_kept(all in prop::collection::vec((any::<u32>(), 0u32..32), 1..50), at in any::<prop::sample::Index>()) {
        let mut marks = Marks::default();
        let mut all: Vec<u32> = all.into_iter().map(|(mark, shift)| mark >> shift).collect();
        all.iter().for_each(|&mark| marks.push(mark));
        let at = at.index(all.len());
        marks.set(at, 70_000);
        all[at] = 70_000;
        prop_assert!((0..marks.len()).map(|at| marks.get(at)).eq(all.iter().copied()));
        for &mark in &all {
            let first = all.iter().position(|&other| other == mark).expect("it is there");
            prop_assert!(marks.has(first, 1, mark) && !marks.has(0, first, mark));
        }
    }
}

#[test]
fn boards_take_two_bytes() {
    // A thousandth of all boards of sixteen squares with three values.
    let mut state = 1u64;
    let board = |mut n: u64| -> Vec<u8> {
        (0..16)
            .map(|_| {
                n /= 3;
                (n % 3) as u8
            })
            .collect()
    };
    let keys: Vec<Vec<u8>> = (0..43_000)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            board(state >> 20)
        })
        .collect();
    let coding = Arc::new(coding::<1>(&keys));
    let run = run(&coding, &keys);
    assert!((run.bytes() as u64) < 2 * run.len(), "{} bytes for {}", run.bytes(), run.len());
    assert_eq!(Coding::<1>::of(&vec![(1, vec![vec![1, 1]])]).map(|coding| coding.bits()), None);
}

#[test]
fn too_many_numbers_are_no_coding() {
    let mut coding: Coding<1> = Coding::new();
    let fits = (0..=255u8).all(|byte| coding.learn(&[byte; 9]));
    assert!(!fits);
}
