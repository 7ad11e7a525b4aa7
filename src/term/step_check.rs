//! Checks by which walks over large terms can be stopped early.

use std::convert::Infallible;

/// Steps of a walk between two calls of a periodic check.
const STRIDE: u32 = 1 << 14;

/// Whether a walk over a term may go on: called at every step.
pub trait StepCheck {
    /// Why a walk has to end.
    type Stop;

    /// Takes a step.
    fn step(&mut self) -> Result<(), Self::Stop>;
}

/// Never stops a walk.
pub struct NoCheck;

impl StepCheck for NoCheck {
    type Stop = Infallible;

    #[inline(always)]
    fn step(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Calls a function every so many steps.
pub struct PeriodicCheck<F> {
    steps: usize,
    left: u32,
    ask: F,
}

impl<F> PeriodicCheck<F> {
    /// A check that calls `ask`, which fails with the reason to stop.
    pub fn new(ask: F) -> PeriodicCheck<F> {
        PeriodicCheck { steps: 0, left: STRIDE, ask }
    }

    /// Steps taken.
    pub fn steps(&self) -> usize {
        self.steps + (STRIDE - self.left) as usize
    }
}

impl<E, F: Fn() -> Result<(), E>> StepCheck for PeriodicCheck<F> {
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
