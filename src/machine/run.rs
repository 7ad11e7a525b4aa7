//! The loop: fetch, match, act.
//!
//! One `match` over the instructions; each arm is a few lines or a call of an inlined function of the modules beside
//! this one, each with the part of the machine it is about.

use super::arithmetic::Op2;
use super::choices::Alt;
use super::determinism::Demand;
use super::host::{Host, Next};
use super::instr::{FAIL, Instr, Slot};
#[cfg(feature = "native")]
use super::native::NativeNext;
use super::{Machine, Outcome, Run};
use std::time::Duration;
use zug_term::Cell;
use zug_term::symbol::Atom;

impl Machine {
    /// Runs from a code address until the goal of the current barrier has an answer (true), has none (false), or
    /// faults. What a step abandons half way, as its time is over, is a fault of that step.
    pub(super) fn run<H: Host>(&mut self, host: &mut H, start: u32, run: Run) -> Outcome {
        let mut pc = start;
        loop {
            let inner = run.barrier + 1;
            match self.within_limits_above(inner, Duration::ZERO, |m| host.run(m, pc)) {
                Ok(outcome) => return outcome,
                Err(fault) => {
                    if let Some(id) = self.running.take() {
                        self.fault_in = Some((host.builtin_name(id), host.arity(id)));
                    }
                    pc = self.raise(fault, self.cp)?;
                }
            }
        }
    }

