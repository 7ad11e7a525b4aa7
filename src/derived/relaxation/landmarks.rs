//! Fact landmarks: facts that every plan makes true at some time, and how many a path has still to reach.
//!
//! Labels say which facts are reached before a proposition, whatever rules are used (L. Zhu, R. Givan, *Landmark extraction
//! via planning graph propagation*, 2003; E. Keyder, S. Richter, M. Helmert, *Sound and complete landmarks for and/or
//! graphs*, ECAI 2010). Which landmarks count depends on the path, as in S. Richter, M. Westphal, *The LAMA planner*, JAIR
//! 39, 2010: one is reached once it holds after those that come before it, and has to be reached again if the goal, or all
//! moves that first reach another one, need it.

use super::super::operators::Value;
use super::{Proposition, Relaxation, RuleId};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

/// Facts in labels that are looked at, for all of them.
const WORK: usize = 40_000_000;
/// Rules between a proposition and the facts that it is reached from.
const NESTED: u32 = 4;

/// A landmark.
struct Landmark {
    is_goal: bool,
    /// Those that are reached before it.
    before: Vec<u32>,
    /// Those that are reached by moves alone for which it has to hold.
    needed_by: Vec<u32>,
}

/// The landmarks of a start.
pub struct Landmarks {
    landmarks: Vec<Landmark>,
    /// By fact.
    numbers: HashMap<Proposition, u32>,
}

/// By landmark: whether a path has reached it.
pub type Reached = Arc<[u64]>;

type Label = Rc<[Proposition]>;

impl Landmarks {
    /// The landmarks of plans from a state; `None` if there are none, or they are too much work.
    pub fn of(of: &Relaxation, start: &[Value]) -> Option<Landmarks> {
        let is_fact = facts(of);
        let labels = labels(of, &is_fact, start)?;
        let mut all = labels[of.goal as usize].as_ref()?.to_vec();
        let mut heads: Vec<Vec<RuleId>> = vec![Vec::new(); of.propositions as usize];
        for (number, rule) in of.rules.iter().enumerate() {
            heads[rule.head as usize].push(number as RuleId);
        }
        let needs = |fact| Needs { of, heads: &heads, labels: &labels, is_fact: &is_fact }.of(fact);
        let goals = needs(of.goal);
        let needed: Vec<Vec<Proposition>> = all.iter().map(|&fact| needs(fact)).collect();
        // What holds at the start counts if it has to hold again.
        let again = goals.iter().chain(needed.iter().flatten()).copied();
        let again: BTreeSet<Proposition> = again
            .filter(|&fact| {
                is_fact[fact as usize]
                    && labels[fact as usize].as_ref().is_some_and(|l| l.is_empty())
            })
            .collect();
        all.extend(again);
        if all.is_empty() {
            return None;
        }
        let numbers: HashMap<Proposition, u32> = all.iter().copied().zip(0..).collect();
        let landmark = |fact: &Proposition| {
            let before = labels[*fact as usize].iter().flat_map(|label| label.iter());
            let before = before.filter(|other| *other != fact);
            Landmark {
                is_goal: *fact == of.goal || goals.contains(fact),
                before: before.filter_map(|other| numbers.get(other).copied()).collect(),
                needed_by: Vec::new(),
            }
        };
        let mut landmarks: Vec<Landmark> = all.iter().map(landmark).collect();
        for (number, needed) in (0..).zip(needed) {
            for needed in needed.iter().filter_map(|needed| numbers.get(needed)) {
                landmarks[*needed as usize].needed_by.push(number);
            }
        }
        Some(Landmarks { landmarks, numbers })
    }

    /// The facts that are landmarks.
    #[cfg(test)]
    pub fn facts(&self) -> impl Iterator<Item = Proposition> + '_ {
        self.numbers.keys().copied()
    }

    /// What a path has reached that leads to a state, by what it had reached before, and how many landmarks it has to reach
    /// yet, or again.
    pub fn count(
        &self,
        of: &Relaxation,
        before: Option<&Reached>,
        state: &[Value],
    ) -> (Reached, u32) {
        let mut holds = vec![0u64; self.landmarks.len().div_ceil(64)];
        for fact in of.reached_in(state) {
            if let Some(&number) = self.numbers.get(&fact) {
                set(&mut holds, number);
            }
        }
        let mut reached = before.map_or_else(|| vec![0; holds.len()], |before| before.to_vec());
        for (number, landmark) in (0..).zip(&self.landmarks) {
            let is_next = || match before {
                Some(before) => landmark.before.iter().all(|&other| has(before, other)),
                None => true,
            };
            if has(&holds, number) && is_next() {
                set(&mut reached, number);
            }
        }
        let mut left = 0;
        for (number, landmark) in (0..).zip(&self.landmarks) {
            let is_needed = || {
                landmark.is_goal || landmark.needed_by.iter().any(|&other| !has(&reached, other))
            };
            left += u32::from(!has(&reached, number) || (!has(&holds, number) && is_needed()));
        }
        (reached.into(), left)
    }
}

