//! Programs that never end: each must stop at the memory limit with an error that
//! names a predicate, and leave the session as it was.

use crate::support::loaded;
#[cfg(target_os = "linux")]
use crate::support::{Folder, zug};
use zug_machine::Fault;
use zug_prolog::session::Session;
use zug_syntax::printer::{WriteOptions, term_to_string};

const LIMIT: usize = 32 << 20;

const PROGRAM: &str = "
    :- dynamic fact/1.
    frames :- frames, here.
    choices :- choices.
    choices.
    either :- either ; here.
    negation :- \\+ negation.
    bags(X) :- findall(Y, bags(Y), X).
    called(X) :- call(called, X), here.
    deeper(X) :- deeper(f(X)).
    both(X) :- both(f(X)), here.
    caught :- catch(caught, none, true), here.
    trailed(X) :- member(X, [a, b|_]), trailed(_).
    facts(N) :- assertz(fact(N)), M is N+1, facts(M).
    atoms(A) :- atom_concat(A, A, B), atoms(B).
    squares(N) :- M is N*N, squares(M).
    here.
";

/// The error of a goal, as text.
fn error(session: &mut Session, goal: &str) -> String {
    let mut query = session.query(goal).expect("it reads");
    let text = match session.next(&mut query) {
        Ok(success) => success.to_string(),
        Err(Fault::Ball(ball)) => {
            let (heap, root) = ball.to_heap();
            let (symbols, operators) = (&session.machine.symbols, &session.world.operators);
            term_to_string(&heap, symbols, operators, root, &WriteOptions::default())
        }
        Err(fault) => format!("{fault:?}"),
    };
    session.close(query);
    text
}

#[test]
fn runaway_programs_run_out_of_memory() {
    let (mut session, _) = loaded(PROGRAM);
    session.machine.memory_limit = LIMIT;
    for (goal, culprit) in [
        ("frames", "frames/0"),
        ("choices", "choices/0"),
        ("either", "either/0"),
        ("negation", "negation/0"),
        ("bags(_)", "bags/1"),
        ("called(1)", "called/1"),
        ("deeper(a)", "deeper/1"),
        ("both(a)", "both/1"),
        ("caught", "caught/0"),
        ("trailed(_)", "/"),
        ("squares(3)", "memory"),
        ("atoms(abc)", "memory"),
        ("facts(1)", "memory"),
    ] {
        let found = error(&mut session, goal);
        assert!(
            found.starts_with("error(resource_error(memory)") && found.contains(culprit),
            "{goal}: {found}"
        );
        if !goal.starts_with("atoms") && !goal.starts_with("facts") {
            assert_eq!(error(&mut session, "here"), "true", "after {goal}");
        }
    }
}

#[test]
fn failure_driven_loops_run_in_constant_memory() {
    let (mut session, _) = loaded(
        "
        :- dynamic count/1.
        count(0).
        flagged(N) :- repeat, flag(k, X, X+1), X >= N, !.
        counted(N) :- repeat, retract(count(X)), Y is X+1, assertz(count(Y)), Y >= N, !.
        ",
    );
    session.machine.memory_limit = 16 << 20;
    for goal in ["flagged(300000)", "counted(100000)"] {
        assert_eq!(error(&mut session, goal), "true", "{goal}");
    }
}

#[test]
fn loops_without_calls_can_be_stopped() {
    let (mut session, _) = loaded(
        "
        integers :- between(1, inf, X), X < 0.
        lengths :- length(_, _), fail.
        bag :- findall(X, between(1, inf, X), _).
        ",
    );
    session.machine.memory_limit = LIMIT;
    let bag = error(&mut session, "bag");
    assert!(bag.starts_with("error(resource_error(memory)"), "{bag}");
    for goal in ["integers", "lengths"] {
        session.machine.deadline =
            Some(std::time::Instant::now() + std::time::Duration::from_millis(200));
        assert_eq!(error(&mut session, goal), "Stopped(Time)");
    }
}

