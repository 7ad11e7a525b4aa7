//! The options of learning, of equilibria and of repeated games: what they are called, what they
//! take, and which setting each one is.

use crate::repeated::Until;
use crate::{Elimination, Learner, Learning};
use zug_options::{Rejected, Row, row};
use zug_random::Random;

/// Options of a search for equilibria.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EquilibriumOptions {
    /// All of them.
    pub all: bool,
    /// Dominated actions are removed first.
    pub eliminate: Option<Elimination>,
}

/// The rows of [`EquilibriumOptions`].
pub static EQUILIBRIA: [Row<EquilibriumOptions>; 2] = [
    row!(
        flag("all", "All equilibria of two players, not only pure ones and one that is mixed") => EquilibriumOptions.all
    )
    .conflicts(&["learn"]),
    Row::word(
        "eliminate",
        "KIND",
        "Remove dominated actions first: those that are always worse than others, or (weak) never \
         better",
        &[
            ("strict", "Always worse than another action or a mix of others"),
            ("weak", "Never better and sometimes worse"),
        ],
        |to: &mut EquilibriumOptions, kind| {
            to.eliminate = Some(Elimination { weak: kind == "weak", mixed: true });
            Ok(())
        },
    )
    .bare("strict")
    .conflicts(&["learn"]),
];

/// Options of learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearningOptions {
    /// In which way.
    pub learner: Option<Learner>,
    /// Rounds; at least 1.
    pub rounds: u64,
    /// Actions are drawn with this seed.
    pub seed: Option<u64>,
}

impl Default for LearningOptions {
    fn default() -> LearningOptions {
        LearningOptions { learner: None, rounds: 10_000, seed: None }
    }
}

impl LearningOptions {
    /// How players are to learn, if they are.
    pub fn learning(&self) -> Option<Learning> {
        let learner = self.learner?;
        Some(Learning { learner, rounds: self.rounds, seed: self.seed })
    }
}

/// How players learn.
pub static LESSONS: [Row<LearningOptions>; 3] = [
    Row::word(
        "learn",
        "HOW",
        "Let the players learn by playing, for games too large to be solved exactly",
        &[("regret", "Regret matching+"), ("fictitious", "Fictitious play")],
        |to: &mut LearningOptions, how| {
            to.learner = Some(match how {
                "regret" => Learner::RegretMatchingPlus,
                _ => Learner::FictitiousPlay,
            });
            Ok(())
        },
    ),
    Row::whole("iterations", "N", "Rounds of learning", |to: &mut LearningOptions, rounds| {
        to.rounds = from_one(rounds)?;
        Ok(())
    })
    .default("10000")
    .wants(FROM_ONE)
    .requires("learn"),
    row!(
        whole("seed", "S", "Learn from actions drawn with this seed [default: from mixed strategies, nothing is drawn]")
            => Some(LearningOptions.seed)
    )
    .requires("learn"),
];

/// Words for a number that is 0.
const FROM_ONE: &str = "write a whole number from 1 on";

fn from_one(number: u64) -> Result<u64, Rejected> {
    if number == 0 {
        Rejected::out_of_range()?;
    }
    Ok(number)
}

/// Options of a match or a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContestOptions {
    /// When a match is over, unless that is as usual.
    pub until: Option<Until>,
    /// What the seeds of all matches follow from.
    pub seed: Option<u64>,
    /// Matches of every two.
    pub matches: u64,
}

impl ContestOptions {
    /// Matches of every two unless others are asked for.
    pub const MATCHES: u64 = 10;

    /// The seed: a short one by the clock if none was given, so that it can be typed again.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| Random::from_clock().below(1_000_000))
    }
}

impl Default for ContestOptions {
    fn default() -> ContestOptions {
        ContestOptions { until: None, seed: None, matches: ContestOptions::MATCHES }
    }
}

/// When a match is over, and its seed.
pub static MATCH: [Row<ContestOptions>; 3] = [
    Row::whole(
        "to",
        "N",
        "A match is over when one has won so many rounds, or after 100 times as many",
        |to: &mut ContestOptions, wins| {
            to.until = Some(Until::first_to(from_one(wins)?));
            Ok(())
        },
    )
    .wants(FROM_ONE)
    .conflicts(&["rounds"]),
    Row::whole(
        "rounds",
        "N",
        "A match is over after so many rounds; who was paid more has won",
        |to: &mut ContestOptions, rounds| {
            to.until = Some(Until::Rounds(from_one(rounds)?));
            Ok(())
        },
    )
    .wants(FROM_ONE),
    row!(
        whole("seed", "S", "The seed of what happens at random [default: another one each time]")
            => Some(ContestOptions.seed)
    ),
];

/// What a tournament has besides.
pub static TOURNAMENT: [Row<ContestOptions>; 1] = [Row::whole(
    "matches",
    "N",
    "Matches of every two; they change sides after each",
    |to: &mut ContestOptions, matches| {
        to.matches = from_one(matches)?;
        Ok(())
    },
)
.default("10")
.wants(FROM_ONE)];

#[cfg(test)]
mod tests {
    use super::*;
    use zug_options::Value;

    fn check<T: Default + PartialEq + std::fmt::Debug>(rows: &'static [Row<T>]) {
        for row in rows {
            let info = row.info();
            if info.default.is_empty() {
                continue;
            }
            let mut settings = T::default();
            let value = info.read(info.default).expect("it is a value");
            row.take(&mut settings, value).expect("the option takes it");
            assert_eq!(settings, T::default(), "{}", info.name);
        }
    }

    #[test]
    fn defaults_are_what_is_shown() {
        check(&EQUILIBRIA);
        check(&LESSONS);
        check(&MATCH);
        check(&TOURNAMENT);
    }

    #[test]
    fn nothing_is_done_no_times() {
        let mut contest = ContestOptions::default();
        for row in MATCH.iter().take(2).chain(&TOURNAMENT) {
            assert!(row.take(&mut contest, Value::Whole(0)).is_err(), "{}", row.info().name);
        }
        assert_eq!(contest, ContestOptions::default());
    }
}
