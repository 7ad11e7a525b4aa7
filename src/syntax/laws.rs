//! Laws: what is printed reads back as a variant; reading any bytes ends without
//! a panic; depth costs no stack.

use super::{
    OpKind, Operators, Quotes, ReadOptions, Reader, WriteOptions, completeness, decode,
    parse_number, term_to_string, tokenize,
};
use num_bigint::BigInt;
use proptest::prelude::*;
use zug_term::source::Source;
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap, is_variant};

/// A term to be built in a heap.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Var(u8),
    Atom(String),
    Int(i64),
    Big(i128),
    Float(f64),
    Text(String),
    Compound(String, Vec<Tree>),
    List(Vec<Tree>, Box<Tree>),
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(vec![
            "a", "b", "foo", "-", "+", "\\", "\\+", ":-", "-->", ",", "|", ";", "->", "=", "is",
            "mod", "dynamic", "*", "**", "^", "$", ":", "[]", "{}", "!", "é", "X", "_a", "don't",
            ".", "..", "/*", "", " ", "a b", "\n", "\\", "1", "0'", "%", "\u{0}", "≤", "twice", "“",
            "e", "x", "0x1", "'", "\"", "`", "@", "pre",
        ]).prop_map(String::from),
        1 => any::<String>(),
    ]
}

pub(crate) fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        any::<u8>().prop_map(|n| Tree::Var(n % 4)),
        names().prop_map(Tree::Atom),
        (-9i64..10).prop_map(Tree::Int),
        any::<i64>().prop_map(Tree::Int),
        any::<i128>().prop_map(Tree::Big),
        any::<f64>().prop_filter("NaN has no equal", |x| !x.is_nan()).prop_map(Tree::Float),
        (-9i32..10).prop_map(|n| Tree::Float(f64::from(n))),
        any::<String>().prop_map(Tree::Text),
    ];
    leaf.prop_recursive(6, 40, 4, |inner| {
        prop_oneof![
            4 => (names(), prop::collection::vec(inner.clone(), 1..3))
                .prop_map(|(name, args)| Tree::Compound(name, args)),
            1 => (names(), prop::collection::vec(inner.clone(), 3..4))
                .prop_map(|(name, args)| Tree::Compound(name, args)),
            1 => (prop::collection::vec(inner.clone(), 1..4), inner)
                .prop_map(|(items, tail)| Tree::List(items, Box::new(tail))),
        ]
    })
}

pub(crate) fn build(heap: &mut Heap, symbols: &mut Symbols, vars: &[Cell], tree: &Tree) -> Cell {
    let mut all = |heap: &mut Heap, trees: &[Tree]| -> Vec<Cell> {
        trees.iter().map(|tree| build(heap, symbols, vars, tree)).collect()
    };
    match tree {
        Tree::Var(n) => vars[*n as usize],
        Tree::Atom(name) => Cell::atom(symbols.intern(name)),
        Tree::Int(value) => heap.new_int(*value),
        Tree::Big(value) => heap.new_big(&BigInt::from(*value)),
        Tree::Float(value) => heap.new_float(*value),
        Tree::Text(text) => heap.new_string(text),
        Tree::Compound(name, args) => {
            let args = all(heap, args);
            heap.new_struct(symbols.intern(name), &args)
        }
        Tree::List(items, tail) => {
            let items = all(heap, items);
            let tail = build(heap, symbols, vars, tail);
            heap.list_from(&items, tail)
        }
    }
}

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
