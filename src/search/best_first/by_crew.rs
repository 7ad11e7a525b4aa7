//! Best-first search by several threads: a cheapest path, for orders whose keys bound the cost from below.
//!
//! States are spread over shards by their hash, each with an open list of its own. In a round the states of least f
//! are taken from all of them and expanded; what these lead to goes to the shard that it belongs to. All states of a
//! round have the least f of all that are open, so a goal among them is a nearest one. Within a round
//! states are expanded that one thread would have left out when it found the goal; rounds are small as long as a search
//! is.
//!
//! Hash distribution: M. Evett, J. Hendler, A. Mahanti, D. Nau: PRA\*, massively parallel heuristic search. *Journal of
//! Parallel and Distributed Computing* 25(2), 1995; A. Kishimoto, A. Fukunaga, A. Botea: Evaluation of a simple,
//! scalable, parallel best-first search strategy. *Artificial Intelligence* 195, 2013. Here threads meet after each
//! round, so that nothing depends on which one is first.

use super::{CLOSED, DEAD, DEPTH, Node, Order, REFINED};
use crate::cost::Cost;
use crate::fork::{Crew, on_threads};
use crate::meter::{Answer, Halt, Meter, Solution, Verdict, next_milestone};
use crate::open_list::OpenList;
use crate::path::{cheapest_steps, overestimate};
use crate::problem::{
    Problem, Refined, StateId, StateStore, SuccessorOf, VisitedSuccessors, Visitor,
};
use crate::report::{Operation, Stats, StopReason};
use crate::shards::{self, Buckets, FEW, PART, Place, Shards, Spare, moves_along};
use std::iter::once;

/// A round is of one state in so many that were expanded, for each thread …
const SHARE: u64 = 64;
/// … but of so many at least and at most.
const ROUND: (u64, u64) = (64, 1 << 15);

/// States of a shard.
struct Shard<P: Problem, O: Order<P::Cost>> {
    store: P::Store,
    /// By number; the state before is a place.
    nodes: Vec<Node<P::Cost>>,
    list: OpenList<O::Key>,
    /// What was taken from the list and not expanded yet.
    next: Option<StateId>,
    /// States that are open.
    open: usize,
    reopened: u64,
    deepest: u32,
}

impl<P: Problem, O: Order<P::Cost>> shards::Linked for Shard<P, O> {
    type Store = P::Store;
    type Node = Node<P::Cost>;

    #[inline]
    fn states(&self) -> (&P::Store, &[Node<P::Cost>]) {
        (&self.store, &self.nodes)
    }

    fn before(node: &Node<P::Cost>) -> Place {
        node.parent
    }
}

/// A state to be expanded, and what is known of it.
type Waiting<P> = (Place, Node<<P as Problem>::Cost>);

/// A state that another one leads to.
struct Reached<P: Problem> {
    state: P::State,
    g: P::Cost,
    /// `None` if no goal can be reached from it.
    h: Option<P::Cost>,
    parent: Place,
    depth: u32,
}

/// What some states lead to.
struct Part<P: Problem> {
    to: Buckets<Reached<P>>,
    /// Goals among the states themselves.
    goals: Vec<Place>,
    stats: Stats,
}

/// Collects successors whose estimates are known.
struct Known<'k, P: Problem>(&'k mut Vec<(P::State, P::Cost, P::Cost)>);

impl<P: Problem> Visitor<P> for Known<'_, P> {
    #[inline(always)]
    fn visit(&mut self, _: P::Move, cost: P::Cost, state: P::State, h: P::Cost) -> bool {
        self.0.push((state, cost, h));
        true
    }
}

/// What is found of the successors of a state, before it is sorted.
struct Room<P: Problem> {
    known: Vec<(P::State, P::Cost, P::Cost)>,
    out: Vec<SuccessorOf<P>>,
}

struct Search<'s, P: Problem, O: Order<P::Cost>> {
    problem: &'s mut P,
    crew: &'s mut Crew<P>,
    order: O,
    shards: Shards<Shard<P, O>>,
    spare: Spare<Reached<P>>,
    start: Place,
    /// The least f of a state that the depth bound kept from being expanded.
    cut: Option<P::Cost>,
}

pub(super) fn search<P: Problem, O: Order<P::Cost>>(
    problem: &mut P,
    crew: &mut Crew<P>,
    start: &P::State,
    order: O,
    meter: &mut Meter<'_, P::Cost>,
) -> Answer<P> {
    let shard = || Shard {
        store: problem.new_store(),
        nodes: Vec::new(),
        list: OpenList::new(),
        next: None,
        open: 0,
        reopened: 0,
        deepest: 0,
    };
    let shards = Shards::new(crew.threads(), shard);
    let spare = Spare::new();
    Search { problem, crew, order, shards, spare, start: 0, cut: None }.run(start, meter)
}

