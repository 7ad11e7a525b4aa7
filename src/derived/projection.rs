//! Projections: coarser puzzles that know the values of some leaves alone.
//!
//! What a condition says of other leaves may hold; what is copied from them may be any value that they may
//! have. All coarser states that can be reached from the coarser starts are written out, with their moves,
//! so that distances can be found for several costs of the operators (S. Edelkamp, *Planning with Pattern
//! Databases*, ECP 2001).

use super::kept::{Kept, kept};
use super::operators::{Condition, ConditionId, Leaf, Operators, Source, Table, Value, Values};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No distance: a goal can't be reached.
pub(crate) const UNREACHED: u32 = u32::MAX;
/// The most coarser states that one move may lead to.
const MOST_BRANCHES: usize = 256;
/// Numbers of states are below this.
const MOST_KEYS: u64 = 1 << 62;
/// The most numbers for which there is an array.
const DENSE: u64 = 1 << 22;

/// Where a leaf stands in the number of a coarser state.
#[derive(Clone, Debug)]
struct Digit {
    leaf: Leaf,
    weight: u64,
    /// The values of the leaf, ascending.
    values: Box<[Value]>,
    /// By value: its place among them.
    places: Box<[u8; 256]>,
}

/// Numbers of coarser states: of the values of their leaves.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    digits: Box<[Digit]>,
    count: u64,
}

kept!(Digit { leaf, weight, values, places });
kept!(Keys { digits, count });

impl Keys {
    /// Of these leaves; `None` if there are too many states, or nothing is known of one.
    pub fn new(puzzle: &Operators, leaves: &[Leaf]) -> Option<Keys> {
        let (mut digits, mut count) = (Vec::with_capacity(leaves.len()), 1u64);
        for &leaf in leaves {
            let values: Box<[Value]> = puzzle.domains[usize::from(leaf)].iter().collect();
            let mut places = Box::new([u8::MAX; 256]);
            for (place, &value) in (0..).zip(&values) {
                places[usize::from(value)] = place;
            }
            let weight = count;
            count = count.checked_mul(values.len() as u64).filter(|&all| all < MOST_KEYS)?;
            digits.push(Digit { leaf, weight, values, places });
        }
        (count > 0).then_some(Keys { digits: digits.into(), count })
    }

    /// The leaves.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf> {
        self.digits.iter().map(|digit| digit.leaf)
    }

    /// The number of a state; `None` if a leaf has a value that is not expected.
    #[inline]
    pub fn of(&self, state: &[Value]) -> Option<u64> {
        let mut key = 0;
        for digit in &self.digits {
            let value = *state.get(usize::from(digit.leaf))?;
            let place = digit.places[usize::from(value)];
            if usize::from(place) >= digit.values.len() {
                return None;
            }
            key += u64::from(place) * digit.weight;
        }
        Some(key)
    }

    /// The values of the leaves, in order.
    fn split(&self, key: u64, values: &mut [Value]) {
        for (digit, value) in self.digits.iter().zip(values) {
            let place = key / digit.weight % digit.values.len() as u64;
            *value = digit.values[place as usize];
        }
    }

    /// The number of a state with these values of the leaves.
    fn join(&self, values: &[Value]) -> u64 {
        let digits = self.digits.iter().zip(values);
        digits.map(|(d, &value)| u64::from(d.places[usize::from(value)]) * d.weight).sum()
    }
}

/// What a table of a projection says, by number of a coarser state.
#[derive(Clone, Debug)]
pub(crate) enum Distances {
    Dense(Box<[u16]>),
    Sparse(FxHashMap<u64, u16>),
}

/// What tables have for states from which no goal can be reached.
const NO_GOAL: u16 = u16::MAX;

impl Kept for Distances {
    fn write(&self, to: &mut Vec<u8>) {
        match self {
            Distances::Dense(all) => {
                true.write(to);
                all.write(to);
            }
            Distances::Sparse(all) => {
                false.write(to);
                all.write(to);
            }
        }
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(match bool::read(from)? {
            true => Distances::Dense(Kept::read(from)?),
            false => Distances::Sparse(Kept::read(from)?),
        })
    }

    fn held(&self) -> usize {
        match self {
            Distances::Dense(all) => all.held(),
            Distances::Sparse(all) => all.held(),
        }
    }
}

