//! Symmetries that a search goes by.

use serde::Serialize;

/// Symmetries of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Symmetries {
    /// Renamings of the parts of a state and of their values under which the rules stay the same, with the one
    /// that changes nothing: as many as states are compared by; 1 if they were asked for and none was found.
    pub renamings: u64,
    /// They are all there are.
    pub all: bool,
}
