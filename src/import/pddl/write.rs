//! A planning task as a rule file.

use super::body::{Body, Bound};
use super::definitions::{Action, Cost, Effect, Problem};
use super::task::{HAS_METRIC, Task};
use super::writer::{INSTANCE, Writer};
use crate::text;
use std::collections::BTreeSet;
use zug_term::watchdog;

pub fn write(task: &Task) -> String {
    let writer = Writer::new(task);
    let rules: String = task.domain.actions.iter().map(|action| writer.action(action)).collect();
    let derived = writer.all_derived();
    let goals: String = task.problems.iter().map(|problem| writer.goal(problem)).collect();
    let states: String = task.problems.iter().map(|problem| writer.initial(problem)).collect();
    let facts = writer.facts();
    let rules = if rules.is_empty() { text::never("rule", 4) + "\n" } else { rules };
    format!("{}{states}\n{goals}\n{rules}{derived}{facts}", writer.heading())
}

impl<'a> Writer<'a> {
    fn heading(&self) -> String {
        let task = self.task;
        let mut out = format!("% {}, a planning task in PDDL.\n%\n", task.domain.name);
        out += &format!(
            "% A state is {},\n% for each predicate that actions change the sorted list of what holds.\n",
            self.state(INSTANCE)
        );
        if self.several() {
            out += "% Each problem is an instance; what differs between them has its name as first argument.\n";
        }
        out + match self.costs() {
            Costs::None => "% Each action costs 1.\n\n",
            Costs::All => "% Actions cost what the task says.\n\n",
            Costs::Some => {
                "% Actions cost what the task says, and 1 each in problems without a metric.\n\n"
            }
        }
    }

    fn costs(&self) -> Costs {
        match self.task.problems.iter().filter(|problem| problem.costs).count() {
            0 => Costs::None,
            all if all == self.task.problems.len() => Costs::All,
            _ => Costs::Some,
        }
    }

    fn instance(&self, problem: &Problem) -> String {
        text::constant(&problem.name)
    }

    fn initial(&self, problem: &Problem) -> String {
        let task = self.task;
        let mut parts = Vec::new();
        for (_, names) in &self.lists {
            let facts = problem.init.iter().filter(|(name, _)| names.contains(&name.as_str()));
            let mut facts: Vec<String> =
                facts.map(|(name, args)| self.fact(task.functor(name), args)).collect();
            facts.sort_by(|one, other| standard(one, other));
            facts.dedup();
            let indent = if facts.len() > 4 { ",\n        " } else { ", " };
            parts.push(format!("[{}]", facts.join(indent)));
        }
        let name = self.instance(problem);
        if self.several() {
            parts.insert(0, name.clone());
        }
        let state = match parts.is_empty() {
            true => "state".to_owned(),
            false => format!("state({})", parts.join(",\n    ")),
        };
        format!("initial_state({name}, {state}).\n")
    }

