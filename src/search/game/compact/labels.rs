//! What is known of states, as small numbers: [`Labels`].

use crate::game::interface::Player;
use crate::game::value::Value;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// The distance of a state from which play need not end.
pub(super) const ENDLESS: u32 = u32::MAX;

/// What a state is worth, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label<V> {
    /// The value to the first player.
    pub value: V,
    /// Moves to the end, or [`ENDLESS`].
    pub distance: u32,
    /// It will not change, since no play from it comes back to a state.
    pub is_final: bool,
}

impl<V: Value> Label<V> {
    /// What nobody can force to be something else.
    pub const UNKNOWN: Self = Self { value: V::ZERO, distance: ENDLESS, is_final: false };

    /// The label of a state whose best move leads to this.
    pub fn before(value: V, distance: u32, is_final: bool) -> Self {
        let distance = if value == V::ZERO { ENDLESS } else { distance.saturating_add(1) };
        Self { value, distance, is_final }
    }
}

/// A value to a player, of one to the first.
pub(super) fn value_to<V: Value>(value: V, player: Player) -> V {
    if player == 0 { value } else { value.negated() }
}

/// Which of two outcomes, each a value to the first player and a distance, is better for a player: the greater
/// value, and of equal ones the win that is sooner and the loss that is later.
#[inline]
pub(super) fn prefer<V: Value>(player: Player, a: (V, u32), b: (V, u32)) -> Ordering {
    let values = a.0.cmp(&b.0);
    let values = if player == 0 { values } else { values.reverse() };
    values.then_with(|| match value_to(a.0, player).cmp(&V::ZERO) {
        Ordering::Greater => b.1.cmp(&a.1),
        Ordering::Less => a.1.cmp(&b.1),
        Ordering::Equal => Ordering::Equal,
    })
}

/// What stands beside a state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark<V> {
    /// In which part of the states it is, and nothing else: see [`Labels::layers`].
    Layer,
    /// What it is worth.
    Label(Label<V>),
}

/// Numbers of marks.
pub(super) struct Labels<V> {
    marks: Vec<Mark<V>>,
    /// The marks of the layers.
    layers: Vec<u32>,
    /// By distance and finality, the marks with each value.
    numbers: FxHashMap<(u32, bool), Vec<u32>>,
}

impl<V: Value> Labels<V> {
    pub fn new() -> Self {
        Self { marks: Vec::new(), layers: Vec::new(), numbers: FxHashMap::default() }
    }

    /// The number of a mark.
    #[inline]
    pub fn mark(&self, number: u32) -> Mark<V> {
        self.marks[number as usize]
    }

    /// The label that a mark says.
    #[inline]
    pub fn label(&self, number: u32) -> Label<V> {
        match self.marks[number as usize] {
            Mark::Layer => Label::UNKNOWN,
            Mark::Label(label) => label,
        }
    }

    /// The marks of the parts in which states are settled, the last first: at first of the layers of so many moves from the
    /// start.
    pub fn layers(&self) -> &[u32] {
        &self.layers
    }

    /// By mark, the place of the part that it says, plus 1; 0 for labels.
    pub fn parts(&self) -> Vec<u32> {
        let mut parts = vec![0; self.marks.len()];
        for (&mark, part) in self.layers.iter().zip(1..) {
            parts[mark as usize] = part;
        }
        parts
    }

    /// The mark of one more layer.
    pub fn add_layer(&mut self) -> u32 {
        let number = self.push(Mark::Layer);
        self.layers.push(number);
        number
    }

    /// Marks of so many parts in the place of those there are.
    pub fn divide(&mut self, parts: usize) {
        let more = parts.saturating_sub(self.layers.len());
        self.layers.truncate(parts);
        for _ in 0..more {
            self.add_layer();
        }
    }

    fn push(&mut self, mark: Mark<V>) -> u32 {
        self.marks.push(mark);
        (self.marks.len() - 1) as u32
    }

    /// The mark of a label.
    pub fn number(&mut self, label: Label<V>) -> u32 {
        let key = (label.distance, label.is_final);
        let known = self.numbers.get(&key).and_then(|numbers| {
            let same = |&&number: &&u32| self.label(number) == label;
            numbers.iter().find(same).copied()
        });
        known.unwrap_or_else(|| {
            let number = self.push(Mark::Label(label));
            self.numbers.entry(key).or_default().push(number);
            number
        })
    }

    /// The least and the greatest value of an end to the first player.
    pub fn extremes(&self) -> (V, V) {
        let ends = self.marks.iter().filter_map(|mark| match mark {
            Mark::Label(label) if label.distance == 0 => Some(label.value),
            _ => None,
        });
        ends.fold((V::ZERO, V::ZERO), |(low, high), value| (low.min(value), high.max(value)))
    }

    pub fn bytes(&self) -> usize {
        self.marks.capacity() * size_of::<Mark<V>>() + self.marks.len() * 32
    }
}
