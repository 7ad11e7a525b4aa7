//! Sessions for tests.

use zug_prolog::builtins::streams::SharedBuffer;
use zug_prolog::{Extension, Session};

const EXTENSIONS: &[Extension] = &[crate::EXTENSION, zug_explain::EXTENSION];

/// A session that reads the given text and keeps what is written.
pub fn captured(input: &str) -> (Session, SharedBuffer) {
    Session::captured(EXTENSIONS, input)
}