    fn fact(&self, name: &str, args: &[String]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.task.object(arg).to_owned()).collect();
        text::compound(name, &args)
    }

    fn goal(&self, problem: &Problem) -> String {
        let body = Body::new(self, &problem.vars, &self.instance(problem));
        let goals = body.goals(&problem.goal, &[], &mut Bound::new());
        let head = format!("final_state({})", without_unused(&body.state(), &goals));
        text::clause(&head, &goals)
    }

    fn action(&self, action: &Action) -> String {
        let body = Body::new(self, &action.vars, INSTANCE);
        let parameters: Vec<usize> = (0..action.parameters).collect();
        let mut bound = Bound::new();
        let mut goals = body.goals(&action.precondition, &parameters, &mut bound);
        let cost = self.cost(&body, action, &mut goals);
        let mut after = Vec::new();
        for (list, names) in &self.lists {
            let of_list = |effect: &&Effect| names.contains(&effect.atom.name.as_str());
            let effects: Vec<&Effect> = action.effects.iter().filter(of_list).collect();
            after.push(self.change(&body, list, &effects, &bound, &mut goals));
        }
        let name =
            text::compound(self.task.functor(&action.name), &body.names[..action.parameters]);
        let state2 = text::compound("state", &body.with_instance(after));
        let head = format!("rule({name}, {cost}, {},\n     {state2})", body.state());
        text::clause(&head, &goals) + "\n"
    }

    fn cost(&self, body: &Body, action: &Action, goals: &mut Vec<String>) -> String {
        let costs = self.costs();
        if costs == Costs::None {
            return "1".to_owned();
        }
        let mut asked = Vec::new();
        let mut parts = Vec::new();
        for cost in &action.costs {
            match cost {
                Cost::Number(number) => parts.push(number.clone()),
                Cost::Function(atom, _) => {
                    let var = body.fresh("Cost");
                    let mut args = body.with_instance(body.terms(&atom.args));
                    args.push(var.clone());
                    self.uses_static(&atom.name);
                    asked.push(text::compound(self.task.predicate(&atom.name), &args));
                    parts.push(var);
                }
            }
        }
        let cost = match parts.as_slice() {
            [] => "0".to_owned(),
            [one] => one.clone(),
            _ => {
                let total = body.fresh("Total");
                asked.push(format!("{total} is {}", parts.join(" + ")));
                total
            }
        };
        if costs == Costs::All {
            goals.extend(asked);
            return cost;
        }
        let counted = body.fresh("Cost");
        asked.push(format!("{counted} = {cost}"));
        let asked = asked.join(", ");
        goals.push(format!("( {HAS_METRIC}({INSTANCE}) -> {asked} ; {counted} = 1 )"));
        counted
    }

    /// The goals that change a list: what ceases to hold goes first. Returns the list afterwards.
    fn change(
        &self,
        body: &Body,
        list: &str,
        effects: &[&Effect],
        bound: &Bound,
        goals: &mut Vec<String>,
    ) -> String {
        if effects.is_empty() {
            return list.to_owned();
        }
        let mut now = list.to_owned();
        let mut n = 0;
        let mut fresh = || {
            n += 1;
            body.fresh(&format!("{list}New{n}"))
        };
        let (gone, come): (Vec<&Effect>, Vec<&Effect>) =
            effects.iter().partition(|effect| !effect.holds);
        let (always, found) = self.split(body, &gone, bound, goals, &mut fresh);
        let always = (!always.is_empty()).then(|| format!("[{}]", always.join(", ")));
        for removal in found.into_iter().chain(always) {
            let next = fresh();
            goals.push(format!("subtract({now}, {removal}, {next})"));
            now = next;
        }
        let (always, found) = self.split(body, &come, bound, goals, &mut fresh);
        for addition in found {
            let next = fresh();
            goals.push(format!("append({addition}, {now}, {next})"));
            now = next;
        }
        if come.is_empty() {
            return now;
        }
        let next = fresh();
        match always.is_empty() {
            true => goals.push(format!("sort({now}, {next})")),
            false => goals.push(format!("sort([{}|{now}], {next})", always.join(", "))),
        }
        next
    }

    /// What changes always, and the lists of what changes under conditions, which goals find.
    fn split(
        &self,
        body: &Body,
        effects: &[&Effect],
        bound: &Bound,
        goals: &mut Vec<String>,
        fresh: &mut dyn FnMut() -> String,
    ) -> (Vec<String>, Vec<String>) {
        let (mut always, mut found) = (Vec::new(), Vec::new());
        for effect in effects {
            let fluent = body.fluent(&effect.atom);
            let inner = body.goals(&effect.condition, &effect.vars, &mut bound.clone());
            if inner.is_empty() {
                always.push(fluent);
                continue;
            }
            let list = fresh();
            goals.push(format!("findall({fluent}, ( {} ), {list})", inner.join(", ")));
            found.push(list);
        }
        (always, found)
    }

    fn all_derived(&self) -> String {
        let mut out = String::new();
        for name in &self.task.derived {
            let (predicate, arity) = (self.task.predicate(name), self.task.arity(name) + 1);
            if self.recursive(name) {
                out += &format!(":- table {predicate}/{arity}.\n");
            }
            for derived in self.task.domain.derived.iter().filter(|d| d.head.name == *name) {
                let body = Body::new(self, &derived.vars, INSTANCE);
                let vars: Vec<usize> = (0..derived.head.args.len()).collect();
                let goals = body.goals(&derived.condition, &vars, &mut Bound::new());
                let mut args = body.terms(&derived.head.args);
                args.push(without_unused(&body.state(), &goals));
                out += &text::clause(&text::compound(predicate, &args), &goals);
            }
            out.push('\n');
        }
        out
    }

    /// Whether a derived predicate is recursive, through any others.
    fn recursive(&self, name: &str) -> bool {
        let domain = self.task.domain;
        let own = domain.derived.iter().filter(|derived| derived.head.name == name);
        let asked = own.flat_map(|derived| derived.condition.predicates());
        domain.depended_on(asked).contains(name)
    }

    /// The objects and static facts that clauses ask for.
    fn facts(&self) -> String {
        let task = self.task;
        let mut out = String::new();
        if self.costs() == Costs::Some {
            for problem in task.problems.iter().filter(|problem| problem.costs) {
                out += &format!("{HAS_METRIC}({}).\n", self.instance(problem));
            }
            out.push('\n');
        }
        let row = |args: &[String]| -> Vec<String> {
            args.iter().map(|arg| task.object(arg).to_owned()).collect()
        };
        for kind in self.types.borrow().iter() {
            out += &self.table(task.type_predicate(kind), 1, |problem| {
                let objects = task.objects(problem, kind).into_iter();
                objects.map(|object| vec![task.object(object).to_owned()]).collect()
            });
        }
        for word in self.statics.borrow().iter() {
            let name = task.predicate(word);
            out += &match task.domain.functions.get(word) {
                Some(args) => self.table(name, args.len() + 1, |problem| {
                    let values = problem.values.iter().filter(|(function, ..)| function == word);
                    let row = |(_, args, value): &(_, Vec<String>, String)| {
                        [&row(args)[..], std::slice::from_ref(value)].concat()
                    };
                    values.map(row).collect()
                }),
                None => self.table(name, task.arity(word), |problem| {
                    let facts = problem.init.iter().filter(|(predicate, _)| predicate == word);
                    facts.map(|(_, args)| row(args)).collect()
                }),
            };
        }
        out
    }

    fn table(
        &self,
        name: &str,
        arity: usize,
        rows: impl Fn(&'a Problem) -> Vec<Vec<String>>,
    ) -> String {
        let mut out = String::new();
        let mut seen = BTreeSet::new();
        for problem in self.task.problems {
            watchdog::steps(problem.init.len() + problem.values.len());
            for mut row in rows(problem) {
                watchdog::step();
                if self.several() {
                    row.insert(0, self.instance(problem));
                }
                if seen.insert(row.clone()) {
                    out += &format!("{}.\n", text::compound(name, &row));
                }
            }
        }
        if out.is_empty() {
            out = text::never(name, arity + usize::from(self.several()));
        }
        out + "\n"
    }
}

