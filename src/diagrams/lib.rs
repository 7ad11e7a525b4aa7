//! Layers of breadth-first search as binary decision diagrams: how many states there are at each depth, without
//! listing one of them.
//!
//! A set of states is a function of bits, which say what the leaves of a state are, and a function of bits is a graph
//! in which what comes to the same is there once (R. Bryant, *Graph-Based Algorithms for Boolean Function
//! Manipulation*, IEEE Transactions on Computers 35, 1986). What a layer leads to by a move is computed of the
//! graphs as wholes (J. Burch, E. Clarke, K. McMillan, D. Dill, L. Hwang, *Symbolic Model Checking: 10^20 States and
//! Beyond*, LICS 1990), and so are the states of a layer counted. Graphs are small where leaves have little to do
//! with one another, or with few: then a layer of billions of states takes some thousand nodes. Where each leaf
//! depends on all others, as in permutations, they are as large as a list.
//!
//! Moves are told as [operators](zug_derived::Operators) here too, of which nothing may be left open: what is not known
//! of a state that is reached ends the search with an error. What is counted is exact.
//!
//! ```
//! use zug_derived::{Operator, Operators, Source, Values};
//! use zug_diagrams::{Limits, Next, Side, explore};
//!
//! // Twenty switches, each of which can be turned.
//! let mut puzzle = Operators::new(vec![Values::from_iter([0, 1]); 20]);
//! for leaf in 0..20 {
//!     for value in [0, 1] {
//!         let condition = puzzle.is(leaf, value);
//!         let writes = vec![(leaf, Source::Value(1 - value))];
//!         puzzle.operators.push(Operator { condition, cost: 1, writes });
//!     }
//! }
//! let sides = [Side { moves: &puzzle, over: None, must_go_on: false, next: Next::Player(0) }];
//! let space = explore(&sides, (0, &[0; 20]), &Limits::default(), &mut |_| None)?;
//! assert_eq!(space.by_depth[..4], [1, 20, 190, 1140]);
//! assert_eq!(space.by_depth.iter().sum::<u128>(), 1 << 20);
//! # Ok::<(), zug_diagrams::NoDiagrams>(())
//! ```

mod bits;
mod clock;
mod conditions;
mod count;
mod events;
mod order;
mod search;
mod store;
#[cfg(test)]
mod tests;

pub use search::explore;
use zug_derived::{ConditionId, Operators, Value};

/// The number of a player: of those who are told, from 0 on.
pub type Player = usize;

/// What there is to know of the states in which one player is to move.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The moves.
    pub moves: &'a Operators,
    /// States in which the game is over are the goals of these; `None` if it goes on as long as there are moves.
    pub over: Option<&'a Operators>,
    /// Where it is not over there has to be a move: a state without one ends the search with an error.
    pub must_go_on: bool,
    /// Who moves next.
    pub next: Next<'a>,
}

/// Who moves next.
#[derive(Clone, Copy, Debug)]
pub enum Next<'a> {
    /// Always the same.
    Player(Player),
    /// The player of the first of these conditions that holds in the state that is reached.
    Told(&'a Operators, &'a [(ConditionId, Player)]),
}

/// When a search ends before all is found.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Layers at this depth are not gone on from.
    pub depth: u32,
    /// The most states that are gone on from.
    pub states: u128,
    /// Bytes that may be held.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: u32::MAX, states: u128::MAX, bytes: 1 << 30 }
    }
}

/// Why a search ended before all was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// [`Limits::depth`] was reached, and there is more.
    Depth,
    /// There are more states than [`Limits::states`].
    States,
    /// The nodes of diagrams do not fit into [`Limits::bytes`].
    Memory,
    /// Whoever watches it wanted it to end: the number is theirs.
    Watched(u8),
}

/// How far a search is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Moves to the layer that is gone on from.
    pub depth: u32,
    /// States of all layers before that.
    pub expanded: u128,
    /// States of this layer.
    pub layer: u128,
    /// Nodes of all diagrams, with those that are no longer of use and not yet collected.
    pub nodes: usize,
    /// Bytes that these take.
    pub bytes: usize,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// By the number of moves from the start: how many states need no fewer. All of these are complete.
    pub by_depth: Vec<u128>,
    /// States that have no successor, of those that were gone on from.
    pub terminal: u128,
    /// How many states were gone on from, or have no successor.
    pub expanded: u128,
    /// States of the deepest layer, some of them: the player to move and the values of leaves.
    pub deepest: Vec<(Player, Vec<Value>)>,
    /// By layer: nodes of the diagrams that it is.
    pub nodes: Vec<usize>,
    /// The most nodes that there were at a time, with those that were not yet collected.
    pub peak_nodes: usize,
    /// The most bytes that these took.
    pub peak_bytes: usize,
    /// Why it ended before all was found, if it did.
    pub ended: Option<Ended>,
}

/// Why states can't be counted this way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoDiagrams {
    /// What a leaf may be is not known.
    Leaf(usize),
    /// In a state of this player with these leaves, which is reached, it is not known what moves lead to, or
    /// there is none and [has to be](Side::must_go_on).
    Moves(Player, Vec<Value>),
    /// In such a state it is not known whether the game is over.
    Over(Player, Vec<Value>),
    /// In such a state it is not known who moves.
    Turn(Player, Vec<Value>),
    /// There are too many bits in a state.
    Bits(usize),
    /// There are more states than 128 bits can count.
    Count,
}
