//! Grounding: rules over sets of facts as operators on finite-domain variables.
//!
//! Many rules say what a move needs and changes of a state that is a list of facts, as planning domains do. They are
//! grounded as planners ground those:
//!
//! 1. the [`lifted`] run: clauses to [schemas](schema);
//! 2. relaxed [reachability](reach): instances of the schemas, and the facts that they lead to;
//! 3. [ground operators](mod@task), with conditions that are more than facts;
//! 4. mutex [`groups`], which become the variables of the [encoding](Encoding);
//! 5. a [decision tree](successors) that finds the operators of a state.
//!
//! # Invariants
//!
//! - Operators of a state are its moves, in order and number. They hold for all states whose facts can be reached in the
//!   relaxation from the one that rules were grounded for: those that have values of the variables.
//! - Rules that may say more than schemas do are not grounded at all.

mod encoding;
mod facts;
mod groups;
mod lifted;
mod reach;
mod schema;
mod successors;
mod task;
#[cfg(test)]
mod tests;

use crate::merging::in_heap;
use encoding::Encoding;
use facts::{Fact, Facts};
use lifted::Lifter;
use reach::Joiner;
use rustc_hash::{FxHashMap, FxHashSet};
use schema::{Schema, SetId, Way};
use std::sync::Arc;
use successors::{Needs, Successors};
use task::{Effect, Formula, GroundOperator, Task, task};
use zug_derived::{Condition, ConditionId, Operator, Operators, Source, Table, Value, Values};
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_state::Number;
use zug_state::representation::{Part, Universe};
use zug_state::variables::{Elements, Place, Template, Variables};
use zug_symbolic::{Store, Term};
use zug_term::{Cell, Heap, Record};

/// Conditions of what is written into one variable, whose combinations are cases one by one.
const MOST_CASES: usize = 6;

/// A move.
struct Move {
    name: Record,
    cost: Number,
    also: Formula,
    effects: Vec<Effect>,
}

/// Rules as operators on variables.
pub struct Grounded {
    part: Arc<Part>,
    encoding: Encoding,
    moves: Vec<Move>,
    successors: Successors,
    goal: Formula,
    operators: Arc<Operators>,
}

/// A state as it is written, before its sets are variables.
enum Draft {
    Struct(Cell, Vec<Draft>),
    Set(SetId),
    OneOf(SetId),
}

/// What is found in a state: the term of the lifted run, sets of values with their terms, and facts.
#[derive(Default)]
struct Found {
    values: Vec<(SetId, Term)>,
    facts: Vec<(SetId, Cell)>,
}

impl Grounded {
    /// Grounds the rules of a puzzle for what can be reached from a state, with N steps at most; `None` if they are not
    /// for that.
    pub fn new(
        m: &mut Machine,
        w: &mut World,
        (rule, goal): (PredId, Option<PredId>),
        start: &Record,
        steps: u64,
    ) -> Option<Grounded> {
        let (heap, root) = start.to_heap();
        let mut store = Store::new(Vec::new(), steps);
        let mut unfolded = FxHashSet::default();
        let (draft, found, schemas, goals) = loop {
            let mut lifter = Lifter::new(m, &mut store);
            lifter.unfolded.clone_from(&unfolded);
            match lift(&mut lifter, (rule, goal), (&heap, root)) {
                Some(lifted) => break lifted,
                None if lifter.unfolded.len() > unfolded.len() => unfolded = lifter.unfolded,
                None => return None,
            }
        };
        let mut joiner = Joiner::new(m, w, &mut store);
        for &(set, cell) in &found.facts {
            let term = crate::merging::Reader::new(&heap).term(joiner.store, cell)?;
            joiner.facts.add(joiner.store, set, term)?;
        }
        let initial = joiner.facts.len();
        let values: FxHashSet<SetId> = found.values.iter().map(|(set, _)| *set).collect();
        let instances = joiner.reach((&schemas, &goals), &values)?;
        let mut task = task(&mut joiner, (&schemas, &goals), instances, (initial, &values))?;
        let costs = costs(&mut joiner, &task)?;
        let names: Vec<Record> =
            task.operators.iter().map(|operator| record(joiner.store, operator.name)).collect();
        let Joiner { mut facts, .. } = joiner;
        let mut groups = groups::groups(&store, &facts, &task, (initial, &values));
        groups.extend(values.iter().map(|&set| facts.of_set(set).to_vec()));
        let encoding = Encoding::of(&task, groups, facts.len(), initial)?;
        simplify(&mut task, &encoding);
        let template = template((&mut facts, &task, &encoding), &draft)?;
        let (values, groups) = (encoding.values.clone().into(), encoding.spread);
        let variables = Variables { template, values, groups };
        let operators = operators(&task, &encoding, &costs);
        let needs: Vec<Needs> = task
            .operators
            .iter()
            .map(|operator| {
                let places = operator.needs.iter().filter_map(|&fact| encoding.place(fact));
                let mut needs: Needs = places.collect();
                needs.sort_unstable();
                needs
            })
            .collect();
        let moves = task.operators.into_iter().zip(costs).zip(names);
        let moves = moves.map(|((operator, cost), name)| Move {
            name,
            cost,
            also: operator.also,
            effects: operator.effects,
        });
        Some(Grounded {
            part: Arc::new(Part::Variables(Arc::new(variables))),
            moves: moves.collect(),
            successors: Successors::new(&needs),
            goal: task.goal,
            operators: Arc::new(operators.simplified()),
            encoding,
        })
    }

