//! What an editor needs of the text of rule files, without running them.
//!
//! [`reading`] takes a text apart: clauses, their tokens, what each name is. [`mod@format`] lays the
//! text out again. [`outline`] finds the predicates and variables. Everything here works on a text as it is being written: what can't be read
//! is left alone, and what stands around it is not lost.
//!
//! Invariants: nothing is run, nothing is written, and no file is read but through [`Files`].

mod changes;
pub mod directives;
pub mod format;
pub mod outline;
pub mod reading;

pub use changes::changes;
pub use directives::{Files, NoFiles};
pub use format::format;
pub use outline::Outline;
pub use reading::{Clause, Reading};
