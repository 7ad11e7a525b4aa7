//! Cheapest paths backward (E. Dijkstra, *A Note on Two Problems in Connexion with Graphs*, 1959).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No path leads to an end.
pub(crate) const NEVER: u32 = u32::MAX;

/// The edges of a graph by the vertex that they lead to.
#[derive(Debug)]
pub(crate) struct Incoming<E> {
    /// Ordered by where they lead.
    pub edges: Vec<E>,
    /// By vertex, and one more: where the edges that lead there begin.
    first: Vec<u32>,
}

impl<E> Incoming<E> {
    /// Edges between N vertices, which are ordered by where they lead.
    pub fn new(vertices: usize, edges: Vec<E>, to: impl Fn(&E) -> u32) -> Incoming<E> {
        let mut first = vec![0u32; vertices + 1];
        edges.iter().for_each(|edge| first[to(edge) as usize + 1] += 1);
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        Incoming { edges, first }
    }

    /// What it costs at least to get from each vertex to one of the ends, by where an edge comes from and its cost.
    pub fn distances(
        &self,
        ends: impl Iterator<Item = u32>,
        edge: impl Fn(&E) -> (u32, u32),
    ) -> Vec<u32> {
        let mut distances = vec![NEVER; self.first.len() - 1];
        let mut waiting = BinaryHeap::new();
        for end in ends {
            distances[end as usize] = 0;
            waiting.push(Reverse((0u32, end)));
        }
        while let Some(Reverse((distance, vertex))) = waiting.pop() {
            if distance > distances[vertex as usize] {
                continue;
            }
            let [begin, end] = [0, 1].map(|more| self.first[vertex as usize + more] as usize);
            for (from, cost) in self.edges[begin..end].iter().map(&edge) {
                let farther = distance.saturating_add(cost).min(NEVER - 1);
                if farther < distances[from as usize] {
                    distances[from as usize] = farther;
                    waiting.push(Reverse((farther, from)));
                }
            }
        }
        distances
    }
}
