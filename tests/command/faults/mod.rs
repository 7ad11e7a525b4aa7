//! What happens when something goes wrong around zug: it is killed, interrupted, the disk is
//! full, the reader of its output goes away, files can't be read or written, memory runs out.
//! The real binary runs, on files of [`mixed`](crate::command::mixed).
//!
//! Nothing here asserts times; [`finish`] only has an end for what hangs.

mod batches;
mod disk;
mod memory;
mod permissions;
mod pipes;
mod signals;

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// After this long a process hangs.
const HANGS: Duration = Duration::from_secs(60);

/// A command that writes into pipes.
fn zug(arguments: &[&str]) -> Command {
    let mut zug = crate::support::zug(arguments);
    zug.stdout(Stdio::piped()).stderr(Stdio::piped());
    zug
}

/// What a command writes and ends with, or a panic if it hangs.
fn run(arguments: &[&str]) -> Output {
    finish(zug(arguments).spawn().expect("zug starts"), &format!("{arguments:?}"))
}

fn finish(mut child: Child, what: &str) -> Output {
    let out = drain(child.stdout.take());
    let errors = drain(child.stderr.take());
    let status = wait(&mut child, what);
    let all = |reader: std::thread::JoinHandle<Vec<u8>>| reader.join().expect("no panic");
    Output { status, stdout: all(out), stderr: all(errors) }
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait(child: &mut Child, what: &str) -> std::process::ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if began.elapsed() > HANGS {
            let _ = child.kill();
            panic!("{what}: hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}

/// Holds that a command came to an end of its own, and how.
fn ended(what: &str, output: &Output, codes: &[i32]) {
    let errors = text(&output.stderr);
    let code = output.status.code();
    assert!(
        code.is_some_and(|code| codes.contains(&code)),
        "{what}: {:?}: {errors}",
        output.status
    );
    assert!(!errors.contains("panicked") && !errors.contains("bug in zug"), "{what}: {errors}");
}

/// A word on what this machine can't do.
#[expect(clippy::print_stderr, reason = "a test says what it leaves out")]
fn skipped(why: &str) {
    eprintln!("left out: {why}");
}

/// Whether the tests run as the user who may do everything.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0)
}
