//! `heuristics`: whether the estimates of a puzzle are admissible and consistent, and how much
//! they say.

use super::Failure;
use super::asking::{Operation, diagnosing, must_suit};
use super::compare::{choose_heuristics, choose_starts};
use super::exit::{CommandResult, Exit};
use super::record::TermData;
use serde::Serialize;
use std::path::PathBuf;
use zug_domain::judge::survey;
use zug_domain::{Contract, Heuristic, Violation};
use zug_options::{Row, row};
use zug_prolog::session::Session;
use zug_report::Number;
use zug_search::{Estimated, Limits, Observer, StopReason, SurveyOptions};
use zug_term::Record;

/// What is asked for. Lists that are empty mean all.
#[derive(Clone, Debug, Default)]
pub struct HeuristicsRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The heuristics' names.
    pub heuristics: Vec<String>,
    /// The instances' names, or numbers if they have none.
    pub instances: Vec<String>,
    /// How much is looked at.
    pub survey: SurveyOptions,
    /// Limits.
    pub limits: Limits,
}

/// Which heuristics are looked at, and where.
pub static OPTIONS: [Row<HeuristicsRequest>; 2] = [
    row!(names("heuristic", "NAMES", "The heuristics [default: all]") => HeuristicsRequest.heuristics)
        .alias("heuristics"),
    row!(
        names(
            "instances", "NAMES",
            "The instances to start from, by the names in initial_state(Name, S) or by number [default: all]",
        ) => HeuristicsRequest.instances
    )
    .alias("instance"),
];

/// What is found, as the command line writes it in JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeuristicsReport {
    /// The rule file.
    pub file: String,
    /// The instances from which states were reached.
    pub instances: Vec<String>,
    /// Every reachable state was looked at: what is said is proved.
    pub whole: bool,
    /// What has to be so for that, where the rules are no functions of the state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusted: Vec<String>,
    /// States looked at.
    pub states: u64,
    /// Moves looked at.
    pub moves: u64,
    /// Goals among the states.
    pub goals: u64,
    /// States of which a plan is known, with `whole` a cheapest one.
    pub solved: u64,
    /// The mean of what these plans cost.
    pub mean_cost: f64,
    /// The most that one of them costs.
    pub max_cost: Number,
    /// Walks at random that were made.
    pub walks: u64,
    /// Which limit ended it early.
    pub stopped: Option<String>,
    /// The heuristics.
    pub heuristics: Vec<HeuristicReport>,
    /// Which says more than which.
    pub pairs: Vec<Pair>,
    /// The limit itself.
    #[serde(skip)]
    pub limit: Option<StopReason>,
}

/// What is found of a heuristic.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeuristicReport {
    /// Its name.
    pub heuristic: String,
    /// What it is, if it was derived from the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Whether it never says more than a cheapest plan costs.
    pub admissible: Verdict,
    /// States of which it says too much.
    pub overestimated: u64,
    /// One of them, nearest to a goal.
    pub overestimate: Option<Overestimate>,
    /// Whether it never falls by more than a move costs.
    pub consistent: Verdict,
    /// Moves along which it does.
    pub inconsistent: u64,
    /// One of those along which it falls most.
    pub inconsistency: Option<Inconsistency>,
    /// Goals of which it says more than 0.
    pub goals_above: u64,
    /// One of them and what it says.
    pub goal_above: Option<(TermData, Number)>,
    /// Its mean over the states with a known plan.
    pub mean: f64,
    /// Its greatest value there.
    pub max: Number,
    /// The mean part of the plan's cost that it says.
    pub informed: f64,
}

/// What is known of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schemars(rename = "HeuristicVerdict"))]
pub enum Verdict {
    /// It holds of every reachable state.
    Proved,
    /// It holds of those that were looked at.
    NotRefuted,
    /// There is a witness against it.
    Violated,
}

/// A state of which a heuristic says too much.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "OverestimateWitness"))]
pub struct Overestimate {
    /// The state.
    pub state: TermData,
    /// What the heuristic says.
    pub estimate: Number,
    /// What a plan costs.
    pub cost: Number,
    /// The plan.
    pub plan: Vec<TermData>,
    /// The state as a term.
    #[serde(skip)]
    pub term: Record,
}

/// A move along which a heuristic falls too far.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Inconsistency {
    /// The state before.
    pub from: TermData,
    /// What the heuristic says of it.
    pub before: Number,
    /// The move.
    #[serde(rename = "move")]
    pub mv: TermData,
    /// What it costs.
    pub cost: Number,
    /// The state behind.
    pub to: TermData,
    /// What the heuristic says of that one.
    pub after: Number,
    /// Both states as terms.
    #[serde(skip)]
    pub terms: (Record, Record),
}

/// Two heuristics beside each other.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pair {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// States of which the one says more.
    pub above: u64,
    /// States of which the other says more.
    pub below: u64,
}

impl CommandResult for HeuristicsReport {
    fn exit(&self) -> Exit {
        let violated = |one: &HeuristicReport| {
            one.admissible == Verdict::Violated || one.consistent == Verdict::Violated
        };
        match self.limit {
            Some(StopReason::Cancelled) => Exit::Interrupted,
            _ if self.heuristics.iter().any(violated) => Exit::Failure,
            limit => Exit::stopped(limit),
        }
    }

