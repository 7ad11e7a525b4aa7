//! Who is there still: [`Control`].
//!
//! Beside the connections of the dataflow there is one between any two processes for signs of life, and for the reason
//! of a process that leaves before the end. A process is lost when its connection breaks, or when nothing was heard of it
//! for [`SILENCE`]. The first reason counts, and is told to all others before this process leaves, too: so all name
//! the process that was lost first.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two signs of life.
const TICK: Duration = Duration::from_secs(1);
/// Nothing was heard of a process for so long: it is lost.
const SILENCE: Duration = Duration::from_secs(10);
/// Time that a reason may take behind a broken connection of the dataflow.
const AFTER: Duration = Duration::from_millis(500);
/// Time that others may take to say that they are done.
const GOODBYE: Duration = Duration::from_secs(10);
/// Bytes of a reason.
const LONGEST: usize = 1 << 16;

/// Why a run ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// A process is not there any more.
    Lost {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// What was seen of that.
        how: String,
    },
    /// A process gave up.
    Left {
        /// Its number.
        process: usize,
        /// Its address, if there are several processes.
        address: Option<String>,
        /// Why.
        why: String,
    },
    /// This process was interrupted while others took no notice.
    Interrupted,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ended::Lost { process, address, how } => {
                write!(f, "process {process} ({address}) was lost: {how}")
            }
            Ended::Left { process, address: Some(address), why } => {
                write!(f, "process {process} ({address}) ended: {why}")
            }
            Ended::Left { why, .. } => write!(f, "a worker ended: {why}"),
            Ended::Interrupted => write!(f, "interrupted"),
        }
    }
}

/// A sign of life.
const ALIVE: u8 = 0;
/// The process is done.
const DONE: u8 = 1;
/// The process gives up; the reason.
const GIVES_UP: u8 = 2;
/// The process has lost another one: its number, and how.
const HAS_LOST: u8 = 3;

/// What is known of the other processes, by all threads of this one.
#[derive(Debug, Default)]
pub(crate) struct Control {
    own: usize,
    addresses: Vec<String>,
    ended: Mutex<Option<Ended>>,
    is_ended: AtomicBool,
    /// No connection counts any more.
    is_closed: AtomicBool,
    /// Which processes are done.
    done: Mutex<Vec<bool>>,
    /// Where others are told.
    writers: Vec<Option<Mutex<TcpStream>>>,
    /// Set when the run is to stop.
    pub cancel: Option<Arc<AtomicBool>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Control {
    /// Of a process alone.
    pub fn alone(cancel: Option<Arc<AtomicBool>>) -> Control {
        Control { cancel, done: Mutex::new(vec![true]), ..Control::default() }
    }

    /// Of a process among others, with connections to them.
    pub fn among(
        own: usize,
        addresses: Vec<String>,
        streams: Vec<Option<TcpStream>>,
        cancel: Option<Arc<AtomicBool>>,
    ) -> io::Result<Arc<Control>> {
        let mut readers = Vec::new();
        for (process, stream) in streams.iter().enumerate() {
            if let Some(stream) = stream {
                stream.set_read_timeout(Some(SILENCE))?;
                stream.set_write_timeout(Some(TICK))?;
                readers.push((process, stream.try_clone()?));
            }
        }
        let done = streams.iter().map(Option::is_none).collect();
        let control = Arc::new(Control {
            own,
            addresses,
            done: Mutex::new(done),
            writers: streams.into_iter().map(|stream| stream.map(Mutex::new)).collect(),
            cancel,
            ..Control::default()
        });
        for (process, stream) in readers {
            let control = control.clone();
            thread::Builder::new()
                .name(format!("cluster:hear-{process}"))
                .spawn(move || control.hear(process, stream))?;
        }
        let ticking = control.clone();
        thread::Builder::new().name("cluster:tick".to_owned()).spawn(move || ticking.tick())?;
        Ok(control)
    }

    /// The address of a process, if there are several.
    pub fn address(&self, process: usize) -> Option<String> {
        self.addresses.get(process).cloned()
    }

    /// Whether there is no other process.
    pub fn is_alone(&self) -> bool {
        self.addresses.len() < 2
    }

    /// This process.
    pub fn own(&self) -> usize {
        self.own
    }

    /// Whether the run ended.
    #[inline]
    pub fn is_ended(&self) -> bool {
        self.is_ended.load(SeqCst)
    }

    /// Why it ended, if it did.
    pub fn ended(&self) -> Option<Ended> {
        locked(&self.ended).clone()
    }

    /// Whether it is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(SeqCst))
    }

