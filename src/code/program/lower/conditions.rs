//! Conditions as values: one by one, or as planes.

use super::{Lowering, Lowers};
use crate::code::Leaf;
use crate::merging::UNBOUND;
use crate::program::vectorise::{FamilyId, Part, Places, Source, word_and_bit};
use crate::program::{Op, PLACES, ValueId};
use rustc_hash::FxHashMap;
use zug_state::Word;
use zug_symbolic::{Condition, Formula, limits};
use zug_term::Cell;

impl Lowering<'_, '_> {
    pub(super) fn word(&mut self, cell: Cell) -> Lowers<Word> {
        if cell == UNBOUND {
            return Ok(Word::VAR);
        }
        self.words.word(cell).ok_or_else(|| "a leaf is no atom and no small integer".to_owned())
    }

    pub(super) fn set_of(&mut self, values: &[Cell]) -> Lowers<u32> {
        let words: Lowers<Vec<Word>> = values.iter().map(|&value| self.word(value)).collect();
        Ok(self.program.set(words?))
    }

    pub(super) fn bit(&mut self, condition: Condition) -> Lowers<ValueId> {
        if let Some(&known) = self.bits.get(&condition) {
            return Ok(known);
        }
        let opposite = self.store.not(condition);
        if let Some(&known) = self.bits.get(&opposite) {
            let value = self.program.not(known);
            self.bits.insert(condition, value);
            return Ok(value);
        }
        self.store.spend(1);
        self.go_on()?;
        let value = match self.store.says(condition).clone() {
            Formula::Never => self.program.certain(false),
            Formula::Always => self.program.certain(true),
            Formula::Literal(leaf, set) if let Some(parameter) = self.parameter_of(leaf) => {
                self.bit_by_move(parameter, set)?
            }
            Formula::Literal(leaf, set) => {
                let (inside, outside) = self.store.values_by(leaf, set);
                // Integers that are taken for one are no word of a set.
                let integers = self.store.has_integers(leaf, set);
                let negated = integers.unwrap_or(outside.len() < inside.len());
                let set = self.set_of(if negated { &outside } else { &inside })?;
                let holds = self.program.value(Op::In(leaf.0 as Leaf, set));
                if negated { self.program.not(holds) } else { holds }
            }
            Formula::Comparison { relation, left, right, negated }
                if self.store.float_bounds(left).is_some() =>
            {
                let sides = [self.float(left)?, self.float(right)?];
                let holds = Op::CompareFloats(relation, sides[0], sides[1]);
                let holds = self.program.value(holds);
                if negated { self.program.not(holds) } else { holds }
            }
            Formula::Comparison { relation, left, right, negated } => {
                let sides = match self.store.same_leaves(relation, left, right) {
                    Some(leaves) => leaves.map(|leaf| self.program.value(Op::Leaf(leaf.0 as Leaf))),
                    None => [self.int(left)?, self.int(right)?],
                };
                let holds = self.program.value(Op::Compare(relation, sides[0], sides[1]));
                if negated { self.program.not(holds) } else { holds }
            }
            Formula::And(parts) => self.joined(condition, &parts, true)?,
            Formula::Or(parts) => self.joined(condition, &parts, false)?,
        };
        self.bits.insert(condition, value);
        Ok(value)
    }

    pub(super) fn is_plane(&self, source: Source) -> bool {
        match source {
            Source::Cells(_) => true,
            Source::Family(family) => {
                self.planes && self.families.families[family as usize].members.len() > 1
            }
            Source::Single(_) => false,
        }
    }

    /// Whether [`joined`](Self::joined) asks nearly all parts of a condition together, as places of few planes.
    pub(super) fn is_asked_together(&self, condition: Condition) -> bool {
        let (Formula::And(parts) | Formula::Or(parts)) = self.store.says(condition) else {
            return false;
        };
        let place = |&part: &Condition| {
            self.families.place(part).filter(|place| self.is_plane(place.source))
        };
        let places = parts.iter().filter_map(place);
        let mut planes: Vec<_> = places.map(|place| (place.source, place.negated)).collect();
        let others = parts.len() - planes.len();
        planes.sort_unstable();
        planes.dedup();
        others + planes.len() < limits::FEWEST_TOGETHER
    }

