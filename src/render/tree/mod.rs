//! Trees and graphs of searches: as indented text, as DOT for Graphviz, as SVG with a layout of
//! our own, as a page that is stepped through.
//!
//! A node is drawn from its [`Label`]; [`labels`] alone decides what a state looks like.

pub mod dot;
mod drawing;
mod fold;
pub mod html;
mod label;
pub mod layers;
pub mod layout;
#[cfg(feature = "png")]
mod png;
pub mod svg;
pub mod text;
mod words;
mod written;

pub use drawing::{Direction, Drawing};
pub use fold::{Folded, for_picture};
pub use label::{LABEL, Label, LabelKind, labels};
pub use written::{Output, TreeOutput, View, file_name, written};
