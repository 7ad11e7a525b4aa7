//! `zug test`: the unit tests that rule files bring.

use super::progress::ProgressLine;
use super::rule_args::RuleArgs;
use super::{Exit, complain, emit, fail, io, output, print, rules};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use zug_code::Specialise;
use zug_machine::Fault;
use zug_options::units;
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::builtins::unit_tests::{TestEvent, TestRun};
use zug_prolog::session::{Allowance, Session};
use zug_render::number::counted;
use zug_render::style::Theme;
use zug_render::unit as render;
use zug_usecases::Failure;
use zug_usecases::batch::Outcome;
use zug_usecases::record::Progress;
use zug_usecases::unit::record::{FileRecord, TestRecord};
use zug_usecases::unit::{self, FileReport, TestReport, TestRequest, run_tests_loaded};

/// How `zug test` is used.
pub const TESTING: &str = "\
Tests stand in the rule file, in plunit's form:

  :- begin_tests(arithmetic).
  test(add, X =:= 4) :- X is 2 + 2.
  test(zero, error(evaluation_error(_))) :- _ is 1 / 0.
  :- end_tests(arithmetic).

Exit codes: 0 all tests passed, 1 a test failed, 2 no test, 3 the file has errors, 4 a limit
was reached, 5 a unit could not be set up, 130 interrupted.";

/// `zug test`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// The rule files; with `x.plt` or `x_tests.plt` the file `x.pl` beside it is loaded first
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Run the tests of these units only
    #[arg(long = "unit", value_name = "UNIT", value_delimiter = ',', num_args = 1)]
    pub units: Vec<String>,
    /// Run this test only; the option may be given several times
    #[arg(long = "test", value_name = "UNIT:TEST", value_parser = unit_and_test)]
    pub tests: Vec<(String, String)>,
    /// List all tests, those that passed as well
    #[arg(short, long)]
    pub verbose: bool,
    /// Time that each test may take, as 10s, 500ms or 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Time that each file may take, loading included
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// How to report; with other formats than `text` nothing else is on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TestFormat,
    /// Write the report to this file instead
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite it if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// What the rules find in the flag `argv`
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

/// How tests are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestFormat {
    /// For people.
    Text,
    /// One object.
    Json,
    /// An object a line, as tests are done.
    Jsonl,
    /// JUnit's XML, as build servers read it.
    Junit,
}

fn unit_and_test(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((unit, test)) if !unit.is_empty() && !test.is_empty() => {
            Ok((unit.to_owned(), test.to_owned()))
        }
        _ => Err("a test is given with its unit, as arithmetic:add".to_owned()),
    }
}

/// Time between two looks at the running test.
const TICK: Duration = Duration::from_millis(200);

/// Bytes that a test may write, if nothing else is asked for.
const OUTPUT: u64 = 16 << 20;

/// Runs the command: each file in a session of its own.
pub fn run(args: &TestArgs, flag: &Arc<AtomicBool>) -> Exit {
    let began = Instant::now();
    if let Some(out) = &args.out
        && let Err(failure) = output::check(out, args.force)
    {
        return rules::show_failure(&failure);
    }
    // What is for programs goes where the stream was opened.
    let out = args.out.as_ref().filter(|_| !emit::is_open());
    let theme = Theme::new(out.is_none() && io::colours().0);
    let mut collected = String::new();
    let mut reports: Vec<FileReport> = Vec::new();
    let mut missing = false;
    for name in &args.files {
        let Ok(file) = rules::find(name) else {
            missing = true;
            continue;
        };
        let report = test_file(args, &file, flag);
        let text = show(args, &report, &theme);
        reports.push(report);
        match out {
            Some(_) => collected += &text,
            None if text.is_empty() => {}
            None => match print(&text) {
                Exit::Success => {}
                failed => return failed,
            },
        }
        if flag.load(Ordering::Relaxed) {
            break;
        }
        if let Some(exit) = emit::full() {
            return exit;
        }
    }
    let exit = exit_code(&reports, missing);
    let text = match args.format {
        TestFormat::Text => render::total(&reports, began.elapsed(), &theme),
        TestFormat::Junit => render::junit(&reports, began.elapsed()),
        TestFormat::Json | TestFormat::Jsonl => return exit,
    };
    let written = match out {
        None => print(&text),
        Some(out) => match output::write(out, (collected + &text).as_bytes(), args.force) {
            Ok(()) => Exit::Success,
            Err(failure) => rules::show_failure(&failure),
        },
    };
    if written == Exit::Success { exit } else { written }
}

/// A session whose output is kept, so that each test's can be told from the others'.
fn session(args: &TestArgs, file: &Path, flag: &Arc<AtomicBool>) -> (Session, SharedBuffer) {
    let terms = args.rules.terms(Specialise::default()).time(args.timeout);
    let buffer = SharedBuffer::new();
    let mut session = zug_tools::language::with_io(
        Box::new(std::io::empty()),
        Box::new(buffer.clone()),
        Box::new(buffer.clone()),
    );
    session.machine.interrupt = flag.clone();
    session.world.flags.set_arguments(&mut session.machine.symbols, &args.arguments);
    let memory = terms.allowance.memory.or_else(|| Some(super::memory::default_limit()));
    // Calls and bytes written are counted for each test.
    let output = Some(terms.allowance.output.unwrap_or(OUTPUT));
    session.allow(&Allowance { memory, inferences: None, output, ..terms.allowance });
    if terms.iso {
        session.follow_standard();
    }
    if terms.sandbox {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        session.sandbox(folder.unwrap_or(Path::new(".")));
    }
    (session, buffer)
}

