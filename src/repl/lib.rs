//! The read-eval-print loop: load rules, ask queries, look at answers.
//!
//! All text goes through the session's own streams (answers to `user_output`,
//! complaints to `user_error`), so it comes in the right order with what queries
//! write, and a test can read it all. Where queries come from is a [`Console`]:
//! a terminal with editing and history, or plain text from a pipe.

mod cell;
mod commands;
mod complete;
mod console;
mod dialogue;
mod game;
mod highlight;
mod hints;
mod play_query;
mod prompt_query;
mod puzzle;
mod query;
mod rounds;
mod solve_query;
mod terminal;
#[cfg(test)]
mod tests;
mod train_query;
mod tree_query;

pub use cell::run_cell;
pub use complete::completions;
pub use console::{Console, Input, Line, NextAnswer, Piped};
pub use dialogue::{Dialogue, DialogueEnd, DialogueError};
pub use terminal::{SharedTerminal, Terminal};

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use zug_machine::{Fault, StopReason};
use zug_prolog::builtins::streams::{USER_ERROR, USER_OUTPUT};
use zug_prolog::session::{LoadError, Past, Session};
use zug_render::board::Shapes;
use zug_render::diagnostic::{RenderOptions, render};
use zug_render::number::counted;
use zug_render::style::{Theme, paint};
use zug_term::diagnostic::{Diagnostic, Severity};
use zug_usecases::base::attach;
use zug_usecases::{Failure, nearest_file};

/// The line a session at a terminal begins with.
const BANNER: &str = concat!(
    "zug ",
    env!("CARGO_PKG_VERSION"),
    ": games and puzzles from rules. `:help` helps, Ctrl-D leaves."
);

/// How a session went that reads from a pipe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipedSession {
    /// Queries and rules with errors in their text.
    pub unreadable: u32,
    /// Queries that ended in an uncaught error.
    pub errors: u32,
    /// The base that was to be used can't be.
    pub refused: bool,
    /// The status of `halt/1`, if it was called.
    pub halted: Option<i32>,
}

/// A loop over a session and a console.
pub struct Repl<'s> {
    session: &'s mut Session,
    console: Box<dyn Console>,
    /// Colours on `user_output`.
    theme: Theme,
    /// Colours on `user_error`.
    error_theme: Theme,
    /// The last answer in full, if it was cut short.
    full: Option<String>,
    shapes: Shapes,
    /// Pictures of states and trees, where these are not written as text.
    pictures: Option<cell::Pictures<'s>>,
    tally: PipedSession,
    /// A base to answer from, once the files are loaded.
    db: Option<PathBuf>,
    /// The program before the one that is being loaded in its place.
    past: Option<Past>,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Continue,
    Leave,
}

