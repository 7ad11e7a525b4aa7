//! Games and puzzles in which a person makes moves, in one interface.

use super::{Match, NotFound, NotLoaded, find_move, record};
use crate::Failure;
use crate::puzzle::{self, Puzzle};
use std::io;
use std::path::Path;
use zug_prolog::session::Session;
use zug_syntax::SyntaxFault;
use zug_term::Record;

/// A game or a puzzle in progress.
pub trait Played {
    /// The state now.
    fn state(&self) -> &Record;

    /// The moves that can be made now.
    fn choices(&self) -> Vec<&Record>;

    /// Whether it is over, or solved.
    fn is_over(&self) -> bool;

    /// How many moves were made.
    fn made(&self) -> usize;

    /// Makes a move, given by its place in [`Played::choices`].
    ///
    /// # Errors
    /// An error in a rule; then nothing has changed.
    fn make(&mut self, session: &mut Session, choice: usize) -> Result<(), Failure>;

    /// Writes its record to a file.
    ///
    /// # Errors
    /// The I/O error.
    fn save(&self, session: &Session, path: &Path) -> io::Result<()>;

    /// Goes on with a record; the rules that it names, if they are others.
    ///
    /// # Errors
    /// See [`NotLoaded`]; then all is as it was.
    fn load(&mut self, session: &mut Session, path: &Path) -> Result<Option<String>, NotLoaded>;

    /// The move with this name: as it is written, or the only one that matches it.
    ///
    /// # Errors
    /// There is none, or more than one.
    fn find(&self, session: &mut Session, typed: &Record) -> Result<usize, NotFound> {
        find_move(session, &self.choices(), typed)
    }
}

impl Played for Match {
    fn state(&self) -> &Record {
        &self.now().state
    }

    fn choices(&self) -> Vec<&Record> {
        self.now().choices.iter().map(|choice| &choice.mv).collect()
    }

    fn is_over(&self) -> bool {
        self.now().ends.is_some()
    }

    fn made(&self) -> usize {
        self.moves().len()
    }

    fn make(&mut self, session: &mut Session, choice: usize) -> Result<(), Failure> {
        self.play(session, choice)
    }

    fn save(&self, session: &Session, path: &Path) -> io::Result<()> {
        record::save(session, self, path)
    }

    fn load(&mut self, session: &mut Session, path: &Path) -> Result<Option<String>, NotLoaded> {
        record::load(session, self, path)
    }
}

impl Played for Puzzle {
    fn state(&self) -> &Record {
        &self.now().state
    }

    fn choices(&self) -> Vec<&Record> {
        self.now().moves.iter().map(|choice| &choice.mv).collect()
    }

    fn is_over(&self) -> bool {
        self.now().goal
    }

    fn made(&self) -> usize {
        self.moves().len()
    }

    fn make(&mut self, session: &mut Session, choice: usize) -> Result<(), Failure> {
        Puzzle::make(self, session, choice)
    }

    fn save(&self, session: &Session, path: &Path) -> io::Result<()> {
        puzzle::save(session, self, path)
    }

    fn load(&mut self, session: &mut Session, path: &Path) -> Result<Option<String>, NotLoaded> {
        puzzle::load(session, self, path).map(|()| None)
    }
}

/// A move as it was typed; `None` if the text has none.
///
/// # Errors
/// The text can't be read.
pub fn typed_move(session: &mut Session, text: &str) -> Result<Option<Record>, Box<SyntaxFault>> {
    let query = session.query(text)?;
    let goal = session.goal(&query);
    let typed = goal.map(|goal| Record::new(&mut session.machine.heap, goal));
    session.close(query);
    Ok(typed)
}
