//! Laws of tokens, on whole spaces.

use super::operators::{Condition, ConditionId, Operators, Source, Value, Values};
use super::projection_tests::checked;
use super::test_puzzles::{Move, Space, add, all_of, set_goal};
use super::tokens::Tokens;
use proptest::prelude::*;

const FREE: Value = 0;
const BOX: Value = 1;

/// A warehouse: a keeper, whose square is leaf 0, and for each square whether a box is there. Steps and pushes
/// cost so much. Squares that are walls have no box, and nobody steps there.
pub(crate) fn warehouse(
    width: u16,
    rows: &[&str],
    (step, push): (u32, u32),
) -> (Operators, Vec<Value>) {
    let squares: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
    let count = squares.len() as u16;
    let mut domains = vec![Values::from_iter([FREE, BOX]); squares.len()];
    domains.insert(0, (0..count as Value).collect());
    let mut puzzle = Operators::new(domains);
    let leaf = |square: u16| square + 1;
    let open = |square: u16| squares[usize::from(square)] != '#';
    let next = |square: u16, (across, down): (i32, i32)| {
        let [x, y] = [square % width, square / width].map(i32::from);
        let (x, y) = (x + across, y + down);
        let inside = (0..i32::from(width)).contains(&x) && (0..rows.len() as i32).contains(&y);
        inside.then_some((y * i32::from(width) + x) as u16).filter(|&to| open(to))
    };
    for square in (0..count).filter(|&square| open(square)) {
        for way in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let Some(to) = next(square, way) else { continue };
            let (here, keeper) = ((0, square as Value), (0, Source::Value(to as Value)));
            add(&mut puzzle, (vec![here, (leaf(to), FREE)], step, vec![keeper.clone()]));
            let Some(beyond) = next(to, way) else { continue };
            let tests = vec![here, (leaf(to), BOX), (leaf(beyond), FREE)];
            let writes =
                vec![keeper, (leaf(to), Source::Value(FREE)), (leaf(beyond), Source::Value(BOX))];
            add(&mut puzzle, (tests, push, writes));
        }
    }
    let empty = (0..count).filter(|&at| squares[usize::from(at)] != '.');
    puzzle.goal = all_of(&mut puzzle, empty.map(|square| (leaf(square), FREE)));
    let keeper = squares.iter().position(|&sign| sign == '@').expect("a keeper");
    let boxes = squares.iter().map(|&sign| if sign == '$' { BOX } else { FREE });
    (puzzle, [keeper as Value].into_iter().chain(boxes).collect())
}

fn tokens(puzzle: &Operators, start: &[Value], space: &Space) -> Option<Tokens> {
    let samples: Vec<&[Value]> = space.states.iter().map(|state| &state[..]).collect();
    Tokens::of(puzzle, start, &samples, 1_000_000)
}

fn tokens_of(puzzle: &Operators, start: &[Value]) -> Tokens {
    tokens(puzzle, start, &Space::of(puzzle, start)).expect("they say something")
}

#[test]
fn boxes_have_places_of_their_own() {
    // Both boxes are nearest to the same place.
    let (puzzle, start) = warehouse(7, &["@ $.$ .", "       "], (0, 1));
    let found = tokens_of(&puzzle, &start);
    assert_eq!(found.estimate(&start), Some(3));
    assert_eq!(checked(&puzzle, &puzzle, &start, 400_000), (3, Some(3)));
}

