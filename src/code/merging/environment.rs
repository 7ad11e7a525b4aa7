//! What variables are bound to on one way through a clause.

use super::goals::Call;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;
use std::sync::Arc;
use zug_symbolic::{Condition, Shape, Store, Substitute, Term, Variable};

/// Variables of the caller begin here: what a clause is called with and answers in.
pub const CALLERS: u32 = 1 << 30;
/// Variables that came in by answers of calls begin here.
pub const FRESH: u32 = 1 << 31;

#[derive(Clone, Debug, Default)]
pub struct Environment {
    // PERF: copied on each way; of most clauses there is room in place.
    clause: SmallVec<[Option<Term>; 12]>,
    callers: SmallVec<[Option<Term>; 6]>,
    fresh: SmallVec<[Option<Term>; 4]>,
    /// The call that was left on the way.
    call: Option<Arc<Call>>,
    /// The number of the fold that the way is of.
    fold: Option<u32>,
}

/// An answer so far: where it holds, and the bindings there.
#[derive(Clone, Debug)]
pub struct Way {
    pub condition: Condition,
    pub bindings: Rc<Environment>,
}

/// The answers of a built-in; `None` if its clauses are run instead.
pub type Ways = Option<Vec<Way>>;

impl Way {
    pub fn new(condition: Condition) -> Way {
        Way { condition, bindings: Rc::default() }
    }

    pub fn within(&self, condition: Condition) -> Way {
        Way { condition, bindings: self.bindings.clone() }
    }
}

impl Environment {
    fn slot(variable: Variable) -> (usize, usize) {
        match variable.0 {
            number @ FRESH.. => (2, (number - FRESH) as usize),
            number @ CALLERS.. => (1, (number - CALLERS) as usize),
            number => (0, number as usize),
        }
    }

    pub fn get(&self, variable: Variable) -> Option<Term> {
        let (part, place) = Environment::slot(variable);
        let part = [&self.clause[..], &self.callers[..], &self.fresh[..]][part];
        part.get(place).copied().flatten()
    }

    pub fn bind(&mut self, variable: Variable, term: Term) {
        let (part, place) = Environment::slot(variable);
        match part {
            0 => put(&mut self.clause, place, term),
            1 => put(&mut self.callers, place, term),
            _ => put(&mut self.fresh, place, term),
        }
    }

    pub fn call(&self) -> Option<&Arc<Call>> {
        self.call.as_ref()
    }

    pub fn fold(&self) -> Option<u32> {
        self.fold
    }

    pub fn set_fold(&mut self, fold: Option<u32>) {
        self.fold = fold;
    }

    pub fn leave(&mut self, call: Arc<Call>) {
        self.call = Some(call);
    }

    pub fn fresh(&mut self) -> Variable {
        self.fresh.push(None);
        Variable(FRESH + self.fresh.len() as u32 - 1)
    }

    /// One without bindings, in which as many variables were made as in either, of the fold of both.
    pub fn cleared(&self, other: &Environment) -> Environment {
        let fresh = smallvec![None; self.fresh.len().max(other.fresh.len())];
        Environment { fresh, fold: other.fold, ..Environment::default() }
    }

    /// The variables that are bound, or were made here.
    pub fn all(&self) -> Vec<Variable> {
        let part = |part: &[Option<Term>], first: u32| {
            let bound = part.iter().enumerate().filter(|(_, term)| term.is_some());
            bound.map(|(place, _)| Variable(first + place as u32)).collect::<Vec<_>>()
        };
        [part(&self.clause, 0), part(&self.callers, CALLERS), part(&self.fresh, FRESH)].concat()
    }

    /// A term, as far as its outermost structure goes.
    pub fn walk(&self, store: &Store, mut term: Term) -> Term {
        while let Shape::Variable(variable) = store.shape(term) {
            match self.get(*variable) {
                Some(bound) => term = bound,
                None => break,
            }
        }
        term
    }

    pub fn resolve(&self, store: &mut Store, term: Term) -> Term {
        store.substituted(term, &mut |store, variable| match self.get(variable) {
            Some(bound) => Substitute::More(bound),
            None => Substitute::Done(store.variable(variable)),
        })
    }
}

fn put<const N: usize>(part: &mut SmallVec<[Option<Term>; N]>, place: usize, term: Term)
where
    [Option<Term>; N]: smallvec::Array<Item = Option<Term>>,
{
    if part.len() <= place {
        part.resize(place + 1, None);
    }
    part[place] = Some(term);
}

/// A way where a condition holds too.
pub fn tested(run: &mut super::Run<'_>, mut way: Way, condition: Condition) -> Vec<Way> {
    way.condition = run.store.both(way.condition, condition);
    if way.condition == Condition::NEVER { Vec::new() } else { vec![way] }
}
