//! Cells, bindings and calls as machine code.

mod shared;

use super::super::Machine;
use super::super::frames::FRAME;
use super::super::instr::{Instr, Slot};
use super::super::program::PredId;
use super::steps::Pushed;
use super::window::Window;
use super::{Exit, Shared, steps};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::{I32, I64};
use zug_jit::codegen::ir::{
    AbiParam, Block, BlockArg, InstBuilder, MemFlags, SigRef, Signature, Value,
};
use zug_jit::codegen::isa::CallConv;
use zug_jit::frontend::{FunctionBuilder, Variable};
use zug_term::{Cell, Tag};

/// Bytes of a cell.
pub(super) const CELL: i32 = 8;

/// The signature of machine code: from the machine to an exit.
pub(super) fn signature() -> Signature {
    inner(1)
}

fn inner(params: usize) -> Signature {
    Signature {
        params: vec![AbiParam::new(I64); params],
        returns: vec![AbiParam::new(I64)],
        call_conv: CallConv::Tail,
    }
}

/// The signature of what enters machine code, and of steps.
fn outer(params: usize) -> Signature {
    Signature {
        params: vec![AbiParam::new(I64); params],
        returns: vec![AbiParam::new(I64)],
        call_conv: zug_jit::outer_convention().expect("the processor is known"),
    }
}

/// Begins a function: its parameters.
fn parameters<const N: usize>(b: &mut FunctionBuilder<'_>) -> [Value; N] {
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    b.block_params(block).try_into().expect("as many as its signature has")
}

/// A field of the window.
macro_rules! window {
    ($field:ident) => {
        (offset_of!(Machine, window) + offset_of!(Window, $field)) as i32
    };
}
pub(super) use shared::{shared, unifier};
pub(super) use window;

/// Where bindings are noted on the trail.
#[derive(Clone, Copy)]
pub(super) enum Barrier {
    /// Below the newest choice point.
    Choice,
    /// Below an address, while clauses are tried without one.
    Tried(Value),
}

/// A function that is being made.
pub(super) struct Emit<'e, 'f> {
    pub b: &'e mut FunctionBuilder<'f>,
    /// The machine.
    pub m: Value,
    /// Address of the first cell of the heap.
    heap: Variable,
    /// Top of the heap in bytes.
    top: Variable,
    /// Address of the current environment.
    frame: Variable,
    /// X registers.
    xs: FxHashMap<u16, Variable>,
    /// X registers whose value is in no register of the machine yet. A way out saves them all; a call its arguments; where
    /// two ways meet, what is new on either is new behind.
    pub dirty: BTreeSet<u16>,
    /// The arguments that clauses are tried with, and which of them were new to the machine then: the next clause begins
    /// with both, whatever this one has put into the registers.
    tried: (Vec<Value>, BTreeSet<u16>),
    steps: FxHashMap<usize, SigRef>,
    inner: SigRef,
    shared: FxHashMap<usize, SigRef>,
    /// The keys of X registers that the selection of clauses has looked at, which hold no reference then. It holds until the
    /// register gets another value, and in the block that it was said for.
    known: FxHashMap<u16, Cell>,
    /// Backtracks.
    fail: Option<Block>,
}

impl<'e, 'f> Emit<'e, 'f> {
    /// Begins a function.
    pub fn begin(b: &'e mut FunctionBuilder<'f>) -> Self {
        let [m] = parameters(b);
        Emit::of(b, m)
    }

    /// For a function that has begun, with the machine.
    fn of(b: &'e mut FunctionBuilder<'f>, m: Value) -> Self {
        let [heap, top, frame] = [0; 3].map(|_| b.declare_var(I64));
        let inner = b.import_signature(signature());
        let mut emit = Emit {
            b,
            m,
            heap,
            top,
            frame,
            xs: FxHashMap::default(),
            dirty: BTreeSet::new(),
            tried: Default::default(),
            steps: FxHashMap::default(),
            inner,
            shared: FxHashMap::default(),
            known: FxHashMap::default(),
            fail: None,
        };
        emit.load_heap();
        emit
    }

    /// Ends the function.
    pub fn end(&mut self) {
        if let Some(fail) = self.fail.take() {
            self.enter(fail);
            self.go_shared(Shared::FAIL, &[]);
        }
    }

