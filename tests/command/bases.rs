//! Bases of solved states, through the command line: answers as without them, refusals, what a
//! kill leaves, sizes. Answers are compared state by state in `domain::game::kept_tests`.

use crate::support::{Folder, zug};
use std::path::Path;
use std::process::{Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    zug(arguments).output().expect("zug starts")
}

/// Standard output of a command that succeeds.
fn said(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let text = said(&[arguments, &["--format", "json"]].concat());
    result(text.as_bytes())
}

/// The one result in the JSON of a command.
fn result(text: &[u8]) -> serde_json::Value {
    let report: serde_json::Value = serde_json::from_slice(text).expect("JSON");
    assert_eq!(report["results"].as_array().map(Vec::len), Some(1), "{report}");
    report["results"][0].clone()
}

/// A command that is refused: exit code 2, one message with these words in it.
fn refused(arguments: &[&str], words: &str) {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(errors.contains(words) && !errors.contains("bug in zug"), "{arguments:?}: {errors}");
}

/// What a report says of the game, without what it took.
fn verdict(report: &serde_json::Value) -> serde_json::Value {
    let fields = ["player", "value", "values", "move", "line", "exact", "distance", "error"];
    fields.iter().map(|field| report[field].clone()).collect()
}

#[test]
fn a_base_answers_as_the_engine() {
    let folder = Folder::new("answers");
    for game in ["tictactoe", "nim", "nim_heaps", "hare_and_hounds", "coins", "race", "hexapawn"] {
        let rules = &format!("rules/{game}.pl");
        let base = &folder.text(&format!("{game}.db"));
        let solved = json(&["solve", rules, "--engine", "solve_game", "--save", base]);
        let read = json(&["solve", rules, "--db", base]);
        assert_eq!(verdict(&solved), verdict(&read), "{game}");
        assert_eq!(read["from_base"], true, "{game}");
        assert_eq!(solved["from_base"], serde_json::Value::Null, "{game}");
        assert_eq!(solved["saved"]["complete"], true, "{game}");
        let info = json(&["db", "info", base]);
        assert_eq!(info["positions"]["all"], solved["saved"]["new"], "{game}");
        let checked = json(&["db", "check", base]);
        assert_eq!(checked["records"], info["positions"]["all"], "{game}");
        // Once more: nothing is written twice.
        let again = json(&["solve", rules, "--save", base]);
        assert_eq!(
            (&again["saved"]["new"], &again["saved"]["known"]),
            (&serde_json::json!(0), &solved["saved"]["new"])
        );
    }
}

/// At most 24 bytes a position: of the file for tic-tac-toe, of the positions for games so small
/// that the database itself is most of the file.
#[test]
fn sizes() {
    let folder = Folder::new("sizes");
    let base = &folder.text("tictactoe.db");
    said(&["solve", "rules/tictactoe.pl", "--save", base]);
    let info = json(&["db", "info", base]);
    assert_eq!(info["positions"]["all"], 5478);
    let file = Path::new(base).metadata().expect("a file").len();
    assert_eq!(info["bytes"], file);
    assert!(file <= 24 * 5478, "{file}");
    let base = &folder.text("nim.db");
    said(&["solve", "rules/nim.pl", "--save", base]);
    let info = json(&["db", "info", base]);
    assert!(info["positions"]["bytes_each"].as_f64().is_some_and(|each| each <= 24.0), "{info}");
    // With heaps enough all of the file is.
    let rules = std::fs::read_to_string("rules/nim.pl").expect("the rules");
    let many = folder.write("many.pl", rules.replace("matches(16)", "matches(3000)"));
    let base = &folder.text("many.db");
    let saved = json(&["solve", &many, "--save", base]);
    let positions = saved["saved"]["all"].as_u64().expect("a number");
    let file = Path::new(base).metadata().expect("a file").len();
    assert!(file <= 24 * positions, "{file} for {positions}");
}

/// Connect Four on 4 x 4, some 161,029 positions: by `cargo test -- --ignored` in a release build.
#[test]
#[ignore = "takes ten seconds without optimisation"]
fn size_of_connect_four() {
    let folder = Folder::new("connect4");
    let rules = connect_four(&folder, 4, 4);
    let base = &folder.text("connect4.db");
    let saved = json(&["solve", &rules, "--save", base]);
    assert_eq!(saved["saved"]["all"], 161_029);
    let file = Path::new(base).metadata().expect("a file").len();
    assert!(file <= 24 * 161_029, "{file}");
}

