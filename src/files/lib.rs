//! File access: the gateway through which the workspace opens, lists, changes and removes files.
//!
//! An [`Access`] is a capability. [`Access::FREE`] is that of the person who started the process, for paths on the
//! command line. [`Access::sandbox`] is that of rules, prompts, play commands and messages of clients in a sandbox: it
//! opens rule files at or below a root folder, and refuses all other paths, whether a file is there or not.
//!
//! **Invariants.** No other code of the workspace opens files (`tests/command/gateway.rs` checks the sources). A path
//! that passes the sandbox is opened by its canonical name, so that a symbolic link that changes meanwhile leads
//! nowhere else. Reading is bounded in size, and polls the [watchdog]: a pipe that never ends obeys limits.

mod bounded;
mod whole;

pub use bounded::MOST_BYTES;
pub use whole::Whole;

use std::convert::Infallible;
use std::fmt;
use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use zug_term::watchdog;

/// Endings of the names of rule files.
const RULES: [&str; 3] = ["pl", "pro", "prolog"];
/// The ending of test files, which are loaded with the rule file of the same name.
const TESTS: &str = "plt";

/// Whether the name of a file is that of a rule file.
pub fn is_rule_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| RULES.iter().any(|one| ending == *one))
}

/// Whether the name of a file is that of a rule file or of a test file.
pub fn is_loadable_name(path: &Path) -> bool {
    is_rule_name(path) || path.extension().is_some_and(|ending| ending == TESTS)
}

/// Whether a name is hidden, by convention of the system.
pub fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

/// The files that may be opened, and what for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The canonical root folder of a sandbox; `None`: no sandbox.
    root: Option<PathBuf>,
}

/// The ways of opening a file to change it, other than [`Access::create`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Writing starts at its end. It is made if it is not there.
    Append,
    /// Writing starts at its beginning, over what it has. It is made if it is not there.
    Overwrite,
    /// To read and write what it has. It is made if it is not there.
    Keep,
    /// To read and write; what it has is gone. It is made if it is not there.
    Empty,
    /// To read and write; it must not be there.
    New,
    /// To read and write; it must be there.
    Existing,
}

/// A path that a sandbox refuses; the source of the [`io::Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the sandbox opens rule files of its folder only, and writes none")
    }
}

impl std::error::Error for Refused {}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, refused)
    }
}

/// Whether an error is the refusal of a sandbox.
pub fn is_refused(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|source| source.is::<Refused>())
}

/// What a sandbox refuses is [`Refused`]; other errors are those of the system.
impl Access {
    /// Access to all that the system allows: for paths that the person who started the process named.
    pub const FREE: Access = Access { root: None };

    /// Access to the rule files at or below a folder, to read them; with an empty path to no file at all.
    pub fn sandbox(root: &Path) -> Access {
        let is_none = root.as_os_str().is_empty();
        let real = || root.canonicalize().unwrap_or_else(|_| plain(root));
        Access { root: Some(if is_none { PathBuf::new() } else { real() }) }
    }

    /// Whether this is the access of a sandbox.
    pub fn is_sandbox(&self) -> bool {
        self.root.is_some()
    }

    /// The path to open for reading: the canonical one in a sandbox.
    ///
    /// # Errors
    /// [`Refused`], or [`io::ErrorKind::NotFound`] for a rule file that the sandbox would open.
    fn to_read(&self, path: &Path) -> io::Result<PathBuf> {
        let Some(root) = &self.root else { return Ok(path.to_owned()) };
        let real = canonical(path);
        if !is_open(root, &real) {
            return Err(Refused.into());
        }
        match real.symlink_metadata() {
            Ok(found) if found.is_file() => Ok(real),
            // A link that leads nowhere, a folder, a device or a pipe.
            Ok(_) => Err(Refused.into()),
            Err(error) => Err(error),
        }
    }