fn test_file(args: &TestArgs, file: &Path, flag: &Arc<AtomicBool>) -> FileReport {
    let (mut session, buffer) = session(args, file, flag);
    let name = file.display().to_string();
    let loaded = unit::load(&mut session, file);
    let _ = session.world.streams.end_query();
    let wrote = buffer.take();
    if !wrote.is_empty() {
        complain(wrote.trim_end());
    }
    let (findings, halted) = match loaded {
        Ok(loaded) => loaded,
        Err(failure) => {
            rules::show_failure(&failure);
            if let Failure::Stopped(Fault::Halt(status), _) = &failure {
                complain(&format!("{name} called halt({status}) while it was loaded"));
            }
            return FileReport { file: name, load: Vec::new(), result: Err(failure) };
        }
    };
    rules::show_all(&findings);
    if let Some(status) = halted {
        let behind = "what stands behind it was not read or run";
        complain(&format!("{name} called halt({status}) while it was loaded; {behind}"));
    }
    let request = TestRequest {
        units: args.units.clone(),
        tests: args.tests.clone(),
        time: args.time,
        inferences: args.rules.used.inferences,
        bytes: Some(args.rules.used.output.map_or(OUTPUT, |bytes| bytes as u64)),
        explain: true,
        output: Some(buffer),
    };
    let screen = Arc::new(Mutex::new(Screen::new(name.clone())));
    let shown = screen.clone();
    session.world.tests.listener = Some(Box::new(move |event| lock(&shown).heard(event)));
    let clock = Screen::watched(screen.clone());
    let mut result = run_tests_loaded(&mut session, &request);
    lock(&screen).over();
    if let Some(clock) = clock {
        clock.thread().unpark();
        let _ = clock.join();
    }
    match &result {
        // Another file may have the unit that this one doesn't have.
        Err(Failure::NoSuchTest(..)) if args.files.len() > 1 => result = Ok(TestReport::default()),
        Err(failure) => {
            rules::show_failure(failure);
        }
        Ok(_) => {}
    }
    if let Ok(report) = &mut result {
        report.halted(halted);
    }
    FileReport { file: name, load: findings, result }
}

/// How far the tests of a file are, as people and programs see it.
struct Screen {
    line: ProgressLine,
    file: String,
    began: Instant,
    done: u64,
    /// The test that runs.
    running: Option<String>,
    over: bool,
}

fn lock(screen: &Mutex<Screen>) -> MutexGuard<'_, Screen> {
    screen.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Screen {
    fn new(file: String) -> Screen {
        let (line, began) = (ProgressLine::new(), Instant::now());
        Screen { line, file, began, done: 0, running: None, over: false }
    }

    /// Has a thread show the running test, which may say nothing for long.
    fn watched(screen: Arc<Mutex<Screen>>) -> Option<JoinHandle<()>> {
        let show = move || {
            loop {
                std::thread::park_timeout(TICK);
                let mut screen = lock(&screen);
                if screen.over {
                    return;
                }
                screen.show();
            }
        };
        std::thread::Builder::new().name("tests".to_owned()).spawn(show).ok()
    }

    /// A test begins, or is over: then programs that read along are told, unless it is still
    /// looked at for the goal to blame.
    fn heard(&mut self, event: &TestEvent<'_>) {
        match event {
            TestEvent::Begun(test) => self.running = Some((*test).to_owned()),
            TestEvent::Ended(run) => {
                self.running = None;
                self.done += 1;
                if is_told_at_once(run) {
                    emit::record("test", &TestRecord::new(run));
                }
            }
        }
    }

    fn show(&mut self) {
        let (file, done) = (&self.file, self.done);
        let running = self.running.as_deref().unwrap_or_default();
        let text = || format!("{file}: {}, {running}", counted(done, "test"));
        let elapsed = self.began.elapsed();
        let data = || Progress {
            elapsed_seconds: zug_report::round_seconds(elapsed),
            done: Some(done),
            ..Progress::default()
        };
        self.line.show(elapsed, text, data);
    }

    fn over(&mut self) {
        self.over = true;
        self.line.clear();
    }
}

/// Whether a test is told of in a stream when it is over: there is nothing more to find out.
fn is_told_at_once(run: &TestRun) -> bool {
    emit::is_stream() && !run.was_unproved
}

/// A file's part of the report; records are told.
fn show(args: &TestArgs, report: &FileReport, theme: &Theme) -> String {
    if emit::is_open() {
        let told = |run: &TestRun| emit::is_stream() && !run.was_unproved;
        for run in report.result.iter().flat_map(|done| &done.runs).filter(|run| !told(run)) {
            emit::record("test", &TestRecord::new(run));
        }
        emit::record("file", &FileRecord::new(report));
        if let Some(reason) = report.reason() {
            emit::note(&format!("{}: {reason}", report.file));
        }
    }
    match (&report.result, args.format) {
        (Ok(done), TestFormat::Text) => render::file(&report.file, done, args.verbose, theme),
        _ => String::new(),
    }
}

/// How the command ends: as the gravest of the files.
fn exit_code(reports: &[FileReport], missing: bool) -> Exit {
    let empty =
        reports.iter().all(|report| report.result.as_ref().is_ok_and(|done| done.is_empty()));
    let outcomes = reports.iter().map(FileReport::outcome);
    let worst = outcomes.chain(missing.then_some(Outcome::Usage)).max();
    let worst = worst.unwrap_or(Outcome::Passed);
    if worst == Outcome::Interrupted {
        complain("interrupted");
    }
    if worst == Outcome::Passed && empty {
        fail(
            "no_tests",
            "there is no test to run; tests stand between `:- begin_tests(name).` and \
             `:- end_tests(name).`",
        );
        return Exit::Usage;
    }
    worst.exit()
}
