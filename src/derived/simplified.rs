//! Operators told more simply: what is written, given what their conditions say.
//!
//! The same move may be written as a copy of a leaf, as a value, or as a table of several leaves: a rule that
//! compares each element of a list with the one that is sought tells the most roundabout way. Where its
//! condition leaves one value, or the value of one leaf, that is what the operator writes.

use super::operators::{Leaf, Operator, Operators, Source, Table, Value};

impl Operators {
    /// The same puzzle with simpler sources, without writes that change nothing.
    #[must_use]
    pub fn simplified(mut self) -> Operators {
        let mut operators = std::mem::take(&mut self.operators);
        for operator in &mut operators {
            let writes = std::mem::take(&mut operator.writes);
            let simpler = writes.into_iter().map(|(leaf, source)| {
                let source = self.simpler(operator, leaf, source);
                (leaf, source)
            });
            let mut writes: Vec<(Leaf, Source)> = simpler.collect();
            let changes = |(leaf, source): &(Leaf, Source)| match source {
                Source::Leaf(from) => from != leaf,
                Source::Value(value) => self.may(operator.condition, *leaf).only() != Some(*value),
                Source::Unknown | Source::Table(_) | Source::Cases(_) => true,
            };
            writes.retain(changes);
            operator.writes = writes;
        }
        self.operators = operators;
        self
    }

    fn simpler(&self, operator: &Operator, leaf: Leaf, source: Source) -> Source {
        match source {
            Source::Leaf(from) => {
                let only = self.may(operator.condition, from).only();
                only.filter(|_| from != leaf).map_or(Source::Leaf(from), Source::Value)
            }
            Source::Table(table) => self.simpler_table(operator, leaf, table),
            Source::Value(_) | Source::Unknown | Source::Cases(_) => source,
        }
    }

    /// What a table says where the condition of an operator may hold.
    fn simpler_table(&self, operator: &Operator, leaf: Leaf, table: Table<Value>) -> Source {
        let may_be = |values: &[Value]| {
            self.may_hold_where(operator.condition, &|leaf| table.value_of(leaf, values))
        };
        let rows: Vec<(Vec<Value>, Value)> = table
            .each(&self.domains)
            .filter(|(values, _)| may_be(values))
            .map(|(values, &result)| (values, result))
            .collect();
        let Some((_, first)) = rows.first() else { return Source::Table(table) };
        // As it is, before anything else is said of it.
        let own = table.leaves.iter().position(|of| *of == leaf);
        if own.is_some_and(|at| rows.iter().all(|(values, result)| values[at] == *result)) {
            return Source::Leaf(leaf);
        }
        if rows.iter().all(|(_, result)| result == first) {
            return Source::Value(*first);
        }
        for (at, &from) in table.leaves.iter().enumerate() {
            if rows.iter().all(|(values, result)| values[at] == *result) {
                return Source::Leaf(from);
            }
        }
        Source::Table(table)
    }
}