impl<'s> Repl<'s> {
    /// A loop; `colours` for `user_output` and `user_error`.
    pub fn new(
        session: &'s mut Session,
        console: Box<dyn Console>,
        colours: (bool, bool),
    ) -> Repl<'s> {
        session.world.prompt_queries = &["solve", "play", "train", "tree"];
        Repl {
            session,
            console,
            theme: Theme::new(colours.0),
            error_theme: Theme::new(colours.1),
            full: None,
            shapes: Shapes::default(),
            pictures: None,
            tally: PipedSession::default(),
            db: None,
            past: None,
        }
    }

    /// The same, answering from a base once the files are loaded.
    #[must_use]
    pub fn with_base(mut self, db: Option<PathBuf>) -> Repl<'s> {
        self.db = db;
        self
    }

    /// Loads the files, then reads and answers until the end of the input.
    ///
    /// # Errors
    /// The I/O error of the console or of `user_output`.
    pub fn run(&mut self, files: &[std::path::PathBuf]) -> io::Result<PipedSession> {
        if self.console.interactive() {
            let banner = paint(self.theme.strong, BANNER);
            self.say(&format!("{banner}\n"))?;
        }
        for file in files {
            if self.load(file)? == Flow::Leave {
                return Ok(self.tally);
            }
        }
        let db = self.db.take();
        if let Some(Err(Failure::Base(error))) = db.map(|path| attach(self.session, &path)) {
            self.complain(&Diagnostic::error("E0705", error.to_string()))?;
            self.tally.refused = true;
            return Ok(self.tally);
        }
        while self.step()? == Flow::Continue {}
        self.session.world.streams.flush_standard()?;
        Ok(self.tally)
    }

    fn step(&mut self) -> io::Result<Flow> {
        self.session.world.streams.flush_standard()?;
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        self.session.machine.interrupted_in = None;
        match self.console.read(self.session)? {
            Input::Query(source) => self.query(source),
            Input::Unfinished(source) => {
                self.unfinished(source)?;
                Ok(Flow::Continue)
            }
            Input::Command(text) => self.command(&text),
            Input::More => {
                self.say("no more answers.\n")?;
                Ok(Flow::Continue)
            }
            Input::Interrupted => Ok(Flow::Continue),
            Input::End => Ok(Flow::Leave),
        }
    }

    /// Loads a rule file and says what is wrong with it.
    fn load(&mut self, path: &Path) -> io::Result<Flow> {
        let loaded = self.session.load_file(path);
        self.fresh_line()?;
        match loaded {
            Ok(found) => {
                self.findings(&found)?;
                self.summary(path, &found)?;
            }
            Err(LoadError::Io(error)) => {
                let shown = path.display();
                let mut finding = match error.kind() {
                    io::ErrorKind::NotFound => {
                        Diagnostic::error("E0001", format!("there is no file `{shown}`"))
                    }
                    _ if path.is_dir() => Diagnostic::error(
                        "E0001",
                        format!("`{shown}` is a folder, not a rule file"),
                    ),
                    _ => Diagnostic::error("E0001", format!("can't read `{shown}`: {error}")),
                };
                let near = nearest_file(path).filter(|_| error.kind() == io::ErrorKind::NotFound);
                finding.hint = near.map(|near| format!("did you mean `{}`?", near.display()));
                self.complain(&finding)?;
                self.tally.unreadable += 1;
            }
            Err(LoadError::Stopped(fault, found)) => {
                self.findings(&found)?;
                return self.stopped_load(path, &fault);
            }
        }
        Ok(Flow::Continue)
    }

    fn stopped_load(&mut self, path: &Path, fault: &Fault) -> io::Result<Flow> {
        match fault {
            Fault::Halt(status) => {
                self.tally.halted = Some(*status);
                return Ok(Flow::Leave);
            }
            Fault::Stopped(StopReason::Interrupted) => {
                let left = match self.past.take() {
                    Some(past) => {
                        self.session.restore(past);
                        "all is as it was before"
                    }
                    None => "it is loaded in part",
                };
                let message = format!("loading `{}` was interrupted; {left}", path.display());
                self.complain(&Diagnostic::warning("W0703", message))?;
            }
            other => {
                let words = self.session.describe(other).to_string();
                self.complain(&Diagnostic::error("E0301", words))?;
            }
        }
        Ok(Flow::Continue)
    }

    /// One line about a load, where a person reads it.
    fn summary(&mut self, path: &Path, found: &[Diagnostic]) -> io::Result<()> {
        if !self.console.interactive() {
            return Ok(());
        }
        let number = self.session.world.loader.files.iter().position(|file| file.path == path);
        let program = &self.session.machine.program;
        let own = program
            .preds
            .iter()
            .filter(|pred| pred.file.is_some() && pred.file.map(|file| file as usize) == number);
        let (mut predicates, mut clauses) = (0_u64, 0_u64);
        for pred in own.filter(|pred| !pred.clauses.is_empty()) {
            predicates += 1;
            clauses += pred.clauses.len() as u64;
        }
        let of =
            |severity| found.iter().filter(|finding| finding.severity == severity).count() as u64;
        let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
        let mut line = format!(
            "{}: {} of {}",
            path.display(),
            counted(clauses, "clause"),
            counted(predicates, "predicate")
        );
        for (count, noun) in [(errors, "error"), (warnings, "warning")] {
            if count > 0 {
                line += &format!(", {}", counted(count, noun));
            }
        }
        let line = paint(self.theme.dim, &line);
        self.say(&format!("{line}\n"))
    }

    /// Shows findings of loads since the last time.
    fn pending_findings(&mut self) -> io::Result<()> {
        let found = self.session.world.loader.take_diagnostics();
        self.findings(&found)
    }

    fn findings(&mut self, found: &[Diagnostic]) -> io::Result<()> {
        for finding in found {
            self.complain(finding)?;
            self.tally.unreadable += u32::from(finding.is_error());
        }
        Ok(())
    }

    /// Writes to `user_output`.
    fn say(&mut self, text: &str) -> io::Result<()> {
        let text = zug_tools::columns::fitted(text);
        self.session.world.streams.put_str(USER_OUTPUT, &text)
    }

    /// Writes to `user_error`, behind all that was said before.
    fn warn(&mut self, text: &str) -> io::Result<()> {
        self.fresh_line()?;
        let streams = &mut self.session.world.streams;
        streams.flush_standard()?;
        streams.put_str(USER_ERROR, &zug_tools::columns::fitted(text))
    }

    fn complain(&mut self, finding: &Diagnostic) -> io::Result<()> {
        let mut text = String::new();
        let options = RenderOptions { colour: self.error_theme.colour };
        render(&mut text, finding, options).map_err(io::Error::other)?;
        self.warn(&text)
    }

    /// Ends the line that a query left open.
    fn fresh_line(&mut self) -> io::Result<()> {
        let streams = &mut self.session.world.streams;
        if streams.column(USER_OUTPUT) == 0 {
            return Ok(());
        }
        streams.put_str(USER_OUTPUT, "\n")
    }
}
