//! How many of a policy's likeliest moves are optimal: [`share`].

use super::policy::Policy;
use super::rule::Rule;
use crate::game::expected::Expected;
use crate::game::graph::{Graph, NodeId};
use crate::game::interface::CHANCE;
use crate::game::solved::Solved;
use crate::game::value::Value;
use crate::space::Row;
use rustc_hash::FxHashSet;

/// In how many states the likeliest moves are all optimal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// States that can be reached and where a player has a move.
    pub states: u64,
    /// Those of them whose likeliest moves are optimal.
    pub right: u64,
    /// States in which some moves are optimal and others are not.
    pub choices: u64,
    /// Those of them whose likeliest moves are optimal.
    pub right_choices: u64,
    /// States with a choice that were met.
    pub met: u64,
    /// Those of them whose likeliest moves are optimal.
    pub right_met: u64,
}

/// Whether each move of a solved node where a player is to move keeps the node's value. Where
/// values are means, whether none can be told to be better.
pub fn good_moves<S: Row, V: Value>(
    graph: &Graph<S, V>,
    solved: &Solved<V>,
    node: NodeId,
) -> Vec<bool> {
    let (player, edges) = (graph.player(node), graph.known_edges(node));
    if let Some(value) = solved.value(graph, node) {
        let keeps = |to| solved.value_to(graph, to, player) == Some(value);
        return edges.iter().map(|edge| keeps(edge.to)).collect();
    }
    let means: Vec<Option<Expected>> =
        edges.iter().map(|edge| solved.mean_to(graph, edge.to, player)).collect();
    let Some(best) = means.iter().flatten().max() else { return vec![false; edges.len()] };
    let good = |mean: &Expected| match solved.error(node) {
        None => mean == best,
        Some(error) => best.as_f64() - mean.as_f64() <= 2.0 * error,
    };
    means.iter().map(|mean| mean.as_ref().is_some_and(good)).collect()
}

/// Compares a policy with what is solved from a node on; states that share a box count once.
pub fn share<S: Row, V: Value>(
    policy: &Policy<S>,
    rule: &Rule,
    key: impl Fn(&S) -> S,
    graph: &Graph<S, V>,
    solved: &Solved<V>,
    root: NodeId,
) -> Share {
    let mut found = Share::default();
    let (mut nodes, mut seen) = (vec![root], FxHashSet::from_iter([root]));
    let mut keys = FxHashSet::default();
    while let Some(node) = nodes.pop() {
        let edges = graph.known_edges(node);
        nodes.extend(edges.iter().map(|edge| edge.to).filter(|&to| seen.insert(to)));
        let state = key(&graph.state(node));
        if edges.is_empty() || graph.player(node) == CHANCE || !keys.insert(state.clone()) {
            continue;
        }
        let good = good_moves(graph, solved, node);
        let met = policy.get(&state);
        let right = match met {
            Some(moves) => rule.likeliest(moves).into_iter().all(|at| good[at]),
            None => good.iter().all(|&good| good),
        };
        let choice = u64::from(good.iter().any(|&good| !good));
        let (right, met) = (u64::from(right), u64::from(met.is_some()));
        found.states += 1;
        found.right += right;
        found.choices += choice;
        found.right_choices += choice * right;
        found.met += choice * met;
        found.right_met += choice * met * right;
    }
    found
}
