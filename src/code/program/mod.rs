//! The program: a contract predicate on states of one shape, as values and blocks.
//!
//! *Values* are numbers, words of leaves, yes or no, or planes: sets of the leaves of a board as the
//! bits of a word. They depend on the state alone, each is computed once at most, and each stands
//! behind those that it is computed of. *Blocks* say what is done in which order: which values are
//! computed, which moves are answered, where it goes on.
//!
//! The stages, in the order of the modules:
//!
//! 1. [`vectorise`]: conditions that are the same but for a shift of the board become families;
//! 2. [`lower`]: guarded answers become values and blocks, which are decisions (its `partition`);
//! 3. [`schedule`]: each value goes to where it is first used on all ways;
//! 4. [`run`](mod@run), or the compiler of machine code, runs it.
//!
//! Slices of it ([`slices`]) answer which moves there are, and make a single move.
//!
//! # Invariants
//!
//! - Operands have smaller numbers than what is computed of them.
//! - Blocks lead to blocks with greater numbers, but for [`End::Next`], which goes on with the loop
//!   that it stands in. So a run ends, and a block that is not in a loop runs once.

pub mod expected;
#[cfg(test)]
mod generated;
pub mod lower;
pub mod make;
mod represented;
pub mod run;
mod schedule;
pub mod show;
pub mod slices;
mod straighten;
mod vectorise;

use rustc_hash::{FxHashMap, FxHashSet};
pub use vectorise::PLACES;
use zug_state::Word;
use zug_symbolic::{FloatOperation, Operation, Relation, Rounding};

/// Values of a program that is [large](Program::is_large); tests have small programs of either kind.
const LARGE: usize = if cfg!(test) { 20 } else { 500 };

pub type ValueId = u32;
/// The number of a leaf of the state, in preorder.
pub type Leaf = u16;
/// The number of a block.
pub type BlockId = u32;
/// What tables hold where the machine is to be asked.
pub const NOTHING: i64 = i64::MIN;

/// Programs of fewer values have sums of small ones that are far from what overflows.
const MOST_SUMMED: usize = 1 << 24;

/// What a value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Int(i64),
    /// A word that a leaf may be.
    Word(Word),
    /// The word of a leaf.
    Leaf(Leaf),
    /// The integer that a leaf is; 0 if it is none.
    Number(Leaf),
    /// The integer that a table has for a leaf; the state deoptimises if it has none.
    Table(Leaf, u32),
    /// A float, by its bits: so are all values that are floats.
    Float(u64),
    /// The float that a table has for a leaf, as [`Op::Table`].
    FloatTable(Leaf, u32),
    /// An operation on floats, or an integer as one: where no value is finite it is useless.
    Floating(FloatOperation, Box<[ValueId]>),
    /// The integer that a float is rounded to.
    Rounded(Rounding, ValueId),
    /// Whether two floats compare so.
    CompareFloats(Relation, ValueId, ValueId),
    /// An operation on integers; the state deoptimises if it has no value of 64 bits.
    Integer(Operation, Box<[ValueId]>),
    /// The word of an integer; the state deoptimises if it is not within these bounds.
    Within(ValueId, i64, i64),
    /// The same, but [no word](crate::moves::NO_WORD) beyond them: only states that need it are lost then.
    Fitting(ValueId, i64, i64),
    /// The first if it holds, else the second: integers or words.
    Choose(ValueId, ValueId, ValueId),
    /// Whether a leaf is one of the words of a set.
    In(Leaf, u32),
    /// Whether two integers compare so.
    Compare(Relation, ValueId, ValueId),
    /// Whether all of them hold.
    All(Box<[ValueId]>),
    /// Whether one of them holds.
    Any(Box<[ValueId]>),
    /// Whether it does not hold.
    Not(ValueId),
    /// A bit for each of the 64 leaves from this one on: whether it is one of the words of a set.
    Cells(u32, Leaf),
    /// These leaves.
    Ones(u64),
    /// All leaves if it holds, none if not.
    Spread(ValueId),
    /// Leaves N places before those of a plane.
    Shift(ValueId, i8),
    /// The leaves that are in all of these planes.
    Meet(Box<[ValueId]>),
    /// The leaves that are in one of these planes.
    Join(Box<[ValueId]>),
    /// The leaves that are not in a plane.
    Flip(ValueId),
    /// Whether a place is in a plane.
    Has(ValueId, u8),
    Some(ValueId),
    Count(ValueId),
    /// The entry of a table for the first place of a plane; entry 64 if the plane is empty.
    First(ValueId, u32),
    /// The entry of a table for the number given to the run: of a move.
    OfMove(u32),
}

