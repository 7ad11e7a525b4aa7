//! PDDL, the Planning Domain Definition Language (M. Fox, D. Long, *PDDL2.1*, JAIR 20, 2003): tasks without
//! time and numbers, but for costs of actions; conditions and effects may be nested and quantified.

mod body;
mod derived;
mod files;
mod formula;
mod log;
mod read;
mod requirements;
mod syntax;
mod task;
#[cfg(test)]
mod tests;
mod types;
mod write;

use crate::{Imported, failed, text};
use std::collections::BTreeSet;
use syntax::{Domain, Problem};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::watchdog;

/// The rule file of a domain and its problems, each of which becomes an instance.
pub fn import(sources: &[Source]) -> Result<Imported, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let Some((domain, problems)) = read(sources, &mut findings) else { return Err(findings) };
    if failed(&findings) {
        return Err(findings);
    }
    let task = task::Task::new(&domain, &problems);
    Ok(Imported { rules: write::write(&task), findings })
}

/// The domain and the problems of some files.
fn read(sources: &[Source], findings: &mut Vec<Diagnostic>) -> Option<(Domain, Vec<Problem>)> {
    let (domain, problems) = files::task(sources, findings)?;
    let declarations = syntax::declarations(&domain);
    let declared: Vec<syntax::Declared<'_, '_>> =
        problems.iter().map(|problem| syntax::declared(problem, &declarations.domain)).collect();
    let domain = syntax::domain(declarations, &syntax::shared(&declared), findings);
    let mut names = BTreeSet::new();
    let problem = |declared| {
        let mut problem = syntax::problem(declared, &domain, findings);
        let base = text::plain(&problem.name);
        problem.name.clone_from(&base);
        // Instances have different names.
        let mut n = 1;
        while !names.insert(problem.name.clone()) {
            watchdog::step();
            n += 1;
            problem.name = format!("{base}_{n}");
        }
        problem
    };
    let problems = declared.into_iter().map(problem).collect();
    Some((domain, problems))
}
