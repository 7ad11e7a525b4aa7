//! Rule programs as games of players in turn.
//!
//! [`Roles`] finds the contract predicates of a game; [`RuleGame`] is the program as a
//! [`search::game::Game`](zug_search::game::Game) whose states are packed, the player to
//! move in front; [`with_game`] opens game, graph and solved states and caches them
//! for the next query, until the program changes; [`predicates`] makes the
//! engines predicates.

mod alike;
#[cfg(feature = "cluster")]
mod by_workers;
#[cfg(test)]
mod certainty_tests;
mod chance;
#[cfg(test)]
mod chance_tests;
mod code;
mod deferred;
mod diagrams;
mod entry;
mod examine;
mod fork;
mod own;
mod players;
pub mod predicates;
mod queries;
mod represented;
mod roles;
mod rules;
pub mod sampling;
#[cfg(test)]
mod sampling_tests;
mod space;
mod stepping;
mod survey;
mod symmetry;
mod table;
mod tablebase;
#[cfg(test)]
mod tablebase_tests;
mod task;
#[cfg(test)]
mod tests;
pub mod training;
mod utilities;
#[cfg(test)]
mod utilities_tests;
mod value;
mod view;

pub use crate::bases::{SaveError, Saved};
#[cfg(feature = "cluster")]
pub(crate) use by_workers::{CHANCE_MOVES, NOT_BALANCED, WorkersFound};
pub(crate) use chance::to_cell;
pub(super) use examine::{examine, measure};
pub use own::OwnGame;
pub use roles::{Role, Roles};
pub(crate) use rules::stop_of;
pub use rules::{Kit, RuleGame};
pub use space::GameSpace;
pub use stepping::{Outlook, Successors};
pub(crate) use survey::EndValues;
pub use table::{Table, find_game, initial_player, with_game, with_game_for, with_plain_game};
pub(crate) use table::{forget_results, with_vocabulary};
pub use task::GameTask;
pub(crate) use utilities::add_up;
pub use utilities::{End, UtilityKind, UtilitySource, UtilitySurvey};
pub use value::{GameValue, RuleValue};
pub use view::{Choice, Exact, Position};
pub use zug_code::Numbering;
