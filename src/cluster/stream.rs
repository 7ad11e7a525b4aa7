//! The connections of the dataflow: [`Watched`].
//!
//! Timely panics where a connection breaks, in threads of its own, and the panic spreads to workers by queues that are
//! poisoned. So it never sees one: a thread that reads waits until the workers are gone, and ends then; what is written
//! to a broken connection is dropped. Where a connection ends as it should, behind a message without bytes, timely is
//! told so. Nor does it see a message that no worker of the other process would send to workers of this one.

use crate::control::Control;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use timely::communication::allocator::zero_copy::stream::Stream;

/// Bytes of the head of a message: six numbers, which are its channel, the worker that sends it, the first one that gets
/// it, the one behind the last of those, how many bytes follow, and its place in a sequence.
const HEAD: usize = 48;
/// Bytes of a message at most.
const LONGEST: u64 = 1 << 30;

/// A connection to another process.
pub(crate) struct Watched {
    stream: TcpStream,
    process: usize,
    control: Arc<Control>,
    messages: Messages,
}

impl Watched {
    /// A connection to a process; each has so many workers.
    pub fn new(
        stream: TcpStream,
        process: usize,
        workers: usize,
        control: Arc<Control>,
    ) -> Watched {
        let messages = Messages::between(control.own(), process, workers);
        Watched { stream, process, control, messages }
    }
}

/// Where messages begin and end in what was read.
#[derive(Clone)]
struct Messages {
    /// The workers of this process, and those of the other one.
    own: Range<u64>,
    theirs: Range<u64>,
    head: Vec<u8>,
    /// Bytes left of the message.
    left: u64,
    /// The last message was read.
    is_over: bool,
}

impl Messages {
    fn between(own: usize, process: usize, workers: usize) -> Messages {
        let of = |process: usize| (process * workers) as u64..((process + 1) * workers) as u64;
        Messages { own: of(own), theirs: of(process), head: Vec::new(), left: 0, is_over: false }
    }

    /// Whether what was read makes sense so far.
    fn read(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            if self.left > 0 {
                let here = self.left.min(bytes.len() as u64);
                self.left -= here;
                bytes = &bytes[here as usize..];
                continue;
            }
            let (head, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
            self.head.extend(head);
            bytes = rest;
            if self.head.len() == HEAD {
                let number = |at: usize| {
                    let bytes = &self.head[8 * at..][..8];
                    bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
                };
                let (source, first, end, length) = (number(1), number(2), number(3), number(4));
                let is_known = self.theirs.contains(&source)
                    && self.own.start <= first
                    && first < end
                    && end <= self.own.end;
                // The last message is for nobody.
                if self.is_over || length > LONGEST || length > 0 && !is_known {
                    return false;
                }
                (self.left, self.is_over) = (length, length == 0);
                self.head.clear();
            }
        }
        !self.is_over || self.head.is_empty()
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let how = loop {
            match self.stream.read(buffer) {
                Ok(0) if self.messages.is_over => return Ok(0),
                Ok(0) => break "its connection was closed".to_owned(),
                Ok(count) if self.messages.read(&buffer[..count]) => return Ok(count),
                Ok(_) => break "it sends what makes no sense".to_owned(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break format!("its connection broke ({error})"),
            }
        };
        self.control.broken(self.process, &how);
        self.control.wait_until_closed();
        // Ends the thread, without a message.
        resume_unwind(Box::new("the connection is closed"))
    }
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(count) if count > 0 => Ok(count),
            // The thread that reads tells of it.
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.stream.flush();
        Ok(())
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Self> {
        let stream = self.stream.try_clone()?;
        let (process, control, messages) =
            (self.process, self.control.clone(), self.messages.clone());
        Ok(Watched { stream, process, control, messages })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
