//! Limits for all long work: one watch in each thread, and steps that look at it.
//!
//! Whatever walks over terms, text or code takes [`step`]s; the ways to take a term apart
//! ([`Heap::value`](super::Heap::value), [`Heap::name_arity`](super::Heap::name_arity),
//! [`Heap::items`](super::Heap::items)) and the walks of this module's siblings take them by
//! themselves. Every so many steps the watch is asked: is there an interrupt, is the time over,
//! does the process hold more memory than it may. If it is time to stop, the work is
//! abandoned as a cancelled query of an incremental compiler is: the stack is unwound, without a
//! panic's message, to the innermost [`Armed::within`], which says why.
//!
//! **Invariants.** Outside of a [`Armed::within`] nothing is ever abandoned. What is changed for the
//! duration of a walk (marks in a heap, parts taken out of a struct) is put back by a guard, or
//! the walk runs in a `within` of its own. A process built with `panic = "abort"` can't be
//! stopped this way.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
#[cfg(target_os = "linux")]
use std::{fs::File, sync::OnceLock};

/// Steps between two looks at the watch.
const STRIDE: u32 = 1 << 14;
/// Time between two looks at the memory of the process.
const MEMORY_EVERY: Duration = Duration::from_millis(10);
/// Bytes that a process may hold beyond what its rules may: the program itself, tables that
/// grow, what is copied to be shown.
const BESIDE: usize = 40 << 20;

/// Why work was abandoned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Ctrl-C or a cancel flag.
    Interrupted,
    /// The time limit.
    Time,
    /// The process holds more memory than it may.
    Memory,
    /// As many steps were taken as [`Work`] allows.
    Work,
}

/// What the watch of a thread goes by.
struct Watch {
    /// Whether somebody catches what is abandoned.
    armed: Cell<bool>,
    deadline: Cell<Option<Instant>>,
    /// How long work that comes to its end by itself is left alone at a limit.
    grace: Cell<Duration>,
    interrupted: Cell<Option<Instant>>,
    /// Bytes that the rules of this thread may hold; 0: not looked at.
    memory: Cell<usize>,
    looked: Cell<Option<Instant>>,
    /// Looks that may still be taken; `u64::MAX`: any number.
    looks: Cell<u64>,
}

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(STRIDE) };
    static WATCH: Watch = const {
        Watch {
            armed: Cell::new(false),
            deadline: Cell::new(None),
            grace: Cell::new(Duration::ZERO),
            interrupted: Cell::new(None),
            memory: Cell::new(0),
            looked: Cell::new(None),
            looks: Cell::new(u64::MAX),
        }
    };
    static INTERRUPT: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Takes a step of work that may be long.
#[inline(always)]
pub fn step() {
    LEFT.with(|left| match left.get() {
        0 => pass(1),
        steps => left.set(steps - 1),
    });
}

/// Takes many steps at once: those of a loop that looks at so many words or bytes.
#[inline]
pub fn steps(count: usize) {
    LEFT.with(|left| match u32::try_from(count).ok().and_then(|n| left.get().checked_sub(n)) {
        Some(steps) => left.set(steps),
        None => pass((count as u64 / u64::from(STRIDE)).max(1)),
    });
}

/// Asks the watch; goes on or abandons the work. For parts of milliseconds each, as those of
/// [`numeral`](super::numeral); others take [`step`]s.
pub fn look() {
    pass(1);
}

/// Asks the watch after so many strides.
#[cold]
#[inline(never)]
fn pass(strides: u64) {
    LEFT.set(STRIDE);
    WATCH.with(|watch| {
        if watch.looks.get() != u64::MAX {
            watch.looks.set(watch.looks.get().saturating_sub(strides));
        }
    });
    if let Some(ended) = due()
        && !std::thread::panicking()
    {
        resume_unwind(Box::new(ended));
    }
}

/// Why to abandon work now.
fn due() -> Option<Ended> {
    WATCH.with(|watch| {
        if !watch.armed.get() {
            return None;
        }
        let interrupted = INTERRUPT.with_borrow(|interrupt| {
            interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
        });
        let now = Instant::now();
        let grace = watch.grace.get();
        if interrupted {
            let since = watch.interrupted.get().unwrap_or(now);
            watch.interrupted.set(Some(since));
            if now >= since + grace {
                return Some(Ended::Interrupted);
            }
        }
        if watch.deadline.get().is_some_and(|deadline| now >= deadline + grace) {
            return Some(Ended::Time);
        }
        if watch.looks.get() == 0 {
            return Some(Ended::Work);
        }
        let soon = watch.looked.get().is_some_and(|looked| now < looked + MEMORY_EVERY);
        if soon || watch.memory.get() == 0 || !OWN.load(Ordering::Relaxed) {
            return None;
        }
        watch.looked.set(Some(now));
        let most = ALLOWED.load(Ordering::Relaxed).max(watch.memory.get());
        let most = most.saturating_add(BASE.load(Ordering::Relaxed) + BESIDE);
        resident().filter(|&bytes| bytes > most).map(|_| Ended::Memory)
    })
}

