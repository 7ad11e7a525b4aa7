//! Learning a game of rules by reinforcement: [`Training`].
//!
//! [`search::game::learn`](zug_search::game::learn) learns; here are the rules, those who are
//! played against, what the policy is as text, and how well it plays on the way. A policy is
//! kept by the terms of states and moves, so that it can be read and means the same in another
//! session.

mod learned;
pub mod predicates;
mod program;
mod resume;
mod sparring;
#[cfg(test)]
mod tests;

pub use learned::{Learned, Row, Terms};
pub use program::fingerprint;
pub(super) use program::{ignores_argument, ignores_player, is_same_for_all};
pub use resume::{Misfit, Saved};
pub use sparring::Opponent;

use super::{GameValue, OwnGame, Position, RuleGame, Table};
use crate::contract::indicator;
use crate::error::{RuleError, Violation, stop_reason};
use crate::memory::asking_time;
use crate::{Packed, canonical_text};
use sparring::{OpponentMemory, Sparring};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use zug_machine::Machine;
use zug_prolog::builtins::World;
use zug_random::Random;
use zug_search::game::learn::{
    Chooser, Event, Learner, OutcomeCounts, Played, Rule, Share, evaluate, share,
};
use zug_search::game::{Game, Graph, Halt, NodeId};
use zug_search::{Limits, StopReason};
use zug_term::Record;

/// Games of an evaluation.
pub const EVALUATION: u64 = 100;
/// States up to which a game is solved to see how much of a policy is optimal.
const SMALL: u64 = 100_000;
/// Time there is to see what was learned when the limit of time has struck.
const MOMENT: Duration = Duration::from_secs(1);

type Solving<T> = Result<T, Halt>;
type Rules = Learner<Packed, GameValue>;

/// How to train.
#[derive(Clone, Debug)]
pub struct TrainingPlan {
    /// How to learn.
    pub rule: Rule,
    /// The seed of what happens at random.
    pub seed: u64,
    /// Who is played against.
    pub against: Opponent,
    /// Who is played against to see how much was learned.
    pub baseline: Opponent,
}

/// A point of the learning curve: results of evaluation games after so many games of training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// Games of training.
    pub games: u64,
    /// Evaluation games, with the likeliest moves.
    pub tally: OutcomeCounts,
}

/// How far a training is.
#[derive(Clone, Copy, Debug)]
pub struct TrainingProgress<'a> {
    /// Games learned from.
    pub games: u64,
    /// How they ended for the learner; where it plays all sides, for who begins.
    pub tally: OutcomeCounts,
    /// Evaluations so far.
    pub curve: &'a [CurvePoint],
}

/// Notified of the progress of a training, after each evaluation and game.
pub type TrainingObserver<'a> = dyn FnMut(&TrainingProgress<'_>) + 'a;

/// How a run ended.
#[derive(Debug)]
pub enum TrainingEnd {
    /// All games were played.
    Done,
    /// A person has to choose a move in this position: see [`Training::answer`].
    Waiting(Position),
    /// A limit struck; the game it struck in does not count.
    Stopped(StopReason),
    /// An error in a rule; the game it came up in does not count.
    Failed(Box<RuleError>),
}

/// An event of a game with a person.
#[derive(Clone, Debug)]
pub enum TrainingEvent {
    /// The learner, or chance, made this move.
    Made(Record, Record),
    /// The game was over, and the games so far had ended in this way.
    Over(OutcomeCounts),
}

/// One who learns the game of a program.
pub struct Training {
    own: OwnGame,
    learner: Rules,
    plan: TrainingPlan,
    start: Packed,
    shared: bool,
    against: Sparring,
    baseline: Sparring,
    curve: Vec<CurvePoint>,
    /// When the time of the last run is over.
    deadline: Option<Instant>,
}

