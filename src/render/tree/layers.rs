//! Places for the nodes and edges of a graph, in layers.
//!
//! Edges lead down wherever that is possible. An edge that passes a layer has a place in it as
//! if it were a node there, and so have the words on an edge: nothing lies above anything else.
//! Layers are ordered by the means of their neighbours, back and forth; then everything moves
//! towards its neighbours as far as the others in its layer let it.
//!
//! K. Sugiyama, S. Tagawa & M. Toda, *Methods for visual understanding of hierarchical system
//! structures*, IEEE Transactions on Systems, Man and Cybernetics 11 (1981). The places in a
//! layer are the least squares under an order (pool adjacent violators, Ayer et al. 1955).

use std::collections::VecDeque;

/// A node: width, height, and the layer it would be in by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Width with the room beside it.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Its distance from the root, where the graph has cycles.
    pub depth: u32,
}

/// An edge between two nodes, by number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// It leaves this one.
    pub from: usize,
    /// It leads to this one.
    pub to: usize,
    /// The width of its words; 0 for none.
    pub words: f64,
}

/// Where everything is.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// The middle of the upper side of each node.
    pub nodes: Vec<(f64, f64)>,
    /// For each edge the points between its ends, in its direction.
    pub edges: Vec<Vec<(f64, f64)>>,
    /// For each edge the middle of its words.
    pub words: Vec<(f64, f64)>,
    /// The width of the whole.
    pub width: f64,
    /// The height of the whole.
    pub height: f64,
}

/// Times that layers are ordered anew, and that places are looked for.
const SWEEPS: usize = 12;
const MOVES: usize = 24;
/// Between the sides of a row of nodes and a row of words.
const GAP: f64 = 16.0;
/// Height of a row of words.
const WORDS: f64 = 12.0;
/// Width of the place of an edge that passes.
const PASS: f64 = 12.0;
/// An edge that passes more layers than this has no place in them.
const LONG: u32 = 60;

/// Something in a layer: a node, or a part of an edge.
struct Item {
    layer: usize,
    width: f64,
    x: f64,
    up: Vec<usize>,
    down: Vec<usize>,
}

/// Lays out a graph. Layer 2d holds the nodes of depth d, layer 2d + 1 the words on edges
/// between these and the next.
pub fn layered(nodes: &[Node], edges: &[Edge]) -> Layers {
    let depths = depths(nodes, edges);
    let mut items: Vec<Item> = nodes
        .iter()
        .zip(&depths)
        .map(|(node, &depth)| item(2 * depth as usize, node.width))
        .collect();
    // For each edge its items from its upper end to its lower one, and which has the words.
    let mut parts: Vec<(Vec<usize>, usize)> = Vec::with_capacity(edges.len());
    for edge in edges {
        let (upper, lower) = if depths[edge.from] <= depths[edge.to] {
            (edge.from, edge.to)
        } else {
            (edge.to, edge.from)
        };
        let (top, bottom) = (2 * depths[upper] as usize, 2 * depths[lower] as usize);
        let mut chain = Vec::new();
        let mut add = |items: &mut Vec<Item>, layer, width: f64| {
            items.push(item(layer, width.max(PASS)));
            chain.push(items.len() - 1);
        };
        if top == bottom {
            // Between neighbours in one layer, or a loop: by way of the layer below.
            add(&mut items, top + 1, edge.words + 8.0);
        } else if depths[lower] - depths[upper] > LONG {
            add(&mut items, bottom - 1, edge.words + 8.0);
        } else {
            for layer in top + 1..bottom {
                let last = layer + 1 == bottom;
                add(&mut items, layer, if last { edge.words + 8.0 } else { PASS });
            }
        }
        let words = *chain.last().expect("there is a layer between");
        let mut above = upper;
        for &at in &chain {
            items[above].down.push(at);
            items[at].up.push(above);
            above = at;
        }
        if top == bottom {
            items[lower].down.push(above);
            items[above].up.push(lower);
        } else {
            items[above].down.push(lower);
            items[lower].up.push(above);
        }
        parts.push((chain, words));
    }
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if rows.len() <= item.layer {
            rows.resize(item.layer + 1, Vec::new());
        }
        rows[item.layer].push(at);
    }
    order(&mut rows, &items);
    settle(&rows, &mut items);
    to_the_left(&rows, &mut items);
    places(nodes, edges, &parts, &rows, &items)
}

