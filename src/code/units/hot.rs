//! What a long search asks again and again, the short way.

use super::unit::{At, Compiled};
use super::{Units, stamp};
use crate::code::{Layout, Sum};
use crate::frame::Narrow;
use crate::mode::Specialise;
use crate::moves::Plain;
use crate::tally::Counts;
use std::sync::Arc;
use std::time::Instant;
use zug_machine::Machine;
use zug_state::{Codec, PackedState};

/// Queries that a long search repeats, with their checks done, valid until another query or a change.
#[derive(Default)]
pub(super) struct Hot {
    /// Code answers moves, all put down alike; whether it tells differences of the value.
    moves: Option<(Asking, bool)>,
    /// A word that a goal asks for: which one, the bits of it, and what they must be.
    goal: Option<(Asking, (usize, u64, u64))>,
}

impl Hot {
    fn asked(&self) -> impl Iterator<Item = &Asking> {
        let moves = self.moves.iter().map(|(asked, _)| asked);
        moves.chain(self.goal.iter().map(|(asked, _)| asked))
    }
}

struct Asking {
    target: usize,
    shape: u8,
    length: usize,
    times: u64,
}

impl Asking {
    #[inline(always)]
    fn is<S: PackedState>(&self, target: usize, packed: &S, layout: Layout) -> bool {
        let bytes = packed.bytes();
        let shape = layout.before.checked_sub(1).and_then(|at| bytes.get(at));
        self.target == target && bytes.len() == self.length && shape == Some(&self.shape)
    }
}

impl Units {
    /// Forgets what is asked again and again, as something it takes for granted may change.
    pub(crate) fn cool(&mut self) {
        let hot = std::mem::take(&mut self.hot);
        for &Asking { target, shape, times, .. } in hot.asked() {
            if let Some(unit) = self.units.get_mut((target, shape)) {
                unit.runs += times;
            }
            self.counts.answered(target, times);
        }
    }

    /// What answered questions so far.
    pub fn counts(&self) -> Counts {
        let mut counts = self.counts.clone();
        self.hot.asked().for_each(|asked| counts.answered(asked.target, asked.times));
        counts
    }

    /// Work of the machine that answers of code have saved so far.
    pub(crate) fn saved(&self) -> u64 {
        let counted = self.counts.tallies.iter().enumerate();
        let counted = counted.map(|(target, tally)| tally.by_code() * self.saves(target));
        let hot = self.hot.asked().map(|asked| asked.times * self.saves(asked.target));
        counted.chain(hot).sum()
    }

