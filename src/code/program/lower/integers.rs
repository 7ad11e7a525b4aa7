//! Integers as values: tables of one leaf, counts of planes, sums.

use super::{Lowering, Lowers};
use crate::code::{Leaf, NOTHING, Sum};
use crate::merging::UNBOUND;
use crate::program::vectorise::{Places, Source};
use crate::program::{Op, Program, ValueId};
use zug_symbolic::{Domain, Guarded, Leaves, Operation, Relation, Shape, Store, Term};
use zug_term::Cell;

impl Lowering<'_, '_> {
    pub(super) fn int(&mut self, term: Term) -> Lowers<ValueId> {
        self.number(term, Self::new_int)
    }

    /// The value of a number, which may be a part of many others: it is lowered once.
    pub(super) fn number(
        &mut self,
        term: Term,
        lower: fn(&mut Self, Term) -> Lowers<ValueId>,
    ) -> Lowers<ValueId> {
        if let Some(&known) = self.numbers.get(&term) {
            return Ok(known);
        }
        self.store.spend(1);
        self.go_on()?;
        let value = lower(self, term)?;
        self.numbers.insert(term, value);
        Ok(value)
    }

    fn new_int(&mut self, term: Term) -> Lowers<ValueId> {
        if let Some(number) = self.number_by_move(term)? {
            return Ok(number);
        }
        match self.store.shape(term).clone() {
            Shape::Constant(cell) => match cell.as_int() {
                Some(value) => Ok(self.program.value(Op::Int(value))),
                None => Err("a number is no integer".to_owned()),
            },
            Shape::Leaf(leaf) => Ok(self.program.value(Op::Number(leaf.0 as Leaf))),
            Shape::Choice(ways) => {
                if let Some(table) = self.table(term)? {
                    return Ok(table);
                }
                if let Some(found) = self.by_first_place(&ways)? {
                    return Ok(found);
                }
                self.chosen(&ways, &mut |this, term| this.int(term))
            }
            Shape::Integer(operation, operands) => {
                if let Some(table) = self.table(term)? {
                    return Ok(table);
                }
                match operation {
                    Operation::Add => return self.sum(term),
                    Operation::Number => return self.int(operands[0]),
                    Operation::Round(rounding) => {
                        let of = self.float(operands[0])?;
                        return Ok(self.program.value(Op::Rounded(rounding, of)));
                    }
                    _ => {}
                }
                let values: Lowers<Vec<ValueId>> =
                    operands.iter().map(|&operand| self.int(operand)).collect();
                let mut values = values?;
                if let &[_, by] = &operands[..] {
                    values[1] = self.defined(operation, by, values[1]);
                }
                Ok(self.program.value(Op::Integer(operation, values.into())))
            }
            _ => Err("a number is a structure or unbound".to_owned()),
        }
    }

    /// An operand for which an operation has a value: elsewhere another may do, and no state deoptimises.
    fn defined(&mut self, operation: Operation, by: Term, value: ValueId) -> ValueId {
        let bounds = self.store.bounds(by);
        match operation {
            Operation::Truncate | Operation::Floor | Operation::Modulo | Operation::Remainder
                if bounds.is_none_or(|(low, high)| low <= 0 && 0 <= high) =>
            {
                let [zero, one] = [0, 1].map(|value| self.program.value(Op::Int(value)));
                let is_zero = Op::Compare(Relation::Equal, value, zero);
                let is_zero = self.program.value(is_zero);
                self.program.value(Op::Choose(is_zero, one, value))
            }
            Operation::ShiftLeft | Operation::ShiftRight
                if bounds.is_none_or(|(low, _)| low < 0) =>
            {
                let zero = self.program.value(Op::Int(0));
                self.program.value(Op::Integer(Operation::Maximum, [value, zero].into()))
            }
            _ => value,
        }
    }

    /// What is computed of one leaf, as a table, if each value of it has one byte.
    fn table(&mut self, term: Term) -> Lowers<Option<ValueId>> {
        let of = |store: &Store, state: &[Cell]| store.integer_in(term, state);
        let table = self.table_of(term, of)?;
        Ok(table.map(|(leaf, table)| self.program.value(Op::Table(leaf, table))))
    }

