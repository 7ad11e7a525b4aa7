//! Which bytes leaves are where a block begins, as far as all ways there agree.

use crate::code::{BlockId, Code, End};
use crate::residual::Leaf;

/// A leaf and the byte that it is.
type Fact = (Leaf, u8);

/// What is known, block by block; for leaves of one byte.
pub struct Facts {
    /// By block; `None` before a way there was seen.
    entries: Vec<Option<Vec<Fact>>>,
    /// In this block.
    now: Vec<Fact>,
}

impl Facts {
    /// Nothing is known, of so many blocks.
    pub fn new(blocks: usize) -> Facts {
        Facts { entries: vec![None; blocks], now: Vec::new() }
    }

    /// Enters a block, after all that lead to it.
    pub fn enter(&mut self, block: BlockId) {
        self.now = self.entries[block as usize].take().unwrap_or_default();
    }

    /// The byte that a leaf is, if that is known.
    pub fn byte(&self, leaf: Leaf) -> Option<u8> {
        self.now.iter().find(|fact| fact.0 == leaf).map(|fact| fact.1)
    }

    /// A way to a block, on which one more thing is known.
    pub fn lead(&mut self, block: BlockId, more: Option<Fact>) {
        let now = &self.now;
        match &mut self.entries[block as usize] {
            Some(entry) => entry.retain(|fact| now.contains(fact) || more == Some(*fact)),
            entry => {
                // What is tested again holds anyhow.
                let new = more.filter(|(leaf, _)| now.iter().all(|known| known.0 != *leaf));
                *entry = Some(now.iter().copied().chain(new).collect());
            }
        }
    }

    /// The ways out of this block.
    pub fn leave(&mut self, code: &Code, end: &End) {
        match *end {
            End::Goto(next) => self.lead(next, None),
            End::Is(leaf, word, then, other) => {
                if let Some(byte) = word.byte() {
                    self.lead(then, Some((leaf, byte)));
                }
                self.lead(other, None);
            }
            End::Same(.., then, other)
            | End::Distinct(then, other)
            | End::Kind(.., then, other)
            | End::Compare(.., then, other)
            | End::Before(.., then, other) => {
                self.lead(then, None);
                self.lead(other, None);
            }
            End::Switch(leaf, number) => {
                let switch = &code.switches[number as usize];
                for (byte, &block) in (0..=u8::MAX).zip(switch.narrow.iter()) {
                    self.lead(block, Some((leaf, byte)));
                }
                self.lead(switch.other, None);
            }
            End::Find(number) => {
                let find = &code.finds[number as usize];
                for (leaf, &block) in find.at.iter().enumerate() {
                    let byte = find.word.byte();
                    self.lead(block, byte.map(|byte| (leaf as Leaf, byte)));
                }
                self.lead(find.none, None);
                self.lead(find.several, None);
            }
            End::Done | End::True | End::Value(..) | End::Deopt(_) => {}
        }
    }
}
