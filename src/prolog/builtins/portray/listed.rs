//! Clauses and how `portray_clause/1` lays them out.

use super::clause_text;
use insta::assert_snapshot;
use proptest::prelude::*;
use zug_syntax::trees::{build, trees};
use zug_syntax::{Operators, ReadOptions, Reader};
use zug_term::source::Source;
use zug_term::symbol::Symbols;
use zug_term::{Heap, Record};

fn portray(text: &str) -> String {
    let mut heap = Heap::new();
    let mut symbols = Symbols::new();
    let operators = Operators::standard(&mut symbols);
    let mut reader = Reader::new(Source::new("test", text));
    let mut out = String::new();
    while let Some(read) =
        reader.next(&mut heap, &mut symbols, &operators, &ReadOptions::default()).expect("no fault")
    {
        let (own, root) = Record::new(&mut heap, read.root).to_heap();
        out += &clause_text(own, root, &symbols, &operators);
    }
    out
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

#[test]
fn clauses() {
    let text = "foo(X,Y,_). foo(X,Y) :- bar(X), \\+ baz(Y,_Q), Y=1. :- dynamic a/1.
        [1,2,3]. 'A b'. a :- true. m:a :- b. a :- !, X is Y+1, Z = \"str\", w('A', -).
        a --> b, {c, d}, \"abc\". f('$VAR'(1), X). a :- - . - .";
    assert_snapshot!(portray(text), @r#"
    foo(_, _, _).
    foo(A, B) :-
        bar(A),
        \+ baz(B, _),
        B=1.
    :- dynamic a/1.
    [1, 2, 3].
    'A b'.
    a.
    m:a :-
        b.
    a :-
        !,
        _ is _+1,
        _="str",
        w('A', -).
    a -->
        b,
        { c,
          d
        },
        "abc".
    f(B, _).
    a :-
        - .
    - .
    "#);
}

#[test]
fn control() {
    let text = "a:-b->c;d. a:-x,(b,q->c,r;d;w->z),e. a:-x;y,z. a :- \\+ (b,c).
        a :- \\+ (b->c;d). a:-b,c*->d;e. a :- (b->c),d. a :- (b;c);d.
        a :- b->(c->d;e);f. a :- ((b,c),d).";
    assert_snapshot!(portray(text), @r#"
    a :-
        (   b
        ->  c
        ;   d
        ).
    a :-
        x,
        (   b,
            q
        ->  c,
            r
        ;   d
        ;   w
        ->  z
        ),
        e.
    a :-
        (   x
        ;   y,
            z
        ).
    a :-
        \+ ( b,
             c
           ).
    a :-
        \+ (   b
           ->  c
           ;   d
           ).
    a :-
        (   b,
            c
        *-> d
        ;   e
        ).
    a :-
        (   b
        ->  c
        ),
        d.
    a :-
        (   (   b
            ;   c
            )
        ;   d
        ).
    a :-
        (   b
        ->  (   c
            ->  d
            ;   e
            )
        ;   f
        ).
    a :-
        b,
        c,
        d.
    "#);
}

#[test]
fn goals_as_arguments() {
    let text = "a:-forall(member(X,[1]),(foo(X),bar)).
        a:-findall(X,(p(X),q(X)),L),w(L). a :- catch((b,c),_,(d,e)). a :- call((b;c)).
        a :- X=(b:-c), findall(Y, p(Y), Z), q(Z).
        a :- foo(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,[cc,ddd],f(g)).";
    assert_snapshot!(portray(text), @r#"
    a :-
        forall(member(A, [1]),
               ( foo(A),
                 bar
               )).
    a :-
        findall(A,
                ( p(A),
                  q(A)
                ),
                B),
        w(B).
    a :-
        catch(( b,
                c
              ),
              _,
              ( d,
                e
              )).
    a :-
        call((   b
             ;   c
             )).
    a :-
        _=(b:-c),
        findall(A, p(A), B),
        q(B).
    a :-
        foo(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,
            bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
            [cc, ddd],
            f(g)).
    "#);
}
