//! Rule programs as games of players in turn.
//!
//! [`Roles`] finds the predicates that make a program a game; [`RuleGame`] is the program as a
//! [`search::game::Game`](zug_search::game::Game) whose states are packed, the player to
//! move in front; [`with_game`] brings game, graph and solved states together and keeps them
//! for the next query, as long as the program stays what it is; [`predicates`] makes the
//! engines predicates.

mod asked;
mod chance;
#[cfg(test)]
mod chance_tests;
mod code;
mod entry;
mod examine;
mod kept;
#[cfg(test)]
mod kept_tests;
mod own;
mod players;
pub mod predicates;
mod roles;
mod rules;
mod sampling;
#[cfg(test)]
mod sampling_tests;
mod space;
mod stakes;
#[cfg(test)]
mod stakes_tests;
mod survey;
mod symmetry;
mod table;
mod task;
#[cfg(test)]
mod tests;
pub mod training;
mod view;
mod worth;

pub use crate::kept::{KeepError, Saved};
pub(crate) use chance::to_cell;
pub(super) use examine::examine;
pub use own::OwnGame;
pub use roles::{Role, Roles};
pub(crate) use rules::stop_of;
pub use rules::{Kit, RuleGame};
pub(crate) use sampling::OPTIONS as SAMPLED;
pub use space::GameSpace;
pub use stakes::{AskedOf, End, Sharing, Stakes};
pub(crate) use table::GameMemory;
pub use table::{Table, find_game, initial_player, with_game, with_plain_game};
pub use task::GameTask;
pub use view::{Choice, Exact, Position};
pub use worth::{RuleValue, Worth};
