//! New starts where every state is known with its distance from a goal.
//!
//! The moves that lie on cheapest plans form a graph. Where it has no cycles, whether a state has
//! one plan or more is found from the goals backwards (A. B. Kahn, 1962); of states from which moves
//! that cost nothing lead in circles, plans are walked through, two of them.

use super::{
    Budget, GenerateOptions, GenerateRequest, NewStart, NewStarts, is_unique, new_start, numbers,
};
use crate::cost::Cost;
use crate::limits::Limits;
use crate::meter::{Halt, Meter};
use crate::plans::{Link, PlanGraph};
use crate::space::{MoveId, Row, Space, StateId, StateStore};
use crate::state_graph::{Distance, Distances, Edge, Reversed, StateGraph};
use rustc_hash::{FxHashMap, FxHashSet};

/// What lies on cheapest plans from a state, states by their numbers.
type PlansOf<C> = PlanGraph<MoveId, StateId, C>;

/// The space that can be reached from some starts.
pub(super) struct Whole<R: Row, C: Cost> {
    graph: StateGraph<R, C>,
    reversed: Reversed,
    distances: Distances<C>,
}

/// How many cheapest plans a state has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plans {
    None,
    One,
    More,
    /// It is not known yet: a plan may lead through moves that cost nothing and come back.
    Open,
}

impl<R: Row, C: Cost> Whole<R, C> {
    /// Chooses states that are as wanted.
    ///
    /// # Errors
    /// A limit struck; what was chosen before it is in `found`.
    pub fn choose(
        mut self,
        asked: &GenerateRequest<'_, R, C>,
        budget: &Budget<'_>,
        found: &mut NewStarts<R, C>,
    ) -> Result<(), Halt> {
        let time = budget.limits.time.map(|time| time.saturating_sub(budget.began.elapsed()));
        let limits = Limits { time, nodes: None, ..budget.limits.clone() };
        let mut meter = Meter::new(&limits, None);
        self.describe(found);
        let plans = if asked.how.unique { Some(self.plans(&mut meter)?) } else { None };
        let taken: FxHashSet<StateId> =
            numbers::<R>(&mut self.graph.store, asked.taken).into_iter().collect();
        let fits = |&(id, cost): &(StateId, C)| {
            let alone = plans.as_ref().is_none_or(|plans| plans[id as usize] != Plans::More);
            alone && asked.takes(cost) && !self.graph.is_goal(id) && !taken.contains(&id)
        };
        let all = self.solvable().filter(fits).map(|(id, cost)| (cost, id)).collect();
        for (cost, id) in asked.draw(all) {
            if found.starts.len() == asked.how.count {
                break;
            }
            meter.poll()?;
            let graph = self.plan_graph(id, &mut meter)?;
            let is_open = plans.as_ref().is_some_and(|plans| plans[id as usize] == Plans::Open);
            if is_open && !is_unique(&graph) {
                continue;
            }
            found.starts.push(self.start(&graph, cost, asked.how, &mut meter)?);
        }
        Ok(())
    }

    /// A start that was chosen, with the number of its plans.
    fn start(
        &self,
        graph: &PlansOf<C>,
        cost: C,
        how: &GenerateOptions,
        meter: &mut Meter<'_, C>,
    ) -> Result<NewStart<R, C>, Halt> {
        let watch = &mut || meter.poll();
        let plans = graph.count(Some(how.search_nodes), watch)?;
        let start = new_start(graph, cost, Some(plans));
        let state = |id| self.state(id);
        Ok(NewStart {
            state: state(start.state),
            cost,
            path: start.path,
            states: start.states.into_iter().map(state).collect(),
            plans: start.plans,
        })
    }

    /// How many cheapest plans each state has.
    fn plans(&self, meter: &mut Meter<'_, C>) -> Result<Vec<Plans>, Halt> {
        let states = self.distances.cost.len();
        let (mut ways, mut waiting) = (vec![0u8; states], vec![0u32; states]);
        let mut ready: Vec<StateId> = Vec::new();
        for (id, _) in self.solvable() {
            meter.poll()?;
            waiting[id as usize] = self.cheapest_moves(id).count() as u32;
            if self.graph.is_goal(id) {
                ways[id as usize] = 1;
                ready.push(id);
            }
        }
        while let Some(to) = ready.pop() {
            meter.poll()?;
            for &(from, number) in self.reversed.moves_into(to) {
                if !self.cheapest_moves(from).any(|(cheapest, _)| cheapest == number) {
                    continue;
                }
                let before = from as usize;
                ways[before] = (ways[before] + ways[to as usize]).min(2);
                waiting[before] -= 1;
                if waiting[before] == 0 {
                    ready.push(from);
                }
            }
        }
        // Two ways that lead out of the circles are two plans in any case.
        let plans = |(ways, waiting)| match (ways, waiting) {
            (2, _) => Plans::More,
            (_, 1..) => Plans::Open,
            (1, 0) => Plans::One,
            _ => Plans::None,
        };
        Ok(ways.into_iter().zip(waiting).map(plans).collect())
    }

