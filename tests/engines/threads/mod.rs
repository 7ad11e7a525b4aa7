//! Searches by several threads.

mod games;
mod puzzles;

use crate::support::full;

/// Numbers of threads that the nth of some files or programs is tried with.
fn crews(nth: usize) -> Vec<usize> {
    if full() { vec![2, 3] } else { vec![2 + nth % 2] }
}
