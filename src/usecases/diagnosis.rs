//! Diagnosis: what `check` finds in rules with which a search came to nothing.

use super::Failure;
use zug_prolog::session::Session;
use zug_term::diagnostic::Diagnostic;
use zug_tools::check;

/// Findings that are told; `check` has the others.
const TOLD: usize = 5;

/// What is wrong with the rules of a session, as far as `check` knows: errors and warnings, no matters of style.
pub fn diagnosis(session: &mut Session) -> Vec<Diagnostic> {
    let mut findings = check::program(session, Vec::new()).findings;
    findings.retain(|finding| !finding.is_style());
    findings.truncate(TOLD);
    findings
}

/// The failure of a request; with the diagnosis, if the rules lack something.
pub(super) fn diagnosed(session: &mut Session, failure: Failure) -> Failure {
    let lacking = match &failure {
        Failure::Rule(raised) => raised.lacking,
        Failure::NoDomain | Failure::NoGame { .. } | Failure::NotAtOnce => true,
        _ => false,
    };
    if !lacking {
        return failure;
    }
    let mut findings = diagnosis(session);
    if let Failure::Rule(raised) = &failure {
        // What is missing was said: with its place the finding says it better.
        let missing = raised.finding.message.rsplit(' ').next().unwrap_or_default();
        let name = missing.split('/').next().unwrap_or_default();
        let said = format!("`{name}`");
        findings.retain(|finding| {
            finding.message != raised.finding.message
                && !(finding.code == "W0503" && finding.message.contains(&said))
        });
    }
    match findings.as_slice() {
        [] => failure,
        _ => Failure::Diagnosed(Box::new(failure), findings),
    }
}
