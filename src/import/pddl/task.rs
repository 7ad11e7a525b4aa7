//! What is known of a domain and its problems together: what changes, what objects there are of each
//! type, and names in the rule language.

use super::syntax::{Domain, Problem};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};
use zug_term::watchdog;

/// A domain with problems.
pub struct Task<'a> {
    /// The domain.
    pub domain: &'a Domain,
    /// The problems.
    pub problems: &'a [Problem],
    /// Predicates that actions change, in the order of the text.
    pub changing: Vec<&'a str>,
    /// Predicates that follow from others.
    pub derived: BTreeSet<&'a str>,
    /// Words as atoms of the rule language.
    names: BTreeMap<String, String>,
}

/// Names that a rule file written here uses, or that have a meaning of their own.
const TAKEN: &[&str] = &[
    "append",
    "call",
    "fail",
    "final_state",
    "findall",
    "forall",
    "halt",
    "heuristic",
    "initial_state",
    "is",
    "member",
    "memberchk",
    "move",
    "not",
    "once",
    "print_state",
    "repeat",
    "rule",
    "sort",
    "state",
    "subtract",
    "symmetry",
    "table",
    "true",
    "var",
    "write",
    "open",
    "close",
    "atom",
    "number",
    "integer",
    "float",
    "model",
    "read",
    "arg",
    "functor",
    "assert",
    "retract",
    "clause",
    "op",
    "players",
    "action",
    "test",
    "nl",
    "length",
    "ground",
    "atomic",
    "compound",
    "callable",
    "throw",
    "catch",
    "bagof",
    "setof",
    "draw_state",
    "length",
];

impl<'a> Task<'a> {
    /// Looks at a domain and its problems.
    pub fn new(domain: &'a Domain, problems: &'a [Problem]) -> Task<'a> {
        let effects = domain.actions.iter().flat_map(|action| &action.effects);
        let changed: BTreeSet<&str> = effects.map(|effect| effect.atom.name.as_str()).collect();
        let mut task = Task {
            domain,
            problems,
            changing: domain
                .order
                .iter()
                .map(String::as_str)
                .filter(|name| changed.contains(name))
                .collect(),
            derived: domain.derived.iter().map(|derived| derived.head.name.as_str()).collect(),
            names: BTreeMap::new(),
        };
        task.set_names();
        task
    }

    /// Different words have different names.
    fn set_names(&mut self) {
        let objects =
            self.problems.iter().flat_map(|problem| &problem.objects).map(|(name, _)| name);
        let domain = self.domain;
        let actions = domain.actions.iter().map(|action| &action.name);
        let words = objects.chain(domain.predicates.keys()).chain(actions);
        let types: Vec<String> = domain.types.names().map(str::to_owned).collect();
        let words = words.chain(domain.functions.keys()).chain(&types);
        let mut taken = BTreeSet::new();
        for word in words {
            if self.names.contains_key(word) {
                continue;
            }
            let base = text::plain(word);
            let mut name = base.clone();
            let mut n = 1;
            while !taken.insert(name.clone()) {
                watchdog::step();
                n += 1;
                name = format!("{base}_{n}");
            }
            self.names.insert(word.clone(), text::constant(&name));
        }
    }

    /// A word as an atom.
    pub fn name(&self, word: &str) -> String {
        self.names.get(word).cloned().unwrap_or_else(|| text::constant(&text::plain(word)))
    }

    /// A predicate of the task as one of the rule file.
    pub fn predicate(&self, word: &str) -> String {
        let name = self.name(word);
        if TAKEN.contains(&name.as_str()) { format!("is_{name}") } else { name }
    }

    /// The predicate of a type.
    pub fn type_predicate(&self, kind: &str) -> String {
        let name = self.predicate(kind);
        let known =
            self.domain.predicates.contains_key(kind) || self.domain.functions.contains_key(kind);
        if known { format!("type_{}", self.name(kind)) } else { name }
    }

    /// The objects of a type in a problem.
    pub fn objects(&self, problem: &'a Problem, kind: &str) -> Vec<&'a str> {
        let kind = [kind.to_owned()];
        let of_type = problem.objects.iter().filter(|(_, types)| {
            watchdog::step();
            types.iter().any(|t| self.domain.types.within(std::slice::from_ref(t), &kind))
        });
        of_type.map(|(name, _)| name.as_str()).collect()
    }

    /// The number of arguments of a predicate.
    pub fn arity(&self, name: &str) -> usize {
        self.domain.predicates.get(name).map_or(0, Vec::len)
    }

    /// Whether a predicate is the same in all states.
    pub fn is_static(&self, name: &str) -> bool {
        !self.changing.contains(&name) && !self.derived.contains(name)
    }
}
