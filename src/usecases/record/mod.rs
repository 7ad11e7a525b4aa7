//! What `--format json` and `jsonl` say: records as plain data.
//!
//! Every record is one JSON object with `"schema": "zug/2"` and `"record"`, its kind. A stream
//! begins with a [`Start`] and ends with an [`End`], whatever happens between them; the schema
//! in `docs/schema/zug-2.json` describes all of them, and `docs/json.md` explains them. A
//! field keeps its name and meaning as long as the schema keeps its number; new fields make
//! a new schema, for it is strict.
//!
//! Writing the records is the business of the command line; nothing here prints.

mod answer;
mod finding;
pub mod games;
mod progress;
pub mod puzzles;
#[cfg(feature = "schema")]
mod schema;
mod term;
#[cfg(test)]
mod tests;

pub use answer::{Bindings, stop_of};
pub use finding::{Call, Finding, Place, calls};
pub use progress::Progress;
pub use term::{DEPTH, NODES, TEXT, TermData, put_term};

use serde::Serialize;
use std::collections::BTreeMap;
use zug_report::Seed;

/// The name and number of the schema, in every record.
pub const SCHEMA: &str = "zug/2";

/// The first record: what is about to be done.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Start {
    /// The version of zug.
    pub version: &'static str,
    /// The command, as `solve`; none if there is no such command.
    pub command: Option<String>,
    /// The rule files, as they were given.
    pub files: Vec<String>,
    /// The options that were given, and other arguments, as they were typed.
    pub options: BTreeMap<String, OptionValue>,
    /// The seed of what happens at random, where the command has one.
    pub seed: Option<Seed>,
}

/// An option as it was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum OptionValue {
    /// A switch.
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    Flag(bool),
    /// One value.
    One(String),
    /// Several values.
    Many(Vec<String>),
}

/// The last record: how it ended.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "EndFields", transform = schema::ends))]
pub struct End {
    /// In a word; see `docs/json.md`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = schema::outcomes())))]
    pub outcome: &'static str,
    /// Which limit stopped it, as `time`; none if no limit did.
    pub reason: Option<String>,
    /// The exit code of the process.
    pub exit: u8,
    /// Wall-clock time since the start, in seconds.
    pub elapsed_seconds: f64,
    /// Answers found, of a command that looks for answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<u64>,
    /// What `halt/1` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
    /// The error that ended it.
    pub error: Option<ErrorData>,
    /// What was found in the rule files.
    pub findings: Vec<Finding>,
    /// Findings beyond the most that are told.
    #[serde(skip_serializing_if = "is_zero")]
    pub findings_omitted: u64,
    /// Remarks, as they stand on standard error.
    pub notes: Vec<String>,
}

/// The error that ended a command.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorData {
    /// What kind of error, in a word: `no_such_instance`, `uncaught`; see `docs/json.md`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = schema::KINDS)))]
    pub kind: &'static str,
    /// What happened, in a sentence.
    pub message: String,
    /// Where, and what to do, if it has to do with a text.
    pub finding: Option<Finding>,
    /// The exception's term.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<TermData>,
    /// The calls that led to it, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// The names that could have been given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
}

impl ErrorData {
    /// An error of a kind, in words.
    pub fn new(kind: &'static str, message: impl Into<String>) -> ErrorData {
        ErrorData { kind, message: message.into(), ..ErrorData::default() }
    }
}

/// Whether a number need not be said.
pub fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// A record as text: one JSON object on one line, without the line's end. `data` is a struct;
/// its fields follow the record's kind.
pub fn line(kind: &str, data: &impl Serialize) -> String {
    let fields = fields(data);
    let comma = if fields.is_empty() { "" } else { "," };
    format!("{{\"schema\":\"{SCHEMA}\",\"record\":\"{kind}\"{comma}{fields}}}")
}

/// As [`line()`], for a record inside another one: without the schema's name.
pub fn inner(kind: &str, data: &impl Serialize) -> String {
    let fields = fields(data);
    let comma = if fields.is_empty() { "" } else { "," };
    format!("{{\"record\":\"{kind}\"{comma}{fields}}}")
}

/// The fields of a struct as JSON, without the braces.
pub fn fields(data: &impl Serialize) -> String {
    // Only maps with other keys than strings can fail, and what is no struct is a slip.
    let text = serde_json::to_string(data).unwrap_or_default();
    let fields = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    debug_assert!(fields.is_some(), "a record is an object: {text}");
    fields.unwrap_or_default().to_owned()
}
