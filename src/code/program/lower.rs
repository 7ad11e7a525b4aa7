//! From guarded answers to a program.

use super::planes::{Families, FamilyId, Source};
use super::{Block, End, Op, PLACES, Program, Step, ValueId};
use crate::code::{BlockId, Cost, Hole, Move, NOTHING, Template};
use crate::merging::{Outcome, UNBOUND};
use crate::residual::Leaf;
use crate::words::Words;
use rustc_hash::{FxHashMap, FxHashSet};
use zug_state::{Number, Word};
use zug_symbolic::{
    Condition, Domain, Formula, Guarded, Leaves, Operation, Relation, Shape, Store, Term,
};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap};

/// The fewest conditions of one kind that are asked together.
const TOGETHER: usize = 3;
/// The fewest answers that are gone through by the places of a plane.
const LOOP: usize = 4;
/// The largest condition that is asked as a whole.
const APART: usize = 12;
/// The most answers after those that are of several shapes were split.
const MOST_ANSWERS: usize = 4096;
/// Operations on planes weigh as much as so many on single leaves.
const PLANE_WEIGHT: usize = 2;

/// What is asked of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Whether it holds.
    Test,
    /// The number that its first variable is.
    Value,
    /// Moves: names are the first variable, costs, if there are some, the second, and states the last.
    Moves {
        /// Whether there is a cost.
        cost: bool,
    },
}

/// A state of the shape that a program is for.
pub struct Board<'a> {
    /// The number of the shape.
    pub shape: u8,
    /// How many leaves it has.
    pub leaves: usize,
    /// The leaves of a state that was met.
    pub sample: &'a [Word],
}

/// What lowering comes to.
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The moves that it answers.
    pub moves: Vec<Move>,
}

/// Makes the program of guarded answers. An error says why there is none.
pub fn lower(
    store: &mut Store,
    outcome: &Outcome,
    asked: Asked,
    board: &Board<'_>,
    words: Words<'_>,
    heap: &mut Heap,
) -> Result<Lowered, String> {
    let seen = |leaf| words.0.seen(board.shape, leaf).unwrap_or([u64::MAX; 4]);
    let may = (0..board.leaves).map(seen).collect();
    let program = Program { leaves: board.leaves, may, ..Program::default() };
    let mut lowering = Lowering {
        store,
        words,
        heap,
        board,
        program,
        families: Families::default(),
        planes: false,
        bits: FxHashMap::default(),
        apart: FxHashSet::default(),
        whole: FxHashSet::default(),
        made: FxHashMap::default(),
        cells: Vec::new(),
        moves: Vec::new(),
    };
    lowering.answers(outcome, asked)?;
    let Lowering { mut program, moves, .. } = lowering;
    program.in_order();
    program.place();
    Ok(Lowered { program, moves })
}

/// A move and where it is one.
struct Guided {
    condition: Condition,
    name: Term,
    cost: Option<Term>,
    to: Term,
}

/// Moves that are answered together.
#[derive(Clone)]
struct Item {
    condition: Condition,
    moves: Vec<u32>,
}

struct Lowering<'a, 'w> {
    store: &'a mut Store,
    words: Words<'w>,
    heap: &'a mut Heap,
    board: &'a Board<'a>,
    program: Program,
    families: Families,
    /// Families are asked as planes.
    planes: bool,
    bits: FxHashMap<Condition, ValueId>,
    /// Conditions that are asked part by part.
    apart: FxHashSet<Condition>,
    /// Terms without a choice between structures.
    whole: FxHashSet<Term>,
    made: FxHashMap<(FamilyId, u32), ValueId>,
    /// By set of values: the set of words.
    cells: Vec<Option<u32>>,
    moves: Vec<Move>,
}

type Lowers<T> = Result<T, String>;

