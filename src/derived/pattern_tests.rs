//! Laws of pattern databases, on whole spaces.

use super::symmetry::symmetries;
use super::*;
use proptest::prelude::*;
use std::collections::{HashMap, VecDeque};

const BLANK: Value = b'_';

/// A move: tests, cost, writes.
pub(crate) type Move = (Vec<(Leaf, Value)>, u32, Vec<(Leaf, Source)>);

/// A puzzle of so many leaves that have these values, with moves, but without a goal.
pub(crate) fn without_goal(
    values: impl IntoIterator<Item = Value>,
    leaves: usize,
    moves: impl IntoIterator<Item = Move>,
) -> Operators {
    let mut puzzle = Operators::new(vec![values.into_iter().collect(); leaves]);
    for (tests, cost, writes) in moves {
        let tests = tests.into_iter().map(|(leaf, value)| puzzle.is(leaf, value)).collect();
        let condition = puzzle.all(tests);
        puzzle.operators.push(Operator { condition, cost, writes });
    }
    puzzle
}

/// A puzzle whose leaves have these values, with moves and one goal.
pub(crate) fn puzzle(
    values: impl IntoIterator<Item = Value>,
    moves: impl IntoIterator<Item = Move>,
    goal: &[Value],
) -> Operators {
    let mut puzzle = without_goal(values, goal.len(), moves);
    let goal = (0..).zip(goal).map(|(leaf, &value)| puzzle.is(leaf, value)).collect();
    puzzle.goal = puzzle.all(goal);
    puzzle
}

/// What the blank of a sliding puzzle may do.
pub(crate) fn slides(width: u16, height: u16, blank: Value) -> Vec<Move> {
    let mut moves = Vec::new();
    for at in 0..width * height {
        let (row, column) = (at / width, at % width);
        let to = [
            (row > 0).then(|| at - width),
            (row + 1 < height).then(|| at + width),
            (column > 0).then(|| at - 1),
            (column + 1 < width).then(|| at + 1),
        ];
        for to in to.into_iter().flatten() {
            let writes = vec![(at, Source::Leaf(to)), (to, Source::Value(blank))];
            moves.push((vec![(at, blank)], 1, writes));
        }
    }
    moves
}

/// A sliding puzzle, whose goal has the blank at a place and tiles in order.
pub(crate) fn tiles(width: u16, height: u16, blank: u16) -> Operators {
    let value = |leaf| if leaf == blank { BLANK } else { leaf as Value };
    let goal: Vec<Value> = (0..width * height).map(value).collect();
    puzzle(goal.clone(), slides(width, height, BLANK), &goal)
}

/// Turning over the first of so many pancakes, at this cost.
pub(crate) fn flips(count: u16, cost: impl Fn(u16) -> u32) -> Vec<Move> {
    let flip = |size: u16| {
        let writes = (0..size).map(|leaf| (leaf, Source::Leaf(size - 1 - leaf))).collect();
        (Vec::new(), cost(size), writes)
    };
    (2..=count).map(flip).collect()
}

/// A stack of pancakes, the first so many of which are turned over at this cost.
pub(crate) fn pancakes(count: u16, cost: impl Fn(u16) -> u32) -> Operators {
    let goal: Vec<Value> = (0..count as Value).collect();
    puzzle(goal.clone(), flips(count, cost), &goal)
}

/// A ring of tokens, which turns, and of which so many next to one another can be turned over.
pub(crate) fn ring(count: u16, window: u16) -> Operators {
    let by = |from: &dyn Fn(u16) -> u16| {
        (Vec::new(), 1, (0..count).map(|leaf| (leaf, Source::Leaf(from(leaf)))).collect())
    };
    let over = |leaf: u16| if leaf < window { window - 1 - leaf } else { leaf };
    let moves = [by(&|leaf| (leaf + 1) % count), by(&|leaf| (leaf + count - 1) % count), by(&over)];
    let goal: Vec<Value> = (0..count as Value).collect();
    puzzle(goal.clone(), moves, &goal)
}

/// Where moves lead from a state, by the operators as they are told.
pub(crate) fn successors(puzzle: &Operators, state: &[Value]) -> Vec<Vec<Value>> {
    let holds = |condition| {
        let ways = puzzle.ways(condition, 1 << 16).expect("known conditions");
        let is_so = |way: &Vec<(Leaf, Value)>| {
            way.iter().all(|&(leaf, value)| state[usize::from(leaf)] == value)
        };
        ways.iter().any(is_so)
    };
    let applied = puzzle.operators.iter().filter(|operator| holds(operator.condition));
    let after = |operator: &Operator| {
        let mut after = state.to_vec();
        for (leaf, source) in &operator.writes {
            after[usize::from(*leaf)] = match source {
                Source::Value(value) => *value,
                Source::Leaf(from) => state[usize::from(*from)],
                Source::Unknown | Source::Table(_) | Source::Cases(_) => {
                    panic!("not in these puzzles")
                }
            };
        }
        after
    };
    applied.map(after).collect()
}

