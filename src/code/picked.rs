//! One of the moves of a state, without the others being made.

use super::backend::Backend;
use super::called::{BEFORE, Found, Spare};
use super::code::Code;
use super::deopt::run_on;
use super::frame::{Frame, Narrow, Reply};
use super::moves::{HEAD, Label, Source, Visit};
use super::picker::{NumberedMove, Numbering, Picker};
use super::program::slices::{all, count};
use super::units::unit::{At, Compiled, UnitTable};
use super::units::{Units, with_room};
use crate::mode::Specialise;
use std::sync::Arc;
use zug_machine::Machine;
use zug_state::{Codec, PackedState};
use zug_symbolic::limits;

/// What was asked about moves, as far as code knows.
pub enum Picked<T> {
    /// A move was chosen, and this was made of it.
    Move(T),
    /// There is none.
    Nothing,
}

impl Units {
    /// How many moves a state has; `None` if code can't tell without making them.
    pub fn count_moves<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &mut Codec,
    ) -> Option<u32> {
        let mut found = 0;
        let choose = |count| {
            found = count;
            None
        };
        match self.pick(target, packed, m, codec, choose, |_| Some(()))? {
            Picked::Move(()) | Picked::Nothing => Some(found),
        }
    }

    /// A move of a state: `choose` picks from their number, from 0 on; `None` if code can't tell.
    #[inline]
    pub fn pick<S: PackedState, T>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &mut Codec,
        choose: impl FnOnce(u32) -> Option<u32>,
        visit: impl FnOnce(&mut Visit<'_>) -> Option<T>,
    ) -> Option<Picked<T>> {
        let Guarded { shape, picker, narrow, frame, bytes, runs, moves } =
            self.guarded(target, packed, m, codec)?;
        if picker.is_called(frame) {
            let on = ((target, shape), packed.bytes(), self.layout.before);
            let picked = self.pick_called(on, codec, choose, visit);
            while let Some(at) = self.called.due.pop() {
                self.look_at_picker(at, m);
            }
            let picked = picked?;
            self.counts.answered(target, 1);
            return Some(picked);
        }
        let picked = match choose(moves).filter(|&at| at < moves) {
            Some(at) => {
                let number = picker.number(at, frame)?;
                picker.make(number, narrow, frame, bytes, visit).map(Picked::Move)
            }
            None => Some(Picked::Nothing),
        };
        *runs += 1;
        let is_due = picker.is_due(*runs);
        self.was_picked_from((target, shape), is_due, m);
        picked
    }

    /// Visits the moves of a state unmade, with names numbered by `intern`. `None`, perhaps after
    /// some visits, if code can't tell or a name varies.
    #[inline]
    pub fn names<S: PackedState>(
        &mut self,
        target: usize,
        packed: &S,
        m: &Machine,
        codec: &mut Codec,
        intern: impl FnMut(&[u8]) -> u32,
        visit: impl FnMut(NumberedMove),
    ) -> Option<Numbering> {
        let Guarded { shape, picker, frame, bytes, runs, .. } =
            self.guarded(target, packed, m, codec)?;
        if picker.is_called(frame) {
            return None;
        }
        let numbering = picker.names(frame, bytes, intern, visit)?;
        *runs += 1;
        let is_due = picker.is_due(*runs);
        self.was_picked_from((target, shape), is_due, m);
        Some(numbering)
    }

    /// Makes a move that [`Units::names`] numbered for this state; `None` if code can't tell or has changed.
    #[inline]
    pub fn make_numbered<S: PackedState, T>(
        &mut self,
        target: usize,
        packed: &S,
        (number, numbering): (u32, Numbering),
        m: &Machine,
        codec: &mut Codec,
        visit: impl FnOnce(&mut Visit<'_>) -> Option<T>,
    ) -> Option<T> {
        if self.mode() == Specialise::Off || !self.is_current(m) {
            return None;
        }
        self.refresh(codec);
        let Ready { shape, leaves, compiled, runs } =
            ready(&mut self.units, target, packed, self.layout.before)?;
        // That the leaves are fit for this code was found when the move was numbered.
        let picker = compiled.picker.as_deref_mut()?;
        if picker.numbering != numbering {
            return None;
        }
        let frame = &mut self.frame;
        let narrow = loaded(&picker.bodies, frame, (packed, leaves), &mut self.room, codec)?;
        let made = picker.make(number, narrow, frame, &mut self.bytes, visit)?;
        *runs += 1;
        let is_due = picker.is_due(*runs);
        self.was_picked_from((target, shape), is_due, m);
        Some(made)
    }

    /// Runs the guards of the moves of a state; `None` if code can't tell.
    #[inline(always)]
    fn guarded<'u, S: PackedState>(
        &'u mut self,
        target: usize,
        packed: &'u S,
        m: &Machine,
        codec: &mut Codec,
    ) -> Option<Guarded<'u>> {
        if self.mode() == Specialise::Off || !self.is_current(m) {
            return None;
        }
        self.refresh(codec);
        let Ready { shape, leaves, compiled, runs } =
            ready(&mut self.units, target, packed, self.layout.before)?;
        let (code, frame) = (&compiled.picker.as_deref()?.guards, &mut self.frame);
        let narrow = loaded(code, frame, (packed, leaves), &mut self.room, codec)?;
        if codec.has_variables() && !compiled.allows(narrow.map(|state| state.leaves), frame) {
            return None;
        }
        let (picker, bytes) = (compiled.picker.as_deref_mut()?, &mut self.bytes);
        let moves = picker.count(narrow, frame)?;
        Some(Guarded { shape, picker, narrow, frame, bytes, runs, moves })
    }

    /// Code answered a question about moves; somebody is to look at it if that is due.
    #[inline]
    fn was_picked_from(&mut self, at: At, is_due: bool, m: &Machine) {
        self.counts.answered(at.0, 1);
        if is_due {
            self.look_at_picker(at, m);
        }
    }
}

