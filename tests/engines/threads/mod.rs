//! Searches by several threads.

mod games;
mod puzzles;
