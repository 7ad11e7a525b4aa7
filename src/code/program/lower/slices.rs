//! Slices of guarded answers: the guards of all moves as planes, and single moves.

use super::{Guided, Lowering, Lowers};
use crate::code::{Code, Move};
use crate::program::slices::{Group, NO_MOVE, Picking};
use crate::program::vectorise::{Families, Place, Source, word_and_bit};
use crate::program::{End, Op, PLACES, Step, ValueId};
use zug_symbolic::Condition;
use zug_symbolic::limits;

/// The guards of moves that are in one word of a plane.
struct Slot {
    word: usize,
    /// Planes, and the places that are taken from each.
    sources: Vec<((Source, bool), u64)>,
    /// Conditions that no plane has, with their places.
    singles: Vec<(u8, Condition)>,
    /// All places that are taken.
    taken: u64,
    moves: Box<[u32; PLACES]>,
}

impl Slot {
    fn new(word: usize) -> Slot {
        let moves = Box::new([NO_MOVE; PLACES]);
        Slot { word, sources: Vec::new(), singles: Vec::new(), taken: 0, moves }
    }

    fn has(&self, place: &Place) -> bool {
        self.sources.iter().any(|&(of, _)| of == (place.source, place.negated))
    }

    fn take(&mut self, at: u8, number: u32) {
        self.taken |= 1 << at;
        self.moves[usize::from(at)] = number;
    }

    fn add_place(&mut self, place: &Place, number: u32) {
        let key = (place.source, place.negated);
        let (_, at) = word_and_bit(place.at);
        match self.sources.iter_mut().find(|(of, _)| *of == key) {
            Some((_, places)) => *places |= 1 << at,
            None => self.sources.push((key, 1 << at)),
        }
        self.take(at, number);
    }

    fn add_single(&mut self, at: u8, condition: Condition, number: u32) {
        self.singles.push((at, condition));
        self.take(at, number);
    }
}

impl Lowering<'_, '_> {
    /// The moves of guided answers, to be picked from.
    pub(super) fn picking(
        &mut self,
        guided: &[Guided],
        moves: &[Move],
        deopt: Condition,
    ) -> Lowers<Picking> {
        let (guards, groups) = self.guards_of(guided, deopt)?;
        self.begin_bodies();
        let mut entries = Vec::with_capacity(guided.len());
        for (one, known) in guided.iter().zip(moves) {
            let number = match known.needs(false).is_empty() {
                true => self.known_move(known),
                false => self.move_of(one)?.ok_or("a move is given back")?,
            };
            entries.push(self.block(vec![Step::Move(number)], End::Done));
        }
        self.block(Vec::new(), End::Enter(entries.into()));
        Ok(Picking { guards, groups, bodies: self.finish() })
    }

    /// A slice of bodies begins: each move is made by itself, without planes.
    pub(super) fn begin_bodies(&mut self) {
        self.begin();
        (self.families, self.families_of) = (Families::default(), Vec::new());
        self.planes = false;
    }

    /// The guards of moves as planes, and which moves these are.
    pub(super) fn guards_of(
        &mut self,
        guided: &[Guided],
        deopt: Condition,
    ) -> Lowers<(Code, Box<[Group]>)> {
        let roots: Vec<Condition> = guided.iter().map(|one| one.condition).chain([deopt]).collect();
        self.begin();
        self.survey(&roots, &[], &[]);
        let groups = self.groups(guided);
        let mut planes = Vec::new();
        for slot in groups.iter().flatten() {
            planes.push(self.guard(slot)?);
        }
        let entry = self.block(Vec::new(), End::Planes(planes.into()));
        self.deoptimise(deopt, entry)?;
        let guards = self.finish();
        let groups = groups
            .into_iter()
            .map(|slots| Group { planes: slots.into_iter().map(|slot| slot.moves).collect() });
        Ok((guards, groups.collect()))
    }

    /// A move that was lowered before and of which nothing is computed.
    fn known_move(&mut self, known: &Move) -> u32 {
        self.program.needs.push(Box::default());
        self.moves.push(known.clone());
        self.moves.len() as u32 - 1
    }

    /// Puts moves into groups of planes.
    fn groups(&mut self, guided: &[Guided]) -> Vec<Vec<Slot>> {
        let mut groups = Vec::new();
        let mut at = 0;
        while at < guided.len() {
            let (mut slots, count) = self.by_places(&guided[at..], at);
            if count == 0 {
                // One by one, until there is a plane again.
                slots = vec![Slot::new(0)];
                let mut end = at;
                while end < guided.len() && end - at < PLACES {
                    if end > at && self.by_places(&guided[end..], end).1 > 0 {
                        break;
                    }
                    slots[0].add_single((end - at) as u8, guided[end].condition, end as u32);
                    end += 1;
                }
                at = end;
            }
            at += count;
            groups.push(slots);
        }
        groups
    }

    /// The slots of the most moves from the first on, by places of a word of planes, and their number: none if few.
    fn by_places(&mut self, guided: &[Guided], first: usize) -> (Vec<Slot>, usize) {
        let mut slots: Vec<Slot> = Vec::new();
        // The place of the move before, and the slots that may follow it there.
        let (mut last, mut next) = ((0, 0), 0);
        let (mut count, mut in_planes) = (0, 0);
        for (one, number) in guided.iter().zip(first as u32..) {
            let place = self.families.place(one.condition);
            let place = place.filter(|place| self.is_plane(place.source));
            let at = match &place {
                Some(place) => word_and_bit(place.at),
                // It goes with the place before.
                None if count > 0 => last,
                None => break,
            };
            // What follows in another word is another group.
            if count > 0 && (at.0 != last.0 || at < last) {
                break;
            }
            if at > last || count == 0 {
                (last, next) = (at, 0);
            }
            let (word, bit) = at;
            let open = |slot: &Slot| slot.taken >> bit & 1 == 0;
            let known = |slot: &Slot| place.as_ref().is_some_and(|place| slot.has(place));
            let found = (next..slots.len())
                .find(|&slot| open(&slots[slot]) && known(&slots[slot]))
                .or_else(|| (next..slots.len()).find(|&slot| open(&slots[slot])));
            let slot = found.unwrap_or_else(|| {
                slots.push(Slot::new(word));
                slots.len() - 1
            });
            match &place {
                Some(place) => slots[slot].add_place(place, number),
                None => slots[slot].add_single(bit, one.condition, number),
            }
            in_planes += usize::from(place.is_some());
            next = slot + 1;
            count += 1;
        }
        self.store.spend(1 + count / 4);
        if in_planes < limits::FEWEST_FOLDED { (Vec::new(), 0) } else { (slots, count) }
    }

    /// The plane of a slot.
    fn guard(&mut self, slot: &Slot) -> Lowers<ValueId> {
        let mut parts = Vec::new();
        for &((source, negated), places) in &slot.sources {
            let plane = self.plane(source, slot.word, None)?;
            let plane = self.program.flipped(plane, negated);
            parts.push(self.program.within(plane, places));
        }
        for &(at, condition) in &slot.singles {
            let holds = self.bit(condition)?;
            let all = self.program.value(Op::Spread(holds));
            parts.push(self.program.within(all, 1 << at));
        }
        Ok(self.program.joined(Op::Join, parts))
    }
}
