//! Searches by several workers, through the command line: threads, and processes on 127.0.0.1, compared with the
//! embedded search; one of them killed, and all started again; what is refused.

use crate::support::{Folder, zug};
use serde_json::Value;
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A file of hosts, with free ports of this machine.
fn hosts_in(folder: &Folder, processes: usize) -> String {
    let ports = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    let ports: Vec<_> = ports.collect();
    let line = |port: &TcpListener| format!("{}\n", port.local_addr().expect("an address"));
    folder.write("hosts", ports.iter().map(line).collect::<String>())
}

/// One test at a time has ports that are free, and processors.
static PORTS: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    PORTS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn started(arguments: &[&str]) -> Child {
    let mut zug = zug(arguments);
    zug.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("zug starts")
}

/// All processes of a file of hosts, started with the same arguments.
fn all_started(arguments: &[&str], hosts: &str, processes: usize) -> Vec<Child> {
    let start = |process: usize| {
        let process = process.to_string();
        let others = ["--hosts", hosts, "--process", &process];
        started(&[arguments, &others].concat())
    };
    (0..processes).map(start).collect()
}

fn ended(children: Vec<Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().expect("it ends")).collect()
}

fn result(output: &Output) -> Value {
    let said = || String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said()));
    let mut results = report["results"].as_array().expect("results").clone();
    assert_eq!(results.len(), 1, "{report}, {}", said());
    results.remove(0)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What must be the same, whoever searches.
fn same(found: &Value, known: &Value) {
    for field in ["outcome", "reason", "states", "by_depth", "terminal", "instance"] {
        assert_eq!(found[field], known[field], "{field}");
    }
    for field in ["expanded", "generated", "max_depth"] {
        assert_eq!(found["stats"][field], known["stats"][field], "{field}");
    }
}

#[test]
fn threads_find_what_one_finds() {
    let _alone = alone();
    for file in ["rules/wolf.pl", "rules/blocks.pl", "rules/tictactoe.pl", "rules/hanoi.pl"] {
        let arguments = ["enumerate", file, "--format", "json"];
        let known = result(&zug(&arguments).output().expect("zug"));
        for workers in ["1", "3"] {
            let arguments = [&arguments[..], &["--workers", workers]].concat();
            same(&result(&zug(&arguments).output().expect("zug")), &known);
        }
    }
}

#[test]
fn processes_find_what_one_finds() {
    let _alone = alone();
    let folder = Folder::new("processes");
    let words = folder.text("words.pl");
    // Words without end, which the processes meet in another order, and lists of any length.
    let rules = "initial_state(s(0, a, [])).\n\
                 rule(go, 1, s(N, A, L), s(M, B, [A|L])) :- N < 6, M is N + 1, member(X, [p, q, r]), atom_concat(A, X, B).\n\
                 rule(turn, 1, s(N, A, L), s(N, A, R)) :- reverse(L, R).\n\
                 final_state(s(6, _, _)).\n";
    std::fs::write(&words, rules).expect("it is written");
    for (file, more) in [
        ("rules/klotski.pl", &[][..]),
        ("rules/jugs.pl", &["--workers", "2"][..]),
        ("rules/tictactoe.pl", &["--workers", "2"][..]),
        ("rules/taquin.pl", &["--nodes", "5000"][..]),
        ("rules/taquin.pl", &["--depth", "12"][..]),
        (words.as_str(), &[][..]),
    ] {
        let limits = more.iter().filter(|_| more[0] != "--workers").copied();
        let arguments = ["enumerate", file, "--format", "json"];
        let known = [&arguments[..], &limits.collect::<Vec<_>>()].concat();
        let known = result(&zug(&known).output().expect("zug"));
        for processes in [2, 3] {
            let arguments = [&arguments[..], more].concat();
            let hosts = hosts_in(&folder, processes);
            let mut deepest = None;
            for output in ended(all_started(&arguments, &hosts, processes)) {
                let found = result(&output);
                if more.first() != Some(&"--nodes") {
                    same(&found, &known);
                }
                assert_eq!(found["stats"]["expanded"], known["stats"]["expanded"]);
                assert_eq!(deepest.get_or_insert(found["deepest"].clone()), &found["deepest"]);
            }
        }
    }
}

