//! How wide what is written may be: the columns of the terminal, and lines no wider than they are.
//!
//! The width is one for the process, as its terminal is; who knows the terminal is asked for it
//! ([`ask`]) whenever something is written, since windows are made wider and narrower.
//! Where there is none, in a pipe or a file, lines are as long as they were made, whoever reads
//! them. Lines break between words, and lists between elements, never inside one; what is wider
//! than the terminal by itself stands on a line of its own.

use std::borrow::Cow;
use std::sync::OnceLock;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Who knows the terminal.
static TERMINAL: OnceLock<fn() -> Option<usize>> = OnceLock::new();
/// The least that is heeded: less holds no words.
const LEAST: usize = 20;

/// Says who knows how wide the terminal is, if there is one. The first to be named stays.
pub fn ask(terminal: fn() -> Option<usize>) {
    let _ = TERMINAL.set(terminal);
}

/// The columns of the terminal, if there is one.
pub fn terminal() -> Option<usize> {
    TERMINAL.get()?().map(|columns| columns.max(LEAST))
}

/// This many columns, or as many as there are.
pub fn most(columns: usize) -> usize {
    terminal().map_or(columns, |there| there.min(columns))
}

/// The width of a line without the escapes that colour it.
fn visible(line: &str) -> usize {
    if line.contains('\u{1b}') { bare(line).width() } else { line.width() }
}

/// A line without the escapes that colour it.
fn bare(line: &str) -> String {
    let mut rest = line;
    let mut text = String::new();
    while let Some((before, escape)) = rest.split_once('\u{1b}') {
        text += before;
        rest = escape.split_once('m').map_or("", |(_, after)| after);
    }
    text + rest
}

/// A text in lines of at most N columns, broken between words; what stands in columns of
/// its own goes on below, indented. Without columns it is one line.
pub fn wrapped(text: &str, columns: Option<usize>) -> Vec<String> {
    match columns.filter(|&columns| visible(text) > columns) {
        None => vec![text.to_owned()],
        Some(columns) => broken(text, columns),
    }
}

/// A text whose lines are no wider than the terminal, if there is one: sentences are broken
/// between words and lists between elements; drawings and lines of programs are cut at the end,
/// since a drawing that goes on below is none.
pub fn fitted(text: &str) -> Cow<'_, str> {
    terminal().map_or(Cow::Borrowed(text), |columns| fitted_to(text, columns))
}

fn fitted_to(text: &str, columns: usize) -> Cow<'_, str> {
    changed(text, columns, |line| match visible(line) <= columns {
        true => line.to_owned(),
        false if drawn(&bare(line)) => cut(line, columns),
        false => broken(line, columns).join("\n"),
    })
}

/// A text with changed lines, if one of them is wider than the columns.
fn changed(text: &str, columns: usize, change: impl Fn(&str) -> String) -> Cow<'_, str> {
    if text.lines().all(|line| visible(line) <= columns) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        out += &change(line);
        out += end;
    }
    Cow::Owned(out)
}

/// Whether a line is a part of a drawing, or a line of a program under its number: what is below
/// something in it means that.
fn drawn(line: &str) -> bool {
    let text = line.trim_start();
    let quoted = text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" | ");
    let boxed = text.contains(|c: char| ('\u{2500}'..='\u{259f}').contains(&c));
    let inked = text.chars().filter(|c| !c.is_whitespace()).count();
    let marks = text.chars().filter(|&c| "+-|#*~/\\^".contains(c)).count();
    let words = text.split_whitespace().count();
    quoted || boxed || 3 * marks >= inked || words >= 6 && inked < 2 * words
}

/// A table of two columns twice side by side, one below the other where it is wider than the
/// terminal: a line of four cells becomes two of two.
pub fn in_pairs(text: &str) -> Cow<'_, str> {
    terminal().map_or(Cow::Borrowed(text), |columns| in_pairs_within(text, columns))
}

fn in_pairs_within(text: &str, columns: usize) -> Cow<'_, str> {
    changed(text, columns, |line| match cell_starts(line)[..] {
        [_, _, third, _] if line.starts_with(' ') => {
            let indent = &line[..line.len() - line.trim_start().len()];
            format!("{}\n{indent}{}", line[..third].trim_end(), &line[third..])
        }
        _ => line.to_owned(),
    })
}

/// Where the cells of a line begin, which are two blanks or more apart.
fn cell_starts(line: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut blanks = 2;
    for (at, c) in line.char_indices() {
        if c == ' ' {
            blanks += 1;
            continue;
        }
        if blanks >= 2 {
            starts.push(at);
        }
        blanks = 0;
    }
    starts
}

/// The beginning of a line, and a sign that it goes on.
fn cut(line: &str, columns: usize) -> String {
    let mut text = String::new();
    let mut at = 0;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            text.push(c);
            text.extend(chars.by_ref().take_while(|&c| c != 'm').chain(['m']));
            continue;
        }
        at += c.width().unwrap_or(0);
        if at >= columns {
            break;
        }
        text.push(c);
    }
    text.push('…');
    if line.contains('\u{1b}') {
        text += "\u{1b}[0m";
    }
    text
}

