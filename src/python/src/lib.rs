//! The Python package `zug`, as far as it is Rust: the module `zug._zug`.
//!
//! What is found is handed over as plain data: answers as Python objects, reports as the JSON that
//! the command writes, of which the package makes dataclasses. The interpreter is free while rules
//! run ([`watched`]), and Ctrl-C stops them.

mod arena;
mod asked;
mod batch;
mod commands;
mod errors;
mod progress;
mod session;
mod state;
mod terms;
mod watched;

use pyo3::prelude::*;

/// Rules, queries, reports, environments.
#[pymodule]
mod _zug {
    use crate::commands;
    use crate::watched::watched;
    use pyo3::prelude::*;
    use std::path::PathBuf;
    use std::sync::Arc;

    #[pymodule_export]
    use super::arena::PyArena;
    #[pymodule_export]
    use super::batch::PyBatch;
    #[pymodule_export]
    use super::session::{PyQuery, PySession};
    #[pymodule_export]
    use super::state::PyState;

    /// The search engines: a record of JSON for each.
    #[pyfunction]
    fn engines() -> Vec<String> {
        commands::engines()
    }

    /// The text of a rule file to begin with.
    #[pyfunction]
    fn template(kind: &str, file: &str) -> PyResult<String> {
        Ok(commands::template(kind, file)?)
    }

    /// What is in a base: a record of JSON.
    #[pyfunction]
    fn db_info(py: Python<'_>, path: PathBuf) -> PyResult<String> {
        let flag = Arc::default();
        Ok(watched(py, &flag, || commands::base_info(&path, &flag))??)
    }

    /// Reads all of a base: a record of JSON.
    #[pyfunction]
    fn db_check(py: Python<'_>, path: PathBuf) -> PyResult<String> {
        let flag = Arc::default();
        Ok(watched(py, &flag, || commands::check_base(&path, &flag))??)
    }

    /// The version of zug.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "a name of Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
