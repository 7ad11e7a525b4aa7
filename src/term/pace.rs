//! Walks over large terms that somebody may end early.

use std::convert::Infallible;

/// Steps of a walk between two questions whether to go on.
const STRIDE: u32 = 1 << 14;

/// Whether a walk over a term may go on; asked at every step.
pub trait Pace {
    /// Why a walk has to end.
    type Stop;

    /// Takes a step.
    ///
    /// # Errors
    /// The walk has to end.
    fn step(&mut self) -> Result<(), Self::Stop>;
}

/// A walk goes on to its end.
pub struct Free;

impl Pace for Free {
    type Stop = Infallible;

    #[inline(always)]
    fn step(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Asks somebody every so many steps.
pub struct Asking<F> {
    steps: usize,
    left: u32,
    ask: F,
}

impl<F> Asking<F> {
    /// Asks this, which says why to end.
    pub fn new(ask: F) -> Asking<F> {
        Asking { steps: 0, left: STRIDE, ask }
    }

    /// Steps taken.
    pub fn steps(&self) -> usize {
        self.steps + (STRIDE - self.left) as usize
    }
}

impl<E, F: Fn() -> Result<(), E>> Pace for Asking<F> {
    type Stop = E;

    #[inline]
    fn step(&mut self) -> Result<(), E> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        self.steps += STRIDE as usize;
        self.left = STRIDE;
        (self.ask)()
    }
}
