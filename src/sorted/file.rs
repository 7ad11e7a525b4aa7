//! Runs in files: [`FileWriter`] and [`FileReader`].
//!
//! ```text
//! header     the text "zugrun1", the words of a number, the bytes seen at each place of keys of each length
//! segments   each: the bytes of its body, a checksum of it, the body
//! end        a length that no body has, how many numbers there are, a checksum of that
//! ```
//!
//! All numbers are little-endian. A file is written under another name, and gets its own when it is complete.

use super::coding::{Coding, Seen};
use super::disk_error::DiskError;
use super::number::{Number, take};
use super::run::SegmentWriter;
use super::segment::Segment;
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use zug_files::Access;

const MAGIC: &[u8; 7] = b"zugrun1";
/// In the place of a length: no segment follows.
const END: u32 = u32::MAX;
/// The longest body.
const LONGEST: u32 = 1 << 24;

/// 64 bits of FNV-1a (Fowler, Noll and Vo).
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Where errors of readers are left: a run that is cut short by one looks as if it were complete.
pub type ReadErrors = Rc<RefCell<Option<DiskError>>>;

/// Writes numbers that come in rising order into a file; it fails where the file can't be written.
#[derive(Debug)]
pub struct FileWriter<const W: usize> {
    path: PathBuf,
    unnamed: PathBuf,
    out: BufWriter<File>,
    writer: SegmentWriter<W>,
    count: u64,
    body: Vec<u8>,
}

impl<const W: usize> FileWriter<W> {
    /// A file of numbers of a coding.
    pub fn new(path: PathBuf, coding: &Coding<W>) -> Result<Self, DiskError> {
        let unnamed = path.with_extension("new");
        let file = Access::FREE.create(&unnamed).map_err(DiskError::io("write", &unnamed))?;
        let (out, writer) = (BufWriter::new(file), SegmentWriter::default());
        let mut file = Self { path, unnamed, out, writer, count: 0, body: Vec::new() };
        let mut header = vec![W as u8];
        let seen = coding.seen();
        header.extend((seen.len() as u32).to_le_bytes());
        for (length, bytes) in &seen {
            header.extend(length.to_le_bytes());
            for bytes in bytes {
                header.extend((bytes.len() as u16).to_le_bytes());
                header.extend_from_slice(bytes);
            }
        }
        let length = (header.len() as u32).to_le_bytes();
        file.write(&[&MAGIC[..], &length, &checksum(&header).to_le_bytes(), &header].concat())?;
        Ok(file)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError> {
        self.out.write_all(bytes).map_err(DiskError::io("write", &self.unnamed))
    }

    /// Appends a number that is greater than those before.
    pub fn push(&mut self, number: Number<W>) -> Result<(), DiskError> {
        self.count += 1;
        match self.writer.push(number, None) {
            Some(full) => self.segment(&full),
            None => Ok(()),
        }
    }

    fn segment(&mut self, segment: &Segment<W>) -> Result<(), DiskError> {
        let mut body = std::mem::take(&mut self.body);
        body.clear();
        segment.write(&mut body);
        self.write(&(body.len() as u32).to_le_bytes())?;
        self.write(&checksum(&body).to_le_bytes())?;
        self.write(&body)?;
        self.body = body;
        Ok(())
    }

    /// Completes the file and gives it its name: how many numbers are in it. [`Folder::commit`](super::Folder::commit) sees to
    /// it that it is on the disk.
    pub fn finish(mut self) -> Result<u64, DiskError> {
        if let Some(last) = std::mem::take(&mut self.writer).finish() {
            self.segment(&last)?;
        }
        let count = self.count.to_le_bytes();
        self.write(&[&END.to_le_bytes()[..], &count, &checksum(&count).to_le_bytes()].concat())?;
        let failed = DiskError::io("write", &self.unnamed);
        self.out.into_inner().map_err(|error| failed(error.into_error()))?;
        Access::FREE
            .rename(&self.unnamed, &self.path)
            .map_err(DiskError::io("rename", &self.unnamed))?;
        Ok(self.count)
    }
}

/// Reads the segments of a file.
#[derive(Debug)]
pub struct FileReader<const W: usize> {
    path: PathBuf,
    file: BufReader<File>,
    coding: Arc<Coding<W>>,
    read: u64,
    is_over: bool,
    errors: ReadErrors,
}

impl<const W: usize> FileReader<W> {
    /// Opens a file. What goes wrong later is left in `errors`.
    ///
    /// # Errors
    /// It can't be read, or is no such file.
    pub fn open(path: &Path, errors: &ReadErrors) -> Result<Self, DiskError> {
        let file = Access::FREE.open(path).map_err(DiskError::io("read", path))?;
        let mut reader = Self {
            path: path.to_owned(),
            file: BufReader::new(file),
            coding: Arc::new(Coding::new()),
            read: 0,
            is_over: false,
            errors: errors.clone(),
        };
        if reader.exactly::<7>()? != *MAGIC {
            return Err(reader.damaged("it does not begin as a file of states does"));
        }
        let header = reader.body()?.unwrap_or_default();
        let coding = seen_in::<W>(&header).and_then(|seen| Coding::of(&seen));
        let coding = coding.ok_or_else(|| reader.damaged("its header makes no sense"));
        reader.coding = Arc::new(coding?);
        Ok(reader)
    }

