//! Long work beside the interpreter, which stays free for others and for Ctrl-C.

use crate::errors::Trouble;
use crate::progress::Tell;
use pyo3::exceptions::{PyRuntimeError, PyStopIteration};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

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
    told(py, flag, (None, None), |_| work())
}

/// As [`watched`], for at most `time` seconds; then it raises a `LimitError`.
pub(crate) fn watched_for<T: Send>(
    py: Python<'_>,
    flag: &Arc<AtomicBool>,
    time: Option<f64>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    told(py, flag, (None, time.and_then(|time| Instant::now().checked_add(time))), |_| work())
}

/// As [`watched`], up to a deadline, with a function that is called with what the work reports of its progress, in the
/// thread of the caller. The work waits for it. What it raises ends the work and is raised then, but for
/// `StopIteration`, after which what was found by then is the result.
pub(crate) fn told<T: Send>(
    py: Python<'_>,
    flag: &Arc<AtomicBool>,
    (progress, deadline): (Option<&Py<PyAny>>, Option<Instant>),
    work: impl FnOnce(Option<Tell>) -> T + Send,
) -> PyResult<T> {
    let is_told = progress.is_some();
    py.detach(|| {
        scope(|scope| {
            let (sender, receiver) = sync_channel::<String>(1);
            let (heard, answers) = sync_channel::<()>(1);
            let spawned = Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let tell = is_told.then(|| {
                    let sender = sender.clone();
                    let tell = move |record| {
                        // Nobody listens only where this thread is not waited for any more.
                        let _ = sender.send(record).map(|()| answers.recv());
                    };
                    Box::new(tell) as Tell
                });
                let done = work(tell);
                drop(sender);
                done
            });
            let worker = spawned.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            let (mut raised, mut is_over) = (None, false);
            loop {
                let told = match receiver.recv_timeout(LOOK) {
                    Ok(record) => Some(record),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                let is_record = told.is_some();
                if !is_over {
                    let looked = Python::attach(|py| {
                        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                            return Err(Trouble::new("LimitError", "the time is up").into());
                        }
                        if let (Some(record), Some(progress)) = (told, progress) {
                            progress.call1(py, (record,))?;
                        }
                        py.check_signals()
                    });
                    if let Err(error) = looked {
                        flag.store(true, Ordering::Relaxed);
                        is_over = true;
                        let quiet =
                            Python::attach(|py| error.is_instance_of::<PyStopIteration>(py));
                        raised = (!quiet).then_some(error);
                    }
                }
                if is_record {
                    let _ = heard.send(());
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
