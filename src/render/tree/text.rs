//! A tree as lines of text, children indented below their parents.

use super::words;
use crate::render::style::{Theme, paint};
use crate::usecases::tree::{Form, NodeKind, TreeReport};

/// Characters of a state.
const STATE: usize = 60;

/// A tree for a terminal.
pub fn text(report: &TreeReport, theme: &Theme) -> String {
    let mut out = format!("{}\n", paint(theme.strong, &report.title));
    if report.form == Form::Graph {
        graph(report, theme, &mut out);
    } else {
        tree(report, theme, &mut out);
    }
    if report.nodes.iter().any(|node| node.path) {
        let what = if report.players.is_empty() { "the path found" } else { "best play" };
        out += &format!("{}\n", paint(theme.dim, &format!("* {what}")));
    }
    for remark in &report.remarks {
        out += &format!("{}\n", paint(theme.dim, remark));
    }
    out
}

/// A node in a line.
fn line(report: &TreeReport, at: usize, theme: &Theme) -> String {
    let node = &report.nodes[at];
    let state = &report.states[node.state];
    let term = words::short(&state.term.text, STATE);
    let mut text = if node.path { paint(theme.good, &term) } else { term };
    let (head, sign) = words::head(report, node);
    if report.engine.is_some() && node.order.is_some() || state.player.is_some() && !state.end {
        text = format!("{text}  {}", paint(theme.dim, &head));
    }
    if node.path {
        text += " *";
    }
    if state.end {
        text += if state.player.is_some() { "  over" } else { "  goal" };
    }
    if !sign.is_empty() {
        text += &format!("  {sign}");
    }
    for note in words::notes(node) {
        text += &format!("  {note}");
    }
    match node.kind {
        NodeKind::State => {}
        NodeKind::Again(_) => text += &paint(theme.dim, "  … drawn elsewhere"),
        NodeKind::Pruned => text += &paint(theme.dim, "  (left out)"),
    }
    if let Some(hidden) = words::hidden(node) {
        text += &paint(theme.dim, &format!("  {hidden}"));
    }
    text
}

fn tree(report: &TreeReport, theme: &Theme, out: &mut String) {
    let children = report.children();
    let mut edge_to = vec![None; report.nodes.len()];
    for edge in &report.edges {
        edge_to[edge.to] = Some(edge);
    }
    // A node, what its children are indented with, and whether brothers follow.
    let mut stack = vec![(0, String::new(), true)];
    while let Some((at, indent, last)) = stack.pop() {
        let mut below = indent.clone();
        if let Some(edge) = edge_to[at] {
            let branch = if last { "└─ " } else { "├─ " };
            *out += &format!("{indent}{branch}{}: ", words::moves(edge));
            below += if last { "   " } else { "│  " };
        }
        *out += &line(report, at, theme);
        out.push('\n');
        let count = children[at].len();
        for (number, &child) in children[at].iter().enumerate().rev() {
            stack.push((child, below.clone(), number + 1 == count));
        }
    }
}

fn graph(report: &TreeReport, theme: &Theme, out: &mut String) {
    let mut leaving = vec![Vec::new(); report.nodes.len()];
    for edge in &report.edges {
        leaving[edge.from].push(edge);
    }
    for (at, edges) in leaving.iter().enumerate() {
        *out += &format!("{}  {}\n", at + 1, line(report, at, theme));
        for edge in edges {
            let to = &report.nodes[edge.to];
            let term = words::short(&report.states[to.state].term.text, STATE);
            *out += &format!("   {}: {}  {term}\n", words::moves(edge), edge.to + 1);
        }
    }
}
