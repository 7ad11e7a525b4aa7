//! What a puzzle is told as: operators that test leaves and write values.
//!
//! What is told need not be exact, as long as it allows all that the puzzle allows: a condition that is not
//! [known](Condition::Unknown) may hold, a source that is not [known](Source::Unknown) may be any value. A
//! lower bound of what it costs to reach a goal by the operators is one for the puzzle then.

mod asked;
mod values;

pub use values::Values;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

/// The number of a leaf.
pub type Leaf = u16;
/// The value of a leaf.
pub type Value = u8;
/// The number of a condition.
pub type ConditionId = u32;

/// What a condition says.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// It may hold, or not.
    Unknown,
    /// The value of the leaf is in the set.
    In(Leaf, Values),
    /// What a table says of the values of some leaves.
    Table(Table<bool>),
    /// All of them.
    All(Box<[ConditionId]>),
    /// One of them at least.
    Any(Box<[ConditionId]>),
}

/// A function of some leaves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Table<T> {
    /// The leaves that it is about, each once.
    pub leaves: Box<[Leaf]>,
    /// By row: what it is where the leaves have the values of their domains that the digits of the row's
    /// number say, the first leaf the lowest digit.
    pub rows: Box<[T]>,
}

impl<T> Table<T> {
    /// The rows, with the values of the leaves.
    pub fn each<'t>(
        &'t self,
        domains: &'t [Values],
    ) -> impl Iterator<Item = (Vec<Value>, &'t T)> + use<'t, T> {
        let of: Vec<Vec<Value>> =
            self.leaves.iter().map(|&leaf| domains[usize::from(leaf)].iter().collect()).collect();
        self.rows.iter().enumerate().map(move |(mut row, result)| {
            let digit = |values: &Vec<Value>| {
                let value = values[row % values.len()];
                row /= values.len();
                value
            };
            (of.iter().map(digit).collect(), result)
        })
    }

    /// What it is in the rows where each leaf has one of the values that it may have, of its domain; any where it
    /// is `None`.
    pub(crate) fn among(
        &self,
        domains: &[Values],
        may: impl Fn(Leaf) -> Option<Values>,
    ) -> impl Iterator<Item = &T> {
        let (mut rows, mut weight) = (vec![0], 1);
        for &leaf in &self.leaves {
            let domain = domains[usize::from(leaf)];
            let (values, may) = (domain.iter().enumerate(), may(leaf));
            let digits = values.filter(|&(_, value)| may.is_none_or(|may| may.has(value)));
            let rest = &rows;
            rows = digits
                .flat_map(|(digit, _)| rest.iter().map(move |row| row + digit * weight))
                .collect();
            weight *= domain.len();
        }
        rows.into_iter().map(|row| &self.rows[row])
    }

    /// The value of a leaf, if it is among these of its leaves.
    pub(crate) fn value_of(&self, leaf: Leaf, values: &[Value]) -> Option<Value> {
        self.leaves.iter().position(|&of| of == leaf).map(|at| values[at])
    }
}

/// What is written into a leaf.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// Any value that it may have.
    Unknown,
    /// A value, always the same.
    Value(Value),
    /// The value that a leaf had before.
    Leaf(Leaf),
    /// What a table says of the values that some leaves had before.
    Table(Table<Value>),
    /// The value of the condition that holds: exactly one does where the leaf is written. These depend on more
    /// leaves than a table is for, and only who asks for all that can be known is told them.
    Cases(Box<[(ConditionId, Value)]>),
}

impl Source {
    /// Cases, in one order.
    pub(crate) fn cases(mut cases: Vec<(ConditionId, Value)>) -> Source {
        cases.sort_unstable();
        Source::Cases(cases.into())
    }
}

/// A move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operator {
    /// It applies only where this holds.
    pub condition: ConditionId,
    /// The least that it costs.
    pub cost: u32,
    /// The leaves that change, each once.
    pub writes: Vec<(Leaf, Source)>,
}

