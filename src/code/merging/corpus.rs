//! The rule files of the repository: each contract predicate run once with symbols in the leaves of
//! reachable states, and its answers held against the machine's.
//!
//! `cargo test -p zug-code corpus -- --ignored --nocapture` prints a line for each; `ZUG_FILE` chooses
//! files by parts of their names, with commas between, and `ZUG_FILES` names a folder to take them from
//! in the place of the repository's.

use super::environment::CALLERS;
use super::goals::Reader;
use super::{Answer, Evaluator, UNBOUND};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_symbolic::{Domain, Leaf, Shape, Store, Substitute, Term, Variable};
use zug_term::Cell;

/// States of a file that are visited.
const MOST_STATES: usize = 250;
/// States of a shape that are compared.
const MOST_COMPARED: usize = 60;
/// Shapes of a file that are run.
const MOST_SHAPES: usize = 2;
/// Work for one predicate.
const MOST_WORK: u64 = 4_000_000;
/// A leaf of more integers than these is a range.
const MOST_VALUES: usize = 64;

/// Reachable states, and what plain queries say of one.
const HELPERS: &str = "
:- dynamic(zz_state/2).
:- dynamic(zz_seen/1).
zz_has(F, N) :- functor(H, F, N), catch(clause(H, _), _, fail), !.
zz_initial(S) :- zz_has(initial_state, 1), initial_state(S).
zz_initial(S) :- zz_has(initial_state, 2), initial_state(_, S).
zz_players(Js) :- zz_has(opponent, 2), catch(findall(J, opponent(J, _), L), _, fail), !, sort(L, Js).
zz_players([]).
zz_next(S, T) :- zz_has(rule, 4), rule(_, _, S, T).
zz_next(S, T) :- zz_has(move, 4), zz_players(Js), member(J, Js), move(J, _, S, T).
zz_next(S, T) :- zz_has(move, 3), move(_, S, T).
zz_all(Template, Goal, L) :-
    catch(call_with_inference_limit(findall(Template, Goal, L0), 3000000, R), _, R = error),
    ( R \\== error, R \\== inference_limit_exceeded -> L = ok(L0) ; L = error ).
zz_add(S) :- copy_term(S, C), numbervars(C, 0, _), zz_seen(C), !.
zz_add(S) :-
    copy_term(S, C), numbervars(C, 0, _), assertz(zz_seen(C)),
    aggregate_all(count, zz_state(_, _), N), assertz(zz_state(N, S)).
zz_reach(Most) :-
    zz_all(S, zz_initial(S), ok(L)), forall(member(S, L), zz_add(S)), zz_reach(0, Most).
zz_reach(N, Most) :-
    N < Most, zz_state(N, S), !,
    ( zz_all(T, zz_next(S, T), ok(L)) -> true ; L = [] ),
    forall(member(T, L), zz_room(T, Most)),
    N1 is N + 1, zz_reach(N1, Most).
zz_reach(_, _).
zz_room(T, Most) :- aggregate_all(count, zz_state(_, _), N), ( N < Most -> zz_add(T) ; true ).
zz_goal(g(rule(M,C,S,T), S, [M,C,T])) :- zz_has(rule, 4).
zz_goal(g(final_state(S), S, [])) :- zz_has(final_state, 1).
zz_goal(g(move(J,M,S,T), S, [M,T])) :- zz_has(move, 4), zz_players(Js), member(J, Js).
zz_goal(g(move(M,S,T), S, [M,T])) :- zz_has(move, 3).
zz_goal(g(terminal(J,S), S, [])) :- zz_has(terminal, 2), zz_players(Js), member(J, Js).
zz_goal(g(terminal(S), S, [])) :- zz_has(terminal, 1).
zz_goal(g(utility(J,S,U), S, [U])) :- zz_has(utility, 3), zz_players(Js), member(J, Js).
zz_goal(g(heuristic(S,H), S, [H])) :- zz_has(heuristic, 2).
zz_goal(g(heuristic(J,S,H), S, [H])) :- zz_has(heuristic, 3), zz_players(Js), member(J, Js).
zz_goal(g(heuristic(N,S,H), S, [N,H])) :- zz_has(heuristic, 3), zz_players([]).
zz_ask(I, N, X) :-
    findall(G, zz_goal(G), Gs), nth0(I, Gs, g(Goal, S, Vs)), zz_state(N, S),
    zz_all(Vs, Goal, X).