impl Distances {
    /// What it says of a state; of one that was not expected 0. `None` if there is no plan.
    #[inline]
    pub fn of(&self, key: u64) -> Option<u32> {
        let distance = match self {
            Distances::Dense(all) => all[key as usize],
            Distances::Sparse(all) => all.get(&key).copied().unwrap_or(0),
        };
        (distance != NO_GOAL).then_some(u32::from(distance))
    }

    /// Whether a state was met; of an array that is not told.
    pub fn has(&self, key: u64) -> bool {
        match self {
            Distances::Dense(_) => true,
            Distances::Sparse(all) => all.contains_key(&key),
        }
    }
}

/// A condition about the leaves that are known alone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Reduced {
    /// May hold in every state.
    Always,
    Never,
    /// The value at a place is in the set.
    In(u16, Values),
    /// By the values at places.
    Table(Box<[u16]>, Box<[bool]>),
    All(Box<[u32]>),
    Any(Box<[u32]>),
}

/// What is written at a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Written {
    Copy(u16),
    OneOf(Values),
    /// By the values at places: what it may be.
    Table(Box<[u16]>, Box<[Values]>),
}

/// Operators that are the same to a projection.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Class {
    condition: u32,
    writes: Vec<(u16, Written)>,
}

/// A move between coarser states.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    to: u32,
    class: u32,
}

/// All coarser states that can be reached, with their moves.
#[derive(Debug)]
pub(crate) struct Projection {
    pub keys: Keys,
    /// By state.
    numbers: Vec<u64>,
    goals: Vec<bool>,
    /// Ordered by where they lead.
    edges: Vec<Edge>,
    /// By state, and one more: where the edges that lead there begin.
    first: Vec<u32>,
    /// By class: the operators in it.
    members: Vec<Vec<u32>>,
}

