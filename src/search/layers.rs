//! A whole space in files: [`enumerate_on_disk`].
//!
//! What a layer leads to is gathered in memory, as much as fits; then it is sorted, and written as a run. When the
//! layer is done its runs are merged, without what earlier layers have: duplicates are found late and all at once
//! (R. Korf, P. Schultze, *Large-Scale Parallel Breadth-First Search*, AAAI 2005). Earlier layers are merged to few
//! files. After each step the folder says what is done, and the next process goes on from there.

use super::cost::Cost;
use super::enumerate::Reachable;
use super::limits::{Limits, Observer};
use super::meter::{Halt, Meter};
use super::report::{SearchError, StopReason};
use super::space::{Row, Space, Successors};
use std::sync::Arc;
use zug_sorted::{
    Coding, DiskError, FileReader, FileWriter, Folder, Number, Numbers, Progress, ReadErrors,
    in_coding, merged,
};

/// How many of the deepest states are handed out.
const DEEPEST_KEPT: u64 = 100;
/// Successors that are gathered at least, whatever memory there is.
const FEWEST: usize = 1 << 12;
/// Successors that are gathered at most.
const MOST: usize = 1 << 28;
/// Bytes that may be taken if memory is not limited.
const MEMORY: usize = 1 << 30;
/// Runs of one layer that are merged to one before there are more.
const MOST_RUNS: usize = 64;
/// States that are expanded before the folder is told of complete layers: a list for each of many small ones takes time.
const A_STEP: u64 = 1 << 16;
/// States between two looks at what is held.
const STRIDE: u64 = 1 << 10;

/// Why a space in files is not complete.
#[derive(Debug)]
pub enum OnDiskError {
    /// An operation of the space failed.
    Search(SearchError),
    /// The folder.
    Disk(DiskError),
}