impl Lowering<'_, '_> {
    fn answers(&mut self, outcome: &Outcome, asked: Asked) -> Lowers<()> {
        match asked {
            Asked::Test => {
                let holds = self.store.or(outcome.answers.iter().map(|&(holds, _)| holds));
                self.survey(&[holds, outcome.given_back], &[]);
                let [yes, no] = [End::True, End::Done].map(|end| self.block(Vec::new(), end));
                let entry = self.test(holds, yes, no)?;
                self.give_back(outcome.given_back, entry)
            }
            Asked::Value => {
                let mut terms = Vec::new();
                for (condition, values) in &outcome.answers {
                    terms.push((*condition, *values.first().ok_or("there is no value")?));
                }
                let roots: Vec<Condition> =
                    terms.iter().map(|&(holds, _)| holds).chain([outcome.given_back]).collect();
                let values: Vec<Term> = terms.iter().map(|&(_, term)| term).collect();
                self.survey(&roots, &values);
                let mut next = self.block(Vec::new(), End::Done);
                for (condition, term) in terms.into_iter().rev() {
                    let value = self.int(term)?;
                    let answer = self.block(Vec::new(), End::Int(value));
                    next = self.test(condition, answer, next)?;
                }
                self.give_back(outcome.given_back, next)
            }
            Asked::Moves { cost } => {
                let guided = self.split(outcome, cost)?;
                let mut roots: Vec<Condition> = guided.iter().map(|one| one.condition).collect();
                roots.push(outcome.given_back);
                let terms: Vec<Term> = guided
                    .iter()
                    .flat_map(|one| [Some(one.name), one.cost, Some(one.to)])
                    .flatten()
                    .collect();
                let items: Vec<Item> = guided
                    .iter()
                    .map(|one| Item { condition: one.condition, moves: Vec::new() })
                    .collect();
                self.survey_moves(&roots, &terms, &items);
                let mut items: Vec<Item> = Vec::new();
                for one in guided {
                    let number = self.move_of(&one)?;
                    match items.last_mut() {
                        Some(last) if last.condition == one.condition => last.moves.push(number),
                        _ => items.push(Item { condition: one.condition, moves: vec![number] }),
                    }
                }
                let done = self.block(Vec::new(), End::Done);
                let entry = self.sequence(&items, done)?;
                self.give_back(outcome.given_back, entry)
            }
        }
    }

    /// The states that are given back are, before anything else.
    fn give_back(&mut self, condition: Condition, entry: BlockId) -> Lowers<()> {
        if condition != Condition::NEVER {
            let back = self.block(Vec::new(), End::GiveBack(0));
            self.test(condition, back, entry)?;
        } else if entry as usize + 1 != self.program.blocks.len() {
            self.block(Vec::new(), End::Goto(entry));
        }
        Ok(())
    }

    /// An error if that was more work than there may be.
    fn go_on(&self) -> Lowers<()> {
        if self.store.is_spent() { Err(crate::making::TOO_MUCH.to_owned()) } else { Ok(()) }
    }

    fn block(&mut self, steps: Vec<Step>, end: End) -> BlockId {
        self.program.blocks.push(Block { steps, end });
        self.program.blocks.len() as BlockId - 1
    }

    /// A block that goes by a condition.
    fn test(&mut self, condition: Condition, then: BlockId, other: BlockId) -> Lowers<BlockId> {
        Ok(match condition {
            Condition::ALWAYS => then,
            Condition::NEVER => other,
            _ => match self.store.says(condition).clone() {
                Formula::And(parts) if self.takes_apart(condition) => {
                    let mut next = then;
                    for part in self.by_size(&parts).into_iter().rev() {
                        next = self.test(part, next, other)?;
                    }
                    next
                }
                Formula::Or(parts) if self.takes_apart(condition) => {
                    let mut next = other;
                    for part in self.by_size(&parts).into_iter().rev() {
                        next = self.test(part, then, next)?;
                    }
                    next
                }
                _ => {
                    let holds = self.bit(condition)?;
                    self.block(Vec::new(), End::If(holds, then, other))
                }
            },
        })
    }

    /// Whether the parts of a condition are asked one after the other, each where those before it
    /// leave something to ask: it is large, no plane has it, and it is asked here alone.
    fn takes_apart(&mut self, condition: Condition) -> bool {
        let takes = !self.planes
            && !self.bits.contains_key(&condition)
            && self.size_of(&[condition]) > APART;
        takes && self.apart.insert(condition)
    }

    /// Conditions, the smaller ones first.
    fn by_size(&mut self, parts: &[Condition]) -> Vec<Condition> {
        let mut parts: Vec<(usize, Condition)> =
            parts.iter().map(|&part| (self.size_of(&[part]), part)).collect();
        parts.sort_unstable();
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// Decides whether conditions are asked as planes.
    fn survey(&mut self, roots: &[Condition], terms: &[Term]) {
        self.survey_moves(roots, terms, &[]);
    }

    fn survey_moves(&mut self, roots: &[Condition], terms: &[Term], items: &[Item]) {
        let mut all = roots.to_vec();
        let mut seen = FxHashSet::default();
        for &term in terms {
            self.conditions_of(term, &mut all, &mut seen);
        }
        let window = self.board.leaves.min(PLACES);
        self.families = Families::of(self.store, &all, window);
        self.cells = vec![None; self.families.sets.len()];
        let planes: usize = self
            .families
            .families
            .iter()
            .filter(|family| family.members.len() > 1)
            .map(|family| {
                let stages = if family.recursive { family.stages().len() } else { 1 };
                stages * family.parts.len()
            })
            .sum();
        let single = if items.is_empty() { self.size_of(&all) } else { self.size_of_items(items) };
        self.planes = planes * PLANE_WEIGHT < single;
    }

    /// The conditions in a term.
    fn conditions_of(&mut self, term: Term, all: &mut Vec<Condition>, seen: &mut FxHashSet<Term>) {
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            if self.store.leaves(term) == Leaves::None || !seen.insert(term) {
                continue;
            }
            self.store.spend(1);
            match self.store.shape(term) {
                Shape::Choice(ways) | Shape::Present(ways) => {
                    for &(condition, term) in ways {
                        all.push(condition);
                        waiting.push(term);
                    }
                }
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Struct(_, parts) | Shape::Integer(_, parts) => waiting.extend(parts),
                Shape::Constant(_) | Shape::Boxed(_) | Shape::Variable(_) | Shape::Leaf(_) => {}
            }
        }
    }

