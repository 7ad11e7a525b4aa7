//! One of the moves of a state, without the others being made.

use super::backend::{Backend, Narrow};
use super::code::Layout;
use super::frame::{self, Reply};
use super::moves::{HEAD, Label, Source, Visit};
use super::program::picking::{Group, Picking, count, nth};
use super::units::{State, Unit, Units, with_room};
use crate::mode::Specialise;
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

    fn make_native(&mut self) {
        self.guards.make_native();
        self.bodies.make_native();
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
        let count_of_leaves = picker.guards.code().leaves;
        let frame = &mut self.frame;
        let mut narrow = None;
        if picker.guards.is_wide() {
            if !frame.load(leaves, count_of_leaves, codec) {
                return None;
            }
        } else {
            if !frame::is_narrow(leaves, count_of_leaves, codec) {
                return None;
            }
            let room = with_room(packed, 8 * picker.guards.words(), &mut self.room);
            narrow = Some(Narrow { room, leaves });
        }
        if picker.guards.run(narrow, frame) != Reply::Done {
            return None;
        }
        let planes = &frame.exit[HEAD..frame.end];
        let moves = count(planes);
        let chosen = choose(moves).filter(|&at| at < moves);
        let mut picked = Some(Picked::Nothing);
        if let Some(at) = chosen {
            frame.chosen = nth(&picker.groups, planes, at)? as usize;
            if picker.bodies.run(narrow, frame) != Reply::Done {
                return None;
            }
            let source = Source {
                code: picker.bodies.code(),
                forms: picker.bodies.forms(),
                exit: &frame.exit[..frame.end],
                narrow: narrow.map(|state| state.leaves),
                words: &frame.words,
            };
            let (mut made, _) = source.read(HEAD, false, &mut picker.labels, &mut self.bytes);
            picked = visit(&mut made).map(Picked::Move);
        }
        *runs += 1;
        self.counts.answered(target, 1);
        if picker.guards.is_due() || picker.bodies.is_due() {
            let began = std::time::Instant::now();
            picker.make_native();
            self.counts.making += began.elapsed();
        }
        picked
    }
}
