//! Errors in words, one by one.

use super::describe_error;
use crate::builtins::testing::{Bench, sections};

#[test]
fn errors_are_said_in_words() {
    for (ball, expect) in sections("messages.txt").into_iter().flat_map(|section| section.rows) {
        let mut bench = Bench::default();
        let cell = bench.read(&ball);
        let (machine, operators) = (&bench.machine, &bench.world.operators);
        let suggestion = ball.contains("heuristc").then_some("did you mean `heuristic/2`?");
        let text = describe_error(&machine.heap, &machine.symbols, operators, cell, suggestion);
        assert_eq!(text, expect, "{ball}");
    }
}

#[test]
fn long_terms_are_cut_off() {
    let mut bench = Bench::default();
    let items: Vec<String> = (0..500).map(|n| n.to_string()).collect();
    let cell = bench.read(&format!("ball(f([{}]))", items.join(",")));
    let machine = &bench.machine;
    let text = describe_error(&machine.heap, &machine.symbols, &bench.world.operators, cell, None);
    assert!(text.len() < 300, "{text}");
}
