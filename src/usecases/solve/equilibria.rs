//! Equilibria of a game in which all choose at once.

use super::{SolveRequest, Wanted};
use crate::asking::ask;
use crate::certificate::CertificateReport;
use crate::record::TermData;
use crate::{Failure, Named};
use serde::Serialize;
use zug_domain::simultaneous::{
    Equilibrium, Extent, LearningResult, Nash, NashTask, Table, find_by_learning, find_nash,
};
use zug_domain::{Contract, impurity_of_stages};
use zug_matrix::options::EquilibriumOptions;
use zug_matrix::{JointLearning, Learner, Learning, LearningReport, MixedStrategy, Removal};
use zug_prolog::session::Session;
use zug_report::Seed;
use zug_search::StopReason;
use zug_term::Record;

/// Equilibria as the command line writes them in JSON. Exact numbers are text, as `1/3`.
#[derive(Clone, Debug, Default, Serialize)]
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

/// Looks for equilibria, or learns an approximation; `start` is `None` in a game without states.
pub(super) fn found(
    session: &mut Session,
    request: &SolveRequest,
    start: Option<&Named>,
) -> Result<NashReport, Failure> {
    let (options, learn) = match &request.wanted {
        Wanted::Equilibria(options, learn) => (*options, *learn),
        _ => (EquilibriumOptions::default(), None),
    };
    let state = start.map(|named| &named.instance.state);
    let mut report = if let Some(how) = learn {
        let found = ask(session, |m, w| find_by_learning(m, w, state, how, &request.limits))?;
        let table = found.as_ref().ok().map(|(table, _)| table);
        let mut report = describe(session, request, start, table);
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
        report
    } else {
        let EquilibriumOptions { all, eliminate } = options;
        let task = NashTask { all, eliminate, limits: request.limits.clone() };
        let found = ask(session, |m, w| find_nash(m, w, state, &task))?;
        let mut report = describe(session, request, start, found.table.as_ref());
        report.states = found.states;
        match found.nash {
            Ok(found) => report.fill(&found),
            Err(reason) => report.stop(Some(reason)),
        }
        report
    };
    // So far as if the rules were functions of the state.
    let (m, w) = (&session.machine, &mut session.world);
    let condition = Contract::of(m).together.and_then(|parts| impurity_of_stages(m, w, &parts));
    report.exact_if = condition.map(|condition| condition.replace('`', ""));
    Ok(report)
}

/// The state as it was given, or the name of the instance if it is worth showing.
pub(super) fn origin(
    session: &Session,
    request: &SolveRequest,
    start: Option<&Named>,
) -> (Option<TermData>, Option<String>) {
    let (m, w) = (&session.machine, &session.world);
    match start {
        Some(named) if request.state.is_some() => {
            (Some(TermData::of(m, w, &named.instance.state)), None)
        }
        _ => (None, start.filter(|named| named.named).map(|named| named.name.clone())),
    }
}

/// The report of a table, without what was found.
fn describe(
    session: &Session,
    request: &SolveRequest,
    start: Option<&Named>,
    table: Option<&Table>,
) -> NashReport {
    let (m, w) = (&session.machine, &session.world);
    let (state, instance) = origin(session, request, start);
    let file = request.file.display().to_string();
    let mut report =
        NashReport { file, instance, state, outcome: "solved", ..NashReport::default() };
    let Some(table) = table else { return report };
    let texts =
        |records: &[Record]| records.iter().map(|record| TermData::of(m, w, record)).collect();
    let players = 0..table.players.len();
    let cell = |profile: Vec<usize>| {
        players.clone().map(|player| table.game.payoff(&profile, player).to_string()).collect()
    };
    report.zero_sum = table.is_zero_sum();
    report.players = texts(&table.players);
    report.actions = table.actions.iter().map(|own| texts(own)).collect();
    report.payoffs = table.game.profiles().map(cell).collect();
    report
}

impl NashReport {
    /// Whether the search is over and nothing was found or learned.
    pub(super) fn is_empty(&self) -> bool {
        let learned = self.learning.is_some() || self.together.is_some();
        self.stopped.is_none() && self.equilibria.is_empty() && !learned
    }

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
