//! Connections between processes: [`Links`].
//!
//! A process calls those of lower numbers and is called by those of higher ones, twice each: for the dataflow and for
//! control. Who calls says who it is and how it was started, and who is called answers the same, so that both know if
//! they don't belong together.

use crate::bytes::{push_bytes, take_bytes};
use crate::control::Control;
use crate::error::ClusterError;
use crate::hosts::Hosts;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How all that is said begins.
const GREETING: &[u8] = b"zug cluster 1\n";
/// How the report of a process begins that ends before all are connected, and the bytes of it that are shown.
const PARTING: &[u8] = b"zug cluster ended: ";
const LONGEST_PARTING: usize = 1000;
/// What is said at most.
const LONGEST: usize = 1 << 20;
/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(100);
/// Time before it is said that this process waits.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time that an attempt may take.
const ATTEMPT: Duration = Duration::from_secs(2);

/// Something that all processes must have alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub what: &'static str,
    /// What this process has.
    pub value: String,
}

impl Fact {
    /// A fact.
    pub fn new(what: &'static str, value: impl Into<String>) -> Fact {
        Fact { what, value: value.into() }
    }
}

/// How a process waits for others.
pub struct Waiting<'w> {
    /// How long at most.
    pub time: Duration,
    /// Set when it is to stop.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Told what it waits for.
    pub notice: &'w dyn Fn(&str),
}

/// A process among others, connected to each of them.
pub struct Links {
    pub(crate) process: usize,
    pub(crate) sockets: Vec<Option<TcpStream>>,
    pub(crate) control: Arc<Control>,
}

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Data,
    Control,
}

impl Links {
    /// Connects this process to all others.
    ///
    /// # Errors
    /// They don't come up in time, were started otherwise, or the port of this process is in use.
    pub fn connect(
        hosts: &Hosts,
        process: usize,
        facts: &[Fact],
        waiting: &Waiting<'_>,
    ) -> Result<Links, ClusterError> {
        hosts.must_have(process)?;
        let mut meeting = Meeting::new(hosts, process, facts, waiting)?;
        if let Err(error) = meeting.meet() {
            meeting.part(&error);
            return Err(error);
        }
        let Meeting { data, control, .. } = meeting;
        let addresses = (0..hosts.count()).map(|process| hosts.address(process).to_owned());
        let cancel = waiting.cancel.clone();
        let failed = |error| ClusterError::Io("begin to watch the connections", error);
        let control = Control::among(process, addresses.collect(), control, cancel);
        Ok(Links { process, sockets: data, control: control.map_err(failed)? })
    }
}

/// Processes that are about to be connected.
struct Meeting<'m> {
    hosts: &'m Hosts,
    process: usize,
    facts: &'m [Fact],
    waiting: &'m Waiting<'m>,
    listener: TcpListener,
    began: Instant,
    told: bool,
    data: Vec<Option<TcpStream>>,
    control: Vec<Option<TcpStream>>,
}

