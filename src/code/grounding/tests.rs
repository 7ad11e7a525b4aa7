//! Ground operators have, in every state, the machine's own answers.

use super::Grounded;
use rustc_hash::FxHashSet;
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_state::representation::Part;
use zug_state::variables::Variables;
use zug_term::{Cell, Heap, Record};

/// A program, with its rules grounded.
struct Rules {
    session: Session,
    grounded: Option<Grounded>,
}

impl Rules {
    fn of(text: &str) -> Rules {
        let (mut session, _) = Session::captured(&[], "");
        let report = session.load_text("rules.pl", text);
        assert!(report.is_empty(), "{text}");
        let pred = |name: &str, arity: usize, session: &mut Session| {
            let name = session.machine.symbols.intern(name);
            session.machine.program.lookup(name, arity, Space::User)
        };
        let rule = pred("rule", 4, &mut session).expect("there are rules");
        let goal = pred("final_state", 1, &mut session);
        let start = answers(&mut session, "initial_state", &[None]).remove(0).remove(0);
        let (m, w) = (&mut session.machine, &mut session.world);
        let grounded = Grounded::new(m, w, (rule, goal), &start, 10_000_000);
        Rules { session, grounded }
    }
}

/// The answers of a predicate with these arguments, of which some are given.
fn answers(session: &mut Session, name: &str, args: &[Option<&Record>]) -> Vec<Vec<Record>> {
    let name = session.machine.symbols.intern(name);
    let pred = session.machine.program.lookup(name, args.len(), Space::User).expect("it is there");
    let mut found = Vec::new();
    let asked = session.machine.ask(&mut session.world, |ask| {
        let heap = &mut ask.machine.heap;
        let cells: Vec<Cell> = args
            .iter()
            .map(|arg| arg.map_or_else(|| Cell::NIL, |arg| arg.instantiate(heap)))
            .collect();
        let cells: Vec<Cell> = cells
            .into_iter()
            .zip(args)
            .map(|(cell, arg)| if arg.is_some() { cell } else { heap.new_var() })
            .collect();
        let list = heap.list_from(&cells, Cell::NIL);
        ask.add_root(list);
        let mut answered = ask.call(pred, &cells)?;
        while answered {
            let [list] = ask.rooted();
            let cells: Vec<Cell> = ask.machine.heap.items(list).collect();
            let heap = &mut ask.machine.heap;
            found.push(cells.into_iter().map(|cell| Record::new(heap, cell)).collect());
            answered = ask.redo()?;
        }
        Ok::<(), zug_machine::Fault>(())
    });
    assert!(asked.is_ok(), "no error");
    found
}

fn variables(grounded: &Grounded) -> &Variables {
    match &**grounded.part() {
        Part::Variables(variables) => variables,
        other => panic!("{other:?}"),
    }
}

fn values(variables: &Variables, state: &Record) -> Vec<u8> {
    let (heap, root) = state.to_heap();
    let mut bytes = Vec::new();
    assert!(variables.encode(&heap, root, false, &mut bytes), "a state fits");
    bytes
}

fn state(variables: &Variables, values: &[u8]) -> Record {
    let mut heap = Heap::new();
    let cell = variables.decode(values, &mut heap);
    Record::new(&mut heap, cell)
}

/// Compares moves and goals of states up to a number with what the machine says; how many states and variables there are.
fn agrees(text: &str, most: usize) -> (usize, usize) {
    let Rules { mut session, grounded } = Rules::of(text);
    let grounded = grounded.unwrap_or_else(|| panic!("not grounded: {text}"));
    let variables = variables(&grounded);
    let start = answers(&mut session, "initial_state", &[None]).remove(0).remove(0);
    let first = values(variables, &start);
    let (mut known, mut open) = (FxHashSet::from_iter([first.clone()]), vec![first]);
    let (mut found, mut after, mut at) = (Vec::new(), Vec::new(), 0);
    while at < open.len() && at < most {
        let from = open[at].clone();
        at += 1;
        let term = state(variables, &from);
        assert_eq!(values(variables, &term), from);
        let said = answers(&mut session, "rule", &[None, None, Some(&term), None]);
        let mut said = said.into_iter();
        grounded.each(&from, (&mut found, &mut after), |number, _, after| {
            let next = said.next().unwrap_or_else(|| panic!("too many moves in {text}"));
            assert_eq!(&next[0], grounded.name(number), "{text}");
            assert_eq!(values(variables, &next[3]), after, "{text}");
            assert_eq!(next[3], state(variables, after), "{text}");
            if known.insert(after.to_vec()) {
                open.push(after.to_vec());
            }
            true
        });
        assert!(said.next().is_none(), "a move is missing in {text}");
        let is_goal = !answers(&mut session, "final_state", &[Some(&term)]).is_empty();
        assert_eq!(grounded.is_goal(&from), is_goal, "{text}");
    }
    (open.len(), variables.count())
}

