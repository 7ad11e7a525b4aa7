//! Derived heuristics as bytes, to be kept in a file and read again, and what they take in memory.
//!
//! Bytes have the number of their form, a digest of the rest, and the tables one after the other. What is no such
//! thing, or is not as it was written, is refused. A heuristic belongs to what it was derived from, known by
//! [`Derived::key`](super::Derived::key), another digest.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

/// The form of the bytes; another one whenever estimates, or how they are kept, change.
pub(crate) const FORM: u32 = 1;

/// What can be kept.
pub(crate) trait Kept: Sized {
    /// The value owns no other memory.
    const IS_FLAT: bool = false;

    /// Appends it to bytes.
    fn write(&self, to: &mut Vec<u8>);

    /// Takes it from bytes; `None` if they are none of it.
    fn read(from: &mut &[u8]) -> Option<Self>;

    /// Bytes of memory that the value owns.
    fn held(&self) -> usize {
        0
    }
}

/// Implements [`Kept`] for a struct with these fields, or an enum of two kinds of content.
macro_rules! kept {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl $crate::kept::Kept for $type {
            fn write(&self, to: &mut Vec<u8>) {
                $($crate::kept::Kept::write(&self.$field, to);)*
            }

            fn read(from: &mut &[u8]) -> Option<Self> {
                $(let $field = $crate::kept::Kept::read(from)?;)*
                Some($type { $($field),* })
            }

            fn held(&self) -> usize {
                0 $(+ $crate::kept::Kept::held(&self.$field))*
            }
        }
    };
    ($type:ident: $one:ident or $other:ident) => {
        impl $crate::kept::Kept for $type {
            fn write(&self, to: &mut Vec<u8>) {
                $crate::kept::Kept::write(&matches!(self, $type::$one(_)), to);
                match self {
                    $type::$one(content) => content.write(to),
                    $type::$other(content) => content.write(to),
                }
            }

            fn read(from: &mut &[u8]) -> Option<Self> {
                Some(match $crate::kept::Kept::read(from)? {
                    true => $type::$one($crate::kept::Kept::read(from)?),
                    false => $type::$other($crate::kept::Kept::read(from)?),
                })
            }

            fn held(&self) -> usize {
                match self {
                    $type::$one(content) => content.held(),
                    $type::$other(content) => content.held(),
                }
            }
        }
    };
}
pub(crate) use kept;

macro_rules! kept_numbers {
    ($($type:ident),*) => {$(
        impl Kept for $type {
            const IS_FLAT: bool = true;

            fn write(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }

            fn read(from: &mut &[u8]) -> Option<Self> {
                let (first, rest) = from.split_first_chunk()?;
                *from = rest;
                Some($type::from_le_bytes(*first))
            }
        }
    )*};
}
kept_numbers!(u8, u16, u32, u64);

impl Kept for usize {
    const IS_FLAT: bool = true;

    fn write(&self, to: &mut Vec<u8>) {
        (*self as u64).write(to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        usize::try_from(u64::read(from)?).ok()
    }
}

impl Kept for bool {
    const IS_FLAT: bool = true;

