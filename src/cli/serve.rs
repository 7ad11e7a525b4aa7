//! `zug serve`: rule files in the browser.

use super::serve_args::ServeArgs;
use super::{Exit, complain, fail, memory, own_program, print, worker};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_serve::{Config, Library, secret, serve};

/// The port unless another one is asked for.
const PORT: u16 = 7340;
/// Jobs at once beyond which more would only make each slower.
const MOST_JOBS: usize = 8;

/// Runs the command.
pub fn run(args: &ServeArgs, flag: &Arc<AtomicBool>) -> Exit {
    if args.worker {
        return worker::run(args, flag);
    }
    let path = args.path.clone().unwrap_or_else(usual_folder);
    let Some(library) = library(&path) else { return Exit::Usage };
    let token = (!args.no_token || !args.host.is_loopback()).then(secret).transpose();
    let (program, token) = match (own_program(), token) {
        (Ok(program), Ok(token)) => (program, token),
        (Err(error), _) | (_, Err(error)) => {
            fail("io", &error.to_string());
            return Exit::Error;
        }
    };
    let jobs = jobs(args);
    let config = |port| Config {
        address: SocketAddr::new(args.host, port),
        names: args.name.clone(),
        token: token.clone(),
        library: library.clone(),
        worker: (program.clone(), worker_arguments(args, jobs)),
        jobs: jobs.get(),
    };
    let ready = |address| welcome(args, &library, address, token.as_deref());
    let mut served = serve(config(args.port.unwrap_or(PORT)), flag, ready);
    let taken = |served: &std::io::Result<()>| {
        served.as_ref().is_err_and(|error| error.kind() == ErrorKind::AddrInUse)
    };
    if args.port.is_none() && taken(&served) {
        served = serve(config(0), flag, ready);
    }
    match served {
        Ok(()) => Exit::Success,
        Err(error) => {
            let port = args.port.unwrap_or(PORT);
            fail("io", &unserved(SocketAddr::new(args.host, port), &error));
            Exit::Error
        }
    }
}

/// The rule files of a path; `None`, if it can't be opened, which is told.
pub(super) fn library(path: &Path) -> Option<Library> {
    let opened = Library::new(path);
    let told = |error| fail("unreadable", &format!("can't open `{}`: {error}", path.display()));
    opened.map_err(told).ok()
}

/// The rules that come with zug if they are here, else this folder.
fn usual_folder() -> PathBuf {
    let rules = Path::new("rules");
    if rules.is_dir() { rules } else { Path::new(".") }.to_owned()
}

fn jobs(args: &ServeArgs) -> NonZeroUsize {
    let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let usual = NonZeroUsize::new(processors.get().clamp(2, MOST_JOBS)).unwrap_or(processors);
    args.jobs.unwrap_or(usual)
}

/// How a process of the server is told its limits.
fn worker_arguments(args: &ServeArgs, jobs: NonZeroUsize) -> Vec<OsString> {
    let memory = args.memory.unwrap_or_else(|| memory::share(jobs));
    let time = format!("{}ms", args.time.as_millis());
    let mut all = vec!["serve".into(), "--worker".into(), "--time".into(), time.into()];
    all.extend(["--memory".into(), memory.to_string().into()]);
    all.extend(args.sandbox.unwanted().then(|| "--no-sandbox".into()));
    all.extend(args.sandbox.iso().then(|| "--iso".into()));
    all
}

/// Says where the page is, and opens it if that is asked for.
fn welcome(args: &ServeArgs, library: &Library, address: SocketAddr, token: Option<&str>) {
    let token = token.map_or(String::new(), |token| format!("?token={token}"));
    let url = format!("http://{address}/{token}");
    print(&format!("zug serves {} at\n  {url}\nCtrl-C ends it.\n", library.folder().display()));
    if args.sandbox.unwanted() {
        complain("without the sandbox rules can do whatever you can: serve only rules you trust");
    }
    if args.open && !open_browser(&url) {
        complain("no browser could be opened: open the address yourself");
    }
}

/// Opens an address in the browser; whether there is one to try.
fn open_browser(url: &str) -> bool {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let quiet = Stdio::null;
    Command::new(program).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
}

fn unserved(address: SocketAddr, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::AddrInUse => {
            format!("{address} is taken; another --port, or --port 0 for one that is free")
        }
        ErrorKind::AddrNotAvailable => {
            format!("this machine has no address {}; --host takes one that it has", address.ip())
        }
        ErrorKind::PermissionDenied => {
            format!("port {} is not for everybody; ports from 1024 on are", address.port())
        }
        _ => format!("can't serve at {address}: {error}"),
    }
}
