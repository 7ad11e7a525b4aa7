//! `zug lsp`: serves editors.

use super::guide_args::LspArgs;
use super::{Exit, fail};

/// Runs the command: until the editor says that it ends.
pub fn run(_: &LspArgs) -> Exit {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            fail("unreadable", &format!("can't find the program itself: {error}"));
            return Exit::Error;
        }
    };
    match zug_lsp::serve(&program) {
        Ok(true) => Exit::Success,
        // It was not told to end before it was left.
        Ok(false) => Exit::Failure,
        Err(error) => {
            fail("protocol", &error.to_string());
            Exit::Error
        }
    }
}
