//! A tableau of whole numbers over one common denominator, and its pivot.
//!
//! A row says `basic + sum of (entry / denominator) * nonbasic = right / denominator`. A pivot
//! exchanges a basic and a nonbasic variable and divides without remainder (Edmonds 1967,
//! Bareiss 1968): entries are minors of the first tableau, so they stay small, and no greatest
//! common divisor is ever taken.
//!
//! The row that leaves is chosen by the lexicographic ratio test (Dantzig, Orden, Wolfe 1955):
//! it resolves every tie, so that no basis comes back, whatever column enters.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// A variable, by number.
pub(super) type Variable = usize;

#[derive(Clone, Debug)]
pub(super) struct Tableau {
    /// The entries of each row, one for each nonbasic variable, then the right side.
    rows: Vec<Vec<BigInt>>,
    /// The variable of each row.
    basic: Vec<Variable>,
    /// The variable of each column.
    nonbasic: Vec<Variable>,
    /// The variables that were basic at first: the columns of the lexicographic test.
    first: Vec<Variable>,
    /// The row with the negated coefficients of what is maximised; the last of `rows`.
    has_objective: bool,
    denominator: BigInt,
}

impl Tableau {
    /// The tableau of `rows`, each with its right side, which is not negative, as last entry.
    pub fn new(rows: Vec<Vec<BigInt>>, basic: Vec<Variable>, nonbasic: Vec<Variable>) -> Self {
        debug_assert!(rows.iter().all(|row| row.len() == nonbasic.len() + 1));
        debug_assert!(rows.len() == basic.len());
        let (first, denominator) = (basic.clone(), BigInt::one());
        Self { rows, basic, nonbasic, first, has_objective: false, denominator }
    }

    /// Adds what is to be maximised: a coefficient for each nonbasic variable.
    pub fn with_objective(mut self, coefficients: &[BigInt]) -> Self {
        debug_assert!(coefficients.len() == self.nonbasic.len() && !self.has_objective);
        let negated = coefficients.iter().map(|coefficient| -coefficient);
        self.rows.push(negated.chain([BigInt::zero()]).collect());
        self.has_objective = true;
        self
    }

    /// Takes another objective in the place of the one there is: a coefficient for each variable.
    pub fn set_objective(&mut self, coefficient: impl Fn(Variable) -> BigInt) {
        if self.has_objective {
            self.rows.pop();
        }
        let mut row: Vec<BigInt> = self
            .nonbasic
            .iter()
            .map(|&variable| -coefficient(variable) * &self.denominator)
            .chain([BigInt::zero()])
            .collect();
        for (entries, &variable) in self.rows.iter().zip(&self.basic) {
            let coefficient = coefficient(variable);
            if !coefficient.is_zero() {
                for (sum, entry) in row.iter_mut().zip(entries) {
                    *sum += &coefficient * entry;
                }
            }
        }
        self.rows.push(row);
        self.has_objective = true;
    }

    /// The entry of the objective in a column.
    pub fn objective_entry(&self, column: usize) -> &BigInt {
        debug_assert!(self.has_objective);
        &self.rows[self.basic.len()][column]
    }

    /// The entry of a row in a column.
    pub fn entry_at(&self, row: usize, column: usize) -> &BigInt {
        &self.rows[row][column]
    }

    /// Takes the variable of a row, which is 0, with the other sign.
    pub fn turn(&mut self, row: usize) {
        debug_assert!(self.right(row).is_zero());
        for entry in &mut self.rows[row] {
            *entry = -std::mem::take(entry);
        }
    }

    /// The number all entries are to be divided by; positive.
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// The numerator of the value of the objective.
    pub fn objective_value(&self) -> &BigInt {
        debug_assert!(self.has_objective);
        &self.rows[self.basic.len()][self.nonbasic.len()]
    }

    /// The column with the most negative entry of the objective, the first of equals; `None`
    /// at the maximum.
    pub fn improving_column(&self) -> Option<usize> {
        debug_assert!(self.has_objective);
        let row = &self.rows[self.basic.len()][..self.nonbasic.len()];
        let column = (0..row.len()).min_by_key(|&column| &row[column])?;
        row[column].is_negative().then_some(column)
    }

    /// The numerator of a variable in the basic solution.
    pub fn value(&self, variable: Variable) -> BigInt {
        match self.basic.iter().position(|&basic| basic == variable) {
            Some(row) => self.right(row).clone(),
            None => BigInt::zero(),
        }
    }

