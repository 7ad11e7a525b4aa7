//! `check`: what is wrong with a rule file, what kind of domain it is, which engines apply.

use super::Failure;
use crate::check::{self, Checked};
use crate::session::{LoadError, Session};
use std::path::Path;

/// Loads a file, faults and all, and checks it.
///
/// # Errors
/// It can't be read, or stops the load.
pub fn check(session: &mut Session, file: &Path) -> Result<Checked, Failure> {
    match session.load_file(file) {
        Ok(findings) => Ok(check::program(session, findings)),
        Err(LoadError::Io(error)) => Err(Failure::Unreadable(error)),
        Err(LoadError::Stopped(fault, findings)) => Err(Failure::load(session, fault, findings)),
    }
}

/// The exit code of the command: 3 if there are errors.
pub fn exit_code(checked: &Checked) -> i32 {
    if checked.findings.iter().any(crate::diagnostic::Diagnostic::is_error) { 3 } else { 0 }
}
