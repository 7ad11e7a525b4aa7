//! Results for programs: `--format json` and `jsonl`.
//!
//! A process writes one report or one stream of records, so there is one [`Stream`] in the
//! process. [`begin`] opens it before a command runs, and [`end`] closes it behind all
//! commands, with the exit code of the process: no command can forget the last record. While it
//! is open nothing else goes to standard output: what rules write there comes in through
//! [`Recorder`], and what is said on standard error is told as findings, notes and the error of
//! the last record too.
//!
//! In a stream each record is written and flushed when it comes. A report is held back until
//! the end, up to [`MOST`] bytes.

use super::{Exit, io, output, tell};
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use zug_term::diagnostic::Diagnostic;
use zug_usecases::Failure;
use zug_usecases::record::{self, End, ErrorData, Finding, OptionValue, Start};

/// Time between two records of progress.
const PAUSE: Duration = Duration::from_millis(250);
/// Bytes of records that a report may hold: 256 MiB.
const MOST: usize = 256 << 20;
/// Bytes of what rules write that a report holds: 64 MiB.
const MOST_OUTPUT: usize = 64 << 20;
/// Bytes of what rules write in one record.
const PIECE: usize = 1 << 16;
/// Findings told.
const FINDINGS: usize = 1000;
/// Remarks told.
const NOTES: usize = 1000;
/// How long Ctrl-C waits for a record that is being written.
const PATIENCE: Duration = Duration::from_secs(1);

/// What the results of a command are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One object for all.
    Report,
    /// One object for each record, on a line of its own.
    Stream,
}

impl Shape {
    /// The shape that `--format` names.
    pub fn by_name(format: &str) -> Option<Shape> {
        match format {
            "json" => Some(Shape::Report),
            "jsonl" => Some(Shape::Stream),
            _ => None,
        }
    }
}

/// The records of this process.
static OPEN: Mutex<Option<Stream>> = Mutex::new(None);

/// An open stream, or a report being collected.
struct Stream {
    shape: Shape,
    start: Start,
    began: Instant,
    /// The records of a report.
    records: Vec<Box<RawValue>>,
    /// Bytes of them.
    held: usize,
    /// What rules wrote that is not in a record yet: perhaps the first bytes of a character.
    pending: Vec<u8>,
    /// What rules wrote, for a report.
    output: String,
    output_cut: bool,
    end: End,
    /// When progress was told last.
    progress: Option<Instant>,
    /// Standard output can't be written.
    broken: bool,
    /// The file that is written at the end in the place of standard output, and whether one
    /// that is there already is overwritten.
    file: Option<(PathBuf, bool)>,
    /// What goes there.
    text: String,
}

/// A report: all records in one object.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Report<'a> {
    #[serde(flatten)]
    start: &'a Start,
    /// The records of results, in their order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Inner>"))]
    results: &'a [Box<RawValue>],
    /// What rules wrote to standard output.
    output: &'a str,
    /// They wrote more than that: `output` is the beginning of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
    output_truncated: bool,
    /// How the command ended.
    end: &'a End,
}

/// A piece of what rules write.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Output<'a> {
    /// Where it was written.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["user_output"])))]
    stream: &'static str,
    /// The piece.
    text: &'a str,
}

fn lock() -> MutexGuard<'static, Option<Stream>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something to the stream, if there is one.
fn with<R>(act: impl FnOnce(&mut Stream) -> R) -> Option<R> {
    lock().as_mut().map(act)
}

/// Opens the stream and says what is about to be done.
pub fn begin(shape: Shape, start: Start) {
    let mut stream = Stream::new(shape, start);
    if shape == Shape::Stream {
        let line = record::line("start", &stream.start);
        stream.write(&line);
    }
    *lock() = Some(stream);
}

/// Whether results are for programs.
pub fn is_open() -> bool {
    lock().is_some()
}

/// Whether a stream is written, in which progress is worth telling.
pub fn is_stream() -> bool {
    lock().as_ref().is_some_and(|stream| stream.shape == Shape::Stream)
}

/// Tells a record of a kind. `data` is a struct.
pub fn record(kind: &str, data: &impl Serialize) {
    with(|stream| stream.record(kind, data));
}

/// Tells how far the command is, a few times a second and in a stream only.
pub fn progress<D: Serialize>(data: impl FnOnce() -> D) {
    if !is_stream() {
        return;
    }
    with(|stream| {
        let last = stream.progress.unwrap_or(stream.began);
        if last.elapsed() < PAUSE {
            return;
        }
        stream.progress = Some(Instant::now());
        let line = record::line("progress", &data());
        stream.spill(false);
        stream.write(&line);
    });
}

