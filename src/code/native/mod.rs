//! Straight code as machine code, made by Cranelift.
//!
//! A second back end with the [interpreter](super::interpreter)'s own semantics: the same
//! replies, and the same moves in the same order.

#[cfg(any(test, feature = "compare"))]
pub mod compare;
mod facts;
mod function;
mod order;
mod ranges;
#[cfg(test)]
mod tests;
mod translate;

use super::code::{Code, Layout, Sum, Width};
use super::interpreter::{Frame, Reply};
use super::moves::{Form, HEAD};
use function::Function;
use order::Order;
use std::sync::Arc;
use translate::status;

/// The most blocks that are compiled.
const MOST_BLOCKS: usize = 20_000;
/// The most steps.
const MOST_STEPS: usize = 100_000;
/// The most words that the moves of a run may take.
const MOST_ROOM: usize = 1 << 16;
/// Code that was compiled.
pub struct Native {
    function: Function,
    /// Words of an exit.
    room: usize,
    has_moves: bool,
}

/// What a function is made for.
#[derive(Clone, Copy)]
struct Purpose<'p> {
    /// How its moves are put down.
    forms: &'p [Form],
    width: Width,
    layout: Layout,
    /// What it tells the differences of.
    sum: Option<&'p Arc<Sum>>,
}

impl Native {
    /// Compiles code for packed states with leaves of one byte, laid out so; with moves it
    /// puts down by how much the sum differs. `None` if it is too large, has cycles, or the
    /// processor is not known.
    pub fn of_bytes(
        code: &Arc<Code>,
        forms: &[Form],
        layout: Layout,
        sum: Option<Arc<Sum>>,
    ) -> Option<Native> {
        Native::of(code, Purpose { forms, width: Width::Bytes, layout, sum: sum.as_ref() })
    }

    /// Compiles code for the words of a frame.
    pub fn of_words(code: &Arc<Code>, forms: &[Form]) -> Option<Native> {
        let layout = Layout::default();
        Native::of(code, Purpose { forms, width: Width::Words, layout, sum: None })
    }

    fn of(code: &Arc<Code>, purpose: Purpose<'_>) -> Option<Native> {
        if !code.finds.is_empty() && code.leaves > 64 {
            return None;
        }
        let room = |number| purpose.forms[number as usize].room();
        let order = Order::of(code, purpose.width, room)?;
        let steps = order.blocks.iter().map(|&block| code.blocks[block as usize].steps.len());
        if order.blocks.len() > MOST_BLOCKS
            || steps.sum::<usize>() > MOST_STEPS
            || order.room > MOST_ROOM
        {
            return None;
        }
        let room = HEAD + order.room;
        let function = Function::compile(code, &order, purpose, room)?;
        Some(Native { function, room, has_moves: !code.moves.is_empty() })
    }

    /// Runs a function of moves on a packed state: what it puts down, which lies in the frame;
    /// `None` if it gives the state back.
    ///
    /// # Panics
    /// As [`Native::run`].
    #[inline(always)]
    pub fn moves<'f>(&self, state: &[u8], frame: &'f mut Frame) -> Option<&'f [i64]> {
        let status = self.call(state, frame);
        let exit = &*frame.exit;
        let end = (exit[0] as usize).wrapping_sub(exit.as_ptr() as usize) / 8;
        if status == status::DONE { exit.get(HEAD..end) } else { None }
    }

    /// Makes room, and calls the function.
    #[inline(always)]
    fn call(&self, state: &[u8], frame: &mut Frame) -> i64 {
        if frame.exit.len() < self.room {
            frame.exit.resize(self.room, 0);
        }
        self.function.call(state, &frame.words, &mut frame.exit)
    }

    /// Runs a function: on a packed state, or on the words of the frame, as it was made for.
    /// Its moves lie in the frame then.
    ///
    /// # Panics
    /// The state is shorter than the code takes for granted.
    #[inline(always)]
    pub fn run(&self, state: &[u8], frame: &mut Frame) -> Reply {
        let status = self.call(state, frame);
        frame.end = HEAD;
        if self.has_moves {
            let start = frame.exit.as_ptr() as usize;
            frame.end = (frame.exit[0] as usize).wrapping_sub(start) / 8;
        }
        match status {
            status::DONE => Reply::Done,
            status::TRUE => Reply::True,
            status::INT => Reply::Int(frame.exit[1]),
            status::FLOAT => Reply::Float(f64::from_bits(frame.exit[1] as u64)),
            status::RANGE => Reply::Deopt(None),
            reason => Reply::Deopt(Some((reason - status::DEOPT) as u32)),
        }
    }
}