fn connect_four(folder: &Folder, width: u32, height: u32) -> String {
    let rules = std::fs::read_to_string("rules/connect4.pl").expect("the rules");
    let rules = rules.replace("width(7).", &format!("width({width})."));
    let rules = rules.replace("height(6).", &format!("height({height})."));
    folder.write(&format!("connect_{width}x{height}.pl"), &rules)
}

#[test]
fn queries_and_play_from_a_base() {
    let folder = Folder::new("queries");
    let base = &folder.text("nim.db");
    said(&["solve", "rules/nim.pl", "--save", base]);
    let goals = [
        "findall(N, (between(1, 16, N), losing(a, N)), Ns)",
        "best_move(b, 7, M)",
        "game_length(a, 14, N)",
        "solve_game(a, S, V)",
        "strategy(a, 6, T)",
    ];
    for goal in goals {
        let plain = said(&["query", "rules/nim.pl", goal]);
        let output = run(&["query", "rules/nim.pl", goal, "--db", base]);
        assert_eq!(plain, String::from_utf8_lossy(&output.stdout), "{goal}");
    }
    // 17 matches are not in it.
    let output = run(&["query", "rules/nim.pl", "winning(a, 18)", "--db", base]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "true\n");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("one state asked for is not in"), "{errors}");
    let game = ["play", "rules/nim.pl", "--against", "solve_game", "--against", "level:9"];
    let rest = ["--games", "4", "--seed", "3"];
    let with = [&game[..], &rest, &["--db", base]].concat();
    assert_eq!(said(&with), said(&[&game[..], &rest].concat()));
    // The predicate does the same.
    let goal = format!("use_base('{base}'), winning(a, 16)");
    assert_eq!(said(&["query", "rules/nim.pl", &goal]), "true\n");
    let goal = "catch(use_base('nothing.db'), error(permission_error(open, base, F), _), true)";
    assert_eq!(said(&["query", "rules/nim.pl", goal]), "F = 'nothing.db'\n");
}

#[test]
fn what_is_refused() {
    let folder = Folder::new("refused");
    let base = &folder.text("nim.db");
    let nim = "rules/nim.pl";
    said(&["solve", nim, "--save", base]);
    let before = std::fs::read(base).expect("a base");
    let other = "rules/tictactoe.pl";
    for rest in [["--db", base], ["--save", base]] {
        refused(&[&["solve", other][..], &rest].concat(), "was made of other rules");
    }
    refused(&["query", other, "true", "--db", base], "was made of other rules");
    refused(&["play", other, "--db", base], "was made of other rules");
    refused(&["--db", base, other], "was made of other rules");
    refused(&["solve", nim, "--db", &folder.text("nothing.db")], "there is no base");
    refused(&["solve", nim, "--db", &folder.text("")], "is a folder");
    refused(&["solve", nim, "--save", &folder.text("")], "is a folder");
    refused(&["solve", nim, "--save", &folder.text("no/where.db")], "can't write");
    let text = &folder.write("text.txt", "something that somebody wrote");
    for rest in [&["--db", text][..], &["--save", text], &["--save", text, "--force"]] {
        refused(&[&["solve", nim][..], rest].concat(), "is no base of zug");
    }
    assert_eq!(std::fs::read(text).expect("it is there"), b"something that somebody wrote");
    refused(&["solve", nim, "--engine", "alphabeta", "--save", base], "keeps exact results");
    refused(&["solve", "rules/taquin.pl", "--save", base], "was made of other rules");
    refused(&["enumerate", nim, "--save", base], "zug solve");
    // Parts of it, and it with other bytes in it: refused or read, never a panic.
    for part in [0usize, 1, 9, 100, 5_000, 20_000] {
        let cut = folder.text("cut.db");
        std::fs::write(&cut, &before[..part]).expect("written");
        refused(&["db", "info", &cut], &cut);
    }
    let mut random = 7u64;
    for round in 0..30 {
        let mut bytes = before.clone();
        for _ in 0..(1 << (round % 10)) {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let at = (random >> 33) as usize % bytes.len();
            bytes[at] ^= 1 << (random >> 60 & 7);
        }
        let bad = folder.text("bad.db");
        std::fs::write(&bad, &bytes).expect("written");
        for arguments in [&["db", "check", &bad][..], &["solve", nim, "--db", &bad]] {
            let output = run(arguments);
            let code = output.status.code();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(code, Some(0 | 2)), "{code:?} {errors}");
        }
    }
    assert!(std::fs::read(base).expect("it is there") == before, "what was refused is as before");
    // By force another game takes its place.
    said(&["solve", other, "--save", base, "--force"]);
    assert_eq!(json(&["db", "info", base])["rules"], other);
}

