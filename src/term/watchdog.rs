//! Limits on all long work: one watchdog in each thread, polled every so many steps.
//!
//! Whatever walks over terms, text or code takes [`step`]s; the ways to take a term apart
//! ([`Heap::value`](super::Heap::value), [`Heap::name_arity`](super::Heap::name_arity),
//! [`Heap::items`](super::Heap::items)) and the walks of this module's siblings take them by
//! themselves. Every so many steps the watchdog is polled: is there an interrupt, is the time over,
//! does the process hold more memory than it may. (Where several threads share it, who holds little
//! gives the others time to give memory back.) If so, the work is aborted as a cancelled
//! query of an incremental compiler is: the stack is unwound, without a panic's message, to the
//! innermost [`LimitScope::within`], which returns the reason.
//!
//! **Invariants.** Outside of a [`LimitScope::within`] nothing is ever aborted. What is changed for the
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

/// Steps between two polls.
const STRIDE: u32 = 1 << 14;
/// Time between two readings of the memory of the process.
const MEMORY_EVERY: Duration = Duration::from_millis(10);
/// How long a thread that holds little waits for others to give memory back,
const PATIENCE: Duration = Duration::from_millis(500);
/// and how little that is: the limit divided by this.
const LITTLE: usize = 2;
/// Bytes that a process may hold beyond what its rules may: the program itself, tables that
/// grow, what is copied to be shown.
const OVERHEAD: usize = 40 << 20;

/// Why work was aborted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbortReason {
    /// Ctrl-C or a cancel flag.
    Interrupted,
    /// The time limit.
    Time,
    /// The process holds more memory than it may.
    Memory,
    /// The [`StepBudget`] is used up.
    Steps,
}

/// The limits in force in a thread.
struct Watchdog {
    /// A limit scope is open, which catches the unwinding.
    armed: Cell<bool>,
    deadline: Cell<Option<Instant>>,
    /// Time beyond a limit for work that polls limits by itself.
    grace: Cell<Duration>,
    interrupted: Cell<Option<Instant>>,
    /// Bytes that the rules of this thread may hold; 0: no limit.
    memory: Cell<usize>,
    memory_read: Cell<Option<Instant>>,
    /// Bytes that the rules of this thread are known to hold.
    held: Cell<usize>,
    /// Polls left of a [`StepBudget`]; `u64::MAX`: none is set.
    polls: Cell<u64>,
}

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(STRIDE) };
    /// Strides taken.
    static STRIDES: Cell<u64> = const { Cell::new(0) };
    static WATCHDOG: Watchdog = const {
        Watchdog {
            armed: Cell::new(false),
            deadline: Cell::new(None),
            grace: Cell::new(Duration::ZERO),
            interrupted: Cell::new(None),
            memory: Cell::new(0),
            memory_read: Cell::new(None),
            held: Cell::new(0),
            polls: Cell::new(u64::MAX),
        }
    };
    static INTERRUPT: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
    static OVER: Cell<bool> = const { Cell::new(false) };
}

/// Takes a step of work that may be long.
#[inline(always)]
pub fn step() {
    LEFT.with(|left| match left.get() {
        0 => poll_after(1),
        steps => left.set(steps - 1),
    });
}

/// Takes many steps at once: those of a loop over so many words or bytes.
#[inline]
pub fn steps(count: usize) {
    LEFT.with(|left| match u32::try_from(count).ok().and_then(|n| left.get().checked_sub(n)) {
        Some(steps) => left.set(steps),
        None => poll_after((count as u64 / u64::from(STRIDE)).max(1)),
    });
}

/// Steps that this thread has taken so far, to within a stride where many were taken at once.
pub fn taken() -> u64 {
    STRIDES.get() * u64::from(STRIDE) + u64::from(STRIDE - LEFT.get())
}

/// Polls the watchdog, which may abort the work. For parts of milliseconds each, as those of
/// [`numeral`](super::numeral); others take [`step`]s.
pub fn poll() {
    poll_after(1);
}

