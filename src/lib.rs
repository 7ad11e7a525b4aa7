//! zug: a solver for games and puzzles whose rules are written as Prolog clauses.
pub mod symbol;
pub mod source;
pub mod diagnostic;
pub mod term;
pub mod syntax;
pub mod search;
pub mod machine;
pub mod compile;
pub mod builtins;
pub mod domain;
pub mod session;
pub mod check;
pub mod usecases;
pub mod render;
pub mod repl;
pub mod cli;
