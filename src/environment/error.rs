//! What goes wrong with environments.

use std::fmt;
use zug_domain::RuleError;
use zug_term::Record;

/// Why something could not be done.
#[derive(Debug)]
pub enum EnvironmentError {
    /// An error in a rule, or an answer that breaks the contract.
    Rule(Box<RuleError>),
    /// The rules are no environment: what they lack.
    NoEnvironment(String),
    /// Actions can't be numbered, or a state can't be written as numbers: why, and what to do.
    Space(String),
    /// A move that has no number: it is not in the list of `actions/1`, or the survey has not met it.
    Unnumbered {
        /// Its name.
        name: Record,
        /// The rules declare the moves.
        is_declared: bool,
    },
    /// An action that is not legal, or of no number.
    Illegal(String),
}

impl From<Box<RuleError>> for EnvironmentError {
    fn from(error: Box<RuleError>) -> Self {
        EnvironmentError::Rule(error)
    }
}

impl fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnvironmentError::Rule(error) => write!(f, "an error in {}", error.predicate),
            EnvironmentError::Unnumbered { is_declared: true, .. } => {
                f.write_str("the rules allow a move that is not in the list of actions/1")
            }
            EnvironmentError::Unnumbered { is_declared: false, .. } => f.write_str(
                "the rules allow a move that the survey has not met, so that it has no number; \
                 declare all moves by actions(L), or give the survey more states and moves",
            ),
            EnvironmentError::NoEnvironment(text)
            | EnvironmentError::Space(text)
            | EnvironmentError::Illegal(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for EnvironmentError {}

/// What an operation returns.
pub(crate) type Answered<T> = Result<T, EnvironmentError>;
