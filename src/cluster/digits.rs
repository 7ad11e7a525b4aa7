//! Numbers as states, for examples and tests.

use crate::shard::Shard;
use std::collections::HashMap;
use std::convert::Infallible;

/// Numbers, from each of which two others are reached.
pub struct Digits<F> {
    next: F,
    numbers: HashMap<u32, usize>,
    in_order: Vec<u32>,
}

impl<F: Fn(u32) -> [u32; 2]> Digits<F> {
    /// Numbers with what they lead to.
    pub fn new(next: F) -> Digits<F> {
        Digits { next, numbers: HashMap::new(), in_order: Vec::new() }
    }

    /// The place of a number, the next one if it is new.
    pub fn number(&mut self, state: u32) -> usize {
        let new = self.in_order.len();
        let number = *self.numbers.entry(state).or_insert(new);
        if number == new {
            self.in_order.push(state);
        }
        number
    }
}

impl<F: Fn(u32) -> [u32; 2]> Shard for Digits<F> {
    type State = u32;
    type Error = Infallible;

    fn len(&self) -> usize {
        self.in_order.len()
    }

    fn bytes(&self) -> usize {
        self.in_order.len() * 16
    }

    fn hash(&mut self, state: &u32) -> u64 {
        u64::from(*state)
    }

    fn write(&mut self, state: &u32, out: &mut Vec<u8>) {
        out.extend(state.to_le_bytes());
    }

    fn read(&mut self, bytes: &[u8]) -> Option<u32> {
        bytes.try_into().ok().map(u32::from_le_bytes)
    }

    fn number(&mut self, state: &u32) -> usize {
        Digits::number(self, *state)
    }

    fn intern(&mut self, states: &mut Vec<u32>) {
        for state in states.drain(..) {
            Digits::number(self, state);
        }
    }

    fn state(&self, number: usize) -> u32 {
        self.in_order[number]
    }

    fn successors(&mut self, state: &u32, out: &mut Vec<u32>) -> Result<(), Infallible> {
        out.extend((self.next)(*state));
        Ok(())
    }
}
