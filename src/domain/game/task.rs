//! What an engine is to do with a game.

use zug_search::Limits;
use zug_search::game::{GameEngine, GameOptions, Sampling};

/// What an engine is to do with a game.
#[derive(Clone, Debug)]
pub struct GameTask {
    /// The engine.
    pub engine: GameEngine,
    /// Follow plays for so many moves.
    pub depth: Option<u32>,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// States that are alike by symmetries found in the rules count as one.
    pub symmetry: bool,
    /// Limits. Memory is limited by what the machine may take if it is not here.
    pub limits: Limits,
}

impl GameTask {
    /// All of it, without limits.
    pub fn of(engine: GameEngine) -> GameTask {
        let (sampling, limits) = (Sampling::default(), Limits::none());
        GameTask { engine, depth: None, sampling, symmetry: false, limits }
    }

    pub(super) fn options(&self) -> GameOptions {
        GameOptions { depth: self.depth, sampling: self.sampling.clone() }
    }
}
