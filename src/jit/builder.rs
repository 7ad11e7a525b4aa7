//! What a function does, block by block.

use super::HEAD;
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I8, I8X16, I32, I64, I64X2};
use cranelift_codegen::ir::{
    self, BlockArg, BlockCall, Endianness, InstBuilder, JumpTableData, MemFlags, Type,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use std::marker::PhantomData;

/// Ties what it is part of to one builder: a lifetime that no other has.
type Brand<'f> = PhantomData<fn(&'f ()) -> &'f ()>;

/// A value of some type, which is computed once.
#[derive(Debug)]
pub struct Value<'f, T>(ir::Value, PhantomData<T>, Brand<'f>);

impl<T> Clone for Value<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Value<'_, T> {}

impl<T> Value<'_, T> {
    fn new(value: ir::Value) -> Self {
        Value(value, PhantomData, PhantomData)
    }
}

/// The types of values.
mod kinds {
    #[derive(Debug)]
    pub struct Index;
    #[derive(Debug)]
    pub struct Lanes;
}

/// An integer of 64 bits, with a sign; operations wrap around.
pub type Int<'f> = Value<'f, i64>;
/// A byte, as it lies in the input.
pub type Byte<'f> = Value<'f, i8>;
/// Yes or no.
pub type Bit<'f> = Value<'f, bool>;
/// An integer of 64 bits that is less than 256.
pub type Index<'f> = Value<'f, kinds::Index>;
/// A float of 64 bits.
pub type Float<'f> = Value<'f, f64>;
/// Sixteen bytes.
pub type Lanes<'f> = Value<'f, kinds::Lanes>;

/// Types whose values are compared, chosen from and joined bit by bit.
pub trait Bits: sealed::Sealed {}
impl Bits for i64 {}
impl Bits for i8 {}
impl Bits for bool {}

/// Types of the entries of tables, which are looked up as integers of 64 bits.
pub trait Entry: sealed::Entry {}
impl Entry for i64 {}
impl Entry for i32 {}
impl Entry for u32 {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i64 {}
    impl Sealed for i8 {}
    impl Sealed for bool {}

    pub trait Entry {
        /// The binary logarithm of its bytes.
        const SHIFT: i64;
        /// It is less than zero with its first bit.
        const SIGNED: bool;
    }
    impl Entry for i64 {
        const SHIFT: i64 = 3;
        const SIGNED: bool = true;
    }
    impl Entry for i32 {
        const SHIFT: i64 = 2;
        const SIGNED: bool = true;
    }
    impl Entry for u32 {
        const SHIFT: i64 = 2;
        const SIGNED: bool = false;
    }
}

/// A relation of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// The same bits.
    Equal,
    /// Other bits.
    NotEqual,
    /// Less, with signs.
    Less,
    /// Less or equal, with signs.
    LessEqual,
    /// Greater or equal, with signs.
    GreaterEqual,
    /// Less, without signs.
    Below,
    /// Greater or equal, without signs.
    NotBelow,
}

impl From<Compare> for IntCC {
    fn from(compare: Compare) -> IntCC {
        match compare {
            Compare::Equal => IntCC::Equal,
            Compare::NotEqual => IntCC::NotEqual,
            Compare::Less => IntCC::SignedLessThan,
            Compare::LessEqual => IntCC::SignedLessThanOrEqual,
            Compare::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
            Compare::Below => IntCC::UnsignedLessThan,
            Compare::NotBelow => IntCC::UnsignedGreaterThanOrEqual,
        }
    }
}

/// A stretch of a function that is run from its begin to its end.
#[derive(Clone, Copy, Debug)]
pub struct Block<'f>(ir::Block, Brand<'f>);

/// What has an integer as its value, in each block perhaps another; zero before it is set.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'f>(cranelift_frontend::Variable, Brand<'f>);

/// What a function may read and write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Bytes of the input.
    pub reads: usize,
    /// Words of the exit.
    pub room: usize,
}

/// A loop through the places of a plane, whose bodies are built.
#[derive(Clone, Copy, Debug)]
pub struct Loop<'f>(usize, Brand<'f>);

/// What is known of a loop.
struct LoopState {
    header: ir::Block,
    /// The most words that were put down before it.
    put: usize,
    /// By body: its context, and the most words that it puts down.
    bodies: Vec<(Context, usize)>,
    /// What comes behind it.
    then: ir::Block,
    /// Nothing may be added to its bodies any more.
    closed: bool,
}

