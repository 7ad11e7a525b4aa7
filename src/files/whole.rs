//! Atomic writing: a file takes its place when it is whole.

use super::Access;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

impl Access {
    /// Whether a file may be replaced: there is none, or one that begins as `header` says.
    ///
    /// # Errors
    /// There is one that is something else; `what` it is not.
    pub fn may_replace(&self, path: &Path, header: &str, what: &str) -> io::Result<()> {
        let path = self.to_change(path)?;
        if is_special(path) {
            let words = format!("it is a device or a pipe and no {what}");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
        }
        match self.beginning(path, header.len() as u64) {
            Ok(begin) if begin != header.as_bytes() => {
                let words = format!("it is there already and no {what}");
                Err(io::Error::new(io::ErrorKind::AlreadyExists, words))
            }
            _ => Ok(()),
        }
    }

    /// Whether a file can be written there at all, tried with another name in the same folder.
    pub fn try_to_write(&self, path: &Path) -> io::Result<()> {
        let path = self.to_change(path)?;
        if is_special(path) {
            return Ok(());
        }
        let beside = beside(&behind_links(path));
        File::create(&beside)?;
        fs::remove_file(&beside)
    }

    /// Writes a file, all of it or nothing; a device or a pipe is written into.
    pub fn write_whole(&self, path: &Path, text: &[u8]) -> io::Result<()> {
        let whole = self.begin(path)?;
        let mut file = whole.open()?;
        file.write_all(text)?;
        if whole.beside.is_some() {
            if let Ok(old) = whole.path.metadata() {
                file.set_permissions(old.permissions())?;
            }
            file.sync_all()?;
        }
        whole.keep()
    }

    /// Writes a file that a person asked for, all of it or nothing: one that is there already only by `force`.
    pub fn write_new(&self, path: &Path, text: &[u8], force: bool) -> io::Result<()> {
        self.may_create(path, force)?;
        self.write_whole(path, text)
    }

    /// Whether [`Access::write_new`] will succeed: known before long work, so that it is not in vain.
    ///
    /// # Errors
    /// [`Refused`](super::Refused); [`io::ErrorKind::AlreadyExists`] with advice; the I/O error.
    pub fn may_create(&self, path: &Path, force: bool) -> io::Result<()> {
        let path = self.to_change(path)?;
        if !force && !is_special(path) && path.symlink_metadata().is_ok() {
            let words = "it is there already; --force overwrites it";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, words));
        }
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        self.try_to_write(path)
    }

    /// Begins a file that takes its place when it is whole.
    pub fn begin(&self, path: &Path) -> io::Result<Whole> {
        let path = self.to_change(path)?;
        if is_special(path) {
            return Ok(Whole { path: path.to_owned(), beside: None });
        }
        let path = behind_links(path);
        let beside = beside(&path);
        File::create(&beside)?;
        Ok(Whole { path, beside: Some(beside) })
    }
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

/// A file in the making: it takes its place when it is whole, and is gone if it never is. A device or a pipe is
/// written into.
#[derive(Debug)]
pub struct Whole {
    path: PathBuf,
    beside: Option<PathBuf>,
}

impl Whole {
    /// The file, empty.
    pub fn open(&self) -> io::Result<File> {
        match &self.beside {
            Some(beside) => File::create(beside),
            None => OpenOptions::new().write(true).open(&self.path),
        }
    }

    /// The file is whole.
    pub fn keep(mut self) -> io::Result<()> {
        let Some(beside) = &self.beside else { return Ok(()) };
        fs::rename(beside, &self.path)?;
        self.beside = None;
        Ok(())
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            let _ = fs::remove_file(beside);
        }
    }
}
