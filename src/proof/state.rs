//! Domains of the variables, with a trail: when each change was made, and why.

use crate::atom::{Atom, HI, LO, Relation, VarId};
use crate::model::Model;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A place on the trail; [`INITIAL`] for what was known before.
pub(crate) type Place = i32;

/// The place of what holds from the beginning.
pub(crate) const INITIAL: Place = -1;

/// Why a domain changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    Decision,
    /// A bound moved over a value that was missing.
    Hole,
    /// By a sum, by its number.
    Sum(u32),
    /// By a learnt nogood, of which all atoms hold but the one of this number.
    Nogood(u32, u32),
    /// By an explanation that was made at once, by its number.
    Told(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub premises: Rc<[Atom]>,
    pub constraint: u32,
}

/// A step of the trail. Its atom is `>=`, `<=` or `!=`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub atom: Atom,
    pub reason: Reason,
    pub level: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Conflict {
    Empty(VarId),
    /// These atoms hold, and can't by a constraint.
    Constraint(Vec<Atom>, u32),
    Nogood(u32),
}

/// An end of the values of a variable.
struct End {
    now: i32,
    first: i32,
    /// The ends that there were, each narrower than the one before, with their places.
    history: Vec<(i32, Place)>,
}

/// Whether an end is at a value or narrower.
fn reaches(side: usize, end: i32, value: i32) -> bool {
    if side == LO { end >= value } else { end <= value }
}

struct Known {
    ends: [End; 2],
    /// Values that are missing, with the place since when.
    holes: FxHashMap<i32, Place>,
}

impl Known {
    fn is_only(&self, value: i32) -> bool {
        self.ends.iter().all(|end| end.now == value)
    }
}

pub(crate) struct State {
    known: Vec<Known>,
    pub trail: Vec<Entry>,
    /// Where on the trail each level above 0 begins.
    pub levels: Vec<usize>,
    told: Vec<Told>,
}