impl Op {
    pub fn each_operand(&self, mut visit: impl FnMut(ValueId)) {
        match self {
            Op::Int(_)
            | Op::Word(_)
            | Op::Leaf(_)
            | Op::Number(_)
            | Op::Table(..)
            | Op::Float(_)
            | Op::FloatTable(..)
            | Op::In(..)
            | Op::Cells(..)
            | Op::OfMove(_)
            | Op::Ones(_) => {}
            Op::Integer(_, all)
            | Op::Floating(_, all)
            | Op::All(all)
            | Op::Any(all)
            | Op::Meet(all)
            | Op::Join(all) => all.iter().copied().for_each(visit),
            Op::Within(one, ..)
            | Op::Rounded(_, one)
            | Op::Fitting(one, ..)
            | Op::Not(one)
            | Op::Spread(one)
            | Op::Shift(one, _)
            | Op::Flip(one)
            | Op::Has(one, _)
            | Op::Some(one)
            | Op::First(one, _)
            | Op::Count(one) => visit(*one),
            &Op::Choose(a, b, c) => [a, b, c].into_iter().for_each(visit),
            &Op::Compare(_, a, b) | &Op::CompareFloats(_, a, b) => {
                [a, b].into_iter().for_each(visit);
            }
        }
    }

    /// Whether it is a plane, or asks one.
    pub fn is_of_planes(&self) -> bool {
        matches!(
            self,
            Op::Cells(..)
                | Op::Ones(_)
                | Op::Spread(_)
                | Op::Shift(..)
                | Op::Meet(_)
                | Op::Join(_)
                | Op::Flip(_)
                | Op::Has(..)
                | Op::Some(_)
                | Op::First(..)
                | Op::Count(_)
        )
    }

