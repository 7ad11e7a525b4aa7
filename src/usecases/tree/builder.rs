//! Putting a tree together node by node.

use super::report::{NodeKind, Note, Step, TreeEdge, TreeNode, TreeReport, TreeState, cost_text};
use crate::record::TermData;
use rustc_hash::FxHashMap;
use zug_domain::{Packed, RuleSpace};
use zug_search::StateId;
use zug_search::game::CHANCE;
use zug_term::Record;

/// A tree that is being put together.
#[derive(Default)]
pub(super) struct Builder {
    pub report: TreeReport,
    index: FxHashMap<Packed, usize>,
    moves: FxHashMap<StateId, TermData>,
    /// Expansions so far.
    expanded: usize,
}

impl Builder {
    /// The number of a state among those shown.
    pub fn state(&mut self, space: &mut dyn RuleSpace, packed: &Packed, end: bool) -> usize {
        if let Some(&known) = self.index.get(packed) {
            self.report.states[known].end |= end;
            return known;
        }
        let record = space.state_term(packed);
        let term = data(space, &record);
        let player = space.mover(packed).map(usize::from);
        let mover = space.mover_term(packed);
        let number = self.report.states.len();
        let state = TreeState { term, player, end, prospect: None, record, mover };
        self.report.states.push(state);
        self.index.insert(packed.clone(), number);
        number
    }

    /// Names the players, when all states are there.
    pub fn finish(mut self, space: &mut dyn RuleSpace) -> TreeReport {
        let players = space.players();
        self.report.players = players.iter().map(|player| data(space, player)).collect();
        let chance = usize::from(CHANCE);
        if self.report.states.iter().any(|state| state.player == Some(chance)) {
            let number = self.report.players.len();
            self.report.players.push(TermData::atom("chance"));
            for state in &mut self.report.states {
                state.player = state.player.map(|at| if at == chance { number } else { at });
            }
        }
        self.report
    }

    /// The name of a move.
    fn mv(&mut self, space: &mut dyn RuleSpace, mv: StateId) -> TermData {
        if let Some(name) = self.moves.get(&mv) {
            return name.clone();
        }
        let record = space.move_term(mv);
        let name = data(space, &record);
        self.moves.insert(mv, name.clone());
        name
    }

    /// Adds a node below another, or the root: its number.
    pub fn node(&mut self, state: usize, parent: Option<usize>, step: usize) -> usize {
        let depth = parent.map_or(0, |parent| self.report.nodes[parent].depth + 1);
        self.report.nodes.push(TreeNode {
            state,
            parent,
            depth,
            kind: NodeKind::State,
            hidden: None,
            path: false,
            step,
            order: None,
            done: None,
            notes: Vec::new(),
        });
        self.report.nodes.len() - 1
    }

    /// Adds an edge of one or more moves.
    pub fn edge<'m>(
        &mut self,
        space: &mut dyn RuleSpace,
        (from, to): (usize, usize),
        moves: impl IntoIterator<Item = &'m StateId>,
    ) {
        let moves = moves.into_iter().map(|&mv| self.mv(space, mv)).collect();
        self.report.edges.push(TreeEdge { from, to, moves, cost: None, path: false });
    }

    /// The state of a node, as text.
    pub fn term(&self, node: usize) -> String {
        self.report.states[self.report.nodes[node].state].term.text.clone()
    }

    /// Edges between nodes of the path are on it.
    pub fn path_edges(&mut self) {
        for edge in &mut self.report.edges {
            edge.path = self.report.nodes[edge.to].path && self.report.nodes[edge.from].path;
        }
    }

    /// Adds a step: its number, from 1; 0 is before all of them.
    pub fn step(&mut self, node: usize, text: String) -> usize {
        self.report.steps.push(Step { node, text });
        self.report.steps.len()
    }

    /// Notes that a node is expanded, as the next one: the number of the step.
    pub fn expand(&mut self, node: usize, text: impl FnOnce(usize) -> String) -> usize {
        self.expanded += 1;
        let step = self.step(node, text(self.expanded));
        self.report.nodes[node].order = Some(self.expanded);
        self.report.nodes[node].done = Some(step);
        step
    }

    /// Adds something known of a node, shown in it.
    pub fn note(&mut self, node: usize, name: &'static str, value: String, step: usize) {
        let shown = true;
        self.report.nodes[node].notes.push(Note { name, value, step, shown });
    }

    /// Adds something known of a node, shown among its details.
    pub fn detail(&mut self, node: usize, name: &'static str, value: String, step: usize) {
        let shown = false;
        self.report.nodes[node].notes.push(Note { name, value, step, shown });
    }

    /// Costs are worth showing if they differ.
    pub fn costs(&mut self, costs: &[zug_domain::Number]) {
        let plain = costs.iter().all(|cost| cost_text(*cost) == "1");
        if plain || costs.len() != self.report.edges.len() {
            return;
        }
        for (edge, cost) in self.report.edges.iter_mut().zip(costs) {
            edge.cost = Some(cost_text(*cost));
        }
    }
}

/// How many nodes that are not drawn lie below each one, where there are some. Parents come before
/// their children.
pub(super) fn hidden(drawn: &[bool], parent: impl Fn(usize) -> usize) -> Vec<Option<String>> {
    let mut below = vec![0u64; drawn.len()];
    for at in (1..drawn.len()).rev().filter(|&at| !drawn[at]) {
        below[parent(at)] += 1 + below[at];
    }
    below.into_iter().map(|count| (count > 0).then(|| count.to_string())).collect()
}

/// A term as records have it.
fn data(space: &mut dyn RuleSpace, term: &Record) -> TermData {
    let (m, w) = space.host();
    TermData::of(m, w, term)
}
