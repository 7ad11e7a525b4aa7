//! What puzzles and games have in common as adapters of rules: code answers where there is some,
//! the machine where there is none, and both where they are to be compared.

use crate::ask::Asker;
use crate::error::{RuleError, Violation};
use zug_code::{Reply, Specialise};
use zug_state::{Number, PackedState};

/// A rule program under search.
pub(crate) trait Adapter {
    /// How it carries states.
    type State: PackedState;

    /// Who asks its rules.
    fn asker(&mut self) -> Asker<'_>;

    /// What is made of code for the rules.
    fn engine_code(&self) -> Specialise;

    /// An error about a state.
    fn about(
        &mut self,
        violation: Violation,
        predicate: &'static str,
        state: &Self::State,
    ) -> Box<RuleError>;

    /// Whether code and machine are to be compared.
    #[inline]
    fn cross_checks(&self) -> bool {
        self.engine_code() == Specialise::CrossCheck
    }

    /// What code said, unless it said nothing or is to be compared: then what the rules say.
    ///
    /// # Errors
    /// What the rules raise; code said something else.
    #[inline]
    fn settled<T: PartialEq>(
        &mut self,
        code: Option<T>,
        predicate: &'static str,
        state: &Self::State,
        rules: impl FnOnce(&mut Self) -> Result<T, Box<RuleError>>,
    ) -> Result<T, Box<RuleError>> {
        match code {
            Some(found) if !self.cross_checks() => Ok(found),
            code => {
                let found = rules(self)?;
                self.must_agree(code.is_none_or(|code| code == found), predicate, state)?;
                Ok(found)
            }
        }
    }

    /// # Errors
    /// Code and machine differ.
    fn must_agree(
        &mut self,
        agree: bool,
        predicate: &'static str,
        state: &Self::State,
    ) -> Result<(), Box<RuleError>> {
        if agree { Ok(()) } else { Err(self.about(Violation::Differs, predicate, state)) }
    }
}

/// The answer to a question, if code has it.
#[inline]
pub(crate) fn truth(reply: Option<Reply>) -> Option<bool> {
    match reply? {
        Reply::True => Some(true),
        Reply::Done => Some(false),
        _ => None,
    }
}

/// The number that code computed, if it did.
#[inline]
pub(crate) fn number(reply: Option<Reply>) -> Option<Number> {
    match reply? {
        Reply::Int(value) => Some(Number::Int(value)),
        Reply::Float(value) => Some(Number::Float(value)),
        _ => None,
    }
}
