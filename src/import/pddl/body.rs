//! Conditions as goals, in an order in which variables have values when they are asked, and those with
//! few answers come first.

use super::formula::{Atom, Condition, Term};
use super::types::Typed;
use super::writer::{INSTANCE, Writer};
use crate::text::{self, Fresh};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use zug_term::watchdog;

/// Variables that have values.
pub type Bound = BTreeSet<usize>;

/// The conditions of one clause.
pub struct Body<'w, 'a> {
    pub writer: &'w Writer<'a>,
    pub vars: &'w [Typed],
    pub names: Vec<String>,
    /// The problem, or a variable that stands for it.
    instance: String,
    /// The names of variables that the clause has.
    given: RefCell<Fresh>,
}

/// What is still to be asked.
enum Item {
    Holds(Condition),
    /// A variable is of its type.
    Type(usize),
}

impl<'w, 'a> Body<'w, 'a> {
    /// The variables of a clause, of a problem or of all.
    pub fn new(writer: &'w Writer<'a>, vars: &'w [Typed], instance: &str) -> Body<'w, 'a> {
        let lists = writer.lists.iter().map(|(name, _)| name.as_str());
        let given = RefCell::new(Fresh::but_for(lists.chain([INSTANCE])));
        let (names, instance) = (Vec::new(), instance.to_owned());
        let mut body = Body { writer, vars, names, instance, given };
        for (word, _) in vars {
            body.names.push(body.fresh(&text::variable(word.trim_start_matches('?'))));
        }
        body
    }

    /// A variable that the clause does not have yet.
    pub fn fresh(&self, base: &str) -> String {
        self.given.borrow_mut().name(base)
    }

    /// Arguments of what may differ from problem to problem.
    pub fn with_instance(&self, args: Vec<String>) -> Vec<String> {
        self.writer.with_instance(&self.instance, args)
    }

    pub fn state(&self) -> String {
        self.writer.state(&self.instance)
    }

    /// The goals of a condition; `fresh` are the variables that it is to find.
    pub fn goals(&self, condition: &Condition, fresh: &[usize], bound: &mut Bound) -> Vec<String> {
        let conditions = condition.clone().conjuncts();
        let untyped = fresh.iter().filter(|var| !self.typed_by(**var, &conditions));
        let mut items: Vec<Item> = untyped.map(|var| Item::Type(*var)).collect();
        items.extend(conditions.into_iter().map(Item::Holds));
        let mut asking: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (nth, item) in items.iter().enumerate() {
            let vars = match item {
                Item::Type(var) => vec![*var],
                Item::Holds(condition) => condition.free(),
            };
            watchdog::steps(vars.len());
            vars.into_iter().for_each(|var| asking.entry(var).or_default().push(nth));
        }
        // The cheapest first, as it costs when all variables before it have values; what can't be asked yet comes last.
        let cost = |nth: usize, bound: &Bound| {
            self.cost(&items[nth], bound).map_or(u64::MAX, f64::to_bits)
        };
        let mut costs: Vec<u64> = (0..items.len()).map(|nth| cost(nth, bound)).collect();
        let mut queue: BTreeSet<(u64, usize)> = costs.iter().copied().zip(0..).collect();
        let mut goals = Vec::new();
        while let Some((_, nth)) = queue.pop_first() {
            watchdog::step();
            goals.extend(match &items[nth] {
                Item::Type(var) => self.of_type(*var),
                Item::Holds(condition) => self.condition(condition, bound),
            });
            let found = match &items[nth] {
                Item::Type(var) => vec![*var],
                Item::Holds(holds @ (Condition::Atom(true, _) | Condition::Same(true, ..))) => {
                    holds.free()
                }
                Item::Holds(_) => Vec::new(),
            };
            for var in found.into_iter().filter(|var| bound.insert(*var)).collect::<Vec<_>>() {
                for &other in &asking[&var] {
                    watchdog::step();
                    if queue.remove(&(costs[other], other)) {
                        costs[other] = cost(other, bound);
                        queue.insert((costs[other], other));
                    }
                }
            }
        }
        goals
    }

    /// Whether a condition that holds says what type a variable has.
    fn typed_by(&self, var: usize, conditions: &[Condition]) -> bool {
        let task = self.writer.task;
        conditions.iter().any(|condition| {
            let Condition::Atom(true, atom) = condition else { return false };
            if task.untyped.contains(atom.name.as_str()) {
                return false;
            }
            let Some(types) = task.domain.predicates.get(&atom.name) else { return false };
            let mut args = atom.args.iter().zip(types);
            args.any(|(arg, types)| {
                arg.var() == Some(var) && task.domain.types.within(types, &self.vars[var].1)
            })
        })
    }

