//! `compare`: engines and heuristics beside each other, on the instances of a file and on starts
//! made by walks at random.

mod judge;
mod request;

pub use judge::{Factor, judge};
pub use request::{CompareRequest, OPTIONS, choose_heuristics, choose_starts, compare_loaded};

use super::exit::{CommandResult, Exit};
use super::record::TermData;
use serde::Serialize;
use zug_report::{Claims, Number, Worth};

/// Searches beside each other, as the command line writes them in JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareReport {
    /// The rule file.
    pub file: String,
    /// The searches.
    #[serde(flatten)]
    pub rows: Rows,
    /// Which heuristic expanded fewer nodes, engine by engine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<Factor>,
    /// What does not go together, and errors in rules.
    pub notes: Vec<String>,
    /// Somebody interrupted it: there are fewer rows than were asked for.
    pub interrupted: bool,
}

/// The searches of a puzzle or of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Rows {
    /// Of a puzzle.
    Puzzle(Vec<PuzzleRow>),
    /// Of a game.
    Game(Vec<GameRow>),
}

/// A search in a puzzle.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleRow {
    /// Where it began.
    pub instance: String,
    /// The engine.
    pub engine: &'static str,
    /// The heuristic, if the engine uses one.
    pub heuristic: Option<String>,
    /// `solved`, `exhausted`, `stopped` or `error`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["solved", "exhausted", "stopped", "error"])))]
    pub outcome: &'static str,
    /// Which limit stopped it, or the error.
    pub reason: Option<String>,
    /// The cost of the plan.
    pub cost: Option<Number>,
    /// Moves in the plan.
    pub moves: Option<usize>,
    /// Whether no plan is cheaper.
    #[serde(flatten)]
    pub claim: Claims<TermData>,
    /// How that looks beside the other searches.
    #[serde(skip)]
    pub standing: Optimal,
    /// By how much the plan is dearer than the cheapest one known.
    pub excess: Option<Number>,
    /// States whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// Closed states opened again.
    pub reopened: u64,
    /// The most states waiting.
    pub peak_open: u64,
    /// Wall-clock time, in seconds.
    pub elapsed_seconds: f64,
    /// The most bytes held.
    pub peak_memory_bytes: usize,
    /// The effective branching factor.
    pub branching: Option<f64>,
    /// Moves of the cheapest plan known from this start.
    pub depth: Option<usize>,
}

/// What is known of a plan's cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimal {
    /// It is proved that none is less.
    Proved,
    /// It costs what this one's plan does, which is proved to be a cheapest one.
    Equal(String),
    /// None is less if this is so.
    If(String),
    /// There is a cheaper one.
    No,
    /// Nobody knows.
    Unknown,
    /// There is no plan.
    None,
}

/// A search in a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRow {
    /// Where it began.
    pub instance: String,
    /// The engine.
    pub engine: &'static str,
    /// Who is to move.
    pub player: Option<String>,
    /// `solved`, `stopped` or `error`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["solved", "stopped", "error"])))]
    pub outcome: &'static str,
    /// Which limit stopped it, or the error.
    pub reason: Option<String>,
    /// The value to that player.
    pub value: Option<Number>,
    /// The values to all players, where they are told apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Worth<String>>,
    /// The one or the others, for people.
    #[serde(skip)]
    pub shown: Option<String>,
    /// No estimate went into the value, and it rests on no condition.
    pub exact: bool,
    /// What has to be so for the value to be exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_if: Option<String>,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The depth of the value, if plays were not followed to their ends.
    pub depth: Option<u32>,
    /// Nodes of the search tree.
    pub nodes: u64,
    /// States whose moves were asked for.
    pub states: u64,
    /// Wall-clock time, in seconds.
    pub elapsed_seconds: f64,
    /// The most bytes held.
    pub peak_memory_bytes: usize,
}

impl CommandResult for CompareReport {
    fn exit(&self) -> Exit {
        let failed = match &self.rows {
            Rows::Puzzle(rows) => rows.iter().any(|row| row.outcome == "error"),
            Rows::Game(rows) => rows.iter().any(|row| row.outcome == "error"),
        };
        match (self.interrupted, failed) {
            (true, _) => Exit::Interrupted,
            (_, true) => Exit::Error,
            _ => Exit::Success,
        }
    }
}
