//! Layouts of SWI-Prolog 9.0.4, but for directives: it puts parentheses around
//! the argument of `dynamic`.

use super::clause_text;
use crate::builtins::testing::{Bench, sections};
use proptest::prelude::*;
use zug_syntax::Operators;
use zug_syntax::trees::{build, trees};
use zug_term::symbol::Symbols;
use zug_term::{Heap, Record};

#[track_caller]
fn check(clause: &str, expect: &str) {
    let mut bench = Bench::default();
    let cell = bench.read(clause);
    let (heap, root) = Record::new(&mut bench.machine.heap, cell).to_heap();
    let text = clause_text(heap, root, &bench.machine.symbols, &bench.world.operators);
    assert_eq!(text.trim_end(), expect.trim_end(), "layout of {clause}");
}

#[test]
fn layouts() {
    for (clause, expect) in sections("portray.txt").into_iter().flat_map(|section| section.rows) {
        check(&clause, &expect);
    }
}

#[test]
fn long_goals_take_a_line_for_each_argument() {
    let (b, c) = ("b".repeat(32), "c".repeat(32));
    check(
        &format!("a:-foooooooooo({b},{c},{b})"),
        &format!("a :-\n    foooooooooo({b},\n                {c},\n                {b})."),
    );
    let numbers: Vec<String> = (1..=40).map(|n| n.to_string()).collect();
    check(
        &format!("a:-b([{}])", numbers.join(",")),
        &format!("a :-\n    b([ {}\n      ]).", numbers.join(",\n        ")),
    );
}

#[test]
fn depth_costs_no_stack() {
    let mut bench = Bench::default();
    let atom = bench.read("a");
    let (heap, symbols) = (&mut bench.machine.heap, &mut bench.machine.symbols);
    let (semicolon, comma, once) =
        (symbols.intern(";"), symbols.intern(","), symbols.intern("once"));
    for name in [semicolon, comma, once] {
        let mut cell = atom;
        for _ in 0..2000 {
            let args = [cell, atom];
            cell = heap.new_struct(name, if name == once { &args[..1] } else { &args });
        }
        let (own, root) = Record::new(heap, cell).to_heap();
        assert!(clause_text(own, root, symbols, &bench.world.operators).len() > 2000);
    }
}

proptest! {
    #[test]
    fn any_term_is_laid_out(tree in trees()) {
        let mut heap = Heap::new();
        let mut symbols = Symbols::new();
        let operators = Operators::standard(&mut symbols);
        let vars: Vec<_> = (0..4).map(|_| heap.new_var()).collect();
        let cell = build(&mut heap, &mut symbols, &vars, &tree);
        let (own, root) = Record::new(&mut heap, cell).to_heap();
        prop_assert!(clause_text(own, root, &symbols, &operators).ends_with(".\n"));
    }
}
