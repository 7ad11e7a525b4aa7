//! States of rule programs as bytes, and the numbers that rules give.
//!
//! A [`Codec`] writes a term as the number of its *shape* (the functor skeleton) and a code for each
//! leaf, a [`Word`]; the bytes are [`Packed`], or [`Fixed`] where they are of bounded length, and lie
//! in a [`PackedStore`]. Costs, estimates and utilities are [`Number`]s; engines count them in types
//! that are a [`RuleCost`], up to [`Large`] integers of 256 bits.
//!
//! # Invariants
//!
//! - Two states have equal bytes exactly when they are variants of each other.
//! - Bytes are those of one codec: numbers of shapes and constants are assigned in order of arrival.

mod codec;
mod fixed;
mod large;
mod number;
mod observed;
mod packed;
pub mod representation;
mod sample;
mod shape;
mod store;
pub mod variables;
mod word;

pub use codec::*;
pub use fixed::{Fixed, LARGEST_LIKE, PackedState};
pub use large::Large;
pub use number::{AnyCost, NoNumber, Number, RuleCost, Uncounted};
pub use packed::Packed;
pub use sample::Sample;
pub use store::PackedStore;
pub use word::{Word, kind};