/// A line in several: its columns, two blanks or more apart, go on below where they have no room,
/// and so do the words of one that is wider than a line.
fn broken(line: &str, columns: usize) -> Vec<String> {
    let body = line.trim_start_matches(' ');
    let indent = line.len() - body.len();
    // Cells, each with the blanks before it.
    let mut cells: Vec<(usize, &str)> = Vec::new();
    let (mut rest, mut gap) = (body, 0);
    while let Some((cell, after)) = rest.split_once("  ") {
        let next = after.trim_start_matches(' ');
        cells.push((gap, cell));
        gap = 2 + after.len() - next.len();
        rest = next;
    }
    cells.push((gap, rest));
    let first = indent + visible(cells[0].1) + cells.get(1).map_or(0, |cell| cell.0);
    let hang = match cells.len() {
        1 if indent == 0 => 0,
        2 if first <= columns * 2 / 5 => first,
        // What stands in the second column of a table goes on there.
        1 if indent > columns / 3 && indent <= columns / 2 => indent,
        _ => (indent + 2).min(columns / 3),
    };
    let mut lines = vec![" ".repeat(indent.min(columns / 2))];
    let mut fresh = true;
    for (gap, cell) in cells {
        let at = lines.last().map_or(0, |line| visible(line));
        let gap = if fresh { 0 } else { gap };
        if at + gap + visible(cell) > columns && hang + visible(cell) <= columns && !fresh {
            lines.push(" ".repeat(hang));
            push(&mut lines, cell);
        } else if at + gap + visible(cell) > columns && at + gap > columns / 2 && hang < at {
            lines.push(" ".repeat(hang));
            fill(&mut lines, "", cell, (hang, columns));
        } else if at + gap + visible(cell) > columns {
            fill(&mut lines, &" ".repeat(gap), cell, (hang, columns));
        } else {
            push(&mut lines, &" ".repeat(gap));
            push(&mut lines, cell);
        }
        fresh = false;
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

fn push(lines: &mut [String], text: &str) {
    if let Some(line) = lines.last_mut() {
        line.push_str(text);
    }
}

/// Puts the words of a text behind what is there, `gap` before the first. A word wider than a line
/// is a term mostly, and breaks behind its commas.
fn fill(lines: &mut Vec<String>, gap: &str, text: &str, (hang, columns): (usize, usize)) {
    let mut gap = gap;
    for word in text.split(' ') {
        let long = hang + visible(word) > columns;
        let pieces: Vec<&str> = if long { word.split_inclusive(',').collect() } else { vec![word] };
        for piece in pieces {
            let line = lines.last().map_or("", String::as_str);
            let blank = line.trim_start().is_empty();
            if !blank && visible(line) + gap.len() + visible(piece) > columns {
                lines.push(" ".repeat(hang));
            } else {
                push(lines, gap);
            }
            push(lines, piece);
            gap = "";
        }
        gap = " ";
    }
}

/// Elements in lines of at most N columns, `gap` between two of them; a line ends with what
/// of `gap` isn't blank. All lines are indented.
pub fn filled<'t>(
    elements: impl IntoIterator<Item = &'t str>,
    gap: &str,
    indent: usize,
    columns: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut fresh = true;
    let mut line = " ".repeat(indent);
    let stays = gap.trim_end().width();
    for element in elements {
        if !fresh {
            line += gap.trim_end();
            if line.width() + gap.width() - stays + element.width() + stays > columns {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            } else {
                line += &gap[gap.trim_end().len()..];
            }
        }
        line += element;
        fresh = false;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_keep_their_indentation() {
        assert_eq!(wrapped("one two three", Some(9)), ["one two", "three"]);
        assert_eq!(wrapped("  one two three", Some(9)), ["  one two", "   three"]);
        assert_eq!(wrapped("one two three", None), ["one two three"]);
        assert_eq!(wrapped("incomprehensible one", Some(8)), ["incomprehensible", "one"]);
        assert_eq!(wrapped("an exact fit", Some(12)), ["an exact fit"]);
        let coloured = "\u{1b}[1mone\u{1b}[0m two three";
        assert_eq!(wrapped(coloured, Some(9)), ["\u{1b}[1mone\u{1b}[0m two", "three"]);
    }

    #[test]
    fn columns_go_on_below_and_terms_break_between_elements() {
        assert_eq!(
            fitted_to("  engines     astar, wastar, greedy, ucs, bfs\n", 30),
            "  engines     astar, wastar,\n    greedy, ucs, bfs\n"
        );
        assert_eq!(
            fitted_to("bfs     fewest  a path of the fewest moves\n", 30),
            "bfs     fewest\n  a path of the fewest moves\n"
        );
        assert_eq!(
            fitted_to("S = [[one,two],[three,four]].", 20),
            "S = [[one,two],\n[three,four]]."
        );
    }

    #[test]
    fn tables_side_by_side_are_put_below_each_other() {
        let words = "Words:\n  board  the board    hint   a move\n  undo   it back      quit\n";
        assert_eq!(in_pairs_within(words, 80), words);
        assert_eq!(
            in_pairs_within(words, 30),
            "Words:\n  board  the board\n  hint   a move\n  undo   it back      quit\n"
        );
        let deep = "              astar, wastar need heuristic(S, H)\n";
        assert_eq!(
            fitted_to(deep, 40),
            "              astar, wastar need\n              heuristic(S, H)\n"
        );
    }

    #[test]
    fn drawings_are_cut_and_never_continued() {
        let board = "+---+---+---+---+---+---+\n| a | b | c | d | e | f |\n";
        assert_eq!(fitted_to(board, 20), "+---+---+---+---+--…\n| a | b | c | d | e…\n");
        assert_eq!(fitted_to("x o x o x o x o x o x o\n", 20), "x o x o x o x o x o…\n");
        assert_eq!(fitted_to("12 | rule(a, b, c) :- true.\n", 20), "12 | rule(a, b, c) …\n");
        assert_eq!(fitted_to(board, 25), board);
    }

    #[test]
    fn lists_break_between_elements() {
        let elements = ["take(1, a)", "take(2, b)", "take(3, c)"];
        assert_eq!(filled(elements, ", ", 2, 25), ["  take(1, a), take(2, b),", "  take(3, c)"]);
    }
}