    /// Whether it is computed again wherever it is used: that takes no longer than to keep it.
    pub fn is_cheap(&self) -> bool {
        matches!(
            self,
            Op::Int(_)
                | Op::Word(_)
                | Op::Leaf(_)
                | Op::Number(_)
                | Op::Table(..)
                | Op::Float(_)
                | Op::FloatTable(..)
                | Op::In(..)
                | Op::Ones(_)
                | Op::Has(..)
                | Op::Not(_)
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Let(ValueId),
    Move(u32),
}

#[derive(Clone, PartialEq, Debug)]
pub enum End {
    Goto(BlockId),
    If(ValueId, BlockId, BlockId),
    /// For each place of a plane, in order: what is there for it, if anything. Then goes on.
    Each {
        plane: ValueId,
        at: Box<[(u8, BlockId)]>,
        then: BlockId,
    },
    /// Goes on by the only place of a plane.
    Only {
        plane: ValueId,
        at: Box<[(u8, BlockId)]>,
        /// It is empty, or there is nothing for its place.
        none: BlockId,
        several: BlockId,
    },
    /// Goes on with the next place of the loop.
    Next,
    Done,
    /// Yes, and no more.
    True,
    Int(ValueId),
    Float(ValueId),
    /// The machine is asked; the number of the reason.
    Deopt(u32),
    /// Planes, and no more.
    Planes(Box<[ValueId]>),
    /// Goes on in one block, by the number given to the run: they share no values but cheap ones.
    Enter(Box<[BlockId]>),
}

impl End {
    pub fn targets(&self) -> Vec<BlockId> {
        let mut targets = Vec::new();
        self.clone().each_target(|target| targets.push(*target));
        targets
    }

    pub fn each_target(&mut self, mut visit: impl FnMut(&mut BlockId)) {
        match self {
            End::Goto(next) => visit(next),
            End::Enter(blocks) => blocks.iter_mut().for_each(visit),
            End::If(_, then, other) => [then, other].into_iter().for_each(visit),
            End::Each { at, then, .. } => {
                at.iter_mut().map(|(_, block)| block).chain([then]).for_each(visit);
            }
            End::Only { at, none, several, .. } => {
                at.iter_mut().map(|(_, block)| block).chain([none, several]).for_each(visit);
            }
            _ => {}
        }
    }

    pub fn values(&self) -> &[ValueId] {
        match self {
            End::If(value, ..)
            | End::Each { plane: value, .. }
            | End::Only { plane: value, .. }
            | End::Int(value)
            | End::Float(value) => std::slice::from_ref(value),
            End::Planes(planes) => planes,
            _ => &[],
        }
    }
}

#[derive(Clone, Debug)]
pub struct Block {
    pub steps: Vec<Step>,
    pub end: End,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub values: Vec<Op>,
    numbers: FxHashMap<Op, ValueId>,
    /// Blocks by number; it begins with the first.
    pub blocks: Vec<Block>,
    pub sets: Vec<Box<[Word]>>,
    /// Tables by number, for leaves of one byte.
    pub tables: Vec<[i64; 256]>,
    /// Tables by number, for the numbers of moves.
    pub by_move: Vec<Box<[i64]>>,
    pub leaves: usize,
    /// By leaf: the bytes that it may be, as bits.
    pub may: Vec<[u64; 4]>,
    pub wide: Vec<bool>,
    /// The values that a move needs, by move.
    pub needs: Vec<Box<[ValueId]>>,
}

impl Program {
    pub fn op(&self, value: ValueId) -> &Op {
        &self.values[value as usize]
    }

    pub fn value(&mut self, op: Op) -> ValueId {
        if let Some(&known) = self.numbers.get(&op) {
            return known;
        }
        let number = self.values.len() as ValueId;
        self.values.push(op.clone());
        self.numbers.insert(op, number);
        number
    }

    pub fn set(&mut self, mut words: Vec<Word>) -> u32 {
        words.sort_unstable();
        words.dedup();
        if let Some(known) = self.sets.iter().position(|set| **set == words[..]) {
            return known as u32;
        }
        self.sets.push(words.into());
        self.sets.len() as u32 - 1
    }

    pub fn table(&mut self, table: [i64; 256]) -> u32 {
        let known = self.tables.iter().position(|known| *known == table);
        let number = known.unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        });
        number as u32
    }

    pub fn certain(&mut self, holds: bool) -> ValueId {
        let none = Box::default();
        self.value(if holds { Op::All(none) } else { Op::Any(none) })
    }

    pub fn word_within(&mut self, value: ValueId, low: i64, high: i64) -> ValueId {
        // States that are made leaf by leaf may turn out not to be.
        let op = if self.is_wide() { Op::Fitting } else { Op::Within };
        self.value(op(value, low, high))
    }

    pub fn not(&mut self, value: ValueId) -> ValueId {
        match self.op(value) {
            Op::Not(value) => *value,
            _ => self.value(Op::Not(value)),
        }
    }

    /// What is joined of several values, each of which counts once: the value, if there is one.
    pub fn joined(&mut self, op: fn(Box<[ValueId]>) -> Op, of: impl Into<Vec<ValueId>>) -> ValueId {
        let mut of: Vec<ValueId> = of.into();
        of.sort_unstable();
        of.dedup();
        match of[..] {
            [only] => only,
            _ => self.value(op(of.into())),
        }
    }

