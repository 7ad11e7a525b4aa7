//! Files that a person asks for by name: pictures, tables.

use std::io::Error;
use std::path::Path;
use zug_files::Access;
use zug_usecases::Failure;

/// Whether a file may be written: asked before the work, so that it is not done for nothing.
///
/// # Errors
/// It is there already, unless by `force`; or the I/O error.
pub fn check(path: &Path, force: bool) -> Result<(), Failure> {
    Access::FREE.may_create(path, force).map_err(|error| unwritable(path, error))
}

/// Writes a file, all of it or nothing.
///
/// # Errors
/// As [`check`].
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    Access::FREE.write_new(path, bytes, force).map_err(|error| unwritable(path, error))
}

fn unwritable(path: &Path, error: Error) -> Failure {
    Failure::Unwritable(path.to_owned(), error)
}
