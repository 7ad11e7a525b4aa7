//! The loop: fetch, match, act.
//!
//! One `match` over the instructions; each arm is a few lines or a call of an
//! inlined function of `steps.rs`. What is rare (garbage collection, linking, exceptions,
//! meta-calls) lives in `slow.rs`, `exceptions.rs` and `gc.rs`.

use super::instr::{FAIL, Instr, Slot};
use super::program::{Target, fixed};
use super::{Fault, Machine, Outcome};
use crate::term::Cell;

/// What a choice point does when it is backtracked into.
#[derive(Clone, Copy, Debug)]
pub enum Alt {
    /// Tries the next clause of a static predicate: entries of the target table.
    Clauses { next: u32, end: u32 },
    /// Tries the next live clause of a dynamic predicate.
    /// Behind its arguments stand the position in the chain and the generation.
    Dynamic { pred: u32, chain: u32 },
    /// Goes on in the clause of its environment.
    Else { to: u32, live: u16 },
    /// Fails on: a soft-cut condition that succeeded.
    Dead,
    /// The next integer of `between/3`: arguments low, high, variable.
    Between,
    /// A catch: arguments catcher and recovery.
    Catch { active: bool },
    /// Fails on, but whoever takes it off the stack by a cut or an exception owes the
    /// cleanup in its argument a call.
    Cleanup,
    /// The bottom of a run of [`Machine::solve`].
    Barrier,
}

/// A choice point. Its arguments lie in [`Machine::choice_args`].
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What to do next.
    pub alt: Alt,
    /// Environment.
    pub e: u32,
    /// Continuation.
    pub cp: u32,
    /// Height of the choice stack when the predicate was called.
    pub b0: u32,
    /// Height of the environment stack to protect.
    pub frames: u32,
    /// Where its arguments start.
    pub args: u32,
    /// Open bags.
    pub bags: u32,
    /// Length of the trail.
    pub trail: usize,
    /// Top of the heap.
    pub heap: usize,
}

/// Words before the Y registers of an environment: previous environment;
/// continuation and number of Y registers; height for cut.
pub(super) const FRAME: usize = 3;

/// What the machine asks of the layers above it.
pub trait Host {
    /// Runs a built-in on its dereferenced arguments.
    fn builtin(&mut self, machine: &mut Machine, id: u16, args: &[Cell]) -> Outcome;
    /// Arity of a built-in.
    fn arity(&self, id: u16) -> usize;
    /// Name of a built-in, for errors.
    fn builtin_name(&self, id: u16) -> crate::symbol::Atom;
    /// Compiles a clause: fills in its code.
    fn compile(&mut self, machine: &mut Machine, clause: super::ClauseId) -> Result<(), Fault>;
    /// What to do about a call of an undefined predicate: fault, or fail.
    fn undefined(&mut self, machine: &mut Machine, pred: super::PredId) -> Outcome;
}

/// Where the loop goes next.
pub(super) enum Next {
    /// To a code address.
    Go(u32),
    /// Back.
    Fail,
}

/// Backtracks: `continue`s at the alternative, or returns that there is none.
macro_rules! backtrack {
    ($machine:ident, $host:ident, $pc:ident) => {{
        if let Some(to) = $machine.backtrack_to_clause() {
            $pc = to;
            continue;
        }
        match $machine.backtrack($host) {
            Ok(Some(to)) => {
                $pc = to;
                continue;
            }
            Ok(None) => return Ok(false),
            Err(fault) => {
                $pc = $machine.raise(fault, $pc)?;
                continue;
            }
        }
    }};
}

/// Raises a fault: goes on at a handler, or returns it.
macro_rules! raise {
    ($machine:ident, $pc:ident, $fault:expr) => {{
        let fault = $fault;
        $pc = $machine.raise(fault, $pc)?;
        continue;
    }};
}

/// Goes to a predicate. Selects a clause at once if that is what stands at its
/// entry, which saves a dispatch.
macro_rules! execute {
    ($machine:ident, $host:ident, $pc:ident, $pred:ident) => {{
        $machine.b0 = $machine.choices.len() as u32;
        if $machine.tick() {
            if let Err(fault) = $machine.poll_call($host, $pred) {
                raise!($machine, $pc, fault);
            }
        }
        $pc = $machine.entry_of($pred);
        match $machine.fetch($pc) {
            Instr::Switch { table } => match $machine.switch(table) {
                Some(to) => $pc = to,
                None => backtrack!($machine, $host, $pc),
            },
            Instr::TryAll { table } => $pc = $machine.try_all(table),
            Instr::Jump { to } => $pc = to,
            _ => {}
        }
    }};
}

