//! The parts of a task that all its clauses refer to.

use super::definitions::Problem;
use super::formula::{Atom, Term};
use super::task::Task;
use crate::text::{self, Fresh};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use zug_term::watchdog;

/// What is needed to write clauses.
pub struct Writer<'a> {
    pub task: &'a Task<'a>,
    /// The lists of a state: their names, and the predicates in each.
    pub lists: Vec<(String, Vec<&'a str>)>,
    /// Of each predicate how many facts of it there are, and how many objects in each place.
    sizes: BTreeMap<&'a str, (usize, Vec<usize>)>,
    pub statics: RefCell<BTreeSet<String>>,
    pub types: RefCell<BTreeSet<String>>,
}

/// The variable that says which problem it is.
pub const INSTANCE: &str = "Instance";

impl<'a> Writer<'a> {
    pub fn new(task: &'a Task<'a>) -> Writer<'a> {
        let (sizes, statics, types) =
            (sizes(&task.problems[0]), RefCell::default(), RefCell::default());
        Writer { task, lists: lists(task), sizes, statics, types }
    }

    pub fn several(&self) -> bool {
        self.task.problems.len() > 1
    }

    /// Arguments of what may differ from problem to problem.
    pub fn with_instance(&self, instance: &str, mut args: Vec<String>) -> Vec<String> {
        if self.several() {
            args.insert(0, instance.to_owned());
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

    /// The list of a state in which a predicate is.
    pub fn list(&self, name: &str) -> &str {
        let list = self.lists.iter().find(|(_, names)| names.contains(&name));
        list.map_or("", |(list, _)| list)
    }

    pub fn state(&self, instance: &str) -> String {
        let lists = self.lists.iter().map(|(name, _)| name.clone());
        text::compound("state", &self.with_instance(instance, lists.collect()))
    }

    /// About how many objects are of some types.
    pub fn count(&self, types: &[String]) -> f64 {
        let problem = &self.task.problems[0];
        types.iter().map(|kind| self.task.objects(problem, kind).len()).sum::<usize>() as f64
    }

    /// About how many answers an atom has.
    pub fn expected(&self, atom: &Atom, bound: impl Fn(&Term) -> bool) -> f64 {
        let known = self.sizes.get(atom.name.as_str());
        let (count, values) = known.map_or((1, &[][..]), |(count, values)| (*count, values));
        let mut rows = count as f64;
        for (_, values) in atom.args.iter().zip(values).filter(|(arg, _)| bound(arg)) {
            rows /= *values as f64;
        }
        let fluent = if self.task.is_static(&atom.name) { 1.0 } else { 1.2 };
        if atom.args.iter().all(bound) { 0.3 * fluent } else { rows * fluent }
    }
}

/// A list for each predicate that actions change, and one for those without arguments.
fn lists<'a>(task: &Task<'a>) -> Vec<(String, Vec<&'a str>)> {
    let (relations, flags): (Vec<&str>, Vec<&str>) =
        task.changing.iter().partition(|name| task.arity(name) > 0);
    let relations =
        relations.into_iter().map(|name| (format!("{}s", text::variable(name)), vec![name]));
    let flags = (!flags.is_empty()).then(|| ("Flags".to_owned(), flags));
    let mut fresh = Fresh::but_for([INSTANCE]);
    relations.chain(flags).map(|(base, names)| (fresh.name(&base), names)).collect()
}

/// Of each predicate how many facts of it a problem has, and how many objects in each place.
fn sizes(problem: &Problem) -> BTreeMap<&str, (usize, Vec<usize>)> {
    let mut facts: BTreeMap<&str, (usize, Vec<BTreeSet<&str>>)> = BTreeMap::new();
    for (name, args) in &problem.init {
        watchdog::steps(args.len() + 1);
        let (count, places) = facts.entry(name).or_default();
        *count += 1;
        places.resize(args.len(), BTreeSet::new());
        for (place, arg) in places.iter_mut().zip(args) {
            place.insert(arg);
        }
    }
    let sizes = |(count, places): (usize, Vec<BTreeSet<&str>>)| {
        (count, places.iter().map(BTreeSet::len).collect())
    };
    facts.into_iter().map(|(name, of_name)| (name, sizes(of_name))).collect()
}
