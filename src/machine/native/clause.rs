//! The instructions of a clause as machine code, from a place in it to the calls that it leaves by.

use super::super::Machine;
use super::super::arithmetic::{Op1, Op2};
use super::super::instr::{FAIL, Instr, Relation, Slot, TypeTest};
use super::super::program::{Known, PredId, Program};
use super::emit::{Barrier, CELL, Emit, arg, window};
use super::steps::Pushed;
use super::window::Window;
use super::{Exit, Shared, steps};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::I64;
use zug_jit::codegen::ir::{Block, InstBuilder, Value};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, MAX_ARITY, Tag};

/// The code of a clause, with the stubs for the places in it.
pub(super) struct Body<'e> {
    pub program: &'e Program,
    /// Address of its first instruction.
    pub start: u32,
    /// Its instructions.
    pub code: &'e [Instr],
    /// The stub of each place where the machine comes back to.
    pub stubs: &'e FxHashMap<u32, u32>,
    /// Number of X registers that the predicate is called with.
    pub arity: usize,
    /// What a call of the predicate itself may go on at: its first block.
    pub again: Option<Again>,
}

/// The beginning of a predicate, for calls of itself.
#[derive(Clone, Copy)]
pub(super) struct Again {
    pub pred: PredId,
    /// The number of the function that it begins.
    pub number: u32,
    pub block: Block,
}

/// What is known of the choice points since the predicate was called.
#[derive(Clone, Copy)]
pub(super) enum Choices {
    /// There are none.
    None,
    /// There may be some.
    Some,
    /// There are none, but others are tried if this clause is not the one.
    Tried(Tried),
}

/// How the clauses behind one that decides are tried.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    /// What tries them.
    pub next: Block,
    /// Their places in the tables of clauses: the first, and behind the last.
    pub row: (u32, u32),
    /// Length of the trail before.
    pub mark: Value,
    /// Top of the heap before.
    pub top: Value,
}

/// A clause that is being made machine code.
pub(super) struct Clause<'c, 'e, 'f> {
    e: &'c mut Emit<'e, 'f>,
    body: &'c Body<'c>,
    choices: Choices,
    /// It has its environment.
    framed: bool,
    /// Something may have been bound since it was last asked what is pending.
    bound: bool,
    /// Places that are jumped to.
    labels: BTreeMap<usize, Label>,
}

struct Label {
    block: Block,
    dirty: BTreeSet<u16>,
    framed: bool,
}

impl<'c, 'e, 'f> Clause<'c, 'e, 'f> {
    pub fn new(
        e: &'c mut Emit<'e, 'f>,
        body: &'c Body<'c>,
        choices: Choices,
        framed: bool,
    ) -> Self {
        Clause { e, body, choices, framed, bound: framed, labels: BTreeMap::new() }
    }

    /// Makes the instructions from a place on.
    pub fn from(mut self, at: usize) {
        let mut at = at;
        let mut live = true;
        while at < self.body.code.len() {
            if let Some(label) = self.labels.remove(&at) {
                if live {
                    self.e.jump(label.block);
                    self.e.dirty.extend(label.dirty);
                } else {
                    self.e.dirty = label.dirty;
                }
                self.framed = label.framed;
                self.bound = true;
                self.e.enter(label.block);
                live = true;
            }
            if !live {
                at += 1;
                continue;
            }
            (at, live) = self.instruction(at);
        }
        debug_assert!(!live);
    }

    /// The block of a place further on.
    fn label(&mut self, at: usize) -> Block {
        if let Some(label) = self.labels.get_mut(&at) {
            label.dirty.extend(self.e.dirty.iter());
            return label.block;
        }
        let block = self.e.block();
        let dirty = self.e.dirty.clone();
        self.labels.insert(at, Label { block, dirty, framed: self.framed });
        block
    }

    /// Where a test goes that does not hold.
    fn otherwise(&mut self, at: usize, by: u16) -> Block {
        match by {
            FAIL => self.failing(),
            by => self.label(at + 1 + usize::from(by)),
        }
    }

    /// What backtracks, or tries the next clause.
    fn failing(&mut self) -> Block {
        match self.choices {
            Choices::Tried(tried) => tried.next,
            _ => self.e.fail_block(),
        }
    }

    fn barrier(&self) -> Barrier {
        match self.choices {
            Choices::Tried(tried) => Barrier::Tried(tried.top),
            _ => Barrier::Choice,
        }
    }

    /// Leaves for the loop at an instruction.
    fn out(&mut self, at: usize) {
        let dirty = self.e.dirty.clone();
        if let Choices::Tried(tried) = self.choices {
            let row = u64::from(tried.row.0) << 32 | u64::from(tried.row.1);
            let row = self.e.constant(row);
            let arity = self.e.constant(self.body.arity as u64);
            self.e.save_arguments();
            let function = steps::try_on as *const () as usize;
            self.e.step(function, &[row, arity, tried.mark, tried.top]);
        }
        self.e.save_all();
        self.e.leave(Exit::Go, self.body.start + at as u32);
        self.e.dirty = dirty;
    }

    /// Leaves for the loop at an instruction if something is pending: it may matter there.
    fn wake(&mut self, at: usize) {
        if !std::mem::replace(&mut self.bound, false) {
            return;
        }
        let limit = self.e.field(window!(limit));
        let (next, pending) = (self.e.block(), self.e.rare());
        self.e.branch(limit, next, pending);
        self.e.enter(pending);
        self.out(at);
        self.e.enter(next);
    }

    /// Goes on where a step said so; where it did not, its status says why.
    fn check(&mut self, status: Value, at: usize, no: Block) {
        let (next, worse) = (self.e.block(), self.e.rare());
        let other = self.e.block();
        let yes = self.e.is_constant(IntCC::Equal, status, steps::YES);
        self.e.branch(yes, next, other);
        self.e.enter(other);
        self.e.branch(status, worse, no);
        self.e.enter(worse);
        self.leave_with(status, at);
        self.e.enter(next);
    }

