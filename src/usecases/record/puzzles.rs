//! Puzzles being played, as data: states, moves, what is known of the way, results.

use super::TermData;
use crate::puzzle::{GoalOutlook, Puzzle};
use serde::Serialize;
use zug_prolog::session::Session;
use zug_report::Number;
use zug_term::Record;

/// A state of a puzzle.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleState {
    /// Moves made so far.
    pub number: usize,
    /// The state.
    pub state: TermData,
    /// How it looks, if the rules say so.
    pub board: Option<String>,
    /// It is final.
    pub goal: bool,
    /// The moves there are.
    pub moves: Vec<TermData>,
    /// What each of them costs.
    pub costs: Vec<Number>,
    /// What the moves so far cost.
    pub cost: Number,
}

/// A move that was made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleMove {
    /// The number of the move, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub number: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: TermData,
    /// What it costs.
    pub cost: Number,
}

/// What is known of the way to a goal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AheadData {
    /// `cheapest`, `plan`, `at_least`, `dead_end` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["cheapest", "plan", "at_least", "dead_end", "unknown"])))]
    pub known: &'static str,
    /// What a plan costs; under `at_least` what it costs at least.
    pub cost: Option<Number>,
    /// The heuristic that must never overestimate for that to be the least.
    pub heuristic: Option<String>,
    /// The plan.
    pub path: Option<Vec<TermData>>,
    /// What kept the search from knowing more.
    pub reason: Option<String>,
}

/// How a puzzle ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleResult {
    /// `solved`, or `unfinished` if the person left.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["solved", "unfinished"])))]
    pub outcome: &'static str,
    /// The state it began in.
    pub start: TermData,
    /// The state it ended in.
    pub state: TermData,
    /// The moves.
    pub moves: Vec<TermData>,
    /// What they cost.
    pub cost: Number,
    /// What is known of plans from the start, of a puzzle that is solved.
    pub best: Option<AheadData>,
}

fn term(session: &Session, record: &Record) -> TermData {
    TermData::of(&session.machine, &session.world, record)
}

/// Where a person stands; `board` is how it looks.
pub fn state(session: &Session, puzzle: &Puzzle, board: Option<String>) -> PuzzleState {
    let now = puzzle.now();
    PuzzleState {
        number: puzzle.moves().len(),
        state: term(session, &now.state),
        board,
        goal: now.goal,
        moves: now.moves.iter().map(|choice| term(session, &choice.mv)).collect(),
        costs: now.moves.iter().map(|choice| choice.cost.into()).collect(),
        cost: puzzle.cost().into(),
    }
}

/// The move that is about to be made, by its place; `None` if there is none there.
pub fn made(session: &Session, puzzle: &Puzzle, choice: usize) -> Option<PuzzleMove> {
    let made = puzzle.now().moves.get(choice)?;
    Some(PuzzleMove {
        number: puzzle.moves().len() + 1,
        mv: term(session, &made.mv),
        cost: made.cost.into(),
    })
}

/// What is known of the way from a state.
pub fn ahead(session: &Session, ahead: &GoalOutlook) -> AheadData {
    let (known, reason) = match ahead {
        GoalOutlook::Cheapest(_) => ("cheapest", None),
        GoalOutlook::Plan(..) => ("plan", None),
        GoalOutlook::AtLeast(_, _, reason) => ("at_least", Some(reason.to_string())),
        GoalOutlook::DeadEnd(_) => ("dead_end", None),
        GoalOutlook::Unknown(reason) => ("unknown", Some(reason.to_string())),
    };
    let (cost, heuristic) = match ahead {
        GoalOutlook::Cheapest(way) => (Some(way.cost), None),
        GoalOutlook::Plan(way, heuristic) => (Some(way.cost), Some(heuristic.clone())),
        GoalOutlook::AtLeast(bound, heuristic, _) => (Some(*bound), heuristic.clone()),
        GoalOutlook::DeadEnd(_) | GoalOutlook::Unknown(_) => (None, None),
    };
    AheadData {
        known,
        cost: cost.map(Number::from),
        heuristic,
        path: ahead.way().map(|way| way.path.iter().map(|mv| term(session, mv)).collect()),
        reason,
    }
}

/// How a puzzle ended; `best` is what is known from its start.
pub fn result(session: &Session, puzzle: &Puzzle, best: Option<&GoalOutlook>) -> PuzzleResult {
    PuzzleResult {
        outcome: if puzzle.now().goal { "solved" } else { "unfinished" },
        start: term(session, puzzle.start()),
        state: term(session, &puzzle.now().state),
        moves: puzzle.moves().map(|mv| term(session, mv)).collect(),
        cost: puzzle.cost().into(),
        best: best.map(|best| ahead(session, best)),
    }
}
