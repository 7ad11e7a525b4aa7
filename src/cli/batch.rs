//! `zug batch`: many rule files in one go.

use super::batch_args::{BatchArgs, BatchFormat};
use super::progress::ProgressLine;
use super::{Exit, emit, fail, io as streams, memory, panics, tell};
use std::io::{Error, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_prolog::session::Template;
use zug_render::batch as render;
use zug_render::style::Theme;
use zug_search::Limits;
use zug_usecases::batch::{
    BatchError, BatchObserver, BatchProgress, BatchReport, BatchRequest, Grading, Group, Input,
    InputError, StartLine, StoreError, batch, inputs, read_expectations,
};
use zug_usecases::record::{ErrorData, Progress};
use zug_usecases::solve::SolveRequest;

/// Runs the command.
pub fn run(args: &BatchArgs, flag: &Arc<AtomicBool>) -> Exit {
    let found = match inputs(&args.paths, &mut std::io::stdin()) {
        Ok(found) => found,
        Err(error @ InputError::Unreadable(..)) => return refuse("unreadable", &error.to_string()),
        Err(error) => return refuse("no_file", &error.to_string()),
    };
    let request = match request(args, &found) {
        Ok(request) => request,
        Err(message) => return refuse("unreadable", &message),
    };
    if let Some(place) = within(&request, &found) {
        tell(&format!(
            "note: `{}` is in a folder whose rules may load it: keep expectations elsewhere",
            place.display()
        ));
    }
    let mut screen = Screen::new(args);
    let report = batch(&request, &found, flag, &mut screen);
    screen.line.clear();
    let shown = match &report {
        Err(BatchError::Show(_)) => Ok(()),
        _ => screen.finish(report.is_err()),
    };
    let report = shown.map_err(BatchError::Show).and(report);
    match report {
        Ok(report) => {
            tell_end(&report);
            let theme = Theme::new(streams::colours().1);
            tell(render::summary(&report, request.out.as_deref(), &theme).trim_end());
            report.end.outcome.exit()
        }
        Err(error) => {
            if matches!(error, BatchError::Show(_)) {
                // Nothing more can be said there.
                emit::abandon();
            }
            fail(error.kind(), &error.to_string());
            let begun = !matches!(error, BatchError::Store(StoreError::Unopened(..)));
            if begun && request.out.is_some() && error.exit() == Exit::Error {
                tell("what is done is kept; --resume goes on with it");
            }
            error.exit()
        }
    }
}

/// Tells programs why the batch ended as it did: by the gravest of its files.
fn tell_end(report: &BatchReport) {
    let kind = match report.end.exit {
        2 => "unreadable",
        5 => "rule",
        70 => "bug",
        4 => return emit::reason(report.summary.stopped_by.clone().unwrap_or_default()),
        _ => return,
    };
    let outcome = report.end.outcome.name();
    let files = report.end.outcomes.get(outcome).copied().unwrap_or_default();
    let message = format!("{files} of {} files ended with `{outcome}`", report.end.files);
    emit::error(ErrorData::new(kind, message));
}

fn refuse(kind: &'static str, message: &str) -> Exit {
    fail(kind, message);
    Exit::Usage
}

fn request(args: &BatchArgs, inputs: &[Input]) -> Result<BatchRequest, String> {
    let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let workers = args.jobs.unwrap_or(processors);
    // By processors, not by what -j says: results should not depend on that.
    let share = memory::share(processors.max(workers));
    let Limits { depth, nodes, .. } = args.limits.limits;
    Ok(BatchRequest {
        queries: args.queries,
        engines: args.engine.clone(),
        solve: SolveRequest {
            heuristic: args.heuristic.clone(),
            options: args.parameters.0.clone(),
            effort: args.verify.0,
            sampling: args.sampling.0.clone(),
            limits: Limits { depth, nodes, ..Limits::none() },
            ..SolveRequest::default()
        },
        time: args.limits.limits.time,
        timeout: args.limits.timeout,
        total_time: args.limits.total_time,
        memory: args.limits.limits.memory.unwrap_or(share),
        inferences: args.limits.inferences,
        output: args.limits.output_limit as u64,
        sandbox: !args.no_sandbox,
        kept_output: args.limits.keep_output,
        answers: args.answers.get(),
        expect: grading(args, inputs)?,
        times: args.times,
        specialise: args.code.mode(),
        workers,
        out: args.out.clone(),
        resume: args.resume,
        force: args.force,
    })
}

/// Where expectations come from. Files of them are read before the work, so that they are right.
fn grading(args: &BatchArgs, inputs: &[Input]) -> Result<Option<Grading>, String> {
    let (grading, files) = match &args.expect_from {
        None if !args.expect => return Ok(None),
        None => {
            let beside = inputs.iter().filter_map(|input| Grading::Own.file_for(&input.path));
            (Grading::Own, beside.collect())
        }
        Some(place) if place.is_dir() => (Grading::From(place.clone()), in_folder(place)?),
        Some(place) => (Grading::From(place.clone()), vec![place.clone()]),
    };
    let template = Template::new(zug_tools::language::EXTENSIONS);
    for file in files {
        let nowhere = || Box::new(std::io::empty());
        let mut session = template.session(nowhere(), nowhere(), nowhere());
        if let Err(wrong) = read_expectations(&mut session, &file) {
            return Err(wrong.join("\nerror: "));
        }
    }
    Ok(Some(grading))
}

/// A teacher's expectations, where rules that are graded may load them.
fn within<'a>(request: &'a BatchRequest, inputs: &[Input]) -> Option<&'a Path> {
    let Some(Grading::From(place)) = &request.expect else { return None };
    let real = place.canonicalize().ok()?;
    let holds = |root: &Path| root.canonicalize().is_ok_and(|root| real.starts_with(root));
    let mut roots: Vec<&Path> = inputs.iter().map(|input| &*input.root).collect();
    roots.dedup();
    roots.into_iter().any(holds).then_some(&**place)
}

