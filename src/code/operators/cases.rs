//! Values of a program, and numbers of conditions, by cases: what they may be, and under which condition each.
//!
//! A sum of a whole board, or what lies in a column where a disc falls, depends on too many leaves for a table. It is
//! computed of parts, and each part has few values: the condition of each follows from those of the
//! parts. Conditions share what they have in common, so that a count of fifty leaves is some thousand conditions.

use super::reader::{Cases, Numbers, Reader};
use super::sources::shifted_from;
use crate::moves::NO_WORD;
use crate::program::{NOTHING, Op, PLACES, Program, ValueId};
use std::collections::BTreeMap;
use zug_derived::{Condition as Told, ConditionId, Leaf, Table, Value, Values};
use zug_state::Word;
use zug_symbolic::{Condition, Formula, Relation, Shape, Term, computed, limits};
use zug_term::Cell;

impl Reader<'_> {
    fn by_cases(&mut self) -> Option<&mut Cases> {
        self.cases.as_mut()
    }

    /// What a value may be, by cases, if known; where no condition holds it has no value.
    pub(super) fn numbers(&mut self, program: &Program, value: ValueId) -> Option<Numbers> {
        if let Some(known) = self.by_cases()?.numbers.get(&value) {
            return known.clone();
        }
        let before = std::mem::take(&mut self.by_cases()?.missing);
        let found = self.deeper(|reader| reader.new_numbers(program, value));
        let cases = self.by_cases()?;
        let mut is_partial = std::mem::replace(&mut cases.missing, before);
        program.op(value).each_operand(|operand| is_partial |= cases.partial.contains(&operand));
        if is_partial {
            cases.partial.insert(value);
        }
        cases.numbers.insert(value, found.clone());
        found
    }

    fn deeper<T>(&mut self, of: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let cases = self.by_cases()?;
        if cases.depth >= limits::CASE_DEPTH {
            return None;
        }
        cases.depth += 1;
        let found = of(self);
        self.by_cases()?.depth -= 1;
        found
    }

    fn new_numbers(&mut self, program: &Program, value: ValueId) -> Option<Numbers> {
        let always = self.puzzle.always();
        match program.op(value) {
            Op::Int(number) => Some(vec![(*number, always)]),
            Op::Word(word) => Some(vec![(word.0, always)]),
            Op::Leaf(leaf) => self.of_leaf(*leaf, |word| Some(word.0)),
            Op::Number(leaf) => {
                let number = |word: Word| if word.is_int() { word.int_value() } else { 0 };
                self.of_leaf(*leaf, |word| Some(number(word)))
            }
            Op::Table(leaf, table) => {
                let table = program.tables.get(*table as usize)?;
                let found = |word: Word| table.get(usize::try_from(word.0).ok()?).copied();
                let has = |&found: &i64| found != NOTHING;
                self.of_leaf(*leaf, |word| found(word).filter(has))
            }
            Op::Integer(operation, operands) => {
                let of = operands.iter().map(|&operand| self.numbers(program, operand));
                let of: Vec<Numbers> = of.collect::<Option<_>>()?;
                self.combined(&of, |numbers| computed(*operation, numbers).ok())
            }
            &Op::Within(of, low, high) | &Op::Fitting(of, low, high) => {
                let of = self.numbers(program, of)?;
                let word = |number: i64| {
                    Word::int(number).filter(|_| (low..=high).contains(&number)).map(|word| word.0)
                };
                self.combined(&[of], |numbers| word(numbers[0]).filter(|&word| word != NO_WORD))
            }
            &Op::Choose(when, then, other) => {
                let when = self.truth(program, when)?;
                let not = self.not(when);
                let (then, other) = (self.numbers(program, then)?, self.numbers(program, other)?);
                let mut all: BTreeMap<i64, Vec<ConditionId>> = BTreeMap::new();
                for (chosen, numbers) in [(when, then), (not, other)] {
                    for (number, condition) in numbers {
                        all.entry(number)
                            .or_default()
                            .push(self.puzzle.all(vec![chosen, condition]));
                    }
                }
                self.grouped(all)
            }
            &Op::Count(plane) => {
                let mut counted = vec![(0, always)];
                for place in 0..PLACES as u8 {
                    let is = self.bit(program, plane, place)?;
                    let not = self.not(is);
                    counted = self.combined(&[counted, vec![(1, is), (0, not)]], |numbers| {
                        Some(numbers[0] + numbers[1])
                    })?;
                }
                Some(counted)
            }
            &Op::First(plane, table) => {
                let table = program.tables.get(table as usize)?;
                let (mut all, mut none) = (BTreeMap::<i64, Vec<ConditionId>>::new(), always);
                for place in 0..PLACES as u8 {
                    let is = self.bit(program, plane, place)?;
                    let first = self.puzzle.all(vec![none, is]);
                    all.entry(table[usize::from(place)]).or_default().push(first);
                    let not = self.not(is);
                    none = self.puzzle.all(vec![none, not]);
                }
                all.entry(table[PLACES]).or_default().push(none);
                self.grouped(all)
            }
            Op::In(..)
            | Op::Compare(..)
            | Op::All(_)
            | Op::Any(_)
            | Op::Not(_)
            | Op::Has(..)
            | Op::Some(_) => {
                let is = self.truth(program, value)?;
                let not = self.not(is);
                Some(vec![(0, not), (1, is)])
            }
            _ => None,
        }
    }

    /// The values of a leaf.
    fn of_leaf(&mut self, leaf: Leaf, of: impl Fn(Word) -> Option<i64>) -> Option<Numbers> {
        let domain = self.puzzle.domains[usize::from(leaf)];
        let mut all: BTreeMap<i64, Values> = BTreeMap::new();
        for (value, &(word, _)) in domain.iter().zip(&self.values[usize::from(leaf)]) {
            match of(Word(word)) {
                Some(number) => all.entry(number).or_default().insert(value),
                None => self.cases.iter_mut().for_each(|cases| cases.missing = true),
            }
        }
        if domain.is_empty() || all.len() > limits::ALTERNATIVES {
            return None;
        }
        let told = all
            .into_iter()
            .map(|(number, values)| (number, self.puzzle.condition(Told::In(leaf, values))));
        Some(told.collect())
    }

    /// What is computed of one or two numbers; nothing where there is no result.
    fn combined(&mut self, of: &[Numbers], by: impl Fn(&[i64]) -> Option<i64>) -> Option<Numbers> {
        let mut all: BTreeMap<i64, Vec<ConditionId>> = BTreeMap::new();
        let (one, other): (_, Vec<_>) = match of {
            [one] => (one, vec![(0, None)]),
            [one, other] if one.len() * other.len() <= limits::TABLE_ROWS => {
                (one, other.iter().map(|&(number, and)| (number, Some(and))).collect())
            }
            _ => return None,
        };
        for &(first, when) in one {
            for &(second, and) in &other {
                match by(&[first, second][..of.len()]) {
                    Some(result) => {
                        let both = and.map_or(when, |and| self.puzzle.all(vec![when, and]));
                        all.entry(result).or_default().push(both);
                    }
                    None => self.cases.iter_mut().for_each(|cases| cases.missing = true),
                }
            }
        }
        self.grouped(all)
    }

    fn grouped(&mut self, all: BTreeMap<i64, Vec<ConditionId>>) -> Option<Numbers> {
        if all.len() > limits::ALTERNATIVES {
            return None;
        }
        let never = self.puzzle.never();
        let told = all.into_iter().map(|(number, ways)| (number, self.puzzle.any(ways)));
        Some(told.filter(|(_, condition)| *condition != never).collect())
    }

    fn truth(&mut self, program: &Program, value: ValueId) -> Option<ConditionId> {
        if let Some(known) = self.by_cases()?.truths.get(&value) {
            return *known;
        }
        let found = self.deeper(|reader| reader.new_truth(program, value));
        self.by_cases()?.truths.insert(value, found);
        found
    }

    fn new_truth(&mut self, program: &Program, value: ValueId) -> Option<ConditionId> {
        match program.op(value) {
            Op::In(leaf, set) => {
                let set = &program.sets[*set as usize];
                let is_in = |word: Word| i64::from(set.binary_search(&word).is_ok());
                let numbers = self.of_leaf(*leaf, |word| Some(is_in(word)))?;
                Some(self.where_it_is(&numbers, 1))
            }
            &Op::Compare(relation, one, other) => {
                let of = [self.numbers(program, one)?, self.numbers(program, other)?];
                let partial = &self.by_cases()?.partial;
                if partial.contains(&one) || partial.contains(&other) {
                    return None;
                }
                self.compared_numbers(relation, &of, false)
            }
            Op::All(parts) => {
                let parts: Option<Vec<_>> =
                    parts.iter().map(|&part| self.truth(program, part)).collect();
                Some(self.puzzle.all(parts?))
            }
            Op::Any(parts) => {
                let parts: Option<Vec<_>> =
                    parts.iter().map(|&part| self.truth(program, part)).collect();
                Some(self.puzzle.any(parts?))
            }
            &Op::Not(of) => {
                let of = self.truth(program, of)?;
                Some(self.not(of))
            }
            &Op::Has(plane, place) => self.bit(program, plane, place),
            &Op::Some(plane) => {
                let bits = (0..PLACES as u8).map(|place| self.bit(program, plane, place));
                let bits = bits.collect::<Option<Vec<_>>>()?;
                Some(self.puzzle.any(bits))
            }
            Op::Choose(..) | Op::Int(_) => {
                let numbers = self.numbers(program, value)?;
                let never = self.where_it_is(&numbers, 0);
                Some(self.not(never))
            }
            _ => None,
        }
    }

    fn where_it_is(&mut self, numbers: &Numbers, number: i64) -> ConditionId {
        let found = numbers.iter().find(|(other, _)| *other == number);
        found.map_or_else(|| self.puzzle.never(), |(_, condition)| *condition)
    }

    fn bit(&mut self, program: &Program, plane: ValueId, place: u8) -> Option<ConditionId> {
        if let Some(known) = self.by_cases()?.bits.get(&(plane, place)) {
            return *known;
        }
        let found = self.deeper(|reader| reader.new_bit(program, plane, place));
        self.by_cases()?.bits.insert((plane, place), found);
        found
    }

    fn new_bit(&mut self, program: &Program, plane: ValueId, place: u8) -> Option<ConditionId> {
        match program.op(plane) {
            Op::Cells(set, first) => {
                let leaf = first + Leaf::from(place);
                if usize::from(leaf) >= self.values.len() {
                    return Some(self.puzzle.never());
                }
                let set = &program.sets[*set as usize];
                let is_in = |word: Word| i64::from(set.contains(&word));
                let numbers = self.of_leaf(leaf, |word| Some(is_in(word)))?;
                Some(self.where_it_is(&numbers, 1))
            }
            Op::Ones(bits) if bits >> place & 1 != 0 => Some(self.puzzle.always()),
            Op::Ones(_) => Some(self.puzzle.never()),
            &Op::Spread(holds) => self.truth(program, holds),
            &Op::Shift(of, by) => match shifted_from(place, by) {
                Some(from) => self.bit(program, of, from),
                None => Some(self.puzzle.never()),
            },
            Op::Meet(planes) => {
                let bits: Option<Vec<_>> =
                    planes.iter().map(|&of| self.bit(program, of, place)).collect();
                Some(self.puzzle.all(bits?))
            }
            Op::Join(planes) => {
                let bits: Option<Vec<_>> =
                    planes.iter().map(|&of| self.bit(program, of, place)).collect();
                Some(self.puzzle.any(bits?))
            }
            &Op::Flip(of) => {
                let of = self.bit(program, of, place)?;
                Some(self.not(of))
            }
            _ => None,
        }
    }

    /// What holds where a condition does not. One that is not known is not known either way.
    pub(super) fn not(&mut self, condition: ConditionId) -> ConditionId {
        if let Some(&known) = self.cases.as_ref().and_then(|cases| cases.negated.get(&condition)) {
            return known;
        }
        let told = self.puzzle.conditions[condition as usize].clone();
        let negated = match told {
            Told::Unknown => condition,
            Told::In(leaf, values) => {
                let domain = self.puzzle.domains[usize::from(leaf)];
                let others: Values = domain.iter().filter(|&value| !values.has(value)).collect();
                self.puzzle.condition(Told::In(leaf, others))
            }
            Told::Table(Table { leaves, rows }) => {
                let rows = rows.iter().map(|holds| !holds).collect();
                self.puzzle.condition(Told::Table(Table { leaves, rows }))
            }
            Told::All(parts) => {
                let parts = parts.iter().map(|&part| self.not(part)).collect();
                self.puzzle.any(parts)
            }
            Told::Any(parts) => {
                let parts = parts.iter().map(|&part| self.not(part)).collect();
                self.puzzle.all(parts)
            }
        };
        if let Some(cases) = self.by_cases() {
            cases.negated.insert(condition, negated);
            cases.negated.insert(negated, condition);
        }
        negated
    }

    /// A comparison of numbers that depend on very many leaves.
    pub(super) fn compared(&mut self, condition: Condition) -> Option<ConditionId> {
        self.by_cases()?;
        let Formula::Comparison { relation, left, right, negated } = *self.store.says(condition)
        else {
            return None;
        };
        if let Some([one, other]) = self.store.same_leaves(relation, left, right) {
            let [one, other] = [one.0 as usize, other.0 as usize];
            let of = |reader: &Self, leaf: usize| -> Vec<(Value, Cell)> {
                let cells = reader.values[leaf].iter().map(|(_, cell)| *cell);
                reader.puzzle.domains[leaf].iter().zip(cells).collect()
            };
            let mut ways = Vec::new();
            let others = of(self, other);
            for (value, cell) in of(self, one) {
                for &(same, _) in others.iter().filter(|(_, other)| *other == cell) {
                    let is = self.puzzle.is(one as Leaf, value);
                    let is_too = self.puzzle.is(other as Leaf, same);
                    ways.push(self.puzzle.all(vec![is, is_too]));
                }
            }
            let same = self.puzzle.any(ways);
            return Some(if negated { self.not(same) } else { same });
        }
        let of = [self.term_numbers(left)?, self.term_numbers(right)?];
        self.compared_numbers(relation, &of, negated)
    }

    /// Where numbers compare so, or not: neither holds where one of them has no value.
    fn compared_numbers(
        &mut self,
        relation: Relation,
        of: &[Numbers],
        negated: bool,
    ) -> Option<ConditionId> {
        let compare =
            |numbers: &[i64]| Some(i64::from(relation.holds(numbers[0], numbers[1]) != negated));
        let numbers = self.combined(of, compare)?;
        Some(self.where_it_is(&numbers, 1))
    }

    /// What an integer of a condition may be.
    pub(super) fn term_numbers(&mut self, term: Term) -> Option<Numbers> {
        if let Some(known) = self.by_cases()?.terms.get(&term) {
            return known.clone();
        }
        let found = self.deeper(|reader| reader.new_term_numbers(term));
        self.by_cases()?.terms.insert(term, found.clone());
        found
    }

    fn new_term_numbers(&mut self, term: Term) -> Option<Numbers> {
        match self.store.shape(term).clone() {
            Shape::Constant(cell) => Some(vec![(cell.as_int()?, self.puzzle.always())]),
            Shape::Leaf(leaf) => {
                let integer = |word: Word| word.is_int().then(|| word.int_value());
                self.of_leaf(Leaf::try_from(leaf.0).ok()?, integer)
            }
            Shape::Choice(ways) => {
                let mut all: BTreeMap<i64, Vec<ConditionId>> = BTreeMap::new();
                for &(way, term) in ways.iter() {
                    let way = self.told(way);
                    for (number, condition) in self.term_numbers(term)? {
                        all.entry(number).or_default().push(self.puzzle.all(vec![way, condition]));
                    }
                }
                self.grouped(all)
            }
            Shape::Integer(operation, parts) => {
                let parts = parts.iter().map(|&part| self.term_numbers(part));
                let parts: Vec<Numbers> = parts.collect::<Option<_>>()?;
                self.combined(&parts, |numbers| computed(operation, numbers).ok())
            }
            _ => None,
        }
    }
}