/// Polls the watchdog after so many strides.
#[cold]
#[inline(never)]
fn poll_after(strides: u64) {
    LEFT.set(STRIDE);
    STRIDES.set(STRIDES.get() + strides);
    WATCHDOG.with(|watchdog| {
        if watchdog.polls.get() != u64::MAX {
            watchdog.polls.set(watchdog.polls.get().saturating_sub(strides));
        }
    });
    if let Some(ended) = abort_reason()
        && !std::thread::panicking()
    {
        resume_unwind(Box::new(ended));
    }
}

/// The limit that is exceeded now.
fn abort_reason() -> Option<AbortReason> {
    WATCHDOG.with(|watchdog| {
        if !watchdog.armed.get() {
            return None;
        }
        let interrupted = INTERRUPT.with_borrow(|interrupt| {
            interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
        });
        let now = Instant::now();
        let grace = watchdog.grace.get();
        if interrupted {
            let since = watchdog.interrupted.get().unwrap_or(now);
            watchdog.interrupted.set(Some(since));
            if now >= since + grace {
                return Some(AbortReason::Interrupted);
            }
        }
        if watchdog.deadline.get().is_some_and(|deadline| now >= deadline + grace) {
            return Some(AbortReason::Time);
        }
        if watchdog.polls.get() == 0 {
            return Some(AbortReason::Steps);
        }
        let soon = watchdog.memory_read.get().is_some_and(|read| now < read + MEMORY_EVERY);
        if soon || watchdog.memory.get() == 0 || !OWN.load(Ordering::Relaxed) {
            return None;
        }
        watchdog.memory_read.set(Some(now));
        let over = watchdog.is_over();
        OVER.set(OVER.get() | over);
        over.then_some(AbortReason::Memory)
    })
}

/// Whether work of this thread was aborted, since the last call, because of what the *process* held: other threads
/// may have held it.
pub fn take_process_abort() -> bool {
    OVER.take()
}

impl Watchdog {
    /// Whether this thread has to give memory back, as the process holds more than it may. Nobody knows which
    /// thread holds what, but a thread that is known to hold much; so that others wait for it.
    fn is_over(&self) -> bool {
        let most = ALLOWED.load(Ordering::Relaxed).max(self.memory.get());
        let most = most.saturating_add(BASE.load(Ordering::Relaxed) + OVERHEAD);
        let is_over = || resident().is_some_and(|bytes| bytes > most);
        if !is_over() {
            return false;
        }
        let waits =
            MACHINES.load(Ordering::Relaxed) > 1 && self.held.get() < self.memory.get() / LITTLE;
        let until = Instant::now() + PATIENCE;
        while waits && Instant::now() < until {
            std::thread::sleep(MEMORY_EVERY);
            if !is_over() {
                return false;
            }
        }
        true
    }
}

/// Says how many bytes the rules of this thread are known to hold.
#[inline]
pub fn holds(bytes: usize) {
    WATCHDOG.with(|watchdog| watchdog.held.set(bytes));
}

/// The scope in which limits are in force: until this is dropped.
pub struct LimitScope {
    armed: bool,
    deadline: Option<Instant>,
    grace: Duration,
    memory: usize,
    /// The flag of the scope around this one, if it is another.
    interrupt: Option<Option<Arc<AtomicBool>>>,
}

impl LimitScope {
    /// Puts limits in force for this thread, in the place of those before; memory 0 is none.
    pub fn new(
        deadline: Option<Instant>,
        interrupt: &Arc<AtomicBool>,
        memory: usize,
    ) -> LimitScope {
        let before = INTERRUPT.with_borrow_mut(|flag| match flag {
            Some(known) if Arc::ptr_eq(known, interrupt) => None,
            _ => Some(flag.replace(interrupt.clone())),
        });
        WATCHDOG.with(|watchdog| LimitScope {
            armed: watchdog.armed.replace(true),
            deadline: watchdog.deadline.replace(deadline),
            grace: watchdog.grace.replace(Duration::ZERO),
            memory: watchdog.memory.replace(memory),
            interrupt: before,
        })
    }

