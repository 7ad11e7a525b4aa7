//! The `zug` command.
fn main() {}
