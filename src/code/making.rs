//! Making code: the symbolic run of a contract predicate on a shape, within a budget.

use super::backend::Backend;
use super::code::{Callee, Layout};
use super::costs::{
    FEWEST_STEPS, FREE_STEPS, RENT_PRICE, SAVED_PRICE, SETTLED, STEP_PRICE, WARM_FIRST,
    steps_within,
};
use super::merging::Folding;
use super::moves::Label;
use super::picker::Picker;
use super::program::expected::Integers;
use super::program::lower::{Lowered, SEVERAL};
use super::program::make::{Made, Met, make};
use super::reason::{Reason, TOO_MUCH};
use super::units::unit::{At, Compiled, State, Unit};
use super::units::{Asker, Spent, Units};
use std::time::Instant;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::Codec;
use zug_symbolic::limits;

impl Units {
    #[cold]
    pub(super) fn make(&mut self, at: At, m: &mut Machine, w: &mut World, codec: &mut Codec) {
        let left = self.budget(m);
        // One that takes long is not to take it all from the others, if some wait for code, or may come to.
        let others_wait =
            self.units.all().filter(|unit| matches!(unit.state, State::Cold)).nth(1).is_some();
        let rent = self.rent(at, m);
        let Some(unit) = self.units.get(at) else { return };
        let met = u64::from(unit.asked) + unit.runs;
        let share = if others_wait || met < SETTLED { left / 2 } else { left };
        let (shapes, cost) = self.shapes(at.0);
        let steps = match self.horizon() {
            Some(_) => left.min(rent),
            None => share.min(rent.saturating_sub(unit.taken).max(FREE_STEPS / shapes)),
        };
        let steps = steps.min(limits::STEPS);
        // Not yet affordable: later, when more work was done.
        let goes_on = self.shared.contains_key(&at.1)
            && unit.progress.is_some_and(|progress| progress.holds(codec, at.1));
        let needed = if goes_on { unit.needed } else { unit.past.max(cost) };
        if steps < needed.max(FEWEST_STEPS) {
            return;
        }
        if !self.is_to_make(at) {
            return;
        }
        match self.program_of(at, (m, w, codec), steps, Some(Folding::default())) {
            Ok(made) => {
                self.take_program(at, made);
                self.put_down(at, m, codec);
            }
            Err(why) => {
                let Some(unit) = self.units.get_mut(at) else { return };
                match why {
                    None if unit.taken < limits::STEPS => {
                        // Of what was taken, a tenth to a quarter is taken again to find out where to
                        // go on.
                        unit.needed = unit.taken / 2;
                        unit.last_deopt = Some(Reason::plain(TOO_MUCH));
                    }
                    why => {
                        let why = why.unwrap_or_else(|| Reason::plain(TOO_MUCH));
                        unit.refuse(why);
                        self.put_down(at, m, codec);
                        self.release(at.1);
                    }
                }
            }
        }
    }

    /// Makes moves that are folded one by one, if that can be paid for now.
    #[cold]
    pub(super) fn unfold(&mut self, at: At, (m, w, codec): Asker<'_>) {
        let left = self.budget(m);
        let Some(expected) = self.folded(at).filter(|&expected| expected <= left / 2) else {
            return;
        };
        self.cool();
        let began = Instant::now();
        let made = self.program_of(at, (&mut *m, w, codec), left.min(limits::STEPS), None);
        match made {
            Ok(made) => {
                self.take_program(at, made);
                self.put_down(at, m, codec);
            }
            Err(why) => {
                let more = if why.is_none() { expected.saturating_mul(4) } else { u64::MAX };
                if let Some(folded) = self.picker_folded(at) {
                    *folded = more;
                }
            }
        }
        self.release(at.1);
        self.counts.making += began.elapsed();
    }

    fn picker_folded(&mut self, at: At) -> Option<&mut u64> {
        self.units.ready(at)?.0.picker.as_mut()?.folded.as_mut()
    }

    /// The steps that making the moves of a unit one by one would take, if they are folded.
    pub(super) fn folded(&self, at: At) -> Option<u64> {
        self.units.compiled(at)?.picker.as_ref()?.folded
    }

    /// The shapes a predicate was asked about, and the expected cost of one more: the mean of those before.
    fn shapes(&self, target: usize) -> (u64, u64) {
        let (mut shapes, mut made, mut cost, mut in_vain) = (0, 0, 0, 0);
        for unit in self.units.of(target) {
            shapes += 1;
            match unit.state {
                State::Ready(_) | State::Waiting(_) => {
                    made += 1;
                    cost += unit.past;
                }
                _ => in_vain = unit.past.max(in_vain),
            }
        }
        (shapes.max(1), u64::checked_div(cost, made).unwrap_or(in_vain))
    }

    fn take_program(&mut self, at: At, made: Made) {
        let mut made = made;
        self.link(&mut made.lowered);
        let compiled = Compiled::of_program(made, self.layout_of(at.0));
        let unit = self.units.get_mut(at).expect("it was asked about");
        unit.begin(State::Ready(Box::new(compiled)));
        self.release(at.1);
    }

    /// What was found out of a shape is kept as long as predicates wait for their code on it.
    fn release(&mut self, shape: u8) {
        let mut all =
            self.units.0.iter().filter_map(|units| units.get(usize::from(shape))?.as_ref());
        let waits = |unit: &Unit| matches!(unit.state, State::Cold) && unit.asked >= WARM_FIRST;
        if !self.keeps_shared && !all.any(waits) {
            self.shared.remove(&shape);
        }
    }

