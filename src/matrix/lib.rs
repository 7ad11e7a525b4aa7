//! Games in which all players choose at once: exact equilibria, learning, repeated games.
//!
//! A payoff table has the payoff of every profile of actions to every player, independent of its
//! origin. Payoffs are fractions of any size ([`Rational`]); players and
//! actions are numbers from 0.
//!
//! | table | players | payoffs |
//! |---|---|---|
//! | [`MatrixGame`] | 2 | zero-sum |
//! | [`Bimatrix`] | 2 | general-sum |
//! | [`NormalForm`] | any | general-sum |
//!
//! | function | finds | of |
//! |---|---|---|
//! | [`solve_zero_sum`] | the value, an optimal strategy for each player | `MatrixGame` |
//! | [`lemke_howson`] | one equilibrium | `Bimatrix` |
//! | [`all_equilibria`] | all extreme equilibria, whether there are others | `Bimatrix`, small |
//! | [`pure_equilibria`] | all pure equilibria | `NormalForm` |
//! | [`eliminate`] | the game without dominated actions, and the dominating ones | `NormalForm` |
//! | [`solve_stages`] | the value of every state | games of several stages |
//! | [`decoupled_uct`] | how often each player tries each action in plays at random | games of several stages, large |
//! | [`learn()`] | averages of learners, with bounds, in floats | `Bimatrix`, large |
//! | [`learn_together`] | the joint distribution of learners, and their regret | `NormalForm` |
//! | [`repeated`] | matches and tournaments of models of opponents | `Bimatrix` |
//! | [`verify`] | the payoffs of a profile, and the gain of deviations | any |
//!
//! # Invariants
//!
//! - Exact means exact: no float takes part in anything but [`mod@learn`], [`repeated`] and
//!   [`decoupled_uct`].
//! - [`verify`] needs the table and the profile alone: it is independent of the solver.
//! - Results are deterministic: ties go to the first action, everything drawn follows from a
//!   seed, and only arithmetic that all platforms share is used on floats. [`decoupled_uct`]
//!   draws at ties, and takes logarithms.
//! - Every computation that may take long is within [`Limits`](zug_search::Limits); each documents
//!   what counts as a node. `depth` and `memory` don't apply.
//!
//! # Example
//!
//! ```
//! use zug_search::Limits;
//! use zug_matrix::{Matrix, MatrixGame, ratio, solve_zero_sum};
//!
//! let rps = MatrixGame::new(Matrix::of_integers(&[[0, -1, 1], [1, 0, -1], [-1, 1, 0]])?);
//! let solution = solve_zero_sum(&rps, &Limits::none()).expect("no limits");
//! assert_eq!(solution.value, ratio(0, 1));
//! assert_eq!(solution.profile[0].probabilities(), vec![ratio(1, 3); 3]);
//! # Ok::<(), zug_matrix::TableError>(())
//! ```

mod normal_form;
mod rational;
mod strategy;
mod tables;
mod verify;

mod linear;
mod meter;
mod polytopes;
mod positive;
mod tableau;

mod all_equilibria;
mod decoupled;
mod dominance;
pub mod learn;
mod lemke_howson;
pub mod options;
pub mod program;
mod pure;
pub mod repeated;
mod stages;
mod zero_sum;

#[cfg(test)]
mod tests;

pub use all_equilibria::{AllEquilibria, all_equilibria};
pub use decoupled::{Arm, Decoupled, JointGame, Next, OneShot, SampleError, Turn, decoupled_uct};
pub use dominance::{Elimination, Reduced, Removal, eliminate};
pub use learn::{JointLearning, Learner, Learning, LearningReport, learn, learn_together};
pub use lemke_howson::{Equilibrium, lemke_howson};
pub use normal_form::{NormalForm, Profiles};
pub use pure::pure_equilibria;
pub use rational::{Rational, ratio, to_float};
pub use stages::{
    Stage, StageError, StageGame, StageSolution, StageValues, solve_stage, solve_stages,
};
pub use strategy::MixedStrategy;
pub use tables::{Bimatrix, Matrix, MatrixGame, Payoffs, TableError};
pub use verify::{Certificate, WrongProfile, verify};
pub use zero_sum::{ZeroSumSolution, solve_zero_sum};
