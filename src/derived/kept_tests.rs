//! Heuristics that are written and read again say the same, and what is not as it was written is refused.

use super::heuristic::Derived;
use super::operators::{Operators, Value};
use super::patterns::Budget;
use super::test_puzzles::{
    BLANK, pancakes, permutations, puzzle as puzzle_of, reached, ring, set_goal, slides,
    successors, tiles,
};
use super::token_tests::warehouse;

const BUDGET: Budget = Budget { states: 20_000, bytes: 1 << 20, threads: 2 };

fn derived(puzzle: &Operators, start: &[Value]) -> Derived {
    Derived::of(puzzle, start, &[start], BUDGET).expect("it says something")
}

fn puzzles() -> Vec<(Operators, Vec<Value>)> {
    let mut all = Vec::new();
    for puzzle in [tiles(3, 3, 8), pancakes(7, |_| 1), ring(8, 3)] {
        let start = permutations(&puzzle).goal;
        all.push((puzzle, start));
    }
    all.push(warehouse(5, &["#####", "#@$.#", "#.$.#", "#...#", "#####"], (1, 1)));
    all
}

#[test]
fn what_is_read_says_what_was_written() {
    for (puzzle, start) in puzzles() {
        let derived = derived(&puzzle, &start);
        let bytes = derived.written();
        let read = Derived::read(&bytes).expect("as it was written");
        assert_eq!(read.written(), bytes);
        assert_eq!((read.summary(), read.bytes()), (derived.summary(), derived.bytes()));
        assert!(read.bytes() > 100 && read.bytes() < bytes.len() * 40, "{}", read.bytes());
        for state in reached(&puzzle, &start, 300) {
            assert_eq!(read.estimate(&state), derived.estimate(&state), "{state:?}");
            assert_eq!(read.knows(&state), derived.knows(&state), "{state:?}");
        }
    }
}

#[test]
fn what_is_damaged_is_refused() {
    for (puzzle, start) in puzzles() {
        let bytes = derived(&puzzle, &start).written();
        assert!(Derived::read(&bytes[..bytes.len() - 1]).is_none());
        assert!(Derived::read(&[&bytes[..], &[0]].concat()).is_none());
        for at in (0..40).chain((40..bytes.len()).step_by(1 + bytes.len() / 60)) {
            let mut other = bytes.clone();
            other[at.min(bytes.len() - 1)] ^= 4;
            assert!(Derived::read(&other).is_none(), "byte {at}");
        }
        for bytes in [&b""[..], b"zug", &[0xff; 64]] {
            assert!(Derived::read(bytes).is_none());
        }
    }
}

#[test]
fn a_key_is_of_all_that_a_heuristic_comes_from() {
    let key = |puzzle: &Operators, start: &[Value], samples: &[&[Value]]| {
        Derived::key(puzzle, start, samples, BUDGET)
    };
    let puzzle = tiles(3, 2, 0);
    let (start, other) = (b"_\x02\x01\x03\x04\x05", b"_\x01\x02\x03\x05\x04");
    // The tables of moves that permute the leaves are useful from every start.
    let known = key(&puzzle, start, &[]);
    assert_eq!(known, key(&tiles(3, 2, 0), other, &[&start[..]]));
    let larger = Budget { states: BUDGET.states * 4, ..BUDGET };
    assert_ne!(known, Derived::key(&puzzle, start, &[], larger));
    let mut dearer = puzzle.clone();
    dearer.operators[0].cost = 2;
    let mut fewer = puzzle.clone();
    fewer.operators.pop();
    let mut elsewhere = puzzle.clone();
    set_goal(&mut elsewhere, other);
    for changed in [dearer, fewer, elsewhere] {
        assert_ne!(known, key(&changed, start, &[]));
    }
    // Values that are alike are told apart by the goal.
    let alike =
        |goal: &[Value]| key(&puzzle_of(goal.to_vec(), slides(3, 2, BLANK), goal), goal, &[]);
    assert_eq!(alike(b"_aabbc"), alike(b"_aabbc"));
    assert_ne!(alike(b"_aabbc"), alike(b"_ababc"));
    // Others are of one start.
    let (puzzle, start) = warehouse(4, &["####", "#@$.", "#..#", "####"], (1, 1));
    let next = successors(&puzzle, &start).pop().expect("a step");
    let known = key(&puzzle, &start, &[]);
    assert_eq!(known, key(&puzzle.clone(), &start, &[]));
    assert_ne!(known, key(&puzzle, &next, &[]));
    assert_ne!(known, key(&puzzle, &start, &[&next[..]]));
}
