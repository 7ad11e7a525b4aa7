//! Limits, and what happens at them: time, inferences, memory, interrupts.

use super::choices::Choice;
use super::clause::{PredId, is_control};
use super::{Fault, Machine, StopReason};
use std::sync::atomic::Ordering;
use std::time::Duration;
use zug_term::symbol::{Atom, atoms};
use zug_term::watchdog::{self, AbortReason, LimitScope};
use zug_term::{Cell, PeriodicCheck};

/// Inferences between two polls of limits and flags. A prime: polls that count which predicate is running must not
/// meet a loop at the same place each time.
pub(super) const QUOTA: u32 = 1021;
/// Words of large numbers computed after which the next call polls limits.
const WORDS_STEP: usize = 1 << 14;
/// Time that a cancelled search has to report how far it came.
const GRACE: Duration = Duration::from_millis(250);
/// Callers looked at to find the predicate that an error names.
const CALLERS: usize = 64;

/// The check of a walk that ends at a limit of time or an interrupt.
pub type LimitCheck<'a> = PeriodicCheck<&'a dyn Fn() -> Result<(), Fault>>;

impl Machine {
    /// Polls limits, flags and memory, and collects garbage when needed, before `pred` is entered with arguments in X.
    #[cold]
    pub(super) fn poll(&mut self, pred: PredId) -> Result<(), Fault> {
        let mut tight = self.heap.top() > self.heap_limit();
        if self.fuel == 0 {
            self.inferences += u64::from(self.quota);
            let quota = self.profile.as_ref().map_or(QUOTA, |profile| profile.every);
            self.fuel = quota;
            self.quota = quota;
            if self.profile.is_some() {
                self.sample(pred);
            }
            #[cfg(feature = "native")]
            self.note_running(pred);
            self.check_limits(pred)?;
            // The heap may be mostly garbage: the collector looks before memory is out.
            let held = self.stack_bytes() + self.heap.top() * size_of::<Cell>();
            watchdog::holds(held);
            tight |= held > self.memory_limit;
        }
        if tight {
            // A step may fill the heap many times before the fuel is out.
            self.check_limits(pred)?;
            let arity = self.program.preds[pred as usize].arity;
            self.collect_garbage(arity);
            let live = self.heap.top();
            self.live = live;
            let stacks = self.stack_bytes();
            let room = self.memory_limit.saturating_sub(stacks) / size_of::<Cell>();
            // Cells that must be free again after a collection, or the next ones
            // would come ever sooner and find ever less.
            let least = self.memory_limit / size_of::<Cell>() / 32;
            if live + least > room {
                return Err(self.out_of_memory(pred));
            }
            // PERF: a collection visits the stacks too, so their size counts.
            let next = live + live.max(stacks / size_of::<Cell>() / 2);
            self.set_heap_limit(next.max(self.nursery).min(room));
        }
        Ok(())
    }

    /// Counts an inference between two answers of a predicate that is an instruction, as a loop driven by failure may call
    /// nothing else, and polls limits when it is time to; its choice point, which may have moved.
    #[inline]
    pub(super) fn poll_choice(&mut self, choice: Choice, pred: PredId) -> Result<Choice, Fault> {
        if !self.tick() {
            return Ok(choice);
        }
        self.poll(pred)?;
        Ok(self.choices.last().copied().unwrap_or(choice))
    }

    pub(super) fn poll_soon(&mut self) {
        self.poll_after(1);
    }

    pub(super) fn poll_after(&mut self, fuel: u32) {
        self.inferences += u64::from(self.quota - self.fuel);
        self.fuel = fuel;
        self.quota = fuel;
    }

    /// Counts words of large numbers computed without a call. Errors: it is time to stop, or there is no room.
    #[cold]
    pub(super) fn computed_words(&mut self, words: usize) -> Result<(), Fault> {
        if self.worked(words) {
            self.keep_going()?;
            self.room_for(words * size_of::<Cell>())?;
        }
        Ok(())
    }

    /// Counts work that a step did beyond what a step usually does, in words of memory looked at, so that many such
    /// steps don't run past a limit; whether it was so much that the next call polls the limits.
    #[inline]
    pub fn worked(&mut self, words: usize) -> bool {
        self.computed = self.computed.saturating_add(words);
        let much = self.computed > WORDS_STEP;
        if much {
            self.computed = 0;
            self.poll_soon();
        }
        much
    }

