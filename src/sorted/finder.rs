//! Places of numbers in a run: [`Finder`].

use super::number::Number;
use super::run::{Place, Run};
use super::segment::{BLOCK, Cursor};

/// Finds numbers in a run. Numbers that are asked for in rising order are found as fast as they are read.
#[derive(Clone, Debug)]
pub struct Finder<'r, const W: usize> {
    run: &'r Run<W>,
    segment: usize,
    block: usize,
    /// The place in the block where the cursor is.
    at: usize,
    cursor: Option<Cursor<'r, W>>,
}

impl<const W: usize> Run<W> {
    /// Finds numbers, best in rising order.
    pub fn finder(&self) -> Finder<'_, W> {
        Finder { run: self, segment: 0, block: 0, at: 0, cursor: None }
    }
}

impl<'r, const W: usize> Finder<'r, W> {
    /// The run.
    pub fn run(&self) -> &'r Run<W> {
        self.run
    }

    /// The place of a number, if it is there.
    #[inline]
    pub fn find(&mut self, number: Number<W>) -> Option<Place> {
        if self.cursor.as_ref().is_none_or(|cursor| number < cursor.number()) {
            self.begin(number, 0)?;
        } else {
            self.go_on(number);
        }
        let (cursor, length) =
            (self.cursor.as_mut()?, self.run.segments[self.segment].block_len(self.block));
        while cursor.number() < number {
            if self.at + 1 == length {
                return None;
            }
            cursor.advance();
            self.at += 1;
        }
        let at = self.block * BLOCK + self.at;
        (cursor.number() == number).then_some(Place { segment: self.segment, at })
    }

    /// Goes on to the block of a number that is not less than the one here.
    #[inline]
    fn go_on(&mut self, number: Number<W>) {
        let firsts = &self.run.segments[self.segment].firsts;
        match firsts.get(self.block + 1) {
            Some(next) if *next > number => {}
            Some(_) => {
                let next = self.run.segments.get(self.segment + 1);
                if next.is_none_or(|next| next.firsts[0] > number) {
                    let behind = gallop(&firsts[self.block + 1..], number);
                    self.enter(self.segment, self.block + behind);
                } else {
                    self.begin(number, self.segment + 1);
                }
            }
            None => {
                let next = self.run.segments.get(self.segment + 1);
                if next.is_some_and(|next| next.firsts[0] <= number) {
                    self.begin(number, self.segment + 1);
                }
            }
        }
    }

    /// Looks for the block of a number from a segment on; `None` if it lies before all.
    fn begin(&mut self, number: Number<W>, from: usize) -> Option<()> {
        let segments = &self.run.segments;
        let behind = segments[from..].partition_point(|segment| segment.firsts[0] <= number);
        let segment = from + behind.checked_sub(1)?;
        let firsts = &segments[segment].firsts;
        self.enter(segment, firsts.partition_point(|first| *first <= number) - 1);
        Some(())
    }

    #[inline]
    fn enter(&mut self, segment: usize, block: usize) {
        (self.segment, self.block, self.at) = (segment, block, 0);
        self.cursor = Some(self.run.segments[segment].block(block));
    }
}

/// How many of some numbers in rising order are not greater than one, sooner if they are few.
#[inline]
fn gallop<const W: usize>(numbers: &[Number<W>], number: Number<W>) -> usize {
    let mut step = 1;
    while numbers.get(step).is_some_and(|next| *next <= number) {
        step *= 2;
    }
    let known = step / 2;
    let end = numbers.len().min(step);
    known + numbers[known..end].partition_point(|next| *next <= number)
}
