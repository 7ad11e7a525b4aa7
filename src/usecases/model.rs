//! `solve` of a model: values for its variables, all of them, or the best ones.

use super::certificate::{CertificateReport, CertificateTo, may_certify_model, of_model};
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
    /// Where a certificate of what is found is to be written.
    pub certificate: Option<CertificateTo>,
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
            certificate: self.certificate.clone(),
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
    may_certify_model(request.certificate.as_ref())?;
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
    let conflict = take_explanations(&mut session.world);
    let to = request.certificate.as_ref();
    let certificate = of_model(session, to, (name, &found), &request.limits)?;
    Ok(ModelReport {
        file: request.file.display().to_string(),
        instance: named.named.then(|| named.name.clone()),
        found,
        wanted: request.wanted,
        conflict,
        certificate,
    })
}

/// That a command is not for models, and what to do with one.
pub fn no_model(why: &str) -> Failure {
    Failure::Players(format!("this file is a model (`model(Vars)`): {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_prolog::term_text;

    const LIBRARY: &str = ":- use_module(library(clpfd)).\n";

    fn session(text: &str) -> Session {
        let (mut session, _) = zug_tools::language::captured("");
        let found = session.load_text("model.pl", &format!("{LIBRARY}{text}"));
        assert!(!found.iter().any(zug_term::diagnostic::Diagnostic::is_error), "{found:?}");
        session
    }

    fn solved(text: &str, request: &ModelRequest) -> (Session, Result<ModelReport, Failure>) {
        let mut session = session(text);
        let mut found = None;
        let ended = solve_models(&mut session, request, None, |report, _| {
            found = Some(report.clone());
            true
        });
        let report = ended.map(|_| found.expect("there is a model"));
        (session, report)
    }

    fn all(text: &str) -> (Session, ModelReport) {
        let request =
            ModelRequest { wanted: SolutionsWanted::All, shown: 100, ..ModelRequest::default() };
        let (session, report) = solved(text, &request);
        (session, report.expect("it is solved"))
    }

    fn lists(session: &Session, report: &ModelReport) -> Vec<String> {
        let (m, w) = (&session.machine, &session.world);
        report.found.solutions.iter().map(|one| term_text(m, w, &one.list)).collect()
    }

    #[test]
    fn a_solution_counts_once_however_often_the_model_gives_it() {
        let (session, report) = all("model([x=X]) :- X in 1..3, member(Y, [1,2,3]), X #>= Y.");
        assert_eq!(lists(&session, &report), ["[x=1]", "[x=2]", "[x=3]"]);
        assert!(report.found.complete);
    }

    #[test]
    fn variables_that_are_not_in_the_list_must_have_values() {
        // Each pair is different, which propagators of two variables do not find to be impossible.
        let text = "model([x=X]) :- X in 1..3, [A,B,C] ins 0..1, A #\\= B, B #\\= C, A #\\= C.";
        let (_, report) = all(text);
        assert_eq!(report.found.outcome, Outcome::Exhausted);
        assert_eq!(report.exit(), Exit::Failure);
        let (session, report) = all("model([x=X]) :- X in 0..9, Y in 2..3, X #= Y*Y.");
        assert_eq!(lists(&session, &report), ["[x=4]", "[x=9]"]);
    }

    #[test]
    fn the_best_value_is_that_of_all_tried_values() {
        let model = "model([x=X, y=Y]) :- [X,Y] ins 0..9, X + 2*Y #=< 13, X #\\= Y.\n";
        for (objective, expected) in [("max(X*Y)", 21), ("min(X - Y)", -6), ("max(X - Y*Y)", 9)] {
            let text = format!("{model}objective([x=X, y=Y], {objective}).");
            for labels in [["ff", "up", "step"], ["max", "down", "bisect"], ["ffc", "up", "enum"]] {
                let [selection, order, choice] = labels;
                let labelling = Labelling { selection, order, choice };
                let request = ModelRequest { labelling, shown: 1, ..ModelRequest::default() };
                let (session, report) = solved(&text, &request);
                let found = report.expect("it is solved").found;
                let value = found.value.expect("a value");
                let value = term_text(&session.machine, &session.world, &value);
                assert_eq!(value, expected.to_string(), "{objective} {labels:?}");
                assert_eq!((found.optimal, found.outcome), (Some(true), Outcome::Solved));
            }
        }
    }

    #[test]
    fn an_objective_of_variables_that_are_not_in_the_list_is_the_best_one_there_is() {
        let text =
            "model([x=X]) :- X in 1..3.\nobjective([x=X], max(X + Z)) :- Z in 4..6, Z #\\= 6.";
        let (session, report) = all(text);
        let value = report.found.value.as_ref().expect("a value");
        assert_eq!(term_text(&session.machine, &session.world, value), "8");
        assert_eq!(lists(&session, &report), ["[x=3]"]);
    }

    #[test]
    fn all_best_solutions_of_several_answers_of_a_model() {
        let text = "model([x=X, y=Y]) :- member(L, [1,2]), [X,Y] ins L..4, X #< Y.\n\
                    objective([x=X, y=Y], max(Y)).";
        let (session, report) = all(text);
        assert_eq!(lists(&session, &report), ["[x=1,y=4]", "[x=2,y=4]", "[x=3,y=4]"]);
        assert_eq!((report.found.count, report.found.optimal), (3, Some(true)));
    }

    #[test]
    fn whether_a_solution_is_the_only_one() {
        let unique = |text: &str| {
            let wanted = SolutionsWanted::Second;
            let request = ModelRequest { wanted, shown: 2, ..ModelRequest::default() };
            let report = solved(text, &request).1.expect("it is solved");
            (report.found.unique, report.exit())
        };
        assert_eq!(unique("model([x=X]) :- X in 1..3, X #> 2."), (Some(true), Exit::Success));
        assert_eq!(unique("model([x=X]) :- X in 1..3."), (Some(false), Exit::Failure));
        assert_eq!(unique("model([x=X]) :- X in 1..3, X #> 3."), (None, Exit::Failure));
    }

    #[test]
    fn a_limit_leaves_what_was_found() {
        let text =
            "model([x=X, y=Y]) :- [X,Y] ins 0..99, X #\\= Y.\nobjective([x=X, y=Y], max(X + Y)).";
        let limits = Limits { nodes: Some(50), ..Limits::none() };
        let request = ModelRequest { limits, shown: 1, ..ModelRequest::default() };
        let report = solved(text, &request).1.expect("a report");
        assert_eq!(report.found.outcome, Outcome::Stopped(StopReason::Nodes));
        assert_eq!((report.found.optimal, report.exit()), (None, Exit::Limit));
        assert!(report.found.value.is_some());
        assert_eq!(report.found.stats.nodes, 50);
    }

    #[test]
    fn variables_without_bounds_are_named() {
        let (_, report) = solved(
            "model([x=X, q=[Y,Z]]) :- X in 1..3, Z in 1..2, Y #> X.",
            &ModelRequest::default(),
        );
        let failure = report.expect_err("Y has no bounds");
        assert!(failure.to_string().contains("q[1]"), "{failure}");
        assert_eq!(failure.exit(), Exit::Rules);
        let (_, report) =
            solved("model([x=X]) :- X in 1..3, Y #> Z, Z #> X.", &ModelRequest::default());
        assert!(
            report.expect_err("Y has no bounds").to_string().contains("not in the model's list")
        );
    }

    #[test]
    fn names_of_models_are_known_though_they_have_no_solution() {
        let mut session = session("model(N, [x=X]) :- member(N, [one,two]), X in 1..2, X #> 2.");
        let contract = Contract::of(&session.machine);
        let names: Vec<String> = choose_instances(&mut session, &contract, None)
            .expect("there are some")
            .into_iter()
            .map(|named| named.name)
            .collect();
        assert_eq!(names, ["one", "two"]);
    }

    #[test]
    fn rule_files_that_are_models_have_the_solutions_that_are_known() {
        let count = |file: &str, instance: Option<&str>| {
            let (mut session, _) = zug_tools::language::captured("");
            let path =
                std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules").join(file);
            session.load_file(&path).expect("it loads");
            let request = ModelRequest {
                instance: instance.map(str::to_owned),
                wanted: SolutionsWanted::All,
                ..ModelRequest::default()
            };
            let mut found = None;
            solve_models(&mut session, &request, None, |report, session| {
                let value = report.found.value.as_ref();
                let value = value.map(|value| term_text(&session.machine, &session.world, value));
                found = Some((report.found.count, value.unwrap_or_default()));
                true
            })
            .expect("it is solved");
            found.expect("a model")
        };
        let plain = |count| (count, String::new());
        assert_eq!(count("send_more.pl", None), plain(1));
        for name in ["easy", "few", "hard"] {
            assert_eq!(count("sudoku.pl", Some(name)), plain(1), "{name}");
        }
        assert_eq!(count("queens_model.pl", Some("8")), plain(92));
        assert_eq!(count("queens_model.pl", Some("6")), plain(4));
        assert_eq!(count("queens_model.pl", Some("3")), plain(0));
        assert_eq!(count("magic_square.pl", Some("3")), plain(8));
        for name in ["heart", "cup"] {
            assert_eq!(count("nonogram.pl", Some(name)), plain(1), "{name}");
        }
        for (name, solutions) in [("both", 1), ("either", 1), ("three", 1), ("liar", 0)] {
            assert_eq!(count("knights_and_knaves.pl", Some(name)), plain(solutions), "{name}");
        }
        // Golomb rulers and their number up to turning: 0 1 4 6; 0 1 4 9 11, 0 2 7 8 11; four of 17.
        assert_eq!(count("golomb.pl", Some("4")), (1, "6".to_owned()));
        assert_eq!(count("golomb.pl", Some("5")), (2, "11".to_owned()));
        assert_eq!(count("golomb.pl", Some("6")), (4, "17".to_owned()));
        assert_eq!(count("job_shop.pl", None).1, "11");
    }
}
