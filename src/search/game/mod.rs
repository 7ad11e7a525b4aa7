//! Generic engines for games of players in turn.
//!
//! A [`Game`] gives the player to move in a state, the moves, the ends and their utilities; an
//! engine finds the value of a state and a move that reaches it. Engines know
//! nothing of how a game is described: every operation can fail, and values are any [`Value`].
//!
//! Engines walk over a [`Graph`], which queries the game about each state once and caches the
//! answers: a tree of half a million nodes over five thousand states costs five thousand
//! evaluations of the rules. A graph outlives a search; the next one finds what is there.
//! `alphabeta` alone carries states by value: its transposition table has most of the few that it
//! visits.
//!
//! | engine | players | finds | keeps |
//! |---|---|---|---|
//! | `minimax` | 2 | the value at a depth, as in textbooks | the states met |
//! | `negamax` | 2 | the same; the reference for all others | the states met |
//! | `alphabeta` | 2 | the same value and move, with few of the nodes | a transposition table |
//! | `maxn` | any | the values at a depth, one for each player | the states met |
//! | `solve_game` | any | the exact value of every state that can be reached | all of them |
//! | `pns` | 2 | whether the player to move wins, loses or neither | a proof tree |
//! | `expectiminimax` | 1 or 2 | the mean value at a depth where chance moves too | the states met |
//! | `mcts` | any | a good move by plays at random | the states met but in these plays |
//! | `playouts` | any | results of plays at random | nothing |
//!
//! # Values
//!
//! In zero-sum games of two players a value is its negation to the opponent, and engines use the
//! value to the player to move alone; constant-sum games are scaled to that
//! ([`Game::balanced`]). In general-sum games ([`Game::is_general_sum`]) `maxn`, `solve_game` and
//! the plays at random use every player's own values; the other engines do not apply.
//!
//! The value at a depth is that of the textbook: at the depth itself the heuristic, at the
//! end of the game the utility, else the best over the moves; the move is the *first in move
//! order* that reaches it.
//!
//! # Invariants
//!
//! - Engines for two players return the same value and the same move as plain negamax.
//! - *Exact* is a proof: no estimate went into the value.
//! - No recursion on the Rust stack, however long the game.
//!
//! # Example
//!
//! ```
//! use zug_search::Limits;
//! use zug_search::game::{GameEngine, GameOptions, Graph, TableGame, run};
//!
//! // Nim with 6 matches: take 1 to 3, who takes the last one loses.
//! let mut nim = TableGame::nim(6, 3);
//! let start = nim.start(6);
//! let mut graph = Graph::default();
//! let report = run(
//!     GameEngine::Negamax,
//!     &mut nim,
//!     &mut graph,
//!     &start,
//!     &GameOptions::default(),
//!     &Limits::none(),
//!     None,
//! )?;
//! assert_eq!((report.value, report.best), (Some(1), Some(1)));
//! assert!(report.exact);
//! # Ok::<(), zug_search::game::GameError>(())
//! ```

mod asking;
mod bandit;
mod compact;
mod expectation;
mod expected;
mod forest;
mod fraction;
mod general_sum;
mod graph;
mod info;
mod interface;
mod options;
mod report;
mod root;
mod solved;
mod solved_state;
mod split;
mod table;
mod team;
mod value;

mod full_width;
mod links;
mod mcts_tree;
mod meter;
mod numbered;
mod ordering;
mod ply;
mod pvs;
mod registry;
mod rollout;
mod shared_table;
mod soonest;
mod star;
mod transposition;

pub mod alphabeta;
pub mod count;
pub mod expectiminimax;
pub mod explore;
pub mod grundy;
pub mod learn;
pub mod maxn;
pub mod mcts;
pub mod minimax;
pub mod negamax;
pub mod playouts;
pub mod pns;
pub mod retrograde;
pub mod strategy;
pub mod textbook;

#[cfg(test)]
mod chance_tests;
#[cfg(test)]
mod mcts_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod thread_tests;

pub use expected::{Expected, TOLERANCE};
pub use graph::{Edge, Graph, GraphOf, NodeId};
pub use info::{GameEngineInfo, PlayersAllowed};
pub use interface::{Bounds, CHANCE, Game, Player};
pub use meter::Halt;
pub use options::{GameOptions, Sampling, Storage};
pub use registry::{RunResult, run, run_alphabeta, run_keeping};
pub use report::{
    GameError, GameObserver, GameOutcome, GameProgress, GameReport, GameStats, Means, Proof, Tried,
    Verdict,
};
pub use solved::{LONGEST_LINE, Solved};
pub use solved_state::{SolvedState, StateValues};
pub use table::TableGame;
pub use value::Value;

crate::registry::registry! {
    /// A game engine.
    GameEngine: GameEngineInfo;
    /// All game engines, in the order of the manual.
    game_engines;
    search<G: Game>(
        game: &mut G,
        graph: &mut GraphOf<G>,
        root: &mut NodeId,
        options: &GameOptions,
        meter: &mut meter::Meter<'_>,
    ) -> meter::Answer<G>, by (game, graph, root, options, meter);
    /// Minimax.
    Minimax => minimax,
    /// Negamax.
    Negamax => negamax,
    /// Alpha-beta.
    Alphabeta => alphabeta,
    /// Max^n.
    Maxn => maxn,
    /// Retrograde analysis.
    SolveGame => retrograde,
    /// Proof-number search.
    Pns => pns,
    /// Expectiminimax.
    Expectiminimax => expectiminimax,
    /// Monte Carlo tree search.
    Mcts => mcts,
    /// Plays at random.
    Playouts => playouts,
}