    fn joined(&mut self, condition: Condition, parts: &[Condition], all: bool) -> Lowers<ValueId> {
        if let Some(place) = self.families.place(condition)
            && self.is_plane(place.source)
        {
            let (word, bit) = word_and_bit(place.at);
            let plane = self.plane(place.source, word, None)?;
            let holds = self.program.value(Op::Has(plane, bit));
            return Ok(if place.negated { self.program.not(holds) } else { holds });
        }
        let mut together: FxHashMap<(Source, bool), Places> = FxHashMap::default();
        let mut counts: FxHashMap<(Source, bool), usize> = FxHashMap::default();
        let mut values = Vec::new();
        let place_of = |this: &Self, part: Condition| {
            let place = this.families.place(part)?;
            this.is_plane(place.source).then_some(place)
        };
        for &part in parts {
            if let Some(place) = place_of(self, part) {
                *counts.entry((place.source, place.negated)).or_default() += 1;
            }
        }
        let mut order = Vec::new();
        for &part in parts {
            match place_of(self, part) {
                Some(place)
                    if counts[&(place.source, place.negated)] >= limits::FEWEST_TOGETHER =>
                {
                    let key = (place.source, place.negated);
                    if !together.contains_key(&key) {
                        order.push(key);
                    }
                    together.entry(key).or_default().insert(place.at);
                }
                _ => values.push(self.bit(part)?),
            }
        }
        for key in order {
            let (source, negated) = key;
            for (word, bits) in together[&key].words() {
                let plane = self.plane(source, word, None)?;
                // All hold where none fails.
                let plane = self.program.flipped(plane, negated != all);
                let plane = self.program.within(plane, bits);
                let some = self.program.value(Op::Some(plane));
                values.push(if all { self.program.not(some) } else { some });
            }
        }
        Ok(self.program.joined(if all { Op::All } else { Op::Any }, values))
    }

    /// A word of the plane of a source: of a family, of its members before a depth.
    pub(super) fn plane(
        &mut self,
        source: Source,
        word: usize,
        before: Option<u32>,
    ) -> Lowers<ValueId> {
        match source {
            Source::Cells(set) => {
                let number = match self.cells[set as usize] {
                    Some(number) => number,
                    None => {
                        let values = self.families.sets[set as usize].clone();
                        self.set_of(&values)?
                    }
                };
                self.cells[set as usize] = Some(number);
                Ok(self.program.value(Op::Cells(number, (word * PLACES) as Leaf)))
            }
            Source::Single(condition) => {
                // It may be made of members of the family that it is a part of: of them one by one.
                let planes = std::mem::replace(&mut self.planes, false);
                let holds = self.bit(condition);
                self.planes = planes;
                Ok(self.program.value(Op::Spread(holds?)))
            }
            Source::Family(family) => self.family(family, word, before),
        }
    }

    fn family(&mut self, number: FamilyId, word: usize, before: Option<u32>) -> Lowers<ValueId> {
        let family = &self.families.families[number as usize];
        let stages = family.stages(word);
        let stage = match before {
            Some(before) if family.recursive => {
                let stage = stages.iter().rev().copied().find(|&depth| depth < before);
                stage.ok_or("conditions are made of one another")?
            }
            _ => *stages.last().ok_or("a word of a plane has no member")?,
        };
        if let Some(&known) = self.made.get(&(number, word, stage)) {
            return Ok(known);
        }
        let (family, anchors) = (family.clone(), family.anchors_to(stage).word(word));
        let mut joined = Vec::with_capacity(family.parts.len());
        for (part, of) in &family.parts {
            let of = of.word(word) & anchors;
            if of == 0 {
                continue;
            }
            let inner = match part.source {
                Source::Family(inner) if self.families.same_component(inner, number) => Some(stage),
                _ => None,
            };
            let mut plane = self.part(part, word, of, inner)?;
            if of != anchors {
                plane = if family.all {
                    let without = self.program.value(Op::Ones(!of));
                    self.program.joined(Op::Join, [plane, without])
                } else {
                    self.program.within(plane, of)
                };
            }
            joined.push(plane);
        }
        let plane = self.program.joined(if family.all { Op::Meet } else { Op::Join }, joined);
        self.made.insert((number, word, stage), plane);
        Ok(plane)
    }

    /// A part of a family at anchors of a word: its places may lie in two words.
    fn part(
        &mut self,
        part: &Part,
        word: usize,
        anchors: u64,
        before: Option<u32>,
    ) -> Lowers<ValueId> {
        let mut planes = Vec::with_capacity(2);
        for (word, by) in part.words(word, anchors) {
            let word = word.ok_or("a place of a plane is before the first")?;
            let plane = self.plane(part.source, word, before)?;
            let plane = self.program.flipped(plane, part.negated);
            planes.push(self.program.shifted(plane, by));
        }
        Ok(self.program.joined(Op::Join, planes))
    }
}
