//! A planning task as a rule file.

use super::body::{Body, Bound};
use super::formula::{Atom, Term};
use super::syntax::{Action, Cost, Derived, Effect, Problem};
use super::task::Task;
use crate::text;
use std::cell::RefCell;
use std::collections::BTreeSet;
use zug_term::watchdog;

/// The rule file.
pub fn write(task: &Task) -> String {
    let writer = Writer { task, statics: RefCell::default(), types: RefCell::default() };
    let rules: String = task.domain.actions.iter().map(|action| writer.action(action)).collect();
    let derived = writer.all_derived();
    let goals: String = task.problems.iter().map(|problem| writer.goal(problem)).collect();
    let states: String = task.problems.iter().map(|problem| writer.initial(problem)).collect();
    let facts = writer.facts();
    format!("{}{states}\n{goals}\n{rules}{derived}{facts}", writer.heading())
}

/// What is needed to write clauses.
pub struct Writer<'a> {
    /// The task.
    pub task: &'a Task<'a>,
    statics: RefCell<BTreeSet<String>>,
    types: RefCell<BTreeSet<String>>,
}

/// The variable that says which problem it is.
const INSTANCE: &str = "Instance";

/// The list of fluents without arguments.
const FLAGS: &str = "Flags";

impl<'a> Writer<'a> {
    fn several(&self) -> bool {
        self.task.problems.len() > 1
    }

    /// Arguments of what may differ from problem to problem.
    pub fn with_instance(&self, mut args: Vec<String>) -> Vec<String> {
        if self.several() {
            args.insert(0, INSTANCE.to_owned());
        }
        args
    }

    /// Notes that facts of a predicate are wanted.
    pub fn uses_static(&self, name: &str) {
        self.statics.borrow_mut().insert(name.to_owned());
    }

    /// Notes that the objects of a type are wanted.
    pub fn uses_type(&self, name: &str) {
        self.types.borrow_mut().insert(name.to_owned());
    }

    /// The lists of a state: their names, and the predicates in each.
    fn lists(&self) -> Vec<(String, Vec<&'a str>)> {
        let task = self.task;
        let (relations, flags): (Vec<&str>, Vec<&str>) =
            task.changing.iter().partition(|name| task.arity(name) > 0);
        let mut lists: Vec<(String, Vec<&str>)> = Vec::new();
        for name in relations {
            lists.push((self.list(name), vec![name]));
        }
        if !flags.is_empty() {
            lists.push((FLAGS.to_owned(), flags));
        }
        lists
    }

    /// The list of a state in which a predicate is.
    pub fn list(&self, name: &str) -> String {
        if self.task.arity(name) == 0 {
            return FLAGS.to_owned();
        }
        format!("{}s", text::variable(&self.task.name(name)))
    }

    /// A state, its lists with an ending.
    pub fn state(&self, ending: &str) -> String {
        let lists = self.lists().into_iter().map(|(name, _)| format!("{name}{ending}"));
        text::compound("state", &self.with_instance(lists.collect()))
    }

    /// Names of variables that mean something already.
    pub fn reserved(&self) -> Vec<String> {
        let lists = self.lists().into_iter().map(|(name, _)| name);
        let mut names: Vec<String> = lists
            .flat_map(|name| ["", "1", "2", "New"].map(|end| format!("{name}{end}")))
            .collect();
        names.extend([INSTANCE.to_owned(), "Cost".to_owned()]);
        names
    }

    /// About how many objects are of some types.
    pub fn count(&self, types: &[String]) -> f64 {
        let problem = &self.task.problems[0];
        types.iter().map(|kind| self.task.objects(problem, kind).len()).sum::<usize>() as f64
    }

    /// About how many answers an atom has.
    pub fn expected(&self, atom: &Atom, bound: impl Fn(&Term) -> bool) -> f64 {
        watchdog::steps(self.task.problems[0].init.len());
        let facts: Vec<&Vec<String>> = self.task.problems[0]
            .init
            .iter()
            .filter(|(name, _)| *name == atom.name)
            .map(|(_, args)| args)
            .collect();
        let mut rows = facts.len().max(1) as f64;
        for (nth, _) in atom.args.iter().enumerate().filter(|(_, arg)| bound(arg)) {
            let values: BTreeSet<&String> = facts.iter().filter_map(|args| args.get(nth)).collect();
            rows /= values.len().max(1) as f64;
        }
        let fluent = if self.task.is_static(&atom.name) { 1.0 } else { 1.2 };
        if atom.args.iter().all(bound) { 0.3 * fluent } else { rows * fluent }
    }