    /// The numerator of the price of a variable: its entry in the row of the objective.
    pub fn price(&self, variable: Variable) -> BigInt {
        debug_assert!(self.has_objective);
        match self.column_of(variable) {
            Some(column) => self.rows[self.basic.len()][column].clone(),
            None => BigInt::zero(),
        }
    }

    /// The column of a nonbasic variable.
    pub fn column_of(&self, variable: Variable) -> Option<usize> {
        self.nonbasic.iter().position(|&nonbasic| nonbasic == variable)
    }

    /// The variables of the columns.
    pub fn nonbasic(&self) -> &[Variable] {
        &self.nonbasic
    }

    /// The variables of the rows.
    pub fn basic(&self) -> &[Variable] {
        &self.basic
    }

    /// Variables that are 0 in the basic solution.
    pub fn zeros(&self) -> impl Iterator<Item = Variable> {
        let rows = self.basic.iter().enumerate();
        let degenerate = rows.filter(|&(row, _)| self.right(row).is_zero());
        self.nonbasic.iter().copied().chain(degenerate.map(|(_, &variable)| variable))
    }

    /// The row whose variable leaves when that of `column` enters; `None` if nothing bounds it.
    pub fn leaving_row(&self, column: usize) -> Option<usize> {
        let bounding = (0..self.basic.len()).filter(|&row| self.rows[row][column].is_positive());
        bounding.min_by(|&a, &b| self.compare_ratios(a, b, column))
    }

    /// The row whose variable leaves, of equals the one with the smallest number; `None` if nothing bounds it.
    pub fn leaving_row_by_index(&self, column: usize) -> Option<usize> {
        let bounding = (0..self.basic.len()).filter(|&row| self.rows[row][column].is_positive());
        bounding.min_by(|&a, &b| {
            let (of_a, of_b) = (&self.rows[a][column], &self.rows[b][column]);
            let order = (self.right(a) * of_b).cmp(&(self.right(b) * of_a));
            order.then_with(|| self.basic[a].cmp(&self.basic[b]))
        })
    }

    /// Exchanges the variables of a row and a column whose common entry is positive. Returns
    /// the variable that left.
    pub fn pivot(&mut self, row: usize, column: usize) -> Variable {
        let mut pivot_row = std::mem::take(&mut self.rows[row]);
        let pivot = pivot_row[column].clone();
        debug_assert!(pivot.is_positive());
        for (other, entries) in self.rows.iter_mut().enumerate() {
            if other != row {
                eliminate(entries, &pivot_row, column, &self.denominator);
            }
        }
        pivot_row[column] = std::mem::replace(&mut self.denominator, pivot);
        self.rows[row] = pivot_row;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        self.nonbasic[column]
    }

    fn right(&self, row: usize) -> &BigInt {
        &self.rows[row][self.nonbasic.len()]
    }

    /// Orders rows by the vectors of right side and columns of the first basis, each divided
    /// by the row's entry in `column`, which is positive.
    fn compare_ratios(&self, a: usize, b: usize, column: usize) -> Ordering {
        let (of_a, of_b) = (&self.rows[a][column], &self.rows[b][column]);
        let compare = |x: &BigInt, y: &BigInt| match (x.is_zero(), y.is_zero()) {
            (true, true) => Ordering::Equal,
            _ => (x * of_b).cmp(&(y * of_a)),
        };
        let mut order = compare(self.right(a), self.right(b));
        let mut next = self.first.iter();
        while order == Ordering::Equal && a != b {
            // Rows of a basis are never equal in all columns of another.
            let &variable = next.next().expect("rows are independent");
            order = compare(&self.entry(a, variable), &self.entry(b, variable));
        }
        order
    }

    /// The entry of a row in the column of a variable, be it basic or not.
    fn entry(&self, row: usize, variable: Variable) -> BigInt {
        match self.column_of(variable) {
            Some(column) => self.rows[row][column].clone(),
            None if self.basic[row] == variable => self.denominator.clone(),
            None => BigInt::zero(),
        }
    }
}

/// Takes the entering variable out of a row.
fn eliminate(entries: &mut [BigInt], pivot_row: &[BigInt], column: usize, denominator: &BigInt) {
    let pivot = &pivot_row[column];
    let factor = entries[column].clone();
    for (at, (entry, from)) in entries.iter_mut().zip(pivot_row).enumerate() {
        if at == column {
            continue;
        }
        let mut product = &*entry * pivot;
        if !factor.is_zero() && !from.is_zero() {
            product -= &factor * from;
        }
        *entry = product / denominator;
    }
    entries[column] = -factor;
}
