//! The state of a search, and what explains an entry of its trail or a conflict.

use crate::atom::Atom;
use crate::model::{Constraint, Model};
use crate::nogoods::Nogoods;
use crate::proof::{Origin, Stage};
use crate::propagate::explain_sum;
use crate::queue::Queue;
use crate::state::{Conflict, INITIAL, Place, Reason, State};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Numbers of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Decisions.
    pub decisions: u64,
    /// Conflicts.
    pub conflicts: u64,
}

pub(crate) struct Solver<'m> {
    pub model: &'m Model,
    pub assumption: Option<Atom>,
    pub state: State,
    pub nogoods: Nogoods,
    pub stages: Vec<Stage>,
    /// The stage of each entry of the trail that was reached without a decision, from the first on.
    pub roots: Vec<u32>,
    pub of_var: Vec<Vec<u32>>,
    /// Constraints to be propagated: sums, tasks, different values.
    pub waiting: [VecDeque<u32>; 3],
    pub is_waiting: Vec<bool>,
    /// Entries of the trail before this one have been propagated.
    pub told: usize,
    pub queue: Queue,
    /// By stage: the nogood that it proves.
    pub nogood_of: FxHashMap<u32, u32>,
    pub stats: Stats,
}

impl<'m> Solver<'m> {
    pub fn new(model: &'m Model, assumption: Option<Atom>) -> Self {
        let count = model.variables.len();
        let mut of_var = vec![Vec::new(); count];
        for (number, (_, constraint)) in model.constraints.iter().enumerate() {
            for var in constraint.variables() {
                of_var[var.at()].push(number as u32);
            }
        }
        let mut solver = Solver {
            model,
            assumption,
            state: State::of(model),
            nogoods: Nogoods::new(count),
            stages: Vec::new(),
            roots: Vec::new(),
            of_var,
            waiting: Default::default(),
            is_waiting: vec![false; model.constraints.len()],
            told: 0,
            queue: Queue::new(count),
            nogood_of: FxHashMap::default(),
            stats: Stats::default(),
        };
        for number in 0..model.constraints.len() as u32 {
            solver.wake(number);
        }
        solver
    }

    pub fn wake(&mut self, number: u32) {
        if std::mem::replace(&mut self.is_waiting[number as usize], true) {
            return;
        }
        let kind = match self.model.constraints[number as usize].1 {
            Constraint::AtMost(..) => 0,
            Constraint::Cumulative(..) => 1,
            Constraint::AllDifferent(_) => 2,
        };
        self.waiting[kind].push_back(number);
    }

    /// Raises the activity of the nogood that a stage proves.
    pub fn was_used(&mut self, stage: u32) {
        if let Some(&nogood) = self.nogood_of.get(&stage) {
            self.nogoods.bump(nogood);
        }
    }

    /// What an entry of the trail follows from, and by what; nothing for one that needs no inference.
    pub fn explain(&self, place: Place) -> (Vec<Atom>, Option<Origin>) {
        let entry = self.state.trail[place as usize];
        match entry.reason {
            Reason::Decision => (Vec::new(), None),
            Reason::Hole => {
                let Atom { var, value, .. } = entry.atom.negated();
                (vec![Atom { value, ..entry.atom }, Atom::not_equal(var, value)], None)
            }
            Reason::Sum(number) => {
                let Constraint::AtMost(terms, bound) = &self.model.constraints[number as usize].1
                else {
                    return (Vec::new(), None);
                };
                let premises = explain_sum(&self.state, terms, *bound, entry.atom, place);
                (premises, Some(Origin::Constraint(number)))
            }
            Reason::Nogood(number, which) => {
                let nogood = self.nogoods.get(number);
                let others = nogood.atoms.iter().enumerate();
                let others = others.filter(|&(at, _)| at != which as usize);
                let premises = others.map(|(_, &atom)| atom).collect();
                (premises, Some(Origin::Stage(nogood.stage)))
            }
            Reason::Told(number) => {
                let told = self.state.told(number);
                (told.premises.to_vec(), Some(Origin::Constraint(told.constraint)))
            }
        }
    }

    /// What holds and can't in a conflict, and by what; nothing where a variable has no value.
    pub fn explain_conflict(&self, conflict: &Conflict) -> (Vec<Atom>, Option<Origin>) {
        match conflict {
            Conflict::Empty(var) => {
                let hi = self.state.hi(*var);
                (vec![Atom::at_least(*var, hi + 1), Atom::at_most(*var, hi)], None)
            }
            Conflict::Constraint(premises, number) => {
                (premises.clone(), Some(Origin::Constraint(*number)))
            }
            Conflict::Nogood(number) => {
                let nogood = self.nogoods.get(*number);
                (nogood.atoms.to_vec(), Some(Origin::Stage(nogood.stage)))
            }
        }
    }

    /// The atom that says what one does which holds whatever is decided, and what it comes from.
    pub fn fact(&self, atom: Atom, place: Place) -> (Atom, Origin) {
        if place == INITIAL {
            return (atom, Origin::Initial);
        }
        (self.state.trail[place as usize].atom, Origin::Stage(self.roots[place as usize]))
    }
}
