//! Terms at random, for laws that tests check.

use num_bigint::BigInt;
use proptest::prelude::*;
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap};

/// A term to be built in a heap.
#[derive(Clone, Debug)]
pub enum Tree {
    /// One of the variables there are.
    Var(u8),
    /// An atom.
    Atom(String),
    /// An integer.
    Int(i64),
    /// A large one.
    Big(i128),
    /// A float.
    Float(f64),
    /// A string.
    Text(String),
    /// A compound term.
    Compound(String, Vec<Tree>),
    /// A list with its tail.
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

/// Terms at random.
pub fn trees() -> impl Strategy<Value = Tree> {
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

/// Builds a term whose variables are some of `vars`.
pub fn build(heap: &mut Heap, symbols: &mut Symbols, vars: &[Cell], tree: &Tree) -> Cell {
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
