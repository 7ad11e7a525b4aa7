//! Solved states, one by one, for storage outside of [`Solved`].

use super::expected::Expected;
use super::graph::NodeId;
use super::solved::Solved;
use super::value::Value;

/// The values of a state.
#[derive(Clone, Debug, PartialEq)]
pub enum StateValues<V> {
    /// With two players the value to the player to move, in general-sum games that to each.
    Values(Vec<V>),
    /// Where play may meet chance: with one or two players the value to the first, with more
    /// that to each, and by how much they may be off.
    Means(Vec<Expected>, f64),
}

/// A solved state.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedState<V> {
    /// Its values.
    pub worths: StateValues<V>,
    /// Moves to the end; `None` if play need not end, and where it may meet chance.
    pub distance: Option<u32>,
    /// Its values depend on a choice among equal moves.
    pub ties: bool,
}

impl<V: Value> Solved<V> {
    /// What is known of a node, if it is solved.
    pub fn solved_state(&self, node: NodeId) -> Option<SolvedState<V>> {
        let at = node as usize * self.width;
        let values = self.values.get(at..at + self.width).unwrap_or_default();
        let worths = match values.iter().copied().collect::<Option<Vec<V>>>() {
            Some(values) if !values.is_empty() => StateValues::Values(values),
            _ => {
                let (values, error) = self.expectations.solved(node)?;
                StateValues::Means(values.to_vec(), error)
            }
        };
        let (distance, ties) = (self.distance(node), self.has_ties(node));
        Some(SolvedState { worths, distance, ties })
    }

    /// Takes over what is known of a node of a graph of so many. What can be reached from it may
    /// stay unknown, which callers that follow play from here have to handle.
    pub fn adopt(&mut self, node: NodeId, nodes: usize, state: &SolvedState<V>) {
        self.make_room(nodes);
        self.ties[node as usize] = state.ties;
        match &state.worths {
            StateValues::Values(values) if values.len() == self.width => {
                let at = node as usize * self.width;
                for (place, value) in self.values[at..].iter_mut().zip(values) {
                    *place = Some(*value);
                }
                if let Some(distance) = state.distance {
                    self.distances[node as usize] = distance;
                }
            }
            StateValues::Values(_) => {}
            StateValues::Means(values, error) => {
                self.expectations.bring(node, values.as_slice().into(), *error);
            }
        }
    }
}