/// Blocks, in the ways in which people write them.
const BLOCKS: [&str; 8] = [
    // Built-ins that take elements one by one.
    "rule(move(X,Y,Z), 1, S, T) :- member(clear(X), S), member(on(X,Y), S), member(clear(Z), S), X \\== Z, Z \\== Y,
        subtract(S, [on(X,Y),clear(Z)], S1), sort([on(X,Z),clear(Y)|S1], T).
     rule(down(X,Y), 1, S, T) :- member(on(X,Y), S), Y \\== table, memberchk(clear(X), S),
        subtract(S, [on(X,Y)], S1), sort([on(X,table),clear(Y)|S1], T).",
    "rule(move(X,Y,Z), 1, S, T) :- select(on(X,Y), S, S1), memberchk(clear(X), S1), select(clear(Z), S1, S2), X \\= Z,
        append([on(X,Z)], S2, S3), free(Y, S3, S4), sort(S4, T).
     rule(down(X,Y), 1, S, T) :- select(on(X,Y), S, S1), Y \\= table, member(clear(X), S1),
        ord_union([clear(Y),on(X,table)], S1, S2), sort(S2, T).
     free(table, S, S).
     free(Y, S, [clear(Y)|S]) :- Y \\= table.",
    // Sets of the library.
    "rule(move(X,Y,Z), 1, S, T) :- block(X), block(Z), X \\== Z, ord_memberchk(clear(X), S), member(on(X,Y), S),
        Y \\== Z, ord_memberchk(clear(Z), S), ord_subtract(S, [clear(Z)], S1), ord_del_element(S1, on(X,Y), S2),
        ord_add_element(S2, on(X,Z), S3), ( Y == table -> T = S3 ; ord_add_element(S3, clear(Y), T) ).
     rule(down(X,Y), 1, S, T) :- member(on(X,Y), S), block(Y), \\+ member(on(_,X), S),
        ord_del_element(S, on(X,Y), S1), ord_union(S1, [clear(Y),on(X,table)], T).
     block(a). block(b). block(c). block(d).",
    // What is clear follows.
    "rule(move(X,Y,Z), 1, S, T) :- member(on(X,Y), S), clear(X, S), place(Z), Z \\== X, Z \\== Y, clear(Z, S),
        delete(S, on(X,Y), S1), sort([on(X,Z)|S1], T).
     clear(table, _).
     clear(X, S) :- X \\== table, \\+ memberchk(on(_,X), S).
     place(X) :- member(X, [a,b,c,d,table]).",
    // Moves all blocks that are on top of one.
    "rule(topple(X), 2, S, T) :- member(on(X,table), S), findall(on(Y,X), member(on(Y,X), S), Off), Off \\== [] , T = S.
     rule(topple(X), 2, S, T) :- member(on(X,table), S), findall(on(Y,X), member(on(Y,X), S), Off),
        findall(on(Y,table), member(on(Y,X), S), Down), subtract(S, Off, S1), append(Down, S1, S2), sort(S2, T).",
    "rule(topple(X), 2, S, T) :- member(on(X,table), S), once(member(on(_,X), S)),
        findall(on(Y,X), member(on(Y,X), S), Off), findall(on(Y,table), member(on(Y,X), S), Down),
        subtract(S, Off, S1), append(Down, S1, S2), sort(S2, T).
     rule(stack(X,Y), 1, S, T) :- member(on(X,table), S), member(on(Y,table), S), X \\== Y,
        forall(member(on(Z,W), S), (Z == X ; W == table ; W \\== X, W \\== Y)),
        subtract(S, [on(X,table)], S1), sort([on(X,Y)|S1], T).",
    // A table of what moves need and change, and own predicates on lists.
    "rule(Name, 1, S, T) :- action(Name, Needs, Off, On), all_in(Needs, S), without(Off, S, R), insert_all(On, R, T0),
        sort(T0, T).
     action(move(X,Y,Z), [clear(X),clear(Z),on(X,Y)], [clear(Z),on(X,Y)], [clear(Y),on(X,Z)]) :-
        block(X), block(Z), place(Y), X \\== Z, X \\== Y, Y \\== Z, Y \\== table.
     action(move(X,table,Z), [clear(X),clear(Z),on(X,table)], [clear(Z),on(X,table)], [on(X,Z)]) :-
        block(X), block(Z), X \\== Z.
     action(down(X,Y), [clear(X),on(X,Y)], [on(X,Y)], [clear(Y),on(X,table)]) :- block(X), block(Y), X \\== Y.
     block(a). block(b). block(c). block(d).
     place(table). place(X) :- block(X).
     in(X, [X|_]).
     in(X, [_|T]) :- in(X, T).
     all_in([], _).
     all_in([X|Xs], S) :- in(X, S), all_in(Xs, S).
     del([X|T], X, T).
     del([Y|T], X, [Y|R]) :- del(T, X, R).
     without([], S, S).
     without([X|Xs], S, T) :- del(S, X, R), without(Xs, R, T).
     insert_all([], S, S).
     insert_all([X|Xs], S, [X|T]) :- insert_all(Xs, S, T).",
    "rule(move(X,Y,Z), 1, S, T) :- member(clear(X), S), member(clear(Z), S), X \\== Z,
        select(on(X,Y), S, on(X,Z), S1), sel(clear(Z), S1, S2), ( Y == table -> sort(S2, T) ; sort([clear(Y)|S2], T) ).
     rule(down(X,Y), 1, S, T) :- member(clear(X), S), sel(on(X,Y), S, S1), Y \\== table, sort([on(X,table),clear(Y)|S1], T).
     sel(X, [X|T], T) :- !.
     sel(X, [Y|T], [Y|R]) :- sel(X, T, R).",
];

