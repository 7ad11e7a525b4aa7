//! What is asked of a file: its instances solved by the engine for its kind, or its queries run.

use super::expect::ActualResult;
use super::file::Job;
use super::item_end::{ItemEnd, text};
use super::limits::TimeLimit;
use super::lines::ResultLine;
use super::outcome::Outcome;
use crate::exit::{CommandResult as _, Exit};
use crate::given::{all_starts, mover};
use crate::record::{Bindings, TermData, stop_of};
use crate::solve::{
    Found, SolveRequest, Wanted, blind, choose_engine, choose_game_engine, solve_start,
};
use crate::unit::{TestOutcome, TestRequest, run_tests_loaded};
use crate::{Failure, Named};
use serde::Serialize;
use zug_domain::{Contract, DomainKind};
use zug_machine::Fault;
use zug_matrix::options::EquilibriumOptions;
use zug_prolog::term_text;
use zug_report::Number;
use zug_search::game::{GameEngine, Sampling};
use zug_search::{Engine, Limits};
use zug_term::Record;

/// A number as JSON.
fn json(value: &impl Serialize) -> Option<serde_json::Value> {
    serde_json::to_value(value).ok()
}

/// A text as JSON: a number, if it is a whole one.
fn number(text: &str) -> Option<serde_json::Value> {
    let whole = text.parse().ok().and_then(|value| json(&Number::Int(value)));
    whole.or_else(|| json(&text))
}

