//! Which back end runs code.
//!
//! Code begins in the interpreter; when that has done enough work with it, native code takes
//! over. The work is counted in blocks and steps, not by a clock, so that every run of a
//! search goes the same way.

use super::code::{Code, Layout, Leaf, Sum};
use super::costs;
use super::frame::{Frame, Narrow, Packed, Reply, is_narrow};
use super::moves::{Form, HEAD, Source};
#[cfg(feature = "native")]
use super::native::Native;
use crate::costs::{LOOKED_AT, RUN};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};
use zug_state::Codec;

#[derive(Clone)]
pub struct Backend {
    code: Arc<Code>,
    forms: Arc<[Form]>,
    /// Leaves may be of more than one byte.
    is_wide: bool,
    length: usize,
    /// Moves are put down all alike: number, state, change.
    uniform: bool,
    /// Some moves go on with a call.
    has_calls: bool,
    /// What leaves must be, if that is all the code asks.
    pattern: Option<Arc<Pattern>>,
    #[cfg(feature = "native")]
    layout: Layout,
    choice: Choice,
    /// Blocks and steps that were interpreted, and in how many runs.
    interpreted: (u64, u64),
    /// It was looked at whether it is faster than the machine.
    is_weighed: bool,
    /// The sum whose differences are put down with moves of narrow states, and its epoch.
    told: Option<(Arc<Sum>, u64)>,
    /// What other threads that run the same code know of it.
    common: Arc<Common>,
    is_shared: bool,
    /// How often it was waited for native code.
    #[cfg(feature = "native")]
    waited: u32,
}

/// What is known of code to all threads that run it.
#[derive(Default)]
struct Common {
    /// Native code, once one of them has made it; nothing inside if there can be none.
    #[cfg(feature = "native")]
    native: OnceLock<Option<Arc<Native>>>,
    #[cfg(not(feature = "native"))]
    native: OnceLock<()>,
    #[cfg(feature = "native")]
    is_being_made: AtomicBool,
    is_slow: AtomicBool,
}

impl Common {
    #[inline]
    fn has_news(&self) -> bool {
        self.native.get().is_some() || self.is_slow.load(Relaxed)
    }
}

/// What leaves of one byte must be.
struct Pattern {
    leaves: Vec<(Leaf, u8)>,
    /// Of the words that states consist of, if they have a common length: which bits are asked
    /// for, and what they must be. PERF: the first word nearly always decides.
    words: Vec<(usize, u64, u64)>,
}

impl Pattern {
    fn new(leaves: Vec<(Leaf, u8)>, layout: Layout) -> Pattern {
        let words = Pattern::words(&leaves, layout).unwrap_or_default();
        Pattern { leaves, words }
    }

    /// The words; `None` if a leaf lies beyond them, or is asked for twice.
    fn words(leaves: &[(Leaf, u8)], layout: Layout) -> Option<Vec<(usize, u64, u64)>> {
        let mut words = vec![(0, 0); layout.words];
        for &(leaf, byte) in leaves {
            let at = layout.before + usize::from(leaf);
            let (mask, value) = words.get_mut(at / 8)?;
            let bits = 0xFF << (at % 8 * 8);
            if *mask & bits != 0 {
                return None;
            }
            *mask |= bits;
            *value |= u64::from(byte) << (at % 8 * 8);
        }
        let words = words.into_iter().enumerate().map(|(at, (mask, value))| (at, mask, value));
        Some(words.filter(|&(_, mask, _)| mask != 0).collect())
    }

    #[inline(always)]
    fn matches(&self, Narrow { room, leaves }: Narrow<'_>) -> bool {
        let (all, _) = room.as_chunks::<8>();
        if self.words.last().is_some_and(|&(last, ..)| last < all.len()) {
            for &(at, mask, value) in &self.words {
                if u64::from_le_bytes(all[at]) & mask != value {
                    return false;
                }
            }
            return true;
        }
        self.leaves.iter().all(|&(leaf, byte)| leaves[usize::from(leaf)] == byte)
    }
}

#[derive(Clone)]
enum Choice {
    /// The interpreter, for N blocks and steps more.
    Interpreter(u64),
    /// The interpreter, until somebody looks whether it is to.
    Due,
    #[cfg(feature = "native")]
    Native(Arc<Native>),
}

impl Backend {
    /// Code to be interpreted for now, for packed states that are laid out so.
    pub fn new(code: impl Into<Arc<Code>>, layout: Layout) -> Backend {
        let code: Arc<Code> = code.into();
        // States that moves lead to are made leaf by leaf.
        let is_wide = code.program.is_wide();
        let layout = match is_wide {
            true => Layout { words: 0, ..layout },
            false => layout.of_leaves(code.leaves),
        };
        let until_looked_at = LOOKED_AT * (RUN + code.program.parts());
        let forms: Arc<[Form]> = Form::all(&code, layout).into();
        let has_calls = code.moves.iter().any(|mv| mv.call.is_some());
        Backend {
            is_wide,
            length: layout.words,
            uniform: forms.iter().all(|form| form.saved.is_empty() && form.words > 0)
                && !has_calls
                && !forms.is_empty(),
            has_calls,
            forms,
            pattern: code
                .program
                .find_pattern()
                .map(|leaves| Arc::new(Pattern::new(leaves, layout))),
            code,
            #[cfg(feature = "native")]
            layout,
            choice: Choice::Interpreter(until_looked_at),
            interpreted: (0, 0),
            is_weighed: false,
            told: None,
            common: Arc::default(),
            is_shared: false,
            #[cfg(feature = "native")]
            waited: 0,
        }
    }

