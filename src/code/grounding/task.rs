//! Ground operators: instances of schemas, over the facts that can change.

use super::facts::Fact;
use super::reach::{Bindings, Instance, Joiner};
use super::schema::{Literal, Schema, SetId, Way};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_symbolic::Term;
use zug_term::compare;

/// A condition on facts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    Fact(Fact),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    pub const TRUE: Formula = Formula::All(Vec::new());
    pub const FALSE: Formula = Formula::Any(Vec::new());

    fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Formula::All(parts) => all.extend(parts),
                Formula::Any(parts) if parts.is_empty() => return Formula::FALSE,
                part => all.push(part),
            }
        }
        all.sort();
        all.dedup();
        if all.len() == 1 { all.remove(0) } else { Formula::All(all) }
    }

    fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut any = Vec::new();
        for part in parts {
            match part {
                Formula::Any(parts) => any.extend(parts),
                Formula::All(parts) if parts.is_empty() => return Formula::TRUE,
                part => any.push(part),
            }
        }
        any.sort();
        any.dedup();
        if any.len() == 1 { any.remove(0) } else { Formula::Any(any) }
    }

    /// The same where some facts are known to hold or not to hold.
    pub fn given(&self, known: &impl Fn(Fact) -> Option<bool>) -> Formula {
        match self {
            Formula::Fact(fact) => match known(*fact) {
                Some(true) => Formula::TRUE,
                Some(false) => Formula::FALSE,
                None => self.clone(),
            },
            Formula::Not(inner) => inner.given(known).not(),
            Formula::All(parts) => Formula::all(parts.iter().map(|part| part.given(known))),
            Formula::Any(parts) => Formula::any(parts.iter().map(|part| part.given(known))),
        }
    }

    /// Negations stand before facts alone.
    pub fn not(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            Formula::All(parts) => Formula::any(parts.into_iter().map(Formula::not)),
            Formula::Any(parts) => Formula::all(parts.into_iter().map(Formula::not)),
            fact => Formula::Not(Box::new(fact)),
        }
    }
}

/// What happens to a fact: what it becomes whatever holds, if that is so, and then, one after the other, where
/// something holds.
#[derive(Clone, Debug)]
pub struct Effect {
    pub fact: Fact,
    pub becomes: Option<bool>,
    pub where_holds: Vec<(Formula, bool)>,
}

impl Effect {
    /// Adds what the fact becomes where something holds.
    fn add(&mut self, when: Formula, becomes: bool) {
        if when == Formula::TRUE {
            (self.becomes, self.where_holds) = (Some(becomes), Vec::new());
        } else if when != Formula::FALSE {
            self.where_holds.push((when, becomes));
        }
    }
}

pub struct GroundOperator {
    pub name: Term,
    pub cost: Term,
    /// The facts that hold.
    pub needs: Vec<Fact>,
    /// And what else does.
    pub also: Formula,
    pub effects: Vec<Effect>,
}

impl GroundOperator {
    /// Leaves out of conditions what follows from the facts that the operator needs.
    pub fn simplify(&mut self, known: &impl Fn(Fact) -> Option<bool>) {
        self.also = self.also.given(known);
        for effect in &mut self.effects {
            for (when, becomes) in std::mem::take(&mut effect.where_holds) {
                effect.add(when.given(known), becomes);
            }
        }
    }
}

/// A state space of facts.
pub struct Task {
    /// By fact: whether it holds in all states.
    pub always: Vec<bool>,
    /// By fact: its place in the standard order of all.
    pub rank: Vec<u32>,
    /// In the order of the rules' answers.
    pub operators: Vec<GroundOperator>,
    pub goal: Formula,
}

