//! Operators written out by the values of a few leaves, the *control*: with these known, what a condition says
//! of the others is mostly a set of values for each.
//!
//! Control leaves are those that most moves ask for, and those that conditions and sources ask together with
//! others: where the keeper of a warehouse stands, say. All their values that can be reached from a start are
//! gone through, as in a [projection](super::projection); whatever is not known of other leaves may be.

use super::operators::{Condition, ConditionId, Leaf, Operators, Source, Table, Value, Values};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The most ways in which a condition holds that are told apart.
const MOST_WAYS: usize = 32;
/// The most control leaves.
const MOST_CONTROL: usize = 6;
/// The most configurations of control leaves that one move leads to.
const MOST_BRANCHES: usize = 64;

/// What leaves have to be, ascending by leaf: of others nothing is said.
pub(crate) type Literals = Vec<(Leaf, Values)>;

/// What a move makes of a leaf: by value before it, the values behind it.
pub(crate) type Effect = (Leaf, Vec<(Value, Values)>);

/// A move between configurations of the control leaves.
#[derive(Debug)]
pub(crate) struct Step {
    pub from: u32,
    pub to: u32,
    pub cost: u32,
    /// It applies only where other leaves are one of these.
    pub before: Literals,
    /// The other leaves that it changes.
    pub effects: Vec<Effect>,
}

/// The configurations of the control leaves that are reached.
#[derive(Clone, Debug)]
pub(crate) struct Configurations {
    /// Ascending.
    pub control: Vec<Leaf>,
    /// By values of the control leaves.
    pub numbers: FxHashMap<Box<[Value]>, u32>,
}

impl Configurations {
    /// The number of the configuration that a state has; `None` if it was not reached.
    pub fn number(&self, state: &[Value]) -> Option<u32> {
        let mut values = [0; MOST_CONTROL];
        for (value, &leaf) in values.iter_mut().zip(&self.control) {
            *value = *state.get(usize::from(leaf))?;
        }
        self.numbers.get(&values[..self.control.len()]).copied()
    }

    pub fn is_control(&self, leaf: Leaf) -> bool {
        self.control.binary_search(&leaf).is_ok()
    }
}

/// A puzzle written out.
#[derive(Debug)]
pub(crate) struct Grounding {
    pub configurations: Configurations,
    pub steps: Vec<Step>,
}

impl Grounding {
    /// A puzzle written out from a start, with no more steps and questions than that; `None` if it takes more,
    /// or there may be states of which it is not known where moves lead.
    pub fn of(puzzle: &Operators, start: &[Value], most: usize) -> Option<Grounding> {
        let control = control(puzzle);
        let first: Box<[Value]> = control
            .iter()
            .map(|&leaf| start.get(usize::from(leaf)).copied())
            .collect::<Option<_>>()?;
        let (mut numbers, mut steps) = (FxHashMap::from_iter([(first.clone(), 0)]), Vec::new());
        let mut all = vec![first];
        let (mut at, mut left) = (0, most);
        while at < all.len() {
            let here = all[at].clone();
            let mut reader = Reader::new(puzzle, &control, &here);
            if !reader.ways(puzzle.escape).is_empty() {
                return None;
            }
            left = left.checked_sub(puzzle.conditions.len() + puzzle.operators.len())?;
            for operator in &puzzle.operators {
                for before in reader.ways(operator.condition) {
                    let effects = reader.effects(&operator.writes, &before);
                    for to in reader.after(&operator.writes, &before)? {
                        let next = all.len() as u32;
                        let to = *numbers.entry(to).or_insert_with_key(|values| {
                            all.push(values.clone());
                            next
                        });
                        let (before, effects) = (before.clone(), effects.clone());
                        left = left.checked_sub(1 + before.len() + effects.len())?;
                        let (from, cost) = (at as u32, operator.cost);
                        steps.push(Step { from, to, cost, before, effects });
                    }
                }
            }
            at += 1;
        }
        Some(Grounding { configurations: Configurations { control, numbers }, steps })
    }
}

