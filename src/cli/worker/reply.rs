//! Records of an answer, a line each.

use super::super::Exit;
use serde::Serialize;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use zug_term::diagnostic::Diagnostic;
use zug_usecases::record::{ErrorData, Finding, Progress, inner};

/// Time between two records of progress.
const PAUSE: Duration = Duration::from_millis(200);

/// Where records are written.
#[derive(Clone, Default)]
pub struct Reply {
    told: Arc<Mutex<Told>>,
}

#[derive(Default)]
struct Told {
    /// When progress was told.
    progress: Option<Instant>,
    /// What rules wrote and nobody was told of yet.
    output: Vec<u8>,
}

/// The last record.
#[derive(Default, Serialize)]
pub struct End {
    /// `done`, `stopped` by a limit, `interrupted`, `faults` in the rules, `error`.
    pub outcome: &'static str,
    /// What went wrong.
    pub error: Option<ErrorData>,
    /// What was found in the rules.
    pub findings: Vec<Finding>,
    /// Remarks for people.
    pub notes: Vec<String>,
}

impl End {
    /// All is done.
    pub fn done() -> End {
        End { outcome: "done", ..End::default() }
    }

    /// The same with what was found in the rules.
    pub fn with(self, findings: &[Diagnostic]) -> End {
        End { findings: findings.iter().map(Finding::from).collect(), ..self }
    }

    /// It came to nothing.
    pub fn error(error: ErrorData) -> End {
        End { outcome: "error", error: Some(error), ..End::default() }
    }
}

#[derive(Serialize)]
struct Output<'t> {
    text: &'t str,
}

impl Reply {
    /// Tells a record of a kind.
    pub fn record(&self, kind: &str, data: &impl Serialize) {
        self.spill(true);
        write(&inner(kind, data));
    }

    /// Tells how far the work is, a few times a second.
    pub fn progress(&self, data: impl FnOnce() -> Progress) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.progress.is_none_or(|before| before.elapsed() >= PAUSE) {
            told.progress = Some(Instant::now());
            drop(told);
            self.spill(false);
            write(&inner("progress", &data()));
        }
    }

    /// Where rules write.
    pub fn output(&self) -> Reply {
        self.clone()
    }

    /// The last record.
    pub fn end(&self, end: End) -> Exit {
        self.record("end", &end);
        Exit::Success
    }

    /// Tells what rules wrote; of a character that is not whole yet, later.
    fn spill(&self, all: bool) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = match std::str::from_utf8(&told.output) {
            Err(error) if error.error_len().is_none() && !all => error.valid_up_to(),
            _ => told.output.len(),
        };
        let bytes: Vec<u8> = told.output.drain(..whole).collect();
        drop(told);
        let text = String::from_utf8_lossy(&bytes);
        if !text.is_empty() {
            write(&inner("output", &Output { text: &text }));
        }
    }
}

impl Write for Reply {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.output.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.spill(false);
        Ok(())
    }
}

/// Writes a line. Where nobody reads it the process has nothing left to do.
fn write(line: &str) {
    let mut out = super::super::io::stdout();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    if written.is_err() {
        std::process::exit(i32::from(Exit::Error.code()));
    }
}
