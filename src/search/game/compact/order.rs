//! In which order states are settled.

use super::labels::Mark;
use super::measure::{Changes, Measure};
use super::spread::{PROGRESS, Space};
use super::states::{Bytes, Refused, moves};
use super::team::Team;
use crate::game::interface::Game;
use crate::game::value::Value;
use zug_sorted::{BLOCK, Number, Place};

/// States whose moves are looked at.
const SAMPLES: u64 = 4_000;
/// Parts of about as many states each, by the measure.
const PARTS: usize = 200;
/// Fewer states are settled in any order.
const FEWEST: u64 = 1 << 12;
/// The part of the moves with which the measure has to fall.
const ENOUGH: (usize, usize) = (7, 8);

/// How often it is learned from moves that were met.
const MOST_LEARNED: u32 = 12;

/// Moves from which a measure was learned.
#[derive(Default)]
pub(super) struct Order {
    measure: Measure,
    moves: Changes,
    /// The measure, and not the layer, says what comes first.
    is_used: bool,
    /// How often it was learned from moves that were met.
    learned: u32,
}

impl Order {
    /// Whether something is made of what is learned.
    pub fn learns(&self) -> bool {
        self.is_used && self.learned < MOST_LEARNED
    }

    pub fn bytes(&self) -> usize {
        self.moves.bytes()
    }
}

impl<V: Value, const W: usize> Space<V, W> {
    /// Has states settled by a measure if layers don't follow one another and the measure falls with most moves.
    pub(super) fn order<G: Game<Value = V>>(
        &mut self,
        team: &mut Team<'_, G>,
    ) -> Result<Order, Refused> {
        let mut order = Order::default();
        if self.run.len() < FEWEST {
            return Ok(order);
        }
        let late = self.sample(team.game, &mut order.moves)?;
        if late == order.moves.len() {
            return Ok(order);
        }
        let falls = order.measure.learn(&order.moves);
        order.is_used = falls > late && falls * ENOUGH.1 >= order.moves.len() * ENOUGH.0;
        if order.is_used {
            self.arrange(&order.measure, falls == order.moves.len());
        }
        Ok(order)
    }

    /// Learns from moves that led to a part that comes later.
    pub(super) fn reorder(&mut self, order: &mut Order, odd: Vec<(Place, Number<W>)>) {
        if !order.learns() {
            return;
        }
        order.learned += 1;
        let coding = self.run.coding().clone();
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for (place, number) in odd {
            coding.key(self.run.number(place), &mut from);
            coding.key(number, &mut to);
            order.moves.push(&from, &to);
        }
        let falls = order.measure.learn(&order.moves);
        self.arrange(&order.measure, falls == order.moves.len());
    }

    fn arrange(&mut self, measure: &Measure, is_sure: bool) {
        // In such an order going on with a part is as good as coming back to it.
        self.progress = if is_sure { u64::MAX } else { PROGRESS };
        self.divide(measure);
        self.count_open();
    }

    /// Moves of some states without a label: how many of them lead to a label or a later layer.
    fn sample<G: Game<Value = V>>(
        &self,
        game: &mut G,
        sample: &mut Changes,
    ) -> Result<usize, Refused> {
        let coding = self.run.coding().clone();
        let mut bytes = Bytes::new(coding.clone());
        let (mut late, mut found) = (0, Vec::new());
        let step = self.run.len() / SAMPLES + 1;
        for rank in (0..self.run.len()).step_by(step as usize) {
            let place = self.run.place(rank);
            let own = self.run.segments[place.segment].marks.get(place.at);
            if let Mark::Label(_) = self.labels.mark(own) {
                continue;
            }
            let state: G::State = bytes.state(&coding, self.run.number(place))?;
            let from = bytes.key.clone();
            game.meet(&state);
            moves(game, &state, &mut found)?;
            for (_, successor) in &found {
                let number = bytes.number(successor).ok_or(Refused::Unfit)?;
                let place = self.run.finder().find(number).ok_or(Refused::Unfit)?;
                let mark = self.run.segments[place.segment].marks.get(place.at);
                let before = sample.len();
                sample.push(&from, &bytes.key);
                let is_late = matches!(self.labels.mark(mark), Mark::Label(_)) || mark > own;
                late += if is_late { sample.len() - before } else { 0 };
            }
        }
        Ok(late)
    }

    /// Marks the states that have no label by what their measure is: the least last, since parts are settled from the last on.
    fn divide(&mut self, measure: &Measure) {
        let (coding, mut key) = (self.run.coding().clone(), Vec::new());
        let mut some: Vec<i64> = Vec::new();
        for segment in &self.run.segments {
            for block in 0..segment.blocks() {
                coding.key(segment.block(block).number(), &mut key);
                some.push(measure.of(&key));
            }
        }
        some.sort_unstable();
        let mut ends: Vec<i64> = some.iter().copied().step_by(some.len() / PARTS + 1).collect();
        ends.dedup();
        self.labels.divide(ends.len() + 1);
        let Self { run, labels, .. } = self;
        for segment in &mut run.segments {
            for block in 0..segment.blocks() {
                let mut cursor = segment.block(block);
                let mut parts = [None; BLOCK];
                for (at, part) in parts.iter_mut().enumerate().take(segment.block_len(block)) {
                    if at > 0 {
                        cursor.advance();
                    }
                    if let Mark::Layer = labels.mark(segment.marks.get(block * BLOCK + at)) {
                        coding.key(cursor.number(), &mut key);
                        let value = measure.of(&key);
                        let behind = ends.partition_point(|&end| end < value);
                        *part = Some(labels.layers()[ends.len() - behind]);
                    }
                }
                for (at, mark) in parts.iter().enumerate() {
                    if let Some(mark) = *mark {
                        segment.marks.set(block * BLOCK + at, mark);
                    }
                }
            }
        }
        run.measure();
    }
}
