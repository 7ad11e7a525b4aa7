//! Games played by rules that ship.

use super::record::text;
use super::*;
use std::path::Path;

fn session(file: &str) -> Session {
    let mut session = zug_tools::language::captured("").0;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(file);
    let found = session.load_file(&path).expect("it loads");
    assert!(found.is_empty(), "{found:?}");
    session
}

fn request(rules: &str, agents: &[&str]) -> PlayRequest {
    PlayRequest {
        rules: rules.to_owned(),
        agents: agents.iter().map(|agent| agent.parse().expect("an agent")).collect(),
        seed: 1,
        time: Some(Duration::from_secs(60)),
        ..PlayRequest::default()
    }
}

fn begin(session: &mut Session, request: &PlayRequest) -> Match {
    Match::begin(session, request).expect("it begins")
}

fn shown(session: &Session, record: &Record) -> String {
    term_text(&session.machine, &session.world, record)
}

fn typed(session: &mut Session, text: &str) -> Record {
    let query = session.query(text).expect("it reads");
    let goal = session.goal(&query).expect("not run");
    let record = Record::new(&mut session.machine.heap, goal);
    session.close(query);
    record
}

/// Plays moves, those of the machine too.
fn play(session: &mut Session, game: &mut Match, moves: &[&str]) {
    for mv in moves {
        let record = typed(session, mv);
        let choice = game.find(session, &record).expect(mv);
        game.play(session, choice).expect("no error");
    }
}

fn reply(session: &mut Session, game: &mut Match) -> String {
    let thought = game.think(session).expect("no error");
    let mv = shown(session, &game.now().choices[thought.choice].mv);
    game.play(session, thought.choice).expect("no error");
    mv
}

#[test]
fn a_game_to_its_end() {
    let mut session = session("tictactoe.pl");
    let mut game = begin(&mut session, &request("t", &["level:9"]));
    assert_eq!(game.human().map(|player| shown(&session, player)).as_deref(), Some("x"));
    assert_eq!(game.now().choices.len(), 9);
    play(&mut session, &mut game, &["[1,1]", "[2,1]", "[1,2]", "[2,2]", "[1,3]"]);
    let ending = game.ending().expect("three in a row");
    let won: Vec<String> = ending.winners.iter().map(|player| shown(&session, player)).collect();
    assert_eq!((won, ending.draw), (vec!["x".to_owned()], false));
    let values: Vec<Number> = ending.values.iter().map(|(_, value)| *value).collect();
    assert_eq!(values, [Number::Int(10000), Number::Int(-10000)]);
    assert!(game.now().choices.is_empty());
}

#[test]
fn moves_are_found_by_name_and_by_pattern() {
    let mut session = session("nim.pl");
    let game = begin(&mut session, &request("n", &["random"]));
    let mut check = |text: &str, expected| {
        let record = typed(&mut session, text);
        assert_eq!(game.find(&mut session, &record), expected, "{text}");
    };
    check("take( 2 )", Ok(1));
    check("take(7)", Err(NotFound::None));
    check("take(K)", Err(NotFound::Several(vec![0, 1, 2])));
    check("Any", Err(NotFound::Several(vec![0, 1, 2])));
}

#[test]
fn undo_takes_back_the_answer_too() {
    let mut session = session("nim.pl");
    let mut game = begin(&mut session, &request("n", &["level:9"]));
    assert_eq!(game.undo(), 0);
    play(&mut session, &mut game, &["take(3)"]);
    // Thirteen are left: lost for the machine, which takes what it likes.
    reply(&mut session, &mut game);
    assert_eq!(game.moves().len(), 2);
    assert_eq!(game.undo(), 2);
    assert_eq!(shown(&session, &game.now().state), "16");
    game.swap();
    assert_eq!(game.to_move(), Agent::Level(Level::BEST));
    assert_eq!(reply(&mut session, &mut game), "take(3)");
    // The person has not moved yet.
    assert_eq!(game.undo(), 0);
    game.restart();
    assert_eq!(game.moves().len(), 0);
}

