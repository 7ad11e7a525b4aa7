//! What of a tree is drawn where all of it would be too much.
//!
//! A picture is to be read where it opens: at its own size from its upper left corner, or made to
//! fit a window. So a tree is folded until it fits a [`PAGE`]: the path that was found, which is drawn in
//! full, and whole levels from the root as far as there is room; nodes say how many are folded below them. It
//! grows downwards or to the right, whichever shows more. What is left is a report of its own,
//! so all that draws reports draws it.

use super::drawing::{self, Direction, Drawing, content};
use super::label::Label;
use super::words;
use num_bigint::BigUint;
use std::borrow::Cow;
use zug_usecases::tree::{Form, NodeKind, Size, TreeNode, TreeReport};

/// The room for a tree, in pixels: what a window of a usual size shows without making text
/// smaller than it can be read.
pub const PAGE: (f64, f64) = (1440.0, 1100.0);
/// A tree that is drawn whole grows downwards up to this width: its root, in the middle, is then
/// in sight.
const WIDE: f64 = 1600.0;
/// Nodes that are looked at whether they can be unfolded, after levels and the path.
const TRIED: usize = 500;

/// What is drawn of a tree.
pub struct Folded<'r> {
    /// The tree, or the part of it that is drawn.
    pub report: Cow<'r, TreeReport>,
    /// Where it grows.
    pub way: Direction,
}

impl<'r> Folded<'r> {
    fn new(report: &'r TreeReport, keep: Option<Vec<bool>>, way: Direction) -> Folded<'r> {
        match keep.filter(|keep| keep.contains(&false)) {
            None => Folded { report: Cow::Borrowed(report), way },
            Some(keep) => Folded { report: Cow::Owned(part(report, &keep)), way },
        }
    }
}

/// All of a tree.
pub fn whole(report: &TreeReport) -> Folded<'_> {
    Folded::new(report, None, Direction::Down)
}

/// What is drawn in a picture: all of a tree, or what fits a page.
pub fn for_picture<'r>(report: &'r TreeReport, labels: &[Label], all: bool) -> Folded<'r> {
    let page = Page::of(report, labels);
    if report.form == Form::Graph {
        let keep = (!all).then(|| graph(report, labels));
        return Folded::new(report, keep, Direction::Down);
    }
    let whole = vec![true; report.nodes.len()];
    if all {
        let down = page.extent(&whole, Direction::Down).0 <= WIDE;
        return Folded::new(report, None, if down { Direction::Down } else { Direction::Right });
    }
    for way in [Direction::Down, Direction::Right] {
        if page.fits(&whole, way) {
            return Folded::new(report, None, way);
        }
    }
    let count = |keep: &[bool]| keep.iter().filter(|&&kept| kept).count();
    let [down, right] = [Direction::Down, Direction::Right].map(|way| {
        // The path is drawn in full, even where the picture becomes longer than a page.
        let room = page.extent(&path(report), way);
        choose(report, &page.children, &mut |keep| {
            let (width, height) = page.extent(keep, way);
            width <= PAGE.0.max(room.0) && height <= PAGE.1.max(room.1)
        })
    });
    if count(&right) > count(&down) {
        Folded::new(report, Some(right), Direction::Right)
    } else {
        Folded::new(report, Some(down), Direction::Down)
    }
}

/// What is drawn in so many lines, one for each node; of a graph all.
pub fn for_lines(report: &TreeReport, lines: usize) -> Folded<'_> {
    if report.form == Form::Graph || report.nodes.len() <= lines {
        return Folded::new(report, None, Direction::Down);
    }
    let keep = choose(report, &report.children(), &mut |keep| {
        keep.iter().filter(|&&kept| kept).count() <= lines
    });
    Folded::new(report, Some(keep), Direction::Down)
}

/// The root and the path.
fn path(report: &TreeReport) -> Vec<bool> {
    report.nodes.iter().enumerate().map(|(at, node)| at == 0 || node.path).collect()
}

