//! What answered the questions of a search, for its report.

use super::examined::Obstacle;
use super::residual::Reason;
use super::units::{Counts, MOST_CHANGES, State, Unit, Units};
use crate::mode::Specialise;
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_report::{CodeReason, CodeUse};

/// Reasons that are reported.
const REASONS: usize = 8;

impl Units {
    /// What answered the questions asked since the counts were these.
    pub fn report(&self, m: &Machine, w: &World, since: Counts) -> Option<CodeUse> {
        if Specialise::now(m, w) == Specialise::Off {
            return None;
        }
        let mut reasons: Vec<CodeReason> = Vec::new();
        for (target, units) in self.targets.iter().zip(&self.units) {
            for unit in units.iter().flatten() {
                let Some((reason, questions)) = unit.obstacle().filter(|&(_, n)| n > 0) else {
                    continue;
                };
                let (predicate, reason) = (target.indicator, Obstacle::of(reason, m, w).text);
                let same = |known: &&mut CodeReason| {
                    known.predicate == predicate && known.reason == reason
                };
                match reasons.iter_mut().find(same) {
                    Some(known) => known.questions += questions,
                    None => reasons.push(CodeReason { predicate, reason, questions }),
                }
            }
        }
        if self.changes > MOST_CHANGES {
            let reason = "the program changes while it runs".to_owned();
            reasons.push(CodeReason { predicate: "rule/4", reason, questions: 0 });
        }
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.questions));
        reasons.truncate(REASONS);
        Some(CodeUse {
            by_code: self.counts.code - since.code,
            by_machine: self.counts.machine - since.machine,
            making: self.counts.making.saturating_sub(since.making),
            reasons,
        })
    }
}

impl Unit {
    /// What stands in the way of code, and how many questions it cost.
    fn obstacle(&self) -> Option<(&Reason, u64)> {
        match (&self.state, &self.gave_back) {
            (State::Machine(reason), _) => Some((reason, u64::from(self.asked) + self.deopts)),
            (State::Cold, Some(reason)) => Some((reason, u64::from(self.asked) + self.deopts)),
            (_, Some(reason)) => Some((reason, self.deopts)),
            _ => None,
        }
    }
}