    /// Goes on if a step has done its work; else it kept a fault or an unwinding.
    fn require_done(&mut self, status: Value, at: usize) {
        let (next, kept) = (self.e.block(), self.e.rare());
        let yes = self.e.is_constant(IntCC::Equal, status, steps::YES);
        self.e.branch(yes, next, kept);
        self.e.enter(kept);
        self.leave_with(status, at);
        self.e.enter(next);
    }

    /// Leaves with the fault or the unwinding that a step kept.
    fn leave_with(&mut self, status: Value, at: usize) {
        // The numbers of the statuses are those of the exits.
        self.e.leave_with(status, self.body.start + at as u32);
    }

    fn bind(&mut self, variable: Value, value: Value) {
        self.bound = true;
        let barrier = self.barrier();
        self.e.bind(variable, value, barrier);
    }

    fn unify(&mut self, a: Value, b: Value, at: usize) {
        self.bound = true;
        let barrier = self.barrier();
        let status = self.e.unify(a, b, barrier);
        let no = self.failing();
        self.check(status, at, no);
    }

    /// Unifies a value with a constant.
    fn unify_constant(&mut self, value: Value, constant: Cell) {
        let done = self.e.block();
        let value = self.e.deref(value);
        let same = self.e.is_constant(IntCC::Equal, value, constant.0);
        let other = self.e.block();
        self.e.branch(same, done, other);
        self.e.enter(other);
        let var = self.e.is_var(value);
        let fail = self.failing();
        self.e.require(var, fail);
        let constant = self.e.cell(constant);
        self.bind(value, constant);
        self.e.jump(done);
        self.e.enter(done);
    }

