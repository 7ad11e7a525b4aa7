//! What a puzzle is told as: operators that test leaves and copy values.

/// The number of a leaf.
pub type Leaf = u8;
/// The value of a leaf.
pub type Value = u8;

/// What is written into a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A value, always the same.
    Value(Value),
    /// The value that a leaf had before.
    Leaf(Leaf),
}

/// A move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// It applies where each of these leaves has this value.
    pub tests: Vec<(Leaf, Value)>,
    /// What it costs.
    pub cost: u32,
    /// The leaves that change, each once.
    pub writes: Vec<(Leaf, Source)>,
}

/// A puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operators {
    /// How many leaves a state has.
    pub leaves: usize,
    /// All moves. A name may have several: the ways in which its tests may hold.
    pub operators: Vec<Operator>,
    /// A state is a goal where each leaf of one of these has that value.
    pub goals: Vec<Vec<(Leaf, Value)>>,
}
