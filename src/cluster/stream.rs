//! The connections of the dataflow: [`Watched`].
//!
//! Timely panics where a connection breaks, in threads of its own, and the panic spreads to workers by queues that are
//! poisoned. So it never sees one: a thread that reads waits until the workers are gone, and ends then; what is written
//! to a broken connection is dropped.

use crate::control::Control;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::Arc;
use timely::communication::allocator::zero_copy::stream::Stream;

/// A connection to another process.
pub(crate) struct Watched {
    pub stream: TcpStream,
    pub process: usize,
    pub control: Arc<Control>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let how = loop {
            match self.stream.read(buffer) {
                Ok(0) => break "its connection was closed".to_owned(),
                Ok(count) => return Ok(count),
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
        Ok(Watched { stream, process: self.process, control: self.control.clone() })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
