//! Small rule programs made at random: their answers, found once for all states, are the machine's in
//! every state that is looked at.

use super::environment::CALLERS;
use super::tests::{answers_in, asked, without_variables};
use super::{Memory, Run};
use std::fmt::Write;
use zug_machine::Space;
use zug_prolog::session::Session;
use zug_random::Random;
use zug_symbolic::{Domain, Leaf, Shape, Store, Term, Variable};
use zug_term::Cell;

const HELPERS: &str = "
odd(X) :- integer(X), X mod 2 =:= 1.
small(X) :- X @< 2.
swapped(0, 1) :- !.
swapped(1, 0) :- !.
swapped(a, b).
swapped(b, a).
swapped(X, X) :- integer(X), X > 1.
weight(X, W) :- ( integer(X) -> W = X ; atom_length(X, W) ).
heavier(X, S0, S) :- weight(X, W), S is max(S0, W).
run([X, Y|T], [X|R]) :- X == Y, !, run([Y|T], R).
run([X|T], [X|R]) :- run(T, R).
run([], []).
run_length([], 0).
run_length([X|T], N) :- ray(T, X, 1, N).
ray([Y|T], X, N0, N) :- X == Y, !, N1 is N0 + 1, ray(T, X, N1, N).
ray(_, _, N, N).
sown([], 0, []) :- !.
sown(L, 0, L) :- !.
sown([X|T], N, [Y|R]) :- N > 0, weight(X, W), Y is W + 1, M is N - 1, sown(T, M, R).
sown([], N, []) :- N > 0.
order(O, X, Y) :- compare(O0, X, Y), turned(O0, O).
turned(<, >).
turned(>, <).
turned(=, =).
halves([], [], []).
halves([X|T], [X|L], R) :- halves(T, R, L).
beam(L, I, X, N) :- ( nth0(I, L, Y), Y == X -> J is I + 1, beam(L, J, X, M), N is M + 1 ; N = 0 ).
round(L, _, 0, L) :- !.
round(L, I, N, R) :-
    length(L, K), K > 0, P is I mod K, nth0(P, L, X, Rest), weight(X, W), Y is W + 1,
    nth0(P, M, Y, Rest), J is I + 1, N1 is N - 1, round(M, J, N1, R).
moved(L, X, R) :- select(X, L, T), swapped(X, Y), last_of([Y|T], Z), sort([Z|T], R).
last_of([X], X) :- !.
last_of([_|T], X) :- last_of(T, X).
same([], []).
same([X|T], [X|U]) :- same(T, U).
first_of(X, C) :- ( atom(X) -> atom_chars(X, [C|_]) ; number_codes(X, [C|_]) ).
";

struct Program {
    random: Random,
    body: String,
    lists: Vec<String>,
    items: Vec<String>,
    made: usize,
}

impl Program {
    fn chosen(&mut self, of: &[String]) -> String {
        of[self.random.below(of.len() as u64) as usize].clone()
    }

    fn list(&mut self) -> String {
        self.chosen(&self.lists.clone())
    }

    fn item(&mut self) -> String {
        self.chosen(&self.items.clone())
    }

    fn new_name(&mut self) -> String {
        self.made += 1;
        format!("V{}", self.made)
    }

