//! Tests, arithmetic and built-ins.

use super::Clause;
use crate::Machine;
use crate::arithmetic::{Op1, Op2};
use crate::instr::{Relation, Slot, TypeTest};
use crate::native::emit::{CELL, Emit, arg, window};
use crate::native::steps;
use crate::native::window::Window;
use crate::program::Known;
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::types::I64;
use zug_jit::codegen::ir::{Block, InstBuilder, Value};
use zug_term::symbol::atoms;
use zug_term::{Cell, MAX_ARITY, Tag};

impl Clause<'_, '_, '_> {
    pub(super) fn type_test(&mut self, at: usize, test: TypeTest, slot: Slot, else_by: u16) {
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

    pub(super) fn type_step(&mut self, test: TypeTest, value: Value) -> Value {
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
    pub(super) fn number(&mut self, slot: Slot) -> Value {
        let value = self.e.slot(slot);
        if slot.0 >= Slot::CONST { value } else { self.e.deref(value) }
    }

    pub(super) fn compare_numbers(
        &mut self,
        at: usize,
        relation: Relation,
        (a, b): (Slot, Slot),
        by: u16,
    ) {
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

    pub(super) fn compare_terms(
        &mut self,
        at: usize,
        relation: Relation,
        (a, b): (Slot, Slot),
        by: u16,
    ) {
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

    pub(super) fn arithmetic(&mut self, at: usize, op: Op2, d: u16, (a, b): (Slot, Slot)) {
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

    pub(super) fn has_fast(&self, op: Op2) -> bool {
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
    pub(super) fn fast(&mut self, op: Op2, a: Value, b: Value, slow: Block) -> Value {
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

    pub(super) fn unary(&mut self, at: usize, op: Op1, d: u16, a: Slot) {
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

    pub(super) fn builtin(&mut self, at: usize, id: u16, base: u16, else_by: u16) {
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
    pub(super) fn count_builtin(&mut self) {
        let built = self.e.field(offset_of!(Machine, built) as i32);
        let more = self.e.b.ins().iadd_imm(built, 1);
        self.e.set_field(offset_of!(Machine, built) as i32, more);
    }

    /// Unifies a register with a value as a built-in does that goes on elsewhere if they differ.
    pub(super) fn unify_or(&mut self, at: usize, x: u16, value: Value, otherwise: Block) {
        self.bound = true;
        let x = self.e.x(x);
        let barrier = self.barrier();
        let status = self.e.unify(x, value, barrier);
        self.check(status, at, otherwise);
    }

    /// Address of the arguments of a compound, and their number; goes on elsewhere with all else.
    pub(super) fn parts(
        &mut self,
        term: Value,
        [compound, list, other]: [Block; 3],
    ) -> (Value, Value) {
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
    pub(super) fn arity_of(&mut self, header: Value) -> Value {
        let arity = self.e.b.ins().ushr_imm(header, 5);
        self.e.b.ins().band_imm(arity, MAX_ARITY as i64)
    }

    /// `'$arg'/3` of a compound and a number of an argument that it has; all else goes on in `rest`.
    pub(super) fn read_argument(
        &mut self,
        at: usize,
        base: u16,
        (done, rest, no): (Block, Block, Block),
    ) {
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
    pub(super) fn read_functor(
        &mut self,
        at: usize,
        base: u16,
        (done, rest, no): (Block, Block, Block),
    ) {
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

    pub(super) fn call_builtin(&mut self, at: usize, id: u16, base: u16, otherwise: Block) {
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
}

/// Whether both are integers kept in a word.
pub(in crate::native) fn are_ints(e: &mut Emit<'_, '_>, a: Value, b: Value) -> Value {
    // The tag of integers is 6: what differs from it shows in either.
    let tag = Tag::Int as i64;
    let a = e.b.ins().bxor_imm(a, tag);
    let b = e.b.ins().bxor_imm(b, tag);
    let either = e.b.ins().bor(a, b);
    let bits = e.b.ins().band_imm(either, 7);
    e.is_constant(IntCC::Equal, bits, 0)
}

/// A relation of integers kept in words.
pub(in crate::native) fn condition(relation: Relation) -> IntCC {
    match relation {
        Relation::Equal => IntCC::Equal,
        Relation::NotEqual => IntCC::NotEqual,
        Relation::Less => IntCC::SignedLessThan,
        Relation::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        Relation::Greater => IntCC::SignedGreaterThan,
        Relation::LessEqual => IntCC::SignedLessThanOrEqual,
    }
}
