//! Texts with their lines and, once they are asked for, their outlines.

use crate::positions::{Encoding, Lines};
use ls_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use zug_editing::{Files, Outline};
use zug_term::source::{Source, Span};

/// A version of a text, open in the editor or on disk.
pub struct Document {
    pub uri: Uri,
    /// Its file, if it is one.
    pub path: Option<PathBuf>,
    /// Its version, as the editor counts.
    pub version: i32,
    pub source: Source,
    lines: Lines,
    outline: OnceLock<Arc<Outline>>,
}

impl Document {
    /// A text that is opened.
    pub fn new(uri: Uri, version: i32, text: &str, encoding: Encoding) -> Document {
        let path = uri.to_file_path().map(|path| path.into_owned());
        let name =
            path.as_deref().map_or_else(|| uri.to_string(), |path| path.display().to_string());
        let (source, lines) = (Source::new(&name, text), Lines::new(text, encoding));
        Document { uri, path, version, source, lines, outline: OnceLock::new() }
    }

    /// The text after changes, one after the other.
    pub fn changed(&self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) -> Document {
        let mut new = Document { version, ..self.unseen() };
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let span = new.lines.span(new.text(), range);
                    let mut text = new.text().to_owned();
                    text.replace_range(span.start as usize..span.end as usize, &change.text);
                    text
                }
            };
            new.lines = Lines::new(&text, new.lines.encoding);
            new.source = Source { text: text.into(), ..new.source };
        }
        new
    }

    /// The text without its outline, which other texts that have changed bear on.
    pub fn unseen(&self) -> Document {
        Document {
            uri: self.uri.clone(),
            path: self.path.clone(),
            version: self.version,
            source: self.source.clone(),
            lines: self.lines.clone(),
            outline: OnceLock::new(),
        }
    }

    pub fn text(&self) -> &str {
        &self.source.text
    }

    pub fn range(&self, span: Span) -> Range {
        self.lines.range(self.text(), span)
    }

    pub fn offset(&self, position: Position) -> u32 {
        self.lines.offset(self.text(), position)
    }

    /// The columns of a piece of text in one line.
    pub fn width(&self, text: &str) -> u32 {
        self.lines.width(text)
    }

    /// The names in the text.
    pub fn outline(&self, files: &dyn Files) -> Arc<Outline> {
        self.outline.get_or_init(|| Arc::new(Outline::of(&self.source, files))).clone()
    }
}
