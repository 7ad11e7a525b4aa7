//! Rule programs as games: work and memory. `tests/programs/parts` has values, forms of the contract and errors.

use crate::tests::{check, session};
use crate::{journal, take_journal};
use std::path::Path;
use zug_prolog::session::Session;

/// A session with the text of a shipped rule file, changed by the pairs.
pub(super) fn shipped(name: &str, changes: &[(&str, &str)]) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(name);
    let mut text = std::fs::read_to_string(path).expect("a shipped file");
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    session(&text)
}

/// The error of a query says this.
#[track_caller]
pub(super) fn fails(session: &mut Session, goal: &str, expected: &str) {
    let mut query = session.query(goal).expect("a goal that reads");
    let found = session.next(&mut query).map_err(|fault| session.describe(&fault).to_string());
    session.close(query);
    let said = found.expect_err("an error");
    assert!(said.contains(expected), "{said}");
}

#[test]
fn tic_tac_toe_by_negamax() {
    let mut game = shipped("tictactoe.pl", &[]);
    let expected = [
        ("[2,2]", 4),
        ("[2,2]", 1),
        ("[2,2]", 3),
        ("[2,2]", 1),
        ("[2,2]", 3),
        ("[2,2]", 1),
        ("[2,2]", 2),
        ("[1,1]", 0),
        ("[1,1]", 0),
    ];
    for engine in ["negamax", "minimax", "alphabeta"] {
        for ((mv, value), depth) in expected.iter().zip(1..) {
            let goal = format!("{engine}(x, _, 0, {depth}, [M, V])");
            check(&mut game, &goal, &format!("M = {mv}, V = {value}"));
        }
        for (state, depth, answer) in [
            ("[[x,o,_],[x,o,_],[_,_,_]]", 8, "[[3,1],10000]"),
            ("[[_,o,_],[x,o,_],[_,_,_]]", 2, "[[3,2],-3]"),
            ("[[_,o,_],[x,o,_],[_,_,_]]", 8, "[[1,1],-10000]"),
            ("[[x,_,o],[_,x,o],[_,_,_]]", 8, "[[3,3],10000]"),
        ] {
            let goal = format!("{engine}(x, {state}, 0, {depth}, R)");
            check(&mut game, &goal, &format!("R = {answer}"));
        }
    }
    let calls = [10, 82, 586, 3610, 18730, 73450, 221_626, 422_074, 549_946];
    for (calls, depth) in calls.into_iter().zip(1..) {
        take_journal(&mut game.world);
        check(&mut game, &format!("negamax(x, _, 0, {depth})"), "true");
        let run = &journal(&mut game.world).games[0];
        assert_eq!((run.engine, run.stats.nodes), ("negamax", calls));
    }
}

/// The same answers where symmetrical boards count for one.
#[test]
fn symmetry_changes_no_value_and_no_move() {
    let mut game = shipped(
        "tictactoe.pl",
        &[(
            "initial_player(x).",
            "initial_player(x).\nsymmetry(S, T) :- reverse(S, T).\nsymmetry(S, T) :- transpose(S, T).",
        )],
    );
    for (depth, answer) in [(1, "[[2,2],4]"), (5, "[[2,2],3]"), (8, "[[1,1],0]"), (9, "[[1,1],0]")]
    {
        for engine in ["negamax", "minimax", "alphabeta"] {
            let goal = format!("initial_state(_S), {engine}(x, _S, 0, {depth}, R)");
            check(&mut game, &goal, &format!("R = {answer}"));
        }
    }
    take_journal(&mut game.world);
    check(&mut game, "count_states(N), count_plays(P)", "N = 5478, P = 255168");
    check(&mut game, "solve_game(x, _, 0)", "true");
    // 765 classes, and the empty board once more as it is.
    assert_eq!(journal(&mut game.world).games[0].stats.nodes, 765);
    // The line is one of the board itself, to its end.
    let line = journal(&mut game.world).games[0].line.len();
    assert_eq!(line, 9);
}

const H: &str = "initial_player(x). opponent(x, o). opponent(o, x).\n";

/// Few states, plays without end, and a depth that no path will reach.
#[test]
fn paths_and_counts_are_held_within_memory() {
    let rules = format!(
        "{H} initial_state(0). move(_, a, S, T) :- T is 1 - S. terminal(_, _) :- fail.
         utility(_, _, 0). heuristic(_, _, 0)."
    );
    for engine in ["negamax", "minimax"] {
        let mut game = session(&rules);
        game.machine.memory_limit = 20 << 20;
        fails(&mut game, &format!("{engine}(x, 0, 0, 100000000, R)"), "out of memory");
    }
    let mut game = shipped("nim.pl", &[]);
    game.machine.memory_limit = 40 << 20;
    fails(&mut game, "count_plays(100000, N)", "out of memory");
}

/// A kept solution is dropped when an engine forgets states under a memory limit.
#[test]
fn forgetting_states_leaves_no_wrong_values_behind() {
    let ask = |memory: usize, engine: &str| {
        let mut game =
            shipped("connect4.pl", &[("width(7)", "width(4)"), ("height(6)", "height(4)")]);
        game.machine.memory_limit = memory;
        let judge = |ws: &str| {
            format!(
                "findall(W, ( member(S, Ss), ( winning(x, S) -> W = w ; losing(x, S) -> W = l ; W = d ) ), {ws})"
            )
        };
        let goal = format!(
            "S0 = [[x,o,x,o],[o,x,-,-],[x,-,-,-],[-,-,-,-]], findall(S, move(o, _, S0, S), Ss),
             {}, {engine}, {}, A == B",
            judge("A"),
            judge("B")
        );
        let mut query = game.query(&goal).expect("it reads");
        let found = game.next(&mut query);
        game.close(query);
        found
    };
    assert!(matches!(ask(4 << 20, "alphabeta(x, _, 0, 9, _)"), Ok(true)));
    assert!(matches!(ask(5 << 20, "negamax(x, _, 0, 6, _)"), Ok(true)));
}
