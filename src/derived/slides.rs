//! Tables of sliding puzzles: every turn exchanges the one tested value with a neighbour.
//!
//! A pattern pays for the turns that move its values. All others move the tested value about between the
//! values of the pattern, which costs nothing: with these in one place, where it may be is a set of leaves,
//! and such sets are closed and passed on as words of bits (as in R. Korf, A. Felner, *Disjoint Pattern
//! Database Heuristics*, Artificial Intelligence 134, 2002, where the blank is left out of the tables).

use super::operators::Value;
use super::places::{MOST_VALUES, PLACE_BITS, Packed, Places, UNREACHED};
use super::turns::{Place, Turn};

/// Leaves as bits.
type Set = u32;

/// Leaves one step behind others: those of a set, N places on.
#[derive(Debug)]
struct Step {
    /// The leaves of which this is true.
    of: Set,
    left: u32,
    right: u32,
}

#[derive(Debug)]
pub(crate) struct Slides {
    leaves: usize,
    /// By leaf, and leaf to where a turn takes the tested value from there: what it costs, if there is one.
    costs: Vec<Option<u32>>,
    /// By leaf: to where turns take the tested value from there.
    to: Vec<Set>,
    /// From where turns take it to a leaf: together they are all.
    steps: Vec<Step>,
}

/// Where the place of the tested value is packed, beside those of a pattern.
const BLANK: u32 = PLACE_BITS * (MOST_VALUES as u32 - 1);

impl Slides {
    /// A puzzle as a sliding puzzle, if it is one.
    pub fn of(leaves: usize, tested: &[Value], turns: &[Turn]) -> Option<Slides> {
        if tested.len() != 1 || leaves > Set::BITS as usize {
            return None;
        }
        let mut costs: Vec<Option<u32>> = vec![None; leaves * leaves];
        let mut all_to: Vec<Set> = vec![0; leaves];
        let mut steps: Vec<(i32, Set)> = Vec::new();
        for turn in turns {
            let (&[(at, _)], &[one, other]) = (&turn.tests[..], &turn.moved[..]) else {
                return None;
            };
            let to = match at {
                at if at == one => other,
                at if at == other => one,
                _ => return None,
            };
            let least = &mut costs[usize::from(at) * leaves + usize::from(to)];
            *least = Some(least.map_or(turn.cost, |least| least.min(turn.cost)));
            all_to[usize::from(at)] |= 1 << to;
            let on = i32::from(at) - i32::from(to);
            match steps.iter_mut().find(|(known, _)| *known == on) {
                Some((_, of)) => *of |= 1 << to,
                None => steps.push((on, 1 << to)),
            }
        }
        let step = |(on, of): (i32, Set)| Step {
            of,
            left: on.max(0).unsigned_abs(),
            right: on.min(0).unsigned_abs(),
        };
        let steps = steps.into_iter().map(step).collect();
        Some(Slides { leaves, costs, to: all_to, steps })
    }

