//! A program as a function of [`zug_jit`], block by block.
//!
//! It runs on packed states with leaves of one byte each, or on the words of leaves.

use crate::code::{BlockId, Code, Leaf, Move, NOTHING, Sum};
use crate::moves::{Form, NO_WORD};
use crate::program::{End, Op, PLACES, Program, Step, ValueId};
use zug_jit::{Bit, Block, Builder, Compare, Int, Kept, Loop};
use zug_symbolic::Relation;

/// What a function returns; from [`status::DEOPT`] on, the number of a reason is added.
pub mod status {
    /// No more answers.
    pub const DONE: i64 = 0;
    /// Yes.
    pub const TRUE: i64 = 1;
    /// The integer in the exit.
    pub const INT: i64 = 2;
    /// The float whose bits are in the exit.
    pub const FLOAT: i64 = 3;
    /// A value is out of range.
    pub const RANGE: i64 = 4;
    /// The machine is asked.
    pub const DEOPT: i64 = 5;
}

/// How states lie there.
#[derive(Clone, Copy)]
pub struct Lying<'p> {
    /// How moves are put down.
    pub forms: &'p [Form],
    /// Bytes before the leaves.
    pub before: usize,
    /// Words of a state.
    pub words: usize,
    /// A word for each leaf.
    pub is_wide: bool,
}

/// Operations between a value and a use that is far away.
const FAR: usize = 32;

#[derive(Clone, Copy)]
pub(super) enum Known<'f> {
    Int(Int<'f>),
    Bit(Bit<'f>),
}

/// What was computed of a value.
#[derive(Clone, Copy)]
pub(super) struct Computed<'f> {
    value: Known<'f>,
    /// In which block it was used last, and how many operations were there before.
    at: (BlockId, usize),
    /// It holds in that block alone.
    only_here: bool,
    kept: Option<Kept<'f>>,
}

/// Translates one program.
pub(super) struct Translator<'t, 'f> {
    pub(super) program: &'f Program,
    pub(super) moves: &'f [Move],
    pub(super) sum: Option<&'f Sum>,
    /// By block: the leaves whose bytes are known there.
    pub(super) facts: Vec<Option<(Leaf, u8)>>,
    pub(super) lying: Lying<'t>,
    pub(super) b: &'t mut Builder<'f>,
    pub(super) blocks: Vec<Block<'f>>,
    pub(super) known: Vec<Option<Computed<'f>>>,
    /// Values are kept in memory for uses that are far away.
    is_large: bool,
    operations: usize,
    /// By block: the loop that it is in a body of.
    pub(super) loops: Vec<Option<Loop<'f>>>,
    pub(super) at: BlockId,
}

/// Translates the program of code, which tells by how much a sum differs behind its moves.
pub fn translate<'f>(code: &'f Code, sum: Option<&'f Sum>, lying: Lying<'_>, b: &mut Builder<'f>) {
    let program = &code.program;
    let moves = &code.moves[..];
    let blocks: Vec<Block<'f>> = program.blocks.iter().map(|_| b.block()).collect();
    b.jump(blocks[0]);
    let known = vec![None; program.values.len()];
    let loops = vec![None; blocks.len()];
    let facts = vec![None; blocks.len()];
    let mut translator = Translator {
        program,
        moves,
        sum,
        facts,
        lying,
        b,
        blocks,
        known,
        is_large: program.is_large(),
        operations: 0,
        loops,
        at: 0,
    };
    for at in 0..program.blocks.len() {
        translator.block(at as BlockId);
    }
}

