//! Diagnosis: what `check` finds in rules with which a search came to nothing.

use super::Failure;
use zug_prolog::session::Session;
use zug_term::diagnostic::Diagnostic;
use zug_tools::check;

/// Findings that are told; `check` has the others.
const TOLD: usize = 5;

/// Notes that say why a search comes to nothing: the goal that fails, numbers that go on growing.
const CAUSES: [&str; 2] = ["N0801", "N0607"];

/// What is wrong with the rules of a session, as far as `check` knows: errors, warnings and causes, no matters of style.
pub fn diagnosis(session: &mut Session) -> Vec<Diagnostic> {
    let mut findings = check::for_engines(session).findings;
    findings.retain(|finding| !finding.is_style() || CAUSES.contains(&finding.code));
    findings.truncate(TOLD);
    findings
}

/// The failure of a request; with the diagnosis, if the rules lack something or raise an error.
pub(super) fn diagnosed(session: &mut Session, failure: Failure) -> Failure {
    let of_rules = matches!(
        failure,
        Failure::Rule(_) | Failure::NoDomain | Failure::NoGame { .. } | Failure::NotAtOnce
    );
    if !of_rules {
        return failure;
    }
    let mut findings = diagnosis(session);
    let mut failure = failure;
    if let Failure::Rule(raised) = &mut failure
        && let Some(known) =
            findings.iter().find(|finding| finding.message == raised.finding.message)
    {
        // What it is found out with says where, and more.
        raised.finding = known.clone();
    }
    let is_of_game =
        |finding: &Diagnostic| finding.code == "W0507" && finding.message.starts_with("a game ");
    if matches!(&failure, Failure::Rule(raised) if raised.finding.message.ends_with("rule/4"))
        && findings.iter().any(is_of_game)
    {
        // A game does not lack rule/4.
        failure = Failure::NoDomain;
    }
    if let Failure::Rule(raised) = &failure {
        // What is missing was said: with its place the finding says it better.
        let missing = raised.finding.message.rsplit(' ').next().unwrap_or_default();
        let name = missing.split('/').next().unwrap_or_default();
        let said = format!("`{name}`");
        findings.retain(|finding| {
            let same = finding.code == raised.finding.code && finding.is_error();
            let lacks = finding.code == "W0503" && finding.message.contains(&said);
            !(same || lacks || finding.message == raised.finding.message)
        });
    }
    match findings.as_slice() {
        [] => failure,
        _ => Failure::Diagnosed(Box::new(failure), findings),
    }
}
