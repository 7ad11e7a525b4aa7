//! Standard order, identity and variance of terms (ISO 13211-1, 7.2).
//!
//! Variables come before numbers, numbers before strings, strings before atoms,
//! atoms before compounds. Numbers stand in order of value, a float before an
//! equal integer, or, by the standard ([`Symbols::floats_first`]), all floats before
//! all integers. Compounds go by arity, then name, then arguments from the left.
//!
//! No function here recurses on the Rust stack. Cyclic terms end: after
//! [`PATIENCE`] pairs the walk remembers the pairs of compounds it is comparing
//! and takes one it meets again as equal.

use super::{Cell, HeaderKind, Heap, NoCheck, Rational, StepCheck, Tag, Value, watchdog};
use crate::symbol::Symbols;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// Pairs of compounds compared before a walk starts to watch for cycles.
pub(super) const PATIENCE: usize = 1 << 20;

/// Rank of a dereferenced cell in the standard order of kinds.
fn rank(heap: &Heap, cell: Cell) -> u8 {
    match cell.tag() {
        Tag::Ref | Tag::Attributed => 0,
        Tag::Int => 1,
        Tag::Atom => 3,
        Tag::List | Tag::Struct => 5,
        Tag::Boxed => match heap.at(cell.addr()).header_kind() {
            HeaderKind::String => 2,
            _ => 1,
        },
        Tag::Header => unreachable!("a header is never a value"),
    }
}

/// A watch for cycles that costs a counter until it is needed.
#[derive(Default)]
pub(super) struct CycleWatch {
    steps: usize,
    seen: FxHashSet<(Cell, Cell)>,
}

impl CycleWatch {
    /// Whether the pair was met before (only once patience has run out).
    #[inline]
    pub(super) fn met(&mut self, a: Cell, b: Cell) -> bool {
        watchdog::step();
        self.steps += 1;
        self.steps > PATIENCE && !self.seen.insert((a, b))
    }
}

/// The standard order of two terms of one heap.
pub fn compare(heap: &Heap, symbols: &Symbols, a: Cell, b: Cell) -> Ordering {
    let Ok(order) = compare_at(heap, symbols, a, b, &mut NoCheck);
    order
}

/// As [`compare`], at a check.
pub fn compare_at<P: StepCheck>(
    heap: &Heap,
    symbols: &Symbols,
    a: Cell,
    b: Cell,
    check: &mut P,
) -> Result<Ordering, P::Stop> {
    let mut watch = CycleWatch::default();
    // Runs of argument pairs still to compare: addresses and how many.
    let mut todo: Vec<(usize, usize, usize)> = Vec::new();
    let (mut a, mut b) = (a, b);
    loop {
        check.step()?;
        a = heap.deref(a);
        b = heap.deref(b);
        if a != b {
            if a.is_compound() && b.is_compound() {
                let (name_a, arity_a, args_a) = heap.name_arity(a).expect("a compound");
                let (name_b, arity_b, args_b) = heap.name_arity(b).expect("a compound");
                let order = arity_a.cmp(&arity_b).then_with(|| {
                    if name_a == name_b {
                        Ordering::Equal
                    } else {
                        symbols.name(name_a).cmp(symbols.name(name_b))
                    }
                });
                if order != Ordering::Equal {
                    return Ok(order);
                }
                if !watch.met(a, b) {
                    todo.push((args_a, args_b, arity_a));
                }
            } else {
                let order = compare_simple(heap, symbols, a, b);
                if order != Ordering::Equal {
                    return Ok(order);
                }
            }
        }
        match next_pair(heap, &mut todo) {
            Some(pair) => (a, b) = pair,
            None => return Ok(Ordering::Equal),
        }
    }
}

/// The next pair of arguments of the innermost run; runs used up are dropped.
#[inline]
fn next_pair(heap: &Heap, todo: &mut Vec<(usize, usize, usize)>) -> Option<(Cell, Cell)> {
    let run = todo.last_mut()?;
    let pair = (heap.at(run.0), heap.at(run.1));
    if run.2 == 1 {
        todo.pop();
    } else {
        *run = (run.0 + 1, run.1 + 1, run.2 - 1);
    }
    Some(pair)
}

fn compare_simple(heap: &Heap, symbols: &Symbols, a: Cell, b: Cell) -> Ordering {
    let (rank_a, rank_b) = (rank(heap, a), rank(heap, b));
    rank_a.cmp(&rank_b).then_with(|| match rank_a {
        0 => a.addr().cmp(&b.addr()),
        1 => compare_numbers(heap, symbols.floats_first, a, b),
        3 => {
            let name = |c: Cell| symbols.name(c.as_atom().expect("an atom"));
            name(a).cmp(name(b))
        }
        2 => heap.str_at(a.addr()).cmp(heap.str_at(b.addr())),
        _ => Ordering::Equal,
    })
}

/// Standard order of two numbers.
fn compare_numbers(heap: &Heap, floats_first: bool, a: Cell, b: Cell) -> Ordering {
    let float = |c: Cell| {
        (c.is_boxed() && heap.at(c.addr()).header_kind() == HeaderKind::Float)
            .then(|| heap.float_at(c.addr()))
    };
    let is_rational =
        |c: Cell| c.is_boxed() && heap.at(c.addr()).header_kind() == HeaderKind::Rational;
    if is_rational(a) || is_rational(b) {
        return compare_exactly(heap, floats_first, a, b);
    }
    let integer = |c: Cell| match c.as_int() {
        Some(value) => BigInt::from(value),
        None => heap.big_at(c.addr()),
    };
    match (float(a), float(b)) {
        (Some(x), Some(y)) => compare_floats(x, y),
        (Some(_), None) if floats_first => Ordering::Less,
        (None, Some(_)) if floats_first => Ordering::Greater,
        (Some(x), None) => float_to_integer(x, &integer(b)).then(Ordering::Less),
        (None, Some(y)) => float_to_integer(y, &integer(a)).reverse().then(Ordering::Greater),
        (None, None) => match (a.as_int(), b.as_int()) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => integer(a).cmp(&integer(b)),
        },
    }
}

