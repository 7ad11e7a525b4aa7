//! Puzzles whose operators permute the leaves.
//!
//! A constant that is written where a test has found the same constant elsewhere is a copy of that leaf: the
//! blank of a sliding puzzle is tested, and written where a tile was. With these copies each operator has
//! to take every leaf to one place. The goal is one state of different values, so that a value is at one
//! place in every state that leads to it; or values that are alike get [labels](super::labels).

use super::goals::goals_with;
use super::labels::Labels;
use super::operators::{Operators, Value, Values};
use super::slides::Slides;
use super::turns::{MOST_WAYS, NoPermutations, Place, Turn, tested, turns};
use std::sync::Arc;

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
        Permutations {
            slides: Slides::of(self.leaves(), &self.tested, &self.turns).map(Arc::new),
            ..self
        }
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
