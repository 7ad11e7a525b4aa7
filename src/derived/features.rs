//! Features: neighbours that the goal has, and that moves keep together.
//!
//! A set of pairs of leaves, and of single leaves, is chosen. A pair is *right* in a state if the two values
//! there are, in either order, those of some chosen pair in the goal; a single leaf if it has its value of
//! the goal. A move takes the values of a pair from two other leaves: if these are a chosen pair too, it is
//! right behind the move exactly if that one was before. So a move makes no more right than there are chosen
//! pairs, and leaves, that it takes from what is not chosen: what it *brings* at most. What is not right in a
//! state, over the most that is brought for a unit of cost, is a lower bound, and a consistent one. For
//! pancakes this is the gap heuristic (M. Helmert, *Landmark Heuristics for the Pancake Problem*, SoCS 2010).

use super::kept::kept;
use super::operators::Value;
use super::permutation::Permutations;
use super::turns::{Place, Turn};
use std::collections::BTreeMap;

/// Of two candidates the one is better with which the sum of this power of what each move brings is less: few
/// moves may bring much rather than one too much.
const POWER: u32 = 4;

/// A chosen set, and what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    pairs: Vec<(Place, Place)>,
    /// With the values that they have in the goal.
    singles: Vec<(Place, Value)>,
    /// By leaf of the goal, for the value there: the other leaves whose values are wanted, as bits.
    wanted: Vec<u64>,
    /// A move that costs so much …
    cost: u32,
    /// … brings so many at most.
    brings: u32,
}

kept!(Features { pairs, singles, wanted, cost, brings });

impl Features {
    /// A lower bound of what a plan costs from the state in which each leaf has the value that the goal has at
    /// this leaf.
    #[inline]
    pub fn estimate(&self, homes: &[Place], goal: &[Value]) -> u32 {
        let home = |leaf: Place| homes[usize::from(leaf)];
        let wrong = |&&(one, other): &&(Place, Place)| {
            self.wanted[usize::from(home(one))] >> home(other) & 1 == 0
        };
        let moved = |&&(leaf, value): &&(Place, Value)| goal[usize::from(home(leaf))] != value;
        let lacking =
            self.pairs.iter().filter(wrong).count() + self.singles.iter().filter(moved).count();
        (lacking as u32 * self.cost).div_ceil(self.brings)
    }

    /// The set for which the bound is greatest of those that are tried: grown from each pair, and each leaf,
    /// by what makes moves bring least; in no more than N steps. Nothing if no set bounds anything.
    pub fn of(puzzle: &Permutations, steps: usize) -> Option<Features> {
        let mut grower = Grower::new(puzzle, steps);
        let mut best: Option<(f64, Vec<bool>)> = None;
        let candidates = grower.candidates.len();
        for seed in grower.seeds() {
            if grower.steps == 0 {
                break;
            }
            grower.clear();
            grower.toggle(seed);
            let mut own: Option<(f64, Vec<bool>)> = None;
            for _ in 0..2 * puzzle.leaves() {
                let score = grower.score();
                if own.as_ref().is_none_or(|(most, _)| score > *most) {
                    own = Some((score, grower.chosen.clone()));
                }
                let Some(next) = grower.least() else { break };
                grower.toggle(next);
            }
            let Some((score, chosen)) = own else { continue };
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, chosen));
            }
        }
        let (mut most, chosen) = best?;
        grower.clear();
        (0..candidates).filter(|&at| chosen[at]).for_each(|at| grower.toggle(at));
        // Single changes that help.
        let mut at = 0;
        let mut since = 0;
        while since < candidates && grower.steps > 0 {
            grower.toggle(at);
            let score = grower.score();
            if score > most {
                (most, since) = (score, 0);
            } else {
                grower.toggle(at);
                since += 1;
            }
            at = (at + 1) % candidates;
        }
        grower.features(puzzle)
    }
}

/// Where what is brought comes from; nothing for a single leaf that takes a value from elsewhere.
type Origin = Option<u32>;

