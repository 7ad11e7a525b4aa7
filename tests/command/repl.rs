//! The REPL on a real pseudo-terminal: keys, completion, Ctrl-C, Ctrl-D.
#![cfg(unix)]

use crate::support::Folder;
use rexpect::error::Error;
use rexpect::session::{PtySession, spawn_command};
use std::process::Command;

/// Generous: the machine may be busy, and a test that passes waits for nothing.
const PATIENCE: u64 = 60_000;

fn start(history: &str) -> Result<PtySession, Error> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command
        .arg("tests/cmd/rules.pl")
        .env("NO_COLOR", "1")
        .env("TERM", "xterm")
        .env("ZUG_HISTORY", history);
    let mut session = spawn_command(command, Some(PATIENCE))?;
    session.exp_string("?- ")?;
    Ok(session)
}

/// Ctrl-D at the next prompt, and only there: while an answer is printed the
/// terminal is in its own line mode and would swallow it.
fn leave(mut session: PtySession) -> Result<(), Error> {
    session.exp_string("?- ")?;
    session.send_control('d')?;
    session.exp_eof()?;
    Ok(())
}

#[test]
fn keys_behind_an_answer() -> Result<(), Error> {
    let mut zug = start("")?;
    zug.send_line("member(X, [one, two, three]).")?;
    zug.exp_string("X = one")?;
    zug.send(";")?;
    zug.flush()?;
    zug.exp_string("X = two")?;
    zug.send(" ")?;
    zug.flush()?;
    zug.exp_string("X = three.")?;
    zug.exp_string("?- ")?;
    zug.send_line("member(Y, [one, two]).")?;
    zug.exp_string("Y = one")?;
    zug.send_line("")?;
    leave(zug)
}

#[test]
fn keys_typed_ahead_are_kept() -> Result<(), Error> {
    let mut zug = start("")?;
    zug.send("member(X, [one, two]).\r;atom_length(three, N).\r")?;
    zug.flush()?;
    zug.exp_string("X = one")?;
    zug.exp_string("X = two.")?;
    zug.exp_string("N = 5.")?;
    leave(zug)
}

#[test]
fn queries_go_on_until_their_full_stop() -> Result<(), Error> {
    let mut zug = start("")?;
    zug.send_line("X = f(a,")?;
    zug.exp_string("|    ")?;
    zug.send_line("b).")?;
    zug.exp_string("X = f(a, b).")?;
    leave(zug)
}

#[test]
fn tab_completes() -> Result<(), Error> {
    let mut zug = start("")?;
    zug.send("paren\t")?;
    zug.flush()?;
    zug.exp_string("parent(")?;
    zug.send_line("tom, liz).")?;
    zug.exp_string("true.")?;
    leave(zug)
}

#[test]
fn control_c_stops_a_query_and_keeps_the_session() -> Result<(), Error> {
    let mut zug = start("")?;
    zug.send_line("assertz(kept).")?;
    zug.exp_string("true.")?;
    zug.exp_string("?- ")?;
    zug.send_line("write(running), nl, loop.")?;
    zug.exp_string("running\r\n")?;
    zug.send_control('c')?;
    zug.exp_string("interrupted in loop/0")?;
    zug.exp_string("?- ")?;
    zug.send_line("kept.")?;
    zug.exp_string("true.")?;
    zug.exp_string("?- ")?;
    zug.send("half a quer")?;
    zug.send_control('c')?;
    zug.exp_string("?- ")?;
    zug.send_line("X = 1.")?;
    zug.exp_string("X = 1.")?;
    leave(zug)
}

#[test]
fn control_c_tells_of_a_search_for_values() -> Result<(), Error> {
    let mut zug = start("")?;
    zug.send_line("consult('tests/json/endless_model.pl').")?;
    zug.exp_string("true.")?;
    zug.exp_string("?- ")?;
    zug.send_line("write(searching), nl, search.")?;
    zug.exp_string("searching\r\n")?;
    std::thread::sleep(std::time::Duration::from_millis(1000));
    zug.send_control('c')?;
    zug.exp_string("interrupted")?;
    zug.exp_string(" in a search for values: ")?;
    zug.exp_string(" of labelling")?;
    zug.exp_string("?- ")?;
    zug.send_line("X = 1.")?;
    zug.exp_string("X = 1.")?;
    leave(zug)
}

#[test]
fn control_c_stops_a_query_that_reads() -> Result<(), Error> {
    let mut zug = start("")?;
    zug.send_line("read(X).")?;
    zug.exp_string("|: ")?;
    zug.send_control('c')?;
    zug.exp_string("interrupted")?;
    zug.exp_string("?- ")?;
    zug.send_line("read(X).")?;
    zug.exp_string("|: ")?;
    zug.send_line("foo(Y).")?;
    zug.exp_string("X = foo(_).")?;
    leave(zug)
}

