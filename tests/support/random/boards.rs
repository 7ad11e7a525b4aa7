//! Random puzzles of the kinds that heuristics are derived for: things that are pushed and moved about, and
//! rows of values, some of them alike, that moves permute.

use super::dice::Dice;
use std::fmt::Write;

/// A random puzzle, of one kind after the other.
pub fn board(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let text = match seed % 3 {
        0 => warehouse(&mut dice),
        1 => graph(&mut dice),
        _ => row(&mut dice),
    };
    format!("% Random board {seed}.\n{text}")
}

/// A keeper who pushes boxes: these are a sorted list, or cells of a list with the whole board.
fn warehouse(dice: &mut Dice) -> String {
    let (width, height) = (dice.range(3, 5), dice.range(3, 4));
    let mut squares: Vec<usize> = (1..=width * height).collect();
    for at in (1..squares.len()).rev() {
        squares.swap(at, dice.below(at + 1));
    }
    let boxes = dice.range(1, 4).min(squares.len() - 3);
    let walls = dice.below(3);
    let (step, push) = (dice.below(3), dice.range(1, 3));
    let mut text = String::new();
    let mut next = |from: usize, to: usize, way: &str| {
        let _ = writeln!(text, "next({way}, {from}, {to}).");
    };
    let is_wall = |square: usize| squares[squares.len() - walls..].contains(&square);
    for square in 1..=width * height {
        let column = (square - 1) % width;
        let across = (column + 1 < width).then_some((square + 1, "right", "left"));
        let down = (square + width <= width * height).then_some((square + width, "down", "up"));
        for (other, there, back) in across.into_iter().chain(down) {
            if !is_wall(square) && !is_wall(other) {
                next(square, other, there);
                if !dice.percent(5) {
                    next(other, square, back);
                }
            }
        }
    }
    for &place in &squares[2..2 + boxes] {
        let _ = writeln!(text, "place({place}).");
    }
    let (keeper, mut at) = (squares[0], squares[1..=boxes].to_vec());
    at.sort_unstable();
    if dice.percent(50) {
        let _ = write!(
            text,
            "initial_state(at({keeper}, {at:?})).
final_state(at(_, Boxes)) :- \\+ ( member(Box, Boxes), \\+ place(Box) ).
rule(Way, {step}, at(K1, Boxes), at(K2, Boxes)) :- next(Way, K1, K2), \\+ member(K2, Boxes).
rule(push(Way), {push}, at(K1, Boxes1), at(K2, Boxes2)) :-
    next(Way, K1, K2), select(K2, Boxes1, Others), next(Way, K2, B), \\+ member(B, Others),
    msort([B|Others], Boxes2).
"
        );
    } else {
        let cell = |square| if at.contains(&square) { "box" } else { "free" };
        let cells: Vec<&str> = (1..=width * height).map(cell).collect();
        let _ = write!(
            text,
            "initial_state(at({keeper}, [{}])).
final_state(at(_, Cells)) :- forall(place(P), nth1(P, Cells, box)).
rule(Way, {step}, at(K1, Cells), at(K2, Cells)) :- next(Way, K1, K2), nth1(K2, Cells, free).
rule(push(Way), {push}, at(K1, Cells1), at(K2, Cells3)) :-
    next(Way, K1, K2), next(Way, K2, B), nth1(K2, Cells1, box), nth1(B, Cells1, free),
    put(K2, free, Cells1, Cells2), put(B, box, Cells2, Cells3).
put(1, X, [_|Xs], [X|Xs]) :- !.
put(N, X, [Y|Xs], [Y|Ys]) :- M is N - 1, put(M, X, Xs, Ys).
",
            cells.join(", ")
        );
    }
    text
}

/// Things of two kinds that go along the edges of a graph, or over one another, which may take what is
/// leapt over.
fn graph(dice: &mut Dice) -> String {
    let count = dice.range(4, 7);
    let mut text = String::new();
    for _ in 0..dice.range(count, 2 * count) {
        let (from, to) = (dice.range(1, count), dice.range(1, count));
        if from != to {
            let _ = writeln!(text, "edge({from}, {to}, {}).", dice.range(1, 3));
        }
    }
    for _ in 0..dice.range(1, 4) {
        let [from, over, to] = [0; 3].map(|_| dice.range(1, count));
        if from != over && over != to && from != to {
            let _ = writeln!(text, "leap({from}, {over}, {to}).");
        }
    }
    let kinds = ["free", "free", "a", "b"];
    let row = |dice: &mut Dice| -> Vec<&str> { (0..count).map(|_| kinds[dice.below(4)]).collect() };
    let mut cells = row(dice);
    cells[0] = "a";
    let mut goal = cells.clone();
    goal.rotate_right(dice.range(1, count - 1));
    let goal: Vec<&str> =
        goal.into_iter().map(|kind| if dice.percent(30) { "_" } else { kind }).collect();
    let after = if dice.percent(50) { "free" } else { "X" };
    let _ = write!(
        text,
        "initial_state([{}]).
final_state([{}]).
rule(go(A, B), Cost, S1, S3) :-
    edge(A, B, Cost), nth1(A, S1, P), P \\== free, nth1(B, S1, free), put(A, free, S1, S2), put(B, P, S2, S3).
rule(leap(A, B), 1, S1, S4) :-
    leap(A, O, B), nth1(A, S1, P), P \\== free, nth1(O, S1, X), X \\== free, nth1(B, S1, free),
    put(A, free, S1, S2), put(B, P, S2, S3), put(O, {after}, S3, S4).
put(1, X, [_|Xs], [X|Xs]) :- !.
put(N, X, [Y|Xs], [Y|Ys]) :- M is N - 1, put(M, X, Xs, Ys).
",
        cells.join(", "),
        goal.join(", ")
    );
    text
}

/// A row whose places moves permute, some only where a value is at a place.
fn row(dice: &mut Dice) -> String {
    let count = dice.range(4, 7);
    let values = ["a", "b", "c", "x"];
    let mut goal: Vec<&str> = (0..count).map(|_| values[dice.below(3)]).collect();
    goal[0] = "x";
    let variables: Vec<String> = (0..count).map(|at| format!("V{at}")).collect();
    let mut start = goal.clone();
    let mut text = String::new();
    for number in 0..dice.range(1, 3) {
        let mut from: Vec<usize> = (0..count).collect();
        for _ in 0..dice.range(1, 3) {
            from.swap(dice.below(count), dice.below(count));
        }
        let mut before = variables.clone();
        if dice.percent(30) {
            before[dice.below(count)] = "x".to_owned();
        }
        let after: Vec<&str> = from.iter().map(|&at| &before[at][..]).collect();
        let cost = dice.below(4);
        let _ = writeln!(
            text,
            "rule(m{number}, {cost}, [{}], [{}]).",
            before.join(","),
            after.join(",")
        );
        start = from.iter().map(|&at| start[at]).collect();
    }
    let _ = writeln!(text, "initial_state([{}]).", start.join(","));
    let _ = writeln!(text, "final_state([{}]).", goal.join(","));
    text
}