/// A wide graph begins at its left side, in all layers: its root is then where a picture opens.
fn to_the_left(rows: &[Vec<usize>], items: &mut [Item]) {
    const WIDE: f64 = 1600.0;
    let left = |items: &[Item], at: usize| items[at].x - items[at].width / 2.0;
    let right = |items: &[Item], at: usize| items[at].x + items[at].width / 2.0;
    let all = || rows.iter().flatten();
    let first = all().map(|&at| left(items, at)).fold(f64::INFINITY, f64::min);
    let last = all().map(|&at| right(items, at)).fold(f64::NEG_INFINITY, f64::max);
    if last - first <= WIDE {
        return;
    }
    for row in rows {
        let first = row.iter().map(|&at| left(items, at)).fold(f64::INFINITY, f64::min);
        for &at in row {
            items[at].x -= first;
        }
    }
}

fn item(layer: usize, width: f64) -> Item {
    Item { layer, width, x: 0.0, up: Vec::new(), down: Vec::new() }
}

/// The layer of each node: how long the longest way to it is; where there are cycles, its depth.
fn depths(nodes: &[Node], edges: &[Edge]) -> Vec<u32> {
    let mut coming = vec![0usize; nodes.len()];
    let mut leaving = vec![Vec::new(); nodes.len()];
    for edge in edges {
        coming[edge.to] += 1;
        leaving[edge.from].push(edge.to);
    }
    let mut longest = vec![0u32; nodes.len()];
    let mut queue: VecDeque<usize> = (0..nodes.len()).filter(|&at| coming[at] == 0).collect();
    let mut done = 0;
    while let Some(at) = queue.pop_front() {
        done += 1;
        for &to in &leaving[at] {
            longest[to] = longest[to].max(longest[at] + 1);
            coming[to] -= 1;
            if coming[to] == 0 {
                queue.push_back(to);
            }
        }
    }
    if done == nodes.len() { longest } else { nodes.iter().map(|node| node.depth).collect() }
}

/// Orders the rows by the means of the places of their neighbours above, then below, ….
fn order(rows: &mut [Vec<usize>], items: &[Item]) {
    let mut place = vec![0.0; items.len()];
    let number = |row: &[usize], place: &mut Vec<f64>| {
        for (number, &at) in row.iter().enumerate() {
            place[at] = number as f64;
        }
    };
    for row in rows.iter() {
        number(row, &mut place);
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let count = rows.len();
        for step in 0..count {
            let row = &mut rows[if down { step } else { count - 1 - step }];
            let mean = |at: usize| {
                let beside = if down { &items[at].up } else { &items[at].down };
                let sum: f64 = beside.iter().map(|&other| place[other]).sum();
                if beside.is_empty() { place[at] } else { sum / beside.len() as f64 }
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|&at| (mean(at), at)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            row.clear();
            row.extend(keyed.into_iter().map(|(_, at)| at));
            number(row, &mut place);
        }
    }
}

/// Moves everything towards its neighbours, keeping the order of rows and the room of each.
fn settle(rows: &[Vec<usize>], items: &mut [Item]) {
    for row in rows {
        let mut x = 0.0;
        for &at in row {
            items[at].x = x + items[at].width / 2.0;
            x += items[at].width;
        }
    }
    for step in 0..MOVES {
        let down = step % 2 == 0;
        for number in 0..rows.len() {
            let row = &rows[if down { number } else { rows.len() - 1 - number }];
            // The last rounds look both ways.
            let both = step + 4 >= MOVES;
            let wish = |at: usize| {
                let (up, below) = (&items[at].up, &items[at].down);
                let beside = up
                    .iter()
                    .filter(|_| down || both)
                    .chain(below.iter().filter(|_| !down || both));
                let (sum, count) =
                    beside.fold((0.0, 0usize), |(sum, count), &at| (sum + items[at].x, count + 1));
                if count == 0 { items[at].x } else { sum / count as f64 }
            };
            let wishes: Vec<f64> = row.iter().map(|&at| wish(at)).collect();
            let widths: Vec<f64> = row.iter().map(|&at| items[at].width).collect();
            for (&at, x) in row.iter().zip(apart(&wishes, &widths)) {
                items[at].x = x;
            }
        }
    }
}

/// The places nearest to the ones wished for, each as far from the one before as their widths
/// want.
fn apart(wishes: &[f64], widths: &[f64]) -> Vec<f64> {
    // Without the room that lies to the left of each, all that is asked for is their order.
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(wishes.len());
    for (at, width) in widths.iter().enumerate() {
        if at > 0 {
            offset += (widths[at - 1] + width) / 2.0;
        }
        offsets.push(offset);
    }
    // Blocks of equal places: sum of wishes and count.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        let mut block = (wish - offset, 1);
        while let Some(&(sum, count)) = blocks.last()
            && sum / count as f64 >= block.0 / block.1 as f64
        {
            blocks.pop();
            block = (block.0 + sum, block.1 + count);
        }
        blocks.push(block);
    }
    let placed =
        blocks.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    placed.zip(&offsets).map(|(x, offset)| x + offset).collect()
}

