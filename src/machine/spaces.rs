//! Predicates of spaces: own, imported and inherited ones.

use super::clause::{PredId, Space};
use super::meta::MetaTable;
use super::modules::Module;
use super::program::{Kind, Program};
use std::sync::Arc;
use zug_term::symbol::{Atom, Symbols};

/// What [`Program::own`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    /// The predicate of the space itself.
    pub pred: PredId,
    /// The predicate of another module that was imported under its name until now.
    pub instead_of: Option<PredId>,
}

impl Program {
    /// The space of the module of this name, made if need be; `None` when there are too many.
    pub fn module(&mut self, name: Atom, symbols: &mut Symbols) -> Option<Space> {
        match self.modules.named(name) {
            Some(space) => Some(space),
            None => self.new_module(name, Space::User, false, symbols),
        }
    }

    /// A new module, which this name stands for from now on; `None` when there are too many.
    pub fn new_module(
        &mut self,
        name: Atom,
        base: Space,
        is_unit: bool,
        symbols: &mut Symbols,
    ) -> Option<Space> {
        let number = u16::try_from(self.modules.list.len()).ok()?;
        if number == 0 {
            self.meta = MetaTable::new(symbols);
        }
        let space = Space::Module(number);
        self.modules.list.push(Module { name, base, is_unit, exports: Vec::new() });
        self.modules.named.insert(name, space);
        Some(space)
    }

    /// The predicate that a goal of a space means: that of the first space that has one, own or imported.
    pub fn find(&self, name: Atom, arity: usize, space: Space) -> Option<PredId> {
        let mut space = Some(space);
        while let Some(at) = space {
            let known = self.lookup(name, arity, at);
            let known = known.filter(|&id| self.preds[id as usize].kind != Kind::Undefined);
            if known.is_some() {
                return known;
            }
            space = self.modules.behind(at);
        }
        None
    }

    /// The predicate that one of this space shares the entry of while it has no definition of its own.
    pub(super) fn behind(&self, name: Atom, arity: usize, space: Space) -> Option<PredId> {
        self.find(name, arity, self.modules.behind(space)?)
    }

    /// Whether what a goal of this space means was defined by the user.
    pub fn is_users(&self, name: Atom, arity: usize, space: Space) -> bool {
        self.find(name, arity, space).is_some_and(|id| self.preds[id as usize].space.is_users())
    }

    /// Lets a space have a predicate of another one under a name.
    pub fn import(&mut self, name: Atom, into: Space, from: PredId) {
        let arity = self.preds[from as usize].arity;
        let before = self.set_index((name, arity, into), from);
        if let Some(before) = before.filter(|&before| before != from) {
            let predicate = &self.preds[before as usize];
            if predicate.space == into && predicate.name == name {
                self.modules.hidden.insert((name, arity, into), before);
                self.modules.stands_for.insert(before, from);
                self.share(before);
            } else if let Some(&own) = self.modules.hidden.get(&(name, arity, into)) {
                self.modules.stands_for.insert(own, from);
                self.share(own);
            }
        }
        self.share_name(name, arity);
    }

    /// The predicate of another module that a space has imported under this name.
    pub fn imported(&self, name: Atom, arity: usize, into: Space) -> Option<PredId> {
        let id = self.lookup(name, arity, into)?;
        let predicate = &self.preds[id as usize];
        (predicate.space != into || predicate.name != name).then_some(id)
    }

    /// The predicate of this name of the space itself, made if need be; it takes the place of an imported one.
    pub fn own(&mut self, name: Atom, arity: usize, space: Space) -> Own {
        let Some(imported) = self.imported(name, arity, space) else {
            return Own { pred: self.pred(name, arity, space), instead_of: None };
        };
        self.take_index((name, arity, space));
        let pred = match self.modules.hidden.remove(&(name, arity, space)) {
            Some(own) => {
                self.set_index((name, arity, space), own);
                self.modules.stands_for.remove(&own);
                own
            }
            None => self.pred(name, arity, space),
        };
        self.share_name(name, arity);
        Own { pred, instead_of: Some(imported) }
    }

    /// Leads calls of all predicates of a name to what they stand for now.
    pub(super) fn share_name(&mut self, name: Atom, arity: usize) {
        for space in std::iter::once(Space::User).chain(self.modules.spaces()) {
            if let Some(known) = self.lookup(name, arity, space) {
                self.share(known);
            }
        }
    }

    /// A predicate is entered elsewhere from now on: leads all calls there that mean it.
    pub(super) fn share_all(&mut self, id: PredId) {
        let predicate = &self.preds[id as usize];
        let (name, arity) = (predicate.name, predicate.arity);
        self.share_name(name, arity);
        self.share_stand_ins(id);
    }

    /// Leads stand-ins to a predicate that they stand for.
    pub(super) fn share_stand_ins(&mut self, id: PredId) {
        if self.modules.stands_for.is_empty() {
            return;
        }
        let all = self.modules.stands_for.iter().filter(|&(_, &to)| to == id);
        for own in all.map(|(&own, _)| own).collect::<Vec<_>>() {
            self.share(own);
        }
    }

    /// Whether the module of a predicate exports it.
    pub fn is_exported(&self, id: PredId) -> bool {
        let predicate = &self.preds[id as usize];
        let module = self.modules.get(predicate.space);
        module.is_some_and(|module| module.exports.contains(&(predicate.name, predicate.arity)))
    }

    /// A predicate's arguments that are goals, as it was declared.
    pub fn declared_meta(&self, id: PredId) -> Option<&Arc<[(usize, usize)]>> {
        self.declared.get(&id)
    }

    /// Declares which arguments of a predicate are goals, with the number of arguments that the call adds.
    pub fn declare_meta(&mut self, id: PredId, positions: Arc<[(usize, usize)]>) {
        self.declared.insert(id, positions);
    }
}
