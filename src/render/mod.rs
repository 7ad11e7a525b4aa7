//! How findings and results look: the only layer that knows colour.

pub mod diagnostic;