    /// The same code for another thread, as it is at its beginning: native code that one of them has made serves all.
    pub fn another(&self) -> Backend {
        Backend {
            choice: match self.common.has_news() {
                true => Choice::Due,
                false => Choice::Interpreter(LOOKED_AT * (RUN + self.code.program.parts())),
            },
            interpreted: (0, 0),
            is_weighed: false,
            told: None,
            is_shared: true,
            #[cfg(feature = "native")]
            waited: 0,
            ..self.clone()
        }
    }

    pub fn share_out(&mut self) {
        self.is_shared = true;
    }

    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Is the same code but for the numbers of what its moves call.
    pub fn renumber(&mut self, code: Code) {
        self.code = Arc::new(code);
    }

    fn sharers(&self) -> u64 {
        // One is on the shelf.
        let others = (Arc::strong_count(&self.common) as u64).saturating_sub(1);
        if self.is_shared { others.max(1) } else { 1 }
    }

    /// The same code for states that are laid out otherwise.
    pub fn lay_out(&mut self, layout: Layout) {
        *self = Backend::new(self.code.clone(), layout);
    }

    #[inline]
    pub fn code(&self) -> &Code {
        &self.code
    }

    #[inline]
    pub fn has_calls(&self) -> bool {
        self.has_calls
    }

    pub fn shared(&self) -> (Arc<Code>, Arc<[Form]>) {
        (self.code.clone(), self.forms.clone())
    }

    /// Whether it runs on words, as leaves may be of more than one byte.
    #[inline]
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// Words of eight bytes that the states take that it runs on; 0 if it does not matter.
    #[inline]
    pub fn words(&self) -> usize {
        self.length
    }

    /// Whether a narrow state matches, if the code is but a test of single leaves.
    #[inline(always)]
    pub fn matches(&self, state: Narrow<'_>) -> Option<bool> {
        Some(self.pattern.as_ref()?.matches(state))
    }

    /// The word of states that excludes most of them: its place, a mask, and the bits wanted.
    pub fn first_word(&self) -> Option<(usize, u64, u64)> {
        self.pattern.as_ref()?.words.first().copied()
    }

    /// Runs code on a narrow state, or else on the words of the frame, where its moves lie then.
    #[inline(always)]
    pub fn run(&mut self, narrow: Option<Narrow<'_>>, frame: &mut Frame) -> Reply {
        #[cfg(all(any(test, feature = "compare"), feature = "native"))]
        crate::native::compare::compare(&self.code, &self.forms, self.layout, narrow, frame);
        #[cfg(feature = "native")]
        if let Choice::Native(native) = &self.choice {
            return native.run(narrow.map_or(&[][..], |state| state.room), frame);
        }
        self.interpret(narrow, frame)
    }

