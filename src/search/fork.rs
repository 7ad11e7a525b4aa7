//! Several threads for one search: copies of what is searched, and work that is shared out among them.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// What the main space of a [team](super::Team) passes to its workers.
pub type Lesson = Box<dyn Any + Send>;

/// What is searched, of which other threads may ask copies.
///
/// Copies answer alike, in the same words: what one packs into a state means the same to all; a move of a copy means
/// nothing to others. Where one of them
/// meets what has no word yet, or does not know the answer, its answer is not taken, and the first one, the *main*
/// one, is asked in its place. So errors, and what limits inside of rules end, are those of a search by one thread.
pub trait Fork: Sized + Send {
    /// Whether there are copies, or will be once they are taken out.
    fn has_forks(&self) -> bool {
        false
    }

    /// Takes out the copies that there are, one for each thread beside the one that searches.
    fn take_forks(&mut self) -> Vec<Self> {
        Vec::new()
    }

    /// Is given the copies back, with what they counted.
    fn return_forks(&mut self, _forks: Vec<Self>) {}

    /// How many words it uses: it may grow with any question.
    fn words(&self) -> u64 {
        0
    }

    /// What a copy has to know to use the words that this one uses, and what this one has found out.
    fn lesson(&mut self) -> Lesson {
        Box::new(())
    }

    /// Learns what the main one knows. `is_astray`: this one has used words of its own since the last lesson.
    fn learn(&mut self, _lesson: &Lesson, _is_astray: bool) {}

    /// Whether a copy has done something beside answering since it was taught, that the main one is to do.
    fn has_written(&self) -> bool {
        false
    }

    /// Does work within the limits that are in force, in any thread; `None` if one of them ended it.
    fn within_limits<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> Option<R> {
        Some(work(self))
    }
}

/// A copy, and how many words it was taught.
struct Helper<P> {
    fork: P,
    taught: u64,
}

/// The copies that work beside a main one.
pub(crate) struct Crew<P> {
    helpers: Vec<Helper<P>>,
    /// Nanoseconds that all threads together took for an item lately.
    pace: u64,
}

/// Nanoseconds of work that it is worth calling others for: they begin some ten microseconds later. With debug
/// assertions any work is, so that tests go this way.
const WORTH: u64 = if cfg!(debug_assertions) { 1 } else { 100_000 };
/// Bytes of the stack of a thread.
const STACK: usize = 16 << 20;
/// Parts of some items for each thread: the last ones to be done should end at the same time.
const SHARE: usize = 4;

impl<P: Fork> Crew<P> {
    /// All copies that there are.
    pub fn of(main: &mut P) -> Crew<P> {
        let forks = main.take_forks();
        Crew::with(forks, main.words())
    }

    /// No copies.
    pub fn alone() -> Crew<P> {
        Crew::with(Vec::new(), 0)
    }

    /// These copies, which know this number of words.
    pub fn with(forks: Vec<P>, words: u64) -> Crew<P> {
        let helpers = forks.into_iter().map(|fork| Helper { fork, taught: words }).collect();
        Crew { helpers, pace: 1000 }
    }

    /// How many threads work, the main one's among them.
    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Whether there is no copy.
    pub fn is_alone(&self) -> bool {
        self.helpers.is_empty()
    }

    /// Gives the copies back.
    pub fn disband(self, main: &mut P) {
        main.return_forks(self.helpers.into_iter().map(|helper| helper.fork).collect());
    }

    /// The copies, each for a thread of its own.
    pub fn forks(&mut self) -> impl Iterator<Item = &mut P> {
        self.helpers.iter_mut().map(|helper| &mut helper.fork)
    }

    /// Has all copies use the words of the main one.
    pub fn teach(&mut self, main: &mut P) {
        let words = main.words();
        let mut lesson = None;
        for helper in &mut self.helpers {
            let is_astray = helper.fork.words() != helper.taught;
            if is_astray || helper.taught != words {
                helper.fork.learn(lesson.get_or_insert_with(|| main.lesson()), is_astray);
                helper.taught = words;
                debug_assert_eq!(helper.fork.words(), words, "it was taught all words");
            }
        }
    }

