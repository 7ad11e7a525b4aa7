//! What is said of starts against searching from them.

use super::*;
use crate::operators::{Condition, Operators, Source, Values};
use crate::permutation::Permutations;
use crate::test_puzzles::{
    BLANK, Move, add, all_of, flips, orders, puzzle, reached, set_goal, slide, slides, successors,
    turn, without_goal,
};
use proptest::prelude::*;

/// Work for coarser puzzles, which are not asked here.
const WORK: usize = 1000;

/// Of a puzzle whose moves can be taken back: exactly the orders of values that do not lead to the goal are
/// said to be without a plan. How many these are, and of all.
fn counted(values: &[Value], moves: Vec<Move>, goal: &[Value]) -> (usize, usize) {
    let puzzle = puzzle(values.iter().copied(), moves, goal);
    let solvable = reached(&puzzle, goal, usize::MAX);
    let all = orders(goal);
    let mut unsolvable = 0;
    for start in &all {
        let said = NoPlan::of(&puzzle, start, WORK);
        assert_eq!(said.is_none(), solvable.contains(start), "{start:?}: {said:?}");
        unsolvable += usize::from(said.is_some());
    }
    (unsolvable, all.len())
}

/// The slides of a board whose rows and columns are rings.
fn torus(width: u16, height: u16) -> Vec<Move> {
    let mut moves = Vec::new();
    for at in 0..width * height {
        let (row, column) = (at / width, at % width);
        let to = [
            (row + 1) % height * width + column,
            (row + height - 1) % height * width + column,
            row * width + (column + 1) % width,
            row * width + (column + width - 1) % width,
        ];
        moves.extend(to.into_iter().filter(|&to| to != at).map(|to| slide(BLANK, at, to)));
    }
    moves
}

#[test]
fn half_of_all_states_of_a_sliding_puzzle_have_no_plan() {
    let (goal, moves) = (b"_abcde", slides(3, 2, BLANK));
    assert_eq!(counted(goal, moves.clone(), goal), (360, 720));
    // Tiles that are alike are exchanged unseen.
    assert_eq!(counted(goal, moves, b"_abcdd"), (0, 360));
    // In one row nothing passes.
    assert_eq!(counted(goal, slides(5, 1, BLANK), b"_abcd"), (115, 120));
    // Around a ring of six places five tiles keep their order.
    assert_eq!(counted(goal, torus(6, 1), goal), (690, 720));
    // Two rows of three that are rings.
    let all = counted(goal, torus(3, 2), goal);
    assert_eq!(all, (0, 720));
}

#[test]
fn blanks_of_two_kinds_or_of_one() {
    let goal = b"__abcd";
    assert_eq!(counted(goal, slides(3, 2, BLANK), goal), (0, 360));
    assert_eq!(counted(b"_abc", slides(2, 2, BLANK), b"_abc"), (12, 24));
    assert_eq!(counted(b"_abc", slides(2, 2, BLANK), b"__ab"), (0, 12));
    assert_eq!(counted(b"_abc", slides(4, 1, BLANK), b"__ab"), (6, 12));
    let both = [slides(3, 2, BLANK), slides(3, 2, b'.')].concat();
    assert_eq!(counted(b"_.abcd", both, b"_.abcd"), (0, 720));
}

/// By what was found in 1879: the parity of the permutation of all, with how far the blank is away.
#[test]
fn eight_and_fifteen() {
    for (width, height) in [(3u16, 3u16), (4, 4), (5, 5)] {
        let count = width * height;
        let goal: Vec<Value> = (0..count as Value).collect();
        let puzzle = puzzle(goal.clone(), slides(width, height, 0), &goal);
        let mut random = 1u64;
        let mut said_no = 0;
        for _ in 0..10 {
            let mut start = goal.clone();
            for at in 1..start.len() {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                start.swap(at, (random >> 33) as usize % (at + 1));
            }
            for swapped in [false, true] {
                if swapped {
                    start.swap(0, 1);
                }
                let blank = start.iter().position(|&value| value == 0).unwrap_or(0) as u16;
                let inversions = (0..start.len())
                    .flat_map(|at| (0..at).map(move |before| (before, at)))
                    .filter(|&(before, at)| start[before] > start[at])
                    .count() as u16;
                let is_odd = (inversions + blank / width + blank % width) % 2 == 1;
                let said = NoPlan::of(&puzzle, &start, WORK);
                match &said {
                    None => assert!(!is_odd, "{start:?}"),
                    Some(NoPlan::Parity(of, with)) => {
                        assert!(is_odd, "{start:?}");
                        assert_eq!((&of[..], &with[..]), (&goal[1..], &goal[..1]));
                        said_no += 1;
                    }
                    other => panic!("{start:?}: {other:?}"),
                }
            }
        }
        assert!((5..=15).contains(&said_no), "{said_no} of 20");
    }
}

