//! `batch`: many rule files in one go, by several threads, each file in a session of its own.
//!
//! What a file comes to is a [`Group`] of lines. Groups are given on in the order of the input,
//! whatever number of workers there is, and hold nothing that another run would have otherwise;
//! so two runs give the same lines, and one that was killed and resumed gives those of an
//! undisturbed one. See [`store`] for how results outlive the process.

mod content;
mod expect;
mod file;
#[cfg(test)]
mod grading_tests;
mod inputs;
mod item_end;
mod limits;
mod lines;
mod outcome;
mod output;
mod solve;
pub mod store;
mod summary;
#[cfg(test)]
mod tests;

pub use expect::{Grading, read as read_expectations};
pub use inputs::{Input, InputError, inputs};
pub use lines::{
    EndLine, FileLine, GradedExpectation, Group, Head, ResultLine, SCHEMA, StartLine, line,
};
pub use outcome::Outcome;
pub use store::StoreError;
pub use summary::{BatchReport, Summary};

use crate::exit::Exit;
use crate::solve::SolveRequest;
use file::Shared;
use serde_json::Value;
use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use store::{LineRange, Store, StoredGroup};
use zug_code::Specialise;
use zug_domain::Effort;
use zug_prolog::session::Template;
use zug_term::watchdog;

/// The stack of a worker. What a program nests is on the heap, but engines may run inside each
/// other's rules.
const STACK: usize = 64 << 20;
/// Time between two looks at limits and at what is shown.
const PATIENCE: Duration = Duration::from_millis(100);

/// What is asked for.
#[derive(Clone, Debug)]
pub struct BatchRequest {
    /// Run the queries in the files instead of solving their instances.
    pub queries: bool,
    /// Engines by name; each is taken for the files it is for.
    pub engines: Vec<String>,
    /// How instances are solved: heuristic, parameters, effort, plays at random, nodes and depth.
    pub solve: SolveRequest,
    /// Time for an instance or a query.
    pub time: Option<Duration>,
    /// Time for a file.
    pub timeout: Option<Duration>,
    /// Time for all.
    pub total_time: Option<Duration>,
    /// Bytes for a file.
    pub memory: usize,
    /// Inferences for a query, or for the load of a file.
    pub inferences: Option<u64>,
    /// Bytes that rules may write for an instance or a query, and while a file is loaded.
    pub output: u64,
    /// Rules are kept from files, environment and programs.
    pub sandbox: bool,
    /// Bytes of output kept of an instance or a query.
    pub kept_output: usize,
    /// Answers looked for.
    pub answers: usize,
    /// Where expectations come from, in a grading run.
    pub expect: Option<Grading>,
    /// Lines have times.
    pub times: bool,
    /// How engines run rules.
    pub specialise: Specialise,
    /// Threads that run files.
    pub workers: NonZeroUsize,
    /// Where results are kept.
    pub out: Option<PathBuf>,
    /// Go on with what is there.
    pub resume: bool,
    /// Overwrite what is there.
    pub force: bool,
}

impl BatchRequest {
    /// The first line: the options that results depend on.
    fn start(&self) -> StartLine {
        let seconds = |time: Option<Duration>| time.map(|time| format!("{}s", time.as_secs_f64()));
        let grading = self.expect.as_ref().map(|grading| match grading {
            Grading::Own => "files".to_owned(),
            Grading::From(path) => path.display().to_string(),
        });
        let text = |value: Option<String>| value.map(Value::String);
        let number = |value: Option<u64>| text(value.map(|value| value.to_string()));
        let switch = |on: bool| on.then_some(Value::Bool(true));
        let SolveRequest { heuristic, options, effort, sampling, limits, .. } = &self.solve;
        let verify = (*effort != Effort::default()).then_some(effort.states);
        let engines = (!self.engines.is_empty()).then(|| self.engines.join(","));
        let all: [(&str, Option<Value>); 19] = [
            ("queries", switch(self.queries)),
            ("engine", text(engines)),
            ("heuristic", text(heuristic.clone())),
            ("weight", text(Some(options.weight.get().to_string()))),
            ("width", number(Some(options.width.get() as u64))),
            ("verify", number(verify)),
            ("playouts", number(sampling.playouts)),
            ("depth", number(limits.depth.map(u64::from))),
            ("nodes", number(limits.nodes)),
            ("time", text(seconds(self.time))),
            ("timeout", text(seconds(self.timeout))),
            ("memory", number(Some(self.memory as u64))),
            ("inferences", number(self.inferences)),
            ("output_limit", number(Some(self.output))),
            ("keep_output", number(Some(self.kept_output as u64))),
            ("answers", number(Some(self.answers as u64))),
            ("expect", text(grading)),
            ("no_sandbox", switch(!self.sandbox)),
            ("times", switch(self.times)),
        ];
        let given = all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        StartLine {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: "batch".to_owned(),
            files: Vec::new(),
            options: given.collect(),
            seed: sampling.seed,
        }
    }
}

