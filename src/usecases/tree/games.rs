//! What an engine for games did.
//!
//! The engine runs once for what it finds. Of alpha-beta the tree is that of the textbook ([`textbook`]),
//! proof-number search and Monte Carlo hand out theirs, and of the engines that follow every play to a depth
//! the tree is made a second time ([`valued`]).

use super::builder::{Builder, hidden};
use super::plain::Unfolding;
use super::prospects::{sum_remark, value_shown};
use super::report::{Size, TreeReport};
use super::windows;
use super::{TreeRequest, valued};
use zug_domain::game::{GameSpace, Table, with_plain_game};
use zug_domain::{Packed, RuleError};
use zug_prolog::session::Session;
use zug_search::game::{
    Expected, Game, GameEngine, Halt, NodeId, PlayersAllowed, mcts, pns, textbook,
};
use zug_search::{Limits, StateId, StopReason};
use zug_term::Record;

/// Nodes of a search that are kept.
const MOST_NODES: usize = 200_000;

/// What a tree came to: it may have been stopped.
pub(super) type TreeResult = Result<TreeReport, StopReason>;

/// The tree of an engine from a state.
///
/// # Errors
/// An error in a rule.
pub(super) fn tree(
    session: &mut Session,
    request: &TreeRequest,
    engine: GameEngine,
    start: (&Record, Option<&Record>),
) -> Result<TreeResult, Box<RuleError>> {
    let (m, w) = (&mut session.machine, &mut session.world);
    let (state, player) = start;
    with_plain_game(m, w, &request.limits, |table| {
        let at = table.position(player, state)?;
        table.weigh()?;
        if engine.info().players != PlayersAllowed::Any {
            table.must_not_be_apart(engine.info().name)?;
        }
        let limits = table.limits.clone();
        match engine {
            GameEngine::Alphabeta => windowed(table, &at, request, &limits),
            GameEngine::Pns => proved(table, &at, request, &limits),
            GameEngine::Mcts => tried(table, &at, request, &limits),
            GameEngine::SolveGame | GameEngine::Playouts => {
                let mut request = request.clone();
                if engine == GameEngine::Playouts {
                    request.limits.depth = Some(1);
                }
                let plain = Unfolding { request: &request, symmetry: None };
                plain.report(&mut GameSpace::of(&mut table.game), &at, &limits)
            }
            _ => valued::tree(&mut GameSpace::of(&mut table.game), &at, engine, request, &limits),
        }
    })
}

/// A limit, or the failure of a rule.
fn ended<T>(result: Result<T, Halt>) -> Result<Result<T, StopReason>, Box<RuleError>> {
    match result {
        Ok(found) => Ok(Ok(found)),
        Err(Halt::Stop(reason)) => Ok(Err(reason)),
        Err(Halt::Fail(failure)) => Err(failure.into()),
    }
}

fn windowed(
    table: &mut Table<'_>,
    start: &Packed,
    request: &TreeRequest,
    limits: &Limits,
) -> Result<TreeResult, Box<RuleError>> {
    let found = textbook::tree(&mut table.game, start, request.limits.depth, limits, MOST_NODES);
    let mut space = GameSpace::of(&mut table.game);
    Ok(ended(found)?.map(|found| windows::tree(&mut space, &found, request)))
}