    /// Runs from a code address, as [`Host::run`].
    ///
    /// # Errors
    /// An exception that nothing catches above the current barrier, or a stop.
    pub fn run_from<H: Host>(&mut self, host: &mut H, start: u32) -> Outcome {
        let mut pc = start;
        loop {
            let at = pc;
            pc += 1;

            /// Backtracks: `continue`s at the alternative, or returns that there is none.
            macro_rules! backtrack {
                () => {{
                    if let Some(to) = self.backtrack_to_clause() {
                        pc = to;
                        continue;
                    }
                    match self.backtrack(host) {
                        Ok(Some(to)) => {
                            pc = to;
                            continue;
                        }
                        Ok(None) => return Ok(false),
                        Err(fault) => raise!(fault),
                    }
                }};
            }
            /// Backtracks unless a condition holds.
            macro_rules! require {
                ($holds:expr) => {
                    if !$holds {
                        backtrack!();
                    }
                };
            }
            /// Raises a fault: goes on at a handler, or returns it.
            macro_rules! raise {
                ($fault:expr) => {{
                    let fault = $fault;
                    pc = self.raise(fault, pc)?;
                    continue;
                }};
            }
            /// The value of a step, which may raise a fault.
            macro_rules! value {
                ($step:expr) => {
                    match $step {
                        Ok(value) => value,
                        Err(fault) => raise!(fault),
                    }
                };
            }
            /// Goes where a slow step says.
            macro_rules! follow {
                ($step:expr) => {
                    match value!($step) {
                        Next::Go(to) => pc = to,
                        Next::Fail => backtrack!(),
                    }
                };
            }
            /// Counts an inference, and polls before the call of a predicate when it is time to.
            macro_rules! poll {
                ($pred:expr) => {{
                    self.b0 = self.choices.len() as u32;
                    if self.tick()
                        && let Some(next) = value!(self.poll_call(host, $pred))
                    {
                        follow!(Ok(next));
                        continue;
                    }
                    pc = self.entry_of($pred);
                }};
            }
            /// Goes to a predicate. PERF: selects a clause at once if that stands at its entry, which saves a dispatch.
            macro_rules! execute {
                ($pred:expr) => {{
                    poll!($pred);
                    match *self.fetch(pc) {
                        Instr::Switch { table } => match self.switch(table) {
                            Some(to) => pc = to,
                            None => backtrack!(),
                        },
                        Instr::TryAll { arity, at } => pc = self.try_all(arity, at),
                        Instr::Jump { to } => pc = to,
                        #[cfg(feature = "native")]
                        Instr::Native { number } => native!(number),
                        _ => {}
                    }
                }};
            }
            /// Runs machine code, and goes on as it says.
            #[cfg(feature = "native")]
            macro_rules! native {
                ($number:expr) => {{
                    match self.run_native(host, $number) {
                        Ok(NativeNext::Go(next)) => follow!(Ok(next)),
                        Ok(NativeNext::Call(pred, at)) => {
                            pc = at + 1;
                            poll!(pred);
                        }
                        Err((fault, at)) => {
                            pc = at + 1;
                            raise!(fault)
                        }
                    }
                    continue;
                }};
            }
            /// A test failed: jumps forward or backtracks.
            macro_rules! otherwise {
                ($by:expr) => {
                    if $by == FAIL {
                        backtrack!()
                    } else {
                        pc += u32::from($by);
                    }
                };
            }
            /// Does what is pending before the instruction, and comes back to it.
            macro_rules! wake {
                () => {
                    if self.is_pending() {
                        match value!(self.wake_at(host, at)) {
                            None => pc = at,
                            Some(next) => follow!(Ok(next)),
                        }
                        continue;
                    }
                };
            }
            /// Drops choice points above a height, and runs the cleanups that wait there.
            macro_rules! cut {
                ($height:expr) => {
                    if self.cut_to($height) {
                        value!(self.run_cut_cleanups(host, at));
                    }
                };
            }

            match *self.fetch(at) {
                #[cfg(feature = "native")]
                Instr::Native { number } => native!(number),
                #[cfg(not(feature = "native"))]
                Instr::Native { .. } => unreachable!("there is no machine code"),
                Instr::GetListXX { a, h, t } => match self.get_list(a) {
                    Some(addr) => {
                        self.x[h as usize] = self.cell(addr);
                        self.x[t as usize] = self.cell(addr + 1);
                    }
                    None => {
                        let var = self.x[a as usize];
                        require!(var.is_var());
                        let addr = self.heap.top();
                        self.x[h as usize] = Cell::reference(addr);
                        self.x[t as usize] = self.push_head_and_var(Cell::reference(addr));
                        self.bind(var, Cell::list(addr));
                    }
                },
                Instr::GetListVX { a, h, t } => match self.get_list(a) {
                    Some(addr) => {
                        self.x[t as usize] = self.cell(addr + 1);
                        let (left, right) = (self.x[h as usize], self.cell(addr));
                        require!(self.unify(left, right));
                    }
                    None => {
                        let var = self.x[a as usize];
                        require!(var.is_var());
                        let addr = self.heap.top();
                        self.x[t as usize] = self.push_head_and_var(self.x[h as usize]);
                        self.bind(var, Cell::list(addr));
                    }
                },
                Instr::GetList { a } => match self.get_list(a) {
                    Some(addr) => {
                        self.s = addr;
                        self.write = false;
                    }
                    None => {
                        let var = self.x[a as usize];
                        require!(var.is_var());
                        self.bind(var, Cell::list(self.heap.top()));
                        self.write = true;
                    }
                },
                Instr::GetStruct { a, f } => {
                    let cell = self.deref(self.x[a as usize]);
                    let functor = self.functor(f);
                    if cell.is_struct() && self.cell(cell.addr()) == functor {
                        self.s = cell.addr() + 1;
                        self.write = false;
                    } else if cell.is_var() {
                        let addr = self.heap.top();
                        self.push(functor);
                        self.bind(cell, Cell::structure(addr));
                        self.write = true;
                    } else {
                        backtrack!();
                    }
                }
                Instr::GetAtom { a, atom } => {
                    let cell = self.deref(self.x[a as usize]);
                    let constant = Cell::atom(Atom(atom));
                    if cell != constant {
                        require!(cell.is_var());
                        self.bind(cell, constant);
                    }
                }
                Instr::GetInt { a, value } => {
                    let cell = self.deref(self.x[a as usize]);
                    let constant = Cell::small(i64::from(value));
                    if cell != constant {
                        require!(cell.is_var());
                        self.bind(cell, constant);
                    }
                }
                Instr::GetLiteral { a, literal } => {
                    let term = self.put_literal(literal);
                    require!(self.unify(self.x[a as usize], term));
                }
                Instr::GetVarY { y, a } => self.set_y(y, self.x[a as usize]),
                Instr::GetValX { x, a } => {
                    require!(self.unify(self.x[x as usize], self.x[a as usize]));
                }
                Instr::GetValY { y, a } => require!(self.unify(self.y(y), self.x[a as usize])),
                Instr::UnifyVarX { x } => self.x[x as usize] = self.next_argument(),
                Instr::UnifyVarY { y } => {
                    let cell = self.next_argument();
                    self.set_y(y, cell);
                }
                Instr::UnifyValX { x } => require!(self.unify_next(self.x[x as usize])),
                Instr::UnifyValY { y } => require!(self.unify_next(self.y(y))),
                Instr::UnifyAtom { atom } => require!(self.unify_constant(Cell::atom(Atom(atom)))),
                Instr::UnifyInt { value } => {
                    require!(self.unify_constant(Cell::small(i64::from(value))));
                }
                Instr::UnifyVoid { n } => {
                    if self.write {
                        for _ in 0..n {
                            self.push_var();
                        }
                    } else {
                        self.s += n as usize;
                    }
                }
                Instr::UnifyTailList => require!(self.unify_tail_list()),
                Instr::UnifyTailStruct { f } => require!(self.unify_tail_struct(f)),

                Instr::Move { d, x } => self.x[d as usize] = self.x[x as usize],
                Instr::PutY { a, y } => self.x[a as usize] = self.y(y),
                Instr::PutVarX { x } | Instr::SetVarX { x } => self.x[x as usize] = self.push_var(),
                Instr::PutVarY { y, a } => {
                    let var = self.push_var();
                    self.x[a as usize] = var;
                    self.set_y(y, var);
                }
                Instr::InitY { y } | Instr::SetVarY { y } => {
                    let var = self.push_var();
                    self.set_y(y, var);
                }
                Instr::PutAtom { a, atom } => self.x[a as usize] = Cell::atom(Atom(atom)),
                Instr::PutInt { a, value } => self.x[a as usize] = Cell::small(i64::from(value)),
                Instr::PutLiteral { a, literal } => self.x[a as usize] = self.put_literal(literal),
                Instr::PutList { a } => self.x[a as usize] = Cell::list(self.heap.top()),
                Instr::PutStruct { a, f } => {
                    let addr = self.heap.top();
                    self.push(self.functor(f));
                    self.x[a as usize] = Cell::structure(addr);
                }
                Instr::PutListXX { a, h, t } => {
                    let list = self.push_pair(self.x[h as usize], self.x[t as usize]);
                    self.x[a as usize] = Cell::list(list);
                }
                Instr::SetX { x } => self.push(self.x[x as usize]),
                Instr::SetY { y } => self.push(self.y(y)),
                Instr::SetAtom { atom } => self.push(Cell::atom(Atom(atom))),
                Instr::SetInt { value } => self.push(Cell::small(i64::from(value))),
                Instr::SetVoid { n } => {
                    for _ in 0..n {
                        self.push_var();
                    }
                }
                Instr::SetListAt { by } => self.push(Cell::list(self.heap.top() + by as usize)),
                Instr::SetStructAt { by } => {
                    self.push(Cell::structure(self.heap.top() + by as usize));
                }
                Instr::SetHeader { f } => self.push(self.functor(f)),

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
                    self.push_pair(self.y(y), self.y(z));
                }
                Instr::SetVarYVarY { y, z } => {
                    let (left, right) = (self.push_var(), self.push_var());
                    self.set_y(y, left);
                    self.set_y(z, right);
                }
                Instr::SetXX { x, w } => {
                    self.push_pair(self.x[x as usize], self.x[w as usize]);
                }
                Instr::UnifyVarXX { x, w } => {
                    self.x[x as usize] = self.next_argument();
                    self.x[w as usize] = self.next_argument();
                }
                Instr::DeallocateExecute { pred } => {
                    self.deallocate();
                    execute!(pred);
                }
                Instr::DeallocateProceed => {
                    self.deallocate();
                    pc = self.cp;
                }
                Instr::Call { stub, pred, .. } => {
                    self.cp = if stub { self.program.stub_of(pc) } else { pc };
                    execute!(pred);
                }
                Instr::Execute { pred } => execute!(pred),
                Instr::Proceed => pc = self.cp,
                Instr::Allocate { n } => self.allocate(n),
                Instr::Deallocate => self.deallocate(),
                Instr::Jump { to } => pc = to,
                Instr::Fail => {
                    wake!();
                    backtrack!()
                }
                Instr::TryElse { stub, live, to } => {
                    wake!();
                    let to = if stub { self.program.stub_of(to) } else { to };
                    self.push_choice(Alt::Else { to, live }, 0);
                }
                Instr::Mark { y } => {
                    wake!();
                    let height = Cell::small(self.choices.len() as i64);
                    self.set_y(y, height);
                }
                Instr::CutTo { y } => {
                    wake!();
                    cut!(self.y(y).int_value() as usize);
                }
                Instr::SoftCut { y } => {
                    wake!();
                    self.soft_cut(self.y(y).int_value() as usize);
                }
                Instr::Wake => wake!(),
                Instr::CutNeck => {
                    wake!();
                    if self.shallow.is_on() {
                        self.commit_shallow();
                    } else {
                        cut!(self.b0 as usize);
                    }
                }
                Instr::Cut => {
                    wake!();
                    cut!(self.frame_word(self.e + 2) as usize);
                }

                Instr::Switch { table } => match self.switch(table) {
                    Some(to) => pc = to,
                    None => backtrack!(),
                },
                Instr::TryAll { arity, at } => pc = self.try_all(arity, at),
                Instr::Type { test, slot, else_by } => {
                    let cell = self.deref(self.slot(slot));
                    let holds = self.type_test(test, cell);
                    // PERF: what is pending changes nothing about most tests that hold.
                    if !holds || cell.is_var() || test.is_deep() {
                        wake!();
                    }
                    if !holds {
                        otherwise!(else_by);
                    }
                }
                Instr::CompareNumbers { relation, a, b, else_by } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    let holds = if left.is_int() && right.is_int() {
                        relation.holds((left.0 as i64).cmp(&(right.0 as i64)))
                    } else {
                        wake!();
                        value!(self.compare_slow(relation, left, right))
                    };
                    if !holds {
                        wake!();
                        otherwise!(else_by);
                    }
                }
                Instr::CompareTerms { relation, a, b, else_by } => {
                    wake!();
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    if !self.compare_terms(relation, left, right) {
                        otherwise!(else_by);
                    }
                }
                Instr::Eval { d, a } => {
                    let cell = self.slot_value(a);
                    if cell.is_int() {
                        self.x[d as usize] = cell;
                    } else {
                        wake!();
                        self.x[d as usize] = value!(self.arith(cell));
                    }
                }
                Instr::Add { d, a, b } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    match add_small(left, right) {
                        Some(sum) => self.x[d as usize] = sum,
                        None => {
                            wake!();
                            self.x[d as usize] = value!(self.arith2(Op2::Add, left, right));
                        }
                    }
                }
                Instr::Subtract { d, a, b } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    match subtract_small(left, right) {
                        Some(value) => self.x[d as usize] = value,
                        None => {
                            wake!();
                            self.x[d as usize] = value!(self.arith2(Op2::Subtract, left, right));
                        }
                    }
                }
                Instr::Arith1 { op, d, a } => {
                    wake!();
                    let cell = self.slot_value(a);
                    self.x[d as usize] = value!(self.arith1(op, cell));
                }
                Instr::Arith2 { op, d, a, b } => {
                    wake!();
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    self.x[d as usize] = value!(self.arith2(op, left, right));
                }
                Instr::Builtin { id, base, else_by } => {
                    wake!();
                    if !value!(self.call_builtin(host, id, base, at)) {
                        otherwise!(else_by);
                    }
                }
                Instr::BuiltinEntry { id } => {
                    require!(value!(self.call_builtin(host, id, 0, at)));
                    pc = self.cp;
                }
                Instr::BagOpen => {
                    wake!();
                    self.bags.push((self.bag_cells.len(), self.bag_roots.len()));
                }
                Instr::BagAdd { x } => {
                    wake!();
                    value!(self.bag_add(host, x));
                }
                Instr::BagClose { d } => value!(self.bag_close(d)),
                Instr::Between => follow!(self.between()),
                Instr::Walk => follow!(self.walk()),
                Instr::Dynamic { pred } => follow!(self.enter_dynamic(host, pred)),
                Instr::Link { pred } => follow!(self.link(host, pred)),
                Instr::Undefined { pred } => follow!(self.call_undefined(host, pred)),
                Instr::DetEntry { pred } => {
                    self.enter_det(Cell::small(i64::from(pred)), Demand::Property);
                    pc = self.program.det[&pred].behind;
                }
                Instr::DetCall => {
                    self.enter_det(self.x[0], Demand::Goal);
                    pc = self.program.entries[0];
                }
                Instr::GuardExecute { pred } => {
                    self.enter_det(Cell::small(i64::from(pred)), Demand::Caller);
                    execute!(pred)
                }
                Instr::DetExit => {
                    wake!();
                    value!(self.det_exit());
                }
                Instr::GuardExit { y } => {
                    wake!();
                    value!(self.guard_exit(y, at));
                }
                Instr::GuardFail => raise!(self.guard_error(at, "fail")),
                Instr::NoRule { pred } => raise!(self.no_rule(pred)),
                Instr::MetaCall { n } => follow!(self.meta_call(n)),
                Instr::MetaBody => follow!(self.meta_body_cleanly(host)),
                Instr::CatchEnter => self.catch_enter(),
                Instr::CatchExit => {
                    wake!();
                    self.catch_exit();
                }
                Instr::Throw => raise!(self.throw_ball()),
                Instr::Hook { pred } => pc = self.enter_hook(pred),
                Instr::HookReturn { .. } => {
                    self.deallocate();
                    pc = self.cp;
                }
                Instr::Original => follow!(self.enter_original()),
                Instr::Tabled { pred } => pc = self.enter_tabled(pred),
                Instr::TableBody => follow!(self.enter_table_body()),
                Instr::TableConsume => follow!(self.consume_table()),
                Instr::TableExhausted => follow!(self.table_exhausted()),
                Instr::Delimit => self.delimit(),
                Instr::ResetExit => follow!(self.reset_exit()),
                Instr::Shift => follow!(self.shift()),
                Instr::CallContinuation => follow!(self.call_continuation()),
                Instr::WakeReturn => pc = self.wake_return(),
                Instr::Stop => {
                    wake!();
                    return Ok(true);
                }
            }
        }
    }

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

    #[inline(always)]
    fn slot_value(&self, slot: Slot) -> Cell {
        self.deref(self.slot(slot))
    }

    /// Counts an inference; whether it is time to look at limits and memory.
    #[inline(always)]
    pub(super) fn tick(&mut self) -> bool {
        self.fuel -= 1;
        self.fuel == 0 || self.heap.top() > self.heap_limit
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
