//! Floats as values, and answers that are numbers.

use super::{Lowering, Lowers};
use crate::code::BlockId;
use crate::program::{End, Op, ValueId};
use zug_symbolic::{FloatOperation, Guarded, Shape, Store, Term};
use zug_term::Cell;

/// Why there is no program where what is to be a number is none.
pub(super) const NO_NUMBER: &str = "a number is a structure or unbound";

impl Lowering<'_, '_> {
    pub(super) fn float(&mut self, term: Term) -> Lowers<ValueId> {
        self.number(term, Self::new_float)
    }

    fn new_float(&mut self, term: Term) -> Lowers<ValueId> {
        if let Some(value) = self.store.as_float(term) {
            return Ok(self.program.value(Op::Float(value.to_bits())));
        }
        if let Some(float) = self.float_by_move(term)? {
            return Ok(float);
        }
        if let Some(table) = self.float_table(term)? {
            return Ok(table);
        }
        match self.store.shape(term).clone() {
            Shape::Choice(ways) => self.chosen(&ways, &mut |this, term| this.float(term)),
            Shape::Float(FloatOperation::OfInteger, operands) => {
                let of = self.int(operands[0])?;
                Ok(self.program.value(Op::Floating(FloatOperation::OfInteger, [of].into())))
            }
            Shape::Float(operation, operands) => {
                let values: Lowers<Vec<ValueId>> =
                    operands.iter().map(|&operand| self.float(operand)).collect();
                Ok(self.program.value(Op::Floating(operation, values?.into())))
            }
            _ => Err(NO_NUMBER.to_owned()),
        }
    }

    /// What is computed of one leaf, as a table.
    fn float_table(&mut self, term: Term) -> Lowers<Option<ValueId>> {
        let of = |store: &Store, state: &[Cell]| {
            store.float_in(term, state).map(|value| value.to_bits() as i64)
        };
        let table = self.table_of(term, of)?;
        Ok(table.map(|(leaf, table)| self.program.value(Op::FloatTable(leaf, table))))
    }

    /// A block that answers a number: an integer or a float.
    pub(super) fn answer_of(&mut self, term: Term) -> Lowers<BlockId> {
        let types: Vec<Guarded> = self.store.by_type(term).ok_or(NO_NUMBER)?;
        let mut next = None;
        for (is, number) in types.into_iter().rev() {
            let end = match self.store.bounds(number) {
                Some(_) => End::Int(self.int(number)?),
                None => End::Float(self.float(number)?),
            };
            let answer = self.block(Vec::new(), end);
            next = Some(match next {
                None => answer,
                Some(other) => self.test(is, answer, other)?,
            });
        }
        next.ok_or_else(|| NO_NUMBER.to_owned())
    }
}
