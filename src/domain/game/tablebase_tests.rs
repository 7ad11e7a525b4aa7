//! Every state of a game told of from a base, in another session, as the engine tells of it.

use super::{GameTask, find_game, initial_player, with_game, with_plain_game};
use crate::bases::{BaseWriter, use_base};
use crate::{Contract, canonical_text, instances};
use std::path::PathBuf;
use zug_base::Start;
use zug_prolog::term_text;
use zug_report::GameSolution;

use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::game::{CHANCE, Game, GameEngine};
use zug_term::Record;

struct Base(PathBuf);

impl Base {
    fn new(name: &str) -> Base {
        let name: String = name.chars().filter(|c| c.is_alphanumeric()).take(40).collect();
        let file = format!("zug-kept-{name}-{}.db", std::process::id());
        let path = std::env::temp_dir().join(file);
        let _ = std::fs::remove_file(&path);
        Base(path)
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn session(rules: &str) -> Session {
    let (mut session, _) = crate::language::captured("");
    let found = session.load_text("rules", rules);
    assert!(!found.iter().any(zug_term::diagnostic::Diagnostic::is_error), "{found:?}");
    session
}

fn record(session: &mut Session, text: &str) -> Record {
    let query = session.query(text).expect("it reads");
    let cell = session.goal(&query).expect("a term");
    let record = Record::new(&mut session.machine.heap, cell);
    session.close(query);
    record
}

fn told(session: &mut Session, player: &str, state: &str) -> GameSolution<String> {
    let [player, state] = [player, state].map(|text| record(session, text));
    let task = GameTask::of(GameEngine::SolveGame);
    let (m, w) = (&mut session.machine, &mut session.world);
    let found = find_game(m, w, &task, Some(&player), &state, None).expect("no errors");
    // Atoms have other numbers in another session.
    found.map(|term| term_text(m, w, term))
}

/// Keeps what the first start of a program comes to: every `step`th state that was met, as text.
fn keep(rules: &str, base: &Base, step: usize) -> Vec<(String, String)> {
    let mut first = session(rules);
    let (m, w) = (&mut first.machine, &mut first.world);
    let contract = Contract::of(m);
    let start = instances(m, w, &contract, 1).expect("no errors").remove(0).state;
    let player = initial_player(m, w).expect("no errors");
    let mut keeper = BaseWriter::open(m, w, &base.0, "rules", false).expect("an empty base");
    let states = with_game(m, w, &Limits::none(), |table| {
        let at = table.position(player.as_ref(), &start)?;
        table.solve(&at)?.expect("no limits");
        let saved = table.save(&mut keeper, Start::default()).expect("it is written");
        assert_eq!(saved.new + saved.known, saved.new, "each once");
        Ok(())
    });
    states.expect("no errors");
    keeper.finish().expect("it is written");
    // The states themselves, not those that stand for them.
    let mut states = Vec::new();
    let all = with_plain_game(m, w, &Limits::none(), |table| {
        let at = table.position(player.as_ref(), &start)?;
        table.solve(&at)?.expect("no limits");
        for node in (0..table.graph.len() as u32).step_by(step) {
            let state = table.graph.state(node);
            let mover = table.game.player(&state);
            if mover != CHANCE {
                states.push((table.game.player_term(mover), table.game.state_term(&state)));
            }
        }
        Ok(())
    });
    all.expect("no errors");
    states
        .into_iter()
        .map(|(player, state)| (canonical_text(m, w, &player), canonical_text(m, w, &state)))
        .collect()
}

fn same(name: &str, rules: &str, step: usize) {
    let base = Base::new(name);
    let states = keep(rules, &base, step);
    assert!(states.len() > 3, "{name}");
    let mut plain = session(rules);
    // Symbols, shapes and players have other numbers here.
    let mut other = session(&format!("another(atom, f(g), [x|y], 3.5, \"text\").\n{rules}"));
    use_base(&mut other.machine, &mut other.world, &base.0).expect("the same rules");
    let mut from_base = 0;
    for (player, state) in states.iter().rev() {
        let [solved, read] = [&mut plain, &mut other].map(|session| told(session, player, state));
        let at = format!("{name}: {player} in {state}");
        assert!(!solved.from_base, "{at}");
        from_base += usize::from(read.from_base);
        assert_eq!(read.outcome, solved.outcome, "{at}");
        assert_eq!((&read.value, &read.values), (&solved.value, &solved.values), "{at}");
        assert_eq!((&read.best, &read.line), (&solved.best, &solved.line), "{at}");
        assert_eq!(read.distance, solved.distance, "{at}");
        let known =
            |found: &GameSolution<String>| (found.certainty.clone(), found.utilities.clone());
        assert_eq!(known(&read), known(&solved), "{at}");
        assert_eq!(read.error, solved.error, "{at}");
        assert_eq!(read.player, solved.player, "{at}");
    }
    assert_eq!(from_base, states.len(), "{name}");
}

macro_rules! shipped {
    ($name:literal) => {
        include_str!(concat!("../../../rules/", $name, ".pl"))
    };
}

#[test]
fn every_state_of_tic_tac_toe() {
    same("tictactoe", shipped!("tictactoe"), 1);
}

#[test]
fn every_state_of_nim() {
    same("nim", shipped!("nim"), 1);
    same("nim_heaps", shipped!("nim_heaps"), 1);
}

#[test]
fn connect_four_here_and_there() {
    let rules = shipped!("connect4").replace("width(7).", "width(4).");
    same("connect4", &rules.replace("height(6).", "height(3)."), 37);
}

/// Play can come back to a state: distances matter, and what is drawn.
#[test]
fn games_that_go_round() {
    same("hare_and_hounds", shipped!("hare_and_hounds"), 3);
    same(
        "round",
        "
        initial_state(0). initial_player(a). opponent(a, b). opponent(b, a).
        move(_, up, N, M) :- N < 6, M is N + 1.
        move(_, down, N, M) :- N > 0, M is N - 1.
        move(a, jump, 3, 6). move(b, stay, 2, 2).
        terminal(_, 6). utility(a, 6, -1). utility(b, 6, 2.5).
    ",
        1,
    );
}

/// Values of more than two players, and such as are fractions, floats, or right within an error.
#[test]
fn other_values() {
    same("coins", shipped!("coins"), 1);
    same("race", shipped!("race"), 29);
    same(
        "large",
        "
        initial_state(s(3, f(X, Y, X), \"text\", 2.5, 123456789012345678901234567890)).
        initial_player(p(1)). opponent(p(1), p(2)). opponent(p(2), p(1)).
        move(_, take(K, V), s(N, F, S, X, B), s(M, F, S, X, B)) :- between(1, N, K), M is N - K.
        terminal(_, s(0, _, _, _, _)). utility(p(1), _, 9007199254740993). utility(p(2), _, -0.25).
    ",
        1,
    );
}

/// Two who don't simply play for what the other loses: sums that are not nothing, and none.
#[test]
fn games_of_other_sums() {
    let players = "initial_state(s(0, 0)). initial_player(a). opponent(a, b). opponent(b, a).
        move(a, N, s(X, Y), s(Z, Y)) :- member(N, [1, 2]), Z is X + N.
        move(b, N, s(X, Y), s(X, Z)) :- member(N, [1, 2]), Z is Y + N.
        terminal(_, s(X, Y)) :- X + Y > 6.";
    for utility in [
        "utility(a, s(X, _), X). utility(b, s(_, Y), Y).",
        "utility(a, s(X, Y), U) :- U is (X * Y) mod 5. utility(b, s(X, Y), U) :- U is 3 - (X * Y) mod 5.",
        "utility(a, s(X, Y), U) :- U is (X mod 3) / 4. utility(b, s(X, Y), U) :- U is 1 - (X mod 3) / 4.",
        "utility(a, s(X, Y), U) :- U is 0.1 * (X * Y mod 7). utility(b, s(X, Y), U) :- U is 0.9 - 0.1 * (X * Y mod 7).",
    ] {
        same(utility, &format!("{players} {utility}"), 1);
    }
}

/// One state of each class is kept, and tells of all.
#[test]
fn games_with_symmetries() {
    let rules = format!(
        "{}\nsymmetry(S1, S2) :- reverse(S1, S2).\nsymmetry(S1, S2) :- transpose(S1, S2).\n",
        shipped!("tictactoe")
    );
    same("symmetry", &rules, 11);
}
