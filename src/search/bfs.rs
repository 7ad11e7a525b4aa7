//! `bfs`: breadth-first search, a path of fewest moves.
//!
//! States are expanded in the order in which they were found, and a goal is recognised when it is generated.
//! The open list takes no memory of its own: it is the states numbered from the next one on. A team of several
//! workers expands a layer in rounds, states in [shards] by their hash; path and counts are the same.
//!
//! A path of fewest moves is a cheapest path if it costs no more than its number of moves
//! times the least cost of a move. To know that least cost the search goes on, after a goal
//! is found at depth d, to expand the other states at depth d − 1, as long as the proof can
//! succeed; [`Space::least_move_cost`] saves it that.
//!
//! E. F. Moore: The shortest path through a maze. *Proceedings of the International Symposium
//! on the Theory of Switching*, 1959. Russell & Norvig, *Artificial Intelligence: A Modern
//! Approach*, 4th edition, §3.4.1.
//!
//! ```
//! use zug_search::{Claim, Digraph, Engine, Limits, Options, run};
//!
//! let mut graph = Digraph::new(&[(0, 1, 1), (1, 2, 1), (0, 2, 5)], &[2]);
//! let report = run(Engine::Bfs, &mut graph, &0, &Options::default(), &Limits::none(), None)?;
//! assert_eq!(report.claim, Claim::Nothing);
//! assert_eq!((report.cost, report.states), (Some(5), vec![0, 2]));
//! # Ok::<(), zug_search::SearchError<std::convert::Infallible>>(())
//! ```

use super::cost::Cost;
use super::info::{EngineInfo, Guarantee};
use super::limits::Options;
use super::meter::{Answer, Halt, Meter, Solution, Verdict};
use super::report::StopReason;
use super::shards::{self, Buckets, New, PART, Place, Shards, Spare, moves_along};
use super::space::{Head, MoveId, Row, Space, StateId, StateStore, Successors};
use super::team::Team;

pub(crate) const INFO: EngineInfo = EngineInfo {
    name: "bfs",
    title: "breadth-first search",
    summary: "a path of fewest moves",
    guarantee: Guarantee::FewestMoves,
    complete: true,
    informed: false,
    parameters: &[],
    memory: "all states found",
    threads: true,
    when: "all moves cost the same",
    reference: "Moore 1959",
};

/// What is known of a stored state.
struct Node<C> {
    g: C,
    parent: Place,
    /// The move from there, by the numbers of the worker that made it.
    mv: MoveId,
}

/// What is known of the costs of moves.
struct Costs<C> {
    /// No move costs less.
    least: C,
    /// The least cost of a move so far.
    cheapest: Option<C>,
}

impl<C: Cost> Costs<C> {
    /// Records the cost of a move.
    #[inline]
    fn see(&mut self, cost: C) {
        self.cheapest = Some(self.cheapest.map_or(cost, |least| least.min(cost)));
    }

    /// Whether going on cannot change what is proved of a goal of this cost at this depth.
    fn are_decisive(&self, cost: C, depth: u32) -> bool {
        let proved = self.lower_bound(depth, false) >= cost;
        let hopeless = self.cheapest.is_some_and(|seen| times(seen, depth) < cost);
        proved || hopeless
    }

    /// What a path to a goal costs at least, if the fewest moves are `depth`. The first
    /// `depth` moves of any path start above that depth, where all moves have been seen if
    /// the layer is finished, and all but the last have been seen if not.
    fn lower_bound(&self, depth: u32, finished: bool) -> C {
        let seen = self.cheapest.unwrap_or(self.least);
        match depth {
            0 => C::ZERO,
            _ if finished => times(seen, depth),
            _ => times(seen, depth - 1).plus(self.least).max(times(self.least, depth)),
        }
    }
}

/// States of a shard.
struct Shard<R: Row, C> {
    store: R::Store,
    /// By number; the state before is a place.
    nodes: Vec<Node<C>>,
}

impl<R: Row, C: Cost> Shard<R, C> {
    fn bytes(&self) -> usize {
        self.store.bytes() + self.nodes.capacity() * size_of::<Node<C>>()
    }
}