    /// What `work` makes of items, in parts of at most so many, in their order: on this thread alone if there is little
    /// to do. See [`Crew::map`].
    ///
    /// # Errors
    /// As [`Crew::map`].
    pub fn map_items<I: Sync, T: Send, F: Send>(
        &mut self,
        main: &mut P,
        (items, most): (&[I], usize),
        work: impl Fn(&mut P, usize, &[I]) -> Result<T, F> + Sync,
        mut poll: impl FnMut() -> Result<(), F>,
    ) -> Result<Vec<T>, F> {
        if self.is_alone() {
            poll()?;
            return Ok(vec![work(main, 0, items)?]);
        }
        let expected = self.pace.saturating_mul(items.len() as u64);
        let part = match expected < WORTH {
            true => items.len(),
            false => items.len().div_ceil(SHARE * self.threads()).min(most),
        };
        let part = part.max(1);
        let began = Instant::now();
        let work = |main: &mut P, at: usize| {
            let from = at * part;
            work(main, from, &items[from..items.len().min(from + part)])
        };
        let parts = items.len().div_ceil(part);
        let made = self.map(main, parts, work, poll)?;
        if !items.is_empty() {
            let threads = self.threads().min(parts) as u32;
            let took = (began.elapsed() * threads).as_nanos() as u64;
            self.pace = took / items.len() as u64;
        }
        Ok(made)
    }

    /// What `work` makes of each of so many parts, in their order. It may be asked again of a part. `poll` is called
    /// by this thread before each part of its own.
    ///
    /// # Errors
    /// What `poll` says; or what `work` says of the first part that the main one fails at.
    pub fn map<T: Send, F: Send>(
        &mut self,
        main: &mut P,
        parts: usize,
        work: impl Fn(&mut P, usize) -> Result<T, F> + Sync,
        mut poll: impl FnMut() -> Result<(), F>,
    ) -> Result<Vec<T>, F> {
        let mut made: Vec<Option<T>> = Vec::new();
        made.resize_with(parts, || None);
        if parts > 1 && !self.is_alone() {
            self.teach(main);
            let shared = Taken { next: AtomicUsize::new(0), parts, stop: AtomicBool::new(false) };
            let helpers = self.helpers.iter_mut().take(parts - 1);
            let slots: Vec<_> = helpers.map(|helper| Mutex::new((helper, Vec::new()))).collect();
            let mut ended = Ok(());
            side_by_side(
                slots.len(),
                &|at| {
                    let mut slot = slots[at].lock().unwrap_or_else(PoisonError::into_inner);
                    let (helper, done) = &mut *slot;
                    *done = shared.help(helper, &work);
                },
                &mut || ended = shared.lead(main, &work, &mut poll, &mut made),
            );
            for slot in slots {
                let (_, done) = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
                for (part, found) in done {
                    made[part] = Some(found);
                }
            }
            // A part before the one at which the main one failed may fail, too.
            if let Err((part, error)) = ended {
                for (at, made) in made[..part].iter_mut().enumerate() {
                    if made.is_none() {
                        work(main, at)?;
                    }
                }
                return Err(error);
            }
        }
        let finished = made.into_iter().enumerate().map(|(part, made)| match made {
            Some(made) => Ok(made),
            None => {
                poll()?;
                work(main, part)
            }
        });
        finished.collect()
    }
}

/// The parts of some work, which threads take one after the other.
struct Taken {
    next: AtomicUsize,
    parts: usize,
    stop: AtomicBool,
}

impl Taken {
    fn next(&self) -> Option<usize> {
        let part = self.next.fetch_add(1, Relaxed);
        (part < self.parts && !self.stop.load(Relaxed)).then_some(part)
    }

    /// The parts that a copy does: until it does not know the answer, or has used words of its own.
    fn help<P: Fork, T, F>(
        &self,
        Helper { fork, taught }: &mut Helper<P>,
        work: &impl Fn(&mut P, usize) -> Result<T, F>,
    ) -> Vec<(usize, T)> {
        let mut made = Vec::new();
        // What is made when a limit strikes is made all the same.
        let _ = fork.within_limits(|fork| {
            while let Some(part) = self.next() {
                match work(fork, part) {
                    Ok(found) if fork.words() == *taught => made.push((part, found)),
                    _ => break,
                }
            }
        });
        made
    }

    /// The parts that the main one does; the part that it fails at, or the first one if `poll` says to stop.
    fn lead<P: Fork, T, F>(
        &self,
        main: &mut P,
        work: &impl Fn(&mut P, usize) -> Result<T, F>,
        poll: &mut impl FnMut() -> Result<(), F>,
        made: &mut [Option<T>],
    ) -> Result<(), (usize, F)> {
        let fail = |part, error| {
            self.stop.store(true, Relaxed);
            Err((part, error))
        };
        loop {
            if let Err(error) = poll() {
                return fail(0, error);
            }
            let Some(part) = self.next() else { return Ok(()) };
            match work(main, part) {
                Ok(found) => made[part] = Some(found),
                Err(error) => return fail(part, error),
            }
        }
    }
}

