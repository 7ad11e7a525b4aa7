//! The heuristic of a puzzle: pattern databases where it permutes its leaves, projections and ways of tokens
//! elsewhere.

use super::collections::projections;
use super::escapes::without_unreached;
use super::kept::{Digest, FORM, Kept, kept};
use super::operators::{Leaf, Operators, Value};
use super::partitions::{Partitions, partitions};
use super::pattern_databases::{Cursor, PatternDatabases};
use super::patterns::Budget;
use super::permutation::Permutations;
use super::tokens::Tokens;
use std::cmp::Ordering;
use std::hash::Hash;

/// States of a pattern database that take as long as a state or move of a projection.
const PROJECTED: u64 = 8;
/// Bytes that are held for one of these at most.
const BYTES: u64 = 4;

/// A heuristic that was derived from operators.
#[derive(Clone, Debug)]
pub struct Derived(pub(crate) Box<Kind>);

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Patterns(PatternDatabases),
    Sums(Sums),
}

/// The greater of what both say.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    partitions: Partitions,
    tokens: Option<Tokens>,
}

kept!(Kind: Patterns or Sums);
kept!(Sums { partitions, tokens });

impl Sums {
    /// `None` if one says that there is no plan.
    #[inline]
    fn estimate(&self, state: &[Value]) -> Option<u32> {
        let known = self.partitions.estimate(state)?;
        match &self.tokens {
            Some(tokens) => Some(known.max(tokens.estimate(state)?)),
            None => Some(known),
        }
    }

    fn knows(&self, state: &[Value]) -> bool {
        let tokens = self.tokens.as_ref();
        self.partitions.knows(state) && tokens.is_none_or(|tokens| tokens.knows(state))
    }
}

/// What a derived heuristic is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Summary {
    /// Distances where only these values are told apart, together with those that tests name.
    Patterns {
        /// By table.
        values: Vec<Vec<Value>>,
        /// The values that tests name.
        tested: Vec<Value>,
        /// They are added up, else the greatest counts.
        added: bool,
        /// From how many sides each table is looked into.
        sides: usize,
        /// Neighbours of the goal that a state lacks are counted too.
        features: bool,
    },
    /// Distances where only these leaves are known.
    Projections {
        /// By projection.
        leaves: Vec<Vec<Leaf>>,
        /// In how many ways costs are shared out.
        orders: usize,
        /// Values that move from leaf to leaf, whose ways to the goal are counted too.
        tokens: Vec<Value>,
        /// The leaves that are known in addition to the place of each.
        beside: Vec<Leaf>,
    },
}

impl Derived {
    /// The form of the bytes that are written.
    pub const FORM: u32 = FORM;

    /// The heuristic of a puzzle for what can be reached from a start, which is to say much of the samples;
    /// nothing if it would say 0 of every state.
    pub fn of(
        puzzle: &Operators,
        start: &[Value],
        samples: &[&[Value]],
        budget: Budget,
    ) -> Option<Derived> {
        let most = budget.states.min(budget.bytes / BYTES) / PROJECTED;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let puzzle = &without_unreached(puzzle, start, most / 4);
        if let Ok(permutations) = Permutations::from(puzzle, start) {
            // A start with other values than the goal has no heuristic.
            let found = permutations.has(start);
            let found = found.then(|| PatternDatabases::derive(&permutations, budget));
            let found = found.filter(|found| !found.is_empty());
            return found.map(|found| Derived(Box::new(Kind::Patterns(found))));
        }
        let samples: Vec<&[Value]> = [start].into_iter().chain(samples.iter().copied()).collect();
        let projections = projections(puzzle, start, &samples, most / 2);
        let mut partitions = partitions(puzzle, &projections, &samples, most / 2);
        let tokens = Tokens::of(puzzle, start, &samples, most);
        // Both are kept where each says more of some sample.
        let order = |says: Option<u32>| says.map_or(u64::MAX, u64::from);
        let compared: Vec<Ordering> = tokens
            .iter()
            .flat_map(|tokens| {
                let says = |sample: &&[Value]| order(tokens.estimate(sample));
                samples.iter().map(move |sample| (says(sample), *sample))
            })
            .map(|(says, sample)| says.cmp(&order(partitions.estimate(sample))))
            .collect();
        let tokens = tokens.filter(|_| compared.contains(&Ordering::Greater));
        if tokens.is_some() && !compared.contains(&Ordering::Less) {
            partitions = Partitions::default();
        }
        let says_something = partitions.orders() > 0 || tokens.is_some();
        says_something.then(|| Derived(Box::new(Kind::Sums(Sums { partitions, tokens }))))
    }