    /// What the moves are read from that the last run put down, on such a state.
    #[inline(always)]
    pub fn source<'v>(&'v self, narrow: Option<Narrow<'v>>, frame: &'v Frame) -> Source<'v> {
        Source {
            code: &self.code,
            forms: &self.forms,
            exit: &frame.exit[..frame.end],
            narrow: narrow.map(|state| state.leaves),
            words: &frame.words,
        }
    }

    #[inline]
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// Where [`Backend::is_uniform`]: the moves of a narrow state; `None` if the interpreter handles it, or a poll is due.
    #[inline(always)]
    pub fn moves<'f>(&mut self, state: Narrow<'_>, frame: &'f mut Frame) -> Option<&'f [i64]> {
        #[cfg(feature = "native")]
        if let Choice::Native(native) = &self.choice {
            return native.moves(state.room, frame);
        }
        self.interpreted_moves(state, frame)
    }

    #[inline(never)]
    fn interpreted_moves<'f>(
        &mut self,
        state: Narrow<'_>,
        frame: &'f mut Frame,
    ) -> Option<&'f [i64]> {
        #[cfg(all(any(test, feature = "compare"), feature = "native"))]
        crate::native::compare::compare(&self.code, &self.forms, self.layout, Some(state), frame);
        if self.is_due() {
            return None;
        }
        match self.interpret(Some(state), frame) {
            Reply::Deopt(_) => None,
            _ => Some(&frame.exit[HEAD..frame.end]),
        }
    }

    #[inline]
    fn interpret(&mut self, narrow: Option<Narrow<'_>>, frame: &mut Frame) -> Reply {
        frame.work = RUN;
        let reply = match narrow {
            Some(Narrow { room, leaves }) => {
                let sum = self.told.as_ref().map(|(sum, _)| &**sum);
                self.code.program.run(&self.forms, frame, &Packed { room, leaves, sum })
            }
            None => self.code.program.run_on_words(&self.forms, frame),
        };
        self.count(frame.work);
        reply
    }

    /// The epoch whose differences of values are put down with moves, if there is one.
    #[inline]
    pub fn epoch(&self) -> Option<u64> {
        self.told.as_ref().map(|&(_, epoch)| epoch)
    }

    /// Told a sum whose differences to put down in this epoch; native code made without it does not.
    pub fn tell(&mut self, sum: Option<Arc<Sum>>, epoch: u64) {
        match sum {
            Some(sum) if self.hears(&sum) => self.told = Some((sum, epoch)),
            None if self.is_interpreted() => self.told = None,
            _ => {}
        }
    }

    fn is_interpreted(&self) -> bool {
        matches!(self.choice, Choice::Interpreter(_) | Choice::Due)
    }

    #[inline]
    pub fn is_due(&self) -> bool {
        matches!(self.choice, Choice::Due)
    }

    #[inline]
    fn count(&mut self, work: u64) {
        self.interpreted.0 += work;
        self.interpreted.1 += 1;
        if let Choice::Interpreter(left) = &mut self.choice {
            *left = left.saturating_sub(work);
            if *left == 0 || self.is_shared && self.common.has_news() {
                self.choice = Choice::Due;
            }
        }
    }

    /// What to do when a look is due: first weigh [what a run takes](Backend::a_run), later compile.
    pub fn look(&mut self) -> Look {
        if self.is_shared && self.common.has_news() {
            return if self.common.is_slow.load(Relaxed) { Look::Leave } else { Look::Take };
        }
        if std::mem::replace(&mut self.is_weighed, true) {
            return Look::Compile;
        }
        let until_native = costs::until_native(self.code.program.parts());
        self.choice = Choice::Interpreter(
            (until_native / self.sharers()).saturating_sub(self.interpreted.0).max(1),
        );
        Look::Weigh
    }

    /// Loads leaves: true if the code runs on the packed bytes, false if on words; `None` if they do not fit.
    #[inline]
    pub fn load(&self, leaves: &[u8], frame: &mut Frame, codec: &Codec) -> Option<bool> {
        let count = self.code.leaves;
        let loaded = match self.is_wide {
            true => frame.load(leaves, count, codec),
            false => is_narrow(leaves, count, codec),
        };
        loaded.then_some(!self.is_wide)
    }

    /// Blocks and steps that a run takes in the interpreter, on average.
    pub fn a_run(&self) -> u64 {
        self.interpreted.0 / self.interpreted.1.max(1)
    }

    /// What compiling it costs, in steps of making code.
    pub fn cost(&self) -> u64 {
        costs::native_steps(self.code.program.parts())
    }

    pub fn put_off(&mut self) {
        if let Choice::Due = self.choice {
            self.choice = Choice::Interpreter(self.interpreted.0 / 4);
        }
    }

    pub fn leave(&self) {
        self.common.is_slow.store(true, Relaxed);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    Weigh,
    Compile,
    /// Take the native code that another thread has made.
    Take,
    /// Leave it to the machine, as another thread has done.
    Leave,
}

#[cfg(all(test, feature = "native"))]
impl Backend {
    pub fn native(&self) -> Option<&Arc<Native>> {
        match &self.choice {
            Choice::Native(native) => Some(native),
            _ => None,
        }
    }
}

#[cfg(feature = "native")]
impl Backend {
    /// Times that one waits for native code that another thread makes; after each, a quarter more is interpreted.
    const PATIENCE: u32 = 16;

    #[inline]
    pub fn hears(&self, sum: &Arc<Sum>) -> bool {
        match &self.choice {
            Choice::Native(native) => native.puts_down_changes_of(sum),
            _ => true,
        }
    }

    /// Makes native code, if that is possible and no other thread has made some, or is at it; whether it did.
    pub fn make_native(&mut self) -> bool {
        if let Choice::Native(_) = self.choice {
            return false;
        }
        let common = self.common.clone();
        let is_made = common.native.get().is_some();
        if !is_made && common.is_being_made.swap(true, Relaxed) && self.waited < Self::PATIENCE {
            self.waited += 1;
            self.choice = Choice::Interpreter(1 + self.interpreted.0 / 4);
            return false;
        }
        let native = common.native.get_or_init(|| {
            let sum = self.told.as_ref().map(|(sum, _)| sum.clone());
            Native::new(&self.code, &self.forms, self.layout, sum).map(Arc::new)
        });
        self.choice = match native {
            Some(native) => Choice::Native(native.clone()),
            None => Choice::Interpreter(u64::MAX),
        };
        // There is no news any more.
        self.is_shared &= native.is_some();
        self.told = self.told.take().filter(|(sum, _)| self.hears(sum));
        !is_made
    }
}

#[cfg(not(feature = "native"))]
impl Backend {
    pub fn hears(&self, _: &Arc<Sum>) -> bool {
        true
    }

    pub fn make_native(&mut self) -> bool {
        self.choice = Choice::Interpreter(u64::MAX);
        false
    }
}
