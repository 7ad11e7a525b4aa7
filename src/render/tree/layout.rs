//! Places for the nodes of a tree: tidy, as narrow as that allows, in linear time.
//!
//! Nodes may differ in width and height. Those of one depth stand in a row; a parent stands
//! above the middle between its first and its last child; subtrees keep their shape wherever
//! they occur, and small ones between large ones are spread evenly.
//!
//! A. van der Ploeg, *Drawing non-layered tidy trees in linear time*, Software: Practice and
//! Experience 44 (2014), after Reingold & Tilford (1981) and Buchheim, Jünger & Leipert (2002):
//! contours are followed by threads, and what a subtree is moved by is kept at its root until
//! the end. Both walks keep their own stacks, so depth is bounded by memory alone.

/// A node to be placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Its width, with the room it wants beside it.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// Where a node is: the middle of its upper side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// From the left side of the picture.
    pub x: f64,
    /// From its upper side.
    pub y: f64,
}

/// Places of all nodes, and the room they take.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// By node.
    pub places: Vec<Place>,
    /// From the left side of the leftmost node to the right side of the rightmost.
    pub width: f64,
    /// From the root's upper side to the lowest side.
    pub height: f64,
}

/// No node.
const NONE: usize = usize::MAX;

/// What is kept of a node while the tree is laid out.
#[derive(Clone, Copy)]
struct NodeLayout {
    /// Left side and width, relative to the subtree; lower side.
    prelim: f64,
    width: f64,
    bottom: f64,
    /// What the subtree is moved by, and what its threads are off by.
    modifier: f64,
    shift: f64,
    change: f64,
    /// The next node of the left and of the right contour, for leaves.
    left_thread: usize,
    right_thread: usize,
    /// The lowest nodes of the contours, and the sums of modifiers there.
    left_end: usize,
    right_end: usize,
    left_sum: f64,
    right_sum: f64,
    first: usize,
    last: usize,
}

/// Lays out a tree given by the children of each node; node 0 is the root. `gap` is the
/// distance from one row to the next. Nodes that can't be reached from the root are at 0, 0.
pub fn tidy(children: &[Vec<usize>], sizes: &[Size], gap: f64) -> Layout {
    if sizes.is_empty() {
        return Layout { places: Vec::new(), width: 0.0, height: 0.0 };
    }
    let (before, depths) = preorder(children);
    let deepest = before.iter().map(|&at| depths[at]).max().unwrap_or(0);
    let mut rows = vec![0.0f64; deepest + 1];
    for &at in &before {
        rows[depths[at]] = rows[depths[at]].max(sizes[at].height);
    }
    let tops: Vec<f64> = rows
        .iter()
        .scan(0.0, |y, height| {
            let top = *y;
            *y += height + gap;
            Some(top)
        })
        .collect();
    let mut walk = Walk { children, work: Vec::with_capacity(sizes.len()), lows: Vec::new() };
    for (at, size) in sizes.iter().enumerate() {
        let (first, last) = match children[at].as_slice() {
            [] => (NONE, NONE),
            [first, .., last] => (*first, *last),
            [only] => (*only, *only),
        };
        // Rows are as high as their highest node, so that contours are compared row by row.
        let bottom = tops[depths[at]] + rows[depths[at]];
        walk.work.push(NodeLayout {
            prelim: 0.0,
            width: size.width,
            bottom,
            modifier: 0.0,
            shift: 0.0,
            change: 0.0,
            left_thread: NONE,
            right_thread: NONE,
            left_end: at,
            right_end: at,
            left_sum: 0.0,
            right_sum: 0.0,
            first,
            last,
        });
    }
    for &at in before.iter().rev() {
        walk.place(at);
    }
    let mut places = vec![Place::default(); sizes.len()];
    let mut sums = vec![0.0; sizes.len()];
    for &at in &before {
        let sum = sums[at] + walk.work[at].modifier;
        places[at].x = walk.work[at].prelim + sum;
        places[at].y = tops[depths[at]];
        walk.spread(at);
        for &child in &children[at] {
            sums[child] = sum;
        }
    }
    let left = before.iter().map(|&at| places[at].x).fold(f64::INFINITY, f64::min);
    let right = before.iter().map(|&at| places[at].x + sizes[at].width).fold(left, f64::max);
    for &at in &before {
        places[at].x += sizes[at].width / 2.0 - left;
    }
    let height = tops[deepest] + rows[deepest];
    Layout { places, width: right - left, height }
}

/// The nodes with parents before children and brothers in order, and how deep each lies.
fn preorder(children: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let mut order = Vec::with_capacity(children.len());
    let mut depths = vec![0; children.len()];
    let mut stack = vec![0];
    while let Some(at) = stack.pop() {
        order.push(at);
        for &child in children[at].iter().rev() {
            depths[child] = depths[at] + 1;
            stack.push(child);
        }
    }
    (order, depths)
}

