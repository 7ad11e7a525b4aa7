//! One file of a batch: loaded into a session of its own, its instances solved or its queries
//! run, what came of it put into lines.

use super::BatchRequest;
use super::content;
use super::expect::{self, ActualResult, Selection};
use super::inputs::Input;
use super::item_end::{ItemEnd, text};
use super::limits::{Budget, TimeLimit};
use super::lines::{FileLine, Group, Loaded, ResultLine};
use super::outcome::Outcome;
use super::output::Output;
use crate::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use zug_machine::{Fault, StopReason as MachineStop};
use zug_prolog::builtins::expectations::Expected;
use zug_prolog::session::{LoadError, Session, Template};
use zug_term::diagnostic::Diagnostic;

/// Errors of a load that are written down.
const ERRORS: usize = 20;

/// What is the same for all files.
pub struct Shared<'a> {
    /// What is asked for.
    pub request: &'a BatchRequest,
    /// How every session begins.
    pub template: &'a Template,
    /// Set from outside to end all.
    pub cancel: &'a Arc<AtomicBool>,
    /// When the whole batch must be done.
    pub deadline: Option<Instant>,
}

/// A file being run.
pub(super) struct Job<'a> {
    pub(super) request: &'a BatchRequest,
    pub(super) cancel: &'a Arc<AtomicBool>,
    pub(super) budget: Budget<'a>,
    pub(super) session: Session,
    pub(super) name: String,
    output: Output,
    pub(super) results: Vec<ResultLine>,
    /// What the results are, for expectations.
    pub(super) came: Vec<ActualResult>,
    /// When the instance began that is being solved.
    began: Instant,
    line: FileLine,
}

/// Runs a file; nothing that it does ends more than the file.
pub fn run(shared: &Shared<'_>, input: &Input) -> Group {
    let (request, began) = (shared.request, Instant::now());
    let output = Output::new(request.kept_output);
    let (out, error) = (Box::new(output.clone()), Box::new(output.clone()));
    let mut session = shared.template.session(Box::new(std::io::empty()), out, error);
    session.machine.interrupt = shared.cancel.clone();
    request.specialise.set(&mut session.world);
    let keeps = request.queries || request.expect.is_some();
    session.world.loader.queries = keeps.then(Vec::new);
    if request.sandbox {
        session.sandbox(&input.root);
    }
    let name = input.path.display().to_string();
    let mut job = Job {
        request,
        cancel: shared.cancel,
        budget: Budget::new(request, shared.deadline),
        session,
        line: FileLine::new(&name, Outcome::Program),
        name,
        output,
        results: Vec::new(),
        came: Vec::new(),
        began,
    };
    let mut expected = job.expectations(input);
    if job.line.outcome == Outcome::Program {
        let loaded = job.load(input, expected.is_empty());
        if request.expect.as_ref().is_some_and(expect::Grading::trusts_files) {
            expected.append(&mut job.session.world.expectations);
        }
        if loaded {
            job.run(&expected);
        }
    }
    job.finish(input, expected, began)
}