/// The cost of a cheapest plan from each state that has one.
pub(crate) fn distances(puzzle: &Permutations) -> HashMap<Vec<Value>, u32> {
    let mut known = HashMap::from([(puzzle.goal.clone(), 0)]);
    let mut waiting = VecDeque::from([puzzle.goal.clone()]);
    while let Some(state) = waiting.pop_front() {
        let distance = known[&state];
        for turn in &puzzle.turns {
            let before: Vec<Value> = turn.to.iter().map(|&to| state[usize::from(to)]).collect();
            let farther = distance + turn.cost;
            if turn.applies(&before) && known.get(&before).is_none_or(|&known| farther < known) {
                known.insert(before.clone(), farther);
                waiting.push_back(before);
            }
        }
    }
    known
}

/// Of the whole space: no estimate is too high. The mean of estimates and of distances.
fn checked(puzzle: &Permutations, derived: &PatternDatabases) -> (f64, f64) {
    let mut cursor = Cursor::default();
    for state in distances(puzzle).keys() {
        for turn in puzzle.turns.iter().filter(|turn| turn.applies(state)) {
            let after = turn.after(state);
            let near = derived.estimate_near(&mut cursor, state, &after);
            assert_eq!(near, derived.estimate(&after), "{state:?} to {after:?}");
        }
    }
    checked_by(puzzle, |state| derived.estimate(state))
}

pub(crate) fn checked_by(
    puzzle: &Permutations,
    estimate: impl Fn(&[Value]) -> Option<u32>,
) -> (f64, f64) {
    let all = distances(puzzle);
    let (mut estimates, mut costs) = (0.0, 0.0);
    for (state, &distance) in &all {
        let estimate = estimate(state).expect("it has a plan");
        assert!(estimate <= distance, "{state:?}: {estimate} of {distance}");
        estimates += f64::from(estimate);
        costs += f64::from(distance);
    }
    (estimates / all.len() as f64, costs / all.len() as f64)
}

#[test]
fn sliding_puzzles_are_permutations_of_tiles_by_the_blank() {
    let puzzle = Permutations::of(&tiles(3, 3, 0)).expect("permutations");
    assert_eq!((puzzle.turns.len(), &puzzle.tested[..], puzzle.free.len()), (24, &[BLANK][..], 8));
    let derived = PatternDatabases::derive(&puzzle, Budget::of(300_000));
    assert!(derived.charge().is_additive());
    let (mean, cost) = checked(&puzzle, &derived);
    // Manhattan distances have a mean of 13.9 there.
    assert!(mean > 15.0 && cost > 21.9 && cost < 22.0, "{mean} of {cost}");
}

#[test]
fn tables_are_the_same_on_several_threads() {
    for puzzle in [tiles(3, 3, 4), pancakes(7, |_| 1)] {
        let puzzle = Permutations::of(&puzzle).expect("permutations");
        let groups = |threads| {
            let budget = Budget { threads, ..Budget::of(4_000) };
            let derived = PatternDatabases::derive(&puzzle, budget);
            derived.tables().iter().map(|table| table.values.clone()).collect::<Vec<_>>()
        };
        assert!(groups(1).len() > 1);
        assert_eq!(groups(1), groups(3));
    }
}