#[test]
fn plans_cost_what_one_finds() {
    let _alone = alone();
    let folder = Folder::new("plans");
    for (file, engine) in [
        ("rules/taquin.pl", "astar"),
        ("rules/romania.pl", "astar"),
        ("rules/romania.pl", "ucs"),
        ("rules/bridge.pl", "ucs"),
        ("rules/jugs.pl", "bfs"),
        ("rules/wolf.pl", "bfs"),
    ] {
        let arguments = ["solve", file, "--engine", engine, "--format", "json"];
        let known = result(&zug(&arguments).output().expect("zug"));
        let mut all =
            vec![zug(&[&arguments[..], &["--workers", "3"]].concat()).output().expect("zug")];
        let hosts = hosts_in(&folder, 2);
        all.extend(ended(all_started(&arguments, &hosts, 2)));
        for output in all {
            let found = result(&output);
            for field in ["outcome", "cost", "engine", "heuristic"] {
                assert_eq!(found[field], known[field], "{file} {engine} {field}");
            }
            let moves = |report: &Value| report["path"].as_array().map(Vec::len);
            if engine == "bfs" {
                assert_eq!(moves(&found), moves(&known), "{file}");
            }
            assert_eq!(output.status.code(), Some(0));
        }
    }
    let refused = |arguments: &[&str], why: &str| {
        let ended = zug(arguments).output().expect("zug");
        assert_eq!(ended.status.code(), Some(2), "{}", said(&ended));
        assert!(said(&ended).contains(why), "{}", said(&ended));
    };
    let workers = ["--workers", "2"];
    refused(
        &[&["solve", "rules/taquin.pl", "--engine", "idastar"][..], &workers].concat(),
        "several workers search by astar, ucs or bfs",
    );
    refused(
        &[&["solve", "rules/taquin.pl", "--disk", "layers"][..], &workers].concat(),
        "nothing is kept of a search for a plan",
    );
}

/// What is the same of a game, whoever solves it.
fn same_game(found: &Value, known: &Value, of: &str) {
    for field in [
        "outcome",
        "value",
        "values",
        "move",
        "line",
        "exact",
        "distance",
        "utilities",
        "engine",
        "player",
        "state",
        "instance",
    ] {
        assert_eq!(found[field], known[field], "{of}: {field}");
    }
    for field in ["nodes", "states", "iterations", "max_depth"] {
        assert_eq!(found["stats"][field], known["stats"][field], "{of}: {field}");
    }
}

/// Games of the tests, with what they are there for.
const GAMES: [(&str, &str); 3] = [
    (
        // Play can go round; a win is worth 1 and a draw a half, of which there is none but by repetition or as a float.
        "half.pl",
        "initial_state(s(0)).\n\
         initial_player(w).\n\
         opponent(w, b).\n\
         opponent(b, w).\n\
         move(_, K, s(N), s(M)) :- member(K, [1, 2, 7]), M is (N * 3 + K) mod 71.\n\
         terminal(_, s(N)) :- N >= 60.\n\
         utility(w, s(N), U) :- K is N mod 3, worth(K, U, _).\n\
         utility(b, s(N), U) :- K is N mod 3, worth(K, _, U).\n\
         worth(0, 0, 1).\n\
         worth(1, 0.5, 0.5).\n\
         worth(2, 1, 0).\n",
    ),
    (
        // States count as one, and have words that each worker meets by itself.
        "words.pl",
        "initial_state(p(x, x, 7)).\n\
         initial_player(w).\n\
         opponent(w, b).\n\
         opponent(b, w).\n\
         move(_, left(K), p(A, B, N), p(C, B, M)) :- take(K, N, M), atom_concat(A, K, C).\n\
         move(_, right(K), p(A, B, N), p(A, C, M)) :- take(K, N, M), atom_concat(B, K, C).\n\
         take(K, N, M) :- member(K, [1, 2]), N >= K, M is N - K.\n\
         terminal(_, p(_, _, 0)).\n\
         utility(_, p(_, _, 0), -1).\n\
         symmetry(p(A, B, N), p(B, A, N)).\n",
    ),
    (
        // Who scores moves again, and wins so much; several moves lead to the same state.
        "again.pl",
        "initial_state(g(12, 0)).\n\
         initial_player(a).\n\
         to_move(g(N, _), J) :- ( 0 =:= N mod 3 -> J = a ; 1 =:= N mod 4 -> J = b ; J = a ).\n\
         opponent(a, b).\n\
         opponent(b, a).\n\
         move(J, K, g(N, P), g(M, Q)) :- member(K, [1, 2, 3, 4]), M is max(0, N - K), gain(J, K, P, Q).\n\
         gain(a, K, P, Q) :- Q is min(9, P + K mod 2).\n\
         gain(b, K, P, Q) :- Q is max(-9, P - K mod 3).\n\
         terminal(_, g(0, _)).\n\
         utility(a, g(0, P), P).\n\
         utility(b, g(0, P), U) :- U is -P.\n",
    ),
];

