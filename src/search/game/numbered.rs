//! The graph of a game as a game: [`Numbered`].

use super::graph::{GraphOf, NodeId};
use super::interface::{Game, Player};
use super::meter::Halt;
use crate::fork::Fork;
use crate::report::StopReason;
use crate::space::{Failure, MoveId, Operation};

/// A game whose states are the numbers that a graph gave them: what the graph knows is not
/// asked again.
pub(super) struct Numbered<'g, G: Game> {
    game: &'g mut G,
    graph: &'g mut GraphOf<G>,
    /// The most bytes that the graph may hold.
    most: usize,
}

impl<'g, G: Game> Numbered<'g, G> {
    pub fn new(game: &'g mut G, graph: &'g mut GraphOf<G>, most: usize) -> Self {
        Self { game, graph, most }
    }
}

impl<G: Game> Fork for Numbered<'_, G> {}

/// A limit of the graph as a failure: both end the search.
fn stopped(halt: Halt) -> Failure {
    match halt {
        Halt::Fail(failure) => failure,
        Halt::Stop(reason) => Failure::new(Operation::Rule, reason),
    }
}

impl<G: Game> Game for Numbered<'_, G> {
    type State = NodeId;
    type Value = G::Value;

    fn players(&self) -> usize {
        self.game.players()
    }

    fn player(&self, state: &NodeId) -> Player {
        self.graph.player(*state)
    }

    fn is_over(&mut self, state: &NodeId) -> Result<bool, Failure> {
        self.graph.is_over(self.game, *state).map_err(stopped)
    }

    fn utility(&mut self, state: &NodeId, _: Player) -> Result<G::Value, Failure> {
        self.graph.utility(self.game, *state).map_err(stopped)
    }

    fn heuristic(&mut self, state: &NodeId, _: Player) -> Result<G::Value, Failure> {
        Ok(self.graph.estimate(self.game, *state).map_err(stopped)?.0)
    }

    fn has_heuristic(&self) -> bool {
        self.game.has_heuristic()
    }

    fn heuristic_is_utility(&self) -> bool {
        self.game.heuristic_is_utility()
    }

    fn moves(&mut self, state: &NodeId, out: &mut Vec<(MoveId, NodeId)>) -> Result<(), Failure> {
        self.graph.moves(self.game, *state).map_err(stopped)?;
        if self.graph.bytes() > self.most {
            return Err(stopped(Halt::Stop(StopReason::Memory)));
        }
        out.extend(self.graph.known_edges(*state).iter().map(|edge| (edge.mv, edge.to)));
        Ok(())
    }
}
