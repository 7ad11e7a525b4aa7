//! `zug check` as a child process: first the text alone, then the rules tried out.
//!
//! A change of a text ends the check of the text before. Findings are published under the lock under
//! which changes are noted, so that none is of a text that is gone.

use crate::findings::{Checkable, Found, Report};
use ls_types::notification::{LogMessage, Notification as Notify, PublishDiagnostics};
use ls_types::{LogMessageParams, MessageType, PublishDiagnosticsParams, Uri};
use lsp_server::{Message, Notification};
use rustc_hash::FxHashMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time without a change before a text is looked at.
const PAUSE: Duration = Duration::from_millis(60);
/// Time without a change before its rules are tried out.
const LONG_PAUSE: Duration = Duration::from_millis(300);
/// Children at a time.
const CHILDREN: usize = 2;
/// What a child may take.
const LIMITS: &[&str] = &["--sandbox", "--time", "20s", "--memory", "1G", "--output", "1M"];

/// Sends messages to the editor.
pub type Outbox = Box<dyn Fn(Message) + Send + Sync>;

/// A check that runs, or waits to.
#[derive(Default)]
struct Job {
    state: Mutex<JobState>,
    changed: Condvar,
}

#[derive(Default)]
struct JobState {
    ended: bool,
    child: Option<Child>,
}

/// What is known of a text.
struct Entry {
    version: i32,
    job: Arc<Job>,
    found: Vec<Found>,
    /// The version that was checked last.
    checked: Option<i32>,
}

struct Shared {
    entries: Mutex<FxHashMap<String, Entry>>,
    /// Children that may still be started.
    free: Mutex<usize>,
    freed: Condvar,
    outbox: Outbox,
    program: PathBuf,
}

/// The checks of all open texts.
pub struct Checks {
    shared: Arc<Shared>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half done by a thread that panics: values are replaced whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    /// Ends it, and its child.
    fn end(&self) {
        let mut state = lock(&self.state);
        state.ended = true;
        if let Some(child) = &mut state.child {
            // It may have ended by itself.
            let _ = child.kill();
        }
        self.changed.notify_all();
    }

    fn has_ended(&self) -> bool {
        lock(&self.state).ended
    }

    /// Waits; whether the job still goes on.
    fn pause(&self, time: Duration) -> bool {
        let state = lock(&self.state);
        let waited = self.changed.wait_timeout_while(state, time, |state| !state.ended);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !state.ended
    }
}

impl Checks {
    /// No texts; children are of this program.
    pub fn new(program: &Path, outbox: Outbox) -> Checks {
        let shared = Shared {
            entries: Mutex::new(FxHashMap::default()),
            free: Mutex::new(CHILDREN),
            freed: Condvar::new(),
            outbox,
            program: program.to_owned(),
        };
        Checks { shared: Arc::new(shared) }
    }

    /// Checks a text; a check of what it was before ends.
    pub fn check(&self, text: Checkable) {
        let job = Arc::new(Job::default());
        let key = text.document.uri.to_string();
        let mut entries = lock(&self.shared.entries);
        let old = entries.remove(&key);
        if let Some(old) = &old {
            old.job.end();
        }
        let found = old.map(|old| old.found).unwrap_or_default();
        let entry =
            Entry { version: text.document.version, job: job.clone(), found, checked: None };
        entries.insert(key, entry);
        drop(entries);
        let shared = self.shared.clone();
        let work = move || shared.run(&text, &job);
        let spawned = std::thread::Builder::new().name("check".to_owned()).spawn(work);
        if let Err(error) = spawned {
            self.shared.log(format!("can't check: {error}"));
        }
    }

    /// Ends the check of a text that is closed, and takes its findings off.
    pub fn close(&self, uri: &Uri) {
        let entry = lock(&self.shared.entries).remove(uri.as_str());
        if let Some(entry) = entry {
            entry.job.end();
        }
        self.shared.publish(uri, None, &[]);
    }

