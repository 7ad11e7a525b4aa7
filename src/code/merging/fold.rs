//! Folding: ways that differ in constants alone, run as one with a parameter in the place of these.
//!
//! Rules choose a move and then make it: run for each move by itself, what makes it is unrolled as often as there are
//! moves. Where that would take more work than there may be, all ways are run at once instead: a variable that differs
//! is a choice by a [parameter](zug_symbolic::Store::parameter), the number of the way. What is left behind is one
//! residual function with a parameter, run for the number of a move (N. D. Jones, C. K. Gomard, P. Sestoft, *Partial
//! Evaluation and Automatic Program Generation*, 1993, chapter 4; generalisation to the common structure of terms, as in
//! M. H. Sørensen, R. Glück, *An Algorithm of Generalization in Positive Supercompilation*, ILPS 1995).
//!
//! # Invariants
//!
//! - Ways are folded only in *direct* position, where each answer becomes one of the predicate that was asked, and not
//!   before a cut. A way is of one fold at most.
//! - The ways of a fold, and those of other folds of the same site, keep their order by [`Fold::places`].

use super::environment::{Environment, Way};
use super::goals::{Goal, joined};
use super::{Run, solve::Solved};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use zug_machine::PredId;
use zug_symbolic::{Condition, Leaf, Shape, Term, Variable, limits};

/// Ways that were run as one.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The number of the way that is meant.
    pub parameter: Leaf,
    /// By way: its condition, without what all have in common.
    pub guards: Arc<[Condition]>,
    /// By way: its place among all that were to go on with the same goal.
    pub places: Arc<[u32]>,
    /// The same for all folds of those ways, whose places are in one order.
    pub site: u32,
}

/// When ways are run as one.
#[derive(Clone, Copy, Debug)]
pub struct Folding {
    /// Units of work that running them one by one would take at least; 0 folds all.
    pub least: u64,
    /// Ways that are run one by one to find that out.
    pub sample: usize,
}

impl Default for Folding {
    fn default() -> Folding {
        Folding { least: 100_000, sample: 4 }
    }
}

/// Which ways before a goal are meant: goals are kept as long as what is found out of them.
fn place(goal: &Arc<Goal>, ways: &[Way]) -> (usize, usize) {
    (Arc::as_ptr(goal).addr(), ways.len())
}

/// Ways that are folded: their conditions, and their values by variable.
pub(super) type Folded = (Box<[Condition]>, Box<[Term]>);

/// The structure of terms, but for scalars.
type Skeleton = Vec<u64>;

