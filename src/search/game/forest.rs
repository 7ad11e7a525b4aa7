//! Plays by several threads for `mcts`: each thread has a tree of its own, in a copy of the game.
//!
//! Root parallelisation (Chaslot, Winands & van den Herik, *Parallel Monte-Carlo tree search*, 2008): trees grow from the
//! same root with other random numbers, and what came of its moves is added up in the end. They come together from
//! time to time, after so many plays each, and tell one another what is proved of the moves of the root: a tree does
//! not visit again what another one has settled. So the same seed and number of threads find the same, whatever
//! threads the machine has time for.
//!
//! Beyond that trees ask nothing of one another: a copy packs states in words of its own. If a copy fails, or is to
//! write something, the plays of its tree are made again by the main one, from the first on.

use super::graph::{Graph, GraphOf, NodeId};
use super::interface::Game;
use super::mcts_tree::{Search, Tree};
use super::meter::{Answer, Halt, Meter};
use super::options::Sampling;
use super::rollout::{enough, iterations};
use crate::clock::Began;
use crate::fork::spawn;
use crate::report::StopReason;
use std::panic::resume_unwind;
use std::thread;
use zug_random::Random;

/// Plays of each tree before trees come together first, and the most between two times.
const PLAYS: (u64, u64) = (1 << 5, 1 << 10);

/// A tree, with what it may use.
struct Planted<G: Game> {
    tree: Tree<G>,
    graph: GraphOf<G>,
    /// The game that it grows in; the main one if there is none.
    fork: Option<G>,
    sampling: Sampling,
    /// Plays that are to be made in all.
    plays: u64,
    /// Nodes that may still be counted, and bytes that may be held.
    most: (u64, usize),
    /// Nodes that were counted by a copy lately, and how deep they were.
    counted: (u64, u32),
    /// The limit that ended its plays.
    stopped: Option<StopReason>,
    /// The copy failed.
    has_failed: bool,
}

/// What each of some parts gets of a whole.
fn share(whole: u64, part: u64, parts: u64) -> u64 {
    match whole {
        u64::MAX => u64::MAX,
        whole => whole / parts + u64::from(part < whole % parts),
    }
}

impl<G: Game> Planted<G> {
    /// A tree of which there is nothing but the root.
    fn new(
        game: &mut G,
        state: &G::State,
        sampling: Sampling,
        plays: u64,
        most: (u64, usize),
    ) -> Result<Self, Halt> {
        let mut graph = Graph::default();
        let root = graph.enter(game, state)?;
        let tree = Tree::new(game, root, &sampling)?;
        let (counted, stopped, has_failed) = ((0, 0), None, false);
        let fork = None;
        Ok(Self { tree, graph, fork, sampling, plays, most, counted, stopped, has_failed })
    }

    fn is_done(&self) -> bool {
        self.stopped.is_some() || self.tree.done() >= self.plays || self.tree.is_settled()
    }

    /// Makes plays up to this number.
    fn grow(&mut self, game: &mut G, until: u64, meter: &mut Meter<'_>) -> Result<(), Halt> {
        if self.is_done() {
            return Ok(());
        }
        let before = meter.stats.nodes;
        let mut search = Search { game, graph: &mut self.graph, meter, tree: &mut self.tree };
        let ended = search.iterate_until(until.min(self.plays));
        self.most.0 = self.most.0.saturating_sub(meter.stats.nodes - before);
        match ended {
            Ok(()) => Ok(()),
            Err(Halt::Stop(reason)) => {
                self.stopped = Some(reason);
                Ok(())
            }
            Err(Halt::Fail(error)) => match game.limit_met(&error) {
                Some(reason) => {
                    self.stopped = Some(reason);
                    Ok(())
                }
                None => Err(Halt::Fail(error)),
            },
        }
    }

    /// As [`Planted::grow`], in the main game.
    fn grow_here(&mut self, game: &mut G, until: u64, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let most = (meter.stats.nodes.saturating_add(self.most.0), self.most.1);
        let whole = meter.allow(most);
        let ended = self.grow(game, until, meter);
        meter.allow(whole);
        ended
    }

    /// As [`Planted::grow`], in a copy, by another thread.
    fn grow_there(&mut self, until: u64, began: Began<'_>) {
        self.has_failed = false;
        let Some(mut fork) = self.fork.take() else { return };
        let mut meter = Meter::beside(began, self.most);
        match fork.within_limits(|fork| self.grow(fork, until, &mut meter)) {
            Some(ended) => self.has_failed = ended.is_err() || fork.has_written(),
            None => {
                let reason = match Meter::beside(began, self.most).poll() {
                    Err(Halt::Stop(reason)) => reason,
                    _ => StopReason::Memory,
                };
                self.stopped = Some(reason);
            }
        }
        self.counted = (meter.stats.nodes, meter.stats.max_depth);
        self.fork = Some(fork);
    }
}

