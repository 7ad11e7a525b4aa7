//! The store of Boolean constraints: components of variables, a decision diagram each.
//!
//! Variables that hang together are a component, with the conjunction of its constraints as one diagram. What changes
//! is saved on a trail, once for each choice point, as far as backtracking may ask for it.

use super::diagrams::{Diagrams, Node, TRUE};
use rustc_hash::FxHashMap;
use zug_term::symbol::Atom;

const NONE: u32 = u32::MAX;
/// Nodes that are made before it is looked which are needed.
const YOUNG: usize = 1 << 16;

#[derive(Clone, Copy)]
pub struct Variable {
    /// The number by which the machine has its term; `None` for one that an atom stands for.
    pub anchor: Option<usize>,
    pub atom: Option<Atom>,
    component: u32,
}

#[derive(Clone, Default)]
pub struct Component {
    pub formula: Node,
    /// The constraints one by one, as they are told to people.
    pub parts: Vec<Node>,
    /// When it was saved last.
    saved: u64,
}

enum Undo {
    NewVariable,
    NewComponent,
    Changed(u32, Component),
    Moved(u32, u32),
}

#[derive(Default)]
pub struct Booleans {
    pub diagrams: Diagrams,
    variables: Vec<Variable>,
    components: Vec<Component>,
    atoms: FxHashMap<Atom, u32>,
    trail: Vec<Undo>,
    mark: u64,
    needed: usize,
}

impl Booleans {
    pub fn trail_len(&self) -> usize {
        self.trail.len()
    }

    /// What is changed from here on is saved again.
    pub fn mark(&mut self) {
        self.mark += 1;
    }

    /// Takes back what was done since the trail had this length.
    pub fn undo_to(&mut self, length: usize) {
        while self.trail.len() > length {
            match self.trail.pop().expect("longer") {
                Undo::NewVariable => {
                    let variable = self.variables.pop().expect("it was made");
                    if let Some(atom) = variable.atom {
                        self.atoms.remove(&atom);
                    }
                }
                Undo::NewComponent => drop(self.components.pop()),
                Undo::Changed(at, old) => self.components[at as usize] = old,
                Undo::Moved(var, old) => self.variables[var as usize].component = old,
            }
        }
    }

    pub fn len(&self) -> usize {
        self.variables.len()
    }

    pub fn variable(&self, var: u32) -> Variable {
        self.variables[var as usize]
    }

    pub fn new_variable(&mut self, anchor: Option<usize>, atom: Option<Atom>) -> u32 {
        let var = self.variables.len() as u32;
        self.variables.push(Variable { anchor, atom, component: NONE });
        self.trail.push(Undo::NewVariable);
        var
    }

    /// Gives a variable the number by which the machine has its term.
    pub fn set_anchor(&mut self, var: u32, anchor: usize) {
        self.variables[var as usize].anchor = Some(anchor);
    }

    /// The variable that an atom stands for.
    pub fn of_atom(&mut self, atom: Atom) -> u32 {
        if let Some(&known) = self.atoms.get(&atom) {
            return known;
        }
        let var = self.new_variable(None, Some(atom));
        self.atoms.insert(atom, var);
        var
    }

    /// Whether a variable stands for an atom: what holds has to hold for both of its values.
    pub fn is_universal(&self, var: u32) -> bool {
        self.variables[var as usize].atom.is_some()
    }

    pub fn component_of(&self, var: u32) -> Option<u32> {
        let component = self.variables[var as usize].component;
        (component != NONE).then_some(component)
    }

    pub fn component(&self, at: u32) -> &Component {
        &self.components[at as usize]
    }

    /// The components of variables, each once, the oldest first.
    pub fn components_of(&self, vars: &[u32]) -> Vec<u32> {
        let mut found: Vec<u32> = vars.iter().filter_map(|&var| self.component_of(var)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Changes a component; its variables are those of the new formula, and of its parts.
    pub fn set_component(&mut self, at: u32, formula: Node, parts: Vec<Node>) {
        let mark = self.mark;
        let component = &mut self.components[at as usize];
        let new = Component { formula, parts, saved: mark };
        let old = std::mem::replace(component, new);
        if old.saved != mark {
            self.trail.push(Undo::Changed(at, old));
        }
    }

    /// Makes one component of several, or a new one of none, to which these variables belong.
    pub fn join(&mut self, components: &[u32], vars: &[u32]) -> u32 {
        let Some((&first, others)) = components.split_first() else {
            let at = self.components.len() as u32;
            self.components.push(Component { formula: TRUE, parts: Vec::new(), saved: self.mark });
            self.trail.push(Undo::NewComponent);
            self.move_to(at, vars);
            return at;
        };
        let mut formula = self.component(first).formula;
        let mut parts = self.component(first).parts.clone();
        for &other in others {
            let other = self.component(other).clone();
            formula = self.diagrams.and(formula, other.formula);
            parts.extend(other.parts);
        }
        if !others.is_empty() {
            self.set_component(first, formula, parts);
            let moved: Vec<u32> = (0..self.variables.len() as u32)
                .filter(|&var| others.contains(&self.variables[var as usize].component))
                .collect();
            self.move_to(first, &moved);
        }
        self.move_to(first, vars);
        first
    }

    fn move_to(&mut self, at: u32, vars: &[u32]) {
        for &var in vars {
            let old = std::mem::replace(&mut self.variables[var as usize].component, at);
            if old != at {
                self.trail.push(Undo::Moved(var, old));
            }
        }
    }

    /// A variable belongs to no component any more.
    pub fn leave(&mut self, var: u32) {
        self.move_to(NONE, &[var]);
    }

    /// Forgets nodes that nothing needs, if there are many.
    pub fn collect(&mut self) {
        if self.diagrams.len() < 2 * self.needed + YOUNG {
            return;
        }
        let saved = self.trail.iter_mut().filter_map(|undo| match undo {
            Undo::Changed(_, component) => Some(component),
            _ => None,
        });
        let roots = self
            .components
            .iter_mut()
            .chain(saved)
            .flat_map(|component| component.parts.iter_mut().chain([&mut component.formula]));
        self.diagrams.collect(roots);
        self.needed = self.diagrams.len();
    }
}