/// Rules for the goals of [`HOSTILE`].
const HELPERS: &str = "
    :- dynamic fact/1.
    loop :- loop.
    sq(X) :- Y is X*X, sq(Y).
    fac(0, 1) :- !.
    fac(N, F) :- M is N-1, fac(M, G), F is N*G.
    shared(0, a) :- !.
    shared(N, f(T, T)) :- M is N-1, shared(M, T).
    shared_variable(0, _) :- !.
    shared_variable(N, f(T, T)) :- M is N-1, shared_variable(M, T).
    goals(0, true) :- !.
    goals(N, (G, G)) :- M is N-1, goals(M, G).
    sums(0, 1) :- !.
    sums(N, S+S) :- M is N-1, sums(M, S).
    deep(0, T, T) :- !.
    deep(N, A, T) :- M is N-1, deep(M, f(A), T).
    atoms(A) :- atom_concat(A, a, B), atoms(B).
    strings(S) :- string_concat(S, S, T), strings(T).
    kept(T) :- nb_setval(k, T), kept(f(T, T)).
    recorded(N) :- recordz(k, f(N)), M is N+1, recorded(M).
    opened(N) :- open_string(\"abcdefgh\", _), M is N+1, opened(M).
    clauses(N) :- atom_concat(p, N, P), T =.. [P, x], assertz(T), M is N+1, clauses(M).
    pairs(N, A) :- put_assoc(N, A, N, B), M is N+1, pairs(M, B).
";

/// Goals that one step, or many, would keep busy for hours, or that would take all the memory
/// there is.
const HOSTILE: &[&str] = &[
    "X is 7**(7**7)",
    "X is 7**(7**(7**7))",
    "X is 1<<(1<<40)",
    "X is 2**60000000",
    "X is 7**2000000, atom_length(X, _)",
    "X is 7**2000000, format('~d', [X])",
    "X is 7**2000000, Y is 3**2000001, Z is gcd(X, Y)",
    "X is 7**500000, Y is powm(3, X, X)",
    "X is 7**9000000, Y is 3**6000000, Z is X//Y",
    "X is 7**2000000, no_such_predicate(X)",
    "sq(3)",
    "fac(1000000, _)",
    "length(L, 1000000000000)",
    "L = [a|L], nth0(1000000000000000, L, X)",
    "functor(T, f, 100000000)",
    "numlist(1, 1000000000, L)",
    "findall(X, between(1, inf, X), L)",
    "atoms(a)",
    "strings(abc)",
    "kept(a)",
    "recorded(0)",
    "opened(0)",
    "clauses(0)",
    "empty_assoc(A), pairs(0, A)",
    "format(\"~*c\", [1000000000, 0'x])",
    "format(atom(A), \"~t~w~1000000000|\", [x])",
    "format(\"~1000000000d\", [5])",
    "with_output_to(atom(A), tab(100000000000))",
    "tab(100000000000)",
    "shared(60, T), write(T)",
    "shared(60, T)",
    "shared(60, T), term_to_atom(T, A)",
    "shared(60, T), print_message(error, format(\"~w\", [T]))",
    "shared(60, T), throw(T)",
    "shared(60, T), atom_length(T, A)",
    "shared(60, T), shared(60, U), T == U, T = U, copy_term(T, V), term_hash(V, H), ground(V)",
    "shared_variable(60, T), shared_variable(60, U), T = U, copy_term(T, V), term_variables(V, [_])",
    "shared(60, T), assertz((fact(X) :- other(T), X = T)), fact(X)",
    "shared(60, T), assertz((new :- T)), new",
    "shared(60, T), portray_clause(T)",
    "deep(300000, a, T), copy_term(T, U), T == U, write(T)",
    "length(L, 100000), maplist(=(0'(), L), atom_codes(A, L), term_to_atom(T, A)",
    "length(L, 100000), maplist(=(0'7), L), number_codes(N, L), N =:= N+0, fail",
    "nb_setval(k, a), numlist(1, 50000, L), nb_setval(l, L), \
     forall(between(1, inf, _), nb_getval(l, _))",
    "G = (true, G), call(G)",
    "G = (G, G), call(G)",
    "G = (fail -> G ; G), findall(x, G, _)",
    "G = (true, G), forall(G, true)",
    "G = (true, G), assertz((endless :- G)), endless",
    "G = ([], G), phrase(G, _)",
    "G = (true, G), why(G)",
    "goals(60, G), call(G)",
    "goals(60, G), catch(\\+ G, _, true)",
    "goals(60, G), why(G)",
    "sums(60, S), X is S",
    "sums(60, S), sum_list([S], X)",
    "S = [S], X is S",
    "findall(X, between(1, 10000000, X), L)",
    "setof(X, between(1, 10000000, X), L)",
    "length(L, 3000000)",
    "length(L, 3000000), throw(L)",
    "why(loop)",
    "sleep(100000)",
    "catch(loop, _, loop)",
];

/// What a process came to: its exit code, `None` when it was killed for taking too long, what
/// it said, and the most memory it had, in MiB.
#[cfg(target_os = "linux")]
fn watched(command: &mut std::process::Command) -> (Option<i32>, String, u64) {
    use std::io::Read as _;
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    const HANGS: Duration = Duration::from_secs(120);
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut said = child.stderr.take().expect("piped");
    let said = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = said.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let (began, mut most) = (Instant::now(), 0);
    let status = loop {
        let facts = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let peak = facts.ok().and_then(|facts| {
            let line = facts.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            line.trim().trim_end_matches(" kB").parse::<u64>().ok()
        });
        most = most.max(peak.unwrap_or(0) >> 10);
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status.code();
        }
        if began.elapsed() > HANGS {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    (status, said.join().expect("it reads"), most)
}

/// Runs cases two at a time.
#[cfg(target_os = "linux")]
fn in_pairs<T: Sync>(cases: &[T], run: impl Fn(&T) + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) =
                    cases.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    run(case);
                }
            });
        }
    });
}

