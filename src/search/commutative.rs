//! Commutative-move pruning in tree searches.
//!
//! Two moves that change different things lead to the same state in either order, and a tree
//! search would go on from it twice, with three moves six times. Where a state is a successor of
//! two children of one state, at no less cost of the second, the search has gone on from it by
//! the time the second child is expanded, as deep and as far within its bound as it may: it is
//! pruned there. The plan that is found does not change (where `idastar` lets its bound skip
//! ahead, by how many states lie beyond it: not if estimates are admissible).
//!
//! Where a move leads to what two others lead to, as a half turn and two quarter turns, the two are pruned as well: a
//! child that was expanded before counts as met, at no more cost; one that comes later does if it costs less, since
//! then no cheapest plan goes the longer way (not in `dfs`, which takes the first plan that it finds).
//!
//! Of two orders of moves that commute one is left, and few of those of more moves: of 1,957
//! ways to turn on six switches 294. L. A. Taylor and R. E. Korf (Pruning duplicate nodes in
//! depth-first search, *AAAI* 1993) forbid sequences of moves that they learn beforehand; here
//! the states themselves are compared. Where moves do not commute, as in sliding puzzles, that
//! is noticed soon and no longer looked for.

use super::cost::Cost;
use super::space::Row;

/// Expansions after which it is checked whether pruning pays; later at twice as many.
const TRIAL: u64 = 1 << 10;
/// It pays if one of so many successors is pruned.
const WORTH: u64 = 32;
/// Slots of a table to begin with.
const SLOTS: usize = 1 << 5;

/// The states two moves behind a state of the path, and those one move behind it that were expanded.
struct Grandchildren<R: Row, C: Cost> {
    /// Numbers of entries, plus one; 0 for none. Its length is a power of two.
    slots: Vec<u32>,
    entries: Vec<(u32, C, R)>,
}

/// The states one or two moves behind each state of a path, as far as they were met.
pub(super) struct CommutativePruning<R: Row, C: Cost> {
    /// By depth of the state on the path.
    by_depth: Vec<Grandchildren<R, C>>,
    expanded: u64,
    generated: u64,
    pruned: u64,
    /// Pruning pays.
    is_on: bool,
    bytes: usize,
    states: usize,
}

impl<R: Row, C: Cost> CommutativePruning<R, C> {
    /// None were met.
    pub fn new() -> Self {
        Self {
            by_depth: Vec::new(),
            expanded: 0,
            generated: 0,
            pruned: 0,
            is_on: true,
            bytes: 0,
            states: 0,
        }
    }

    /// Of a search that begins so many moves behind the start, with nothing known of states beside the path: whether it
    /// looks for states.
    pub fn begin_at(&mut self, depth: usize, is_on: bool) {
        let nothing = || Grandchildren { slots: vec![0; SLOTS], entries: Vec::new() };
        self.is_on = is_on;
        if is_on {
            self.by_depth.resize_with(depth, nothing);
            self.bytes = self.by_depth.iter().map(Grandchildren::bytes).sum();
        }
    }

    /// Whether it looks for states.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Bytes held, without what states own.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many states are held.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The state at this depth of the path is expanded. Whether its successors are to be looked
    /// for.
    #[inline(always)]
    pub fn expand(&mut self, depth: usize) -> bool {
        self.is_on && self.expand_at(depth)
    }

    #[inline(never)]
    fn expand_at(&mut self, depth: usize) -> bool {
        self.expanded += 1;
        if self.expanded >= TRIAL && self.expanded.is_power_of_two() {
            self.is_on = self.pruned * WORTH >= self.generated;
            if !self.is_on {
                (self.by_depth, self.bytes, self.states) = (Vec::new(), 0, 0);
                return false;
            }
        }
        match self.by_depth.get_mut(depth) {
            Some(met) => {
                self.states -= met.entries.len();
                met.clear();
            }
            None => {
                self.by_depth.push(Grandchildren { slots: vec![0; SLOTS], entries: Vec::new() })
            }
        }
        depth > 0
    }

    /// Whether a successor of the state at this depth, which is not the start, is one of another
    /// child of the same state too, or such a child, at no more cost; or a child that is still to come, as
    /// `comes` says.
    #[inline(never)]
    pub fn is_duplicate(
        &mut self,
        depth: usize,
        (state, hash): (&R, u32),
        g: C,
        comes: impl FnOnce() -> bool,
    ) -> bool {
        self.generated += 1;
        let known = comes() || self.meets(depth, (state, hash), g);
        self.pruned += u64::from(known);
        known
    }

    /// Takes note of the state at this depth, which is expanded now.
    pub fn enter(&mut self, depth: usize, state: (&R, u32), g: C) {
        self.meets(depth, state, g);
    }

    /// Whether a state was met behind the state before this depth; else it is now.
    fn meets(&mut self, depth: usize, (state, hash): (&R, u32), g: C) -> bool {
        let met = &mut self.by_depth[depth - 1];
        let (bytes, states) = (met.bytes(), met.entries.len());
        let known = met.meets(state, hash, g);
        self.bytes += met.bytes() - bytes;
        self.states += met.entries.len() - states;
        known
    }
}

