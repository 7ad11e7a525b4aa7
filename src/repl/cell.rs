//! A cell of a notebook: clauses, then queries and commands, answered as at the prompt.
//!
//! What a cell shows is what the prompt would, but for states and trees, which are pictures, and for
//! answers, of which it shows so many and says that there are more.

use super::console::{Console, Input, Line, NextAnswer};
use super::{Flow, Repl};
use std::io;
use std::sync::atomic::Ordering;
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::Session;
use zug_syntax::clause_end;
use zug_term::source::Source;

/// Where pictures go, in place of text.
pub(super) struct Pictures<'s> {
    show: Box<dyn FnMut(String) + 's>,
    /// Those that are to be shown behind the text that is being made.
    due: Vec<String>,
}

impl Pictures<'_> {
    /// Has a picture (SVG) be shown.
    pub(super) fn push(&mut self, picture: String) {
        self.due.push(picture);
    }
}

/// Runs a cell: how many queries and clauses were at fault. Text goes to the streams of the session,
/// pictures of states and trees (SVG) to `show`, when all text before them is out. `name` stands in messages
/// about the clauses; see [`Session::load_cell`] for those of other cells. Of each query at most
/// `answers` are shown.
///
/// # Errors
/// The I/O error of the session's streams.
pub fn run_cell(
    session: &mut Session,
    (name, text): (&str, &str),
    answers: usize,
    show: impl FnMut(String),
) -> io::Result<u32> {
    let (clauses, queries, line) = parts(text);
    let console = Box::new(Queries { rest: queries.to_owned(), line, answers, shown: 0 });
    let mut repl = Repl::new(session, console, (false, false));
    repl.pictures = Some(Pictures { show: Box::new(show), due: Vec::new() });
    if !clauses.trim().is_empty() {
        let findings = repl.session.load_cell(name, clauses);
        repl.fresh_line()?;
        repl.findings(&findings)?;
    }
    // Ctrl-C ends the cell, not only the query.
    let interrupt = repl.session.machine.interrupt.clone();
    while !interrupt.load(Ordering::Relaxed) && repl.step()? == Flow::Continue {
        repl.show_pictures()?;
    }
    repl.session.world.streams.flush_standard()?;
    Ok(repl.tally.unreadable + repl.tally.errors)
}

impl Repl<'_> {
    /// Shows the pictures that are due, if it has some.
    pub(super) fn show_pictures(&mut self) -> io::Result<()> {
        let Some(pictures) = self.pictures.as_mut().filter(|all| !all.due.is_empty()) else {
            return Ok(());
        };
        self.session.world.streams.flush_standard()?;
        for picture in pictures.due.drain(..) {
            (pictures.show)(picture);
        }
        Ok(())
    }
}

/// The clauses of a cell, and what stands behind them from the first line on that begins with `?-` or with a
/// command as `:help`; and the number of that line.
fn parts(text: &str) -> (&str, &str, u32) {
    let (mut at, mut number) = (0, 1);
    for line in text.split_inclusive('\n') {
        let command = line.strip_prefix(':').and_then(|rest| rest.chars().next());
        if line.starts_with("?-") || command.is_some_and(char::is_alphabetic) {
            return (&text[..at], &text[at..], number);
        }
        at += line.len();
        number += 1;
    }
    (text, "", number)
}

/// The queries of a cell.
struct Queries {
    rest: String,
    /// The line that the rest begins in.
    line: u32,
    /// The most answers to a query.
    answers: usize,
    shown: usize,
}

impl Queries {
    /// Takes so many bytes.
    fn take(&mut self, end: usize) -> String {
        let behind = self.rest.split_off(end);
        let taken = std::mem::replace(&mut self.rest, behind);
        self.line += taken.matches('\n').count() as u32;
        taken
    }

    /// Skips layout and comments in lines of their own.
    fn skip(&mut self) {
        loop {
            let layout = self.rest.len() - self.rest.trim_start().len();
            self.take(layout);
            if !self.rest.starts_with('%') {
                return;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(end);
        }
    }
}

impl Console for Queries {
    fn read(&mut self, _: &mut Session) -> io::Result<Input> {
        self.skip();
        self.shown = 0;
        if self.rest.is_empty() {
            return Ok(Input::End);
        }
        if self.rest.starts_with(':') {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            return Ok(Input::Command(self.take(end)[1..].trim().to_owned()));
        }
        let first_line = self.line - 1;
        let source = |text: String| Source { first_line, ..Source::new("query", text.trim_end()) };
        Ok(match clause_end(&self.rest) {
            Some(end) => Input::Query(source(self.take(end))),
            None => Input::Unfinished(source(self.take(self.rest.len()))),
        })
    }

    fn more(&mut self, session: &mut Session, line: &str) -> io::Result<NextAnswer> {
        self.shown += 1;
        let is_last = self.shown >= self.answers;
        let behind = match (line.is_empty(), is_last) {
            (false, false) => " ;\n",
            (false, true) => " ;\n% there may be more\n",
            (true, false) => ";\n",
            (true, true) => "% there may be more\n",
        };
        session.world.streams.put_str(USER_OUTPUT, &format!("{line}{behind}"))?;
        Ok(if is_last { NextAnswer::Stop } else { NextAnswer::Next })
    }

    /// Nobody answers in the middle of a cell.
    fn line(&mut self, _: &mut Session, _: &str, _: &[String]) -> io::Result<Line> {
        Ok(Line::End)
    }

    fn interactive(&self) -> bool {
        false
    }
}
