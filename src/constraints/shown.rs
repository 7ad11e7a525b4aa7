//! Constraints as terms, to be written.

use super::store::{Store, Var};
use num_bigint::BigInt;

/// A term about variables of a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A variable, or its value.
    Var(Var),
    Int(BigInt),
    /// An atom, or a compound of its arguments.
    Compound(&'static str, Vec<Shown>),
    List(Vec<Shown>),
    /// Parts between which an operator stands, which takes those on its left together.
    Chain(&'static str, Vec<Shown>),
}

impl Shown {
    pub fn int(value: i64) -> Shown {
        Shown::Int(value.into())
    }

    pub fn binary(name: &'static str, left: Shown, right: Shown) -> Shown {
        Shown::Compound(name, vec![left, right])
    }

    pub fn vars(vars: &[Var]) -> Shown {
        Shown::List(vars.iter().map(|&var| Shown::Var(var)).collect())
    }

    /// The variables in it, as they occur.
    pub fn variables(&self, store: &Store, found: &mut Vec<Var>) {
        match self {
            Shown::Var(var) => {
                if !store.is_fixed(*var) {
                    found.push(store.find(*var));
                }
            }
            Shown::Int(_) => {}
            Shown::Compound(_, parts) | Shown::List(parts) | Shown::Chain(_, parts) => {
                parts.iter().for_each(|part| part.variables(store, found));
            }
        }
    }
}

impl From<Var> for Shown {
    fn from(var: Var) -> Shown {
        Shown::Var(var)
    }
}
