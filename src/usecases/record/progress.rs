//! How far a command is, as data.

use crate::train::CurveRecord;
use serde::Serialize;
use std::time::Duration;
use zug_domain::game::training::TrainingProgress;
use zug_domain::judge::ComparisonProgress;
use zug_report::round_seconds;
use zug_search::game::GameProgress;

/// How far a command is. Fields that don't belong to a command are left out.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Progress {
    /// Time since the search or the command began, in seconds.
    pub elapsed_seconds: f64,
    /// States whose successors were generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<u64>,
    /// Successors generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated: Option<u64>,
    /// No path is cheaper than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The value of the best solution of a model so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Moves from the start, or the depth that is being searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Bytes held now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<usize>,
    /// Nodes of a game's search, or of one search of a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// States of a game that were asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Searches, games or files that are done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
    /// How many there are of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// Games of a training that the learner won; where it plays all sides, who begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wins: Option<u64>,
    /// Games of a training without a winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<u64>,
    /// Games of a training that were lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub losses: Option<u64>,
    /// The last evaluation of what was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<CurveRecord>,
    /// The engine at work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Its heuristic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<String>,
    /// The instance it works on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Rounds played of a repeated game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
}

impl From<&zug_search::Progress> for Progress {
    fn from(state: &zug_search::Progress) -> Progress {
        Progress {
            elapsed_seconds: round_seconds(state.elapsed),
            expanded: Some(state.expanded),
            generated: Some(state.generated),
            bound: state.lower_bound.filter(|bound| bound.is_finite()),
            depth: Some(state.depth),
            memory_bytes: Some(state.memory_bytes),
            ..Progress::default()
        }
    }
}

impl From<&GameProgress> for Progress {
    fn from(state: &GameProgress) -> Progress {
        Progress {
            elapsed_seconds: round_seconds(state.elapsed),
            nodes: Some(state.nodes),
            states: Some(state.states),
            depth: state.depth,
            memory_bytes: Some(state.memory_bytes),
            ..Progress::default()
        }
    }
}

impl Progress {
    /// How far a comparison is.
    pub fn compared(standing: &ComparisonProgress<'_>, elapsed: Duration) -> Progress {
        Progress {
            elapsed_seconds: round_seconds(elapsed),
            done: Some(standing.done as u64),
            of: Some(standing.all as u64),
            engine: Some(standing.engine.to_owned()),
            heuristic: standing.heuristic.map(str::to_owned),
            instance: Some(standing.instance.to_owned()),
            nodes: Some(standing.nodes),
            ..Progress::default()
        }
    }

    /// How many of so many are done.
    pub fn counted(done: u64, of: u64, elapsed: Duration) -> Progress {
        Progress {
            elapsed_seconds: round_seconds(elapsed),
            done: Some(done),
            of: Some(of),
            ..Progress::default()
        }
    }

    /// How far a training is, which ends after so many games.
    pub fn trained(now: &TrainingProgress<'_>, of: u64, elapsed: Duration) -> Progress {
        Progress {
            wins: Some(now.tally.wins),
            draws: Some(now.tally.draws),
            losses: Some(now.tally.losses),
            evaluation: now.curve.last().map(CurveRecord::from),
            ..Progress::counted(now.games, of, elapsed)
        }
    }

    /// How many rounds were played.
    pub fn rounds(rounds: u64, elapsed: Duration) -> Progress {
        Progress {
            elapsed_seconds: round_seconds(elapsed),
            rounds: Some(rounds),
            ..Progress::default()
        }
    }
}
