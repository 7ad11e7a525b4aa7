//! Tests, arithmetic and built-ins.

use super::Clause;
use crate::Machine;
use crate::arithmetic::{Op1, Op2};
use crate::instr::{Relation, Slot, TypeTest};
use crate::native::emit::{CELL, Emit, machine, step};
use crate::native::steps::{UNDECIDED, UNWIND};
use crate::program::Known;
use std::mem::offset_of;
use zug_jit::codegen::ir::condcodes::IntCC;
use zug_jit::codegen::ir::{Block, InstBuilder, Value};
use zug_term::symbol::atoms;
use zug_term::{Cell, MAX_ARITY, Tag};

const INT: i64 = Tag::Int as i64;

impl Clause<'_, '_, '_> {
    pub(super) fn type_test(&mut self, at: usize, test: TypeTest, slot: Slot, else_by: u16) {
        self.wake(at);
        let e = self.e;
        let value = e.deref(e.slot(slot));
        let otherwise = self.otherwise(at, else_by);
        let tag = e.tag(value);
        let holds = match test {
            TypeTest::Var => e.is_var(value),
            TypeTest::Nonvar => e.equals(e.is_var(value), 0),
            TypeTest::Integer | TypeTest::Number => {
                // Those in the word are what is met.
                let [next, other] = e.blocks();
                e.branch(e.is_any(tag, &[Tag::Int]), next, other);
                e.enter(other);
                e.require(e.is_any(tag, &[Tag::Boxed]), otherwise);
                e.branch(self.type_step(test, value), next, otherwise);
                return e.enter(next);
            }
            TypeTest::Float | TypeTest::String | TypeTest::IsList | TypeTest::Ground => {
                self.type_step(test, value)
            }
            _ => e.is_any(tag, tags(test)),
        };
        e.require(holds, otherwise);
    }

    fn type_step(&self, test: TypeTest, value: Value) -> Value {
        let e = self.e;
        let status = e.step(step!(type_test), &[e.constant(test as u64), value]);
        let decided = e.is_constant(IntCC::NotEqual, status, UNWIND);
        e.or_leave(decided, || self.leave_with(status, 0));
        status
    }

    /// The content of a slot, dereferenced as far as it is no integer.
    pub(super) fn number(&self, slot: Slot) -> Value {
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
        let e = self.e;
        let (a, b) = (self.number(a), self.number(b));
        let otherwise = self.otherwise(at, by);
        let (fast, slow, next) = (e.block(), e.rare(), e.block());
        e.branch(are_ints(e, a, b), fast, slow);
        e.enter(slow);
        self.compare_by_step(at, step!(compare_numbers), relation, (a, b), otherwise);
        e.jump(next);
        e.enter(fast);
        e.branch(e.is(condition(relation), a, b), next, otherwise);
        e.enter(next);
    }

    pub(super) fn compare_terms(
        &mut self,
        at: usize,
        relation: Relation,
        (a, b): (Slot, Slot),
        by: u16,
    ) {
        self.wake(at);
        let e = self.e;
        let (a, b) = (e.deref(e.slot(a)), e.deref(e.slot(b)));
        let otherwise = self.otherwise(at, by);
        let [next, slow] = e.blocks();
        if let Relation::Equal | Relation::NotEqual = relation {
            let (same, differ) = match relation {
                Relation::Equal => (next, otherwise),
                _ => (otherwise, next),
            };
            let other = e.block();
            e.branch(e.equal(a, b), same, other);
            e.enter(other);
            let tag = e.tag(a);
            e.require(e.equal(tag, e.tag(b)), differ);
            // Atoms, small integers and variables are equal only as words.
            e.branch(e.is_any(tag, &[Tag::List, Tag::Struct, Tag::Boxed]), slow, differ);
        } else {
            e.jump(slow);
        }
        e.enter(slow);
        self.compare_by_step(at, step!(compare_terms), relation, (a, b), otherwise);
        e.jump(next);
        e.enter(next);
    }

    /// Compares by a step: goes on where the relation holds.
    fn compare_by_step(
        &self,
        at: usize,
        function: usize,
        relation: Relation,
        (a, b): (Value, Value),
        otherwise: Block,
    ) {
        let number = self.e.constant(relation as u64);
        self.check(self.e.step(function, &[number, a, b]), at, otherwise);
    }

    pub(super) fn arithmetic(&mut self, at: usize, op: Op2, d: u16, (a, b): (Slot, Slot)) {
        self.wake(at);
        let e = self.e;
        let (a, b) = (self.number(a), self.number(b));
        let (slow, (done, result)) = (e.rare(), e.taking());
        if has_fast(op) {
            e.require(are_ints(e, a, b), slow);
            e.jump_with(done, &[fast(e, op, a, b, slow)]);
        } else {
            e.jump(slow);
        }
        e.enter(slow);
        self.computed(at, step!(arith2), &[e.constant(op as u64), a, b], done);
        e.set_x(d, result);
    }

    pub(super) fn unary(&mut self, at: usize, op: Op1, d: u16, a: Slot) {
        self.wake(at);
        let e = self.e;
        let value = self.number(a);
        let (slow, (done, result)) = (e.rare(), e.taking());
        if op == Op1::Negate {
            e.require(e.has_tag(value, Tag::Int), slow);
            let (zero, bare) = (e.constant(0), e.iadd_imm(value, -INT));
            let negative = e.exactly(slow, |b| b.ins().ssub_overflow(zero, bare));
            e.jump_with(done, &[e.with_tag(negative, Tag::Int)]);
        } else {
            e.jump(slow);
        }
        e.enter(slow);
        self.computed(at, step!(arith1), &[e.constant(op as u64), value], done);
        e.set_x(d, result);
    }

    pub(super) fn builtin(&mut self, at: usize, id: u16, base: u16, else_by: u16) {
        self.wake(at);
        let e = self.e;
        let otherwise = self.otherwise(at, else_by);
        let [done, rest] = e.blocks();
        match self.body.program.known(id) {
            Some(Known::Arg) => self.read_argument(at, base, [done, rest, otherwise]),
            Some(Known::Functor) => self.read_functor(at, base, [done, rest, otherwise]),
            None => return self.call_builtin(at, id, base, otherwise),
        }
        let dirty = e.dirty();
        e.enter(rest);
        self.call_builtin(at, id, base, otherwise);
        e.jump(done);
        e.enter(done);
        e.set_dirty(dirty);
    }

    fn count_builtin(&self) {
        let built = self.e.field(machine!(built));
        self.e.set_field(machine!(built), self.e.iadd_imm(built, 1));
    }

    /// Address of the arguments of a compound, and their number; goes on elsewhere with all else.
    fn parts(&self, term: Value, [list, other]: [Block; 2]) -> (Value, Value) {
        let e = self.e;
        let (tagged, is_list) = (e.has_tag(term, Tag::Struct), e.has_tag(term, Tag::List));
        let [compound, next] = e.blocks();
        e.branch(tagged, compound, next);
        e.enter(next);
        e.branch(is_list, list, other);
        e.enter(compound);
        let address = e.address(term, Tag::Struct);
        let header = e.heap_cell(address, 0);
        (e.iadd_imm(address, i64::from(CELL)), header)
    }

    fn arity_of(&self, header: Value) -> Value {
        self.e.band_imm(self.e.ushr_imm(header, 5), MAX_ARITY as i64)
    }

    /// `'$arg'/3` of a compound and a number of an argument that it has; all else goes on in `rest`.
    fn read_argument(&mut self, at: usize, base: u16, [done, rest, no]: [Block; 3]) {
        let e = self.e;
        let (number, term) = (e.deref(e.x(base)), e.deref(e.x(base + 1)));
        e.require(e.has_tag(number, Tag::Int), rest);
        let index = e.iadd_imm(e.sshr_imm(number, 3), -1);
        let (list, (found, of)) = (e.block(), e.taking());
        let (args, header) = self.parts(term, [list, rest]);
        let has = e.is(IntCC::UnsignedLessThan, index, self.arity_of(header));
        e.branch_with(has, (found, &[args]), (rest, &[]));
        e.enter(list);
        let args = e.address(term, Tag::List);
        let has = e.is_constant(IntCC::UnsignedLessThan, index, 2);
        e.branch_with(has, (found, &[args]), (rest, &[]));
        e.enter(found);
        let value = e.heap_cell(e.iadd(of, e.ishl_imm(index, 3)), 0);
        self.count_builtin();
        self.unify_or(at, e.x(base + 2), value, no);
        e.jump(done);
    }

    /// `functor/3` of what is no variable and stands in a word, or is a compound; all else goes on in `rest`.
    fn read_functor(&mut self, at: usize, base: u16, [done, rest, no]: [Block; 3]) {
        let e = self.e;
        let term = e.deref(e.x(base));
        let [list, other] = e.blocks();
        let (told, name) = e.taking();
        let arity = e.parameter(told);
        let (_, header) = self.parts(term, [list, other]);
        let own_name = e.with_tag(e.ishl_imm(e.ushr_imm(header, 32), 3), Tag::Atom);
        e.jump_with(told, &[own_name, e.small(self.arity_of(header))]);
        e.enter(list);
        e.jump_with(told, &[e.cell(Cell::atom(atoms::DOT)), e.cell(Cell::small(2))]);
        e.enter(other);
        e.require(e.is_word(term), rest);
        e.jump_with(told, &[term, e.cell(Cell::ZERO)]);
        e.enter(told);
        self.count_builtin();
        self.unify_or(at, e.x(base + 1), name, no);
        self.unify_or(at, e.x(base + 2), arity, no);
        e.jump(done);
    }

    fn call_builtin(&mut self, at: usize, id: u16, base: u16, otherwise: Block) {
        let e = self.e;
        // Its arity is the host's to know: all from there on are saved.
        e.save(e.dirty().range(base..).copied());
        let args = [e.constant(u64::from(id)), e.constant(u64::from(base))];
        let status = e.step_at(machine!(window.builtin), &args);
        self.bound = true;
        if self.framed {
            e.load_frame();
        }
        let decided = e.is_constant(IntCC::NotEqual, status, UNDECIDED);
        e.or_leave(decided, || self.out(at));
        self.check(status, at, otherwise);
    }
}

