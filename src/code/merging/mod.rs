//! The merging run: goals to guarded answers.
//!
//! Rules run once with a symbol in each leaf. Where ways part they are merged again as soon as they
//! differ in values alone, so work and result are polynomial where following each way for itself is
//! exponential (E. Torlak, R. Bodik, PLDI 2014; K. Sen, G. Necula, L. Gong, W. Choi, *MultiSE*, FSE
//! 2015). Calls are run apart from their path and kept by what they depend on.
//!
//! # Invariants
//!
//! - Answers are in the machine's order; those that overlap are never merged across one between them.
//! - Where the run can't go on, the states that reach that point *deoptimise*: the machine handles
//!   them. A call that is run without its path deoptimises under a condition, too.

mod arithmetic;
mod builtins;
mod calls;
mod concrete;
mod environment;
mod fold;
mod functions;
#[cfg(test)]
mod generated;
mod goals;
mod operations;
mod order;
mod places;
mod present;
mod residual;
mod site;
mod solve;
mod spread;
mod structures;
#[cfg(test)]
mod tests;
mod ways;

pub use arithmetic::numbers_answered;
pub use builtins::OPERATIONS;
pub use calls::called;
pub use calls::{Answer, Outcome};
pub use concrete::{in_heap as in_heap_with, known_in_heap as in_heap};
pub use environment::CALLERS;
pub use fold::{Fold, Folding};
use goals::Clause;
pub use goals::{Argument, Around, Call, Goal, Goals, Kind, Reader, variables as variables_in};
pub use residual::Residual;
use rustc_hash::FxHashMap;
pub use site::Site;
use std::sync::Arc;
use zug_machine::{Machine, PredId, Space};
use zug_prolog::builtins::World;
pub use zug_symbolic::UNBOUND;
use zug_symbolic::{Condition, Leaf, Store, Term, limits};
use zug_term::symbol::Atom;

/// What a run has found out, for another one over the same states and rules.
#[derive(Default)]
pub struct Memory {
    goals: Goals,
    clauses: FxHashMap<PredId, Arc<[Clause]>>,
    /// By call: what it came to, nothing while it runs.
    outcomes: FxHashMap<calls::Key, Option<Arc<Outcome>>>,
    callees: FxHashMap<(Atom, usize, Space), Option<calls::Callee>>,
    /// By the number of an opaque term: what it stands for.
    outputs: Vec<residual::Output>,
    builtins: builtins::Table,
    /// Ways that were run as one.
    pub folds: Vec<Fold>,
    /// The parameters of ways by their conditions and values.
    parameters: FxHashMap<fold::Folded, Leaf>,
    /// How often ways were folded.
    sites: u32,
    /// By goal and number of ways that are folded before it: the work that this spares.
    folded: FxHashMap<(usize, usize), u64>,
    /// Why states deoptimise, and the places of the rules, in the order in which it was found out.
    pub reasons: Vec<(String, Site)>,
}

impl Memory {
    pub fn forget_left(&mut self) {
        self.outcomes.retain(|key, _| !key.leaves);
    }

    /// Work that running the folded ways one by one would take, as it seems.
    pub fn spared(&self) -> u64 {
        self.folded.values().sum()
    }

    pub fn forget_folded(&mut self) {
        if !self.folds.is_empty() {
            self.forget_left();
        }
    }
}

/// A merging run over the rules of a machine.
pub struct Run<'m> {
    machine: &'m mut Machine,
    world: &'m mut World,
    pub store: Store,
    memory: Memory,
    pub left: residual::Left,
    /// When ways are run as one, if they may be.
    pub folding: Option<Folding>,
    /// The predicates of the calls that run.
    running: Vec<PredId>,
    /// The states that deoptimise by what was run since the call began.
    deopt: Condition,
    site: Site,
    depth: u32,
    asked: Option<PredId>,
    /// What is computed may have no value in some states, which deoptimise then.
    partial: bool,
    /// How often a call went on in several ways that are to be one again where it ends.
    splits: u64,
    pub steps: u64,
}

impl<'m> Run<'m> {
    /// A run that begins with what others, with the same store, have found out.
    pub fn new(m: &'m mut Machine, w: &'m mut World, store: Store, mut memory: Memory) -> Run<'m> {
        memory.builtins.fill(&mut m.symbols);
        Run {
            machine: m,
            world: w,
            store,
            memory,
            left: residual::Left::default(),
            folding: None,
            running: Vec::new(),
            deopt: Condition::NEVER,
            site: Site::default(),
            depth: 0,
            asked: None,
            partial: false,
            splits: 0,
            steps: 0,
        }
    }

    pub fn finished(self) -> (Store, Memory) {
        (self.store, self.memory)
    }

    /// The answers of a predicate, with the values of the arguments' variables in order; `None` if interrupted.
    pub fn answers(&mut self, pred: PredId, arguments: &[Term]) -> Option<Arc<Outcome>> {
        self.asked = Some(pred);
        let mut left = std::mem::take(&mut self.left);
        left.begin(self, arguments);
        self.left = left;
        loop {
            self.left.again();
            // Once for the whole run: it would be given and taken at every call otherwise.
            let outcome = stacker::grow(limits::STACK_MORE, || {
                self.outcome(pred, arguments.into(), Condition::ALWAYS, false)
            });
            if !self.left.restart || self.store.is_spent() {
                return (!self.stopped()).then_some(outcome);
            }
            self.memory.forget_left();
        }
    }

    fn stopped(&self) -> bool {
        self.store.is_spent() || self.left.restart
    }

    fn deoptimise(&mut self, condition: Condition, why: &str) {
        if condition != Condition::NEVER && !self.stopped() {
            self.deopt = self.store.or([self.deopt, condition]);
            if !self.memory.reasons.iter().any(|(known, _)| known == why) {
                self.memory.reasons.push((why.to_owned(), self.site));
            }
        }
    }
}
