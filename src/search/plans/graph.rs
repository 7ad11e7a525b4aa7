//! The graph of what lies on cheapest plans, and walks through it.

use crate::space::StateId;

/// A move as the search met it.
pub(crate) struct Link<M, C> {
    pub from: StateId,
    pub mv: M,
    pub cost: C,
    pub to: StateId,
}

/// A move on a cheapest plan.
#[derive(Clone, Debug)]
pub struct PlanMove<M, C> {
    /// Its label.
    pub mv: M,
    /// What it costs.
    pub cost: C,
    /// The number of the state it leads to.
    pub to: usize,
}

/// What lies on cheapest plans: states by number, of which 0 is the start, and the moves of each
/// in move order. Every state lies on a way from the start to a goal; goals have no moves.
#[derive(Clone, Debug)]
pub struct PlanGraph<M, S, C> {
    states: Vec<S>,
    /// Where the moves of a state begin; one more than there are states.
    starts: Vec<usize>,
    moves: Vec<PlanMove<M, C>>,
    goals: Vec<bool>,
    /// The strongly connected component of each state. They are numbered backwards: a move leads
    /// to a component of a smaller number, or stays in its own.
    components: Vec<usize>,
}

impl<M: Eq, S, C> PlanGraph<M, S, C> {
    /// The part of some links between `states` states that leads from state 0 to goals. The links
    /// of one state stand together, in move order.
    pub(crate) fn new(
        states: usize,
        links: Vec<Link<M, C>>,
        goals: &[StateId],
        state: impl Fn(StateId) -> S,
    ) -> Self {
        let useful = useful(states, &links, goals);
        let mut spans = vec![(0, 0); states];
        for (at, link) in links.iter().enumerate() {
            let span = &mut spans[link.from as usize];
            *span = if span.1 == 0 { (at, at + 1) } else { (span.0, at + 1) };
        }
        let mut links: Vec<Option<Link<M, C>>> = links.into_iter().map(Some).collect();
        let mut numbers: Vec<Option<usize>> = vec![None; states];
        let mut order: Vec<StateId> = Vec::new();
        if useful.first() == Some(&true) {
            numbers[0] = Some(0);
            order.push(0);
        }
        let (mut starts, mut moves) = (vec![0], Vec::<PlanMove<M, C>>::new());
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            let own = moves.len();
            let (first, end) = spans[id as usize];
            for slot in &mut links[first..end] {
                let Some(link) = slot.take_if(|link| useful[link.to as usize]) else { continue };
                let to = *numbers[link.to as usize].get_or_insert_with(|| {
                    order.push(link.to);
                    order.len() - 1
                });
                if !moves[own..].iter().any(|other| other.to == to && other.mv == link.mv) {
                    moves.push(PlanMove { mv: link.mv, cost: link.cost, to });
                }
            }
            starts.push(moves.len());
        }
        let mut is_goal = vec![false; order.len()];
        for &goal in goals {
            if let Some(number) = numbers[goal as usize] {
                is_goal[number] = true;
            }
        }
        let states = order.into_iter().map(state).collect();
        let mut graph = PlanGraph { states, starts, moves, goals: is_goal, components: Vec::new() };
        graph.components = graph.find_components();
        graph
    }
}

/// The states from which links lead to a goal.
fn useful<M, C>(states: usize, links: &[Link<M, C>], goals: &[StateId]) -> Vec<bool> {
    let mut starts = vec![0usize; states + 1];
    for link in links {
        starts[link.to as usize + 1] += 1;
    }
    for at in 0..states {
        starts[at + 1] += starts[at];
    }
    let mut into = vec![0 as StateId; links.len()];
    let mut filled = starts.clone();
    for link in links {
        let slot = &mut filled[link.to as usize];
        into[*slot] = link.from;
        *slot += 1;
    }
    let mut useful = vec![false; states];
    let mut todo = goals.to_vec();
    while let Some(id) = todo.pop() {
        let id = id as usize;
        if !std::mem::replace(&mut useful[id], true) {
            todo.extend(&into[starts[id]..starts[id + 1]]);
        }
    }
    useful
}

impl<M, S, C> PlanGraph<M, S, C> {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// A state, by a number below [`PlanGraph::len`].
    pub fn state(&self, number: usize) -> &S {
        &self.states[number]
    }

    /// Whether plans end in a state.
    pub fn is_goal(&self, number: usize) -> bool {
        self.goals[number]
    }

    /// The moves of a state that lie on cheapest plans, in move order.
    pub fn moves(&self, number: usize) -> &[PlanMove<M, C>] {
        &self.moves[self.starts[number]..self.starts[number + 1]]
    }

