//! The loop: fetch, match, act.
//!
//! One `match` over the instructions; each arm is a few lines or a call of an
//! inlined function of the modules beside this one, each with the part of the
//! machine it is about.

use super::choices::Alt;
use super::instr::{FAIL, Instr, Slot};
#[cfg(feature = "native")]
use super::native::NativeNext;
use super::{Fault, Machine, Outcome, Run};
use std::time::Duration;
use zug_term::Cell;

/// What the machine asks of the layers above it.
pub trait Host {
    /// Runs a built-in on its dereferenced arguments.
    fn builtin(&mut self, machine: &mut Machine, id: u16, args: &[Cell]) -> Outcome;
    /// Arity of a built-in.
    fn arity(&self, id: u16) -> usize;
    /// Name of a built-in, for errors.
    fn builtin_name(&self, id: u16) -> zug_term::symbol::Atom;
    /// Compiles a clause: fills in its code.
    fn compile(&mut self, machine: &mut Machine, clause: super::ClauseId) -> Result<(), Fault>;
    /// What to do about a call of an undefined predicate: fault, or fail.
    fn undefined(&mut self, machine: &mut Machine, pred: super::PredId) -> Outcome;
    /// Asks a native module, by its number, about variables that have been bound: pairs of the attribute and
    /// the value, which may be a variable. It may bind others by [`Machine::bind_for`], and have goals called by
    /// [`Machine::call_soon`]; it must not run goals, collect garbage or touch registers.
    fn wake(&mut self, machine: &mut Machine, native: u16, bound: &[(Cell, Cell)]) -> Outcome;
    /// The goals of a native module that say what it knows about variables that have its attribute. It must not run
    /// goals or collect garbage.
    ///
    /// # Errors
    /// A limit, or what the module says.
    fn residual(
        &mut self,
        machine: &mut Machine,
        native: u16,
        variables: &[Cell],
    ) -> Result<Vec<Cell>, Fault>;
    /// Calls [`Machine::run_from`] with itself. The loop is the largest function there is: as a
    /// method of the host it is compiled once, in the host's crate, and not in each crate that asks.
    fn run(&mut self, machine: &mut Machine, start: u32) -> Outcome;
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

/// Counts an inference, and polls before the call of a predicate when it is time to.
macro_rules! poll {
    ($machine:ident, $host:ident, $pc:ident, $pred:ident) => {{
        if $machine.tick() {
            match $machine.poll_call($host, $pred) {
                Ok(None) => {}
                Ok(Some(Next::Go(to))) => {
                    $pc = to;
                    continue;
                }
                Ok(Some(Next::Fail)) => backtrack!($machine, $host, $pc),
                Err(fault) => raise!($machine, $pc, fault),
            }
        }
    }};
}

/// Goes to a predicate. Selects a clause at once if that is what stands at its
/// entry, which saves a dispatch.
macro_rules! execute {
    ($machine:ident, $host:ident, $pc:ident, $pred:ident) => {{
        $machine.b0 = $machine.choices.len() as u32;
        poll!($machine, $host, $pc, $pred);
        $pc = $machine.entry_of($pred);
        match *$machine.fetch($pc) {
            Instr::Switch { table } => match $machine.switch(table) {
                Some(to) => $pc = to,
                None => backtrack!($machine, $host, $pc),
            },
            Instr::TryAll { arity, at } => $pc = $machine.try_all(arity, at),
            Instr::Jump { to } => $pc = to,
            #[cfg(feature = "native")]
            Instr::Native { number } => native!($machine, $host, $pc, number),
            _ => {}
        }
    }};
}

/// Runs machine code, and goes on as it says.
#[cfg(feature = "native")]
macro_rules! native {
    ($machine:ident, $host:ident, $pc:ident, $number:ident) => {{
        match $machine.run_native($host, $number) {
            Ok(NativeNext::Go(Next::Go(to))) => $pc = to,
            Ok(NativeNext::Go(Next::Fail)) => backtrack!($machine, $host, $pc),
            Ok(NativeNext::Call(pred, at)) => {
                $pc = at + 1;
                $machine.b0 = $machine.choices.len() as u32;
                poll!($machine, $host, $pc, pred);
                $pc = $machine.entry_of(pred);
            }
            Err((fault, at)) => {
                $pc = at + 1;
                raise!($machine, $pc, fault)
            }
        }
        continue;
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

/// Does what is pending before an instruction, and comes back to it.
macro_rules! wake {
    ($machine:ident, $host:ident, $pc:ident, $at:ident) => {{
        if $machine.is_pending() {
            match $machine.wake_at($host, $at) {
                Ok(None) => $pc = $at,
                Ok(Some(Next::Go(to))) => $pc = to,
                Ok(Some(Next::Fail)) => backtrack!($machine, $host, $pc),
                Err(fault) => raise!($machine, $pc, fault),
            }
            continue;
        }
    }};
}

/// Drops choice points above a height, and runs the cleanups that wait there.
macro_rules! cut {
    ($machine:ident, $host:ident, $pc:ident, $at:ident, $height:expr) => {{
        if $machine.cut_to($height)
            && let Err(fault) = $machine.run_cut_cleanups($host, $at)
        {
            raise!($machine, $pc, fault);
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
    /// answer (true), has none (false), or faults. What a step abandons half way, as its time
    /// is over, is a fault of that step.
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
            match *self.fetch(at) {
                #[cfg(feature = "native")]
                Instr::Native { number } => native!(self, host, pc, number),
                #[cfg(not(feature = "native"))]
                Instr::Native { .. } => unreachable!("there is no machine code"),
                Instr::GetListXX { a, h, t } => match self.get_list(a) {
                    Some(addr) => {
                        self.x[h as usize] = self.cell(addr);
                        self.x[t as usize] = self.cell(addr + 1);
                    }
                    None => {
                        let var = self.x[a as usize];
                        if !var.is_var() {
                            backtrack!(self, host, pc);
                        }
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
                        if !self.unify(left, right) {
                            backtrack!(self, host, pc);
                        }
                    }
                    None => {
                        let var = self.x[a as usize];
                        if !var.is_var() {
                            backtrack!(self, host, pc);
                        }
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
                        if !var.is_var() {
                            backtrack!(self, host, pc);
                        }
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
                        backtrack!(self, host, pc);
                    }
                }
                Instr::GetAtom { a, atom } => {
                    let cell = self.deref(self.x[a as usize]);
                    let constant = Cell::atom(zug_term::symbol::Atom(atom));
                    if cell != constant {
                        if !cell.is_var() {
                            backtrack!(self, host, pc);
                        }
                        self.bind(cell, constant);
                    }
                }
                Instr::GetInt { a, value } => {
                    let cell = self.deref(self.x[a as usize]);
                    let constant = Cell::small(i64::from(value));
                    if cell != constant {
                        if !cell.is_var() {
                            backtrack!(self, host, pc);
                        }
                        self.bind(cell, constant);
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
                    if !self.unify_constant(Cell::atom(zug_term::symbol::Atom(atom))) {
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
                            self.push_var();
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
                Instr::PutVarX { x } => self.x[x as usize] = self.push_var(),
                Instr::PutVarY { y, a } => {
                    let var = self.push_var();
                    self.x[a as usize] = var;
                    self.set_y(y, var);
                }
                Instr::InitY { y } => {
                    let var = self.push_var();
                    self.set_y(y, var);
                }
                Instr::PutAtom { a, atom } => {
                    self.x[a as usize] = Cell::atom(zug_term::symbol::Atom(atom));
                }
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
                Instr::SetVarX { x } => self.x[x as usize] = self.push_var(),
                Instr::SetVarY { y } => {
                    let var = self.push_var();
                    self.set_y(y, var);
                }
                Instr::SetX { x } => {
                    self.push(self.x[x as usize]);
                }
                Instr::SetY { y } => {
                    let cell = self.y(y);
                    self.push(cell);
                }
                Instr::SetAtom { atom } => {
                    self.push(Cell::atom(zug_term::symbol::Atom(atom)));
                }
                Instr::SetInt { value } => {
                    self.push(Cell::small(i64::from(value)));
                }
                Instr::SetVoid { n } => {
                    for _ in 0..n {
                        self.push_var();
                    }
                }
                Instr::SetListAt { by } => {
                    self.push(Cell::list(self.heap.top() + by as usize));
                }
                Instr::SetStructAt { by } => {
                    self.push(Cell::structure(self.heap.top() + by as usize));
                }
                Instr::SetHeader { f } => {
                    self.push(self.functor(f));
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
                    self.push_pair(left, right);
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
                Instr::Call { stub, pred, .. } => {
                    self.cp = if stub { self.program.stub_of(pc) } else { pc };
                    execute!(self, host, pc, pred);
                }
                Instr::Execute { pred } => execute!(self, host, pc, pred),
                Instr::Proceed => pc = self.cp,
                Instr::Allocate { n } => self.allocate(n),
                Instr::Deallocate => self.deallocate(),
                Instr::Jump { to } => pc = to,
                Instr::Fail => {
                    wake!(self, host, pc, at);
                    backtrack!(self, host, pc)
                }
                Instr::TryElse { stub, live, to } => {
                    wake!(self, host, pc, at);
                    let to = if stub { self.program.stub_of(to) } else { to };
                    self.push_choice(Alt::Else { to, live }, 0);
                }
                Instr::Mark { y } => {
                    wake!(self, host, pc, at);
                    let height = Cell::small(self.choices.len() as i64);
                    self.set_y(y, height);
                }
                Instr::CutTo { y } => {
                    wake!(self, host, pc, at);
                    cut!(self, host, pc, at, self.y(y).int_value() as usize);
                }
                Instr::SoftCut { y } => {
                    wake!(self, host, pc, at);
                    self.soft_cut(self.y(y).int_value() as usize);
                }
                Instr::Wake => wake!(self, host, pc, at),
                Instr::CutNeck => {
                    wake!(self, host, pc, at);
                    if self.shallow.is_on() {
                        self.commit_shallow();
                    } else {
                        cut!(self, host, pc, at, self.b0 as usize);
                    }
                }
                Instr::Cut => {
                    wake!(self, host, pc, at);
                    cut!(self, host, pc, at, self.frame_word(self.e + 2) as usize);
                }

                Instr::Switch { table } => match self.switch(table) {
                    Some(to) => pc = to,
                    None => backtrack!(self, host, pc),
                },
                Instr::TryAll { arity, at } => pc = self.try_all(arity, at),
                Instr::Type { test, slot, else_by } => {
                    let cell = self.deref(self.slot(slot));
                    let holds = self.type_test(test, cell);
                    // PERF: what is pending changes nothing about most tests that hold.
                    if !holds || cell.is_var() || test.is_deep() {
                        wake!(self, host, pc, at);
                    }
                    if !holds {
                        otherwise!(self, host, pc, else_by);
                    }
                }
                Instr::CompareNumbers { relation, a, b, else_by } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    let holds = if left.is_int() && right.is_int() {
                        relation.holds((left.0 as i64).cmp(&(right.0 as i64)))
                    } else {
                        wake!(self, host, pc, at);
                        match self.compare_slow(relation, left, right) {
                            Ok(holds) => holds,
                            Err(fault) => raise!(self, pc, fault),
                        }
                    };
                    if !holds {
                        wake!(self, host, pc, at);
                        otherwise!(self, host, pc, else_by);
                    }
                }
                Instr::CompareTerms { relation, a, b, else_by } => {
                    wake!(self, host, pc, at);
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
                        wake!(self, host, pc, at);
                        match self.arith(cell) {
                            Ok(value) => self.x[d as usize] = value,
                            Err(fault) => raise!(self, pc, fault),
                        }
                    }
                }
                Instr::Add { d, a, b } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    match add_small(left, right) {
                        Some(sum) => self.x[d as usize] = sum,
                        None => {
                            wake!(self, host, pc, at);
                            match self.arith2(super::arithmetic::Op2::Add, left, right) {
                                Ok(value) => self.x[d as usize] = value,
                                Err(fault) => raise!(self, pc, fault),
                            }
                        }
                    }
                }
                Instr::Subtract { d, a, b } => {
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    match subtract_small(left, right) {
                        Some(value) => self.x[d as usize] = value,
                        None => {
                            wake!(self, host, pc, at);
                            match self.arith2(super::arithmetic::Op2::Subtract, left, right) {
                                Ok(value) => self.x[d as usize] = value,
                                Err(fault) => raise!(self, pc, fault),
                            }
                        }
                    }
                }
                Instr::Arith1 { op, d, a } => {
                    wake!(self, host, pc, at);
                    let cell = self.slot_value(a);
                    match self.arith1(op, cell) {
                        Ok(value) => self.x[d as usize] = value,
                        Err(fault) => raise!(self, pc, fault),
                    }
                }
                Instr::Arith2 { op, d, a, b } => {
                    wake!(self, host, pc, at);
                    let (left, right) = (self.slot_value(a), self.slot_value(b));
                    match self.arith2(op, left, right) {
                        Ok(value) => self.x[d as usize] = value,
                        Err(fault) => raise!(self, pc, fault),
                    }
                }
                Instr::Builtin { id, base, else_by } => {
                    wake!(self, host, pc, at);
                    match self.call_builtin(host, id, base, at) {
                        Ok(true) => {}
                        Ok(false) => otherwise!(self, host, pc, else_by),
                        Err(fault) => raise!(self, pc, fault),
                    }
                }
                Instr::BuiltinEntry { id } => match self.call_builtin(host, id, 0, at) {
                    Ok(true) => pc = self.cp,
                    Ok(false) => backtrack!(self, host, pc),
                    Err(fault) => raise!(self, pc, fault),
                },
                Instr::BagOpen => {
                    wake!(self, host, pc, at);
                    self.bags.push((self.bag_cells.len(), self.bag_roots.len()));
                }
                Instr::BagAdd { x } => {
                    wake!(self, host, pc, at);
                    if let Err(fault) = self.bag_add(host, x) {
                        raise!(self, pc, fault);
                    }
                }
                Instr::BagClose { d } => {
                    if let Err(fault) = self.bag_close(d) {
                        raise!(self, pc, fault);
                    }
                }
                Instr::Between => follow!(self, host, pc, self.between()),
                Instr::Walk => follow!(self, host, pc, self.walk()),
                Instr::Dynamic { pred } => follow!(self, host, pc, self.enter_dynamic(host, pred)),
                Instr::Link { pred } => follow!(self, host, pc, self.link(host, pred)),
                Instr::Undefined { pred } => {
                    follow!(self, host, pc, self.call_undefined(host, pred))
                }
                Instr::DetEntry { pred } => pc = self.enter_declared(pred),
                Instr::DetCall => pc = self.enter_goal(),
                Instr::GuardExecute { pred } => {
                    self.enter_last(pred);
                    execute!(self, host, pc, pred)
                }
                Instr::DetExit => {
                    wake!(self, host, pc, at);
                    if let Err(fault) = self.det_exit() {
                        raise!(self, pc, fault)
                    }
                }
                Instr::GuardExit { y } => {
                    wake!(self, host, pc, at);
                    if let Err(fault) = self.guard_exit(y, at) {
                        raise!(self, pc, fault)
                    }
                }
                Instr::GuardFail => {
                    let fault = self.guard_error(at, "fail");
                    raise!(self, pc, fault)
                }
                Instr::NoRule { pred } => {
                    let fault = self.no_rule(pred);
                    raise!(self, pc, fault)
                }
                Instr::MetaCall { n } => follow!(self, host, pc, self.meta_call(n)),
                Instr::MetaBody => follow!(self, host, pc, self.meta_body_cleanly(host)),
                Instr::CatchEnter => self.catch_enter(),
                Instr::CatchExit => {
                    wake!(self, host, pc, at);
                    self.catch_exit();
                }
                Instr::Throw => {
                    let fault = self.throw_ball();
                    raise!(self, pc, fault)
                }
                Instr::Hook { pred } => pc = self.enter_hook(pred),
                Instr::HookReturn { .. } => {
                    self.deallocate();
                    pc = self.cp;
                }
                Instr::Original => follow!(self, host, pc, self.enter_original()),
                Instr::Tabled { pred } => pc = self.enter_tabled(pred),
                Instr::TableBody => follow!(self, host, pc, self.enter_table_body()),
                Instr::TableConsume => follow!(self, host, pc, self.consume_table()),
                Instr::TableExhausted => follow!(self, host, pc, self.table_exhausted()),
                Instr::Delimit => self.delimit(),
                Instr::ResetExit => follow!(self, host, pc, self.reset_exit()),
                Instr::Shift => follow!(self, host, pc, self.shift()),
                Instr::CallContinuation => follow!(self, host, pc, self.call_continuation()),
                Instr::WakeReturn => pc = self.wake_return(),
                Instr::Stop => {
                    wake!(self, host, pc, at);
                    return Ok(true);
                }
            }
        }
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
