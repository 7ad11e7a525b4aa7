//! Impurities of rules: what answers depend on besides the arguments of calls, noted as it is read.
//!
//! The static analysis of rules finds goals by their names. A goal that a rule builds while it runs, or an expression
//! that reaches `is/2` in a variable, has no name to find; these notes tell that one was run.

/// A source of answers that are no functions of a call's arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Impurity {
    /// Random numbers.
    Random,
    /// A clock.
    Clock,
    /// A stream that is read.
    Input,
    /// Files.
    Files,
    /// The environment of the process.
    Environment,
    /// Facts, global variables or flags that change.
    Changes,
}

impl Impurity {
    /// All sources.
    pub const ALL: [Impurity; 6] = [
        Impurity::Random,
        Impurity::Clock,
        Impurity::Input,
        Impurity::Files,
        Impurity::Environment,
        Impurity::Changes,
    ];
}

/// The sources that were read, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Impurities(u8);

impl Impurities {
    /// Adds a source.
    pub fn add(&mut self, impurity: Impurity) {
        self.0 |= 1 << impurity as u8;
    }

    /// Adds all of another set.
    pub fn join(&mut self, other: Impurities) {
        self.0 |= other.0;
    }

    /// The sources of the set, in the order of [`Impurity::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Impurity> {
        Impurity::ALL.into_iter().filter(move |&impurity| self.0 & 1 << impurity as u8 != 0)
    }
}

/// The sources that goals have read since the notes were cleared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ImpurityNotes {
    /// By functions of arithmetic.
    pub evaluated: Impurities,
    /// By built-ins.
    pub called: Impurities,
}

impl ImpurityNotes {
    /// Adds the notes of another machine or another time.
    pub fn join(&mut self, other: ImpurityNotes) {
        self.evaluated.join(other.evaluated);
        self.called.join(other.called);
    }
}
