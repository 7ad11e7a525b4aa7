//! Plays at random in a game in which all choose at once: how they choose.

use super::equilibria::origin;
use super::{SolveRequest, Wanted};
use crate::asking::ask;
use crate::record::TermData;
use crate::{Failure, Named};
use serde::Serialize;
use zug_domain::simultaneous::{SampledActions, try_actions};
use zug_prolog::session::Session;
use zug_report::Seed;
use zug_search::StopReason;

/// What plays came to, as the command line writes it in JSON.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TryReport {
    /// The rule file.
    pub file: String,
    /// The engine.
    pub engine: &'static str,
    /// The instance, if the state is one.
    pub instance: Option<String>,
    /// The state, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<TermData>,
    /// `solved` or `stopped`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["solved", "stopped"])))]
    pub outcome: &'static str,
    /// The limit that stopped it.
    pub reason: Option<String>,
    /// The seed.
    pub seed: Seed,
    /// Plays made.
    pub plays: u64,
    /// Plays that were broken off since they went round.
    pub broken_off: u64,
    /// States in the tree.
    pub states: usize,
    /// By player, in order.
    pub players: Vec<TriedPlayer>,
    /// Why it stopped.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
}

/// What a player tried.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriedPlayer {
    /// The player.
    pub player: TermData,
    /// What plays came to on average.
    pub value: f64,
    /// The action tried most; none where the game is over.
    pub best: Option<TermData>,
    /// The actions.
    pub actions: Vec<TriedAction>,
}

/// What came of an action.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriedAction {
    /// The action.
    pub action: TermData,
    /// How often it was tried.
    pub visits: u64,
    /// What it came to on average.
    pub mean: f64,
    /// With which part of the tries it was chosen.
    pub share: f64,
}

/// Whether plays at random are wanted, not equilibria.
///
/// # Errors
/// The engine is for other games.
pub(super) fn are_wanted(request: &SolveRequest) -> Result<bool, Failure> {
    match (&request.wanted, request.engine.as_deref()) {
        (Wanted::Equilibria(..), _) | (_, Some("solve_game")) => Ok(false),
        (_, Some("mcts")) => Ok(true),
        (_, None) => Ok(request.sampling.playouts.is_some()),
        (_, Some(engine)) => Err(Failure::Players(format!(
            "`{engine}` does not know games in which all choose at once; solve_game and mcts do"
        ))),
    }
}

/// Whether the request makes sense where all choose at once.
///
/// # Errors
/// The engine, or an option of plays, is for other games; plays prove nothing.
pub(super) fn must_apply(request: &SolveRequest) -> Result<(), Failure> {
    if !are_wanted(request)? {
        return Ok(());
    }
    let wrong = [
        (
            request.certificate.is_some(),
            "--certificate is for what is solved, and plays at random are not",
        ),
        (
            request.sampling.cutoff.is_some(),
            "plays can't be cut off where all choose at once: there is no heuristic here",
        ),
        (request.sampling.rave.is_some(), "there is no RAVE where all choose at once"),
    ];
    let wrong = wrong.into_iter().find(|(is_given, _)| *is_given);
    wrong.map_or(Ok(()), |(_, why)| Err(Failure::Players(why.to_owned())))
}

/// Tries the actions of each player.
pub(super) fn tried(
    session: &mut Session,
    request: &SolveRequest,
    start: Option<&Named>,
) -> Result<TryReport, Failure> {
    let state = start.map(|named| &named.instance.state);
    let (sampling, limits) = (&request.sampling, &request.limits);
    let tried = ask(session, |m, w| try_actions(m, w, state, sampling, limits))?;
    let stopped = tried.as_ref().map_or_else(|reason| Some(*reason), |tried| tried.found.stopped);
    let (state, instance) = origin(session, request, start);
    let mut report = TryReport {
        file: request.file.display().to_string(),
        engine: "mcts",
        instance,
        state,
        outcome: if stopped.is_some() { "stopped" } else { "solved" },
        reason: stopped.map(|reason| reason.to_string()),
        seed: Seed(request.sampling.seed),
        stopped,
        ..TryReport::default()
    };
    if let Ok(tried) = tried {
        let found = &tried.found;
        (report.plays, report.broken_off) = (found.plays, found.broken_off);
        report.states = found.states;
        report.players = (0..tried.players.len()).map(|at| player(session, &tried, at)).collect();
    }
    Ok(report)
}

fn player(session: &Session, tried: &SampledActions, at: usize) -> TriedPlayer {
    let (m, w) = (&session.machine, &session.world);
    let found = &tried.found;
    let own = tried.actions.get(at).map_or(&[][..], Vec::as_slice);
    let arms = found.arms.get(at).map_or(&[][..], Vec::as_slice);
    let rows = own.iter().zip(arms).zip(found.mixture(at));
    TriedPlayer {
        player: TermData::of(m, w, &tried.players[at]),
        value: found.values[at],
        best: found.best(at).and_then(|best| own.get(best)).map(|best| TermData::of(m, w, best)),
        actions: rows
            .map(|((action, arm), share)| TriedAction {
                action: TermData::of(m, w, action),
                visits: arm.tries,
                mean: arm.mean(),
                share,
            })
            .collect(),
    }
}
