//! Program slices that answer which moves there are, and that make a single move.
//!
//! A slice has what some values need and no more (M. Weiser, *Program Slicing*, ICSE 1981).
//!
//! Plays at random and counts of moves drop nearly all states that moves lead to. For them the moves of a
//! predicate come as two programs. One computes *guards*: planes whose places are moves, in groups that
//! are gone through one after the other, place by place, and plane by plane within a place. The other
//! makes the move of a number, and computes only what that one needs.

use crate::code::Code;

/// A move that no place stands for.
pub const NO_MOVE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Group {
    /// By plane: the moves by place.
    pub planes: Box<[Box<[u32; 64]>]>,
}

#[derive(Clone, Debug)]
pub struct Picking {
    /// Computes planes, those of a group after those of the group before.
    pub guards: Code,
    pub groups: Box<[Group]>,
    pub bodies: Code,
}

/// How many moves there are, by the planes of all guards.
#[inline]
pub fn count(planes: &[i64]) -> u32 {
    planes.iter().map(|plane| plane.count_ones()).sum()
}

/// The moves there are, in their order, by the planes of all guards.
pub fn all(groups: &[Group], planes: &[i64], found: &mut Vec<u32>) {
    found.clear();
    each(groups, planes, |number| found.push(number));
}

/// Calls `visit` with the numbers of the moves there are, in their order, by the planes of all guards.
#[inline]
pub fn each(groups: &[Group], mut planes: &[i64], mut visit: impl FnMut(u32)) {
    for group in groups {
        let Some((of_group, rest)) = planes.split_at_checked(group.planes.len()) else { return };
        planes = rest;
        let mut any = of_group.iter().fold(0, |any, &plane| any | plane as u64);
        while any != 0 {
            let place = any.trailing_zeros() as usize;
            any &= any - 1;
            for (&plane, moves) in of_group.iter().zip(&group.planes) {
                if plane as u64 >> place & 1 != 0 {
                    visit(moves[place]);
                }
            }
        }
    }
}

/// The number of the move at an offset from the first; `None` if there are fewer.
pub fn nth(groups: &[Group], mut planes: &[i64], mut behind: u32) -> Option<u32> {
    for group in groups {
        let (of_group, rest) = planes.split_at_checked(group.planes.len())?;
        planes = rest;
        let moves = count(of_group);
        if behind >= moves {
            behind -= moves;
            continue;
        }
        let (place, plane) = within(of_group, behind);
        return Some(group.planes[plane][place]).filter(|&number| number != NO_MOVE);
    }
    None
}

/// The place and the plane of the bit so many behind the first, of as many as there are.
#[inline]
fn within(planes: &[i64], mut behind: u32) -> (usize, usize) {
    if let &[plane] = planes {
        let mut plane = plane as u64;
        for _ in 0..behind {
            plane &= plane - 1;
        }
        return (plane.trailing_zeros() as usize, 0);
    }
    // The last place before which there are not more: found bit by bit of its number.
    let mut place = 0;
    for bit in (0..6).rev() {
        let further = place | 1 << bit;
        let before: u32 =
            planes.iter().map(|&plane| (plane as u64 & ((1 << further) - 1)).count_ones()).sum();
        if before <= behind {
            place = further;
        }
    }
    let before: u32 =
        planes.iter().map(|&plane| (plane as u64 & ((1 << place) - 1)).count_ones()).sum();
    behind -= before;
    for (number, &plane) in planes.iter().enumerate() {
        if plane as u64 >> place & 1 != 0 {
            if behind == 0 {
                return (place, number);
            }
            behind -= 1;
        }
    }
    unreachable!("there are as many bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(first: u32) -> Box<[u32; 64]> {
        Box::new(std::array::from_fn(|place| first + place as u32))
    }

    #[test]
    fn moves_are_counted_and_found_in_the_order_of_groups_places_and_planes() {
        let groups = [
            Group { planes: Box::new([numbered(0)]) },
            Group { planes: Box::new([numbered(100), numbered(200), numbered(300)]) },
        ];
        let planes = [1 << 63 | 0b10, 0b100, 1 << 63 | 0b101, 0b100];
        let order = [1, 63, 200, 102, 202, 302, 263];
        assert_eq!(count(&planes), 7);
        let found: Vec<u32> = (0..7).filter_map(|at| nth(&groups, &planes, at)).collect();
        assert_eq!(found, order);
        let mut found = Vec::new();
        all(&groups, &planes, &mut found);
        assert_eq!(found, order);
        assert_eq!(nth(&groups, &planes, 7), None);
    }
}