    fn heading(&self) -> String {
        let task = self.task;
        let mut out = format!("% {}, a planning task in PDDL.\n%\n", task.domain.name);
        out += &format!(
            "% A state is {},\n% for each predicate that actions change the sorted list of what holds.\n",
            self.state("")
        );
        if self.several() {
            out += "% Each problem is an instance; what differs between them has its name as first argument.\n";
        }
        out + if self.costs() {
            "% Actions cost what the task says.\n\n"
        } else {
            "% Each action costs 1.\n\n"
        }
    }

    fn costs(&self) -> bool {
        self.task.problems.iter().any(|problem| problem.costs)
    }

    fn instance(&self, problem: &Problem) -> String {
        text::constant(&problem.name)
    }

    fn initial(&self, problem: &Problem) -> String {
        let task = self.task;
        let mut parts = Vec::new();
        for (_, names) in self.lists() {
            let facts = problem.init.iter().filter(|(name, _)| names.contains(&name.as_str()));
            let mut facts: Vec<String> =
                facts.map(|(name, args)| self.fact(&task.name(name), args)).collect();
            facts.sort_by(|one, other| standard(one, other));
            facts.dedup();
            let indent = if facts.len() > 4 { ",\n        " } else { ", " };
            parts.push(format!("[{}]", facts.join(indent)));
        }
        let name = self.instance(problem);
        if self.several() {
            parts.insert(0, name.clone());
        }
        format!("initial_state({name}, state({})).\n", parts.join(",\n    "))
    }

