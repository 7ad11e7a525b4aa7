//! A job: a process that gets a question as a line of JSON and answers with lines of JSON.
//!
//! The process reads further lines: `more` for the next answer, `stop` to end as soon as it can and say
//! what it has. Its last line is the record `end`. Where it ends without one, or does not heed a stop, the
//! record is made here.

use serde_json::{Value, json};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// How long a process has to heed a stop.
const PATIENCE: Duration = Duration::from_secs(3);
/// Bytes of a line: a page with a large tree has some.
const LONGEST: u64 = 128 << 20;
/// Bytes at the end of what a process said that are told when it failed.
const LAST_WORDS: usize = 2000;

/// What a tab says to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The next answer is wanted.
    More,
    /// It is to end.
    Stop,
}

/// Runs a job to its end. `tell` gets every line.
pub async fn run(
    (program, arguments): &(PathBuf, Vec<OsString>),
    folder: &Path,
    question: &Value,
    words: &mut mpsc::Receiver<Word>,
    tell: &mpsc::Sender<String>,
) {
    let started = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let ended = match started {
        Ok(child) => answer(child, question, words, tell).await,
        Err(error) => Err(format!("zug can't be started: {error}")),
    };
    if let Err(message) = ended {
        let _ = tell.send(end("lost", &message)).await;
    }
}

/// The record of a job that ended in another way than its process says.
pub fn end(outcome: &str, message: &str) -> String {
    json!({ "record": "end", "outcome": outcome, "error": { "message": message } }).to_string()
}

/// Hands the lines of a process on until it has ended.
///
/// # Errors
/// In words, if it said nothing of its end.
async fn answer(
    mut child: Child,
    question: &Value,
    words: &mut mpsc::Receiver<Word>,
    tell: &mpsc::Sender<String>,
) -> Result<(), String> {
    let (Some(mut input), Some(output), Some(errors)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err("zug has no pipes".to_owned());
    };
    let last_words = tokio::spawn(last_words(errors));
    let mut lines = BufReader::new(output);
    // What it does not read it has no use for: its end tells more.
    let _ = input.write_all(format!("{question}\n").as_bytes()).await;
    let mut closed = false;
    let mut deadline = None;
    let mut said_end = false;
    let mut line = Vec::new();
    loop {
        let late = sleep_until(deadline.unwrap_or_else(Instant::now));
        tokio::select! {
            read = read_line(&mut lines, &mut line) => match read {
                Ok(true) => {
                    let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                    line.clear();
                    said_end |= text.starts_with("{\"record\":\"end\"");
                    if tell.send(text).await.is_err() {
                        return Ok(());
                    }
                }
                Ok(false) => break,
                Err(error) => return Err(error.to_string()),
            },
            word = words.recv(), if !closed => match word {
                Some(Word::More) => {
                    let _ = input.write_all(b"more\n").await;
                }
                // A tab that is gone wants nothing more either.
                word => {
                    closed = word.is_none();
                    let _ = input.write_all(b"stop\n").await;
                    deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
                }
            },
            () = late, if deadline.is_some() => {
                let _ = child.kill().await;
                let _ = tell.send(end("interrupted", "it did not heed the stop and was ended")).await;
                return Ok(());
            }
        }
    }
    drop(input);
    let status = child.wait().await.map_err(|error| error.to_string())?;
    if said_end {
        return Ok(());
    }
    Err(lost(status, &last_words.await.unwrap_or_default()))
}

/// Reads a line into `line`, which keeps what was read if this is left; whether there is one.
async fn read_line(
    lines: &mut (impl AsyncBufReadExt + Unpin),
    line: &mut Vec<u8>,
) -> io::Result<bool> {
    let room = LONGEST.saturating_sub(line.len() as u64);
    lines.take(room).read_until(b'\n', line).await?;
    if line.len() as u64 >= LONGEST {
        return Err(io::Error::other("a line of the answer is too long"));
    }
    Ok(line.ends_with(b"\n"))
}

/// The last words of a process on standard error.
async fn last_words(mut errors: ChildStderr) -> String {
    let (mut said, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = errors.read(&mut piece).await {
        said.extend_from_slice(&piece[..count]);
        let over = said.len().saturating_sub(LAST_WORDS);
        said.drain(..over);
    }
    String::from_utf8_lossy(&said).trim().to_owned()
}

fn lost(status: ExitStatus, last_words: &str) -> String {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let how = match (signal, status.code()) {
        (Some(9), _) => "it was killed, perhaps since there was no memory left".to_owned(),
        (Some(signal), _) => format!("signal {signal} ended it"),
        (_, Some(code)) => format!("its exit code is {code}"),
        _ => "nobody knows why".to_owned(),
    };
    let words = if last_words.is_empty() { String::new() } else { format!(": {last_words}") };
    format!("the process that ran the rules is gone; {how}{words}")
}
