//! Delete relaxation: a value that a leaf has had stays reached ([`Relaxation`]).
//!
//! Operators become rules over *facts*, a leaf with a value each: once all facts in the body of a rule are reached,
//! its head is. Conditions and moves are heads of rules as well, so that disjunctions, tables and conditional effects
//! need no expansion into conjunctions. What a condition does not know is reached from the beginning; so estimates
//! that count no move twice are admissible.
//!
//! Source: B. Bonet, H. Geffner, *Planning as Heuristic Search*, Artificial Intelligence 129, 2001; axioms as rules
//! without cost as in S. Thiébaux, J. Hoffmann, B. Nebel, *In Defense of PDDL Axioms*, Artificial Intelligence 168, 2005.

mod exploration;
mod landmark_cut;
mod landmarks;
mod relaxed;
mod relaxed_plan;
#[cfg(test)]
mod tests;

pub use relaxed::{Relaxed, RelaxedKind};

use super::operators::{Condition, ConditionId, Leaf, Operator, Operators, Source, Table, Value};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of a fact, a condition or a move that is applied.
pub(super) type Proposition = u32;
/// The number of a rule.
pub(super) type RuleId = u32;

/// No proposition, rule or operator.
const NONE: u32 = u32::MAX;
/// The proposition that always holds.
const TRUE: Proposition = 0;
/// The most rules and propositions in their bodies, together.
const MOST_FACTS: usize = 1 << 23;

/// A definite clause: its head is reached once all of its body is.
pub(super) struct Rule {
    body: Range<u32>,
    pub head: Proposition,
    /// The grounded move whose cost it adds; or [`NONE`].
    pub operator: u32,
}

/// The rules of a puzzle without deletions.
pub struct Relaxation {
    /// By leaf, the facts by value.
    facts: Vec<Box<[Proposition]>>,
    propositions: u32,
    rules: Vec<Rule>,
    bodies: Vec<Proposition>,
    /// By proposition, where its rules begin in `used`.
    uses: Vec<u32>,
    /// The rules with a proposition in their body.
    used: Vec<RuleId>,
    goal: Proposition,
    /// By grounded move.
    costs: Vec<u32>,
    /// The rule by which a state of which nothing is known is a goal, if there may be one.
    escape: Option<RuleId>,
}

impl Relaxation {
    /// The relaxation of a puzzle, for admissible estimates or for good ones; `None` if it is too large.
    pub fn of(puzzle: &Operators, is_admissible: bool) -> Option<Relaxation> {
        let mut maker = Maker::new(puzzle, is_admissible);
        for operator in &puzzle.operators {
            maker.operator(operator)?;
        }
        let goal = maker.condition(puzzle.goal)?;
        let escape = match puzzle.has_escapes() {
            true => {
                let escaped = maker.condition(puzzle.escape)?;
                maker.rule(&[escaped], goal, NONE)?;
                Some(maker.rules.len() as RuleId - 1)
            }
            false => None,
        };
        Some(maker.finished(goal, escape))
    }

    /// The propositions in the body of a rule, one at least.
    #[inline]
    fn body(&self, rule: RuleId) -> &[Proposition] {
        let Range { start, end } = self.rules[rule as usize].body;
        &self.bodies[start as usize..end as usize]
    }

    /// The rules with a proposition in their body.
    #[inline]
    fn uses(&self, proposition: Proposition) -> &[RuleId] {
        let of = proposition as usize;
        &self.used[self.uses[of] as usize..self.uses[of + 1] as usize]
    }

    /// What is reached in a state: its facts, and what is not known.
    fn reached_in<'s>(&'s self, state: &'s [Value]) -> impl Iterator<Item = Proposition> + 's {
        let fact = |facts: &[Proposition], value: Value| {
            facts.get(usize::from(value)).copied().filter(|&fact| fact != NONE)
        };
        let of_state = self.facts.iter().zip(state);
        let of_state = of_state.filter_map(move |(facts, &value)| fact(facts, value));
        std::iter::once(TRUE).chain(of_state)
    }
}

