//! Matches and tournaments of the players of a repeated game.

use super::arena::{Arena, unfit};
use super::rules::{Answered, Rules};
use super::{first_state, player_spec};
use crate::error::{RuleError, Violation};
use crate::run::nested;
use zug_machine::{Fault, Machine};
use zug_matrix::repeated::{
    Before, MatchReport, ModelSpec, Standings, Tournament, Until, play_asking, tournament_asking,
};
use zug_prolog::builtins::World;
use zug_random::Random;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// The result of a contest, or the limit that struck before it began.
pub type ContestResult<T> = Result<Result<T, StopReason>, Box<RuleError>>;

/// Called before each round with the numbers of rounds and of matches played.
pub type RoundObserver<'w> = dyn FnMut(u64, u64) + 'w;

/// Plays a match of two players; the seed is that of the rules' `random/1` too.
///
/// # Errors
/// There is no such player, or an error in the rules.
pub fn play_match(
    m: &mut Machine,
    w: &mut World,
    players: [&Record; 2],
    until: Until,
    seed: u64,
    limits: &Limits,
    watch: &mut RoundObserver<'_>,
) -> ContestResult<MatchReport> {
    in_arena(m, w, seed, (limits, watch), &players, |arena, specs, before, limits| {
        let specs = [&specs[0], &specs[1]];
        let report = play_asking(&arena.game, specs, until, seed, limits, before);
        report.map_err(|error| unfit(error, &arena.table))
    })
}

/// Plays a tournament.
///
/// # Errors
/// As [`play_match`].
pub fn play_tournament(
    m: &mut Machine,
    w: &mut World,
    players: &[&Record],
    how: &Tournament,
    limits: &Limits,
    watch: &mut RoundObserver<'_>,
) -> ContestResult<Standings> {
    in_arena(m, w, how.seed, (limits, watch), players, |arena, specs, before, limits| {
        let standings = tournament_asking(&arena.game, specs, how, limits, before);
        standings.map_err(|error| unfit(error, &arena.table))
    })
}

/// Seats the players, and lets them play; an error in the rules ends that.
fn in_arena<T>(
    m: &mut Machine,
    w: &mut World,
    seed: u64,
    (limits, watch): (&Limits, &mut RoundObserver<'_>),
    players: &[&Record],
    run: impl FnOnce(&Arena, &[ModelSpec], Before<'_>, &Limits) -> Answered<T>,
) -> ContestResult<T> {
    let outer = std::mem::replace(&mut m.arithmetic.random, Random::new(seed));
    let played = nested(m, w, limits, |m, w, limits| {
        let state = first_state(m, w)?;
        let mut rules = Rules::of(m, w)?;
        let mut arena = Arena::new(&mut rules, state.as_ref())?;
        let mut specs = Vec::with_capacity(players.len());
        for player in players {
            let who = player_spec::read(&rules, player);
            let who = who.map_err(|b| RuleError::new(Violation::Together(b), "strategy/4"))?;
            match arena.invite(who, limits)? {
                Ok(spec) => specs.push(spec),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        let mut failed = None;
        let mut rounds = 0;
        let mut before = |matches| {
            watch(rounds, matches);
            rounds += 1;
            arena.prepare(&mut rules).map_err(|error| keep(&mut failed, error))
        };
        let played = run(&arena, &specs, &mut before, limits)?;
        match failed {
            Some(error) => Err(error),
            None => Ok(Ok(played)),
        }
    });
    m.arithmetic.random = outer;
    played
}

/// Keeps an error and ends the play; a stop is no error.
fn keep(failed: &mut Option<Box<RuleError>>, error: Box<RuleError>) -> StopReason {
    match error.fault() {
        Some(Fault::Stopped(zug_machine::StopReason::Time)) => StopReason::Time,
        Some(Fault::Stopped(zug_machine::StopReason::Interrupted)) => StopReason::Cancelled,
        _ => {
            *failed = Some(error);
            StopReason::Cancelled
        }
    }
}
