//! Breadth-first search by several threads: the same path, and the same counts of expansions, as by one.

use super::{Costs, Node};
use crate::cost::Cost;
use crate::fork::Crew;
use crate::meter::{Answer, Halt, Meter, Solution, Verdict};
use crate::problem::{Problem, StateStore, SuccessorOf};
use crate::report::{Operation, StopReason};
use crate::shards::{self, Buckets, New, PART, Place, Shards, Spare};

/// States of a shard.
struct Shard<P: Problem> {
    store: P::Store,
    /// By number; the state before is a place.
    nodes: Vec<Node<P::Cost>>,
}

impl<P: Problem> shards::Linked for Shard<P> {
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

/// A state that others lead to.
struct Reached<P: Problem> {
    state: P::State,
    g: P::Cost,
    parent: Place,
    /// Which of the successors of its part it is.
    at: u32,
}

/// What some states lead to.
struct Part<P: Problem> {
    to: Buckets<Reached<P>>,
    /// By state: how many successors, and what the cheapest costs.
    moves: Vec<(u32, Option<P::Cost>)>,
    count: u32,
}

struct Search<'s, P: Problem> {
    problem: &'s mut P,
    crew: &'s mut Crew<P>,
    shards: Shards<Shard<P>>,
    spare: Spare<Reached<P>>,
    start: Place,
    costs: Costs<P::Cost>,
    /// The first goal, and its depth.
    goal: Option<(Place, u32)>,
    /// All states above the goal have been expanded.
    finished: bool,
}

pub(super) fn search<P: Problem>(
    problem: &mut P,
    crew: &mut Crew<P>,
    start: &P::State,
    meter: &mut Meter<'_, P::Cost>,
) -> Answer<P> {
    let shard = || Shard { store: problem.new_store(), nodes: Vec::new() };
    let shards = Shards::new(crew.threads(), shard);
    let costs = Costs::of(problem);
    let spare = Spare::new();
    let mut search =
        Search { problem, crew, shards, spare, start: 0, costs, goal: None, finished: false };
    let ended = search.run(start, meter);
    meter.hold(search.bytes());
    match (ended, search.goal) {
        (Ok(_) | Err(Halt::Stop(_)), Some((goal, depth))) => search.solved(goal, depth, meter),
        (ended, _) => ended,
    }
}

