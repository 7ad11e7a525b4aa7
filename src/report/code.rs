//! How much of a search ran by code made from the rules.

use crate::stats::seconds;
use serde::Serialize;
use std::time::Duration;

/// What answered the questions that a search asked the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeUse {
    /// Questions that code made from the rules answered.
    pub by_code: u64,
    /// Questions that the machine answered.
    pub by_machine: u64,
    /// Time that making code took, in seconds.
    #[serde(rename = "making_seconds", serialize_with = "seconds")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub making: Duration,
    /// The same by contract predicate, those that were asked, in the order in which they were first.
    pub predicates: Vec<PredicateUse>,
    /// Why the machine answered, the most frequent first.
    pub reasons: Vec<CodeReason>,
}

impl CodeUse {
    /// Takes up what answered the questions about a predicate, and why the machine had to; the same
    /// predicate, with other arguments, may be there already.
    pub fn take(&mut self, found: PredicateUse, reasons: impl IntoIterator<Item = CodeReason>) {
        self.by_code += found.by_code;
        self.by_machine += found.by_machine;
        match self.predicates.iter_mut().find(|known| known.predicate == found.predicate) {
            Some(known) => {
                known.by_code += found.by_code;
                known.by_machine += found.by_machine;
                known.before_code += found.before_code;
            }
            None => self.predicates.push(found),
        }
        for reason in reasons {
            let same = |known: &&mut CodeReason| {
                known.predicate == reason.predicate
                    && (known.kind, &known.reason) == (reason.kind, &reason.reason)
            };
            match self.reasons.iter_mut().find(same) {
                Some(known) => known.questions += reason.questions,
                None => self.reasons.push(reason),
            }
        }
    }

    /// What cost a predicate the most answers by code, first states aside.
    pub fn obstacle(&self, predicate: &str) -> Option<&CodeReason> {
        let reasons = self.reasons.iter().filter(|reason| reason.predicate == predicate);
        reasons
            .filter(|reason| reason.kind != CodeObstacle::FirstStates)
            .max_by_key(|reason| reason.questions)
    }
}

/// What answered the questions about a contract predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredicateUse {
    /// The contract predicate, as `rule/4`.
    pub predicate: &'static str,
    /// Questions that code answered.
    pub by_code: u64,
    /// Questions that the machine answered.
    pub by_machine: u64,
    /// Of those, the ones before code is made: about the first states of a shape, or with values that
    /// were not met before, with which it is made again.
    pub before_code: u64,
}

impl PredicateUse {
    /// All questions.
    pub fn all(&self) -> u64 {
        self.by_code + self.by_machine
    }

    /// Whether so many questions more than before code was made went to the machine that it should be
    /// said; or those were very many.
    pub fn falls_short(&self) -> bool {
        let learning = u128::from(self.before_code) * 10 > u128::from(self.all());
        learning || self.is_much(self.by_machine.saturating_sub(self.before_code))
    }

    /// Whether so many questions are more than one of a thousand.
    pub fn is_much(&self, questions: u64) -> bool {
        u128::from(questions) * 1000 > u128::from(self.all())
    }
}

/// A reason for which the machine answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeReason {
    /// The contract predicate, as `rule/4`.
    pub predicate: &'static str,
    /// Of which kind it is.
    pub kind: CodeObstacle,
    /// What is so, with the goal and its place where they are known.
    pub reason: String,
    /// The one thing to change in the rules, if there is something to change.
    pub change: Option<&'static str>,
    /// The file of the clause that it comes of.
    pub file: Option<String>,
    /// The line of the goal or the clause in it.
    pub line: Option<u32>,
    /// Questions that the machine answered for it.
    pub questions: u64,
}

/// Of which kind a reason is for which the machine answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CodeObstacle {
    /// Code is made when some states of a shape were met.
    FirstStates,
    /// A longer search would have made code: this one was too short to pay for it.
    NotBought,
    /// Values came up that were not met before; code is made again with them.
    NewValues,
    /// States are of very many shapes.
    Shapes,
    /// The rules take more cases than code is made for.
    TooLarge,
    /// The rules do what can't be code.
    Rules,
}
