//! The line that shows how far a search is.

use crate::render::solution::progress;
use crate::search::Progress;
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
    pub fn update(&mut self, state: &Progress) {
        self.show(&progress(state), state.elapsed);
    }

    /// Shows a line, when a search has taken so long.
    pub fn show(&mut self, text: &str, elapsed: Duration) {
        if !self.enabled || elapsed < QUIET {
            return;
        }
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
