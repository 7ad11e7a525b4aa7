//! A worker among the others: [`Peers`].
//!
//! The dataflow is one exchange: batches of bytes go to the worker that is named in them. Its timestamps are rounds. A
//! worker advances its input at the end of a round, with a summary for each of the others, and the round is over when
//! the frontier has passed it: then all that was sent in it was received.

use crate::control::{Control, Ended};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::allocator::Allocator;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Operator, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// Bytes that are sent at once.
const BATCH: usize = 1 << 15;
/// Time between two looks at whether the run was ended.
const LOOK: Duration = Duration::from_millis(20);
/// Time that others may take to notice that the run is to stop.
const IMPATIENCE: Duration = Duration::from_secs(5);

/// Bytes for a worker.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Batch {
    to: u32,
    from: u32,
    round: u64,
    is_summary: bool,
    bytes: Bytes,
}

/// Bytes that are written as they are. PERF: a list of numbers is written one by one.
#[derive(Clone, Debug, Default)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = list.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Reader)
    }
}

type Inbox = Rc<RefCell<VecDeque<Batch>>>;

/// A worker, and its way to all others.
pub struct Peers<'c> {
    control: &'c Control,
    /// Workers of each process.
    per_process: usize,
    index: usize,
    count: usize,
    // Dropped in this order.
    input: Option<InputHandle<u64, CapacityContainerBuilder<Vec<Batch>>>>,
    probe: ProbeHandle<u64>,
    inbox: Inbox,
    worker: Worker,
    /// What is to be sent, by worker.
    out: Vec<Vec<u8>>,
    round: u64,
    /// Batches of the next round.
    early: Vec<Batch>,
    summaries: Vec<Vec<u8>>,
    /// The dataflow can't go on.
    is_broken: bool,
}

/// What others are told where batches are not what workers send.
const GARBLED: &str = "it was sent what makes no sense";

impl<'c> Peers<'c> {
    pub(crate) fn new(control: &'c Control, per_process: usize, allocator: Allocator) -> Peers<'c> {
        // Without a clock it would never rest.
        let now = Some(Instant::now());
        let mut worker = Worker::new(WorkerConfig::default(), allocator, now);
        let (index, count) = (worker.index(), worker.peers());
        let inbox = Inbox::default();
        let received = inbox.clone();
        let mut input = InputHandle::<u64, CapacityContainerBuilder<Vec<Batch>>>::new();
        let probe = worker.dataflow::<u64, _, _>(|scope| {
            let to_owner = Exchange::new(|batch: &Batch| u64::from(batch.to));
            let stream = input.to_stream(scope);
            let stream = stream.unary::<CapacityContainerBuilder<Vec<Batch>>, _, _, _>(
                to_owner,
                "receive",
                |_, _| {
                    move |input, _| {
                        input.for_each(|_, batches: &mut Vec<Batch>| {
                            received.borrow_mut().extend(batches.drain(..));
                        });
                    }
                },
            );
            stream.probe().0
        });
        Peers {
            control,
            per_process,
            index,
            count,
            input: Some(input),
            probe,
            inbox,
            worker,
            out: vec![Vec::new(); count],
            round: 0,
            early: Vec::new(),
            summaries: vec![Vec::new(); count],
            is_broken: false,
        }
    }

    /// The number of this worker, among those of all processes.
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many workers there are in all processes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The workers of this worker's process.
    pub fn of_process(&self) -> std::ops::Range<usize> {
        let first = self.index / self.per_process * self.per_process;
        first..first + self.per_process
    }

    /// Which process a worker is in.
    pub fn process_of(&self, worker: usize) -> usize {
        worker / self.per_process
    }

    /// The address of a worker's process, if there are several processes.
    pub fn address_of(&self, worker: usize) -> Option<String> {
        self.control.address(self.process_of(worker))
    }

    /// Whether this worker's process was told to stop.
    pub fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }

