//! Machine code for the clauses of predicates that are called often.
//!
//! A predicate gets machine code once polls of the limits have found it running some times over: one function for its
//! entry, and one for each place in its clauses that the machine comes back to, behind a call or by backtracking, once that
//! was reached some times over. The functions do what the instructions say, with the registers of the clause in those of the
//! processor. They leave what is rare to the loop: they *step out* at an instruction, with all registers where the loop
//! wants them.
//!
//! The entry of the predicate becomes an [`Instr::Native`]. The addresses that calls return to, and those of
//! clauses in choice points, are those of *stubs* behind all other code: an [`Instr::Native`] that stands for the
//! address that it came from ([`Program::origin`]), behind a copy of the [`Instr::Call`] that returns to it, for the
//! collector. Another instruction at the entry of a predicate takes its machine code out of use.
//!
//! - [`window`]: the machine as machine code sees it.
//! - [`steps`]: what machine code calls.
//! - [`emit`]: cells, bindings, calls, as machine code, and the functions that all of it shares.
//! - [`clause`]: the instructions of a clause.
//! - [`plan`]: the functions of a predicate, and the selection of its clauses.
//!
//! Invariants: no clauses are left to be tried without a choice point ([`super::shallow`]) when machine code begins; what
//! is pending ([`super::wake`]) is looked at where the loop would; the collector, which can run at calls, looks at no
//! register that only machine code knows.
//!
//! Sources: Van Roy, "1983-1993: The wonder years of sequential Prolog implementation" (1994), section 2.3, for code with
//! its slow paths left to the interpreter; Van Roy and Despain, "High-performance logic programming with the Aquarius
//! Prolog compiler" (1992), for choice points only where several clauses may match.

mod clause;
mod emit;
pub(super) mod natives;
mod plan;
mod steps;
pub(super) mod window;

use super::choices::{Alt, DECIDES};
use super::clause::PredId;
use super::host::{Host, Next};
use super::instr::Instr;
use super::program::{Kind, Program};
use super::{Fault, Machine, NativeCode};
use natives::{Function, Place, Plan};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use zug_jit::Assembly;

/// Polls that find a predicate running before it gets machine code, for each of its instructions. Making
/// it then takes about as long as running it until then did.
const OFTEN: usize = 1;
/// Exits from machine code by which the predicates that the loop goes on with are sampled: about what polls are apart. A
/// prime number, so that none of a loop's exits is always missed.
const EXITS: u32 = 509;
/// Times that a place in its clauses is reached before it gets machine code, and as many more for each instruction.
const OFTEN_AT_PLACE: u32 = 64;

/// The count of a place that can have no machine code.
const NEVER: u32 = u32::MAX;

/// What machine code leaves for the loop to do; three bits beside a number.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Exit {
    /// Go on at a code address.
    Go = 0,
    /// Call a predicate: limits are to be polled first.
    Call = 1,
    /// Backtrack.
    Fail = 2,
    /// Raise the fault that is kept, at a code address.
    Fault = 3,
    /// Go on with the unwinding that is kept.
    Unwind = 4,
}

impl Exit {
    fn with(self, number: u32) -> u64 {
        u64::from(number) << 3 | self as u64
    }
}

/// What a step called by machine code could not do itself.
#[derive(Default)]
pub(super) struct Kept {
    fault: Option<Fault>,
    /// Behind a lock that nobody waits for: what a panic carries is not shared by threads, a machine may be.
    panic: Mutex<Option<Box<dyn std::any::Any + Send>>>,
}

