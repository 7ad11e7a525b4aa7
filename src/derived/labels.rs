//! Labels for values that are alike, as the stickers of one colour: each leaf of the goal is one, and a state
//! has each at one leaf.
//!
//! What a turn takes from leaf to leaf stays in one orbit, and leaves that turns always move together, *blocks* (as in
//! the theory of permutation groups: D. Holt, B. Eick, E. O'Brien, *Handbook of Computational Group Theory*, 2005,
//! section 4.3), keep their values together. So a corner of a cube is known by its three colours, and each of its
//! stickers by its own. Labels that are alike all the same may change places: as a goal counts any state in which
//! each label is at a leaf that a like one has. Then it does not matter which of them a value of a state gets.

use super::kept::kept;
use super::operators::Value;
use super::parts::Parts;
use super::turns::{MOST_LEAVES, Place, Turn};
use std::collections::BTreeMap;

/// The most leaves of a block.
const MOST_TOGETHER: usize = 8;

/// What a value at a leaf is known by: its orbit, itself, and what is in its block.
type Kind = ((Place, Value), Vec<(Place, Value)>);

#[derive(Clone, Hash, Debug)]
pub(crate) struct Labels {
    pub goal: Vec<Value>,
    orbits: Vec<Place>,
    /// Leaves that are moved together.
    blocks: Vec<Vec<Place>>,
    /// What blocks have in the goal, with their numbers.
    contents: BTreeMap<Vec<(Place, Value)>, Vec<usize>>,
    /// By label: the number of its class of labels that are alike.
    pub classes: Vec<Place>,
}

kept!(Labels { goal, orbits, blocks, contents, classes });

impl Labels {
    /// Those of a goal, told apart as well as blocks of leaves allow.
    pub fn of(goal: &[Value], turns: &[Turn]) -> Labels {
        let leaves = goal.len();
        let orbits = together(leaves, turns.iter().flat_map(|turn| pairs(&turn.from)));
        let alone: Vec<Place> = (0..leaves as Place).collect();
        let mut best = Labels::by(goal, &orbits, &alone);
        for one in 0..leaves as Place {
            for other in 0..one {
                let alike = |leaf: Place| orbits[usize::from(leaf)];
                if alike(one) != alike(other) || best.are_different() {
                    continue;
                }
                let blocks = congruence(leaves, turns, (one, other));
                let largest = (0..leaves as Place)
                    .map(|block| blocks.iter().filter(|&&of| of == block).count())
                    .max();
                if largest.is_some_and(|largest| largest <= MOST_TOGETHER) {
                    let found = Labels::by(goal, &orbits, &blocks);
                    if found.count() > best.count() {
                        best = found;
                    }
                }
            }
        }
        best
    }

    /// With these blocks.
    fn by(goal: &[Value], orbits: &[Place], of: &[Place]) -> Labels {
        let mut blocks: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
        for (leaf, &block) in (0..).zip(of) {
            blocks.entry(block).or_default().push(leaf);
        }
        let blocks: Vec<Vec<Place>> = blocks.into_values().collect();
        let (goal, orbits) = (goal.to_vec(), orbits.to_vec());
        let (contents, classes) = (BTreeMap::new(), vec![0; goal.len()]);
        let mut labels = Labels { goal, orbits, blocks, contents, classes };
        let mut numbers: BTreeMap<Kind, Place> = BTreeMap::new();
        for block in 0..labels.blocks.len() {
            let content = labels.content(block, &labels.goal);
            for &leaf in &labels.blocks[block] {
                let own = (labels.orbits[usize::from(leaf)], labels.goal[usize::from(leaf)]);
                let next = numbers.len() as Place;
                let number = *numbers.entry((own, content.clone())).or_insert(next);
                labels.classes[usize::from(leaf)] = number;
            }
            labels.contents.entry(content).or_default().push(block);
        }
        labels
    }

    fn content(&self, block: usize, state: &[Value]) -> Vec<(Place, Value)> {
        let of = |&leaf: &Place| (self.orbits[usize::from(leaf)], state[usize::from(leaf)]);
        let mut content: Vec<_> = self.blocks[block].iter().map(of).collect();
        content.sort_unstable();
        content
    }

    /// How many classes of labels there are.
    fn count(&self) -> usize {
        self.classes.iter().max().map_or(0, |&most| usize::from(most) + 1)
    }

    /// Whether no two labels are alike.
    pub fn are_different(&self) -> bool {
        self.count() == self.classes.len()
    }

    /// By leaf of a state: the label there; `None` if the state has other values than the goal, or has them in
    /// other orbits or blocks.
    pub fn of_state(&self, state: &[Value]) -> Option<[Place; MOST_LEAVES]> {
        if state.len() != self.goal.len() {
            return None;
        }
        let mut labels = [0; MOST_LEAVES];
        let mut taken = 0u64;
        for block in 0..self.blocks.len() {
            let homes = self.contents.get(&self.content(block, state))?;
            let is_free = |home: &&usize| taken >> **home & 1 == 0;
            let &home = homes.iter().find(is_free)?;
            taken |= 1 << home;
            let mut own = 0u64;
            for &leaf in &self.blocks[block] {
                let here = (self.orbits[usize::from(leaf)], state[usize::from(leaf)]);
                let fits = |&&label: &&Place| {
                    let there = (self.orbits[usize::from(label)], self.goal[usize::from(label)]);
                    there == here && own >> label & 1 == 0
                };
                let &label = self.blocks[home].iter().find(fits)?;
                own |= 1 << label;
                labels[usize::from(leaf)] = label;
            }
        }
        Some(labels)
    }
}

/// Pairs of leaves of which one takes the value of the other.
fn pairs(from: &[Place]) -> impl Iterator<Item = (Place, Place)> {
    (0..).zip(from.iter().copied())
}

/// By leaf: the least of those that it is in one part with.
fn together(leaves: usize, pairs: impl Iterator<Item = (Place, Place)>) -> Vec<Place> {
    let mut parts = Parts::new(leaves);
    pairs.for_each(|(one, other)| parts.join(u32::from(one), u32::from(other)));
    (0..leaves as u32).map(|leaf| parts.least(leaf) as Place).collect()
}

/// The smallest parts that turns map onto one another and of which one has both of these leaves.
fn congruence(leaves: usize, turns: &[Turn], first: (Place, Place)) -> Vec<Place> {
    let mut parts = together(leaves, [first].into_iter());
    loop {
        let images = turns.iter().flat_map(|turn| {
            let parts = &parts;
            (0..leaves).map(move |leaf| (turn.to[leaf], turn.to[usize::from(parts[leaf])]))
        });
        let known = pairs(&parts);
        let larger = together(leaves, known.chain(images).collect::<Vec<_>>().into_iter());
        if larger == parts {
            return parts;
        }
        parts = larger;
    }
}
