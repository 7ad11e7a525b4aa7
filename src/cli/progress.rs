//! How far a search is: a line for people, records for programs.
//!
//! The line stands on standard error, if that is a terminal and nothing is written for programs.
//! There is one of it: whatever is written to a standard stream takes it away first
//! ([`io::clear_progress`]), and it is not drawn behind a line that is not ended.

use super::{emit, io};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use zug_render::number::{counted, grouped, time};
use zug_render::{game, solution};
use zug_search::progress::{self, CountedWork, ProgressEvent};
use zug_usecases::record::Progress;

/// A search shorter than this shows nothing.
const QUIET: Duration = Duration::from_millis(500);
/// Time between two drawings of the line.
const REDRAW: Duration = Duration::from_millis(250);

/// How many lines of commands there are, before which that of engines stands back.
static OWNED: AtomicU32 = AtomicU32::new(0);
/// When it was drawn last.
static DRAWN: Mutex<Option<Instant>> = Mutex::new(None);

/// Whether there is somebody who would see the line.
fn is_seen() -> bool {
    std::io::stderr().is_terminal() && !emit::is_open()
}

/// Has the line show the searches of this thread that rules begin.
pub fn listen() {
    if !is_seen() {
        return;
    }
    progress::set_listener(Some(Box::new(|standing| {
        if OWNED.load(Ordering::Relaxed) > 0 {
            return;
        }
        match standing {
            ProgressEvent::Path(state) => draw(state.elapsed, || solution::progress(state)),
            ProgressEvent::Game(state) => draw(state.elapsed, || game::progress(state)),
            ProgressEvent::Counted(work) => draw(work.elapsed, || counts(&work)),
            ProgressEvent::Over => io::clear_progress(),
        }
    })));
}

fn counts(work: &CountedWork) -> String {
    let mut text = counted(work.done, work.what);
    if let Some(all) = work.of {
        text += &format!(" of {}", grouped(all));
    }
    text + &format!(", {}", time(work.elapsed))
}

/// Draws the line, when the work has taken so long and the line is not new.
fn draw(elapsed: Duration, text: impl FnOnce() -> String) {
    if elapsed < QUIET || io::is_amid_line() {
        return;
    }
    let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    if drawn.is_some_and(|before| before.elapsed() < REDRAW) {
        return;
    }
    *drawn = Some(Instant::now());
    io::PROGRESS.store(true, Ordering::Relaxed);
    // Without going on in a second line, where the window is narrow. What can't be shown is
    // not worth a word.
    let _ = write!(std::io::stderr(), "\r\x1b[K\x1b[?7l{}\x1b[?7h", text());
}

/// The line of a command that knows better than its searches how far it is.
pub struct ProgressLine {
    enabled: bool,
}

impl ProgressLine {
    /// A line not yet shown.
    pub fn new() -> ProgressLine {
        OWNED.fetch_add(1, Ordering::Relaxed);
        ProgressLine { enabled: is_seen() }
    }

    /// Shows how far the search is.
    pub fn update(&mut self, state: &zug_search::Progress) {
        self.show(state.elapsed, || solution::progress(state), || state.into());
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
        if self.enabled {
            draw(elapsed, text);
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        io::clear_progress();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        OWNED.fetch_sub(1, Ordering::Relaxed);
    }
}
