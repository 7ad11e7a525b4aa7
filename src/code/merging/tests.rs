//! Rules run with symbols in the leaves have, in every state, the machine's own answers.

use super::environment::CALLERS;
use super::goals::Reader;
use super::{Answer, Memory, Outcome, Run, UNBOUND};
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_random::Random;
use zug_symbolic::{Condition, Domain, Leaf, Shape, Store, Substitute, Term, Variable};
use zug_term::Cell;

/// A board: how it is written, with `#` for leaves, and the values of these.
struct Board {
    file: &'static str,
    state: String,
    leaves: &'static [&'static str],
    /// The goal, where `S` stands for the state; its variables, in their order.
    goal: &'static str,
    variables: &'static [&'static str],
}

impl Board {
    fn filled(&self, values: &[usize]) -> String {
        let mut values = values.iter();
        self.state.chars().fold(String::new(), |mut text, c| {
            match c {
                '#' => text += self.leaves[*values.next().expect("one for each leaf")],
                c => text.push(c),
            }
            text
        })
    }

    fn size(&self) -> usize {
        self.state.matches('#').count()
    }
}

/// The value of `X` in the first answer of a query.
pub(super) fn asked(session: &mut Session, text: &str, store: &mut Store) -> Term {
    let mut query = session.query(text).expect("it is a query");
    assert!(session.next(&mut query).expect("no error"), "{text}");
    let (_, cell) = session.bindings(&query).find(|&(name, _)| name == "X").expect("there is X");
    let term = Reader::new(&session.machine.heap).term(store, cell).expect("small terms");
    session.close(query);
    term
}

/// What an outcome answers in a state: the list of the values of each answer, in order.
pub(super) fn answers_in(store: &mut Store, outcome: &Outcome, state: &[Cell]) -> Term {
    let nil = store.constant(Cell::NIL);
    let mut found = Vec::new();
    for Answer { condition, values, .. } in &outcome.answers {
        if store.holds(*condition, state) {
            let in_state = |&value: &Term| store.term_in(value, state).expect("one way holds");
            let values: Vec<Term> = values.iter().map(in_state).collect();
            found.push(store.list(&values, nil));
        }
    }
    let found = store.list(&found, nil);
    without_variables(store, found)
}

/// A term in which every variable is the same constant: states have one for each unbound leaf.
pub(super) fn without_variables(store: &mut Store, term: Term) -> Term {
    let unbound = store.constant(UNBOUND);
    store.substituted(term, &mut |_, _| Substitute::Done(unbound))
}

/// The most goals that a run may solve: following each way for itself takes millions for some of these.
const MOST_STEPS: u64 = 150_000;

