//! What an engine is to do with a game.

use std::time::Duration;
use zug_search::Limits;
use zug_search::game::{GameEngine, GameOptions, Sampling, Storage};

/// What an engine is to do with a game.
#[derive(Clone, Debug)]
pub struct GameTask {
    /// The engine.
    pub engine: GameEngine,
    /// Follow plays for so many moves.
    pub depth: Option<u32>,
    /// How plays at random are made.
    pub sampling: Sampling,
    /// How `solve_game` keeps states.
    pub storage: Storage,
    /// States that are alike by symmetries found in the rules count as one.
    pub symmetry: bool,
    /// Of moves of equal value take that of the shortest win or of the longest defence; else the first in move order.
    pub soonest: bool,
    /// Limits. Memory is limited by what the machine may take if it is not here.
    pub limits: Limits,
}

impl GameTask {
    /// All of it, without limits.
    pub fn of(engine: GameEngine) -> GameTask {
        let (sampling, limits) = (Sampling::default(), Limits::none());
        let (storage, symmetry) = (Storage::default(), false);
        GameTask { engine, depth: None, sampling, storage, symmetry, soonest: false, limits }
    }

    /// As a person wants it who sees the move.
    pub fn for_people(engine: GameEngine) -> GameTask {
        GameTask { soonest: !engine.is_reference(), ..GameTask::of(engine) }
    }

    /// How long the search lasts, if it goes on until its time is over.
    pub(super) fn horizon(&self) -> Option<Duration> {
        let samples = matches!(self.engine, GameEngine::Mcts | GameEngine::Playouts);
        let is_counted = self.sampling.playouts.is_some() || self.limits.nodes.is_some();
        self.limits.time.filter(|_| samples && !is_counted)
    }

    pub(super) fn options(&self) -> GameOptions {
        let (sampling, storage) = (self.sampling.clone(), self.storage);
        GameOptions { depth: self.depth, sampling, storage, soonest: self.soonest }
    }
}
