//! Plays: one move after the other, each picked from those there are, as far as code goes.
//!
//! A play at random asks of each state whether the game is over, how many moves there are, and for one of
//! them. Here the state stays in one buffer meanwhile, moves have no names, and what holds for the whole
//! play is looked up once.

use super::frame::{Frame, Narrow, Reply};
use super::moves::HEAD;
use super::play_state::{Place, Places};
use super::units::Units;
use super::units::unit::{At, Compiled};
use crate::mode::Specialise;
use zug_machine::Machine;
use zug_state::{Codec, PackedState, PackedStore};

/// What a play asks where a player is to move.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// The predicate that says whether the game is over; without one it is where there is no move.
    pub over: Option<usize>,
    /// The predicate of moves.
    pub moves: usize,
    /// Who moves next, unless the state says so.
    pub next: u8,
}

/// What a play goes by.
#[derive(Clone, Copy)]
pub struct Course<'c> {
    /// By player; `None` where code is not asked.
    pub seats: &'c [Option<Seat>],
    /// The predicate that says whose turn it is, if there is one.
    pub turn: Option<usize>,
    /// Who may move.
    pub players: Players<'c>,
}

/// Who may move, as packed terms.
#[derive(Clone, Copy)]
pub struct Players<'c> {
    /// Those that have a seat, by number.
    pub seated: &'c PackedStore,
    /// Chance, which has none, where it was met; and its number.
    pub chance: Option<(&'c [u8], u8)>,
}

impl Players<'_> {
    /// The number of one of them.
    pub fn number(self, name: &[u8]) -> Option<u8> {
        match self.chance {
            Some((chance, number)) if chance == name => Some(number),
            _ => self.seated.find_bytes(name).and_then(|number| u8::try_from(number).ok()),
        }
    }
}

/// How far a play went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// Moves that were made.
    pub moves: u32,
    /// The game is over there; if not, that is not known.
    pub is_over: bool,
}

enum Stepped {
    Made,
    Over,
}

