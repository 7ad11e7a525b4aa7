//! `playouts`: what plays at random come to, by the first move.
//!
//! Every move gets as many plays as any other, all moves in them are equally likely, and the
//! best is that with the greatest mean: flat Monte Carlo, what a game is like for players who
//! know nothing.
//!
//! Abramson, *Expected-outcome: a general model of static evaluation*, IEEE PAMI 12 (1990).

use super::expected::Expected;
use super::graph::{GraphOf, NodeId};
use super::interface::{CHANCE, Game};
use super::mcts::{enough, iterations};
use super::meter::Meter;
use super::registry::{Answer, GameEngineInfo, GameOptions, PlayersAllowed, Verdict};
use super::report::{Means, Tried};
use super::rollout::{Rollout, worth};

pub(super) const INFO: GameEngineInfo = GameEngineInfo {
    name: "playouts",
    title: "plays at random",
    summary: "wins, draws and losses of plays at random, by the first move",
    players: PlayersAllowed::Any,
    chance: true,
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
    let mut arms =
        vec![Arm { plays: 0, sums: vec![0.0; players], outcomes: [0; 3] }; moves as usize];
    let mut rollout = Rollout::new(sampling);
    let (mut done, mut stopped) = (0, None);
    while done < iterations(sampling, meter) {
        let at = (done % u64::from(moves)) as usize;
        let start = graph.state(graph.edge(root, at as u32).to);
        let played = meter.visit(0).and_then(|()| rollout.play(game, &start, meter));
        match played {
            Ok(outcome) => arms[at].add(&outcome.values, mover),
            Err(halt) if done > 0 => {
                stopped = enough(game, halt, sampling)?;
                break;
            }
            Err(halt) => return Err(halt),
        }
        done += 1;
        meter.stats.iterations = u32::try_from(done).unwrap_or(u32::MAX);
    }
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
