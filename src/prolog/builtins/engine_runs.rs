//! What the engines called in a query did, for the report under its answer.

use serde::{Serialize, Serializer};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use zug_search::game::{GameEngine, GameOutcome, GameStats, Proof, Tried};
use zug_search::{Engine, Outcome, Stats};

/// What answered the questions that a search asked the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CodeUse {
    /// Questions that code made from the rules answered.
    pub by_code: u64,
    /// Questions that the machine answered.
    pub by_machine: u64,
    /// Time that making code took.
    #[serde(rename = "making_seconds", serialize_with = "seconds")]
    pub making: Duration,
    /// What stood in the way of code, the most frequent first.
    pub reasons: Vec<CodeReason>,
}

/// A time in seconds, in steps of a microsecond.
fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_micros() as f64 / 1e6)
}

/// Something that stood in the way of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeReason {
    /// The contract predicate, as `rule/4`.
    pub predicate: &'static str,
    /// Goal, place, and what is wrong with it.
    pub reason: String,
    /// Questions that the machine answered for it.
    pub questions: u64,
}

/// What is said of a result: that no plan is cheaper than the one found, or that there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It is proved, by this.
    Proved(String),
    /// It is so if this is; names stand in backquotes.
    If(String),
    /// It is not so: there is a cheaper plan, or there is one.
    Refuted,
    /// Nothing.
    #[default]
    Open,
}

/// A state of which a heuristic says too much, as text.
#[derive(Clone, Debug)]
pub struct TooHigh {
    /// The state.
    pub state: String,
    /// The moves from the start to it, if it lies on the plan that was found.
    pub step: Option<usize>,
    /// What the heuristic says.
    pub estimate: String,
    /// What a plan from there costs.
    pub cost: String,
}

/// One call of an engine predicate.
#[derive(Clone, Debug)]
pub struct EngineRun {
    /// The engine.
    pub engine: Engine,
    /// The heuristic it used, if any.
    pub heuristic: Option<String>,
    /// How it ended; `None` if an error in a rule ended it.
    pub outcome: Option<Outcome>,
    /// The cost of the plan, as text.
    pub cost: Option<String>,
    /// Moves in the plan.
    pub moves: usize,
    /// No plan costs less, as text.
    pub lower_bound: Option<String>,
    /// The cost is at most this many times the least.
    pub factor: Option<f64>,
    /// What is said of it, …
    pub verdict: Verdict,
    /// … and what has to be so for the bound and the factor to hold.
    pub given: Option<String>,
    /// The cost of a cheapest plan, where another one was found.
    pub cheapest: Option<String>,
    /// Where the heuristic was seen to overestimate.
    pub overestimate: Option<TooHigh>,
    /// What went wrong, or in which rule and state a limit struck.
    pub remark: Option<String>,
    /// What answered its questions; `None` if no code was wanted.
    pub code: Option<CodeUse>,
    /// The counts.
    pub stats: Stats,
    /// What the domain needs to find out more about it, once the report is to be shown.
    pub unverified: Option<Arc<dyn Any + Send + Sync>>,
}

/// What two players play for, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Utilities {
    /// `zero_sum`, `constant_sum`, `general_sum`; `player_to_move`, `heuristic` or
    /// `cannot_move_loses` where one player alone is asked, and what one wins the other loses.
    pub kind: &'static str,
    /// What the utilities of both add up to, as the rule language writes it, if that is the same at
    /// all ends and not nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<String>,
}

/// One call of a game engine's predicate.
#[derive(Clone, Debug)]
pub struct GameRun {
    /// The engine.
    pub engine: GameEngine,
    /// Who is to move.
    pub player: String,
    /// How it ended.
    pub outcome: GameOutcome,
    /// The value to the player to move, as text.
    pub value: Option<String>,
    /// The values to all players, where they are told apart.
    pub values: Vec<(String, String)>,
    /// The values are right but for this much; `None` if they are exact or nobody knows.
    pub error: Option<f64>,
    /// Who wins is proved, the value is not.
    pub proof: Option<Proof>,
    /// The moves that were tried in plays at random, in move order.
    pub tried: Vec<Tried<String>>,
    /// The move.
    pub best: Option<String>,
    /// Best play.
    pub line: Vec<String>,
    /// No estimate went into the value, no limit and no choice among equals.
    pub exact: bool,
    /// It would be exact but for choices among equals.
    pub ties: bool,
    /// What two players play for, as the search went by it.
    pub utilities: Option<Utilities>,
    /// Moves to the end.
    pub distance: Option<u32>,
    /// The depth of the value, if plays were not followed to their ends.
    pub depth: Option<u32>,
    /// It was read from a base.
    pub from_base: bool,
    /// In which rule and state a limit struck.
    pub remark: Option<String>,
    /// What answered its questions; `None` if no code was wanted.
    pub code: Option<CodeUse>,
    /// The counts.
    pub stats: GameStats,
}

/// A search that was put beside others.
#[derive(Clone, Debug)]
pub struct Compared<R> {
    /// The engine.
    pub engine: &'static str,
    /// The heuristic, if it uses one.
    pub heuristic: Option<String>,
    /// Where it began.
    pub instance: String,
    /// What it came to, or the error in a rule that ended it.
    pub run: Result<R, String>,
}

/// Searches beside each other, in the order in which they were made.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// Of a puzzle.
    Puzzle(Vec<Compared<EngineRun>>),
    /// Of a game.
    Game(Vec<Compared<GameRun>>),
}

/// How engines run the rules of a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Specialise {
    /// The machine runs everything.
    Off,
    /// Code made for the shapes of states runs where there is some.
    #[default]
    On,
    /// Code and machine run, and every difference is an error.
    CrossCheck,
}