    fn limit(&self) -> Option<StopReason> {
        self.limit
    }
}

/// An estimate; one without bound is `"inf"`.
fn estimate(value: Option<zug_domain::Number>) -> Number {
    value.map_or(Number::INFINITE, Number::from)
}

/// Looks at the heuristics of the puzzle that a session has loaded.
///
/// # Errors
/// See [`Failure`].
pub fn heuristics_loaded(
    session: &mut Session,
    request: &HeuristicsRequest,
    observer: Option<&mut Observer<'_>>,
) -> Result<HeuristicsReport, Failure> {
    diagnosing(session, |session| {
        let contract = Contract::of(&session.machine);
        must_suit(&contract, Operation::Heuristics)?;
        let mut heuristics = choose_heuristics(session, &contract, &request.heuristics)?;
        if heuristics.is_empty() {
            if contract.goal.is_none() {
                let why = "the file has no heuristic: define `heuristic(S, H)`";
                return Err(Failure::Players(why.to_owned()));
            }
            heuristics.push(Heuristic::Derived);
        }
        let starts = choose_starts(session, &contract, &request.instances)?;
        let states: Vec<Record> = starts.iter().map(|start| start.state.clone()).collect();
        let (m, w) = (&mut session.machine, &mut session.world);
        let asked = (&contract, &heuristics[..], &states[..], &request.survey);
        let found = survey(m, w, asked, &request.limits, observer);
        let (found, explanation) = found.map_err(|error| match &error.violation {
            Violation::NotDerived(why) if request.heuristics.is_empty() => Failure::Players(
                format!("the file has no heuristic, and none can be derived from the rules: {why}"),
            ),
            _ => Failure::rule(session, &error),
        })?;
        let names: Vec<String> =
            heuristics.iter().map(|heuristic| heuristic.name(&session.machine.symbols)).collect();
        let mut pairs = Vec::new();
        for (i, one) in names.iter().enumerate() {
            for (j, other) in names.iter().enumerate().skip(i + 1) {
                let (above, below) = (found.above[i][j], found.above[j][i]);
                pairs.push(Pair { one: one.clone(), other: other.clone(), above, below });
            }
        }
        // Of rules that are no functions of the state nothing is proved.
        let (m, w) = (&session.machine, &mut session.world);
        let conditions: Vec<Option<String>> = heuristics
            .iter()
            .map(|&heuristic| zug_domain::impurity(m, w, &contract, Some(heuristic)))
            .collect();
        let pure: Vec<bool> = conditions.iter().map(Option::is_none).collect();
        let mut trusted: Vec<String> = conditions.into_iter().flatten().collect();
        trusted.dedup();
        let named = names.into_iter().zip(found.heuristics).zip(pure);
        Ok(HeuristicsReport {
            file: request.file.display().to_string(),
            instances: starts.into_iter().map(|start| start.name).collect(),
            whole: found.whole,
            trusted,
            states: found.states,
            moves: found.moves,
            goals: found.goals,
            solved: found.solved,
            mean_cost: found.mean_cost,
            max_cost: found.max_cost.into(),
            walks: found.walks,
            stopped: found.stopped.map(|reason| reason.to_string()),
            heuristics: named
                .zip(&heuristics)
                .map(|(((name, one), pure), heuristic)| HeuristicReport {
                    explanation: explanation.clone().filter(|_| heuristic.derives_at_once()),
                    ..describe(session, name, one, found.whole && pure)
                })
                .collect(),
            pairs,
            limit: found.stopped,
        })
    })
}

fn describe(
    session: &Session,
    heuristic: String,
    found: Estimated<Record, zug_domain::Number, Record>,
    whole: bool,
) -> HeuristicReport {
    let term = |record: &Record| TermData::of(&session.machine, &session.world, record);
    let verdict = |violations: u64| match violations {
        0 if whole => Verdict::Proved,
        0 => Verdict::NotRefuted,
        _ => Verdict::Violated,
    };
    HeuristicReport {
        heuristic,
        explanation: None,
        admissible: verdict(found.overestimated),
        overestimated: found.overestimated,
        overestimate: found.overestimate.map(|witness| Overestimate {
            state: term(&witness.state),
            estimate: estimate(witness.estimate),
            cost: witness.cost.into(),
            plan: witness.plan.iter().map(term).collect(),
            term: witness.state,
        }),
        consistent: verdict(found.inconsistent),
        inconsistent: found.inconsistent,
        inconsistency: found.inconsistency.map(|fall| Inconsistency {
            from: term(&fall.from),
            before: estimate(fall.before),
            mv: term(&fall.mv),
            cost: fall.cost.into(),
            to: term(&fall.to),
            after: fall.after.into(),
            terms: (fall.from, fall.to),
        }),
        goals_above: found.goals_above,
        goal_above: found.goal_above.map(|(state, value)| (term(&state), estimate(value))),
        mean: found.mean,
        max: found.max.into(),
        informed: found.informed,
    }
}
