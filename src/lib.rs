//! zug: a solver for games and puzzles whose rules are written as Prolog clauses.
pub mod symbol;
pub mod source;
pub mod term;
pub mod search;
pub mod machine;
pub mod builtins;
pub mod compile;
