//! What still holds something back, as goals: the residual constraints of an answer.

use crate::propagators::reified::set_shown;
use crate::session::Session;
use crate::shown::Shown;
use crate::store::{Prop, Var};
use rustc_hash::FxHashSet;
use zug_machine::{Fault, Machine};
use zug_prolog::World;
use zug_term::Cell;

/// The goals of variables that have constraints, and of all that these hang together with: for each
/// variable the set of its values, then the constraints on it that were not among those before.
///
/// # Errors
/// A limit of time, or an interrupt.
pub fn goals(m: &mut Machine, w: &mut World, variables: &[Cell]) -> Result<Vec<Cell>, Fault> {
    let mut session = Session::new(m, w);
    let mut todo: Vec<Var> = variables.iter().filter_map(|&cell| session.known(cell)).collect();
    todo.reverse();
    let mut seen: FxHashSet<Var> = FxHashSet::default();
    let mut shown: FxHashSet<Prop> = FxHashSet::default();
    let mut goals = Vec::new();
    while let Some(var) = todo.pop() {
        let var = session.store.find(var);
        if session.store.is_fixed(var) || !seen.insert(var) {
            continue;
        }
        let props: Vec<Prop> = session.store.props_of(var).collect();
        let domain = session.store.domain(var);
        if *domain != crate::domain::Domain::all() || props.is_empty() {
            let set = set_shown(domain);
            let goal = session.shown(&Shown::binary("in", var.into(), set));
            goals.push(goal);
        }
        let mut found = Vec::new();
        for prop in props {
            if !shown.insert(prop) {
                continue;
            }
            let Some(constraint) = session.store.code(prop).clone().shown(session.store) else {
                continue;
            };
            constraint.variables(session.store, &mut found);
            let goal = session.shown(&constraint);
            goals.push(goal);
        }
        todo.extend(found.into_iter().rev());
    }
    session.keep();
    Ok(goals)
}

impl Session<'_> {
    /// A constraint as a term.
    pub fn shown(&mut self, shown: &Shown) -> Cell {
        match shown {
            Shown::Var(var) => self.term(*var),
            Shown::Int(value) => self.integer(value),
            Shown::List(items) => {
                let items: Vec<Cell> = items.iter().map(|item| self.shown(item)).collect();
                self.m.heap.list_from(&items, Cell::NIL)
            }
            Shown::Chain(name, parts) => {
                let name = self.m.symbols.intern(name);
                let parts: Vec<Cell> = parts.iter().map(|part| self.shown(part)).collect();
                let both = |left, right| self.m.heap.new_struct(name, &[left, right]);
                parts.into_iter().reduce(both).unwrap_or(Cell::NIL)
            }
            Shown::Compound(name, arguments) => {
                let arguments: Vec<Cell> =
                    arguments.iter().map(|argument| self.shown(argument)).collect();
                let name = self.m.symbols.intern(name);
                self.m.heap.new_struct(name, &arguments)
            }
        }
    }
}
