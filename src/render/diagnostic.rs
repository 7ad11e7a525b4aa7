//! A diagnostic as lines of text, in the manner of rustc:
//!
//! ```text
//! error[E0105]: this clause has no full stop
//!  --> family.pl:1:17
//!   |
//! 1 | likes(mary, wine)
//!   |                  ^ expected `.` here
//! 2 | likes(john, X) :- likes(X, wine).
//!   | -------------- the next clause begins here
//! ```
//!
//! A long line is cut around the place; control characters are shown by symbols,
//! so that a broken file can't play tricks on the terminal.

use anstyle::{AnsiColor, Style};
use std::fmt::{Result, Write};
use std::sync::Arc;
use unicode_width::UnicodeWidthChar;
use zug_term::diagnostic::{Diagnostic, Label, Severity};
use zug_term::source::Source;

/// Columns a tab takes.
const TAB: usize = 4;
/// Columns shown before the place in a line that is cut.
const BEFORE: usize = 48;
/// Columns shown of a line.
const WIDTH: usize = 112;

/// How to render.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RenderOptions {
    /// Whether to use ANSI colours.
    pub colour: bool,
}

/// The styles of a message; all plain without colour.
struct Palette {
    severity: Style,
    message: Style,
    frame: Style,
}

impl Palette {
    fn new(severity: Severity, options: RenderOptions) -> Palette {
        if !options.colour {
            let plain = Style::new();
            return Palette { severity: plain, message: plain, frame: plain };
        }
        let bold = Style::new().bold();
        let colour = match severity {
            Severity::Error => AnsiColor::BrightRed,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Note => AnsiColor::BrightGreen,
        };
        Palette {
            severity: bold.fg_color(Some(colour.into())),
            message: bold,
            frame: bold.fg_color(Some(AnsiColor::BrightBlue.into())),
        }
    }
}

/// A label with its place in lines.
struct Mark<'d> {
    label: &'d Label,
    primary: bool,
    line: u32,
    column: u32,
}

/// Writes a diagnostic, its source lines and its hint.
pub fn render(out: &mut dyn Write, diagnostic: &Diagnostic, options: RenderOptions) -> Result {
    let palette = Palette::new(diagnostic.severity, options);
    let (severity, message, frame) = (palette.severity, palette.message, palette.frame);
    let kind = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let code = diagnostic.code;
    let text = printable(&diagnostic.message);
    writeln!(out, "{severity}{kind}[{code}]{severity:#}{message}: {text}{message:#}")?;
    let labels = diagnostic.primary.iter().map(|label| (label, true));
    let labels = labels.chain(diagnostic.secondary.iter().map(|label| (label, false)));
    let marks: Vec<Mark> = labels
        .map(|(label, primary)| {
            let position = label.source.position(label.span.start);
            Mark { label, primary, line: position.line, column: position.column }
        })
        .collect();
    let widest = marks.iter().map(|mark| mark.line).max().unwrap_or(0);
    let margin = widest.to_string().len();
    let mut shown: Vec<&Source> = Vec::new();
    for mark in &marks {
        let source = &mark.label.source;
        if shown.iter().any(|other| same(other, source)) {
            continue;
        }
        let group: Vec<&Mark> =
            marks.iter().filter(|mark| same(&mark.label.source, source)).collect();
        snippet(out, &group, shown.is_empty(), margin, &palette)?;
        shown.push(source);
    }
    if let Some(hint) = &diagnostic.hint {
        if !marks.is_empty() {
            writeln!(out, "{:margin$} {frame}|{frame:#}", "")?;
        }
        let hint = printable(hint);
        writeln!(out, "{:margin$} {frame}={frame:#} {message}hint{message:#}: {hint}", "")?;
    }
    Ok(())
}

/// A diagnostic as a string, without colour.
pub fn to_string(diagnostic: &Diagnostic) -> String {
    let mut text = String::new();
    render(&mut text, diagnostic, RenderOptions::default())
        .expect("writing to a string doesn't fail");
    text
}

fn same(a: &Source, b: &Source) -> bool {
    Arc::ptr_eq(&a.text, &b.text) || (a.name == b.name && a.text == b.text)
}

