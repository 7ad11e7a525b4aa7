//! Straight code as machine code, made by Cranelift.
//!
//! A second back end with the [interpreter](super::interpreter)'s own semantics: the same
//! replies, and the same moves in the same order. What code does has no effect but its
//! moves, so these are written down while it runs and visited when it has ended.

mod function;
mod order;
mod ranges;
#[cfg(test)]
pub mod tests;
mod translate;

use super::code::{Code, Cost, Hole, Temp, Width};
use super::interpreter::{Frame, Reply};
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
/// Words of an exit before its moves: where they end, and the value.
const HEAD: usize = 2;

/// Code that was compiled.
pub struct Native {
    function: Function,
    /// Words of an exit.
    room: usize,
    /// How many temporaries there are.
    temps: usize,
    /// By move: the temporaries that it needs, put down behind its number.
    saved: Vec<Box<[Temp]>>,
}

impl Native {
    /// Compiles code; `None` if it is too large, has cycles, or the processor is not known.
    pub fn compile(code: &Arc<Code>, width: Width) -> Option<Native> {
        if !code.finds.is_empty() && code.leaves > 64 {
            return None;
        }
        let saved: Vec<Box<[Temp]>> = (0..code.moves.len()).map(|i| needs(code, i)).collect();
        let order = Order::of(code, width, |number| saved[number as usize].len() + 1)?;
        let steps = order.blocks.iter().map(|&block| code.blocks[block as usize].steps.len());
        if order.blocks.len() > MOST_BLOCKS
            || steps.sum::<usize>() > MOST_STEPS
            || order.room > MOST_ROOM
        {
            return None;
        }
        let room = HEAD + order.room;
        let function = Function::compile(code, &order, &saved, width, room)?;
        Some(Native { function, room, temps: code.temps, saved })
    }

    /// Runs a function: `leaves` are packed ones, one byte each, for [`Width::Bytes`]; else
    /// the words of the frame are read. `visit` gets the number of each move that is
    /// answered, when the temporaries that it needs lie in the frame.
    ///
    /// # Panics
    /// There are not as many leaves as the code has.
    #[inline]
    pub fn run(
        &self,
        leaves: &[u8],
        frame: &mut Frame,
        mut visit: impl FnMut(u32, &Frame) -> bool,
    ) -> Reply {
        if frame.exit.len() < self.room {
            frame.exit.resize(self.room, 0);
        }
        let status = self.function.call(leaves, &frame.words, &mut frame.exit);
        if !self.saved.is_empty() && !self.visit(frame, &mut visit) {
            return Reply::Deopt(None);
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

    /// Visits the moves that were put down; false if one was refused.
    #[inline]
    fn visit(&self, frame: &mut Frame, visit: &mut impl FnMut(u32, &Frame) -> bool) -> bool {
        let end = (frame.exit[0] as usize).wrapping_sub(frame.exit.as_ptr() as usize) / 8;
        let mut at = HEAD;
        while at < end {
            let number = frame.exit[at] as u32;
            at += 1;
            let saved = &self.saved[number as usize];
            if !saved.is_empty() {
                if frame.temps.len() < self.temps {
                    frame.temps.resize(self.temps, 0);
                }
                for &temp in saved {
                    frame.temps[usize::from(temp)] = frame.exit[at];
                    at += 1;
                }
            }
            if !visit(number, frame) {
                return false;
            }
        }
        true
    }
}

/// The temporaries that a move needs.
fn needs(code: &Code, number: usize) -> Box<[Temp]> {
    let mv = &code.moves[number];
    let written = mv.writes.iter().flatten().map(|(_, hole)| hole);
    let holes = mv.name.leaves.iter().chain(&mv.to.leaves).chain(written);
    let mut temps: Vec<Temp> = holes
        .filter_map(|hole| match *hole {
            Hole::Temp(temp) => Some(temp),
            _ => None,
        })
        .collect();
    if let Some(Cost::Temp(temp)) = mv.cost {
        temps.push(temp);
    }
    temps.sort_unstable();
    temps.dedup();
    temps.into()
}
