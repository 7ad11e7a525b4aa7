//! States whose moves are asked for, and what they lead to, looked up together.

use super::labels::{Label, Mark, prefer};
use super::spread::Space;
use super::states::{Bytes, Refused, moves};
use super::team::Team;
use crate::game::interface::{Game, Player};
use crate::game::meter::Meter;
use crate::game::value::Value;
use zug_sorted::{BLOCK, Number, Place};

/// A state whose moves were asked for.
struct Parent<V> {
    place: Place,
    player: Player,
    mark: u32,
    /// The best outcome so far: value to the first player and distance.
    best: Option<(V, u32)>,
    is_final: bool,
}

/// States with what they lead to, until it is looked up.
pub(super) struct Batch<V, const W: usize> {
    parents: Vec<Parent<V>>,
    successors: Vec<(Number<W>, u32)>,
    most: usize,
    /// Moves of states without a label to others whose part comes later, some of them.
    odd: Vec<(Place, Number<W>)>,
    /// One in so many is kept, and so many were met.
    odd_stride: usize,
    odd_met: usize,
}

/// States whose moves one of several threads asks for in one go, at most.
const PART: usize = 1 << 14;
/// Fewer states are asked about by one thread.
const FEW: usize = 1 << 8;

/// What one of several threads has found out.
struct Told<V, const W: usize> {
    parents: Vec<Parent<V>>,
    /// Moves of states without a label to others whose part comes later.
    odd: Vec<(Place, Number<W>)>,
}

/// Which labels a state may get.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// Final ones alone, where it leads to such alone.
    Final,
    /// Better ones.
    Improve {
        /// Labels of what is worth most and no farther than this are passed over.
        sure: u32,
    },
}

/// Moves to a part that comes later that are kept at most.
const MOST_ODD: usize = 1 << 12;

/// What a pass changed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Changes {
    pub labels: u64,
    /// Labels that became final.
    pub finals: u64,
}

impl std::ops::AddAssign for Changes {
    fn add_assign(&mut self, other: Self) {
        self.labels += other.labels;
        self.finals += other.finals;
    }
}

impl<V, const W: usize> Batch<V, W> {
    /// A batch of so many successors.
    pub fn new(most: usize) -> Self {
        let successors = Vec::with_capacity(most);
        let (parents, odd) = (Vec::new(), Vec::new());
        Self { parents, successors, most, odd, odd_stride: 1, odd_met: 0 }
    }

    /// Moves of states without a label to others whose part comes later, some of them.
    pub fn take_odd(&mut self) -> Vec<(Place, Number<W>)> {
        (self.odd_stride, self.odd_met) = (1, 0);
        std::mem::take(&mut self.odd)
    }

    /// Whether there are such.
    pub fn has_odd(&self) -> bool {
        !self.odd.is_empty()
    }

