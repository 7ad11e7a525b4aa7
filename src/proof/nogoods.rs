//! Learnt nogoods: atoms that can't hold together, each watched by two of them.

use crate::atom::{Atom, VarId};
use crate::state::{Conflict, Reason, State};

pub(crate) struct Nogood {
    pub atoms: Box<[Atom]>,
    /// The stage of the proof that it comes from.
    pub stage: u32,
    watched: [u32; 2],
    activity: f64,
    is_dropped: bool,
}

/// All learnt nogoods, by their numbers.
#[derive(Default)]
pub(crate) struct Nogoods {
    all: Vec<Nogood>,
    /// For each variable, which nogoods watch an atom of it, and with which of their two watches.
    watches: Vec<Vec<(u32, u8)>>,
    step: f64,
    kept: usize,
}

impl Nogoods {
    pub fn new(variables: usize) -> Nogoods {
        Nogoods { watches: vec![Vec::new(); variables], step: 1.0, ..Nogoods::default() }
    }

    pub fn get(&self, number: u32) -> &Nogood {
        &self.all[number as usize]
    }

    pub fn len(&self) -> usize {
        self.kept
    }

    /// The number of the nogood that is learnt next.
    pub fn next(&self) -> u32 {
        self.all.len() as u32
    }

    pub fn learn(&mut self, atoms: Box<[Atom]>, stage: u32, second: u32) -> u32 {
        let number = self.next();
        if atoms.len() > 1 {
            for (which, at) in [(0, 0), (1, second)] {
                self.watches[atoms[at as usize].var.at()].push((number, which));
            }
        }
        let watched = [0, second];
        self.all.push(Nogood { atoms, stage, watched, activity: self.step, is_dropped: false });
        self.kept += 1;
        number
    }

    pub fn bump(&mut self, number: u32) {
        self.all[number as usize].activity += self.step;
    }

    /// Use counts less with time.
    pub fn decay(&mut self) {
        self.step *= 1.001;
        if self.step > 1e100 {
            self.step *= 1e-100;
            for nogood in &mut self.all {
                nogood.activity *= 1e-100;
            }
        }
    }

    /// Drops the half that was of the least use, except what is a reason now.
    pub fn drop_half(&mut self, state: &State) {
        for entry in &state.trail {
            if let Reason::Nogood(number, _) = entry.reason {
                self.all[number as usize].activity = f64::INFINITY;
            }
        }
        let mut found: Vec<(f64, usize)> = self
            .all
            .iter()
            .enumerate()
            .filter(|(_, nogood)| !nogood.is_dropped && nogood.atoms.len() > 2)
            .map(|(at, nogood)| (nogood.activity, at))
            .collect();
        found.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        for &(activity, at) in &found[..found.len() / 2] {
            if activity.is_finite() {
                let nogood = &mut self.all[at];
                (nogood.is_dropped, nogood.atoms) = (true, Box::default());
                self.kept -= 1;
            }
        }
        for watches in &mut self.watches {
            watches.retain(|&(number, _)| !self.all[number as usize].is_dropped);
        }
        for nogood in &mut self.all {
            if nogood.activity.is_infinite() {
                nogood.activity = self.step;
            }
        }
    }

    /// Looks at all that watch a variable, about which there is news.
    pub fn propagate(&mut self, state: &mut State, var: VarId) -> Result<(), Conflict> {
        let mut watching = std::mem::take(&mut self.watches[var.at()]);
        let mut outcome = Ok(());
        watching.retain(|&(number, which)| {
            outcome.is_err()
                || self.visit(state, var, number, which).unwrap_or_else(|conflict| {
                    outcome = Err(conflict);
                    true
                })
        });
        // Nothing else was added meanwhile: a watch that moves goes to another variable.
        self.watches[var.at()] = watching;
        outcome
    }

    /// Whether the watch stays with the variable.
    fn visit(
        &mut self,
        state: &mut State,
        var: VarId,
        number: u32,
        which: u8,
    ) -> Result<bool, Conflict> {
        let nogood = &mut self.all[number as usize];
        let which = usize::from(which);
        let [own, other] = [nogood.watched[which], nogood.watched[1 - which]];
        if !state.holds(nogood.atoms[own as usize]) {
            return Ok(true);
        }
        let last = nogood.atoms[other as usize];
        if state.is_false(last) {
            return Ok(true);
        }
        let free = (0..nogood.atoms.len() as u32)
            .find(|&at| at != own && at != other && !state.holds(nogood.atoms[at as usize]));
        if let Some(free) = free {
            nogood.watched[which] = free;
            let to = nogood.atoms[free as usize].var;
            if to == var {
                return Ok(true);
            }
            self.watches[to.at()].push((number, which as u8));
            return Ok(false);
        }
        if state.holds(last) {
            return Err(Conflict::Nogood(number));
        }
        state.make(last.negated(), Reason::Nogood(number, other))?;
        Ok(true)
    }
}
