//! King and rook against king.

use super::spaces::by_depth;

/// The rook has been taken.
const TAKEN: u8 = 64;

/// The squares around one.
fn around(square: u8) -> impl Iterator<Item = u8> {
    let (file, rank) = ((square % 8) as i8, (square / 8) as i8);
    let steps = (-1..=1).flat_map(|right| (-1..=1).map(move |up| (right, up)));
    steps.filter(|&step| step != (0, 0)).filter_map(move |(right, up)| {
        let to = (file + right, rank + up);
        ((0..8).contains(&to.0) && (0..8).contains(&to.1)).then_some((to.1 * 8 + to.0) as u8)
    })
}

fn touch(a: u8, b: u8) -> bool {
    (a % 8).abs_diff(b % 8) <= 1 && (a / 8).abs_diff(b / 8) <= 1
}

/// The squares that a rook comes to, as far as pieces let it, and the first piece of each way.
fn slides(rook: u8, pieces: [u8; 2], mut found: impl FnMut(u8)) {
    let (file, rank) = ((rook % 8) as i8, (rook / 8) as i8);
    for (right, up) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let (mut x, mut y) = (file + right, rank + up);
        while (0..8).contains(&x) && (0..8).contains(&y) {
            let to = (y * 8 + x) as u8;
            if pieces.contains(&to) {
                break;
            }
            found(to);
            (x, y) = (x + right, y + up);
        }
    }
}

/// States by depth from Ka1, Rb2, kc3 with white to move: the white king, the rook, the black king,
/// and whether black is to move.
pub fn by_moves(deepest: usize) -> Vec<u64> {
    by_depth([0, 9, 18, 0], deepest, |&[king, rook, black, to_move], found| {
        if rook == TAKEN {
            return;
        }
        if to_move == 0 {
            let steps = around(king).filter(|&to| to != rook && !touch(to, black));
            found.extend(steps.map(|to| [to, rook, black, 1]));
            slides(rook, [king, black], |to| found.push([king, to, black, 1]));
            return;
        }
        for to in around(black).filter(|&to| !touch(to, king)) {
            let mut is_attacked = false;
            slides(rook, [king, king], |square| is_attacked |= square == to);
            if to == rook {
                found.push([king, TAKEN, to, 0]);
            } else if !is_attacked {
                found.push([king, rook, to, 0]);
            }
        }
    })
}
