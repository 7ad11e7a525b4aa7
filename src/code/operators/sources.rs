//! What moves write and cost, read from values of a program.

use super::reader::Reader;
use crate::code::{Code, Cost, Hole, Leaf, ValueId};
use crate::program::{Op, PLACES, Program};
use std::collections::BTreeSet;
use zug_derived::{Condition as Told, ConditionId, Source, Table, Value};
use zug_state::{Number, Word};

impl Reader<'_> {
    /// What is written into a leaf, and where there is no such value.
    pub(super) fn source(&mut self, code: &Code, hole: Hole) -> (Source, Option<ConditionId>) {
        let (temp, is_integer) = match hole {
            Hole::Word(word) => {
                let source = word.byte().map_or(Source::Unknown, Source::Value);
                return (source, None);
            }
            Hole::Leaf(leaf) => return (Source::Leaf(leaf), None),
            Hole::Temp(temp) => (temp, true),
            Hole::Value(temp) => (temp, false),
        };
        if let Some(known) = self.sources.get(&(temp, is_integer)) {
            return known.clone();
        }
        let byte = |value: Option<i64>| {
            let value = value.filter(|&value| value != crate::moves::NO_WORD || is_integer)?;
            if is_integer { Word::int(value)?.byte() } else { Word(value).byte() }
        };
        let rows = self.tabulated(code, temp);
        let cases = if rows.is_none() { self.numbers(&code.program, temp) } else { None };
        let source = match rows {
            None if cases.is_some() => {
                let cases = cases.unwrap_or_default().into_iter();
                let cases = cases.filter_map(|(number, when)| Some((when, byte(Some(number))?)));
                let cases: Vec<(ConditionId, Value)> = cases.collect();
                let made = self.puzzle.any(cases.iter().map(|(when, _)| *when).collect());
                let unmade = self.not(made);
                (Source::Cases(cases.into()), Some(unmade))
            }
            None => (Source::Unknown, Some(self.puzzle.condition(Told::Unknown))),
            Some(Table { leaves, rows }) => {
                let rows: Vec<Option<Value>> = rows.iter().map(|&value| byte(value)).collect();
                let unmade = self.where_nothing(&leaves, &rows);
                let filler = rows.iter().flatten().next().copied();
                let source = filler.map_or(Source::Unknown, |filler| {
                    let rows = rows.iter().map(|row| row.unwrap_or(filler)).collect();
                    Source::Table(Table { leaves, rows })
                });
                (source, unmade)
            }
        };
        self.sources.insert((temp, is_integer), source.clone());
        source
    }

    /// Where a table says nothing, if it does not say something everywhere.
    pub fn where_nothing<T>(&mut self, leaves: &[Leaf], rows: &[Option<T>]) -> Option<ConditionId> {
        let nothing: Box<[bool]> = rows.iter().map(Option::is_none).collect();
        let table = |rows| Told::Table(Table { leaves: leaves.into(), rows });
        nothing.contains(&true).then(|| self.puzzle.condition(table(nothing)))
    }

    /// What a value of a program is, by the leaves that it depends on; nothing if these are many.
    pub(super) fn tabulated(&mut self, code: &Code, temp: ValueId) -> Option<Table<Option<i64>>> {
        let program = &code.program;
        let (needed, leaves) = asked(program, temp);
        let mut values = vec![0; program.values.len()];
        self.table(&leaves, |_, words, _| {
            for &value in &needed {
                values[value as usize] = program.computed(value, (&values, 0), words)?;
            }
            Some(values[temp as usize])
        })
    }

    /// The least that a move costs, where it has no cost that counts, and whether it may cost more.
    pub fn least(&mut self, code: &Code, cost: Option<Cost>) -> (u32, Option<ConditionId>, bool) {
        let integer = |value: i64| u32::try_from(value.max(0)).unwrap_or(u32::MAX);
        // A float is cast to the next integer below, and to a bound if it lies beyond.
        let float = |value: f64| value as u32;
        let rows = match cost {
            None => return (0, Some(self.puzzle.always()), true),
            Some(Cost::Fixed(cost)) => {
                let none = cost.is_negative() || cost.is_infinite();
                let least = match cost {
                    Number::Int(value) => integer(value),
                    Number::Float(value) => float(value),
                    Number::Large(_) => u32::MAX,
                };
                let is_exact = cost == Number::Int(i64::from(least));
                return (least, none.then(|| self.puzzle.always()), !is_exact);
            }
            Some(Cost::Temp(temp) | Cost::Float(temp)) => self.tabulated(code, temp),
        };
        let Some(Table { leaves, rows }) = rows else {
            return (0, Some(self.puzzle.condition(Told::Unknown)), true);
        };
        let is_float = matches!(cost, Some(Cost::Float(_)));
        let of = |value: i64| {
            if is_float { float(f64::from_bits(value as u64)) } else { integer(value) }
        };
        let counts = |value: i64| match is_float {
            true => (0.0..f64::INFINITY).contains(&f64::from_bits(value as u64)),
            false => value >= 0,
        };
        let least = rows.iter().flatten().map(|&value| of(value)).min().unwrap_or(0);
        let none: Box<[bool]> = rows.iter().map(|row| !row.is_some_and(counts)).collect();
        let none = none.contains(&true).then_some(Told::Table(Table { leaves, rows: none }));
        let is_exact = !is_float && rows.iter().flatten().all(|&value| value == i64::from(least));
        (least, none.map(|none| self.puzzle.condition(none)), !is_exact)
    }
}

