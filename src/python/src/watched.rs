//! Long work beside the interpreter, which stays free for others and for Ctrl-C.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::{Builder, scope};
use std::time::Duration;

/// Time between two looks whether there was a signal.
const LOOK: Duration = Duration::from_millis(50);
/// Stack of the thread that works: as much as the main thread of a process has.
const STACK: usize = 8 << 20;

/// Does some work in a thread of its own, without the interpreter. A signal that Python answers with
/// an exception, as Ctrl-C with `KeyboardInterrupt`, sets the flag, and is raised when the work has ended.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    flag: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        scope(|scope| {
            let (sender, receiver) = sync_channel::<()>(1);
            let spawned = Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let done = work();
                drop(sender);
                done
            });
            let worker = spawned.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            let mut raised = None;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(LOOK) {
                if raised.is_none()
                    && let Err(signal) = Python::attach(|py| py.check_signals())
                {
                    flag.store(true, Ordering::Relaxed);
                    raised = Some(signal);
                }
            }
            let done = worker.join();
            flag.store(false, Ordering::Relaxed);
            match (raised, done) {
                (Some(signal), _) => Err(signal),
                (None, Ok(done)) => Ok(done),
                (None, Err(_)) => {
                    Err(PyRuntimeError::new_err("a bug in zug: the work has panicked"))
                }
            }
        })
    })
}
