//! `catch/3` and `throw/1` (ISO 13211-1, 7.8.9 and 7.8.10).
//!
//! A catch is a choice point. When its goal has succeeded but left choice points, the catch stays on the stack,
//! inactive; an entry on the trail wakes it again when backtracking re-enters the goal.

use super::choices::Alt;
use super::{Fault, Machine, PredId, Space, fixed};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record};

/// Value-trail addresses from here on name choice points, not cells.
pub(super) const CHOICE_ADDRESS: usize = 1 << 60;

/// Where an uncaught exception happened.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The built-in or predicate that raised it.
    pub raised_in: Option<(Atom, usize)>,
    /// Arithmetic came upon a variable with attributes.
    pub on_attributed: bool,
    /// Code addresses of the call chain, innermost first.
    pub addresses: Vec<u32>,
    /// Clauses of these addresses with their predicates.
    pub callers: Vec<(PredId, super::ClauseId)>,
}

impl Machine {
    /// Enters `catch/3`: `X[0]` goal, `X[1]` catcher, `X[2]` recovery.
    pub(super) fn catch_enter(&mut self) {
        let height = Cell::small(self.choices.len() as i64);
        self.set_y(0, height);
        self.push_choice(Alt::Catch { active: true }, 3);
    }

    pub(super) fn catch_exit(&mut self) {
        let at = self.y(0).int_value() as usize;
        if at + 1 == self.choices.len() {
            self.cut_to(at);
        } else {
            self.choices[at].alt = Alt::Catch { active: false };
            self.note_value(CHOICE_ADDRESS | at, Cell::ZERO);
        }
    }

    #[cold]
    pub(super) fn reactivate(&mut self, address: usize) {
        let at = address & !CHOICE_ADDRESS;
        if let Some(choice) = self.choices.get_mut(at)
            && matches!(choice.alt, Alt::Catch { .. })
        {
            choice.alt = Alt::Catch { active: true };
        }
    }

    /// `throw/1`: the ball in `X[0]`.
    pub(super) fn throw_ball(&mut self) -> Fault {
        let ball = self.heap.deref(self.x[0]);
        if ball.is_var() {
            self.fault_in = Some((atoms::CATCH, 3));
            return self.instantiation_error();
        }
        self.fault_in = None;
        self.ball(ball)
    }

    /// Unwinds to the innermost catch of this run whose catcher unifies with the
    /// ball: the address to go on at. Without one the fault goes to the caller.
    #[cold]
    pub(super) fn raise(&mut self, fault: Fault, pc: u32) -> Result<u32, Fault> {
        self.drop_shallow();
        let raised_in = self.fault_in.take().and_then(|found| self.public(found));
        let Fault::Ball(ball) = fault else {
            self.keep_trace(raised_in, pc);
            return Err(fault);
        };
        let ball = self.with_context(*ball, raised_in);
        // Who observes catches everything and throws it again: the place is that of the first throw.
        let boxed = self.observer != super::Observer::Nobody;
        if boxed {
            self.keep_trace(raised_in, pc);
        }
        if self.catches(true).is_empty() {
            if !boxed {
                self.keep_trace(raised_in, pc);
            }
            return Err(Fault::Ball(Box::new(ball)));
        }
        // Undoing the trail on the way wakes catches whose goals had been left: they are not
        // asked, for the ball wasn't thrown inside.
        let mut asleep = self.catches(false).into_iter().peekable();
        while let Some(&choice) = self.choices.last() {
            if matches!(choice.alt, Alt::Barrier) {
                break;
            }
            let slept = asleep.next_if_eq(&(self.choices.len() - 1)).is_some();
            let catches = !slept && matches!(choice.alt, Alt::Catch { active: true });
            if matches!(choice.alt, Alt::Cleanup) {
                self.owe_cleanups(self.choices.len() - 1);
            }
            self.undo_to(choice.trail);
            let args: [Cell; 2] = std::array::from_fn(|i| {
                self.choice_args.get(choice.args as usize + 1 + i).copied().unwrap_or(Cell::ZERO)
            });
            self.pop_choice(&choice);
            if !catches {
                continue;
            }
            self.heap.cells.truncate(choice.heap);
            self.cut_bags(choice.bags);
            let term = ball.instantiate(&mut self.heap);
            let (mark, caught) = self.unify_noted(args[0], term);
            if !caught {
                self.undo_to(mark);
                continue;
            }
            self.raised_within = None;
            self.fault_on_attributed = false;
            self.drop_evaluations(self.choices.len());
            // Return from the environment of catch/3 into a call of the recovery.
            (self.cp, self.e) = self.caller_of(choice.e as usize);
            self.b0 = self.choices.len() as u32;
            self.x[0] = args[1];
            // What the ball bound has its say first.
            let pending = self.is_pending();
            return Ok(if pending { fixed::CALL } else { self.program.entries[0] });
        }
        if !boxed {
            self.keep_trace(raised_in, pc);
        }
        Err(Fault::Ball(Box::new(ball)))
    }

