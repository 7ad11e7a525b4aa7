//! The values that variables have by constraints on each alone, and bounds that others leave a variable without any.

use super::reading::{AtMost, Found, domain_of};
use super::sums::Built;
use crate::domain::Domain;
use crate::expression::{Binary, Expression, Node, Unary};
use crate::number::Bound;
use crate::session::Session;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use zug_proof::Values;
use zug_term::{Cell, watchdog};

/// Values between bounds among which some may be missing.
const WIDEST: i64 = 4_096;
/// Rounds in which bounds are looked for.
const ROUNDS: usize = 10_000;

#[derive(Clone)]
struct Range {
    domain: Domain,
    notes: Vec<String>,
}

#[derive(Default)]
pub(super) struct Ranges {
    ranges: FxHashMap<Cell, Range>,
}

impl Ranges {
    /// What goals, each with its text, say of their variables; and which of them are told by that.
    pub fn of(session: &mut Session<'_>, goals: &[(Cell, String)]) -> Built<(Ranges, Vec<bool>)> {
        let mut ranges = Ranges::default();
        let mut single: Vec<Option<(Cell, Domain)>> = Vec::with_capacity(goals.len());
        for (goal, _) in goals {
            single.push(domain_of(session, *goal));
        }
        let mut is_told = vec![false; goals.len()];
        for (at, found) in single.iter().enumerate() {
            let Some((cell, set)) = found else { continue };
            let hull = Domain::interval(&set.lo(), &set.hi());
            let is_applied = hull.is_none_or(|hull| ranges.narrow(*cell, &hull));
            is_told[at] = is_applied && set.parts().len() == 1;
        }
        let mut found = Found::default();
        for (at, (goal, _)) in goals.iter().enumerate() {
            if !is_told[at] {
                found.read(session, *goal);
            }
        }
        ranges.infer(&found);
        for (at, found) in single.iter().enumerate() {
            let Some((cell, set)) = found else { continue };
            if !is_told[at] && ranges.width(*cell).is_some_and(|width| width <= WIDEST) {
                is_told[at] = ranges.narrow(*cell, set);
            }
            if is_told[at] {
                let text = goals[at].1.clone();
                ranges.range(*cell).notes.push(text);
            }
        }
        Ok((ranges, is_told))
    }

    fn range(&mut self, cell: Cell) -> &mut Range {
        self.ranges
            .entry(cell)
            .or_insert_with(|| Range { domain: Domain::all(), notes: Vec::new() })
    }

    /// Leaves a variable some values only; false if it would have none, and nothing is changed.
    fn narrow(&mut self, cell: Cell, set: &Domain) -> bool {
        let range = self.range(cell);
        match range.domain.and(set) {
            Some(domain) => {
                range.domain = domain;
                true
            }
            None => false,
        }
    }

    fn ends(&self, cell: Cell) -> (Option<i64>, Option<i64>) {
        let Some(range) = self.ranges.get(&cell) else { return (None, None) };
        let end = |bound: Bound| bound.finite().and_then(BigInt::to_i64);
        (end(range.domain.lo()), end(range.domain.hi()))
    }

    fn width(&self, cell: Cell) -> Option<i64> {
        let (lo, hi) = self.ends(cell);
        hi?.checked_sub(lo?)
    }

    /// Gives a variable a bound where it has none. One that contradicts what is known of the variable leaves it one value,
    /// which the constraint that the bound is of then rules out.
    fn bound(&mut self, cell: Cell, lo: Option<i64>, hi: Option<i64>) -> bool {
        let (own_lo, own_hi) = self.ends(cell);
        let lo = lo.filter(|_| own_lo.is_none()).map_or(Bound::Inf, Bound::from);
        let hi = hi.filter(|_| own_hi.is_none()).map_or(Bound::Sup, Bound::from);
        if (&lo, &hi) == (&Bound::Inf, &Bound::Sup) {
            return false;
        }
        if Domain::interval(&lo, &hi).is_some_and(|set| self.narrow(cell, &set)) {
            return true;
        }
        let end = own_lo.or(own_hi).map_or(lo, Bound::from);
        Domain::interval(&end, &end).is_some_and(|set| self.narrow(cell, &set))
    }

    /// Looks for bounds until no variable gets one.
    fn infer(&mut self, found: &Found) {
        for &(cell, lo, hi) in &found.bounds {
            self.bound(cell, Some(lo), Some(hi));
        }
        for _ in 0..ROUNDS {
            let mut is_news = false;
            for sum in &found.sums {
                watchdog::step();
                is_news |= self.by_sum(sum);
            }
            for (cell, members) in &found.members {
                let ends = members.iter().map(|&member| match member.as_int() {
                    Some(value) => (Some(value), Some(value)),
                    None => self.ends(member),
                });
                let ends: Vec<_> = ends.collect();
                let lo = ends.iter().map(|&(lo, _)| lo).collect::<Option<Vec<_>>>();
                let hi = ends.iter().map(|&(_, hi)| hi).collect::<Option<Vec<_>>>();
                let lo = lo.and_then(|all| all.into_iter().min());
                let hi = hi.and_then(|all| all.into_iter().max());
                is_news |= self.bound(*cell, lo, hi);
            }
            if !is_news {
                break;
            }
        }
    }

