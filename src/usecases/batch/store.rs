//! The results file and its journal: what is written stays, whatever happens to the process.
//!
//! The lines of a file are appended to the results in one write, in the order of the input. What
//! is finished before its turn goes to the journal beside it, `FILE.journal`, and is copied over
//! when its turn comes. Killed at any moment, both files begin with whole groups of lines; at
//! most the last group is torn, and [`Store::resume`] leaves it out.
//!
//! Invariants: nobody else has the results file open for writing (a lock); the journal begins
//! with the same `start` line as the results.

use super::lines::{FileLine, Head, StartLine, line};
use std::fs::File;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zug_files::{Access, Change};

/// Which of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StoreFile {
    Results,
    Journal,
}

/// Where the lines of a file stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    which: StoreFile,
    start: u64,
    length: u64,
}

/// A group of lines that was read again.
#[derive(Clone, Debug)]
pub struct StoredGroup {
    /// What closes it.
    pub file: FileLine,
    /// Where it stands.
    pub place: LineRange,
}

impl StoredGroup {
    /// Whether it stands in the results file itself.
    pub fn in_results(&self) -> bool {
        self.place.which == StoreFile::Results
    }
}

/// A results file being written.
pub struct Store {
    path: PathBuf,
    start: StartLine,
    results: File,
    /// Bytes of the results that are whole.
    written: u64,
    journal: Option<File>,
    journaled: u64,
}

/// Why a batch can't write, or go on with, a results file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is there already.
    #[error("`{}` is there already; --resume goes on with it, --force overwrites it", .0.display())]
    Exists(PathBuf),
    /// Another process has it.
    #[error("another batch is writing `{}`", .0.display())]
    Busy(PathBuf),
    /// It was written by something else.
    #[error(
        "`{}` has no results of a batch: its first line is not a `start` record of zug batch; it is \
         left as it is", .0.display()
    )]
    Foreign(PathBuf),
    /// It was written under other options.
    #[error("`{path}` was written with other options: {what}", path = .0.display(), what = .1)]
    Options(PathBuf, String),
    /// It can't be opened to be written.
    #[error("can't write `{path}`: {error}", path = .0.display(), error = .1)]
    Unopened(PathBuf, Error),
    /// It can't be written or read.
    #[error("can't write `{path}`: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, Error),
}

impl Store {
    /// Begins a results file.
    ///
    /// # Errors
    /// It is there and not to be overwritten, or can't be written.
    pub fn create(
        path: &Path,
        start: &StartLine,
        force: bool,
    ) -> std::result::Result<Store, StoreError> {
        if path.symlink_metadata().is_ok() {
            if !force {
                return Err(StoreError::Exists(path.to_owned()));
            }
            if path.metadata().is_ok_and(|data| data.is_file()) {
                let known = is_ours(path, start);
                if !known.map_err(|error| StoreError::Io(path.to_owned(), error))? {
                    return Err(StoreError::Foreign(path.to_owned()));
                }
            }
        }
        let mut store = Store::open(path, start, !force)?;
        store.begin().map_err(|error| StoreError::Io(path.to_owned(), error))?;
        Ok(store)
    }