    /// Makes the instruction at a place: the next place, and whether it is come to from here.
    fn instruction(&mut self, at: usize) -> (usize, bool) {
        let code = self.body.code;
        let next = at + 1;
        match code[at] {
            Instr::GetList { .. }
            | Instr::GetStruct { .. }
            | Instr::GetListXX { .. }
            | Instr::GetListVX { .. } => return (self.compound(at), true),
            Instr::GetAtom { a, atom } if self.e.known(a) == Some(Cell::atom(Atom(atom))) => {}
            Instr::GetInt { a, value }
                if self.e.known(a) == Some(Cell::small(i64::from(value))) => {}
            Instr::GetAtom { a, atom } => {
                let value = self.e.x(a);
                self.unify_constant(value, Cell::atom(Atom(atom)));
            }
            Instr::GetInt { a, value } => {
                let x = self.e.x(a);
                self.unify_constant(x, Cell::small(i64::from(value)));
            }
            Instr::GetLiteral { a, literal } => {
                let term = self.literal(literal, at);
                let x = self.e.x(a);
                self.unify(x, term, at);
            }
            Instr::GetVarY { y, a } => {
                let value = self.e.x(a);
                self.e.set_y(y, value);
            }
            Instr::GetVarYY { y, a, z, b } => {
                let (first, second) = (self.e.x(a.into()), self.e.x(b.into()));
                self.e.set_y(y.into(), first);
                self.e.set_y(z.into(), second);
            }
            Instr::GetValX { x, a } => {
                let (x, a) = (self.e.x(x), self.e.x(a));
                self.unify(x, a, at);
            }
            Instr::GetValY { y, a } => {
                let (y, a) = (self.e.y(y), self.e.x(a));
                self.unify(y, a, at);
            }
            Instr::Move { d, x } => {
                let value = self.e.x(x);
                self.e.set_x(d, value);
            }
            Instr::MoveMove { d, x, e, w } => {
                let value = self.e.x(x.into());
                self.e.set_x(d.into(), value);
                let value = self.e.x(w.into());
                self.e.set_x(e.into(), value);
            }
            Instr::PutY { a, y } => {
                let value = self.e.y(y);
                self.e.set_x(a, value);
            }
            Instr::PutYY { a, y, b, z } => {
                let (first, second) = (self.e.y(y.into()), self.e.y(z.into()));
                self.e.set_x(a.into(), first);
                self.e.set_x(b.into(), second);
            }
            Instr::PutVarX { x } | Instr::SetVarX { x } => {
                let var = self.e.push_var();
                self.e.set_x(x, var);
            }
            Instr::PutVarY { y, a } => {
                let var = self.e.push_var();
                self.e.set_x(a, var);
                self.e.set_y(y, var);
            }
            Instr::InitY { y } | Instr::SetVarY { y } => {
                let var = self.e.push_var();
                self.e.set_y(y, var);
            }
            Instr::SetVarYVarY { y, z } => {
                let (first, second) = (self.e.push_var(), self.e.push_var());
                self.e.set_y(y, first);
                self.e.set_y(z, second);
            }
            Instr::PutAtom { a, atom } => {
                let value = self.e.cell(Cell::atom(Atom(atom)));
                self.e.set_x(a, value);
            }
            Instr::PutInt { a, value } => {
                let value = self.e.cell(Cell::small(i64::from(value)));
                self.e.set_x(a, value);
            }
            Instr::PutLiteral { a, literal } => {
                let term = self.literal(literal, at);
                self.e.set_x(a, term);
            }
            Instr::PutList { a } => {
                let top = self.e.top();
                let list = self.e.with_tag(top, Tag::List);
                self.e.set_x(a, list);
            }
            Instr::PutStruct { a, f } => {
                let top = self.e.top();
                let functor = self.functor(f);
                self.e.push(&[functor]);
                let term = self.e.with_tag(top, Tag::Struct);
                self.e.set_x(a, term);
            }
            Instr::PutListXX { a, h, t } => {
                let top = self.e.top();
                let (head, tail) = (self.e.x(h), self.e.x(t));
                self.e.push(&[head, tail]);
                let list = self.e.with_tag(top, Tag::List);
                self.e.set_x(a, list);
            }
            Instr::SetX { x } => {
                let value = self.e.x(x);
                self.e.push(&[value]);
            }
            Instr::SetXX { x, w } => {
                let (first, second) = (self.e.x(x), self.e.x(w));
                self.e.push(&[first, second]);
            }
            Instr::SetY { y } => {
                let value = self.e.y(y);
                self.e.push(&[value]);
            }
            Instr::SetYY { y, z } => {
                let (first, second) = (self.e.y(y), self.e.y(z));
                self.e.push(&[first, second]);
            }
            Instr::SetAtom { atom } => {
                let value = self.e.cell(Cell::atom(Atom(atom)));
                self.e.push(&[value]);
            }
            Instr::SetInt { value } => {
                let value = self.e.cell(Cell::small(i64::from(value)));
                self.e.push(&[value]);
            }
            Instr::SetVoid { n } => {
                for _ in 0..n {
                    self.e.push_var();
                }
            }
            Instr::SetListAt { by } | Instr::SetStructAt { by } => {
                let top = self.e.top();
                let tag = match code[at] {
                    Instr::SetListAt { .. } => Tag::List,
                    _ => Tag::Struct,
                };
                let address = self.e.b.ins().iadd_imm(top, i64::from(CELL) * i64::from(by));
                let cell = self.e.with_tag(address, tag);
                self.e.push(&[cell]);
            }
            Instr::SetHeader { f } => {
                let functor = self.functor(f);
                self.e.push(&[functor]);
            }
            Instr::Allocate { n } => {
                self.e.allocate(n);
                self.framed = true;
            }
            Instr::Deallocate => {
                self.e.deallocate();
                self.framed = false;
            }
            Instr::DeallocateProceed => {
                self.e.deallocate();
                self.e.proceed();
                return (next, false);
            }
            Instr::Proceed => {
                self.e.proceed();
                return (next, false);
            }
            Instr::DeallocateExecute { pred } => {
                self.e.deallocate();
                self.execute(pred, at);
                return (next, false);
            }
            Instr::Execute { pred } => {
                self.execute(pred, at);
                return (next, false);
            }
            Instr::Call { pred, .. } => {
                let back = self.body.stubs[&(self.body.start + next as u32)];
                let back = self.e.constant(u64::from(back));
                self.e.set_field32(offset_of!(Machine, cp), back);
                self.execute(pred, at);
                return (next, false);
            }
            Instr::Jump { to } => {
                let to = self.label((to - self.body.start) as usize);
                self.e.jump(to);
                return (next, false);
            }
            Instr::Fail => {
                self.wake(at);
                let fail = self.failing();
                self.e.jump(fail);
                return (next, false);
            }
            Instr::TryElse { live, to, .. } => {
                self.wake(at);
                let to = self.body.stubs[&to];
                let to = self.e.constant(u64::from(to));
                let live = self.e.constant(u64::from(live));
                self.e.push_choice(Pushed::Else, [to, live], 0);
                if let Choices::None = self.choices {
                    self.choices = Choices::Some;
                }
            }
            Instr::Mark { y } => {
                self.wake(at);
                let choices = self.e.field(window!(choices));
                let cell = self.small(choices);
                self.e.set_y(y, cell);
            }
            Instr::CutTo { y } => {
                self.wake(at);
                let mark = self.e.y(y);
                let height = self.e.b.ins().sshr_imm(mark, 3);
                self.cut_to(height, at);
            }
            Instr::SoftCut { y } => {
                self.wake(at);
                let mark = self.e.y(y);
                let height = self.e.b.ins().sshr_imm(mark, 3);
                let status = self.e.step(steps::soft_cut as *const () as usize, &[height]);
                self.require_done(status, at);
            }
            Instr::CutNeck => {
                self.wake(at);
                match self.choices {
                    Choices::None => {}
                    Choices::Tried(_) => self.choices = Choices::None,
                    Choices::Some => {
                        let height = self.e.field32(offset_of!(Machine, b0));
                        self.cut_to(height, at);
                    }
                }
            }
            Instr::Cut => {
                self.wake(at);
                let height = self.e.frame_word(2);
                self.cut_to(height, at);
            }
            Instr::Wake => self.wake(at),
            Instr::Type { test, slot, else_by } => self.type_test(at, test, slot, else_by),
            Instr::CompareNumbers { relation, a, b, else_by } => {
                self.compare_numbers(at, relation, (a, b), else_by);
            }
            Instr::CompareTerms { relation, a, b, else_by } => {
                self.compare_terms(at, relation, (a, b), else_by);
            }
            Instr::Eval { d, a } => {
                self.wake(at);
                let value = self.number(a);
                let (done, slow) = (self.e.block(), self.e.rare());
                let result = self.e.b.append_block_param(done, I64);
                let int = self.e.has_tag(value, Tag::Int);
                self.e.b.ins().brif(int, done, &[arg(value)], slow, &[]);
                self.e.enter(slow);
                self.computed(at, steps::eval as *const () as usize, &[value], done);
                self.e.set_x(d, result);
            }
            Instr::Add { d, a, b } => self.arithmetic(at, Op2::Add, d, (a, b)),
            Instr::Subtract { d, a, b } => self.arithmetic(at, Op2::Subtract, d, (a, b)),
            Instr::Arith2 { op, d, a, b } => self.arithmetic(at, op, d, (a, b)),
            Instr::Arith1 { op, d, a } => self.unary(at, op, d, a),
            Instr::Builtin { id, base, else_by } => self.builtin(at, id, base, else_by),
            _ => {
                self.out(at);
                return (next, false);
            }
        }
        (next, true)
    }

    fn functor(&mut self, f: u32) -> Value {
        self.e.cell(self.body.program.functors[f as usize])
    }

    fn small(&mut self, value: Value) -> Value {
        let shifted = self.e.b.ins().ishl_imm(value, 3);
        self.e.with_tag(shifted, Tag::Int)
    }

    fn literal(&mut self, literal: u32, at: usize) -> Value {
        let number = self.e.constant(u64::from(literal));
        let done = self.e.block();
        let result = self.e.b.append_block_param(done, I64);
        self.computed(at, steps::literal as *const () as usize, &[number], done);
        result
    }

    /// Calls a step that computes a cell, which a block takes.
    fn computed(&mut self, at: usize, function: usize, args: &[Value], done: Block) {
        let status = self.e.step(function, args);
        self.require_done(status, at);
        let value = self.e.result();
        self.e.b.ins().jump(done, &[arg(value)]);
        self.e.enter(done);
    }

