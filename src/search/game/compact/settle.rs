//! Values from the ends backwards, by passes over sorted states.
//!
//! A pass asks for the moves of states again, a batch of them at a time, sorts what they lead to and looks up what
//! is known of it. At first a state gets a label when all that it leads to is final, one part after another: the
//! deepest layers first, or in the order of a measure that falls with moves ([`super::order`]). Where play
//! never comes back to a state this settles all, each layer in one pass if it leads to the next alone.
//! What is left leads to cycles. There a label says what can be forced as far as is known, from
//! nothing on; labels get better until none does.
//!
//! That is what the queue of [`crate::game::retrograde`] finds: what a label says can be forced at any time, so
//! no label ever is better than that; and when none gets better, each state has what its queue gives it, by induction on
//! the order in which states leave it.

use super::batch::{Batch, Changes, Pass};
use super::labels::Mark;
use super::spread::Space;
use super::states::{Bytes, Refused};
use super::team::Team;
use crate::game::interface::Game;
use crate::game::meter::Meter;
use crate::game::value::Value;
use std::cmp::Reverse;
use zug_sorted::{BLOCK, Place};

/// Successors that are looked up together, at least and at most.
const BATCH: (usize, usize) = (1 << 12, 1 << 20);
/// States for each successor of a batch, of all.
const SHARE: u64 = 128;
/// States of layers that are looked for together, at least.
const FEW: u64 = 1 << 12;
/// Of all states, one of so many of layers that are looked for together.
const TOGETHER: u64 = 24;

impl<V: Value, const W: usize> Space<V, W> {
    /// Finds the label of every state. Those without one in the end are worth nothing: nobody can force an end that is
    /// worth more to him.
    pub fn settle<G: Game<Value = V>>(
        &mut self,
        team: &mut Team<'_, G>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Refused> {
        let most = usize::try_from(self.run.len() / SHARE).unwrap_or(usize::MAX);
        let most = most.clamp(BATCH.0, BATCH.1);
        let mut batch = Batch::new(most);
        let mut bytes = Bytes::new(self.run.coding().clone());
        let mut order = self.order(team)?;
        let mut left: u64 = self.open.iter().sum();
        while left > 0 {
            let learns = order.learns();
            let settled = self.settle_layers(team, learns, &mut bytes, &mut batch, meter)?;
            left -= settled;
            let odd = batch.take_odd();
            if (settled == 0 || settled < left / self.progress) && (!learns || odd.is_empty()) {
                break;
            }
            if left > 0 {
                self.reorder(&mut order, odd);
            }
            meter.hold_bytes(self.bytes() + batch.bytes() + order.bytes())?;
        }
        let (mut passes, mut sure, mut is_settled) = (0, 0, left == 0);
        while !is_settled {
            let pass = Pass::Improve { sure };
            let changes = self.improve(team, pass, &mut bytes, &mut batch, meter)?;
            is_settled = changes == Changes::default();
            // After so many passes all that is worth most and as near as that is found. What becomes final is looked for
            // until nothing does.
            passes += 1;
            if sure > 0 || changes.finals == 0 {
                sure = passes;
            }
        }
        Ok(())
    }

