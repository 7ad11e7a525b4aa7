//! Which predicates have code for which shapes, and running it.
//!
//! Code is made when a shape has been met a few times, within a budget that grows with the
//! work the machine has done, so that no search takes much longer for it. Code that keeps
//! giving states back is dropped; code that lacked values it had not met is made again.

use super::backend::{Backend, Narrow};
use super::called::{Called, Rules, Unanswered};
use super::code::{Layout, Sum};
use super::frame::{self, Frame, Reply};
use super::merging::Residual;
use super::moves::{HEAD, Label, Plain, Source, Visit};
use super::picked::Picker;
use super::program::expected::Integers;
use super::program::make::{Progress, Shared};
use super::reason::Reason;
use super::tally::{Counts, Lost, Tally};
use crate::mode::Specialise;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_state::{Codec, PackedState, Word};
use zug_term::Record;

/// An argument of a contract predicate.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// Always the same term: a player, the name of a heuristic.
    Fixed(Record),
    /// The state.
    State,
    /// The name of a move.
    Name,
    /// Its cost.
    Cost,
    /// The state it leads to.
    To,
    /// A number.
    Value,
    /// The input with this number, of a call whose state is all of them.
    Part(u8),
    /// An output of a call, beside the state it leads to.
    Output,
}

/// A contract predicate with the arguments it is called with.
#[derive(Clone, Debug)]
pub struct Target {
    /// The predicate.
    pub pred: PredId,
    /// As in `rule/4`.
    pub indicator: &'static str,
    /// Its arguments.
    pub args: Vec<Arg>,
}

impl Target {
    /// Of what is called for an answer of another target: which of its outputs is the state that it
    /// leads to.
    pub fn state_output(&self) -> Option<usize> {
        let is_output = |arg: &&Arg| matches!(arg, Arg::To | Arg::Output);
        let outputs = self.args.iter().filter(is_output);
        if self.indicator == CALLED { { outputs }.position(|arg| *arg == Arg::To) } else { None }
    }
}

/// The indicator of what is called for an answer of another target.
pub(super) const CALLED: &str = "a call";

/// Times a shape is met before code is made for it.
pub(super) const WARM: u32 = 4;
/// The same while it is the only shape that a predicate was asked about: nearly all states of
/// most puzzles and games have it.
pub(super) const WARM_FIRST: u32 = 2;
/// States of a shape whose values are all remembered while there is no code; later, those of
/// every so many.
const SEEN: u32 = 64;
/// Times that code is made for one shape.
pub(super) const MOST_TRIES: u32 = 7;

/// What there is for a predicate and a shape.
pub(super) enum State {
    /// Nothing yet.
    Cold,
    Ready(Box<Compiled>),
    /// The machine, and why.
    Machine(Reason),
}

/// Code with what it takes for granted.
pub(super) struct Compiled {
    pub(super) code: Backend,
    pub(super) reasons: Vec<Reason>,
    /// Leaves that may be unbound.
    pub(super) unbound: Vec<bool>,
    pub(super) any_unbound: bool,
    /// By move, what is constant of it.
    pub(super) labels: Vec<Label>,
    /// The code gave no state back so far.
    pub(super) kept_all: bool,
    /// The version of what leaves may be that it was made for.
    pub(super) version: u32,
    /// The moves, to be picked from.
    pub(super) picker: Option<Box<Picker>>,
}

pub(super) struct Unit {
    pub(super) state: State,
    pub(super) asked: u32,
    pub(super) runs: u64,
    pub(super) deopts: u64,
    /// States with a value that was not met before, since code was made.
    news: u32,
    pub(super) tries: u32,
    /// Steps to be affordable before code is made again.
    pub(super) needed: u64,
    /// Steps that were taken for a program whose making was interrupted.
    pub(super) taken: u64,
    /// Where to go on with it.
    pub(super) progress: Option<Progress>,
    /// Why code gave a state back last.
    pub(super) gave_back: Option<Reason>,
    /// The leaves of a state that was met.
    pub(super) sample: Vec<Word>,
    /// How many leaves there are.
    leaves: usize,
    /// What just one leaf was in all states that were met.
    pub(super) singles: Vec<Word>,
    /// The integers that leaves were seen to be when a program was last worked at.
    pub(super) integers_before: Option<Integers>,
}

