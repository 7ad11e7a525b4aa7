//! What moves do to all other values while the tested ones go from place to place.
//!
//! Where the tested values are, a *configuration*, says which turns apply and where these values go. All others, the
//! *row*, are shuffled. A turn between two configurations that are known already closes a loop, from the first
//! configuration to itself; whatever moves there are, in a configuration the row is shuffled by a product of what
//! such loops do, and then by one way to it (R. Wilson, *Graph Puzzles, Homotopy, and the Alternating Group*,
//! Journal of Combinatorial Theory B 16, 1974).

use super::group::{Permutation, identity, inverse, product};
use crate::operators::Value;
use crate::turns::{Place, Turn, tested};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most configurations.
const MOST: usize = 1 << 13;
/// The most moves of all configurations together.
const MOST_MOVES: usize = 1 << 16;
/// The most different loops.
const MOST_LOOPS: usize = 1 << 12;

/// By leaf: one and the number of the tested value there, or 0.
type Configuration = Box<[u8]>;

/// The configurations that a start leads to, with loops.
pub(super) struct Loops {
    /// The values that moves test, ascending.
    pub tested: Vec<Value>,
    numbers: FxHashMap<Configuration, usize>,
    /// By configuration: the row is that of the start by this, on one way to it: for each place the one in the
    /// first row that its value comes from.
    ways: Vec<Permutation>,
    /// What loops do to the first row, each once.
    pub generators: Vec<Permutation>,
}

impl Loops {
    /// Those of turns; `None` if there are too many.
    pub fn of(turns: &[Turn], start: &[Value]) -> Option<Loops> {
        let mut loops = Loops {
            tested: tested(turns),
            numbers: FxHashMap::default(),
            ways: Vec::new(),
            generators: Vec::new(),
        };
        let first = loops.configuration(start);
        loops.ways.push(identity(row(&first).len()));
        let mut all = vec![first.clone()];
        loops.numbers.insert(first, 0);
        let (mut at, mut moves, mut known) = (0, 0, FxHashSet::default());
        while at < all.len() {
            for turn in turns {
                let here = &all[at];
                if !loops.applies(here, turn) {
                    continue;
                }
                moves += 1;
                if all.len() > MOST || moves > MOST_MOVES || known.len() > MOST_LOOPS {
                    return None;
                }
                let there: Configuration =
                    turn.from.iter().map(|&from| here[usize::from(from)]).collect();
                let shuffle: Permutation = turn.shuffle(&row(here), &row(&there)).collect();
                let way = product(&loops.ways[at], &shuffle);
                let Some(&to) = loops.numbers.get(&there) else {
                    loops.numbers.insert(there.clone(), all.len());
                    loops.ways.push(way);
                    all.push(there);
                    continue;
                };
                known.insert(product(&way, &inverse(&loops.ways[to])));
            }
            at += 1;
        }
        loops.generators = known.into_iter().collect();
        loops.generators.sort_unstable();
        Some(loops)
    }

    /// One and the number of a tested value; 0 for all others.
    fn number(&self, value: Value) -> u8 {
        self.tested.binary_search(&value).map_or(0, |at| at as u8 + 1)
    }

    /// Where the tested values of a state are.
    fn configuration(&self, state: &[Value]) -> Configuration {
        state.iter().map(|&value| self.number(value)).collect()
    }

    fn applies(&self, configuration: &[u8], turn: &Turn) -> bool {
        let holds = |&(leaf, value)| configuration[usize::from(leaf)] == self.number(value);
        turn.tests.iter().all(holds)
    }

    /// The values of a state but for the tested ones.
    pub fn row(&self, state: &[Value]) -> Vec<Value> {
        let places = row(&self.configuration(state));
        places.into_iter().map(|place| state[usize::from(place)]).collect()
    }

    /// What the first row would have to be for a state to be reached by the way to its configuration alone;
    /// `None` if that is not reached.
    pub fn brought_back(&self, state: &[Value]) -> Option<Vec<Value>> {
        let number = *self.numbers.get(&self.configuration(state))?;
        let row = self.row(state);
        let back = inverse(&self.ways[number]);
        Some(back.iter().map(|&place| row[usize::from(place)]).collect())
    }
}

/// The leaves without a tested value.
fn row(configuration: &[u8]) -> Vec<Place> {
    let places = (0..).zip(configuration).filter(|(_, number)| **number == 0);
    places.map(|(place, _)| place).collect()
}
