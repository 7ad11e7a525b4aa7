//! What layers take that are decision diagrams.

use serde::Serialize;

/// The diagrams of a space of which no state was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiagramUse {
    /// The number of nodes of each layer.
    pub nodes: Vec<u64>,
    /// The most nodes that there were at a time, with those of no use that were not yet collected.
    pub peak_nodes: u64,
}