/// What became of a question.
pub enum Asked {
    /// Code answered it.
    Answered(Reply),
    /// The machine must.
    Machine,
}

/// Why code gives a state back.
pub(super) enum Back {
    /// A leaf is of more than one byte, for which there is no program.
    Wide,
    /// It can't work with its leaves.
    Leaves,
    /// A leaf is unbound that was not before.
    New,
    /// The machine is asked; the number of the reason, or a value is out of range.
    Asked(Option<u32>),
}

/// What code has cost a session, and what it has brought.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Steps that making it took.
    pub steps: u64,
    /// Questions that it answered.
    pub answered: u64,
}

/// The code of a search.
pub struct Units {
    mode: Specialise,
    pub(super) targets: Vec<Target>,
    /// By target, then by shape.
    pub(super) units: Vec<Vec<Option<Unit>>>,
    pub(super) frame: Frame,
    /// The state of the program that code was made for.
    stamp: (u64, usize),
    pub(super) changes: u32,
    pub(super) steps: u64,
    pub(super) inferences: u64,
    /// What other searches of the session took and brought.
    pub(super) before: Spent,
    /// What answered questions, but for those that [`Hot`] counts.
    pub(super) counts: Counts,
    /// Bytes of the state that a move leads to.
    pub(super) bytes: Vec<u8>,
    /// A state with room behind it.
    pub(super) room: Vec<u8>,
    /// Where the leaves of states of one length lie.
    pub(super) layout: Layout,
    /// The predicate whose values moves may be told the differences of.
    value: Option<usize>,
    /// Changes when differences that code was told may hold no more.
    epoch: u64,
    /// What is asked again and again.
    hot: Hot,
    /// The version of what leaves may be that all code was looked at for.
    seen: u32,
    /// What answers that go on with calls need.
    pub(super) called: Called,
    /// Which calls of the rules are left for later.
    pub(super) residual: Residual,
    /// By shape: what programs that were made have in common with others.
    pub(super) shared: FxHashMap<u8, Shared>,
}

/// Questions that a long search asks again and again, with what has to hold for the short way
/// to an answer found to hold, until anything else is asked or changes.
#[derive(Default)]
struct Hot {
    /// Code answers the moves of such states, all alike; whether it tells by how much the value
    /// differs.
    moves: Option<(Asking, bool)>,
    /// A word that a goal asks for: which one, the bits of it, and what they must be.
    goal: Option<(Asking, (usize, u64, u64))>,
}

/// A question about states of a shape.
struct Asking {
    target: usize,
    shape: u8,
    /// Bytes of such states.
    length: usize,
    /// How often it was asked.
    times: u64,
}

impl Asking {
    /// Whether it is this question.
    #[inline(always)]
    fn is<S: PackedState>(&self, target: usize, packed: &S, layout: Layout) -> bool {
        let bytes = packed.bytes();
        let shape = layout.before.checked_sub(1).and_then(|at| bytes.get(at));
        self.target == target && bytes.len() == self.length && shape == Some(&self.shape)
    }
}

/// Program changes after which no code is made any more.
pub(super) const MOST_CHANGES: u32 = 4;

impl Units {
    /// No code yet, for states packed as `layout` says.
    pub fn new(m: &Machine, mode: Specialise, layout: Layout) -> Units {
        Units {
            mode,
            targets: Vec::new(),
            units: Vec::new(),
            frame: Frame { exit: vec![0; HEAD], ..Frame::default() },
            stamp: stamp(m),
            changes: 0,
            steps: 0,
            inferences: m.inferences(),
            before: Spent::default(),
            counts: Counts::default(),
            bytes: Vec::new(),
            room: Vec::new(),
            layout,
            value: None,
            epoch: 0,
            hot: Hot::default(),
            seen: 0,
            called: Called::default(),
            residual: Residual::default(),
            shared: FxHashMap::default(),
        }
    }

    /// Whether the program is the one that code was made for.
    #[inline]
    pub(super) fn is_current(&self, m: &Machine) -> bool {
        stamp(m) == self.stamp
    }