impl Units {
    /// Plays from a state, which becomes the one reached, as far as code can tell. `choose` gets
    /// the moves made so far and the number of moves now.
    pub fn play_on<S: PackedState>(
        &mut self,
        state: &mut S,
        course: Course<'_>,
        most: u32,
        (m, codec): (&Machine, &Codec),
        choose: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Played {
        let mut played = Played::default();
        if self.mode() == Specialise::Off || !self.is_current(m) {
            return played;
        }
        self.refresh(codec);
        let mut places = std::mem::take(&mut self.places);
        places.now.begin(state.bytes());
        if codec.has_variables() && !self.allows_first(&mut places.now, course, codec) {
            self.places = places;
            return played;
        }
        while played.moves < most {
            match self.step(&mut places, course, (m, codec), |count| choose(played.moves, count)) {
                Some(Stepped::Made) => played.moves += 1,
                Some(Stepped::Over) => {
                    played.is_over = true;
                    break;
                }
                None => break,
            }
        }
        if played.moves > 0 {
            match S::from_bytes(places.now.state()) {
                Some(reached) => *state = reached,
                // There is no room for it: what was played is as if it had not been.
                None => played = Played::default(),
            }
        }
        self.places = places;
        played
    }

    /// Whether only leaves are unbound that may be: moves of code keep that.
    fn allows_first(&mut self, place: &mut Place, course: Course<'_>, codec: &Codec) -> bool {
        let before = self.layout.before;
        let (mover, shape) = place.turn_and_shape(before);
        let Some(&Some(seat)) = course.seats.get(mover) else { return false };
        let Some(compiled) = self.units.compiled((seat.moves, shape)) else { return false };
        let Some(narrow) = compiled.load(place, before, &mut self.frame, codec) else {
            return false;
        };
        compiled.allows(narrow.map(|state| state.leaves), &self.frame)
    }

    /// One step of a play; nothing has changed if code can't tell.
    #[inline]
    fn step(
        &mut self,
        places: &mut Places,
        course: Course<'_>,
        (m, codec): (&Machine, &Codec),
        choose: impl FnOnce(u32) -> u32,
    ) -> Option<Stepped> {
        let before = self.layout.before;
        let Places { now, next } = places;
        let (mover, shape) = now.turn_and_shape(before);
        let seat = (*course.seats.get(mover)?)?;
        let frame = &mut self.frame;
        if let Some(over) = seat.over {
            let (compiled, _) = self.units.ready((over, shape))?;
            let narrow = compiled.load(now, before, frame, codec)?;
            if compiled.says(narrow, frame)? {
                self.answered_by((over, shape));
                return Some(Stepped::Over);
            }
        }
        let length = now.length;
        let (compiled, runs) = self.units.ready((seat.moves, shape))?;
        let narrow = compiled.load(now, before, frame, codec)?;
        let picker = compiled.picker.as_deref_mut()?;
        let moves = picker.count(narrow, frame)?;
        if picker.is_called(frame) {
            return None;
        }
        if moves == 0 {
            // Without a move to be made, a game that is not over is at fault.
            seat.over.is_none().then_some(())?;
            self.answered_by((seat.moves, shape));
            return Some(Stepped::Over);
        }
        let number = picker.number(choose(moves), frame)?;
        picker.make(number, narrow, frame, &mut self.bytes, |made| {
            if let Some(words) = made.words() {
                next.set_words(words, length);
                next.bytes[0] = seat.next;
            } else if made.pack_next(seat.next, &mut next.bytes) {
                next.length = next.bytes.len();
            } else {
                return None;
            }
            Some(())
        })?;
        if picker.is_due(*runs) {
            self.look_at_picker((seat.moves, shape), m);
        }
        let frame = &mut self.frame;
        if let Some(turn) = course.turn {
            let (_, shape) = next.turn_and_shape(before);
            let (compiled, _) = self.units.ready((turn, shape))?;
            let narrow = compiled.load(next, before, frame, codec)?;
            let number = |name: &[u8]| course.players.number(name).map(u32::from);
            let player = compiled.first_name(narrow, frame, &mut self.bytes, number)?;
            next.bytes[0] = u8::try_from(player).ok()?;
            if course.players.chance.is_none_or(|(_, number)| number != next.bytes[0]) {
                course.seats.get(usize::from(next.bytes[0]))?;
            }
            self.answered_by((turn, shape));
        }
        if let Some(over) = seat.over {
            self.answered_by((over, shape));
        }
        self.answered_by((seat.moves, shape));
        std::mem::swap(now, next);
        Some(Stepped::Made)
    }

    #[inline]
    fn answered_by(&mut self, at: At) {
        if let Some(unit) = self.units.get_mut(at) {
            unit.runs += 1;
        }
        self.counts.answered(at.0, 1);
    }
}

impl Compiled {
    /// As [`Place::load_for`]; `None`, too, if native code is to be made first.
    #[inline(always)]
    fn load<'p>(
        &self,
        place: &'p mut Place,
        before: usize,
        frame: &mut Frame,
        codec: &Codec,
    ) -> Option<Option<Narrow<'p>>> {
        if self.code.is_due() {
            return None;
        }
        place.load_for(&self.code, before, frame, codec)
    }

    #[inline]
    fn says(&mut self, narrow: Option<Narrow<'_>>, frame: &mut Frame) -> Option<bool> {
        match self.code.run(narrow, frame) {
            Reply::True => Some(true),
            Reply::Done => Some(false),
            _ => None,
        }
    }

    /// The number of the name that is the first answer, if there is one and the code can tell.
    #[inline]
    fn first_name(
        &mut self,
        narrow: Option<Narrow<'_>>,
        frame: &mut Frame,
        bytes: &mut Vec<u8>,
        number: impl FnOnce(&[u8]) -> Option<u32>,
    ) -> Option<u32> {
        let ended = self.code.run(narrow, frame);
        if ended != Reply::Done || frame.end == HEAD {
            return None;
        }
        let source = self.code.source(narrow, frame);
        let (mut found, _) = source.read(HEAD, false, &mut self.labels, bytes);
        found.name(number)
    }
}