impl Operator {
    /// All cases of what is written.
    pub(crate) fn cases(&self) -> impl Iterator<Item = &(ConditionId, Value)> {
        self.writes.iter().flat_map(|(_, source)| match source {
            Source::Cases(cases) => &cases[..],
            _ => &[],
        })
    }
}

/// A puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Operators {
    /// By leaf: the values that it may have; none, if nothing is known of it.
    pub domains: Vec<Values>,
    /// Conditions by number, parts before what they are parts of.
    pub conditions: Vec<Condition>,
    /// All moves.
    pub operators: Vec<Operator>,
    /// No other state is a goal.
    pub goal: ConditionId,
    /// Where this holds nothing is known of what moves lead to.
    pub escape: ConditionId,
    /// Where this holds a move may have no cost that counts: it is negative, or there is none.
    pub unpriced: ConditionId,
    /// Where this holds a move may cost more than is said.
    pub dearer: ConditionId,
    numbers: HashMap<Condition, ConditionId>,
}

impl Hash for Operators {
    fn hash<H: Hasher>(&self, to: &mut H) {
        let Operators {
            domains,
            conditions,
            operators,
            goal,
            escape,
            unpriced,
            dearer,
            numbers: _,
        } = self;
        (domains, conditions, operators, goal, escape, unpriced, dearer).hash(to);
    }
}

impl Operators {
    /// A puzzle over leaves with these values, without moves and goals.
    pub fn new(domains: Vec<Values>) -> Operators {
        let mut puzzle = Operators { domains, ..Operators::default() };
        let never = puzzle.never();
        Operators { goal: never, escape: never, unpriced: never, dearer: never, ..puzzle }
    }

    /// The number of a condition, which is made simpler where it can be.
    pub fn condition(&mut self, condition: Condition) -> ConditionId {
        match condition {
            Condition::In(leaf, values) => {
                let domain = self.domains[usize::from(leaf)];
                let common = values.common(&domain);
                match () {
                    () if domain.is_empty() => self.number(Condition::In(leaf, values)),
                    () if common.is_empty() => self.never(),
                    () if common == domain => self.always(),
                    () => self.number(Condition::In(leaf, common)),
                }
            }
            Condition::Table(table) => match (&table.leaves[..], &table.rows[..]) {
                (_, rows) if !rows.contains(&true) => self.never(),
                (_, rows) if !rows.contains(&false) => self.always(),
                (&[leaf], rows) => {
                    let all = self.domains[usize::from(leaf)].iter().zip(rows);
                    let values = all.filter(|(_, holds)| **holds).map(|(value, _)| value);
                    let values = values.collect();
                    self.condition(Condition::In(leaf, values))
                }
                _ => self.number(Condition::Table(table)),
            },
            Condition::All(parts) => self.all(parts.into()),
            Condition::Any(parts) => self.any(parts.into()),
            Condition::Unknown => self.number(Condition::Unknown),
        }
    }

    /// The number of a condition that is known already, its parts in the order of their numbers.
    pub(crate) fn known(&self, condition: &Condition) -> Option<ConditionId> {
        self.numbers.get(condition).copied()
    }

    fn number(&mut self, condition: Condition) -> ConditionId {
        *self.numbers.entry(condition).or_insert_with_key(|condition| {
            self.conditions.push(condition.clone());
            self.conditions.len() as ConditionId - 1
        })
    }

    /// Holds in every state.
    pub fn always(&mut self) -> ConditionId {
        self.number(Condition::All(Box::default()))
    }

    /// Holds in no state.
    pub fn never(&mut self) -> ConditionId {
        self.number(Condition::Any(Box::default()))
    }

    /// A leaf has a value.
    pub fn is(&mut self, leaf: Leaf, value: Value) -> ConditionId {
        self.condition(Condition::In(leaf, Values::from_iter([value])))
    }