    /// Drops code made for fewer values of leaves than there are.
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
        for units in &mut self.units {
            for (shape, unit) in units.iter_mut().enumerate() {
                let Some(unit) = unit else { continue };
                if let State::Ready(compiled) = &unit.state
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
        // From here on: the inferences of this search.
        self.inferences = m.inferences().saturating_sub(self.inferences);
        Spent {
            steps: self.before.steps + self.steps,
            answered: self.before.answered + self.answered(),
        }
    }

    /// Told what the searches of the session before this one have taken and brought.
    pub fn spent(&mut self, before: Spent) {
        self.before = Spent { steps: before.steps.saturating_sub(self.steps), ..before };
    }

    /// Forgets what is asked again and again, as something it takes for granted may change.
    pub(super) fn cool(&mut self) {
        let Hot { moves, goal } = std::mem::take(&mut self.hot);
        let asked = moves.map(|(asked, _)| asked).into_iter().chain(goal.map(|(asked, _)| asked));
        for Asking { target, shape, times, .. } in asked {
            if let Some(Some(unit)) = self.units[target].get_mut(usize::from(shape)) {
                unit.runs += times;
            }
            self.counts.answered(target, times);
        }
    }

    /// What answered questions so far.
    pub fn counts(&self) -> Counts {
        let Hot { moves, goal } = &self.hot;
        let asked = moves.iter().map(|(asked, _)| asked).chain(goal.iter().map(|(asked, _)| asked));
        let mut counts = self.counts.clone();
        for asked in asked {
            counts.answered(asked.target, asked.times);
        }
        counts
    }

    /// Questions that code answered so far.
    pub(super) fn answered(&self) -> u64 {
        let Hot { moves, goal } = &self.hot;
        let moves = moves.as_ref().map_or(0, |(asked, _)| asked.times);
        self.counts.by_code() + moves + goal.as_ref().map_or(0, |(asked, _)| asked.times)
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
        self.inferences = m.inferences().saturating_sub(self.inferences);
        self.counts = Counts::of(self.targets.len());
        for unit in self.units.iter_mut().flatten().flatten() {
            (unit.runs, unit.deopts, unit.gave_back) = (0, 0, None);
            if let State::Machine(_) = unit.state {
                unit.asked = 0;
            }
        }
    }

    /// How rules are run.
    pub fn mode(&self) -> Specialise {
        self.mode
    }

    /// Adds a predicate: its number.
    pub fn add(&mut self, target: Target) -> usize {
        self.targets.push(target);
        self.units.push(Vec::new());
        self.counts.tallies.push(Tally::default());
        self.targets.len() - 1
    }

    /// Told how states are laid out from now on. Others, of no common length, may still be
    /// asked about.
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
        let own = self.units.iter_mut().zip(&self.targets);
        let own = own.filter(|(_, target)| target.indicator != CALLED);
        for unit in own.flat_map(|(units, _)| units.iter_mut().flatten()) {
            if let State::Ready(compiled) = &mut unit.state {
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

    /// Asks code about a packed state. `visit` gets the moves.
    #[inline]
    pub fn ask<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        visit: impl FnMut(&mut Visit<'_>) -> bool,
    ) -> Asked {
        if self.mode == Specialise::Off {
            return Asked::Machine;
        }
        self.refresh(codec);
        let asked = self.try_code(target, packed, (m, w, codec), visit);
        if let Asked::Answered(_) = asked {
            self.counts.answered(target, 1);
        }
        asked
    }

    /// The moves from a state, where code puts them all down alike; `None` if it does not, and
    /// [`Units::ask`] is to be asked. `told`: only if it tells by how much the value differs.
    // PERF: the way of nearly all questions of a long search; everything else is for `ask`.
    #[inline(always)]
    pub fn plain_moves<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &Codec,
        told: bool,
    ) -> Option<Plain<'_>> {
        self.refresh(codec);
        let layout = self.layout;
        match &mut self.hot.moves {
            Some((asked, tells))
                if asked.is(target, packed, layout)
                    && (*tells || !told)
                    && stamp(m) == self.stamp
                    && codec.is_plain() =>
            {
                let Some(Some(Unit { state: State::Ready(compiled), .. })) =
                    self.units[target].get_mut(usize::from(asked.shape))
                else {
                    return None;
                };
                let state =
                    Narrow { room: packed.room(), leaves: &packed.bytes()[layout.before..] };
                let rest = compiled.code.moves(state, &mut self.frame)?;
                asked.times += 1;
                Some(Plain { labels: &compiled.labels, rest, told: *tells })
            }
            _ => self.find_moves(target, packed, m, codec, told),
        }
    }

    /// As [`Units::plain_moves`], the long way.
    #[inline(never)]
    fn find_moves<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &Codec,
        told: bool,
    ) -> Option<Plain<'_>> {
        if S::WORDS == 0 {
            return None;
        }
        let (shape, state) = self.narrow(packed, m, codec)?;
        let code = &self.ready(target, shape, state)?.code;
        if code.epoch() != Some(self.epoch) {
            if code.hears() && self.sum(target, shape).is_some() {
                self.tell(target, shape);
            }
            if told && self.ready(target, shape, state)?.code.epoch() != Some(self.epoch) {
                return None;
            }
        }
        let epoch = self.epoch;
        let Some(Some(Unit { state: State::Ready(compiled), runs, .. })) =
            self.units[target].get_mut(shape)
        else {
            return None;
        };
        if !compiled.kept_all || !compiled.code.is_uniform() {
            return None;
        }
        let rest = compiled.code.moves(state, &mut self.frame)?;
        *runs += 1;
        self.counts.answered(target, 1);
        let told = compiled.code.epoch() == Some(epoch);
        if self.hot.moves.is_none() {
            let (shape, length) = (shape as u8, packed.bytes().len());
            self.hot.moves = Some((Asking { target, shape, length, times: 0 }, told));
        }
        Some(Plain { labels: &compiled.labels, rest, told })
    }

    /// A state as native code gets it, with its shape; `None` if a leaf may be of more than one
    /// byte or a variable, or code is not to be asked as things are.
    #[inline(always)]
    fn narrow<'s, S: PackedState>(
        &self,
        packed: &'s S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<(usize, Narrow<'s>)> {
        if self.mode == Specialise::Off || stamp(m) != self.stamp || !codec.is_plain() {
            return None;
        }
        let (before, leaves) = packed.bytes().split_at_checked(self.layout.before)?;
        let room = packed.room();
        let shape = usize::from(*before.last()?);
        (room.len() >= 8 * self.layout.words).then_some((shape, Narrow { room, leaves }))
    }

    /// The code for states of a shape, if there is some for so many leaves.
    #[inline(always)]
    fn ready(&self, target: usize, shape: usize, state: Narrow<'_>) -> Option<&Compiled> {
        match self.units[target].get(shape) {
            Some(Some(Unit { state: State::Ready(compiled), .. })) => {
                let fits = state.leaves.len() == compiled.code.code().leaves
                    && state.room.len() >= 8 * compiled.code.words();
                fits.then_some(compiled)
            }
            _ => None,
        }
    }

    /// Whether a state has the values that a predicate asks of its leaves; `None` if it asks for
    /// more, or code can't tell.
    #[inline(always)]
    pub fn matches<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<bool> {
        self.refresh(codec);
        // PERF: the first word nearly always says no.
        if let Some((asked, (at, mask, value))) = &mut self.hot.goal
            && asked.is(target, packed, self.layout)
            && stamp(m) == self.stamp
            && codec.is_plain()
            && let Some(word) = packed.room().as_chunks().0.get(*at)
            && u64::from_le_bytes(*word) & *mask != *value
        {
            asked.times += 1;
            return Some(false);
        }
        self.find_match(target, packed, m, codec)
    }

    /// As [`Units::matches`], the long way.
    #[inline(never)]
    fn find_match<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<bool> {
        let (shape, state) = self.narrow(packed, m, codec)?;
        let code = &self.ready(target, shape, state)?.code;
        let holds = code.matches(state)?;
        let first = code.first_word().filter(|&(at, ..)| at < self.layout.words);
        if self.hot.goal.is_none() {
            let (shape, length) = (shape as u8, packed.bytes().len());
            self.hot.goal = first.map(|first| (Asking { target, shape, length, times: 0 }, first));
        }
        if let Some(Some(unit)) = self.units[target].get_mut(shape) {
            unit.runs += 1;
        }
        self.counts.answered(target, 1);
        Some(holds)
    }

    /// The value of a state, given that of the state before; `None` if code can't tell from the
    /// difference.
    #[inline]
    pub fn value_after<S: PackedState>(
        &mut self,
        target: usize,
        (before, value): (&S, i64),
        after: &S,
        m: &Machine,
        codec: &Codec,
    ) -> Option<i64> {
        if self.mode == Specialise::Off || stamp(m) != self.stamp || codec.has_boxed() {
            return None;
        }
        self.refresh(codec);
        let first = self.layout.before;
        let shape = *before.bytes().get(first.checked_sub(1)?)?;
        match &self.units[target].get(usize::from(shape))?.as_ref()?.state {
            State::Ready(compiled) if !compiled.any_unbound && compiled.kept_all => {
                let value = compiled.code.code().value_after(first, before, value, after)?;
                self.counts.answered(target, 1);
                Some(value)
            }
            _ => None,
        }
    }

    /// Whether a value that was told along with a move still holds: the program is the same.
    /// Then it counts.
    #[inline]
    pub fn still_holds(&mut self, target: usize, m: &Machine) -> bool {
        let same = stamp(m) == self.stamp;
        self.counts.answered(target, u64::from(same));
        same
    }

    // PERF: asked several times for each node of a search.
    #[inline(always)]
    fn try_code<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
        mut visit: impl FnMut(&mut Visit<'_>) -> bool,
    ) -> Asked {
        let (_, leaves) = packed.bytes().split_at(self.layout.before);
        let Some(shape) = Codec::shape_of(&packed.bytes()[self.layout.before - 1..]) else {
            self.counts.lost(target, Lost::Shapes);
            return Asked::Machine;
        };
        if stamp(m) != self.stamp {
            self.forget(m);
        }
        let Some(Some(Unit { state: State::Ready(compiled), runs, .. })) =
            self.units[target].get_mut(usize::from(shape))
        else {
            self.without_code((target, shape), leaves, (m, w, codec));
            return Asked::Machine;
        };
        *runs += 1;
        let count = compiled.code.code().leaves;
        let room = with_room(packed, 8 * compiled.code.words(), &mut self.room);
        let is_wide = compiled.code.is_wide();
        let narrow = !is_wide && frame::is_narrow(leaves, count, codec);
        if !narrow && !is_wide {
            return self.give_back((target, shape), Back::Wide, leaves, codec);
        }
        if !narrow && !self.frame.load(leaves, count, codec) {
            return self.give_back((target, shape), Back::Leaves, leaves, codec);
        }
        let narrow = narrow.then_some(Narrow { room, leaves });
        if codec.has_variables() && !compiled.allows(narrow.map(|state| state.leaves), &self.frame)
        {
            return self.give_back((target, shape), Back::New, leaves, codec);
        }
        let ended = compiled.code.run(narrow, &mut self.frame);
        if let Reply::Deopt(reason) = ended {
            return self.give_back((target, shape), Back::Asked(reason), leaves, codec);
        }
        if compiled.code.has_calls() {
            let is_narrow = narrow.is_some();
            let done = self.each_answer(
                ((target, shape), is_narrow.then_some(leaves), self.layout.before),
                &mut Rules { m, w, codec },
                0,
                &mut visit,
            );
            return match done {
                Ok(()) => Asked::Answered(ended),
                Err(Unanswered::Back) => {
                    self.give_back((target, shape), Back::Asked(None), leaves, codec)
                }
                Err(Unanswered::Callee(callee)) => self.not_called((target, shape), callee),
            };
        }
        let told = compiled.code.epoch() == Some(self.epoch);
        let source = Source {
            code: compiled.code.code(),
            forms: compiled.code.forms(),
            exit: &self.frame.exit[..self.frame.end],
            narrow: narrow.map(|state| state.leaves),
            words: &self.frame.words,
        };
        let mut at = HEAD;
        while at < source.exit.len() {
            let (mut found, next) = source.read(at, told, &mut compiled.labels, &mut self.bytes);
            if !visit(&mut found) {
                return self.give_back((target, shape), Back::Asked(None), leaves, codec);
            }
            at = next;
        }
        if compiled.code.is_due() {
            self.make_native(target, shape);
        }
        Asked::Answered(ended)
    }

    /// A question for which there is no code: makes it if it is time to.
    #[cold]
    pub(super) fn without_code(
        &mut self,
        (target, shape): (usize, u8),
        leaves: &[u8],
        (m, w, codec): (&mut Machine, &mut World, &mut Codec),
    ) {
        self.cool();
        let units = &mut self.units[target];
        if units.len() <= usize::from(shape) {
            units.resize_with(usize::from(shape) + 1, || None);
        }
        let unit = units[usize::from(shape)].get_or_insert_with(|| Unit::new(codec, shape));
        unit.asked = unit.asked.saturating_add(1);
        if let State::Cold = unit.state {
            // PERF: tries are rare, as where there is no code all questions come here.
            let is_due = unit.asked.is_power_of_two() || unit.asked.is_multiple_of(SEEN);
            if is_due || unit.asked < SEEN {
                unit.see(leaves, codec, &mut self.frame);
            }
            let asked = unit.asked;
            let is_called = self.targets[target].indicator == CALLED;
            let is_first = asked >= WARM_FIRST && units.iter().flatten().count() == 1;
            if is_due && (asked >= WARM || is_first || is_called) {
                let began = Instant::now();
                self.make(target, shape, m, w, codec);
                self.counts.making += began.elapsed();
            }
        }
        if let Some(Some(unit)) = self.units[target].get(usize::from(shape)) {
            self.counts.lost(target, unit.why());
        }
    }

    /// Code gave a state back.
    #[cold]
    pub(super) fn give_back(
        &mut self,
        (target, shape): (usize, u8),
        why: Back,
        leaves: &[u8],
        codec: &Codec,
    ) -> Asked {
        self.cool();
        let Some(Some(unit)) = self.units[target].get_mut(usize::from(shape)) else {
            return Asked::Machine;
        };
        let State::Ready(compiled) = &mut unit.state else { return Asked::Machine };
        compiled.kept_all = false;
        if Some(target) == self.value {
            self.epoch += 1;
        }
        unit.deopts += 1;
        let reason = match why {
            Back::Wide => Reason::plain("a leaf is of more than one byte"),
            Back::Leaves => {
                let what = codec.words(leaves, &mut self.frame.words).err();
                Reason::plain(&format!("a leaf is {}", what.unwrap_or("of another term")))
            }
            Back::Asked(Some(reason)) => compiled.reasons[reason as usize].clone(),
            Back::Asked(None) => {
                Reason::plain("a number is out of the range that code was made for")
            }
            Back::New => Reason { new_value: true, ..Reason::plain("a leaf is unbound") },
        };
        let is_mended = reason.new_value && unit.tries < MOST_TRIES;
        self.counts.lost(target, if is_mended { Lost::News } else { Lost::Reason(&reason) });
        match reason.new_value {
            true => unit.met_new(reason, leaves, codec, &mut self.frame),
            false => unit.weigh(reason),
        }
        Asked::Machine
    }

    /// Makes native code for a shape.
    #[cold]
    fn make_native(&mut self, target: usize, shape: u8) {
        let began = Instant::now();
        self.tell(target, usize::from(shape));
        if let Some(Some(Unit { state: State::Ready(compiled), .. })) =
            self.units[target].get_mut(usize::from(shape))
        {
            compiled.code.make_native();
        }
        self.counts.making += began.elapsed();
    }

    /// Tells the code of a shape by which sum the value can be kept up to date, if there is one
    /// and it is not too late.
    #[inline(never)]
    fn tell(&mut self, target: usize, shape: usize) {
        self.cool();
        let sum = self.sum(target, shape).cloned();
        let epoch = self.epoch;
        if let Some(Some(Unit { state: State::Ready(compiled), .. })) =
            self.units[target].get_mut(shape)
        {
            compiled.code.tell(sum, epoch);
        }
    }

    /// The sum by which the value behind the moves of a target can be kept up to date.
    fn sum(&self, target: usize, shape: usize) -> Option<&Arc<Sum>> {
        let value = self.value.filter(|&value| value != target)?;
        match &self.units[value].get(shape)?.as_ref()?.state {
            State::Ready(compiled) if !compiled.any_unbound && compiled.kept_all => {
                compiled.code.code().sum.as_ref()
            }
            _ => None,
        }
    }

    /// The program has changed.
    #[cold]
    fn forget(&mut self, m: &Machine) {
        self.cool();
        self.stamp = stamp(m);
        self.shared.clear();
        self.residual = Residual::default();
        self.changes += 1;
        for units in &mut self.units {
            units.clear();
        }
        if self.changes > MOST_CHANGES {
            self.mode = Specialise::Off;
        }
    }
}

