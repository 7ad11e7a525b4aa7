//! `playouts`: what plays at random come to, by the first move.
//!
//! Every move gets as many plays as any other, all moves in them are equally likely, and the
//! best is that with the greatest mean: flat Monte Carlo, what a game is like for players who
//! know nothing. Each play has random numbers of its own, by its number: plays are the same, whatever number of threads
//! makes them.
//!
//! Abramson, *Expected-outcome: a general model of static evaluation*, IEEE PAMI 12 (1990).

use super::expected::Expected;
use super::graph::{GraphOf, NodeId};
use super::info::{GameEngineInfo, PlayersAllowed};
use super::interface::{CHANCE, Game};
use super::meter::{Answer, Halt, Meter};
use super::options::{GameOptions, Sampling};
use super::report::{Means, Tried, Verdict};
use super::rollout::{Rollout, enough, iterations, worth};
use crate::fork::Crew;
use crate::report::StopReason;
use std::time::{Duration, Instant};

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "playouts",
    title: "plays at random",
    summary: "wins, draws and losses of plays at random, by the first move",
    players: PlayersAllowed::Any,
    chance: true,
    threads: true,
    when: "you want a first look",
    reference: "Abramson 1990",
};

/// What came of a move.
#[derive(Clone)]
struct Arm {
    plays: u64,
    /// For each player.
    sums: Vec<f64>,
    outcomes: [u64; 3],
}

impl Arm {
    fn mean(&self, player: usize) -> f64 {
        if self.plays == 0 { 0.0 } else { self.sums[player] / self.plays as f64 }
    }

    fn add(&mut self, values: &[f64], player: usize) {
        self.plays += 1;
        self.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        let own = values[player];
        self.outcomes[if own > 0.0 { 0 } else { 1 + usize::from(own < 0.0) }] += 1;
    }
}

/// The plays of a search: each has a generator of its own, by its number, so that they are the same for any number of
/// threads.
struct Plays<'s, G: Game> {
    sampling: &'s Sampling,
    /// Where the moves lead that are tried.
    starts: Vec<G::State>,
    mover: usize,
    arms: Vec<Arm>,
    done: u64,
}

/// Time that plays between two meetings of the threads are to take: while one makes code for the rules, the others go
/// on with what is left of them.
const ROUND: Duration = Duration::from_millis(200);
/// The most plays between two looks.
const MOST: u64 = 1 << 16;
/// Plays that a thread makes in one go at most.
const PART: usize = 1 << 10;

/// Plays that were made one after the other.
struct Made {
    /// What they came to, each with the nodes that it took.
    plays: Vec<(u64, Vec<f64>)>,
    /// Why there are no more.
    stopped: Option<StopReason>,
}

