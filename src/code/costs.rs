//! Rates of work in nanoseconds, and the prices of making code that follow.
//!
//! Decisions about code count work and look at no clock, so that every run of a search goes the same way. Searches of
//! a given length, which end by the clock anyway, are the exception. These rates turn work into time. They were measured on rule
//! files of `rules` and `tests/domains`. The bench `budget` fails where code adds more to the time of the machine alone
//! than the larger of 20 ms and a quarter.

use std::time::Duration;

/// Work of the machine that takes as long as it needs to unpack a state and pack those it leads to.
pub const PACKING: u64 = 40;
/// Units of a store's work in the time of a step: 0.03 to 0.12 µs each, of rule files tried.
pub const STORE_UNITS: u64 = 3;
/// Blocks and steps interpreted in the time of the rest of a run.
pub const RUN: u64 = 64;

/// A unit of the machine's work, packing included: 20 to 75, mostly 30.
const UNIT: u64 = 30;
/// A step of a symbolic run, lowering included: 80 to 200.
const STEP: u64 = 130;
/// A block or a step of a program, interpreted.
const INTERPRETED: u64 = 4;
/// How many times faster native code is.
const NATIVE_SPEEDUP: u64 = 8;
/// Compiling one block or step to native code.
const COMPILED: u64 = 8_000;
/// The rest of compiling a program, whatever its size.
const COMPILING: u64 = 300_000;

/// Making code may take the time of the machine divided by this,
const SHARE: u64 = 8;
/// native code, in addition, the time that code has saved divided by this,
const SAVED_SHARE: u64 = 2;
/// the code of one predicate the machine's time for that predicate divided by this,
const RENT_SHARE: u64 = 4;
/// and all code of a search of known length that length divided by this,
const HORIZON_SHARE: u32 = 4;
/// at most this, because the search may end early.
const MOST_AT_ONCE: Duration = Duration::from_secs(2);
/// A step before any was timed: a search of known length must not spend more than its share on the first ones.
const UNTIMED_STEP: u64 = 4 * STEP;
/// Time for making code that needs no work of the machine.
const FREE: u64 = 5_200_000;

/// Steps that are free: of symbolic runs, and one for each block of code.
pub const FREE_STEPS: u64 = FREE / STEP;
/// Units of the machine's work for a predicate that buy a step for that predicate,
pub const RENT_PRICE: u64 = STEP * RENT_SHARE / UNIT;
/// that buy one for any,
pub const STEP_PRICE: u64 = STEP * SHARE / UNIT;
/// and that buy one for native code where code has saved them.
pub const SAVED_PRICE: u64 = STEP * SAVED_SHARE / UNIT;
/// Blocks and steps interpreted in the time of one unit of the machine's work.
pub const INTERPRETED_PER_UNIT: u64 = UNIT / INTERPRETED;
/// The same by native code, if there is any.
pub const NATIVE_PER_UNIT: u64 = match cfg!(feature = "native") {
    true => NATIVE_SPEEDUP * UNIT / INTERPRETED,
    false => INTERPRETED_PER_UNIT,
};

/// Steps that a search of this length has time for, by the time that earlier steps took.
pub fn steps_within(horizon: Duration, making: Duration, steps: u64) -> u64 {
    let most = (horizon / HORIZON_SHARE).min(MOST_AT_ONCE);
    let left = most.saturating_sub(making).as_nanos() as u64;
    let step = (making.as_nanos() as u64).checked_div(steps).unwrap_or(UNTIMED_STEP);
    left / step.max(STEP)
}

/// Programs of fewer blocks and steps are compiled as soon as that is due, whatever else was made.
const SMALL: u64 = 400;

/// Time that compiling a program of this size takes; `None` if there is no native code.
const fn compiling(parts: u64) -> Option<u64> {
    match cfg!(feature = "native") {
        true => Some(COMPILING + COMPILED * parts),
        false => None,
    }
}

/// Blocks and steps to interpret before a program of this size is compiled: as long as compiling takes (the ski-rental
/// rule; A. R. Karlin et al., *Competitive Snoopy Caching*, 1988).
pub const fn until_native(parts: u64) -> u64 {
    match compiling(parts) {
        Some(time) => time / INTERPRETED,
        None => u64::MAX,
    }
}

/// Steps of making code that take as long as compiling a program of this size; none if it is small.
pub const fn native_steps(parts: u64) -> u64 {
    match compiling(parts) {
        Some(_) if parts < SMALL => 0,
        Some(time) => time / STEP,
        None => u64::MAX,
    }
}

/// Times a shape is met before code is made for it;
pub const WARM: u32 = 4;
/// the only shape met: nearly all states of most puzzles and games have it.
pub const WARM_FIRST: u32 = 2;
/// Questions about a shape after which all that is asked about such states has been.
pub const SETTLED: u64 = 16;
/// States whose values are all remembered before there is code; later, one in so many.
pub const SEEN: u32 = 64;
/// Steps that the first attempt has, at least.
pub const FEWEST_STEPS: u64 = 1000;
/// Folding is given up after this share of the work that it was to spare.
pub const FOLDING_SHARE: u64 = 2;
/// Runs, as many blocks and steps as all take, after which it is looked whether code pays.
pub const LOOKED_AT: u64 = 16;
