//! Laws of searches by several threads: what they find is what one thread finds.

use std::convert::Infallible;
use std::time::Duration;

use proptest::prelude::*;

use super::super::{Fork, HashStore, Space, Stats, VisitedSuccessors, Visitor, enumerate};
use super::random::{admissible, config, edges, goals, parts};
use super::{Digraph, Engine, Limits, Problem, SuccessorOf, check_path, search};

/// A graph with copies for other threads. Copies go astray at some states, and answer nonsense there.
struct Copied {
    graph: Digraph,
    copies: Vec<Copied>,
    is_copy: bool,
    words: u64,
}

impl Copied {
    fn new(graph: &Digraph, copies: usize) -> Copied {
        let copy = |_| Copied { is_copy: true, ..Copied::new(graph, 0) };
        let copies = (0..copies).map(copy).collect();
        Copied { graph: graph.clone(), copies, is_copy: false, words: 0 }
    }

    /// Whether it uses a word of its own.
    fn strays(&mut self, state: u32) -> bool {
        if !self.is_copy {
            // Copies are to have their turn.
            std::thread::sleep(Duration::from_micros(20));
        }
        let strays = self.is_copy && state % 5 == 3;
        self.words += u64::from(strays);
        strays
    }
}

impl Fork for Copied {
    fn take_forks(&mut self) -> Vec<Copied> {
        std::mem::take(&mut self.copies)
    }

    fn words(&self) -> u64 {
        self.words
    }

    fn teach(&mut self, fork: &mut Copied, is_astray: bool) {
        assert!(is_astray);
        fork.words = self.words;
    }
}

impl Problem for Copied {
    type State = u32;
    type Move = u32;
    type Cost = i64;
    type Hint = ();
    type Store = HashStore<u32>;
    type Error = Infallible;

    fn new_store(&self) -> HashStore<u32> {
        HashStore::default()
    }

    fn is_goal(&mut self, state: &u32) -> Result<bool, Infallible> {
        match self.strays(*state) {
            true => Ok(true),
            false => self.graph.is_goal(state),
        }
    }

    fn successors(
        &mut self,
        state: &u32,
        out: &mut Vec<SuccessorOf<Self>>,
    ) -> Result<(), Infallible> {
        match self.strays(*state) {
            true => Ok(()),
            false => self.graph.successors(state, out),
        }
    }

    /// All at once, but behind every third edge.
    fn visit_successors(
        &mut self,
        state: &u32,
        _: i64,
        visitor: &mut impl Visitor<Self>,
    ) -> VisitedSuccessors {
        if self.strays(*state) {
            return VisitedSuccessors::All;
        }
        let mut out = Vec::new();
        let Ok(()) = self.graph.successors(state, &mut out);
        for (count, found) in out.into_iter().enumerate() {
            match self.graph.heuristic(&found.state) {
                Ok(Some(h)) if !found.mv.is_multiple_of(3) => {
                    visitor.visit(found.mv, found.cost, found.state, h)
                }
                _ => return VisitedSuccessors::First(count),
            };
        }
        VisitedSuccessors::All
    }

    fn heuristic(&mut self, state: &u32) -> Result<Option<i64>, Infallible> {
        match self.strays(*state) {
            true => Ok(None),
            false => self.graph.heuristic(state),
        }
    }
}

fn without_times(stats: Stats) -> Stats {
    Stats { elapsed: Duration::ZERO, peak_memory_bytes: 0, peak_open: 0, ..stats }
}

proptest! {
    #![proptest_config(config())]

    /// Breadth-first search finds the same path with the same counts.
    #[test]
    fn breadth_first(
        edges in edges(), goals in goals(), copies in 1..4usize,
        depth in proptest::option::of(0..6u32), nodes in proptest::option::of(0..12u64),
    ) {
        let limits = Limits { depth, nodes, ..Limits::none() };
        let graph = Digraph::new(&edges, &goals);
        let alone = search(Engine::Bfs, &mut graph.clone(), &0, &limits);
        let shared = search(Engine::Bfs, &mut Copied::new(&graph, copies), &0, &limits);
        prop_assert_eq!(&alone.path, &shared.path);
        prop_assert_eq!(alone.states, shared.states);
        prop_assert_eq!((alone.outcome, alone.claim), (shared.outcome, shared.claim));
        prop_assert_eq!((alone.cost, alone.lower_bound), (shared.cost, shared.lower_bound));
        let (alone, shared) = (without_times(alone.stats), without_times(shared.stats));
        prop_assert_eq!((alone.expanded, alone.generated), (shared.expanded, shared.generated));
        prop_assert_eq!(alone, shared);
    }

    /// Whole spaces are the same, layer by layer.
    #[test]
    fn spaces(
        edges in edges(), copies in 1..4usize,
        depth in proptest::option::of(0..6u32), nodes in proptest::option::of(0..12u64),
    ) {
        let limits = Limits { depth, nodes, ..Limits::none() };
        let graph = Digraph::new(&edges, &[]);
        let found = |space: Result<Space<u32>, _>| {
            let Ok(space) = space else { return None };
            let stats = without_times(space.stats);
            Some((space.by_depth, space.deepest, space.terminal, space.stopped, stats))
        };
        let alone = found(enumerate(&mut graph.clone(), &0, &limits, None).map_err(|_| ()));
        let mut shared = Copied::new(&graph, copies);
        let shared = found(enumerate(&mut shared, &0, &limits, None).map_err(|_| ()));
        prop_assert_eq!(alone, shared);
    }

    /// Cheapest paths cost the same, and depend on nothing but the problem and the number of threads.
    #[test]
    fn cheapest_paths(
        edges in edges(), goals in goals(), parts in parts(), copies in 1..4usize,
        depth in proptest::option::of(0..6u32), nodes in proptest::option::of(0..12u64),
    ) {
        let h = admissible(&edges, &goals, &parts);
        let graph = Digraph::new(&edges, &goals).with_heuristic(&h);
        for engine in [Engine::Astar, Engine::Ucs, Engine::Idastar] {
            let run = |limits: &Limits| {
                let mut shared = Copied::new(&graph, copies);
                let report = search(engine, &mut shared, &0, limits);
                check_path(&mut Copied::new(&graph, 0), &0, &report);
                report
            };
            let alone = search(engine, &mut graph.clone(), &0, &Limits::none());
            let shared = run(&Limits::none());
            prop_assert_eq!((engine, alone.outcome, alone.cost), (engine, shared.outcome, shared.cost));
            prop_assert_eq!(alone.claim, shared.claim);
            let again = run(&Limits::none());
            prop_assert_eq!((shared.path, shared.states), (again.path, again.states));
            prop_assert_eq!(without_times(shared.stats), without_times(again.stats));
            // Within limits nothing is claimed that is not so.
            let limited = run(&Limits { depth, nodes, ..Limits::none() });
            prop_assert!(limited.cost.is_none() || limited.cost >= alone.cost);
            prop_assert!(limited.lower_bound.is_none() || alone.cost.is_none() || limited.lower_bound <= alone.cost);
            prop_assert!(nodes.is_none_or(|nodes| limited.stats.expanded <= nodes));
            prop_assert!(depth.is_none_or(|depth| limited.path.len() <= depth as usize));
        }
    }
}