    /// The distances of a pattern that pays for the turns that move its values: by places of its values, the
    /// least over all places of the tested one, which is at `blank` in all goals. Also how many states reach the goal, and the greatest
    /// distance.
    pub fn distances(
        &self,
        blank: Place,
        goals: &[Vec<Place>],
        places: Places,
        farthest: usize,
    ) -> (Vec<u8>, u64, u32) {
        let blank = Packed::from(blank) << BLANK;
        let goals = goals.iter().map(|goal| Places::packed(goal) | blank).collect();
        let mut search = Backward {
            distances: vec![UNREACHED; places.keys],
            seen: vec![0; places.keys],
            pattern: places.weights.len(),
            places,
            states: 0,
        };
        // By distance: places of the pattern, and one where the tested value is.
        let mut waiting: Vec<Vec<Packed>> = vec![goals];
        let (mut greatest, mut distance, mut earlier) = (0, 0, Vec::new());
        while distance < waiting.len() {
            let mut now = std::mem::take(&mut waiting[distance]);
            while !now.is_empty() {
                let (first, mut some) = (now.len().saturating_sub(TOGETHER), [(0, 0); TOGETHER]);
                let count = search.not_seen(&now[first..], &mut some);
                now.truncate(first);
                for &(entry, key) in &some[..count] {
                    if search.meet(self, entry, key, distance.min(farthest) as u8, &mut earlier) {
                        greatest = distance as u32;
                    }
                }
                for (entry, key, cost) in earlier.drain(..) {
                    if search.seen[key] >> (entry >> BLANK) & 1 != 0 {
                        continue;
                    }
                    let behind = distance + cost as usize;
                    if waiting.len() <= behind {
                        waiting.resize_with(behind + 1, Vec::new);
                    }
                    let waiting = if cost == 0 { &mut now } else { &mut waiting[behind] };
                    waiting.push(entry);
                }
            }
            distance += 1;
        }
        (search.distances, search.states, greatest)
    }

    /// From where the tested value reaches a leaf of a set without moving what is on taken ones.
    #[inline]
    fn closed(&self, set: Set, taken: Set) -> Set {
        let mut all = set;
        loop {
            let found = self
                .steps
                .iter()
                .fold(all, |found, step| found | (all & step.of) << step.left >> step.right);
            let found = found & !taken | set;
            if found == all {
                return all;
            }
            all = found;
        }
    }
}

/// States that are looked at together: memory is waited for at once for all of them.
const TOGETHER: usize = 32;

/// A search from the goal backward.
struct Backward {
    places: Places,
    /// How many values are told apart.
    pattern: usize,
    /// By places of the values: where the tested one was.
    seen: Vec<Set>,
    distances: Vec<u8>,
    states: u64,
}

impl Backward {
    /// Those that were not met before, with their keys: how many.
    #[inline]
    fn not_seen(&self, entries: &[Packed], found: &mut [(Packed, usize); TOGETHER]) -> usize {
        let mut count = 0;
        for &entry in entries {
            let (at, blank) = (entry & ((1 << BLANK) - 1), entry >> BLANK);
            let key = self.places.key(at);
            found[count] = (at | blank << BLANK, key);
            count += usize::from(self.seen[key] >> blank & 1 == 0);
        }
        count
    }

    /// Notes the distance of a state, and of all that differ from it in the place of the tested value alone;
    /// those that moves of the pattern lead from to them are added to the earlier ones, with their keys and
    /// what these cost. False if it was met before.
    #[inline]
    fn meet(
        &mut self,
        slides: &Slides,
        entry: Packed,
        key: usize,
        distance: u8,
        earlier: &mut Vec<(Packed, usize, u32)>,
    ) -> bool {
        let (at, blank) = (entry & ((1 << BLANK) - 1), entry >> BLANK);
        let seen = self.seen[key];
        if seen >> blank & 1 != 0 {
            return false;
        }
        let place = |number| Places::place(at, number);
        let taken = (0..self.pattern).fold(0, |taken, number| taken | 1 << place(number));
        let new = slides.closed(1 << blank, taken) & !seen;
        self.seen[key] = seen | new;
        self.states += u64::from(new.count_ones());
        if seen == 0 {
            self.distances[key] = distance;
        }
        for number in 0..self.pattern {
            // The value came here when the tested one went to where it was.
            let here = place(number);
            for to in bits(new & slides.to[usize::from(here)]) {
                let Some(cost) = slides.costs[usize::from(here) * slides.leaves + to] else {
                    continue;
                };
                let entry = Places::moved(at, number, to as Place) | Packed::from(here) << BLANK;
                earlier.push((entry, self.places.key_after(key, number, here, to as Place), cost));
            }
        }
        true
    }
}

fn bits(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        let any = set != 0;
        set &= set.wrapping_sub(1);
        any.then_some(first)
    })
}