/// What a block is part of: a body of a loop, or, as 0, of none. A block is part of one.
type Context = usize;

/// How far a block is.
#[derive(Clone, Copy)]
enum Progress {
    /// The most words that were put down on a way there, if there is one.
    Before(Option<usize>),
    Entered,
}

/// Builds a function. Operations go to the block that was entered last, which ends with a jump, a
/// branch or by leaving the function. A block is entered once, behind all ends that lead to it;
/// what is entered first is there from the begin.
pub struct Builder<'f> {
    b: FunctionBuilder<'f>,
    input: ir::Value,
    exit: ir::Value,
    given: ir::Value,
    /// Behind what was put down.
    cursor: Option<cranelift_frontend::Variable>,
    extent: Extent,
    /// The most words that were put down before this place.
    put: usize,
    /// By block.
    progress: Vec<Progress>,
    /// By block, where it was led to.
    contexts: Vec<Option<Context>>,
    /// The loop of a context.
    loop_of: Vec<Option<usize>>,
    context: Context,
    loops: Vec<LoopState>,
    brand: Brand<'f>,
}

impl<'f> Builder<'f> {
    /// A function of nothing yet; with `puts_down` it has a cursor.
    pub(super) fn new(
        function: &'f mut ir::Function,
        parts: &'f mut FunctionBuilderContext,
        puts_down: bool,
    ) -> Self {
        let mut b = FunctionBuilder::new(function, parts);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let [input, exit] = [0, 1].map(|i| b.block_params(entry)[i]);
        // Dead code where nobody asks for it.
        let given = b.ins().load(I64, MemFlags::trusted(), exit, 8);
        let cursor = puts_down.then(|| b.declare_var(I64));
        if let Some(cursor) = cursor {
            let begin = b.ins().iadd_imm(exit, 8 * HEAD as i64);
            b.def_var(cursor, begin);
        }
        let extent = Extent { reads: 0, room: HEAD };
        let mut progress = vec![Progress::Before(None); entry.index()];
        progress.push(Progress::Entered);
        Builder {
            b,
            input,
            exit,
            given,
            cursor,
            extent,
            put: 0,
            contexts: vec![Some(0); progress.len()],
            progress,
            loop_of: vec![None],
            context: 0,
            loops: Vec::new(),
            brand: PhantomData,
        }
    }

    /// The function is as it should be.
    pub(super) fn finish(mut self) -> Extent {
        let open = |progress: &&Progress| matches!(progress, Progress::Before(Some(_)));
        assert!(self.progress.iter().find(open).is_none(), "a block is led to and never entered");
        assert!(self.b.current_block().is_none_or(|_| self.is_ended()), "a block has no end");
        self.b.seal_all_blocks();
        self.b.finalize();
        self.extent
    }
}

