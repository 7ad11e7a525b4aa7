//! Which predicates of the contract of simultaneous games a program defines.

use crate::contract::indicator;
use crate::game::Role;
use zug_machine::{Machine, PredId};
use zug_prolog::user_predicate;

/// The predicates that make a program a game in which all choose at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// `players/1`.
    pub players: Option<PredId>,
    /// `action/3`.
    pub action: Option<PredId>,
    /// `payoff/2`: all choose once, and that is the game.
    pub payoff: Option<PredId>,
    /// `joint_move/3`: a game of several stages.
    pub joint_move: Option<PredId>,
    /// `terminal/2` or `terminal/1`.
    pub terminal: Option<Role>,
    /// `utility/3`.
    pub utility: Option<PredId>,
    /// `strategy/4`: players of repeated games.
    pub strategy: Option<PredId>,
}

impl Parts {
    /// Looks what the user's program defines; `None` if it is no such game. Since the names are
    /// those of everyday, one alone makes none.
    pub fn of(m: &Machine) -> Option<Parts> {
        let find = |name, arity| user_predicate(m, name, arity);
        let terminal = |arity, with_player, indicator| {
            find("terminal", arity).map(|pred| Role { pred, with_player, indicator })
        };
        let parts = Parts {
            players: find("players", 1),
            action: find("action", 3),
            payoff: find("payoff", 2),
            joint_move: find("joint_move", 3),
            terminal: terminal(2, true, indicator::TERMINAL_2).or(terminal(
                1,
                false,
                indicator::TERMINAL_1,
            )),
            utility: find("utility", 3),
            strategy: find("strategy", 4),
        };
        let base = [parts.players, parts.action].into_iter().flatten().count();
        let ends = [parts.payoff, parts.joint_move].into_iter().flatten().count();
        (base + ends >= 2).then_some(parts)
    }

    /// All choose once: there is no `joint_move/3`.
    pub fn is_matrix(&self) -> bool {
        self.joint_move.is_none()
    }

    /// The predicates that are missing, with what can't be done without them; `starts`: there
    /// is an initial state.
    pub fn lacking(&self, starts: bool) -> Vec<(&'static str, &'static str)> {
        let stages = !self.is_matrix();
        let parts = [
            (self.players.is_none(), "players(Js)", "nobody plays"),
            (self.action.is_none(), "action(J, S, A)", "nobody can choose anything"),
            (!stages && self.payoff.is_none(), "payoff(As, Us)", "no choice is worth anything"),
            (stages && !starts, "initial_state(S)", "the game has no start"),
            (stages && self.terminal.is_none(), "terminal(S)", "the game never ends"),
            (stages && self.utility.is_none(), "utility(J, S, U)", "no end is worth anything"),
        ];
        parts.into_iter().filter(|part| part.0).map(|(_, what, effect)| (what, effect)).collect()
    }
}
