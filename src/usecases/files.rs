//! Files of clauses that zug reads, as records of games and policies, and names of files that were mistyped.

use std::io;
use std::path::{Path, PathBuf};
use zug_files::{Access, MOST_BYTES};
use zug_machine::{Fault, StopReason};
use zug_prolog::session::Session;
use zug_syntax::{ReadTerm, Reader};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::spelling::distance;

/// A file that something is to be written to: a base or a certificate.
#[derive(Clone, Debug)]
pub struct FileTo {
    /// The file.
    pub path: PathBuf,
    /// A certificate that is there, or a base of other rules, is replaced.
    pub force: bool,
}

impl From<&str> for FileTo {
    fn from(path: &str) -> FileTo {
        FileTo { path: path.into(), force: false }
    }
}

impl FileTo {
    /// The same, replacing by `force`.
    pub fn forced(self, force: bool) -> FileTo {
        FileTo { force, ..self }
    }
}

/// The text of a file, within the limits of the session.
///
/// # Errors
/// The refusal of a sandbox, a limit, the I/O error, or that it is no text.
pub(super) fn read_text(session: &mut Session, access: &Access, path: &Path) -> io::Result<String> {
    let m = &mut session.machine;
    let read = access.read_polled(path, MOST_BYTES, |bytes| {
        m.keep_going()?;
        m.room_for(bytes)
    });
    let bytes = read.unwrap_or_else(|fault| {
        Err(match fault {
            Fault::Stopped(StopReason::Interrupted) => io::ErrorKind::Interrupted.into(),
            Fault::Stopped(_) => io::Error::new(io::ErrorKind::TimedOut, "the time is up"),
            _ => io::Error::new(
                io::ErrorKind::OutOfMemory,
                "it needs more memory than `--memory` allows",
            ),
        })
    })?;
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
}

/// A rule file beside a missing one whose name is nearly the same.
pub fn nearest_file(name: &Path) -> Option<PathBuf> {
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
    let wanted = name.file_name()?.to_str()?;
    let entries = Access::FREE.list(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<String> = entries
        .iter()
        .filter_map(|entry| {
            entry.file_type().is_ok_and(|kind| !kind.is_dir()).then_some(())?;
            entry.file_name().into_string().ok()
        })
        .collect();
    names.sort();
    let mut near: Vec<(usize, &String)> = names
        .iter()
        .filter_map(|other| {
            let stem = other.strip_suffix(".pl").unwrap_or(other);
            let near = [other.as_str(), stem]
                .into_iter()
                .filter_map(|name| distance(name, wanted))
                .min()?;
            Some((near, other))
        })
        .collect();
    near.sort();
    let same = || names.iter().find(|other| begins_alike(other, wanted)).cloned();
    let other = near.into_iter().next().map(|(_, other)| other.clone()).or_else(same)?;
    Some(name.with_file_name(other))
}

/// Whether most letters of the shorter of two names are how the other one begins: `connect4`, `connect_four`.
fn begins_alike(name: &str, other: &str) -> bool {
    let letters = |name: &str| -> Vec<char> {
        let stem = name.strip_suffix(".pl").unwrap_or(name);
        stem.chars().filter(|c| c.is_alphabetic()).map(|c| c.to_ascii_lowercase()).collect()
    };
    let (a, b) = (letters(name), letters(other));
    let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    common >= 4 && common * 4 >= a.len().min(b.len()) * 3
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
    let options = session.world.flags.read_options();
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
