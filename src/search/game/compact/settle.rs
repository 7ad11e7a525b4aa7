//! Values from the ends backwards, by passes over sorted states.
//!
//! A pass asks for the moves of states again, a batch of them at a time, sorts what they lead to and looks up what
//! is known of it. At first a state gets a label when all that it leads to is final, the deepest layers first: where
//! play never comes back to a state this settles all, each layer in one pass if it leads to the next alone.
//! What is left leads to cycles. There a label says what can be forced as far as is known, from
//! nothing on; labels get better until none does.
//!
//! That is what the queue of [`crate::game::retrograde`] finds: what a label says can be forced at any time, so
//! no label ever is better than that; and when none gets better, each state has what its queue gives it, by induction on
//! the order in which states leave it.

use super::labels::{Label, Mark, prefer};
use super::spread::{Bytes, Refused, Space, moves};
use crate::game::interface::{Game, Player};
use crate::game::meter::Meter;
use crate::game::value::Value;
use zug_sorted::{BLOCK, Number, Place};

/// Successors that are looked up together, at least and at most.
const BATCH: (usize, usize) = (1 << 12, 1 << 20);
/// States for each successor of a batch, of all.
const SHARE: u64 = 64;
/// States of layers that are looked for together, at least.
const FEW: u64 = 1 << 12;
/// The part of the open states that a pass has to settle, or the rest is taken for cyclic.
const PROGRESS: u64 = 16;

/// A state whose moves were asked for.
struct Parent<V> {
    place: Place,
    player: Player,
    /// The best outcome so far: value to the first player and distance.
    best: Option<(V, u32)>,
    is_final: bool,
}

/// States with what they lead to, until it is looked up.
struct Batch<V, const W: usize> {
    parents: Vec<Parent<V>>,
    successors: Vec<(Number<W>, u32)>,
    most: usize,
}

/// Which labels a state may get.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Final ones alone, where it leads to such alone.
    Final,
    /// Better ones.
    Improve {
        /// Labels of what is worth most and no farther than this are passed over.
        sure: u32,
    },
}

/// What a pass changed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Changes {
    labels: u64,
    /// Labels that became final.
    finals: u64,
}

impl std::ops::AddAssign for Changes {
    fn add_assign(&mut self, other: Self) {
        self.labels += other.labels;
        self.finals += other.finals;
    }
}

