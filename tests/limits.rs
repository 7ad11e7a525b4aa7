//! Limits of a session and the sandbox: what ends a query, and what rules can't reach.

use crate::support::Folder;
use std::path::Path;
use std::time::Duration;
use zug_machine::{Fault, StopReason};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::session::{Allowance, Session};

/// How a goal ends: `true`, `false`, the reason it was stopped, or the error in words.
fn outcome(session: &mut Session, goal: &str) -> String {
    let mut query = session.query(goal).expect("it reads");
    let text = match session.next(&mut query) {
        Ok(success) => success.to_string(),
        Err(Fault::Stopped(reason)) => format!("stopped: {reason}"),
        Err(fault) => session.describe(&fault).to_string(),
    };
    session.close(query);
    session.world.streams.end_query().expect("written");
    text
}

fn captured() -> (Session, SharedBuffer) {
    zug_tools::language::captured("")
}

#[test]
fn output_ends_at_its_limit_to_the_byte() {
    for (goal, written) in [
        ("repeat, write(abc), fail", "abcabcabca"),
        ("catch((repeat, write(abc), fail), _, true)", "abcabcabca"),
        ("format('~t~w~40|', [x])", "          "),
        ("repeat, nl(user_error), fail", "\n\n\n\n\n\n\n\n\n\n"),
        ("tab(1000000)", "          "),
        ("repeat, write('\u{20ac}'), fail", "\u{20ac}\u{20ac}\u{20ac}"),
        ("writeln(short), with_output_to(atom(_), tab(1000)), print([1,2,3])", "short\n[1,2"),
    ] {
        let (mut session, shown) = captured();
        session.allow(&Allowance { output: Some(10), ..Allowance::default() });
        let stopped = format!("stopped: {}", StopReason::Output);
        assert_eq!(outcome(&mut session, goal), stopped, "{goal}");
        assert_eq!(shown.take(), written, "{goal}");
    }
}

#[test]
fn captured_output_counts_as_memory() {
    let (mut session, shown) = captured();
    let allowance = Allowance { output: Some(10), memory: Some(16 << 20), ..Allowance::default() };
    session.allow(&allowance);
    let found = outcome(&mut session, "with_output_to(atom(_), (repeat, tab(4096), fail))");
    assert!(found.starts_with("out of memory"), "{found}");
    assert_eq!(outcome(&mut session, "format(atom(A), '~w', [b]), A == b"), "true");
    assert_eq!(shown.take(), "");
}

#[test]
fn an_allowance_is_for_the_next_query() {
    let (mut session, _) = captured();
    session.load_text("loop", "loop :- loop.");
    session.allow(&Allowance { inferences: Some(10_000), ..Allowance::default() });
    let stopped = format!("stopped: {}", StopReason::Inferences);
    assert_eq!(outcome(&mut session, "catch(loop, _, true)"), stopped);
    session.allow(&Allowance { time: Some(Duration::from_millis(50)), ..Allowance::default() });
    assert_eq!(outcome(&mut session, "loop"), format!("stopped: {}", StopReason::Time));
    session.allow(&Allowance::default());
    assert_eq!(outcome(&mut session, "numlist(1, 100000, L), msort(L, _)"), "true");
    session.allow(&Allowance { memory: Some(8 << 20), ..Allowance::default() });
    let found = outcome(&mut session, "length(L, 10000000)");
    assert!(found.starts_with("out of memory"), "{found}");
}