    fn fact(&self, name: &str, args: &[String]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.task.name(arg)).collect();
        text::compound(name, &args)
    }

    fn goal(&self, problem: &Problem) -> String {
        let body = Body::new(self, &problem.vars);
        let goals = body.goals(&problem.goal, &[], &mut Bound::new());
        let mut state = self.state("");
        if self.several() {
            state = state.replacen(INSTANCE, &self.instance(problem), 1);
        }
        let goals: Vec<String> = goals
            .into_iter()
            .map(|goal| match self.several() {
                true => goal
                    .replace(&format!("({INSTANCE}, "), &format!("({}, ", self.instance(problem))),
                false => goal,
            })
            .collect();
        let head = format!("final_state({})", unused(&state, &goals));
        text::clause(&head, &goals)
    }

    fn action(&self, action: &Action) -> String {
        let body = Body::new(self, &action.vars);
        let parameters: Vec<usize> = (0..action.parameters).collect();
        let mut bound = Bound::new();
        let mut goals = body.goals(&action.precondition, &parameters, &mut bound);
        let cost = self.cost(&body, action, &mut goals);
        let mut after = Vec::new();
        for (list, names) in self.lists() {
            let effects: Vec<&Effect> = action
                .effects
                .iter()
                .filter(|effect| names.contains(&effect.atom.name.as_str()))
                .collect();
            after.push(self.change(&body, &list, &effects, &bound, &mut goals));
        }
        let name = text::compound(&self.task.name(&action.name), &body.names[..action.parameters]);
        let state2 = text::compound("state", &self.with_instance(after));
        let head = format!("rule({name}, {cost}, {},\n     {state2})", self.state(""));
        text::clause(&head, &goals) + "\n"
    }

    fn cost(&self, body: &Body, action: &Action, goals: &mut Vec<String>) -> String {
        if !self.costs() {
            return "1".to_owned();
        }
        let mut parts = Vec::new();
        for (nth, cost) in action.costs.iter().enumerate() {
            match cost {
                Cost::Number(number) => parts.push(number.clone()),
                Cost::Function(atom) => {
                    let var = if nth == 0 { "Cost".to_owned() } else { format!("Cost{nth}") };
                    let mut args = self.with_instance(body.terms(&atom.args));
                    args.push(var.clone());
                    self.uses_static(&atom.name);
                    goals.push(text::compound(&self.task.predicate(&atom.name), &args));
                    parts.push(var);
                }
            }
        }
        match parts.as_slice() {
            [] => "0".to_owned(),
            [one] => one.clone(),
            _ => {
                goals.push(format!("Total is {}", parts.join(" + ")));
                "Total".to_owned()
            }
        }
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
            format!("{list}New{n}")
        };
        let (gone, come): (Vec<&Effect>, Vec<&Effect>) =
            effects.iter().partition(|effect| !effect.holds);
        let (always, found) = self.split(body, &gone, bound, goals, &mut fresh);
        let removals = found
            .into_iter()
            .chain((!always.is_empty()).then(|| format!("[{}]", always.join(", "))));
        for removal in removals.collect::<Vec<_>>() {
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
            let clauses: Vec<&Derived> =
                self.task.domain.derived.iter().filter(|d| d.head.name == *name).collect();
            if self.recursive(name) {
                out += &format!(
                    ":- table {}/{}.\n",
                    self.task.predicate(name),
                    self.task.arity(name) + 1
                );
            }
            for derived in clauses {
                let body = Body::new(self, &derived.vars);
                let vars: Vec<usize> = (0..derived.head.args.len()).collect();
                let goals = body.goals(&derived.condition, &vars, &mut Bound::new());
                let mut args = body.terms(&derived.head.args);
                args.push(unused(&self.state(""), &goals));
                out += &text::clause(&text::compound(&self.task.predicate(name), &args), &goals);
            }
            out.push('\n');
        }
        out
    }

    /// Whether a derived predicate may come to itself: through any others.
    fn recursive(&self, name: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut pending = vec![name];
        while let Some(next) = pending.pop() {
            for derived in
                self.task.domain.derived.iter().filter(|derived| derived.head.name == next)
            {
                for asked in derived.condition.predicates() {
                    if asked == name {
                        return true;
                    }
                    if seen.insert(asked) {
                        pending.push(asked);
                    }
                }
            }
        }
        false
    }

    /// The objects and static facts that clauses ask for.
    fn facts(&self) -> String {
        let task = self.task;
        let mut out = String::new();
        for kind in self.types.borrow().iter() {
            let name = task.type_predicate(kind);
            out += &self.table(&name, 1, |problem| {
                task.objects(problem, kind)
                    .into_iter()
                    .map(|object| vec![task.name(object)])
                    .collect()
            });
        }
        for word in self.statics.borrow().iter() {
            let name = task.predicate(word);
            match task.domain.functions.get(word) {
                Some(args) => {
                    out += &self.table(&name, args.len() + 1, |problem| {
                        let values =
                            problem.values.iter().filter(|(function, ..)| function == word);
                        let row = |(_, args, value): &(String, Vec<String>, String)| {
                            let mut row: Vec<String> =
                                args.iter().map(|arg| task.name(arg)).collect();
                            row.push(value.clone());
                            row
                        };
                        values.map(row).collect()
                    })
                }
                None => {
                    out += &self.table(&name, task.arity(word), |problem| {
                        let facts = problem.init.iter().filter(|(predicate, _)| predicate == word);
                        facts
                            .map(|(_, args)| args.iter().map(|arg| task.name(arg)).collect())
                            .collect()
                    })
                }
            }
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
            let args = vec!["_".to_owned(); arity + usize::from(self.several())];
            out = text::clause(&text::compound(name, &args), &["fail".to_owned()]);
        }
        out + "\n"
    }
}

/// A state in which variables that no goal has are left out.
fn unused(state: &str, goals: &[String]) -> String {
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
    let parts = |term: &str| -> (String, Vec<String>) {
        watchdog::step();
        let (name, args) = term.split_once('(').unwrap_or((term, ""));
        (name.to_owned(), args.trim_end_matches(')').split(", ").map(str::to_owned).collect())
    };
    let ((name1, args1), (name2, args2)) = (parts(one), parts(other));
    let key = |arg: &String| {
        (
            arg.parse::<i64>().is_err(),
            arg.parse::<i64>().unwrap_or(0),
            arg.trim_matches('\'').to_owned(),
        )
    };
    let keys = |args: &[String]| args.iter().map(key).collect::<Vec<_>>();
    name1.cmp(&name2).then_with(|| keys(&args1).cmp(&keys(&args2)))
}