#[test]
fn exact_values() {
    let mut session = session("nim.pl");
    let mut game = begin(&mut session, &request("n", &["level:9"]));
    let outlook = game.evaluate(&mut session).expect("no error");
    assert_eq!(outlook.choice, Some(2));
    assert!(outlook.exact && outlook.line.len() == outlook.distance.unwrap_or(0) as usize);
    let values: Vec<String> = outlook.values.iter().map(|(_, value)| value.to_string()).collect();
    assert_eq!(values, ["1", "-1"]);
}

fn rules(text: &str) -> Session {
    let mut session = zug_tools::language::captured("").0;
    let found = session.load_text("rules.pl", text);
    assert!(found.is_empty(), "{found:?}");
    session
}

/// Heaps of coins: who takes the last one wins. The estimate says nothing of that.
const HEAPS: &str = "
    initial_state([3,1,0]). initial_player(a). opponent(a, b). opponent(b, a).
    move(_, take(I, K), S1, S2) :-
        nth1(I, S1, N, Rest), between(1, N, K), M is N - K, nth1(I, S2, M, Rest).
    terminal(_, [0,0,0]).
    utility(_, [0,0,0], -1).
    heuristic(_, S, H) :- sum_list(S, H).";

/// A win at once is not the first of the moves that win; nobody misses it.
#[test]
fn every_opponent_wins_at_once() {
    let mut session = rules(HEAPS);
    let agents = [
        "level:9",
        "alphabeta:5",
        "negamax:5",
        "minimax:5",
        "maxn:5",
        "pns",
        "solve_game",
        "mcts:50",
        "alphabeta:1",
    ];
    for agent in agents {
        let mut asked = request("h", &[agent]);
        (asked.state, asked.humans) = (Some("[0,0,2]".to_owned()), vec!["b".to_owned()]);
        let mut game = begin(&mut session, &asked);
        assert_eq!(reply(&mut session, &mut game), "take(3,2)", "{agent}");
        assert_eq!(game.ending().map(|ending| ending.winners.len()), Some(1));
    }
}

#[test]
fn a_position_for_the_third_time_ends_the_game() {
    let mut session = rules(
        "initial_state(0). initial_player(a). opponent(a, b). opponent(b, a).
         move(_, to(M), N, M) :- member(M, [0,1,2]), M =\\= N. terminal(_, 9). utility(_, 9, 1).",
    );
    let mut asked = request("r", &["random"]);
    asked.humans = vec!["all".to_owned()];
    asked.agents.clear();
    let mut game = begin(&mut session, &asked);
    let round = ["to(1)", "to(2)", "to(0)", "to(1)", "to(2)", "to(0)"];
    play(&mut session, &mut game, &round);
    assert_eq!(game.ending(), None);
    play(&mut session, &mut game, &round);
    let ending = game.ending().expect("the start for the third time");
    assert!(ending.draw && ending.values.is_empty() && game.now().choices.is_empty());
    assert_eq!(game.undo(), 1);
    assert_eq!(game.ending(), None);
}

/// Who has the better of it does not go back to where the game was, if another move keeps that.
#[test]
fn the_better_side_goes_on() {
    let mut session = rules(
        "initial_state(0). initial_player(a). opponent(a, b). opponent(b, a).
         move(a, back, N, M) :- N > 0, M is N - 1.
         move(a, on, N, M) :- M is N + 1.
         move(b, wait, N, N).
         terminal(_, 100). utility(a, 100, 1). utility(b, 100, -1).
         heuristic(a, _, 5). heuristic(b, _, -5).",
    );
    let mut asked = request("g", &["alphabeta:2"]);
    asked.humans = vec!["b".to_owned()];
    let mut game = begin(&mut session, &asked);
    for _ in 0..30 {
        reply(&mut session, &mut game);
        play(&mut session, &mut game, &["wait"]);
        assert_eq!(game.ending(), None);
    }
}

