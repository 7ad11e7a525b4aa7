//! How far a search is: a line for people, records for programs.

use super::emit;
use crate::render::solution::progress;
use crate::search;
use crate::usecases::record::Progress;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// A search shorter than this shows nothing.
const QUIET: Duration = Duration::from_secs(1);

/// A line on standard error that is written over and over, if that is a terminal.
pub struct ProgressLine {
    enabled: bool,
    shown: bool,
}

impl ProgressLine {
    /// A line not yet shown.
    pub fn new() -> ProgressLine {
        ProgressLine { enabled: std::io::stderr().is_terminal(), shown: false }
    }

    /// Shows how far the search is.
    pub fn update(&mut self, state: &search::Progress) {
        self.show(state.elapsed, || progress(state), || state.into());
    }

    /// Shows a line, when a search has taken so long, and tells programs.
    pub fn show(
        &mut self,
        elapsed: Duration,
        text: impl FnOnce() -> String,
        data: impl FnOnce() -> Progress,
    ) {
        emit::progress(data);
        self.write(elapsed, text);
    }

    /// Shows a line to people alone, when the work has taken so long.
    pub fn write(&mut self, elapsed: Duration, text: impl FnOnce() -> String) {
        if !self.enabled || elapsed < QUIET {
            return;
        }
        let text = text();
        self.shown = true;
        // Progress that can't be shown is not worth a word.
        let _ = write!(super::io::stderr(), "\r\x1b[K{text}");
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(super::io::stderr(), "\r\x1b[K");
        }
    }
}
