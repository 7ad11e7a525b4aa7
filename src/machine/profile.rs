//! The profiler: exact counts of calls, and stacks sampled every N inferences.
//!
//! Inferences decide when the stack is sampled, so that a profile of the same run is the same every time, but for its
//! times: the clock is read at each sample. While the profiler runs, a call of a predicate of the user's has an empty
//! environment of its own, whose return address, an [`Instr::HookReturn`], names the predicate. So a last call is
//! seen below its caller as any other; of calls that return one to the other each predicate has one environment, so
//! that loops by last calls need constant room.

use super::choices::Alt;
use super::instr::Instr;
use super::{Machine, Observer, PredId, fixed};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Environments looked at after which half as many samples are taken, if it isn't told how
/// many: short runs are counted exactly, and long ones are not slowed down.
const WORK: usize = 4_000_000;
/// What a sample costs besides, counted in environments.
const SAMPLE: usize = 64;
/// Environments looked at for a sample.
const DEEPEST: usize = 100_000;
/// Places in the tree of stacks.
const PLACES: usize = 100_000;

/// A place in the tree of stacks.
#[derive(Clone, Debug)]
pub struct StackPlace {
    /// The predicate on top; `None` for the bottom of all stacks.
    pub pred: Option<PredId>,
    /// The place it was called from.
    pub parent: u32,
    /// Inferences while it was on top.
    pub inferences: u64,
    /// Time while it was on top, without that of the profiler.
    pub time: Duration,
}

/// A profile that is being made.
#[derive(Debug)]
pub struct Profile {
    /// Inferences between two samples.
    pub every: u32,
    /// Whether samples become rarer.
    adapts: bool,
    /// Environments looked at since they last did.
    work: usize,
    /// Calls by predicate.
    pub calls: Vec<u64>,
    /// The tree of stacks; the first place is the bottom.
    pub places: Vec<StackPlace>,
    index: FxHashMap<(u32, PredId), u32>,
    /// Inferences when the last sample was taken.
    seen: u64,
    /// The clock then, when the profiler had done its work.
    read: Instant,
    /// Samples.
    pub samples: u64,
}

impl Profile {
    fn new(every: Option<u32>, seen: u64) -> Profile {
        let bottom = StackPlace { pred: None, parent: 0, inferences: 0, time: Duration::ZERO };
        Profile {
            every: every.unwrap_or(1).max(1),
            adapts: every.is_none(),
            work: 0,
            calls: Vec::new(),
            places: vec![bottom],
            index: FxHashMap::default(),
            seen,
            read: Instant::now(),
            samples: 0,
        }
    }

    fn count(&mut self, pred: PredId) {
        let at = pred as usize;
        if self.calls.len() <= at {
            self.calls.resize(at + 1, 0);
        }
        self.calls[at] += 1;
    }

    /// Adds inferences and time to a stack, given from its bottom. A predicate that calls itself,
    /// directly or through others, is folded into its first call.
    fn add(&mut self, stack: impl Iterator<Item = PredId>, (inferences, time): (u64, Duration)) {
        let mut at = 0u32;
        for pred in stack {
            let mut above = at;
            while above != 0 && self.places[above as usize].pred != Some(pred) {
                above = self.places[above as usize].parent;
            }
            if above != 0 {
                at = above;
                continue;
            }
            if self.places.len() >= PLACES && !self.index.contains_key(&(at, pred)) {
                break;
            }
            let next = self.places.len() as u32;
            let entry = self.index.entry((at, pred)).or_insert(next);
            if *entry == next {
                let (inferences, time) = (0, Duration::ZERO);
                self.places.push(StackPlace { pred: Some(pred), parent: at, inferences, time });
            }
            at = *entry;
        }
        let place = &mut self.places[at as usize];
        place.inferences += inferences;
        place.time += time;
        self.samples += 1;
        if self.adapts && self.work > WORK {
            self.work = 0;
            self.every = self.every.saturating_mul(2);
        }
    }
}

impl Machine {
    /// Begins a profile; a sample is taken every N inferences, or ever more rarely. The
    /// user's predicates must be hooked.
    pub fn begin_profile(&mut self, every: Option<u32>) {
        self.profile = Some(Box::new(Profile::new(every, self.inferences())));
        self.observer = Observer::Profile;
        self.poll_after(every.unwrap_or(1).max(1));
    }

    /// Ends the profile.
    pub fn end_profile(&mut self) -> Option<Profile> {
        let rest = self.inferences();
        let mut profile = self.profile.take()?;
        let time = profile.read.elapsed();
        let (stack, _) = self.profiled_stack();
        let inferences = rest.saturating_sub(profile.seen);
        profile.add(stack.into_iter().rev(), (inferences, time));
        if self.observer == Observer::Profile {
            self.observer = Observer::Nobody;
        }
        Some(*profile)
    }

    /// Takes a sample: `pred` is about to be entered.
    #[cold]
    pub(super) fn sample(&mut self, pred: PredId) {
        let Some(mut profile) = self.profile.take() else { return };
        let time = profile.read.elapsed();
        let inferences = self.inferences.saturating_sub(profile.seen);
        profile.seen = self.inferences;
        let (mut stack, work) = self.profiled_stack();
        profile.work += work + SAMPLE;
        if self.program.modules.is_programs(self.program.preds[pred as usize].space) {
            stack.insert(0, pred);
        }
        profile.add(stack.into_iter().rev(), (inferences, time));
        profile.read = Instant::now();
        self.profile = Some(profile);
    }

    /// The hooked predicates that wait for an answer, the innermost first, and how many environments were looked at.
    fn profiled_stack(&self) -> (Vec<PredId>, usize) {
        let mut stack = Vec::new();
        let (mut cp, mut e) = (self.cp, self.e);
        let mut below = self.choices.len();
        let mut looked = 0;
        while looked < DEEPEST {
            looked += 1;
            if cp <= fixed::STOP {
                // A run that a built-in began: go on where it was begun.
                let outer = self.choices[..below]
                    .iter()
                    .rposition(|choice| matches!(choice.alt, Alt::Barrier));
                let Some(at) = outer else { break };
                below = at;
                (cp, e) = (self.choices[at].cp, self.choices[at].e as usize);
                continue;
            }
            if let Instr::HookReturn { pred } = self.program.code[cp as usize]
                && stack.last() != Some(&pred)
            {
                stack.push(pred);
            }
            (cp, e) = self.caller_of(e);
        }
        (stack, looked)
    }

    /// A hooked predicate is entered while a profile is made.
    pub(super) fn enter_profiled(&mut self, pred: PredId) -> u32 {
        if let Some(profile) = &mut self.profile {
            profile.count(pred);
        }
        let (mut cp, mut e) = (self.cp, self.e);
        while let Instr::HookReturn { pred: waiting } = self.program.code[cp as usize] {
            if waiting == pred {
                return self.program.definition(pred);
            }
            (cp, e) = self.caller_of(e);
        }
        self.allocate(0);
        self.cp = self.program.hook_slots[pred as usize] + 1;
        self.program.definition(pred)
    }
}