impl<'m> Meeting<'m> {
    fn new(
        hosts: &'m Hosts,
        process: usize,
        facts: &'m [Fact],
        waiting: &'m Waiting<'m>,
    ) -> Result<Meeting<'m>, ClusterError> {
        let address = hosts.address(process);
        let listening = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        let listener = listening.map_err(|error| ClusterError::Listen {
            process,
            address: address.to_owned(),
            hint: match error.kind() {
                io::ErrorKind::AddrInUse => {
                    "; another program, or another run, listens there: take another port"
                }
                io::ErrorKind::AddrNotAvailable => {
                    "; this machine has no such address: is it another process's line?"
                }
                _ => "",
            },
            error,
        })?;
        let nobody = || (0..hosts.count()).map(|_| None).collect();
        Ok(Meeting {
            hosts,
            process,
            facts,
            waiting,
            listener,
            began: Instant::now(),
            told: false,
            data: nobody(),
            control: nobody(),
        })
    }

    /// Calls the processes of lower numbers, and answers the others.
    fn meet(&mut self) -> Result<(), ClusterError> {
        for other in 0..self.process {
            for purpose in [For::Data, For::Control] {
                let stream = self.call(other, purpose)?;
                self.keep(other, purpose, stream);
            }
        }
        self.answer_all()
    }

    /// Reports an error to the processes that are connected or call soon, which would wait for the others in vain.
    fn part(&mut self, error: &ClusterError) {
        let message = [PARTING, error.to_string().as_bytes()].concat();
        // A process that has ended as well needs no report.
        for stream in self.control.iter_mut().flatten() {
            let _ = stream.write_all(&message);
        }
        let until = Instant::now() + ATTEMPT;
        while !self.absent().is_empty() && Instant::now() < until {
            let Ok((mut stream, _)) = self.listener.accept() else {
                sleep(PAUSE);
                continue;
            };
            let heard = stream
                .set_nonblocking(false)
                .and_then(|()| stream.set_read_timeout(Some(PAUSE)))
                .map_or(Ok(Heard::Closed), |()| self.heard(&mut stream, ATTEMPT));
            if let Ok(Heard::Said(Some((_, purpose, _)))) = heard {
                let _ = stream.write_all(&self.said(purpose));
                if purpose == For::Control {
                    let _ = stream.write_all(&message);
                }
            }
        }
    }

    /// Whether a process that is connected has ended meanwhile.
    fn has_parted(&self, process: usize) -> Option<ClusterError> {
        let stream = self.control[process].as_ref()?;
        let mut message = vec![0; LONGEST_PARTING];
        stream.set_nonblocking(true).ok()?;
        let peeked = stream.peek(&mut message);
        stream.set_nonblocking(false).ok()?;
        // What else there is to read is of the run, which this process has yet to join.
        let why = match peeked {
            Ok(0) => "it was ended from outside".to_owned(),
            Ok(count) => {
                let text = message[..count].strip_prefix(PARTING)?;
                String::from_utf8_lossy(text).into_owned()
            }
            Err(_) => return None,
        };
        let address = self.hosts.address(process).to_owned();
        Some(ClusterError::Parted { process, address, why })
    }

    fn keep(&mut self, process: usize, purpose: For, stream: TcpStream) {
        let kept = match purpose {
            For::Data => &mut self.data,
            For::Control => &mut self.control,
        };
        kept[process] = Some(stream);
    }

    /// The processes that are not there.
    fn absent(&self) -> Vec<usize> {
        let others = (0..self.hosts.count()).filter(|&process| process != self.process);
        others.filter(|&other| self.control[other].is_none()).collect()
    }

    /// Waits a little.
    fn pause(&mut self) -> Result<(), ClusterError> {
        if self.waiting.cancel.as_ref().is_some_and(|cancel| cancel.load(SeqCst)) {
            return Err(ClusterError::Interrupted);
        }
        if let Some(parted) = (0..self.hosts.count()).find_map(|process| self.has_parted(process)) {
            return Err(parted);
        }
        let name = |&process: &usize| format!("{process} ({})", self.hosts.address(process));
        let absent: Vec<String> = self.absent().iter().map(name).collect();
        let processes = match absent.len() {
            1 => format!("process {}", absent[0]),
            _ => format!("processes {}", absent.join(", ")),
        };
        let most = format!("{} s", self.waiting.time.as_secs_f64());
        if self.began.elapsed() >= self.waiting.time {
            let verb = if absent.len() == 1 { "is" } else { "are" };
            let waited = most;
            return Err(ClusterError::Absent { waited, missing: format!("{processes} {verb}") });
        }
        if !self.told && self.began.elapsed() >= PATIENCE {
            self.told = true;
            (self.waiting.notice)(&format!("waiting for {processes}, {most} at most"));
        }
        sleep(PAUSE);
        Ok(())
    }

    fn call(&mut self, other: usize, purpose: For) -> Result<TcpStream, ClusterError> {
        let address = self.hosts.address(other).to_owned();
        loop {
            let Ok(mut stream) = attempt(&address) else {
                self.pause()?;
                continue;
            };
            let failed = |error| ClusterError::Io("set up a connection", error);
            stream.set_nodelay(true).map_err(failed)?;
            stream.set_read_timeout(Some(PAUSE)).map_err(failed)?;
            if stream.write_all(&self.said(purpose)).is_err() {
                self.pause()?;
                continue;
            }
            // The other one may be calling still; if it ends meanwhile another one is called.
            match self.heard(&mut stream, self.waiting.time)? {
                Heard::Said(said) => {
                    let (process, _, facts) =
                        said.ok_or_else(|| self.stranger(other, "it does not answer as zug does"))?;
                    if process != other {
                        let why =
                            "it is another process of it: do all have the same file of hosts?";
                        return Err(self.stranger(other, why));
                    }
                    self.must_agree(other, &facts)?;
                    stream.set_read_timeout(None).map_err(failed)?;
                    return Ok(stream);
                }
                Heard::Closed => self.pause()?,
            }
        }
    }

    fn stranger(&self, process: usize, why: &'static str) -> ClusterError {
        let address = self.hosts.address(process).to_owned();
        ClusterError::Stranger { process, address, why }
    }

    fn must_agree(&self, process: usize, theirs: &[String]) -> Result<(), ClusterError> {
        for (at, ours) in self.facts.iter().enumerate() {
            let theirs = theirs.get(at).cloned().unwrap_or_default();
            if theirs != ours.value {
                let (what, ours) = (ours.what, ours.value.clone());
                let address = self.hosts.address(process).to_owned();
                let own = self.process;
                return Err(ClusterError::Differs { what, process, address, own, theirs, ours });
            }
        }
        Ok(())
    }

    /// What this process says of itself.
    fn said(&self, purpose: For) -> Vec<u8> {
        let mut said = vec![u8::from(purpose == For::Control)];
        said.extend((self.process as u32).to_le_bytes());
        for fact in self.facts {
            push_bytes(fact.value.as_bytes(), &mut said);
        }
        let mut message = GREETING.to_vec();
        message.extend((said.len() as u32).to_le_bytes());
        message.extend(said);
        message
    }

    /// What another one says of itself within some time.
    fn heard(&mut self, stream: &mut TcpStream, most: Duration) -> Result<Heard, ClusterError> {
        let (began, mut heard) = (Instant::now(), Vec::new());
        let head = GREETING.len() + 4;
        loop {
            let wanted = match heard.get(GREETING.len()..head) {
                None => head,
                Some(_) if !heard.starts_with(GREETING) => return Ok(Heard::Said(None)),
                Some(length) => {
                    head + u32::from_le_bytes(length.try_into().expect("four bytes")) as usize
                }
            };
            if wanted > LONGEST {
                return Ok(Heard::Said(None));
            }
            if heard.len() == wanted && wanted > head {
                return Ok(Heard::Said(understood(&heard[head..])));
            }
            if began.elapsed() > most {
                return Ok(Heard::Said(None));
            }
            let mut more = vec![0; wanted - heard.len()];
            match stream.read(&mut more) {
                Ok(0) if heard.is_empty() => return Ok(Heard::Closed),
                Ok(0) => return Ok(Heard::Said(None)),
                Ok(count) => heard.extend(&more[..count]),
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                    ) =>
                {
                    self.pause()?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Ok(Heard::Closed),
            }
        }
    }

    /// Answers all who call.
    fn answer_all(&mut self) -> Result<(), ClusterError> {
        let failed = |error| ClusterError::Io("answer another process", error);
        while !self.absent().is_empty() {
            let mut stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.pause()?;
                    continue;
                }
                Err(error) => return Err(failed(error)),
            };
            stream.set_nonblocking(false).map_err(failed)?;
            stream.set_nodelay(true).map_err(failed)?;
            stream.set_read_timeout(Some(PAUSE)).map_err(failed)?;
            // Who says nothing that makes sense, or nothing at all, is none of the processes.
            let heard = self.heard(&mut stream, ATTEMPT)?;
            let Heard::Said(Some((other, purpose, facts))) = heard else {
                continue;
            };
            let _ = stream.write_all(&self.said(purpose));
            if other == self.process || other >= self.hosts.count() {
                let other = other.min(self.hosts.count() - 1);
                let why = "a process with a number of its own file of hosts calls; \
                           do all have the same file, and numbers of their own?";
                return Err(self.stranger(other, why));
            }
            self.must_agree(other, &facts)?;
            let kept = if purpose == For::Data { &self.data } else { &self.control };
            if kept[other].is_some() {
                return Err(self.stranger(other, "two processes say that they have its number"));
            }
            stream.set_read_timeout(None).map_err(failed)?;
            self.keep(other, purpose, stream);
        }
        Ok(())
    }
}

/// What was heard.
enum Heard {
    /// Who it is, what for, and its facts; nothing if it makes no sense.
    Said(Option<(usize, For, Vec<String>)>),
    /// The connection was closed.
    Closed,
}

fn understood(mut said: &[u8]) -> Option<(usize, For, Vec<String>)> {
    let (&purpose, rest) = said.split_first()?;
    let (process, rest) = rest.split_first_chunk()?;
    said = rest;
    let mut facts = Vec::new();
    while !said.is_empty() {
        facts.push(String::from_utf8(take_bytes(&mut said)?.to_vec()).ok()?);
    }
    let purpose = if purpose == 0 { For::Data } else { For::Control };
    Some((u32::from_le_bytes(*process) as usize, purpose, facts))
}

fn attempt(address: &str) -> io::Result<TcpStream> {
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, ATTEMPT) {
            // A port that nobody listens on may be given to this very connection.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}
