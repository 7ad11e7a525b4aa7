//! Cells, bindings and calls as machine code.
//!
//! The operations of an [`Emit`] share it, so that they nest as expressions do. They are emitted in the order in which
//! Rust evaluates them.

mod shared;

use super::super::Machine;
use super::super::clause::PredId;
use super::super::frames::FRAME;
use super::super::instr::{Instr, Slot};
use super::steps::Pushed;
use super::{Exit, Shared};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::{I32, I64};
use zug_jit::codegen::ir::{
    AbiParam, Block, BlockArg, InstBuilder, MemFlags, SigRef, Signature, Value,
};
use zug_jit::codegen::isa::CallConv;
use zug_jit::frontend::{FunctionBuilder, Switch, Variable};
use zug_term::{Cell, Tag};

pub(super) const CELL: i32 = 8;

/// The signature of machine code: from the machine to an exit.
pub(super) fn signature() -> Signature {
    inner(1)
}

/// The signature of a function that only machine code calls.
fn inner(params: usize) -> Signature {
    of_convention(params, CallConv::Tail)
}

/// The signature of the function that enters machine code, and of steps.
fn outer(params: usize) -> Signature {
    of_convention(params, zug_jit::outer_convention().expect("the processor is known"))
}

fn of_convention(params: usize, call_conv: CallConv) -> Signature {
    let word = AbiParam::new(I64);
    Signature { params: vec![word; params], returns: vec![word], call_conv }
}

/// Begins a function: its parameters.
fn parameters(b: &mut FunctionBuilder<'_>) -> Vec<Value> {
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    b.block_params(block).to_vec()
}

/// The offset of a field in the machine.
macro_rules! machine {
    ($($field:tt)+) => {
        offset_of!(Machine, $($field)+) as i32
    };
}

/// The address of a step.
macro_rules! step {
    ($step:ident) => {
        $crate::native::steps::$step as *const () as usize
    };
}
pub(super) use shared::{shared, unifier};
pub(super) use {machine, step};

/// Where bindings are noted on the trail.
#[derive(Clone, Copy)]
pub(super) enum Barrier {
    /// Below the newest choice point.
    Choice,
    /// Below an address, while clauses are tried without one.
    Tried(Value),
}

pub(super) struct Emit<'e, 'f> {
    m: Value,
    /// Address of the first cell of the heap.
    heap: Variable,
    /// Top of the heap in bytes.
    top: Variable,
    /// Address of the current environment.
    frame: Variable,
    state: RefCell<State<'e, 'f>>,
}

struct State<'e, 'f> {
    b: &'e mut FunctionBuilder<'f>,
    xs: FxHashMap<u16, Variable>,
    /// X registers whose value is in no register of the machine yet. A way out saves them all; a call its arguments; where
    /// two ways meet, what is new on either is new behind.
    dirty: BTreeSet<u16>,
    /// By whether machine code is called, and the number of parameters.
    signatures: FxHashMap<(bool, usize), SigRef>,
    /// The keys of X registers that the selection of clauses has looked at, which hold no reference then. It holds until the
    /// register gets another value, and in the block that it was said for.
    known: FxHashMap<u16, Cell>,
    fail: Option<Block>,
}

/// Operations by the names that Cranelift has for them.
macro_rules! operations {
    ($($name:ident($($operand:ident: $kind:ty),*);)*) => {
        impl Emit<'_, '_> {
            $(pub fn $name(&self, $($operand: $kind),*) -> Value {
                self.state.borrow_mut().b.ins().$name($($operand),*)
            })*
        }
    };
}

operations! {
    iadd(a: Value, b: Value);
    isub(a: Value, b: Value);
    sdiv(a: Value, b: Value);
    srem(a: Value, b: Value);
    band(a: Value, b: Value);
    bor(a: Value, b: Value);
    bxor(a: Value, b: Value);
    band_not(a: Value, b: Value);
    sshr(a: Value, b: Value);
    iadd_imm(a: Value, b: i64);
    imul_imm(a: Value, b: i64);
    band_imm(a: Value, b: i64);
    bor_imm(a: Value, b: i64);
    bxor_imm(a: Value, b: i64);
    ishl_imm(a: Value, b: i64);
    sshr_imm(a: Value, b: i64);
    ushr_imm(a: Value, b: i64);
    select(condition: Value, a: Value, b: Value);
}

