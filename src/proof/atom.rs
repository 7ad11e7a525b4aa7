//! Atomic constraints: what is known, decided and proved is made of these.

/// The number of a variable of a [`Model`](crate::Model).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

impl VarId {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

/// The lower and the upper end of the values of a variable.
pub(crate) const LO: usize = 0;
pub(crate) const HI: usize = 1;

/// How a variable compares with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// A variable compared with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// The variable.
    pub var: VarId,
    /// How it compares.
    pub relation: Relation,
    /// The number.
    pub value: i32,
}

impl Atom {
    /// `var >= value`
    pub fn at_least(var: VarId, value: i32) -> Atom {
        Atom { var, relation: Relation::AtLeast, value }
    }

    /// `var <= value`
    pub fn at_most(var: VarId, value: i32) -> Atom {
        Atom { var, relation: Relation::AtMost, value }
    }

    /// `var == value`
    pub fn equal(var: VarId, value: i32) -> Atom {
        Atom { var, relation: Relation::Equal, value }
    }

    /// `var != value`
    pub fn not_equal(var: VarId, value: i32) -> Atom {
        Atom { var, relation: Relation::NotEqual, value }
    }

    /// The bound of an end.
    pub(crate) fn bound(side: usize, var: VarId, value: i32) -> Atom {
        if side == LO { Atom::at_least(var, value) } else { Atom::at_most(var, value) }
    }

    /// What holds where this does not.
    #[must_use]
    pub fn negated(self) -> Atom {
        let Atom { var, relation, value } = self;
        match relation {
            Relation::AtLeast => Atom::at_most(var, value - 1),
            Relation::AtMost => Atom::at_least(var, value + 1),
            Relation::Equal => Atom::not_equal(var, value),
            Relation::NotEqual => Atom::equal(var, value),
        }
    }
}