#[test]
fn perfect_play_never_loses() {
    let mut session = session("tictactoe.pl");
    let mut series =
        Series::new(&mut session, &request("t", &["solve_game", "random"])).expect("two agents");
    let mut tallies = [AgentScore::default(); 2];
    let mut games = Vec::new();
    for _ in 0..6 {
        let played = series.next(&mut session).expect("no error");
        played.count(&mut tallies);
        games.push(text(&session, &played.game));
    }
    assert_eq!(tallies[0].wins + tallies[0].draws + tallies[0].losses, 6);
    assert!(tallies[0].wins > tallies[1].wins, "{tallies:?}");
    games.sort();
    games.dedup();
    assert!(games.len() > 1, "the games differ");
}

#[test]
fn three_players() {
    let mut session = session("coins.pl");
    let mut game = begin(&mut session, &request("c", &["maxn:3", "random"]));
    let agents: Vec<Agent> = game.players.iter().map(|player| game.agent(player)).collect();
    assert_eq!(agents[0], Agent::Human);
    assert_eq!(agents[2], Agent::Random);
    while game.now().ends.is_none() {
        reply(&mut session, &mut game);
    }
    let ending = game.ending().expect("over");
    assert_eq!(ending.values.len(), 3);
    let wrong = Match::begin(&mut session, &request("c", &["alphabeta:3"]));
    assert!(matches!(wrong, Err(Failure::Players(_))));
}

#[test]
fn who_plays_and_who_begins() {
    let mut session = session("tictactoe.pl");
    let asked = PlayRequest {
        humans: vec!["x".to_owned()],
        first: Some("o".to_owned()),
        ..request("t", &["random"])
    };
    let game = begin(&mut session, &asked);
    assert_eq!(shown(&session, &game.now().player), "o");
    assert_eq!(game.to_move(), Agent::Random);
    let unknown = PlayRequest { humans: vec!["z".to_owned()], ..request("t", &[]) };
    let unknown = Match::begin(&mut session, &unknown);
    assert!(matches!(unknown, Err(Failure::NoSuchPlayer(name, known))
        if name == "z" && known == ["x", "o"]));
    let machines = begin(&mut session, &request("t", &["random", "random"]));
    assert!(machines.human().is_none());
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let mut session = session("tictactoe.pl");
    let mut record = |seed| {
        let asked = PlayRequest { seed, ..request("t", &["random", "level:2"]) };
        let mut game = begin(&mut session, &asked);
        while game.now().ends.is_none() {
            reply(&mut session, &mut game);
        }
        text(&session, &game)
    };
    assert_eq!(record(5), record(5));
    assert_ne!(record(5), record(6));
}

/// What happens in a game of Pig from a record on, until so many moves are made.
fn goes_on(session: &mut Session, path: &std::path::Path, moves: usize) -> Vec<String> {
    let mut game = begin(session, &PlayRequest { seed: 99, ..request("pig.pl", &["random"]) });
    load(session, &mut game, path).expect("it fits");
    played_to(session, &mut game, moves)
}

fn played_to(session: &mut Session, game: &mut Match, moves: usize) -> Vec<String> {
    while game.moves().len() < moves && game.now().ends.is_none() {
        match game.to_move() {
            Agent::Human => game.play(session, 0).expect("no fault"),
            _ => drop(reply(session, game)),
        }
    }
    game.moves().map(|(_, mv)| shown(session, mv)).collect()
}

