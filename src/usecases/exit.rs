//! How commands end. Which status a process ends with is decided here, and what comes to which of
//! these ends where the report, or the failure, is.

use zug_report::{GameOutcome, Outcome, StopReason};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Solved; the query has an answer; nothing is wrong with the files.
    Success,
    /// No solution, or no answer: proved.
    Failure,
    /// Wrong usage, or a file that can't be read.
    Usage,
    /// The rule file has errors.
    Rules,
    /// A limit was reached.
    Limit,
    /// A run-time error.
    Error,
    /// Ctrl-C.
    Interrupted,
    /// A bug in zug.
    Bug,
    /// What the rules said with `halt/1`.
    Halt(i32),
}

/// What a command came to.
pub trait CommandResult {
    /// How the command ends.
    fn exit(&self) -> Exit;

    /// The limit that stopped it, if one did.
    fn limit(&self) -> Option<StopReason> {
        None
    }
}

impl Exit {
    /// The status of the process.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Rules => 3,
            Exit::Limit => 4,
            Exit::Error => 5,
            Exit::Bug => 70,
            Exit::Interrupted => 130,
            // As the operating system does: the low eight bits.
            Exit::Halt(status) => status as u8,
        }
    }

    /// Of several the one with the greater status, which went worse.
    #[must_use]
    pub fn graver(self, other: Exit) -> Exit {
        if other.code() > self.code() { other } else { self }
    }

    /// The end of what a limit may have stopped.
    pub fn stopped(reason: Option<StopReason>) -> Exit {
        reason.map_or(Exit::Success, Exit::from)
    }
}

impl From<StopReason> for Exit {
    fn from(reason: StopReason) -> Exit {
        match reason {
            StopReason::Cancelled => Exit::Interrupted,
            _ => Exit::Limit,
        }
    }
}

impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Exit {
        match outcome {
            Outcome::Solved => Exit::Success,
            Outcome::Exhausted => Exit::Failure,
            Outcome::Stopped(reason) => reason.into(),
        }
    }
}

impl From<GameOutcome> for Exit {
    fn from(outcome: GameOutcome) -> Exit {
        Exit::stopped(outcome.reason())
    }
}
