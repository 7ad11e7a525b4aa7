//! `solve` of a model: values for its variables, all of them, or the best ones.

use super::exit::{CommandResult, Exit};
use super::record::TermData;
use super::{Failure, Named, choose_instances};
use serde::Serialize;
use std::path::PathBuf;
use zug_domain::Contract;
use zug_domain::model::{Labelling, ModelObserver, ModelTask, SolutionsWanted, solve_model};
use zug_explain::{Explanation, take_explanations};
use zug_prolog::session::Session;
use zug_report::{ModelSolution, Outcome, StopReason};
use zug_search::Limits;
use zug_term::Record;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct ModelRequest {
    /// The rule file.
    pub file: PathBuf,
    /// The instance's name, or its number.
    pub instance: Option<String>,
    /// Every instance, where none is named; else the first.
    pub every: bool,
    /// How variables are labelled.
    pub labelling: Labelling,
    /// Which solutions are looked for.
    pub wanted: SolutionsWanted,
    /// Solutions that are shown.
    pub shown: usize,
    /// Limits, for each instance.
    pub limits: Limits,
}

/// What became of a model.
#[derive(Clone, Debug)]
pub struct ModelReport {
    /// The rule file.
    pub file: String,
    /// The instance, if the model has a name.
    pub instance: Option<String>,
    /// What the search found.
    pub found: ModelSolution<Record>,
    /// Which solutions were looked for.
    pub wanted: SolutionsWanted,
    /// Why there is no solution.
    pub conflict: Vec<Explanation>,
}

/// What became of a model, as it is written for programs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelRecord {
    /// The rule file.
    pub file: String,
    /// The instance, if the model has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The limit that stopped it.
    pub reason: Option<String>,
    /// What the search found.
    #[serde(flatten)]
    pub found: ModelSolution<TermData>,
    /// Why there is no solution: constraints that can't hold together, each text with its places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflict: Vec<String>,
}

impl CommandResult for ModelReport {
    fn exit(&self) -> Exit {
        // Whether there is another solution was the question.
        let other = self.wanted == SolutionsWanted::Second && self.found.unique == Some(false);
        match Exit::from(self.found.outcome) {
            Exit::Success if other => Exit::Failure,
            exit => exit,
        }
    }

    fn limit(&self) -> Option<StopReason> {
        self.found.outcome.reason()
    }
}

impl ModelReport {
    /// The report for programs; `conflict` are the explanations as text.
    pub fn record(&self, session: &Session, conflict: Vec<String>) -> ModelRecord {
        let (m, w) = (&session.machine, &session.world);
        ModelRecord {
            file: self.file.clone(),
            instance: self.instance.clone(),
            reason: self.limit().map(|reason| reason.to_string()),
            found: self.found.map(|term| TermData::of(m, w, term)),
            conflict,
        }
    }
}

/// Solves the models of a file that is loaded. `each` is called with every report as it comes, and says whether to
/// go on. The names of the instances that were not asked for.
///
/// # Errors
/// See [`Failure`]; an error in a rule ends it, with the instances before it seen by `each`.
pub fn solve_models(
    session: &mut Session,
    request: &ModelRequest,
    mut observer: Option<&mut ModelObserver<'_>>,
    mut each: impl FnMut(&ModelReport, &mut Session) -> bool,
) -> Result<Vec<String>, Failure> {
    let contract = Contract::of(&session.machine);
    let mut models = choose_instances(session, &contract, request.instance.as_deref())?;
    let asked = if request.every { models.len() } else { models.len().min(1) };
    let others = models.split_off(asked).into_iter().map(|other| other.name).collect();
    for named in models {
        let report = solve_one(session, request, &contract, &named, observer.as_deref_mut())?;
        let cancelled = report.found.outcome == Outcome::Stopped(StopReason::Cancelled);
        if !each(&report, session) || cancelled {
            break;
        }
    }
    Ok(others)
}

/// Solves one model.
pub(super) fn solve_one(
    session: &mut Session,
    request: &ModelRequest,
    contract: &Contract,
    named: &Named,
    observer: Option<&mut ModelObserver<'_>>,
) -> Result<ModelReport, Failure> {
    let task = ModelTask {
        labelling: request.labelling,
        wanted: request.wanted,
        kept: request.shown,
        limits: request.limits.clone(),
    };
    take_explanations(&mut session.world);
    let (m, w) = (&mut session.machine, &mut session.world);
    let name = named.instance.name.as_ref();
    let found = solve_model(m, w, contract, name, &task, observer);
    let found = found.map_err(|error| Failure::rule(session, &error))?;
    Ok(ModelReport {
        file: request.file.display().to_string(),
        instance: named.named.then(|| named.name.clone()),
        found,
        wanted: request.wanted,
        conflict: take_explanations(&mut session.world),
    })
}

/// That a command is not for models, and what to do with one.
pub fn no_model(why: &str) -> Failure {
    Failure::Players(format!("this file is a model (`model(Vars)`): {why}"))
}
