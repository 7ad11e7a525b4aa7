//! Straight code: blocks of operations with jumps, over the leaves of a state.
//!
//! The one form that all back ends run. Values that are computed lie in *temporaries*, one for
//! each expression of the residual program.

use super::residual::{Amount, BinaryOp, Leaf, Operand, Relation};
use std::sync::Arc;
use zug_state::{PackedState, Word};

/// The number of a block.
pub type BlockId = u32;
/// The number of a temporary.
pub type Temp = u32;

/// How leaves lie before code.
#[cfg(feature = "native")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// Packed: a byte for each.
    Bytes,
    /// A [`Word`] for each.
    Words,
}

#[cfg(feature = "native")]
impl Width {
    /// Whether a leaf can be this.
    pub fn has(self, word: Word) -> bool {
        self == Width::Words || (0..0x100).contains(&word.0)
    }

    /// Between which integers the values of leaves lie.
    pub fn ints(self) -> (i64, i64) {
        match self {
            Width::Bytes => (Word::FIRST_INT, Word::FIRST_INT + 0xFF),
            Width::Words => (-4 * Word::HALF, 4 * Word::HALF),
        }
    }
}

/// Where the leaves of a packed state lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Bytes before them.
    pub before: usize,
    /// Words of eight bytes that every state takes; 0 if states have no common length.
    pub words: usize,
}

impl Layout {
    /// The layout of states with so many leaves of one byte each: where they have no common length,
    /// as many words as these take.
    pub fn of_leaves(self, leaves: usize) -> Layout {
        match self.words {
            0 if self.before + leaves <= zug_state::LARGEST_LIKE => {
                Layout { words: (self.before + leaves).div_ceil(8), ..self }
            }
            _ => self,
        }
    }
}

/// A step without a jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A constant.
    Const(Temp, i64),
    /// The value of a leaf that is an integer.
    Leaf(Temp, Leaf),
    /// An operation; the machine is asked if it has no value.
    Binary(BinaryOp, Temp, Temp, Temp),
    /// A constant is added.
    Add(Temp, i64),
    /// What a table says of a leaf is added; the machine is asked if it says nothing.
    Table(Temp, Leaf, u32),
    /// A move is answered.
    Move(u32),
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Goes on there.
    Goto(BlockId),
    /// Whether a leaf is a word.
    Is(Leaf, Word, BlockId, BlockId),
    /// Whether two leaves are equal.
    Same(Leaf, Leaf, BlockId, BlockId),
    /// Whether no two leaves are alike.
    Distinct(BlockId, BlockId),
    /// Whether a leaf is of one of these kinds.
    Kind(Leaf, u8, BlockId, BlockId),
    /// Whether two temporaries compare so.
    Compare(Relation, Temp, Temp, BlockId, BlockId),
    /// Whether one stands before the other in the standard order.
    Before(Operand, Operand, BlockId, BlockId),
    /// By the value of a leaf: the number of a [`Switch`].
    Switch(Leaf, u32),
    /// By the only leaf that has a value: the number of a [`Find`].
    Find(u32),
    /// There are no more answers.
    Done,
    /// Yes, and no more.
    True,
    /// A number, and no more.
    Value(Amount, Temp),
    /// The machine is asked; the number of the reason.
    Deopt(u32),
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The steps.
    pub steps: Vec<Step>,
    /// What follows.
    pub end: End,
}

/// Where to go by the value of a leaf.
#[derive(Clone, Debug)]
pub struct Switch {
    /// By words of one byte.
    pub narrow: Box<[BlockId; 256]>,
    /// By other words.
    pub wide: Vec<(Word, BlockId)>,
    /// For all others.
    pub other: BlockId,
}

/// Where to go by which of some leaves has a value, where only one has it.
#[derive(Clone, Debug)]
pub struct Find {
    /// The value.
    pub word: Word,
    /// The leaves in question, as bits.
    pub leaves: u64,
    /// By leaf.
    pub at: Vec<BlockId>,
    /// If none has it.
    pub none: BlockId,
    /// If several have it.
    pub several: BlockId,
}

/// Where a leaf of an answer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hole {
    /// A constant, or an unbound variable.
    Word(Word),
    /// A leaf of the state.
    Leaf(Leaf),
    /// The integer in a temporary.
    Temp(Temp),
    /// The word in a temporary.
    Value(Temp),
}

/// A term with holes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// The number of its shape.
    pub shape: u8,
    /// What its leaves are, in preorder.
    pub leaves: Vec<Hole>,
}

