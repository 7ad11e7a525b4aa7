//! Rule programs as games: anchors of shipped rules, forms of the contract, errors.

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
    check(&mut game, "heuristic(x, [[_,_,_],[_,_,_],[_,_,_]], H)", "H = 0");
    check(&mut game, "heuristic(x, [[x,_,_],[_,o,x],[_,x,o]], H)", "H = 1");
    check(&mut game, "heuristic(x, [[x,_,_],[_,_,o],[_,x,_]], H)", "H = 3");
}

#[test]
fn tic_tac_toe_is_counted_and_solved() {
    let mut game = shipped("tictactoe.pl", &[]);
    check(&mut game, "count_states(N), count_plays(P)", "N = 5478, P = 255168");
    let by_depth = "[9,72,504,3024,15120,54720,148176,200448,127872]";
    let goal = "findall(N, (between(1, 9, D), perft(_, D, N)), Ns)";
    check(&mut game, goal, &format!("Ns = {by_depth}"));
    check(&mut game, "solve_game(x, _S, 0), drawn(x, _S), best_move(x, _, M)", "M = [1,1]");
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

#[test]
fn nim_is_lost_at_one_more_than_fours() {
    let mut game = shipped("nim.pl", &[]);
    let goal = "forall(between(1, 10000, N), ( losing(a, N) -> N mod 4 =:= 1 ; N mod 4 =\\= 1 ))";
    check(&mut game, goal, "true");
    check(&mut game, "findall(P, (between(0, 6, N), count_plays(N, P)), Ps)", {
        "Ps = [1,1,2,4,7,13,24]"
    });
    // p(n+3) = p(n+2) + p(n+1) + p(n), with 265 digits at the end.
    let goal = "count_plays(1000, _P), count_plays(999, _P1), count_plays(998, _P2),
        count_plays(997, _P3), _P =:= _P1 + _P2 + _P3, number_codes(_P, _Digits),
        length(_Digits, N)";
    check(&mut game, goal, "N = 265");
    check(&mut game, "count_states(100, N)", "N = 200");
    check(&mut game, "solve_game(a, S, V), best_move(a, S, M), game_length(a, S, L)", {
        "S = 16, V = 1, M = take(3), L = 8"
    });
    check(&mut game, "reach(a, 5, 1, L), reach(a, 5, 1, Short, shortest)", {
        "L = [take(1),take(1),take(1),take(2)], Short = [take(2),take(3)]"
    });
    check(&mut game, "losing(a, 5), reach(a, 2, -1, L)", "L = [take(2)]");
    check(&mut game, "strategy(a, 6, T)", {
        "T = play(take(1),[take(1)-play(take(3),[take(1)-over]),take(2)-play(take(2),[take(1)-over]),take(3)-play(take(1),[take(1)-over])])"
    });
    check(&mut game, "strategy(a, 5, _)", "false");
    check(&mut game, "findall(G, (between(0, 9, N), grundy(N, G)), Gs)", {
        "Gs = [0,1,2,3,0,1,2,3,0,1]"
    });
    check(&mut game, "grundy([3, 5, 6], G)", "G = 0");
}

#[test]
fn sums_of_games() {
    let mut game = shipped("kayles.pl", &[]);
    check(&mut game, "grundy([], G0), findall(G, (between(1, 24, N), grundy([N], G)), Gs)", {
        "G0 = 0, Gs = [1,2,3,1,4,3,2,1,4,2,6,4,1,2,7,1,4,3,2,1,4,6,7,4]"
    });
    check(&mut game, "grundy([[3], [5]], G), grundy([3, 5], H)", "G = 7, H = 7");
    let mut game = shipped("chomp.pl", &[]);
    check(&mut game, "best_move(J, [5,5,5], M), pns(J, [5,5,5], V)", {
        "J = a, M = bite(3,4), V = 1"
    });
}

#[test]
fn games_that_go_round_and_games_for_three() {
    let mut game = shipped("hare_and_hounds.pl", &[]);
    check(&mut game, "solve_game(J, S, V), game_length(J, S, N)", {
        "J = hounds, S = hunt([a,b,d],k), V = 1, N = 23"
    });
    check(&mut game, "drawn(hounds, hunt([d,e,k], i))", "true");
    check(&mut game, "count_states(N)", "N = 2116");
    check(
        &mut game,
        "count_plays(N)",
        "play can go round for ever: it has no end to be followed to",
    );
    let mut game = shipped("coins.pl", &[]);
    check(&mut game, "maxn(a, _, 0, inf, [M, Vs])", "M = left, Vs = [a-20,b-14,c-11]");
    check(&mut game, "solve_game(a, _, V)", "V = 20");
}

/// Countdown games: the player inside the state, and no player at all.
#[test]
fn other_forms_of_the_contract() {
    let mut game = session(
        "initial_state(left(7, a)).
         to_move(left(_, J), J).
         move(take(K), left(N, J), left(M, A)) :- next(J, A), member(K, [1,2]), M is N - K, M >= 0.
         next(a, b). next(b, a).
         terminal(left(0, _)).
         utility(left(0, _), -1).",
    );
    // Three are left to the loser every time.
    check(&mut game, "solve_game(J, S, V), best_move(J, S, M)", {
        "J = a, S = left(7,a), V = 1, M = take(1)"
    });
    check(&mut game, "solve_game(a, left(6, a), V), winning(b, left(4, b))", "V = -1");
    let mut game = session(
        "initial_state(7).
         move(take(K), N, M) :- member(K, [1,2]), M is N - K, M >= 0.",
    );
    check(&mut game, "winning(J, 7), losing(J, 6), grundy(7, G)", "J = first, G = 1");
    // The same player moves twice where the state says so.
    let mut game = session(
        "initial_state(s(a, 3)). initial_player(a). opponent(a, b). opponent(b, a).
         to_move(s(J, _), J).
         move(J, one, s(J, N), s(A, M)) :- opponent(J, A), N > 0, M is N - 1.
         move(J, two, s(J, N), s(J, M)) :- N > 1, M is N - 2.
         terminal(_, s(_, 0)).
         utility(J, s(K, 0), U) :- ( J == K -> U = 1 ; U = -1 ).",
    );
    check(&mut game, "negamax(a, S, 0, 9, R)", "S = s(a,3), R = [one,-1]");
}

#[test]
fn errors_name_predicate_player_and_state() {
    let rules = "initial_state(2). initial_player(a). opponent(a, b). opponent(b, a).
        move(_, down, N, M) :- N > 0, M is N - 1.
        terminal(_, 0).
        utility(_, 0, 1).
        heuristic(_, _, 0).";
    let broken = |from: &str, to: &str| session(&rules.replace(from, to));
    fails(&mut broken("terminal(_, 0).", "terminal(_, -1)."), "solve_game(J, S, V)", {
        "move/4 has no answer for player a, and the game is not over, in state 0"
    });
    fails(&mut broken("opponent(b, a).", ""), "negamax(J, S, 0, 4)", {
        "`opponent(b, A)` has no answer"
    });
    fails(&mut broken("opponent(b, a).", "opponent(b, b)."), "negamax(J, S, 0, 4)", {
        "opponent/2 never comes back to `a`"
    });
    fails(&mut broken("utility(_, 0, 1)", "utility(_, 0, _)"), "negamax(J, S, 0, 4)", {
        "the utility has no value in an answer of utility/3, in state 0"
    });
    fails(&mut broken("utility(_, 0, 1)", "utility(_, 0, won)"), "solve_game(J, S, V)", {
        "the utility in an answer of utility/3 is `won`, which is no number, in state 0"
    });
    fails(&mut broken("utility(_, 0, 1)", "utility(_, 5, 1)"), "negamax(J, S, 0, 4)", {
        "utility/3 has no answer for player a, in state 0"
    });
    fails(&mut broken("heuristic(_, _, 0).", ""), "negamax(J, S, 0, 1)", {
        "the program has no heuristic/3, in state 1"
    });
    fails(&mut broken("M is N - 1", "true"), "negamax(J, S, 0, 4)", {
        "the move `down` leads to an unbound variable, in state 2"
    });
    fails(&mut session(rules), "negamax(z, 2, 0, 4)", "`opponent(z, A)` has no answer");
    fails(&mut broken("initial_player(a).", ""), "negamax(J, S, 0, 4)", {
        "the program has no initial_player/1"
    });
    let three = broken("opponent(b, a).", "opponent(b, c). opponent(c, a).");
    let mut three = three;
    fails(&mut three, "alphabeta(J, S, 0, 4)", "alphabeta is for two players; this game has 3");
}

#[test]
fn what_is_known_is_forgotten_when_the_rules_change() {
    let mut game = session(
        ":- dynamic(most/1). most(3).
         initial_state(5). initial_player(a). opponent(a, b). opponent(b, a).
         move(_, K, N, M) :- most(Most), between(1, Most, K), K =< N, M is N - K.
         terminal(_, 0). utility(_, 0, 1).",
    );
    check(&mut game, "losing(a, 5)", "true");
    check(&mut game, "retract(most(3)), assertz(most(2)), winning(a, 5)", "true");
    check(&mut game, "losing(a, 4)", "true");
}

const H: &str = "initial_player(x). opponent(x, o). opponent(o, x).\n";

#[test]
fn a_name_that_is_no_player_changes_nothing() {
    let mut game = session(&format!(
        "{H} initial_state(0). move(_, M, S, T) :- member(M, [1,2]), T is S + M.
         terminal(_, S) :- S >= 4. utility(_, _, 1)."
    ));
    fails(&mut game, "winning(z, 0)", "`opponent(z, A)` has no answer");
    check(&mut game, "solve_game(x, 0, V), negamax(x, 0, 0, inf, [M, W])", {
        "V = -1, M = 1, W = -1"
    });
}

#[test]
fn what_rules_see_beside_clauses_counts_as_change() {
    let mut game = session(&format!(
        "{H} initial_state(5). :- flag(lim, _, 3).
         move(_, M, S, T) :- flag(lim, X, X), between(1, X, M), T is S - M, T >= 0.
         terminal(_, 0). utility(_, _, 1)."
    ));
    check(&mut game, "solve_game(x, 5, V), flag(lim, _, 2), solve_game(x, 5, W)", {
        "V = -1, W = 1"
    });
}

#[test]
fn whose_turn_it_is_where_the_state_says_so() {
    let rules = "initial_state(s(0, a)). to_move(s(_, J), J).
        move(M, s(N, J), s(N1, K)) :- member(M, [1,2]), N1 is N + M, N1 =< 5, nx(J, K).
        nx(a, b). nx(b, c). nx(c, a). terminal(s(N, _)) :- N >= 4.
        utility(J, s(N, _), U) :- ( J == a -> U is N ; J == b -> U is 5 - N ; U is 2*N - 9 ).";
    let mut two = session(rules);
    for goal in ["solve_game(J, S, V)", "maxn(J, S, 0, inf, R)", "negamax(J, S, 0, 9, R)"] {
        fails(&mut two, goal, "to_move/2 says that `c` moves, who is none of the players");
    }
    let mut three = session(&format!("{rules} opponent(a, b). opponent(b, c). opponent(c, a)."));
    check(&mut three, "solve_game(J, _, V), maxn(J, _, 0, inf, [_, Vs])", {
        "J = a, V = 5, Vs = [a-5,b-0,c-1]"
    });
    fails(&mut three, "winning(b, s(1, c))", "it is the turn of c, not of `b`");
    fails(&mut three, "strategy(a, _, T)", "strategy/3 is for two players; this game has 3");
    let mut silent = session(
        "initial_state(0). to_move(s, a). move(M, S, T) :- member(M, [1,2]), T is S + M.
         terminal(S) :- S >= 4. utility(_, 1).",
    );
    fails(&mut silent, "solve_game(a, 0, V)", "to_move/2 doesn't say who is to move");
}

#[test]
fn an_exact_line_rests_on_no_estimate() {
    let mut game = session(&format!(
        "{H} initial_state(7). move(_, M, S, T) :- e(S, M, T).
         e(7, c0, 8). e(8, a0, 9). e(8, c1, 10). e(9, a0, 11). e(9, b2, 12). e(10, a0, 11).
         e(12, a0, 13). terminal(_, 11). terminal(_, 13).
         utility(x, 11, -1). utility(o, 11, 1). utility(x, 13, 2). utility(o, 13, -2).
         heuristic(_, 11, -1) :- !. heuristic(_, 13, -1) :- !. heuristic(x, 10, -1) :- !.
         heuristic(_, S, H) :- H is S mod 2."
    ));
    check(&mut game, "principal_variation(x, 7, inf, L)", "L = [c0,c1,a0]");
}

#[test]
fn values_are_compared_exactly_or_refused() {
    let mut game = session(&format!(
        "{H} initial_state(r). move(_, M, r, M) :- member(M, [a,b,c]). terminal(_, S) :- S \\== r.
         utility(_, a, V) :- V is -(10**29 + 1). utility(_, _, 0)."
    ));
    fails(&mut game, "negamax(x, r, 0, inf, R)", "is an integer of more than 60 bits, in state a");
}

#[test]
fn engines_inside_engines_come_to_an_end() {
    let rules = "initial_state(0). move(_, M, S, T) :- member(M, [1,2]), T is S + M.
         utility(_, _, 1). terminal(_, S) :- S >= 4.";
    let deep = "heuristic(J, S, H) :- negamax(J, S, 0, 0, [_, H]).";
    let mut game = session(&format!("{H} {rules} {deep}"));
    fails(&mut game, "negamax(x, 0, 0, 1, R)", "more than 16 engines run inside each other");
    let shallow =
        "heuristic(_, 0, 0) :- !. heuristic(J, S, H) :- S0 is S - 1, negamax(J, S0, 0, 0, [_, H]).";
    let mut game = session(&format!("{H} {rules} {shallow}"));
    check(&mut game, "negamax(x, 0, 0, 2, [M, V])", "M = 1, V = 0");
}

#[test]
fn symmetries_without_end_are_refused() {
    let mut game = session(&format!(
        "{H} initial_state(0). move(_, M, S, T) :- member(M, [1,2]), T is S + M.
         terminal(_, S) :- S >= 4. utility(_, _, 1). symmetry(S, T) :- T is S + 1."
    ));
    fails(&mut game, "solve_game(x, 0, V)", "symmetry/2 leads to more than 400 states from one");
}

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
