//! Errors in words, one by one.

use super::describe_error;
use crate::builtins::testing::Bench;

#[track_caller]
fn check(ball: &str, expect: &str) {
    check_with(ball, None, expect);
}

#[track_caller]
fn check_with(ball: &str, suggestion: Option<&str>, expect: &str) {
    let mut bench = Bench::default();
    let cell = bench.read(ball);
    let machine = &bench.machine;
    let text =
        describe_error(&machine.heap, &machine.symbols, &bench.world.operators, cell, suggestion);
    assert_eq!(text, expect, "{ball}");
}

#[test]
fn errors_are_said_in_words() {
    check_with(
        "error(existence_error(procedure,heuristc/2),_)",
        Some("did you mean `heuristic/2`?"),
        "unknown procedure heuristc/2; did you mean `heuristic/2`?",
    );
    check("error(existence_error(procedure,foo/0),foo/0)", "unknown procedure foo/0");
    check(
        "error(type_error(integer,a),context(system:length/2,_))",
        "expected an integer, found `a` (an atom), in length/2",
    );
    check(
        "error(type_error(integer,3+1),context(system:length/2,_))",
        "expected an integer, found `3+1` (a compound term), in length/2; `=` and arguments leave \
         arithmetic uncomputed: write `X is 3+1`, and use X",
    );
    check(
        "error(type_error(integer,a-1),context(system:length/2,_))",
        "expected an integer, found `a-1` (a compound term), in length/2",
    );
    check(
        "error(type_error(list,[a|b]),_)",
        "expected a list, found `[a|b]` (a list); it does not end in `[]`",
    );
    check(
        "error(type_error(evaluable,foo/0),context(is/2,_))",
        "arithmetic: there is no function foo/0, in (is)/2; only numbers and functions can stand in arithmetic",
    );
    check(
        "error(evaluation_error(zero_divisor),context((/)/2,_))",
        "arithmetic: division by zero, in (/)/2",
    );
    check(
        "error(instantiation_error,context((is)/2,_))",
        "a variable has no value yet where one is needed, in (is)/2; bind it before this goal is called",
    );
    check(
        "error(permission_error(modify,static_procedure,foo/1),context(assertz/1,_))",
        "foo/1 can't be changed while the program runs: it is not dynamic, in assertz/1; \
         if it is meant to change, declare it: `:- dynamic foo/1.`",
    );
    check(
        "error(existence_error(source_sink,'x.pl'),context(open/4,'No such file or directory'))",
        "file `'x.pl'` does not exist (No such file or directory), in open/4",
    );
    check(
        "error(domain_error(not_less_than_zero,-1),_)",
        "expected a number that is not negative, found `-1`",
    );
    check("error(domain_error(flag_value,debug+foo),_)", "the flag `debug` can't be `foo`");
    check(
        "error(syntax_error(operator_expected),file('a.pl',3,4,20))",
        "syntax error: operator expected, at a.pl:3:5",
    );
    check(
        "error(syntax_error(end_of_clause),string(\"foo(\",4))",
        "syntax error: end of clause, in `foo(` at character 5",
    );
    check("error(format('not enough arguments'),_)", "format: not enough arguments");
    check("error(format_argument_type(d,1.0),_)", "format: `~d` can't show `1.0` (a float)");
    check(
        "error(resource_error(memory),_)",
        "out of memory; this is often a recursion that never reaches its end; `--memory` gives more",
    );
    check("error(my_own(x),_)", "error `my_own(x)`");
    check("oops(1)", "nothing catches the exception `oops(1)`");
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
