//! Exact values of general-sum games: more than two players, or two whose utilities do not add up
//! to a constant.
//!
//! Backward induction: from the ends on every state gets the values of the move that is best for
//! its mover, the first of equals. What others get may depend on that choice; so each state also
//! has a range for each player, from the least to the greatest value that some choice among equals
//! gives. Where all ranges are points the values are independent of the choices.

use super::graph::{GraphOf, NodeId};
use super::interface::Game;
use super::links::Links;
use super::meter::{Halt, Meter};
use super::solved::Solved;
use super::value::Value;
use crate::report::StopReason;

impl<V: Value> Solved<V> {
    /// Gives every state the values that follow if each player maximises their own.
    pub(super) fn more_players<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        new: &[NodeId],
        links: &Links,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let order = links.order(graph, new);
        if order.len() < new.len() {
            return Err(Halt::Stop(StopReason::Cycle));
        }
        for node in order {
            meter.poll()?;
            let own = usize::from(graph.player(node));
            let mut best: Option<NodeId> = None;
            for edge in graph.known_edges(node) {
                let worth = |child: NodeId| self.values[self.at(child) + own];
                if best.is_none_or(|best| worth(edge.to) > worth(best)) {
                    best = Some(edge.to);
                }
            }
            let at = self.at(node);
            match best {
                Some(child) => {
                    let from = self.at(child);
                    self.values.copy_within(from..from + self.width, at);
                    self.distances[node as usize] = self.distances[child as usize] + 1;
                    let children = graph.known_edges(node).iter().map(|edge| edge.to);
                    let range = self.range(own, children);
                    self.ties[node as usize] = range.is_some();
                    self.ranges.set(node, range);
                }
                None => {
                    let values = graph.utilities(game, node)?;
                    let places = self.values[at..at + self.width].iter_mut();
                    places.zip(values).for_each(|(place, value)| *place = Some(value));
                    self.distances[node as usize] = 0;
                }
            }
        }
        Ok(())
    }

    /// Bounds on the value of a node to a player, over all choices among equals.
    fn range_of(&self, node: NodeId, player: usize) -> (V, V) {
        let value = self.values[self.at(node) + player];
        let alone = value.map_or((V::LEAST, V::GREATEST), |value| (value, value));
        self.ranges.of.get(&node).map_or(alone, |range| range[player])
    }

    /// The ranges of a node where a player chooses among others, one for each player; `None` if
    /// it is worth one thing to everybody.
    fn range(
        &self,
        own: usize,
        children: impl Iterator<Item = NodeId> + Clone,
    ) -> Option<Box<[(V, V)]>> {
        // Mostly nothing rests on a choice.
        let value = |child: NodeId, player| self.values[self.at(child) + player];
        let best = children.clone().map(|child| value(child, own)).max()?;
        let mut equals = children.clone().filter(|&child| value(child, own) == best);
        let first = equals.next()?;
        let known = children.clone().all(|child| !self.ranges.of.contains_key(&child));
        let same =
            |child| (0..self.width).all(|player| value(child, player) == value(first, player));
        if known && equals.all(same) {
            return None;
        }
        let least = children.clone().map(|child| self.range_of(child, own).0).max()?;
        // A move that may turn out to be worth as much as the best surely is may be chosen.
        let chosen = children.filter(|&child| self.range_of(child, own).1 >= least);
        let here = |child| -> Vec<(V, V)> {
            (0..self.width).map(|player| self.range_of(child, player)).collect()
        };
        let wider = |a: Vec<(V, V)>, b: Vec<(V, V)>| {
            let both = a.into_iter().zip(b);
            both.map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))).collect()
        };
        let mut range = chosen.map(here).reduce(wider)?;
        range[own].0 = range[own].0.max(least);
        range.iter().any(|(low, high)| low != high).then(|| range.into())
    }
}
