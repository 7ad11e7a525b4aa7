//! The manual inside: what is known of predicates, for `help/1` and `apropos/1`, and the
//! comments of rule files.
//!
//! Words about library predicates stand above their clauses (`src/library/*.pl`), those about
//! predicates written in Rust in `reference.pl`, those about the contract of rule files in
//! `contract.pl`, all in the form that [`entries`] describes; what is said of engines comes
//! from the registries. A test holds that every public predicate has an entry.

pub mod comments;
pub mod entries;

mod book;
mod predicates;

pub use book::{Book, contract_entries};
pub use predicates::TABLE;

#[cfg(test)]
mod tests;