/// A test failed: jumps forward or backtracks.
macro_rules! otherwise {
    ($machine:ident, $host:ident, $pc:ident, $by:expr) => {{
        if $by == FAIL {
            backtrack!($machine, $host, $pc)
        } else {
            $pc += u32::from($by);
        }
    }};
}

/// Goes where a slow step says.
macro_rules! follow {
    ($machine:ident, $host:ident, $pc:ident, $step:expr) => {{
        match $step {
            Ok(Next::Go(to)) => $pc = to,
            Ok(Next::Fail) => backtrack!($machine, $host, $pc),
            Err(fault) => raise!($machine, $pc, fault),
        }
    }};
}

impl Machine {
    /// Runs from a code address until the goal of the current barrier has an
    /// answer (true), has none (false), or faults.
    pub(super) fn run<H: Host>(&mut self, host: &mut H, start: u32) -> Outcome {
        let mut pc = start;
        loop {
            let instr = self.fetch(pc);
            pc += 1;
            match instr {
                Instr::GetListXX { a, h, t } => match self.get_list(a) {
                    Some(addr) => {
                        self.x[h as usize] = self.cell(addr);
                        self.x[t as usize] = self.cell(addr + 1);
                    }
                    None => {
                        let var = self.x[a as usize];
                        if !var.is_ref() {
                            backtrack!(self, host, pc);
                        }
                        let addr = self.heap.top();
                        self.x[h as usize] = Cell::reference(addr);
                        self.x[t as usize] = self.push_head_and_var(Cell::reference(addr));
                        self.bind(var.addr(), Cell::list(addr));
                    }
                },
                Instr::GetListVX { a, h, t } => match self.get_list(a) {
                    Some(addr) => {
                        self.x[t as usize] = self.cell(addr + 1);
                        let (left, right) = (self.x[h as usize], self.cell(addr));
                        if !self.unify(left, right) {
                            backtrack!(self, host, pc);
                        }
                    }
                    None => {
                        let var = self.x[a as usize];
                        if !var.is_ref() {
                            backtrack!(self, host, pc);
                        }
                        let addr = self.heap.top();
                        self.x[t as usize] = self.push_head_and_var(self.x[h as usize]);
                        self.bind(var.addr(), Cell::list(addr));
                    }
                },
                Instr::GetList { a } => match self.get_list(a) {
                    Some(addr) => {
                        self.s = addr;
                        self.write = false;
                    }
                    None => {
                        let var = self.x[a as usize];
                        if !var.is_ref() {
                            backtrack!(self, host, pc);
                        }
                        self.bind(var.addr(), Cell::list(self.heap.top()));
                        self.write = true;
                    }
                },
                Instr::GetStruct { a, f } => {
                    let cell = self.deref(self.x[a as usize]);
                    let functor = self.functor(f);
                    if cell.is_struct() && self.cell(cell.addr()) == functor {
                        self.s = cell.addr() + 1;
                        self.write = false;
                    } else if cell.is_ref() {
                        let addr = self.heap.push(functor);
                        self.bind(cell.addr(), Cell::structure(addr));
                        self.write = true;
                    } else {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::GetAtom { a, atom } => {
                    let cell = self.deref(self.x[a as usize]);
                    let constant = Cell::atom(crate::symbol::Atom(atom));
                    if cell != constant {
                        if !cell.is_ref() {
                            backtrack!(self, host, pc);
                        }
                        self.bind(cell.addr(), constant);
                    }
                }
                Instr::GetInt { a, value } => {
                    let cell = self.deref(self.x[a as usize]);
                    let constant = Cell::small(i64::from(value));
                    if cell != constant {
                        if !cell.is_ref() {
                            backtrack!(self, host, pc);
                        }
                        self.bind(cell.addr(), constant);
                    }
                }
                Instr::GetLiteral { a, literal } => {
                    let term = self.put_literal(literal);
                    if !self.unify(self.x[a as usize], term) {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::GetVarY { y, a } => {
                    let cell = self.x[a as usize];
                    self.set_y(y, cell);
                }
                Instr::GetValX { x, a } => {
                    if !self.unify(self.x[x as usize], self.x[a as usize]) {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::GetValY { y, a } => {
                    if !self.unify(self.y(y), self.x[a as usize]) {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::UnifyVarX { x } => {
                    let cell = self.next_argument();
                    self.x[x as usize] = cell;
                }
                Instr::UnifyVarY { y } => {
                    let cell = self.next_argument();
                    self.set_y(y, cell);
                }
                Instr::UnifyValX { x } => {
                    if !self.unify_next(self.x[x as usize]) {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::UnifyValY { y } => {
                    if !self.unify_next(self.y(y)) {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::UnifyAtom { atom } => {
                    if !self.unify_constant(Cell::atom(crate::symbol::Atom(atom))) {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::UnifyInt { value } => {
                    if !self.unify_constant(Cell::small(i64::from(value))) {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::UnifyVoid { n } => {
                    if self.write {
                        for _ in 0..n {
                            self.heap.new_var();
                        }
                    } else {
                        self.s += n as usize;
                    }
                }
                Instr::UnifyTailList => {
                    if !self.unify_tail_list() {
                        backtrack!(self, host, pc);
                    }
                }
                Instr::UnifyTailStruct { f } => {
                    if !self.unify_tail_struct(f) {
                        backtrack!(self, host, pc);
                    }
                }

                Instr::Move { d, x } => self.x[d as usize] = self.x[x as usize],
                Instr::PutY { a, y } => self.x[a as usize] = self.y(y),
                Instr::PutVarX { x } => self.x[x as usize] = self.heap.new_var(),
                Instr::PutVarY { y, a } => {
                    let var = self.heap.new_var();
                    self.x[a as usize] = var;
                    self.set_y(y, var);
                }
                Instr::InitY { y } => {
                    let var = self.heap.new_var();
                    self.set_y(y, var);
                }
                Instr::PutAtom { a, atom } => {
                    self.x[a as usize] = Cell::atom(crate::symbol::Atom(atom));
                }
                Instr::PutInt { a, value } => self.x[a as usize] = Cell::small(i64::from(value)),
                Instr::PutLiteral { a, literal } => self.x[a as usize] = self.put_literal(literal),
                Instr::PutList { a } => self.x[a as usize] = Cell::list(self.heap.top()),
                Instr::PutStruct { a, f } => {
                    let addr = self.heap.push(self.functor(f));
                    self.x[a as usize] = Cell::structure(addr);
                }
                Instr::PutListXX { a, h, t } => {
                    let list = self.heap.new_list(self.x[h as usize], self.x[t as usize]);
                    self.x[a as usize] = list;
                }
                Instr::SetVarX { x } => self.x[x as usize] = self.heap.new_var(),
                Instr::SetVarY { y } => {
                    let var = self.heap.new_var();
                    self.set_y(y, var);
                }
                Instr::SetX { x } => {
                    self.heap.push(self.x[x as usize]);
                }
                Instr::SetY { y } => {
                    let cell = self.y(y);
                    self.heap.push(cell);
                }
                Instr::SetAtom { atom } => {
                    self.heap.push(Cell::atom(crate::symbol::Atom(atom)));
                }
                Instr::SetInt { value } => {
                    self.heap.push(Cell::small(i64::from(value)));
                }
                Instr::SetVoid { n } => {
                    for _ in 0..n {
                        self.heap.new_var();
                    }
                }
                Instr::SetListAt { by } => {
                    self.heap.push(Cell::list(self.heap.top() + by as usize));
                }
                Instr::SetStructAt { by } => {
                    self.heap.push(Cell::structure(self.heap.top() + by as usize));
                }
                Instr::SetHeader { f } => {
                    self.heap.push(self.functor(f));
                }

                Instr::PutYY { a, y, b, z } => {
                    self.x[a as usize] = self.y(y.into());
                    self.x[b as usize] = self.y(z.into());
                }
                Instr::GetVarYY { y, a, z, b } => {
                    self.set_y(y.into(), self.x[a as usize]);
                    self.set_y(z.into(), self.x[b as usize]);
                }
                Instr::MoveMove { d, x, e, w } => {
                    self.x[d as usize] = self.x[x as usize];
                    self.x[e as usize] = self.x[w as usize];
                }
                Instr::SetYY { y, z } => {
                    let (left, right) = (self.y(y), self.y(z));
                    self.heap.push(left);
                    self.heap.push(right);
                }
                Instr::SetVarYVarY { y, z } => {
                    let (left, right) = (self.heap.new_var(), self.heap.new_var());
                    self.set_y(y, left);
                    self.set_y(z, right);
                }
                Instr::SetXX { x, w } => {
                    self.heap.push(self.x[x as usize]);
                    self.heap.push(self.x[w as usize]);
                }
                Instr::UnifyVarXX { x, w } => {
                    let first = self.next_argument();
                    self.x[x as usize] = first;
                    let second = self.next_argument();
                    self.x[w as usize] = second;
                }
                Instr::DeallocateExecute { pred } => {
                    self.deallocate();
                    execute!(self, host, pc, pred);
                }
                Instr::DeallocateProceed => {
                    self.deallocate();
                    pc = self.cp;
                }
                Instr::Call { pred, .. } => {
                    self.cp = pc;
                    execute!(self, host, pc, pred);
                }
                Instr::Execute { pred } => execute!(self, host, pc, pred),
                Instr::Proceed => pc = self.cp,
                Instr::Allocate { n } => self.allocate(n),
                Instr::Deallocate => self.deallocate(),
                Instr::Jump { to } => pc = to,
                Instr::Fail => backtrack!(self, host, pc),
                Instr::TryElse { live, to } => {
                    self.push_choice(Alt::Else { to, live }, 0);
                }
                Instr::Mark { y } => {
                    let height = Cell::small(self.choices.len() as i64);
                    self.set_y(y, height);
                }
                Instr::CutTo { y } => self.cut_to(self.y(y).int_value() as usize),
                Instr::SoftCut { y } => {
                    let at = self.y(y).int_value() as usize;
                    if at + 1 == self.choices.len() {
                        self.cut_to(at);
                    } else {
                        self.choices[at].alt = Alt::Dead;
                    }
                }
                Instr::CutNeck => self.cut_to(self.b0 as usize),
                Instr::Cut => self.cut_to(self.frame_word(self.e + 2) as usize),

                Instr::Switch { table } => match self.switch(table) {
                    Some(to) => pc = to,
                    None => backtrack!(self, host, pc),
                },
                Instr::TryAll { table } => pc = self.try_all(table),
                Instr::Type { test, slot, else_by } => {
                    let cell = self.deref(self.slot(slot));
                    if !self.type_test(test, cell) {
                        otherwise!(self, host, pc, else_by);
                    }
                }
                Instr::CompareNumbers { relation, a, b, else_by } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    let holds = if left.is_int() && right.is_int() {
                        relation.holds((left.0 as i64).cmp(&(right.0 as i64)))
                    } else {
                        match self.compare_slow(relation, left, right) {
                            Ok(holds) => holds,
                            Err(fault) => raise!(self, pc, fault),
                        }
                    };
                    if !holds {
                        otherwise!(self, host, pc, else_by);
                    }
                }
                Instr::CompareTerms { relation, a, b, else_by } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    if !self.compare_terms(relation, left, right) {
                        otherwise!(self, host, pc, else_by);
                    }
                }
                Instr::Eval { d, a } => {
                    let cell = self.slot_value(a);
                    if cell.is_int() {
                        self.x[d as usize] = cell;
                    } else {
                        match self.eval(cell) {
                            Ok(value) => self.x[d as usize] = value,
                            Err(fault) => raise!(self, pc, fault),
                        }
                    }
                }
                Instr::Add { d, a, b } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    match add_small(left, right) {
                        Some(sum) => self.x[d as usize] = sum,
                        None => match self.arith2(super::arithmetic::Op2::Add, left, right) {
                            Ok(value) => self.x[d as usize] = value,
                            Err(fault) => raise!(self, pc, fault),
                        },
                    }
                }
                Instr::Subtract { d, a, b } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    match subtract_small(left, right) {
                        Some(value) => self.x[d as usize] = value,
                        None => match self.arith2(super::arithmetic::Op2::Subtract, left, right) {
                            Ok(value) => self.x[d as usize] = value,
                            Err(fault) => raise!(self, pc, fault),
                        },
                    }
                }
                Instr::Arith1 { op, d, a } => {
                    let cell = self.slot_value(a);
                    match self.arith1(op, cell) {
                        Ok(value) => self.x[d as usize] = value,
                        Err(fault) => raise!(self, pc, fault),
                    }
                }
                Instr::Arith2 { op, d, a, b } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    match self.arith2(op, left, right) {
                        Ok(value) => self.x[d as usize] = value,
                        Err(fault) => raise!(self, pc, fault),
                    }
                }
                Instr::Builtin { id, base, else_by } => match self.call_builtin(host, id, base) {
                    Ok(true) => {}
                    Ok(false) => otherwise!(self, host, pc, else_by),
                    Err(fault) => raise!(self, pc, fault),
                },
                Instr::BuiltinEntry { id } => match self.call_builtin(host, id, 0) {
                    Ok(true) => pc = self.cp,
                    Ok(false) => backtrack!(self, host, pc),
                    Err(fault) => raise!(self, pc, fault),
                },
                Instr::BagOpen => self.bags.push((self.bag_cells.len(), self.bag_roots.len())),
                Instr::BagAdd { x } => self.bag_add(x),
                Instr::BagClose { d } => self.bag_close(d),
                Instr::Between => follow!(self, host, pc, self.between()),
                Instr::Dynamic { pred } => follow!(self, host, pc, self.enter_dynamic(host, pred)),
                Instr::Link { pred } => follow!(self, host, pc, self.link(host, pred)),
                Instr::Undefined { pred } => {
                    follow!(self, host, pc, self.call_undefined(host, pred))
                }
                Instr::MetaCall { n } => follow!(self, host, pc, self.meta_call(n)),
                Instr::MetaBody => follow!(self, host, pc, self.meta_body()),
                Instr::CatchEnter => self.catch_enter(),
                Instr::CatchExit => self.catch_exit(),
                Instr::Throw => {
                    let fault = self.throw_ball();
                    raise!(self, pc, fault)
                }
                Instr::Stop => return Ok(true),
            }
        }
    }

    /// Dereferences `X[a]` in place; the address of the head if it is a list cell.
    #[inline(always)]
    fn get_list(&mut self, a: u16) -> Option<usize> {
        let cell = self.deref(self.x[a as usize]);
        self.x[a as usize] = cell;
        cell.is_list().then(|| cell.addr())
    }

    /// The content of a slot.
    #[inline(always)]
    fn slot(&self, slot: Slot) -> Cell {
        if slot.0 < Slot::Y {
            self.x[slot.0 as usize]
        } else if slot.0 < Slot::CONST {
            self.y(slot.0 - Slot::Y)
        } else {
            Cell::small(slot.value())
        }
    }

    /// The dereferenced content of a slot.
    #[inline(always)]
    fn slot_value(&self, slot: Slot) -> Cell {
        self.deref(self.slot(slot))
    }

    /// Counts an inference; whether it is time to look at limits and memory.
    #[inline(always)]
    fn tick(&mut self) -> bool {
        self.fuel -= 1;
        self.fuel == 0 || self.heap.top() > self.heap_limit
    }

    /// Reads the next argument of the current compound, or makes it a variable.
    #[inline(always)]
    fn next_argument(&mut self) -> Cell {
        if self.write {
            self.heap.new_var()
        } else {
            let cell = self.cell(self.s);
            self.s += 1;
            cell
        }
    }

    #[inline(always)]
    fn unify_next(&mut self, cell: Cell) -> bool {
        if self.write {
            self.heap.push(cell);
            true
        } else {
            let other = self.cell(self.s);
            self.s += 1;
            self.unify(cell, other)
        }
    }

    #[inline(always)]
    fn unify_constant(&mut self, constant: Cell) -> bool {
        if self.write {
            self.heap.push(constant);
            return true;
        }
        let cell = self.deref(self.cell(self.s));
        self.s += 1;
        if cell == constant {
            return true;
        }
        if cell.is_ref() {
            self.bind(cell.addr(), constant);
            return true;
        }
        false
    }

    #[inline(always)]
    fn unify_tail_list(&mut self) -> bool {
        if self.write {
            let next = self.heap.top() + 1;
            self.heap.push(Cell::list(next));
            return true;
        }
        let cell = self.deref(self.cell(self.s));
        if cell.is_list() {
            self.s = cell.addr();
            return true;
        }
        if cell.is_ref() {
            self.bind(cell.addr(), Cell::list(self.heap.top()));
            self.write = true;
            return true;
        }
        false
    }

    #[inline(always)]
    fn unify_tail_struct(&mut self, f: u32) -> bool {
        let functor = self.functor(f);
        if self.write {
            let next = self.heap.top() + 1;
            self.heap.push(Cell::structure(next));
            self.heap.push(functor);
            return true;
        }
        let cell = self.deref(self.cell(self.s));
        if cell.is_struct() && self.cell(cell.addr()) == functor {
            self.s = cell.addr() + 1;
            return true;
        }
        if cell.is_ref() {
            let addr = self.heap.push(functor);
            self.bind(cell.addr(), Cell::structure(addr));
            self.write = true;
            return true;
        }
        false
    }

    /// New environment on top of what the newest choice point protects.
    #[inline(always)]
    fn allocate(&mut self, n: u16) {
        let base = self.frames_top();
        let end = base + FRAME + n as usize;
        if end > self.frames.len() {
            self.grow_frames(end);
        }
        self.set_frame_word(base, self.e as u64);
        self.set_frame_word(base + 1, u64::from(self.cp) << 32 | u64::from(n));
        self.set_frame_word(base + 2, u64::from(self.b0));
        self.e = base;
    }

    /// Drops the current environment.
    #[inline(always)]
    fn deallocate(&mut self) {
        self.cp = (self.frame_word(self.e + 1) >> 32) as u32;
        self.e = self.frame_word(self.e) as usize;
    }

    /// First free word of the environment stack.
    #[inline(always)]
    pub(super) fn frames_top(&self) -> usize {
        if self.e >= self.protected {
            self.e + FRAME + (self.frame_word(self.e + 1) as u32) as usize
        } else {
            self.protected
        }
    }

    /// Pushes a choice point that keeps `X[0..arity]`.
    #[inline(always)]
    pub(super) fn push_choice(&mut self, alt: Alt, arity: usize) {
        let frames = self.frames_top();
        let args = self.choice_args.len();
        self.choice_args.extend_from_slice(&self.x[..arity]);
        self.choices.push(Choice {
            alt,
            e: self.e as u32,
            cp: self.cp,
            b0: self.b0,
            frames: frames as u32,
            args: args as u32,
            bags: self.bags.len() as u32,
            trail: self.trail.len(),
            heap: self.heap.top(),
        });
        self.hb = self.heap.top();
        self.protected = frames;
    }

    /// Drops choice points above a height.
    #[inline(always)]
    pub(super) fn cut_to(&mut self, height: usize) {
        if self.choices.len() > height {
            if self.cleanups.last().is_some_and(|&at| at >= height) {
                self.owe_cleanups(height);
            }
            let args = self.choices[height].args;
            self.choice_args.truncate(args as usize);
            self.choices.truncate(height);
            self.refresh_barrier();
        }
    }

    /// Sets the registers that depend on the newest choice point.
    #[inline(always)]
    pub(super) fn refresh_barrier(&mut self) {
        match self.choices.last() {
            Some(choice) => {
                self.hb = choice.heap;
                self.protected = choice.frames as usize;
            }
            None => {
                self.hb = 0;
                self.protected = 0;
            }
        }
    }

    /// Takes the machine back to the state of the newest choice point.
    #[inline(always)]
    fn restore(&mut self, choice: &Choice) {
        self.undo_to(choice.trail);
        self.heap.cells.truncate(choice.heap);
        self.e = choice.e as usize;
        self.cp = choice.cp;
        self.b0 = choice.b0;
    }

    /// Drops the newest choice point.
    #[inline(always)]
    pub(super) fn pop_choice(&mut self, choice: &Choice) {
        self.choice_args.truncate(choice.args as usize);
        self.choices.pop();
        self.refresh_barrier();
    }

    /// Loads the arguments of a choice point into X.
    #[inline(always)]
    fn reload_args(&mut self, choice: &Choice) {
        let args = &self.choice_args[choice.args as usize..];
        self.x[..args.len()].copy_from_slice(args);
    }

    /// Backtracks into the newest choice point if it stands for clauses or an
    /// alternative of one: the common cases.
    #[inline(always)]
    fn backtrack_to_clause(&mut self) -> Option<u32> {
        let &choice = self.choices.last()?;
        match choice.alt {
            Alt::Clauses { next, end } => {
                self.restore(&choice);
                self.reload_args(&choice);
                let to = self.program.targets[next as usize];
                if next + 1 == end {
                    self.pop_choice(&choice);
                } else {
                    let top = self.choices.len() - 1;
                    self.choices[top].alt = Alt::Clauses { next: next + 1, end };
                }
                Some(to)
            }
            Alt::Else { to, .. } => {
                self.restore(&choice);
                self.pop_choice(&choice);
                Some(to)
            }
            _ => None,
        }
    }

    /// Backtracks into the newest choice point: where to go on, or `None` at the
    /// barrier of the run.
    fn backtrack<H: Host>(&mut self, host: &mut H) -> Result<Option<u32>, Fault> {
        loop {
            let Some(&choice) = self.choices.last() else { return Ok(None) };
            self.restore(&choice);
            match choice.alt {
                Alt::Clauses { .. } | Alt::Else { .. } => {
                    return Ok(self.backtrack_to_clause());
                }
                Alt::Dynamic { pred, chain } => {
                    self.reload_args(&choice);
                    match self.retry_dynamic(host, pred, chain, &choice)? {
                        Some(to) => return Ok(Some(to)),
                        None => continue,
                    }
                }
                Alt::Between => {
                    self.reload_args(&choice);
                    // A loop over the integers may call nothing else.
                    let choice = if self.tick() { self.poll_between(choice)? } else { choice };
                    self.next_between(&choice);
                    // A loop driven by failure may make no call in its turns.
                    if self.tick() {
                        self.x[..3].copy_from_slice(&[Cell::ZERO; 3]);
                        self.poll(self.ids.between)?;
                    }
                    return Ok(Some(self.cp));
                }
                Alt::Dead | Alt::Catch { .. } => self.pop_choice(&choice),
                Alt::Cleanup => {
                    self.cleanups.pop();
                    self.pop_choice(&choice);
                }
                Alt::Barrier => return Ok(None),
            }
        }
    }

    /// Selects the clauses of a static predicate that may match: the address of
    /// the first; a choice point stands for the others.
    #[inline(always)]
    fn switch(&mut self, table: u32) -> Option<u32> {
        let index = &self.program.indexes[table as usize];
        let cell = self.deref(self.x[index.first.arg as usize]);
        let target = if cell.is_list() {
            index.first.list
        } else if cell.is_ref() {
            index.all
        } else {
            index.first.find(super::program::key_of(&self.heap.cells, cell))
        };
        if target.len == 1 {
            return Some(target.start);
        }
        if target.len == 0 {
            return None;
        }
        self.choose(table, target)
    }

    /// Several clauses may match by the first table: asks the others, and makes
    /// a choice point if several are left.
    fn choose(&mut self, table: u32, mut target: Target) -> Option<u32> {
        let index = &self.program.indexes[table as usize];
        for table in &index.others {
            let cell = self.deref(self.x[table.arg as usize]);
            let found = match super::program::key_of(&self.heap.cells, cell) {
                None => continue,
                Some(_) if cell.is_list() => table.list,
                key => table.find(key),
            };
            if found.len < target.len {
                target = found;
            }
            if found.len <= 1 {
                break;
            }
        }
        match target.len {
            0 => None,
            1 => Some(target.start),
            _ => {
                let arity = index.arity as usize;
                Some(self.try_targets(target, arity))
            }
        }
    }

    /// A choice point for several clauses; the address of the first.
    #[inline(always)]
    fn try_targets(&mut self, target: Target, arity: usize) -> u32 {
        let first = self.program.targets[target.start as usize];
        let (next, end) = (target.start + 1, target.start + target.len);
        self.push_choice(Alt::Clauses { next, end }, arity);
        first
    }

    /// A choice point for all clauses of a predicate; the address of the first.
    fn try_all(&mut self, table: u32) -> u32 {
        let index = &self.program.indexes[table as usize];
        let (target, arity) = (index.all, index.arity as usize);
        self.try_targets(target, arity)
    }
}

impl super::program::SwitchTable {
    #[inline(always)]
    fn find(&self, key: Option<Cell>) -> Target {
        let Some(key) = key else { return self.other };
        if self.many.is_empty() {
            for &(row, target) in &self.few {
                if row == key {
                    return target;
                }
            }
            return self.other;
        }
        self.many.get(&key).copied().unwrap_or(self.other)
    }
}

#[inline(always)]
fn add_small(a: Cell, b: Cell) -> Option<Cell> {
    if a.is_int() && b.is_int() { Cell::try_small(a.int_value() + b.int_value()) } else { None }
}

#[inline(always)]
fn subtract_small(a: Cell, b: Cell) -> Option<Cell> {
    if a.is_int() && b.is_int() { Cell::try_small(a.int_value() - b.int_value()) } else { None }
}

/// A run in progress, to ask for more answers and to end it.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    barrier: usize,
    e: usize,
    cp: u32,
    b0: u32,
}

impl Machine {
    /// Runs a goal: whether it has an answer. While `run` is open the answer's
    /// bindings stand; [`Machine::redo`] asks for the next, [`Machine::finish`] or
    /// [`Machine::abandon`] closes it. Runs nest.
    pub fn solve<H: Host>(&mut self, host: &mut H, goal: Cell) -> (Run, Outcome) {
        let run = self.open_run();
        self.x[0] = goal;
        self.b0 = self.choices.len() as u32;
        let call = self.program.entries[0];
        let outcome = self.run(host, call);
        (run, self.settle(run, outcome))
    }

    /// As [`Machine::solve`], for a predicate with its arguments: no goal term is
    /// built and nothing is looked up.
    pub fn solve_pred<H: Host>(
        &mut self,
        host: &mut H,
        pred: super::PredId,
        args: &[Cell],
    ) -> (Run, Outcome) {
        let run = self.open();
        (run, self.call(host, run, pred, args))
    }

    /// Opens a run: what is put on the heap from here on goes when it is abandoned.
    /// [`Machine::call`] comes next.
    #[inline]
    pub fn open(&mut self) -> Run {
        self.open_run()
    }

    /// Calls a predicate in a run just opened: whether it has an answer.
    #[inline]
    pub fn call<H: Host>(
        &mut self,
        host: &mut H,
        run: Run,
        pred: super::PredId,
        args: &[Cell],
    ) -> Outcome {
        debug_assert_eq!(self.program.preds[pred as usize].arity, args.len());
        debug_assert_eq!(self.choices.len(), run.barrier + 1);
        self.x[..args.len()].copy_from_slice(args);
        self.b0 = self.choices.len() as u32;
        let outcome = match if self.tick() { self.poll(pred) } else { Ok(()) } {
            Ok(()) => {
                let entry = self.entry_of(pred);
                self.run(host, entry)
            }
            Err(fault) => Err(fault),
        };
        self.settle(run, outcome)
    }

    fn open_run(&mut self) -> Run {
        let run = Run { barrier: self.choices.len(), e: self.e, cp: self.cp, b0: self.b0 };
        self.push_choice(Alt::Barrier, 0);
        self.cp = fixed::STOP;
        run
    }

    /// The next answer of an open run.
    pub fn redo<H: Host>(&mut self, host: &mut H, run: Run) -> Outcome {
        debug_assert!(self.choices.len() > run.barrier);
        let outcome = self.run(host, fixed::FAIL);
        self.settle(run, outcome)
    }

    /// Whether an open run may have further answers.
    pub fn has_more(&self, run: Run) -> bool {
        self.choices.len() > run.barrier + 1
    }

    fn settle(&mut self, run: Run, outcome: Outcome) -> Outcome {
        if !matches!(outcome, Ok(true)) {
            self.abandon(run);
        }
        outcome
    }

    /// Ends a run and keeps the bindings of its last answer.
    pub fn finish(&mut self, run: Run) {
        if self.choices.len() > run.barrier {
            self.cut_to(run.barrier);
        }
        self.e = run.e;
        self.cp = run.cp;
        self.b0 = run.b0;
    }

    /// Ends a run and undoes everything it did.
    pub fn abandon(&mut self, run: Run) {
        if self.choices.len() > run.barrier {
            let choice = self.choices[run.barrier];
            self.restore(&choice);
            self.cut_bags(choice.bags);
            self.cut_to(run.barrier);
        }
        self.e = run.e;
        self.cp = run.cp;
        self.b0 = run.b0;
    }
}