/// Has a thread do some work, with as much stack as rules may need that call engines; `None` if there can be none.
pub(crate) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<thread::ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
}

/// Has `others` more threads work, compiled once for all kinds of work.
fn side_by_side(others: usize, help: &(dyn Fn(usize) + Sync), lead: &mut dyn FnMut()) {
    thread::scope(|scope| {
        let others: Vec<_> = (0..others).filter_map(|at| spawn(scope, move || help(at))).collect();
        lead();
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}

/// What `work` makes of each item, on so many threads at most, in their order.
pub(crate) fn on_threads<T: Send, R: Send>(
    items: Vec<T>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    if threads < 2 || items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    let count = items.len();
    let items: Vec<_> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let next = AtomicUsize::new(0);
    let made = Mutex::new(Vec::with_capacity(count));
    let take = || {
        while let at = next.fetch_add(1, Relaxed)
            && let Some(item) = items.get(at)
        {
            let item = item.lock().map_or(None, |mut item| item.take());
            if let Some(item) = item {
                let done = work(item);
                made.lock().unwrap_or_else(PoisonError::into_inner).push((at, done));
            }
        }
    };
    side_by_side(threads.min(count) - 1, &|_| take(), &mut || take());
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_unstable_by_key(|&(at, _)| at);
    made.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts what it is asked; a copy uses a word of its own at some questions, and fails at others.
    struct Asked {
        asked: usize,
        words: u64,
        is_copy: bool,
        copies: Vec<Asked>,
    }

    impl Asked {
        fn new(copies: usize) -> Asked {
            let copy = |_| Asked { is_copy: true, ..Asked::new(0) };
            Asked { asked: 0, words: 0, is_copy: false, copies: (0..copies).map(copy).collect() }
        }

        fn square(&mut self, part: usize) -> Result<usize, usize> {
            self.asked += 1;
            std::thread::sleep(std::time::Duration::from_micros(100));
            if self.is_copy && part % 7 == 3 {
                self.words += 1;
                // Wrong, as words of its own are.
                return Ok(0);
            }
            let fails = part > 60 || self.is_copy && part % 11 == 5;
            if fails { Err(part) } else { Ok(part * part) }
        }
    }

    impl Fork for Asked {
        fn take_forks(&mut self) -> Vec<Asked> {
            std::mem::take(&mut self.copies)
        }

        fn return_forks(&mut self, forks: Vec<Asked>) {
            self.asked += forks.iter().map(|fork| fork.asked).sum::<usize>();
        }

        fn words(&self) -> u64 {
            self.words
        }

        fn lesson(&mut self) -> Lesson {
            Box::new(self.words)
        }

        fn learn(&mut self, words: &Lesson, is_astray: bool) {
            assert!(is_astray, "the main one has no words");
            self.words = *words.downcast_ref().expect("a number of words");
        }
    }

    #[test]
    fn answers_are_those_of_the_main_one() {
        for copies in [0, 1, 3] {
            let mut main = Asked::new(copies);
            let mut crew = Crew::of(&mut main);
            assert_eq!(crew.threads(), copies + 1);
            for parts in [0, 1, 2, 61, 61] {
                let made = crew.map(&mut main, parts, Asked::square, || Ok(()));
                assert_eq!(made, Ok((0..parts).map(|part| part * part).collect()));
            }
            // The first failure is told, whoever met it.
            let made = crew.map(&mut main, 99, Asked::square, || Ok(()));
            assert_eq!(made, Err(61));
            let mut polls = 0;
            let made = crew.map(&mut main, 50, Asked::square, || {
                polls += 1;
                if polls > 3 { Err(99) } else { Ok(()) }
            });
            assert_eq!(made, Err(99));
            crew.disband(&mut main);
            assert!(main.asked > 125);
        }
    }

    #[test]
    fn items_are_worked_at_in_any_order() {
        for threads in [1, 2, 5] {
            let items: Vec<String> = (0..100).map(|n| n.to_string()).collect();
            let lengths = on_threads(items, threads, |item| item.len());
            assert_eq!(lengths.iter().sum::<usize>(), 190);
            assert_eq!(lengths[9..11], [1, 2]);
        }
    }
}