#[inline]
fn stamp(m: &Machine) -> (u64, usize) {
    (m.program.generation, m.program.clauses.len())
}

impl Unit {
    fn new(codec: &Codec, shape: u8) -> Unit {
        Unit {
            state: State::Cold,
            asked: 0,
            runs: 0,
            deopts: 0,
            news: 0,
            tries: 0,
            needed: 0,
            taken: 0,
            progress: None,
            gave_back: None,
            sample: Vec::new(),
            leaves: codec.leaves_of(shape),
            singles: Vec::new(),
            integers_before: None,
        }
    }

    /// Why the machine answers, where there was no code.
    pub(super) fn why(&self) -> Lost<'_> {
        match &self.state {
            State::Machine(reason) => Lost::Reason(reason),
            State::Cold if self.asked >= WARM => Lost::NotBought,
            _ if self.tries > 1 => Lost::News,
            _ => Lost::First,
        }
    }

    /// Remembers the values of a state's leaves.
    #[cold]
    fn see(&mut self, leaves: &[u8], codec: &Codec, frame: &mut Frame) {
        if !frame.load(leaves, self.leaves, codec) {
            return;
        }
        let is_first = self.sample.is_empty();
        self.sample = frame.words.iter().map(|&word| Word(word)).collect();
        let is_single =
            |word: &Word| self.sample.iter().filter(|&other| other == word).count() == 1;
        if is_first {
            self.singles = self.sample.iter().copied().filter(|word| is_single(word)).collect();
        } else {
            self.singles.retain(is_single);
        }
    }

    /// Code lacked a value.
    #[cold]
    fn met_new(&mut self, reason: Reason, leaves: &[u8], codec: &Codec, frame: &mut Frame) {
        self.see(leaves, codec, frame);
        self.news += 1;
        if self.tries >= MOST_TRIES {
            let what = format!("{}, and code was made {MOST_TRIES} times", reason.what);
            self.weigh(Reason { what, new_value: false, ..reason });
        } else if self.news >= 4 << (2 * self.tries) {
            self.state = State::Cold;
            self.asked = WARM - 1;
            self.news = 0;
            (self.needed, self.taken, self.progress) = (0, 0, None);
        }
    }

    /// Drops code that does not do its work.
    pub(super) fn weigh(&mut self, reason: Reason) {
        if self.deopts >= 64 && self.deopts * 2 > self.runs {
            self.state = State::Machine(reason);
        } else {
            self.gave_back = Some(reason);
        }
    }
}

