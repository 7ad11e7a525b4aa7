//! Symmetries of small puzzles, and that what they say is so.

use super::{Part, Symmetries};
use crate::operators::{Condition, Operator, Operators, Source, Value, Values};
use crate::test_puzzles::{add, all_of, moves, ordered, puzzle, slides};
use proptest::prelude::*;

const STEPS: u64 = 10_000_000;

fn symmetries(puzzle: &Operators) -> Option<Symmetries> {
    let states = states(puzzle.leaves());
    let states: Vec<&[Value]> = states.iter().map(|state| &state[..]).collect();
    Symmetries::of(&[Part { operators: puzzle, outcomes: &[] }], &states, STEPS)
}

/// States that tell renamings apart.
fn states(leaves: usize) -> Vec<Vec<Value>> {
    let one = |value: Value| {
        (0..leaves)
            .map(move |at| (0..leaves).map(|leaf| if leaf == at { value } else { 0 }).collect())
    };
    one(1).chain(one(2)).chain([(0..leaves as Value).collect()]).collect()
}

/// A sliding puzzle of N columns and rows; the goal has the blank (0) first.
fn tiles(columns: u16, rows: u16) -> Operators {
    let goal = ordered(columns * rows);
    puzzle(goal.clone(), slides(columns, rows, 0), &goal)
}

/// Switches that are turned on or off one by one; all are to be on.
fn switches(count: u16) -> Operators {
    let turns = (0..count).flat_map(|leaf| [0, 1].map(|value| (leaf, value)));
    let turns =
        turns.map(|(leaf, value)| (vec![(leaf, 1 - value)], 1, vec![(leaf, Source::Value(value))]));
    puzzle([0, 1], turns, &vec![1; count.into()])
}

#[test]
fn sliding_puzzles_look_alike_along_the_diagonal() {
    // With the blank's home in a corner a square board has one mirror, an oblong one none.
    let found = symmetries(&tiles(3, 3)).expect("a mirror");
    assert!(found.is_group());
    assert_eq!(found.elements().len(), 1);
    let state = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    assert_eq!(found.elements()[0].applied(&state), state);
    assert_eq!(
        found.elements()[0].applied(&[1, 0, 2, 3, 4, 5, 6, 7, 8]),
        [3, 1, 2, 0, 4, 5, 6, 7, 8]
    );
    assert!(symmetries(&tiles(3, 2)).is_none());
}

#[test]
fn switches_are_all_alike() {
    let found = symmetries(&switches(4)).expect("all orders");
    assert_eq!((found.elements().len(), found.is_group()), (23, true));
    // 8! are too many to be tried one by one.
    let found = symmetries(&switches(8)).expect("all orders");
    assert!(!found.is_group());
    let mut standing = std::collections::BTreeSet::new();
    for bits in 0..=u8::MAX {
        let mut state: Vec<Value> = (0..8).map(|leaf| bits >> leaf & 1).collect();
        let by = found.standing(&state);
        let before = state.clone();
        found.stand_for(&mut state, &mut Vec::new());
        assert_eq!(by.applied(&before), state);
        standing.insert(state);
    }
    assert_eq!(standing.len(), 9);
}

#[test]
fn costs_tests_and_outcomes_count() {
    let mut dear = switches(2);
    dear.operators[0].cost = 2;
    assert!(symmetries(&dear).is_none());
    let mut half = switches(2);
    half.goal = half.is(0, 1);
    // On or off, the second one does not count.
    let found = symmetries(&half).expect("values of the second switch");
    assert_eq!(found.elements().len(), 1);
    assert_eq!(found.elements()[0].applied(&[0, 0]), [0, 1]);
    let mut worth = switches(2);
    let first = worth.is(0, 1);
    let second = worth.is(1, 1);
    let of = |outcomes: &[(u32, i64)]| {
        Symmetries::of(&[Part { operators: &worth, outcomes }], &[&[0, 1]], STEPS).is_some()
    };
    assert!(of(&[(first, 1), (second, 1)]));
    assert!(!of(&[(first, 1), (second, 2)]));
    assert!(!of(&[(first, 1)]));
}

#[test]
fn what_leaves_all_states_alone_is_none() {
    // Both switches are turned at once.
    let mut puzzle = switches(2);
    let none =
        Symmetries::of(&[Part { operators: &puzzle, outcomes: &[] }], &[&[0, 0], &[1, 1]], STEPS);
    assert!(none.is_none());
    puzzle.goal = puzzle.always();
    assert!(symmetries(&puzzle).is_some());
}

