//! Random predicates that go along a list of leaves: accumulators, counts behind the recursion,
//! choices between clauses and within them, cuts in all places. They are what a symbolic run has
//! to join.

use super::dice::Dice;
use std::fmt::Write;

/// Values that the leaves of a state have.
const VALUES: &[&[&str]] = &[
    &["0", "1", "2"],
    &["a", "b", "0"],
    &["a", "b", "0", "1"],
    &["0", "1", "2", "3", "4"],
    &["a", "b", "c"],
    // So many that they may all differ.
    &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
];

const TESTS: &[&str] = &[
    "X == 0",
    "X == a",
    "X = Y",
    "X \\== Y",
    "X \\= Y",
    "X > 1",
    "X =:= Y",
    "X < Y",
    "atom(X)",
    "integer(X)",
    "X @< Y",
    "member(X, [0,1,a])",
    "memberchk(X, [a,b])",
    "\\+ X == 1",
    "I > 1",
    "I mod 2 =:= 0",
    "X = b",
    "true",
    "A > 1",
    "A == 0",
    "A > I",
];

/// A random puzzle: its states are lists, and a walk along them is its heuristic, and the
/// name or a condition of a move.
pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut text = format!("% Random walk {seed}.\n");
    let values = *dice.pick(VALUES);
    let length = dice.range(6, 13);
    let leaf = |dice: &mut Dice, i: usize| {
        if values.len() > 9 { values[(i * 5) % values.len()] } else { *dice.pick(values) }
    };
    let leaves: Vec<&str> = (0..length).map(|i| leaf(&mut dice, i)).collect();
    let _ = writeln!(text, "initial_state([{}]).\nfinal_state([z]).", leaves.join(","));
    text += "rule(rot, 1, [X|T], S) :- append(T, [X], S).\n";
    text += "rule(swap, 1, [X,Y|T], [Y,X|T]).\n";
    let _ = writeln!(text, "rule(set, 1, [_,Y|T], [{},Y|T]).", dice.pick(values));
    if dice.percent(50) {
        // As a test of all answers it is short: there may be many.
        text += "rule(N, 2, S, T) :- once(walk(S, 0, 1, N)), integer(N), S = [_|R], T = [7|R].\n";
        text += "rule(N, 3, [X,Y,Z|R], [Z|R]) :- walk([X,Y,Z,X], 0, 1, N), integer(N).\n";
    }
    if dice.percent(50) {
        text += "rule(flip, 1, S, T) :- nth0(0, S, X), maplist(flip(X), S, T).\n";
        text += "flip(X, 0, X) :- X \\== 0, !.\nflip(X, X, 0) :- !.\nflip(_, Y, Y).\n";
    }
    text += match dice.below(4) {
        0 => "heuristic(S, H) :- include([X]>>(X == 0 ; X == a), S, L), length(L, H).\n",
        1 => "heuristic(S, H) :- delete(S, 1, L), walk(L, 0, 0, H).\n",
        _ => "heuristic(S, H) :- walk(S, 0, 0, H).\n",
    };
    text += "heuristic(_, 0).\n";
    walk(&mut dice, &mut text);
    text
}

/// The clauses of the walk: the list, the place, an accumulator, the result.
fn walk(dice: &mut Dice, text: &mut String) {
    let clauses = dice.range(2, 3);
    let style = dice.below(4);
    for clause in 0..clauses {
        let (head, mut goals) = match dice.below(9) {
            0 => ("[X,Y|T]", vec![]),
            1 => ("[0|T]", vec!["X = 0".to_owned()]),
            2 => ("[a|T]", vec!["X = a".to_owned()]),
            _ => ("[X|T]", vec![]),
        };
        if !head.contains('Y') {
            let y = ["Y = 1", "nth0(I, [0,1,2,a,b,1,2,0,1,2,a,b,c], Y)", "Y = X", "Y = a"];
            goals.push((*dice.pick(&y)).to_owned());
        }
        for number in 0..dice.below(3) {
            let test = *dice.pick(TESTS);
            goals.push(match dice.below(10) {
                0..=5 => test.to_owned(),
                6 | 7 => {
                    let other = dice.pick(&["2", "X", "0", "b", "I"]);
                    format!("( {test} -> V{number} = 1 ; V{number} = {other} )")
                }
                _ => "once(member(_, [1,2]))".to_owned(),
            });
        }
        if clause + 1 < clauses && dice.percent(50) {
            goals.push("!".to_owned());
        }
        goals.push("J is I + 1".to_owned());
        let style = if style == 3 { dice.below(3) } else { style };
        match style {
            0 => goals.push(format!("B is {}, walk(T, J, B, H)", sum(dice, "A"))),
            1 => {
                goals.push("walk(T, J, A, H0)".to_owned());
                goals.push(match dice.below(3) {
                    0 => "H = H0".to_owned(),
                    1 => "H0 >= 0, H is H0 + 1".to_owned(),
                    _ => format!("H is {}", sum(dice, "H0")),
                });
            }
            _ => {
                let other = match dice.below(3) {
                    0 => "walk(T, J, A, H0), H is H0 + 1".to_owned(),
                    1 => "B is A + 1, walk(T, J, B, H)".to_owned(),
                    _ => format!("B = A, walk(T, J, B, H0), H is {}", sum(dice, "H0")),
                };
                goals.push(format!("( {} -> walk(T, J, A, H) ; {other} )", dice.pick(TESTS)));
            }
        }
        for behind in ["!", "H < 9"] {
            if dice.percent(8) {
                goals.push(behind.to_owned());
            }
        }
        let _ = writeln!(text, "walk({head}, I, A, H) :- {}.", goals.join(", "));
    }
    let ends = [
        "walk([], _, A, A).\n",
        "walk([], _, A, A).\n",
        "walk([], I, A, H) :- H is A + I.\n",
        "walk([], _, _, 0).\n",
        "walk([], _, _, 0).\nwalk([], _, A, A).\n",
        "walk([], _, A, A) :- A < 7.\nwalk(_, _, _, 3).\n",
    ];
    *text += *dice.pick(&ends);
}

/// An expression of a number and what a clause knows.
fn sum(dice: &mut Dice, number: &str) -> String {
    let more = ["+ 1", "- 1", "* 2", "", "+ X", "+ I", "+ V0", "- X * I"];
    match dice.below(8) {
        0 => format!("max({number}, 2)"),
        1 => "X".to_owned(),
        _ => format!("{number} {}", dice.pick(&more)),
    }
}
