//! Answers and errors of the predicates on terms, and laws of copying, comparing
//! and unifying on random terms.

use crate::builtins::testing::Bench;
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use zug_machine::{Fault, StopReason};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record};

#[test]
fn assignment_and_numbering() {
    let mut bench = Bench::default();
    let term = bench.read("f(a,b)");
    for name in ["setarg", "nb_setarg"] {
        let name = bench.machine.symbols.intern(name);
        let value = bench.read("g(X)");
        let goal = bench.machine.heap.new_struct(name, &[Cell::small(1), term, value]);
        assert!(bench.call(goal).expect("no error"));
    }
    assert_eq!(bench.show(term), "f(g(_),b)");
}

/// A term apart from any heap.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Var(u8),
    Int(i64),
    Float(i8),
    Big(i8),
    Text(String),
    Node(u8, Vec<Tree>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0u8..4).prop_map(Tree::Var),
        (-3i64..3).prop_map(Tree::Int),
        (-3i8..3).prop_map(Tree::Float),
        (-3i8..3).prop_map(Tree::Big),
        "[ab]{0,10}".prop_map(Tree::Text),
        (0u8..3).prop_map(|name| Tree::Node(name, Vec::new())),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        (0u8..3, prop::collection::vec(inner, 1..4)).prop_map(|(name, args)| Tree::Node(name, args))
    })
}

/// Builds a tree on the heap; equal numbers are the same variable.
fn build(bench: &mut Bench, tree: &Tree, variables: &mut BTreeMap<u8, Cell>) -> Cell {
    let heap = &mut bench.machine.heap;
    match tree {
        Tree::Var(number) => *variables.entry(*number).or_insert_with(|| heap.new_var()),
        Tree::Int(value) => Cell::small(*value),
        Tree::Float(value) => heap.new_float(f64::from(*value) / 2.0),
        Tree::Big(value) => heap.new_big(&((num_bigint::BigInt::from(1) << 70) + *value)),
        Tree::Text(text) => heap.new_string(text),
        Tree::Node(name, args) => {
            let args: Vec<Cell> = args.iter().map(|arg| build(bench, arg, variables)).collect();
            let name = [atoms::DOT, atoms::PLUS, Atom(atoms::MODULE.0)][usize::from(*name)];
            bench.machine.heap.new_struct(name, &args)
        }
    }
}

/// Robinson's algorithm on trees: the naive oracle.
fn unify(a: &Tree, b: &Tree, bindings: &mut BTreeMap<u8, Tree>) -> bool {
    let walk = |tree: &Tree, bindings: &BTreeMap<u8, Tree>| {
        let mut tree = tree.clone();
        while let Tree::Var(v) = tree {
            match bindings.get(&v) {
                Some(value) => tree = value.clone(),
                None => break,
            }
        }
        tree
    };
    let (a, b) = (walk(a, bindings), walk(b, bindings));
    match (&a, &b) {
        (Tree::Var(x), Tree::Var(y)) if x == y => true,
        (Tree::Var(x), other) | (other, Tree::Var(x)) => {
            !occurs(*x, other, bindings) && {
                bindings.insert(*x, other.clone());
                true
            }
        }
        (Tree::Node(f, xs), Tree::Node(g, ys)) => {
            f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| unify(x, y, bindings))
        }
        _ => a == b,
    }
}

fn occurs(x: u8, tree: &Tree, bindings: &BTreeMap<u8, Tree>) -> bool {
    match tree {
        Tree::Var(y) => *y == x || bindings.get(y).is_some_and(|value| occurs(x, value, bindings)),
        Tree::Node(_, args) => args.iter().any(|arg| occurs(x, arg, bindings)),
        _ => false,
    }
}

