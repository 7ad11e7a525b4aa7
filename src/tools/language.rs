//! The language of rule files: Prolog, and what zug adds to it.

use std::io::{Read, Write};
use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::{Extension, LibraryText, Session};

/// Engines, explanations, the manual.
pub const EXTENSIONS: &[Extension] = &[
    zug_domain::EXTENSION,
    zug_explain::EXTENSION,
    Extension {
        tables: &[crate::manual::TABLE],
        open_in_sandbox: "help/0 help/1 apropos/1",
        ..Extension::NONE
    },
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every built-in is in one of the lists of the sandbox.
    #[test]
    fn every_built_in_was_looked_at() {
        let (session, _) = captured("");
        let unlisted = session.world.unlisted_in_sandbox(&session.machine);
        assert_eq!(unlisted, [""; 0], "are they safe in a sandbox? see `open_in_sandbox`");
        let builtins = session.world.builtins();
        let there: Vec<String> = builtins
            .map(|(name, arity)| format!("{}/{arity}", session.machine.symbols.name(name)))
            .collect();
        for extension in EXTENSIONS {
            let lines = extension.open_in_sandbox.lines().filter(|line| !line.starts_with('%'));
            for word in lines.flat_map(str::split_ascii_whitespace) {
                assert!(there.iter().any(|known| known == word), "there is no {word}");
            }
        }
    }
}