    /// Calls a predicate last, or where the continuation is set.
    fn execute(&mut self, pred: PredId, at: usize) {
        let arity = self.body.program.preds[pred as usize].arity;
        if let Some(again) = self.body.again.filter(|again| again.pred == pred) {
            // It is still the same if it was not hooked and has no other definition.
            let slot = self.body.program.preds[pred as usize].slot;
            let entries = self.e.field(window!(entries));
            let flags = zug_jit::codegen::ir::MemFlags::trusted();
            let entry = self.e.b.ins().uload32(flags, entries, 4 * pred as i32);
            let unhooked = self.e.is_constant(IntCC::Equal, entry, u64::from(slot));
            let code = self.e.field(window!(code));
            let at_slot = CELL * slot as i32;
            let tag = self.e.b.ins().uload8(I64, flags, code, at_slot);
            let native = self.e.is_constant(IntCC::Equal, tag, 0);
            let number = self.e.b.ins().uload32(flags, code, at_slot + CELL / 2);
            let same = self.e.is_constant(IntCC::Equal, number, u64::from(again.number));
            let own = self.e.b.ins().band(native, same);
            let own = self.e.b.ins().band(own, unhooked);
            let (here, other) = (self.e.block(), self.e.rare());
            self.e.branch(own, here, other);
            self.e.enter(here);
            self.e.tick(other);
            self.e.jump(again.block);
            self.e.enter(other);
        }
        self.e.save((0..arity).map(|x| x as u16));
        let program = self.body.program;
        let entry = program.code[program.entries[pred as usize] as usize];
        let is_goal = matches!(entry, Instr::MetaCall { .. });
        self.e.call_predicate(pred, self.body.start + at as u32, is_goal);
    }

    /// Drops choice points above a height, if there are any.
    fn cut_to(&mut self, height: Value, at: usize) {
        let choices = self.e.field(window!(choices));
        let above = self.e.is(IntCC::UnsignedGreaterThan, choices, height);
        let (cut, next) = (self.e.block(), self.e.block());
        self.e.branch(above, cut, next);
        self.e.enter(cut);
        let status = self.e.call_shared(Shared::CUT, &[height]);
        // Cleanups that are owed are copied, and the heap may have moved.
        self.e.load_heap();
        self.require_done(status, at);
        self.e.jump(next);
        self.e.enter(next);
    }

    // --- tests and arithmetic ---------------------------------------------------------------

    fn type_test(&mut self, at: usize, test: TypeTest, slot: Slot, else_by: u16) {
        self.wake(at);
        let value = self.e.slot(slot);
        let value = self.e.deref(value);
        let otherwise = self.otherwise(at, else_by);
        let tag = self.e.tag(value);
        let has = |e: &mut Emit<'_, '_>, of: Tag| e.is_constant(IntCC::Equal, tag, of as u64);
        let holds = match test {
            TypeTest::Var => self.e.is_var(value),
            TypeTest::Nonvar => {
                let var = self.e.is_var(value);
                self.e.is_constant(IntCC::Equal, var, 0)
            }
            TypeTest::Atom => has(self.e, Tag::Atom),
            TypeTest::Compound => {
                let (list, compound) = (has(self.e, Tag::List), has(self.e, Tag::Struct));
                self.e.b.ins().bor(list, compound)
            }
            TypeTest::Callable => {
                let (list, compound) = (has(self.e, Tag::List), has(self.e, Tag::Struct));
                let atom = has(self.e, Tag::Atom);
                let either = self.e.b.ins().bor(list, compound);
                self.e.b.ins().bor(either, atom)
            }
            TypeTest::Atomic => {
                let (atom, int) = (has(self.e, Tag::Atom), has(self.e, Tag::Int));
                let boxed = has(self.e, Tag::Boxed);
                let either = self.e.b.ins().bor(atom, int);
                self.e.b.ins().bor(either, boxed)
            }
            TypeTest::Integer | TypeTest::Number => {
                // Those in the word are what is met.
                let int = has(self.e, Tag::Int);
                let (next, other) = (self.e.block(), self.e.block());
                self.e.branch(int, next, other);
                self.e.enter(other);
                let boxed = has(self.e, Tag::Boxed);
                self.e.require(boxed, otherwise);
                let holds = self.type_step(test, value);
                self.e.branch(holds, next, otherwise);
                self.e.enter(next);
                return;
            }
            TypeTest::Float | TypeTest::String | TypeTest::IsList | TypeTest::Ground => {
                self.type_step(test, value)
            }
        };
        self.e.require(holds, otherwise);
    }

    fn type_step(&mut self, test: TypeTest, value: Value) -> Value {
        let test = self.e.constant(test as u64);
        let status = self.e.step(steps::type_test as *const () as usize, &[test, value]);
        let (unwind, next) = (self.e.rare(), self.e.block());
        let bad = self.e.is_constant(IntCC::Equal, status, steps::UNWIND);
        self.e.branch(bad, unwind, next);
        self.e.enter(unwind);
        self.leave_with(status, 0);
        self.e.enter(next);
        status
    }

    /// The content of a slot, dereferenced as far as it is no integer.
    fn number(&mut self, slot: Slot) -> Value {
        let value = self.e.slot(slot);
        if slot.0 >= Slot::CONST { value } else { self.e.deref(value) }
    }

    fn compare_numbers(&mut self, at: usize, relation: Relation, (a, b): (Slot, Slot), by: u16) {
        self.wake(at);
        let (a, b) = (self.number(a), self.number(b));
        let otherwise = self.otherwise(at, by);
        let (fast, slow, next) = (self.e.block(), self.e.rare(), self.e.block());
        let ints = are_ints(self.e, a, b);
        self.e.branch(ints, fast, slow);
        self.e.enter(slow);
        let number = self.e.constant(relation as u64);
        let status = self.e.step(steps::compare_numbers as *const () as usize, &[number, a, b]);
        self.check(status, at, otherwise);
        self.e.jump(next);
        self.e.enter(fast);
        let code = condition(relation);
        let holds = self.e.is(code, a, b);
        self.e.branch(holds, next, otherwise);
        self.e.enter(next);
    }