/// In which problems actions cost what the task says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Costs {
    None,
    Some,
    All,
}

/// A state in which variables that no goal has are left out.
fn without_unused(state: &str, goals: &[String]) -> String {
    let words = |text: &str| -> Vec<String> {
        watchdog::steps(text.len());
        text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
    };
    let used: BTreeSet<String> = goals.iter().flat_map(|goal| words(goal)).collect();
    let (name, args) = state.split_once('(').unwrap_or((state, ")"));
    let shown = |arg: &str| {
        let variable = arg.starts_with(|c: char| c.is_ascii_uppercase());
        if variable && !used.contains(arg) { "_".to_owned() } else { arg.to_owned() }
    };
    let args: Vec<String> =
        args.trim_end_matches(')').split(", ").filter(|arg| !arg.is_empty()).map(shown).collect();
    text::compound(name, &args)
}

/// The standard order of two ground terms without nesting, as text.
fn standard(one: &str, other: &str) -> std::cmp::Ordering {
    let parts = |term: &str| -> (String, Vec<(bool, i64, String)>) {
        watchdog::step();
        let (name, args) = term.split_once('(').unwrap_or((term, ""));
        let key = |arg: &str| {
            let number = arg.parse::<i64>();
            (number.is_err(), number.unwrap_or(0), arg.trim_matches('\'').to_owned())
        };
        let args = args.trim_end_matches(')').split(", ").map(key).collect();
        (name.trim_matches('\'').to_owned(), args)
    };
    parts(one).cmp(&parts(other))
}
