//! Each propagator finds the solutions of what it says, on random domains.

use super::compare::{AtMostPlus, Distance, NotEqual, NotSum};
use super::linear::{Linear, Relation};
use super::sum::Plus;
use super::testing::{agrees, posting};
use crate::number::Bound;
use crate::store::Var;
use num_bigint::BigInt;
use proptest::prelude::*;

fn domain() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::btree_set(-6i64..7, 1..7).prop_map(|set| set.into_iter().collect())
}

fn terms(coefs: &[i64], vars: &[Var]) -> Vec<(BigInt, Var)> {
    coefs.iter().map(|&coef| BigInt::from(coef)).zip(vars.iter().copied()).collect()
}

fn coefficient() -> impl Strategy<Value = i64> {
    prop_oneof![-3i64..0, 1i64..4]
}

proptest! {
    #[test]
    fn linear(domains in prop::collection::vec(domain(), 1..4), coefs in prop::collection::vec(coefficient(), 3), constant in -12i64..13) {
        for relation in [Relation::Equal, Relation::AtMost, Relation::NotEqual] {
            agrees(
                &domains,
                &posting(|vars| Linear::new(relation, &terms(&coefs, vars), constant.into())),
                &|values| {
                    let sum: i64 = values.iter().zip(&coefs).map(|(value, coef)| value * coef).sum();
                    match relation {
                        Relation::Equal => sum == constant,
                        Relation::AtMost => sum <= constant,
                        Relation::NotEqual => sum != constant,
                    }
                },
            );
        }
    }

    #[test]
    fn sums_and_comparisons(x in domain(), y in domain(), z in domain(), c in -4i64..5) {
        let three = [x, y, z];
        agrees(&three, &posting(|v| Plus(v[0], v[1], v[2])), &|v| v[0] + v[1] == v[2]);
        agrees(&three, &posting(|v| Plus(v[0], v[0], v[2])), &|v| v[0] + v[0] == v[2]);
        agrees(&three, &posting(|v| NotSum(v[0], v[1], v[2])), &|v| v[0] != v[1] + v[2]);
        let two = &three[..2];
        agrees(two, &posting(|v| NotEqual(v[0], v[1])), &|v| v[0] != v[1]);
        agrees(two, &posting(|v| AtMostPlus(v[0], v[1], Bound::from(c))), &|v| v[0] <= v[1] + c);
        for at_least in [false, true] {
            agrees(
                two,
                &posting(|v| Distance { x: v[0], y: v[1], bound: Bound::from(c), at_least }),
                &|v| if at_least { (v[0] - v[1]).abs() >= c } else { (v[0] - v[1]).abs() != c },
            );
        }
    }
}
