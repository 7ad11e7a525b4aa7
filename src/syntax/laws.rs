//! Laws: what is printed reads back as a variant; reading any bytes ends without
//! a panic; depth costs no stack.

use super::trees::{build, trees};
use super::{
    OpKind, Operators, Quotes, ReadOptions, Reader, WriteOptions, completeness, decode,
    parse_number, term_to_string, tokenize,
};
use proptest::prelude::*;
use zug_term::source::Source;
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap, is_variant};

fn operators(symbols: &mut Symbols) -> Operators {
    let mut operators = Operators::standard(symbols);
    for (priority, kind, name) in [(300, OpKind::Xf, "twice"), (700, OpKind::Fx, "pre")] {
        let defined = operators.define(priority, kind, symbols.intern(name));
        assert_eq!(defined, Ok(()));
    }
    operators
}

proptest! {
    #[test]
    fn print_then_read_gives_a_variant(tree in trees()) {
        let mut heap = Heap::new();
        let mut symbols = Symbols::new();
        let operators = operators(&mut symbols);
        let vars: Vec<Cell> = (0..4).map(|_| heap.new_var()).collect();
        let cell = build(&mut heap, &mut symbols, &vars, &tree);
        let plain = WriteOptions { quoted: true, ..WriteOptions::default() };
        let all = [
            plain,
            WriteOptions { spacing: true, ..plain },
            WriteOptions { ignore_ops: true, ..plain },
            WriteOptions { dotlists: true, ..plain },
        ];
        for options in all {
            let text = term_to_string(&heap, &symbols, &operators, cell, &options);
            let source = Source::new("test", &format!("{text} ."));
            let mut reader = Reader::new(source);
            let read = reader.next(&mut heap, &mut symbols, &operators, &ReadOptions::default());
            match read {
                Ok(Some(read)) => {
                    prop_assert!(is_variant(&heap, cell, read.root), "read otherwise: {text}");
                    prop_assert_eq!(reader.offset(), text.len() + 2);
                }
                other => prop_assert!(false, "{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn any_bytes_read_without_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        pieces in prop::collection::vec(prop::sample::select(vec![
            "a", "X", "(", ")", "[", "]", "{", "}", ",", "|", ".", ". ", "\n", " ", ":-", "-", "=",
            "'", "\"", "`", "0'", "\\", "1", "1.5", "/*", "*/", "%", "\\+", "dynamic", "é", "“",
            "\0", "f(", "\na", "twice", "0x", "e5", "''",
        ]), 0..60),
    ) {
        let spliced = pieces.concat();
        for text in [decode(&bytes).0, spliced] {
            let mut heap = Heap::new();
            let mut symbols = Symbols::new();
            let operators = operators(&mut symbols);
            let options = ReadOptions { double_quotes: Quotes::Codes, ..ReadOptions::default() };
            let mut reader = Reader::new(Source::new("test", &text));
            let mut before = 0;
            loop {
                let read = reader.next(&mut heap, &mut symbols, &operators, &options);
                prop_assert!(reader.offset() >= before, "reading goes back in {text:?}");
                before = reader.offset();
                match read {
                    Ok(None) => break,
                    Ok(Some(_)) => {}
                    Err(fault) => {
                        prop_assert!(fault.diagnostic.primary.is_some());
                    }
                }
            }
            tokenize(&text);
            completeness(&text);
            let _ = parse_number(&mut heap, &text);
        }
    }
}

#[test]
fn deep_and_cyclic_terms_print() {
    let mut heap = Heap::new();
    let mut symbols = Symbols::new();
    let operators = operators(&mut symbols);
    let n = 1_000_000;
    let f = symbols.intern("f");
    let minus = symbols.intern("-");
    let print = |heap: &Heap, symbols: &Symbols, cell| {
        term_to_string(heap, symbols, &operators, cell, &WriteOptions::writeq())
    };
    let a = Cell::atom(symbols.intern("a"));
    let deep = (0..n).fold(a, |cell, _| heap.new_struct(f, &[cell]));
    assert_eq!(print(&heap, &symbols, deep).len(), 3 * n + 1);
    let left = (0..n).fold(a, |cell, _| heap.new_struct(minus, &[cell, a]));
    assert_eq!(print(&heap, &symbols, left).len(), 2 * n + 1);
    let right = (0..n).fold(a, |cell, _| heap.new_list(cell, Cell::NIL));
    assert_eq!(print(&heap, &symbols, right).len(), 2 * n + 1);
    let long = (0..n).fold(Cell::NIL, |cell, _| heap.new_list(a, cell));
    assert_eq!(print(&heap, &symbols, long).len(), 2 * n + 1);

    let cycle = heap.new_struct(f, &[a]);
    heap.set(cycle.addr() + 1, cycle);
    assert_eq!(print(&heap, &symbols, cycle), "f(f(f(f(f(f(f(f(f(f(...))))))))))");
    let mut heap = Heap::new();
    let cycle = heap.new_list(a, a);
    heap.set(cycle.addr() + 1, cycle);
    assert_eq!(print(&heap, &symbols, cycle), "[a,a,a,a,a,a,a,a,a|...]");
}
