//! Every predicate of the system gets, in every place, terms that are cyclic, share their parts
//! or are huge: each call ends with an outcome or at a limit, soon after it, and takes little
//! memory beyond its limit.
//!
//! A new built-in is in this test by being there. `ZUG_HOSTILE=NAME` asks one predicate only,
//! `ZUG_HOSTILE_MORE=1` asks every predicate, each with more arguments beside the hostile one (an hour
//! and more; `ZUG_HOSTILE_PART=2/5` is the second fifth of it), and `ZUG_HOSTILE_SLOW=MS` names the
//! calls that took longer, for who looks after their speed, and says how far it is.
//! `ZUG_HOSTILE_STEP=1` asks every predicate, and each no more than the test does.

#![expect(clippy::print_stderr, reason = "a call without end takes the process with it")]

use std::io::{Write, empty, sink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use zug_machine::{PredId, Space};
use zug_prolog::session::{Allowance, Query, Session, Template};
use zug_term::Cell;

/// Terms that a walk may not come to the end of, or not soon.
const HOSTILE: &[(&str, &str)] = &[
    ("cyclic compound", "X = f(X)"),
    ("cyclic list", "X = [a, 1|X]"),
    ("cyclic goal", "X = (true, X)"),
    ("cyclic choice", "X = (fail ; X)"),
    ("cyclic sum", "X = 1+X"),
    ("cyclic pair", "X = X-X"),
    ("cyclic in the name place", "X = X:X"),
    ("shared compound", "shared(60, a, f, X)"),
    ("shared variable", "shared(60, _, f, X)"),
    ("shared goal", "shared(60, true, ',', X)"),
    ("shared sum", "shared(60, 1, +, X)"),
    ("shared list", "shared(60, [], '[|]', X)"),
    ("shared in a list", "shared(60, a, f, Y), X = [Y, Y, k-Y]"),
    ("partial list", "length(Y, 30000), append(Y, _, X)"),
    ("list of variables", "length(X, 100000)"),
    ("list of integers", "numlist(1, 100000, X)"),
    ("list of codes", "length(X, 100000), maplist(=(0'7), X)"),
    ("list of pairs", "findall(K-v, between(1, 30000, K), X)"),
    ("list of goals", "length(X, 30000), maplist(=(true), X)"),
    ("deep compound", "deep(100000, a, X)"),
    ("deep sum", "numlist(1, 100000, Y), foldl([A, B, B+A]>>true, Y, 0, X)"),
    ("deep goal", "numlist(1, 30000, Y), foldl([_, B, (B, true)]>>true, Y, true, X)"),
    ("many arguments", "numlist(1, 100000, Y), X =.. [f|Y]"),
    ("large integer", "X is 7**300000"),
    ("negative integer", "X is -(7**300000)"),
    ("integer of 61 bits", "X is 2**60-1"),
    ("long atom", "long(Y), atom_codes(X, Y)"),
    ("long string", "long(Y), string_codes(X, Y)"),
    ("string of digits", "length(Y, 100000), maplist(=(0'7), Y), string_codes(X, Y)"),
    ("string of parentheses", "length(Y, 100000), maplist(=(0'(), Y), string_codes(X, Y)"),
];

const RULES: &str = "
    shared(0, T, _, T) :- !.
    shared(N, T, F, X) :- M is N-1, G =.. [F, T, T], shared(M, G, F, X).
    deep(0, T, T) :- !.
    deep(N, A, T) :- M is N-1, deep(M, f(A), T).
    long(L) :- length(L, 500000), maplist(=(0'a), L).
    :- dynamic(kept/1).
    kept(1).
";

/// What stands in the other places: the variable always, of the others one or all.
const OTHERS: &[&str] = &["_", "a", "1", "[a]", "\"~w\"", "-", "f(_)"];
/// Hostile terms drawn for a place of a predicate, unless all are wanted.
const SOME: usize = 1;
/// One predicate of so many is called, unless all are wanted: all of them take minutes.
const STEP: usize = 8;
/// Predicates called in one session.
const TOGETHER: usize = 32;
/// Memory that the rules may take.
const MEMORY: usize = 96 << 20;
/// What the process may hold beyond what it held before, and the memory of the rules, in KiB.
const BEYOND: u64 = 100 << 10;
/// A call that goes on for so long has no end.
const HANGS: Duration = Duration::from_secs(100);
/// What a call may take.
const TIME: Duration = Duration::from_millis(8);

/// A session with the hostile terms and the others: the answer of an open query.
struct Bench {
    session: Session,
    query: Query,
}

impl Bench {
    fn new(template: &Template) -> Bench {
        let mut session = template.session(Box::new(empty()), Box::new(sink()), Box::new(sink()));
        session.sandbox(&std::env::temp_dir());
        let mut text = RULES.to_owned();
        let terms = HOSTILE.iter().map(|(_, goal)| (*goal).to_owned());
        let others = OTHERS.iter().map(|other| format!("X = ({other})"));
        let goals: Vec<String> = terms.chain(others).collect();
        for (i, goal) in goals.iter().enumerate() {
            text += &format!("hostile({i}, X) :- {goal}.\n");
        }
        let found = session.load_text("rules", &text);
        assert!(found.iter().all(|finding| !finding.is_error()), "{found:?}");
        let calls: Vec<String> = (0..goals.len()).map(|i| format!("hostile({i}, X{i})")).collect();
        let mut query = session.query(&calls.join(", ")).expect("it reads");
        assert!(matches!(session.next(&mut query), Ok(true)));
        Bench { session, query }
    }

    /// Calls a predicate with these terms, and asks for a second answer.
    fn call(&mut self, pred: PredId, arguments: &[usize]) {
        let session = &mut self.session;
        session.allow(&Allowance {
            inferences: None,
            time: Some(TIME),
            memory: Some(MEMORY),
            output: Some(100_000),
        });
        let terms: Vec<Cell> = session.bindings(&self.query).map(|(_, cell)| cell).collect();
        let cells: Vec<Cell> = arguments.iter().map(|&at| terms[at]).collect();
        let outcome = session.machine.ask(&mut session.world, |ask| {
            let outcome = ask.call(pred, &cells);
            if matches!(outcome, Ok(true)) {
                let _ = ask.redo();
            }
            outcome
        });
        if let Err(fault) = outcome {
            let words = session.describe(&fault);
            assert!(words.message.len() < 20_000, "the message has {} bytes", words.message.len());
        }
        let _ = session.world.streams.end_query();
    }
}

/// A number of `/proc/self/status`, in KiB.
fn status(field: &str) -> Option<u64> {
    let facts = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = facts.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().ok()
}

/// The most memory that the process held since this was called the last time, in KiB.
fn peak() -> Option<u64> {
    let peak = status("VmHWM")?;
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    Some(peak)
}

/// What is being called, since when.
type Current = Mutex<Option<(String, Instant)>>;

/// Ends the process when a call goes on for ever, with its name.
fn watch(current: &Current, done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(100));
        let current = current.lock().expect("no panic");
        if let Some((call, began)) = &*current
            && began.elapsed() > HANGS
        {
            // Not by `eprintln`: what a test prints is kept until it ends, which it never does.
            let _ = writeln!(std::io::stderr(), "this has no end: {call}");
            std::process::abort();
        }
    }
}

/// Ends the watch, whatever happens.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Which part of the predicates is asked, of how many.
fn part() -> (usize, usize) {
    let wish = std::env::var("ZUG_HOSTILE_PART").unwrap_or_else(|_| "1/1".to_owned());
    let wish =
        wish.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    let found = wish.filter(|&(part, of)| 0 < part && part <= of);
    found.expect("ZUG_HOSTILE_PART is a part and how many there are, as 2/5")
}

/// The calls of a predicate: for each place and hostile term, others in the other places.
fn calls(arity: usize, seed: &mut u64) -> Vec<Vec<usize>> {
    let more = std::env::var_os("ZUG_HOSTILE_MORE").is_some();
    let variable = HOSTILE.len();
    let mut draw = |most: usize| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (*seed >> 33) as usize % most
    };
    let mut calls = Vec::new();
    for place in 0..arity {
        let some = if more { HOSTILE.len() } else { SOME };
        for number in 0..some {
            let hostile = if more { number } else { draw(HOSTILE.len()) };
            let drawn = if arity > 1 { [0, draw(OTHERS.len())] } else { [0, 0] };
            let others: Vec<usize> = match more && arity > 1 {
                true => (0..OTHERS.len()).collect(),
                false => drawn[number % 2..][..1].to_vec(),
            };
            for other in others {
                let mut call = vec![variable + other; arity];
                call[place] = hostile;
                calls.push(call);
            }
            if arity > 1 && place == 0 {
                calls.push(vec![hostile; arity]);
                calls.push((0..arity).map(|_| draw(HOSTILE.len() + OTHERS.len())).collect());
            }
        }
    }
    calls
}

