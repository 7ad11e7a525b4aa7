//! What goes wrong, as exceptions of the package's own classes.

use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::{Value, json};
use zug::Failure;
use zug::usecases::Raised;
use zug::usecases::record::{Finding, TermData};
use zug_domain::{RuleError, Violation};
use zug_environment::EnvironmentError;
use zug_machine::Fault;
use zug_prolog::session::Session;
use zug_term::diagnostic::Diagnostic;

/// An error with what the package's class of it is made of.
pub(crate) struct Trouble {
    /// The name of the class.
    kind: &'static str,
    message: String,
    details: Value,
}

impl Trouble {
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> Trouble {
        Trouble { kind, message: message.into(), details: json!({}) }
    }

    /// Rules with errors.
    pub(crate) fn findings(kind: &'static str, findings: &[Diagnostic]) -> Trouble {
        let worst = findings.iter().find(|finding| finding.is_error()).or(findings.first());
        let message = worst.map_or_else(String::new, zug::diagnostic_text);
        let all: Vec<Finding> = findings.iter().map(Finding::from).collect();
        Trouble { kind, message, details: json!({ "findings": all }) }
    }

    /// An error that the rules raised.
    fn raised(raised: &Raised) -> Trouble {
        let finding = Finding::from(&raised.finding);
        let details = json!({
            "findings": [finding],
            "term": raised.term,
            "calls": raised.calls,
        });
        let message = zug::diagnostic_text(&raised.finding);
        Trouble { kind: "RulesError", message, details }
    }

    /// An error of rules that an engine, or an environment, asked.
    pub(crate) fn rule(session: &Session, error: &RuleError) -> Trouble {
        Trouble::failure(&Failure::rule(session, error))
    }

    /// Why a request came to no report.
    pub(crate) fn failure(failure: &Failure) -> Trouble {
        match failure {
            Failure::Faults(findings) | Failure::Policy(findings) => {
                Trouble::findings("LoadError", findings)
            }
            Failure::Stopped(Fault::Stopped(_), _) | Failure::Limit(_) => {
                Trouble::new("LimitError", failure.to_string())
            }
            Failure::Stopped(_, findings) => {
                Trouble { message: failure.to_string(), ..Trouble::findings("LoadError", findings) }
            }
            Failure::Rule(raised) => Trouble::raised(raised),
            Failure::Diagnosed(failure, findings) => {
                let told = Trouble::failure(failure);
                let found =
                    findings.iter().map(zug::diagnostic_text).collect::<Vec<_>>().join("\n");
                let message = format!("{}\n{found}", told.message);
                Trouble { message, kind: told.kind, ..Trouble::findings("RequestError", findings) }
            }
            Failure::Unreadable(..) => Trouble::new("LoadError", failure.to_string()),
            Failure::UnreadableTerm(_, fault) => {
                Trouble::findings("SyntaxError", std::slice::from_ref(&fault.diagnostic))
            }
            _ => Trouble::new("RequestError", failure.to_string()),
        }
    }

    /// What went wrong with an environment.
    pub(crate) fn environment(session: &Session, error: EnvironmentError) -> Trouble {
        match error {
            EnvironmentError::Rule(error) => Trouble::rule(session, &error),
            EnvironmentError::Unnumbered { ref name, .. } => {
                let name = zug::text(session, name);
                let mut trouble = Trouble::new("SpaceError", format!("`{name}`: {error}"));
                trouble.details = json!({ "move": name });
                trouble
            }
            EnvironmentError::Space(text) => Trouble::new("SpaceError", text),
            EnvironmentError::NoEnvironment(text) => Trouble::new("RequestError", text),
            EnvironmentError::Illegal(text) => Trouble::new("IllegalActionError", text),
        }
    }

    /// What ended a query.
    pub(crate) fn fault(session: &Session, fault: &Fault) -> Trouble {
        let words = session.describe(fault);
        match fault {
            Fault::Stopped(_) => Trouble::new("LimitError", words.message),
            Fault::Halt(_) => Trouble::new("HaltError", words.message),
            Fault::Ball(ball) => {
                let (heap, root) = ball.to_heap();
                let (mut heap, root) = (heap, root);
                let record = zug_term::Record::new(&mut heap, root);
                let term = TermData::of(&session.machine, &session.world, &record);
                let kind = if fault.is_limit() { "LimitError" } else { "RulesError" };
                let trace = Box::new(session.machine.trace.clone());
                let error = RuleError::new(Violation::Fault(fault.clone(), trace), "");
                let place = error.place(&session.machine, &session.world);
                let mut finding = Diagnostic::error("E0501", words.message.clone());
                finding.hint = words.hint;
                if let Some((source, span)) = place {
                    finding = finding.at(&source, span, "");
                }
                let calls = zug::usecases::record::calls(
                    &session.machine,
                    &session.world,
                    &session.machine.trace,
                );
                let findings = [Finding::from(&finding)];
                let details = json!({ "findings": findings, "term": term, "calls": calls });
                Trouble { kind, message: zug::diagnostic_text(&finding), details }
            }
        }
    }
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> PyErr {
        Python::attach(|py| {
            let made = py.import("zug._errors").and_then(|module| {
                let details = PyString::new(py, &trouble.details.to_string());
                module.getattr("make")?.call1((trouble.kind, trouble.message, details))
            });
            match made {
                Ok(exception) => PyErr::from_value(exception),
                Err(error) => error,
            }
        })
    }
}