#[test]
fn history_is_kept() -> Result<(), Error> {
    let folder = Folder::new("history");
    let name = folder.text("history");
    let mut zug = start(&name)?;
    zug.send_line("atom_length(remembered, N).")?;
    zug.exp_string("N = 10.")?;
    leave(zug)?;
    let mut zug = start(&name)?;
    zug.send("\x1b[A")?;
    zug.flush()?;
    zug.exp_string("remembered")?;
    zug.send_line("")?;
    zug.exp_string("N = 10.")?;
    leave(zug)?;
    let kept = std::fs::read_to_string(&name).unwrap_or_default();
    assert!(kept.contains("remembered"), "{kept}");
    Ok(())
}

fn play(arguments: &[&str]) -> Result<PtySession, Error> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command.arg("play").args(arguments).env("NO_COLOR", "1").env("TERM", "xterm");
    spawn_command(command, Some(PATIENCE))
}

#[test]
fn control_c_ends_a_thought_and_the_game_goes_on() -> Result<(), Error> {
    let rules = ["rules/connect4.pl", "--against", "alphabeta", "--time", "1h"];
    let mut zug = play(&rules)?;
    zug.exp_string("x> ")?;
    zug.send_line("4")?;
    zug.exp_string("o thinks")?;
    std::thread::sleep(std::time::Duration::from_millis(1500));
    zug.send_control('c')?;
    zug.exp_string("o plays ")?;
    zug.exp_string("(interrupted")?;
    zug.exp_string("x to move: ")?;
    zug.exp_string("x> ")?;
    zug.send_control('c')?;
    zug.exp_string("leaves the game")?;
    zug.exp_string("x> ")?;
    zug.send_line("undo")?;
    zug.exp_string("took back 2 moves")?;
    zug.exp_string("x> ")?;
    zug.send_control('d')?;
    zug.exp_string("The game did not begin.")?;
    zug.exp_eof()?;
    Ok(())
}

#[test]
fn rounds_end_with_the_score() -> Result<(), Error> {
    let rules = ["rules/rock_paper_scissors.pl", "--against", "cycle", "--seed", "1"];
    let mut zug = play(&rules)?;
    zug.exp_string("one> ")?;
    zug.send("pap\t\r")?;
    zug.flush()?;
    zug.exp_string("paper against rock of two: you win.")?;
    zug.exp_string("one> ")?;
    zug.send_control('c')?;
    zug.exp_string("leaves the game")?;
    zug.exp_string("one> ")?;
    zug.send_control('c')?;
    zug.exp_string("1 round, 0 draws: unfinished. you 1, two 0")?;
    zug.exp_eof()?;
    Ok(())
}

#[test]
fn a_game_that_is_over_can_be_taken_back() -> Result<(), Error> {
    let mut zug = play(&["tests/cmd/play/record.in/sticks.pl", "--against", "solve_game"])?;
    zug.exp_string("a> ")?;
    zug.send_line("take(1)")?;
    zug.exp_string("b plays take(1).")?;
    zug.exp_string("a> ")?;
    zug.send_line("1")?;
    zug.exp_string("b plays take(2).")?;
    zug.exp_string("You lose.")?;
    zug.exp_string("over> ")?;
    zug.send_line("undo")?;
    zug.exp_string("took back 2 moves")?;
    zug.exp_string("a> ")?;
    zug.send("ta\t2)\r")?;
    zug.flush()?;
    zug.exp_string("over> ")?;
    zug.send_line("")?;
    zug.exp_eof()?;
    Ok(())
}

#[test]
fn a_failed_query_says_what_came_closest() -> Result<(), Error> {
    let mut zug = start("")?;
    zug.send_line(":load tests/cmd/why/missing_fact.pl")?;
    zug.exp_string("5 clauses of 2 predicates")?;
    zug.send_line("path(a, e).")?;
    zug.exp_string("false.")?;
    zug.exp_string("closest: edge(c, Y) at ")?;
    zug.exp_string("missing_fact.pl:12")?;
    zug.exp_string("why_not(path(a, e)). explains")?;
    zug.send_line(":hints off")?;
    zug.send_line(":hints")?;
    zug.exp_string("hints are off")?;
    zug.send_line("path(b, e), true.")?;
    zug.exp_string("false.")?;
    zug.send_line("atom_length(abc, N).")?;
    let behind = zug.exp_string("N = 3.")?;
    assert!(!behind.contains("closest"), "{behind}");
    leave(zug)
}

