//! Where everything of a tree lies: boxes, lines, words, in pixels.

use super::label::Label;
use super::layers::{self, layered};
use super::layout::{Layout, Size, tidy};
use super::words;
use unicode_width::UnicodeWidthStr;
use zug_usecases::tree::{Form, NodeKind, TreeReport};

/// Width of a character and height of a line, of labels and of small print.
pub(super) const CHAR: f64 = 7.85;
pub(super) const LINE: f64 = 15.0;
pub(super) const SMALL_CHAR: f64 = 6.65;
pub(super) const SMALL_LINE: f64 = 13.0;
/// The sizes of their types.
pub(super) const TYPE: f64 = 13.0;
pub(super) const SMALL_TYPE: f64 = 11.0;
/// Room around the text of a box.
pub(super) const PAD: f64 = 6.0;
/// Between boxes beside each other.
pub(super) const BESIDE: f64 = 14.0;
/// From one row to the next, without the words on edges.
pub(super) const BELOW: f64 = 30.0;
/// From a box to the line from which those to its right branch off, and from there to them,
/// without the words on edges.
pub(super) const TRUNK: f64 = 14.0;
const BRANCH: f64 = 16.0;
/// Between boxes below each other, where a tree grows to the right.
const APART: f64 = 10.0;

/// Where a tree grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Downwards: the root is above the middle of the rest.
    Down,
    /// To the right: the root is in the upper left corner, and so is each node of its subtree.
    Right,
}

/// The width of the words of an edge.
pub(super) fn words_width(words: &str) -> f64 {
    words.width() as f64 * SMALL_CHAR
}

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
    foot.extend(words::below(node));
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
    /// Lays out a tree or a graph; `labels` are those of its states. Graphs grow downwards.
    pub fn of(report: &TreeReport, labels: &[Label], way: Direction) -> Drawing {
        let sizes: Vec<(f64, f64)> =
            (0..report.nodes.len()).map(|at| content(report, labels, at).size()).collect();
        match (report.form, way) {
            (Form::Graph, _) => graph(report, &sizes),
            (_, Direction::Down) => tree(report, &sizes),
            (_, Direction::Right) => rightwards(report, &sizes),
        }
    }
}

/// The size of a tree, by the children of each node, their sizes, and the width of the words on
/// the edges to them.
pub(super) fn extent(
    children: &[Vec<usize>],
    sizes: &[(f64, f64)],
    words: &[f64],
    way: Direction,
) -> (f64, f64) {
    let cap = cap(words.iter().any(|&width| width > 0.0));
    match way {
        Direction::Down => {
            let places = with_words(sizes, words, cap);
            let Layout { width, height, .. } = tidy(children, &places, BELOW);
            (width, height)
        }
        Direction::Right => {
            let Columns { width, height, .. } = columns(children, sizes, words, cap);
            (width, height)
        }
    }
}

/// The room that words take above a box.
fn cap(named: bool) -> f64 {
    if named { SMALL_LINE + 5.0 } else { 0.0 }
}

/// Boxes with the words above them, all but the root.
fn with_words(sizes: &[(f64, f64)], words: &[f64], cap: f64) -> Vec<Size> {
    let size = |(at, (&(width, height), &words)): (usize, (&(f64, f64), &f64))| {
        let above = if at == 0 { 0.0 } else { cap };
        Size { width: width.max(words) + BESIDE, height: height + above }
    };
    sizes.iter().zip(words).enumerate().map(size).collect()
}

/// A tree that grows to the right, in columns.
struct Columns {
    boxes: Vec<Box>,
    width: f64,
    height: f64,
}

