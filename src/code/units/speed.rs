//! Whether code is faster than the machine, and native code worth what it costs.
//!
//! Code asks the conditions of all moves that there may be, the machine only of those that it reaches. Where
//! there may be very many, and few there are, code may be the slower one. So what a run takes is held
//! against what the machine took for the same questions. Both are counted, and no clock is looked at.

use super::Units;
use super::unit::{At, ByMachine, State, Unit};
use crate::backend::{Backend, Look};
use crate::costs::{INTERPRETED_PER_UNIT, NATIVE_PER_UNIT, PACKING};
use crate::reason::{Reason, SLOW};
use std::time::Instant;
use zug_machine::Machine;

enum Speed {
    Fast,
    IfNative,
    Slow,
}

fn speed(code: &Backend, by_machine: ByMachine) -> Speed {
    match by_machine.each() {
        Some(each) if code.a_run() > NATIVE_PER_UNIT * each => Speed::Slow,
        Some(each) if code.a_run() > INTERPRETED_PER_UNIT * each => Speed::IfNative,
        _ => Speed::Fast,
    }
}

impl Units {
    /// The machine is asked about a state of a shape.
    #[inline]
    pub(super) fn by_machine(&mut self, target: usize, shape: u8, m: &Machine) {
        self.asked_machine = Some((target, shape, m.work()));
    }

    #[inline]
    pub(super) fn settle(&mut self, m: &Machine) {
        let Some((target, shape, before)) = self.asked_machine.take() else { return };
        if let Some(unit) = self.units.get_mut((target, shape)) {
            unit.by_machine.questions += 1;
            unit.by_machine.work += m.work().saturating_sub(before);
        }
    }

    #[cold]
    pub(crate) fn look(&mut self, at: At, m: &Machine) {
        self.cool();
        let left = self.native_budget(m);
        let Some(unit) = self.units.get_mut(at) else { return };
        let State::Ready(compiled) = &mut unit.state else { return };
        let cost = compiled.code.cost();
        match compiled.code.look() {
            Look::Weigh => match speed(&compiled.code, unit.by_machine) {
                Speed::Fast => {}
                Speed::IfNative if cost <= left => self.compile(at, cost),
                Speed::IfNative => unit.wait_or_go_on(),
                Speed::Slow => {
                    compiled.code.leave();
                    unit.state = State::Machine(Reason::plain(SLOW));
                }
            },
            Look::Leave => unit.state = State::Machine(Reason::plain(SLOW)),
            Look::Take => {
                self.make_native(at);
            }
            Look::Compile if cost <= left => self.compile(at, cost),
            Look::Compile => compiled.code.put_off(),
        }
    }

    #[cold]
    pub(crate) fn look_at_picker(&mut self, at: At, m: &Machine) {
        let left = self.native_budget(m);
        let Some(unit) = self.units.get_mut(at) else { return };
        let State::Ready(compiled) = &mut unit.state else { return };
        let Some(picker) = &mut compiled.picker else { return };
        let (mut cost, mut is_slow, began) = (0, false, Instant::now());
        for code in picker.backends().into_iter().filter(|code| code.is_due()) {
            match code.look() {
                Look::Weigh => {
                    let slow = !matches!(speed(code, unit.by_machine), Speed::Fast);
                    if slow {
                        code.leave();
                    }
                    is_slow |= slow;
                }
                Look::Leave => is_slow = true,
                Look::Take => {
                    code.make_native();
                }
                Look::Compile if cost + code.cost() <= left => {
                    let takes = code.cost();
                    cost += if code.make_native() { takes } else { 0 };
                }
                Look::Compile => code.put_off(),
            }
        }
        match picker.folded {
            Some(_) if is_slow => unit.state = State::Machine(Reason::plain(SLOW)),
            Some(_) => self.unfolds = Some(at),
            None if is_slow => compiled.picker = None,
            _ => {}
        }
        self.steps += cost;
        self.counts.making += began.elapsed();
    }

    /// Makes native code, which costs N steps.
    fn compile(&mut self, at: At, cost: u64) {
        if self.make_native(at) {
            self.steps += cost;
        }
    }

    /// Compiles code that waits, as it would be slower than the machine till then, if steps are left.
    pub(super) fn compile_waiting(&mut self, at: At, m: &Machine) {
        let left = self.native_budget(m);
        let Some(unit) = self.units.get_mut(at) else { return };
        let State::Waiting(compiled) = &unit.state else { return };
        let cost = compiled.code.cost();
        if cost <= left {
            unit.wait_or_go_on();
            self.compile(at, cost);
        }
    }
}

impl Units {
    /// Work of the machine that an answer of code about a predicate saves: what it took for others, without what the
    /// interpreter of code takes at most.
    pub(super) fn saves(&self, target: usize) -> u64 {
        let (mut by_machine, mut own) = (ByMachine::default(), 0);
        for unit in self.units.of(target) {
            by_machine.questions += unit.by_machine.questions;
            by_machine.work += unit.by_machine.work;
            if let State::Ready(compiled) = &unit.state {
                own = compiled.code.a_run().max(own);
            }
        }
        let each = by_machine.each().unwrap_or(0);
        each.saturating_sub(own / INTERPRETED_PER_UNIT).max(PACKING)
    }
}

impl Unit {
    /// Code that is asked waits from now on, and code that waits is asked.
    fn wait_or_go_on(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Cold) {
            State::Ready(compiled) => State::Waiting(compiled),
            State::Waiting(compiled) => State::Ready(compiled),
            other => other,
        };
    }
}