#[test]
fn a_box_in_a_corner_is_lost() {
    let (puzzle, start) = warehouse(4, &["@   ", " $  ", "  . "], (1, 1));
    let found = tokens_of(&puzzle, &start);
    assert!(found.estimate(&start).is_some_and(|h| h >= 2));
    let lost = [4, BOX, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(found.estimate(&lost), None);
}

#[test]
fn a_wall_is_no_place_to_push_from() {
    // The box can't be pushed down: nobody gets above it.
    let (puzzle, start) = warehouse(3, &["###", " $@", "   ", " . "], (1, 1));
    let space = Space::of(&puzzle, &start);
    assert!(space.solvable().next().is_none());
    let found = tokens(&puzzle, &start, &space).expect("they say something");
    assert_eq!(found.estimate(&start), None);
}

/// Frogs and toads on a row with holes: a move takes one of them on, or over another.
#[test]
fn kinds_that_no_move_pays_for_twice_are_added_up() {
    let (toad, frog) = (1, 2);
    let mut puzzle = Operators::new(vec![Values::from_iter([FREE, toad, frog]); 6]);
    let mut walk = |from: u16, to: u16, kind: Value| {
        let writes = vec![(from, Source::Value(FREE)), (to, Source::Value(kind))];
        add(&mut puzzle, (vec![(from, kind), (to, FREE)], 1, writes));
    };
    for at in 0..6 {
        for far in [1, 2].into_iter().filter(|far| at + far < 6) {
            walk(at, at + far, toad);
            walk(at + far, at, frog);
        }
    }
    set_goal(&mut puzzle, &[frog, frog, FREE, FREE, toad, toad]);
    let start = [toad, toad, FREE, FREE, frog, frog];
    let found = tokens_of(&puzzle, &start);
    // Each of four goes four places, two at a time.
    assert_eq!(found.estimate(&start), Some(8));
    let (says, cost) = checked(&puzzle, &puzzle, &start, 400_000);
    assert!(says >= 8 && cost.is_some_and(|cost| says <= cost));
}

/// Moves of things on a board: what leaves have to be, and what is written there.
fn board_moves() -> impl Strategy<Value = Vec<Move>> {
    let facts = || proptest::collection::vec((0u16..6, 0 as Value..3), 1..4);
    let one = (facts(), 0u32..4, facts()).prop_map(|(tests, cost, mut writes)| {
        writes.sort_by_key(|&(leaf, _)| leaf);
        writes.dedup_by_key(|&mut (leaf, _)| leaf);
        let writes = writes.into_iter().map(|(leaf, value)| (leaf, Source::Value(value)));
        (tests, cost, writes.collect())
    });
    proptest::collection::vec(one, 1..14)
}

/// Moves that carry things from leaf to leaf.
fn carrying() -> impl Strategy<Value = Vec<Move>> {
    let other =
        (0u16..6, 0u16..5).prop_map(|(from, to)| (from, if to < from { to } else { to + 1 }));
    let also = proptest::option::of((0u16..6, 0 as Value..3));
    let one = (other, 1 as Value..3, 0u32..4, also).prop_map(|((from, to), value, cost, also)| {
        let tests = [(from, value), (to, FREE)].into_iter().chain(also).collect();
        (tests, cost, vec![(from, Source::Value(FREE)), (to, Source::Value(value))])
    });
    proptest::collection::vec(one, 1..14)
}

proptest! {
    /// Of boards at random, whose goal names some leaves.
    #[test]
    fn of_boards_at_random(
        moves in prop_oneof![1 => board_moves(), 3 => carrying()],
        start in proptest::collection::vec(0 as Value..3, 6),
        goal in proptest::collection::vec((0u16..6, 1u8..7), 1..6),
    ) {
        let mut puzzle = Operators::new(vec![Values::from_iter(0..3); 6]);
        moves.into_iter().for_each(|one| add(&mut puzzle, one));
        let parts = goal.into_iter().map(|(leaf, set)| {
            let values = (0..3).filter(|value| set >> value & 1 != 0).collect();
            puzzle.condition(Condition::In(leaf, values))
        });
        let parts: Vec<ConditionId> = parts.collect();
        puzzle.goal = puzzle.all(parts);
        let space = Space::of(&puzzle, &start);
        if let Some(found) = tokens(&puzzle, &start, &space) {
            space.check_admissible(|state| found.estimate(state));
            space.check_consistent(|state| found.estimate(state));
        }
        checked(&puzzle, &puzzle, &start, 100_000);
    }
}
