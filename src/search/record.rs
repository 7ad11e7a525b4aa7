//! What an engine did, as a tree: [`Recorder`], a problem around another one that notes every
//! question the engine asks.
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
//! use zug_search::{Digraph, Engine, Limits, Options, Recorder, run};
//!
//! let mut problem = Digraph::new(&[(0, 1, 1), (0, 2, 3), (1, 2, 1)], &[2]);
//! let mut recorder = Recorder::new(&mut problem, 100);
//! let start = recorder.start(&0);
//! run(Engine::Ucs, &mut recorder, &start, &Options::default(), &Limits::none(), None)?;
//! let recording = recorder.finish();
//! // The start, 1 and 2 from it, 2 again from 1.
//! assert_eq!(recording.nodes.len(), 4);
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::cost::Cost;
use super::fork::Fork;
use super::problem::{Problem, StateId, StateStore, Successor, SuccessorOf};
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
pub struct Generated<S, M, C> {
    /// The node it was generated from; itself for the start.
    pub parent: u32,
    /// The move from there; none for the start.
    pub mv: Option<M>,
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
pub struct Recording<S, M, C> {
    /// The nodes of the last iteration, in the order of their generation; the start is the first.
    pub nodes: Vec<Generated<S, M, C>>,
    /// The questions of the last iteration.
    pub events: Vec<Event>,
    /// How many times the search began at the start.
    pub iterations: u32,
    /// States of the last iteration for which there was no room.
    pub unrecorded: u64,
}

/// The recording of a problem.
pub type RecordingOf<P> =
    Recording<<P as Problem>::State, <P as Problem>::Move, <P as Problem>::Cost>;

/// A problem that notes what is asked of it.
pub struct Recorder<'p, P: Problem> {
    problem: &'p mut P,
    recording: RecordingOf<P>,
    most: usize,
    scratch: Vec<SuccessorOf<P>>,
}

impl<'p, P: Problem> Recorder<'p, P> {
    /// A recorder around a problem, for so many nodes.
    pub fn new(problem: &'p mut P, most: usize) -> Self {
        let recording =
            Recording { nodes: Vec::new(), events: Vec::new(), iterations: 0, unrecorded: 0 };
        Self { problem, recording, most: most.max(1), scratch: Vec::new() }
    }

    /// The start of the search; there is one.
    pub fn start(&mut self, state: &P::State) -> Tagged<P::State> {
        self.recording.nodes.clear();
        self.recording.nodes.push(Generated {
            parent: 0,
            mv: None,
            cost: P::Cost::ZERO,
            state: state.clone(),
            estimate: None,
        });
        Tagged { state: state.clone(), node: 0 }
    }

    /// What was recorded.
    pub fn finish(self) -> RecordingOf<P> {
        self.recording
    }

    fn estimated(&mut self, node: u32, estimate: Option<P::Cost>) {
        if let Some(generated) = self.recording.nodes.get_mut(node as usize) {
            generated.estimate = Some(estimate);
        }
    }
}

impl<P: Problem> Fork for Recorder<'_, P> {}

impl<P: Problem> Problem for Recorder<'_, P> {
    type State = Tagged<P::State>;
    type Move = P::Move;
    type Cost = P::Cost;
    type Hint = P::Hint;
    type Store = TaggedStore<P::Store>;
    type Error = P::Error;

    fn new_store(&self) -> Self::Store {
        TaggedStore { store: self.problem.new_store(), nodes: Vec::new() }
    }

    fn is_goal(&mut self, state: &Self::State) -> Result<bool, P::Error> {
        let goal = self.problem.is_goal(&state.state)?;
        if state.node != UNRECORDED {
            self.recording.events.push(Event::Goal(state.node, goal));
        }
        Ok(goal)
    }

    fn successors(
        &mut self,
        state: &Self::State,
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), P::Error> {
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        self.problem.successors(&state.state, &mut found)?;
        let recording = &mut self.recording;
        if state.node == 0 {
            // Iterative deepening begins again; the goal test of the start came before.
            recording.iterations += 1;
            recording.nodes.truncate(1);
            recording.events.retain(|event| matches!(event, Event::Goal(0, _)));
            recording.unrecorded = 0;
        }
        let first = recording.nodes.len();
        let room = state.node != UNRECORDED && first + found.len() <= self.most;
        if room {
            let all = first as u32..(first + found.len()) as u32;
            recording.events.push(Event::Expanded(state.node, all));
        } else {
            recording.unrecorded += found.len() as u64;
        }
        for successor in found.drain(..) {
            let Successor { mv, cost, state: to, hint } = successor;
            let mut node = UNRECORDED;
            if room {
                node = recording.nodes.len() as u32;
                recording.nodes.push(Generated {
                    parent: state.node,
                    mv: Some(mv.clone()),
                    cost,
                    state: to.clone(),
                    estimate: None,
                });
            }
            out.push(Successor { mv, cost, state: Tagged { state: to, node }, hint });
        }
        self.scratch = found;
        Ok(())
    }

    fn heuristic(&mut self, state: &Self::State) -> Result<Option<P::Cost>, P::Error> {
        let estimate = self.problem.heuristic(&state.state)?;
        self.estimated(state.node, estimate);
        Ok(estimate)
    }

    fn heuristic_after(
        &mut self,
        before: &Self::State,
        h: P::Cost,
        state: &Self::State,
        hint: &P::Hint,
    ) -> Result<Option<P::Cost>, P::Error> {
        let estimate = self.problem.heuristic_after(&before.state, h, &state.state, hint)?;
        self.estimated(state.node, estimate);
        Ok(estimate)
    }

    fn least_move_cost(&self) -> P::Cost {
        self.problem.least_move_cost()
    }

    fn state_heap_bytes(&self) -> usize {
        self.problem.state_heap_bytes()
    }
}

/// A store that knows at which node each state came first.
pub struct TaggedStore<T> {
    store: T,
    nodes: Vec<u32>,
}

impl<T: StateStore> StateStore for TaggedStore<T>
where
    T::State: Clone,
{
    type State = Tagged<T::State>;

    fn intern(&mut self, state: &Self::State) -> (StateId, bool) {
        let (id, new) = self.store.intern(&state.state);
        if new {
            self.nodes.push(state.node);
        }
        (id, new)
    }

    fn find(&self, state: &Self::State) -> Option<StateId> {
        self.store.find(&state.state)
    }

    fn state(&self, id: StateId) -> Self::State {
        Tagged { state: self.store.state(id), node: self.nodes[id as usize] }
    }

    fn len(&self) -> usize {
        self.store.len()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.nodes.capacity() * size_of::<u32>()
    }
}