    /// All of these hold.
    pub fn all(&mut self, parts: Vec<ConditionId>) -> ConditionId {
        let (mut simple, mut others) = (BTreeMap::<Leaf, Values>::new(), BTreeSet::new());
        let mut waiting = parts;
        while let Some(part) = waiting.pop() {
            match &self.conditions[part as usize] {
                Condition::All(parts) => waiting.extend(parts),
                Condition::Any(parts) if parts.is_empty() => return part,
                Condition::In(leaf, values) => {
                    let known = simple.entry(*leaf).or_insert(*values);
                    *known = known.common(values);
                }
                _ => drop(others.insert(part)),
            }
        }
        if simple.values().any(Values::is_empty) {
            return self.never();
        }
        // What is known of its leaves counts for a table, too, and what a table says of some leaves for one
        // that says something of more.
        let (mut all, mut tables) = (BTreeSet::new(), Vec::new());
        others.retain(|&part| match &self.conditions[part as usize] {
            Condition::Table(table) => {
                tables.push(table.clone());
                false
            }
            _ => true,
        });
        tables.sort_by_key(|table| std::cmp::Reverse(table.leaves.len()));
        let mut at = 0;
        while at < tables.len() {
            let rest = tables.split_off(at + 1);
            let is_within = |other: &Table<bool>| {
                other.leaves.iter().all(|leaf| tables[at].leaves.contains(leaf))
            };
            let (within, apart): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_within);
            tables[at] = self.narrowed(&tables[at], &simple, &within);
            tables.extend(apart);
            at += 1;
        }
        for table in tables {
            others.insert(self.condition(Condition::Table(table)));
        }
        for part in others {
            match &self.conditions[part as usize] {
                Condition::Any(parts) if parts.is_empty() => return part,
                Condition::All(parts) if parts.is_empty() => {}
                _ => drop(all.insert(part)),
            }
        }
        for (leaf, values) in simple {
            all.insert(self.condition(Condition::In(leaf, values)));
        }
        let all: Vec<ConditionId> = all.into_iter().collect();
        match all[..] {
            [only] => only,
            _ => self.number(Condition::All(all.into())),
        }
    }

    /// A table that holds in no row in which a leaf has another value than these, or in which others, about
    /// some of its leaves, do not hold.
    fn narrowed(
        &self,
        table: &Table<bool>,
        simple: &BTreeMap<Leaf, Values>,
        others: &[Table<bool>],
    ) -> Table<bool> {
        let fits = |values: &[Value]| {
            let may = |(leaf, value): (&Leaf, &Value)| {
                simple.get(leaf).is_none_or(|values| values.has(*value))
            };
            let only = |leaf| table.value_of(leaf, values).map(|value| Values::from_iter([value]));
            let holds = |other: &Table<bool>| other.among(&self.domains, only).all(|&holds| holds);
            table.leaves.iter().zip(values).all(may) && others.iter().all(holds)
        };
        let rows = table.each(&self.domains).map(|(values, &holds)| holds && fits(&values));
        Table { leaves: table.leaves.clone(), rows: rows.collect() }
    }

    /// One of these holds.
    pub fn any(&mut self, parts: Vec<ConditionId>) -> ConditionId {
        let (mut simple, mut all) = (BTreeMap::<Leaf, Values>::new(), BTreeSet::new());
        let mut waiting = parts;
        while let Some(part) = waiting.pop() {
            match &self.conditions[part as usize] {
                Condition::Any(parts) => waiting.extend(parts),
                Condition::All(parts) if parts.is_empty() => return part,
                Condition::In(leaf, values) => {
                    let known = simple.entry(*leaf).or_default();
                    *known = known.union(values);
                }
                _ => drop(all.insert(part)),
            }
        }
        for (leaf, values) in simple {
            let part = self.condition(Condition::In(leaf, values));
            if matches!(&self.conditions[part as usize], Condition::All(parts) if parts.is_empty())
            {
                return part;
            }
            all.insert(part);
        }
        let all: Vec<ConditionId> = all.into_iter().collect();
        match all[..] {
            [only] => only,
            _ => self.number(Condition::Any(all.into())),
        }
    }
}
