//! The goals that have the values of a state.

use super::operators::{Operators, Value};

/// Partial states that are looked at for goals.
const MOST_STEPS: usize = 20_000;

/// The goals, by leaf, that have the values of a state, each as often, where leaves have values of their
/// domains: all states that may be one. `None` if there are more than so many, or looking takes too long.
pub(crate) fn goals_with(
    puzzle: &Operators,
    state: &[Value],
    most: usize,
) -> Option<Vec<Vec<Value>>> {
    let mut left: Vec<(Value, usize)> = Vec::new();
    for &value in state {
        match left.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => left.push((value, 1)),
        }
    }
    left.sort_unstable();
    let (partial, found) = (Vec::with_capacity(state.len()), Vec::new());
    let mut finder =
        Finder { puzzle, leaves: state.len(), left, partial, found, most, steps: MOST_STEPS };
    finder.go().then_some(finder.found)
}

/// Gives leaf after leaf one of the values that are left.
struct Finder<'p> {
    puzzle: &'p Operators,
    leaves: usize,
    /// Values with how often they are left.
    left: Vec<(Value, usize)>,
    partial: Vec<Value>,
    found: Vec<Vec<Value>>,
    most: usize,
    steps: usize,
}

impl Finder<'_> {
    /// Goes on with the next leaf; false if there are too many goals, or it takes too long.
    fn go(&mut self) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        if !self.puzzle.may_hold(self.puzzle.goal, &self.partial) {
            return true;
        }
        if self.partial.len() == self.leaves {
            self.found.push(self.partial.clone());
            return self.found.len() <= self.most;
        }
        // What a condition leaves out may be what always holds.
        let domain = self.puzzle.domains[self.partial.len()];
        for at in 0..self.left.len() {
            let (value, count) = self.left[at];
            if count == 0 || !(domain.is_empty() || domain.has(value)) {
                continue;
            }
            self.left[at].1 -= 1;
            self.partial.push(value);
            let goes_on = self.go();
            self.partial.pop();
            self.left[at].1 += 1;
            if !goes_on {
                return false;
            }
        }
        true
    }
}
