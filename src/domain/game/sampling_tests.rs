//! Plays at random over shipped rules: what is proved is what is known, and seeds repeat.

use super::tests::{fails, shipped};
use crate::tests::{check, session};
use crate::{journal, take_journal};
use zug_code::Specialise;
use zug_prolog::session::Session;

#[test]
fn tic_tac_toe_is_proved_a_draw() {
    let mut game = shipped("tictactoe.pl", &[]);
    check(&mut game, "mcts(x, _, _M, V, [playouts(50000)]), drawn(x, _)", "V = 0");
    assert!(journal(&mut game.world).games[0].certainty.is_exact());
}

#[test]
fn connect_four_on_four_by_four_is_proved_a_draw() {
    let changes = [("width(7).", "width(4)."), ("height(6).", "height(4).")];
    let mut game = shipped("connect4.pl", &changes);
    check(&mut game, "mcts(x, _, M, V, [playouts(400000)])", "M = 1, V = 0");
    let run = &journal(&mut game.world).games[0];
    assert!(run.certainty.is_exact() && run.engine == "mcts");
    check(&mut game, "solve_game(x, _, V), best_move(x, _, M)", "V = 0, M = 1");
}

#[test]
fn a_seed_is_a_search() {
    let ask = |seed: u32| {
        let mut game = shipped("pig.pl", &[]);
        check(&mut game, &format!("mcts(a, _, _, _, [playouts(200), seed({seed})])"), "true");
        check(&mut game, &format!("playouts(a, _, 200, _, [seed({seed})])"), "true");
        let runs = journal(&mut game.world).games.iter();
        let runs = runs.map(|run| format!("{:?} {:?} {}", run.value, run.tried, run.stats.nodes));
        runs.collect::<Vec<_>>()
    };
    assert_eq!(ask(1), ask(1));
    assert_ne!(ask(1), ask(2));
}

#[test]
fn plays_by_code_are_those_of_the_machine() {
    // Without and with to_move/2, ends that are a lack of moves, chance, and lists that become sets.
    let files = [
        "tictactoe.pl",
        "breakthrough.pl",
        "kalah.pl",
        "reversi.pl",
        "domineering.pl",
        "pig.pl",
        "nim_heaps.pl",
        "race.pl",
    ];
    for file in files {
        let [on, off, both] =
            [Specialise::On, Specialise::Off, Specialise::CrossCheck].map(|mode| {
                let mut game = shipped(file, &[]);
                mode.set(&mut game.world);
                let mut seen = Vec::new();
                for options in ["seed(7)", "seed(8), nodes(1234)", "seed(9), cutoff(5)"] {
                    let goal = format!(
                        "initial_player(_J), catch(playouts(_J, _, 300, _, [{options}]), _, true)"
                    );
                    check(&mut game, &goal, "true");
                }
                for run in &journal(&mut game.world).games {
                    seen.push(format!("{:?} {:?} {:?}", run.value, run.tried, run.stats.nodes));
                }
                seen
            });
        assert_eq!((&on, &off), (&off, &both), "{file}");
    }
}

/// What a program says of 200 plays of its first player, in a mode.
fn plays(session: &mut Session, mode: Specialise) -> Vec<String> {
    mode.set(&mut session.world);
    let goal = "initial_player(_J), playouts(_J, _, 200, _, [seed(3)]), playouts(_J, _, 50, _, [cutoff(2)])";
    check(session, goal, "true");
    let runs = take_journal(&mut session.world).games;
    runs.iter().map(|run| format!("{:?} {:?} {}", run.value, run.tried, run.stats.nodes)).collect()
}

#[test]
fn moves_told_apart_from_their_states_are_the_same() {
    // In the second file a clause without demands comes before, and what guards bind is part of the name.
    let squares = "    nth1(C, Row2, J, Squares),\n    nth1(R, S2, Row2, Rows).";
    let demanded = "    $(once(nth1(C, Row2, J, Squares))),\n    $(once(nth1(R, S2, Row2, Rows))).";
    let nim = "initial_state(21). initial_player(a). opponent(a, b). opponent(b, a).\n\
               terminal(_, 0). utility(_, 0, -1).\n\
               move(_, one, S, T) :- S > 0, T is S - 1.\n\
               move(_, take(N, L), S, T) :- ";
    let files = [
        (shipped("tictactoe.pl", &[]), shipped("tictactoe.pl", &[(squares, demanded)])),
        (
            session(&format!("{nim} between(2, 3, N), N =< S, L is S - N, T = L.")),
            session(&format!(
                "{nim} between(2, 3, N), N =< S, $(once(L is S - N)), $(once(T = L))."
            )),
        ),
    ];
    for (mut plain, mut demanding) in files {
        let expected = plays(&mut plain, Specialise::Off);
        for mode in [Specialise::Off, Specialise::On, Specialise::CrossCheck] {
            assert_eq!(plays(&mut demanding, mode), expected);
        }
    }
}

#[test]
fn the_machine_makes_the_moves_that_are_taken() {
    let nim = "initial_state(30). initial_player(a). opponent(a, b). opponent(b, a).\n\
               terminal(_, 0). utility(_, 0, -1).\n\
               move(_, N, S, T) :- between(1, 3, N), N =< S, $(once(take(N, S, T))).\n\
               take(N, S, T) :- N < 3, T is S - N.\n";
    let mut game = session(nim);
    Specialise::Off.set(&mut game.world);
    // All three are made at the start, one of them has no state.
    fails(&mut game, "playouts(a, _, 10, _, [])", "is called by `$/1`, and failed");
    // Counting makes none.
    check(&mut game, "perft(30, 1, N)", "N = 3");
}