/// The path, as far as it fits, then whole levels, then what else has room; of the root's children as
/// many as fit.
fn choose(
    report: &TreeReport,
    children: &[Vec<usize>],
    fits: &mut dyn FnMut(&[bool]) -> bool,
) -> Vec<bool> {
    let nodes = &report.nodes;
    let mut keep = path(report);
    let deepest = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    for depth in (0..deepest).rev() {
        if fits(&keep) {
            break;
        }
        let near = |(at, node): (usize, &TreeNode)| at == 0 || (node.path && node.depth <= depth);
        keep = nodes.iter().enumerate().map(near).collect();
    }
    let line = keep.clone();
    for depth in 1..=deepest {
        let next: Vec<bool> =
            nodes.iter().zip(&line).map(|(node, &kept)| kept || node.depth <= depth).collect();
        if !fits(&next) {
            break;
        }
        keep = next;
    }
    // A node with all its children, with some of them, or not at all.
    let mut unfold = |keep: &mut Vec<bool>, at: usize, wanted: &dyn Fn(usize) -> bool| {
        let before = keep.clone();
        for &child in children[at].iter().filter(|&&child| wanted(child)) {
            keep[child] = true;
        }
        let fit = fits(keep);
        if !fit {
            *keep = before;
        }
        fit
    };
    let on_path: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].path).collect();
    for &at in &on_path {
        if !keep[at] {
            break;
        }
        let _ = children[at].iter().all(|&child| keep[child])
            || unfold(&mut keep, at, &|_| true)
            || unfold(&mut keep, at, &|child| nodes[child].path);
    }
    // What stands higher first; what comes into the picture is tried too.
    let mut queue: Vec<usize> = (0..nodes.len()).filter(|&at| keep[at]).collect();
    queue.sort_by_key(|&at| (nodes[at].depth, at));
    let mut next = 0;
    while let Some(&at) = queue.get(next).filter(|_| next < TRIED) {
        next += 1;
        let open = children[at].iter().all(|&child| keep[child]);
        if !open && unfold(&mut keep, at, &|_| true) {
            queue.extend(&children[at]);
        }
    }
    if !children[0].iter().any(|&child| keep[child] && !nodes[child].path) {
        for &child in &children[0] {
            if !keep[child] && !unfold(&mut keep, 0, &|other| other == child) {
                break;
            }
        }
    }
    keep
}

/// Sizes of what is drawn, for one look after the other.
struct Page {
    children: Vec<Vec<usize>>,
    sizes: Vec<(f64, f64)>,
    words: Vec<f64>,
}

impl Page {
    fn of(report: &TreeReport, labels: &[Label]) -> Page {
        let children = report.children();
        let mut below = vec![0u64; report.nodes.len()];
        for (at, node) in report.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                below[parent] += below[at] + 1;
            }
        }
        let size = |at: usize| {
            let mut content = content(report, labels, at);
            // It may say what is folded below it, and that there is more.
            if below[at] > 0 {
                let known = words::count(&below[at].to_string());
                let more = if report.nodes[at].hidden.is_some() { " …" } else { "" };
                content.foot.push(format!("+{known}{more}"));
            }
            content.size()
        };
        let sizes = (0..report.nodes.len()).map(size).collect();
        let mut beside = vec![0.0; report.nodes.len()];
        for edge in &report.edges {
            beside[edge.to] = drawing::words_width(&words::moves(edge));
        }
        Page { children, sizes, words: beside }
    }

    fn fits(&self, keep: &[bool], way: Direction) -> bool {
        let (width, height) = self.extent(keep, way);
        width <= PAGE.0 && height <= PAGE.1
    }

    /// The size of a part of the tree.
    fn extent(&self, keep: &[bool], way: Direction) -> (f64, f64) {
        let mut number = vec![usize::MAX; keep.len()];
        for (count, (at, _)) in keep.iter().enumerate().filter(|(_, kept)| **kept).enumerate() {
            number[at] = count;
        }
        let kept = |at: &usize| keep[*at];
        let of = |from: &[(f64, f64)]| (0..keep.len()).filter(kept).map(|at| from[at]).collect();
        let sizes: Vec<(f64, f64)> = of(&self.sizes);
        let beside: Vec<f64> = (0..keep.len()).filter(kept).map(|at| self.words[at]).collect();
        let children: Vec<Vec<usize>> = (0..keep.len())
            .filter(kept)
            .map(|at| {
                self.children[at].iter().filter(|at| kept(at)).map(|&at| number[at]).collect()
            })
            .collect();
        drawing::extent(&children, &sizes, &beside, way)
    }
}

