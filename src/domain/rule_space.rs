//! A rule program as a state space, whatever kind of domain it is.
//!
//! Puzzles and games are both a [`RuleSpace`]: a [`Space`] over packed states whose numbers can be turned to terms.
//! [`with_puzzle_space`] and [`with_game_space`] make one.

use super::Packed;
use super::contract::indicator::SYMMETRY;
use super::contract::{Contract, Heuristic};
use super::error::{RuleError, Violation};
use super::game::{GameSpace, with_plain_game};
use super::problem::{PuzzleCore, RuleProblem};
use super::run::nested;
use super::symmetry;
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_search::game::{Game, Player};
use zug_search::{Limits, Space, StateId};
use zug_state::AnyCost;
use zug_term::Record;

/// A domain whose packed states and numbered moves can be read.
pub trait RuleSpace: Space<Packed, AnyCost> {
    /// The term of a state, without the player.
    fn state_term(&mut self, state: &Packed) -> Record;

    /// The name of a move.
    fn move_term(&mut self, mv: StateId) -> Record;

    /// The machine that has the rules, and its world.
    fn host(&mut self) -> (&mut Machine, &mut World);

    /// Who is to move in a state of a game.
    fn mover(&self, state: &Packed) -> Option<Player>;

    /// The name of the player to move.
    fn mover_term(&mut self, state: &Packed) -> Option<Record>;

    /// The names of the players met so far, in order of turns.
    fn players(&mut self) -> Vec<Record>;

    /// The states that a predicate of two arguments leads to from one.
    ///
    /// # Errors
    /// An error in the predicate.
    fn images(&mut self, symmetry: PredId, state: &Packed) -> Result<Vec<Packed>, Box<RuleError>>;

    /// The state that stands for all that some symmetries lead to: the least by its bytes.
    ///
    /// # Errors
    /// An error in the predicate, or a class that is too large to be one.
    fn standing_for(
        &mut self,
        symmetry: Option<PredId>,
        state: &Packed,
    ) -> Result<Packed, Box<RuleError>> {
        let Some(pred) = symmetry else { return Ok(state.clone()) };
        let class = symmetry::class_of(state, |from| self.images(pred, from));
        let class = class.map_err(|mut error| {
            if matches!(error.violation, Violation::LargeClass(_)) {
                error.state = Some(self.state_term(state));
            }
            error
        })?;
        Ok(symmetry::least(class).unwrap_or_else(|| state.clone()))
    }
}

impl RuleSpace for RuleProblem<'_, AnyCost, Packed> {
    fn state_term(&mut self, state: &Packed) -> Record {
        self.unpack(state.bytes())
    }

    fn move_term(&mut self, mv: StateId) -> Record {
        PuzzleCore::move_term(self, mv)
    }

    fn host(&mut self) -> (&mut Machine, &mut World) {
        self.machine()
    }

    fn mover(&self, _: &Packed) -> Option<Player> {
        None
    }

    fn mover_term(&mut self, _: &Packed) -> Option<Record> {
        None
    }

    fn players(&mut self) -> Vec<Record> {
        Vec::new()
    }

    fn images(&mut self, symmetry: PredId, state: &Packed) -> Result<Vec<Packed>, Box<RuleError>> {
        let images = symmetry::images(self.asker(), symmetry, state.bytes(), |m, codec, to| {
            Ok(codec.encode(&mut m.heap, to)?)
        });
        images.map_err(|violation| self.about(violation, SYMMETRY, state.bytes()))
    }
}

impl RuleSpace for GameSpace<'_> {
    fn state_term(&mut self, state: &Packed) -> Record {
        self.0.state_term(state)
    }

    fn move_term(&mut self, mv: StateId) -> Record {
        self.0.move_term(mv)
    }

    fn host(&mut self) -> (&mut Machine, &mut World) {
        self.0.machine()
    }

    fn mover(&self, state: &Packed) -> Option<Player> {
        Some(self.0.player(state))
    }

    fn mover_term(&mut self, state: &Packed) -> Option<Record> {
        let player = self.0.player(state);
        Some(self.0.player_term(player))
    }

    fn players(&mut self) -> Vec<Record> {
        (0..self.0.known_players()).map(|seat| self.0.player_term(seat)).collect()
    }

    fn images(&mut self, symmetry: PredId, state: &Packed) -> Result<Vec<Packed>, Box<RuleError>> {
        let player = self.0.player(state);
        self.0.images(symmetry, player, state)
    }
}

/// Work with a space, from a packed state and within limits.
pub type SpaceWork<'w> =
    dyn FnMut(&mut dyn RuleSpace, &Packed, &Limits) -> Result<(), Box<RuleError>> + 'w;

/// Works with the space of a puzzle from a state, with one of its heuristics.
///
/// # Errors
/// A predicate is missing, or an error of the work.
pub fn with_puzzle_space(
    m: &mut Machine,
    w: &mut World,
    contract: &Contract,
    heuristic: Option<Heuristic>,
    start: &Record,
    limits: &Limits,
    work: &mut SpaceWork<'_>,
) -> Result<(), Box<RuleError>> {
    nested(m, w, limits, |m, w, limits| {
        let mut space = RuleProblem::<AnyCost>::new(m, w, contract, heuristic, false)?;
        let from = space.pack(start)?;
        work(&mut space, &from, limits)
    })
}

/// Works with the space of a game from a state and the player to move, without symmetries.
///
/// # Errors
/// The program is no game, or an error of the work.
pub fn with_game_space(
    m: &mut Machine,
    w: &mut World,
    player: Option<&Record>,
    start: &Record,
    limits: &Limits,
    work: &mut SpaceWork<'_>,
) -> Result<(), Box<RuleError>> {
    with_plain_game(m, w, limits, |table| {
        let from = table.position(player, start)?;
        let limits = table.limits.clone();
        work(&mut GameSpace::of(&mut table.game), &from, &limits)
    })
}
