//! How findings and results look: the only layer that knows colour.
//!
//! Everything here turns data into text; nothing reads or writes a stream.

pub mod answer;
pub mod diagnostic;
pub mod engines;
pub mod number;
pub mod space;
pub mod solution;
pub mod style;
pub mod uncaught;
