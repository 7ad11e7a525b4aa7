//! Strings, as SWI-Prolog has them: a type of their own, and conversions from and
//! to every other kind of text.

use super::text::{self, Items};
use super::{Entry, OrFault, World, args, atoms};
use rustc_hash::FxHashSet;
use zug_machine::{Machine, Outcome};
use zug_term::{Cell, Value, watchdog};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::pure("string_length", 2, string_length),
    Entry::pure("string_chars", 2, |m, _, a| string_list(m, a, Items::Chars)),
    Entry::pure("string_codes", 2, |m, _, a| string_list(m, a, Items::Codes)),
    Entry::pure("string_to_atom", 2, string_to_atom),
    Entry::pure("number_string", 2, number_string),
    Entry::pure("string_lower", 2, |m, _, a| string_case(m, a, false)),
    Entry::pure("string_upper", 2, |m, _, a| string_case(m, a, true)),
    Entry::pure("text_to_string", 2, text_to_string),
    Entry::pure("string_number", 2, string_number),
    Entry::pure("split_string", 4, split_string),
    Entry::pure("$normalize_space", 2, normalize_space),
    Entry::pure("string", 1, |m, _, a| Ok(matches!(m.heap.value(a[0]), Value::Str(_)))),
];

fn string_length(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let text = text::any(m, a[0], "text")?;
    atoms::check_length(m, a[1])?;
    Ok(args::unify_int(m, a[1], text::length(&text) as i64))
}

/// `string_chars/2`, `string_codes/2`.
fn string_list(m: &mut Machine, a: &[Cell], items: Items) -> Outcome {
    if a[0].is_var() {
        let text = text::from_list(m, a[1], items)?;
        return Ok(args::unify_string(m, a[0], &text));
    }
    let text = text::any(m, a[0], "text")?;
    text::check_list(m, a[1], items)?;
    Ok(text::unify_list(m, a[1], &text, items))
}

fn string_to_atom(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_var() {
        let text = text::required(m, a[1], "atom")?;
        return Ok(args::unify_string(m, a[0], &text));
    }
    let text = text::any(m, a[0], "string")?;
    Ok(text::unify_text(m, a[1], &text, false))
}

/// `number_string(N, S)`: white space around the number doesn't matter.
fn number_string(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[1].is_var() {
        args::bound(m, a[0])?;
        if m.number_of(a[0]).is_none() {
            return Err(m.type_error("number", a[0]));
        }
        let text = text::required(m, a[0], "number")?;
        return Ok(text::unify_text(m, a[1], &text, true));
    }
    if m.number_of(a[0]).is_none() && !a[0].is_var() {
        return Err(m.type_error("number", a[0]));
    }
    let text = text::any(m, a[1], "string")?;
    Ok(text::number(m, text.trim()).is_some_and(|number| m.unify(a[0], number)))
}

/// `string_number(S, N)`: [`number_string`] the other way round.
fn string_number(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    number_string(m, world, &[a[1], a[0]])
}

fn string_case(m: &mut Machine, a: &[Cell], upper: bool) -> Outcome {
    let text = text::any(m, a[0], "atomic")?;
    let mapped = text::map_case(&text, upper);
    Ok(text::unify_text(m, a[1], &mapped, true))
}

fn text_to_string(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if m.number_of(a[0]).is_some() {
        return Err(m.type_error("text", a[0]));
    }
    let text = text::any(m, a[0], "text")?;
    Ok(text::unify_text(m, a[1], &text, true))
}

/// The characters of a text, which may be a long one; who asks for one takes a step.
enum Characters<'t> {
    Few(&'t str),
    Many(FxHashSet<char>),
}

impl Characters<'_> {
    fn of(text: &str) -> Characters<'_> {
        /// Bytes that are looked through as fast as a table.
        const FEW: usize = 16;
        match text.len() {
            ..=FEW => Characters::Few(text),
            _ => Characters::Many(text.chars().inspect(|_| watchdog::step()).collect()),
        }
    }

    fn has(&self, c: char) -> bool {
        watchdog::step();
        match self {
            Characters::Few(text) => text.contains(c),
            Characters::Many(set) => set.contains(&c),
        }
    }
}

/// `split_string(Text, Separators, Pad, Parts)`.
///
/// Padding is taken off the whole text first; then, before the end of a part is
/// looked for, off its front, so that separators which are padding too act as one.
fn split_string(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let mut text = |cell: Cell| -> OrFault<_> { text::any(m, cell, "text") };
    let (whole, separators, pad) = (text(a[0])?, text(a[1])?, text(a[2])?);
    let (separators, pad) = (Characters::of(&separators), Characters::of(&pad));
    let padding = |c: char| pad.has(c);
    let mut rest = whole.trim_matches(padding);
    let mut parts = Vec::new();
    loop {
        rest = rest.trim_start_matches(padding);
        let Some(end) = rest.find(|c: char| separators.has(c)) else { break };
        parts.push(rest[..end].trim_end_matches(padding));
        let separator = rest[end..].chars().next().map_or(0, char::len_utf8);
        rest = &rest[end + separator..];
    }
    parts.push(rest);
    let parts: Vec<Cell> = parts.into_iter().map(|part| m.heap.new_string(part)).collect();
    Ok(args::unify_list(m, a[3], &parts))
}

/// `$normalize_space(Text, String)`: words of the text with one blank between them.
fn normalize_space(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let text = text::any(m, a[0], "text")?;
    let mut joined = String::new();
    for word in text.split_whitespace() {
        watchdog::steps(1 + word.len());
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    Ok(args::unify_string(m, a[1], &joined))
}

#[cfg(test)]
mod tests {
    use crate::builtins::testing::Bench;

    /// Long texts are gone through in steps.
    #[test]
    fn long_texts_end_at_an_interrupt() {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        use zug_term::watchdog::{AbortReason, LimitScope};
        let long = "a ".repeat(50_000);
        let many: String = (0x100..0xd000).filter_map(char::from_u32).collect();
        let digits = "7".repeat(50_000);
        for goal in [
            format!("split_string(\"{long}\", \" \", \"\", P)"),
            format!("split_string(\"{long}\", \"{many}\", \"{many}\", P)"),
            format!("'$normalize_space'(\"{long}\", P)"),
            format!("string_upper(\"{long}\", P)"),
            format!("string_chars(\"{long}\", P)"),
            format!("atomic_list_concat(P, ' ', '{long}')"),
            format!("atom_number('{digits}', P)"),
            "functor(P, f, 50000)".to_owned(),
        ] {
            let mut bench = Bench::default();
            let read = bench.read(&goal);
            let raised = Arc::new(AtomicBool::new(true));
            let called = LimitScope::new(None, &raised, 0).within(|| bench.call(read).map(drop));
            let shown = &goal[..goal.len().min(30)];
            assert!(matches!(called, Err(AbortReason::Interrupted)), "{shown}: {called:?}");
        }
    }
}
