//! A tree as text for Graphviz.

use super::drawing::Direction;
use super::fold::Folded;
use super::label::Label;
use super::svg::{self, CHANCE};
use super::words;
use std::fmt::Write;

/// A text in quotes, lines centred.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A tree in the language DOT.
pub fn dot(folded: &Folded<'_>, labels: &[Label]) -> String {
    let report = &*folded.report;
    let mut text = String::new();
    let _ = writeln!(text, "digraph tree {{");
    let _ = writeln!(text, "  label={}; labelloc=t;", quoted(&report.title));
    if folded.way == Direction::Right {
        text += "  rankdir=LR;\n";
    }
    text += "  node [fontname=\"monospace\", fontsize=11, style=filled];\n";
    text += "  edge [fontname=\"monospace\", fontsize=10, color=\"#999999\"];\n";
    for (at, node) in report.nodes.iter().enumerate() {
        let content = super::drawing::content(report, labels, at);
        let head = content.head.map(|(left, right)| format!("{left} {right}").trim().to_owned());
        let lines: Vec<String> =
            head.into_iter().chain(content.lines).chain(content.foot).collect();
        let look = svg::look(report, at);
        let shape = match look.shape {
            2 => ", style=\"filled,rounded\"",
            CHANCE => ", shape=hexagon",
            3.. => ", shape=octagon",
            _ => "",
        };
        let dashed = if look.dashed { ", style=\"filled,dashed\"" } else { "" };
        let double = if look.double { ", peripheries=2" } else { "" };
        let wide = if node.path { ", penwidth=3" } else { "" };
        let _ = writeln!(
            text,
            "  n{at} [label={}, tooltip={}, shape=box, fillcolor=\"{}\", color=\"{}\", \
             fontcolor=\"{}\"{shape}{dashed}{double}{wide}];",
            quoted(&lines.join("\n")),
            quoted(&words::sentence(report, at)),
            look.fill,
            look.stroke,
            look.text,
        );
    }
    for edge in &report.edges {
        let path = if edge.path { ", color=\"#222222\", penwidth=3" } else { "" };
        let _ = writeln!(
            text,
            "  n{} -> n{} [label={}{path}];",
            edge.from,
            edge.to,
            quoted(&words::moves(edge))
        );
    }
    text += "}\n";
    text
}
