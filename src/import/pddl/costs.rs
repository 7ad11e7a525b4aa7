//! Values of functions that costs are made of: an action that asks for one that there is not can't be done.

use super::definitions::{Action, Cost, Problem};
use super::formula::{Condition, Term};
use super::task::Task;
use std::collections::BTreeSet;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::watchdog;

/// Warns of functions that have no value for an object that an action may ask for, as far as types and static
/// conditions tell. Which objects a condition on the state allows is not known.
pub fn check(source: &Source, task: &Task<'_>) -> Vec<Diagnostic> {
    let mut warned = BTreeSet::new();
    let mut findings = Vec::new();
    for problem in task.problems.iter().filter(|problem| problem.costs) {
        for action in &task.domain.actions {
            for cost in &action.costs {
                let Cost::Function(function, span) = cost else { continue };
                let values = problem.values.iter().filter(|(name, ..)| *name == function.name);
                let values: Vec<&[String]> = values.map(|(_, args, _)| &args[..]).collect();
                watchdog::steps(problem.values.len());
                let lacking = function.args.iter().enumerate().find_map(|(nth, arg)| {
                    let known = column(values.iter().copied(), nth);
                    let mut asked = asked(arg, action, task, problem).into_iter();
                    asked.find(|object| !known.contains(object))
                });
                let of = match lacking {
                    Some(object) => format!(" with `{object}`"),
                    None if values.is_empty() => String::new(),
                    None => continue,
                };
                let message = format!(
                    "`{}`{of} has no value in the problem `{}`: actions that cost it can't be done",
                    function.name, problem.name
                );
                if warned.insert(message.clone()) {
                    findings.push(Diagnostic::warning("W0823", message).at(source, *span, ""));
                }
            }
        }
    }
    findings
}

/// The objects that a term may be; none if the state says it.
fn asked<'a>(
    term: &'a Term,
    action: &Action,
    task: &Task<'a>,
    problem: &'a Problem,
) -> BTreeSet<&'a str> {
    let var = match term {
        Term::Object(object) => return BTreeSet::from([object.as_str()]),
        Term::Var(var) => *var,
    };
    let of_types = |var: usize| -> BTreeSet<&'a str> {
        action.vars[var].1.iter().flat_map(|kind| task.objects(problem, kind)).collect()
    };
    let mut objects = of_types(var);
    for condition in action.precondition.clone().conjuncts() {
        let Condition::Atom(true, atom) = condition else { continue };
        let Some(nth) = atom.args.iter().position(|arg| arg.var() == Some(var)) else { continue };
        if !task.is_static(&atom.name) {
            return BTreeSet::new();
        }
        watchdog::steps(problem.init.len());
        let allowed: Vec<BTreeSet<&str>> = atom
            .args
            .iter()
            .map(|arg| match arg {
                Term::Var(var) => of_types(*var),
                Term::Object(object) => BTreeSet::from([object.as_str()]),
            })
            .collect();
        let fits = |args: &&[String]| {
            args.iter().zip(&allowed).all(|(arg, allowed)| allowed.contains(arg.as_str()))
        };
        let facts = problem.init.iter().filter(|(name, _)| *name == atom.name);
        let held = column(facts.map(|(_, args)| &args[..]).filter(fits), nth);
        objects.retain(|object| held.contains(object));
    }
    objects
}

/// What stands in a place of some rows.
fn column<'r>(rows: impl Iterator<Item = &'r [String]>, nth: usize) -> BTreeSet<&'r str> {
    rows.filter_map(|args| args.get(nth)).map(String::as_str).collect()
}
