//! Landmark cuts: sets of moves of which every plan has one, charged one after the other (LM-cut).
//!
//! Source: M. Helmert, C. Domshlak, *Landmarks, Critical Paths and Abstractions: What's the Difference Anyway?*, ICAPS
//! 2009.

use super::super::operators::Value;
use super::exploration::{Exploration, Max, UNREACHED};
use super::{NONE, Proposition, Relaxation, RuleId};

/// Buffers for landmark cuts.
#[derive(Default)]
pub(super) struct LandmarkCut {
    /// The costs that remain, by grounded move.
    costs: Vec<u32>,
    /// By proposition, in which zone it is.
    zones: Vec<Zone>,
    waiting: Vec<Proposition>,
    /// The rules of a cut, each of another grounded move.
    cut: Vec<RuleId>,
    /// By proposition, the rules with it as their head.
    heads: Vec<Vec<RuleId>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Zone {
    Unknown,
    /// The goal costs nothing from here.
    Goal,
    /// It is reached from the state without a move into the goal zone.
    Before,
}

impl LandmarkCut {
    pub fn new(of: &Relaxation) -> LandmarkCut {
        let mut heads = vec![Vec::new(); of.propositions as usize];
        for (number, rule) in of.rules.iter().enumerate() {
            heads[rule.head as usize].push(number as RuleId);
        }
        LandmarkCut { heads, ..LandmarkCut::default() }
    }

    /// The sum of the cheapest moves of cuts; `None` if there is no plan.
    pub fn estimate(
        &mut self,
        of: &Relaxation,
        explored: &mut Exploration,
        state: &[Value],
    ) -> Option<u32> {
        self.costs.clone_from(&of.costs);
        explored.explore::<Max>(of, state, (&self.costs, true, true));
        let mut sum: u32 = 0;
        loop {
            match explored.costs[of.goal as usize] {
                UNREACHED => return None,
                0 => return Some(sum),
                _ => {}
            }
            self.find(of, explored, state);
            let by = |&rule: &RuleId| of.rules[rule as usize].operator as usize;
            let cheapest = self.cut.iter().map(|rule| self.costs[by(rule)]).min()?;
            sum = sum.saturating_add(cheapest);
            self.cut.iter().for_each(|rule| self.costs[by(rule)] -= cheapest);
            explored.go_on(of, &self.costs, &self.cut);
        }
    }

    /// Finds the moves from before the goal zone into it, in the justification graph: from the
    /// supporter of each rule to its head.
    fn find(&mut self, of: &Relaxation, explored: &Exploration, state: &[Value]) {
        self.zones.clear();
        self.zones.resize(of.propositions as usize, Zone::Unknown);
        self.cut.clear();
        self.zones[of.goal as usize] = Zone::Goal;
        self.waiting.clear();
        self.waiting.push(of.goal);
        while let Some(head) = self.waiting.pop() {
            for &rule in &self.heads[head as usize] {
                let of_move = of.rules[rule as usize].operator;
                let is_free = of_move == NONE || self.costs[of_move as usize] == 0;
                if !is_free || explored.open[rule as usize] > 0 {
                    continue;
                }
                let dearest = explored.last[rule as usize];
                if self.zones[dearest as usize] == Zone::Unknown {
                    self.zones[dearest as usize] = Zone::Goal;
                    self.waiting.push(dearest);
                }
            }
        }
        for fact in of.reached_in(state) {
            if self.zones[fact as usize] == Zone::Unknown {
                self.zones[fact as usize] = Zone::Before;
                self.waiting.push(fact);
            }
        }
        while let Some(reached) = self.waiting.pop() {
            for &rule in of.uses(reached) {
                if explored.open[rule as usize] > 0 || explored.last[rule as usize] != reached {
                    continue;
                }
                let head = of.rules[rule as usize].head;
                match self.zones[head as usize] {
                    Zone::Goal => self.cut.push(rule),
                    Zone::Before => {}
                    Zone::Unknown => {
                        self.zones[head as usize] = Zone::Before;
                        self.waiting.push(head);
                    }
                }
            }
        }
    }
}
