//! Relaxed plans: the moves by which the goal is reached where values stay (h-FF).
//!
//! Source: J. Hoffmann, B. Nebel, *The FF Planning System*, JAIR 14, 2001, with the cheapest derivations of h-add as in
//! E. Keyder, H. Geffner, *Heuristics for Planning with Action Costs Revisited*, ECAI 2008.

use super::exploration::Exploration;
use super::{NONE, Proposition, Relaxation, RuleId};

/// A relaxed plan, with buffers for finding it.
#[derive(Default)]
pub(super) struct RelaxedPlan {
    /// The grounded moves.
    pub operators: Vec<u32>,
    waiting: Vec<Proposition>,
    /// By proposition, the number of the last plan that it was met in,
    met: Vec<u32>,
    /// and of the last one that reaches it by a move that can be made at once.
    wanted: Vec<u32>,
    number: u32,
}

impl RelaxedPlan {
    /// The plan by which a goal is reached that an exploration has reached.
    pub fn find(&mut self, of: &Relaxation, explored: &Exploration) {
        self.operators.clear();
        self.met.resize(of.propositions as usize, 0);
        self.wanted.resize(of.propositions as usize, 0);
        self.number += 1;
        self.waiting.clear();
        self.waiting.push(of.goal);
        while let Some(reached) = self.waiting.pop() {
            if std::mem::replace(&mut self.met[reached as usize], self.number) == self.number {
                continue;
            }
            let by = explored.by[reached as usize];
            if by == NONE {
                continue;
            }
            let rule = &of.rules[by as usize];
            if rule.operator != NONE {
                self.operators.push(rule.operator);
            }
            let is_move_at_once = |by: RuleId| {
                by != NONE
                    && of.rules[by as usize].operator != NONE
                    && explored.bodies[by as usize] == 0
            };
            let at_once = |&part: &Proposition| is_move_at_once(explored.by[part as usize]);
            if is_move_at_once(by) || of.body(by).iter().any(at_once) {
                self.wanted[reached as usize] = self.number;
            }
            self.waiting.extend(of.body(by));
        }
    }

    /// Whether a fact is one that the plan reaches by its first moves.
    pub fn wants(&self, fact: Proposition) -> bool {
        self.wanted.get(fact as usize) == Some(&self.number)
    }
}
