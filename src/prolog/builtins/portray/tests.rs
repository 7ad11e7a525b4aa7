//! Layouts of SWI-Prolog 9.0.4, but where a comment says otherwise.

use super::clause_text;
use crate::builtins::testing::Bench;
use zug_term::Record;

#[track_caller]
fn check(clause: &str, expect: &str) {
    let mut bench = Bench::default();
    let cell = bench.read(clause);
    let (heap, root) = Record::new(&mut bench.machine.heap, cell).to_heap();
    let text = clause_text(heap, root, &bench.machine.symbols, &bench.world.operators);
    assert_eq!(text.trim_end(), expect.trim_end(), "layout of {clause}");
}

#[test]
fn facts_and_plain_bodies() {
    check("foo(X,Y,_Z,X)", "foo(A, _, _, A).");
    check("\"str\"", "\"str\".");
    check("'A b'", "'A b'.");
    check("[1,2,X]", "[1, 2, _].");
    check("1+2", "1+2.");
    check("a:-true", "a.");
    check("a:-b,c", "a :-\n    b,\n    c.");
    check("a:-(b,c),d", "a :-\n    b,\n    c,\n    d.");
    check("a:-X,call(Y)", "a :-\n    _,\n    call(_).");
    check("'A'(X,Y):-X=Y,Y is X+1*2", "'A'(A, B) :-\n    A=B,\n    B is A+1*2.");
    check("a:-b:c,{x}", "a :-\n    b:c,\n    { x\n    }.");
    check("a=b:-c", "a=b :-\n    c.");
    check("a,b", "a,\nb.");
    check("{a,b}", "{ a,\n  b\n}.");
    check("f('$VAR'(1),X)", "f(B, _).");
    check("a-->b,{c}", "a -->\n    b,\n    { c\n    }.");
    check(":- a,b", ":- a,\n   b.");
    check("?- a,b", "?- a,\n   b.");
    // Without the parentheses SWI-Prolog writes: the text of a directive as people write it.
    check(":- dynamic foo/1", ":- dynamic foo/1.");
}

#[test]
fn control() {
    check("a:-b,(c->d;e),f", "a :-\n    b,\n    (   c\n    ->  d\n    ;   e\n    ),\n    f.");
    check("a:-(b;c)", "a :-\n    (   b\n    ;   c\n    ).");
    check("a:-b->c", "a :-\n    (   b\n    ->  c\n    ).");
    check(
        "a:-(b->c;d->e;f)",
        "a :-\n    (   b\n    ->  c\n    ;   d\n    ->  e\n    ;   f\n    ).",
    );
    check("a:-(b*->c;d)", "a :-\n    (   b\n    *-> c\n    ;   d\n    ).");
    check("a:-(b;c->d)", "a :-\n    (   b\n    ;   c\n    ->  d\n    ).");
    check("a:-(\\+b->c;d)", "a :-\n    (   \\+ b\n    ->  c\n    ;   d\n    ).");
    check(
        "a:-((b,c;d),e;f)",
        "a :-\n    (   (   b,\n            c\n        ;   d\n        ),\n        e\n    ;   f\n    ).",
    );
    check("a:-(X=1;X=2),!", "a :-\n    (   A=1\n    ;   A=2\n    ),\n    !.");
    check("a:-((b:-c))", "a :-\n    ( b:-c\n    ).");
}

#[test]
fn negation_and_goals_as_arguments() {
    check(
        "a(X):- \\+ b(X), \\+ (c,d)",
        "a(A) :-\n    \\+ b(A),\n    \\+ ( c,\n         d\n       ).",
    );
    check("a:- \\+ (b;c)", "a :-\n    \\+ (   b\n       ;   c\n       ).");
    check(
        "a:-forall(b,c),findall(X,(m,n),L),L=Y",
        "a :-\n    forall(b, c),\n    findall(_,\n            ( m,\n              n\n            ),\n            A),\n    A=_.",
    );
    check("a:-once((b,c))", "a :-\n    once(( b,\n           c\n         )).");
    check(
        "foo(X):-catch(b,_,(c,d))",
        "foo(_) :-\n    catch(b,\n          _,\n          ( c,\n            d\n          )).",
    );
    check(
        "h:-forall((a,b),(c;d))",
        "h :-\n    forall(( a,\n             b\n           ),\n           (   c\n           ;   d\n           )).",
    );
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
