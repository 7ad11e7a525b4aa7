//! What still holds something back, as goals: the residual constraints of an answer.

use crate::domain::Domain;
use crate::propagators::reified::set_shown;
use crate::session::Session;
use crate::shown::{Shown, Var};
use crate::store::{Prop, Store};
use rustc_hash::FxHashSet;
use zug_machine::{Fault, Machine};
use zug_prolog::World;
use zug_term::{Cell, watchdog};

/// The goals of variables that have constraints, and of all that these hang together with, in the order in
/// which they were constrained first: for each variable the set of its values, then the constraints on it that
/// were not among those before.
pub fn goals(m: &mut Machine, w: &mut World, variables: &[Cell]) -> Result<Vec<Cell>, Fault> {
    let mut session = Session::new(m, w);
    let known = variables.iter().filter_map(|&cell| session.known(cell)).collect();
    let mut shown: FxHashSet<Prop> = FxHashSet::default();
    let mut goals = Vec::new();
    for var in session.connected(known) {
        let props: Vec<Prop> = session.store.props_of(var).collect();
        let domain = session.store.domain(var);
        if *domain != Domain::all() || props.is_empty() {
            let set = set_shown(domain);
            goals.push(session.shown(&Shown::binary("in", var.into(), set)));
        }
        for prop in props {
            if !shown.insert(prop) {
                continue;
            }
            let Some(constraint) = session.store.code(prop).clone().shown(session.store) else {
                continue;
            };
            let is_marked = session.monotonic;
            goals.push(session.written(&constraint, is_marked));
        }
    }
    session.keep();
    Ok(goals)
}

impl Session<'_> {
    /// The variables without a value that some are connected with by constraints, the oldest first.
    fn connected(&self, mut todo: Vec<Var>) -> Vec<Var> {
        let store = &*self.store;
        let mut seen: FxHashSet<Var> = FxHashSet::default();
        let mut looked_at: FxHashSet<Prop> = FxHashSet::default();
        while let Some(var) = todo.pop() {
            watchdog::step();
            let var = store.find(var);
            if !store.is_fixed(var) && seen.insert(var) {
                for prop in store.props_of(var).filter(|&prop| looked_at.insert(prop)) {
                    if let Some(constraint) = store.code(prop).shown(store) {
                        variables_of(store, &constraint, &mut todo);
                    }
                }
            }
        }
        let mut connected: Vec<Var> = seen.into_iter().collect();
        connected.sort();
        connected
    }

    pub fn shown(&mut self, shown: &Shown) -> Cell {
        self.written(shown, false)
    }

    /// A constraint as a term, if wanted with the variables of its expressions marked.
    fn written(&mut self, shown: &Shown, is_marked: bool) -> Cell {
        match shown {
            Shown::Var(var) => {
                let term = self.term(*var);
                if !is_marked || !term.is_var() {
                    return term;
                }
                let mark = self.m.symbols.intern("#");
                self.m.heap.new_struct(mark, &[term])
            }
            Shown::Int(value) => self.integer(value),
            Shown::List(items) => {
                let items: Vec<Cell> = items.iter().map(|item| self.shown(item)).collect();
                self.m.heap.list_from(&items, Cell::NIL)
            }
            Shown::Chain(name, parts) => {
                let name = self.m.symbols.intern(name);
                let parts: Vec<Cell> =
                    parts.iter().map(|part| self.written(part, is_marked)).collect();
                let both = |left, right| self.m.heap.new_struct(name, &[left, right]);
                parts.into_iter().reduce(both).unwrap_or(Cell::NIL)
            }
            Shown::Compound(name, arguments) => {
                let is_marked = is_marked && *name != "in";
                let arguments = arguments.iter();
                let arguments: Vec<Cell> =
                    arguments.map(|argument| self.written(argument, is_marked)).collect();
                let name = self.m.symbols.intern(name);
                self.m.heap.new_struct(name, &arguments)
            }
        }
    }
}

/// The variables of a term without a value, as they occur.
fn variables_of(store: &Store, shown: &Shown, found: &mut Vec<Var>) {
    match shown {
        Shown::Var(var) => {
            if !store.is_fixed(*var) {
                found.push(store.find(*var));
            }
        }
        Shown::Int(_) => {}
        Shown::Compound(_, parts) | Shown::List(parts) | Shown::Chain(_, parts) => {
            parts.iter().for_each(|part| variables_of(store, part, found));
        }
    }
}