/// Lets sets grow.
struct Grower {
    /// Pairs, and single leaves as pairs of one with itself.
    candidates: Vec<(Place, Place)>,
    leaves: usize,
    /// By move: what it costs, by candidate where that comes from, and which one takes it.
    moves: Vec<(u32, Vec<Origin>, Vec<Origin>)>,
    chosen: Vec<bool>,
    count: [usize; 2],
    /// By move: how much it brings.
    brings: Vec<u32>,
    steps: usize,
}

impl Grower {
    fn new(puzzle: &Permutations, steps: usize) -> Grower {
        let leaves = puzzle.leaves();
        let candidates: Vec<(Place, Place)> =
            (0..leaves as Place).flat_map(|one| (0..=one).map(move |other| (other, one))).collect();
        let number = |one: Place, other: Place| {
            let (low, high) = (usize::from(one.min(other)), usize::from(one.max(other)));
            (high * (high + 1) / 2 + low) as u32
        };
        // Moves under other tests are no others here.
        let mut costs: BTreeMap<&[Place], u32> = BTreeMap::new();
        for Turn { from, cost, .. } in &puzzle.turns {
            let least = costs.entry(&from[..]).or_insert(*cost);
            *least = (*least).min(*cost);
        }
        let moves: Vec<(u32, Vec<Origin>, Vec<Origin>)> = costs
            .into_iter()
            .map(|(from, cost)| {
                let origin = |&(one, other): &(Place, Place)| {
                    let [x, y] = [one, other].map(|leaf| from[usize::from(leaf)]);
                    (one != other || x == one).then(|| number(x, y))
                };
                let origins: Vec<Origin> = candidates.iter().map(origin).collect();
                let mut takers = vec![None; candidates.len()];
                for (taker, origin) in (0u32..).zip(&origins) {
                    if let Some(origin) = origin {
                        takers[*origin as usize] = Some(taker);
                    }
                }
                (cost, origins, takers)
            })
            .collect();
        let (chosen, brings) = (vec![false; candidates.len()], vec![0; moves.len()]);
        Grower { candidates, leaves, moves, chosen, count: [0; 2], brings, steps }
    }

    /// Candidates to begin with, neighbours by number first, single leaves last.
    fn seeds(&self) -> Vec<usize> {
        let mut seeds: Vec<usize> = (0..self.candidates.len()).collect();
        seeds.sort_by_key(|&at| (self.candidates[at].1 - self.candidates[at].0).wrapping_sub(1));
        seeds
    }

    fn clear(&mut self) {
        self.chosen.fill(false);
        self.brings.fill(0);
        self.count = [0; 2];
    }

    /// By how much more a move brings if a candidate is chosen that is not, or is not chosen that is.
    fn change(&self, mv: usize, candidate: usize) -> i32 {
        let (_, origins, takers) = &self.moves[mv];
        let is_chosen = |at: Origin| at.is_some_and(|at| self.chosen[at as usize]);
        // What stays in its place is never brought.
        if origins[candidate] == Some(candidate as u32) {
            return 0;
        }
        let change =
            i32::from(!is_chosen(origins[candidate])) - i32::from(is_chosen(takers[candidate]));
        if self.chosen[candidate] { -change } else { change }
    }

    fn toggle(&mut self, candidate: usize) {
        self.steps = self.steps.saturating_sub(self.moves.len());
        for mv in 0..self.moves.len() {
            self.brings[mv] = self.brings[mv].wrapping_add_signed(self.change(mv, candidate));
        }
        let is_now = !self.chosen[candidate];
        self.chosen[candidate] = is_now;
        let (one, other) = self.candidates[candidate];
        let count = &mut self.count[usize::from(one == other)];
        *count = if is_now { *count + 1 } else { *count - 1 };
    }

