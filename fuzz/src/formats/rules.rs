//! Rule files and queries.

use super::{Read, errors, file, refusal, sandboxed, shown};
use std::path::Path;
use zug::usecases::Failure;
use zug::usecases::enumerate::{EnumerateRequest, enumerate_loaded};
use zug::usecases::solve::{Found, SolveRequest, Wanted, solve};
use zug_code::Specialise;
use zug_domain::{Contract, DomainKind};
use zug_matrix::options::EquilibriumOptions;
use zug_prolog::session::{LoadError, Session};
use zug_search::Limits;
use zug_syntax::{Operators, ReadOptions, Reader};
use zug_term::Heap;
use zug_term::source::Source;
use zug_term::symbol::Symbols;

/// Answers asked for.
const ANSWERS: usize = 20;
/// States that a search may expand.
const NODES: u64 = 300;

/// Any text reads to terms and findings, and ends.
pub fn reader(bytes: &[u8]) -> Read {
    let text = String::from_utf8_lossy(bytes);
    let mut symbols = Symbols::new();
    let operators = Operators::standard(&mut symbols);
    let mut heap = Heap::new();
    let mut reader = Reader::new(Source::new("fuzz.pl", &text));
    let options = ReadOptions::default();
    let mut wrong = Vec::new();
    // Each turn takes at least a token from the text, faults too.
    for _ in 0..=text.len() {
        heap.cells.clear();
        match reader.next(&mut heap, &mut symbols, &operators, &options) {
            Ok(None) => {
                let wrong = errors(&wrong);
                return wrong.map_or(Read::Taken, Read::Refused);
            }
            Ok(Some(_)) => {}
            Err(fault) => wrong.push(fault.diagnostic),
        }
    }
    panic!("the reader does not come to the end");
}

/// Any program loads, and its first line runs as a query: answers, exceptions and stops are all
/// well.
pub fn session(bytes: &[u8]) -> Read {
    let text = String::from_utf8_lossy(bytes);
    let mut session = sandboxed(b"a. b.\n");
    let findings = session.load_text("fuzz.pl", &text);
    session.allow(&super::allowance());
    let first = text.lines().next().unwrap_or_default();
    let _ = ask(&mut session, first);
    errors(&findings).map_or(Read::Taken, Read::Refused)
}

/// Any query over the predicates of the language.
pub fn query(bytes: &[u8]) -> Read {
    let mut session = sandboxed(b"a. b.\n");
    let rules = include_str!("../../../tests/cmd/family.pl");
    session.load_text("family.pl", rules);
    session.allow(&super::allowance());
    ask(&mut session, &String::from_utf8_lossy(bytes))
}

fn ask(session: &mut Session, text: &str) -> Read {
    let mut query = match session.query(text) {
        Ok(query) => query,
        Err(fault) => return Read::Refused(shown(&fault.diagnostic)),
    };
    for _ in 0..ANSWERS {
        match session.next(&mut query) {
            Ok(true) => {
                let _ = session.answer(&query).to_string();
            }
            Ok(false) => break,
            Err(fault) => {
                let _ = session.describe(&fault);
                break;
            }
        }
    }
    session.close(query);
    Read::Taken
}

/// Any rule file is loaded and checked, and searched where it is a puzzle or a game: by the
/// rules and by the code made from them, which have to agree.
pub fn domain(bytes: &[u8]) -> Read {
    let path = file("domain.pl", bytes);
    let mut session = sandboxed(b"a. b.\n");
    Specialise::CrossCheck.set(&mut session.world);
    let findings = match session.load_file(&path) {
        Ok(findings) => findings,
        Err(LoadError::Io(error)) => return Read::Refused(format!("domain.pl:0: {error}")),
        Err(LoadError::Stopped(..)) => return Read::Taken,
    };
    if let Some(wrong) = errors(&findings) {
        return Read::Refused(wrong);
    }
    session.allow(&super::allowance());
    let checked = zug_tools::check::program(&mut session, findings);
    // What is found by trying out has no place, but a state.
    if errors(&checked.findings).is_some() {
        return Read::Taken;
    }
    let read = match Contract::of(&session.machine).kind() {
        // Models are searched by their own test; `check` has posted this one.
        DomainKind::Program | DomainKind::Model => Ok(()),
        DomainKind::Puzzle => search(&mut session, &path).and_then(|()| count(&mut session, &path)),
        DomainKind::Game => play(&mut session, &path).and_then(|()| count(&mut session, &path)),
        DomainKind::Simultaneous => {
            session.allow(&super::allowance());
            let all = EquilibriumOptions { all: true, eliminate: None };
            let wanted = Wanted::Equilibria(all, None);
            let request =
                SolveRequest { file: path, wanted, limits: limits(), ..SolveRequest::default() };
            zug::solve(&mut session, &request).map(drop)
        }
    };
    match read {
        Err(Failure::Rule(raised)) => {
            let text = shown(&raised.finding);
            let differs = ["the code made from the rules", "E0512"];
            assert!(!differs.iter().any(|words| text.contains(words)), "{text}");
            Read::Taken
        }
        Err(failure) => refusal(&failure),
        Ok(()) => Read::Taken,
    }
}

