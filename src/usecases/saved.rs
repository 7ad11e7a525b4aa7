//! Files of clauses in which games and puzzles are saved.

use super::{Failure, files};
use std::io;
use std::path::Path;
use std::sync::Arc;
use zug_prolog::session::Session;
use zug_prolog::term_text;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::{Cell, Record};

/// Why a record was not loaded.
#[derive(Debug)]
pub enum NotLoaded {
    /// The file can't be read.
    Unreadable(io::Error),
    /// Its text has faults, or says what does not fit; where.
    Syntax(Vec<Diagnostic>),
    /// As a whole it does not fit; why.
    Unfit(String),
    /// An error in a rule.
    Rule(Failure),
}

/// What a record says.
pub(super) trait Saved: Default {
    /// Takes note of a clause; `false` for one that belongs in no record.
    ///
    /// # Errors
    /// What does not fit.
    fn take(&mut self, clause: &mut Clause<'_>) -> Result<bool, String>;
}

/// A clause of a record.
pub(super) struct Clause<'s> {
    session: &'s mut Session,
    name: Arc<str>,
    arity: usize,
    args: usize,
    /// Where it stands.
    pub span: Span,
}

impl Clause<'_> {
    /// Its name and arity.
    pub fn indicator(&self) -> (&str, usize) {
        (&self.name, self.arity)
    }

    fn cell(&self, place: usize) -> Cell {
        let heap = &self.session.machine.heap;
        heap.deref(heap.at(self.args + place))
    }

    /// An argument.
    pub fn part(&mut self, place: usize) -> Record {
        let cell = self.cell(place);
        Record::new(&mut self.session.machine.heap, cell)
    }

    /// An argument as text.
    pub fn shown(&mut self, place: usize) -> String {
        let part = self.part(place);
        shown(self.session, &part)
    }

    /// An argument that is an atom.
    pub fn atom(&self, place: usize) -> Option<String> {
        let atom = self.cell(place).as_atom()?;
        Some(self.session.machine.symbols.name(atom).to_owned())
    }

    /// Whether its first argument is the number of the next move.
    ///
    /// # Errors
    /// It is another one.
    pub fn must_be_move(&self, next: usize) -> Result<(), String> {
        match self.cell(0).as_int() == Some(next as i64) {
            true => Ok(()),
            false => Err(format!("move {next} is missing or not in its place")),
        }
    }
}

/// Writes a record to a file, all of it or nothing. A file that does not begin as a record does is
/// left alone; `what` names it.
pub(super) fn write(
    session: &Session,
    path: &Path,
    (header, what): (&str, &str),
    text: &str,
) -> io::Result<()> {
    session.world.files.may_replace(path, header, what)?;
    session.world.files.write_whole(path, text.as_bytes())
}

/// Reads a record.
pub(super) fn read<S: Saved>(session: &mut Session, path: &Path) -> Result<(S, Source), NotLoaded> {
    let access = session.world.files.clone();
    let text = files::read_text(session, &access, path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => NotLoaded::Unfit(error.to_string()),
        _ => NotLoaded::Unreadable(error),
    })?;
    let source = Source::new(&path.display().to_string(), &text);
    let mut said = S::default();
    let faults = files::each_clause(session, source.clone(), |session, read| {
        let taken = match session.machine.heap.name_arity(read.root) {
            Some((name, arity, args)) => {
                let name = session.machine.symbols.shared(name);
                said.take(&mut Clause { session, name, arity, args, span: read.span })
            }
            None => Ok(false),
        };
        let known = taken.map_err(|why| unfit(&source, read.span, why))?;
        if known {
            return Ok(());
        }
        let record = Record::new(&mut session.machine.heap, read.root);
        let why = format!("`{}` is no clause of a record", shown(session, &record));
        Err(unfit(&source, read.span, why))
    })?;
    if faults.is_empty() { Ok((said, source)) } else { Err(NotLoaded::Syntax(faults)) }
}

/// What does not fit in a record, and where.
pub(super) fn unfit(source: &Source, span: Span, why: String) -> NotLoaded {
    NotLoaded::Syntax(vec![Diagnostic::error("E0706", why).at(source, span, "")])
}

/// A term as text.
pub(super) fn shown(session: &Session, record: &Record) -> String {
    term_text(&session.machine, &session.world, record)
}
