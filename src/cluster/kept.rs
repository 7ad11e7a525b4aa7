//! Complete layers in a file of each worker: [`Kept`].
//!
//! ```text
//! head    "zug layers of a worker 2\n"; facts, each a length and bytes; 0; the sum of these
//! layer   L, the number of states, three counts, all as varints; states, each a length and bytes;
//!         notes, each a length and bytes; 0; the sum of the layer
//! ```
//!
//! Notes are what a search adds to the states; an enumeration has none.
//!
//! A layer is appended when all of it is there, and is complete when its sum is: what ends the process within one
//! leaves the others. Sums are 64 bits. What was written survives the process at once, and a failure of the machine
//! some seconds later.

use crate::bytes::{Checksum, push_varint};
use crate::error::KeptError;
use crate::links::Fact;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use zug_files::{Access, Change};

const HEAD: &[u8] = b"zug layers of a worker 2\n";
const LAYER: u8 = b'L';
/// Time between two orders to the system to write.
const SYNC: Duration = Duration::from_secs(5);
/// Bytes of a state at most.
const LONGEST: u64 = 1 << 30;

/// A layer in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptLayer {
    pub states: u64,
    /// States expanded before this layer was complete, their successors, and those without one.
    pub counts: [u64; 3],
    /// Where it ends.
    end: u64,
}

/// The complete layers of one worker.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    file: BufWriter<File>,
    /// Where the first layer begins.
    begin: u64,
    layers: Vec<KeptLayer>,
    /// The layer that is being written, with what is left to write.
    open: Option<(KeptLayer, Checksum)>,
    synced: Instant,
    scratch: Vec<u8>,
}