const START: &str = "initial_state([clear(a),clear(d),on(a,b),on(b,c),on(c,table),on(d,table)]).
    final_state(S) :- memberchk(on(b,a), S), \\+ memberchk(clear(b), S).";

#[test]
fn blocks_as_people_write_them() {
    for (number, rules) in BLOCKS.iter().enumerate() {
        let text = format!("{rules}\n{START}");
        if number == 4 {
            // What a set is compared with depends on all of it.
            assert!(Rules::of(&text).grounded.is_none(), "{text}");
            continue;
        }
        let (states, _) = agrees(&text, 1000);
        assert!(states > 10, "{states} states of {text}");
    }
}

/// A block is on something: four variables, and five for what is clear.
#[test]
fn facts_of_which_one_holds_are_one_variable() {
    let text = format!("{}\n{START}", BLOCKS[0]);
    let (states, variables) = agrees(&text, 1000);
    assert_eq!((states, variables), (122, 9));
}

/// Parts of the state that are no lists are variables, too; numbers are computed.
#[test]
fn values_beside_sets() {
    let text = "initial_state(s(here, 3, [free,at(box,here),at(key,there)])).
        rule(go(A,B), 1, s(A,N,L), s(B,M,L)) :- place(B), A \\== B, N > 0, M is N - 1.
        rule(take(X), C, s(A,N,L), s(A,N,K)) :- select(at(X,A), L, R), select(free, R, Q), sort([has(X)|Q], K),
            weight(X, C).
        rule(drop(X), 1.5, s(A,N,L), s(A,N,K)) :- select(has(X), L, R), sort([at(X,A),free|R], K).
        rule(rest, 1, s(A,0,L), s(A,2,L)).
        place(here). place(there). place(far).
        weight(box, 4). weight(key, 1).
        final_state(s(far,_,L)) :- memberchk(at(box,far), L).";
    let (states, variables) = agrees(text, 1000);
    assert!(states > 50, "{states}");
    // Where one is, strength, the box, the key, and whether a hand is free.
    assert!(variables <= 5, "{variables}");
}

