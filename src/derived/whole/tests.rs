//! Whole spaces against plain breadth-first search.

use super::*;
use crate::operators::{Leaf, Operator, Source};
use crate::test_puzzles::{Move, flips, ordered, slides, successors, turn, without_goal};
use proptest::prelude::*;
use std::collections::HashSet;

fn puzzle(values: &[Value], moves: Vec<Move>) -> Operators {
    without_goal(values.iter().copied(), values.len(), moves)
}

/// What plain breadth-first search finds: states by depth, those without a move, moves, the deepest.
fn plain(puzzle: &Operators, start: &[Value]) -> (Vec<u64>, u64, u64, HashSet<Vec<Value>>) {
    let mut seen = HashSet::from([start.to_vec()]);
    let (mut layer, mut by_depth, mut terminal, mut moves) = (vec![start.to_vec()], vec![], 0, 0);
    loop {
        by_depth.push(layer.len() as u64);
        let mut next = Vec::new();
        for state in &layer {
            let after = successors(puzzle, state);
            terminal += u64::from(after.is_empty());
            moves += after.len() as u64;
            next.extend(after.into_iter().filter(|state| seen.insert(state.clone())));
        }
        if next.is_empty() {
            return (by_depth, terminal, moves, layer.into_iter().collect());
        }
        layer = next;
    }
}

fn walk(space: &WholeSpace, depth: u32, threads: usize) -> Walk {
    space.walk(WalkLimits { depth, threads }, &mut |_| true).expect("memory")
}

/// A puzzle's space is the same by both ways, on one thread and on several; the space.
#[track_caller]
fn check(puzzle: &Operators, start: &[Value]) -> WholeSpace {
    let space = WholeSpace::of(puzzle, start).expect("a whole space");
    let (by_depth, terminal, moves, deepest) = plain(puzzle, start);
    let found = walk(&space, u32::MAX, 1);
    assert_eq!((&found.by_depth, found.terminal), (&by_depth, terminal));
    assert_eq!((found.walked.generated, found.ended), (moves, Ended::Complete));
    assert_eq!(found.walked.expanded, by_depth.iter().sum::<u64>());
    assert_eq!(found.deepest.len(), deepest.len().min(100));
    assert!(found.deepest.iter().all(|state| deepest.contains(state)));
    assert_eq!(walk(&space, u32::MAX, 3), found);
    space
}

/// No two numbers have the same state.
fn check_numbers(space: &WholeSpace) {
    let room = space.words * IN_WORD * space.configurations.len() as u64;
    let states: HashSet<_> = (0..room).filter_map(|number| space.state(number)).collect();
    assert_eq!(states.len() as u64, space.states());
}

#[test]
fn sliding_puzzles() {
    for (width, height, states) in [(2, 2, 12), (3, 2, 360), (2, 3, 360)] {
        let count = width * height;
        // Both halves of all states.
        let mut swapped = ordered(count);
        swapped.swap(1, 2);
        for start in [ordered(count), swapped] {
            let space = check(&puzzle(&ordered(count), slides(width, height, 0)), &start);
            assert_eq!(space.states(), states);
            check_numbers(&space);
        }
    }
}

/// Figures known since A. Reinefeld, *Complete Solution of the Eight-Puzzle*, IJCAI 1993.
#[test]
fn the_eight_puzzle() {
    let space =
        WholeSpace::of(&puzzle(&ordered(9), slides(3, 3, 0)), &ordered(9)).expect("a space");
    let found = walk(&space, u32::MAX, 2);
    let known = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    assert_eq!(found.by_depth, known);
    assert_eq!((found.deepest.len(), found.terminal), (2, 0));
}

#[test]
fn pancakes() {
    for count in [2, 3, 5, 7] {
        let start = ordered(count);
        let space = check(&puzzle(&start, flips(count, |_| 1)), &start);
        assert!(!space.ranks.halved);
        check_numbers(&space);
    }
}

#[test]
fn a_line_of_states_is_walked_to_its_end() {
    // One move that turns five values, and one more that changes nothing.
    let start = ordered(5);
    let moves = vec![turn(1, (0..5).map(|leaf| (leaf + 1) % 5)), turn(0, [])];
    let space = check(&puzzle(&start, moves), &start);
    assert!(space.ranks.halved);
}