impl<R: Row, C: Cost> shards::Linked for Shard<R, C> {
    type Store = R::Store;
    type Node = Node<C>;

    #[inline]
    fn states(&self) -> (&R::Store, &[Node<C>]) {
        (&self.store, &self.nodes)
    }

    fn before(node: &Node<C>) -> Place {
        node.parent
    }
}

/// A state that others lead to.
struct Reached<R, C> {
    state: R,
    node: Node<C>,
    /// Which of the successors of its part it is.
    at: u32,
}

/// What some states lead to.
struct Part<R, C> {
    to: Buckets<Reached<R, C>>,
    /// By state: how many successors, and what the cheapest costs.
    moves: Vec<(u32, Option<C>)>,
    count: u32,
}

struct Search<'s, 't, R: Row, C: Cost> {
    team: &'s mut Team<'t, R, C>,
    shards: Shards<Shard<R, C>>,
    spare: Spare<Reached<R, C>>,
    start: Place,
    costs: Costs<C>,
    /// The first goal, and its depth.
    goal: Option<(Place, u32)>,
    /// All states above the goal have been expanded.
    finished: bool,
}

pub(crate) fn search<R: Row, C: Cost>(
    team: &mut Team<'_, R, C>,
    start: &R,
    _: &Options,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    let shard = || Shard { store: R::Store::default(), nodes: Vec::new() };
    let shards = Shards::new(team.threads(), shard);
    let costs = Costs { least: team.main.least_move_cost(), cheapest: None };
    let spare = Spare::new();
    let mut search = Search { team, shards, spare, start: 0, costs, goal: None, finished: false };
    let ended = search.run(start, meter);
    meter.hold(search.bytes());
    match (ended, search.goal) {
        (Ok(_) | Err(Halt::Stop(_)), Some((goal, depth))) => search.solved(goal, depth, meter),
        (ended, _) => ended,
    }
}

impl<R: Row, C: Cost> Search<'_, '_, R, C> {
    /// Searches until a goal is found and nothing more can be proved of it, or to the end.
    fn run(&mut self, start: &R, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        self.start = self.shards.begin(start, |shard, place| {
            shard.store.intern(start);
            shard.nodes.push(Node { g: C::ZERO, parent: place, mv: 0 });
        });
        if meter.goal(self.team.main, start)? {
            self.goal = Some((self.start, 0));
            return Ok(Verdict::Exhausted);
        }
        meter.stats.iterations = 1;
        match self.team.is_alone() {
            true => self.run_alone(meter),
            false => self.run_in_rounds(meter),
        }
    }

    /// Expands one state after the other.
    fn run_alone(&mut self, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let mut out = Successors::default();
        let (mut next, mut depth, mut layer_end) = (0, 0, 1);
        while next < self.shards.only().nodes.len()
            && self.goal.is_none_or(|(_, found)| depth < found)
        {
            if depth >= meter.depth_limit {
                return Ok(Verdict::Incomplete(StopReason::Depth));
            }
            let shard = self.shards.only();
            let (state, held) = (shard.store.state(next as StateId), shard.bytes());
            let stored = shard.nodes.len();
            meter.expand_stored(self.team.main, &state, depth, (stored, held), &mut out)?;
            self.take_successors(next as StateId, depth + 1, &mut out, meter)?;
            if let Some((goal, found)) = self.goal
                && self.costs.are_decisive(self.shards.node(goal).g, found)
            {
                return Ok(Verdict::Exhausted);
            }
            next += 1;
            let stored = self.shards.only().nodes.len();
            meter.open(stored - next);
            if next == layer_end {
                depth += 1;
                layer_end = stored;
            }
        }
        self.finished = true;
        Ok(Verdict::Exhausted)
    }

