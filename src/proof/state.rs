//! What is known of the variables, with a trail: when it came to be known, and why.

use crate::atom::{Atom, Relation};
use crate::model::{Model, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A place on the trail; [`INITIAL`] for what was known before.
pub(crate) type Place = i32;

/// The place of what holds from the beginning.
pub(crate) const INITIAL: Place = -1;

/// Why something came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It was decided.
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

/// An explanation that was made at once.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// What it follows from.
    pub premises: Rc<[Atom]>,
    /// By this constraint.
    pub constraint: u32,
}

/// A step of the trail. Its atom is `>=`, `<=` or `!=`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub atom: Atom,
    pub reason: Reason,
    pub level: u32,
}

/// Why not all can hold.
#[derive(Clone, Debug)]
pub(crate) enum Conflict {
    /// A variable has no value left.
    Empty(VarId),
    /// These atoms hold, and can't by a constraint.
    Constraint(Vec<Atom>, u32),
    /// All atoms of a learnt nogood hold.
    Nogood(u32),
}

struct Known {
    lo: i32,
    hi: i32,
    first_lo: i32,
    first_hi: i32,
    /// The lower bounds that there were, with the place of each, ascending.
    los: Vec<(i32, Place)>,
    /// The upper bounds, descending.
    his: Vec<(i32, Place)>,
    /// Values that are missing, with the place since when.
    holes: FxHashMap<i32, Place>,
}

/// What is known of all variables.
pub(crate) struct State {
    known: Vec<Known>,
    pub trail: Vec<Entry>,
    /// Where on the trail each level above 0 begins.
    levels: Vec<usize>,
    told: Vec<Told>,
}

