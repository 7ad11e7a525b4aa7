//! Laws of pattern databases, on whole spaces.

use super::heuristic::Derived;
use super::operators::{Condition, Leaf, Operators, Source, Table, Value};
use super::pattern_databases::{Cursor, PatternDatabases};
use super::pattern_table::{Charge, PatternTable};
use super::patterns::Budget;
use super::permutation::Permutations;
use super::symmetry::symmetries;
use super::test_puzzles::{
    BLANK, Move, Space, orders, pancakes, permutations, puzzle, set_goal, slides, tiles, turn,
};
use super::turns::NoPermutations;
use proptest::prelude::*;

/// No estimate of the whole space is too high, and those of neighbours are the same: the mean of estimates and of
/// distances.
fn checked(space: &Space, derived: &PatternDatabases) -> (f64, f64) {
    let mut cursor = Cursor::default();
    for &(from, _, to) in &space.moves {
        let [state, after] = [from, to].map(|at| &space.states[at]);
        let near = derived.estimate_near(&mut cursor, state, after);
        assert_eq!(near, derived.estimate(after), "{state:?} to {after:?}");
    }
    let (said, all) = space.check_admissible(|state| derived.estimate(state));
    let count = space.solvable().count().max(1) as f64;
    (f64::from(said) / count, f64::from(all) / count)
}

fn derived(puzzle: &Operators, states: u64) -> (PatternDatabases, (f64, f64)) {
    let permutations = permutations(puzzle);
    let derived = PatternDatabases::derive(&permutations, Budget::of(states));
    let means = checked(&Space::of(puzzle, &permutations.goal), &derived);
    (derived, means)
}

/// The values of each table.
fn groups(derived: &PatternDatabases) -> Vec<Vec<Value>> {
    derived.tables.iter().map(|table| table.values.clone()).collect()
}

#[test]
fn sliding_puzzles_are_permutations_of_tiles_by_the_blank() {
    let puzzle = tiles(3, 3, 0);
    let found = permutations(&puzzle);
    assert_eq!((found.turns.len(), &found.tested[..], found.free.len()), (24, &[BLANK][..], 8));
    let (derived, (mean, cost)) = derived(&puzzle, 300_000);
    assert!(derived.charge.is_additive());
    // Manhattan distances have a mean of 13.9 there.
    assert!(mean > 15.0 && cost > 21.9 && cost < 22.0, "{mean} of {cost}");
}

#[test]
fn tables_are_the_same_on_several_threads() {
    for puzzle in [tiles(3, 3, 4), pancakes(7, |_| 1)] {
        let puzzle = permutations(&puzzle);
        let with = |threads| {
            let budget = Budget { threads, ..Budget::of(4_000) };
            groups(&PatternDatabases::derive(&puzzle, budget))
        };
        assert!(with(1).len() > 1);
        assert_eq!(with(1), with(3));
    }
}

#[test]
fn the_next_budget_is_the_least_that_brings_more() {
    let puzzle = permutations(&tiles(4, 3, 0));
    let size = |budget: Budget| {
        let derived = PatternDatabases::derive(&puzzle, budget);
        let sizes = groups(&derived).into_iter().map(|values| values.len());
        (sizes.max().expect("tables"), derived.next())
    };
    let (small, next) = size(Budget::of(40_000));
    let next = next.expect("larger tables");
    let (same, _) = size(Budget { states: next.states - 8, ..next });
    let (larger, _) = size(next);
    assert_eq!((same, larger), (small, small + 1));
}

#[test]
fn tables_of_single_tiles_are_manhattan_distances() {
    let puzzle = permutations(&tiles(3, 3, 0));
    let table = PatternTable::build(&puzzle, &[5], Charge::Front).expect("a table");
    let away = |at: usize| (at / 3).abs_diff(1) + (at % 3).abs_diff(2);
    for at in 0..9 {
        assert_eq!(table.distance(at), Some(away(at) as u32), "{at}");
    }
}

