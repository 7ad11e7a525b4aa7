//! Costs of the conditions of rules that are run bottom-up: all that holds is in tables, so that any order ends.

use super::order::{self, Bound, Costs};
use super::program::{Level, Program};
use super::syntax::{Atom, Term, fluent};
use super::table::Tables;

/// Costs by the tables that are known so far.
pub struct BottomUp<'a> {
    pub program: &'a Program,
    pub tables: &'a Tables,
}

/// How many of some terms have no value.
pub fn free(args: &[Term], bound: &Bound) -> i32 {
    args.iter().filter(|arg| !order::is_bound(arg, bound)).count() as i32
}

impl Costs for BottomUp<'_> {
    fn answers(&self, atom: &Atom, bound: &Bound) -> f64 {
        if let Some(fluent) = fluent(atom).filter(|_| atom.name == "true") {
            return match fluent {
                // What is on no board.
                Term::Var(var) if !bound.contains(var) => 1e4,
                Term::Var(_) => 0.5,
                fluent if fluent.args().len() == 1 => 0.5 + f64::from(free(fluent.args(), bound)),
                fluent => 0.5 * 5f64.powi(free(fluent.args(), bound)),
            };
        }
        if atom.name == "does" {
            return 0.4 + 0.2 * f64::from(free(&atom.args[..1], bound));
        }
        let (key, program) = (atom.key(), self.program);
        match self.tables.rows(&key).filter(|_| program.level(&key) == Level::Static) {
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

    fn is_listed(&self, _: &Atom) -> bool {
        true
    }
}
