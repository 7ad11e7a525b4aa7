//! The options of a training.

use super::Against;
use crate::play::Agent;
use std::path::PathBuf;
use zug_options::Row;
use zug_search::game::learn::Rule;
use zug_search::options::Schedule;

/// What a command line or the prompt says of a training.
#[derive(Clone, Debug)]
pub struct TrainOptions {
    /// How long.
    pub schedule: Schedule,
    /// How to learn.
    pub rule: Rule,
    /// Who is played against.
    pub against: Against,
    /// Who is played against to see how much was learned.
    pub baseline: Against,
    /// The file that what was learned is written to.
    pub save: Option<PathBuf>,
    /// The start, if the program has several.
    pub instance: Option<String>,
}

impl Default for TrainOptions {
    fn default() -> TrainOptions {
        TrainOptions {
            schedule: Schedule::default(),
            rule: Rule::default(),
            against: Against::Itself,
            baseline: Against::Agent(Agent::Random),
            save: None,
            instance: None,
        }
    }
}

/// Who is played against.
pub static AGAINST: [Row<TrainOptions>; 1] =
    [Row::pair("against", "WHO", "Who plays against the learner", |to: &mut TrainOptions, who| {
        to.against = who.parse()?;
        Ok(())
    })
    .default("self")];

/// What is made of it.
pub static RESULT: [Row<TrainOptions>; 2] = [
    Row::pair("baseline", "WHO", "Who plays the evaluation games", |to: &mut TrainOptions, who| {
        to.baseline = who.parse()?;
        Ok(())
    })
    .default("random"),
    Row::file(
        "save",
        "FILE",
        "Write what was learned to this file",
        |to: &mut TrainOptions, file| {
            to.save = Some(PathBuf::from(file));
            Ok(())
        },
    ),
];

/// Where games start.
pub static INSTANCE: [Row<TrainOptions>; 1] = [Row::text(
    "instance",
    "NAME",
    "The instance, if the file has several: the name in initial_state(Name, S), or its number \
     [default: the first]",
    |to: &mut TrainOptions, name| {
        to.instance = Some(name.to_owned());
        Ok(())
    },
)
.alias("instances")];
