//! The states around a start, each once with its moves: what trees of a domain are drawn from.
//!
//! A tree of all occurrences is mostly too large to be made: that of Nim with 40 matches has
//! some 10¹⁰ nodes over 41 states. So the states are laid out once, as a graph, and trees are
//! counted over it ([`Unfolded::tree_size`]) before anybody draws one.
//!
//! ```
//! use zug_search::{Digraph, Limits, TreeSize, unfold};
//!
//! // 0 leads to 1 and 2, 1 to 2: 2 occurs twice in the tree.
//! let mut space = Digraph::new(&[(0, 1, 1), (0, 2, 1), (1, 2, 1)], &[]);
//! let unfolded = unfold(&mut space, |space| space, &0, &Limits::none(), |_, state| Ok(*state))?;
//! assert_eq!(unfolded.len(), 3);
//! assert_eq!(unfolded.tree_size(None), TreeSize::Exact(4u32.into()));
//! # Ok::<(), zug_search::SearchError>(())
//! ```

use super::cost::Cost;
use super::limits::Limits;
use super::meter::{Halt, Meter};
use super::report::{SearchError, StopReason};
use super::space::{Failure, Head, MoveId, Row, Space, StateId, StateStore, Successors};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// A move and the state it leads to, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc<C> {
    /// The label of the move.
    pub mv: MoveId,
    /// What it costs.
    pub cost: C,
    /// The number of the state it leads to.
    pub to: StateId,
    /// Other moves that lead there, if they were [merged](Unfolded::merge).
    pub others: Vec<MoveId>,
}

/// States in the order of their distance from the start, each with its moves.
#[derive(Clone, Debug)]
pub struct Unfolded<S, C> {
    states: Vec<S>,
    depths: Vec<u32>,
    goals: Vec<bool>,
    /// Where the arcs of each expanded state end; those of the next begin there.
    ends: Vec<usize>,
    arcs: Vec<Arc<C>>,
    /// What kept it from all states; a limit of depth is none of them.
    pub stopped: Option<StopReason>,
}

/// How many nodes a tree has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeSize {
    /// So many.
    Exact(BigUint),
    /// So many at least: not all of it is known.
    AtLeast(BigUint),
    /// It has no end: play or a path can go round.
    Endless,
}

/// Steps over arcs that a count may take.
const MOST_STEPS: u64 = 10_000_000;

/// Lays out the states that can be reached from `start`, nearer ones before others, within
/// the limits. Goals are not gone beyond. States with equal keys are one: the first met. `of` takes the space out of what
/// knows the keys.
///
/// # Errors
/// The failure of an operation of the space.
pub fn unfold<R: Row, C: Cost, P: ?Sized>(
    space: &mut P,
    of: fn(&mut P) -> &mut dyn Space<R, C>,
    start: &R,
    limits: &Limits,
    mut key: impl FnMut(&mut P, &R) -> Result<R, Failure>,
) -> Result<Unfolded<R, C>, SearchError> {
    let mut meter = Meter::new(limits, None);
    let mut found = Unfolded {
        states: vec![start.clone()],
        depths: vec![0],
        goals: Vec::new(),
        ends: Vec::new(),
        arcs: Vec::new(),
        stopped: None,
    };
    let ended = found.lay_out(space, of, &mut key, &mut meter);
    match ended {
        Ok(()) => Ok(found),
        Err(Halt::Stop(reason)) => {
            found.stopped = Some(reason);
            found.goals.resize(found.states.len(), false);
            Ok(found)
        }
        Err(Halt::Fail(failure)) => Err(meter.failed(failure)),
    }
}

