//! What every player does in every stage of an equilibrium, and whether that is one.
//!
//! A table of stages is an equilibrium of the whole game from each of them (one-shot deviation; D. Blackwell, *Discounted
//! dynamic programming*, 1965, for games that end) if in none a player gains by another action, where what the stages
//! behind it are worth is taken from the table. Ranks, natural numbers that every profile of actions makes less, show that
//! play ends.

use super::rules::{Answered, Rules, same};
use super::stages;
use super::table::{Table, actions};
use crate::canonical_text::canonical_text;
use crate::run::nested;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use zug_machine::Machine;
use zug_matrix::{MixedStrategy, Rational, StageSolution, solve_stage, verify};
use zug_prolog::builtins::World;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// Actions with their probabilities.
pub type Mix = Vec<(Record, Rational)>;

/// What every player does in a stage.
#[derive(Clone, Debug)]
pub struct Play {
    /// The state; none in a game that is played once and has none.
    pub state: Option<Record>,
    /// At least the number of stages that are left behind this one.
    pub rank: u64,
    /// What it is worth to each player.
    pub values: Vec<Rational>,
    /// The strategy of each player; none where the game is over.
    pub strategies: Vec<Mix>,
}

/// Why plays are no equilibrium: by the number of the play.
#[derive(Clone, Debug)]
pub enum PlayFault {
    /// The start is in none, or is worth something else.
    Start,
    /// The state is in one before.
    Twice(usize),
    /// There are not a value and a strategy for each player, or there are strategies where the game is over.
    Shape(usize),
    /// The strategy of this player, by number, has something that is no action, or no probabilities.
    Strategy(usize, usize),
    /// Actions lead to this state, which is in no play.
    LeftOut(usize, Record),
    /// Actions lead to another play, whose rank is not lower.
    Rank(usize, usize),
    /// It is worth so much by what it leads to.
    Values(usize, Vec<Rational>),
    /// The player of this number gains so much by another action.
    Gains(usize, usize, Rational),
}

/// The players, and what they do in every stage; or the limit that struck.
pub type Plays = Result<(Vec<Record>, Vec<Play>), StopReason>;

/// What an equilibrium is made of, each stage behind those that it leads to.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract; there is no equilibrium that can be found.
pub fn equilibrium_plays(
    m: &mut Machine,
    w: &mut World,
    state: Option<&Record>,
    limits: &Limits,
) -> Answered<Plays> {
    nested(m, w, limits, |m, w, limits| {
        let mut rules = Rules::of(m, w)?;
        let players = rules.players()?;
        if !rules.parts.is_matrix() {
            let plays = stages::plays(&mut rules, state, limits)?;
            return Ok(plays.map(|plays| (players, plays)));
        }
        let table = Table::of_payoffs(&mut rules, state)?;
        Ok(solve_stage(&table.game, limits).map(|solved| {
            let values = solved.as_ref().map_or(Vec::new(), |solved| solved.values.clone());
            let strategies = strategies(&table.actions, solved);
            (players, vec![Play { state: state.cloned(), rank: 0, values, strategies }])
        }))
    })
}

/// Strategies with actions as the rules name them.
pub(super) fn strategies(actions: &[Vec<Record>], solved: Option<StageSolution>) -> Vec<Mix> {
    let Some(solved) = solved else { return Vec::new() };
    let mix = |(own, strategy): (&Vec<Record>, &MixedStrategy)| {
        strategy.support().map(|(at, share)| (own[at].clone(), share.clone())).collect()
    };
    actions.iter().zip(&solved.profile).map(mix).collect()
}

/// Whether plays are an equilibrium that pays so much from the start.
///
/// # Errors
/// An error in a rule or an answer that breaks the contract, `place` being the play that it was about.
pub fn check_plays(
    m: &mut Machine,
    w: &mut World,
    (start, values): (&Record, &[Rational]),
    plays: &[Play],
    place: &mut Option<usize>,
) -> Answered<Result<(), PlayFault>> {
    let mut numbers = FxHashMap::default();
    let text = |state: &Option<Record>| state.as_ref().map(|state| canonical_text(m, w, state));
    for (at, play) in plays.iter().enumerate() {
        if numbers.insert(text(&play.state), at).is_some() {
            return Ok(Err(PlayFault::Twice(at)));
        }
    }
    let first = numbers.get(&text(&Some(start.clone()))).copied();
    if first.is_none_or(|at| plays[at].values != values) {
        return Ok(Err(PlayFault::Start));
    }
    let mut rules = Rules::of(m, w)?;
    let players = rules.players()?;
    let mut check = Check { rules, players, plays, numbers };
    for at in 0..plays.len() {
        *place = Some(at);
        if let Err(fault) = check.play(at)? {
            return Ok(Err(fault));
        }
    }
    Ok(Ok(()))
}

