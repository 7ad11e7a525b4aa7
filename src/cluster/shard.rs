//! The states that one worker owns: [`Shard`], [`GameShard`].

use crate::bytes::push_bytes;
use crate::limits::Stop;

/// The states that one worker owns, and how states are expanded.
pub trait Shard {
    /// A state.
    type State;
    /// Why a state can't be expanded.
    type Error;

    /// How many states are stored.
    fn len(&self) -> usize;

    /// Whether none is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held.
    fn bytes(&self) -> usize;

    /// A hash, the same in all workers.
    fn hash(&mut self, state: &Self::State) -> u64;

    /// Appends the bytes of a state, the same in all workers.
    fn write(&mut self, state: &Self::State, out: &mut Vec<u8>);

    /// The state of these bytes; `None` if they make no sense.
    fn read(&mut self, bytes: &[u8]) -> Option<Self::State>;

    /// Stores those of some states that are new, under the next numbers.
    fn intern(&mut self, states: &mut Vec<Self::State>);

    /// The number of a state, which is stored if it is new: then it is the next one.
    fn number(&mut self, state: &Self::State) -> usize;

    /// The state of a number.
    fn state(&self, number: usize) -> Self::State;

    /// Appends what a state leads to.
    ///
    /// # Errors
    /// The state can't be expanded.
    fn successors(
        &mut self,
        state: &Self::State,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Self::Error>;

    /// Which limit it was, if one ended what failed.
    fn stop_of(&self, _error: &Self::Error) -> Option<Stop> {
        None
    }

    /// What others are told of what failed.
    fn words_of(_error: &Self::Error) -> String {
        "a state can't be expanded".to_owned()
    }

    /// Does work within limits of its own.
    ///
    /// # Errors
    /// One of them ended it.
    fn within_limits<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Result<R, Stop>
    where
        Self: Sized,
    {
        Ok(work(self))
    }
}

/// Positions of a game of two players, 0 and 1; successors of a position are what its moves lead to, in move order, and
/// one without any is an end.
pub trait GameShard: Shard {
    /// What an end is worth.
    type Value: Clone + Ord;

    /// What is worth nothing to either player.
    fn nothing() -> Self::Value;

    /// Who is to move, 0 or 1.
    fn mover(&self, state: &Self::State) -> u8;

    /// What an end is worth to player 0; the other one loses it.
    ///
    /// # Errors
    /// It can't be told.
    fn worth(&mut self, end: &Self::State) -> Result<Self::Value, Self::Error>;

    /// Appends the bytes of a value.
    fn write_value(value: &Self::Value, out: &mut Vec<u8>);

    /// The value of these bytes; `None` if they make no sense.
    fn read_value(bytes: &[u8]) -> Option<Self::Value>;
}

/// The bytes of a state.
pub(crate) fn written<S: Shard>(shard: &mut S, state: &S::State) -> Vec<u8> {
    let mut bytes = Vec::new();
    shard.write(state, &mut bytes);
    bytes
}

/// Writes a state behind the number of its bytes.
pub(crate) fn write_sized<S: Shard>(shard: &mut S, state: &S::State, out: &mut Vec<u8>) {
    // PERF: most states are short, and are written once.
    let at = out.len();
    out.push(0);
    shard.write(state, out);
    let length = out.len() - at - 1;
    if length < 0x80 {
        out[at] = length as u8;
    } else {
        let bytes = out.split_off(at + 1);
        out.pop();
        push_bytes(&bytes, out);
    }
}
