//! What was learned: [`Policy`].

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// What is known of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveStats {
    /// Beads, a whole number, or what the move is worth to who makes it.
    pub worth: f64,
    /// How often it was made in games that count.
    pub tries: u64,
}

/// The moves of every state that was met, in move order.
#[derive(Clone, Debug)]
pub struct Policy<S> {
    numbers: FxHashMap<S, u32>,
    boxes: Vec<(S, Vec<MoveStats>)>,
}

impl<S: Clone + Eq + Hash> Policy<S> {
    /// No state was met.
    pub fn new() -> Self {
        Self { numbers: FxHashMap::default(), boxes: Vec::new() }
    }

    /// How many states were met.
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Whether no state was met.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The moves of a state, if it was met.
    pub fn get(&self, state: &S) -> Option<&[MoveStats]> {
        let number = *self.numbers.get(state)?;
        Some(&self.boxes[number as usize].1)
    }

    /// The states with their moves, in the order in which they were met.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&S, &[MoveStats])> {
        self.boxes.iter().map(|(state, moves)| (state, moves.as_slice()))
    }

    /// Sets what is known of the moves of a state.
    pub fn set(&mut self, state: S, moves: Vec<MoveStats>) {
        *self.entry(&state, Vec::new) = moves;
    }

    /// The moves of a state, made when it is met first.
    pub(super) fn entry(
        &mut self,
        state: &S,
        make: impl FnOnce() -> Vec<MoveStats>,
    ) -> &mut Vec<MoveStats> {
        let number = match self.numbers.get(state) {
            Some(&number) => number as usize,
            None => {
                self.numbers.insert(state.clone(), self.boxes.len() as u32);
                self.boxes.push((state.clone(), make()));
                self.boxes.len() - 1
            }
        };
        &mut self.boxes[number].1
    }

    /// Bytes held, but for what states own beyond their size.
    pub fn bytes(&self) -> usize {
        let moves: usize = self.boxes.first().map_or(0, |(_, moves)| moves.len());
        let each = 2 * size_of::<S>() + 16 + size_of::<Vec<MoveStats>>();
        self.boxes.len() * (each + moves * size_of::<MoveStats>())
    }
}

impl<S: Clone + Eq + Hash> Default for Policy<S> {
    fn default() -> Self {
        Self::new()
    }
}
