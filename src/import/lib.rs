//! Games, planning tasks and levels of other formats as rule files: text in, text and diagnostics out.
//!
//! | format | module |
//! |---|---|
//! | GDL, in KIF | [`gdl`] |
//! | PDDL | [`pddl`] |
//! | levels of Sokoban | [`sokoban`] |

mod gdl;
mod pddl;
mod reserved;
mod sexpr;
mod sokoban;
#[cfg(test)]
mod tests;
mod text;

use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

/// A rule file, and what is to be said of where it comes from.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of the rule file.
    pub rules: String,
    /// Warnings.
    pub findings: Vec<Diagnostic>,
}

/// What a text is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A game in the Game Description Language.
    Gdl,
    /// A domain and problems in the Planning Domain Definition Language.
    Pddl,
    /// Levels of Sokoban.
    Sokoban,
}

/// The rule file that texts of a format make.
///
/// # Errors
/// What is wrong with the texts, or not supported.
pub fn import(sources: &[Source], format: Format) -> Result<Imported, Vec<Diagnostic>> {
    match (format, sources) {
        (Format::Gdl, [source]) => gdl::import(source),
        (Format::Gdl, _) => {
            let fault = Diagnostic::error("E0811", "a game in GDL is one file");
            Err(vec![match sources.get(1) {
                Some(second) => fault.at(second, Span::new(0, 0), ""),
                None => fault,
            }])
        }
        (Format::Pddl, _) => pddl::import(sources),
        (Format::Sokoban, _) => sokoban::import(sources),
    }
}

fn failed(findings: &[Diagnostic]) -> bool {
    findings.iter().any(Diagnostic::is_error)
}
