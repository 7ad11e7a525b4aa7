//! `fmt`: rule files laid out anew.

use super::Failure;
use std::path::Path;
use zug_editing::directives::Folder;
use zug_files::Access;
use zug_prolog::builtins::loader::STDIN;
use zug_term::source::Source;

/// The mark with which some programs begin a text.
const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// A text and its new layout.
pub struct LaidOut {
    /// As it was, byte for byte.
    pub old: Vec<u8>,
    /// As it is to be.
    pub new: String,
}

impl LaidOut {
    /// Whether the two differ.
    pub fn changes(&self) -> bool {
        self.old != self.new.as_bytes()
    }

    /// Writes the new text, all of it or nothing.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        Access::FREE
            .write_whole(path, self.new.as_bytes())
            .map_err(|error| Failure::Unwritable(path.to_owned(), error))
    }
}

/// The new layout of a file, or of the standard input.
///
/// # Errors
/// It can't be read, or is no text in UTF-8.
pub fn lay_out(path: &Path) -> Result<LaidOut, Failure> {
    let unreadable = |error| Failure::Unreadable(path.to_owned(), error);
    let old = if path == Path::new(STDIN) {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map_err(unreadable)?;
        bytes
    } else {
        Access::FREE.read(path).map_err(unreadable)?
    };
    let Ok(text) = std::str::from_utf8(&old) else {
        let words = "it is not in UTF-8: save it as UTF-8 first";
        return Err(unreadable(std::io::Error::other(words)));
    };
    let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) => (BYTE_ORDER_MARK, text),
        None => ("", text),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let source = Source::new(&path.to_string_lossy(), text);
    let new = format!("{mark}{}", zug_editing::format(&source, &Folder(folder.to_owned())));
    Ok(LaidOut { old, new })
}
