//! Rule programs under search: reports and limits. `tests/programs/parts` has answers and errors.

use super::*;
use num_bigint::BigInt;
use proptest::prelude::*;
#[cfg(feature = "native")]
use std::path::{Path, PathBuf};
use std::time::Duration;
use zug_machine::Machine;
#[cfg(feature = "native")]
use zug_prolog::session::Allowance;
use zug_prolog::session::Session;
use zug_search::{Engine, Limits, Options, Outcome, StateStore, StopReason};
use zug_term::{Cell, Heap, Record, is_variant};

/// A session with these rules.
pub(super) fn session(text: &str) -> Session {
    let (mut session, _) = crate::language::captured("");
    let findings = session.load_text("rules.pl", text);
    assert!(!findings.iter().any(|f| f.is_error()), "{findings:#?}");
    session
}

/// The first answer of a query; `false`; or the error in words.
#[track_caller]
pub(super) fn check(session: &mut Session, goal: &str, expected: &str) {
    let mut query = session.query(goal).expect("a goal that reads");
    let found = match session.next(&mut query) {
        Ok(true) => session.answer(&query),
        Ok(false) => "false".to_owned(),
        Err(fault) => session.describe(&fault).to_string(),
    };
    session.close(query);
    assert_eq!(found, expected, "{goal}");
    assert_eq!(session.machine.roots.len(), 0, "{goal}");
    assert_eq!(session.machine.heap.top(), 0, "{goal}");
}

pub(super) const CORRIDOR: &str = "
    initial_state(0).
    final_state(5).
    rule(right, 1, X, Y) :- X < 9, Y is X + 1.
    rule(left, 1, X, Y) :- X > 0, Y is X - 1.
    heuristic(X, H) :- H is abs(5 - X).
";

/// As `CORRIDOR` with one predicate replaced.
fn corridor(without: &str, with: &str) -> Session {
    let kept = CORRIDOR.lines().filter(|line| !line.trim().starts_with(without));
    session(&(kept.collect::<Vec<_>>().join("\n") + "\n    " + with))
}

#[test]
fn searches_are_in_the_journal() {
    let mut session = session(CORRIDOR);
    check(&mut session, "bfs(4, P, C)", "P = [right], C = 1");
    check(&mut session, "astar(_, C)", "C = 5");
    let journal = crate::take_journal(&mut session.world);
    assert_eq!(journal.puzzles.len(), 2);
    let found = &journal.puzzles[1].as_ref().expect("no error").solution;
    assert_eq!((found.moves().len(), &found.cost), (5, &Some(5.into())));
    assert_eq!(found.outcome(), Outcome::Solved);
    assert_ne!(found.ending.verdict, zug_report::Verdict::Open);
}

#[test]
fn names_of_heuristics() {
    let mut session = session(
        "initial_state(4). final_state(5). rule(right, 1, X, Y) :- X < 9, Y is X + 1.
         heuristic(exact, X, H) :- H is abs(5 - X). heuristic(zero, _, 0). heuristic(dead, _, inf).",
    );
    let contract = Contract::of(&session.machine);
    assert_eq!(contract.kind(), DomainKind::Puzzle);
    let names: Vec<String> =
        contract.heuristics().iter().map(|h| h.name(&session.machine.symbols)).collect();
    assert_eq!(names, ["exact", "zero", "dead"]);
    check(&mut session, "astar(S, _, C, [heuristic(dead)])", "false");
    let journal = crate::take_journal(&mut session.world);
    let last = journal.puzzles.last().and_then(|last| last.as_ref().ok()).expect("a search");
    assert_eq!(last.solution.heuristic.as_deref(), Some("dead"));
}

