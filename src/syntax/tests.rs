//! Texts and the terms they stand for.

use super::operators::Operators;
use super::reader::{ReadOptions, ReadTerm, Reader};
use super::{OpKind, SyntaxFault};
use zug_term::source::Source;
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Value};

/// A term without any operator notation: `f(a,b)` for compounds, `A` for the
/// named variables. Recursive: for small terms only.
fn canonical(heap: &Heap, symbols: &Symbols, read: &ReadTerm, cell: Cell) -> String {
    let show = |cell| canonical(heap, symbols, read, cell);
    match heap.value(cell) {
        Value::Var(addr) => {
            let same = |entry: &&(_, Cell)| entry.1 == Cell::reference(addr);
            read.variables.iter().find(same).map_or("_".into(), |entry| entry.0.to_string())
        }
        Value::Atom(name) => symbols.name(name).into(),
        Value::Int(value) => value.to_string(),
        Value::Big(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Rational(value) => format!("{}r{}", value.numer(), value.denom()),
        Value::Str(text) => format!("{text:?}"),
        Value::List(_) => {
            let mut items = heap.items(cell);
            let shown: Vec<_> = items.by_ref().map(show).collect();
            let end = show(items.rest);
            match end.as_str() {
                "[]" => format!("[{}]", shown.join(",")),
                end => format!("[{}|{end}]", shown.join(",")),
            }
        }
        Value::Struct(name, arity, args) => {
            let shown: Vec<_> = (args..args + arity).map(|at| show(heap.at(at))).collect();
            format!("{}({})", symbols.name(name), shown.join(","))
        }
    }
}

/// Everything in a text, terms and faults, one a line.
fn read_all(text: &str) -> String {
    let mut heap = Heap::new();
    let mut symbols = Symbols::new();
    let mut operators = Operators::standard(&mut symbols);
    let twice = symbols.intern("twice");
    operators.define(300, OpKind::Xf, twice).expect("a postfix operator");
    let mut reader = Reader::new(Source::new("test", text));
    let mut lines = Vec::new();
    loop {
        match reader.next(&mut heap, &mut symbols, &operators, &ReadOptions::default()) {
            Ok(None) => return lines.join("\n"),
            Ok(Some(read)) => lines.push(canonical(&heap, &symbols, &read, read.root)),
            Err(fault) => lines.push(show_fault(&fault)),
        }
    }
}

fn show_fault(fault: &SyntaxFault) -> String {
    let primary = fault.diagnostic.primary.as_ref().expect("faults have a place");
    let at = primary.source.position(primary.span.start);
    format!("{}:{} {}: {}", at.line, at.column, fault.kind.code(), fault.diagnostic.message)
}

fn check(text: &str, expect: &str) {
    assert_eq!(read_all(text), expect, "reading {text:?}");
}

#[test]
fn operands() {
    check(
        "a. X. 'b c'. [] . {}. !. ;. 12. -3. 1.5. \"s\".",
        "a\nX\nb c\n[]\n{}\n!\n;\n12\n-3\n1.5\n\"s\"",
    );
    check("`ab`.", "[97,98]");
    check("f(A, b, _, A).", "f(A,b,_,A)");
    check("foo(). [](x). {}(x). f(((a))).", "foo\n[](x)\n{}(x)\nf(a)");
    check("[a,b|T]. [[]]. [a|[b]]. '.'(a,[]). {a,b}.", "[a,b|T]\n[[]]\n[a,b]\n[a]\n{}(,(a,b))");
}

#[test]
fn signs() {
    check(
        "- 1. -1. -(1). - (1). -(-(1)). - - 1. -(-1). -a. +1.",
        "-(1)\n-1\n-(1)\n-(1)\n-(-(1))\n-(-(1))\n-(-1)\n-(a)\n+(1)",
    );
    check(
        "a-1. a - 1. a -1. [-1]. [a -1]. f(a, -1). 1 - -1.",
        "-(a,1)\n-(a,1)\n-(a,1)\n[-1]\n[-(a,1)]\nf(a,-1)\n-(1,-1)",
    );
    check(
        "-1^2. - 1^2. -(1)^2. - (1)^2. -a^2.",
        "^(-1,2)\n-(^(1,2))\n^(-(1),2)\n-(^(1,2))\n-(^(a,2))",
    );
    check("- 1 mod b. - a mod b. '-'1.", "mod(-(1),b)\nmod(-(a),b)\n-(1)");
}

#[test]
fn operators_as_atoms() {
    check(
        "X = + . X == - . [-]. [- | T]. f(- , a). - = x.",
        "=(X,+)\n==(X,-)\n[-]\n[-|T]\nf(-,a)\n=(-,x)",
    );
    check(
        "maplist(=, L). [=, +]. (;). f(;). f(:-). * = * .",
        "maplist(=,L)\n[=,+]\n;\nf(;)\nf(:-)\n=(*,*)",
    );
    check(
        "dynamic = 1. dynamic mod/2. dynamic :- a. \\+ = .",
        "=(dynamic,1)\ndynamic(/(mod,2))\n:-(dynamic,a)\n\\+(=)",
    );
    check(
        "- - a. [- -]. - mod 1. f(+ + +). 1 = :- .",
        "-(-(a))\n[-(-)]\nmod(-,1)\nf(+(+(+)))\n=(1,:-)",
    );
    check("- (-). is is is. = = = . :- - . - =(a,b).", "-(-)\nis(is,is)\n=(=,=)\n:-(-)\n-(=(a,b))");
}

#[test]
fn precedence() {
    check("a:-b,c;d->e.", ":-(a,;(,(b,c),->(d,e)))");
    check(
        "a:b:c. 1-2-3. 2^3^4. 1-(2-3). a*(b+c). \\+ (a,b). \\+a,b.",
        ":(a,:(b,c))\n-(-(1,2),3)\n^(2,^(3,4))\n-(1,-(2,3))\n*(a,+(b,c))\n\\+(,(a,b))\n,(\\+(a),b)",
    );
    check(":- dynamic a/1, b/2.", ":-(dynamic(,(/(a,1),/(b,2))))");
    check(
        "f(a:-b,c). [a:-b|c]. f(:- a). (a|b). {a|b}. a --> b | c.",
        "f(:-(a,b),c)\n[:-(a,b)|c]\nf(:-(a))\n|(a,b)\n{}(|(a,b))\n-->(a,|(b,c))",
    );
    check(
        "3 twice. - 3 twice. 3 twice * 4. (3 twice) twice.",
        "twice(3)\ntwice(-(3))\n*(twice(3),4)\ntwice(twice(3))",
    );
    check("X is 5mod 2.", "is(X,mod(5,2))");
    check("'hello'(x). 'a' = 'b'. a 'mod' b.", "hello(x)\n=(a,b)\nmod(a,b)");
}

#[test]
fn layout_and_ends() {
    check("#!/usr/bin/zug\na.", "a");
    check("a.%x\nb. /* c. */ d.\r\ne .", "a\nb\nd\ne");
    check("", "");
    check(" % nothing\n", "");
    check("f(x, % first\n  y). /* end */", "f(x,y)");
    check("'a\nb'.", "a\nb");
}

#[test]
fn faults() {
    check("a b. c.", "1:3 E0101: unexpected `b` after `a`\nc");
    check("foo(a)\nbar(b).\nbaz.", "1:7 E0105: this clause has no full stop\nbar(b)\nbaz");
    check("a :- b,\nc :- d.\ne.", "1:7 E0105: this clause has no full stop\n:-(c,d)\ne");
    check("a :- b\nc :- d.", "1:7 E0105: this clause has no full stop\n:-(c,d)");
    check("foo(a, b.\nbar.", "1:4 E0107: this `(` is never closed\nbar");
    check("foo(a, b\nbar(c).", "1:4 E0107: this `(` is never closed\nbar(c)");
    check("foo(a, [b, c).\nbar.", "1:13 E0108: `)` can't close `[`\nbar");
    check("foo(a)).\nbar.", "1:7 E0108: `)` closes nothing\nbar");
    check("foo(a,).\nbar.", "1:7 E0103: a term is missing between `,` and `)`\nbar");
    check("foo :- a, .\nbar.", "1:10 E0104: a term is missing between `,` and the full stop\nbar");
    check("foo :- a", "1:9 E0106: the last clause has no full stop");
    check("foo :- a,", "1:10 E0106: the text ends in the middle of a clause, after `,`");
    check("f(a, [b", "1:6 E0107: this `[` is never closed");
    check("[a|b,c]. d.", "1:5 E0109: only one term may stand between `|` and `]`\nd");
    check("a = b = c. d.", "1:7 E0102: `=` can't stand beside `=` without parentheses\nd");
    check("X = \\+a.", "1:5 E0102: `\\+` can't stand beside `=` without parentheses");
    check("X(a). b.", "1:2 E0101: unexpected `(` after `X`\nb");
    check("foo (a). b.", "1:5 E0101: unexpected `(` after `foo`\nb");
    check("f(2X). b.", "1:3 E0114: `2X` is no number\nb");
    check("foo(a).bar(b). c.", "1:7 E0101: unexpected `.` after `)`\nbar(b)\nc");
    check(". a.", "1:1 E0104: a full stop with nothing before it\na");
    check(") a. b.", "1:1 E0108: `)` closes nothing\nb");
    check("(). b.", "1:2 E0103: a term is missing between `(` and `)`\nb");
}

#[test]
fn faults_in_tokens() {
    check("f('abc).\ng('x').\nh.", "1:3 E0110: this `'` isn't closed on its line\ng(x)\nh");
    check("f(x).\ng('abc).\nh.", "f(x)\n2:3 E0110: this `'` is never closed\nh");
    check("f(x). /* g.\nh.", "f(x)\n1:7 E0111: this comment is never closed");
    check("f('a\\qb'). g.", "1:5 E0112: `\\q` is no escape sequence\ng");
    check("f(0'\\q). g.", "1:3 E0112: `0'\\q` is no escape sequence\ng");
    check("f('\\xD800\\'). g.", "1:4 E0113: `\\xD800\\` is no character\ng");
    check("f(37'10). g.", "1:3 E0114: `37'10` is no number\ng");
    check("f(1.0e999). g.", "1:3 E0115: `1.0e999` is too large for a float\ng");
    check("f(“a”). g.", "1:3 E0116: the character `“` has no meaning here\ng");
    check("f(a\0b). g.", "1:4 E0116: a NUL character has no meaning here\ng");
}

#[test]
fn variables_and_spans() {
    let mut heap = Heap::new();
    let mut symbols = Symbols::new();
    let operators = Operators::standard(&mut symbols);
    let text = "foo(X, Y, _Z) :- bar(X, _Z), [a|Q] = W, W.";
    let mut reader = Reader::new(Source::new("test", text));
    let read = reader
        .next(&mut heap, &mut symbols, &operators, &ReadOptions::default())
        .expect("no fault")
        .expect("a clause");
    let names = |list: &[(std::sync::Arc<str>, zug_term::source::Span)]| -> Vec<String> {
        list.iter().map(|entry| entry.0.to_string()).collect()
    };
    assert_eq!(names(&read.singletons), ["Y", "Q"]);
    assert_eq!(names(&read.multiple), ["_Z"]);
    assert_eq!(read.variables.len(), 5);
    assert!(read.spans.is_sorted_by_key(|entry| entry.0));
    let piece = |addr| {
        let span = read.span_of(addr).expect("arguments have spans");
        &text[span.start as usize..span.end as usize]
    };
    let (_, _, neck) = heap.name_arity(read.root).expect("a compound");
    assert_eq!(piece(neck), "foo(X, Y, _Z)");
    let (_, _, body) = heap.name_arity(heap.at(neck + 1)).expect("a conjunction");
    assert_eq!(piece(body), "bar(X, _Z)");
    assert_eq!(piece(body + 1), "[a|Q] = W, W");
    assert_eq!(&text[read.span.start as usize..read.span.end as usize], &text[..text.len() - 1]);
    assert_eq!(reader.offset(), text.len());
}

#[test]
fn deep_and_long() {
    let n = 1_000_000;
    let deep = |before: &str, after: &str| format!("{}a{}.", before.repeat(n), after.repeat(n));
    let texts = [
        deep("f(", ")"),
        deep("[", "]"),
        deep("(", ")"),
        deep("- ", ""),
        deep("a,", ""),
        deep("", "+a"),
        deep("f(a,", ")"),
        format!("[{}a].", "a,".repeat(n)),
    ];
    for text in texts {
        let mut heap = Heap::new();
        let mut symbols = Symbols::new();
        let operators = Operators::standard(&mut symbols);
        let mut reader = Reader::new(Source::new("test", &text));
        let read = reader.next(&mut heap, &mut symbols, &operators, &ReadOptions::default());
        assert!(read.is_ok_and(|read| read.is_some()), "{:?}", &text[..10]);
        assert_ne!(atoms::NIL, atoms::DOT);
    }
}

#[test]
fn faults_are_capped() {
    let shown = read_all(&"a b.\n".repeat(1000));
    assert_eq!(shown.lines().count(), super::reader::MAX_FAULTS + 1);
    assert!(shown.ends_with("the rest of the text isn't read"));
}