impl<'f> Translator<'_, 'f> {
    pub(super) fn block(&mut self, at: BlockId) {
        self.at = at;
        self.b.enter(self.blocks[at as usize]);
        let program = self.program;
        let block = &program.blocks[at as usize];
        for step in &block.steps {
            match *step {
                Step::Let(value) => {
                    let op = program.op(value);
                    let computed = self.computed(op);
                    self.learned(value, computed, op.is_cheap());
                }
                Step::Move(number) => self.put_down(number),
            }
        }
        let within = self.loops[at as usize];
        let own = |this: &mut Self, block: BlockId| {
            this.loops[block as usize] = within;
            this.blocks[block as usize]
        };
        match &block.end {
            End::Goto(next) => {
                let next = own(self, *next);
                self.b.jump(next);
            }
            End::If(value, then, other) => {
                let holds = self.bit(*value);
                let [then, other] = [*then, *other].map(|block| own(self, block));
                self.b.branch(holds, then, other);
            }
            End::Each { plane, at, then } => {
                let plane = self.int(*plane);
                let then = own(self, *then);
                let places: Vec<(u8, Block<'f>)> =
                    at.iter().map(|&(place, block)| (place, self.blocks[block as usize])).collect();
                let this = self.b.each_bit(plane, &places, then);
                for &(_, block) in at {
                    self.loops[block as usize] = Some(this);
                }
                self.learn(&block.end);
            }
            End::Only { plane, at, none, several } => {
                let plane = self.int(*plane);
                let less = self.b.add_const(plane, -1);
                let more = self.b.and(plane, less);
                let [none, several] = [*none, *several].map(|block| own(self, block));
                let one = self.b.block();
                // A state without any comes through to the table, which has no entry for it.
                let is_more = self.b.compare_with(Compare::NotEqual, more, 0);
                self.b.branch(is_more, several, one);
                self.b.enter(one);
                let place = self.b.trailing_zeros(plane);
                let mut blocks = Vec::with_capacity(PLACES);
                for &(place, block) in at {
                    blocks.resize(usize::from(place), none);
                    blocks.push(own(self, block));
                }
                self.b.jump_table(place, &blocks, none);
                self.learn(&program.blocks[self.at as usize].end);
            }
            End::Next => {
                let within = within.expect("it is in a loop");
                self.b.next(within);
            }
            End::Done => self.b.leave(status::DONE),
            End::True => self.b.leave(status::TRUE),
            End::Int(value) => {
                let value = self.int(*value);
                self.b.answer(value);
                self.b.leave(status::INT);
            }
            End::Float(value) => {
                let value = self.int(*value);
                self.b.answer(value);
                self.b.leave(status::FLOAT);
            }
            End::Deopt(reason) => self.b.leave(status::DEOPT + i64::from(*reason)),
            End::Planes(planes) => {
                for (at, &plane) in planes.iter().enumerate() {
                    let plane = self.int(plane);
                    self.b.put(at, plane);
                }
                self.b.advance(planes.len(), None);
                self.b.leave(status::DONE);
            }
            End::Enter(blocks) => {
                let number = self.b.given();
                let blocks: Vec<Block<'f>> = blocks.iter().map(|&at| own(self, at)).collect();
                let none = self.b.block();
                self.b.jump_table(number, &blocks, none);
                self.b.enter(none);
                self.b.leave(status::RANGE);
            }
        }
    }

    pub(super) fn known(&mut self, value: ValueId) -> Known<'f> {
        let Some(known) = self.known[value as usize] else { return self.again(value) };
        let (block, before) = known.at;
        if known.only_here && block != self.at {
            return self.again(value);
        }
        if !self.is_large || block == self.at && self.operations - before < FAR {
            return known.value;
        }
        // What is cheap takes no longer to compute than to keep.
        let Some(kept) = known.kept else {
            return if known.only_here { self.again(value) } else { known.value };
        };
        let loaded = self.b.kept(kept);
        let loaded = match known.value {
            Known::Int(_) => Known::Int(loaded),
            Known::Bit(_) => Known::Bit(self.b.compare_with(Compare::NotEqual, loaded, 0)),
        };
        let at = (self.at, self.operations);
        self.known[value as usize] = Some(Computed { value: loaded, at, ..known });
        loaded
    }

    /// A value computed once more, for this block.
    fn again(&mut self, value: ValueId) -> Known<'f> {
        let computed = self.computed(self.program.op(value));
        self.learned(value, computed, true);
        computed
    }

    fn learned(&mut self, value: ValueId, computed: Known<'f>, only_here: bool) {
        self.operations += 1;
        let kept = (self.is_large && !only_here).then(|| {
            let word = match computed {
                Known::Int(value) => value,
                Known::Bit(bit) => self.b.int_of_bit(bit),
            };
            self.b.keep(word)
        });
        let at = (self.at, self.operations);
        self.known[value as usize] = Some(Computed { value: computed, at, only_here, kept });
    }

    pub(super) fn int(&mut self, value: ValueId) -> Int<'f> {
        match self.known(value) {
            Known::Int(value) => value,
            Known::Bit(bit) => self.b.int_of_bit(bit),
        }
    }

    pub(super) fn bit(&mut self, value: ValueId) -> Bit<'f> {
        match self.known(value) {
            Known::Bit(bit) => bit,
            Known::Int(value) => self.b.compare_with(Compare::NotEqual, value, 0),
        }
    }

    /// Asks the machine if this holds.
    pub(super) fn ask_if(&mut self, holds: Bit<'f>) {
        let [out, next] = [self.b.block(), self.b.block()];
        self.b.set_cold(out);
        self.b.branch(holds, out, next);
        self.b.enter(out);
        self.b.leave(status::RANGE);
        self.b.enter(next);
    }

    pub(super) fn computed(&mut self, op: &'f Op) -> Known<'f> {
        Known::Int(match op {
            Op::Int(value) => self.b.int(*value),
            Op::Word(word) => self.b.int(word.0),
            Op::Leaf(leaf) => self.word(*leaf),
            Op::Number(leaf) => self.number(*leaf),
            Op::Float(bits) => self.b.int(*bits as i64),
            Op::Floating(operation, operands) => self.floating(*operation, operands),
            Op::Rounded(rounding, of) => self.rounded(*rounding, *of),
            Op::CompareFloats(relation, one, other) => {
                return Known::Bit(self.compare_floats(*relation, *one, *other));
            }
            Op::Table(leaf, table) | Op::FloatTable(leaf, table) => {
                let table = &self.program.tables[*table as usize];
                let index = self.byte(*leaf);
                let found = self.b.look_up(table, index);
                if table.contains(&NOTHING) && !self.is_covered(*leaf, table) {
                    let nothing = self.b.compare_with(Compare::Equal, found, NOTHING);
                    self.ask_if(nothing);
                }
                found
            }
            Op::Integer(operation, operands) => self.integer(*operation, operands),
            Op::Within(value, low, high) => {
                let value = self.int(*value);
                let beyond = self.is_beyond(value, *low, *high);
                self.ask_if(beyond);
                self.word_of(value, *low, *high)
            }
            Op::Fitting(value, low, high) => {
                let value = self.int(*value);
                let beyond = self.is_beyond(value, *low, *high);
                let word = self.word_of(value, *low, *high);
                let none = self.b.int(NO_WORD);
                self.b.select(beyond, none, word)
            }
            Op::Choose(holds, then, other) => {
                let holds = self.bit(*holds);
                let [then, other] = [*then, *other].map(|value| self.int(value));
                self.b.select(holds, then, other)
            }
            Op::In(leaf, set) => return Known::Bit(self.is_in(*leaf, *set)),
            Op::Compare(relation, one, other) => {
                let [one, other] = [*one, *other].map(|value| self.int(value));
                let relation = match relation {
                    Relation::Less => Compare::Less,
                    Relation::Equal => Compare::Equal,
                };
                return Known::Bit(self.b.compare(relation, one, other));
            }
            Op::All(parts) => {
                let all = self.joined(parts, Self::bit, Builder::and);
                return Known::Bit(all.unwrap_or_else(|| self.b.bit(true)));
            }
            Op::Any(parts) => {
                let any = self.joined(parts, Self::bit, Builder::or);
                return Known::Bit(any.unwrap_or_else(|| self.b.bit(false)));
            }
            Op::Not(value) => {
                let value = self.bit(*value);
                return Known::Bit(self.b.not(value));
            }
            Op::Cells(set, leaf) if self.lying.is_wide => self.cells_of_words(*set, *leaf),
            Op::Cells(set, leaf) => self.cells(*set, *leaf),
            Op::Ones(bits) => self.b.int(*bits as i64),
            Op::Spread(holds) => {
                let holds = self.int(*holds);
                self.b.neg(holds)
            }
            Op::Shift(plane, by) => {
                let plane = self.int(*plane);
                let places = i64::from(by.unsigned_abs());
                match by {
                    _ if places >= 64 => self.b.int(0),
                    by if *by < 0 => self.b.shl_const(plane, places),
                    _ => self.b.shr_const(plane, places),
                }
            }
            Op::Meet(planes) => {
                let all = self.joined(planes, Self::int, Builder::and);
                all.unwrap_or_else(|| self.b.int(-1))
            }
            Op::Join(planes) => {
                let all = self.joined(planes, Self::int, Builder::or);
                all.unwrap_or_else(|| self.b.int(0))
            }
            Op::Flip(plane) => {
                let plane = self.int(*plane);
                self.b.complement(plane)
            }
            Op::Has(plane, at) => {
                let plane = self.int(*plane);
                let bit = self.b.and_const(plane, 1i64 << at);
                return Known::Bit(self.b.compare_with(Compare::NotEqual, bit, 0));
            }
            Op::Some(plane) => {
                let plane = self.int(*plane);
                return Known::Bit(self.b.compare_with(Compare::NotEqual, plane, 0));
            }
            Op::Count(plane) => {
                let plane = self.int(*plane);
                self.b.count_ones(plane)
            }
            Op::OfMove(table) => {
                let number = self.b.given();
                self.b.look_up_within(&self.program.by_move[*table as usize], number)
            }
            Op::First(plane, table) => {
                let plane = self.int(*plane);
                let first = self.b.trailing_zeros(plane);
                let first = self.b.low_byte(first);
                self.b.look_up(&self.program.tables[*table as usize], first)
            }
        })
    }

    /// What an operation makes of several values; nothing of none.
    fn joined<T>(
        &mut self,
        values: &[ValueId],
        of: impl Fn(&mut Self, ValueId) -> T,
        join: impl Fn(&mut Builder<'f>, T, T) -> T,
    ) -> Option<T> {
        let mut all = None;
        for &value in values {
            let value = of(self, value);
            all = Some(match all {
                Some(all) => join(self.b, all, value),
                None => value,
            });
        }
        all
    }

    /// In the bodies of a loop through the leaves of one value, each is known.
    pub(super) fn learn(&mut self, end: &End) {
        let (End::Each { plane, at, .. } | End::Only { plane, at, .. }) = end else { return };
        let mut cells = *plane;
        while let Op::Meet(parts) = self.program.op(cells) {
            let is_cells = |&&part: &&ValueId| matches!(self.program.op(part), Op::Cells(..));
            let Some(&part) = parts.iter().find(is_cells) else { return };
            cells = part;
        }
        let &Op::Cells(set, first) = self.program.op(cells) else { return };
        let &[word] = &self.program.sets[set as usize][..] else { return };
        let Some(byte) = word.byte() else { return };
        for &(place, block) in at {
            self.facts[block as usize] = Some((first + Leaf::from(place), byte));
        }
    }
}
