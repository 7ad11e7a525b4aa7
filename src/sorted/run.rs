//! Numbers in rising order: [`Run`], and the [`RunWriter`] that makes one.

use super::coding::Coding;
use super::number::Number;
use super::segment::{BLOCK, Segment};
use std::sync::Arc;

/// Where a number lies in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The segment.
    pub segment: usize,
    /// The place there.
    pub at: usize,
}

/// Numbers of a coding in rising order, each once.
#[derive(Clone, Debug)]
pub struct Run<const W: usize> {
    coding: Arc<Coding<W>>,
    /// The numbers, in parts.
    pub segments: Vec<Segment<W>>,
    /// How many numbers stand before each part.
    before: Vec<u64>,
    len: u64,
    bytes: usize,
}

impl<const W: usize> Run<W> {
    /// The run of no number.
    pub fn empty(coding: Arc<Coding<W>>) -> Self {
        RunWriter::new(coding).finish()
    }

    /// How its numbers are made.
    pub fn coding(&self) -> &Arc<Coding<W>> {
        &self.coding
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes held, but for the coding, as it was made or [measured](Run::measure).
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts the bytes held again, when marks were changed.
    pub fn measure(&mut self) {
        self.bytes = self.segments.iter().map(Segment::bytes).sum();
    }

    /// The number of a number: how many are less.
    pub fn rank(&self, place: Place) -> u64 {
        self.before[place.segment] + place.at as u64
    }

    /// The place of the number with a rank.
    pub fn place(&self, rank: u64) -> Place {
        let segment = self.before.partition_point(|&before| before <= rank) - 1;
        Place { segment, at: (rank - self.before[segment]) as usize }
    }

    /// The number at a place.
    pub fn number(&self, place: Place) -> Number<W> {
        let mut cursor = self.segments[place.segment].block(place.at / BLOCK);
        (0..place.at % BLOCK).for_each(|_| cursor.advance());
        cursor.number()
    }

    /// The numbers with their marks.
    pub fn numbers(&self) -> impl Iterator<Item = (Number<W>, u32)> + '_ {
        self.segments.iter().flat_map(of_segment)
    }

    /// The segments, each given up when it was read.
    pub fn into_segments(self) -> std::vec::IntoIter<Segment<W>> {
        self.segments.into_iter()
    }
}

fn of_segment<const W: usize>(segment: &Segment<W>) -> impl Iterator<Item = (Number<W>, u32)> + '_ {
    (0..segment.blocks()).flat_map(move |block| {
        let mut cursor = segment.block(block);
        (0..segment.block_len(block)).map(move |at| {
            if at > 0 {
                cursor.advance();
            }
            (cursor.number(), segment.marks.get(block * BLOCK + at))
        })
    })
}

/// Puts numbers that come in rising order into segments.
#[derive(Debug)]
pub struct SegmentWriter<const W: usize> {
    segment: Segment<W>,
    block: Vec<Number<W>>,
    near: u32,
}

impl<const W: usize> Default for SegmentWriter<W> {
    fn default() -> Self {
        Self { segment: Segment::new(), block: Vec::with_capacity(BLOCK), near: 0 }
    }
}

impl<const W: usize> SegmentWriter<W> {
    /// Appends a number that is greater than those before, and a mark if there are some; a segment that is full.
    #[inline]
    pub fn push(&mut self, number: Number<W>, mark: Option<u32>) -> Option<Segment<W>> {
        let full = if self.block.len() == BLOCK { self.flush() } else { None };
        debug_assert!(self.block.last().is_none_or(|last| *last < number), "they rise");
        self.block.push(number);
        if let Some(mark) = mark {
            self.segment.marks.push(mark);
        }
        full
    }

    fn flush(&mut self) -> Option<Segment<W>> {
        self.near = self.segment.push(&self.block, self.near);
        self.block.clear();
        if !self.segment.is_full() {
            return None;
        }
        Some(self.take())
    }

    fn take(&mut self) -> Segment<W> {
        let mut full = std::mem::replace(&mut self.segment, Segment::new());
        full.shrink();
        full
    }

    /// The last segment, if there is one.
    pub fn finish(mut self) -> Option<Segment<W>> {
        if !self.block.is_empty() {
            self.near = self.segment.push(&self.block, self.near);
        }
        (!self.segment.is_empty()).then(|| self.take())
    }
}

/// Makes a run of numbers that come in rising order.
#[derive(Debug)]
pub struct RunWriter<const W: usize> {
    run: Run<W>,
    writer: SegmentWriter<W>,
}

impl<const W: usize> RunWriter<W> {
    /// A run of numbers of a coding.
    pub fn new(coding: Arc<Coding<W>>) -> Self {
        let run = Run { coding, segments: Vec::new(), before: Vec::new(), len: 0, bytes: 0 };
        Self { run, writer: SegmentWriter::default() }
    }

    /// Appends a number, which is greater than those before.
    #[inline]
    pub fn push(&mut self, number: Number<W>) {
        if let Some(full) = self.writer.push(number, None) {
            self.add(full);
        }
    }

    /// As [`RunWriter::push`], with a mark, which all numbers have then.
    #[inline]
    pub fn push_marked(&mut self, number: Number<W>, mark: u32) {
        if let Some(full) = self.writer.push(number, Some(mark)) {
            self.add(full);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.run.bytes
    }

    fn add(&mut self, segment: Segment<W>) {
        self.run.before.push(self.run.len);
        self.run.len += segment.len() as u64;
        self.run.bytes += segment.bytes();
        self.run.segments.push(segment);
    }

    /// The run.
    pub fn finish(mut self) -> Run<W> {
        if let Some(last) = std::mem::take(&mut self.writer).finish() {
            self.add(last);
        }
        self.run
    }
}