/// The leaves that most moves ask for, and those that are asked together with others: those first that most
/// conditions and sources ask, until each asks for one other leaf at most.
fn control(puzzle: &Operators) -> Vec<Leaf> {
    let mut asked: BTreeSet<BTreeSet<Leaf>> = BTreeSet::new();
    let may_vary = |leaf: &Leaf| puzzle.domains[usize::from(*leaf)].only().is_none();
    let of = |table: &[Leaf]| table.iter().copied().filter(may_vary).collect();
    for condition in &puzzle.conditions {
        match condition {
            Condition::Table(table) => drop(asked.insert(of(&table.leaves))),
            Condition::Any(parts) => drop(
                asked.insert(
                    parts
                        .iter()
                        .flat_map(|&part| puzzle.asked_outright(part, false))
                        .filter(may_vary)
                        .collect(),
                ),
            ),
            Condition::Unknown | Condition::In(..) | Condition::All(_) => {}
        }
    }
    for (_, source) in puzzle.operators.iter().flat_map(|operator| &operator.writes) {
        if let Source::Table(table) = source {
            asked.insert(of(&table.leaves));
        }
    }
    let mut control = asked_by_most(puzzle);
    while control.len() < MOST_CONTROL {
        asked.retain(|leaves| leaves.difference(&control).count() > 1);
        let mut counts: BTreeMap<Leaf, usize> = BTreeMap::new();
        for leaf in asked.iter().flatten().filter(|leaf| !control.contains(leaf)) {
            *counts.entry(*leaf).or_default() += 1;
        }
        let known = |leaf: &Leaf| !puzzle.domains[usize::from(*leaf)].is_empty();
        let counts = counts.into_iter().filter(|(leaf, _)| known(leaf));
        let Some((leaf, _)) = counts.max_by_key(|&(leaf, count)| (count, std::cmp::Reverse(leaf)))
        else {
            break;
        };
        control.insert(leaf);
    }
    control.into_iter().collect()
}

/// The leaves that most moves ask for.
fn asked_by_most(puzzle: &Operators) -> BTreeSet<Leaf> {
    let mut counts: BTreeMap<Leaf, usize> = BTreeMap::new();
    for operator in &puzzle.operators {
        for leaf in puzzle.asked_outright(operator.condition, false) {
            *counts.entry(leaf).or_default() += 1;
        }
    }
    let half = puzzle.operators.len() / 2;
    let most = counts.into_iter().filter(|&(leaf, count)| {
        count > half && puzzle.domains[usize::from(leaf)].only().is_none()
    });
    most.map(|(leaf, _)| leaf).take(MOST_CONTROL).collect()
}

/// Reads conditions and sources in one configuration.
struct Reader<'p> {
    puzzle: &'p Operators,
    control: &'p [Leaf],
    here: &'p [Value],
    /// By condition: the ways in which it may hold.
    known: Vec<Option<Vec<Literals>>>,
}

