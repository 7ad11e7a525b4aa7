//! A part of a graph laid out whole, and its links backwards.

use super::asking::Asking;
use super::graph::{Graph, GraphOf, NodeId, UNKNOWN};
use super::interface::Game;
use super::meter::{Halt, Meter};
use crate::fork::Crew;
use crate::space::Row;

/// The states that can be reached from a root but through those to be skipped, the root first,
/// nearer ones before others; their moves are known then. `own`: bytes held beside the graph,
/// altogether and for each of these states.
pub(super) fn lay_out<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: NodeId,
    skip: impl Fn(NodeId) -> bool,
    own: (usize, usize),
    meter: &mut Meter<'_>,
) -> Result<Vec<NodeId>, Halt> {
    let mut alone = Crew::alone();
    let mut asking = Asking::by(&mut alone, false);
    Ok(lay_out_some(game, graph, root, skip, own, usize::MAX, (&mut asking, meter))?.0)
}

/// As [`lay_out`], until there are more states than `most`; whether these are all.
pub(super) fn lay_out_some<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: NodeId,
    skip: impl Fn(NodeId) -> bool,
    own: (usize, usize),
    most: usize,
    (asking, meter): (&mut Asking<'_, G>, &mut Meter<'_>),
) -> Result<(Vec<NodeId>, bool), Halt> {
    let mut found = vec![root];
    let mut met = vec![false; graph.len()];
    met[root as usize] = true;
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        if found.len() > most {
            return Ok((found, false));
        }
        meter.visit(0)?;
        asking.first_of(game, graph, &found[next..], meter)?;
        next += 1;
        met.resize(graph.len(), false);
        for edge in graph.known_edges(node) {
            if !met[edge.to as usize] && !skip(edge.to) {
                met[edge.to as usize] = true;
                found.push(edge.to);
            }
        }
        meter.hold(graph, own.0 + found.len() * own.1)?;
    }
    Ok((found, true))
}

/// Links from the successors of some nodes back to them.
pub(super) struct Links {
    /// The successors and the nodes themselves, each once.
    pub children: Vec<NodeId>,
    /// Where the links of each node of the graph begin, or [`UNKNOWN`].
    first: Vec<u32>,
    /// How many links each has.
    count: Vec<u32>,
    /// Places among the nodes.
    links: Vec<u32>,
}

impl Links {
    pub fn of<S: Row, V>(graph: &Graph<S, V>, nodes: &[NodeId]) -> Self {
        let mut links = Self {
            children: Vec::new(),
            first: vec![UNKNOWN; graph.len()],
            count: vec![0; graph.len()],
            links: Vec::new(),
        };
        let meet = |links: &mut Self, node: NodeId| {
            if links.first[node as usize] == UNKNOWN {
                links.first[node as usize] = 0;
                links.children.push(node);
            }
        };
        for &node in nodes {
            meet(&mut links, node);
            for edge in graph.known_edges(node) {
                meet(&mut links, edge.to);
                links.count[edge.to as usize] += 1;
            }
        }
        let mut end = 0;
        for &child in &links.children {
            links.first[child as usize] = end;
            end += std::mem::take(&mut links.count[child as usize]);
        }
        links.links = vec![0; end as usize];
        for (&node, at) in nodes.iter().zip(0..) {
            for edge in graph.known_edges(node) {
                let to = edge.to as usize;
                links.links[(links.first[to] + links.count[to]) as usize] = at;
                links.count[to] += 1;
            }
        }
        links
    }

    /// The nodes, by place, with a move to this one; as often as they have one.
    pub fn before(&self, node: NodeId) -> &[u32] {
        let first = self.first[node as usize] as usize;
        &self.links[first..first + self.count[node as usize] as usize]
    }

    /// The nodes in an order where every one comes behind its successors; those on cycles,
    /// and all from which one is reached, are left out.
    pub fn order<S: Row, V>(&self, graph: &Graph<S, V>, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut is_new = vec![false; graph.len()];
        nodes.iter().for_each(|&node| is_new[node as usize] = true);
        let mut waiting: Vec<u32> = nodes
            .iter()
            .map(|&node| {
                let edges = graph.known_edges(node);
                edges.iter().filter(|edge| is_new[edge.to as usize]).count() as u32
            })
            .collect();
        let ready = nodes.iter().zip(&waiting).filter(|(_, waiting)| **waiting == 0);
        let mut order: Vec<NodeId> = ready.map(|(&node, _)| node).collect();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for &at in self.before(node) {
                waiting[at as usize] -= 1;
                if waiting[at as usize] == 0 {
                    order.push(nodes[at as usize]);
                }
            }
        }
        order
    }
}

/// Nodes in groups that lead to each other, a group behind all that it leads to (Tarjan 1972,
/// without recursion).
pub(super) fn groups<S: Row, V>(graph: &Graph<S, V>, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
    /// A node that is no part of it.
    const OUTSIDE: u32 = UNKNOWN;
    /// One that was not met yet.
    const NEW: u32 = UNKNOWN - 1;
    /// One whose group is done.
    const DONE: u32 = UNKNOWN - 2;
    let mut low = vec![OUTSIDE; graph.len()];
    nodes.iter().for_each(|&node| low[node as usize] = NEW);
    let (mut found, mut stack, mut path) = (Vec::new(), Vec::new(), Vec::new());
    let mut met = 0;
    for &root in nodes {
        if low[root as usize] != NEW {
            continue;
        }
        // The node, its number, and which of its edges is next.
        path.push((root, met, 0));
        low[root as usize] = met;
        stack.push(root);
        met += 1;
        while let Some((node, number, next)) = path.last_mut() {
            let (node, number) = (*node, *number);
            if let Some(edge) = graph.known_edges(node).get(*next) {
                *next += 1;
                match low[edge.to as usize] {
                    OUTSIDE | DONE => {}
                    NEW => {
                        path.push((edge.to, met, 0));
                        low[edge.to as usize] = met;
                        stack.push(edge.to);
                        met += 1;
                    }
                    known => low[node as usize] = low[node as usize].min(known),
                }
                continue;
            }
            path.pop();
            let own = low[node as usize];
            if let Some((above, ..)) = path.last() {
                low[*above as usize] = low[*above as usize].min(own);
            }
            if own == number {
                let from = stack.iter().rposition(|&at| at == node).unwrap_or(0);
                let group = stack.split_off(from);
                group.iter().for_each(|&node| low[node as usize] = DONE);
                found.push(group);
            }
        }
    }
    found
}