fn places(
    nodes: &[Node],
    edges: &[Edge],
    parts: &[(Vec<usize>, usize)],
    rows: &[Vec<usize>],
    items: &[Item],
) -> Layers {
    let mut tops = Vec::with_capacity(rows.len());
    let mut heights = Vec::with_capacity(rows.len());
    let mut y = 0.0;
    for (number, row) in rows.iter().enumerate() {
        let height = if number % 2 == 1 {
            WORDS
        } else {
            let heights = row.iter().filter(|&&at| at < nodes.len()).map(|&at| nodes[at].height);
            heights.fold(0.0, f64::max)
        };
        tops.push(y);
        heights.push(height);
        y += height + GAP;
    }
    let left = items.iter().map(|item| item.x - item.width / 2.0).fold(f64::INFINITY, f64::min);
    let right = items.iter().map(|item| item.x + item.width / 2.0).fold(left, f64::max);
    let left = if left.is_finite() { left } else { 0.0 };
    let middle = |at: usize| {
        let item = &items[at];
        (item.x - left, tops[item.layer] + heights[item.layer] / 2.0)
    };
    let mut found = Layers {
        nodes: (0..nodes.len()).map(|at| (items[at].x - left, tops[items[at].layer])).collect(),
        edges: Vec::with_capacity(edges.len()),
        words: Vec::with_capacity(edges.len()),
        width: (right - left).max(0.0),
        height: (y - GAP).max(0.0),
    };
    for (edge, (chain, words)) in edges.iter().zip(parts) {
        found.words.push(middle(*words));
        let mut points = Vec::new();
        for &at in chain {
            let (x, y) = middle(at);
            let half = heights[items[at].layer] / 2.0;
            // Straight through a row, so as to keep clear of what stands beside.
            points.push((x, y - half));
            points.push((x, y + half));
        }
        if items[edge.from].layer == items[edge.to].layer {
            points = vec![middle(chain[0])];
        } else if items[edge.from].layer > items[edge.to].layer {
            points.reverse();
        }
        found.edges.push(points);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn node(width: f64, depth: u32) -> Node {
        Node { width, height: 20.0, depth }
    }

    proptest! {
        #[test]
        fn nothing_overlaps(
            nodes in prop::collection::vec((5u8..90, 0u32..5), 1..25),
            edges in prop::collection::vec((0usize..1000, 0usize..1000, 0u8..60), 0..50),
        ) {
            let nodes: Vec<Node> = nodes.iter().map(|&(w, d)| node(w.into(), d)).collect();
            let count = nodes.len();
            let edges: Vec<Edge> = edges
                .iter()
                .map(|&(a, b, w)| Edge { from: a % count, to: b % count, words: w.into() })
                .collect();
            let found = layered(&nodes, &edges);
            let boxes = (0..count).map(|at| {
                let (x, y) = found.nodes[at];
                (x - nodes[at].width / 2.0, y, x + nodes[at].width / 2.0, y + 20.0)
            });
            let words = edges.iter().zip(&found.words).map(|(edge, &(x, y))| {
                let half = edge.words / 2.0;
                (x - half, y - 6.0, x + half, y + 6.0)
            });
            let all: Vec<(f64, f64, f64, f64)> = boxes.chain(words).collect();
            for (at, a) in all.iter().enumerate() {
                for b in &all[at + 1..] {
                    let clear = a.2 <= b.0 + 1e-6 || b.2 <= a.0 + 1e-6
                        || a.3 <= b.1 + 1e-6 || b.3 <= a.1 + 1e-6;
                    prop_assert!(clear, "{a:?} {b:?}");
                }
                prop_assert!(a.0 >= -1e-6 && a.2 <= found.width + 1e-6);
            }
        }

        #[test]
        fn places_are_apart_and_in_order(
            wishes in prop::collection::vec((-100i32..100, 1u8..50), 1..30),
        ) {
            let widths: Vec<f64> = wishes.iter().map(|wish| wish.1.into()).collect();
            let wishes: Vec<f64> = wishes.iter().map(|wish| wish.0.into()).collect();
            let found = apart(&wishes, &widths);
            for at in 1..found.len() {
                let least = (widths[at - 1] + widths[at]) / 2.0;
                prop_assert!(found[at] - found[at - 1] >= least - 1e-6);
            }
        }
    }

    #[test]
    fn edges_of_a_graph_without_cycles_lead_down() {
        // 0 to 1, 2 and 3, 1 to 2, 2 to 3: one below the other.
        let edges = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)];
        let edges: Vec<Edge> =
            edges.iter().map(|&(from, to)| Edge { from, to, words: 10.0 }).collect();
        let found = layered(&[node(10.0, 0); 4], &edges);
        assert!(found.nodes.windows(2).all(|pair| pair[0].1 < pair[1].1));
        assert!(found.edges.iter().flatten().all(|&(_, y)| y > 0.0));
    }
}