impl Projection {
    /// Writes a projection out, from a start, with no more states and moves than that; `None` if there are
    /// more.
    pub fn explore(
        puzzle: &Operators,
        leaves: &[Leaf],
        start: &[Value],
        most: usize,
    ) -> Option<Projection> {
        let keys = Keys::new(puzzle, leaves)?;
        let (mut maker, ends) = (Maker::new(puzzle, &keys), [puzzle.goal, puzzle.escape]);
        let found = maker.explore(start, &ends, most)?;
        let Found { numbers, ends, mut edges, members } = found;
        let goals = ends.iter().map(|ends| ends.contains(&true)).collect();
        edges.sort_unstable_by_key(|edge| edge.to);
        let mut first = vec![0u32; numbers.len() + 1];
        for edge in &edges {
            first[edge.to as usize + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        Some(Projection { keys, numbers, goals, edges, first, members })
    }

    /// By condition: whether it may hold in a state that is reached from a start, behind which nothing is
    /// looked at. `None` if there are more states and moves than that.
    pub fn may_hold(
        puzzle: &Operators,
        leaves: &[Leaf],
        start: &[Value],
        conditions: &[ConditionId],
        most: usize,
    ) -> Option<Vec<bool>> {
        let keys = Keys::new(puzzle, leaves)?;
        let found = Maker::new(puzzle, &keys).explore(start, conditions, most)?;
        let mut holds = vec![false; conditions.len()];
        for ends in found.ends {
            holds.iter_mut().zip(ends).for_each(|(holds, end)| *holds |= end);
        }
        Some(holds)
    }

    /// How much was written out.
    pub fn size(&self) -> usize {
        self.numbers.len() + self.edges.len()
    }

    /// By state: what reaching a goal costs at least, by the costs of the operators.
    pub fn distances(&self, costs: &[u32]) -> Vec<u32> {
        let class_costs: Vec<u32> = self
            .members
            .iter()
            .map(|members| members.iter().map(|&of| costs[of as usize]).min().unwrap_or(0))
            .collect();
        let mut distances = vec![UNREACHED; self.numbers.len()];
        let mut waiting = BinaryHeap::new();
        for (state, &is_goal) in (0u32..).zip(&self.goals) {
            if is_goal {
                distances[state as usize] = 0;
                waiting.push(Reverse((0u32, state)));
            }
        }
        while let Some(Reverse((distance, state))) = waiting.pop() {
            if distance > distances[state as usize] {
                continue;
            }
            let [begin, end] = [0, 1].map(|more| self.first[state as usize + more] as usize);
            for edge in &self.edges[begin..end] {
                let farther = distance.saturating_add(class_costs[edge.class as usize]);
                let known = &mut distances[edge.from as usize];
                if farther < *known {
                    *known = farther;
                    waiting.push(Reverse((farther, edge.from)));
                }
            }
        }
        distances
    }

    /// By operator: what it has to cost at least for distances to be what they are; 0 where it may cost
    /// less.
    pub fn saturate(&self, distances: &[u32], mut each: impl FnMut(usize, u32)) {
        let mut needed = vec![0u32; self.members.len()];
        for edge in &self.edges {
            let [from, to] = [edge.from, edge.to].map(|state| distances[state as usize]);
            if from != UNREACHED && to != UNREACHED {
                let needed = &mut needed[edge.class as usize];
                *needed = (*needed).max(from.saturating_sub(to));
            }
        }
        for (members, needed) in self.members.iter().zip(needed) {
            for &operator in members {
                each(operator as usize, needed);
            }
        }
    }

    /// The distance of a state, of those that were found.
    pub fn table(&self, distances: &[u32]) -> Distances {
        let clipped = |distance: u32| match distance {
            UNREACHED => NO_GOAL,
            distance => distance.min(u32::from(NO_GOAL) - 1) as u16,
        };
        let all = self.numbers.iter().zip(distances);
        if self.keys.count <= DENSE.min(64 * self.numbers.len() as u64) {
            let mut dense = vec![0; self.keys.count as usize];
            all.for_each(|(&key, &distance)| dense[key as usize] = clipped(distance));
            return Distances::Dense(dense.into());
        }
        Distances::Sparse(all.map(|(&key, &distance)| (key, clipped(distance))).collect())
    }
}

/// Makes conditions and writes those of a projection.
struct Maker<'p> {
    puzzle: &'p Operators,
    keys: &'p Keys,
    /// By leaf: its place in the projection.
    places: FxHashMap<Leaf, u16>,
    conditions: Vec<Reduced>,
    numbers: FxHashMap<Reduced, u32>,
    /// By condition of the puzzle.
    known: Vec<Option<u32>>,
}

/// What is reached from a start.
struct Found {
    /// By state.
    numbers: Vec<u64>,
    /// By state and condition: whether it may hold there.
    ends: Vec<Vec<bool>>,
    edges: Vec<Edge>,
    members: Vec<Vec<u32>>,
}

impl<'p> Maker<'p> {
    /// Looks at all states that are reached from a start, and in which of them conditions may hold.
    fn explore(&mut self, start: &[Value], ends: &[ConditionId], most: usize) -> Option<Found> {
        let (classes, members) = self.classes();
        let conditions: Vec<u32> = ends.iter().map(|&end| self.reduced(end)).collect();
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let (mut numbers, mut ends, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        let key = self.keys.of(start)?;
        known.insert(key, 0);
        numbers.push(key);
        let mut values = vec![0; self.keys.digits.len()];
        let mut asker = Asker::new(&self.conditions, &self.keys.digits);
        let mut at = 0;
        while at < numbers.len() {
            self.keys.split(numbers[at], &mut values);
            asker.next();
            let mut here: Vec<bool> =
                conditions.iter().map(|&end| asker.holds(end, &values)).collect();
            for (number, class) in (0..).zip(&classes) {
                if !asker.holds(class.condition, &values) {
                    continue;
                }
                let Some(after) = self.after(class, &values) else {
                    // Too many: as if all held.
                    here.fill(true);
                    continue;
                };
                for key in after {
                    let to = *known.entry(key).or_insert_with(|| {
                        numbers.push(key);
                        numbers.len() as u32 - 1
                    });
                    if to as usize != at {
                        edges.push(Edge { from: at as u32, to, class: number });
                    }
                }
                if numbers.len() + edges.len() > most {
                    return None;
                }
            }
            ends.push(here);
            at += 1;
        }
        Some(Found { numbers, ends, edges, members })
    }

    fn new(puzzle: &'p Operators, keys: &'p Keys) -> Maker<'p> {
        Maker {
            puzzle,
            keys,
            places: keys.leaves().zip(0..).collect(),
            conditions: Vec::new(),
            numbers: FxHashMap::default(),
            known: vec![None; puzzle.conditions.len()],
        }
    }

