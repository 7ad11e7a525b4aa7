//! Text that is not rules: Markdown around them, as language models answer, and other languages of planning and games.

use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};

/// What begins and ends a block of code.
const FENCE: &str = "```";

/// How lines of other languages begin, and their names.
const OTHERS: [(&str, &str); 4] =
    [("(define (domain", "PDDL"), ("(define (problem", "PDDL"), ("(role ", "GDL"), ("(<= ", "GDL")];

/// Syntax errors of a text in another language, or with blocks of Markdown in it: one error in their place.
pub(super) fn one_error(source: &Source, faults: &mut Vec<Diagnostic>, from: usize) {
    let is_syntax = |fault: &Diagnostic| fault.code.starts_with("E01");
    if !faults[from..].iter().any(is_syntax) {
        return;
    }
    let Some(fault) = other_language(source).or_else(|| in_markdown(source)) else { return };
    let mut at = 0;
    faults.retain(|fault| {
        at += 1;
        at <= from || !fault.is_error()
    });
    faults.push(fault);
}

fn other_language(source: &Source) -> Option<Diagnostic> {
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        let text = line.trim_start();
        let start = at + line.len() - text.len();
        at += line.len();
        let Some((begin, language)) = OTHERS.iter().find(|(begin, _)| text.starts_with(begin))
        else {
            continue;
        };
        let span = Span::new(start, start + begin.len());
        let message = format!("this is {language}, and no rule file");
        let hint = format!("`zug import FILE` makes rules of {language}");
        return Some(Diagnostic::error("E0120", message).at(source, span, "").hint(hint));
    }
    None
}

fn in_markdown(source: &Source) -> Option<Diagnostic> {
    let outside = outside(&source.text);
    let first = outside.iter().find_map(|part| part.1)?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    // Goals are indented more than the heads of their clauses.
    let least = source.text.lines().filter(|line| is_clause(line.trim_start())).map(indent).min();
    let begins = |line: &&str| Some(indent(line)) == least && is_clause(line.trim_start());
    let clauses = |text: &str| text.lines().filter(begins).count();
    let around =
        outside.iter().map(|(part, _)| &source.text[part.start as usize..part.end as usize]);
    let around: usize = around.map(clauses).sum();
    if 2 * around > clauses(&source.text) {
        let message = "a block of Markdown stands among the rules";
        let fault = Diagnostic::error("E0119", message).at(source, first, "the block begins here");
        return Some(fault.hint("take the block away, or write `%` before each of its lines"));
    }
    let message = "the rules stand in a block of Markdown";
    let mut fault = Diagnostic::error("E0119", message)
        .at(source, first, "the block begins here")
        .hint("keep only what stands between the lines that begin with ```");
    for (part, _) in outside {
        fault = fault.mend(source, part, "");
    }
    Some(fault)
}

/// Whether a line looks like the begin of a clause: `name(…).` or `name(…) :-`.
fn is_clause(line: &str) -> bool {
    let name = line.find('(').map_or("", |at| &line[..at]);
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name && (line.trim_end().ends_with('.') || line.contains(":-"))
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