    /// The predicate that users know, of one that may be an inner step of the library:
    /// `length/2` for `'$length'/3`. `None` if it is not known which.
    fn public(&self, (name, arity): (Atom, usize)) -> Option<(Atom, usize)> {
        let Some(outer) = self.symbols.name(name).strip_prefix('$') else {
            return Some((name, arity));
        };
        let outer = self.symbols.lookup(outer)?;
        let arities = [Some(arity), arity.checked_sub(1), Some(arity + 1)];
        let mut known = arities.into_iter().flatten();
        let arity =
            known.find(|&arity| self.program.lookup(outer, arity, Space::System).is_some())?;
        Some((outer, arity))
    }

    /// Heights of the catches of this run that are active, or that wait inactive, the highest first.
    fn catches(&self, wanted: bool) -> Vec<usize> {
        let here = self.choices.iter().enumerate().rev();
        here.take_while(|(_, choice)| !matches!(choice.alt, Alt::Barrier))
            .filter(|(_, choice)| matches!(choice.alt, Alt::Catch { active } if active == wanted))
            .map(|(height, _)| height)
            .collect()
    }

    /// Fills in the unbound context of `error(Formal, _)`.
    fn with_context(&self, ball: Record, raised_in: Option<(Atom, usize)>) -> Record {
        let Some((name, arity)) = raised_in else { return ball };
        let (mut heap, root) = ball.into_heap();
        let error = heap.match_struct::<2>(root, atoms::ERROR);
        let context = error.map(|[_, context]| heap.deref(context)).filter(|cell| cell.is_var());
        let Some(context) = context else { return Record { cells: heap.cells.into(), root } };
        let indicator = super::fault::indicator(&mut heap, name, arity);
        let message = heap.new_var();
        let filled = heap.new_struct(atoms::CONTEXT, &[indicator, message]);
        heap.set(context.addr(), filled);
        Record::new(&mut heap, root)
    }

    /// Remembers the chain of calls for the message about an uncaught exception.
    fn keep_trace(&mut self, raised_in: Option<(Atom, usize)>, pc: u32) {
        const CALLERS: usize = 12;
        if let Some(within) = self.raised_within.take() {
            self.trace = within;
            return;
        }
        let on_attributed = std::mem::take(&mut self.fault_on_attributed);
        let mut trace = Trace { raised_in, on_attributed, ..Trace::default() };
        let callers = self.callers(self.cp, self.e);
        for address in std::iter::once(pc.saturating_sub(1)).chain(callers).take(CALLERS) {
            if let Some(clause) = self.program.clause_at(address) {
                trace.addresses.push(address);
                trace.callers.push((self.program.clauses[clause as usize].pred, clause));
            }
        }
        self.trace = trace;
    }

    /// Addresses of the calls that wait, innermost first, from the one that returns to `cp` with environment `e`.
    pub(super) fn callers(&self, cp: u32, e: usize) -> impl Iterator<Item = u32> + '_ {
        let steps = std::iter::successors(Some((cp, e)), |&(_, e)| Some(self.caller_of(e)));
        steps.take_while(|&(cp, _)| cp > fixed::STOP).map(|(cp, _)| cp - 1)
    }
}
