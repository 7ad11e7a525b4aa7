//! How findings and results look: the only layer that knows colour.

pub mod diagnostic;

#[cfg(test)]
mod diagnostic_tests;
