//! Choice points: what there is to try next, and the state to go back to.

use super::host::{Host, Next};
use super::{Fault, Machine};

/// The bit of an entry of the tables of clauses whose clause decides by its head and tests.
pub(super) const DECIDES: u32 = 1 << 31;

/// What a choice point does when it is backtracked into. Machine code knows the first two by their words, 0 and 1, and
/// finds their parts behind that, at bytes 4 and 8.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Alt {
    /// Tries the next clause of a static predicate: entries of the target table.
    Clauses { next: u32, end: u32 },
    /// Goes on in the clause of its environment.
    Else { to: u32, live: u16 },
    /// Tries the next live clause of a dynamic predicate.
    /// Behind its arguments stand the position in the chain and the generation.
    Dynamic { pred: u32, chain: u32 },
    /// Goes on to the next clause of a predicate as data, as the one above: see `walk.rs`.
    Walk { pred: u32, chain: u32 },
    /// Fails on: a soft-cut condition that succeeded.
    Dead,
    /// The next integer of `between/3`: arguments low, high, variable.
    Between,
    /// A catch: arguments catcher and recovery.
    Catch { active: bool },
    /// A goal that must have an answer has none: arguments what it is, and why it must.
    Det,
    /// Fails on; a cut or an exception that removes it has to run the cleanup in its argument a call.
    Cleanup,
    /// The bottom of a run of [`Machine::solve`].
    Barrier,
}

/// A choice point. Its arguments lie in [`Machine::choice_args`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Choice {
    /// What to do next.
    pub alt: Alt,
    /// Environment.
    pub e: u32,
    /// Continuation.
    pub cp: u32,
    /// Height of the choice stack when the predicate was called.
    pub b0: u32,
    /// Height of the environment stack to protect.
    pub frames: u32,
    /// Where its arguments start.
    pub args: u32,
    /// Open bags.
    pub bags: u32,
    /// Length of the trail.
    pub trail: usize,
    /// Top of the heap.
    pub heap: usize,
}

impl Machine {
    /// Pushes a choice point that keeps `X[0..arity]`.
    #[inline(always)]
    pub(super) fn push_choice(&mut self, alt: Alt, arity: usize) {
        let args = self.choice_args.len();
        self.keep_args(arity);
        self.push_choice_at(alt, args, self.trail.len(), self.heap.top());
    }

    /// As [`Machine::push_choice`], with arguments that begin at `args`, of the state when trail and heap were so long.
    #[inline(always)]
    pub(super) fn push_choice_at(&mut self, alt: Alt, args: usize, trail: usize, heap: usize) {
        let frames = self.frames_top();
        self.choices.push(Choice {
            alt,
            e: self.e as u32,
            cp: self.cp,
            b0: self.b0,
            frames: frames as u32,
            args: args as u32,
            bags: self.bags.len() as u32,
            trail,
            heap,
        });
        self.hb = heap;
        self.protected = frames;
    }

    /// Drops choice points above a height; whether cleanups are owed by that.
    #[inline(always)]
    pub(super) fn cut_to(&mut self, height: usize) -> bool {
        let mut owes = false;
        if self.choices.len() > height {
            if self.cleanups.last().is_some_and(|&at| at >= height) {
                self.owe_cleanups(height);
                owes = true;
            }
            let args = self.choices[height].args;
            self.choice_args.truncate(args as usize);
            self.choices.truncate(height);
            self.refresh_barrier();
        }
        owes
    }

    /// Makes the choice point just above a height a dead end, or drops it if it is the newest.
    #[inline(always)]
    pub(super) fn soft_cut(&mut self, height: usize) {
        if height + 1 == self.choices.len() {
            self.cut_to(height);
        } else {
            self.choices[height].alt = Alt::Dead;
        }
    }

    /// Sets the registers that depend on the newest choice point.
    #[inline(always)]
    pub(super) fn refresh_barrier(&mut self) {
        match self.choices.last() {
            Some(choice) => {
                self.hb = choice.heap;
                self.protected = choice.frames as usize;
            }
            None => {
                self.hb = 0;
                self.protected = 0;
            }
        }
    }

    #[inline(always)]
    pub(super) fn restore(&mut self, choice: &Choice) {
        self.undo_to(choice.trail);
        self.heap.cells.truncate(choice.heap);
        self.e = choice.e as usize;
        self.cp = choice.cp;
        self.b0 = choice.b0;
    }

    #[inline(always)]
    pub(super) fn pop_choice(&mut self, choice: &Choice) {
        self.choice_args.truncate(choice.args as usize);
        self.choices.pop();
        self.refresh_barrier();
    }

    #[inline(always)]
    pub(super) fn reload_args(&mut self, choice: &Choice) {
        self.load_args(choice.args as usize);
    }

    /// Backtracks into the newest choice point if it stands for clauses or an alternative of one: the common cases.
    #[inline(always)]
    pub(super) fn backtrack_to_clause(&mut self) -> Option<u32> {
        if self.shallow.is_on() {
            return Some(self.retry_shallow());
        }
        let &choice = self.choices.last()?;
        match choice.alt {
            Alt::Clauses { next, end } => {
                self.restore(&choice);
                self.reload_args(&choice);
                let to = self.target(next) & !DECIDES;
                if next + 1 == end {
                    self.pop_choice(&choice);
                } else {
                    let top = self.choices.len() - 1;
                    self.choices[top].alt = Alt::Clauses { next: next + 1, end };
                }
                Some(to)
            }
            Alt::Else { to, .. } => {
                self.restore(&choice);
                self.pop_choice(&choice);
                Some(to)
            }
            _ => None,
        }
    }

    /// Backtracks into the newest choice point: where to go on, or `None` at the barrier of the run.
    pub(super) fn backtrack<H: Host>(&mut self, host: &mut H) -> Result<Option<u32>, Fault> {
        loop {
            let Some(&choice) = self.choices.last() else { return Ok(None) };
            self.restore(&choice);
            match choice.alt {
                Alt::Clauses { .. } | Alt::Else { .. } => {
                    return Ok(self.backtrack_to_clause());
                }
                Alt::Dynamic { pred, chain } => {
                    self.reload_args(&choice);
                    match self.retry_dynamic(host, pred, chain, &choice)? {
                        Some(to) => return Ok(Some(to)),
                        None => continue,
                    }
                }
                Alt::Walk { pred, chain } => {
                    self.reload_args(&choice);
                    let choice = self.poll_choice(choice, self.ids.walk)?;
                    match self.next_walk(pred, chain, &choice) {
                        Next::Go(to) => return Ok(Some(to)),
                        Next::Fail => continue,
                    }
                }
                Alt::Between => {
                    self.reload_args(&choice);
                    let choice = self.poll_choice(choice, self.ids.between)?;
                    self.next_between(&choice)?;
                    return Ok(Some(self.cp));
                }
                Alt::Dead | Alt::Catch { .. } => self.pop_choice(&choice),
                Alt::Det => return Err(self.det_failed(&choice)),
                Alt::Cleanup => {
                    self.cleanups.pop();
                    self.pop_choice(&choice);
                }
                Alt::Barrier => return Ok(None),
            }
        }
    }
}
