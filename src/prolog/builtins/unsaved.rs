//! Texts that are being edited: they are read in the place of what their files have.

use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use zug_files::canonical;

/// Texts by file, whatever path the file is reached by. A file need not be there.
#[derive(Default)]
pub struct UnsavedTexts {
    texts: FxHashMap<PathBuf, String>,
}

impl UnsavedTexts {
    /// Has a file be read as a text.
    pub fn put(&mut self, path: &Path, text: String) {
        self.texts.insert(canonical(path), text);
    }

    /// The text of a file, if it has one here.
    pub fn get(&self, path: &Path) -> Option<&str> {
        if self.texts.is_empty() {
            return None;
        }
        self.texts.get(&canonical(path)).map(String::as_str)
    }
}
