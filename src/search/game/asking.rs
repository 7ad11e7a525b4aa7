//! States of a graph that several threads ask about.
//!
//! They read the graph, and nobody writes to it meanwhile. What they were told is entered afterwards by one thread, state
//! by state in the order in which it would have asked: so numbers of states are the same for any number of threads.

use super::graph::{Answers, GraphOf, NodeId};
use super::interface::Game;
use super::meter::{Halt, Meter};
use crate::fork::Crew;
use std::collections::VecDeque;
use std::time::Instant;

/// States for each thread that are asked about before anything is entered.
const ROUND: usize = 1 << 13;
/// States that are asked about in one go.
const PART: usize = 1 << 10;
/// Fewer are asked about by one thread, as they are entered.
const FEW: usize = 1 << 4;
/// With so many it is looked whether one thread would be as quick, and again after so many rounds.
const MANY: (usize, u32) = (1 << 12, 16);

/// What was told of states that are entered in their turn.
pub(super) struct Asking<'c, G: Game> {
    crew: &'c mut Crew<G>,
    /// Ask what ends are worth, too.
    ends: bool,
    answers: VecDeque<Answers<G>>,
    /// So many states in turn are asked about, or are to be asked by one thread.
    left: usize,
    /// When the last round began, of how many states, and whether threads shared it.
    last: Option<(Instant, usize, bool)>,
    /// Nanoseconds for a state in a large round, by one thread and by all; 0 if it is not known.
    paces: [u64; 2],
    rounds: u32,
}

impl<'c, G: Game> Asking<'c, G> {
    /// Nothing is asked yet.
    pub fn by(crew: &'c mut Crew<G>, ends: bool) -> Self {
        let answers = VecDeque::new();
        Self { crew, ends, answers, left: 0, last: None, paces: [0; 2], rounds: 0 }
    }

    /// Whether threads share the next round: where rules are quick, what is told takes longer to hand over than to find.
    fn is_shared(&mut self) -> bool {
        let now = Instant::now();
        if let Some((began, states, is_shared)) = self.last
            && states >= MANY.0
        {
            let pace = (now - began).as_nanos() as u64 / states as u64;
            self.paces[usize::from(is_shared)] = pace.max(1);
            self.rounds += 1;
        }
        let is_shared = self.left < MANY.0
            || match self.paces {
                [_, 0] => true,
                [0, _] => false,
                [alone, shared] => (shared <= alone) != self.rounds.is_multiple_of(MANY.1),
            };
        self.last = Some((now, self.left, is_shared));
        is_shared
    }

    /// The moves of the first of some nodes that wait in turn.
    pub fn first_of(
        &mut self,
        game: &mut G,
        graph: &mut GraphOf<G>,
        waiting: &[NodeId],
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let Some(&node) = waiting.first() else { return Ok(()) };
        if self.crew.is_alone() {
            return graph.moves(game, node).map(drop);
        }
        if self.left == 0 {
            self.ask(game, graph, waiting, meter)?;
        }
        self.left -= 1;
        if graph.is_known(node) {
            return Ok(());
        }
        while self.answers.front().is_some_and(Answers::is_entered) {
            self.answers.pop_front();
        }
        match self.answers.front_mut() {
            Some(answers) => graph.enter_answer(game, node, answers),
            None => graph.moves(game, node).map(drop),
        }
    }

    /// Asks about nodes that wait: as many as threads and limits allow.
    fn ask(
        &mut self,
        game: &mut G,
        graph: &GraphOf<G>,
        waiting: &[NodeId],
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        // The first one is counted already.
        let most = usize::try_from(meter.nodes_left()).unwrap_or(usize::MAX).saturating_add(1);
        self.left = waiting.len().min(ROUND * self.crew.threads()).min(most);
        let unknown = waiting[..self.left].iter().copied().filter(|&node| !graph.is_known(node));
        let unknown: Vec<NodeId> = unknown.collect();
        if !self.is_shared() || unknown.len() < FEW {
            return Ok(());
        }
        let ends = self.ends;
        let work = |game: &mut G, _: usize, nodes: &[NodeId]| Answers::of(game, graph, nodes, ends);
        match self.crew.map_items(game, (&unknown, PART), work, || meter.poll()) {
            Ok(told) => self.answers = told.into(),
            // One thread comes to what fails, unless a limit strikes before it.
            Err(Halt::Fail(_)) => {}
            Err(halt) => return Err(halt),
        }
        Ok(())
    }
}
