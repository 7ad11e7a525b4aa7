//! Partition of guarded answers into a decision tree.
//!
//! Answers are split from the first to the last: neighbours that ask for a place of one plane are gone through by the
//! places that are in it, the others one by one. Guards of guarded answers become decisions as clauses of pattern matching
//! do (L. Maranget, *Compiling Pattern Matching to Good Decision Trees*, ML 2008).
//!
//! # Invariants
//!
//! - The program answers what holds, in the order of the answers.
//! - A split is of [`limits::FEWEST_FOLDED`] places at least, or of [`limits::FEWEST_TOGETHER`] of which one holds.
//!   Fewer are tested one by one.

use super::{Item, Lowering, Lowers, SEVERAL};
use crate::code::BlockId;
use crate::program::vectorise::{Place, Places, Source, word_and_bit};
use crate::program::{End, Op, PLACES, ValueId};
use std::collections::BTreeMap;
use zug_symbolic::Condition;
use zug_symbolic::limits;

/// How the first items are gone through.
#[derive(Clone, Copy)]
enum Split {
    /// The first by itself.
    One,
    /// By the places of a plane, which are their conditions.
    Whole(Source),
    /// By the places of a plane of cells, which are parts of their conditions.
    Part(Source),
    /// The same of a plane that had one place in every state that was met.
    Only(Source),
}

impl Split {
    /// Whether a place may follow another, and the fewest places that it is worth.
    fn follows(self, last: Option<u16>, at: u16) -> bool {
        match self {
            Split::One => false,
            Split::Whole(_) => last.is_none_or(|last| last < at),
            Split::Part(_) => last.is_none_or(|last| last <= at),
            Split::Only(_) => true,
        }
    }

    fn least(self) -> usize {
        if let Split::Only(_) = self { limits::FEWEST_TOGETHER } else { limits::FEWEST_FOLDED }
    }

    /// What makes one better than another, in this order.
    fn rank(self, count: usize) -> (bool, usize, bool) {
        (matches!(self, Split::Only(_)), count, matches!(self, Split::Whole(_)))
    }
}

impl Lowering<'_, '_> {
    /// How many operations items take one by one that a state asks: of a split, only what is asked at its places.
    pub(super) fn size_of_items(&mut self, items: &[Item]) -> usize {
        let (mut at, mut size) = (0, 0);
        while at < items.len() {
            let (count, split) = self.split_first(&items[at..]);
            let (Split::Part(source) | Split::Only(source)) = split else {
                for item in &items[at..at + count] {
                    size += self.size_of(&[item.condition]);
                }
                at += count;
                continue;
            };
            for item in &items[at..at + count] {
                let place = self.part_in(item.condition, source);
                let is = place.is_some_and(|(_, place)| self.is_in_sample(source, place));
                size += if is { self.size_of(&[item.condition]) } else { 0 };
            }
            at += count;
        }
        size
    }

    fn is_in_sample(&self, source: Source, at: u16) -> bool {
        let Source::Cells(set) = source else { return true };
        let word = self.board.sample.get(usize::from(at));
        let cell = word.map(|&word| self.words.cell_or_unbound(word));
        cell.is_some_and(|cell| self.families.sets[set as usize].contains(&cell))
    }

    /// The conjunct of a condition that is a place of a plane of cells.
    fn part_in(&self, condition: Condition, source: Source) -> Option<(Condition, u16)> {
        let parts = self.store.conjuncts(condition).into_iter();
        let mut places = parts.filter_map(|part| {
            let place = self.families.place(part)?;
            (place.source == source && !place.negated).then_some((part, place.at))
        });
        let first = places.next()?;
        places.next().is_none().then_some(first)
    }

    /// The place of that, and the item where it holds.
    fn without_part(&mut self, item: &Item, source: Source) -> (u16, Item) {
        let (part, at) = self.part_in(item.condition, source).expect("it has the part");
        let condition = self.store.given(item.condition, part);
        (at, Item { condition, moves: item.moves.clone() })
    }

    /// Where a condition holds that is in a plane, and not where one is not.
    fn whole(&self, condition: Condition) -> Option<Place> {
        let place = self.families.place(condition)?;
        (self.is_plane(place.source) && !place.negated).then_some(place)
    }

    fn is_single(&mut self, source: Source) -> bool {
        let Source::Cells(set) = source else { return false };
        let &[value] = &self.families.sets[set as usize][..] else { return false };
        self.word(value).is_ok_and(|word| self.board.singles.contains(&word))
    }

    /// The best split from the first item on, and how many items it takes.
    fn split_first(&mut self, items: &[Item]) -> (usize, Split) {
        let first = items[0].condition;
        let mut splits = Vec::new();
        splits.extend(self.whole(first).map(|place| Split::Whole(place.source)));
        for part in self.store.conjuncts(first) {
            let Some(Place { source, negated: false, .. }) = self.families.place(part) else {
                continue;
            };
            if !matches!(source, Source::Cells(_)) {
                continue;
            }
            splits.push(Split::Part(source));
            if self.is_single(source) {
                splits.push(Split::Only(source));
            }
        }
        let mut best = (1, Split::One);
        for split in splits {
            let count = self.fitting(items, split);
            if count > 0 && split.rank(count) > best.1.rank(best.0) {
                best = (count, split);
            }
        }
        best
    }

