//! Answers of the rules about states, collected by a copy of the game: [`Answers`].

use super::{AT_ONCE, Edge, GOES_ON, Graph, GraphOf, MOST_MOVES, NodeId, OVER};
use crate::game::interface::Game;
use crate::game::value::Value;
use crate::monitor::Halt;
use crate::report::StopReason;
use crate::space::{MoveId, Row, StateStore};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Where a move leads.
#[derive(Clone, Copy)]
enum To {
    /// To a state that the graph had.
    Known(NodeId),
    /// To one of the states that it had not.
    New(u32),
}

/// The answers about one state.
struct Told<V> {
    /// How many moves there are; nothing if the game is over.
    moves: Option<u32>,
    /// What it is worth if the game is over, as far as it was asked for and could be told.
    utility: Option<V>,
}

/// The answers about some states, in order.
pub(in crate::game) struct Answers<G: Game> {
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
    pub fn of(
        game: &mut G,
        graph: &GraphOf<G>,
        nodes: &[NodeId],
        ends: bool,
    ) -> Result<Self, Halt> {
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

    /// Whether all states are entered.
    pub fn is_entered(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The answers about the next state.
    fn next(&mut self) -> Option<Told<G::Value>> {
        self.nodes.pop_front()
    }

    /// The next move, as the main one knows it, and where it leads.
    fn next_edge(&mut self, game: &mut G) -> Option<(MoveId, To)> {
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
    fn number(&self, new: u32) -> Option<NodeId> {
        self.numbers.get(new as usize).copied()
    }

    /// A state that the graph had not.
    fn state(&self, new: u32) -> &G::State {
        &self.states[new as usize]
    }

    /// Some of them, from one on.
    fn states(&self, from: u32, most: u32) -> &[G::State] {
        let rest = &self.states[from as usize..];
        &rest[..rest.len().min(most as usize)]
    }

    /// The next of these states has a number.
    fn enter(&mut self, number: NodeId) {
        self.numbers.push(number);
    }
}

impl<S: Row, V: Value> Graph<S, V> {
    /// Enters what was told of a node, which is the next one of those that were asked about.
    pub(in crate::game) fn enter_answer<G: Game<State = S, Value = V>>(
        &mut self,
        game: &mut G,
        node: NodeId,
        answers: &mut Answers<G>,
    ) -> Result<(), Halt> {
        let Some(told) = answers.next() else { return Ok(()) };
        let Some(moves) = told.moves else {
            self.nodes[node as usize].edges = OVER;
            if let Some(value) = told.utility {
                self.nodes[node as usize].utility = self.store_value(value)?;
            }
            return Ok(());
        };
        self.asked += 1;
        let (first, moves) = (self.edges.len(), moves as usize);
        if first + moves >= GOES_ON as usize || moves >= MOST_MOVES {
            return Err(Halt::Stop(StopReason::Memory));
        }
        for _ in 0..moves {
            let Some((mv, to)) = answers.next_edge(game) else { break };
            let to = match to {
                To::Known(known) => known,
                To::New(new) => match answers.number(new) {
                    Some(number) => number,
                    None => {
                        if new.is_multiple_of(AT_ONCE) {
                            self.store.prepare(answers.states(new, AT_ONCE).iter());
                        }
                        let state = answers.state(new);
                        game.meet(state);
                        let number = self.enter(game, state)?;
                        answers.enter(number);
                        number
                    }
                },
            };
            self.edges.push(Edge { mv, to });
        }
        self.nodes[node as usize].set_edges(first, moves);
        Ok(())
    }
}
