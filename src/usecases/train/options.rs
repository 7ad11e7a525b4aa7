//! The options of `train`.

use super::{Against, TrainRequest};
use crate::play::Agent;
use zug_options::{Row, row};
use zug_search::game::learn::Rule;
use zug_search::options::Schedule;

impl Default for TrainRequest {
    fn default() -> TrainRequest {
        TrainRequest {
            rules: String::new(),
            instance: None,
            schedule: Schedule::default(),
            rule: Rule::default(),
            against: Against::Itself,
            baseline: Against::Agent(Agent::Random),
            save: None,
            resume: None,
        }
    }
}

/// Who is played against.
pub static AGAINST: [Row<TrainRequest>; 1] =
    [Row::pair("against", "WHO", "Who plays against the learner", |to: &mut TrainRequest, who| {
        to.against = who.parse()?;
        Ok(())
    })
    .default("self")];

/// What is made of it.
pub static RESULT: [Row<TrainRequest>; 2] = [
    Row::pair("baseline", "WHO", "Who plays the evaluation games", |to: &mut TrainRequest, who| {
        to.baseline = who.parse()?;
        Ok(())
    })
    .default("random"),
    row!(file("save", "FILE", "Write what was learned to this file") => Some(TrainRequest.save)),
];

/// What was learned before.
pub static RESUME: [Row<TrainRequest>; 1] =
    [row!(file("resume", "FILE", "Go on with what was learned before: as one run") => Some(TrainRequest.resume))
        .conflicts(&[
            "seed", "against", "method", "reinforce", "punish", "beads", "epsilon", "alpha", "decay", "discount",
            "baseline", "instance",
        ])];

/// Where games start.
pub static INSTANCE: [Row<TrainRequest>; 1] = [row!(
    text(
        "instance", "NAME",
        "The instance, if the file has several: the name in initial_state(Name, S), or its number [default: the first]",
    ) => Some(TrainRequest.instance)
)
.alias("instances")];