/// Blocks.
impl<'f> Builder<'f> {
    /// A new block.
    pub fn block(&mut self) -> Block<'f> {
        let block = self.b.create_block();
        debug_assert_eq!(block.index(), self.progress.len());
        self.progress.push(Progress::Before(None));
        self.contexts.push(None);
        Block(block, PhantomData)
    }

    /// Whether the block that was entered last has its end.
    fn is_ended(&self) -> bool {
        let last = |block| self.b.func.layout.last_inst(block);
        let end = self.b.current_block().and_then(last);
        end.is_some_and(|end| self.b.func.dfg.insts[end].opcode().is_terminator())
    }

    /// Goes on with a block.
    ///
    /// # Panics
    /// It was entered before, or the block before it has no end.
    pub fn enter(&mut self, block: Block<'f>) {
        assert!(self.is_ended(), "a block has no end");
        let progress = &mut self.progress[block.0.index()];
        match std::mem::replace(progress, Progress::Entered) {
            Progress::Before(put) => self.put = put.unwrap_or(0),
            Progress::Entered => panic!("a block is entered twice"),
        }
        self.context = self.contexts[block.0.index()].unwrap_or(0);
        let own = self.loop_of[self.context];
        assert!(own.is_none_or(|own| !self.loops[own].closed), "a body is added to a loop's end");
        for this in &mut self.loops {
            if this.then == block.0 {
                this.closed = true;
                let all = this.bodies.iter().map(|&(_, put)| put).sum::<usize>();
                self.put = this.put + all;
                // Wherever a body puts something down, all others may have done so before.
                self.extent.room += all;
            }
        }
        self.b.switch_to_block(block.0);
        self.b.seal_block(block.0);
    }

    /// Says that a block is hardly ever run.
    pub fn set_cold(&mut self, block: Block<'f>) {
        self.b.set_cold_block(block.0);
    }

    /// There is a way from here to a block.
    #[inline]
    fn lead(&mut self, block: Block<'f>) -> ir::Block {
        let context = self.contexts[block.0.index()].get_or_insert(self.context);
        assert!(*context == self.context, "a block is part of two bodies of loops");
        match &mut self.progress[block.0.index()] {
            Progress::Before(put) => *put = Some(put.map_or(self.put, |put| put.max(self.put))),
            Progress::Entered => panic!("a block is led to after it was entered"),
        }
        block.0
    }

    /// Ends the block: goes on there.
    pub fn jump(&mut self, block: Block<'f>) {
        let block = self.lead(block);
        self.b.ins().jump(block, &[]);
    }

    /// Ends the block: goes on in `then` if it holds, or is not zero, or else in `other`.
    pub fn branch<T: Bits>(&mut self, holds: Value<'f, T>, then: Block<'f>, other: Block<'f>) {
        let [then, other] = [then, other].map(|block| self.lead(block));
        self.b.ins().brif(holds.0, then, &[], other, &[]);
    }

    /// Goes on there if it holds, or else behind this.
    pub fn jump_if(&mut self, holds: Bit<'f>, block: Block<'f>) {
        let next = self.block();
        self.branch(holds, block, next);
        self.enter(next);
    }

    /// Ends the block: goes on in the block of that number, or in `other` if there is none. Of
    /// the index the low 32 bits count, without sign.
    pub fn jump_table(&mut self, index: Int<'f>, blocks: &[Block<'f>], other: Block<'f>) {
        let index = self.b.ins().ireduce(I32, index.0);
        let none: [BlockArg; 0] = [];
        let call = |this: &mut Self, block| {
            let block = this.lead(block);
            BlockCall::new(block, none, &mut this.b.func.dfg.value_lists)
        };
        let other = call(self, other);
        let calls: Vec<_> = blocks.iter().map(|&block| call(self, block)).collect();
        let table = self.b.create_jump_table(JumpTableData::new(other, &calls));
        self.b.ins().br_table(index, table);
    }

    /// Ends the block: goes through the bits of a plane, the lowest first, to the blocks for their
    /// places; behind the last, to `then`, which is entered when all bodies are built. What there is
    /// no block for is left out.
    ///
    /// # Panics
    /// Places do not ascend below 64, or a block was led to before.
    pub fn each_bit(
        &mut self,
        plane: Int<'f>,
        places: &[(u8, Block<'f>)],
        then: Block<'f>,
    ) -> Loop<'f> {
        assert!(places.is_sorted_by(|one, other| one.0 < other.0), "places ascend");
        assert!(places.last().is_none_or(|last| last.0 < 64), "a plane has 64 places");
        let left = self.b.declare_var(I64);
        self.b.def_var(left, plane.0);
        let [header, pick] = [self.block(), self.block()];
        for inner in [header, pick] {
            self.contexts[inner.0.index()] = Some(self.context);
            self.progress[inner.0.index()] = Progress::Entered;
        }
        // The header is sealed at the end, as bodies lead back to it.
        self.b.ins().jump(header.0, &[]);
        self.b.switch_to_block(header.0);
        let bits = self.b.use_var(left);
        let then_block = self.lead(then);
        self.b.ins().brif(bits, pick.0, &[], then_block, &[]);
        self.b.switch_to_block(pick.0);
        self.b.seal_block(pick.0);
        let place = self.b.ins().ctz(bits);
        let less = self.b.ins().iadd_imm(bits, -1);
        let rest = self.b.ins().band(bits, less);
        self.b.def_var(left, rest);
        let number = self.loops.len();
        let outer = self.context;
        let call = |this: &mut Self, block: ir::Block| {
            // Each entry has a list of its own, as arguments are added to it.
            let none: [BlockArg; 0] = [];
            BlockCall::new(block, none, &mut this.b.func.dfg.value_lists)
        };
        let mut calls = Vec::with_capacity(64);
        let mut bodies = Vec::with_capacity(places.len());
        for &(at, block) in places {
            let fresh = matches!(self.progress[block.0.index()], Progress::Before(None));
            assert!(fresh, "a body was led to before");
            self.loop_of.push(Some(number));
            self.context = self.loop_of.len() - 1;
            bodies.push((self.context, 0));
            let block = self.lead(block);
            while calls.len() < usize::from(at) {
                calls.push(call(self, header.0));
            }
            calls.push(call(self, block));
        }
        self.context = outer;
        let skip = call(self, header.0);
        let place = self.b.ins().ireduce(I32, place);
        let table = self.b.create_jump_table(JumpTableData::new(skip, &calls));
        self.b.ins().br_table(place, table);
        let state =
            LoopState { header: header.0, put: self.put, bodies, then: then.0, closed: false };
        self.loops.push(state);
        Loop(number, PhantomData)
    }

    /// Ends the block, which is in a body of the loop: goes on with the next place.
    ///
    /// # Panics
    /// It is not in a body of this loop.
    pub fn next(&mut self, within: Loop<'f>) {
        let (put, context) = (self.put, self.context);
        let this = &mut self.loops[within.0];
        let body = this.bodies.iter_mut().find(|(body, _)| *body == context);
        let (_, most) = body.expect("it is in a body of the loop");
        *most = (*most).max(put - this.put);
        self.b.ins().jump(this.header, &[]);
    }

    /// Ends the block, and the function with a status.
    pub fn leave(&mut self, status: i64) {
        if let Some(cursor) = self.cursor {
            let end = self.b.use_var(cursor);
            self.b.ins().store(MemFlags::trusted(), end, self.exit, 0);
        }
        let status = self.b.ins().iconst(I64, status);
        self.b.ins().return_(&[status]);
    }
}

