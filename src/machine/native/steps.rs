//! What machine code calls: steps that are too long or too rare to be written in it.
//!
//! Each takes over what machine code changed, does its work on the machine, and opens the window again. An
//! unwinding, as that of a watchdog, is kept for the loop: there is no way through machine code.

use super::super::choices::Alt;
use super::super::host::Host;
use super::super::instr::{Instr, Relation, TypeTest};
use super::super::{Fault, Machine, arithmetic};
use super::Exit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use zug_term::Cell;

/// Kinds of choice points that machine code makes and backtracks into: the words of [`Alt`].
#[derive(Clone, Copy)]
pub(super) enum Pushed {
    Clauses = 0,
    Else = 1,
}

pub(super) const YES: u64 = 1;
pub(super) const NO: u64 = 0;
/// Goals are to be run to find out: the loop does the instruction.
pub(super) const UNDECIDED: u64 = 5;
/// A fault is kept.
pub(super) const FAULT: u64 = Exit::Fault as u64;
/// An unwinding is kept.
pub(super) const UNWIND: u64 = Exit::Unwind as u64;

/// Does a step between closing the window and opening it.
#[inline(always)]
fn step(m: *mut Machine, work: impl FnOnce(&mut Machine) -> u64) -> u64 {
    #[expect(unsafe_code, reason = "machine code passes on the machine that it was entered with")]
    // SAFETY: `Machine::enter_native` is on the stack with the exclusive reference that this pointer was made from,
    // and does not use it before machine code returns.
    let m = unsafe { &mut *m };
    m.close_window();
    let done = catch_unwind(AssertUnwindSafe(|| work(&mut *m)));
    let status = done.unwrap_or_else(|panic| keep_panic(m, panic));
    m.reserve_slack();
    m.open_window();
    status
}

/// As [`step`], for work that is never unwound and leaves the heap where it is: machine code may know its address.
#[inline(always)]
fn short_step(m: *mut Machine, work: impl FnOnce(&mut Machine) -> u64) -> u64 {
    #[expect(unsafe_code, reason = "machine code passes on the machine that it was entered with")]
    // SAFETY: as in `step`.
    let m = unsafe { &mut *m };
    m.close_window();
    let done = work(&mut *m);
    m.open_window();
    done
}

fn keep_panic(m: &mut Machine, panic: Box<dyn std::any::Any + Send>) -> u64 {
    *m.kept.panic() = Some(panic);
    UNWIND
}

/// The status of what may raise a fault.
fn status(m: &mut Machine, outcome: Result<u64, Fault>) -> u64 {
    outcome.unwrap_or_else(|fault| {
        m.kept.fault = Some(fault);
        FAULT
    })
}

/// As [`step`], for work that gives a cell or a fault.
fn compute(m: *mut Machine, work: impl FnOnce(&mut Machine) -> Result<Cell, Fault>) -> u64 {
    step(m, |m| {
        let done = work(m).map(|cell| {
            m.window.result = cell.0;
            YES
        });
        status(m, done)
    })
}

pub(super) extern "C" fn bind_attributed(m: *mut Machine, variable: u64, value: u64) -> u64 {
    short_step(m, |m| {
        m.bind_attributed(Cell(variable), Cell(value));
        YES
    })
}

pub(super) extern "C" fn grow_heap(m: *mut Machine) -> u64 {
    step(m, |_| YES)
}

pub(super) extern "C" fn grow_frames(m: *mut Machine, end: u64) -> u64 {
    step(m, |m| {
        m.grow_frames(end as usize);
        YES
    })
}

/// Unifies; bindings of cells below an address, in bytes, are noted on the trail.
pub(super) extern "C" fn unify(m: *mut Machine, a: u64, b: u64, barrier: u64) -> u64 {
    #[expect(unsafe_code, reason = "machine code passes on the machine that it was entered with")]
    // SAFETY: as in `step`.
    let m = unsafe { &mut *m };
    m.close_window();
    let kept = std::mem::replace(&mut m.hb, barrier as usize / size_of::<Cell>());
    // PERF: not between closing and opening the whole window, as a binding changes little of it.
    let unified = catch_unwind(AssertUnwindSafe(|| m.unify(Cell(a), Cell(b))));
    m.hb = kept;
    m.reserve_trail();
    m.open_bound();
    match unified {
        Ok(unified) => u64::from(unified),
        Err(panic) => keep_panic(m, panic),
    }
}

pub(super) extern "C" fn literal(m: *mut Machine, number: u64) -> u64 {
    compute(m, |m| Ok(m.put_literal(number as u32)))
}

/// A choice point of a [`Pushed`] kind, with its parts, that keeps N arguments.
pub(super) extern "C" fn push_choice(
    m: *mut Machine,
    kind: u64,
    first: u64,
    second: u64,
    arity: u64,
) -> u64 {
    short_step(m, |m| {
        let alt = match kind == Pushed::Clauses as u64 {
            true => Alt::Clauses { next: first as u32, end: second as u32 },
            false => Alt::Else { to: first as u32, live: second as u16 },
        };
        m.push_choice(alt, arity as usize);
        YES
    })
}

