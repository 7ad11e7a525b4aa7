//! Rules as environments for learning: states stepped by numbered actions.
//!
//! An [`Arena`] has the rules: a game of players in turn, a game in which all choose at once, or a
//! puzzle. A [`Survey`] looks at states of it and tells which moves there are and what states are
//! made of: [`Actions`] numbers the moves, an [`Observer`] writes a state as numbers.
//! [`Arena::position`] is one state with all that can be asked about it, and a [`Batch`] steps
//! thousands of boards at once, into buffers of the caller.
//!
//! # Invariants
//!
//! - An action keeps its number as long as the arena lives; the numbers follow from the rules, the
//!   limits of the survey and nothing else.
//! - A state is written as what its leaves are. What the survey has not met is an error, and no
//!   silent zero.
//! - The same seed and the same actions lead through the same states.

mod actions;
mod arena;
mod batch;
mod error;
mod observer;
mod position;
mod rules;
mod stepper;
mod survey;
#[cfg(test)]
mod tests;
mod together;
mod together_boards;

pub use actions::Actions;
pub use arena::{Arena, Kind};
pub use batch::Batch;
pub use error::EnvironmentError;
pub use observer::Observer;
pub use position::{Mover, Place, Position};
pub use stepper::{Buffers, Finals, Pixels, Stepping};
pub use survey::{Survey, SurveyLimits};
pub use together_boards::SIMULTANEOUS;