fn has(set: &[u64], number: u32) -> bool {
    set[number as usize / 64] >> (number % 64) & 1 == 1
}

fn set(set: &mut [u64], number: u32) {
    set[number as usize / 64] |= 1 << (number % 64);
}

/// By proposition: whether it is a fact.
fn facts(of: &Relaxation) -> Vec<bool> {
    let mut is_fact = vec![false; of.propositions as usize];
    for &fact in of.facts.iter().flat_map(|facts| facts.iter()) {
        if let Some(is_fact) = is_fact.get_mut(fact as usize) {
            *is_fact = true;
        }
    }
    is_fact
}

/// By proposition that is reached: the facts that are reached with it or before it, but for those of the start.
fn labels(of: &Relaxation, is_fact: &[bool], start: &[Value]) -> Option<Vec<Option<Label>>> {
    let mut labels: Vec<Option<Label>> = vec![None; of.propositions as usize];
    let mut open: Vec<u32> =
        (0..of.rules.len() as RuleId).map(|rule| of.body(rule).len() as u32).collect();
    let (mut waiting, mut is_waiting) = (VecDeque::new(), vec![false; of.rules.len()]);
    let mut changed: Vec<(Proposition, bool)> = Vec::new();
    for fact in of.reached_in(start) {
        labels[fact as usize] = Some(Rc::default());
        changed.push((fact, true));
    }
    let mut work = 0;
    loop {
        for (proposition, is_new) in changed.drain(..) {
            for &rule in of.uses(proposition) {
                let at = rule as usize;
                open[at] -= u32::from(is_new);
                if open[at] == 0 && !std::mem::replace(&mut is_waiting[at], true) {
                    waiting.push_back(rule);
                }
            }
        }
        let Some(rule) = waiting.pop_front() else { return Some(labels) };
        is_waiting[rule as usize] = false;
        let head = of.rules[rule as usize].head;
        let mut label: Vec<Proposition> = Vec::new();
        for &part in of.body(rule) {
            label.extend(labels[part as usize].iter().flat_map(|label| label.iter()));
        }
        if is_fact[head as usize] {
            label.push(head);
        }
        label.sort_unstable();
        label.dedup();
        work += 1 + label.len();
        if work > WORK {
            return None;
        }
        let known = &mut labels[head as usize];
        let common: Label = match known {
            None => label.into(),
            Some(known) if known.is_empty() => continue,
            Some(known) => {
                let both = known.iter().copied().filter(|fact| label.binary_search(fact).is_ok());
                both.collect()
            }
        };
        let is_new = known.is_none();
        if known.as_ref() != Some(&common) {
            *known = Some(common);
            changed.push((head, is_new));
        }
    }
}

/// What holds before propositions are reached first.
struct Needs<'n> {
    of: &'n Relaxation,
    heads: &'n [Vec<RuleId>],
    labels: &'n [Option<Label>],
    is_fact: &'n [bool],
}

impl Needs<'_> {
    /// The facts that hold before a proposition is reached first, whatever rule is used.
    fn of(&self, proposition: Proposition) -> Vec<Proposition> {
        match self.is_fact[proposition as usize] && proposition == self.of.goal {
            true => vec![proposition],
            false => self.behind(proposition, proposition, NESTED),
        }
    }

    fn behind(
        &self,
        proposition: Proposition,
        first: Proposition,
        nested: u32,
    ) -> Vec<Proposition> {
        let label = |part: Proposition| self.labels[part as usize].iter().flat_map(|l| l.iter());
        let mut common: Option<Vec<Proposition>> = None;
        for &rule in &self.heads[proposition as usize] {
            let body = self.of.body(rule);
            let is_reached = body.iter().all(|&part| self.labels[part as usize].is_some());
            let is_again = body.iter().any(|&part| label(part).any(|&before| before == first));
            if !is_reached || is_again {
                continue;
            }
            let mut own = Vec::new();
            for &part in body {
                match self.is_fact[part as usize] {
                    true => own.push(part),
                    false if nested > 0 => own.extend(self.behind(part, first, nested - 1)),
                    false => {}
                }
            }
            common = Some(match common {
                None => own,
                Some(known) => known.into_iter().filter(|fact| own.contains(fact)).collect(),
            });
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        let mut common = common.unwrap_or_default();
        common.sort_unstable();
        common.dedup();
        common
    }
}
