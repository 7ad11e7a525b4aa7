//! Texts that are being edited: they are read in the place of what their files have.

use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Texts by file, whatever path the file is reached by. A file need not be there.
#[derive(Default)]
pub struct UnsavedTexts {
    texts: FxHashMap<PathBuf, String>,
}

impl UnsavedTexts {
    /// Has a file be read as a text.
    pub fn put(&mut self, path: &Path, text: String) {
        self.texts.insert(real(path), text);
    }

    /// The text of a file, if it has one here.
    pub fn get(&self, path: &Path) -> Option<&str> {
        if self.texts.is_empty() {
            return None;
        }
        self.texts.get(&real(path)).map(String::as_str)
    }
}

/// The path behind all links; of a file that is not there, that of its folder with its name.
fn real(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
