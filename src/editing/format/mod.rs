//! Laying a text out again, without changing what is read.
//!
//! A text is a sequence of clauses and comments. A clause keeps all its tokens in order; only what
//! stands between them changes ([`gaps`]), and where lines are broken ([`layout`]). Breaks that the
//! author made inside of brackets stay; columns that the author lined up are lined up again
//! ([`align`]). A clause that can't be read stays as it is, byte for byte.
//!
//! **Invariants.** The tokens of the new text are those of the old one, and so are the roles of its
//! names: a clause of which that can't be shown is left as it was. A text that was laid out is not
//! changed again.

mod align;
mod clause;
mod gaps;
mod layout;
mod lines;
mod page;

#[cfg(test)]
mod tests;

use crate::directives::Files;
use crate::reading::{Clause, Reading, alike};
use page::Page;
use rustc_hash::FxHashSet;
use zug_syntax::{Role, Token, TokenKind};
use zug_term::source::Source;

/// Columns that a line should not go beyond.
pub const WIDTH: usize = 100;
/// Columns by which a body is indented.
pub const INDENT: usize = 4;
/// Empty lines that are kept between clauses.
const MOST_EMPTY: usize = 2;
/// Times that a text is laid out until nothing changes; one is the rule.
const ROUNDS: usize = 4;

/// The text, laid out.
pub fn format(source: &Source, files: &dyn Files) -> String {
    let reading = Reading::of(source, files);
    let mut kept = FxHashSet::default();
    // Each time at least one clause more is kept as it is.
    for _ in 0..=reading.clauses.len() {
        let text = settled(source, &reading, &kept, files);
        let wrong = changed(source, &reading, &text, files);
        let before = kept.len();
        kept.extend(wrong);
        if kept.len() == before {
            return text;
        }
    }
    source.text.to_string()
}

/// The text, laid out until nothing changes; the clauses of these numbers stay as they are.
fn settled(
    source: &Source,
    reading: &Reading,
    kept: &FxHashSet<usize>,
    files: &dyn Files,
) -> String {
    let mut text = once(source, reading, kept);
    for _ in 0..ROUNDS {
        let next = Source::new(&source.name, &text);
        let again = once(&next, &Reading::of(&next, files), kept);
        if again == text {
            return text;
        }
        text = again;
    }
    source.text.to_string()
}

/// The text, laid out once.
fn once(source: &Source, reading: &Reading, kept: &FxHashSet<usize>) -> String {
    let mut page = Page::new(&source.text);
    let mut comments = reading.comments.iter().peekable();
    let mut off = false;
    let put = |page: &mut Page<'_>, comment: &Token, off: &mut bool| {
        page.between(comment.start as usize, MOST_EMPTY);
        page.comment(*comment, *off);
        *off = switched(comment.text(&source.text)).unwrap_or(*off);
    };
    for (number, clause) in reading.clauses.iter().enumerate() {
        while let Some(comment) = comments.next_if(|comment| comment.start < clause.span.start) {
            put(&mut page, comment, &mut off);
        }
        page.between(clause.span.start as usize, MOST_EMPTY);
        match &clause.roles {
            Some(roles) if !off && !kept.contains(&number) => {
                layout::clause(&mut page, &clause::Laid::new(&source.text, clause, roles));
            }
            _ => page.verbatim(clause.span),
        }
    }
    for comment in comments {
        put(&mut page, comment, &mut off);
    }
    page.finish()
}

/// Whether a comment has the clauses behind it left as they are, or laid out again.
fn switched(comment: &str) -> Option<bool> {
    match comment.trim_start_matches('%').trim() {
        "fmt: off" => Some(true),
        "fmt: on" => Some(false),
        _ => None,
    }
}

/// The numbers of clauses that do not read as before.
fn changed(source: &Source, before: &Reading, text: &str, files: &dyn Files) -> Vec<usize> {
    let after = Source::new(&source.name, text);
    let now = Reading::of(&after, files);
    if now.clauses.len() != before.clauses.len() {
        return (0..before.clauses.len()).collect();
    }
    let pairs = before.clauses.iter().zip(&now.clauses).enumerate();
    let differs = pairs.filter(|(_, (old, new))| !same(&source.text, old, text, new));
    differs.map(|(number, _)| number).collect()
}

/// Whether two clauses have the same tokens, and names in the same roles.
fn same(old_text: &str, old: &Clause, new_text: &str, new: &Clause) -> bool {
    let (Some(old_roles), Some(new_roles)) = (&old.roles, &new.roles) else {
        return old.roles.is_none() && new.roles.is_none();
    };
    let same_token = |(one, other): (&Token, &Token)| {
        alike(one.kind, other.kind)
            && one.text(old_text).trim_end() == other.text(new_text).trim_end()
    };
    let kind = |role: &(u32, Role)| match role.1 {
        // Where its argument begins is another place now.
        Role::Infix { priority, .. } => Role::Infix { priority, left: 0 },
        role => role,
    };
    old.tokens.len() == new.tokens.len()
        && old.tokens.iter().zip(&new.tokens).all(same_token)
        && old_roles.iter().map(kind).eq(new_roles.iter().map(kind))
}

/// Whether a token is a comment that ends its line.
fn ends_line(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LineComment | TokenKind::OpenComment)
}
