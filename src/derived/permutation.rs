//! Puzzles whose operators permute the leaves.
//!
//! A constant that is written where a test has found the same constant elsewhere is a copy of that leaf: the
//! blank of a sliding puzzle is tested, and written where a tile was. With these copies each operator has
//! to take every leaf to one place. The goal is one state of different values, so that a value is at one
//! place in every state that leads to it; or values that are alike get [labels](super::labels).

use super::goals::goals_with;
use super::labels::Labels;
use super::operators::{Leaf, Operators, Source, Value, Values};
use super::slides::Slides;
use std::sync::Arc;

/// The number of a leaf where leaves are few.
pub type Place = u8;

/// The most leaves of a puzzle.
pub(crate) const MOST_LEAVES: usize = 64;
/// The most ways in which the conditions of all operators, or of goals, may hold.
const MOST_WAYS: usize = 4096;

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

/// A puzzle whose operators permute the leaves.
#[derive(Clone, Debug)]
pub struct Permutations {
    /// The operators, without those that change nothing or never apply.
    pub turns: Vec<Turn>,
    /// The values that tests name, ascending.
    pub tested: Vec<Value>,
    /// All others, in the order of the goal.
    pub free: Vec<Value>,
    pub goal: Vec<Value>,
    /// The same as a sliding puzzle, if it is one.
    pub(crate) slides: Option<Arc<Slides>>,
    /// Where several leaves of the goal have one value: which labels the values of a state get, that is, which
    /// leaf of the goal each belongs to. All values here are labels then.
    pub(crate) labels: Option<Arc<Labels>>,
}

impl Permutations {
    /// The permutations that operators are, for what can be reached from a start: the goal need not be written
    /// out, if only one state with the values of the start is one.
    ///
    /// # Errors
    /// They are none.
    pub fn from(puzzle: &Operators, start: &[Value]) -> Result<Permutations, NoPermutations> {
        let written = written_out(puzzle).ok().filter(|goal| are_different(goal));
        match written.map_or_else(|| only_goal(puzzle, start), Ok) {
            Err(NoPermutations::Alike) => Permutations::of_labels(puzzle),
            goal => Permutations::with_goal(puzzle, goal?),
        }
    }

    /// The same where values of the goal are alike, but for those that tests name, over labels.
    fn of_labels(puzzle: &Operators) -> Result<Permutations, NoPermutations> {
        let goal = written_out(puzzle).map_err(|_| NoPermutations::Alike)?;
        let found = Permutations::with_goal(puzzle, goal)?;
        let is_once =
            |value: &Value| found.goal.iter().filter(|other| *other == value).count() == 1;
        if !found.tested.iter().all(is_once) {
            return Err(NoPermutations::Alike);
        }
        let labels = Labels::of(&found.goal, &found.turns);
        let label = |value: Value| found.home(value).unwrap_or_default();
        let mut turns = found.turns.clone();
        for (_, value) in turns.iter_mut().flat_map(|turn| &mut turn.tests) {
            *value = label(*value);
        }
        let goal: Vec<Value> = (0..found.leaves() as Value).collect();
        let mut tested: Vec<Value> = found.tested.iter().map(|&value| label(value)).collect();
        tested.sort_unstable();
        // What never moves tells nothing.
        let moves = |&label: &Value| turns.iter().any(|turn| turn.moved.contains(&label));
        let free = goal.iter().copied().filter(|label| !tested.contains(label)).filter(moves);
        let free = free.collect();
        let labels = Some(Arc::new(labels));
        Ok(Permutations { turns, tested, free, goal, slides: None, labels }.with_slides())
    }

    pub(crate) fn has_alike(&self) -> bool {
        self.labels.as_ref().is_some_and(|labels| !labels.are_different())
    }

    /// All ways in which the goal may have some values: at their homes, or at those of others that are alike.
    pub(crate) fn goals(&self, values: &[Value]) -> Vec<Vec<Place>> {
        let home = |value: Value| self.home(value).unwrap_or_default();
        let Some(labels) = self.labels.as_ref().filter(|labels| !labels.are_different()) else {
            return vec![values.iter().map(|&value| home(value)).collect()];
        };
        let class = |place: Place| labels.classes[usize::from(place)];
        let mut all = vec![Vec::new()];
        for &value in values {
            let alike: Vec<Place> = (0..self.leaves() as Place)
                .filter(|&place| class(place) == class(home(value)))
                .collect();
            let with = |places: &Vec<Place>| {
                let free = alike.iter().filter(|place| !places.contains(place));
                free.map(|&place| [&places[..], &[place]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }

    fn with_goal(puzzle: &Operators, goal: Vec<Value>) -> Result<Permutations, NoPermutations> {
        let turns = turns(puzzle, &goal)?.into_iter().map(|(_, turn)| turn);
        let turns: Vec<Turn> = turns.filter(|turn| !turn.moved.is_empty()).collect();
        let tested = tested(&turns);
        let free = goal.iter().copied().filter(|value| !tested.contains(value)).collect();
        Ok(Permutations { turns, tested, free, goal, slides: None, labels: None }.with_slides())
    }

    /// The same, with what is known of it as a sliding puzzle, if it is one.
    fn with_slides(self) -> Permutations {
        Permutations { slides: Slides::of(&self).map(Arc::new), ..self }
    }

    pub fn leaves(&self) -> usize {
        self.goal.len()
    }

    /// The leaf that has a value in the goal.
    pub fn home(&self, value: Value) -> Option<Place> {
        let at = self.goal.iter().position(|&other| other == value)?;
        Some(at as Place)
    }

    /// Whether a state has the values of the goal, each as often.
    pub fn has(&self, state: &[Value]) -> bool {
        if let Some(labels) = &self.labels {
            return labels.of_state(state).is_some();
        }
        let is_known = |&value: &Value| self.home(value).is_some();
        state.len() == self.leaves() && are_different(state) && state.iter().all(is_known)
    }
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

pub(crate) fn are_different(values: &[Value]) -> bool {
    let mut seen = [false; 256];
    values.iter().all(|&value| !std::mem::replace(&mut seen[usize::from(value)], true))
}

/// The only goal, by leaf.
fn written_out(puzzle: &Operators) -> Result<Vec<Value>, NoPermutations> {
    let ways = puzzle.ways(puzzle.goal, MOST_WAYS).ok_or(NoPermutations::Goals)?;
    let [tests] = &ways[..] else { return Err(NoPermutations::Goals) };
    let mut goal = vec![None; puzzle.leaves()];
    for &(leaf, value) in tests {
        let place = goal.get_mut(usize::from(leaf)).ok_or(NoPermutations::Leaves)?;
        if place.is_some_and(|known| known != value) {
            return Err(NoPermutations::Goals);
        }
        *place = Some(value);
    }
    // What never changes need not be asked for.
    let always = |(value, domain): (Option<Value>, &Values)| value.or_else(|| domain.only());
    let goal = goal.into_iter().zip(&puzzle.domains).map(always);
    goal.collect::<Option<_>>().ok_or(NoPermutations::Goals)
}

fn only_goal(puzzle: &Operators, start: &[Value]) -> Result<Vec<Value>, NoPermutations> {
    if !are_different(start) {
        return Err(NoPermutations::Alike);
    }
    let mut goals = goals_with(puzzle, start, 1).ok_or(NoPermutations::Goals)?;
    goals.pop().ok_or(NoPermutations::Goals)
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
