//! Plays at random: [`Rollout`].

use super::interface::{CHANCE, Game, Player};
use super::meter::{Halt, Meter};
use super::options::Sampling;
use super::value::Value;
use crate::report::StopReason;
use crate::space::{Failure, MoveId};
use zug_random::Random;

/// Moves after which a play at random is broken off: by then it goes round.
const LONGEST: u32 = 10_000;

/// What makes plays at random; states are carried by value.
pub(super) struct Rollout<G: Game> {
    random: Random,
    seed: u64,
    cutoff: u32,
    moves: Vec<(MoveId, G::State)>,
    /// The moves of players in the last play, with who made them, if they are wanted.
    made: Option<Vec<(Player, u32)>>,
}

/// The values of a play to each player, and whether it was played to the end.
pub(super) struct Outcome {
    pub values: Vec<f64>,
    pub over: bool,
}

impl<G: Game> Rollout<G> {
    pub fn new(sampling: &Sampling) -> Self {
        let cutoff = sampling.cutoff.unwrap_or(LONGEST).min(LONGEST);
        let made = sampling.rave.map(|_| Vec::new());
        let (random, seed) = (Random::new(sampling.seed), sampling.seed);
        Self { random, seed, cutoff, moves: Vec::new(), made }
    }

    /// Makes the play with a number next: whoever makes it, after whatever others, it is the same.
    pub fn begin(&mut self, number: u64) {
        self.random = Random::nth(self.seed, number);
    }

    /// The moves that players made in the last play, if they are wanted.
    pub fn made(&self) -> &[(Player, u32)] {
        self.made.as_deref().unwrap_or_default()
    }

    /// Forgets the last play.
    pub fn forget(&mut self) {
        self.made.iter_mut().for_each(Vec::clear);
    }

    /// Plays from a state to the end, or to where plays are cut off. All moves of a player
    /// are equally likely.
    pub fn play(
        &mut self,
        game: &mut G,
        start: &G::State,
        meter: &mut Meter<'_>,
    ) -> Result<Outcome, Halt> {
        self.forget();
        let mut state = start.clone();
        // The move that was drawn last: behind how many, of how many, which one. It is not drawn again.
        let mut drawn = (0, 0, 0);
        let mut length = 0;
        loop {
            let random = &mut self.random;
            let mut choose = |length: u32, count: u32| {
                if (drawn.0, drawn.1) != (length, count) {
                    drawn = (length, count, random.below(u64::from(count)) as u32);
                }
                drawn.2
            };
            if self.made.is_none() {
                let most = meter.ahead().min(self.cutoff - length);
                let (moves, over) = game
                    .play_on(&mut state, most, &mut |made, count| choose(length + made, count))?;
                meter.visits(moves)?;
                length += moves;
                if over {
                    return Ok(Outcome { values: worth(game, &state, G::utility)?, over });
                }
            }
            if game.is_over(&state)? {
                return Ok(Outcome { values: worth(game, &state, G::utility)?, over: true });
            }
            if length == self.cutoff {
                break;
            }
            meter.visit(0)?;
            if game.player(&state) == CHANCE {
                state = self.falling(game, &state)?;
                length += 1;
                continue;
            }
            let mut choose = |count| choose(length, count);
            let (mv, next) = game.pick(&state, &mut choose)?;
            if let Some(made) = &mut self.made {
                made.push((game.player(&state), mv));
            }
            state = next;
            length += 1;
        }
        let values = match game.has_heuristic() {
            true => worth(game, &state, G::heuristic)?,
            false => vec![0.0; game.players()],
        };
        Ok(Outcome { values, over: false })
    }

    /// Where chance leads to.
    fn falling(&mut self, game: &mut G, state: &G::State) -> Result<G::State, Halt> {
        self.moves.clear();
        game.moves(state, &mut self.moves)?;
        let names: Vec<MoveId> = self.moves.iter().map(|&(mv, _)| mv).collect();
        let chances = game.probabilities(state, &names)?;
        let at = self.falls(chances.iter().map(super::Expected::as_f64));
        Ok(self.moves.swap_remove(at).1)
    }

    /// What comes up of things with these probabilities.
    pub fn falls(&mut self, chances: impl ExactSizeIterator<Item = f64>) -> usize {
        falls(&mut self.random, chances)
    }
}

/// What comes up of things with these probabilities.
pub(super) fn falls(random: &mut Random, chances: impl ExactSizeIterator<Item = f64>) -> usize {
    let mut left = random.float();
    let last = chances.len().saturating_sub(1);
    let mut chances = chances.take(last);
    let found = chances.position(|chance| {
        left -= chance;
        left < 0.0
    });
    // Floats may add up to a little less than 1.
    found.unwrap_or(last)
}

/// The value of a state to each player. In a zero-sum game of two, what one wins the other
/// loses.
pub(super) fn worth<G: Game>(
    game: &mut G,
    state: &G::State,
    ask: impl Fn(&mut G, &G::State, Player) -> Result<G::Value, Failure>,
) -> Result<Vec<f64>, Halt> {
    let players = game.players();
    if game.is_general_sum() {
        let each = (0..players as Player).map(|player| Ok(ask(game, state, player)?.as_f64()));
        return each.collect::<Result<_, _>>().map_err(Halt::Fail);
    }
    let player = game.valued_for(state);
    let value = ask(game, state, player).and_then(|value| game.balanced(value));
    let value = value?.as_f64();
    let first = if player == 0 { value } else { 0.0 - value };
    Ok(if players == 2 { vec![first, 0.0 - first] } else { vec![value] })
}

/// The iterations to be made.
pub(super) fn iterations(sampling: &Sampling, meter: &Meter<'_>) -> u64 {
    let most = if meter.is_limited() { u64::MAX } else { Sampling::PLAYOUTS };
    sampling.playouts.unwrap_or(most)
}

/// A limit that struck when something is known already: it is no failure then, and no fault
/// of a search that was given a time and nothing else.
pub(super) fn enough<G: Game>(
    game: &G,
    halt: Halt,
    sampling: &Sampling,
) -> Result<Option<StopReason>, Halt> {
    let reason = match halt {
        Halt::Stop(reason) => reason,
        Halt::Fail(error) => match game.limit_met(&error) {
            Some(reason) => reason,
            None => return Err(Halt::Fail(error)),
        },
    };
    let asked_for = reason == StopReason::Time && sampling.playouts.is_none();
    Ok((!asked_for).then_some(reason))
}
