//! Puzzles played by rules that ship, and by small ones.

use super::*;
use crate::play::{NotFound, NotLoaded, Played};
use zug_prolog::term_text;

fn session(rules: &str) -> Session {
    let mut session = zug_tools::language::captured("").0;
    let found = session.load_text("rules", rules);
    assert!(found.iter().all(|finding| !finding.is_error()), "{found:?}");
    session
}

/// A way of three moves, a shorter dear one, and a pit.
const RULES: &str = "
    initial_state(a).
    initial_state(late, c).
    final_state(d).
    rule(on, 1, a, b). rule(on, 1, b, c). rule(on, 1, c, d).
    rule(jump, 5, a, d). rule(jump, 5, a, d). rule(fall, 0, b, pit). rule(on, 3, b, d).
    rule(round, 1, pit, pit2). rule(round, 1, pit2, pit).
";

fn begin(session: &mut Session) -> Puzzle {
    Puzzle::begin(session, &PuzzleRequest::default()).expect("it begins")
}

fn names(session: &Session, moves: &[Record]) -> Vec<String> {
    moves.iter().map(|mv| term_text(&session.machine, &session.world, mv)).collect()
}

#[test]
fn moves_are_made_taken_back_and_made_again() {
    let mut session = session(RULES);
    let mut puzzle = begin(&mut session);
    // The same answer twice is one move.
    assert_eq!(puzzle.now().moves.len(), 2);
    for choice in [0, 0, 0] {
        puzzle.make(&mut session, choice).expect("no error");
    }
    assert!(puzzle.now().goal);
    assert_eq!((puzzle.moves().len(), puzzle.cost()), (3, Number::Int(3)));
    assert_eq!((puzzle.undo(2), puzzle.cost()), (2, Number::Int(1)));
    assert_eq!((puzzle.redo(1), puzzle.cost()), (1, Number::Int(2)));
    assert_eq!((puzzle.undo(9), puzzle.undo(1)), (2, 0));
    assert_eq!((puzzle.redo(9), puzzle.now().goal), (3, true));
    puzzle.undo(3);
    puzzle.make(&mut session, 1).expect("no error");
    assert_eq!((puzzle.redo(1), puzzle.cost()), (0, Number::Int(5)));
}

#[test]
fn one_name_may_lead_to_several_states() {
    let mut session = session(RULES);
    let mut puzzle = begin(&mut session);
    puzzle.make(&mut session, 0).expect("no error");
    let query = session.query("on").expect("it reads");
    let goal = session.goal(&query).expect("not run");
    let on = Record::new(&mut session.machine.heap, goal);
    session.close(query);
    assert_eq!(puzzle.find(&mut session, &on), Err(NotFound::Several(vec![0, 2])));
}

#[test]
fn the_way_ahead_is_proved() {
    let mut session = session(RULES);
    let mut puzzle = begin(&mut session);
    let GoalOutlook::Cheapest(way) = puzzle.ahead(&mut session).expect("no error") else {
        panic!("it is proved")
    };
    assert_eq!(
        (names(&session, &way.path).join(" "), way.cost),
        ("on on on".into(), Number::Int(3))
    );
    puzzle.make(&mut session, 0).expect("no error");
    // Along the plan it is known already.
    let known = puzzle.known.len();
    let ahead = puzzle.ahead(&mut session).expect("no error");
    assert_eq!(ahead.way().map(|way| way.cost), Some(Number::Int(2)));
    assert_eq!(puzzle.known.len(), known);
    assert_eq!(puzzle.glance(&mut session).expect("no error"), None);
    puzzle.make(&mut session, 1).expect("no error");
    assert_eq!(puzzle.glance(&mut session).expect("no error"), Some(2));
    assert!(matches!(puzzle.ahead(&mut session).expect("no error"), GoalOutlook::DeadEnd(2)));
}

#[test]
fn where_the_search_is_too_long_the_heuristic_is_named() {
    let mut session = session(
        "initial_state(0-0). final_state(40-40).
         rule(x, 1, X-Y, X1-Y) :- X1 is X + 1.
         rule(y, 1, X-Y, X-Y1) :- Y1 is Y + 1.
         rule(z, 1, X-Y, X1-Y) :- X1 is X - 1.
         heuristic(far, X-Y, H) :- H is abs(40 - X) + abs(40 - Y).",
    );
    let request = PuzzleRequest { time: Some(Duration::from_millis(2)), ..Default::default() };
    let mut puzzle = Puzzle::begin(&mut session, &request).expect("it begins");
    match puzzle.ahead(&mut session).expect("no error") {
        GoalOutlook::Plan(way, name) => assert_eq!((way.cost, &*name), (Number::Int(80), "far")),
        GoalOutlook::AtLeast(bound, Some(name), _) => {
            assert_eq!((bound, &*name), (Number::Int(80), "far"));
        }
        // The clock decides how far it comes, but not what it claims.
        GoalOutlook::AtLeast(bound, None, _) => assert!(bound.as_f64() < 80.0),
        GoalOutlook::Unknown(_) => {}
        found => panic!("{found:?}"),
    }
}

#[test]
fn any_state_will_do_that_is_one() {
    let mut session = session(RULES);
    let at = |session: &mut Session, state: &str| {
        let state = Some(state.to_owned());
        Puzzle::begin(session, &PuzzleRequest { state, ..PuzzleRequest::default() })
    };
    assert!(at(&mut session, "pit").is_ok());
    assert!(at(&mut session, "d").is_ok());
    for none in ["e", "f(x)", "_", "late"] {
        let failed = at(&mut session, none).err();
        assert!(matches!(failed, Some(Failure::Players(_))), "{none}: {failed:?}");
    }
    assert!(matches!(at(&mut session, "f("), Err(Failure::UnreadableTerm(..))));
    let late = Some("late".to_owned());
    let late = PuzzleRequest { instance: late, ..PuzzleRequest::default() };
    let late = Puzzle::begin(&mut session, &late).expect("it begins");
    assert_eq!(names(&session, std::slice::from_ref(late.start())), ["c"]);
    assert_eq!(Puzzle::instances(&mut session).expect("no error"), ["1", "late"]);
}

#[test]
fn records_are_read_as_they_are_written() {
    let mut session = session(RULES);
    let mut puzzle = begin(&mut session);
    puzzle.make(&mut session, 0).expect("no error");
    puzzle.make(&mut session, 1).expect("no error");
    let file = std::env::temp_dir().join(format!("zug-puzzle-{}.pl", std::process::id()));
    save(&session, &puzzle, &file).expect("it is written");
    let mut other = begin(&mut session);
    load(&mut session, &mut other, &file).expect("it is read");
    assert_eq!(record::text(&session, &other), record::text(&session, &puzzle));
    std::fs::write(&file, "start(a). played(1, sideways).").expect("it is written");
    assert!(matches!(load(&mut session, &mut other, &file), Err(NotLoaded::Syntax(_))));
    assert_eq!(other.moves().len(), 2);
    std::fs::remove_file(&file).expect("removed");
}
