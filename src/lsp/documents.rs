//! The texts that are open in the editor.

use crate::positions::{Encoding, Lines};
use ls_types::{TextDocumentContentChangeEvent, Uri};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use zug_editing::{Files, Outline};
use zug_term::source::Source;

/// A text with its lines and, once somebody asks, its outline.
pub struct Document {
    /// Its address.
    pub uri: Uri,
    /// Its file, if it is one.
    pub path: Option<PathBuf>,
    /// Its version, as the editor counts.
    pub version: i32,
    /// The text.
    pub source: Source,
    /// Its lines.
    pub lines: Lines,
    encoding: Encoding,
    outline: OnceLock<Arc<Outline>>,
}

impl Document {
    /// A text that is opened.
    pub fn new(uri: Uri, version: i32, text: &str, encoding: Encoding) -> Document {
        let path = uri.to_file_path().map(|path| path.into_owned());
        let name = path.as_deref().map_or_else(|| uri.to_string(), shown);
        Document {
            path,
            version,
            source: Source::new(&name, text),
            lines: Lines::new(text, encoding),
            uri,
            encoding,
            outline: OnceLock::new(),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Makes changes, one after the other.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let span = self.lines.span(self.text(), range);
                    let (start, end) = (span.start as usize, span.end as usize);
                    let mut text = String::with_capacity(self.text().len() + change.text.len());
                    text += &self.text()[..start];
                    text += &change.text;
                    text += &self.text()[end..];
                    text
                }
            };
            self.source = Source { text: text.into(), ..self.source.clone() };
            self.lines = Lines::new(&self.source.text, self.encoding);
        }
        self.version = version;
        self.outline = OnceLock::new();
    }

    /// The names in the text.
    pub fn outline(&self, files: &dyn Files) -> Arc<Outline> {
        self.outline.get_or_init(|| Arc::new(Outline::of(&self.source, files))).clone()
    }

    /// Forgets what is known of the text by other texts: they have changed.
    pub fn forget(&mut self) {
        self.outline = OnceLock::new();
    }
}

/// A path as messages show it.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
