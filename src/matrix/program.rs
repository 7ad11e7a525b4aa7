//! Linear programs in general: constraints of all three kinds, and variables that have to be whole.
//!
//! Two phases on whole numbers ([`super::tableau`]): the first finds a point that all constraints allow, the second the
//! best one. Columns enter and leave by the smallest index (Bland, *New Finite Pivoting Rules for the Simplex Method*,
//! 1977), so it never cycles. Whole numbers are found by branch and bound (Land and Doig, 1960).
//!
//! ```
//! use zug_matrix::program::{Kind, Outcome, Program, Row};
//! use zug_matrix::ratio;
//!
//! // 2x + y <= 10 and x + 3y <= 15, with 3x + 4y as great as can be.
//! let row = |a, b, right| Row {
//!     terms: vec![(0, ratio(a, 1)), (1, ratio(b, 1))],
//!     kind: Kind::AtMost,
//!     right: ratio(right, 1),
//! };
//! let program = Program {
//!     rows: vec![row(2, 1, 10), row(1, 3, 15)],
//!     objective: vec![ratio(3, 1), ratio(4, 1)],
//!     whole: Vec::new(),
//! };
//! let Outcome::Best(best) = program.maximise(&mut || ()) else { panic!("it has a solution") };
//! assert_eq!((best.value, best.variables), (ratio(25, 1), vec![ratio(3, 1), ratio(4, 1)]));
//! assert_eq!(best.prices, [ratio(1, 1), ratio(1, 1)]);
//! ```

use super::rational::{Rational, common_denominator, whole};
use super::tableau::Tableau;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// How a sum and its bound compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The sum is at most the bound.
    AtMost,
    /// It is the bound.
    Equal,
    /// It is at least the bound.
    AtLeast,
}

/// A constraint.
#[derive(Clone, Debug)]
pub struct Row {
    /// The sum: variables, each perhaps several times, with their coefficients.
    pub terms: Vec<(usize, Rational)>,
    /// How it compares with its bound.
    pub kind: Kind,
    /// The bound.
    pub right: Rational,
}

/// Variables that are not negative, with constraints.
#[derive(Clone, Debug)]
pub struct Program {
    /// The constraints.
    pub rows: Vec<Row>,
    /// What is to be as great as can be: a coefficient for each variable.
    pub objective: Vec<Rational>,
    /// The variables that have to be whole numbers.
    pub whole: Vec<usize>,
}

/// The best solution.
#[derive(Clone, Debug)]
pub struct Best {
    /// The objective there.
    pub value: Rational,
    /// The variables there.
    pub variables: Vec<Rational>,
    /// How much more the objective would be for each unit more of the bound of a row. With whole numbers, where the
    /// last bounds of branching hold.
    pub prices: Vec<Rational>,
}

/// What comes of it.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The best solution.
    Best(Best),
    /// Nothing fits all constraints.
    Infeasible,
    /// The objective has no bound.
    Unbounded,
}

/// What a row of the tableau was made of.
struct Made {
    /// By what the row was multiplied.
    scale: BigInt,
    /// The variable whose column is the unit vector of the row.
    unit: usize,
    /// Its sign was changed since.
    turned: bool,
}

impl Program {
    /// The solution with the greatest objective. `step` is called before each pivot.
    pub fn maximise(&self, step: &mut dyn FnMut()) -> Outcome {
        let mut best: Option<Best> = None;
        let mut open = vec![self.rows.clone()];
        while let Some(rows) = open.pop() {
            step();
            let found = match self.relaxed(&rows, step) {
                Outcome::Best(found) => found,
                Outcome::Infeasible => continue,
                Outcome::Unbounded => return Outcome::Unbounded,
            };
            if best.as_ref().is_some_and(|best| found.value <= best.value) {
                continue;
            }
            let broken = self.whole.iter().find(|&&at| !found.variables[at].is_integer());
            let Some(&broken) = broken else {
                best = Some(found);
                continue;
            };
            let below = found.variables[broken].floor();
            for (kind, right) in [(Kind::AtLeast, &below + Rational::one()), (Kind::AtMost, below)]
            {
                let mut rows = rows.clone();
                rows.push(Row { terms: vec![(broken, Rational::one())], kind, right });
                open.push(rows);
            }
        }
        match best {
            Some(mut best) => {
                best.prices.truncate(self.rows.len());
                Outcome::Best(best)
            }
            None => Outcome::Infeasible,
        }
    }