    fn compare_terms(&mut self, at: usize, relation: Relation, (a, b): (Slot, Slot), by: u16) {
        self.wake(at);
        let (a, b) = (self.e.slot(a), self.e.slot(b));
        let (a, b) = (self.e.deref(a), self.e.deref(b));
        let otherwise = self.otherwise(at, by);
        let (next, slow) = (self.e.block(), self.e.block());
        if matches!(relation, Relation::Equal | Relation::NotEqual) {
            let (same, differ) = match relation {
                Relation::Equal => (next, otherwise),
                _ => (otherwise, next),
            };
            let equal = self.e.is(IntCC::Equal, a, b);
            let other = self.e.block();
            self.e.branch(equal, same, other);
            self.e.enter(other);
            let (ta, tb) = (self.e.tag(a), self.e.tag(b));
            let alike = self.e.is(IntCC::Equal, ta, tb);
            let more = self.e.block();
            self.e.branch(alike, more, differ);
            self.e.enter(more);
            // Atoms, small integers and variables are equal only as words.
            let mut deep = self.e.is_constant(IntCC::Equal, ta, Tag::List as u64);
            for tag in [Tag::Struct, Tag::Boxed] {
                let is = self.e.is_constant(IntCC::Equal, ta, tag as u64);
                deep = self.e.b.ins().bor(deep, is);
            }
            self.e.branch(deep, slow, differ);
        } else {
            self.e.jump(slow);
        }
        self.e.enter(slow);
        let number = self.e.constant(relation as u64);
        let status = self.e.step(steps::compare_terms as *const () as usize, &[number, a, b]);
        self.check(status, at, otherwise);
        self.e.jump(next);
        self.e.enter(next);
    }

    fn arithmetic(&mut self, at: usize, op: Op2, d: u16, (a, b): (Slot, Slot)) {
        self.wake(at);
        let (a, b) = (self.number(a), self.number(b));
        let (done, slow) = (self.e.block(), self.e.rare());
        let result = self.e.b.append_block_param(done, I64);
        if self.has_fast(op) {
            let fast = self.e.block();
            let ints = are_ints(self.e, a, b);
            self.e.branch(ints, fast, slow);
            self.e.enter(fast);
            let value = self.fast(op, a, b, slow);
            self.e.b.ins().jump(done, &[arg(value)]);
        } else {
            self.e.jump(slow);
        }
        self.e.enter(slow);
        let number = self.e.constant(op as u64);
        self.computed(at, steps::arith2 as *const () as usize, &[number, a, b], done);
        self.e.set_x(d, result);
    }

    fn has_fast(&self, op: Op2) -> bool {
        matches!(
            op,
            Op2::Add
                | Op2::Subtract
                | Op2::Multiply
                | Op2::IntDivide
                | Op2::Rem
                | Op2::Mod
                | Op2::Div
                | Op2::BitAnd
                | Op2::BitOr
                | Op2::Xor
                | Op2::ShiftRight
                | Op2::Min
                | Op2::Max
        )
    }

    /// The value of an operation on two integers in words; others go on slowly.
    fn fast(&mut self, op: Op2, a: Value, b: Value, slow: Block) -> Value {
        let tag = Tag::Int as i64;
        let untagged = |e: &mut Emit<'_, '_>, value| e.b.ins().iadd_imm(value, -tag);
        match op {
            Op2::Add | Op2::Subtract => {
                let by = untagged(self.e, b);
                let (value, over) = match op {
                    Op2::Add => self.e.b.ins().sadd_overflow(a, by),
                    _ => self.e.b.ins().ssub_overflow(a, by),
                };
                let fits = self.e.is_constant(IntCC::Equal, over, 0);
                self.e.require(fits, slow);
                value
            }
            Op2::Multiply => {
                let left = untagged(self.e, a);
                let right = self.e.b.ins().sshr_imm(b, 3);
                let (value, over) = self.e.b.ins().smul_overflow(left, right);
                let fits = self.e.is_constant(IntCC::Equal, over, 0);
                self.e.require(fits, slow);
                self.e.b.ins().bor_imm(value, tag)
            }
            Op2::BitAnd => self.e.b.ins().band(a, b),
            Op2::BitOr => self.e.b.ins().bor(a, b),
            Op2::Xor => {
                let value = self.e.b.ins().bxor(a, b);
                self.e.b.ins().bor_imm(value, tag)
            }
            Op2::Min | Op2::Max => {
                let code = match op {
                    Op2::Min => IntCC::SignedLessThan,
                    _ => IntCC::SignedGreaterThan,
                };
                let first = self.e.is(code, a, b);
                self.e.b.ins().select(first, a, b)
            }
            Op2::ShiftRight => {
                let by = self.e.b.ins().sshr_imm(b, 3);
                let few = self.e.is_constant(IntCC::UnsignedLessThan, by, 61);
                self.e.require(few, slow);
                let value = self.e.b.ins().sshr(a, by);
                let cleared = self.e.b.ins().band_imm(value, !7);
                self.e.b.ins().bor_imm(cleared, tag)
            }
            _ => {
                let (left, right) = (self.e.b.ins().sshr_imm(a, 3), self.e.b.ins().sshr_imm(b, 3));
                // Division by 0 and -1 has its own ways; so has a floor below zero.
                let positive = self.e.is_constant(IntCC::SignedGreaterThan, right, 0);
                self.e.require(positive, slow);
                if matches!(op, Op2::Mod | Op2::Div) {
                    let natural = self.e.is_constant(IntCC::SignedGreaterThanOrEqual, left, 0);
                    self.e.require(natural, slow);
                }
                let value = match op {
                    Op2::IntDivide | Op2::Div => self.e.b.ins().sdiv(left, right),
                    _ => self.e.b.ins().srem(left, right),
                };
                self.small(value)
            }
        }
    }

