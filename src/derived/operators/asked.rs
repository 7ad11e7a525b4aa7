//! What operators allow.

use super::{Condition, ConditionId, Leaf, Operators, Source, Value, Values};

impl Operators {
    /// Whether there may be states of which it is not known what moves lead to.
    pub fn has_escapes(&self) -> bool {
        self.ways(self.escape, 0).is_none()
    }

    /// Whether it is known of all states what moves lead to.
    pub fn is_known(&self) -> bool {
        let mut writes = self.operators.iter().flat_map(|operator| &operator.writes);
        !self.has_escapes() && writes.all(|(_, source)| *source != Source::Unknown)
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

    /// The leaves that a condition asks for outright, those of tables with others or without.
    pub(crate) fn asked_outright(&self, condition: ConditionId, with_tables: bool) -> Vec<Leaf> {
        match &self.conditions[condition as usize] {
            Condition::In(leaf, _) => vec![*leaf],
            Condition::Table(table) if with_tables => table.leaves.to_vec(),
            Condition::All(parts) => {
                parts.iter().flat_map(|&part| self.asked_outright(part, with_tables)).collect()
            }
            Condition::Table(_) | Condition::Any(_) | Condition::Unknown => Vec::new(),
        }
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
                            let value = |leaf| table.value_of(leaf, values);
                            self.may_hold_where(operator.condition, &value)
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
            Condition::Table(table) => {
                let may = |leaf| value(leaf).map(|value| Values::from_iter([value]));
                table.among(&self.domains, may).any(|&holds| holds)
            }
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
