//! Findings and chains of calls as data.

use serde::Serialize;
use zug_machine::{Machine, Trace};
use zug_prolog::builtins::World;
use zug_term::diagnostic::{Diagnostic, Edit, Fix, Label, Severity};

/// Calls told of a chain.
const CALLS: usize = 50;

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The file, as it was given; `query` or the like for text that was typed.
    pub file: String,
    /// Line, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: u32,
    /// Column in characters, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub column: u32,
    /// The line in which it ends.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub end_line: u32,
    /// The column behind its last character.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub end_column: u32,
    /// The same as offsets in bytes of UTF-8, from 0: the first, and the one behind the last.
    pub span: (u32, u32),
    /// What is to be said about it; may be empty.
    pub label: String,
}

impl Place {
    fn new(label: &Label) -> Place {
        let (source, span) = (&label.source, label.span);
        let (from, to) = (source.position(span.start), source.position(span.end));
        Place {
            file: source.name.to_string(),
            line: from.line,
            column: from.column,
            end_line: to.line,
            end_column: to.column,
            span: (span.start, span.end),
            label: label.text.clone(),
        }
    }
}

/// A finding as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// `error`, `warning` or `note`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["error", "warning", "note"])))]
    pub severity: &'static str,
    /// Its code, as `E0105`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[EWN][0-9]{4}$")))]
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Where it stands, if it is about a place.
    pub place: Option<Place>,
    /// Other places that have to do with it.
    pub related: Vec<Place>,
    /// What to do about it.
    pub hints: Vec<String>,
    /// Changes of the text that mend it.
    pub fix: Option<FixData>,
}

/// Changes that mend a finding, all of them together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixData {
    /// It is what was meant; else it is a guess.
    pub certain: bool,
    /// The changes; none overlaps another.
    pub edits: Vec<EditData>,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EditData {
    /// What is replaced; empty where something is put in.
    pub place: Place,
    /// What takes its place.
    pub replacement: String,
}

impl FixData {
    fn new(fix: &Fix) -> FixData {
        let edit = |edit: &Edit| EditData {
            place: Place::new(&Label {
                source: edit.source.clone(),
                span: edit.span,
                text: String::new(),
            }),
            replacement: edit.text.clone(),
        };
        FixData { certain: fix.certain, edits: fix.edits.iter().map(edit).collect() }
    }
}

impl From<&Diagnostic> for Finding {
    fn from(found: &Diagnostic) -> Finding {
        Finding {
            severity: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            code: found.code,
            message: found.message.clone(),
            place: found.primary.as_ref().map(Place::new),
            related: found.secondary.iter().map(Place::new).collect(),
            hints: found.hint.iter().cloned().collect(),
            fix: found.fix.as_deref().map(FixData::new),
        }
    }
}

/// A call that had not returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The predicate whose clause was running, as `path/3`.
    pub predicate: String,
    /// The file of the clause.
    pub file: String,
    /// The line of the goal it had called.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: u32,
    /// The column of that goal.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub column: u32,
    /// Calls of the same predicate right above each other, told as one.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub times: u64,
}

/// The chain of calls of a trace, innermost first; library clauses are left out.
pub fn calls(m: &Machine, w: &World, trace: &Trace) -> Vec<Call> {
    let mut found: Vec<Call> = Vec::new();
    let mut last = None;
    for (&(pred, clause), &address) in trace.callers.iter().zip(&trace.addresses) {
        let place = m.program.clauses.get(clause as usize).and_then(|clause| clause.place.as_ref());
        let source = place.and_then(|place| w.loader.sources.get(place.source as usize));
        let (Some(source), Some(span)) = (source, m.program.goal_span(clause, address)) else {
            continue;
        };
        if last == Some(pred)
            && let Some(known) = found.last_mut()
        {
            known.times += 1;
            continue;
        }
        if found.len() == CALLS {
            break;
        }
        let at = source.position(span.start);
        found.push(Call {
            predicate: m.program.indicator(pred, &m.symbols),
            file: source.name.to_string(),
            line: at.line,
            column: at.column,
            times: 1,
        });
        last = Some(pred);
    }
    found
}