    /// The path to change.
    fn to_change<'p>(&self, path: &'p Path) -> io::Result<&'p Path> {
        if self.is_sandbox() { Err(Refused.into()) } else { Ok(path) }
    }

    /// Whether a path may be read, if something is there.
    pub fn allows(&self, path: &Path) -> bool {
        !self.to_read(path).is_err_and(|error| is_refused(&error))
    }

    /// Opens a file to read parts of it.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        File::open(self.to_read(path)?)
    }

    /// Opens a file to change it.
    pub fn open_to(&self, change: Change, path: &Path) -> io::Result<File> {
        let path = self.to_change(path)?;
        let mut options = OpenOptions::new();
        match change {
            Change::Append => options.append(true).create(true),
            Change::Overwrite => options.write(true).create(true).truncate(false),
            Change::Keep => options.read(true).write(true).create(true).truncate(false),
            Change::Empty => options.read(true).write(true).create(true).truncate(true),
            Change::New => options.read(true).write(true).create_new(true),
            Change::Existing => options.read(true).write(true),
        };
        options.open(path)
    }

    /// Opens a file to write it, empty.
    pub fn create(&self, path: &Path) -> io::Result<File> {
        File::create(self.to_change(path)?)
    }

    /// The bytes of a file, at most [`MOST_BYTES`].
    ///
    /// # Errors
    /// [`Refused`], the I/O error, or [`io::ErrorKind::FileTooLarge`].
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_at_most(path, MOST_BYTES)
    }

    /// The bytes of a file that has no more than `most`.
    pub fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let polled = self.read_polled(path, most, |_| {
            watchdog::poll();
            Ok::<(), Infallible>(())
        });
        polled.unwrap_or_else(|never| match never {})
    }

    /// The bytes of a file or of the standard input, at most `most`. `poll` learns how many bytes there are, before
    /// memory is taken for them, and while a pipe or a device makes the caller wait.
    ///
    /// # Errors
    /// That of `poll`; within, [`Refused`] or the I/O error.
    pub fn read_polled<E>(
        &self,
        path: &Path,
        most: u64,
        poll: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<io::Result<Vec<u8>>, E> {
        match self.to_read(path) {
            Ok(path) => bounded::read(&path, most, poll),
            Err(error) => Ok(Err(error)),
        }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// As [`Access::read`]; [`io::ErrorKind::InvalidData`] for what is not UTF-8.
    pub fn read_text(&self, path: &Path) -> io::Result<String> {
        let text = String::from_utf8(self.read(path)?);
        text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
    }

    /// The first bytes of a file.
    pub fn beginning(&self, path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
        let mut begin = Vec::new();
        self.open(path)?.take(bytes).read_to_end(&mut begin)?;
        Ok(begin)
    }

    /// The metadata of what a path leads to.
    pub fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        fs::metadata(self.to_read(path)?)
    }

    /// Whether a path leads to a file that may be read.
    pub fn is_file(&self, path: &Path) -> bool {
        self.metadata(path).is_ok_and(|found| found.is_file())
    }

    /// The entries of a folder, sorted by name.
    pub fn list(&self, folder: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries: Vec<DirEntry> =
            fs::read_dir(self.to_change(folder)?)?.collect::<io::Result<_>>()?;
        entries.sort_by_key(DirEntry::file_name);
        Ok(entries)
    }

    /// Removes a file.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(self.to_change(path)?)
    }

    /// Gives a file another name.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(self.to_change(from)?, self.to_change(to)?)
    }

    /// Makes a folder.
    pub fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(self.to_change(path)?)
    }

    /// Makes a folder and those that it is in.
    pub fn make_folders(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(self.to_change(path)?)
    }

    /// Makes a folder that no other user of the machine can look into.
    pub fn make_private_folder(&self, path: &Path) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(self.to_change(path)?)
    }

    /// Removes an empty folder.
    pub fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(self.to_change(path)?)
    }

    /// Removes a folder with all in it.
    pub fn remove_tree(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir_all(self.to_change(path)?)
    }
}

/// Whether a canonical path is a rule file of a sandbox: nothing on the way from the root is hidden.
fn is_open(root: &Path, real: &Path) -> bool {
    if root.as_os_str().is_empty() {
        return false;
    }
    let Ok(below) = real.strip_prefix(root) else { return false };
    let mut parts = below.components();
    parts.all(|part| matches!(part, Component::Normal(name) if !is_hidden(name)))
        && is_loadable_name(real)
}

/// A path from the root of the file system on, without `.` and `..`, by its text alone.
fn plain(path: &Path) -> PathBuf {
    normalized(&std::env::current_dir().unwrap_or_default().join(path))
}

/// A path without `.` and `..`, by its text alone.
pub fn normalized(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    whole
}

/// The path behind all links; of a file that is not there, that of its folder with its name.
pub fn canonical(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => plain(path),
    }
}

#[cfg(test)]
mod tests;