/// The layers of a graph that fit a page; at least the root and some of what it leads to.
fn graph(report: &TreeReport, labels: &[Label]) -> Vec<bool> {
    let fits = |keep: &[bool]| {
        let part = part(report, keep);
        let drawing = Drawing::of(&part, labels, Direction::Down);
        drawing.width <= PAGE.0 && drawing.height <= PAGE.1
    };
    let nodes = &report.nodes;
    let deepest = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    let mut keep: Vec<bool> = (0..nodes.len()).map(|at| at == 0).collect();
    for depth in 1..=deepest {
        let next: Vec<bool> = nodes.iter().map(|node| node.depth <= depth).collect();
        if fits(&next) {
            keep = next;
            continue;
        }
        if depth == 1 {
            let mut most = next.iter().filter(|&&kept| kept).count() - 1;
            while most > 2 {
                most = most * 3 / 4;
                let some: Vec<bool> = (0..nodes.len()).map(|at| next[at] && at < most).collect();
                if fits(&some) {
                    return some;
                }
            }
        }
        break;
    }
    keep
}

/// How many nodes lie below one and are not drawn.
#[derive(Clone, Default)]
struct Hidden {
    known: BigUint,
    /// There are more, nobody knows how many.
    more: bool,
}

impl Hidden {
    fn add(&mut self, text: &str) {
        let digits = text.trim_end_matches('?');
        self.more |= digits.len() < text.len();
        if let Ok(number) = digits.parse::<BigUint>() {
            self.known += number;
        }
    }

    fn text(&self) -> Option<String> {
        match (self.known == BigUint::ZERO, self.more) {
            (true, false) => None,
            (true, true) => Some("?".to_owned()),
            (false, more) => Some(format!("{}{}", self.known, if more { "?" } else { "" })),
        }
    }
}

/// The part of a tree that is kept, the root among it. Nodes say what is hidden below them: a number, `?`, or both where more than that is.
fn part(report: &TreeReport, keep: &[bool]) -> TreeReport {
    let graph = report.form == Form::Graph;
    let mut hidden: Vec<Hidden> = vec![Hidden::default(); report.nodes.len()];
    for (at, node) in report.nodes.iter().enumerate() {
        if let Some(text) = &node.hidden {
            hidden[at].add(text);
        }
    }
    if graph {
        for edge in report.edges.iter().filter(|edge| !keep[edge.to]) {
            hidden[edge.from].known += 1u32;
        }
    }
    let mut number = vec![0; report.nodes.len()];
    for at in (1..report.nodes.len()).rev() {
        if let Some(parent) = report.nodes[at].parent.filter(|_| !keep[at]) {
            let own = std::mem::take(&mut hidden[at]);
            hidden[parent].known += own.known + 1u32;
            hidden[parent].more |= own.more;
        }
    }
    // A node that isn't drawn is looked for at the next one above it that is.
    let mut count = 0;
    for at in 0..report.nodes.len() {
        number[at] = match report.nodes[at].parent {
            _ if keep[at] => count,
            Some(parent) => number[parent],
            None => 0,
        };
        count += usize::from(keep[at]);
    }
    let kept = report.nodes.iter().enumerate().filter(|(at, _)| keep[*at]);
    let nodes = kept.map(|(at, node)| {
        let mut node = node.clone();
        node.parent = node.parent.map(|parent| number[parent]);
        node.hidden = hidden[at].text();
        if let NodeKind::Again(there) = &mut node.kind {
            *there = number[*there];
        }
        node
    });
    let nodes: Vec<_> = nodes.collect();
    let edges = report.edges.iter().filter(|edge| keep[edge.from] && keep[edge.to]).map(|edge| {
        let mut edge = edge.clone();
        (edge.from, edge.to) = (number[edge.from], number[edge.to]);
        edge
    });
    let edges = edges.collect();
    let told = report.remarks.len() - report.size_remarks.min(report.remarks.len());
    let mut remarks = report.remarks[..told].to_vec();
    remarks.extend(said(report, nodes.len()));
    TreeReport {
        nodes,
        edges,
        steps: Vec::new(),
        states: report.states.clone(),
        remarks,
        file: report.file.clone(),
        title: report.title.clone(),
        engine: report.engine.clone(),
        outcome: report.outcome.clone(),
        players: report.players.clone(),
        size: report.size.clone(),
        claim: report.claim.clone(),
        ..*report
    }
}