/// Why nothing more can be told: standard output can't be written, or the report is too long.
pub fn full() -> Option<Exit> {
    with(|stream| {
        if stream.broken {
            Some(Exit::Error)
        } else if stream.held > MOST {
            stream.end.reason = Some("output".to_owned());
            Some(Exit::Limit)
        } else {
            None
        }
    })
    .flatten()
}

/// A remark for the last record.
pub fn note(text: &str) {
    with(|stream| {
        if stream.end.notes.len() < NOTES {
            stream.end.notes.push(text.trim().to_owned());
        }
    });
}

/// A finding for the last record.
pub fn finding(found: &Diagnostic) {
    with(|stream| {
        if stream.end.findings.len() < FINDINGS {
            stream.end.findings.push(Finding::from(found));
        } else {
            stream.end.findings_omitted += 1;
        }
    });
}

/// The error that ends the command. The first one counts; others are remarks.
pub fn error(error: ErrorData) {
    with(|stream| match stream.end.error {
        Some(_) if stream.end.notes.len() < NOTES => stream.end.notes.push(error.message),
        Some(_) => {}
        None => stream.end.error = Some(error),
    });
}

/// Which limit ended the command; the last one counts.
pub fn reason(limit: impl Into<String>) {
    with(|stream| stream.end.reason = Some(limit.into()));
}

/// How many answers were found.
pub fn answers(count: u64) {
    with(|stream| stream.end.answers = Some(count));
}

/// Closes the stream with its last record. The exit code of the process is another one if
/// that can't be written.
pub fn end(exit: Exit) -> Exit {
    match lock().take() {
        Some(stream) => stream.end(exit),
        None => exit,
    }
}

/// Leaves the stream without its last record: nobody reads it any more.
pub fn abandon() {
    lock().take();
}

