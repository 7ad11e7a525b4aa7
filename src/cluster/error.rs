//! What can go wrong between processes, and with what they keep.

use crate::control::Ended;
use std::io;
use std::path::{Path, PathBuf};

/// Why the processes don't come together. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The file of hosts can't be read.
    #[error("can't read `{}`: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    /// A line of it is no address.
    #[error("line {line} of `{}` is `{text}`, and no address: {why}; an address is HOST:PORT, as `127.0.0.1:4000`", .path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What stands there.
        text: String,
        /// What is wrong.
        why: String,
    },
    /// It has no address.
    #[error("`{}` has no address in it; each line is HOST:PORT, of one process after the other", .0.display())]
    NoHosts(PathBuf),
    /// There is no process of this number.
    #[error("there is no process {process}: `{}` has {count} of them, 0 to {}", .path.display(), .count - 1)]
    NoSuchProcess {
        /// The number given.
        process: usize,
        /// How many there are.
        count: usize,
        /// The file.
        path: PathBuf,
    },
    /// This process can't listen where the others look for it.
    #[error("process {process} can't listen on {address}: {error}{hint}")]
    Listen {
        /// This process.
        process: usize,
        /// Its address.
        address: String,
        /// What the system says.
        error: io::Error,
        /// What may be the cause.
        hint: &'static str,
    },
    /// Others never came up.
    #[error(
        "{waited} after the start {missing} not there; are all processes started, with the same file of hosts?"
    )]
    Absent {
        /// How long was waited.
        waited: String,
        /// Which, with "is" or "are".
        missing: String,
    },
    /// A process ended before all were connected.
    #[error("process {process} ({address}) has ended: {why}")]
    Parted {
        /// The process.
        process: usize,
        /// Its address.
        address: String,
        /// Its error.
        why: String,
    },
    /// What answers is none of the processes.
    #[error("what answers on {address} is not process {process} of this run: {why}")]
    Stranger {
        /// The process that should be there.
        process: usize,
        /// Its address.
        address: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Another process was started otherwise.
    #[error(
        "{what} of process {process} ({address}) is not that of process {own}: {theirs} there, {ours} here"
    )]
    Differs {
        /// What differs.
        what: &'static str,
        /// The other process.
        process: usize,
        /// Its address.
        address: String,
        /// This process.
        own: usize,
        /// What the other one has.
        theirs: String,
        /// What this one has.
        ours: String,
    },
    /// The wait was interrupted.
    #[error("interrupted while waiting for other processes")]
    Interrupted,
    /// An error of the system.
    #[error("can't {0}: {1}")]
    Io(&'static str, io::Error),
}

/// What is wrong with layers in files. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// A file is none of layers.
    #[error("`{}` is no file of layers; take another folder", .0.display())]
    Foreign(PathBuf),
    /// It was written in another run.
    #[error("`{}` was written in a run of which {what} was another: {theirs} there, {ours} here; take another folder, or empty this one", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What was another.
        what: &'static str,
        /// What it was.
        theirs: String,
        /// What it is.
        ours: String,
    },
    /// Another process writes to it.
    #[error("another process writes to `{}`; try again when it is done", .0.display())]
    Busy(PathBuf),
    /// It was right before, and is no more.
    #[error("`{}` was changed while it was read", .0.display())]
    Changed(PathBuf),
    /// An error of the system.
    #[error("can't {} `{}`: {}", .0, .1.display(), .2)]
    Io(&'static str, PathBuf, io::Error),
}

impl KeptError {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl Fn(io::Error) -> KeptError {
        move |error| KeptError::Io(what, path.to_owned(), error)
    }
}

/// Why a search came to no end of its own.
#[derive(Debug)]
pub enum SearchEnd<E> {
    /// An operation failed, in this worker.
    Failed(E),
    /// Another process, or another worker, ended it.
    Ended(Ended),
    /// Files of this worker.
    Kept(KeptError),
}

impl<E> From<Ended> for SearchEnd<E> {
    fn from(ended: Ended) -> Self {
        SearchEnd::Ended(ended)
    }
}

impl<E> From<KeptError> for SearchEnd<E> {
    fn from(error: KeptError) -> Self {
        SearchEnd::Kept(error)
    }
}
