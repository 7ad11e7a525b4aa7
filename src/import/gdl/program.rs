//! The rules of a game as a whole: which relations there are, what they depend on, and what is not
//! supported.
//!
//! A relation is *static* if it holds alike in every state, of the *state* if it depends on what is
//! `true`, and *joint* if it depends on what players do as well. Relations that depend on each other are
//! a *component*; components come in an order in which each depends on those before it only.

use super::check;
use super::syntax::{Atom, Key, Literal, Rule, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::diagnostic::Diagnostic;
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

/// What makes the game: nothing else matters but what these depend on.
const ROOTS: &[(&str, usize)] =
    &[("role", 1), ("init", 1), ("legal", 2), ("next", 1), ("goal", 2), ("terminal", 0)];

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
    /// The game that the rules of a text make, if all of them could be read.
    pub fn new(
        source: &Source,
        mut rules: Vec<Rule>,
        complete: bool,
        faults: &mut Vec<Diagnostic>,
    ) -> Program {
        part_goals(&mut rules);
        let whole = Program::of_relations(source, rules);
        let is_root = |key: &Key| name(key) == "sees" || ROOTS.contains(&(name(key), key.1));
        let used = whole.reached(is_root, |_| true);
        let used = used.iter().map(|used| key(name(used), used.1)).collect();
        faults.extend(check::check(&whole, &used, complete));
        let rules = whole.rules.into_iter().filter(|rule| used.contains(&check::plain(&rule.head)));
        Program::of_relations(source, rules.collect())
    }

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
        program.components = super::components::components(&program);
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

    pub fn recursive(&self, key: &Key) -> bool {
        self.relations.get(key).is_some_and(|relation| relation.recursive)
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

/// Tells goals apart by their values, where all are constants: goals of one value may depend on there being
/// no other.
fn part_goals(rules: &mut [Rule]) {
    fn atoms(rule: &mut Rule) -> impl Iterator<Item = &mut Atom> {
        let body = rule.body.iter_mut().filter_map(|literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Same(..) => None,
        });
        std::iter::once(&mut rule.head).chain(body).filter(|atom| atom.name == "goal")
    }
    let constant = |atom: &mut Atom| matches!(atom.args.as_slice(), [_, Term::Constant(_)]);
    if rules.iter_mut().all(|rule| atoms(rule).all(constant)) {
        for atom in rules.iter_mut().flat_map(atoms) {
            if let [_, Term::Constant(value)] = atom.args.as_slice() {
                atom.part = Some(value.clone());
            }
        }
    }
}

/// The fluent of an atom `true`, `next` or `init`.
pub fn fluent(atom: &Atom) -> Option<&Term> {
    match (atom.name.as_str(), atom.args.as_slice()) {
        ("true" | "next" | "init", [fluent]) => Some(fluent),
        _ => None,
    }
}
