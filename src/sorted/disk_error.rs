//! What can be wrong with a folder of layers: [`DiskError`].

use std::io;
use std::path::{Path, PathBuf};

/// Why a folder of layers can't be opened, read or written. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// It has other files in it.
    #[error("`{}` has files in it and is no folder of layers; take another folder, or an empty one", .0.display())]
    Foreign(PathBuf),
    /// Layers of other rules, or from another start, are in it.
    #[error("`{}` has layers of {found} in it, and not of {own}; take another folder, or empty this one", .path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// What it has layers of.
        found: String,
        /// What was asked for.
        own: String,
    },
    /// It was written by another version.
    #[error("`{}` has layers of format {found} in it, and this zug reads format {own}; empty it", .path.display())]
    Format {
        /// The folder.
        path: PathBuf,
        /// The format found.
        found: String,
        /// The format of this version.
        own: u32,
    },
    /// A file is not what was written.
    #[error("`{}` is damaged: {}; empty its folder, and begin again", .0.display(), .1)]
    Damaged(PathBuf, &'static str),
    /// Another process writes into it.
    #[error("another process writes into `{}`; try again when it is done", .0.display())]
    Busy(PathBuf),
    /// States have no bytes, or too many.
    #[error("states of these rules are too large to be kept in files")]
    TooLarge,
    /// An error of the system.
    #[error("can't {} `{}`: {}", .0, .1.display(), .2)]
    Io(&'static str, PathBuf, io::Error),
}

impl DiskError {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl Fn(io::Error) -> DiskError {
        move |error| DiskError::Io(what, path.to_owned(), error)
    }
}
