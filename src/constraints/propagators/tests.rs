//! Each propagator finds the solutions of what it says, on random domains.

use super::Code;
use super::compare::{at_most_plus, distance, not_equal, not_sum};
use super::division::{Rounding, quotient, remainder};
use super::extremes::{absolute, post_extreme};
use super::linear::{Relation, linear};
use super::power::power;
use super::reified::{Compared, Question, and, implies, not, or, within};
use super::sum::plus;
use super::testing::{agrees, posting};
use super::times::times;
use crate::domain::Domain;
use crate::shown::Var;
use num_bigint::BigInt;
use proptest::prelude::*;
use std::sync::Arc;

fn domain() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::btree_set(-6i64..7, 1..7).prop_map(|set| set.into_iter().collect())
}

fn wide() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::btree_set(-40i64..41, 1..12).prop_map(|set| set.into_iter().collect())
}

fn terms(coefs: &[i64], vars: &[Var]) -> Vec<(BigInt, Var)> {
    coefs.iter().map(|&coef| BigInt::from(coef)).zip(vars.iter().copied()).collect()
}

fn coefficient() -> impl Strategy<Value = i64> {
    prop_oneof![-3i64..0, 1i64..4]
}

proptest! {
    #[test]
    fn sums(domains in prop::collection::vec(domain(), 1..4), coefs in prop::collection::vec(coefficient(), 3), constant in -12i64..13) {
        for relation in [Relation::Equal, Relation::AtMost, Relation::NotEqual] {
            agrees(
                &domains,
                &posting(|vars| linear(relation, &terms(&coefs, vars), constant.into())),
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
        agrees(&three, &posting(|v| plus(v[0], v[1], v[2])), &|v| v[0] + v[1] == v[2]);
        agrees(&three, &posting(|v| plus(v[0], v[0], v[2])), &|v| v[0] + v[0] == v[2]);
        agrees(&three, &posting(|v| not_sum(v[0], v[1], v[2])), &|v| v[0] != v[1] + v[2]);
        let two = &three[..2];
        agrees(two, &posting(|v| not_equal(v[0], v[1])), &|v| v[0] != v[1]);
        agrees(two, &posting(|v| at_most_plus(v[0], v[1], c)), &|v| v[0] <= v[1] + c);
        for at_least in [false, true] {
            agrees(
                two,
                &posting(|v| distance(v[0], v[1], c.into(), at_least)),
                &|v| if at_least { (v[0] - v[1]).abs() >= c } else { (v[0] - v[1]).abs() != c },
            );
        }
    }

    #[test]
    fn products_and_powers(x in domain(), y in domain(), z in wide(), e in prop::collection::btree_set(0i64..4, 1..4)) {
        let three = [x, y, z];
        agrees(&three, &posting(|v| times(v[0], v[1], v[2])), &|v| v[0] * v[1] == v[2]);
        agrees(&three, &posting(|v| times(v[0], v[0], v[2])), &|v| v[0] * v[0] == v[2]);
        agrees(&three, &posting(|v| times(v[0], v[2], v[2])), &|v| v[0] * v[2] == v[2]);
        let [x, _, z] = three;
        let powers = [x, e.into_iter().collect(), z];
        agrees(&powers, &posting(|v| power(v[0], v[1], v[2])), &|v| v[0].pow(v[1] as u32) == v[2]);
    }

    #[test]
    fn divisions(x in wide(), y in domain(), z in domain()) {
        let three = [x, y, z];
        for rounding in [Rounding::Truncate, Rounding::Floor] {
            let divide = |a: i64, b: i64| match rounding {
                Rounding::Truncate => a / b,
                Rounding::Floor => a.div_euclid(b) - i64::from(b < 0 && a % b != 0),
            };
            agrees(
                &three,
                &|store, v| {
                    if store.remove_small(v[1], 0).is_err() {
                        store.fix_small(v[1], 1).unwrap_err();
                    }
                    store.post(quotient(rounding, v[0], v[1], v[2]));
                },
                &|v| v[1] != 0 && divide(v[0], v[1]) == v[2],
            );
            agrees(
                &three,
                &|store, v| {
                    _ = store.remove_small(v[1], 0);
                    store.post(remainder(rounding, v[0], v[1], v[2]));
                },
                &|v| v[1] != 0 && v[0] - v[1] * divide(v[0], v[1]) == v[2],
            );
        }
    }

    #[test]
    fn extremes(x in domain(), y in domain(), z in domain()) {
        let three = [x, y, z];
        agrees(&three, &|store, v| { post_extreme(store, v[0], v[1], v[2], true); }, &|v| v[0].max(v[1]) == v[2]);
        agrees(&three, &|store, v| { post_extreme(store, v[0], v[1], v[2], false); }, &|v| v[0].min(v[1]) == v[2]);
        agrees(&three[..2], &posting(|v| absolute(v[0], v[1])), &|v| v[0].abs() == v[1]);
    }

    #[test]
    fn truths(x in domain(), y in domain(), set in domain()) {
        let bit = vec![0, 1];
        let three = [x, y, bit.clone()];
        for question in [Question::AtLeast, Question::Equal, Question::NotEqual] {
            let compared = |v: &[Var]| -> Code {
                Arc::new(Compared { question, x: v[0], y: v[1], defined: [].into(), parts: [].into(), truth: v[2] })
            };
            agrees(&three, &posting(compared), &|v| {
                (v[2] == 1) == match question {
                    Question::AtLeast => v[0] >= v[1],
                    Question::Equal => v[0] == v[1],
                    Question::NotEqual => v[0] != v[1],
                }
            });
        }
        let [x, _, _] = three;
        let values = Domain::of_values(set.iter().copied()).unwrap();
        agrees(
            &[x, bit.clone()],
            &posting(|v| within(v[0], values.clone(), v[1])),
            &|v| (v[1] == 1) == set.contains(&v[0]),
        );
        let bits = [bit.clone(), bit.clone(), bit];
        agrees(&bits, &posting(|v| and(v[0], v[1], v[2])), &|v| v[0] & v[1] == v[2]);
        agrees(&bits, &posting(|v| or(v[0], v[1], v[2])), &|v| v[0] | v[1] == v[2]);
        agrees(&bits[..2], &posting(|v| not(v[0], v[1])), &|v| v[0] != v[1]);
        agrees(&bits[..2], &posting(|v| implies(v[0], v[1])), &|v| v[0] <= v[1]);
    }
}