/// What two answers of the rules have in common comes twice, in the rules' order.
#[test]
fn moves_come_in_the_order_of_the_rules() {
    let text = "initial_state([p(1),p(2),q(b),q(c)]).
        rule(m(X,Y,Z), 1, S, T) :- ( Z = first ; Z = second ), member(q(Y), S), way(X, Y), member(p(X), S),
            subtract(S, [p(X)], R), ( Z == first -> sort([p(3)|R], T) ; sort([p(4),q(a)|R], T) ).
        way(2,b). way(1,c). way(1,b). way(3,a). way(1,c). way(4,a).
        final_state(S) :- member(p(4), S), member(p(3), S).";
    assert!(agrees(text, 1000).0 > 5);
}

/// Rules that ask more of a list than which elements it has are left alone.
#[test]
fn what_no_schema_says_is_not_grounded() {
    let rules = [
        "rule(a, 1, S, T) :- length(S, N), N < 5, sort([p(N)|S], T).",
        "rule(a, 1, [X|S], S) :- X \\== p(9).",
        "rule(a, 1, S, [p(0)|S]).",
        "rule(a, 1, S, T) :- member(p(X), S), !, subtract(S, [p(X)], T).",
        "rule(a, 1, S, T) :- reverse(S, T).",
        "rule(a, 1, S, T) :- once(( member(p(X), S), member(p(Y), S) )), X < Y, subtract(S, [p(X)], T).",
        "rule(a(X), 1, S, T) :- ( member(p(X), S) ; X = 0 ), !, subtract(S, [p(X)], T).",
        // An error of a goal that something behind it would have prevented.
        "rule(a(X), 1, S, T) :- member(p(X), S), Y is 1 / (X - 1), member(q(Y), S), subtract(S, [p(X)], T).",
        "rule(a(X), 1, S, T) :- member(p(X), S), \\+ ( Y is 1 // (X - 1), member(q(Y), S) ), subtract(S, [p(X)], T).",
        "rule(a, 1, S, T) :- findall(p(X), ( member(p(X), S), 1 =:= 1 // (X - 1), member(q(X), S) ), L), subtract(S, L, T).",
        // The machine says what is wrong with a cost.
        "rule(a(X), C, S, T) :- member(p(X), S), C is X - 2, subtract(S, [p(X)], T).",
        "rule(a, 1, S, T) :- go(S, T).  go(S, T) :- member(p(X), S), subtract(S, [p(X)], R), go(R, T).  go(S, S).",
        "rule(a, 1, S, S) :- S = [_,_].",
        "rule(a, 1, S, T) :- sort([X|S], T), X = p(7).",
        "rule(a, 1, S, T) :- member(p(X), S), Y is X + 1, sort([p(Y)|S], T).",
    ];
    for rule in rules {
        let text =
            format!("{rule}\ninitial_state([p(1),p(2),q]).\nfinal_state(S) :- memberchk(p(0), S).");
        assert!(Rules::of(&text).grounded.is_none(), "{text}");
    }
}

/// A set that is a list of certain elements, or none.
#[test]
fn sets_that_are_known_as_a_whole() {
    let text = "initial_state(s([p(1),p(2)], [])).
        rule(a(X), 1, s(S,L), s(R,M)) :- select(p(X), S, R), ( L = [] ; L = [q(2)] ), ord_union(L, [q(X)], M).
        rule(b, 1, s(S,L), s(T,L)) :- S = [p(1)], sort([p(3)|S], T).
        rule(d(X), 1, s(S,[]), s([p(7),q(X)], [])) :- member(X, [8,9]), member(p(3), S).
        rule(c, 1, s(S,[q(1),q(2)]), s(T, [q(1),q(2)])) :- subtract(S, [p(3)], T), \\+ S = [].
        final_state(s([], [q(1),q(2)])).";
    assert!(agrees(text, 1000).0 > 4);
}