#[test]
fn games_are_worth_what_one_finds() {
    let _alone = alone();
    let folder = Folder::new("games");
    let board = std::fs::read_to_string("rules/connect4.pl").expect("the rules");
    let board = board.replace("width(7).", "width(4).").replace("height(6).", "height(3).");
    std::fs::write(folder.text("board.pl"), board).expect("it is written");
    let mut files: Vec<String> = ["tictactoe", "kalah", "krk", "hare_and_hounds", "kayles", "nim"]
        .map(|name| format!("rules/{name}.pl"))
        .to_vec();
    for (name, rules) in GAMES {
        std::fs::write(folder.text(name), rules).expect("it is written");
        files.push(folder.text(name));
    }
    files.push(folder.text("board.pl"));
    for (at, file) in files.iter().enumerate() {
        let arguments = ["solve", file, "--format", "json"];
        let known = result(&zug(&arguments).output().expect("zug"));
        assert_eq!(known["outcome"], "solved", "{file}");
        for workers in ["1", "3"] {
            let arguments = [&arguments[..], &["--workers", workers]].concat();
            same_game(&result(&zug(&arguments).output().expect("zug")), &known, file);
        }
        // Two processes, and four; of two workers some of them.
        let (processes, workers) = if at % 2 == 0 { (2, "2") } else { (4, "1") };
        let arguments = [&arguments[..], &["--workers", workers]].concat();
        let hosts = hosts_in(&folder, processes);
        for output in ended(all_started(&arguments, &hosts, processes)) {
            same_game(&result(&output), &known, file);
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        }
    }
}

#[test]
fn games_that_are_not_for_several_workers() {
    let _alone = alone();
    let folder = Folder::new("not");
    let hosts = hosts_in(&folder, 2);
    let apart = folder.text("apart.pl");
    let rules = "initial_state(s(3)).\ninitial_player(a).\nopponent(a, b).\nopponent(b, a).\n\
                 move(_, K, s(N), s(M)) :- member(K, [1, 2]), M is N - K.\n\
                 terminal(_, s(N)) :- N =< 0.\nutility(a, s(_), 3).\n\
                 utility(b, s(N), U) :- U is N + 2.\n";
    std::fs::write(&apart, rules).expect("it is written");
    let late = folder.text("late.pl");
    // No end is seen before the search that shows what both get.
    let rules = "initial_state(s(9000, 0)).\ninitial_player(a).\nopponent(a, b).\nopponent(b, a).\n\
                 move(_, K, s(N, A), s(M, B)) :- member(K, [1, 2]), N > 0, M is N - 1, B is (A + K) mod 2.\n\
                 terminal(_, s(0, _)).\nutility(a, s(0, A), A).\nutility(b, s(0, A), B) :- B is 3 - A.\n";
    std::fs::write(&late, rules).expect("it is written");
    let refused = |arguments: &[&str], why: &str| {
        let ended = zug(&[&["solve"][..], arguments].concat()).output().expect("zug");
        assert_eq!(ended.status.code(), Some(2), "{}", said(&ended));
        assert!(said(&ended).contains(why), "{}", said(&ended));
    };
    let game = "rules/tictactoe.pl";
    refused(&["rules/pig.pl", "--workers", "2"], "several workers solve games without chance");
    refused(&["rules/coins.pl", "--workers", "2"], "several workers solve games of two players");
    let balanced = "games in which what one player wins the other loses";
    refused(&[&apart, "--workers", "2"], balanced);
    refused(&[game, "--workers", "2", "--engine", "alphabeta"], "solve games by solve_game");
    refused(&[game, "--workers", "2", "--depth", "3"], "solve games by solve_game");
    refused(&[game, "--workers", "2", "--symmetry"], "--symmetry is for one");
    refused(&[game, "--workers", "2", "--compact"], "--compact is for one");
    refused(&[game, "--workers", "2", "--save", "no.zug"], "several workers have no base");
    refused(&[game, "--disk", "layers"], "--workers");
    refused(&["rules/prisoners_dilemma.pl", "--workers", "2"], "is for puzzles, and this file");
    for output in ended(all_started(&["solve", &late], &hosts, 2)) {
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(balanced), "{}", said(&output));
    }
    // Layers of an enumeration have no moves.
    let disk = folder.text("layers");
    let kept = ["rules/nim.pl", "--workers", "2", "--disk", &disk];
    let ended = zug(&[&["enumerate"][..], &kept].concat()).output().expect("zug");
    assert_eq!(ended.status.code(), Some(0), "{}", said(&ended));
    refused(&kept, "the aim was another: all states there, the value of a game here");
}

