//! `train.` and `train(Options)` at the prompt: as `zug train`, with the rules that are loaded.

use super::play_query::no_option;
use super::query::Typed;
use super::{Flow, Repl};
use crate::render::learn;
use crate::usecases::Failure;
use crate::usecases::play::Agent;
use crate::usecases::train::{Against, TrainRequest, Trainer};
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use zug_domain::game::Roles;
use zug_domain::game::training::Ended;
use zug_prolog::session::Query;
use zug_prolog::user_predicate;
use zug_search::Limits;
use zug_search::game::learn::{Method, Rule};
use zug_search::standing::{Standing, Work, tell};

/// The options of train/1.
const OPTIONS: &str = "games(N), seed(N), method(M), against(Who), against(Engine, Depth), \
    baseline(Who), epsilon(E), alpha(A), decay(D), discount(G), punish(true), reinforce(last), \
    instance(Name), save(File)";
/// Time between two words on how far the training is.
const TOLD: Duration = Duration::from_millis(100);
/// Games unless something else is said.
const GAMES: u64 = 10_000;

/// What `train(Options)` asks for.
struct Asked {
    request: TrainRequest,
    save: Option<PathBuf>,
}

impl Repl<'_> {
    /// Whether a query is `train` or `train(Options)`, and not a predicate of the program.
    pub(super) fn is_train(&self, typed: &Typed) -> bool {
        let machine = &self.session.machine;
        typed.name.is_some_and(|(name, arity)| {
            arity <= 1
                && machine.symbols.name(name) == "train"
                && user_predicate(machine, "train", arity).is_none()
        })
    }

    /// Learns the game of the rules that are loaded, and reports.
    pub(super) fn train_query(&mut self, query: Query) -> io::Result<Flow> {
        let asked = self.train_request(&query);
        self.session.close(query);
        let text = match asked {
            Ok(asked) => self.train(&asked),
            Err(words) => Err(Failure::Players(words)),
        };
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        match text {
            Ok(text) => self.say(&text)?,
            Err(failure) => {
                self.tally.errors += 1;
                self.play_failure(&failure)?;
            }
        }
        self.session.world.streams.end_query()?;
        Ok(Flow::Continue)
    }

    fn train(&mut self, asked: &Asked) -> Result<String, Failure> {
        if let Some(path) = &asked.save {
            Trainer::may_save(path)?;
        }
        let mut trainer = Trainer::begin(self.session, &asked.request)?;
        let (began, goal) = (Instant::now(), trainer.goal());
        let mut told = began;
        let mut watch = |done: u64, _: &[_]| {
            if told.elapsed() >= TOLD {
                told = Instant::now();
                let elapsed = began.elapsed();
                tell(Standing::Work(Work { what: "game", done, of: Some(goal), elapsed }));
            }
        };
        let ended = trainer.run(self.session, &Limits::none(), &mut watch);
        tell(Standing::Over);
        // Ctrl-C was for the training.
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        if let Some(path) = &asked.save {
            trainer.save(self.session, path)?;
        }
        if let Ended::Failed(error) = &ended {
            return Err(Failure::rule(self.session, error));
        }
        let report = trainer.report(self.session, &ended)?;
        let mut text = learn::report(&report, &self.theme);
        if let Some(path) = &asked.save {
            text += &format!("what was learned is in `{}`\n", path.display());
        }
        Ok(text)
    }

    fn train_request(&mut self, query: &Query) -> Result<Asked, String> {
        let moves = Roles::of(&self.session.machine).map(|roles| roles.moves.pred);
        let request = TrainRequest {
            rules: self.rules_with(moves),
            instance: None,
            games: GAMES,
            rule: Rule::default(),
            seed: 1,
            against: Against::Itself,
            baseline: Against::Agent(Agent::Random),
            resume: None,
        };
        let mut asked = Asked { request, save: None };
        for (name, value) in self.options(query, ("train/1", OPTIONS))? {
            asked.take(&name, &value)?;
        }
        Ok(asked)
    }
}

impl Asked {
    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wants = |what: &str| format!("`{name}({value})` wants {what}");
        fn number<T: FromStr>(value: &str) -> Option<T> {
            value.parse().ok()
        }
        let rate = || number(value).filter(|rate: &f64| rate.is_finite() && *rate >= 0.0);
        let part = || rate().filter(|part| *part <= 1.0).ok_or_else(|| wants("a part of 1"));
        let plain = value.trim_matches('\'');
        let request = &mut self.request;
        let Rule { method, beads, rates } = &mut request.rule;
        match name {
            "games" => request.games = number(value).ok_or_else(|| wants("a number"))?,
            "seed" => request.seed = number(value).ok_or_else(|| wants("a number"))?,
            "method" => {
                let known = Method::by_name(&plain.replace('_', "-"));
                let names = Method::ALL.map(|(_, name)| name.replace('-', "_")).join(", ");
                *method = known.ok_or_else(|| wants(&format!("one of {names}")))?;
            }
            "against" => {
                request.against = value.parse()?;
                if request.against == Against::Agent(Agent::Human) {
                    return Err("a person is asked by `zug train --against human`".to_owned());
                }
            }
            "baseline" => request.baseline = value.parse()?,
            "epsilon" => rates.epsilon = part()?,
            "alpha" => rates.alpha = Some(part()?),
            "decay" => rates.decay = rate().ok_or_else(|| wants("a number"))?,
            "discount" => rates.discount = part()?,
            "punish" => beads.loss = if value == "true" { -1 } else { 0 },
            "reinforce" => beads.all = value != "last",
            "instance" => request.instance = Some(plain.to_owned()),
            "save" => self.save = Some(PathBuf::from(plain)),
            _ => return Err(no_option(name, ("train/1", OPTIONS))),
        }
        Ok(())
    }
}
