//! Groups of permutations of a few points, by chains of stabilisers.
//!
//! Each level of a chain has what moves its point, but none of those before, with a permutation for each point
//! that it is moved to (C. Sims, *Computational Methods in the Study of Permutation Groups*, 1970; D. Knuth,
//! *Efficient Representation of Perm Groups*, Combinatorica 11, 1991). So membership is decided by taking off
//! one of them for level after level. Points that are alike leave several to try.

use crate::parts::Parts;
use crate::turns::Place;

/// By point: its image.
pub(super) type Permutation = Box<[Place]>;

/// Products of permutations that making a chain may take.
const MOST_PRODUCTS: usize = 1 << 19;
/// Permutations that are tried where points are alike.
const MOST_TRIED: usize = 1 << 14;

/// The permutation that moves nothing.
pub(super) fn identity(points: usize) -> Permutation {
    (0..points as Place).collect()
}

/// First the one, then the other: `after` of `first` of each point.
pub(super) fn product(after: &[Place], first: &[Place]) -> Permutation {
    first.iter().map(|&point| after[usize::from(point)]).collect()
}

/// What leads back.
pub(super) fn inverse(of: &[Place]) -> Permutation {
    let mut inverse = identity(of.len());
    for (point, &image) in (0..).zip(of) {
        inverse[usize::from(image)] = point;
    }
    inverse
}

/// Whether a permutation of some points, which it does not leave, is odd.
pub(super) fn is_odd(of: &[Place], points: &[Place]) -> bool {
    let mut seen = [false; 256];
    let mut odd = false;
    for &point in points {
        let mut at = point;
        let mut length = 0;
        while !std::mem::replace(&mut seen[usize::from(at)], true) {
            at = of[usize::from(at)];
            length += 1;
        }
        odd ^= length > 0 && length % 2 == 0;
    }
    odd
}

/// The points that can be moved to one another, each set ascending, by their least.
pub(super) fn orbits(points: usize, generators: &[Permutation]) -> Vec<Vec<Place>> {
    let mut parts = Parts::new(points);
    for generator in generators {
        for (point, &image) in (0..).zip(generator.iter()) {
            parts.join(point, u32::from(image));
        }
    }
    let mut orbits = vec![Vec::new(); points];
    for point in 0..points as u32 {
        orbits[parts.least(point) as usize].push(point as Place);
    }
    orbits.retain(|orbit| !orbit.is_empty());
    orbits
}

pub(super) struct Group {
    /// By point: the level at which those before are left where they are.
    levels: Vec<Level>,
    /// Products that may still be made.
    left: usize,
}

/// What leaves the points before one where they are.
#[derive(Clone)]
struct Level {
    generators: Vec<Permutation>,
    /// By point that the level's one is moved to: a permutation that does so.
    movers: Vec<Option<Permutation>>,
    /// These points.
    orbit: Vec<Place>,
}

/// Making a chain takes too long.
struct TooLarge;

impl Group {
    /// What permutations generate; `None` if that takes too long.
    pub fn of(points: usize, generators: &[Permutation]) -> Option<Group> {
        let level = |point: usize| {
            let mut movers = vec![None; points];
            movers[point] = Some(identity(points));
            Level { generators: Vec::new(), movers, orbit: vec![point as Place] }
        };
        let mut group = Group { levels: (0..points).map(level).collect(), left: MOST_PRODUCTS };
        for generator in generators {
            group.include(0, generator.clone()).ok()?;
        }
        Some(group)
    }

    /// Makes the group of a level one with a permutation, which leaves the points before where they are.
    fn include(&mut self, at: usize, new: Permutation) -> Result<(), TooLarge> {
        if at == self.levels.len() || self.has(at, &new)? {
            return Ok(());
        }
        self.levels[at].generators.push(new);
        let known = self.levels[at].orbit.len();
        let mut next = 0;
        while next < self.levels[at].orbit.len() {
            let point = self.levels[at].orbit[next];
            // What is known already was moved by all generators but the new one.
            let count = self.levels[at].generators.len();
            let first = if next < known { count - 1 } else { 0 };
            for number in first..count {
                self.follow(at, point, number)?;
            }
            next += 1;
        }
        Ok(())
    }

    /// Moves a point of a level's orbit by a generator: to a new one, or else there are two ways to the same
    /// point, which differ by what leaves the level's point where it is.
    fn follow(&mut self, at: usize, point: Place, number: usize) -> Result<(), TooLarge> {
        self.spend(2)?;
        let level = &self.levels[at];
        let Some(mover) = &level.movers[usize::from(point)] else { return Ok(()) };
        let moved = product(&level.generators[number], mover);
        let image = usize::from(moved[at]);
        match &level.movers[image] {
            Some(other) => {
                let difference = product(&inverse(other), &moved);
                self.include(at + 1, difference)
            }
            None => {
                let level = &mut self.levels[at];
                level.movers[image] = Some(moved);
                level.orbit.push(image as Place);
                Ok(())
            }
        }
    }