struct Ready<'u, 's> {
    shape: u8,
    leaves: &'s [u8],
    compiled: &'u mut Compiled,
    runs: &'u mut u64,
}

/// The code of a target for a state with N bytes before its leaves, if there is some.
#[inline(always)]
fn ready<'u, 's, S: PackedState>(
    units: &'u mut UnitTable,
    target: usize,
    packed: &'s S,
    before: usize,
) -> Option<Ready<'u, 's>> {
    let (before, leaves) = packed.bytes().split_at_checked(before)?;
    let shape = *before.last()?;
    let (compiled, runs) = units.ready((target, shape))?;
    Some(Ready { shape, leaves, compiled, runs })
}

/// Loads a state for code: where it lies, if the code reads it there; `None` if it is not fit for it.
#[inline(always)]
fn loaded<'s, S: PackedState>(
    code: &Backend,
    frame: &mut Frame,
    (packed, leaves): (&'s S, &'s [u8]),
    room: &'s mut Vec<u8>,
    codec: &Codec,
) -> Option<Option<Narrow<'s>>> {
    let is_narrow = code.load(leaves, frame, codec)?;
    Some(is_narrow.then(|| {
        let room = with_room((packed.bytes(), packed.room()), 8 * code.words(), room);
        Narrow { room, leaves }
    }))
}

/// The moves of a state whose guards lie in the frame.
struct Guarded<'u> {
    shape: u8,
    picker: &'u mut Picker,
    narrow: Option<Narrow<'u>>,
    frame: &'u mut Frame,
    bytes: &'u mut Vec<u8>,
    runs: &'u mut u64,
    moves: u32,
}

/// A move that there is, and how many it stands for.
type Weighed = (u32, u32);

/// A unit, and a state for it with N bytes before its leaves.
type On<'s> = (At, &'s [u8], usize);

fn picker_of(units: &mut UnitTable, at: At) -> Option<&mut Picker> {
    units.ready(at)?.0.picker.as_deref_mut()
}

