//! Whole spaces as plain programs: states of bytes, a hash set, breadth first.

use std::collections::HashSet;

/// The states by depth, to a depth at most.
pub(super) fn by_depth<const N: usize>(
    start: [u8; N],
    deepest: usize,
    successors: impl Fn(&[u8; N], &mut Vec<[u8; N]>),
) -> Vec<u64> {
    let mut seen = HashSet::from([start]);
    let (mut layer, mut counts, mut found) = (vec![start], vec![1], Vec::new());
    while counts.len() <= deepest {
        let mut next = Vec::new();
        for state in &layer {
            found.clear();
            successors(state, &mut found);
            next.extend(found.iter().copied().filter(|&state| seen.insert(state)));
        }
        if next.is_empty() {
            break;
        }
        counts.push(next.len() as u64);
        layer = next;
    }
    counts
}

/// Domineering on five times five squares: which are taken, and whether the other player is to move.
pub fn domineering(deepest: usize) -> Vec<u64> {
    by_depth([0; 26], deepest, |state, found| {
        let across = state[25] == 1;
        for at in 0..25 {
            let other = if across { at + 1 } else { at + 5 };
            let outside = if across { at % 5 == 4 } else { at >= 20 };
            if outside || state[at] == 1 || state[other] == 1 {
                continue;
            }
            let mut next = *state;
            (next[at], next[other], next[25]) = (1, 1, 1 - state[25]);
            found.push(next);
        }
    })
}

/// Peg solitaire on the English board with an empty centre: a byte for each of seven times seven
/// squares, of which those in the corners are none.
pub fn pegs(deepest: usize) -> Vec<u64> {
    let is_hole = |x: i8, y: i8| {
        let across = (0..7).contains(&x) && (2..5).contains(&y);
        across || (2..5).contains(&x) && (0..7).contains(&y)
    };
    let at = |x: i8, y: i8| (7 * x + y) as usize;
    let mut start = [0; 49];
    for x in 0..7 {
        for y in 0..7 {
            start[at(x, y)] = u8::from(is_hole(x, y) && (x, y) != (3, 3));
        }
    }
    by_depth(start, deepest, |state, found| {
        for x in 0..7 {
            for y in 0..7 {
                for (right, up) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    let [over, to] = [1, 2].map(|far| (x + far * right, y + far * up));
                    let jumps = state[at(x, y)] == 1
                        && is_hole(to.0, to.1)
                        && state[at(over.0, over.1)] == 1
                        && state[at(to.0, to.1)] == 0;
                    if jumps {
                        let mut next = *state;
                        next[at(x, y)] = 0;
                        next[at(over.0, over.1)] = 0;
                        next[at(to.0, to.1)] = 1;
                        found.push(next);
                    }
                }
            }
        }
    })
}