impl Training {
    /// One who knows nothing and begins in a state.
    ///
    /// # Errors
    /// The program is no game, or its players don't take turns.
    pub fn new(
        m: &mut Machine,
        w: &mut World,
        plan: TrainingPlan,
        player: Option<&Record>,
        state: &Record,
    ) -> Result<Training, Box<RuleError>> {
        let mut own = OwnGame::new(m, w)?;
        let roles = *own.roles();
        let limits = Limits { time: asking_time(w), ..Limits::none() };
        let (start, players, mut learner) = own.with(m, w, &limits, |table| {
            let start = table.position(player, state)?;
            for who in [&plan.against, &plan.baseline] {
                fits(who, &table.game)?;
            }
            let learner = Learner::new(start.clone(), plan.rule, plan.seed);
            Ok((start, table.game.players(), learner))
        })?;
        if matches!(plan.against, Opponent::Human) {
            learner.note_events();
        }
        let shared = players == 2 && program::is_same_for_all(m, &roles);
        if shared {
            learner.share_boxes(for_all);
        }
        let against = Sparring::new(plan.against.clone());
        let baseline = Sparring::new(plan.baseline.clone());
        let (curve, deadline) = (Vec::new(), None);
        Ok(Training { own, learner, plan, start, shared, against, baseline, curve, deadline })
    }

    /// Games learned from.
    pub fn games(&self) -> u64 {
        self.learner.games()
    }

    /// How they ended, for the learner; where it plays all sides, for who begins.
    pub fn tally(&self) -> OutcomeCounts {
        self.learner.tally()
    }

    /// Where the random numbers stand.
    pub fn random(&self) -> u64 {
        self.learner.random()
    }

    /// How it is trained.
    pub fn plan(&self) -> &TrainingPlan {
        &self.plan
    }

    /// The learning curve.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Whether players share their boxes, since no rule looks at who is to move.
    pub fn is_shared(&self) -> bool {
        self.shared
    }

    /// Trains until so many games count; `watch` is called after each evaluation and game.
    pub fn run(
        &mut self,
        m: &mut Machine,
        w: &mut World,
        games: u64,
        limits: &Limits,
        watch: &mut TrainingObserver<'_>,
    ) -> TrainingEnd {
        let Training { own, learner, plan, against, baseline, curve, deadline, .. } = self;
        let began = Instant::now();
        *deadline = limits.time.and_then(|time| began.checked_add(time));
        let ended = own.with(m, w, limits, |table| {
            let limits = table.limits.clone();
            loop {
                if let Some(reason) = struck(&limits, began, learner.bytes()) {
                    return Ok(TrainingEnd::Stopped(reason));
                }
                let done = learner.games();
                let due = is_due(done) && curve.last().is_none_or(|last| last.games < done);
                let played = if due && !learner.is_waiting() {
                    tested(table, learner, baseline, plan.seed).map(|point| {
                        curve.push(point);
                        Played::Over
                    })
                } else if done >= games {
                    return Ok(TrainingEnd::Done);
                } else {
                    play(table, learner, against)
                };
                match played {
                    Ok(Played::Over) => {
                        let (games, tally) = (learner.games(), learner.tally());
                        watch(&TrainingProgress { games, tally, curve });
                    }
                    Ok(Played::Waiting(node)) => {
                        let state = learner.graph().state(node);
                        return table.look(&state).map(TrainingEnd::Waiting);
                    }
                    Err(halt) => {
                        return halted(halt, limits.time.is_some()).map(TrainingEnd::Stopped);
                    }
                }
            }
        });
        ended.unwrap_or_else(TrainingEnd::Failed)
    }

    /// The move in the position that [`TrainingEnd::Waiting`] gave, as a place among its choices.
    pub fn answer(&mut self, choice: usize) {
        self.learner.answer(choice);
    }

