//! How the states of a game are represented.

use super::players::MOST_PLAYERS;
use super::rules::RuleGame;
use super::value::RuleValue;
use crate::contract::DomainKind;
use crate::representing::{Moving, representation};
use zug_search::game::{CHANCE, Player};
use zug_state::PackedState;
use zug_term::Record;

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// Decides how states are represented, by the first one that is packed, in which a player moves.
    #[cold]
    pub(super) fn represent(&mut self, player: Player, start: &Record) {
        self.kit.is_decided = true;
        let role = self.roles.moves;
        let players = role.with_player.then(|| self.in_turn(player));
        let moving = Moving::Move(role.pred, players);
        let (m, w) = (&mut *self.machine, &mut *self.world);
        if let Some(found) = representation(m, w, DomainKind::Game, &moving, start) {
            self.kit.is_padded = found.has_padded_lists();
            found.declare(&mut self.kit.codec);
        }
    }

    /// Who moves in turn, from a player on; anybody, if the states say it.
    fn in_turn(&mut self, first: Player) -> Vec<Option<Record>> {
        if self.roles.to_move.is_some() || first == CHANCE {
            return vec![None];
        }
        let (mut all, mut player) = (Vec::new(), first);
        while all.len() < MOST_PLAYERS {
            all.push(Some(self.player_term(player)));
            player = match self.after(player) {
                Ok(next) if next != first && next != CHANCE => next,
                _ => break,
            };
        }
        all
    }
}
