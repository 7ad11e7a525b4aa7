//! Which back end runs code.
//!
//! Code begins in the interpreter. When it has been run so often that compiling it has paid
//! or soon will, native code takes over; by counts, not by clocks, so that every run of a
//! search goes the same way.

use super::code::Code;
use super::interpreter::{self, Frame, Reply};
#[cfg(feature = "native")]
use super::{code::Width, native::Native};
use std::sync::Arc;

/// Runs for each block after which native code is made.
#[cfg(feature = "native")]
const RUNS_PER_BLOCK: u64 = 200;
/// Runs before.
#[cfg(feature = "native")]
const LEAST_RUNS: u64 = 2000;

/// Code, and what runs it.
pub struct Backend {
    code: Arc<Code>,
    #[cfg(feature = "native")]
    bytes: Choice,
    #[cfg(feature = "native")]
    words: Choice,
}

/// What runs code on leaves of one width.
#[cfg(feature = "native")]
enum Choice {
    /// The interpreter, so many times more.
    Interpreter(u64),
    Native(Native),
}

impl Backend {
    /// Code to be interpreted for now.
    pub fn new(code: Code) -> Backend {
        #[cfg(feature = "native")]
        let runs = LEAST_RUNS + RUNS_PER_BLOCK * code.blocks.len() as u64;
        Backend {
            code: Arc::new(code),
            #[cfg(feature = "native")]
            bytes: Choice::Interpreter(runs),
            #[cfg(feature = "native")]
            words: Choice::Interpreter(runs),
        }
    }

    /// How many leaves the code is for.
    #[inline]
    pub fn leaves(&self) -> usize {
        self.code.leaves
    }

    /// As [`Code::value_after`].
    #[inline]
    pub fn value_after(&self, before: &[u8], value: i64, after: &[u8]) -> Option<i64> {
        self.code.value_after(before, value, after)
    }

    /// Runs code on leaves of one byte each, or else on the words of the frame. `visit` gets
    /// the number of each move that is answered.
    #[inline]
    pub fn run(
        &mut self,
        narrow: Option<&[u8]>,
        frame: &mut Frame,
        mut visit: impl FnMut(&Code, u32, &Frame) -> bool,
    ) -> Reply {
        #[cfg(all(test, feature = "native"))]
        super::native::tests::compare(&self.code, narrow, frame);
        #[cfg(feature = "native")]
        {
            let choice = if narrow.is_some() { &mut self.bytes } else { &mut self.words };
            match choice {
                Choice::Native(native) => {
                    let visit = |number, frame: &Frame| visit(&self.code, number, frame);
                    return native.run(narrow.unwrap_or(&[]), frame, visit);
                }
                Choice::Interpreter(0) => {
                    let width = if narrow.is_some() { Width::Bytes } else { Width::Words };
                    choice.compile(&self.code, width);
                }
                Choice::Interpreter(left) => *left -= 1,
            }
        }
        if let Some(leaves) = narrow {
            frame.load_bytes(leaves);
        }
        interpreter::run(&self.code, frame, |number, frame| visit(&self.code, number, frame))
    }
}

#[cfg(feature = "native")]
impl Choice {
    #[cold]
    fn compile(&mut self, code: &Arc<Code>, width: Width) {
        let made = Native::compile(code, width);
        *self = made.map_or(Choice::Interpreter(u64::MAX), Choice::Native);
    }
}
