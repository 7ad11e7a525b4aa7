//! `nash`: equilibria of a game in which all choose at once.

use super::certificate::{CertificateReport, CertificateTo, may_certify, none, of_equilibrium};
use super::diagnosis::diagnosed;
use super::exit::{CommandResult, Exit};
use super::record::TermData;
use super::solve_game::term;
use super::{Failure, choose_instances};
use serde::Serialize;
use std::path::PathBuf;
use zug_domain::simultaneous::{
    Equilibrium, Extent, LearningResult, Nash, NashTask, Table, find_by_learning, find_nash,
};
use zug_domain::{Contract, DomainKind, impurity_of_stages};
use zug_matrix::{
    Elimination, JointLearning, Learner, Learning, LearningReport, MixedStrategy, Removal,
};
use zug_prolog::session::Session;
use zug_report::Seed;
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct NashRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The instance's name, or its number if it has none.
    pub instance: Option<String>,
    /// The state, as a term.
    pub state: Option<String>,
    /// All equilibria, not only some.
    pub all: bool,
    /// Dominated actions are removed first.
    pub eliminate: Option<Elimination>,
    /// Learn an approximation instead.
    pub learn: Option<Learning>,
    /// Limits.
    pub limits: Limits,
    /// Where the certificate of an equilibrium is to be written.
    pub certificate: Option<CertificateTo>,
}

/// Equilibria as the command line writes them in JSON. Exact numbers are text, as `1/3`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NashReport {
    /// The rule file.
    pub file: String,
    /// The instance, if the state is one.
    pub instance: Option<String>,
    /// The state, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<TermData>,
    /// In a game of several stages: states that were solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// The players, in order.
    pub players: Vec<TermData>,
    /// The actions of each.
    pub actions: Vec<Vec<TermData>>,
    /// What each profile of actions pays; the action of the last player changes fastest.
    pub payoffs: Vec<Vec<String>>,
    /// Two players, and one gains what the other loses.
    pub zero_sum: bool,
    /// `solved` or `stopped`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["solved", "stopped"])))]
    pub outcome: &'static str,
    /// The limit that stopped it.
    pub reason: Option<String>,
    /// Actions that dominance removed, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<RemovalData>,
    /// The equilibria, pure ones first.
    pub equilibria: Vec<EquilibriumData>,
    /// What is known of others: `value`, `some`, `all`, `extreme` or `pure`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["value", "some", "all", "extreme", "pure", null])))]
    pub extent: Option<&'static str>,
    /// What was learned, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning: Option<LearningData>,
    /// The same for other numbers of players than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<JointLearningData>,
    /// What has to be so for payoffs and equilibria to be exact: the rules seem to depend on more than the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_if: Option<String>,
    /// What became of its certificate, if one was wanted.
    #[serde(flatten)]
    pub certificate: Option<CertificateReport>,
    /// Why it stopped.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
}

/// An action that dominance removed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemovalData {
    /// The round, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub round: u32,
    /// Whose action it is.
    pub player: TermData,
    /// The action.
    pub action: TermData,
    /// What dominates it.
    pub by: Vec<Share>,
    /// It is dominated only weakly.
    pub weak: bool,
}

/// An action and its probability.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Share {
    /// The action.
    pub action: TermData,
    /// Its probability.
    pub probability: String,
}

/// An equilibrium and its certificate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EquilibriumData {
    /// For each player the actions of positive probability.
    pub strategies: Vec<Vec<Share>>,
    /// What it pays to each player.
    pub payoffs: Vec<String>,
    /// What each player's best other action would gain: nothing.
    pub gains: Vec<String>,
}

/// What learning came to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearningData {
    /// `regret`, `regret_plus` or `fictitious`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["regret", "regret_plus", "fictitious"])))]
    pub learner: &'static str,
    /// Rounds played.
    pub iterations: u64,
    /// The seed, if actions were drawn.
    pub seed: Option<Seed>,
    /// For each player the probability of each action.
    pub strategies: [Vec<f64>; 2],
    /// What they pay.
    pub payoffs: [f64; 2],
    /// What the best reply of each would gain.
    pub gains: [f64; 2],
    /// The mean of the gains.
    pub exploitability: f64,
    /// The value lies between these, if payoffs add to zero.
    pub value_bounds: Option<(f64, f64)>,
}

/// What players who learned have played together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JointLearningData {
    /// `regret`, `regret_plus` or `fictitious`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["regret", "regret_plus", "fictitious"])))]
    pub learner: &'static str,
    /// Rounds played.
    pub iterations: u64,
    /// The seed, if actions were drawn.
    pub seed: Option<Seed>,
    /// The profiles with their frequencies, the most frequent first; those never played are
    /// left out.
    pub profiles: Vec<ProfileData>,
    /// For each player the frequency of each action.
    pub marginals: Vec<Vec<f64>>,
    /// What that paid on average.
    pub payoffs: Vec<f64>,
    /// What always playing one action would have gained each player.
    pub gains: Vec<f64>,
}

