//! Games stepped on from state to state: what there is to choose, and what ends are worth.
//!
//! For those who choose the moves themselves, one state after the other, and keep the states:
//! environments for learning. States are of any kind, and mean the same in all of them.

use super::rules::{Answered, RuleGame};
use super::table::Table;
use super::value::{GameValue, RuleValue};
use crate::PackedState;
use crate::ask;
use crate::contract::indicator;
use crate::error::RuleError;
use zug_code::Numbering;
use zug_search::StateId;
use zug_search::game::{CHANCE, Expected, Game, Player};
use zug_state::Codec;
use zug_term::Record;

/// What is wanted of the moves in an [`Outlook`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successors {
    /// The states that they lead to.
    Made,
    /// Their names; the states are left out where the rules need not make them.
    Named,
}

/// What there is to choose in a state.
#[derive(Clone, Debug)]
pub struct Outlook<S> {
    /// The game is over, or the goal reached; or there is no move.
    pub is_over: bool,
    /// Of a puzzle: the state is a goal.
    pub is_goal: bool,
    /// The moves by the numbers of their names.
    pub names: Vec<StateId>,
    /// Where the moves were named and not made: their numbers, and who has numbered them.
    pub numbers: Vec<u32>,
    /// What the numbers mean.
    pub numbering: Option<Numbering>,
    /// Where they lead: of all of them, or of none.
    pub to: Vec<S>,
    /// Of a puzzle: what each move costs.
    pub costs: Vec<f64>,
    /// Where chance moves: how likely each move is.
    pub chances: Vec<f64>,
}

impl<S> Default for Outlook<S> {
    fn default() -> Self {
        Outlook {
            is_over: false,
            is_goal: false,
            names: Vec::new(),
            numbers: Vec::new(),
            numbering: None,
            to: Vec::new(),
            costs: Vec::new(),
            chances: Vec::new(),
        }
    }
}

impl<S> Outlook<S> {
    /// Holds nothing; what it has room for stays.
    pub fn clear(&mut self) {
        (self.is_over, self.is_goal) = (false, false);
        self.names.clear();
        self.numbers.clear();
        self.numbering = None;
        self.to.clear();
        self.costs.clear();
        self.chances.clear();
    }

    /// Holds these moves.
    pub(crate) fn extend(&mut self, moves: Vec<(StateId, S)>) {
        for (name, to) in moves {
            self.names.push(name);
            self.to.push(to);
        }
    }
}

impl<S: PackedState, V: RuleValue> RuleGame<'_, S, V> {
    /// What there is to choose in a state.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    #[inline]
    pub fn outlook(&mut self, at: &S, wanted: Successors, out: &mut Outlook<S>) -> Answered<()> {
        out.clear();
        out.is_over = self.is_over(at)?;
        if out.is_over {
            return Ok(());
        }
        self.choices(at, wanted, out)
    }

    /// What there is to choose in a state in which the game is not over.
    ///
    /// # Errors
    /// As [`RuleGame::outlook`].
    #[inline]
    pub fn choices(&mut self, at: &S, wanted: Successors, out: &mut Outlook<S>) -> Answered<()> {
        let is_chance = self.player(at) == CHANCE;
        if wanted == Successors::Named && !is_chance {
            out.numbering = self.move_names(at, &mut out.names, &mut out.numbers)?;
            if out.numbering.is_some() {
                return Ok(());
            }
        }
        let mut moves = Vec::new();
        self.moves(at, &mut moves)?;
        out.extend(moves);
        if is_chance {
            let chances = self.probabilities(at, &out.names)?;
            out.chances.extend(chances.iter().map(Expected::as_f64));
        }
        Ok(())
    }

    /// The state that one of the moves leads to, by its place among them.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    #[inline]
    pub fn after_move(&mut self, at: &S, place: usize) -> Answered<S> {
        Ok(self.pick(at, &mut |_| place as u32)?.1)
    }

    /// The same of a move that [`RuleGame::outlook`] has numbered in this very state.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    #[inline]
    pub fn after_numbered(
        &mut self,
        at: &S,
        place: usize,
        mv: Option<(u32, Numbering)>,
    ) -> Answered<S> {
        if let Some(mv) = mv
            && let Some(to) = self.numbered_move(at, mv)?
        {
            return Ok(to);
        }
        self.after_move(at, place)
    }

    /// What an end is worth to each player, in the order of their numbers.
    ///
    /// # Errors
    /// An error in a rule or an answer that breaks the contract.
    pub fn returns(&mut self, at: &S) -> Answered<Vec<f64>> {
        let to_move = self.valued_for(at);
        let each = self.players() != 2 || self.asks_both();
        let own = self.utility(at, to_move)?;
        let mut values = Vec::with_capacity(self.players());
        for seat in 0..self.players() as Player {
            let worth = match seat {
                _ if seat == to_move => own,
                _ if each => self.utility(at, seat)?,
                _ => own.negated(),
            };
            values.push(worth.number().as_f64());
        }
        Ok(values)
    }

    /// How states are packed, behind the player to move.
    pub fn codec(&self) -> &Codec {
        &self.kit.codec
    }

    /// The number of a move's name.
    ///
    /// # Errors
    /// It is cyclic or too large.
    pub fn move_number(&mut self, name: &Record) -> Answered<StateId> {
        let packed = ask::pack_plain(self.machine, &mut self.kit.codec, name);
        let packed = packed.map_err(|violation| RuleError::new(violation, indicator::ACTIONS))?;
        Ok(self.kit.moves.store.intern_bytes(packed).0)
    }
}

impl Table<'_> {
    /// The same game with states of another kind.
    pub fn stepping<S: PackedState>(&mut self) -> RuleGame<'_, S, GameValue> {
        self.game.with()
    }
}
