//! The manager of nodes: its capacity is fixed, and an operation fails where that is not enough.

use super::Progress;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Manager, ManagerRef,
    Subst,
};
use std::cell::{Cell, RefCell};

/// A set of states, or a condition.
pub type Diagram = BDDFunction;

/// Why an operation was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// There is no room for more nodes.
    Full,
    /// Whoever watches the search wants it to end.
    Watched(u8),
}

/// What is told how far a search is.
pub type Watch<'w> = dyn FnMut(&Progress) -> Option<u8> + 'w;

/// Bytes of a node: itself, its place in the table by which equal ones are found, its part of the cache of
/// operations.
pub const NODE_BYTES: usize = 40;
/// A place in the cache for so many nodes.
const CACHED: usize = 4;
/// Threads that operations run on.
const THREADS: u32 = 1;

/// The nodes.
pub struct Store<'w> {
    watch: RefCell<&'w mut Watch<'w>>,
    told: Cell<Progress>,
    manager: BDDManagerRef,
    variables: Vec<Diagram>,
    negated: Vec<Diagram>,
    pub never: Diagram,
    pub always: Diagram,
    most_nodes: Cell<usize>,
}

impl<'w> Store<'w> {
    pub fn new(nodes: usize, variables: u32, watch: &'w mut Watch<'w>) -> Result<Store<'w>, Stop> {
        let manager = new_manager(nodes, (nodes / CACHED).next_power_of_two(), THREADS);
        let numbers = manager.with_manager_exclusive(|manager| manager.add_vars(variables));
        let made = manager.with_manager_shared(|manager| {
            let variables = numbers.clone().map(|number| BDDFunction::var(manager, number));
            let negated = numbers.map(|number| BDDFunction::not_var(manager, number));
            let all = (variables.collect::<Result<_, _>>()?, negated.collect::<Result<_, _>>()?);
            Ok((all, BDDFunction::f(manager), BDDFunction::t(manager)))
        });
        let made: Result<_, oxidd::util::OutOfMemory> = made;
        let ((variables, negated), never, always) = made.map_err(|_| Stop::Full)?;
        let (watch, told) = (RefCell::new(watch), Cell::new(Progress::default()));
        let most_nodes = Cell::new(0);
        Ok(Store { watch, told, manager, variables, negated, never, always, most_nodes })
    }

    pub fn literal(&self, variable: u32, is: bool) -> &Diagram {
        &(if is { &self.variables } else { &self.negated })[variable as usize]
    }

    /// Does an operation, and tries it again after nodes of no use were collected. Before each one it is asked
    /// whether to go on: nothing stops one that is under way.
    fn made(
        &self,
        operation: impl Fn() -> Result<Diagram, oxidd::util::OutOfMemory>,
    ) -> Result<Diagram, Stop> {
        let told = self.told();
        if let Some(reason) = (*self.watch.borrow_mut())(&told) {
            return Err(Stop::Watched(reason));
        }
        if let Ok(made) = operation() {
            return Ok(made);
        }
        self.manager.with_manager_shared(|manager| manager.gc());
        operation().map_err(|_| Stop::Full)
    }

    pub fn and(&self, one: &Diagram, other: &Diagram) -> Result<Diagram, Stop> {
        self.made(|| one.and(other))
    }

    pub fn or(&self, one: &Diagram, other: &Diagram) -> Result<Diagram, Stop> {
        self.made(|| one.or(other))
    }

    pub fn without(&self, set: &Diagram, other: &Diagram) -> Result<Diagram, Stop> {
        self.made(|| other.imp_strict(set))
    }

    /// What is in both sets, whatever some variables are.
    pub fn meet(
        &self,
        one: &Diagram,
        other: &Diagram,
        variables: &Diagram,
    ) -> Result<Diagram, Stop> {
        self.made(|| one.apply_exists(BooleanOperator::And, other, variables))
    }

    /// With other variables in the place of some.
    pub fn renamed(&self, of: &Diagram, names: &[(u32, u32)]) -> Result<Diagram, Stop> {
        let from: Vec<u32> = names.iter().map(|(from, _)| *from).collect();
        let to: Vec<Diagram> =
            names.iter().map(|&(_, to)| self.literal(to, true).clone()).collect();
        let names = Subst::new(from, to);
        self.made(|| of.substitute(&names))
    }

    /// All of these.
    pub fn all(&self, parts: Vec<Diagram>) -> Result<Diagram, Stop> {
        self.folded(parts, &self.always, Store::and)
    }

    /// One of these at least.
    pub fn any(&self, parts: Vec<Diagram>) -> Result<Diagram, Stop> {
        self.folded(parts, &self.never, Store::or)
    }

    /// Pairs first, then pairs of these: neighbours have most in common.
    fn folded(
        &self,
        mut parts: Vec<Diagram>,
        none: &Diagram,
        join: impl Fn(&Self, &Diagram, &Diagram) -> Result<Diagram, Stop>,
    ) -> Result<Diagram, Stop> {
        while parts.len() > 1 {
            let pairs = parts.chunks(2).map(|pair| match pair {
                [one, other] => join(self, one, other),
                one => Ok(one[0].clone()),
            });
            parts = pairs.collect::<Result<_, _>>()?;
        }
        Ok(parts.pop().unwrap_or_else(|| none.clone()))
    }

    /// How far the search is, from now on.
    pub fn tell(&self, told: Progress) {
        self.told.set(told);
    }

    fn told(&self) -> Progress {
        let nodes = self.manager.with_manager_shared(|manager| manager.approx_num_inner_nodes());
        self.most_nodes.set(self.most_nodes.get().max(nodes));
        Progress { nodes, bytes: nodes * NODE_BYTES, ..self.told.get() }
    }

    pub fn most_nodes(&self) -> usize {
        self.most_nodes.get()
    }
}
