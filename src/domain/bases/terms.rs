//! Terms as bytes that mean the same in every session: [`Terms`].

use zug_base::{BaseError, Meta, WordList};
use zug_machine::Machine;
use zug_state::Codec;
use zug_term::{Cell, Heap, varint};

/// How a base writes states and players.
pub struct Terms {
    pub(crate) codec: Codec,
    /// The players, packed, by their numbers in the base.
    pub(crate) players: Vec<Vec<u8>>,
}

impl Terms {
    /// Reads the words of a base; `None` if they make no sense.
    ///
    /// # Errors
    /// What `words` says.
    pub fn read(
        m: &mut Machine,
        meta: &Meta,
        words: impl Fn(WordList) -> Result<Vec<Vec<u8>>, BaseError>,
    ) -> Result<Option<Terms>, BaseError> {
        let mut terms = Terms { codec: Codec::new(), players: Vec::new() };
        for list in WordList::ALL {
            for word in words(list)? {
                if terms.learn(m, list, word).is_none() {
                    return Ok(None);
                }
            }
        }
        if meta.shapes_full {
            terms.codec.fill();
        }
        Ok(Some(terms))
    }

    /// All words, as bytes from which [`Terms::of_vocabulary`] makes the same.
    pub(crate) fn vocabulary(&mut self, m: &Machine) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.codec.is_full())];
        for (_, _, words) in self.new_words(m, [0; 4]) {
            varint::push(words.len() as u64, &mut bytes);
            for word in words {
                varint::push(word.len() as u64, &mut bytes);
                bytes.extend_from_slice(&word);
            }
        }
        bytes
    }

    /// What was written by [`Terms::vocabulary`], nothing if there is nothing; `None` if it makes no sense.
    pub(crate) fn of_vocabulary(m: &mut Machine, bytes: &[u8]) -> Option<Terms> {
        let mut terms = Terms { codec: Codec::new(), players: Vec::new() };
        let Some((&full, mut rest)) = bytes.split_first() else { return Some(terms) };
        for list in WordList::ALL {
            for _ in 0..varint::take(&mut rest)? {
                let length = varint::take_size(&mut rest)?;
                let (word, after) = rest.split_at_checked(length)?;
                terms.learn(m, list, word.to_vec())?;
                rest = after;
            }
        }
        if full != 0 {
            terms.codec.fill();
        }
        rest.is_empty().then_some(terms)
    }

    fn learn(&mut self, m: &mut Machine, list: WordList, word: Vec<u8>) -> Option<()> {
        match list {
            WordList::Functors => self.codec.learn_functor(&mut m.symbols, &word),
            WordList::Shapes => self.codec.learn_shape(&word),
            WordList::Constants => self.codec.learn_constant(&mut m.symbols, &word),
            WordList::Players => {
                self.players.push(word);
                Some(())
            }
        }
    }

    /// How many words there are of each list.
    pub(super) fn counts(&self) -> [usize; 4] {
        let [functors, shapes, constants] = self.codec.counts();
        [functors, shapes, constants, self.players.len()]
    }

    /// The words from these numbers on.
    pub(super) fn new_words(
        &mut self,
        m: &Machine,
        from: [usize; 4],
    ) -> Vec<(WordList, u32, Vec<Vec<u8>>)> {
        self.codec.number_functors();
        let [functors, shapes, constants, players] = from;
        let lists = [
            self.codec.functor_words(&m.symbols, functors),
            self.codec.shape_words(shapes),
            self.codec.constant_words(&m.symbols, constants),
            self.players[players..].to_vec(),
        ];
        let numbered = WordList::ALL.into_iter().zip(from).zip(lists);
        numbered.map(|((list, first), words)| (list, first as u32, words)).collect()
    }

    /// A term as bytes; `None` if it is cyclic or too large.
    pub(crate) fn pack(&mut self, heap: &mut Heap, term: Cell) -> Option<&[u8]> {
        self.codec.encode_bytes(heap, term).ok()
    }
}
