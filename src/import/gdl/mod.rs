//! GDL, the Game Description Language (M. Genesereth, N. Love, B. Pell, *General Game Playing*, 2005).

mod boards;
mod check;
mod closure;
mod components;
mod counting;
mod effects;
pub mod interpret;
mod invariants;
mod modes;
mod names;
mod numbers;
mod occupied;
pub mod order;
mod passed;
mod places;
mod plays;
pub mod program;
mod projection;
mod recursion;
mod relaxed;
mod rewriting;
mod single;
mod sizes;
mod state;
pub mod syntax;
pub mod table;
mod tableau;
#[cfg(test)]
mod tests;
pub mod turns;
mod unify;
pub mod write;

use crate::{Imported, failed};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

/// The rule file of a game.
pub fn import(source: &Source) -> Result<Imported, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let rules = syntax::rules(source, &mut findings);
    let complete = findings.is_empty();
    let program = program::Program::new(source, rules, complete, &mut findings);
    if failed(&findings) {
        return Err(findings);
    }
    let interpreter = match interpret::Interpreter::new(&program) {
        Ok(interpreter) => interpreter,
        Err(fault) => {
            findings.push(*fault);
            return Err(findings);
        }
    };
    if interpreter.roles().is_empty() {
        let finding =
            Diagnostic::error("E0806", "the game has no players: `role/1` holds of nothing");
        let rule = program.rules_of(&program::key("role", 1)).next();
        findings.push(finding.at(source, rule.map_or_else(Span::default, |rule| rule.span), ""));
        return Err(findings);
    }
    let rules = write::write(&program, &interpreter, &crate::title(source));
    Ok(Imported { rules, findings })
}