impl Run<'_> {
    /// Whether ways may be folded in a call of a predicate that is made now.
    pub fn may_fold(&self, pred: PredId) -> bool {
        self.folding.is_some() && self.machine.program.preds[pred as usize].space.is_users()
    }

    /// How many ways are run before it is decided whether to fold them, if they may be.
    pub fn sample_before(&self, goal: &Arc<Goal>, ways: &[Way]) -> Option<usize> {
        let sample = self.folding?.sample;
        let is_free = |way: &Way| way.bindings.call().is_none() && way.bindings.fold().is_none();
        let may = ways.len() >= sample + limits::FEWEST_FOLDED
            && self.left.direct
            && !self.left.sealed
            && !goal.cuts
            && ways.iter().all(is_free);
        let is_known = self.memory.folded.contains_key(&place(goal, ways));
        may.then_some(if is_known { 0 } else { sample })
    }

    /// Whether to fold ways before a goal, by the work that a sample of them took. What was decided once stays so: a
    /// sample that is run again takes no work.
    pub fn is_to_fold(&mut self, goal: &Arc<Goal>, ways: &[Way], work: u64) -> bool {
        let Some(folding) = self.folding else { return false };
        let each = work / folding.sample.max(1) as u64;
        let rest = each.saturating_mul((ways.len() - folding.sample) as u64);
        let place = place(goal, ways);
        let folds = self.memory.folded.contains_key(&place)
            || folding.least == 0
            || rest >= folding.least.max(self.store.left());
        if folds {
            self.memory.folded.entry(place).or_insert(rest);
        }
        folds
    }

    /// The answers of a goal on ways that are folded; `None` if they can't be.
    pub fn on_folded(&mut self, goal: &Goal, ways: &[Way], live: &[Variable]) -> Option<Solved> {
        let folded = self.folded(ways, &joined(live, &goal.variables))?;
        let mut solved = Solved::answers(Vec::new());
        for way in folded {
            solved.ways.extend(self.solve(goal, way, live).ways);
        }
        Some(solved)
    }

    fn folded(&mut self, ways: &[Way], live: &[Variable]) -> Option<Vec<Way>> {
        let mut groups: Vec<Vec<(usize, Vec<Term>)>> = Vec::new();
        let mut numbers: FxHashMap<Skeleton, usize> = FxHashMap::default();
        for (place, way) in ways.iter().enumerate() {
            let mut values = Vec::with_capacity(live.len());
            for &variable in live {
                let term = self.store.variable(variable);
                let value = way.bindings.resolve(&mut self.store, term);
                values.push(self.store.narrowed(value, way.condition));
            }
            let skeleton = self.skeleton(&values);
            let number = *numbers.entry(skeleton).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[number].push((place, values));
        }
        if groups.len() * limits::FEWEST_FOLDED > ways.len() || self.stopped() {
            return None;
        }
        let fresh = ways.iter().fold(Environment::default(), |all, way| all.cleared(&way.bindings));
        let site = self.memory.sites;
        self.memory.sites += 1;
        let mut folded = Vec::with_capacity(groups.len());
        for group in groups {
            let conditions: Vec<Condition> =
                group.iter().map(|&(place, _)| ways[place].condition).collect();
            let columns: Vec<Vec<Term>> = (0..live.len())
                .map(|nth| group.iter().map(|(_, values)| values[nth]).collect())
                .collect();
            let shared = self.store.shared(&conditions);
            let key: Folded = (conditions.clone().into(), columns.concat().into());
            let parameter = match self.memory.parameters.get(&key) {
                Some(&known) => known,
                None => {
                    let parameter = self.store.parameter(group.len());
                    self.memory.parameters.insert(key, parameter);
                    parameter
                }
            };
            let mut bindings = fresh.clone();
            for (&variable, column) in live.iter().zip(&columns) {
                let value = self.store.by_parameter(parameter, column)?;
                if value != self.store.variable(variable) {
                    bindings.bind(variable, value);
                }
            }
            let mut guards = Vec::with_capacity(conditions.len());
            for condition in conditions {
                guards.push(self.store.without(condition, &shared));
            }
            let places = group.iter().map(|&(place, _)| place as u32).collect();
            bindings.set_fold(Some(self.memory.folds.len() as u32));
            self.memory.folds.push(Fold { parameter, guards: guards.into(), places, site });
            let condition = self.store.and(shared);
            folded.push(Way { condition, bindings: Rc::new(bindings) });
        }
        Some(folded)
    }

    /// A fold of a call, where the answers of that are used: each use is a place of its own. `sites` has those known.
    pub fn fold_here(&mut self, fold: u32, sites: &mut FxHashMap<u32, u32>) -> u32 {
        let of = self.memory.folds[fold as usize].clone();
        let site = *sites.entry(of.site).or_insert_with(|| {
            self.memory.sites += 1;
            self.memory.sites - 1
        });
        self.memory.folds.push(Fold { site, ..of });
        self.memory.folds.len() as u32 - 1
    }

    /// What ways must have in common to be folded: the structure of their values, and all that is no scalar in it.
    fn skeleton(&mut self, values: &[Term]) -> Skeleton {
        const SCALAR: u64 = 0;
        let (mut waiting, mut letters) = (values.to_vec(), Vec::new());
        while let Some(term) = waiting.pop() {
            let same = |term: Term| u64::from(term.number()) << 2 | 1;
            let letter = match self.store.shape(term) {
                Shape::Pair(head, tail) => {
                    waiting.extend([*head, *tail]);
                    2
                }
                Shape::Struct(header, parts) => {
                    waiting.extend(parts.iter());
                    letters.push(3);
                    header.0
                }
                Shape::Choice(ways) => {
                    let is_scalar = |term: Term| {
                        matches!(
                            self.store.shape(term),
                            Shape::Constant(_) | Shape::Leaf(_) | Shape::Integer(..)
                        )
                    };
                    match ways.iter().all(|&(_, way)| is_scalar(way)) {
                        true => SCALAR,
                        false => same(term),
                    }
                }
                Shape::Constant(_) | Shape::Leaf(_) | Shape::Integer(..) => SCALAR,
                _ => same(term),
            };
            letters.push(letter);
        }
        self.store.spend(1 + letters.len() / 4);
        letters
    }
}
