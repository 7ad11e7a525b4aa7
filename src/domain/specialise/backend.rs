//! Which back end runs code.
//!
//! Code begins in the interpreter; when that has done enough work with it, native code takes
//! over. The work is counted in blocks and steps, not by a clock, so that every run of a
//! search goes the same way.

use super::code::{Code, Layout, Sum};
use super::interpreter::{self, Frame, Reply};
use super::moves::Form;
#[cfg(feature = "native")]
use super::native::Native;
use super::residual::Leaf;
use std::sync::Arc;

/// Blocks and steps interpreted, for each one that the code has, until it is compiled.
///
/// Compiling takes some 8 µs for a block or a step (`taquin.pl`: 167 of them in 1.4 ms,
/// `taquin15.pl`: 870 in 6.4 ms) and interpreting some 4 ns. So as much time goes into
/// compiling as went into interpreting that code.
#[cfg(feature = "native")]
const WORK: u64 = 2000;
/// Blocks and steps that take as long as what else a run in the interpreter needs: leaves as
/// words, and states made byte by byte.
#[cfg(feature = "native")]
const RUN: u64 = 64;

/// Code, and what runs it.
pub struct Backend {
    code: Arc<Code>,
    forms: Arc<[Form]>,
    /// Moves are put down all alike, by native code: number, state, change.
    #[cfg(feature = "native")]
    uniform: bool,
    /// What leaves must be, if that is all the code asks.
    pattern: Option<Vec<(Leaf, u8)>>,
    #[cfg(feature = "native")]
    layout: Layout,
    #[cfg(feature = "native")]
    bytes: Choice,
    #[cfg(feature = "native")]
    words: Choice,
    /// The differences that native code puts down were true at this epoch.
    #[cfg(feature = "native")]
    epoch: Option<u64>,
}

/// A packed state whose leaves are of one byte each.
#[derive(Clone, Copy)]
pub struct Narrow<'s> {
    /// All of its bytes, and those behind it that belong to it.
    #[cfg_attr(not(feature = "native"), expect(dead_code, reason = "native code reads it"))]
    pub room: &'s [u8],
    /// The leaves among them.
    pub leaves: &'s [u8],
}

/// What runs code on leaves of one width.
#[cfg(feature = "native")]
enum Choice {
    /// The interpreter, for so many blocks and steps more.
    Interpreter(u64),
    /// The interpreter, until native code is made.
    Due,
    Native(Box<Native>),
}

impl Backend {
    /// Code to be interpreted for now, for packed states that are laid out so.
    pub fn new(code: impl Into<Arc<Code>>, layout: Layout) -> Backend {
        let code = code.into();
        #[cfg(feature = "native")]
        let work = WORK * code.blocks.iter().map(|block| 1 + block.steps.len() as u64).sum::<u64>();
        let forms: Arc<[Form]> = Form::all(&code, layout).into();
        Backend {
            #[cfg(feature = "native")]
            uniform: forms.iter().all(|form| form.saved.is_empty() && form.words > 0),
            forms,
            pattern: code.find_pattern(),
            code,
            #[cfg(feature = "native")]
            layout,
            #[cfg(feature = "native")]
            bytes: Choice::Interpreter(work),
            #[cfg(feature = "native")]
            words: Choice::Interpreter(work),
            #[cfg(feature = "native")]
            epoch: None,
        }
    }

    /// The same code for states that are laid out otherwise.
    pub fn lay_out(&mut self, layout: Layout) {
        *self = Backend::new(self.code.clone(), layout);
    }

    /// The code.
    #[inline]
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// How it puts moves down.
    #[inline]
    pub fn forms(&self) -> &[Form] {
        &self.forms
    }

    /// Whether a state with leaves of one byte matches what the code asks, if that is but what
    /// some leaves must be.
    #[inline]
    pub fn matches(&self, leaves: &[u8]) -> Option<bool> {
        let pattern = self.pattern.as_ref()?;
        Some(pattern.iter().all(|&(leaf, byte)| leaves[usize::from(leaf)] == byte))
    }

    /// Runs code on the leaves of a state, if they are of one byte each, or else on the words of
    /// the frame. Its moves lie in the frame then.
    #[inline(always)]
    pub fn run(&mut self, narrow: Option<Narrow<'_>>, frame: &mut Frame) -> Reply {
        #[cfg(all(test, feature = "native"))]
        super::native::tests::compare(&self.code, &self.forms, self.layout, narrow, frame);
        #[cfg(feature = "native")]
        if let Choice::Native(native) = if narrow.is_some() { &self.bytes } else { &self.words } {
            return native.run(narrow.map_or(&[][..], |state| state.room), frame);
        }
        self.interpret(narrow, frame)
    }

    #[inline(never)]
    fn interpret(&mut self, narrow: Option<Narrow<'_>>, frame: &mut Frame) -> Reply {
        if let Some(state) = narrow {
            frame.load_bytes(state.leaves);
        }
        #[cfg(feature = "native")]
        {
            frame.work = RUN;
        }
        let reply = interpreter::run(&self.code, &self.forms, frame);
        #[cfg(feature = "native")]
        {
            let choice = if narrow.is_some() { &mut self.bytes } else { &mut self.words };
            if let Choice::Interpreter(left) = choice {
                *choice = match left.saturating_sub(frame.work) {
                    0 => Choice::Due,
                    left => Choice::Interpreter(left),
                };
            }
        }
        reply
    }
}

#[cfg(feature = "native")]
impl Backend {
    /// Whether native code is worth making.
    #[inline]
    pub fn is_due(&self) -> bool {
        matches!(self.bytes, Choice::Due) || matches!(self.words, Choice::Due)
    }

    /// The epoch whose differences of values it puts down, if it does.
    #[inline]
    pub fn epoch(&self) -> Option<u64> {
        self.epoch
    }

    /// Runs native code on a state with leaves of one byte, if it puts down all moves alike
    /// and there is some: they lie in the frame then.
    #[inline(always)]
    pub fn run_uniform(&self, state: Narrow<'_>, frame: &mut Frame) -> Option<Reply> {
        #[cfg(test)]
        super::native::tests::compare(&self.code, &self.forms, self.layout, Some(state), frame);
        match &self.bytes {
            Choice::Native(native) if self.uniform => Some(native.run(state.room, frame)),
            _ => None,
        }
    }

    /// Makes native code, which puts down with a move by how much a sum differs, if there is
    /// one, which is true in this epoch.
    pub fn make_native(&mut self, sum: Option<Arc<Sum>>, epoch: u64) {
        let made = |native: Option<Native>| {
            native.map_or(Choice::Interpreter(u64::MAX), |native| Choice::Native(Box::new(native)))
        };
        if let Choice::Due = self.bytes {
            self.epoch = sum.as_ref().map(|_| epoch);
            self.bytes = made(Native::of_bytes(&self.code, &self.forms, self.layout, sum));
        }
        if let Choice::Due = self.words {
            self.words = made(Native::of_words(&self.code, &self.forms));
        }
    }
}

/// Without native code none is ever due.
#[cfg(not(feature = "native"))]
impl Backend {
    /// Never.
    pub fn is_due(&self) -> bool {
        false
    }

    /// There is none.
    pub fn run_uniform(&self, _: Narrow<'_>, _: &mut Frame) -> Option<Reply> {
        None
    }

    /// None.
    pub fn epoch(&self) -> Option<u64> {
        None
    }

    /// Nothing to make.
    pub fn make_native(&mut self, _: Option<Arc<Sum>>, _: u64) {}
}
