//! Findings of `zug check` as diagnostics of the protocol, with the changes that mend them.

use crate::documents::Document;
use ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, Range, TextEdit, Uri,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zug_editing::{NoFiles, Outline};
use zug_syntax::is_plain_atom;
use zug_term::source::{STDIN, Span};

/// How the server is called where diagnostics come from.
pub const SOURCE: &str = "zug";

/// What `zug check --format json` writes, as far as it is needed here.
#[derive(Deserialize)]
pub struct Report {
    #[serde(default)]
    results: Vec<Checked>,
    end: End,
}

#[derive(Deserialize)]
struct Checked {
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct End {
    #[serde(default)]
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    severity: String,
    code: String,
    message: String,
    place: Option<Place>,
    #[serde(default)]
    related: Vec<Place>,
    #[serde(default)]
    hints: Vec<String>,
    fix: Option<Fix>,
}

#[derive(Deserialize)]
struct Place {
    file: String,
    line: u32,
    span: (u32, u32),
    label: String,
}

#[derive(Deserialize)]
struct Fix {
    certain: bool,
    edits: Vec<Edit>,
}

#[derive(Deserialize)]
struct Edit {
    place: Place,
    replacement: String,
}

/// A change that mends a finding.
#[derive(Clone, Debug)]
pub struct Mend {
    pub title: String,
    /// It is what was meant; else it is a guess.
    pub certain: bool,
    pub edits: Vec<TextEdit>,
}

/// A finding of a text.
#[derive(Clone, Debug)]
pub struct Found {
    pub diagnostic: Diagnostic,
    pub mend: Option<Mend>,
}

/// The text that was checked.
pub struct Checkable {
    pub document: Arc<Document>,
    /// The folder it is seen from.
    pub folder: PathBuf,
    /// The files it loads, and where.
    pub loads: Vec<(String, Span)>,
    /// The texts of those of them that are open, by path.
    pub unsaved: BTreeMap<PathBuf, String>,
}

impl Report {
    /// All findings, in order.
    pub fn findings(self, text: &Checkable) -> Vec<Found> {
        let results = self.results.into_iter().flat_map(|checked| checked.findings);
        results.chain(self.end.findings).map(|finding| text.found(finding)).collect()
    }
}

impl Checkable {
    fn range(&self, span: (u32, u32)) -> Range {
        self.document.range(Span { start: span.0, end: span.1 })
    }

    fn found(&self, finding: Finding) -> Found {
        let mut message = finding.message.clone();
        for hint in &finding.hints {
            message += "\n";
            message += hint;
        }
        let own = |place: &Place| place.file == STDIN;
        let mut related: Vec<_> =
            finding.related.iter().filter_map(|place| self.related(place)).collect();
        let range = match &finding.place {
            None => Range::default(),
            Some(place) if own(place) => {
                if !place.label.is_empty() {
                    related.extend(self.related(place));
                }
                self.range(place.span)
            }
            Some(place) => {
                message = format!("{}:{}: {message}", place.file, place.line);
                related.extend(self.related(place));
                self.loading(&place.file)
            }
        };
        let severity = match finding.severity.as_str() {
            "error" => DiagnosticSeverity::ERROR,
            "warning" => DiagnosticSeverity::WARNING,
            _ => DiagnosticSeverity::INFORMATION,
        };
        // A variable that occurs once is not used.
        let unused = finding.code == "W0401";
        let place = finding.place.as_ref().filter(|place| own(place));
        let place = place.map(|place| Span { start: place.span.0, end: place.span.1 });
        let mend = finding
            .fix
            .as_ref()
            .and_then(|fix| self.mend(fix))
            .or_else(|| guess(self, &finding.code, place?, &finding.message, &finding.hints));
        let diagnostic = Diagnostic {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(finding.code)),
            source: Some(SOURCE.to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            tags: unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
            ..Diagnostic::default()
        };
        Found { diagnostic, mend }
    }

