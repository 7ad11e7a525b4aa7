//! Runs made one: [`merged`], and [`Runs`] that are merged as they get many.

use super::coding::Coding;
use super::number::Number;
use super::run::{Run, RunWriter};
use super::segment::{BLOCK, Segment};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Numbers in rising order, each with its mark.
pub type Numbers<'r, const W: usize> = Box<dyn Iterator<Item = (Number<W>, u32)> + 'r>;

/// The numbers of segments that come one by one.
struct Stream<const W: usize, I> {
    segments: I,
    segment: Option<Segment<W>>,
    /// The block, and how many of its numbers were read.
    block: usize,
    buffer: Vec<Number<W>>,
    at: usize,
}

impl<const W: usize, I: Iterator<Item = Segment<W>>> Iterator for Stream<W, I> {
    type Item = (Number<W>, u32);

    #[inline]
    fn next(&mut self) -> Option<(Number<W>, u32)> {
        if self.at == self.buffer.len() {
            self.fill()?;
        }
        let mark = self.segment.as_ref()?.marks.get((self.block - 1) * BLOCK + self.at);
        self.at += 1;
        Some((self.buffer[self.at - 1], mark))
    }
}

impl<const W: usize, I: Iterator<Item = Segment<W>>> Stream<W, I> {
    /// Reads the next block.
    fn fill(&mut self) -> Option<()> {
        while self.segment.as_ref().is_none_or(|segment| self.block == segment.blocks()) {
            self.segment = None;
            self.segment = Some(self.segments.next()?);
            self.block = 0;
        }
        let segment = self.segment.as_ref()?;
        self.buffer.resize(segment.block_len(self.block), Number::ZERO);
        segment.read(self.block, &mut self.buffer);
        (self.block, self.at) = (self.block + 1, 0);
        Some(())
    }
}

/// The numbers of segments of one coding, as numbers of another that has learned all of it.
pub fn in_coding<'r, const W: usize>(
    segments: impl Iterator<Item = Segment<W>> + 'r,
    from: &Arc<Coding<W>>,
    to: &Arc<Coding<W>>,
) -> Numbers<'r, W> {
    let stream = Stream { segments, segment: None, block: 0, buffer: Vec::new(), at: 0 };
    if from.learned() == to.learned() {
        return Box::new(stream);
    }
    let (from, to, mut key) = (from.clone(), to.clone(), Vec::new());
    Box::new(stream.map(move |(number, mark)| {
        from.key(number, &mut key);
        (to.number(&key).unwrap_or_default(), mark)
    }))
}

/// The numbers of several, each once, with the mark of the first that has it.
pub fn merged<'r, const W: usize>(mut parts: Vec<Numbers<'r, W>>) -> Numbers<'r, W> {
    match parts.len() {
        0 => Box::new(std::iter::empty()),
        1 => parts.remove(0),
        2 => {
            let (second, first) = (parts.remove(1), parts.remove(0));
            Box::new(Two { heads: [None, None], parts: [first, second], begun: false })
        }
        _ => {
            let mut heap = BinaryHeap::new();
            for (at, part) in parts.iter_mut().enumerate() {
                heap.extend(part.next().map(|(number, mark)| Reverse((number, at, mark))));
            }
            Box::new(Many { parts, heap, last: None })
        }
    }
}

struct Two<'r, const W: usize> {
    parts: [Numbers<'r, W>; 2],
    heads: [Option<(Number<W>, u32)>; 2],
    begun: bool,
}

impl<const W: usize> Iterator for Two<'_, W> {
    type Item = (Number<W>, u32);

    #[inline]
    fn next(&mut self) -> Option<(Number<W>, u32)> {
        if !self.begun {
            self.begun = true;
            self.heads = [self.parts[0].next(), self.parts[1].next()];
        }
        let take = match (self.heads[0], self.heads[1]) {
            (Some(first), Some(second)) if first.0 == second.0 => {
                self.heads[1] = self.parts[1].next();
                0
            }
            (Some(first), Some(second)) => usize::from(first.0 > second.0),
            (None, _) => 1,
            (_, None) => 0,
        };
        self.heads[take].take().inspect(|_| {
            self.heads[take] = self.parts[take].next();
        })
    }
}

struct Many<'r, const W: usize> {
    parts: Vec<Numbers<'r, W>>,
    heap: BinaryHeap<Reverse<(Number<W>, usize, u32)>>,
    last: Option<Number<W>>,
}

impl<const W: usize> Iterator for Many<'_, W> {
    type Item = (Number<W>, u32);

    fn next(&mut self) -> Option<(Number<W>, u32)> {
        loop {
            let mut top = self.heap.peek_mut()?;
            let Reverse((number, at, mark)) = *top;
            match self.parts[at].next() {
                Some((next, mark)) => *top = Reverse((next, at, mark)),
                None => drop(std::collections::binary_heap::PeekMut::pop(top)),
            }
            if self.last != Some(number) {
                self.last = Some(number);
                return Some((number, mark));
            }
        }
    }
}

/// Runs of which each is more than twice as long as the next.
#[derive(Clone, Debug, Default)]
pub struct Runs<const W: usize> {
    runs: Vec<Run<W>>,
    /// Their numbers have marks.
    marked: bool,
}

impl<const W: usize> Runs<W> {
    /// No run; of numbers that have marks, or of such that have none.
    pub fn new(marked: bool) -> Self {
        Self { runs: Vec::new(), marked }
    }

    /// The runs.
    pub fn all(&self) -> &[Run<W>] {
        &self.runs
    }

    /// How many numbers there are in all runs.
    pub fn len(&self) -> u64 {
        self.runs.iter().map(Run::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.runs.iter().map(Run::bytes).sum()
    }

    /// Adds a run, and merges it with those that are no longer than twice as long, as numbers of a coding that has learned
    /// all that theirs have.
    pub fn push(&mut self, run: Run<W>, coding: &Arc<Coding<W>>) {
        let mut last = vec![run];
        let mut length = last[0].len();
        while let Some(before) = self.runs.pop_if(|before| before.len() <= 2 * length) {
            length += before.len();
            last.push(before);
        }
        let run = match last.len() {
            1 => last.remove(0),
            _ => self.join(last, coding),
        };
        if !run.is_empty() {
            self.runs.push(run);
        }
    }

    fn join(&self, mut runs: Vec<Run<W>>, coding: &Arc<Coding<W>>) -> Run<W> {
        // What came first counts.
        runs.reverse();
        let mut writer = RunWriter::new(coding.clone());
        for (number, mark) in parts(runs, coding) {
            if self.marked { writer.push_marked(number, mark) } else { writer.push(number) }
        }
        writer.finish()
    }

    /// All numbers, those of the runs being given up meanwhile.
    pub fn into_numbers(self, coding: &Arc<Coding<W>>) -> Numbers<'static, W> {
        parts(self.runs, coding)
    }

    /// All in one run.
    pub fn into_run(mut self, coding: &Arc<Coding<W>>) -> Run<W> {
        let runs = std::mem::take(&mut self.runs);
        match <[Run<W>; 1]>::try_from(runs) {
            Ok([run]) if run.coding().learned() == coding.learned() => run,
            Ok(runs) => self.join(runs.into(), coding),
            Err(mut runs) => {
                runs.reverse();
                self.join(runs, coding)
            }
        }
    }
}

fn parts<const W: usize>(runs: Vec<Run<W>>, coding: &Arc<Coding<W>>) -> Numbers<'static, W> {
    let part = |run: Run<W>| {
        let from = run.coding().clone();
        in_coding(run.into_segments(), &from, coding)
    };
    merged(runs.into_iter().map(part).collect())
}