    fn unary(&mut self, at: usize, op: Op1, d: u16, a: Slot) {
        self.wake(at);
        let value = self.number(a);
        let (done, slow) = (self.e.block(), self.e.rare());
        let result = self.e.b.append_block_param(done, I64);
        if op == Op1::Negate {
            let fast = self.e.block();
            let int = self.e.has_tag(value, Tag::Int);
            self.e.branch(int, fast, slow);
            self.e.enter(fast);
            let zero = self.e.constant(0);
            let bare = self.e.b.ins().iadd_imm(value, -(Tag::Int as i64));
            let (negative, over) = self.e.b.ins().ssub_overflow(zero, bare);
            let fits = self.e.is_constant(IntCC::Equal, over, 0);
            self.e.require(fits, slow);
            let negative = self.e.with_tag(negative, Tag::Int);
            self.e.b.ins().jump(done, &[arg(negative)]);
        } else {
            self.e.jump(slow);
        }
        self.e.enter(slow);
        let number = self.e.constant(op as u64);
        self.computed(at, steps::arith1 as *const () as usize, &[number, value], done);
        self.e.set_x(d, result);
    }

    fn builtin(&mut self, at: usize, id: u16, base: u16, else_by: u16) {
        self.wake(at);
        let otherwise = self.otherwise(at, else_by);
        let (done, rest) = (self.e.block(), self.e.block());
        match self.body.program.known(id) {
            Some(Known::Arg) => self.read_argument(at, base, (done, rest, otherwise)),
            Some(Known::Functor) => self.read_functor(at, base, (done, rest, otherwise)),
            None => return self.call_builtin(at, id, base, otherwise),
        }
        let dirty = self.e.dirty.clone();
        self.e.enter(rest);
        self.call_builtin(at, id, base, otherwise);
        self.e.jump(done);
        self.e.enter(done);
        self.e.dirty = dirty;
    }

    /// Counts a built-in that is done here.
    fn count_builtin(&mut self) {
        let built = self.e.field(offset_of!(Machine, built) as i32);
        let more = self.e.b.ins().iadd_imm(built, 1);
        self.e.set_field(offset_of!(Machine, built) as i32, more);
    }

    /// Unifies a register with a value as a built-in does that goes on elsewhere if they differ.
    fn unify_or(&mut self, at: usize, x: u16, value: Value, otherwise: Block) {
        self.bound = true;
        let x = self.e.x(x);
        let barrier = self.barrier();
        let status = self.e.unify(x, value, barrier);
        self.check(status, at, otherwise);
    }

    /// Address of the arguments of a compound, and their number; goes on elsewhere with all else.
    fn parts(&mut self, term: Value, [compound, list, other]: [Block; 3]) -> (Value, Value) {
        let (tagged, is_list) =
            (self.e.has_tag(term, Tag::Struct), self.e.has_tag(term, Tag::List));
        let next = self.e.block();
        self.e.branch(tagged, compound, next);
        self.e.enter(next);
        self.e.branch(is_list, list, other);
        self.e.enter(compound);
        let address = self.e.address(term, Tag::Struct);
        let header = self.e.heap_cell(address, 0);
        let args = self.e.b.ins().iadd_imm(address, i64::from(CELL));
        (args, header)
    }

    /// The number of arguments that a header says.
    fn arity_of(&mut self, header: Value) -> Value {
        let arity = self.e.b.ins().ushr_imm(header, 5);
        self.e.b.ins().band_imm(arity, MAX_ARITY as i64)
    }

    /// `'$arg'/3` of a compound and a number of an argument that it has; all else goes on in `rest`.
    fn read_argument(&mut self, at: usize, base: u16, (done, rest, no): (Block, Block, Block)) {
        let (number, term) = (self.e.x(base), self.e.x(base + 1));
        let (number, term) = (self.e.deref(number), self.e.deref(term));
        let int = self.e.has_tag(number, Tag::Int);
        self.e.require(int, rest);
        let index = self.e.b.ins().sshr_imm(number, 3);
        let index = self.e.b.ins().iadd_imm(index, -1);
        let (compound, list, found) = (self.e.block(), self.e.block(), self.e.block());
        let of = self.e.b.append_block_param(found, I64);
        let (args, header) = self.parts(term, [compound, list, rest]);
        let arity = self.arity_of(header);
        let has = self.e.is(IntCC::UnsignedLessThan, index, arity);
        self.e.b.ins().brif(has, found, &[arg(args)], rest, &[]);
        self.e.enter(list);
        let args = self.e.address(term, Tag::List);
        let has = self.e.is_constant(IntCC::UnsignedLessThan, index, 2);
        self.e.b.ins().brif(has, found, &[arg(args)], rest, &[]);
        self.e.enter(found);
        let offset = self.e.b.ins().ishl_imm(index, 3);
        let cell = self.e.b.ins().iadd(of, offset);
        let value = self.e.heap_cell(cell, 0);
        self.count_builtin();
        self.unify_or(at, base + 2, value, no);
        self.e.jump(done);
    }

    /// `functor/3` of what is no variable and stands in a word, or is a compound; all else goes on in `rest`.
    fn read_functor(&mut self, at: usize, base: u16, (done, rest, no): (Block, Block, Block)) {
        let term = self.e.x(base);
        let term = self.e.deref(term);
        let [compound, list, other, simple, told] = [0; 5].map(|_| self.e.block());
        let name = self.e.b.append_block_param(told, I64);
        let arity = self.e.b.append_block_param(told, I64);
        let (_, header) = self.parts(term, [compound, list, other]);
        let own_name = self.e.b.ins().ushr_imm(header, 32);
        let own_name = self.e.b.ins().ishl_imm(own_name, 3);
        let own_name = self.e.with_tag(own_name, Tag::Atom);
        let own_arity = self.arity_of(header);
        let own_arity = self.small(own_arity);
        self.e.b.ins().jump(told, &[arg(own_name), arg(own_arity)]);
        self.e.enter(list);
        let [dot, two] = [Cell::atom(atoms::DOT), Cell::small(2)].map(|cell| self.e.cell(cell));
        self.e.b.ins().jump(told, &[arg(dot), arg(two)]);
        self.e.enter(other);
        let word = self.e.is_word(term);
        self.e.branch(word, simple, rest);
        self.e.enter(simple);
        let zero = self.e.cell(Cell::ZERO);
        self.e.b.ins().jump(told, &[arg(term), arg(zero)]);
        self.e.enter(told);
        self.count_builtin();
        self.unify_or(at, base + 1, name, no);
        self.unify_or(at, base + 2, arity, no);
        self.e.jump(done);
    }

