//! Terms and how they are written.

use super::{Operators, ReadOptions, Reader, WriteOptions, term_to_string};
use zug_term::Heap;
use zug_term::source::Source;
use zug_term::symbol::Symbols;

fn check(text: &str, options: &WriteOptions, expect: &str) {
    let mut heap = Heap::new();
    let mut symbols = Symbols::new();
    let operators = Operators::standard(&mut symbols);
    let mut reader = Reader::new(Source::new("test", &format!("{text} .")));
    let read = reader
        .next(&mut heap, &mut symbols, &operators, &ReadOptions::default())
        .expect("no fault")
        .expect("a term");
    let options = WriteOptions { variable_names: &read.variables, ..*options };
    let shown = term_to_string(&heap, &symbols, &operators, read.root, &options);
    assert_eq!(shown, expect, "writing {text}");
}

#[test]
fn as_writeq() {
    let mut lines = include_str!("tests/writeq.txt").lines().skip(1).peekable();
    while let Some(text) = lines.next() {
        let other = lines.next_if(|line| line.starts_with("    "));
        check(text, &WriteOptions::writeq(), other.map_or(text, str::trim_start));
    }
}

#[test]
fn options() {
    let plain = WriteOptions::default();
    let canonical = WriteOptions::canonical();
    check("f('A b', \"x y\", 'don''t')", &plain, "f(A b,x y,don't)");
    check("f(X, _Y, X)", &plain, "f(X,_Y,X)");
    check("a+b", &canonical, "+(a,b)");
    check("- 1 - -1", &canonical, "-(-(1),-1)");
    check("{a,b}", &canonical, "{','(a,b)}");
    check("[a,'B'|c]+1", &canonical, "+([a,'B'|c],1)");
    check("'$VAR'(1)", &canonical, "'$VAR'(1)");
    check("[a,b]", &WriteOptions { dotlists: true, ..plain }, ".(a,.(b,[]))");
    check(
        "f(a,b,[1,2],x+y,(p:-q,r))",
        &WriteOptions { spacing: true, ..plain },
        "f(a, b, [1, 2], x+y, (p:-q, r))",
    );
    check("_", &plain, "_0");
}

#[test]
fn depth() {
    let check = |max_depth, text, expect| {
        check(text, &WriteOptions { max_depth, ..WriteOptions::default() }, expect);
    };
    check(5, "[1,2,3,4,5,6,7]", "[1,2,3,4|...]");
    check(5, "[1,2,3,4,5]", "[1,2,3,4|...]");
    check(1, "[1,2]", "[...|...]");
    check(3, "[1,2,3]", "[1,2|...]");
    check(3, "[[1,2,3],[1,2,3]]", "[[1|...],[...|...]]");
    check(5, "f([1,2,3,4,5],[1,2,3,4,5])", "f([1,2,3|...],[1,2,3|...])");
    check(5, "f(f(f(f(f(f(f(a)))))))", "f(f(f(f(f(...)))))");
    check(5, "1+2+3+4+5+6+7+8", "... + ... + 5+6+7+8");
    check(5, "(a,b,c,d,e,f,g,h)", "a,b,c,d,...,...");
    check(3, "f(1,2,3,4,5,6,7,8,9)", "f(1,2,3,4,5,6,7,8,9)");
}
