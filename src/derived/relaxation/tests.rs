//! Laws of relaxation heuristics: on whole spaces, and beside plain definitions.

use super::super::operators::{Condition, Operators, Source, Table, Value, Values};
use super::super::test_puzzles::{Space, add, all_of, holds, successors, tiles};
use super::landmarks::Landmarks;
use super::{Relaxation, Relaxed, RelaxedKind};
use proptest::prelude::*;
use std::sync::Arc;

fn heuristics(puzzle: &Operators) -> [Relaxed; 4] {
    let of = |kind: RelaxedKind| Relaxation::of(puzzle, kind.is_admissible());
    RelaxedKind::ALL.map(|kind| Relaxed::new(Arc::new(of(kind).expect("a relaxation")), kind))
}

/// Switches in a row, each of which can be turned on where the one before is on.
fn switches(count: u16) -> Operators {
    let mut puzzle = Operators::new(vec![Values::from_iter([0, 1]); usize::from(count)]);
    for at in 0..count {
        let before = at.checked_sub(1).map(|before| (before, 1));
        let tests = [(at, 0)].into_iter().chain(before).collect();
        add(&mut puzzle, (tests, 2, vec![(at, Source::Value(1))]));
    }
    puzzle.goal = puzzle.is(count - 1, 1);
    puzzle
}

#[test]
fn of_a_chain_all_say_what_it_costs() {
    let puzzle = switches(6);
    for mut heuristic in heuristics(&puzzle) {
        assert_eq!(heuristic.estimate(&[0; 6]), Some(12), "{:?}", heuristic.kind());
        assert_eq!(heuristic.estimate(&[1, 1, 0, 0, 0, 0]), Some(8));
        assert_eq!(heuristic.estimate(&[1; 6]), Some(0));
    }
}

/// Two halves of a goal that share their first move.
#[test]
fn what_is_shared_is_counted_as_each_heuristic_says() {
    let mut puzzle = Operators::new(vec![Values::from_iter([0, 1]); 3]);
    add(&mut puzzle, (vec![], 5, vec![(0, Source::Value(1))]));
    add(&mut puzzle, (vec![(0, 1)], 1, vec![(1, Source::Value(1))]));
    add(&mut puzzle, (vec![(0, 1)], 1, vec![(2, Source::Value(1))]));
    puzzle.goal = all_of(&mut puzzle, [(1, 1), (2, 1)]);
    let found = heuristics(&puzzle).map(|mut heuristic| heuristic.estimate(&[0; 3]));
    assert_eq!(found, [Some(6), Some(12), Some(7), Some(7)]);
    let [.., mut plan, _] = heuristics(&puzzle);
    plan.estimate(&[0; 3]);
    let preferred = successors(&puzzle, &[0; 3]).into_iter().map(|state| plan.prefers(&state));
    assert_eq!(preferred.collect::<Vec<_>>(), [true]);
    plan.estimate(&[1, 0, 1]);
    let preferred: Vec<(Vec<Value>, bool)> = successors(&puzzle, &[1, 0, 1])
        .into_iter()
        .map(|state| (state.clone(), plan.prefers(&state)))
        .collect();
    let wanted = preferred.iter().filter(|(_, preferred)| *preferred);
    assert_eq!(wanted.map(|(state, _)| &state[..]).collect::<Vec<_>>(), [[1, 1, 1]]);
}

/// Where nothing is known of what follows there may be a goal: admissible heuristics say so, others go on.
#[test]
fn what_is_not_known_is_no_dead_end() {
    let mut puzzle = switches(3);
    puzzle.operators.pop();
    for mut heuristic in heuristics(&puzzle) {
        assert_eq!(heuristic.estimate(&[0; 3]), None, "{:?}", heuristic.kind());
    }
    puzzle.escape = puzzle.is(0, 1);
    for mut heuristic in heuristics(&puzzle) {
        let found = heuristic.estimate(&[0; 3]).expect("no dead end");
        match heuristic.kind().is_admissible() {
            true => assert_eq!(found, 2),
            false => assert!(found > 1_000_000),
        }
    }
}

/// Moves that apply where a table says, and write what another one says.
#[test]
fn tables_are_gone_through_by_rows() {
    let digits = Values::from_iter(0..4);
    let mut puzzle = Operators::new(vec![digits; 2]);
    let table = |row: fn(usize, usize) -> bool| {
        let rows = (0..16).map(|at| row(at % 4, at / 4)).collect();
        Condition::Table(Table { leaves: [0, 1].into(), rows })
    };
    let smaller = puzzle.condition(table(|one, other| one < other));
    let next = Table { leaves: [0].into(), rows: (0..4).map(|at| (at + 1) % 4).collect() };
    let writes = vec![(0, Source::Table(next))];
    puzzle.operators.push(super::super::operators::Operator {
        condition: smaller,
        cost: 1,
        writes,
    });
    puzzle.goal = puzzle.condition(table(|one, other| one == 3 && other == 3));
    for mut heuristic in heuristics(&puzzle) {
        // Beside the fact that it reads, h-add charges the condition that the same fact makes hold.
        let expected = if heuristic.kind() == RelaxedKind::Add { 3 } else { 2 };
        assert_eq!(heuristic.estimate(&[1, 3]), Some(expected), "{:?}", heuristic.kind());
        assert_eq!(heuristic.estimate(&[2, 1]), None);
    }
}

