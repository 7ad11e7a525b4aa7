//! The smallest part of a puzzle that shows that a start has no plan: [`Abstraction`].
//!
//! A projection allows whatever the puzzle allows, and more. If no goal can be reached in it from a start there is no plan,
//! and the fewer leaves it knows the easier that is to see (C. Bäckström, P. Jonsson, S. Ståhlberg, *Fast detection of
//! unsolvable planning instances using local consistency*, SoCS 2013, who look through projections by size, too).

use super::escapes::without_unreached;
use super::operators::{Leaf, Operators, Value};
use super::projection::Projection;

/// A projection in which no goal can be reached from a start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    /// The leaves that it knows, without those that never change.
    pub leaves: Vec<Leaf>,
    /// By leaf, the values that it may get, whatever others have.
    pub values: Vec<Vec<Value>>,
    /// Its states that can be reached from the start.
    pub states: usize,
    /// It is not the whole puzzle: some leaf that may change is not known.
    pub coarser: bool,
    /// None knows fewer leaves; else each of the leaves is needed, and others may do with fewer.
    pub smallest: bool,
}

/// Why it is not known whether there is an [`Abstraction`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unseen {
    /// Of some leaf it is not known which values it has.
    Values,
    /// States may be reached of which it is not known where moves lead.
    Escapes,
    /// There are more states and moves than may be looked at.
    Room,
}

impl Abstraction {
    /// The projection of the fewest leaves, of several the first in their order, by looking at N states and moves in
    /// all; if that is not enough, one of which no leaf can be spared. `None` if there is none.
    ///
    /// # Errors
    /// Whether there is one is not known.
    pub fn of(
        puzzle: &Operators,
        start: &[Value],
        most: usize,
    ) -> Result<Option<Abstraction>, Unseen> {
        let is_known = |values: &super::Values| !values.is_empty();
        let fits = start.len() == puzzle.leaves() && puzzle.domains.iter().all(is_known);
        if !fits || !puzzle.expects(start) {
            return Err(Unseen::Values);
        }
        let puzzle = &without_unreached(puzzle, start, most);
        let mut search = Search { puzzle, start, left: most, used: used(puzzle, start) };
        for size in 0..=search.used.len() {
            match search.of_size(size) {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(NoRoom) => {
                    search.left = most;
                    let found = search.thinned().map_err(|NoRoom| Unseen::Room)?;
                    return search.unless_escapes(found);
                }
            }
        }
        search.unless_escapes(None)
    }
}

/// The leaves that may have several values: others are known in all projections.
fn used(puzzle: &Operators, start: &[Value]) -> Vec<Leaf> {
    let leaves = (0..start.len()).filter(|&leaf| puzzle.domains[leaf].iter().nth(1).is_some());
    leaves.map(|leaf| leaf as Leaf).collect()
}

/// There are more states and moves than may be looked at.
struct NoRoom;

struct Search<'p> {
    puzzle: &'p Operators,
    start: &'p [Value],
    /// States and moves, and operators and conditions for each projection, that may be looked at.
    left: usize,
    used: Vec<Leaf>,
}

impl Search<'_> {
    /// What was found; that nothing was proves nothing where states are left of which nothing is known.
    fn unless_escapes(&self, found: Option<Abstraction>) -> Result<Option<Abstraction>, Unseen> {
        match found {
            None if self.puzzle.has_escapes() => Err(Unseen::Escapes),
            found => Ok(found),
        }
    }

    /// How many states a projection has, if it has no goal.
    fn try_out(&mut self, leaves: &[Leaf]) -> Result<Option<usize>, NoRoom> {
        let found = Projection::explore(self.puzzle, leaves, self.start, self.left);
        let found = found.ok_or(NoRoom)?;
        // All operators and conditions are looked at for each projection.
        let looked = self.puzzle.operators.len() + self.puzzle.conditions.len();
        self.left = self.left.checked_sub(found.size() + looked).ok_or(NoRoom)?;
        Ok(found.is_hopeless().then(|| found.states()))
    }

    fn found(&self, leaves: Vec<Leaf>, states: usize, smallest: bool) -> Abstraction {
        let values = self.puzzle.domains.iter().map(|values| values.iter().collect()).collect();
        Abstraction { coarser: leaves.len() < self.used.len(), leaves, values, states, smallest }
    }

    /// The first of N leaves.
    fn of_size(&mut self, size: usize) -> Result<Option<Abstraction>, NoRoom> {
        let mut places: Vec<usize> = (0..size).collect();
        loop {
            let leaves: Vec<Leaf> = places.iter().map(|&at| self.used[at]).collect();
            if let Some(states) = self.try_out(&leaves)? {
                return Ok(Some(self.found(leaves, states, true)));
            }
            let end = self.used.len();
            let Some(at) = (0..size).rev().find(|&at| places[at] + size - at < end) else {
                return Ok(None);
            };
            places[at] += 1;
            for next in at + 1..size {
                places[next] = places[next - 1] + 1;
            }
        }
    }

    /// All leaves, without those that can be spared one after the other.
    fn thinned(&mut self) -> Result<Option<Abstraction>, NoRoom> {
        let mut leaves = self.used.clone();
        let Some(mut states) = self.try_out(&leaves)? else { return Ok(None) };
        for leaf in self.used.clone() {
            let fewer: Vec<Leaf> = leaves.iter().copied().filter(|&one| one != leaf).collect();
            if let Ok(Some(found)) = self.try_out(&fewer) {
                (leaves, states) = (fewer, found);
            }
        }
        Ok(Some(self.found(leaves, states, false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::{Operator, Source};

    /// Tokens in a row, of which neighbours at these places may be exchanged.
    fn row(length: usize, exchanges: &[u16], goal: &[(u16, u8)]) -> Operators {
        let mut row = Operators::new(vec![super::super::Values::from_iter(*b"abc"); length]);
        let always = row.always();
        for &at in exchanges {
            let (a, b) = (at as Leaf, (at + 1) as Leaf);
            let writes = vec![(a, Source::Leaf(b)), (b, Source::Leaf(a))];
            row.operators.push(Operator { condition: always, cost: 1, writes });
        }
        let home: Vec<_> = goal.iter().map(|&(leaf, value)| row.is(leaf as Leaf, value)).collect();
        row.goal = row.all(home);
        row
    }

    #[test]
    fn the_fewest_leaves_are_found() {
        // Nothing is exchanged between the first two and the last two: `c` never gets to the front.
        let puzzle = row(4, &[0, 2], &[(0, b'c'), (3, b'a')]);
        let found = Abstraction::of(&puzzle, b"abcc", 10_000).expect("known").expect("one");
        assert_eq!((found.leaves, found.smallest), (vec![0, 1], true));
        assert_eq!(found.states, 2);
        // Where there is a plan there is none.
        let puzzle = row(4, &[0, 1, 2], &[(0, b'c')]);
        assert_eq!(Abstraction::of(&puzzle, b"abcc", 10_000), Ok(None));
        // Where nothing may be looked at that is not known, nor where nothing is known of moves.
        let puzzle = row(4, &[0, 2], &[(0, b'c')]);
        assert_eq!(Abstraction::of(&puzzle, b"abcc", 1), Err(Unseen::Room));
        let mut puzzle = row(4, &[0, 1, 2], &[]);
        puzzle.goal = puzzle.never();
        puzzle.escape = puzzle.is(0, b'c');
        assert_eq!(Abstraction::of(&puzzle, b"abcc", 10_000), Err(Unseen::Escapes));
    }
}
