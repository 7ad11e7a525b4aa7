//! Conversation with a person who plays: lines asked for, moves and words obeyed, files.
//!
//! One mechanism for games and puzzles, for `zug play` and `play.` at the prompt, over a [`Console`]
//! and the session's own output, so that a pipe, a terminal and a test all see the same play.

use super::{Console, Line};
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::session::Session;
use zug_render::choices::Choices;
use zug_render::diagnostic::{RenderOptions, render};
use zug_render::number::counted;
use zug_render::play::board;
use zug_render::style::{Theme, paint};
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;
use zug_term::spelling::nearest;
use zug_tools::columns;
use zug_usecases::Failure;
use zug_usecases::play::{NotFound, NotLoaded, Played, typed_move};

/// How a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogueEnd {
    /// The game is over.
    Over,
    /// The person left before.
    Left,
    /// Ctrl-C in a play without people.
    Interrupted,
}

/// Why a conversation broke off.
#[derive(Debug)]
pub enum DialogueError {
    /// The I/O error of the console or of `user_output`.
    Io(io::Error),
    /// An error in a rule, or rules that can't be played.
    Rules(Failure),
}

impl From<io::Error> for DialogueError {
    fn from(error: io::Error) -> DialogueError {
        DialogueError::Io(error)
    }
}

impl From<Failure> for DialogueError {
    fn from(failure: Failure) -> DialogueError {
        DialogueError::Rules(failure)
    }
}

/// A word that is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Again,
    Board,
    Eval,
    Far,
    Help,
    Hint,
    Instance,
    Load,
    Moves,
    Path,
    Plan,
    Quit,
    Redo,
    Save,
    Swap,
    Undo,
}

/// What comes next.
pub(super) enum Next {
    /// The position is another one, or to be shown again.
    Show,
    /// The person made a move.
    Made,
    Ask,
    Leave,
}

/// What is different in conversations about games and about puzzles.
pub(super) trait Talk: Played {
    /// The words, with other forms that people try.
    const WORDS: &'static [(&'static str, Command)];
    /// How many of them Tab offers.
    const OFFERED: usize;
    /// The reply to `help`.
    const HELP: &'static str;
    /// The words to choose from when it is over.
    const AFTER: &'static str;
    /// The reply to a move after the end, if none can be made there.
    const OVER: Option<&'static str>;
    /// What is in a file of `save`, and a name for one.
    const SAVED: (&'static str, &'static str);

    /// Whether a word may be followed by this.
    fn takes(word: Command, rest: &str) -> bool {
        rest.is_empty() || matches!(word, Command::Save | Command::Load)
    }

    fn prompt(&self, session: &Session) -> String;

    /// The moves to choose from.
    fn named_choices(&self, session: &Session) -> Choices;

    /// The reply to `moves`.
    fn listed(&self, session: &Session, theme: &Theme) -> String;

    /// What is said of a game that was loaded.
    fn reintroduced(&self, _: &Session, _: &Theme) -> String {
        String::new()
    }

    /// Does what a word asks for that not all conversations know.
    fn obey(
        &mut self,
        talk: &mut Dialogue<'_>,
        word: Command,
        rest: &str,
    ) -> Result<Next, DialogueError>;
}

/// The word that a line begins with and what follows it; with or without colon and full stop.
pub(super) fn word_of<P: Talk>(text: &str) -> Option<(Command, &str)> {
    let text = text.strip_prefix(':').unwrap_or(text);
    let text = text.strip_suffix('.').unwrap_or(text).trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let (_, word) = *P::WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(first))?;
    P::takes(word, rest).then_some((word, rest))
}

/// A conversation on a console; all is written to `user_output`.
pub struct Dialogue<'a> {
    pub(super) session: &'a mut Session,
    pub(super) console: &'a mut dyn Console,
    pub(super) theme: Theme,
}