/// Comments, the start and the pictures may be others; moves and ends may not.
#[test]
fn rules_are_known_by_what_they_mean() {
    let folder = Folder::new("fingerprints");
    let text = std::fs::read_to_string("rules/nim.pl").expect("the rules");
    let base = &folder.text("nim.db");
    said(&["solve", "rules/nim.pl", "--save", base]);
    let same = [
        ("% Nim", "% Some other words about Nim"),
        ("matches(16)", "matches(9)"),
        ("N2 is N1 - K", "N2   is   N1-K"),
        ("Limit", "AtMost"),
        ("write(' |')", "write(' !')"),
        ("heuristic(_, _, 0)", "heuristic(_, _, 1)"),
    ];
    for (old, new) in same {
        let rules = folder.write("same.pl", text.replace(old, new));
        let read = json(&["solve", &rules, "--db", base]);
        assert_eq!(read["from_base"], true, "{new}");
    }
    let others = [
        ("most(3)", "most(4)"),
        ("last_match(loses)", "last_match(wins)"),
        ("N2 is N1 - K", "N2 is N1 - K * 1"),
        ("terminal(_, 0).", "terminal(_, 0). terminal(a, 1)."),
    ];
    for (old, new) in others {
        let rules = folder.write("other.pl", text.replacen(old, new, 1));
        refused(&["solve", &rules, "--db", base], "was made of other rules");
    }
}

/// What rules look at outside of clauses belongs to them: another program's values are not read.
#[test]
fn what_rules_look_at_outside_of_clauses_counts() {
    let folder = Folder::new("outside");
    let game = "initial_state(7). initial_player(x). opponent(x, o). opponent(o, x).\n\
         move(_, T, S, S1) :- between(1, 3, T), S >= T, S1 is S - T.\nterminal(_, 0).\n";
    let kinds = [
        (":- initialization(nb_setval(u, V)).", "nb_getval(u, U)"),
        (":- nb_setval(u, V).", "b_getval(u, U)"),
        (":- flag(u, _, V).", "flag(u, U, U)"),
        (":- recordz(u, V).", "recorded(u, U)"),
        (":- recordz(u(1), V).", "recorded(u(_), U)"),
        (":- create_prolog_flag(u, V, []).", "current_prolog_flag(u, U)"),
        (":- table best(_, V). best(w, -1). best(w, 1).", "best(w, U)"),
        (
            ":- table best(_, lattice(V/3)). best(w, -1). best(w, 1).\n\
          max(A, B, C) :- C is max(A, B). min(A, B, C) :- C is min(A, B).",
            "best(w, U)",
        ),
    ];
    for (at, (sets, looks)) in kinds.into_iter().enumerate() {
        let write = |name: &str, value: &str| {
            let sets = sets.replace('V', value);
            folder.write(name, format!("{sets}\n{game}utility(_, 0, U) :- {looks}.\n"))
        };
        let values = if sets.contains("table") { ["min", "max"] } else { ["-1", "1"] };
        let (one, other) = (write("one.pl", values[0]), write("other.pl", values[1]));
        let base = &folder.text(&format!("{at}.db"));
        said(&["solve", &one, "--save", base]);
        assert_eq!(json(&["solve", &one, "--db", base])["from_base"], true, "{sets}");
        refused(&["solve", &other, "--db", base], "was made of other rules");
        refused(&["solve", &other, "--save", base], "was made of other rules");
    }
    // What nothing looks at does not matter.
    let write = |name: &str, value: &str| {
        let rules = format!(":- nb_setval(u, {value}).\n{game}utility(_, 0, -1).\n");
        folder.write(name, &rules)
    };
    let base = &folder.text("unread.db");
    said(&["solve", &write("one.pl", "1"), "--save", base]);
    assert_eq!(json(&["solve", &write("other.pl", "2"), "--db", base])["from_base"], true);
}