impl<'e, 'f> Emit<'e, 'f> {
    pub fn begin(b: &'e mut FunctionBuilder<'f>) -> Self {
        let m = parameters(b)[0];
        Emit::of(b, m)
    }

    /// For a function that has begun, with the machine.
    fn of(b: &'e mut FunctionBuilder<'f>, m: Value) -> Self {
        let [heap, top, frame] = [0; 3].map(|_| b.declare_var(I64));
        let state = RefCell::new(State {
            b,
            xs: FxHashMap::default(),
            dirty: BTreeSet::new(),
            signatures: FxHashMap::default(),
            known: FxHashMap::default(),
            fail: None,
        });
        let emit = Emit { m, heap, top, frame, state };
        emit.load_heap();
        emit
    }

    pub fn end(self) {
        let fail = self.state.borrow_mut().fail.take();
        if let Some(fail) = fail {
            self.enter(fail);
            self.go_shared(Shared::FAIL, &[]);
        }
    }

    // --- values and memory -----------------------------------------------------------

    pub fn constant(&self, value: u64) -> Value {
        self.state.borrow_mut().b.ins().iconst(I64, value as i64)
    }

    pub fn cell(&self, cell: Cell) -> Value {
        self.constant(cell.0)
    }

    fn var(&self, variable: Variable) -> Value {
        self.state.borrow_mut().b.use_var(variable)
    }

    fn set_var(&self, variable: Variable, value: Value) {
        self.state.borrow_mut().b.def_var(variable, value);
    }

    pub fn load(&self, at: Value, offset: i32) -> Value {
        self.state.borrow_mut().b.ins().load(I64, MemFlags::trusted(), at, offset)
    }

    pub fn store(&self, value: Value, at: Value, offset: i32) {
        self.state.borrow_mut().b.ins().store(MemFlags::trusted(), value, at, offset);
    }

    pub fn load32(&self, at: Value, offset: i32) -> Value {
        self.state.borrow_mut().b.ins().uload32(MemFlags::trusted(), at, offset)
    }

    fn store32(&self, value: Value, at: Value, offset: i32) {
        self.state.borrow_mut().b.ins().istore32(MemFlags::trusted(), value, at, offset);
    }

    pub fn load8(&self, at: Value, offset: i32) -> Value {
        self.state.borrow_mut().b.ins().uload8(I32, MemFlags::trusted(), at, offset)
    }

    /// A field of the machine, of 64 bits.
    pub fn field(&self, offset: i32) -> Value {
        self.load(self.m, offset)
    }

    pub fn set_field(&self, offset: i32, value: Value) {
        self.store(value, self.m, offset);
    }

    /// A field of the machine, of 32 bits.
    pub fn field32(&self, offset: i32) -> Value {
        self.load32(self.m, offset)
    }

    pub fn set_field32(&self, offset: i32, value: Value) {
        self.store32(value, self.m, offset);
    }

    /// The address of an element of a vector of words of 2^`shift` bytes.
    fn element(&self, vector: Value, index: Value, shift: i64) -> Value {
        self.iadd(vector, self.ishl_imm(index, shift))
    }

    pub fn is(&self, code: IntCC, a: Value, b: Value) -> Value {
        self.state.borrow_mut().b.ins().icmp(code, a, b)
    }

    pub fn is_constant(&self, code: IntCC, a: Value, b: u64) -> Value {
        self.state.borrow_mut().b.ins().icmp_imm(code, a, b as i64)
    }

    pub fn equal(&self, a: Value, b: Value) -> Value {
        self.is(IntCC::Equal, a, b)
    }

    pub fn equals(&self, a: Value, b: u64) -> Value {
        self.is_constant(IntCC::Equal, a, b)
    }

