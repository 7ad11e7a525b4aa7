//! Straight code as a function of [`zug_jit`], block by block.
//!
//! The function gets a packed state, or the words of its leaves, and an exit to fill.
//! Temporaries are variables, so they lie in registers; a move is put down with the
//! temporaries it needs, to be visited when the function has returned.
//!
//! # Invariants
//!
//! - Code without cycles only: a block runs at most once, so the moves of a run are bounded,
//!   and so are temporaries that only constants are added to.

use super::Purpose;
use super::change::{Filled, Written, change, joined};
use super::facts::Facts;
use super::order::Order;
use super::ranges::{Bounds, Ranges};
use crate::code::{BlockId, Code, End, Find, Hole, NOTHING, Step, Sum, Switch, Temp, Width};
use crate::moves::{STATELESS, UNKNOWN_CHANGE};
use crate::residual::{Amount, BinaryOp, Leaf, Operand, Relation, kind};
use zug_jit::{Bit, Block, Builder, Byte, Compare, Index, Int, Variable};
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

struct Translator<'t, 'f> {
    code: &'f Code,
    /// What moves are told the differences of.
    sum: Option<&'f Sum>,
    purpose: Purpose<'t>,
    width: Width,
    b: &'t mut Builder<'f>,
    /// By block of the code; `None` if no way leads there.
    blocks: Vec<Option<Block<'f>>>,
    temps: Vec<Variable<'f>>,
    /// Where all go that have met a value out of range.
    range: Option<Block<'f>>,
    bounds: Bounds,
    /// What is known of temporaries in this block.
    ranges: Ranges,
    facts: Facts,
}