#[test]
fn dice_go_on_after_loading() {
    let mut session = session("pig.pl");
    let path = std::env::temp_dir().join(format!("zug-dice-{}.pl", std::process::id()));
    // A seed as long as there are, and an opponent that draws too.
    let asked = PlayRequest { seed: u64::MAX - 7, ..request("pig.pl", &["random"]) };
    let mut game = begin(&mut session, &asked);
    played_to(&mut session, &mut game, 9);
    save(&session, &game, &path).expect("it is written");
    let whole = played_to(&mut session, &mut game, 40);
    assert_eq!(goes_on(&mut session, &path, 40), whole);
    // What was thrown and taken back does not fall again.
    let mut game = begin(&mut session, &asked);
    played_to(&mut session, &mut game, 9);
    assert!(game.undo() > 0);
    let kept = game.moves().len();
    save(&session, &game, &path).expect("it is written");
    let whole = played_to(&mut session, &mut game, 40);
    let loaded = goes_on(&mut session, &path, 40);
    assert_eq!((&loaded, loaded.len() > kept), (&whole, true));
    // Of a record that does not say it, chance has fallen once for each of its moves.
    let asked = PlayRequest { seed: 5, ..request("pig.pl", &["mcts:2"]) };
    let mut game = begin(&mut session, &asked);
    played_to(&mut session, &mut game, 3);
    save(&session, &game, &path).expect("it is written");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let line = text.lines().find(|line| line.starts_with("random(")).expect("it says it");
    std::fs::write(&path, text.replace(&format!("{line}\n"), "")).expect("written");
    let falls = |moves: &[String]| -> Vec<String> {
        moves.iter().filter(|mv| mv.parse::<u8>().is_ok()).cloned().collect()
    };
    let whole = falls(&played_to(&mut session, &mut game, 20));
    let loaded = falls(&goes_on(&mut session, &path, 20));
    let same = whole.len().min(loaded.len());
    assert!(same > 2 && whole[..same] == loaded[..same], "{whole:?} {loaded:?}");
    std::fs::write(&path, text.replace(line, "random(x, 3).")).expect("written");
    let mut game = begin(&mut session, &asked);
    let refused = load(&mut session, &mut game, &path).expect_err("no numbers");
    assert!(matches!(refused, NotLoaded::Syntax(why) if why[0].message.contains("random(x,3)")));
    let _ = std::fs::remove_file(&path);
}

#[test]
fn records_are_checked_against_the_rules() {
    let mut session = session("tictactoe.pl");
    let asked = request("it's.pl", &["alphabeta:2"]);
    let mut game = begin(&mut session, &asked);
    play(&mut session, &mut game, &["[2,2]", "[1,1]"]);
    let path = std::env::temp_dir().join(format!("zug-record-{}.pl", std::process::id()));
    save(&session, &game, &path).expect("it is written");
    let written = std::fs::read_to_string(&path).expect("it is there");
    assert!(written.contains("start(x, [[_,_,_],[_,_,_],[_,_,_]])."), "{written}");
    let mut other = begin(&mut session, &request("other.pl", &["random"]));
    let rules = load(&mut session, &mut other, &path).expect("it fits");
    assert_eq!(rules.as_deref(), Some("it's.pl"));
    assert_eq!((other.moves().len(), other.to_move()), (2, Agent::Human));
    assert_eq!(other.now(), game.now());
    let mut refused = |from: &str, to: &str| {
        assert!(written.contains(from), "{written}");
        std::fs::write(&path, written.replace(from, to)).expect("it is written");
        let before = other.moves().len();
        let error = load(&mut session, &mut other, &path).expect_err("it does not fit");
        assert_eq!(other.moves().len(), before);
        match error {
            NotLoaded::Unfit(why) => why,
            NotLoaded::Syntax(findings) => findings[0].message.clone(),
            other => format!("{other:?}"),
        }
    };
    let taken = refused("o, [1,1]", "o, [2,2]");
    assert_eq!(taken, "o can't make its move 2, `[2,2]`, by these rules");
    assert_eq!(refused("played(2", "played(3"), "move 2 is missing or not in its place");
    assert_eq!(refused("seed(1)", "sead(1)"), "`sead(1)` is no clause of a record");
    assert!(refused("start(", "start((").contains("never closed"));
    assert!(refused("alphabeta:2", "deep_blue").contains("there is no engine `deep_blue`"));
    // A game of other rules.
    let foreign = written.replace("start(x, [[_,_,_],[_,_,_],[_,_,_]])", "start(cop, s(4,6))");
    std::fs::write(&path, foreign).expect("it is written");
    let error = load(&mut session, &mut other, &path).expect_err("it does not fit");
    assert!(matches!(error, NotLoaded::Unfit(why) if why.contains("the rules `it's.pl`")));
    // Other files are left alone.
    std::fs::write(&path, "move(a).").expect("it is written");
    assert!(save(&session, &game, &path).is_err());
    let _ = std::fs::remove_file(&path);
}