/// Selects the clauses of a predicate by a table of the loop: the function to go on with.
pub(super) extern "C" fn switch(m: *mut Machine, table: u64) -> u64 {
    short_step(m, |m| {
        let to = m.switch(table as u32);
        m.function_or_fail(to)
    })
}

/// Makes the choice point at a height a dead end, or drops it.
pub(super) extern "C" fn soft_cut(m: *mut Machine, height: u64) -> u64 {
    step(m, |m| {
        m.soft_cut(height as usize);
        YES
    })
}

/// Undoes the bindings since the trail had this length.
pub(super) extern "C" fn undo(m: *mut Machine, mark: u64) -> u64 {
    short_step(m, |m| {
        m.undo_to(mark as usize);
        YES
    })
}

/// The loop goes on with a clause while others are tried without a choice point.
pub(super) extern "C" fn try_on(m: *mut Machine, row: u64, arity: u64, mark: u64, top: u64) -> u64 {
    short_step(m, |m| {
        let heap = top as usize / size_of::<Cell>();
        m.go_on_shallow(((row >> 32) as u32, row as u32), (mark as usize, heap), arity as usize);
        YES
    })
}

/// Backtracks: the function to go on with.
pub(super) extern "C" fn fail(m: *mut Machine) -> u64 {
    short_step(m, |m| {
        let to = m.backtrack_to_clause();
        m.function_or_fail(to)
    })
}

/// Calls a goal by a `call/n`, whose inference is counted: the function to go on with.
pub(super) extern "C" fn goal(m: *mut Machine, pred: u64) -> u64 {
    short_step(m, |m| {
        let entry = m.program.entries[pred as usize];
        let called = match *m.fetch(entry) {
            Instr::MetaCall { n } => m.call_plain(n),
            _ => None,
        };
        m.function_at(called.unwrap_or(entry))
    })
}

/// Whether a type test holds of a dereferenced cell.
pub(super) extern "C" fn type_test(m: *mut Machine, test: u64, cell: u64) -> u64 {
    step(m, |m| u64::from(m.type_test(TypeTest::ALL[test as usize], Cell(cell))))
}

pub(super) extern "C" fn compare_numbers(m: *mut Machine, relation: u64, a: u64, b: u64) -> u64 {
    step(m, |m| {
        let (a, b) = (m.deref(Cell(a)), m.deref(Cell(b)));
        let outcome = m.compare_slow(Relation::ALL[relation as usize], a, b);
        status(m, outcome.map(u64::from))
    })
}

pub(super) extern "C" fn compare_terms(m: *mut Machine, relation: u64, a: u64, b: u64) -> u64 {
    step(m, |m| u64::from(m.compare_terms(Relation::ALL[relation as usize], Cell(a), Cell(b))))
}

pub(super) extern "C" fn eval(m: *mut Machine, a: u64) -> u64 {
    compute(m, |m| m.arith(Cell(a)))
}

pub(super) extern "C" fn arith1(m: *mut Machine, op: u64, a: u64) -> u64 {
    compute(m, |m| {
        let a = m.deref(Cell(a));
        m.arith1(arithmetic::Op1::ALL[op as usize], a)
    })
}

pub(super) extern "C" fn arith2(m: *mut Machine, op: u64, a: u64, b: u64) -> u64 {
    compute(m, |m| {
        let (a, b) = (m.deref(Cell(a)), m.deref(Cell(b)));
        m.arith2(arithmetic::Op2::ALL[op as usize], a, b)
    })
}

pub(super) extern "C" fn builtin<H: Host>(m: *mut Machine, id: u64, base: u64) -> u64 {
    step(m, |m| {
        let host = m.window.host as *mut H;
        #[expect(unsafe_code, reason = "the host that the loop was entered with")]
        // SAFETY: `Machine::run_native` put the address there, of the host that it has exclusively, and the function of
        // the same type beside it; it does not use it before machine code returns.
        let host = unsafe { &mut *host };
        let (own_host, own_builtin) = (m.window.host, m.window.builtin);
        let outcome = m.begin_builtin(host, id as u16, base as u16);
        (m.window.host, m.window.builtin) = (own_host, own_builtin);
        match m.undecided.take() {
            // The loop asks again: goals are to be run, for which it has the registers.
            Some(_) => UNDECIDED,
            None => status(m, outcome.map(u64::from)),
        }
    })
}

impl Machine {
    /// The function at a code address, or what leaves for the loop to go on there.
    fn function_at(&mut self, address: u32) -> u64 {
        match *self.fetch(address) {
            Instr::Native { number } if self.program.natives.functions[number as usize] != 0 => {
                self.program.natives.functions[number as usize] as u64
            }
            _ => self.leaves_by(Exit::Go.with(address)),
        }
    }

    /// As [`Machine::function_at`]; without an address what leaves for the loop to backtrack.
    fn function_or_fail(&mut self, address: Option<u32>) -> u64 {
        match address {
            Some(address) => self.function_at(address),
            None => self.leaves_by(Exit::Fail.with(0)),
        }
    }

    /// The function that leaves by an exit.
    fn leaves_by(&mut self, exit: u64) -> u64 {
        self.window.exit = exit;
        self.window.leave as u64
    }
}
