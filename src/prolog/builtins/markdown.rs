//! Markdown around rules: programs as language models answer them.

use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

/// What begins and ends a block of code.
const FENCE: &str = "```";

/// Syntax errors of a text with blocks of Markdown in it: one error in their place, which says what to keep.
pub(super) fn one_error(source: &Source, faults: &mut Vec<Diagnostic>, from: usize) {
    let is_syntax = |fault: &Diagnostic| fault.code.starts_with("E01");
    if !faults[from..].iter().any(is_syntax) {
        return;
    }
    let outside = outside(&source.text);
    let Some(first) = outside.iter().find_map(|part| part.1) else { return };
    let mut at = 0;
    faults.retain(|fault| {
        at += 1;
        at <= from || !fault.is_error()
    });
    let message = "the rules stand in a block of Markdown";
    let mut fault = Diagnostic::error("E0119", message)
        .at(source, first, "the block begins here")
        .hint("keep only what stands between the lines that begin with ```");
    for (part, _) in outside {
        fault = fault.mend(source, part, "");
    }
    faults.push(fault);
}

/// The parts of a text outside of its blocks, fences among them, each with the fence that ends it.
fn outside(text: &str) -> Vec<(Span, Option<Span>)> {
    let (mut parts, mut begin, mut at, mut inside) = (Vec::new(), 0, 0, false);
    let span = |start: usize, end: usize| Span { start: start as u32, end: end as u32 };
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_start().starts_with(FENCE) {
            if !inside {
                let fence = span(at, at + line.trim_end().len());
                parts.push((span(begin, end), Some(fence)));
            }
            begin = at;
            inside = !inside;
        }
        at = end;
    }
    if !parts.is_empty() && !inside {
        parts.push((span(begin, at), None));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> String {
        let mut kept = text.to_owned();
        for (part, _) in outside(text).into_iter().rev() {
            kept.replace_range(part.start as usize..part.end as usize, "");
        }
        kept
    }

    #[test]
    fn what_is_kept_is_what_stands_between_fences() {
        assert_eq!(kept("Here:\n```prolog\na.\nb.\n```\nThat is all.\n"), "a.\nb.\n");
        assert_eq!(kept("```\na.\n```\nand\n```prolog\nb.\n```"), "a.\nb.\n");
        assert_eq!(kept("```prolog\na.\n"), "a.\n");
        assert_eq!(kept("a.\n"), "a.\n");
    }
}