/// A street on which a cop is two houses from a robber who is at its end: positions repeat, and the move that catches him
/// is not the first. Two ways lead right.
const STREET: &str = "
    initial_state(s(5, 7)). initial_player(cop). opponent(cop, robber). opponent(robber, cop).
    move(cop, M, s(C, R), s(D, R)) :- step(M, C, D).
    move(robber, M, s(C, R), s(C, T)) :- step(M, R, T).
    step(left, A, B) :- A > 1, B is A - 1.
    step(stay, A, A).
    step(right, A, B) :- A < 7, B is A + 1.
    step(right, A, B) :- A < 7, B is A + 1.
    terminal(_, s(X, X)).
    utility(cop, s(X, X), 1). utility(robber, s(X, X), -1).
";

#[test]
fn strong_levels_see_a_win_at_once() {
    for level in 7..=9 {
        for seed in 0..30 {
            let (mut session, _) = zug_tools::language::captured("");
            assert!(session.load_text("street", STREET).is_empty());
            let state = Some("s(6, 7)".to_owned());
            let asked =
                PlayRequest { seed, state, ..request("t", &[&format!("level:{level}"), "random"]) };
            let mut game = begin(&mut session, &asked);
            assert_eq!(game.now().choices.len(), 3, "the same move to the same is one");
            assert_eq!(reply(&mut session, &mut game), "right", "level {level}, seed {seed}");
        }
    }
}

#[test]
fn who_is_not_behind_does_not_go_back() {
    let (mut session, _) = zug_tools::language::captured("");
    // An estimate that knows nothing: all moves look alike.
    let rules = format!("{STREET} heuristic(_, _, 0).");
    assert!(session.load_text("street", &rules).is_empty());
    let time = Some(Duration::from_millis(20));
    let asked = PlayRequest { time, ..request("t", &["alphabeta:1", "random"]) };
    let mut game = begin(&mut session, &asked);
    let mut met = vec![(game.now().player.clone(), game.now().state.clone())];
    for _ in 0..6 {
        if game.now().ends.is_some() {
            break;
        }
        let by = shown(&session, &game.now().player.clone());
        reply(&mut session, &mut game);
        let now = (game.now().player.clone(), game.now().state.clone());
        assert!(by == "robber" || !met.contains(&now), "back after {} moves", met.len());
        met.push(now);
    }
}

#[test]
fn agents_that_follow_play_to_its_end_say_where_it_has_none() {
    let (mut session, _) = zug_tools::language::captured("");
    assert!(session.load_text("street", STREET).is_empty());
    let mut game = begin(&mut session, &request("t", &["alphabeta", "random"]));
    let refused = game.think(&mut session).expect_err("play goes round");
    assert!(matches!(refused, Failure::Players(why) if why.contains("go round for ever")));
}

#[test]
fn no_game() {
    let mut session = session("taquin.pl");
    let none = Match::begin(&mut session, &request("t", &[]));
    assert!(matches!(none, Err(Failure::NoGame { puzzle: true })));
}

#[test]
fn states_that_say_who_is_to_move() {
    let mut session = zug_tools::language::captured("").0;
    let found = session.load_text(
        "sticks",
        "initial_state(s(x, 3)). to_move(s(J, _), J). other(x, o). other(o, x).
         move(take(K), s(J, N), s(A, M)) :- between(1, 2, K), K =< N, M is N - K, other(J, A).
         terminal(s(_, 0)). utility(_, -1).",
    );
    assert!(found.is_empty(), "{found:?}");
    let mut game = begin(&mut session, &request("s", &["level:9"]));
    let players: Vec<String> = game.players.iter().map(|p| shown(&session, p)).collect();
    assert_eq!(players, ["x", "o"]);
    play(&mut session, &mut game, &["take(1)"]);
    assert_eq!(reply(&mut session, &mut game), "take(2)");
    let ending = game.ending().expect("over");
    assert_eq!(shown(&session, &ending.winners[0]), "o");
}