    fn keep_odd(&mut self, place: Place, number: Number<W>) {
        self.odd_met += 1;
        if self.odd_met.is_multiple_of(self.odd_stride) {
            self.odd.push((place, number));
        }
        if self.odd.len() > MOST_ODD {
            let mut keep = false;
            self.odd.retain(|_| {
                keep = !keep;
                keep
            });
            self.odd_stride *= 2;
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.parents.capacity() * size_of::<Parent<V>>()
            + self.odd.capacity() * size_of::<(Place, Number<W>)>()
            + self.successors.capacity() * size_of::<(Number<W>, u32)>()
    }
}

impl<V: Value, const W: usize> Space<V, W> {
    /// Asks for the moves of states of one block.
    fn ask<G: Game<Value = V>>(
        &mut self,
        game: &mut G,
        open: &[Place],
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Refused> {
        let Some(&Place { segment, at }) = open.last() else { return Ok(()) };
        let (block, coding) = (at / BLOCK, self.run.coding().clone());
        let mut numbers = [Number::ZERO; BLOCK];
        let numbers = &mut numbers[..=at % BLOCK];
        self.run.segments[segment].read(block, numbers);
        let mut found = Vec::new();
        for &place in open {
            meter.poll()?;
            let state: G::State = bytes.state(&coding, numbers[place.at % BLOCK])?;
            let (parent, player) = (batch.parents.len() as u32, game.player(&state));
            let mark = self.run.segments[place.segment].marks.get(place.at);
            batch.parents.push(Parent { place, player, mark, best: None, is_final: true });
            moves(game, &state, &mut found)?;
            for (_, successor) in &found {
                let number = bytes.number(successor).ok_or(Refused::Unfit)?;
                batch.successors.push((number, parent));
            }
        }
        Ok(())
    }

    /// Asks for the moves of states, which are in order, and looks up what they lead to when the batch is full.
    pub(super) fn ask_all<G: Game<Value = V>>(
        &mut self,
        team: &mut Team<'_, G>,
        (pass, places): (Pass, &[Place]),
        bytes: &mut Bytes<W>,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<Changes, Refused> {
        let mut changes = Changes::default();
        if team.crew.is_alone() {
            let block_of = |place: &Place| (place.segment, place.at / BLOCK);
            for block in places.chunk_by(|a, b| block_of(a) == block_of(b)) {
                self.ask(team.game, block, bytes, batch, meter)?;
                changes += self.look_up_many(pass, batch, meter)?;
            }
            return Ok(changes);
        }
        meter.hold_bytes(self.bytes() + batch.bytes())?;
        let space = &*self;
        // What is looked up together lies near together: the fewer parts, the better.
        let parts = match places.len() {
            ..FEW => 1,
            many => many.div_ceil(PART).max(2 * team.crew.threads()),
        };
        let part = places.len().div_ceil(parts).max(1);
        let work = |game: &mut G, at: usize| {
            let from = places.len().min(at * part);
            space.tell(game, pass, &places[from..places.len().min(from + part)])
        };
        let told = team.crew.map(team.game, parts, work, || Ok(meter.poll()?))?;
        for Told { mut parents, odd } in told {
            odd.into_iter().for_each(|(place, number)| batch.keep_odd(place, number));
            changes += self.settle_parents(pass, &mut parents);
        }
        Ok(changes)
    }

    /// What is known of states, which are in order, by what they lead to: as one of several threads finds out.
    fn tell<G: Game<Value = V>>(
        &self,
        game: &mut G,
        pass: Pass,
        places: &[Place],
    ) -> Result<Told<V, W>, Refused> {
        let coding = self.run.coding();
        let mut bytes = Bytes::new(coding.clone());
        let (mut parents, mut successors) = (Vec::with_capacity(places.len()), Vec::new());
        let (mut found, mut read, mut numbers) = (Vec::new(), None, [Number::ZERO; BLOCK]);
        for (&place, parent) in places.iter().zip(0..) {
            let Place { segment, at } = place;
            let part = &self.run.segments[segment];
            if read.replace((segment, at / BLOCK)) != Some((segment, at / BLOCK)) {
                part.read(at / BLOCK, &mut numbers[..part.block_len(at / BLOCK)]);
            }
            let state: G::State = bytes.state(coding, numbers[at % BLOCK])?;
            game.meet(&state);
            moves(game, &state, &mut found)?;
            for (_, successor) in &found {
                let number = bytes.number(successor).ok_or(Refused::Unfit)?;
                successors.push((number, parent));
            }
            let (player, mark) = (game.player(&state), part.marks.get(at));
            parents.push(Parent { place, player, mark, best: None, is_final: true });
        }
        let odd = self.judge(pass, &mut parents, &mut successors)?;
        Ok(Told { parents, odd })
    }

    /// As [`Space::look_up`], if the batch is full.
    fn look_up_many(
        &mut self,
        pass: Pass,
        batch: &mut Batch<V, W>,
        meter: &mut Meter<'_>,
    ) -> Result<Changes, Refused> {
        if batch.successors.len() < batch.most {
            return Ok(Changes::default());
        }
        meter.hold_bytes(self.bytes() + batch.bytes())?;
        self.look_up(pass, batch)
    }

    /// Finds the labels of the states of a batch.
    ///
    /// A state that is not there is one that the rules did not lead to before: then they are no functions of the state,
    /// and the game is left to the graph, which asks once.
    pub(super) fn look_up(
        &mut self,
        pass: Pass,
        batch: &mut Batch<V, W>,
    ) -> Result<Changes, Refused> {
        let odd = self.judge(pass, &mut batch.parents, &mut batch.successors)?;
        odd.into_iter().for_each(|(place, number)| batch.keep_odd(place, number));
        Ok(self.settle_parents(pass, &mut batch.parents))
    }

    /// Finds what is best of all that states lead to. Returned are moves of states without a label to others whose part
    /// comes later.
    fn judge(
        &self,
        pass: Pass,
        parents: &mut [Parent<V>],
        successors: &mut Vec<(Number<W>, u32)>,
    ) -> Result<Vec<(Place, Number<W>)>, Refused> {
        successors.sort_unstable_by_key(|successor| successor.0);
        let mut finder = self.run.finder();
        let (mut last, mut odd) = ((Number::ZERO, None), Vec::new());
        for (number, parent) in successors.drain(..) {
            let mark = match last {
                (same, Some(mark)) if same == number => mark,
                _ => {
                    let at = finder.find(number).ok_or(Refused::Unfit)?;
                    self.run.segments[at.segment].marks.get(at.at)
                }
            };
            last = (number, Some(mark));
            let label = self.labels.label(mark);
            let parent = &mut parents[parent as usize];
            if pass == Pass::Final
                && mark < parent.mark
                && matches!(self.labels.mark(mark), Mark::Layer)
            {
                odd.push((parent.place, number));
            }
            parent.is_final &= label.is_final;
            let outcome = (label.value, label.distance);
            let better = |best| prefer(parent.player, outcome, best).is_gt();
            if parent.best.is_none_or(better) {
                parent.best = Some(outcome);
            }
        }
        Ok(odd)
    }

    /// Gives states their labels.
    fn settle_parents(&mut self, pass: Pass, parents: &mut Vec<Parent<V>>) -> Changes {
        let mut changed = Changes::default();
        for parent in parents.drain(..) {
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
}
