//! The coarser puzzle of a projection, written out.

use super::keys::{Digit, Keys};
use crate::operators::{Condition, ConditionId, Leaf, Operators, Source, Table, Value, Values};
use rustc_hash::FxHashMap;

/// The most coarser states that one move may lead to.
const MOST_BRANCHES: usize = 256;

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

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Written {
    Copy(u16),
    OneOf(Values),
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
pub(super) struct Edge {
    pub from: u32,
    pub to: u32,
    pub class: u32,
}

/// Makes conditions and writes those of a projection.
pub(super) struct Maker<'p> {
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
pub(super) struct Found {
    /// By state.
    pub numbers: Vec<u64>,
    /// By state and condition: whether it may hold there.
    pub ends: Vec<Vec<bool>>,
    pub edges: Vec<Edge>,
    /// By class: the operators in it.
    pub members: Vec<Vec<u32>>,
}

impl<'p> Maker<'p> {
    /// Looks at all states that are reached from a start, and in which of them conditions may hold.
    pub fn explore(&mut self, start: &[Value], ends: &[ConditionId], most: usize) -> Option<Found> {
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

    pub fn new(puzzle: &'p Operators, keys: &'p Keys) -> Maker<'p> {
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
        *self.numbers.entry(condition).or_insert_with_key(|condition| {
            self.conditions.push(condition.clone());
            self.conditions.len() as u32 - 1
        })
    }

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
            all = may.branches(all, usize::from(*place), MOST_BRANCHES)?;
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

    fn holds(&mut self, condition: u32, values: &[Value]) -> bool {
        let (conditions, known) = (self.conditions, self.known[condition as usize]);
        match &conditions[condition as usize] {
            Reduced::Always => true,
            Reduced::Never => false,
            Reduced::In(place, may) => may.has(values[usize::from(*place)]),
            _ if known.0 == self.state => known.1,
            Reduced::Table(places, rows) => rows[row(self.digits, places, values)],
            compound @ (Reduced::All(parts) | Reduced::Any(parts)) => {
                let holds = match compound {
                    Reduced::All(_) => parts.iter().all(|&part| self.holds(part, values)),
                    _ => parts.iter().any(|&part| self.holds(part, values)),
                };
                self.known[condition as usize] = (self.state, holds);
                holds
            }
        }
    }
}

fn row(digits: &[Digit], places: &[u16], values: &[Value]) -> usize {
    places.iter().rev().fold(0, |row, &place| {
        let digit = &digits[usize::from(place)];
        row * digit.values.len()
            + usize::from(digit.places[usize::from(values[usize::from(place)])])
    })
}