#[test]
fn rings_and_pancakes() {
    let goal = b"abcdef";
    assert_eq!(counted(goal, flips(6, |_| 1), goal), (0, 720));
    let by = |step: u16| turn(1, (0..6).map(move |leaf| (leaf + step) % 6));
    // Tokens of three kinds of places: turning over three exchanges the outer ones.
    let ring = vec![by(1), by(5), turn(1, [2, 1, 0])];
    assert_eq!(counted(goal, ring, goal), (720 - 72, 720));
}

/// A seven-cornered theta of which the long way round has one place more: its group is one of the exotic
/// ones, PGL(2, 5) on six tiles, which parity does not tell.
#[test]
fn the_exception_among_graphs() {
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 3)];
    let both = edges.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
    let moves: Vec<Move> = both.map(|(at, to)| slide(BLANK, at, to)).collect();
    let goal = b"_abcdef";
    let puzzle = puzzle(*goal, moves, goal);
    let all = orders(&goal[1..]);
    let with_blank = all.iter().map(|order| [&goal[..1], order].concat());
    let said = with_blank.filter(|start| NoPlan::of(&puzzle, start, WORK).is_some()).count();
    assert_eq!(said, 720 - 120);
}

/// Corners of a cube of two by two by two, three stickers each: faces that turn take four of them round, and
/// twist those of a face that is not opposite.
fn cube() -> Vec<Move> {
    let face = |corners: [u16; 4], twists: [u16; 4]| {
        let mut from: Vec<u16> = (0..24).collect();
        for (at, &corner) in corners.iter().enumerate() {
            let before = corners[(at + 3) % 4];
            for sticker in 0..3 {
                let there = 3 * corner + (sticker + twists[at]) % 3;
                from[usize::from(there)] = 3 * before + sticker;
            }
        }
        turn(1, from)
    };
    vec![
        face([0, 1, 2, 3], [0; 4]),
        face([0, 3, 7, 4], [1, 2, 1, 2]),
        face([0, 4, 5, 1], [1, 2, 1, 2]),
    ]
}

#[test]
fn a_corner_that_is_twisted_has_no_plan() {
    let by_corner: Vec<Value> = (0..24).collect();
    // Six colours of four stickers each: every corner has three of them, and no two have the same.
    let colours: Vec<Value> = (0..24)
        .map(|sticker| {
            [[0, 1, 2], [0, 2, 4], [0, 4, 3], [0, 3, 1], [5, 2, 1], [5, 4, 2], [5, 3, 4], [5, 1, 3]]
                [sticker / 3][sticker % 3]
        })
        .collect();
    for goal in [by_corner, colours] {
        let puzzle = puzzle(goal.clone(), cube(), &goal);
        let mut start = goal.clone();
        for step in 0..12 {
            let all = successors(&puzzle, &start);
            start = all[step * step % all.len()].clone();
            assert_eq!(NoPlan::of(&puzzle, &start, WORK), None, "{start:?}");
            let mut twisted = start.clone();
            twisted[..3].rotate_left(1);
            let said = NoPlan::of(&puzzle, &twisted, WORK);
            assert!(matches!(said, Some(NoPlan::Group(..))), "{twisted:?}: {said:?}");
            // Two that are twisted against one another have one.
            twisted[3..6].rotate_right(1);
            assert_eq!(NoPlan::of(&puzzle, &twisted, WORK), None, "{twisted:?}");
        }
        start.swap(0, 3);
        assert!(NoPlan::of(&puzzle, &start, WORK).is_some());
    }
}

#[test]
fn several_goals_and_none() {
    let moves = slides(3, 1, BLANK);
    let mut row = without_goal(*b"_ab", 3, moves);
    let ways = [*b"ab_", *b"ba_"].map(|goal| all_of(&mut row, (0..).zip(goal)));
    row.goal = ways[0];
    let why = NoPlan::Orbit(vec![b'a', b'b'], vec![BLANK]);
    assert_eq!(NoPlan::of(&row, b"_ba", WORK), Some(why));
    // One of them is enough.
    row.goal = row.any(ways.to_vec());
    assert_eq!(NoPlan::of(&row, b"_ba", WORK), None);
    // A goal that leaves places open.
    row.goal = row.is(0, b'b');
    assert_eq!(NoPlan::of(&row, b"_ba", WORK), None);
    row.goal = all_of(&mut row, [(0, b'b'), (2, b'a')]);
    assert_eq!(NoPlan::of(&row, b"_ba", WORK), None);
    assert!(NoPlan::of(&row, b"_ab", WORK).is_some());
    // Other values than the goal's.
    assert_eq!(NoPlan::of(&row, b"_bb", WORK), Some(NoPlan::Values));
    row.goal = row.condition(Condition::Unknown);
    assert_eq!(NoPlan::of(&row, b"_ab", WORK), None);
}