/// What looks for one element takes the first one, in the standard order.
#[test]
fn the_first_of_several_elements() {
    let text = "initial_state([p(1),p(2),p(3),q(1,2),q(2,3),q(3,1)]).
        rule(a(X), 1, S, T) :- memberchk(p(X), S), subtract(S, [p(X)], T).
        rule(b(X), 1, S, T) :- selectchk(p(X), S, R), Y is X + 1, Y < 6, sort([p(Y)|R], T).
        rule(c(X), 1, S, T) :- once(( member(p(X), S), X > 2 )), subtract(S, [p(X)], T).
        rule(d(X), 1, S, T) :- ( member(q(X,Y), S), \\+ member(p(Y), S) -> sort([p(Y)|S], T) ; X = 0, T = S ).
        rule(e(X), 1, S, T) :- member(p(Y), S), memberchk(q(X,_), S), X < Y, subtract(S, [p(Y)], T).
        rule(f(X), 1, S, T) :- select(p(1), S, R), ( memberchk(p(X), R) -> T = R ; X = none, sort([p(5)|R], T) ).
        final_state(S) :- memberchk(p(X), S), X > 4.";
    assert!(agrees(text, 1000).0 > 10);
}

/// States are the same in any order of the facts of the start, and no states of groups that it keeps apart.
#[test]
fn states_that_operators_are_not_for() {
    let text = "initial_state([a(1), d(1)]).
        rule(a(P,Q), 1, S, T) :- select(a(P), S, R), na(P,Q), sort([a(Q)|R], T).
        rule(d(P,Q), 1, S, T) :- select(d(P), S, R), nd(P,Q), sort([d(Q)|R], T).
        rule(join, 1, S, T) :- member(d(X), S), member(a(Y), S), subtract(S, [a(Y),d(X)], R), sort([c|R], T).
        rule(part, 1, S, T) :- member(c, S), subtract(S, [c], R), sort([a(1),d(1)|R], T).
        na(1,2). na(2,3). na(3,4). na(4,1).
        nd(1,2). nd(2,1).
        state(one, [c]). state(two, [a(2),d(2)]). state(broken, [c,d(2)]). state(unsorted, [d(1),a(1)]).
        final_state(S) :- member(d(1), S), member(d(2), S).";
    assert_eq!(agrees(text, 1000).0, 9);
    for start in ["[a(1), d(1)]", "[d(1), a(1), d(1)]"] {
        let text = text.replace("[a(1), d(1)]", start);
        let Rules { mut session, grounded } = Rules::of(&text);
        let grounded = grounded.expect("facts in any order");
        for (name, fits) in [("one", true), ("two", true), ("broken", false), ("unsorted", false)] {
            let name = Record::atomic(Cell::atom(session.machine.symbols.intern(name)));
            let state = answers(&mut session, "state", &[Some(&name), None]).remove(0).remove(1);
            let (heap, root) = state.to_heap();
            assert_eq!(variables(&grounded).encode(&heap, root, false, &mut Vec::new()), fits);
        }
    }
}

/// Negations and conditions have variables of their own: what comes later does not bind them.
#[test]
fn variables_of_conditions_are_their_own() {
    let text = "initial_state([lock(3),at(a,1),at(b,2)]).
        rule(go(X,P,Q), 1, S, T) :- \\+ member(lock(Q), S), member(at(X,P), S), next(P, Q), swap(X,P,Q,S,T).
        rule(open(P), 1, S, T) :- member(lock(P), S), \\+ ( member(at(X,Q), S), X \\== a, Q > 2 ), subtract(S, [lock(P)], T).
        rule(hop(X,P,Q), 1, S, T) :- member(at(X,P), S), next(P, Q), \\+ member(at(_,Q), S), swap(X,P,Q,S,T).
        swap(X, P, Q, S, T) :- subtract(S, [at(X,P)], R), sort([at(X,Q)|R], T).
        next(1,2). next(2,3). next(3,4). next(4,1). next(2,1).
        final_state(S) :- member(at(a,P), S), member(at(b,P), S), P > 3.";
    assert!(agrees(text, 1000).0 > 10);
}

/// Groups of more facts than a variable has values are several variables.
#[test]
fn large_groups_are_several_variables() {
    let text = "initial_state([at(0)]).
        rule(up, 1, S, T) :- member(at(X), S), X < 300, Y is X + 1, subtract(S, [at(X)], R), sort([at(Y)|R], T).
        rule(down, 1, S, T) :- member(at(X), S), X > 0, Y is X - 1, subtract(S, [at(X)], R), sort([at(Y)|R], T).
        final_state(S) :- memberchk(at(299), S).";
    assert_eq!(agrees(text, 1000), (301, 4));
}
