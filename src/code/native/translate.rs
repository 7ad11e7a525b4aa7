//! Straight code as Cranelift's intermediate form, block by block.
//!
//! The function gets the address of the leaves and that of an [exit](super::Native) to fill.
//! Temporaries are variables, so they lie in registers; a move is put down with the
//! temporaries it needs, to be visited when the function has returned.
//!
//! # Invariants
//!
//! - Code without cycles only: a block runs at most once, so the moves of a run are bounded,
//!   and so are temporaries that only constants are added to.

use super::Purpose;
use super::facts::Facts;
use super::order::Order;
use super::ranges::{Bounds, Ranges};
use crate::code::{BlockId, Code, End, Find, Hole, NOTHING, Step, Sum, Switch, Temp, Width};
use crate::moves::{STATELESS, UNKNOWN_CHANGE};
use crate::residual::{Amount, BinaryOp, Leaf, Operand, Relation, kind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I8X16, I32, I64, I64X2};
use cranelift_codegen::ir::{
    Block, BlockArg, Endianness, Function, InstBuilder, JumpTableData, MemFlags, Type, Value,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use zug_state::Word;

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

/// Where the value stands in the exit, in bytes.
const VALUE: i32 = 8;
/// Where the moves begin.
const MOVES: i64 = 16;

struct Translator<'c, 'f> {
    code: &'c Code,
    purpose: Purpose<'c>,
    width: Width,
    b: FunctionBuilder<'f>,
    /// By block of the code; `None` if no way leads there.
    blocks: Vec<Option<Block>>,
    temps: Vec<Variable>,
    /// Where the next move is put down.
    cursor: Option<Variable>,
    /// The packed state, or the words of its leaves.
    state: Value,
    exit: Value,
    /// Where all go that have met a value out of range.
    range: Option<Block>,
    bounds: Bounds,
    /// What is known of temporaries in this block.
    ranges: Ranges,
    facts: Facts,
}

/// Translates code.
pub fn translate(
    code: &Code,
    order: &Order,
    purpose: Purpose<'_>,
    func: &mut Function,
    context: &mut FunctionBuilderContext,
) {
    let mut b = FunctionBuilder::new(func, context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    b.seal_block(entry);
    let [state, exit] = [0, 1].map(|i| b.block_params(entry)[i]);
    let mut blocks = vec![None; code.blocks.len()];
    for &block in &order.blocks {
        blocks[block as usize] = Some(b.create_block());
    }
    let temps = (0..code.temps).map(|_| b.declare_var(I64)).collect();
    let cursor = (!code.moves.is_empty()).then(|| b.declare_var(I64));
    if let Some(cursor) = cursor {
        let begin = b.ins().iadd_imm(exit, MOVES);
        b.def_var(cursor, begin);
    }
    let bounds = Bounds::of(code, &order.blocks);
    let mut translator = Translator {
        code,
        purpose,
        width: purpose.width,
        b,
        blocks,
        temps,
        cursor,
        state,
        exit,
        range: None,
        bounds,
        ranges: Ranges::default(),
        facts: Facts::new(code.blocks.len()),
    };
    translator.facts.lead(code.entry, None);
    translator.goto(code.entry);
    for &block in &order.blocks {
        translator.block(block);
    }
    translator.finish();
}

impl Translator<'_, '_> {
    fn target(&self, block: BlockId) -> Block {
        self.blocks[block as usize].expect("every target is in the order")
    }

    fn goto(&mut self, block: BlockId) {
        let block = self.target(block);
        self.b.ins().jump(block, &[]);
    }

    fn branch(&mut self, holds: Value, then: BlockId, other: BlockId) {
        let [then, other] = [then, other].map(|block| self.target(block));
        self.b.ins().brif(holds, then, &[], other, &[]);
    }

    /// A new block, of which this is the only way in.
    fn alone(&mut self) -> Block {
        self.b.create_block()
    }

    fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
        self.b.seal_block(block);
    }

    /// Goes by whether all leaves differ; mostly they do in their low bits.
    fn distinct(&mut self, then: BlockId, other: BlockId) {
        let leaves: Vec<Value> = (0..self.code.leaves as Leaf).map(|l| self.word(l)).collect();
        let one = self.b.ins().iconst(I64, 1);
        let zero = self.b.ins().iconst(I64, 0);
        let (mut met, mut twice) = (zero, zero);
        for &leaf in &leaves {
            let bit = self.b.ins().ishl(one, leaf);
            let both = self.b.ins().band(met, bit);
            twice = self.b.ins().bor(twice, both);
            met = self.b.ins().bor(met, bit);
        }
        let slow = self.alone();
        self.b.set_cold_block(slow);
        let differ = self.target(then);
        self.b.ins().brif(twice, slow, &[], differ, &[]);
        self.enter(slow);
        let mut alike = self.b.ins().iconst(I8, 0);
        for (i, &a) in leaves.iter().enumerate() {
            for &b in &leaves[..i] {
                let same = self.b.ins().icmp(IntCC::Equal, a, b);
                alike = self.b.ins().bor(alike, same);
            }
        }
        self.branch(alike, other, then);
    }

    /// Leaves the function with an answer.
    fn leave(&mut self, status: i64) {
        if let Some(cursor) = self.cursor {
            let end = self.b.use_var(cursor);
            self.b.ins().store(MemFlags::trusted(), end, self.exit, 0);
        }
        let status = self.b.ins().iconst(I64, status);
        self.b.ins().return_(&[status]);
    }

    /// Asks the machine if this holds.
    fn ask_if(&mut self, holds: Value) {
        let out = match self.range {
            Some(block) => block,
            None => {
                let block = self.b.create_block();
                self.b.set_cold_block(block);
                *self.range.insert(block)
            }
        };
        let next = self.alone();
        self.b.ins().brif(holds, out, &[], next, &[]);
        self.enter(next);
    }

    fn finish(mut self) {
        if let Some(block) = self.range {
            self.enter(block);
            self.leave(status::RANGE);
        }
        self.b.seal_all_blocks();
        self.b.finalize();
    }

    fn block(&mut self, id: BlockId) {
        let block = self.target(id);
        // All that lead here come before in the order.
        self.enter(block);
        self.ranges.clear();
        self.facts.enter(id);
        let code = self.code;
        let block = &code.blocks[id as usize];
        for step in &block.steps {
            self.step(step);
        }
        if self.width == Width::Bytes {
            self.facts.leave(code, &block.end);
        }
        self.end(&block.end);
    }

    fn get(&mut self, temp: Temp) -> Value {
        match self.ranges.constant(temp) {
            Some(value) => self.b.ins().iconst(I64, value),
            None => self.b.use_var(self.temps[usize::from(temp)]),
        }
    }

    fn set(&mut self, temp: Temp, value: Value) {
        self.b.def_var(self.temps[usize::from(temp)], value);
    }

    fn load(&mut self, kind: Type, address: Value, offset: i32) -> Value {
        let flags = MemFlags::trusted().with_readonly();
        self.b.ins().load(kind, flags, address, offset)
    }

    /// Which byte of the state a leaf is.
    fn byte_of(&self, leaf: Leaf) -> i32 {
        self.purpose.layout.before as i32 + i32::from(leaf)
    }

    /// A leaf as it lies there.
    fn leaf(&mut self, leaf: Leaf) -> Value {
        match self.width {
            Width::Bytes => self.load(I8, self.state, self.byte_of(leaf)),
            Width::Words => self.load(I64, self.state, i32::from(leaf) * 8),
        }
    }

    /// A leaf as a word.
    fn word(&mut self, leaf: Leaf) -> Value {
        let value = self.leaf(leaf);
        match self.width {
            Width::Bytes => self.b.ins().uextend(I64, value),
            Width::Words => value,
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Const(to, value) => {
                let constant = self.b.ins().iconst(I64, value);
                self.set(to, constant);
                self.ranges.set(to, Some((value, value)));
            }
            Step::Leaf(to, leaf) => {
                let word = self.word(leaf);
                let value = self.int_value(word);
                self.set(to, value);
                self.ranges.set(to, Some(self.width.ints()));
            }
            Step::Binary(op, to, a, b) => {
                let range = self.ranges.binary(op, a, b, &self.bounds);
                let value = self.binary(op, a, b, range.is_some());
                self.set(to, value);
                self.ranges.set(to, range);
            }
            Step::Add(to, value) => {
                let more = self.b.ins().iconst(I64, value);
                self.add(to, more);
            }
            Step::Table(to, leaf, table) => self.table(to, leaf, table),
            Step::Move(number) => self.put_down(number),
        }
    }

    fn int_value(&mut self, word: Value) -> Value {
        let narrow = self.b.ins().iadd_imm(word, Word::FIRST_INT);
        if self.width == Width::Bytes {
            return narrow;
        }
        let is_narrow = self.b.ins().icmp_imm(IntCC::SignedLessThan, word, Word::INTS);
        let wide = self.b.ins().iadd_imm(word, -Word::WIDE_INT);
        self.b.ins().select(is_narrow, narrow, wide)
    }

    /// Adds to a temporary.
    fn add(&mut self, to: Temp, more: Value) {
        let value = self.get(to);
        let sum = if self.bounds.of_temp(to).is_some() {
            self.b.ins().iadd(value, more)
        } else {
            let (sum, over) = self.b.ins().sadd_overflow(value, more);
            self.ask_if(over);
            sum
        };
        self.set(to, sum);
        self.ranges.set(to, None);
    }

    fn table(&mut self, to: Temp, leaf: Leaf, table: u32) {
        let word = self.word(leaf);
        if self.width == Width::Words {
            let beyond = self.b.ins().icmp_imm(IntCC::UnsignedGreaterThanOrEqual, word, 256);
            self.ask_if(beyond);
        }
        let code = self.code;
        let table = &code.tables[table as usize];
        let begin = self.b.ins().iconst(I64, table.as_ptr() as i64);
        let offset = self.b.ins().ishl_imm(word, 3);
        let address = self.b.ins().iadd(begin, offset);
        let found = self.load(I64, address, 0);
        if table.contains(&NOTHING) {
            let nothing = self.b.ins().icmp_imm(IntCC::Equal, found, NOTHING);
            self.ask_if(nothing);
        }
        self.add(to, found);
    }

    fn put_down(&mut self, number: u32) {
        let Some(cursor) = self.cursor else { return };
        let code = self.code;
        let at = self.b.use_var(cursor);
        let form = &self.purpose.forms[number as usize];
        let mut behind = 8;
        for &temp in &form.saved {
            let value = self.get(temp);
            self.b.ins().store(MemFlags::trusted(), value, at, behind);
            behind += 8;
        }
        let mut head = self.b.ins().iconst(I64, i64::from(number));
        let mut next = self.b.ins().iadd_imm(at, i64::from(behind));
        if let (true, Some(writes)) = (form.words > 0, &code.moves[number as usize].writes) {
            let (stateless, bare) = (self.b.ins().iadd_imm(head, STATELESS), next);
            if self.width == Width::Words {
                head = stateless;
            } else {
                next = self.b.ins().iadd_imm(bare, 8 * form.words as i64);
                if let Some(wide) = self.put_state(writes, at, behind) {
                    head = self.b.ins().select(wide, stateless, head);
                    next = self.b.ins().select(wide, bare, next);
                }
            }
        }
        self.b.ins().store(MemFlags::trusted(), head, at, 0);
        self.b.def_var(cursor, next);
    }

    /// Puts down the state with these leaves written, and by how much the sum differs; whether
    /// a leaf does not fit a byte, if that may be.
    fn put_state(&mut self, writes: &[(Leaf, Hole)], at: Value, behind: i32) -> Option<Value> {
        let words = self.purpose.layout.words as i32;
        let filled: Vec<_> = writes.iter().map(|&(leaf, hole)| (leaf, self.filled(hole))).collect();
        // PERF: as wide as it is read again, which is quicker by far.
        for word in (0..words - 1).step_by(2) {
            let mut value = self.load(I8X16, self.state, 8 * word);
            for &(leaf, (new, _)) in &filled {
                let byte = self.byte_of(leaf);
                if byte / 16 == word / 2 {
                    let new = self.b.ins().ireduce(I8, new);
                    value = self.b.ins().insertlane(value, new, (byte % 16) as u8);
                }
            }
            self.b.ins().store(MemFlags::trusted(), value, at, behind + 8 * word);
        }
        if words % 2 == 1 {
            let last = words - 1;
            let mut value = self.load(I64, self.state, 8 * last);
            for &(leaf, (new, _)) in &filled {
                let byte = self.byte_of(leaf);
                if byte / 8 == last {
                    let shift = i64::from(byte % 8 * 8);
                    let kept = self.b.ins().band_imm(value, !(0xFF << shift));
                    let new = self.b.ins().ishl_imm(new, shift);
                    value = self.b.ins().bor(kept, new);
                }
            }
            self.b.ins().store(MemFlags::trusted(), value, at, behind + 8 * last);
        }
        let change = match self.purpose.sum {
            Some(sum) => self.change(sum, writes),
            None => self.b.ins().iconst(I64, UNKNOWN_CHANGE),
        };
        self.b.ins().store(MemFlags::trusted(), change, at, behind + 8 * words);
        filled.into_iter().filter_map(|(_, (_, wide))| wide).reduce(|a, b| self.b.ins().bor(a, b))
    }

    /// By how much a sum differs when leaves are written.
    fn change(&mut self, sum: &Sum, writes: &[(Leaf, Hole)]) -> Value {
        let (mut fixed, mut change) = (0, None);
        // The bits of all that was looked up, and whether something in it is unknown.
        let (mut bits, mut unknown) = (None, None);
        for &(leaf, hole) in writes {
            let table = &sum.tables[usize::from(leaf)];
            let new = match hole {
                Hole::Word(word) => word.byte(),
                Hole::Leaf(from) => self.facts.byte(from),
                Hole::Temp(_) => None,
            };
            let old = self.facts.byte(leaf);
            for (byte, is_new) in [(new, true), (old, false)] {
                if let Some(byte) = byte {
                    let value = table[usize::from(byte)];
                    if value == Sum::UNKNOWN {
                        return self.b.ins().iconst(I64, UNKNOWN_CHANGE);
                    }
                    fixed += if is_new { i64::from(value) } else { -i64::from(value) };
                    continue;
                }
                let byte = if is_new { self.filled(hole).0 } else { self.word(leaf) };
                let begin = self.b.ins().iconst(I64, table.as_ptr() as i64);
                let offset = self.b.ins().ishl_imm(byte, 2);
                let address = self.b.ins().iadd(begin, offset);
                let value = self.load(I32, address, 0);
                let value = self.b.ins().sextend(I64, value);
                // What is unknown is less than all else: where nothing else is negative, all
                // signs are looked at together.
                let any = table.contains(&Sum::UNKNOWN);
                if any && table.iter().all(|&value| value >= 0 || value == Sum::UNKNOWN) {
                    bits = self.joined(bits, value);
                } else if any {
                    let none = i64::from(Sum::UNKNOWN);
                    let none = self.b.ins().icmp_imm(IntCC::Equal, value, none);
                    unknown = self.joined(unknown, none);
                }
                change = Some(match (change, is_new) {
                    (None, true) => value,
                    (None, false) => self.b.ins().ineg(value),
                    (Some(change), true) => self.b.ins().iadd(change, value),
                    (Some(change), false) => self.b.ins().isub(change, value),
                });
            }
        }
        let change = match change {
            Some(change) => self.b.ins().iadd_imm(change, fixed),
            None => return self.b.ins().iconst(I64, fixed),
        };
        if let Some(bits) = bits {
            let negative = self.b.ins().icmp_imm(IntCC::SignedLessThan, bits, 0);
            unknown = self.joined(unknown, negative);
        }
        match unknown {
            Some(unknown) => {
                let none = self.b.ins().iconst(I64, UNKNOWN_CHANGE);
                self.b.ins().select(unknown, none, change)
            }
            None => change,
        }
    }

    /// The bits of several values.
    fn joined(&mut self, all: Option<Value>, more: Value) -> Option<Value> {
        Some(match all {
            Some(all) => self.b.ins().bor(all, more),
            None => more,
        })
    }

    /// What fills a hole, as the byte of a leaf; and whether it does not fit, if that may be.
    fn filled(&mut self, hole: Hole) -> (Value, Option<Value>) {
        match hole {
            Hole::Word(word) => {
                let byte = word.byte().expect("words of one byte alone are put down");
                (self.b.ins().iconst(I64, i64::from(byte)), None)
            }
            Hole::Leaf(leaf) => (self.word(leaf), None),
            Hole::Temp(temp) => {
                let value = self.get(temp);
                let word = self.b.ins().iadd_imm(value, -Word::FIRST_INT);
                let beyond = IntCC::UnsignedGreaterThanOrEqual;
                let wide = self.b.ins().icmp_imm(beyond, word, Word::INTS);
                (self.b.ins().band_imm(word, 0xFF), Some(wide))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Temp, b: Temp, fits: bool) -> Value {
        let divisor = self.ranges.constant(b);
        let [a, b] = [a, b].map(|temp| self.get(temp));
        match op {
            BinaryOp::Add if fits => self.b.ins().iadd(a, b),
            BinaryOp::Sub if fits => self.b.ins().isub(a, b),
            BinaryOp::Mul if fits => self.b.ins().imul(a, b),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let (value, over) = match op {
                    BinaryOp::Add => self.b.ins().sadd_overflow(a, b),
                    BinaryOp::Sub => self.b.ins().ssub_overflow(a, b),
                    _ => self.b.ins().smul_overflow(a, b),
                };
                self.ask_if(over);
                value
            }
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Rem => {
                if divisor.is_none_or(|divisor| matches!(divisor, 0 | -1)) {
                    self.divisible(a, b);
                }
                self.divide(op, a, b)
            }
            BinaryOp::Min | BinaryOp::Max => {
                let less = self.b.ins().icmp(IntCC::SignedLessThan, a, b);
                let (then, other) = if op == BinaryOp::Min { (a, b) } else { (b, a) };
                self.b.ins().select(less, then, other)
            }
            BinaryOp::And => self.b.ins().band(a, b),
            BinaryOp::Or => self.b.ins().bor(a, b),
            BinaryOp::Xor => self.b.ins().bxor(a, b),
        }
    }

    /// Asks the machine where a quotient has no value.
    fn divisible(&mut self, a: Value, b: Value) {
        let zero = self.b.ins().icmp_imm(IntCC::Equal, b, 0);
        self.ask_if(zero);
        let least = self.b.ins().icmp_imm(IntCC::Equal, a, i64::MIN);
        let minus = self.b.ins().icmp_imm(IntCC::Equal, b, -1);
        let over = self.b.ins().band(least, minus);
        self.ask_if(over);
    }

    fn divide(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        if op == BinaryOp::Div {
            return self.b.ins().sdiv(a, b);
        }
        let rest = self.b.ins().srem(a, b);
        if op == BinaryOp::Rem {
            return rest;
        }
        // Rounded down if there is a rest and the signs differ.
        let signs = self.b.ins().bxor(rest, b);
        let differ = self.b.ins().icmp_imm(IntCC::SignedLessThan, signs, 0);
        let some = self.b.ins().icmp_imm(IntCC::NotEqual, rest, 0);
        let down = self.b.ins().band(differ, some);
        if op == BinaryOp::Mod {
            let sum = self.b.ins().iadd(rest, b);
            return self.b.ins().select(down, sum, rest);
        }
        let quotient = self.b.ins().sdiv(a, b);
        let one = self.b.ins().uextend(I64, down);
        self.b.ins().isub(quotient, one)
    }

    fn end(&mut self, end: &End) {
        match *end {
            End::Goto(next) => self.goto(next),
            End::Is(_, word, _, other) if !self.width.has(word) => self.goto(other),
            End::Is(leaf, word, then, other) => {
                let value = self.leaf(leaf);
                let holds = self.is(value, word);
                self.branch(holds, then, other);
            }
            End::Same(a, b, then, other) => {
                let [a, b] = [a, b].map(|leaf| self.leaf(leaf));
                let holds = self.b.ins().icmp(IntCC::Equal, a, b);
                self.branch(holds, then, other);
            }
            End::Distinct(then, other) => self.distinct(then, other),
            End::Kind(leaf, kinds, then, other) => {
                let word = self.word(leaf);
                let holds = self.kind(word, kinds);
                self.branch(holds, then, other);
            }
            End::Compare(relation, a, b, then, other) => {
                let [a, b] = [a, b].map(|temp| self.get(temp));
                let relation = match relation {
                    Relation::Less => IntCC::SignedLessThan,
                    Relation::LessEqual => IntCC::SignedLessThanOrEqual,
                    Relation::Equal => IntCC::Equal,
                };
                let holds = self.b.ins().icmp(relation, a, b);
                self.branch(holds, then, other);
            }
            End::Before(a, b, then, other) => {
                let [a, b] = [a, b].map(|operand| self.rank(operand));
                let holds = self.b.ins().icmp(IntCC::UnsignedLessThan, a, b);
                self.branch(holds, then, other);
            }
            End::Switch(leaf, number) => {
                let code = self.code;
                self.switch(leaf, &code.switches[number as usize]);
            }
            End::Find(number) => {
                let code = self.code;
                self.find(&code.finds[number as usize]);
            }
            End::Done => self.leave(status::DONE),
            End::True => self.leave(status::TRUE),
            End::Value(amount, temp) => {
                let (value, status) = match amount {
                    Amount::Expr(_) => (self.get(temp), status::INT),
                    Amount::Float(bits) => (self.b.ins().iconst(I64, bits as i64), status::FLOAT),
                };
                self.b.ins().store(MemFlags::trusted(), value, self.exit, VALUE);
                self.leave(status);
            }
            End::Deopt(reason) => self.leave(status::DEOPT + i64::from(reason)),
        }
    }

    /// Whether a leaf is a word.
    fn is(&mut self, value: Value, word: Word) -> Value {
        // A byte is compared as one with a sign.
        let wanted = match self.width {
            Width::Bytes => i64::from(word.0 as i8),
            Width::Words => word.0,
        };
        self.b.ins().icmp_imm(IntCC::Equal, value, wanted)
    }

    fn is_int(&mut self, word: Value) -> Value {
        let narrow = self.b.ins().icmp_imm(IntCC::SignedLessThan, word, Word::INTS);
        if self.width == Width::Bytes {
            return narrow;
        }
        let wide = self.b.ins().icmp_imm(IntCC::SignedGreaterThanOrEqual, word, Word::HALF);
        self.b.ins().bor(narrow, wide)
    }

    fn kind(&mut self, word: Value, kinds: u8) -> Value {
        let is_var = |t: &mut Self| t.b.ins().icmp_imm(IntCC::Equal, word, Word::VAR.0);
        // The kinds that are asked for, or the others.
        let few = if kinds & kind::CONST != 0 { kind::ANY & !kinds } else { kinds };
        let holds = match few & (kind::INT | kind::VAR) {
            0 => self.b.ins().iconst(I8, 0),
            kind::INT => self.is_int(word),
            kind::VAR => is_var(self),
            _ => {
                let (int, var) = (self.is_int(word), is_var(self));
                self.b.ins().bor(int, var)
            }
        };
        if kinds & kind::CONST != 0 { self.b.ins().bxor_imm(holds, 1) } else { holds }
    }

    /// The place of a constant in the standard order.
    fn rank(&mut self, operand: Operand) -> Value {
        let ranks = &self.code.ranks;
        let word = match operand {
            Operand::Leaf(leaf) => self.word(leaf),
            Operand::Word(word) => {
                let known = ranks.get(word.code() as usize).filter(|_| !word.is_int());
                if known.is_none() {
                    let always = self.b.ins().iconst(I8, 1);
                    self.ask_if(always);
                }
                return self.b.ins().iconst(I32, known.map_or(0, |&rank| i64::from(rank)));
            }
        };
        let (begin, count) = (ranks.as_ptr() as i64, ranks.len() as i64);
        let int = self.is_int(word);
        self.ask_if(int);
        let mut code = self.b.ins().iadd_imm(word, -Word::INTS);
        if self.width == Width::Words {
            let wide = self.b.ins().iadd_imm(word, -Word::WIDE_CONSTANT);
            let narrow = self.b.ins().icmp_imm(IntCC::SignedLessThan, word, Word::WIDE_CONSTANT);
            code = self.b.ins().select(narrow, code, wide);
            code = self.b.ins().band_imm(code, i64::from(u32::MAX));
        }
        let unknown = self.b.ins().icmp_imm(IntCC::UnsignedGreaterThanOrEqual, code, count);
        self.ask_if(unknown);
        let begin = self.b.ins().iconst(I64, begin);
        let offset = self.b.ins().ishl_imm(code, 2);
        let address = self.b.ins().iadd(begin, offset);
        self.load(I32, address, 0)
    }

    fn switch(&mut self, leaf: Leaf, switch: &Switch) {
        let differs = |&block: &BlockId| block != switch.other;
        let first = switch.narrow.iter().position(differs).unwrap_or(0);
        let last = switch.narrow.iter().rposition(differs).unwrap_or(0);
        let word = self.word(leaf);
        let index = self.b.ins().iadd_imm(word, -(first as i64));
        let mut other = self.target(switch.other);
        if self.width == Width::Words {
            // Any word beyond, cut to four bytes, could look like one of these.
            let inside = self.alone();
            let beyond = self.alone();
            let within = self.b.ins().icmp_imm(IntCC::UnsignedLessThan, word, 256);
            self.b.ins().brif(within, inside, &[], beyond, &[]);
            self.enter(beyond);
            for &(wide, block) in &switch.wide {
                let holds = self.is(word, wide);
                let next = self.alone();
                let block = self.target(block);
                self.b.ins().brif(holds, block, &[], next, &[]);
                self.enter(next);
            }
            self.goto(switch.other);
            self.enter(inside);
            other = self.target(switch.other);
        }
        let index = self.b.ins().ireduce(I32, index);
        let blocks: Vec<Block> =
            switch.narrow[first..=last].iter().map(|&block| self.target(block)).collect();
        self.jump_to(index, &blocks, other);
    }

    fn jump_to(&mut self, index: Value, blocks: &[Block], other: Block) {
        let none: [BlockArg; 0] = [];
        let lists = &mut self.b.func.dfg.value_lists;
        let mut call = |block| cranelift_codegen::ir::BlockCall::new(block, none, lists);
        let other = call(other);
        let calls: Vec<_> = blocks.iter().map(|&block| call(block)).collect();
        let table = self.b.create_jump_table(JumpTableData::new(other, &calls));
        self.b.ins().br_table(index, table);
    }

    fn find(&mut self, find: &Find) {
        if !self.width.has(find.word) {
            return self.goto(find.none);
        }
        let found = match self.width {
            Width::Bytes if self.code.leaves >= 8 => self.equal_bytes(find.word),
            _ => self.equal_leaves(find),
        };
        let found = self.b.ins().band_imm(found, find.leaves as i64);
        let some = self.alone();
        let none = self.target(find.none);
        self.b.ins().brif(found, some, &[], none, &[]);
        self.enter(some);
        let less = self.b.ins().iadd_imm(found, -1);
        let more = self.b.ins().band(found, less);
        let one = self.alone();
        let several = self.target(find.several);
        self.b.ins().brif(more, several, &[], one, &[]);
        self.enter(one);
        let leaf = self.b.ins().ctz(found);
        let leaf = self.b.ins().ireduce(I32, leaf);
        let asked = |leaf: usize| leaf < 64 && find.leaves >> leaf & 1 != 0;
        let at = find.at.iter().enumerate();
        // Leaves that are not in question are not found.
        let blocks: Vec<Block> =
            at.map(|(leaf, &block)| if asked(leaf) { self.target(block) } else { none }).collect();
        self.jump_to(leaf, &blocks, none);
    }

    /// The leaves in question that are a word, as bits.
    fn equal_leaves(&mut self, find: &Find) -> Value {
        let mut found = self.b.ins().iconst(I64, 0);
        for leaf in (0..self.code.leaves).filter(|leaf| find.leaves >> leaf & 1 != 0) {
            let value = self.leaf(leaf as Leaf);
            let holds = self.is(value, find.word);
            let bit = self.b.ins().uextend(I64, holds);
            let bit = self.b.ins().ishl_imm(bit, leaf as i64);
            found = self.b.ins().bor(found, bit);
        }
        found
    }

    /// The bytes that are a word, as bits; there are 8 to 64.
    fn equal_bytes(&mut self, word: Word) -> Value {
        let wanted = self.b.ins().iconst(I8, i64::from(word.0 as u8));
        let wanted = self.b.ins().splat(I8X16, wanted);
        let (first, count) = (self.byte_of(0), self.code.leaves as i32);
        if count < 16 {
            let [low, high] = [0, count - 8].map(|at| self.load(I64, self.state, first + at));
            let bytes = self.b.ins().scalar_to_vector(I64X2, low);
            let bytes = self.b.ins().insertlane(bytes, high, 1);
            let flags = MemFlags::new().with_endianness(Endianness::Little);
            let bytes = self.b.ins().bitcast(I8X16, flags, bytes);
            let bits = self.equal_lanes(bytes, wanted);
            let low = self.b.ins().band_imm(bits, 0xFF);
            let high = self.b.ins().ushr_imm(bits, 8);
            let high = self.b.ins().ishl_imm(high, i64::from(count - 8));
            return self.b.ins().bor(low, high);
        }
        // The last sixteen overlap those before.
        let mut found = None;
        for at in (0..count).step_by(16).map(|at| at.min(count - 16)) {
            let bytes = self.load(I8X16, self.state, first + at);
            let bits = self.equal_lanes(bytes, wanted);
            let bits = self.b.ins().ishl_imm(bits, i64::from(at));
            found = Some(match found {
                Some(found) => self.b.ins().bor(found, bits),
                None => bits,
            });
        }
        found.expect("there are sixteen")
    }

    fn equal_lanes(&mut self, bytes: Value, wanted: Value) -> Value {
        let equal = self.b.ins().icmp(IntCC::Equal, bytes, wanted);
        let bits = self.b.ins().vhigh_bits(I32, equal);
        self.b.ins().uextend(I64, bits)
    }
}
