//! PDDL, the Planning Domain Definition Language (M. Fox, D. Long, *PDDL2.1*, JAIR 20, 2003): tasks without
//! time and numbers, but for costs of actions; conditions and effects may be nested and quantified.

mod body;
mod formula;
mod syntax;
mod task;
#[cfg(test)]
mod tests;
mod write;

use crate::{Imported, failed};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;

/// The rule file of a domain and its problems, each of which becomes an instance.
pub fn import(domain: &Source, problems: &[Source]) -> Result<Imported, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let parsed = syntax::domain(domain, &mut findings);
    let problems: Vec<syntax::Problem> = problems
        .iter()
        .filter_map(|source| syntax::problem(source, &parsed, &mut findings))
        .collect();
    if failed(&findings) {
        return Err(findings);
    }
    let task = task::Task::new(&parsed, &problems);
    Ok(Imported { rules: write::write(&task), findings })
}
