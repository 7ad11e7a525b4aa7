//! `match` and `tournament`: players of a repeated game among themselves.

use super::Failure;
use super::asking::must_be_simultaneous;
use super::given::term;
use crate::record::TermData;
use serde::Serialize;
use std::path::PathBuf;
use zug_domain::simultaneous::{RoundObserver, play_match, play_tournament};
use zug_domain::{RuleError, Violation};
use zug_matrix::repeated::{Standings, Tournament, Until};
use zug_prolog::session::Session;
use zug_report::Seed;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct ContestRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The players, as terms.
    pub players: Vec<String>,
    /// How they meet; a match is one of `matches`.
    pub how: Tournament,
    /// Limits; nodes are rounds.
    pub limits: Limits,
}

/// A match as the command line writes it in JSON; two of everything, by player.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchReport {
    /// The rule file.
    pub file: String,
    /// The players.
    pub players: [TermData; 2],
    /// When it was to be over.
    pub until: UntilData,
    /// The seed.
    pub seed: Seed,
    /// `over` or `stopped`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["over", "stopped"])))]
    pub outcome: &'static str,
    /// Rounds played.
    pub rounds: u64,
    /// Rounds won.
    pub wins: [u64; 2],
    /// Rounds that nobody won.
    pub draws: u64,
    /// What was paid, exactly.
    pub payoffs: [String; 2],
    /// The number of the player who has won, from 0.
    #[cfg_attr(feature = "schema", schemars(range(max = 1)))]
    pub winner: Option<usize>,
    /// Why it stopped.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
}

/// When a match is over.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UntilData {
    /// Rounds to win, if that is what counts.
    pub to: Option<u64>,
    /// Rounds at most.
    pub rounds: u64,
}

impl From<Until> for UntilData {
    fn from(until: Until) -> UntilData {
        match until {
            Until::Rounds(rounds) => UntilData { to: None, rounds },
            Until::Wins { wins, rounds } => UntilData { to: Some(wins), rounds },
        }
    }
}

/// A tournament as the command line writes it in JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentReport {
    /// The rule file.
    pub file: String,
    /// Matches of every two players.
    pub matches: u64,
    /// When a match is over.
    pub until: UntilData,
    /// The seed.
    pub seed: Seed,
    /// `over` or `stopped`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["over", "stopped"])))]
    pub outcome: &'static str,
    /// The players, who won most matches first.
    pub standings: Vec<Standing>,
    /// Why it stopped.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
}

/// How a player has done.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standing {
    /// The player.
    pub player: TermData,
    /// Matches won.
    pub won: u64,
    /// Matches that nobody won.
    pub drawn: u64,
    /// Matches lost.
    pub lost: u64,
    /// Between these lies the part of matches that it wins in the long run, in 95 of 100
    /// tournaments.
    pub interval: (f64, f64),
    /// What it was paid, exactly.
    pub payoff: String,
    /// What it was paid in a match on average.
    pub mean_payoff: f64,
}

/// Plays a match by the rules that a session has loaded.
///
/// # Errors
/// See [`Failure`].
pub fn play_one(
    session: &mut Session,
    request: &ContestRequest,
    watch: &mut RoundObserver<'_>,
) -> Result<MatchReport, Failure> {
    let players = players(session, request)?;
    let [first, second] = players.as_slice() else {
        return Err(Failure::Players("a match is of two players".to_owned()));
    };
    let (m, w) = (&mut session.machine, &mut session.world);
    let how = &request.how;
    let played = play_match(m, w, [first, second], how.until, how.seed, &request.limits, watch);
    let report = played.map_err(|error| contest_failure(session, &error))?.map_err(stop)?;
    let (m, w) = (&session.machine, &session.world);
    Ok(MatchReport {
        file: request.file.display().to_string(),
        players: [first, second].map(|player| TermData::of(m, w, player)),
        until: how.until.into(),
        seed: Seed(how.seed),
        outcome: outcome(report.stopped),
        rounds: report.score.rounds,
        wins: report.score.wins,
        draws: report.score.draws,
        payoffs: report.score.payoffs.map(|payoff| payoff.to_string()),
        winner: report.winner,
        stopped: report.stopped,
    })
}

/// Plays a tournament by the rules that a session has loaded.
///
/// # Errors
/// See [`Failure`].
pub fn play_all(
    session: &mut Session,
    request: &ContestRequest,
    watch: &mut RoundObserver<'_>,
) -> Result<TournamentReport, Failure> {
    let players = players(session, request)?;
    if players.len() < 2 {
        return Err(Failure::Players("a tournament is of two players or more".to_owned()));
    }
    let how = &request.how;
    let (m, w) = (&mut session.machine, &mut session.world);
    let all: Vec<&Record> = players.iter().collect();
    let played = play_tournament(m, w, &all, how, &request.limits, watch);
    let standings = played.map_err(|error| contest_failure(session, &error))?.map_err(stop)?;
    let standing = |&at: &usize| standing(session, &players[at], &standings, at);
    Ok(TournamentReport {
        file: request.file.display().to_string(),
        matches: how.matches,
        until: how.until.into(),
        seed: Seed(how.seed),
        outcome: outcome(standings.stopped),
        standings: standings.ranking.iter().map(standing).collect(),
        stopped: standings.stopped,
    })
}

fn standing(session: &Session, player: &Record, standings: &Standings, at: usize) -> Standing {
    use zug_matrix::to_float;
    let record = &standings.records[at];
    Standing {
        player: TermData::of(&session.machine, &session.world, player),
        won: record.won,
        drawn: record.drawn,
        lost: record.lost,
        interval: record.interval(),
        payoff: record.payoff.to_string(),
        mean_payoff: to_float(&record.payoff) / record.played().max(1) as f64,
    }
}

fn outcome(stopped: Option<StopReason>) -> &'static str {
    if stopped.is_some() { "stopped" } else { "over" }
}

/// The players as terms.
fn players(session: &mut Session, request: &ContestRequest) -> Result<Vec<Record>, Failure> {
    must_be_simultaneous(session)?;
    request.players.iter().map(|text| term(session, "player", text)).collect()
}

/// An error of the rules, or of the request.
pub(super) fn contest_failure(session: &Session, error: &RuleError) -> Failure {
    match &error.violation {
        Violation::Together(breach) if breach.is_of_request() => {
            Failure::Players(error.message(&session.machine, &session.world))
        }
        _ => Failure::rule(session, error),
    }
}

/// A limit that struck before anything was played.
fn stop(reason: StopReason) -> Failure {
    use zug_machine::{Fault, StopReason as Stop};
    let stop = match reason {
        StopReason::Cancelled => Stop::Interrupted,
        _ => Stop::Time,
    };
    Failure::Stopped(Fault::Stopped(stop), Vec::new())
}