    /// How states are packed.
    pub fn part(&self) -> &Arc<Part> {
        &self.part
    }

    /// The rules as operators over the leaves of packed states.
    pub fn operators(&self) -> &Arc<Operators> {
        &self.operators
    }

    /// How many moves there are in all states.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    /// The name of a move.
    pub fn name(&self, number: u32) -> &Record {
        &self.moves[number as usize].name
    }

    /// Whether values are those of a goal.
    pub fn is_goal(&self, values: &[u8]) -> bool {
        self.encoding.holds(&self.goal, values)
    }

    /// Calls `visit` for each move of a state, in the rules' order, with its number, its cost, and the values that it leads
    /// to, as long as that returns true; whether it always did.
    pub fn each(
        &self,
        values: &[u8],
        (found, after): (&mut Vec<u32>, &mut Vec<u8>),
        mut visit: impl FnMut(u32, Number, &[u8]) -> bool,
    ) -> bool {
        self.successors.applicable(values, found);
        for &number in &*found {
            let of = &self.moves[number as usize];
            if of.also != Formula::TRUE && !self.encoding.holds(&of.also, values) {
                continue;
            }
            after.clear();
            after.extend_from_slice(values);
            for effect in &of.effects {
                if let Some(becomes) = becomes(&self.encoding, effect, values) {
                    self.encoding.write(effect.fact, becomes, values, after);
                }
            }
            if !visit(number, of.cost, after) {
                return false;
            }
        }
        true
    }
}

/// Conditions of operators without what variables say: one that has a value has no other one.
fn simplify(task: &mut Task, encoding: &Encoding) {
    for operator in &mut task.operators {
        let needs: FxHashMap<u16, u8> =
            operator.needs.iter().filter_map(|&fact| encoding.place(fact)).collect();
        operator.simplify(&|fact| match encoding.place(fact) {
            None => Some(true),
            Some((variable, value)) => needs.get(&variable).map(|needed| *needed == value),
        });
    }
}

/// What a fact becomes by an effect on some values; `None` if nothing.
fn becomes(encoding: &Encoding, effect: &Effect, values: &[u8]) -> Option<bool> {
    let holds = |(when, _): &&(Formula, bool)| encoding.holds(when, values);
    let last = effect.where_holds.iter().rev().find(holds);
    last.map(|(_, becomes)| *becomes).or(effect.becomes)
}

type Lifted = (Draft, Found, Vec<Schema>, Vec<Way>);

/// A state as sets, and schemas for them.
fn lift(
    lifter: &mut Lifter<'_>,
    (rule, goal): (PredId, Option<PredId>),
    start: (&Heap, Cell),
) -> Option<Lifted> {
    let mut found = Found::default();
    let (draft, state) = draft(lifter, start, &mut found)?;
    let schemas = lifter.moves(rule, state, &found.values)?;
    let goals = match goal {
        Some(goal) => lifter.goal(goal, state, &found.values)?,
        None => Vec::new(),
    };
    Some((draft, found, schemas, goals))
}

/// A ground term as a record.
fn record(store: &Store, term: Term) -> Record {
    let mut heap = Heap::new();
    let cell = in_heap(store, &mut heap, term);
    Record::new(&mut heap, cell)
}

