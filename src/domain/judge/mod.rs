//! Comparison of engines and heuristics on the rules of a program: [`compare`] has them search
//! from the same starts, [`survey`] finds out whether estimates are admissible and consistent.

mod compare;
pub mod predicates;
mod survey;

pub use compare::{
    Compared, Comparison, ComparisonObserver, ComparisonProgress, GameMatrix, NODES, PuzzleMatrix,
    Start, TIME, compare, compare_games, named_starts, random_starts, usual_engines,
    usual_game_engines,
};
pub use survey::{RuleSurvey, survey};