    /// What a heuristic belongs to that [`Derived::of`] makes of these: what it makes of others with this key is
    /// the same.
    pub fn key(puzzle: &Operators, start: &[Value], samples: &[&[Value]], budget: Budget) -> u128 {
        let mut digest = Digest::of_version();
        (budget.states, budget.bytes).hash(&mut digest);
        let permutations = match puzzle.has_escapes() {
            true => None,
            false => Permutations::from(puzzle, start).ok().filter(|found| found.has(start)),
        };
        match permutations {
            Some(Permutations { turns, tested, free, goal, labels, slides: _ }) => {
                (turns, tested, free, goal, labels).hash(&mut digest);
            }
            None => (puzzle, start, samples).hash(&mut digest),
        }
        digest.whole()
    }

    /// A lower bound of what a plan from a state costs; `None` if there is no plan. Of states of which nothing
    /// is known it is 0.
    pub fn estimate(&self, state: &[Value]) -> Option<u32> {
        match &*self.0 {
            Kind::Patterns(patterns) => patterns.estimate(state),
            Kind::Sums(sums) => sums.estimate(state),
        }
    }

    /// The same of a state that is a neighbour of another: faster where both have most leaves in common, and
    /// the other is asked of several times in turn.
    #[inline]
    pub fn estimate_near(
        &self,
        cursor: &mut Cursor,
        before: &[Value],
        after: &[Value],
    ) -> Option<u32> {
        match &*self.0 {
            Kind::Patterns(patterns) => patterns.estimate_near(cursor, before, after),
            Kind::Sums(sums) => sums.estimate(after),
        }
    }

    /// The budget from which on more is derived, if that is known.
    pub fn next(&self) -> Option<Budget> {
        match &*self.0 {
            Kind::Patterns(patterns) => patterns.next(),
            Kind::Sums(..) => None,
        }
    }

    /// Whether it is useful for other starts, too.
    pub fn is_for_all_starts(&self) -> bool {
        matches!(*self.0, Kind::Patterns(_))
    }

    /// Whether anything is known of a state.
    pub fn knows(&self, state: &[Value]) -> bool {
        match &*self.0 {
            Kind::Patterns(patterns) => patterns.knows(state),
            Kind::Sums(sums) => sums.knows(state),
        }
    }

    /// What it is made of.
    pub fn summary(&self) -> Summary {
        match &*self.0 {
            Kind::Patterns(found) => {
                // Values as the puzzle has them: those of labels.
                let name = |&value: &Value| match &found.labels {
                    Some(labels) => labels.goal[usize::from(value)],
                    None => value,
                };
                let named = |values: &[Value]| values.iter().map(name).collect();
                Summary::Patterns {
                    values: found.tables.iter().map(|table| named(&table.values)).collect(),
                    tested: named(&found.tested),
                    added: found.charge.is_additive(),
                    sides: found.symmetries.len(),
                    features: found.features.is_some(),
                }
            }
            Kind::Sums(Sums { partitions, tokens }) => Summary::Projections {
                leaves: partitions.patterns().collect(),
                orders: partitions.orders(),
                tokens: tokens.iter().flat_map(|tokens| tokens.values()).collect(),
                beside: tokens.as_ref().map_or_else(Vec::new, |tokens| tokens.control().to_vec()),
            },
        }
    }

    /// As bytes that [`Derived::read`] reads.
    pub fn written(&self) -> Vec<u8> {
        let mut tables = Vec::new();
        self.0.write(&mut tables);
        let digest = Digest::of(&tables);
        let mut bytes = Vec::with_capacity(tables.len() + 20);
        FORM.write(&mut bytes);
        bytes.extend_from_slice(&digest.whole().to_le_bytes());
        bytes.extend_from_slice(&tables);
        bytes
    }

    /// The heuristic that was written; `None` if the bytes are of another form, or not as they were.
    pub fn read(mut bytes: &[u8]) -> Option<Derived> {
        let form = u32::read(&mut bytes)?;
        let (wanted, mut tables) = bytes.split_first_chunk()?;
        let digest = Digest::of(tables);
        if form != FORM || *wanted != digest.whole().to_le_bytes() {
            return None;
        }
        let found = Kept::read(&mut tables)?;
        tables.is_empty().then(|| Derived(Box::new(found)))
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        self.0.held()
    }
}