/// The marked lines of one source; the first mark gives the place in the title.
fn snippet(
    out: &mut dyn Write,
    marks: &[&Mark],
    first: bool,
    margin: usize,
    palette: &Palette,
) -> Result {
    let frame = palette.frame;
    let Some(lead) = marks.first() else {
        return Ok(());
    };
    let arrow = if first { "-->" } else { ":::" };
    let name = printable(&lead.label.source.name);
    let (line, column) = (lead.line, lead.column);
    writeln!(out, "{:margin$}{frame}{arrow}{frame:#} {name}:{line}:{column}", "")?;
    writeln!(out, "{:margin$} {frame}|{frame:#}", "")?;
    let mut sorted: Vec<&Mark> = marks.to_vec();
    sorted.sort_by_key(|mark| (mark.line, !mark.primary, mark.column));
    let mut before = None;
    for (i, mark) in sorted.iter().enumerate() {
        let new_line = i == 0 || sorted[i - 1].line != mark.line;
        if new_line && before.is_some_and(|line| mark.line > line + 1) {
            writeln!(out, "{frame}...{frame:#}")?;
        }
        // A line is cut around its first mark; a mark far from it shows it again.
        let cut = Cut::around(mark.label);
        let repeat = !new_line && cut.lead_cut && cut != Cut::around(sorted[i - 1].label);
        if new_line || repeat {
            let line = mark.line;
            writeln!(out, "{frame}{line:>margin$} |{frame:#} {}", cut.text)?;
        }
        let style = if mark.primary { palette.severity } else { frame };
        let carets = if mark.primary { "^" } else { "-" }.repeat(cut.width.max(1));
        let text = printable(&mark.label.text);
        let space = if text.is_empty() { "" } else { " " };
        let indent = cut.column;
        writeln!(
            out,
            "{:margin$} {frame}|{frame:#} {:indent$}{style}{carets}{space}{text}{style:#}",
            "", ""
        )?;
        before = Some(mark.line);
    }
    Ok(())
}

/// A line cut to a bearable length around a span.
#[derive(PartialEq)]
struct Cut {
    text: String,
    /// Columns before the span.
    column: usize,
    /// Columns of the span.
    width: usize,
    /// Whether the line's beginning is left out.
    lead_cut: bool,
}

impl Cut {
    fn around(label: &Label) -> Cut {
        let text = &label.source.text;
        let start = floor(text, label.span.start as usize);
        let end = floor(text, label.span.end as usize).max(start);
        let mut cut = Cut { text: String::new(), column: 0, width: 0, lead_cut: false };
        cut.lead(&text[..start]);
        cut.column = width(&cut.text);
        let mut columns = cut.column;
        for (at, c) in text[start..].char_indices() {
            if c == '\n' || (c == '\r' && text[start + at + 1..].starts_with('\n')) {
                break;
            }
            if columns >= WIDTH {
                cut.text.push_str("...");
                break;
            }
            let before = cut.text.len();
            push_printable(&mut cut.text, c);
            let added = width(&cut.text[before..]);
            columns += added;
            if start + at < end {
                cut.width += added;
            }
        }
        cut
    }

    /// The part of the line before the span: all of it, or its last columns.
    fn lead(&mut self, before: &str) {
        let mut from = before.len();
        let mut columns = 0;
        for (at, c) in before.char_indices().rev() {
            if c == '\n' {
                break;
            }
            columns += if c == '\t' { TAB } else { c.width().unwrap_or(1) };
            if columns > WIDTH - BEFORE {
                self.lead_cut = true;
            }
            if columns <= BEFORE || !self.lead_cut {
                from = at;
            }
            if self.lead_cut {
                break;
            }
        }
        if self.lead_cut {
            // Too long: only so much of it as leaves room behind.
            let mut columns = 0;
            from = before.len();
            for (at, c) in before.char_indices().rev() {
                columns += if c == '\t' { TAB } else { c.width().unwrap_or(1) };
                if columns > BEFORE {
                    break;
                }
                from = at;
            }
            self.text.push_str("...");
        }
        for c in before[from..].chars() {
            push_printable(&mut self.text, c);
        }
    }
}

fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(1)).sum()
}

/// A character as it may go to a terminal.
fn push_printable(out: &mut String, c: char) {
    match c {
        '\t' => out.extend(std::iter::repeat_n(' ', TAB)),
        '\0'..='\x1F' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}')),
        '\x7F' => out.push('\u{2421}'),
        // Controls, and marks that change the direction of writing.
        '\u{80}'..='\u{9F}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => out.push('\u{FFFD}'),
        c => out.push(c),
    }
}

fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_printable(&mut out, c));
    out
}
