//! Games, planning tasks and levels of other formats as rule files: text in, text and diagnostics out.
//!
//! | format | module |
//! |---|---|
//! | GDL, in KIF | [`gdl`] |

pub mod gdl;
pub mod sexpr;
pub mod text;

use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;

/// A rule file, and what is to be said of where it comes from.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of the rule file.
    pub rules: String,
    /// Warnings.
    pub findings: Vec<Diagnostic>,
}

/// Whether there are errors.
fn failed(findings: &[Diagnostic]) -> bool {
    findings.iter().any(Diagnostic::is_error)
}

/// The name of a text without folders and ending.
fn title(source: &Source) -> String {
    let name = source.name.rsplit(['/', '\\']).next().unwrap_or(&source.name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}
