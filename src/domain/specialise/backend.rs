//! Which back end runs code.
//!
//! Code begins in the interpreter; when that has done enough work with it, native code takes
//! over. The work is counted in blocks and steps, not by a clock, so that every run of a
//! search goes the same way.

use super::code::Code;
use super::interpreter::{self, Frame, Reply};
#[cfg(feature = "native")]
use super::{code::Width, native::Native};
use std::sync::Arc;

/// Blocks and steps interpreted, for each one that the code has, until it is compiled.
///
/// Compiling takes some 8 µs for a block or a step (`taquin.pl`: 167 of them in 1.4 ms,
/// `taquin15.pl`: 870 in 6.4 ms) and interpreting some 4 ns. So half as much time goes into
/// compiling as went into interpreting that code, which is a fifth of a search or less.
#[cfg(feature = "native")]
const WORK: u64 = 4000;

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
    /// The interpreter, for so many blocks and steps more.
    Interpreter(u64),
    Native(Box<Native>),
}

impl Backend {
    /// Code to be interpreted for now.
    pub fn new(code: Code) -> Backend {
        #[cfg(feature = "native")]
        let work = WORK * code.blocks.iter().map(|block| 1 + block.steps.len() as u64).sum::<u64>();
        Backend {
            code: Arc::new(code),
            #[cfg(feature = "native")]
            bytes: Choice::Interpreter(work),
            #[cfg(feature = "native")]
            words: Choice::Interpreter(work),
        }
    }

    /// The code.
    #[inline]
    pub fn code(&self) -> &Code {
        &self.code
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
        let choice = if narrow.is_some() { &mut self.bytes } else { &mut self.words };
        #[cfg(feature = "native")]
        match choice {
            Choice::Native(native) => {
                let visit = |number, frame: &Frame| visit(&self.code, number, frame);
                return native.run(narrow.unwrap_or(&[]), frame, visit);
            }
            Choice::Interpreter(0) => {
                let width = if narrow.is_some() { Width::Bytes } else { Width::Words };
                choice.compile(&self.code, width);
            }
            Choice::Interpreter(_) => {}
        }
        if let Some(leaves) = narrow {
            frame.load_bytes(leaves);
        }
        #[cfg(feature = "native")]
        {
            frame.work = 0;
        }
        let visit = |number, frame: &Frame| visit(&self.code, number, frame);
        let reply = interpreter::run(&self.code, frame, visit);
        #[cfg(feature = "native")]
        if let Choice::Interpreter(left) = choice {
            *left = left.saturating_sub(frame.work);
        }
        reply
    }
}

#[cfg(feature = "native")]
impl Choice {
    #[cold]
    fn compile(&mut self, code: &Arc<Code>, width: Width) {
        let made = Native::compile(code, width);
        *self =
            made.map_or(Choice::Interpreter(u64::MAX), |native| Choice::Native(Box::new(native)));
    }
}
