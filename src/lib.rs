//! zug: a solver for games and puzzles whose rules are written as Prolog clauses.
pub mod cli;
pub mod render;
pub mod repl;
pub mod usecases;