    /// A goal that makes a list or an element of what there is, or tests it.
    fn goal(&mut self) {
        let (l, m, x, y) = (self.list(), self.list(), self.item(), self.item());
        let (new, other) = (self.new_name(), self.new_name());
        let lists: Vec<String> = vec![
            format!("sort({l}, {new})"),
            format!("msort({l}, {new})"),
            format!("sort(0, @>=, {l}, {new})"),
            format!("predsort(order, {l}, {new})"),
            format!("list_to_set({l}, {new})"),
            format!("reverse({l}, {new})"),
            format!("append({l}, [{x}], {new})"),
            format!("exclude(odd, {l}, {new})"),
            format!("include(small, {l}, {new})"),
            format!("subtract({l}, [{x}], {new})"),
            format!("delete({l}, {x}, {new})"),
            format!("( select({x}, {l}, {new}) -> true ; {new} = [{y}] )"),
            format!("select({other}, {l}, {new})"),
            format!("findall({other}, ( member({other}, {l}), {other} @< {x} ), {new})"),
            format!("findall({other}-{x}, nth0({other}, {l}, {x}), {new}0), msort({new}0, {new})"),
            format!("maplist(swapped, {l}, {new})"),
            format!("maplist(weight, {l}, {new})"),
            format!("( {x} == {y} -> {new} = {l} ; {new} = [{x}|{m}] )"),
            format!("run({l}, {new})"),
            format!("weight({x}, {new}0), sown({l}, {new}0, {new})"),
            format!("halves({l}, {new}, _)"),
            format!("partition(small, {l}, {new}, _)"),
            format!("sort({l}, {new}0), sort({m}, {new}1), ord_union({new}0, {new}1, {new})"),
            format!("sort({l}, {new}0), ord_subtract({new}0, [{x}], {new})"),
            format!("weight({x}, {new}0), length({new}, {new}0), maplist(=({y}), {new})"),
            format!("( setof({other}, member({other}, {l}), {new}) -> true ; {new} = [] )"),
            format!("append({new}, [{other}|_], {l})"),
            format!("weight({x}, {new}0), weight({y}, {new}1), round({l}, {new}0, {new}1, {new})"),
            format!("weight({x}, {new}0), nth0({new}0, {l}, _, {new})"),
            format!("weight({x}, {new}0), nth1({new}0, {new}, {y}, {l})"),
            format!("append(_, [{x}|{new}], {l})"),
            format!("append({new}, {other}, {l}), {other} = [_|_]"),
            format!("intersection({l}, {m}, {new})"),
            format!("union({l}, {m}, {new})"),
            format!("subtract({l}, {m}, {new})"),
            format!("( select({x}, {l}, {y}, {new}) -> true ; {new} = {m} )"),
            format!("select({other}, {l}, {other}0, {new}), {other}0 = {y}"),
            format!("sort({l}, {new}0), sort({m}, {new}1), ord_symdiff({new}0, {new}1, {new})"),
            format!("sort({l}, {new}0), ord_intersection({new}0, [{x}], {new})"),
            format!("sort({l}, {new}0), ord_add_element({new}0, {x}, {new})"),
            format!("sort({l}, {new}0), ord_del_element({new}0, {x}, {new})"),
            format!("( integer({x}) -> nth0({x}, [[A,B],[C,D],[B,C,A]], {new}) ; {new} = {l} )"),
            format!(
                "exclude(odd, {l}, {new}0), ( same({new}0, {m}) -> {new} = {new}0 ; {new} = {m} )"
            ),
            format!(
                "sort([1,2,a], {new}0), exclude(odd, {new}0, {new}1), ord_union({new}1, [b], {new})"
            ),
        ];
        let items: Vec<String> = vec![
            format!("( \\+ moved({l}, _, _) -> {new} = 0 ; {new} = 1 )"),
            format!("findall(x, moved({l}, _, _), {new}0), length({new}0, {new})"),
            format!("findall({other}, moved({l}, {other}, _), {new}0), length({new}0, {new})"),
            format!("( once(moved({l}, _, _)), moved({m}, {new}, _) -> true ; {new} = {x} )"),
            format!("length({l}, {new})"),
            format!("member({new}, {l})"),
            format!("( memberchk({x}, {l}) -> {new} = {y} ; {new} = 1 )"),
            format!("( last({l}, {new}) -> true ; {new} = a )"),
            format!("compare({new}, {x}, {y})"),
            format!("weight({x}, {new})"),
            format!("foldl(heavier, {l}, 0, {new})"),
            format!("aggregate_all(count, ( member({other}, {l}), {other} == {x} ), {new})"),
            format!(
                "findall({other}0, ( member({other}, {l}), weight({other}, {other}0) ), {other}1), sum_list({other}1, {new})"
            ),
            format!("run_length({l}, {new})"),
            format!("( nth1({new}, {l}, {x}) -> true ; {new} = 0 )"),
            format!("weight({x}, {new}0), ( nth0({new}0, {l}, {new}) -> true ; {new} = {y} )"),
            format!("weight({x}, {new}0), between(1, {new}0, {new})"),
            format!("weight({x}, {new}0), {new}1 is {new}0 + 1, between({new}0, {new}1, {new})"),
            format!("( atom({x}) -> sub_atom({x}, _, 1, 0, {new}) ; {new} = {y} )"),
            format!("( atom({x}) -> atom_concat({x}, {x}, {new}) ; {new} is {x} * 2 )"),
            format!("T{new} =.. [f, {x}, {y}], arg(2, T{new}, {new})"),
            format!(
                "( forall(member({other}, {l}), {other} == {x}) -> {new} = {y} ; {new} = {x} )"
            ),
            format!("copy_term({l}-{x}, _-{new})"),
            format!("once(( member({new}, {l}), {new} \\== {x} ; {new} = {y} ))"),
            format!("weight({x}, {new}0), {new} is {new}0 rem 2 + sign({new}0 - 1) + \\ {new}0"),
            format!("weight({x}, {new}0), {new} is 2 ** {new}0 + {new}0 ** 2 + gcd({new}0, 6)"),
            format!(
                "weight({x}, {new}0), weight({y}, {new}1), ( {new}1 > 0, {new}0 mod {new}1 =:= 0 -> {new} is {new}0 / {new}1 ; {new} = 7 )"
            ),
            format!("first_of({x}, {new})"),
            format!("atomic_list_concat([{x}, {y}], {new}0), sub_atom({new}0, 1, 1, _, {new})"),
            format!("format(atom({new}), '~w-~w', [{x}, {y}])"),
            format!("term_to_atom(f({x}, {y}), {new})"),
            format!("weight({x}, {new}0), beam({l}, {new}0, {y}, {new})"),
            format!("exclude(odd, {l}, {new}0), ( nth0(1, {new}0, {new}) -> true ; {new} = {y} )"),
            format!("exclude(odd, {l}, {new}0), nth1({new}, {new}0, {y})"),
            format!("( weight({x}, {new}0), succ({new}, {new}0) -> true ; {new} = 0 )"),
        ];
        let tests = [
            format!("{x} \\== {y}"),
            format!("{x} @=< {y}"),
            format!("( odd({x}) ; {l} = [_|_] )"),
            format!("\\+ {l} = [{x}]"),
            format!("{l} \\== {m}"),
            format!("subset({l}, {m})"),
            format!("sort({l}, {new}), ord_memberchk({x}, {new})"),
            format!("nth0(1, {l}, {x})"),
            format!("length({l}, {new}), {new} >= 1"),
        ];
        match self.random.below(10) {
            0..5 => {
                let goal = self.chosen(&lists);
                self.add(&goal);
                self.lists.push(new);
            }
            5..9 => {
                let goal = self.chosen(&items);
                self.add(&goal);
                self.items.push(new);
            }
            _ => {
                let goal = self.chosen(&tests);
                self.add(&goal);
            }
        }
    }

