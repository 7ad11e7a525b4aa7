//! Asking code about a state, and having it made where there is none.

use super::unit::{At, State};
use super::{Asked, Asker, Bytes, Units, stamp};
use crate::called::{Rules, Unanswered};
use crate::costs::{SEEN, WARM, WARM_FIRST};
use crate::deopt::DeoptCause;
use crate::frame::{Narrow, Reply};
use crate::mode::Specialise;
use crate::moves::{HEAD, Visit};
use crate::tally::Lost;
use crate::target::CALLED;
use std::time::Instant;
use zug_state::{Codec, PackedState};

impl Units {
    /// Asks code about a packed state. `visit` gets the moves.
    #[inline]
    pub fn ask<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        (m, w, codec): Asker<'_>,
        visit: impl FnMut(&mut Visit<'_>) -> bool,
    ) -> Asked {
        self.ask_bytes(target, (packed.bytes(), packed.room()), (m, w, codec), visit)
    }

    /// Asks code for an answer that is no move, about a state's bytes without and with the room behind them; compiled
    /// once for all forms of states.
    pub fn answer(&mut self, target: usize, packed: Bytes<'_>, asker: Asker<'_>) -> Asked {
        self.ask_bytes(target, packed, asker, |_| false)
    }

    #[inline]
    fn ask_bytes(
        &mut self,
        target: usize,
        packed: Bytes<'_>,
        (m, w, codec): Asker<'_>,
        visit: impl FnMut(&mut Visit<'_>) -> bool,
    ) -> Asked {
        if self.mode == Specialise::Off {
            return Asked::Machine;
        }
        self.refresh(codec);
        if let Some(at) = self.unfolds.take() {
            self.unfold(at, (&mut *m, &mut *w, &mut *codec));
        }
        self.settle(m);
        let asked = self.try_code(target, packed, (&mut *m, w, codec), visit);
        match asked {
            Asked::Answered(_) => self.counts.answered(target, 1),
            Asked::Machine => {
                if let Some(shape) = Codec::shape_of(&packed.0[self.layout.before - 1..]) {
                    self.by_machine(target, shape, m);
                }
            }
        }
        asked
    }

    // PERF: asked several times for each node of a search.
    #[inline(always)]
    fn try_code(
        &mut self,
        target: usize,
        packed: Bytes<'_>,
        (m, w, codec): Asker<'_>,
        mut visit: impl FnMut(&mut Visit<'_>) -> bool,
    ) -> Asked {
        let (_, leaves) = packed.0.split_at(self.layout.before);
        let Some(shape) = Codec::shape_of(&packed.0[self.layout.before - 1..]) else {
            self.counts.lost(target, Lost::Shapes);
            return Asked::Machine;
        };
        if stamp(m) != self.stamp {
            self.forget(m);
        }
        let at = (target, shape);
        let Some((compiled, runs)) = self.units.ready(at) else {
            self.without_code(at, leaves, (m, w, codec));
            return Asked::Machine;
        };
        *runs += 1;
        if compiled.is_folded() {
            return self.ask_folded(at, packed, (m, codec), &mut visit);
        }
        let room = with_room(packed, 8 * compiled.code.words(), &mut self.room);
        let Some(is_narrow) = compiled.code.load(leaves, &mut self.frame, codec) else {
            let why = DeoptCause::of_leaves(&compiled.code);
            return self.deoptimise(at, why, leaves, codec);
        };
        let narrow = is_narrow.then_some(Narrow { room, leaves });
        if codec.has_variables() && !compiled.allows(narrow.map(|state| state.leaves), &self.frame)
        {
            return self.deoptimise(at, DeoptCause::New, leaves, codec);
        }
        let ended = compiled.code.run(narrow, &mut self.frame);
        if let Reply::Deopt(reason) = ended {
            return self.deoptimise(at, DeoptCause::Asked(reason), leaves, codec);
        }
        if compiled.code.has_calls() {
            let done = self.each_answer(
                (at, is_narrow.then_some(leaves), self.layout.before),
                &mut Rules { m, w, codec },
                0,
                &mut visit,
            );
            return match done {
                Ok(()) => Asked::Answered(ended),
                Err(Unanswered::Deopt) => {
                    self.deoptimise(at, DeoptCause::Asked(None), leaves, codec)
                }
                Err(Unanswered::Callee(callee)) => self.not_called(at, callee),
            };
        }
        let told = compiled.code.epoch() == Some(self.epoch);
        let source = compiled.code.source(narrow, &self.frame);
        let mut read = HEAD;
        while read < source.exit.len() {
            let (mut found, next) = source.read(read, told, &mut compiled.labels, &mut self.bytes);
            if !visit(&mut found) {
                return self.deoptimise(at, DeoptCause::Asked(None), leaves, codec);
            }
            read = next;
        }
        if compiled.code.is_due() {
            self.look(at, m);
        }
        Asked::Answered(ended)
    }

    /// A question for which there is no code: makes it if it is time to.
    #[cold]
    pub(crate) fn without_code(&mut self, at: At, leaves: &[u8], (m, w, codec): Asker<'_>) {
        self.cool();
        let unit = self.units.entry(at, codec);
        unit.asked = unit.asked.saturating_add(1);
        let is_cold = matches!(unit.state, State::Cold);
        if is_cold && self.holder.is_some() && self.take_down(at, m, codec) {
            self.counts.lost(at.0, Lost::First);
            return;
        }
        let is_only = self.units.of(at.0).nth(1).is_none();
        let Some(unit) = self.units.get_mut(at) else { return };
        if let State::Cold = unit.state {
            // PERF: tries are rare, as where there is no code all questions come here.
            let is_due = unit.asked.is_power_of_two() || unit.asked.is_multiple_of(SEEN);
            if is_due || unit.asked < SEEN {
                unit.see(leaves, codec, &mut self.frame);
            }
            let asked = unit.asked;
            let is_called = self.targets[at.0].indicator == CALLED;
            let is_first = asked >= WARM_FIRST && is_only;
            if is_due && (asked >= WARM || is_first || is_called) {
                let began = Instant::now();
                self.make(at, m, w, codec);
                self.counts.making += began.elapsed();
            }
        } else if let State::Waiting(_) = unit.state
            && unit.asked.is_multiple_of(SEEN)
        {
            self.compile_waiting(at, m);
        }
        if let Some(unit) = self.units.get(at) {
            self.counts.lost(at.0, unit.why());
        }
    }
}

/// The bytes of a state with at least N in all, zeros behind its own: copied if it lacks them.
#[inline]
pub fn with_room<'r>((bytes, room): Bytes<'r>, size: usize, to: &'r mut Vec<u8>) -> &'r [u8] {
    if room.len() >= size {
        return room;
    }
    to.clear();
    to.extend_from_slice(bytes);
    to.resize(size, 0);
    to
}
