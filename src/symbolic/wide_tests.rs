//! Integers of wide ranges: what is computed is exact wherever it is said to have a value.

use crate::tests::{OPERATIONS, UNARY};
use crate::{Condition, Domain, Leaf, Operation, Relation, Store, Term};
use proptest::prelude::*;
use zug_term::{Cell, MAX_INT, MIN_INT};

const DOMAINS: [(i64, i64); 4] =
    [(MIN_INT + 1, MAX_INT), (0, MAX_INT), (-5_000, 40_000), (0, 4_095)];

/// An expression.
#[derive(Clone, Debug)]
enum Computed {
    Leaf(u32),
    Constant(i64),
    Of(Operation, Box<Computed>, Box<Computed>),
}

fn wanted() -> impl Strategy<Value = Computed> {
    let leaf = prop_oneof![
        (0..4_u32).prop_map(Computed::Leaf),
        (-3..70_i64).prop_map(Computed::Constant),
        (any::<i64>(), 4..60_u32).prop_map(|(value, by)| Computed::Constant(value >> by)),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        (prop::sample::select(OPERATIONS), inner.clone(), inner)
            .prop_map(|(operation, a, b)| Computed::Of(operation, a.into(), b.into()))
    })
}

impl Computed {
    /// The term, with where it has a value; `None` if that is not known.
    fn made(&self, store: &mut Store, has: &mut Condition) -> Option<Term> {
        match self {
            Computed::Leaf(leaf) => Some(store.leaf(Leaf(*leaf))),
            Computed::Constant(value) => store.integer(*value),
            Computed::Of(operation, a, b) => {
                let mut operands = vec![a.made(store, has)?];
                if !UNARY.contains(operation) {
                    operands.push(b.made(store, has)?);
                }
                if let Ok(term) = store.compute(*operation, &operands) {
                    return Some(term);
                }
                let here = store.has_value(*operation, &operands)?;
                *has = store.both(*has, here);
                store.compute_where(*operation, &operands, true).ok()
            }
        }
    }

    /// The value, of however many bits; `None` if there is none, or one that is very large.
    fn exact(&self, state: &[i64]) -> Option<i128> {
        let (operation, a, b) = match self {
            Computed::Leaf(leaf) => return Some(state[*leaf as usize].into()),
            Computed::Constant(value) => return Some((*value).into()),
            Computed::Of(operation, a, _) if UNARY.contains(operation) => {
                (operation, a.exact(state)?, 1)
            }
            Computed::Of(operation, a, b) => (operation, a.exact(state)?, b.exact(state)?),
        };
        let (euclid, rest) = (a.checked_div_euclid(b), a.checked_rem_euclid(b));
        Some(match operation {
            Operation::Add => a.checked_add(b)?,
            Operation::Subtract => a.checked_sub(b)?,
            Operation::Multiply => a.checked_mul(b)?,
            Operation::Truncate => a.checked_div(b)?,
            Operation::Remainder => a.checked_rem(b)?,
            Operation::Floor if b < 0 && rest? != 0 => euclid? - 1,
            Operation::Floor => euclid?,
            Operation::Modulo if b < 0 && rest? != 0 => rest? + b,
            Operation::Modulo => rest?,
            Operation::Minimum => a.min(b),
            Operation::Maximum => a.max(b),
            Operation::BitAnd => a & b,
            Operation::BitOr => a | b,
            Operation::BitXor => a ^ b,
            Operation::ShiftLeft if a == 0 && b >= 0 => 0,
            Operation::ShiftLeft => {
                let by = u32::try_from(b).ok().filter(|&by| by < 64)?;
                a.checked_mul(1 << by)?
            }
            Operation::ShiftRight => a >> u64::try_from(b).ok()?.min(127),
            Operation::Negate => -a,
            Operation::Absolute => a.abs(),
            Operation::PopCount if a >= 0 => a.count_ones().into(),
            Operation::HighestBit if a > 0 => a.ilog2().into(),
            Operation::LowestBit if a > 0 => a.trailing_zeros().into(),
            _ => return None,
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]
    #[test]
    fn what_has_a_value_is_exact(
        wanted in wanted(),
        bound in (any::<i64>(), 4..64_u32),
        states in prop::collection::vec(prop::collection::vec((any::<i64>(), 0..60_u32), 4), 24),
    ) {
        let domains = DOMAINS.map(|(low, high)| Domain::Range(low, high));
        let mut store = Store::new(domains.to_vec(), 10_000_000);
        let mut has = Condition::ALWAYS;
        let Some(term) = wanted.made(&mut store, &mut has) else { return Ok(()) };
        let (low, high) = store.bounds(term).expect("it is an integer");
        let bound = bound.0 >> bound.1;
        let constant = store.integer(bound).expect("a small one");
        let less = store.compare(Relation::Less, term, constant);
        let equal = store.compare(Relation::Equal, term, constant);
        for state in &states {
            let state: Vec<i64> = state
                .iter()
                .zip(DOMAINS)
                .map(|(&(value, by), (low, high))| (value >> by).clamp(low, high))
                .collect();
            let cells: Vec<Cell> = state.iter().map(|&value| Cell::small(value)).collect();
            if !store.holds(has, &cells) {
                continue;
            }
            let exact = wanted.exact(&state).and_then(|value| i64::try_from(value).ok());
            prop_assert!(exact.is_some(), "{state:?}");
            let exact = exact.expect("just tested");
            prop_assert_eq!(store.integer_in(term, &cells), Some(exact));
            prop_assert!(low <= exact && exact <= high, "{exact} in {low}..{high}");
            prop_assert_eq!(store.holds(less, &cells), exact < bound);
            prop_assert_eq!(store.holds(equal, &cells), exact == bound);
        }
    }
}

/// The states in which a product is too large are few, not all.
#[test]
fn what_may_be_too_large_is_told_from_what_is() {
    let mut store = Store::new(vec![Domain::Range(0, MAX_INT)], 10_000);
    let (leaf, three) = (store.leaf(Leaf(0)), store.constant(Cell::small(3)));
    let product = [leaf, three];
    assert!(store.compute(Operation::Multiply, &product).is_err());
    let has = store.has_value(Operation::Multiply, &product).expect("it is known");
    assert!(store.holds(has, &[Cell::small(MAX_INT / 3)]));
    assert!(!store.holds(has, &[Cell::small(MAX_INT / 3 + 1)]));
}

/// Comparisons with constants are told from each other by what lies between.
#[test]
fn comparisons_of_one_integer_are_taken_together() {
    let mut store = Store::new(vec![Domain::Range(0, 10_000)], 10_000);
    let mut is = |value: i64| store.is_value(Leaf(0), Cell::small(value));
    let (five, seven) = (is(5), is(7));
    assert!(store.exclude(five, seven));
    let leaf = store.leaf(Leaf(0));
    let mut below = |value: i64| {
        let value = store.constant(Cell::small(value));
        store.compare(Relation::Less, leaf, value)
    };
    let (below_six, below_ten) = (below(6), below(10));
    assert_eq!(store.both(below_six, below_ten), below_six);
    assert_eq!(store.or([below_six, below_ten]), below_ten);
    assert_eq!(store.both(five, below_six), five);
    assert!(store.exclude(seven, below_six));
    let not_six = store.not(below_six);
    assert!(store.exclude(not_six, five));
}
