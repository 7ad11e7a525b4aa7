//! Operators as events: a condition, and values that leaves get which they did not have. Operators that change the same
//! come to one event.
//!
//! An operator that copies a leaf, or looks up what it writes, is taken apart by what comes of it: a disc that falls to
//! the lowest empty square of a column is one event for each square. What would be too many is a relation between what
//! leaves are before and after.

use super::bits::When;
use super::conditions::{Conditions, Maker, Taken};
use super::store::{Diagram, Stop, Store};
use std::collections::BTreeMap;
use zug_derived::{Leaf, Operator, Operators, Source, Value};

/// The most events of one operator.
const MOST: usize = 200;

/// What leaves get.
type Assignment = Vec<(Leaf, Value)>;

/// What a move changes.
pub struct Event {
    /// Where it happens.
    pub condition: Diagram,
    pub change: Change,
    /// The variables of what is changed, as they are before.
    forgotten: Diagram,
}

pub enum Change {
    /// Leaves get these values.
    Values { assignment: Assignment, after: Diagram },
    /// Any leaves are what a relation says, their variables renamed then.
    Relation { names: Vec<(u32, u32)> },
}

/// The events of a side, and where they are not known.
pub struct Events {
    pub all: Vec<Event>,
    /// Where there is a move, in parts.
    pub enabled: Vec<Diagram>,
    /// Where something is not known.
    pub vague: Diagram,
}

impl Events {
    pub fn of(maker: &mut Maker<'_, '_>, conditions: &mut Conditions<'_>) -> Result<Events, Stop> {
        let of = conditions.of;
        let mut found =
            Found { changes: BTreeMap::new(), relations: Vec::new(), vague: Vec::new() };
        let mut enabled = Vec::new();
        // A cost that is not known may be none.
        for unknown in [of.escape, of.unpriced] {
            found.vague.push(conditions.diagram(maker, unknown, Taken::Holds)?);
        }
        for operator in &of.operators {
            let condition = conditions.diagram(maker, operator.condition, Taken::Holds)?;
            if condition == maker.store.never {
                continue;
            }
            found.vague.extend(conditions.vague(maker, operator.condition)?);
            enabled.push(condition.clone());
            found.add(maker, conditions, operator, condition)?;
        }
        let mut all = found.relations;
        for (assignment, ways) in found.changes {
            let condition = maker.store.any(ways)?;
            let after = assignment.iter().map(|&(leaf, value)| maker.is(leaf, value, When::Before));
            let after = after.collect::<Result<Vec<_>, _>>()?;
            let after = maker.store.all(after)?;
            let leaves: Vec<Leaf> = assignment.iter().map(|(leaf, _)| *leaf).collect();
            let forgotten = forgotten(maker, &leaves)?;
            all.push(Event { condition, forgotten, change: Change::Values { assignment, after } });
        }
        enabled.sort_unstable();
        enabled.dedup();
        Ok(Events { all, enabled, vague: maker.store.any(found.vague)? })
    }
}

/// The variables of leaves, all of them together.
fn forgotten(maker: &Maker<'_, '_>, leaves: &[Leaf]) -> Result<Diagram, Stop> {
    let places = leaves.iter().map(|&leaf| &maker.bits.places[usize::from(leaf)]);
    let bits = places.flat_map(|place| place.first..place.first + place.count);
    let variables = bits.map(|bit| maker.store.literal(When::Before.variable(bit), true).clone());
    maker.store.all(variables.collect())
}

struct Found {
    changes: BTreeMap<Assignment, Vec<Diagram>>,
    relations: Vec<Event>,
    vague: Vec<Diagram>,
}

/// What is written into a leaf: where it stays what it is, and where it becomes what.
struct Written {
    leaf: Leaf,
    stays: Diagram,
    becomes: Vec<(Value, Diagram)>,
    /// All that it is after, with what it stays.
    ways: Vec<(Value, Diagram)>,
}

impl Found {
    fn add(
        &mut self,
        maker: &mut Maker<'_, '_>,
        conditions: &mut Conditions<'_>,
        operator: &Operator,
        condition: Diagram,
    ) -> Result<(), Stop> {
        let mut writes = Vec::with_capacity(operator.writes.len());
        for (leaf, source) in &operator.writes {
            let Some(ways) = self.ways(maker, conditions, (*leaf, source), &condition)? else {
                self.vague.push(condition);
                return Ok(());
            };
            writes.push(Written::of(maker, *leaf, ways)?);
        }
        let mut events = Vec::new();
        match taken_apart(maker.store, &writes, condition.clone(), &mut events)? {
            true => {
                for (mut assignment, condition) in events {
                    assignment.sort_unstable();
                    self.changes.entry(assignment).or_default().push(condition);
                }
            }
            false => self.relations.push(relation(maker, &writes, condition)?),
        }
        Ok(())
    }

