//! Where everything of a tree lies: boxes, lines, words, in pixels.

use super::label::Label;
use super::layers::{self, layered};
use super::layout::{Layout, Size, tidy};
use super::words;
use crate::usecases::tree::{Form, NodeKind, TreeReport};
use unicode_width::UnicodeWidthStr;

/// Width of a character and height of a line, of labels and of small print.
pub(super) const CHAR: f64 = 7.25;
pub(super) const LINE: f64 = 14.0;
pub(super) const SMALL_CHAR: f64 = 6.05;
pub(super) const SMALL_LINE: f64 = 12.0;
/// Room around the text of a box.
pub(super) const PAD: f64 = 6.0;
/// Between boxes beside each other.
pub(super) const BESIDE: f64 = 14.0;
/// From one row to the next, without the words on edges.
const BELOW: f64 = 30.0;

/// A box: upper left corner and size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Box {
    /// Left side.
    pub x: f64,
    /// Upper side.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// The line of an edge, and its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// The line, from point to point; the last two give its direction.
    pub points: Vec<(f64, f64)>,
    /// The words, and the middle of their base line.
    pub words: Option<(String, (f64, f64))>,
}

/// A tree laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// By node.
    pub boxes: Vec<Box>,
    /// By edge.
    pub wires: Vec<Wire>,
    /// The size of the whole.
    pub width: f64,
    /// The size of the whole.
    pub height: f64,
}

/// The texts of a box, from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Content {
    /// Left and right in the first line, small.
    pub head: Option<(String, &'static str)>,
    /// The label.
    pub lines: Vec<String>,
    /// The size of a board in its place.
    pub board: Option<(f64, f64)>,
    /// Small print below.
    pub foot: Vec<String>,
}

/// What stands in a node.
pub(super) fn content(report: &TreeReport, labels: &[Label], at: usize) -> Content {
    let node = &report.nodes[at];
    let (head, sign) = words::head(report, node);
    let mut foot = words::notes(node);
    if matches!(node.kind, NodeKind::Again(_)) {
        foot.push("…".to_owned());
    }
    foot.extend(words::hidden(node));
    let head = (!head.is_empty() || !sign.is_empty()).then_some((head, sign));
    let label = &labels[node.state];
    Content { head, lines: label.lines.clone(), board: label.board_size(), foot }
}

impl Content {
    /// The size of a box around it.
    pub fn size(&self) -> (f64, f64) {
        let widest = |lines: &[String], unit: f64| {
            lines.iter().map(|line| line.width() as f64 * unit).fold(0.0, f64::max)
        };
        let head = self.head.as_ref().map_or(0.0, |(left, right)| {
            let both = left.width() + right.width();
            let gap = usize::from(!left.is_empty() && !right.is_empty());
            (both + gap) as f64 * SMALL_CHAR
        });
        let label = match self.board {
            Some((width, height)) => (width, height + 4.0),
            None => (widest(&self.lines, CHAR), self.lines.len() as f64 * LINE),
        };
        let width = head.max(label.0).max(widest(&self.foot, SMALL_CHAR));
        let small = self.foot.len() + usize::from(self.head.is_some());
        let height = label.1 + small as f64 * SMALL_LINE;
        ((width + 2.0 * PAD).max(20.0), (height + 2.0 * PAD).max(16.0))
    }
}

impl Drawing {
    /// Lays out a tree or a graph; `labels` are those of its states.
    pub fn of(report: &TreeReport, labels: &[Label]) -> Drawing {
        let sizes: Vec<(f64, f64)> =
            (0..report.nodes.len()).map(|at| content(report, labels, at).size()).collect();
        if report.form == Form::Graph { graph(report, &sizes) } else { tree(report, &sizes) }
    }
}