impl<P: Problem, O: Order<P::Cost>> Shard<P, O> {
    /// The least f of an open state.
    fn least(&mut self) -> Option<P::Cost> {
        loop {
            let id = self.next.or_else(|| self.list.pop())?;
            let node = &self.nodes[id as usize];
            if !node.is_closed() {
                self.next = Some(id);
                return Some(node.g.plus(node.h));
            }
            self.next = None;
        }
    }

    /// Takes open states of this f, and closes them.
    fn take(
        &mut self,
        order: &O,
        (f, most): (P::Cost, usize),
        place: impl Fn(StateId) -> Place,
    ) -> Vec<Waiting<P>> {
        let mut taken = Vec::new();
        while taken.len() < most
            && self.least() == Some(f)
            && let Some(id) = self.next.take()
        {
            let node = &mut self.nodes[id as usize];
            node.flags |= CLOSED;
            self.open -= 1;
            taken.push((place(id), *node));
        }
        // What is reached meanwhile may come before it.
        if let Some(id) = self.next.take() {
            let Node { g, h, .. } = self.nodes[id as usize];
            self.list.push(order.key(g, h), id);
        }
        taken
    }

    /// Records a state that another one leads to.
    fn reach(&mut self, order: &O, reached: Reached<P>) {
        let Reached { state, g, h, parent, depth } = reached;
        let (id, is_new) = self.store.intern(&state);
        if !is_new && (self.nodes[id as usize].flags & DEAD != 0 || g >= self.nodes[id as usize].g)
        {
            return;
        }
        self.deepest = self.deepest.max(depth);
        let Some(h) = h else {
            let flags = depth | CLOSED | DEAD;
            self.nodes.extend(is_new.then_some(Node { g, h: P::Cost::ZERO, parent, flags }));
            return;
        };
        let node = Node { g, h, parent, flags: depth };
        if is_new {
            self.nodes.push(node);
            self.open += 1;
        } else {
            let known = &mut self.nodes[id as usize];
            if known.is_closed() {
                self.reopened += 1;
                self.open += 1;
            }
            // Its own estimate stays what it was.
            *known = Node { h: known.h, ..node };
        }
        self.list.push(order.key(g, self.nodes[id as usize].h), id);
    }

    fn bytes(&self) -> usize {
        let node = size_of::<Node<P::Cost>>();
        self.store.bytes() + self.nodes.capacity() * node + self.list.bytes()
    }
}