/// Compares the symbolic run with the machine in random states; how many deoptimised.
fn agrees(board: &Board, states: usize) -> usize {
    let (mut session, _) = Session::captured(&[], "");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/");
    session.load_file(&std::path::PathBuf::from(path.to_owned() + board.file)).expect("a file");
    let mut empty = Store::new(Vec::new(), u64::MAX - 1);
    let values: Vec<Cell> = board
        .leaves
        .iter()
        .map(|&text| {
            if text == "_" {
                return UNBOUND;
            }
            let term = asked(&mut session, &format!("X = ({text})."), &mut empty);
            match empty.shape(term) {
                &Shape::Constant(cell) => cell,
                _ => panic!("a leaf is atomic"),
            }
        })
        .collect();
    let domains = vec![Domain::Values(values.clone().into()); board.size()];
    let mut store = Store::new(domains, 100_000_000);
    // The state with a leaf in each place, by way of variables.
    let open: String = board.state.replace('#', "_");
    let goal = board.goal.replace("S", "STATE");
    let list = board.variables.join(",");
    let text = format!("X = f({open}, STATE, [{list}], {goal}).");
    let read = asked(&mut session, &text, &mut store);
    let Shape::Struct(_, parts) = store.shape(read).clone() else { panic!("a structure") };
    let size = board.size() as u32;
    // Variables in the order of their occurrence: leaves, the state, those of the goal.
    let mut leaf = 0;
    let state = store.substituted(parts[0], &mut |store, _| {
        leaf += 1;
        Substitute::Done(store.leaf(Leaf(leaf - 1)))
    });
    let named = |store: &mut Store, term: Term| {
        store.renamed(term, &mut |v| Variable(CALLERS.wrapping_add(v.0.wrapping_sub(size + 1))))
    };
    let goal = named(&mut store, parts[3]);
    let Shape::Struct(header, arguments) = store.shape(goal).clone() else { panic!("a goal") };
    let hole = store.variable(Variable(CALLERS - 1));
    let arguments: Vec<Term> =
        arguments.iter().map(|&a| if a == hole { state } else { a }).collect();
    let lookup =
        session.machine.program.lookup(header.functor_name(), arguments.len(), Space::User);
    let pred = session.machine.program.resolve(lookup.expect("the predicate is there"));
    let mut run = Run::new(&mut session.machine, &mut session.world, store, Memory::default());
    let outcome = run.answers(pred, &arguments).expect("it comes to an end");
    assert!(run.steps < MOST_STEPS, "{}: {} steps", board.goal, run.steps);
    let mut store = run.store;
    let mut random = Random::nth(7, 1);
    let mut deopt = 0;
    for _ in 0..states {
        let numbers: Vec<usize> =
            (0..size).map(|_| random.below(values.len() as u64) as usize).collect();
        let state: Vec<Cell> = numbers.iter().map(|&number| values[number]).collect();
        if store.holds(outcome.deopt, &state) {
            deopt += 1;
            continue;
        }
        let found = answers_in(&mut store, &outcome, &state);
        let filled = board.filled(&numbers);
        let goal = board.goal.replace("S", "STATE");
        let text = format!("findall([{list}], (STATE = {filled}, {goal}), X).");
        let expected = asked(&mut session, &text, &mut store);
        let expected = without_variables(&mut store, expected);
        assert!(found == expected, "{text}");
    }
    deopt
}

fn rows(rows: usize, columns: usize) -> String {
    let row = format!("[{}]", vec!["#"; columns].join(","));
    format!("[{}]", vec![row; rows].join(","))
}

