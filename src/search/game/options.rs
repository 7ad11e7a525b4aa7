//! Parameters of game engines.

/// Parameters of game engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameOptions {
    /// Moves after which plays are cut off and the estimate taken; `None` follows them to their end.
    /// `solve_game` and `pns` always follow them to the end.
    pub depth: Option<u32>,
    /// How plays at random are made, for the engines that make some.
    pub sampling: Sampling,
    /// How `solve_game` keeps states.
    pub storage: Storage,
    /// Of moves of equal value take that of the shortest win or of the longest defence, in games of two players without
    /// chance; else the first in move order. `solve_game` always does.
    pub soonest: bool,
}

/// How `solve_game` keeps states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Sorted, in a few bytes each, and without their moves; else so when there are millions from which no
    /// play comes back, or the graph takes all memory.
    pub compact: bool,
}

/// How plays at random are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// How many; [`Sampling::PLAYOUTS`] if neither this nor another limit is given.
    pub playouts: Option<u64>,
    /// The same seed makes the same plays.
    pub seed: u64,
    /// How much is given to moves that were tried little: the factor c of UCB1, for values
    /// between 0 and 1.
    pub exploration: f64,
    /// Moves after which a play at random is cut off and the estimate taken; `None` plays to the end.
    pub cutoff: Option<u32>,
    /// The equivalence parameter of RAVE: the number of plays through a state after which the results of a move made at
    /// once count as much as its results whenever it was made; `None` turns RAVE off.
    pub rave: Option<f64>,
}

impl Sampling {
    /// Plays unless something else is said.
    pub const PLAYOUTS: u64 = 10_000;
}

impl Default for Sampling {
    fn default() -> Self {
        let exploration = std::f64::consts::SQRT_2;
        Self { playouts: None, seed: 1, exploration, cutoff: None, rave: None }
    }
}
