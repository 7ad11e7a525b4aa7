//! Files of clauses that zug writes and reads: records of games, policies.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use zug_prolog::session::Session;
use zug_syntax::{ReadTerm, Reader};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::spelling::distance;

/// Whether a file may be written: there is none, or one that begins as `header` says.
///
/// # Errors
/// There is one that is something else; `what` it is not.
pub(super) fn may_write(path: &Path, header: &str, what: &str) -> io::Result<()> {
    if is_special(path) {
        let words = format!("it is a device or a pipe and no {what}");
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
    }
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

/// Whether a path names a device, a pipe or a socket: what is written into, never replaced.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Where a file is written before it takes its place.
fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.tmp", std::process::id()));
    beside.into()
}

/// The file that a path leads to, through symbolic links.
fn behind_links(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether a file can be written there at all, tried beside it.
///
/// # Errors
/// The I/O error.
pub(super) fn try_to_write(path: &Path) -> io::Result<()> {
    if is_special(path) {
        return Ok(());
    }
    let beside = beside(&behind_links(path));
    std::fs::File::create(&beside)?;
    std::fs::remove_file(&beside)
}

/// Writes a file, all of it or nothing; a device or a pipe is written into.
///
/// # Errors
/// The I/O error.
pub fn write_whole(path: &Path, text: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(text);
    }
    let path = behind_links(path);
    let beside = beside(&path);
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text)?;
        if let Ok(old) = path.metadata() {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        std::fs::rename(&beside, &path)
    });
    if written.is_err() {
        // It may not even have come into being.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// A file in the making: it takes its place when it is whole, and is gone if it never is. A device or a pipe is
/// written into.
pub(super) struct Whole {
    path: PathBuf,
    beside: Option<PathBuf>,
}

impl Whole {
    /// Begins a file.
    ///
    /// # Errors
    /// The I/O error.
    pub fn begin(path: &Path) -> io::Result<Whole> {
        if is_special(path) {
            return Ok(Whole { path: path.to_owned(), beside: None });
        }
        let path = behind_links(path);
        let beside = beside(&path);
        std::fs::File::create(&beside)?;
        Ok(Whole { path, beside: Some(beside) })
    }

    /// The file, empty.
    ///
    /// # Errors
    /// The I/O error.
    pub fn open(&self) -> io::Result<std::fs::File> {
        match &self.beside {
            Some(beside) => std::fs::File::create(beside),
            None => std::fs::OpenOptions::new().write(true).open(&self.path),
        }
    }

    /// The file is whole.
    ///
    /// # Errors
    /// The I/O error.
    pub fn keep(mut self) -> io::Result<()> {
        match self.beside.take() {
            Some(beside) => std::fs::rename(beside, &self.path),
            None => Ok(()),
        }
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            let _ = std::fs::remove_file(beside);
        }
    }
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

/// A rule file beside a missing one whose name is nearly the same.
pub fn nearest_file(name: &Path) -> Option<PathBuf> {
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
    let wanted = name.file_name()?.to_str()?;
    let mut near: Vec<(usize, String)> = std::fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            entry.file_type().is_ok_and(|kind| !kind.is_dir()).then_some(())?;
            entry.file_name().into_string().ok()
        })
        .filter_map(|other| {
            let stem = other.strip_suffix(".pl").unwrap_or(&other);
            let near =
                [&other, stem].into_iter().filter_map(|name| distance(name, wanted)).min()?;
            Some((near, other))
        })
        .collect();
    near.sort();
    let (_, other) = near.into_iter().next()?;
    Some(name.with_file_name(other))
}

/// Whether [`write_new`] would be let: asked before long work, so that it is not for nothing.
///
/// # Errors
/// As [`write_new`].
pub fn may_create(path: &Path, force: bool) -> io::Result<()> {
    if !force && !is_special(path) && path.symlink_metadata().is_ok() {
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    #[test]
    fn devices_stay_and_links_are_followed() {
        let folder = std::env::temp_dir().join(format!("zug-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let [socket, file, link] = ["socket", "file", "link"].map(|name| folder.join(name));
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        assert!(write_new(&socket, b"text", true).is_err(), "a socket can't be written so");
        let kind = socket.symlink_metadata().expect("it is there still").file_type();
        assert!(kind.is_socket());
        assert!(may_write(&socket, "header", "policy").is_err());
        std::fs::write(&file, "old").expect("written");
        symlink(&file, &link).expect("a link");
        assert!(write_new(&link, b"new", false).is_err());
        write_new(&link, b"new", true).expect("written");
        assert_eq!(std::fs::read(&file).expect("read"), b"new");
        assert!(link.symlink_metadata().expect("there").file_type().is_symlink());
        assert!(write_new(Path::new("/dev/null"), b"text", false).is_ok());
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
