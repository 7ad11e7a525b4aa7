//! Starts from which no goal can be reached, seen from the operators alone.
//!
//! Where operators permute the leaves, what they can do to a start is a group of permutations, for each
//! [configuration](loops) of the values that they test. If that has no way to a goal there is none: the values of
//! an orbit, its parity (W. Johnson, W. Story, *Notes on the "15" Puzzle*, American Journal of Mathematics 2,
//! 1879), or else [membership](group) tell. Operators may allow more than the puzzle does, so nothing follows where a
//! way is found.

mod group;
mod loops;
#[cfg(test)]
mod tests;

use super::escapes::without_unreached;
use super::goals::goals_with;
use super::operators::{Leaf, Operators, Value};
use super::permutation::are_different;
use super::turns::{MOST_LEAVES, NoPermutations, Place, Turn, turns};
use group::{Group, Permutation, identity, is_odd, orbits};
use loops::Loops;

/// The most goals that are looked at.
const MOST_GOALS: usize = 64;

/// Why no goal can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoPlan {
    /// No operator changes the start.
    Stuck,
    /// No goal has the values of the start, each as often, where they may get.
    Values,
    /// These are never where they are in the goal.
    Places(Vec<Value>),
    /// The first never get to where they are in the goal, while the others are where they are there.
    Orbit(Vec<Value>, Vec<Value>),
    /// The parity of the permutation of the first, with where the others are, is another in the goal.
    Parity(Vec<Value>, Vec<Value>),
    /// Moves do not permute the first as the goal does, with the others where they are there.
    Group(Vec<Value>, Vec<Value>),
}

impl NoPlan {
    /// Why no goal can be reached from a start by the operators of a puzzle that permutes its leaves, if that
    /// is seen by looking at N states and moves of coarser puzzles; of several goals why one can't.
    pub fn of(puzzle: &Operators, start: &[Value], most: usize) -> Option<NoPlan> {
        let is_known = |values: &super::Values| !values.is_empty();
        if start.len() != puzzle.leaves()
            || start.len() > MOST_LEAVES
            || !puzzle.domains.iter().all(is_known)
            || !puzzle.expects(start)
        {
            return None;
        }
        let puzzle = &without_unreached(puzzle, start, most);
        let goals = goals_with(puzzle, start, MOST_GOALS)?;
        [Tests::All, Tests::Outright, Tests::None].into_iter().find_map(|tests| {
            let turns = tests.of(puzzle, start).ok()?;
            let why = Room::of(&turns, start)?.no_way_to(&goals)?;
            Some(if turns.is_empty() { NoPlan::Stuck } else { why })
        })
    }
}

/// Which tests turns have: with fewer of them puzzles allow more, but there are fewer configurations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tests {
    /// All, in each way that a condition may hold.
    All,
    /// That a leaf has one value, which is asked for in each way.
    Outright,
    None,
}

impl Tests {
    fn of(self, puzzle: &Operators, start: &[Value]) -> Result<Vec<Turn>, NoPermutations> {
        let mut all: Vec<Turn> = match self {
            Tests::All => turns(puzzle, start)?.into_iter().map(|(_, turn)| turn).collect(),
            Tests::Outright | Tests::None => outright(puzzle, start)?,
        };
        all.retain(|turn| !turn.moved.is_empty());
        if self == Tests::None {
            all.iter_mut().for_each(|turn| turn.tests.clear());
        }
        all.sort_unstable_by(|a, b| (&a.tests, &a.from).cmp(&(&b.tests, &b.from)));
        all.dedup_by(|a, b| (&a.tests, &a.from) == (&b.tests, &b.from));
        Ok(all)
    }
}

/// What operators do, each by the tests alone that it asks outright.
fn outright(puzzle: &Operators, start: &[Value]) -> Result<Vec<Turn>, NoPermutations> {
    if puzzle.has_escapes() {
        return Err(NoPermutations::Escapes);
    }
    let mut all = Vec::new();
    for operator in &puzzle.operators {
        let may =
            (0..puzzle.leaves() as Leaf).map(|leaf| (leaf, puzzle.may(operator.condition, leaf)));
        if may.clone().any(|(_, values)| values.is_empty()) {
            continue;
        }
        let changes = |leaf: &Leaf| puzzle.domains[usize::from(*leaf)].only().is_none();
        let tests = may.filter_map(|(leaf, values)| Some((leaf, values.only()?)));
        let tests: Vec<(Leaf, Value)> = tests.filter(|(leaf, _)| changes(leaf)).collect();
        all.extend(Turn::of((&tests, operator.cost), &operator.writes, start)?);
    }
    Ok(all)
}