    /// What is written into a leaf, by where; nothing if that is not known.
    fn ways(
        &mut self,
        maker: &mut Maker<'_, '_>,
        conditions: &mut Conditions<'_>,
        (leaf, source): (Leaf, &Source),
        condition: &Diagram,
    ) -> Result<Option<Vec<(Value, Diagram)>>, Stop> {
        let of: &Operators = conditions.of;
        let mut ways: Vec<(Value, Diagram)> = Vec::new();
        match source {
            Source::Unknown => return Ok(None),
            Source::Value(value) => ways.push((*value, maker.store.always.clone())),
            Source::Leaf(from) => {
                for &value in &maker.bits.places[usize::from(*from)].values {
                    ways.push((value, maker.is(*from, value, When::Before)?));
                }
            }
            Source::Table(table) => {
                let mut values: Vec<Value> = table.rows.to_vec();
                values.sort_unstable();
                values.dedup();
                for value in values {
                    ways.push((value, maker.table(of, table, |&row| row == value)?));
                }
            }
            Source::Cases(cases) => {
                for &(when, value) in cases {
                    let is = conditions.diagram(maker, when, Taken::Holds)?;
                    if let Some(vague) = conditions.vague(maker, when)? {
                        self.vague.push(maker.store.and(condition, &vague)?);
                    }
                    ways.push((value, is));
                }
            }
        }
        let place = &maker.bits.places[usize::from(leaf)];
        ways.retain(|(value, _)| place.values.contains(value));
        // Where nothing that the leaf may be is written, nothing is known.
        let known = maker.store.any(ways.iter().map(|(_, when)| when.clone()).collect())?;
        self.vague.push(maker.store.without(condition, &known)?);
        Ok(Some(ways))
    }
}

impl Written {
    fn of(
        maker: &mut Maker<'_, '_>,
        leaf: Leaf,
        ways: Vec<(Value, Diagram)>,
    ) -> Result<Written, Stop> {
        let (mut stays, mut becomes) = (Vec::new(), Vec::new());
        for (value, when) in &ways {
            let is = maker.is(leaf, *value, When::Before)?;
            stays.push(maker.store.and(when, &is)?);
            let changes = maker.store.without(when, &is)?;
            if changes != maker.store.never {
                becomes.push((*value, changes));
            }
        }
        Ok(Written { leaf, stays: maker.store.any(stays)?, becomes, ways })
    }
}

/// All that an operator comes to; not, if that is too much.
fn taken_apart(
    store: &Store<'_>,
    writes: &[Written],
    condition: Diagram,
    events: &mut Vec<(Assignment, Diagram)>,
) -> Result<bool, Stop> {
    let mut waiting = vec![(0, condition, Assignment::new())];
    while let Some((at, condition, assignment)) = waiting.pop() {
        if condition == store.never {
            continue;
        }
        let Some(written) = writes.get(at) else {
            events.push((assignment, condition));
            continue;
        };
        if events.len() + waiting.len() > MOST {
            return Ok(false);
        }
        for (value, when) in &written.becomes {
            let both = store.and(&condition, when)?;
            let more = [&assignment[..], &[(written.leaf, *value)]].concat();
            waiting.push((at + 1, both, more));
        }
        let stays = store.and(&condition, &written.stays)?;
        waiting.push((at + 1, stays, assignment));
    }
    Ok(true)
}

/// An operator as a relation between what leaves are before and after.
fn relation(
    maker: &mut Maker<'_, '_>,
    writes: &[Written],
    condition: Diagram,
) -> Result<Event, Stop> {
    let mut parts = vec![condition];
    let mut names = Vec::new();
    for written in writes {
        let mut ways = Vec::new();
        for (value, when) in &written.ways {
            let is = maker.is(written.leaf, *value, When::After)?;
            ways.push(maker.store.and(when, &is)?);
        }
        parts.push(maker.store.any(ways)?);
        let place = &maker.bits.places[usize::from(written.leaf)];
        let bits = place.first..place.first + place.count;
        names.extend(bits.map(|bit| (When::After.variable(bit), When::Before.variable(bit))));
    }
    let leaves: Vec<Leaf> = writes.iter().map(|written| written.leaf).collect();
    let condition = maker.store.all(parts)?;
    Ok(Event {
        condition,
        forgotten: forgotten(maker, &leaves)?,
        change: Change::Relation { names },
    })
}

impl Event {
    pub fn image(&self, store: &Store<'_>, states: &Diagram) -> Result<Diagram, Stop> {
        let kept = store.meet(states, &self.condition, &self.forgotten)?;
        match &self.change {
            Change::Values { after, .. } => store.and(&kept, after),
            Change::Relation { names } => store.renamed(&kept, names),
        }
    }
}