impl<P: Problem, O: Order<P::Cost>> Search<'_, P, O> {
    fn run(&mut self, start: &P::State, meter: &mut Meter<'_, P::Cost>) -> Answer<P> {
        let is_goal = meter.goal(self.problem, start)?;
        meter.stats.iterations = u32::from(!is_goal);
        let h = match O::INFORMED && !is_goal {
            true => meter.evaluate(self.problem, start)?,
            false => Some(P::Cost::ZERO),
        };
        let order = &self.order;
        self.start = self.shards.begin(start, |shard, parent| {
            let (state, g) = (start.clone(), P::Cost::ZERO);
            shard.reach(order, Reached { state, g, h, parent, depth: 0 });
        });
        if is_goal {
            return self.solved(self.start, P::Cost::ZERO, meter);
        }
        let mut refine_at = REFINED;
        while let Some(f) = self.shards.each(Shard::least).flatten().min() {
            if self.cut.is_none() {
                meter.raise(f);
            }
            if O::INFORMED && meter.stats.expanded >= refine_at {
                refine_at = next_milestone(meter.stats.expanded);
                let refined = self.problem.refine(meter.stats.expanded, start, None);
                match refined.map_err(|error| Halt::Fail((Operation::Heuristic, error)))? {
                    Refined::Same => {}
                    Refined::More => {
                        self.evaluate_anew(meter)?;
                        continue;
                    }
                    Refined::NoPlan => return Ok(Verdict::NoPlan),
                }
            }
            let waiting = self.take(f, meter);
            for goal in self.expand(&waiting, meter)? {
                match self.solved(goal, f, meter)? {
                    // It can have more moves than allowed if a state on it was opened again and not expanded since.
                    Verdict::Solved(solution)
                        if solution.moves.len() > meter.depth_limit as usize =>
                    {
                        self.cut_off(solution.cost);
                    }
                    answer => return Ok(answer),
                }
            }
            meter.open(self.shards.sum(|shard| shard.open));
            meter.stats.reopened = self.shards.sum(|shard| shard.reopened as usize) as u64;
            let deepest = self.shards.each(|shard| shard.deepest).max();
            meter.reach(deepest.unwrap_or(0));
        }
        Ok(match self.cut {
            Some(_) => Verdict::Incomplete(StopReason::Depth),
            None => Verdict::Exhausted,
        })
    }

    /// Records that paths of cost `f` or more were left out for their depth.
    fn cut_off(&mut self, f: P::Cost) {
        self.cut = Some(self.cut.map_or(f, |cut| cut.min(f)));
    }

    /// Takes open states of the least f.
    fn take(&mut self, f: P::Cost, meter: &Meter<'_, P::Cost>) -> Vec<Waiting<P>> {
        let threads = self.crew.threads() as u64;
        let round = (meter.stats.expanded / SHARE).clamp(ROUND.0, ROUND.1) * threads;
        let most = usize::try_from(round).unwrap_or(usize::MAX);
        let (order, count, numbering) = (&self.order, self.shards.count(), self.shards.numbering());
        let threads = if most < FEW { 1 } else { threads as usize };
        let shards = self.shards.all_mut().enumerate().collect();
        let taken = on_threads(shards, threads, |(number, shard): (usize, &mut Shard<P, O>)| {
            shard.take(order, (f, most.div_ceil(count)), |id| numbering.place(number, id))
        });
        taken.concat()
    }

    /// Expands states: the goals among them.
    fn expand(
        &mut self,
        waiting: &[Waiting<P>],
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<Vec<Place>, Halt<P::Error>> {
        let left = usize::try_from(meter.expansions_left()).unwrap_or(usize::MAX);
        let (shards, spare) = (&self.shards, &self.spare);
        let depth_limit = meter.depth_limit;
        let work = |problem: &mut P, from: usize, waiting: &[Waiting<P>]| {
            let mut part =
                Part { to: spare.take(shards), goals: Vec::new(), stats: Stats::default() };
            let mut room = Room { known: Vec::new(), out: Vec::new() };
            for (at, waiting) in waiting.iter().enumerate() {
                expand_one(
                    problem,
                    shards,
                    waiting,
                    (depth_limit, from + at < left),
                    (&mut part, &mut room),
                )?;
            }
            Ok(part)
        };
        let deepest = waiting.iter().map(|(_, node)| node.depth()).max().unwrap_or(0);
        if left > 0 {
            meter.admit(deepest, self.shards.sum(Shard::bytes))?;
        }
        let parts = self.crew.map_items(self.problem, (waiting, PART), work, || meter.poll())?;
        let goals: Vec<Place> = parts.iter().flat_map(|part| part.goals.iter().copied()).collect();
        parts.iter().for_each(|part| meter.stats.add(&part.stats));
        for (_, node) in waiting.iter().filter(|(_, node)| node.depth() >= depth_limit) {
            self.cut_off(node.g.plus(node.h));
        }
        let mut buckets = Vec::new();
        let mut generated = 0;
        for part in parts {
            generated += part.to.iter().map(Vec::len).sum::<usize>();
            buckets.push(part.to);
        }
        let stored = self.shards.most(|shard| shard.nodes.len());
        meter.admit_numbers(generated, stored)?;
        let order = &self.order;
        self.shards.fill(self.crew.threads(), buckets, &self.spare, |(_, shard), _, bucket| {
            shard.store.prepare(bucket.iter().map(|reached| &reached.state));
            bucket.drain(..).for_each(|reached| shard.reach(order, reached));
        });
        let is_left = |(_, node): &Waiting<P>| node.depth() < depth_limit;
        if goals.is_empty() && waiting.iter().skip(left).any(is_left) {
            return Err(Halt::Stop(StopReason::Nodes));
        }
        Ok(goals)
    }

    /// Asks for the estimates of all open states again, since they say more now.
    fn evaluate_anew(&mut self, meter: &mut Meter<'_, P::Cost>) -> Result<(), Halt<P::Error>> {
        let mut open = Vec::new();
        let numbering = self.shards.numbering();
        for (number, shard) in self.shards.all_mut().enumerate() {
            (shard.list, shard.next) = (OpenList::new(), None);
            let nodes = shard.nodes.iter().enumerate().filter(|(_, node)| !node.is_closed());
            open.extend(nodes.map(|(id, _)| numbering.place(number, id as StateId)));
        }
        let shards = &self.shards;
        let work = |problem: &mut P, _: usize, places: &[Place]| {
            let estimate = |&place: &Place| {
                let state = shards.state(place);
                problem.meet(&state);
                let h = problem.heuristic(&state);
                h.map_err(|error| Halt::Fail((Operation::Heuristic, error)))
            };
            places.iter().map(estimate).collect::<Result<Vec<_>, _>>()
        };
        let estimates = self.crew.map_items(self.problem, (&open, PART), work, || meter.poll())?;
        for (place, h) in open.into_iter().zip(estimates.into_iter().flatten()) {
            meter.stats.evaluated += 1;
            let (shard, id) = self.shards.at_mut(place);
            let node = &mut shard.nodes[id as usize];
            match h {
                Some(h) => {
                    node.h = h;
                    shard.list.push(self.order.key(node.g, h), id);
                }
                None => {
                    node.flags |= CLOSED | DEAD;
                    shard.open -= 1;
                    meter.stats.dead_ends += 1;
                }
            }
        }
        Ok(())
    }

    /// The path to a goal that was found among states of the least f, and what is proved of its cost.
    fn solved(&mut self, goal: Place, f: P::Cost, meter: &mut Meter<'_, P::Cost>) -> Answer<P> {
        let along = self.shards.path(self.start, goal);
        meter.hold(self.shards.sum(Shard::bytes));
        let states: Vec<P::State> = along.iter().map(|&place| self.shards.state(place)).collect();
        let nodes: Vec<_> = along.iter().map(|&place| *self.shards.node(place)).collect();
        let mut costs: Vec<P::Cost> = nodes.iter().map(|node| node.g).collect();
        // Where a state was opened again and not expanded since, the states behind it still have the cost of the dearer
        // path.
        if self.shards.sum(|shard| shard.reopened as usize) > 0 {
            let steps = cheapest_steps(self.problem, &states);
            let steps = steps.map_err(|error| Halt::Fail((Operation::Successors, error)))?;
            for (at, step) in steps.into_iter().enumerate() {
                costs[at + 1] = step.map_or(costs[at + 1], |step| costs[at].plus(step.cost));
            }
        }
        let cost = costs[costs.len() - 1];
        let on_path = costs.iter().zip(&nodes).map(|(&g, node)| (g, node.h));
        let found = if O::INFORMED { overestimate(on_path, cost) } else { None };
        // Some path of least cost led through a state that was open then, or was cut off.
        let lower_bound =
            found.is_none().then(|| self.cut.into_iter().chain([f]).fold(cost, Ord::min));
        Ok(Verdict::Solved(Solution {
            cost,
            moves: moves_along(self.problem, (&states, &costs), meter)?,
            states,
            lower_bound,
            overestimate: found,
        }))
    }
}