    // --- memory --------------------------------------------------------------------

    pub fn constant(&mut self, value: u64) -> Value {
        self.b.ins().iconst(I64, value as i64)
    }

    pub fn cell(&mut self, cell: Cell) -> Value {
        self.constant(cell.0)
    }

    pub fn load(&mut self, at: Value, offset: i32) -> Value {
        self.b.ins().load(I64, MemFlags::trusted(), at, offset)
    }

    pub fn store(&mut self, value: Value, at: Value, offset: i32) {
        self.b.ins().store(MemFlags::trusted(), value, at, offset);
    }

    /// A field of the machine, of 64 bits.
    pub fn field(&mut self, offset: i32) -> Value {
        self.load(self.m, offset)
    }

    pub fn set_field(&mut self, offset: i32, value: Value) {
        self.store(value, self.m, offset);
    }

    /// A field of the machine, of 32 bits.
    pub fn field32(&mut self, offset: usize) -> Value {
        self.b.ins().uload32(MemFlags::trusted(), self.m, offset as i32)
    }

    pub fn set_field32(&mut self, offset: usize, value: Value) {
        self.b.ins().istore32(MemFlags::trusted(), value, self.m, offset as i32);
    }

    pub fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub fn block(&mut self) -> Block {
        self.b.create_block()
    }