/// Another start of the same rules goes into the same base.
#[test]
fn another_start_is_added() {
    let folder = Folder::new("starts");
    let base = &folder.text("connect.db");
    let [small, wide] = [(3, 3), (4, 3)].map(|(w, h)| connect_four(&folder, w, h));
    let first = json(&["solve", &small, "--save", base]);
    let second = json(&["solve", &wide, "--save", base]);
    let new = |report: &serde_json::Value| report["saved"]["new"].as_u64().expect("a number");
    assert_eq!(second["saved"]["all"], new(&first) + new(&second));
    let info = json(&["db", "info", base]);
    assert_eq!(info["starts"].as_array().map(Vec::len), Some(2));
    for rules in [&small, &wide] {
        let read = json(&["solve", rules, "--db", base]);
        assert_eq!(read["from_base"], true);
        assert_eq!(verdict(&read), verdict(&json(&["solve", rules])));
    }
}

/// Killed at any time a base is whole, and what was cut off goes on.
#[cfg(unix)]
#[test]
fn killed_and_taken_up_again() {
    let folder = Folder::new("kills");
    let rules = connect_four(&folder, 4, 3);
    let base = folder.text("killed.db");
    let save = ["solve", &rules, "--save", &base];
    // How long it takes, to kill it at times all over it.
    let began = std::time::Instant::now();
    let whole = json(&["solve", &rules, "--save", &folder.text("whole.db")]);
    let took = began.elapsed();
    let mut random = 11u64;
    let mut kills = 0;
    for round in 0..24 {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let part = (random >> 40) as f64 / (1u64 << 24) as f64;
        let mut child = zug(&save).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.as_mut().expect("zug starts");
        std::thread::sleep(took.mul_f64(0.2 + part * 0.8));
        let _ = child.kill();
        kills += usize::from(!child.wait().expect("it ends").success());
        if !Path::new(&base).metadata().is_ok_and(|file| file.len() > 0) {
            continue;
        }
        let output = run(&["db", "check", &base]);
        let errors = String::from_utf8_lossy(&output.stderr);
        // Killed before anything was committed there is nothing to read.
        let nothing = ["nothing was ever kept", "there is no base"];
        let nothing = nothing.iter().any(|words| errors.contains(words));
        assert!(output.status.success() || nothing, "{errors}");
        if round % 6 == 5 {
            let _ = std::fs::remove_file(&base);
        }
    }
    assert!(kills > 0, "some were killed");
    let done = json(&save);
    assert_eq!(done["saved"]["complete"], true);
    assert_eq!(done["saved"]["all"], whole["saved"]["all"]);
    assert_eq!(json(&["db", "check", &base])["records"], whole["saved"]["all"]);
    // All of it is the same as what was never killed.
    let [killed, whole] = [&base, &folder.text("whole.db")]
        .map(|base| json(&["db", "info", base])["positions"].clone());
    for field in ["all", "won", "drawn", "lost", "largest_distance"] {
        assert_eq!(killed[field], whole[field], "{field}");
    }
}