    /// The moves from a state, where code puts them all down alike; `None` if it does not, and
    /// [`Units::ask`] is to be asked. `told`: only if it tells by how much the value differs.
    // PERF: the way of nearly all questions of a long search; everything else is for `ask`.
    #[inline(always)]
    pub fn plain_moves<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &Codec,
        told: bool,
    ) -> Option<Plain<'_>> {
        self.refresh(codec);
        let layout = self.layout;
        match &mut self.hot.moves {
            Some((asked, tells))
                if asked.is(target, packed, layout)
                    && (*tells || !told)
                    && stamp(m) == self.stamp
                    && codec.is_plain() =>
            {
                let (compiled, _) = self.units.ready((target, asked.shape))?;
                let state =
                    Narrow { room: packed.room(), leaves: &packed.bytes()[layout.before..] };
                let rest = compiled.code.moves(state, &mut self.frame)?;
                asked.times += 1;
                Some(Plain { labels: &compiled.labels, rest, told: *tells })
            }
            _ => self.find_moves(target, packed, m, codec, told),
        }
    }

    /// As [`Units::plain_moves`], the long way.
    #[inline(never)]
    fn find_moves<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &Codec,
        told: bool,
    ) -> Option<Plain<'_>> {
        if S::WORDS == 0 {
            return None;
        }
        let (shape, state) = self.narrow(packed, m, codec)?;
        let code = &self.ready((target, shape), state)?.code;
        if code.epoch() != Some(self.epoch) {
            if self.sum((target, shape)).is_some_and(|sum| code.hears(sum)) {
                self.tell((target, shape));
            }
            if told && self.ready((target, shape), state)?.code.epoch() != Some(self.epoch) {
                return None;
            }
        }
        let epoch = self.epoch;
        let (compiled, runs) = self.units.ready((target, shape))?;
        if !compiled.kept_all || !compiled.code.is_uniform() {
            return None;
        }
        let rest = compiled.code.moves(state, &mut self.frame)?;
        *runs += 1;
        self.counts.answered(target, 1);
        let told = compiled.code.epoch() == Some(epoch);
        if self.hot.moves.is_none() {
            let length = packed.bytes().len();
            self.hot.moves = Some((Asking { target, shape, length, times: 0 }, told));
        }
        Some(Plain { labels: &compiled.labels, rest, told })
    }

    /// A narrow state without variables, with its shape; `None` if code is not to be asked as things are.
    #[inline(always)]
    fn narrow<'s, S: PackedState>(
        &self,
        packed: &'s S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<(u8, Narrow<'s>)> {
        if self.mode == Specialise::Off || stamp(m) != self.stamp || !codec.is_plain() {
            return None;
        }
        let (before, leaves) = packed.bytes().split_at_checked(self.layout.before)?;
        let room = packed.room();
        let shape = *before.last()?;
        (room.len() >= 8 * self.layout.words).then_some((shape, Narrow { room, leaves }))
    }

    /// The code for states of a shape, if there is some for N leaves.
    #[inline(always)]
    fn ready(&self, at: At, state: Narrow<'_>) -> Option<&Compiled> {
        let compiled = self.units.compiled(at)?;
        let fits = state.leaves.len() == compiled.code.code().leaves
            && state.room.len() >= 8 * compiled.code.words();
        fits.then_some(compiled)
    }

    /// Whether a state matches a predicate that asks single leaves; `None` if it asks more, or code can't tell.
    #[inline(always)]
    pub fn matches<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<bool> {
        self.refresh(codec);
        // PERF: the first word nearly always says no.
        if let Some((asked, (at, mask, value))) = &mut self.hot.goal
            && asked.is(target, packed, self.layout)
            && stamp(m) == self.stamp
            && codec.is_plain()
            && let Some(word) = packed.room().as_chunks().0.get(*at)
            && u64::from_le_bytes(*word) & *mask != *value
        {
            asked.times += 1;
            return Some(false);
        }
        self.find_match(target, packed, m, codec)
    }

    /// As [`Units::matches`], the long way.
    #[inline(never)]
    fn find_match<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<bool> {
        let (shape, state) = self.narrow(packed, m, codec)?;
        let code = &self.ready((target, shape), state)?.code;
        let holds = code.matches(state)?;
        let first = code.first_word().filter(|&(at, ..)| at < self.layout.words);
        if self.hot.goal.is_none() {
            let length = packed.bytes().len();
            self.hot.goal = first.map(|first| (Asking { target, shape, length, times: 0 }, first));
        }
        if let Some(unit) = self.units.get_mut((target, shape)) {
            unit.runs += 1;
        }
        self.counts.answered(target, 1);
        Some(holds)
    }

    /// The value after a move; `None` if code can't tell from the difference.
    #[inline]
    pub fn value_after<S: PackedState>(
        &mut self,
        target: usize,
        (before, value): (&S, i64),
        after: &S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<i64> {
        if self.mode == Specialise::Off || stamp(m) != self.stamp || codec.has_boxed() {
            return None;
        }
        self.refresh(codec);
        let first = self.layout.before;
        let shape = *before.bytes().get(first.checked_sub(1)?)?;
        let compiled = self.units.compiled((target, shape))?;
        if compiled.any_unbound || !compiled.kept_all {
            return None;
        }
        let value = compiled.code.code().value_after(first, before, value, after)?;
        self.counts.answered(target, 1);
        Some(value)
    }

    /// Makes native code for a shape, or takes what another thread has made; whether it made some.
    #[cold]
    pub(super) fn make_native(&mut self, at: At) -> bool {
        let began = Instant::now();
        self.tell(at);
        let mut is_made = false;
        if let Some((compiled, _)) = self.units.ready(at) {
            is_made = compiled.code.make_native();
        }
        self.counts.making += began.elapsed();
        is_made
    }

    /// Tells code by which sum to keep the value up to date, if it is not too late.
    #[inline(never)]
    fn tell(&mut self, at: At) {
        self.cool();
        let sum = self.sum(at).cloned();
        let epoch = self.epoch;
        if let Some((compiled, _)) = self.units.ready(at) {
            compiled.code.tell(sum, epoch);
        }
    }

    /// The sum by which the value behind the moves of a target can be kept up to date.
    fn sum(&self, at: At) -> Option<&Arc<Sum>> {
        let value = self.value.filter(|&value| value != at.0)?;
        let compiled = self.units.compiled((value, at.1))?;
        let is_sure = !compiled.any_unbound && compiled.kept_all;
        compiled.code.code().sum.as_ref().filter(|_| is_sure)
    }
}