impl<V: Value, const W: usize> Space<V, W> {
    /// Finds the label of every state. Those without one in the end are worth nothing: nobody can force an end that is
    /// worth more to him.
    pub fn settle<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        meter: &mut Meter<'_>,
    ) -> Result<(), Refused<G::Error>> {
        let most = usize::try_from(self.run.len() / SHARE).unwrap_or(usize::MAX);
        let most = most.clamp(BATCH.0, BATCH.1);
        let successors = Vec::with_capacity(most);
        let mut batch = Batch { parents: Vec::new(), successors, most };
        let mut bytes = Bytes::new(self.run.coding().clone());
        let mut left: u64 = self.open.iter().sum();
        while left > 0 {
            let settled = self.settle_layers(game, &mut bytes, &mut batch, meter)?;
            left -= settled;
            if settled == 0 || settled < left / PROGRESS {
                break;
            }
        }
        let (mut passes, mut sure) = (0, 0);
        while left > 0 {
            let pass = Pass::Improve { sure };
            let changes = self.improve(game, pass, &mut bytes, &mut batch, meter)?;
            if changes == Changes::default() {
                break;
            }
            // After so many passes all that is worth most and as near as that is found. What becomes final is looked for
            // until nothing does.
            passes += 1;
            if sure > 0 || changes.finals == 0 {
                sure = passes;
            }
        }
        Ok(())
    }

    /// Goes over the states without a label once, the deepest layers first: how many got one.
    fn settle_layers<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Refused<G::Error>> {
        let few = (self.run.len() / SHARE).max(FEW);
        let (mut settled, mut end) = (0, self.open.len());
        while end > 0 {
            // Layers of few states are looked for together.
            let (mut begin, mut states) = (end, 0);
            while begin > 0 && (begin == end || states + self.open[begin - 1] <= few) {
                begin -= 1;
                states += self.open[begin];
            }
            let marks = self.labels.layers()[begin..end].to_vec();
            let mut places = Vec::new();
            for segment in (0..self.run.segments.len()).filter(|_| states > 0) {
                for block in 0..self.run.segments[segment].blocks() {
                    let part = &self.run.segments[segment].marks;
                    let from = block * BLOCK;
                    let found = from..from + self.run.segments[segment].block_len(block);
                    if let [mark] = marks[..] {
                        if !part.has(from, found.len(), mark) {
                            continue;
                        }
                        let open: Vec<usize> = found.filter(|&at| part.get(at) == mark).collect();
                        self.ask(game, (segment, block), &open, bytes, batch, meter)?;
                        settled += self.look_up_many(Pass::Final, batch, meter)?.finals;
                    } else {
                        places.extend(found.filter_map(|at| {
                            let layer = marks.binary_search(&part.get(at)).ok()?;
                            Some((usize::MAX - layer, segment, at))
                        }));
                    }
                }
            }
            settled += self.look_up(Pass::Final, batch).finals;
            places.sort_unstable();
            for layer in places.chunk_by(|a, b| a.0 == b.0) {
                let block_of = |place: &(usize, usize, usize)| (place.1, place.2 / BLOCK);
                for block in layer.chunk_by(|a, b| block_of(a) == block_of(b)) {
                    let open: Vec<usize> = block.iter().map(|place| place.2).collect();
                    self.ask(game, block_of(&block[0]), &open, bytes, batch, meter)?;
                    settled += self.look_up_many(Pass::Final, batch, meter)?.finals;
                }
                settled += self.look_up(Pass::Final, batch).finals;
            }
            end = begin;
        }
        self.count_open();
        Ok(settled)
    }

    /// Counts the states of each layer that have no label.
    fn count_open(&mut self) {
        self.open.fill(0);
        let layers = self.labels.layers();
        for part in &self.run.segments {
            for at in 0..part.len() {
                if let Ok(layer) = layers.binary_search(&part.marks.get(at)) {
                    self.open[layer] += 1;
                }
            }
        }
    }

    /// Goes over the states whose labels may get better once.
    fn improve<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        pass: Pass,
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<Changes, Refused<G::Error>> {
        let mut changes = Changes::default();
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
                let open: Vec<usize> = all.filter(is_open).collect();
                self.ask(game, (segment, block), &open, bytes, batch, meter)?;
                changes += self.look_up_many(pass, batch, meter)?;
            }
        }
        changes += self.look_up(pass, batch);
        Ok(changes)
    }

    /// Asks for the moves of states of a block, by their places in its segment.
    fn ask<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        (segment, block): (usize, usize),
        open: &[usize],
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Refused<G::Error>> {
        let (Some(&last), coding) = (open.last(), self.run.coding().clone()) else { return Ok(()) };
        let mut numbers = [Number::ZERO; BLOCK];
        let numbers = &mut numbers[..=last - block * BLOCK];
        self.run.segments[segment].read(block, numbers);
        let mut found = Vec::new();
        for &at in open {
            meter.poll()?;
            let state: G::State = bytes.state(game, &coding, numbers[at - block * BLOCK])?;
            let parent = batch.parents.len() as u32;
            let (place, player) = (Place { segment, at }, game.player(&state));
            batch.parents.push(Parent { place, player, best: None, is_final: true });
            moves(game, &state, &mut found)?;
            for (_, successor) in &found {
                let number = bytes.number(game, successor).ok_or(Refused::Unfit)?;
                batch.successors.push((number, parent));
            }
        }
        Ok(())
    }

    /// As [`Space::look_up`], if the batch is full.
    fn look_up_many<E>(
        &mut self,
        pass: Pass,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<Changes, Refused<E>> {
        if batch.successors.len() < batch.most {
            return Ok(Changes::default());
        }
        meter.hold_bytes(self.bytes() + batch.bytes())?;
        Ok(self.look_up(pass, batch))
    }

    /// Finds the labels of the states of a batch.
    fn look_up(&mut self, pass: Pass, batch: &mut Batch<V, W>) -> Changes {
        batch.successors.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut finder = self.run.finder();
        let mut last = (Number::ZERO, None);
        for (number, parent) in batch.successors.drain(..) {
            let label = match last {
                (same, Some(label)) if same == number => label,
                _ => {
                    let place = finder.find(number);
                    let mark = place.map(|at| self.run.segments[at.segment].marks.get(at.at));
                    mark.map_or(Label::UNKNOWN, |mark| self.labels.label(mark))
                }
            };
            last = (number, Some(label));
            let parent = &mut batch.parents[parent as usize];
            parent.is_final &= label.is_final;
            let outcome = (label.value, label.distance);
            let better = |best| prefer(parent.player, outcome, best).is_gt();
            if parent.best.is_none_or(better) {
                parent.best = Some(outcome);
            }
        }
        let mut changed = Changes::default();
        for parent in batch.parents.drain(..) {
            let Some((value, distance)) = parent.best else { continue };
            let label = Label::before(value, distance, parent.is_final);
            let improves = matches!(pass, Pass::Improve { .. }) && value != V::ZERO;
            if !label.is_final && !improves {
                continue;
            }
            let Place { segment, at } = parent.place;
            let number = self.labels.number(label);
            let marks = &mut self.run.segments[segment].marks;
            if marks.get(at) != number {
                marks.set(at, number);
                changed += Changes { labels: 1, finals: u64::from(label.is_final) };
            }
        }
        changed
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.run.bytes() + self.labels.bytes()
    }
}

impl<V, const W: usize> Batch<V, W> {
    fn bytes(&self) -> usize {
        self.parents.capacity() * size_of::<Parent<V>>()
            + self.successors.capacity() * size_of::<(Number<W>, u32)>()
    }
}
