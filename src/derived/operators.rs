//! What a puzzle is told as: operators that test leaves and write values.
//!
//! What is told need not be exact, as long as it allows all that the puzzle allows: a condition that is not
//! [known](Condition::Unknown) may hold, a source that is not [known](Source::Unknown) may be any value. A
//! lower bound of what it costs to reach a goal by the operators is one for the puzzle then.

use std::collections::HashMap;

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

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        *self == Values::default()
    }

    /// The values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Value> {
        let set = *self;
        (0..=Value::MAX).filter(move |&value| set.has(value))
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
            set.0[usize::from(value / 64)] |= 1 << (value % 64);
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
}

/// A move.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    numbers: HashMap<Condition, ConditionId>,
}

impl Operators {
    /// A puzzle over leaves with these values, without moves and goals.
    pub fn new(domains: Vec<Values>) -> Operators {
        let mut puzzle = Operators { domains, ..Operators::default() };
        let never = puzzle.never();
        Operators { goal: never, escape: never, ..puzzle }
    }

    /// The number of a condition.
    pub fn condition(&mut self, condition: Condition) -> ConditionId {
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
        self.all(Vec::new())
    }

    /// Holds in no state.
    pub fn never(&mut self) -> ConditionId {
        self.any(Vec::new())
    }

    /// A leaf has a value.
    pub fn is(&mut self, leaf: Leaf, value: Value) -> ConditionId {
        self.condition(Condition::In(leaf, Values::from_iter([value])))
    }

    /// All of these hold.
    pub fn all(&mut self, parts: Vec<ConditionId>) -> ConditionId {
        match parts[..] {
            [only] => only,
            _ => self.condition(Condition::All(parts.into())),
        }
    }

    /// One of these holds.
    pub fn any(&mut self, parts: Vec<ConditionId>) -> ConditionId {
        match parts[..] {
            [only] => only,
            _ => self.condition(Condition::Any(parts.into())),
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