impl From<DiskError> for OnDiskError {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

/// Why a step ended.
enum Stopped {
    Halt(Halt),
    Disk(DiskError),
    /// The numbers of the states don't fit into so many words.
    TooLong,
}

impl From<DiskError> for Stopped {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

impl From<Halt> for Stopped {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

/// What is written into a folder beside the states, so that another process can read them.
pub type Vocabulary<'v, P> = &'v mut dyn FnMut(&mut P) -> Vec<u8>;

/// Visits every state that can be reached from `start`, as [`enumerate`](super::enumerate()), with the states in
/// a folder. If there are some in it already it goes on from there. Limits of expansions are those of this call; at most
/// half the memory is for states that wait to be sorted. The space counts whole layers alone, and the deepest
/// states are in no particular order.
///
/// # Errors
/// The failure of an operation of the space, or the folder can't be read or written.
pub fn enumerate_on_disk<R: Row, C: Cost, P: Space<R, C>>(
    space: &mut P,
    start: &R,
    folder: &mut Folder,
    vocabulary: Vocabulary<'_, P>,
    limits: &Limits,
    observer: Option<&mut Observer<'_>>,
) -> Result<Reachable<R>, OnDiskError> {
    let mut meter = Meter::new(limits, observer);
    let memory = limits.memory.unwrap_or(MEMORY);
    let ended = loop {
        let spread = match folder.done.words {
            4 => spread::<R, C, P, 4>,
            16 => spread::<R, C, P, 16>,
            _ => spread::<R, C, P, 2>,
        };
        match spread(space, start, folder, vocabulary, memory, &mut meter) {
            Err(Stopped::TooLong) => {
                let words = match folder.done.words {
                    4 => 16,
                    16 => return Err(DiskError::TooLarge.into()),
                    _ => 4,
                };
                // From the beginning, with longer numbers.
                folder.done = Progress { words, files: folder.done.files, ..Progress::default() };
            }
            ended => break ended,
        }
    };
    meter.finish();
    let mut stats = meter.stats;
    let (stopped, deepest) = match ended {
        Ok((stopped, deepest)) => (stopped, deepest),
        Err(Stopped::Halt(Halt::Stop(reason))) => (Some(reason), Vec::new()),
        Err(Stopped::Halt(Halt::Fail(failure))) => {
            return Err(OnDiskError::Search(meter.failed(failure)));
        }
        Err(Stopped::Disk(error)) => return Err(error.into()),
        Err(Stopped::TooLong) => return Err(DiskError::TooLarge.into()),
    };
    let done = &folder.done;
    [stats.expanded, stats.generated, _] = done.counts;
    stats.max_depth = done.layers.len().saturating_sub(1) as u32;
    Ok(Reachable {
        by_depth: done.layers.clone(),
        deepest,
        terminal: done.counts[2],
        stopped,
        numbered: None,
        on_disk: Some(folder.bytes()),
        stats,
    })
}

/// A limit that struck, and the deepest states.
type Spread<R> = Result<(Option<StopReason>, Vec<R>), Stopped>;

/// All of it, with numbers of `W` words.
struct Layers<'f, const W: usize> {
    folder: &'f mut Folder,
    /// The coding of what is written next: it has learned all that files have.
    coding: Arc<Coding<W>>,
    gathered: Vec<Number<W>>,
    most: usize,
    held: usize,
    errors: ReadErrors,
    /// States that were expanded when the folder was last told of what is done.
    committed: u64,
}

fn spread<R: Row, C: Cost, P: Space<R, C>, const W: usize>(
    space: &mut P,
    start: &R,
    folder: &mut Folder,
    vocabulary: Vocabulary<'_, P>,
    memory: usize,
    meter: &mut Meter<'_, C>,
) -> Spread<R> {
    let most = (memory / 4 / size_of::<Number<W>>()).clamp(FEWEST, MOST);
    let (coding, errors) = (Arc::new(Coding::new()), ReadErrors::default());
    let mut layers =
        Layers::<W> { folder, coding, gathered: Vec::new(), most, held: 0, errors, committed: 0 };
    if layers.folder.done.layer.is_none() {
        layers.begin(start)?;
        layers.folder.done.vocabulary = vocabulary(space);
        layers.folder.commit()?;
    } else {
        layers.learn_all()?;
        layers.committed = layers.folder.done.counts[0];
    }
    meter.stats.iterations = 1;
    while !layers.folder.done.is_done {
        let depth = (layers.folder.done.layers.len() - 1) as u32;
        if depth >= meter.depth_limit {
            layers.commit(space, vocabulary)?;
            return Ok((Some(StopReason::Depth), layers.deepest(space)?));
        }
        let expanded = layers.expand(space, depth, vocabulary, meter);
        if let Err(Stopped::Halt(Halt::Stop(reason))) = expanded {
            return Ok((Some(reason), layers.deepest(space)?));
        }
        expanded?;
        layers.next_layer(meter)?;
        if layers.folder.done.is_done || layers.folder.done.counts[0] - layers.committed >= A_STEP {
            layers.commit(space, vocabulary)?;
        }
    }
    Ok((None, layers.deepest(space)?))
}

impl<const W: usize> Layers<'_, W> {
    fn open(&self, file: u64) -> Result<FileReader<W>, DiskError> {
        FileReader::open(&self.folder.file(file), &self.errors)
    }

    /// An error that a reader left.
    fn whole(&self) -> Result<(), DiskError> {
        self.errors.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// The numbers of a file, as those of the coding now.
    fn numbers(&self, file: u64) -> Result<Numbers<'static, W>, DiskError> {
        let reader = self.open(file)?;
        let from = reader.coding().clone();
        Ok(in_coding(reader, &from, &self.coding))
    }

    fn merged(&self, files: &[u64]) -> Result<Numbers<'static, W>, DiskError> {
        let parts: Result<Vec<_>, _> = files.iter().map(|&file| self.numbers(file)).collect();
        Ok(merged(parts?))
    }