    /// The findings of a text, if they are of this version.
    pub fn found(&self, uri: &Uri, version: i32) -> Vec<Found> {
        let entries = lock(&self.shared.entries);
        let entry = entries.get(uri.as_str()).filter(|entry| entry.checked == Some(version));
        entry.map(|entry| entry.found.clone()).unwrap_or_default()
    }

    pub fn end(&self) {
        for entry in lock(&self.shared.entries).values() {
            entry.job.end();
        }
    }
}

impl Shared {
    /// The text alone, and then with its rules.
    fn run(&self, text: &Checkable, job: &Job) {
        for (pause, tried) in [(PAUSE, false), (LONG_PAUSE, true)] {
            if !job.pause(pause) {
                return;
            }
            match self.findings(text, job, tried) {
                _ if job.has_ended() => return,
                Ok(found) => self.store(text, found),
                Err(error) => self.log(format!("zug check: {error}")),
            }
        }
    }

    fn findings(&self, text: &Checkable, job: &Job, tried: bool) -> Result<Vec<Found>, String> {
        let _turn = Turn::of(self);
        let output = self.output(text, job, tried).map_err(|error| error.to_string())?;
        let report: Report =
            serde_json::from_slice(&output).map_err(|error| format!("its output: {error}"))?;
        Ok(report.findings(text))
    }

    fn output(&self, text: &Checkable, job: &Job, tried: bool) -> std::io::Result<Vec<u8>> {
        let mut command = Command::new(&self.program);
        command.args(["check", "--format", "json"]).args(LIMITS);
        if !tried {
            command.arg("--static");
        }
        if text.folder.is_dir() {
            command.current_dir(&text.folder);
        }
        command
            .args(["--unsaved", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let (mut input, mut output);
        {
            let mut state = lock(&job.state);
            if state.ended {
                return Ok(Vec::new());
            }
            let mut child = command.spawn()?;
            (input, output) = (child.stdin.take(), child.stdout.take());
            state.child = Some(child);
        }
        // It reads all of its input before it writes.
        if let Some(input) = &mut input {
            let unsaved = serde_json::to_string(&text.unsaved)? + "\n";
            let written = input
                .write_all(unsaved.as_bytes())
                .and_then(|()| input.write_all(text.document.text().as_bytes()));
            if written.is_err() && !job.has_ended() {
                written?;
            }
        }
        drop(input);
        let mut bytes = Vec::new();
        if let Some(output) = &mut output {
            output.read_to_end(&mut bytes)?;
        }
        let child = lock(&job.state).child.take();
        if let Some(mut child) = child {
            child.wait()?;
        }
        Ok(bytes)
    }

    /// Keeps and publishes findings, if the text is still the one that was checked.
    fn store(&self, text: &Checkable, found: Vec<Found>) {
        let mut entries = lock(&self.entries);
        let document = &text.document;
        let Some(entry) = entries.get_mut(document.uri.as_str()) else { return };
        if entry.version != document.version || entry.job.has_ended() {
            return;
        }
        entry.found = found;
        entry.checked = Some(document.version);
        self.publish(&document.uri, Some(document.version), &entry.found);
    }

    fn publish(&self, uri: &Uri, version: Option<i32>, found: &[Found]) {
        let diagnostics = found.iter().map(|found| found.diagnostic.clone()).collect();
        let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
        (self.outbox)(notification::<PublishDiagnostics>(params));
    }

    fn log(&self, message: String) {
        let params = LogMessageParams { typ: MessageType::WARNING, message };
        (self.outbox)(notification::<LogMessage>(params));
    }
}

/// A message to the editor.
pub fn notification<N: Notify>(params: N::Params) -> Message {
    Message::Notification(Notification::new(N::METHOD.to_owned(), params))
}

/// Leave to run a child, given back at the end.
struct Turn<'s> {
    shared: &'s Shared,
}

impl<'s> Turn<'s> {
    fn of(shared: &'s Shared) -> Turn<'s> {
        let free = lock(&shared.free);
        let waited = shared.freed.wait_while(free, |free| *free == 0);
        *waited.unwrap_or_else(PoisonError::into_inner) -= 1;
        Turn { shared }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *lock(&self.shared.free) += 1;
        self.shared.freed.notify_one();
    }
}
