//! What can be wrong with a base: [`BaseError`].

use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// Why a base can't be opened, read or written. The message names the file and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BaseError {
    /// There is no such file.
    #[error("there is no base `{}`; `zug solve FILE --save {}` makes one", .0.display(), .0.display())]
    Missing(PathBuf),
    /// It is a folder.
    #[error("`{}` is a folder, not a base", .0.display())]
    Folder(PathBuf),
    /// It is a file of another kind.
    #[error("`{}` is no base of zug: {}", .0.display(), .1)]
    Foreign(PathBuf, &'static str),
    /// It is a database in which nothing was ever kept.
    #[error("nothing was ever kept in `{}`; `zug solve FILE --save {}` does so", .0.display(), .0.display())]
    Empty(PathBuf),
    /// It is a base of another format.
    #[error(
        "`{}` is a base of format {found}, and this zug reads format {own}; {}",
        .path.display(),
        if found > own { "take a newer zug, or another file" }
        else { "make it again: --save with --force" }
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format of this version.
        own: u32,
    },
    /// It was made of other rules.
    #[error(
        "`{}` was made of other rules: of `{rules}` with fingerprint {found}, and these rules have \
         {own}; {advice}",
        .path.display()
    )]
    Rules {
        /// The file.
        path: PathBuf,
        /// The rule file it was made of.
        rules: String,
        /// The fingerprint of its rules.
        found: String,
        /// The fingerprint of the rules that are loaded.
        own: String,
        /// What to do.
        advice: &'static str,
    },
    /// It has nothing of the kind that is asked for.
    #[error("`{}` has {has} in it, no {wanted}", .path.display())]
    Contents {
        /// The file.
        path: PathBuf,
        /// What it has.
        has: &'static str,
        /// What was wanted.
        wanted: &'static str,
    },
    /// It is damaged.
    #[error("`{}` is damaged: {}; make it again: --save with --force", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// Another process has it open.
    #[error("`{}` is in use by another process that writes it, or reads it while this one would write; try again when it is done", .0.display())]
    Busy(PathBuf),
    /// The disk is full.
    #[error(
        "can't write `{}`: the disk is full; what was written before is whole, and with more room \
         the same command goes on",
        .0.display()
    )]
    Full(PathBuf),
    /// Another error of the system.
    #[error("can't {} `{}`: {}", .0, .1.display(), .2)]
    Io(&'static str, PathBuf, io::Error),
}

impl BaseError {
    /// Whether it lies in what was asked for, and not in what happened on the way.
    pub fn is_usage(&self) -> bool {
        match self {
            BaseError::Full(_) => false,
            BaseError::Io(_, _, error) => matches!(
                error.kind(),
                ErrorKind::NotFound
                    | ErrorKind::PermissionDenied
                    | ErrorKind::IsADirectory
                    | ErrorKind::NotADirectory
                    | ErrorKind::ReadOnlyFilesystem
            ),
            _ => true,
        }
    }
}
