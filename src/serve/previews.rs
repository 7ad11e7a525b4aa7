//! Previews of rule files for the gallery: a job for each file, cached by its content.
//!
//! **Invariants.** A preview ends within [`PATIENCE`], whatever the file does. A file whose content has not
//! changed is loaded once.

use super::job;
use super::{Library, Server};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

/// Seconds in which a file has to load and draw its first state.
const SECONDS: f64 = 3.0;
/// The time after which its process is ended.
const PATIENCE: Duration = Duration::from_secs(8);
/// Previews that are made at once.
const AT_ONCE: usize = 2;
/// Previews in the cache.
const MOST: usize = 4000;

/// The previews, by name and content.
pub struct Previews {
    made: Mutex<HashMap<(String, String), Value>>,
    room: Semaphore,
}

impl Default for Previews {
    fn default() -> Previews {
        Previews { made: Mutex::default(), room: Semaphore::new(AT_ONCE) }
    }
}

impl Previews {
    /// The preview of a file: the record `preview`, or the record `end` of a file that fails to load.
    ///
    /// # Errors
    /// The file is not there, or can't be read.
    pub async fn of(&self, server: &Server, name: &str) -> io::Result<Value> {
        let key = (name.to_owned(), version(&server.library, name).await?);
        if let Some(known) = self.made.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let room = self.room.acquire().await;
        let made = match room {
            Ok(_room) => timeout(PATIENCE, make(server, name)).await,
            Err(_) => Ok(Value::Null),
        };
        let late = || json!({ "record": "end", "outcome": "stopped", "error": { "message": "it takes too long to load" } });
        let made = made.unwrap_or_else(|_| late());
        let mut known = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, made.clone());
        Ok(made)
    }
}

/// The version of a file.
async fn version(library: &Library, name: &str) -> io::Result<String> {
    let (library, name) = (library.clone(), name.to_owned());
    let read = tokio::task::spawn_blocking(move || library.open(&name)).await;
    Ok(read.map_err(io::Error::other)??.version)
}

/// Runs the job of a preview. Its process ends when this is dropped.
async fn make(server: &Server, name: &str) -> Value {
    let question = json!({ "do": "preview", "file": name, "seconds": SECONDS });
    // Nobody stops it: the sender stays until the job has ended.
    let (_stop, mut words) = mpsc::channel(1);
    let (tell, mut lines) = mpsc::channel::<String>(16);
    let found = async {
        let mut found = Value::Null;
        while let Some(line) = lines.recv().await {
            let record: Value = serde_json::from_str(&line).unwrap_or_default();
            let is_preview = found["record"] == "preview";
            if record["record"] == "preview" || (record["record"] == "end" && !is_preview) {
                found = record;
            }
        }
        found
    };
    let run = async {
        job::run(&server.worker, server.library.folder(), &question, &mut words, &tell).await;
        drop(tell);
    };
    tokio::join!(run, found).1
}
