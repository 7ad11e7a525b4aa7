//! Laws of searches by several threads: what they find is what one thread finds.

use std::time::Duration;

use proptest::prelude::*;

use super::super::{
    Batch, Failure, Lesson, Problem, Reachable, Space, Stats, Successors, Team, enumerate,
};
use super::random::{admissible, config, edges, goals, parts};
use super::{Digraph, Engine, Limits, check_path, search, search_space};

/// A graph with copies for other threads. Copies go astray at some states, and answer nonsense there.
#[derive(Clone)]
struct Copied {
    graph: Digraph,
    is_copy: bool,
    words: u64,
}

impl Copied {
    fn new(graph: &Digraph, is_copy: bool) -> Copied {
        Copied { graph: graph.clone(), is_copy, words: 0 }
    }

    /// The result with N copies.
    fn with_copies<T>(
        graph: &Digraph,
        copies: usize,
        work: impl FnOnce(Team<'_, u32, i64>) -> T,
    ) -> T {
        let mut main = Copied::new(graph, false);
        let mut copies = vec![Copied::new(graph, true); copies];
        let copies = copies.iter_mut().map(|copy| -> &mut dyn Space<u32, i64> { copy });
        work(Team::new(&mut main, copies))
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

impl Space<u32, i64> for Copied {
    fn is_goal(&mut self, row: &u32) -> Result<bool, Failure> {
        match self.strays(*row) {
            true => Ok(true),
            false => Space::is_goal(&mut self.graph, row),
        }
    }

    /// Estimates are known at once, but behind every third edge.
    fn expand(
        &mut self,
        batch: Batch<'_, u32, i64>,
        out: &mut Successors<u32, i64>,
    ) -> Result<(), Failure> {
        let from = out.len();
        self.graph.expand(batch, out)?;
        if batch.rows.iter().any(|&row| self.strays(row)) {
            out.truncate(from);
        }
        if !batch.estimates.is_empty() {
            for (head, row) in out.heads[from..].iter_mut().zip(&out.rows[from..]) {
                let Ok(h) = self.graph.heuristic(row);
                head.estimate = h.filter(|_| !head.mv.is_multiple_of(3));
            }
        }
        Ok(())
    }

    fn estimate(&mut self, row: &u32, after: Option<(&u32, i64)>) -> Result<Option<i64>, Failure> {
        match self.strays(*row) {
            true => Ok(None),
            false => self.graph.estimate(row, after),
        }
    }

    fn words(&self) -> u64 {
        self.words
    }

    fn lesson(&mut self) -> Lesson {
        Box::new(self.words)
    }

    fn learn(&mut self, lesson: &Lesson, is_astray: bool) {
        assert!(is_astray);
        self.words = *lesson.downcast_ref().expect("a number of words");
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
        let shared = Copied::with_copies(&graph, copies, |team| {
            search_space(Engine::Bfs, team, &0, &limits)
        });
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
        let found = |mut team: Team<'_, u32, i64>| {
            let space: Reachable<u32> =
                enumerate(&mut team, &0, &limits, None).expect("nothing fails");
            let stats = without_times(space.stats);
            (space.by_depth, space.deepest, space.terminal, space.stopped, stats)
        };
        let alone = found(Team::of(&mut graph.clone()));
        let shared = Copied::with_copies(&graph, copies, found);
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
                let report = Copied::with_copies(&graph, copies, |team| {
                    search_space(engine, team, &0, limits)
                });
                check_path(&mut graph.clone(), &0, &report);
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
