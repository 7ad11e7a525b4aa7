//! Values of operations on sums, as inequalities.

use super::builder::{Builder, MOST_ROWS};
use super::sums::{Built, Sum, Truth};
use crate::propagators::division::Rounding;
use zug_proof::Values;

/// The value of an operation, and whether it has one whatever its arguments are. Where it has none, no values of the
/// arguments meet the inequalities.
pub(crate) struct Total {
    pub value: Sum,
    pub is_total: bool,
}

impl From<Sum> for Total {
    fn from(value: Sum) -> Total {
        Total { value, is_total: true }
    }
}

/// A quotient and its remainder, both 0 where the divisor is 0, and whether it is not.
pub(crate) struct Division {
    pub quotient: Sum,
    pub remainder: Sum,
    pub defined: Truth,
}

impl Builder {
    pub fn product(&mut self, one: &Sum, other: &Sum) -> Built<Sum> {
        if let Some(by) = one.as_number() {
            return other.times(by);
        }
        if let Some(by) = other.as_number() {
            return one.times(by);
        }
        if one == other {
            let too_large = || "has squares of more than 64 bits".to_owned();
            let square = |value: i64| value.checked_mul(value).map(Some).ok_or_else(too_large);
            return Ok(self.function(one, "square", square)?.value);
        }
        let ((a, b), (c, d)) = (self.range(one)?, self.range(other)?);
        let (few, many) = if b - a <= d - c {
            (one.clone(), other.clone())
        } else {
            (other.clone(), one.clone())
        };
        let key = (few.clone(), many.clone());
        if let Some(found) = self.products.get(&key) {
            return Ok(found.clone());
        }
        let ends = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| i128::from(x) * i128::from(y));
        let (lo, hi) = (ends.into_iter().min(), ends.into_iter().max());
        let few = self.var_of(&few, "factor")?;
        let product = Sum::var(self.between("product", lo.unwrap_or(0), hi.unwrap_or(0))?);
        for &(value, truth) in self.selectors(few)?.iter() {
            self.equal_if(&[truth], &product, &many.times(value.into())?)?;
        }
        self.products.insert(key, product.clone());
        Ok(product)
    }

    /// A function of a sum, which has only values where the function has one. The function says what is wrong with a value
    /// that is too large to be told.
    pub fn function(
        &mut self,
        of: &Sum,
        name: &str,
        apply: impl Fn(i64) -> Built<Option<i64>>,
    ) -> Built<Total> {
        let var = self.var_of(of, "argument")?;
        let selectors = self.selectors(var)?;
        let mut values: Vec<(i64, Truth)> = Vec::with_capacity(selectors.len());
        let mut is_total = true;
        for &(value, truth) in selectors.iter() {
            match apply(value.into())? {
                Some(value) => values.push((value, truth)),
                None => {
                    is_total = false;
                    self.assert(truth.not())?;
                }
            }
        }
        let lo = values.iter().map(|&(value, _)| value).min().unwrap_or(0);
        let hi = values.iter().map(|&(value, _)| value).max().unwrap_or(0);
        let value = Sum::var(self.between(name, lo.into(), hi.into())?);
        for (own, truth) in values {
            self.equal_if(&[truth], &value, &Sum::number(own))?;
        }
        Ok(Total { value, is_total })
    }

    /// A function of two sums, as [`Builder::function`] is of one.
    pub fn function2(
        &mut self,
        of: [&Sum; 2],
        name: &str,
        apply: impl Fn(i64, i64) -> Built<Option<i64>>,
    ) -> Built<Total> {
        let x = self.var_of(of[0], "argument")?;
        let y = self.var_of(of[1], "argument")?;
        let (xs, ys) = (self.values(x), self.values(y));
        if xs.size().saturating_mul(ys.size()) > MOST_ROWS as u64 {
            return Err(format!("has more than {MOST_ROWS} pairs of values"));
        }
        let mut rows = Vec::new();
        let mut is_total = true;
        let each = |values: &Values| values.iter().map(i64::from).collect::<Vec<_>>();
        let (xs, ys) = (each(xs), each(ys));
        for &a in &xs {
            for &b in &ys {
                // Of one variable, only pairs of the same value are there.
                if x == y && a != b {
                    continue;
                }
                match apply(a, b)? {
                    Some(value) => rows.push(vec![a, b, value]),
                    None => is_total = false,
                }
            }
        }
        let lo = rows.iter().map(|row| row[2]).min().unwrap_or(0);
        let hi = rows.iter().map(|row| row[2]).max().unwrap_or(0);
        let value = Sum::var(self.between(name, lo.into(), hi.into())?);
        self.table(&[Sum::var(x), Sum::var(y), value.clone()], &rows)?;
        Ok(Total { value, is_total })
    }

    pub fn divided(&mut self, rounding: Rounding, x: &Sum, y: &Sum) -> Built<Division> {
        let cases: Vec<(i64, Truth)> = match y.as_number() {
            Some(number) => vec![(number, Truth::Known(true))],
            None => {
                let divisor = self.var_of(y, "divisor")?;
                let selectors = self.selectors(divisor)?;
                selectors.iter().map(|&(value, truth)| (value.into(), truth)).collect()
            }
        };
        let (lo, hi) = self.range(x)?;
        let most = i128::from(lo.abs().max(hi.abs()));
        let rest = cases.iter().map(|&(value, _)| value.abs() - 1).max().unwrap_or(0).max(0);
        let rest = i128::from(rest);
        // Signs that are known leave operations on the value fewer arguments.
        let all_divisors = |sign: i64| cases.iter().all(|&(value, _)| value * sign >= 0);
        let (is_never_negative, is_never_positive) = match rounding {
            Rounding::Floor => (all_divisors(1), all_divisors(-1)),
            Rounding::Truncate => (lo >= 0, hi <= 0),
        };
        let remainder = self.between(
            "remainder",
            if is_never_negative { 0 } else { -rest },
            if is_never_positive { 0 } else { rest },
        )?;
        let is_up = lo >= 0 && all_divisors(1);
        let quotient = self.between("quotient", if is_up { 0 } else { -most }, most)?;
        let (quotient, remainder) = (Sum::var(quotient), Sum::var(remainder));
        let (zero, is_positive) = (Sum::number(0), self.is_at_most_0(&x.times(-1)?)?);
        let mut undefined = Truth::Known(false);
        for (value, truth) in cases {
            if value == 0 {
                undefined = truth;
                self.equal_if(&[truth], &quotient, &zero)?;
                self.equal_if(&[truth], &remainder, &zero)?;
                continue;
            }
            self.equal_if(&[truth], x, &remainder.plus(value, &quotient)?)?;
            let end = value.abs() - 1;
            let signs = match rounding {
                Rounding::Floor => vec![(vec![truth], value > 0)],
                Rounding::Truncate => {
                    vec![(vec![truth, is_positive], true), (vec![truth, is_positive.not()], false)]
                }
            };
            for (conditions, is_up) in signs {
                let rest = if is_up { remainder.clone() } else { remainder.times(-1)? };
                self.at_most_0_if(&conditions, &rest.times(-1)?)?;
                self.at_most_0_if(&conditions, &rest.more(-end)?)?;
            }
        }
        Ok(Division { quotient, remainder, defined: undefined.not() })
    }

    pub fn absolute(&mut self, x: &Sum) -> Built<Sum> {
        let (lo, hi) = self.range(x)?;
        if lo >= 0 {
            return Ok(x.clone());
        }
        let minus = x.times(-1)?;
        if hi <= 0 {
            return Ok(minus);
        }
        let result = Sum::var(self.between("absolute", 0, hi.max(-lo).into())?);
        let is_positive = self.is_at_most_0(&minus)?;
        self.at_most_0(&x.minus(&result)?)?;
        self.at_most_0(&minus.minus(&result)?)?;
        self.equal_if(&[is_positive], &result, x)?;
        self.equal_if(&[is_positive.not()], &result, &minus)?;
        Ok(result)
    }

    pub fn greatest(&mut self, x: &Sum, y: &Sum) -> Built<Sum> {
        let (a, b) = (self.range(x)?, self.range(y)?);
        let ends = (a.0.max(b.0), a.1.max(b.1));
        let result = Sum::var(self.between("greatest", ends.0.into(), ends.1.into())?);
        let is_second = self.is_at_most_0(&x.minus(y)?)?;
        self.at_most_0(&x.minus(&result)?)?;
        self.at_most_0(&y.minus(&result)?)?;
        self.equal_if(&[is_second], &result, y)?;
        self.equal_if(&[is_second.not()], &result, x)?;
        Ok(result)
    }
}
