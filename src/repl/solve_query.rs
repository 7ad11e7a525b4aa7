//! `solve.` and `solve(Options)` at the prompt: what `zug solve` does, with the rules that are loaded.

use super::{DialogueError, Repl};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use zug_domain::Contract;
use zug_options::{Row, Table, Within};
use zug_prolog::session::{Query, Session};
use zug_render::found;
use zug_search::Limits;
use zug_search::options::{DEPTH, TIME};
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_usecases::Failure;
use zug_usecases::options::in_list;
use zug_usecases::solve::options::{ENGINE, HEURISTIC, INSTANCES, STATE};
use zug_usecases::solve::{Found, Given, SolveRequest, misfit, solve};

/// The options of solve/1 at the prompt.
pub(super) static OPTIONS: Table<SolveRequest, Cell> = Table(&[
    &Within(&ENGINE, |asked: &mut SolveRequest| asked),
    &Within(&HEURISTIC, |asked: &mut SolveRequest| asked),
    &Within(&INSTANCE, |asked: &mut SolveRequest| asked),
    &Within(&STATE, |asked: &mut SolveRequest| asked),
    &Within(&BOUNDS, |asked: &mut SolveRequest| &mut asked.limits),
]);

static INSTANCE: [Row<SolveRequest>; 1] = [INSTANCES[0]];
static BOUNDS: [Row<Limits>; 2] = [DEPTH, TIME];

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
        if let Some(words) = misfit(&Given { request: &asked, db: false }, contract.kind()) {
            return Err(Failure::Players(in_list(&words, &OPTIONS)));
        }
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