    /// The value of an operation that says whether it overflows; then it goes on in a block.
    pub fn exactly(
        &self,
        overflows: Block,
        operation: impl FnOnce(&mut FunctionBuilder<'f>) -> (Value, Value),
    ) -> Value {
        let (value, over) = operation(self.state.borrow_mut().b);
        self.require(self.equals(over, 0), overflows);
        value
    }

    // --- blocks ------------------------------------------------------------------------

    pub fn enter(&self, block: Block) {
        self.state.borrow_mut().b.switch_to_block(block);
    }

    pub fn block(&self) -> Block {
        self.state.borrow_mut().b.create_block()
    }

    pub fn blocks<const N: usize>(&self) -> [Block; N] {
        [(); N].map(|()| self.block())
    }

    pub fn rare(&self) -> Block {
        let block = self.block();
        self.state.borrow_mut().b.set_cold_block(block);
        block
    }

    pub fn taking(&self) -> (Block, Value) {
        let block = self.block();
        (block, self.parameter(block))
    }

    /// One more value that a block takes.
    pub fn parameter(&self, block: Block) -> Value {
        self.state.borrow_mut().b.append_block_param(block, I64)
    }

    pub fn jump(&self, to: Block) {
        self.jump_with(to, &[]);
    }

    pub fn jump_with(&self, to: Block, values: &[Value]) {
        self.state.borrow_mut().b.ins().jump(to, &arguments(values));
    }

    pub fn branch(&self, condition: Value, yes: Block, no: Block) {
        self.branch_with(condition, (yes, &[]), (no, &[]));
    }

    pub fn branch_with(&self, condition: Value, yes: (Block, &[Value]), no: (Block, &[Value])) {
        let [with_yes, with_no] = [yes.1, no.1].map(arguments);
        self.state.borrow_mut().b.ins().brif(condition, yes.0, &with_yes, no.0, &with_no);
    }

    pub fn switch(&self, value: Value, keys: &[(Cell, Block)], other: Block) {
        let mut switch = Switch::new();
        for &(key, block) in keys {
            switch.set_entry(u128::from(key.0), block);
        }
        switch.emit(self.state.borrow_mut().b, value, other);
    }

    /// Goes on where a condition holds, and to a block where it does not.
    pub fn require(&self, condition: Value, otherwise: Block) {
        let next = self.block();
        self.branch(condition, next, otherwise);
        self.enter(next);
    }

    /// Does some work where a condition does not hold, which is rare, and goes on.
    pub fn unless(&self, condition: Value, work: impl FnOnce()) {
        let (rare, next) = (self.rare(), self.block());
        self.branch(condition, next, rare);
        self.enter(rare);
        work();
        self.jump(next);
        self.enter(next);
    }

    /// Goes on where a condition holds; elsewhere, which is rare, `leave` ends the function.
    pub fn or_leave(&self, condition: Value, leave: impl FnOnce()) {
        let (rare, next) = (self.rare(), self.block());
        self.branch(condition, next, rare);
        self.enter(rare);
        leave();
        self.enter(next);
    }

    fn return_(&self, value: Value) {
        self.state.borrow_mut().b.ins().return_(&[value]);
    }

    // --- heap ------------------------------------------------------------------------

    pub fn load_heap(&self) {
        self.set_var(self.heap, self.field(machine!(window.heap.at)));
        self.set_var(self.top, self.field(machine!(window.heap.len)));
    }

    pub fn top(&self) -> Value {
        self.var(self.top)
    }

    pub fn set_top(&self, top: Value) {
        self.set_var(self.top, top);
    }

    /// Writes the top of the heap to the machine.
    fn save_top(&self) {
        self.set_field(machine!(window.heap.len), self.top());
    }

    /// The heap cell at an address in bytes.
    pub fn heap_cell(&self, at: Value, offset: i32) -> Value {
        self.load(self.iadd(self.var(self.heap), at), offset)
    }

    pub fn set_heap_cell(&self, value: Value, at: Value, offset: i32) {
        self.store(value, self.iadd(self.var(self.heap), at), offset);
    }

    pub fn push(&self, cells: &[Value]) {
        let top = self.top();
        for (i, &cell) in cells.iter().enumerate() {
            self.set_heap_cell(cell, top, CELL * i as i32);
        }
        self.set_top(self.iadd_imm(top, i64::from(CELL) * cells.len() as i64));
    }

    pub fn push_var(&self) -> Value {
        let var = self.top();
        self.push(&[var]);
        var
    }

    /// Sees to it that there is room for some cells, and for as many entries of the trail.
    pub fn need_room(&self, cells: usize) {
        if cells == 0 {
            return;
        }
        let end = self.iadd_imm(self.top(), i64::from(CELL) * cells as i64);
        let heap_fits = self.fits(end, machine!(window.heap.room));
        let end = self.iadd_imm(self.field(machine!(window.trail.len)), cells as i64);
        let trail_fits = self.fits(end, machine!(window.trail.room));
        self.unless(self.band(heap_fits, trail_fits), || {
            self.step(step!(grow_heap), &[]);
        });
    }

    /// Whether a size is no more than a field of the machine.
    fn fits(&self, size: Value, offset: i32) -> Value {
        self.is(IntCC::UnsignedLessThanOrEqual, size, self.field(offset))
    }

    // --- cells -------------------------------------------------------------------------

    pub fn tag(&self, cell: Value) -> Value {
        self.band_imm(cell, 7)
    }

    pub fn has_tag(&self, cell: Value, tag: Tag) -> Value {
        self.equals(self.tag(cell), tag as u64)
    }

    pub fn is_var(&self, cell: Value) -> Value {
        self.equals(self.band_imm(cell, 3), 0)
    }

    pub fn is_any(&self, tag: Value, of: &[Tag]) -> Value {
        let each = of.iter().map(|&of| self.equals(tag, of as u64));
        each.reduce(|any, one| self.bor(any, one)).expect("there are some")
    }

    /// Whether it is an atom or an integer kept in the word.
    pub fn is_word(&self, cell: Value) -> Value {
        self.is_any(self.tag(cell), &[Tag::Atom, Tag::Int])
    }

    pub fn with_tag(&self, address: Value, tag: Tag) -> Value {
        match tag as i64 {
            0 => address,
            tag => self.bor_imm(address, tag),
        }
    }

    pub fn address(&self, cell: Value, tag: Tag) -> Value {
        self.iadd_imm(cell, -(tag as i64))
    }

    pub fn small(&self, value: Value) -> Value {
        self.with_tag(self.ishl_imm(value, 3), Tag::Int)
    }

    pub fn deref(&self, cell: Value) -> Value {
        let ((chase, at), (done, found)) = (self.taking(), self.taking());
        self.branch_with(self.band_imm(cell, 3), (done, &[cell]), (chase, &[cell]));
        self.enter(chase);
        let next = self.heap_cell(self.band_imm(at, !7), 0);
        let more = self.band_not(self.is_var(next), self.equal(next, at));
        self.branch_with(more, (chase, &[next]), (done, &[next]));
        self.enter(done);
        found
    }

    pub fn bind(&self, variable: Value, value: Value, barrier: Barrier) {
        let [plain, more, next] = self.blocks();
        let old = self.is(IntCC::UnsignedLessThan, variable, self.barrier(barrier));
        let attributed = self.has_tag(variable, Tag::Attributed);
        self.branch(self.bor(old, attributed), more, plain);
        self.enter(more);
        self.call_shared(Shared::BIND, &[variable, value]);
        self.jump(next);
        self.enter(plain);
        self.set_heap_cell(value, variable, 0);
        self.jump(next);
        self.enter(next);
    }

    /// The address below which bindings are noted.
    pub fn barrier(&self, barrier: Barrier) -> Value {
        match barrier {
            Barrier::Choice => self.field(machine!(window.barrier)),
            Barrier::Tried(limit) => limit,
        }
    }

    pub fn unify(&self, a: Value, b: Value, barrier: Barrier) -> Value {
        self.call_shared(Shared::UNIFY, &[a, b, self.barrier(barrier)])
    }

    // --- registers -----------------------------------------------------------------------

    fn variable(&self, x: u16) -> Variable {
        let State { b, xs, .. } = &mut *self.state.borrow_mut();
        *xs.entry(x).or_insert_with(|| b.declare_var(I64))
    }

    pub fn x(&self, x: u16) -> Value {
        self.var(self.variable(x))
    }

    pub fn set_x(&self, x: u16, value: Value) {
        self.keep_x(x, value);
        let state = &mut *self.state.borrow_mut();
        state.known.remove(&x);
        state.dirty.insert(x);
    }

    /// As [`Emit::set_x`], of a value that means the same to the machine as the one it has.
    pub fn keep_x(&self, x: u16, value: Value) {
        self.set_var(self.variable(x), value);
    }

    /// The registers that are new to the machine.
    pub fn dirty(&self) -> BTreeSet<u16> {
        self.state.borrow().dirty.clone()
    }

    pub fn set_dirty(&self, dirty: BTreeSet<u16>) {
        self.state.borrow_mut().dirty = dirty;
    }

    pub fn add_dirty(&self, dirty: impl IntoIterator<Item = u16>) {
        self.state.borrow_mut().dirty.extend(dirty);
    }

    /// The key of what is in a register, if that is known: then it is no reference.
    pub fn known(&self, x: u16) -> Option<Cell> {
        self.state.borrow().known.get(&x).copied()
    }

    /// From here on the key of what is in a register is known, or none is.
    pub fn know(&self, key: Option<(u16, Cell)>) {
        self.state.borrow_mut().known = key.into_iter().collect();
    }

    pub fn load_arguments(&self, arity: usize) {
        let at = self.field(machine!(window.x));
        for i in 0..arity {
            self.keep_x(i as u16, self.load(at, CELL * i as i32));
        }
    }

    /// Writes some registers to the machine, as far as they are new to it.
    pub fn save(&self, registers: impl IntoIterator<Item = u16>) {
        let dirty = self.dirty();
        let new: Vec<u16> = registers.into_iter().filter(|x| dirty.contains(x)).collect();
        if new.is_empty() {
            return;
        }
        let at = self.field(machine!(window.x));
        for x in new {
            self.store(self.x(x), at, CELL * i32::from(x));
            self.state.borrow_mut().dirty.remove(&x);
        }
    }

    /// Writes all registers to the machine.
    pub fn save_all(&self) {
        self.save(self.dirty());
    }

    // --- environments ----------------------------------------------------------------------

    pub fn load_frame(&self) {
        self.frame_at(self.field(machine!(e)));
    }

    fn frame_at(&self, e: Value) {
        self.set_var(self.frame, self.element(self.field(machine!(window.frames.at)), e, 3));
    }

    pub fn frame_word(&self, word: usize) -> Value {
        self.load(self.var(self.frame), CELL * word as i32)
    }

    pub fn set_frame_word(&self, word: usize, value: Value) {
        self.store(value, self.var(self.frame), CELL * word as i32);
    }

    pub fn y(&self, y: u16) -> Value {
        self.frame_word(FRAME + usize::from(y))
    }

    pub fn set_y(&self, y: u16, value: Value) {
        self.set_frame_word(FRAME + usize::from(y), value);
    }

    pub fn slot(&self, slot: Slot) -> Value {
        match slot.0 {
            x if x < Slot::Y => self.x(x),
            y if y < Slot::CONST => self.y(y - Slot::Y),
            _ => self.cell(Cell::small(slot.value())),
        }
    }

    pub fn allocate(&self, n: u16) {
        let e = self.field(machine!(e));
        let base = self.frames_top();
        let end = self.iadd_imm(base, (FRAME + usize::from(n)) as i64);
        self.unless(self.fits(end, machine!(window.frames.len)), || {
            self.step(step!(grow_frames), &[end]);
        });
        self.frame_at(base);
        self.set_frame_word(0, e);
        let cp = self.ishl_imm(self.field32(machine!(cp)), 32);
        self.set_frame_word(1, self.bor_imm(cp, i64::from(n)));
        self.set_frame_word(2, self.field32(machine!(b0)));
        self.set_field(machine!(e), base);
    }

    pub fn deallocate(&self) {
        self.set_field32(machine!(cp), self.ushr_imm(self.frame_word(1), 32));
        self.set_field(machine!(e), self.frame_word(0));
    }

    // --- ways out ----------------------------------------------------------------------------

    /// Makes a choice point of a kind, with its parts, for N arguments, which are saved.
    pub fn push_choice(&self, kind: Pushed, parts: [Value; 2], arity: usize) {
        let (kind, arity) = (self.constant(kind as u64), self.constant(arity as u64));
        self.call_shared(Shared::PUSH, &[kind, parts[0], parts[1], arity]);
    }

    pub fn fail_block(&self) -> Block {
        let State { b, fail, .. } = &mut *self.state.borrow_mut();
        *fail.get_or_insert_with(|| b.create_block())
    }

    /// Leaves for the loop. All registers that it needs are saved.
    pub fn leave(&self, exit: Exit, number: u32) {
        self.save_top();
        self.return_(self.constant(exit.with(number)));
    }

    /// As [`Emit::leave`], by an exit whose number is computed.
    pub fn leave_with(&self, exit: Value, number: u32) {
        self.save_top();
        self.return_(self.bor_imm(exit, i64::from(number) << 3));
    }

    /// Goes on at a code address: in its machine code if it has some.
    pub fn go_to(&self, address: Value) {
        self.save_top();
        let at = self.element(self.field(machine!(window.code)), address, 3);
        let [native, made, other] = self.blocks();
        self.branch(self.load8(at, 0), other, native);
        self.enter(native);
        let number = self.load32(at, CELL / 2);
        let function =
            self.load(self.element(self.field(machine!(window.functions)), number, 3), 0);
        self.branch(function, made, other);
        self.enter(made);
        self.return_call(function, &[self.m]);
        self.enter(other);
        self.return_(self.bor_imm(self.ishl_imm(address, 3), Exit::Go as i64));
    }

    /// Counts an inference, or goes to a block if it is time to poll.
    pub fn tick(&self, poll: Block) {
        let left = self.iadd_imm(self.field32(machine!(fuel)), -1);
        let limit = self.field(machine!(window.limit));
        let full = self.is(IntCC::UnsignedGreaterThan, self.top(), limit);
        let polls = self.bor(full, self.equals(left, 0));
        let next = self.block();
        self.branch(polls, poll, next);
        self.enter(next);
        self.set_field32(machine!(fuel), left);
        self.set_field32(machine!(b0), self.field(machine!(window.choices.len)));
    }

    /// Counts the inference of a call by the instruction at an address; leaves for the loop if it is time to poll.
    fn tick_call(&self, pred: Value, called_at: Value) {
        let (poll, next) = (self.rare(), self.block());
        self.tick(poll);
        self.jump(next);
        self.enter(poll);
        self.set_field(machine!(window.called_at), called_at);
        self.return_(self.bor_imm(self.ishl_imm(pred, 3), Exit::Call as i64));
        self.enter(next);
    }

    /// Calls a predicate, or a goal by `call/n`, with its arguments saved, by the instruction at an address.
    pub fn call_predicate(&self, pred: PredId, at: u32, is_goal: bool) {
        let (pred, at) = (self.constant(u64::from(pred)), self.constant(u64::from(at)));
        self.go_shared(if is_goal { Shared::GOAL } else { Shared::CALL }, &[pred, at]);
    }

    pub fn proceed(&self) {
        self.go_shared(Shared::PROCEED, &[]);
    }

    // --- calls ---------------------------------------------------------------------------------

    fn signature(&self, is_inner: bool, params: usize) -> SigRef {
        let State { b, signatures, .. } = &mut *self.state.borrow_mut();
        let make = || b.import_signature(if is_inner { inner(params) } else { outer(params) });
        *signatures.entry((is_inner, params)).or_insert_with(make)
    }

    fn call_at(&self, function: Value, is_inner: bool, args: &[Value]) -> Value {
        let all = self.with_machine(args);
        let signature = self.signature(is_inner, all.len());
        let b = &mut *self.state.borrow_mut().b;
        let call = b.ins().call_indirect(signature, function, &all);
        b.inst_results(call)[0]
    }

    fn return_call(&self, function: Value, all: &[Value]) {
        let signature = self.signature(true, all.len());
        self.state.borrow_mut().b.ins().return_call_indirect(signature, function, all);
    }

    /// The arguments of a function that knows the top of the heap: the machine, and its own.
    fn with_machine(&self, args: &[Value]) -> Vec<Value> {
        self.save_top();
        [&[self.m], args].concat()
    }

    /// Calls a function that all machine code shares.
    pub fn call_shared(&self, function: Shared, args: &[Value]) -> Value {
        self.call_at(self.shared_address(function), true, args)
    }

    /// Goes on in a function that all machine code shares.
    fn go_shared(&self, function: Shared, args: &[Value]) {
        let all = self.with_machine(args);
        self.return_call(self.shared_address(function), &all);
    }

    fn shared_address(&self, function: Shared) -> Value {
        let address = function.address().expect("machine code can be made, as it is");
        self.constant(address as u64)
    }

    /// Calls a step that changes nothing that is kept here.
    fn call(&self, function: usize, args: &[Value]) -> Value {
        self.call_at(self.constant(function as u64), false, args)
    }

    /// Calls a step: its status. The environment may have moved, which [`Emit::load_frame`] sees to.
    pub fn step(&self, function: usize, args: &[Value]) -> Value {
        let status = self.call(function, args);
        self.load_heap();
        status
    }

    /// As [`Emit::step`], of the function whose address is in a field.
    pub fn step_at(&self, field: i32, args: &[Value]) -> Value {
        let status = self.call_at(self.field(field), false, args);
        self.load_heap();
        status
    }

    /// Goes on in the function that a step finds.
    pub fn go_on_by(&self, function: usize, args: &[Value]) {
        self.return_call(self.call(function, args), &[self.m]);
    }

    pub fn result(&self) -> Value {
        self.field(machine!(window.result))
    }
}

fn arguments(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|&value| BlockArg::Value(value)).collect()
}

const _: () = assert!(size_of::<Instr>() == CELL as usize);
