//! The `zug` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    zug::cli::main()
}