    /// The candidate that is not chosen and makes moves bring least.
    fn least(&mut self) -> Option<usize> {
        self.steps = self.steps.saturating_sub(self.candidates.len() * self.moves.len());
        let free = (0..self.candidates.len()).filter(|&at| !self.chosen[at]);
        free.min_by_key(|&at| {
            let by = |mv: usize| {
                let (before, change) = (i64::from(self.brings[mv]), self.change(mv, at));
                let after = before + i64::from(change);
                after.pow(POWER) - before.pow(POWER)
            };
            (0..self.moves.len()).map(by).sum::<i64>()
        })
    }

    /// The move that brings most for what it costs: the cost, and how much.
    fn most(&self) -> Option<(u32, u32)> {
        let all = self.moves.iter().zip(&self.brings).map(|((cost, ..), &brings)| (*cost, brings));
        let all = all.filter(|&(_, brings)| brings > 0);
        all.min_by(|one, other| {
            let [one, other] =
                [(one, other), (other, one)].map(|(a, b)| u64::from(a.0) * u64::from(b.1));
            one.cmp(&other)
        })
    }

    /// The bound that is to be expected of a state at random.
    fn score(&self) -> f64 {
        let Some((cost, brings)) = self.most() else { return 0.0 };
        let [pairs, singles] = self.count.map(|count| count as f64);
        let all = (self.leaves * (self.leaves - 1) / 2).max(1) as f64;
        let lacking = pairs * (1.0 - pairs / all) + singles * (1.0 - 1.0 / self.leaves as f64);
        lacking * f64::from(cost) / f64::from(brings)
    }

    fn features(&self, puzzle: &Permutations) -> Option<Features> {
        let (cost, brings) = self.most().filter(|most| most.0 > 0)?;
        let chosen = self.candidates.iter().zip(&self.chosen).filter(|(_, chosen)| **chosen);
        let (singles, pairs): (Vec<_>, Vec<_>) =
            chosen.map(|(candidate, _)| *candidate).partition(|(one, other)| one == other);
        let mut wanted = vec![0; self.leaves];
        for &(one, other) in &pairs {
            wanted[usize::from(one)] |= 1 << other;
            wanted[usize::from(other)] |= 1 << one;
        }
        let singles = singles.into_iter().map(|(leaf, _)| (leaf, puzzle.goal[usize::from(leaf)]));
        Some(Features { pairs, singles: singles.collect(), wanted, cost, brings })
    }
}

#[cfg(test)]
mod tests {
    use super::super::operators::Operators;
    use super::super::test_puzzles::{Space, pancakes, permutations, ring, tiles};
    use super::*;

    fn features(puzzle: &Operators) -> (Permutations, Features) {
        let puzzle = permutations(puzzle);
        let found = Features::of(&puzzle, 1_000_000).expect("some");
        (puzzle, found)
    }

    fn estimate((puzzle, found): &(Permutations, Features), state: &[Value]) -> u32 {
        let home = |&value: &Value| puzzle.home(value).expect("a value of the goal");
        let homes: Vec<Place> = state.iter().map(home).collect();
        found.estimate(&homes, &puzzle.goal)
    }

    #[test]
    fn pancakes_have_gaps() {
        let all = features(&pancakes(7, |_| 1));
        let found = &all.1;
        assert_eq!((found.pairs.len(), found.singles.len()), (6, 1));
        assert_eq!((found.cost, found.brings), (1, 1));
        // Gaps behind 0, 2 and 6, and the last is not in its place.
        assert_eq!(estimate(&all, &[0, 2, 1, 3, 4, 6, 5]), 4);
    }

    #[test]
    fn bounds_are_admissible_and_consistent() {
        for puzzle in [pancakes(6, |_| 1), pancakes(6, u32::from), ring(7, 3), tiles(3, 2, 0)] {
            let found = features(&puzzle);
            let space = Space::of(&puzzle, &found.0.goal);
            space.check_admissible(|state| Some(estimate(&found, state)));
            space.check_consistent(|state| Some(estimate(&found, state)));
        }
    }
}