    fn begin<R: Row>(&mut self, start: &R) -> Result<(), Stopped> {
        let mut key = Vec::new();
        if !start.write(&mut key) {
            return Err(DiskError::TooLarge.into());
        }
        let fits = Arc::make_mut(&mut self.coding).learn(&key);
        let number = self.coding.number(&key).filter(|_| fits).ok_or(Stopped::TooLong)?;
        let file = self.write(&mut [number].into_iter())?.0;
        let done = &mut self.folder.done;
        (done.words, done.layer, done.layers) = (W as u64, Some(file), vec![1]);
        Ok(())
    }

    /// Learns what is in files, the newest of which has learned most.
    fn learn_all(&mut self) -> Result<(), DiskError> {
        let done = &self.folder.done;
        let files = done.known.iter().map(|&(file, _)| file).chain(done.layer);
        for file in files.chain(done.next.iter().copied()).collect::<Vec<_>>() {
            let reader = self.open(file)?;
            if reader.coding().learned() > self.coding.learned() {
                self.coding = reader.coding().clone();
            }
        }
        Ok(())
    }

    /// Writes a file: which, and how many numbers are in it.
    fn write(
        &mut self,
        numbers: &mut dyn Iterator<Item = Number<W>>,
    ) -> Result<(u64, u64), DiskError> {
        let file = self.folder.new_file();
        let mut writer = FileWriter::new(self.folder.file(file), &self.coding)?;
        for number in numbers {
            writer.push(number)?;
        }
        self.whole()?;
        Ok((file, writer.finish()?))
    }

    /// Sorts and writes what was gathered.
    fn settle(&mut self) -> Result<(), DiskError> {
        if self.gathered.is_empty() {
            return Ok(());
        }
        let mut gathered = std::mem::take(&mut self.gathered);
        gathered.sort_unstable();
        gathered.dedup();
        let (file, _) = self.write(&mut gathered.drain(..))?;
        self.gathered = gathered;
        self.folder.done.next.push(file);
        if self.folder.done.next.len() >= MOST_RUNS {
            let mut numbers = self.merged(&self.folder.done.next)?;
            let (file, _) = self.write(&mut numbers.by_ref().map(|(number, _)| number))?;
            self.folder.done.next = vec![file];
        }
        Ok(())
    }

    /// Writes what was gathered, and has the folder say what is done.
    fn commit<R: Row, C: Cost, P: Space<R, C>>(
        &mut self,
        space: &mut P,
        vocabulary: &mut dyn FnMut(&mut P) -> Vec<u8>,
    ) -> Result<(), DiskError> {
        self.settle()?;
        let done = &mut self.folder.done;
        self.committed = done.counts[0];
        done.vocabulary = vocabulary(space);
        self.folder.commit()
    }

