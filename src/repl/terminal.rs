//! The console of a terminal: editing, history, completion, colours.
//!
//! Lines are read by rustyline, also the single key behind an answer: a second
//! reader of the terminal would lose what was typed ahead, which rustyline keeps.

use super::complete::Names;
use super::highlight::highlight;
use super::{Console, Input, Line, NextAnswer};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event,
    EventContext, EventHandler, Helper, KeyCode, KeyEvent, Modifiers, RepeatCount,
};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use zug_files::Access;
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::builtins::tracer;
use zug_prolog::session::Session;
use zug_syntax::{Completeness, clause_end, completeness};
use zug_term::source::Source;

const PROMPT: &str = "?- ";
/// What Ctrl-C and Ctrl-D are to the tracer.
const ABORT: char = 'a';
const CONTINUED: &str = "|    ";
/// Beside an answer, until a key is pressed.
const KEYS: &str = "   ; next   Return stop";
/// Beside an empty line of a query that goes on: what ends it.
fn unfinished(typed: &str) -> Option<&'static str> {
    match completeness(typed) {
        Completeness::Empty | Completeness::Complete => None,
        Completeness::Incomplete => Some("a full stop ends the query; Ctrl-C starts afresh"),
        Completeness::InQuoted(_) => Some("a quote is still open; Ctrl-C starts afresh"),
        Completeness::InComment(_) => Some("a comment is still open; Ctrl-C starts afresh"),
    }
}
/// Queries kept in the history.
const HISTORY: usize = 10_000;

/// Words that a newcomer types without a full stop.
const BARE: &[(&str, &str)] =
    &[("help", "help"), ("quit", "quit"), ("exit", "quit"), ("halt", "quit"), ("?", "help")];

/// The key pressed behind an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Key {
    /// No key is waited for.
    #[default]
    Idle,
    /// One is.
    Awaited,
    /// This one was pressed.
    Pressed(char),
    /// The tracer waits for one.
    Asked,
    /// The tracer was given this one.
    Told(char),
}

type SharedKey = Arc<Mutex<Key>>;

fn get(key: &SharedKey) -> Key {
    *key.lock().unwrap_or_else(PoisonError::into_inner)
}

fn set(key: &SharedKey, value: Key) {
    *key.lock().unwrap_or_else(PoisonError::into_inner) = value;
}

/// Takes the keys behind answers.
struct Keys(SharedKey);

impl ConditionalEventHandler for Keys {
    fn handle(&self, event: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        let told = match get(&self.0) {
            Key::Idle => return None,
            Key::Asked => true,
            _ => false,
        };
        let key = match event.get(0)? {
            KeyEvent(KeyCode::Char('C' | 'c' | 'D' | 'd'), Modifiers::CTRL) if told => ABORT,
            KeyEvent(KeyCode::Char(c), Modifiers::NONE | Modifiers::SHIFT) => *c,
            KeyEvent(KeyCode::Char('M' | 'm' | 'J' | 'j'), Modifiers::CTRL) => '\n',
            KeyEvent(KeyCode::Enter, _) => '\n',
            KeyEvent(KeyCode::Tab, _) => ';',
            KeyEvent(KeyCode::Char('C' | 'c' | 'D' | 'd'), Modifiers::CTRL) => '\n',
            KeyEvent(KeyCode::BracketedPasteStart, _) => return None,
            _ => return Some(Cmd::Noop),
        };
        set(&self.0, if told { Key::Told(key) } else { Key::Pressed(key) });
        Some(Cmd::AcceptLine)
    }
}

/// What rustyline asks while a line is typed.
struct Assistant {
    names: Names,
    key: SharedKey,
    /// What the line is to end, if it continues a query.
    open: Option<&'static str>,
}

impl Helper for Assistant {}
impl Validator for Assistant {}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, found) = self.names.complete(line, pos);
        let pairs = found.into_iter().map(|candidate| Pair {
            display: candidate.display,
            replacement: candidate.replacement,
        });
        Ok((start, pairs.collect()))
    }
}

impl Hinter for Assistant {
    type Hint = String;

    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        match get(&self.key) {
            Key::Awaited | Key::Pressed(_) => Some(KEYS.to_owned()),
            Key::Asked | Key::Told(_) => None,
            Key::Idle => self.open.filter(|_| line.is_empty()).map(str::to_owned),
        }
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        Cow::Owned(highlight(line))
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        // Once the key is pressed, the line shows what it meant.
        match get(&self.key) {
            Key::Pressed(';') => Cow::Owned(format!("{prompt} ;")),
            Key::Pressed(_) => Cow::Owned(format!("{prompt} .")),
            Key::Told(key) => Cow::Owned(format!("{prompt}{}", tracer::command(key).word())),
            _ => Cow::Borrowed(prompt),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let dim = anstyle::Style::new().dimmed();
        Cow::Owned(format!("{dim}{hint}{dim:#}"))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        kind != CmdKind::MoveCursor
    }
}

