//! `zug test`: the unit tests that rule files bring.

use super::rule_args::Terms;
use super::test_args::{TestArgs, TestFormat};
use super::{Exit, complain, io, output, print, rules};
use crate::builtins::Specialise;
use crate::builtins::streams::SharedBuffer;
use crate::render::style::Theme;
use crate::render::unit as render;
use crate::session::{Allowance, Session};
use crate::usecases::Failure;
use crate::usecases::unit::record::{self, TestRecord};
use crate::usecases::unit::{FileReport, TestRequest, run_tests_loaded};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
    let mut sink = Sink { args, lines: String::new() };
    let names: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    if args.format == TestFormat::Jsonl {
        sink.line(&record::start(&names));
    }
    let mut reports: Vec<FileReport> = Vec::new();
    let mut missing = false;
    for name in &args.files {
        let Ok(file) = rules::find(name) else {
            missing = true;
            continue;
        };
        let report = test_file(args, &file, flag, &mut sink);
        reports.push(report);
        if flag.load(Ordering::Relaxed) {
            break;
        }
    }
    let exit = exit_code(&reports, missing);
    let code = i32::from(exit.code());
    let theme = Theme::new(args.out.is_none() && io::colours().0);
    let elapsed = began.elapsed();
    let text = match args.format {
        TestFormat::Text => render::total(&reports, elapsed, &theme),
        TestFormat::Json => record::report(&reports, code, elapsed) + "\n",
        TestFormat::Jsonl => record::end(&reports, code, elapsed) + "\n",
        TestFormat::Junit => render::junit(&reports, elapsed),
    };
    sink.put(&text);
    match sink.finish() {
        Exit::Success => exit,
        failed => failed,
    }
}

/// Where the report goes: standard output at once, or a file at the end.
struct Sink<'a> {
    args: &'a TestArgs,
    lines: String,
}

impl Sink<'_> {
    fn put(&mut self, text: &str) {
        match self.args.out {
            Some(_) => self.lines.push_str(text),
            // What can't be written is noticed at the end.
            None => {
                let _ = print(text);
            }
        }
    }

    fn line(&mut self, text: &str) {
        self.put(&format!("{text}\n"));
    }

    fn finish(self) -> Exit {
        match &self.args.out {
            None => print(""),
            Some(out) => match output::write(out, self.lines.as_bytes(), self.args.force) {
                Ok(()) => Exit::Success,
                Err(failure) => rules::show_failure(&failure),
            },
        }
    }
}

/// A session whose output is kept, so that each test's can be told from the others'.
fn session(args: &TestArgs, file: &Path, flag: &Arc<AtomicBool>) -> (Session, SharedBuffer) {
    let terms =
        Terms::new(args.memory, Specialise::default()).time(args.timeout).rules(&args.rules);
    let buffer = SharedBuffer::new();
    let mut session = Session::with_io(
        Box::new(std::io::empty()),
        Box::new(buffer.clone()),
        Box::new(buffer.clone()),
    );
    session.machine.interrupt = flag.clone();
    let memory = terms.allowance.memory.or_else(|| Some(super::memory::default_limit()));
    // Calls and bytes written are counted for each test.
    let output = Some(terms.allowance.output.unwrap_or(OUTPUT));
    session.allow(&Allowance { memory, inferences: None, output, ..terms.allowance });
    if terms.sandbox {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        session.sandbox(folder.unwrap_or(Path::new(".")));
    }
    (session, buffer)
}

fn test_file(
    args: &TestArgs,
    file: &Path,
    flag: &Arc<AtomicBool>,
    sink: &mut Sink<'_>,
) -> FileReport {
    let (mut session, buffer) = session(args, file, flag);
    let name = file.display().to_string();
    let loaded = crate::usecases::load(&mut session, file);
    let _ = session.world.streams.end_query();
    let wrote = buffer.take();
    let mut report = FileReport { file: name, load: Vec::new(), result: Ok(Default::default()) };
    match loaded {
        Ok(findings) => report.load = findings,
        Err(failure) => report.result = Err(failure),
    }
    if args.format == TestFormat::Text {
        if !wrote.is_empty() {
            complain(wrote.trim_end());
        }
        rules::show_all(&report.load);
    }
    if report.result.is_ok() {
        let request = TestRequest {
            units: args.units.clone(),
            tests: args.tests.clone(),
            time: args.time,
            inferences: args.rules.inferences,
            bytes: Some(args.rules.output.map_or(OUTPUT, |bytes| bytes as u64)),
            explain: true,
            output: Some(buffer),
        };
        report.result = run_tests_loaded(&mut session, &request);
    }
    // Another file may have the unit that this one doesn't have.
    if args.files.len() > 1 && matches!(report.result, Err(Failure::NoSuchTest(..))) {
        report.result = Ok(Default::default());
    }
    match args.format {
        TestFormat::Text => {
            let theme = Theme::new(args.out.is_none() && io::colours().0);
            match &report.result {
                Ok(done) => sink.put(&render::file(&report.file, done, args.verbose, &theme)),
                Err(failure) => {
                    rules::show_failure(failure);
                }
            }
        }
        TestFormat::Jsonl => {
            for run in report.result.iter().flat_map(|done| &done.runs) {
                sink.line(&record::line(&TestRecord::new(run)));
            }
            sink.line(&record::line(&record::FileRecord::new(&report)));
        }
        TestFormat::Json | TestFormat::Junit => {}
    }
    report
}

/// How the command ends: as the gravest of the files.
fn exit_code(reports: &[FileReport], missing: bool) -> Exit {
    const GRAVITY: [i32; 8] = [0, 1, 4, 5, 3, 2, 70, 130];
    let empty =
        reports.iter().all(|report| report.result.as_ref().is_ok_and(|done| done.is_empty()));
    let codes = reports.iter().map(FileReport::exit_code);
    let rank = |code: &i32| GRAVITY.iter().position(|known| known == code).unwrap_or(6);
    let worst = codes.max_by_key(rank).unwrap_or(0);
    match worst {
        130 => {
            complain("interrupted");
            Exit::Interrupted
        }
        _ if missing => Exit::Usage,
        0 if empty => {
            complain(
                "there is no test to run: tests stand between `:- begin_tests(name).` and \
                      `:- end_tests(name).`",
            );
            Exit::Usage
        }
        0 => Exit::Success,
        1 => Exit::Failure,
        2 => Exit::Usage,
        3 => Exit::Rules,
        4 => Exit::Limit,
        5 => Exit::Error,
        other => Exit::Halt(other),
    }
}