/// Limits being put in force: until this is dropped.
pub struct Armed {
    armed: bool,
    deadline: Option<Instant>,
    grace: Duration,
    memory: usize,
    /// What was there in the place of another flag.
    interrupt: Option<Option<Arc<AtomicBool>>>,
}

impl Armed {
    /// Puts limits in force for this thread, in the place of those before; memory 0 is none.
    pub fn new(deadline: Option<Instant>, interrupt: &Arc<AtomicBool>, memory: usize) -> Armed {
        let before = INTERRUPT.with_borrow_mut(|flag| match flag {
            Some(known) if Arc::ptr_eq(known, interrupt) => None,
            _ => Some(flag.replace(interrupt.clone())),
        });
        WATCH.with(|watch| Armed {
            armed: watch.armed.replace(true),
            deadline: watch.deadline.replace(deadline),
            grace: watch.grace.replace(Duration::ZERO),
            memory: watch.memory.replace(memory),
            interrupt: before,
        })
    }

    /// Leaves work alone for so long after a limit of time or an interrupt: it looks at them
    /// by itself, and has something to say of how far it came.
    #[must_use]
    pub fn patient(self, grace: Duration) -> Armed {
        WATCH.with(|watch| {
            watch.grace.set(grace);
            watch.interrupted.set(None);
        });
        self
    }

    /// Does some work under these limits, which are over then.
    ///
    /// # Errors
    /// Why it was abandoned.
    pub fn within<T>(self, work: impl FnOnce() -> T) -> Result<T, Ended> {
        let done = catch_unwind(AssertUnwindSafe(work));
        drop(self);
        done.or_else(|payload| match payload.downcast::<Ended>() {
            Ok(ended) => Err(*ended),
            Err(panic) => resume_unwind(panic),
        })
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        WATCH.with(|watch| {
            watch.armed.set(self.armed);
            watch.deadline.set(self.deadline);
            watch.grace.set(self.grace);
            watch.memory.set(self.memory);
        });
        if let Some(before) = self.interrupt.take() {
            INTERRUPT.set(before);
        }
    }
}

/// A limit of steps while this lives: one that no clock decides, so that what comes of the work is
/// the same on every machine. A step takes some nanoseconds.
pub struct Work {
    outer: u64,
    own: u64,
}

impl Work {
    /// About so many steps from here on, and no more than there were before.
    pub fn new(steps: u64) -> Work {
        // Where the last look was is by chance.
        LEFT.set(STRIDE);
        WATCH.with(|watch| {
            let outer = watch.looks.get();
            let own = (steps / u64::from(STRIDE)).saturating_add(1).min(outer);
            watch.looks.set(own);
            Work { outer, own }
        })
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        WATCH.with(|watch| {
            let used = self.own - watch.looks.get().min(self.own);
            let left = match self.outer {
                u64::MAX => u64::MAX,
                outer => outer.saturating_sub(used),
            };
            watch.looks.set(left);
        });
    }
}

/// Work that no limit of memory may end while this lives: it frees memory.
pub struct Frees(usize);

impl Frees {
    /// From here on.
    #[expect(clippy::new_without_default, reason = "it has an effect")]
    pub fn new() -> Frees {
        Frees(WATCH.with(|watch| watch.memory.replace(0)))
    }
}

impl Drop for Frees {
    fn drop(&mut self) {
        WATCH.with(|watch| watch.memory.set(self.0));
    }
}

/// Whether what the process holds is held for its rules.
static OWN: AtomicBool = AtomicBool::new(false);

/// Has the memory of the whole process looked at, beside what machines count themselves: for
/// programs that do nothing but run rules. In others what the process holds says nothing of them.
pub fn watch_process() {
    OWN.store(true, Ordering::Relaxed);
}

/// Bytes that all machines of the process may take, and searches beside them.
static ALLOWED: AtomicUsize = AtomicUsize::new(0);
/// Machines in the process, which share its memory.
static MACHINES: AtomicUsize = AtomicUsize::new(0);
/// Bytes that the process held before there was one.
static BASE: AtomicUsize = AtomicUsize::new(0);
/// No machine counts for more.
const MOST: usize = 1 << 45;

