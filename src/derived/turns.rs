//! Turns: operators that permute the leaves.

use super::operators::{Leaf, Operators, Source, Value};

/// The number of a leaf where leaves are few.
pub type Place = u8;

/// The most leaves of a puzzle.
pub(crate) const MOST_LEAVES: usize = 64;
/// The most ways in which the conditions of all operators, or of goals, may hold.
pub(crate) const MOST_WAYS: usize = 4096;

/// Why the operators of a puzzle are no permutations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPermutations {
    /// There are none, or too many leaves for the tables.
    Leaves,
    /// A condition is not known, or holds in very many ways.
    Conditions,
    /// There are states of which it is not known where moves lead.
    Escapes,
    /// An operator writes a value that no test has found, or that is computed.
    Written,
    /// An operator copies a leaf twice, so that another is lost.
    Twice,
    /// There is no goal, several, or one that leaves places open.
    Goals,
    /// Two leaves of the goal have one value.
    Alike,
}

/// An operator that permutes the leaves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// It applies where each of these leaves has this value; ascending.
    pub tests: Vec<(Place, Value)>,
    /// By leaf: the one whose value it takes.
    pub from: Vec<Place>,
    /// By leaf: the one that takes its value.
    pub to: Vec<Place>,
    /// The leaves that take the value of another one.
    pub moved: Vec<Place>,
    pub cost: u32,
}

/// What operators do to states with these values, each once: all that may apply, in their order and with
/// their numbers, those that change nothing among them. An operator with several turns may apply by more
/// than one of them, which do the same then.
///
/// # Errors
/// They are no permutations.
pub(crate) fn turns(
    puzzle: &Operators,
    values: &[Value],
) -> Result<Vec<(usize, Turn)>, NoPermutations> {
    if puzzle.leaves() == 0 || puzzle.leaves() > MOST_LEAVES || values.len() != puzzle.leaves() {
        return Err(NoPermutations::Leaves);
    }
    if puzzle.has_escapes() {
        return Err(NoPermutations::Escapes);
    }
    let (mut turns, mut left) = (Vec::new(), MOST_WAYS);
    for (number, operator) in puzzle.operators.iter().enumerate() {
        let ways = puzzle.ways(operator.condition, left).ok_or(NoPermutations::Conditions)?;
        left -= ways.len();
        for way in ways {
            let turn = Turn::of((&way, operator.cost), &operator.writes, values)?;
            turns.extend(turn.map(|turn| (number, turn)));
        }
    }
    Ok(turns)
}

pub(crate) fn tested<'t>(turns: impl IntoIterator<Item = &'t Turn>) -> Vec<Value> {
    let tests = turns.into_iter().flat_map(|turn| &turn.tests);
    let mut tested: Vec<Value> = tests.map(|&(_, value)| value).collect();
    tested.sort_unstable();
    tested.dedup();
    tested
}

impl Turn {
    /// What an operator is; nothing if it never applies to a state with these values, each as often.
    pub(crate) fn of(
        (tests, cost): (&[(Leaf, Value)], u32),
        writes: &[(Leaf, Source)],
        values: &[Value],
    ) -> Result<Option<Turn>, NoPermutations> {
        let place = |leaf: Leaf| Place::try_from(leaf).map_err(|_| NoPermutations::Leaves);
        let tests: Vec<(Place, Value)> = tests
            .iter()
            .map(|&(leaf, value)| Ok((place(leaf)?, value)))
            .collect::<Result<_, _>>()?;
        let applies = tests.iter().all(|&(leaf, value)| {
            let there = values.iter().filter(|other| **other == value).count();
            let asked = tests.iter().filter(|test| test.1 == value).count();
            asked <= there && tests.iter().all(|test| test.0 != leaf || test.1 == value)
        });
        if !applies {
            return Ok(None);
        }
        let mut from: Vec<Place> = (0..values.len() as Place).collect();
        for (leaf, source) in writes {
            let source = match source {
                Source::Leaf(source) => place(*source)?,
                Source::Value(value) => {
                    let found = tests.iter().find(|test| test.1 == *value);
                    found.ok_or(NoPermutations::Written)?.0
                }
                Source::Unknown | Source::Table(_) | Source::Cases(_) => {
                    return Err(NoPermutations::Written);
                }
            };
            let in_range = usize::from(source) < values.len();
            let written = from.get_mut(usize::from(*leaf)).filter(|_| in_range);
            *written.ok_or(NoPermutations::Leaves)? = source;
        }
        let mut to = vec![Place::MAX; from.len()];
        for (leaf, &source) in (0..).zip(&from) {
            let place = &mut to[usize::from(source)];
            if *place != Place::MAX {
                return Err(NoPermutations::Twice);
            }
            *place = leaf;
        }
        let moved: Vec<Place> = (0..)
            .zip(&from)
            .filter(|(leaf, source)| leaf != *source)
            .map(|(leaf, _)| leaf)
            .collect();
        Ok(Some(Turn { tests, from, to, moved, cost }))
    }

    pub fn applies(&self, state: &[Value]) -> bool {
        self.tests.iter().all(|&(leaf, value)| state[usize::from(leaf)] == value)
    }

    /// By position in a row of places after it: the position in the row before that the value comes from.
    pub fn shuffle<'r>(
        &self,
        before: &'r [Place],
        after: &'r [Place],
    ) -> impl Iterator<Item = Place> + use<'_, 'r> {
        let position = |place: &Place| before.binary_search(&self.from[usize::from(*place)]);
        after.iter().map(move |place| position(place).unwrap_or_default() as Place)
    }

    pub fn after(&self, state: &[Value]) -> Vec<Value> {
        self.from.iter().map(|&source| state[usize::from(source)]).collect()
    }
}