impl<R: Row, C: Cost> Unfolded<R, C> {
    fn lay_out<P: ?Sized>(
        &mut self,
        space: &mut P,
        of: fn(&mut P) -> &mut dyn Space<R, C>,
        key: &mut impl FnMut(&mut P, &R) -> Result<R, Failure>,
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Halt> {
        let mut store = R::Store::default();
        store.intern(&key(space, &self.states[0])?);
        let mut out = Successors::default();
        let mut next = 0;
        while let Some(state) = self.states.get(next).cloned() {
            let goal = meter.goal(of(space), &state)?;
            self.goals.push(goal);
            if !goal && self.depths[next] < meter.depth_limit {
                let held = (store.len(), store.bytes() + self.arcs.len() * size_of::<Arc<C>>());
                meter.expand_stored(of(space), &state, self.depths[next], held, &mut out)?;
                for (head, state) in out.drain() {
                    let class = key(space, &state)?;
                    let (to, new) = store.intern(&class);
                    if new {
                        self.states.push(state);
                        self.depths.push(self.depths[next] + 1);
                    }
                    let Head { mv, cost, .. } = head;
                    self.arcs.push(Arc { mv, cost, to, others: Vec::new() });
                }
            }
            self.ends.push(self.arcs.len());
            next += 1;
        }
        Ok(())
    }
}

impl<S, C> Unfolded<S, C> {
    /// Makes one of all moves from a state that lead to the same state.
    pub fn merge(&mut self) {
        let mut ends = Vec::with_capacity(self.ends.len());
        let mut merged: Vec<Arc<C>> = Vec::new();
        let mut arcs = std::mem::take(&mut self.arcs).into_iter();
        let mut place: FxHashMap<StateId, usize> = FxHashMap::default();
        let mut before = 0;
        for &end in &self.ends {
            place.clear();
            for arc in arcs.by_ref().take(end - before) {
                match place.get(&arc.to) {
                    Some(&at) => merged[at].others.push(arc.mv),
                    None => {
                        place.insert(arc.to, merged.len());
                        merged.push(arc);
                    }
                }
            }
            before = end;
            ends.push(merged.len());
        }
        (self.ends, self.arcs) = (ends, merged);
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Never: the start is there.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The state with a number.
    pub fn state(&self, id: StateId) -> &S {
        &self.states[id as usize]
    }

    /// The least number of moves that lead to a state.
    pub fn depth(&self, id: StateId) -> u32 {
        self.depths[id as usize]
    }

    /// Whether a state is a goal, or an end of play.
    pub fn is_goal(&self, id: StateId) -> bool {
        self.goals[id as usize]
    }

    /// The moves of a state, as far as they were asked for.
    pub fn arcs(&self, id: StateId) -> &[Arc<C>] {
        let at = id as usize;
        let Some(&end) = self.ends.get(at) else { return &[] };
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.arcs[begin..end]
    }

    /// Whether the moves of a state were asked for, or it has none to be asked for.
    pub fn is_known(&self, id: StateId) -> bool {
        (id as usize) < self.ends.len()
    }

    /// How many moves there are in all.
    pub fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    /// The states in an order in which every arc leads to an earlier one; `None` if there is
    /// no such order, because some path goes round.
    pub fn ends_first(&self) -> Option<Vec<StateId>> {
        // From the start, each state when all that lead to it are done (Kahn 1962).
        let mut coming = vec![0u32; self.len()];
        for arc in &self.arcs {
            coming[arc.to as usize] += 1;
        }
        if coming[0] > 0 {
            return None;
        }
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            for arc in self.arcs(at) {
                coming[arc.to as usize] -= 1;
                if coming[arc.to as usize] == 0 {
                    order.push(arc.to);
                }
            }
        }
        order.reverse();
        (order.len() == self.len()).then_some(order)
    }

    /// How many nodes the tree of every occurrence has, down to a depth.
    pub fn tree_size(&self, depth: Option<u32>) -> TreeSize {
        match self.below(&[0], depth) {
            Some(sizes) if self.stopped.is_none() => TreeSize::Exact(sizes[0].clone()),
            Some(sizes) => TreeSize::AtLeast(sizes[0].clone()),
            None if depth.is_none() => TreeSize::Endless,
            None => TreeSize::AtLeast(BigUint::from(self.len())),
        }
    }

