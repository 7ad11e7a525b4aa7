//! Relaxed reachability: schemas joined with the facts that can be reached if none ever becomes false.
//!
//! The join is semi-naive: each new fact is tried in each place of each schema, beside those that came before (M. Helmert,
//! *Concise finite-domain representations for PDDL planning tasks*, 2009, section 6). Goals about nothing in the state are
//! asked of the machine, once for each of their inputs.

use super::facts::{Fact, Facts, compared};
use super::schema::{Literal, Schema, SetId, Way};
use crate::merging::Reader;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_state::variables::MOST_VALUES;
use zug_symbolic::{Shape, Store, Substitute, Term, Variable};
use zug_term::symbol::atoms;
use zug_term::{Cell, Heap, Record};

/// Facts that can be reached,
const FACTS: usize = 1 << 14;
/// ground operators,
const OPERATORS: usize = 1 << 18;
/// answers of one goal.
const ANSWERS: usize = 1 << 14;
/// Steps after which limits are looked at.
const POLLED: u64 = 1024;

/// What the variables of a schema are bound to, and in which order they were bound.
#[derive(Default)]
pub struct Bindings {
    of: Vec<Option<Term>>,
    trail: Vec<Variable>,
}

impl Bindings {
    fn of(&self, variable: Variable) -> Option<Term> {
        self.of.get(variable.0 as usize).copied().flatten()
    }

    fn undo(&mut self, to: usize) {
        for variable in self.trail.drain(to..) {
            self.of[variable.0 as usize] = None;
        }
    }

    fn bind(&mut self, variable: Variable, term: Term) {
        let at = variable.0 as usize;
        if at >= self.of.len() {
            self.of.resize(at + 1, None);
        }
        self.of[at] = Some(term);
        self.trail.push(variable);
    }

    /// A copy that has nothing to undo.
    pub fn kept(&self) -> Bindings {
        Bindings { of: self.of.clone(), trail: Vec::new() }
    }
}

/// An instance of a schema.
pub struct Instance {
    pub schema: usize,
    pub bindings: Bindings,
    /// By literal: the fact, the number of the answer, or 0. Answers of the rules come in their order.
    pub chosen: Box<[u32]>,
}

/// A rule of the relaxation: the number of its schema, unless it is no schema; what it needs; what it leads to.
type Rule = (usize, Way, Vec<(SetId, Term)>);

type Memo = FxHashMap<(PredId, Rc<[Term]>), Rc<[Rc<[Term]>]>>;

/// Joins literals with facts.
pub struct Joiner<'a> {
    pub m: &'a mut Machine,
    pub w: &'a mut World,
    pub store: &'a mut Store,
    pub facts: Facts,
    memo: Memo,
    tables: FxHashMap<PredId, bool>,
    steps: u64,
}

/// A place in a join.
struct Joint<'l> {
    literals: &'l [Literal],
    done: Vec<bool>,
    chosen: Vec<u32>,
    /// The place of the fact that is new, if the join is about one: places before have other facts.
    new: Option<(usize, Fact)>,
}