    /// Adds grace to limits of time and interrupts, for work that polls them by itself and
    /// reports how far it came.
    #[must_use]
    pub fn patient(self, grace: Duration) -> LimitScope {
        WATCHDOG.with(|watchdog| {
            watchdog.grace.set(grace);
            watchdog.interrupted.set(None);
        });
        self
    }

    /// Does some work under these limits and closes the scope.
    pub fn within<T>(self, work: impl FnOnce() -> T) -> Result<T, AbortReason> {
        let done = catch_unwind(AssertUnwindSafe(work));
        drop(self);
        done.or_else(|payload| match payload.downcast::<AbortReason>() {
            Ok(ended) => Err(*ended),
            Err(panic) => resume_unwind(panic),
        })
    }
}

impl Drop for LimitScope {
    fn drop(&mut self) {
        WATCHDOG.with(|watchdog| {
            watchdog.armed.set(self.armed);
            watchdog.deadline.set(self.deadline);
            watchdog.grace.set(self.grace);
            watchdog.memory.set(self.memory);
        });
        if let Some(before) = self.interrupt.take() {
            INTERRUPT.set(before);
        }
    }
}

/// A limit on steps while this lives: independent of the clock, so that results are the same on
/// every machine. A step takes some nanoseconds.
pub struct StepBudget {
    outer: u64,
    own: u64,
}

impl StepBudget {
    /// About so many steps from here on, and no more than there were before.
    pub fn new(steps: u64) -> StepBudget {
        // Steps since the last poll don't count.
        LEFT.set(STRIDE);
        WATCHDOG.with(|watchdog| {
            let outer = watchdog.polls.get();
            let own = (steps / u64::from(STRIDE)).saturating_add(1).min(outer);
            watchdog.polls.set(own);
            StepBudget { outer, own }
        })
    }

    /// Whether no steps are left, of this one or of one around it: work that took some was aborted.
    pub fn is_used_up(&self) -> bool {
        WATCHDOG.with(|watchdog| watchdog.polls.get() == 0)
    }
}

impl Drop for StepBudget {
    fn drop(&mut self) {
        WATCHDOG.with(|watchdog| {
            let used = self.own - watchdog.polls.get().min(self.own);
            let left = match self.outer {
                u64::MAX => u64::MAX,
                outer => outer.saturating_sub(used),
            };
            watchdog.polls.set(left);
        });
    }
}

/// Suspends the limit on memory while this lives: for work that frees memory.
pub struct NoMemoryLimit(usize);

impl NoMemoryLimit {
    /// From here on.
    #[expect(clippy::new_without_default, reason = "it has an effect")]
    pub fn new() -> NoMemoryLimit {
        NoMemoryLimit(WATCHDOG.with(|watchdog| watchdog.memory.replace(0)))
    }
}

impl Drop for NoMemoryLimit {
    fn drop(&mut self) {
        WATCHDOG.with(|watchdog| watchdog.memory.set(self.0));
    }
}

/// Whether what the process holds is held for its rules.
static OWN: AtomicBool = AtomicBool::new(false);

