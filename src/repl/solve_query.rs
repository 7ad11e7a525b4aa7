//! `solve.` and `solve(Options)` at the prompt: what `zug solve` does, with the rules that are loaded.

use super::query::TypedQuery;
use super::{Flow, Repl};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use zug_domain::Contract;
use zug_options::{Row, Table, Within};
use zug_prolog::session::{Query, Session};
use zug_prolog::user_predicate;
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
    /// Whether a query is `solve` or `solve(Options)`, and not a predicate of the program.
    pub(super) fn is_solve(&self, typed: &TypedQuery) -> bool {
        let machine = &self.session.machine;
        typed.name.is_some_and(|(name, arity)| {
            arity <= 1
                && machine.symbols.name(name) == "solve"
                && user_predicate(machine, "solve", arity).is_none()
        })
    }

    /// Solves what the rules that are loaded pose.
    pub(super) fn solve_query(&mut self, query: Query) -> io::Result<Flow> {
        let mut asked = SolveRequest::default();
        let taken = self.options(&query, ("solve/1", &OPTIONS), &mut asked);
        self.session.close(query);
        let solved = match taken {
            Ok(()) => self.solved(asked),
            Err(words) => Err(Failure::Players(words)),
        };
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        match solved {
            Ok((text, findings)) => {
                self.say(&text)?;
                findings.iter().try_for_each(|finding| self.complain(finding))?;
            }
            Err(failure) => {
                self.tally.errors += 1;
                self.play_failure(&failure)?;
            }
        }
        self.session.world.streams.end_query()?;
        Ok(Flow::Continue)
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