/// The search over sets of places of the blank comes to what the search over single places does.
#[test]
fn sliding_puzzles_have_tables_of_their_own() {
    for (width, height, blank) in [(3, 3, 0), (3, 3, 4), (4, 2, 7), (5, 1, 2)] {
        let puzzle = permutations(&tiles(width, height, blank));
        let plain = Permutations { slides: None, ..puzzle.clone() };
        assert!(puzzle.slides.is_some());
        for pattern in [&puzzle.free[..1], &puzzle.free[1..4], &puzzle.free[..4]] {
            for charge in [Charge::Front, Charge::Back, Charge::Full] {
                let [own, other] = [&puzzle, &plain]
                    .map(|puzzle| PatternTable::build(puzzle, pattern, charge).expect("a table"));
                assert_eq!((own.states, own.greatest), (other.states, other.greatest));
                let keys = PatternTable::size(puzzle.leaves(), pattern.len());
                for key in 0..keys.expect("few") {
                    let [own, other] = [&own, &other].map(|table| table.distance(key));
                    assert_eq!(own, other, "{pattern:?} {charge:?} {key}");
                }
            }
        }
    }
    assert!(permutations(&pancakes(5, |_| 1)).slides.is_none());
}

#[test]
fn symmetries_of_boards() {
    for (blank, expected) in [(0, 2), (4, 8), (1, 2)] {
        let found = symmetries(&permutations(&tiles(3, 3, blank)));
        assert_eq!(found.len(), expected, "blank at {blank}");
        assert!((0..9).eq(found[0].leaves.iter().copied()), "the first changes nothing");
    }
}

#[test]
fn pancakes_of_several_costs() {
    for cost in [|_: u16| 1, |size: u16| u32::from(size)] {
        let (_, (mean, _)) = derived(&pancakes(7, cost), 20_000);
        assert!(mean > 1.0, "{mean}");
    }
}

#[test]
fn states_of_other_values_are_not_known() {
    let (derived, _) = derived(&tiles(2, 2, 0), 1000);
    for state in [&[BLANK, 1, 1, 2][..], &[BLANK, 1], &[BLANK, 1, 9, 2]] {
        assert_eq!(derived.estimate(state), Some(0));
    }
}

/// A goal that is told by neighbours: each value is less than the next.
#[test]
fn a_goal_may_follow_from_the_values_of_the_start() {
    let mut puzzle = pancakes(6, |_| 1);
    let ascending = |leaf: Leaf| {
        let rows = (0..36).map(|row| row % 6 < row / 6).collect();
        Condition::Table(Table { leaves: [leaf, leaf + 1].into(), rows })
    };
    let parts = (0..5).map(|leaf| puzzle.condition(ascending(leaf))).collect();
    puzzle.goal = puzzle.all(parts);
    let found = Permutations::from(&puzzle, &[3, 1, 0, 5, 2, 4]).expect("permutations");
    assert_eq!(found.goal, [0, 1, 2, 3, 4, 5]);
    let alike = Permutations::from(&puzzle, &[3, 1, 0, 3, 2, 4]);
    assert_eq!(alike.err(), Some(NoPermutations::Alike));
    // Any state with 0 first.
    puzzle.goal = puzzle.is(0, 0);
    let several = Permutations::from(&puzzle, &[3, 1, 0, 5, 2, 4]);
    assert_eq!(several.err(), Some(NoPermutations::Goals));
}