/// Conditions don't ask for what never changes.
#[test]
fn places_that_never_change() {
    let walls: Vec<Value> = (100..140).collect();
    let domains = walls.iter().map(|&wall| Values::from_iter([wall]));
    let row = [Values::from_iter(*b"_ab"); 3];
    let mut board = Operators::new(row.into_iter().chain(domains).collect());
    slides(3, 1, BLANK).into_iter().for_each(|one| add(&mut board, one));
    let start = [b"_ab", &walls[..]].concat();
    set_goal(&mut board, &[b"ab_", &walls[..]].concat());
    assert_eq!(NoPlan::of(&board, &start, WORK), None);
    set_goal(&mut board, &[b"ba_", &walls[..]].concat());
    assert!(matches!(NoPlan::of(&board, &start, WORK), Some(NoPlan::Orbit(..))));
}

/// A move that asks for two values that are alike moves what is alike.
#[test]
fn tests_for_two_that_are_alike() {
    let swap = vec![(2, Source::Leaf(3)), (3, Source::Leaf(2))];
    let both = vec![(vec![(0, b'x'), (1, b'x')], 1, swap)];
    let puzzle = puzzle(*b"xab", both, b"xxab");
    assert_eq!(NoPlan::of(&puzzle, b"xxba", WORK), None);
    assert!(NoPlan::of(&puzzle, b"xaxb", WORK).is_some());
    let labelled = Permutations::from(&puzzle, b"xxba").err();
    assert_eq!(labelled, Some(NoPermutations::Alike), "a test names one of them");
}

fn random_move(leaves: u16, values: u8) -> impl Strategy<Value = Move> {
    let tests = prop::collection::btree_map(0..leaves, b'a'..b'a' + values, 0..=2);
    let round = Just((0..leaves).collect::<Vec<u16>>()).prop_shuffle();
    (tests, round, 2..=leaves as usize, any::<bool>()).prop_map(
        |(tests, round, length, written)| {
            let round = &round[..length];
            let source = |leaf: u16| match tests.get(&leaf) {
                // The same in other words.
                Some(&value)
                    if written && tests.values().filter(|other| **other == value).count() == 1 =>
                {
                    Source::Value(value)
                }
                _ => Source::Leaf(leaf),
            };
            let writes =
                (0..length).map(|at| (round[at], source(round[(at + 1) % length]))).collect();
            (tests.clone().into_iter().collect(), 1, writes)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn what_is_said_is_so(
        moves in prop::collection::vec(random_move(5, 4), 1..4),
        goal in prop::collection::vec(b'a'..b'e', 5),
        other in prop::option::of((0u16..5, b'a'..b'e')),
        start in prop::collection::vec(b'a'..b'e', 5),
    ) {
        let mut puzzle = puzzle(b'a'..b'e', moves, &goal);
        if let Some((leaf, value)) = other {
            let is = puzzle.is(leaf, value);
            puzzle.goal = puzzle.all(vec![is]);
        }
        let mut shuffled = goal.clone();
        shuffled.rotate_left(2);
        for start in [&start, &shuffled] {
            if NoPlan::of(&puzzle, start, WORK).is_some() {
                let reached = reached(&puzzle, start, usize::MAX);
                let mut goals = reached.iter().filter(|state| puzzle.may_hold(puzzle.goal, state));
                prop_assert_eq!(goals.next(), None, "from {:?}", start);
            }
        }
    }

    #[test]
    fn of_moves_that_always_apply_all_is_said(
        moves in prop::collection::vec(random_move(6, 4), 1..3),
        goal in prop::collection::vec(b'a'..b'g', 6),
    ) {
        let always = |(_, cost, writes): Move| {
            let same = writes.iter().all(|(_, source)| matches!(source, Source::Leaf(_)));
            same.then_some((Vec::new(), cost, writes))
        };
        let moves: Vec<Move> = moves.into_iter().filter_map(always).collect();
        counted(&(b'a'..b'g').collect::<Vec<_>>(), moves, &goal);
    }
}
