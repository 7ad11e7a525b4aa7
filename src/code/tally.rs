//! Who answered the questions about each predicate, and why the machine had to.

use super::reason::Reason;
use std::time::Duration;

/// Why the machine answered a question.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lost<'r> {
    /// Code is made when some states of a shape were met: this is one of them.
    First,
    /// Making code was not paid for yet by what the search has done.
    NotBought,
    /// A leaf was what it never was before: code is made again with that.
    News,
    /// States are of more shapes than there are numbers for.
    Shapes,
    /// There is no code, or it deoptimised.
    Reason(&'r Reason),
}

/// The questions about a predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Answered by code, or so it seemed at first.
    code: u64,
    /// Of those, the ones that it did not answer in the end. They were asked again.
    again: u64,
    /// Answered by the machine as [`Lost::First`].
    pub(super) first: u64,
    /// As [`Lost::NotBought`].
    pub(super) not_bought: u64,
    /// As [`Lost::News`].
    pub(super) news: u64,
    /// As [`Lost::Shapes`].
    pub(super) shapes: u64,
    /// As [`Lost::Reason`], by reason.
    pub(super) reasons: Vec<(Reason, u64)>,
}

impl Tally {
    pub(super) fn by_code(&self) -> u64 {
        self.code.saturating_sub(self.again)
    }

    pub(super) fn by_machine(&self) -> u64 {
        let reasons: u64 = self.reasons.iter().map(|(_, questions)| questions).sum();
        self.first + self.not_bought + self.news + self.shapes + reasons
    }

    /// What is counted here and there, joined count by count.
    fn joined(&self, other: &Tally, join: fn(u64, u64) -> u64) -> Tally {
        let of = |tally: &Tally, reason: &Reason| {
            let known = tally.reasons.iter().find(|(known, _)| known == reason);
            known.map_or(0, |&(_, questions)| questions)
        };
        let own = self.reasons.iter().map(|(reason, _)| reason);
        let others = other.reasons.iter().map(|(reason, _)| reason);
        let all = own.chain(others.filter(|reason| of(self, reason) == 0));
        let all = all.map(|reason| (reason.clone(), join(of(self, reason), of(other, reason))));
        Tally {
            code: join(self.code, other.code),
            again: join(self.again, other.again),
            first: join(self.first, other.first),
            not_bought: join(self.not_bought, other.not_bought),
            news: join(self.news, other.news),
            shapes: join(self.shapes, other.shapes),
            reasons: all.filter(|&(_, questions)| questions > 0).collect(),
        }
    }

    pub(super) fn add(&mut self, other: &Tally) {
        *self = self.joined(other, u64::saturating_add);
    }

    fn since(&self, before: &Tally) -> Tally {
        self.joined(before, u64::saturating_sub)
    }

    fn lost(&mut self, why: Lost<'_>) {
        let count = match why {
            Lost::First => &mut self.first,
            Lost::NotBought => &mut self.not_bought,
            Lost::News => &mut self.news,
            Lost::Shapes => &mut self.shapes,
            Lost::Reason(reason) => {
                let known = self.reasons.iter().position(|(known, _)| known == reason);
                let at = known.unwrap_or_else(|| {
                    self.reasons.push((reason.clone(), 0));
                    self.reasons.len() - 1
                });
                &mut self.reasons[at].1
            }
        };
        *count += 1;
    }
}

/// Counts for reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub(super) tallies: Vec<Tally>,
    pub(super) making: Duration,
}

impl Counts {
    pub(super) fn of(predicates: usize) -> Counts {
        Counts { tallies: vec![Tally::default(); predicates], making: Duration::ZERO }
    }

    #[inline(always)]
    pub(super) fn answered(&mut self, target: usize, questions: u64) {
        if let Some(tally) = self.tallies.get_mut(target) {
            tally.code += questions;
        }
    }

    pub(super) fn again(&mut self, target: usize) {
        if let Some(tally) = self.tallies.get_mut(target) {
            tally.again += 1;
        }
    }

    pub(super) fn lost(&mut self, target: usize, why: Lost<'_>) {
        if let Some(tally) = self.tallies.get_mut(target) {
            tally.lost(why);
        }
    }

    pub(super) fn by_machine(&self) -> u64 {
        self.tallies.iter().map(Tally::by_machine).sum()
    }

    pub(super) fn since(&self, before: &Counts) -> Counts {
        let none = Tally::default();
        let before_of = |at: usize| before.tallies.get(at).unwrap_or(&none);
        let tallies = self.tallies.iter().enumerate();
        Counts {
            tallies: tallies.map(|(at, tally)| tally.since(before_of(at))).collect(),
            making: self.making.saturating_sub(before.making),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_counted_by_what_stood_in_the_way() {
        let (one, other) = (Reason::plain("one"), Reason::plain("other"));
        let mut counts = Counts::of(2);
        for why in [Lost::First, Lost::Reason(&one), Lost::Reason(&other), Lost::Reason(&one)] {
            counts.lost(1, why);
        }
        counts.answered(1, 7);
        counts.again(1);
        let tally = &counts.tallies[1];
        assert_eq!((tally.by_code(), tally.by_machine(), tally.first), (6, 4, 1));
        assert_eq!(tally.reasons, [(one.clone(), 2), (other.clone(), 1)]);
        assert_eq!(counts.tallies.iter().map(Tally::by_code).sum::<u64>(), 6);

        // Another search of the session.
        let before = counts.clone();
        counts.lost(1, Lost::Reason(&other));
        counts.lost(1, Lost::NotBought);
        counts.answered(0, 3);
        let since = counts.since(&before);
        assert_eq!(since.tallies.iter().map(Tally::by_code).sum::<u64>(), 3);
        assert_eq!((since.tallies[1].first, since.tallies[1].not_bought), (0, 1));
        assert_eq!(since.tallies[1].reasons, [(other, 1)]);
    }
}
