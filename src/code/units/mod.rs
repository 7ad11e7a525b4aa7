//! Code by predicate and shape, and queries to it.
//!
//! Code is made when a shape has been met a few times, within a budget that grows with the
//! work the machine has done, so that no search takes much longer for it. Code that keeps
//! deoptimising is dropped; code that lacked values it had not met is made again.

mod asking;
mod deoptimised;
mod folded;
mod hot;
mod speed;
pub(crate) mod unit;

use super::called::Called;
use super::code::Layout;
use super::frame::{Frame, Reply};
use super::merging::Residual;
use super::moves::HEAD;
use super::play_state::Places;
use super::program::make::Shared;
use super::shelf::Holder;
use super::tally::{Counts, Tally};
use super::target::{CALLED, Target};
use crate::mode::Specialise;
pub(super) use asking::with_room;
use hot::Hot;
use rustc_hash::FxHashMap;
use std::time::Duration;
use unit::{At, State, UnitTable};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_state::Codec;
use zug_symbolic::limits;

/// Who asks: what runs the rules, and packs terms.
pub type Asker<'a> = (&'a mut Machine, &'a mut World, &'a mut Codec);

/// The bytes of a packed state, and the same with the room behind them.
pub(crate) type Bytes<'s> = (&'s [u8], &'s [u8]);

/// What became of a question.
pub enum Asked {
    /// Code answered it.
    Answered(Reply),
    /// The machine must.
    Machine,
}

/// What code has cost a session, and what it has brought.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Steps that making it took.
    pub steps: u64,
    /// Work of the machine that its answers saved.
    pub saved: u64,
}

/// The code of a search.
#[derive(Default)]
pub struct Units {
    mode: Specialise,
    pub(super) targets: Vec<Target>,
    pub(super) units: UnitTable,
    pub(super) frame: Frame,
    /// The state of the program that code was made for.
    pub(super) stamp: (u64, usize),
    pub(super) changes: u32,
    pub(super) steps: u64,
    /// What the machine had done when the search began.
    pub(super) worked: u64,
    /// What other searches of the session took and brought.
    pub(super) before: Spent,
    /// What answered questions, but for those that [`Hot`] counts.
    pub(super) counts: Counts,
    /// Bytes of the state that a move leads to.
    pub(super) bytes: Vec<u8>,
    pub(super) room: Vec<u8>,
    pub(super) places: Places,
    /// Where the leaves of states of one length lie.
    pub(super) layout: Layout,
    /// The predicate whose values moves may be told the differences of.
    value: Option<usize>,
    /// Changes when differences that code was told may hold no more.
    epoch: u64,
    /// The last question to the machine: predicate, shape, and its work before.
    asked_machine: Option<(usize, u8, u64)>,
    hot: Hot,
    /// The version of what leaves may be that all code was looked at for.
    seen: u32,
    /// What answers that go on with calls need.
    pub(super) called: Called,
    /// Which calls of the rules are left for later.
    pub(super) residual: Residual,
    /// By shape: what programs that were made have in common with others.
    pub(super) shared: FxHashMap<u8, Shared>,
    /// It stays when all programs are made.
    pub(super) keeps_shared: bool,
    /// How long the search will last, if that is known.
    horizon: Option<Duration>,
    /// A unit whose moves are folded, and may be made one by one now.
    pub(super) unfolds: Option<At>,
    /// Where code is that other threads may take, or have made.
    pub(super) holder: Option<Holder>,
}

impl Units {
    /// No code yet, for states packed as `layout` says.
    pub fn new(m: &Machine, mode: Specialise, layout: Layout) -> Units {
        let frame = Frame { exit: vec![0; HEAD], ..Frame::default() };
        Units { mode, frame, stamp: stamp(m), worked: m.work(), layout, ..Units::default() }
    }

    /// Keeps what was found out of a shape when its code is made: operators may be read from it.
    pub fn keep_shared(&mut self) {
        self.keeps_shared = true;
    }

    /// Sets how long the search will last, if that is known: a part of the time is for making code then, whatever the
    /// machine has done.
    pub fn set_horizon(&mut self, horizon: Option<Duration>) {
        self.horizon = horizon;
    }

    /// How long the search will last, if that is known.
    pub fn horizon(&self) -> Option<Duration> {
        self.horizon
    }

    /// Whether the program is the one that code was made for.
    #[inline]
    pub fn is_current(&self, m: &Machine) -> bool {
        stamp(m) == self.stamp
    }

    #[inline(always)]
    pub(super) fn refresh(&mut self, codec: &Codec) {
        if codec.version() != self.seen {
            self.drop_old(codec);
        }
    }

