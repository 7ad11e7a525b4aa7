//! `solve --engine mcts` where all choose at once: how plays at random choose.

use super::Failure;
use super::nash::{must_be_simultaneous, start};
use super::record::TermData;
use serde::Serialize;
use std::path::PathBuf;
use zug_domain::simultaneous::{SampledActions, try_actions};
use zug_prolog::session::Session;
use zug_report::Seed;
use zug_search::game::Sampling;
use zug_search::{Limits, StopReason};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct TryRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The instance's name, or its number if it has none.
    pub instance: Option<String>,
    /// The state, as a term.
    pub state: Option<String>,
    /// How plays are made.
    pub sampling: Sampling,
    /// Limits; `nodes` are joint moves.
    pub limits: Limits,
}

/// What plays came to, as the command line writes it in JSON.
#[derive(Clone, Debug, Serialize)]
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

/// Tries the actions of a game in which all choose at once.
///
/// # Errors
/// See [`Failure`].
pub fn try_all(session: &mut Session, request: &TryRequest) -> Result<TryReport, Failure> {
    must_be_simultaneous(session)?;
    if request.sampling.cutoff.is_some() {
        let why = "plays can't be cut off where all choose at once: there is no heuristic here";
        return Err(Failure::Players(why.to_owned()));
    }
    if request.sampling.rave.is_some() {
        let why = "there is no RAVE where all choose at once";
        return Err(Failure::Players(why.to_owned()));
    }
    let (state, instance) = start(session, request.state.as_deref(), request.instance.as_deref())?;
    let (m, w) = (&mut session.machine, &mut session.world);
    let asked = state.as_ref().filter(|_| request.state.is_some());
    let asked = asked.map(|state| TermData::of(m, w, state));
    let tried = try_actions(m, w, state.as_ref(), &request.sampling, &request.limits);
    let tried = tried.map_err(|error| Failure::rule(session, &error))?;
    let stopped = tried.as_ref().map_or_else(|reason| Some(*reason), |tried| tried.found.stopped);
    let mut report = TryReport {
        file: request.file.display().to_string(),
        engine: "mcts",
        instance,
        state: asked,
        outcome: if stopped.is_some() { "stopped" } else { "solved" },
        reason: stopped.map(|reason| reason.to_string()),
        seed: Seed(request.sampling.seed),
        plays: 0,
        broken_off: 0,
        states: 0,
        players: Vec::new(),
        stopped,
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
