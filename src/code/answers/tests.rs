//! Answers as text.

use super::{Asked, answers_text};
use crate::merging::{Answer, CALLERS, Outcome, UNBOUND};
use zug_symbolic::{Condition, Domain, Leaf, Operation, Relation, Store, Term, Variable};
use zug_syntax::Operators;
use zug_term::Cell;
use zug_term::symbol::Symbols;

/// A store of four leaves: an atom or unbound, an atom or a small number, and two numbers.
struct Bench {
    symbols: Symbols,
    store: Store,
    atoms: [Cell; 3],
    state: Term,
    leaves: [Term; 4],
}

fn bench() -> Bench {
    let mut symbols = Symbols::new();
    let atoms = ["a", "b", "Of two"].map(|name| Cell::atom(symbols.intern(name)));
    let numbers = (0..6).map(Cell::small);
    let domains = vec![
        Domain::Values([&atoms[..], &[UNBOUND]].concat().into()),
        Domain::Mixed(atoms[..2].into(), 0, 9),
        Domain::Values(numbers.collect()),
        Domain::Range(0, 100),
    ];
    let mut store = Store::new(domains, 1_000_000);
    let leaves = [0, 1, 2, 3].map(|number| store.leaf(Leaf(number)));
    let nil = store.constant(Cell::NIL);
    let state = store.list(&leaves, nil);
    Bench { symbols, store, atoms, state, leaves }
}

impl Bench {
    fn text(&mut self, answers: Vec<(Condition, Vec<Term>)>, asked: Asked) -> String {
        let answers = answers.into_iter().map(|(condition, values)| {
            let values = values.into();
            Answer { condition, values, call: None, fold: None }
        });
        let deopt = self.is(3, 7);
        let outcome = Outcome { answers: answers.collect(), deopt };
        let operators = Operators::standard(&mut self.symbols);
        answers_text(&self.store, &outcome, (asked, self.state), (&self.symbols, &operators))
    }

    fn is(&mut self, leaf: usize, value: i64) -> Condition {
        let value = self.store.integer(value).expect("small");
        self.store.compare(Relation::Equal, self.leaves[leaf], value)
    }
}

#[test]
fn conditions_are_short() {
    let mut of = bench();
    let [a, b, two] = of.atoms;
    let store = &mut of.store;
    let is_a = store.is_value(Leaf(0), a);
    let is_two = store.is_value(Leaf(0), two);
    let either = store.or([is_a, is_two]);
    let unbound = store.is_value(Leaf(0), UNBOUND);
    let bound = store.not(unbound);
    let integer = store.is_integer(Leaf(1));
    let is_b = store.is_value(Leaf(1), b);
    let other = store.or([integer, is_b]);
    let four = store.integer(4).expect("small");
    let small = store.compare(Relation::Less, of.leaves[2], four);
    let sum = store.compute(Operation::Add, &[of.leaves[2], of.leaves[3]]).expect("in bounds");
    let less = store.compare(Relation::Less, sum, four);
    let more = store.not(less);
    let both = store.and([is_a, more]);
    let ways = store.or([both, small]);
    let above = store.compare(Relation::Less, four, of.leaves[3]);
    let all = [is_a, either, bound, integer, other, small, ways, above];
    let text = of.text(all.into_iter().map(|condition| (condition, vec![])).collect(), Asked::Test);
    assert_eq!(
        text,
        "if c0 = a\n  yes\nif c0 in {a, 'Of two'}\n  yes\nif c0 \\= _\n  yes\n\
         if c1 in {integers}\n  yes\nif c1 \\= a\n  yes\nif c2 in {0..3}\n  yes\n\
         if c2 in {0..3} ; c0 = a, c2 + c3 >= 4\n  yes\nif c3 > 4\n  yes\n\
         if c3 = 7\n  ask the machine\n"
    );
}

#[test]
fn moves_tell_what_changes() {
    let mut of = bench();
    let [a, b, _] = of.atoms;
    let [first, second, third, number] = of.leaves;
    let store = &mut of.store;
    let is_a = store.is_value(Leaf(0), a);
    let is_not = store.not(is_a);
    let (one, b) = (store.integer(1).expect("small"), store.constant(b));
    let next = store.compute(Operation::Add, &[number, one]).expect("in bounds");
    let chosen = store.chosen(vec![(is_a, b), (is_not, second)]);
    let nil = store.constant(Cell::NIL);
    let step = store.list(&[b, chosen, third, next], nil);
    let present = store.present(vec![(Condition::ALWAYS, first), (is_a, second)]);
    let variable = store.variable(Variable(CALLERS + 3));
    let pair = Cell::functor(of.symbols.intern("-"), 2);
    let name = store.structure(pair, [next, variable]);
    let moves = vec![
        (Condition::ALWAYS, vec![name, one, step]),
        (Condition::ALWAYS, vec![b, next, of.state]),
        (is_a, vec![b, one, present]),
    ];
    let text = of.text(moves, Asked::Moves { cost: true });
    assert_eq!(
        text,
        "always\n  move (c3 + 1)-_3, cost 1: c0 := b, c1 := (c0 \\= a -> c1 ; b), c3 := c3 + 1\n  \
         move b, cost c3 + 1: no change\n\
         if c0 = a\n  move b, cost 1: [c0,c1 if c0 = a]\n\
         if c3 = 7\n  ask the machine\n"
    );
}

#[test]
fn what_is_shared_has_a_name() {
    let mut of = bench();
    let mut parts = Vec::new();
    for value in 0..6 {
        let (is, number) = (of.is(2, value), of.is(3, 10 * value));
        parts.push(of.store.and([is, number]));
    }
    let any = of.store.or(parts);
    let is_a = of.store.is_value(Leaf(0), of.atoms[0]);
    let both = of.store.and([is_a, any]);
    let text = of.text(vec![(both, vec![]), (any, vec![])], Asked::Test);
    assert!(text.starts_with("if c0 = a, q1\n  yes\nif q1\n  yes\n"), "{text}");
    assert!(text.contains("where\n  q1: c2 = 0, c3 = 0 ;\n      c2 = 1, c3 = 10 ;\n"), "{text}");
}

#[test]
fn texts_have_an_end() {
    let mut of = bench();
    let answers = (0..1_000).map(|value| {
        let value = of.store.integer(value).expect("small");
        (Condition::ALWAYS, vec![value])
    });
    let answers = answers.collect();
    let text = of.text(answers, Asked::Value);
    assert_eq!(text.lines().count(), 403);
    assert!(text.contains("\n... and 601 more answers\nif c3 = 7\n"), "{text}");
}
