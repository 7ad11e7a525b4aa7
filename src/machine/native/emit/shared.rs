//! The functions that all machine code shares: into it and out of it, calls, choice points, unification.

use super::{Barrier, CELL, Emit, arg, inner, outer, parameters, signature, window};
use crate::choices::Choice;
use crate::frames::FRAME;
use crate::native::steps::{self, Pushed};
use crate::native::window::Window;
use crate::unify::VALUE;
use crate::{Machine, shallow};
use std::mem::offset_of;
use zug_jit::Assembly;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::I64;
use zug_jit::codegen::ir::{InstBuilder, MemFlags, Value};
use zug_jit::frontend::FunctionBuilder;
use zug_term::Tag;

/// The functions that all machine code shares, in the order of their numbers in [`Shared`].
pub(in crate::native) fn shared() -> Option<Assembly> {
    zug_jit::outer_convention()?;
    Assembly::make(&mut [
        (outer(2), Box::new(enter)),
        (signature(), Box::new(leave)),
        (inner(3), Box::new(bind)),
        (signature(), Box::new(proceed)),
        (inner(3), Box::new(call)),
        (inner(5), Box::new(push_choice)),
        (inner(2), Box::new(cut_to)),
        (signature(), Box::new(fail)),
        (inner(3), Box::new(goal)),
    ])
}

/// Unification, which calls one of them.
pub(in crate::native) fn unifier() -> Option<Assembly> {
    zug_jit::outer_convention()?;
    Assembly::make(&mut [(inner(4), Box::new(unify))])
}

fn enter(b: &mut FunctionBuilder<'_>) {
    let [m, function] = parameters(b);
    let inner = b.import_signature(signature());
    let call = b.ins().call_indirect(inner, function, &[m]);
    let exit = b.inst_results(call)[0];
    b.ins().return_(&[exit]);
}

fn leave(b: &mut FunctionBuilder<'_>) {
    let [m] = parameters(b);
    let exit = b.ins().load(I64, MemFlags::trusted(), m, window!(exit));
    b.ins().return_(&[exit]);
}

/// Binds a variable that is older than the newest choice point, or has attributes.
fn bind(b: &mut FunctionBuilder<'_>) {
    let [m, variable, value] = parameters(b);
    let mut e = Emit::of(b, m);
    let (plain, attributed, next) = (e.block(), e.rare(), e.block());
    let is_attributed = e.has_tag(variable, Tag::Attributed);
    e.branch(is_attributed, attributed, plain);
    e.enter(attributed);
    e.call(steps::bind_attributed as *const () as usize, &[variable, value]);
    e.jump(next);
    e.enter(plain);
    e.set_heap_cell(value, variable, 0);
    e.note(variable);
    e.jump(next);
    e.enter(next);
    let yes = e.constant(steps::YES);
    e.b.ins().return_(&[yes]);
}

/// Returns to the continuation.
fn proceed(b: &mut FunctionBuilder<'_>) {
    let [m] = parameters(b);
    let mut e = Emit::of(b, m);
    let cp = e.field32(offset_of!(Machine, cp));
    e.go_to(cp);
}

/// Calls a predicate, whose arguments are saved, by the instruction at an address.
fn call(b: &mut FunctionBuilder<'_>) {
    let [m, pred, called_at] = parameters(b);
    let mut e = Emit::of(b, m);
    e.tick_call(pred, called_at);
    let entries = e.field(window!(entries));
    let offset = e.b.ins().ishl_imm(pred, 2);
    let at = e.b.ins().iadd(entries, offset);
    let entry = e.b.ins().uload32(MemFlags::trusted(), at, 0);
    e.go_to(entry);
}

/// As [`call`], of a `call/n`.
fn goal(b: &mut FunctionBuilder<'_>) {
    let [m, pred, called_at] = parameters(b);
    let mut e = Emit::of(b, m);
    e.tick_call(pred, called_at);
    e.go_on_by(steps::goal as *const () as usize, &[pred]);
}

/// Loads and stores of the fields of a choice point.
macro_rules! choice {
    ($field:ident) => {
        offset_of!(Choice, $field) as i32
    };
}

