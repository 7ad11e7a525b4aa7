//! The store of a session, and the variables of terms that are in it.
//!
//! A variable of a term has its number in the store as its attribute of the module `clpb`; the store has it as an anchor of
//! the machine, to bind it. Backtracking takes the machine back first; the store follows when it is asked next.

use super::consequences;
use super::diagrams::{Diagrams, FALSE, Node, TRUE};
use super::store::Booleans;
use rustc_hash::FxHashMap;
use zug_machine::{Machine, Outcome};
use zug_prolog::World;
use zug_term::symbol::Atom;
use zug_term::{Cell, Value};

pub const MODULE: &str = "clpb";
const LEVEL: usize = 1;

/// A machine and the store beside it, in step.
pub struct Session<'a> {
    pub m: &'a mut Machine,
    pub store: &'a mut Booleans,
    native: u16,
    module: Atom,
    /// Variables without constraints are written `v(X)`: the flag `clpb_monotonic`.
    pub monotonic: bool,
}

impl<'a> Session<'a> {
    /// The store of a session, taken back to where the machine is.
    pub fn new(m: &'a mut Machine, w: &'a mut World) -> Session<'a> {
        let monotonic = w.flags.is_on(m, "clpb_monotonic");
        let store = w.slots.get_mut::<Booleans>();
        let level = m.level(LEVEL) as usize;
        if store.trail_len() > level {
            store.undo_to(level);
        }
        // What was changed since the newest choice point is saved already.
        if !m.is_level_noted(LEVEL) {
            store.mark();
        }
        store.collect();
        let module = m.symbols.intern(MODULE);
        let native = m.add_native(module);
        Session { m, store, native, module, monotonic }
    }

    /// What was done to the store stays, until it is backtracked.
    pub fn keep(&mut self) {
        self.m.set_level(LEVEL, self.store.trail_len() as u64);
    }

    /// The variable of the store that a variable of a term has, if it has one.
    pub fn known(&self, cell: Cell) -> Option<u32> {
        let attribute = self.m.attribute(cell, self.module)?;
        let number = self.m.heap.deref(attribute).as_int()?;
        (0..self.store.len() as i64).contains(&number).then_some(number as u32)
    }

    /// Whether a variable would have to be marked as a Boolean one.
    pub fn must_be_marked(&self, cell: Cell) -> bool {
        self.monotonic && self.known(cell).is_none()
    }

    /// The variable of the store for a variable of a term.
    pub fn variable(&mut self, cell: Cell) -> u32 {
        if let Some(var) = self.known(cell) {
            return var;
        }
        let var = self.store.new_variable(None, None);
        let cell = self.m.heap.deref(cell);
        self.m.set_attribute(cell, self.module, Cell::small(var.into()));
        let cell = self.m.heap.deref(cell);
        let anchor = self.m.anchor(Cell::reference(cell.addr()));
        self.store.set_anchor(var, anchor);
        var
    }

    /// The term of a variable: a variable, or the atom that it stands for.
    pub fn term(&self, var: u32) -> Cell {
        let variable = self.store.variable(var);
        match (variable.atom, variable.anchor) {
            (Some(atom), _) => Cell::atom(atom),
            (None, Some(anchor)) => self.m.heap.deref(self.m.anchored(anchor)),
            (None, None) => unreachable!("each variable is of a term or an atom"),
        }
    }

    /// The conjunction of a function with all that is known of its variables, and of those beside.
    pub fn with_constraints(&mut self, function: Node, vars: &[u32]) -> Node {
        let mut all = self.store.diagrams.support(function);
        all.extend(vars);
        let components = self.store.components_of(&all);
        components.into_iter().fold(function, |so_far, component| {
            let formula = self.store.component(component).formula;
            self.store.diagrams.and(so_far, formula)
        })
    }

    /// A function whatever a variable is: for both of its values if it stands for an atom, else for one.
    pub fn eliminated(&mut self, function: Node, var: u32) -> Node {
        if self.store.is_universal(var) {
            self.store.diagrams.for_all(function, var)
        } else {
            self.store.diagrams.exists(function, var)
        }
    }

    /// Whether variables can have values that make a function 1, whatever those are that atoms stand for.
    pub fn is_satisfiable(&mut self, function: Node) -> bool {
        let support = self.store.diagrams.support(function);
        if !support.iter().any(|&var| self.store.is_universal(var)) {
            return function != FALSE;
        }
        let mut left = function;
        for var in support.into_iter().rev() {
            if !self.store.is_universal(var) {
                left = self.store.diagrams.exists(left, var);
            }
        }
        left == TRUE
    }

    pub fn post(&mut self, function: Node) -> bool {
        if function <= TRUE {
            return function == TRUE;
        }
        let support = self.store.diagrams.support(function);
        let components = self.store.components_of(&support);
        let at = self.store.join(&components, &support);
        let known = self.store.component(at).clone();
        let formula = self.store.diagrams.and(known.formula, function);
        let mut parts = known.parts;
        parts.push(function);
        self.store.set_component(at, formula, parts);
        self.propagate(at)
    }

    /// Binds variables of a component that have one value, or are equal; false if it cannot hold.
    fn propagate(&mut self, at: u32) -> bool {
        let formula = self.store.component(at).formula;
        if formula == FALSE || !self.is_satisfiable(formula) {
            return false;
        }
        let found = consequences::of(&mut self.store.diagrams, formula);
        if found.values.is_empty() && found.equal.is_empty() {
            return true;
        }
        let values: FxHashMap<u32, bool> = found.values.iter().copied().collect();
        if values.keys().any(|&var| self.store.is_universal(var)) {
            return false;
        }
        self.change(at, |diagrams, node| diagrams.restrict(node, &values));
        for (var, value) in found.values {
            let cell = self.term(var);
            self.store.leave(var);
            if cell.is_var() {
                self.m.bind_for(cell, Cell::small(value.into()), self.native);
            }
        }
        let mut joined: FxHashMap<u32, u32> = FxHashMap::default();
        for (one, other) in found.equal {
            let one = joined.get(&one).copied().unwrap_or(one);
            let (stays, goes) = match [one, other].map(|var| self.store.is_universal(var)) {
                [true, true] => return false,
                [false, true] => (other, one),
                _ => (one, other),
            };
            joined.insert(goes, stays);
            let by = self.store.diagrams.variable(stays);
            self.change(at, |diagrams, node| diagrams.compose(node, goes, by));
            let (cell, target) = (self.term(goes), self.term(stays));
            self.store.leave(goes);
            if cell.is_var() && cell != target {
                self.m.bind_for(cell, target, self.native);
            }
        }
        true
    }

    /// Changes the formula and the parts of a component.
    fn change(&mut self, at: u32, mut by: impl FnMut(&mut Diagrams, Node) -> Node) {
        let known = self.store.component(at).clone();
        let formula = by(&mut self.store.diagrams, known.formula);
        let parts = known.parts.into_iter().map(|part| by(&mut self.store.diagrams, part));
        let parts: Vec<Node> = parts.filter(|&part| part != TRUE).collect();
        self.store.set_component(at, formula, parts);
    }

    /// A variable is a function from here on; the component that this concerns.
    fn substitute(&mut self, var: u32, by: Node, touched: &mut Vec<u32>) {
        let Some(own) = self.store.component_of(var) else { return };
        let support = self.store.diagrams.support(by);
        let mut components = self.store.components_of(&support);
        if !components.contains(&own) {
            components.insert(0, own);
        }
        let at = self.store.join(&components, &support);
        self.change(at, |diagrams, node| diagrams.compose(node, var, by));
        self.store.leave(var);
        touched.retain(|component| !components.contains(component));
        touched.push(at);
    }

    /// Variables of terms have been bound: pairs of the number in the store and the value.
    fn take(&mut self, pairs: &[(Cell, Cell)]) -> Outcome {
        let mut touched = Vec::new();
        for &(attribute, value) in pairs {
            let Some(number) = self.m.heap.deref(attribute).as_int() else { continue };
            let var = number as u32;
            match self.m.heap.value(value) {
                Value::Int(bit @ (0 | 1)) => {
                    let by = if bit == 1 { TRUE } else { FALSE };
                    self.substitute(var, by, &mut touched);
                }
                Value::Var(_) if self.known(value).is_none() => {
                    let cell = self.m.heap.deref(value);
                    self.m.set_attribute(cell, self.module, Cell::small(number));
                }
                _ => {
                    let by = self.function(value)?;
                    if self.store.diagrams.variable(var) != by {
                        self.substitute(var, by, &mut touched);
                    }
                }
            }
        }
        Ok(touched.into_iter().all(|at| self.propagate(at)))
    }
}

/// Variables of terms have been bound: pairs of the attribute and the value.
pub fn bound(m: &mut Machine, w: &mut World, pairs: &[(Cell, Cell)]) -> Outcome {
    let mut session = Session::new(m, w);
    let outcome = session.take(pairs);
    session.keep();
    outcome
}