    /// A plane shifted: places N before those of this one.
    pub fn shifted(&mut self, plane: ValueId, by: i8) -> ValueId {
        match *self.op(plane) {
            _ if by == 0 => plane,
            Op::Ones(bits) => {
                let bits = shift(bits, by);
                self.value(Op::Ones(bits))
            }
            _ => self.value(Op::Shift(plane, by)),
        }
    }

    /// A plane, or the leaves that are not in it.
    pub fn flipped(&mut self, plane: ValueId, is_flipped: bool) -> ValueId {
        if is_flipped { self.value(Op::Flip(plane)) } else { plane }
    }

    pub fn within(&mut self, plane: ValueId, bits: u64) -> ValueId {
        let ones = self.value(Op::Ones(bits));
        self.joined(Op::Meet, [plane, ones])
    }

    /// Whether two such values can't overflow: looked up, counted, or of one byte.
    pub fn is_small(&self, value: ValueId) -> bool {
        const SMALL: i64 = 1 << 32;
        let small = |value: &i64| (-SMALL..=SMALL).contains(value);
        // A part may be one of many others.
        let (mut waiting, mut seen) = (vec![value], FxHashSet::default());
        while let Some(value) = waiting.pop() {
            if !seen.insert(value) {
                continue;
            }
            let is_small = match self.op(value) {
                Op::Int(value) => small(value),
                Op::Number(leaf) => !self.wide[usize::from(*leaf)],
                Op::Count(_) => true,
                Op::Table(_, table) | Op::First(_, table) => {
                    let table = &self.tables[*table as usize];
                    table.iter().all(|value| *value == NOTHING || small(value))
                }
                Op::OfMove(table) => self.by_move[*table as usize].iter().all(small),
                Op::Choose(_, then, other) => {
                    waiting.extend([*then, *other]);
                    true
                }
                // Sums of so few that their own sums are far from the bounds.
                Op::Integer(Operation::Add | Operation::Subtract, operands) => {
                    waiting.extend(operands);
                    self.values.len() < MOST_SUMMED
                }
                _ => false,
            };
            if !is_small {
                return false;
            }
        }
        true
    }

    /// Whether a leaf may be of more than one byte: it runs on words then.
    pub fn is_wide(&self) -> bool {
        self.wide.contains(&true)
    }

    #[cfg(feature = "native")]
    pub fn puts_down(&self) -> bool {
        let puts = |block: &Block| matches!(block.end, End::Planes(_));
        !self.needs.is_empty() || self.blocks.iter().any(puts)
    }

    pub fn parts(&self) -> u64 {
        self.blocks.iter().map(|block| 1 + block.steps.len() as u64).sum()
    }

    /// Whether compiling it as a whole would take long: finding registers takes quadratic time.
    pub fn is_large(&self) -> bool {
        self.values.len() > LARGE
    }

    /// The leaves, and what each of them must be, if the program asks nothing else of a state.
    pub fn find_pattern(&self) -> Option<Vec<(Leaf, u8)>> {
        let End::If(value, then, other) = self.blocks[0].end else { return None };
        let ends = [then, other].map(|block| &self.blocks[block as usize]);
        if ends[0].end != End::True || ends[1].end != End::Done {
            return None;
        }
        let one = [value];
        let parts = match self.op(value) {
            Op::All(parts) => &parts[..],
            _ => &one,
        };
        let is = |&part: &ValueId| match self.op(part) {
            Op::In(leaf, set) => match self.sets[*set as usize][..] {
                [word] => Some((*leaf, word.byte()?)),
                _ => None,
            },
            _ => None,
        };
        parts.iter().map(is).collect()
    }
}

/// The places N before those of a plane.
pub fn shift(bits: u64, by: i8) -> u64 {
    let places = u32::from(by.unsigned_abs());
    let moved = if by < 0 { bits.checked_shl(places) } else { bits.checked_shr(places) };
    moved.unwrap_or(0)
}