    /// The same, be the variables whole or not.
    fn relaxed(&self, rows: &[Row], step: &mut dyn FnMut()) -> Outcome {
        let variables = self.objective.len();
        let (mut tableau, mut made, artificial) = start(variables, rows);
        // First the sum of the artificial variables is made 0.
        tableau.set_objective(|variable| -BigInt::from(u8::from(variable >= artificial)));
        if !climb(&mut tableau, usize::MAX, step) {
            return Outcome::Unbounded;
        }
        if !tableau.objective_value().is_zero() {
            return Outcome::Infeasible;
        }
        drive_out(&mut tableau, &mut made, artificial, step);
        let scale = common_denominator(&self.objective);
        let objective: Vec<BigInt> =
            self.objective.iter().map(|value| whole(value, &scale)).collect();
        tableau.set_objective(|variable| objective.get(variable).cloned().unwrap_or_default());
        if !climb(&mut tableau, artificial, step) {
            return Outcome::Unbounded;
        }
        let exact = |value: BigInt| Rational::new(value, tableau.denominator().clone());
        let variables = (0..variables).map(|at| exact(tableau.value(at))).collect();
        let prices = made.iter().map(|row| {
            let price = exact(tableau.price(row.unit)) / &scale * &row.scale;
            if row.turned { -price } else { price }
        });
        let prices = prices.collect();
        let value = exact(tableau.objective_value().clone()) / &scale;
        Outcome::Best(Best { value, variables, prices })
    }
}

/// The tableau of constraints: a slack variable for each row that is no equation, and an artificial one, from the number
/// given back on, for each row that 0 does not fulfil.
fn start(variables: usize, rows: &[Row]) -> (Tableau, Vec<Made>, usize) {
    let slacks = rows.iter().filter(|row| row.kind != Kind::Equal).count();
    let artificial = variables + slacks;
    let mut entries: Vec<Vec<BigInt>> = Vec::with_capacity(rows.len());
    let (mut basic, mut made) = (Vec::new(), Vec::new());
    let (mut next_slack, mut next_artificial) = (variables, artificial);
    for row in rows {
        let numbers = row.terms.iter().map(|(_, value)| value).chain([&row.right]);
        let mut scale = common_denominator(numbers);
        if row.right.is_negative() {
            scale = -scale;
        }
        let mut line = vec![BigInt::zero(); artificial];
        for (at, value) in &row.terms {
            line[*at] += whole(value, &scale);
        }
        let is_turned = scale.is_negative();
        let slack = match (row.kind, is_turned) {
            (Kind::Equal, _) => None,
            (Kind::AtMost, false) | (Kind::AtLeast, true) => Some(1),
            (Kind::AtMost, true) | (Kind::AtLeast, false) => Some(-1),
        };
        let mut unit = next_artificial;
        if let Some(sign) = slack {
            line[next_slack] = sign.into();
            if sign == 1 {
                unit = next_slack;
            }
            next_slack += 1;
        }
        if unit == next_artificial {
            next_artificial += 1;
        }
        basic.push(unit);
        line.push(whole(&row.right, &scale));
        entries.push(line);
        made.push(Made { scale, unit, turned: false });
    }
    let nonbasic: Vec<usize> = (0..artificial).filter(|at| !basic.contains(at)).collect();
    let kept = |line: Vec<BigInt>| -> Vec<BigInt> {
        let right = line.last().cloned().unwrap_or_default();
        nonbasic.iter().map(|&at| line[at].clone()).chain([right]).collect()
    };
    let entries = entries.into_iter().map(kept).collect();
    (Tableau::new(entries, basic, nonbasic.clone()), made, artificial)
}

