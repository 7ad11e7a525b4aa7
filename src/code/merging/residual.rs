//! Calls that stay calls: *residual* calls, as in N. D. Jones, C. K. Gomard, P. Sestoft, *Partial
//! Evaluation and Automatic Program Generation* (1993), chapter 5.
//!
//! Rules choose, change the state and choose again: which man, then which of the opponent's to take;
//! a jump, then the next jump from there. Run to the end that is an answer for each combination. So
//! a call on a changed part of the state that was found to have many answers is not run but left for
//! later: the way goes on with one answer for all of them, whose outputs are [opaque](Shape::Opaque),
//! and the call is kept beside it. What is called is specialised by itself, for its input.
//!
//! # Invariants
//!
//! - A call is left only where each of its answers becomes one of the predicate that was asked: in
//!   *direct* position, not in a test, a negation or an argument, and not before a cut. A way leaves
//!   one call at most.
//! - Nothing looks at an output. A goal that does makes the run begin again, and the predicate is never
//!   left again.

use super::environment::Way;
use super::goals::{Argument, Call, Goal, Kind};
use super::{Run, calls::Answer};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use zug_machine::{Kind as PredKind, PredId};
use zug_symbolic::{Leaves, Shape, Term, limits};

/// Which predicates are called later. What was found out once holds for all runs over the rules.
#[derive(Clone, Debug)]
pub struct Residual {
    left: FxHashSet<PredId>,
    /// Those that never are: something looks at their outputs.
    run: FxHashSet<PredId>,
    many: usize,
}

impl Default for Residual {
    fn default() -> Residual {
        Residual::after(limits::CALLED_ANSWERS)
    }
}

impl Residual {
    /// Predicates are called later of whose calls there seem to come so many answers.
    pub fn after(many: usize) -> Residual {
        Residual { left: FxHashSet::default(), run: FxHashSet::default(), many }
    }

    pub fn give_up(&mut self) {
        self.run.extend(self.left.drain());
    }
}

#[derive(Default)]
pub struct Left {
    /// Which are, if any may be.
    pub residual: Option<Residual>,
    /// The run is where each answer of a call becomes one of the predicate that was asked.
    pub direct: bool,
    /// It is in a call of what is known to leave no call.
    pub sealed: bool,
    pub restart: bool,
    /// How many alternatives there are where the run is.
    pub width: usize,
    given: FxHashSet<Term>,
    /// By predicate: calls on changed parts of the state, and their answers.
    met: FxHashMap<PredId, (usize, usize)>,
    /// By predicate: whether it may leave a call.
    reaches: FxHashMap<PredId, bool>,
}

impl Left {
    pub fn begin(&mut self, run: &Run<'_>, arguments: &[Term]) {
        let mut waiting = arguments.to_vec();
        self.given.clear();
        while let Some(term) = waiting.pop() {
            if !self.given.insert(term) {
                continue;
            }
            match run.store.shape(term) {
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Struct(_, parts) => waiting.extend(parts.iter()),
                _ => {}
            }
        }
    }

    /// As [`Left::begin`], each time it begins again.
    pub fn again(&mut self) {
        (self.direct, self.sealed, self.restart) = (self.residual.is_some(), false, false);
        self.width = 1;
        self.met.clear();
        self.reaches.clear();
    }
}

