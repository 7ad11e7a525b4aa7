//! One of the moves of a state, without the others being made.

use super::backend::{Backend, Narrow};
use super::code::Layout;
use super::frame::{Frame, Reply};
use super::moves::{HEAD, Label, Visit};
use super::program::picking::{Group, Picking, count, nth};
use super::units::{State, Unit, Units, with_room};
use crate::mode::Specialise;
use std::time::{Duration, Instant};
use zug_machine::Machine;
use zug_state::{Codec, PackedState};

/// The moves of a predicate, to be picked from.
pub(super) struct Picker {
    guards: Backend,
    groups: Box<[Group]>,
    bodies: Backend,
    /// By move, what is constant of it.
    labels: Vec<Label>,
}

impl Picker {
    /// For states that are laid out so.
    pub(super) fn new(picking: Picking, layout: Layout) -> Picker {
        let Picking { guards, groups, bodies } = picking;
        let labels = Label::all(&bodies);
        let [guards, bodies] = [guards, bodies].map(|code| Backend::new(code, layout));
        Picker { guards, groups, bodies, labels }
    }

    /// For states that are laid out otherwise.
    pub(super) fn lay_out(&mut self, layout: Layout) {
        self.guards.lay_out(layout);
        self.bodies.lay_out(layout);
    }

    /// Whether native code is worth making.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.guards.is_due() || self.bodies.is_due()
    }

    /// Makes native code, and tells how long that took.
    #[cold]
    pub(super) fn make_native(&mut self) -> Duration {
        let began = Instant::now();
        self.guards.make_native();
        self.bodies.make_native();
        began.elapsed()
    }

    /// How many moves there are, where code can tell. Their guards lie in the frame then.
    #[inline(always)]
    pub(super) fn count(&mut self, narrow: Option<Narrow<'_>>, frame: &mut Frame) -> Option<u32> {
        let ended = self.guards.run(narrow, frame);
        (ended == Reply::Done).then(|| count(&frame.exit[HEAD..frame.end]))
    }

    /// Makes the move so many behind the first of those whose guards lie in the frame; `visit` makes
    /// something of it, with `bytes` as scratch.
    #[inline(always)]
    pub(super) fn make<T>(
        &mut self,
        at: u32,
        narrow: Option<Narrow<'_>>,
        frame: &mut Frame,
        bytes: &mut Vec<u8>,
        visit: impl FnOnce(&mut Visit<'_>) -> Option<T>,
    ) -> Option<T> {
        frame.chosen = nth(&self.groups, &frame.exit[HEAD..frame.end], at)? as usize;
        if self.bodies.run(narrow, frame) != Reply::Done {
            return None;
        }
        let source = self.bodies.source(narrow, frame);
        let (mut made, _) = source.read(HEAD, false, &mut self.labels, bytes);
        visit(&mut made)
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

    /// One of the moves of a state: `choose` is told how many there are and says which, from 0 on, if it
    /// wants one; `visit` makes something of it. `None` if code can't tell.
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
        if self.mode() == Specialise::Off || !self.is_current(m) {
            return None;
        }
        self.refresh(codec);
        let (before, leaves) = packed.bytes().split_at_checked(self.layout.before)?;
        let shape = *before.last()?;
        let Some(Some(Unit { state: State::Ready(compiled), runs, .. })) =
            self.units[target].get_mut(usize::from(shape))
        else {
            return None;
        };
        let picker = compiled.picker.as_deref_mut()?;
        let (code, frame) = (&picker.guards, &mut self.frame);
        let narrow = if frame.load_for(code, leaves, codec)? {
            let room = with_room(packed, 8 * code.words(), &mut self.room);
            Some(Narrow { room, leaves })
        } else {
            None
        };
        let moves = picker.count(narrow, frame)?;
        let picked = match choose(moves).filter(|&at| at < moves) {
            Some(at) => picker.make(at, narrow, frame, &mut self.bytes, visit).map(Picked::Move),
            None => Some(Picked::Nothing),
        };
        *runs += 1;
        self.counts.answered(target, 1);
        if picker.is_due() {
            self.counts.making += picker.make_native();
        }
        picked
    }
}