/// A leaf as it lies there.
#[derive(Clone, Copy)]
enum Lying<'f> {
    Byte(Byte<'f>),
    Word(Int<'f>),
}

/// Translates code; with moves it puts down by how much a sum differs.
pub fn translate<'f>(
    code: &'f Code,
    sum: Option<&'f Sum>,
    order: &Order,
    purpose: Purpose<'_>,
    b: &mut Builder<'f>,
) {
    let mut blocks = vec![None; code.blocks.len()];
    for &block in &order.blocks {
        blocks[block as usize] = Some(b.block());
    }
    let temps = (0..code.temps).map(|_| b.variable()).collect();
    let bounds = Bounds::of(code, &order.blocks);
    let mut translator = Translator {
        code,
        sum,
        purpose,
        width: purpose.width,
        b,
        blocks,
        temps,
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

impl<'f> Translator<'_, 'f> {
    fn target(&self, block: BlockId) -> Block<'f> {
        self.blocks[block as usize].expect("every target is in the order")
    }

    fn goto(&mut self, block: BlockId) {
        let block = self.target(block);
        self.b.jump(block);
    }

    fn branch(&mut self, holds: Bit<'f>, then: BlockId, other: BlockId) {
        let [then, other] = [then, other].map(|block| self.target(block));
        self.b.branch(holds, then, other);
    }

    /// Goes by whether all leaves differ; mostly they do in their low bits.
    fn distinct(&mut self, then: BlockId, other: BlockId) {
        let leaves: Vec<Int<'f>> = (0..self.code.leaves as Leaf).map(|l| self.word(l)).collect();
        let one = self.b.int(1);
        let zero = self.b.int(0);
        let (mut met, mut twice) = (zero, zero);
        for &leaf in &leaves {
            let bit = self.b.shl(one, leaf);
            let both = self.b.and(met, bit);
            twice = self.b.or(twice, both);
            met = self.b.or(met, bit);
        }
        let slow = self.b.block();
        self.b.set_cold(slow);
        let differ = self.target(then);
        self.b.branch(twice, slow, differ);
        self.b.enter(slow);
        let mut alike = self.b.bit(false);
        for (i, &a) in leaves.iter().enumerate() {
            for &b in &leaves[..i] {
                let same = self.b.compare(Compare::Equal, a, b);
                alike = self.b.or(alike, same);
            }
        }
        self.branch(alike, other, then);
    }

    /// Asks the machine if this holds.
    fn ask_if(&mut self, holds: Bit<'f>) {
        let out = self.range();
        self.b.jump_if(holds, out);
    }

    /// Where values out of range lead.
    fn range(&mut self) -> Block<'f> {
        *self.range.get_or_insert_with(|| {
            let block = self.b.block();
            self.b.set_cold(block);
            block
        })
    }

    fn finish(self) {
        if let Some(block) = self.range {
            self.b.enter(block);
            self.b.leave(status::RANGE);
        }
    }

    fn block(&mut self, id: BlockId) {
        let block = self.target(id);
        // All that lead here come before in the order.
        self.b.enter(block);
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

    fn get(&mut self, temp: Temp) -> Int<'f> {
        match self.ranges.constant(temp) {
            Some(value) => self.b.int(value),
            None => self.b.get(self.temps[temp as usize]),
        }
    }

    fn set(&mut self, temp: Temp, value: Int<'f>) {
        self.b.set(self.temps[temp as usize], value);
    }

    /// Which byte of the state a leaf is.
    fn byte_of(&self, leaf: Leaf) -> usize {
        self.purpose.layout.before + usize::from(leaf)
    }

    /// A leaf as it lies there.
    fn leaf(&mut self, leaf: Leaf) -> Lying<'f> {
        match self.width {
            Width::Bytes => Lying::Byte(self.b.input_byte(self.byte_of(leaf))),
            Width::Words => Lying::Word(self.b.input_int(8 * usize::from(leaf))),
        }
    }

    /// A leaf as a word.
    fn word(&mut self, leaf: Leaf) -> Int<'f> {
        match self.leaf(leaf) {
            Lying::Byte(byte) => {
                let word = self.b.widened(byte);
                self.b.int_of(word)
            }
            Lying::Word(word) => word,
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Const(to, value) => {
                let constant = self.b.int(value);
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
                let more = self.b.int(value);
                self.add(to, more);
            }
            Step::Table(to, leaf, table) => self.table(to, leaf, table),
            Step::Move(number) => self.put_down(number),
        }
    }

    fn int_value(&mut self, word: Int<'f>) -> Int<'f> {
        let narrow = self.b.add_const(word, Word::FIRST_INT);
        if self.width == Width::Bytes {
            return narrow;
        }
        let is_narrow = self.b.compare_with(Compare::Less, word, Word::INTS);
        let wide = self.b.add_const(word, -Word::WIDE_INT);
        self.b.select(is_narrow, narrow, wide)
    }

    /// Adds to a temporary.
    fn add(&mut self, to: Temp, more: Int<'f>) {
        let value = self.get(to);
        let sum = if self.bounds.of_temp(to).is_some() {
            self.b.add(value, more)
        } else {
            let (sum, over) = self.b.add_overflow(value, more);
            self.ask_if(over);
            sum
        };
        self.set(to, sum);
        self.ranges.set(to, None);
    }

    fn table(&mut self, to: Temp, leaf: Leaf, table: u32) {
        let table = &self.code.tables[table as usize];
        let found = match self.leaf(leaf) {
            Lying::Byte(byte) => {
                let word = self.b.widened(byte);
                self.b.look_up(table, word)
            }
            Lying::Word(word) => {
                let beyond = self.range();
                self.b.look_up_within(table, word, beyond)
            }
        };
        if table.contains(&NOTHING) {
            let nothing = self.b.compare_with(Compare::Equal, found, NOTHING);
            self.ask_if(nothing);
        }
        self.add(to, found);
    }

    fn put_down(&mut self, number: u32) {
        let form = &self.purpose.forms[number as usize];
        for (at, &temp) in form.saved.iter().enumerate() {
            let value = self.get(temp);
            self.b.put(1 + at, value);
        }
        let bare = 1 + form.saved.len();
        let mut head = self.b.int(i64::from(number));
        let (mut words, mut fewer) = (bare, None);
        let code = self.code;
        if let (true, Some(writes)) = (form.words > 0, &code.moves[number as usize].writes) {
            let stateless = self.b.add_const(head, STATELESS);
            if self.width == Width::Words {
                head = stateless;
            } else {
                words += form.words;
                if let Some(wide) = self.put_state(writes, bare) {
                    head = self.b.select(wide, stateless, head);
                    fewer = Some((wide, bare));
                }
            }
        }
        self.b.put(0, head);
        self.b.advance(words, fewer);
    }

    /// Puts down the state with these leaves written, and by how much the sum differs; whether
    /// a leaf does not fit a byte, if that may be.
    fn put_state(&mut self, writes: &[(Leaf, Hole)], behind: usize) -> Option<Bit<'f>> {
        let words = self.purpose.layout.words;
        let filled: Vec<_> = writes.iter().map(|&(leaf, hole)| (leaf, self.filled(hole))).collect();
        let bytes: Vec<_> =
            filled.iter().map(|&(leaf, (new, _))| (self.byte_of(leaf), new)).collect();
        put_bytes(self.b, words, &bytes, behind);
        let change = match self.sum {
            Some(sum) => self.change(sum, writes),
            None => self.b.int(UNKNOWN_CHANGE),
        };
        self.b.put(behind + words, change);
        filled.into_iter().filter_map(|(_, (_, wide))| wide).reduce(|a, b| self.b.or(a, b))
    }

    /// By how much a sum differs when leaves are written.
    fn change(&mut self, sum: &'f Sum, writes: &[(Leaf, Hole)]) -> Int<'f> {
        let mut written = Vec::with_capacity(writes.len());
        for &(leaf, hole) in writes {
            let new = match hole {
                Hole::Word(word) => word.byte(),
                Hole::Leaf(from) => self.facts.byte(from),
                Hole::Temp(_) | Hole::Value(_) => None,
            };
            let new = match new {
                Some(byte) => Filled::Byte(byte),
                None => Filled::Index(self.filled(hole).0),
            };
            let old = match self.facts.byte(leaf) {
                Some(byte) => Filled::Byte(byte),
                None => Filled::Index(self.byte(leaf)),
            };
            written.push(Written { table: &sum.tables[usize::from(leaf)], new, old });
        }
        change(self.b, &written)
    }

    /// A leaf of one byte.
    fn byte(&mut self, leaf: Leaf) -> Index<'f> {
        let byte = self.b.input_byte(self.byte_of(leaf));
        self.b.widened(byte)
    }

    /// What fills a hole, as the byte of a leaf; and whether it does not fit, if that may be.
    fn filled(&mut self, hole: Hole) -> (Index<'f>, Option<Bit<'f>>) {
        match hole {
            Hole::Word(word) => {
                let byte = word.byte().expect("words of one byte alone are put down");
                (self.b.index(byte), None)
            }
            Hole::Leaf(leaf) => (self.byte(leaf), None),
            Hole::Temp(temp) => {
                let value = self.get(temp);
                let word = self.b.add_const(value, -Word::FIRST_INT);
                let beyond = Compare::NotBelow;
                let wide = self.b.compare_with(beyond, word, Word::INTS);
                (self.b.low_byte(word), Some(wide))
            }
            Hole::Value(temp) => {
                let word = self.get(temp);
                let wide = self.b.compare_with(Compare::NotBelow, word, 0x100);
                (self.b.low_byte(word), Some(wide))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Temp, b: Temp, fits: bool) -> Int<'f> {
        let divisor = self.ranges.constant(b);
        let [a, b] = [a, b].map(|temp| self.get(temp));
        match op {
            BinaryOp::Add if fits => self.b.add(a, b),
            BinaryOp::Sub if fits => self.b.sub(a, b),
            BinaryOp::Mul if fits => self.b.mul(a, b),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let (value, over) = match op {
                    BinaryOp::Add => self.b.add_overflow(a, b),
                    BinaryOp::Sub => self.b.sub_overflow(a, b),
                    _ => self.b.mul_overflow(a, b),
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
                let less = self.b.compare(Compare::Less, a, b);
                let (then, other) = if op == BinaryOp::Min { (a, b) } else { (b, a) };
                self.b.select(less, then, other)
            }
            BinaryOp::And => self.b.and(a, b),
            BinaryOp::Or => self.b.or(a, b),
            BinaryOp::Xor => self.b.xor(a, b),
        }
    }

    /// Asks the machine where a quotient has no value.
    fn divisible(&mut self, a: Int<'f>, b: Int<'f>) {
        let zero = self.b.compare_with(Compare::Equal, b, 0);
        self.ask_if(zero);
        let least = self.b.compare_with(Compare::Equal, a, i64::MIN);
        let minus = self.b.compare_with(Compare::Equal, b, -1);
        let over = self.b.and(least, minus);
        self.ask_if(over);
    }

    fn divide(&mut self, op: BinaryOp, a: Int<'f>, b: Int<'f>) -> Int<'f> {
        if op == BinaryOp::Div {
            return self.b.div(a, b);
        }
        let rest = self.b.rem(a, b);
        if op == BinaryOp::Rem {
            return rest;
        }
        // Rounded down if there is a rest and the signs differ.
        let signs = self.b.xor(rest, b);
        let differ = self.b.compare_with(Compare::Less, signs, 0);
        let some = self.b.compare_with(Compare::NotEqual, rest, 0);
        let down = self.b.and(differ, some);
        if op == BinaryOp::Mod {
            let sum = self.b.add(rest, b);
            return self.b.select(down, sum, rest);
        }
        let quotient = self.b.div(a, b);
        let one = self.b.int_of_bit(down);
        self.b.sub(quotient, one)
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
                let holds = match (self.leaf(a), self.leaf(b)) {
                    (Lying::Byte(a), Lying::Byte(b)) => self.b.compare(Compare::Equal, a, b),
                    (Lying::Word(a), Lying::Word(b)) => self.b.compare(Compare::Equal, a, b),
                    _ => unreachable!("leaves lie alike"),
                };
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
                    Relation::Less => Compare::Less,
                    Relation::LessEqual => Compare::LessEqual,
                    Relation::Equal => Compare::Equal,
                };
                let holds = self.b.compare(relation, a, b);
                self.branch(holds, then, other);
            }
            End::Before(a, b, then, other) => {
                let [a, b] = [a, b].map(|operand| self.rank(operand));
                let holds = self.b.compare(Compare::Below, a, b);
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
            End::Done => self.b.leave(status::DONE),
            End::True => self.b.leave(status::TRUE),
            End::Value(amount, temp) => {
                let (value, status) = match amount {
                    Amount::Expr(_) => (self.get(temp), status::INT),
                    Amount::Float(bits) => (self.b.int(bits as i64), status::FLOAT),
                };
                self.b.answer(value);
                self.b.leave(status);
            }
            End::Deopt(reason) => self.b.leave(status::DEOPT + i64::from(reason)),
        }
    }

    /// Whether a leaf is a word.
    fn is(&mut self, leaf: Lying<'f>, word: Word) -> Bit<'f> {
        match leaf {
            // A byte is compared as one with a sign.
            Lying::Byte(byte) => self.b.compare_with(Compare::Equal, byte, i64::from(word.0 as i8)),
            Lying::Word(value) => self.b.compare_with(Compare::Equal, value, word.0),
        }
    }

    fn is_int(&mut self, word: Int<'f>) -> Bit<'f> {
        let narrow = self.b.compare_with(Compare::Less, word, Word::INTS);
        if self.width == Width::Bytes {
            return narrow;
        }
        let wide = self.b.compare_with(Compare::GreaterEqual, word, Word::HALF);
        self.b.or(narrow, wide)
    }

    fn kind(&mut self, word: Int<'f>, kinds: u8) -> Bit<'f> {
        let is_var = |t: &mut Self| t.b.compare_with(Compare::Equal, word, Word::VAR.0);
        // The kinds that are asked for, or the others.
        let few = if kinds & kind::CONST != 0 { kind::ANY & !kinds } else { kinds };
        let holds = match few & (kind::INT | kind::VAR) {
            0 => self.b.bit(false),
            kind::INT => self.is_int(word),
            kind::VAR => is_var(self),
            _ => {
                let (int, var) = (self.is_int(word), is_var(self));
                self.b.or(int, var)
            }
        };
        if kinds & kind::CONST != 0 { self.b.not(holds) } else { holds }
    }

    /// The place of a constant in the standard order.
    fn rank(&mut self, operand: Operand) -> Int<'f> {
        let ranks = &self.code.ranks;
        let word = match operand {
            Operand::Leaf(leaf) => self.word(leaf),
            Operand::Word(word) => {
                let known = ranks.get(word.code() as usize).filter(|_| !word.is_int());
                if known.is_none() {
                    let always = self.b.bit(true);
                    self.ask_if(always);
                }
                return self.b.int(known.map_or(0, |&rank| i64::from(rank)));
            }
        };
        let int = self.is_int(word);
        self.ask_if(int);
        let mut code = self.b.add_const(word, -Word::INTS);
        if self.width == Width::Words {
            let wide = self.b.add_const(word, -Word::WIDE_CONSTANT);
            let narrow = self.b.compare_with(Compare::Less, word, Word::WIDE_CONSTANT);
            code = self.b.select(narrow, code, wide);
            code = self.b.and_const(code, i64::from(u32::MAX));
        }
        let unknown = self.range();
        self.b.look_up_within(ranks, code, unknown)
    }

    fn switch(&mut self, leaf: Leaf, switch: &Switch) {
        let differs = |&block: &BlockId| block != switch.other;
        let first = switch.narrow.iter().position(differs).unwrap_or(0);
        let last = switch.narrow.iter().rposition(differs).unwrap_or(0);
        let word = self.word(leaf);
        let index = self.b.add_const(word, -(first as i64));
        let mut other = self.target(switch.other);
        if self.width == Width::Words {
            // Any word beyond, cut to four bytes, could look like one of these.
            let inside = self.b.block();
            let beyond = self.b.block();
            let within = self.b.compare_with(Compare::Below, word, 256);
            self.b.branch(within, inside, beyond);
            self.b.enter(beyond);
            for &(wide, block) in &switch.wide {
                let holds = self.is(Lying::Word(word), wide);
                let next = self.b.block();
                let block = self.target(block);
                self.b.branch(holds, block, next);
                self.b.enter(next);
            }
            self.goto(switch.other);
            self.b.enter(inside);
            other = self.target(switch.other);
        }
        let blocks: Vec<Block<'f>> =
            switch.narrow[first..=last].iter().map(|&block| self.target(block)).collect();
        self.b.jump_table(index, &blocks, other);
    }

    fn find(&mut self, find: &Find) {
        if !self.width.has(find.word) {
            return self.goto(find.none);
        }
        let found = match self.width {
            Width::Bytes if self.code.leaves >= 8 => self.equal_bytes(find.word),
            _ => self.equal_leaves(find),
        };
        let found = self.b.and_const(found, find.leaves as i64);
        let some = self.b.block();
        let none = self.target(find.none);
        self.b.branch(found, some, none);
        self.b.enter(some);
        let less = self.b.add_const(found, -1);
        let more = self.b.and(found, less);
        let one = self.b.block();
        let several = self.target(find.several);
        self.b.branch(more, several, one);
        self.b.enter(one);
        let leaf = self.b.trailing_zeros(found);
        let asked = |leaf: usize| leaf < 64 && find.leaves >> leaf & 1 != 0;
        let at = find.at.iter().enumerate();
        // Leaves that are not in question are not found.
        let blocks: Vec<Block<'f>> =
            at.map(|(leaf, &block)| if asked(leaf) { self.target(block) } else { none }).collect();
        self.b.jump_table(leaf, &blocks, none);
    }

    /// The leaves in question that are a word, as bits.
    fn equal_leaves(&mut self, find: &Find) -> Int<'f> {
        let mut found = self.b.int(0);
        for leaf in (0..self.code.leaves).filter(|leaf| find.leaves >> leaf & 1 != 0) {
            let value = self.leaf(leaf as Leaf);
            let holds = self.is(value, find.word);
            let bit = self.b.int_of_bit(holds);
            let bit = self.b.shl_const(bit, leaf as i64);
            found = self.b.or(found, bit);
        }
        found
    }

    /// The bytes that are a word, as bits; there are 8 to 64.
    fn equal_bytes(&mut self, word: Word) -> Int<'f> {
        let wanted = self.b.lanes(word.0 as u8);
        let (first, count) = (self.byte_of(0), self.code.leaves);
        if count < 16 {
            let [low, high] = [0, count - 8].map(|at| self.b.input_int(first + at));
            let bytes = self.b.lanes_of(low, high);
            let bits = self.b.equal_lanes(bytes, wanted);
            let low = self.b.and_const(bits, 0xFF);
            let high = self.b.shr_const(bits, 8);
            let high = self.b.shl_const(high, count as i64 - 8);
            return self.b.or(low, high);
        }
        // The last sixteen overlap those before.
        let mut found = None;
        for at in (0..count).step_by(16).map(|at| at.min(count - 16)) {
            let bytes = self.b.input_lanes(first + at);
            let bits = self.b.equal_lanes(bytes, wanted);
            let bits = self.b.shl_const(bits, at as i64);
            found = joined(self.b, found, bits);
        }
        found.expect("there are sixteen")
    }
}

/// Puts down the words of the state with these bytes written.
pub fn put_bytes<'f>(
    b: &mut Builder<'f>,
    words: usize,
    written: &[(usize, Index<'f>)],
    behind: usize,
) {
    // PERF: as wide as it is read again, which is quicker by far.
    for word in (0..words.saturating_sub(1)).step_by(2) {
        let mut value = b.input_lanes(8 * word);
        for &(byte, new) in written {
            if byte / 16 == word / 2 {
                value = b.with_lane(value, byte % 16, new);
            }
        }
        b.put_lanes(behind + word, value);
    }
    if words % 2 == 1 {
        let last = words - 1;
        let mut value = b.input_int(8 * last);
        for &(byte, new) in written {
            if byte / 8 == last {
                let shift = (byte % 8 * 8) as i64;
                let kept = b.and_const(value, !(0xFF << shift));
                let new = b.int_of(new);
                let new = b.shl_const(new, shift);
                value = b.or(kept, new);
            }
        }
        b.put(behind + last, value);
    }
}