    /// How many operations conditions take one by one, shared ones once.
    fn size_of(&mut self, conditions: &[Condition]) -> usize {
        let (mut seen, mut waiting) = (FxHashSet::default(), conditions.to_vec());
        let mut size = 0;
        while let Some(condition) = waiting.pop() {
            if !seen.insert(condition) {
                continue;
            }
            size += 1;
            if let Formula::And(parts) | Formula::Or(parts) = self.store.says(condition) {
                waiting.extend(parts);
            }
        }
        self.store.spend(size);
        size
    }

    /// The same for those that a state asks: of a loop, only what is asked at its places.
    fn size_of_items(&mut self, items: &[Item]) -> usize {
        let (mut at, mut size) = (0, 0);
        while at < items.len() {
            let Some((count, source)) = self.by_part(&items[at..]) else {
                size += self.size_of(&[items[at].condition]);
                at += 1;
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

    fn is_in_sample(&self, source: Source, at: u8) -> bool {
        let Source::Cells(set) = source else { return true };
        let word = self.board.sample.get(usize::from(at));
        let cell = word.map(|&word| self.words.cell_or_unbound(word));
        cell.is_some_and(|cell| self.families.sets[set as usize].contains(&cell))
    }

    /// The conjunct of a condition that is a place of a plane of cells.
    fn part_in(&self, condition: Condition, source: Source) -> Option<(Condition, u8)> {
        let parts = self.store.conjuncts(condition).into_iter();
        let mut places = parts.filter_map(|part| {
            let place = self.families.place(part)?;
            (place.source == source && !place.negated).then_some((part, place.at))
        });
        let first = places.next()?;
        places.next().is_none().then_some(first)
    }

    /// The most items from the first on whose conditions have a part in one plane of cells, at places
    /// that ascend.
    fn by_part(&mut self, items: &[Item]) -> Option<(usize, Source)> {
        let mut best: Option<(usize, Source)> = None;
        for part in self.store.conjuncts(items[0].condition) {
            let Some(place) = self.families.place(part) else { continue };
            if place.negated || !matches!(place.source, Source::Cells(_)) {
                continue;
            }
            let (mut count, mut last, mut different) = (0, None, 0);
            for item in items {
                let Some((_, at)) = self.part_in(item.condition, place.source) else { break };
                if last.is_some_and(|last| at < last) {
                    break;
                }
                different += usize::from(last != Some(at));
                last = Some(at);
                count += 1;
            }
            self.store.spend(1 + count / 4);
            if different >= LOOP && best.is_none_or(|(most, _)| count > most) {
                best = Some((count, place.source));
            }
        }
        best
    }

    /// The most items from the first on whose conditions are in one plane, at places that ascend.
    fn by_whole(&self, items: &[Item]) -> Option<(usize, Source)> {
        let place = |item: &Item| {
            let place = self.families.place(item.condition)?;
            let is_plane = match place.source {
                Source::Cells(_) => true,
                Source::Family(family) => {
                    self.planes && self.families.families[family as usize].members.len() > 1
                }
                Source::Single(_) => false,
            };
            (is_plane && !place.negated).then_some((place.source, place.at))
        };
        let (source, first) = place(&items[0])?;
        let (mut count, mut last) = (1, first);
        for item in &items[1..] {
            match place(item) {
                Some((of, at)) if of == source && at > last => last = at,
                _ => break,
            }
            count += 1;
        }
        (count >= LOOP).then_some((count, source))
    }

    /// Items one after the other, and then another block.
    fn sequence(&mut self, items: &[Item], then: BlockId) -> Lowers<BlockId> {
        enum Run {
            One(usize),
            Whole(usize, usize, Source),
            Part(usize, usize, Source),
        }
        let (mut at, mut runs) = (0, Vec::new());
        while at < items.len() {
            let (whole, part) = (self.by_whole(&items[at..]), self.by_part(&items[at..]));
            at += match (whole, part) {
                (Some((count, source)), part) if part.is_none_or(|(other, _)| count >= other) => {
                    runs.push(Run::Whole(at, count, source));
                    count
                }
                (_, Some((count, source))) => {
                    runs.push(Run::Part(at, count, source));
                    count
                }
                _ => {
                    runs.push(Run::One(at));
                    1
                }
            };
        }
        let mut next = then;
        for run in runs.into_iter().rev() {
            next = match run {
                Run::One(at) => {
                    let item = &items[at];
                    let answer = self.answer(item, End::Goto(next));
                    self.test(item.condition, answer, next)?
                }
                Run::Whole(first, count, source) => {
                    let mut at = Vec::with_capacity(count);
                    for item in &items[first..first + count] {
                        let place = self.families.place(item.condition).expect("it is in a plane");
                        at.push((place.at, self.answer(item, End::Next)));
                    }
                    self.each(source, at, next)?
                }
                Run::Part(first, count, source) => {
                    let mut groups: Vec<(u8, Vec<Item>)> = Vec::new();
                    for item in &items[first..first + count] {
                        let (part, at) =
                            self.part_in(item.condition, source).expect("it has the part");
                        let condition = self.store.given(item.condition, part);
                        let item = Item { condition, moves: item.moves.clone() };
                        match groups.last_mut() {
                            Some((last, group)) if *last == at => group.push(item),
                            _ => groups.push((at, vec![item])),
                        }
                    }
                    let mut at = Vec::with_capacity(groups.len());
                    for (place, group) in groups {
                        let end = self.block(Vec::new(), End::Next);
                        at.push((place, self.sequence(&group, end)?));
                    }
                    self.each(source, at, next)?
                }
            };
        }
        Ok(next)
    }

    fn each(&mut self, source: Source, at: Vec<(u8, BlockId)>, then: BlockId) -> Lowers<BlockId> {
        let bits = at.iter().fold(0, |bits, &(at, _)| bits | 1u64 << at);
        let plane = self.plane(source, None)?;
        let plane = self.program.within(plane, bits);
        Ok(self.block(Vec::new(), End::Each { plane, at: at.into(), then }))
    }

    fn answer(&mut self, item: &Item, end: End) -> BlockId {
        let steps = item.moves.iter().map(|&number| Step::Move(number)).collect();
        self.block(steps, end)
    }
}

/// Conditions.
impl Lowering<'_, '_> {
    fn word(&mut self, cell: Cell) -> Lowers<Word> {
        if cell == UNBOUND {
            return Ok(Word::VAR);
        }
        self.words.word(cell).ok_or_else(|| "a leaf is no atom and no small integer".to_owned())
    }

    fn set_of(&mut self, values: &[Cell]) -> Lowers<u32> {
        let words: Lowers<Vec<Word>> = values.iter().map(|&value| self.word(value)).collect();
        Ok(self.program.set(words?))
    }

    /// The value of a condition.
    fn bit(&mut self, condition: Condition) -> Lowers<ValueId> {
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
            Formula::Literal(leaf, set) => {
                let (inside, outside) = self.store.values_by(leaf, set);
                let negated = outside.len() < inside.len();
                let set = self.set_of(if negated { &outside } else { &inside })?;
                let holds = self.program.value(Op::In(leaf.0 as Leaf, set));
                if negated { self.program.not(holds) } else { holds }
            }
            Formula::Comparison { relation, left, right, negated } => {
                let sides = [self.int(left)?, self.int(right)?];
                let holds = self.program.value(Op::Compare(relation, sides[0], sides[1]));
                if negated { self.program.not(holds) } else { holds }
            }
            Formula::And(parts) => self.joined(condition, &parts, true)?,
            Formula::Or(parts) => self.joined(condition, &parts, false)?,
        };
        self.bits.insert(condition, value);
        Ok(value)
    }

    fn is_plane(&self, source: Source) -> bool {
        match source {
            Source::Cells(_) => true,
            Source::Family(family) => {
                self.planes && self.families.families[family as usize].members.len() > 1
            }
            Source::Single(_) => false,
        }
    }

    /// All of some conditions, or any of them.
    fn joined(&mut self, condition: Condition, parts: &[Condition], all: bool) -> Lowers<ValueId> {
        if let Some(place) = self.families.place(condition)
            && self.is_plane(place.source)
        {
            let plane = self.plane(place.source, None)?;
            let holds = self.program.value(Op::Has(plane, place.at));
            return Ok(if place.negated { self.program.not(holds) } else { holds });
        }
        let mut together: FxHashMap<(Source, bool), u64> = FxHashMap::default();
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
                Some(place) if counts[&(place.source, place.negated)] >= TOGETHER => {
                    let key = (place.source, place.negated);
                    if !together.contains_key(&key) {
                        order.push(key);
                    }
                    *together.entry(key).or_default() |= 1 << place.at;
                }
                _ => values.push(self.bit(part)?),
            }
        }
        for key in order {
            let (source, negated) = key;
            let mut plane = self.plane(source, None)?;
            // All hold where none fails.
            if negated != all {
                plane = self.program.value(Op::Flip(plane));
            }
            let plane = self.program.within(plane, together[&key]);
            let some = self.program.value(Op::Some(plane));
            values.push(if all { self.program.not(some) } else { some });
        }
        Ok(if all { self.program.all(values) } else { self.program.any(values) })
    }

