//! The instructions of a clause as machine code, from a place in it to the calls that it leaves by.
//!
//! - [`compute`]: what tests, arithmetic and built-ins do.
//! - [`compound`]: compounds that are matched or made.

mod compound;
mod compute;

use super::super::Machine;
use super::super::arithmetic::Op2;
use super::super::instr::{FAIL, Instr};
use super::super::program::{PredId, Program};
use super::emit::{Barrier, CELL, Emit, arg, window};
use super::steps::Pushed;
use super::window::Window;
use super::{Exit, Shared, steps};
pub(super) use compute::{are_ints, condition};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::I64;
use zug_jit::codegen::ir::{Block, InstBuilder, Value};
use zug_term::symbol::Atom;
use zug_term::{Cell, Tag};

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
            Instr::SetX { .. }
            | Instr::SetY { .. }
            | Instr::SetAtom { .. }
            | Instr::SetInt { .. }
            | Instr::SetVoid { .. } => self.write(&code[at]),
            Instr::SetXX { x, w } => {
                let (first, second) = (self.e.x(x), self.e.x(w));
                self.e.push(&[first, second]);
            }
            Instr::SetYY { y, z } => {
                let (first, second) = (self.e.y(y), self.e.y(z));
                self.e.push(&[first, second]);
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
        let done = self.e.is_constant(IntCC::Equal, status, steps::YES);
        // Cleanups are left to the loop.
        let owes = self.e.rare();
        self.e.branch(done, next, owes);
        self.e.enter(owes);
        self.out(at);
        self.e.enter(next);
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
