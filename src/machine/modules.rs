//! Modules: name spaces over others, with predicates of their own and imported ones.
//!
//! A module is a [`Space`] over another one, which has the predicates that it lacks: the user's, as in SWI-Prolog,
//! or, for a unit of tests, that of the file around it. An imported predicate takes the place of an own one in the
//! index of the program. Calls that were compiled before it was imported know a number that stays its *stand-in*,
//! whose entry leads on.

use super::clause::{PredId, Space};
use rustc_hash::FxHashMap;
use zug_term::symbol::{Atom, atoms};

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Atom,
    /// The space in which predicates are looked for that it has not.
    pub base: Space,
    /// It is a unit of tests: what it does not define is the file's.
    pub is_unit: bool,
    /// Predicates that others get who import it, by the name that they have there.
    pub exports: Vec<(Atom, usize)>,
}

/// The modules of a program.
#[derive(Clone, Debug, Default)]
pub struct Modules {
    /// By the numbers of their spaces.
    pub(super) list: Vec<Module>,
    /// Spaces by name.
    pub(super) named: FxHashMap<Atom, Space>,
    /// What stand-ins stand for.
    pub(super) stands_for: FxHashMap<PredId, PredId>,
    /// Predicates whose place in the index an imported one has.
    pub(super) hidden: FxHashMap<(Atom, usize, Space), PredId>,
}

impl Modules {
    /// A module by the number of its space.
    pub fn get(&self, space: Space) -> Option<&Module> {
        match space {
            Space::Module(number) => self.list.get(usize::from(number)),
            Space::System | Space::User => None,
        }
    }

    /// A module to be changed.
    pub fn get_mut(&mut self, space: Space) -> Option<&mut Module> {
        match space {
            Space::Module(number) => self.list.get_mut(usize::from(number)),
            Space::System | Space::User => None,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All modules, in the order in which they were made.
    pub fn all(&self) -> &[Module] {
        &self.list
    }

    pub(super) fn spaces(&self) -> impl Iterator<Item = Space> + use<> {
        (0..self.list.len() as u16).map(Space::Module)
    }

    /// The space that a module names: `system`, `user`, that of a library, or one of its own.
    pub fn named(&self, name: Atom) -> Option<Space> {
        match name {
            atoms::SYSTEM | atoms::ENGINE => Some(Space::System),
            atoms::USER => Some(Space::User),
            _ => self.named.get(&name).copied(),
        }
    }

    /// Lets a module's name stand for a space.
    pub fn set_name(&mut self, name: Atom, space: Space) {
        self.named.insert(name, space);
    }

    /// The space that is looked in behind another one.
    pub(super) fn behind(&self, space: Space) -> Option<Space> {
        match space {
            Space::System => None,
            Space::User => Some(Space::System),
            Space::Module(_) => self.get(space).map(|module| module.base),
        }
    }

    /// Whether a space is the program's: the user's, but not of a unit of tests.
    pub fn is_programs(&self, space: Space) -> bool {
        match space {
            Space::System => false,
            Space::User => true,
            Space::Module(_) => self.get(space).is_some_and(|module| !module.is_unit),
        }
    }

    /// The name of a space as terms have it.
    pub fn name_of(&self, space: Space) -> Atom {
        match space {
            Space::System => atoms::SYSTEM,
            Space::User => atoms::USER,
            Space::Module(_) => self.get(space).map_or(atoms::USER, |module| module.name),
        }
    }
}
