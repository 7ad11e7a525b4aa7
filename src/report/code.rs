//! How much of a search ran by code made from the rules.

use crate::stats::seconds;
use serde::Serialize;
use std::time::Duration;

/// What answered the questions that a search asked the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeUse {
    /// Questions that code made from the rules answered.
    pub by_code: u64,
    /// Questions that the machine answered.
    pub by_machine: u64,
    /// Time that making code took, in seconds.
    #[serde(rename = "making_seconds", serialize_with = "seconds")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub making: Duration,
    /// What stood in the way of code, the most frequent first.
    pub reasons: Vec<CodeReason>,
}

/// Something that stood in the way of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeReason {
    /// The contract predicate, as `rule/4`.
    pub predicate: &'static str,
    /// Goal, place, and what is wrong with it.
    pub reason: String,
    /// Questions that the machine answered for it.
    pub questions: u64,
}