    /// The table of what is found of a term by the value of its one leaf.
    pub(super) fn table_of(
        &mut self,
        term: Term,
        of: impl Fn(&Store, &[Cell]) -> Option<i64>,
    ) -> Lowers<Option<(Leaf, u32)>> {
        let Leaves::One(leaf) = self.store.leaves(term) else { return Ok(None) };
        if self.parameter_of(leaf).is_some() {
            return Ok(None);
        }
        let Domain::Values(values) = self.store.domain(leaf).clone() else { return Ok(None) };
        self.store.spend(1 + values.len() / 4);
        let mut table = [NOTHING; 256];
        let mut state = vec![Cell::NIL; self.board.leaves];
        // Where the term has no value nobody uses it: any will do.
        let (mut some, mut others) = (None, Vec::new());
        for &value in &values {
            let word = self.word(value)?;
            let Some(byte) = word.byte() else { return Ok(None) };
            state[leaf.0 as usize] = value;
            match of(self.store, &state) {
                // Minus zero is what says that there is nothing.
                Some(NOTHING) => return Ok(None),
                Some(result) => {
                    table[usize::from(byte)] = result;
                    some.get_or_insert(result);
                }
                None => others.push(usize::from(byte)),
            }
        }
        for byte in others {
            table[byte] = some.unwrap_or(NOTHING);
        }
        Ok(Some((leaf.0 as Leaf, self.program.table(table))))
    }

    /// What each leaf adds to a value, if that is a sum of what tables say of single leaves.
    pub(super) fn sum_of_leaves(&mut self, term: Term) -> Lowers<Option<Sum>> {
        let mut tables = vec![[0; 256]; self.board.leaves];
        let mut domains = Vec::with_capacity(self.board.leaves);
        for (leaf, table) in (0..).zip(&mut tables) {
            let Domain::Values(values) = self.store.domain(zug_symbolic::Leaf(leaf)) else {
                return Ok(None);
            };
            let mut bytes = Vec::with_capacity(values.len());
            for value in values.clone() {
                // What is unbound is for the machine.
                let word = if value == UNBOUND { continue } else { self.word(value)? };
                let Some(byte) = word.byte() else { return Ok(None) };
                bytes.push((value, usize::from(byte)));
            }
            *table = [Sum::UNKNOWN; 256];
            bytes.iter().for_each(|&(_, byte)| table[byte] = 0);
            domains.push(bytes);
        }
        let mut state = vec![Cell::NIL; self.board.leaves];
        let mut waiting = vec![(term, 1)];
        while let Some((term, sign)) = waiting.pop() {
            self.store.spend(1);
            self.go_on()?;
            if let (&Shape::Integer(operation, ref parts), Leaves::Several) =
                (self.store.shape(term), self.store.leaves(term))
            {
                match (operation, &parts[..]) {
                    (Operation::Add, &[a, b]) => waiting.extend([(a, sign), (b, sign)]),
                    (Operation::Subtract, &[a, b]) => waiting.extend([(a, sign), (b, -sign)]),
                    (Operation::Negate, &[a]) => waiting.push((a, -sign)),
                    _ => return Ok(None),
                }
                continue;
            }
            let leaf = match self.store.leaves(term) {
                Leaves::None => continue,
                Leaves::One(leaf) => leaf.0 as usize,
                Leaves::Several => return Ok(None),
            };
            self.store.spend(domains[leaf].len());
            for &(value, byte) in &domains[leaf] {
                state[leaf] = value;
                let more = self.store.integer_in(term, &state);
                let Some(more) = more.and_then(|more| i32::try_from(sign * more).ok()) else {
                    return Ok(None);
                };
                let Some(sum) = tables[leaf][byte].checked_add(more) else { return Ok(None) };
                tables[leaf][byte] = sum;
            }
        }
        Ok(Some(Sum { tables }))
    }

