//! All states that can be reached, in layers: [`Space`].
//!
//! The states that a layer leads to are gathered as they come; duplicates are removed when there are many, by sorting,
//! and those that earlier layers have when the layer is done (R. Korf, *Best-First Frontier Search with
//! Delayed Duplicate Detection*, AAAI 2004).

use super::labels::{Label, Labels, value_to};
use super::states::{Bytes, Refused, moves};
use super::team::{Block, Reader, Team, Told};
use crate::game::interface::{CHANCE, Game};
use crate::game::meter::Meter;
use crate::space::Row;
use std::sync::Arc;
use zug_sorted::{BLOCK, Coding, Finder, Number, Run, RunWriter, Runs};

/// Successors that are gathered before they are sorted, at least and at most.
const GATHERED: (usize, usize) = (1 << 13, 1 << 22);
/// States for each successor that is gathered, of all that are known.
const SHARE: u64 = 16;
/// With so many states it is looked whether numbers are about to get too long.
const LOOKED_AT: [u64; 2] = [1 << 10, 1 << 15];
/// Bits that numbers may get longer by, or they count as too long.
const SPARE: u32 = 10;

/// The part of the open states that a pass has to settle, or the rest is taken for cyclic.
pub(super) const PROGRESS: u64 = 16;

/// All states that can be reached from one, each with a mark of [`Labels`].
pub(super) struct Space<V, const W: usize> {
    /// The states, sorted.
    pub run: Run<W>,
    /// What the marks are.
    pub labels: Labels<V>,
    /// How many states of each layer have no label.
    pub open: Vec<u64>,
    /// The part of the open states that a pass over them has to settle for another to be made.
    pub progress: u64,
}

/// What a layer leads to, as far as it was gathered.
struct Gathered<const W: usize> {
    numbers: Vec<Number<W>>,
    most: usize,
    runs: Runs<W>,
}

impl<const W: usize> Gathered<W> {
    /// Sorts what was gathered.
    fn settle(&mut self, coding: &Arc<Coding<W>>) {
        self.numbers.sort_unstable();
        self.numbers.dedup();
        let mut writer = RunWriter::new(coding.clone());
        self.numbers.drain(..).for_each(|number| writer.push(number));
        self.runs.push(writer.finish(), coding);
    }

    fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<Number<W>>() + self.runs.bytes()
    }
}