fn limits() -> Limits {
    Limits {
        nodes: Some(NODES),
        depth: None,
        time: Some(super::TIME),
        memory: Some(super::MEMORY),
        cancel: None,
        threads: None,
    }
}

fn search(session: &mut Session, path: &Path) -> Result<(), Failure> {
    for engine in [None, Some("idastar"), Some("iddfs")] {
        session.allow(&super::allowance());
        let request = SolveRequest {
            file: path.to_owned(),
            engine: engine.map(str::to_owned),
            every: true,
            limits: limits(),
            ..SolveRequest::default()
        };
        written(session, &request)?;
        if Contract::of(&session.machine).heuristics().is_empty() {
            break;
        }
    }
    Ok(())
}

fn play(session: &mut Session, path: &Path) -> Result<(), Failure> {
    for (engine, depth) in [(Some("solve_game"), None), (None, Some(3)), (Some("mcts"), None)] {
        session.allow(&super::allowance());
        let request = SolveRequest {
            file: path.to_owned(),
            engine: engine.map(str::to_owned),
            limits: Limits { depth, ..limits() },
            ..SolveRequest::default()
        };
        match written(session, &request) {
            // An engine for other games.
            Ok(()) | Err(Failure::Players(_) | Failure::NotForGames(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}

/// Solves, and writes every result as it comes.
fn written(session: &mut Session, request: &SolveRequest) -> Result<(), Failure> {
    let each = &mut |found: &Found, session: &mut Session| {
        let _ = serde_json::to_string(&found.record(session, Vec::new())).expect("JSON");
        true
    };
    solve(session, request, None, each).map(drop)
}

fn count(session: &mut Session, path: &Path) -> Result<(), Failure> {
    session.allow(&super::allowance());
    let request =
        EnumerateRequest { file: path.to_owned(), limits: limits(), ..EnumerateRequest::default() };
    let report = enumerate_loaded(session, &request, None)?;
    let _ = serde_json::to_string(&report).expect("JSON");
    Ok(())
}

/// The files of a folder beside the crate, sorted.
pub(super) fn files(folder: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = if root.join("rules").is_dir() { root } else { root.parent().expect("a folder") };
    let entries = std::fs::read_dir(root.join(folder)).expect("the folder is there");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    names.retain(|path| path.extension().is_some_and(|ending| ending == "pl"));
    names.sort();
    names.iter().map(|path| std::fs::read(path).expect("a file")).collect()
}

/// Programs: those of the tests of the command line, which try a bit of everything.
pub fn programs() -> Vec<Vec<u8>> {
    [files("tests/cmd"), files("tests/cmd/why"), files("tests/cmd/test")].concat()
}

/// Puzzles and games.
pub fn domains() -> Vec<Vec<u8>> {
    let mut all = [files("rules"), files("tests/cmd/at_once"), files("tests/domains")].concat();
    all.retain(|text| text.len() < 6000);
    all
}

/// Goals.
pub fn queries() -> Vec<Vec<u8>> {
    let goals = [
        "parent(X, bob), \\+ X = ann ; fail",
        "findall(X-Y, (parent(X, Y), X \\== Y), L), msort(L, M), length(M, N)",
        "X is 2 ** 70 + 0x1F - 0'a * 1.5e3 // 7, format(\"~w ~a ~10|~t~d~n\", [X, abc, 12])",
        "catch(atom_length(X, _), error(E, _), (print_message(error, E), true))",
        "atom_codes(A, \"abc\"), sub_atom(A, B, 1, L, S), atom_string(S, T)",
        "append(X, [Y|Z], [1, 2.0, 'a b', \"str\", f(_, {a, b}), [] | T])",
        "assertz((p(X) :- q(X), !, r)), clause(p(A), B), retract((p(_) :- _))",
        "why(parent(tom, bob))",
        "why_not(parent(bob, tom))",
        "help(append/3)",
        "read_term(T, [variable_names(Vs)]), write_canonical(T-Vs), nl",
        "setof(K-Vs, bagof(V, member(K-V, [b-1, a-2, b-3]), Vs), L)",
        "copy_term([X, Y, X], C), numbervars(C, 0, E), print(C), term_to_atom(f(X, Y), At)",
        "between(1, inf, X), X mod 7 =:= 6, !",
        "string_concat(X, Y, \"ab\"), split_string(\"a,b\", \",\", \" \", P)",
        "op(700, xfx, ===>), X = (a ===> b), X =.. L, functor(X, N, A)",
        "length(L, 3), foldl([X, A, B]>>(B is A + X), [1, 2, 3], 0, S), nb_setval(k, S)",
        "tab(3), sumlist([1, 2], S), nth0(0, [a], E), last([1, 2], La), msort([c, 1, b, 2.0], M)",
        "with_output_to(string(S), (write(a), put_char(b))), string_codes(S, Cs)",
        "call_with_time_limit(1, true), call_with_inference_limit(true, 100, R)",
    ];
    goals.iter().map(|goal| goal.as_bytes().to_owned()).collect()
}
