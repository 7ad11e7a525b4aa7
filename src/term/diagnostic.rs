//! Diagnostics: what is wrong with a text, and where, as data.
//!
//! Every layer that finds fault with what the user wrote says so with a
//! [`Diagnostic`]. Places are spans of a [`Source`], never rendered text, so that
//! a terminal, an editor and a web page can each show them their own way; turning
//! one into lines is `zug::render::diagnostic`.

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

/// A change of a text: what takes the place of a span, which is empty where something is put in.
pub type Edit = Label;

/// Changes that mend what is wrong, all of them together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fix {
    /// The changes; none overlaps another.
    pub edits: Vec<Edit>,
    /// It is what was meant, and may be made without asking; else it is a guess.
    pub certain: bool,
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
    /// Changes that mend it.
    pub fix: Option<Box<Fix>>,
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
            fix: None,
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

    /// The same finding with one more change that mends it, one that is certain.
    #[must_use]
    pub fn mend(mut self, source: &Source, span: Span, text: impl Into<String>) -> Diagnostic {
        let fix = self.fix.get_or_insert_with(|| Fix { certain: true, ..Fix::default() }.into());
        fix.edits.push(Edit { source: source.clone(), span, text: text.into() });
        self
    }

    /// The same finding with its changes taken for a guess.
    #[must_use]
    pub fn perhaps(mut self) -> Diagnostic {
        if let Some(fix) = &mut self.fix {
            fix.certain = false;
        }
        self
    }

    /// Whether it is about the manner in which the text is written, and changes no answer.
    pub fn is_style(&self) -> bool {
        matches!(self.code, "W0401" | "W0402" | "W0403") || self.severity == Severity::Note
    }

    /// Whether the text can't be used as it is.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
