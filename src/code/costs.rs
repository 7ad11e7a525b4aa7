//! Costs: how long the parts of a search take, in nanoseconds, and which share of it making code may be.
//!
//! Decisions about code count work and look at no clock, so that every run of a search goes the same way. These rates
//! turn work into time. They were measured on rule files of `rules` and `tests/domains`, as are their consequences: the
//! bench `budget` fails where code takes the larger of 20 ms and a quarter more than the machine alone.

/// A unit of the machine's work, with all around it: 20 to 75, mostly 30.
const UNIT: u64 = 30;
/// A step of a symbolic run, with lowering: 80 to 200.
const STEP: u64 = 130;
/// A block or a step of a program, interpreted.
const INTERPRETED: u64 = 4;
/// How many of them native code does in that time.
const NATIVE: u64 = 8;
/// Compiling one block or step, and what else there is to be done then.
const COMPILED: u64 = 8_000;
const COMPILING: u64 = 300_000;

/// Of the machine's time, one part in so many may go into making code: at first, and after [`MOST_BOUGHT`].
const SHARE: u64 = 8;
const LATER_SHARE: u64 = 46;
/// The same, which is free.
const FREE: u64 = 5_200_000;

/// Steps that are free: of symbolic runs, and one for each block of code.
pub const FREE_STEPS: u64 = FREE / STEP;
/// The most steps bought at the first price: a quarter of a second.
pub const MOST_BOUGHT: u64 = 2_000_000;
/// Work of the machine that buys a step at first, and later.
pub const STEP_PRICE: u64 = STEP * SHARE / UNIT;
pub const LATER_PRICE: u64 = STEP * LATER_SHARE / UNIT;
/// Blocks and steps that are surely done while the machine does one unit of work: interpreted, and by native code.
pub const INTERPRETED_PER_UNIT: u64 = UNIT / INTERPRETED;
pub const NATIVE_PER_UNIT: u64 = match cfg!(feature = "native") {
    true => NATIVE * UNIT / INTERPRETED,
    false => INTERPRETED_PER_UNIT,
};

/// Blocks and steps to be interpreted until native code for so many is worth making: it is made when interpreting took
/// as long as that will (rent or buy: A. R. Karlin et al., *Competitive Snoopy Caching*, 1988).
pub const fn until_native(parts: u64) -> u64 {
    (COMPILING + COMPILED * parts) / INTERPRETED
}

/// The steps that native code for so many blocks and steps costs.
pub const fn native_steps(parts: u64) -> u64 {
    (COMPILING + COMPILED * parts) / STEP
}