impl Job<'_> {
    /// What is expected of the file by others than itself.
    fn expectations(&mut self, input: &Input) -> Vec<Expected> {
        let Some(grading) = &self.request.expect else { return Vec::new() };
        let Some(path) = grading.file_for(&input.path) else { return Vec::new() };
        self.line
            .loaded
            .push(Loaded { file: path.display().to_string(), hash: content::hash_file(&path) });
        match expect::read(&mut self.session, &path) {
            Ok(expected) => expected,
            Err(faults) => {
                self.line.outcome = Outcome::Usage;
                self.line.errors = faults;
                Vec::new()
            }
        }
    }

    /// Loads the file; whether its results are to be looked for. `alone`: nobody else expects
    /// anything of it.
    fn load(&mut self, input: &Input, alone: bool) -> bool {
        let allowed = self.budget.allow(&mut self.session, true);
        let mut loaded = self.session.load_file(&input.path);
        // Queries wait for what is expected of them; without that they belong to the load.
        let trusts = self.request.expect.as_ref().is_some_and(expect::Grading::trusts_files);
        if let Ok(findings) = &mut loaded
            && alone
            && !self.request.queries
            && (!trusts || self.session.world.expectations.is_empty())
        {
            match self.session.run_kept_queries() {
                Ok(more) => findings.extend(more),
                Err(LoadError::Stopped(fault, more)) => {
                    let all = findings.drain(..).chain(more).collect();
                    loaded = Err(LoadError::Stopped(fault, all));
                }
                Err(error) => loaded = Err(error),
            }
        }
        let line = &mut self.line;
        let (findings, ended) = match loaded {
            Ok(findings) => (findings, None),
            Err(LoadError::Io(error)) => {
                line.outcome = Outcome::Usage;
                line.errors.push(format!("can't read `{}`: {error}", self.name));
                return false;
            }
            Err(LoadError::Stopped(fault, findings)) => (findings, Some(fault)),
        };
        let errors: Vec<&Diagnostic> =
            findings.iter().filter(|finding| finding.is_error()).collect();
        line.warnings = findings.len() - errors.len();
        line.errors = errors.iter().take(ERRORS).map(|finding| text(finding)).collect();
        if errors.len() > ERRORS {
            line.errors.push(format!("and {} more", errors.len() - ERRORS));
        }
        match ended {
            Some(fault) => {
                let clock = allowed.map(|(_, clock)| clock);
                let ended = self.ended(&fault, clock);
                self.line.outcome = ended.outcome;
                self.line.reason = ended.reason;
                self.line.unfinished = ended.unfinished;
                if ended.counts_are_lost {
                    self.line.warnings = 0;
                    self.line.errors.clear();
                    let _ = self.output();
                } else if ended.outcome < Outcome::Faults && !self.line.errors.is_empty() {
                    // Another run finds the same errors.
                    (self.line.outcome, self.line.reason) = (Outcome::Faults, None);
                }
                self.line.errors.extend(ended.message);
                false
            }
            None if Failure::is_resource(&findings) => {
                // The directive that took it may be anywhere in the file.
                let ended = ItemEnd::resource("memory".to_owned());
                (self.line.outcome, self.line.reason) = (ended.outcome, ended.reason);
                false
            }
            None if !self.line.errors.is_empty() => {
                self.line.outcome = Outcome::Faults;
                false
            }
            None => true,
        }
    }

    /// Begins with an instance or a query: the limit of time that will strike first.
    pub(super) fn begin(&mut self) -> Option<(std::time::Duration, TimeLimit)> {
        if self.results.is_empty() {
            (self.line.output, self.line.output_truncated) = self.output();
        }
        self.began = Instant::now();
        self.budget.allow(&mut self.session, false)
    }

    /// Begins with the unit tests, which have limits of their own within those of the file.
    pub(super) fn begin_tests(&mut self) -> Option<TimeLimit> {
        self.begin();
        self.budget.allow_tests(&mut self.session)
    }

    /// Runs what is asked for: instances, or queries and tests; of a graded file what the
    /// expectations are about.
    fn run(&mut self, expected: &[Expected]) {
        let asked = self.request.queries;
        let mut wanted = Selection { instances: !asked, queries: asked, tests: asked };
        if !expected.is_empty() {
            wanted = expect::wanted(&self.session, expected, asked);
        }
        if wanted.instances {
            self.solve();
        }
        if wanted.queries && !self.is_over() {
            self.queries();
        }
        if wanted.tests && !self.is_over() {
            self.tests();
        }
        if expected.is_empty() && !asked {
            let tests = self.session.world.tests.units.iter().map(|unit| unit.tests.len());
            self.line.not_asked = self.session.world.loader.asked + tests.sum::<usize>();
        }
    }

    /// Whether something ended the file, not only an instance or a query of it.
    fn is_over(&self) -> bool {
        let last = self.results.last().map(|result| result.outcome);
        self.line.unfinished || matches!(last, Some(Outcome::Halted | Outcome::Interrupted))
    }

    /// What the rules wrote since the last call.
    fn output(&mut self) -> (String, bool) {
        let _ = self.session.world.streams.end_query();
        self.output.take()
    }

    /// Adds a result; whether to go on with the file.
    pub(super) fn add(&mut self, mut line: ResultLine, came: ActualResult, ended: ItemEnd) -> bool {
        let (output, truncated) = self.output();
        line.outcome = ended.outcome;
        line.reason = ended.reason;
        line.message = ended.message;
        (line.output, line.output_truncated) = (output, truncated);
        if ended.counts_are_lost {
            line.forget_counts();
        }
        if self.request.times {
            line.elapsed_seconds = Some(self.began.elapsed().as_secs_f64());
        }
        self.line.unfinished |= ended.unfinished;
        self.results.push(line);
        self.came.push(came);
        let over = matches!(ended.outcome, Outcome::Halted | Outcome::Interrupted);
        !over && !self.line.unfinished
    }

    /// A fault that nothing caught, as the end of something; `clock` is the limit of time that
    /// would have struck first.
    pub(super) fn ended(&self, fault: &Fault, clock: Option<TimeLimit>) -> ItemEnd {
        match fault {
            Fault::Halt(status) => ItemEnd {
                message: Some(format!("halt({status})")),
                ..ItemEnd::new(Outcome::Halted)
            },
            Fault::Stopped(MachineStop::Interrupted) => ItemEnd::interrupted(),
            Fault::Stopped(MachineStop::Time) => ItemEnd::clock(clock),
            Fault::Stopped(MachineStop::Inferences) => {
                ItemEnd { reason: Some("inferences".to_owned()), ..ItemEnd::new(Outcome::Stopped) }
            }
            Fault::Stopped(MachineStop::Output) => {
                ItemEnd { reason: Some("output".to_owned()), ..ItemEnd::new(Outcome::Stopped) }
            }
            Fault::Ball(_) if fault.is_limit() => {
                let symbols = &self.session.machine.symbols;
                let name = fault.resource().map_or("resource", |name| symbols.name(name));
                ItemEnd::resource(name.to_owned())
            }
            Fault::Ball(_) => {
                let words = self.session.describe(fault);
                let mut message = words.message;
                if let Some(predicate) = words.predicate.filter(|name| !message.ends_with(&**name))
                {
                    message += &format!(", in {predicate}");
                }
                ItemEnd { message: Some(message), ..ItemEnd::new(Outcome::Error) }
            }
        }
    }

    /// How a search ended that a limit stopped.
    pub(super) fn stopped(
        &self,
        reason: zug_search::StopReason,
        clock: Option<TimeLimit>,
    ) -> ItemEnd {
        match reason {
            zug_search::StopReason::Cancelled => ItemEnd::interrupted(),
            zug_search::StopReason::Time => ItemEnd::clock(clock),
            zug_search::StopReason::Memory => ItemEnd::resource("memory".to_owned()),
            other => ItemEnd { reason: Some(other.to_string()), ..ItemEnd::new(Outcome::Stopped) },
        }
    }

    /// How a use case ended that came to no report.
    pub(super) fn failed(&self, failure: &Failure, clock: Option<TimeLimit>) -> ItemEnd {
        let message = match failure {
            Failure::Stopped(fault, _) => return self.ended(fault, clock),
            Failure::Limit(raised) => {
                return ItemEnd::resource(raised.resource.clone().unwrap_or_default());
            }
            Failure::Rule(raised) => {
                let message = Some(text(&raised.finding));
                let outcome = if raised.lacking { Outcome::Faults } else { Outcome::Error };
                return ItemEnd { message, ..ItemEnd::new(outcome) };
            }
            Failure::NoSuchHeuristic(name, known) if known.is_empty() => {
                format!("there is no heuristic `{name}`; the file has none")
            }
            Failure::NoSuchHeuristic(name, known) => {
                format!("there is no heuristic `{name}`; the file has {}", known.join(", "))
            }
            Failure::NoSuchInstance(..) => "the file has no initial state".to_owned(),
            other => format!("can't be solved: {other:?}"),
        };
        ItemEnd { message: Some(message), ..ItemEnd::new(Outcome::Usage) }
    }

    /// Notes what ended the tests of the file before the last of them.
    pub(super) fn end_tests(&mut self, fault: &Fault, clock: Option<TimeLimit>, left: usize) {
        let ended = self.ended(fault, clock);
        self.line.outcome = ended.outcome;
        self.line.reason = ended.reason;
        self.line.unfinished |= ended.unfinished;
        self.line.errors.extend(ended.message);
        if !ended.counts_are_lost && left > 0 {
            self.line.errors.push(format!("tests that were not run: {left}"));
        }
    }

    /// Whether somebody asked for an end.
    pub(super) fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn finish(mut self, input: &Input, expected: Vec<Expected>, began: Instant) -> Group {
        if self.results.is_empty() {
            let (output, truncated) = self.output();
            self.line.output += &output;
            self.line.output_truncated |= truncated;
        }
        if let Some(gravest) = self.results.iter().map(|result| result.outcome).max()
            && gravest > self.line.outcome
        {
            let first = self.results.iter().find(|result| result.outcome == gravest);
            self.line.outcome = gravest;
            self.line.reason = first.and_then(|result| result.reason.clone());
        }
        self.contents(input);
        if self.request.expect.is_some() {
            self.grade(&expected);
        }
        let mut line = self.line;
        line.exit = i32::from(line.outcome.exit().code());
        line.results = self.results.len();
        if self.request.times {
            line.elapsed_seconds = Some(began.elapsed().as_secs_f64());
        }
        Group { results: self.results, file: line }
    }

    /// Writes down what was in the files that were read.
    fn contents(&mut self, input: &Input) {
        let own = input.path.to_string_lossy();
        for source in &self.session.world.loader.sources {
            let hash = content::hash(&source.text);
            if *source.name == *own {
                self.line.hash = hash;
                continue;
            }
            let known = self.line.loaded.iter().any(|loaded| *loaded.file == *source.name);
            // What was typed or made by rules has a name too, but no file.
            if !known && std::path::Path::new(&*source.name).is_file() {
                self.line.loaded.push(Loaded { file: source.name.to_string(), hash });
            }
        }
        // Where one of them appears, the file is run again.
        let mut absent = std::mem::take(&mut self.session.world.loader.absent);
        absent.sort();
        absent.dedup();
        absent.retain(|path| !path.exists());
        let nothing = |path: &std::path::PathBuf| Loaded {
            file: path.display().to_string(),
            hash: String::new(),
        };
        self.line.loaded.extend(absent.iter().map(nothing));
        if self.line.hash.is_empty() {
            self.line.hash = content::hash_file(&input.path);
        }
    }

    /// Holds expectations against what came.
    fn grade(&mut self, expected: &[Expected]) {
        let ungraded = [Outcome::Interrupted, Outcome::Bug];
        if expected.is_empty() || self.line.unfinished || ungraded.contains(&self.line.outcome) {
            return;
        }
        let whole = ActualResult::file(&self.line);
        let judged = expect::judge(&mut self.session, expected, &self.came, &whole);
        let worth = |passed_only: bool| {
            let counted = judged.iter().filter(|(judged, _)| judged.passed || !passed_only);
            super::lines::points(counted.map(|(_, points)| points).sum())
        };
        self.line.points = Some(worth(true));
        self.line.points_of = Some(worth(false));
        self.line.expected = judged.into_iter().map(|(judged, _)| judged).collect();
        let passed = self.line.expected.iter().all(|judged| judged.passed);
        self.line.outcome = if passed { Outcome::Passed } else { Outcome::Failed };
        self.line.reason = None;
    }
}
