//! The functions that all machine code shares: into it and out of it, calls, choice points, unification.

use super::{Barrier, Emit, inner, machine, outer, parameters, signature, step};
use crate::Machine;
use crate::choices::{Choice, DECIDES};
use crate::frames::FRAME;
use crate::native::steps::{NO, Pushed, YES};
use crate::unify::VALUE;
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::I64;
use zug_jit::codegen::ir::{InstBuilder, MemFlags, Value};
use zug_jit::frontend::FunctionBuilder;
use zug_jit::{Assembly, Build};
use zug_term::Tag;

/// The functions that all machine code shares, in the order of their numbers in [`Shared`].
pub(in crate::native) fn shared() -> Option<Assembly> {
    zug_jit::outer_convention()?;
    Assembly::make(&mut [
        (outer(2), Box::new(enter) as Box<Build<'_>>),
        (signature(), Box::new(leave)),
        (inner(3), build(bind)),
        (signature(), build(proceed)),
        (inner(3), build(call)),
        (inner(5), build(push_choice)),
        (inner(2), build(cut_to)),
        (signature(), build(fail)),
        (inner(3), build(goal)),
    ])
}

/// Unification, which calls one of them.
pub(in crate::native) fn unifier() -> Option<Assembly> {
    zug_jit::outer_convention()?;
    Assembly::make(&mut [(inner(4), build(unify))])
}

/// Builds a function from its parameters behind the machine.
fn build<const N: usize>(body: fn(&Emit<'_, '_>, [Value; N])) -> Box<Build<'static>> {
    Box::new(move |b| {
        let all = parameters(b);
        let own = all[1..].try_into().expect("as many as its signature has");
        body(&Emit::of(b, all[0]), own);
    })
}

fn enter(b: &mut FunctionBuilder<'_>) {
    let all = parameters(b);
    let inner = b.import_signature(signature());
    let call = b.ins().call_indirect(inner, all[1], &all[..1]);
    let exit = b.inst_results(call)[0];
    b.ins().return_(&[exit]);
}

fn leave(b: &mut FunctionBuilder<'_>) {
    let m = parameters(b)[0];
    let exit = b.ins().load(I64, MemFlags::trusted(), m, machine!(window.exit));
    b.ins().return_(&[exit]);
}

/// Binds a variable that is older than the newest choice point, or has attributes.
fn bind(e: &Emit<'_, '_>, [variable, value]: [Value; 2]) {
    let (plain, attributed, next) = (e.block(), e.rare(), e.block());
    e.branch(e.has_tag(variable, Tag::Attributed), attributed, plain);
    e.enter(attributed);
    e.call(step!(bind_attributed), &[variable, value]);
    e.jump(next);
    e.enter(plain);
    e.set_heap_cell(value, variable, 0);
    // There is room on the trail.
    let len = e.field(machine!(window.trail.len));
    let at = e.element(e.field(machine!(window.trail.at)), len, 3);
    e.store(e.ushr_imm(variable, 3), at, 0);
    e.set_field(machine!(window.trail.len), e.iadd_imm(len, 1));
    e.jump(next);
    e.enter(next);
    e.return_(e.constant(YES));
}

fn proceed(e: &Emit<'_, '_>, []: [Value; 0]) {
    e.go_to(e.field32(machine!(cp)));
}

/// Calls a predicate, whose arguments are saved, by the instruction at an address.
fn call(e: &Emit<'_, '_>, [pred, called_at]: [Value; 2]) {
    e.tick_call(pred, called_at);
    let at = e.element(e.field(machine!(window.entries)), pred, 2);
    e.go_to(e.load32(at, 0));
}

/// As [`call`], of a `call/n`.
fn goal(e: &Emit<'_, '_>, [pred, called_at]: [Value; 2]) {
    e.tick_call(pred, called_at);
    e.go_on_by(step!(goal), &[pred]);
}

/// The offset of a field in a choice point.
macro_rules! choice {
    ($field:ident) => {
        offset_of!(Choice, $field) as i32
    };
}

impl Emit<'_, '_> {
    fn choice_at(&self, number: Value) -> Value {
        let offset = self.imul_imm(number, size_of::<Choice>() as i64);
        self.iadd(self.field(machine!(window.choices.at)), offset)
    }

