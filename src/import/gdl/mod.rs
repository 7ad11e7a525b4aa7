//! GDL, the Game Description Language (M. Genesereth, N. Love, B. Pell, *General Game Playing*, 2005).

mod board;
mod boards;
mod check;
mod closure;
mod components;
mod costs;
mod delta;
mod domains;
mod interpret;
mod invariants;
mod modes;
mod names;
mod numbers;
mod order;
mod places;
mod plays;
mod program;
mod projection;
mod recursion;
mod relaxed;
mod rewriting;
mod sideways;
mod single;
mod sizes;
mod state;
mod syntax;
mod table;
mod tableau;
#[cfg(test)]
mod tests;
mod turns;
mod unify;
mod write;

use crate::{Imported, failed};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

pub fn import(source: &Source) -> Result<Imported, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let rules = syntax::rules(source, &mut findings);
    let complete = findings.is_empty();
    let program = check::checked(source, rules, complete, &mut findings);
    if failed(&findings) {
        return Err(findings);
    }
    let fault = match interpret::Interpreter::new(&program) {
        Ok(interpreter) if interpreter.roles.is_empty() => {
            let message = "the game has no players: `role/1` holds of nothing";
            let rule = program.rules_of(&program::key("role", 1)).next();
            let span = rule.map_or_else(Span::default, |rule| rule.span);
            Diagnostic::error("E0806", message).at(source, span, "")
        }
        Ok(interpreter) => {
            let rules = write::write(&program, &interpreter, &title(source));
            return Ok(Imported { rules, findings });
        }
        Err(fault) => *fault,
    };
    findings.push(fault);
    Err(findings)
}

/// The name of a text without folders and ending.
fn title(source: &Source) -> String {
    let name = source.name.rsplit(['/', '\\']).next().unwrap_or(&source.name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}
