//! How much work searches and queries are: inferences of the machine, states expanded and
//! generated, questions answered by code and by the machine, the size of the code that rules
//! become. All of it is the same in every run, so `tests/work/expected.txt` has it exactly, and what
//! becomes slower without a reason is seen here. `ZUG_WORK=overwrite cargo test --test all work` writes
//! the file anew; its difference belongs into the change that makes it.

use crate::support::{ask, root};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;
use zug::SolveRequest;
use zug_domain::{Contract, RuleProblem};
use zug_prolog::session::Session;
use zug_search::{Limits, Successors};

/// Rule files with an engine, and an instance of those that have several.
const SEARCHES: &[(&str, &str, &str)] = &[
    ("rules/taquin.pl", "astar", ""),
    ("rules/taquin.pl", "idastar", ""),
    ("rules/taquin.pl", "bfs", ""),
    ("rules/taquin15.pl", "idastar", "easy20"),
    ("rules/taquin15.pl", "astar", "easy20"),
    ("rules/taquin15.pl", "beam", "easy20"),
    ("rules/sokoban.pl", "astar", ""),
    ("rules/missionaries.pl", "bfs", ""),
    ("rules/wolf.pl", "iddfs", ""),
    ("rules/hanoi.pl", "ucs", ""),
    ("rules/jugs.pl", "ucs", ""),
    ("rules/bridge.pl", "ucs", ""),
    ("rules/romania.pl", "greedy", ""),
    ("rules/eight_queens.pl", "dfs", ""),
    ("rules/frogs.pl", "astar", ""),
    ("rules/tictactoe.pl", "solve_game", ""),
    ("rules/nim.pl", "solve_game", ""),
    ("rules/hexapawn.pl", "solve_game", ""),
    ("rules/tictactoe.pl", "alphabeta", ""),
    ("rules/connect4.pl", "alphabeta", "depth 6"),
    ("rules/connect4.pl", "mcts", "depth 6"),
    ("rules/kayles.pl", "solve_game", ""),
    ("rules/reversi.pl", "alphabeta", "depth 3"),
    ("tests/domains/tiles_rows.pl", "", ""),
    ("tests/domains/tiles15_collected.pl", "idastar", ""),
    ("tests/domains/tiles15_scanned.pl", "idastar", ""),
    ("tests/domains/tiles15_searched.pl", "idastar", ""),
    ("tests/domains/tiles_struct.pl", "", ""),
    ("tests/domains/tiles_positions.pl", "", ""),
    ("tests/domains/lights_out.pl", "", ""),
    ("tests/domains/pancakes.pl", "", ""),
    ("tests/domains/peg_triangle.pl", "", ""),
    ("tests/domains/rushhour.pl", "", ""),
    ("tests/domains/ttt_rows.pl", "", ""),
    ("tests/domains/ttt_vars.pl", "", ""),
    ("tests/domains/three_nim.pl", "", ""),
];

/// Goals, each over a file.
const QUERIES: &[(&str, &str)] = &[
    ("benches/prolog/nrev.pl", "range(1, 30, L), bench(200, L)"),
    ("benches/prolog/zebra.pl", "houses(O)"),
    ("benches/prolog/tak.pl", "tak(18, 12, 6, A)"),
    ("rules/taquin.pl", "astar(P, C)"),
    ("rules/wolf.pl", "findall(N-S, rule(N, _, state(left, left, left, left), S), L)"),
    ("rules/nim.pl", "numlist(1, 2000, L), sum_list(L, S), msort(L, M), length(M, N)"),
    ("rules/nim.pl", "findall(X-Y, (between(1, 60, X), between(1, X, Y)), L), keysort(L, M)"),
    ("rules/nim.pl", "atom_codes(A, \"abc\"), findall(A, between(1, 500, _), L), sort(L, M)"),
];

/// The fewest lines that the record may have.
const FEWEST: usize = SEARCHES.len() + QUERIES.len() + 15;

fn session(file: &str) -> Session {
    let (mut session, _) = zug_tools::language::captured("");
    let findings = session.load_file(&root().join(file)).expect("it can be read");
    let error = findings.iter().find(|finding| finding.is_error());
    assert!(error.is_none(), "{file}: {error:?}");
    session
}

/// The counts of a report that are the same in every run.
fn counts(report: &Value) -> String {
    let mut text = String::new();
    for name in ["expanded", "generated", "evaluated", "reopened", "nodes", "states_asked", "asked"]
    {
        if let Some(count) = report["stats"].get(name).or(report.get(name)) {
            let _ = write!(text, " {name} {count}");
        }
    }
    for name in ["by_code", "by_machine"] {
        if let Some(count) = report["code"].get(name) {
            let _ = write!(text, " {name} {count}");
        }
    }
    text
}