    fn copy(&self, from: Value, to: Value, count: Value) {
        let ((one, at), done) = (self.taking(), self.block());
        self.branch_with(count, (one, &[self.constant(0)]), (done, &[]));
        self.enter(one);
        let (source, target) = (self.element(from, at, 3), self.element(to, at, 3));
        self.store(self.load(source, 0), target, 0);
        let next = self.iadd_imm(at, 1);
        let more = self.is(IntCC::UnsignedLessThan, next, count);
        self.branch_with(more, (one, &[next]), (done, &[]));
        self.enter(done);
    }

    /// Sets what depends on the newest choice point, of so many.
    fn refresh_barrier(&self, count: Value) {
        let (some, none, next) = (self.block(), self.rare(), self.block());
        self.branch(count, some, none);
        self.enter(some);
        let choice = self.choice_at(self.iadd_imm(count, -1));
        let heap = self.load(choice, choice!(heap));
        self.set_field(machine!(window.barrier), self.ishl_imm(heap, 3));
        self.set_field(machine!(protected), self.load32(choice, choice!(frames)));
        self.jump(next);
        self.enter(none);
        let zero = self.constant(0);
        self.set_field(machine!(window.barrier), zero);
        self.set_field(machine!(protected), zero);
        self.jump(next);
        self.enter(next);
    }

    /// The first free word of the environments.
    pub(super) fn frames_top(&self) -> Value {
        let (e, protected) = (self.field(machine!(e)), self.field(machine!(protected)));
        let (own, (found, top)) = (self.block(), self.taking());
        let is_own = self.is(IntCC::UnsignedGreaterThanOrEqual, e, protected);
        self.branch_with(is_own, (own, &[]), (found, &[protected]));
        self.enter(own);
        self.frame_at(e);
        let size = self.load32(self.var(self.frame), super::CELL);
        let end = self.iadd_imm(self.iadd(e, size), FRAME as i64);
        self.jump_with(found, &[end]);
        self.enter(found);
        top
    }
}

/// Makes a choice point of a kind, with its parts, for N arguments in X.
fn push_choice(e: &Emit<'_, '_>, [kind, first, second, arity]: [Value; 4]) {
    let (count, room) =
        (e.field(machine!(window.choices.len)), e.field(machine!(window.choices.room)));
    let len = e.field(machine!(window.args.len));
    let new_len = e.iadd(len, arity);
    let one_more = e.is(IntCC::UnsignedLessThan, count, room);
    let some_more = e.fits(new_len, machine!(window.args.room));
    e.or_leave(e.band(one_more, some_more), || {
        e.return_(e.call(step!(push_choice), &[kind, first, second, arity]));
    });
    let (x, args) = (e.field(machine!(window.x)), e.field(machine!(window.args.at)));
    e.copy(x, e.element(args, len, 3), arity);
    e.set_field(machine!(window.args.len), new_len);
    let choice = e.choice_at(count);
    for (value, offset) in [
        (kind, choice!(alt)),
        (first, choice!(alt) + 4),
        (second, choice!(alt) + 8),
        (e.field(machine!(e)), choice!(e)),
        (e.field32(machine!(cp)), choice!(cp)),
        (e.field32(machine!(b0)), choice!(b0)),
        (len, choice!(args)),
        (e.field(machine!(window.bags)), choice!(bags)),
    ] {
        e.store32(value, choice, offset);
    }
    e.store(e.field(machine!(window.trail.len)), choice, choice!(trail));
    let top = e.field(machine!(window.heap.len));
    e.set_field(machine!(window.barrier), top);
    e.store(e.ushr_imm(top, 3), choice, choice!(heap));
    let frames = e.frames_top();
    e.store32(frames, choice, choice!(frames));
    e.set_field(machine!(protected), frames);
    e.set_field(machine!(window.choices.len), e.iadd_imm(count, 1));
    e.return_(e.constant(YES));
}

/// Drops the choice points above a height, of which there are some, unless cleanups wait there.
fn cut_to(e: &Emit<'_, '_>, [height]: [Value; 1]) {
    let cleanups = e.field(machine!(window.cleanups));
    let is_free = e.is(IntCC::UnsignedLessThanOrEqual, cleanups, height);
    e.or_leave(is_free, || e.return_(e.constant(NO)));
    let choice = e.choice_at(height);
    e.set_field(machine!(window.args.len), e.load32(choice, choice!(args)));
    e.set_field(machine!(window.choices.len), height);
    e.refresh_barrier(height);
    e.return_(e.constant(YES));
}