/// A person at a terminal.
pub struct Terminal {
    editor: Editor<Assistant, FileHistory>,
    history: Option<PathBuf>,
    key: SharedKey,
    /// Typed, not yet answered.
    pending: String,
    /// The beginning of the next line, typed behind an answer.
    begun: String,
}

impl Terminal {
    /// A console on the process's terminal. Without a file the history is not kept.
    ///
    /// # Errors
    /// The terminal can't be used.
    pub fn new(history: Option<PathBuf>, colour: bool) -> io::Result<Terminal> {
        let config = Config::builder()
            .max_history_size(HISTORY)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(io::Error::other)?
            .completion_type(CompletionType::List)
            .color_mode(if colour { ColorMode::Enabled } else { ColorMode::Disabled })
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        let key = SharedKey::default();
        editor.set_helper(Some(Assistant { names: Names::none(), key: key.clone(), open: None }));
        editor.bind_sequence(Event::Any, EventHandler::Conditional(Box::new(Keys(key.clone()))));
        if let Some(file) = &history {
            if let Some(folder) = file.parent() {
                // A history that can't be kept is no reason not to start.
                let _ = Access::FREE.make_folders(folder);
            }
            let _ = editor.load_history(file);
        }
        Ok(Terminal { editor, history, key, pending: String::new(), begun: String::new() })
    }

    /// The next clause of what is typed and not yet answered.
    fn take_pending(&mut self) -> Option<String> {
        if completeness(&self.pending) == Completeness::Empty {
            self.pending.clear();
            return None;
        }
        let end = clause_end(&self.pending)?;
        let rest = self.pending.split_off(end);
        let clause = std::mem::replace(&mut self.pending, rest);
        Some(clause.trim().to_owned())
    }

    fn remember(&mut self, text: &str) {
        let text = text.trim_end();
        if text.is_empty() || !self.editor.add_history_entry(text).unwrap_or(false) {
            return;
        }
        if let Some(file) = &self.history {
            let _ = self.editor.append_history(file);
        }
    }

    fn read_line(&mut self, prompt: &str) -> rustyline::Result<String> {
        let begun = std::mem::take(&mut self.begun);
        if begun.is_empty() {
            self.editor.readline(prompt)
        } else {
            self.editor.readline_with_initial(prompt, (&begun, ""))
        }
    }
}

/// What stands before the prompt while queries are traced.
fn mode(session: &Session) -> &'static str {
    let tracer = &session.world.tracer;
    match (tracer.tracing, tracer.debugging) {
        (true, _) => "[trace] ",
        (false, true) => "[debug] ",
        (false, false) => "",
    }
}

/// A command, or a word that means one, in the first line of an input.
fn command(line: &str) -> Option<String> {
    let line = line.trim();
    if let Some((_, command)) = BARE.iter().find(|(word, _)| *word == line) {
        return Some((*command).to_owned());
    }
    let rest = line.strip_prefix(':')?;
    rest.starts_with(|c: char| c.is_alphabetic() || c == '?').then(|| rest.to_owned())
}

impl Console for Terminal {
    fn read(&mut self, session: &mut Session) -> io::Result<Input> {
        if let Some(text) = self.take_pending() {
            let echo = format!("{PROMPT}{text}\n");
            session.world.streams.put_str(USER_OUTPUT, &echo)?;
            return Ok(Input::Query(Source::new("query", &text)));
        }
        // The beginning of a query behind one that was answered can still be edited.
        self.begun += std::mem::take(&mut self.pending).trim();
        if let Some(helper) = self.editor.helper_mut() {
            helper.names = Names::of(session);
        }
        loop {
            let first = completeness(&self.pending) == Completeness::Empty;
            if let Some(helper) = self.editor.helper_mut() {
                helper.open = unfinished(&self.pending);
            }
            session.world.streams.flush_standard()?;
            let prompt = format!("{}{PROMPT}", mode(session));
            match self.read_line(if first { &prompt } else { CONTINUED }) {
                Ok(line) => {
                    if first && let Some(command) = command(&line) {
                        self.remember(&line);
                        return Ok(Input::Command(command));
                    }
                    if first && line.trim() == ";" {
                        return Ok(Input::More);
                    }
                    self.pending += &line;
                    self.pending.push('\n');
                }
                Err(ReadlineError::Interrupted) => {
                    self.pending.clear();
                    return Ok(Input::Interrupted);
                }
                Err(ReadlineError::Eof) if first => return Ok(Input::End),
                Err(ReadlineError::Eof) => {
                    self.pending.clear();
                    return Ok(Input::Interrupted);
                }
                Err(ReadlineError::Io(error)) => return Err(error),
                // The window changed its size while nothing was typed.
                Err(ReadlineError::Signal(_)) => continue,
                Err(other) => return Err(io::Error::other(other)),
            }
            if clause_end(&self.pending).is_some() {
                let typed = self.pending.clone();
                self.remember(&typed);
                if let Some(text) = self.take_pending() {
                    return Ok(Input::Query(Source::new("query", &text)));
                }
            }
        }
    }