impl<P: Problem> Search<'_, P> {
    fn run(&mut self, start: &P::State, meter: &mut Meter<'_, P::Cost>) -> Answer<P> {
        self.start = self.shards.begin(start, |shard, place| {
            shard.store.intern(start);
            shard.nodes.push(Node { g: Cost::ZERO, parent: place });
        });
        if meter.goal(self.problem, start)? {
            self.goal = Some((self.start, 0));
            return Ok(Verdict::Exhausted);
        }
        meter.stats.iterations = 1;
        let (mut layer, mut depth) = (vec![self.start], 0);
        while !layer.is_empty() && self.goal.is_none() {
            if depth >= meter.depth_limit {
                return Ok(Verdict::Incomplete(StopReason::Depth));
            }
            depth += 1;
            let mut next = Vec::new();
            let mut waiting = &layer[..];
            while !waiting.is_empty() {
                meter.admit(depth - 1, self.bytes())?;
                let round = shards::round(waiting, self.crew.threads(), meter);
                waiting = &waiting[round.len()..];
                if self.expand(round, depth, &mut next, meter)? {
                    return Ok(Verdict::Exhausted);
                }
                meter.open(waiting.len() + next.len());
            }
            layer = next;
        }
        self.finished = true;
        Ok(Verdict::Exhausted)
    }

    /// Expands states of a layer, the successors of which are at a depth: whether a goal is known, and going on cannot
    /// change what is proved of it.
    fn expand(
        &mut self,
        round: &[Place],
        depth: u32,
        next: &mut Vec<Place>,
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<bool, Halt<P::Error>> {
        let (shards, wanted) = (&self.shards, self.goal.is_none());
        let begin = || Part { to: self.spare.take(shards), moves: Vec::new(), count: 0 };
        let sort = |part: &mut Part<P>, at: usize, out: &mut Vec<SuccessorOf<P>>| {
            let cheapest = out.iter().map(|successor| successor.cost).min();
            part.moves.push((out.len() as u32, cheapest));
            let parent = round[at];
            let &Node { g, parent: before } = shards.node(parent);
            let before = shards.state(before);
            // With a goal in hand only the costs still matter; the state before is known.
            for found in out.drain(..).filter(|found| wanted && found.state != before) {
                let (g, at) = (g.plus(found.cost), part.count);
                part.to[shards.of(&found.state)].push(Reached {
                    state: found.state,
                    g,
                    parent,
                    at,
                });
                part.count += 1;
            }
        };
        let state = |&place: &Place| shards.state(place);
        let parts = shards::expand(self.crew, self.problem, round, state, begin, sort, meter)?;
        let new = New::of(parts.iter().map(|part| part.count));
        let mut moves = Vec::with_capacity(round.len());
        let mut buckets = Vec::with_capacity(parts.len());
        for part in parts {
            moves.extend(part.moves);
            buckets.push(part.to);
        }
        let generated: usize = moves.iter().map(|&(count, _)| count as usize).sum();
        let stored = self.shards.most(|shard| shard.nodes.len());
        meter.admit_numbers(generated, stored)?;
        let numbering = self.shards.numbering();
        let (threads, spare) = (self.crew.threads(), &self.spare);
        self.shards.fill(threads, buckets, spare, |(number, shard), part, bucket| {
            shard.store.prepare(bucket.iter().map(|reached| &reached.state));
            for Reached { state, g, parent, at } in bucket.drain(..) {
                let (id, is_new) = shard.store.intern(&state);
                if is_new {
                    shard.nodes.push(Node { g, parent });
                    new.put(part, at, numbering.place(number, id));
                }
            }
        });
        let from = next.len();
        next.extend(new.places());
        // The first state behind which going on may be of no use.
        let mut first_decided = 0;
        if self.goal.is_none() {
            first_decided = round.len();
            if next.len() > from {
                meter.reach(depth);
            }
            if let Some(first) = self.first_goal(&next[from..], meter)? {
                self.goal = Some((first, depth));
                let parent = self.shards.node(first).parent;
                first_decided = round.iter().position(|&place| place == parent).unwrap_or(0);
            }
        }
        // What one thread would have done: up to the goal all, then one state after the other.
        for (at, &(count, cheapest)) in moves.iter().enumerate() {
            meter.count(1, u64::from(count));
            cheapest.into_iter().for_each(|cost| self.costs.see(cost));
            if at >= first_decided
                && let Some((goal, found)) = self.goal
                && self.costs.are_decisive(self.shards.node(goal).g, found)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first goal of some states.
    fn first_goal(
        &mut self,
        places: &[Place],
        meter: &mut Meter<'_, P::Cost>,
    ) -> Result<Option<Place>, Halt<P::Error>> {
        let shards = &self.shards;
        let work = |problem: &mut P, _: usize, places: &[Place]| {
            for &place in places {
                let state = shards.state(place);
                problem.meet(&state);
                let failed = |error| Halt::Fail((Operation::Goal, error));
                if problem.is_goal(&state).map_err(failed)? {
                    return Ok(Some(place));
                }
            }
            Ok(None)
        };
        let found = self.crew.map_items(self.problem, (places, PART), work, || meter.poll())?;
        Ok(found.into_iter().flatten().next())
    }

    fn bytes(&self) -> usize {
        let node = size_of::<Node<P::Cost>>();
        self.shards.sum(|shard| shard.store.bytes() + shard.nodes.capacity() * node)
    }

    fn solved(&mut self, goal: Place, depth: u32, meter: &mut Meter<'_, P::Cost>) -> Answer<P> {
        let along = self.shards.path(self.start, goal);
        let states: Vec<P::State> = along.iter().map(|&place| self.shards.state(place)).collect();
        let costs: Vec<P::Cost> = along.iter().map(|&place| self.shards.node(place).g).collect();
        Ok(Verdict::Solved(Solution {
            cost: costs[depth as usize],
            moves: shards::moves_along(self.problem, (&states, &costs), meter)?,
            states,
            lower_bound: Some(self.costs.lower_bound(depth, self.finished)),
            overestimate: None,
        }))
    }
}
