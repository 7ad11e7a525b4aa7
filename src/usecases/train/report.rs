//! What a training came to.

use super::Trainer;
use crate::Failure;
use crate::record::TermData;
use serde::Serialize;
use zug_domain::game::Roles;
use zug_domain::game::training::{CurvePoint, TrainingEnd};
use zug_domain::impurity_of_game;
use zug_prolog::session::Session;
use zug_report::Seed;
use zug_search::StopReason;
use zug_search::game::learn::{Method, Share};
use zug_term::Record;

/// A training as the command line writes it in JSON. There are no times in it: the same seed
/// gives the same report.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainReport {
    /// The rule file.
    pub file: String,
    /// The method.
    pub method: &'static str,
    /// Who was played against.
    pub against: String,
    /// Who is played against to see how much was learned.
    pub baseline: String,
    /// The seed.
    pub seed: Seed,
    /// `done` or `stopped`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["done", "stopped"])))]
    pub outcome: &'static str,
    /// Which limit stopped it, if one did.
    pub reason: Option<String>,
    /// Games learned from, those before this run included.
    pub games: u64,
    /// Games before this run.
    pub before: u64,
    /// Games won by the learner; where it plays all sides, by who begins.
    pub wins: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Evaluations: games with the likeliest moves against the baseline.
    pub curve: Vec<CurveRecord>,
    /// How many of the likeliest moves are optimal, if the game was small enough.
    pub optimal: Option<OptimalShare>,
    /// What has to be so for moves that count as optimal to be optimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_if: Option<String>,
    /// Players share their boxes.
    pub shared: bool,
    /// What was learned.
    pub policy: Vec<PolicyRow>,
    /// How it ended.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
    /// The numbers are beads.
    #[serde(skip)]
    pub beads: bool,
}

/// An evaluation.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurveRecord {
    /// Games of training.
    pub games: u64,
    /// Evaluation games won.
    pub wins: u64,
    /// Evaluation games without a winner.
    pub draws: u64,
    /// Evaluation games lost.
    pub losses: u64,
}

/// How many of the likeliest moves are optimal.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptimalShare {
    /// States with a move that can be reached.
    pub states: u64,
    /// Those of them whose likeliest moves are optimal.
    pub right: u64,
    /// States in which some moves are optimal and others are not.
    pub choices: u64,
    /// Those of them whose likeliest moves are optimal.
    pub right_choices: u64,
    /// States with such a choice that were met in training.
    pub met: u64,
    /// Those of them whose likeliest moves are optimal.
    pub right_met: u64,
}

/// What is known of a state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyRow {
    /// Who is to move, unless players share their boxes.
    pub player: Option<TermData>,
    /// The state.
    pub state: TermData,
    /// The moves.
    pub moves: Vec<PolicyMove>,
}

/// What is known of a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: TermData,
    /// Its beads, or what it is worth.
    pub worth: f64,
    /// How often it was made.
    pub tries: u64,
    /// How likely it is to be made.
    pub probability: f64,
}

impl From<&CurvePoint> for CurveRecord {
    fn from(point: &CurvePoint) -> CurveRecord {
        let tally = point.tally;
        CurveRecord {
            games: point.games,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
        }
    }
}

impl From<Share> for OptimalShare {
    fn from(share: Share) -> OptimalShare {
        let Share { states, right, choices, right_choices, met, right_met } = share;
        OptimalShare { states, right, choices, right_choices, met, right_met }
    }
}

impl Trainer {
    /// What it came to: the curve with one more evaluation at its end, the policy, and how
    /// much of it is optimal.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn report(
        &mut self,
        session: &mut Session,
        ended: &TrainingEnd,
    ) -> Result<TrainReport, Failure> {
        let stopped = match ended {
            TrainingEnd::Stopped(reason) => Some(*reason),
            _ => None,
        };
        let (m, w) = (&mut session.machine, &mut session.world);
        let mut known = || {
            // The last evaluation may run into the limit too.
            let now = stopped.map_or_else(|| self.training.now(m, w), |reason| Ok(Err(reason)))?;
            let share = match now {
                Err(StopReason::Memory) => None,
                _ => self.training.share(m, w)?,
            };
            Ok((now, share, self.training.terms(m, w)?))
        };
        let found: Result<_, Box<zug_domain::RuleError>> = known();
        let (now, share, rows) = found.map_err(|error| Failure::rule(session, &error))?;
        let (plan, games) = (self.training.plan(), self.training.games());
        let stopped = now.err();
        let mut curve: Vec<CurveRecord> = self.training.curve().iter().map(Into::into).collect();
        if let Ok(now) = now
            && curve.last().is_none_or(|last| last.games < now.games)
        {
            curve.push((&now).into());
        }
        let (m, w) = (&session.machine, &mut session.world);
        let condition = share.and(Roles::of(m)).and_then(|roles| impurity_of_game(m, w, &roles));
        let (m, w) = (&session.machine, &session.world);
        let data = |term: &Record| TermData::of(m, w, term);
        let policy = rows.into_iter().map(|row| {
            let stats: Vec<_> = row.moves.iter().map(|(_, known)| *known).collect();
            let likely = plan.rule.probabilities(&stats, games);
            let moves = row.moves.into_iter().zip(likely).map(|((mv, known), probability)| {
                PolicyMove { mv: data(&mv), worth: known.worth, tries: known.tries, probability }
            });
            let player = row.player.as_ref().map(data);
            PolicyRow { player, state: data(&row.state), moves: moves.collect() }
        });
        let tally = self.training.tally();
        Ok(TrainReport {
            file: self.rules.clone(),
            method: plan.rule.method.name(),
            against: self.against.to_string(),
            baseline: self.baseline.to_string(),
            seed: Seed(plan.seed),
            outcome: if stopped.is_some() { "stopped" } else { "done" },
            reason: stopped.map(|reason| reason.to_string()),
            games,
            before: self.before,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            curve,
            optimal: share.map(Into::into),
            optimal_if: condition.map(|condition| condition.replace('`', "")),
            shared: self.training.is_shared(),
            beads: plan.rule.method == Method::Matchboxes,
            policy: policy.collect(),
            stopped,
        })
    }
}
