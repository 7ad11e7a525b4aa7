//! Rules that match: `Head => Body` and `Head, Guard => Body`.
//!
//! The arguments of the head subsume those of the call, of which nothing is bound; the first rule that matches, and
//! whose guard holds, is the one. Where none does, that is an error. A rule is kept as the clause `Head :- Body`,
//! with its [`Neck`] beside it. The error is an entry of its own behind the clauses of the predicate; where a clause
//! is sure to match by the key that selected it, nothing stands behind it.

use super::clause::{Clause, Neck, PredId, deref};
use super::instr::Instr;
use super::program::{Program, Rules};
use super::{Fault, Machine};
use zug_term::Tag;

impl Program {
    /// Says that the clauses of a predicate are rules that match, or that they are not.
    pub fn set_rules(&mut self, pred: PredId, rules: bool) {
        let has = self.preds[pred as usize].rules.is_some();
        if rules && !has {
            let none = self.install(&[Instr::NoRule { pred }]);
            self.preds[pred as usize].rules = Some(Rules { none });
        } else if !rules {
            // The entry stays: choice points may lead to it.
            self.preds[pred as usize].rules = None;
        }
    }

    /// Whether a clause with this neck may be added to a predicate. One without clauses takes any.
    pub fn takes_neck(&self, pred: PredId, neck: Neck) -> bool {
        self.preds[pred as usize].rules.is_some() == neck.is_rule()
            || self.live_clauses(pred).is_empty()
    }
}

impl Machine {
    #[cold]
    pub(super) fn no_rule(&mut self, pred: PredId) -> Fault {
        let goal = self.goal_in_x(pred);
        let predicate = &self.program.preds[pred as usize];
        self.fault_in = Some((predicate.name, predicate.arity));
        self.existence_error("matching_rule", goal)
    }
}

/// Whether a rule matches all calls that have its key in one argument: all other parts are different variables.
pub(super) fn settles(clause: &Clause, arity: usize, arg: usize) -> bool {
    if clause.neck != Neck::Commit {
        return false;
    }
    let cells = &clause.record.cells;
    let follow = |cell| deref(cells, cell);
    let head = clause.head();
    let first = head.addr() + usize::from(!head.is_list());
    let mut variables = Vec::new();
    for i in 0..arity {
        let cell = follow(cells[first + i]);
        match cell.tag() {
            Tag::Ref => variables.push(cell),
            Tag::Atom | Tag::Int if i == arg => {}
            Tag::List if i == arg => {
                variables.extend((0..2).map(|k| follow(cells[cell.addr() + k])));
            }
            Tag::Struct if i == arg => {
                let parts = cells[cell.addr()].functor_arity();
                variables.extend((1..=parts).map(|k| follow(cells[cell.addr() + k])));
            }
            _ => return false,
        }
    }
    let count = variables.len();
    variables.sort_unstable_by_key(|cell| cell.0);
    variables.dedup();
    variables.len() == count && variables.iter().all(|cell| cell.is_ref())
}