    /// What the learner and chance did since this was asked last, if a person plays.
    ///
    /// # Errors
    /// The program is no game any more.
    pub fn news(
        &mut self,
        m: &mut Machine,
        w: &mut World,
    ) -> Result<Vec<TrainingEvent>, Box<RuleError>> {
        let Training { own, learner, .. } = self;
        own.with(m, w, &Limits::none(), |table| {
            let told = learner.events().into_iter().filter_map(|event| match event {
                Event::Over(tally) => Some(TrainingEvent::Over(tally)),
                Event::Made(node, at) => {
                    let mv = learner.graph().known_edges(node).get(at)?.mv;
                    let player = table.game.player_term(learner.graph().player(node));
                    Some(TrainingEvent::Made(player, table.game.move_term(mv)))
                }
            });
            Ok(told.collect())
        })
    }

    /// Breaks off the game that waits for an answer.
    pub fn break_off(&mut self) {
        self.learner.break_off();
    }

    /// What may be used to see what was learned: the time that is left, and a moment at least.
    fn left(&self) -> Limits {
        let left = |end: Instant| end.saturating_duration_since(Instant::now()).max(MOMENT);
        Limits { time: self.deadline.map(left), ..Limits::none() }
    }

    /// How well it plays now: what [`Training::curve`] says, or another evaluation; inside, why
    /// that one had to stop.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn now(
        &mut self,
        m: &mut Machine,
        w: &mut World,
    ) -> Result<Result<CurvePoint, StopReason>, Box<RuleError>> {
        let limits = self.left();
        let Training { own, learner, plan, baseline, curve, .. } = self;
        if let Some(last) = curve.last().filter(|last| last.games == learner.games()) {
            return Ok(Ok(*last));
        }
        own.with(m, w, &limits, |table| match tested(table, learner, baseline, plan.seed) {
            Ok(point) => Ok(Ok(point)),
            Err(halt) => halted(halt, true).map(Err),
        })
    }

    /// How many of the likeliest moves are optimal; `None` if the game has more states than
    /// can be solved in passing, or there was no time for it.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn share(
        &mut self,
        m: &mut Machine,
        w: &mut World,
    ) -> Result<Option<Share>, Box<RuleError>> {
        let limits = Limits { nodes: Some(SMALL), ..self.left() };
        let Training { own, learner, start, shared, .. } = self;
        let key = if *shared { for_all } else { Packed::clone };
        own.with(m, w, &limits, |table| {
            let Ok(node) = table.solve(start)? else { return Ok(None) };
            let Some(solved) = table.solved() else { return Ok(None) };
            Ok(Some(share(learner.policy(), learner.rule(), key, table.graph, solved, node)))
        })
    }

    /// What was learned, sorted by state and player.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn rows(&mut self, m: &mut Machine, w: &mut World) -> Result<Vec<Row>, Box<RuleError>> {
        let terms = self.terms(m, w)?;
        Ok(terms.into_iter().map(|terms| terms.row(m, w)).collect())
    }

    /// As [`Training::rows`], as terms.
    ///
    /// # Errors
    /// An error in a rule.
    pub fn terms(&mut self, m: &mut Machine, w: &mut World) -> Result<Vec<Terms>, Box<RuleError>> {
        let Training { own, learner, shared, .. } = self;
        let mut rows = own.with(m, w, &Limits::none(), |table| {
            let game = &mut table.game;
            let mut rows = Vec::with_capacity(learner.policy().len());
            for (state, known) in learner.policy().iter() {
                let mut moves = Vec::new();
                game.moves(state, &mut moves)?;
                let moves = moves.into_iter().zip(known);
                let player = game.player(state);
                rows.push(Terms {
                    player: (!*shared).then(|| game.player_term(player)),
                    state: game.state_term(state),
                    moves: moves.map(|((mv, _), known)| (game.move_term(mv), *known)).collect(),
                });
            }
            Ok(rows)
        })?;
        rows.sort_by_cached_key(|row| {
            let player = row.player.as_ref().map(|player| canonical_text(m, w, player));
            (natural(&canonical_text(m, w, &row.state)), player)
        });
        Ok(rows)
    }
}

