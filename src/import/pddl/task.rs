//! What is known of a domain and its problems together: what changes, what objects there are of each
//! type, and names in the rule language.

use super::definitions::{Action, Domain, Problem};
use super::types::OBJECT;
use crate::{reserved, text, text::Fresh};
use std::collections::{BTreeMap, BTreeSet};
use zug_term::watchdog;

/// A domain with problems.
pub struct Task<'a> {
    pub domain: &'a Domain,
    pub problems: &'a [Problem],
    /// Predicates that actions change, in the order of the text.
    pub changing: Vec<&'a str>,
    /// Predicates that follow from others.
    pub derived: BTreeSet<&'a str>,
    /// Predicates that may hold of objects of other types than they are declared for.
    pub untyped: BTreeSet<&'a str>,
    /// Objects as constants of the rule language,
    objects: Names,
    /// what holds in states, and actions, as atoms,
    functors: Names,
    /// predicates and functions as predicates,
    predicates: Names,
    types: Names,
}

/// Words with their names.
type Names = BTreeMap<String, String>;

/// Predicates that a file written here has or asks for.
const OWN: &[&str] = &["state", "subtract", HAS_METRIC];

/// The predicate of problems in which actions cost what the task says.
pub const HAS_METRIC: &str = "has_metric";

impl<'a> Task<'a> {
    /// Looks at a domain and its problems.
    pub fn new(domain: &'a Domain, problems: &'a [Problem]) -> Task<'a> {
        let effects = || {
            let of_action = |action: &'a Action| {
                action.effects.iter().map(|effect| (&action.vars[..], &effect.atom))
            };
            domain.actions.iter().flat_map(of_action)
        };
        let changed: BTreeSet<&str> = effects().map(|(_, atom)| atom.name.as_str()).collect();
        let heads = domain.derived.iter().map(|derived| (&derived.vars[..], &derived.head));
        let untyped = effects().chain(heads).filter(|(vars, atom)| !domain.is_typed(vars, atom));
        let of_problems =
            problems.iter().flat_map(|problem| &problem.objects).map(|(name, _)| name);
        let words = || domain.predicates.keys();
        let actions = domain.actions.iter().map(|action| &action.name);
        let kinds: Vec<String> = domain.types.names().chain([OBJECT]).map(str::to_owned).collect();
        let mut taken = Fresh::but_for(reserved::names().chain(OWN.iter().copied()));
        Task {
            domain,
            problems,
            changing: domain
                .order
                .iter()
                .map(String::as_str)
                .filter(|name| changed.contains(name))
                .collect(),
            derived: domain.derived.iter().map(|derived| derived.head.name.as_str()).collect(),
            untyped: untyped.map(|(_, atom)| atom.name.as_str()).collect(),
            objects: names(of_problems, text::constant, "", &mut Fresh::default()),
            functors: names(words().chain(actions), text::atom, "", &mut Fresh::default()),
            predicates: names(
                words().chain(domain.functions.keys()),
                text::atom,
                "is_",
                &mut taken,
            ),
            types: names(&kinds, text::atom, "type_", &mut taken),
        }
    }

    /// An object as a constant.
    pub fn object(&self, word: &str) -> &str {
        &self.objects[word]
    }

    /// What holds in states, or an action, as an atom.
    pub fn functor(&self, word: &str) -> &str {
        &self.functors[word]
    }

    /// A predicate or function of the task as a predicate of the rule file.
    pub fn predicate(&self, word: &str) -> &str {
        &self.predicates[word]
    }

    pub fn type_predicate(&self, kind: &str) -> &str {
        &self.types[kind]
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

/// Different words get different names: their own where it is free, else one with `prefix` before it.
fn names<'w>(
    words: impl IntoIterator<Item = &'w String>,
    written: fn(&str) -> String,
    prefix: &str,
    fresh: &mut Fresh,
) -> Names {
    let mut named = Names::new();
    let mut others = Vec::new();
    for word in words {
        watchdog::step();
        if text::plain(word) == *word && fresh.given.insert(word.clone()) {
            named.insert(word.clone(), written(word));
        } else {
            others.push(word);
        }
    }
    for word in others {
        if named.contains_key(word) {
            continue;
        }
        let mut base = text::plain(word);
        if fresh.given.contains(&base) {
            base.insert_str(0, prefix);
        }
        named.insert(word.clone(), written(&fresh.name(&base)));
    }
    named
}