/// The memory of the process is watched and measured: it must have no other tests.
#[test]
fn every_predicate_heeds_the_limits_on_hostile_arguments() {
    let test = "hostile_arguments::every_predicate_heeds_the_limits_on_hostile_arguments";
    crate::support::alone(test, call_every_predicate);
}

fn call_every_predicate() {
    zug_term::watchdog::watch_process_memory();
    let template = Template::new(zug_tools::language::EXTENSIONS);
    let mut bench = Bench::new(&template);
    let program = &bench.session.machine.program.preds;
    let preds: Vec<(PredId, String, usize)> = (0..program.len())
        .filter(|&at| program[at].space == Space::System && program[at].arity > 0)
        .map(|at| {
            let name = bench.session.machine.symbols.name(program[at].name).to_owned();
            (at as PredId, name, program[at].arity)
        })
        .collect();
    assert!(preds.len() > 700);
    let only = std::env::var("ZUG_HOSTILE").ok();
    let slow: u128 =
        std::env::var("ZUG_HOSTILE_SLOW").ok().and_then(|ms| ms.parse().ok()).unwrap_or(u128::MAX);
    let (current, done, wrong) = (Mutex::new(None), AtomicBool::new(false), Mutex::new(Vec::new()));
    let count = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| watch(&current, &done));
        let _end = End(&done);
        let mut seed = 1;
        let all = only.is_some() || std::env::var_os("ZUG_HOSTILE_MORE").is_some();
        let (part, parts) = part();
        let step = std::env::var("ZUG_HOSTILE_STEP").ok().and_then(|step| step.parse().ok());
        let step = if all { 1 } else { step.unwrap_or(STEP) };
        let total = preds.len();
        let preds = preds.into_iter().enumerate().skip(part - 1);
        for (at, (pred, name, arity)) in preds.step_by(parts * step) {
            let calls = calls(arity, &mut seed);
            if only.as_ref().is_some_and(|only| *only != name) {
                continue;
            }
            if count.fetch_add(1, Ordering::Relaxed) % TOGETHER == TOGETHER - 1 {
                drop(bench);
                bench = Bench::new(&template);
            }
            if slow < u128::MAX {
                eprintln!("{at} of {total}: {name}/{arity}");
            }
            let before = peak().and(status("VmRSS"));
            for call in calls {
                let words: Vec<&str> = call
                    .iter()
                    .map(|&at| HOSTILE.get(at).map_or_else(|| OTHERS[at - HOSTILE.len()], |h| h.0))
                    .collect();
                let words = format!("{name}/{arity}: {}", words.join(", "));
                let began = Instant::now();
                *current.lock().expect("no panic") = Some((words.clone(), began));
                let done = catch_unwind(AssertUnwindSafe(|| bench.call(pred, &call)));
                *current.lock().expect("no panic") = None;
                if began.elapsed().as_millis() > slow {
                    eprintln!("{} ms: {words}", began.elapsed().as_millis());
                }
                if done.is_err() {
                    wrong.lock().expect("no panic").push(format!("a panic: {words}"));
                    bench = Bench::new(&template);
                }
            }
            if let (Some(before), Some(peak)) = (before, peak())
                && peak > before + (MEMORY as u64 >> 10) + BEYOND
            {
                let more = (peak - before) >> 10;
                wrong.lock().expect("no panic").push(format!("{more} MiB: {name}/{arity}"));
            }
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