impl Template {
    /// The temporaries in its holes.
    pub fn temps(&self) -> impl Iterator<Item = Temp> {
        self.leaves.iter().filter_map(|hole| match *hole {
            Hole::Temp(temp) | Hole::Value(temp) => Some(temp),
            Hole::Word(_) | Hole::Leaf(_) => None,
        })
    }
}

/// The cost of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cost {
    /// Always the same.
    Fixed(zug_state::Number),
    /// The integer in a temporary.
    Temp(Temp),
    /// The float in a temporary, by its bits.
    Float(Temp),
}

/// A move that compiled code answers.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its name.
    pub name: Template,
    /// Its cost.
    pub cost: Option<Cost>,
    /// Where it leads.
    pub to: Template,
    /// The leaves that change, if the shape is the same.
    pub writes: Option<Vec<(Leaf, Hole)>>,
}

/// What tables hold where the machine is to be asked.
pub const NOTHING: i64 = i64::MIN;
/// The reason of code that leaves a state to other code for the same shape.
#[cfg(feature = "native")]
pub const AGAIN: u32 = u32::MAX;

/// Compiled code.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// Where it begins.
    pub entry: BlockId,
    /// Switches by number.
    pub switches: Vec<Switch>,
    /// Finds by number.
    pub finds: Vec<Find>,
    /// Tables by number.
    pub tables: Vec<[i64; 256]>,
    /// Moves by number.
    pub moves: Vec<Move>,
    /// How many temporaries there are.
    pub temps: usize,
    /// How many leaves.
    pub leaves: usize,
    /// The number of the shape.
    pub shape: u8,
    /// The value as a sum over the leaves, if it is no more than that.
    pub sum: Option<Arc<Sum>>,
    /// The program, where it is made by the merging run; then there are no blocks.
    pub program: Option<super::program::Program>,
    /// Ranks of constants in the standard order, by code, where it is asked for.
    pub ranks: Vec<u32>,
}

/// A value that is a sum of what tables say of leaves: after a move, it changes by what they
/// say of the leaves that change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// By leaf and word of one byte: what is added; [`Sum::UNKNOWN`] where the machine is to be
    /// asked.
    pub tables: Vec<[i32; 256]>,
}

impl Sum {
    /// What tables hold where the machine is to be asked.
    pub const UNKNOWN: i32 = i32::MIN;
}

impl Code {
    /// Whether it is a program for leaves of more than one byte, which runs on words.
    #[inline]
    pub fn is_wide(&self) -> bool {
        self.program.as_ref().is_some_and(|program| program.is_wide())
    }

