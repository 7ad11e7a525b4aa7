//! A game with the threads that ask its rules: [`Team`].

use super::labels::value_to;
use super::states::{Bytes, Refused, moves};
use crate::fork::Crew;
use crate::game::interface::{CHANCE, Game};
use crate::game::meter::Meter;
use std::sync::Arc;
use zug_sorted::{BLOCK, Coding, Number, Run};

/// States for each thread that are asked about before anything is done with the answers.
const ROUND: usize = 1 << 15;
/// Blocks that are asked about in one go.
const PART: usize = 1 << 5;

/// A game, and who asks its rules.
pub(super) struct Team<'t, G: Game> {
    pub game: &'t mut G,
    pub crew: &'t mut Crew<G>,
}

/// The first states of a block.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub segment: usize,
    pub block: usize,
    pub states: usize,
}

/// What is told of a state.
#[derive(Clone, Copy)]
pub(super) enum Told<V> {
    /// The game is over, and this is what it is worth to the first player.
    Over(V),
    /// So many moves lead on.
    Open(usize),
}

/// What was told of states of a layer, one after the other.
pub(super) struct Answers<V, const W: usize> {
    pub states: Vec<Told<V>>,
    /// The states that they lead to, as numbers of a coding.
    pub numbers: Vec<Number<W>>,
    pub coding: Arc<Coding<W>>,
    /// Keys that have no number there, by their places among the numbers.
    pub keys: Vec<(usize, Vec<u8>)>,
}

/// Reads what was told, one state after another.
pub(super) struct Reader<V, const W: usize> {
    told: Option<Answers<V, W>>,
    /// The next state, the next number, and the next key.
    state: usize,
    number: usize,
    key: usize,
}

impl<V: Copy, const W: usize> Reader<V, W> {
    /// Nothing is read.
    pub fn new() -> Self {
        Self { told: None, state: 0, number: 0, key: 0 }
    }

    /// What is told of the next state; `more` tells of those behind.
    pub fn next(&mut self, more: &mut impl Iterator<Item = Answers<V, W>>) -> Option<Told<V>> {
        while self.told.as_ref().is_none_or(|told| self.state == told.states.len()) {
            *self = Self { told: Some(more.next()?), ..Self::new() };
        }
        self.state += 1;
        self.told.as_ref().map(|told| told.states[self.state - 1])
    }

    /// The number that the next successor has in a coding; if it has none, its key is put in `key`.
    pub fn number(&mut self, coding: &Coding<W>, key: &mut Vec<u8>) -> Option<Number<W>> {
        let told = self.told.as_ref()?;
        let at = self.number;
        self.number += 1;
        match told.keys.get(self.key) {
            Some((place, own)) if *place == at => {
                self.key += 1;
                key.clone_from(own);
            }
            // What has been learned meanwhile has given them other numbers.
            _ if told.coding.learned() != coding.learned() => {
                told.coding.key(told.numbers[at], key)
            }
            _ => return Some(told.numbers[at]),
        }
        coding.number(key)
    }
}

impl<G: Game> Team<'_, G> {
    /// States that are to be asked about before anything is done with the answers.
    pub fn round(&self) -> usize {
        ROUND * self.crew.threads()
    }

    /// Asks what states of a layer lead to, and what ends are worth.
    pub fn spread<const W: usize>(
        &mut self,
        (layer, blocks): (&Run<W>, &[Block]),
        coding: &Arc<Coding<W>>,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Answers<G::Value, W>>, Refused> {
        let work = |game: &mut G, _: usize, blocks: &[Block]| {
            let coding = coding.clone();
            let (states, numbers, keys) = (Vec::new(), Vec::new(), Vec::new());
            let mut answers = Answers { states, numbers, coding: coding.clone(), keys };
            let (mut bytes, mut found) = (Bytes::new(coding), Vec::new());
            for &Block { segment, block, states } in blocks {
                let mut numbers = [Number::ZERO; BLOCK];
                let segment = &layer.segments[segment];
                let numbers = &mut numbers[..segment.block_len(block)];
                segment.read(block, numbers);
                for &number in &numbers[..states] {
                    let state: G::State = bytes.state(layer.coding(), number)?;
                    game.meet(&state);
                    let player = game.player(&state);
                    if player == CHANCE {
                        return Err(Refused::Unfit);
                    }
                    if game.is_over(&state)? {
                        let value = game.utility(&state, player)?;
                        let value = game.balanced(value)?;
                        answers.states.push(Told::Over(value_to(value, player)));
                        continue;
                    }
                    moves(game, &state, &mut found)?;
                    answers.states.push(Told::Open(found.len()));
                    for (_, successor) in &found {
                        let number = bytes.number(successor).unwrap_or_else(|| {
                            answers.keys.push((answers.numbers.len(), bytes.key.clone()));
                            Number::ZERO
                        });
                        answers.numbers.push(number);
                    }
                }
            }
            Ok(answers)
        };
        self.crew.map_items(self.game, (blocks, PART), work, || Ok(meter.poll()?))
    }
}