impl State {
    pub fn of(model: &Model) -> State {
        let known = model
            .variables
            .iter()
            .map(|variable| {
                let values = &variable.values;
                Known {
                    lo: values.lo,
                    hi: values.hi,
                    first_lo: values.lo,
                    first_hi: values.hi,
                    los: Vec::new(),
                    his: Vec::new(),
                    holes: values.holes.iter().map(|&value| (value, INITIAL)).collect(),
                }
            })
            .collect();
        State { known, trail: Vec::new(), levels: Vec::new(), told: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn lo(&self, var: VarId) -> i32 {
        self.known[var.at()].lo
    }

    pub fn hi(&self, var: VarId) -> i32 {
        self.known[var.at()].hi
    }

    pub fn is_fixed(&self, var: VarId) -> bool {
        self.lo(var) == self.hi(var)
    }

    pub fn contains(&self, var: VarId, value: i32) -> bool {
        let known = &self.known[var.at()];
        (known.lo..=known.hi).contains(&value) && !known.holes.contains_key(&value)
    }

    /// The number of decisions.
    pub fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    pub fn level_at(&self, place: Place) -> u32 {
        if place < 0 { 0 } else { self.trail[place as usize].level }
    }

    /// The lower bound before a place of the trail.
    pub fn lo_before(&self, var: VarId, place: Place) -> i32 {
        let known = &self.known[var.at()];
        let count = known.los.partition_point(|&(_, at)| at < place);
        if count == 0 { known.first_lo } else { known.los[count - 1].0 }
    }

    /// The upper bound before a place of the trail.
    pub fn hi_before(&self, var: VarId, place: Place) -> i32 {
        let known = &self.known[var.at()];
        let count = known.his.partition_point(|&(_, at)| at < place);
        if count == 0 { known.first_hi } else { known.his[count - 1].0 }
    }

    /// The bound from the beginning that an atom of a bound is weakest with.
    pub fn first_lo(&self, var: VarId) -> i32 {
        self.known[var.at()].first_lo
    }

    pub fn first_hi(&self, var: VarId) -> i32 {
        self.known[var.at()].first_hi
    }

    /// Since when an atom holds, if it does.
    pub fn since(&self, atom: Atom) -> Option<Place> {
        let known = &self.known[atom.var.at()];
        let at_least = |value: i32| {
            if known.first_lo >= value {
                return Some(INITIAL);
            }
            let at = known.los.partition_point(|&(lo, _)| lo < value);
            known.los.get(at).map(|&(_, place)| place)
        };
        let at_most = |value: i32| {
            if known.first_hi <= value {
                return Some(INITIAL);
            }
            let at = known.his.partition_point(|&(hi, _)| hi > value);
            known.his.get(at).map(|&(_, place)| place)
        };
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
            Relation::AtLeast => known.lo >= atom.value,
            Relation::AtMost => known.hi <= atom.value,
            Relation::Equal => known.lo == atom.value && known.hi == atom.value,
            Relation::NotEqual => !self.contains(atom.var, atom.value),
        }
    }

    pub fn is_false(&self, atom: Atom) -> bool {
        let known = &self.known[atom.var.at()];
        match atom.relation {
            Relation::AtLeast => known.hi < atom.value,
            Relation::AtMost => known.lo > atom.value,
            Relation::Equal => !self.contains(atom.var, atom.value),
            Relation::NotEqual => known.lo == atom.value && known.hi == atom.value,
        }
    }

    fn push(&mut self, atom: Atom, reason: Reason) {
        let place = self.trail.len() as Place;
        let level = self.level();
        let known = &mut self.known[atom.var.at()];
        match atom.relation {
            Relation::AtLeast => {
                known.lo = atom.value;
                known.los.push((atom.value, place));
            }
            Relation::AtMost => {
                known.hi = atom.value;
                known.his.push((atom.value, place));
            }
            _ => {
                known.holes.insert(atom.value, place);
            }
        }
        self.trail.push(Entry { atom, reason, level });
    }

    /// Makes an atom hold; whether that was news.
    pub fn make(&mut self, atom: Atom, reason: Reason) -> Result<bool, Conflict> {
        if self.holds(atom) {
            return Ok(false);
        }
        match atom.relation {
            Relation::AtLeast => self.raise(atom, reason)?,
            Relation::AtMost => self.lower(atom, reason)?,
            Relation::Equal => {
                self.make(Atom::at_least(atom.var, atom.value), reason)?;
                self.make(Atom::at_most(atom.var, atom.value), reason)?;
            }
            Relation::NotEqual => {
                self.push(atom, reason);
                let (var, value) = (atom.var, atom.value);
                if value == self.lo(var) {
                    self.raise(Atom::at_least(var, value + 1), Reason::Hole)?;
                } else if value == self.hi(var) {
                    self.lower(Atom::at_most(var, value - 1), Reason::Hole)?;
                }
            }
        }
        Ok(true)
    }

    fn raise(&mut self, atom: Atom, reason: Reason) -> Result<(), Conflict> {
        let (var, mut reason) = (atom.var, reason);
        let mut value = atom.value;
        loop {
            self.push(Atom::at_least(var, value), reason);
            let known = &self.known[var.at()];
            if known.lo > known.hi {
                return Err(Conflict::Empty(var));
            }
            if !known.holes.contains_key(&value) {
                return Ok(());
            }
            (value, reason) = (value + 1, Reason::Hole);
        }
    }

    fn lower(&mut self, atom: Atom, reason: Reason) -> Result<(), Conflict> {
        let (var, mut reason) = (atom.var, reason);
        let mut value = atom.value;
        loop {
            self.push(Atom::at_most(var, value), reason);
            let known = &self.known[var.at()];
            if known.lo > known.hi {
                return Err(Conflict::Empty(var));
            }
            if !known.holes.contains_key(&value) {
                return Ok(());
            }
            (value, reason) = (value - 1, Reason::Hole);
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

    /// A level begins.
    pub fn begin_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// What was known when a level ended is all that is known; the variables about which more was.
    pub fn back_to(&mut self, level: u32, mut forgotten: impl FnMut(VarId)) {
        let Some(&length) = self.levels.get(level as usize) else { return };
        self.levels.truncate(level as usize);
        while self.trail.len() > length {
            let Some(Entry { atom, reason, .. }) = self.trail.pop() else { break };
            let known = &mut self.known[atom.var.at()];
            match atom.relation {
                Relation::AtLeast => {
                    known.los.pop();
                    known.lo = known.los.last().map_or(known.first_lo, |&(lo, _)| lo);
                }
                Relation::AtMost => {
                    known.his.pop();
                    known.hi = known.his.last().map_or(known.first_hi, |&(hi, _)| hi);
                }
                _ => {
                    known.holes.remove(&atom.value);
                }
            }
            if let Reason::Told(number) = reason {
                self.told.truncate(number as usize);
            }
            forgotten(atom.var);
        }
    }
}