/// A session over the graph that the tracer's transcripts use.
fn start_on(file: &str) -> Result<PtySession, Error> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command.arg(file).env("NO_COLOR", "1").env("TERM", "xterm").env("ZUG_HISTORY", "");
    let mut session = spawn_command(command, Some(PATIENCE))?;
    session.exp_string("?- ")?;
    Ok(session)
}

/// Waits for a line that asks, and answers it.
fn answer(zug: &mut PtySession, line: &str, key: &str) -> Result<(), Error> {
    zug.exp_string(&format!("{line} ? "))?;
    zug.send(key)?;
    zug.flush()
}

#[test]
fn the_tracer_creeps_skips_retries_and_fails() -> Result<(), Error> {
    let mut zug = start_on("tests/cmd/graph.pl")?;
    let edge = "Call: (2) edge(c, _) at tests/cmd/graph.pl:10";
    zug.send_line("trace, path(c, d).")?;
    answer(&mut zug, "Call: (1) path(c, d)", "c")?;
    answer(&mut zug, edge, "\r")?;
    answer(&mut zug, "Exit: (2) edge(c, d)", "r")?;
    answer(&mut zug, edge, "s")?;
    answer(&mut zug, "Exit: (2) edge(c, d)", "c")?;
    answer(&mut zug, "Call: (2) path(d, d) at tests/cmd/graph.pl:10", "s")?;
    answer(&mut zug, "Exit: (2) path(d, d)", "g")?;
    zug.exp_string("(2) path(d, d) at tests/cmd/graph.pl:10")?;
    zug.exp_string("(1) path(c, d)")?;
    answer(&mut zug, "Exit: (2) path(d, d)", "f")?;
    answer(&mut zug, "Fail: (2) path(d, d)", "c")?;
    answer(&mut zug, "Fail: (1) path(c, d)", "r")?;
    answer(&mut zug, "Call: (1) path(c, d)", "s")?;
    answer(&mut zug, "Exit: (1) path(c, d)", "c")?;
    zug.exp_string("true")?;
    zug.send("\r")?;
    zug.flush()?;
    zug.exp_string("[trace] ?- ")?;
    zug.send_line("path(a, b).")?;
    answer(&mut zug, "Call: (1) path(a, b)", "h")?;
    zug.exp_string("retry: make this call again")?;
    answer(&mut zug, "Call: (1) path(a, b)", "a")?;
    zug.exp_string("aborted after")?;
    zug.exp_string("[trace] ?- ")?;
    zug.send_line("nodebug.")?;
    zug.exp_string("true.")?;
    leave(zug)
}

#[test]
fn the_tracer_leaps_from_spy_point_to_spy_point() -> Result<(), Error> {
    let mut zug = start_on("tests/cmd/graph.pl")?;
    zug.send_line("spy(edge(c, _), true).")?;
    zug.exp_string("true.")?;
    zug.exp_string("[debug] ?- ")?;
    zug.send_line("path(a, d).")?;
    answer(&mut zug, "* Call: (3) edge(c, _) at tests/cmd/graph.pl:10", "u")?;
    answer(&mut zug, "Exit: (2) path(c, d)", "l")?;
    zug.exp_string("true")?;
    zug.send("\r")?;
    zug.flush()?;
    zug.exp_string("[debug] ?- ")?;
    zug.send_line("path(a, d).")?;
    answer(&mut zug, "* Call: (3) edge(c, _) at tests/cmd/graph.pl:10", "n")?;
    zug.exp_string("true")?;
    zug.send("\r")?;
    zug.flush()?;
    zug.exp_string("?- ")?;
    zug.send_line("debugging.")?;
    zug.exp_string("% not debugging")?;
    zug.exp_string("% spy point on edge/2: edge(c, _)")?;
    leave(zug)
}

/// A line says how far a search is that rules or a query begin, and goes when it ends.
#[test]
fn a_long_search_says_how_far_it_is() -> Result<(), Error> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command.arg("rules/taquin15.pl").env("NO_COLOR", "1").env("TERM", "xterm");
    command.env("ZUG_HISTORY", "");
    let mut zug = spawn_command(command, Some(PATIENCE))?;
    zug.exp_string("?- ")?;
    zug.send_line("initial_state(k1, S), bfs(S, P, C).")?;
    zug.exp_regex("[0-9]+ nodes, [0-9,.]+ nodes/s, depth [0-9]+")?;
    zug.send_control('c')?;
    zug.exp_string("\r\x1b[K")?;
    zug.exp_string("interrupted")?;
    leave(zug)
}
