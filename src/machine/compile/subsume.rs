//! Heads of rules that match: one-sided unification.
//!
//! A test that something is bound goes before each instruction that would bind it, so
//! that compounds are only ever read; a variable that comes again is compared.

use super::emit::{Emit, Emitter, SCRATCH};
use super::head::{LARGE, Pending};
use crate::instr::{FAIL, Instr, Relation, Slot, TypeTest};
use zug_term::Cell;

impl Emitter<'_> {
    /// Matches a register against a term, so that nothing in the register is bound.
    pub(super) fn subsume(&mut self, a: u16, term: Cell) -> Emit {
        let mut pending = Pending::from([(a, term)]);
        while let Some((a, term)) = pending.pop_front() {
            // What is put into its place comes after it is read.
            self.release(a);
            if term.is_var() {
                self.same_as_variable(self.var(term), a);
            } else if !term.is_compound() {
                self.must_be_bound(a);
                self.match_register(a, term)?;
            } else if self.is_ground(term) && self.image.larger_than(term, LARGE) {
                let x = self.temp(SCRATCH)?;
                self.put(x, term)?;
                self.same(Slot::x(a), Slot::x(x));
                self.release(x);
            } else {
                self.must_be_bound(a);
                self.subsume_compound(a, term, &mut pending)?;
            }
        }
        Ok(())
    }

    /// A register must hold what a variable holds.
    pub(super) fn same_as_variable(&mut self, var: u32, a: u16) {
        self.same(self.slot_of(var), Slot::x(a));
    }

    fn same(&mut self, a: Slot, b: Slot) {
        self.emit(Instr::CompareTerms { relation: Relation::Equal, a, b, else_by: FAIL });
    }

    fn must_be_bound(&mut self, a: u16) {
        self.emit(Instr::Type { test: TypeTest::Nonvar, slot: Slot::x(a), else_by: FAIL });
    }

    fn is_ground(&self, term: Cell) -> bool {
        let mut ground = true;
        self.image.for_each_variable(term, |_| ground = false);
        ground
    }

    /// Reads the arguments of a bound register that must be a compound of this name and arity.
    fn subsume_compound(&mut self, a: u16, term: Cell, pending: &mut Pending) -> Emit {
        if term.is_list() {
            return self.subsume_list(a, term, pending);
        }
        let f = self.header_of(term).expect("not a list");
        self.emit(Instr::GetStruct { a, f });
        let (_, arity, args) = self.image.functor(term).expect("a compound");
        let mut voids = 0;
        for i in 0..arity {
            let arg = self.image.deref(self.image.at(args + i));
            if arg.is_var() && self.is_void(self.var(arg)) {
                voids += 1;
                continue;
            }
            self.flush_voids(&mut voids);
            if self.is_new(arg) {
                self.match_argument(arg, pending)?;
            } else {
                let x = self.temp(SCRATCH)?;
                self.emit(Instr::UnifyVarX { x });
                pending.push_back((x, arg));
            }
        }
        Ok(())
    }

    fn subsume_list(&mut self, a: u16, term: Cell, pending: &mut Pending) -> Emit {
        let [head, tail] = [0, 1].map(|i| self.image.deref(self.image.at(term.addr() + i)));
        let parts = [head, tail].map(|part| (part, self.is_new(part)));
        let h = self.target_of(parts[0])?;
        // In `[X|X]` the tail is compared with the head.
        let again = tail.is_var() && tail == head;
        let t = self.target_of((tail, parts[1].1 && !again))?;
        self.emit(Instr::GetListXX { a, h, t });
        for ((part, new), x) in [parts[0], (tail, parts[1].1 && !again)].into_iter().zip([h, t]) {
            match new {
                true => self.settle_part(part, x, pending),
                false => pending.push_back((x, part)),
            }
        }
        Ok(())
    }

    fn target_of(&mut self, (part, new): (Cell, bool)) -> Emit<u16> {
        if new { self.part_target(part) } else { self.temp(SCRATCH) }
    }

    /// Whether a part is a variable that has no value yet.
    fn is_new(&self, part: Cell) -> bool {
        part.is_var() && !self.homes[self.var(part) as usize].made
    }
}
