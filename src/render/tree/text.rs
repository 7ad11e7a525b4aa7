//! A tree as lines of text, children indented below their parents.
//!
//! On a terminal lines are no wider than it: states are shortened first, then what is known of
//! them goes on below, each thing whole; what is deep is indented less, and in the end no further.

use super::words;
use crate::style::{Theme, paint};
use unicode_width::UnicodeWidthStr;
use zug_tools::columns::wrapped;
use zug_usecases::tree::{Form, NodeKind, TreeReport};

/// Characters of a state.
const STATE: usize = 60;
/// The same where there is little room.
const SHORT: usize = 12;

/// A tree for a terminal of so many columns, or for no terminal.
pub fn text(report: &TreeReport, theme: &Theme, columns: Option<usize>) -> String {
    let mut out = String::new();
    for line in wrapped(&report.title, columns) {
        out += &format!("{}\n", paint(theme.strong, &line));
    }
    if report.form == Form::Graph {
        graph(report, theme, columns, &mut out);
    } else {
        tree(report, theme, columns, &mut out);
    }
    if report.nodes.iter().any(|node| node.path) {
        let what = if report.players.is_empty() { "the path found" } else { "best play" };
        out += &format!("{}\n", paint(theme.dim, &format!("* {what}")));
    }
    for remark in &report.remarks {
        for line in wrapped(remark, columns) {
            out += &format!("{}\n", paint(theme.dim, &line));
        }
    }
    out
}

/// Things said of a node, each as it is and in its style.
struct Line {
    parts: Vec<(String, String)>,
}

impl Line {
    fn new() -> Line {
        Line { parts: Vec::new() }
    }

    fn plain(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.parts.push((text.clone(), text));
    }

    fn painted(&mut self, style: anstyle::Style, text: &str) {
        self.parts.push((text.to_owned(), paint(style, text)));
    }

    /// Written behind what begins a line; what has no room goes on below, behind `rest`.
    fn write(&self, begin: &str, rest: &str, columns: Option<usize>, out: &mut String) {
        let mut at = begin.width();
        *out += begin;
        let mut fresh = true;
        for (text, shown) in &self.parts {
            let gap = match (fresh, text.as_str()) {
                (true, _) => 0,
                (_, "*") => 1,
                _ => 2,
            };
            let wide = text.width();
            if !fresh && columns.is_some_and(|columns| at + gap + wide > columns) {
                *out += "\n";
                *out += rest;
                at = rest.width();
            } else {
                *out += &" ".repeat(gap);
                at += gap;
            }
            *out += shown;
            at += wide;
            fresh = false;
        }
        out.push('\n');
    }
}

/// What is said of a node, the state in no more than `most` characters.
fn line(report: &TreeReport, at: usize, theme: &Theme, most: usize) -> Line {
    let node = &report.nodes[at];
    let state = &report.states[node.state];
    let term = words::short(&state.term.text, most);
    let mut line = Line::new();
    line.painted(if node.path { theme.good } else { anstyle::Style::new() }, &term);
    let (head, sign) = words::head(report, node);
    if report.engine.is_some() && node.order.is_some() || state.player.is_some() && !state.end {
        line.painted(theme.dim, &head);
    }
    if node.path {
        line.plain("*");
    }
    if state.end {
        line.plain(if state.player.is_some() { "over" } else { "goal" });
    }
    if !sign.is_empty() {
        line.plain(sign);
    }
    for note in words::notes(node) {
        line.plain(note);
    }
    match node.kind {
        NodeKind::State => {}
        NodeKind::Again(_) => line.painted(theme.dim, "… drawn elsewhere"),
        NodeKind::Pruned => line.painted(theme.dim, "(left out)"),
    }
    if let Some(hidden) = words::hidden(node) {
        line.painted(theme.dim, &hidden);
    }
    line
}

/// The characters of a state behind what begins its line.
fn room(columns: Option<usize>, begin: &str) -> usize {
    columns.map_or(STATE, |columns| columns.saturating_sub(begin.width()).clamp(SHORT, STATE))
}

/// The end of an indentation that leaves no room, behind a mark.
fn indented(indent: &str, columns: Option<usize>) -> String {
    let all = indent.chars().count();
    match columns.map(|columns| columns / 3) {
        Some(most) if all > most => {
            let kept: String = indent.chars().skip(all + 2 - most.max(2)).collect();
            format!("… {kept}")
        }
        _ => indent.to_owned(),
    }
}

fn tree(report: &TreeReport, theme: &Theme, columns: Option<usize>, out: &mut String) {
    let deepest = report.nodes.iter().map(|node| node.depth).max().unwrap_or(0) as usize;
    // A node, what follows below it, its last brother, and what stands in their place below.
    let narrow = columns.is_some_and(|columns| 3 * deepest > columns / 3);
    let [with, last_one, on, none] = match narrow {
        true => ["├ ", "└ ", "│ ", "  "],
        false => ["├─ ", "└─ ", "│  ", "   "],
    };
    let children = report.children();
    let mut edge_to = vec![None; report.nodes.len()];
    for edge in &report.edges {
        edge_to[edge.to] = Some(edge);
    }
    // A node, what its children are indented with, and whether brothers follow.
    let mut stack = vec![(0, String::new(), true)];
    while let Some((at, indent, last)) = stack.pop() {
        let mut below = indent.clone();
        let mut begin = String::new();
        if let Some(edge) = edge_to[at] {
            let branch = if last { last_one } else { with };
            begin = format!("{}{branch}{}: ", indented(&indent, columns), words::moves(edge));
            below += if last { none } else { on };
        }
        let rest = indented(&below, columns) + if children[at].is_empty() { none } else { on };
        line(report, at, theme, room(columns, &begin)).write(&begin, &rest, columns, out);
        let count = children[at].len();
        for (number, &child) in children[at].iter().enumerate().rev() {
            stack.push((child, below.clone(), number + 1 == count));
        }
    }
}

fn graph(report: &TreeReport, theme: &Theme, columns: Option<usize>, out: &mut String) {
    let mut leaving = vec![Vec::new(); report.nodes.len()];
    for edge in &report.edges {
        leaving[edge.from].push(edge);
    }
    for (at, edges) in leaving.iter().enumerate() {
        let begin = format!("{}  ", at + 1);
        line(report, at, theme, room(columns, &begin)).write(&begin, "   ", columns, out);
        for edge in edges {
            let to = &report.nodes[edge.to];
            let begin = format!("   {}: {}  ", words::moves(edge), edge.to + 1);
            let term = words::short(&report.states[to.state].term.text, room(columns, &begin));
            let mut line = Line::new();
            line.plain(term);
            line.write(&begin, "   ", columns, out);
        }
    }
}