    #[cold]
    fn drop_old(&mut self, codec: &Codec) {
        self.seen = codec.version();
        self.shared.retain(|&shape, shared| shared.is_current(codec, shape));
        self.cool();
        for units in &mut self.units.0 {
            for (shape, unit) in units.iter_mut().enumerate() {
                let Some(unit) = unit else { continue };
                if let State::Ready(compiled) | State::Waiting(compiled) = &unit.state
                    && compiled.version != codec.seen_version(shape as u8)
                {
                    (unit.state, unit.asked) = (State::Cold, 1);
                    (unit.needed, unit.taken, unit.progress) = (0, 0, None);
                }
            }
        }
    }

    /// A search is over, another one may come: what all of them have taken and brought.
    pub fn rest(&mut self, m: &Machine) -> Spent {
        // From here on: the work for this search.
        self.worked = m.work().saturating_sub(self.worked);
        Spent { steps: self.before.steps + self.steps, saved: self.before.saved + self.saved() }
    }

    /// Told what the searches of the session before this one have taken and brought.
    pub fn spent(&mut self, before: Spent) {
        self.before = Spent { steps: before.steps.saturating_sub(self.steps), ..before };
    }

    /// Told of questions that code answered along with others.
    pub fn told(&mut self, target: Option<usize>, questions: u64) {
        if let Some(target) = target {
            self.counts.answered(target, questions);
        }
    }

    /// Told that a question that code answered is asked again.
    pub fn asked_again(&mut self, target: usize) {
        self.counts.again(target);
    }

    /// Another search begins, after [`Units::rest`]: its counts begin at 0.
    pub fn resume(&mut self, m: &Machine) {
        self.cool();
        self.worked = m.work().saturating_sub(self.worked);
        self.counts = Counts::of(self.targets.len());
        for unit in self.units.all_mut() {
            (unit.runs, unit.deopts, unit.last_deopt) = (0, 0, None);
            if let State::Machine(_) = unit.state {
                unit.asked = 0;
            }
        }
    }

    /// All code goes: shapes and constants have other numbers.
    pub fn restart(&mut self, m: &Machine) {
        self.leave_codec();
        let changes = self.changes;
        self.forget(m);
        (self.changes, self.seen) = (changes, 0);
        self.called = Called::default();
    }

    /// Counts the questions that other code was asked about the same contract predicates, which counts from 0 on again.
    pub fn count_also(&mut self, other: &mut Units) {
        self.cool();
        other.cool();
        self.work_alone();
        let counts = std::mem::replace(&mut other.counts, Counts::of(other.targets.len()));
        self.counts.making += counts.making;
        for (target, tally) in other.targets.iter().zip(&counts.tallies) {
            let same = |known: &Target| known.pred == target.pred && known.args == target.args;
            let number = match self.targets.iter().position(same) {
                None if target.indicator == CALLED || *tally == Tally::default() => continue,
                None => self.add(target.clone()),
                Some(number) => number,
            };
            self.counts.tallies[number].add(tally);
        }
    }

    /// How rules are run.
    pub fn mode(&self) -> Specialise {
        self.mode
    }

    /// Adds a predicate: its number.
    pub fn add(&mut self, target: Target) -> usize {
        self.targets.push(target);
        self.units.0.push(Vec::new());
        self.counts.tallies.push(Tally::default());
        self.targets.len() - 1
    }

    /// Sets the layout of states. Others, of no common length, may still be asked about.
    #[inline]
    pub fn lay_out(&mut self, layout: Layout) {
        if layout.words != 0 && layout != self.layout {
            self.lay_out_anew(layout);
        }
    }

    #[cold]
    fn lay_out_anew(&mut self, layout: Layout) {
        self.cool();
        self.layout = layout;
        let own = self.units.0.iter_mut().zip(&self.targets);
        let own = own.filter(|(_, target)| target.indicator != CALLED);
        for unit in own.flat_map(|(units, _)| units.iter_mut().flatten()) {
            if let State::Ready(compiled) | State::Waiting(compiled) = &mut unit.state {
                compiled.code.lay_out(layout);
                if let Some(picker) = &mut compiled.picker {
                    picker.lay_out(layout);
                }
            }
        }
    }

    /// Told which predicate's values are asked for along with moves.
    pub fn follow(&mut self, value: usize) {
        self.cool();
        self.value = Some(value);
    }

    #[cold]
    fn forget(&mut self, m: &Machine) {
        self.cool();
        self.stamp = stamp(m);
        self.shared.clear();
        self.residual = Residual::default();
        self.changes += 1;
        self.units.0.iter_mut().for_each(Vec::clear);
        if self.changes > limits::CHANGES {
            self.mode = Specialise::Off;
        }
    }
}

#[inline]
fn stamp(m: &Machine) -> (u64, usize) {
    (m.program.generation, m.program.clauses.len())
}