impl Run<'_> {
    /// Does something whose answers do not become answers of the predicate that was asked.
    pub fn aside<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let direct = std::mem::replace(&mut self.left.direct, false);
        let found = act(self);
        self.left.direct = direct;
        found
    }

    /// Something looks at an output of a call that was left: it is not to be.
    pub fn look_at(&mut self, term: Term) {
        let (mut waiting, mut seen) = (vec![term], FxHashSet::default());
        while let Some(term) = waiting.pop() {
            if !self.store.is_opaque(term) || !seen.insert(term) {
                continue;
            }
            match self.store.shape(term) {
                Shape::Opaque(number) => {
                    let pred = self.memory.outputs[*number as usize].0;
                    if let Some(residual) = &mut self.left.residual {
                        residual.left.remove(&pred);
                        residual.run.insert(pred);
                    }
                    self.left.restart = true;
                }
                Shape::Pair(head, tail) => waiting.extend([*head, *tail]),
                Shape::Struct(_, parts) | Shape::Integer(_, parts) | Shape::Float(_, parts) => {
                    waiting.extend(parts.iter());
                }
                Shape::Choice(ways) | Shape::Present(ways) => {
                    waiting.extend(ways.iter().map(|&(_, term)| term));
                }
                _ => {}
            }
        }
    }

    fn may_stay(&self, pred: PredId) -> bool {
        let predicate = &self.machine.program.preds[pred as usize];
        predicate.space.is_users()
            && predicate.kind == PredKind::Static
            && !self.machine.program.is_tabled(pred)
    }

    /// The arguments of a call on a changed part of the state, if what is unbound are whole arguments.
    fn arguments_of(&self, arguments: &[Term]) -> Option<Vec<Argument>> {
        let (mut found, mut variables) = (Vec::with_capacity(arguments.len()), Vec::new());
        let mut changed = false;
        for &argument in arguments {
            found.push(match self.store.shape(argument) {
                Shape::Variable(variable) => {
                    if variables.contains(variable) {
                        return None;
                    }
                    variables.push(*variable);
                    Argument::Output(argument)
                }
                Shape::Boxed(_) => return None,
                _ if self.store.is_opaque(argument) => return None,
                _ if self.store.is_known(argument) => Argument::Fixed(argument),
                Shape::Pair(..) | Shape::Struct(..) if self.store.is_ground(argument) => {
                    changed |= self.store.leaves(argument) == Leaves::Several
                        && !self.left.given.contains(&argument);
                    Argument::Input(argument)
                }
                _ if self.store.is_ground(argument) => Argument::Input(argument),
                _ => return None,
            });
        }
        (changed && !variables.is_empty()).then_some(found)
    }

    /// The way that goes on with the answers of a call that is left; `None` if it is run.
    pub fn leave(&mut self, pred: PredId, arguments: &[Term], way: &Way) -> Option<Way> {
        let is_left = self.left.direct
            && !self.left.sealed
            && self.left.residual.as_ref().is_some_and(|residual| residual.left.contains(&pred))
            && way.bindings.call().is_none()
            && way.bindings.fold().is_none();
        let mut arguments = is_left.then(|| self.arguments_of(arguments)).flatten()?;
        let name = self.machine.program.preds[pred as usize].name;
        let mut way = way.clone();
        let bindings = Rc::make_mut(&mut way.bindings);
        let mut outputs = 0;
        for argument in &mut arguments {
            let Argument::Output(term) = argument else { continue };
            let &Shape::Variable(variable) = self.store.shape(*term) else { continue };
            let output = (pred, outputs);
            let known = self.memory.outputs.iter().position(|&known| known == output);
            let number = known.unwrap_or_else(|| {
                self.memory.outputs.push(output);
                self.memory.outputs.len() - 1
            });
            *term = self.store.opaque(number as u32);
            bindings.bind(variable, *term);
            outputs += 1;
        }
        bindings.leave(Arc::new(Call { pred, name, arguments: arguments.into() }));
        Some(way)
    }

    /// A call was run in direct position: with many answers of such calls, they are left.
    pub fn met(&mut self, pred: PredId, arguments: &[Term], answers: &[Answer]) {
        let Some(residual) = &self.left.residual else { return };
        let many = residual.many;
        let is_open = self.left.direct && !residual.run.contains(&pred) && self.may_stay(pred);
        if !is_open || self.arguments_of(arguments).is_none() {
            return;
        }
        let is_recursive = self.running.contains(&pred);
        let many_calls = limits::RECURSIONS.min(many);
        let (calls, all) = self.left.met.entry(pred).or_default();
        *calls += 1;
        *all += answers.len();
        let seems = answers.len().saturating_mul(self.left.width);
        // Half of them go on in two ways at least, or as many in more.
        let is_branching = is_recursive && *calls >= many_calls && 2 * *all >= 3 * *calls;
        if seems.max(*all) >= many && *all >= limits::BRANCHES * *calls || is_branching {
            if let Some(residual) = &mut self.left.residual {
                residual.left.insert(pred);
            }
            self.left.restart = true;
        }
    }

    /// Whether running a predicate may leave a call, as far as the goals of clauses say.
    pub fn may_leave(&mut self, pred: PredId) -> bool {
        let Some(residual) = &self.left.residual else { return false };
        if residual.left.is_empty() {
            return false;
        }
        if let Some(&known) = self.left.reaches.get(&pred) {
            return known;
        }
        let left = residual.left.clone();
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![pred]);
        let mut reaches = false;
        while let Some(next) = waiting.pop() {
            if !seen.insert(next) {
                continue;
            }
            if left.contains(&next) {
                reaches = true;
                break;
            }
            if !self.machine.program.preds[next as usize].space.is_users() {
                continue;
            }
            self.store.spend(1);
            let clauses = self.clauses_of(next);
            for clause in clauses.iter().flat_map(|clauses| clauses.iter()) {
                self.called_in(&clause.body, &mut waiting);
            }
        }
        self.left.reaches.insert(pred, reaches);
        reaches
    }

    fn called_in(&self, goal: &Goal, called: &mut Vec<PredId>) {
        match &goal.kind {
            Kind::And(goals) => goals.iter().for_each(|one| self.called_in(&one.goal, called)),
            Kind::Or(one, other) | Kind::If(_, [_, one, other]) => {
                [one, other].into_iter().for_each(|goal| self.called_in(goal, called));
            }
            Kind::Call(name, space, arguments) => {
                let program = &self.machine.program;
                called.extend(super::calls::called(program, *name, arguments.len(), *space));
            }
            _ => {}
        }
    }
}

/// What an opaque term stands for: the output of a predicate with this number.
pub type Output = (PredId, u32);