impl<G: Game> Plays<'_, G> {
    /// Which move the play with a number is for.
    fn arm(&self, number: u64) -> usize {
        (number % self.starts.len() as u64) as usize
    }

    /// Counts a play.
    fn add(&mut self, values: &[f64], meter: &mut Meter<'_>) {
        let at = self.arm(self.done);
        self.arms[at].add(values, self.mover);
        self.done += 1;
        meter.stats.iterations = u32::try_from(self.done).unwrap_or(u32::MAX);
    }

    /// Makes the play with a number.
    fn play(
        &self,
        game: &mut G,
        (rollout, number): (&mut Rollout<G>, u64),
        meter: &mut Meter<'_>,
    ) -> Result<Vec<f64>, Halt> {
        meter.visit(0)?;
        rollout.begin(number);
        Ok(rollout.play(game, &self.starts[self.arm(number)], meter)?.values)
    }

    /// Makes all plays by one thread.
    fn make(&mut self, game: &mut G, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let mut rollout = Rollout::new(self.sampling);
        while self.done < iterations(self.sampling, meter) {
            let values = self.play(game, (&mut rollout, self.done), meter)?;
            self.add(&values, meter);
        }
        Ok(())
    }

    /// Makes all plays by several threads.
    fn share(
        &mut self,
        game: &mut G,
        crew: &mut Crew<G>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let (began, all) = (meter.began(), iterations(self.sampling, meter));
        let mut round = crew.threads() as u64;
        while self.done < all {
            let numbers: Vec<u64> = (self.done..all.min(self.done + round)).collect();
            let (at, left) = (Instant::now(), meter.nodes_left());
            let plays = &*self;
            let work = |game: &mut G, _: usize, numbers: &[u64]| {
                let mut meter = Meter::beside(began, (left, usize::MAX));
                plays.in_order(game, numbers, &mut meter)
            };
            // Each thread looks at the limits by itself; here is told how far it is.
            let poll = || {
                let _ = meter.poll();
                Ok(())
            };
            let Ok(made) = crew.map_items(game, (&numbers, PART), work, poll) else {
                // One thread comes to what fails, unless a limit ends the plays before it.
                return self.make(game, meter);
            };
            for Made { plays, stopped } in made {
                for (nodes, values) in plays {
                    if nodes > meter.nodes_left() {
                        meter.stats.nodes += meter.nodes_left();
                        return Err(Halt::Stop(StopReason::Nodes));
                    }
                    meter.stats.nodes += nodes;
                    self.add(&values, meter);
                }
                if let Some(reason) = stopped {
                    if reason == StopReason::Nodes {
                        meter.stats.nodes += meter.nodes_left();
                    }
                    return Err(Halt::Stop(reason));
                }
            }
            round = match at.elapsed() {
                took if took < ROUND => MOST.min(2 * round),
                took if took > 4 * ROUND => (round / 2).max(crew.threads() as u64),
                _ => round,
            };
        }
        Ok(())
    }

    /// Makes plays by one of several threads, until a limit strikes.
    fn in_order(&self, game: &mut G, numbers: &[u64], meter: &mut Meter<'_>) -> Result<Made, Halt> {
        let mut rollout = Rollout::new(self.sampling);
        let mut made = Made { plays: Vec::with_capacity(numbers.len()), stopped: None };
        for &number in numbers {
            let before = meter.stats.nodes;
            game.meet(&self.starts[self.arm(number)]);
            match self.play(game, (&mut rollout, number), meter) {
                Ok(values) => made.plays.push((meter.stats.nodes - before, values)),
                Err(Halt::Stop(reason)) => made.stopped = Some(reason),
                Err(Halt::Fail(error)) => match game.limit_met(&error) {
                    Some(reason) => made.stopped = Some(reason),
                    None => return Err(Halt::Fail(error)),
                },
            }
            if made.stopped.is_some() {
                break;
            }
        }
        Ok(made)
    }
}

pub(super) fn search<G: Game>(
    game: &mut G,
    graph: &mut GraphOf<G>,
    root: &mut NodeId,
    options: &GameOptions,
    meter: &mut Meter<'_>,
) -> Answer<G> {
    let (sampling, root, players) = (&options.sampling, *root, game.players());
    let mover = usize::from(graph.valued_for(root));
    let Some(moves) = graph.moves(game, root)? else {
        let values = worth(game, &graph.state(root), G::utility)?;
        let values = values.into_iter().map(Expected::near).collect();
        return Ok(Verdict { exact: true, ..Verdict::in_means(Means::new(values), None) });
    };
    let arms = vec![Arm { plays: 0, sums: vec![0.0; players], outcomes: [0; 3] }; moves as usize];
    let mut crew = Crew::of(game);
    let starts = graph.known_edges(root).iter().map(|edge| graph.state(edge.to)).collect();
    let mut plays = Plays { sampling, starts, mover, arms, done: 0 };
    let ended = match crew.is_alone() {
        true => plays.make(game, meter),
        false => plays.share(game, &mut crew, meter),
    };
    crew.disband(game);
    let stopped = match ended {
        Ok(()) => None,
        Err(halt) if plays.done > 0 => enough(game, halt, sampling)?,
        Err(halt) => return Err(halt),
    };
    let arms = plays.arms;
    let tried = graph.known_edges(root).iter().zip(&arms).map(|(edge, arm)| Tried {
        mv: edge.mv,
        visits: arm.plays,
        mean: arm.mean(mover),
        outcomes: arm.outcomes,
    });
    let tried: Vec<_> = tried.collect();
    let chance = graph.player(root) == CHANCE;
    let best = (0..arms.len())
        .reduce(|best, at| if arms[at].mean(mover) > arms[best].mean(mover) { at } else { best });
    let best = best.filter(|_| !chance);
    let means = |arm: &Arm| (0..players).map(|player| arm.mean(player)).collect::<Vec<_>>();
    let values = match best {
        Some(at) => means(&arms[at]),
        None => {
            let chances = graph.probabilities(game, root)?;
            let shares = chances.iter().map(Expected::as_f64).zip(&arms);
            shares.fold(vec![0.0; players], |sums, (chance, arm)| {
                sums.iter().zip(means(arm)).map(|(sum, mean)| sum + chance * mean).collect()
            })
        }
    };
    let values = values.into_iter().map(Expected::Float).collect();
    let best = best.map(|at| graph.edge(root, at as u32).mv);
    let verdict = Verdict::in_means(Means { tried, ..Means::new(values) }, best);
    Ok(Verdict { stopped, ..verdict })
}
