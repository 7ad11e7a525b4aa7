//! Code taken from a [shelf](super::shelf), and put there.

use super::called::LAYOUT;
use super::code::Code;
use super::costs::PACKING;
use super::reason::Reason;
use super::shelf::{Done, Holder, Made, Put, Shelf, Snapshot, atoms_of, names};
use super::target::CALLED;
use super::units::unit::{At, Compiled, Known, State, Unit};
use super::units::{Spent, Units};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use zug_machine::Machine;
use zug_state::Codec;
use zug_term::symbol::atoms;

/// Times that a thread waits for code that another one makes: queries that would have some made.
const PATIENCE: u32 = 256;

impl Units {
    /// The shelf that others may have in common with these units, with all code that there is, while none of them works.
    /// What all code has words for gets them, so that making some does not give any.
    pub fn share(&mut self, m: &Machine, codec: &mut Codec) -> Arc<Shelf> {
        self.cool();
        codec.atom_code(atoms::TRUE);
        if self.holder.is_none() {
            self.join(&Arc::default(), m);
        }
        for target in 0..self.targets.len() {
            for shape in 0..self.units.0[target].len() {
                self.put_down((target, shape as u8), m, codec);
            }
        }
        let (done, before) = (self.done(m), self.before);
        let holder = self.holder.as_mut().expect("it has joined");
        // No code is being made before other threads begin.
        holder.shelf.slots().all.values_mut().flatten().for_each(|slot| slot.maker = None);
        let pool = &holder.shelf.done;
        for (count, own) in [
            (&pool.worked, done.worked),
            (&pool.saved, done.saved),
            (&pool.steps, done.steps),
            (&pool.before[0], before.steps),
            (&pool.before[1], before.saved),
        ] {
            count.store(own, Relaxed);
        }
        holder.told = Some(done);
        holder.shelf.clone()
    }

    /// Has these units take code from a shelf, and put there what they make.
    pub fn join(&mut self, shelf: &Arc<Shelf>, m: &Machine) {
        let told = Some(self.done(m));
        if let Some(holder) = self.holder.as_mut().filter(|known| Arc::ptr_eq(&known.shelf, shelf))
        {
            holder.told = told;
            return;
        }
        let number = {
            let mut slots = shelf.slots();
            slots.holders += 1;
            slots.holders
        };
        self.holder = Some(Holder { shelf: shelf.clone(), number, told, snapshot: None });
        self.units.all_mut().for_each(|unit| unit.known = Known::default());
    }

    /// Stops sharing: this thread is the only one left.
    pub(super) fn work_alone(&mut self) {
        if let Some(holder) = &mut self.holder
            && holder.told.take().is_some()
        {
            self.steps = self.steps.max(holder.shelf.done.steps.load(Relaxed));
        }
    }

    /// Another codec is used from now on: what was begun to be made is not made any more. A snapshot of the codec before
    /// may have its counts and its version, and yet have seen other values.
    pub(super) fn leave_codec(&mut self) {
        let Some(Holder { shelf, number, snapshot, .. }) = &mut self.holder else { return };
        *snapshot = None;
        for slot in shelf.slots().all.values_mut().flatten() {
            slot.maker = slot.maker.filter(|maker| maker != number);
        }
    }

    fn done(&self, m: &Machine) -> Done {
        let worked = m.work().saturating_sub(self.worked) + PACKING * self.counts.by_machine();
        Done { worked, saved: self.saved(), steps: self.steps }
    }

    /// What was done in this search, and in others of the session before it: by all threads.
    pub(super) fn done_by_all(&mut self, m: &Machine) -> (u64, Spent, Spent) {
        let own = self.done(m);
        let alone = (own.worked, Spent { steps: own.steps, saved: own.saved }, self.before);
        let Some(Holder { shelf, told: Some(told), .. }) = &mut self.holder else { return alone };
        let pool = &shelf.done;
        let add = |all: &AtomicU64, now: u64, told: u64| {
            let more = now.saturating_sub(told);
            all.fetch_add(more, Relaxed).saturating_add(more)
        };
        let worked = add(&pool.worked, own.worked, told.worked);
        let saved = add(&pool.saved, own.saved, told.saved);
        let steps = add(&pool.steps, own.steps, told.steps);
        *told = own;
        let [before_steps, before_saved] = pool.before.each_ref().map(|count| count.load(Relaxed));
        let before = Spent { steps: before_steps, saved: before_saved };
        (worked, Spent { steps, saved }, before)
    }

    /// Takes code for a shape, if some fits; whether it is known then what answers.
    pub(super) fn take_down(&mut self, at: At, m: &Machine, codec: &mut Codec) -> bool {
        let Some(Holder { shelf, .. }) = &self.holder else { return false };
        let looked = (shelf.changes.load(Acquire), codec.counts().iter().sum());
        let Some(unit) = self.units.get_mut(at) else { return false };
        if unit.known.looked == Some(looked) {
            return false;
        }
        unit.known.looked = Some(looked);
        let known = unit.known.number;
        let mut put: Vec<(u32, Put)> = {
            let mut slots = shelf.slots();
            let slot = slots.slot(&self.targets[at.0], at.1);
            let new = slot.put.iter().filter(|&&(_, number, _)| number > known);
            new.map(|(_, number, put)| (*number, put.clone())).collect()
        };
        put.sort_unstable_by_key(|&(number, _)| std::cmp::Reverse(number));
        put.into_iter().any(|(number, put)| self.take(at, (number, put), m, codec))
    }

