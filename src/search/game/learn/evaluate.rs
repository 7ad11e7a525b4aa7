//! How well a policy plays: [`evaluate`].

use super::learner::{Chooser, LONGEST, Learner, LearnerOf, OutcomeCounts, ending, rewards};
use crate::game::expected::Expected;
use crate::game::graph::NodeId;
use crate::game::interface::{CHANCE, Game, Player};
use crate::game::meter::Halt;
use crate::game::rollout::falls;
use crate::game::value::Value;
use crate::space::Row;
use zug_random::Random;

/// Plays games with the likeliest moves of what was learned, each player in turn, against
/// others, and learns nothing from them. They draw from `random`, which is not the learner's,
/// and so does chance.
///
/// # Errors
/// The game failed, or a limit struck.
pub fn evaluate<G: Game>(
    learner: &mut LearnerOf<G>,
    game: &mut G,
    games: u64,
    random: &mut Random,
    others: &mut Chooser<'_, G>,
) -> Result<OutcomeCounts, Halt> {
    let mut tally = OutcomeCounts::default();
    for number in 0..games {
        let seat = (number % game.players().max(1) as u64) as Player;
        let mut node = learner.begin(game)?;
        let mut moves = 0;
        while moves < LONGEST
            && let Some(count) = learner.graph().moves(game, node)?
        {
            let at = match learner.graph().player(node) {
                CHANCE => {
                    let chances = learner.graph().probabilities(game, node)?;
                    falls(random, chances.iter().map(Expected::as_f64))
                }
                player if player == seat => likely(learner, node, count as usize, random),
                _ => others(game, learner.graph(), node, random)?.unwrap_or(0),
            };
            node = learner.graph().known_edges(node)[at].to;
            moves += 1;
        }
        let rewards = rewards(game, learner.graph(), node, moves)?;
        tally.count(ending(&rewards, seat));
    }
    Ok(tally)
}

fn likely<S: Row, V: Value>(
    learner: &Learner<S, V>,
    node: NodeId,
    count: usize,
    random: &mut Random,
) -> usize {
    match learner.policy().get(&learner.key_of(node)) {
        Some(moves) => learner.rule().greedy(moves, random),
        None => random.below(count.max(1) as u64) as usize,
    }
}