    /// Records the successors of a state, and the first goal among them.
    fn take_successors(
        &mut self,
        parent: StateId,
        depth: u32,
        out: &mut Successors<R, C>,
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Halt> {
        let shard = self.shards.only();
        let &Node { g, parent: before, .. } = &shard.nodes[parent as usize];
        let before = shard.store.state(before);
        shard.store.prepare(out.rows.iter());
        for (&Head { mv, cost, .. }, state) in out.iter() {
            self.costs.see(cost);
            // With a goal in hand only the costs still matter; the state before is known.
            if self.goal.is_some() || *state == before {
                continue;
            }
            let (id, is_new) = shard.store.intern(state);
            if is_new {
                shard.nodes.push(Node { g: g.plus(cost), parent, mv });
                meter.reach(depth);
                if meter.goal(self.team.main, state)? {
                    self.goal = Some((id, depth));
                }
            }
        }
        Ok(())
    }

    /// Expands layers in rounds, by all workers.
    fn run_in_rounds(&mut self, meter: &mut Meter<'_, C>) -> Answer<R, C> {
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
                let round = shards::round(waiting, self.team, meter);
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
        meter: &mut Meter<'_, C>,
    ) -> Result<bool, Halt> {
        let (shards, wanted) = (&self.shards, self.goal.is_none());
        let begin = || Part { to: self.spare.take(shards), moves: Vec::new(), count: 0 };
        let sort = |part: &mut Part<R, C>, states: &[Place], out: &mut Successors<R, C>| {
            let mut found = out.drain().peekable();
            for (at, &parent) in states.iter().enumerate() {
                let &Node { g, parent: before, .. } = shards.node(parent);
                let before = shards.state(before);
                let (mut count, mut cheapest) = (0, None);
                while let Some((head, state)) = found.next_if(|(head, _)| head.from as usize == at)
                {
                    count += 1;
                    cheapest = Some(cheapest.map_or(head.cost, |least: C| least.min(head.cost)));
                    // With a goal in hand only the costs still matter; the state before is known.
                    if wanted && state != before {
                        let node = Node { g: g.plus(head.cost), parent, mv: head.mv };
                        part.to[shards.of(&state)].push(Reached { state, node, at: part.count });
                        part.count += 1;
                    }
                }
                part.moves.push((count, cheapest));
            }
        };
        let parts =
            shards::expand(self.team, round, |place| shards.state(place), begin, sort, meter)?;
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
        let (threads, spare) = (self.team.threads(), &self.spare);
        self.shards.fill(threads, buckets, spare, |(number, shard), part, bucket| {
            shard.store.prepare(bucket.iter().map(|reached| &reached.state));
            for Reached { state, node, at } in bucket.drain(..) {
                let (id, is_new) = shard.store.intern(&state);
                if is_new {
                    shard.nodes.push(node);
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
        // What is counted is a search of one state after the other.
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
        meter: &mut Meter<'_, C>,
    ) -> Result<Option<Place>, Halt> {
        let shards = &self.shards;
        let work = |space: &mut dyn Space<R, C>, _: usize, places: &[Place]| {
            for &place in places {
                if space.is_goal(&shards.state(place))? {
                    return Ok(Some(place));
                }
            }
            Ok(None)
        };
        let found = self.team.map_items((places, PART), work, || meter.poll())?;
        Ok(found.into_iter().flatten().next())
    }

    fn bytes(&self) -> usize {
        self.shards.sum(Shard::bytes)
    }

    fn solved(&mut self, goal: Place, depth: u32, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let along = self.shards.path(self.start, goal);
        let states: Vec<R> = along.iter().map(|&place| self.shards.state(place)).collect();
        let costs: Vec<C> = along.iter().map(|&place| self.shards.node(place).g).collect();
        let moves = match self.team.is_alone() {
            true => along[1..].iter().map(|&place| self.shards.node(place).mv).collect(),
            false => moves_along(self.team.main, (&states, &costs), meter)?,
        };
        Ok(Verdict::Solved(Solution {
            cost: costs[depth as usize],
            moves,
            states,
            lower_bound: Some(self.costs.lower_bound(depth, self.finished)),
            overestimate: None,
            is_cheapest: false,
        }))
    }
}

/// `count` times `cost`.
pub(crate) fn times<C: Cost>(cost: C, count: u32) -> C {
    (0..count).fold(C::ZERO, |sum, _| sum.plus(cost))
}