/// A state as sets and values; `None` if it has parts that are neither.
fn draft(
    lifter: &mut Lifter<'_>,
    (heap, cell): (&Heap, Cell),
    found: &mut Found,
) -> Option<(Draft, Term)> {
    let cell = heap.deref(cell);
    if cell == Cell::NIL || cell.is_list() {
        // One that is written in another order is packed otherwise: rules sort the next ones.
        let items = heap.proper_list(cell)?;
        let (set, term) = lifter.set_of_state();
        found.facts.extend(items.into_iter().map(|item| (set, item)));
        return Some((Draft::Set(set), term));
    }
    if cell.is_struct() {
        let header = heap.at(cell.addr());
        let (mut drafts, mut terms) = (Vec::new(), Vec::new());
        for place in 1..=header.functor_arity() {
            let (part, term) = draft(lifter, (heap, heap.at(cell.addr() + place)), found)?;
            drafts.push(part);
            terms.push(term);
        }
        return Some((Draft::Struct(header, drafts), lifter.store.structure(header, terms)));
    }
    if !(cell.is_atom() || cell.is_int()) {
        return None;
    }
    let (set, _) = lifter.set_of_state();
    let term = lifter.variable();
    found.facts.push((set, cell));
    found.values.push((set, term));
    Some((Draft::OneOf(set), term))
}

/// By operator: its cost; `None` if one is none.
fn costs(joiner: &mut Joiner<'_>, task: &Task) -> Option<Vec<Number>> {
    let mut known = rustc_hash::FxHashMap::default();
    let mut costs = Vec::with_capacity(task.operators.len());
    for operator in &task.operators {
        let cost = match known.get(&operator.cost) {
            Some(&cost) => cost,
            None => {
                let record = record(joiner.store, operator.cost);
                let cost = joiner.m.scratch(|m| {
                    let cell = record.instantiate(&mut m.heap);
                    Number::read_cost(m, cell).ok()
                })?;
                // The machine says that they are wrong.
                if cost.as_f64() < 0.0 {
                    return None;
                }
                known.insert(operator.cost, cost);
                cost
            }
        };
        costs.push(cost);
    }
    Some(costs)
}

fn template(
    (facts, task, encoding): (&mut Facts, &Task, &Encoding),
    draft: &Draft,
) -> Option<Template> {
    let mut elements = |set: SetId| {
        let mut of = facts.of_set(set).to_vec();
        of.sort_by_key(|&fact| task.rank[fact as usize]);
        let universe = Universe::new(of.iter().map(|&fact| facts.record(fact)).collect())?;
        let places = of.iter().map(|&fact| encoding.places[fact as usize]).collect();
        let groups = of.iter().map(|&fact| encoding.groups[fact as usize].clone().into());
        Some(Elements { universe, places, groups: groups.collect() })
    };
    Some(match draft {
        Draft::Struct(header, parts) => {
            let parts: Option<Vec<Template>> =
                parts.iter().map(|part| template((facts, task, encoding), part)).collect();
            Template::Struct(*header, parts?.into())
        }
        Draft::Set(set) => Template::Set(elements(*set)?),
        Draft::OneOf(set) => {
            let elements = elements(*set)?;
            match (&elements.places[..], elements.universe.elements()) {
                // It never changes.
                ([Place::Always], [value]) => Template::Constant(value.root),
                _ => Template::OneOf(elements),
            }
        }
    })
}

/// Operators as what heuristics are derived from.
fn operators(task: &Task, encoding: &Encoding, costs: &[Number]) -> Operators {
    let domain = |&(values, _): &(u8, Option<u8>)| (0..values).collect::<Values>();
    let mut all = Operators::new(encoding.values.iter().map(domain).collect());
    let (mut unpriced, mut dearer) = (Vec::new(), Vec::new());
    for (operator, cost) in task.operators.iter().zip(costs) {
        let needs = operator.needs.iter().map(|&fact| Formula::Fact(fact));
        let parts: Vec<ConditionId> = needs
            .chain([operator.also.clone()])
            .map(|part| condition(&mut all, encoding, &part))
            .collect();
        let condition_id = all.all(parts);
        let least = match cost {
            Number::Int(cost) => u32::try_from(*cost).ok(),
            other => Some(other.as_f64()).filter(|cost| *cost >= 0.0).map(|cost| cost as u32),
        };
        if !matches!(cost, Number::Int(_)) {
            dearer.push(condition_id);
        }
        let Some(cost) = least else {
            unpriced.push(condition_id);
            continue;
        };
        let mut leaves: Vec<u16> = operator
            .effects
            .iter()
            .filter_map(|effect| Some(encoding.place(effect.fact)?.0))
            .collect();
        leaves.sort_unstable();
        leaves.dedup();
        let mut writes = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            writes.push((leaf, source(&mut all, encoding, operator, leaf)));
        }
        all.operators.push(Operator { condition: condition_id, cost, writes });
    }
    let goal = condition(&mut all, encoding, &task.goal);
    (all.goal, all.unpriced, all.dearer) = (goal, all.any(unpriced), all.any(dearer));
    all
}

