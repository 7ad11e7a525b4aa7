//! What all writes into a base have in common: limits that are polled meanwhile, sorted keys, and
//! the result.

use super::BaseWriter;
use crate::error::RuleError;
use std::sync::atomic::Ordering;
use std::time::Instant;
use zug_base::{BaseError, Meta, Section, Start};
use zug_search::{Limits, StopReason};

/// The result of a save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// Positions that are new in the base.
    pub new: u64,
    /// Positions that were there.
    pub known: u64,
    /// The limit that ended it early.
    pub stopped: Option<StopReason>,
}

impl Saved {
    /// A limit struck before anything was written.
    pub(crate) fn stopped(reason: Option<StopReason>) -> Saved {
        Saved { stopped: reason, ..Saved::default() }
    }
}

/// Why states were not saved.
#[derive(Debug)]
pub enum SaveError {
    /// An error in a rule.
    Rule(Box<RuleError>),
    /// The base can't be written.
    Base(BaseError),
}

impl From<Box<RuleError>> for SaveError {
    fn from(error: Box<RuleError>) -> SaveError {
        SaveError::Rule(error)
    }
}

impl From<BaseError> for SaveError {
    fn from(error: BaseError) -> SaveError {
        SaveError::Base(error)
    }
}

/// Polls the limits while a base is written.
pub(crate) struct SaveLimits<'l> {
    limits: &'l Limits,
    began: Instant,
    pub(crate) stopped: Option<StopReason>,
}

impl<'l> SaveLimits<'l> {
    pub(crate) fn new(limits: &'l Limits) -> SaveLimits<'l> {
        SaveLimits { limits, began: Instant::now(), stopped: None }
    }

    pub(crate) fn go_on(&mut self, bytes: usize) -> bool {
        let limits = self.limits;
        let cancelled = limits.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        self.stopped = if cancelled {
            Some(StopReason::Cancelled)
        } else if limits.time.is_some_and(|time| self.began.elapsed() >= time) {
            Some(StopReason::Time)
        } else if limits.memory.is_some_and(|most| bytes > most) {
            Some(StopReason::Memory)
        } else {
            None
        };
        self.stopped.is_none()
    }
}

/// The keys of states that are to be saved, each with a handle of its value.
pub(crate) struct Keys<T> {
    arena: Vec<u8>,
    /// Where each lies in the arena.
    order: Vec<(usize, usize, T)>,
}

impl<T: Copy> Keys<T> {
    pub(crate) fn new() -> Keys<T> {
        Keys { arena: Vec::new(), order: Vec::new() }
    }

    pub(crate) fn push(&mut self, key: &[u8], of: T) {
        let from = self.arena.len();
        self.arena.extend_from_slice(key);
        self.order.push((from, self.arena.len(), of));
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.arena.capacity() + self.order.capacity() * size_of::<(usize, usize, T)>()
    }

    fn key(&self, &(from, to, _): &(usize, usize, T)) -> &[u8] {
        &self.arena[from..to]
    }

    /// Writes what `written` makes of each, if anything, in the order of the keys, and each key
    /// once; `held` bytes are held beside the keys.
    pub(crate) fn write(
        mut self,
        keeper: &mut BaseWriter,
        section: Section,
        start: &Start,
        (watch, held): (&mut SaveLimits<'_>, usize),
        count: impl FnMut(&mut Meta, &[u8], &[u8]),
        mut written: impl FnMut(T) -> Option<Vec<u8>>,
    ) -> Result<Saved, BaseError> {
        let mut order = std::mem::take(&mut self.order);
        order.sort_unstable_by(|a, b| self.key(a).cmp(self.key(b)));
        order.dedup_by(|a, b| self.key(a) == self.key(b));
        let records = order.iter().filter_map(|of| Some((self.key(of), written(of.2)?)));
        let held = held + self.arena.len() + order.len() * size_of::<(usize, usize, T)>();
        let added = keeper.add(section, records, count, || watch.go_on(held), start)?;
        Ok(Saved { new: added.new, known: added.known, stopped: watch.stopped })
    }
}
