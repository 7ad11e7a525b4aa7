//! The store of a session, and the variables of terms that are in it.
//!
//! A variable of a term that has constraints has an attribute of the module `clpfd`: its number in the
//! store. The store keeps the variable as an *anchor* of the machine, to bind it when it gets a value.
//! Backtracking takes the machine back first; the store follows when it is asked next, by a number
//! that the machine restores (its *level*): how long the trail of the store was.

use crate::domain::Domain;
use crate::expression::integer;
use crate::number::Bound;
use crate::shown::Var;
use crate::store::{Fail, Store};
use num_bigint::BigInt;
use zug_machine::{Fault, Machine, Outcome};
use zug_prolog::World;
use zug_prolog::builtins::list_end;
use zug_term::{Cell, Value};

pub const MODULE: &str = "clpfd";
const LEVEL: usize = 0;

/// Why a constraint was not posted.
pub enum Refusal {
    Fail,
    Fault(Fault),
}

impl From<Fail> for Refusal {
    fn from(_: Fail) -> Refusal {
        Refusal::Fail
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::Fault(fault)
    }
}

/// What becomes of posting a constraint.
pub type Posted<T = ()> = Result<T, Refusal>;

/// What a predicate says of what it posted, or asked.
pub(crate) fn outcome(posted: Posted<bool>) -> Outcome {
    match posted {
        Ok(holds) => Ok(holds),
        Err(Refusal::Fail) => Ok(false),
        Err(Refusal::Fault(fault)) => Err(fault),
    }
}

/// A machine and the store beside it, in step.
pub struct Session<'a> {
    pub m: &'a mut Machine,
    pub store: &'a mut Store,
    native: u16,
    module: zug_term::symbol::Atom,
    /// The store is not the session's, but for explanations: constraints of which there are several forms are
    /// posted in the one that finds most, and no variable of a term is bound.
    pub(crate) beside: bool,
    /// Variables without constraints are written `#(X)`, so that no constraint takes a variable for an integer
    /// that another one takes for a term: the flag `clpfd_monotonic`.
    pub(crate) monotonic: bool,
}