/// As [`end`], from another thread, which has no time to lose.
pub fn end_soon(exit: Exit) {
    let began = Instant::now();
    loop {
        match OPEN.try_lock() {
            Ok(mut open) => {
                if let Some(stream) = open.take() {
                    stream.end(exit);
                }
                return;
            }
            Err(TryLockError::Poisoned(_)) => return,
            Err(TryLockError::WouldBlock) if began.elapsed() > PATIENCE => return,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

impl Stream {
    fn new(shape: Shape, start: Start) -> Stream {
        let mut stream = Stream {
            shape,
            start,
            began: Instant::now(),
            records: Vec::new(),
            held: 0,
            pending: Vec::new(),
            output: String::new(),
            output_cut: false,
            end: End::default(),
            progress: None,
            broken: false,
            file: None,
            text: String::new(),
        };
        stream.file = stream.wanted_file();
        stream
    }

    /// The file that `--out` names, of a command that has this option.
    fn wanted_file(&self) -> Option<(PathBuf, bool)> {
        match (self.start.command.as_deref(), self.start.options.get("out")) {
            (Some("test"), Some(OptionValue::One(out))) => {
                Some((PathBuf::from(out), self.start.options.contains_key("force")))
            }
            _ => None,
        }
    }

    /// Writes a line of the stream.
    fn write(&mut self, line: &str) {
        if self.broken {
            return;
        }
        if self.file.is_some() {
            self.text.push_str(line);
            self.text.push('\n');
            return;
        }
        let mut out = io::stdout();
        let written = out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n"));
        self.broken = written.and_then(|()| out.flush()).is_err();
    }

    fn record(&mut self, kind: &str, data: &impl Serialize) {
        self.spill(false);
        match self.shape {
            Shape::Stream => {
                let line = record::line(kind, data);
                self.write(&line);
            }
            Shape::Report if self.held > MOST => {}
            Shape::Report => {
                let text = record::inner(kind, data);
                self.held += text.len();
                self.records.extend(RawValue::from_string(text));
            }
        }
    }

    /// Tells what rules wrote so far; but for the last bytes, if they begin a character
    /// and more may come.
    fn spill(&mut self, all: bool) {
        if self.pending.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.pending);
        let whole = match std::str::from_utf8(&bytes) {
            // Without a length the error is that the text ends too soon.
            Err(error) if error.error_len().is_none() && !all => error.valid_up_to(),
            _ => bytes.len(),
        };
        self.pending = bytes[whole..].to_vec();
        let text = String::from_utf8_lossy(&bytes[..whole]);
        if text.is_empty() {
            return;
        }
        match self.shape {
            Shape::Stream => {
                let line = record::line("output", &Output { stream: "user_output", text: &text });
                self.write(&line);
            }
            Shape::Report => {
                let room = MOST_OUTPUT - self.output.len().min(MOST_OUTPUT);
                let end = (0..=room.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
                self.output.push_str(&text[..end.unwrap_or(0)]);
                self.output_cut |= end.is_none_or(|end| end < text.len());
            }
        }
    }

    fn end(mut self, exit: Exit) -> Exit {
        self.spill(true);
        let line = self.last(exit);
        self.write(&line);
        if let Some((path, force)) = &self.file
            && let Err(failure) = output::write(path, self.text.as_bytes(), *force)
        {
            return unwritten(&failure);
        }
        if self.broken { Exit::Error } else { exit }
    }

    /// The last record, or the report.
    fn last(&mut self, exit: Exit) -> String {
        let command = self.start.command.as_deref().unwrap_or_default();
        self.end.outcome = word(command, exit);
        self.end.exit = exit.code();
        self.end.elapsed_seconds = zug_report::round_seconds(self.began.elapsed());
        if let Exit::Halt(status) = exit {
            self.end.status = Some(status);
        }
        if exit != Exit::Limit {
            self.end.reason = None;
        }
        match self.shape {
            Shape::Stream => record::line("end", &self.end),
            Shape::Report => record::line(
                "report",
                &Report {
                    start: &self.start,
                    results: &self.records,
                    output: &self.output,
                    output_truncated: self.output_cut,
                    end: &self.end,
                },
            ),
        }
    }
}

/// What a command came to, in a word.
fn word(command: &str, exit: Exit) -> &'static str {
    let asks = matches!(command, "query" | "trace" | "profile");
    match exit {
        Exit::Success if asks => "true",
        Exit::Success if command == "solve" => "solved",
        Exit::Success if command == "test" => "passed",
        Exit::Success => "done",
        Exit::Failure if asks => "false",
        Exit::Failure if matches!(command, "solve" | "generate") => "exhausted",
        Exit::Failure if command == "heuristics" => "violated",
        Exit::Failure => "failed",
        Exit::Usage => "usage",
        Exit::Rules => "faults",
        Exit::Limit => "stopped",
        Exit::Error => "error",
        Exit::Interrupted => "interrupted",
        Exit::Bug => "bug",
        Exit::Halt(_) => "halted",
    }
}

/// Where rules write while a stream is open: what they say becomes records.
pub struct Recorder;

impl Write for Recorder {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        with(|stream| {
            stream.pending.extend_from_slice(bytes);
            if stream.pending.len() >= PIECE {
                stream.spill(false);
            }
        });
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        with(|stream| stream.spill(false));
        if with(|stream| stream.broken) == Some(true) {
            return Err(std::io::Error::other("the result can't be written"));
        }
        Ok(())
    }
}

/// Says that a file can't be written, on standard error alone.
fn unwritten(failure: &Failure) -> Exit {
    tell(&format!("error: {failure}"));
    if failure.exit() == Exit::Usage { Exit::Usage } else { Exit::Error }
}

#[cfg(test)]
#[path = "../../tests/command/json/schema.rs"]
mod schema;

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to end has a word that the schema knows, with the exit code it goes with.
    #[test]
    fn every_end_fits_the_schema() {
        let schema = serde_json::from_str(super::super::SCHEMA).expect("JSON");
        let schema = schema::Schema::new(schema).expect("a schema");
        let exits = [
            Exit::Success,
            Exit::Failure,
            Exit::Usage,
            Exit::Rules,
            Exit::Limit,
            Exit::Error,
            Exit::Interrupted,
            Exit::Bug,
            Exit::Halt(3),
            Exit::Halt(-1),
        ];
        for shape in [Shape::Stream, Shape::Report] {
            for command in ["query", "solve", "heuristics", "check", "test"] {
                for exit in exits {
                    let start = Start { command: Some(command.to_owned()), ..Start::default() };
                    let mut stream = Stream::new(shape, start);
                    stream.end.error = Some(ErrorData::new("bug", "what happened"));
                    stream.end.reason = Some("time".to_owned());
                    let line = stream.last(exit);
                    let record = serde_json::from_str(&line).expect("JSON");
                    if let Err(why) = schema.validate(&record) {
                        panic!("{command} {exit:?}: {why}: {line}");
                    }
                }
            }
        }
    }

    #[test]
    fn pieces_of_characters_wait_for_the_rest() {
        let mut stream = Stream::new(Shape::Report, Start::default());
        let text = "é→😀".as_bytes();
        for byte in text {
            stream.pending.push(*byte);
            stream.spill(false);
        }
        assert_eq!(stream.output, "é→😀");
        stream.pending.extend_from_slice(&text[..1]);
        stream.spill(false);
        assert_eq!(stream.output, "é→😀");
        stream.spill(true);
        assert_eq!(stream.output, "é→😀\u{FFFD}");
    }
}