/// The ground operators of the instances of schemas, of which the first facts hold in the beginning. Sets of values
/// have one element each.
pub fn task(
    joiner: &mut Joiner<'_>,
    (schemas, goals): (&[Schema], &[Way]),
    instances: Vec<Instance>,
    (initial, values): (usize, &FxHashSet<SetId>),
) -> Option<Task> {
    let mut always: Vec<bool> = (0..joiner.facts.len()).map(|fact| fact < initial).collect();
    let mut changed = Vec::with_capacity(instances.len());
    for instance in &instances {
        let changes = changes(joiner, &schemas[instance.schema], instance)?;
        for (fact, becomes, _) in &changes {
            if !becomes {
                always[*fact as usize] = false;
            }
        }
        changed.push(changes);
    }
    // A value that never changes is the only one.
    for (fact, always) in always.iter_mut().enumerate() {
        let (set, _) = joiner.facts.get(fact as Fact);
        *always &= !values.contains(&set) || joiner.facts.of_set(set).len() == 1;
    }
    let rank = ranks(joiner);
    let mut keyed = Vec::with_capacity(instances.len());
    for (instance, changes) in instances.iter().zip(changed) {
        let schema = &schemas[instance.schema];
        let mut known = Known { joiner: &mut *joiner, always: &always };
        let (needs, also) =
            known.conditions(&schema.literals, &instance.bindings, &instance.chosen)?;
        if also == Formula::FALSE {
            continue;
        }
        let mut effects: Vec<Effect> = Vec::new();
        let mut at: FxHashMap<Fact, usize> = FxHashMap::default();
        for (fact, becomes, when) in changes {
            if always[fact as usize] {
                continue;
            }
            let place = *at.entry(fact).or_insert_with(|| {
                effects.push(Effect { fact, becomes: None, where_holds: Vec::new() });
                effects.len() - 1
            });
            let effect = &mut effects[place];
            let when = match when {
                None => Formula::TRUE,
                Some((way, bindings, chosen)) => {
                    let (needs, also) = known.conditions(&way, &bindings, &chosen)?;
                    Formula::all(needs.into_iter().map(Formula::Fact).chain([also]))
                }
            };
            effect.add(when, becomes);
        }
        effects.retain(|effect| effect.becomes.is_some() || !effect.where_holds.is_empty());
        let key: Vec<u32> = schema
            .literals
            .iter()
            .zip(&instance.chosen)
            // In one state all moves have the same of some values.
            .filter(
                |(literal, _)| !matches!(literal, Literal::Element(set, _) if values.contains(set)),
            )
            .map(|(literal, &chosen)| match literal {
                Literal::Element(..) => rank[chosen as usize],
                _ => chosen,
            })
            .collect();
        let name = known.joiner.resolve(schema.name, &instance.bindings);
        let cost = known.joiner.resolve(schema.cost, &instance.bindings);
        if !known.joiner.store.is_ground(name) || !known.joiner.store.is_ground(cost) {
            return None;
        }
        keyed.push((key, GroundOperator { name, cost, needs, also, effects }));
    }
    keyed.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut known = Known { joiner, always: &always };
    let goal = known.any_way(goals, &Bindings::default())?;
    let operators = keyed.into_iter().map(|(_, operator)| operator).collect();
    Some(Task { always, rank, operators, goal })
}

type Changes = Vec<(Fact, bool, Option<(Way, Bindings, Box<[u32]>)>)>;

/// What an instance changes. What is removed, and is no fact that can be reached, is not changed.
fn changes(joiner: &mut Joiner<'_>, schema: &Schema, instance: &Instance) -> Option<Changes> {
    let mut all: Changes = Vec::new();
    for change in schema.changes.iter() {
        let Some(when) = &change.when else {
            let term = joiner.resolve(change.term, &instance.bindings);
            if !joiner.store.is_ground(term) {
                return None;
            }
            if let Some(fact) = joiner.facts.find(change.set, term) {
                all.push((fact, change.becomes, None));
            }
            continue;
        };
        joiner.join(when, &instance.bindings, None, &mut |joiner, bindings, chosen| {
            let term = joiner.resolve(change.term, bindings);
            if !joiner.store.is_ground(term) {
                return None;
            }
            if let Some(fact) = joiner.facts.find(change.set, term) {
                let when = (when.clone(), bindings.kept(), chosen.into());
                all.push((fact, change.becomes, Some(when)));
            }
            Some(())
        })?;
    }
    Some(all)
}

/// By fact: its place in the standard order.
fn ranks(joiner: &Joiner<'_>) -> Vec<u32> {
    let compared = |one: Fact, other: Fact| {
        let ((heap, one), (_, other)) = (joiner.facts.cell(one), joiner.facts.cell(other));
        compare(heap, &joiner.m.symbols, one, other)
    };
    let mut order: Vec<Fact> = (0..joiner.facts.len() as Fact).collect();
    order.sort_by(|&one, &other| compared(one, other));
    let mut ranks = vec![0; order.len()];
    let mut rank = 0;
    for (place, &fact) in order.iter().enumerate() {
        if place > 0 && !compared(order[place - 1], fact).is_eq() {
            rank += 1;
        }
        ranks[fact as usize] = rank;
    }
    ranks
}

/// Conditions where it is known what holds in all states.
struct Known<'k, 'a> {
    joiner: &'k mut Joiner<'a>,
    always: &'k [bool],
}

impl Known<'_, '_> {
    /// What an instance of literals asks: facts, and what else.
    fn conditions(
        &mut self,
        literals: &[Literal],
        bindings: &Bindings,
        chosen: &[u32],
    ) -> Option<(Vec<Fact>, Formula)> {
        let (mut needs, mut also) = (Vec::new(), Vec::new());
        for (literal, &chosen) in literals.iter().zip(chosen) {
            match literal {
                Literal::Element(..) if !self.always[chosen as usize] => needs.push(chosen),
                Literal::Holds { ways, wanted, .. } => {
                    let holds = self.any_way(ways, bindings)?;
                    also.push(if *wanted { holds } else { holds.not() });
                }
                _ => {}
            }
        }
        needs.sort_unstable();
        needs.dedup();
        Some((needs, Formula::all(also)))
    }

    fn any_way(&mut self, ways: &[Way], bindings: &Bindings) -> Option<Formula> {
        let (mut any, always) = (Vec::new(), self.always);
        for way in ways {
            self.joiner.join(way, bindings, None, &mut |joiner, bindings, chosen| {
                let mut known = Known { joiner, always };
                let (needs, also) = known.conditions(way, bindings, chosen)?;
                any.push(Formula::all(needs.into_iter().map(Formula::Fact).chain([also])));
                Some(())
            })?;
        }
        Some(Formula::any(any))
    }
}