/// What turns can make of a start.
struct Room<'s> {
    loops: Loops,
    start: &'s [Value],
    /// Places in the first row.
    orbits: Vec<Vec<Place>>,
    /// Once it is asked for.
    group: Option<Option<Group>>,
}

impl Room<'_> {
    fn of<'s>(turns: &[Turn], start: &'s [Value]) -> Option<Room<'s>> {
        let loops = Loops::of(turns, start)?;
        let orbits = orbits(loops.row(start).len(), &loops.generators);
        Some(Room { loops, start, orbits, group: None })
    }

    /// Why none of these goals, which are all that have the values of the start where they may be, can be reached.
    fn no_way_to(mut self, goals: &[Vec<Value>]) -> Option<NoPlan> {
        let mut first = Some(NoPlan::Values);
        for (number, goal) in goals.iter().enumerate() {
            let why = self.no_way(goal)?;
            if number == 0 {
                first = Some(why);
            }
        }
        first
    }

    /// Why a goal can't be reached, if that is so.
    fn no_way(&mut self, goal: &[Value]) -> Option<NoPlan> {
        let tested = self.loops.tested.clone();
        let Some(wanted) = self.loops.brought_back(goal) else {
            return Some(NoPlan::Places(tested));
        };
        let first = self.loops.row(self.start);
        let missing: Vec<Value> =
            self.orbits.iter().flat_map(|orbit| missing(&first, &wanted, orbit)).collect();
        // As the goal has them.
        let ordered = |values: &[Value]| -> Vec<Value> {
            let mut ordered = Vec::new();
            for value in self.loops.row(goal) {
                if values.contains(&value) && !ordered.contains(&value) {
                    ordered.push(value);
                }
            }
            ordered
        };
        if !missing.is_empty() {
            return Some(NoPlan::Orbit(ordered(&missing), tested));
        }
        if let Some(of) = odd(&self.loops.generators, &self.orbits, (&first, &wanted)) {
            return Some(NoPlan::Parity(ordered(&of), tested));
        }
        let moving = self.orbits.iter().filter(|orbit| orbit.len() > 1).flatten();
        let moving: Vec<Value> = moving.map(|&place| first[usize::from(place)]).collect();
        let moving = ordered(&moving);
        let generators = &self.loops.generators;
        let group = self.group.get_or_insert_with(|| Group::of(first.len(), generators));
        let is_there = group.as_mut()?.has_any(&first, &wanted)?;
        (!is_there).then_some(NoPlan::Group(moving, tested))
    }
}

fn missing(first: &[Value], wanted: &[Value], orbit: &[Place]) -> Vec<Value> {
    let mut there: Vec<Value> = orbit.iter().map(|&place| first[usize::from(place)]).collect();
    let mut missing = Vec::new();
    for &place in orbit {
        let value = wanted[usize::from(place)];
        match there.iter().position(|&other| other == value) {
            Some(at) => drop(there.swap_remove(at)),
            None => missing.push(value),
        }
    }
    missing
}

/// The values of an orbit, or of all together, whose permutation is odd where all generators are even; those
/// of an orbit are the same in both rows.
fn odd(
    generators: &[Permutation],
    orbits: &[Vec<Place>],
    (first, wanted): (&[Value], &[Value]),
) -> Option<Vec<Value>> {
    let values = |orbit: &[Place]| -> Vec<Value> {
        orbit.iter().map(|&place| first[usize::from(place)]).collect()
    };
    let mut whole = identity(first.len());
    let mut are_all_known = true;
    for orbit in orbits {
        // Where values are alike it is not known which is which.
        if !are_different(&values(orbit)) {
            are_all_known = false;
            continue;
        }
        for &place in orbit {
            let comes_from =
                |from: &&Place| first[usize::from(**from)] == wanted[usize::from(place)];
            whole[usize::from(place)] = orbit.iter().find(comes_from).copied().unwrap_or(place);
        }
        let is_even = |generator: &Permutation| !is_odd(generator, orbit);
        if is_odd(&whole, orbit) && generators.iter().all(is_even) {
            return Some(values(orbit));
        }
    }
    let all: Vec<Place> = (0..first.len() as Place).collect();
    let is_even = |generator: &Permutation| !is_odd(generator, &all);
    let is_other = are_all_known && is_odd(&whole, &all) && generators.iter().all(is_even);
    is_other.then(|| {
        values(
            &orbits.iter().filter(|orbit| orbit.len() > 1).flatten().copied().collect::<Vec<_>>(),
        )
    })
}
