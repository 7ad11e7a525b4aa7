//! Lazy clause generation: search by propagation, decisions, and nogoods that are learnt from conflicts, each of which is
//! a stage of a proof.
//!
//! O. Ohrimenko, P. J. Stuckey, M. Codish, *Propagation via lazy clause generation* (Constraints 14, 2009); T. Feydy,
//! P. J. Stuckey, *Lazy clause generation reengineered* (CP 2009). Atoms have no variables of their own: whether one
//! holds, and since when, is looked up on the trail.

use crate::analysis::Analysis;
use crate::atom::{Atom, Relation, VarId};
use crate::model::Model;
use crate::proof::{Conclusion, Proof};
use crate::propagate::propagate;
use crate::solver::{Solver, Stats};
use crate::state::{Conflict, Place, Reason};
use std::collections::VecDeque;

/// Conflicts between the first restarts.
const RESTART: u64 = 128;
/// Nogoods that are kept at first.
const KEPT: usize = 4_000;
/// Values of a variable above which a decision halves them.
const HALVED: i64 = 16;

/// The outcome of a search.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// There is no solution, or none that meets the assumption.
    Proved(Proof),
    /// Values of all variables that meet all constraints, and the assumption.
    Solution(Vec<i32>),
}

/// Searches a model until there is a solution, or a proof that there is none. With an assumption, which is a bound of a
/// variable, the proof is that its contrary holds in all solutions. `step` is called for each propagation and may unwind.
///
/// # Panics
/// The assumption is no bound: `==` and `!=` may be two decisions, or none, where one is made of it.
///
/// ```
/// use zug_proof::{Constraint, Model, Outcome, Values, Variable, VarId, solve};
/// let mut model = Model::default();
/// for name in ["x", "y", "z"] {
///     let values = Values::interval(1, 2);
///     model.variables.push(Variable { name: name.to_owned(), values, note: None });
/// }
/// let all = vec![VarId(0), VarId(1), VarId(2)];
/// model.constraints.push((Vec::new(), Constraint::AllDifferent(all)));
/// let (Outcome::Proved(proof), _) = solve(&model, None, &mut || {}) else { unreachable!("no solution") };
/// let mut text = Vec::new();
/// proof.write(&model, &mut text)?;
/// assert!(String::from_utf8_lossy(&text).ends_with("c UNSAT\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn solve(model: &Model, assumption: Option<Atom>, step: &mut dyn FnMut()) -> (Outcome, Stats) {
    let is_bound = |atom: Atom| matches!(atom.relation, Relation::AtLeast | Relation::AtMost);
    assert!(assumption.is_none_or(is_bound), "an assumption is a bound");
    let mut solver = Solver::new(model, assumption);
    let outcome = solver.search(step);
    (outcome, solver.stats)
}

struct Done(Conclusion);