type Found<'f> = &'f mut dyn FnMut(&mut Joiner<'_>, &Bindings, &[u32]) -> Option<()>;

impl<'a> Joiner<'a> {
    pub fn new(m: &'a mut Machine, w: &'a mut World, store: &'a mut Store) -> Joiner<'a> {
        Joiner {
            m,
            w,
            store,
            facts: Facts::default(),
            memo: Memo::default(),
            tables: FxHashMap::default(),
            steps: 0,
        }
    }

    /// All facts that schemas lead to from those that are known, and all instances of the schemas. `None` if they are
    /// too many, if a fact is no element of a packed state, or if a goal may raise an error. Of some sets one element
    /// at a time is there.
    pub fn reach(
        &mut self,
        (schemas, goals): (&[Schema], &[Way]),
        values: &FxHashSet<SetId>,
    ) -> Option<Vec<Instance>> {
        // What holds where something else holds too is a rule of its own, which leads to one fact.
        let mut rules: Vec<Rule> = Vec::new();
        for (number, schema) in schemas.iter().enumerate() {
            let added = |when: bool| {
                let changes = schema.changes.iter();
                changes.filter(move |change| change.becomes && change.when.is_some() == when)
            };
            let certain = added(false).map(|change| (change.set, change.term)).collect();
            rules.push((number, schema.literals.clone(), certain));
            for change in added(true) {
                let when = change.when.iter().flat_map(|when| when.iter().cloned());
                let literals = schema.literals.iter().cloned().chain(when).collect();
                rules.push((usize::MAX, literals, vec![(change.set, change.term)]));
            }
        }
        let mut instances = Vec::new();
        let mut found = |joiner: &mut Joiner<'_>,
                         (schema, adds): (usize, &[(SetId, Term)]),
                         bindings: &Bindings,
                         chosen: &[u32]| {
            for &(set, term) in adds {
                let term = joiner.resolve(term, bindings);
                joiner.facts.add(joiner.store, set, term)?;
                // A value is one variable.
                if values.contains(&set) && joiner.facts.of_set(set).len() >= MOST_VALUES {
                    return None;
                }
            }
            if schema != usize::MAX {
                let (bindings, chosen) = (bindings.kept(), chosen.into());
                instances.push(Instance { schema, bindings, chosen });
            }
            (joiner.facts.len() <= FACTS && instances.len() <= OPERATORS).then_some(())
        };
        for (schema, literals, adds) in &rules {
            if !literals.iter().any(|literal| matches!(literal, Literal::Element(..))) {
                self.join(
                    literals,
                    &Bindings::default(),
                    None,
                    &mut |joiner, bindings, chosen| {
                        found(joiner, (*schema, adds), bindings, chosen)
                    },
                )?;
            }
        }
        let mut next = 0;
        while next < self.facts.len() {
            let fact = next as Fact;
            let (set, term) = self.facts.get(fact);
            for (schema, literals, adds) in &rules {
                for (at, literal) in literals.iter().enumerate() {
                    let &Literal::Element(of, pattern) = literal else { continue };
                    let mut bindings = Bindings::default();
                    if of == set && self.matches(pattern, term, &mut bindings) {
                        self.join(
                            literals,
                            &bindings,
                            Some((at, fact)),
                            &mut |joiner, bindings, chosen| {
                                found(joiner, (*schema, adds), bindings, chosen)
                            },
                        )?;
                    }
                }
            }
            next += 1;
        }
        for literals in schemas.iter().map(|schema| &schema.literals).chain(goals) {
            self.call_all(&mut Vec::new(), literals)?;
        }
        Some(instances)
    }

    /// Calls the goals of literals wherever those before them hold: `None` if one raises an error. Joins call them in
    /// another order, and may find that nothing holds first.
    fn call_all(&mut self, before: &mut Vec<Literal>, literals: &[Literal]) -> Option<()> {
        let first = before.len();
        for literal in literals {
            match literal {
                Literal::Goal { pred, args, inputs } if !self.is_table(*pred) => {
                    self.join(before, &Bindings::default(), None, &mut |joiner, bindings, _| {
                        joiner.answers(*pred, args, inputs, bindings).map(drop)
                    })?;
                }
                Literal::Holds { ways, .. } => {
                    ways.iter().try_for_each(|way| self.call_all(before, way))?;
                }
                Literal::Called(way) => self.call_all(before, way)?,
                _ => {}
            }
            before.push(literal.clone());
        }
        before.truncate(first);
        Some(())
    }

    /// Whether a predicate has facts alone, and raises no error.
    fn is_table(&mut self, pred: PredId) -> bool {
        if let Some(&known) = self.tables.get(&pred) {
            return known;
        }
        let program = &self.m.program;
        let is_fact = |id: u32| {
            let (heap, root) = program.clauses[id as usize].record.to_heap();
            heap.deref(heap.at(root.addr() + 2)) == Cell::atom(atoms::TRUE)
        };
        let of = &program.preds[pred as usize];
        let is_table = of.space.is_users()
            && of.rules.is_none()
            && program.live_clauses(pred).into_iter().all(is_fact);
        self.tables.insert(pred, is_table);
        is_table
    }

    /// All ways in which literals hold of facts that can be reached.
    pub fn join(
        &mut self,
        literals: &[Literal],
        bindings: &Bindings,
        new: Option<(usize, Fact)>,
        found: Found<'_>,
    ) -> Option<()> {
        let mut joint = Joint {
            literals,
            done: vec![false; literals.len()],
            chosen: vec![0; literals.len()],
            new,
        };
        for (at, literal) in literals.iter().enumerate() {
            match literal {
                Literal::Branch(number) => joint.chosen[at] = *number,
                Literal::Called(_) => {}
                // What is not static is looked at when all facts are known.
                Literal::Holds { ways, .. } if !ways.iter().all(is_static) => {}
                _ => continue,
            }
            joint.done[at] = true;
        }
        if let Some((at, fact)) = new {
            (joint.done[at], joint.chosen[at]) = (true, fact);
        }
        self.join_rest(&mut joint, &mut bindings.kept(), found)
    }

    fn join_rest(
        &mut self,
        joint: &mut Joint<'_>,
        bindings: &mut Bindings,
        found: Found<'_>,
    ) -> Option<()> {
        self.store.spend(1);
        self.steps += 1;
        if self.store.is_spent()
            || self.steps.is_multiple_of(POLLED) && self.m.keep_going().is_err()
        {
            return None;
        }
        let mut best: Option<(usize, usize)> = None;
        for at in 0..joint.literals.len() {
            if !joint.done[at]
                && let Some(cost) = self.cost(&joint.literals[at], bindings)
                && best.is_none_or(|(_, least)| cost < least)
            {
                best = Some((at, cost));
                if cost == 0 {
                    break;
                }
            }
        }
        let Some((at, _)) = best else {
            // What is left can't be asked if its inputs have no values.
            if joint.done.contains(&false) {
                return None;
            }
            return found(self, bindings, &joint.chosen);
        };
        joint.done[at] = true;
        let mark = bindings.trail.len();
        let literals = joint.literals;
        match &literals[at] {
            &Literal::Element(set, pattern) => {
                let pattern = self.resolve(pattern, bindings);
                let candidates = match self.store.is_ground(pattern) {
                    true => self.facts.find(set, pattern).into_iter().collect(),
                    false => self.facts.candidates(self.store, set, pattern).to_vec(),
                };
                for fact in candidates {
                    let is_old = |(place, new): (usize, Fact)| at > place || fact != new;
                    let is_known = |(_, new): (usize, Fact)| fact <= new;
                    if joint.new.is_none_or(|new| is_old(new) && is_known(new)) {
                        let (_, term) = self.facts.get(fact);
                        if self.matches(pattern, term, bindings) {
                            joint.chosen[at] = fact;
                            self.join_rest(joint, bindings, found)?;
                        }
                        bindings.undo(mark);
                    }
                }
            }
            &Literal::Same(one, other) => {
                let [one, other] = [one, other].map(|term| self.resolve(term, bindings));
                let [pattern, term] = match self.store.is_ground(other) {
                    true => [one, other],
                    false => [other, one],
                };
                if self.matches(pattern, term, bindings) {
                    self.join_rest(joint, bindings, found)?;
                }
                bindings.undo(mark);
            }
            &Literal::Differ(one, other) => {
                let [one, other] = [one, other].map(|term| self.resolve(term, bindings));
                if one != other {
                    self.join_rest(joint, bindings, found)?;
                }
            }
            &Literal::Before(one, other) => {
                let [one, other] = [one, other].map(|term| self.resolve(term, bindings));
                if compared(self.store, &self.m.symbols, one, other).is_lt() {
                    self.join_rest(joint, bindings, found)?;
                }
            }
            Literal::Goal { pred, args, inputs } => {
                let answers = self.answers(*pred, args, inputs, bindings)?;
                for (number, answer) in answers.iter().enumerate() {
                    let mut fits = true;
                    for (&arg, &value) in args.iter().zip(answer.iter()) {
                        let arg = self.resolve(arg, bindings);
                        // What is left unbound may stand for anything.
                        if !self.store.is_ground(value) {
                            return None;
                        }
                        fits = fits && self.matches(arg, value, bindings);
                    }
                    if fits {
                        joint.chosen[at] = number as u32;
                        self.join_rest(joint, bindings, found)?;
                    }
                    bindings.undo(mark);
                }
            }
            Literal::Holds { ways, wanted, .. } => {
                let mut holds = false;
                for way in ways.iter() {
                    self.join(way, bindings, None, &mut |_, _, _| {
                        holds = true;
                        Some(())
                    })?;
                }
                if holds == *wanted {
                    self.join_rest(joint, bindings, found)?;
                }
            }
            Literal::Called(_) | Literal::Branch(_) => {}
        }
        joint.done[at] = false;
        Some(())
    }

    /// About how many ways a literal has; `None` if it can't be asked yet.
    fn cost(&mut self, literal: &Literal, bindings: &Bindings) -> Option<usize> {
        match literal {
            &Literal::Element(set, pattern) => {
                let pattern = self.resolve(pattern, bindings);
                if self.store.is_ground(pattern) {
                    return Some(0);
                }
                Some(1 + self.facts.candidates(self.store, set, pattern).len())
            }
            &Literal::Same(one, other) => {
                let [one, other] = [one, other].map(|term| self.resolve(term, bindings));
                (self.store.is_ground(one) || self.store.is_ground(other)).then_some(0)
            }
            &Literal::Differ(one, other) | &Literal::Before(one, other) => {
                let [one, other] = [one, other].map(|term| self.resolve(term, bindings));
                (self.store.is_ground(one) && self.store.is_ground(other)).then_some(0)
            }
            Literal::Goal { args, inputs, .. } => {
                if !are_bound(inputs, bindings) {
                    return None;
                }
                let is_test = args.iter().all(|&arg| {
                    let arg = self.resolve(arg, bindings);
                    self.store.is_ground(arg)
                });
                Some(if is_test { 1 } else { 4 })
            }
            Literal::Holds { inputs, .. } => are_bound(inputs, bindings).then_some(2),
            Literal::Called(_) | Literal::Branch(_) => None,
        }
    }

    /// A term with what its variables are bound to.
    pub fn resolve(&mut self, term: Term, bindings: &Bindings) -> Term {
        if self.store.is_ground(term) {
            return term;
        }
        self.store.substituted(term, &mut |store, variable| match bindings.of(variable) {
            Some(bound) => Substitute::Done(bound),
            None => Substitute::Done(store.variable(variable)),
        })
    }

    /// Whether a pattern matches a ground term; its variables are bound then.
    pub fn matches(&mut self, pattern: Term, term: Term, bindings: &mut Bindings) -> bool {
        let mut pairs = vec![(pattern, term)];
        while let Some((pattern, term)) = pairs.pop() {
            if pattern == term {
                continue;
            }
            match (self.store.shape(pattern), self.store.shape(term)) {
                (Shape::Variable(variable), _) => match bindings.of(*variable) {
                    Some(bound) if bound == term => {}
                    Some(_) => return false,
                    None => bindings.bind(*variable, term),
                },
                (Shape::Pair(a, b), Shape::Pair(c, d)) => pairs.extend([(*b, *d), (*a, *c)]),
                (Shape::Struct(name, parts), Shape::Struct(other, others)) if name == other => {
                    pairs.extend(parts.iter().copied().zip(others.iter().copied()));
                }
                _ => return false,
            }
        }
        true
    }

    /// The answers of a goal: its arguments, ground but for what it leaves unbound.
    fn answers(
        &mut self,
        pred: PredId,
        args: &[Term],
        inputs: &[Variable],
        bindings: &Bindings,
    ) -> Option<Rc<[Rc<[Term]>]>> {
        let mut asked = Vec::with_capacity(args.len());
        for &arg in args {
            asked.push(self.store.substituted(arg, &mut |store, variable| {
                let bound = bindings.of(variable).filter(|_| inputs.contains(&variable));
                Substitute::Done(bound.unwrap_or_else(|| store.variable(variable)))
            }));
        }
        let key = (pred, Rc::from(asked));
        if let Some(known) = self.memo.get(&key) {
            return Some(known.clone());
        }
        let (mut heap, mut cells) = (Heap::new(), FxHashMap::default());
        let cells: Vec<Cell> = key
            .1
            .iter()
            .map(|&arg| crate::merging::in_heap_with(self.store, &mut heap, &mut cells, arg))
            .collect();
        let call = heap.list_from(&cells, Cell::NIL);
        let call = Record::new(&mut heap, call);
        let mut found = Vec::new();
        let ended = self.m.ask(self.w, |ask| {
            let list = call.instantiate(&mut ask.machine.heap);
            let cells: Vec<Cell> = ask.machine.heap.items(list).collect();
            ask.add_root(list);
            let mut answered = ask.call(pred, &cells)?;
            while answered && found.len() <= ANSWERS {
                let [list] = ask.rooted();
                found.push(Record::new(&mut ask.machine.heap, list));
                answered = ask.redo()?;
            }
            Ok::<(), zug_machine::Fault>(())
        });
        if ended.is_err() || found.len() > ANSWERS {
            return None;
        }
        let mut answers: Vec<Rc<[Term]>> = Vec::with_capacity(found.len());
        for answer in found {
            let (heap, root) = answer.to_heap();
            let list = Reader::new(&heap).term(self.store, root)?;
            self.store.spend(4);
            answers.push(self.store.certain_elements(list)?.into());
        }
        let answers: Rc<[Rc<[Term]>]> = answers.into();
        self.memo.insert(key, answers.clone());
        Some(answers)
    }
}

fn are_bound(inputs: &[Variable], bindings: &Bindings) -> bool {
    inputs.iter().all(|&input| bindings.of(input).is_some())
}

/// Whether a way asks nothing of the state.
fn is_static(way: &Way) -> bool {
    way.iter().all(|literal| match literal {
        Literal::Element(..) => false,
        Literal::Holds { ways, .. } => ways.iter().all(is_static),
        _ => true,
    })
}