/// What is being written nobody else reads or writes; what is read others may read.
#[cfg(unix)]
#[test]
fn two_at_once() {
    let folder = Folder::new("two");
    let base = &folder.text("nim.db");
    said(&["solve", "rules/nim.pl", "--save", base]);
    let mut reader = zug(&["--db", base, "rules/nim.pl"]);
    let mut reader =
        reader.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    {
        use std::io::{BufRead, BufReader, Write};
        let mut input = reader.stdin.take().expect("a pipe");
        writeln!(input, "winning(a, 16).").expect("it listens");
        let mut output = BufReader::new(reader.stdout.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains("true") {
            line.clear();
            assert!(output.read_line(&mut line).expect("it answers") > 0);
        }
        assert_eq!(json(&["solve", "rules/nim.pl", "--db", base])["from_base"], true);
        // What is there already is read as well, and what is not can't be written.
        let again = json(&["solve", "rules/nim.pl", "--save", base]);
        assert_eq!((&again["from_base"], &again["saved"]["new"]), (&true.into(), &0.into()));
        let more = ["solve", "rules/nim.pl", "--state", "20", "--save", base];
        refused(&more, "in use by another process");
    }
    assert!(reader.wait().expect("it ends").success());
    let more = json(&["solve", "rules/nim.pl", "--state", "20", "--save", base]);
    assert_ne!(more["saved"]["new"], 0);
}

/// The cost of every state of a puzzle, and plans read off.
#[test]
fn costs_of_a_puzzle() {
    let folder = Folder::new("costs");
    for puzzle in ["jugs", "wolf", "missionaries", "romania", "frogs", "bridge"] {
        let rules = &format!("rules/{puzzle}.pl");
        let base = &folder.text(&format!("{puzzle}.db"));
        let space = json(&["enumerate", rules, "--save", base]);
        assert_eq!(space["saved"]["new"], space["states"], "{puzzle}");
        for engine in ["ucs", "astar"] {
            let with = run(&["solve", rules, "--engine", engine, "--format", "json", "--db", base]);
            let plain = run(&["solve", rules, "--engine", engine, "--format", "json"]);
            assert_eq!(with.status.code(), plain.status.code(), "{puzzle}");
            if plain.status.code() != Some(0) {
                continue;
            }
            let [with, plain] = [with, plain].map(|output| result(&output.stdout));
            assert_eq!(with["cost"], plain["cost"], "{puzzle}");
            assert_eq!((&with["from_base"], &with["optimal"]), (&true.into(), &true.into()));
        }
    }
}

/// A search from elsewhere comes by states whose costs are known: the plan is as cheap.
/// Plans that were proved the cheapest are kept and read off again; others are not kept.
#[test]
fn plans_of_a_puzzle() {
    let folder = Folder::new("plans");
    let (rules, base) = ("rules/taquin.pl", &*folder.text("taquin.db"));
    let solve = |engine, instance, more: &[&str]| {
        json(&[&["solve", rules, "--engine", engine, "--instance", instance][..], more].concat())
    };
    let plan = |report: &serde_json::Value| (report["cost"].clone(), report["path"].clone());
    for (engine, instance, cost) in [("astar", "ten", 10), ("idastar", "twenty", 20)] {
        let plain = solve(engine, instance, &[]);
        let kept = solve(engine, instance, &["--save", base]);
        assert_eq!(plain["cost"], cost);
        assert_eq!(plan(&kept), plan(&plain), "{instance}");
        assert!(kept["saved"]["new"].as_u64() > Some(cost / 2), "{kept}");
        assert_eq!(kept["from_base"], serde_json::Value::Null);
        for engine in ["astar", "ucs", "idastar"] {
            for way in ["--db", "--save"] {
                let read = solve(engine, instance, &[way, base]);
                assert_eq!(plan(&read), plan(&plain), "{engine} {instance}");
                assert_eq!(read["from_base"], true, "{engine} {instance}");
                assert_eq!(read["saved"], serde_json::Value::Null, "nothing is new");
            }
        }
    }
    // What lies beside the plans is searched as without them.
    let (alone, beside) =
        (solve("astar", "thirty", &[]), solve("astar", "thirty", &["--db", base]));
    assert_eq!(plan(&beside), plan(&alone));
    assert_eq!(beside["stats"]["expanded"], alone["stats"]["expanded"]);
    let info = json(&["db", "info", base]);
    assert_eq!(info["complete"], true);
    assert_eq!(info["starts"].as_array().map(Vec::len), Some(2), "{info}");
    assert!((20..=32).contains(&info["costs"]["all"].as_u64().expect("a count")), "{info}");
    let before = info["costs"]["all"].clone();
    for engine in ["greedy", "dfs"] {
        let found = run(&["solve", rules, "--engine", engine, "--instance", "two", "--save", base]);
        let errors = String::from_utf8_lossy(&found.stderr);
        assert!(errors.contains("the plan is not kept"), "{engine}: {errors}");
    }
    assert_eq!(json(&["db", "info", base])["costs"]["all"], before);
    // Costs that are no integers, and a heuristic that says too much.
    let rules = folder.write(
        "roads.pl",
        "initial_state(a). final_state(d).\nrule(on, C, X, Y) :- road(X, Y, C).\n\
         road(a, b, 1.5). road(b, d, 1.25). road(a, d, 2.8).\n\
         heuristic(S, H) :- memberchk(S-H, [a-0, b-9, d-0]).\n",
    );
    let (roads, too_much) = (&*folder.text("roads.db"), &*folder.text("none.db"));
    let kept = json(&["solve", &rules, "--engine", "ucs", "--save", roads]);
    let read = json(&["solve", &rules, "--engine", "ucs", "--db", roads]);
    assert_eq!((&kept["cost"], &kept["saved"]["new"]), (&2.75.into(), &3.into()));
    assert_eq!((plan(&read), &read["from_base"]), (plan(&kept), &true.into()));
    let wrong = json(&["solve", &rules, "--engine", "astar", "--save", too_much]);
    assert_eq!((&wrong["cost"], &wrong["path"].as_array().map(Vec::len)), (&2.8.into(), &Some(1)));
    // A search without the heuristic finds the cheaper one: the plan is not kept.
    assert_eq!((&wrong["optimal"], &wrong["cheapest"]), (&false.into(), &2.75.into()));
    assert!(wrong.get("saved").is_none() && !std::path::Path::new(too_much).exists());
    refused(&["solve", &rules, "--save", base], "other rules");
}

#[test]
fn a_perimeter_is_met() {
    let folder = Folder::new("perimeter");
    // Down is one way only: what can be reached from 30 is not all.
    let text = "initial_state(low, 30). initial_state(high, 60). initial_state(none, s).\n\
                final_state(0).\n\
                rule(one, 2, N, M) :- integer(N), N > 0, M is N - 1.\n\
                rule(third, 5, N, M) :- integer(N), N > 0, N mod 3 =:= 0, M is N // 3.\n\
                rule(half, 3, N, M) :- integer(N), N > 0, N mod 2 =:= 0, M is N // 2.\n";
    let rules = &folder.write("down.pl", text);
    let base = &folder.text("down.db");
    let space = json(&["enumerate", rules, "--instance", "low", "--save", base]);
    assert_eq!(space["states"], 31);
    let low = json(&["solve", rules, "--instance", "low", "--db", base]);
    assert_eq!(low["from_base"], true);
    let plain = json(&["solve", rules, "--instance", "high"]);
    let output = run(&["solve", rules, "--instance", "high", "--db", base, "--format", "json"]);
    let with = result(&output.stdout);
    assert_eq!(with["cost"], plain["cost"]);
    assert_eq!(with["optimal"], true);
    let expanded = |report: &serde_json::Value| report["stats"]["expanded"].as_u64();
    assert!(expanded(&with) < expanded(&plain), "{with} {plain}");
    // From what is known to lead nowhere there is no plan.
    said(&["enumerate", rules, "--instance", "none", "--save", base]);
    let output = run(&["solve", rules, "--instance", "none", "--db", base]);
    assert_eq!(output.status.code(), Some(1));
}

/// A policy lies in the base of its rules, beside the positions.
#[test]
fn a_policy_in_a_base() {
    let folder = Folder::new("policies");
    let base = &folder.text("nim.db");
    let nim = "rules/nim.pl";
    said(&["solve", nim, "--save", base]);
    let train = ["train", nim, "--games", "300", "--seed", "1", "--save"];
    said(&[&train[..], &[base]].concat());
    let file = &folder.text("nim.policy");
    said(&[&train[..], &[file]].concat());
    let info = json(&["db", "info", base]);
    assert_eq!(info["policies"][0]["name"], "policy");
    let play = |policy: &str| {
        let policy = format!("policy:{policy}");
        let against = ["--against", &policy, "--against", "random", "--games", "9", "--seed", "2"];
        said(&[&["play", nim][..], &against].concat())
            .replace(policy.trim_start_matches("policy:"), "FILE")
    };
    assert_eq!(play(base), play(file));
    // Positions are there still.
    assert_eq!(json(&["solve", nim, "--db", base])["from_base"], true);
    let other = &folder.text("other.db");
    said(&["solve", nim, "--save", other]);
    refused(&["play", nim, "--against", &format!("policy:{other}")], "there is no policy in");
    refused(&["train", "rules/tictactoe.pl", "--games", "9", "--save", base], "other rules");
}

/// The status of a command that ends within a minute.
fn ends(arguments: &[&str]) -> Option<i32> {
    let mut child =
        zug(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("zug starts");
    let began = std::time::Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.code();
        }
        if began.elapsed() > std::time::Duration::from_secs(60) {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// Pages that lead back to each other, bytes that are others, an end that is missing: what is left
/// of a base is read or refused, and a walk over it comes to an end.
#[test]
fn a_damaged_base_is_read_or_refused() {
    const PAGE: usize = 4096;
    let folder = Folder::new("damaged");
    let (rules, path) = ("rules/tictactoe.pl", folder.text("whole.db"));
    said(&["solve", rules, "--save", &path]);
    let whole = std::fs::read(&path).expect("a base");
    let pages = whole.len() / PAGE;
    let mut seed = 1_usize;
    let mut draw = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    for number in 0..60 {
        let mut bytes = whole.clone();
        match number % 4 {
            0 => {
                let (from, to) = (draw(pages) * PAGE, draw(pages) * PAGE);
                bytes.copy_within(from..from + PAGE, to);
            }
            1 => (0..1 + draw(40)).for_each(|_| bytes[draw(whole.len())] = draw(256) as u8),
            2 => bytes.truncate(draw(whole.len())),
            _ => (0..1 + draw(4)).for_each(|_| bytes[draw(320)] = draw(256) as u8),
        }
        let damaged = folder.text("damaged.db");
        std::fs::write(&damaged, &bytes).expect("a file");
        for command in ["check", "info"] {
            let status = ends(&["db", command, &damaged]);
            assert!(matches!(status, Some(0 | 2 | 5)), "{command} of {number}: {status:?}");
        }
    }
}

/// Fields of a report that a derived heuristic decides.
fn searched(report: &serde_json::Value) -> serde_json::Value {
    let counts = ["expanded", "generated", "evaluated", "dead_ends", "peak_open"];
    let counts = counts.iter().map(|count| report["stats"][count].clone());
    ["engine", "outcome", "cost", "path"]
        .iter()
        .map(|field| report[field].clone())
        .chain(counts)
        .collect()
}

/// Of moves that shuffle values and of others, whose heuristics are of one start.
#[test]
fn derived_heuristics_are_read_again() {
    let folder = Folder::new("derived");
    let derived = ["--heuristic", "derived", "--no-verify"];
    for (rules, engine, first, second, is_for_all) in [
        ("rules/taquin.pl", "astar", "ten", "twenty", true),
        ("tests/domains/hanoi_disks.pl", "greedy", "1", "1", false),
    ] {
        let base = &folder.text(&format!("{}.db", rules.replace('/', "-")));
        let solve = |instance: &str, more: &[&str]| {
            let asked = ["solve", rules, "--engine", engine, "--instance", instance];
            json(&[&asked[..], &derived, more].concat())
        };
        let saved = solve(first, &["--save", base]);
        assert_eq!(saved["saved"]["heuristics"], 1, "{saved}");
        assert_eq!(saved["derived_from_base"], serde_json::Value::Null);
        let info = json(&["db", "info", base]);
        let kept = &info["heuristics"];
        assert_eq!(kept.as_array().map(Vec::len), Some(1), "{info}");
        assert!(kept[0]["about"].as_str().is_some_and(|about| about.starts_with("distances")));
        assert_eq!(info["policies"], serde_json::Value::Null);
        said(&["db", "check", base]);
        let (plain, read) = (solve(second, &[]), solve(second, &["--db", base]));
        assert_eq!(searched(&plain), searched(&read), "{rules}");
        assert_eq!(read["derived_from_base"], true, "{read}");
        assert_eq!(plain["stats"]["peak_memory_bytes"], read["stats"]["peak_memory_bytes"]);
        // Tables count, which are most of what is kept.
        let [held, kept] =
            [&plain["stats"]["peak_memory_bytes"], &kept[0]["bytes"]].map(|n| n.as_u64());
        assert!(held > kept.map(|bytes| bytes / 2), "{held:?} {kept:?}");
        assert!(read["saved"].is_null() && plain["derived_from_base"].is_null());
        // What is there is not kept twice.
        let again = solve(second, &["--save", base]);
        assert_eq!(again["derived_from_base"], true, "{again}");
        assert_eq!(json(&["db", "info", base])["heuristics"].as_array().map(Vec::len), Some(1));
        if !is_for_all {
            let other =
                ["solve", rules, "--engine", engine, "--state", "[b,a,a,a,a]", "--db", base];
            let other = json(&[&other[..], &derived].concat());
            assert_eq!(other["derived_from_base"], serde_json::Value::Null);
        }
    }
}

/// A search by a derived heuristic that reads no plan from a base.
fn greedy<'a>(rules: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let derived = ["--engine", "greedy", "--heuristic", "derived", "--instance", "ten"];
    [&["solve", rules], &derived[..], more].concat()
}

#[test]
fn a_derived_heuristic_of_other_rules_is_not_read() {
    let folder = Folder::new("derived-other");
    let base = &folder.text("taquin.db");
    let text = std::fs::read_to_string("rules/taquin.pl").expect("the rules");
    let rules = folder.write("rules.pl", &text);
    json(&greedy(&rules, &["--save", base]));
    assert_eq!(json(&greedy(&rules, &["--db", base]))["derived_from_base"], true);
    // Another goal, and other moves.
    folder.write(
        "rules.pl",
        text.replace("[h,vide,d],\n             [g,f,e]", "[h,d,vide],\n             [g,f,e]"),
    );
    refused(&greedy(&rules, &["--db", base]), "was made of other rules");
    folder.write("rules.pl", text.replace("rule(up,    1,", "rule(up,    2,"));
    refused(&greedy(&rules, &["--db", base]), "was made of other rules");
    let anew = json(&greedy(&rules, &["--save", base, "--force"]));
    assert_eq!(anew["derived_from_base"], serde_json::Value::Null);
    assert_eq!(anew["saved"]["heuristics"], 1);
}

/// A table with one byte that is another is not used, and said to be damaged.
#[test]
fn a_derived_heuristic_that_is_damaged_is_not_used() {
    let folder = Folder::new("derived-damaged");
    let base = &folder.text("taquin.db");
    let plain = json(&greedy("rules/taquin.pl", &["--save", base]));
    let mut bytes = std::fs::read(base).expect("the base");
    // Some way behind the words about it.
    let words = b"distances when only";
    let at = bytes.windows(words.len()).position(|part| part == words).expect("words") + 5000;
    bytes[at] ^= 1;
    std::fs::write(base, &bytes).expect("it can be written");
    let read = run(&greedy("rules/taquin.pl", &["--db", base, "--format", "json"]));
    let errors = String::from_utf8_lossy(&read.stderr);
    assert!(errors.contains("is damaged"), "{errors}");
    assert_eq!(searched(&result(&read.stdout)), searched(&plain));
    assert_eq!(result(&read.stdout)["derived_from_base"], serde_json::Value::Null);
    refused(&["db", "check", base], "is damaged");
}

#[test]
fn values_of_rules_in_doubt_are_kept_on_condition() {
    let folder = Folder::new("doubt");
    let rules = folder.write(
        "luck.pl",
        "initial_state(6).\ninitial_player(a).\nopponent(a, b).\nopponent(b, a).\n\
         move(_, take(N), S, T) :- between(1, 3, N), N =< S, random(X), X < 2, T is S - N.\n\
         terminal(_, 0).\nutility(_, 0, -1).\n",
    );
    let base = folder.text("luck.db");
    let condition = format!("move/4 always gives the same answers; it calls random/1 at {rules}:5");
    for arguments in [["--save", &base], ["--db", &base]] {
        let found = json(&[&["solve", &rules], &arguments[..]].concat());
        assert_eq!(found["value"], 1);
        assert_eq!(found["exact"], serde_json::Value::Null);
        assert_eq!(found["exact_if"], condition.as_str());
    }
    let about = said(&["db", "info", &base]);
    assert!(about.contains("by solve_game if `move/4` always gives the same answers"), "{about}");
}