    /// A move by its number, as a [`PlanWalk`] gives them.
    pub fn numbered(&self, mv: usize) -> &PlanMove<M, C> {
        &self.moves[mv]
    }

    /// The same graph with other words for moves, states and costs.
    pub fn map<N, T, D>(
        self,
        mut name: impl FnMut(M) -> N,
        mut state: impl FnMut(S) -> T,
        mut price: impl FnMut(C) -> D,
    ) -> PlanGraph<N, T, D> {
        let moves = self.moves.into_iter().map(|PlanMove { mv, cost, to }| PlanMove {
            mv: name(mv),
            cost: price(cost),
            to,
        });
        let moves = moves.collect();
        PlanGraph {
            states: self.states.into_iter().map(&mut state).collect(),
            starts: self.starts,
            moves,
            goals: self.goals,
            components: self.components,
        }
    }

    /// The component of a state.
    pub(super) fn component(&self, number: usize) -> usize {
        self.components[number]
    }

    /// Strongly connected components (R. Tarjan, 1972), without recursion.
    fn find_components(&self) -> Vec<usize> {
        const NONE: usize = usize::MAX;
        let count = self.len();
        let (mut index, mut low) = (vec![NONE; count], vec![0; count]);
        let mut components = vec![NONE; count];
        let (mut stack, mut calls) = (Vec::new(), Vec::new());
        let (mut next, mut found) = (0, 0);
        for root in 0..count {
            if index[root] != NONE {
                continue;
            }
            calls.push((root, self.starts[root]));
            while let Some(&mut (at, ref mut edge)) = calls.last_mut() {
                if index[at] == NONE {
                    (index[at], low[at]) = (next, next);
                    next += 1;
                    stack.push(at);
                }
                if *edge < self.starts[at + 1] {
                    let to = self.moves[*edge].to;
                    *edge += 1;
                    if index[to] == NONE {
                        calls.push((to, self.starts[to]));
                    } else if components[to] == NONE {
                        low[at] = low[at].min(index[to]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(before, _)) = calls.last() {
                    low[before] = low[before].min(low[at]);
                }
                if low[at] == index[at] {
                    while let Some(member) = stack.pop() {
                        components[member] = found;
                        if member == at {
                            break;
                        }
                    }
                    found += 1;
                }
            }
        }
        components
    }

    /// Whether a path at `from` can leave its component without meeting a state of `path`.
    pub(super) fn can_leave(&self, from: usize, path: &dyn Fn(usize) -> bool) -> bool {
        let own = self.components[from];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![from];
        seen.insert(from);
        while let Some(at) = todo.pop() {
            for mv in self.moves(at) {
                if self.components[mv.to] != own {
                    return true;
                }
                if !path(mv.to) && seen.insert(mv.to) {
                    todo.push(mv.to);
                }
            }
        }
        false
    }
}

/// A walk through all plans of a graph, one after the other, in the order of the moves. What it
/// takes to the next plan is bounded by the size of the graph, not by the number of plans.
#[derive(Clone, Debug, Default)]
pub struct PlanWalk {
    begun: bool,
    /// The states of the path and the next move to try in each, as a number in the graph.
    path: Vec<(usize, usize)>,
    /// The moves of the path.
    moves: Vec<usize>,
    /// The states of the path.
    on_path: rustc_hash::FxHashSet<usize>,
}

impl PlanWalk {
    /// The next plan: the numbers of its moves in the graph; `None` when there are no more.
    pub fn next<M, S, C>(&mut self, graph: &PlanGraph<M, S, C>) -> Option<Vec<usize>> {
        if !self.begun {
            self.begun = true;
            if graph.is_empty() {
                return None;
            }
            if graph.is_goal(0) {
                return Some(Vec::new());
            }
            self.enter(graph, 0);
        }
        loop {
            let (at, next) = self.path.last_mut()?;
            if *next == graph.starts[*at + 1] {
                self.on_path.remove(at);
                self.path.pop();
                self.moves.pop();
                continue;
            }
            let (from, number) = (*at, *next);
            *next += 1;
            let to = graph.moves[number].to;
            if graph.is_goal(to) {
                let mut plan = self.moves.clone();
                plan.push(number);
                return Some(plan);
            }
            if graph.components[from] == graph.components[to] {
                let on_path = |state: usize| self.on_path.contains(&state);
                if on_path(to) || !graph.can_leave(to, &on_path) {
                    continue;
                }
            }
            self.moves.push(number);
            self.enter(graph, to);
        }
    }

    fn enter<M, S, C>(&mut self, graph: &PlanGraph<M, S, C>, state: usize) {
        self.on_path.insert(state);
        self.path.push((state, graph.starts[state]));
    }
}
