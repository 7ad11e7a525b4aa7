//! Conditions in negation normal form.

/// A term: a variable or an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable, by its number in the action.
    Var(usize),
    Object(String),
}

/// A predicate of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    pub name: String,
    pub args: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The atom holds (`true`), or it doesn't.
    Atom(bool, Atom),
    /// The terms are the same, or they are not.
    Same(bool, Term, Term),
    /// All hold.
    And(Vec<Condition>),
    /// One of them does.
    Or(Vec<Condition>),
    /// There are objects of types for these variables (`true`), or there are none.
    Exists(bool, Vec<usize>, Box<Condition>),
}

impl Atom {
    /// The variables, with repetitions.
    pub fn vars(&self) -> impl Iterator<Item = usize> {
        self.args.iter().filter_map(Term::var)
    }
}

impl Term {
    pub fn var(&self) -> Option<usize> {
        match self {
            Term::Var(var) => Some(*var),
            Term::Object(_) => None,
        }
    }
}

/// What always holds.
impl Default for Condition {
    fn default() -> Condition {
        Condition::And(Vec::new())
    }
}

impl Condition {
    /// The contrary.
    pub fn negated(self) -> Condition {
        let all = |parts: Vec<Condition>| parts.into_iter().map(Condition::negated).collect();
        match self {
            Condition::Atom(holds, atom) => Condition::Atom(!holds, atom),
            Condition::Same(same, left, right) => Condition::Same(!same, left, right),
            Condition::And(parts) => Condition::Or(all(parts)),
            Condition::Or(parts) => Condition::And(all(parts)),
            Condition::Exists(some, vars, inner) => Condition::Exists(!some, vars, inner),
        }
    }

    /// The conditions that must all hold, with those inside of others taken out.
    pub fn conjuncts(self) -> Vec<Condition> {
        match self {
            Condition::And(parts) => parts.into_iter().flat_map(Condition::conjuncts).collect(),
            other => vec![other],
        }
    }

    /// The predicates that it asks for, with repetitions.
    pub fn predicates(&self) -> Vec<&str> {
        match self {
            Condition::Atom(_, atom) => vec![atom.name.as_str()],
            Condition::Same(..) => Vec::new(),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().flat_map(Condition::predicates).collect()
            }
            Condition::Exists(_, _, inner) => inner.predicates(),
        }
    }

    /// The variables that are free in it, with repetitions.
    pub fn free(&self) -> Vec<usize> {
        match self {
            Condition::Atom(_, atom) => atom.vars().collect(),
            Condition::Same(_, left, right) => {
                [left, right].into_iter().filter_map(Term::var).collect()
            }
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().flat_map(Condition::free).collect()
            }
            Condition::Exists(_, vars, inner) => {
                inner.free().into_iter().filter(|var| !vars.contains(var)).collect()
            }
        }
    }
}
