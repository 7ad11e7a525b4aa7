//! The connections of the dataflow: [`Watched`].
//!
//! Timely panics where a connection breaks, in threads of its own, and the panic spreads to workers by queues that are
//! poisoned. So it never sees one: a thread that reads waits until the workers are gone, and ends then; what is written
//! to a broken connection is dropped. Where a connection ends as it should, behind a message without bytes, timely is
//! told so.

use crate::control::Control;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::Arc;
use timely::communication::allocator::zero_copy::stream::Stream;

/// Bytes of the head of a message: six numbers, the fifth of which says how many bytes follow.
const HEAD: usize = 48;
const LENGTH: std::ops::Range<usize> = 32..40;

/// A connection to another process.
pub(crate) struct Watched {
    stream: TcpStream,
    process: usize,
    control: Arc<Control>,
    messages: Messages,
}

impl Watched {
    pub fn new(stream: TcpStream, process: usize, control: Arc<Control>) -> Watched {
        Watched { stream, process, control, messages: Messages::default() }
    }
}

/// Where messages begin and end in what was read.
#[derive(Default)]
struct Messages {
    head: Vec<u8>,
    /// Bytes left of the message.
    left: u64,
    /// The last message was read.
    is_over: bool,
}

impl Messages {
    fn read(&mut self, mut bytes: &[u8]) {
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
                let length =
                    self.head[LENGTH].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
                (self.left, self.is_over) = (length, length == 0);
                self.head.clear();
            }
        }
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let how = loop {
            match self.stream.read(buffer) {
                Ok(0) if self.messages.is_over => return Ok(0),
                Ok(0) => break "its connection was closed".to_owned(),
                Ok(count) => {
                    self.messages.read(&buffer[..count]);
                    return Ok(count);
                }
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
        Ok(Watched::new(stream, self.process, self.control.clone()))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