/// The place of a plane that a shift moves to this one; what lies beyond all places is in no plane.
pub(super) fn shifted_from(place: u8, by: i8) -> Option<u8> {
    let from = u8::try_from(i16::from(place) + i16::from(by)).ok();
    from.filter(|&from| usize::from(from) < PLACES)
}

/// The values and the leaves that a value is computed of; of a plane only the places looked at count.
fn asked(program: &Program, temp: ValueId) -> (BTreeSet<ValueId>, BTreeSet<Leaf>) {
    let (mut needed, mut leaves) = (BTreeSet::new(), BTreeSet::new());
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![(temp, None)]);
    while let Some((value, place)) = waiting.pop() {
        if !seen.insert((value, place)) {
            continue;
        }
        needed.insert(value);
        match (program.op(value), place) {
            (
                Op::Leaf(leaf)
                | Op::Number(leaf)
                | Op::Table(leaf, _)
                | Op::FloatTable(leaf, _)
                | Op::In(leaf, _),
                _,
            ) => drop(leaves.insert(*leaf)),
            (Op::Cells(_, first), Some(place)) => {
                let leaf = first + Leaf::from(place);
                leaves.extend(Some(leaf).filter(|&at| usize::from(at) < program.leaves));
            }
            (Op::Has(plane, at), _) => waiting.push((*plane, Some(*at))),
            (Op::Some(plane) | Op::Count(plane) | Op::First(plane, _), _) => {
                waiting.extend((0..PLACES as u8).map(|at| (*plane, Some(at))));
            }
            (Op::Spread(holds), _) => waiting.push((*holds, None)),
            (Op::Shift(plane, by), Some(place)) => {
                waiting.extend(shifted_from(place, *by).map(|from| (*plane, Some(from))));
            }
            (Op::Meet(_) | Op::Join(_) | Op::Flip(_), Some(place)) => {
                program.op(value).each_operand(|plane| waiting.push((plane, Some(place))));
            }
            // A plane as a whole.
            (Op::Cells(..) | Op::Shift(..) | Op::Meet(_) | Op::Join(_) | Op::Flip(_), None) => {
                waiting.extend((0..PLACES as u8).map(|at| (value, Some(at))));
            }
            (op, _) => op.each_operand(|operand| waiting.push((operand, None))),
        }
    }
    (needed, leaves)
}
