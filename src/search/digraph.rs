//! The smallest problem: a directed graph given edge by edge.
//!
//! It shows what implementations of [`Problem`] and [`Space`] look like, and serves examples and tests.

use std::convert::Infallible;

use super::estimates::Estimates;
use super::problem::{Problem, Successor};
use super::space::{Batch, Failure, Head, Row, Space, Successors};
use super::store::HashStore;

/// A directed graph with weighted edges and marked goals; a move is the number of its edge.
///
/// ```
/// use zug_search::{Digraph, Problem};
///
/// let mut graph = Digraph::new(&[(0, 1, 7), (0, 2, 1)], &[2]);
/// let mut out = Vec::new();
/// graph.successors(&0, &mut out)?;
/// assert_eq!(out.iter().map(|s| (s.mv, s.cost, s.state)).collect::<Vec<_>>(), [(0, 7, 1), (1, 1, 2)]);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Clone, Debug)]
pub struct Digraph {
    /// Outgoing edges of each node: edge number, cost, target.
    edges: Vec<Vec<(u32, i64, u32)>>,
    goals: Vec<bool>,
    estimates: Vec<Option<i64>>,
}

impl Digraph {
    /// A graph of the edges (from, to, cost) and the given goals; costs are not negative.
    pub fn new(edges: &[(u32, u32, i64)], goals: &[u32]) -> Self {
        let greatest =
            edges.iter().flat_map(|&(from, to, _)| [from, to]).chain(goals.iter().copied()).max();
        let nodes = greatest.map_or(0, |n| n as usize + 1);
        let mut graph = Self {
            edges: vec![Vec::new(); nodes],
            goals: vec![false; nodes],
            estimates: vec![Some(0); nodes],
        };
        for (number, &(from, to, cost)) in edges.iter().enumerate() {
            graph.edges[from as usize].push((number as u32, cost, to));
        }
        for &goal in goals {
            graph.goals[goal as usize] = true;
        }
        graph
    }

    /// The same graph with an estimate for each node in turn; zero for nodes beyond the list.
    #[must_use]
    pub fn with_heuristic(mut self, estimates: &[Option<i64>]) -> Self {
        for (slot, &estimate) in self.estimates.iter_mut().zip(estimates) {
            *slot = estimate;
        }
        self
    }
}

impl Problem for Digraph {
    type State = u32;
    type Cost = i64;
    type Error = Infallible;

    fn is_goal(&mut self, state: &u32) -> Result<bool, Infallible> {
        Ok(self.goals.get(*state as usize).copied().unwrap_or(false))
    }

    fn successors(
        &mut self,
        state: &u32,
        out: &mut Vec<Successor<i64, u32>>,
    ) -> Result<(), Infallible> {
        if let Some(edges) = self.edges.get(*state as usize) {
            out.extend(edges.iter().map(|&(mv, cost, state)| Successor { mv, cost, state }));
        }
        Ok(())
    }

    fn heuristic(&mut self, state: &u32) -> Result<Option<i64>, Infallible> {
        Ok(self.estimates.get(*state as usize).copied().unwrap_or(Some(0)))
    }
}

impl Row for u32 {
    type Store = HashStore<u32>;

    fn write(&self, out: &mut Vec<u8>) -> bool {
        out.extend(self.to_be_bytes());
        true
    }

    fn read(bytes: &[u8]) -> Option<u32> {
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    }
}

impl Space<u32, i64> for Digraph {
    fn is_goal(&mut self, row: &u32) -> Result<bool, Failure> {
        Ok(self.goals.get(*row as usize).copied().unwrap_or(false))
    }

    fn expand(
        &mut self,
        batch: Batch<'_, u32, i64>,
        out: &mut Successors<u32, i64>,
    ) -> Result<(), Failure> {
        for (from, row) in batch.rows.iter().enumerate() {
            for &(mv, cost, to) in self.edges.get(*row as usize).into_iter().flatten() {
                if batch.before.get(from) == Some(&to) {
                    out.returning += 1;
                } else {
                    out.push(Head { from: from as u32, mv, cost, estimate: None }, to);
                }
            }
            out.expanded += 1;
        }
        Ok(())
    }

    fn batch(&self) -> usize {
        16
    }

    fn estimate(&mut self, row: &u32, _: Option<(&u32, i64)>) -> Result<Option<i64>, Failure> {
        Ok(self.estimates.get(*row as usize).copied().unwrap_or(Some(0)))
    }
}

/// There is one, that of [`Digraph::with_heuristic`].
impl Estimates<u32, i64> for Digraph {
    fn estimates(&self) -> usize {
        1
    }

    fn use_estimate(&mut self, _: usize) {}
}
