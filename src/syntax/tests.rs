//! Texts and the terms they stand for.

use super::clause_read::{ReadOptions, ReadTerm};
use super::operators::Operators;
use super::reader::Reader;
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

/// Texts of a file, each with its terms and faults indented below it.
#[test]
fn terms_and_faults() {
    let file = include_str!("tests/terms.txt").trim_end();
    for case in file.split("\n\n").filter(|case| !case.starts_with("% ")) {
        let (text, expected) = case.split_once("\n    ").expect("terms");
        check(text, &expected.replace("\n    ", "\n"));
    }
    check("a.%x\nb. /* c. */ d.\r\ne .", "a\nb\nd\ne");
    check("", "");
    check(" % nothing\n", "");
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
