//! A tree as data: states, nodes, edges, and the steps of a search.

use crate::record::TermData;
use serde::Serialize;
use zug_report::{Claims, Number, StopReason};
use zug_term::Record;

/// What is made of states that occur more than once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Every occurrence has a subtree of its own.
    #[default]
    Full,
    /// The first occurrence has a subtree; where the state comes again there is an ellipsis.
    Truncated,
    /// Equal states are one node.
    Graph,
}

/// What exact play from a state comes to for the player to move, or for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Prospect {
    /// That player wins.
    Win,
    /// That player loses.
    Loss,
    /// Neither.
    Draw,
}

/// A state, once for all nodes that show it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeState {
    /// The term.
    pub term: TermData,
    /// The player to move in a game, an index into `players`.
    pub player: Option<usize>,
    /// It is a goal; or the game is over.
    pub end: bool,
    /// What exact play comes to, where that is known and asked for.
    pub prospect: Option<Prospect>,
    /// The term itself.
    #[serde(skip)]
    pub record: Record,
    /// The player to move, as a term.
    #[serde(skip)]
    pub mover: Option<Record>,
}

/// What kind of node it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// A state with all that is drawn below it.
    State,
    /// A state that is drawn elsewhere, at the node of this number.
    Again(usize),
    /// A state that a search left out.
    Pruned,
}

/// Something known of a node, as `f = 5`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Note {
    /// What it is called.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// The step after which it is known.
    pub step: usize,
    /// Shown in the node itself; else only among its details.
    pub shown: bool,
}

/// A node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeNode {
    /// The state, an index into `states`.
    pub state: usize,
    /// The node above; none for the root and in a graph.
    pub parent: Option<usize>,
    /// Moves from the root.
    pub depth: u32,
    /// What kind of node it is.
    pub kind: NodeKind,
    /// How many nodes below it are not drawn: a number, or `?`.
    pub hidden: Option<String>,
    /// It lies on the path, or line of best play, that was found.
    pub path: bool,
    /// The step in which it comes into being.
    pub step: usize,
    /// The place among the expansions, from 1, if it was expanded.
    pub order: Option<usize>,
    /// The step in which it was expanded.
    pub done: Option<usize>,
    /// What the search knows of it.
    pub notes: Vec<Note>,
}

/// An edge.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeEdge {
    /// The node it leaves.
    pub from: usize,
    /// The node it leads to.
    pub to: usize,
    /// The moves, one mostly.
    pub moves: Vec<TermData>,
    /// What the move costs, in a puzzle where that is not always 1; how likely it is, where
    /// chance moves.
    pub cost: Option<String>,
    /// It lies on the path, or line of best play, that was found.
    pub path: bool,
}

/// A step of a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// The node it is about.
    pub node: usize,
    /// What is done.
    pub text: String,
}

/// A tree.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeReport {
    /// The rule file.
    pub file: String,
    /// What it is, in words: the engine, or the domain unfolded.
    pub title: String,
    /// The engine, if it is the tree of a search.
    pub engine: Option<String>,
    /// Wins are those of the first player, losses of the second, whoever is to move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_winner: bool,
    /// What is made of states that occur more than once.
    pub form: Form,
    /// How deep it goes at most, if there is a bound.
    pub depth: Option<u32>,
    /// What the search found, in words.
    pub outcome: Option<String>,
    /// The limit that stopped the search.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
    /// The players of a game in order of turns; one more for chance, if it moves.
    pub players: Vec<TermData>,
    /// The states that occur.
    pub states: Vec<TreeState>,
    /// The nodes; the root is the first, and parents come before their children.
    pub nodes: Vec<TreeNode>,
    /// The edges; in a tree one for each node but the root, in the order of nodes.
    pub edges: Vec<TreeEdge>,
    /// What happens one after the other.
    pub steps: Vec<Step>,
    /// How many nodes there would be if none were hidden: a number, `more than` one, or
    /// `endless`.
    pub size: Size,
    /// Whether the path that a search for a puzzle found is a cheapest one.
    #[serde(flatten)]
    pub claim: Option<Claims<TermData>>,
    /// What the reader of the tree has to know: that it is cut, and how to see more.
    pub remarks: Vec<String>,
    /// How many of the remarks, the last ones, are about the size.
    #[serde(skip)]
    pub size_remarks: usize,
}

/// How many nodes there are, drawn or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// So many, exactly; as text, since it may be any number.
    Exact(String),
    /// More than so many.
    More(String),
    /// There is no end of them.
    #[default]
    Endless,
}

/// A cost as it is shown: 5 rather than 5.0.
pub(super) fn cost_text(cost: impl Into<Number>) -> String {
    match cost.into() {
        Number::Float(value) if value.fract() == 0.0 && value.abs() < 1e15 => {
            format!("{}", value as i64)
        }
        cost => cost.to_string(),
    }
}

impl TreeReport {
    /// The children of each node, in order; in a graph those below it.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(at);
            }
        }
        children
    }
}