/// Who sees a batch go on.
pub trait BatchObserver {
    /// The first line.
    ///
    /// # Errors
    /// It can't be shown; the batch ends.
    fn start(&mut self, line: &StartLine) -> std::io::Result<()>;

    /// What came of the next file, in order.
    ///
    /// # Errors
    /// It can't be shown; the batch ends.
    fn group(&mut self, group: &Group) -> std::io::Result<()>;

    /// How far it is: called now and then.
    fn progress(&mut self, standing: &BatchProgress);

    /// What is known of a panic in this thread, beyond what it carries.
    fn panic_words(&self) -> fn() -> String;
}

/// How far a batch is.
#[derive(Clone, Copy, Debug)]
pub struct BatchProgress {
    /// Files done.
    pub done: usize,
    /// All files.
    pub of: usize,
    /// Time since the start.
    pub elapsed: Duration,
    /// Files done that did not end well: an error, a limit, or not as expected.
    pub bad: usize,
}

/// Why a batch did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The results file.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// What is shown can't be written.
    #[error("can't write the results: {0}")]
    Show(std::io::Error),
    /// No thread can be started.
    #[error("can't start a thread: {0}")]
    Thread(std::io::Error),
}

impl BatchError {
    /// What kind of error it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            BatchError::Store(_) | BatchError::Show(_) => "unwritable",
            BatchError::Thread(_) => "io",
        }
    }

    /// How the command ends.
    pub fn exit(&self) -> Exit {
        match self {
            BatchError::Store(StoreError::Io(..) | StoreError::Unopened(..))
            | BatchError::Show(_)
            | BatchError::Thread(_) => Exit::Error,
            BatchError::Store(_) => Exit::Usage,
        }
    }
}

/// Runs a batch. `cancel` ends it early: what is finished by then is kept.
///
/// # Errors
/// Results can't be written. What was written until then is kept, and can be resumed.
pub fn batch(
    request: &BatchRequest,
    inputs: &[Input],
    cancel: &Arc<AtomicBool>,
    watch: &mut dyn BatchObserver,
) -> Result<BatchReport, BatchError> {
    let template = Template::new(zug_tools::language::EXTENSIONS);
    let deadline = request.total_time.and_then(|time| Instant::now().checked_add(time));
    let shared = Shared { request, template: &template, cancel, deadline };
    let turn = RwLock::new(());
    let run = |input: &Input| run_file(&shared, &turn, input);
    Batch::new(request, inputs, cancel, watch, deadline)?.go(&run)
}

/// Runs a file; again, alone, if it was ended because of memory that its neighbours may have held. So what comes of it
/// does not depend on them.
fn run_file(shared: &Shared<'_>, turn: &RwLock<()>, input: &Input) -> Group {
    let beside = turn.read().unwrap_or_else(PoisonError::into_inner);
    watchdog::take_process_abort();
    let group = file::run(shared, input);
    drop(beside);
    let cancelled = shared.cancel.load(Ordering::Relaxed);
    if !watchdog::take_process_abort() || shared.request.workers.get() == 1 || cancelled {
        return group;
    }
    let _alone = turn.write().unwrap_or_else(PoisonError::into_inner);
    let _base = watchdog::MemoryBase::default();
    file::run(shared, input)
}

/// What runs a file.
type Run<'a> = dyn Fn(&Input) -> Group + Sync + 'a;