    /// The program, with a limit of steps; an error says why there is none, or nothing if steps ran out.
    pub(super) fn program_of(
        &mut self,
        at: At,
        (m, w, codec): Asker<'_>,
        steps: u64,
        folding: Option<Folding>,
    ) -> Result<Made, Option<Reason>> {
        let mut shared = self.shared.remove(&at.1);
        let unit = self.units.get_mut(at).expect("it was asked about");
        let is_kept = shared.is_some();
        unit.progress = unit.progress.filter(|of| is_kept && of.holds(codec, at.1));
        if unit.progress.is_none() {
            unit.taken = 0;
        }
        let Unit { sample, singles, progress, .. } = unit;
        let (progress, integers) = (*progress, unit.integers_before);
        let met = Met { sample, singles, integers, progress, folding, ..Met::default() };
        let target_of = &self.targets[at.0];
        let kept = (&mut shared, &mut self.residual);
        let made = make(m, w, codec, target_of, (at.1, met), steps, kept);
        if self.shared.len() >= limits::SHAPES {
            self.shared.clear();
        }
        self.shared.extend(shared.map(|shared| (at.1, shared)));
        let work = made.as_ref().map_or_else(|unmade| unmade.work, |made| made.work);
        self.steps += work;
        unit.taken += work;
        unit.past = unit.past.max(unit.taken);
        let made = made.map_err(|unmade| unmade.why);
        unit.progress = made.as_ref().err().and_then(|why| why.as_ref().ok()).copied();
        if unit.progress.is_none() {
            unit.integers_before = Some(Integers::of(codec, at.1));
        }
        made.map_err(Result::err)
    }

    /// Pays for steps, as a search that had gone on long enough would have.
    pub fn pay(&mut self, steps: u64) {
        self.spent(Spent { steps: 0, saved: steps.saturating_mul(STEP_PRICE) });
    }

    /// Steps still allowed, bought by what the machine did and by what code saved it; all threads share them.
    pub(super) fn budget(&mut self, m: &Machine) -> u64 {
        self.budget_at(m, STEP_PRICE).max(self.granted())
    }

    /// The same for native code, which is sure to be faster than what it is made from.
    pub(super) fn native_budget(&mut self, m: &Machine) -> u64 {
        self.budget_at(m, SAVED_PRICE).max(self.granted())
    }

    /// Steps that are left at a price of a step, in units of the work that code has saved.
    fn budget_at(&mut self, m: &Machine, price: u64) -> u64 {
        let (worked, now, before) = self.done_by_all(m);
        let bought = worked / STEP_PRICE + (now.saved + before.saved) / price;
        (FREE_STEPS + bought).saturating_sub(before.steps + now.steps)
    }

    /// Steps that a search of known length has time for.
    fn granted(&self) -> u64 {
        let making = self.counts.making;
        self.horizon().map_or(0, |horizon| steps_within(horizon, making, self.steps))
    }

    /// The most steps for a predicate on a shape, by the machine's work for it. In a search of known length that is its
    /// share of the time for making code, so that rare queries take none from frequent ones.
    fn rent(&self, at: At, m: &Machine) -> u64 {
        let own = self.units.get(at).map_or(0, |unit| unit.by_machine.work);
        let all = m.work().saturating_sub(self.worked).max(own).max(1);
        let part = u128::from(self.granted()) * u128::from(own) / u128::from(all);
        (own / RENT_PRICE).max(part as u64)
    }
}

impl Compiled {
    /// The same for another thread, where this one may run on.
    pub(super) fn shared_out(&mut self) -> Compiled {
        self.backends().for_each(Backend::share_out);
        self.another()
    }

    pub(super) fn another(&self) -> Compiled {
        Compiled {
            code: self.code.another(),
            labels: Label::all(self.code.code()),
            picker: self.picker.as_ref().map(|picker| Box::new(picker.another())),
            ..self.clone()
        }
    }

    pub(super) fn backends(&mut self) -> impl Iterator<Item = &mut Backend> {
        let picked = self.picker.iter_mut().flat_map(|picker| picker.backends());
        [&mut self.code].into_iter().chain(picked)
    }

    pub(super) fn callees(&self) -> impl Iterator<Item = &Callee> {
        let picked = self.picker.iter().flat_map(|picker| picker.codes());
        let codes = [self.code.code()].into_iter().chain(picked);
        let calls = codes.flat_map(|code| &code.moves).filter_map(|mv| mv.call.as_deref());
        calls.map(|call| &call.callee)
    }

    pub(super) fn of_program(made: Made, layout: Layout) -> Compiled {
        let Lowered { code, picking, is_folded, .. } = made.lowered;
        let folded = is_folded.then_some(made.spared);
        let labels = Label::all(&code);
        let mut reasons = made.reasons;
        // The first is told; states with several of what was single have a number of their own.
        reasons.resize_with(SEVERAL as usize, || Reason::plain(""));
        let several = "several leaves are what one alone was in states before";
        reasons.push(Reason { new_value: true, ..Reason::plain(several) });
        let any_unbound = made.unbound.contains(&true);
        let picker = picking.map(|picking| Box::new(Picker::new(picking, folded, layout)));
        Compiled {
            code: Backend::new(code, layout),
            reasons,
            unbound: made.unbound,
            any_unbound,
            labels,
            kept_all: true,
            version: made.version,
            picker,
        }
    }
}
