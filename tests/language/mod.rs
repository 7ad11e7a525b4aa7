//! The rule language and its library, asked in a session: no engine, no command line.

mod captured;

mod cleanups;
mod mutations;
mod odd_arguments;
mod tabled_datalog;
mod tables;
mod tracer;
