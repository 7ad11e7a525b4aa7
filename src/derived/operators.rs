//! What a puzzle is told as: operators that test leaves and write values.
//!
//! What is told need not be exact, as long as it allows all that the puzzle allows: a condition that is not
//! [known](Condition::Unknown) may hold, a source that is not [known](Source::Unknown) may be any value. A
//! lower bound of what it costs to reach a goal by the operators is one for the puzzle then.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

/// The number of a leaf.
pub type Leaf = u16;
/// The value of a leaf.
pub type Value = u8;
/// The number of a condition.
pub type ConditionId = u32;

/// A set of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Values([u64; 4]);

impl Values {
    /// Whether a value is in it.
    pub fn has(&self, value: Value) -> bool {
        self.0[usize::from(value / 64)] >> (value % 64) & 1 != 0
    }

    /// What is in both sets.
    #[must_use]
    pub fn common(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    /// What is in one of them.
    #[must_use]
    pub fn union(&self, other: &Values) -> Values {
        Values(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        *self == Values::default()
    }

    /// With one more.
    #[inline]
    pub fn insert(&mut self, value: Value) {
        self.0[usize::from(value / 64)] |= 1 << (value % 64);
    }

    /// How many are in it.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Value> + Clone + use<> {
        let (words, mut at, mut left) = (self.0, 0, self.0[0]);
        std::iter::from_fn(move || {
            while left == 0 {
                at += 1;
                left = *words.get(at)?;
            }
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            Some((at * 64 + bit) as Value)
        })
    }

    /// The only value, if there is one.
    pub fn only(&self) -> Option<Value> {
        let mut all = self.iter();
        all.next().filter(|_| all.next().is_none())
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Values {
        let mut set = Values::default();
        for value in values {
            set.insert(value);
        }
        set
    }
}

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
    /// The number of the row for values of leaves.
    fn row(&self, domains: &[Values], values: &BTreeMap<Leaf, Value>) -> usize {
        self.leaves.iter().rev().fold(0, |row, leaf| {
            let domain = domains[usize::from(*leaf)];
            let place = domain.iter().position(|value| values.get(leaf) == Some(&value));
            row * domain.iter().count() + place.unwrap_or(0)
        })
    }

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
        if let Some(&known) = self.numbers.get(&condition) {
            return known;
        }
        let number = self.conditions.len() as ConditionId;
        self.conditions.push(condition.clone());
        self.numbers.insert(condition, number);
        number
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
            let all: BTreeMap<Leaf, Value> =
                table.leaves.iter().copied().zip(values.iter().copied()).collect();
            let may = |(leaf, value): (&Leaf, &Value)| {
                simple.get(leaf).is_none_or(|values| values.has(*value))
            };
            let holds = |other: &Table<bool>| other.rows[other.row(&self.domains, &all)];
            all.iter().all(may) && others.iter().all(holds)
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

    /// Whether there may be states of which it is not known what moves lead to.
    pub fn has_escapes(&self) -> bool {
        self.ways(self.escape, 0).is_none()
    }

    /// Whether all leaves of a state have values that are expected.
    pub fn expects(&self, state: &[Value]) -> bool {
        let of = self.domains.iter().zip(state);
        of.into_iter().all(|(domain, &value)| domain.is_empty() || domain.has(value))
    }

    /// The rows of all tables, each condition and operator for one more.
    pub fn rows(&self) -> usize {
        let conditions = self.conditions.iter().map(|condition| match condition {
            Condition::Table(table) => 1 + table.rows.len(),
            _ => 1,
        });
        let sources = self.operators.iter().flat_map(|operator| &operator.writes);
        let sources = sources.map(|(_, source)| match source {
            Source::Table(table) => 1 + table.rows.len(),
            _ => 1,
        });
        conditions.chain(sources).sum()
    }

    /// How many leaves a state has.
    pub fn leaves(&self) -> usize {
        self.domains.len()
    }

    /// What a leaf may be where a condition holds; nothing if that is not known.
    pub fn may(&self, condition: ConditionId, leaf: Leaf) -> Values {
        let parts = match &self.conditions[condition as usize] {
            Condition::All(parts) => &parts[..],
            _ => &[condition],
        };
        let domain = self.domains[usize::from(leaf)];
        parts.iter().fold(domain, |may, &part| match &self.conditions[part as usize] {
            Condition::In(of, values) if *of == leaf => may.common(values),
            _ => may,
        })
    }

    /// The values that leaves may have in the states that moves lead to from those whose leaves have the values
    /// of their domains, and in these: the domains, if they are closed. By `all`, a leaf that gets a value that is
    /// not known may have any of those. Leaves of which nothing is known stay so.
    pub fn reached(&self, all: &[Values]) -> Vec<Values> {
        let mut reached = self.domains.clone();
        for operator in &self.operators {
            if self.ways(operator.condition, 0).is_some() {
                continue;
            }
            for (leaf, source) in &operator.writes {
                let known = &mut reached[usize::from(*leaf)];
                if known.is_empty() {
                    continue;
                }
                let new = match source {
                    Source::Unknown => all[usize::from(*leaf)],
                    Source::Value(value) => Values::from_iter([*value]),
                    Source::Leaf(from) => self.may(operator.condition, *from),
                    Source::Table(table) => {
                        let rows = table.each(&self.domains).filter(|(values, _)| {
                            let all: BTreeMap<Leaf, Value> =
                                table.leaves.iter().copied().zip(values.iter().copied()).collect();
                            self.may_hold_where(operator.condition, &|leaf| all.get(&leaf).copied())
                        });
                        rows.map(|(_, &value)| value).collect()
                    }
                    Source::Cases(cases) => {
                        let may = |(condition, _): &&(ConditionId, Value)| {
                            self.ways(*condition, 0).is_none()
                        };
                        cases.iter().filter(may).map(|&(_, value)| value).collect()
                    }
                };
                *known = known.union(&new);
            }
        }
        reached
    }

    /// Whether a condition may hold where the first leaves have these values.
    pub fn may_hold(&self, condition: ConditionId, first: &[Value]) -> bool {
        self.may_hold_where(condition, &|leaf| first.get(usize::from(leaf)).copied())
    }

    /// Whether a condition may hold where some leaves have these values.
    pub(crate) fn may_hold_where(
        &self,
        condition: ConditionId,
        value: &dyn Fn(Leaf) -> Option<Value>,
    ) -> bool {
        match &self.conditions[condition as usize] {
            Condition::Unknown => true,
            Condition::In(leaf, values) => {
                let domain = self.domains[usize::from(*leaf)];
                match value(*leaf) {
                    Some(value) => values.has(value),
                    None => domain.is_empty() || !values.common(&domain).is_empty(),
                }
            }
            Condition::Table(table) => table.each(&self.domains).any(|(values, &holds)| {
                let mut all = table.leaves.iter().zip(values);
                holds && all.all(|(&leaf, here)| value(leaf).is_none_or(|value| value == here))
            }),
            Condition::All(parts) => parts.iter().all(|&part| self.may_hold_where(part, value)),
            Condition::Any(parts) => parts.iter().any(|&part| self.may_hold_where(part, value)),
        }
    }

    /// The ways in which a condition may hold, if it is known: values that leaves have in each, ascending by
    /// leaf. `None` if it is not known, or if there are more than so many.
    pub fn ways(&self, condition: ConditionId, most: usize) -> Option<Vec<Vec<(Leaf, Value)>>> {
        let mut ways: Vec<Vec<(Leaf, Value)>> = match &self.conditions[condition as usize] {
            Condition::Unknown => return None,
            Condition::In(leaf, values) => {
                let domain = self.domains[usize::from(*leaf)];
                let may = if domain.is_empty() { *values } else { values.common(&domain) };
                may.iter().map(|value| vec![(*leaf, value)]).collect()
            }
            Condition::Table(table) => {
                let rows = table.each(&self.domains).filter(|(_, holds)| **holds);
                let pairs = |values: Vec<Value>| table.leaves.iter().copied().zip(values).collect();
                rows.map(|(values, _)| pairs(values)).collect()
            }
            Condition::Any(parts) => {
                let mut all = Vec::new();
                for &part in parts {
                    all.extend(self.ways(part, most)?);
                    if all.len() > most {
                        return None;
                    }
                }
                all
            }
            Condition::All(parts) => {
                let mut all = vec![Vec::new()];
                for &part in parts {
                    let ways = self.ways(part, most)?;
                    if all.len() * ways.len() > most {
                        return None;
                    }
                    let joined = |one: &Vec<_>| {
                        let one = one.clone();
                        ways.iter().map(move |way| [&one[..], way].concat()).collect::<Vec<_>>()
                    };
                    all = all.iter().flat_map(joined).collect();
                }
                all
            }
        };
        for way in &mut ways {
            way.sort_unstable();
            way.dedup();
        }
        // A leaf has one value.
        ways.retain(|way| way.windows(2).all(|pair| pair[0].0 != pair[1].0));
        (ways.len() <= most).then_some(ways)
    }
}
