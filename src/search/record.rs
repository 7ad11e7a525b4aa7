//! Search trees of engines: [`Recorder`] wraps a space and records every operation that the engine calls.
//!
//! Engines know nothing of it and lose nothing by it. A state carries the number of the node it
//! was generated at, which equality ignores: so a search that moves states about by value says
//! itself which occurrence it expands, and one that keeps states in a store names the first
//! occurrence of each.
//!
//! Of an engine that deepens iteratively the last iteration is kept. Beyond a number of nodes
//! nothing more is noted, and [`Recording::unrecorded`] counts what is missing.
//!
//! ```
//! use zug_search::{Digraph, Engine, Limits, Options, Recorder, Team, search};
//!
//! let mut space = Digraph::new(&[(0, 1, 1), (0, 2, 3), (1, 2, 1)], &[2]);
//! let mut recorder = Recorder::new(&mut space, 100);
//! let start = recorder.start(&0);
//! let (options, limits) = (Options::default(), Limits::none());
//! search(Engine::Ucs, &mut Team::of(&mut recorder), &start, &options, &limits, None)?;
//! let recording = recorder.finish();
//! // The start, 1 and 2 from it, 2 again from 1.
//! assert_eq!(recording.nodes.len(), 4);
//! # Ok::<(), zug_search::SearchError>(())
//! ```

use super::cost::Cost;
use super::space::{Batch, Failure, Head, MoveId, Row, Space, StateId, StateStore, Successors};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// A state and the node it was generated at.
#[derive(Clone, Debug)]
pub struct Tagged<S> {
    /// The state.
    pub state: S,
    /// The number of the node, or [`UNRECORDED`].
    pub node: u32,
}

/// The node of a state that came when there was no more room.
pub const UNRECORDED: u32 = u32::MAX;

impl<S: PartialEq> PartialEq for Tagged<S> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl<S: Eq> Eq for Tagged<S> {}

impl<S: Hash> Hash for Tagged<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.state.hash(state);
    }
}

/// A generated state: a node of the tree.
#[derive(Clone, Debug)]
pub struct Generated<S, C> {
    /// The node it was generated from; itself for the start.
    pub parent: u32,
    /// The move from there; none for the start.
    pub mv: Option<MoveId>,
    /// What the move costs.
    pub cost: C,
    /// The state.
    pub state: S,
    /// What the heuristic said of it: nothing if it was not asked, or that there is no hope.
    pub estimate: Option<Option<C>>,
}

/// Something an engine asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Whether a node is a goal, and the answer.
    Goal(u32, bool),
    /// The successors of a node, which are these nodes.
    Expanded(u32, Range<u32>),
}

/// What an engine did.
#[derive(Clone, Debug)]
pub struct Recording<S, C> {
    /// The nodes of the last iteration, or of the last one that found a goal, in the order of their generation; the start is the first.
    pub nodes: Vec<Generated<S, C>>,
    /// The questions of the last iteration.
    pub events: Vec<Event>,
    /// How many times the search began at the start.
    pub iterations: u32,
    /// States of the last iteration for which there was no room.
    pub unrecorded: u64,
}

/// A space that records the calls of its operations.
pub struct Recorder<'p, R: Row, C: Cost> {
    space: &'p mut dyn Space<R, C>,
    recording: Recording<R, C>,
    /// The last iteration before that found a goal, where an engine goes on behind one.
    found: Option<Recording<R, C>>,
    most: usize,
    scratch: Successors<R, C>,
}

impl<'p, R: Row, C: Cost> Recorder<'p, R, C> {
    /// A recorder around a space, with a limit of nodes.
    pub fn new(space: &'p mut dyn Space<R, C>, most: usize) -> Self {
        let recording =
            Recording { nodes: Vec::new(), events: Vec::new(), iterations: 0, unrecorded: 0 };
        Self { space, recording, found: None, most: most.max(1), scratch: Successors::default() }
    }

    /// The start of the search; there is one.
    pub fn start(&mut self, state: &R) -> Tagged<R> {
        self.recording.nodes.clear();
        self.recording.nodes.push(Generated {
            parent: 0,
            mv: None,
            cost: C::ZERO,
            state: state.clone(),
            estimate: None,
        });
        Tagged { state: state.clone(), node: 0 }
    }

    /// What was recorded.
    pub fn finish(self) -> Recording<R, C> {
        match self.found {
            Some(found) if !has_goal(&self.recording) => found,
            _ => self.recording,
        }
    }