/// Whether an opponent can play a game.
fn fits(who: &Opponent, game: &RuleGame<'_>) -> Result<(), Box<RuleError>> {
    let Opponent::Engine(engine, _) = who else { return Ok(()) };
    let (info, players) = (engine.info(), game.players());
    if !info.players.allows(players) {
        return Err(RuleError::new(Violation::Players(info.name, players), indicator::OPPONENT));
    }
    if !info.chance && game.has_chance() {
        return Err(RuleError::new(Violation::Chance(info.name), indicator::PROBABILITY));
    }
    Ok(())
}

/// The state in whose box the moves of both players lie.
fn for_all(state: &Packed) -> Packed {
    let mut state = state.clone();
    state.set_byte(0, 0);
    state
}

/// Whether it is time to see what was learned: the same times in every run.
fn is_due(games: u64) -> bool {
    let step = match games {
        0..100 => 10,
        _ => 10u64.pow(games.ilog10()) / 2,
    };
    games.is_multiple_of(step)
}

fn struck(limits: &Limits, began: Instant, bytes: usize) -> Option<StopReason> {
    if limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
        return Some(StopReason::Cancelled);
    }
    if limits.time.is_some_and(|time| began.elapsed() >= time) {
        return Some(StopReason::Time);
    }
    limits.memory.filter(|&most| bytes > most).map(|_| StopReason::Memory)
}

/// Why games stopped.
///
/// # Errors
/// An error in a rule.
fn halted(halt: Halt, timed: bool) -> Result<StopReason, Box<RuleError>> {
    match halt {
        Halt::Stop(reason) => Ok(reason),
        Halt::Fail(failure) => {
            let error = Box::<RuleError>::from(failure);
            stop_reason(&error, timed).ok_or(error)
        }
    }
}

/// Plays a game of training.
fn play(table: &mut Table<'_>, learner: &mut Rules, against: &mut Sparring) -> Solving<Played> {
    if against.is_learner() {
        return learner.play(&mut table.game, None);
    }
    let Table { game, graph, solved, recalled, limits } = table;
    let mut memory = OpponentMemory { graph, solved, recalled, limits };
    let choose: &mut Chooser<'_, RuleGame<'_>> =
        &mut |game, graph: &Graph<_, _>, node: NodeId, random: &mut Random| {
            against.choose(game, &mut memory, graph, node, random)
        };
    learner.play(game, Some(choose))
}

/// Plays evaluation games, with random numbers of their own.
fn tested(
    table: &mut Table<'_>,
    learner: &mut Rules,
    baseline: &mut Sparring,
    seed: u64,
) -> Solving<CurvePoint> {
    let games = learner.games();
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ games);
    let Table { game, graph, solved, recalled, limits } = table;
    let mut memory = OpponentMemory { graph, solved, recalled, limits };
    let choose: &mut Chooser<'_, RuleGame<'_>> =
        &mut |game, graph: &Graph<_, _>, node: NodeId, random: &mut Random| {
            baseline.choose(game, &mut memory, graph, node, random)
        };
    let tally = evaluate(learner, game, EVALUATION, &mut random, choose)?;
    Ok(CurvePoint { games, tally })
}

/// A text as people sort it: numbers in it by value.
fn natural(text: &str) -> Vec<(u128, String)> {
    let mut parts = vec![(0u128, String::new())];
    let mut digits = false;
    for c in text.chars() {
        let last = parts.len() - 1;
        match c.to_digit(10) {
            Some(digit) if digits => {
                let number = &mut parts[last].0;
                *number = number.saturating_mul(10).saturating_add(u128::from(digit));
            }
            Some(digit) => parts.push((u128::from(digit), String::new())),
            None => parts[last].1.push(c),
        }
        digits = c.is_ascii_digit();
    }
    parts
}
