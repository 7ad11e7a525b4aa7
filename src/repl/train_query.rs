//! `train.` and `train(Options)` at the prompt: as `zug train`, with the rules that are loaded.

use super::{DialogueError, Repl};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use zug_domain::game::Roles;
use zug_domain::game::training::{TrainingEnd, TrainingProgress};
use zug_options::{Table, Within};
use zug_prolog::session::Query;
use zug_render::learn;
use zug_search::Limits;
use zug_search::options::{BEADS, METHOD, RATES, SCHEDULE};
use zug_search::progress::{CountedWork, ProgressEvent, notify};
use zug_term::Cell;
use zug_usecases::Failure;
use zug_usecases::play::Agent;
use zug_usecases::train::options::{AGAINST, INSTANCE, RESULT};
use zug_usecases::train::{Against, TrainRequest, Trainer};

/// The options of train/1.
pub(super) static OPTIONS: Table<TrainRequest, Cell> = Table(&[
    &Within(&SCHEDULE, |to: &mut TrainRequest| &mut to.schedule),
    &Within(&METHOD, |to: &mut TrainRequest| &mut to.rule),
    &Within(&AGAINST, |to: &mut TrainRequest| to),
    &Within(&RATES, |to: &mut TrainRequest| &mut to.rule),
    &Within(&BEADS, |to: &mut TrainRequest| &mut to.rule),
    &Within(&RESULT, |to: &mut TrainRequest| to),
    &Within(&INSTANCE, |to: &mut TrainRequest| to),
]);
/// Time between two words on how far the training is.
const TOLD: Duration = Duration::from_millis(100);
impl Repl<'_> {
    /// Learns the game of the rules that are loaded, and reports.
    pub(super) fn train_query(&mut self, query: Query) -> Result<(), DialogueError> {
        let asked = self.train_request(&query);
        self.session.close(query);
        let text = self.train(&asked.map_err(Failure::Players)?)?;
        self.say(&text)?;
        Ok(())
    }

    fn train(&mut self, asked: &TrainRequest) -> Result<String, Failure> {
        if let Some(path) = &asked.save {
            Trainer::may_save(&self.session.world.files, path)?;
        }
        let mut trainer = Trainer::begin(self.session, asked)?;
        let (began, goal) = (Instant::now(), trainer.goal());
        let mut told = began;
        let mut watch = |progress: &TrainingProgress<'_>| {
            if told.elapsed() >= TOLD {
                told = Instant::now();
                let elapsed = began.elapsed();
                notify(ProgressEvent::Counted(CountedWork {
                    what: "game",
                    done: progress.games,
                    of: Some(goal),
                    elapsed,
                }));
            }
        };
        let ended = trainer.run(self.session, &Limits::none(), &mut watch);
        notify(ProgressEvent::Over);
        // Ctrl-C was for the training.
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        if let Some(path) = &asked.save {
            trainer.save(self.session, path)?;
        }
        if let TrainingEnd::Failed(error) = &ended {
            return Err(Failure::rule(self.session, error));
        }
        let report = trainer.report(self.session, &ended)?;
        let mut text = learn::report(&report, &self.theme);
        if let Some(path) = &asked.save {
            text += &format!("what was learned is in `{}`\n", path.display());
        }
        Ok(text)
    }

    fn train_request(&mut self, query: &Query) -> Result<TrainRequest, String> {
        let moves = Roles::of(&self.session.machine).map(|roles| roles.moves.pred);
        let mut request = TrainRequest { rules: self.rules_with(moves), ..TrainRequest::default() };
        self.options(query, ("train/1", &OPTIONS), &mut request)?;
        if request.against == Against::Agent(Agent::Human) {
            return Err("a person is asked by `zug train --against human`".to_owned());
        }
        Ok(request)
    }
}