    /// Takes what was put down with a number, if it fits.
    fn take(&mut self, at: At, (number, put): (u32, Put), m: &Machine, codec: &mut Codec) -> bool {
        let state = match put {
            Put::Refused(why) => State::Machine(why),
            Put::Code(made) => {
                if !made.fits(m, codec, self.stamp, self.layout_of(at.0)) {
                    return false;
                }
                codec.join_seen(&made.snapshot.codec);
                if !codec.has_seen_alike(at.1, &made.snapshot.codec) {
                    return false;
                }
                self.cool();
                let mut compiled = made.compiled.another();
                compiled.version = codec.seen_version(at.1);
                self.link_again(&mut compiled);
                State::Ready(Box::new(compiled))
            }
        };
        let Some(unit) = self.units.get_mut(at) else { return false };
        unit.begin(state);
        unit.known = Known { number, ..Known::default() };
        true
    }

    /// Whether this thread is to make the code for a shape, and no other one is making it.
    pub(super) fn is_to_make(&mut self, at: At) -> bool {
        let Some(Holder { shelf, number, told: Some(_), .. }) = &self.holder else { return true };
        let Some(unit) = self.units.get_mut(at) else { return true };
        let mut slots = shelf.slots();
        let slot = slots.slot(&self.targets[at.0], at.1);
        unit.known.waited += 1;
        let is_free = slot.maker.is_none_or(|maker| maker == *number);
        if is_free || unit.known.waited > PATIENCE {
            slot.maker = Some(*number);
            unit.known.waited = 0;
            return true;
        }
        false
    }

    /// Publishes the code for a shape, unless it is on the shelf.
    pub(super) fn put_down(&mut self, at: At, m: &Machine, codec: &Codec) {
        let Some(holder) = &mut self.holder else { return };
        let Some(unit) = self.units.get_mut(at) else { return };
        let own = &self.targets[at.0];
        let put = match &mut unit.state {
            State::Cold => return,
            State::Machine(_) if unit.known.number > 0 => return,
            State::Machine(why) => Put::Refused(why.clone()),
            State::Ready(compiled) | State::Waiting(compiled) => {
                let is_common = unit.known.number > 0 && compiled.code.is_shared();
                if compiled.version != codec.seen_version(at.1) || is_common {
                    return;
                }
                let snapshot = holder.snapshot.take().filter(|known| known.is_current(codec));
                let snapshot =
                    snapshot.unwrap_or_else(|| Arc::new(Snapshot::of(codec, &m.symbols)));
                holder.snapshot = Some(snapshot.clone());
                let callees = || compiled.callees().map(|callee| (callee.pred, &callee.args));
                let called = || [(own.pred, &own.args)].into_iter().chain(callees());
                let preds = called().map(|(pred, _)| {
                    let known = &m.program.preds[pred as usize];
                    (pred, known.name, known.arity, known.space)
                });
                Put::Code(Arc::new(Made {
                    preds: preds.collect(),
                    names: names(called().flat_map(|(_, args)| atoms_of(args)), &m.symbols),
                    compiled: compiled.shared_out(),
                    snapshot,
                    stamp: self.stamp,
                    layout: if own.indicator == CALLED { LAYOUT } else { self.layout },
                }))
            }
        };
        let mut slots = holder.shelf.slots();
        let slot = slots.slot(own, at.1);
        slot.number += 1;
        slot.put.retain(|&(by, ..)| by != holder.number);
        slot.put.push((holder.number, slot.number, put));
        slot.maker = None;
        unit.known = Known { number: slot.number, ..Known::default() };
        drop(slots);
        holder.shelf.changes.fetch_add(1, Release);
    }

    /// Gives what code calls the numbers that it has here.
    fn link_again(&mut self, compiled: &mut Compiled) {
        for code in compiled.backends() {
            let is_linked = |code: &Code, units: &mut Units| {
                let mut calls = code.moves.iter().filter_map(|mv| mv.call.as_deref());
                calls.all(|call| units.callee(&call.callee) == call.target)
            };
            if !is_linked(code.code(), self) {
                let mut own = code.code().clone();
                self.link_moves(own.moves.iter_mut());
                code.renumber(own);
            }
        }
    }
}

impl Unit {
    /// The machine answers from now on, which others have not been told yet.
    pub(super) fn refuse(&mut self, why: Reason) {
        (self.state, self.known) = (State::Machine(why), Known::default());
    }

    /// Code answers from now on, or the machine.
    pub(super) fn begin(&mut self, state: State) {
        self.tries += 1;
        self.last_deopt = None;
        self.state = state;
    }
}
