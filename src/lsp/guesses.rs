//! Changes for findings whose advice names what was perhaps meant, where the finding itself has none.

use crate::findings::{Checkable, Mend};
use ls_types::TextEdit;
use zug_editing::{NoFiles, Outline};
use zug_syntax::is_plain_atom;
use zug_term::source::Span;

/// The change that the words of a finding at a place tell.
pub fn guess(
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
