//! Renamings of leaves and values that leave a puzzle as it is: a state and its image are as far from the
//! goal.
//!
//! A renaming of leaves is one if it maps turns onto turns and tested values to themselves, where each value
//! goes with its home. Candidates are told apart by how often, and by which turns, one leaf is copied to
//! another, as in tests for isomorphic graphs (B. McKay, *Practical Graph Isomorphism*, Congressus Numerantium
//! 30, 1981).

use super::kept::kept;
use super::operators::Value;
use super::permutation::Permutations;
use super::turns::{Place, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that looking for renamings may take.
const MOST_STEPS: u32 = 200_000;
/// The most that are useful: more look-ups cost more than they tell.
const MOST: usize = 8;

/// A renaming.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// By leaf: its image.
    pub leaves: Vec<Place>,
    /// By leaf of the goal: the image of the value there.
    values: Vec<Value>,
}

kept!(Symmetry { leaves, values });

impl Symmetry {
    /// The image of a value, by the leaf that has it in the goal.
    pub fn value_at(&self, home: Place) -> Value {
        self.values[usize::from(home)]
    }
}

/// What tells turns apart, whatever leaves are called.
type Rules = BTreeSet<(Vec<Place>, Vec<(Place, Value)>, u32)>;

/// The renamings of a puzzle, the one that changes nothing first.
pub(crate) fn symmetries(puzzle: &Permutations) -> Vec<Symmetry> {
    let rules = puzzle.turns.iter();
    let rules: Rules =
        rules.map(|turn| (turn.from.clone(), turn.tests.clone(), turn.cost)).collect();
    let colours = colours(puzzle);
    let mut finder =
        Finder { puzzle, rules, colours, images: Vec::new(), found: Vec::new(), steps: MOST_STEPS };
    finder.go();
    finder.found
}

/// How a turn copies one leaf to another: how many leaves it moves, how many tests it has, what it costs, and
/// whether it tests that leaf.
type Copying = (usize, usize, u32, bool);

/// By pair of leaves: a number for how turns copy the one to the other and test it.
fn colours(puzzle: &Permutations) -> Vec<Vec<usize>> {
    let leaves = puzzle.leaves();
    let mut copies: Vec<Vec<Vec<Copying>>> = vec![vec![Vec::new(); leaves]; leaves];
    for turn in &puzzle.turns {
        for (leaf, &from) in turn.from.iter().enumerate() {
            let is_tested = turn.tests.iter().any(|&(tested, _)| usize::from(tested) == leaf);
            if usize::from(from) != leaf || is_tested {
                let of = (turn.moved.len(), turn.tests.len(), turn.cost, is_tested);
                copies[leaf][usize::from(from)].push(of);
            }
        }
    }
    let mut numbers = BTreeMap::new();
    let mut number = |mut copies: Vec<_>| {
        copies.sort_unstable();
        let next = numbers.len();
        *numbers.entry(copies).or_insert(next)
    };
    copies.into_iter().map(|row| row.into_iter().map(&mut number).collect()).collect()
}

/// Maps leaf after leaf.
struct Finder<'p> {
    puzzle: &'p Permutations,
    rules: Rules,
    colours: Vec<Vec<usize>>,
    images: Vec<Place>,
    found: Vec<Symmetry>,
    steps: u32,
}

impl Finder<'_> {
    fn go(&mut self) {
        let (leaf, leaves) = (self.images.len(), self.puzzle.leaves());
        if self.steps == 0 || self.found.len() == MOST {
            return;
        }
        self.steps -= 1;
        if leaf == leaves {
            self.found.extend(self.symmetry());
            return;
        }
        // Its own name first, so that the first found changes nothing.
        let others = (0..leaves as Place).filter(|&image| usize::from(image) != leaf);
        for image in [leaf as Place].into_iter().chain(others) {
            if self.fits(leaf, image) {
                self.images.push(image);
                self.go();
                self.images.pop();
            }
        }
    }

    fn fits(&self, leaf: usize, image: Place) -> bool {
        let (colours, to) = (&self.colours, usize::from(image));
        !self.images.contains(&image)
            && colours[leaf][leaf] == colours[to][to]
            && self.images.iter().enumerate().all(|(other, &its)| {
                let its = usize::from(its);
                colours[leaf][other] == colours[to][its] && colours[other][leaf] == colours[its][to]
            })
    }

    /// The renaming, if it is one.
    fn symmetry(&self) -> Option<Symmetry> {
        let Finder { puzzle, images, .. } = self;
        let values: Vec<Value> =
            images.iter().map(|&image| puzzle.goal[usize::from(image)]).collect();
        let keeps = |value: &Value| {
            let home = puzzle.home(*value);
            home.is_some_and(|home| values[usize::from(home)] == *value)
        };
        let is_one = puzzle.tested.iter().all(keeps)
            && puzzle.turns.iter().all(|turn| self.rules.contains(&renamed(turn, images)));
        is_one.then(|| Symmetry { leaves: images.clone(), values })
    }
}

/// A turn with leaves renamed, whose tests are of values that keep their names.
fn renamed(turn: &Turn, images: &[Place]) -> (Vec<Place>, Vec<(Place, Value)>, u32) {
    let image = |leaf: Place| images[usize::from(leaf)];
    let mut from = vec![0; images.len()];
    for (leaf, &source) in (0..).zip(&turn.from) {
        from[usize::from(image(leaf))] = image(source);
    }
    let mut tests: Vec<_> = turn.tests.iter().map(|&(leaf, value)| (image(leaf), value)).collect();
    tests.sort_unstable();
    (from, tests, turn.cost)
}