/// A profile of actions and how often it was played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileData {
    /// An action of each player.
    pub actions: Vec<TermData>,
    /// As a part of 1.
    pub frequency: f64,
}

impl CommandResult for NashReport {
    fn exit(&self) -> Exit {
        let learned = self.learning.is_some() || self.together.is_some();
        match self.stopped {
            None if self.equilibria.is_empty() && !learned => Exit::Failure,
            stopped => Exit::stopped(stopped),
        }
    }

    fn limit(&self) -> Option<StopReason> {
        self.stopped
    }
}

/// Looks for equilibria of the game that a session has loaded.
///
/// # Errors
/// See [`Failure`].
pub fn nash(session: &mut Session, request: &NashRequest) -> Result<NashReport, Failure> {
    equilibrium(session, request).map_err(|failure| diagnosed(session, failure))
}

fn equilibrium(session: &mut Session, request: &NashRequest) -> Result<NashReport, Failure> {
    must_be_simultaneous(session)?;
    let (state, instance) = start(session, request.state.as_deref(), request.instance.as_deref())?;
    may_certify(request.certificate.as_ref())?;
    let mut report = nash_of(session, request, state.clone(), instance)?;
    report.certificate = match report.stopped {
        Some(_) => {
            none(request.certificate.as_ref(), "a limit ended the search: nothing is claimed")
        }
        None => {
            let from = (state.as_ref(), own_name(session, request)?);
            of_equilibrium(session, request.certificate.as_ref(), from, &request.limits)?
        }
    };
    Ok(report)
}

/// The name of the initial state that is asked for, if it has one; nothing for a state that is given.
fn own_name(
    session: &mut Session,
    request: &NashRequest,
) -> Result<Option<Option<Record>>, Failure> {
    let contract = Contract::of(&session.machine);
    let starts = contract.initial.is_some() || contract.named_initial.is_some();
    if request.certificate.is_none() || request.state.is_some() || !starts {
        return Ok(None);
    }
    let found = choose_instances(session, &contract, request.instance.as_deref())?;
    Ok(found.into_iter().next().map(|found| found.instance.name))
}

/// The same of one state; none for a game without.
pub(super) fn nash_of(
    session: &mut Session,
    request: &NashRequest,
    state: Option<Record>,
    instance: Option<String>,
) -> Result<NashReport, Failure> {
    let mut report = found(session, request, state, instance)?;
    let (m, w) = (&session.machine, &mut session.world);
    let condition = Contract::of(m).together.and_then(|parts| impurity_of_stages(m, w, &parts));
    report.exact_if = condition.map(|condition| condition.replace('`', ""));
    Ok(report)
}

/// What was found, as if the rules were functions of the state.
fn found(
    session: &mut Session,
    request: &NashRequest,
    state: Option<Record>,
    instance: Option<String>,
) -> Result<NashReport, Failure> {
    let (m, w) = (&mut session.machine, &mut session.world);
    if let Some(how) = request.learn {
        let found = find_by_learning(m, w, state.as_ref(), how, &request.limits);
        let found = found.map_err(|error| Failure::rule(session, &error))?;
        let table = found.as_ref().ok().map(|(table, _)| table);
        let mut report = describe(session, request, (instance, state), table);
        match found {
            Ok((_, lesson)) => {
                report.stop(lesson.stopped());
                match lesson {
                    LearningResult::Two(learned) => report.learning = Some(learning(how, learned)),
                    LearningResult::Together(learned) => report.together(how, learned),
                }
            }
            Err(reason) => report.stop(Some(reason)),
        }
        return Ok(report);
    }
    let task =
        NashTask { all: request.all, eliminate: request.eliminate, limits: request.limits.clone() };
    let found = find_nash(m, w, state.as_ref(), &task);
    let found = found.map_err(|error| Failure::rule(session, &error))?;
    let mut report = describe(session, request, (instance, state), found.table.as_ref());
    report.states = found.states;
    match found.nash {
        Ok(found) => report.fill(&found),
        Err(reason) => report.stop(Some(reason)),
    }
    Ok(report)
}

/// Whether the program is a game in which all choose at once.
///
/// # Errors
/// It is none.
pub fn must_be_simultaneous(session: &Session) -> Result<(), Failure> {
    match Contract::of(&session.machine).kind() {
        DomainKind::Simultaneous => Ok(()),
        _ => Err(Failure::NotAtOnce),
    }
}

/// The state to look at, with the instance's name; none for a game without initial state.
pub(super) fn start(
    session: &mut Session,
    state: Option<&str>,
    instance: Option<&str>,
) -> Result<(Option<Record>, Option<String>), Failure> {
    if let Some(text) = state {
        return Ok((Some(term(session, "state", text)?), None));
    }
    let contract = Contract::of(&session.machine);
    let starts = contract.initial.is_some() || contract.named_initial.is_some();
    if !starts && instance.is_none() {
        return Ok((None, None));
    }
    let found = choose_instances(session, &contract, instance)?;
    let name = |named: bool, name| named.then_some(name);
    let first = found.into_iter().next();
    let first = first.map(|found| (found.instance.state, name(found.named, found.name)));
    let (state, name) = first.ok_or_else(|| {
        Failure::NoSuchInstance(instance.unwrap_or_default().to_owned(), Vec::new())
    })?;
    Ok((Some(state), name))
}

