//! The language server, driven as an editor drives it.

mod client;
mod editing;
mod findings;
mod protocol;
mod requests;