    fn by_sum(&mut self, sum: &AtMost) -> bool {
        // The least value of all terms; those that have no bound.
        let mut least = i128::from(sum.constant);
        let mut open: Option<(i64, Cell)> = None;
        for &(by, cell) in &sum.terms {
            let (lo, hi) = self.ends(cell);
            match if by > 0 { lo } else { hi } {
                Some(end) => match least.checked_add(i128::from(by) * i128::from(end)) {
                    Some(sum) => least = sum,
                    None => return false,
                },
                None if open.is_some() => return false,
                None => open = Some((by, cell)),
            }
        }
        for (by, e) in &sum.others {
            let Some((lo, hi)) = self.interval(e) else { return false };
            let Some(sum) = least.checked_add(i128::from(*by) * if *by > 0 { lo } else { hi })
            else {
                return false;
            };
            least = sum;
        }
        let mut is_news = false;
        for &(by, cell) in &sum.terms {
            if open.is_some_and(|(_, other)| other != cell) {
                continue;
            }
            let (lo, hi) = self.ends(cell);
            let own = match if by > 0 { lo } else { hi } {
                Some(end) => i128::from(by) * i128::from(end),
                None => 0,
            };
            // by * cell is at most this.
            let Some(room) = own.checked_sub(least) else { return false };
            let by = i128::from(by);
            if by > 0 {
                let hi = i64::try_from(room.div_euclid(by)).ok();
                is_news |= self.bound(cell, None, hi);
            } else {
                let lo = i64::try_from(-(room.div_euclid(-by))).ok();
                is_news |= self.bound(cell, lo, None);
            }
        }
        is_news
    }

    /// Between which numbers the value of an expression is, if it has one.
    fn interval(&self, e: &Expression) -> Option<(i128, i128)> {
        let mut values: Vec<(i128, i128)> = Vec::with_capacity(e.nodes.len());
        const LARGE: i128 = 1 << 60;
        for node in &e.nodes {
            let (lo, hi) = match node {
                Node::Variable(cell) => {
                    let (lo, hi) = self.ends(*cell);
                    (lo?.into(), hi?.into())
                }
                Node::Integer(value) => {
                    let value = value.to_i64()?.into();
                    (value, value)
                }
                Node::Unary(operation, part) => {
                    let (lo, hi) = values[*part];
                    match operation {
                        Unary::Negate => (-hi, -lo),
                        Unary::Abs => {
                            let most = hi.max(-lo);
                            (if lo > 0 { lo } else { (-hi).max(0) }, most)
                        }
                        Unary::BitNot => (-1 - hi, -1 - lo),
                        _ => (0, 64),
                    }
                }
                Node::Binary(operation, left, right) => {
                    let ((a, b), (c, d)) = (values[*left], values[*right]);
                    let most = a.abs().max(b.abs());
                    match operation {
                        Binary::Add => (a + c, b + d),
                        Binary::Subtract => (a - d, b - c),
                        Binary::Multiply => {
                            let ends = [a * c, a * d, b * c, b * d];
                            (ends.into_iter().min()?, ends.into_iter().max()?)
                        }
                        Binary::Least => (a.min(c), b.min(d)),
                        Binary::Greatest => (a.max(c), b.max(d)),
                        Binary::Truncate | Binary::Floor | Binary::Exact => {
                            (if a >= 0 && c > 0 { 0 } else { -most - 1 }, most + 1)
                        }
                        Binary::Modulo | Binary::Remainder => {
                            let rest = c.abs().max(d.abs());
                            let lo = match operation {
                                Binary::Modulo if c > 0 => 0,
                                Binary::Remainder if a >= 0 => 0,
                                _ => -rest,
                            };
                            (lo, rest)
                        }
                        Binary::Power if (0..=62).contains(&c) && d <= 62 => {
                            let most = most.checked_pow(u32::try_from(d).ok()?)?.max(1);
                            (if a >= 0 { 0 } else { -most }, most)
                        }
                        Binary::ShiftLeft if (0..=62).contains(&c) && d <= 62 => {
                            let most = most.checked_mul(1 << d)?;
                            (if a >= 0 { 0 } else { -most }, most)
                        }
                        Binary::ShiftRight if c >= 0 => (if a >= 0 { 0 } else { -most }, most),
                        Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
                            let most = most.max(c.abs().max(d.abs())).max(1) * 2;
                            (-most, most)
                        }
                        _ => return None,
                    }
                }
            };
            if lo < -LARGE || hi > LARGE {
                return None;
            }
            values.push((lo, hi));
        }
        values.pop()
    }

    pub fn values(&self, cell: Cell) -> Built<Values> {
        let (Some(lo), Some(hi)) = self.ends(cell) else {
            return Err("has no bounds, or some that no sum, product or list leaves it".to_owned());
        };
        let small = |value: i64| i32::try_from(value).ok().filter(|v| v.unsigned_abs() < 1 << 30);
        let (Some(lo), Some(hi)) = (small(lo), small(hi)) else {
            return Err("has values of more than 30 bits".to_owned());
        };
        let mut values = Values::interval(lo, hi);
        let parts = self.ranges.get(&cell).map(|range| range.domain.parts()).unwrap_or_default();
        for pair in parts.windows(2) {
            let end = |bound: &Bound| bound.finite().and_then(BigInt::to_i32);
            if let (Some(before), Some(next)) = (end(&pair[0].1), end(&pair[1].0)) {
                values.holes.extend(before + 1..next);
            }
        }
        Ok(values)
    }

    /// The constraints that say so.
    pub fn notes(&self, cell: Cell) -> &[String] {
        self.ranges.get(&cell).map_or(&[], |range| &range.notes)
    }
}