    /// The limit of time or interrupt that ends work now.
    pub fn stop_reason(&self) -> Option<StopReason> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        let deadline = self.deadline?;
        (std::time::Instant::now() >= deadline).then_some(StopReason::Time)
    }

    fn check_limits(&mut self, pred: PredId) -> Result<(), Fault> {
        if let Some(reason) = self.stop_reason() {
            if reason == StopReason::Interrupted {
                self.interrupted_in = Some(pred);
            }
            return Err(Fault::Stopped(reason));
        }
        if self.inferences >= self.inference_limit {
            if let Some((limit, number)) = self.goal_limit
                && limit == self.inference_limit
            {
                let name = self.symbols.intern("$inference_limit_exceeded");
                let ball = self.heap.new_struct(name, &[Cell::small(number)]);
                return Err(self.ball(ball));
            }
            return Err(Fault::Stopped(StopReason::Inferences));
        }
        Ok(())
    }

    /// Bytes in the stacks other than the heap.
    pub(super) fn stack_bytes(&self) -> usize {
        self.frames_top() * 8
            + self.choices.len() * size_of::<Choice>()
            + self.choice_args.len() * 8
            + self.trail.len() * 8
            + self.bag_cells.len() * 8
            + self.bag_roots.len() * size_of::<(usize, Cell, bool)>()
            + self.program.clause_bytes
            + self.tables.bytes()
            + self.symbols.bytes()
            + self.outside
    }

    /// Sets the bytes that everything may take; the next call looks.
    pub fn set_memory_limit(&mut self, bytes: usize) {
        self.memory_limit = bytes;
        self.set_heap_limit(self.heap_limit().min(bytes / size_of::<Cell>()));
        self.poll_soon();
    }

    /// Asks for memory that a step is about to take at once: in proportion to a number or a text that the rules gave.
    /// Without this an allocation could fail, which ends the process.
    ///
    /// What the heap holds beyond the cells that the last collection left counts half: much
    /// of it is garbage that the next call collects.
    ///
    /// What is asked for is filled soon: a step of work for every cell of it.
    ///
    /// # Errors
    /// `resource_error(memory)` when there is no such room below the limit.
    pub fn room_for(&mut self, bytes: usize) -> Result<(), Fault> {
        watchdog::steps(bytes / size_of::<Cell>());
        if self.has_room(bytes) { Ok(()) } else { Err(self.resource_error("memory")) }
    }

    /// Bytes that there is room for.
    pub fn room(&self) -> usize {
        let top = self.heap.top();
        let cells = self.live.min(top) + (top - self.live.min(top)) / 2;
        let taken = self.stack_bytes() + cells * size_of::<Cell>();
        self.memory_limit.saturating_sub(taken)
    }

    /// Whether there is room for N bytes: [`Machine::room_for`] without a fault.
    pub fn has_room(&self, bytes: usize) -> bool {
        bytes <= self.room()
    }

    /// As [`Machine::room_for`], for a part of a built-in that can't fail: the built-in raises the error at its end.
    pub fn lacks_room(&mut self, bytes: usize) -> bool {
        let lacks = !self.has_room(bytes);
        self.short_of_room |= lacks;
        lacks
    }

    /// The fault of a limit of time or an interrupt, for steps that run long on their own.
    ///
    /// # Errors
    /// It is time to stop.
    pub fn keep_going(&self) -> Result<(), Fault> {
        self.stop_reason().map_or(Ok(()), |reason| Err(Fault::Stopped(reason)))
    }

    /// Does work of the system's own under the machine's limits: it is aborted when the time is over, at an
    /// interrupt, or when the process holds more memory than it may. See [`zug_term::watchdog`].
    ///
    /// # Errors
    /// Why it was aborted.
    pub fn within_limits<T>(&mut self, work: impl FnOnce(&mut Machine) -> T) -> Result<T, Fault> {
        self.within_limits_above(self.choices.len(), Duration::ZERO, work)
    }

    /// As [`Machine::within_limits`], for work that polls time and interrupts by itself and
    /// reports how far it came: it is aborted only after a grace.
    ///
    /// # Errors
    /// Why it was aborted.
    pub fn within_limits_and_grace<T>(
        &mut self,
        work: impl FnOnce(&mut Machine) -> T,
    ) -> Result<T, Fault> {
        self.within_limits_above(self.choices.len(), GRACE, work)
    }

    /// As [`Machine::within_limits`]; runs that the work leaves open begin at this height of the choice stack.
    #[inline]
    pub(super) fn within_limits_above<T>(
        &mut self,
        height: usize,
        grace: Duration,
        work: impl FnOnce(&mut Machine) -> T,
    ) -> Result<T, Fault> {
        let (deadline, inference_limit) = (self.deadline, self.inference_limit);
        let roots = self.roots.len();
        let at_rest = self.at_rest();
        self.alive.allows(self.memory_limit);
        let scope = LimitScope::new(deadline, &self.interrupt, self.memory_limit).patient(grace);
        scope.within(|| work(self)).map_err(|ended| {
            // What a step had changed for its own duration.
            self.deadline = deadline;
            self.inference_limit = inference_limit;
            self.roots.truncate(roots);
            self.refresh_barrier();
            self.close_runs(height, at_rest);
            self.stopped_by(ended)
        })
    }

    /// This machine will take no memory: others are made like it.
    pub fn retire(&self) {
        self.alive.allows(0);
    }

    #[cold]
    fn stopped_by(&mut self, ended: AbortReason) -> Fault {
        match ended {
            AbortReason::Interrupted => {
                self.interrupted_in = None;
                Fault::Stopped(StopReason::Interrupted)
            }
            AbortReason::Time => Fault::Stopped(StopReason::Time),
            AbortReason::Memory => self.resource_error("memory"),
            AbortReason::Steps => Fault::Stopped(StopReason::Inferences),
        }
    }

    /// Walks over terms with a step check for limits of time and interrupts; the steps of the walk count as work.
    ///
    /// # Errors
    /// It is time to stop.
    pub fn walk_checked<T>(
        &mut self,
        walk: impl FnOnce(&Machine, &mut LimitCheck<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let ask = || self.keep_going();
        let mut check = PeriodicCheck::new(&ask as &dyn Fn() -> Result<(), Fault>);
        let found = walk(self, &mut check);
        let steps = check.steps();
        self.worked(steps);
        found
    }

    fn out_of_memory(&mut self, pred: PredId) -> Fault {
        let (name, arity) = self.culprit(pred);
        self.set_heap_limit(self.heap.top() + 4096);
        let indicator = self.indicator(name, arity);
        let message = self.heap.new_var();
        let context = self.heap.new_struct(atoms::CONTEXT, &[indicator, message]);
        let formal = self.heap.new_struct(atoms::RESOURCE_ERROR, &[Cell::atom(atoms::MEMORY)]);
        let ball = self.heap.new_struct(atoms::ERROR, &[formal, context]);
        self.ball(ball)
    }

    /// The predicate that an error names when `pred` is about to be entered: itself
    /// or, if it only calls others, what it calls or the nearest caller.
    fn culprit(&self, pred: PredId) -> (Atom, usize) {
        let entered = &self.program.preds[pred as usize];
        let own = (entered.name, entered.arity);
        if !self.only_calls(own.0) {
            return own;
        }
        if own.0 == atoms::CALL
            && let Some(called) = self.called(own.1)
        {
            return called;
        }
        let callers = self.callers(self.cp, self.e).take(CALLERS);
        let mut clauses = callers.filter_map(|address| self.program.clause_at(address));
        let caller = clauses.find_map(|clause| {
            let caller = &self.program.preds[self.program.clauses[clause as usize].pred as usize];
            (!self.only_calls(caller.name)).then_some((caller.name, caller.arity))
        });
        caller.unwrap_or(own)
    }

    /// Whether a predicate of this name is one that only calls others for the user.
    fn only_calls(&self, name: Atom) -> bool {
        matches!(name, atoms::CALL | atoms::CATCH) || self.symbols.name(name).starts_with('$')
    }

    /// The predicate that `call/n`, with its arguments in X, will enter.
    fn called(&self, n: usize) -> Option<(Atom, usize)> {
        let mut goal = self.heap.deref(self.x[0]);
        for _ in 0..super::MODULES {
            let Some([_, inner]) = self.heap.match_struct::<2>(goal, atoms::COLON) else { break };
            goal = self.heap.deref(inner);
        }
        let (name, arity, _) = self.heap.name_arity(goal)?;
        let arity = arity + n - 1;
        (!self.only_calls(name) && !is_control(name, arity)).then_some((name, arity))
    }
}