    fn more(&mut self, session: &mut Session, line: &str) -> io::Result<NextAnswer> {
        session.world.streams.flush_standard()?;
        set(&self.key, Key::Awaited);
        let read = self.editor.readline(line);
        let key = get(&self.key);
        set(&self.key, Key::Idle);
        let text = match read {
            Ok(text) => text,
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(_) => return Ok(NextAnswer::Stop),
        };
        match key {
            Key::Pressed(';' | ' ' | 'n') => return Ok(NextAnswer::Next),
            Key::Pressed('\n' | '.') => self.begun = text,
            // The next query begins at once.
            Key::Pressed(c) if !c.is_control() => self.begun = c.to_string(),
            Key::Pressed(_) => {}
            // A terminal without keys gives lines.
            Key::Awaited | Key::Idle | Key::Asked | Key::Told(_) => match text.trim() {
                ";" | "n" => return Ok(NextAnswer::Next),
                "" | "." => {}
                query => self.begun = query.to_owned(),
            },
        }
        Ok(NextAnswer::Stop)
    }

    fn line(&mut self, session: &mut Session, prompt: &str, words: &[String]) -> io::Result<Line> {
        session.world.streams.flush_standard()?;
        if let Some(helper) = self.editor.helper_mut() {
            helper.names = Names::words(session, words);
            helper.open = None;
        }
        loop {
            return match self.read_line(prompt) {
                Ok(text) => {
                    // What is kept on file are queries.
                    if self.history.is_none() {
                        let _ = self.editor.add_history_entry(&text);
                    }
                    Ok(Line::Text(text))
                }
                Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
                Err(ReadlineError::Eof) => Ok(Line::End),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(ReadlineError::Signal(_)) => continue,
                Err(other) => Err(io::Error::other(other)),
            };
        }
    }

    fn interactive(&self) -> bool {
        true
    }
}

/// The terminal, held by the loop and by the tracer, which asks while a query runs.
#[derive(Clone)]
pub struct SharedTerminal(Arc<Mutex<Terminal>>);

impl SharedTerminal {
    /// Shares a terminal.
    pub fn new(terminal: Terminal) -> SharedTerminal {
        SharedTerminal(Arc::new(Mutex::new(terminal)))
    }

    fn get(&self) -> std::sync::MutexGuard<'_, Terminal> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Console for SharedTerminal {
    fn read(&mut self, session: &mut Session) -> io::Result<Input> {
        self.get().read(session)
    }
    fn more(&mut self, session: &mut Session, line: &str) -> io::Result<NextAnswer> {
        self.get().more(session, line)
    }
    fn line(&mut self, session: &mut Session, prompt: &str, words: &[String]) -> io::Result<Line> {
        self.get().line(session, prompt, words)
    }
    fn interactive(&self) -> bool {
        true
    }
}

impl tracer::Asker for SharedTerminal {
    fn key(&mut self, line: &str) -> Option<char> {
        // A query that reads another query's terminal has nobody to ask.
        let Ok(mut terminal) = self.0.try_lock() else { return Some('c') };
        set(&terminal.key, Key::Asked);
        let read = terminal.editor.readline(line);
        let key = get(&terminal.key);
        set(&terminal.key, Key::Idle);
        match (read, key) {
            (Ok(_), Key::Told(key)) => Some(key),
            // A terminal without keys gives lines.
            (Ok(text), _) => Some(text.trim().chars().next().unwrap_or('\n')),
            (Err(ReadlineError::Signal(_)), _) => Some('\0'),
            (Err(_), _) => None,
        }
    }
}