fn in_folder(folder: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let unreadable = |error: Error| format!("can't read `{}`: {error}", folder.display());
    let entries = zug_files::Access::FREE.list(folder).map_err(unreadable)?;
    let mut files: Vec<_> = entries.iter().map(std::fs::DirEntry::path).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "expect"));
    match files.is_empty() {
        true => Err(format!("there is no .expect file in the folder `{}`", folder.display())),
        false => Ok(files),
    }
}

/// Standard output, and the line of progress.
struct Screen {
    format: BatchFormat,
    line: ProgressLine,
    /// What is shown only when all of it is there, without what takes room.
    kept: Vec<Group>,
}

impl Screen {
    fn new(args: &BatchArgs) -> Screen {
        Screen { format: args.format, line: ProgressLine::new(), kept: Vec::new() }
    }

    /// Writes. Where the reader has gone away the process ends, as everywhere; what is done is in
    /// `--out` by then.
    fn put(&mut self, text: &str) -> Result<(), Error> {
        self.line.clear();
        let mut out = streams::stdout();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Shows what needs all results.
    fn finish(&mut self, failed: bool) -> Result<(), Error> {
        let groups = std::mem::take(&mut self.kept);
        match self.format {
            BatchFormat::Table => {
                let text = render::table(&groups, &Theme::new(streams::colours().0));
                self.put(&text)
            }
            BatchFormat::Junit if !failed => self.put(&render::junit(&groups)),
            _ => Ok(()),
        }
    }
}

impl BatchObserver for Screen {
    fn start(&mut self, _: &StartLine) -> Result<(), Error> {
        match self.format {
            BatchFormat::Csv => self.put(&render::csv_headings()),
            _ => Ok(()),
        }
    }

    fn group(&mut self, group: &Group) -> Result<(), Error> {
        match self.format {
            BatchFormat::Jsonl => self.put(&group.text()),
            BatchFormat::Json => {
                group.results.iter().for_each(|result| emit::record("result", result));
                emit::record("file", &group.file);
                Ok(())
            }
            BatchFormat::Csv => self.put(&render::csv(group)),
            BatchFormat::Table => {
                self.kept.push(group.without_text());
                Ok(())
            }
            BatchFormat::Junit => {
                self.kept.push(group.clone());
                Ok(())
            }
        }
    }

    fn progress(&mut self, standing: &BatchProgress) {
        let data = || Progress {
            elapsed_seconds: zug_report::round_seconds(standing.elapsed),
            done: Some(standing.done as u64),
            of: Some(standing.of as u64),
            ..Progress::default()
        };
        self.line.show(standing.elapsed, || render::progress(standing), data);
    }

    fn panic_words(&self) -> fn() -> String {
        panics::last
    }
}
