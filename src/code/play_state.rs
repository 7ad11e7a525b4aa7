//! Buffers for the states of a play.

use super::backend::Backend;
use super::frame::{Frame, Narrow};
use zug_state::Codec;

/// A state with the player to move in front, zeros behind.
#[derive(Default)]
pub(super) struct Place {
    pub(super) bytes: Vec<u8>,
    pub(super) length: usize,
}

impl Place {
    pub(super) fn begin(&mut self, state: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(state);
        self.length = state.len();
    }

    #[inline]
    pub(super) fn turn_and_shape(&self, before: usize) -> (usize, u8) {
        (usize::from(self.bytes[0]), self.bytes[before - 1])
    }

    pub(super) fn state(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Becomes a state of N bytes, given as words.
    #[inline]
    pub(super) fn set_words(&mut self, words: &[i64], length: usize) {
        self.bytes.resize(8 * words.len(), 0);
        for (bytes, word) in self.bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        self.length = length;
    }

    /// Makes it ready for code, which runs on it, or on words in the frame; `None` if it can't.
    #[inline]
    pub(super) fn load_for(
        &mut self,
        code: &Backend,
        before: usize,
        frame: &mut Frame,
        codec: &Codec,
    ) -> Option<Option<Narrow<'_>>> {
        if !code.load(&self.bytes[before..self.length], frame, codec)? {
            return Some(None);
        }
        if self.bytes.len() < 8 * code.words() {
            self.bytes.resize(8 * code.words(), 0);
        }
        let leaves = &self.bytes[before..self.length];
        Some(Some(Narrow { room: &self.bytes, leaves }))
    }
}

#[derive(Default)]
pub(super) struct Places {
    pub(super) now: Place,
    pub(super) next: Place,
}