#[test]
fn rules_without_end_are_stopped() {
    let task = |time| Task {
        engine: Engine::Astar,
        heuristic: Some(Heuristic::Plain),
        options: Options::default(),
        by_itself: false,
        limits: Limits { time: Some(Duration::from_millis(time)), ..Limits::none() },
    };
    for (without, with, predicate) in [
        ("rule", "rule(up, 1, X, Y) :- rule(up, 1, X, Y).", "rule/4"),
        ("rule", "rule(up, 1, X, Y) :- between(1, inf, _), Y is X + 1, fail.", "rule/4"),
        ("heuristic", "heuristic(X, H) :- heuristic(X, H).", "heuristic/2"),
        ("final_state", "final_state(X) :- final_state(X).", "final_state/1"),
    ] {
        let mut session = corridor(without, with);
        let contract = Contract::of(&session.machine);
        let (m, w) = (&mut session.machine, &mut session.world);
        let start = Record::atomic(Cell::small(0));
        let found = find(m, w, &contract, &task(50), &start, None).expect("no error");
        assert_eq!(found.outcome(), Outcome::Stopped(StopReason::Time));
        assert_eq!(found.stopped_in.map(|place| place.predicate), Some(predicate));
        assert_eq!((m.heap.top(), m.deadline), (0, None));
    }
}

#[test]
fn endless_recursion_in_a_rule_is_a_resource_error() {
    let mut session =
        corridor("rule", "rule(up, 1, X, Y) :- deep(X, Y). deep(X, f(Y)) :- deep(X, Y), true.");
    session.machine.memory_limit = 64 << 20;
    check(&mut session, "catch(astar(0, _, _), error(resource_error(R), _), true)", "R = memory");
    check(&mut session, "X = 1", "X = 1");
}

#[test]
fn engines_nest_and_survive_collections() {
    let mut session = session(
        "
        initial_state(0). final_state(3).
        rule(inc, C, X, Y) :- X < 3, Y is X + 1, waste(20000), once(inner(X, C)).
        inner(_, 1) :- numlist(1, 2000, L), sum_list(L, S), S > 0.
        waste(0) :- !.
        waste(N) :- length(L, 10), L = [_|_], M is N - 1, waste(M).
    ",
    );
    check(
        &mut session,
        "L = [a,B,f(B)], ucs(P, C), L = [X,y|_]",
        "L = [a,y,f(y)], B = y, P = [inc,inc,inc], C = 3, X = a",
    );
    assert!(session.machine.collections > 0);
}

#[test]
fn shapes_run_out_and_nothing_changes() {
    let mut heap = Heap::new();
    let mut codec = Codec::new();
    let mut store = PackedStore::default();
    let list = |heap: &mut Heap, n: usize| {
        let items = vec![Cell::small(7); n];
        heap.list_from(&items, Cell::NIL)
    };
    let lengths = || (0..1500).chain(0..1500);
    for n in lengths() {
        let term = list(&mut heap, n);
        let packed = codec.encode(&mut heap, term).expect("finite");
        let (id, _) = store.intern(&packed);
        assert_eq!(id as usize, n);
        let again = codec.decode(packed.bytes(), &mut heap);
        assert!(is_variant(&heap, term, again), "{n}");
        heap.cells.clear();
    }
    assert!(codec.shapes() < 1500, "the templates of so many long lists are too much");
    let cycle = heap.new_var();
    let term = heap.new_list(Cell::small(1), cycle);
    heap.set(cycle.addr(), term);
    assert_eq!(codec.encode(&mut heap, term), Err(Unpackable::Cyclic));
}

#[derive(Clone, Debug)]
enum Tree {
    Var(u8),
    Int(i64),
    Float(f64),
    Atom(u8),
    Str(String),
    Big(i128),
    List(Vec<Tree>, Box<Tree>),
    Struct(u8, Vec<Tree>),
}