    /// How many items, from the first on, a split takes; 0 if these are of too few places.
    fn fitting(&mut self, items: &[Item], split: Split) -> usize {
        let (mut count, mut last, mut different) = (0, None, Places::default());
        for item in items {
            let at = match split {
                Split::One => None,
                Split::Whole(source) => self
                    .whole(item.condition)
                    .filter(|place| place.source == source)
                    .map(|place| place.at),
                Split::Part(source) | Split::Only(source) => {
                    self.part_in(item.condition, source).map(|(_, at)| at)
                }
            };
            let Some(at) = at.filter(|&at| split.follows(last, at)) else { break };
            (count, last) = (count + 1, Some(at));
            different.insert(at);
        }
        self.store.spend(1 + count / 4);
        if different.len() >= split.least() { count } else { 0 }
    }

    /// The decisions of items, and what follows.
    pub(super) fn sequence(&mut self, items: &[Item], then: BlockId) -> Lowers<BlockId> {
        let (mut left, mut splits) = (items, Vec::new());
        while !left.is_empty() {
            let (count, split) = self.split_first(left);
            let (items, rest) = left.split_at(count);
            splits.push((items, split));
            left = rest;
        }
        let mut next = then;
        for (items, split) in splits.into_iter().rev() {
            next = match split {
                Split::One => {
                    let answer = self.answer(&items[0], End::Goto(next));
                    self.test(items[0].condition, answer, next)?
                }
                Split::Whole(source) => {
                    let place = |item: &Item| {
                        let place = self.whole(item.condition).expect("it is in a plane");
                        (place.at, vec![Item { condition: Condition::ALWAYS, ..item.clone() }])
                    };
                    let groups: Vec<(u16, Vec<Item>)> = items.iter().map(place).collect();
                    self.each(source, &groups, next)?
                }
                Split::Part(source) => {
                    let groups = self.by_place(items, source, false);
                    self.each(source, &groups, next)?
                }
                Split::Only(source) => {
                    let mut at = Vec::with_capacity(items.len());
                    for (place, group) in self.by_place(items, source, true) {
                        at.push((place, self.sequence(&group, next)?));
                    }
                    self.only(source, &at, next)?
                }
            };
        }
        Ok(next)
    }

    /// Items by their places in a plane: neighbours alone, or all.
    fn by_place(&mut self, items: &[Item], source: Source, all: bool) -> Vec<(u16, Vec<Item>)> {
        let mut groups: Vec<(u16, Vec<Item>)> = Vec::new();
        for item in items {
            let (at, item) = self.without_part(item, source);
            match groups.last_mut() {
                Some((last, group)) if *last == at => group.push(item),
                _ => groups.push((at, vec![item])),
            }
        }
        if !all {
            return groups;
        }
        let mut places: BTreeMap<u16, Vec<Item>> = BTreeMap::new();
        for (at, group) in groups {
            places.entry(at).or_default().extend(group);
        }
        places.into_iter().collect()
    }

    /// Goes through the places of a plane, word by word, and at each through its items.
    fn each(
        &mut self,
        source: Source,
        groups: &[(u16, Vec<Item>)],
        then: BlockId,
    ) -> Lowers<BlockId> {
        let word = |group: &(u16, Vec<Item>)| word_and_bit(group.0).0;
        let mut next = then;
        // The bodies of a loop stand between it and what follows.
        for groups in groups.chunk_by(|one, other| word(one) == word(other)).rev() {
            let (mut at, mut bits) = (Vec::with_capacity(groups.len()), 0);
            for (place, items) in groups {
                let block = match &items[..] {
                    [only] if only.condition == Condition::ALWAYS => self.answer(only, End::Next),
                    _ => {
                        let end = self.block(Vec::new(), End::Next);
                        self.sequence(items, end)?
                    }
                };
                let (_, bit) = word_and_bit(*place);
                at.push((bit, block));
                bits |= 1u64 << bit;
            }
            let plane = self.plane(source, word(&groups[0]), None)?;
            let plane = self.program.within(plane, bits);
            next = self.block(Vec::new(), End::Each { plane, at: at.into(), then: next });
        }
        Ok(next)
    }

    /// Branches on the only place of a plane. The first word that is not empty has it, if all later words are empty.
    fn only(&mut self, source: Source, at: &[(u16, BlockId)], then: BlockId) -> Lowers<BlockId> {
        let several = self.block(Vec::new(), End::Deopt(SEVERAL));
        let (mut next, mut later): (_, Vec<ValueId>) = (then, Vec::new());
        for word in (0..self.board.leaves.div_ceil(PLACES)).rev() {
            let plane = self.plane(source, word, None)?;
            let here = at.iter().map(|&(at, to)| (word_and_bit(at), to));
            let here = here.filter(|((of, _), _)| *of == word).map(|((_, bit), to)| (bit, to));
            let (at, none) = (here.collect(), then);
            let found = self.block(Vec::new(), End::Only { plane, at, none, several });
            next = if later.is_empty() {
                found
            } else {
                let rest = self.program.joined(Op::Join, later.clone());
                let [some, more] = [plane, rest].map(|plane| self.program.value(Op::Some(plane)));
                let found = self.block(Vec::new(), End::If(more, several, found));
                self.block(Vec::new(), End::If(some, found, next))
            };
            later.push(plane);
        }
        Ok(next)
    }
}