    /// A sum: what is added where conditions of one plane hold is counted there.
    fn sum(&mut self, term: Term) -> Lowers<ValueId> {
        let (mut waiting, mut parts) = (vec![term], Vec::new());
        while let Some(term) = waiting.pop() {
            // What is added up may be a part of many sums.
            self.store.spend(1);
            self.go_on()?;
            match self.store.shape(term) {
                Shape::Integer(Operation::Add, operands) => waiting.extend(operands.iter().rev()),
                _ => parts.push(term),
            }
        }
        let mut counted: Vec<((Source, bool, i64), Places)> = Vec::new();
        let (mut fixed, mut rest) = (0i64, Vec::new());
        let (tables, parts) = self.with_tables(&parts)?;
        for part in parts {
            if let Some(value) = self.store.as_integer(part) {
                fixed = fixed.checked_add(value).ok_or("a sum is too large")?;
                continue;
            }
            let two = match self.store.shape(part).clone() {
                Shape::Choice(ways) if ways.len() == 2 => {
                    let values = [ways[0].1, ways[1].1].map(|term| self.store.as_integer(term));
                    let place = self.families.place(ways[0].0);
                    let other = self.families.place(ways[1].0);
                    match (values, place, other) {
                        ([Some(a), Some(b)], Some(place), _) => Some((place, a, b)),
                        ([Some(a), Some(b)], None, Some(place)) => Some((place, b, a)),
                        _ => None,
                    }
                }
                _ => None,
            };
            let Some((place, then, other)) = two.filter(|(place, ..)| self.is_plane(place.source))
            else {
                rest.push(part);
                continue;
            };
            fixed = fixed.checked_add(other).ok_or("a sum is too large")?;
            let key = (place.source, place.negated, then - other);
            let is_open = |(known, of): &&mut (_, Places)| *known == key && !of.contains(place.at);
            match counted.iter_mut().find(is_open) {
                Some((_, places)) => places.insert(place.at),
                None => counted.push((key, [place.at].into_iter().collect())),
            }
        }
        let mut sum: Option<ValueId> = None;
        let add = |program: &mut Program, sum: &mut Option<ValueId>, value: ValueId| {
            *sum = Some(match *sum {
                Some(before) => {
                    program.value(Op::Integer(Operation::Add, Box::new([before, value])))
                }
                None => value,
            });
        };
        for ((source, negated, factor), places) in counted {
            let mut count = None;
            for (word, bits) in places.words() {
                let plane = self.plane(source, word, None)?;
                let plane = self.program.flipped(plane, negated);
                let plane = self.program.within(plane, bits);
                let here = self.program.value(Op::Count(plane));
                add(&mut self.program, &mut count, here);
            }
            let Some(mut count) = count else { continue };
            if factor != 1 {
                let factor = self.program.value(Op::Int(factor));
                let product = Op::Integer(Operation::Multiply, Box::new([count, factor]));
                count = self.program.value(product);
            }
            add(&mut self.program, &mut sum, count);
        }
        for table in tables {
            add(&mut self.program, &mut sum, table);
        }
        for part in rest {
            let value = self.int(part)?;
            add(&mut self.program, &mut sum, value);
        }
        if fixed != 0 || sum.is_none() {
            let value = self.program.value(Op::Int(fixed));
            add(&mut self.program, &mut sum, value);
        }
        Ok(sum.expect("it has a part"))
    }

    /// Tables of what one leaf adds, and the other addends.
    fn with_tables(&mut self, addends: &[Term]) -> Lowers<(Vec<ValueId>, Vec<Term>)> {
        let (mut tables, mut others) = (Vec::new(), Vec::with_capacity(addends.len()));
        for addends in self.store.by_leaf(addends) {
            let together = if addends.len() > 1 { self.store.sum(&addends) } else { None };
            match together.map(|sum| self.table(sum)).transpose()?.flatten() {
                Some(table) => tables.push(table),
                None => others.extend(addends),
            }
        }
        Ok((tables, others))
    }

    /// One of several ways, the one with the longest condition where none of the others holds.
    pub(super) fn chosen(
        &mut self,
        ways: &[Guarded],
        value: &mut impl FnMut(&mut Self, Term) -> Lowers<ValueId>,
    ) -> Lowers<ValueId> {
        let mut ways: Vec<Guarded> = ways.to_vec();
        ways.sort_by_key(|&(condition, _)| self.store.conjuncts(condition).len());
        let (_, last) = ways.pop().ok_or("a choice of nothing")?;
        let mut chosen = value(self, last)?;
        for (condition, term) in ways.into_iter().rev() {
            let (holds, then) = (self.bit(condition)?, value(self, term)?);
            if then == chosen {
                continue;
            }
            chosen = match *self.program.op(holds) {
                Op::Not(opposite) => self.program.value(Op::Choose(opposite, chosen, then)),
                _ => self.program.value(Op::Choose(holds, then, chosen)),
            };
        }
        Ok(chosen)
    }
}