/// The tags that terms have of which a type test may hold.
pub(in crate::native) fn tags(test: TypeTest) -> &'static [Tag] {
    match test {
        TypeTest::Var => &[],
        TypeTest::Atom => &[Tag::Atom],
        TypeTest::Compound => &[Tag::List, Tag::Struct],
        TypeTest::Callable => &[Tag::List, Tag::Struct, Tag::Atom],
        TypeTest::Atomic => &[Tag::Atom, Tag::Int, Tag::Boxed],
        TypeTest::Integer | TypeTest::Number => &[Tag::Int, Tag::Boxed],
        TypeTest::Float | TypeTest::String => &[Tag::Boxed],
        TypeTest::Nonvar | TypeTest::IsList | TypeTest::Ground => {
            &[Tag::List, Tag::Struct, Tag::Atom, Tag::Int, Tag::Boxed]
        }
    }
}

/// Whether machine code computes an operation of two integers in words.
fn has_fast(op: Op2) -> bool {
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
fn fast(e: &Emit<'_, '_>, op: Op2, a: Value, b: Value, slow: Block) -> Value {
    let untagged = |value| e.iadd_imm(value, -INT);
    let number = |value| e.sshr_imm(value, 3);
    match op {
        Op2::Add => {
            let by = untagged(b);
            e.exactly(slow, |b| b.ins().sadd_overflow(a, by))
        }
        Op2::Subtract => {
            let by = untagged(b);
            e.exactly(slow, |b| b.ins().ssub_overflow(a, by))
        }
        Op2::Multiply => {
            let (left, right) = (untagged(a), number(b));
            e.bor_imm(e.exactly(slow, |b| b.ins().smul_overflow(left, right)), INT)
        }
        Op2::BitAnd => e.band(a, b),
        Op2::BitOr => e.bor(a, b),
        Op2::Xor => e.bor_imm(e.bxor(a, b), INT),
        Op2::Min => e.select(e.is(IntCC::SignedLessThan, a, b), a, b),
        Op2::Max => e.select(e.is(IntCC::SignedGreaterThan, a, b), a, b),
        Op2::ShiftRight => {
            let by = number(b);
            e.require(e.is_constant(IntCC::UnsignedLessThan, by, 61), slow);
            e.bor_imm(e.band_imm(e.sshr(a, by), !7), INT)
        }
        _ => {
            let (left, right) = (number(a), number(b));
            // Division by 0 and -1 has its own ways; so has a floor below zero.
            e.require(e.is_constant(IntCC::SignedGreaterThan, right, 0), slow);
            if let Op2::Mod | Op2::Div = op {
                e.require(e.is_constant(IntCC::SignedGreaterThanOrEqual, left, 0), slow);
            }
            e.small(match op {
                Op2::IntDivide | Op2::Div => e.sdiv(left, right),
                _ => e.srem(left, right),
            })
        }
    }
}

pub(in crate::native) fn are_ints(e: &Emit<'_, '_>, a: Value, b: Value) -> Value {
    // What differs from the tag of integers shows in either.
    let either = e.bor(e.bxor_imm(a, INT), e.bxor_imm(b, INT));
    e.equals(e.band_imm(either, 7), 0)
}

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