/// A tree: words stand above the box that their edge leads to, and are as good as a part of it.
fn tree(report: &TreeReport, sizes: &[(f64, f64)]) -> Drawing {
    let children = report.children();
    let named = report.edges.iter().any(|edge| !words::moves(edge).is_empty());
    let cap = if named { SMALL_LINE + 5.0 } else { 0.0 };
    let mut words = vec![String::new(); sizes.len()];
    for edge in &report.edges {
        words[edge.to] = words::moves(edge);
    }
    let places: Vec<Size> = sizes
        .iter()
        .zip(&words)
        .enumerate()
        .map(|(at, (&(width, height), words))| {
            let above = if at == 0 { 0.0 } else { cap };
            let words = words.width() as f64 * SMALL_CHAR;
            Size { width: width.max(words) + BESIDE, height: height + above }
        })
        .collect();
    let Layout { places: found, width, height } = tidy(&children, &places, BELOW);
    let boxes: Vec<Box> = found
        .iter()
        .zip(sizes)
        .enumerate()
        .map(|(at, (place, &(width, height)))| {
            let above = if at == 0 { 0.0 } else { cap };
            Box { x: place.x - width / 2.0, y: place.y + above, width, height }
        })
        .collect();
    // Where the row of each depth ends: lines go straight down until there.
    let mut floors: Vec<f64> = Vec::new();
    for (node, place) in report.nodes.iter().zip(&boxes) {
        let depth = node.depth as usize;
        floors.resize(floors.len().max(depth + 1), 0.0);
        floors[depth] = floors[depth].max(place.y + place.height);
    }
    let wires = report
        .edges
        .iter()
        .map(|edge| {
            let (from, to) = (&boxes[edge.from], &boxes[edge.to]);
            let x = from.x + from.width / 2.0;
            let end = (to.x + to.width / 2.0, to.y - cap);
            let floor = floors[report.nodes[edge.from].depth as usize];
            let mut points = vec![(x, from.y + from.height)];
            if floor > from.y + from.height + 0.5 {
                points.push((x, floor));
            }
            points.push(end);
            let text = std::mem::take(&mut words[edge.to]);
            let words = (!text.is_empty()).then_some((text, (end.0, to.y - 6.0)));
            Wire { points, words }
        })
        .collect();
    Drawing { boxes, wires, width, height }
}

/// A graph: lines come into a box from above, at the place nearest to where they come from.
fn graph(report: &TreeReport, sizes: &[(f64, f64)]) -> Drawing {
    let nodes: Vec<layers::Node> = report
        .nodes
        .iter()
        .zip(sizes)
        .map(|(node, &(width, height))| layers::Node {
            width: width + BESIDE,
            height,
            depth: node.depth,
        })
        .collect();
    let texts: Vec<String> = report.edges.iter().map(words::moves).collect();
    let edges: Vec<layers::Edge> = report
        .edges
        .iter()
        .zip(&texts)
        .map(|(edge, text)| layers::Edge {
            from: edge.from,
            to: edge.to,
            words: text.width() as f64 * SMALL_CHAR,
        })
        .collect();
    let found = layered(&nodes, &edges);
    let boxes: Vec<Box> = found
        .nodes
        .iter()
        .zip(sizes)
        .map(|(&(x, y), &(width, height))| Box { x: x - width / 2.0, y, width, height })
        .collect();
    // Where a line from a point meets the upper or the lower side of a box.
    let port = |place: &Box, (x, y): (f64, f64)| {
        let inset = (place.width / 2.0).min(8.0);
        let x = x.clamp(place.x + inset, place.x + place.width - inset);
        (x, if y > place.y + place.height / 2.0 { place.y + place.height } else { place.y })
    };
    let wires = report
        .edges
        .iter()
        .zip(found.edges)
        .zip(found.words.iter().zip(texts))
        .map(|((edge, inner), (&(x, y), text))| {
            let [first, last] = [inner[0], inner[inner.len() - 1]];
            let mut points = vec![port(&boxes[edge.from], first)];
            points.extend(inner);
            points.push(port(&boxes[edge.to], last));
            if edge.from == edge.to {
                // A loop goes out and comes back beside itself.
                points[0].0 -= 4.0;
                let end = points.len() - 1;
                points[end].0 += 4.0;
            }
            let words = (!text.is_empty()).then_some((text, (x, y + 3.5)));
            Wire { points, words }
        })
        .collect();
    Drawing { boxes, wires, width: found.width, height: found.height }
}
