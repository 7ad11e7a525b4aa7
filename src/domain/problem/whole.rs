//! Numbers for the states of a puzzle whose moves permute the leaves, by which a whole space is kept in bits.

use super::{PuzzleCore, RuleProblem};
use crate::Packed;
use crate::contract::indicator::RULE;
use crate::error::RuleError;
use std::num::NonZeroUsize;
use zug_code::Specialise;
use zug_derived::whole::{Ended, WalkLimits, WholeSpace};
use zug_search::{Numbered, NumberedWalk, Reachable, Walked};
use zug_state::{PackedState, RuleCost};

/// One step of making the code that operators are read from, for so many states.
const SHARE: usize = 4;
/// States that a comparison is worth at least.
const FOR_COMPARISON: usize = 1 << 20;
/// States for which it pays to start another thread.
const FOR_THREAD: u64 = 1 << 18;

/// The numbers of the states that a start may lead to, once they were looked for.
#[derive(Default)]
pub(super) enum Numbers {
    #[default]
    Unknown,
    /// There are none.
    Missing,
    Found(Box<WholeSpace>),
}

impl PuzzleCore<'_> {
    /// The numbers of the states that a start may lead to, of one start for each problem, with work that so
    /// many states are worth.
    pub(super) fn numbers(&mut self, start: &[u8], states: usize) -> Option<NumberedStates<'_>> {
        if matches!(self.numbers, Numbers::Unknown) {
            self.numbers = self.find_numbers(start, states);
        }
        let shape = *start.first()?;
        match &self.numbers {
            Numbers::Found(space) => Some(NumberedStates { space, shape }),
            Numbers::Unknown | Numbers::Missing => None,
        }
    }

    fn find_numbers(&mut self, start: &[u8], states: usize) -> Numbers {
        let Some(leaves) = start.get(1..) else { return Numbers::Missing };
        if self.engine_code() == Specialise::Off
            || self.watching.is_some()
            || !WholeSpace::may_be(leaves)
        {
            return Numbers::Missing;
        }
        let asker = (&mut *self.machine, &mut *self.world, &mut self.kit.codec);
        let steps = (states / SHARE) as u64;
        let Ok(operators) = self.kit.units.operators(
            (self.kit.code.rule, None),
            (&Packed::new(start), &[]),
            asker,
            steps,
        ) else {
            // There may be with more steps.
            return Numbers::Unknown;
        };
        // Leaves of more than a byte are packed otherwise.
        let found = (leaves.len() == operators.leaves())
            .then(|| WholeSpace::of(&operators, leaves).ok())
            .flatten();
        found.map_or(Numbers::Missing, |found| Numbers::Found(Box::new(found)))
    }
}

impl<C: RuleCost, S: PackedState> RuleProblem<'_, C, S> {
    /// Compares a space that is complete to what numbers of its states come to, if they have some and there is
    /// memory for that.
    ///
    /// # Errors
    /// They differ.
    pub(crate) fn compare_by_numbers(
        &mut self,
        start: &S,
        found: &Reachable<S>,
        memory: Option<usize>,
    ) -> Result<(), Box<RuleError>> {
        let states = usize::try_from(found.total()).unwrap_or(usize::MAX).max(FOR_COMPARISON);
        let Some(mut numbered) = self.core.numbers(start.bytes(), states) else { return Ok(()) };
        if memory.is_some_and(|memory| numbered.space.bytes() > memory) {
            return Ok(());
        }
        let walk: Option<NumberedWalk<S>> = numbered.walk(u32::MAX, &mut |_| true);
        let agree = walk.is_none_or(|walk| {
            (&walk.by_depth, walk.terminal) == (&found.by_depth, found.terminal)
                && (walk.walked.expanded, walk.walked.generated)
                    == (found.stats.expanded, found.stats.generated)
        });
        self.core.must_agree(agree, RULE, start.bytes())
    }
}

/// States of one shape by number.
pub(super) struct NumberedStates<'p> {
    space: &'p WholeSpace,
    shape: u8,
}

impl<S: PackedState> Numbered<S> for NumberedStates<'_> {
    fn states(&self) -> u64 {
        self.space.states()
    }

    fn bytes(&self) -> usize {
        self.space.bytes()
    }

    fn walk(
        &mut self,
        most_depth: u32,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Option<NumberedWalk<S>> {
        let worth = usize::try_from(1 + self.space.states() / FOR_THREAD).unwrap_or(usize::MAX);
        let limits = WalkLimits { depth: most_depth, threads: processors().min(worth) };
        let told = |walked: zug_derived::whole::Walked| Walked {
            expanded: walked.expanded,
            generated: walked.generated,
            depth: walked.depth,
        };
        let walk = self.space.walk(limits, &mut |walked| watch(&told(walked)))?;
        let packed = |leaves: Vec<u8>| S::from_bytes(&[&[self.shape], &leaves[..]].concat());
        Some(NumberedWalk {
            by_depth: walk.by_depth,
            deepest: walk.deepest.into_iter().map(packed).collect::<Option<_>>()?,
            terminal: walk.terminal,
            walked: told(walk.walked),
            cut: walk.ended == Ended::Depth,
        })
    }
}

/// How many processors there are.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
