//! The tree of tic-tac-toe by hand, every play followed: what rules are compared with.

/// The lines of tic-tac-toe, as bits.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Plain negamax of tic-tac-toe: the value and the number of nodes.
pub fn tic_tac_toe() -> (i32, u64) {
    let lines: Vec<bool> =
        (0..512).map(|squares| LINES.iter().any(|line| squares & line == *line)).collect();
    let full: &[bool; 512] = lines.as_slice().try_into().expect("512 boards");
    let mut nodes = 0;
    (squares(0, 0, full, &mut nodes), nodes)
}

fn squares(own: u16, others: u16, lines: &[bool; 512], nodes: &mut u64) -> i32 {
    *nodes += 1;
    if lines[others as usize & 511] {
        return -1;
    }
    let mut free = 511 & !(own | others);
    let mut best = if free == 0 { 0 } else { -2 };
    while free != 0 {
        let square = free & free.wrapping_neg();
        free ^= square;
        best = best.max(-squares(others, own | square, lines, nodes));
    }
    best
}
