//! Which model a player plays by.

use std::fmt;
use thiserror::Error;

/// The longest sequence of actions that a model remembers.
pub const MAX_ORDER: usize = 64;

/// The greatest number of counters around a model.
pub const MAX_COUNTERS: usize = 64;

/// Why a model can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    /// The player in whose seat the model sits has no such action.
    #[error("there is no action {action}: the player has {actions}")]
    Action {
        /// The action asked for.
        action: usize,
        /// How many actions there are.
        actions: usize,
    },
    /// The order is 0, or more than [`MAX_ORDER`].
    #[error("the order {0} is not between 1 and {MAX_ORDER}")]
    Order(usize),
    /// A mixture of nothing.
    #[error("a mixture needs an order")]
    NoOrders,
    /// A guest can't play as this player.
    #[error("it can't play as player {0}")]
    Seat(usize),
    /// More than [`MAX_COUNTERS`].
    #[error("{0} counters are more than {MAX_COUNTERS}")]
    Counters(usize),
}

/// A model by name: `history(2)`, `counter(counter(fixed(0)))`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelSpec {
    pub(super) base: Base,
    /// How many times the model is countered.
    pub(super) counters: usize,
}

/// The innermost model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    Uniform,
    Fixed(usize),
    History(usize),
    Mixture(Vec<usize>),
    /// By its number in the game.
    Guest(usize),
}

impl ModelSpec {
    /// Any action alike.
    pub fn uniform() -> Self {
        Base::Uniform.into()
    }

    /// Always the same action of the player in whose seat the model sits.
    pub fn fixed(action: usize) -> Self {
        Base::Fixed(action).into()
    }

    /// A best reply to what most often followed the other's last `order` actions.
    pub fn history(order: usize) -> Self {
        Base::History(order).into()
    }

    /// A best reply to what memories of these orders predict, weighed by their success.
    pub fn mixture(orders: Vec<usize>) -> Self {
        Base::Mixture(orders).into()
    }

    /// A best reply to a player by this model.
    pub fn counter(self) -> Self {
        Self { counters: self.counters.saturating_add(1), ..self }
    }

    /// What can be said before the game is known.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        let orders = match &self.base {
            Base::Mixture(orders) if orders.is_empty() => return Err(ModelError::NoOrders),
            Base::Mixture(orders) => orders.as_slice(),
            Base::History(order) => std::slice::from_ref(order),
            Base::Uniform | Base::Fixed(_) | Base::Guest(_) => &[],
        };
        if let Some(&order) = orders.iter().find(|&&order| !(1..=MAX_ORDER).contains(&order)) {
            return Err(ModelError::Order(order));
        }
        if self.counters > MAX_COUNTERS {
            return Err(ModelError::Counters(self.counters));
        }
        Ok(())
    }
}

impl From<Base> for ModelSpec {
    fn from(base: Base) -> Self {
        Self { base, counters: 0 }
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for _ in 0..self.counters {
            f.write_str("counter(")?;
        }
        match &self.base {
            Base::Uniform => f.write_str("uniform")?,
            Base::Fixed(action) => write!(f, "fixed({action})")?,
            Base::Guest(number) => write!(f, "guest({number})")?,
            Base::History(order) => write!(f, "history({order})")?,
            Base::Mixture(orders) => {
                let orders: Vec<String> = orders.iter().map(usize::to_string).collect();
                write!(f, "mixture([{}])", orders.join(","))?;
            }
        }
        for _ in 0..self.counters {
            f.write_str(")")?;
        }
        Ok(())
    }
}