/// Backtracks: to the next clause or into an environment here, else by a step.
fn fail(e: &Emit<'_, '_>, []: [Value; 0]) {
    let slow = e.rare();
    let count = e.field(machine!(window.choices.len));
    e.require(count, slow);
    let newest = e.iadd_imm(count, -1);
    let choice = e.choice_at(newest);
    let alt = e.load32(choice, choice!(alt));
    let mark = e.load(choice, choice!(trail));
    e.require(e.is_constant(IntCC::UnsignedLessThanOrEqual, alt, Pushed::Else as u64), slow);
    // The trail, from its top down.
    let ((undo, left), [one, undone, plain]) = (e.taking(), e.blocks());
    let value = e.rare();
    let trail = e.field(machine!(window.trail.at));
    e.jump_with(undo, &[e.field(machine!(window.trail.len))]);
    e.enter(undo);
    e.branch(e.is(IntCC::UnsignedGreaterThan, left, mark), one, undone);
    e.enter(one);
    let next = e.iadd_imm(left, -1);
    let entry = e.load(e.element(trail, next, 3), 0);
    e.branch(e.equals(entry, VALUE as u64), value, plain);
    e.enter(value);
    // What is undone so far stays so.
    e.set_field(machine!(window.trail.len), left);
    e.jump(slow);
    e.enter(plain);
    let variable = e.ishl_imm(entry, 3);
    e.set_heap_cell(variable, variable, 0);
    e.jump_with(undo, &[next]);
    e.enter(undone);
    e.set_field(machine!(window.trail.len), mark);
    e.set_top(e.ishl_imm(e.load(choice, choice!(heap)), 3));
    e.set_field(machine!(e), e.load32(choice, choice!(e)));
    e.set_field32(machine!(cp), e.load32(choice, choice!(cp)));
    e.set_field32(machine!(b0), e.load32(choice, choice!(b0)));
    let from = e.load32(choice, choice!(args));
    let next = e.load32(choice, choice!(alt) + 4);
    let [keep, clauses] = e.blocks();
    let ((go, to), (pop, popped)) = (e.taking(), e.taking());
    e.branch_with(alt, (pop, &[next]), (clauses, &[]));
    e.enter(clauses);
    let arity = e.isub(e.field(machine!(window.args.len)), from);
    let (args, x) = (e.field(machine!(window.args.at)), e.field(machine!(window.x)));
    e.copy(e.element(args, from, 3), x, arity);
    let end = e.load32(choice, choice!(alt) + 8);
    let target = e.load32(e.element(e.field(machine!(window.targets)), next, 2), 0);
    let clause = e.band_imm(target, i64::from(!DECIDES));
    let after = e.iadd_imm(next, 1);
    e.branch_with(e.equal(after, end), (pop, &[clause]), (keep, &[]));
    e.enter(keep);
    e.store32(after, choice, choice!(alt) + 4);
    e.jump_with(go, &[clause]);
    e.enter(pop);
    e.set_field(machine!(window.args.len), from);
    e.set_field(machine!(window.choices.len), newest);
    e.refresh_barrier(newest);
    e.jump_with(go, &[popped]);
    e.enter(go);
    e.go_to(to);
    e.enter(slow);
    e.go_on_by(step!(fail), &[]);
}

/// Unifies two cells: variables without attributes here, compounds and the like by a step.
fn unify(e: &Emit<'_, '_>, [a, other, limit]: [Value; 3]) {
    let (a, other) = (e.deref(a), e.deref(other));
    let [yes, no, by_step, differ, vars, values, plain] = e.blocks();
    e.branch(e.equal(a, other), yes, differ);
    e.enter(differ);
    let (first, second) = (e.is_var(a), e.is_var(other));
    e.branch(e.bor(first, second), vars, values);
    e.enter(values);
    e.require(e.equal(e.tag(a), e.tag(other)), no);
    e.branch(e.is_word(a), no, by_step);
    e.enter(vars);
    let attributed = e.bor(e.has_tag(a, Tag::Attributed), e.has_tag(other, Tag::Attributed));
    e.branch(attributed, by_step, plain);
    e.enter(plain);
    // The younger of two variables is bound.
    let younger = e.is(IntCC::UnsignedGreaterThan, other, a);
    let swap = e.bor(e.band(e.band(first, second), younger), e.equals(first, 0));
    let (variable, value) = (e.select(swap, other, a), e.select(swap, a, other));
    e.bind(variable, value, Barrier::Tried(limit));
    e.jump(yes);
    e.enter(by_step);
    e.return_(e.call(step!(unify), &[a, other, limit]));
    for (block, status) in [(yes, YES), (no, NO)] {
        e.enter(block);
        e.return_(e.constant(status));
    }
}
