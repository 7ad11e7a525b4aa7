//! The table of a game in which all choose once.

use super::Breach;
use super::rules::{Answered, Rules};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use zug_matrix::{NormalForm, Rational};
use zug_term::Record;

/// The most payoffs of a table.
const MOST_PAYOFFS: usize = 1 << 22;

/// Players, their actions, and what each profile of actions pays.
#[derive(Clone, Debug)]
pub struct Table {
    /// The players, in order.
    pub players: Vec<Record>,
    /// The actions of each.
    pub actions: Vec<Vec<Record>>,
    /// The payoffs, by the numbers of players and actions.
    pub game: NormalForm,
}

impl Table {
    /// The table of `payoff/2`.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    pub(super) fn of_payoffs(rules: &mut Rules<'_>, state: Option<&Record>) -> Answered<Table> {
        let players = rules.players()?;
        let actions = actions(rules, &players, state)?;
        Table::fill(players, actions, |actions| rules.payoffs(actions))
    }

    /// The table with the payoffs that a function gives for each profile of actions.
    pub(super) fn fill(
        players: Vec<Record>,
        actions: Vec<Vec<Record>>,
        mut payoffs: impl FnMut(&[&Record]) -> Answered<Vec<Rational>>,
    ) -> Answered<Table> {
        let shape: Vec<usize> = actions.iter().map(Vec::len).collect();
        let size = shape.iter().try_fold(shape.len(), |size, &of| size.checked_mul(of));
        let too_large = || RuleError::new(Violation::Together(Breach::TooLarge), indicator::PAYOFF);
        size.filter(|&size| size <= MOST_PAYOFFS).ok_or_else(too_large)?;
        let mut failed = None;
        let nothing = vec![Rational::default(); shape.len()];
        let game = NormalForm::from_fn(shape, |profile| {
            if failed.is_some() {
                return nothing.clone();
            }
            let chosen: Vec<&Record> =
                profile.iter().zip(&actions).map(|(&at, own)| &own[at]).collect();
            payoffs(&chosen).unwrap_or_else(|error| {
                failed = Some(error);
                nothing.clone()
            })
        });
        match (failed, game) {
            (Some(error), _) => Err(error),
            (None, Ok(game)) => Ok(Table { players, actions, game }),
            (None, Err(_)) => Err(too_large()),
        }
    }

    /// Whether there are two players, and one gains what the other loses.
    pub fn is_zero_sum(&self) -> bool {
        self.game.to_bimatrix().is_some_and(|game| game.to_zero_sum().is_some())
    }
}

/// The actions of all players.
pub(super) fn actions(
    rules: &mut Rules<'_>,
    players: &[Record],
    state: Option<&Record>,
) -> Answered<Vec<Vec<Record>>> {
    players.iter().map(|player| rules.actions(player, state)).collect()
}

/// Asks for the payoffs of some profiles, spread over the table; how many players there are.
pub(super) fn sample(
    rules: &mut Rules<'_>,
    state: Option<&Record>,
    most: usize,
) -> Answered<usize> {
    let players = rules.players()?;
    let actions = actions(rules, &players, state)?;
    let size = actions.iter().fold(1_usize, |size, own| size.saturating_mul(own.len()));
    for number in (0..size).step_by((size / most).max(1)) {
        let mut left = number;
        let choose = |own: &Vec<Record>| {
            let at = left % own.len();
            left /= own.len();
            at
        };
        let chosen: Vec<usize> = actions.iter().rev().map(choose).collect();
        let profile: Vec<&Record> =
            chosen.iter().rev().zip(&actions).map(|(&at, own)| &own[at]).collect();
        rules.payoffs(&profile)?;
    }
    Ok(players.len())
}
