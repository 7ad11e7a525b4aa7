//! Repeated games: models of an opponent, matches between them, tournaments.
//!
//! Two players meet in the same game round after round, each sees what the other played, and
//! each plays by a [`Model`] of the other. [`RepeatedGame::model`] makes one from its
//! [`ModelSpec`]:
//!
//! | model | expects | plays |
//! |---|---|---|
//! | `uniform` | any action alike | any action alike |
//! | `fixed(A)` | any action alike | always `A` |
//! | `history(K)` | what most often followed the other's last `K` actions | a best reply |
//! | `mixture(Ks)` | what several orders predict, weighed by their success | a best reply |
//! | `counter(M)` | that the other plays by `M` | a best reply |
//!
//! A game may have guests, models from elsewhere ([`RepeatedGame::invite`]).
//!
//! # Invariants
//!
//! - A model is a function of what was played: it never draws. It says with which
//!   probabilities it plays, and the match draws. So `counter(M)` knows exactly what a player
//!   by `M` does next, short of the draw.
//! - Equal predictions, and equal best replies, get the same probability each.
//! - The same game, models and seed give the same match on every platform.

mod game;
mod matches;
mod model;
mod spec;
mod tournament;

pub use game::{Guest, RepeatedGame};
pub use matches::{Before, Match, MatchReport, Round, Score, Until, play, play_asking};
pub use model::{Model, constant};
pub use spec::{MAX_COUNTERS, MAX_ORDER, ModelError, ModelSpec};
pub use tournament::{Record, Standings, Tournament, tournament, tournament_asking, wilson};
