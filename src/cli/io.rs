//! The process's standard streams, as a session takes them.

#[cfg(unix)]
use crate::builtins::streams::ReadEnded;
#[cfg(unix)]
use crate::machine::StopReason;
use std::io::{self, Read, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Status of a process whose reader went away, as a shell reports it (128 + SIGPIPE).
const PIPE_CLOSED: i32 = 141;

/// The first write to the standard output that failed: whoever drops the error of a write, the
/// command still ends as one whose results are lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Why some of the results were not written, if so.
pub fn lost() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}

/// An output whose reader may go away: then the process ends without a word.
pub struct Quiet<W> {
    inner: W,
    /// What is written there are the results.
    results: bool,
}

impl<W> Quiet<W> {
    fn check<T>(&self, result: io::Result<T>) -> io::Result<T> {
        match &result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                std::process::exit(PIPE_CLOSED)
            }
            Err(error) if self.results && error.kind() != io::ErrorKind::Interrupted => {
                let _ = LOST.set(error.to_string());
            }
            _ => {}
        }
        result
    }
}

impl<W: Write> Write for Quiet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes);
        self.check(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        self.check(flushed)
    }
}

/// The standard output.
pub fn stdout() -> Quiet<io::Stdout> {
    Quiet { inner: io::stdout(), results: true }
}

/// The standard error output.
pub fn stderr() -> Quiet<io::Stderr> {
    Quiet { inner: io::stderr(), results: false }
}

/// Whether colours are wanted on standard output and standard error: on a
/// terminal, unless `NO_COLOR` is set; anywhere, if `CLICOLOR_FORCE` is.
pub fn colours() -> (bool, bool) {
    let wanted = |choice| !matches!(choice, anstream::ColorChoice::Never);
    (
        wanted(anstream::AutoStream::choice(&io::stdout())),
        wanted(anstream::AutoStream::choice(&io::stderr())),
    )
}

/// The standard input as one that Ctrl-C and limits of time can take a reading query away from.
pub struct Keyboard {
    input: io::Stdin,
    #[cfg_attr(not(unix), expect(dead_code, reason = "there is nothing to wait with"))]
    interrupt: Arc<AtomicBool>,
}

impl Keyboard {
    /// The standard input; reading fails once `interrupt` is set, and for the moment with
    /// [`io::ErrorKind::WouldBlock`] while there is nothing to read.
    pub fn new(interrupt: Arc<AtomicBool>) -> Keyboard {
        Keyboard { input: io::stdin(), interrupt }
    }

    /// Waits a little for input.
    #[cfg(unix)]
    fn wait(&self) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use std::sync::atomic::Ordering;
        /// Time between two looks at flag and limits.
        const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(io::Error::other(ReadEnded::Stopped(StopReason::Interrupted)));
        }
        let mut fds = [PollFd::new(&self.input, PollFlags::IN)];
        match poll(&mut fds, Some(&PATIENCE)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => Err(io::ErrorKind::WouldBlock.into()),
            Ok(_) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(unix))]
    fn wait(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Keyboard {
    /// Reads what is there. Past the buffer of the standard library: waiting does not see what
    /// is in it.
    #[cfg(unix)]
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.wait()?;
        Ok(rustix::io::read(&self.input, bytes)?)
    }

    #[cfg(not(unix))]
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.wait()?;
        self.input.read(bytes)
    }
}