impl Kept {
    fn panic(&mut self) -> &mut Option<Box<dyn std::any::Any + Send>> {
        self.panic.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A function that all machine code shares, by its number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shared(usize);

impl Shared {
    /// Enters a function from the loop.
    const ENTER: Shared = Shared(0);
    /// Leaves for the loop by the exit that is in the window.
    const LEAVE: Shared = Shared(1);
    /// Binds a variable that is old, or has attributes.
    const BIND: Shared = Shared(2);
    /// Returns to the continuation.
    const PROCEED: Shared = Shared(3);
    /// Calls a predicate.
    const CALL: Shared = Shared(4);
    /// Makes a choice point for clauses.
    const PUSH: Shared = Shared(5);
    /// Drops choice points above a height.
    const CUT: Shared = Shared(6);
    /// Backtracks.
    const FAIL: Shared = Shared(7);
    /// Calls a goal, by `call/n`.
    const GOAL: Shared = Shared(8);
    /// Unifies: the only one that calls another.
    const UNIFY: Shared = Shared(9);

    /// Where it lies, if there can be machine code on this processor.
    fn address(self) -> Option<usize> {
        static FIRST: OnceLock<Option<Assembly>> = OnceLock::new();
        static SECOND: OnceLock<Option<Assembly>> = OnceLock::new();
        match self {
            Shared::UNIFY => Some(SECOND.get_or_init(emit::unifier).as_ref()?.address(0)),
            Shared(number) => Some(FIRST.get_or_init(emit::shared).as_ref()?.address(number)),
        }
    }
}

impl Program {
    /// The address that a code address stands for, also that of the call before a stub; else itself.
    pub(super) fn origin(&self, address: u32) -> u32 {
        let origin = |number: u32| self.natives.places[number as usize].origin;
        match self.code.get(address as usize) {
            Some(&Instr::Native { number }) => origin(number),
            Some(Instr::Call { .. }) => match self.code.get(address as usize + 1) {
                Some(&Instr::Native { number }) => origin(number) - 1,
                _ => address,
            },
            _ => address,
        }
    }

    /// A stub for a code address, behind a copy of the call that returns to it: the address of the stub.
    fn stub(&mut self, origin: u32, call: Option<Instr>, function: Function) -> u32 {
        let number = self.natives.functions.len() as u32;
        self.natives.functions.push(0);
        let plan = self.natives.plans.len() as u32;
        self.natives.places.push(Place { origin, plan, function, count: 0 });
        self.code.extend(call);
        let at = self.code.len() as u32;
        self.code.push(Instr::Native { number });
        self.natives.stubs.insert(origin, at);
        at
    }

    /// The stub of a place in a clause where machine code goes on; the place itself if it has none.
    pub(super) fn stub_of(&self, origin: u32) -> u32 {
        self.natives.stub_of(origin)
    }

    /// The predicate that the code at an address is of.
    fn pred_at(&self, address: u32) -> Option<PredId> {
        match self.code.get(address as usize) {
            Some(&Instr::Switch { table }) => Some(self.indexes[table as usize].pred),
            _ => self.clause_at(address).map(|clause| self.clauses[clause as usize].pred),
        }
    }

    /// Code is given back: nothing goes on there any more.
    pub(super) fn forget_stubs(&mut self, start: u32, len: u32) {
        if !self.natives.stubs.is_empty() {
            (start..start + len).for_each(|at| {
                self.natives.stubs.remove(&at);
            });
        }
    }

    /// A predicate has another definition: it may get machine code again.
    pub(super) fn forget_native(&mut self, pred: PredId) {
        self.natives.seen.remove(&pred);
    }
}

impl Machine {
    /// Samples the predicate that a poll found about to run, its caller, and the clause to backtrack into.
    pub(super) fn note_running(&mut self, pred: PredId) {
        if self.native_code == NativeCode::Never {
            return;
        }
        let tried = self.choices.last().and_then(|choice| match choice.alt {
            Alt::Clauses { next, .. } => Some(self.target(next) & !DECIDES),
            Alt::Else { to, .. } => Some(to),
            _ => None,
        });
        let of = |at: Option<u32>| self.program.pred_at(at?);
        let [running, caller, tried] =
            [Some(self.program.resolve(pred)), of(self.cp.checked_sub(1)), of(tried)];
        let caller = caller.filter(|_| caller != running);
        let tried = tried.filter(|_| tried != running && tried != caller);
        [running, caller, tried].into_iter().flatten().for_each(|pred| self.found_running(pred));
    }

    /// Machine code has left for the loop to go on at an address: whatever that belongs to is sampled like what is called.
    fn note_exit(&mut self, at: u32) {
        let exits = &mut self.program.natives.exits;
        *exits += 1;
        if exits.is_multiple_of(EXITS)
            && let Some(pred) = self.program.pred_at(at)
        {
            self.found_running(pred);
        }
    }

    fn found_running(&mut self, pred: PredId) {
        let is_new = !self.program.natives.seen.contains(&pred);
        if is_new && self.may_be_native(pred) && self.is_often(pred) {
            self.program.natives.samples.remove(&pred);
            self.program.natives.seen.insert(pred);
            self.make_native(pred);
        }
    }

    pub(super) fn note_linked(&mut self, pred: PredId) {
        if self.native_code == NativeCode::Always {
            self.make_native(pred);
        }
    }

    /// Counts a sample of a predicate: whether there are enough now.
    fn is_often(&mut self, pred: PredId) -> bool {
        let count = self.program.natives.samples.entry(pred).or_insert(0);
        *count += 1;
        let clauses = &self.program.preds[pred as usize].clauses;
        let size = |&id: &u32| self.program.clauses[id as usize].code_len as usize;
        let size = clauses.iter().map(size).sum::<usize>().min(plan::MOST_INLINE);
        *count as usize >= OFTEN * size
    }

    fn may_be_native(&self, pred: PredId) -> bool {
        let predicate = &self.program.preds[pred as usize];
        predicate.kind == Kind::Static
            // One that must have one answer is told by the choice points that the loop makes.
            && !self.program.is_det(pred)
            && !self.program.plain
            && !self.program.is_hooked()
            && matches!(
                self.program.code[predicate.slot as usize],
                Instr::Switch { .. } | Instr::TryAll { .. } | Instr::Jump { .. }
            )
    }

    /// Makes machine code for the entry of a predicate, if it can have some.
    fn make_native(&mut self, pred: PredId) {
        if !self.may_be_native(pred) || Shared::UNIFY.address().is_none() {
            return;
        }
        let number = self.program.natives.functions.len() as u32;
        let Some(plan) = Plan::of(&mut self.program, pred) else { return };
        self.program.natives.plans.push(Arc::new(plan));
        if self.make_function(number) {
            let slot = self.program.preds[pred as usize].slot;
            self.program.code[slot as usize] = Instr::Native { number };
        }
    }

    #[cold]
    fn make_function(&mut self, number: u32) -> bool {
        let place = self.program.natives.places[number as usize];
        let plan = self.program.natives.plans[place.plan as usize].clone();
        let made = plan.make(&self.program, place.function);
        let natives = &mut self.program.natives;
        let Some(assembly) = made else { return false };
        natives.functions[number as usize] = assembly.address(0);
        natives.assemblies.push(Arc::new(assembly));
        true
    }

    /// Comes to a place that has no function yet: whether it has one now.
    fn come_to(&mut self, number: u32) -> bool {
        let natives = &mut self.program.natives;
        let place = &mut natives.places[number as usize];
        place.count = place.count.saturating_add(1);
        let size = natives.plans[place.plan as usize].size(place.function) as u32;
        let enough = match self.native_code {
            NativeCode::Always => 1,
            _ => OFTEN_AT_PLACE * (8 + size),
        };
        if place.count < enough || place.count == NEVER {
            return false;
        }
        let made = self.make_function(number);
        if !made {
            self.program.natives.places[number as usize].count = NEVER;
        }
        made
    }

    /// Runs machine code: where to go on. Errors: a fault, with the address of its instruction.
    #[inline]
    pub(super) fn run_native<H: Host>(
        &mut self,
        host: &mut H,
        number: u32,
    ) -> Result<NativeNext, (Fault, u32)> {
        let at = number as usize;
        if self.program.natives.functions[at] == 0 && !self.come_to(number) {
            return Ok(NativeNext::Go(Next::Go(self.program.natives.places[at].origin)));
        }
        let function = self.program.natives.functions[at];
        self.window.builtin = steps::builtin::<H> as *const () as usize;
        self.window.host = std::ptr::from_mut(host) as usize;
        let exit = self.enter_native(function);
        let at = (exit >> 3) as u32;
        Ok(match exit & 7 {
            0 => {
                self.note_exit(at);
                NativeNext::Go(Next::Go(at))
            }
            1 => NativeNext::Call(at, self.window.called_at as u32),
            2 => NativeNext::Go(Next::Fail),
            3 => return Err((self.kept.fault.take().expect("a fault is kept"), at)),
            _ => std::panic::resume_unwind(self.kept.panic().take().expect("an unwinding is kept")),
        })
    }
}

/// Where the loop goes on behind machine code.
pub(super) enum NativeNext {
    Go(Next),
    /// It calls a predicate, by the instruction at an address.
    Call(PredId, u32),
}

#[cfg(test)]
mod tests {
    use super::super::choices::{Alt, Choice};
    use super::super::instr::Instr;
    use super::steps::Pushed;
    use std::mem::offset_of;

    /// The bytes of a value that stands for itself: the parts that machine code looks at are all written.
    fn words<T: Copy>(value: &T, count: usize) -> Vec<u32> {
        assert!(count * 4 <= size_of::<T>());
        let first = std::ptr::from_ref(value).cast::<u32>();
        #[expect(unsafe_code, reason = "the layout is looked at")]
        // SAFETY: N words lie within the value, which is aligned for them.
        (0..count).map(|i| unsafe { std::ptr::read_volatile(first.add(i)) }).collect()
    }

    #[test]
    fn choice_points_lie_as_machine_code_writes_them() {
        let clauses = Alt::Clauses { next: 7, end: 9 };
        assert_eq!(words(&clauses, 3), [Pushed::Clauses as u32, 7, 9]);
        let other = Alt::Else { to: 7, live: 9 };
        let found = words(&other, 3);
        assert_eq!((found[0], found[1], found[2] & 0xffff), (Pushed::Else as u32, 7, 9));
        assert_eq!(offset_of!(Choice, alt), 0);
    }

    #[test]
    fn machine_code_is_known_by_a_byte_and_its_number() {
        let native = words(&Instr::Native { number: 7 }, 2);
        assert_eq!((native[0] & 0xff, native[1]), (0, 7));
        assert_ne!(words(&Instr::Jump { to: 0 }, 1)[0] & 0xff, 0);
    }
}
