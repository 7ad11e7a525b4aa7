//! The game that is played again and again.

use super::model::{Counter, History, Mixture, Model, constant};
use super::spec::{Base, ModelError, ModelSpec};
use crate::learn::{FloatMatrix, one, uniform};
use crate::tables::{Bimatrix, Payoffs};
use std::rc::Rc;
use std::sync::Arc;

/// Makes a model for the seat of a player; `None`: there it can't play.
pub type Guest = Rc<dyn Fn(usize) -> Option<Box<dyn Model>>>;

/// A game of two players with what models need to know of it.
#[derive(Clone)]
pub struct RepeatedGame {
    game: Bimatrix,
    /// For each player the payoffs by its own action and the other's.
    tables: [Arc<FloatMatrix>; 2],
    guests: Vec<Guest>,
}

impl RepeatedGame {
    /// The game, to be repeated.
    pub fn new(game: Bimatrix) -> Self {
        let tables = [0, 1].map(|player| Arc::new(FloatMatrix::new(&game.seen_by(player))));
        Self { game, tables, guests: Vec::new() }
    }

    /// Lets a model play that this module does not know.
    pub fn invite(&mut self, guest: Guest) -> ModelSpec {
        self.guests.push(guest);
        Base::Guest(self.guests.len() - 1).into()
    }

    /// One round of it.
    pub fn game(&self) -> &Bimatrix {
        &self.game
    }

    /// A model in the seat of a player, before the first round.
    ///
    /// # Errors
    /// The model has no sense, or its action doesn't exist.
    pub fn model(&self, spec: &ModelSpec, player: usize) -> Result<Box<dyn Model>, ModelError> {
        spec.check()?;
        // The innermost model sits in the other seat if it is countered an odd number of times.
        let seat = (player + spec.counters) % 2;
        let mut model = self.base(&spec.base, seat)?;
        for level in 1..=spec.counters {
            model = Box::new(Counter::new(model, self.tables[(seat + level) % 2].clone()));
        }
        Ok(model)
    }

    fn base(&self, base: &Base, player: usize) -> Result<Box<dyn Model>, ModelError> {
        let (actions, others) = (self.game.actions(player), self.game.actions(1 - player));
        let table = || self.tables[player].clone();
        Ok(match base {
            Base::Uniform => constant(uniform(actions), others),
            &Base::Fixed(action) if action >= actions => {
                return Err(ModelError::Action { action, actions });
            }
            &Base::Fixed(action) => constant(one(actions, action), others),
            &Base::History(order) => Box::new(History::new(order, table())),
            &Base::Guest(number) => {
                let model = self.guests.get(number).and_then(|guest| guest(player));
                return model.ok_or(ModelError::Seat(player));
            }
            Base::Mixture(orders) => Box::new(Mixture::new(orders, table())),
        })
    }
}
