//! `train`: learning a game by reinforcement, with what was learned in a file.

mod against;
mod file;
mod opponent;
pub mod options;
mod report;
#[cfg(test)]
mod tests;

pub use against::Against;
pub(super) use opponent::learned;
pub use report::{CurveRecord, OptimalShare, PolicyMove, PolicyRow, TrainReport};

use super::asking::ask;
use super::base::keeper;
use super::{Failure, FileTo, choose_instances};
use std::path::{Path, PathBuf};
use zug_domain::Contract;
use zug_domain::game::training::{Training, TrainingEnd, TrainingObserver, TrainingPlan};
use zug_domain::game::{Roles, initial_player};
use zug_files::Access;
use zug_prolog::session::Session;
use zug_search::Limits;
use zug_search::game::learn::Rule;
use zug_search::options::Schedule;
use zug_term::Record;
use zug_term::diagnostic::Diagnostic;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct TrainRequest {
    /// How the rules are called: the file.
    pub rules: String,
    /// The start, if the program has several.
    pub instance: Option<String>,
    /// How many games are played, and the seed of what happens at random.
    pub schedule: Schedule,
    /// How to learn.
    pub rule: Rule,
    /// Who is played against.
    pub against: Against,
    /// Who is played against to see how much was learned.
    pub baseline: Against,
    /// The file that what was learned is to be written to.
    pub save: Option<PathBuf>,
    /// What was learned before, with all of the above but the games.
    pub resume: Option<PathBuf>,
}

/// A training with what it takes to write it down.
pub struct Trainer {
    training: Training,
    rules: String,
    player: Option<Record>,
    start: Record,
    against: Against,
    baseline: Against,
    /// Games before this run.
    before: u64,
    /// Games to be counted at the end of it.
    goal: u64,
}

impl Trainer {
    /// Begins to train, or goes on.
    ///
    /// # Errors
    /// The rules are none of a game; the policy to go on with is not fit; an error in a rule.
    pub fn begin(session: &mut Session, request: &TrainRequest) -> Result<Trainer, Failure> {
        let contract = Contract::of(&session.machine);
        if Roles::of(&session.machine).is_none() {
            return Err(Failure::NoGame { puzzle: contract.rule.is_some() });
        }
        match &request.resume {
            Some(path) => Trainer::resume(session, request, path),
            None => Trainer::fresh(session, request, &contract),
        }
    }

    fn fresh(
        session: &mut Session,
        request: &TrainRequest,
        contract: &Contract,
    ) -> Result<Trainer, Failure> {
        let found = choose_instances(session, contract, request.instance.as_deref())?;
        let Some(first) = found.into_iter().next() else {
            return Err(Failure::NoSuchInstance("1".to_owned(), Vec::new()));
        };
        let player = ask(session, initial_player)?;
        Trainer::new(session, request, player, first.instance.state)
    }

    fn new(
        session: &mut Session,
        request: &TrainRequest,
        player: Option<Record>,
        start: Record,
    ) -> Result<Trainer, Failure> {
        if matches!(&request.baseline, Against::Agent(super::play::Agent::Human)) {
            let why = "evaluation games are played by machines: give another --baseline";
            return Err(Failure::Players(why.to_owned()));
        }
        let plan = TrainingPlan {
            rule: request.rule,
            seed: request.schedule.seed,
            against: request.against.opponent(session)?,
            baseline: match request.baseline.opponent(session)? {
                zug_domain::game::training::Opponent::Itself => {
                    zug_domain::game::training::Opponent::Random
                }
                other => other,
            },
        };
        let training = ask(session, |m, w| Training::new(m, w, plan, player.as_ref(), &start))?;
        Ok(Trainer {
            training,
            rules: request.rules.clone(),
            player,
            start,
            against: request.against.clone(),
            baseline: request.baseline.clone(),
            before: 0,
            goal: request.schedule.games,
        })
    }

    fn resume(
        session: &mut Session,
        request: &TrainRequest,
        path: &Path,
    ) -> Result<Trainer, Failure> {
        let mut said = file::read(session, &Access::FREE, path)?;
        let asked = TrainRequest {
            rule: said.rule,
            schedule: Schedule { seed: said.seed, ..request.schedule },
            against: said.against,
            baseline: said.baseline,
            ..request.clone()
        };
        let Some((player, start)) = said.start.take() else { return Err(Failure::NoDomain) };
        let mut trainer = Trainer::new(session, &asked, player, start)?;
        trainer.before = said.saved.games;
        trainer.goal = said.saved.games.saturating_add(request.schedule.games);
        match ask(session, |m, w| trainer.training.resume(m, w, said.saved))? {
            Ok(()) => Ok(trainer),
            Err(misfit) => {
                let span = said.places.get(misfit.row).copied().unwrap_or_default();
                let why = format!("this state does not fit the rules: {}", misfit.why);
                let finding = Diagnostic::error("E0704", why).at(&said.source, span, "");
                Err(Failure::Policy(vec![finding]))
            }
        }
    }

    /// Plays on until all games are played, somebody is to be asked, or it must stop.
    pub fn run(
        &mut self,
        session: &mut Session,
        limits: &Limits,
        watch: &mut TrainingObserver<'_>,
    ) -> TrainingEnd {
        let (m, w) = (&mut session.machine, &mut session.world);
        self.training.run(m, w, self.goal, limits, watch)
    }

    /// The training itself.
    pub fn training(&mut self) -> &mut Training {
        &mut self.training
    }

    /// Games to be counted at the end.
    pub fn goal(&self) -> u64 {
        self.goal
    }

    /// Whether a policy can be written there, and may be.
    ///
    /// # Errors
    /// It can't, or there is something else, which is left alone.
    pub fn may_save(access: &Access, path: &Path) -> Result<(), Failure> {
        file::may_write(access, path)
    }

    /// Writes down what was learned, all of it or nothing.
    ///
    /// # Errors
    /// It can't be written.
    pub fn save(&mut self, session: &mut Session, path: &Path) -> Result<(), Failure> {
        let rows = ask(session, |m, w| self.training.rows(m, w))?;
        let plan = self.training.plan();
        let head = file::PolicyHeader {
            rules: &self.rules,
            start: (self.player.as_ref(), &self.start),
            against: &self.against,
            baseline: &self.baseline,
            rule: &plan.rule,
            seed: plan.seed,
            games: self.training.games(),
            tally: self.training.tally(),
            random: self.training.random(),
            curve: self.training.curve(),
        };
        let text = file::text(session, &head, &rows);
        file::may_write(&Access::FREE, path)?;
        if zug_base::is_base(path) {
            let to = FileTo { path: path.to_owned(), force: false };
            let mut keeper = keeper(session, &to, Path::new(&*self.rules))?;
            let kept = keeper.put_document(&session.machine, file::IN_BASE, text.as_bytes());
            return kept.and_then(|()| keeper.finish()).map_err(Failure::Base);
        }
        Access::FREE
            .write_whole(path, text.as_bytes())
            .map_err(|error| file::unwritable(path, &error))
    }
}