/// Where what came of a file is.
enum Slot {
    /// It is not run yet.
    Missing,
    /// It waits in the journal, or among the old results.
    Stored(LineRange),
    /// It waits in memory.
    Held(Box<Group>),
    /// It was given on.
    Gone,
}

/// A batch being run.
struct Batch<'a> {
    request: &'a BatchRequest,
    inputs: &'a [Input],
    cancel: &'a Arc<AtomicBool>,
    watch: &'a mut dyn BatchObserver,
    deadline: Option<Instant>,
    began: Instant,
    store: Option<Store>,
    slots: Vec<Slot>,
    /// The next file to be given on.
    next: usize,
    /// Files that wait out of order.
    waiting: usize,
    /// The first so many stand in the results already.
    old: usize,
    summary: Summary,
}

impl<'a> Batch<'a> {
    fn new(
        request: &'a BatchRequest,
        inputs: &'a [Input],
        cancel: &'a Arc<AtomicBool>,
        watch: &'a mut dyn BatchObserver,
        deadline: Option<Instant>,
    ) -> Result<Batch<'a>, BatchError> {
        let start = request.start();
        let mut slots: Vec<Slot> = inputs.iter().map(|_| Slot::Missing).collect();
        let mut old = 0;
        let mut waiting = 0;
        let store = match &request.out {
            None => None,
            Some(path) if request.resume => {
                let failed = |error| StoreError::Io(path.clone(), error);
                let (mut store, kept) = Store::resume(path, &start)?;
                let (stay, moved) = reuse(request, inputs, kept);
                let others: Vec<StoredGroup> = moved.iter().map(|(_, kept)| kept.clone()).collect();
                let places = store.keep(&stay, &others).map_err(failed)?;
                for (slot, kept) in slots.iter_mut().zip(&stay) {
                    *slot = Slot::Stored(kept.place);
                }
                for ((at, _), place) in moved.iter().zip(places) {
                    slots[*at] = Slot::Stored(place);
                }
                (old, waiting) = (stay.len(), moved.len());
                Some(store)
            }
            Some(path) => Some(Store::create(path, &start, request.force)?),
        };
        watch.start(&start).map_err(BatchError::Show)?;
        let summary = Summary::new(inputs.len(), request.expect.is_some());
        let began = Instant::now();
        Ok(Batch {
            request,
            inputs,
            cancel,
            watch,
            deadline,
            began,
            store,
            slots,
            next: 0,
            waiting,
            old,
            summary,
        })
    }

    fn go(mut self, run: &Run<'_>) -> Result<BatchReport, BatchError> {
        let missing = |slot: &Slot| matches!(slot, Slot::Missing);
        let todo: Vec<usize> =
            (0..self.slots.len()).filter(|&at| missing(&self.slots[at])).collect();
        self.summary.resumed = self.slots.len() - todo.len();
        let mut result = self.give_on();
        if result.is_ok() && !todo.is_empty() {
            result = self.work(&todo, run);
        }
        if result.is_ok() {
            result = self.leave_rest();
        }
        let interrupted = self.cancel.load(Ordering::Relaxed) && result.is_ok();
        let elapsed = self.began.elapsed();
        let end = self.summary.end(interrupted, self.request.times.then_some(elapsed));
        if result.is_ok()
            && let Some(store) = &mut self.store
        {
            let whole = self.next == self.slots.len();
            let ended = store.end(&line("end", &end), whole);
            result = ended.map_err(|error| self.unwritten(error));
        }
        match result {
            Ok(()) => Ok(BatchReport {
                end,
                summary: self.summary,
                elapsed,
                workers: self.request.workers,
            }),
            Err(error) => Err(error),
        }
    }

    fn unwritten(&self, error: std::io::Error) -> BatchError {
        let path = self.request.out.clone().unwrap_or_default();
        BatchError::Store(StoreError::Io(path, error))
    }

    /// Has workers run files until there are no more, or no time.
    fn work(&mut self, todo: &[usize], run: &Run<'_>) -> Result<(), BatchError> {
        let workers = self.request.workers.get().min(todo.len());
        let (inputs, cancel, deadline) = (self.inputs, self.cancel, self.deadline);
        let panic_words = self.watch.panic_words();
        let (send, receive) = sync_channel(workers);
        let taken = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let work = |send: SyncSender<(usize, Group, Duration)>| {
            loop {
                let over = deadline.is_some_and(|end| Instant::now() >= end);
                if over || stop.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed) {
                    return;
                }
                let Some(&at) = todo.get(taken.fetch_add(1, Ordering::Relaxed)) else { return };
                let began = Instant::now();
                let group = catch_unwind(AssertUnwindSafe(|| run(&inputs[at])))
                    .unwrap_or_else(|panic| bug(&inputs[at], &*panic, panic_words()));
                if send.send((at, group, began.elapsed())).is_err() {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            let mut result = Ok(());
            for number in 0..workers {
                let send = send.clone();
                let work = &work;
                let thread = std::thread::Builder::new()
                    .name(format!("worker {}", number + 1))
                    .stack_size(STACK);
                if let Err(error) = thread.spawn_scoped(scope, move || work(send))
                    && number == 0
                {
                    result = Err(BatchError::Thread(error));
                }
            }
            drop(send);
            if result.is_ok() {
                result = self.collect(&receive);
            }
            if result.is_err() {
                // Workers end soon, and nobody waits for what they find.
                stop.store(true, Ordering::Relaxed);
                self.cancel.store(true, Ordering::Relaxed);
                drop(receive);
            }
            result
        })
    }

    /// Takes what workers find, until all of them have ended.
    fn collect(&mut self, found: &Receiver<(usize, Group, Duration)>) -> Result<(), BatchError> {
        loop {
            match found.recv_timeout(PATIENCE) {
                Ok((at, group, time)) => {
                    if group.file.outcome == Outcome::Interrupted {
                        continue;
                    }
                    self.summary.took(&group, time);
                    self.take(at, group)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.watch.progress(&self.summary.standing(self.began.elapsed()));
        }
    }

    /// Takes what came of a file: it is given on, or waits for its turn.
    fn take(&mut self, at: usize, group: Group) -> Result<(), BatchError> {
        self.slots[at] = match &mut self.store {
            Some(store) if at != self.next => {
                let place = store.put_aside(&group.text());
                Slot::Stored(place.map_err(|error| self.unwritten(error))?)
            }
            _ => Slot::Held(Box::new(group)),
        };
        if at != self.next {
            self.waiting += 1;
            return Ok(());
        }
        self.waiting += 1;
        self.give_on()
    }

    /// Gives on what is next, as far as it is there.
    fn give_on(&mut self) -> Result<(), BatchError> {
        while let Some(slot) = self.slots.get_mut(self.next) {
            let is_old = self.next < self.old;
            let group = match std::mem::replace(slot, Slot::Gone) {
                Slot::Missing => {
                    *slot = Slot::Missing;
                    break;
                }
                Slot::Gone => unreachable!("what is gone is behind `next`"),
                Slot::Held(group) => {
                    if let Some(store) = &mut self.store {
                        store.append(&group.text()).map_err(|error| self.unwritten(error))?;
                    }
                    *group
                }
                Slot::Stored(place) => {
                    let Some(store) = &mut self.store else { break };
                    let text = store.read(place);
                    let copied = text.and_then(|text| {
                        if !is_old {
                            store.append(&text)?;
                        }
                        parse(&text)
                    });
                    copied.map_err(|error| self.unwritten(error))?
                }
            };
            if !is_old {
                self.waiting -= 1;
            }
            self.next += 1;
            self.summary.add(&group);
            self.watch.group(&group).map_err(BatchError::Show)?;
        }
        if self.waiting == 0
            && self.next > self.old
            && let Some(store) = &mut self.store
        {
            store.journal_is_done().map_err(|error| self.unwritten(error))?;
        }
        Ok(())
    }

    /// When workers have ended before the files have: says of the others that they were not run.
    /// After an interrupt they are missing, and only shown are those that wait behind them.
    fn leave_rest(&mut self) -> Result<(), BatchError> {
        if self.next == self.slots.len() {
            return Ok(());
        }
        if !self.cancel.load(Ordering::Relaxed) {
            for at in self.next..self.slots.len() {
                if matches!(self.slots[at], Slot::Missing) {
                    let group = not_run(&self.inputs[at]);
                    self.slots[at] = Slot::Held(Box::new(group));
                    self.waiting += 1;
                }
            }
            return self.give_on();
        }
        for at in self.next..self.slots.len() {
            let group = match std::mem::replace(&mut self.slots[at], Slot::Missing) {
                Slot::Held(group) => *group,
                Slot::Stored(place) => {
                    let Some(store) = &mut self.store else { continue };
                    let text = store.read(place).and_then(|text| parse(&text));
                    text.map_err(|error| self.unwritten(error))?
                }
                Slot::Missing | Slot::Gone => continue,
            };
            self.summary.add(&group);
            self.watch.group(&group).map_err(BatchError::Show)?;
        }
        Ok(())
    }
}

/// What of the results that are there still holds: the groups that stay where they are, and
/// those of later files, with the number of the file.
fn reuse(
    request: &BatchRequest,
    inputs: &[Input],
    kept: Vec<StoredGroup>,
) -> (Vec<StoredGroup>, Vec<(usize, StoredGroup)>) {
    let holds = |input: &Input, kept: &StoredGroup| {
        input.path.display().to_string() == kept.file.file
            && !kept.file.unfinished
            && is_unchanged(request, input, &kept.file)
    };
    let mut kept = kept;
    let mut stay = 0;
    while stay < kept.len()
        && kept[stay].in_results()
        && inputs.get(stay).is_some_and(|input| holds(input, &kept[stay]))
    {
        stay += 1;
    }
    let others = kept.split_off(stay);
    let mut by_name: HashMap<String, StoredGroup> = HashMap::new();
    for group in others {
        by_name.entry(group.file.file.clone()).or_insert(group);
    }
    let mut moved = Vec::new();
    for (at, input) in inputs.iter().enumerate().skip(stay) {
        if let Some(group) = by_name.remove(&input.path.display().to_string())
            && holds(input, &group)
        {
            moved.push((at, group));
        }
    }
    (kept, moved)
}

/// Whether a file and all that it loaded are as they were.
fn is_unchanged(request: &BatchRequest, input: &Input, line: &FileLine) -> bool {
    let expectations = request.expect.as_ref().and_then(|grading| grading.file_for(&input.path));
    let known = |path: PathBuf| {
        let name = path.display().to_string();
        line.loaded.iter().any(|loaded| loaded.file == name)
    };
    content::hash_file(&input.path) == line.hash
        && line
            .loaded
            .iter()
            .all(|loaded| content::hash_file(Path::new(&loaded.file)) == loaded.hash)
        && expectations.is_none_or(known)
}

/// The group in its lines.
fn parse(text: &str) -> std::io::Result<Group> {
    let mut results = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(text) = lines.next() {
        if lines.peek().is_none() {
            return Ok(Group { results, file: serde_json::from_str(text)? });
        }
        results.push(serde_json::from_str(text)?);
    }
    Err(std::io::Error::other("lines of results are missing"))
}

/// What is said of a file for which the time was over.
fn not_run(input: &Input) -> Group {
    let name = input.path.display().to_string();
    let reason = Some(limits::TimeLimit::TotalTime.name().to_owned());
    let hash = content::hash_file(&input.path);
    let line =
        FileLine { reason, hash, unfinished: true, ..FileLine::new(&name, Outcome::Stopped) };
    Group { results: Vec::new(), file: line }
}

/// What is said of a file that a panic ended.
fn bug(input: &Input, panic: &(dyn Any + Send), words: String) -> Group {
    let carried = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let carried = carried.or_else(|| panic.downcast_ref::<String>().cloned());
    let what = if words.is_empty() { carried.unwrap_or_default() } else { words };
    let message = format!(
        "this is a bug in zug, not in the rules: {what}. Please report it with the file and the \
         options"
    );
    let name = input.path.display().to_string();
    let hash = content::hash_file(&input.path);
    let line = FileLine { errors: vec![message], hash, ..FileLine::new(&name, Outcome::Bug) };
    Group { results: Vec::new(), file: line }
}

/// Files by outcome.
pub type Counts = BTreeMap<Outcome, usize>;
