//! The command `zug` as a user has it: run with arguments, at a prompt, on a pipe, until something
//! goes wrong around it.

mod bases;
mod check;
mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod dependencies;
mod documents;
#[cfg(unix)]
mod faults;
mod fmt;
mod gateway;
mod json;
mod layers;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(unix)]
mod mixed;
mod repl;
#[cfg(unix)]
mod sandbox;
#[cfg(feature = "serve")]
mod serve;
mod tree_page;
mod why;
