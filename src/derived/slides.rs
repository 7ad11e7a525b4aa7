//! Tables of sliding puzzles: every turn exchanges the one tested value with a neighbour.
//!
//! A pattern pays for the turns that move its values. All others move the tested value about between the
//! values of the pattern, which costs nothing: with these in one place, where it may be is a set of leaves,
//! and such sets are closed and passed on as words of bits (as in R. Korf, A. Felner, *Disjoint Pattern
//! Database Heuristics*, Artificial Intelligence 134, 2002, where the blank is left out of the tables).

use super::operators::Value;
use super::pattern_table::{Packed, Places, UNREACHED};
use super::permutation::{Permutations, Place};

/// Leaves as bits.
type Set = u32;

/// A sliding puzzle.
#[derive(Debug)]
pub(crate) struct Slides {
    /// By leaf: the leaves from where a turn takes the tested value there, with what it costs.
    before: Vec<Vec<(Place, u32)>>,
    /// The same leaves as a set.
    from: Vec<Set>,
    /// By leaf: to where turns take the tested value from there.
    to: Vec<Set>,
}

impl Slides {
    /// A puzzle as a sliding puzzle, if it is one.
    pub fn of(puzzle: &Permutations) -> Option<Slides> {
        let leaves = puzzle.leaves();
        if puzzle.tested.len() != 1 || leaves > Set::BITS as usize {
            return None;
        }
        let mut before = vec![Vec::new(); leaves];
        let (mut from, mut all_to): (Vec<Set>, Vec<Set>) = (vec![0; leaves], vec![0; leaves]);
        for turn in &puzzle.turns {
            let (&[(at, _)], &[one, other]) = (&turn.tests[..], &turn.moved[..]) else {
                return None;
            };
            let to = match at {
                at if at == one => other,
                at if at == other => one,
                _ => return None,
            };
            let known: &mut Vec<(Place, u32)> = &mut before[usize::from(to)];
            match known.iter_mut().find(|(from, _)| *from == at) {
                Some((_, least)) => *least = (*least).min(turn.cost),
                None => known.push((at, turn.cost)),
            }
            from[usize::from(to)] |= 1 << at;
            all_to[usize::from(at)] |= 1 << to;
        }
        Some(Slides { before, from, to: all_to })
    }

    /// The distances of a pattern that pays for the turns that move its values: by places of its values, the
    /// least over all places of the tested one. Also how many states reach the goal, and the greatest
    /// distance.
    pub fn distances(
        &self,
        puzzle: &Permutations,
        pattern: &[Value],
        farthest: usize,
    ) -> Option<(Vec<u8>, u64, u32)> {
        let places = Places::new(self.from.len(), pattern.len())?;
        let mut distances = vec![UNREACHED; places.keys()];
        let mut seen: Vec<Set> = vec![0; places.keys()];
        let blank = puzzle.home(puzzle.tested[0])?;
        // By distance: places of the pattern, and where the tested value may be.
        let goals = puzzle.goals(pattern).into_iter();
        let goals = goals.map(|goal| (Places::packed(&goal), 1 << blank));
        let mut waiting: Vec<Vec<(Packed, Set)>> = vec![goals.collect()];
        let (mut states, mut greatest, mut distance) = (0, 0, 0);
        while distance < waiting.len() {
            let mut now = std::mem::take(&mut waiting[distance]);
            while let Some((at, set)) = now.pop() {
                let key = places.key(at);
                let new = set & !seen[key];
                if new == 0 {
                    continue;
                }
                let taken =
                    (0..pattern.len()).fold(0, |taken, n| taken | 1 << Places::place(at, n));
                let new = self.closed(new, taken) & !seen[key];
                seen[key] |= new;
                states += u64::from(new.count_ones());
                greatest = distance as u32;
                distances[key] = distances[key].min(distance.min(farthest) as u8);
                for number in 0..pattern.len() {
                    // The value came here when the tested one went to where it was.
                    let here = Places::place(at, number);
                    for to in bits(new & self.to[usize::from(here)]) {
                        let before = &self.before[to];
                        let Some(&(_, cost)) = before.iter().find(|(from, _)| *from == here) else {
                            continue;
                        };
                        let earlier = (Places::moved(at, number, to as Place), 1 << here);
                        if cost == 0 {
                            now.push(earlier);
                            continue;
                        }
                        let behind = distance + cost as usize;
                        if waiting.len() <= behind {
                            waiting.resize_with(behind + 1, Vec::new);
                        }
                        waiting[behind].push(earlier);
                    }
                }
            }
            distance += 1;
        }
        Some((distances, states, greatest))
    }

    /// From where the tested value reaches a leaf of a set without moving what is on taken ones.
    fn closed(&self, set: Set, taken: Set) -> Set {
        let (mut all, mut new) = (set, set);
        while new != 0 {
            let found = bits(new).fold(0, |found, leaf| found | self.from[leaf]);
            new = found & !taken & !all;
            all |= new;
        }
        all
    }
}

/// The leaves of a set.
fn bits(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        let any = set != 0;
        set &= set.wrapping_sub(1);
        any.then_some(first)
    })
}