impl Emit<'_, '_> {
    /// The address of a choice point.
    fn choice_at(&mut self, number: Value) -> Value {
        let first = self.field(window!(choices_at));
        let offset = self.b.ins().imul_imm(number, size_of::<Choice>() as i64);
        self.b.ins().iadd(first, offset)
    }

    fn load32(&mut self, at: Value, offset: i32) -> Value {
        self.b.ins().uload32(MemFlags::trusted(), at, offset)
    }

    fn store32(&mut self, value: Value, at: Value, offset: i32) {
        self.b.ins().istore32(MemFlags::trusted(), value, at, offset);
    }

    /// Copies a number of cells.
    fn copy(&mut self, from: Value, to: Value, count: Value) {
        let (one, done) = (self.block(), self.block());
        let at = self.b.append_block_param(one, I64);
        let zero = self.constant(0);
        self.b.ins().brif(count, one, &[arg(zero)], done, &[]);
        self.enter(one);
        let offset = self.b.ins().ishl_imm(at, 3);
        let (source, target) = (self.b.ins().iadd(from, offset), self.b.ins().iadd(to, offset));
        let cell = self.load(source, 0);
        self.store(cell, target, 0);
        let next = self.b.ins().iadd_imm(at, 1);
        let more = self.is(IntCC::UnsignedLessThan, next, count);
        self.b.ins().brif(more, one, &[arg(next)], done, &[]);
        self.enter(done);
    }

    /// Sets what depends on the newest choice point, of so many.
    fn refresh_barrier(&mut self, count: Value) {
        let (some, none, next) = (self.block(), self.rare(), self.block());
        self.branch(count, some, none);
        self.enter(some);
        let newest = self.b.ins().iadd_imm(count, -1);
        let choice = self.choice_at(newest);
        let heap = self.load(choice, choice!(heap));
        let barrier = self.b.ins().ishl_imm(heap, 3);
        self.set_field(window!(barrier), barrier);
        let frames = self.load32(choice, choice!(frames));
        self.set_field(offset_of!(Machine, protected) as i32, frames);
        self.jump(next);
        self.enter(none);
        let zero = self.constant(0);
        self.set_field(window!(barrier), zero);
        self.set_field(offset_of!(Machine, protected) as i32, zero);
        self.jump(next);
        self.enter(next);
    }

    /// The first free word of the environments.
    pub(super) fn frames_top(&mut self) -> Value {
        let e = self.field(offset_of!(Machine, e) as i32);
        let protected = self.field(offset_of!(Machine, protected) as i32);
        let (own, found) = (self.block(), self.block());
        let top = self.b.append_block_param(found, I64);
        let is_own = self.is(IntCC::UnsignedGreaterThanOrEqual, e, protected);
        self.b.ins().brif(is_own, own, &[], found, &[arg(protected)]);
        self.enter(own);
        self.frame_at(e);
        let frame = self.b.use_var(self.frame);
        let size = self.load32(frame, CELL);
        let end = self.b.ins().iadd(e, size);
        let end = self.b.ins().iadd_imm(end, FRAME as i64);
        self.b.ins().jump(found, &[arg(end)]);
        self.enter(found);
        top
    }
}