struct Maker<'p> {
    puzzle: &'p Operators,
    facts: Vec<Box<[Proposition]>>,
    propositions: u32,
    rules: Vec<Rule>,
    bodies: Vec<Proposition>,
    conditions: Vec<Option<Proposition>>,
    costs: Vec<u32>,
    is_admissible: bool,
}

impl<'p> Maker<'p> {
    fn new(puzzle: &'p Operators, is_admissible: bool) -> Maker<'p> {
        let mut propositions = TRUE + 1;
        let facts = puzzle.domains.iter().map(|domain| {
            let mut facts =
                vec![NONE; domain.iter().last().map_or(0, |last| usize::from(last) + 1)];
            for value in domain.iter() {
                facts[usize::from(value)] = propositions;
                propositions += 1;
            }
            facts.into()
        });
        let facts = facts.collect();
        let conditions = vec![None; puzzle.conditions.len()];
        let (rules, bodies, costs) = (Vec::new(), Vec::new(), Vec::new());
        Maker { puzzle, facts, propositions, rules, bodies, conditions, costs, is_admissible }
    }

    /// A leaf has a value: always, if nothing is known of the leaf; never, if it is a value that it never has.
    fn fact(&self, leaf: Leaf, value: Value) -> Option<Proposition> {
        match &*self.facts[usize::from(leaf)] {
            [] => Some(TRUE),
            facts => facts.get(usize::from(value)).copied().filter(|&fact| fact != NONE),
        }
    }

    fn proposition(&mut self) -> Proposition {
        self.propositions += 1;
        self.propositions - 1
    }

    /// Adds a rule, unless that is too much.
    fn rule(&mut self, body: &[Proposition], head: Proposition, operator: u32) -> Option<()> {
        let start = self.bodies.len() as u32;
        // Each part once: a body is reached part by part.
        for (at, &part) in body.iter().enumerate() {
            if part != TRUE && !body[..at].contains(&part) {
                self.bodies.push(part);
            }
        }
        if self.bodies.len() as u32 == start {
            self.bodies.push(TRUE);
        }
        self.rules.push(Rule { body: start..self.bodies.len() as u32, head, operator });
        (self.rules.len() + self.bodies.len() <= MOST_FACTS).then_some(())
    }

    /// The rows of a table with their facts as bodies, without rows whose values no leaf has.
    fn rows<T: Copy>(&self, table: &Table<T>) -> Vec<(Vec<Value>, Vec<Proposition>, T)> {
        let rows = table.each(&self.puzzle.domains).filter_map(|(values, &result)| {
            let pairs = table.leaves.iter().zip(&values);
            let body =
                pairs.map(|(&leaf, &value)| self.fact(leaf, value)).collect::<Option<_>>()?;
            Some((values, body, result))
        });
        rows.collect()
    }

    fn condition(&mut self, condition: ConditionId) -> Option<Proposition> {
        if let Some(known) = self.conditions[condition as usize] {
            return Some(known);
        }
        let head = match &self.puzzle.conditions[condition as usize] {
            Condition::Unknown => TRUE,
            Condition::In(leaf, _) if self.facts[usize::from(*leaf)].is_empty() => TRUE,
            Condition::In(leaf, values) => {
                let facts: Vec<Proposition> =
                    values.iter().filter_map(|value| self.fact(*leaf, value)).collect();
                self.one_of(facts.into_iter().map(|fact| vec![fact]))?
            }
            Condition::Table(table) => {
                let rows = self.rows(table).into_iter().filter(|&(_, _, holds)| holds);
                self.one_of(rows.map(|(_, body, _)| body))?
            }
            Condition::All(parts) => {
                let parts = parts.iter().map(|&part| self.condition(part));
                let parts = parts.collect::<Option<Vec<Proposition>>>()?;
                self.one_of([parts].into_iter())?
            }
            Condition::Any(parts) => {
                let parts = parts.iter().map(|&part| self.condition(part));
                let parts = parts.collect::<Option<Vec<Proposition>>>()?;
                self.one_of(parts.into_iter().map(|part| vec![part]))?
            }
        };
        self.conditions[condition as usize] = Some(head);
        Some(head)
    }

    /// The parts of a conjunction, or a condition that is none.
    fn conjuncts(&mut self, condition: ConditionId) -> Option<Vec<Proposition>> {
        match &self.puzzle.conditions[condition as usize] {
            Condition::All(parts) => parts.iter().map(|&part| self.condition(part)).collect(),
            _ => Some(vec![self.condition(condition)?]),
        }
    }

    /// A disjunction of conjunctions.
    fn one_of(&mut self, bodies: impl Iterator<Item = Vec<Proposition>>) -> Option<Proposition> {
        let bodies: Vec<Vec<Proposition>> = bodies.collect();
        match &bodies[..] {
            [only] if only.is_empty() => return Some(TRUE),
            [only] if only.len() == 1 => return Some(only[0]),
            _ => {}
        }
        let head = self.proposition();
        for body in bodies {
            self.rule(&body, head, NONE)?;
        }
        Some(head)
    }

    /// Grounds a move by the values of the leaf that most of its effects depend on: each value is an application of its
    /// own, which costs what the move does.
    fn operator(&mut self, operator: &Operator) -> Option<()> {
        let puzzle = self.puzzle;
        let conditions = self.conjuncts(operator.condition)?;
        let parted = self.parted_by(operator);
        let is_rest = |source: &Source| match source {
            Source::Unknown | Source::Value(_) => false,
            Source::Leaf(from) => parted != Some(*from),
            Source::Table(table) => parted.is_none_or(|of| !table.leaves.contains(&of)),
            Source::Cases(_) => true,
        };
        let values_of =
            |leaf| puzzle.domains[usize::from(leaf)].iter().map(move |value| Some((leaf, value)));
        let cases: Vec<Option<(Leaf, Value)>> =
            parted.map_or(vec![None], |leaf| values_of(leaf).collect());
        let mut all = Vec::new();
        for case in cases {
            let known = |leaf| case.filter(|case| case.0 == leaf).map(|case| case.1);
            if !puzzle.may_hold_where(operator.condition, &known) {
                continue;
            }
            let applied = self.proposition();
            let fact = case.and_then(|(leaf, value)| self.fact(leaf, value)).unwrap_or(TRUE);
            let by = self.costed(operator.cost);
            self.rule(&[&conditions[..], &[fact]].concat(), applied, by)?;
            all.push(vec![applied]);
            for (leaf, source) in operator.writes.iter().filter(|(_, source)| !is_rest(source)) {
                match source {
                    Source::Unknown => {
                        for value in puzzle.domains[usize::from(*leaf)].iter() {
                            self.effect(&[applied], (*leaf, value), NONE)?;
                        }
                    }
                    Source::Value(value) => self.effect(&[applied], (*leaf, *value), NONE)?,
                    Source::Leaf(_) => {
                        let Some((_, value)) = case else { continue };
                        self.effect(&[applied], (*leaf, value), NONE)?;
                    }
                    Source::Table(table) => {
                        self.rows_written((operator, table, case), (applied, *leaf), NONE)?;
                    }
                    Source::Cases(_) => {}
                }
            }
        }
        if !operator.writes.iter().any(|(_, source)| is_rest(source)) {
            return Some(());
        }
        // Effects that depend on other leaves may belong to the same application, or to another one.
        let (first, by) = match self.is_admissible {
            true => (self.one_of(all.into_iter())?, NONE),
            false => (self.one_of([conditions].into_iter())?, self.costed(operator.cost)),
        };
        for (leaf, source) in operator.writes.iter().filter(|(_, source)| is_rest(source)) {
            match source {
                Source::Leaf(from) => {
                    for value in puzzle.may(operator.condition, *from).iter() {
                        let Some(before) = self.fact(*from, value) else { continue };
                        self.effect(&[first, before], (*leaf, value), by)?;
                    }
                }
                Source::Table(table) => {
                    self.rows_written((operator, table, None), (first, *leaf), by)?;
                }
                Source::Cases(cases) => {
                    for &(case, value) in cases {
                        let case = self.condition(case)?;
                        self.effect(&[first, case], (*leaf, value), by)?;
                    }
                }
                Source::Unknown | Source::Value(_) => {}
            }
        }
        Some(())
    }

    /// The leaf that most effects of a move depend on.
    fn parted_by(&self, operator: &Operator) -> Option<Leaf> {
        let mut counts: BTreeMap<Leaf, usize> = BTreeMap::new();
        for (_, source) in &operator.writes {
            let leaves = match source {
                Source::Leaf(from) => std::slice::from_ref(from),
                Source::Table(table) => &table.leaves,
                _ => &[],
            };
            let known = leaves.iter().filter(|&&leaf| !self.facts[usize::from(leaf)].is_empty());
            known.for_each(|&leaf| *counts.entry(leaf).or_default() += 1);
        }
        counts.into_iter().min_by_key(|&(leaf, count)| (Reverse(count), leaf)).map(|(leaf, _)| leaf)
    }

    /// A new grounded move of this cost.
    fn costed(&mut self, cost: u32) -> u32 {
        self.costs.push(cost);
        self.costs.len() as u32 - 1
    }

    /// The effects of a table on a leaf; of a case, those of the rows with that value.
    fn rows_written(
        &mut self,
        (operator, table, case): (&Operator, &Table<Value>, Option<(Leaf, Value)>),
        (first, leaf): (Proposition, Leaf),
        by: u32,
    ) -> Option<()> {
        for (values, mut body, value) in self.rows(table) {
            let known = |leaf| table.value_of(leaf, &values);
            let is_case = case.is_none_or(|(leaf, value)| known(leaf) == Some(value));
            if is_case && self.puzzle.may_hold_where(operator.condition, &known) {
                body.push(first);
                self.effect(&body, (leaf, value), by)?;
            }
        }
        Some(())
    }

    fn effect(
        &mut self,
        body: &[Proposition],
        (leaf, value): (Leaf, Value),
        by: u32,
    ) -> Option<()> {
        match self.fact(leaf, value) {
            Some(TRUE) | None => Some(()),
            Some(fact) if body.contains(&fact) => Some(()),
            Some(fact) => self.rule(body, fact, by),
        }
    }

    /// Which propositions the goal may be reached by.
    fn relevant(&self, goal: Proposition) -> Vec<bool> {
        let mut heads: Vec<Vec<RuleId>> = vec![Vec::new(); self.propositions as usize];
        for (number, rule) in self.rules.iter().enumerate() {
            heads[rule.head as usize].push(number as RuleId);
        }
        let (mut relevant, mut waiting) = (vec![false; heads.len()], vec![goal]);
        relevant[goal as usize] = true;
        while let Some(head) = waiting.pop() {
            for &rule in &heads[head as usize] {
                let Range { start, end } = self.rules[rule as usize].body;
                for &part in &self.bodies[start as usize..end as usize] {
                    if !std::mem::replace(&mut relevant[part as usize], true) {
                        waiting.push(part);
                    }
                }
            }
        }
        relevant
    }

    fn finished(mut self, goal: Proposition, escape: Option<RuleId>) -> Relaxation {
        let relevant = self.relevant(goal);
        // The rule for an escape leads to the goal: it stays, and is the last one.
        self.rules.retain(|rule| relevant[rule.head as usize]);
        let escape = escape.map(|_| self.rules.len() as RuleId - 1);
        let Maker { facts, propositions, rules, bodies, costs, .. } = self;
        let body = |rule: &Rule| &bodies[rule.body.start as usize..rule.body.end as usize];
        let mut uses = vec![0; propositions as usize + 1];
        let parts = rules.iter().flat_map(body);
        parts.for_each(|&part| uses[part as usize + 1] += 1);
        for at in 1..uses.len() {
            uses[at] += uses[at - 1];
        }
        let (mut next, mut used) = (uses.clone(), vec![0; bodies.len()]);
        for (number, rule) in rules.iter().enumerate() {
            for &part in body(rule) {
                used[next[part as usize] as usize] = number as RuleId;
                next[part as usize] += 1;
            }
        }
        Relaxation { facts, propositions, rules, bodies, uses, used, goal, costs, escape }
    }
}