/// Asked of boards of these rows and columns.
fn check(
    file: &'static str,
    (height, width): (usize, usize),
    leaves: &'static [&'static str],
    goals: &[(&'static str, &'static [&'static str])],
) {
    for &(goal, variables) in goals {
        let board = Board { file, state: rows(height, width), leaves, goal, variables };
        assert_eq!(agrees(&board, 60), 0, "{goal}");
    }
}

const MOVE: (&str, &[&str]) = ("move(x, M, S, T)", &["M", "T"]);
const RULE: (&str, &[&str]) = ("rule(M, C, S, T)", &["M", "C", "T"]);
const OVER: (&str, &[&str]) = ("terminal(x, S)", &[]);
const WORTH: (&str, &[&str]) = ("utility(x, S, U)", &["U"]);

#[test]
fn sliding_tiles() {
    let manhattan: (&str, &[&str]) = ("heuristic(manhattan, S, H)", &["H"]);
    let tiles = &["a", "b", "c", "d", "e", "f", "g", "h", "vide"];
    check("taquin.pl", (3, 3), tiles, &[RULE, ("final_state(S)", &[]), manhattan]);
    let tiles: &[&str] =
        &["b", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
    check("taquin15.pl", (4, 4), tiles, &[RULE, manhattan]);
}

#[test]
fn lines_on_boards() {
    check("tictactoe.pl", (3, 3), &["x", "o", "_"], &[MOVE, OVER, WORTH]);
    check("connect4.pl", (5, 4), &["x", "o", "-"], &[MOVE, OVER, WORTH]);
    check("connect4.pl", (7, 6), &["x", "o", "-"], &[MOVE, OVER, WORTH]);
}

#[test]
fn rays_on_boards() {
    check("reversi.pl", (4, 4), &["x", "o", "_"], &[MOVE, OVER, WORTH]);
    check("reversi.pl", (8, 8), &["x", "o", "_"], &[MOVE, OVER, WORTH]);
}

/// Answers come in the order of clauses where recursion goes along a list of elements that may be absent.
#[test]
fn lists_of_elements_that_may_be_absent() {
    for goal in ["heuristic(before, S, H)", "heuristic(amid, S, H)"] {
        let board = Board {
            file: "../tests/domains/corners/walks.pl",
            state: "[#,#,#,#,#]".to_owned(),
            leaves: &["0", "1", "2", "3", "a", "b"],
            goal,
            variables: &["H"],
        };
        assert_eq!(agrees(&board, 200), 0, "{goal}");
    }
}

/// What changes between questions is not worked out beforehand.
#[test]
fn what_depends_on_more_than_the_state_deoptimises() {
    let (mut session, _) = Session::captured(&[], "");
    session.load_text("t", ":- nb_setval(bonus, 1).\nworth(_, V) :- nb_getval(bonus, V).\n");
    let name = session.machine.symbols.intern("worth");
    let pred = session.machine.program.lookup(name, 2, Space::User).expect("it is there");
    let mut store = Store::new(Vec::new(), 1_000_000);
    let state = store.constant(Cell::NIL);
    let value = store.variable(Variable(CALLERS));
    let mut run = Run::new(&mut session.machine, &mut session.world, store, Memory::default());
    let outcome = run.answers(pred, &[state, value]).expect("it comes to an end");
    assert_eq!(outcome.deopt, Condition::ALWAYS);
    assert!(outcome.answers.is_empty(), "{:?}", outcome.answers);
}

/// The machine makes texts, for each value of a leaf: `format/3` is a clause of the library that writes.
#[test]
fn texts_that_depend_on_a_leaf_are_known() {
    let (mut session, _) = Session::captured(&[], "");
    session.load_text("t", "named(X, T) :- format(atom(T), 'n~w', [X]).\n");
    let name = session.machine.symbols.intern("named");
    let pred = session.machine.program.lookup(name, 2, Space::User).expect("it is there");
    let values = [1, 2, 3].map(Cell::small);
    let mut store = Store::new(vec![Domain::Values(values.into())], 1_000_000);
    let (leaf, text) = (store.leaf(Leaf(0)), store.variable(Variable(CALLERS)));
    let mut run = Run::new(&mut session.machine, &mut session.world, store, Memory::default());
    let outcome = run.answers(pred, &[leaf, text]).expect("it ends");
    assert_eq!(outcome.deopt, Condition::NEVER);
    let named = Cell::atom(run.machine.symbols.intern("n2"));
    let named = run.store.constant(named);
    let in_state = run.store.term_in(outcome.answers[0].values[0], &[Cell::small(2)]);
    assert_eq!(in_state, Some(named));
}

/// What recurses along a list goes as deep as the list is long.
#[test]
fn long_lists_are_gone_through() {
    let (mut session, _) = Session::captured(&[], "");
    let text = "counted([], 0). counted([X|T], N) :- counted(T, M), ( X == a -> N is M + 1 ; N = M ).\n\
                worth(X, N) :- numlist(1, 1000, L0), append(L0, [X], L), counted(L, N).\n\
                endless(X, N) :- endless(f(X), N).\n";
    session.load_text("t", text);
    for (name, is_deopt) in [("worth", false), ("endless", true)] {
        let name = session.machine.symbols.intern(name);
        let pred = session.machine.program.lookup(name, 2, Space::User).expect("it is there");
        let values = ["a", "b"].map(|name| Cell::atom(session.machine.symbols.intern(name)));
        let mut store = Store::new(vec![Domain::Values(values.into())], 10_000_000);
        let (state, value) = (store.leaf(Leaf(0)), store.variable(Variable(CALLERS)));
        let mut run = Run::new(&mut session.machine, &mut session.world, store, Memory::default());
        match run.answers(pred, &[state, value]) {
            Some(outcome) if !is_deopt => {
                assert_eq!(outcome.deopt, Condition::NEVER);
                let [Answer { condition: Condition::ALWAYS, values, .. }] = &outcome.answers[..]
                else {
                    panic!("{:?}", outcome.answers)
                };
                assert_eq!(
                    run.store
                        .integer_in(values[0], &[Cell::atom(session.machine.symbols.intern("a"))]),
                    Some(1)
                );
            }
            Some(outcome) => assert_eq!(outcome.deopt, Condition::ALWAYS),
            None => assert!(is_deopt),
        }
    }
}