/// Each subtree has rows of its own, its root in the first of them. Parents come before their
/// children.
fn columns(children: &[Vec<usize>], sizes: &[(f64, f64)], words: &[f64], cap: f64) -> Columns {
    let mut depths = vec![0usize; sizes.len()];
    for (at, below) in children.iter().enumerate() {
        for &child in below {
            depths[child] = depths[at] + 1;
        }
    }
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let (mut wide, mut named) = (vec![0.0f64; deepest + 1], vec![0.0f64; deepest + 1]);
    for (at, &depth) in depths.iter().enumerate() {
        wide[depth] = wide[depth].max(sizes[at].0);
        named[depth] = named[depth].max(words[at]);
    }
    let mut lefts = vec![0.0; deepest + 1];
    for depth in 1..=deepest {
        let branch = TRUNK + BRANCH + named[depth];
        lefts[depth] = lefts[depth - 1] + wide[depth - 1] + branch;
    }
    // Words stand above the line that meets the middle of a box.
    let row = |at: usize| sizes[at].1.max(2.0 * cap) + APART;
    let mut spans = vec![0.0f64; sizes.len()];
    for at in (0..sizes.len()).rev() {
        spans[at] = row(at).max(children[at].iter().map(|&child| spans[child]).sum());
    }
    let mut tops = vec![0.0; sizes.len()];
    let mut boxes = vec![Box::default(); sizes.len()];
    for at in 0..sizes.len() {
        let mut top = tops[at];
        for &child in &children[at] {
            tops[child] = top;
            top += spans[child];
        }
        let (width, height) = sizes[at];
        let y = tops[at] + (row(at) - APART - height) / 2.0;
        boxes[at] = Box { x: lefts[depths[at]], y, width, height };
    }
    let width = lefts[deepest] + wide[deepest];
    let height = spans.first().map_or(0.0, |span| span - APART);
    Columns { boxes, width, height }
}

/// A tree to the right: words stand on the line to the box that they lead to.
fn rightwards(report: &TreeReport, sizes: &[(f64, f64)]) -> Drawing {
    let mut texts = vec![String::new(); sizes.len()];
    for edge in &report.edges {
        texts[edge.to] = words::moves(edge);
    }
    let beside: Vec<f64> = texts.iter().map(|text| words_width(text)).collect();
    let cap = cap(beside.iter().any(|&width| width > 0.0));
    let Columns { boxes, width, height } = columns(&report.children(), sizes, &beside, cap);
    let mut trunks: Vec<f64> = Vec::new();
    for (node, place) in report.nodes.iter().zip(&boxes) {
        let depth = node.depth as usize;
        trunks.resize(trunks.len().max(depth + 1), 0.0);
        trunks[depth] = trunks[depth].max(place.x + place.width + TRUNK);
    }
    let wires = report.edges.iter().map(|edge| {
        let (from, to) = (&boxes[edge.from], &boxes[edge.to]);
        let trunk = trunks[report.nodes[edge.from].depth as usize];
        let (start, end) = (from.y + from.height / 2.0, to.y + to.height / 2.0);
        let mut points = vec![(from.x + from.width, start)];
        if (start - end).abs() > 0.05 {
            points.extend([(trunk, start), (trunk, end)]);
        }
        points.push((to.x, end));
        let text = std::mem::take(&mut texts[edge.to]);
        let middle = (trunk + to.x) / 2.0;
        let words = (!text.is_empty()).then_some((text, (middle, end - 4.0)));
        Wire { points, words }
    });
    let wires = wires.collect();
    Drawing { boxes, wires, width, height }
}

/// A tree: words stand above the box that their edge leads to, and are as good as a part of it.
fn tree(report: &TreeReport, sizes: &[(f64, f64)]) -> Drawing {
    let children = report.children();
    let mut words = vec![String::new(); sizes.len()];
    for edge in &report.edges {
        words[edge.to] = words::moves(edge);
    }
    let beside: Vec<f64> = words.iter().map(|words| words_width(words)).collect();
    let cap = cap(beside.iter().any(|&width| width > 0.0));
    let places = with_words(sizes, &beside, cap);
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
        .map(|(edge, text)| layers::Edge { from: edge.from, to: edge.to, words: words_width(text) })
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
