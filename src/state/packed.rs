//! A term packed into bytes, carried by value.

use std::fmt;
use std::hash::{Hash, Hasher};

/// Bytes kept in place; longer ones go to the heap.
const INLINE: usize = 22;
/// An odd number with evenly mixed bits: the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of packed bytes: eight bytes at a time through a multiplication whose halves are
/// folded together.
#[inline]
pub(crate) fn hash_of(bytes: &[u8]) -> u32 {
    let fold = |hash: u64, word: u64| {
        let wide = u128::from(hash ^ word) * u128::from(MIX);
        (wide as u64) ^ (wide >> 64) as u64
    };
    let mut hash = (bytes.len() as u64).wrapping_mul(MIX);
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        hash = fold(hash, u64::from_le_bytes(word.try_into().expect("eight bytes")));
    }
    let rest = words.remainder();
    let mut last = 0;
    for &byte in rest {
        last = last << 8 | u64::from(byte);
    }
    hash = fold(hash, last.wrapping_add(MIX));
    (hash >> 32) as u32
}

/// A packed term: what [`Codec::encode`](super::Codec::encode) makes of it. Two packed terms
/// of one codec are equal exactly when the terms are variants of each other.
///
/// 24 bytes; terms of up to 22 packed bytes own no memory beyond that.
#[derive(Clone)]
pub struct Packed(Repr);

#[derive(Clone)]
enum Repr {
    Inline { len: u8, bytes: [u8; INLINE] },
    Heap(Box<[u8]>),
}

impl Packed {
    /// The packed term with these bytes.
    #[inline]
    pub fn new(packed: &[u8]) -> Packed {
        if packed.len() <= INLINE {
            let mut bytes = [0; INLINE];
            // PERF: two words that may overlap are quicker than a copy of any length.
            if let (8..=16, Some(first), Some(last)) =
                (packed.len(), packed.first_chunk::<8>(), packed.last_chunk::<8>())
            {
                bytes[..8].copy_from_slice(first);
                bytes[packed.len() - 8..packed.len()].copy_from_slice(last);
            } else {
                bytes[..packed.len()].copy_from_slice(packed);
            }
            Packed(Repr::Inline { len: packed.len() as u8, bytes })
        } else {
            Packed(Repr::Heap(packed.into()))
        }
    }

    /// The bytes: the number of the shape, then the codes of the leaves.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline { len, bytes } => &bytes[..usize::from(*len)],
            Repr::Heap(bytes) => bytes,
        }
    }

    /// Writes the byte at a place inside the term.
    #[inline]
    pub fn set_byte(&mut self, at: usize, byte: u8) {
        match &mut self.0 {
            Repr::Inline { len, bytes } => bytes[..usize::from(*len)][at] = byte,
            Repr::Heap(bytes) => bytes[at] = byte,
        }
    }

    /// Bytes owned beyond the value itself.
    pub fn heap_bytes(&self) -> usize {
        match &self.0 {
            Repr::Inline { .. } => 0,
            Repr::Heap(bytes) => bytes.len(),
        }
    }
}

impl PartialEq for Packed {
    #[inline]
    fn eq(&self, other: &Packed) -> bool {
        match (&self.0, &other.0) {
            // PERF: behind a short term there are zeros, so all bytes can be compared.
            (Repr::Inline { len: a, bytes: x }, Repr::Inline { len: b, bytes: y }) => {
                a == b && x == y
            }
            (Repr::Heap(a), Repr::Heap(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Packed {}

impl Hash for Packed {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Inline { bytes, .. } => {
                let (first, rest) = bytes.split_first_chunk().expect("sixteen bytes");
                let mut last = [0; 8];
                last[..rest.len()].copy_from_slice(rest);
                state.write_u128(u128::from_le_bytes(*first));
                state.write_u64(u64::from_le_bytes(last));
            }
            Repr::Heap(bytes) => state.write_u32(hash_of(bytes)),
        }
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({:02x?})", self.bytes())
    }
}