    /// How many nodes the trees from some states have, themselves included, down to a depth
    /// below them; `None` if they have no end, or the count takes too long.
    pub fn below(&self, roots: &[StateId], depth: Option<u32>) -> Option<Vec<BigUint>> {
        let one = BigUint::from(1u32);
        let order = self.ends_first();
        let sizes = match (&order, depth) {
            (None, None) => return None,
            // No path is longer than there are states.
            (Some(order), depth) if depth.is_none_or(|depth| depth as usize >= self.len()) => {
                let mut sizes = vec![one.clone(); self.len()];
                for &at in order {
                    sizes[at as usize] = self.grown(at, &sizes);
                }
                sizes
            }
            (_, depth) => {
                let depth = depth.unwrap_or(0);
                if u64::from(depth) * self.arcs.len() as u64 > MOST_STEPS {
                    return None;
                }
                let mut sizes = vec![one.clone(); self.len()];
                for _ in 0..depth {
                    sizes = (0..self.len() as StateId).map(|at| self.grown(at, &sizes)).collect();
                }
                sizes
            }
        };
        Some(roots.iter().map(|&root| sizes[root as usize].clone()).collect())
    }

    fn grown(&self, at: StateId, sizes: &[BigUint]) -> BigUint {
        let below: BigUint = self.arcs(at).iter().map(|arc| &sizes[arc.to as usize]).sum();
        below + 1u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Digraph;

    /// Nim: take 1 to 3 of so many.
    fn nim(matches: u32) -> Digraph {
        let takes = (1..=matches).flat_map(|n| (1..=3.min(n)).map(move |k| (n, n - k, 1)));
        Digraph::new(&takes.collect::<Vec<_>>(), &[])
    }

    fn counted(space: &mut Digraph, start: u32, depth: Option<u32>) -> TreeSize {
        let limits = Limits { depth, ..Limits::none() };
        let found = unfold(space, |space| space, &start, &limits, |_, state| Ok(*state));
        found.expect("it can't fail").tree_size(depth)
    }

    /// Counts the nodes one by one.
    fn by_hand(n: u32, depth: u32) -> u32 {
        let takes = if depth == 0 { 0 } else { 3.min(n) };
        1 + (1..=takes).map(|k| by_hand(n - k, depth - 1)).sum::<u32>()
    }

    #[test]
    fn trees_are_counted_without_being_made() {
        for n in 0..12 {
            for depth in 0..14 {
                let size = counted(&mut nim(n), n, Some(depth));
                assert_eq!(size, TreeSize::Exact(by_hand(n, depth).into()), "{n} to {depth}");
            }
            let whole = counted(&mut nim(n), n, None);
            assert_eq!(whole, TreeSize::Exact(by_hand(n, n).into()));
        }
        let TreeSize::Exact(size) = counted(&mut nim(400), 400, None) else {
            panic!("it has an end");
        };
        assert_eq!(size.to_string().len(), 106);
    }

    #[test]
    fn what_goes_round_has_no_end() {
        let mut round = Digraph::new(&[(0, 1, 1), (1, 0, 1), (1, 2, 1)], &[]);
        assert_eq!(counted(&mut round, 0, None), TreeSize::Endless);
        // 0; 1; 0 2; 1; 0 2
        assert_eq!(counted(&mut round, 0, Some(4)), TreeSize::Exact(7u32.into()));
    }

    #[test]
    fn a_limit_leaves_a_part() {
        let limits = Limits { nodes: Some(3), ..Limits::none() };
        let found = unfold(&mut nim(9), |space| space, &9, &limits, |_, state| Ok(*state))
            .expect("no failure");
        assert_eq!(found.stopped, Some(StopReason::Nodes));
        assert!(found.is_known(2) && !found.is_known(3) && !found.is_goal(3));
        assert!(matches!(found.tree_size(None), TreeSize::AtLeast(_)));
    }

    #[test]
    fn nothing_lies_behind_a_goal() {
        let mut space = Digraph::new(&[(0, 1, 1), (1, 2, 1)], &[1]);
        let found = unfold(&mut space, |space| space, &0, &Limits::none(), |_, state| Ok(*state));
        let found = found.expect("no failure");
        assert_eq!((found.len(), found.is_goal(1)), (2, true));
    }
}
