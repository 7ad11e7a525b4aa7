//! Explanations as text: the proof as a tree, findings in the text.

use super::board::{draw, trimmed};
use super::diagnostic::{RenderOptions, render};
use super::style::{Theme, paint};
use zug_explain::{Explanation, ProofLine};
use zug_prolog::session::Session;

/// Lines shown of a proof that is cut short.
const LINES: usize = 40;
/// Levels up to which lines are set in.
const LEVELS: usize = 40;
/// Columns that goals may take before what stands beside them moves on.
const GOALS: usize = 56;
/// Columns of the values of variables.
const VALUES: usize = 60;

/// An explanation as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplanationText {
    /// The text, long proofs cut short.
    pub text: String,
    /// The text in full, where `text` is cut short.
    pub full: Option<String>,
}

/// An explanation, with advice on how to see all of it if it is cut short.
pub fn explanation(
    session: &mut Session,
    found: &Explanation,
    advice: &str,
    theme: &Theme,
) -> ExplanationText {
    let short = proof(&found.proof, false, advice, theme);
    let board = found.state.as_ref().and_then(|(state, _)| draw(session, state));
    let rest = rest(found, board.as_deref(), theme);
    let full = short.1.then(|| proof(&found.proof, true, advice, theme).0 + &rest);
    ExplanationText { text: short.0 + &rest, full }
}

fn rest(found: &Explanation, board: Option<&str>, theme: &Theme) -> String {
    let mut text = String::new();
    if found.proof.is_empty() && !found.title.is_empty() {
        text += &paint(theme.strong, &found.title);
        text.push('\n');
    }
    match (board, &found.state) {
        (Some(board), _) => {
            text += trimmed(board);
            text.push('\n');
        }
        (None, Some((_, state))) => text += &format!("the state there: {state}\n"),
        (None, None) => {}
    }
    for finding in &found.findings {
        // Writing to a string doesn't fail.
        let _ = render(&mut text, finding, RenderOptions { colour: theme.colour });
    }
    for note in &found.notes {
        text += note;
        text.push('\n');
    }
    text
}

/// What is shown of a line, and of those below it that are not.
struct Row<'p> {
    line: &'p ProofLine,
    /// Lines below that are left out.
    hidden: usize,
    /// The lines below were shown before, at an equal goal.
    again: bool,
}

/// A proof, and whether something was left out.
fn proof(lines: &[ProofLine], full: bool, advice: &str, theme: &Theme) -> (String, bool) {
    let mut cut = false;
    let mut rows = without_repeats(lines, full);
    if !full && rows.len() > LINES {
        // As many levels as fit; at least two.
        let count = |deepest| rows.iter().filter(|row| row.line.depth <= deepest).count();
        let deepest = (1..LINES).take_while(|&deepest| count(deepest) <= LINES).last();
        rows = down_to(rows, deepest.unwrap_or(1));
    }
    cut |= rows.iter().any(|row| row.hidden > 0 || row.again);
    let over = if full { 0 } else { rows.len().saturating_sub(2 * LINES) };
    rows.truncate(rows.len() - over);
    let mut text = tree(&rows, theme);
    if over > 0 {
        text += &paint(theme.dim, &format!("… and {over} more goals"));
        text.push('\n');
    }
    cut |= over > 0;
    if cut && !full && !advice.is_empty() {
        text += &paint(theme.dim, &format!("({advice})"));
        text.push('\n');
    }
    (text, cut && !full)
}

/// The rows, without the proof of a goal that was proved before.
fn without_repeats(lines: &[ProofLine], full: bool) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut seen: rustc_hash::FxHashSet<(&str, Option<u32>)> = rustc_hash::FxHashSet::default();
    let mut i = 0;
    while i < lines.len() {
        let line = &lines[i];
        let below = lines[i + 1..].iter().take_while(|other| other.depth > line.depth).count();
        let place = line.place.as_ref().map(|(_, span)| span.start);
        let again = below > 1 && !full && !seen.insert((&line.goal, place));
        rows.push(Row { line, hidden: if again { below } else { 0 }, again });
        i += if again { below + 1 } else { 1 };
    }
    rows
}

/// The rows down to a level.
fn down_to(rows: Vec<Row<'_>>, deepest: usize) -> Vec<Row<'_>> {
    let mut kept: Vec<Row<'_>> = Vec::new();
    for row in rows {
        if row.line.depth <= deepest {
            kept.push(row);
        } else if let Some(above) = kept.last_mut() {
            above.hidden += 1 + row.hidden;
        }
    }
    kept
}

fn tree(rows: &[Row<'_>], theme: &Theme) -> String {
    // For each row, whether another of its level follows under the same goal.
    let mut follows = vec![false; rows.len()];
    let mut open: Vec<bool> = Vec::new();
    for (i, row) in rows.iter().enumerate().rev() {
        let depth = row.line.depth;
        open.truncate(depth + 1);
        open.resize(depth + 1, false);
        follows[i] = open[depth];
        open[depth] = true;
    }
    let mut bars: Vec<bool> = Vec::new();
    let mut shown: Vec<(String, String, &Row<'_>)> = Vec::new();
    for (row, &follows) in rows.iter().zip(&follows) {
        let depth = row.line.depth;
        bars.truncate(depth);
        let mut prefix = String::new();
        if depth > LEVELS {
            prefix = format!("{}(level {depth}) ", "   ".repeat(2));
        } else if depth > 0 {
            for &bar in bars.iter().skip(1) {
                prefix += if bar { "│  " } else { "   " };
            }
            prefix += if follows { "├─ " } else { "└─ " };
        }
        bars.resize(depth, false);
        bars.push(follows);
        shown.push((prefix, row.line.goal.clone(), row));
    }
    let wide = |text: &str| unicode_width::UnicodeWidthStr::width(text);
    let widths = shown.iter().map(|(prefix, goal, _)| wide(prefix) + wide(goal));
    let column = widths.filter(|&width| width <= GOALS).max().unwrap_or(0);
    let mut text = String::new();
    for (prefix, goal, row) in shown {
        let beside = beside(row, theme);
        let gap = column.saturating_sub(wide(&prefix) + wide(&goal));
        let line = format!("{}{goal}{:gap$}  {beside}", paint(theme.dim, &prefix), "");
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Where a goal was proved, with which values, and what was left out.
fn beside(row: &Row<'_>, theme: &Theme) -> String {
    let mut parts = Vec::new();
    if let Some(line) = row.line.line() {
        parts.push(line);
    }
    if !row.line.remark.is_empty() {
        parts.push(row.line.remark.to_owned());
    }
    let mut values = String::new();
    for (name, value) in &row.line.variables {
        let part = format!("{name} = {value}");
        if values.chars().count() + part.chars().count() > VALUES {
            values += if values.is_empty() { "" } else { ", …" };
            break;
        }
        if !values.is_empty() {
            values += ", ";
        }
        values += &part;
    }
    if !values.is_empty() {
        parts.push(values);
    }
    if row.again {
        parts.push(format!("proved above in {} goals", row.hidden));
    } else if row.hidden > 0 {
        parts.push(format!("… {} goals", row.hidden));
    }
    paint(theme.dim, &parts.join("  "))
}
