//! The rules of a game as a whole: which relations there are, what they depend on, and what is not
//! supported.
//!
//! A relation is *static* if it holds alike in every state, of the *state* if it depends on what is
//! `true`, and *joint* if it depends on what players do as well. Relations that depend on each other are
//! a *component*; components come in an order in which each depends on those before it only.

use super::syntax::{Atom, Key, Literal, Rule, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;

/// On what a relation depends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// On nothing.
    Static,
    /// On the state.
    State,
    /// On the state and on what the players do.
    Joint,
}

/// A relation that has rules, or is asked for.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its rules, in the order of the text.
    pub rules: Vec<usize>,
    /// On what it depends.
    pub level: Level,
    /// Whether it depends on itself.
    pub recursive: bool,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Program {
    /// The text.
    pub source: Source,
    /// The rules that bear on the game.
    pub rules: Vec<Rule>,
    /// The relations.
    pub relations: FxHashMap<Key, Relation>,
    /// Relations with rules that depend on each other.
    pub components: Vec<Vec<Key>>,
}

/// What makes the game: nothing else matters but what these depend on.
const ROOTS: &[(&str, usize)] =
    &[("role", 1), ("init", 1), ("legal", 2), ("next", 1), ("goal", 2), ("terminal", 0)];

/// `name/arity` as a key.
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
    /// The game that rules make.
    pub fn new(source: &Source, rules: Vec<Rule>, faults: &mut Vec<Diagnostic>) -> Program {
        let mut rules = needed(rules);
        part_goals(&mut rules);
        let program = Program::of_relations(source, rules);
        program.check(faults);
        program
    }

    /// Rules with what their relations depend on, unchecked.
    pub fn of_relations(source: &Source, rules: Vec<Rule>) -> Program {
        let mut relations = FxHashMap::default();
        for (nth, rule) in rules.iter().enumerate() {
            relation(&mut relations, rule.head.key()).rules.push(nth);
            for atom in rule.body.iter().filter_map(Literal::atom) {
                relation(&mut relations, atom.key());
            }
        }
        let mut program =
            Program { source: source.clone(), rules, relations, components: Vec::new() };
        program.components = super::components::components(&program);
        program.set_levels();
        program
    }

    /// The rules of a relation.
    pub fn rules_of<'a>(&'a self, key: &Key) -> impl Iterator<Item = &'a Rule> + use<'a> {
        let rules = self.relations.get(key).map_or(&[][..], |relation| &relation.rules);
        rules.iter().map(|&nth| &self.rules[nth])
    }

    /// On what a relation depends.
    pub fn level(&self, key: &Key) -> Level {
        self.relations.get(key).map_or(Level::Static, |relation| relation.level)
    }

    /// Whether a relation depends on itself.
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
            let asked = rules.flat_map(|rule| rule.body.iter().filter_map(Literal::atom));
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
            let mut bodies = self.rules_of(key).flat_map(|rule| &rule.body);
            bodies.any(|literal| literal.atom().is_some_and(|atom| component.contains(&atom.key())))
        })
    }

    fn check(&self, faults: &mut Vec<Diagnostic>) {
        for rule in &self.rules {
            self.check_head(&rule.head, faults);
            for literal in &rule.body {
                self.check_literal(rule, literal, faults);
            }
        }
        for component in &self.components {
            self.check_stratified(component, faults);
        }
        for (name, arity) in [("role", 1), ("legal", 2), ("terminal", 0)] {
            if self.rules_of(&key(name, arity)).next().is_none() {
                let message = format!("the game has no rule for `{name}/{arity}`");
                faults.push(Diagnostic::error("E0806", message));
            }
        }
    }

    fn fault(&self, atom: &Atom, code: &'static str, message: String) -> Diagnostic {
        Diagnostic::error(code, message).at(&self.source, atom.span, "")
    }

    fn check_head(&self, head: &Atom, faults: &mut Vec<Diagnostic>) {
        let (name, arity) = head.key();
        if matches!((name.as_str(), arity), ("true", 1) | ("does", 2)) {
            faults.push(self.fault(head, "E0805", format!("`{name}` is not for rules to define")));
        }
        if name == "sees" {
            let message = "`sees` is not supported: players see the whole state".to_owned();
            faults.push(self.fault(head, "E0807", message));
        }
    }

    fn check_literal(&self, rule: &Rule, literal: &Literal, faults: &mut Vec<Diagnostic>) {
        let Some(atom) = literal.atom() else { return };
        let (name, arity) = atom.key();
        let expected = match name.as_str() {
            "true" | "role" | "init" | "next" => 1,
            "does" | "legal" | "goal" => 2,
            "terminal" => 0,
            "or" | "and" | "not" | "distinct" => {
                let message = format!("`{name}` has {arity} arguments");
                faults.push(self.fault(atom, "E0804", message));
                return;
            }
            _ => arity,
        };
        if arity != expected {
            let message = format!("`{name}` has {expected} arguments, and not {arity}");
            faults.push(self.fault(atom, "E0804", message));
        } else if self.relations[&(name.clone(), arity)].rules.is_empty()
            && !matches!(name.as_str(), "true" | "does")
        {
            let message = format!("`{name}/{arity}` has no rules: it never holds");
            let about = shown(&rule.head.key());
            faults.push(Diagnostic::warning("W0801", message).at(
                &self.source,
                atom.span,
                format!("asked for by {about}"),
            ));
        }
    }

    /// No relation may depend on the contrary of itself.
    fn check_stratified(&self, component: &[Key], faults: &mut Vec<Diagnostic>) {
        for rule in component.iter().flat_map(|key| self.rules_of(key)) {
            for literal in &rule.body {
                let Literal::Negative(atom) = literal else { continue };
                if component.contains(&atom.key()) {
                    let message = format!(
                        "`{}` depends on the contrary of itself, through `{}`",
                        shown(&rule.head.key()),
                        shown(&atom.key())
                    );
                    faults.push(self.fault(atom, "E0808", message));
                }
            }
        }
    }
}

fn relation(relations: &mut FxHashMap<Key, Relation>, key: Key) -> &mut Relation {
    relations.entry(key).or_insert_with(|| Relation {
        rules: Vec::new(),
        level: Level::Static,
        recursive: false,
    })
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

/// The rules on which the roots depend.
fn needed(rules: Vec<Rule>) -> Vec<Rule> {
    let mut heads: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    for (nth, rule) in rules.iter().enumerate() {
        heads.entry(rule.head.key()).or_default().push(nth);
    }
    let mut pending: Vec<Key> = ROOTS.iter().map(|&(name, arity)| key(name, arity)).collect();
    pending.extend(rules.iter().map(|rule| rule.head.key()).filter(|(name, _)| name == "sees"));
    let mut seen: FxHashSet<Key> = pending.iter().cloned().collect();
    while let Some(next) = pending.pop() {
        for &nth in heads.get(&next).into_iter().flatten() {
            for atom in rules[nth].body.iter().filter_map(Literal::atom) {
                if seen.insert(atom.key()) {
                    pending.push(atom.key());
                }
            }
        }
    }
    rules.into_iter().filter(|rule| seen.contains(&rule.head.key())).collect()
}

/// The fluent of an atom `true`, `next` or `init`.
pub fn fluent(atom: &Atom) -> Option<&Term> {
    match (atom.name.as_str(), atom.args.as_slice()) {
        ("true" | "next" | "init", [fluent]) => Some(fluent),
        _ => None,
    }
}
