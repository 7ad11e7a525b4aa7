//! Policies as files: written, gone on with, refused.

use super::*;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use zug_search::StopReason;
use zug_search::game::learn::{Method, Rates};

fn session(file: &str) -> Session {
    let mut session = zug_tools::language::captured("").0;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(file);
    let found = session.load_file(&path).expect("it loads");
    assert!(found.is_empty(), "{found:?}");
    session
}

fn request(method: Method, games: u64) -> TrainRequest {
    let rates = Rates { decay: 0.001, ..Rates::default() };
    TrainRequest {
        rules: "nim.pl".to_owned(),
        schedule: Schedule { games, seed: 1 },
        rule: Rule { method, rates, ..Rule::default() },
        ..TrainRequest::default()
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("zug-train-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Trains and saves.
fn train(rules: &str, request: &TrainRequest, path: &Path) -> String {
    let mut session = session(rules);
    let mut trainer = Trainer::begin(&mut session, request).expect("it begins");
    let ended = trainer.run(&mut session, &Limits::none(), &mut |_| {});
    assert!(matches!(ended, TrainingEnd::Done), "{ended:?}");
    trainer.save(&mut session, path).expect("it is written");
    fs::read_to_string(path).expect("it is there")
}

#[test]
fn going_on_writes_the_same_file() {
    let folder = Folder::new("resume");
    for method in [Method::Matchboxes, Method::Q, Method::MonteCarlo] {
        for rules in ["nim.pl", "tictactoe.pl"] {
            let whole = train(rules, &request(method, 230), &folder.file("whole"));
            train(rules, &request(method, 115), &folder.file("half"));
            let resume = Some(folder.file("half"));
            // All but the games is in the file.
            let schedule = Schedule { seed: 5, games: 115 };
            let rest = TrainRequest { schedule, resume, ..request(Method::Matchboxes, 115) };
            assert!(whole == train(rules, &rest, &folder.file("rest")), "{method:?} {rules}");
        }
    }
}

/// What is said of a policy that was changed, and the line it is said of.
fn refused(rules: &str, text: &str) -> (String, Option<u32>) {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = Folder::new(&format!("refused-{number}"));
    let path = folder.file("it");
    fs::write(&path, text).expect("written");
    let mut session = session(rules);
    let resume = Some(path.clone());
    let request = TrainRequest { resume, ..request(Method::Q, 10) };
    match Trainer::begin(&mut session, &request) {
        Err(Failure::Policy(findings)) => {
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some(text), "left alone");
            let first = &findings[0];
            let label = first.primary.as_ref();
            let line = label.map(|label| label.source.position(label.span.start).line);
            (first.message.clone(), line)
        }
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it was taken"),
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_line() {
    let folder = Folder::new("good");
    let text = train("nim.pl", &request(Method::Matchboxes, 50), &folder.file("it"));
    let line_of =
        |part: &str| text.lines().position(|line| line.contains(part)).map(|at| at as u32 + 1);
    let check = |rules: &str, text: String, message: &str, line: Option<u32>| {
        let (said, at) = refused(rules, &text);
        assert!(said.contains(message), "{said}");
        assert_eq!(at, line, "{said}");
    };
    let last = text.lines().count() as u32;
    let cut = |lines: usize| text.lines().take(lines).collect::<Vec<_>>().join("\n") + "\n";
    check("tictactoe.pl", text.clone(), "other rules", line_of("rules("));
    check("nim.pl", cut(last as usize - 1), "`end(policy).` is missing", Some(last - 1));
    check("nim.pl", cut(last as usize - 3), "14 of its 16 states are there", Some(last - 3));
    check("nim.pl", text.replace("policy(1)", "policy(2)"), "from a newer zug", Some(2));
    let state = |from: &str, to: &str| {
        assert!(text.contains(from));
        text.replacen(from, to, 1)
    };
    let first = line_of("state(_, 1,");
    check("nim.pl", state("[move(take(1),", "[move(take(7),"), "by the rules its moves", first);
    check("nim.pl", state("move(take(1), 1,", "move(take(1), -1,"), "no number of beads", first);
    check("nim.pl", state("state(_, 1,", "state(b, 1,"), "share their boxes", first);
    check("nim.pl", state("state(_, 1,", "state(_, 0,"), "the game is over", first);
    check("nim.pl", state("state(_, 2,", "sate(_, 2,"), "no clause of a policy", line_of("(_, 2,"));
    check("nim.pl", "hello".to_owned(), "is no policy", None);
    let (_, line) = refused("nim.pl", &state("state(_, 1,", "state(_, 1"));
    assert_eq!(line, first, "a fault in the text");
}

#[test]
fn going_on_with_dice_writes_the_same_file() {
    let folder = Folder::new("dice");
    let mut policy = String::new();
    for rules in ["pig.pl", "race.pl"] {
        for method in [Method::Matchboxes, Method::Q, Method::MonteCarlo] {
            for against in ["self", "random", "mcts:3"] {
                let against: Against = against.parse().expect("an opponent");
                let asked =
                    |games| TrainRequest { against: against.clone(), ..request(method, games) };
                let whole = train(rules, &asked(24), &folder.file("whole"));
                train(rules, &asked(11), &folder.file("half"));
                let resume = Some(folder.file("half"));
                let schedule = Schedule { seed: 5, games: 13 };
                let rest = TrainRequest { schedule, resume, ..request(Method::Matchboxes, 13) };
                policy = train(rules, &rest, &folder.file("rest"));
                assert!(whole == policy, "{method:?} {against} {rules}");
                let other = TrainRequest { schedule: Schedule { seed: 2, games: 24 }, ..asked(24) };
                assert!(whole != train(rules, &other, &folder.file("other")));
            }
        }
    }
    assert!(!policy.contains("state(chance"), "only what players choose is learned");
    let (said, line) = refused("pig.pl", &policy);
    assert!(said.contains("other rules") && line == Some(3), "{said} {line:?}");
    let chance = policy.replacen("state(white,", "state(chance,", 1);
    assert!(refused("race.pl", &chance).0.contains("there is no such player"));
}

#[test]
fn only_policies_are_written_over() {
    let folder = Folder::new("over");
    fs::write(folder.file("mine"), "my own words").expect("written");
    assert!(Trainer::may_save(&Access::FREE, &folder.file("mine")).is_err());
    assert!(Trainer::may_save(&Access::FREE, &folder.file("new")).is_ok());
    train("nim.pl", &request(Method::Q, 5), &folder.file("new"));
    assert!(Trainer::may_save(&Access::FREE, &folder.file("new")).is_ok());
}

#[test]
fn what_was_learned_plays() {
    use crate::play::{AgentScore, PlayRequest, Series};
    let folder = Folder::new("plays");
    let path = folder.file("it's learned");
    train("nim.pl", &request(Method::Q, 2000), &path);
    let mut session = session("nim.pl");
    let agents = [format!("greedy:{}", path.display()), "random".to_owned()];
    let agents = agents.iter().map(|agent| agent.parse().expect("an agent")).collect();
    let request =
        PlayRequest { rules: "nim.pl".to_owned(), agents, seed: 1, ..PlayRequest::default() };
    let mut series = Series::new(&mut session, &request).expect("two agents");
    let mut tallies = [AgentScore::default(); 2];
    for _ in 0..20 {
        series.next(&mut session).expect("no error").count(&mut tallies);
    }
    assert!(tallies[0].wins > 15, "{tallies:?}");
}

#[test]
fn q_learning_finds_the_value_of_hexapawn() {
    let mut session = session("hexapawn.pl");
    let rates = Rates { epsilon: 0.7, alpha: Some(0.5), ..Rates::default() };
    let rule = Rule { method: Method::Q, rates, ..Rule::default() };
    let request = TrainRequest { rule, ..request(Method::Q, 4000) };
    let mut trainer = Trainer::begin(&mut session, &request).expect("it begins");
    let ended = trainer.run(&mut session, &Limits::none(), &mut |_| {});
    let report = trainer.report(&mut session, &ended).expect("no error");
    let share = report.optimal.expect("it is small");
    assert!(share.right_met * 100 >= share.met * 97, "{share:?}");
    let mut query = session.query("solve_game(_, _, V)").expect("it reads");
    assert!(matches!(session.next(&mut query), Ok(true)));
    let (_, cell) = session.bindings(&query).next().expect("V");
    let value = session.machine.heap.deref(cell).as_int();
    session.close(query);
    let start = report.policy.iter().filter(|row| {
        row.moves.iter().map(|known| known.tries).sum::<u64>() == request.schedule.games
    });
    let best = start.flat_map(|row| &row.moves).map(|known| known.worth).fold(f64::MIN, f64::max);
    let exact = value.expect("an integer") as f64;
    assert!((best - exact).abs() <= 0.01 * exact.abs(), "{best} {exact}");
}

#[test]
fn moves_without_end_stop_at_the_time() {
    let mut session = zug_tools::language::captured("").0;
    let found = session.load_text(
        "endless",
        "initial_state(4). opponent(me, you). opponent(you, me). initial_player(me).
         move(_, M, S, S) :- repeat, M = x.
         terminal(_, 0). utility(_, 0, -1).",
    );
    assert!(found.is_empty(), "{found:?}");
    let mut trainer = Trainer::begin(&mut session, &request(Method::Q, 1)).expect("a game");
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::none() };
    let ended = trainer.run(&mut session, &limits, &mut |_| {});
    assert!(matches!(ended, TrainingEnd::Stopped(StopReason::Time)), "{ended:?}");
    let report = trainer.report(&mut session, &ended).expect("no error");
    assert_eq!(report.stopped, Some(StopReason::Time));
}

#[test]
fn what_is_asked_before_the_first_game_stops_at_the_time() {
    let rules = ["initial_state(4)", "initial_player(me)", "opponent(me, you)"];
    for at in 0..rules.len() {
        let mut session = zug_tools::language::captured("").0;
        let mut text = "move(_, x, S, S). terminal(_, 0). utility(_, 0, -1).".to_owned();
        for (i, rule) in rules.iter().enumerate() {
            let endless = if i == at { " :- repeat, fail." } else { "." };
            text += &format!("\n{rule}{endless}");
        }
        session.load_text("endless", &text);
        zug_domain::set_asking_time(&mut session.world, Some(Duration::from_millis(50)));
        let begun = Trainer::begin(&mut session, &request(Method::Q, 1));
        let failure = begun.err().expect("it does not begin");
        assert_eq!(failure.exit(), crate::exit::Exit::Limit, "{failure:?}");
    }
}