impl Compiled {
    /// Whether only leaves are unbound that may be; they are given as bytes, or lie in the
    /// frame.
    #[inline]
    pub(super) fn allows(&self, narrow: Option<&[u8]>, frame: &Frame) -> bool {
        const VAR: u8 = Word::VAR.0 as u8;
        match (narrow, self.any_unbound) {
            (Some(leaves), false) => !has_byte(leaves, VAR),
            (Some(leaves), true) => {
                self.unbound.iter().zip(leaves).all(|(&may, &leaf)| may || leaf != VAR)
            }
            (None, false) => !frame.has_unbound(),
            (None, true) => {
                let mut leaves = self.unbound.iter().zip(&frame.words);
                leaves.all(|(&may, &word)| may || word != Word::VAR.0)
            }
        }
    }
}

/// The bytes of a state with at least so many in all, zeros behind its own: copied if it lacks them.
#[inline]
pub(super) fn with_room<'r, S: PackedState>(
    packed: &'r S,
    length: usize,
    copy: &'r mut Vec<u8>,
) -> &'r [u8] {
    if packed.room().len() >= length {
        return packed.room();
    }
    copy.clear();
    copy.extend_from_slice(packed.bytes());
    copy.resize(length, 0);
    copy
}

/// Whether a byte occurs.
#[inline]
fn has_byte(bytes: &[u8], wanted: u8) -> bool {
    // PERF: eight at once; states are short.
    let has = |eight: &[u8; 8]| {
        const LOW: u64 = 0x0101_0101_0101_0101;
        let differ = u64::from_le_bytes(*eight) ^ (LOW * u64::from(wanted));
        differ.wrapping_sub(LOW) & !differ & (LOW << 7) != 0
    };
    match bytes.last_chunk() {
        Some(last) => has(last) || bytes.chunks_exact(8).any(|e| e.try_into().is_ok_and(&has)),
        None => bytes.contains(&wanted),
    }
}
