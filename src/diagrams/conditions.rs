//! Conditions as diagrams. Of one that is not known in all there are two: where it may hold, and where it does.

use super::bits::{Bits, Literals, When};
use super::store::{Diagram, Stop, Store};
use std::collections::HashMap;
use zug_derived::{Condition, ConditionId, Operators, Table, Value};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Taken {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
}

/// What diagrams are made with.
pub struct Maker<'s, 'w> {
    pub store: &'s Store<'w>,
    pub bits: &'s Bits,
    pub literals: Literals,
}

pub struct Conditions<'o> {
    pub of: &'o Operators,
    known: HashMap<(ConditionId, Taken), Diagram>,
    is_known: Vec<bool>,
}

impl<'o> Conditions<'o> {
    pub fn new(of: &'o Operators) -> Conditions<'o> {
        let mut is_known: Vec<bool> = Vec::with_capacity(of.conditions.len());
        for condition in &of.conditions {
            let known = match condition {
                Condition::Unknown => false,
                // What a leaf may be has to be known for that.
                Condition::In(..) | Condition::Table(_) => true,
                Condition::All(parts) | Condition::Any(parts) => {
                    parts.iter().all(|&part| is_known[part as usize])
                }
            };
            is_known.push(known);
        }
        Conditions { of, known: HashMap::new(), is_known }
    }

    fn is_known(&self, condition: ConditionId) -> bool {
        self.is_known[condition as usize]
    }

    /// Where a condition holds.
    pub fn diagram(
        &mut self,
        maker: &mut Maker<'_, '_>,
        condition: ConditionId,
        taken: Taken,
    ) -> Result<Diagram, Stop> {
        let taken = if self.is_known(condition) { Taken::Holds } else { taken };
        if let Some(known) = self.known.get(&(condition, taken)) {
            return Ok(known.clone());
        }
        let store = maker.store;
        let of = self.of;
        let made = match &of.conditions[condition as usize] {
            Condition::Unknown if taken == Taken::Holds => store.always.clone(),
            Condition::Unknown => store.never.clone(),
            Condition::In(leaf, values) => {
                maker.literals.is_in((store, maker.bits), *leaf, values)?
            }
            Condition::Table(table) => maker.table(of, table, |&holds| holds)?,
            Condition::All(parts) => store.all(self.parts(maker, parts, taken)?)?,
            Condition::Any(parts) => store.any(self.parts(maker, parts, taken)?)?,
        };
        self.known.insert((condition, taken), made.clone());
        Ok(made)
    }

    /// Where it is not known whether a condition holds; `None` if it is known in all.
    pub fn vague(
        &mut self,
        maker: &mut Maker<'_, '_>,
        condition: ConditionId,
    ) -> Result<Option<Diagram>, Stop> {
        if self.is_known(condition) {
            return Ok(None);
        }
        let may = self.diagram(maker, condition, Taken::Holds)?;
        let surely = self.diagram(maker, condition, Taken::Fails)?;
        maker.store.without(&may, &surely).map(Some)
    }

    fn parts(
        &mut self,
        maker: &mut Maker<'_, '_>,
        parts: &[ConditionId],
        taken: Taken,
    ) -> Result<Vec<Diagram>, Stop> {
        parts.iter().map(|&part| self.diagram(maker, part, taken)).collect()
    }

    /// The states of a set in which a condition does not hold. One that is large is never made as a whole:
    /// what each of its parts allows is taken out.
    pub fn outside(
        &mut self,
        maker: &mut Maker<'_, '_>,
        set: &Diagram,
        condition: ConditionId,
    ) -> Result<Diagram, Stop> {
        match &self.of.conditions[condition as usize] {
            Condition::Any(parts) => {
                let mut left = set.clone();
                for &part in parts {
                    left = self.outside(maker, &left, part)?;
                }
                Ok(left)
            }
            _ => {
                let made = self.diagram(maker, condition, Taken::Holds)?;
                maker.store.without(set, &made)
            }
        }
    }
}

impl Maker<'_, '_> {
    pub fn is(&mut self, leaf: u16, value: Value, when: When) -> Result<Diagram, Stop> {
        self.literals.is((self.store, self.bits), leaf, value, when)
    }

    /// Where the rows of a table are such.
    pub fn table<T>(
        &mut self,
        of: &Operators,
        table: &Table<T>,
        counts: impl Fn(&T) -> bool,
    ) -> Result<Diagram, Stop> {
        let sizes = table.leaves.iter().map(|&leaf| of.domains[usize::from(leaf)].len());
        let mut strides = Vec::with_capacity(table.leaves.len());
        let mut stride = 1;
        for (&leaf, size) in table.leaves.iter().zip(sizes) {
            strides.push((leaf, stride));
            stride *= size;
        }
        // The first bits are asked first.
        strides.sort_by_key(|(leaf, _)| self.bits.places[usize::from(*leaf)].first);
        self.rows(of, &strides, 0, &|row| counts(&table.rows[row]))
    }

    fn rows(
        &mut self,
        of: &Operators,
        strides: &[(u16, usize)],
        row: usize,
        counts: &dyn Fn(usize) -> bool,
    ) -> Result<Diagram, Stop> {
        let Some((&(leaf, stride), rest)) = strides.split_first() else {
            let holds = counts(row);
            return Ok(if holds { self.store.always.clone() } else { self.store.never.clone() });
        };
        let mut ways = Vec::new();
        for (place, value) in of.domains[usize::from(leaf)].iter().enumerate() {
            let then = self.rows(of, rest, row + place * stride, counts)?;
            if then != self.store.never {
                let is = self.is(leaf, value, When::Before)?;
                ways.push(self.store.and(&is, &then)?);
            }
        }
        self.store.any(ways)
    }
}