    fn is_bound(term: &Term, bound: &Bound) -> bool {
        term.var().is_none_or(|var| bound.contains(&var))
    }

    fn cost(&self, item: &Item, bound: &Bound) -> Option<f64> {
        let all = |condition: &Condition| condition.free().iter().all(|var| bound.contains(var));
        match item {
            Item::Type(var) if bound.contains(var) => Some(0.2),
            Item::Type(var) => Some(1.5 * self.writer.count(&self.vars[*var].1)),
            Item::Holds(Condition::Atom(true, atom)) => {
                Some(self.writer.expected(atom, |arg| Self::is_bound(arg, bound)))
            }
            Item::Holds(condition @ Condition::Atom(false, _)) => all(condition).then_some(0.4),
            Item::Holds(Condition::Same(same, left, right)) => {
                let (left, right) = (Self::is_bound(left, bound), Self::is_bound(right, bound));
                ((left && right) || (*same && (left || right))).then_some(0.1)
            }
            Item::Holds(condition) => all(condition).then_some(3.0),
        }
    }

    fn of_type(&self, var: usize) -> Vec<String> {
        let task = self.writer.task;
        let types = &self.vars[var].1;
        let call = |kind: &String| {
            self.writer.uses_type(kind);
            let args = self.with_instance(vec![self.names[var].clone()]);
            text::compound(task.type_predicate(kind), &args)
        };
        let calls: Vec<String> = types.iter().map(call).collect();
        match calls.len() {
            1 => calls,
            _ => vec![format!("( {} )", calls.join(" ; "))],
        }
    }

    fn condition(&self, condition: &Condition, bound: &Bound) -> Vec<String> {
        let joined = |condition: &Condition, fresh: &[usize]| {
            let goals = self.goals(condition, fresh, &mut bound.clone());
            if goals.is_empty() { "true".to_owned() } else { goals.join(", ") }
        };
        match condition {
            Condition::Atom(holds, atom) => {
                let ground = atom.args.iter().all(|arg| Self::is_bound(arg, bound));
                vec![self.atom(*holds, atom, ground)]
            }
            Condition::Same(same, left, right) => {
                let ground = Self::is_bound(left, bound) && Self::is_bound(right, bound);
                let operator = match (same, ground) {
                    (true, true) => "==",
                    (true, false) => "=",
                    (false, _) => "\\==",
                };
                vec![format!("{} {operator} {}", self.term(left), self.term(right))]
            }
            Condition::And(parts) => {
                parts.iter().flat_map(|part| self.condition(part, bound)).collect()
            }
            Condition::Or(parts) if parts.is_empty() => vec!["fail".to_owned()],
            Condition::Or(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| joined(part, &[])).collect();
                vec![format!("once(( {} ))", parts.join(" ; "))]
            }
            Condition::Exists(true, vars, inner) => {
                vec![format!("once(( {} ))", joined(inner, vars))]
            }
            Condition::Exists(false, vars, inner) => {
                vec![format!("\\+ ( {} )", joined(inner, vars))]
            }
        }
    }

    fn atom(&self, holds: bool, atom: &Atom, ground: bool) -> String {
        let writer = self.writer;
        let goal = if writer.task.is_static(&atom.name) {
            writer.uses_static(&atom.name);
            let args = self.with_instance(self.terms(&atom.args));
            text::compound(writer.task.predicate(&atom.name), &args)
        } else if writer.task.derived.contains(atom.name.as_str()) {
            let mut args = self.terms(&atom.args);
            args.push(self.state());
            let call = text::compound(writer.task.predicate(&atom.name), &args);
            if holds && ground { format!("once({call})") } else { call }
        } else {
            let member = if ground { "memberchk" } else { "member" };
            format!("{member}({}, {})", self.fluent(atom), writer.list(&atom.name))
        };
        if holds { goal } else { format!("\\+ {goal}") }
    }

    /// An atom as an element of a list of the state.
    pub fn fluent(&self, atom: &Atom) -> String {
        text::compound(self.writer.task.functor(&atom.name), &self.terms(&atom.args))
    }

    pub fn terms(&self, terms: &[Term]) -> Vec<String> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Var(var) => self.names[*var].clone(),
            Term::Object(name) => self.writer.task.object(name).to_owned(),
        }
    }
}