";

/// The value of `X` in the first answer of a query; `None` if there is none, or it holds what no cell
/// does.
fn asked(session: &mut Session, text: &str, store: &mut Store) -> Option<Term> {
    let mut query = session.query(text).expect("it is a query");
    if !session.next(&mut query).ok()? {
        session.close(query);
        return None;
    }
    let (_, cell) = session.bindings(&query).find(|&(name, _)| name == "X").expect("there is X");
    let term = Reader::new(&session.machine.heap).term(store, cell);
    session.close(query);
    term
}

/// What a state is made of: its structure as a text, and the values of its leaves.
#[derive(Default)]
struct Parts {
    shape: String,
    leaves: Vec<Cell>,
    aliased: bool,
    boxed: bool,
}

impl Parts {
    fn of(store: &Store, term: Term) -> Parts {
        let mut parts = Parts::default();
        let mut variables = Vec::new();
        parts.add(store, term, &mut variables);
        parts
    }

    fn add(&mut self, store: &Store, term: Term, variables: &mut Vec<Variable>) {
        match store.shape(term) {
            &Shape::Constant(Cell::NIL) => self.shape.push_str("[]"),
            Shape::Boxed(_) => {
                // No leaf has it: the state is left out.
                self.shape.push('!');
                self.boxed = true;
            }
            &Shape::Constant(cell) => {
                self.shape.push('#');
                self.leaves.push(cell);
            }
            &Shape::Variable(variable) => {
                self.shape.push('#');
                self.leaves.push(UNBOUND);
                self.aliased |= variables.contains(&variable);
                variables.push(variable);
            }
            &Shape::Pair(head, tail) => {
                self.shape.push('[');
                self.add(store, head, variables);
                self.shape.push('|');
                self.add(store, tail, variables);
            }
            Shape::Struct(header, arguments) => {
                let _ = write!(self.shape, "{header:?}(");
                for &argument in arguments.iter() {
                    self.add(store, argument, variables);
                    self.shape.push(',');
                }
            }
            _ => unreachable!("states are plain"),
        }
    }

    /// The state with a leaf in the place of each value.
    fn symbolic(store: &mut Store, term: Term, next: &mut u32) -> Term {
        match store.shape(term).clone() {
            Shape::Constant(Cell::NIL) => term,
            Shape::Pair(head, tail) => {
                let head = Parts::symbolic(store, head, next);
                let tail = Parts::symbolic(store, tail, next);
                store.pair(head, tail)
            }
            Shape::Struct(header, arguments) => {
                let arguments: Vec<Term> =
                    arguments.iter().map(|&part| Parts::symbolic(store, part, next)).collect();
                store.structure(header, arguments)
            }
            _ => {
                *next += 1;
                store.leaf(Leaf(*next - 1))
            }
        }
    }
}

/// The values of the leaves of a shape: those of leaves that had a value in common are joined, but
/// for leaves that were one integer.
fn domains(states: &[&Vec<Cell>]) -> Vec<Domain> {
    let leaves = states[0].len();
    let mut values: Vec<Vec<Cell>> = vec![Vec::new(); leaves];
    for state in states {
        for (known, &value) in values.iter_mut().zip(*state) {
            if !known.contains(&value) {
                known.push(value);
            }
        }
    }
    let alike: Vec<usize> =
        (0..leaves).filter(|&l| values[l].len() > 1 || !values[l][0].is_int()).collect();
    let mut grown = true;
    while grown {
        grown = false;
        for &a in &alike {
            for &b in &alike {
                if values[a].iter().any(|value| values[b].contains(value)) {
                    let new: Vec<Cell> =
                        values[b].iter().copied().filter(|v| !values[a].contains(v)).collect();
                    grown |= !new.is_empty();
                    values[a].extend(new);
                }
            }
        }
    }
    let range = std::env::var_os("ZUG_RANGES").is_some();
    let domain = |mut values: Vec<Cell>| {
        let integers: Option<Vec<i64>> = values.iter().map(|cell| cell.as_int()).collect();
        if let Some(all) = integers
            && (values.len() > MOST_VALUES || range && values.len() > 1)
        {
            let bounds = (all.iter().min(), all.iter().max());
            if let (Some(&low), Some(&high)) = bounds {
                return Domain::Range(low, high);
            }
        }
        values.sort_by_key(|cell| (cell.as_int(), cell.as_atom().map(|atom| atom.0)));
        Domain::Values(values.into())
    };
    values.into_iter().map(domain).collect()
}

