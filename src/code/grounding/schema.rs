//! Action schemas: what a rule asks of facts, and which it changes, with variables for what they are about.

use std::rc::Rc;
use zug_machine::PredId;
use zug_symbolic::{Term, Variable};

/// The number of a set of the state. A part that is one of several values is a set of one element.
pub type SetId = u32;

/// What is asked, of a state or of what variables are bound to.
#[derive(Clone, Debug)]
pub enum Literal {
    /// Some element of a set.
    Element(SetId, Term),
    /// Terms that are ground unify, or do not.
    Same(Term, Term),
    Differ(Term, Term),
    /// The first of two ground terms comes before the second one in the standard order.
    Before(Term, Term),
    /// A goal about nothing in the state. Of its variables these are bound before.
    Goal {
        pred: PredId,
        args: Rc<[Term]>,
        inputs: Rc<[Variable]>,
    },
    /// One of some ways holds, or none does. Of their variables these are bound before.
    Holds {
        ways: Rc<[Way]>,
        inputs: Rc<[Variable]>,
        wanted: bool,
    },
    /// Goals are called here, whatever they find.
    Called(Way),
    /// The number of the way that was taken here: answers come in their order.
    Branch(u32),
}

/// Literals that all hold.
pub type Way = Rc<[Literal]>;

/// A fact that a rule makes true or false.
#[derive(Clone, Debug)]
pub struct Change {
    pub set: SetId,
    pub term: Term,
    pub becomes: bool,
    /// For all ways in which this holds; once if it is `None`.
    pub when: Option<Way>,
}

/// One way through a clause of rule/4.
#[derive(Clone, Debug)]
pub struct Schema {
    pub literals: Way,
    pub name: Term,
    pub cost: Term,
    /// One after the other: a later one counts.
    pub changes: Rc<[Change]>,
}
