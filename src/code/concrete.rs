//! Built-ins without a symbolic form, on arguments that are known: the machine runs them.

use super::builtins::deopt;
use super::residual::{Cond, kind};
use super::run::{Rest, Run, Step, Stop, Taken};
use super::terms::View;
use zug_machine::{Machine, PredId};
use zug_prolog::builtins::World;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// The longest list that is given to the machine.
const MOST_ITEMS: usize = 1 << 14;

impl Run<'_> {
    /// A built-in that has no symbolic form, on arguments that are known: the machine runs it.
    pub fn concrete_call(&mut self, pred: PredId, args: usize, next: &Rest) -> Taken<Step> {
        let predicate = &self.machine.program.preds[pred as usize];
        let arity = predicate.arity;
        if !depends_on_arguments(self.machine, pred) {
            return deopt("it has no symbolic form");
        }
        let mut known = Vec::new();
        let mut unbound = Vec::new();
        for i in 0..arity {
            let cell = self.heap.at(args + i);
            known.push(match self.view(cell) {
                View::Var(addr) if unbound.contains(&addr) => {
                    return deopt("one variable is two arguments");
                }
                View::Var(addr) => {
                    unbound.push(addr);
                    self.heap.new_var()
                }
                _ => self.concrete(cell, 0)?,
            });
        }
        let all = self.heap.new_struct(atoms::CALL, &known);
        let record = Record::new(&mut self.heap, all);
        let answer = match said(self.machine, self.world, pred, &record) {
            Said::Yes(answer) => answer,
            Said::No => return Err(Stop::Fail),
            Said::Nothing(what) => return deopt(what),
        };
        let answer = answer.instantiate(&mut self.heap);
        if !zug_term::is_ground(&self.heap, answer) {
            return deopt("its answer has variables");
        }
        let (_, _, first) = self.heap.name_arity(answer).unwrap_or((atoms::NIL, 0, 0));
        for i in 0..arity {
            self.unify(self.heap.at(args + i), self.heap.at(first + i))?;
        }
        Ok(Step::Next(next.clone()))
    }

    /// A term without leaves, whose values are asked for.
    fn concrete(&mut self, cell: Cell, depth: u32) -> Taken<Cell> {
        if depth > 200 {
            return deopt("the term is too deep");
        }
        Ok(match self.view(cell) {
            View::Var(_) => return deopt("a variable in a built-in without symbolic form"),
            View::Const(cell) => cell,
            View::Leaf(leaf) => {
                if self.ask(Cond::Kind(leaf, kind::VAR))? {
                    return deopt("an unbound leaf in a built-in without symbolic form");
                }
                self.concretise(leaf)?;
                return deopt("a leaf in a built-in without symbolic form");
            }
            View::Expr(expr) => {
                self.concretise_expr(expr)?;
                return deopt("a value in a built-in without symbolic form");
            }
            View::Bag(bag) => {
                let list = self.open(bag)?;
                self.concrete(list, depth + 1)?
            }
            View::List(_) => {
                let mut items = Vec::new();
                let mut rest = cell;
                while let View::List(addr) = self.view(rest) {
                    items.push(self.concrete(self.heap.at(addr), depth + 1)?);
                    rest = self.heap.at(addr + 1);
                    if items.len() > MOST_ITEMS {
                        return deopt("the list is too long");
                    }
                }
                let tail = self.concrete(rest, depth + 1)?;
                self.heap.list_from(&items, tail)
            }
            View::Struct(header, args) => {
                let mut parts = Vec::new();
                for i in 0..header.functor_arity() {
                    parts.push(self.concrete(self.heap.at(args + i), depth + 1)?);
                }
                self.heap.new_struct(header.functor_name(), &parts)
            }
        })
    }
}

/// What the machine says of a call of a built-in.
pub enum Said {
    /// The call with its only answer.
    Yes(Record),
    /// It fails.
    No,
    /// It is not for code, and why.
    Nothing(&'static str),
}

/// Calls a built-in with the arguments of a term, which may have more behind those.
pub fn said(m: &mut Machine, w: &mut World, pred: PredId, call: &Record) -> Said {
    m.ask(w, |ask| {
        let term = call.instantiate(&mut ask.machine.heap);
        let (_, _, first) = ask.machine.heap.name_arity(term).unwrap_or((atoms::NIL, 0, 0));
        let arity = ask.machine.program.preds[pred as usize].arity;
        let cells: Vec<Cell> = (0..arity).map(|i| ask.machine.heap.at(first + i)).collect();
        ask.add_root(term);
        match ask.call(pred, &cells) {
            Ok(true) if ask.has_more() => Said::Nothing("it has several answers"),
            Ok(true) => {
                let [term] = ask.rooted();
                Said::Yes(Record::new(&mut ask.machine.heap, term))
            }
            Ok(false) => Said::No,
            Err(_) => Said::Nothing("it raises an error"),
        }
    })
}

/// Whether a predicate is a built-in that may be called while code is made: what it answers depends
/// on its arguments alone. (That it changes nothing is not enough: a global variable changes.)
pub fn depends_on_arguments(m: &Machine, pred: PredId) -> bool {
    let predicate = &m.program.preds[pred as usize];
    PURE.contains(&(m.symbols.name(predicate.name), predicate.arity))
}

/// Built-ins of the machine with at most one answer that depend on nothing but their
/// arguments, of which those that are unbound are bound to ground terms.
const PURE: &[(&str, usize)] = &[
    ("numlist", 3),
    ("atom_length", 2),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("char_code", 2),
    ("number_codes", 2),
    ("number_chars", 2),
    ("atom_number", 2),
    ("atom_string", 2),
    ("string_concat", 3),
    ("string_chars", 2),
    ("string_length", 2),
    ("number_string", 2),
    ("upcase_atom", 2),
    ("downcase_atom", 2),
    ("atomic_list_concat", 2),
    ("$concat", 5),
    ("$sub_text", 7),
    ("$length", 3),
    ("$sum_list", 3),
    ("$max_list", 3),
    ("$min_list", 3),
    ("$arity", 2),
    ("$skip_list", 3),
    ("sort", 4),
    ("keysort", 2),
];
