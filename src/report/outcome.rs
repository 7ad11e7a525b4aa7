//! How searches end.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::fmt;

/// What stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// As many states were expanded as the limit allows.
    Nodes,
    /// Every path was followed as far as the limit of depth allows, and some go on.
    Depth,
    /// The time is over.
    Time,
    /// The limit of memory is reached, or the states can no longer be numbered in 32 bits.
    Memory,
    /// Rules have made as many inferences as the limit allows.
    Inferences,
    /// Somebody cancelled it.
    Cancelled,
    /// The beam ran empty after it had discarded states.
    Width,
    /// The heuristic says of a state that no goal can be reached from it, and one can: that
    /// nothing is left to be searched says nothing.
    Heuristic,
    /// A game came back to a state it had been in, and the engine was to follow every play to
    /// its end.
    Cycle,
}

impl StopReason {
    /// In the order of the variants, with their names.
    const NAMES: [(StopReason, &str); 9] = [
        (Self::Nodes, "nodes"),
        (Self::Depth, "depth"),
        (Self::Time, "time"),
        (Self::Memory, "memory"),
        (Self::Inferences, "inferences"),
        (Self::Cancelled, "cancelled"),
        (Self::Width, "width"),
        (Self::Heuristic, "heuristic"),
        (Self::Cycle, "cycle"),
    ];
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize].1)
    }
}

impl Serialize for StopReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for StopReason {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StopReason".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Which limit stopped a search; heuristic: it declared a state hopeless \
                from which a goal can be reached.",
            "enum": Self::NAMES.map(|(_, name)| name),
        })
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A path to a goal was found. The [`Claim`](crate::Claim) says whether none is cheaper.
    Solved,
    /// Nothing is left to be searched: no goal can be reached from the start, as far as the
    /// [`Claim`](crate::Claim) says.
    Exhausted,
    /// The search ended before it could tell.
    Stopped(StopReason),
}

impl Outcome {
    /// `solved`, `exhausted` or `stopped`.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Solved => "solved",
            Outcome::Exhausted => "exhausted",
            Outcome::Stopped(_) => "stopped",
        }
    }

    /// What stopped it.
    pub fn reason(self) -> Option<StopReason> {
        match self {
            Outcome::Stopped(reason) => Some(reason),
            Outcome::Solved | Outcome::Exhausted => None,
        }
    }
}

/// How the search of a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// The value asked for was found.
    Solved,
    /// A limit struck. What is known by then is in the report: the value at a smaller depth,
    /// or nothing.
    Stopped(StopReason),
}

impl GameOutcome {
    /// `solved` or `stopped`.
    pub fn name(self) -> &'static str {
        match self {
            GameOutcome::Solved => "solved",
            GameOutcome::Stopped(_) => "stopped",
        }
    }

    /// What stopped it.
    pub fn reason(self) -> Option<StopReason> {
        match self {
            GameOutcome::Stopped(reason) => Some(reason),
            GameOutcome::Solved => None,
        }
    }
}

/// Two fields: `outcome`, a word, and `reason`, which limit stopped it, else null.
fn ended<S: Serializer>(
    serializer: S,
    (name, reason): (&'static str, Option<StopReason>),
) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_struct("Outcome", 2)?;
    fields.serialize_field("outcome", name)?;
    fields.serialize_field("reason", &reason)?;
    fields.end()
}

/// The schema of [`ended`].
#[cfg(feature = "schema")]
fn ended_schema(
    generator: &mut schemars::SchemaGenerator,
    names: &[&'static str],
) -> schemars::Schema {
    let mut reason = generator.subschema_for::<Option<StopReason>>();
    reason.insert("description".to_owned(), "Which limit stopped it.".into());
    schemars::json_schema!({
        "type": "object",
        "properties": {"outcome": {"enum": names, "description": "How it ended."}, "reason": reason},
        "required": ["outcome", "reason"],
    })
}

/// As two fields, to be flattened into a report: `outcome` and `reason`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ended(serializer, (self.name(), self.reason()))
    }
}

/// As two fields, to be flattened into a report: `outcome` and `reason`.
impl Serialize for GameOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ended(serializer, (self.name(), self.reason()))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Outcome {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Outcome".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let all = [Outcome::Solved, Outcome::Exhausted, Outcome::Stopped(StopReason::Time)];
        ended_schema(generator, &all.map(Outcome::name))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for GameOutcome {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "GameOutcome".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let all = [GameOutcome::Solved, GameOutcome::Stopped(StopReason::Time)];
        ended_schema(generator, &all.map(GameOutcome::name))
    }
}

/// Where in the rules a limit struck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoppedIn<T> {
    /// The contract predicate that was asked, as `rule/4`.
    pub predicate: &'static str,
    /// The state it was asked about.
    pub state: T,
    /// The file and line of the call that came again and again, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl<T> StoppedIn<T> {
    /// The same with terms in another form.
    pub fn map<U>(&self, term: impl FnOnce(&T) -> U) -> StoppedIn<U> {
        StoppedIn { predicate: self.predicate, state: term(&self.state), at: self.at.clone() }
    }
}
