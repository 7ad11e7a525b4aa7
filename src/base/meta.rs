//! What a base is about: [`Meta`].

use serde::{Deserialize, Serialize};

/// The format that this version reads and writes. Bases of format 1 don't say on what the plans in them
/// rest, nor on which utilities the values.
pub const FORMAT: u32 = 2;

/// What a base is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The version of zug that made it.
    pub zug: String,
    /// The rule file it was made of.
    pub rules: String,
    /// The fingerprint of what the rules mean, 32 hexadecimal digits.
    pub fingerprint: String,
    /// What was kept, from where.
    pub starts: Vec<Start>,
    /// Players who take turns; 0 if no positions are kept.
    pub players: usize,
    /// States stand for those that are symmetrical to them.
    pub symmetry: bool,
    /// No shape is added any more.
    pub shapes_full: bool,
    /// Positions of a game.
    pub positions: RecordCounts,
    /// States of a puzzle.
    pub costs: RecordCounts,
}

/// Where a search began whose states are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "BaseStart"))]
pub struct Start {
    /// The instance, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instance: Option<String>,
    /// The player to move, in a game.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub player: Option<String>,
    /// The state.
    pub state: String,
    /// How it was found: an engine, or `enumerate`.
    pub by: String,
    /// All of it is there.
    pub complete: bool,
}

/// Numbers of records by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordCounts {
    /// All of them.
    pub all: u64,
    /// Worth more than nothing to who is to move; of a puzzle, those from which it can be solved.
    pub won: u64,
    /// Worth nothing.
    pub drawn: u64,
    /// Worth less than nothing; of a puzzle, those from which it can't be solved.
    pub lost: u64,
    /// Where chance moves.
    pub chance: u64,
    /// The greatest distance from the end.
    pub largest_distance: Option<u32>,
}

impl Meta {
    /// Whether all that was to be kept is there.
    pub fn is_complete(&self) -> bool {
        self.starts.iter().all(|start| start.complete)
    }

    /// Notes a start, which may be there already.
    pub fn note(&mut self, start: Start) {
        let same = |known: &&mut Start| {
            (&known.player, &known.state) == (&start.player, &start.state)
                && known.instance == start.instance
        };
        match self.starts.iter_mut().find(same) {
            Some(known) => *known = start,
            None => self.starts.push(start),
        }
    }
}