/// Trees from one root, that of the main game first.
struct Forest<'s, G: Game> {
    trees: Vec<Planted<G>>,
    /// The root.
    state: &'s G::State,
}

impl<G: Game> Forest<'_, G> {
    /// Makes plays up to this number in each tree.
    fn grow(&mut self, game: &mut G, until: u64, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let began = meter.began();
        let trees = self.trees.iter_mut();
        let (there, here): (Vec<_>, Vec<_>) = trees.partition(|tree| tree.fork.is_some());
        thread::scope(|scope| {
            let there = there.into_iter();
            let there = there.filter_map(|tree| {
                // Where there can be no thread, it did nothing.
                tree.has_failed = true;
                spawn(scope, move || tree.grow_there(until, began))
            });
            let there: Vec<_> = there.collect();
            let mut here = here.into_iter();
            let ended = here.try_for_each(|tree| tree.grow_here(game, until, meter));
            for thread in there {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
            ended
        })?;
        for tree in &mut self.trees {
            let (nodes, depth) = std::mem::take(&mut tree.counted);
            if std::mem::take(&mut tree.has_failed) {
                let fork = tree.fork.take();
                let (sampling, plays) = (tree.sampling.clone(), tree.plays);
                *tree = Planted::new(game, self.state, sampling, plays, tree.most)?;
                tree.grow_here(game, until, meter)?;
                // It goes on with the others that grow here.
                game.return_forks(fork.into_iter().collect());
                continue;
            }
            meter.stats.nodes += nodes;
            meter.stats.max_depth = meter.stats.max_depth.max(depth);
        }
        let done: u64 = self.trees.iter().map(|tree| tree.tree.done()).sum();
        meter.stats.iterations = u32::try_from(done).unwrap_or(u32::MAX);
        let held = self.trees.iter().map(|tree| tree.graph.bytes() + tree.tree.bytes()).sum();
        meter.hold_bytes(held)
    }

    /// Tells all trees what one of them has proved of the root and its moves.
    fn tell(&mut self) {
        let mut known = self.trees.iter().map(|tree| tree.tree.proved(&tree.graph));
        let Some(mut all) = known.next() else { return };
        known.for_each(|known| all.join(&known));
        for tree in &mut self.trees {
            tree.tree.take(&tree.graph, &all);
        }
    }
}

pub(super) fn search<G: Game>(
    game: &mut G,
    forks: Vec<G>,
    (graph, root): (&mut GraphOf<G>, NodeId),
    sampling: &Sampling,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let (all, parts) = (iterations(sampling, meter), forks.len() as u64 + 1);
    let (nodes, memory) = (meter.nodes_left(), meter.memory() / (forks.len() + 1));
    let state = &graph.state(root);
    let mut forest = Forest { trees: Vec::new(), state };
    let plant = |game: &mut G, part: u64| {
        // The main tree is the one that there is without others.
        let seed = match part {
            0 => sampling.seed,
            part => Random::nth(sampling.seed, part).next_u64(),
        };
        let most = (share(nodes, part, parts), memory);
        let own = Sampling { seed, ..sampling.clone() };
        Planted::new(game, state, own, share(all, part, parts), most)
    };
    let mut main = plant(game, 0)?;
    main.tree.begin_at(root);
    std::mem::swap(&mut main.graph, graph);
    forest.trees.push(main);
    let mut ended = Ok(());
    for (mut fork, part) in forks.into_iter().zip(1..) {
        // A copy that knows nothing of bounds is asked again for them when it has failed.
        match plant(&mut fork, part) {
            Ok(tree) => forest.trees.push(Planted { fork: Some(fork), ..tree }),
            Err(_) => ended = plant(game, part).map(|tree| forest.trees.push(tree)),
        }
    }
    let (mut until, mut step) = (0, PLAYS.0);
    while ended.is_ok() && !forest.trees.iter().all(Planted::is_done) {
        until += step;
        step = PLAYS.1.min(2 * step);
        ended = forest.grow(game, until, meter);
        forest.tell();
    }
    let forks = forest.trees.iter_mut().filter_map(|tree| tree.fork.take()).collect();
    game.return_forks(forks);
    let mut trees = forest.trees.into_iter();
    let Some(Planted { tree: mut main, graph: own, mut stopped, .. }) = trees.next() else {
        return Err(Halt::Stop(StopReason::Memory));
    };
    *graph = own;
    ended?;
    let mut done = main.done();
    for other in trees {
        done += other.tree.done();
        main.add(graph, (&other.tree, &other.graph));
        meter.asked(other.graph.asked());
        stopped = stopped.or(other.stopped);
    }
    let stopped = match stopped {
        Some(reason) if done == 0 => return Err(Halt::Stop(reason)),
        Some(reason) => enough(game, Halt::Stop(reason), sampling)?,
        None => None,
    };
    Ok(main.verdict(graph, stopped))
}
