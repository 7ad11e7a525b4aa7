//! The moves of a predicate for a shape, numbered, of which one is made without the others.

use super::backend::Backend;
use super::code::{Code, Layout};
use super::deopt::run_on;
use super::frame::{Frame, Narrow, Reply};
use super::moves::{HEAD, Label, STATELESS, Visit};
use super::program::slices::{Group, Picking, count, each, nth};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use zug_state::Codec;

/// Which code has numbered moves: their numbers mean the same as long as it is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering(u64);

impl Numbering {
    fn fresh() -> Numbering {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Numbering(NEXT.fetch_add(1, Relaxed))
    }
}

/// Runs from one look at whether folded moves are to be made one by one to the next.
const LOOKED_AT: u64 = 4096;

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
    pub(super) numbering: Numbering,
    pub(super) guards: Backend,
    pub(super) groups: Arc<[Group]>,
    pub(super) bodies: Backend,
    /// By move, what is constant of it.
    pub(super) labels: Vec<Label>,
    /// By plane: the places of moves that go on with a call; nothing if there are none.
    pub(super) calls: Arc<[u64]>,
    /// Moves are folded: steps that making them one by one would take, as it seems.
    pub(super) folded: Option<u64>,
}

impl Picker {
    /// For states that are laid out so.
    pub(super) fn new(picking: Picking, folded: Option<u64>, layout: Layout) -> Picker {
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
        Picker { numbering, guards, groups: groups.into(), bodies, labels, calls, folded }
    }

    pub(super) fn another(&self) -> Picker {
        let [guards, bodies] = [&self.guards, &self.bodies].map(Backend::another);
        Picker { labels: Label::all(bodies.code()), guards, bodies, ..self.clone() }
    }

    pub(super) fn lay_out(&mut self, layout: Layout) {
        self.guards.lay_out(layout);
        self.bodies.lay_out(layout);
    }

    /// Whether it is due to be looked at after this run.
    #[inline]
    pub(super) fn is_due(&self, runs: u64) -> bool {
        self.guards.is_due()
            || self.bodies.is_due()
            || self.folded.is_some() && runs.is_multiple_of(LOOKED_AT)
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

    /// The number of the move N behind the first of those whose guards lie in the frame.
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
        self.made(number, narrow, frame, bytes, visit)
    }

    /// The move with a number, as its body has put it down: perhaps that of many.
    #[inline(always)]
    fn made<T>(
        &mut self,
        number: u32,
        narrow: Option<Narrow<'_>>,
        frame: &mut Frame,
        bytes: &mut Vec<u8>,
        visit: impl FnOnce(&mut Visit<'_>) -> Option<T>,
    ) -> Option<T> {
        let head = frame.exit.get_mut(HEAD)?;
        *head = *head & STATELESS | i64::from(number);
        let source = self.bodies.source(narrow, frame);
        let (mut made, _) = source.read(HEAD, false, &mut self.labels, bytes);
        visit(&mut made)
    }

    /// Visits the moves whose guards lie in the frame; `None` if the name of one is not constant.
    #[inline(always)]
    pub(super) fn names(
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

    /// Makes the move with a number, from a state with N bytes before its leaves.
    pub(super) fn make_on<T>(
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
        self.made(number, narrow, frame, bytes, visit)
    }

    /// Whether a move among those whose guards lie in the frame goes on with a call.
    #[inline]
    pub(super) fn is_called(&self, frame: &Frame) -> bool {
        let planes = &frame.exit[HEAD..frame.end];
        self.calls.iter().zip(planes).any(|(&calls, &plane)| calls & plane as u64 != 0)
    }
}
