//! Where a session's queries come from.
//!
//! A [`Console`] hands over one query or command at a time, and asks what to do
//! after an answer. [`Piped`] reads the session's own `user_input`, so that a
//! goal that reads takes the text behind its query; nothing is lost between the
//! two. The terminal's console is in [`super::terminal`].

use std::io;
use zug_prolog::builtins::streams::{USER_INPUT, USER_OUTPUT};
use zug_prolog::session::Session;
use zug_term::source::Source;

/// What was typed.
#[derive(Clone, Debug)]
pub enum Input {
    /// A query with its full stop.
    Query(Source),
    /// A query that the end of the input cuts off.
    Unfinished(Source),
    /// `:command` and what follows it, without the colon.
    Command(String),
    /// `;` with no answer before it.
    More,
    /// Ctrl-C at the prompt.
    Interrupted,
    /// No more to come.
    End,
}

/// What to do after an answer that may not be the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAnswer {
    /// Look for the next answer.
    Next,
    /// Be content.
    Stop,
}

/// A line typed in answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// What was typed.
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// No more to come.
    End,
}

/// Where queries come from; see the module's text.
pub trait Console {
    /// The next query or command.
    ///
    /// # Errors
    /// The I/O error of the input.
    fn read(&mut self, session: &mut Session) -> io::Result<Input>;

    /// Shows the last line of an answer that may not be the last one, and asks.
    ///
    /// # Errors
    /// The I/O error of the input.
    fn more(&mut self, session: &mut Session, line: &str) -> io::Result<NextAnswer>;

    /// Asks for a line. The words are what Tab offers.
    ///
    /// # Errors
    /// The I/O error of the input.
    fn line(&mut self, session: &mut Session, prompt: &str, words: &[String]) -> io::Result<Line>;

    /// Whether a person sits there.
    fn interactive(&self) -> bool;
}

/// Queries from a pipe or a file.
#[derive(Debug, Default)]
pub struct Piped;

impl Piped {
    /// Skips layout and line comments; the character that comes next.
    fn next_visible(session: &mut Session) -> io::Result<Option<char>> {
        let streams = &mut session.world.streams;
        loop {
            match streams.peek_char(USER_INPUT)? {
                Some((c, _)) if c.is_whitespace() || c == '\u{FEFF}' => {
                    streams.next_char(USER_INPUT)?;
                }
                Some(('%', _)) => {
                    streams.read_line(USER_INPUT)?;
                }
                other => return Ok(other.map(|(c, _)| c)),
            }
        }
    }
}

impl Console for Piped {
    fn read(&mut self, session: &mut Session) -> io::Result<Input> {
        // The limits of a goal that has read are not those of who waits for the next one.
        session.world.streams.begin_read(&session.machine);
        let Some(c) = Self::next_visible(session)? else { return Ok(Input::End) };
        let streams = &mut session.world.streams;
        let line = streams.get(USER_INPUT).map_or(1, |stream| stream.place.line);
        let mut text = String::new();
        if c == ';' {
            streams.next_char(USER_INPUT)?;
            return Ok(Input::More);
        }
        if c == ':' {
            streams.next_char(USER_INPUT)?;
            if streams.peek_char(USER_INPUT)?.is_some_and(|(c, _)| c.is_alphabetic() || c == '?') {
                let line = streams.read_line(USER_INPUT)?.unwrap_or_default();
                return Ok(Input::Command(line.trim().to_owned()));
            }
            text.push(c);
        }
        let Some(rest) = streams.read_clause(USER_INPUT)? else {
            return Ok(if text.is_empty() {
                Input::End
            } else {
                Input::Unfinished(source(text, line))
            });
        };
        text += &rest;
        let whole = zug_syntax::clause_end(&text).is_some();
        let source = source(text, line);
        Ok(if whole { Input::Query(source) } else { Input::Unfinished(source) })
    }

    fn more(&mut self, session: &mut Session, line: &str) -> io::Result<NextAnswer> {
        let text = if line.is_empty() {
            "% ; for more\n".to_owned()
        } else {
            format!("{line}.  % ; for more\n")
        };
        session.world.streams.put_str(USER_OUTPUT, &text)?;
        session.world.streams.begin_read(&session.machine);
        if Self::next_visible(session)? != Some(';') {
            return Ok(NextAnswer::Stop);
        }
        session.world.streams.next_char(USER_INPUT)?;
        Ok(NextAnswer::Next)
    }

    /// The prompt and the line are both shown, as on a terminal.
    fn line(&mut self, session: &mut Session, prompt: &str, _: &[String]) -> io::Result<Line> {
        session.world.streams.begin_read(&session.machine);
        let streams = &mut session.world.streams;
        streams.put_str(USER_OUTPUT, prompt)?;
        streams.flush_standard()?;
        let line = streams.read_line(USER_INPUT)?;
        let echo = format!("{}\n", line.as_deref().unwrap_or("").trim_end());
        streams.put_str(USER_OUTPUT, &echo)?;
        Ok(line.map_or(Line::End, Line::Text))
    }

    fn interactive(&self) -> bool {
        false
    }
}

/// A piece of the standard input that begins in this line.
fn source(text: String, line: usize) -> Source {
    Source { first_line: line.saturating_sub(1) as u32, ..Source::new("stdin", text.trim_end()) }
}