    fn number(&mut self, condition: Reduced) -> u32 {
        if let Some(&known) = self.numbers.get(&condition) {
            return known;
        }
        self.conditions.push(condition.clone());
        let number = self.conditions.len() as u32 - 1;
        self.numbers.insert(condition, number);
        number
    }

    /// Where a condition may hold.
    fn reduced(&mut self, condition: ConditionId) -> u32 {
        if let Some(known) = self.known[condition as usize] {
            return known;
        }
        let puzzle = self.puzzle;
        let reduced = match &puzzle.conditions[condition as usize] {
            Condition::Unknown => Reduced::Always,
            Condition::In(leaf, values) => {
                let domain = puzzle.domains[usize::from(*leaf)];
                let common = values.common(&domain);
                match self.places.get(leaf) {
                    _ if domain.is_empty() => Reduced::Always,
                    _ if common.is_empty() => Reduced::Never,
                    Some(_) if common == domain => Reduced::Always,
                    Some(&place) => Reduced::In(place, common),
                    None => Reduced::Always,
                }
            }
            Condition::Table(table) => {
                let (places, rows) = self.projected(table, |may, &holds| *may |= holds);
                match () {
                    () if !rows.contains(&true) => Reduced::Never,
                    () if !rows.contains(&false) => Reduced::Always,
                    () => Reduced::Table(places, rows),
                }
            }
            Condition::All(parts) => self.joined(parts, true),
            Condition::Any(parts) => self.joined(parts, false),
        };
        let number = self.number(reduced);
        self.known[condition as usize] = Some(number);
        number
    }

    /// All of the parts, or any of them.
    fn joined(&mut self, parts: &[ConditionId], all: bool) -> Reduced {
        let (neutral, decisive) = match all {
            true => (Reduced::Always, Reduced::Never),
            false => (Reduced::Never, Reduced::Always),
        };
        let mut left = Vec::with_capacity(parts.len());
        for &part in parts {
            let part = self.reduced(part);
            match &self.conditions[part as usize] {
                reduced if *reduced == decisive => return decisive,
                reduced if *reduced == neutral => {}
                _ => left.push(part),
            }
        }
        left.sort_unstable();
        left.dedup();
        match left[..] {
            [] => neutral,
            [only] => self.conditions[only as usize].clone(),
            _ if all => Reduced::All(left.into()),
            _ => Reduced::Any(left.into()),
        }
    }

    /// A table about the leaves that are known alone: the rows of all others together.
    fn projected<T, R: Clone + Default>(
        &self,
        table: &Table<T>,
        mut join: impl FnMut(&mut R, &T),
    ) -> (Box<[u16]>, Box<[R]>) {
        let kept: Vec<usize> = (0..table.leaves.len())
            .filter(|&at| self.places.contains_key(&table.leaves[at]))
            .collect();
        let places: Box<[u16]> = kept.iter().map(|&at| self.places[&table.leaves[at]]).collect();
        let sizes = places.iter().map(|&place| self.keys.digits[usize::from(place)].values.len());
        let mut rows = vec![R::default(); sizes.product()];
        for (values, result) in table.each(&self.puzzle.domains) {
            let mut row = 0;
            for (&at, &place) in kept.iter().zip(&places).rev() {
                let digit = &self.keys.digits[usize::from(place)];
                row = row * digit.values.len() + usize::from(digit.places[usize::from(values[at])]);
            }
            join(&mut rows[row], result);
        }
        (places, rows.into())
    }

