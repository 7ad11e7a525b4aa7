//! Payoff tables for any number of players.

use super::rational::Rational;
use super::strategy::MixedStrategy;
use super::tables::{Bimatrix, Matrix, Payoffs, TableError};
use num_traits::{One, Zero};

/// A game of any number of players: the payoffs to all of them for every pure profile.
///
/// Profiles are in lexicographic order: the action of the last player changes fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalForm {
    /// How many actions each player has.
    actions: Vec<usize>,
    /// For every profile the payoffs to all players.
    payoffs: Vec<Rational>,
}

impl NormalForm {
    /// The game where player `p` has `actions[p]` actions, with the payoffs to all players
    /// for each profile, in order of the profiles.
    ///
    /// # Errors
    /// There is no player, one has no action, or the number of payoffs is not that of the
    /// profiles times that of the players.
    pub fn new(actions: Vec<usize>, payoffs: Vec<Rational>) -> Result<Self, TableError> {
        let expected = cells(&actions)?;
        if payoffs.len() != expected {
            return Err(TableError::Shape { expected, found: payoffs.len() });
        }
        Ok(Self { actions, payoffs })
    }

    /// The game with the payoffs that a function gives for each profile, one for each player.
    ///
    /// # Errors
    /// As [`NormalForm::new`].
    pub fn from_fn(
        actions: Vec<usize>,
        mut payoffs: impl FnMut(&[usize]) -> Vec<Rational>,
    ) -> Result<Self, TableError> {
        cells(&actions)?;
        let cells = Profiles::new(&actions).flat_map(|profile| payoffs(&profile)).collect();
        Self::new(actions, cells)
    }

    /// What a pure profile pays to a player; both are in range.
    pub fn payoff(&self, profile: &[usize], player: usize) -> &Rational {
        let index = profile.iter().zip(&self.actions).fold(0, |at, (own, of)| at * of + own);
        &self.payoffs[index * self.actions.len() + player]
    }

    /// How many actions each player has.
    pub fn shape(&self) -> &[usize] {
        &self.actions
    }

    /// All pure profiles, in order.
    pub fn profiles(&self) -> Profiles {
        Profiles::new(&self.actions)
    }

    /// The game where each player keeps the actions listed, which are in range, at least one
    /// each; they are numbered anew.
    pub fn restricted(&self, kept: &[Vec<usize>]) -> Self {
        let actions: Vec<usize> = kept.iter().map(Vec::len).collect();
        let mut payoffs = Vec::new();
        for profile in Profiles::new(&actions) {
            let old: Vec<usize> = profile.iter().zip(kept).map(|(&at, kept)| kept[at]).collect();
            payoffs.extend((0..actions.len()).map(|player| self.payoff(&old, player).clone()));
        }
        Self { actions, payoffs }
    }

    /// The game of two players as two matrices; `None` for any other number.
    pub fn to_bimatrix(&self) -> Option<Bimatrix> {
        let &[rows, columns] = &self.actions[..] else { return None };
        let of = |player| {
            Matrix::from_fn(rows, columns, |row, column| {
                self.payoff(&[row, column], player).clone()
            })
        };
        Bimatrix::new(of(0), of(1)).ok()
    }

    /// The payoffs to a player by its own actions (rows) and the profiles of the others.
    pub(super) fn seen_by(&self, player: usize) -> Matrix {
        let mut others = self.actions.clone();
        others[player] = 1;
        let columns: Vec<Vec<usize>> = Profiles::new(&others).collect();
        Matrix::from_fn(self.actions[player], columns.len(), |own, column| {
            let mut profile = columns[column].clone();
            profile[player] = own;
            self.payoff(&profile, player).clone()
        })
    }
}

impl From<&Bimatrix> for NormalForm {
    fn from(game: &Bimatrix) -> Self {
        let cells = game.payoffs(0).cells().iter().zip(game.payoffs(1).cells());
        Self {
            actions: vec![game.actions(0), game.actions(1)],
            payoffs: cells.flat_map(|(row, column)| [row.clone(), column.clone()]).collect(),
        }
    }
}

impl Payoffs for NormalForm {
    fn players(&self) -> usize {
        self.actions.len()
    }

    fn actions(&self, player: usize) -> usize {
        self.actions[player]
    }

    fn action_values(&self, player: usize, profile: &[MixedStrategy]) -> Vec<Rational> {
        let mut values = vec![Rational::zero(); self.actions[player]];
        for pure in self.profiles() {
            let others = pure.iter().enumerate().filter(|(other, _)| *other != player);
            let mut weight = Rational::one();
            for (other, &action) in others {
                weight *= &profile[other].probabilities()[action];
            }
            if !weight.is_zero() {
                values[pure[player]] += weight * self.payoff(&pure, player);
            }
        }
        values
    }
}

/// How many payoffs a table of this shape has.
fn cells(actions: &[usize]) -> Result<usize, TableError> {
    if actions.is_empty() || actions.contains(&0) {
        return Err(TableError::Empty);
    }
    let cells = actions.iter().try_fold(actions.len(), |cells, &of| cells.checked_mul(of));
    cells.ok_or(TableError::TooLarge)
}

/// Pure profiles in lexicographic order.
#[derive(Clone, Debug)]
pub struct Profiles {
    actions: Vec<usize>,
    next: Option<Vec<usize>>,
}

impl Profiles {
    fn new(actions: &[usize]) -> Self {
        Self { actions: actions.to_vec(), next: Some(vec![0; actions.len()]) }
    }
}

impl Iterator for Profiles {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let profile = self.next.take()?;
        let mut after = profile.clone();
        for (at, &of) in self.actions.iter().enumerate().rev() {
            after[at] += 1;
            if after[at] < of {
                self.next = Some(after);
                break;
            }
            after[at] = 0;
        }
        Some(profile)
    }
}