    /// How its numbers are made.
    pub fn coding(&self) -> &Arc<Coding<W>> {
        &self.coding
    }

    fn damaged(&self, what: &'static str) -> DiskError {
        DiskError::Damaged(self.path.clone(), what)
    }

    fn exactly<const N: usize>(&mut self) -> Result<[u8; N], DiskError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), DiskError> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.damaged("it is cut short"),
            _ => DiskError::Io("read", self.path.clone(), error),
        })
    }

    /// The next body; `None` at the end.
    fn body(&mut self) -> Result<Option<Vec<u8>>, DiskError> {
        let length = u32::from_le_bytes(self.exactly()?);
        if length == END {
            let (count, sum) = (self.exactly::<8>()?, self.exactly::<8>()?);
            let whole = sum == checksum(&count).to_le_bytes();
            return match whole && u64::from_le_bytes(count) == self.read {
                true => Ok(None),
                false => Err(self.damaged("it has not as many states as it had")),
            };
        }
        if length > LONGEST {
            return Err(self.damaged("a part of it is too long"));
        }
        let sum = u64::from_le_bytes(self.exactly()?);
        let mut body = vec![0; length as usize];
        self.fill(&mut body)?;
        if checksum(&body) != sum {
            return Err(self.damaged("a part of it is not as it was written"));
        }
        Ok(Some(body))
    }

    fn segment(&mut self) -> Result<Option<Segment<W>>, DiskError> {
        let Some(body) = self.body()? else { return Ok(None) };
        let segment = Segment::read_from(&body);
        let segment = segment.ok_or_else(|| self.damaged("a part of it makes no sense"))?;
        self.read += segment.len() as u64;
        Ok(Some(segment))
    }
}

impl<const W: usize> Iterator for FileReader<W> {
    type Item = Segment<W>;

    fn next(&mut self) -> Option<Segment<W>> {
        if self.is_over {
            return None;
        }
        let next = self.segment().unwrap_or_else(|error| {
            self.errors.borrow_mut().get_or_insert(error);
            None
        });
        self.is_over = next.is_none();
        next
    }
}

fn seen_in<const W: usize>(header: &[u8]) -> Option<Seen> {
    let (&words, mut rest) = header.split_first()?;
    if usize::from(words) != W {
        return None;
    }
    let forms = u32::from_le_bytes(take(&mut rest)?);
    let mut seen = Seen::new();
    for _ in 0..forms {
        let length = u32::from_le_bytes(take(&mut rest)?);
        let mut places = Vec::new();
        for _ in 0..length {
            let count = usize::from(u16::from_le_bytes(take(&mut rest)?));
            let (bytes, after) = rest.split_at_checked(count)?;
            places.push(bytes.to_vec());
            rest = after;
        }
        seen.push((length, places));
    }
    rest.is_empty().then_some(seen)
}

impl<const W: usize> Segment<W> {
    /// As bytes: how many numbers, the first number and the place of each block, the blocks.
    fn write(&self, out: &mut Vec<u8>) {
        out.extend((self.count as u32).to_le_bytes());
        self.firsts.iter().for_each(|first| first.to_bytes(out));
        self.starts.iter().for_each(|start| out.extend(start.to_le_bytes()));
        out.extend_from_slice(&self.data);
    }

    fn read_from(mut bytes: &[u8]) -> Option<Self> {
        let mut segment = Self::new();
        segment.count = u32::from_le_bytes(take(&mut bytes)?) as usize;
        let blocks = segment.count.div_ceil(super::segment::BLOCK);
        for _ in 0..blocks {
            segment.firsts.push(Number::take(&mut bytes)?);
        }
        for _ in 0..blocks {
            segment.starts.push(u16::from_le_bytes(take(&mut bytes)?));
        }
        segment.data = bytes.to_vec();
        Some(segment)
    }
}
