//! Terms with variables: their values, and unification.

use super::syntax::{Rule, Term};
use rustc_hash::FxHashMap;
use zug_term::watchdog;

/// Values of variables, which can be taken back in the order in which they came.
#[derive(Clone, Default)]
pub struct Bindings {
    values: FxHashMap<usize, Term>,
    trail: Vec<usize>,
}

impl Bindings {
    /// How many variables have values.
    pub fn count(&self) -> usize {
        self.trail.len()
    }

    /// Gives a variable without value one.
    pub fn bind(&mut self, var: usize, value: Term) {
        self.values.insert(var, value);
        self.trail.push(var);
    }

    /// Takes back all values but the first.
    pub fn undo(&mut self, to: usize) {
        for var in self.trail.drain(to..) {
            self.values.remove(&var);
        }
    }

    /// A term, or the value of the variable that it is.
    pub fn value<'t>(&'t self, mut term: &'t Term) -> &'t Term {
        while let Term::Var(var) = term
            && let Some(value) = self.values.get(var)
        {
            term = value;
        }
        term
    }
}

/// A term with its variables replaced by their values.
pub fn resolved(term: &Term, bindings: &Bindings) -> Term {
    watchdog::step();
    match bindings.value(term) {
        Term::Function(name, args) => {
            let args = args.iter().map(|arg| resolved(arg, bindings)).collect();
            Term::Function(name.clone(), args)
        }
        term => term.clone(),
    }
}

/// Makes two terms the same; variables below `rigid` are not bound, they stand for what is not known.
pub fn unify(one: &Term, other: &Term, rigid: usize, bindings: &mut Bindings) -> bool {
    watchdog::step();
    let (one, other) = (bindings.value(one), bindings.value(other));
    match (one, other) {
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Var(one), Term::Var(other)) if one == other => true,
        (Term::Var(var), term) | (term, Term::Var(var)) if *var >= rigid => {
            let (var, term) = (*var, resolved(term, bindings));
            let mut vars = Vec::new();
            term.vars(&mut vars);
            let is_free = !vars.contains(&var);
            if is_free {
                bindings.bind(var, term);
            }
            is_free
        }
        (Term::Function(name1, args1), Term::Function(name2, args2)) if name1 == name2 => {
            let (args1, args2) = (args1.clone(), args2.clone());
            unify_all(&args1, &args2, rigid, bindings)
        }
        _ => false,
    }
}

/// The same of terms in pairs.
pub fn unify_all(ones: &[Term], others: &[Term], rigid: usize, bindings: &mut Bindings) -> bool {
    ones.len() == others.len()
        && ones.iter().zip(others).all(|(one, other)| unify(one, other, rigid, bindings))
}

/// A rule with variables of its own.
pub fn renamed(rule: &Rule, free: &mut usize) -> Rule {
    watchdog::steps(1 + rule.body.len());
    let base = *free;
    *free += rule.vars.len();
    rule.replaced(&|term| match term {
        Term::Var(var) => Some(Term::Var(var + base)),
        _ => None,
    })
}

/// Whether a term has variables without value.
pub fn is_open(term: &Term, bindings: &Bindings) -> bool {
    match bindings.value(term) {
        Term::Var(_) => true,
        term => term.args().iter().any(|arg| is_open(arg, bindings)),
    }
}