#[test]
fn the_next_budget_is_the_least_that_brings_more() {
    let puzzle = Permutations::of(&tiles(4, 3, 0)).expect("permutations");
    let size = |budget: Budget| {
        let derived = PatternDatabases::derive(&puzzle, budget);
        let sizes = derived.tables().iter().map(|table| table.values.len());
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
    let puzzle = Permutations::of(&tiles(3, 3, 0)).expect("permutations");
    let table = PatternTable::build(&puzzle, &[5], Charge::Front(0), false).expect("a table");
    let away = |at: usize| (at / 3).abs_diff(1) + (at % 3).abs_diff(2);
    for at in 0..9 {
        assert_eq!(table.distance(at), Some(away(at) as u32), "{at}");
    }
}

/// The search over sets of places of the blank comes to what the search over single places does.
#[test]
fn sliding_puzzles_have_tables_of_their_own() {
    for (width, height, blank) in [(3, 3, 0), (3, 3, 4), (4, 2, 7), (5, 1, 2)] {
        let puzzle = Permutations::of(&tiles(width, height, blank)).expect("permutations");
        let plain = Permutations { slides: None, ..puzzle.clone() };
        assert!(puzzle.slides.is_some());
        for pattern in [&puzzle.free[..1], &puzzle.free[1..4], &puzzle.free[..4]] {
            for charge in [Charge::Front(0), Charge::Back(0), Charge::Full] {
                let [own, other] = [&puzzle, &plain].map(|puzzle| {
                    PatternTable::build(puzzle, pattern, charge, false).expect("a table")
                });
                assert_eq!((own.states, own.greatest), (other.states, other.greatest));
                for key in 0..own.bytes() {
                    assert_eq!(
                        own.distance(key),
                        other.distance(key),
                        "{pattern:?} {charge:?} {key}"
                    );
                }
            }
        }
    }
    assert!(Permutations::of(&pancakes(5, |_| 1)).expect("permutations").slides.is_none());
}

#[test]
fn symmetries_of_boards() {
    for (blank, expected) in [(0, 2), (4, 8), (1, 2)] {
        let puzzle = Permutations::of(&tiles(3, 3, blank)).expect("permutations");
        let found = symmetries(&puzzle);
        assert_eq!(found.len(), expected, "blank at {blank}");
        assert!((0..9).eq(found[0].leaves.iter().copied()), "the first changes nothing");
    }
}

#[test]
fn a_table_with_the_blank_is_consistent() {
    let puzzle = Permutations::of(&tiles(3, 2, 0)).expect("permutations");
    let groups = [[1, 2], [3, 4]].map(|pattern| {
        PatternTable::build(&puzzle, &pattern, Charge::Front(0), true).expect("a table")
    });
    let derived =
        PatternDatabases::of(&puzzle, groups.into(), Charge::Front(0), symmetries(&puzzle));
    for state in distances(&puzzle).keys() {
        for turn in puzzle.turns.iter().filter(|turn| turn.applies(state)) {
            let [here, there] =
                [state.clone(), turn.after(state)].map(|state| derived.estimate(&state));
            assert!(here <= there.map(|there| there + turn.cost), "{state:?}");
        }
    }
    checked(&puzzle, &derived);
}

#[test]
fn pancakes_of_several_costs() {
    for cost in [|_: u16| 1, |size: u16| u32::from(size)] {
        let puzzle = Permutations::of(&pancakes(7, cost)).expect("permutations");
        let derived = PatternDatabases::derive(&puzzle, Budget::of(20_000));
        let (mean, _) = checked(&puzzle, &derived);
        assert!(mean > 1.0, "{mean}");
    }
}

#[test]
fn states_of_other_values_are_not_known() {
    let puzzle = Permutations::of(&tiles(2, 2, 0)).expect("permutations");
    let derived = PatternDatabases::derive(&puzzle, Budget::of(1000));
    assert_eq!(derived.estimate(&[BLANK, 1, 1, 2]), Some(0));
    assert_eq!(derived.estimate(&[BLANK, 1]), Some(0));
    assert_eq!(derived.estimate(&[BLANK, 1, 9, 2]), Some(0));
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
    assert!(Permutations::of(&puzzle).is_err());
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
    let why = |change: fn(&mut Operators)| {
        let mut puzzle = tiles(2, 2, 0);
        change(&mut puzzle);
        Permutations::of(&puzzle).err()
    };
    let written = why(|puzzle| puzzle.operators[0].writes[1].1 = Source::Value(7));
    assert_eq!(written, Some(NoPermutations::Written));
    let unknown = why(|puzzle| puzzle.operators[0].writes[1].1 = Source::Unknown);
    assert_eq!(unknown, Some(NoPermutations::Written));
    let twice = why(|puzzle| drop(puzzle.operators[0].writes.pop()));
    assert_eq!(twice, Some(NoPermutations::Twice));
    let goals = why(|puzzle| puzzle.goal = puzzle.is(0, BLANK));
    assert_eq!(goals, Some(NoPermutations::Goals));
    let escapes = why(|puzzle| puzzle.escape = puzzle.is(0, BLANK));
    assert_eq!(escapes, Some(NoPermutations::Escapes));
    let conditions = why(|puzzle| {
        puzzle.operators[0].condition = puzzle.condition(Condition::Unknown);
    });
    assert_eq!(conditions, Some(NoPermutations::Conditions));
    let alike = why(|puzzle| {
        let parts = [(0, BLANK), (1, 3), (2, 2), (3, 3)].map(|(at, value)| puzzle.is(at, value));
        puzzle.goal = puzzle.all(parts.into());
    });
    assert_eq!(alike, Some(NoPermutations::Alike));
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
            (tests, cost, (0..).zip(from).map(|(leaf, from)| (leaf, Source::Leaf(from))).collect())
        });
        let puzzle = puzzle(0..6, moves, &[0, 1, 2, 3, 4, 5]);
        let puzzle = Permutations::of(&puzzle).expect("permutations");
        let derived = PatternDatabases::derive(&puzzle, Budget::of(budget));
        checked(&puzzle, &derived);
    }
}

