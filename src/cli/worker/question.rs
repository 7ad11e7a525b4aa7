//! What the page asks.

use super::at_once::RoundRequest;
use serde::Deserialize;

/// A question about a rule file.
#[derive(Debug, Deserialize)]
pub struct Question {
    /// The file, from the folder of the server.
    pub file: String,
    /// What is read in the place of what it has: it is being edited.
    #[serde(default)]
    pub text: Option<String>,
    /// The text comes from a link: it runs in the sandbox, whatever the server was told.
    #[serde(default)]
    pub shared: bool,
    /// Time for it.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// What to do.
    #[serde(flatten)]
    pub task: Task,
}

/// What to do with it.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Task {
    /// Say what it is: kind, instances, players, engines.
    Open,
    /// Show what a gallery has of it: kind, title, first board.
    Preview,
    /// List the templates of new files.
    Templates,
    /// Show a state with its moves.
    Look(At),
    /// Make a move for whoever is to move.
    Machine {
        /// Where.
        #[serde(flatten)]
        at: At,
        /// Who moves, as `level:5`.
        agent: String,
        /// The seed of what happens at random.
        seed: u64,
    },
    /// Play a round of a game in which all choose at once.
    Round(RoundRequest),
    /// Say the best move, and what is known of the way from here.
    Hint(At),
    /// Say what each move comes to.
    Values(At),
    /// Find a plan, a value, solutions, equilibria.
    Solve {
        /// Where.
        #[serde(flatten)]
        at: At,
        /// The engine; the usual one if none is named.
        engine: Option<String>,
        /// The heuristic; the first if none is named.
        heuristic: Option<String>,
        /// How deep to look.
        depth: Option<u32>,
    },
    /// Answer a query, one answer after the other.
    Query {
        /// Where goals without a start begin.
        #[serde(flatten)]
        at: At,
        /// The goal.
        goal: String,
    },
    /// Find mistakes.
    Check,
    /// Run engines beside each other.
    Compare(Compare),
    /// Draw the tree of a search.
    Tree(Tree),
}

/// A state: the one given, or an instance.
#[derive(Debug, Default, Deserialize)]
pub struct At {
    /// The instance; the first if none is named.
    pub instance: Option<String>,
    /// The state in its place, as a term.
    pub state: Option<String>,
    /// Who is to move, in a game.
    pub player: Option<String>,
}

/// Which engines are compared.
#[derive(Debug, Deserialize)]
pub struct Compare {
    /// Where.
    #[serde(flatten)]
    pub at: At,
    /// The engines; the usual ones if none are named.
    #[serde(default)]
    pub engines: Vec<String>,
    /// Starts made by walks at random, besides.
    #[serde(default)]
    pub random: u64,
    /// Expansions of each search.
    pub nodes: Option<u64>,
}

/// Which tree is drawn.
#[derive(Debug, Deserialize)]
pub struct Tree {
    /// Where.
    #[serde(flatten)]
    pub at: At,
    /// The engine; all moves if none is named.
    pub engine: Option<String>,
    /// The heuristic.
    pub heuristic: Option<String>,
    /// How deep.
    pub depth: Option<u32>,
    /// Nodes that are drawn.
    pub nodes: Option<usize>,
    /// Equal states are one node.
    #[serde(default)]
    pub graph: bool,
}