/// Input, tables and exit.
impl<'f> Builder<'f> {
    /// The address of a number of bytes of the input, as what is added to its begin.
    ///
    /// # Panics
    /// It is beyond 2³¹ bytes.
    fn place(&mut self, at: usize, bytes: usize) -> i32 {
        self.extent.reads = self.extent.reads.max(at + bytes);
        i32::try_from(at).expect("inputs are shorter")
    }

    fn input(&mut self, kind: Type, at: usize) -> ir::Value {
        let place = self.place(at, kind.bytes() as usize);
        // PERF: an input of packed bytes may lie anywhere.
        let flags = MemFlags::new().with_notrap().with_readonly();
        self.b.ins().load(kind, flags, self.input, place)
    }

    /// A byte of the input.
    pub fn input_byte(&mut self, at: usize) -> Byte<'f> {
        Value::new(self.input(I8, at))
    }

    /// Eight bytes of the input, from that byte on.
    pub fn input_int(&mut self, at: usize) -> Int<'f> {
        Value::new(self.input(I64, at))
    }

    /// Sixteen bytes of the input, from that byte on.
    pub fn input_lanes(&mut self, at: usize) -> Lanes<'f> {
        Value::new(self.input(I8X16, at))
    }

    fn entry<E: Entry>(&mut self, begin: *const E, index: ir::Value) -> Int<'f> {
        let begin = self.b.ins().iconst(I64, begin as i64);
        let offset = self.b.ins().ishl_imm(index, E::SHIFT);
        let address = self.b.ins().iadd(begin, offset);
        let flags = MemFlags::trusted().with_readonly();
        let kind = if E::SHIFT == 3 { I64 } else { I32 };
        let value = self.b.ins().load(kind, flags, address, 0);
        Value::new(match E::SHIFT {
            3 => value,
            _ if E::SIGNED => self.b.ins().sextend(I64, value),
            _ => self.b.ins().uextend(I64, value),
        })
    }

    /// An entry of a table.
    pub fn look_up<E: Entry>(&mut self, table: &'f [E; 256], index: Index<'f>) -> Int<'f> {
        self.entry(table.as_ptr(), index.0)
    }

    /// An entry of a table; goes on in `beyond` if it has none of that number, which has no sign.
    pub fn look_up_within<E: Entry>(
        &mut self,
        table: &'f [E],
        index: Int<'f>,
        beyond: Block<'f>,
    ) -> Int<'f> {
        let none = self.compare_with(Compare::NotBelow, index, table.len() as i64);
        self.jump_if(none, beyond);
        self.entry(table.as_ptr(), index.0)
    }

    /// What the function was given: the second word of the exit, as it was when it was called.
    pub fn given(&mut self) -> Int<'f> {
        Value::new(self.given)
    }

    /// What the function answers: the second word of the exit.
    pub fn answer(&mut self, value: Int<'f>) {
        self.b.ins().store(MemFlags::trusted(), value.0, self.exit, 8);
    }

    fn store(&mut self, value: ir::Value, at: usize, words: usize) {
        let cursor = self.cursor.expect("the function puts down");
        self.extent.room = self.extent.room.max(HEAD + self.put + at + words);
        let cursor = self.b.use_var(cursor);
        let place = i32::try_from(8 * at).expect("exits are shorter");
        self.b.ins().store(MemFlags::trusted(), value, cursor, place);
    }

    /// Puts a word down, so many words behind the cursor.
    ///
    /// # Panics
    /// The function has no cursor.
    pub fn put(&mut self, at: usize, value: Int<'f>) {
        self.store(value.0, at, 1);
    }

    /// Puts two words down, so many words behind the cursor.
    ///
    /// # Panics
    /// The function has no cursor.
    pub fn put_lanes(&mut self, at: usize, value: Lanes<'f>) {
        self.store(value.0, at, 2);
    }

    /// Moves the cursor on by as many words; if `fewer` holds, by its number instead.
    ///
    /// # Panics
    /// The function has no cursor.
    pub fn advance(&mut self, words: usize, fewer: Option<(Bit<'f>, usize)>) {
        let cursor = self.cursor.expect("the function puts down");
        let at = self.b.use_var(cursor);
        let mut next = self.b.ins().iadd_imm(at, 8 * words as i64);
        let mut most = words;
        if let Some((holds, words)) = fewer {
            let bare = self.b.ins().iadd_imm(at, 8 * words as i64);
            next = self.b.ins().select(holds.0, bare, next);
            most = most.max(words);
        }
        self.b.def_var(cursor, next);
        self.put += most;
        self.extent.room = self.extent.room.max(HEAD + self.put);
    }
}