impl Solver<'_> {
    /// Propagates until nothing is new.
    fn propagate(&mut self, step: &mut dyn FnMut()) -> Result<(), Conflict> {
        loop {
            while self.told < self.state.trail.len() {
                step();
                let var = self.state.trail[self.told].atom.var;
                self.told += 1;
                for at in 0..self.of_var[var.at()].len() {
                    self.wake(self.of_var[var.at()][at]);
                }
                self.nogoods.propagate(&mut self.state, var)?;
            }
            let Some(number) = self.waiting.iter_mut().find_map(VecDeque::pop_front) else {
                return Ok(());
            };
            step();
            self.is_waiting[number as usize] = false;
            let constraint = &self.model.constraints[number as usize].1;
            propagate(&mut self.state, constraint, number)?;
        }
    }

    fn search(&mut self, step: &mut dyn FnMut()) -> Outcome {
        let (mut restarts, mut until, mut most) = (1, RESTART, KEPT);
        loop {
            if let Err(conflict) = self.propagate(step) {
                self.stats.conflicts += 1;
                if let Err(Done(conclusion)) = self.learn(conflict) {
                    return self.proved(conclusion);
                }
                continue;
            }
            if self.state.level() == 0 {
                self.prove_roots();
            }
            if self.stats.conflicts >= until && self.state.level() > 0 {
                restarts += 1;
                until = self.stats.conflicts + RESTART * luby(restarts);
                self.back_to(0);
                if self.nogoods.len() > most {
                    self.nogoods.drop_half(&self.state);
                    most += KEPT / 4;
                }
                continue;
            }
            if self.state.level() == 0
                && let Some(atom) = self.assumption
            {
                if self.state.is_false(atom) {
                    return self.refuted(atom);
                }
                if !self.state.holds(atom) {
                    self.decide(atom);
                    continue;
                }
            }
            let state = &self.state;
            match self.queue.next(|var| !state.is_fixed(var)) {
                Some(var) => {
                    let atom = self.decision(var);
                    self.decide(atom);
                }
                None => {
                    let vars = (0..self.state.len() as u32).map(VarId);
                    let values: Vec<i32> = vars.map(|var| self.state.lo(var)).collect();
                    assert!(self.model.is_solution(&values), "all that was propagated holds");
                    return Outcome::Solution(values);
                }
            }
        }
    }

    fn decision(&self, var: VarId) -> Atom {
        let (lo, hi) = (self.state.lo(var), self.state.hi(var));
        let width = i64::from(hi) - i64::from(lo);
        if (lo, hi) == (0, 1) {
            return Atom::at_least(var, 1);
        }
        if width >= HALVED {
            return Atom::at_most(var, (i64::from(lo) + width / 2) as i32);
        }
        Atom::at_most(var, lo)
    }

    fn decide(&mut self, atom: Atom) {
        self.stats.decisions += 1;
        self.state.levels.push(self.state.trail.len());
        let made = self.state.make(atom, Reason::Decision);
        debug_assert!(matches!(made, Ok(true)), "it was open");
    }

    fn back_to(&mut self, level: u32) {
        let queue = &mut self.queue;
        self.state.back_to(level, |var| queue.insert(var));
        self.told = self.told.min(self.state.trail.len());
        for waiting in &mut self.waiting {
            for number in waiting.drain(..) {
                self.is_waiting[number as usize] = false;
            }
        }
    }

    /// Learns from a conflict, and goes back to where what was learnt says something.
    fn learn(&mut self, conflict: Conflict) -> Result<(), Done> {
        if self.state.level() == 0 {
            self.prove_roots();
        }
        let learnt = Analysis::new(self).of(conflict);
        self.queue.decay();
        self.nogoods.decay();
        let number = self.stages.len() as u32;
        self.nogood_of.insert(number, self.nogoods.next());
        let atoms: Box<[Atom]> = learnt.stage.nogood.clone().into();
        self.stages.push(learnt.stage);
        let Some(&last) = atoms.first() else { return Err(Done(Conclusion::Unsatisfiable)) };
        // All that waits was woken by what is taken back now: nothing is decided before nothing waits.
        self.back_to(learnt.level);
        let nogood = self.nogoods.learn(atoms, number, learnt.second);
        match self.state.make(last.negated(), Reason::Nogood(nogood, 0)) {
            Ok(_) => Ok(()),
            Err(conflict) => self.learn(conflict),
        }
    }

    /// A proof stage for each entry of the trail that was reached without a decision.
    fn prove_roots(&mut self) {
        while self.roots.len() < self.state.trail.len() {
            let place = self.roots.len();
            if self.state.trail[place].level > 0 {
                break;
            }
            let stage = match self.unit_of(place) {
                Some(stage) => stage,
                None => {
                    let stage = Analysis::new(self).of_entry(place as Place);
                    self.stages.push(stage);
                    self.stages.len() as u32 - 1
                }
            };
            self.roots.push(stage);
        }
    }

    /// The stage that says what an entry does already.
    fn unit_of(&self, place: usize) -> Option<u32> {
        let entry = self.state.trail[place];
        let Reason::Nogood(number, _) = entry.reason else { return None };
        let nogood = self.nogoods.get(number);
        (*nogood.atoms == [entry.atom.negated()]).then_some(nogood.stage)
    }

    /// The assumption does not hold, whatever is decided.
    fn refuted(&mut self, atom: Atom) -> Outcome {
        let stage = Analysis::new(self).of_refuted(atom);
        self.stages.push(stage);
        self.proved(Conclusion::Bound(atom.negated()))
    }

    fn proved(&mut self, conclusion: Conclusion) -> Outcome {
        let stages = std::mem::take(&mut self.stages);
        let mut proof = Proof { stages, conclusion };
        proof.trim();
        Outcome::Proved(proof)
    }
}

/// The sequence 1 1 2 1 1 2 4 … from its first number on (M. Luby, A. Sinclair, D. Zuckerman 1993).
fn luby(at: u64) -> u64 {
    let mut at = at;
    loop {
        let bits = 64 - at.leading_zeros();
        if at == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        at -= (1 << (bits - 1)) - 1;
    }
}
