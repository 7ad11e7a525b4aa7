//! The WebSocket of a tab.
//!
//! | from the tab | |
//! |---|---|
//! | `{"id": 7, "do": "look", "file": "taquin.pl", …}` | begins a job; what is asked is for the worker |
//! | `{"id": 7, "word": "stop"}`, `"more"` | a word to a job |
//! | `{"ping": 1}` | is answered with `{"pong": 1}` |
//!
//! | to the tab | |
//! |---|---|
//! | `{"hello": {"run": …, "version": …}}` | first; another run is another server |
//! | `{"id": 7, "data": {"record": …}}` | a line of the job; the record `end` is the last |

use super::connections::closed;
use super::job::{self, Word};
use super::{Server, files, secret};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc};

/// Bytes of a message from a tab: the text of a file, and what is asked.
pub const LONGEST: usize = 2 * files::MOST_BYTES as usize;
/// Jobs of a tab at a time.
const MOST_JOBS: usize = 32;
/// Lines that wait for a tab.
const WAITING: usize = 64;
/// Work that is over at once: it does not wait for searches of other tabs.
const SHORT: [&str; 4] = ["open", "look", "check", "templates"];

/// Does what a tab asks for until it is gone.
pub async fn attend(server: Arc<Server>, mut socket: WebSocket) {
    let hello = json!({ "hello": { "run": server.run, "version": env!("CARGO_PKG_VERSION") } });
    if socket.send(Message::from(hello.to_string())).await.is_err() {
        return;
    }
    let (lines, mut written) = mpsc::channel::<(u64, String)>(WAITING);
    let mut tab = Tab { server: server.clone(), jobs: HashMap::new(), lines };
    let mut closing = server.closing.clone();
    loop {
        tokio::select! {
            message = socket.recv() => {
                let reply = match message {
                    Some(Ok(Message::Text(text))) => tab.hear(text.as_str()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => None,
                };
                if let Some(reply) = reply
                    && socket.send(Message::from(reply)).await.is_err()
                {
                    return;
                }
            }
            line = written.recv() => {
                let Some((id, line)) = line else { return };
                if line.is_empty() {
                    tab.jobs.remove(&id);
                    continue;
                }
                let data = format!("{{\"id\":{id},\"data\":{line}}}");
                if socket.send(Message::from(data)).await.is_err() {
                    return;
                }
            }
            () = closed(&mut closing) => {
                let frame = CloseFrame { code: close_code::AWAY, reason: "the server ends".into() };
                let _ = socket.send(Message::Close(Some(frame))).await;
                return;
            }
        }
    }
}

/// What a connection has going on.
struct Tab {
    server: Arc<Server>,
    /// The ways to the jobs, by number. A way that is dropped stops its job.
    jobs: HashMap<u64, mpsc::Sender<Word>>,
    /// Lines for the tab; an empty one behind the last of a job.
    lines: mpsc::Sender<(u64, String)>,
}

impl Tab {
    /// Takes a message; the answer to it, if there is one at once.
    fn hear(&mut self, text: &str) -> Option<String> {
        let Ok(mut message) = serde_json::from_str::<Value>(text) else {
            return Some(json!({ "error": "that is no JSON" }).to_string());
        };
        if let Some(ping) = message.get("ping") {
            return Some(json!({ "pong": ping }).to_string());
        }
        let Some(id) = message.get("id").and_then(Value::as_u64) else {
            return Some(json!({ "error": "a message has an id" }).to_string());
        };
        if let Some(word) = message.get("word").and_then(Value::as_str) {
            let word = if word == "more" { Word::More } else { Word::Stop };
            if let Some(job) = self.jobs.get(&id) {
                // A way that is full has words enough.
                let _ = job.try_send(word);
            }
            return None;
        }
        match self.begin(id, &mut message) {
            Ok(()) => None,
            Err(why) => Some(format!("{{\"id\":{id},\"data\":{}}}", job::end("refused", &why))),
        }
    }

    /// Begins a job.
    ///
    /// # Errors
    /// Why there is none, in words.
    fn begin(&mut self, id: u64, question: &mut Value) -> Result<(), String> {
        if self.jobs.contains_key(&id) {
            return Err(format!("job {id} is there already"));
        }
        if self.jobs.len() >= MOST_JOBS {
            return Err("too much is asked for at once".to_owned());
        }
        let name = question.get("file").and_then(Value::as_str).unwrap_or_default();
        let unsaved = question.get("text").is_some_and(Value::is_string);
        let place = self.server.library.find(name);
        if place.is_none() && !(unsaved && self.server.library.is_name(name)) {
            return Err(format!("there is no rule file `{name}` here"));
        }
        let kind = question.get("do").and_then(Value::as_str).unwrap_or_default();
        let room = if SHORT.contains(&kind) { &self.server.short } else { &self.server.long };
        let (way, words) = mpsc::channel(8);
        self.jobs.insert(id, way);
        let job = Job {
            server: self.server.clone(),
            room: room.clone(),
            question: question.take(),
            lines: self.lines.clone(),
            id,
        };
        tokio::spawn(job.run(words));
        Ok(())
    }
}

/// A job that waits for room, and then runs.
struct Job {
    server: Arc<Server>,
    room: Arc<Semaphore>,
    question: Value,
    lines: mpsc::Sender<(u64, String)>,
    id: u64,
}

impl Job {
    async fn run(self, mut words: mpsc::Receiver<Word>) {
        let (tell, mut told) = mpsc::channel::<String>(WAITING);
        let hand_on = async {
            while let Some(line) = told.recv().await {
                let line = self.shown(line);
                if self.lines.send((self.id, line)).await.is_err() {
                    return;
                }
            }
        };
        tokio::join!(self.work(&mut words, tell), hand_on);
        let _ = self.lines.send((self.id, String::new())).await;
    }

    async fn work(&self, words: &mut mpsc::Receiver<Word>, tell: mpsc::Sender<String>) {
        let room = match self.room.try_acquire() {
            Ok(room) => Ok(room),
            Err(_) => {
                let _ = tell.send(json!({ "record": "waiting" }).to_string()).await;
                loop {
                    tokio::select! {
                        room = self.room.acquire() => break room,
                        word = words.recv() => if word != Some(Word::More) {
                            let _ = tell.send(job::end("interrupted", "it had not begun")).await;
                            return;
                        }
                    }
                }
            }
        };
        if room.is_ok() {
            let server = &self.server;
            job::run(&server.worker, server.library.folder(), &self.question, words, &tell).await;
        }
    }

    /// A line as the tab gets it: a page is kept here, and told by its path.
    fn shown(&self, line: String) -> String {
        const PAGE: &str = "{\"record\":\"page\"";
        let page = line.starts_with(PAGE).then(|| serde_json::from_str::<Value>(&line));
        let (Some(Ok(mut record)), Ok(name)) = (page, secret()) else { return line };
        if let Some(Value::String(html)) = record.get_mut("html").map(Value::take) {
            self.server.kept.keep(name.clone(), html);
        }
        if let Some(record) = record.as_object_mut() {
            record.remove("html");
            record.insert("path".to_owned(), format!("/page/{name}").into());
        }
        record.to_string()
    }
}