    fn related(&self, place: &Place) -> Option<DiagnosticRelatedInformation> {
        let location = if place.file == STDIN {
            Location { uri: self.document.uri.clone(), range: self.range(place.span) }
        } else {
            let start = Position { line: place.line - 1, character: 0 };
            let path = self.folder.join(Path::new(&place.file));
            Location { uri: Uri::from_file_path(&path)?, range: Range { start, end: start } }
        };
        let label = if place.label.is_empty() { "here" } else { &place.label };
        Some(DiagnosticRelatedInformation { location, message: label.to_owned() })
    }

    /// The directive by which a file comes in; the first line if that isn't known.
    fn loading(&self, file: &str) -> Range {
        let stem = Path::new(file).with_extension("");
        let loads = |name: &str| stem.ends_with(Path::new(name).with_extension(""));
        let found = self.loads.iter().find(|(name, _)| loads(name)).or(self.loads.first());
        found.map_or_else(Range::default, |(_, span)| self.range((span.start, span.end)))
    }

    fn mend(&self, fix: &Fix) -> Option<Mend> {
        if fix.edits.is_empty() || fix.edits.iter().any(|edit| edit.place.file != STDIN) {
            return None;
        }
        let text = self.document.text();
        let old = |edit: &Edit| {
            text.get(edit.place.span.0 as usize..edit.place.span.1 as usize).unwrap_or_default()
        };
        let first = &fix.edits[0];
        let title = match (old(first), first.replacement.as_str()) {
            ("", "_") => "Mark the variable as unused with `_`".to_owned(),
            ("", new) => format!("Insert `{new}`"),
            (old, "") => format!("Remove `{}`", old.trim()),
            (old, new) => format!("Replace `{old}` by `{new}`"),
        };
        let more = if fix.edits.len() > 1 { ", everywhere" } else { "" };
        let edits = fix.edits.iter().map(|edit| TextEdit {
            range: self.range(edit.place.span),
            new_text: edit.replacement.clone(),
        });
        Some(Mend { title: title + more, certain: fix.certain, edits: edits.collect() })
    }
}

/// The change that the words of a finding at a place tell.
fn guess(
    text: &Checkable,
    code: &str,
    place: Span,
    message: &str,
    hints: &[String],
) -> Option<Mend> {
    if code == "W0402" {
        return without_mark(text, place);
    }
    hints.iter().find_map(|hint| renamed(text, place, message, hint))
}

/// A predicate by the name that was perhaps meant: "did you mean `wall/1`?" of an unknown `wal/1`.
fn renamed(text: &Checkable, place: Span, message: &str, hint: &str) -> Option<Mend> {
    let meant = hint.strip_prefix("did you mean `")?.split('`').next()?;
    let (meant, arity) = meant.rsplit_once('/')?;
    let written = text.document.text().get(place.start as usize..place.end as usize)?;
    let length = written.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = &written[..length.unwrap_or(written.len())];
    if name.is_empty() || !is_plain_atom(meant) || !message.contains(&format!("{name}/{arity}")) {
        return None;
    }
    let span = Span { end: place.start + name.len() as u32, ..place };
    Some(Mend {
        title: format!("Replace `{name}` by `{meant}`"),
        certain: false,
        edits: vec![edit(text, span, meant)],
    })
}

/// A variable without the `_` that marks it as unused, everywhere in its clause.
fn without_mark(text: &Checkable, place: Span) -> Option<Mend> {
    let outline = Outline::of(&text.document.source, &NoFiles);
    let clause = outline.clause_at(place.start)?;
    let variables = outline.variables(text.document.text(), clause);
    let marked = variables.iter().find(|variable| variable.spans.contains(&place))?;
    let plain = marked.name.trim_start_matches('_');
    let is_variable = plain.starts_with(char::is_uppercase);
    if !is_variable || variables.iter().any(|variable| *variable.name == *plain) {
        return None;
    }
    Some(Mend {
        title: format!("Replace `{}` by `{plain}`, everywhere", marked.name),
        certain: false,
        edits: marked.spans.iter().map(|&span| edit(text, span, plain)).collect(),
    })
}

fn edit(text: &Checkable, span: Span, new: &str) -> TextEdit {
    TextEdit { range: text.document.range(span), new_text: new.to_owned() }
}
