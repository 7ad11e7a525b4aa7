//! Expected numbers of answers: of tables that are known from their rows, of fluents and relations that depend on
//! a state from their arguments.
//!
//! Rules run top-down. A condition that the text asks with values for some variables may not be asked without them,
//! unless its answers are known to be few (`order`): of a relation that builds words of nested terms, or depends on
//! itself, there may be millions, or no end of them.

use super::board::Boards;
use super::costs::{BottomUp, free};
use super::interpret::Interpreter;
use super::order::{self, Bound, Costs};
use super::program::{Level, Program};
use super::syntax::{Atom, Key, Rule, fluent};
use rustc_hash::FxHashMap;

/// The cost of a recursive function, relative to the expected answers of other conditions.
const RECURSION: f64 = 20.0;
/// The most facts that replace the rules of a static relation,
const FEW_ROWS: usize = 300;
/// of a recursive one,
const MANY: usize = 50_000;
/// and the most answers that are few.
const FEW: f64 = MANY as f64;

/// Costs of the conditions of rules that are run top-down.
pub struct Sizes<'a> {
    known: BottomUp<'a>,
    boards: &'a Boards,
    /// By recursive relation: whether each argument is a function of the others.
    functions: &'a FxHashMap<Key, Vec<bool>>,
    /// Relations whose answers are few whatever variables have values, and how many.
    few: FxHashMap<Key, f64>,
}

impl<'a> Sizes<'a> {
    /// Costs of rules that are run top-down: by the tables of static relations, the places of boards, and the functions
    /// among recursive relations.
    pub fn new(
        program: &'a Program,
        interpreter: &'a Interpreter,
        boards: &'a Boards,
        functions: &'a FxHashMap<Key, Vec<bool>>,
    ) -> Sizes<'a> {
        let known = BottomUp { program, tables: &interpreter.tables };
        let mut sizes = Sizes { known, boards, functions, few: FxHashMap::default() };
        for component in &program.components {
            let [key] = component.as_slice() else { continue };
            if let Some(answers) = sizes.all_answers(key).filter(|answers| *answers <= FEW) {
                sizes.few.insert(key.clone(), answers);
            }
        }
        sizes
    }

    /// Whether facts replace the rules of a static relation.
    pub fn is_table(&self, key: &Key) -> bool {
        let BottomUp { program, tables } = self.known;
        let most = if program.recursive(key) { MANY } else { FEW_ROWS };
        program.written_level(key) == Level::Static
            && program.rules_of(key).any(|rule| !rule.body.is_empty())
            && tables.rows(key).is_some_and(|table| table.len() <= most)
    }

    /// How many answers a relation is expected to have in all, if they are known to be finite.
    fn all_answers(&self, key: &Key) -> Option<f64> {
        if self.known.program.level(key) == Level::Static {
            let table = self.known.tables.rows(key)?;
            return Some(table.len() as f64);
        }
        let rules = self.known.program.rules_of(key).map(|rule| self.answers_of(rule));
        (!self.known.program.recursive(key)).then(|| rules.sum())?
    }

    fn answers_of(&self, rule: &Rule) -> Option<f64> {
        let mut bound = Bound::default();
        let mut answers = 1.0;
        for atom in rule.positive() {
            if !self.is_listed(atom) {
                return None;
            }
            let free = free(&atom.args, &bound);
            answers *= match self.few.get(&atom.key()) {
                Some(all) if free > 0 => all.powf(f64::from(free) / atom.args.len() as f64),
                _ => self.answers(atom, &bound).max(1.0),
            };
            bound.extend(atom.vars());
        }
        Some(answers)
    }

    /// Whether the one unbound argument of a condition is a function of the others.
    fn is_value(&self, atom: &Atom, bound: &Bound) -> bool {
        let mut open = (0..atom.args.len()).filter(|&n| !order::is_bound(&atom.args[n], bound));
        match (open.next(), open.next(), self.functions.get(&atom.key())) {
            (Some(n), None, Some(functions)) => functions[n],
            _ => false,
        }
    }
}

impl Costs for Sizes<'_> {
    fn answers(&self, atom: &Atom, bound: &Bound) -> f64 {
        if let Some(fluent) = fluent(atom).filter(|_| atom.name == "true") {
            let known = |n: usize| order::is_bound(&fluent.args()[n], bound);
            if fluent.functor().is_some_and(|functor| self.boards.has_place(functor, known)) {
                return if free(fluent.args(), bound) == 0 { 0.5 } else { 2.2 };
            }
        }
        if self.is_value(atom, bound) {
            return RECURSION;
        }
        self.known.answers(atom, bound)
    }

    fn test(&self, atom: &Atom) -> f64 {
        self.known.test(atom)
    }

    fn is_listed(&self, atom: &Atom) -> bool {
        matches!(atom.name.as_str(), "true" | "does") || self.few.contains_key(&atom.key())
    }
}