    /// Which worker a hash belongs to.
    #[inline]
    pub fn owner(&self, hash: u64) -> usize {
        if self.count == 1 {
            return 0;
        }
        // The high bits, which no table of states goes by.
        ((u128::from(hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)) * self.count as u128) >> 64) as usize
    }

    /// Appends to what is sent to another worker.
    #[inline]
    pub fn send(&mut self, to: usize, write: impl FnOnce(&mut Vec<u8>)) {
        let out = &mut self.out[to];
        write(out);
        if out.len() >= BATCH {
            self.flush(to);
        }
    }

    fn flush(&mut self, to: usize) {
        if !self.out[to].is_empty() {
            let bytes = std::mem::replace(&mut self.out[to], Vec::with_capacity(BATCH + BATCH / 8));
            self.give(to, bytes, false);
        }
    }

    fn give(&mut self, to: usize, bytes: Vec<u8>, is_summary: bool) {
        let batch = Batch {
            to: to as u32,
            from: self.index as u32,
            round: self.round,
            is_summary,
            bytes: Bytes(bytes),
        };
        if let Some(input) = &mut self.input {
            input.send(batch);
            input.flush();
        }
    }

    /// Takes what others have sent so far in this round: `receive` is told the number of the worker, and the bytes.
    pub fn take(&mut self, receive: &mut dyn FnMut(usize, &[u8])) {
        if self.count > 1 {
            self.step(None);
            self.deliver(receive);
        }
    }

    /// Has the dataflow go on, and waits so long for something to do. Timely panics at bytes that are none of its own;
    /// where another process may have sent them that is no fault of this one.
    fn step(&mut self, wait: Option<Duration>) {
        if self.is_broken {
            return;
        }
        let worker = &mut self.worker;
        let stepped = catch_unwind(AssertUnwindSafe(|| match wait {
            Some(_) => worker.step_or_park(wait),
            None => worker.step(),
        }));
        if let Err(panic) = stepped {
            self.is_broken = true;
            if self.control.is_alone() {
                resume_unwind(panic);
            }
            self.control.leave(GARBLED);
        }
    }

    fn deliver(&mut self, receive: &mut dyn FnMut(usize, &[u8])) {
        for batch in std::mem::take(&mut self.early) {
            self.deliver_one(batch, receive);
        }
        loop {
            let Some(batch) = self.inbox.borrow_mut().pop_front() else { break };
            self.deliver_one(batch, receive);
        }
    }

    fn deliver_one(&mut self, batch: Batch, receive: &mut dyn FnMut(usize, &[u8])) {
        let from = batch.from as usize;
        let is_early = batch.round == self.round + 1;
        match self.summaries.get_mut(from) {
            Some(_) if is_early => self.early.push(batch),
            Some(summary) if batch.round == self.round && batch.is_summary => {
                *summary = batch.bytes.0;
            }
            Some(_) if batch.round == self.round => receive(from, &batch.bytes.0),
            _ => self.control.leave(GARBLED),
        }
    }

    /// Ends a round: takes what others have sent in it, and hands out the summaries of all workers.
    ///
    /// # Errors
    /// Another worker ended the run, or was lost; what was received is none of this dataflow.
    pub fn exchange(
        &mut self,
        summary: Vec<u8>,
        receive: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<Vec<Vec<u8>>, Ended> {
        for to in 0..self.count {
            self.flush(to);
        }
        let own = self.index;
        for to in (0..self.count).filter(|&to| to != own) {
            self.give(to, summary.clone(), true);
        }
        self.summaries[self.index] = summary;
        let next = self.round + 1;
        if let Some(input) = &mut self.input {
            input.advance_to(next);
        }
        let began = Instant::now();
        while self.probe.less_than(&next) && !self.control.is_ended() {
            self.step(Some(LOOK));
            self.deliver(receive);
            self.heed_impatience(began);
        }
        if self.is_broken || self.probe.less_than(&next) {
            return Err(self.control.ended().unwrap_or(Ended::Interrupted));
        }
        self.deliver(receive);
        self.round = next;
        Ok(self.summaries.iter_mut().map(std::mem::take).collect())
    }

    /// Ends the run where others take no notice that it is to stop.
    fn heed_impatience(&self, began: Instant) {
        if began.elapsed() > IMPATIENCE && self.is_cancelled() {
            self.control.end(Ended::Interrupted);
        }
    }

    /// Ends the run of all workers, since this one can't go on.
    pub fn leave(&self, why: &str) {
        self.control.leave(why);
    }
}

impl Drop for Peers<'_> {
    /// Takes the dataflow down: where nothing ended the run, when all workers are done with it. Others may need to hear
    /// of what this one has received till then.
    fn drop(&mut self) {
        self.input = None;
        let began = Instant::now();
        while self.worker.has_dataflows() && !self.control.is_ended() && !thread::panicking() {
            self.step(Some(LOOK));
            self.heed_impatience(began);
        }
        let worker = &mut self.worker;
        let _ = catch_unwind(AssertUnwindSafe(|| {
            for dataflow in worker.installed_dataflows() {
                worker.drop_dataflow(dataflow);
            }
        }));
    }
}