/// Expands a state, if it is no goal, and not too deep.
fn expand_one<P: Problem, O: Order<P::Cost>>(
    problem: &mut P,
    shards: &Shards<Shard<P, O>>,
    &(place, node): &Waiting<P>,
    (depth_limit, admitted): (u32, bool),
    (part, room): (&mut Part<P>, &mut Room<P>),
) -> Result<(), Halt<P::Error>> {
    let state = shards.state(place);
    problem.meet(&state);
    if node.depth() > 0 {
        let is_goal = problem.is_goal(&state);
        if is_goal.map_err(|error| Halt::Fail((Operation::Goal, error)))? {
            part.goals.push(place);
            return Ok(());
        }
    }
    if node.depth() >= depth_limit || !admitted {
        return Ok(());
    }
    let before = shards.state(node.parent);
    part.stats.expanded += 1;
    let depth = (node.depth() + 1).min(DEPTH);
    let Room { known, out } = room;
    known.clear();
    out.clear();
    let is_known = O::INFORMED
        && problem.visit_successors(&state, node.h, &mut Known(known)) == VisitedSuccessors::All;
    if !is_known {
        known.clear();
        let found = problem.successors(&state, out);
        found.map_err(|error| Halt::Fail((Operation::Successors, error)))?;
    }
    part.stats.generated += (known.len() + out.len()) as u64;
    for (to, cost, h) in known.drain(..).filter(|(to, ..)| *to != before) {
        let reached = Reached { state: to, g: node.g.plus(cost), h: Some(h), parent: place, depth };
        part.to[shards.of(&reached.state)].push(reached);
        part.stats.evaluated += 1;
    }
    // What is known by a path that is no dearer is told before its estimate is asked for; without one the shards tell
    // it, who look at many states at once.
    if O::INFORMED {
        for found in out.iter() {
            shards.at_shard(shards.of(&found.state)).store.prepare(once(&found.state));
        }
    }
    for found in out.drain(..).filter(|found| found.state != before) {
        let (g, number) = (node.g.plus(found.cost), shards.of(&found.state));
        let shard = shards.at_shard(number);
        let known = if O::INFORMED { shard.store.find(&found.state) } else { None };
        let h = match known {
            Some(id) if g >= shard.nodes[id as usize].g => continue,
            // What is known of it is taken.
            Some(_) => Some(P::Cost::ZERO),
            None if !O::INFORMED => Some(P::Cost::ZERO),
            None => {
                let h = problem.heuristic_after(&state, node.h, &found.state, &found.hint);
                let h = h.map_err(|error| Halt::Fail((Operation::Heuristic, error)))?;
                part.stats.evaluated += 1;
                part.stats.dead_ends += u64::from(h.is_none());
                h
            }
        };
        part.to[number].push(Reached { state: found.state, g, h, parent: place, depth });
    }
    Ok(())
}
