//! One of the moves of a state, without the others being made.

use super::backend::{Backend, Narrow};
use super::called::{BEFORE, DEEPEST, Found, Spare, run_on};
use super::code::{Code, Layout};
use super::frame::{Frame, Reply};
use super::moves::{HEAD, Label, Source, Visit};
use super::program::picking::{Group, Picking, all, count, each, nth};
use super::units::{At, Compiled, UnitTable, Units, with_room};
use crate::mode::Specialise;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use zug_machine::Machine;
use zug_state::{Codec, PackedState};

/// Which code has numbered moves: their numbers mean the same as long as it is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering(u64);

impl Numbering {
    fn fresh() -> Numbering {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Numbering(NEXT.fetch_add(1, Relaxed))
    }
}

/// A move by the number of its name, and its own number in the code that tells moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedMove {
    /// The number of its name.
    pub name: u32,
    /// Its number.
    pub number: u32,
}

/// The moves of a predicate, to be picked from.
#[derive(Clone)]
pub(super) struct Picker {
    numbering: Numbering,
    guards: Backend,
    groups: Arc<[Group]>,
    bodies: Backend,
    /// By move, what is constant of it.
    labels: Vec<Label>,
    /// By plane: the places of moves that go on with a call; nothing if there are none.
    calls: Arc<[u64]>,
}

impl Picker {
    /// For states that are laid out so.
    pub(super) fn new(picking: Picking, layout: Layout) -> Picker {
        let Picking { guards, groups, bodies } = picking;
        let labels = Label::all(&bodies);
        let calls =
            |number: &u32| bodies.moves.get(*number as usize).is_some_and(|mv| mv.call.is_some());
        let plane = |moves: &[u32; 64]| {
            let called = moves.iter().enumerate().filter(|(_, number)| calls(number));
            called.fold(0, |bits, (place, _)| bits | 1 << place)
        };
        let planes = groups.iter().flat_map(|group| group.planes.iter());
        let mut calls: Arc<[u64]> = planes.map(|moves| plane(moves)).collect();
        if calls.iter().all(|&bits| bits == 0) {
            calls = Arc::default();
        }
        let [guards, bodies] = [guards, bodies].map(|code| Backend::new(code, layout));
        let numbering = Numbering::fresh();
        Picker { numbering, guards, groups: groups.into(), bodies, labels, calls }
    }

    pub(super) fn another(&self) -> Picker {
        let [guards, bodies] = [&self.guards, &self.bodies].map(Backend::another);
        Picker { labels: Label::all(bodies.code()), guards, bodies, ..self.clone() }
    }

    pub(super) fn lay_out(&mut self, layout: Layout) {
        self.guards.lay_out(layout);
        self.bodies.lay_out(layout);
    }

    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.guards.is_due() || self.bodies.is_due()
    }

    pub(super) fn backends(&mut self) -> [&mut Backend; 2] {
        [&mut self.guards, &mut self.bodies]
    }

    pub(super) fn codes(&self) -> [&Code; 2] {
        [self.guards.code(), self.bodies.code()]
    }

    /// How many moves there are, where code can tell. Their guards lie in the frame then.
    #[inline(always)]
    pub(super) fn count(&mut self, narrow: Option<Narrow<'_>>, frame: &mut Frame) -> Option<u32> {
        let ended = self.guards.run(narrow, frame);
        (ended == Reply::Done).then(|| count(&frame.exit[HEAD..frame.end]))
    }

    /// The number of the move so many behind the first of those whose guards lie in the frame.
    #[inline(always)]
    pub(super) fn number(&self, at: u32, frame: &Frame) -> Option<u32> {
        nth(&self.groups, &frame.exit[HEAD..frame.end], at)
    }

    /// Makes the move with a number; `visit` makes something of it, with `bytes` as scratch.
    #[inline(always)]
    pub(super) fn make<T>(
        &mut self,
        number: u32,
        narrow: Option<Narrow<'_>>,
        frame: &mut Frame,
        bytes: &mut Vec<u8>,
        visit: impl FnOnce(&mut Visit<'_>) -> Option<T>,
    ) -> Option<T> {
        frame.chosen = number as usize;
        if self.bodies.run(narrow, frame) != Reply::Done {
            return None;
        }
        let source = self.bodies.source(narrow, frame);
        let (mut made, _) = source.read(HEAD, false, &mut self.labels, bytes);
        visit(&mut made)
    }

    /// Visits the moves whose guards lie in the frame; `None` if the name of one is not constant.
    #[inline(always)]
    fn names(
        &mut self,
        frame: &Frame,
        bytes: &mut Vec<u8>,
        mut intern: impl FnMut(&[u8]) -> u32,
        mut visit: impl FnMut(NumberedMove),
    ) -> Option<Numbering> {
        let Picker { groups, bodies, labels, numbering, .. } = self;
        let mut are_known = true;
        each(groups, &frame.exit[HEAD..frame.end], |number| {
            let mv = &bodies.code().moves[number as usize];
            let name = labels[number as usize].constant_name(mv, bytes, &mut intern);
            match name {
                Some(name) => visit(NumberedMove { name, number }),
                None => are_known = false,
            }
        });
        are_known.then_some(*numbering)
    }

    /// Makes the move with a number, from a state with so many bytes before its leaves.
    fn make_on<T>(
        &mut self,
        state: &[u8],
        before: usize,
        number: u32,
        (frame, room, codec): (&mut Frame, &mut Vec<u8>, &Codec),
        bytes: &mut Vec<u8>,
        visit: impl FnOnce(&mut Visit<'_>) -> Option<T>,
    ) -> Option<T> {
        frame.chosen = number as usize;
        let ran = run_on(&mut self.bodies, state, before, (&mut *frame, room), codec);
        let Ok((Reply::Done, is_narrow)) = ran else { return None };
        let narrow = is_narrow.then_some(Narrow { room: state, leaves: &state[before..] });
        let source = self.bodies.source(narrow, frame);
        let (mut made, _) = source.read(HEAD, false, &mut self.labels, bytes);
        visit(&mut made)
    }

    /// Whether a move among those whose guards lie in the frame goes on with a call.
    #[inline]
    pub(super) fn is_called(&self, frame: &Frame) -> bool {
        let planes = &frame.exit[HEAD..frame.end];
        self.calls.iter().zip(planes).any(|(&calls, &plane)| calls & plane as u64 != 0)
    }
}

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
        let is_due = picker.is_due();
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
        let is_due = picker.is_due();
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
        let is_due = picker.is_due();
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

/// The code of a target for a state with so many bytes before its leaves, if there is some.
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

/// A unit, and a state for it with so many bytes before its leaves.
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
        if picker.is_due() {
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
        let is_one = depth <= DEEPEST && target < self.targets.len();
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