/// That a tree is folded, and how to see more of it.
fn said(report: &TreeReport, drawn: usize) -> Vec<String> {
    let what = if report.form == Form::Graph { "graph" } else { "tree" };
    let size = match &report.size {
        Size::Exact(size) => format!("The whole {what} has {} nodes", words::count(size)),
        Size::More(size) => format!("The whole {what} has more than {} nodes", words::count(size)),
        Size::Endless => format!("The {what} has no end, since moves can be taken back"),
    };
    let drawn = if drawn == 1 { "1 is drawn".to_owned() } else { format!("{drawn} are drawn") };
    vec![
        format!("{size}: {drawn}, and each says how many more there are below it."),
        "--all draws more of them, however large that is; a page (-o FILE.html) unfolds them on a \
         click."
            .to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_usecases::record::TermData;
    use zug_usecases::tree::{TreeEdge, TreeState};

    /// A tree in which every node down to a depth has so many children, and its labels.
    fn tree(width: usize, depth: u32) -> (TreeReport, Vec<Label>) {
        let record = zug_term::Record::atomic(zug_term::Cell::small(1));
        let term = TermData::atom("state");
        let state = TreeState {
            term: term.clone(),
            player: None,
            end: false,
            prospect: None,
            record,
            mover: None,
        };
        let node = |parent: Option<usize>, depth| TreeNode {
            state: 0,
            parent,
            depth,
            kind: NodeKind::State,
            hidden: None,
            path: false,
            step: 0,
            order: None,
            done: None,
            notes: Vec::new(),
        };
        let mut report = TreeReport { states: vec![state], ..TreeReport::default() };
        report.nodes.push(node(None, 0));
        let mut at = 0;
        while report.nodes[at].depth < depth {
            for _ in 0..width {
                let to = report.nodes.len();
                report.nodes.push(node(Some(at), report.nodes[at].depth + 1));
                let moves = vec![term.clone()];
                report.edges.push(TreeEdge { from: at, to, moves, cost: None, path: false });
            }
            at += 1;
        }
        report.size = Size::Exact(report.nodes.len().to_string());
        (report, vec![Label { lines: vec!["state".to_owned()], board: None }])
    }

    /// What is drawn and what is said to be folded is all there is, and it fits.
    fn sound(report: &TreeReport, labels: &[Label], folded: &Folded<'_>) {
        let hidden = folded.report.nodes.iter().filter_map(|node| node.hidden.as_ref());
        let hidden: usize = hidden.map(|text| text.parse::<usize>().expect("a number")).sum();
        assert_eq!(folded.report.nodes.len() + hidden, report.nodes.len());
        let drawing = Drawing::of(&folded.report, labels, folded.way);
        assert!(drawing.width <= PAGE.0 && drawing.height <= PAGE.1, "{:?}", folded.way);
        let root = drawing.boxes[0];
        assert!(root.x + root.width < PAGE.0 && root.y < 100.0, "the root is in sight: {root:?}");
        for (at, node) in folded.report.nodes.iter().enumerate() {
            assert!(node.parent.is_none_or(|parent| parent < at));
        }
    }

    #[test]
    fn trees_of_every_size_and_shape_fit_a_page() {
        for (width, depth) in [(3, 2), (2, 8), (9, 3), (1, 300), (400, 1), (10_000, 1), (3, 8)] {
            let (report, labels) = tree(width, depth);
            let folded = for_picture(&report, &labels, false);
            sound(&report, &labels, &folded);
            let drawn = folded.report.nodes.len();
            assert!(drawn > 8 || drawn == report.nodes.len(), "{width} {depth}: {drawn} drawn");
            let all = for_picture(&report, &labels, true);
            assert_eq!(all.report.nodes.len(), report.nodes.len());
        }
    }

    #[test]
    fn what_fits_is_drawn_whole_and_nothing_is_said() {
        let (report, labels) = tree(3, 2);
        let folded = for_picture(&report, &labels, false);
        assert!(matches!(folded.report, Cow::Borrowed(_)) && folded.way == Direction::Down);
    }

    #[test]
    fn a_wide_tree_drawn_whole_begins_at_its_left_side() {
        let (report, labels) = tree(9, 3);
        let all = for_picture(&report, &labels, true);
        assert_eq!(all.way, Direction::Right);
        let drawing = Drawing::of(&all.report, &labels, all.way);
        assert!(drawing.boxes[0].x < 1.0 && drawing.boxes[0].y < 40.0 && drawing.width < 800.0);
    }

    #[test]
    fn the_path_is_drawn_before_what_lies_beside_it() {
        let (mut report, labels) = tree(40, 2);
        let last = report.nodes.len() - 1;
        let above = report.nodes[last].parent.expect("a parent");
        for at in [0, above, last] {
            report.nodes[at].path = true;
        }
        let folded = for_picture(&report, &labels, false);
        sound(&report, &labels, &folded);
        assert_eq!(folded.report.nodes.iter().filter(|node| node.path).count(), 3);
    }

    #[test]
    fn a_long_path_is_drawn_in_full() {
        let (mut report, labels) = tree(2, 9);
        let mut at = report.nodes.len() - 1;
        for depth in 10..40 {
            let to = report.nodes.len();
            let node = TreeNode { parent: Some(at), depth, ..report.nodes[at].clone() };
            report.nodes.push(node);
            let moves = report.edges[0].moves.clone();
            report.edges.push(TreeEdge { from: at, to, moves, cost: None, path: false });
            at = to;
        }
        let mut next = Some(at);
        while let Some(at) = next {
            report.nodes[at].path = true;
            next = report.nodes[at].parent;
        }
        let folded = for_picture(&report, &labels, false);
        assert_eq!(folded.report.nodes.iter().filter(|node| node.path).count(), 40);
        assert!(folded.report.nodes.len() > 45, "{}", folded.report.nodes.len());
    }

    #[test]
    fn lines_are_no_more_than_there_is_room_for() {
        let (report, _) = tree(3, 5);
        let folded = for_lines(&report, 40);
        let lines = folded.report.nodes.len();
        assert!(lines <= 40 && lines > 20, "{lines}");
        assert_eq!(folded.report.remarks.len(), 2);
    }

    #[test]
    fn what_nobody_counted_stays_uncounted() {
        let mut hidden = Hidden::default();
        hidden.add("12");
        hidden.add("?");
        assert_eq!(hidden.text().as_deref(), Some("12?"));
        hidden.add("3?");
        assert_eq!(hidden.text().as_deref(), Some("15?"));
    }
}