/// What came of one predicate on one shape.
struct Line {
    goal: String,
    leaves: usize,
    steps: u64,
    work: u64,
    answers: usize,
    compared: usize,
    given_back: usize,
    wrong: usize,
    reasons: Vec<String>,
}

fn substituted(store: &mut Store, term: Term) -> Term {
    let unbound = store.constant(UNBOUND);
    store.substituted(term, &mut |_, _| Substitute::Done(unbound))
}

/// Runs all contract predicates of a file.
fn examined(path: &Path) -> Vec<Line> {
    let (mut session, _) = Session::captured(&[], "");
    session.load_file(path).expect("a file");
    session.load_text("helpers", HELPERS);
    let mut plain = Store::new(Vec::new(), u64::MAX - 1);
    asked(&mut session, &format!("zz_reach({MOST_STATES}), X = 1."), &mut plain);
    let goals = asked(&mut session, "findall(x, zz_goal(_), L), length(L, X).", &mut plain);
    let goals = goals.and_then(|goals| plain.as_integer(goals)).unwrap_or(0);
    let mut shapes: BTreeMap<String, Vec<(usize, Vec<Cell>)>> = BTreeMap::new();
    for number in 0..MOST_STATES {
        let state = asked(&mut session, &format!("zz_state({number}, X)."), &mut plain);
        let Some(state) = state else { continue };
        let parts = Parts::of(&plain, state);
        if !parts.aliased && !parts.boxed && !plain.is_spent() {
            shapes.entry(parts.shape).or_default().push((number, parts.leaves));
        }
    }
    let mut shapes: Vec<_> = shapes.into_values().collect();
    shapes.sort_by_key(|states| std::cmp::Reverse(states.len()));
    shapes.truncate(MOST_SHAPES);
    let mut lines = Vec::new();
    for states in &shapes {
        for goal in 0..goals {
            lines.push(line(&mut session, states, goal));
        }
    }
    lines
}