impl<'p> Reader<'p> {
    fn new(puzzle: &'p Operators, control: &'p [Leaf], here: &'p [Value]) -> Reader<'p> {
        Reader { puzzle, control, here, known: vec![None; puzzle.conditions.len()] }
    }

    fn value(&self, leaf: Leaf) -> Option<Value> {
        self.control.binary_search(&leaf).ok().map(|at| self.here[at])
    }

    /// The ways in which a condition may hold, each as what it says of leaves that are no control leaves; none
    /// if it does not hold.
    fn ways(&mut self, condition: ConditionId) -> Vec<Literals> {
        if let Some(known) = &self.known[condition as usize] {
            return known.clone();
        }
        let puzzle = self.puzzle;
        let ways = match &puzzle.conditions[condition as usize] {
            Condition::Unknown => vec![Vec::new()],
            Condition::In(leaf, values) => {
                let domain = puzzle.domains[usize::from(*leaf)];
                let common = values.common(&domain);
                match self.value(*leaf) {
                    Some(value) if values.has(value) => vec![Vec::new()],
                    Some(_) => Vec::new(),
                    None if domain.is_empty() => vec![Vec::new()],
                    None if common.is_empty() => Vec::new(),
                    None => vec![vec![(*leaf, common)]],
                }
            }
            Condition::Table(table) => {
                let rows = table.each(&puzzle.domains).filter(|(_, holds)| **holds);
                let rows = rows.filter_map(|(values, _)| {
                    let mut literals = Vec::with_capacity(values.len());
                    for (&leaf, value) in table.leaves.iter().zip(values) {
                        match self.value(leaf) {
                            Some(known) if known != value => return None,
                            Some(_) => {}
                            None => literals.push((leaf, Values::from_iter([value]))),
                        }
                    }
                    literals.sort_unstable_by_key(|&(leaf, _)| leaf);
                    Some(literals)
                });
                few(rows.collect())
            }
            Condition::Any(parts) => few(parts.iter().flat_map(|&part| self.ways(part)).collect()),
            Condition::All(parts) => {
                let mut all = vec![Vec::new()];
                for &part in parts {
                    let ways = self.ways(part);
                    let both = |one: &Literals| {
                        let one = one.clone();
                        ways.iter().filter_map(move |other| both(&one, other)).collect::<Vec<_>>()
                    };
                    all = few(all.iter().flat_map(both).collect());
                }
                all
            }
        };
        self.known[condition as usize] = Some(ways.clone());
        ways
    }

    fn may(&self, leaf: Leaf, before: &Literals) -> Values {
        if let Some(value) = self.value(leaf) {
            return Values::from_iter([value]);
        }
        let found = before.binary_search_by_key(&leaf, |&(leaf, _)| leaf);
        found.map_or(self.puzzle.domains[usize::from(leaf)], |at| before[at].1)
    }

    /// What a source may be where literals hold and, if that is said, a leaf has a value; `None` if nothing is
    /// known of it.
    fn written(
        &self,
        source: &Source,
        before: &Literals,
        own: Option<(Leaf, Value)>,
    ) -> Option<Values> {
        let may = |leaf: Leaf| match own {
            Some((own, value)) if own == leaf => Values::from_iter([value]),
            _ => self.may(leaf, before),
        };
        match source {
            Source::Unknown | Source::Cases(_) => None,
            Source::Value(value) => Some(Values::from_iter([*value])),
            Source::Leaf(leaf) => Some(may(*leaf)).filter(|may| !may.is_empty()),
            Source::Table(table) => Some(self.looked_up(table, may)),
        }
    }

    fn looked_up(&self, table: &Table<Value>, may: impl Fn(Leaf) -> Values) -> Values {
        table.among(&self.puzzle.domains, |leaf| Some(may(leaf))).copied().collect()
    }

    /// What is made of leaves that are no control leaves.
    fn effects(&self, writes: &[(Leaf, Source)], before: &Literals) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (leaf, source) in writes {
            let domain = self.puzzle.domains[usize::from(*leaf)];
            if self.value(*leaf).is_some() || domain.is_empty() {
                continue;
            }
            let cases: Vec<(Value, Values)> = self
                .may(*leaf, before)
                .iter()
                .map(|value| {
                    let after = self.written(source, before, Some((*leaf, value)));
                    (value, after.map_or(domain, |after| after.common(&domain)))
                })
                .collect();
            if cases.iter().any(|(value, after)| after.only() != Some(*value)) {
                effects.push((*leaf, cases));
            }
        }
        effects
    }

    /// The configurations that a move leads to; `None` if there are very many.
    fn after(&self, writes: &[(Leaf, Source)], before: &Literals) -> Option<Vec<Box<[Value]>>> {
        let mut all = vec![Box::<[Value]>::from(self.here)];
        for (leaf, source) in writes {
            let Ok(at) = self.control.binary_search(leaf) else { continue };
            let domain = self.puzzle.domains[usize::from(*leaf)];
            let may = self.written(source, before, None);
            // What a leaf is not expected to be is given back.
            let may = may.map_or(domain, |may| may.common(&domain));
            all = may.branches(all, at, MOST_BRANCHES)?;
        }
        Some(all)
    }
}

/// What holds where both do; `None` if they never do.
fn both(one: &Literals, other: &Literals) -> Option<Literals> {
    let mut all: BTreeMap<Leaf, Values> = one.iter().copied().collect();
    for (leaf, values) in other {
        let known = all.entry(*leaf).or_insert(*values);
        *known = known.common(values);
        if known.is_empty() {
            return None;
        }
    }
    Some(all.into_iter().collect())
}

/// Ways, if they are few; else one that holds wherever one of them does.
fn few(mut ways: Vec<Literals>) -> Vec<Literals> {
    ways.sort_by(|one, other| order(one).cmp(order(other)));
    ways.dedup();
    if ways.iter().any(Vec::is_empty) {
        return vec![Vec::new()];
    }
    if ways.len() <= MOST_WAYS {
        return ways;
    }
    let mut joined: BTreeMap<Leaf, Values> = ways[0].iter().copied().collect();
    for way in &ways[1..] {
        joined.retain(|leaf, values| match way.iter().find(|(other, _)| other == leaf) {
            Some((_, more)) => {
                *values = values.union(more);
                true
            }
            None => false,
        });
    }
    vec![joined.into_iter().collect()]
}

fn order(way: &Literals) -> impl Iterator<Item = (Leaf, Vec<Value>)> {
    way.iter().map(|(leaf, values)| (*leaf, values.iter().collect()))
}
