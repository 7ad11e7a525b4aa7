//! How workers end a round: what each says, and what all know then ([`Rounds`]).

use crate::bytes::{push_bytes, push_varint, take_bytes, take_varint};
use crate::control::Ended;
use crate::error::SearchEnd;
use crate::limits::{Bounds, Halt, Stop};
use crate::peers::Peers;
use crate::shard::Shard;

/// Takes what another worker, of this number, has sent: whether it makes sense.
pub(crate) type Receive<'r> = &'r mut dyn FnMut(usize, &[u8]) -> bool;

/// What all workers said, by number, and the limit that stopped one of them, if one did.
pub(crate) type Said<T> = (Vec<T>, Option<Stop>);

/// The rounds of one search.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    /// Bytes that the workers of this process held at the end of the last round, and at most.
    pub bytes: usize,
    pub peak_bytes: usize,
    /// Those of the other ones of them.
    held_by_others: usize,
    /// Who has sent what makes no sense.
    garbled_by: Option<usize>,
}

impl Rounds {
    /// Bytes that this worker may hold.
    pub fn room(&self, bounds: &Bounds) -> Option<usize> {
        bounds.memory.map(|most| most.saturating_sub(self.held_by_others))
    }

    /// Takes what others have sent so far.
    pub fn take(&mut self, peers: &mut Peers<'_>, receive: Receive<'_>) {
        let garbled_by = &mut self.garbled_by;
        peers.take(&mut |from, batch| note(garbled_by, from, receive(from, batch)));
    }

    /// Ends a round: takes what was sent in it, and hands out the numbers that all workers said. What makes no sense is
    /// told to all with the next one, so a search has one more behind all that it sends.
    ///
    /// # Errors
    /// This worker, or another one, can't go on; or was lost.
    pub fn end<S: Shard, const N: usize>(
        &mut self,
        peers: &mut Peers<'_>,
        (numbers, bytes): ([u64; N], usize),
        halted: Option<Halt<S::Error>>,
        receive: Receive<'_>,
    ) -> Result<Said<[u64; N]>, SearchEnd<S::Error>> {
        let mut said = Vec::new();
        push_varint(bytes as u64, &mut said);
        numbers.into_iter().for_each(|number| push_varint(number, &mut said));
        let read = |mut said: &[u8]| {
            let (held, mut numbers) = (take_varint(&mut said)?, [0; N]);
            for number in &mut numbers {
                *number = take_varint(&mut said)?;
            }
            said.is_empty().then_some((held, numbers))
        };
        let (all, stop) = self.tell::<S, _>(peers, &said, halted, receive, read)?;
        let held = total(all[peers.of_process()].iter().map(|&(held, _)| held));
        self.bytes = usize::try_from(held).unwrap_or(usize::MAX);
        self.held_by_others = self.bytes.saturating_sub(bytes);
        self.peak_bytes = self.peak_bytes.max(self.bytes);
        Ok((all.into_iter().map(|(_, numbers)| numbers).collect(), stop))
    }

    /// As [`Rounds::end`], in a round in which nothing was sent: `said` is what this worker says, `read` makes something of
    /// what each one said.
    ///
    /// # Errors
    /// As [`Rounds::end`].
    pub fn agree<S: Shard, T>(
        &mut self,
        peers: &mut Peers<'_>,
        said: &[u8],
        halted: Option<Halt<S::Error>>,
        read: impl FnMut(&[u8]) -> Option<T>,
    ) -> Result<Said<T>, SearchEnd<S::Error>> {
        self.tell::<S, T>(peers, said, halted, &mut |_, _| false, read)
    }

    fn tell<S: Shard, T>(
        &mut self,
        peers: &mut Peers<'_>,
        said: &[u8],
        halted: Option<Halt<S::Error>>,
        receive: Receive<'_>,
        mut read: impl FnMut(&[u8]) -> Option<T>,
    ) -> Result<Said<T>, SearchEnd<S::Error>> {
        let (stop, failed) = match halted {
            Some(Halt::Stop(stop)) => (Some(stop), None),
            Some(Halt::Fail(error)) => (None, Some(error)),
            None => (None, None),
        };
        let words = match (&failed, self.garbled_by) {
            (Some(error), _) => S::words_of(error),
            (None, Some(from)) => {
                format!("a worker of process {} sent what makes no sense", peers.process_of(from))
            }
            (None, None) => String::new(),
        };
        let mut out = Vec::new();
        push_bytes(words.as_bytes(), &mut out);
        push_varint(Stop::code(stop), &mut out);
        out.extend(said);
        let garbled_by = &mut self.garbled_by;
        let all =
            peers.exchange(out, &mut |from, batch| note(garbled_by, from, receive(from, batch)));
        if let Some(error) = failed {
            return Err(SearchEnd::Failed(error));
        }
        let (mut heard, mut stop) = (Vec::new(), None);
        for (worker, said) in all?.iter().enumerate() {
            let mut said = &said[..];
            let mut head =
                || Some((take_bytes(&mut said)?, Stop::of_code(take_varint(&mut said)?)?));
            let (words, own) = head().ok_or_else(|| senseless(peers, worker))?;
            if !words.is_empty() {
                let why = String::from_utf8_lossy(words).into_owned();
                return Err(left(peers, worker, why).into());
            }
            // The first one's, so that all take the same.
            stop = stop.or(own);
            heard.push(read(said).ok_or_else(|| senseless(peers, worker))?);
        }
        Ok((heard, stop))
    }
}

fn note(garbled_by: &mut Option<usize>, from: usize, is_understood: bool) {
    if !is_understood {
        garbled_by.get_or_insert(from);
    }
}

/// The error that what a worker said makes no sense.
pub(crate) fn senseless(peers: &Peers<'_>, worker: usize) -> Ended {
    left(peers, worker, "what it says makes no sense".to_owned())
}

fn left(peers: &Peers<'_>, worker: usize, why: String) -> Ended {
    let (process, address) = (peers.process_of(worker), peers.address_of(worker));
    Ended::Left { process, address, why }
}

/// What all workers have counted, added up.
pub(crate) fn sum<const N: usize>(all: &[[u64; N]]) -> [u64; N] {
    std::array::from_fn(|at| total(all.iter().map(|counts| counts[at])))
}

/// Numbers added up, as far as that goes: some were said by others.
pub(crate) fn total(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::saturating_add)
}