/// The report of a table, without what was found.
fn describe(
    session: &Session,
    request: &NashRequest,
    (instance, state): (Option<String>, Option<Record>),
    table: Option<&Table>,
) -> NashReport {
    let (m, w) = (&session.machine, &session.world);
    // A state that is the instance's is not said twice.
    let state = state.filter(|_| request.state.is_some());
    let mut report = NashReport {
        file: request.file.display().to_string(),
        instance,
        state: state.map(|state| TermData::of(m, w, &state)),
        states: None,
        players: Vec::new(),
        actions: Vec::new(),
        payoffs: Vec::new(),
        zero_sum: table.is_some_and(Table::is_zero_sum),
        outcome: "solved",
        reason: None,
        removed: Vec::new(),
        equilibria: Vec::new(),
        extent: None,
        learning: None,
        together: None,
        exact_if: None,
        certificate: None,
        stopped: None,
    };
    let Some(table) = table else { return report };
    let texts =
        |records: &[Record]| records.iter().map(|record| TermData::of(m, w, record)).collect();
    let players = 0..table.players.len();
    let cell = |profile: Vec<usize>| {
        players.clone().map(|player| table.game.payoff(&profile, player).to_string()).collect()
    };
    report.players = texts(&table.players);
    report.actions = table.actions.iter().map(|own| texts(own)).collect();
    report.payoffs = table.game.profiles().map(cell).collect();
    report
}

impl NashReport {
    fn stop(&mut self, reason: Option<StopReason>) {
        if let Some(reason) = reason {
            self.outcome = "stopped";
            self.reason = Some(reason.to_string());
            self.stopped = Some(reason);
        }
    }

    fn together(&mut self, how: Learning, learned: JointLearning) {
        let mut counter = vec![0; self.actions.len()];
        let mut profiles = Vec::new();
        for &frequency in &learned.joint {
            if frequency > 0.0 {
                let names = counter.iter().zip(&self.actions).map(|(&at, own)| own[at].clone());
                profiles.push(ProfileData { actions: names.collect(), frequency });
            }
            for (at, own) in counter.iter_mut().zip(&self.actions).rev() {
                *at = (*at + 1) % own.len();
                if *at != 0 {
                    break;
                }
            }
        }
        profiles.sort_by(|a, b| b.frequency.total_cmp(&a.frequency));
        self.together = Some(JointLearningData {
            learner: name_of(how.learner),
            iterations: learned.rounds,
            seed: how.seed.map(Seed),
            profiles,
            marginals: learned.marginals,
            payoffs: learned.payoffs,
            gains: learned.gains,
        });
    }

    fn fill(&mut self, found: &Nash) {
        self.extent = Some(match found.extent {
            Extent::Value => "value",
            Extent::Some => "some",
            Extent::All => "all",
            Extent::Extreme => "extreme",
            Extent::Pure => "pure",
        });
        self.removed = found.removed.iter().map(|removal| self.removal(removal)).collect();
        self.equilibria = found.equilibria.iter().map(|found| self.equilibrium(found)).collect();
    }

    fn removal(&self, removal: &Removal) -> RemovalData {
        let actions = &self.actions[removal.player];
        let share = |(action, share): &(usize, _)| self.share(removal.player, *action, share);
        RemovalData {
            round: removal.round,
            player: self.players[removal.player].clone(),
            action: actions[removal.action].clone(),
            by: removal.by.iter().map(share).collect(),
            weak: removal.weak,
        }
    }

    fn equilibrium(&self, found: &Equilibrium) -> EquilibriumData {
        let own = |(player, own): (usize, &MixedStrategy)| {
            own.support().map(|(action, share)| self.share(player, action, share)).collect()
        };
        EquilibriumData {
            strategies: found.profile.iter().enumerate().map(own).collect(),
            payoffs: found.certificate.payoffs.iter().map(ToString::to_string).collect(),
            gains: found.certificate.gains.iter().map(ToString::to_string).collect(),
        }
    }

    fn share(&self, player: usize, action: usize, share: &impl ToString) -> Share {
        let action = self.actions[player][action].clone();
        Share { action, probability: share.to_string() }
    }
}

fn name_of(learner: Learner) -> &'static str {
    match learner {
        Learner::FictitiousPlay => "fictitious",
        Learner::RegretMatching => "regret",
        Learner::RegretMatchingPlus => "regret_plus",
    }
}

fn learning(how: Learning, learned: LearningReport) -> LearningData {
    LearningData {
        learner: name_of(how.learner),
        iterations: learned.rounds,
        seed: how.seed.map(Seed),
        strategies: learned.profile,
        payoffs: learned.payoffs,
        gains: learned.gains,
        exploitability: learned.exploitability,
        value_bounds: learned.value_bounds,
    }
}
