//! Puzzles whose operators permute the leaves.
//!
//! A constant that is written where a test has found the same constant elsewhere is a copy of that leaf: the
//! blank of a sliding puzzle is tested, and written where a tile was. With these copies each operator has
//! to take every leaf to one place. The goal is one state of different values, so that a value is at one
//! place in every state that leads to it.

use super::operators::{Leaf, Operator, Operators, Source, Value};
use thiserror::Error;

/// The most leaves of a puzzle.
const MOST_LEAVES: usize = 64;

/// Why the operators of a puzzle are no permutations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NoPermutations {
    /// There are none, or too many leaves for the tables.
    #[error("a state has no leaves, or more than {MOST_LEAVES}")]
    Leaves,
    /// An operator writes a value that no test has found.
    #[error("a move writes a value that it did not find elsewhere")]
    Written,
    /// An operator copies a leaf twice, so that another is lost.
    #[error("a move copies one place to two")]
    Twice,
    /// There is no goal, several, or one that leaves places open.
    #[error("there is not one goal state")]
    Goals,
    /// Two leaves of the goal have one value.
    #[error("a value occurs twice in the goal")]
    Alike,
}

/// An operator that permutes the leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// It applies where each of these leaves has this value; ascending.
    pub tests: Vec<(Leaf, Value)>,
    /// By leaf: the one whose value it takes.
    pub from: Vec<Leaf>,
    /// By leaf: the one that takes its value.
    pub to: Vec<Leaf>,
    /// The leaves that take the value of another one.
    pub moved: Vec<Leaf>,
    /// What it costs.
    pub cost: u32,
}

/// A puzzle whose operators permute the leaves.
#[derive(Clone, Debug)]
pub struct Permutations {
    /// The operators, without those that change nothing or never apply.
    pub turns: Vec<Turn>,
    /// The values that tests name, ascending.
    pub tested: Vec<Value>,
    /// All others, in the order of the goal.
    pub free: Vec<Value>,
    /// The goal, by leaf.
    pub goal: Vec<Value>,
}

impl Permutations {
    /// The permutations that operators are.
    ///
    /// # Errors
    /// They are none.
    pub fn of(puzzle: &Operators) -> Result<Permutations, NoPermutations> {
        if puzzle.leaves == 0 || puzzle.leaves > MOST_LEAVES {
            return Err(NoPermutations::Leaves);
        }
        let goal = goal_of(puzzle)?;
        let mut turns = Vec::new();
        for operator in &puzzle.operators {
            turns.extend(Turn::of(operator, &goal)?);
        }
        let mut tested: Vec<Value> =
            turns.iter().flat_map(|turn| turn.tests.iter().map(|&(_, value)| value)).collect();
        tested.sort_unstable();
        tested.dedup();
        let free = goal.iter().copied().filter(|value| !tested.contains(value)).collect();
        Ok(Permutations { turns, tested, free, goal })
    }

    /// How many leaves a state has.
    pub fn leaves(&self) -> usize {
        self.goal.len()
    }

    /// The leaf that has a value in the goal.
    pub fn home(&self, value: Value) -> Option<Leaf> {
        let at = self.goal.iter().position(|&other| other == value)?;
        Some(at as Leaf)
    }

    /// Whether a state has the values of the goal, each once.
    pub fn has(&self, state: &[Value]) -> bool {
        let mut seen = 0u64;
        state.len() == self.goal.len()
            && state.iter().all(|&value| match self.home(value) {
                Some(home) => {
                    let is_new = seen >> home & 1 == 0;
                    seen |= 1 << home;
                    is_new
                }
                None => false,
            })
    }
}

/// The only goal, by leaf.
fn goal_of(puzzle: &Operators) -> Result<Vec<Value>, NoPermutations> {
    let [tests] = &puzzle.goals[..] else { return Err(NoPermutations::Goals) };
    let mut goal = vec![None; puzzle.leaves];
    for &(leaf, value) in tests {
        let place = goal.get_mut(usize::from(leaf)).ok_or(NoPermutations::Leaves)?;
        if place.is_some_and(|known| known != value) {
            return Err(NoPermutations::Goals);
        }
        *place = Some(value);
    }
    let goal: Vec<Value> = goal.into_iter().collect::<Option<_>>().ok_or(NoPermutations::Goals)?;
    let mut seen = [false; 256];
    let is_new = |&value: &Value| !std::mem::replace(&mut seen[usize::from(value)], true);
    if goal.iter().all(is_new) { Ok(goal) } else { Err(NoPermutations::Alike) }
}

impl Turn {
    /// What an operator is; nothing if it never applies to a state with the values of the goal, each once, or
    /// changes none.
    fn of(operator: &Operator, goal: &[Value]) -> Result<Option<Turn>, NoPermutations> {
        let mut tests = operator.tests.clone();
        tests.sort_unstable();
        tests.dedup();
        let clash = |a: &(Leaf, Value), b: &(Leaf, Value)| (a.0 == b.0) != (a.1 == b.1);
        let applies = tests
            .iter()
            .all(|test| goal.contains(&test.1) && !tests.iter().any(|other| clash(test, other)));
        if !applies {
            return Ok(None);
        }
        let mut from: Vec<Leaf> = (0..goal.len() as Leaf).collect();
        for &(leaf, source) in &operator.writes {
            let source = match source {
                Source::Leaf(source) => source,
                Source::Value(value) => {
                    let found = tests.iter().find(|test| test.1 == value);
                    found.ok_or(NoPermutations::Written)?.0
                }
            };
            let in_range = usize::from(source) < goal.len();
            let place = from.get_mut(usize::from(leaf)).filter(|_| in_range);
            *place.ok_or(NoPermutations::Leaves)? = source;
        }
        let mut to = vec![Leaf::MAX; from.len()];
        for (leaf, &source) in (0..).zip(&from) {
            let place = &mut to[usize::from(source)];
            if *place != Leaf::MAX {
                return Err(NoPermutations::Twice);
            }
            *place = leaf;
        }
        let moved: Vec<Leaf> = (0..)
            .zip(&from)
            .filter(|(leaf, source)| leaf != *source)
            .map(|(leaf, _)| leaf)
            .collect();
        let changes = !moved.is_empty();
        Ok(changes.then_some(Turn { tests, from, to, moved, cost: operator.cost }))
    }

    /// Whether it applies to a state.
    pub fn applies(&self, state: &[Value]) -> bool {
        self.tests.iter().all(|&(leaf, value)| state[usize::from(leaf)] == value)
    }

    /// The state that it leads to.
    pub fn after(&self, state: &[Value]) -> Vec<Value> {
        self.from.iter().map(|&source| state[usize::from(source)]).collect()
    }
}
