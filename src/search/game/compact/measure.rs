//! A number of a state that gets less with most moves: [`Measure`].
//!
//! Where play never comes back to a state, something is used up: empty squares, seeds in the holes. Sums over the parts of
//! a state of what each is to count are learned from moves by a perceptron (F. Rosenblatt, *The Perceptron*,
//! Psychological Review 65, 1958). They say in which order states are settled, and nothing rests on them.

/// Rounds of learning at most, and moves that are looked at in all of them.
const ROUNDS: (usize, usize) = (2000, 10_000_000);
/// A byte at a place counts so much beside its size.
const OWN: i64 = 4;

/// A place where two keys differ, with the byte before a move and behind it.
type Difference = (u16, u8, u8);

/// Moves, as differences of keys.
#[derive(Clone, Default)]
pub(super) struct Changes {
    all: Vec<Difference>,
    ends: Vec<usize>,
    /// The length of the longest key.
    length: usize,
}

impl Changes {
    /// Adds a move, unless its keys have different lengths.
    pub fn push(&mut self, from: &[u8], to: &[u8]) {
        if from.len() != to.len() || from.len() > usize::from(u16::MAX) {
            return;
        }
        let pairs = from.iter().zip(to).zip(0..);
        let differ = pairs.filter(|((before, after), _)| before != after);
        self.all.extend(differ.map(|((&before, &after), at)| (at, before, after)));
        self.ends.push(self.all.len());
        self.length = self.length.max(from.len());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn each(&self) -> impl Iterator<Item = &[Difference]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.all[begin..end])
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Difference>() + self.ends.capacity() * size_of::<usize>()
    }
}

/// Sums over the bytes of keys: of each place what each byte counts, and what its size does.
#[derive(Clone, Default)]
pub(super) struct Measure {
    own: Vec<[i64; 256]>,
    size: Vec<i64>,
}

impl Measure {
    fn falls_by(&self, change: &[Difference]) -> i64 {
        let at = |&(at, before, after): &Difference| {
            let own = &self.own[usize::from(at)];
            OWN * (own[usize::from(before)] - own[usize::from(after)])
                + self.size[usize::from(at)] * (i64::from(before) - i64::from(after))
        };
        change.iter().map(at).sum()
    }

    fn step(&mut self, change: &[Difference]) {
        for &(at, before, after) in change {
            let own = &mut self.own[usize::from(at)];
            own[usize::from(before)] += 1;
            own[usize::from(after)] -= 1;
            self.size[usize::from(at)] += i64::from(before) - i64::from(after);
        }
    }

    /// Learns from moves, on from what it knows. How many of them it falls with then.
    pub fn learn(&mut self, moves: &Changes) -> usize {
        let length = moves.length.max(self.own.len());
        self.own.resize(length, [0; 256]);
        self.size.resize(length, 0);
        let rounds = (ROUNDS.1 / moves.len().max(1)).clamp(1, ROUNDS.0);
        let mut best = (self.clone(), 0);
        for _ in 0..rounds {
            let mut wrong = 0;
            for change in moves.each() {
                if self.falls_by(change) <= 0 {
                    self.step(change);
                    wrong += 1;
                }
            }
            // Learning from the last ones may have spoilt it for others.
            if moves.len() - wrong >= best.1 {
                let falls = moves.each().filter(|change| self.falls_by(change) > 0).count();
                if falls > best.1 {
                    best = (self.clone(), falls);
                }
            }
            if wrong == 0 {
                break;
            }
        }
        *self = best.0;
        best.1
    }

    /// What a key comes to.
    pub fn of(&self, key: &[u8]) -> i64 {
        let places = key.iter().zip(self.own.iter().zip(&self.size));
        places
            .map(|(&byte, (own, size))| OWN * own[usize::from(byte)] + size * i64::from(byte))
            .sum()
    }
}