/// Standard order of two numbers of which one is a rational number.
#[cold]
fn compare_exactly(heap: &Heap, floats_first: bool, a: Cell, b: Cell) -> Ordering {
    // A float, or the value of another number.
    let of = |c: Cell| match heap.value(c) {
        Value::Float(value) => Err(value),
        Value::Rational(value) => Ok(*value),
        Value::Big(value) => Ok(value.into()),
        _ => Ok(BigInt::from(c.as_int().unwrap_or_default()).into()),
    };
    match (of(a), of(b)) {
        (Err(_), Ok(_)) if floats_first => Ordering::Less,
        (Ok(_), Err(_)) if floats_first => Ordering::Greater,
        (Err(x), Ok(y)) => float_to_rational(x, &y).then(Ordering::Less),
        (Ok(x), Err(y)) => float_to_rational(y, &x).reverse().then(Ordering::Greater),
        (Ok(x), Ok(y)) => x.cmp(&y),
        (Err(x), Err(y)) => compare_floats(x, y),
    }
}

/// Exact order of a float and a rational number; NaN counts as smaller.
pub fn float_to_rational(x: f64, other: &Rational) -> Ordering {
    match super::rational_of(x) {
        Some(x) => x.cmp(other),
        None if x == f64::INFINITY => Ordering::Greater,
        None => Ordering::Less,
    }
}

/// Order of two floats by value; NaN before everything, -0.0 before 0.0.
fn compare_floats(x: f64, y: f64) -> Ordering {
    match (x.is_nan(), y.is_nan()) {
        (false, false) => x.total_cmp(&y),
        (one, other) => other.cmp(&one),
    }
}

/// Exact order of a float and an integer; NaN counts as smaller.
pub fn float_to_integer(x: f64, n: &BigInt) -> Ordering {
    if x.is_nan() || x == f64::NEG_INFINITY {
        return Ordering::Less;
    }
    if x == f64::INFINITY {
        return Ordering::Greater;
    }
    let floor = x.floor();
    let whole = match floor.to_i64() {
        Some(small) => BigInt::from(small),
        None => BigInt::from_f64(floor).expect("a finite float"),
    };
    whole.cmp(n).then(if x > floor { Ordering::Greater } else { Ordering::Equal })
}

/// Identity (`==`): same structure, same variables.
pub fn structural_eq(heap: &Heap, a: Cell, b: Cell) -> bool {
    let mut watch = CycleWatch::default();
    let mut todo: Vec<(usize, usize, usize)> = Vec::new();
    let (mut a, mut b) = (a, b);
    loop {
        a = heap.deref(a);
        b = heap.deref(b);
        if a != b {
            match (a.tag(), b.tag()) {
                (Tag::List, Tag::List) => {
                    if !watch.met(a, b) {
                        todo.push((a.addr(), b.addr(), 2));
                    }
                }
                (Tag::Struct, Tag::Struct) => {
                    let header = heap.at(a.addr());
                    if header != heap.at(b.addr()) {
                        return false;
                    }
                    if !watch.met(a, b) {
                        todo.push((a.addr() + 1, b.addr() + 1, header.functor_arity()));
                    }
                }
                (Tag::Boxed, Tag::Boxed) => {
                    if heap.boxed_words(a.addr()) != heap.boxed_words(b.addr()) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        match next_pair(heap, &mut todo) {
            Some(pair) => (a, b) = pair,
            None => return true,
        }
    }
}

/// Variance (`=@=`): equal up to a one-to-one renaming of variables.
pub fn is_variant(heap: &Heap, a: Cell, b: Cell) -> bool {
    let Ok(variant) = is_variant_at(heap, a, b, &mut NoCheck);
    variant
}

/// As [`is_variant`], at a check.
pub fn is_variant_at<P: StepCheck>(
    heap: &Heap,
    a: Cell,
    b: Cell,
    check: &mut P,
) -> Result<bool, P::Stop> {
    let mut watch = CycleWatch::default();
    let mut todo: Vec<(usize, usize, usize)> = Vec::new();
    let mut left: FxHashMap<Cell, Cell> = FxHashMap::default();
    let mut right: FxHashMap<Cell, Cell> = FxHashMap::default();
    let (mut a, mut b) = (a, b);
    loop {
        check.step()?;
        a = heap.deref(a);
        b = heap.deref(b);
        let same = match (a.tag(), b.tag()) {
            (Tag::Ref, Tag::Ref) | (Tag::Attributed, Tag::Attributed) => {
                *left.entry(a).or_insert(b) == b && *right.entry(b).or_insert(a) == a
            }
            (Tag::List, Tag::List) => {
                if !watch.met(a, b) {
                    todo.push((a.addr(), b.addr(), 2));
                }
                true
            }
            (Tag::Struct, Tag::Struct) => {
                let header = heap.at(a.addr());
                let same = header == heap.at(b.addr());
                if same && !watch.met(a, b) {
                    todo.push((a.addr() + 1, b.addr() + 1, header.functor_arity()));
                }
                same
            }
            (Tag::Boxed, Tag::Boxed) => heap.boxed_words(a.addr()) == heap.boxed_words(b.addr()),
            _ => a == b,
        };
        if !same {
            return Ok(false);
        }
        match next_pair(heap, &mut todo) {
            Some(pair) => (a, b) = pair,
            None => return Ok(true),
        }
    }
}
