//! Domains and problems as they are defined.

use super::formula::{Atom, Condition};
use super::types::{Typed, Types};
use std::collections::{BTreeMap, BTreeSet};
use zug_term::source::Span;
use zug_term::watchdog;

/// Words that stand for no predicate and no function.
#[rustfmt::skip]
pub const KEYWORDS: &[&str] = &[
    "=", "<", ">", "<=", ">=", "and", "or", "not", "imply", "exists", "forall", "when", "increase",
    "decrease", "assign", "scale-up", "scale-down", "preference", "either",
];

/// Objects with their types, each time that they are declared.
pub type Objects = BTreeMap<String, Vec<Vec<String>>>;

#[derive(Debug, Default)]
pub struct Domain {
    pub name: String,
    /// What it needs, with all that this stands for.
    pub requirements: BTreeSet<&'static str>,
    pub types: Types,
    /// Objects of all problems.
    pub constants: Vec<Typed>,
    /// Predicates with the types of their arguments.
    pub predicates: BTreeMap<String, Vec<Vec<String>>>,
    /// Predicates in the order of the text.
    pub order: Vec<String>,
    /// Functions with the types of their arguments.
    pub functions: BTreeMap<String, Vec<Vec<String>>>,
    pub actions: Vec<Action>,
    /// Predicates that follow from others.
    pub derived: Vec<Derived>,
}

impl Domain {
    /// The predicates that these are or depend on.
    pub fn depended_on<'a>(&'a self, names: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
        let mut pending: Vec<&str> = names.collect();
        let mut seen: BTreeSet<&str> = pending.iter().copied().collect();
        while let Some(next) = pending.pop() {
            for derived in self.derived.iter().filter(|derived| derived.head.name == next) {
                watchdog::step();
                let asked = derived.condition.predicates();
                pending.extend(asked.into_iter().filter(|asked| seen.insert(asked)));
            }
        }
        seen
    }

    /// Whether the variables of an atom are of the types that its predicate is declared for.
    pub fn is_typed(&self, vars: &[Typed], atom: &Atom) -> bool {
        let types = self.predicates.get(&atom.name);
        let mut args = atom.args.iter().zip(types.into_iter().flatten());
        args.all(|(arg, types)| arg.var().is_none_or(|var| self.types.within(&vars[var].1, types)))
    }
}

#[derive(Debug, Default)]
pub struct Action {
    pub name: String,
    /// Variables and their types; the first ones are the parameters, others are bound inside.
    pub vars: Vec<Typed>,
    /// How many of them are parameters.
    pub parameters: usize,
    pub precondition: Condition,
    pub effects: Vec<Effect>,
    /// What it costs, if that is said: the sum of these.
    pub costs: Vec<Cost>,
}

#[derive(Debug)]
pub struct Derived {
    pub head: Atom,
    pub span: Span,
    pub vars: Vec<Typed>,
    pub condition: Condition,
}

#[derive(Clone, Debug)]
pub struct Effect {
    /// Objects of these variables, each of them.
    pub vars: Vec<usize>,
    pub condition: Condition,
    /// The atom becomes true (`true`), or false.
    pub holds: bool,
    pub atom: Atom,
}

/// A part of a cost.
#[derive(Clone, Debug)]
pub enum Cost {
    Number(String),
    /// A static function that is evaluated, and where.
    Function(Atom, Span),
}

#[derive(Debug, Default)]
pub struct Problem {
    pub name: String,
    /// Its objects, with the constants of the domain.
    pub objects: Vec<Typed>,
    pub init: Vec<(String, Vec<String>)>,
    /// The values of functions.
    pub values: Vec<(String, Vec<String>, String)>,
    pub goal: Condition,
    /// Variables of the goal and their types.
    pub vars: Vec<Typed>,
    pub costs: bool,
}
