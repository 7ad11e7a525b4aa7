//! A command as a process of its own.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

/// Time beyond the command's own limit in which it has to end.
pub const GRACE: Duration = Duration::from_secs(5);
/// Bytes of an answer: what a model can be expected to read.
const MOST: usize = 60_000;

/// A command to be run.
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Path,
    /// Where it runs.
    pub folder: &'a Path,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What it reads.
    pub input: &'a str,
    /// It is killed after this time.
    pub time: Duration,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// What it printed, on both streams.
    pub text: String,
    /// Its exit code; none if it was killed.
    pub exit: Option<i32>,
    /// It was killed since its time was up.
    late: bool,
}

impl Ended {
    /// What the exit code says, in words.
    pub fn meaning(&self) -> &'static str {
        match self.exit {
            Some(0) => "done",
            Some(1) => "no solution, or no answer, or what was asked does not hold",
            Some(2) => "wrong arguments, or a file that can't be read",
            Some(3) => "the rules have errors, or lack a predicate",
            Some(4) => "a limit was reached: nothing is proved",
            Some(5) => "the rules raised an error",
            _ if self.late => "the time was up",
            _ => "the process ended before it could answer, perhaps for want of memory",
        }
    }
}

impl Launch<'_> {
    /// Runs it to its end. Dropped before, the process is killed.
    ///
    /// # Errors
    /// The program can't be started.
    pub async fn run(self) -> io::Result<Ended> {
        let mut child = Command::new(self.program)
            .args(&self.arguments)
            .current_dir(self.folder)
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // Each stream has a task of its own: none may wait for another.
        let input = self.input.to_owned();
        tokio::spawn(async move {
            if let Some(mut stdin) = stdin {
                // What it does not read it has no use for.
                let _ = stdin.write_all(input.as_bytes()).await;
            }
        });
        let told = tokio::spawn(beginning(stdout));
        let complained = tokio::spawn(beginning(stderr));
        let (status, late) = match tokio::time::timeout(self.time, child.wait()).await {
            Ok(status) => (status?, false),
            Err(_) => {
                child.kill().await?;
                (child.wait().await?, true)
            }
        };
        let (told, complained) =
            (told.await.unwrap_or_default(), complained.await.unwrap_or_default());
        let text = [told.trim_end(), complained.trim_end()].join("\n").trim().to_owned();
        Ok(Ended { text, exit: code(status, late), late })
    }
}

fn code(status: ExitStatus, late: bool) -> Option<i32> {
    status.code().filter(|_| !late)
}

/// What a stream has, up to a length; the rest is read and left out.
async fn beginning(stream: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let (mut kept, mut piece, mut left_out) = (Vec::new(), [0; 8192], 0);
    while let Ok(count @ 1..) = stream.read(&mut piece).await {
        let room = count.min(MOST - kept.len());
        kept.extend_from_slice(&piece[..room]);
        left_out += count - room;
    }
    let mut text = String::from_utf8_lossy(&kept).into_owned();
    if left_out > 0 {
        text += &format!("\n({left_out} more bytes are left out)");
    }
    text
}
