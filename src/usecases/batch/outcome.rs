//! How an instance, a query, a file or a whole batch ended, and which end is graver.

use crate::exit::Exit;
use serde::{Deserialize, Serialize};

/// How something ended. From the least grave to the gravest.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", schemars(rename = "BatchOutcome"))]
pub enum Outcome {
    /// Neither puzzle nor game, and nothing was asked.
    #[default]
    Program,
    /// A test that is not run, or known to fail, as it says itself.
    Skipped,
    /// The query has an answer.
    True,
    /// A plan, a value, equilibria.
    Solved,
    /// A test that passed; of a file that is graded, all as expected.
    Passed,
    /// The query has no answer: proved.
    False,
    /// There is no solution: proved.
    Exhausted,
    /// A test that did not pass; of a file that is graded, not all as expected.
    Failed,
    /// A limit was reached.
    Stopped,
    /// What was asked for is not there: a heuristic, an instance, a file that can be read.
    Usage,
    /// The rule file has errors; nothing of it was run.
    Faults,
    /// The rules ended the process, with `halt`.
    Halted,
    /// A run-time error in the rules.
    Error,
    /// A bug in zug.
    Bug,
    /// Ctrl-C.
    Interrupted,
}

impl Outcome {
    /// In the order of the variants, with their names in result lines.
    pub const NAMES: [(Outcome, &'static str); 15] = [
        (Outcome::Program, "program"),
        (Outcome::Skipped, "skipped"),
        (Outcome::True, "true"),
        (Outcome::Solved, "solved"),
        (Outcome::Passed, "passed"),
        (Outcome::False, "false"),
        (Outcome::Exhausted, "exhausted"),
        (Outcome::Failed, "failed"),
        (Outcome::Stopped, "stopped"),
        (Outcome::Usage, "usage"),
        (Outcome::Faults, "faults"),
        (Outcome::Halted, "halted"),
        (Outcome::Error, "error"),
        (Outcome::Bug, "bug"),
        (Outcome::Interrupted, "interrupted"),
    ];

    /// How a process ends that came to this. `halt` would choose its own status; in a batch it is
    /// taken for an error.
    pub fn exit(self) -> Exit {
        match self {
            Outcome::Program
            | Outcome::Skipped
            | Outcome::True
            | Outcome::Solved
            | Outcome::Passed => Exit::Success,
            Outcome::False | Outcome::Exhausted | Outcome::Failed => Exit::Failure,
            Outcome::Usage => Exit::Usage,
            Outcome::Faults => Exit::Rules,
            Outcome::Stopped => Exit::Limit,
            Outcome::Error | Outcome::Halted => Exit::Error,
            Outcome::Bug => Exit::Bug,
            Outcome::Interrupted => Exit::Interrupted,
        }
    }

    /// As it stands in result lines.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_order_of_gravity() {
        for (at, (outcome, name)) in Outcome::NAMES.into_iter().enumerate() {
            assert_eq!(outcome as usize, at);
            let text = serde_json::to_string(&outcome).expect("a name");
            assert_eq!(text, format!("\"{name}\""));
        }
    }
}
