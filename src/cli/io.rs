//! The process's standard streams, as a session takes them.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
#[cfg(unix)]
use zug_machine::StopReason;
#[cfg(unix)]
use zug_prolog::builtins::streams::ReadEnded;

/// Status of a process whose reader went away, as a shell reports it (128 + SIGPIPE).
const PIPE_CLOSED: i32 = 141;

/// What was last written to a terminal did not end its line.
static AMID_LINE: AtomicBool = AtomicBool::new(false);
/// The first write to the standard output that failed: whoever drops the error of a write, the
/// command still ends as one whose results are lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Whether the cursor of the terminal stands behind text.
pub fn is_amid_line() -> bool {
    AMID_LINE.load(Ordering::Relaxed)
}

/// Why some of the results were not written, if so.
pub fn lost() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}

/// The line of progress is on the terminal.
pub static PROGRESS: AtomicBool = AtomicBool::new(false);

/// Takes the line of progress away.
pub fn clear_progress() {
    if PROGRESS.swap(false, Ordering::Relaxed) {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

/// An output whose reader may go away: then the process ends without a word.
pub struct Quiet<W> {
    output: W,
    terminal: bool,
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
        clear_progress();
        let written = self.output.write(bytes);
        let written = self.check(written)?;
        if let Some(last) = bytes.get(..written).and_then(<[u8]>::last).filter(|_| self.terminal) {
            AMID_LINE.store(*last != b'\n', Ordering::Relaxed);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.output.flush();
        self.check(flushed)
    }
}

/// The standard output.
pub fn stdout() -> Quiet<io::Stdout> {
    static TERMINAL: OnceLock<bool> = OnceLock::new();
    let output = io::stdout();
    let terminal = *TERMINAL.get_or_init(|| output.is_terminal());
    Quiet { terminal, results: true, output }
}

/// The standard error output.
pub fn stderr() -> Quiet<io::Stderr> {
    static TERMINAL: OnceLock<bool> = OnceLock::new();
    let output = io::stderr();
    let terminal = *TERMINAL.get_or_init(|| output.is_terminal());
    Quiet { terminal, results: false, output }
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

/// The columns and lines of the terminal that standard output is.
#[cfg(unix)]
fn size() -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    (size.ws_col > 0).then_some((size.ws_col.into(), size.ws_row.into()))
}

#[cfg(not(unix))]
fn size() -> Option<(usize, usize)> {
    None
}

/// How wide output may be: as wide as the terminal, or what `COLUMNS` says of it. In a pipe or a
/// file nothing is too wide.
pub fn columns() -> Option<usize> {
    let (columns, _) = size()?;
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|text| text.trim().parse().ok()).filter(|&columns| columns > 0);
    Some(said.unwrap_or(columns))
}

/// The lines of the terminal, if there is one.
pub fn lines() -> Option<usize> {
    size().map(|(_, lines)| lines).filter(|&lines| lines > 0)
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