    /// The plane of a source: of a family, of its members before a depth.
    fn plane(&mut self, source: Source, before: Option<u32>) -> Lowers<ValueId> {
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
                Ok(self.program.value(Op::Cells(number)))
            }
            Source::Single(condition) => {
                let holds = self.bit(condition)?;
                Ok(self.program.value(Op::Spread(holds)))
            }
            Source::Family(family) => self.family(family, before),
        }
    }

    fn family(&mut self, number: FamilyId, before: Option<u32>) -> Lowers<ValueId> {
        let family = self.families.families[number as usize].clone();
        let stages = family.stages();
        let last = *stages.last().expect("it has members");
        let stage = match before {
            Some(before) if family.recursive => {
                stages.iter().rev().copied().find(|&depth| depth < before).unwrap_or(last)
            }
            _ => last,
        };
        if let Some(&known) = self.made.get(&(number, stage)) {
            return Ok(known);
        }
        let anchors = family.anchors_to(stage);
        let mut joined = Vec::with_capacity(family.parts.len());
        for &(part, of) in &family.parts {
            let of = of & anchors;
            if of == 0 {
                continue;
            }
            let inner = match part.source {
                Source::Family(inner) if self.families.same_component(inner, number) => Some(stage),
                _ => None,
            };
            let mut plane = self.plane(part.source, inner)?;
            if part.negated {
                plane = self.program.value(Op::Flip(plane));
            }
            plane = self.program.shifted(plane, part.offset);
            if of != anchors {
                plane = if family.all {
                    let without = self.program.value(Op::Ones(!of));
                    self.program.join(vec![plane, without])
                } else {
                    self.program.within(plane, of)
                };
            }
            joined.push(plane);
        }
        let plane = if family.all { self.program.meet(joined) } else { self.program.join(joined) };
        self.made.insert((number, stage), plane);
        Ok(plane)
    }
}

