//! The rules of a game as a whole: which relations there are, what they depend on, and what is not
//! supported.
//!
//! A relation is *static* if it holds alike in every state, of the *state* if it depends on what is
//! `true`, and *joint* if it depends on what players do as well. Relations that depend on each other are
//! a *component*; components come in an order in which each depends on those before it only.

use super::components::of_graph;
use super::delta::{GAINED, LOST};
use super::syntax::{Atom, Key, Literal, Rule, Term, fluent};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::source::Source;
use zug_term::watchdog;

/// On what a relation depends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Static,
    State,
    Joint,
}

/// A relation that has rules, or is asked for.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its rules, in the order of the text.
    pub rules: Vec<usize>,
    pub level: Level,
    pub recursive: bool,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Program {
    pub source: Source,
    /// The rules that bear on the game.
    pub rules: Vec<Rule>,
    pub relations: FxHashMap<Key, Relation>,
    /// Relations with rules that depend on each other.
    pub components: Vec<Vec<Key>>,
}

pub fn key(name: &str, arity: usize) -> Key {
    (name.to_owned(), arity)
}

/// The name of the relation that a key, or the part of a relation that it is for, belongs to.
pub fn name(key: &Key) -> &str {
    key.0.split(' ').next().unwrap_or_default()
}

/// A relation as it is written in messages.
pub fn shown((name, arity): &Key) -> String {
    format!("{name}/{arity}")
}

impl Program {
    /// Rules with what their relations depend on, unchecked.
    pub fn of_relations(source: &Source, rules: Vec<Rule>) -> Program {
        let mut relations = FxHashMap::default();
        for (nth, rule) in rules.iter().enumerate() {
            relation(&mut relations, rule.head.key()).rules.push(nth);
            for atom in rule.asked() {
                relation(&mut relations, atom.key());
            }
        }
        let mut program =
            Program { source: source.clone(), rules, relations, components: Vec::new() };
        program.components = program.relations_together();
        program.set_levels();
        program
    }

    pub fn rules_of<'a>(&'a self, key: &Key) -> impl Iterator<Item = &'a Rule> + use<'a> {
        let rules = self.relations.get(key).map_or(&[][..], |relation| &relation.rules);
        rules.iter().map(|&nth| &self.rules[nth])
    }

    /// Relations with rules that are roots, and those that they ask by conditions that are `followed`.
    pub fn reached(
        &self,
        is_root: impl Fn(&Key) -> bool,
        followed: impl Fn(&Literal) -> bool,
    ) -> Vec<Key> {
        let roots = self.components.iter().flatten().filter(|key| is_root(key));
        let mut pending: Vec<Key> = roots.cloned().collect();
        let mut seen: FxHashSet<Key> = pending.iter().cloned().collect();
        let mut reached = Vec::new();
        while let Some(next) = pending.pop() {
            let bodies = self.rules_of(&next).flat_map(|rule| &rule.body);
            let asked = bodies.filter(|literal| followed(literal)).filter_map(Literal::atom);
            pending.extend(asked.map(Atom::key).filter(|key| seen.insert(key.clone())));
            reached.push(next);
        }
        reached
    }

    pub fn level(&self, key: &Key) -> Level {
        self.relations.get(key).map_or(Level::Static, |relation| relation.level)
    }

    /// The level of a relation in the written file, which decides on its extra arguments.
    pub fn written_level(&self, key: &Key) -> Level {
        match name(key) {
            "next" | LOST | GAINED => Level::Joint,
            "legal" | "goal" | "terminal" => self.level(key).max(Level::State),
            _ => self.level(key),
        }
    }

    pub fn recursive(&self, key: &Key) -> bool {
        self.relations.get(key).is_some_and(|relation| relation.recursive)
    }

    /// Relations with rules that depend on each other, those depended on first.
    fn relations_together(&self) -> Vec<Vec<Key>> {
        let mut keys: Vec<Key> = Vec::new();
        let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
        for rule in &self.rules {
            numbers.entry(rule.head.key()).or_insert_with(|| {
                keys.push(rule.head.key());
                keys.len() - 1
            });
        }
        let asked = |key: &Key| -> Vec<usize> {
            let atoms = self.rules_of(key).flat_map(Rule::asked);
            atoms.filter_map(|atom| numbers.get(&atom.key()).copied()).collect()
        };
        let edges: Vec<Vec<usize>> = keys.iter().map(asked).collect();
        let named =
            |component: Vec<usize>| component.into_iter().map(|n| keys[n].clone()).collect();
        of_graph(&edges).into_iter().map(named).collect()
    }

    fn set_levels(&mut self) {
        for (name, arity, level) in [("true", 1, Level::State), ("does", 2, Level::Joint)] {
            if let Some(relation) = self.relations.get_mut(&key(name, arity)) {
                relation.level = level;
            }
        }
        for component in self.components.clone() {
            let rules = component.iter().flat_map(|key| self.rules_of(key));
            let asked = rules.flat_map(Rule::asked);
            let level = asked.map(|atom| self.level(&atom.key())).max().unwrap_or(Level::Static);
            let recursive = self.depends_on_itself(&component);
            for key in &component {
                let relation = relation(&mut self.relations, key.clone());
                relation.level = relation.level.max(level);
                relation.recursive = recursive;
            }
        }
    }

    fn depends_on_itself(&self, component: &[Key]) -> bool {
        component.iter().any(|key| {
            watchdog::steps(component.len());
            let mut asked = self.rules_of(key).flat_map(Rule::asked);
            asked.any(|atom| component.contains(&atom.key()))
        })
    }
}

fn relation(relations: &mut FxHashMap<Key, Relation>, key: Key) -> &mut Relation {
    let new = || Relation { rules: Vec::new(), level: Level::Static, recursive: false };
    relations.entry(key).or_insert_with(new)
}

/// The rules that say what of a relation of fluents holds next.
pub fn rules_of_next<'a>(program: &'a Program, (name, arity): (&str, usize)) -> Vec<&'a Rule> {
    program.rules_of(&key("next", 1)).filter(|rule| is_of_next(rule, (name, arity))).collect()
}

/// Whether a rule says what holds next, of fluents with this functor.
pub fn is_of_next(rule: &Rule, functor: (&str, usize)) -> bool {
    rule.head.name == "next" && fluent(&rule.head).and_then(Term::functor) == Some(functor)
}