    /// Ends the run, unless it has ended already, and tells the others.
    pub fn end(&self, ended: Ended) {
        {
            let mut known = locked(&self.ended);
            if known.is_some() {
                return;
            }
            *known = Some(ended.clone());
        }
        let (kind, text) = match ended {
            Ended::Lost { process, how, .. } => (HAS_LOST, format!("{process} {how}")),
            Ended::Left { process, why, .. } if process == self.own => (GIVES_UP, why),
            Ended::Left { .. } => (ALIVE, String::new()),
            Ended::Interrupted => (GIVES_UP, "interrupted".to_owned()),
        };
        self.tell(kind, &text);
        self.is_ended.store(true, SeqCst);
    }

    /// Ends the run since this process can't go on.
    pub fn leave(&self, why: &str) {
        let address = self.address(self.own);
        self.end(Ended::Left { process: self.own, address, why: why.to_owned() });
    }

    fn tell(&self, kind: u8, text: &str) {
        let text = &text.as_bytes()[..text.len().min(LONGEST)];
        let mut message = vec![kind];
        message.extend((text.len() as u32).to_le_bytes());
        message.extend(text);
        for writer in self.writers.iter().flatten() {
            // One that can't be told is noticed by the thread that hears of it.
            let _ = locked(writer).write_all(&message);
        }
    }

    fn lost(&self, process: usize, how: String) {
        if self.is_closed.load(SeqCst) || locked(&self.done)[process] {
            return;
        }
        let address = self.address(process).unwrap_or_default();
        self.end(Ended::Lost { process, address, how });
    }

    /// Told that a connection of the dataflow broke.
    pub fn broken(&self, process: usize, how: &str) {
        let began = Instant::now();
        while began.elapsed() < AFTER {
            if self.is_ended() || self.is_closed.load(SeqCst) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.lost(process, how.to_owned());
    }

    /// Waits until no connection counts any more.
    pub fn wait_until_closed(&self) {
        while !self.is_closed.load(SeqCst) {
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Says that this process is done, and waits until all others have said so.
    pub fn goodbye(&self) {
        self.tell(DONE, "");
        let began = Instant::now();
        while !self.is_ended()
            && began.elapsed() < GOODBYE
            && !locked(&self.done).iter().all(|&done| done)
        {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Closes all connections.
    pub fn close(&self) {
        self.is_closed.store(true, SeqCst);
        for writer in self.writers.iter().flatten() {
            let _ = locked(writer).shutdown(Shutdown::Both);
        }
    }

    /// Gives signs of life.
    fn tick(&self) {
        let mut last = Instant::now();
        while !self.is_closed.load(SeqCst) {
            thread::sleep(TICK / 20);
            if last.elapsed() >= TICK {
                last = Instant::now();
                self.tell(ALIVE, "");
            }
        }
    }

    /// Hears what another process says.
    fn hear(&self, process: usize, mut stream: TcpStream) {
        loop {
            let mut head = [0; 5];
            if let Err(error) = stream.read_exact(&mut head) {
                let how = match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                        format!("nothing was heard of it for {} s", SILENCE.as_secs())
                    }
                    io::ErrorKind::UnexpectedEof => "its connection was closed".to_owned(),
                    _ => format!("its connection broke ({error})"),
                };
                return self.lost(process, how);
            }
            let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
            let mut text = vec![0; length.min(LONGEST)];
            if length > LONGEST || stream.read_exact(&mut text).is_err() {
                return self.lost(process, "its connection broke".to_owned());
            }
            let text = String::from_utf8_lossy(&text).into_owned();
            match head[0] {
                ALIVE => {}
                DONE => locked(&self.done)[process] = true,
                GIVES_UP => {
                    let address = self.address(process);
                    return self.end(Ended::Left { process, address, why: text });
                }
                HAS_LOST => {
                    let (number, how) = text.split_once(' ').unwrap_or((&text, ""));
                    // What it lost may be this process, which it could not hear.
                    let lost =
                        number.parse::<usize>().ok().filter(|&lost| lost < self.addresses.len());
                    let Some(lost) = lost.filter(|&lost| lost != self.own) else {
                        let how = format!("it heard nothing of process {}", self.own);
                        return self.lost(process, how);
                    };
                    let (address, how) = (self.addresses[lost].clone(), how.to_owned());
                    return self.end(Ended::Lost { process: lost, address, how });
                }
                _ => return self.lost(process, "it says what makes no sense".to_owned()),
            }
        }
    }
}
