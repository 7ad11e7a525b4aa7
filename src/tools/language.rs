//! The language of rule files: Prolog, and what zug adds to it.

use std::io::{Read, Write};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::{Extension, LibraryText, Session};

/// Engines, explanations, constraints, the manual.
pub const EXTENSIONS: &[Extension] = &[
    zug_domain::EXTENSION,
    zug_explain::EXTENSION,
    zug_constraints::EXTENSION,
    Extension { tables: &[crate::manual::TABLE], ..Extension::NONE },
];

/// All texts of the library.
pub fn library() -> impl Iterator<Item = &'static LibraryText> {
    let added = EXTENSIONS.iter().flat_map(|extension| extension.library);
    zug_prolog::session::LIBRARY.iter().chain(added)
}

/// A session on the standard streams of the process.
pub fn session() -> Session {
    Session::with_extensions(EXTENSIONS)
}

/// A session on streams of the caller's.
pub fn with_io(
    input: Box<dyn Read + Send>,
    output: Box<dyn Write + Send>,
    error: Box<dyn Write + Send>,
) -> Session {
    Session::with_io(EXTENSIONS, input, output, error)
}

/// A session that reads the given text and keeps what is written.
pub fn captured(input: &str) -> (Session, SharedBuffer) {
    Session::captured(EXTENSIONS, input)
}
