//! The instructions of a clause as machine code, from a place in it to the calls that it leaves by.
//!
//! - [`compute`]: tests, arithmetic and built-ins.
//! - [`compound`]: compounds that are matched or made.

mod compound;
mod compute;

use super::super::Machine;
use super::super::arithmetic::Op2;
use super::super::clause::PredId;
use super::super::instr::{FAIL, Instr};
use super::super::program::Program;
use super::emit::{Barrier, CELL, Emit, machine, step};
use super::steps::{Pushed, YES};
use super::{Exit, Shared};
pub(super) use compute::{are_ints, condition, tags};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::{Block, Value};
use zug_term::symbol::Atom;
use zug_term::{Cell, Tag};

/// The code of a clause, with the stubs for the places in it.
pub(super) struct Body<'e> {
    pub program: &'e Program,
    /// Address of its first instruction.
    pub start: u32,
    pub code: &'e [Instr],
    /// The stub of each place where the machine comes back to.
    pub stubs: &'e FxHashMap<u32, u32>,
    /// Where a call of the predicate itself may go on: at its first block.
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
pub(super) enum Choices<'c> {
    None,
    /// There may be some.
    Some,
    /// There are none, but others are tried if this clause is not the one.
    Tried(&'c Tried),
}

/// How the clauses behind one that decides are tried.
pub(super) struct Tried {
    /// What tries them.
    pub next: Block,
    /// Their places in the tables of clauses: the first, and behind the last.
    pub row: (u32, u32),
    /// Length of the trail before.
    pub mark: Value,
    /// Top of the heap before.
    pub top: Value,
    /// The arguments, and which of them are new to the machine: the next clause begins with both, whatever this one has
    /// put into the registers.
    pub arguments: Vec<Value>,
    pub dirty: BTreeSet<u16>,
}

impl Tried {
    /// Takes back what a clause did that was not the one.
    pub fn restore(&self, e: &Emit<'_, '_>) {
        e.set_top(self.top);
        let len = e.field(machine!(window.trail.len));
        e.unless(e.equal(len, self.mark), || {
            e.step(step!(undo), &[self.mark]);
        });
        for (x, &value) in self.arguments.iter().enumerate() {
            e.keep_x(x as u16, value);
        }
        e.set_dirty(self.dirty.clone());
    }

    /// The loop goes on with the clause, and with the others behind it.
    fn go_on(&self, e: &Emit<'_, '_>) {
        let row = e.constant(u64::from(self.row.0) << 32 | u64::from(self.row.1));
        let arity = e.constant(self.arguments.len() as u64);
        let at = e.field(machine!(window.x));
        for &x in &self.dirty {
            if let Some(&value) = self.arguments.get(usize::from(x)) {
                e.store(value, at, CELL * i32::from(x));
            }
        }
        e.step(step!(try_on), &[row, arity, self.mark, self.top]);
    }
}