    /// Expands what is left of the last layer.
    fn expand<R: Row, C: Cost, P: Space<R, C>>(
        &mut self,
        space: &mut P,
        depth: u32,
        vocabulary: &mut dyn FnMut(&mut P) -> Vec<u8>,
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Stopped> {
        let Some(layer) = self.folder.done.layer else { return Ok(()) };
        let reader = self.open(layer)?;
        let own = reader.coding().clone();
        let skip = usize::try_from(self.folder.done.expanded).unwrap_or(usize::MAX);
        let states = in_coding(reader, &own, &own).skip(skip);
        let (mut key, mut out) = (Vec::new(), Successors::default());
        for (number, _) in states {
            own.key(number, &mut key);
            let state = space.read(&key).ok_or(DiskError::TooLarge)?;
            let held = self.held(meter.stats.expanded);
            let found = self.successors(space, (&state, depth, held), &mut out, meter);
            if let Err(stopped @ Stopped::Halt(_)) = found {
                self.commit(space, vocabulary)?;
                return Err(stopped);
            }
            found?;
            let done = &mut self.folder.done;
            done.expanded += 1;
            done.counts[0] += 1;
            done.counts[1] += out.len() as u64;
            done.counts[2] += u64::from(out.is_empty());
            if self.gathered.len() >= self.most {
                self.commit(space, vocabulary)?;
            }
        }
        self.whole()?;
        self.settle()?;
        Ok(())
    }

    /// Gathers the successors of a state.
    fn successors<R: Row, C: Cost, P: Space<R, C>>(
        &mut self,
        space: &mut P,
        (state, depth, held): (&R, u32, usize),
        out: &mut Successors<R, C>,
        meter: &mut Meter<'_, C>,
    ) -> Result<(), Stopped> {
        out.clear();
        meter.admit(depth, held)?;
        meter.generate(space, state, out)?;
        meter.stats.generated += out.len() as u64;
        let mut key = Vec::new();
        for state in &out.rows {
            key.clear();
            if !state.write(&mut key) {
                return Err(DiskError::TooLarge.into());
            }
            let number = match self.coding.number(&key) {
                Some(number) => number,
                None => Coding::learn_and_renumber(&mut self.coding, &key, &mut self.gathered)
                    .ok_or(Stopped::TooLong)?,
            };
            self.gathered.push(number);
        }
        Ok(())
    }

    /// Makes the next layer of what the last one leads to, and merges that with those before.
    fn next_layer<C: Cost>(&mut self, meter: &mut Meter<'_, C>) -> Result<(), DiskError> {
        let done = self.folder.done.clone();
        let known: Vec<u64> = done.known.iter().map(|&(file, _)| file).chain(done.layer).collect();
        let mut earlier = self.merged(&known)?.map(|(number, _)| number).peekable();
        let mut found = self.merged(&done.next)?.map(|(number, _)| number);
        meter.hold(self.bytes());
        let mut fresh = std::iter::from_fn(|| {
            found.by_ref().find(|number| {
                while earlier.next_if(|known| known < number).is_some() {}
                earlier.peek() != Some(number)
            })
        });
        let (file, states) = self.write(&mut fresh)?;
        // Files of which each is more than twice as long as the next.
        let mut last =
            vec![(done.layer.unwrap_or_default(), done.layers.last().copied().unwrap_or(0))];
        let (mut known, mut length) = (done.known, last[0].1);
        while let Some(before) = known.pop_if(|(_, count)| *count <= 2 * length) {
            length += before.1;
            last.push(before);
        }
        if last.len() > 1 {
            let files: Vec<u64> = last.iter().map(|&(file, _)| file).collect();
            let mut all = self.merged(&files)?.map(|(number, _)| number);
            last = vec![self.write(&mut all)?];
        }
        known.append(&mut last);
        let done = &mut self.folder.done;
        (done.known, done.next, done.expanded) = (known, Vec::new(), 0);
        if states == 0 {
            // The last layer is among the others, and is kept for the deepest states alone.
            done.is_done = true;
            return Ok(());
        }
        done.layer = Some(file);
        done.layers.push(states);
        Ok(())
    }

    /// Some states of the last layer.
    fn deepest<R: Row, C: Cost, P: Space<R, C>>(&self, space: &mut P) -> Result<Vec<R>, Stopped> {
        let Some(layer) = self.folder.done.layer else { return Ok(Vec::new()) };
        let reader = self.open(layer)?;
        let own = reader.coding().clone();
        let mut key = Vec::new();
        let some = in_coding(reader, &own, &own).take(DEEPEST_KEPT as usize);
        let states = some.map(|(number, _)| {
            own.key(number, &mut key);
            space.read(&key)
        });
        let states: Option<Vec<R>> = states.collect();
        self.whole()?;
        Ok(states.ok_or(DiskError::TooLarge)?)
    }

    /// Bytes held, looked at now and then.
    fn held(&mut self, expanded: u64) -> usize {
        if expanded.is_multiple_of(STRIDE) {
            self.held = self.bytes();
        }
        self.held
    }

    /// Bytes held.
    fn bytes(&self) -> usize {
        let files = self.folder.done.known.len() + self.folder.done.next.len() + 2;
        self.gathered.capacity() * size_of::<Number<W>>() + self.coding.bytes() + files * (3 << 15)
    }
}
