use super::*;
use crate::domain::game::initial_player;
use crate::search::game::learn::{Beads, Method, Rates};
use crate::session::Session;
use std::sync::Arc;

fn session(text: &str) -> Session {
    let mut session = Session::captured("").0;
    let found = session.load_text("game", text);
    assert!(found.is_empty(), "{found:?}");
    session
}

fn nim() -> Session {
    session(include_str!("../../../../rules/nim.pl"))
}

fn plan(method: Method, against: Opponent) -> Plan {
    let beads = Beads { loss: -1, ..Beads::default() };
    let rule = Rule { method, beads, rates: Rates::default() };
    Plan { rule, seed: 1, against, baseline: Opponent::Random }
}

fn begin(session: &mut Session, plan: Plan, start: i64) -> Training {
    let (m, w) = (&mut session.machine, &mut session.world);
    let player = initial_player(m, w).expect("a player");
    let state = Record::atomic(crate::term::Cell::small(start));
    Training::new(m, w, plan, player.as_ref(), &state).expect("a game")
}

fn run(session: &mut Session, training: &mut Training, games: u64) {
    let (m, w) = (&mut session.machine, &mut session.world);
    let ended = training.run(m, w, games, &Limits::none(), &mut |_, _| {});
    assert!(matches!(ended, Ended::Done), "{ended:?}");
}

fn rows(session: &mut Session, training: &mut Training) -> Vec<Row> {
    training.rows(&mut session.machine, &mut session.world).expect("no faults")
}

#[test]
fn nim_is_learned_from_the_rules() {
    let mut session = nim();
    let mut training = begin(&mut session, plan(Method::Matchboxes, Opponent::Itself), 9);
    assert!(training.is_shared(), "no rule of Nim looks at the player");
    run(&mut session, &mut training, 2000);
    let (m, w) = (&mut session.machine, &mut session.world);
    let share = training.share(m, w).expect("no faults").expect("it is small");
    assert_eq!((share.states, share.choices), (9, 6));
    assert_eq!(share.right_met, share.met, "{share:?}");
    let states: Vec<String> =
        rows(&mut session, &mut training).into_iter().map(|row| row.state).collect();
    assert_eq!(states, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

#[test]
fn all_kinds_of_opponents() {
    use crate::search::game::GameEngine;
    let learned = Arc::new(Learned::new(Rule::default(), 0, Vec::new()));
    for against in [
        Opponent::Random,
        Opponent::Optimal,
        Opponent::Engine(GameEngine::Alphabeta, Some(2)),
        Opponent::Engine(GameEngine::SolveGame, None),
        Opponent::Policy(learned, false),
    ] {
        let mut session = nim();
        let mut training = begin(&mut session, plan(Method::Q, against.clone()), 8);
        run(&mut session, &mut training, 60);
        let (m, w) = (&mut session.machine, &mut session.world);
        let now = training.now(m, w).expect("no faults").expect("no limits");
        assert_eq!((training.tally().games(), now.tally.games()), (60, EVALUATION), "{against:?}");
    }
}

#[test]
fn somebody_may_be_asked() {
    let mut session = nim();
    let mut training = begin(&mut session, plan(Method::Q, Opponent::Human), 5);
    let mut asked = 0;
    loop {
        let (m, w) = (&mut session.machine, &mut session.world);
        match training.run(m, w, 3, &Limits::none(), &mut |_, _| {}) {
            Ended::Waiting(position) => {
                assert!(!position.choices.is_empty());
                training.answer(0);
                asked += 1;
            }
            ended => break assert!(matches!(ended, Ended::Done), "{ended:?}"),
        }
    }
    assert!((3..20).contains(&asked) && training.games() == 3);
}

#[test]
fn players_that_rules_tell_apart_have_boxes_of_their_own() {
    let mut session = session(
        "initial_state(4). initial_player(a). opponent(a, b). opponent(b, a).\n\
         move(J, take(K), N, M) :- most(J, L), between(1, L, K), M is N - K, M >= 0.\n\
         most(a, 1). most(b, 2).\n\
         terminal(_, 0). utility(_, 0, -1).",
    );
    let mut training = begin(&mut session, plan(Method::Q, Opponent::Itself), 4);
    assert!(!training.is_shared());
    run(&mut session, &mut training, 50);
    let rows = rows(&mut session, &mut training);
    let row =
        |at: usize| (rows[at].state.as_str(), rows[at].player.as_deref(), rows[at].moves.len());
    assert_eq!(row(0), ("1", Some("a"), 1));
    assert_eq!(rows.last().map(|row| row.state.as_str()), Some("4"));
}

#[test]
fn fingerprints_tell_rules_apart() {
    let print = |text: &str| {
        let session = session(text);
        fingerprint(&session.machine, &session.world)
    };
    let one = print("p(X, Y) :- q(X), q(Y). q(1). print_state(_).");
    assert_eq!(one, print("% other words\nq(1).\np(A,B):-q(A),q(B). print_state(x)."));
    assert_ne!(one, print("p(X, Y) :- q(Y), q(X). q(1). print_state(_)."));
    assert_ne!(one, print("p(X, Y) :- q(X), q(Y). q(2). print_state(_)."));
}

#[test]
fn texts_sort_by_their_numbers() {
    let mut texts = ["s(10,a)", "s(9,b)", "s(9,a)", "r(100)"];
    texts.sort_by_key(|text| natural(text));
    assert_eq!(texts, ["r(100)", "s(9,a)", "s(9,b)", "s(10,a)"]);
}