/// Plays that are being checked.
struct Check<'a, 'p> {
    rules: Rules<'a>,
    players: Vec<Record>,
    plays: &'p [Play],
    /// By the canonical text of the state.
    numbers: FxHashMap<Option<String>, usize>,
}

impl Check<'_, '_> {
    fn play(&mut self, at: usize) -> Answered<Result<(), PlayFault>> {
        let Play { state, values, strategies, .. } = &self.plays[at];
        if values.len() != self.players.len() {
            return Ok(Err(PlayFault::Shape(at)));
        }
        let stage = state.as_ref().filter(|_| !self.rules.parts.is_matrix());
        if let Some(state) = stage
            && self.rules.is_over(&self.players[0], state)?
        {
            let worth = self.players.iter().map(|player| self.rules.utility(player, state));
            let worth = worth.collect::<Answered<Vec<Rational>>>()?;
            return Ok(match worth == *values {
                _ if !strategies.is_empty() => Err(PlayFault::Shape(at)),
                true => Ok(()),
                false => Err(PlayFault::Values(at, worth)),
            });
        }
        if strategies.len() != self.players.len() {
            return Ok(Err(PlayFault::Shape(at)));
        }
        let actions = actions(&mut self.rules, &self.players, state.as_ref())?;
        let mut profile = Vec::with_capacity(actions.len());
        for (player, (own, mix)) in actions.iter().zip(strategies).enumerate() {
            match spread(own, mix) {
                Some(strategy) => profile.push(strategy),
                None => return Ok(Err(PlayFault::Strategy(at, player))),
            }
        }
        let table = match self.table(at, actions)? {
            Ok(table) => table,
            Err(fault) => return Ok(Err(fault)),
        };
        let Ok(found) = verify(&table.game, &profile) else {
            return Ok(Err(PlayFault::Shape(at)));
        };
        let gain = found.gains.iter().position(|gain| !gain.is_zero());
        Ok(match gain {
            _ if found.payoffs != *values => Err(PlayFault::Values(at, found.payoffs)),
            Some(player) => Err(PlayFault::Gains(at, player, found.gains[player].clone())),
            None => Ok(()),
        })
    }

    /// The table of a play: what the plays behind it are worth, or payoffs.
    fn table(
        &mut self,
        at: usize,
        actions: Vec<Vec<Record>>,
    ) -> Answered<Result<Table, PlayFault>> {
        let (players, play) = (self.players.clone(), &self.plays[at]);
        if self.rules.parts.is_matrix() {
            return Table::fill(players, actions, |profile| self.rules.payoffs(profile)).map(Ok);
        }
        let mut fault = None;
        let filled = Table::fill(players, actions, |profile| {
            let nothing = vec![Rational::zero(); profile.len()];
            let Some(state) = play.state.as_ref().filter(|_| fault.is_none()) else {
                return Ok(nothing);
            };
            let to = self.rules.joint_move(profile, state)?;
            let text = canonical_text(self.rules.machine, self.rules.world, &to);
            let found = self.numbers.get(&Some(text)).copied();
            match found.map(|number| (number, &self.plays[number])) {
                None => fault = Some(PlayFault::LeftOut(at, to)),
                Some((number, next)) if next.rank >= play.rank => {
                    fault = Some(PlayFault::Rank(at, number));
                }
                Some((_, next)) if next.values.len() == profile.len() => {
                    return Ok(next.values.clone());
                }
                Some((number, _)) => fault = Some(PlayFault::Shape(number)),
            }
            Ok(nothing)
        });
        filled.map(|table| fault.map_or(Ok(table), Err))
    }
}

/// A strategy over all actions; `None` if it is none.
fn spread(own: &[Record], mix: &Mix) -> Option<MixedStrategy> {
    let mut probabilities = vec![Rational::zero(); own.len()];
    for (action, share) in mix {
        let at = own.iter().position(|known| same(known, action))?;
        if !probabilities[at].is_zero() {
            return None;
        }
        probabilities[at] = share.clone();
    }
    MixedStrategy::new(probabilities)
}
