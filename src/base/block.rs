//! Blocks of records: sorted keys, front-coded, each with a value out of a palette.
//!
//! ```text
//! records       4 bytes     how many there are, least significant byte first
//! palette       varint      how many values there are, then each as length and bytes
//! record        1 byte      b s   bytes dropped from the end of the key before, bytes behind
//!                                 what is left; 15 15: two varints say how many
//!               s bytes     what comes behind
//!               varint      the value, by its place in the palette
//! checksum      4 bytes     of the first key and all of the above
//! ```
//!
//! The first key is the block's own in the database; the first record drops nothing from it.

use rustc_hash::FxHashMap;
use zug_term::varint;

/// Bytes of a block, its key included, with which it fills a page of the database.
pub(super) const LARGEST: usize = 4_000;
/// In the place of the two counts: they follow.
const LONG: u8 = 0xFF;

/// FNV-1a (Fowler, Noll and Vo), 64 bits folded to 32.
fn checksum(parts: [&[u8]; 2]) -> [u8; 4] {
    let bytes = parts.into_iter().flatten();
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    ((hash >> 32) as u32 ^ hash as u32).to_le_bytes()
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (first, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(first)
}

/// A block as it is read.
#[derive(Debug, Default)]
pub struct Block {
    keys: Vec<u8>,
    /// Where each key ends, and its value.
    records: Vec<(u32, u32)>,
    palette: Vec<Box<[u8]>>,
}

impl Block {
    /// Reads a block with its first key; `None` if it is damaged.
    pub fn read(first: &[u8], bytes: &[u8]) -> Option<Block> {
        let (inner, sum) = bytes.split_last_chunk::<4>()?;
        if checksum([first, inner]) != *sum {
            return None;
        }
        let mut rest = inner;
        let count = u32::from_le_bytes(take(&mut rest, 4)?.try_into().ok()?) as usize;
        let mut block = Block::default();
        for _ in 0..varint::take_size(&mut rest)? {
            let length = varint::take_size(&mut rest)?;
            block.palette.push(take(&mut rest, length)?.into());
        }
        block.keys.extend_from_slice(first);
        let mut start = 0;
        for number in 0..count {
            let counts = take(&mut rest, 1)?[0];
            let (drop, more) = match counts {
                LONG => (varint::take_size(&mut rest)?, varint::take_size(&mut rest)?),
                _ => (usize::from(counts >> 4), usize::from(counts & 15)),
            };
            let suffix = take(&mut rest, more)?;
            if number > 0 {
                let end = block.keys.len();
                let left = (end - start).checked_sub(drop)?;
                block.keys.extend_from_within(start..start + left);
                block.keys.extend_from_slice(suffix);
                start = end;
            } else if drop + more > 0 {
                return None;
            }
            let value = varint::take_size(&mut rest)?;
            if value >= block.palette.len() {
                return None;
            }
            block.records.push((u32::try_from(block.keys.len()).ok()?, value as u32));
        }
        (rest.is_empty() && count > 0).then_some(block)
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// A record: its key and value.
    pub fn record(&self, at: usize) -> (&[u8], &[u8]) {
        let start = at.checked_sub(1).map_or(0, |before| self.records[before].0 as usize);
        let (end, value) = self.records[at];
        (&self.keys[start..end as usize], &self.palette[value as usize])
    }

    /// All records in order.
    pub fn records(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        (0..self.len()).map(|at| self.record(at))
    }

    /// The value of a key.
    pub fn get(&self, key: &[u8]) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            let (known, value) = self.record(middle);
            match known.cmp(key) {
                std::cmp::Ordering::Equal => return Some(value),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// A block that is being put together.
#[derive(Default)]
pub(super) struct Builder {
    first: Vec<u8>,
    last: Vec<u8>,
    count: u32,
    records: Vec<u8>,
    palette: Vec<u8>,
    places: FxHashMap<Box<[u8]>, usize>,
}

impl Builder {
    /// Bytes so far, as good as.
    fn size(&self) -> usize {
        self.first.len() + self.palette.len() + self.records.len() + 16
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether there is something, and room for as much again.
    pub fn is_small(&self) -> bool {
        !self.is_empty() && self.size() < LARGEST / 2
    }

    /// Whether a record should go into a block of its own.
    pub fn is_full_for(&self, key: &[u8], value: &[u8]) -> bool {
        !self.is_empty() && self.size() + key.len() + value.len() + 8 > LARGEST
    }

    /// Adds a record whose key is greater than those before.
    pub fn add(&mut self, key: &[u8], value: &[u8]) {
        if self.is_empty() {
            self.first.extend_from_slice(key);
            self.records.push(0);
        } else {
            let same = self.last.iter().zip(key).take_while(|(a, b)| a == b).count();
            let (drop, more) = (self.last.len() - same, key.len() - same);
            if drop < 15 && more < 15 {
                self.records.push((drop << 4 | more) as u8);
            } else {
                self.records.push(LONG);
                varint::push(drop as u64, &mut self.records);
                varint::push(more as u64, &mut self.records);
            }
            self.records.extend_from_slice(&key[same..]);
        }
        let next = self.places.len();
        let place = match self.places.get(value) {
            Some(&place) => place,
            None => {
                varint::push(value.len() as u64, &mut self.palette);
                self.palette.extend_from_slice(value);
                self.places.insert(value.into(), next);
                next
            }
        };
        varint::push(place as u64, &mut self.records);
        self.last.clear();
        self.last.extend_from_slice(key);
        self.count += 1;
    }

    /// The block, with its first key; what comes next begins another one.
    pub fn finish(&mut self) -> (Vec<u8>, Vec<u8>) {
        let mut bytes = self.count.to_le_bytes().to_vec();
        varint::push(self.places.len() as u64, &mut bytes);
        bytes.append(&mut self.palette);
        bytes.append(&mut self.records);
        let first = std::mem::take(&mut self.first);
        bytes.extend(checksum([&first, &bytes]));
        *self = Builder::default();
        (first, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn blocks(records: &BTreeMap<Vec<u8>, Vec<u8>>) -> Vec<(Vec<u8>, Vec<u8>)> {
        let (mut builder, mut blocks) = (Builder::default(), Vec::new());
        for (key, value) in records {
            if builder.is_full_for(key, value) {
                blocks.push(builder.finish());
            }
            builder.add(key, value);
        }
        if !builder.is_empty() {
            blocks.push(builder.finish());
        }
        blocks
    }

    proptest! {
        #[test]
        fn records_come_back(
            records in prop::collection::btree_map(
                prop::collection::vec(0u8..4, 0..40),
                prop::collection::vec(any::<u8>(), 0..3),
                1..900,
            )
        ) {
            let mut all = Vec::new();
            for (first, bytes) in blocks(&records) {
                prop_assert!(first.len() + bytes.len() <= LARGEST);
                let block = Block::read(&first, &bytes).expect("it is whole");
                for (key, value) in block.records() {
                    prop_assert_eq!(block.get(key), Some(value));
                    all.push((key.to_vec(), value.to_vec()));
                }
                prop_assert_eq!(block.get(&[9]), None);
            }
            prop_assert_eq!(all, records.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn damage_is_seen(bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0usize..60) {
            // Whatever the bytes are, they are read or refused.
            let _ = Block::read(&[1, 2], &bytes);
            let mut builder = Builder::default();
            (0..50u8).for_each(|i| builder.add(&[i, 1, i], &[i % 3]));
            let (first, mut block) = builder.finish();
            let at = at % block.len();
            block[at] ^= 1;
            prop_assert!(Block::read(&first, &block).is_none());
        }
    }
}
