//! Models: what they post, and whether their variables can be labelled.

use super::domain::{COUNTED, TRIED, Trial, finding};
use super::trial::Allowance;
use super::{at_predicate, placed};
use serde::Serialize;
use zug_domain::model::{Surveyed, clause_of_model, instances, posted, survey_model};
use zug_domain::{Contract, unbounded, unbounded_hint};
use zug_explain::clause_place;
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_report::PostedModel;
use zug_term::diagnostic::{Diagnostic, Severity};

/// Names in a finding.
const NAMES: usize = 5;

/// What a model posts.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelFindings {
    /// The name of the model, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Variables and constraints.
    #[serde(flatten)]
    pub posted: PostedModel,
    /// What has a value at once, as `name = value`.
    #[serde(rename = "fixed_values")]
    pub fixed: Vec<String>,
    /// Variables without bounds.
    pub unbounded: Vec<String>,
    /// The model has no solution, which shows before a value is tried.
    pub fails: bool,
    /// No constraint is to blame: another goal of the model fails.
    #[serde(skip)]
    pub goal_failed: bool,
}

impl ModelFindings {
    /// Why there is no solution, in a few words.
    pub fn why(&self) -> &'static str {
        match self.goal_failed {
            true => "one of its goals fails",
            false => "its constraints can't hold",
        }
    }
}

/// Posts the first models.
pub(super) fn try_out(session: &mut Session, contract: &Contract) -> (Trial, Vec<ModelFindings>) {
    let mut trial = Trial::default();
    let mut models = Vec::new();
    let allowance = Allowance::new(&session.machine, &session.world);
    let found = {
        let (m, w) = (&mut session.machine, &mut session.world);
        let _work = allowance.question(m);
        instances(m, w, contract, COUNTED)
    };
    let (found, error) = found.unwrap_or_else(|error| (Vec::new(), Some(error)));
    trial.findings.extend(error.map(|error| finding(session, &error)));
    for instance in &found {
        let name = instance.name.as_ref();
        trial.instances.extend(name.map(|name| term_text(&session.machine, &session.world, name)));
    }
    if let (true, true, Some(pred)) =
        (found.is_empty(), trial.findings.is_empty(), contract.named_model)
    {
        let message = "there is no model: model/2 has no answer";
        let finding = Diagnostic::warning("W0504", message)
            .hint("see why with `?- why_not(model(Name, Vars)).`");
        trial.findings.push(at_predicate(&session.machine, &session.world, pred, finding));
    }
    for instance in found.iter().take(TRIED) {
        let name = instance.name.as_ref();
        let surveyed = {
            let (m, w) = (&mut session.machine, &mut session.world);
            let _work = allowance.question(m);
            survey_model(m, w, contract, name)
        };
        let (clause, has_objective) = clause_of_model(&mut session.machine, contract, name);
        let (m, w) = (&session.machine, &session.world);
        let shown = name.map(|name| term_text(m, w, name));
        let at = |finding| placed(finding, clause.and_then(|clause| clause_place(m, w, clause)));
        let of = shown.as_ref().map_or(String::new(), |name| format!(" {name}"));
        match surveyed {
            Err(error) => trial.findings.push(finding(session, &error)),
            Ok(found @ (Surveyed::Refused | Surveyed::Failed)) => {
                let (instance, goal_failed) = (shown.clone(), matches!(found, Surveyed::Failed));
                let fails = ModelFindings { fails: true, goal_failed, ..ModelFindings::default() };
                let failing = ModelFindings { instance, ..fails };
                let goal = match &shown {
                    Some(name) => format!("model({name}, Vars)"),
                    None => "model(Vars)".to_owned(),
                };
                let message = format!("the model{of} has no solution: {}", failing.why());
                let found = Diagnostic::warning("W0542", message);
                trial.findings.push(at(found.hint(format!("see why with `?- why_not({goal}).`"))));
                models.push(failing);
            }
            Ok(Surveyed::Posted(survey)) => {
                if !survey.unbounded.is_empty() {
                    let message = unbounded(&survey.unbounded, shown.as_deref());
                    let found = Diagnostic::warning("W0543", message);
                    trial.findings.push(at(found.hint(unbounded_hint(&survey.unbounded))));
                }
                if !survey.twice.is_empty() {
                    let message =
                        format!("the list of the model{of} has {} twice", some(&survey.twice));
                    let found = Diagnostic::warning("W0544", message);
                    trial.findings.push(at(found.hint("give each variable a name of its own")));
                }
                if !survey.free.is_empty() && !has_objective {
                    let verb = if survey.free.len() == 1 { "is" } else { "are" };
                    let free = some(&survey.free);
                    let message = format!("{free} {verb} in no constraint: every value will do");
                    trial.findings.push(at(Diagnostic::new(Severity::Note, "N0545", message)));
                }
                let fixed = survey.fixed.iter().map(|(name, value)| format!("{name} = {value}"));
                models.push(ModelFindings {
                    instance: shown,
                    posted: posted(&survey),
                    fixed: fixed.collect(),
                    unbounded: survey.unbounded.clone(),
                    ..ModelFindings::default()
                });
            }
        }
    }
    allowance.end(&mut session.machine);
    (trial, models)
}

/// The first of some names.
fn some(names: &[String]) -> String {
    let mut text = names[..names.len().min(NAMES)].join(", ");
    if names.len() > NAMES {
        text += &format!(" and {} more", names.len() - NAMES);
    }
    text
}