fn search(file: &str, engine: &str, how: &str) -> String {
    let mut session = session(file);
    let before = session.machine.inferences();
    let engine = (!engine.is_empty()).then(|| engine.to_owned());
    let depth = how.strip_prefix("depth ").map(|depth| depth.parse().expect("a number"));
    let instance = (depth.is_none() && !how.is_empty()).then(|| how.to_owned());
    let limits = Limits { depth, ..Limits::none() };
    let request = SolveRequest { engine, instance, limits, ..SolveRequest::default() };
    let report = zug::solve(&mut session, &request);
    let report = report.unwrap_or_else(|error| panic!("{file}: {error:?}"));
    let record = report.results[0].record(&session, Vec::new());
    let report = serde_json::to_value(record).expect("it is data");
    format!("inferences {}{}", session.machine.inferences() - before, counts(&report))
}

fn query(file: &str, goal: &str) -> String {
    let mut session = session(file);
    let before = session.machine.inferences();
    let answers = ask::all(&mut session, goal);
    assert_eq!(answers.error, None, "{goal} over {file}");
    assert!(!answers.rows.is_empty(), "{goal} over {file} has no answer");
    let inferences = session.machine.inferences() - before;
    format!("inferences {inferences} answers {}", answers.rows.len())
}

/// States of a puzzle that are asked about before its code is measured.
const ASKED: usize = 300;

/// The size of the code of a puzzle.
fn code(file: &str) -> Option<String> {
    let mut session = session(file);
    let contract = Contract::of(&session.machine);
    contract.rule?;
    let starts =
        zug_domain::instances(&mut session.machine, &mut session.world, &contract, 1).ok()?;
    let heuristic = contract.heuristics().into_iter().next();
    let (m, w) = (&mut session.machine, &mut session.world);
    let mut problem = RuleProblem::<i64>::new(m, w, &contract, heuristic, false).ok()?;
    let mut found = vec![problem.pack(&starts[0].state).ok()?];
    let mut seen: HashSet<_> = found.iter().cloned().collect();
    let mut at = 0;
    while at < found.len() && at < ASKED {
        let state = found[at].clone();
        let mut next = Successors::default();
        problem.is_goal(&state).ok()?;
        problem.heuristic(&state).ok()?;
        problem.successors(&state, &mut next).ok()?;
        found.extend(next.rows.into_iter().filter(|state| seen.insert(state.clone())));
        at += 1;
    }
    let (mut made, mut steps, mut nodes, mut blocks, mut tables) = (0, 0, 0, 0, 0);
    for examined in problem.examine(zug_code::Stage::Stats) {
        for figures in examined.shapes.iter().filter_map(|shape| shape.outcome.as_ref().ok()) {
            made += 1;
            steps += figures.steps;
            nodes += figures.values;
            blocks += figures.blocks;
            tables += figures.tables;
        }
    }
    Some(format!("made {made} steps {steps} nodes {nodes} blocks {blocks} tables {tables}"))
}

#[test]
fn work_is_as_it_was() {
    let path: PathBuf = root().join("tests/work/expected.txt");
    let mut lines = Vec::new();
    for (file, engine, how) in SEARCHES {
        lines.push(format!("search {file} {engine} {how}: {}", search(file, engine, how)));
    }
    for (file, goal) in QUERIES {
        lines.push(format!("query {file} {goal}: {}", query(file, goal)));
    }
    let mut files: Vec<String> = SEARCHES.iter().map(|&(file, ..)| file.to_owned()).collect();
    files.dedup();
    for file in files {
        lines.extend(code(&file).map(|code| format!("code {file}: {code}")));
    }
    assert!(lines.len() >= FEWEST, "only {} lines", lines.len());
    if std::env::var("ZUG_WORK").is_ok_and(|what| what == "overwrite") {
        std::fs::write(&path, lines.join("\n") + "\n").expect("it can be written");
        return;
    }
    let text = std::fs::read_to_string(&path).expect("the record is there");
    let recorded: Vec<&str> = text.lines().collect();
    let mut report = String::new();
    for at in 0..lines.len().max(recorded.len()) {
        let found = lines.get(at).map_or("", String::as_str);
        let recorded = recorded.get(at).copied().unwrap_or_default();
        if found != recorded {
            let _ = writeln!(report, "recorded {recorded}\nfound    {found}");
        }
    }
    assert!(report.is_empty(), "{report}ZUG_WORK=overwrite records what is found");
}