    fn call_builtin(&mut self, at: usize, id: u16, base: u16, otherwise: Block) {
        // Its arity is the host's to know: all from there on are saved.
        let from: Vec<u16> = self.e.dirty.range(base..).copied().collect();
        self.e.save(from);
        let args = [self.e.constant(u64::from(id)), self.e.constant(u64::from(base))];
        let status = self.e.step_at(window!(builtin), &args);
        self.bound = true;
        if self.framed {
            self.e.load_frame();
        }
        let (known, unknown) = (self.e.block(), self.e.rare());
        let undecided = self.e.is_constant(IntCC::Equal, status, steps::UNDECIDED);
        self.e.branch(undecided, unknown, known);
        self.e.enter(unknown);
        self.out(at);
        self.e.enter(known);
        self.check(status, at, otherwise);
    }

    // --- compounds ---------------------------------------------------------------------------

    /// Matches a compound, or makes it: `Get…` and the `Unify…` instructions behind it. The next place.
    fn compound(&mut self, at: usize) -> usize {
        let code = self.body.code;
        let (a, functor) = match code[at] {
            Instr::GetStruct { a, f } => (a, Some(self.body.program.functors[f as usize])),
            Instr::GetList { a } | Instr::GetListXX { a, .. } | Instr::GetListVX { a, .. } => {
                (a, None)
            }
            _ => unreachable!("a compound begins there"),
        };
        let fused;
        let (parts, first): (&[Instr], usize) = match code[at] {
            Instr::GetListXX { h, t, .. } => {
                fused = [Instr::UnifyVarX { x: h }, Instr::UnifyVarX { x: t }];
                (&fused, at)
            }
            Instr::GetListVX { h, t, .. } => {
                fused = [Instr::UnifyValX { x: h }, Instr::UnifyVarX { x: t }];
                (&fused, at)
            }
            _ => {
                let rest = &code[at + 1..];
                let jumped = |i: usize| self.labels.contains_key(&(at + 1 + i));
                let many = (0..rest.len()).take_while(|&i| rest[i].is_part() && !jumped(i)).count();
                (&rest[..many], at + 1)
            }
        };
        let end = first + if first == at { 1 } else { parts.len() };
        let value = self.e.x(a);
        if self.e.known(a) == Some(functor.unwrap_or(Cell::list(0))) {
            let from = match functor {
                None => self.e.address(value, Tag::List),
                Some(_) => self.e.b.ins().iadd_imm(value, i64::from(CELL) - Tag::Struct as i64),
            };
            let mut turns = BTreeMap::new();
            self.read((parts, at), from, &mut turns);
            if !turns.is_empty() {
                let join = self.e.block();
                self.e.jump(join);
                self.write_all(parts, false, &turns);
                self.e.jump(join);
                self.e.enter(join);
            }
            return end;
        }
        let value = self.e.deref(value);
        let (reads, writes, join) = (self.e.block(), self.e.block(), self.e.block());
        let from = self.e.b.append_block_param(reads, I64);
        let (other, fail) = (self.e.block(), self.failing());
        match functor {
            None => {
                let list = self.e.has_tag(value, Tag::List);
                let address = self.e.address(value, Tag::List);
                self.e.b.ins().brif(list, reads, &[arg(address)], other, &[]);
            }
            Some(functor) => {
                let tagged = self.e.has_tag(value, Tag::Struct);
                let inside = self.e.block();
                self.e.branch(tagged, inside, other);
                self.e.enter(inside);
                let address = self.e.address(value, Tag::Struct);
                let header = self.e.heap_cell(address, 0);
                let same = self.e.is_constant(IntCC::Equal, header, functor.0);
                let args = self.e.b.ins().iadd_imm(address, i64::from(CELL));
                self.e.b.ins().brif(same, reads, &[arg(args)], fail, &[]);
            }
        }
        self.e.enter(other);
        let var = self.e.is_var(value);
        self.e.require(var, fail);
        let top = self.e.top();
        let term = match functor {
            None => self.e.with_tag(top, Tag::List),
            Some(functor) => {
                let functor = self.e.cell(functor);
                self.e.push(&[functor]);
                self.e.with_tag(top, Tag::Struct)
            }
        };
        self.bind(value, term);
        self.e.jump(writes);
        let mut turns = BTreeMap::new();
        self.e.enter(reads);
        self.read((parts, at), from, &mut turns);
        self.e.jump(join);
        self.e.enter(writes);
        self.write_all(parts, true, &turns);
        self.e.jump(join);
        self.e.enter(join);
        end
    }

    /// Writes the parts of a compound: from the first on, or from where reading turns to writing.
    fn write_all(&mut self, parts: &[Instr], from_first: bool, turns: &BTreeMap<usize, Block>) {
        let mut writes = from_first;
        for (i, part) in parts.iter().enumerate() {
            if writes {
                self.write(part);
            }
            if let Some(&turn) = turns.get(&i) {
                if writes {
                    self.e.jump(turn);
                }
                self.e.enter(turn);
                writes = true;
            }
        }
    }

