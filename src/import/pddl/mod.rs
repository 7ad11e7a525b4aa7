//! PDDL, the Planning Domain Definition Language (M. Fox, D. Long, *PDDL2.1*, JAIR 20, 2003): tasks without
//! time and numbers, but for costs of actions; conditions and effects may be nested and quantified.

mod body;
mod costs;
mod definitions;
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
mod writer;

use crate::{Imported, failed, text};
use definitions::{Domain, Problem};
use files::Definition;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;

/// The rule file of a domain and its problems, each of which becomes an instance.
pub fn import(sources: &[Source]) -> Result<Imported, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let Some((domain, problems)) = files::task(sources, &mut findings) else {
        return Err(findings);
    };
    let source = domain.source;
    let (domain, problems) = read(&domain, &problems, &mut findings);
    if failed(&findings) {
        return Err(findings);
    }
    let task = task::Task::new(&domain, &problems);
    findings.extend(costs::check(source, &task));
    Ok(Imported { rules: write::write(&task), findings })
}

/// The domain and the problems of some definitions.
fn read(
    domain: &Definition<'_>,
    problems: &[Definition<'_>],
    findings: &mut Vec<Diagnostic>,
) -> (Domain, Vec<Problem>) {
    let declarations = syntax::declarations(domain);
    let declared: Vec<syntax::Declared<'_, '_>> =
        problems.iter().map(|problem| syntax::declared(problem, &declarations.domain)).collect();
    let domain = syntax::domain(declarations, &syntax::shared(&declared), findings);
    let mut names = text::Fresh::default();
    let problem = |declared| {
        let mut problem = syntax::problem(declared, &domain, findings);
        // Instances have different names.
        problem.name = names.name(&text::plain(&problem.name));
        problem
    };
    let problems = declared.into_iter().map(problem).collect();
    (domain, problems)
}
