//! What is learnt from a conflict: the first unique implication point (J. Marques-Silva, K. Sakallah 1996; L. Zhang et al.,
//! *Efficient conflict driven learning in a Boolean satisfiability solver*, ICCAD 2001), with the inferences that prove
//! it.

use crate::atom::{Atom, Relation};
use crate::proof::{Inference, Origin, Stage};
use crate::solver::Solver;
use crate::state::{Conflict, Place, Reason};
use rustc_hash::FxHashSet;
use std::collections::BinaryHeap;

pub(crate) struct Learnt {
    /// The first atom of its nogood is the one of the level of the conflict.
    pub stage: Stage,
    /// The level to go back to, on which all other atoms hold.
    pub level: u32,
    /// The number of an atom that holds since that level.
    pub second: u32,
}

/// Looks at one conflict, or one entry.
pub(crate) struct Analysis<'a, 'm> {
    solver: &'a mut Solver<'m>,
    /// Atoms that hold whatever is decided, each with its inference.
    known: FxHashSet<Atom>,
    facts: Vec<Inference>,
    /// Inferences with their places on the trail.
    resolved: Vec<(Place, Inference)>,
    /// Atoms of the level of the conflict that are still to be explained.
    open: BinaryHeap<(Place, Atom)>,
    lower: Vec<Atom>,
}

impl<'a, 'm> Analysis<'a, 'm> {
    pub fn new(solver: &'a mut Solver<'m>) -> Self {
        Analysis {
            solver,
            known: FxHashSet::default(),
            facts: Vec::new(),
            resolved: Vec::new(),
            open: BinaryHeap::new(),
            lower: Vec::new(),
        }
    }

    fn place(&self, atom: Atom) -> Place {
        self.solver.state.since(atom).expect("premises hold")
    }

    fn level(&self, atom: Atom) -> u32 {
        self.solver.state.level_at(self.place(atom))
    }

    fn add_fact(&mut self, atom: Atom) {
        if let Some(bounds) = bounds(atom) {
            bounds.into_iter().for_each(|bound| self.add_fact(bound));
            return;
        }
        let (atom, origin) = self.solver.fact(atom, self.place(atom));
        if self.known.insert(atom) {
            self.facts.push(Inference { premises: Vec::new(), consequent: Some(atom), origin });
        }
    }

    fn add(&mut self, atom: Atom, level: u32) {
        if let Some(bounds) = bounds(atom) {
            bounds.into_iter().for_each(|bound| self.add(bound, level));
            return;
        }
        let place = self.place(atom);
        match self.solver.state.level_at(place) {
            0 => return self.add_fact(atom),
            own if own == level => self.open.push((place, atom)),
            _ => self.lower.push(atom),
        }
        self.solver.queue.bump(atom.var);
    }

    /// The nogood of a conflict. It is empty if it did not depend on any decision.
    pub fn of(mut self, conflict: Conflict) -> Learnt {
        let (premises, origin) = self.solver.explain_conflict(&conflict);
        self.used(origin);
        let level = premises.iter().map(|&atom| self.level(atom)).max().unwrap_or(0);
        for &atom in &premises {
            self.add(atom, level);
        }
        let last = origin.map(|origin| Inference { premises, consequent: None, origin });
        if level == 0 {
            return Learnt { stage: self.stage(Vec::new(), last), level: 0, second: 0 };
        }
        let own = self.resolve(level);
        let atoms = self.nogood(own);
        let places: Vec<u32> = atoms.iter().map(|&atom| self.level(atom)).collect();
        let second = (1..atoms.len()).max_by_key(|&at| places[at]).unwrap_or(0);
        let level = if second == 0 { 0 } else { places[second] };
        Learnt { stage: self.stage(atoms, last), level, second: second as u32 }
    }

    /// Explains atoms of a level until one is left.
    fn resolve(&mut self, level: u32) -> Atom {
        while let Some((place, atom)) = self.open.pop() {
            let mut own = atom;
            while let Some(&(next, other)) = self.open.peek()
                && next == place
            {
                own = self.stronger(place, own, other);
                self.open.pop();
            }
            if self.open.is_empty() && !self.was_false(own, level) {
                return own;
            }
            let entry = self.solver.state.trail[place as usize];
            let (premises, origin) = self.solver.explain(place);
            self.used(origin);
            for &premise in &premises {
                self.add(premise, level);
            }
            if let Some(origin) = origin {
                let consequent = Some(entry.atom);
                self.resolved.push((place, Inference { premises, consequent, origin }));
            }
        }
        unreachable!("a decision is the last of its level")
    }

    /// Whether an atom could not hold any more when a level began: that it does not would be no news.
    fn was_false(&self, atom: Atom, level: u32) -> bool {
        let state = &self.solver.state;
        state.since(atom.negated()).is_some_and(|place| state.level_at(place) < level)
    }

    /// An atom from which two follow that hold since one place.
    fn stronger(&self, place: Place, one: Atom, other: Atom) -> Atom {
        if one == other {
            return one;
        }
        let var = one.var;
        match self.solver.state.trail[place as usize].atom.relation {
            // A value that is missing is one that the end has passed.
            Relation::AtLeast => {
                let least =
                    |atom: Atom| atom.value + i32::from(atom.relation == Relation::NotEqual);
                Atom::at_least(var, least(one).max(least(other)))
            }
            _ => {
                let most = |atom: Atom| atom.value - i32::from(atom.relation == Relation::NotEqual);
                Atom::at_most(var, most(one).min(most(other)))
            }
        }
    }

    fn used(&mut self, origin: Option<Origin>) {
        if let Some(Origin::Stage(stage)) = origin {
            self.solver.was_used(stage);
        }
    }

