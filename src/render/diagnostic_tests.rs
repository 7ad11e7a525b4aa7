//! Faults and how they look.

use super::diagnostic::{RenderOptions, render, to_string};
use insta::assert_snapshot;
use zug_syntax::{Operators, ReadOptions, Reader};
use zug_term::Heap;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::symbol::Symbols;

/// The faults of a text, as they look.
fn faults(text: &str) -> String {
    let mut symbols = Symbols::new();
    let operators = Operators::standard(&mut symbols);
    let mut heap = Heap::new();
    let mut reader = Reader::new(Source::new("test.pl", text));
    let mut out = String::new();
    loop {
        match reader.next(&mut heap, &mut symbols, &operators, &ReadOptions::default()) {
            Ok(None) => return out,
            Ok(Some(_)) => {}
            Err(fault) => out.push_str(&to_string(&fault.diagnostic)),
        }
    }
}

#[test]
fn a_missing_full_stop() {
    assert_snapshot!(faults("likes(mary, wine)\nlikes(john, X) :- likes(X, wine).\n"), @r#"
    error[E0105]: this clause has no full stop
     --> test.pl:1:18
      |
    1 | likes(mary, wine)
      |                  ^ expected `.` here
    2 | likes(john, X) :- likes(X, wine).
      | ----- the next clause begins here
    "#);
}

#[test]
fn brackets() {
    assert_snapshot!(faults("a :- f(b, [c, d).\nb :- g(c.\nc :- h)."), @r#"
    error[E0108]: `)` can't close `[`
     --> test.pl:1:16
      |
    1 | a :- f(b, [c, d).
      |                ^ expected `]` here
      |           - to close this
    error[E0107]: this `(` is never closed
     --> test.pl:2:7
      |
    2 | b :- g(c.
      |       ^ `)` is missing
      |         - the clause ends here
    error[E0108]: `)` closes nothing
     --> test.pl:3:7
      |
    3 | c :- h).
      |       ^ no bracket is open here
      |
      = hint: remove `)`, or add the opening bracket that belongs to it
    "#);
}

#[test]
fn other_languages() {
    assert_snapshot!(faults("a(X) :- X != 1.\nb(X) :- X > 1 && c.\nc(X) :- Y is 2X.\nd :- X(a).\ne :- f (a).\ng :- X <= 2.\nh.i."), @r#"
    error[E0101]: unexpected `!` after `X`
     --> test.pl:1:11
      |
    1 | a(X) :- X != 1.
      |           ^ an operator, `,` or the end of the clause is expected here
      |
      = hint: "not equal" is written `\=` for terms, `=\=` for numbers
    error[E0101]: unexpected `&&` after `1`
     --> test.pl:2:15
      |
    2 | b(X) :- X > 1 && c.
      |               ^^ an operator, `,` or the end of the clause is expected here
      |
      = hint: "and" is written `,`
    error[E0114]: `2X` is no number
     --> test.pl:3:14
      |
    3 | c(X) :- Y is 2X.
      |              ^^ a number followed by something else
      |
      = hint: to multiply, write `2 * X`
    error[E0101]: unexpected `(` after `X`
     --> test.pl:4:7
      |
    4 | d :- X(a).
      |       ^ an operator, `,` or the end of the clause is expected here
      |
      = hint: the name of a predicate begins with a small letter: `x(…)`; to call what a variable stands for, write `call(X, …)`
    error[E0101]: unexpected `(` after `f`
     --> test.pl:5:8
      |
    5 | e :- f (a).
      |        ^ an operator, `,` or the end of the clause is expected here
      |
      = hint: no space may stand between a name and the `(` of its arguments
    error[E0101]: unexpected `<=` after `X`
     --> test.pl:6:8
      |
    6 | g :- X <= 2.
      |        ^^ an operator, `,` or the end of the clause is expected here
      |
      = hint: "at most" is written `=<`
    error[E0101]: unexpected `.` after `h`
     --> test.pl:7:2
      |
    7 | h.i.
      |  ^ does the clause end here?
      |
      = hint: a full stop must be followed by a space or a new line
    "#);
}

#[test]
fn quotes_and_characters() {
    assert_snapshot!(faults("a('don't').\nb('x\nc('y').\n\td(“e”).\nf('\\q').\n中文(x y)."), @r#"
    error[E0101]: unexpected `t` after `'don'`
     --> test.pl:1:7
      |
    1 | a('don't').
      |       ^ the quoted name ends here
      |
      = hint: an apostrophe inside quotes is written `''` or `\'`
    error[E0110]: this `'` isn't closed on its line
     --> test.pl:2:3
      |
    2 | b('x
      |   ^ opened here
    3 | c('y').
      |   - the next such quote is here
      |
      = hint: close it with `'`; an apostrophe inside is written `''` or `\'`
    error[E0116]: the character `“` has no meaning here
     --> test.pl:4:4
      |
    4 |     d(“e”).
      |       ^ not part of the language
      |
      = hint: write `"` in place of `“`
    error[E0112]: `\q` is no escape sequence
     --> test.pl:5:4
      |
    5 | f('\q').
      |    ^^
      |
      = hint: a backslash itself is written `\\`; others are \n \t \' \x41\ …
    error[E0101]: unexpected `y` after `x`
     --> test.pl:6:6
      |
    6 | 中文(x y).
      |        ^ an operator, `,` or the end of the clause is expected here
      |
      = hint: is a `,` missing before `y`?
    "#);
}

#[test]
fn operators() {
    assert_snapshot!(faults("a :- X = \\+ b.\nb :- c,\nd :- e.\nf :- g, .\nh(,a).\ni :-"), @r#"
    error[E0102]: `\+` can't stand beside `=` without parentheses
     --> test.pl:1:10
      |
    1 | a :- X = \+ b.
      |          ^^ here
      |        - because of this operator
      |
      = hint: put parentheses around the part that belongs together
    error[E0105]: this clause has no full stop
     --> test.pl:2:7
      |
    2 | b :- c,
      |       ^ expected `.` in place of `,`
    3 | d :- e.
      | - the next clause begins here
    error[E0104]: a term is missing between `,` and the full stop
     --> test.pl:4:8
      |
    4 | f :- g, .
      |        ^ a term is expected here
      |
      = hint: end the clause with `.` in place of this `,`, or write the missing goal
    error[E0103]: a term is missing between `(` and `,`
     --> test.pl:5:3
      |
    5 | h(,a).
      |   ^ a term is expected here
      |
      = hint: write the missing term; `,` as a name must be quoted: ','
    error[E0106]: the text ends in the middle of a clause, after `:-`
     --> test.pl:6:5
      |
    6 | i :-
      |     ^ a term is expected here
      |
      = hint: goals stand behind `:-`; a fact is written without it
    "#);
}

#[test]
fn long_lines_are_cut() {
    let long = "f(x), ".repeat(100_000);
    assert_snapshot!(faults(&format!("a :- {long} b c, {long} d.")), @r#"
    error[E0101]: unexpected `c` after `b`
     --> test.pl:1:600009
      |
    1 | ...), f(x), f(x), f(x), f(x), f(x), f(x), f(x),  b c, f(x), f(x), f(x), f(x), f(x), f(x), f(x), f(x), f(x), f(x)...
      |                                                    ^ an operator, `,` or the end of the clause is expected here
      |
      = hint: is a `,` missing before `c`?
    "#);
}

proptest::proptest! {
    #[test]
    fn any_faults_render(text in "[a-z'\"(),.\t\n\r\0é中“ :-]{0,80}") {
        faults(&text);
    }

    #[test]
    fn any_places_render(text in ".{0,40}\n.{0,300}", start in 0u32..400, length in 0u32..400) {
        let source = Source::new("a.pl", &text);
        let span = zug_term::source::Span { start, end: start + length };
        let diagnostic = Diagnostic::error("E0000", "m").at(&source, span, "t");
        to_string(&diagnostic.also(&source, zug_term::source::Span::new(0, 1), "u"));
    }
}

#[test]
fn colours() {
    let mut out = String::new();
    let source = Source::new("a.pl", "abc");
    let diagnostic =
        Diagnostic::warning("W0000", "m").at(&source, zug_term::source::Span::new(1, 2), "t");
    let written = render(&mut out, &diagnostic, RenderOptions { colour: true });
    assert!(written.is_ok() && out.contains("\u{1b}[33m"), "{out:?}");
}