/// Pivots until the objective is as great as can be; false if it has no bound. Variables from a number on don't enter.
fn climb(tableau: &mut Tableau, fixed: usize, step: &mut dyn FnMut()) -> bool {
    loop {
        step();
        let improving = (0..tableau.nonbasic().len()).filter(|&column| {
            tableau.nonbasic()[column] < fixed && tableau.objective_entry(column).is_negative()
        });
        let Some(column) = improving.min_by_key(|&column| tableau.nonbasic()[column]) else {
            return true;
        };
        let Some(row) = tableau.leaving_row_by_index(column) else { return false };
        tableau.pivot(row, column);
    }
}

/// Exchanges artificial variables that are 0 and basic for others, where there are any in their rows.
fn drive_out(tableau: &mut Tableau, made: &mut [Made], artificial: usize, step: &mut dyn FnMut()) {
    for row in 0..tableau.basic().len() {
        let variable = tableau.basic()[row];
        if variable < artificial {
            continue;
        }
        let column = (0..tableau.nonbasic().len()).find(|&column| {
            tableau.nonbasic()[column] < artificial && !tableau.entry_at(row, column).is_zero()
        });
        let Some(column) = column else { continue };
        step();
        if tableau.entry_at(row, column).is_negative() {
            tableau.turn(row);
            if let Some(made) = made.iter_mut().find(|made| made.unit == variable) {
                made.turned = true;
            }
        }
        tableau.pivot(row, column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::ratio;

    fn row(terms: &[i64], kind: Kind, right: i64) -> Row {
        let terms = terms.iter().enumerate().map(|(at, &value)| (at, ratio(value, 1))).collect();
        Row { terms, kind, right: ratio(right, 1) }
    }

    fn best(rows: Vec<Row>, objective: &[i64], whole: &[usize]) -> Option<Best> {
        let objective = objective.iter().map(|&value| ratio(value, 1)).collect();
        let program = Program { rows, objective, whole: whole.to_vec() };
        match program.maximise(&mut || ()) {
            Outcome::Best(best) => Some(best),
            Outcome::Infeasible | Outcome::Unbounded => None,
        }
    }

    #[test]
    fn all_kinds_of_rows() {
        let rows = vec![row(&[1, 1], Kind::Equal, 4), row(&[1, 0], Kind::AtMost, 3)];
        let found = best(rows, &[2, 1], &[]).expect("a solution");
        assert_eq!((found.value, found.prices), (ratio(7, 1), vec![ratio(1, 1); 2]));
        let rows = vec![row(&[1, 1], Kind::AtLeast, 2), row(&[1, 3], Kind::AtMost, 15)];
        let found = best(rows, &[-1, -2], &[]).expect("a solution");
        assert_eq!((found.value, found.prices), (ratio(-2, 1), vec![ratio(-1, 1), ratio(0, 1)]));
        // The same equation twice, and one that is turned.
        let rows = vec![
            row(&[1, 1], Kind::Equal, 2),
            row(&[2, 2], Kind::Equal, 4),
            row(&[-1, 0], Kind::AtMost, -1),
        ];
        assert_eq!(best(rows, &[0, 1], &[]).expect("a solution").value, ratio(1, 1));
        assert!(best(vec![row(&[1], Kind::AtMost, -1)], &[1], &[]).is_none());
        assert!(best(vec![row(&[1], Kind::AtLeast, 1)], &[1], &[]).is_none());
    }

    #[test]
    fn whole_numbers() {
        let rows = || {
            vec![
                row(&[6, 4], Kind::AtMost, 8),
                row(&[1, 0], Kind::AtMost, 1),
                row(&[0, 1], Kind::AtMost, 2),
            ]
        };
        assert_eq!(best(rows(), &[7, 4], &[]).expect("a solution").value, ratio(9, 1));
        let found = best(rows(), &[7, 4], &[0, 1]).expect("a solution");
        assert_eq!((found.value, found.variables), (ratio(8, 1), vec![ratio(0, 1), ratio(2, 1)]));
        assert!(best(vec![row(&[2], Kind::Equal, 1)], &[1], &[0]).is_none());
    }
}