/// Makes a choice point of a kind, with its parts, for so many arguments in X.
fn push_choice(b: &mut FunctionBuilder<'_>) {
    let [m, kind, first, second, arity] = parameters(b);
    let mut e = Emit::of(b, m);
    let (count, room) = (e.field(window!(choices)), e.field(window!(choices_room)));
    let (len, args_room) = (e.field(window!(args_len)), e.field(window!(args_room)));
    let new_len = e.b.ins().iadd(len, arity);
    let one_more = e.is(IntCC::UnsignedLessThan, count, room);
    let some_more = e.is(IntCC::UnsignedLessThanOrEqual, new_len, args_room);
    let fits = e.b.ins().band(one_more, some_more);
    let (here, slow) = (e.block(), e.rare());
    e.branch(fits, here, slow);
    e.enter(slow);
    let status = e.call(steps::push_choice as *const () as usize, &[kind, first, second, arity]);
    e.b.ins().return_(&[status]);
    e.enter(here);
    let (x, args) = (e.field(window!(x)), e.field(window!(args)));
    let offset = e.b.ins().ishl_imm(len, 3);
    let to = e.b.ins().iadd(args, offset);
    e.copy(x, to, arity);
    e.set_field(window!(args_len), new_len);
    let choice = e.choice_at(count);
    e.store32(kind, choice, choice!(alt));
    e.store32(first, choice, choice!(alt) + 4);
    e.store32(second, choice, choice!(alt) + 8);
    let own = e.field(offset_of!(Machine, e) as i32);
    e.store32(own, choice, choice!(e));
    let cp = e.field32(offset_of!(Machine, cp));
    e.store32(cp, choice, choice!(cp));
    let b0 = e.field32(offset_of!(Machine, b0));
    e.store32(b0, choice, choice!(b0));
    e.store32(len, choice, choice!(args));
    let bags = e.field(window!(bags));
    e.store32(bags, choice, choice!(bags));
    let trail = e.field(window!(trail_len));
    e.store(trail, choice, choice!(trail));
    let top = e.field(window!(top));
    e.set_field(window!(barrier), top);
    let heap = e.b.ins().ushr_imm(top, 3);
    e.store(heap, choice, choice!(heap));
    let frames = e.frames_top();
    e.store32(frames, choice, choice!(frames));
    e.set_field(offset_of!(Machine, protected) as i32, frames);
    let more = e.b.ins().iadd_imm(count, 1);
    e.set_field(window!(choices), more);
    let yes = e.constant(steps::YES);
    e.b.ins().return_(&[yes]);
}

/// Drops the choice points above a height, of which there are some, unless cleanups wait there.
fn cut_to(b: &mut FunctionBuilder<'_>) {
    let [m, height] = parameters(b);
    let mut e = Emit::of(b, m);
    let cleanups = e.field(window!(cleanups));
    let owes = e.is(IntCC::UnsignedGreaterThan, cleanups, height);
    let (here, slow) = (e.block(), e.rare());
    e.branch(owes, slow, here);
    e.enter(slow);
    let no = e.constant(steps::NO);
    e.b.ins().return_(&[no]);
    e.enter(here);
    let choice = e.choice_at(height);
    let args = e.load32(choice, choice!(args));
    e.set_field(window!(args_len), args);
    e.set_field(window!(choices), height);
    e.refresh_barrier(height);
    let yes = e.constant(steps::YES);
    e.b.ins().return_(&[yes]);
}