/// The only condition of a move is the value that it writes elsewhere.
#[test]
fn what_is_asked_twice_is_one_part_of_a_body() {
    let mut puzzle = Operators::new(vec![Values::from_iter([0, 1]); 2]);
    add(&mut puzzle, (vec![(0, 1)], 3, vec![(1, Source::Leaf(0))]));
    puzzle.goal = puzzle.is(1, 1);
    for mut heuristic in heuristics(&puzzle) {
        assert_eq!(heuristic.estimate(&[1, 0]), Some(3), "{:?}", heuristic.kind());
        assert_eq!(heuristic.estimate(&[0, 0]), None, "{:?}", heuristic.kind());
    }
}

/// Without the states in which a landmark of the first state holds no goal is reached, and where all are reached and none
/// has to be again there is a goal: each goal fact is one.
fn every_plan_reaches(puzzle: &Operators, space: &Space) {
    let of = Relaxation::of(puzzle, false).expect("a relaxation");
    let Some(landmarks) = Landmarks::of(&of, &space.states[0]) else { return };
    for fact in landmarks.facts() {
        let has = |state: &[Value]| of.reached_in(state).any(|other| other == fact);
        let mut is_reached = vec![false; space.states.len()];
        is_reached[0] = !has(&space.states[0]);
        // Moves lead on from states in the order in which these were found.
        for _ in 0..space.states.len() {
            for &(from, _, to) in &space.moves {
                is_reached[to] |= is_reached[from] && !has(&space.states[to]);
            }
        }
        let mut goals = space.states.iter().zip(&is_reached);
        assert!(!goals.any(|(state, reached)| *reached && holds(puzzle, puzzle.goal, state)));
    }
    for state in &space.states {
        let (_, left) = landmarks.count(&of, None, state);
        assert!(left > 0 || holds(puzzle, puzzle.goal, state), "{state:?}");
    }
}

/// A switch that is on again has been reached; one that was turned off again, and is needed, has not.
#[test]
fn landmarks_are_reached_along_a_path() {
    let mut puzzle = switches(4);
    add(&mut puzzle, (vec![(0, 1)], 1, vec![(0, Source::Value(0))]));
    let of = Relaxation::of(&puzzle, false).expect("a relaxation");
    let landmarks = Landmarks::of(&of, &[0; 4]).expect("there are some");
    let (start, left) = landmarks.count(&of, None, &[0; 4]);
    assert_eq!(left, 4);
    let (one, left) = landmarks.count(&of, Some(&start), &[1, 0, 0, 0]);
    // A switch that is turned on has to be off: what holds at the start counts for that.
    assert_eq!(left, 3);
    assert_eq!(landmarks.count(&of, Some(&one), &[0; 4]).1, 4);
    let (two, _) = landmarks.count(&of, Some(&one), &[1, 1, 0, 0]);
    assert_eq!(landmarks.count(&of, Some(&two), &[0, 1, 0, 0]).1, 2);
    // The third one is not reached where the second one was not; and it is not off any more.
    assert_eq!(landmarks.count(&of, Some(&one), &[1, 0, 1, 0]).1, 4);
}

#[test]
fn sliding_tiles() {
    let puzzle = tiles(3, 2, 0);
    let start = [5, 4, 3, 2, 1, b'_'];
    let space = Space::of(&puzzle, &start);
    let [mut max, _, _, mut cut] = heuristics(&puzzle);
    space.check_admissible(|state| max.estimate(state));
    space.check_admissible(|state| cut.estimate(state));
    let sum = |heuristic: &mut Relaxed| -> u64 {
        space.states.iter().map(|state| u64::from(heuristic.estimate(state).unwrap_or(0))).sum()
    };
    assert!(sum(&mut cut) > sum(&mut max));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1000, ..ProptestConfig::default() })]

    /// Admissible ones never say more than a plan costs; LM-cut never less than h-max, h-add never less than a relaxed
    /// plan; a state is a dead end to all or to none. What is explored on is what is explored anew.
    #[test]
    fn of_puzzles_at_random(
        moves in proptest::collection::vec(
            (
                proptest::collection::vec((0u16..5, 0u8..3), 0..3),
                0u32..4,
                proptest::collection::vec((0u16..5, 0u8..3, 0u16..8), 1..3),
            ),
            1..9,
        ),
        start in proptest::collection::vec(0u8..3, 5),
        goal in proptest::collection::vec((0u16..5, 0u8..3), 1..4),
    ) {
        let mut puzzle = Operators::new(vec![Values::from_iter(0..3); 5]);
        for (tests, cost, mut writes) in moves {
            writes.sort_unstable();
            writes.dedup_by_key(|write| write.0);
            let source = |(leaf, value, from)| match from {
                0..5 => (leaf, Source::Leaf(from)),
                _ => (leaf, Source::Value(value)),
            };
            add(&mut puzzle, (tests, cost, writes.into_iter().map(source).collect()));
        }
        puzzle.goal = all_of(&mut puzzle, goal);
        let space = Space::of(&puzzle, &start);
        every_plan_reaches(&puzzle, &space);
        let [mut max, mut add, mut plan, mut cut] = heuristics(&puzzle);
        space.check_admissible(|state| max.estimate(state));
        space.check_admissible(|state| cut.estimate(state));
        for state in &space.states {
            let found = [&mut max, &mut add, &mut plan, &mut cut].map(|of| of.estimate(state));
            let none = found.iter().filter(|estimate| estimate.is_none()).count();
            prop_assert!(none == 0 || none == 4);
            if let [Some(max), Some(add), Some(plan), Some(cut)] = found {
                prop_assert!(cut >= max && add >= plan, "{max} {add} {plan} {cut}");
            }
        }
    }
}
