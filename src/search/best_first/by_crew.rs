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
use crate::fork::on_threads;
use crate::meter::{Answer, Halt, Meter, Solution, Verdict, next_milestone};
use crate::open_list::OpenList;
use crate::path::{cheapest_steps, overestimate};
use crate::report::{Stats, StopReason};
use crate::shards::{self, Buckets, FEW, PART, Place, Shards, Spare, moves_along};
use crate::space::{Batch, Refined, Row, Space, StateId, StateStore, Successors};
use crate::team::Team;
use std::iter::once;

/// A round is of one state in so many that were expanded, for each thread …
const SHARE: u64 = 64;
/// … but of so many at least and at most.
const ROUND: (u64, u64) = (64, 1 << 15);

/// States of a shard.
struct Shard<R: Row, C: Cost, O: Order<C>> {
    store: R::Store,
    /// By number; the state before is a place.
    nodes: Vec<Node<C>>,
    list: OpenList<O::Key>,
    /// What was taken from the list and not expanded yet.
    next: Option<StateId>,
    /// States that are open.
    open: usize,
    reopened: u64,
    deepest: u32,
}

impl<R: Row, C: Cost, O: Order<C>> shards::Linked for Shard<R, C, O> {
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

/// A state to be expanded, and what is known of it.
type Waiting<C> = (Place, Node<C>);

/// A state that another one leads to.
struct Reached<R: Row, C: Cost> {
    state: R,
    g: C,
    /// `None` if no goal can be reached from it.
    h: Option<C>,
    parent: Place,
    depth: u32,
}

/// What some states lead to.
struct Part<R: Row, C: Cost> {
    to: Buckets<Reached<R, C>>,
    /// Goals among the states themselves.
    goals: Vec<Place>,
    stats: Stats,
}

struct Search<'s, 't, R: Row, C: Cost, O: Order<C>> {
    team: &'s mut Team<'t, R, C>,
    order: O,
    shards: Shards<Shard<R, C, O>>,
    spare: Spare<Reached<R, C>>,
    start: Place,
    /// The least f of a state that the depth bound kept from being expanded.
    cut: Option<C>,
}

pub(super) fn search<R: Row, C: Cost, O: Order<C>>(
    team: &mut Team<'_, R, C>,
    start: &R,
    order: O,
    meter: &mut Meter<'_, C>,
) -> Answer<R, C> {
    let shard = || Shard {
        store: R::Store::default(),
        nodes: Vec::new(),
        list: OpenList::new(),
        next: None,
        open: 0,
        reopened: 0,
        deepest: 0,
    };
    let shards = Shards::new(team.threads(), shard);
    let spare = Spare::new();
    Search { team, order, shards, spare, start: 0, cut: None }.run(start, meter)
}

impl<R: Row, C: Cost, O: Order<C>> Shard<R, C, O> {
    /// The least f of an open state.
    fn least(&mut self) -> Option<C> {
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
        (f, most): (C, usize),
        place: impl Fn(StateId) -> Place,
    ) -> Vec<Waiting<C>> {
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
    fn reach(&mut self, order: &O, reached: Reached<R, C>) {
        let Reached { state, g, h, parent, depth } = reached;
        let (id, is_new) = self.store.intern(&state);
        if !is_new && (self.nodes[id as usize].flags & DEAD != 0 || g >= self.nodes[id as usize].g)
        {
            return;
        }
        self.deepest = self.deepest.max(depth);
        let Some(h) = h else {
            let flags = depth | CLOSED | DEAD;
            self.nodes.extend(is_new.then_some(Node { g, h: C::ZERO, parent, flags }));
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
        let node = size_of::<Node<C>>();
        self.store.bytes() + self.nodes.capacity() * node + self.list.bytes()
    }
}

impl<R: Row, C: Cost, O: Order<C>> Search<'_, '_, R, C, O> {
    fn run(&mut self, start: &R, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let is_goal = meter.goal(self.team.main, start)?;
        meter.stats.iterations = u32::from(!is_goal);
        let h = match self.order.informed() && !is_goal {
            true => meter.evaluate(self.team.main, start)?,
            false => Some(C::ZERO),
        };
        let order = &self.order;
        self.start = self.shards.begin(start, |shard, parent| {
            let (state, g) = (start.clone(), C::ZERO);
            shard.reach(order, Reached { state, g, h, parent, depth: 0 });
        });
        if is_goal {
            return self.solved(self.start, C::ZERO, meter);
        }
        let mut refine_at = REFINED;
        while let Some(f) = self.shards.each(Shard::least).flatten().min() {
            if self.cut.is_none() {
                meter.raise(f);
            }
            if self.order.informed() && meter.stats.expanded >= refine_at {
                refine_at = next_milestone(meter.stats.expanded);
                match self.team.main.refine(meter.stats.expanded, start, None)? {
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
    fn cut_off(&mut self, f: C) {
        self.cut = Some(self.cut.map_or(f, |cut| cut.min(f)));
    }

    /// Takes open states of the least f.
    fn take(&mut self, f: C, meter: &Meter<'_, C>) -> Vec<Waiting<C>> {
        let threads = self.team.threads() as u64;
        let round = (meter.stats.expanded / SHARE).clamp(ROUND.0, ROUND.1) * threads;
        let most = usize::try_from(round).unwrap_or(usize::MAX);
        let (order, count, numbering) = (&self.order, self.shards.count(), self.shards.numbering());
        let threads = if most < FEW { 1 } else { threads as usize };
        let shards = self.shards.all_mut().enumerate().collect();
        let taken = on_threads(shards, threads, |(number, shard): (usize, &mut Shard<R, C, O>)| {
            shard.take(order, (f, most.div_ceil(count)), |id| numbering.place(number, id))
        });
        taken.concat()
    }

    /// Expands states: the goals among them.
    fn expand(
        &mut self,
        waiting: &[Waiting<C>],
        meter: &mut Meter<'_, C>,
    ) -> Result<Vec<Place>, Halt> {
        let left = usize::try_from(meter.expansions_left()).unwrap_or(usize::MAX);
        let (shards, spare) = (&self.shards, &self.spare);
        let (depth_limit, informed) = (meter.depth_limit, self.order.informed());
        let work = |space: &mut dyn Space<R, C>, from: usize, waiting: &[Waiting<C>]| {
            let mut part =
                Part { to: spare.take(shards), goals: Vec::new(), stats: Stats::default() };
            let mut out = Successors::default();
            for (at, waiting) in waiting.iter().enumerate() {
                expand_one(
                    space,
                    shards,
                    waiting,
                    (depth_limit, from + at < left, informed),
                    (&mut part, &mut out),
                )?;
            }
            Ok(part)
        };
        let deepest = waiting.iter().map(|(_, node)| node.depth()).max().unwrap_or(0);
        if left > 0 {
            meter.admit(deepest, self.shards.sum(Shard::bytes))?;
        }
        let parts = self.team.map_items((waiting, PART), work, || meter.poll())?;
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
        self.shards.fill(self.team.threads(), buckets, &self.spare, |(_, shard), _, bucket| {
            shard.store.prepare(bucket.iter().map(|reached| &reached.state));
            bucket.drain(..).for_each(|reached| shard.reach(order, reached));
        });
        let is_left = |(_, node): &Waiting<C>| node.depth() < depth_limit;
        if goals.is_empty() && waiting.iter().skip(left).any(is_left) {
            return Err(Halt::Stop(StopReason::Nodes));
        }
        Ok(goals)
    }

    /// Asks for the estimates of all open states again, since they say more now.
    fn evaluate_anew(&mut self, meter: &mut Meter<'_, C>) -> Result<(), Halt> {
        let mut open = Vec::new();
        let numbering = self.shards.numbering();
        for (number, shard) in self.shards.all_mut().enumerate() {
            (shard.list, shard.next) = (OpenList::new(), None);
            let nodes = shard.nodes.iter().enumerate().filter(|(_, node)| !node.is_closed());
            open.extend(nodes.map(|(id, _)| numbering.place(number, id as StateId)));
        }
        let shards = &self.shards;
        let work = |space: &mut dyn Space<R, C>, _: usize, places: &[Place]| {
            let estimate = |&place: &Place| Ok(space.estimate(&shards.state(place), None)?);
            places.iter().map(estimate).collect::<Result<Vec<_>, Halt>>()
        };
        let estimates = self.team.map_items((&open, PART), work, || meter.poll())?;
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
    fn solved(&mut self, goal: Place, f: C, meter: &mut Meter<'_, C>) -> Answer<R, C> {
        let along = self.shards.path(self.start, goal);
        meter.hold(self.shards.sum(Shard::bytes));
        let states: Vec<R> = along.iter().map(|&place| self.shards.state(place)).collect();
        let nodes: Vec<_> = along.iter().map(|&place| *self.shards.node(place)).collect();
        let mut costs: Vec<C> = nodes.iter().map(|node| node.g).collect();
        // Where a state was opened again and not expanded since, the states behind it still have the cost of the dearer
        // path.
        if self.shards.sum(|shard| shard.reopened as usize) > 0 {
            let steps = cheapest_steps(self.team.main, &states)?;
            for (at, step) in steps.into_iter().enumerate() {
                costs[at + 1] = step.map_or(costs[at + 1], |step| costs[at].plus(step.cost));
            }
        }
        let cost = costs[costs.len() - 1];
        let on_path = costs.iter().zip(&nodes).map(|(&g, node)| (g, node.h));
        let found = if self.order.informed() { overestimate(on_path, cost) } else { None };
        // Some path of least cost led through a state that was open then, or was cut off.
        let lower_bound =
            found.is_none().then(|| self.cut.into_iter().chain([f]).fold(cost, Ord::min));
        Ok(Verdict::Solved(Solution {
            cost,
            moves: moves_along(self.team.main, (&states, &costs), meter)?,
            states,
            lower_bound,
            overestimate: found,
            is_cheapest: false,
        }))
    }
}

/// Expands a state, if it is no goal, and not too deep.
fn expand_one<R: Row, C: Cost, O: Order<C>>(
    space: &mut dyn Space<R, C>,
    shards: &Shards<Shard<R, C, O>>,
    &(place, node): &Waiting<C>,
    (depth_limit, admitted, informed): (u32, bool, bool),
    (part, out): (&mut Part<R, C>, &mut Successors<R, C>),
) -> Result<(), Halt> {
    let state = shards.state(place);
    if node.depth() > 0 && space.is_goal(&state)? {
        part.goals.push(place);
        return Ok(());
    }
    if node.depth() >= depth_limit || !admitted {
        return Ok(());
    }
    let (rows, before) = (std::slice::from_ref(&state), shards.state(node.parent));
    part.stats.expanded += 1;
    let depth = (node.depth() + 1).min(DEPTH);
    out.clear();
    let estimates = if informed { std::slice::from_ref(&node.h) } else { &[] };
    space.expand(Batch { rows, estimates, before: std::slice::from_ref(&before) }, out)?;
    part.stats.generated += out.len() as u64 + out.returning;
    // What is known by a path that is no dearer is told before its estimate is asked for; without one the shards tell
    // it, who look at many states at once.
    if informed {
        for (_, state) in out.iter().filter(|(head, _)| head.estimate.is_none()) {
            shards.at_shard(shards.of(state)).store.prepare(once(state));
        }
    }
    for (head, to) in out.drain() {
        let (g, number) = (node.g.plus(head.cost), shards.of(&to));
        let shard = shards.at_shard(number);
        let asks = informed && head.estimate.is_none();
        let h = match if asks { shard.store.find(&to) } else { None } {
            Some(id) if g >= shard.nodes[id as usize].g => continue,
            None if asks => {
                let h = space.estimate(&to, Some((&state, node.h)))?;
                part.stats.evaluated += 1;
                part.stats.dead_ends += u64::from(h.is_none());
                h
            }
            // What the shard knows of it is taken.
            _ => {
                part.stats.evaluated += u64::from(head.estimate.is_some());
                Some(head.estimate.unwrap_or(C::ZERO))
            }
        };
        part.to[number].push(Reached { state: to, g, h, parent: place, depth });
    }
    Ok(())
}
