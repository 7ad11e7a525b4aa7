//! Projections: coarser puzzles that know the values of some leaves alone.
//!
//! What a condition says of other leaves may hold; what is copied from them may be any value that they may
//! have. All coarser states that can be reached from the coarser starts are written out, with their moves,
//! so that distances can be found for several costs of the operators (S. Edelkamp, *Planning with Pattern
//! Databases*, ECP 2001).

mod keys;
mod maker;

pub(crate) use keys::{Distances, Keys};

use crate::incoming::{Incoming, NEVER};
use crate::operators::{ConditionId, Leaf, Operators, Value};
use keys::NO_GOAL;
use maker::{Edge, Found, Maker};

/// The most numbers for which there is an array.
const DENSE: u64 = 1 << 22;

/// All coarser states that can be reached, with their moves.
#[derive(Debug)]
pub(crate) struct Projection {
    pub keys: Keys,
    /// By state.
    numbers: Vec<u64>,
    goals: Vec<bool>,
    moves: Incoming<Edge>,
    /// By class: the operators in it.
    members: Vec<Vec<u32>>,
}

impl Projection {
    /// Writes a projection out, from a start, with no more states and moves than that; `None` if there are
    /// more.
    pub fn explore(
        puzzle: &Operators,
        leaves: &[Leaf],
        start: &[Value],
        most: usize,
    ) -> Option<Projection> {
        let keys = Keys::new(puzzle, leaves)?;
        let (mut maker, ends) = (Maker::new(puzzle, &keys), [puzzle.goal, puzzle.escape]);
        let found = maker.explore(start, &ends, most)?;
        let Found { numbers, ends, mut edges, members } = found;
        let goals = ends.iter().map(|ends| ends.contains(&true)).collect();
        edges.sort_unstable_by_key(|edge| edge.to);
        let moves = Incoming::new(numbers.len(), edges, |edge| edge.to);
        Some(Projection { keys, numbers, goals, moves, members })
    }

    /// By condition: whether it may hold in a state that is reached from a start, behind which nothing is
    /// looked at. `None` if there are more states and moves than that.
    pub fn may_hold(
        puzzle: &Operators,
        leaves: &[Leaf],
        start: &[Value],
        conditions: &[ConditionId],
        most: usize,
    ) -> Option<Vec<bool>> {
        let keys = Keys::new(puzzle, leaves)?;
        let found = Maker::new(puzzle, &keys).explore(start, conditions, most)?;
        let mut holds = vec![false; conditions.len()];
        for ends in found.ends {
            holds.iter_mut().zip(ends).for_each(|(holds, end)| *holds |= end);
        }
        Some(holds)
    }

    /// Whether no goal can be reached.
    pub fn is_hopeless(&self) -> bool {
        !self.goals.contains(&true)
    }

    /// Its states that can be reached.
    pub fn states(&self) -> usize {
        self.numbers.len()
    }

    /// How much was written out.
    pub fn size(&self) -> usize {
        self.numbers.len() + self.moves.edges.len()
    }

    /// By state: what reaching a goal costs at least, by the costs of the operators.
    pub fn distances(&self, costs: &[u32]) -> Vec<u32> {
        let class_costs: Vec<u32> = self
            .members
            .iter()
            .map(|members| members.iter().map(|&of| costs[of as usize]).min().unwrap_or(0))
            .collect();
        let goals = (0u32..).zip(&self.goals).filter(|(_, is_goal)| **is_goal);
        self.moves.distances(goals.map(|(state, _)| state), |edge| {
            (edge.from, class_costs[edge.class as usize])
        })
    }

    /// By operator: what it has to cost at least for distances to be what they are; 0 where it may cost
    /// less.
    pub fn saturate(&self, distances: &[u32], mut each: impl FnMut(usize, u32)) {
        let mut needed = vec![0u32; self.members.len()];
        for edge in &self.moves.edges {
            let [from, to] = [edge.from, edge.to].map(|state| distances[state as usize]);
            if from != NEVER && to != NEVER {
                let needed = &mut needed[edge.class as usize];
                *needed = (*needed).max(from.saturating_sub(to));
            }
        }
        for (members, needed) in self.members.iter().zip(needed) {
            for &operator in members {
                each(operator as usize, needed);
            }
        }
    }

    /// The distance of a state, of those that were found.
    pub fn table(&self, distances: &[u32]) -> Distances {
        let clipped = |distance: u32| match distance {
            NEVER => NO_GOAL,
            distance => distance.min(u32::from(NO_GOAL) - 1) as u16,
        };
        let all = self.numbers.iter().zip(distances);
        if self.keys.count <= DENSE.min(64 * self.numbers.len() as u64) {
            let mut dense = vec![0; self.keys.count as usize];
            all.for_each(|(&key, &distance)| dense[key as usize] = clipped(distance));
            return Distances::Dense(dense.into());
        }
        Distances::Sparse(all.map(|(&key, &distance)| (key, clipped(distance))).collect())
    }

    /// What a table says of a state; 0 where it says nothing, or that there is no plan.
    pub fn says(&self, table: &Distances, state: &[Value]) -> u32 {
        self.keys.of(state).and_then(|key| table.of(key)).unwrap_or(0)
    }
}