#[test]
fn what_is_no_permutation_says_why() {
    type Change = fn(&mut Operators);
    let cases: [(NoPermutations, Change); 6] = [
        (NoPermutations::Written, |of| of.operators[0].writes[1].1 = Source::Value(7)),
        (NoPermutations::Written, |of| of.operators[0].writes[1].1 = Source::Unknown),
        (NoPermutations::Twice, |of| drop(of.operators[0].writes.pop())),
        (NoPermutations::Goals, |of| of.goal = of.is(0, BLANK)),
        (NoPermutations::Escapes, |of| of.escape = of.is(0, BLANK)),
        (NoPermutations::Conditions, |of| {
            of.operators[0].condition = of.condition(Condition::Unknown);
        }),
    ];
    for (why, change) in cases {
        let mut puzzle = tiles(2, 2, 0);
        change(&mut puzzle);
        assert_eq!(Permutations::from(&puzzle, &[BLANK, 1, 2, 3]).err(), Some(why));
    }
    let (mut puzzle, alike) = (tiles(2, 2, 0), [BLANK, BLANK, 2, 3]);
    set_goal(&mut puzzle, &alike);
    assert_eq!(Permutations::from(&puzzle, &alike).err(), Some(NoPermutations::Alike));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Random permutation puzzles: moves of several costs, some under tests, not all reversible.
    #[test]
    fn estimates_are_never_too_high(
        moves in prop::collection::vec((Just((0u16..6).collect::<Vec<_>>()).prop_shuffle(), 0u32..4, 0u8..6, 0u8..4), 1..6),
        budget in 10u64..3000,
    ) {
        let moves = moves.into_iter().map(|(from, cost, leaf, value)| {
            // Values 0 and 1 are tested.
            let tests = if value < 2 { vec![(u16::from(leaf), value)] } else { Vec::new() };
            let (_, cost, writes) = turn(cost, from);
            (tests, cost, writes)
        });
        let goal = [0, 1, 2, 3, 4, 5];
        let puzzle = puzzle(0..6, moves, &goal);
        let derived = PatternDatabases::derive(&permutations(&puzzle), Budget::of(budget));
        checked(&Space::from_all(&puzzle, orders(&goal).into_iter().collect()), &derived);
    }
}

/// A puzzle with values in the place of others, some of them alike, is no farther from its goal than is said: the
/// part of all distances that is.
fn checked_alike(moves: impl IntoIterator<Item = Move>, goal: &[Value], states: u64) -> f64 {
    let puzzle = puzzle(goal.iter().copied(), moves, goal);
    // Moves are taken back in the end, so all is reached from the goal.
    let space = Space::of(&puzzle, goal);
    let (start, _) = space.solvable().max_by_key(|&(_, distance)| distance).expect("a state");
    let derived = Derived::of(&puzzle, start, &[], Budget::of(states)).expect("a heuristic");
    assert!(derived.is_for_all_starts(), "pattern databases");
    let (said, all) = space.check_admissible(|state| derived.estimate(state));
    f64::from(said) / f64::from(all)
}

#[test]
fn tiles_that_are_alike() {
    let slides = || slides(3, 3, BLANK);
    let share = checked_alike(slides(), b"_aabbccdd", 60_000);
    assert!(share > 0.5, "{share}");
    checked_alike(slides(), b"aaaa_bbbb", 20_000);
}

#[test]
fn tokens_of_a_ring_that_are_alike() {
    for goal in [&b"aabbcc"[..], b"aaaabc", b"abababa"] {
        let count = goal.len() as u16;
        let moves = [turn(1, (0..count).map(|at| (at + 1) % count)), turn(2, [1, 0])];
        checked_alike(moves, goal, 5_000);
    }
}

/// Three dominoes of two colours each, which are turned round, and change places.
#[test]
fn blocks_tell_values_apart() {
    let goal = b"abacbc";
    let moves = [turn(1, [1, 0]), turn(1, (0..6).map(|at| (at + 2) % 6))];
    let puzzle = puzzle(goal.iter().copied(), moves.clone(), goal);
    let permutations = Permutations::from(&puzzle, goal).expect("permutations");
    assert!(!permutations.has_alike());
    assert!((checked_alike(moves, goal, 100_000) - 1.0).abs() < 1e-9, "it is all said");
}