    /// Where a block that ends so may lead.
    pub fn targets(&self, end: &End) -> Vec<BlockId> {
        let mut all = match *end {
            End::Goto(next) => vec![next],
            End::Is(.., then, other)
            | End::Same(.., then, other)
            | End::Distinct(then, other)
            | End::Kind(.., then, other)
            | End::Compare(.., then, other)
            | End::Before(.., then, other) => vec![then, other],
            End::Switch(_, number) => {
                let Switch { narrow, wide, other } = &self.switches[number as usize];
                let wide = wide.iter().map(|&(_, block)| block);
                narrow.iter().copied().chain(wide).chain([*other]).collect()
            }
            End::Find(number) => {
                let Find { at, none, several, .. } = &self.finds[number as usize];
                at.iter().copied().chain([*none, *several]).collect()
            }
            End::Done | End::True | End::Value(..) | End::Deopt(_) => Vec::new(),
        };
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The blocks that can be reached, in the order of a reader: each before those it leads to
    /// first.
    pub fn reached(&self) -> Vec<BlockId> {
        self.walk(true)
    }

    /// How many blocks and steps there are, with or without those for finds that meet several
    /// leaves.
    #[cfg(feature = "native")]
    pub fn parts(&self, several: bool) -> u64 {
        if let Some(program) = &self.program {
            return program.parts();
        }
        let reached = self.walk(several).into_iter();
        reached.map(|at| 1 + self.blocks[at as usize].steps.len() as u64).sum()
    }

    fn walk(&self, several: bool) -> Vec<BlockId> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.blocks.len()];
        let mut todo = vec![self.entry];
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at as usize], true) {
                continue;
            }
            order.push(at);
            match self.blocks[at as usize].end {
                End::Find(number) if !several => {
                    let Find { at, none, .. } = &self.finds[number as usize];
                    todo.extend(at.iter().chain([none]));
                }
                ref end => todo.extend(self.targets(end).into_iter().rev()),
            }
        }
        order
    }

    /// Lets all jumps lead elsewhere.
    pub fn redirect(&mut self, to: impl Fn(BlockId) -> BlockId) {
        let set = |block: &mut BlockId| *block = to(*block);
        set(&mut self.entry);
        for block in &mut self.blocks {
            match &mut block.end {
                End::Goto(next) => set(next),
                End::Is(.., then, other)
                | End::Same(.., then, other)
                | End::Distinct(then, other)
                | End::Kind(.., then, other)
                | End::Compare(.., then, other)
                | End::Before(.., then, other) => [then, other].into_iter().for_each(set),
                // Switches and finds have their own.
                End::Switch(..) | End::Find(_) => {}
                End::Done | End::True | End::Value(..) | End::Deopt(_) => {}
            }
        }
        for Switch { narrow, wide, other } in &mut self.switches {
            narrow.iter_mut().chain(wide.iter_mut().map(|(_, block)| block)).for_each(set);
            set(other);
        }
        for Find { at, none, several, .. } in &mut self.finds {
            at.iter_mut().chain([none, several]).for_each(set);
        }
    }

    /// The leaves, and what each of them must be, if the code asks nothing else of a state.
    pub fn find_pattern(&self) -> Option<Vec<(Leaf, u8)>> {
        if let Some(program) = &self.program {
            return program.find_pattern();
        }
        let (mut at, mut pattern) = (self.entry, Vec::new());
        for _ in 0..self.blocks.len() {
            let block = &self.blocks[at as usize];
            if !block.steps.is_empty() {
                return None;
            }
            at = match block.end {
                End::Goto(next) => next,
                End::Is(leaf, word, then, other) => {
                    let other = &self.blocks[other as usize];
                    if !other.steps.is_empty() || other.end != End::Done {
                        return None;
                    }
                    pattern.push((leaf, word.byte()?));
                    then
                }
                End::True => return Some(pattern),
                _ => return None,
            }
        }
        None
    }

    /// The sum over the leaves that the code computes, if it does nothing else.
    pub(super) fn find_sum(&self) -> Option<Arc<Sum>> {
        let mut tables = vec![[0; 256]; self.leaves];
        let mut has_table = vec![false; self.leaves];
        let mut at = self.entry;
        let mut sum = None;
        for _ in 0..4 {
            let block = &self.blocks[at as usize];
            for step in &block.steps {
                match *step {
                    Step::Const(to, _) if sum.is_none() => sum = Some(to),
                    Step::Add(to, _) if sum == Some(to) => {}
                    Step::Table(to, leaf, table) if sum == Some(to) => {
                        let leaf = usize::from(leaf);
                        if std::mem::replace(&mut has_table[leaf], true) {
                            return None;
                        }
                        tables[leaf] = small(&self.tables[table as usize])?;
                    }
                    _ => return None,
                }
            }
            match block.end {
                End::Goto(next) => at = next,
                End::Value(Amount::Expr(_), temp) => {
                    return (sum == Some(temp)).then(|| Arc::new(Sum { tables }));
                }
                _ => return None,
            }
        }
        None
    }

    /// The value of a state after a move, given that of the state before; `None` where only a
    /// look at the whole state tells. In both each leaf is of one byte, the first of them at
    /// place `first`.
    #[inline(always)]
    pub fn value_after<S: PackedState>(
        &self,
        first: usize,
        before: &S,
        value: i64,
        after: &S,
    ) -> Option<i64> {
        let sum = self.sum.as_ref()?;
        if before.bytes().len() != first + self.leaves {
            return None;
        }
        let mut value = value;
        let told = before.each_difference(after, |at, old, new| {
            let Some(table) = at.checked_sub(first).and_then(|leaf| sum.tables.get(leaf)) else {
                return false;
            };
            let [old, new] = [old, new].map(|byte| table[usize::from(byte)]);
            let change = i64::from(new) - i64::from(old);
            let sum =
                value.checked_add(change).filter(|_| old != Sum::UNKNOWN && new != Sum::UNKNOWN);
            sum.map(|sum| value = sum).is_some()
        });
        told.then_some(value)
    }
}

/// A table of small values, where a leaf that is unbound is unknown; `None` if one is not small.
fn small(table: &[i64; 256]) -> Option<[i32; 256]> {
    let mut small = [Sum::UNKNOWN; 256];
    for (word, (small, &value)) in small.iter_mut().zip(table).enumerate() {
        if value != NOTHING && word as i64 != Word::VAR.0 {
            *small = i32::try_from(value).ok().filter(|&value| value != Sum::UNKNOWN)?;
        }
    }
    Some(small)
}
