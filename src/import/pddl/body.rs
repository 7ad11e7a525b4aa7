//! Conditions as goals, in an order in which variables have values when they are asked, and those with
//! few answers come first.

use super::formula::{Atom, Condition, Term};
use super::syntax::Typed;
use super::write::Writer;
use crate::text;
use std::collections::BTreeSet;
use zug_term::watchdog;

/// Variables that have values.
pub type Bound = BTreeSet<usize>;

/// The conditions of one clause.
pub struct Body<'w, 'a> {
    /// What the clause is part of.
    pub writer: &'w Writer<'a>,
    /// The variables and their types.
    pub vars: &'w [Typed],
    /// Their names.
    pub names: Vec<String>,
}

/// What is still to be asked.
enum Item {
    Holds(Condition),
    /// A variable is of its type.
    Type(usize),
}

impl<'w, 'a> Body<'w, 'a> {
    /// The variables of a clause with names that are different from those of states.
    pub fn new(writer: &'w Writer<'a>, vars: &'w [Typed]) -> Body<'w, 'a> {
        let mut names = writer.reserved();
        let kept = names.len();
        for (word, _) in vars {
            let base = text::variable(word.trim_start_matches('?'));
            let mut name = base.clone();
            let mut n = 1;
            watchdog::steps(names.len());
            while names.contains(&name) {
                n += 1;
                name = format!("{base}_{n}");
            }
            names.push(name);
        }
        names.drain(..kept);
        Body { writer, vars, names }
    }

    /// The goals of a condition; `fresh` are the variables that it is to find.
    pub fn goals(&self, condition: &Condition, fresh: &[usize], bound: &mut Bound) -> Vec<String> {
        let conditions = condition.clone().conjuncts();
        let types = fresh
            .iter()
            .filter(|var| !self.typed_by(**var, &conditions))
            .map(|var| Item::Type(*var));
        let mut items: Vec<Item> = types.collect();
        items.extend(conditions.into_iter().map(Item::Holds));
        let mut goals = Vec::new();
        while !items.is_empty() {
            watchdog::steps(items.len());
            let costs = items
                .iter()
                .enumerate()
                .filter_map(|(at, item)| Some((self.cost(item, bound)?, at)));
            let best =
                costs.min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            let at = best.map_or(0, |(_, at)| at);
            let item = items.remove(at);
            goals.extend(self.goal(&item, bound));
            match &item {
                Item::Type(var) => {
                    bound.insert(*var);
                }
                Item::Holds(Condition::Atom(true, atom)) => {
                    bound.extend(atom.args.iter().filter_map(Term::var))
                }
                Item::Holds(Condition::Same(true, left, right)) => {
                    bound.extend([left, right].into_iter().filter_map(Term::var));
                }
                Item::Holds(_) => {}
            }
        }
        goals
    }

    /// Whether a condition that holds says what type a variable has.
    fn typed_by(&self, var: usize, conditions: &[Condition]) -> bool {
        let task = self.writer.task;
        conditions.iter().any(|condition| {
            let Condition::Atom(true, atom) = condition else { return false };
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

    fn goal(&self, item: &Item, bound: &Bound) -> Vec<String> {
        match item {
            Item::Type(var) => self.of_type(*var),
            Item::Holds(condition) => self.condition(condition, bound),
        }
    }

    fn of_type(&self, var: usize) -> Vec<String> {
        let task = self.writer.task;
        let types = &self.vars[var].1;
        let call = |kind: &String| {
            self.writer.uses_type(kind);
            let args = self.writer.with_instance(vec![self.names[var].clone()]);
            text::compound(&task.type_predicate(kind), &args)
        };
        let calls: Vec<String> = types.iter().map(call).collect();
        match calls.as_slice() {
            [one] => vec![one.clone()],
            several => vec![format!("( {} )", several.join(" ; "))],
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
            let args = writer.with_instance(self.terms(&atom.args));
            text::compound(&writer.task.predicate(&atom.name), &args)
        } else if writer.task.derived.contains(atom.name.as_str()) {
            let mut args = self.terms(&atom.args);
            args.push(writer.state(""));
            let call = text::compound(&writer.task.predicate(&atom.name), &args);
            if holds && ground { format!("once({call})") } else { call }
        } else {
            let member = if ground { "memberchk" } else { "member" };
            format!("{member}({}, {})", self.fluent(atom), writer.list(&atom.name))
        };
        if holds { goal } else { format!("\\+ {goal}") }
    }

    /// An atom as an element of a list of the state.
    pub fn fluent(&self, atom: &Atom) -> String {
        text::compound(&self.writer.task.name(&atom.name), &self.terms(&atom.args))
    }

    /// Terms as text.
    pub fn terms(&self, terms: &[Term]) -> Vec<String> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Var(var) => self.names[*var].clone(),
            Term::Object(name) => self.writer.task.name(name),
        }
    }
}