fn condition(all: &mut Operators, encoding: &Encoding, formula: &Formula) -> ConditionId {
    let among = |all: &mut Operators, fact: Fact, wanted: bool| match encoding.place(fact) {
        Some((leaf, value)) => {
            let domain = all.domains[usize::from(leaf)];
            let values = domain.iter().filter(|&other| (other == value) == wanted).collect();
            all.condition(Condition::In(leaf, values))
        }
        None if wanted => all.always(),
        None => all.never(),
    };
    match formula {
        Formula::Fact(fact) => among(all, *fact, true),
        Formula::Not(inner) => match &**inner {
            Formula::Fact(fact) => among(all, *fact, false),
            // Negations stand before facts alone.
            _ => all.condition(Condition::Unknown),
        },
        Formula::All(parts) => {
            let parts = parts.iter().map(|part| condition(all, encoding, part)).collect();
            all.all(parts)
        }
        Formula::Any(parts) => {
            let parts = parts.iter().map(|part| condition(all, encoding, part)).collect();
            all.any(parts)
        }
    }
}

/// What is written into a variable.
fn source(
    all: &mut Operators,
    encoding: &Encoding,
    operator: &GroundOperator,
    leaf: u16,
) -> Source {
    let of: Vec<(&Effect, u8)> = operator
        .effects
        .iter()
        .filter_map(|effect| {
            let (variable, value) = encoding.place(effect.fact)?;
            (variable == leaf).then_some((effect, value))
        })
        .collect();
    let is_certain = |(effect, _): &(&Effect, u8)| effect.where_holds.is_empty();
    let added = of.iter().rev().find(|one| is_certain(one) && one.0.becomes == Some(true));
    if let (Some(&(_, value)), true) = (added, of.iter().all(is_certain)) {
        return Source::Value(value);
    }
    let domain = all.domains[usize::from(leaf)];
    if of.iter().all(is_certain) {
        // What is removed leaves none where it was there.
        let none = encoding.values[usize::from(leaf)].1.unwrap_or_default();
        if of.iter().any(|(effect, _)| operator.needs.contains(&effect.fact)) {
            return Source::Value(none);
        }
        let goes = |value: Value| of.iter().any(|&(_, removed)| removed == value);
        let rows = domain.iter().map(|value| if goes(value) { none } else { value });
        return Source::Table(Table { leaves: [leaf].into(), rows: rows.collect() });
    }
    // One case for each combination of what holds.
    let conditions: Vec<&Formula> =
        of.iter().flat_map(|(effect, _)| effect.where_holds.iter().map(|(when, _)| when)).collect();
    if conditions.len() > MOST_CASES {
        return Source::Unknown;
    }
    let mut cases: Vec<(ConditionId, Value)> = Vec::new();
    for before in domain.iter() {
        for held in 0..1u32 << conditions.len() {
            let mut parts = vec![all.is(leaf, before)];
            for (at, when) in conditions.iter().enumerate() {
                let when = match held >> at & 1 {
                    1 => (*when).clone(),
                    _ => (*when).clone().not(),
                };
                parts.push(condition(all, encoding, &when));
            }
            let part = all.all(parts);
            if part == all.never() {
                continue;
            }
            let mut after = before;
            let mut at = 0;
            for &(effect, value) in &of {
                let mut becomes = effect.becomes;
                for (_, then) in &effect.where_holds {
                    if held >> at & 1 == 1 {
                        becomes = Some(*then);
                    }
                    at += 1;
                }
                match becomes {
                    Some(true) => after = value,
                    Some(false) if after == value && before == value => {
                        after = encoding.values[usize::from(leaf)].1.unwrap_or(value);
                    }
                    _ => {}
                }
            }
            match cases.iter_mut().find(|(_, value)| *value == after) {
                Some((known, _)) => *known = all.any(vec![*known, part]),
                None => cases.push((part, after)),
            }
        }
    }
    Source::Cases(cases.into())
}