impl Job<'_> {
    /// Solves all instances of the file.
    pub(super) fn solve(&mut self) {
        let contract = Contract::of(&self.session.machine);
        let kind = contract.kind();
        if kind == DomainKind::Program {
            return;
        }
        let clock = self.begin().map(|(_, clock)| clock);
        let starts = match all_starts(&mut self.session, &contract, None, None) {
            Ok(starts) => starts,
            Err(failure) => {
                let ended = self.failed(&failure, clock);
                let line = ResultLine::new(&self.name, 1, ended.outcome);
                self.add(line, ActualResult::default(), ended);
                return;
            }
        };
        for (at, named) in starts.into_iter().enumerate() {
            let clock = match named {
                Some(_) => self.begin().map(|(_, clock)| clock),
                None => clock,
            };
            let mut line = ResultLine::new(&self.name, at + 1, Outcome::Solved);
            line.instance = named.as_ref().map(|named| named.name.clone());
            let mut came = ActualResult::of(line.instance.clone());
            if self.cancelled() {
                self.add(line, ActualResult::default(), ItemEnd::interrupted());
                return;
            }
            let ended = match self.budget.over() {
                Some(clock) => ItemEnd::clock(Some(clock)),
                None => match self.solve_one(kind, named.as_ref(), &mut line) {
                    Ok(found) => self.fill(&mut line, &found, clock),
                    Err(failure) => {
                        if let Failure::Rule(raised) = &failure {
                            came.ball.clone_from(&raised.ball);
                        }
                        self.failed(&failure, clock)
                    }
                },
            };
            came.take(&line);
            if !self.add(line, came.ended(&ended), ended) {
                return;
            }
        }
    }

    fn limits(&self) -> Limits {
        let machine = &self.session.machine;
        let left =
            machine.deadline.map(|end| end.saturating_duration_since(std::time::Instant::now()));
        Limits {
            time: left,
            memory: Some(self.request.memory),
            cancel: Some(self.cancel.clone()),
            ..self.request.solve.limits.clone()
        }
    }

    /// Solves from one start by the engine for its kind, which is noted first.
    fn solve_one(
        &mut self,
        kind: DomainKind,
        named: Option<&Named>,
        line: &mut ResultLine,
    ) -> Result<Found, Failure> {
        let mut request = SolveRequest {
            file: self.name.clone().into(),
            limits: self.limits(),
            ..self.request.solve.clone()
        };
        let engine = |is_known: fn(&str) -> bool| {
            self.request.engines.iter().find(|name| is_known(name)).cloned()
        };
        let session = &mut self.session;
        match (kind, named) {
            (DomainKind::Puzzle, _) => {
                request.engine = engine(|name| Engine::by_name(name).is_some());
                let contract = Contract::of(&session.machine);
                let (engine, heuristic) = blind(choose_engine(session, &contract, &request)?);
                let symbols = &session.machine.symbols;
                line.engine = Some(engine.info().name.to_owned());
                line.heuristic = heuristic.map(|heuristic| heuristic.name(symbols));
            }
            (DomainKind::Game, Some(named)) => {
                // The value whatever time it takes: what a search by the clock comes to is another each
                // time.
                let exact = || request.limits.depth.is_none().then(|| "solve_game".to_owned());
                request.engine = engine(|name| GameEngine::by_name(name).is_some()).or_else(exact);
                let player = mover(session, None, false)?;
                let state = &named.instance.state;
                let engine = choose_game_engine(session, &request, player.as_ref(), state)?;
                let name = engine.info().name.to_owned();
                (line.engine, request.engine) = (Some(name.clone()), Some(name));
                let by_plays = matches!(engine, GameEngine::Mcts | GameEngine::Playouts);
                if by_plays && request.limits.nodes.is_none() {
                    // High enough that only the time limit strikes.
                    request.sampling.playouts.get_or_insert(Sampling::PLAYOUTS);
                }
            }
            (DomainKind::Simultaneous, _) => {
                line.engine = Some("nash".to_owned());
                request.wanted = Wanted::Equilibria(EquilibriumOptions::default(), None);
            }
            _ => {}
        }
        solve_start(session, &request, named, None)
    }

    /// Puts a result into a line; how it ended.
    fn fill(&self, line: &mut ResultLine, found: &Found, clock: Option<TimeLimit>) -> ItemEnd {
        let (m, w) = (&self.session.machine, &self.session.world);
        match found {
            Found::Plan(report) => {
                let found = report.found.map(|term| TermData::of(m, w, term));
                // Estimates may have been derived in the meantime.
                line.engine = Some(found.engine.to_owned());
                line.heuristic.clone_from(&found.heuristic);
                let claims = found.ending.claims();
                let is_solved = found.outcome() == zug_search::Outcome::Solved;
                line.optimal = is_solved.then_some(claims.optimal);
                line.optimal_by = claims.optimal_by;
                line.optimal_if = claims.optimal_if;
                line.exhausted_if = claims.exhausted_if;
                line.cheapest = claims.cheapest.as_ref().and_then(json);
                line.cost = found.cost.as_ref().and_then(json);
                line.moves = found.path.as_ref().map(Vec::len);
                line.path = found.path;
                line.expanded = Some(found.stats.expanded);
                line.generated = Some(found.stats.generated);
            }
            Found::Value(report) => {
                let found = report.found.map(|term| TermData::of(m, w, term));
                line.player = Some(found.player);
                line.value = found.value.as_ref().and_then(json);
                line.exact = Some(found.certainty.exact());
                line.exact_if = found.certainty.condition();
                line.mv = found.best;
                line.moves = found.distance.map(|moves| moves as usize);
                line.line = Some(found.line);
                line.nodes = Some(found.stats.nodes);
            }
            Found::Model(report) => {
                let found = &report.found;
                line.nodes = Some(found.stats.nodes);
                if found.objective.is_some() {
                    line.optimal = Some(found.optimal);
                    line.optimal_by = found.optimal_by.map(str::to_owned);
                    line.optimal_if.clone_from(&found.optimal_if);
                    let value = found.value.as_ref();
                    line.value = value.and_then(|value| number(&term_text(m, w, value)));
                }
                line.exhausted_if.clone_from(&found.exhausted_if);
            }
            Found::Equilibria(report) => {
                line.equilibria = json(&report.equilibria);
                line.exact_if.clone_from(&report.exact_if);
                let first = report.equilibria.first().and_then(|found| found.payoffs.first());
                line.value = first.filter(|_| report.zero_sum).and_then(|value| number(value));
            }
            Found::Plans(_) | Found::Tries(_) => {}
        }
        match (found.limit(), found.exit()) {
            (Some(reason), _) => self.stopped(reason, clock),
            (None, Exit::Success) => ItemEnd::new(Outcome::Solved),
            (None, _) => ItemEnd::new(Outcome::Exhausted),
        }
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