impl<R: Row, C: Cost> Grandchildren<R, C> {
    fn bytes(&self) -> usize {
        let entry = size_of::<(u32, C, R)>();
        self.slots.capacity() * size_of::<u32>() + self.entries.capacity() * entry
    }

    fn clear(&mut self) {
        if !self.entries.is_empty() {
            self.slots.fill(0);
            self.entries.clear();
        }
    }

    /// Whether a state was met at no more cost; else it is now.
    fn meets(&mut self, state: &R, hash: u32, g: C) -> bool {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            let (known_hash, known_g, known) = &mut self.entries[number as usize];
            if *known_hash == hash && known == state {
                if *known_g <= g {
                    return true;
                }
                *known_g = g;
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.entries.push((hash, g, state.clone()));
        self.slots[slot] = self.entries.len() as u32;
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        false
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![0; mask + 1];
        for (number, (hash, ..)) in (1..).zip(&self.entries) {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Digraph, Engine, Limits, Options, Outcome, run};

    /// Switches that are turned on one by one, at these costs; no state is a goal.
    fn switches(costs: &[i64]) -> Digraph {
        let mut edges = Vec::new();
        for state in 0..1u32 << costs.len() {
            for (switch, &cost) in costs.iter().enumerate() {
                let next = state | 1 << switch;
                if next != state {
                    edges.push((state, next, cost));
                }
            }
        }
        let estimates = vec![Some(0); 1 << costs.len()];
        Digraph::new(&edges, &[]).with_heuristic(&estimates)
    }

    #[test]
    fn few_orders_are_tried() {
        // Six switches can be turned on in 720 orders, on 1,957 paths, to 64 states.
        for (engine, costs, paths) in [
            (Engine::Dfs, [1; 6], 1957),
            (Engine::Dfs, [6, 5, 4, 3, 2, 1], 1957),
            // Iterations of so many switches at most.
            (Engine::Iddfs, [1; 6], 1 + 7 + 37 + 157 + 517 + 1237 + 1957),
            (Engine::Idastar, [1; 6], 1 + 7 + 37 + 157 + 517 + 1237 + 1957),
        ] {
            let mut graph = switches(&costs);
            let report = run(engine, &mut graph, &0, &Options::default(), &Limits::none(), None);
            let report = report.expect("a graph has no errors");
            assert_eq!(report.outcome, Outcome::Exhausted);
            assert!(report.stats.expanded * 4 < paths, "{engine:?}: {}", report.stats.expanded);
        }
    }

    /// Two wheels that turn by one, two or three quarters: words of turns, the same wheel never twice in turn, up to
    /// so many of them; no state is a goal.
    fn wheels(most: u32) -> Digraph {
        // A word's number: its turns as digits from 1 to 6, three for each wheel.
        let append = |word: u32, wheel: u32, quarters: u32| {
            let last = word % 7;
            if last == 0 || (last - 1) / 3 != wheel {
                return word * 7 + wheel * 3 + quarters;
            }
            match ((last - 1) % 3 + 1 + quarters) % 4 {
                0 => word / 7,
                turned => word / 7 * 7 + wheel * 3 + turned,
            }
        };
        let (mut edges, mut words) = (Vec::new(), vec![0]);
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            at += 1;
            for (wheel, quarters) in (0..2).flat_map(|wheel| [1, 2, 3].map(|k| (wheel, k))) {
                let next = append(word, wheel, quarters);
                if next < 7u32.pow(most) {
                    edges.push((word, next, 1));
                    if !words.contains(&next) {
                        words.push(next);
                    }
                }
            }
        }
        let estimates = vec![Some(0); 7usize.pow(most)];
        Digraph::new(&edges, &[]).with_heuristic(&estimates)
    }

    #[test]
    fn two_turns_that_are_one_are_not_made() {
        // Words of up to four turns, once in each of the iterations that they are expanded in: of all ways to
        // make five turns there are more than a thousand.
        let words: u64 = 5 + 4 * 6 + 3 * 18 + 2 * 54 + 162;
        // The last iteration of `idastar` has the words again that the one before has.
        for (engine, words) in [(Engine::Iddfs, words), (Engine::Idastar, words + 241)] {
            let mut graph = wheels(5);
            let limits = Limits { depth: Some(5), ..Limits::none() };
            let report = run(engine, &mut graph, &0, &Options::default(), &limits, None);
            assert_eq!(report.expect("a graph has no errors").stats.expanded, words, "{engine:?}");
        }
    }

    #[test]
    fn where_nothing_commutes_it_is_given_up() {
        // A tree of three branches, seven deep.
        let edges: Vec<_> =
            (0..3u32.pow(7)).flat_map(|i| [1, 2, 3].map(|k| (i, 3 * i + k, 1))).collect();
        let mut graph = Digraph::new(&edges, &[]);
        let report = run(Engine::Dfs, &mut graph, &0, &Options::default(), &Limits::none(), None);
        let stats = report.expect("a graph has no errors").stats;
        assert_eq!(u64::from(3 * 3u32.pow(7) + 1), stats.expanded);
        // Less than a few paths of states would take.
        assert!(stats.peak_memory_bytes < 20_000, "{}", stats.peak_memory_bytes);
    }
}