    /// The parts of a compound that is there, whose arguments begin at an address. `turns` gets the blocks, by the number of
    /// their part, where a variable stands for a compound, which is to be written from there on.
    fn read(
        &mut self,
        (parts, at): (&[Instr], usize),
        from: Value,
        turns: &mut BTreeMap<usize, Block>,
    ) {
        let (mut from, mut offset) = (from, 0);
        for (i, part) in parts.iter().enumerate() {
            match *part {
                Instr::UnifyVarX { x } => {
                    let value = self.e.heap_cell(from, offset);
                    self.e.set_x(x, value);
                }
                Instr::UnifyVarXX { x, w } => {
                    let value = self.e.heap_cell(from, offset);
                    self.e.set_x(x, value);
                    offset += CELL;
                    let value = self.e.heap_cell(from, offset);
                    self.e.set_x(w, value);
                }
                Instr::UnifyVarY { y } => {
                    let value = self.e.heap_cell(from, offset);
                    self.e.set_y(y, value);
                }
                Instr::UnifyValX { x } => {
                    let (own, other) = (self.e.x(x), self.e.heap_cell(from, offset));
                    self.unify(own, other, at);
                }
                Instr::UnifyValY { y } => {
                    let (own, other) = (self.e.y(y), self.e.heap_cell(from, offset));
                    self.unify(own, other, at);
                }
                Instr::UnifyAtom { atom } => {
                    let value = self.e.heap_cell(from, offset);
                    self.unify_constant(value, Cell::atom(Atom(atom)));
                }
                Instr::UnifyInt { value: int } => {
                    let value = self.e.heap_cell(from, offset);
                    self.unify_constant(value, Cell::small(i64::from(int)));
                }
                Instr::UnifyVoid { n } => offset += CELL * (n as i32 - 1),
                Instr::UnifyTailList | Instr::UnifyTailStruct { .. } => {
                    let value = self.e.heap_cell(from, offset);
                    let turn = self.e.block();
                    turns.insert(i, turn);
                    from = self.enter_tail(part, value, turn);
                    offset = -CELL;
                }
                _ => unreachable!("a part"),
            }
            offset += CELL;
        }
    }

    /// Goes on in the compound in the last argument, or has a block go on writing it. Where its arguments are.
    fn enter_tail(&mut self, part: &Instr, value: Value, turn: Block) -> Value {
        let value = self.e.deref(value);
        let fail = self.failing();
        let (inside, other) = (self.e.block(), self.e.block());
        let from = self.e.b.append_block_param(inside, I64);
        match *part {
            Instr::UnifyTailStruct { f } => {
                let functor = self.body.program.functors[f as usize];
                let tagged = self.e.has_tag(value, Tag::Struct);
                let header_at = self.e.block();
                self.e.branch(tagged, header_at, other);
                self.e.enter(header_at);
                let address = self.e.address(value, Tag::Struct);
                let header = self.e.heap_cell(address, 0);
                let same = self.e.is_constant(IntCC::Equal, header, functor.0);
                let args = self.e.b.ins().iadd_imm(address, i64::from(CELL));
                self.e.b.ins().brif(same, inside, &[arg(args)], fail, &[]);
                self.e.enter(other);
                let var = self.e.is_var(value);
                self.e.require(var, fail);
                let top = self.e.top();
                let functor = self.e.cell(functor);
                self.e.push(&[functor]);
                let term = self.e.with_tag(top, Tag::Struct);
                self.bind(value, term);
            }
            _ => {
                let list = self.e.has_tag(value, Tag::List);
                let address = self.e.address(value, Tag::List);
                self.e.b.ins().brif(list, inside, &[arg(address)], other, &[]);
                self.e.enter(other);
                let var = self.e.is_var(value);
                self.e.require(var, fail);
                let top = self.e.top();
                let term = self.e.with_tag(top, Tag::List);
                self.bind(value, term);
            }
        }
        self.e.jump(turn);
        self.e.enter(inside);
        from
    }

    /// Writes a part of a compound.
    fn write(&mut self, part: &Instr) {
        match *part {
            Instr::UnifyVarX { x } => {
                let var = self.e.push_var();
                self.e.set_x(x, var);
            }
            Instr::UnifyVarXX { x, w } => {
                for x in [x, w] {
                    let var = self.e.push_var();
                    self.e.set_x(x, var);
                }
            }
            Instr::UnifyVarY { y } => {
                let var = self.e.push_var();
                self.e.set_y(y, var);
            }
            Instr::UnifyValX { x } => {
                let value = self.e.x(x);
                self.e.push(&[value]);
            }
            Instr::UnifyValY { y } => {
                let value = self.e.y(y);
                self.e.push(&[value]);
            }
            Instr::UnifyAtom { atom } => {
                let value = self.e.cell(Cell::atom(Atom(atom)));
                self.e.push(&[value]);
            }
            Instr::UnifyInt { value } => {
                let value = self.e.cell(Cell::small(i64::from(value)));
                self.e.push(&[value]);
            }
            Instr::UnifyVoid { n } => {
                for _ in 0..n {
                    self.e.push_var();
                }
            }
            Instr::UnifyTailList => {
                let top = self.e.top();
                let next = self.e.b.ins().iadd_imm(top, i64::from(CELL));
                let list = self.e.with_tag(next, Tag::List);
                self.e.push(&[list]);
            }
            Instr::UnifyTailStruct { f } => {
                let top = self.e.top();
                let next = self.e.b.ins().iadd_imm(top, i64::from(CELL));
                let term = self.e.with_tag(next, Tag::Struct);
                let functor = self.functor(f);
                self.e.push(&[term, functor]);
            }
            _ => unreachable!("a part"),
        }
    }
}

/// Whether both are integers kept in a word.
pub(super) fn are_ints(e: &mut Emit<'_, '_>, a: Value, b: Value) -> Value {
    // The tag of integers is 6: what differs from it shows in either.
    let tag = Tag::Int as i64;
    let a = e.b.ins().bxor_imm(a, tag);
    let b = e.b.ins().bxor_imm(b, tag);
    let either = e.b.ins().bor(a, b);
    let bits = e.b.ins().band_imm(either, 7);
    e.is_constant(IntCC::Equal, bits, 0)
}

/// A relation of integers kept in words.
pub(super) fn condition(relation: Relation) -> IntCC {
    match relation {
        Relation::Equal => IntCC::Equal,
        Relation::NotEqual => IntCC::NotEqual,
        Relation::Less => IntCC::SignedLessThan,
        Relation::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        Relation::Greater => IntCC::SignedGreaterThan,
        Relation::LessEqual => IntCC::SignedLessThanOrEqual,
    }
}

/// Most cells that code pushes, and entries of the trail that it makes but for those of unifications of compounds.
pub(super) fn pushes(code: &[Instr]) -> usize {
    let cells = |instr: &Instr| match *instr {
        Instr::SetVoid { n } | Instr::UnifyVoid { n } => n as usize,
        Instr::GetStruct { .. } => 1,
        _ => 2,
    };
    code.iter().map(cells).sum()
}