#[test]
fn moves_that_apply_in_several_ways_are_one() {
    let start = ordered(4);
    let mut puzzle = puzzle(&start, Vec::new());
    let ways = vec![puzzle.is(0, 0), puzzle.is(1, 1), puzzle.is(2, 3)];
    let condition = puzzle.any(ways);
    let (_, _, writes) = turn(1, (0..4).map(|leaf| (leaf + 1) % 4));
    puzzle.operators.push(Operator { condition, cost: 1, writes });
    check(&puzzle, &start);
}

#[test]
fn what_is_not_known_for_certain_is_refused() {
    let start = ordered(6);
    let refused = |puzzle: &Operators, start: &[Value]| WholeSpace::of(puzzle, start).err();
    let tiles = puzzle(&start, slides(3, 2, 0));
    assert_eq!(refused(&tiles, &[0, 1, 2, 3, 4, 4]), Some(NoWholeSpace::Alike));
    let mut unpriced = tiles.clone();
    unpriced.unpriced = unpriced.is(3, 3);
    assert_eq!(refused(&unpriced, &start), Some(NoWholeSpace::Costs));
    let mut escaping = tiles.clone();
    escaping.escape = escaping.is(3, 3);
    let escapes = Some(NoWholeSpace::NoPermutations(NoPermutations::Escapes));
    assert_eq!(refused(&escaping, &start), escapes);
    let mut narrow = tiles.clone();
    narrow.domains[5] = [0, 1, 2, 3, 5].into_iter().collect();
    assert_eq!(refused(&narrow, &start), Some(NoWholeSpace::Domains));
    let mut narrow = tiles;
    narrow.domains[5] = [1, 2, 3, 4, 5].into_iter().collect();
    assert_eq!(refused(&narrow, &start), Some(NoWholeSpace::Domains));
    let many = ordered(20);
    assert_eq!(refused(&puzzle(&many, flips(20, |_| 1)), &many), Some(NoWholeSpace::Large));
}

#[test]
fn limits_hold() {
    let start = ordered(8);
    let space = WholeSpace::of(&puzzle(&start, flips(8, |_| 1)), &start).expect("a whole space");
    let whole = walk(&space, u32::MAX, 2);
    let part = walk(&space, 3, 2);
    assert_eq!((part.ended, &part.by_depth[..]), (Ended::Depth, &whole.by_depth[..4]));
    assert_eq!(part.walked.expanded, whole.by_depth[..3].iter().sum::<u64>());
    assert_eq!(part.deepest.len(), 100);
    let mut calls = 0;
    let limits = WalkLimits { depth: u32::MAX, threads: 1 };
    let part = space.walk(limits, &mut |walked| {
        calls += 1;
        walked.depth < 4
    });
    let part = part.expect("memory");
    assert_eq!((part.ended, &part.by_depth[..5]), (Ended::Stopped, &whole.by_depth[..5]));
    assert!(part.by_depth[5..].iter().sum::<u64>() <= whole.by_depth[5]);
    assert!(!part.deepest.is_empty() && calls >= 5);
}

/// A puzzle of few leaves, whose moves permute some of them where some tests hold; and a start.
fn random_puzzle() -> impl Strategy<Value = (Operators, Vec<Value>)> {
    (2u8..7).prop_flat_map(|count| {
        let leaves = ordered(count.into());
        let tests = proptest::collection::vec((0..count, 0..count.min(3)), 0..3);
        let one = (Just(leaves.clone()).prop_shuffle(), tests, 0u32..4, any::<bool>());
        let moves = proptest::collection::vec(one, 1..6);
        (moves, Just(leaves).prop_shuffle()).prop_map(move |(moves, start)| {
            let told = |(from, tests, cost, by_value): (Vec<u8>, Vec<(u8, u8)>, u32, bool)| {
                let tests: Vec<_> =
                    tests.into_iter().map(|(leaf, value)| (Leaf::from(leaf), value)).collect();
                // A value that was found can be written as such.
                let source = |from: Leaf| {
                    let found = tests.iter().find(|test| by_value && test.0 == from);
                    found.map_or(Source::Leaf(from), |test| Source::Value(test.1))
                };
                let writes = (0..).zip(&from).map(|(leaf, &from)| (leaf, source(from.into())));
                (tests.clone(), cost, writes.collect())
            };
            (puzzle(&ordered(count.into()), moves.into_iter().map(told).collect()), start)
        })
    })
}

proptest! {
    #[test]
    fn spaces_are_those_of_plain_search((puzzle, start) in random_puzzle()) {
        check_numbers(&check(&puzzle, &start));
    }
}