#[test]
fn loading_is_under_the_same_limits() {
    for (text, reason) in [
        (":- repeat, write(x), fail.", StopReason::Output),
        (":- repeat, fail.", StopReason::Time),
        ("l :- l. :- initialization(l).", StopReason::Inferences),
    ] {
        let folder = Folder::new("limits");
        folder.write("rules.pl", text);
        let (mut session, _) = captured();
        session.allow(&Allowance {
            time: (reason == StopReason::Time).then_some(Duration::from_millis(100)),
            inferences: (reason == StopReason::Inferences).then_some(100_000),
            output: (reason == StopReason::Output).then_some(100),
            memory: None,
        });
        match session.load_file(&folder.join("rules.pl")) {
            Err(zug_prolog::session::LoadError::Stopped(Fault::Stopped(found), _)) => {
                assert_eq!(found, reason);
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

fn sandboxed(root: &Path) -> Session {
    let (mut session, _) = captured();
    session.sandbox(root);
    session
}

#[test]
fn a_sandbox_keeps_rules_from_everything_outside() {
    let folder = Folder::new("limits");
    let secret = folder.write("secret.txt", "secret.");
    let mut session = sandboxed(&folder);
    for goal in [
        format!("open('{secret}', read, _)"),
        format!("open('{secret}', write, _)"),
        format!("open('{secret}', append, _, [])"),
        format!("see('{secret}')"),
        format!("tell('{secret}')"),
        format!("append('{secret}')"),
        format!("exists_file('{secret}')"),
        format!("exists_directory('{}')", folder.display()),
        format!("delete_file('{secret}')"),
        format!("rename_file('{secret}', b)"),
        format!("size_file('{secret}', _)"),
        format!("time_file('{secret}', _)"),
        format!("directory_files('{}', _)", folder.display()),
        "tmp_file(a, _)".into(),
        "make_directory(a)".into(),
        "delete_directory(a)".into(),
        "working_directory(_, '/')".into(),
        "working_directory(D, D)".into(),
        "absolute_file_name(a, _)".into(),
        "absolute_file_name(a, _, [access(read)])".into(),
        "getenv('PATH', _)".into(),
        "setenv(a, b)".into(),
        "unsetenv(a)".into(),
        "shell(true)".into(),
        "shell(true, _)".into(),
        "call(shell, true)".into(),
        "G = shell(true), findall(x, G, _)".into(),
        "consult('/etc/passwd')".into(),
        "include('/etc/passwd')".into(),
        "load_files('/etc/no_such_file', [])".into(),
        "['../a']".into(),
        "use_module('../a')".into(),
        "ensure_loaded('/etc/passwd')".into(),
        "read_file_to_string('/etc/passwd', _, [])".into(),
        "read_file_to_terms('/etc/passwd', _, [])".into(),
        "read_file_to_codes('/etc/passwd', _, [])".into(),
    ] {
        let found = outcome(&mut session, &goal);
        assert!(found.contains("sandbox") && found.contains("--no-sandbox"), "{goal}: {found}");
    }
    assert_eq!(std::fs::read_to_string(folder.join("secret.txt")).expect("still"), "secret.");
    for goal in [
        "write(a), nl(user_error), see(user), seen, tell(user), told",
        "open_string(\"a.\", S), read(S, a), close(S)",
        "with_output_to(string(_), print(x))",
        "catch(shell(x), error(permission_error(run, program, x), context(shell/1, _)), true)",
        "read(X), X == end_of_file",
        "numlist(1, 5, L), sum_list(L, 15), format('~w~n', [L])",
        "catch(exists_file(f), error(permission_error(access, file, f), _), true)",
    ] {
        assert_eq!(outcome(&mut session, goal), "true", "{goal}");
    }
}

#[cfg(unix)]
#[test]
fn rule_files_are_loaded_below_the_root_only() {
    let folder = Folder::new("limits");
    folder.write("outside.pl", "outside.");
    folder.write("root/inside.pl", "inside.");
    folder.write("root/deep/deeper.pl", ":- consult('../inside').\ndeeper.");
    folder.write("root/climbs.pl", ":- consult('../outside.pl').");
    let root = folder.join("root");
    for (link, to) in [
        ("away.pl", "../outside.pl"),
        ("up", ".."),
        ("same.pl", "deep/deeper.pl"),
        ("dangling.pl", "/etc/no_such_file"),
    ] {
        std::os::unix::fs::symlink(to, root.join(link)).expect("a link");
    }
    let mut session = sandboxed(&root);
    session.world.directory = Some(root.clone());
    for name in ["inside", "deep/deeper", "same", "./deep/../inside.pl", "../root/inside"] {
        assert_eq!(outcome(&mut session, &format!("consult('{name}')")), "true", "{name}");
    }
    assert_eq!(outcome(&mut session, "inside, deeper"), "true");
    for name in ["../outside", "away", "up/outside", "deep/../../outside", "up/nothing", "../no"] {
        let found = outcome(&mut session, &format!("consult('{name}')"));
        assert!(found.contains("sandbox"), "{name}: {found}");
    }
    for name in ["nothing", "deep/nothing"] {
        let found = outcome(&mut session, &format!("consult('{name}')"));
        assert!(found.contains("does not exist"), "{name}: {found}");
    }
    let found = session.load_file(&root.join("climbs.pl")).expect("it is read");
    assert!(found.iter().any(|finding| finding.message.contains("sandbox")), "{found:?}");
    let outside = outcome(&mut session, "catch(outside, _, fail)");
    assert_eq!(outside, "false");
}

/// An input that has a term to read, and then nothing for ever.
struct Silent(&'static [u8]);

impl std::io::Read for Silent {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() {
            std::thread::sleep(Duration::from_millis(1));
            return Err(std::io::ErrorKind::WouldBlock.into());
        }
        std::io::Read::read(&mut self.0, bytes)
    }
}

#[test]
fn waiting_for_input_ends_at_a_limit() {
    let sink = || Box::new(std::io::sink());
    let input = Box::new(Silent(b"first. seco"));
    let mut session = zug_tools::language::with_io(input, sink(), sink());
    let allowance = Allowance { time: Some(Duration::from_millis(200)), ..Allowance::default() };
    session.allow(&allowance);
    assert_eq!(outcome(&mut session, "read(first)"), "true");
    for goal in ["read(_)", "catch(get_char(_), _, true)", "read_term(_, [])", "peek_code(_)"] {
        let stopped = format!("stopped: {}", StopReason::Time);
        session.allow(&allowance);
        // What was read of a term that is not whole is gone.
        let found = outcome(&mut session, &format!("repeat, {goal}, fail"));
        assert_eq!(found, stopped, "{goal}");
    }
    session.allow(&Allowance::default());
    let limited =
        "catch(call_with_time_limit(0.1, get_char(_)), E, true), E == time_limit_exceeded";
    assert_eq!(outcome(&mut session, limited), "true");
    session.machine.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(
        outcome(&mut session, "get_char(_)"),
        format!("stopped: {}", StopReason::Interrupted)
    );
}

/// The real standard input: a pipe that nobody writes to, and nobody closes.
#[cfg(unix)]
#[test]
fn a_silent_pipe_does_not_hold_a_query_up() {
    use std::process::Stdio;
    for (arguments, code) in [
        (&["query", "tests/cmd/family.pl", "read(X)", "--time", "300ms"][..], 4),
        (
            &["query", "tests/cmd/family.pl", "catch(call_with_time_limit(0.2, read(_)), _, true)"],
            0,
        ),
    ] {
        let mut zug = crate::support::zug(arguments);
        zug.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = zug.spawn().expect("zug starts");
        let held = running.stdin.take();
        let output = running.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        drop(held);
    }
}

/// Terms that once had zug recurse until its stack was over, or never look at the clock.
#[test]
fn names_of_files_and_modules_without_end() {
    let (mut session, _) = captured();
    let nested = "numlist(1, 300000, L), foldl([_, T, [T]]>>true, L, [], N)";
    for (goal, end) in [
        ("use_module(libary(assoc))".to_owned(), "libary(assoc)"),
        ("ensure_loaded(libary(assoc))".to_owned(), "libary(assoc)"),
        ("X = X/a, consult(X)".to_owned(), "is no file name"),
        ("X = a/X, use_module(X)".to_owned(), "is no file name"),
        ("X = a:X, assertz(X)".to_owned(), ""),
        ("X = a:X, retract(X)".to_owned(), ""),
        ("X = a:X, call_with_time_limit(0.2, X)".to_owned(), ""),
        ("X = a:X, use_module(X)".to_owned(), ""),
        (format!("{nested}, use_module(N)"), "true"),
    ] {
        session.allow(&Allowance { time: Some(Duration::from_secs(20)), ..Allowance::default() });
        let found = outcome(&mut session, &goal);
        assert!(found.contains(end) && !found.starts_with("stopped"), "{goal}: {found}");
    }
    let found = session.load_text("typed", ":- use_module(libary(assoc)).\n");
    assert!(found.iter().any(|finding| finding.message.contains("libary(assoc)")), "{found:?}");
}