    fn add(&mut self, goal: &str) {
        let _ = write!(self.body, ", {goal}");
    }
}

const VALUES: [&str; 5] = ["0", "1", "2", "a", "b"];
const LEAVES: usize = 4;

const MOST_WORK: u64 = 1_000_000;

/// How many states deoptimised, of how many. Runs are interrupted after growing amounts of work.
fn agree(
    programs: u64,
    goals: usize,
    states: usize,
    seed: u64,
    mut interrupted: impl FnMut(&mut Random) -> u64,
) -> (usize, usize) {
    let (mut session, _) = Session::captured(&[], "");
    let mut text = HELPERS.to_owned();
    for number in 0..programs {
        let mut program = Program {
            random: Random::nth(seed, number),
            body: "true".to_owned(),
            lists: vec!["[A,B,C,D]".to_owned(), "[A,B]".to_owned(), "[C,D,A]".to_owned()],
            items: ["A", "B", "C", "D", "1", "a"].map(str::to_owned).to_vec(),
            made: 0,
        };
        for _ in 0..goals {
            program.goal();
        }
        let made = [program.lists, program.items].concat().join(",");
        let _ = writeln!(text, "ask_{number}([A,B,C,D], [{made}]) :- {}.", program.body);
    }
    session.load_text("generated", &text);
    let mut plain = Store::new(Vec::new(), u64::MAX / 2);
    let values: Vec<Cell> = VALUES
        .iter()
        .map(|value| {
            let term = asked(&mut session, &format!("X = {value}."), &mut plain);
            let &Shape::Constant(cell) = plain.shape(term) else { panic!("a constant") };
            cell
        })
        .collect();
    let (mut deopt, mut all) = (0, 0);
    for number in 0..programs {
        let mut random = Random::nth(seed + 1, number);
        let mut limit = interrupted(&mut random);
        let mut store = Store::new(vec![Domain::Values(values.clone().into()); LEAVES], limit);
        let leaves: Vec<Term> = (0..LEAVES as u32).map(|leaf| store.leaf(Leaf(leaf))).collect();
        let nil = store.constant(Cell::NIL);
        let arguments = [store.list(&leaves, nil), store.variable(Variable(CALLERS))];
        let name = session.machine.symbols.intern(&format!("ask_{number}"));
        let pred = session.machine.program.lookup(name, 2, Space::User).expect("it is there");
        let mut memory = Memory::default();
        let outcome = loop {
            let (m, w) = (&mut session.machine, &mut session.world);
            let mut run = Run::new(m, w, store, memory);
            let outcome = run.answers(pred, &arguments);
            (store, memory) = run.finished();
            if outcome.is_some() || store.work() > MOST_WORK || store.is_too_deep() {
                break outcome;
            }
            limit += 1 + limit / 4;
            store.allow(limit);
        };
        store.extend(u64::MAX / 4);
        for _ in 0..states {
            all += 1;
            let state: Vec<usize> =
                (0..LEAVES).map(|_| random.below(VALUES.len() as u64) as usize).collect();
            let cells: Vec<Cell> = state.iter().map(|&place| values[place]).collect();
            let Some(outcome) = outcome.as_ref().filter(|o| !store.holds(o.deopt, &cells)) else {
                deopt += 1;
                continue;
            };
            let found = answers_in(&mut store, outcome, &cells);
            let written: Vec<&str> = state.iter().map(|&place| VALUES[place]).collect();
            let written = written.join(",");
            let query =
                format!("catch(findall([R], ask_{number}([{written}], R), X), _, X = error).");
            let expected = asked(&mut session, &query, &mut store);
            let expected = without_variables(&mut store, expected);
            let clause = text.lines().find(|line| line.starts_with(&format!("ask_{number}(")));
            assert!(found == expected, "{query} of {clause:?}");
        }
    }
    (deopt, all)
}

#[test]
fn programs_of_few_goals() {
    let (deopt, all) = agree(500, 2, 6, 11, |_| MOST_WORK);
    assert!(deopt * 5 < all, "{deopt} of {all} deoptimise");
}

#[test]
fn programs_of_more_goals() {
    let (deopt, all) = agree(200, 4, 6, 12, |_| MOST_WORK);
    assert!(deopt * 2 < all, "{deopt} of {all} deoptimise");
}

#[test]
fn programs_that_are_interrupted() {
    let (deopt, all) = agree(300, 3, 6, 13, |random| 1 + random.below(200));
    assert!(deopt * 3 < all, "{deopt} of {all} deoptimise");
}