    fn spend(&mut self, products: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(products).ok_or(TooLarge)?;
        Ok(())
    }

    /// Whether a permutation that leaves the points before a level where they are is in the group.
    fn has(&mut self, from: usize, of: &[Place]) -> Result<bool, TooLarge> {
        let mut rest: Permutation = of.into();
        for at in from..self.levels.len() {
            if usize::from(rest[at]) == at {
                continue;
            }
            self.spend(1)?;
            let Some(mover) = &self.levels[at].movers[usize::from(rest[at])] else {
                return Ok(false);
            };
            rest = product(&inverse(mover), &rest);
        }
        Ok(true)
    }

    /// Whether a permutation of the group has each point's image be of the kind that is wanted for it; `None`
    /// if there are too many to try.
    pub fn has_any(&self, kinds: &[Place], wanted: &[Place]) -> Option<bool> {
        let points = self.levels.len();
        let are_left = |level: &Level, point: Place| {
            level.generators.iter().all(|generator| generator[usize::from(point)] == point)
        };
        // By level: the points that it leaves where they are, and none before did.
        let mut left: Vec<Vec<Place>> = Vec::with_capacity(points);
        let mut seen = vec![false; points];
        for level in &self.levels {
            let new = (0..points as Place).filter(|&point| are_left(level, point));
            let new: Vec<Place> = new.filter(|&point| !seen[usize::from(point)]).collect();
            new.iter().for_each(|&point| seen[usize::from(point)] = true);
            left.push(new);
        }
        let fits = |so_far: &[Place], point: Place, by: Place| {
            kinds[usize::from(so_far[usize::from(by)])] == wanted[usize::from(point)]
        };
        let mut tried = 0;
        let mut waiting = vec![(0, identity(points))];
        while let Some((at, so_far)) = waiting.pop() {
            tried += 1;
            if tried > MOST_TRIED {
                return None;
            }
            let Some(level) = self.levels.get(at) else { return Some(true) };
            if !left[at].iter().all(|&point| fits(&so_far, point, point)) {
                continue;
            }
            let all = level.orbit.iter().filter(|image| fits(&so_far, at as Place, **image));
            let movers = all.filter_map(|&image| level.movers[usize::from(image)].as_ref());
            waiting.extend(movers.map(|mover| (at + 1, product(&so_far, mover))));
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn all(points: usize, generators: &[Permutation]) -> BTreeSet<Permutation> {
        let (mut all, mut new) = (BTreeSet::new(), vec![identity(points)]);
        while let Some(one) = new.pop() {
            if all.insert(one.clone()) {
                new.extend(generators.iter().map(|generator| product(generator, &one)));
            }
        }
        all
    }

    fn numbered(points: usize, mut number: usize) -> Permutation {
        let mut left: Vec<Place> = (0..points as Place).collect();
        let mut next = || {
            let place = number % left.len();
            number /= left.len();
            left.remove(place)
        };
        (0..points).map(|_| next()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
        #[test]
        fn a_chain_has_what_permutations_generate(
            points in 1usize..=6,
            numbers in prop::collection::vec(0usize..720, 0..3),
            kinds in prop::collection::vec(0u8..4, 6),
        ) {
            let generators: Vec<Permutation> =
                numbers.iter().map(|&number| numbered(points, number)).collect();
            let (group, all) = (Group::of(points, &generators), all(points, &generators));
            let mut group = group.expect("a few points");
            let kinds = &kinds[..points];
            for number in 0..(1..=points).product() {
                let one = numbered(points, number);
                prop_assert_eq!(group.has(0, &one).ok(), Some(all.contains(&one)), "{:?}", one);
                let wanted: Vec<Place> = product(kinds, &one).into();
                let is_there = all.iter().any(|of| *product(kinds, of) == *wanted);
                prop_assert_eq!(group.has_any(kinds, &wanted), Some(is_there), "{:?}", one);
            }
        }
    }

    #[test]
    fn parity_is_of_some_points() {
        assert!(is_odd(&[1, 0, 3, 2], &[0, 1]));
        assert!(!is_odd(&[1, 0, 3, 2], &[0, 1, 2, 3]));
        assert!(!is_odd(&[1, 2, 0], &[0, 1, 2]));
        assert!(!is_odd(&[0], &[0]));
    }
}
