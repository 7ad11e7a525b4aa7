//! Spaces whose states a problem has numbers for, so that bits are enough to keep them.

/// The states that a start may lead to, by number.
pub trait Numbered<S> {
    /// How many states have a number.
    fn states(&self) -> u64;

    /// Bytes that it takes to walk over them.
    fn bytes(&self) -> usize;

    /// Walks over the states that the start leads to, layer by layer, without expanding those at a depth, while
    /// `watch`, which is called every few milliseconds, says so. `None` if there is not enough memory.
    fn walk(
        &mut self,
        most_depth: u32,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Option<NumberedWalk<S>>;
}

/// Numbers of states, whatever they are.
pub type BoxedNumbers<'p, S> = Box<dyn Numbered<S> + 'p>;

/// How far a walk over a space is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// States expanded.
    pub expanded: u64,
    /// Successors of these.
    pub generated: u64,
    /// The depth of the layer that is expanded.
    pub depth: u32,
}

/// What a walk over a space found.
#[derive(Clone, Debug)]
pub struct NumberedWalk<S> {
    /// The number of states at each depth; the last one is incomplete if the walk was stopped.
    pub by_depth: Vec<u64>,
    /// The first hundred of the deepest states, by number.
    pub deepest: Vec<S>,
    /// Expanded states without a successor.
    pub terminal: u64,
    /// What was done.
    pub walked: Walked,
    /// The walk ended at the depth.
    pub cut: bool,
}
