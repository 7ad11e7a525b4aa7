//! Matching: head arguments, and unification in the body.

use super::args::{is_literal, word};
use super::emit::{Emit, Emitter, SCRATCH};
use crate::instr::Instr;
use std::collections::VecDeque;
use zug_term::{Cell, Record};

/// Subterms of an argument beyond which it is built and then unified, rather than matched instruction by instruction.
pub(super) const LARGE: usize = 512;

/// Parts of a compound that wait in registers.
pub(super) type Pending = VecDeque<(u16, Cell)>;

impl Emitter<'_> {
    pub(super) fn var(&self, cell: Cell) -> u32 {
        self.analysis.number(cell.addr())
    }

    /// Matches the head. `early`: the environment is made first.
    pub(super) fn head(&mut self, args: &[Cell], early: bool) -> Emit {
        for (i, &arg) in args.iter().enumerate() {
            self.take(i, SCRATCH)?;
            if arg.is_var() && !self.is_void(self.var(arg)) {
                let var = self.var(arg);
                if !self.homes[var as usize].made {
                    self.take(i, var)?;
                    self.made_in_x(var, i as u16);
                }
            }
        }
        if early {
            self.open_frame();
        }
        for (i, &arg) in args.iter().enumerate() {
            let a = i as u16;
            if !arg.is_var() {
                if self.one_sided {
                    self.subsume(a, arg)?;
                } else {
                    self.match_register(a, arg)?;
                }
            } else {
                let var = self.var(arg);
                if !self.is_void(var) && self.homes[var as usize].x != Some(a) {
                    if self.one_sided {
                        self.same_as_variable(var, a);
                    } else {
                        self.match_variable(var, a);
                    }
                }
            }
            self.release(a);
        }
        Ok(())
    }

    fn match_variable(&mut self, var: u32, a: u16) {
        match self.homes[var as usize].x {
            Some(x) => self.emit(Instr::GetValX { x, a }),
            None => {
                let y = self.y_of[var as usize].expect("made, and not in X");
                self.emit(Instr::GetValY { y, a });
            }
        }
    }

    /// Unifies a term with a register that holds a value.
    pub(super) fn unify_register(&mut self, term: Cell, a: u16) -> Emit {
        let term = self.image.deref(term);
        if !term.is_var() {
            return self.match_register(a, term);
        }
        let var = self.var(term);
        if self.is_void(var) {
            return Ok(());
        }
        if self.homes[var as usize].made {
            self.match_variable(var, a);
            return Ok(());
        }
        // The register becomes the variable's.
        let x = if self.owners.get(a as usize) == Some(&Some(SCRATCH)) {
            self.take(a as usize, var)?
        } else {
            let x = self.register_for(var)?;
            self.emit(Instr::Move { d: x, x: a });
            x
        };
        self.made_in_x(var, x);
        self.settle(var);
        Ok(())
    }

    /// Matches a register against a term that is not a variable.
    pub(super) fn match_register(&mut self, a: u16, term: Cell) -> Emit {
        if let Some(atom) = term.as_atom() {
            self.emit(Instr::GetAtom { a, atom: atom.0 });
            return Ok(());
        }
        if let Some(value) = word(term) {
            self.emit(Instr::GetInt { a, value });
            return Ok(());
        }
        if is_literal(term) {
            let literal = self.literal(term);
            self.emit(Instr::GetLiteral { a, literal });
            return Ok(());
        }
        if self.image.larger_than(term, LARGE) {
            let x = self.temp(SCRATCH)?;
            self.put(x, term)?;
            self.emit(Instr::GetValX { x, a });
            self.release(x);
            return Ok(());
        }
        self.match_compound(a, term)
    }

    fn match_compound(&mut self, a: u16, term: Cell) -> Emit {
        let mut pending = Pending::from([(a, term)]);
        while let Some((a, term)) = pending.pop_front() {
            let mut term = term;
            // The register is read before anything is put into another, so its
            // own place may be taken by a part of the term.
            self.release(a);
            if !term.is_compound() {
                self.match_register(a, term)?;
                continue;
            }
            if !self.match_list_fused(a, term, &mut pending)? {
                match self.header_of(term) {
                    None => self.emit(Instr::GetList { a }),
                    Some(f) => self.emit(Instr::GetStruct { a, f }),
                }
                // Go on through last arguments without leaving the instruction run.
                loop {
                    let (_, arity, args) = self.image.functor(term).expect("a compound");
                    let mut voids = 0;
                    let mut inner = None;
                    for i in 0..arity {
                        let arg = self.image.deref(self.image.at(args + i));
                        if arg.is_var() && self.is_void(self.var(arg)) {
                            voids += 1;
                            continue;
                        }
                        self.flush_voids(&mut voids);
                        if arg.is_compound() && i + 1 == arity {
                            inner = Some(arg);
                        } else {
                            self.match_argument(arg, &mut pending)?;
                        }
                    }
                    self.flush_voids(&mut voids);
                    let Some(arg) = inner else { break };
                    match self.header_of(arg) {
                        None => self.emit(Instr::UnifyTailList),
                        Some(f) => self.emit(Instr::UnifyTailStruct { f }),
                    }
                    term = arg;
                }
            }
        }
        Ok(())
    }

    pub(super) fn flush_voids(&mut self, voids: &mut u32) {
        if *voids > 0 {
            self.emit(Instr::UnifyVoid { n: *voids });
            *voids = 0;
        }
    }

    /// Functor number of a compound's header; `None` for a list cell.
    pub(super) fn header_of(&mut self, term: Cell) -> Option<u32> {
        term.is_struct().then(|| {
            let header = self.image.at(term.addr());
            self.program.functor(header)
        })
    }

    /// A list cell whose head is a variable in X or a compound, and whose tail is a new variable or a compound: one
    /// instruction. Compounds are matched from temporaries afterwards, the tail first.
    fn match_list_fused(&mut self, a: u16, term: Cell, pending: &mut Pending) -> Emit<bool> {
        if !term.is_list() {
            return Ok(false);
        }
        let head = self.image.deref(self.image.at(term.addr()));
        let tail = self.image.deref(self.image.at(term.addr() + 1));
        let new = |this: &Self, cell: Cell| !this.homes[this.var(cell) as usize].made;
        let tail_fits = if tail.is_var() { new(self, tail) } else { tail.is_compound() };
        let made_head = head.is_var() && !new(self, head);
        let head_fits = head.is_var() || head.is_compound();
        if !tail_fits || !head_fits || head == tail {
            return Ok(false);
        }
        if made_head {
            let Some(h) = self.homes[self.var(head) as usize].x else { return Ok(false) };
            let t = self.part_target(tail)?;
            self.emit(Instr::GetListVX { a, h, t });
            self.settle_part(tail, t, pending);
        } else {
            let h = self.part_target(head)?;
            let t = self.part_target(tail)?;
            self.emit(Instr::GetListXX { a, h, t });
            self.settle_part(head, h, pending);
            self.settle_part(tail, t, pending);
        }
        Ok(true)
    }

    /// The register that a part of a list cell goes to.
    pub(super) fn part_target(&mut self, part: Cell) -> Emit<u16> {
        if part.is_var() { self.fresh_target(self.var(part)) } else { self.temp(SCRATCH) }
    }

    /// A part of a list cell is in its register: notes what remains to be done.
    pub(super) fn settle_part(&mut self, part: Cell, x: u16, pending: &mut Pending) {
        if !part.is_var() {
            pending.push_front((x, part));
            return;
        }
        let var = self.var(part);
        self.settle(var);
        if self.is_void(var) {
            self.homes[var as usize].x = None;
            self.owners[x as usize] = None;
        }
    }

    fn fresh_target(&mut self, var: u32) -> Emit<u16> {
        let x = self.register_for(var)?;
        self.made_in_x(var, x);
        Ok(x)
    }

    /// One argument of the current compound, not a void and not a last compound.
    pub(super) fn match_argument(&mut self, arg: Cell, pending: &mut Pending) -> Emit {
        if let Some(atom) = arg.as_atom() {
            self.emit(Instr::UnifyAtom { atom: atom.0 });
            return Ok(());
        }
        if let Some(value) = word(arg) {
            self.emit(Instr::UnifyInt { value });
            return Ok(());
        }
        if !arg.is_var() {
            // A compound, a boxed value or a large integer: its turn comes later.
            let x = self.temp(SCRATCH)?;
            self.emit(Instr::UnifyVarX { x });
            // Literals too: building one in the middle of a compound's arguments would disturb write mode.
            pending.push_back((x, arg));
            return Ok(());
        }
        self.occurrence(
            self.var(arg),
            [|x| Instr::UnifyValX { x }, |y| Instr::UnifyValY { y }],
            [|x| Instr::UnifyVarX { x }, |y| Instr::UnifyVarY { y }],
        )
    }

    pub(super) fn literal(&mut self, term: Cell) -> u32 {
        let record = if term.is_pointer() {
            let addr = term.addr();
            let words = 1 + self.image.at(addr).payload_words();
            Record { cells: self.image.0[addr..addr + words].into(), root: Cell::boxed(0) }
        } else {
            Record::atomic(term)
        };
        self.program.literal(record)
    }

    /// `A = B` in a body.
    pub(super) fn unify(&mut self, a: Cell, b: Cell) -> Emit {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.image.deref(a), self.image.deref(b));
            match (a.is_var(), b.is_var()) {
                (true, true) => self.unify_variables(self.var(a), self.var(b))?,
                (true, false) => self.unify_variable(self.var(a), b)?,
                (false, true) => self.unify_variable(self.var(b), a)?,
                (false, false) => match (self.image.functor(a), self.image.functor(b)) {
                    (Some((f, n, x)), Some((g, m, y))) if f == g && n == m => {
                        todo.extend(
                            (0..n).rev().map(|i| (self.image.at(x + i), self.image.at(y + i))),
                        );
                    }
                    (None, None) => {
                        let x = self.temp(SCRATCH)?;
                        self.put(x, a)?;
                        self.match_register(x, b)?;
                    }
                    _ => {
                        self.emit(Instr::Fail);
                        // What follows isn't reached, but its variables must be made.
                        for cell in [a, b] {
                            let x = self.temp(SCRATCH)?;
                            self.put(x, cell)?;
                        }
                    }
                },
            }
        }
        Ok(())
    }

    fn unify_variables(&mut self, a: u32, b: u32) -> Emit {
        let made = |this: &Self, var: u32| this.homes[var as usize].made;
        let (a, b) = if made(self, a) { (a, b) } else { (b, a) };
        if a == b {
            return Ok(());
        }
        if !made(self, a) {
            if self.is_void(a) || self.is_void(b) {
                // One of them is used nowhere else: the other is made when met,
                // but the equation must not be forgotten by a later branch.
                let other = if self.is_void(a) { b } else { a };
                return self.make(other);
            }
            self.make(a)?;
        }
        if made(self, b) {
            let a = self.load(a)?;
            self.match_variable(b, a);
            return Ok(());
        }
        if self.is_void(b) {
            return Ok(());
        }
        let from = self.load(a)?;
        let x = self.register_for(b)?;
        self.emit(Instr::Move { d: x, x: from });
        self.made_in_x(b, x);
        self.settle(b);
        Ok(())
    }

    fn unify_variable(&mut self, var: u32, term: Cell) -> Emit {
        if self.homes[var as usize].made {
            let a = self.load(var)?;
            return self.match_register(a, term);
        }
        // `X = f(X)` with X new: the term needs X first.
        let mut inside = false;
        self.image.for_each_variable(term, |addr| inside |= self.analysis.number(addr) == var);
        if inside {
            self.make(var)?;
            let a = self.load(var)?;
            return self.match_register(a, term);
        }
        let x = self.register_for(var)?;
        self.put(x, term)?;
        self.made_in_x(var, x);
        self.settle(var);
        if self.is_void(var) {
            self.owners[x as usize] = None;
        }
        Ok(())
    }
}