/// Integers.
impl Lowering<'_, '_> {
    fn int(&mut self, term: Term) -> Lowers<ValueId> {
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
                self.chosen(&ways, &mut |this, term| this.int(term))
            }
            Shape::Integer(operation, operands) => {
                if let Some(table) = self.table(term)? {
                    return Ok(table);
                }
                if operation == Operation::Add {
                    return self.sum(term);
                }
                let operands: Lowers<Vec<ValueId>> =
                    operands.iter().map(|&operand| self.int(operand)).collect();
                Ok(self.program.value(Op::Integer(operation, operands?.into())))
            }
            _ => Err("a number is a structure or unbound".to_owned()),
        }
    }

    /// What is computed of one leaf, as a table, if each value of it has one byte.
    fn table(&mut self, term: Term) -> Lowers<Option<ValueId>> {
        let Leaves::One(leaf) = self.store.leaves(term) else { return Ok(None) };
        let Domain::Values(values) = self.store.domain(leaf).clone() else { return Ok(None) };
        let mut table = [NOTHING; 256];
        let mut state = vec![Cell::NIL; self.board.leaves];
        for &value in &values {
            let word = self.word(value)?;
            let Some(byte) = word.byte() else { return Ok(None) };
            state[leaf.0 as usize] = value;
            if let Some(result) = self.store.integer_in(term, &state) {
                table[usize::from(byte)] = result;
            }
        }
        let known = self.program.tables.iter().position(|known| *known == table);
        let number = known.unwrap_or_else(|| {
            self.program.tables.push(table);
            self.program.tables.len() - 1
        });
        Ok(Some(self.program.value(Op::Table(leaf.0 as Leaf, number as u32))))
    }

    /// A sum: what is added where conditions of one plane hold is counted there.
    fn sum(&mut self, term: Term) -> Lowers<ValueId> {
        let (mut waiting, mut parts) = (vec![term], Vec::new());
        while let Some(term) = waiting.pop() {
            match self.store.shape(term) {
                Shape::Integer(Operation::Add, operands) => waiting.extend(operands.iter().rev()),
                _ => parts.push(term),
            }
        }
        let mut counted: Vec<((Source, bool, i64), u64)> = Vec::new();
        let (mut fixed, mut rest) = (0i64, Vec::new());
        for &part in &parts {
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
            let bit = 1 << place.at;
            match counted.iter_mut().find(|(known, bits)| *known == key && *bits & bit == 0) {
                Some((_, bits)) => *bits |= bit,
                None => counted.push((key, bit)),
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
        for ((source, negated, factor), bits) in counted {
            let mut plane = self.plane(source, None)?;
            if negated {
                plane = self.program.value(Op::Flip(plane));
            }
            let plane = self.program.within(plane, bits);
            let mut count = self.program.value(Op::Count(plane));
            if factor != 1 {
                let factor = self.program.value(Op::Int(factor));
                let product = Op::Integer(Operation::Multiply, Box::new([count, factor]));
                count = self.program.value(product);
            }
            add(&mut self.program, &mut sum, count);
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

    /// One of several ways, the one with the longest condition where none of the others holds.
    fn chosen(
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

/// Moves.
impl Lowering<'_, '_> {
    /// Answers whose terms are of one shape each.
    fn split(&mut self, outcome: &Outcome, cost: bool) -> Lowers<Vec<Guided>> {
        let mut all = Vec::new();
        for (condition, values) in &outcome.answers {
            let (&name, &to) = match (values.first(), values.last()) {
                (Some(name), Some(to)) if values.len() == 2 + usize::from(cost) => (name, to),
                _ => return Err("an answer has other variables".to_owned()),
            };
            let cost = cost.then(|| values[1]);
            for (holds, name, to) in self.apart(*condition, name, to)? {
                all.push(Guided { condition: holds, name, cost, to });
            }
            if all.len() > MOST_ANSWERS {
                return Err("there are too many shapes of moves".to_owned());
            }
        }
        Ok(all)
    }

    fn apart(
        &mut self,
        condition: Condition,
        name: Term,
        to: Term,
    ) -> Lowers<Vec<(Condition, Term, Term)>> {
        let mut waiting = vec![(condition, name, to)];
        let mut done = Vec::new();
        while let Some((condition, name, to)) = waiting.pop() {
            let choice = self.structural(name).or_else(|| self.structural(to));
            let Some(ways) = choice else {
                done.push((condition, name, to));
                continue;
            };
            if done.len() + waiting.len() > MOST_ANSWERS || self.store.is_spent() {
                return Err("there are too many shapes of states".to_owned());
            }
            self.store.spend(ways.len());
            for (way, _) in ways.into_iter().rev() {
                let both = self.store.both(condition, way);
                if both != Condition::NEVER {
                    let [name, to] = [name, to].map(|term| self.store.narrowed(term, both));
                    waiting.push((both, name, to));
                }
            }
        }
        Ok(done)
    }

    /// A choice in a term between structures, or whether an element is there.
    fn structural(&mut self, term: Term) -> Option<Vec<Guarded>> {
        let (mut waiting, mut visited) = (vec![term], Vec::new());
        let mut found = None;
        while let Some(term) = waiting.pop() {
            if self.store.is_plain(term) || self.whole.contains(&term) {
                continue;
            }
            visited.push(term);
            match self.store.shape(term) {
                Shape::Choice(ways) if !ways.iter().all(|&(_, way)| self.is_scalar(way)) => {
                    found = Some(ways.to_vec());
                    break;
                }
                Shape::Present(elements) => {
                    let (there, element) = elements[0];
                    let not = self.store.not(there);
                    found = Some(vec![(there, element), (not, element)]);
                    break;
                }
                Shape::Pair(head, tail) => waiting.extend([tail, head]),
                Shape::Struct(_, parts) => waiting.extend(parts.iter().rev()),
                _ => {}
            }
        }
        self.store.spend(visited.len());
        if found.is_none() {
            self.whole.extend(visited);
        }
        found
    }

    fn is_scalar(&self, term: Term) -> bool {
        matches!(
            self.store.shape(term),
            Shape::Constant(_) | Shape::Leaf(_) | Shape::Integer(..) | Shape::Choice(_)
        )
    }

    fn move_of(&mut self, one: &Guided) -> Lowers<u32> {
        let name = self.template(one.name)?;
        let to = self.template(one.to)?;
        let mut cost = None;
        if let Some(term) = one.cost {
            cost = Some(match self.store.as_integer(term) {
                Some(value) => Cost::Fixed(Number::Int(value)),
                None => Cost::Temp(self.int(term)?),
            });
        }
        let to = self.expected(to)?;
        let same = to.shape == self.board.shape && to.leaves.len() == self.board.leaves;
        let writes = same.then(|| crate::compile::writes(&to.leaves));
        let mut needs = Program::needs_of(&[&name, &to]).into_vec();
        if let Some(Cost::Temp(value)) = cost {
            needs.push(value);
        }
        needs.sort_unstable();
        needs.dedup();
        self.program.needs.push(needs.into());
        self.moves.push(Move { name, cost, to, writes });
        Ok(self.moves.len() as u32 - 1)
    }

    /// A term as a shape with holes.
    fn template(&mut self, term: Term) -> Lowers<Template> {
        let (mut leaves, mut unbound) = (Vec::new(), Vec::new());
        let example = self.heap.push(Cell::ZERO);
        let mut waiting = vec![(term, example, false)];
        while let Some((term, to, tail)) = waiting.pop() {
            let hole = match self.store.shape(term).clone() {
                Shape::Pair(head, rest) => {
                    let at = self.heap.push(Cell::ZERO);
                    self.heap.push(Cell::ZERO);
                    self.heap.set(to, Cell::list(at));
                    waiting.push((rest, at + 1, true));
                    waiting.push((head, at, false));
                    continue;
                }
                Shape::Struct(header, parts) => {
                    let at = self.heap.push(header);
                    for _ in 0..parts.len() {
                        self.heap.push(Cell::ZERO);
                    }
                    self.heap.set(to, Cell::structure(at));
                    for (place, &part) in parts.iter().enumerate().rev() {
                        waiting.push((part, at + 1 + place, false));
                    }
                    continue;
                }
                Shape::Constant(Cell::NIL) if tail => {
                    self.heap.set(to, Cell::NIL);
                    continue;
                }
                _ if tail && self.may_be_nil(term) => {
                    return Err("a leaf ends a list".to_owned());
                }
                Shape::Constant(cell) => Hole::Word(self.word(cell)?),
                Shape::Variable(_) | Shape::Leaf(_) | Shape::Choice(_) => {
                    self.unbound_in(term, &mut unbound)?;
                    match *self.store.shape(term) {
                        Shape::Variable(_) => Hole::Word(Word::VAR),
                        Shape::Leaf(leaf) => Hole::Leaf(leaf.0 as Leaf),
                        _ => Hole::Value(self.scalar(term)?),
                    }
                }
                Shape::Integer(..) => Hole::Temp(self.int(term)?),
                Shape::Present(_) => return Err("a list of unknown length".to_owned()),
                Shape::Boxed(_) => return Err("a text or a number that no word holds".to_owned()),
            };
            self.heap.set(to, Cell::atom(atoms::TRUE));
            leaves.push(hole);
        }
        self.store.spend(leaves.len());
        self.go_on()?;
        let example = self.heap.at(example);
        let shape = self.words.shape(self.heap, example);
        let shape = shape.ok_or("there are too many shapes of states")?;
        Ok(Template { shape, leaves })
    }

    /// A state that a move leads to: what its leaves may be is expected from now on. Integers
    /// beyond are for the machine.
    fn expected(&mut self, to: Template) -> Lowers<Template> {
        let shape = to.shape;
        let seen_of = |this: &Self, shape: u8, leaf: usize| {
            this.words.0.seen(shape, leaf).ok_or("a leaf of a state is of more than one byte")
        };
        let mut leaves = Vec::with_capacity(to.leaves.len());
        for (leaf, hole) in to.leaves.into_iter().enumerate() {
            let mut bytes = [0u64; 4];
            let mut may = |word: Word| match word.byte() {
                Some(byte) => {
                    bytes[usize::from(byte / 64)] |= 1 << (byte % 64);
                    Ok(())
                }
                None => Err("a leaf of a state is of more than one byte".to_owned()),
            };
            let mut kept = hole;
            match hole {
                Hole::Word(word) => may(word)?,
                Hole::Leaf(from) => {
                    if shape == self.board.shape && usize::from(from) == leaf {
                        leaves.push(hole);
                        continue;
                    }
                    bytes = seen_of(self, self.board.shape, usize::from(from))?;
                }
                Hole::Value(value) => {
                    let (mut words, mut from) = (Vec::new(), Vec::new());
                    self.words_of(value, &mut words, &mut from)?;
                    for word in words {
                        may(word)?;
                    }
                    for leaf in from {
                        let more = seen_of(self, self.board.shape, usize::from(leaf))?;
                        bytes.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
                    }
                }
                Hole::Temp(value) => {
                    let (low, high) = self.bounds(value);
                    let seen = seen_of(self, shape, leaf)?;
                    let met =
                        (0..Word::INTS as usize).filter(|at| seen[at / 64] >> (at % 64) & 1 != 0);
                    let met: Vec<i64> = met.map(|at| Word(at as i64).int_value()).collect();
                    let (first, last) = (met.first().copied(), met.last().copied());
                    let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
                    // Some more than was met, so that code is not made anew for each.
                    let room = (last - first + 1).max(8);
                    let least =
                        (Word::FIRST_INT).max(if low < first { first - room } else { first });
                    let most = (Word::FIRST_INT + Word::INTS - 1).min(last + room);
                    let (from, to) = (low.max(least), high.min(most));
                    for value in from..=to {
                        may(Word::int(value).ok_or("a number is too large")?)?;
                    }
                    kept = Hole::Value(self.program.value(Op::Within(value, from, to)));
                }
            }
            for (word, mut bits) in bytes.into_iter().enumerate() {
                while bits != 0 {
                    let byte = 64 * word + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    self.words.0.expect(shape, leaf, byte as u8);
                    if byte as i64 == Word::VAR.0 {
                        self.words.0.expect_variables();
                    }
                }
            }
            leaves.push(kept);
        }
        Ok(Template { shape, leaves })
    }

    /// The words that a value may be: constants, and those of leaves.
    fn words_of(
        &mut self,
        value: ValueId,
        words: &mut Vec<Word>,
        leaves: &mut Vec<Leaf>,
    ) -> Lowers<()> {
        match *self.program.op(value) {
            Op::Word(word) => words.push(word),
            Op::Leaf(leaf) => leaves.push(leaf),
            Op::Choose(_, then, other) => {
                self.words_of(then, words, leaves)?;
                self.words_of(other, words, leaves)?;
            }
            Op::Within(_, low, high) => words.extend((low..=high).filter_map(Word::int)),
            _ => return Err("a leaf is computed in a way that is not for code".to_owned()),
        }
        Ok(())
    }

    /// Between which integers a value lies.
    fn bounds(&self, value: ValueId) -> (i64, i64) {
        const ANY: (i64, i64) = (i64::MIN, i64::MAX);
        match self.program.op(value) {
            Op::Int(value) => (*value, *value),
            Op::Number(leaf) => match self.store.domain(zug_symbolic::Leaf(u32::from(*leaf))) {
                Domain::Values(values) => {
                    let ints = || values.iter().filter_map(|value| value.as_int());
                    match (ints().min(), ints().max()) {
                        (Some(low), Some(high)) => (low, high),
                        _ => ANY,
                    }
                }
                &Domain::Range(low, high) => (low, high),
            },
            Op::Table(_, table) => {
                let table = &self.program.tables[*table as usize];
                let known = || table.iter().copied().filter(|&value| value != NOTHING);
                (known().min().unwrap_or(0), known().max().unwrap_or(0))
            }
            Op::Count(_) => (0, PLACES as i64),
            Op::Choose(_, then, other) => {
                let (then, other) = (self.bounds(*then), self.bounds(*other));
                (then.0.min(other.0), then.1.max(other.1))
            }
            Op::Integer(operation, operands) => {
                let of: Vec<(i64, i64)> = operands.iter().map(|&of| self.bounds(of)).collect();
                match (operation, &of[..]) {
                    (Operation::Add, [a, b]) => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
                    (Operation::Subtract, [a, b]) => {
                        (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0))
                    }
                    (Operation::Minimum, [a, b]) => (a.0.min(b.0), a.1.min(b.1)),
                    (Operation::Maximum, [a, b]) => (a.0.max(b.0), a.1.max(b.1)),
                    (Operation::Modulo, [_, b]) if b.0 == b.1 && b.0 > 0 => (0, b.0 - 1),
                    _ => ANY,
                }
            }
            _ => ANY,
        }
    }

    /// Collects the variables that a scalar may be, of which each stands in one place of a term.
    fn unbound_in(&self, term: Term, met: &mut Vec<Term>) -> Lowers<()> {
        let (mut waiting, mut own) = (vec![term], Vec::new());
        while let Some(term) = waiting.pop() {
            match self.store.shape(term) {
                Shape::Choice(ways) => waiting.extend(ways.iter().map(|&(_, way)| way)),
                Shape::Variable(_) | Shape::Leaf(_)
                    if self.may_be(term, UNBOUND) && !own.contains(&term) =>
                {
                    own.push(term);
                }
                _ => {}
            }
        }
        if own.iter().any(|one| met.contains(one)) {
            return Err("a variable stands in two places".to_owned());
        }
        met.extend(own);
        Ok(())
    }

    fn may_be_nil(&self, term: Term) -> bool {
        self.may_be(term, Cell::NIL)
    }

    fn may_be(&self, term: Term, value: Cell) -> bool {
        match self.store.shape(term) {
            Shape::Constant(cell) => *cell == value,
            Shape::Leaf(leaf) => match self.store.domain(*leaf) {
                Domain::Values(values) => values.contains(&value),
                Domain::Range(..) => false,
            },
            Shape::Choice(ways) => ways.iter().any(|&(_, way)| self.may_be(way, value)),
            Shape::Variable(_) => true,
            _ => false,
        }
    }

    /// The word of a scalar.
    fn scalar(&mut self, term: Term) -> Lowers<ValueId> {
        match self.store.shape(term).clone() {
            Shape::Constant(cell) => {
                let word = self.word(cell)?;
                Ok(self.program.value(Op::Word(word)))
            }
            Shape::Variable(_) => Ok(self.program.value(Op::Word(Word::VAR))),
            Shape::Leaf(leaf) => Ok(self.program.value(Op::Leaf(leaf.0 as Leaf))),
            Shape::Choice(ways) => self.chosen(&ways, &mut |this, term| this.scalar(term)),
            Shape::Integer(..) => {
                let value = self.int(term)?;
                let (low, high) = self.bounds(value);
                let (low, high) =
                    (low.max(Word::FIRST_INT), high.min(Word::FIRST_INT + Word::INTS - 1));
                Ok(self.program.value(Op::Within(value, low, high)))
            }
            _ => Err("a part of a state is a structure in some states only".to_owned()),
        }
    }
}

/// Whether a relation holds.
pub fn holds(relation: Relation, left: i64, right: i64) -> bool {
    match relation {
        Relation::Less => left < right,
        Relation::Equal => left == right,
    }
}