impl<'a> Dialogue<'a> {
    /// A conversation that has not begun.
    pub fn new(
        session: &'a mut Session,
        console: &'a mut dyn Console,
        theme: Theme,
    ) -> Dialogue<'a> {
        Dialogue { session, console, theme }
    }

    pub(super) fn say(&mut self, text: &str) -> io::Result<()> {
        self.session.world.streams.put_str(USER_OUTPUT, &columns::fitted(text))
    }

    /// Shows what is wrong with something that was typed or read.
    fn complain(&mut self, finding: &Diagnostic) -> io::Result<()> {
        let mut text = String::new();
        let options = RenderOptions { colour: self.theme.colour };
        render(&mut text, finding, options).map_err(io::Error::other)?;
        self.session.world.streams.put_str(USER_OUTPUT, &text)
    }

    pub(super) fn board(&mut self, state: &Record) -> io::Result<()> {
        let board = board(self.session, state);
        self.say(&format!("\n{board}\n"))
    }

    pub(super) fn moves(&mut self, play: &impl Talk) -> io::Result<()> {
        let text = play.listed(self.session, &self.theme);
        self.say(&text)
    }

    /// Does work that a person at a terminal can cut short.
    pub(super) fn waiting<T>(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut Session) -> T,
    ) -> io::Result<T> {
        if self.console.interactive() {
            let text = format!("{what} (Ctrl-C: enough)");
            self.say(&paint(self.theme.dim, &text))?;
            self.session.world.streams.flush(USER_OUTPUT)?;
        }
        let done = work(self.session);
        if self.console.interactive() {
            self.say("\r\x1b[2K")?;
        }
        Ok(done)
    }

    /// What a search finds; `None` after an error in a rule, since the play itself can go on.
    pub(super) fn search<T>(
        &mut self,
        work: impl FnOnce(&mut Session) -> Result<T, Failure>,
    ) -> Result<Option<T>, DialogueError> {
        match self.waiting("let me see …", work)? {
            Ok(found) => Ok(Some(found)),
            Err(Failure::Rule(raised) | Failure::Limit(raised)) => {
                self.complain(&raised.finding)?;
                Ok(None)
            }
            Err(failure) => Err(failure.into()),
        }
    }

    /// Reads a line; `None` to leave. Ctrl-C says how to leave, pressed again it does. Tab offers
    /// the words.
    pub(super) fn line(&mut self, prompt: &str, words: &[String]) -> io::Result<Option<String>> {
        let mut interrupted = false;
        loop {
            self.session.machine.interrupt.store(false, Ordering::Relaxed);
            match self.console.line(self.session, prompt, words)? {
                Line::Text(text) => return Ok(Some(text)),
                Line::End => return Ok(None),
                Line::Interrupted if interrupted => return Ok(None),
                Line::Interrupted => {
                    interrupted = true;
                    let words = "`quit`, Ctrl-D or Ctrl-C again leaves the game\n";
                    self.session.world.streams.put_str(USER_OUTPUT, words)?;
                }
            }
        }
    }

    /// Asks until the person makes a move or says something else that changes the position. Where
    /// the play is over, an empty line leaves.
    pub(super) fn ask<P: Talk>(&mut self, play: &mut P) -> Result<Next, DialogueError> {
        let over = play.is_over();
        if over {
            self.say(P::AFTER)?;
        }
        let prompt = play.prompt(self.session);
        let mut words = play.named_choices(self.session).names;
        words.extend(P::WORDS[..P::OFFERED].iter().map(|(word, command)| match command {
            Command::Save | Command::Load => format!("{word} "),
            _ => (*word).to_owned(),
        }));
        loop {
            let Some(text) = self.line(&prompt, &words)? else { return Ok(Next::Leave) };
            let text = text.trim();
            let next = match P::OVER {
                _ if over && text.is_empty() => Next::Leave,
                Some(reply) if over && word_of::<P>(text).is_none() => {
                    self.say(reply)?;
                    Next::Ask
                }
                _ => self.answer(play, text)?,
            };
            if !matches!(next, Next::Ask) {
                return Ok(next);
            }
        }
    }

    /// Obeys a line. A word that is also a move means the move.
    fn answer<P: Talk>(&mut self, play: &mut P, text: &str) -> Result<Next, DialogueError> {
        let choices = play.named_choices(self.session);
        if text.is_empty() {
            return if choices.names.len() == 1 { self.make(play, 0) } else { Ok(Next::Ask) };
        }
        let bare = text.strip_suffix('.').unwrap_or(text).trim_end();
        if let Some(choice) = choices.by_number(bare) {
            return match choice {
                Ok(choice) => self.make(play, choice),
                Err(reply) => self.reply(&reply),
            };
        }
        if !choices.names.iter().any(|name| name == bare)
            && let Some((word, rest)) = word_of::<P>(text)
        {
            return self.obey(play, word, rest);
        }
        let typed = match typed_move(self.session, text) {
            Ok(Some(typed)) => typed,
            Ok(None) => return Ok(Next::Ask),
            Err(fault) => {
                let mut finding = fault.diagnostic;
                for label in finding.primary.iter_mut().chain(&mut finding.secondary) {
                    label.source.name = "your move".into();
                }
                finding.hint.get_or_insert_with(|| {
                    "type a move or its number; `moves` lists them, `help` helps".to_owned()
                });
                self.complain(&finding)?;
                return Ok(Next::Ask);
            }
        };
        let why = match play.find(self.session, &typed) {
            Ok(choice) => return self.make(play, choice),
            Err(why) => why,
        };
        match near_word::<P>(bare).filter(|_| why == NotFound::None) {
            Some(word) => self
                .reply(&format!("there is no move and no word `{bare}`; did you mean `{word}`?\n")),
            None => self.reply(&choices.refused(bare, &why)),
        }
    }

    /// Says something and asks again.
    pub(super) fn reply(&mut self, text: &str) -> Result<Next, DialogueError> {
        self.say(text)?;
        Ok(Next::Ask)
    }

    fn make(&mut self, play: &mut impl Played, choice: usize) -> Result<Next, DialogueError> {
        play.make(self.session, choice)?;
        Ok(Next::Made)
    }

    /// Does what a word asks for.
    pub(super) fn obey<P: Talk>(
        &mut self,
        play: &mut P,
        word: Command,
        rest: &str,
    ) -> Result<Next, DialogueError> {
        match word {
            Command::Quit => return Ok(Next::Leave),
            Command::Help => self.say(&columns::in_pairs(P::HELP))?,
            Command::Board => self.board(play.state())?,
            Command::Moves => self.moves(play)?,
            Command::Save | Command::Load => {
                let (kept, example) = P::SAVED;
                let name = rest.trim_matches(['\'', '"']);
                let path = self.session.world.path(name);
                return match word {
                    Command::Save if !name.is_empty() => {
                        let reply = match play.save(self.session, &path) {
                            Ok(()) => format!("{kept} in `{name}`\n"),
                            Err(error) => format!("can't write `{name}`: {error}\n"),
                        };
                        self.reply(&reply)
                    }
                    Command::Load if !name.is_empty() => self.load(play, name, &path),
                    _ => {
                        let word = if word == Command::Save { "save" } else { "load" };
                        let needs = "needs the name of a file";
                        self.reply(&format!("`{word}` {needs}: `{word} {example}`\n"))
                    }
                };
            }
            _ => return play.obey(self, word, rest),
        }
        Ok(Next::Ask)
    }

    fn load<P: Talk>(
        &mut self,
        play: &mut P,
        name: &str,
        path: &Path,
    ) -> Result<Next, DialogueError> {
        match play.load(self.session, path) {
            Ok(other) => {
                if let Some(rules) = other {
                    self.say(&format!("note: it was played by the rules `{rules}`\n"))?;
                }
                let moves = counted(play.made() as u64, "move");
                self.say(&format!("`{name}`: {moves}, checked against the rules\n"))?;
                let text = play.reintroduced(self.session, &self.theme);
                self.say(&text)?;
                Ok(Next::Made)
            }
            Err(NotLoaded::Unreadable(error)) => {
                self.reply(&format!("can't read `{name}`: {error}\n"))
            }
            Err(NotLoaded::Unfit(why)) => self.reply(&format!("`{name}` is not loaded: {why}\n")),
            Err(NotLoaded::Syntax(findings)) => {
                findings.iter().try_for_each(|finding| self.complain(finding))?;
                self.reply(&format!("`{name}` is not loaded\n"))
            }
            Err(NotLoaded::Rule(failure)) => Err(failure.into()),
        }
    }
}

/// The word that was perhaps meant.
fn near_word<P: Talk>(typed: &str) -> Option<&'static str> {
    let first = typed.split_whitespace().next()?;
    let words = P::WORDS[..P::OFFERED].iter().map(|(word, _)| *word);
    nearest(words, first).filter(|word| *word != first)
}
