//! Constraints as terms about numbered variables, to be written.

use num_bigint::BigInt;

/// The number of a variable of a store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

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
}

impl From<Var> for Shown {
    fn from(var: Var) -> Shown {
        Shown::Var(var)
    }
}