    /// What lies on cheapest plans from a state, states by their numbers here.
    fn plan_graph(&self, from: StateId, meter: &mut Meter<'_, C>) -> Result<PlansOf<C>, Halt> {
        let mut places: FxHashMap<StateId, StateId> = FxHashMap::from_iter([(from, 0)]);
        let mut order = vec![from];
        let (mut links, mut goals) = (Vec::new(), Vec::new());
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            meter.poll()?;
            let own = next as StateId;
            next += 1;
            if self.graph.is_goal(id) {
                goals.push(own);
            }
            for (_, edge) in self.cheapest_moves(id) {
                let to = *places.entry(edge.to).or_insert_with(|| {
                    order.push(edge.to);
                    order.len() as StateId - 1
                });
                links.push(Link { from: own, mv: edge.mv, cost: edge.cost, to });
            }
        }
        Ok(PlanGraph::new(order.len(), links, &goals, |place| order[place as usize]))
    }

    /// The moves of a state with which cheapest plans begin, each label and state once.
    fn cheapest_moves(&self, id: StateId) -> impl Iterator<Item = (usize, &Edge<C>)> {
        let cheapest = move |&(_, edge): &(usize, &Edge<C>)| self.is_cheapest(id, edge);
        self.graph.moves(id).filter(cheapest).filter(move |&(number, edge)| {
            let before = self.graph.moves(id).take_while(|&(other, _)| other < number);
            let same = |other: &Edge<C>| other.to == edge.to && other.mv == edge.mv;
            !before.filter(cheapest).any(|(_, other)| same(other))
        })
    }

    fn is_cheapest(&self, from: StateId, edge: &Edge<C>) -> bool {
        if from == edge.to || self.graph.is_goal(from) {
            return false;
        }
        match (self.cost(from), self.cost(edge.to)) {
            (Some(cost), Some(rest)) => !edge.cost.plus(rest).exceeds(cost),
            _ => false,
        }
    }
}

impl<R: Row, C: Cost> Whole<R, C> {
    /// Writes out what can be reached from the starts; `None` if there are more states than
    /// `most`.
    pub fn find(
        space: &mut dyn Space<R, C>,
        starts: &[R],
        most: usize,
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<Self>, Halt> {
        let mut graph = StateGraph::new();
        for start in starts {
            graph.add(space, meter, start)?;
        }
        if !graph.fill(space, meter, most)? {
            return Ok(None);
        }
        let reversed = graph.reversed(meter)?;
        let distances = graph.distances_by(&reversed, meter)?;
        Ok(Some(Whole { graph, reversed, distances }))
    }

    /// What is said of all states.
    fn describe(&self, found: &mut NewStarts<R, C>) {
        found.whole = true;
        found.states = self.distances.cost.len() as u64;
        found.solved = self.solvable().count() as u64;
        found.greatest = self.solvable().map(|(_, cost)| cost).max();
        let farthest = |&(_, cost): &(StateId, C)| {
            found.greatest.is_some_and(|greatest| !greatest.exceeds(cost))
        };
        found.at_greatest = self.solvable().filter(farthest).count() as u64;
    }

    /// The states from which a goal can be reached, with what that costs.
    fn solvable(&self) -> impl Iterator<Item = (StateId, C)> {
        let states = 0..self.distances.cost.len() as StateId;
        states.filter_map(|id| Some((id, self.cost(id)?)))
    }

    fn cost(&self, id: StateId) -> Option<C> {
        match self.distances.cost.get(id as usize) {
            Some(&Distance::Plan(cost)) => Some(cost),
            _ => None,
        }
    }

    fn state(&self, id: StateId) -> R {
        self.graph.store.state(id)
    }
}
