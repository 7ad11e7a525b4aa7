//! The options of `tree`.

use super::{Form, Marks, TreeRequest};
use zug_options::{Rejected, Row, SetResult, row};
use zug_search::options::DEPTH as SEARCHED;

/// The engine.
pub static ENGINE: [Row<TreeRequest>; 1] = [row!(
    text("engine", "NAME", "The engine whose search is drawn, instead of a goal") => Some(TreeRequest.engine)
)];

/// The state in the place of an instance, and who is to move.
pub static STATE: [Row<TreeRequest>; 2] = [
    row!(
        term_text("player", "TERM", "The player to move, in a game [default: the initial player]")
            => Some(TreeRequest.player)
    ),
    row!(term_text("state", "TERM", "The state to start from") => Some(TreeRequest.state))
        .conflicts(&["instance"]),
];

/// The heuristic and the instance.
pub static PLACE: [Row<TreeRequest>; 2] = [
    row!(
        text("heuristic", "NAME", "The heuristic, if the file has several [default: the first]")
            => Some(TreeRequest.heuristic)
    ),
    row!(
        text(
            "instance", "NAME",
            "The instance, if the file has several: its name, or its number [default: the first]",
        ) => Some(TreeRequest.instance)
    )
    .alias("instances"),
];

/// How deep a tree is.
pub static DEPTH: [Row<zug_search::Limits>; 1] =
    [SEARCHED.help("How deep to go; of an engine, how deep it searches")];

/// What is made of states that occur more than once, and how many nodes are drawn.
pub static FORM: [Row<TreeRequest>; 6] = [
    Row::flag(
        "full",
        "Draw every occurrence of a state with all that is below it [default]",
        |to: &mut TreeRequest, on| to.form(on, Form::Full),
    ),
    Row::flag(
        "truncate",
        "Draw what is below a state once, and an ellipsis where it comes again",
        |to: &mut TreeRequest, on| to.form(on, Form::Truncated),
    )
    .conflicts(&["full"]),
    Row::flag("graph", "Draw every state once, as a graph", |to: &mut TreeRequest, on| {
        to.form(on, Form::Graph)
    })
    .conflicts(&["full", "truncate"]),
    row!(
        flag("symmetry", "Take symmetrical states for one, by symmetry(S1, S2) or mirrored(S1, S2)")
            => TreeRequest.symmetry
    ),
    row!(
        flag(
            "all",
            "Draw all of it, however large: up to 20000 nodes, or --max-nodes [default: what fits a page, or the \
             terminal; nodes say how many more there are below them]",
        ) => TreeRequest.all
    ),
    Row::count(
        "max-nodes",
        "N",
        "Draw this many nodes at most, however large that is [default: 500, of a page 2000]",
        |to: &mut TreeRequest, nodes| {
            if nodes == 0 {
                return Rejected::out_of_range();
            }
            to.max_nodes = Some(usize::try_from(nodes).unwrap_or(usize::MAX));
            Ok(())
        },
    )
    .wants("there is a root at least"),
];

/// What is marked.
pub static MARKS: [Row<TreeRequest>; 1] =
    [Row::names("highlight", "WHAT", "What is marked", |to: &mut TreeRequest, all| {
        let has = |what: &str| all.iter().any(|word| word == what);
        to.marks = Marks {
            pv: has("pv"),
            winning: has("winning"),
            winner: has("winner"),
            pruned: has("pruned"),
            path: has("path"),
        };
        Ok(())
    })
    .words(&[
        ("pv", "The line of best play"),
        ("winning", "States that are won or lost for the player to move"),
        ("winner", "The same by who wins, whoever is to move"),
        ("pruned", "What a search left out"),
        ("path", "The path to a goal"),
        ("none", "Nothing"),
    ])
    .default("pv,winning,pruned,path")];

impl TreeRequest {
    /// Sets the form, if it is wanted.
    fn form(&mut self, on: bool, form: Form) -> SetResult {
        if on {
            self.form = form;
        }
        Ok(())
    }
}
