//! A command as a process of its own.

use super::answer::Answer;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

/// Time beyond the command's own limit in which it has to end.
pub const GRACE: Duration = Duration::from_secs(5);
/// Time after which a process gives way to those that began later.
const SHORT: Duration = Duration::from_secs(1);
/// How far it gives way: nine to one for the processor, on Linux.
#[cfg(unix)]
const NICE: i32 = 10;
/// Bytes of one record that are read, and bytes of text that is no record.
const MOST_RECORD: usize = 8 << 20;
const MOST_TEXT: usize = 60_000;

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

/// What a command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Records, one a line.
    Records,
    /// A text for people.
    Text,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// Its records.
    pub answer: Answer,
    /// Its text.
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
            _ if self.answer.outcome == "halted" => "the rules called halt, which is no result",
            Some(0) => "done",
            Some(1) => "no solution, or no answer, or the statement does not hold",
            Some(2) => "wrong arguments, an illegal move, or a file that can't be read",
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
    pub async fn run(self, writes: Writes) -> io::Result<Ended> {
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
                // A command that ends early leaves the rest unread.
                let _ = stdin.write_all(input.as_bytes()).await;
            }
        });
        let written = tokio::spawn(async move {
            match writes {
                Writes::Records => (records(stdout).await, String::new()),
                Writes::Text => (Answer::default(), beginning(stdout).await),
            }
        });
        let complaints = tokio::spawn(beginning(stderr));
        let (short, rest) = (SHORT.min(self.time), self.time.saturating_sub(SHORT));
        let mut waited = tokio::time::timeout(short, child.wait()).await;
        if waited.is_err() {
            give_way(child.id());
            waited = tokio::time::timeout(rest, child.wait()).await;
        }
        let (status, late) = match waited {
            Ok(status) => (status?, false),
            Err(_) => {
                child.kill().await?;
                (child.wait().await?, true)
            }
        };
        let (answer, text) = written.await.unwrap_or_default();
        let complaints = complaints.await.unwrap_or_default();
        let text = match writes {
            // The records have all of it.
            Writes::Records => String::new(),
            Writes::Text => [text.trim_end(), complaints.trim_end()].join("\n").trim().to_owned(),
        };
        Ok(Ended { answer, text, exit: status.code().filter(|_| !late), late })
    }
}

/// Has a process yield to others, so that short calls never wait for long ones.
fn give_way(process: Option<u32>) {
    #[cfg(unix)]
    if let Some(process) = process.and_then(|id| rustix::process::Pid::from_raw(id as i32)) {
        // Without it the call is as good, and others are slower.
        let _ = rustix::process::setpriority_process(Some(process), NICE);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// The records of a stream; of one that is too long, or of too many, the rest is read and left out.
async fn records(stream: Option<impl AsyncRead + Unpin>) -> Answer {
    let mut answer = Answer::default();
    let Some(stream) = stream else { return answer };
    let mut stream = BufReader::with_capacity(1 << 16, stream);
    let (mut line, mut too_long) = (Vec::new(), false);
    loop {
        let piece = match stream.fill_buf().await {
            Ok([]) | Err(_) => return answer,
            Ok(piece) => piece,
        };
        let end = piece.iter().position(|&byte| byte == b'\n');
        let count = end.unwrap_or(piece.len());
        too_long |= line.len() + count > MOST_RECORD;
        if !too_long {
            line.extend_from_slice(&piece[..count]);
        }
        stream.consume(count + usize::from(end.is_some()));
        if end.is_none() {
            continue;
        }
        if too_long {
            answer.results_omitted += 1;
        } else {
            answer.take(&String::from_utf8_lossy(&line));
        }
        line.clear();
        too_long = false;
    }
}

/// What a stream has, up to a length; the rest is read and left out.
async fn beginning(stream: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let (mut kept, mut piece, mut left_out) = (Vec::new(), [0; 8192], 0);
    while let Ok(count @ 1..) = stream.read(&mut piece).await {
        let room = count.min(MOST_TEXT - kept.len());
        kept.extend_from_slice(&piece[..room]);
        left_out += count - room;
    }
    let mut text = String::from_utf8_lossy(&kept).into_owned();
    if left_out > 0 {
        text += &format!("\n({left_out} more bytes are left out)");
    }
    text
}