/// Picking where moves go on with calls: each stands for as many as its callee has answers.
impl Units {
    #[inline(never)]
    fn pick_called<T>(
        &mut self,
        on: On<'_>,
        codec: &mut Codec,
        choose: impl FnOnce(u32) -> Option<u32>,
        visit: impl FnOnce(&mut Visit<'_>) -> Option<T>,
    ) -> Option<Picked<T>> {
        let weighed = self.weighed(on, codec, 0)?;
        let moves = weighed.iter().map(|&(_, moves)| moves).sum();
        let Some(chosen) = choose(moves).filter(|&chosen| chosen < moves) else {
            return Some(Picked::Nothing);
        };
        let (mut visit, mut made) = (Some(visit), None);
        self.make_one(on, codec, (&weighed, chosen), 0, &mut |found| {
            made = visit.take().and_then(|visit| visit(found));
            made.is_some()
        })?;
        made.map(Picked::Move)
    }

    /// Finds the moves that there are: how many by the guards, and whether some go on with calls.
    fn guards(&mut self, on: On<'_>, codec: &Codec, numbers: &mut Vec<u32>) -> Option<(u32, bool)> {
        let (at, state, before) = on;
        let Units { units, frame, room, .. } = self;
        let picker = picker_of(units, at)?;
        let ran = run_on(&mut picker.guards, state, before, (frame, room), codec);
        if !matches!(ran, Ok((Reply::Done, _))) {
            return None;
        }
        let planes = &frame.exit[HEAD..frame.end];
        let is_called = picker.is_called(frame);
        all(&picker.groups, planes, numbers);
        let moves = count(planes);
        if picker.is_due(1) {
            self.called.due.push(at);
        }
        Some((moves, is_called))
    }

    /// The moves that there are, and how many each stands for.
    fn weighed(&mut self, on: On<'_>, codec: &mut Codec, depth: u32) -> Option<Vec<Weighed>> {
        let mut numbers = Vec::new();
        let (_, is_called) = self.guards(on, codec, &mut numbers)?;
        let mut weighed: Vec<Weighed> = numbers.into_iter().map(|number| (number, 1)).collect();
        if !is_called {
            return Some(weighed);
        }
        let mut spare = self.called.spare();
        for (number, moves) in &mut weighed {
            if let Some((call, _)) = self.begin_call(on, codec, *number, &mut spare)? {
                *moves = self.count_called((call, &spare.input), codec, depth + 1)?;
            }
        }
        self.called.give(spare);
        Some(weighed)
    }

    fn count_called(
        &mut self,
        (target, input): (usize, &[u8]),
        codec: &mut Codec,
        depth: u32,
    ) -> Option<u32> {
        let on = self.callee_on(target, input, depth)?;
        let mut numbers = std::mem::take(&mut self.called.numbers);
        let found = self.guards(on, codec, &mut numbers);
        self.called.numbers = numbers;
        match found? {
            (moves, false) => Some(moves),
            _ => Some(self.weighed(on, codec, depth)?.iter().map(|&(_, moves)| moves).sum()),
        }
    }

    fn callee_on<'s>(&self, target: usize, input: &'s [u8], depth: u32) -> Option<On<'s>> {
        let shape = Codec::shape_of(input)?;
        let is_one = depth <= limits::NESTED_CALLS && target < self.targets.len();
        is_one.then_some(((target, shape), input, BEFORE))
    }

    /// Runs a move, and takes the input of its call, if there is one: the target and its code.
    fn begin_call(
        &mut self,
        on: On<'_>,
        codec: &Codec,
        number: u32,
        spare: &mut Spare,
    ) -> Option<Option<(usize, Arc<Code>)>> {
        let (at, state, before) = on;
        let Units { units, frame, room, bytes, .. } = self;
        let picker = picker_of(units, at)?;
        if picker.bodies.code().moves[number as usize].call.is_none() {
            return Some(None);
        }
        let made = picker.make_on(state, before, number, (frame, room, codec), bytes, |found| {
            let call = found.call()?;
            spare.take_call(found, call, before).then_some(call.target)
        })?;
        Some(Some((made, picker.bodies.shared().0)))
    }

    fn make_one(
        &mut self,
        on: On<'_>,
        codec: &mut Codec,
        (weighed, chosen): (&[Weighed], u32),
        depth: u32,
        visit: &mut dyn FnMut(&mut Visit<'_>) -> bool,
    ) -> Option<()> {
        let mut left = chosen;
        let (number, _) = *weighed.iter().find(|&&(_, moves)| {
            let is_it = left < moves;
            left -= if is_it { 0 } else { moves };
            is_it
        })?;
        let mut spare = self.called.spare();
        let Some((target, code)) = self.begin_call(on, codec, number, &mut spare)? else {
            let (at, state, before) = on;
            let Units { units, frame, room, bytes, .. } = self;
            let picker = picker_of(units, at)?;
            return picker.make_on(state, before, number, (frame, room, codec), bytes, |found| {
                visit(found).then_some(())
            });
        };
        let call = code.moves[number as usize].call.as_deref()?;
        let inner = self.callee_on(target, &spare.input, depth + 1)?;
        let weighed = self.weighed(inner, codec, depth + 1)?;
        let mut answer = Found::default();
        self.make_one(inner, codec, (&weighed, left), depth + 1, &mut |found| {
            answer.take(found, BEFORE)
        })?;
        let (name, state) = answer.all().next()?;
        spare.fill(&mut self.called.filling, codec, call, (name, state))?;
        let Spare { bytes, whole_name, whole_state, .. } = &mut *spare;
        let source = Source { code: &code, forms: &[], exit: &[], narrow: None, words: &[] };
        let mut label = Label::default();
        let whole = (&whole_name[..], &whole_state[..]);
        let done = visit(&mut source.whole(number, &mut label, bytes, whole));
        self.called.give(spare);
        done.then_some(())
    }
}