/// A node to be drawn: parents come before their children.
struct DrawnNode {
    state: NodeId,
    parent: usize,
    mv: Option<StateId>,
    path: bool,
    notes: Vec<(&'static str, String)>,
}

/// A tree of nodes in the order of their generation, of which the first and the line of best play are drawn.
fn drawn(
    table: &mut Table<'_>,
    nodes: &[DrawnNode],
    request: &TreeRequest,
    says: impl Fn(usize, &str) -> String,
) -> TreeReport {
    let late = nodes.iter().skip(request.most_nodes()).filter(|node| node.path).count();
    let first = request.most_nodes().saturating_sub(late).max(1);
    let is_drawn: Vec<bool> =
        nodes.iter().enumerate().map(|(at, node)| at < first || node.path).collect();
    let mut hidden = hidden(&is_drawn, |at| nodes[at].parent);
    let mut builder = Builder::default();
    let mut step = 0;
    let mut above = None;
    // The nodes of the tree; those that are not drawn have none.
    let mut made = vec![0; nodes.len()];
    for (at, shown) in nodes.iter().enumerate().filter(|(at, _)| is_drawn[*at]) {
        let state = table.graph.state(shown.state);
        let mut space = GameSpace::of(&mut table.game);
        // Asked about before, so this can't fail now.
        let over = space.0.is_over(&state).unwrap_or(false);
        let state = builder.state(&mut space, &state, over);
        let parent = (at > 0).then(|| made[shown.parent]);
        if let Some(from) = parent.filter(|_| parent != above) {
            above = parent;
            let term = builder.term(from);
            step = builder.expand(from, |order| format!("{order}: {}", says(shown.parent, &term)));
        }
        let node = builder.node(state, parent, step);
        made[at] = node;
        for (name, value) in &shown.notes {
            builder.note(node, name, value.clone(), step);
        }
        builder.report.nodes[node].path = shown.path;
        builder.report.nodes[node].hidden = hidden[at].take();
        if let (Some(parent), Some(mv)) = (parent, shown.mv) {
            builder.edge(&mut space, (parent, node), &[mv]);
        }
    }
    builder.path_edges();
    let mut report = builder.finish(&mut GameSpace::of(&mut table.game));
    report.size = Size::Exact(nodes.len().to_string());
    report
}

fn proved(
    table: &mut Table<'_>,
    start: &Packed,
    request: &TreeRequest,
    limits: &Limits,
) -> Result<TreeResult, Box<RuleError>> {
    let found = pns::proof_tree(&mut table.game, table.graph, start, limits);
    let tree = match ended(found)? {
        Ok(tree) => tree,
        Err(reason) => return Ok(Err(reason)),
    };
    let number = |number: Option<u32>| number.map_or("∞".to_owned(), |number| number.to_string());
    // Expansions one after the other: the children of a node lie together.
    let nodes: Vec<DrawnNode> = tree
        .nodes
        .iter()
        .map(|node| DrawnNode {
            state: node.state,
            parent: node.parent as usize,
            mv: node.mv,
            path: false,
            notes: vec![("pn", number(node.proof)), ("dn", number(node.disproof))],
        })
        .collect();
    let mut report = drawn(table, &nodes, request, |_, term| {
        format!("{term} is expanded, where a proof or a disproof needs the fewest leaves")
    });
    let whose = if tree.own { "wins" } else { "loses" };
    let root = report.states.first().and_then(|state| report.players.get(state.player?));
    let name = root.map(|player| player.text.clone()).unwrap_or_default();
    report.remarks.push(format!("To be proved: {name} {whose}. pn: leaves that must still be won for a proof, dn: lost for a disproof, at the end of the search."));
    Ok(Ok(report))
}

fn tried(
    table: &mut Table<'_>,
    start: &Packed,
    request: &TreeRequest,
    limits: &Limits,
) -> Result<TreeResult, Box<RuleError>> {
    let sampling = &request.sampling;
    let most = MOST_NODES;
    let found = mcts::tried_tree(&mut table.game, table.graph, start, sampling, limits, most);
    let tree = match ended(found)? {
        Ok(tree) => tree,
        Err(reason) => return Ok(Err(reason)),
    };
    let nodes: Vec<DrawnNode> = tree
        .iter()
        .map(|node| {
            let mean = table.game.meant(Expected::Float(node.mean));
            let mean = value_shown(&mean) + if node.settled { " proved" } else { "" };
            DrawnNode {
                state: node.state,
                parent: node.parent,
                mv: node.mv,
                path: node.best && request.marks.pv,
                notes: vec![("n", node.tries.to_string()), ("mean", mean)],
            }
        })
        .collect();
    let mut report = drawn(table, &nodes, request, |_, term| format!("the moves tried in {term}"));
    let words = "n: how often a move was tried; mean: what came of it, for who made it. Level by \
                 level, not in the order of the plays.";
    report.remarks.push(words.to_owned());
    report.remarks.extend(sum_remark(&table.game));
    Ok(Ok(report))
}
