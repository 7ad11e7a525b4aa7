//! Laws of tokens, on whole spaces.

use super::projection_tests::{checked, space};
use super::tokens::Tokens;
use super::*;
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
            let here = puzzle.is(0, square as Value);
            let [free, full] = [FREE, BOX].map(|value| puzzle.is(leaf(to), value));
            let condition = puzzle.all(vec![here, free]);
            let keeper = (0, Source::Value(to as Value));
            let writes = vec![keeper.clone()];
            puzzle.operators.push(Operator { condition, cost: step, writes });
            let Some(beyond) = next(to, way) else { continue };
            let free = puzzle.is(leaf(beyond), FREE);
            let condition = puzzle.all(vec![here, full, free]);
            let writes =
                vec![keeper, (leaf(to), Source::Value(FREE)), (leaf(beyond), Source::Value(BOX))];
            puzzle.operators.push(Operator { condition, cost: push, writes });
        }
    }
    let empty: Vec<u16> = (0..count).filter(|&at| squares[usize::from(at)] != '.').collect();
    let empty = empty.into_iter().map(|square| puzzle.is(leaf(square), FREE)).collect();
    puzzle.goal = puzzle.all(empty);
    let keeper = squares.iter().position(|&sign| sign == '@').expect("a keeper");
    let boxes = squares.iter().map(|&sign| if sign == '$' { BOX } else { FREE });
    (puzzle, [keeper as Value].into_iter().chain(boxes).collect())
}

fn tokens(puzzle: &Operators, start: &[Value]) -> Tokens {
    let space = space(puzzle, start);
    let samples: Vec<&[Value]> = space.distances.keys().map(|state| &state[..]).collect();
    Tokens::of(puzzle, start, &samples, 1_000_000).expect("they say something")
}

#[test]
fn boxes_have_places_of_their_own() {
    // Both boxes are nearest to the same place.
    let (puzzle, start) = warehouse(7, &["@ $.$ .", "       "], (0, 1));
    let found = tokens(&puzzle, &start);
    assert_eq!(found.estimate(&start), Some(3));
    assert_eq!(checked(&puzzle, &puzzle, &start, 400_000), (3, Some(3)));
}

#[test]
fn a_box_in_a_corner_is_lost() {
    let (puzzle, start) = warehouse(4, &["@   ", " $  ", "  . "], (1, 1));
    let found = tokens(&puzzle, &start);
    assert!(found.estimate(&start).is_some_and(|h| h >= 2));
    let lost = [4, BOX, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(found.estimate(&lost), None);
}

#[test]
fn a_wall_is_no_place_to_push_from() {
    // The box can't be pushed down: nobody gets above it.
    let (puzzle, start) = warehouse(3, &["###", " $@", "   ", " . "], (1, 1));
    let space = space(&puzzle, &start);
    assert!(space.distances.values().all(Option::is_none));
    assert_eq!(tokens_of(&puzzle, &start, &space), Some(None));
}

/// What tokens say of the start; nothing if there are none.
fn tokens_of(
    puzzle: &Operators,
    start: &[Value],
    space: &super::projection_tests::Space,
) -> Option<Option<u32>> {
    let samples: Vec<&[Value]> = space.distances.keys().map(|state| &state[..]).collect();
    let found = Tokens::of(puzzle, start, &samples, 1_000_000)?;
    Some(found.estimate(start))
}

/// Frogs and toads on a row with holes: a move takes one of them on, or over another.
#[test]
fn kinds_that_no_move_pays_for_twice_are_added_up() {
    let (toad, frog) = (1, 2);
    let mut puzzle = Operators::new(vec![Values::from_iter([FREE, toad, frog]); 6]);
    let mut walk = |from: u16, to: u16, kind: Value| {
        let tests = vec![puzzle.is(from, kind), puzzle.is(to, FREE)];
        let condition = puzzle.all(tests);
        let writes = vec![(from, Source::Value(FREE)), (to, Source::Value(kind))];
        puzzle.operators.push(Operator { condition, cost: 1, writes });
    };
    for at in 0..6 {
        for far in [1, 2].into_iter().filter(|far| at + far < 6) {
            walk(at, at + far, toad);
            walk(at + far, at, frog);
        }
    }
    let goal = [frog, frog, FREE, FREE, toad, toad];
    let parts = (0..).zip(goal).map(|(leaf, value)| puzzle.is(leaf, value)).collect();
    puzzle.goal = puzzle.all(parts);
    let start = [toad, toad, FREE, FREE, frog, frog];
    let found = tokens(&puzzle, &start);
    // Each of four goes four places, two at a time.
    assert_eq!(found.estimate(&start), Some(8));
    let (says, cost) = checked(&puzzle, &puzzle, &start, 400_000);
    assert!(says >= 8 && cost.is_some_and(|cost| says <= cost));
}

/// A move of things on a board: leaves with what they have to be, and what is written there.
type BoardMove = (Vec<(u16, Value)>, Vec<(u16, Value)>, u32);

fn board_moves() -> impl Strategy<Value = Vec<BoardMove>> {
    let facts = || proptest::collection::vec((0u16..6, 0 as Value..3), 1..4);
    proptest::collection::vec((facts(), facts(), 0u32..4), 1..14)
}

/// Moves that carry things from leaf to leaf, as far as they are drawn so.
fn carrying() -> impl Strategy<Value = Vec<BoardMove>> {
    let one =
        (0u16..6, 0u16..6, 1 as Value..3, 0u32..4, proptest::option::of((0u16..6, 0 as Value..3)));
    proptest::collection::vec(one, 1..14).prop_map(|all| {
        let of = |(from, to, value, cost, also): (u16, u16, Value, u32, Option<(u16, Value)>)| {
            let tests = [(from, value), (to, FREE)].into_iter().chain(also).collect();
            (tests, vec![(from, FREE), (to, value)], cost)
        };
        all.into_iter().map(of).collect()
    })
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
        for (tests, writes, cost) in moves {
            let tests = tests.into_iter().map(|(leaf, value)| puzzle.is(leaf, value)).collect();
            let condition = puzzle.all(tests);
            let mut all: Vec<(u16, Source)> = Vec::new();
            for (leaf, value) in writes {
                if all.iter().all(|(other, _)| *other != leaf) {
                    all.push((leaf, Source::Value(value)));
                }
            }
            puzzle.operators.push(Operator { condition, cost, writes: all });
        }
        let parts = goal.into_iter().map(|(leaf, set)| {
            let values = (0..3).filter(|value| set >> value & 1 != 0).collect();
            puzzle.condition(Condition::In(leaf, values))
        });
        let parts: Vec<ConditionId> = parts.collect();
        puzzle.goal = puzzle.all(parts);
        let space = space(&puzzle, &start);
        let samples: Vec<&[Value]> = space.distances.keys().map(|state| &state[..]).collect();
        if let Some(found) = Tokens::of(&puzzle, &start, &samples, 1_000_000) {
            for (state, distance) in &space.distances {
                let says = found.estimate(state);
                if let Some(distance) = distance {
                    prop_assert!(says.is_some_and(|h| h <= *distance), "{state:?}: {says:?} of {distance}");
                }
            }
            for (from, cost, to) in &space.moves {
                if let (Some(before), Some(after)) = (found.estimate(from), found.estimate(to)) {
                    prop_assert!(before <= after + cost, "{from:?} to {to:?}");
                }
            }
        }
        checked(&puzzle, &puzzle, &start, 100_000);
    }
}