/// A clause that is being made machine code.
pub(super) struct Clause<'c, 'e, 'f> {
    e: &'c Emit<'e, 'f>,
    body: &'c Body<'c>,
    choices: Choices<'c>,
    /// It has its environment.
    framed: bool,
    /// Something may have been bound since the last look at what is pending.
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
        e: &'c Emit<'e, 'f>,
        body: &'c Body<'c>,
        choices: Choices<'c>,
        framed: bool,
    ) -> Self {
        Clause { e, body, choices, framed, bound: framed, labels: BTreeMap::new() }
    }

    pub fn from(mut self, at: usize) {
        let mut at = at;
        let mut live = true;
        while at < self.body.code.len() {
            if let Some(label) = self.labels.remove(&at) {
                if live {
                    self.e.jump(label.block);
                    self.e.add_dirty(label.dirty);
                } else {
                    self.e.set_dirty(label.dirty);
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
            (at, live) = self.instruction(at, self.body.code[at]);
        }
        debug_assert!(!live);
    }

    fn label(&mut self, at: usize) -> Block {
        let (e, framed) = (self.e, self.framed);
        let label = self.labels.entry(at).or_insert_with(|| Label {
            block: e.block(),
            dirty: BTreeSet::new(),
            framed,
        });
        label.dirty.extend(e.dirty());
        label.block
    }

    fn otherwise(&mut self, at: usize, by: u16) -> Block {
        match by {
            FAIL => self.failing(),
            by => self.label(at + 1 + usize::from(by)),
        }
    }

    /// The block that backtracks, or tries the next clause.
    fn failing(&self) -> Block {
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
    fn out(&self, at: usize) {
        let e = self.e;
        let dirty = e.dirty();
        if let Choices::Tried(tried) = self.choices {
            tried.go_on(e);
        }
        e.save_all();
        e.leave(Exit::Go, self.body.start + at as u32);
        e.set_dirty(dirty);
    }

    /// Leaves for the loop at an instruction if something is pending: it may matter there.
    fn wake(&mut self, at: usize) {
        if std::mem::replace(&mut self.bound, false) {
            self.e.or_leave(self.e.field(machine!(window.limit)), || self.out(at));
        }
    }

    /// Goes on where a step said so; where it did not, its status says why.
    fn check(&self, status: Value, at: usize, no: Block) {
        let e = self.e;
        let (next, worse, other) = (e.block(), e.rare(), e.block());
        e.branch(e.equals(status, YES), next, other);
        e.enter(other);
        e.branch(status, worse, no);
        e.enter(worse);
        self.leave_with(status, at);
        e.enter(next);
    }

    /// Goes on if a step has done its work; else it kept a fault or an unwinding.
    fn require_done(&self, status: Value, at: usize) {
        self.e.or_leave(self.e.equals(status, YES), || self.leave_with(status, at));
    }

    /// Leaves with the fault or the unwinding that a step kept.
    fn leave_with(&self, status: Value, at: usize) {
        // The numbers of the statuses are those of the exits.
        self.e.leave_with(status, self.body.start + at as u32);
    }

    fn bind(&mut self, variable: Value, value: Value) {
        self.bound = true;
        self.e.bind(variable, value, self.barrier());
    }

    fn unify(&mut self, a: Value, b: Value, at: usize) {
        self.unify_or(at, a, b, self.failing());
    }

    /// Unifies; goes on elsewhere if the two differ.
    fn unify_or(&mut self, at: usize, a: Value, b: Value, otherwise: Block) {
        self.bound = true;
        self.check(self.e.unify(a, b, self.barrier()), at, otherwise);
    }

    fn unify_constant(&mut self, value: Value, constant: Cell) {
        let e = self.e;
        let [done, other] = e.blocks();
        let value = e.deref(value);
        e.branch(e.equals(value, constant.0), done, other);
        e.enter(other);
        e.require(e.is_var(value), self.failing());
        self.bind(value, e.cell(constant));
        e.jump(done);
        e.enter(done);
    }

    /// Makes the instruction at a place: the next place, and whether it is reached from here.
    fn instruction(&mut self, at: usize, instr: Instr) -> (usize, bool) {
        let (e, next) = (self.e, at + 1);
        match instr {
            Instr::GetList { .. }
            | Instr::GetStruct { .. }
            | Instr::GetListXX { .. }
            | Instr::GetListVX { .. } => return (self.compound(at), true),
            Instr::GetAtom { a, .. } | Instr::GetInt { a, .. } => {
                let constant = constant(&instr).expect("it has one");
                if e.known(a) != Some(constant) {
                    self.unify_constant(e.x(a), constant);
                }
            }
            Instr::GetLiteral { a, literal } => {
                let term = self.literal(literal, at);
                self.unify(e.x(a), term, at);
            }
            Instr::GetVarY { y, a } => e.set_y(y, e.x(a)),
            Instr::GetValX { x, a } => self.unify(e.x(x), e.x(a), at),
            Instr::GetValY { y, a } => self.unify(e.y(y), e.x(a), at),
            Instr::Move { d, x } => e.set_x(d, e.x(x)),
            Instr::PutY { a, y } => e.set_x(a, e.y(y)),
            Instr::PutVarX { x } | Instr::SetVarX { x } => e.set_x(x, e.push_var()),
            Instr::PutVarY { y, a } => {
                let var = e.push_var();
                e.set_x(a, var);
                e.set_y(y, var);
            }
            Instr::InitY { y } | Instr::SetVarY { y } => e.set_y(y, e.push_var()),
            Instr::PutAtom { a, .. } | Instr::PutInt { a, .. } => {
                e.set_x(a, e.cell(constant(&instr).expect("it has one")));
            }
            Instr::PutLiteral { a, literal } => e.set_x(a, self.literal(literal, at)),
            Instr::PutList { a } => e.set_x(a, e.with_tag(e.top(), Tag::List)),
            Instr::PutStruct { a, f } => {
                let top = e.top();
                e.push(&[self.functor(f)]);
                e.set_x(a, e.with_tag(top, Tag::Struct));
            }
            Instr::PutListXX { a, h, t } => {
                let top = e.top();
                e.push(&[e.x(h), e.x(t)]);
                e.set_x(a, e.with_tag(top, Tag::List));
            }
            Instr::SetX { .. }
            | Instr::SetY { .. }
            | Instr::SetAtom { .. }
            | Instr::SetInt { .. }
            | Instr::SetVoid { .. } => self.write(&instr),
            Instr::SetListAt { by } => self.push_pointer(Tag::List, by),
            Instr::SetStructAt { by } => self.push_pointer(Tag::Struct, by),
            Instr::SetHeader { f } => e.push(&[self.functor(f)]),
            Instr::Allocate { n } => {
                e.allocate(n);
                self.framed = true;
            }
            Instr::Deallocate => {
                e.deallocate();
                self.framed = false;
            }
            Instr::Proceed => {
                e.proceed();
                return (next, false);
            }
            Instr::Execute { pred } => {
                self.execute(pred, at);
                return (next, false);
            }
            Instr::Call { pred, .. } => {
                let back = self.body.stubs[&(self.body.start + next as u32)];
                e.set_field32(machine!(cp), e.constant(u64::from(back)));
                self.execute(pred, at);
                return (next, false);
            }
            Instr::Jump { to } => {
                let to = self.label((to - self.body.start) as usize);
                e.jump(to);
                return (next, false);
            }
            Instr::Fail => {
                self.wake(at);
                e.jump(self.failing());
                return (next, false);
            }
            Instr::TryElse { live, to, .. } => {
                self.wake(at);
                let to = e.constant(u64::from(self.body.stubs[&to]));
                e.push_choice(Pushed::Else, [to, e.constant(u64::from(live))], 0);
                if let Choices::None = self.choices {
                    self.choices = Choices::Some;
                }
            }
            Instr::Mark { y } => {
                self.wake(at);
                e.set_y(y, e.small(e.field(machine!(window.choices.len))));
            }
            Instr::CutTo { y } => {
                self.wake(at);
                self.cut_to(e.sshr_imm(e.y(y), 3), at);
            }
            Instr::SoftCut { y } => {
                self.wake(at);
                let status = e.step(step!(soft_cut), &[e.sshr_imm(e.y(y), 3)]);
                self.require_done(status, at);
            }
            Instr::CutNeck => {
                self.wake(at);
                match self.choices {
                    Choices::None => {}
                    Choices::Tried(_) => self.choices = Choices::None,
                    Choices::Some => self.cut_to(e.field32(machine!(b0)), at),
                }
            }
            Instr::Cut => {
                self.wake(at);
                self.cut_to(e.frame_word(2), at);
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
                let (slow, (done, result)) = (e.rare(), e.taking());
                e.branch_with(e.has_tag(value, Tag::Int), (done, &[value]), (slow, &[]));
                e.enter(slow);
                self.computed(at, step!(eval), &[value], done);
                e.set_x(d, result);
            }
            Instr::Add { d, a, b } => self.arithmetic(at, Op2::Add, d, (a, b)),
            Instr::Subtract { d, a, b } => self.arithmetic(at, Op2::Subtract, d, (a, b)),
            Instr::Arith2 { op, d, a, b } => self.arithmetic(at, op, d, (a, b)),
            Instr::Arith1 { op, d, a } => self.unary(at, op, d, a),
            Instr::Builtin { id, base, else_by } => self.builtin(at, id, base, else_by),
            _ => match instr.halves() {
                Some([first, second]) => {
                    self.instruction(at, first);
                    return self.instruction(at, second);
                }
                None => {
                    self.out(at);
                    return (next, false);
                }
            },
        }
        (next, true)
    }

    fn functor(&self, f: u32) -> Value {
        self.e.cell(self.body.program.functors[f as usize])
    }

    /// Pushes a pointer to a compound N cells further on.
    fn push_pointer(&self, tag: Tag, by: u32) {
        let e = self.e;
        let address = e.iadd_imm(e.top(), i64::from(CELL) * i64::from(by));
        e.push(&[e.with_tag(address, tag)]);
    }

    fn literal(&self, literal: u32, at: usize) -> Value {
        let (done, result) = self.e.taking();
        let number = self.e.constant(u64::from(literal));
        self.computed(at, step!(literal), &[number], done);
        result
    }

    /// Calls a step that computes a cell, which a block takes.
    fn computed(&self, at: usize, function: usize, args: &[Value], done: Block) {
        self.require_done(self.e.step(function, args), at);
        self.e.jump_with(done, &[self.e.result()]);
        self.e.enter(done);
    }

    /// Calls a predicate last, or where the continuation is set.
    fn execute(&self, pred: PredId, at: usize) {
        let (e, program) = (self.e, self.body.program);
        let predicate = &program.preds[pred as usize];
        if let Some(again) = self.body.again.filter(|again| again.pred == pred) {
            // It is still the same if it was not hooked and has no other definition.
            let entry = e.load32(e.field(machine!(window.entries)), 4 * pred as i32);
            let unhooked = e.equals(entry, u64::from(predicate.slot));
            let (code, at_slot) = (e.field(machine!(window.code)), CELL * predicate.slot as i32);
            let native = e.equals(e.load8(code, at_slot), 0);
            let number = e.load32(code, at_slot + CELL / 2);
            let own = e.band(native, e.equals(number, u64::from(again.number)));
            let (here, other) = (e.block(), e.rare());
            e.branch(e.band(own, unhooked), here, other);
            e.enter(here);
            e.tick(other);
            e.jump(again.block);
            e.enter(other);
        }
        e.save((0..predicate.arity).map(|x| x as u16));
        let entry = program.code[program.entries[pred as usize] as usize];
        let is_goal = matches!(entry, Instr::MetaCall { .. });
        e.call_predicate(pred, self.body.start + at as u32, is_goal);
    }

    /// Drops choice points above a height, if there are any.
    fn cut_to(&self, height: Value, at: usize) {
        let e = self.e;
        // Cleanups are left to the loop.
        let (cut, next, owes) = (e.block(), e.block(), e.rare());
        let above = e.is(IntCC::UnsignedGreaterThan, e.field(machine!(window.choices.len)), height);
        e.branch(above, cut, next);
        e.enter(cut);
        let status = e.call_shared(Shared::CUT, &[height]);
        e.branch(e.equals(status, YES), next, owes);
        e.enter(owes);
        self.out(at);
        e.enter(next);
    }
}

/// The constant that an instruction unifies or puts.
fn constant(instr: &Instr) -> Option<Cell> {
    match *instr {
        Instr::GetAtom { atom, .. }
        | Instr::PutAtom { atom, .. }
        | Instr::UnifyAtom { atom }
        | Instr::SetAtom { atom } => Some(Cell::atom(Atom(atom))),
        Instr::GetInt { value, .. }
        | Instr::PutInt { value, .. }
        | Instr::UnifyInt { value }
        | Instr::SetInt { value } => Some(Cell::small(i64::from(value))),
        _ => None,
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
