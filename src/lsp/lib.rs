//! A language server for rule files, over standard input and output.
//!
//! **Invariants.** Rules run in child processes only, in a sandbox, under limits; a child is ended by the next
//! change of its text. Findings are published with the version of the text that was checked, and never of
//! another one. A request that panics is answered with an error, and the server goes on.

mod actions;
mod capabilities;
mod checks;
mod completion;
mod dispatch;
mod documents;
mod findings;
mod hover;
mod known;
mod layout;
mod lenses;
mod main_loop;
mod navigation;
mod positions;
mod rename;
mod server;
mod symbols;
mod tokens;
mod workspace;

pub use main_loop::serve;