/// The distance of every state that leads to a goal, by searching backward from it.
fn distances_of(puzzle: &Operators, goal: &[Value]) -> HashMap<Vec<Value>, u32> {
    let all: Vec<Value> = {
        let mut all = goal.to_vec();
        all.sort_unstable();
        all.dedup();
        all
    };
    let moves = puzzle.operators.iter().flat_map(|operator| {
        let ways = puzzle.ways(operator.condition, 100).expect("few");
        ways.into_iter().map(move |way| (way, operator))
    });
    let moves: Vec<_> = moves.collect();
    let after = |state: &[Value], writes: &[(Leaf, Source)]| {
        let mut after = state.to_vec();
        for (leaf, source) in writes {
            after[usize::from(*leaf)] = match source {
                Source::Leaf(from) => state[usize::from(*from)],
                Source::Value(value) => *value,
                other => panic!("{other:?}"),
            };
        }
        after
    };
    assert!(all.len() < 8);
    // Moves are taken back in the end, so all is reached from the goal.
    let mut states = vec![goal.to_vec()];
    let mut known: HashMap<Vec<Value>, u32> = HashMap::from([(goal.to_vec(), 0)]);
    let mut edges = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        for (way, operator) in &moves {
            if way.iter().all(|&(leaf, value)| state[usize::from(leaf)] == value) {
                let to = after(&state, &operator.writes);
                if known.insert(to.clone(), u32::MAX).is_none() {
                    states.push(to.clone());
                }
                edges.push((state.clone(), to, operator.cost));
            }
        }
        at += 1;
    }
    known.values_mut().for_each(|distance| *distance = u32::MAX);
    known.insert(goal.to_vec(), 0);
    loop {
        let mut changed = false;
        for (from, to, cost) in &edges {
            let behind = known[to].saturating_add(*cost);
            if behind < known[from] {
                known.insert(from.clone(), behind);
                changed = true;
            }
        }
        if !changed {
            return known;
        }
    }
}

/// A puzzle with values in the place of others, some of them alike, is no farther from its goal than is said.
fn checked_alike(moves: impl IntoIterator<Item = Move>, goal: &[Value], states: u64) -> f64 {
    let puzzle = super::pattern_tests::puzzle(goal.iter().copied(), moves, goal);
    let distances = distances_of(&puzzle, goal);
    let start = distances.iter().max_by_key(|(state, distance)| (**distance, (*state).clone()));
    let (start, _) = start.expect("a state");
    let derived = Derived::of(&puzzle, start, &[], Budget::of(states)).expect("a heuristic");
    assert!(derived.is_for_all_starts(), "pattern databases");
    let (mut said, mut all) = (0, 0);
    for (state, &distance) in &distances {
        let estimate = derived.estimate(state);
        assert!(estimate.is_some_and(|h| h <= distance), "{state:?}: {estimate:?} of {distance}");
        (said, all) = (said + estimate.unwrap_or(0), all + distance);
    }
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
    let moves = |goal: &[Value]| -> Vec<Move> {
        let count = goal.len() as u16;
        let turn: Vec<_> = (0..count).map(|at| (at, Source::Leaf((at + 1) % count))).collect();
        let swap = vec![(0, Source::Leaf(1)), (1, Source::Leaf(0))];
        vec![(Vec::new(), 1, turn), (Vec::new(), 2, swap)]
    };
    for goal in [&b"aabbcc"[..], b"aaaabc", b"abababa"] {
        checked_alike(moves(goal), goal, 5_000);
    }
}

/// Three dominoes of two colours each, which are turned round, and change places.
#[test]
fn blocks_tell_values_apart() {
    let goal = b"abacbc";
    let turned = vec![(0, Source::Leaf(1)), (1, Source::Leaf(0))];
    let moved = (0..6).map(|at| (at, Source::Leaf((at + 2) % 6))).collect();
    let moves: Vec<Move> = vec![(Vec::new(), 1, turned), (Vec::new(), 1, moved)];
    let puzzle = puzzle(goal.iter().copied(), moves.clone(), goal);
    let permutations = Permutations::from(&puzzle, goal).expect("permutations");
    assert!(!permutations.has_alike());
    assert!((checked_alike(moves, goal, 100_000) - 1.0).abs() < 1e-9, "it is all said");
}