    /// Records the successors of a state: the node of the first one, if there is room for them.
    fn record(&mut self, node: u32) -> Option<u32> {
        let (recording, found) = (&mut self.recording, &self.scratch);
        if node == 0 {
            // The search begins again; the goal test of the start came before.
            if has_goal(recording) {
                self.found = Some(recording.clone());
            }
            recording.iterations += 1;
            recording.nodes.truncate(1);
            recording.events.retain(|event| matches!(event, Event::Goal(0, _)));
            recording.unrecorded = 0;
        }
        let first = recording.nodes.len();
        if node == UNRECORDED || first + found.len() > self.most {
            recording.unrecorded += found.len() as u64;
            return None;
        }
        let all = first as u32..(first + found.len()) as u32;
        recording.events.push(Event::Expanded(node, all));
        recording.nodes.extend(found.iter().map(|(head, state)| Generated {
            parent: node,
            mv: Some(head.mv),
            cost: head.cost,
            state: state.clone(),
            estimate: None,
        }));
        Some(first as u32)
    }
}

/// Whether a goal was found behind the start.
fn has_goal<S, C>(recording: &Recording<S, C>) -> bool {
    recording.events.iter().any(|event| matches!(event, Event::Goal(1.., true)))
}

impl<R: Row, C: Cost> Space<Tagged<R>, C> for Recorder<'_, R, C> {
    fn is_goal(&mut self, row: &Tagged<R>) -> Result<bool, Failure> {
        let goal = self.space.is_goal(&row.state)?;
        if row.node != UNRECORDED {
            self.recording.events.push(Event::Goal(row.node, goal));
        }
        Ok(goal)
    }

    fn expand(
        &mut self,
        batch: Batch<'_, Tagged<R>, C>,
        out: &mut Successors<Tagged<R>, C>,
    ) -> Result<(), Failure> {
        for (from, row) in (0..).zip(batch.rows) {
            self.scratch.clear();
            self.space.expand(Batch::of(&row.state), &mut self.scratch)?;
            let first = self.record(row.node);
            for (at, (head, state)) in (0..).zip(self.scratch.drain()) {
                let row = Tagged { state, node: first.map_or(UNRECORDED, |first| first + at) };
                if batch.before.get(from as usize) == Some(&row) {
                    out.returning += 1;
                } else {
                    out.push(Head { from, estimate: None, ..head }, row);
                }
            }
            out.expanded += 1;
        }
        Ok(())
    }

    fn estimate(
        &mut self,
        row: &Tagged<R>,
        after: Option<(&Tagged<R>, C)>,
    ) -> Result<Option<C>, Failure> {
        let after = after.map(|(before, h)| (&before.state, h));
        let estimate = self.space.estimate(&row.state, after)?;
        if let Some(generated) = self.recording.nodes.get_mut(row.node as usize) {
            generated.estimate = Some(estimate);
        }
        Ok(estimate)
    }

    fn second_estimate(&mut self, row: &Tagged<R>, before: Option<&Tagged<R>>) -> Option<C> {
        self.space.second_estimate(&row.state, before.map(|before| &before.state))
    }

    fn is_preferred(&mut self, successor: &Tagged<R>) -> bool {
        self.space.is_preferred(&successor.state)
    }

    fn least_move_cost(&self) -> C {
        self.space.least_move_cost()
    }
}

impl<R: Row> Row for Tagged<R> {
    type Store = TaggedStore<R>;

    fn heap_bytes(&self) -> usize {
        self.state.heap_bytes()
    }

    fn write(&self, _: &mut Vec<u8>) -> bool {
        false
    }

    fn read(_: &[u8]) -> Option<Self> {
        None
    }
}

/// A store that knows at which node each state came first.
pub struct TaggedStore<R: Row> {
    store: R::Store,
    nodes: Vec<u32>,
}

impl<R: Row> Default for TaggedStore<R> {
    fn default() -> Self {
        TaggedStore { store: R::Store::default(), nodes: Vec::new() }
    }
}

impl<R: Row> StateStore for TaggedStore<R> {
    type State = Tagged<R>;

    fn intern(&mut self, state: &Tagged<R>) -> (StateId, bool) {
        let (id, new) = self.store.intern(&state.state);
        if new {
            self.nodes.push(state.node);
        }
        (id, new)
    }

    fn find(&self, state: &Tagged<R>) -> Option<StateId> {
        self.store.find(&state.state)
    }

    fn state(&self, id: StateId) -> Tagged<R> {
        Tagged { state: self.store.state(id), node: self.nodes[id as usize] }
    }

    fn len(&self) -> usize {
        self.store.len()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.nodes.capacity() * size_of::<u32>()
    }
}
