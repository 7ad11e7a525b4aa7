//! What engines and heuristics are worth, on the rules of a program: [`compare`] has them search
//! side by side, [`survey`] says whether estimates are admissible and consistent.

mod compare;
pub mod predicates;
mod survey;

pub use compare::{
    Compared, Comparison, GameMatrix, NODES, PuzzleMatrix, Standing, Start, TIME, Watch, compare,
    compare_games, named_starts, random_starts, usual_engines, usual_game_engines,
};
pub use survey::{RuleSurvey, survey};
