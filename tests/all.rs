//! Tests of zug from outside: the public interface and the command.
//!
//! They are one program, because linking each of them takes longer than running it. `cargo test --test all
//! certificates` runs those of one module. Tests run side by side in threads of one process; a test that needs a
//! process of its own runs in [`support::alone`].

mod support;

mod certificates;
mod command;
mod constraints;
mod engines;
mod hostile_arguments;
mod language;
mod limits;
mod lsp;
mod programs;
mod runaway;
#[cfg(feature = "schema")]
mod schema;
