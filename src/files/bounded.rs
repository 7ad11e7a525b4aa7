//! Bounded reading of files, pipes and devices.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;
use zug_term::source::STDIN;

/// Bytes beyond which no file is read: spans of the rule language are 32 bits.
pub const MOST_BYTES: u64 = (u32::MAX - 16) as u64;

/// Bytes that are read between two polls.
const CHUNK: usize = 1 << 16;
/// Time between two polls while a pipe or a device gives nothing.
const PATIENCE: Duration = Duration::from_millis(20);

/// The bytes of a file; of the standard input if the path is [`STDIN`].
pub(super) fn read<E>(
    path: &Path,
    most: u64,
    mut poll: impl FnMut(usize) -> Result<(), E>,
) -> Result<io::Result<Vec<u8>>, E> {
    let mut bytes = Vec::new();
    let mut chunks = match Chunks::of(path, most) {
        Ok((chunks, expected)) => {
            poll(expected)?;
            chunks
        }
        Err(error) => return Ok(Err(error)),
    };
    loop {
        match chunks.next() {
            None => {}
            Some(Ok(chunk)) if chunk.is_empty() => return Ok(Ok(bytes)),
            Some(Ok(chunk)) => bytes.extend(chunk),
            Some(Err(error)) => return Ok(Err(error)),
        }
        if bytes.len() as u64 > most {
            return Ok(Err(too_large(most)));
        }
        poll(bytes.len())?;
    }
}

fn too_large(most: u64) -> io::Error {
    let size = match most >> 20 {
        0 => format!("{most} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {size}"))
}

/// What is read, chunk by chunk.
enum Chunks {
    /// A plain file, which never makes its reader wait.
    File(File),
    /// A pipe or a device, which may give nothing for hours and have no end. A thread of its own reads it, and is left
    /// behind when a limit ends the waiting.
    Arriving(Receiver<io::Result<Vec<u8>>>),
}

impl Chunks {
    /// The chunks of a path, and the bytes to expect.
    fn of(path: &Path, most: u64) -> io::Result<(Chunks, usize)> {
        if path == Path::new(STDIN) {
            return Ok((Chunks::arriving(io::stdin()), 0));
        }
        let found = path.metadata()?;
        if found.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !found.is_file() {
            // Opening a pipe waits for a writer: the thread opens it, too.
            return Ok((Chunks::arriving(Later { path: path.to_owned(), file: None }), 0));
        }
        if found.len() > most {
            return Err(too_large(most));
        }
        Ok((Chunks::File(File::open(path)?), usize::try_from(found.len()).unwrap_or(usize::MAX)))
    }

    fn arriving(mut from: impl Read + Send + 'static) -> Chunks {
        let (sender, receiver) = sync_channel(4);
        std::thread::spawn(move || {
            loop {
                let read = chunk(&mut from);
                let is_last = !matches!(&read, Ok(bytes) if !bytes.is_empty());
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Chunks::Arriving(receiver)
    }

    /// The next chunk, empty at the end; `None`: there is nothing yet.
    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        match self {
            Chunks::File(file) => Some(chunk(file)),
            Chunks::Arriving(receiver) => match receiver.recv_timeout(PATIENCE) {
                Ok(chunk) => Some(chunk),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Ok(Vec::new())),
            },
        }
    }
}

fn chunk(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; CHUNK];
    let count = loop {
        match from.read(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    bytes.truncate(count);
    Ok(bytes)
}

/// A file that is opened when it is read.
struct Later {
    path: std::path::PathBuf,
    file: Option<File>,
}

impl Read for Later {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.file.is_none() {
            self.file = Some(File::open(&self.path)?);
        }
        self.file.as_mut().map_or(Ok(0), |file| file.read(into))
    }
}
