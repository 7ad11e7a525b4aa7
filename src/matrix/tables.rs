//! Payoff tables: two players whose payoffs add to zero, two players, any number of players.
//!
//! Players, and the actions of each, are numbered from 0. With two players, player 0 chooses
//! the row and player 1 the column.

use super::rational::{Rational, common_denominator, whole};
use super::strategy::MixedStrategy;
use num_bigint::BigInt;
use num_traits::Zero;
use thiserror::Error;

/// Why a table can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// A player, or the table, has nothing to choose from.
    #[error("every player needs an action")]
    Empty,
    /// Rows of a matrix differ in length, or payoffs are missing or too many.
    #[error("{expected} payoffs are needed, {found} are given")]
    Shape {
        /// Payoffs, or payoffs in a row, that there should be.
        expected: usize,
        /// Those that there are.
        found: usize,
    },
    /// The payoffs can't be numbered.
    #[error("the table is too large")]
    TooLarge,
}

/// Rows of exact numbers, all of the same length; at least one row and one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    columns: usize,
    cells: Vec<Rational>,
}

impl Matrix {
    /// The matrix with these rows.
    ///
    /// # Errors
    /// There is no row, a row is empty, or their lengths differ.
    pub fn new(rows: Vec<Vec<Rational>>) -> Result<Self, TableError> {
        let columns = rows.first().map_or(0, Vec::len);
        if columns == 0 {
            return Err(TableError::Empty);
        }
        if let Some(row) = rows.iter().find(|row| row.len() != columns) {
            return Err(TableError::Shape { expected: columns, found: row.len() });
        }
        Ok(Self { columns, cells: rows.into_iter().flatten().collect() })
    }

    /// The matrix of `rows` by `columns`, neither of them 0, with `cell(row, column)`.
    pub(super) fn from_fn(
        rows: usize,
        columns: usize,
        cell: impl Fn(usize, usize) -> Rational,
    ) -> Self {
        debug_assert!(rows > 0 && columns > 0);
        let cells = (0..rows * columns).map(|at| cell(at / columns, at % columns)).collect();
        Self { columns, cells }
    }

    /// The matrix of whole numbers with these rows.
    ///
    /// # Errors
    /// As [`Matrix::new`].
    pub fn of_integers<R: AsRef<[i64]>>(rows: &[R]) -> Result<Self, TableError> {
        let exact = |row: &R| {
            row.as_ref().iter().map(|&cell| Rational::from_integer(cell.into())).collect()
        };
        Self::new(rows.iter().map(exact).collect())
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// How many columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number at a place; both are in range.
    pub fn at(&self, row: usize, column: usize) -> &Rational {
        &self.cells[row * self.columns + column]
    }

    /// All numbers, row by row.
    pub fn cells(&self) -> &[Rational] {
        &self.cells
    }

    /// Rows as columns.
    pub fn transposed(&self) -> Self {
        Self::from_fn(self.columns, self.rows(), |row, column| self.at(column, row).clone())
    }

    /// The matrix with every number negated.
    pub fn negated(&self) -> Self {
        Self { columns: self.columns, cells: self.cells.iter().map(|cell| -cell).collect() }
    }

    /// Each row's sum, its cells weighted by a strategy over the columns.
    pub(super) fn row_values(&self, columns: &MixedStrategy) -> Vec<Rational> {
        // PERF: in whole numbers over one denominator, with one common divisor taken a row.
        let scale = common_denominator(&self.cells);
        let parts = common_denominator(columns.probabilities());
        let support: Vec<(usize, BigInt)> =
            columns.support().map(|(column, share)| (column, whole(share, &parts))).collect();
        let denominator = &scale * parts;
        let value = |row: &[Rational]| {
            let terms = support.iter().map(|(column, share)| whole(&row[*column], &scale) * share);
            Rational::new(terms.sum(), denominator.clone())
        };
        self.cells.chunks(self.columns).map(value).collect()
    }
}

/// A game whose mixed profiles have payoffs: what [`verify`](super::verify) needs to know.
pub trait Payoffs {
    /// How many players.
    fn players(&self) -> usize;

    /// How many actions a player has.
    fn actions(&self, player: usize) -> usize;

    /// What each action of a player is worth when the others keep to the profile, which has a
    /// strategy of the right length for every player.
    fn action_values(&self, player: usize, profile: &[MixedStrategy]) -> Vec<Rational>;
}

/// A game of two players where one gains what the other loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixGame {
    payoffs: Matrix,
}

impl MatrixGame {
    /// The game in which the row player is paid `payoffs` by the column player.
    pub fn new(payoffs: Matrix) -> Self {
        Self { payoffs }
    }

    /// The payoffs to the row player.
    pub fn payoffs(&self) -> &Matrix {
        &self.payoffs
    }

    /// The same game with the payoffs of both written out.
    pub fn to_bimatrix(&self) -> Bimatrix {
        Bimatrix { row: self.payoffs.clone(), column: self.payoffs.negated() }
    }
}

impl Payoffs for MatrixGame {
    fn players(&self) -> usize {
        2
    }

    fn actions(&self, player: usize) -> usize {
        if player == 0 { self.payoffs.rows() } else { self.payoffs.columns() }
    }

    fn action_values(&self, player: usize, profile: &[MixedStrategy]) -> Vec<Rational> {
        if player == 0 {
            return self.payoffs.row_values(&profile[1]);
        }
        self.payoffs.negated().transposed().row_values(&profile[0])
    }
}

/// A game of two players, each with payoffs of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bimatrix {
    row: Matrix,
    column: Matrix,
}

impl Bimatrix {
    /// The game with these payoffs to the row player and to the column player, both indexed
    /// by row and column.
    ///
    /// # Errors
    /// The matrices differ in shape.
    pub fn new(row: Matrix, column: Matrix) -> Result<Self, TableError> {
        if row.columns() != column.columns() {
            let (expected, found) = (row.columns(), column.columns());
            return Err(TableError::Shape { expected, found });
        }
        if row.rows() != column.rows() {
            return Err(TableError::Shape { expected: row.rows(), found: column.rows() });
        }
        Ok(Self { row, column })
    }

    /// The game of players who differ in nothing but their seat, from the payoffs to the row
    /// player.
    ///
    /// # Errors
    /// The matrix is not square.
    pub fn symmetric(row: Matrix) -> Result<Self, TableError> {
        let column = row.transposed();
        Self::new(row, column)
    }

    /// The payoffs to a player, by row and column.
    pub fn payoffs(&self, player: usize) -> &Matrix {
        if player == 0 { &self.row } else { &self.column }
    }

    /// The payoffs to a player, by its own action and the other's.
    pub fn seen_by(&self, player: usize) -> Matrix {
        if player == 0 { self.row.clone() } else { self.column.transposed() }
    }

    /// The game as one player's matrix, if every two payoffs add to zero.
    pub fn to_zero_sum(&self) -> Option<MatrixGame> {
        let mut pairs = self.row.cells().iter().zip(self.column.cells());
        pairs.all(|(a, b)| (a + b).is_zero()).then(|| MatrixGame::new(self.row.clone()))
    }
}

impl Payoffs for Bimatrix {
    fn players(&self) -> usize {
        2
    }

    fn actions(&self, player: usize) -> usize {
        if player == 0 { self.row.rows() } else { self.row.columns() }
    }

    fn action_values(&self, player: usize, profile: &[MixedStrategy]) -> Vec<Rational> {
        self.seen_by(player).row_values(&profile[1 - player])
    }
}
