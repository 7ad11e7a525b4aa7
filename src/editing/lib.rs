//! What an editor needs of the text of rule files, without running them.
//!
//! [`reading`] takes a text apart: clauses, their tokens, what each name is. [`mod@format`] lays the
//! text out anew. Everything here works on a text as it is being written: what can't be read
//! is left alone, and what stands around it is not lost.
//!
//! Invariants: nothing is run, nothing is written, and no file is read but through [`Files`].

pub mod directives;
pub mod format;
pub mod reading;

pub use directives::{Files, NoFiles};
pub use format::format;
pub use reading::{Clause, Reading};