#[test]
fn how_conditions_are_written_does_not_count() {
    // On at the first, or on at the second and not at the first: the same as the other way round.
    let mut puzzle = switches(2);
    let [first, second] = [0, 1].map(|leaf| puzzle.is(leaf, 1));
    let not_first = puzzle.is(0, 0);
    let then = puzzle.all(vec![second, not_first]);
    puzzle.goal = puzzle.any(vec![first, then]);
    assert_eq!(symmetries(&puzzle).expect("both are alike").elements().len(), 1);
}

#[test]
fn what_is_not_known_has_no_symmetries() {
    let mut puzzle = switches(2);
    puzzle.operators[0].writes[0].1 = Source::Unknown;
    assert!(symmetries(&puzzle).is_none());
    let mut puzzle = switches(2);
    puzzle.escape = puzzle.is(0, 1);
    assert!(symmetries(&puzzle).is_none());
}

/// The successors of a state with their costs, in no order that counts.
fn successors(puzzle: &Operators, state: &[Value]) -> Vec<(u32, Vec<Value>)> {
    let mut all = moves(puzzle, state);
    all.sort();
    all
}

/// Operators at random over four leaves, each together with its image under a rotation now and then.
fn random_puzzle() -> impl Strategy<Value = Operators> {
    let write = prop_oneof![(0u8..3).prop_map(Ok), (0u16..4).prop_map(Err)];
    let operator = (0u16..4, 0u8..3, 0u16..4, write, 1u32..3, any::<bool>());
    proptest::collection::vec(operator, 1..5).prop_map(|all| {
        let mut puzzle = Operators::new(vec![Values::from_iter([0, 1, 2]); 4]);
        for (test, value, leaf, write, cost, alone) in all {
            for turn in 0..if alone { 1 } else { 4 } {
                let turned = |leaf: u16| (leaf + turn) % 4;
                let source = match write {
                    Ok(value) => Source::Value(value),
                    Err(from) => Source::Leaf(turned(from)),
                };
                let tests = vec![(turned(test), value)];
                add(&mut puzzle, (tests, cost, vec![(turned(leaf), source)]));
            }
        }
        puzzle.goal = all_of(&mut puzzle, (0..4).map(|leaf| (leaf, 1)));
        puzzle
    })
}

proptest! {
    #[test]
    fn images_have_the_images_of_successors(puzzle in random_puzzle()) {
        let Some(found) = symmetries(&puzzle) else { return Ok(()) };
        for number in 0..81u32 {
            let state: Vec<Value> =
                (0..4).map(|leaf| (number / 3u32.pow(leaf) % 3) as Value).collect();
            for by in found.elements() {
                let image = by.applied(&state);
                let mut expected: Vec<_> = successors(&puzzle, &state)
                    .into_iter()
                    .map(|(cost, next)| (cost, by.applied(&next)))
                    .collect();
                expected.sort();
                prop_assert_eq!(successors(&puzzle, &image), expected);
                let goals = [&state, &image].map(|state| puzzle.may_hold(puzzle.goal, state));
                prop_assert_eq!(goals[0], goals[1]);
            }
        }
    }

    #[test]
    fn a_rotation_is_found(seed in random_puzzle()) {
        // Where every operator comes with its turns the board may be turned.
        let mut puzzle = Operators::new(seed.domains.clone());
        for operator in &seed.operators {
            for turn in 0..4 {
                let turned = |leaf: u16| (leaf + turn) % 4;
                let Condition::In(leaf, values) = seed.conditions[operator.condition as usize]
                else { continue };
                let condition = puzzle.condition(Condition::In(turned(leaf), values));
                let writes = operator.writes.iter().map(|(leaf, source)| {
                    (turned(*leaf), match source {
                        Source::Leaf(from) => Source::Leaf(turned(*from)),
                        other => other.clone(),
                    })
                });
                let writes = writes.collect();
                puzzle.operators.push(Operator { condition, cost: operator.cost, writes });
            }
        }
        puzzle.goal = all_of(&mut puzzle, (0..4).map(|leaf| (leaf, 1)));
        let found = symmetries(&puzzle);
        prop_assert!(found.is_some_and(|found| found.elements().len() >= 3));
    }
}
