//! Contract predicates with the arguments that they are called with.

use zug_machine::PredId;
use zug_term::Record;

/// An argument of a contract predicate.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// Always the same term: a player, the name of a heuristic.
    Fixed(Record),
    /// The state.
    State,
    /// The name of a move.
    Name,
    /// Its cost.
    Cost,
    /// The state it leads to.
    To,
    /// A number.
    Value,
    /// The input with this number, of a call whose state is all of them.
    Part(u8),
    /// An output of a call, in addition to the state it leads to.
    Output,
}

/// A contract predicate with the arguments it is called with.
#[derive(Clone, Debug)]
pub struct Target {
    /// The predicate.
    pub pred: PredId,
    /// As in `rule/4`.
    pub indicator: &'static str,
    /// Its arguments.
    pub args: Vec<Arg>,
}

impl Target {
    /// Whether it is asked in the same way.
    pub fn is(&self, other: &Target) -> bool {
        self.pred == other.pred && self.indicator == other.indicator && self.args == other.args
    }

    /// Of a callee: which of its outputs is the state.
    pub fn state_output(&self) -> Option<usize> {
        let is_output = |arg: &&Arg| matches!(arg, Arg::To | Arg::Output);
        let outputs = self.args.iter().filter(is_output);
        if self.indicator == CALLED { { outputs }.position(|arg| *arg == Arg::To) } else { None }
    }

    /// Whether its answers are names, and lead nowhere.
    pub fn names_alone(&self) -> bool {
        self.args.contains(&Arg::Name) && !self.args.contains(&Arg::To)
    }
}

/// The indicator of what is called for an answer of another target.
pub const CALLED: &str = "a call";
