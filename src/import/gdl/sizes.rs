//! Expected numbers of answers: of tables that are known from their rows, of fluents and relations that depend on
//! a state from their arguments.
//!
//! Rules run top-down. A condition that the text asks with values for some variables may not be asked without them,
//! unless its answers are known to be few (`order`): of a relation that builds words of nested terms, or comes to
//! itself, there may be millions, or no end of them.

use super::boards::Boards;
use super::counting::Counted;
use super::interpret::Interpreter;
use super::order::{self, Bound, Costs};
use super::program::{Level, Program, fluent};
use super::syntax::{Atom, Key, Rule, Term};
use rustc_hash::FxHashMap;

/// What it costs to count, against the answers of other conditions.
const COUNT: f64 = 20.0;
/// The most answers that are few: as many as there are facts of a relation that is written as facts.
const FEW: f64 = super::write::MANY as f64;

/// Costs of conditions.
pub struct Sizes<'a> {
    program: &'a Program,
    interpreter: &'a Interpreter,
    /// Of rules that are run top-down. Where rules are run bottom-up all that holds is in tables, so that any
    /// order ends.
    top_down: Option<(&'a Boards, &'a Counted)>,
    /// Relations whose answers are few whatever variables have values, and how many.
    few: FxHashMap<Key, f64>,
}

impl<'a> Sizes<'a> {
    /// Costs of rules that are run bottom-up, by what the interpreter knows so far.
    pub fn bottom_up(program: &'a Program, interpreter: &'a Interpreter) -> Sizes<'a> {
        Sizes { program, interpreter, top_down: None, few: FxHashMap::default() }
    }

    /// Costs of rules that are run top-down: by what the interpreter knows of static relations, the relations of
    /// fluents that are boards, and relations with an argument that the others count.
    pub fn new(
        program: &'a Program,
        interpreter: &'a Interpreter,
        boards: &'a Boards,
        counted: &'a Counted,
    ) -> Sizes<'a> {
        let top_down = Some((boards, counted));
        let mut sizes = Sizes { top_down, ..Sizes::bottom_up(program, interpreter) };
        for component in &program.components {
            let [key] = component.as_slice() else { continue };
            if let Some(answers) = sizes.all_answers(key).filter(|answers| *answers <= FEW) {
                sizes.few.insert(key.clone(), answers);
            }
        }
        sizes
    }

    /// How many answers a relation is expected to have in all, if they are known to be finite.
    fn all_answers(&self, key: &Key) -> Option<f64> {
        if self.program.level(key) == Level::Static {
            let table = self.interpreter.rows(key)?;
            return Some(table.len() as f64);
        }
        let rules = self.program.rules_of(key).map(|rule| self.answers_of(rule));
        (!self.program.recursive(key)).then(|| rules.sum())?
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

    /// Whether what a relation is asked for is a number that it counts.
    fn is_count(&self, key: &Key, args: &[Term], bound: &Bound) -> bool {
        let pairs = self.top_down.and_then(|(_, counted)| counted.get(key));
        pairs.is_some_and(|pairs| {
            let mut others = args.iter().enumerate().filter(|(n, _)| *n != pairs[0].argument);
            others.all(|(_, arg)| order::is_bound(arg, bound))
        })
    }
}

/// How many of some terms have no value.
fn free(args: &[Term], bound: &Bound) -> i32 {
    args.iter().filter(|arg| !order::is_bound(arg, bound)).count() as i32
}

impl Costs for Sizes<'_> {
    fn answers(&self, atom: &Atom, bound: &Bound) -> f64 {
        let key = atom.key();
        if let Some(fluent) = fluent(atom).filter(|_| atom.name == "true") {
            let known = |n: usize| order::is_bound(&fluent.args()[n], bound);
            let boards = self.top_down.map(|(boards, _)| boards).zip(fluent.functor());
            return match fluent {
                _ if boards.is_some_and(|(boards, functor)| boards.has_place(functor, known)) => {
                    if free(fluent.args(), bound) == 0 {
                        0.5
                    } else {
                        2.2
                    }
                }
                // What is on no board.
                Term::Var(var) if !bound.contains(var) => 1e4,
                Term::Var(_) => 0.5,
                fluent if fluent.args().len() == 1 => 0.5 + f64::from(free(fluent.args(), bound)),
                fluent => 0.5 * 5f64.powi(free(fluent.args(), bound)),
            };
        }
        if self.is_count(&key, &atom.args, bound) {
            return COUNT;
        }
        if atom.name == "does" {
            return 0.4 + 0.2 * f64::from(free(&atom.args[..1], bound));
        }
        let program = self.program;
        match self.interpreter.rows(&key).filter(|_| program.level(&key) == Level::Static) {
            Some(table) => table.expected(|n| order::is_bound(&atom.args[n], bound)),
            None if program.recursive(&key) => 1e3 * 6f64.powi(free(&atom.args, bound)),
            None => 6f64.powi(free(&atom.args, bound)),
        }
    }

    fn test(&self, atom: &Atom) -> f64 {
        match self.program.level(&atom.key()) {
            _ if atom.name == "true" => 0.3,
            Level::Static => 0.1,
            Level::Joint => 3.0,
            _ if self.program.recursive(&atom.key()) => 2.0,
            _ => 1.0,
        }
    }

    fn is_listed(&self, atom: &Atom) -> bool {
        self.top_down.is_none()
            || matches!(atom.name.as_str(), "true" | "does")
            || self.few.contains_key(&atom.key())
    }
}
