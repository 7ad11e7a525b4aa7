use super::*;
use crate::game::initial_player;
use std::sync::Arc;
use zug_prolog::session::Session;
use zug_search::game::learn::{Beads, Method, Rates};

fn session(text: &str) -> Session {
    let mut session = crate::language::captured("").0;
    let found = session.load_text("game", text);
    assert!(found.is_empty(), "{found:?}");
    session
}

fn nim() -> Session {
    session(include_str!("../../../../rules/nim.pl"))
}

fn plan(method: Method, against: Opponent) -> TrainingPlan {
    let beads = Beads { loss: -1, ..Beads::default() };
    let rule = Rule { method, beads, rates: Rates::default() };
    TrainingPlan { rule, seed: 1, against, baseline: Opponent::Random }
}

fn begin(session: &mut Session, plan: TrainingPlan, start: i64) -> Training {
    let (m, w) = (&mut session.machine, &mut session.world);
    let player = initial_player(m, w).expect("a player");
    let state = Record::atomic(zug_term::Cell::small(start));
    Training::new(m, w, plan, player.as_ref(), &state).expect("a game")
}

fn run(session: &mut Session, training: &mut Training, games: u64) {
    let (m, w) = (&mut session.machine, &mut session.world);
    let ended = training.run(m, w, games, &Limits::none(), &mut |_| {});
    assert!(matches!(ended, TrainingEnd::Done), "{ended:?}");
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
    use zug_search::game::GameEngine;
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

fn pig(target: &str) -> Session {
    let text = include_str!("../../../../rules/pig.pl");
    assert!(text.contains("target(20)."));
    session(&text.replace("target(20).", target))
}

fn begin_pig(session: &mut Session, plan: TrainingPlan) -> Result<Training, Box<RuleError>> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let contract = crate::Contract::of(m);
    let start = crate::instances(m, w, &contract, 1).expect("a start").remove(0);
    let player = initial_player(m, w).expect("a player");
    Training::new(m, w, plan, player.as_ref(), &start.state)
}

#[test]
fn dice_are_learned_with() {
    // With 5 points to be kept there are few states, and all of them come up.
    for (method, games) in [(Method::Q, 4000), (Method::MonteCarlo, 4000)] {
        let mut session = pig("target(5).");
        let rates = Rates { epsilon: 0.4, decay: 0.0005, ..Rates::default() };
        let rule = Rule { method, rates, ..Rule::default() };
        let plan =
            TrainingPlan { rule, baseline: Opponent::Optimal, ..plan(method, Opponent::Itself) };
        let mut training = begin_pig(&mut session, plan).expect("a game");
        run(&mut session, &mut training, games);
        let (m, w) = (&mut session.machine, &mut session.world);
        let share = training.share(m, w).expect("no faults").expect("it is small");
        assert!(share.right_met * 100 >= share.met * 85 && share.met > 20, "{method:?} {share:?}");
        // Two that play as well win as often.
        let now = training.now(m, w).expect("no faults").expect("no limits");
        assert!((35..65).contains(&now.tally.wins), "{method:?} {now:?}");
        let rows = rows(&mut session, &mut training);
        assert!(rows.iter().all(|row| row.state.ends_with("decide)")), "chance learns nothing");
    }
}

#[test]
fn opponents_where_chance_moves() {
    use zug_search::game::GameEngine;
    let learned = Arc::new(Learned::new(Rule::default(), 0, Vec::new()));
    for (against, baseline) in [
        (Opponent::Random, Opponent::Policy(learned, false)),
        (Opponent::Optimal, Opponent::Engine(GameEngine::Playouts, Some(4))),
        (Opponent::Engine(GameEngine::Expectiminimax, Some(2)), Opponent::Optimal),
        (Opponent::Engine(GameEngine::Mcts, Some(10)), Opponent::Random),
        (Opponent::Engine(GameEngine::SolveGame, None), Opponent::Random),
    ] {
        let mut session = pig("target(5).");
        let plan = TrainingPlan { baseline, ..plan(Method::Q, against.clone()) };
        let mut training = begin_pig(&mut session, plan).expect("a game");
        run(&mut session, &mut training, 30);
        let (m, w) = (&mut session.machine, &mut session.world);
        let now = training.now(m, w).expect("no faults").expect("no limits");
        assert_eq!((training.tally().games(), now.tally.games()), (30, EVALUATION), "{against:?}");
    }
    for plan in [
        plan(Method::Q, Opponent::Engine(GameEngine::Alphabeta, Some(2))),
        TrainingPlan {
            baseline: Opponent::Engine(GameEngine::Pns, None),
            ..plan(Method::Q, Opponent::Itself)
        },
    ] {
        let refused = begin_pig(&mut pig("target(5)."), plan).err().expect("no dice for them");
        assert!(matches!(refused.violation, Violation::Chance("alphabeta" | "pns")), "{refused:?}");
    }
}

#[test]
fn a_person_is_told_what_falls() {
    let mut session = pig("target(5).");
    let mut training = begin_pig(&mut session, plan(Method::Q, Opponent::Human)).expect("a game");
    let (mut fell, mut over) = (0, 0);
    loop {
        let (m, w) = (&mut session.machine, &mut session.world);
        let ended = training.run(m, w, 2, &Limits::none(), &mut |_| {});
        for news in training.news(m, w).expect("no faults") {
            match news {
                TrainingEvent::Made(player, _) => {
                    fell += u32::from(canonical_text(m, w, &player) == "chance")
                }
                TrainingEvent::Over(tally) => over = tally.games(),
            }
        }
        match ended {
            TrainingEnd::Waiting(position) => {
                assert_eq!(over, training.games());
                assert!(position.chances.is_empty(), "nobody is asked what the die shows");
                training.answer(position.choices.len() - 1);
            }
            ended => break assert!(matches!(ended, TrainingEnd::Done), "{ended:?}"),
        }
    }
    assert!(fell > 2 && over == 2, "{fell} {over}");
}

#[test]
fn somebody_may_be_asked() {
    let mut session = nim();
    let mut training = begin(&mut session, plan(Method::Q, Opponent::Human), 5);
    let mut asked = 0;
    loop {
        let (m, w) = (&mut session.machine, &mut session.world);
        match training.run(m, w, 3, &Limits::none(), &mut |_| {}) {
            TrainingEnd::Waiting(position) => {
                assert!(!position.choices.is_empty());
                training.answer(0);
                asked += 1;
            }
            ended => break assert!(matches!(ended, TrainingEnd::Done), "{ended:?}"),
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