/// Memory that something beside the rules may take while this lives: the states of a search.
pub struct Beside(usize);

impl Beside {
    /// So many bytes from here on.
    pub fn new(bytes: usize) -> Beside {
        let bytes = bytes.min(MOST);
        ALLOWED.fetch_add(bytes, Ordering::Relaxed);
        Beside(bytes)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        ALLOWED.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// A machine that lives, and what it may take.
pub struct Alive(AtomicUsize);

impl Default for Alive {
    fn default() -> Alive {
        if MACHINES.fetch_add(1, Ordering::Relaxed) == 0 {
            BASE.store(resident().unwrap_or(0), Ordering::Relaxed);
        }
        Alive(AtomicUsize::new(0))
    }
}

impl Alive {
    /// It may take so many bytes.
    #[inline]
    pub fn allows(&self, bytes: usize) {
        let bytes = bytes.min(MOST);
        let before = self.0.load(Ordering::Relaxed);
        if before != bytes {
            self.0.store(bytes, Ordering::Relaxed);
            ALLOWED.fetch_add(bytes.wrapping_sub(before), Ordering::Relaxed);
        }
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.allows(0);
        MACHINES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Bytes of memory that the process holds, where the system tells.
///
/// A global allocator that counts would be exact, but of another thing: what was asked for. Half of
/// a vector that has doubled was never touched and takes no memory, a vector that is freed between
/// others takes some still, and the limit is about the memory taken. PERF: a look takes some
/// microseconds, every [`MEMORY_EVERY`]; counting takes some nanoseconds for each allocation.
#[cfg(target_os = "linux")]
fn resident() -> Option<usize> {
    use std::os::unix::fs::FileExt;
    static PAGES: OnceLock<Option<File>> = OnceLock::new();
    let file = PAGES.get_or_init(|| File::open("/proc/self/statm").ok()).as_ref()?;
    let mut text = [0; 128];
    let length = file.read_at(&mut text, 0).ok()?;
    let pages = std::str::from_utf8(&text[..length]).ok()?.split(' ').nth(1)?;
    Some(pages.parse::<usize>().ok()?.saturating_mul(rustix::param::page_size()))
}

/// Bytes of memory that the process holds, where the system tells.
#[cfg(not(target_os = "linux"))]
fn resident() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_abandoned_within_limits_only() {
        let flag = Arc::new(AtomicBool::new(true));
        let endless = || loop {
            step();
        };
        let ended: Result<(), Ended> = Armed::new(None, &flag, 0).within(endless);
        assert_eq!(ended, Err(Ended::Interrupted));
        (0..4 * STRIDE).for_each(|_| step());
        steps(usize::MAX);
        flag.store(false, Ordering::Relaxed);
        let ended: Result<(), Ended> = Armed::new(Some(Instant::now()), &flag, 0).within(endless);
        assert_eq!(ended, Err(Ended::Time));
    }

    #[test]
    fn a_limit_of_steps_ends_work_without_a_clock() {
        let flag = Arc::new(AtomicBool::new(false));
        let taken = |most: u64| {
            let _work = Work::new(most);
            let taken = Cell::new(0);
            let ended: Result<(), Ended> = Armed::new(None, &flag, 0).within(|| {
                loop {
                    taken.set(taken.get() + 1);
                    step();
                }
            });
            assert_eq!(ended, Err(Ended::Work));
            taken.get()
        };
        let once = taken(100_000);
        (0..1234).for_each(|_| step());
        assert_eq!(taken(100_000), once);
        assert!(taken(1_000_000) > once);
        // Outside there is none.
        assert_eq!(Armed::new(None, &flag, 0).within(|| steps(usize::MAX)), Ok(()));
        let outer = Work::new(u64::from(STRIDE) * 10);
        drop(Work::new(u64::MAX - 1));
        taken(u64::from(STRIDE) * 4);
        let left = Armed::new(None, &flag, 0).within(|| steps(STRIDE as usize * 8));
        assert_eq!(left, Err(Ended::Work));
        drop(outer);
    }

    #[test]
    fn an_inner_limit_leaves_the_outer_one_in_force() {
        let (raised, other) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
        let found = Armed::new(None, &raised, 0).within(|| {
            let inner = Armed::new(Some(Instant::now()), &other, 0).within(|| steps(usize::MAX));
            assert_eq!(inner, Err(Ended::Time));
            steps(usize::MAX);
        });
        assert_eq!(found, Err(Ended::Interrupted));
    }
}