impl<V: crate::game::value::Value, const W: usize> Space<V, W> {
    /// All that can be reached from a state.
    pub fn of<G: Game<Value = V>>(
        team: &mut Team<'_, G>,
        root: &G::State,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Refused> {
        let mut key = Vec::new();
        let mut coding = Coding::new();
        if !root.write(&mut key) {
            return Err(Refused::Unfit);
        }
        if !coding.learn(&key) {
            return Err(Refused::TooLong);
        }
        let mut bytes = Bytes::new(Arc::new(coding));
        let mut layer = RunWriter::new(bytes.coding.clone());
        layer.push(bytes.number(root).ok_or(Refused::Unfit)?);
        let mut layer = layer.finish();
        let mut labels = Labels::new();
        let (mut known, mut open) = (Runs::new(true), Vec::new());
        while !layer.is_empty() {
            let states = known.len() + layer.len();
            let most = usize::try_from(states / SHARE).unwrap_or(usize::MAX);
            let most = most.clamp(GATHERED.0, GATHERED.1);
            let numbers = Vec::with_capacity(most);
            let mut next = Gathered { numbers, most, runs: Runs::new(false) };
            let held = known.bytes();
            let expand = match team.crew.is_alone() {
                true => expand,
                false => expand_by_crew,
            };
            let left = expand(team, (&mut bytes, &mut labels), &mut layer, &mut next, held, meter)?;
            open.push(left);
            next.settle(&bytes.coding);
            let found = next.runs.into_numbers(&bytes.coding);
            let fresh = without(found, &known, &layer, &bytes.coding);
            known.push(layer, &bytes.coding);
            meter.hold_bytes(known.bytes() + fresh.bytes() + labels.bytes())?;
            layer = fresh;
        }
        let run = known.into_run(&bytes.coding);
        Ok(Self { run, labels, open, progress: PROGRESS })
    }
}

/// Marks the states of a layer, whose moves are asked for: how many have no label.
fn expand<G: Game, const W: usize>(
    team: &mut Team<'_, G>,
    (bytes, labels): (&mut Bytes<W>, &mut Labels<G::Value>),
    layer: &mut Run<W>,
    next: &mut Gathered<W>,
    held: usize,
    meter: &mut Meter<'_>,
) -> Result<u64, Refused> {
    let game = &mut *team.game;
    let (mark, own) = (labels.add_layer(), layer.coding().clone());
    let (mut successors, mut key, mut open) = (Vec::new(), Vec::new(), 0);
    let layer_bytes = layer.bytes() + layer.len() as usize;
    for segment in &mut layer.segments {
        for block in 0..segment.blocks() {
            let mut numbers = [Number::ZERO; BLOCK];
            let numbers = &mut numbers[..segment.block_len(block)];
            segment.read(block, numbers);
            meter.hold_bytes(held + layer_bytes + next.bytes() + labels.bytes())?;
            for &mut number in numbers {
                let state: G::State = bytes.state(&own, number)?;
                meter.visit(0)?;
                let player = game.player(&state);
                if player == CHANCE {
                    return Err(Refused::Unfit);
                }
                if game.is_over(&state)? {
                    let value = game.utility(&state, player)?;
                    let value = game.balanced(value)?;
                    let value = value_to(value, player);
                    let label = Label { value, distance: 0, is_final: true };
                    segment.marks.push(labels.number(label));
                    continue;
                }
                meter.asked(1);
                open += 1;
                segment.marks.push(mark);
                moves(game, &state, &mut successors)?;
                for (_, successor) in &successors {
                    let number = match bytes.number(successor) {
                        Some(number) => number,
                        None => {
                            key.clear();
                            successor.write(&mut key);
                            Coding::learn_and_renumber(&mut bytes.coding, &key, &mut next.numbers)
                                .ok_or(Refused::TooLong)?
                        }
                    };
                    next.numbers.push(number);
                }
                if next.numbers.len() + successors.len() >= next.most {
                    next.settle(&bytes.coding);
                }
                let long = bytes.coding.bits() + SPARE > 64 * W as u32;
                if long && LOOKED_AT.contains(&meter.stats.nodes) {
                    return Err(Refused::TooLong);
                }
            }
        }
        segment.marks.shrink();
    }
    layer.measure();
    Ok(open)
}

/// As [`expand`], by several threads.
fn expand_by_crew<G: Game, const W: usize>(
    team: &mut Team<'_, G>,
    (bytes, labels): (&mut Bytes<W>, &mut Labels<G::Value>),
    layer: &mut Run<W>,
    next: &mut Gathered<W>,
    held: usize,
    meter: &mut Meter<'_>,
) -> Result<u64, Refused> {
    let mark = labels.add_layer();
    let layer_bytes = layer.bytes() + layer.len() as usize;
    let all = layer.segments.iter().enumerate().flat_map(|(segment, part)| {
        (0..part.blocks()).map(move |block| Block { segment, block, states: part.block_len(block) })
    });
    let all: Vec<Block> = all.collect();
    let (mut waiting, mut open, mut key) = (&*all, 0, Vec::new());
    while !waiting.is_empty() {
        // Nothing is asked about a state that no node is left for.
        let mut left = usize::try_from(meter.nodes_left()).unwrap_or(usize::MAX);
        let round = waiting.len().min(team.round() / BLOCK);
        let mut blocks = waiting[..round].to_vec();
        for block in &mut blocks {
            block.states = block.states.min(left);
            left -= block.states;
        }
        let mut answers = team.spread((layer, &blocks), &bytes.coding, meter)?.into_iter();
        let mut told = Reader::new();
        for &Block { segment, states, .. } in &waiting[..round] {
            meter.hold_bytes(held + layer_bytes + next.bytes() + labels.bytes())?;
            for _ in 0..states {
                meter.visit(0)?;
                let marks = &mut layer.segments[segment].marks;
                let moves = match told.next(&mut answers) {
                    None => break,
                    Some(Told::Over(value)) => {
                        let label = Label { value, distance: 0, is_final: true };
                        marks.push(labels.number(label));
                        continue;
                    }
                    Some(Told::Open(moves)) => moves,
                };
                meter.asked(1);
                open += 1;
                marks.push(mark);
                for _ in 0..moves {
                    let number = match told.number(&bytes.coding, &mut key) {
                        Some(number) => number,
                        None => {
                            Coding::learn_and_renumber(&mut bytes.coding, &key, &mut next.numbers)
                                .ok_or(Refused::TooLong)?
                        }
                    };
                    next.numbers.push(number);
                }
                if next.numbers.len() + moves >= next.most {
                    next.settle(&bytes.coding);
                }
                let long = bytes.coding.bits() + SPARE > 64 * W as u32;
                if long && LOOKED_AT.contains(&meter.stats.nodes) {
                    return Err(Refused::TooLong);
                }
            }
        }
        waiting = &waiting[round..];
    }
    for segment in &mut layer.segments {
        segment.marks.shrink();
    }
    layer.measure();
    Ok(open)
}

/// Those numbers of a coding that are not in runs.
fn without<const W: usize>(
    numbers: zug_sorted::Numbers<'_, W>,
    known: &Runs<W>,
    layer: &Run<W>,
    coding: &Arc<Coding<W>>,
) -> Run<W> {
    let runs = known.all().iter().chain([layer]);
    let mut finders: Vec<(bool, Finder<'_, W>)> =
        runs.map(|run| (run.coding().learned() == coding.learned(), run.finder())).collect();
    let mut writer = RunWriter::new(coding.clone());
    let mut key = Vec::new();
    for (number, _) in numbers {
        key.clear();
        let is_known = finders.iter_mut().rev().any(|(same, finder)| {
            if *same {
                return finder.find(number).is_some();
            }
            if key.is_empty() {
                coding.key(number, &mut key);
            }
            let number = finder.run().coding().number(&key);
            number.is_some_and(|number| finder.find(number).is_some())
        });
        if !is_known {
            writer.push(number);
        }
    }
    writer.finish()
}
