//! `solve.` and `solve(Options)` at the prompt: what `zug solve` does, with the rules that are loaded.

use super::{DialogueError, Repl};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use zug_domain::Contract;
use zug_options::{Row, Table, Within};
use zug_prolog::session::{Query, Session};
use zug_render::found;
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_usecases::Failure;
use zug_usecases::solve::options::{DEPTH, ENGINE, HEURISTIC, INSTANCE, STATE, TIME};
use zug_usecases::solve::{Found, SolveRequest, solve};

static WHAT: [Row<SolveRequest>; 6] = [ENGINE, HEURISTIC, INSTANCE, STATE, DEPTH, TIME];

/// The options of solve/1 at the prompt.
pub(super) static OPTIONS: Table<SolveRequest, Cell> =
    Table(&[&Within(&WHAT, |asked: &mut SolveRequest| asked)]);

impl Repl<'_> {
    /// Solves what the rules that are loaded pose.
    pub(super) fn solve_query(&mut self, query: Query) -> Result<(), DialogueError> {
        let mut asked = SolveRequest::default();
        let taken = self.options(&query, ("solve/1", &OPTIONS), &mut asked);
        self.session.close(query);
        taken.map_err(Failure::Players)?;
        let (text, findings) = self.solved(asked)?;
        // Ctrl-C was for the search.
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        self.say(&text)?;
        findings.iter().try_for_each(|finding| self.complain(finding))?;
        Ok(())
    }

    /// What there is to say, and what is wrong with the rules if they have no solution.
    fn solved(&mut self, mut asked: SolveRequest) -> Result<(String, Vec<Diagnostic>), Failure> {
        asked.limits.cancel = Some(self.session.machine.interrupt.clone());
        let contract = Contract::of(&self.session.machine);
        let rules = contract.rule.or(contract.game.as_ref().map(|roles| roles.moves.pred));
        asked.file = PathBuf::from(self.rules_with(rules.or(contract.model)));
        let (theme, mut text) = (self.theme, String::new());
        let mut each = |found: &Found, session: &mut Session| {
            text += &found::text(found, session, None, &theme);
            true
        };
        let report = solve(self.session, &asked, None, &mut each)?;
        Ok((text, report.findings))
    }
}