/// How low the subtrees to the left go: lower and lower from one to the next on the stack.
struct LowerContour {
    bottom: f64,
    child: usize,
}

struct Walk<'t> {
    children: &'t [Vec<usize>],
    work: Vec<NodeLayout>,
    lows: Vec<LowerContour>,
}

impl Walk<'_> {
    /// Places the subtrees of a node beside each other, all of them being laid out.
    fn place(&mut self, at: usize) {
        let children = &self.children[at];
        let [first, .., last] = children.as_slice() else {
            if let [only] = children.as_slice() {
                self.above(at, *only, *only);
            }
            return;
        };
        self.lows.clear();
        self.low(self.work[self.work[*first].left_end].bottom, 0);
        for (child, &number) in children.iter().enumerate().skip(1) {
            let lowest = self.work[self.work[number].right_end].bottom;
            self.separate(at, child);
            self.low(lowest, child);
        }
        self.above(at, *first, *last);
    }

    /// Places a node above the middle of its children and takes over their contours.
    fn above(&mut self, at: usize, first: usize, last: usize) {
        let centre = |work: &NodeLayout| work.prelim + work.modifier + work.width / 2.0;
        let middle = (centre(&self.work[first]) + centre(&self.work[last])) / 2.0;
        let (NodeLayout { left_end, left_sum, .. }, NodeLayout { right_end, right_sum, .. }) =
            (self.work[first], self.work[last]);
        let work = &mut self.work[at];
        work.prelim = middle - work.width / 2.0;
        (work.left_end, work.left_sum) = (left_end, left_sum);
        (work.right_end, work.right_sum) = (right_end, right_sum);
    }

    /// Notes how low a subtree goes; those to the left that end higher are hidden behind it.
    fn low(&mut self, bottom: f64, child: usize) {
        while self.lows.last().is_some_and(|low| bottom >= low.bottom) {
            self.lows.pop();
        }
        self.lows.push(LowerContour { bottom, child });
    }

    /// Moves a child to the right until it is clear of those to its left.
    fn separate(&mut self, at: usize, child: usize) {
        let children = &self.children[at];
        let (left, right) = (children[child - 1], children[child]);
        let (mut l, mut l_sum) = (left, self.work[left].modifier);
        let (mut r, mut r_sum) = (right, self.work[right].modifier);
        // Down the contours the subtree that the left one belongs to is ever further left.
        let mut low = self.lows.len() - 1;
        while l != NONE && r != NONE {
            let (left_work, right_work) = (self.work[l], self.work[r]);
            if left_work.bottom > self.lows[low].bottom {
                low = low.saturating_sub(1);
            }
            let overlap = l_sum + left_work.prelim + left_work.width - (r_sum + right_work.prelim);
            if overlap > 0.0 {
                r_sum += overlap;
                self.shift(at, child, self.lows[low].child, overlap);
            }
            if left_work.bottom <= right_work.bottom {
                l = if left_work.last == NONE { left_work.right_thread } else { left_work.last };
                if l != NONE {
                    l_sum += self.work[l].modifier;
                }
            }
            if left_work.bottom >= right_work.bottom {
                r = if right_work.first == NONE {
                    right_work.left_thread
                } else {
                    right_work.first
                };
                if r != NONE {
                    r_sum += self.work[r].modifier;
                }
            }
        }
        let first = children[0];
        if l == NONE && r != NONE {
            // The new subtree goes deeper: the left contour goes on in it.
            let end = self.work[first].left_end;
            self.work[end].left_thread = r;
            let off = r_sum - self.work[r].modifier - self.work[first].left_sum;
            self.work[end].modifier += off;
            self.work[end].prelim -= off;
            (self.work[first].left_end, self.work[first].left_sum) =
                (self.work[right].left_end, self.work[right].left_sum);
        } else if l != NONE && r == NONE {
            let end = self.work[right].right_end;
            self.work[end].right_thread = l;
            let off = l_sum - self.work[l].modifier - self.work[right].right_sum;
            self.work[end].modifier += off;
            self.work[end].prelim -= off;
            (self.work[right].right_end, self.work[right].right_sum) =
                (self.work[left].right_end, self.work[left].right_sum);
        }
    }

    /// Moves a child; those between it and the one it hit share in the room.
    fn shift(&mut self, at: usize, child: usize, hit: usize, by: f64) {
        let children = &self.children[at];
        let moved = &mut self.work[children[child]];
        moved.modifier += by;
        moved.left_sum += by;
        moved.right_sum += by;
        if hit + 1 < child {
            let parts = (child - hit) as f64;
            moved.shift -= by / parts;
            moved.change -= by - by / parts;
            self.work[children[hit + 1]].shift += by / parts;
        }
    }

    /// Gives the children their share in the room between others.
    fn spread(&mut self, at: usize) {
        let (mut shift, mut sum) = (0.0, 0.0);
        for &child in &self.children[at] {
            shift += self.work[child].shift;
            sum += shift + self.work[child].change;
            self.work[child].modifier += sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tree by the parent of each node but the root, all of them before it.
    fn tree(parents: &[usize]) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); parents.len() + 1];
        for (child, &parent) in parents.iter().enumerate() {
            children[parent % (child + 1)].push(child + 1);
        }
        children
    }

    fn same(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    fn check(children: &[Vec<usize>], sizes: &[Size]) {
        let layout = tidy(children, sizes, 10.0);
        let left = |at: usize| layout.places[at].x - sizes[at].width / 2.0;
        let right = |at: usize| layout.places[at].x + sizes[at].width / 2.0;
        // Rows from left to right: no two nodes overlap.
        let (order, depths) = preorder(children);
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for at in order {
            rows.resize(rows.len().max(depths[at] + 1), Vec::new());
            rows[depths[at]].push(at);
        }
        let mut floor = 0.0;
        for row in &rows {
            for pair in row.windows(2) {
                assert!(right(pair[0]) <= left(pair[1]) + 1e-6, "{pair:?} overlap: {layout:?}");
            }
            let top = layout.places[row[0]].y;
            assert!(row.iter().all(|&at| layout.places[at].y == top));
            assert!(top >= floor);
            floor = row.iter().map(|&at| top + sizes[at].height).fold(floor, f64::max);
        }
        assert!(same(floor, layout.height));
        for (at, below) in children.iter().enumerate() {
            if let (Some(&first), Some(&last)) = (below.first(), below.last()) {
                let middle = (layout.places[first].x + layout.places[last].x) / 2.0;
                assert!(same(middle, layout.places[at].x), "{at} is not above the middle");
            }
            assert!(left(at) >= -1e-6 && right(at) <= layout.width + 1e-6);
        }
    }

    proptest! {
        #[test]
        fn nodes_are_apart_and_parents_in_the_middle(
            nodes in prop::collection::vec((0usize..1000, 1u8..90, 1u8..60), 0..80),
        ) {
            let parents: Vec<usize> = nodes.iter().map(|node| node.0).collect();
            let sizes = nodes.iter().map(|&(_, w, h)| (w, h)).chain([(10, 10)]);
            let sizes: Vec<Size> =
                sizes.map(|(w, h)| Size { width: w.into(), height: h.into() }).collect();
            check(&tree(&parents), &sizes);
        }
    }

    const BOX: Size = Size { width: 10.0, height: 10.0 };

    #[test]
    fn brothers_between_large_ones_are_spread() {
        // Five children; the first and the last have a wide row below.
        let parents = [0, 0, 0, 0, 0, 1, 1, 1, 1, 5, 5, 5, 5];
        let children = tree(&parents);
        let layout = tidy(&children, &[BOX; 14], 10.0);
        let steps: Vec<f64> =
            (1..5).map(|at| layout.places[at + 1].x - layout.places[at].x).collect();
        assert!(steps.iter().all(|&step| same(step, steps[0])), "{steps:?}");
        assert!(same(steps[0], 10.0));
    }

    #[test]
    fn a_mirrored_tree_has_the_mirrored_layout() {
        let parents = [0, 0, 1, 1, 3, 3, 3, 2, 8, 9, 0, 11, 11, 12];
        let children = tree(&parents);
        let mirrored: Vec<Vec<usize>> =
            children.iter().map(|below| below.iter().rev().copied().collect()).collect();
        let sizes = vec![BOX; children.len()];
        let (one, other) = (tidy(&children, &sizes, 5.0), tidy(&mirrored, &sizes, 5.0));
        assert!(same(one.width, other.width));
        for (a, b) in one.places.iter().zip(&other.places) {
            assert!(same(a.x, one.width - b.x));
        }
    }

    #[test]
    fn deep_trees_and_wide_ones() {
        let depth = 100_000;
        let chain: Vec<Vec<usize>> =
            (0..depth).map(|at| if at + 1 < depth { vec![at + 1] } else { vec![] }).collect();
        let layout = tidy(&chain, &vec![BOX; depth], 5.0);
        assert!(same(layout.width, 10.0));
        let mut star = vec![Vec::new(); depth];
        star[0] = (1..depth).collect();
        let layout = tidy(&star, &vec![BOX; depth], 5.0);
        assert!(same(layout.width, 10.0 * (depth - 1) as f64));
        // Two long arms, one twice as long as the other: contours by threads.
        let mut arms = vec![Vec::new(); 3001];
        arms[0] = vec![1, 1001];
        for at in (1..1000).chain(1001..3000) {
            arms[at] = vec![at + 1];
        }
        check(&arms, &vec![BOX; 3001]);
    }

    #[test]
    fn nothing_and_one_node() {
        assert_eq!(tidy(&[], &[], 1.0).width, 0.0);
        let layout = tidy(&[vec![]], &[BOX], 1.0);
        assert_eq!((layout.width, layout.height, layout.places[0].x), (10.0, 10.0, 5.0));
    }
}
