//! Sources outside the arguments that answers of rules depend on, noted as they are read.
//!
//! The static analysis of rules finds goals by their names. A goal that a rule builds while it runs, or an expression
//! that reaches `is/2` in a variable, has no name to find; these notes tell that one was run.

/// A source of answers that are no functions of a call's arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
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

impl Source {
    /// All sources.
    pub const ALL: [Source; 6] = [
        Source::Random,
        Source::Clock,
        Source::Input,
        Source::Files,
        Source::Environment,
        Source::Changes,
    ];
}

/// The sources that were read, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sources(u8);

impl Sources {
    /// Adds a source.
    pub fn add(&mut self, source: Source) {
        self.0 |= 1 << source as u8;
    }

    /// Adds all of another set.
    pub fn join(&mut self, other: Sources) {
        self.0 |= other.0;
    }

    /// The sources of the set, in the order of [`Source::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Source> {
        Source::ALL.into_iter().filter(move |&source| self.0 & 1 << source as u8 != 0)
    }
}

/// The sources that goals have read since the notes were cleared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SourceNotes {
    /// By functions of arithmetic.
    pub evaluated: Sources,
    /// By built-ins.
    pub called: Sources,
}

impl SourceNotes {
    /// Adds the notes of another machine or another time.
    pub fn join(&mut self, other: SourceNotes) {
        self.evaluated.join(other.evaluated);
        self.called.join(other.called);
    }
}