/// What is read of a layer.
pub(crate) enum Part<'b> {
    State(&'b [u8]),
    /// Behind all states of the layer.
    Note(&'b [u8]),
}

/// Reads, and sums up what was read.
struct Reader<R> {
    reader: R,
    at: u64,
    sum: Checksum,
}

impl<R: Read> Reader<R> {
    fn bytes(&mut self, length: u64, out: &mut Vec<u8>) -> io::Result<()> {
        out.clear();
        if length > LONGEST || (&mut self.reader).take(length).read_to_end(out)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += length;
        self.sum.add(out);
        Ok(())
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.reader.read_exact(&mut byte)?;
        self.at += 1;
        self.sum.add(&byte);
        Ok(byte[0])
    }

    fn varint(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    /// Whether the sum of what was read is there; the next sum begins behind it.
    fn is_whole(&mut self) -> io::Result<bool> {
        let mut sum = [0; 8];
        self.reader.read_exact(&mut sum)?;
        self.at += 8;
        let own = std::mem::replace(&mut self.sum, Checksum::new());
        Ok(own.0 == u64::from_le_bytes(sum))
    }

    /// A layer, which is handed out; nothing if there is no whole one.
    fn layer(&mut self, each: &mut dyn FnMut(Part<'_>)) -> io::Result<Option<KeptLayer>> {
        if self.byte()? != LAYER {
            return Ok(None);
        }
        let states = self.varint()?;
        let counts = [self.varint()?, self.varint()?, self.varint()?];
        let mut part = Vec::new();
        for _ in 0..states {
            let length = self.varint()?;
            self.bytes(length, &mut part)?;
            each(Part::State(&part));
        }
        loop {
            match self.varint()? {
                0 => break,
                length => self.bytes(length, &mut part)?,
            }
            each(Part::Note(&part));
        }
        let is_whole = self.is_whole()?;
        Ok(is_whole.then_some(KeptLayer { states, counts, end: self.at }))
    }
}

/// What a file has not, or not in full.
fn unless_short<T>(read: io::Result<Option<T>>) -> io::Result<Option<T>> {
    match read {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData
            ) =>
        {
            Ok(None)
        }
        read => read,
    }
}

impl Kept {
    /// Opens the file of a worker, or makes one. `facts` say what the layers are of.
    ///
    /// # Errors
    /// It is of something else, in use, or can't be read or written.
    pub fn open(path: &Path, facts: &[Fact]) -> Result<Kept, KeptError> {
        let failed = |what| KeptError::io(what, path);
        if let Some(folder) = path.parent() {
            Access::FREE.make_folders(folder).map_err(KeptError::io("make", folder))?;
        }
        let file = Access::FREE.open_to(Change::Keep, path).map_err(failed("open"))?;
        if file.try_lock().is_err() {
            return Err(KeptError::Busy(path.to_owned()));
        }
        let copy = file.try_clone().map_err(failed("open"))?;
        let mut kept = Kept {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            begin: 0,
            layers: Vec::new(),
            open: None,
            synced: Instant::now(),
            scratch: Vec::new(),
        };
        let length = copy.metadata().map_err(failed("read"))?.len();
        if length > 0 {
            let reader = BufReader::with_capacity(1 << 18, copy);
            let mut reader = Reader { reader, at: 0, sum: Checksum::new() };
            if kept.has_head(&mut reader, facts)? {
                kept.begin = reader.at;
                while let Some(layer) =
                    unless_short(reader.layer(&mut |_| {})).map_err(failed("read"))?
                {
                    kept.layers.push(layer);
                }
            }
        }
        if kept.begin == 0 {
            kept.write_head(facts).map_err(failed("write"))?;
        }
        let layers = kept.layers.len();
        kept.shorten(layers)?;
        Ok(kept)
    }

    /// Whether the file has a head: none if the process that made it was ended at once.
    fn has_head(
        &self,
        reader: &mut Reader<BufReader<File>>,
        facts: &[Fact],
    ) -> Result<bool, KeptError> {
        let failed = KeptError::io("read", &self.path);
        let (mut head, mut found) = (Vec::new(), Vec::new());
        let read = reader.bytes(HEAD.len() as u64, &mut head).map(Some);
        if unless_short(read).map_err(&failed)?.is_none() {
            return match HEAD.starts_with(&head) {
                true => Ok(false),
                false => Err(KeptError::Foreign(self.path.clone())),
            };
        }
        if head != HEAD {
            return Err(KeptError::Foreign(self.path.clone()));
        }
        let mut read = || {
            loop {
                match reader.varint()? {
                    0 => return Ok(reader.is_whole()?.then_some(())),
                    length => reader.bytes(length - 1, &mut head)?,
                }
                found.push(String::from_utf8_lossy(&head).into_owned());
            }
        };
        if unless_short(read()).map_err(&failed)?.is_none() {
            return Ok(false);
        }
        for (at, fact) in facts.iter().enumerate() {
            let theirs = found.get(at).cloned().unwrap_or_default();
            if theirs != fact.value {
                let (path, what, ours) = (self.path.clone(), fact.what, fact.value.clone());
                return Err(KeptError::Other { path, what, theirs, ours });
            }
        }
        Ok(true)
    }

    fn write_head(&mut self, facts: &[Fact]) -> io::Result<()> {
        let mut head = HEAD.to_vec();
        for fact in facts {
            push_varint(fact.value.len() as u64 + 1, &mut head);
            head.extend(fact.value.as_bytes());
        }
        head.push(0);
        let mut sum = Checksum::new();
        // In the parts in which it is read.
        sum.add(HEAD);
        for fact in facts {
            let mut length = Vec::new();
            push_varint(fact.value.len() as u64 + 1, &mut length);
            length.iter().for_each(|&byte| sum.add(&[byte]));
            sum.add(fact.value.as_bytes());
        }
        sum.add(&[0]);
        head.extend(sum.0.to_le_bytes());
        self.begin = head.len() as u64;
        let file = self.file.get_mut();
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&head)?;
        file.sync_all()
    }

    /// The layers that are complete.
    pub(crate) fn layers(&self) -> &[KeptLayer] {
        &self.layers
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.layers.last().map_or(self.begin, |layer| layer.end)
    }

    /// The error that the file is not as it was.
    pub(crate) fn changed(&self) -> KeptError {
        KeptError::Changed(self.path.clone())
    }

    /// Drops all but the first layers, so many.
    pub(crate) fn shorten(&mut self, layers: usize) -> Result<(), KeptError> {
        self.layers.truncate(layers);
        let end = self.bytes();
        let file = self.file.get_mut();
        let cut = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
        cut.map(|_| ()).map_err(KeptError::io("write", &self.path))
    }

    /// Hands out all layers, in order.
    pub(crate) fn read(&mut self, each: &mut dyn FnMut(Part<'_>)) -> Result<(), KeptError> {
        let failed = KeptError::io("read", &self.path);
        // The file that is locked, which no other may be opened beside on every system.
        let mut file = self.file.get_ref().try_clone().map_err(&failed)?;
        file.seek(SeekFrom::Start(self.begin)).map_err(&failed)?;
        let reader = BufReader::with_capacity(1 << 18, file);
        let mut reader = Reader { reader, at: self.begin, sum: Checksum::new() };
        for _ in 0..self.layers.len() {
            if unless_short(reader.layer(each)).map_err(&failed)?.is_none() {
                return Err(self.changed());
            }
        }
        let end = SeekFrom::Start(self.bytes());
        self.file.get_mut().seek(end).map(|_| ()).map_err(failed)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), KeptError> {
        if let Some((layer, _)) = &mut self.open {
            layer.end += bytes.len() as u64;
        }
        self.file.write_all(bytes).map_err(KeptError::io("write", &self.path))
    }

    fn put_varint(&mut self, value: u64) -> Result<(), KeptError> {
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        push_varint(value, &mut bytes);
        if let Some((_, sum)) = &mut self.open {
            bytes.iter().for_each(|&byte| sum.add(&[byte]));
        }
        let put = self.put(&bytes);
        self.scratch = bytes;
        put
    }

    /// Begins a layer of so many states.
    pub(crate) fn begin(&mut self, states: u64, counts: [u64; 3]) -> Result<(), KeptError> {
        let mut sum = Checksum::new();
        sum.add(&[LAYER]);
        self.open = Some((KeptLayer { states, counts, end: self.bytes() }, sum));
        self.put(&[LAYER])?;
        self.put_varint(states)?;
        counts.into_iter().try_for_each(|count| self.put_varint(count))
    }

    /// Appends a state of it, or, behind all of these, a note, which is not empty.
    pub(crate) fn push(&mut self, part: &[u8]) -> Result<(), KeptError> {
        self.put_varint(part.len() as u64)?;
        if let Some((_, sum)) = &mut self.open {
            sum.add(part);
        }
        self.put(part)
    }

    /// Completes the layer.
    pub(crate) fn finish(&mut self) -> Result<(), KeptError> {
        self.put_varint(0)?;
        if let Some((_, sum)) = self.open {
            self.put(&sum.0.to_le_bytes())?;
        }
        let failed = KeptError::io("write", &self.path);
        self.file.flush().map_err(&failed)?;
        if self.synced.elapsed() >= SYNC {
            self.synced = Instant::now();
            self.file.get_ref().sync_data().map_err(&failed)?;
        }
        self.layers.extend(self.open.take().map(|(layer, _)| layer));
        Ok(())
    }
}
