//! Diagnostics: what is wrong with a text, and where, as data.
//!
//! Every layer that finds fault with what the user wrote says so with a
//! [`Diagnostic`]. Places are spans of a [`Source`], never rendered text, so that
//! a terminal, an editor and a web page can each show them their own way; turning
//! one into lines is [`crate::render::diagnostic`].

use crate::source::{Source, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Something worth knowing.
    Note,
    /// Probably a mistake; the text can be used.
    Warning,
    /// The text can't be used as it is.
    Error,
}

/// A place in a text and what is to be said about it.
#[derive(Clone, Debug)]
pub struct Label {
    /// The text.
    pub source: Source,
    /// The place; may be empty, for a gap between two characters.
    pub span: Span,
    /// A few words put beside the place; may be empty.
    pub text: String,
}

impl PartialEq for Label {
    fn eq(&self, other: &Label) -> bool {
        self.span == other.span && self.text == other.text && self.source.name == other.source.name
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable code: `E0101`, `W0201`.
    pub code: &'static str,
    /// One sentence, without a full stop.
    pub message: String,
    /// Where the finding stands; `None` when it is about no place in particular.
    pub primary: Option<Label>,
    /// Other places that have to do with it.
    pub secondary: Vec<Label>,
    /// What to do about it, in a newcomer's words.
    pub hint: Option<String>,
    /// Nothing is wrong with the text: there was no memory, or no more of another resource.
    pub out_of_resources: bool,
}

impl Diagnostic {
    /// A finding without a place.
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            hint: None,
            out_of_resources: false,
        }
    }

    /// An error without a place.
    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    /// The same finding at a place.
    #[must_use]
    pub fn at(mut self, source: &Source, span: Span, text: impl Into<String>) -> Diagnostic {
        self.primary = Some(Label { source: source.clone(), span, text: text.into() });
        self
    }

    /// The same finding with one more place that has to do with it.
    #[must_use]
    pub fn also(mut self, source: &Source, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { source: source.clone(), span, text: text.into() });
        self
    }

    /// The same finding with advice.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Diagnostic {
        self.hint = Some(text.into());
        self
    }

    /// Whether the text can't be used as it is.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
