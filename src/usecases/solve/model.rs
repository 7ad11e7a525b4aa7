//! Values for the variables of a model: one solution, all of them, or the best ones.

use super::{SolveEvent, SolveObserver, SolveRequest, Wanted};
use crate::asking::ask;
use crate::certificate::CertificateReport;
use crate::exit::Exit;
use crate::record::TermData;
use crate::{Failure, Named};
use serde::Serialize;
use zug_domain::Contract;
use zug_domain::model::{Improvement, ModelObserver, ModelTask, SolutionsWanted, solve_model};
use zug_explain::{Explanation, take_explanations};
use zug_prolog::session::Session;
use zug_report::ModelSolution;
use zug_term::Record;

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
    /// What became of its certificate, if one was wanted.
    pub certificate: Option<CertificateReport>,
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
    /// What became of its certificate, if one was wanted.
    #[serde(flatten)]
    pub certificate: Option<CertificateReport>,
}

impl ModelReport {
    /// How the command ends.
    pub(super) fn exit(&self) -> Exit {
        // Whether there is another solution was the question.
        let other = self.wanted == SolutionsWanted::Second && self.found.unique == Some(false);
        match Exit::from(self.found.outcome) {
            Exit::Success if other => Exit::Failure,
            exit => exit,
        }
    }

    /// The report for programs; `conflict` are the explanations as text.
    pub fn record(&self, session: &Session, conflict: Vec<String>) -> ModelRecord {
        let (m, w) = (&session.machine, &session.world);
        ModelRecord {
            file: self.file.clone(),
            instance: self.instance.clone(),
            reason: self.found.outcome.reason().map(|reason| reason.to_string()),
            found: self.found.map(|term| TermData::of(m, w, term)),
            conflict,
            certificate: self.certificate.clone(),
        }
    }
}

/// Solves one model.
pub(super) fn solved(
    session: &mut Session,
    request: &SolveRequest,
    contract: &Contract,
    named: &Named,
    observer: Option<&mut SolveObserver<'_>>,
) -> Result<ModelReport, Failure> {
    let mut observer =
        observer.map(|observer| move |better: &Improvement| observer(SolveEvent::Better(better)));
    let observer = observer.as_mut().map(|observer| observer as &mut ModelObserver<'_>);
    let (wanted, kept) = match request.wanted {
        Wanted::Solutions(shown) => (SolutionsWanted::All, shown),
        Wanted::Unique => (SolutionsWanted::Second, 2),
        _ => (SolutionsWanted::One, 1),
    };
    let (labelling, limits) = (request.labelling, request.limits.clone());
    let task = ModelTask { labelling, wanted, kept, limits };
    take_explanations(&mut session.world);
    let name = named.instance.name.as_ref();
    let found = ask(session, |m, w| solve_model(m, w, contract, name, &task, observer))?;
    Ok(ModelReport {
        file: request.file.display().to_string(),
        instance: named.named.then(|| named.name.clone()),
        found,
        wanted,
        conflict: take_explanations(&mut session.world),
        certificate: None,
    })
}