    /// Goes over the states without a label, one part after another: how many got one.
    fn settle_layers<G: Game<Value = V>>(
        &mut self,
        team: &mut Team<'_, G>,
        learns: bool,
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Refused> {
        let few = (self.run.len() / TOGETHER).clamp(FEW, u64::from(u32::MAX));
        let (mut settled, mut end) = (0, self.open.len());
        while end > 0 {
            // Parts of few states are looked for together.
            let (mut begin, mut states) = (end - 1, self.open[end - 1]);
            while begin > 0
                && self.run.len() <= u64::from(u32::MAX)
                && states + self.open[begin - 1] <= few
            {
                begin -= 1;
                states += self.open[begin];
            }
            let (layers, before) = (begin..end, settled);
            end = begin;
            if states > few || self.run.len() > u64::from(u32::MAX) {
                settled += self.settle_many(team, begin, bytes, batch, meter)?;
            } else if states > 0 {
                let places = self.places(layers);
                for layer in places.chunk_by(|a, b| a.0 == b.0) {
                    let place = |&(_, rank): &(_, u32)| self.run.place(u64::from(rank));
                    let places: Vec<Place> = layer.iter().map(place).collect();
                    settled += self.settle_few(team, places, bytes, batch, meter)?;
                }
            }
            if learns && batch.has_odd() && 2 * (settled - before) < states {
                // What comes next would wait for what is left here.
                break;
            }
        }
        self.count_open();
        Ok(settled)
    }

    /// The states without a label of some parts, the last part first: by rank.
    fn places(&self, layers: std::ops::Range<usize>) -> Vec<(Reverse<u32>, u32)> {
        let parts = self.labels.parts();
        let (mut places, mut before) = (Vec::new(), 0);
        for segment in &self.run.segments {
            segment.marks.each(|at, mark| {
                let part = parts[mark as usize] as usize;
                if part > layers.start && part <= layers.end {
                    places.push((Reverse(part as u32), before + at as u32));
                }
            });
            before += segment.len() as u32;
        }
        places.sort_unstable();
        places
    }

    /// Settles what there is of a part with many states: how many got a label.
    fn settle_many<G: Game<Value = V>>(
        &mut self,
        team: &mut Team<'_, G>,
        layer: usize,
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Refused> {
        let (mark, all) = (self.labels.layers()[layer], self.open[layer]);
        let mut settled = 0;
        loop {
            let before = settled;
            let mut open = Vec::new();
            for segment in 0..self.run.segments.len() {
                for block in 0..self.run.segments[segment].blocks() {
                    let part = &self.run.segments[segment];
                    let (from, count) = (block * BLOCK, part.block_len(block));
                    if part.marks.has(from, count, mark) {
                        let places = from..from + count;
                        let places = places.filter(|&at| part.marks.get(at) == mark);
                        open.extend(places.map(|at| Place { segment, at }));
                        if open.len() >= team.round() {
                            let places = (Pass::Final, &*open);
                            settled += self.ask_all(team, places, bytes, batch, meter)?.finals;
                            open.clear();
                        }
                    }
                }
            }
            settled += self.ask_all(team, (Pass::Final, &open), bytes, batch, meter)?.finals;
            settled += self.look_up(Pass::Final, batch)?.finals;
            let left = all - settled;
            if left == 0 || settled - before < (left / self.progress).max(1) {
                return Ok(settled);
            }
        }
    }

    /// Settles states of a part: how many got a label.
    fn settle_few<G: Game<Value = V>>(
        &mut self,
        team: &mut Team<'_, G>,
        mut places: Vec<Place>,
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Refused> {
        let mut settled = 0;
        loop {
            let mut found = 0;
            for places in places.chunks(team.round()) {
                found += self.ask_all(team, (Pass::Final, places), bytes, batch, meter)?.finals;
            }
            found += self.look_up(Pass::Final, batch)?.finals;
            settled += found;
            places.retain(|place| {
                let mark = self.run.segments[place.segment].marks.get(place.at);
                matches!(self.labels.mark(mark), Mark::Layer)
            });
            if found < (places.len() as u64 / self.progress).max(1) || places.is_empty() {
                return Ok(settled);
            }
        }
    }

    /// Counts the states of each part that have no label.
    pub(super) fn count_open(&mut self) {
        let parts = self.labels.parts();
        let mut open = vec![0; self.labels.layers().len() + 1];
        for part in &self.run.segments {
            part.marks.each(|_, mark| open[parts[mark as usize] as usize] += 1);
        }
        open.remove(0);
        self.open = open;
    }

    /// Goes over the states whose labels may get better once.
    fn improve<G: Game<Value = V>>(
        &mut self,
        team: &mut Team<'_, G>,
        pass: Pass,
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<Changes, Refused> {
        let (mut changes, mut open) = (Changes::default(), Vec::new());
        let (low, high) = self.labels.extremes();
        for segment in 0..self.run.segments.len() {
            for block in 0..self.run.segments[segment].blocks() {
                let part = &self.run.segments[segment];
                let is_open = |&at: &usize| match (pass, self.labels.mark(part.marks.get(at))) {
                    (_, Mark::Layer) => true,
                    (_, Mark::Label(label)) if label.is_final => false,
                    (Pass::Improve { sure }, Mark::Label(label)) => {
                        label.distance > sure || label.value != low && label.value != high
                    }
                    (Pass::Final, Mark::Label(_)) => false,
                };
                let from = block * BLOCK;
                let all = from..from + part.block_len(block);
                open.extend(all.filter(is_open).map(|at| Place { segment, at }));
                if open.len() >= team.round() {
                    changes += self.ask_all(team, (pass, &open), bytes, batch, meter)?;
                    open.clear();
                }
            }
        }
        changes += self.ask_all(team, (pass, &open), bytes, batch, meter)?;
        changes += self.look_up(pass, batch)?;
        Ok(changes)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.run.bytes() + self.labels.bytes()
    }
}
