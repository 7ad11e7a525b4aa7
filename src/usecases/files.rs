//! Files of clauses that zug writes and reads: records of games, policies.

use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::source::Source;
use crate::syntax::{ReadOptions, ReadTerm, Reader};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Whether a file may be written: there is none, or one that begins as `header` says.
///
/// # Errors
/// There is one that is something else; `what` it is not.
pub(super) fn may_write(path: &Path, header: &str, what: &str) -> io::Result<()> {
    if let Ok(mut file) = std::fs::File::open(path) {
        let mut start = vec![0; header.len()];
        let same = file.read_exact(&mut start).is_ok() && start == header.as_bytes();
        if !same {
            let words = format!("it is there already and no {what}");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
        }
    }
    Ok(())
}

/// Where a file is written before it takes its place.
fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.tmp", std::process::id()));
    beside.into()
}

/// Whether a file can be written there at all, tried beside it.
///
/// # Errors
/// The I/O error.
pub(super) fn try_to_write(path: &Path) -> io::Result<()> {
    let beside = beside(path);
    std::fs::File::create(&beside)?;
    std::fs::remove_file(&beside)
}

/// Writes a file, all of it or nothing.
///
/// # Errors
/// The I/O error.
pub(super) fn write_whole(path: &Path, text: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    });
    if written.is_err() {
        // It may not even have come into being.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Writes a file that a person asked for, all of it or nothing: one that is there already
/// only by `force`.
///
/// # Errors
/// The I/O error; [`io::ErrorKind::AlreadyExists`] with advice.
pub fn write_new(path: &Path, text: &[u8], force: bool) -> io::Result<()> {
    may_create(path, force)?;
    write_whole(path, text)
}

/// Whether [`write_new`] would be let: asked before long work, so that it is not for nothing.
///
/// # Errors
/// As [`write_new`].
pub fn may_create(path: &Path, force: bool) -> io::Result<()> {
    if !force && path.symlink_metadata().is_ok() {
        let words = "it is there already; --force overwrites it";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
    }
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    try_to_write(path)
}

/// Reads the clauses of a text; `take` gets each of them. What
/// it is told not to be right with one ends it; faults in the text do not.
///
/// # Errors
/// What `take` says of a clause.
pub(super) fn each_clause<E>(
    session: &mut Session,
    source: Source,
    mut take: impl FnMut(&mut Session, &ReadTerm) -> Result<(), E>,
) -> Result<Vec<Diagnostic>, E> {
    let options = ReadOptions {
        double_quotes: session.world.flags.double_quotes,
        back_quotes: session.world.flags.back_quotes,
    };
    let mut reader = Reader::new(source);
    let mut faults = Vec::new();
    loop {
        let m = &mut session.machine;
        let run = m.open();
        let clause = reader.next(&mut m.heap, &mut m.symbols, &session.world.operators, &options);
        let taken = match clause {
            Ok(None) => {
                m.abandon(run);
                return Ok(faults);
            }
            Ok(Some(term)) => take(session, &term),
            Err(fault) => {
                faults.push(fault.diagnostic);
                Ok(())
            }
        };
        session.machine.abandon(run);
        taken?;
    }
}