    /// Opens the results; `new`: only where there is nothing of this name.
    fn open(path: &Path, start: &StartLine, new: bool) -> std::result::Result<Store, StoreError> {
        let failed = |error| StoreError::Io(path.to_owned(), error);
        let special = path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir());
        if special {
            let words = "it is a device or a pipe; without --out results go to standard output";
            return Err(failed(Error::new(ErrorKind::InvalidInput, words)));
        }
        for ending in [JOURNAL, ASIDE] {
            let beside = beside(path, ending);
            let there = beside.symlink_metadata().is_ok();
            let ours = |path: &Path| is_ours(path, start);
            if there && !ours(&beside).map_err(|error| StoreError::Io(beside.clone(), error))? {
                return Err(StoreError::Foreign(beside));
            }
        }
        let change = if new { Change::New } else { Change::Keep };
        let results = Access::FREE.open_to(change, path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => StoreError::Exists(path.to_owned()),
            _ => StoreError::Unopened(path.to_owned(), error),
        })?;
        if !lock(&results).map_err(failed)? {
            return Err(StoreError::Busy(path.to_owned()));
        }
        Ok(Store {
            path: path.to_owned(),
            start: start.clone(),
            results,
            written: 0,
            journal: None,
            journaled: 0,
        })
    }

    /// Empties the file and writes the first line.
    fn begin(&mut self) -> Result<()> {
        match Access::FREE.remove(&self.journal_path()) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        self.results.set_len(0)?;
        self.written = 0;
        let start = line("start", &self.start);
        self.append(&start)
    }

    /// Goes on with a results file, or begins it where there is none: what it has, that of the
    /// results first, in order.
    ///
    /// # Errors
    /// It is no results file, or one of other options; or it can't be read.
    pub fn resume(
        path: &Path,
        start: &StartLine,
    ) -> std::result::Result<(Store, Vec<StoredGroup>), StoreError> {
        let failed = |error| StoreError::Io(path.to_owned(), error);
        let mut store = Store::open(path, start, false)?;
        let first = line("start", start);
        let mut begun = String::new();
        let mut reader = BufReader::new(&store.results);
        let read = reader.by_ref().take(1 << 20).read_line(&mut begun);
        if read.as_ref().is_err_and(|error| error.kind() == ErrorKind::InvalidData) {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        read.map_err(failed)?;
        if first.starts_with(&begun) && begun.len() < first.len() {
            // Killed before anything was done.
            store.begin().map_err(failed)?;
            return Ok((store, Vec::new()));
        }
        let old: StartLine = match serde_json::from_str(&begun) {
            Ok(old) => old,
            Err(_) => return Err(StoreError::Foreign(path.to_owned())),
        };
        if old.command != start.command {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        if let Some(difference) = difference(&old, start) {
            return Err(StoreError::Options(path.to_owned(), difference));
        }
        let mut kept = groups(&store.results, StoreFile::Results).map_err(failed)?;
        if let Ok(journal) = Access::FREE.open_to(Change::Existing, &store.journal_path()) {
            let mut begun = String::new();
            let read = BufReader::new(&journal).read_line(&mut begun);
            if read.is_ok() && begun == first {
                kept.extend(groups(&journal, StoreFile::Journal).map_err(failed)?);
            }
            store.journaled = journal.metadata().map_err(failed)?.len();
            store.journal = Some(journal);
        }
        store.written = first.len() as u64;
        Ok((store, kept))
    }

    /// Of what [`Store::resume`] found, the first `stay` groups of the results stay where they
    /// are; the others are put aside to wait for their turn, and all else is left out. Where they
    /// are now.
    ///
    /// # Errors
    /// The I/O error; nothing is lost then.
    pub fn keep(&mut self, stay: &[StoredGroup], others: &[StoredGroup]) -> Result<Vec<LineRange>> {
        let aside = self.aside_path();
        let mut places = Vec::new();
        let mut new = None;
        let mut length = 0;
        if !others.is_empty() {
            let mut file = Access::FREE.open_to(Change::Empty, &aside)?;
            let start = line("start", &self.start);
            file.write_all(start.as_bytes())?;
            length = start.len() as u64;
            for kept in others {
                let text = self.read(kept.place)?;
                file.write_all(text.as_bytes())?;
                let bytes = text.len() as u64;
                places.push(LineRange { which: StoreFile::Journal, start: length, length: bytes });
                length += bytes;
            }
            file.sync_all()?;
            Access::FREE.rename(&aside, &self.journal_path())?;
            new = Some(file);
        }
        let end = stay.last().map(|kept| kept.place.start + kept.place.length);
        self.written = end.unwrap_or(self.written);
        self.results.set_len(self.written)?;
        if new.is_none() {
            // An old journal has nothing left that is wanted.
            let _ = Access::FREE.remove(&self.journal_path());
        }
        (self.journal, self.journaled) = (new, length);
        Ok(places)
    }

    fn journal_path(&self) -> PathBuf {
        beside(&self.path, JOURNAL)
    }

    fn aside_path(&self) -> PathBuf {
        beside(&self.path, ASIDE)
    }

    /// Writes lines behind the results.
    ///
    /// # Errors
    /// The I/O error; the results are then as before, as far as that can be had.
    pub fn append(&mut self, text: &str) -> Result<()> {
        self.results.seek(SeekFrom::Start(self.written))?;
        let written = self.results.write_all(text.as_bytes());
        if written.is_err() {
            // What stays of it is torn, and `resume` sees that.
            let _ = self.results.set_len(self.written);
        }
        written?;
        self.written += text.len() as u64;
        Ok(())
    }

    /// Writes lines to the journal, until their turn comes.
    ///
    /// # Errors
    /// As [`Store::append`].
    pub fn put_aside(&mut self, text: &str) -> Result<LineRange> {
        if self.journal.is_none() {
            let mut journal = Access::FREE.open_to(Change::Empty, &self.journal_path())?;
            let start = line("start", &self.start);
            journal.write_all(start.as_bytes())?;
            self.journaled = start.len() as u64;
            self.journal = Some(journal);
        }
        let start = self.journaled;
        let Some(journal) = &mut self.journal else { return Err(Error::other("no journal")) };
        journal.seek(SeekFrom::Start(start))?;
        let written = journal.write_all(text.as_bytes());
        if written.is_err() {
            let _ = journal.set_len(start);
        }
        written?;
        let length = text.len() as u64;
        self.journaled += length;
        Ok(LineRange { which: StoreFile::Journal, start, length })
    }

    /// Lines that were written.
    ///
    /// # Errors
    /// The I/O error.
    pub fn read(&mut self, place: LineRange) -> Result<String> {
        let file = match place.which {
            StoreFile::Results => Some(&mut self.results),
            StoreFile::Journal => self.journal.as_mut(),
        };
        let file = file.ok_or_else(|| Error::other("no journal"))?;
        file.seek(SeekFrom::Start(place.start))?;
        let mut text = String::new();
        file.take(place.length).read_to_string(&mut text)?;
        Ok(text)
    }

    /// Takes note that all of the journal stands in the results: it is emptied.
    ///
    /// # Errors
    /// The I/O error.
    pub fn journal_is_done(&mut self) -> Result<()> {
        let first = line("start", &self.start).len() as u64;
        if let Some(journal) = &mut self.journal
            && self.journaled > first
        {
            journal.set_len(first)?;
            self.journaled = first;
        }
        Ok(())
    }

    /// Ends the results with their last line. `whole`: nothing waits in the journal, which goes.
    ///
    /// # Errors
    /// The I/O error.
    pub fn end(&mut self, last: &str, whole: bool) -> Result<()> {
        self.append(last)?;
        self.results.sync_all()?;
        if whole && self.journal.take().is_some() {
            Access::FREE.remove(&self.journal_path())?;
        }
        Ok(())
    }
}

/// In what two runs differ that would make other results.
fn difference(old: &StartLine, new: &StartLine) -> Option<String> {
    if old.version != new.version {
        return Some(format!("it is of zug {}, this is zug {}", old.version, new.version));
    }
    if old.seed != new.seed {
        return Some(format!("seed was {}, now {}", old.seed, new.seed));
    }
    let names = old.options.keys().chain(new.options.keys());
    let mut different: Vec<String> = names
        .filter(|name| old.options.get(*name) != new.options.get(*name))
        .map(|name| {
            let value = |options: &std::collections::BTreeMap<String, serde_json::Value>| {
                options.get(name).map_or("not given".to_owned(), ToString::to_string)
            };
            format!("{name} was {}, now {}", value(&old.options), value(&new.options))
        })
        .collect();
    different.sort();
    different.dedup();
    (!different.is_empty()).then(|| different.join("; ").replace('"', ""))
}

/// What is put behind the name of the results for the journal, …
const JOURNAL: &str = ".journal";
/// … and for a new one that is to take its place.
const ASIDE: &str = ".journal.new";

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Whether a file was begun by a batch: it is empty, or its first line is a `start` record of
/// one, perhaps torn.
fn is_ours(path: &Path, start: &StartLine) -> Result<bool> {
    if !path.metadata()?.is_file() {
        return Ok(false);
    }
    let mut begun = Vec::new();
    BufReader::new(Access::FREE.open(path)?).take(1 << 20).read_until(b'\n', &mut begun)?;
    if begun.ends_with(b"\n") {
        let head: Option<Head> = serde_json::from_slice(&begun).ok();
        let old: Option<StartLine> = serde_json::from_slice(&begun).ok();
        let is_start = head.is_some_and(|head| head.record == "start");
        return Ok(is_start && old.is_some_and(|old| old.command == start.command));
    }
    // As far as the first line is the same whatever the version and the options.
    let own = line("start", start);
    let same = own.find("\"version\"").unwrap_or(0);
    let length = begun.len().min(same);
    Ok(begun[..length] == own.as_bytes()[..length])
}

/// The whole groups of lines in a file.
fn groups(file: &File, which: StoreFile) -> Result<Vec<StoredGroup>> {
    let mut file = file;
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(file);
    let mut found = Vec::new();
    let (mut at, mut start, mut results) = (0, 0, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes)? as u64;
        if bytes.last() != Some(&b'\n') {
            return Ok(found);
        }
        at += length;
        let head: Option<Head> = serde_json::from_slice(&bytes).ok();
        match head.as_ref().map(|head| &*head.record) {
            Some("result") => {
                results += 1;
                continue;
            }
            Some("file") => {
                let file: Option<FileLine> = serde_json::from_slice(&bytes).ok();
                if let Some(file) = file.filter(|file| file.results == results) {
                    let place = LineRange { which, start, length: at - start };
                    found.push(StoredGroup { file, place });
                }
            }
            _ => {}
        }
        (start, results) = (at, 0);
    }
}

/// Takes the only lock there is on a file; `false` if somebody else has it.
#[cfg(unix)]
fn lock(file: &File) -> Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        // A file system without locks.
        Err(rustix::io::Errno::NOTSUP | rustix::io::Errno::NOLCK | rustix::io::Errno::NOSYS) => {
            Ok(true)
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn lock(_: &File) -> Result<bool> {
    Ok(true)
}
