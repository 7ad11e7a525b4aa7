//! zug: a solver for games and puzzles whose rules are written as Prolog clauses.
pub mod search;