/// Variables and conversions.
impl<'f> Builder<'f> {
    /// A new variable.
    pub fn variable(&mut self) -> Variable<'f> {
        Variable(self.b.declare_var(I64), PhantomData)
    }

    /// The value of a variable.
    pub fn get(&mut self, variable: Variable<'f>) -> Int<'f> {
        Value::new(self.b.use_var(variable.0))
    }

    /// Sets a variable.
    pub fn set(&mut self, variable: Variable<'f>, value: Int<'f>) {
        self.b.def_var(variable.0, value.0);
    }

    /// A constant.
    pub fn int(&mut self, value: i64) -> Int<'f> {
        Value::new(self.b.ins().iconst(I64, value))
    }

    /// A constant.
    pub fn bit(&mut self, value: bool) -> Bit<'f> {
        Value::new(self.b.ins().iconst(I8, i64::from(value)))
    }

    /// A constant.
    pub fn index(&mut self, value: u8) -> Index<'f> {
        Value::new(self.b.ins().iconst(I64, i64::from(value)))
    }

    /// A byte, without sign.
    pub fn widened(&mut self, byte: Byte<'f>) -> Index<'f> {
        Value::new(self.b.ins().uextend(I64, byte.0))
    }

    /// The lowest byte.
    pub fn low_byte(&mut self, value: Int<'f>) -> Index<'f> {
        Value::new(self.b.ins().band_imm(value.0, 0xFF))
    }

    /// The same number.
    pub fn int_of(&self, index: Index<'f>) -> Int<'f> {
        Value::new(index.0)
    }

    /// 1 for yes, 0 for no.
    pub fn int_of_bit(&mut self, bit: Bit<'f>) -> Int<'f> {
        Value::new(self.b.ins().uextend(I64, bit.0))
    }
}

/// Operations that the compiler has by that name, of two values.
macro_rules! operations {
    ($($(#[$text:meta])* $name:ident = $operation:ident;)*) => {
        impl<'f> Builder<'f> {
            $($(#[$text])*
            pub fn $name(&mut self, a: Int<'f>, b: Int<'f>) -> Int<'f> {
                Value::new(self.b.ins().$operation(a.0, b.0))
            })*
        }
    };
}

operations! {
    /// The sum.
    add = iadd;
    /// The difference.
    sub = isub;
    /// The product.
    mul = imul;
    /// The quotient, rounded towards zero.
    ///
    /// # Traps
    /// The divisor is zero, or the quotient has more than 64 bits.
    div = sdiv;
    /// The remainder, with the sign of the dividend.
    ///
    /// # Traps
    /// As [`Builder::div`].
    rem = srem;
    /// The first shifted to the left by the second, modulo 64.
    shl = ishl;
    /// The first shifted to the right by the second, modulo 64, with the sign from the left.
    sar = sshr;
}

/// Operations with a constant.
macro_rules! constants {
    ($($(#[$text:meta])* $name:ident = $operation:ident;)*) => {
        impl<'f> Builder<'f> {
            $($(#[$text])*
            pub fn $name(&mut self, a: Int<'f>, b: i64) -> Int<'f> {
                Value::new(self.b.ins().$operation(a.0, b))
            })*
        }
    };
}

constants! {
    /// The sum.
    add_const = iadd_imm;
    /// The bits that both have.
    and_const = band_imm;
    /// Shifted to the left.
    shl_const = ishl_imm;
    /// Shifted to the right, with zeros from the left.
    shr_const = ushr_imm;
}

/// Operations that say whether they went beyond 64 bits.
macro_rules! overflowing {
    ($($(#[$text:meta])* $name:ident = $operation:ident;)*) => {
        impl<'f> Builder<'f> {
            $($(#[$text])*
            pub fn $name(&mut self, a: Int<'f>, b: Int<'f>) -> (Int<'f>, Bit<'f>) {
                let (value, over) = self.b.ins().$operation(a.0, b.0);
                (Value::new(value), Value::new(over))
            })*
        }
    };
}

overflowing! {
    /// The sum, and whether it overflows.
    add_overflow = sadd_overflow;
    /// The difference, and whether it overflows.
    sub_overflow = ssub_overflow;
    /// The product, and whether it overflows.
    mul_overflow = smul_overflow;
}

/// Other operations.
impl<'f> Builder<'f> {
    /// The negative.
    pub fn neg(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().ineg(a.0))
    }

    /// The bits that both have.
    pub fn and<T: Bits>(&mut self, a: Value<'f, T>, b: Value<'f, T>) -> Value<'f, T> {
        Value::new(self.b.ins().band(a.0, b.0))
    }

    /// The bits that one of both has.
    pub fn or<T: Bits>(&mut self, a: Value<'f, T>, b: Value<'f, T>) -> Value<'f, T> {
        Value::new(self.b.ins().bor(a.0, b.0))
    }

    /// The bits that just one of both has.
    pub fn xor<T: Bits>(&mut self, a: Value<'f, T>, b: Value<'f, T>) -> Value<'f, T> {
        Value::new(self.b.ins().bxor(a.0, b.0))
    }

    /// The opposite.
    pub fn not(&mut self, a: Bit<'f>) -> Bit<'f> {
        Value::new(self.b.ins().bxor_imm(a.0, 1))
    }

    /// The bits that it does not have.
    pub fn complement(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().bnot(a.0))
    }

    /// The number of bits that are set.
    pub fn count_ones(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().popcnt(a.0))
    }

    /// The number of zeros behind the lowest bit that is set; 64 if none is.
    pub fn trailing_zeros(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().ctz(a.0))
    }

    /// The number of zeros before the highest bit that is set; 64 if none is.
    pub fn leading_zeros(&mut self, a: Int<'f>) -> Int<'f> {
        Value::new(self.b.ins().clz(a.0))
    }

    /// Whether two values are in a relation.
    pub fn compare<T: Bits>(
        &mut self,
        relation: Compare,
        a: Value<'f, T>,
        b: Value<'f, T>,
    ) -> Bit<'f> {
        Value::new(self.b.ins().icmp(IntCC::from(relation), a.0, b.0))
    }

    /// Whether a value and a constant are in a relation; a constant for a byte is from -128 to 127.
    pub fn compare_with<T: Bits>(&mut self, relation: Compare, a: Value<'f, T>, b: i64) -> Bit<'f> {
        Value::new(self.b.ins().icmp_imm(IntCC::from(relation), a.0, b))
    }

    /// The first if it holds, else the second.
    pub fn select<T: Bits>(
        &mut self,
        holds: Bit<'f>,
        a: Value<'f, T>,
        b: Value<'f, T>,
    ) -> Value<'f, T> {
        Value::new(self.b.ins().select(holds.0, a.0, b.0))
    }
}

/// Operations on floats that the compiler has by that name.
macro_rules! floating {
    ($($(#[$text:meta])* $name:ident = $operation:ident($($operand:ident),*);)*) => {
        impl<'f> Builder<'f> {
            $($(#[$text])*
            pub fn $name(&mut self, $($operand: Float<'f>),*) -> Float<'f> {
                Value::new(self.b.ins().$operation($($operand.0),*))
            })*
        }
    };
}

floating! {
    /// The sum of floats.
    float_add = fadd(a, b);
    /// The difference of floats.
    float_sub = fsub(a, b);
    /// The product of floats.
    float_mul = fmul(a, b);
    /// The quotient of floats.
    float_div = fdiv(a, b);
    /// The lesser float; of two zeros the one with the sign.
    float_min = fmin(a, b);
    /// The greater float; of two zeros the one without a sign.
    float_max = fmax(a, b);
    /// The negative of a float.
    float_neg = fneg(a);
    /// A float without its sign.
    float_abs = fabs(a);
    /// The square root.
    float_sqrt = sqrt(a);
}

/// Other operations with floats.
impl<'f> Builder<'f> {
    /// The float that has these bits.
    pub fn float_of_bits(&mut self, bits: Int<'f>) -> Float<'f> {
        Value::new(self.b.ins().bitcast(F64, MemFlags::new(), bits.0))
    }

    /// The bits of a float.
    pub fn bits_of_float(&mut self, value: Float<'f>) -> Int<'f> {
        Value::new(self.b.ins().bitcast(I64, MemFlags::new(), value.0))
    }

    /// The float that is nearest to an integer.
    pub fn float_of_int(&mut self, value: Int<'f>) -> Float<'f> {
        Value::new(self.b.ins().fcvt_from_sint(F64, value.0))
    }

    /// A float rounded towards zero; the nearest integer of 64 bits, if it is beyond, and 0 if it is no
    /// number.
    pub fn int_of_float(&mut self, value: Float<'f>) -> Int<'f> {
        Value::new(self.b.ins().fcvt_to_sint_sat(I64, value.0))
    }

    /// Whether a float is less than another.
    pub fn float_less(&mut self, a: Float<'f>, b: Float<'f>) -> Bit<'f> {
        Value::new(self.b.ins().fcmp(FloatCC::LessThan, a.0, b.0))
    }

    /// Whether two floats are equal; zeros are, whatever their signs.
    pub fn float_equal(&mut self, a: Float<'f>, b: Float<'f>) -> Bit<'f> {
        Value::new(self.b.ins().fcmp(FloatCC::Equal, a.0, b.0))
    }
}

/// Operations on sixteen bytes.
impl<'f> Builder<'f> {
    /// The same byte sixteen times.
    pub fn lanes(&mut self, byte: u8) -> Lanes<'f> {
        let byte = self.b.ins().iconst(I8, i64::from(byte));
        Value::new(self.b.ins().splat(I8X16, byte))
    }

    /// The bytes of two integers, the lowest first.
    pub fn lanes_of(&mut self, low: Int<'f>, high: Int<'f>) -> Lanes<'f> {
        let both = self.b.ins().scalar_to_vector(I64X2, low.0);
        let both = self.b.ins().insertlane(both, high.0, 1);
        let flags = MemFlags::new().with_endianness(Endianness::Little);
        Value::new(self.b.ins().bitcast(I8X16, flags, both))
    }

    /// With another byte in one place of sixteen.
    ///
    /// # Panics
    /// There is no such place.
    pub fn with_lane(&mut self, lanes: Lanes<'f>, at: usize, byte: Index<'f>) -> Lanes<'f> {
        assert!(at < 16, "there are sixteen");
        let byte = self.b.ins().ireduce(I8, byte.0);
        Value::new(self.b.ins().insertlane(lanes.0, byte, at as u8))
    }

    /// Which bytes are the same, as bits, the first the lowest.
    pub fn equal_lanes(&mut self, a: Lanes<'f>, b: Lanes<'f>) -> Int<'f> {
        let equal = self.b.ins().icmp(IntCC::Equal, a.0, b.0);
        let bits = self.b.ins().vhigh_bits(I32, equal);
        Value::new(self.b.ins().uextend(I64, bits))
    }
}
