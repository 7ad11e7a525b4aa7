//! Programs as machine code, made by [`zug_jit`].
//!
//! A second back end with the [interpreter](super::program::run)'s own semantics: the same
//! replies, and the same moves in the same order.

mod change;
#[cfg(any(test, feature = "compare"))]
pub mod compare;
mod floats;
mod integers;
mod leaves;
mod moves;
mod program;

use super::code::{Code, Layout, Sum};
use super::frame::{Frame, Reply};
use super::moves::{Form, HEAD};
use program::status;
use std::sync::Arc;
use zug_jit::{Effort, Function};
use zug_symbolic::limits;

// Moves lie behind the head of an exit in the interpreter as in functions.
const _: () = assert!(HEAD == zug_jit::HEAD);

/// Code that was compiled.
pub struct Native {
    function: Function,
    /// It runs on words.
    is_wide: bool,
    puts_down: bool,
    /// By how much this differs is put down with moves.
    sum: Option<Arc<Sum>>,
}

impl Native {
    /// Compiles a program: of leaves of one byte for packed states that are laid out so, with moves it
    /// puts down by how much the sum differs; of wide leaves for the words of a frame. `None` if it is
    /// too large, states have no common length, or the processor is not known.
    pub fn new(
        code: &Arc<Code>,
        forms: &[Form],
        layout: Layout,
        sum: Option<Arc<Sum>>,
    ) -> Option<Native> {
        let program = &code.program;
        let is_wide = program.is_wide();
        let room: usize = forms.iter().map(Form::room).sum();
        let puts_down = program.puts_down();
        let in_sets: usize = program.sets.iter().map(|set| set.len()).sum();
        if !is_wide && layout.words == 0
            || is_wide && in_sets > limits::ANSWERS
            || program.parts() as usize > limits::NATIVE_PARTS
            || room > limits::NATIVE_ROOM
        {
            return None;
        }
        let Layout { before, words } = if is_wide { Layout::default() } else { layout };
        let lying = program::Lying { forms, before, words, is_wide };
        let sum = sum.filter(|_| !is_wide);
        let tables = Arc::new((code.clone(), sum.clone()));
        let effort = if program.is_large() { Effort::Little } else { Effort::Full };
        let function = zug_jit::compile(tables, puts_down, effort, |builder, (code, sum)| {
            program::translate(code, sum.as_deref(), lying, builder);
        })?;
        Some(Native { function, is_wide, puts_down, sum })
    }

    /// Whether it puts down with moves by how much this sum differs, and no other that may be equal.
    pub fn puts_down_changes_of(&self, sum: &Arc<Sum>) -> bool {
        self.sum.as_ref().is_some_and(|own| Arc::ptr_eq(own, sum))
    }

    /// Runs a function of moves on a packed state: what it puts down, which lies in the frame;
    /// `None` if it deoptimises.
    ///
    /// # Panics
    /// As [`Native::run`].
    #[inline(always)]
    pub fn moves<'f>(&self, state: &[u8], frame: &'f mut Frame) -> Option<&'f [i64]> {
        let status = self.call(state, frame);
        let exit = &*frame.exit;
        if status == status::DONE { exit.get(HEAD..zug_jit::end(exit)) } else { None }
    }

    /// Makes room, and calls the function.
    #[inline(always)]
    fn call(&self, state: &[u8], frame: &mut Frame) -> i64 {
        let room = self.function.room();
        if frame.exit.len() < room {
            frame.exit.resize(room, 0);
        }
        frame.exit[1] = frame.chosen as i64;
        match self.is_wide {
            false => self.function.call(state, &mut frame.exit),
            true => self.function.call(&frame.words, &mut frame.exit),
        }
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
        if self.puts_down {
            frame.end = zug_jit::end(&frame.exit);
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