    /// The atoms of the nogood, each variable with as few as there can be, that of the conflict's level first.
    fn nogood(&mut self, own: Atom) -> Vec<Atom> {
        let mut all = std::mem::take(&mut self.lower);
        all.push(own);
        all.sort_unstable();
        all.dedup();
        let all = self.minimised(&all, own);
        let of_var = |var| {
            let begin = all.partition_point(|atom: &Atom| atom.var < var);
            let end = all.partition_point(|atom| atom.var <= var);
            &all[begin..end]
        };
        let mut atoms = Vec::with_capacity(all.len());
        let mut first = own;
        let mut at = 0;
        while at < all.len() {
            let var = all[at].var;
            let same = of_var(var);
            at += same.len();
            for atom in joined(same) {
                // What has become of the atom of the conflict's level.
                if implies(atom, own) && own.var == var {
                    first = atom;
                } else {
                    atoms.push(atom);
                }
            }
        }
        atoms.insert(0, first);
        atoms
    }

    /// The atoms without those that follow from others (N. Sörensson, A. Biere, *Minimizing learned clauses*, SAT 2009).
    fn minimised(&mut self, all: &[Atom], own: Atom) -> Vec<Atom> {
        let mut kept = Vec::with_capacity(all.len());
        for &atom in all {
            let place = self.place(atom);
            let entry = self.solver.state.trail[place as usize];
            if atom == own || entry.reason == Reason::Decision {
                kept.push(atom);
                continue;
            }
            let (premises, origin) = self.solver.explain(place);
            let halves = premises.iter().flat_map(|&premise| match bounds(premise) {
                Some(both) => both.to_vec(),
                None => vec![premise],
            });
            let halves: Vec<Atom> = halves.collect();
            let follows = |premise: &Atom| {
                let begin = all.partition_point(|other| other.var < premise.var);
                let mut same = all[begin..].iter().take_while(|other| other.var == premise.var);
                self.level(*premise) == 0
                    || same.any(|&other| {
                        // A later atom would be explained by an earlier one that rests on it.
                        implies(other, *premise) && self.place(other) < place
                    })
            };
            if !halves.iter().all(follows) {
                kept.push(atom);
                continue;
            }
            for premise in halves {
                if self.level(premise) == 0 {
                    self.add_fact(premise);
                }
            }
            if let Some(origin) = origin {
                let consequent = Some(entry.atom);
                self.resolved.push((place, Inference { premises, consequent, origin }));
            }
        }
        kept
    }

    /// The stage that an entry of the trail holds whatever is decided.
    pub fn of_entry(mut self, place: Place) -> Stage {
        let entry = self.solver.state.trail[place as usize];
        let (premises, origin) = self.solver.explain(place);
        for &atom in &premises {
            self.add_fact(atom);
        }
        let consequent = Some(entry.atom);
        let last = origin.map(|origin| Inference { premises, consequent, origin });
        self.stage(vec![entry.atom.negated()], last)
    }

    /// The stage that an atom does not hold, whatever is decided.
    pub fn of_refuted(mut self, atom: Atom) -> Stage {
        self.add_fact(atom.negated());
        self.stage(vec![atom], None)
    }

    fn stage(mut self, nogood: Vec<Atom>, last: Option<Inference>) -> Stage {
        self.resolved.sort_by_key(|&(place, _)| place);
        self.resolved.dedup_by_key(|&mut (place, _)| place);
        let mut inferences = self.facts;
        inferences.extend(self.resolved.into_iter().map(|(_, inference)| inference));
        inferences.extend(last);
        Stage { nogood, inferences }
    }
}

/// The two atoms that `==` stands for, which may hold since different places.
fn bounds(atom: Atom) -> Option<[Atom; 2]> {
    let Atom { var, relation, value } = atom;
    (relation == Relation::Equal).then(|| [Atom::at_least(var, value), Atom::at_most(var, value)])
}

/// Whether an atom follows from another one of the same variable.
fn implies(one: Atom, other: Atom) -> bool {
    if one.var != other.var {
        return false;
    }
    let (a, b) = (one.value, other.value);
    match (one.relation, other.relation) {
        (Relation::Equal, Relation::AtLeast) => a >= b,
        (Relation::Equal, Relation::AtMost) => a <= b,
        (Relation::Equal, Relation::NotEqual) => a != b,
        (Relation::AtLeast, Relation::AtLeast) => a >= b,
        (Relation::AtLeast, Relation::NotEqual) => a > b,
        (Relation::AtMost, Relation::AtMost) => a <= b,
        (Relation::AtMost, Relation::NotEqual) => a < b,
        (one, other) => one == other && a == b,
    }
}

/// Atoms of one variable, as few as say the same.
fn joined(atoms: &[Atom]) -> Vec<Atom> {
    let Some(&Atom { var, .. }) = atoms.first() else { return Vec::new() };
    let of = |relation: Relation| {
        atoms.iter().filter(move |atom| atom.relation == relation).map(|atom| atom.value)
    };
    let (lo, hi) = (of(Relation::AtLeast).max(), of(Relation::AtMost).min());
    let equal = of(Relation::Equal).next().or_else(|| lo.filter(|_| lo == hi));
    if let Some(value) = equal {
        return vec![Atom::equal(var, value)];
    }
    let inside = |value: &i32| lo.is_none_or(|lo| *value >= lo) && hi.is_none_or(|hi| *value <= hi);
    let mut all: Vec<Atom> = Vec::new();
    all.extend(lo.map(|lo| Atom::at_least(var, lo)));
    all.extend(hi.map(|hi| Atom::at_most(var, hi)));
    all.extend(of(Relation::NotEqual).filter(inside).map(|value| Atom::not_equal(var, value)));
    all
}
