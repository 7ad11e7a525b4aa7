//! Bases: files of stored results, by keys of bytes.
//!
//! A base is a database of [`redb`], whose transactions survive any end of the process. Records
//! lie in sorted [blocks](block) of a page each, front-coded, so that a position of a game takes
//! a handful of bytes; a look-up finds the block by its first key and scans it. Beside the
//! records there are *words*, lists of byte strings with numbers (what is needed to read the keys),
//! *documents* by name, and [`Meta`], which describes the rest.
//!
//! # Invariants
//!
//! - Nothing here knows what keys and values mean; terms, rules and games are for `domain`.
//! - Records are never changed. Adding records that are there writes nothing.
//! - A file that is no base, or damaged, is an error and never a panic: what `redb` panics
//!   over is caught at this edge.
//! - What is written is marked as unfinished until [`Writer::finish`].
//!
//! Front coding: Witten, Moffat & Bell, *Managing Gigabytes* (1999), section 4.1.

mod block;
mod error;
mod file;
mod meta;
mod read;
mod write;

pub use block::Block;
pub use error::BaseError;
pub use file::is_base;
pub use meta::{FORMAT, Meta, RecordCounts, Start};
pub use read::{Base, BaseCheck};
pub use write::{Added, Writer};

/// A section of a base: records of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Section {
    /// Positions of a game.
    Positions = b'p',
    /// States of a puzzle.
    Costs = b'c',
}

/// A list of numbered byte strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum WordList {
    /// Names and arities of compounds.
    Functors = b'f',
    /// Functor skeletons of states.
    Shapes = b's',
    /// Atoms, strings and large integers.
    Constants = b'k',
    /// The players of a game.
    Players = b'p',
}

impl WordList {
    /// All lists, in the order in which they are read.
    pub const ALL: [WordList; 4] =
        [WordList::Functors, WordList::Shapes, WordList::Constants, WordList::Players];
}