/// Backtracks: to the next clause or into an environment here, else by a step.
fn fail(b: &mut FunctionBuilder<'_>) {
    let [m] = parameters(b);
    let mut e = Emit::of(b, m);
    let slow = e.rare();
    let count = e.field(window!(choices));
    e.require(count, slow);
    let newest = e.b.ins().iadd_imm(count, -1);
    let choice = e.choice_at(newest);
    let alt = e.load32(choice, choice!(alt));
    let (known, mark) = (e.block(), e.load(choice, choice!(trail)));
    let is_known = e.is_constant(IntCC::UnsignedLessThanOrEqual, alt, Pushed::Else as u64);
    e.branch(is_known, known, slow);
    e.enter(known);
    // The trail, from its top down.
    let (undo, one, undone) = (e.block(), e.block(), e.block());
    let trail = e.field(window!(trail));
    let len = e.field(window!(trail_len));
    let left = e.b.append_block_param(undo, I64);
    e.b.ins().jump(undo, &[arg(len)]);
    e.enter(undo);
    let more = e.is(IntCC::UnsignedGreaterThan, left, mark);
    e.branch(more, one, undone);
    e.enter(one);
    let next = e.b.ins().iadd_imm(left, -1);
    let offset = e.b.ins().ishl_imm(next, 3);
    let at = e.b.ins().iadd(trail, offset);
    let entry = e.load(at, 0);
    let (plain, value) = (e.block(), e.rare());
    let is_value = e.is_constant(IntCC::Equal, entry, VALUE as u64);
    e.branch(is_value, value, plain);
    e.enter(value);
    // What is undone so far stays so.
    e.set_field(window!(trail_len), left);
    e.jump(slow);
    e.enter(plain);
    let variable = e.b.ins().ishl_imm(entry, 3);
    e.set_heap_cell(variable, variable, 0);
    e.b.ins().jump(undo, &[arg(next)]);
    e.enter(undone);
    e.set_field(window!(trail_len), mark);
    let heap = e.load(choice, choice!(heap));
    let top = e.b.ins().ishl_imm(heap, 3);
    e.set_top(top);
    let own = e.load32(choice, choice!(e));
    e.set_field(offset_of!(Machine, e) as i32, own);
    let cp = e.load32(choice, choice!(cp));
    e.set_field32(offset_of!(Machine, cp), cp);
    let b0 = e.load32(choice, choice!(b0));
    e.set_field32(offset_of!(Machine, b0), b0);
    let from = e.load32(choice, choice!(args));
    let next = e.load32(choice, choice!(alt) + 4);
    let (pop, keep, go, clauses) = (e.block(), e.block(), e.block(), e.block());
    let to = e.b.append_block_param(go, I64);
    let popped = e.b.append_block_param(pop, I64);
    e.b.ins().brif(alt, pop, &[arg(next)], clauses, &[]);
    e.enter(clauses);
    let len = e.field(window!(args_len));
    let arity = e.b.ins().isub(len, from);
    let (args, x) = (e.field(window!(args)), e.field(window!(x)));
    let offset = e.b.ins().ishl_imm(from, 3);
    let source = e.b.ins().iadd(args, offset);
    e.copy(source, x, arity);
    let end = e.load32(choice, choice!(alt) + 8);
    let targets = e.field(window!(targets));
    let offset = e.b.ins().ishl_imm(next, 2);
    let at = e.b.ins().iadd(targets, offset);
    let target = e.load32(at, 0);
    let clause = e.b.ins().band_imm(target, i64::from(!shallow::DECIDES));
    let after = e.b.ins().iadd_imm(next, 1);
    let is_last = e.is(IntCC::Equal, after, end);
    e.b.ins().brif(is_last, pop, &[arg(clause)], keep, &[]);
    e.enter(keep);
    e.store32(after, choice, choice!(alt) + 4);
    e.b.ins().jump(go, &[arg(clause)]);
    e.enter(pop);
    e.set_field(window!(args_len), from);
    e.set_field(window!(choices), newest);
    e.refresh_barrier(newest);
    e.b.ins().jump(go, &[arg(popped)]);
    e.enter(go);
    e.go_to(to);
    e.enter(slow);
    e.go_on_by(steps::fail as *const () as usize, &[]);
}

/// Unifies two cells: variables without attributes here, compounds and the like by a step.
fn unify(b: &mut FunctionBuilder<'_>) {
    let [m, a, other, limit] = parameters(b);
    let mut e = Emit::of(b, m);
    let (a, other) = (e.deref(a), e.deref(other));
    let [yes, no, by_step, differ, vars, values, plain] = [0; 7].map(|_| e.block());
    let same = e.is(IntCC::Equal, a, other);
    e.branch(same, yes, differ);
    e.enter(differ);
    let (first, second) = (e.is_var(a), e.is_var(other));
    let any = e.b.ins().bor(first, second);
    e.branch(any, vars, values);
    e.enter(values);
    let (left, right) = (e.tag(a), e.tag(other));
    let alike = e.is(IntCC::Equal, left, right);
    e.require(alike, no);
    let constant = e.is_word(a);
    e.branch(constant, no, by_step);
    e.enter(vars);
    let (one, two) = (e.has_tag(a, Tag::Attributed), e.has_tag(other, Tag::Attributed));
    let attributed = e.b.ins().bor(one, two);
    e.branch(attributed, by_step, plain);
    e.enter(plain);
    // The younger of two variables is bound.
    let both = e.b.ins().band(first, second);
    let younger = e.is(IntCC::UnsignedGreaterThan, other, a);
    let swap = e.b.ins().band(both, younger);
    let only_second = e.is_constant(IntCC::Equal, first, 0);
    let swap = e.b.ins().bor(swap, only_second);
    let variable = e.b.ins().select(swap, other, a);
    let value = e.b.ins().select(swap, a, other);
    e.bind(variable, value, Barrier::Tried(limit));
    e.jump(yes);
    e.enter(by_step);
    let status = e.call(steps::unify as *const () as usize, &[a, other, limit]);
    e.b.ins().return_(&[status]);
    for (block, status) in [(yes, steps::YES), (no, steps::NO)] {
        e.enter(block);
        let status = e.constant(status);
        e.b.ins().return_(&[status]);
    }
}