impl<'a> Session<'a> {
    /// The store of a session, taken back to where the machine is.
    pub fn new(m: &'a mut Machine, w: &'a mut World) -> Session<'a> {
        let monotonic = w.flags.clpfd_monotonic;
        let store = w.slots.get_mut::<Store>();
        let level = m.level(LEVEL) as usize;
        // What was refused, or ended in the middle, may have left something to run.
        store.forget_queue();
        store.was_too_large();
        if store.trail_len() > level {
            store.undo_to(level);
        }
        // What was changed since the newest choice point is saved already.
        if !m.is_level_noted(LEVEL) {
            store.mark();
        }
        let module = m.symbols.intern(MODULE);
        let native = m.add_native(module);
        Session { m, store, native, module, beside: false, monotonic }
    }

    /// Runs the propagators, and binds variables of terms that have got values or were joined.
    pub fn settle(&mut self) -> Posted {
        self.propagate()?;
        let (fixed, joined) = self.store.news();
        // What was joined may have got a value since: both have it then.
        for (from, to) in joined {
            let (Some(a), Some(b)) = (self.store.own_anchor(from), self.store.own_anchor(to))
            else {
                continue;
            };
            let a = self.m.heap.deref(self.m.anchored(a as usize));
            let b = self.m.heap.deref(self.m.anchored(b as usize));
            if a == b {
                continue;
            }
            if a.is_var() {
                self.m.bind_for(a, b, self.native);
            } else if b.is_var() {
                self.m.bind_for(b, a, self.native);
            }
        }
        for var in fixed {
            let Some(anchor) = self.store.anchor(var) else { continue };
            let value = self.store.value(var).expect("it is fixed");
            self.bind_value(anchor as usize, &value);
        }
        self.keep();
        Ok(())
    }

    /// A machine and a store that is not the session's: what is bound stays unknown to it.
    pub fn beside(m: &'a mut Machine, store: &'a mut Store) -> Session<'a> {
        let module = m.symbols.intern(MODULE);
        let native = m.add_native(module);
        Session { m, store, native, module, beside: true, monotonic: false }
    }

    pub(crate) fn propagate(&mut self) -> Posted {
        match self.store.propagate() {
            Err(Fail) if self.store.was_too_large() => Err(self.m.resource_error("memory").into()),
            outcome => Ok(outcome?),
        }
    }

    /// What was done to the store stays, until it is backtracked.
    pub fn keep(&mut self) {
        self.m.set_level(LEVEL, self.store.trail_len() as u64);
    }

    fn bind_value(&mut self, anchor: usize, value: &Bound) {
        let cell = self.m.heap.deref(self.m.anchored(anchor));
        if cell.is_var() {
            let value = self.integer(value.finite().expect("a value"));
            self.m.bind_for(cell, value, self.native);
        }
    }

    pub fn integer(&mut self, value: &BigInt) -> Cell {
        self.m.heap.new_big(value)
    }

    /// The variable of the store that a variable of a term has, if it has one.
    pub fn known(&self, cell: Cell) -> Option<Var> {
        let attribute = self.m.attribute(cell, self.module)?;
        let number = self.m.heap.deref(attribute).as_int()?;
        (0..self.store.len() as i64).contains(&number).then_some(Var(number as u32))
    }

    /// Refuses a variable that is not yet known to be an integer where it has to be marked as one.
    pub(crate) fn must_be_marked(&mut self, cell: Cell) -> Posted {
        if self.monotonic && self.m.heap.deref(cell).is_var() && self.known(cell).is_none() {
            return Err(self.m.instantiation_error().into());
        }
        Ok(())
    }

    /// The variable of the store for a variable of a term.
    pub fn variable(&mut self, cell: Cell) -> Var {
        if let Some(var) = self.known(cell) {
            return var;
        }
        let var = self.store.new_var(Domain::all());
        self.attach(cell, var);
        var
    }

    /// Gives a variable of a term a variable of the store.
    fn attach(&mut self, cell: Cell, var: Var) {
        let cell = self.m.heap.deref(cell);
        self.m.set_attribute(cell, self.module, Cell::small(var.0.into()));
        let cell = self.m.heap.deref(cell);
        let anchor = self.m.anchor(Cell::reference(cell.addr()));
        self.store.set_anchor(var, anchor as u32);
    }

    /// A variable of a term for one of the store, which may have one already; the value of one that has a
    /// value.
    pub fn term(&mut self, var: Var) -> Cell {
        if let Some(value) = self.store.value(var) {
            return self.integer(value.finite().expect("a value"));
        }
        if let Some(anchor) = self.store.anchor(var) {
            return self.m.heap.deref(self.m.anchored(anchor as usize));
        }
        let cell = self.m.heap.new_var();
        self.attach(cell, self.store.find(var));
        self.m.heap.deref(cell)
    }

    /// The variable of the store for a variable or an integer.
    pub fn operand(&mut self, cell: Cell) -> Posted<Var> {
        if self.m.heap.deref(cell).is_var() {
            return Ok(self.variable(cell));
        }
        let value = self.number(cell)?;
        Ok(self.store.constant(&value))
    }

    /// The variables of the store for the items of a list.
    pub fn operands(&mut self, list: Cell) -> Posted<Vec<Var>> {
        let items = self.list(list)?;
        items.into_iter().map(|item| self.operand(item)).collect()
    }

    /// The name of a goal, and its arguments.
    pub(crate) fn named(&self, goal: Cell) -> Option<(String, Vec<Cell>)> {
        let heap = &self.m.heap;
        let (name, arity, at) = heap.name_arity(goal)?;
        let args = (0..arity).map(|i| heap.deref(heap.at(at + i))).collect();
        Some((self.m.symbols.name(name).to_owned(), args))
    }

    pub fn list(&mut self, list: Cell) -> Posted<Vec<Cell>> {
        if let Some(items) = self.m.heap.proper_list(list) {
            return Ok(items);
        }
        let rest = list_end(&self.m.heap, list).1;
        if self.known(list).is_none() && self.m.heap.deref(rest).is_var() {
            return Err(self.m.instantiation_error().into());
        }
        Err(self.m.type_error("list", list).into())
    }

    /// Variables of terms have been bound: pairs of the number in the store and the value.
    pub fn bound(&mut self, pairs: &[(Cell, Cell)]) -> Posted {
        for &(attribute, value) in pairs {
            let Some(number) = self.m.heap.deref(attribute).as_int() else { continue };
            let var = Var(number as u32);
            match (self.m.heap.value(value), integer(&self.m.heap, value)) {
                (_, Some(value)) => self.store.fix(var, &Bound::Fin(value))?,
                (Value::Var(_), _) => match self.known(value) {
                    Some(other) => self.store.join(var, other)?,
                    None => {
                        let cell = self.m.heap.deref(value);
                        let root = self.store.find(var);
                        self.m.set_attribute(cell, self.module, Cell::small(root.0.into()));
                    }
                },
                _ => return Err(self.m.type_error("integer", value).into()),
            }
        }
        Ok(())
    }
}
