//! Which predicates of the game contract a program defines.
//!
//! Beside the contract itself, the forms that people write where it has more than their game
//! needs: `move/3`, `terminal/1`, `utility/2` and `heuristic/2` without the player, for games
//! whose rules are the same for both or whose states say who is to move; `to_move/2` for the
//! latter. A game of `move/3` without `terminal` is over where there is no move; without
//! `utility` and `heuristic` who cannot move has lost (*normal play*).

use super::training::{ignores_player, is_same_for_all};
use crate::contract::indicator;
use crate::error::{RuleError, Violation};
use zug_machine::{Machine, PredId};
use zug_prolog::user_predicate;

/// The predicate that says who moves next.
const OPPONENT: &str = "opponent(J, A)";

/// A predicate, with or without the player as its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// The predicate.
    pub pred: PredId,
    /// The player is its first argument.
    pub with_player: bool,
    /// Name and arity.
    pub indicator: &'static str,
}

/// The predicates that make a program a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// `move/4` or `move/3`.
    pub moves: Role,
    /// `terminal/2` or `terminal/1`.
    pub terminal: Option<Role>,
    /// `utility/3` or `utility/2`.
    pub utility: Option<Role>,
    /// `heuristic/3` or `heuristic/2`.
    pub heuristic: Option<Role>,
    /// `opponent/2`.
    pub opponent: Option<PredId>,
    /// `initial_player/1`.
    pub initial_player: Option<PredId>,
    /// `to_move/2`.
    pub to_move: Option<PredId>,
    /// `symmetry/2`.
    pub symmetry: Option<PredId>,
    /// `probability/3`, of the moves of chance.
    pub probability: Option<PredId>,
    /// `utility_bounds/2`.
    pub utility_bounds: Option<PredId>,
    /// States count as one that are alike by symmetries found in the rules.
    pub alike: bool,
}

impl Role {
    /// `to_move/2`.
    pub fn of_turn(pred: PredId) -> Role {
        Role { pred, with_player: false, indicator: indicator::TO_MOVE }
    }
}

impl Roles {
    /// Looks what the user's program defines; `None` if it is no game.
    pub fn of(m: &Machine) -> Option<Roles> {
        let find = |name, arity| user_predicate(m, name, arity);
        let role = |name, full, arity, short| {
            let with_player = |pred| Role { pred, with_player: true, indicator: full };
            let without = |pred| Role { pred, with_player: false, indicator: short };
            find(name, arity).map(with_player).or_else(|| find(name, arity - 1).map(without))
        };
        let moves = role("move", indicator::MOVE_4, 4, indicator::MOVE_3)?;
        // A program may have a move/3 of its own; without a start it is no game.
        if !moves.with_player && find("initial_state", 1).or(find("initial_state", 2)).is_none() {
            return None;
        }
        Some(Roles {
            moves,
            terminal: role("terminal", indicator::TERMINAL_2, 2, indicator::TERMINAL_1),
            utility: role("utility", indicator::UTILITY_3, 3, indicator::UTILITY_2),
            heuristic: role("heuristic", indicator::HEURISTIC_3, 3, indicator::HEURISTIC_2),
            opponent: find("opponent", 2),
            initial_player: find("initial_player", 1),
            to_move: find("to_move", 2),
            symmetry: find("symmetry", 2),
            probability: find("probability", 3),
            utility_bounds: find("utility_bounds", 2),
            alike: false,
        })
    }

    /// The predicates that the game lacks, with what can't be done without them. `starts`: it has an initial state.
    pub fn lacking(&self, m: &Machine, starts: bool) -> Vec<(&'static str, &'static str)> {
        let parts = [
            (!starts, "initial_state(S)", "no search has a start"),
            (self.lacks_first_player(), "initial_player(J)", "nobody begins"),
            (self.lacks_opponent(m), OPPONENT, "nobody moves next"),
            (
                self.utility.is_none() && self.heuristic.is_none() && !self.is_normal_play(),
                "utility(J, S, U)",
                "no end is worth anything",
            ),
        ];
        parts.into_iter().filter(|part| part.0).map(|(_, what, effect)| (what, effect)).collect()
    }

    /// Players have names, and neither states nor a predicate say who moves first.
    pub fn lacks_first_player(&self) -> bool {
        let has_names = self.moves.with_player || self.opponent.is_some();
        has_names && self.to_move.is_none() && self.initial_player.is_none()
    }

    /// Neither states nor a predicate say who moves next, and rules look at the player.
    pub fn lacks_opponent(&self, m: &Machine) -> bool {
        let is_open = self.opponent.is_none() && self.to_move.is_none() && self.moves.with_player;
        is_open
            && !(is_same_for_all(m, self)
                && self.heuristic.is_none_or(|heuristic| ignores_player(m, heuristic)))
    }

    /// The first error that keeps engines from asking these rules about a state.
    pub(super) fn error(&self, m: &Machine) -> Option<Box<RuleError>> {
        let missing = || RuleError::new(Violation::Missing(OPPONENT), indicator::OPPONENT);
        self.lacks_opponent(m).then(missing)
    }

    /// Who cannot move has lost, since nothing else is said.
    pub fn is_normal_play(&self) -> bool {
        self.utility.is_none()
            && (!self.moves.with_player || self.heuristic.is_none() && self.terminal.is_none())
    }
}