impl Tree {
    /// Builds the term; `rename` moves variables about.
    fn build(&self, m: &mut Machine, vars: &[Cell], rename: u8) -> Cell {
        match self {
            Tree::Var(n) => vars[usize::from((n + rename) % 4)],
            Tree::Int(n) => m.heap.new_int(*n),
            Tree::Float(x) => m.heap.new_float(*x),
            Tree::Atom(0) => Cell::NIL,
            Tree::Atom(n) => Cell::atom(m.symbols.intern(&format!("atom{n}"))),
            Tree::Str(text) => m.heap.new_string(text),
            Tree::Big(n) => m.heap.new_big(&BigInt::from(*n)),
            Tree::List(items, tail) => {
                let items: Vec<Cell> = items.iter().map(|t| t.build(m, vars, rename)).collect();
                let tail = tail.build(m, vars, rename);
                m.heap.list_from(&items, tail)
            }
            Tree::Struct(n, args) => {
                let args: Vec<Cell> = args.iter().map(|t| t.build(m, vars, rename)).collect();
                let name = m.symbols.intern(&format!("f{n}"));
                m.heap.new_struct(name, &args)
            }
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0..4u8).prop_map(Tree::Var),
        prop_oneof![
            -20..90i64,
            any::<i64>().prop_map(|n| n >> 5),
            Just(127i64),
            Just(-128),
            Just(128)
        ]
        .prop_map(Tree::Int),
        prop_oneof![any::<f64>(), Just(-0.0), Just(0.0)].prop_map(Tree::Float),
        prop_oneof![0..3u8, any::<u8>()].prop_map(Tree::Atom),
        "[ab]{0,9}".prop_map(Tree::Str),
        any::<i128>().prop_map(Tree::Big),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            (
                prop::collection::vec(inner.clone(), 1..5),
                prop_oneof![Just(Tree::Atom(0)), inner.clone()]
            )
                .prop_map(|(items, tail)| Tree::List(items, Box::new(tail))),
            (0..2u8, prop::collection::vec(inner, 1..4))
                .prop_map(|(n, args)| Tree::Struct(n, args)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// What is decoded is a variant; bytes are equal exactly for variants; the heap is as before.
    #[test]
    fn packing_is_exact(trees in prop::collection::vec(tree(), 1..6), rename in 0..4u8) {
        let mut m = Machine::new();
        let mut codec = Codec::new();
        let vars: Vec<Cell> = (0..4).map(|_| m.heap.new_var()).collect();
        let mut terms: Vec<Cell> = trees.iter().map(|t| t.build(&mut m, &vars, 0)).collect();
        terms.extend(trees.iter().map(|t| t.build(&mut m, &vars, rename)).collect::<Vec<_>>());
        let before = m.heap.cells.clone();
        let packed: Vec<Packed> =
            terms.iter().map(|&t| codec.encode(&mut m.heap, t).expect("finite")).collect();
        prop_assert_eq!(&m.heap.cells, &before);
        for (i, &term) in terms.iter().enumerate() {
            prop_assert_eq!(&codec.encode(&mut m.heap, term).expect("finite"), &packed[i]);
            let again = codec.decode(packed[i].bytes(), &mut m.heap);
            prop_assert!(is_variant(&m.heap, term, again));
            for (j, &other) in terms.iter().enumerate() {
                prop_assert_eq!(is_variant(&m.heap, term, other), packed[i] == packed[j]);
            }
        }
    }
}

#[cfg(feature = "native")]
#[test]
fn both_back_ends_of_code_agree_on_every_rule_file() {
    use zug_code::comparing;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["rules", "tests/domains"].map(|folder| {
        let folder = std::fs::read_dir(root.join(folder)).expect("a folder of rules");
        folder.flatten().map(|entry| entry.path())
    });
    let mut files: Vec<PathBuf> = folders.into_iter().flatten().collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pl"));
    files.sort();
    let goals = [
        "once((initial_state(S) ; initial_state(_, S))), astar(S, _, _, [nodes(150)])",
        "solve_game(_, _, _)",
    ];
    let mut all = 0;
    for file in files {
        all += comparing(|| {
            for goal in goals {
                let (mut session, _) = crate::language::captured("");
                let _ = session.load_file(&file);
                let time = Some(std::time::Duration::from_secs(1));
                session.allow(&Allowance { time, ..Allowance::default() });
                let mut query = session.query(goal).expect("a goal that reads");
                // No file is a puzzle and a game, and some have mistakes.
                let _ = session.next(&mut query);
                session.close(query);
            }
        });
    }
    assert!(all > 1000, "{all}");
}