    /// A block that is rarely entered.
    pub fn rare(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    pub fn jump(&mut self, to: Block) {
        self.b.ins().jump(to, &[]);
    }

    pub fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.b.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Goes on where a condition holds, and to a block where it does not.
    pub fn require(&mut self, condition: Value, otherwise: Block) {
        let next = self.block();
        self.branch(condition, next, otherwise);
        self.enter(next);
    }

    pub fn is(&mut self, code: IntCC, a: Value, b: Value) -> Value {
        self.b.ins().icmp(code, a, b)
    }

    pub fn is_constant(&mut self, code: IntCC, a: Value, b: u64) -> Value {
        self.b.ins().icmp_imm(code, a, b as i64)
    }

    // --- heap ------------------------------------------------------------------------

    pub fn load_heap(&mut self) {
        let heap = self.field(window!(heap));
        self.b.def_var(self.heap, heap);
        let top = self.field(window!(top));
        self.b.def_var(self.top, top);
    }

    pub fn top(&mut self) -> Value {
        self.b.use_var(self.top)
    }

    pub fn set_top(&mut self, top: Value) {
        self.b.def_var(self.top, top);
    }

    /// Tells the machine the top of the heap.
    fn save_top(&mut self) {
        let top = self.top();
        self.set_field(window!(top), top);
    }

    /// The heap cell at an address in bytes.
    pub fn heap_cell(&mut self, at: Value, offset: i32) -> Value {
        let heap = self.b.use_var(self.heap);
        let address = self.b.ins().iadd(heap, at);
        self.load(address, offset)
    }

    pub fn set_heap_cell(&mut self, value: Value, at: Value, offset: i32) {
        let heap = self.b.use_var(self.heap);
        let address = self.b.ins().iadd(heap, at);
        self.store(value, address, offset);
    }

    /// Pushes cells on the heap.
    pub fn push(&mut self, cells: &[Value]) {
        let top = self.top();
        for (i, &cell) in cells.iter().enumerate() {
            self.set_heap_cell(cell, top, CELL * i as i32);
        }
        let new = self.b.ins().iadd_imm(top, i64::from(CELL) * cells.len() as i64);
        self.set_top(new);
    }

    /// Pushes a new variable.
    pub fn push_var(&mut self) -> Value {
        let var = self.top();
        self.push(&[var]);
        var
    }

    /// Sees to it that there is room for some cells, and for as many entries of the trail.
    pub fn need_room(&mut self, cells: usize) {
        if cells == 0 {
            return;
        }
        let top = self.top();
        let end = self.b.ins().iadd_imm(top, i64::from(CELL) * cells as i64);
        let room = self.field(window!(room));
        let heap_fits = self.is(IntCC::UnsignedLessThanOrEqual, end, room);
        let len = self.field(window!(trail_len));
        let end = self.b.ins().iadd_imm(len, cells as i64);
        let room = self.field(window!(trail_room));
        let trail_fits = self.is(IntCC::UnsignedLessThanOrEqual, end, room);
        let fits = self.b.ins().band(heap_fits, trail_fits);
        let (grow, next) = (self.rare(), self.block());
        self.branch(fits, next, grow);
        self.enter(grow);
        self.step(steps::grow_heap as *const () as usize, &[]);
        self.jump(next);
        self.enter(next);
    }

    // --- cells -------------------------------------------------------------------------

    pub fn tag(&mut self, cell: Value) -> Value {
        self.b.ins().band_imm(cell, 7)
    }

    pub fn has_tag(&mut self, cell: Value, tag: Tag) -> Value {
        let own = self.tag(cell);
        self.is_constant(IntCC::Equal, own, tag as u64)
    }

    pub fn is_var(&mut self, cell: Value) -> Value {
        let bits = self.b.ins().band_imm(cell, 3);
        self.is_constant(IntCC::Equal, bits, 0)
    }

    /// Whether it is an atom or an integer kept in the word.
    pub fn is_word(&mut self, cell: Value) -> Value {
        let tag = self.tag(cell);
        let atom = self.is_constant(IntCC::Equal, tag, Tag::Atom as u64);
        let int = self.is_constant(IntCC::Equal, tag, Tag::Int as u64);
        self.b.ins().bor(atom, int)
    }

    pub fn with_tag(&mut self, address: Value, tag: Tag) -> Value {
        match tag as i64 {
            0 => address,
            tag => self.b.ins().bor_imm(address, tag),
        }
    }

    /// The address in a cell with a known tag.
    pub fn address(&mut self, cell: Value, tag: Tag) -> Value {
        self.b.ins().iadd_imm(cell, -(tag as i64))
    }

    /// Follows references.
    pub fn deref(&mut self, cell: Value) -> Value {
        let (chase, done) = (self.block(), self.block());
        let found = self.b.append_block_param(done, I64);
        let at = self.b.append_block_param(chase, I64);
        let bits = self.b.ins().band_imm(cell, 3);
        self.b.ins().brif(bits, done, &[arg(cell)], chase, &[arg(cell)]);
        self.enter(chase);
        let address = self.b.ins().band_imm(at, !7);
        let next = self.heap_cell(address, 0);
        let var = self.is_var(next);
        let same = self.is(IntCC::Equal, next, at);
        let more = self.b.ins().band_not(var, same);
        self.b.ins().brif(more, chase, &[arg(next)], done, &[arg(next)]);
        self.enter(done);
        found
    }

    /// Binds an unbound variable.
    pub fn bind(&mut self, variable: Value, value: Value, barrier: Barrier) {
        let (plain, more, next) = (self.block(), self.block(), self.block());
        let limit = self.barrier(barrier);
        let old = self.is(IntCC::UnsignedLessThan, variable, limit);
        let attributed = self.has_tag(variable, Tag::Attributed);
        let either = self.b.ins().bor(old, attributed);
        self.branch(either, more, plain);
        self.enter(more);
        self.call_shared(Shared::BIND, &[variable, value]);
        self.jump(next);
        self.enter(plain);
        self.set_heap_cell(value, variable, 0);
        self.jump(next);
        self.enter(next);
    }

    /// The address below which bindings are noted.
    pub fn barrier(&mut self, barrier: Barrier) -> Value {
        match barrier {
            Barrier::Choice => self.field(window!(barrier)),
            Barrier::Tried(limit) => limit,
        }
    }

    /// Notes a variable on the trail, where there is room.
    fn note(&mut self, variable: Value) {
        let len = self.field(window!(trail_len));
        let trail = self.field(window!(trail));
        let offset = self.b.ins().ishl_imm(len, 3);
        let at = self.b.ins().iadd(trail, offset);
        let address = self.b.ins().ushr_imm(variable, 3);
        self.store(address, at, 0);
        let more = self.b.ins().iadd_imm(len, 1);
        self.set_field(window!(trail_len), more);
    }

    /// Unifies: the status.
    pub fn unify(&mut self, a: Value, b: Value, barrier: Barrier) -> Value {
        let barrier = self.barrier(barrier);
        self.call_shared(Shared::UNIFY, &[a, b, barrier])
    }

    /// Calls a function that all machine code shares.
    pub fn call_shared(&mut self, function: Shared, args: &[Value]) -> Value {
        let all = self.with_machine(args);
        let signature = self.shared_signature(all.len());
        let address = self.shared_address(function);
        let call = self.b.ins().call_indirect(signature, address, &all);
        self.b.inst_results(call)[0]
    }

    /// Goes on in a function that all machine code shares.
    fn go_shared(&mut self, function: Shared, args: &[Value]) {
        let all = self.with_machine(args);
        let signature = self.shared_signature(all.len());
        let address = self.shared_address(function);
        self.b.ins().return_call_indirect(signature, address, &all);
    }

    fn shared_address(&mut self, function: Shared) -> Value {
        let address = function.address().expect("machine code can be made, as it is");
        self.b.ins().iconst(I64, address as i64)
    }

    fn shared_signature(&mut self, params: usize) -> SigRef {
        let b = &mut *self.b;
        *self.shared.entry(params).or_insert_with(|| b.import_signature(inner(params)))
    }

    // --- registers -----------------------------------------------------------------------

    fn variable(&mut self, x: u16) -> Variable {
        let b = &mut *self.b;
        *self.xs.entry(x).or_insert_with(|| b.declare_var(I64))
    }

    pub fn x(&mut self, x: u16) -> Value {
        let variable = self.variable(x);
        self.b.use_var(variable)
    }

    pub fn set_x(&mut self, x: u16, value: Value) {
        self.known.remove(&x);
        self.keep_x(x, value);
        self.dirty.insert(x);
    }

    /// As [`Emit::set_x`], of a value that means the same to the machine as the one it has.
    pub fn keep_x(&mut self, x: u16, value: Value) {
        let variable = self.variable(x);
        self.b.def_var(variable, value);
    }

    /// The key of what is in a register, if that is known: then it is no reference.
    pub fn known(&self, x: u16) -> Option<Cell> {
        self.known.get(&x).copied()
    }

    /// From here on the key of what is in a register is known, or none is.
    pub fn know(&mut self, known: Option<(u16, Cell)>) {
        self.known.clear();
        self.known.extend(known);
    }

    /// Takes arguments from the machine.
    pub fn load_arguments(&mut self, arity: usize) {
        let at = self.field(window!(x));
        for i in 0..arity {
            let value = self.load(at, CELL * i as i32);
            self.keep_x(i as u16, value);
        }
    }

    /// Tells the machine some registers, as far as it does not know them.
    pub fn save(&mut self, registers: impl IntoIterator<Item = u16>) {
        let new: Vec<u16> = registers.into_iter().filter(|x| self.dirty.contains(x)).collect();
        if new.is_empty() {
            return;
        }
        let at = self.field(window!(x));
        for x in new {
            let value = self.x(x);
            self.store(value, at, CELL * i32::from(x));
            self.dirty.remove(&x);
        }
    }

    /// Tells the machine all registers.
    pub fn save_all(&mut self) {
        let dirty: Vec<u16> = self.dirty.iter().copied().collect();
        self.save(dirty);
    }

    /// Clauses are tried with the arguments that are there now.
    pub fn begin_trying(&mut self, arity: usize) {
        let arguments = (0..arity).map(|x| self.x(x as u16)).collect();
        self.tried = (arguments, self.dirty.clone());
    }

    /// Takes the arguments back that clauses are tried with.
    pub fn restore_arguments(&mut self) {
        let (arguments, dirty) = self.tried.clone();
        for (x, value) in arguments.into_iter().enumerate() {
            self.keep_x(x as u16, value);
        }
        self.dirty = dirty;
    }

    /// Tells the machine the arguments that clauses are tried with.
    pub fn save_arguments(&mut self) {
        let (arguments, dirty) = self.tried.clone();
        let at = self.field(window!(x));
        for (x, value) in arguments.into_iter().enumerate() {
            if dirty.contains(&(x as u16)) {
                self.store(value, at, CELL * x as i32);
            }
        }
    }

    // --- environments ----------------------------------------------------------------------

    /// Finds the current environment.
    pub fn load_frame(&mut self) {
        let e = self.field(offset_of!(Machine, e) as i32);
        self.frame_at(e);
    }

    fn frame_at(&mut self, e: Value) {
        let frames = self.field(window!(frames));
        let offset = self.b.ins().ishl_imm(e, 3);
        let frame = self.b.ins().iadd(frames, offset);
        self.b.def_var(self.frame, frame);
    }

    /// A word of the current environment.
    pub fn frame_word(&mut self, word: usize) -> Value {
        let frame = self.b.use_var(self.frame);
        self.load(frame, CELL * word as i32)
    }

    pub fn set_frame_word(&mut self, word: usize, value: Value) {
        let frame = self.b.use_var(self.frame);
        self.store(value, frame, CELL * word as i32);
    }

    pub fn y(&mut self, y: u16) -> Value {
        self.frame_word(FRAME + usize::from(y))
    }

    pub fn set_y(&mut self, y: u16, value: Value) {
        self.set_frame_word(FRAME + usize::from(y), value);
    }

    pub fn slot(&mut self, slot: Slot) -> Value {
        match slot.0 {
            x if x < Slot::Y => self.x(x),
            y if y < Slot::CONST => self.y(y - Slot::Y),
            _ => self.cell(Cell::small(slot.value())),
        }
    }

    /// New environment.
    pub fn allocate(&mut self, n: u16) {
        let e = self.field(offset_of!(Machine, e) as i32);
        let base = self.frames_top();
        let end = self.b.ins().iadd_imm(base, (FRAME + usize::from(n)) as i64);
        let len = self.field(window!(frames_len));
        let fits = self.is(IntCC::UnsignedLessThanOrEqual, end, len);
        let (grow, next) = (self.rare(), self.block());
        self.branch(fits, next, grow);
        self.enter(grow);
        self.step(steps::grow_frames as *const () as usize, &[end]);
        self.jump(next);
        self.enter(next);
        self.frame_at(base);
        self.set_frame_word(0, e);
        let cp = self.field32(offset_of!(Machine, cp));
        let cp = self.b.ins().ishl_imm(cp, 32);
        let word = self.b.ins().bor_imm(cp, i64::from(n));
        self.set_frame_word(1, word);
        let b0 = self.field32(offset_of!(Machine, b0));
        self.set_frame_word(2, b0);
        self.set_field(offset_of!(Machine, e) as i32, base);
    }

    /// Drops the current environment.
    pub fn deallocate(&mut self) {
        let word = self.frame_word(1);
        let cp = self.b.ins().ushr_imm(word, 32);
        self.set_field32(offset_of!(Machine, cp), cp);
        let e = self.frame_word(0);
        self.set_field(offset_of!(Machine, e) as i32, e);
    }

    // --- ways out ----------------------------------------------------------------------------

    /// Makes a choice point of a kind, with its parts, for so many arguments, which are saved.
    pub fn push_choice(&mut self, kind: Pushed, parts: [Value; 2], arity: usize) {
        let kind = self.constant(kind as u64);
        let arity = self.constant(arity as u64);
        self.call_shared(Shared::PUSH, &[kind, parts[0], parts[1], arity]);
    }

    /// The block that backtracks.
    pub fn fail_block(&mut self) -> Block {
        match self.fail {
            Some(block) => block,
            None => {
                let block = self.block();
                self.fail = Some(block);
                block
            }
        }
    }

    /// Leaves for the loop. All registers that it needs are saved.
    pub fn leave(&mut self, exit: Exit, number: u32) {
        self.save_top();
        let exit = self.constant(exit.with(number));
        self.b.ins().return_(&[exit]);
    }

    /// As [`Emit::leave`], by an exit whose number is computed.
    pub fn leave_with(&mut self, exit: Value, number: u32) {
        self.save_top();
        let exit = self.b.ins().bor_imm(exit, i64::from(number) << 3);
        self.b.ins().return_(&[exit]);
    }

    /// Goes on at a code address: in its machine code if it has some.
    pub fn go_to(&mut self, address: Value) {
        self.save_top();
        let code = self.field(window!(code));
        let offset = self.b.ins().ishl_imm(address, 3);
        let at = self.b.ins().iadd(code, offset);
        let tag = self.b.ins().uload8(I32, MemFlags::trusted(), at, 0);
        let (native, other) = (self.block(), self.block());
        self.branch(tag, other, native);
        self.enter(native);
        let number = self.b.ins().uload32(MemFlags::trusted(), at, CELL / 2);
        let functions = self.field(window!(functions));
        let offset = self.b.ins().ishl_imm(number, 3);
        let at = self.b.ins().iadd(functions, offset);
        let function = self.load(at, 0);
        let made = self.block();
        self.branch(function, made, other);
        self.enter(made);
        self.b.ins().return_call_indirect(self.inner, function, &[self.m]);
        self.enter(other);
        let exit = self.b.ins().ishl_imm(address, 3);
        let exit = self.b.ins().bor_imm(exit, Exit::Go as i64);
        self.b.ins().return_(&[exit]);
    }

    /// Counts an inference, or goes to a block if it is time to poll.
    pub fn tick(&mut self, poll: Block) {
        let fuel = self.field32(offset_of!(Machine, fuel));
        let left = self.b.ins().iadd_imm(fuel, -1);
        let top = self.top();
        let limit = self.field(window!(limit));
        let full = self.is(IntCC::UnsignedGreaterThan, top, limit);
        let out = self.is_constant(IntCC::Equal, left, 0);
        let polls = self.b.ins().bor(full, out);
        let next = self.block();
        self.branch(polls, poll, next);
        self.enter(next);
        self.set_field32(offset_of!(Machine, fuel), left);
        let choices = self.field(window!(choices));
        self.set_field32(offset_of!(Machine, b0), choices);
    }

    /// Counts the inference of a call by the instruction at an address; leaves for the loop if it is time to poll.
    fn tick_call(&mut self, pred: Value, called_at: Value) {
        let (poll, next) = (self.rare(), self.block());
        self.tick(poll);
        self.jump(next);
        self.enter(poll);
        self.set_field(window!(called_at), called_at);
        let exit = self.b.ins().ishl_imm(pred, 3);
        let exit = self.b.ins().bor_imm(exit, Exit::Call as i64);
        self.b.ins().return_(&[exit]);
        self.enter(next);
    }

    /// Calls a predicate, or a goal by `call/n`, with its arguments saved, by the instruction at an address.
    pub fn call_predicate(&mut self, pred: PredId, at: u32, is_goal: bool) {
        let pred = self.constant(u64::from(pred));
        let at = self.constant(u64::from(at));
        let function = if is_goal { Shared::GOAL } else { Shared::CALL };
        self.go_shared(function, &[pred, at]);
    }

    /// Returns.
    pub fn proceed(&mut self) {
        self.go_shared(Shared::PROCEED, &[]);
    }

    // --- steps ---------------------------------------------------------------------------------

    /// Calls a step that changes nothing that is kept here.
    fn call(&mut self, function: usize, args: &[Value]) -> Value {
        let function = self.b.ins().iconst(I64, function as i64);
        self.call_outer(function, args)
    }

    /// Calls a function of the program that was compiled before.
    fn call_outer(&mut self, function: Value, args: &[Value]) -> Value {
        let all = self.with_machine(args);
        let b = &mut *self.b;
        let count = all.len();
        let signature =
            *self.steps.entry(count).or_insert_with(|| b.import_signature(outer(count)));
        let call = self.b.ins().call_indirect(signature, function, &all);
        self.b.inst_results(call)[0]
    }

    /// What a function gets that knows the top of the heap: the machine, and its own arguments.
    fn with_machine(&mut self, args: &[Value]) -> Vec<Value> {
        self.save_top();
        std::iter::once(self.m).chain(args.iter().copied()).collect()
    }

    /// Calls a step: its status. The environment may have moved, which [`Emit::load_frame`] sees to.
    pub fn step(&mut self, function: usize, args: &[Value]) -> Value {
        let status = self.call(function, args);
        self.load_heap();
        status
    }

    /// As [`Emit::step`], of the function whose address is in a field.
    pub fn step_at(&mut self, field: i32, args: &[Value]) -> Value {
        let function = self.field(field);
        let status = self.call_outer(function, args);
        self.load_heap();
        status
    }

    /// Goes on in the function that a step finds.
    pub fn go_on_by(&mut self, function: usize, args: &[Value]) {
        let next = self.call(function, args);
        self.b.ins().return_call_indirect(self.inner, next, &[self.m]);
    }

    /// What the last step computed.
    pub fn result(&mut self) -> Value {
        self.field(window!(result))
    }
}

pub(super) fn arg(value: Value) -> BlockArg {
    BlockArg::Value(value)
}

const _: () = assert!(size_of::<Instr>() == CELL as usize);
