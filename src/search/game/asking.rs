//! States of a graph that several threads ask about.
//!
//! They read the graph, and nobody writes to it meanwhile. What they were told is entered afterwards by one thread, state
//! by state in the order in which it would have asked: so numbers of states are the same for any number of threads.

use super::graph::{GraphOf, NodeId};
use super::interface::Game;
use super::meter::{Halt, Meter};
use crate::fork::Crew;
use crate::space::{MoveId, Row, StateStore};
use rustc_hash::FxHashMap;
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

/// Where a move leads.
#[derive(Clone, Copy)]
pub(super) enum To {
    /// To a state that the graph had.
    Known(NodeId),
    /// To one of the states that it had not.
    New(u32),
}

/// What is told of a state.
pub(super) struct Told<V> {
    /// How many moves there are; nothing if the game is over.
    pub moves: Option<u32>,
    /// What it is worth if the game is over, as far as it was asked for and could be told.
    pub utility: Option<V>,
}

/// What was told of some states, one after the other.
pub(super) struct Answers<G: Game> {
    nodes: VecDeque<Told<G::Value>>,
    /// The moves of all, each with the place of its name.
    edges: Vec<(u32, To)>,
    /// How many of them are entered.
    entered: usize,
    /// Moves, as the copy knows them that was asked, and where their names end.
    moves: Vec<(MoveId, usize)>,
    names: Vec<u8>,
    /// The same, as the main one knows them, as far as they were wanted.
    known: Vec<Option<MoveId>>,
    /// The states that the graph had not, in the order in which they were met.
    states: Vec<G::State>,
    /// Their numbers, as far as they have some.
    numbers: Vec<NodeId>,
}

impl<G: Game> Answers<G> {
    /// Asks about nodes of a graph; what ends are worth, too, if that is wanted.
    fn of(game: &mut G, graph: &GraphOf<G>, nodes: &[NodeId], ends: bool) -> Result<Self, Halt> {
        let mut answers = Answers {
            nodes: VecDeque::with_capacity(nodes.len()),
            edges: Vec::new(),
            entered: 0,
            moves: Vec::new(),
            names: Vec::new(),
            known: Vec::new(),
            states: Vec::new(),
            numbers: Vec::new(),
        };
        let (mut found, mut fresh, mut places) =
            (Vec::new(), <G::State as Row>::Store::default(), FxHashMap::default());
        for &node in nodes {
            let state = graph.state(node);
            game.meet(&state);
            let is_over = match graph.goes_on(node) {
                true => false,
                false => game.is_over(&state)?,
            };
            if is_over {
                let player = graph.valued_for(node);
                // What fails is asked again when it is wanted.
                let utility = if ends { game.utility(&state, player).ok() } else { None };
                answers.nodes.push_back(Told { moves: None, utility });
                continue;
            }
            found.clear();
            game.moves(&state, &mut found)?;
            if game.has_symmetry() {
                for (_, state) in &mut found {
                    *state = game.canonical(state)?;
                }
            }
            graph.prepare(found.iter().map(|(_, state)| state));
            for (mv, state) in &found {
                let to = match graph.find(state) {
                    Some(known) => To::Known(known),
                    None => {
                        let (number, is_new) = fresh.intern(state);
                        if is_new {
                            answers.states.push(state.clone());
                        }
                        To::New(number)
                    }
                };
                let place = *places.entry(*mv).or_insert_with(|| {
                    game.write_move(*mv, &mut answers.names);
                    answers.moves.push((*mv, answers.names.len()));
                    answers.moves.len() as u32 - 1
                });
                answers.edges.push((place, to));
            }
            answers.nodes.push_back(Told { moves: Some(found.len() as u32), utility: None });
        }
        answers.known = vec![None; answers.moves.len()];
        Ok(answers)
    }

    /// What is told of the next state.
    pub fn next(&mut self) -> Option<Told<G::Value>> {
        self.nodes.pop_front()
    }

    /// The next move, as the main one knows it, and where it leads.
    pub fn next_edge(&mut self, game: &mut G) -> Option<(MoveId, To)> {
        let &(place, to) = self.edges.get(self.entered)?;
        self.entered += 1;
        let place = place as usize;
        let mv = match self.known[place] {
            Some(mv) => mv,
            None => {
                let begin = place.checked_sub(1).map_or(0, |before| self.moves[before].1);
                let (mv, end) = self.moves[place];
                *self.known[place].insert(game.move_of(mv, &self.names[begin..end]))
            }
        };
        Some((mv, to))
    }

    /// The number of a state that the graph had not, if it has one now.
    pub fn number(&self, new: u32) -> Option<NodeId> {
        self.numbers.get(new as usize).copied()
    }

    /// A state that the graph had not.
    pub fn state(&self, new: u32) -> &G::State {
        &self.states[new as usize]
    }

    /// Some of them, from one on.
    pub fn states(&self, from: u32, most: u32) -> &[G::State] {
        let rest = &self.states[from as usize..];
        &rest[..rest.len().min(most as usize)]
    }

    /// The next of these states has a number.
    pub fn enter(&mut self, number: NodeId) {
        self.numbers.push(number);
    }
}

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
        while self.answers.front().is_some_and(|answers| answers.nodes.is_empty()) {
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
