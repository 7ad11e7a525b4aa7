//! Floats: what is computed is what the processor computes, lies within its bounds, and compares so.

use crate::{Condition, Domain, FloatOperation, Leaf, Relation, Rounding, Store, Term};
use proptest::prelude::*;
use zug_term::Cell;

const VALUES: [i64; 5] = [-3, 0, 1, 2, 7];
const RANGE: (i64, i64) = (-1_000, 70_000);

/// An expression.
#[derive(Clone, Debug)]
enum Computed {
    Leaf(u32),
    Integer(i64),
    Float(f64),
    Of(FloatOperation, Box<Computed>, Box<Computed>),
    Rounded(Rounding, Box<Computed>),
}

/// What an expression is in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Integer(i64),
    Float(f64),
}

impl Number {
    fn float(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

fn wanted() -> impl Strategy<Value = Computed> {
    let leaf = prop_oneof![
        (0..3_u32).prop_map(Computed::Leaf),
        (-4..9_i64).prop_map(Computed::Integer),
        prop::sample::select(&[0.0, -0.0, 0.5, -2.5, 3.0, 0.1, 1e300, 1e-300][..])
            .prop_map(Computed::Float),
    ];
    use FloatOperation::{
        Absolute, Add, Divide, Maximum, Minimum, Multiply, Negate, OfInteger, SquareRoot, Subtract,
    };
    const OPERATIONS: [FloatOperation; 10] = [
        Add, Subtract, Multiply, Divide, Minimum, Maximum, Negate, Absolute, SquareRoot, OfInteger,
    ];
    const ROUNDINGS: [Rounding; 4] =
        [Rounding::Truncate, Rounding::Floor, Rounding::Ceiling, Rounding::Nearest];
    leaf.prop_recursive(4, 16, 2, |inner| {
        prop_oneof![
            4 => (prop::sample::select(&OPERATIONS[..]), inner.clone(), inner.clone())
                .prop_map(|(operation, a, b)| Computed::Of(operation, a.into(), b.into())),
            1 => (prop::sample::select(&ROUNDINGS[..]), inner)
                .prop_map(|(rounding, of)| Computed::Rounded(rounding, of.into())),
        ]
    })
}

fn is_unary(operation: FloatOperation) -> bool {
    use FloatOperation::{Absolute, Negate, OfInteger, SquareRoot};
    matches!(operation, Negate | Absolute | SquareRoot | OfInteger)
}

impl Computed {
    /// The term, with where it has a value; `None` if that is not known.
    fn made(&self, store: &mut Store, has: &mut Condition) -> Option<Term> {
        match self {
            Computed::Leaf(leaf) => Some(store.leaf(Leaf(*leaf))),
            Computed::Integer(value) => store.integer(*value),
            Computed::Float(value) => Some(store.float(*value)),
            Computed::Of(operation, a, b) => {
                let mut operands = vec![a.made(store, has)?];
                if !is_unary(*operation) {
                    operands.push(b.made(store, has)?);
                }
                if let Ok(term) = store.compute_float(*operation, &operands, false) {
                    return Some(term);
                }
                let where_it_has = store.float_has_value(*operation, &operands)?;
                *has = store.both(*has, where_it_has);
                store.compute_float(*operation, &operands, true).ok()
            }
            Computed::Rounded(rounding, of) => {
                let of = of.made(store, has)?;
                store.round(*rounding, of).ok()
            }
        }
    }

    /// What it is in a state, by the processor.
    fn plain(&self, leaves: &[Cell]) -> Number {
        match self {
            Computed::Leaf(leaf) => Number::Integer(leaves[*leaf as usize].int_value()),
            Computed::Integer(value) => Number::Integer(*value),
            Computed::Float(value) => Number::Float(*value),
            Computed::Of(operation, a, b) => {
                let (a, b) = (a.plain(leaves).float(), b.plain(leaves).float());
                Number::Float(match operation {
                    FloatOperation::OfInteger => a,
                    FloatOperation::Add => a + b,
                    FloatOperation::Subtract => a - b,
                    FloatOperation::Multiply => a * b,
                    FloatOperation::Divide => a / b,
                    FloatOperation::Minimum if a == b => f64::from_bits(a.to_bits() | b.to_bits()),
                    FloatOperation::Maximum if a == b => f64::from_bits(a.to_bits() & b.to_bits()),
                    FloatOperation::Minimum => a.min(b),
                    FloatOperation::Maximum => a.max(b),
                    FloatOperation::Negate => -a,
                    FloatOperation::Absolute => a.abs(),
                    FloatOperation::SquareRoot => a.sqrt(),
                })
            }
            Computed::Rounded(rounding, of) => match (of.plain(leaves), rounding) {
                (Number::Float(of), Rounding::Truncate) => Number::Integer(of.trunc() as i64),
                (Number::Float(of), Rounding::Floor) => Number::Integer(of.floor() as i64),
                (Number::Float(of), Rounding::Ceiling) => Number::Integer(of.ceil() as i64),
                (Number::Float(of), Rounding::Nearest) => Number::Integer(of.round() as i64),
                (integer, _) => integer,
            },
        }
    }
}

fn store() -> Store {
    let values: Box<[Cell]> = VALUES.iter().map(|&value| Cell::small(value)).collect();
    let domains = vec![
        Domain::Values(values.clone()),
        Domain::Values(values),
        Domain::Range(RANGE.0, RANGE.1),
    ];
    Store::new(domains, u64::MAX / 2)
}

fn same(one: Number, other: Number) -> bool {
    match (one, other) {
        (Number::Float(a), Number::Float(b)) => a.to_bits() == b.to_bits(),
        _ => one == other,
    }
}

proptest! {
    #[test]
    fn floats_are_those_of_the_processor(
        one in wanted(),
        other in wanted(),
        states in prop::collection::vec((0..5_usize, 0..5_usize, RANGE.0..=RANGE.1), 8),
    ) {
        let (mut store, mut has) = (store(), Condition::ALWAYS);
        let terms = [&one, &other].map(|wanted| wanted.made(&mut store, &mut has));
        let [Some(a), Some(b)] = terms else { return Ok(()) };
        let less = store.compare_numbers(Relation::Less, a, b);
        let equal = store.compare_numbers(Relation::Equal, a, b);
        let identical = store.identical(a, b);
        for (first, second, third) in states {
            let leaves = [VALUES[first], VALUES[second], third].map(Cell::small);
            if !store.holds(has, &leaves) {
                continue;
            }
            let values = [&one, &other].map(|wanted| wanted.plain(&leaves));
            for (term, value) in [a, b].into_iter().zip(values) {
                let found = match store.float_in(term, &leaves) {
                    Some(float) => Some(Number::Float(float)),
                    None => store.integer_in(term, &leaves).map(Number::Integer),
                };
                let found = found.expect("it has a value there");
                prop_assert!(same(found, value), "{found:?} for {value:?}");
                match value {
                    Number::Float(value) => {
                        let (low, high) = store.float_bounds(term).expect("it is a float");
                        prop_assert!(low <= value && value <= high);
                    }
                    Number::Integer(value) => {
                        let (low, high) = store.bounds(term).expect("it is an integer");
                        prop_assert!(low <= value && value <= high);
                    }
                }
            }
            let [x, y] = values.map(Number::float);
            if let (Some(less), Some(equal)) = (less, equal) {
                prop_assert_eq!(store.holds(less, &leaves), x < y);
                prop_assert_eq!(store.holds(equal, &leaves), x == y);
            }
            if let Some(identical) = identical {
                prop_assert_eq!(store.holds(identical, &leaves), same(values[0], values[1]));
            }
        }
    }
}