#[test]
fn limits_and_interrupts_end_a_game() {
    let _alone = alone();
    let folder = Folder::new("game-limits");
    let arguments = ["solve", "rules/connect4.pl", "--instance", "small", "--format", "json"];
    let nodes = [&arguments[..], &["--nodes", "5000"]].concat();
    let hosts = hosts_in(&folder, 2);
    for output in ended(all_started(&nodes, &hosts, 2)) {
        let found = result(&output);
        assert_eq!((&found["outcome"], &found["reason"]), (&"stopped".into(), &"nodes".into()));
        assert_eq!((&found["stats"]["nodes"], &found["value"]), (&5000.into(), &Value::Null));
        assert_eq!(output.status.code(), Some(4));
    }
    let hosts = hosts_in(&folder, 2);
    let children = all_started(&arguments, &hosts, 2);
    std::thread::sleep(Duration::from_millis(1500));
    let began = Instant::now();
    let pid = children[1].id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    for output in ended(children) {
        assert_eq!(output.status.code(), Some(130), "{}", said(&output));
        assert_eq!(result(&output)["reason"], "cancelled");
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn a_game_goes_on_when_a_process_was_killed() {
    let _alone = alone();
    let folder = Folder::new("game-kill");
    let disk = folder.text("positions");
    let board = std::fs::read_to_string("rules/connect4.pl").expect("the rules");
    let file = folder.text("board.pl");
    let board = board.replace("width(7).", "width(4).").replace("height(6).", "height(4).");
    std::fs::write(&file, board).expect("it is written");
    let arguments = ["solve", &file, "--format", "json"];
    let known = result(&zug(&arguments).output().expect("zug"));
    let arguments = [&arguments[..], &["--disk", &disk]].concat();
    let file =
        |worker: usize| folder.join(format!("positions/process-{worker}/worker-{worker}.layers"));
    let hosts = hosts_in(&folder, 3);
    let mut children = all_started(&arguments, &hosts, 3);
    // When some layers are there.
    let began = Instant::now();
    while !file(1).metadata().is_ok_and(|found| found.len() > 20_000) {
        assert!(began.elapsed() < Duration::from_secs(60), "layers are written");
        std::thread::sleep(Duration::from_millis(1));
    }
    children[1].kill().expect("it is there");
    let struck = Instant::now();
    for (process, output) in ended(children).into_iter().enumerate().filter(|&(at, _)| at != 1) {
        let said = said(&output);
        assert_eq!(output.status.code(), Some(4), "{process}: {said}");
        assert!(said.contains("process 1 (127.0.0.1:"), "{said}");
        assert!(said.contains("the same commands go on from there"), "{said}");
    }
    assert!(struck.elapsed() < Duration::from_secs(5), "{:?}", struck.elapsed());
    let before = [0, 1, 2].map(|worker| std::fs::read(file(worker)).expect("layers"));
    // The second run goes on, and the third one has all positions.
    for _ in 0..2 {
        let hosts = hosts_in(&folder, 3);
        for output in ended(all_started(&arguments, &hosts, 3)) {
            same_game(&result(&output), &known, "connect4");
        }
    }
    for (worker, before) in before.iter().enumerate() {
        let after = std::fs::read(file(worker)).expect("layers");
        assert!(
            after.len() > before.len()
                && after.starts_with(&before[..20_000.min(before.len()) / 2])
        );
    }
}

#[test]
fn a_process_that_is_killed_ends_all_and_they_go_on() {
    let _alone = alone();
    let folder = Folder::new("kill");
    let disk = folder.text("layers");
    let arguments = ["enumerate", "rules/klotski.pl", "--instance", "1", "--format", "json"];
    let known = result(&zug(&arguments).output().expect("zug"));
    let arguments = [&arguments[..], &["--disk", &disk]].concat();
    let (mut killed, mut resumed) = (0, 0);
    for victim in [1, 0, 2] {
        let hosts = hosts_in(&folder, 3);
        let mut children = all_started(&arguments, &hosts, 3);
        // When some layers are there.
        let file = folder.join(format!("layers/process-{victim}/worker-{victim}.layers"));
        let grown = |bytes: u64| file.metadata().is_ok_and(|found| found.len() > bytes);
        let began = Instant::now();
        let before = file.metadata().map_or(0, |found| found.len());
        resumed += u64::from(before > 200);
        while !grown(before.max(200)) && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = children[victim].kill();
        let struck = Instant::now();
        for (process, output) in ended(children).into_iter().enumerate() {
            if process == victim || output.status.success() {
                continue;
            }
            killed += 1;
            let said = said(&output);
            assert_eq!(output.status.code(), Some(4), "{said}");
            assert!(said.contains(&format!("process {victim} (127.0.0.1:")), "{said}");
            assert!(said.contains(") was lost: its connection "), "{said}");
            assert!(said.contains("the same commands go on from there"), "{said}");
        }
        assert!(struck.elapsed() < Duration::from_secs(5), "{:?}", struck.elapsed());
    }
    assert!(killed > 0 && resumed > 0, "{killed} {resumed}");
    let hosts = hosts_in(&folder, 3);
    for output in ended(all_started(&arguments, &hosts, 3)) {
        let found = result(&output);
        same(&found, &known);
        assert_eq!(found["kept"], "in_files");
    }
    // Another run does not go on from there.
    let refused = zug(&[&arguments[..], &["--workers", "2"]].concat()).output().expect("zug");
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    let why = "was written in a run of which the number of processes was another: 3 there, 1 here";
    assert!(said(&refused).contains(why), "{}", said(&refused));
}

#[test]
fn interrupts_and_errors_end_all() {
    let _alone = alone();
    let folder = Folder::new("end");
    let wrong = folder.text("wrong.pl");
    let rules = "initial_state(0).\n\
                 rule(up, 1, X, Y) :- X < 2000, Y is X + 1.\n\
                 rule(odd, 1, X, Y) :- X =:= 1500, Y is X / nothing.\n\
                 final_state(2000).\n";
    std::fs::write(&wrong, rules).expect("it is written");
    let hosts = hosts_in(&folder, 2);
    let outputs = ended(all_started(&["enumerate", &wrong], &hosts, 2));
    let mut codes: Vec<_> = outputs.iter().map(|output| output.status.code()).collect();
    codes.sort_unstable();
    assert_eq!(codes, [Some(4), Some(5)], "{} {}", said(&outputs[0]), said(&outputs[1]));
    for output in outputs {
        let said = said(&output);
        match output.status.code() {
            Some(5) => assert!(said.contains("nothing/0"), "{said}"),
            _ => assert!(said.contains(") ended: an error in rule/4"), "{said}"),
        }
    }
}

#[test]
fn what_can_not_be_is_refused() {
    let _alone = alone();
    let folder = Folder::new("refused");
    let hosts = hosts_in(&folder, 2);
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let ended = zug(arguments).output().expect("zug");
        let said = said(&ended);
        assert_eq!(ended.status.code(), Some(code), "{said}");
        assert!(said.contains(why), "{said}");
    };
    let file = "rules/wolf.pl";
    let of = |hosts: &'static str| ["enumerate", file, "--process", "0", "--hosts", hosts];
    refused(&of("no/such/file"), 2, "can't read `no/such/file`");
    refused(&of("rules/wolf.pl"), 2, "line ");
    refused(&["enumerate", file, "--hosts", &hosts], 2, "--process");
    refused(&["enumerate", file, "--process", "1"], 2, "--hosts");
    refused(&["enumerate", file, "--workers", "0"], 2, "workers");
    refused(&["enumerate", file, "--workers", "2", "--threads", "2"], 2, "cannot be used with");
    refused(&["enumerate", file, "--hosts", &hosts, "--process", "2"], 2, "has 2 of them, 0 to 1");
    let alone = ["enumerate", file, "--hosts", &hosts, "--process", "0", "--wait", "1500ms"];
    refused(&alone, 4, "waiting for process 1 (127.0.0.1:");
    refused(&alone, 4, "1.5 s after the start process 1 (127.0.0.1:");
    let first = std::fs::read_to_string(&hosts).expect("hosts");
    let busy = TcpListener::bind(first.lines().next().expect("a line")).expect("it is free");
    refused(&alone, 2, "another program, or another run, listens there");
    drop(busy);
    // Others than are expected.
    let other = started(&["enumerate", "rules/jugs.pl", "--hosts", &hosts, "--process", "1"]);
    refused(
        &["enumerate", file, "--hosts", &hosts, "--process", "0"],
        2,
        "the fingerprint of the rules of process 1 (127.0.0.1:",
    );
    let other = other.wait_with_output().expect("it ends");
    assert!(said(&other).contains("is not that of process 1"), "{}", said(&other));
    let dice = folder.text("dice.pl");
    let rules = "initial_state(0).\nrule(roll, 1, _, Y) :- random(1, 7, Y).\nfinal_state(6).\n";
    std::fs::write(&dice, rules).expect("it is written");
    refused(&["enumerate", &dice, "--workers", "2"], 2, "several workers can't ask these rules");
}
