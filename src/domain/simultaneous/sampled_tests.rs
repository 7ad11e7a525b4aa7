//! Decoupled UCT over rules that ship.

use crate::tests::check;
use zug_prolog::session::Session;

fn shipped(file: &str) -> Session {
    let mut session = crate::language::captured("").0;
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(file);
    assert!(session.load_file(&path).expect("it loads").is_empty());
    session
}

#[test]
fn goofspiel_is_worth_nothing_to_anybody() {
    let mut game = shipped("goofspiel.pl");
    let goal = "mcts(first, _, A, _V, [playouts(3000), mixture(_Ps)]),
        abs(_V) < 0.1, memberchk(3-_P, _Ps), _P > 0.5";
    check(&mut game, goal, "A = 3");
    // Each player on backtracking; the same seed is the same run.
    let goal = "findall(J-V, mcts(J, _, _, V, [playouts(300), seed(4)]), _Us),
        _Us = [first-_V, second-_W], _V =:= -_W,
        mcts(first, _, _, _V, [playouts(300), seed(4)]),
        mcts(first, _, _, _X, [playouts(300), seed(5)]), _X =\\= _V";
    check(&mut game, goal, "true");
    // The last card leaves no choice, and behind it the game is over.
    let last = "goofspiel([1],[2],[1],-3)";
    let goal = format!("mcts(J, {last}, A, V, [playouts(9), mixture(Ps)])");
    check(&mut game, &goal, "J = first, A = 2, V = -2.0, Ps = [2-1.0]");
    check(&mut game, "mcts(second, goofspiel([],[],[],3), A, V)", "A = none, V = -3.0");
}

#[test]
fn one_round_and_its_players() {
    let mut game = shipped("rock_paper_scissors.pl");
    let goal = "mcts(one, _, _, _, [mixture(_Ps)]),
        forall(member(_-_P, _Ps), abs(_P - 1/3) < 0.05), length(_Ps, N)";
    check(&mut game, goal, "N = 3");
    let goal = "match(mcts, fixed(rock), score(_A, _B, _C, _), [rounds(300)]),
        _A > 70, _B > 70, _C > 70";
    check(&mut game, goal, "true");
    let mut dilemma = shipped("prisoners_dilemma.pl");
    check(&mut dilemma, "mcts(bob, _, A, _)", "A = defect");
    let goal = "match(counter(mcts(50)), fixed(defect), S, [rounds(2)])";
    check(&mut dilemma, goal, "S = score(0,2,0,[2,2])");
}

#[test]
fn what_is_refused() {
    let mut game = shipped("goofspiel.pl");
    for (goal, said) in [
        ("mcts(J, _, _, _, [cutoff(3)])", "cutoff(3)"),
        ("mcts(J, _, _, _, [playouts(x)])", "integer"),
        ("mcts(J, _, _, _, [nodes(1)])", "nodes"),
    ] {
        let mut query = game.query(goal).expect("a goal that reads");
        let fault = game.next(&mut query).expect_err("an error");
        let found = game.describe(&fault).to_string();
        game.close(query);
        assert!(found.contains(said), "{found}");
    }
}