proptest! {
    #[test]
    fn unification_agrees_with_the_oracle(a in tree(), b in tree()) {
        let mut bench = Bench::default();
        let mut variables = BTreeMap::new();
        let (x, y) = (build(&mut bench, &a, &mut variables), build(&mut bench, &b, &mut variables));
        let before = bench.machine.heap.cells.clone();
        let mut bindings = BTreeMap::new();
        let expected = unify(&a, &b, &mut bindings);
        let plain = bench.machine.unifiable(x, y);
        prop_assert!(plain || !expected, "without occurs check more unifies, never less");
        prop_assert_eq!(&bench.machine.heap.cells, &before, "bindings are undone");
        let found = bench.machine.unify_occurs_check(x, y).expect("no limit");
        prop_assert_eq!(found, expected);
        if found {
            prop_assert!(zug_term::structural_eq(&bench.machine.heap, x, y));
            prop_assert!(zug_term::is_acyclic(&bench.machine.heap, x));
        } else {
            prop_assert_eq!(&bench.machine.heap.cells, &before);
        }
    }

    #[test]
    fn the_order_is_total(a in tree(), b in tree(), c in tree()) {
        let mut bench = Bench::default();
        let mut variables = BTreeMap::new();
        let [x, y, z] = [&a, &b, &c].map(|tree| build(&mut bench, tree, &mut variables));
        let compare = |a, b| zug_term::compare(&bench.machine.heap, &bench.machine.symbols, a, b);
        prop_assert_eq!(compare(x, x), Ordering::Equal);
        prop_assert_eq!(compare(x, y), compare(y, x).reverse());
        if compare(x, y) != Ordering::Greater && compare(y, z) != Ordering::Greater {
            prop_assert_ne!(compare(x, z), Ordering::Greater);
        }
        prop_assert_eq!(compare(x, y) == Ordering::Equal, zug_term::structural_eq(&bench.machine.heap, x, y));
    }

    #[test]
    fn a_copy_is_a_variant(a in tree()) {
        let mut bench = Bench::default();
        let x = build(&mut bench, &a, &mut BTreeMap::new());
        let before = bench.machine.heap.cells.clone();
        let record = Record::new(&mut bench.machine.heap, x);
        prop_assert_eq!(&bench.machine.heap.cells, &before, "copying leaves the term alone");
        let copy = record.instantiate(&mut bench.machine.heap);
        prop_assert!(zug_term::is_variant(&bench.machine.heap, x, copy));
        prop_assert_eq!(Record::new(&mut bench.machine.heap, copy), record, "variants have one record");
        let fresh = zug_term::variables(&bench.machine.heap, copy);
        prop_assert!(zug_term::variables(&bench.machine.heap, x).iter().all(|variable| !fresh.contains(variable)));
        prop_assert!(bench.machine.subsumes(x, copy).expect("no limit"));
    }

    #[test]
    fn variance_is_subsumption_both_ways(a in tree(), b in tree()) {
        let mut bench = Bench::default();
        let x = build(&mut bench, &a, &mut BTreeMap::new());
        let y = build(&mut bench, &b, &mut BTreeMap::new());
        let mut subsumes = |x, y| bench.machine.subsumes(x, y).expect("no limit");
        let both = subsumes(x, y) && subsumes(y, x);
        prop_assert_eq!(zug_term::is_variant(&bench.machine.heap, x, y), both);
    }
}

/// Walks that run long look at the clock on their way, not only at the next call.
#[test]
fn long_walks_heed_the_time() {
    let mut bench = Bench::default();
    let m = &mut bench.machine;
    let items: Vec<Cell> = (0..100_000).map(|_| m.heap.new_var()).collect();
    let [one, other] = [(); 2].map(|()| m.heap.list_from(&items, Cell::NIL));
    let (general, result) = (m.heap.new_var(), m.heap.new_var());
    for (name, args) in [
        ("acyclic_term", vec![one]),
        ("cyclic_term", vec![one]),
        ("term_variables", vec![one, result]),
        ("term_variables", vec![one, result, Cell::NIL]),
        ("term_size", vec![one, result]),
        ("numbervars", vec![one, Cell::ZERO, result]),
        ("subsumes_term", vec![general, one]),
        ("unify_with_occurs_check", vec![general, one]),
        ("=@=", vec![one, other]),
        ("\\=@=", vec![one, other]),
        ("compare", vec![result, one, other]),
    ] {
        let known = |entry: &&super::Entry| (entry.name, entry.arity) == (name, args.len());
        let entry = super::TABLE.iter().find(known).expect("it is in the table");
        bench.machine.deadline = Some(std::time::Instant::now());
        let outcome = (entry.run)(&mut bench.machine, &mut bench.world, &args);
        let stopped = matches!(outcome, Err(Fault::Stopped(StopReason::Time)));
        assert!(stopped, "{name}/{}", args.len());
        bench.machine.deadline = None;
        assert!(bench.machine.heap.deref(result).is_var(), "{name} left a binding");
    }
}
