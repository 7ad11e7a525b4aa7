//! Learning by reinforcement: a policy from playing, for any [`Game`](super::Game).
//!
//! A [`Policy`] has a box for every state that was met, with a number for each of its moves. A
//! [`Learner`] plays games, of which each changes the numbers of the moves that it made, as its
//! [`Rule`] says:
//!
//! | method | a move's number | a game changes it by |
//! |---|---|---|
//! | [`Method::Matchboxes`] | beads in a box; a move is drawn with a bead | beads put in or taken out, by how the game ended |
//! | [`Method::Q`] | the worth of the move | a step towards the worth of the best answer to it |
//! | [`Method::MonteCarlo`] | the worth of the move | a step towards what the game came to |
//!
//! A game counts as a whole, when it is over: its last move first. One that is broken off
//! changes nothing, not even where the random numbers stand; so learning can stop anywhere and
//! go on later as if it had not stopped. What chance does has numbers of its own, which follow
//! from the seed and from how many games were learned from: each game has its dice.
//!
//! Michie, *Experiments on the mechanization of game-learning*, Computer Journal 6 (1963);
//! Watkins and Dayan, *Q-learning*, Machine Learning 8 (1992); Sutton and Barto, *Reinforcement
//! Learning*, 2nd ed. (2018), chapters 5 and 6; Littman, *Markov games as a framework for
//! multi-agent reinforcement learning*, ICML (1994).
//!
//! # Example
//!
//! ```
//! use zug_search::game::TableGame;
//! use zug_search::game::learn::{Learner, Method, Rule};
//!
//! // Nim with 4 matches: take 1 to 3, who takes the last one loses.
//! let mut nim = TableGame::nim(4, 3);
//! let rule = Rule { method: Method::Q, ..Rule::default() };
//! let mut learner = Learner::new(nim.start(4), rule, 1);
//! for _ in 0..200 {
//!     learner.play(&mut nim, None).expect("the table has no faults");
//! }
//! // It takes three and leaves the last one.
//! let moves = learner.policy().get(&(0, 4)).expect("it began there");
//! assert_eq!(learner.rule().likeliest(moves), [2]);
//! ```

mod evaluate;
mod learner;
mod policy;
mod rule;
mod share;
#[cfg(test)]
mod tests;

pub use evaluate::evaluate;
pub use learner::{Chooser, Event, Learner, LearnerOf, OutcomeCounts, Played};
pub use policy::{MoveStats, Policy};
pub use rule::{Beads, Method, Rates, Rule};
pub use share::{Share, good_moves, share};