impl State {
    pub fn of(model: &Model) -> State {
        let known = model
            .variables
            .iter()
            .map(|variable| {
                let values = &variable.values;
                let end = |first| End { now: first, first, history: Vec::new() };
                let holes = values.holes.iter().map(|&value| (value, INITIAL)).collect();
                Known { ends: [values.lo, values.hi].map(end), holes }
            })
            .collect();
        State { known, trail: Vec::new(), levels: Vec::new(), told: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn lo(&self, var: VarId) -> i32 {
        self.known[var.at()].ends[LO].now
    }

    pub fn hi(&self, var: VarId) -> i32 {
        self.known[var.at()].ends[HI].now
    }

    pub fn is_fixed(&self, var: VarId) -> bool {
        self.lo(var) == self.hi(var)
    }

    pub fn contains(&self, var: VarId, value: i32) -> bool {
        let known = &self.known[var.at()];
        (known.ends[LO].now..=known.ends[HI].now).contains(&value)
            && !known.holes.contains_key(&value)
    }

    pub fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    pub fn level_at(&self, place: Place) -> u32 {
        if place < 0 { 0 } else { self.trail[place as usize].level }
    }

    /// An end before a place of the trail.
    pub fn before(&self, side: usize, var: VarId, place: Place) -> i32 {
        let end = &self.known[var.at()].ends[side];
        let count = end.history.partition_point(|&(_, at)| at < place);
        if count == 0 { end.first } else { end.history[count - 1].0 }
    }

    /// An end from the beginning: an atom of a bound is weakest with it.
    pub fn first(&self, side: usize, var: VarId) -> i32 {
        self.known[var.at()].ends[side].first
    }

    /// Since when an atom holds, if it does.
    pub fn since(&self, atom: Atom) -> Option<Place> {
        let known = &self.known[atom.var.at()];
        let reached = |side: usize, value: i32| {
            let end = &known.ends[side];
            if reaches(side, end.first, value) {
                return Some(INITIAL);
            }
            let at = end.history.partition_point(|&(own, _)| !reaches(side, own, value));
            end.history.get(at).map(|&(_, place)| place)
        };
        let (at_least, at_most) = (|value| reached(LO, value), |value| reached(HI, value));
        match atom.relation {
            Relation::AtLeast => at_least(atom.value),
            Relation::AtMost => at_most(atom.value),
            Relation::Equal => {
                at_least(atom.value).zip(at_most(atom.value)).map(|(one, other)| one.max(other))
            }
            Relation::NotEqual => [
                known.holes.get(&atom.value).copied(),
                atom.value.checked_add(1).and_then(at_least),
                atom.value.checked_sub(1).and_then(at_most),
            ]
            .into_iter()
            .flatten()
            .min(),
        }
    }

    pub fn holds(&self, atom: Atom) -> bool {
        let known = &self.known[atom.var.at()];
        match atom.relation {
            Relation::AtLeast => known.ends[LO].now >= atom.value,
            Relation::AtMost => known.ends[HI].now <= atom.value,
            Relation::Equal => known.is_only(atom.value),
            Relation::NotEqual => !self.contains(atom.var, atom.value),
        }
    }

    pub fn is_false(&self, atom: Atom) -> bool {
        let known = &self.known[atom.var.at()];
        match atom.relation {
            Relation::AtLeast => known.ends[HI].now < atom.value,
            Relation::AtMost => known.ends[LO].now > atom.value,
            Relation::Equal => !self.contains(atom.var, atom.value),
            Relation::NotEqual => known.is_only(atom.value),
        }
    }

    fn push(&mut self, atom: Atom, reason: Reason) {
        let place = self.trail.len() as Place;
        let level = self.level();
        let known = &mut self.known[atom.var.at()];
        match side_of(atom) {
            Some(side) => {
                known.ends[side].now = atom.value;
                known.ends[side].history.push((atom.value, place));
            }
            None => drop(known.holes.insert(atom.value, place)),
        }
        self.trail.push(Entry { atom, reason, level });
    }

    /// Makes an atom hold; whether that was news.
    pub fn make(&mut self, atom: Atom, reason: Reason) -> Result<bool, Conflict> {
        if self.holds(atom) {
            return Ok(false);
        }
        let (var, value) = (atom.var, atom.value);
        match atom.relation {
            Relation::AtLeast => self.narrow(LO, var, value, reason)?,
            Relation::AtMost => self.narrow(HI, var, value, reason)?,
            Relation::Equal => {
                self.make(Atom::at_least(var, value), reason)?;
                self.make(Atom::at_most(var, value), reason)?;
            }
            Relation::NotEqual => {
                self.push(atom, reason);
                if value == self.lo(var) {
                    self.narrow(LO, var, value + 1, Reason::Hole)?;
                } else if value == self.hi(var) {
                    self.narrow(HI, var, value - 1, Reason::Hole)?;
                }
            }
        }
        Ok(true)
    }

    /// Moves an end to a value, and on over those that are missing.
    fn narrow(
        &mut self,
        side: usize,
        var: VarId,
        mut value: i32,
        mut reason: Reason,
    ) -> Result<(), Conflict> {
        loop {
            self.push(Atom::bound(side, var, value), reason);
            if self.lo(var) > self.hi(var) {
                return Err(Conflict::Empty(var));
            }
            if !self.known[var.at()].holes.contains_key(&value) {
                return Ok(());
            }
            (value, reason) = (value + if side == LO { 1 } else { -1 }, Reason::Hole);
        }
    }

    /// Makes an atom hold for premises that are told at once.
    pub fn tell(
        &mut self,
        atom: Atom,
        premises: &Rc<[Atom]>,
        constraint: u32,
    ) -> Result<bool, Conflict> {
        if self.holds(atom) {
            return Ok(false);
        }
        self.told.push(Told { premises: premises.clone(), constraint });
        self.make(atom, Reason::Told(self.told.len() as u32 - 1))
    }

    pub fn told(&self, number: u32) -> &Told {
        &self.told[number as usize]
    }

    /// What was known when a level ended is all that is known; the variables about which more was.
    pub fn back_to(&mut self, level: u32, mut forgotten: impl FnMut(VarId)) {
        let Some(&length) = self.levels.get(level as usize) else { return };
        self.levels.truncate(level as usize);
        while self.trail.len() > length {
            let Some(Entry { atom, reason, .. }) = self.trail.pop() else { break };
            let known = &mut self.known[atom.var.at()];
            match side_of(atom) {
                Some(side) => {
                    let end = &mut known.ends[side];
                    end.history.pop();
                    end.now = end.history.last().map_or(end.first, |&(value, _)| value);
                }
                None => drop(known.holes.remove(&atom.value)),
            }
            if let Reason::Told(number) = reason {
                self.told.truncate(number as usize);
            }
            forgotten(atom.var);
        }
    }
}

/// The end that an atom is a bound of.
fn side_of(atom: Atom) -> Option<usize> {
    match atom.relation {
        Relation::AtLeast => Some(LO),
        Relation::AtMost => Some(HI),
        Relation::Equal | Relation::NotEqual => None,
    }
}
