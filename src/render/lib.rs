//! How findings and results look: the only layer that knows colour.
//!
//! Everything here turns data into text; nothing reads or writes a stream.

pub mod answer;
pub mod base;
pub mod batch;
pub mod board;
pub mod certificate;
pub mod check;
pub mod choices;
pub mod code_use;
pub mod compare;
pub mod contest;
pub mod diagnostic;
pub mod doc;
pub mod engines;
pub mod explain;
pub mod found;
pub mod game;
pub mod generate;
pub mod heuristics;
pub mod learn;
pub mod model;
pub mod nash;
pub mod number;
pub mod plans;
pub mod play;
pub mod plot;
pub mod profile;
pub mod puzzle;
pub mod rounds;
pub mod solution;
pub mod space;
pub mod specialise;
pub mod style;
pub mod svg;
pub mod table;
pub mod trace;
pub mod tree;
pub mod try_actions;
pub mod uncaught;
pub mod unit;

#[cfg(test)]
mod diagnostic_tests;
