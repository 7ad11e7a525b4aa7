//! Games in which all choose at once, stepped on from state to state.

use super::rules::Rules;
use crate::error::RuleError;
use crate::run::nested;
use zug_machine::Machine;
use zug_matrix::Rational;
use zug_prolog::builtins::World;
use zug_search::Limits;
use zug_search::game::Expected;
use zug_term::Record;

/// A game in which all choose at once, asked about one state after the other. A game that is played once
/// has no states.
pub struct Stages<'a>(Rules<'a>);

impl Stages<'_> {
    /// Opens the game of the program.
    ///
    /// # Errors
    /// The program is no such game; or what `run` says.
    pub fn with<T>(
        m: &mut Machine,
        w: &mut World,
        limits: &Limits,
        run: impl FnOnce(&mut Stages<'_>) -> Result<T, Box<RuleError>>,
    ) -> Result<T, Box<RuleError>> {
        nested(m, w, limits, |m, w, _| run(&mut Stages(Rules::of(m, w)?)))
    }

    /// Whether all choose once, and that is the game.
    pub fn is_matrix(&self) -> bool {
        self.0.parts.is_matrix()
    }

    /// The players.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    pub fn players(&mut self) -> Result<Vec<Record>, Box<RuleError>> {
        self.0.players()
    }

    /// Whether the game is over in a state.
    ///
    /// # Errors
    /// As [`Stages::players`].
    pub fn is_over(&mut self, player: &Record, state: &Record) -> Result<bool, Box<RuleError>> {
        self.0.is_over(player, state)
    }

    /// What a player may choose.
    ///
    /// # Errors
    /// As [`Stages::players`].
    pub fn actions(
        &mut self,
        player: &Record,
        state: Option<&Record>,
    ) -> Result<Vec<Record>, Box<RuleError>> {
        self.0.actions(player, state)
    }

    /// The state that actions lead to, one of each player.
    ///
    /// # Errors
    /// As [`Stages::players`].
    pub fn next(&mut self, actions: &[&Record], state: &Record) -> Result<Record, Box<RuleError>> {
        self.0.joint_move(actions, state)
    }

    /// What actions pay to the players of a game that is played once.
    ///
    /// # Errors
    /// As [`Stages::players`].
    pub fn payoffs(&mut self, actions: &[&Record]) -> Result<Vec<f64>, Box<RuleError>> {
        Ok(self.0.payoffs(actions)?.iter().map(rounded).collect())
    }

    /// What an end is worth to a player.
    ///
    /// # Errors
    /// As [`Stages::players`].
    pub fn utility(&mut self, player: &Record, state: &Record) -> Result<f64, Box<RuleError>> {
        Ok(rounded(&self.0.utility(player, state)?))
    }
}

/// The float next to a fraction.
fn rounded(value: &Rational) -> f64 {
    Expected::Exact(value.clone()).as_f64()
}
