//! Split points: moves of a node that a thread of alpha-beta leaves to others while it searches the ones before.
//!
//! A thread that is idle says so; another one then offers it a move of the first node on its path whose first move is
//! done and was large (young brothers wait: R. Feldmann, P. Mysliwietz, B. Monien, O. Vornberger, *Distributed game tree
//! search*, ICCA Journal 12(2), 1989). What comes of it is found in the table by who offered it. Who comes to a move
//! that another thread still searches takes what that one offers meanwhile (the helpful master).

use super::interface::Game;
use super::transposition::{SubtreeValue, Window, for_player};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Who waits looks whether all is over at least this often.
const WAIT: Duration = Duration::from_millis(2);

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How far a task is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Offered,
    Taken,
    /// It was done, was not possible, or is not wanted any longer.
    Over,
}

/// What becomes of a task, as the thread that offered it and the one that does it see it.
pub(super) struct Promise<V> {
    phase: Mutex<Phase>,
    dropped: AtomicBool,
    /// A value that makes the other moves of the node needless.
    cut: Mutex<Option<SubtreeValue<V>>>,
    /// Who offered it is told of a cut.
    news: Arc<AtomicBool>,
}

impl<V: Copy> Promise<V> {
    /// It is not wanted any longer.
    pub fn drop_it(&self) {
        self.dropped.store(true, Relaxed);
        self.reclaim();
    }

    /// Whether it is not wanted any longer.
    #[inline]
    pub fn is_dropped(&self) -> bool {
        self.dropped.load(Relaxed)
    }

    /// Whether a thread works at it.
    pub fn is_taken(&self) -> bool {
        *locked(&self.phase) == Phase::Taken
    }

    /// Takes it back if nobody has begun with it; whether somebody works at it.
    pub fn reclaim(&self) -> bool {
        let mut phase = locked(&self.phase);
        if *phase == Phase::Offered {
            *phase = Phase::Over;
        }
        *phase == Phase::Taken
    }

    /// The value that makes other moves of the node needless, to the player of the node.
    pub fn cut(&self) -> Option<SubtreeValue<V>> {
        *locked(&self.cut)
    }
}

/// A move of a node, to be searched by another thread.
pub(super) struct Task<G: Game> {
    /// The state that it leads to, and what the table knows that by, if it is another one.
    pub state: G::State,
    pub standing: Option<G::State>,
    /// Moves from the root.
    pub depth: usize,
    pub left: u32,
    pub window: Window<G::Value>,
    /// Whether another player moves there than before.
    pub turns: bool,
    /// The value for the player before that makes the other moves needless.
    pub beta: Option<G::Value>,
    pub promise: Arc<Promise<G::Value>>,
}

impl<G: Game> Task<G> {
    pub fn promised(news: &Arc<AtomicBool>) -> Arc<Promise<G::Value>> {
        Arc::new(Promise {
            phase: Mutex::new(Phase::Offered),
            dropped: AtomicBool::new(false),
            cut: Mutex::new(None),
            news: news.clone(),
        })
    }
}

/// A task that a thread works at; it is over when this is dropped, whatever came of it.
pub(super) struct Taken<'b, G: Game> {
    pub task: Task<G>,
    board: &'b Board<G>,
}

impl<G: Game> Taken<'_, G> {
    /// What was found.
    pub fn fulfil(&self, found: SubtreeValue<G::Value>) {
        let value = for_player(found.value, self.task.turns);
        if self.task.beta.is_some_and(|beta| value >= beta) {
            *locked(&self.task.promise.cut) = Some(SubtreeValue { value, ..found });
            self.task.promise.news.store(true, Relaxed);
        }
    }
}

impl<G: Game> Drop for Taken<'_, G> {
    fn drop(&mut self) {
        *locked(&self.task.promise.phase) = Phase::Over;
        self.board.wake();
    }
}

/// Where threads offer tasks and take them.
pub(super) struct Board<G: Game> {
    tasks: Mutex<VecDeque<Task<G>>>,
    changed: Condvar,
    /// Threads that wait for a task, and tasks that wait for a thread.
    idle: AtomicUsize,
    offered: AtomicUsize,
}

impl<G: Game> Board<G> {
    pub fn new() -> Self {
        Board {
            tasks: Mutex::new(VecDeque::new()),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
            offered: AtomicUsize::new(0),
        }
    }

    /// Whether a thread waits for a task.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.idle.load(Relaxed) > self.offered.load(Relaxed)
    }

    pub fn offer(&self, task: Task<G>) {
        let mut tasks = locked(&self.tasks);
        tasks.push_back(task);
        self.offered.store(tasks.len(), Relaxed);
        drop(tasks);
        self.changed.notify_all();
    }

    /// A task, when there is one; `None` when nobody works any longer at the task that is waited for, or the wait is
    /// `needless`.
    pub fn take(
        &self,
        until: Option<&Promise<G::Value>>,
        needless: impl Fn() -> bool,
    ) -> Option<Taken<'_, G>> {
        let mut tasks = locked(&self.tasks);
        loop {
            let is_over = until.is_some_and(|promise| !promise.is_taken());
            if is_over || needless() {
                return None;
            }
            while let Some(task) = tasks.pop_front() {
                self.offered.store(tasks.len(), Relaxed);
                let mut phase = locked(&task.promise.phase);
                if *phase == Phase::Offered {
                    *phase = Phase::Taken;
                    drop(phase);
                    return Some(Taken { task, board: self });
                }
            }
            self.idle.fetch_add(1, Relaxed);
            let waited = self.changed.wait_timeout(tasks, WAIT);
            self.idle.fetch_sub(1, Relaxed);
            tasks = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Has those who wait look whether they still need to.
    pub fn wake(&self) {
        // Who is about to wait has looked at the tasks before.
        drop(locked(&self.tasks));
        self.changed.notify_all();
    }
}

/// A thread among others.
pub(super) struct Mates<G: Game> {
    pub board: Arc<Board<G>>,
    /// A task that this thread offered has made others needless.
    pub news: Arc<AtomicBool>,
    /// The tasks that it works at: each but the last waits for those behind it.
    pub tasks: Vec<Arc<Promise<G::Value>>>,
    /// How many words all threads know, and whether others are to be taught when this one has met new ones.
    pub words: (u64, bool),
}

impl<G: Game> Mates<G> {
    pub fn new(board: &Arc<Board<G>>, words: (u64, bool)) -> Self {
        let news = Arc::new(AtomicBool::new(false));
        Mates { board: board.clone(), news, tasks: Vec::new(), words }
    }

    /// Whether what it works at is not wanted any longer.
    #[inline]
    pub fn is_dropped(&self) -> bool {
        self.tasks.iter().any(|task| task.is_dropped())
    }
}
