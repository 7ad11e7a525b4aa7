//! What is asked of a file: its instances solved by the engine for its kind, or its queries run.

use super::expect::ActualResult;
use super::file::{ItemEnd, Job, text};
use super::limits::TimeLimit;
use super::lines::ResultLine;
use super::outcome::Outcome;
use crate::exit::{CommandResult as _, Exit};
use crate::model::{ModelRequest, solve_one};
use crate::nash::{NashRequest, nash_of};
use crate::record::{Bindings, TermData, stop_of};
use crate::solve::{SolveRequest, blind, choose_engine, solve_instance};
use crate::solve_game::{self, GameRequest};
use crate::unit::{TestOutcome, TestRequest, run_tests_loaded};
use crate::{Failure, Named, choose_instances};
use serde::Serialize;
use zug_domain::game::{GameTask, find_game, initial_player};
use zug_domain::{Contract, DomainKind, RuleError};
use zug_machine::Fault;
use zug_prolog::term_text;
use zug_report::{GameOutcome, Number};
use zug_search::game::{GameEngine, Sampling};
use zug_search::{Engine, Limits};
use zug_term::Record;

/// A number as JSON.
fn json(value: &impl Serialize) -> Option<serde_json::Value> {
    serde_json::to_value(value).ok()
}

impl Job<'_> {
    /// Solves all instances of the file.
    pub(super) fn solve(&mut self) {
        let contract = Contract::of(&self.session.machine);
        let kind = contract.kind();
        if kind == DomainKind::Program {
            return;
        }
        let starts = contract.initial.is_some() || contract.named_initial.is_some();
        if kind == DomainKind::Simultaneous && !starts {
            let clock = self.begin().map(|(_, clock)| clock);
            self.at_once(None, None, clock);
            return;
        }
        let clock = self.begin().map(|(_, clock)| clock);
        let instances = match choose_instances(&mut self.session, &contract, None) {
            Ok(instances) => instances,
            Err(failure) => {
                let ended = self.failed(&failure, clock);
                let line = ResultLine::new(&self.name, 1, ended.outcome);
                self.add(line, ActualResult::default(), ended);
                return;
            }
        };
        for (at, named) in instances.into_iter().enumerate() {
            let allowed = self.begin();
            let clock = allowed.map(|(_, clock)| clock);
            let mut line = ResultLine::new(&self.name, at + 1, Outcome::Solved);
            line.instance = Some(named.name.clone());
            if self.cancelled() {
                self.add(line, ActualResult::default(), ItemEnd::interrupted());
                return;
            }
            let go_on = match self.budget.over() {
                Some(clock) => {
                    let came = ActualResult::of(Some(named.name));
                    self.add(line, came, ItemEnd::clock(Some(clock)))
                }
                None => match kind {
                    DomainKind::Puzzle => self.puzzle(&contract, named, line, clock),
                    DomainKind::Game => self.game(named, line, clock),
                    DomainKind::Model => self.model(&contract, named, line, clock),
                    _ => self.at_once(Some(named), Some(line), clock),
                },
            };
            if !go_on {
                return;
            }
        }
    }

    fn limits(&self) -> Limits {
        let machine = &self.session.machine;
        let left =
            machine.deadline.map(|end| end.saturating_duration_since(std::time::Instant::now()));
        Limits {
            nodes: self.request.nodes,
            depth: self.request.depth,
            time: left,
            memory: Some(self.request.memory),
            cancel: Some(self.cancel.clone()),
            threads: None,
        }
    }

    fn puzzle(
        &mut self,
        contract: &Contract,
        named: Named,
        mut line: ResultLine,
        clock: Option<TimeLimit>,
    ) -> bool {
        let engine = self.request.engines.iter().find(|name| Engine::by_name(name).is_some());
        let request = SolveRequest {
            file: self.name.clone().into(),
            engine: engine.cloned(),
            heuristic: self.request.heuristic.clone(),
            options: self.request.options.clone(),
            effort: self.request.effort,
            limits: self.limits(),
            ..SolveRequest::default()
        };
        let mut came = ActualResult::of(Some(named.name.clone()));
        let with = match choose_engine(&self.session, contract, &request) {
            Ok(with) => with,
            Err(failure) => {
                let ended = self.failed(&failure, clock);
                return self.add(line, came.ended(&ended), ended);
            }
        };
        let symbols = &self.session.machine.symbols;
        let (engine, heuristic) = blind(with);
        line.engine = Some(engine.info().name.to_owned());
        line.heuristic = heuristic.map(|heuristic| heuristic.name(symbols));
        let found = solve_instance(&mut self.session, &request, contract, with, named, None);
        let report = match found {
            Ok(report) => report,
            Err(error) => return self.rule_error(line, came, &error, clock),
        };
        let (m, w) = (&self.session.machine, &self.session.world);
        let found = report.found.map(|term| TermData::of(m, w, term));
        // Estimates may have been derived in the meantime.
        line.engine = Some(found.engine.to_owned());
        line.heuristic.clone_from(&found.heuristic);
        let claims = found.ending.claims();
        let ended = match found.outcome() {
            zug_search::Outcome::Solved => {
                line.optimal = Some(claims.optimal);
                ItemEnd::new(Outcome::Solved)
            }
            zug_search::Outcome::Exhausted => ItemEnd::new(Outcome::Exhausted),
            zug_search::Outcome::Stopped(reason) => self.stopped(reason, clock),
        };
        line.optimal_by = claims.optimal_by;
        line.optimal_if = claims.optimal_if;
        line.exhausted_if = claims.exhausted_if;
        line.cheapest = claims.cheapest.as_ref().and_then(json);
        line.cost = found.cost.as_ref().and_then(json);
        line.moves = found.path.as_ref().map(Vec::len);
        line.path = found.path;
        line.expanded = Some(found.stats.expanded);
        line.generated = Some(found.stats.generated);
        came.take(&line);
        self.add(line, came.ended(&ended), ended)
    }

    fn game(&mut self, named: Named, mut line: ResultLine, clock: Option<TimeLimit>) -> bool {
        let engine = self.request.engines.iter().find(|name| GameEngine::by_name(name).is_some());
        // The value whatever time it takes: what a search by the clock comes to is another each
        // time.
        let exact = || self.request.depth.is_none().then(|| "solve_game".to_owned());
        let mut limits = self.limits();
        let request = GameRequest {
            file: self.name.clone().into(),
            engine: engine.cloned().or_else(exact),
            // The machine has the deadline.
            limits: Limits { time: None, ..limits.clone() },
            sampling: self.request.sampling.clone(),
            symmetry: self.request.options.symmetry,
            ..GameRequest::default()
        };
        let came = ActualResult::of(Some(named.name.clone()));
        match self.play(&request, named, &mut limits, &mut line, clock) {
            Ok(ended) => {
                let mut came = came;
                came.take(&line);
                self.add(line, came.ended(&ended), ended)
            }
            Err(SolveError::Failure(failure)) => {
                let ended = self.failed(&failure, clock);
                self.add(line, came.ended(&ended), ended)
            }
            Err(SolveError::Rule(error)) => self.rule_error(line, came, &error, clock),
        }
    }

    /// The value of a state.
    fn play(
        &mut self,
        request: &GameRequest,
        named: Named,
        limits: &mut Limits,
        line: &mut ResultLine,
        clock: Option<TimeLimit>,
    ) -> Result<ItemEnd, SolveError> {
        let session = &mut self.session;
        let state = named.instance.state;
        let player = initial_player(&mut session.machine, &mut session.world)?;
        let engine = solve_game::choose_engine(session, request, player.as_ref(), &state);
        let engine = engine.map_err(SolveError::Failure)?;
        line.engine = Some(engine.info().name.to_owned());
        let mut sampling = request.sampling.clone();
        if matches!(engine, GameEngine::Mcts | GameEngine::Playouts) && limits.nodes.is_none() {
            // So many that the clock decides only when it strikes.
            sampling.playouts = sampling.playouts.or(Some(Sampling::PLAYOUTS));
        }
        let (depth, symmetry, limits) = (limits.depth, request.symmetry, limits.clone());
        let task = GameTask { depth, sampling, symmetry, limits, ..GameTask::for_people(engine) };
        let (m, w) = (&mut session.machine, &mut session.world);
        let found = find_game(m, w, &task, player.as_ref(), &state, None)?;
        let found = found.map(|term| TermData::of(m, w, term));
        line.player = Some(found.player);
        line.value = found.value.as_ref().and_then(json);
        line.exact = Some(found.certainty.exact());
        line.exact_if = found.certainty.condition();
        line.mv = found.best;
        line.moves = found.distance.map(|moves| moves as usize);
        line.line = Some(found.line);
        line.nodes = Some(found.stats.nodes);
        Ok(match found.outcome {
            GameOutcome::Solved => ItemEnd::new(Outcome::Solved),
            GameOutcome::Stopped(reason) => self.stopped(reason, clock),
        })
    }

    /// Equilibria of a game in which all choose at once.
    fn at_once(
        &mut self,
        named: Option<Named>,
        line: Option<ResultLine>,
        clock: Option<TimeLimit>,
    ) -> bool {
        let mut line = line.unwrap_or_else(|| ResultLine::new(&self.name, 1, Outcome::Solved));
        line.engine = Some("nash".to_owned());
        let limits = self.limits();
        let request =
            NashRequest { file: self.name.clone().into(), limits, ..NashRequest::default() };
        let (state, name) = match named {
            Some(named) => (Some(named.instance.state), Some(named.name)),
            None => (None, None),
        };
        let mut came = ActualResult::of(name.clone());
        let found = nash_of(&mut self.session, &request, state, name);
        let ended = match found {
            Ok(report) => {
                line.equilibria = json(&report.equilibria);
                line.exact_if.clone_from(&report.exact_if);
                let first = report.equilibria.first().and_then(|found| found.payoffs.first());
                let value = first.filter(|_| report.zero_sum);
                line.value = value.and_then(|value| {
                    let whole = value.parse().ok().and_then(|value| json(&Number::Int(value)));
                    whole.or_else(|| json(value))
                });
                match report.stopped {
                    Some(reason) => self.stopped(reason, clock),
                    None if report.exit() == Exit::Success => ItemEnd::new(Outcome::Solved),
                    None => ItemEnd::new(Outcome::Exhausted),
                }
            }
            Err(failure) => self.failed(&failure, clock),
        };
        came.take(&line);
        self.add(line, came.ended(&ended), ended)
    }

    /// Solves a model: one solution, or a best one.
    fn model(
        &mut self,
        contract: &Contract,
        named: Named,
        mut line: ResultLine,
        clock: Option<TimeLimit>,
    ) -> bool {
        let request = ModelRequest {
            file: self.name.clone().into(),
            shown: 1,
            limits: self.limits(),
            ..ModelRequest::default()
        };
        let mut came = ActualResult::of(Some(named.name.clone()));
        let found = solve_one(&mut self.session, &request, contract, &named, None);
        let ended = match found {
            Ok(report) => {
                let (m, w) = (&self.session.machine, &self.session.world);
                let found = &report.found;
                line.nodes = Some(found.stats.nodes);
                if found.objective.is_some() {
                    line.optimal = Some(found.optimal);
                    line.optimal_by = found.optimal_by.map(str::to_owned);
                    line.optimal_if.clone_from(&found.optimal_if);
                    let value = found.value.as_ref().map(|value| term_text(m, w, value));
                    line.value = value.and_then(|text| match text.parse() {
                        Ok(value) => json(&Number::Int(value)),
                        Err(_) => json(&text),
                    });
                }
                line.exhausted_if.clone_from(&found.exhausted_if);
                match found.outcome {
                    zug_search::Outcome::Solved => ItemEnd::new(Outcome::Solved),
                    zug_search::Outcome::Exhausted => ItemEnd::new(Outcome::Exhausted),
                    zug_search::Outcome::Stopped(reason) => self.stopped(reason, clock),
                }
            }
            Err(failure) => self.failed(&failure, clock),
        };
        came.take(&line);
        self.add(line, came.ended(&ended), ended)
    }

    fn rule_error(
        &mut self,
        line: ResultLine,
        mut came: ActualResult,
        error: &RuleError,
        clock: Option<TimeLimit>,
    ) -> bool {
        let ended = match error.fault() {
            Some(fault @ Fault::Ball(ball)) if !fault.is_limit() => {
                came.ball = Some(Record::clone(ball));
                self.failed(&Failure::rule(&self.session, error), clock)
            }
            Some(fault) => self.ended(fault, clock),
            None => self.failed(&Failure::rule(&self.session, error), clock),
        };
        self.add(line, came.ended(&ended), ended)
    }

    /// Runs all queries of the file.
    pub(super) fn queries(&mut self) {
        let queries = self.session.world.loader.queries.take().unwrap_or_default();
        for kept in queries {
            let clock = self.begin().map(|(_, clock)| clock);
            let text = kept.source.text.get(kept.span.start as usize..kept.span.end as usize);
            let text = text.unwrap_or_default().trim().trim_start_matches("?-").trim();
            let mut line = ResultLine::new(&self.name, self.results.len() + 1, Outcome::True);
            line.query = Some(text.to_owned());
            let mut came = ActualResult::of_query(kept.record.clone());
            let over = self.budget.over();
            let ended = if self.cancelled() {
                ItemEnd::interrupted()
            } else if over.is_some() {
                ItemEnd::clock(over)
            } else {
                self.answers(&kept, &mut line, &mut came, clock)
            };
            if !self.add(line, came.ended(&ended), ended) {
                return;
            }
        }
    }

    /// Runs the unit tests of the file.
    pub(super) fn tests(&mut self) {
        if self.session.world.tests.units.is_empty() {
            return;
        }
        let clock = self.begin_tests();
        let request = TestRequest {
            time: self.request.time,
            inferences: self.request.inferences,
            bytes: Some(self.request.output),
            ..TestRequest::default()
        };
        // All tests are asked for, so none is missing.
        let Ok(report) = run_tests_loaded(&mut self.session, &request) else { return };
        for run in &report.runs {
            let mut line = ResultLine::new(&self.name, self.results.len() + 1, Outcome::Passed);
            let name = format!("{}:{}", run.unit, run.name);
            let name = match &run.instance {
                Some(instance) => format!("{name}, {instance}"),
                None => name,
            };
            line.test = Some(name.clone());
            let stopped = |reason: &str| ItemEnd {
                reason: Some(reason.to_owned()),
                counts_are_lost: true,
                ..ItemEnd::new(Outcome::Stopped)
            };
            let mut ended = match run.outcome {
                TestOutcome::Passed => ItemEnd::new(Outcome::Passed),
                TestOutcome::Failed | TestOutcome::Error => ItemEnd::new(Outcome::Failed),
                TestOutcome::Blocked | TestOutcome::Fixme | TestOutcome::Skipped => {
                    let reason = run.reason.clone();
                    ItemEnd { reason, ..ItemEnd::new(Outcome::Skipped) }
                }
                TestOutcome::Timeout => stopped("time"),
                TestOutcome::Limit => stopped(run.reason.as_deref().unwrap_or("memory")),
            };
            if ended.outcome == Outcome::Failed {
                ended.message = run.findings.first().map(text);
            }
            self.add(line, ActualResult::of_test(name).ended(&ended), ended);
        }
        if let Some(fault) = &report.ended {
            self.end_tests(fault, clock, report.not_run);
        }
    }

    /// The answers of a query, as many as are wanted.
    fn answers(
        &mut self,
        kept: &zug_prolog::builtins::loads::FileQuery,
        line: &mut ResultLine,
        came: &mut ActualResult,
        clock: Option<TimeLimit>,
    ) -> ItemEnd {
        let mut query = self.session.kept_query(kept);
        let mut answers = Vec::new();
        // What is kept of answers has the size of what is kept of output.
        let mut room = self.request.kept_output;
        // Who grades needs all of them.
        let grading = self.request.expect.is_some();
        let (mut held, mut count) = (0, 0);
        let ended = loop {
            match self.session.next(&mut query) {
                Ok(true) => {}
                Ok(false) if count == 0 => break ItemEnd::new(Outcome::False),
                Ok(false) => break ItemEnd::new(Outcome::True),
                Err(fault) => {
                    if let Fault::Ball(ball) = &fault {
                        came.ball = Some(Record::clone(ball));
                    }
                    break self.ended(&fault, clock);
                }
            }
            // What is judged need not be shown.
            if room > 0 || count == 0 {
                let answer = match Bindings::of(&self.session, &query, room) {
                    Ok(answer) => answer,
                    Err(reason) => match stop_of(reason) {
                        Some(reason) => break self.ended(&Fault::Stopped(reason), clock),
                        None => break ItemEnd::resource("memory".to_owned()),
                    },
                };
                room = room.saturating_sub(answer.bytes());
                answers.push(answer);
            } else {
                line.more = Some(true);
            }
            count += 1;
            if grading {
                let cells: Vec<_> = self.session.bindings(&query).map(|(_, cell)| cell).collect();
                let heap = &mut self.session.machine.heap;
                let list = heap.list_from(&cells, zug_term::Cell::NIL);
                let answer = Record::new(heap, list);
                held += answer.bytes();
                came.answers.push(answer);
                if held > self.request.memory {
                    break ItemEnd::resource("memory".to_owned());
                }
            }
            let more = self.session.has_more(&query);
            let full = room == 0 && !grading;
            if !more || full || count >= self.request.answers {
                line.more = (more || line.more.is_some()).then_some(true);
                // A choice point that is left may have no answer.
                came.more = grading && more && !matches!(self.session.next(&mut query), Ok(false));
                break ItemEnd::new(Outcome::True);
            }
        };
        self.session.close(query);
        line.answers = Some(answers);
        ended
    }
}

/// Why a game's value was not found.
enum SolveError {
    Failure(Failure),
    Rule(Box<RuleError>),
}

impl From<Box<RuleError>> for SolveError {
    fn from(error: Box<RuleError>) -> SolveError {
        SolveError::Rule(error)
    }
}

/// An answer's binding list as a person writes it.
pub(super) fn written(job: &zug_prolog::session::Session, record: &Record) -> String {
    term_text(&job.machine, &job.world, record)
}
