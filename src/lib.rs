//! zug: a solver for games and puzzles whose rules are written as Prolog clauses.
pub mod builtins;
pub mod check;
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod domain;
pub mod machine;
pub mod random;
pub mod render;
pub mod repl;
pub mod search;
pub mod session;
pub mod source;
pub mod symbol;
pub mod syntax;
pub mod term;
pub mod usecases;
