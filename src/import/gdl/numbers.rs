//! Static relations of integers that are arithmetic: listed as facts, they say what a comparison says, or an
//! addition, of all integers of a range.

use super::interpret::Interpreter;
use super::syntax::Key;
use super::table::TermId;
use crate::text;

/// A relation of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// The second is greater by so much, where the first is of the range.
    Sum { by: i64, first: i64, last: i64 },
    /// How all pairs of integers of a range compare that it holds of.
    Comparison { operator: &'static str, first: i64, last: i64 },
}

/// Comparisons, and how many pairs of N integers each holds of.
type Operator = (&'static str, fn(i64, i64) -> bool, fn(usize) -> usize);

const OPERATORS: &[Operator] = &[
    ("<", |x, y| x < y, |n| n * (n - 1) / 2),
    (">", |x, y| x > y, |n| n * (n - 1) / 2),
    ("=<", |x, y| x <= y, |n| n * (n + 1) / 2),
    (">=", |x, y| x >= y, |n| n * (n + 1) / 2),
    ("=\\=", |x, y| x != y, |n| n * (n - 1)),
];

/// What a static relation is, if its facts are exactly that.
pub fn numbers(interpreter: &Interpreter, key: &Key) -> Option<Numbers> {
    let table = interpreter.tables.rows(key).filter(|table| key.1 == 2 && !table.is_empty())?;
    let number = |id: TermId| {
        let (name, args) = interpreter.terms.functor(id);
        (args.is_empty() && text::is_integer(name)).then(|| name.parse().ok()).flatten()
    };
    let pairs: Vec<(i64, i64)> =
        table.rows().map(|row| Some((number(row[0])?, number(row[1])?))).collect::<Option<_>>()?;
    sum(&pairs).or_else(|| comparison(&pairs))
}

/// Pairs are different from each other.
fn sum(pairs: &[(i64, i64)]) -> Option<Numbers> {
    let by = pairs[0].1.checked_sub(pairs[0].0)?;
    let firsts = || pairs.iter().map(|pair| pair.0);
    let (first, last) = (firsts().min()?, firsts().max()?);
    let all = pairs.iter().all(|(x, y)| y.checked_sub(*x) == Some(by));
    (all && by != 0 && range(first, last) == Some(pairs.len())).then_some(Numbers::Sum {
        by,
        first,
        last,
    })
}

fn comparison(pairs: &[(i64, i64)]) -> Option<Numbers> {
    let all = || pairs.iter().flat_map(|&(x, y)| [x, y]);
    let (first, last) = (all().min()?, all().max()?);
    let range = range(first, last)?;
    let fits = |(_, holds, count): &&Operator| {
        range < 1 << 20 && count(range) == pairs.len() && pairs.iter().all(|(x, y)| holds(*x, *y))
    };
    let &(operator, ..) = OPERATORS.iter().find(fits)?;
    Some(Numbers::Comparison { operator, first, last })
}

/// How many integers a range has.
fn range(first: i64, last: i64) -> Option<usize> {
    usize::try_from(last.checked_sub(first)?.checked_add(1)?).ok()
}

impl Numbers {
    /// The relation as a clause, where these arguments have values when it is asked; none if others would have
    /// to be listed.
    pub fn clause(self, name: &str, bound: &[bool]) -> Option<String> {
        let goals = match (self, bound) {
            (Numbers::Sum { by, first, last }, [true, _]) => {
                vec![of_range("X", first, last), format!("Y is X {}", added(by))]
            }
            (Numbers::Sum { by, first, last }, [false, true]) => {
                let (first, last) = (first.checked_add(by)?, last.checked_add(by)?);
                vec![of_range("Y", first, last), format!("X is Y {}", added(by.checked_neg()?))]
            }
            (Numbers::Comparison { operator, first, last }, [true, true]) => vec![
                of_range("X", first, last),
                of_range("Y", first, last),
                format!("X {operator} Y"),
            ],
            _ => return None,
        };
        Some(text::clause(&format!("{name}(X, Y)"), &goals))
    }
}

fn of_range(var: &str, first: i64, last: i64) -> String {
    format!("integer({var}), {var} >= {first}, {var} =< {last}")
}

fn added(by: i64) -> String {
    if by < 0 { format!("- {}", by.unsigned_abs()) } else { format!("+ {by}") }
}

#[cfg(test)]
mod tests {
    use super::{Numbers, comparison, sum};

    fn pairs(holds: fn(i64, i64) -> bool) -> Vec<(i64, i64)> {
        let all = (-2..=5).flat_map(|x| (-2..=5).map(move |y| (x, y)));
        all.filter(|(x, y)| holds(*x, *y)).collect()
    }

    #[test]
    fn relations_are_told_from_all_their_facts() {
        let is = |operator| Some(Numbers::Comparison { operator, first: -2, last: 5 });
        assert_eq!(comparison(&pairs(|x, y| x < y)), is("<"));
        assert_eq!(comparison(&pairs(|x, y| x >= y)), is(">="));
        assert_eq!(comparison(&pairs(|x, y| x != y)), is("=\\="));
        assert_eq!(comparison(&pairs(|x, y| x < y && (x, y) != (1, 4))), None);
        let minus = Numbers::Sum { by: -2, first: 0, last: 5 };
        assert_eq!(sum(&pairs(|x, y| x - 2 == y)), Some(minus));
        assert_eq!(sum(&pairs(|x, y| x - 2 == y && x != 3)), None);
        assert_eq!(sum(&pairs(|x, y| x == y)), None);
    }

    #[test]
    fn clauses_go_by_what_has_a_value() {
        let less = Numbers::Comparison { operator: "<", first: 0, last: 64 };
        assert_eq!(less.clause("less", &[true, false]), None);
        let succ = Numbers::Sum { by: 1, first: 0, last: 63 };
        assert_eq!(succ.clause("next", &[false, false]), None);
        assert_eq!(
            succ.clause("next", &[true, true]).as_deref(),
            Some("next(X, Y) :-\n    integer(X), X >= 0, X =< 63,\n    Y is X + 1.\n")
        );
        assert_eq!(
            succ.clause("next", &[false, true]).as_deref(),
            Some("next(X, Y) :-\n    integer(Y), Y >= 1, Y =< 64,\n    X is Y - 1.\n")
        );
    }
}
