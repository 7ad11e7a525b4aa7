//! Puzzles of moving things, whole spaces of them: plain states of bytes.

use super::spaces::by_depth;

/// Lights out on five times five lamps, from the dark.
pub fn lights(deepest: usize) -> Vec<u64> {
    by_depth([0u8; 25], deepest, |state, found| {
        for at in 0..25 {
            let mut next = *state;
            next[at] ^= 1;
            if at >= 5 {
                next[at - 5] ^= 1;
            }
            if at < 20 {
                next[at + 5] ^= 1;
            }
            if at % 5 > 0 {
                next[at - 1] ^= 1;
            }
            if at % 5 < 4 {
                next[at + 1] ^= 1;
            }
            found.push(next);
        }
    })
}

/// What a block lies on: another block, or one of these.
const TABLE: u8 = 100;
const HAND: u8 = 101;

/// `N` blocks and a hand, which picks up and puts down, from all on the table.
pub fn blocks_by_hand<const N: usize>(deepest: usize) -> Vec<u64> {
    by_depth([TABLE; N], deepest, |state, found| {
        let is_clear = |block: usize| !state.contains(&(block as u8));
        let mut put = |block: usize, on: u8| {
            let mut next = *state;
            next[block] = on;
            found.push(next);
        };
        if let Some(held) = state.iter().position(|&on| on == HAND) {
            put(held, TABLE);
            for on in (0..N).filter(|&on| on != held && is_clear(on)) {
                put(held, on as u8);
            }
        } else {
            (0..N).filter(|&block| is_clear(block)).for_each(|block| put(block, HAND));
        }
    })
}

/// `N` blocks that move from one place to another at once, from all on the table.
pub fn blocks<const N: usize>(deepest: usize) -> Vec<u64> {
    by_depth([TABLE; N], deepest, |state, found| {
        let is_clear = |block: usize| !state.contains(&(block as u8));
        for block in (0..N).filter(|&block| is_clear(block)) {
            let blocks = (0..N).filter(|&on| on != block && is_clear(on)).map(|on| on as u8);
            for on in blocks.chain([TABLE]).filter(|&on| on != state[block]) {
                let mut next = *state;
                next[block] = on;
                found.push(next);
            }
        }
    })
}

/// A vehicle of rush hour: whether it stands across, its lane, its length, its first place.
type Vehicle = (bool, u8, u8, u8);

/// A board of rush hour on which there is much room.
pub const LOOSE: [Vehicle; 9] = [
    (true, 2, 2, 0),
    (false, 0, 2, 4),
    (false, 3, 2, 4),
    (true, 4, 2, 4),
    (true, 0, 2, 0),
    (true, 5, 2, 4),
    (false, 5, 2, 1),
    (true, 3, 2, 0),
    (true, 1, 3, 0),
];

/// Rush hour: the place of each vehicle.
pub fn rush_hour<const N: usize>(vehicles: &[Vehicle; N], deepest: usize) -> Vec<u64> {
    let square = |across: bool, lane: u8, place: u8| {
        usize::from(if across { 6 * lane + place } else { 6 * place + lane })
    };
    let start = vehicles.map(|(_, _, _, place)| place);
    by_depth(start, deepest, |state, found| {
        let mut taken = [false; 36];
        for (&(across, lane, length, _), &place) in vehicles.iter().zip(state) {
            (place..place + length).for_each(|place| taken[square(across, lane, place)] = true);
        }
        for (index, &(across, lane, length, _)) in vehicles.iter().enumerate() {
            let place = state[index];
            let on = (place + length < 6).then_some((place + 1, place + length));
            let back = place.checked_sub(1).map(|back| (back, back));
            for (to, ahead) in on.into_iter().chain(back) {
                if !taken[square(across, lane, ahead)] {
                    let mut next = *state;
                    next[index] = to;
                    found.push(next);
                }
            }
        }
    })
}

/// Signs of klotski: nothing, the rest of a block, and the upper left squares of blocks.
const EMPTY: u8 = 0;
const REST: u8 = 1;
const LARGE: u8 = 2;
const LYING: u8 = 3;
const STANDING: u8 = 4;
const SMALL: u8 = 5;

/// Klotski: five rows of four squares.
pub fn klotski(deepest: usize) -> Vec<u64> {
    const START: [u8; 20] = [
        STANDING, LARGE, REST, STANDING, //
        REST, REST, REST, REST, //
        STANDING, LYING, REST, STANDING, //
        REST, SMALL, SMALL, REST, //
        SMALL, EMPTY, EMPTY, SMALL,
    ];
    by_depth(START, deepest, |state, found| {
        for at in 0..20 {
            let kind = state[at];
            let (high, wide) = match kind {
                LARGE => (2, 2),
                LYING => (1, 2),
                STANDING => (2, 1),
                SMALL => (1, 1),
                _ => continue,
            };
            let squares = |from: usize| {
                (0..high).flat_map(move |down| (0..wide).map(move |right| from + 4 * down + right))
            };
            let (row, column) = (at / 4, at % 4);
            let ways = [
                (row > 0, at.wrapping_sub(4)),
                (row + high < 5, at + 4),
                (column > 0, at.wrapping_sub(1)),
                (column + wide < 4, at + 1),
            ];
            for (_, to) in ways.into_iter().filter(|&(inside, _)| inside) {
                let mut next = *state;
                squares(at).for_each(|square| next[square] = EMPTY);
                if squares(to).all(|square| next[square] == EMPTY) {
                    squares(to).for_each(|square| next[square] = REST);
                    next[to] = kind;
                    found.push(next);
                }
            }
        }
    })
}

/// A warehouse of sokoban: the width of its rows, and the rows.
pub const WAREHOUSE: (usize, &[u8]) =
    (8, b"#########.    .##  $$  ##   $ .## @    ##      #########");

/// Sokoban: the keeper, and three boxes in order.
pub fn sokoban((width, rows): (usize, &[u8]), deepest: usize) -> Vec<u64> {
    let all = |sign: u8| (0..rows.len()).filter(move |&at| rows[at] == sign).map(|at| at as u8);
    let mut start = [0; 4];
    for (place, at) in start.iter_mut().zip(all(b'@').chain(all(b'$'))) {
        *place = at;
    }
    let is_wall = |at: u8| rows[usize::from(at)] == b'#';
    by_depth(start, deepest, |state, found| {
        for step in [-(width as i8), width as i8, -1, 1] {
            let keeper = state[0].wrapping_add_signed(step);
            if is_wall(keeper) {
                continue;
            }
            let mut next = *state;
            next[0] = keeper;
            if let Some(pushed) = state[1..].iter().position(|&at| at == keeper) {
                let to = keeper.wrapping_add_signed(step);
                if is_wall(to) || state[1..].contains(&to) {
                    continue;
                }
                next[1 + pushed] = to;
                next[1..].sort_unstable();
            }
            found.push(next);
        }
    })
}
