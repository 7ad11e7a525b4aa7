//! The tree of Nim by hand, every play followed: what rules are compared with.

/// The whole tree of Nim where who takes the last match loses: the value and the number of
/// nodes.
pub fn nim(heaps: [u8; 3]) -> (i32, u64) {
    let mut nodes = 0;
    (matches(heaps, &mut nodes), nodes)
}

fn matches(heaps: [u8; 3], nodes: &mut u64) -> i32 {
    *nodes += 1;
    if heaps == [0; 3] {
        return 1;
    }
    let mut best = -1;
    for at in 0..3 {
        for left in 0..heaps[at] {
            let mut next = heaps;
            next[at] = left;
            best = best.max(-matches(next, nodes));
        }
    }
    best
}