    /// The operators that change something, those that are the same together.
    fn classes(&mut self) -> (Vec<Class>, Vec<Vec<u32>>) {
        let puzzle = self.puzzle;
        let (mut classes, mut members): (Vec<Class>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
        let mut known: FxHashMap<Class, usize> = FxHashMap::default();
        for (number, operator) in (0u32..).zip(&puzzle.operators) {
            let mut writes = Vec::new();
            for (leaf, source) in &operator.writes {
                if let Some(&place) = self.places.get(leaf) {
                    let written = self.written(operator.condition, *leaf, source);
                    if written != Written::Copy(place) {
                        writes.push((place, written));
                    }
                }
            }
            let condition = self.reduced(operator.condition);
            if writes.is_empty() || self.conditions[condition as usize] == Reduced::Never {
                continue;
            }
            let class = Class { condition, writes };
            let at = *known.entry(class.clone()).or_insert_with(|| {
                classes.push(class);
                members.push(Vec::new());
                members.len() - 1
            });
            members[at].push(number);
        }
        (classes, members)
    }

    fn written(&self, condition: ConditionId, leaf: Leaf, source: &Source) -> Written {
        let domain = self.puzzle.domains[usize::from(leaf)];
        match source {
            Source::Unknown | Source::Cases(_) => Written::OneOf(domain),
            Source::Value(value) => Written::OneOf(Values::from_iter([*value])),
            Source::Leaf(from) => match self.places.get(from) {
                Some(&place) => Written::Copy(place),
                None => {
                    let may = self.puzzle.may(condition, *from);
                    Written::OneOf(if may.is_empty() { domain } else { may })
                }
            },
            Source::Table(table) => {
                let (places, rows) = self.projected(table, |may: &mut Values, &value| {
                    may.insert(value);
                });
                match &rows[..] {
                    [only] => Written::OneOf(*only),
                    _ => Written::Table(places, rows),
                }
            }
        }
    }

    /// The numbers of the states that a move leads to; `None` if there are very many.
    fn after(&self, class: &Class, values: &[Value]) -> Option<Vec<u64>> {
        let mut all = vec![values.to_vec()];
        for (place, written) in &class.writes {
            let may = match written {
                Written::Copy(from) => Values::from_iter([values[usize::from(*from)]]),
                Written::OneOf(may) => *may,
                Written::Table(places, rows) => rows[row(&self.keys.digits, places, values)],
            };
            // What a leaf is not expected to be is given back.
            let may = may.common(
                &self.puzzle.domains[usize::from(self.keys.digits[usize::from(*place)].leaf)],
            );
            let may: Vec<Value> = may.iter().collect();
            if all.len() * may.len() > MOST_BRANCHES {
                return None;
            }
            let with = |state: &Vec<Value>| {
                let state = state.clone();
                let place = usize::from(*place);
                may.iter()
                    .map(move |&value| {
                        let mut state = state.clone();
                        state[place] = value;
                        state
                    })
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        Some(all.iter().map(|state| self.keys.join(state)).collect())
    }
}

/// Asks conditions of one state after the other.
struct Asker<'m> {
    conditions: &'m [Reduced],
    digits: &'m [Digit],
    /// By condition: the number of the state that it was asked of last, and whether it held.
    known: Vec<(u32, bool)>,
    state: u32,
}

impl<'m> Asker<'m> {
    fn new(conditions: &'m [Reduced], digits: &'m [Digit]) -> Asker<'m> {
        Asker { conditions, digits, known: vec![(0, false); conditions.len()], state: 0 }
    }

    /// Goes on to another state.
    fn next(&mut self) {
        self.state += 1;
    }

    /// Whether a condition holds in the state, whose leaves have these values.
    fn holds(&mut self, condition: u32, values: &[Value]) -> bool {
        let (conditions, known) = (self.conditions, self.known[condition as usize]);
        match &conditions[condition as usize] {
            Reduced::Always => true,
            Reduced::Never => false,
            Reduced::In(place, may) => may.has(values[usize::from(*place)]),
            _ if known.0 == self.state => known.1,
            Reduced::Table(places, rows) => rows[row(self.digits, places, values)],
            Reduced::All(parts) => {
                let holds = parts.iter().all(|&part| self.holds(part, values));
                self.known[condition as usize] = (self.state, holds);
                holds
            }
            Reduced::Any(parts) => {
                let holds = parts.iter().any(|&part| self.holds(part, values));
                self.known[condition as usize] = (self.state, holds);
                holds
            }
        }
    }
}

/// The row of a table for values at places.
fn row(digits: &[Digit], places: &[u16], values: &[Value]) -> usize {
    places.iter().rev().fold(0, |row, &place| {
        let digit = &digits[usize::from(place)];
        row * digit.values.len()
            + usize::from(digit.places[usize::from(values[usize::from(place)])])
    })
}
