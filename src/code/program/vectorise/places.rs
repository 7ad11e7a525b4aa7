//! Sets of places of a board, as bits in words.

/// Places in a word.
pub const PLACES: usize = 64;

/// A set of places: a bit for each, in words of 64, the last of which is not empty.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Places(Vec<u64>);

impl Places {
    pub fn insert(&mut self, at: u16) {
        let (word, bit) = word_and_bit(at);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    pub fn contains(&self, at: u16) -> bool {
        let (word, bit) = word_and_bit(at);
        self.word(word) >> bit & 1 != 0
    }

    /// The places of a word; empty beyond the last.
    pub fn word(&self, number: usize) -> u64 {
        self.0.get(number).copied().unwrap_or(0)
    }

    /// The words that are not empty, with their numbers.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = (usize, u64)> {
        self.0.iter().copied().enumerate().filter(|&(_, bits)| bits != 0)
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = u16> {
        self.words().flat_map(|(word, bits)| {
            let places = (0..PLACES).filter(move |bit| bits >> bit & 1 != 0);
            places.map(move |bit| (word * PLACES + bit) as u16)
        })
    }

    pub fn meets(&self, other: &Places) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    /// The places shifted by an offset; `None` if one is not among the first N leaves.
    pub fn shifted(&self, by: i16, leaves: usize) -> Option<Places> {
        let within = |at: &u16| usize::from(*at) < leaves;
        self.iter().map(|at| at.checked_add_signed(by).filter(within)).collect()
    }
}

impl Extend<u16> for Places {
    fn extend<T: IntoIterator<Item = u16>>(&mut self, places: T) {
        places.into_iter().for_each(|at| self.insert(at));
    }
}

impl FromIterator<u16> for Places {
    fn from_iter<T: IntoIterator<Item = u16>>(places: T) -> Places {
        let mut all = Places::default();
        all.extend(places);
        all
    }
}

/// The word that a place is in, and its bit there.
pub fn word_and_bit(at: u16) -> (usize, u8) {
    let at = usize::from(at);
    (at / PLACES, (at % PLACES) as u8)
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn places_of_several_words_move_over_the_bounds_of_words() {
        let places: Places = [3, 63, 64, 200].into_iter().collect();
        assert_eq!(places.len(), 4);
        assert_eq!(places.words().map(|(word, _)| word).collect::<Vec<_>>(), [0, 1, 3]);
        let moved = places.shifted(-3, 201).expect("all stay places");
        assert_eq!(moved.iter().collect::<Vec<_>>(), [0, 60, 61, 197]);
        assert_eq!(places.shifted(-4, 201), None);
        assert_eq!(places.shifted(1, 201), None);
        assert!(places.contains(64) && !places.contains(65));
        assert!(places.meets(&[200].into_iter().collect()) && !places.meets(&moved));
    }
}