fn line(session: &mut Session, states: &[(usize, Vec<Cell>)], goal: i64) -> Line {
    let leaves: Vec<&Vec<Cell>> = states.iter().map(|(_, leaves)| leaves).collect();
    let mut store = Store::new(domains(&leaves), MOST_WORK);
    let sample = states[0].0;
    let text = format!(
        "findall(G, zz_goal(G), Gs), nth0({goal}, Gs, g(G, S, Vs)), zz_state({sample}, State), \
         X = f(Vs, S, G, State)."
    );
    let read = asked(session, &text, &mut store).expect("there is the goal");
    let Shape::Struct(_, parts) = store.shape(read).clone() else { panic!("a structure") };
    let mut next = 0;
    let state = Parts::symbolic(&mut store, parts[3], &mut next);
    let &Shape::Variable(hole) = store.shape(parts[1]) else { panic!("a variable") };
    let goal_term = store.substituted(parts[2], &mut |store, variable| {
        let term =
            if variable == hole { state } else { store.variable(Variable(CALLERS + variable.0)) };
        Substitute::Done(term)
    });
    let Shape::Struct(header, arguments) = store.shape(goal_term).clone() else { panic!("a goal") };
    let name = session.machine.symbols.name(header.functor_name()).to_owned();
    let lookup =
        session.machine.program.lookup(header.functor_name(), arguments.len(), Space::User);
    let pred = session.machine.program.resolve(lookup.expect("the predicate is there"));
    let mut run = Evaluator::new(&mut session.machine, &mut session.world, store);
    let outcome = run.answers(pred, &arguments);
    let (steps, reasons, mut store) = (run.steps, run.reasons, run.store);
    let mut line = Line {
        goal: format!("{name}/{}", arguments.len()),
        leaves: next as usize,
        steps,
        work: store.work(),
        answers: 0,
        compared: 0,
        given_back: 0,
        wrong: 0,
        reasons,
    };
    let Some(outcome) = outcome else {
        line.reasons = vec!["SPENT".to_owned()];
        line.compared = 1;
        line.given_back = 1;
        return line;
    };
    line.answers = outcome.answers.len();
    // Found out with the conditions that there are: the store has to go on.
    store.extend(u64::MAX / 2);
    let stride = states.len().div_ceil(MOST_COMPARED);
    for (number, leaves) in states.iter().step_by(stride) {
        line.compared += 1;
        if store.holds(outcome.given_back, leaves) {
            line.given_back += 1;
            continue;
        }
        let mut found = Vec::new();
        for Answer { condition, values, .. } in &outcome.answers {
            if store.holds(*condition, leaves) {
                let terms: Option<Vec<Term>> =
                    values.iter().map(|&value| store.term_in(value, leaves)).collect();
                let nil = store.constant(Cell::NIL);
                found.push(terms.map_or(nil, |terms| store.list(&terms, nil)));
            }
        }
        let nil = store.constant(Cell::NIL);
        let found = store.list(&found, nil);
        let found = substituted(&mut store, found);
        let asks = format!("zz_ask({goal}, {number}, X).");
        let expected = asked(session, &asks, &mut store);
        let expected = expected.and_then(|expected| match store.shape(expected).clone() {
            Shape::Struct(_, parts) => Some(substituted(&mut store, parts[0])),
            _ => None,
        });
        if expected != Some(found) {
            if line.wrong == 0 {
                let [found, expected] = [Some(found), expected]
                    .map(|term| term.map(|term| as_text(session, &store, term)));
                line.reasons
                    .push(format!("state {number}: found {found:?}, expected {expected:?}"));
            }
            line.wrong += 1;
        }
    }
    line
}

/// A term as a text, for messages.
fn as_text(session: &Session, store: &Store, term: Term) -> String {
    let name = |cell: Cell| match cell.as_atom() {
        _ if cell == UNBOUND => "_".to_owned(),
        Some(name) => session.machine.symbols.name(name).to_owned(),
        None => cell.as_int().map(|value| value.to_string()).unwrap_or_default(),
    };
    match store.shape(term) {
        Shape::Constant(cell) => name(*cell),
        Shape::Pair(head, tail) => {
            format!("[{}|{}]", as_text(session, store, *head), as_text(session, store, *tail))
        }
        Shape::Struct(header, parts) => {
            let parts: Vec<String> =
                parts.iter().map(|&part| as_text(session, store, part)).collect();
            let header = session.machine.symbols.name(header.functor_name());
            format!("{header}({})", parts.join(","))
        }
        other => format!("{other:?}"),
    }
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = match std::env::var_os("ZUG_FILES") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => ["rules", "tests/domains", "tests/domains/corners"]
            .iter()
            .map(|folder| root.join(folder))
            .collect(),
    };
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pl"))
        .collect();
    files.sort();
    files
}

#[test]
#[ignore = "it prints a table"]
#[expect(clippy::print_stderr, reason = "it prints a table")]
fn table() {
    let part = std::env::var("ZUG_FILE").unwrap_or_default();
    let (mut wrong, mut all, mut whole) = (0, 0, 0);
    for path in files() {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        if !part.split(',').any(|part| name.contains(part)) {
            continue;
        }
        for line in examined(&path) {
            wrong += line.wrong;
            all += 1;
            whole += usize::from(line.given_back == 0);
            eprintln!(
                "{name:18} {:13} {:3} {:7} {:8} {:4} {:3}% {} {:?}",
                line.goal,
                line.leaves,
                line.steps,
                line.work,
                line.answers,
                100 * line.given_back / line.compared.max(1),
                if line.wrong > 0 { "WRONG" } else { "" },
                line.reasons,
            );
        }
    }
    eprintln!("{whole} of {all} without a state given back");
    assert_eq!(wrong, 0);
}