/// Most memory of a process whose rules may have 64 MiB: the cells that are garbage, those
/// that are copied to be written, and zug itself come to that.
#[cfg(target_os = "linux")]
const MOST: u64 = 300;

#[cfg(target_os = "linux")]
#[test]
fn hostile_goals_end_with_an_outcome() {
    let folder = Folder::new("hostile");
    let file = folder.write("rules.pl", HELPERS);
    in_pairs(HOSTILE, |goal| {
        let mut command = zug(&["query", &file, goal]);
        command.args(["--time", "300ms", "--memory", "64M", "--output", "100k", "--sandbox"]);
        let (status, said, most) = watched(&mut command);
        assert!(matches!(status, Some(0 | 1 | 4 | 5)), "{goal}: {status:?} {said}");
        assert!(most < MOST, "{goal} took {most} MiB");
        if status == Some(4) {
            let known = ["the time is over", "the limit of", "out of", "no memory"];
            assert!(known.iter().any(|words| said.contains(words)), "{goal}: {said}");
        }
    });
}

/// Rule files that are too much to read, or have no end.
#[cfg(target_os = "linux")]
#[test]
fn hostile_files_end_with_an_outcome() {
    let folder = Folder::new("unreadable");
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("parentheses.pl", [b"p(".to_vec(), b"(".repeat(1 << 20)].concat()),
        ("lists.pl", [b"p :- ".to_vec(), b"[a,".repeat(1 << 19)].concat()),
        ("minus.pl", [b"p(".to_vec(), b"- ".repeat(1 << 19), b"1).".to_vec()].concat()),
        ("atom.pl", [b"p(".to_vec(), b"a".repeat(30 << 20), b").".to_vec()].concat()),
        ("digits.pl", [b"p(".to_vec(), b"7".repeat(1 << 20), b").".to_vec()].concat()),
        (
            "garbage.pl",
            (0..1u32 << 18).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect(),
        ),
        ("zeros.pl", vec![0; 1 << 20]),
        ("comment.pl", b"/* ".repeat(1 << 19)),
        ("quotes.pl", b"p('\n".repeat(1 << 17)),
        ("facts.pl", b"f(a, b, c).\n".repeat(1 << 17)),
        ("directive.pl", b":- repeat, fail.\n".to_vec()),
        ("endless.pl", b":- initialization((repeat, write(x), fail)).\n".to_vec()),
    ];
    for (name, bytes) in &files {
        folder.write(name, bytes);
    }
    // Larger than the memory there is, and without end.
    let huge = std::fs::File::create(folder.join("huge.pl")).expect("created");
    huge.set_len(1 << 30).expect("a hole");
    let mut names: Vec<_> = files.iter().map(|(name, _)| folder.join(name)).collect();
    names.extend([folder.join("huge.pl"), "/dev/zero".into()]);
    in_pairs(&names, |file| {
        let mut command = zug(&["check"]);
        command.arg(file);
        command.args(["--time", "500ms", "--memory", "64M", "--output", "100k"]);
        let (status, said, most) = watched(&mut command);
        let name = file.display();
        assert!(matches!(status, Some(0 | 3 | 4)), "{name}: {status:?} {said}");
        assert!(most < MOST, "{name} took {most} MiB");
        assert!(status != Some(4) || !said.trim().is_empty(), "{name}: nothing was said");
    });
}
