//! The server behind `zug serve`: a page, the rule files it may open, and a WebSocket for each tab.
//!
//! What a tab asks for is a *job*: one process of zug ([`job`]) that gets the question as a line of
//! JSON and answers with lines of JSON, which go to the tab as they come. So what rules do (loop, take
//! all memory, crash) ends with their process. The server knows no rules: it takes the name of a file out
//! of a question, sees that it is one of those it may open, and hands the rest on.
//!
//! A page in another window of the browser must get at none of it ([`guard`]). All that the page consists
//! of is in the program ([`site`]).
//!
//! **Invariants.** A job belongs to a connection: when that is lost, or the server ends, its process is
//! ended. Nothing waits without an end for a process or for a tab.

mod connections;
mod files;
mod guard;
mod job;
mod kept;
mod previews;
mod site;
mod socket;

pub use files::{Library, NotSaved};

use guard::Guard;
use kept::KeptPages;
use previews::Previews;
use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// How often a signal is looked for.
const POLL: Duration = Duration::from_millis(100);
/// How long connections have to end in.
const GRACE: Duration = Duration::from_secs(2);

/// What is served, and to whom.
pub struct Config {
    /// The address and the port; port 0 takes one that is free.
    pub address: SocketAddr,
    /// Names by which the server may be called besides `localhost` and addresses.
    pub names: Vec<String>,
    /// Who comes must know this.
    pub token: Option<String>,
    /// The rule files.
    pub library: Library,
    /// The program that runs rules, and its arguments.
    pub worker: (PathBuf, Vec<OsString>),
    /// Jobs that run at once; others wait.
    pub jobs: usize,
}

/// What all connections share.
struct Server {
    guard: Guard,
    library: Library,
    worker: (PathBuf, Vec<OsString>),
    /// Room for long work, and for what is answered at once.
    long: Arc<Semaphore>,
    short: Arc<Semaphore>,
    kept: KeptPages,
    previews: Previews,
    /// Tells this run of the server from the one before it.
    run: String,
    closing: watch::Receiver<bool>,
}

/// Serves until `stop` is set. `ready` is told the address when connections are taken.
///
/// # Errors
/// The address can't be had, or the system fails.
pub fn serve(config: Config, stop: &AtomicBool, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve_until(config, stop, ready));
    runtime.shutdown_timeout(GRACE);
    served
}

async fn serve_until(
    config: Config,
    stop: &AtomicBool,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let listener = TcpListener::bind(config.address).await?;
    let address = listener.local_addr()?;
    let (close, closing) = watch::channel(false);
    let server = Arc::new(Server {
        guard: Guard::new(address, config.names, config.token),
        library: config.library,
        worker: config.worker,
        long: Arc::new(Semaphore::new(config.jobs.max(1))),
        short: Arc::new(Semaphore::new(config.jobs.max(1) + 2)),
        kept: KeptPages::default(),
        previews: Previews::default(),
        run: secret()?,
        closing,
    });
    let ended = server.closing.clone();
    let served = connections::accept(listener, site::routes(server), ended);
    ready(address);
    let stopped = async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(POLL).await;
        }
        let _ = close.send(true);
        // A connection that stays open must not keep the server.
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = served => {}
        () = stopped => {}
    }
    Ok(())
}

/// A text of 32 digits that nobody guesses.
///
/// # Errors
/// The system has no random numbers.
pub fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