/// Limits the memory of the whole process, beside what machines count themselves: for
/// programs that do nothing but run rules. In others the memory of the process is not theirs.
pub fn watch_process_memory() {
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

/// Memory reserved for something other than rules while this lives: the states of a search.
pub struct MemoryReserve(usize);

impl MemoryReserve {
    /// So many bytes from here on.
    pub fn new(bytes: usize) -> MemoryReserve {
        let bytes = bytes.min(MOST);
        ALLOWED.fetch_add(bytes, Ordering::Relaxed);
        MemoryReserve(bytes)
    }
}

impl Drop for MemoryReserve {
    fn drop(&mut self) {
        ALLOWED.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// While this lives, limits count from what the process holds when it is made: for work that runs alone after
/// work in other threads. The allocator may keep what they gave back.
pub struct MemoryBase(usize);

impl Default for MemoryBase {
    fn default() -> MemoryBase {
        MemoryBase(BASE.swap(resident().unwrap_or(0), Ordering::Relaxed))
    }
}

impl Drop for MemoryBase {
    fn drop(&mut self) {
        BASE.store(self.0, Ordering::Relaxed);
    }
}

/// The share of the process's memory that one machine may take, while it lives.
pub struct MachineMemory(AtomicUsize);

impl Default for MachineMemory {
    fn default() -> MachineMemory {
        if MACHINES.fetch_add(1, Ordering::Relaxed) == 0 {
            BASE.store(resident().unwrap_or(0), Ordering::Relaxed);
        }
        MachineMemory(AtomicUsize::new(0))
    }
}

impl MachineMemory {
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

impl Drop for MachineMemory {
    fn drop(&mut self) {
        self.allows(0);
        MACHINES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Bytes of memory that the process holds, where the system reports it.
///
/// A global allocator that counts would be exact, but of another thing: what was asked for. Half of
/// a vector that has doubled was never touched and takes no memory, a vector that is freed between
/// others takes some still, and the limit is about the memory taken. PERF: a reading takes some
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

/// Bytes of memory that the process holds, where the system reports it.
#[cfg(not(target_os = "linux"))]
fn resident() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_aborted_within_limits_only() {
        let flag = Arc::new(AtomicBool::new(true));
        let endless = || loop {
            step();
        };
        let ended: Result<(), AbortReason> = LimitScope::new(None, &flag, 0).within(endless);
        assert_eq!(ended, Err(AbortReason::Interrupted));
        (0..4 * STRIDE).for_each(|_| step());
        steps(usize::MAX);
        flag.store(false, Ordering::Relaxed);
        let ended: Result<(), AbortReason> =
            LimitScope::new(Some(Instant::now()), &flag, 0).within(endless);
        assert_eq!(ended, Err(AbortReason::Time));
    }

    #[test]
    fn a_limit_of_steps_ends_work_without_a_clock() {
        let flag = Arc::new(AtomicBool::new(false));
        let taken = |most: u64| {
            let _work = StepBudget::new(most);
            let taken = Cell::new(0);
            let ended: Result<(), AbortReason> = LimitScope::new(None, &flag, 0).within(|| {
                loop {
                    taken.set(taken.get() + 1);
                    step();
                }
            });
            assert_eq!(ended, Err(AbortReason::Steps));
            taken.get()
        };
        let once = taken(100_000);
        (0..1234).for_each(|_| step());
        assert_eq!(taken(100_000), once);
        assert!(taken(1_000_000) > once);
        // Outside there is none.
        assert_eq!(LimitScope::new(None, &flag, 0).within(|| steps(usize::MAX)), Ok(()));
        let outer = StepBudget::new(u64::from(STRIDE) * 10);
        drop(StepBudget::new(u64::MAX - 1));
        taken(u64::from(STRIDE) * 4);
        let left = LimitScope::new(None, &flag, 0).within(|| steps(STRIDE as usize * 8));
        assert_eq!(left, Err(AbortReason::Steps));
        drop(outer);
    }

    #[test]
    fn an_inner_limit_leaves_the_outer_one_in_force() {
        let (raised, other) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
        let found = LimitScope::new(None, &raised, 0).within(|| {
            let inner =
                LimitScope::new(Some(Instant::now()), &other, 0).within(|| steps(usize::MAX));
            assert_eq!(inner, Err(AbortReason::Time));
            steps(usize::MAX);
        });
        assert_eq!(found, Err(AbortReason::Interrupted));
    }
}
