//! `solve.` and `solve(Options)` at the prompt: what `zug solve` does, with the rules that are loaded.

use super::query::TypedQuery;
use super::{Flow, Repl};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use zug_domain::model::{Labelling, SolutionsWanted};
use zug_domain::{Contract, DomainKind};
use zug_options::{Row, Table, Within};
use zug_prolog::session::Query;
use zug_prolog::user_predicate;
use zug_render::style::Theme;
use zug_render::{game, model, nash, solution};
use zug_search::Limits;
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_usecases::Failure;
use zug_usecases::model::{ModelReport, ModelRequest, solve_models};
use zug_usecases::nash::{NashRequest, nash as find_nash};
use zug_usecases::solve::{InstanceReport, SolveRequest, solve_loaded};
use zug_usecases::solve_game::{GameRequest, solve_game};

/// What `solve(Options)` asks for.
#[derive(Default)]
pub(super) struct SolveQuery {
    engine: Option<String>,
    heuristic: Option<String>,
    instance: Option<String>,
    state: Option<String>,
    limits: Limits,
}

static WHAT: [Row<SolveQuery>; 6] = [
    Row::text("engine", "Name", "The engine", |to: &mut SolveQuery, name| {
        to.engine = Some(name.to_owned());
        Ok(())
    }),
    Row::text("heuristic", "Name", "The heuristic", |to: &mut SolveQuery, name| {
        to.heuristic = Some(name.to_owned());
        Ok(())
    }),
    Row::text("instance", "Name", "The instance", |to: &mut SolveQuery, name| {
        to.instance = Some(name.to_owned());
        Ok(())
    }),
    Row::term_text("state", "S", "The state to start from", |to: &mut SolveQuery, state| {
        to.state = Some(state.to_owned());
        Ok(())
    }),
    Row::small("depth", "D", "How many moves ahead", |to: &mut SolveQuery, depth| {
        to.limits.depth = Some(depth);
        Ok(())
    }),
    Row::time("time", "TIME", "The time for the search", |to: &mut SolveQuery, time| {
        to.limits.time = time;
        Ok(())
    }),
];

/// The options of solve/1 at the prompt.
pub(super) static OPTIONS: Table<SolveQuery, Cell> =
    Table(&[&Within(&WHAT, |asked: &mut SolveQuery| asked)]);

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
        let mut asked = SolveQuery::default();
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
    fn solved(&mut self, asked: SolveQuery) -> Result<(String, Vec<Diagnostic>), Failure> {
        let SolveQuery { engine, heuristic, instance, state, mut limits } = asked;
        limits.cancel = Some(self.session.machine.interrupt.clone());
        let contract = Contract::of(&self.session.machine);
        let rules = contract.rule.or(contract.game.as_ref().map(|roles| roles.moves.pred));
        let file = PathBuf::from(self.rules_with(rules.or(contract.model)));
        let theme: Theme = self.theme;
        let mut text = String::new();
        let findings = match contract.kind() {
            DomainKind::Game => {
                let request =
                    GameRequest { file, engine, instance, state, limits, ..GameRequest::default() };
                let report = solve_game(self.session, &request, None)?;
                text = game::run(&report.found, self.session, &theme);
                text.extend(report.remark.iter().map(|remark| format!("note: {remark}\n")));
                report.findings
            }
            DomainKind::Simultaneous => {
                let request =
                    NashRequest { file, instance, state, limits, ..NashRequest::default() };
                text = nash::text(&find_nash(self.session, &request)?, &theme);
                Vec::new()
            }
            DomainKind::Model => {
                let request = ModelRequest {
                    file,
                    instance,
                    every: false,
                    labelling: Labelling::default(),
                    wanted: SolutionsWanted::One,
                    shown: 1,
                    limits,
                    certificate: None,
                };
                let each = |report: &ModelReport, session: &mut _| {
                    text += &model::text(report, session, &[], &theme);
                    true
                };
                solve_models(self.session, &request, None, each)?;
                Vec::new()
            }
            DomainKind::Puzzle | DomainKind::Program => {
                let request = SolveRequest {
                    file,
                    engine,
                    heuristic,
                    instance,
                    state,
                    limits,
                    ..SolveRequest::default()
                };
                let each = |report: &InstanceReport, session: &mut _| {
                    text += &solution::text(report, session, (None, None), &theme);
                    true
                };
                solve_loaded(self.session, &request, None, each)?.findings
            }
        };
        Ok((text, findings))
    }
}