    fn write(&self, to: &mut Vec<u8>) {
        u8::from(*self).write(to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        match u8::read(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Kept> Kept for Option<T> {
    fn write(&self, to: &mut Vec<u8>) {
        self.is_some().write(to);
        self.iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(if bool::read(from)? { Some(T::read(from)?) } else { None })
    }

    fn held(&self) -> usize {
        self.as_ref().map_or(0, Kept::held)
    }
}

impl<T: Kept> Kept for Arc<T> {
    fn write(&self, to: &mut Vec<u8>) {
        (**self).write(to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        T::read(from).map(Arc::new)
    }

    fn held(&self) -> usize {
        size_of::<T>() + (**self).held()
    }
}

impl<T: Kept> Kept for Vec<T> {
    fn write(&self, to: &mut Vec<u8>) {
        write_all(self, to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let length = usize::read(from)?;
        // Whatever is kept takes a byte at least.
        if length > from.len() {
            return None;
        }
        (0..length).map(|_| T::read(from)).collect()
    }

    fn held(&self) -> usize {
        held_by(self)
    }
}

impl<T: Kept> Kept for Box<[T]> {
    fn write(&self, to: &mut Vec<u8>) {
        write_all(self, to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(Vec::read(from)?.into())
    }

    fn held(&self) -> usize {
        held_by(self)
    }
}

fn write_all<T: Kept>(all: &[T], to: &mut Vec<u8>) {
    all.len().write(to);
    to.reserve(all.len());
    all.iter().for_each(|value| value.write(to));
}

fn held_by<T: Kept>(all: &[T]) -> usize {
    let own = size_of_val(all);
    if T::IS_FLAT { own } else { own + all.iter().map(Kept::held).sum::<usize>() }
}

impl<T: Kept> Kept for Box<[T; 256]> {
    fn write(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let all: Option<Box<[T]>> = (0..256).map(|_| T::read(from)).collect();
        all?.try_into().ok()
    }

    fn held(&self) -> usize {
        size_of::<[T; 256]>()
    }
}

impl<A: Kept, B: Kept> Kept for (A, B) {
    const IS_FLAT: bool = A::IS_FLAT && B::IS_FLAT;

    fn write(&self, to: &mut Vec<u8>) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some((A::read(from)?, B::read(from)?))
    }

    fn held(&self) -> usize {
        self.0.held() + self.1.held()
    }
}

impl<K: Kept + Ord, V: Kept> Kept for BTreeMap<K, V> {
    fn write(&self, to: &mut Vec<u8>) {
        write_entries(self.iter(), to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(Vec::<(K, V)>::read(from)?.into_iter().collect())
    }

    fn held(&self) -> usize {
        self.len() * size_of::<(K, V)>() + held_by_entries(self.iter())
    }
}

impl<K: Kept + Ord + Hash, V: Kept, S: BuildHasher + Default> Kept for HashMap<K, V, S> {
    fn write(&self, to: &mut Vec<u8>) {
        let mut all: Vec<(&K, &V)> = self.iter().collect();
        all.sort_unstable_by(|a, b| a.0.cmp(b.0));
        write_entries(all.into_iter(), to);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(Vec::<(K, V)>::read(from)?.into_iter().collect())
    }

    fn held(&self) -> usize {
        self.capacity() * (size_of::<(K, V)>() + 1) + held_by_entries(self.iter())
    }
}

fn write_entries<'k, K: Kept + 'k, V: Kept + 'k>(
    entries: impl ExactSizeIterator<Item = (&'k K, &'k V)>,
    to: &mut Vec<u8>,
) {
    entries.len().write(to);
    for (key, value) in entries {
        key.write(to);
        value.write(to);
    }
}

fn held_by_entries<'k, K: Kept + 'k, V: Kept + 'k>(
    entries: impl Iterator<Item = (&'k K, &'k V)>,
) -> usize {
    match <(K, V)>::IS_FLAT {
        true => 0,
        false => entries.map(|(key, value)| key.held() + value.held()).sum(),
    }
}

/// 128 bits of what was added, in the manner of FNV-1a, with sixteen bytes at a time.
pub(crate) struct Digest(u128);

impl Digest {
    fn new() -> Digest {
        Digest(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Of what belongs to this version alone.
    pub fn of_version() -> Digest {
        let mut digest = Digest::new();
        (FORM, env!("CARGO_PKG_VERSION")).hash(&mut digest);
        digest
    }

    pub fn of(bytes: &[u8]) -> Digest {
        let mut digest = Digest::new();
        digest.write(bytes);
        digest
    }

    fn add(&mut self, word: u128) {
        let mixed = (self.0 ^ word).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        // What is multiplied only goes up.
        self.0 = mixed ^ (mixed >> 67);
    }

    pub fn whole(&self) -> u128 {
        self.0
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(16);
        for chunk in &mut chunks {
            let chunk = chunk.first_chunk().copied().unwrap_or_default();
            self.add(u128::from_le_bytes(chunk));
        }
        let mut rest = [0; 16];
        rest[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
        self.add(u128::from_le_bytes(rest));
        self.add(bytes.len() as u128);
    }

    fn finish(&self) -> u64 {
        self.0 as u64
    }
}
